"""Definitions and helpers without dependencies: fields, errors, files, paths, hashing, the frame, the digest."""
