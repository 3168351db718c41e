"""What a cell holds: the fields of a world, their units and their form on the host and on the device.

GLSL learns these facts from `constants()`, which becomes ``generated/cell.glsl``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FULL = 1 << 20
"""Units of mass in one full cell."""

MASS_LIMIT = 1000 * FULL
"""No cell ever holds more: two such masses and a compression still add up within an int32."""

SOLID = -1
"""On the device a mass texel of -1 says that the cell is solid: one load answers both questions."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named array of a world.

    Args:
        name: as in ``world[name]``.
        dtype: NumPy's name of the host array's type; its shape is (height, width).
        image: the GLSL image format of its texture.
        number: its part in the digest; never reused.
    """

    name: str
    dtype: str
    image: str
    number: int


FIELDS = {
    field.name: field
    for field in (
        Field("material", "uint8", "r8ui", 0),
        Field("mass", "int32", "r32i", 1),
    )
}


def to_texels(name: str, array: np.ndarray, solid: np.ndarray) -> np.ndarray:
    """A field as the device holds it: a solid cell's mass is `SOLID`.

    Args:
        name: of the field.
        array: (height, width), as the host holds it.
        solid: (height, width) bool.
    """
    return np.where(solid, SOLID, array) if name == "mass" else array


def from_texels(name: str, texels: np.ndarray) -> np.ndarray:
    """The same the other way, in place: on the host a solid cell holds no mass."""
    return np.maximum(texels, 0, out=texels) if name == "mass" else texels


def constants() -> str:
    """The same facts as GLSL."""
    return f"const int FULL = {FULL};\nconst int MASS_LIMIT = {MASS_LIMIT};\nconst int SOLID = {SOLID};\n"
