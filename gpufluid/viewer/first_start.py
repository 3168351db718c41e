"""Whether somebody opens the window for the first time."""

from __future__ import annotations

from pathlib import Path

from gpufluid.viewer.keys import settings_file


def _mark() -> Path:
    return settings_file().with_name("welcomed")


def is_first() -> bool:
    """Whether the first steps have never been shown here."""
    return not _mark().exists()


def remember() -> None:
    """They have been shown now. Where that cannot be kept they will be shown again, and no harm is done."""
    try:
        _mark().parent.mkdir(parents=True, exist_ok=True)
        _mark().touch()
    except OSError:
        return
