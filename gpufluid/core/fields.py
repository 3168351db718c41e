"""Declarations of fields, planes and quantities: the arrays of a world, their textures, and what they conserve.

A `Field` declares all properties of an array. Validation, ledgers, counts, statistics, snapshots, scene losses, carried
planes and the GLSL of words follow from the declaration. Rules declare their own fields (`Rule.declares`); the field
``material``, which every world has, is declared here.

The GLSL text ``generated/cell.glsl`` follows from the same declarations (`core.packing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as entry
from enum import Enum
from typing import Literal

import numpy as np

FULL = 1 << 20
"""Units of mass in one full cell."""

MASS_LIMIT = 1000 * FULL
"""Largest mass of a cell, in units. The sum of two such masses and a compression fits in an int32."""

COUNT_LIMIT = 2**63 - 1
"""Largest number of a tick, and largest entry of a ledger: a state keeps both in signed 64 bits."""

SOLID_BIT = 31
"""The bit of a texel, on the device, that marks a solid cell, or another obstacle; see `Laws.obstacles`. So one load
reads the amount and the mark."""

DISPLACED_BIT = 30
"""The bit of a texel, on the device, that marks a cell in which atoms have changed the amount in this tick."""

AMOUNT_MASK = (1 << DISPLACED_BIT) - 1
"""The other bits of such a texel: the value of the field."""

VELOCITY_ONE = 16
"""Units of velocity in one cell a tick. Source: seed 004, footnote 12."""

TEMPERATURE_ONE = 8
"""Units of temperature in one degree C."""

TEMPERATURE_LEAST, TEMPERATURE_MOST = -273 * TEMPERATURE_ONE, 4000 * TEMPERATURE_ONE
"""The lowest and the highest temperature of an atom, in units."""

NOT_SET = -(1 << 15)
"""The temperature, in the array of a world, of a cell for which nobody set one: below every temperature."""

LATENT_ONE = 64
"""Units of temperature in one unit of latent heat. An atom stores its latent heat in field ``age``, in such units."""

WATER_HEAT_ONE = 1024
"""Units of heat that warm a full cell of water by mass, or of any part of a mixture, by one unit of temperature."""

WATER_HEAT_MOST = 1 << 27
"""Largest absolute value of a cell's heat up to which it takes the heat of what flows in, in such units: that of a full
cell some 16,000 degrees warmer than the air."""

WATER_HEAT_LIMIT = (1 << 28) - 1
"""Largest absolute value of the heat of the water, or of the mixture, in a cell, in such units."""

SPEED_LIMIT = 126
"""Largest absolute value of a velocity's component, in units: 7.9 cells a tick."""

TEXEL_BITS = {"r8ui": 8, "r32ui": 32, "r32i": 32}
"""Bits of a texel, by GLSL image format."""

ATOM_PLANE = "cells"
"""The plane whose word is an atom: passes that write it move atoms, and every carried plane with them."""


WATER_PLANE = "mass"
"""The plane of water by mass."""

AMOUNT_PLANES = (WATER_PLANE, "mixture")
"""The planes of water by mass and of the amounts of a mixture. In a world with atoms a cell holds an atom or amounts,
never both: an atom that enters a cell changes places with the amounts there.
"""


class Summary(Enum):
    """The ways in which statistics sum up a field."""

    NONE = "not at all"
    SUM = "the sum over all cells, of a layered field the sum of each layer"
    EXTREMES = "the sum, the least and the largest value over all cells with an atom"


@dataclass(frozen=True, slots=True)
class Measure:
    """A function that computes the amount of a quantity in a cell, for fields whose value is not this amount.

    Args:
        glsl: the name of the GLSL function, ``int <glsl>(uint material, uint word)``; the word is that of the field's
            plane.
        include: the shader file with this function.
        twin: the same function in NumPy. Its arguments are the material table, the material of each cell, (height,
            width) uint8, and the fields of the plane by name. It returns (height, width) int64.
    """

    glsl: str
    include: str
    twin: Callable[..., np.ndarray]


@dataclass(frozen=True, slots=True)
class Following:
    """The effect of a brush that adds to a field of atoms on a field of cells without an atom.

    Args:
        field: the field of atoms.
        glsl: the name of the GLSL function, ``int <glsl>(int amount, int value, int units)``. It computes the value
            afterwards from the units that flow in the cell, water by mass or all parts of a mixture together, the
            value before, and the number that the brush adds.
        include: the shader file with this function.
        twin: the same function in NumPy, of the world's laws, two arrays of whole numbers of one shape, and an int. It
            returns int64 of the same shape.
    """

    field: str
    glsl: str
    include: str
    twin: Callable[..., np.ndarray]


MATTER_ENTRIES = {"emitted": 1, "drained": -1, "left": -1, "made": 1, "used": -1, "painted": 1, "erased": -1}
"""The entries of most ledgers, with their signs: 1 for matter that enters, -1 for matter that leaves."""

PAINTED, ERASED = "painted", "erased"
"""The entries that count edits by hand; no pass counts them. A quantity without them does not count edits."""

GIVEN = "given"
"""The entry that counts what an edit adds to a field of atoms, and to a field that follows it (`Following`), instead of
the two above; no pass counts it. A quantity without it counts such an edit by the two above.
"""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A conserved quantity. Law: the first amount in a world plus the signed entries of the ledger is the amount now.

    Args:
        name: as in ``world.ledgers[name]``.
        about: description with unit.
        entries: the entries of its ledger in order, with their signs: 1 if it enters the world, -1 if it leaves. If
            ``painted`` and ``erased`` are among them, they count what edits by hand put in and take away.
        by: the accounts of its ledger: empty: a single one; one for each material; or one for each layer of a mixture.
            Several accounts have the entries `MATTER_ENTRIES`, which are not signed.
        signed: whether entries may be negative.
        measure: computes the amount in a cell; None: it is the value of the field that conserves the quantity.
        glsl: the last part of the names of the GLSL functions that count it: ``count_<entry><glsl>``.
        attribute: the name of its ledger in a world and in a snapshot; empty: the quantity's name.
        most: the largest amount by which a run of a pass changes an entry, for each cell of the world or of the port
            that it serves. None: 1 if there is an account for each material, else the largest value of the field that
            conserves the quantity; with a measure 2**31.
    """

    name: str
    about: str
    entries: Mapping[str, int] = entry(default_factory=lambda: MATTER_ENTRIES)
    by: Literal["", "material", "layer"] = ""
    signed: bool = False
    measure: Measure | None = None
    glsl: str = ""
    attribute: str = ""
    most: int | None = None

    @property
    def known_as(self) -> str:
        """The name of its ledger in a world, in a snapshot and in messages."""
        return self.attribute or self.name


@dataclass(frozen=True, slots=True)
class Field:
    """A named array of a world.

    Args:
        name: as in ``world[name]``.
        dtype: NumPy's name of the array's type.
        planes: the planes that can hold it; a world has one of them.
        components: numbers a cell. The shape is (height, width), or (height, width, components) if there are several.
        one, unit: ``one`` of the array's units make one ``unit`` for users. If there are two components, the first is
            x to the right and the second y down.
        layered: whether it has a layer for each constituent of the world's mixture: (layers, height, width).
        low, high: the least and the largest value of each component; None: those of the type.
        counted: the name of its units in messages, such as ``units``.
        remark: text that follows its range in messages.
        empty, solid: the required value in a cell without an atom, and in a solid cell; None: any value.
        enclosed: whether solid cells may have any value if a rule of the world makes solids. A cell that becomes solid
            then keeps its value.
        carried: whether it moves with the atom in its cell.
        fresh: computes the value of a new atom from the world's laws, the number of the atom's material, and the wanted
            temperature in degrees C or None. Without this function the value is 0.
        not_set: the value that stands for "not set" in a world's array, outside the range; None: there is none. Cells
            without an atom have it, and atoms for which nobody set a value; see `gpufluid.world.not_set`.
        drawn: whether each atom that a rule moves gets a random byte; see `World.draw_grain`.
        without_atom: whether only cells without an atom have it. In such a cell it fills the whole word of its plane,
            and the other fields of the plane are 0. It moves with the content of the cell.
        new_amount: computes its value in a full cell of new water by mass, or of a new part of a mixture, from the
            world's laws and the wanted temperature in degrees C. The value is 0 without this function, or without a
            wanted temperature.
        follows: how it changes where a brush adds to a field of atoms; None: it stays.
        quantity: the name of the `Quantity` that it conserves; empty: none.
        summary: how statistics sum it up.
        measure: computes the value of a cell that statistics sum up; None: the value of the field.
        describe: yields (name, value with unit) of a cell as text. Its arguments are the world's laws, and the values
            of all fields in the cell by name. Without this function the text is the value of the field with its unit.
        decode: computes the float32 numbers, in ``decoded_unit``, for which an array's whole numbers stand, without
            loss; None: they stand for themselves, see ``one``.
        in_scene: whether a fill in a scene file can set it, by the name of the field.
        loss: the sentence that reports cells whose value a scene cannot keep; ``%s`` stands for the number of cells.
            Empty: no report.
    """

    name: str
    dtype: str
    planes: tuple[str, ...]
    components: int = 1
    one: int = 1
    unit: str = ""
    layered: bool = False
    low: int | None = None
    high: int | None = None
    counted: str = ""
    remark: str = ""
    empty: int | None = None
    solid: int | None = None
    enclosed: bool = False
    carried: bool = False
    fresh: Callable[..., int] | None = None
    not_set: int | None = None
    drawn: bool = False
    without_atom: bool = False
    new_amount: Callable[..., int] | None = None
    follows: Following | None = None
    quantity: str = ""
    summary: Summary = Summary.NONE
    measure: Measure | None = None
    describe: Callable[..., Iterable[tuple[str, str]]] | None = None
    decode: Callable[[np.ndarray], np.ndarray] | None = None
    decoded_unit: str = ""
    in_scene: bool = False
    loss: str = ""

    @property
    def says_what_is_there(self) -> bool:
        """True if it says what is in a cell: its material, or an amount that belongs to the cell and to no atom."""
        return self.name == "material" or (bool(self.quantity) and not self.carried)

    @property
    def bits(self) -> int:
        """Bits of all components of one cell."""
        return 8 * np.dtype(self.dtype).itemsize * self.components

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest value of a component."""
        limits = np.iinfo(self.dtype)
        return (
            int(limits.min) if self.low is None else self.low,
            int(limits.max) if self.high is None else self.high,
        )

    @property
    def glsl_type(self) -> str:
        """The GLSL type of the value of one cell, such as ``int`` or ``uvec2``."""
        scalar = "int" if np.dtype(self.dtype).kind == "i" else "uint"
        return scalar if self.components == 1 else f"{scalar[0]}vec{self.components}"

    def shape(self, height: int, width: int, layers: int = 1) -> tuple[int, ...]:
        """The array's shape in a world of that height and width in cells, with that number of layers in its mixture."""
        if self.layered:
            return layers, height, width
        return (height, width) if self.components == 1 else (height, width, self.components)


@dataclass(frozen=True, slots=True)
class Plane:
    """A texture that holds one or more fields of a world on the device.

    Args:
        name: its name in passes and in GLSL.
        number: its number in digests. Two planes have the same number only if no world has both.
        image: its GLSL image format.
        word: the GLSL function ``<word>_word(...)`` makes a texel from the fields; empty: the plane's name.
        carried: whether it moves with atoms, one word a cell.
        derived: further content of a texel, on the device only. ``solid``: `SOLID_BIT` marks the cells that no
            amount can enter. The host sets this bit in every texel that it writes. If a rule changes which cells these
            are, a pass ``walls`` sets it. `DISPLACED_BIT` of such a texel marks an amount that atoms have changed in
            this tick; passes over atoms set it, and the passes that set `SOLID_BIT` clear it.
        fields: the names of its fields, collected from the declarations of fields. Several fields share a 32-bit word,
            from the lowest bits on, in the order of their declarations.
        instead: the name of the field that fills the word of a cell without an atom, collected likewise; see
            `Field.without_atom`. Empty: none.
    """

    name: str
    number: int
    image: str = "r32ui"
    word: str = ""
    carried: bool = False
    derived: tuple[Literal["solid"], ...] = ()
    fields: tuple[str, ...] = ()
    instead: str = ""

    @property
    def layered(self) -> bool:
        """True if its texture has a layer for each constituent of a mixture."""
        return any(FIELDS[name].layered for name in self.fields)

    @property
    def marks_solids(self) -> bool:
        """True if `SOLID_BIT` of its texels marks solid cells."""
        return "solid" in self.derived

    @property
    def value_mask(self) -> int:
        """The mask of the bits of a texel that are part of the state."""
        return AMOUNT_MASK if self.marks_solids else (1 << TEXEL_BITS[self.image]) - 1

    @property
    def packed(self) -> bool:
        """True if a texel is a word of one or more fields; if not, a texel is the value of the plane's only field."""
        return self.image == "r32ui"

    @property
    def layout(self) -> np.dtype:
        """The NumPy record type of a word: the positions of its fields, on the host and in GLSL."""
        fields = [FIELDS[name] for name in self.fields]
        starts = [sum(field.bits for field in fields[:number]) // 8 for number in range(len(fields))]
        formats = [
            np.dtype((field.dtype, (field.components,))) if field.components > 1 else np.dtype(field.dtype)
            for field in fields
        ]
        return np.dtype({"names": list(self.fields), "formats": formats, "offsets": starts, "itemsize": 4})


class DeclarationError(Exception):
    """Two declarations contradict each other: an error in the declaration of a rule, not in a user's input."""


FIELDS: dict[str, Field] = {}
PLANES: dict[str, Plane] = {}
QUANTITIES: dict[str, Quantity] = {}

Declaration = Field | Plane | Quantity


def declare(*declared: Declaration) -> None:
    """Add declarations of fields, planes and quantities to `FIELDS`, `PLANES` and `QUANTITIES`.

    Raises: DeclarationError: declarations that contradict each other; it names both. Then nothing is added.
    """
    put_back = keep()
    try:
        for each in declared:
            _add(each)
        _compose()
    except DeclarationError:
        put_back()
        raise


def keep() -> Callable[[], None]:
    """A function that restores the present declarations: it removes all that are made later."""
    fields, planes, quantities = dict(FIELDS), dict(PLANES), dict(QUANTITIES)

    def put_back() -> None:
        for table in (FIELDS, PLANES, QUANTITIES):
            table.clear()
        FIELDS.update(fields)
        PLANES.update(planes)
        QUANTITIES.update(quantities)

    return put_back


def _add(each: Declaration) -> None:
    if isinstance(each, Field):
        if each.name in FIELDS:
            raise DeclarationError(f"field {each.name}: is declared twice: {FIELDS[each.name]} and {each}")
        FIELDS[each.name] = each
    elif isinstance(each, Plane):
        if each.name in PLANES:
            raise DeclarationError(f"plane {each.name}: is declared twice: {PLANES[each.name]} and {each}")
        PLANES[each.name] = each
    else:
        if each.name in QUANTITIES:
            raise DeclarationError(f"quantity {each.name}: is declared twice: {QUANTITIES[each.name]} and {each}")
        _check_quantity(each)
        QUANTITIES[each.name] = each


def _check_quantity(quantity: Quantity) -> None:
    """Raise DeclarationError if a quantity has accounts that the ledgers by material or layer cannot hold."""
    accounts = f"quantity {quantity.name}: has one account for each {quantity.by} and"
    if quantity.by and tuple(quantity.entries.items()) != tuple(MATTER_ENTRIES.items()):
        wanted = f"expected the entries of matter, {list(MATTER_ENTRIES)}"
        raise DeclarationError(f"{accounts} entries {list(quantity.entries)}; {wanted}")
    if quantity.by and quantity.signed:
        raise DeclarationError(f"{accounts} is signed; expected a quantity that is not")


def _compose() -> None:
    """Collect the fields of each plane, and check all declarations for contradictions."""
    for each in FIELDS.values():
        _check_values(each)
        for name in each.planes or ("none",):
            if name not in PLANES:
                raise DeclarationError(
                    f"field {each.name}: lies in plane {name}, which no rule declares; there are {sorted(PLANES)}"
                )
        if each.components > 1 and each.summary is not Summary.NONE and each.measure is None:
            raise DeclarationError(f"field {each.name}: is summed up, has {each.components} components and no measure")
        if each.quantity and each.quantity not in QUANTITIES:
            raise DeclarationError(
                f"field {each.name}: conserves quantity {each.quantity}, which no rule declares;"
                f" there are {sorted(QUANTITIES)}"
            )
    for name, plane in PLANES.items():
        there = [field for field in FIELDS.values() if name in field.planes]
        fields = tuple(field.name for field in there if not field.without_atom)
        instead = tuple(field.name for field in there if field.without_atom)
        if len(instead) > 1:
            raise DeclarationError(f"plane {name}: fields {instead} all fill the word of a cell without an atom")
        if (fields, instead) != (plane.fields, (plane.instead,) * bool(plane.instead)):
            PLANES[name] = replace(plane, fields=fields, instead="".join(instead))
    for plane in PLANES.values():
        _check_plane(plane)
    suffixes: dict[str, str] = {}
    for each in QUANTITIES.values():
        other = suffixes.setdefault(each.glsl, each.name)
        if other != each.name:
            raise DeclarationError(
                f"quantities {other} and {each.name}: both end the names of their GLSL functions with {each.glsl!r}"
            )


def _check_values(field: Field) -> None:
    """Raise DeclarationError where a field's type, its range and its values in special cells contradict each other."""
    if np.dtype(field.dtype).kind not in "iu":
        raise DeclarationError(f"field {field.name}: has type {field.dtype}; expected a type of whole numbers")
    low, high = field.range
    if low > high:
        raise DeclarationError(f"field {field.name}: has values from {low} to {high}")
    limits = np.iinfo(field.dtype)
    if low < limits.min or high > limits.max:
        raise DeclarationError(
            f"field {field.name}: has values from {low} to {high},"
            f" but type {field.dtype} has {limits.min} to {limits.max}"
        )
    if field.not_set is not None:
        if low <= field.not_set <= high or not limits.min <= field.not_set <= limits.max:
            raise DeclarationError(
                f"field {field.name}: {field.not_set} means not set; expected a value of type {field.dtype}"
                f" outside of {low} to {high}"
            )
        if field.fresh is None or field.empty is None or field.layered:
            raise DeclarationError(
                f"field {field.name}: has a value that means not set; expected a field of atoms with fresh and empty"
            )
    for cells, value in (("empty", field.empty), ("solid", field.solid)):
        if value is not None and not low <= value <= high:
            raise DeclarationError(
                f"field {field.name}: is {value} in {cells} cells, but has values from {low} to {high}"
            )


def _check_plane(plane: Plane) -> None:
    """Raise DeclarationError where a plane and the fields in it contradict each other."""
    fields = [FIELDS[name] for name in plane.fields]
    if not fields:
        raise DeclarationError(f"plane {plane.name}: is declared, but no field lies in it")
    bits, room = sum(field.bits for field in fields), TEXEL_BITS[plane.image]
    if bits > room:
        shares = ", ".join(f"{field.name} {field.bits}" for field in fields)
        raise DeclarationError(f"plane {plane.name}: has {room} bits, its fields have {bits}: {shares}")
    for field in fields:
        alone = [PLANES[other] for other in field.planes]
        if field.carried != plane.carried and not any(other.carried == field.carried for other in alone):
            moves = "is carried by atoms" if field.carried else "is not carried"
            stays = "is carried" if plane.carried else "is not"
            raise DeclarationError(f"field {field.name}: {moves}, but plane {plane.name}, in which it lies, {stays}")
    if plane.packed and plane.name in plane.fields:
        raise DeclarationError(f"plane {plane.name}: is a word of fields, and one of them has its name")
    if plane.instead:
        _check_instead(plane, FIELDS[plane.instead], fields)
    if plane.carried and not plane.packed:
        raise DeclarationError(f"plane {plane.name}: is carried, but is {plane.image} and not a word, r32ui")
    for field in fields if plane.derived else ():
        if field.low is None or field.low < 0 or field.range[1] > AMOUNT_MASK:
            raise DeclarationError(
                f"plane {plane.name}: bit {SOLID_BIT} is derived, but field {field.name} has values"
                f" from {field.range[0]} to {field.range[1]}"
            )
    for other in PLANES.values():
        alike = other.name != plane.name and other.number == plane.number
        if alike and not (set(other.fields) <= set(plane.fields) or set(plane.fields) <= set(other.fields)):
            raise DeclarationError(f"planes {plane.name} and {other.name}: both have number {plane.number} in digests")


def _check_instead(plane: Plane, instead: Field, fields: Iterable[Field]) -> None:
    """Raise DeclarationError where a field cannot fill the word of a cell without an atom in place of others."""
    if not plane.packed or not plane.carried or instead.bits != TEXEL_BITS[plane.image]:
        raise DeclarationError(
            f"field {instead.name}: fills the word of a cell without an atom, {TEXEL_BITS[plane.image]} bits that atoms"
            f" carry, but has {instead.bits} bits in plane {plane.name}"
        )
    for field in fields:
        if field.empty != 0:
            raise DeclarationError(
                f"fields {field.name} and {instead.name}: share a word in cells without an atom; expected {field.name}"
                f" to be 0 there, not {field.empty}"
            )


def carried_planes(names: Iterable[str] | None = None) -> tuple[str, ...]:
    """The names of the planes that move with atoms, without `ATOM_PLANE`.

    Args:
        names: the names of the planes of a world; None: all declared planes.
    """
    wanted = PLANES if names is None else set(names)
    return tuple(name for name, plane in PLANES.items() if plane.carried and name != ATOM_PLANE and name in wanted)


declare(
    Plane("material", 0, "r8ui"),
    # It has the number of plane `material`, because a word without velocity and grain is the material's number.
    Plane(ATOM_PLANE, 0, word="cell", carried=True),
    Field("material", "uint8", ("material", ATOM_PLANE), carried=True),
)


def planes_of(fields: Iterable[str]) -> tuple[Plane, ...]:
    """The planes of a world with these fields, in the order of `PLANES`.

    A plane is used only if the world has all its fields; of the planes that can hold a field, the one with most fields.
    """
    wanted = set(fields)
    there = [plane for plane in PLANES.values() if plane.fields and wanted.issuperset(plane.fields)]
    return tuple(plane for plane in there if not any(set(plane.fields) < set(other.fields) for other in there))


def vector_in_words(right: float, down: float, unit: str) -> str:
    """A vector with directions and its unit, such as ``0.25 left, 1.5 down, cells a tick``; ``0 cells a tick``."""
    sides = ((right, "left", "right"), (down, "up", "down"))
    words = [f"{abs(part):.3g} {back if part < 0 else ahead}" for part, back, ahead in sides if part]
    return ", ".join([*words, unit]) if words else f"0 {unit}"
