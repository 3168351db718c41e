"""Memory of the device: the allocations of a simulation, and how much a GPU has free."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass, field

import moderngl

# GL_NVX_gpu_memory_info and GL_ATI_meminfo: in KiB. moderngl's own table of limits has neither.
_FREE_NVX, _TEXTURE_FREE_ATI = 0x9049, 0x87FC


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
        """Bytes of all that is not yet released. It can be asked for while another thread makes textures."""
        return sum(size for made, size in self._kept if not _released(made))

    def release(self) -> None:
        """Release all textures and buffers."""
        for made, _ in self._kept:
            made.release()
        self._prune()

    def _prune(self) -> None:
        self._kept = [(made, size) for made, size in self._kept if not _released(made)]


def _released(made: moderngl.Texture | moderngl.Buffer) -> bool:
    return isinstance(made.mglo, moderngl.InvalidObject)


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
