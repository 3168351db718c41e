"""Planes as words: fields packed into texels and taken out again, on the host and in GLSL."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.fields import (
    AMOUNT_MASK,
    FIELDS,
    FULL,
    LATENT_ONE,
    MASS_LIMIT,
    PLANES,
    SOLID_BIT,
    SPEED_LIMIT,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    TEMPERATURE_ONE,
    VELOCITY_ONE,
    Plane,
)


def pack(plane: Plane, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Pack the fields of a plane into one word per cell, of which digests are computed.

    Args:
        plane: the plane.
        arrays: the fields of a world by name, each (height, width) or with more axes, of the field's type.
    Returns: (height, width) uint32, or for a plane of one field (height, width) of the field's type: that field's own
        array. The layers of a mixture lie one below the other: (layers * height, width).
    """
    if not plane.packed:
        array = arrays[plane.fields[0]]
        return array.reshape(-1, array.shape[-1]) if plane.layered else array
    words = np.zeros(arrays[plane.fields[0]].shape[:2], plane.layout)
    for name in plane.fields:
        words[name] = arrays[name]
    return words.view("<u4")


def unpack(plane: Plane, words: np.ndarray, layers: int = 1) -> dict[str, np.ndarray]:
    """Unpack the words of a plane; the inverse of `pack`.

    Args:
        plane: the plane.
        words: (layers * height, width), uint32 or the field's type.
        layers: the number of layers of a mixture.
    Returns: the fields of the plane by name, views of ``words``, of the field's type.
    """
    if not plane.packed:
        return {plane.fields[0]: words.reshape(layers, -1, words.shape[-1]) if plane.layered else words}
    records = words.astype("<u4", copy=False).view(plane.layout)
    return {name: records[name] for name in plane.fields}


def to_texels(plane: Plane, arrays: Mapping[str, np.ndarray], solid: np.ndarray) -> np.ndarray:
    """The texels of a plane for the device, with derived bits.

    Args:
        plane: the plane.
        arrays: the fields of a world by name, each (height, width) or with more axes, of the field's type.
        solid: (height, width) bool, the solid cells.
    Returns: (layers * height, width), uint32 or the field's type; layers lie one below the other.
    """
    words = pack(plane, arrays)
    if not plane.marks_solids:
        return words
    marks = np.where(solid, np.int32(-1 << SOLID_BIT), np.int32(0))
    return words | np.tile(marks, (len(words) // max(len(solid), 1), 1))


def from_texels(plane: Plane, texels: np.ndarray, layers: int = 1) -> dict[str, np.ndarray]:
    """The fields of a plane from its texels; the inverse of `to_texels`. Derived bits are cleared, in place.

    Args:
        plane: the plane.
        texels: (layers * height, width), uint32 or the field's type; changed where they have derived bits.
        layers: the number of layers of a mixture.
    Returns: the fields of the plane by name, views of ``texels``, of the field's type.
    """
    return unpack(plane, np.bitwise_and(texels, AMOUNT_MASK, out=texels) if plane.marks_solids else texels, layers)


def any_component(name: str, mask: np.ndarray) -> np.ndarray:
    """(height, width) bool: the cells in which any component, or any layer, of a field is marked."""
    if FIELDS[name].layered:
        return np.asarray(mask.any(axis=0))
    return np.asarray(mask.any(axis=2)) if mask.ndim == 3 else mask


def in_cell(name: str, array: np.ndarray, row: int, column: int) -> np.ndarray:
    """The value of a field in one cell, of the field's type: a number (), its components (n,), or its layers (n,)."""
    return np.asarray(array[:, row, column] if FIELDS[name].layered else array[row, column])


def in_words(value: np.ndarray | np.generic) -> str:
    """A value of `in_cell`, () or (n,) of any integer type, as text: a number, or all components as ``(x, y)``."""
    plain = value.tolist()
    return str(tuple(plain) if isinstance(plain, list) else plain)


def constants() -> str:
    """``generated/cell.glsl``: the constants, and the functions ``<field>_of(word)`` and ``<word>_word(...)``."""
    numbers = {
        "FULL": FULL,
        "MASS_LIMIT": MASS_LIMIT,
        "VELOCITY_ONE": VELOCITY_ONE,
        "SPEED_LIMIT": SPEED_LIMIT,
        "TEMPERATURE_ONE": TEMPERATURE_ONE,
        "TEMPERATURE_LEAST": TEMPERATURE_LEAST,
        "TEMPERATURE_MOST": TEMPERATURE_MOST,
        "LATENT_ONE": LATENT_ONE,
        "LATENT_SHIFT": LATENT_ONE.bit_length() - 1,
    }
    lines = [f"const int {name} = {number};\n" for name, number in numbers.items()]
    lines += [_DERIVED_GLSL.format(bit=1 << SOLID_BIT, mask=AMOUNT_MASK)]
    return "".join([*lines, *(_word_glsl(plane) for plane in PLANES.values() if plane.packed)])


_DERIVED_GLSL = """
const int SOLID_BIT = int({bit}u);
// A texel of a plane with derived bit `solid`: whether the cell is solid, the amount in the cell, and the amount that
// can flow, 0 in solid cells.
bool is_solid_texel(int texel) {{ return texel < 0; }}
int amount_of_texel(int texel) {{ return texel & {mask}; }}
int free_of_texel(int texel) {{ return max(texel, 0); }}
int texel_with(int amount, bool solid) {{ return solid ? amount | SOLID_BIT : amount; }}

"""


def _word_glsl(plane: Plane) -> str:
    """The GLSL of a word: ``SHIFT_<FIELD>`` and ``MASK_<FIELD>`` of each field, and functions to read and make it."""
    text, given, parts, shift = "", [], [], 0
    for name in plane.fields:
        field, dtype = FIELDS[name], np.dtype(FIELDS[name].dtype)
        bits = 8 * dtype.itemsize
        shifts = range(shift, shift + bits * field.components, bits)
        mask = ((1 << bits * field.components) - 1) << shift
        text += f"const int SHIFT_{name.upper()} = {shift};\nconst uint MASK_{name.upper()} = 0x{mask:08X}u;\n"
        shift = shifts.stop
        scalar = "int" if dtype.kind == "i" else "uint"
        kind = field.glsl_type
        # Shifted up and, with the sign, down again: bitfieldExtract is several times as slow on software OpenGL.
        values = ", ".join(f"{scalar}(word << {32 - bits - start}) >> {32 - bits}" for start in shifts)
        text += f"{kind} {name}_of(uint word) {{ return {kind}({values}); }}\n"
        given.append(f"{kind} {name}")
        ones = [name] if field.components == 1 else [f"{name}[{i}]" for i in range(field.components)]
        parts += [f"(uint({one}) & {(1 << bits) - 1}u) << {start}" for one, start in zip(ones, shifts, strict=True)]
    return f"{text}uint {plane.word or plane.name}_word({', '.join(given)})\n{{\n    return {' | '.join(parts)};\n}}\n"
