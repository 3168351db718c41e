"""What a cell holds: the fields of a world, their units, and the planes that keep them on the device.

GLSL learns these facts from `constants()`, which becomes ``generated/cell.glsl``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

FULL = 1 << 20
"""Units of mass in one full cell."""

MASS_LIMIT = 1000 * FULL
"""No cell ever holds more: two such masses and a compression still add up within an int32."""

SOLID = -1
"""On the device a mass texel of -1 says that the cell is solid: one load answers both questions."""

VELOCITY_ONE = 16
"""Units of velocity in one cell a tick. Source: seed 004, footnote 12."""

TEMPERATURE_ONE = 8
"""Units of temperature in one degree C."""

TEMPERATURE_LEAST, TEMPERATURE_MOST = -273 * TEMPERATURE_ONE, 4000 * TEMPERATURE_ONE
"""No atom is colder or hotter."""

LATENT_ONE = 64
"""Units of temperature in one of latent heat, of which an atom keeps what it has taken in, or given off, in its age."""

SPEED_LIMIT = 126
"""No component of a velocity is larger, either way: 7.9 cells a tick."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named array of a world, on the host.

    Args:
        name: as in ``world[name]``.
        dtype: NumPy's name of the array's type.
        components: numbers a cell. The shape is (height, width), or (height, width, components) of more than one.
        one, unit: so many make one of what people count in; of two components, x to the right and y down.
        layered: whether it has a layer for each constituent of the world's mixture: (layers, height, width).
    """

    name: str
    dtype: str
    components: int = 1
    one: int = 1
    unit: str = ""
    layered: bool = False

    @property
    def glsl_type(self) -> str:
        """The GLSL type of what one cell holds: ``int``, ``uvec2``."""
        scalar = "int" if np.dtype(self.dtype).kind == "i" else "uint"
        return scalar if self.components == 1 else f"{scalar[0]}vec{self.components}"

    def shape(self, height: int, width: int, layers: int = 1) -> tuple[int, ...]:
        """The array's shape in a world of that size, whose mixture has so many constituents."""
        if self.layered:
            return layers, height, width
        return (height, width) if self.components == 1 else (height, width, self.components)


@dataclass(frozen=True, slots=True)
class Plane:
    """One texture of a world, on the device.

    Args:
        name: as passes name it, and its image in GLSL.
        image: its GLSL image format.
        number: its part in the digest. Two planes share one only if no world has both.
        fields: what lies in it. Several share a 32-bit word, from the lowest bits on.
        word: GLSL's ``<word>_word(...)`` makes a texel of several fields.
    """

    name: str
    image: str
    number: int
    fields: tuple[str, ...]
    word: str = ""

    @property
    def layered(self) -> bool:
        """Whether its texture holds the layers of a mixture, one below the other."""
        return any(FIELDS[name].layered for name in self.fields)

    @property
    def marks_solids(self) -> bool:
        """Whether a texel of it is `SOLID` in a solid cell."""
        return self.name in ("mass", "mixture")

    @property
    def layout(self) -> np.dtype:
        """A word of several fields as a record; where they lie in it, on the host and in GLSL, follows from this."""
        return np.dtype([(name, FIELDS[name].dtype, FIELDS[name].shape(1, 1)[2:]) for name in self.fields])


FIELDS = {
    field.name: field
    for field in (
        Field("material", "uint8"),
        Field("mass", "int32", one=FULL, unit="cells"),
        Field("velocity", "int8", components=2, one=VELOCITY_ONE, unit="cells a tick"),
        Field("grain", "uint8"),
        Field("temperature", "int16", one=TEMPERATURE_ONE, unit="degrees C"),
        Field("integrity", "uint8"),
        Field("age", "uint8"),
        Field("mixture", "int32", one=FULL, unit="cells", layered=True),
    )
}

PLANES = {
    plane.name: plane
    for plane in (
        Plane("material", "r8ui", 0, ("material",)),
        # The number of `material`: a word without velocity and grain is the material's number, and digests as that.
        Plane("cells", "r32ui", 0, ("material", "velocity", "grain"), word="cell"),
        Plane("mass", "r32i", 1, ("mass",)),
        Plane("warmth", "r32ui", 2, ("temperature", "integrity", "age"), word="warmth"),
        Plane("mixture", "r32i", 3, ("mixture",)),
    )
}


def planes_of(fields: Iterable[str]) -> tuple[Plane, ...]:
    """The planes of a world with these fields, in the order of `PLANES`: each lies in the widest that is all there."""
    wanted = set(fields)
    there = [plane for plane in PLANES.values() if wanted.issuperset(plane.fields)]
    return tuple(plane for plane in there if not any(set(plane.fields) < set(other.fields) for other in there))


def pack(plane: Plane, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """The fields of a plane as one number a cell: (height, width), which is what a digest is taken of.

    The layers of a mixture lie one below the other: (layers * height, width).

    Args:
        plane: the plane; of a single field it is that field's own array.
        arrays: the fields of a world by name.
    """
    if len(plane.fields) == 1:
        array = arrays[plane.fields[0]]
        return array.reshape(-1, array.shape[-1]) if plane.layered else array
    words = np.empty(arrays[plane.fields[0]].shape, plane.layout)
    for name in plane.fields:
        words[name] = arrays[name]
    return words.view("<u4")


def unpack(plane: Plane, words: np.ndarray, layers: int = 1) -> dict[str, np.ndarray]:
    """The same the other way: the fields of a plane by name, as views of its words."""
    if len(plane.fields) == 1:
        return {plane.fields[0]: words.reshape(layers, -1, words.shape[-1]) if plane.layered else words}
    records = words.astype("<u4", copy=False).view(plane.layout)
    return {name: records[name] for name in plane.fields}


def to_texels(plane: Plane, arrays: Mapping[str, np.ndarray], solid: np.ndarray) -> np.ndarray:
    """A plane as the device holds it: what a solid cell has of mass, or of a mixture, is `SOLID`.

    Args:
        plane: the plane.
        arrays: the fields of a world by name, as the host holds them.
        solid: (height, width) bool.
    Returns: (height, width) of the plane's format; layers lie one below the other.
    """
    words = pack(plane, arrays)
    if not plane.marks_solids:
        return words
    return np.where(np.tile(solid, (len(words) // max(len(solid), 1), 1)), SOLID, words)


def from_texels(plane: Plane, texels: np.ndarray, layers: int = 1) -> dict[str, np.ndarray]:
    """The same the other way, in place: on the host a solid cell holds neither mass nor mixture."""
    return unpack(plane, np.maximum(texels, 0, out=texels) if plane.marks_solids else texels, layers)


def any_component(name: str, mask: np.ndarray) -> np.ndarray:
    """(height, width) bool: the cells in which any component, or any layer, of a field is marked."""
    if FIELDS[name].layered:
        return np.asarray(mask.any(axis=0))
    return np.asarray(mask.any(axis=2)) if mask.ndim == 3 else mask


def in_cell(name: str, array: np.ndarray, row: int, column: int) -> np.ndarray:
    """What a field holds in one cell: a number, its components, or its layers."""
    return np.asarray(array[:, row, column] if FIELDS[name].layered else array[row, column])


def in_words(value: np.ndarray | np.generic) -> str:
    """The same in words: a number, or all components as ``(x, y)``."""
    plain = value.tolist()
    return str(tuple(plain) if isinstance(plain, list) else plain)


def constants() -> str:
    """The same facts as GLSL, with ``<field>_of(word)`` and ``<word>_word(...)`` for planes of several fields."""
    numbers = {
        "FULL": FULL,
        "MASS_LIMIT": MASS_LIMIT,
        "SOLID": SOLID,
        "VELOCITY_ONE": VELOCITY_ONE,
        "SPEED_LIMIT": SPEED_LIMIT,
        "TEMPERATURE_ONE": TEMPERATURE_ONE,
        "TEMPERATURE_LEAST": TEMPERATURE_LEAST,
        "TEMPERATURE_MOST": TEMPERATURE_MOST,
        "LATENT_ONE": LATENT_ONE,
        "LATENT_SHIFT": LATENT_ONE.bit_length() - 1,
    }
    lines = [f"const int {name} = {number};\n" for name, number in numbers.items()]
    return "".join([*lines, *(_word_glsl(plane) for plane in PLANES.values() if plane.word)])


def _word_glsl(plane: Plane) -> str:
    """``SHIFT_<FIELD>`` and ``MASK_<FIELD>`` of each field in its place, and the functions that take and make words."""
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
    return f"{text}uint {plane.word}_word({', '.join(given)})\n{{\n    return {' | '.join(parts)};\n}}\n"
