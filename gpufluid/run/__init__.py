"""A headless run: recording, time series, reports, the check against the oracle."""
