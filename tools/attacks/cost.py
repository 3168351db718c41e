"""The time and the memory that a call takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_STATUS, _PEAK = Path("/proc/self/status"), Path("/proc/self/clear_refs")


@dataclass(slots=True)
class Cost:
    """The cost of a block of code.

    Args:
        seconds: of this process's processor time, so that other programs do not count.
        memory: bytes by which the process was larger, at its largest, than before; 0 where the system does not say it.
    """

    seconds: float = 0.0
    memory: int = 0


@contextmanager
def measured() -> Iterator[Cost]:
    """Measure the block of code; the result is complete when it ends, also by an error."""
    cost = Cost()
    before = _begin()
    began = time.process_time()
    try:
        yield cost
    finally:
        cost.seconds = time.process_time() - began
        cost.memory = max(_peak() - before, 0)


def _begin() -> int:
    """The memory of this process, in bytes. On Linux its peak is set back to that; elsewhere peaks only grow."""
    if sys.platform != "linux":
        return _peak()
    _PEAK.write_text("5")
    return _kibibytes("VmRSS")


def _peak() -> int:
    if sys.platform == "linux":
        return _kibibytes("VmHWM")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS


def _kibibytes(name: str) -> int:
    lines = dict(line.split(":", 1) for line in _STATUS.read_text().splitlines())
    return 1024 * int(lines[name].split()[0])
