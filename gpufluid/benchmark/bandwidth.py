"""Copy bandwidth of this machine: the upper limit of the speed of every rule."""

from __future__ import annotations

import statistics
import time

from gpufluid.gpu.copying import Copy
from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import bytes_a_texel

SHAPES = ((1, 1), (1, 4), (4, 4), (8, 8))
"""Shapes (columns, rows) of the texels that one invocation copies; the fastest shape is used."""

_BYTES_MOST = 1 << 28
"""Largest texture to copy: larger ones are not faster, and the texture needs memory beside the world."""

_SECONDS = 0.01
"""Approximate least time of a run."""


def copy_bandwidth(device: Device, size: tuple[int, int], image: str, runs: int) -> float:
    """Measure the bandwidth of a copy dispatch: bytes read and written a second, median of the fastest shape.

    Args:
        device: to measure.
        size: (width, height) of the texture; reduced in height to `_BYTES_MOST`.
        image: format of the texture.
        runs: number of runs for each shape.
    Raises: DeviceError: too little memory, or the device does not compute.
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
    _seconds(device, copy, shape, 1)  # compiles the shader
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
    """Check that the device still computes. Raises: DeviceError: the device was lost or reset."""
    with device:
        copy = Copy(device, (1, 1), "r32ui")
        try:
            copy.check()
        finally:
            copy.release()
