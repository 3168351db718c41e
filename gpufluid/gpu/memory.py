"""Memory of the device: the allocations of a simulation, and how much is free."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass, field
from pathlib import Path

import moderngl

# GL_NVX_gpu_memory_info and GL_ATI_meminfo: in KiB. moderngl's own table of limits has neither.
_FREE_NVX, _TEXTURE_FREE_ATI = 0x9049, 0x87FC

_MEMINFO, _CGROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Memory:
    """The device memory of a simulation, in bytes.

    Args:
        held: all its textures and buffers that are not yet released.
        needed: one copy of each plane, which every variant needs.
    """

    held: int
    needed: int


@dataclass(slots=True)
class Allocations:
    """The textures and buffers of one simulation, with their sizes; released ones do not count."""

    _kept: list[tuple[moderngl.Texture | moderngl.Buffer, int]] = field(default_factory=list)

    def add(self, made: moderngl.Texture | moderngl.Buffer, size: int) -> None:
        """Record a texture or buffer of ``size`` bytes."""
        self._prune()
        self._kept.append((made, size))

    @property
    def held(self) -> int:
        """Bytes of all that is not yet released."""
        self._prune()
        return sum(size for _, size in self._kept)

    def release(self) -> None:
        """Release all textures and buffers."""
        for made, _ in self._kept:
            made.release()
        self._prune()

    def _prune(self) -> None:
        self._kept = [(made, size) for made, size in self._kept if not isinstance(made.mglo, moderngl.InvalidObject)]


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


def graphics_memory(context: moderngl.Context) -> int | None:
    """Free bytes of the GPU's own memory, as the driver reports; None: it does not report them."""
    if "GL_NVX_gpu_memory_info" in context.extensions:
        return 1024 * gl_integers(_FREE_NVX, 1)[0] or None
    if "GL_ATI_meminfo" in context.extensions:
        return 1024 * gl_integers(_TEXTURE_FREE_ATI, 4)[0] or None
    return None


def gl_integers(name: int, count: int) -> list[int]:
    """``glGetIntegerv`` of the current context, for values that moderngl lacks; zeros: the function is not found."""
    answer = (ctypes.c_int * count)()
    libraries = ("opengl32",) if sys.platform == "win32" else ("libGL.so.1", "libOpenGL.so.0")
    for library in libraries:
        try:
            get = ctypes.CDLL(library).glGetIntegerv
        except (OSError, AttributeError):
            continue
        get.argtypes, get.restype = (ctypes.c_uint, ctypes.POINTER(ctypes.c_int)), None
        get(name, answer)
        break
    return list(answer)
