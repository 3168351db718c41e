"""Small compute programs written inside a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program
from gpufluid.gpu.images import Image


def probe(
    device: Device,
    text: str,
    images: Sequence[Image] = (),
    group_size: tuple[int, int] = (8, 4),
    texts: Mapping[str, str] | None = None,
) -> Program:
    """A program of one compute shader.

    Args:
        device: the device that runs it.
        text: GLSL that follows the images and the layout.
        images, group_size: as for `Program`.
        texts: further generated includes, by name.
    """
    head = '#version 430\n#include "generated/images.glsl"\n'
    head += "layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;\n"
    generated = {**(texts or {}), "generated/probe.comp": head + text}
    return Program(device, "generated/probe.comp", images, group_size, generated)
