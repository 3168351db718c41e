"""Detection of the first start, by a marker file in the settings folder."""

from __future__ import annotations

from pathlib import Path

from gpufluid.viewer.keys import settings_file


def _mark() -> Path:
    return settings_file().with_name("welcomed")


def is_first() -> bool:
    """True if the first steps were never shown to this user."""
    return not _mark().exists()


def mark_shown() -> None:
    """Record that the first steps were shown. If the marker cannot be written, they are shown again next time."""
    try:
        _mark().parent.mkdir(parents=True, exist_ok=True)
        _mark().touch()
    except OSError:
        return
