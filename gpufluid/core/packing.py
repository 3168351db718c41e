"""Conversion between the fields of a world and the texels of its planes, on the host and in GLSL.

A *word* is a texel that holds several fields, or one field, in 32 bits (`Plane.packed`). A texel of another plane is
the value of the plane's only field.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpufluid.core.fields import (
    AMOUNT_MASK,
    DISPLACED_BIT,
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
    WATER_HEAT_LIMIT,
    WATER_HEAT_MOST,
    WATER_HEAT_ONE,
    Plane,
)


def pack(plane: Plane, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Pack the fields of a plane into one word per cell. Digests are computed from the result.

    Args:
        plane: the plane.
        arrays: the fields of a world by name, each (height, width) or with more axes, of the field's type.
    Returns: (height, width) uint32. For a plane that is not packed: a view of its only field, (height, width) of the
        field's type, or (layers * height, width) with the layers of a mixture one below the other.
    """
    if not plane.packed:
        array = arrays[plane.fields[0]]
        return array.reshape(-1, array.shape[-1]) if plane.layered else array
    words = np.zeros(arrays[plane.fields[0]].shape[:2], plane.layout)
    for name in plane.fields:
        words[name] = arrays[name]
    whole = words.view("<u4")
    if plane.instead in arrays:
        whole |= arrays[plane.instead].astype("<i4", copy=False).view("<u4")  # of each cell, one of the two is 0
    return whole


def unpack(plane: Plane, words: np.ndarray, layers: int = 1) -> dict[str, np.ndarray]:
    """Unpack the words of a plane; the inverse of `pack`, except for `Plane.instead`, which `separate` unpacks.

    Args:
        plane: the plane.
        words: (layers * height, width), uint32 or the field's type.
        layers: the number of layers; 1 for a plane without layers.
    Returns: the fields of the plane by name, each (height, width) or with more axes: views of ``words``, of the field's
        type.
    """
    if not plane.packed:
        return {plane.fields[0]: words.reshape(layers, -1, words.shape[-1]) if plane.layered else words}
    records = words.astype("<u4", copy=False).view(plane.layout)
    return {name: records[name] for name in plane.fields}


def separate(plane: Plane, words: np.ndarray, atoms: np.ndarray) -> dict[str, np.ndarray]:
    """Unpack the words of a plane whose cells without an atom hold another field; see `Field.without_atom`.

    Args:
        plane: the plane, which has such a field.
        words: (height, width) uint32.
        atoms: (height, width) bool, the cells with an atom.
    Returns: the fields of the plane by name, `Plane.instead` too: new arrays, each (height, width) or with more axes,
        of the field's type.
    """
    words = words.astype("<u4", copy=False)
    found = {name: np.array(array) for name, array in unpack(plane, np.where(atoms, words, 0).astype("<u4")).items()}
    return found | {plane.instead: np.where(atoms, np.uint32(0), words).view("<i4")}


def to_texels(plane: Plane, arrays: Mapping[str, np.ndarray], solid: np.ndarray) -> np.ndarray:
    """The texels of a plane for the device: as `pack`; a plane that marks solids also has `SOLID_BIT` in solid cells.

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
    """The fields of a plane from its texels; the inverse of `to_texels`.

    Args:
        plane: the plane.
        texels: (layers * height, width), uint32 or the field's type. If the plane marks solids, the marks are
            cleared in this array.
        layers: the number of layers; 1 for a plane without layers.
    Returns: the fields of the plane by name, each (height, width) or with more axes: views of ``texels``, of the
        field's type.
    """
    if plane.marks_solids:
        texels &= AMOUNT_MASK
    return unpack(plane, texels, layers)


def any_component(name: str, mask: np.ndarray) -> np.ndarray:
    """The cells in which any component, or any layer, of a field is marked.

    Args:
        name: the name of the field.
        mask: the marks, bool, in the shape of the field: (height, width) or with more axes.
    Returns: (height, width) bool.
    """
    if FIELDS[name].layered:
        return np.asarray(mask.any(axis=0))
    return np.asarray(mask.any(axis=2)) if mask.ndim == 3 else mask


def cell_value(name: str, array: np.ndarray, row: int, column: int) -> np.ndarray:
    """The value of a field in one cell.

    Args:
        name: the name of the field.
        array: the field, (height, width) or with more axes, of the field's type.
        row, column: the cell.
    Returns: of the field's type: (), or (n,) for a field of n components or layers.
    """
    return np.asarray(array[:, row, column] if FIELDS[name].layered else array[row, column])


def value_text(value: np.ndarray | np.generic) -> str:
    """A value as text: ``5`` for one number, ``(3, -2)`` for several; ``value`` is () or (n,) of any integer type."""
    plain = value.tolist()
    return str(tuple(plain) if isinstance(plain, list) else plain)


def cell_glsl() -> str:
    """The text of ``generated/cell.glsl``: constants, and functions ``<field>_of(word)`` and ``<word>_word(...)``."""
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
        "WATER_HEAT_ONE": WATER_HEAT_ONE,
        "WATER_HEAT_MOST": WATER_HEAT_MOST,
        "WATER_HEAT_LIMIT": WATER_HEAT_LIMIT,
    }
    lines = [f"const int {name} = {number};\n" for name, number in numbers.items()]
    lines += [_DERIVED_GLSL.format(bit=1 << SOLID_BIT, displaced=1 << DISPLACED_BIT, mask=AMOUNT_MASK)]
    return "".join([*lines, *(_word_glsl(plane) for plane in PLANES.values() if plane.packed)])


_DERIVED_GLSL = """
const int SOLID_BIT = int({bit}u);
const int DISPLACED_BIT = {displaced};
// The parts of a texel in a plane that marks solid cells: whether the cell is solid; the amount in the cell; the amount
// that can flow, which is 0 in solid cells. texel_with makes such a texel.
bool is_solid_texel(int texel) {{ return texel < 0; }}
int amount_of_texel(int texel) {{ return texel & {mask}; }}
int free_of_texel(int texel) {{ return is_solid_texel(texel) ? 0 : amount_of_texel(texel); }}
int texel_with(int amount, bool solid) {{ return solid ? amount | SOLID_BIT : amount; }}
// Tests if atoms have changed the amount of a texel; and the texel after they bring another amount to its cell.
bool is_displaced_texel(int texel) {{ return (texel & DISPLACED_BIT) != 0; }}
int displaced_texel(int texel, int amount)
{{
    return amount == amount_of_texel(texel) ? texel : amount | (texel & SOLID_BIT) | DISPLACED_BIT;
}}

"""


def _word_glsl(plane: Plane) -> str:
    """The GLSL of a word: ``SHIFT_<FIELD>`` and ``MASK_<FIELD>`` of each field, and functions to read and make it."""
    text, arguments, parts, shift = "", [], [], 0
    for name in plane.fields:
        field, dtype = FIELDS[name], np.dtype(FIELDS[name].dtype)
        bits = 8 * dtype.itemsize
        shifts = range(shift, shift + bits * field.components, bits)
        mask = ((1 << bits * field.components) - 1) << shift
        text += f"const int SHIFT_{name.upper()} = {shift};\nconst uint MASK_{name.upper()} = 0x{mask:08X}u;\n"
        shift = shifts.stop
        scalar = "int" if dtype.kind == "i" else "uint"
        kind = field.glsl_type
        # Two shifts extract the bits, and extend the sign of an int: bitfieldExtract is several times as slow on
        # software OpenGL.
        values = ", ".join(f"{scalar}(word << {32 - bits - start}) >> {32 - bits}" for start in shifts)
        text += f"{kind} {name}_of(uint word) {{ return {kind}({values}); }}\n"
        arguments.append(f"{kind} {name}")
        components = [name] if field.components == 1 else [f"{name}[{i}]" for i in range(field.components)]
        low = (1 << bits) - 1
        parts += [f"(uint({part}) & {low}u) << {start}" for part, start in zip(components, shifts, strict=True)]
    head = f"uint {plane.word or plane.name}_word({', '.join(arguments)})"
    return f"{text}{head}\n{{\n    return {' | '.join(parts)};\n}}\n"
