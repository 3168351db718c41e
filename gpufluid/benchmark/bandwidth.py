"""How fast this machine copies: the ceiling."""

from __future__ import annotations

import statistics
import time

from gpufluid.gpu.copying import Copy
from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import bytes_a_texel

SHAPES = ((1, 1), (1, 4), (4, 4), (8, 8))
"""Strips of texels that an invocation copies: the fastest counts, on any device."""

_BYTES_MOST = 1 << 28
"""Of a texture that is copied: what is larger is copied no faster, and must lie beside the world."""

_SECONDS = 0.01
"""A run takes about so long at the least."""


def copy_bandwidth(device: Device, size: tuple[int, int], image: str, runs: int) -> float:
    """Bytes a second, read and written, of a copy dispatch: of the fastest shape the median of so many runs.

    Args:
        device: where.
        size: (width, height) of the texture.
        image: its format.
        runs: how many.
    Raises: DeviceError: there is too little memory, or the device does not compute.
    """
    rows = max(1, min(size[1], _BYTES_MOST // (size[0] * bytes_a_texel(image))))
    with device:
        copy = Copy(device, (size[0], rows), image)
        try:
            copy.check()
            return max(_of_shape(device, copy, shape, runs) for shape in SHAPES)
        finally:
            copy.release()


def _of_shape(device: Device, copy: Copy, shape: tuple[int, int], runs: int) -> float:
    _seconds(device, copy, shape, 1)  # it compiles
    copies = max(1, round(_SECONDS / _seconds(device, copy, shape, 1)))
    return copy.bytes / statistics.median(_seconds(device, copy, shape, copies) for _ in range(runs))


def _seconds(device: Device, copy: Copy, shape: tuple[int, int], copies: int) -> float:
    device.finish()
    began = time.perf_counter()
    for _ in range(copies):
        copy.run(shape)
    device.finish()
    return (time.perf_counter() - began) / copies


def check_computes(device: Device) -> None:
    """Raise DeviceError if the device was lost since it was used last."""
    with device:
        copy = Copy(device, (1, 1), "r32ui")
        try:
            copy.check()
        finally:
            copy.release()
