"""Headless runs: recording, time series, reports, and the check against the oracle."""
