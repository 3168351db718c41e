"""What other processes are doing, as /proc shows it."""

from __future__ import annotations

from pathlib import Path


def children(pid: int) -> list[int]:
    """The numbers of the processes that a process has started and that have not ended."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # the process has ended
        return []


def open_files(pid: int) -> list[str]:
    """The files that a process has open; the path of one without a name ends in ``(deleted)``."""
    try:
        return [str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:  # the process has ended, or closed a file in the meantime
        return []


def is_filming(pid: int, folder: Path) -> bool:
    """Whether an encoder that a process has started writes a film in a folder."""
    return any(str(folder) in name for child in children(pid) for name in open_files(child))
