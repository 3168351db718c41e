"""The GLSL of edits by a brush, generated from the declarations of a world's fields and planes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import AMOUNT_PLANES, ERASED, FIELDS, GIVEN, PAINTED, QUANTITIES, Field, Plane, Quantity
from gpufluid.gpu.ledger import added_glsl
from gpufluid.scene.matter import amount_fields
from gpufluid.scene.strokes import CHOSEN, Adding, drawn_fields
from gpufluid.world import World

CELLS_EACH = 8
"""Adjacent cells of a run that one invocation works on, so that it adds to the ledgers once for all of them."""

COPIED_TILE = 16
"""Cells a side of a tile that is copied for undo."""


@dataclass(frozen=True, slots=True)
class Member:
    """A texel of a cell as the shaders of edits hold it.

    Args:
        plane: its plane.
        layer: its layer in the plane; None: the plane has no layers.
        count: the number of the plane's layers.
    """

    plane: Plane
    layer: int | None = None
    count: int = 1

    @property
    def kind(self) -> str:
        """Its GLSL type."""
        return "int" if self.plane.image == "r32i" else "uint"

    @property
    def of_cell(self) -> str:
        """The GLSL expression for it in a ``Cell`` named ``cell``."""
        return f"cell.{self.plane.name}" + ("" if self.layer is None else f"[{self.layer}]")

    @property
    def place(self) -> str:
        """The position in the images of the plane, as arguments of its accessors."""
        return "at" if self.layer is None else f"at, {self.layer}"


def members_of(world: World) -> list[Member]:
    """The texels of a cell, in the order in which samples and copies hold them."""
    layers = len(world.mixture)
    return [
        Member(plane, layer, layers if plane.layered else 1)
        for plane in world.planes
        for layer in (range(layers) if plane.layered else (None,))
    ]


def kept_after(world: World) -> list[Member]:
    """The texels that are copied of a cell after an edit: those that say what is in the cell."""
    return [each for each in members_of(world) if any(FIELDS[name].says_what_is_there for name in each.plane.fields)]


def slot_words(world: World) -> int:
    """Words of the copies of one tile: a moment for each cell, the texels before the edit, those of `kept_after`."""
    return COPIED_TILE**2 * (1 + len(members_of(world)) + len(kept_after(world)))


_OF_EACH_STROKE = (
    ("int", "run_count", "the number of runs of cells"),
    ("int", "first_run", "the place of the first run in edit[]: row, first column, column after the last"),
    ("uint", "share", "the chance of each cell, in units of 2**-32"),
    ("bool", "all_chosen", "whether all cells are chosen, whatever the chance"),
    ("uint", "choice", "the number of the draw"),
    ("int", "origin_x", "the column of the world's first cell in the whole world"),
    ("int", "origin_y", "its row there"),
)
_OF_LAYING = (
    ("int", "first_texel", "the place of the laid cell in edit[], a texel a word"),
    ("int", "material", "the number of the material"),
    ("int", "amount_number", "among the amounts of the world; -1: the material is none"),
    ("int", "amount", "that is laid of it, in units of mass"),
    ("int", "replaced", "the number of the material on which alone it is laid; -1: on all"),
    ("int", "replaced_amount", "its number among the amounts; -1: it is none"),
    ("bool", "only_new", "whether cells stay that hold enough of the material already"),
    ("bool", "mixes", "whether an amount is mixed with what is in the cell"),
    ("int", "warmer", "the heat of a full cell of the laid amount, beyond that of water as warm as the air"),
    ("bool", "spares_walls", "whether anchored solids stay"),
    ("bool", "draws", "whether each atom gets random bytes"),
    ("uint", "serial", "the number of these bytes"),
)
_OF_ADDING = (("int", "units", "the number that is added"),)


def parameters_of(added: str | None) -> tuple[tuple[str, str, str], ...]:
    """The parameters of a stroke in its shader: GLSL type, name and description of each.

    Args:
        added: the field to which a brush adds; None: it lays a material.
    """
    return (*_OF_EACH_STROKE, *(_OF_LAYING if added is None else _OF_ADDING))


_EDIT_BUFFER = """
// The laid cells, the runs of cells and the slots of tiles; in a batch the parameters of each world precede them.
layout(std430, binding = 1) readonly buffer EditBuffer { int edit[]; };
"""


def stroke_glsl(added: str | None = None, batched: bool = False) -> str:
    """``generated/stroke.glsl``: ``size`` of the world, and the parameters of its stroke.

    They are uniforms. In programs for a batch each world has a stroke of its own: the parameters are variables, read
    from the world's record in ``edit[]``, in the order of `parameters_of`.

    Args:
        added: as for `parameters_of`.
        batched: whether the program is for a batch.
    """
    parameters = parameters_of(added)
    if not batched:
        listed = "".join(f"uniform {kind} {name}; // {about}\n" for kind, name, about in parameters)
        return f"uniform ivec2 size;\n{listed}{_EDIT_BUFFER}"
    text = f'#include "generated/tick.glsl"\n{_EDIT_BUFFER}'
    for number, (kind, name, about) in enumerate(parameters):
        text += f"{kind} {name} = {kind}(edit[{len(parameters)} * batch_world + {number}]); // {about}\n"
    return text


def edit_glsl(world: World, added: str | None = None, batched: bool = False) -> str:
    """``generated/edit.glsl``: cells, what is counted of a change, buffers, and the laws that a brush needs.

    Args:
        world: a world with the laws.
        added: the field to which a brush adds; None: it lays a material.
        batched: whether the program is for a batch.
    """
    numbers = {"CELLS_EACH": CELLS_EACH, "COPIED_TILE": COPIED_TILE, "SLOT_WORDS": slot_words(world)}
    return "".join([
        *(f'#include "{name}.glsl"\n' for name in ("generated/cell", "generated/materials", "lib/hash", "lib/wide")),
        *(f"const int {name} = {number};\n" for name, number in numbers.items()),
        f"const uint CHOSEN = {CHOSEN}u;\n",
        _BUFFERS,
        cells_glsl(world),
        _copies(world),
        _counting(world, added, batched),
        _laying(world, batched) if added is None else _adding(FIELDS[added], world),
    ])  # fmt: skip


_BUFFERS = """
layout(std430, binding = 2) buffer CopiesBuffer { uint copies[]; };
layout(std430, binding = 3) buffer FoundBuffer
{
    uint written; // 1 if a cell was written
    uint spared;  // the complement of the lowest material that was spared; 0: none
};
"""


def cells_glsl(world: World) -> str:
    """``struct Cell`` with a member a plane, and the functions that load it, store it and look into it."""
    kinds = [(plane, "int" if plane.image == "r32i" else "uint") for plane in world.planes]
    sides = {plane.name: f"[{len(world.mixture)}]" if plane.layered else "" for plane in world.planes}
    text = "\nstruct Cell {\n" + "".join(f"    {kind} {plane.name}{sides[plane.name]};\n" for plane, kind in kinds)
    text += "};\n\nCell load_cell(ivec2 at)\n{\n    Cell cell;\n"
    for each in members_of(world):
        name = each.plane.name
        loaded = f"amount_of_texel(load_{name}_texel({each.place}))" if each.plane.marks_solids else None
        text += f"    {each.of_cell} = {loaded or f'load_{name}({each.place})'};\n"
    text += "    return cell;\n}\n\n"
    materials = next(plane for plane in world.planes if "material" in plane.fields)
    found = f"material_of(cell.{materials.name})" if materials.packed else f"cell.{materials.name}"
    text += f"uint material_in(Cell cell) {{ return {found}; }}\n\n"
    numbers = np.arange(256, dtype=np.uint8)
    numbers[len(world.materials) :] = 0
    text += _bits("OBSTACLE", world.laws.obstacles(numbers)) + "bool is_obstacle(uint number) "
    text += "{ return (OBSTACLE[number >> 5] >> (number & 31u) & 1u) != 0u; }\n\n"
    text += "void store_cell(ivec2 at, Cell cell)\n{\n"
    if any(plane.marks_solids for plane in world.planes):
        text += "    bool solid = is_obstacle(material_in(cell));\n"
    for each in members_of(world):
        name, marks = each.plane.name, each.plane.marks_solids
        value = f"texel_with({each.of_cell}, solid)" if marks else each.of_cell
        text += f"    store_{name}{'_texel' * marks}({each.place}, {value});\n"
    return text + "}\n"


def _bits(name: str, marked: np.ndarray) -> str:
    """A table with one bit for each of 256 materials; ``marked`` is (256,) bool."""
    words = ", ".join(f"{word}u" for word in np.packbits(marked, bitorder="little").view("<u4").tolist())
    return f"const uint {name}[8] = uint[]({words}); // one bit a material\n"


def _copies(world: World) -> str:
    """Functions that copy the texels of a cell; see ``shaders/edit/written.glsl``."""
    text, part = "", 1
    for verb, members in (("before", members_of(world)), ("after", kept_after(world))):
        text += f"\nvoid copy_{verb}(int place, Cell cell)\n{{\n"
        for each in members:
            text += f"    copies[place + {part * COPIED_TILE**2}] = uint({each.of_cell});\n"
            part += 1
        text += "}\n"
    return text


@dataclass(frozen=True, slots=True)
class _Counted:
    """An amount of a cell that a ledger counts.

    Args:
        quantity: the quantity.
        amount: the GLSL expression for the amount in a ``Cell`` named ``cell``.
        layer: the layer whose account counts it; None: the quantity has one account.
        name: a name for it, unique in a world.
    """

    quantity: Quantity
    amount: str
    layer: int | None
    name: str


def _counted(world: World) -> Iterator[_Counted]:
    """The amounts that ledgers count of an edit, except atoms of materials; counts as `world.edits.edited` does."""
    members = {each.plane.name: each for each in members_of(world)}
    for quantity in QUANTITIES.values():
        fields = [name for name in world.fields if FIELDS[name].quantity == quantity.name]
        if quantity.by == "material" or not fields or not {PAINTED, ERASED} <= quantity.entries.keys():
            continue
        planes = [next(plane for plane in world.planes if name in (*plane.fields, plane.instead)) for name in fields]
        if quantity.by == "layer":
            for layer in range(members[planes[0].name].count):
                yield _Counted(quantity, f"cell.{planes[0].name}[{layer}]", layer, f"{quantity.name}_{layer}")
        elif quantity.measure is not None:
            measured = f"{quantity.measure.glsl}(material_in(cell), cell.{planes[0].name})"
            if planes[0].instead in world.fields:
                measured = f"material_in(cell) == 0u ? 0 : {measured}"
            yield _Counted(quantity, measured, None, quantity.name)
        else:
            for name, plane in zip(fields, planes, strict=True):
                amount = f"int({name}_of(cell.{plane.name}))" if plane.packed else f"int(cell.{plane.name})"
                if name == plane.instead:
                    amount = f"material_in(cell) == 0u ? int(cell.{plane.name}) : 0"
                yield _Counted(quantity, amount, None, f"{quantity.name}_{name}")


def _counting(world: World, added: str | None, batched: bool) -> str:
    """``count_change(before, after)`` of a cell, and ``add_counts()``, which adds to the ledgers once at the end.

    Gains are counted as painted and losses as erased. What is added to a field is counted as given, if its quantity has
    such an entry.
    """
    given = set()
    if added is not None:
        given = {FIELDS[added].quantity, *(field.quantity for field in Adding(added, 0).followers(world))}
    counted = list(_counted(world))
    measures = dict.fromkeys(each.quantity.measure.include for each in counted if each.quantity.measure)
    atoms = [each for each in QUANTITIES.values() if each.by == "material" and {PAINTED, ERASED} <= each.entries.keys()]
    text = "".join(f'#include "{include}"\n' for include in measures) + added_glsl((PAINTED, ERASED, GIVEN), batched)
    for each in counted:
        text += f"\nint amount_{each.name}(Cell cell) {{ return {each.amount}; }}\n"
        text += f"uvec2 gained_{each.name} = uvec2(0), lost_{each.name} = uvec2(0);\n"
    text += "".join(_ATOMS.format(name=each.name, glsl=each.glsl) for each in atoms)
    text += "\nvoid count_change(Cell before, Cell after)\n{\n"
    text += "".join(f"    count_{each.name}(material_in(before), material_in(after));\n" for each in atoms)
    text += "    int change;\n" if counted else ""
    for each in counted:
        text += f"    change = amount_{each.name}(after) - amount_{each.name}(before);\n"
        text += f"    gained_{each.name} = add64(gained_{each.name}, wide(max(change, 0)));\n"
        text += f"    lost_{each.name} = add64(lost_{each.name}, wide(max(-change, 0)));\n"
    text += "}\n\nvoid add_counts()\n{\n" + "".join(f"    add_{each.name}();\n" for each in atoms)
    for each in counted:
        suffix, layer = each.quantity.glsl, "" if each.layer is None else f"{each.layer}, "
        gained, lost = f"gained_{each.name}", f"lost_{each.name}"
        if each.quantity.name in given and GIVEN in each.quantity.entries:
            change = f"add64({gained}, add64(~{lost}, uvec2(1u, 0u)))"
            text += f"    if ({gained} != {lost})\n        add_{GIVEN}{suffix}({layer}{change});\n"
            continue
        for entry, total in ((PAINTED, gained), (ERASED, lost)):
            text += f"    if ({total} != uvec2(0))\n        add_{entry}{suffix}({layer}{total});\n"
    return text + "}\n"


_ATOMS = """
// Adjacent cells often gain and lose the same material: it is added when another one follows.
uint {name}_gained = 0u, {name}_lost = 0u, {name}_from = 0u, {name}_to = 0u;

void add_{name}()
{{
    if ({name}_gained != 0u && {name}_to != 0u)
        add_painted{glsl}({name}_to, {name}_gained);
    if ({name}_lost != 0u && {name}_from != 0u)
        add_erased{glsl}({name}_from, {name}_lost);
    {name}_gained = {name}_lost = 0u;
}}

void count_{name}(uint from, uint to)
{{
    if (from == to)
        return;
    if (from != {name}_from || to != {name}_to)
        add_{name}();
    {name}_from = from;
    {name}_to = to;
    {name}_gained++;
    {name}_lost++;
}}
"""


def _laying(world: World, batched: bool) -> str:
    """The laws of ``shaders/edit/brush.comp``: the sample, random bytes, amounts, and anchored solids."""
    text = "\nCell load_sample()\n{\n    Cell cell;\n"
    for number, each in enumerate(members_of(world)):
        text += f"    {each.of_cell} = {each.kind}(edit[first_texel + {number}]);\n"
    text += "    return cell;\n}\n\nvoid draw_bytes(inout Cell cell, ivec2 at, uint serial)\n{\n"
    for name, number in drawn_fields(world):
        seed = f"domain_seed ^ {number}u" if batched else f"{world.seed ^ number}u"
        plane = next(plane for plane in world.planes if name in plane.fields)
        drawn = f"pcg4d(uvec4(at, serial, {seed})).x >> 24 << SHIFT_{name.upper()}"
        text += f"    cell.{plane.name} |= {drawn};\n"
    text += "}\n\n" + _bits("ANCHORED", world.materials.column("anchored")[:256] > 0)
    text += "bool is_anchored(uint number) { return (ANCHORED[number >> 5] >> (number & 31u) & 1u) != 0u; }\n"
    text += amounts_glsl(world)
    heated = [each for name in world.new_amount() for each in world.planes if each.instead == name]
    if not heated:
        return text + _MIXING_WITHOUT_HEAT
    return text + _MIXING_HEAT.format(count=len(amount_fields(world)), own=heated[0].name)


def amount_numbers(world: World) -> dict[str, int]:
    """Numbers from 0 for the materials that a rule stores as amounts, by name."""
    return {name: number for number, name in enumerate(amount_fields(world))}


def amounts_glsl(world: World) -> str:
    """Functions that read and write an amount of a cell by its number, as `amount_numbers` counts them."""
    members = {(each.plane.fields[0], each.layer): each for each in members_of(world)}
    layered = {name: FIELDS[field].layered for name, field in amount_fields(world).items()}
    places = [
        members[field, world.mixture[name] if layered[name] else None].of_cell
        for name, field in amount_fields(world).items()
    ]
    cases = "".join(f"    case {number}: return {place};\n" for number, place in enumerate(places))
    text = "\nint amount_in(Cell cell, int number)\n"
    text += f"{{\n    switch (number) {{\n{cases}    default: return 0;\n    }}\n}}\n"
    cases = "".join(f"    case {number}: {place} = units; break;\n" for number, place in enumerate(places))
    text += "\nvoid set_amount(inout Cell cell, int number, int units)\n"
    text += f"{{\n    switch (number) {{\n{cases}    default: break;\n    }}\n}}\n"
    holds = " || ".join(f"{place} != 0" for place in places) or "false"
    text += f"\nbool has_amounts(Cell cell) {{ return {holds}; }}\n"
    shared = [number for number, name in enumerate(layered) if layered[name] and world.exclusive]
    test = " || ".join(f"number == {number}" for number in shared) or "false"
    return text + _MIXING.format(test=test, count=len(places))


_MIXING = """
// Tests if an amount shares the room of a cell with the others.
bool shares_room(int number) {{ return {test}; }}

// part * room / whole, rounded down; 0 <= part, room <= whole <= FULL. The product has more than 32 bits.
int share_of(int part, int room, int whole)
{{
    uint high, low, found = 0u;
    umulExtended(uint(part), uint(room), high, low);
    uint rest = 0u;
    for (int bit = 63; bit >= 0; bit--) {{
        rest = rest << 1 | ((bit > 31 ? high >> (bit - 32) : low >> bit) & 1u);
        found <<= 1;
        if (rest >= uint(whole)) {{
            rest -= uint(whole);
            found |= 1u;
        }}
    }}
    return int(found);
}}

// Reduce all amounts but one by the same factor, so that they fit in a room.
void limit_others(inout Cell cell, int number, int room)
{{
    int others = 0;
    for (int other = 0; other < {count}; other++)
        others += other == number ? 0 : amount_in(cell, other);
    if (others <= room)
        return;
    for (int other = 0; other < {count}; other++)
        if (other != number)
            set_amount(cell, other, share_of(amount_in(cell, other), room, others));
}}
"""


_MIXING_WITHOUT_HEAT = """
void mix_heat(Cell before, inout Cell after, int full) { }
"""

_MIXING_HEAT = """
#include "lib/heat_shares.glsl"

// Give a cell the heat of its amounts after a change of these; `full` is the heat of a full cell of what is added.
// Twin: gpufluid/core/heat_shares.py.
void mix_heat(Cell before, inout Cell after, int full)
{{
    int mass = 0, removed = 0, added = 0, heat = int(before.{own});
    for (int number = 0; number < {count}; number++) {{
        int was = amount_in(before, number), now = amount_in(after, number);
        mass += was;
        removed += max(was - now, 0);
        added += max(now - was, 0);
    }}
    heat -= removed > 0 ? heat_along(heat, mass, removed) : 0;
    after.{own} = uint(heat_with_new(heat, added, full));
}}
"""


def _adding(field: Field, world: World) -> str:
    """The GLSL of the field to which ``shaders/edit/add.comp`` adds: its range, the materials that take it, access."""
    plane = next(plane for plane in world.planes if field.name in plane.fields)
    low, high = field.range
    own = f"cell.{plane.name}"
    value, stored = own, "value"
    if plane.packed:
        name = field.name.upper()
        value = f"int({field.name}_of({own}))"
        stored = f"({own} & ~MASK_{name}) | (uint(value) << SHIFT_{name} & MASK_{name})"
    return (
        f"\nconst int ADDED_LEAST = {low};\nconst int ADDED_MOST = {high};\n\n"
        + _bits("TAKER", Adding(field.name, 0).takers(world))
        + "bool is_taker(uint number) { return (TAKER[number >> 5] >> (number & 31u) & 1u) != 0u; }\n"
        + f"int added_in(Cell cell) {{ return {value}; }}\n\n"
        f"void set_added(inout Cell cell, int value) {{ {own} = {stored}; }}\n" + _following(field, world)
    )


def _following(field: Field, world: World) -> str:
    """``follow(cell)``: change the fields that follow ``field``, see `Following`; returns true if one has changed."""
    followers = Adding(field.name, 0).followers(world)
    amount = " + ".join(each.of_cell for each in members_of(world) if each.plane.name in AMOUNT_PLANES)
    includes = dict.fromkeys(each.follows.include for each in followers if each.follows is not None)
    text = "".join(f'#include "{include}"\n' for include in includes)
    text += "\nbool follow(inout Cell cell)\n{\n    bool changed = false;\n"
    for each in followers:
        assert each.follows is not None
        plane = next(plane for plane in world.planes if each.name in (*plane.fields, plane.instead))
        text += f"    int {each.name} = {each.follows.glsl}({amount}, int(cell.{plane.name}), units);\n"
        kind = "uint" if plane.packed else "int"
        text += f"    changed = changed || {each.name} != int(cell.{plane.name});\n"
        text += f"    cell.{plane.name} = {kind}({each.name});\n"
    return text + "    return changed;\n}\n"
