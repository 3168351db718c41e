"""Snapshots, and any name or file to a world."""
