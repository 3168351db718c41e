"""What a world takes of the device's memory, told before it is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.cell import FIELDS, planes_of
from gpufluid.gpu.shares import invocations
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.rules import RULES, Over

def plane_bytes(fields: Sequence[str], cells: int) -> int:
    """One copy of each plane of a world with these fields."""
    return cells * sum(bytes_a_texel(plane.image) for plane in planes_of(fields))


def device_bytes(rules: Sequence[str], width: int, height: int, strip: tuple[int, int]) -> int:
    """What a simulation of these rules holds when it begins: planes, pairs of those that are gathered, scratch.

    Args:
        rules: names of `rules.RULES`.
        width, height: in cells.
        strip: (columns, rows) of the cells that one invocation of a gather owns.
    """
    passes = [pass_ for rule in rules for pass_ in RULES[rule].passes]
    gathered = {name for pass_ in passes for name in pass_.gathers}
    planes = planes_of(fields_of(rules))
    copies = sum(bytes_a_texel(plane.image) * (2 if plane.name in gathered else 1) for plane in planes)
    scratch = {scratch.name: scratch for pass_ in passes for scratch in pass_.writes}.values()
    texels = [(invocations(each.over, (width, height), strip), each.image) for each in scratch]
    texels.append((invocations(Over.STRIPS, (width, height), strip), "rg32ui"))  # what each strip has moved
    return width * height * copies + sum(across * down * bytes_a_texel(image) for (across, down), image in texels)


def host_bytes(rules: Sequence[str], cells: int) -> int:
    """What the `World` that it begins with takes of the machine's memory."""
    fields = [FIELDS[name] for name in fields_of(rules)]
    return cells * sum(np.dtype(field.dtype).itemsize * field.components for field in fields)


def fields_of(rules: Sequence[str]) -> tuple[str, ...]:
    """The fields of a world with these rules."""
    return tuple(dict.fromkeys(name for rule in rules for name in RULES[rule].fields))
