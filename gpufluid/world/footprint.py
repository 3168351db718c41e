"""The host memory that a world needs, computed before it is made."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.core.errors import ShortageError
from gpufluid.core.fields import FIELDS
from gpufluid.core.memory import in_units, machine_memory, shortage_text
from gpufluid.rules import fields_of

_SMALL = 1 << 24
"""Largest world, in bytes, that is made without a look at the free memory."""


def host_bytes(rules: Sequence[str], cells: int, layers: int) -> int:
    """Bytes of the arrays of a `World`.

    Args:
        rules: the names of its rules.
        cells: its number of cells.
        layers: the number of constituents of its mixture.
    """
    fields = [FIELDS[name] for name in fields_of(rules)]
    numbers = ((field, field.components * (layers if field.layered else 1)) for field in fields)
    return cells * sum(np.dtype(field.dtype).itemsize * count for field, count in numbers)


def named_world(rules: Sequence[str], width: int, height: int) -> str:
    """The size and the rules of a world, for messages; width and height in cells."""
    return f"a world of {width} by {height} cells with rules {'+'.join(rules)}"


def check_room(rules: Sequence[str], width: int, height: int, layers: int) -> None:
    """Raise ShortageError if the arrays of a world do not fit into the free memory; the message has both numbers.

    Args:
        rules: the names of its rules.
        width, height: in cells.
        layers: the number of constituents of its mixture.
    """
    size = host_bytes(rules, width * height, layers)
    lack = shortage_text(named_world(rules, width, height), size, machine_memory()) if size > _SMALL else None
    if lack is not None:
        raise ShortageError("size", lack)


def no_room(rules: Sequence[str], width: int, height: int, layers: int) -> ShortageError:
    """The error for a world whose arrays the system refuses to allocate; arguments as for `check_room`."""
    size = in_units(host_bytes(rules, width * height, layers))
    world = named_world(rules, width, height)
    return ShortageError("size", f"{world} takes about {size} of memory, which the system does not give")
