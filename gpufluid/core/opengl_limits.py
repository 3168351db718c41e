"""Binding limits of compute shaders: the minimum values of OpenGL 4.3, which every device has.

A driver may allow more; a shader that needs more would run on some machines only. So no check against these limits asks
a device: declared passes are checked when their rule is added, and every program when it is made.

Source: OpenGL 4.3 core specification, chapter 23, tables of implementation dependent values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

LIMITS = {"images": 8, "storage blocks": 8, "uniform blocks": 12}
"""The number of bindings of each kind that one compute shader may have."""


def excess(shader: str, bound: Mapping[str, Sequence[str]]) -> str | None:
    """The first limit that a shader exceeds, as a sentence with all names; None: it keeps within all.

    Args:
        shader: its name, or that of the pass.
        bound: by the kinds of `LIMITS`, the names of what it binds.
    """
    for kind, names in bound.items():
        if len(names) > LIMITS[kind]:
            listed = f"{len(names)} {kind} ({', '.join(names)})"
            return f"{shader}: binds {listed}; OpenGL 4.3 promises {LIMITS[kind]} to a compute shader"
    return None
