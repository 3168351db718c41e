"""Small compute programs written inside a test."""

from __future__ import annotations

from collections.abc import Sequence

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Image, Program


def probe(device: Device, text: str, images: Sequence[Image] = (), group_size: tuple[int, int] = (8, 4)) -> Program:
    """A program from GLSL that follows the version, the images and the layout."""
    head = (
        '#version 430\n#include "generated/images.glsl"\nlayout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;\n'
    )
    return Program(device, "generated/probe.comp", images, group_size, {"generated/probe.comp": head + text})
