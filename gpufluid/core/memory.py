"""Memory of the machine: how much is free, and the refusal of what does not fit."""

from __future__ import annotations

from pathlib import Path

from gpufluid.core.errors import UsageError

_MEMINFO, _CGROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")


def in_units(size: float) -> str:
    """A number of bytes as text with a unit: ``1.5 GiB``."""
    units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while size >= 1024 and len(units) > 1:
        size, units = size / 1024, units[1:]
    return f"{size:.0f} {units[0]}" if units[0] == "bytes" or size >= 100 else f"{size:.1f} {units[0]}"


def machine_memory() -> int | None:
    """Bytes of the machine's memory that a program can still allocate; None: the system does not report it."""
    try:
        lines = dict(line.split(":", 1) for line in _MEMINFO.read_text().splitlines())
        free = 1024 * int(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):  # no Linux, or an old one
        return None
    room = _room_in_group()
    return free if room is None else min(free, room)


def _room_in_group() -> int | None:
    """Bytes that the memory limit of this container (control group) leaves; None: no limit."""
    try:
        limit, used = ((_CGROUP / name).read_text().strip() for name in ("memory.max", "memory.current"))
        counts = dict(line.split() for line in (_CGROUP / "memory.stat").read_text().splitlines())
        return int(limit) - int(used) + int(counts["file"])  # the system frees its file cache on demand
    except (OSError, ValueError, KeyError):  # no group, or one without a bound: its limit is the word "max"
        return None


def shortage_text(what: str, size: int, free: int | None, owner: str = "the machine's") -> str | None:
    """A sentence with both numbers if something does not fit into the free memory; None: it fits.

    Args:
        what: the subject of the sentence, such as ``a world of 4 by 4 cells``.
        size: the memory that it takes, in bytes.
        free: the free memory, in bytes; None: not known, so everything fits.
        owner: whose memory it is.
    """
    if free is None or size <= free:
        return None
    return f"{what} takes about {in_units(size)} of {owner} memory, and {in_units(free)} are free"


def check_free(size: int, what: str) -> None:
    """Raise UsageError unless the machine has ``size`` free bytes for something; see `shortage_text`."""
    lack = shortage_text(what, size, machine_memory())
    if lack is not None:
        raise UsageError(lack)
