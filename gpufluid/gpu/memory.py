"""Memory of the device: the allocations of a simulation, and how much a GPU has free."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import moderngl

from gpufluid.gpu.gl_functions import gl_integers

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


class Allocation(Protocol):
    """A texture or a buffer."""

    @property
    def mglo(self) -> object:
        """The object of OpenGL; `moderngl.InvalidObject` once it is released."""
        ...

    def release(self) -> None:
        """Release its memory."""
        ...


@dataclass(slots=True)
class Allocations:
    """The textures and buffers of one simulation, with their sizes; released ones do not count."""

    _kept: list[tuple[Allocation, int]] = field(default_factory=list)

    def add(self, made: Allocation, size: int) -> None:
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


def _released(made: Allocation) -> bool:
    return isinstance(made.mglo, moderngl.InvalidObject)


def graphics_memory(context: moderngl.Context) -> int | None:
    """Free bytes of the GPU's own memory, as the driver reports; None: it does not report them."""
    if "GL_NVX_gpu_memory_info" in context.extensions:
        return 1024 * gl_integers(_FREE_NVX, 1)[0] or None
    if "GL_ATI_meminfo" in context.extensions:
        return 1024 * gl_integers(_TEXTURE_FREE_ATI, 4)[0] or None
    return None
