"""Reading and writing worlds: snapshots, and loading by name."""
