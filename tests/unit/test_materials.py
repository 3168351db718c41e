"""The material table: names, numbers and integer properties; the numbers of shipped materials never change."""

from __future__ import annotations

import re
from dataclasses import asdict, replace

import numpy as np
import pytest

import gpufluid
from gpufluid.core.errors import UsageError
from gpufluid.gpu import generated
from gpufluid.matter.materials import (
    COLUMNS,
    LIMIT,
    PROPERTIES,
    RECORDS,
    SHIPPED,
    Material,
    MaterialTable,
    State,
    colour_of,
)

NUMBERS = """\
empty, wall, stone, water, wood, sand, gravel, snow, mud, salt water, oil, lava, mercury, acid, steam, smoke, methane,
fire, rubber, ice, glass, metal, molten metal, molten glass, ember, burning oil, charcoal, ash, salt, gunpowder, blast,
plant, seed, soil, rust, cloner, void
"""
SLIME = Material("slime", State.LIQUID, 1300, (1, 2, 3))


def of_state(state: State) -> list[Material]:
    return [record for record in SHIPPED if record.state is state]


def test_numbers_of_shipped_materials_never_change() -> None:
    """Every snapshot and golden has these numbers: append new materials, never insert."""
    known = NUMBERS.replace("\n", " ").strip().split(", ")
    assert [record.name for record in SHIPPED][: len(known)] == known


def test_names_and_numbers_of_materials_map_to_each_other() -> None:
    table = MaterialTable()
    assert [table[record.name] for record in table] == list(range(len(table)))
    assert table.records == SHIPPED
    assert "water" in table
    assert "Water" not in table


@pytest.mark.parametrize(
    ("name", "hint"),
    [("watr", "did you mean 'water'"), ("xyzzy", r"expected one of: acid, ash, .*, empty, .* in all\)$")],
)
def test_an_unknown_name_is_an_error_with_similar_names(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"unknown material '{name}'; {hint}"):
        MaterialTable()[name]


def test_an_error_lists_some_of_very_many_names() -> None:
    table = MaterialTable((SHIPPED[0], *(replace(SLIME, name=f"slime {number}") for number in range(1, LIMIT))))
    with pytest.raises(UsageError, match=r"expected one of: empty, slime 1, .*, \.\.\. \(255 in all\)$") as caught:
        table["qqq"]
    assert len(str(caught.value)) < 300


def test_solid_marks_the_solid_materials() -> None:
    solid = MaterialTable().solid
    assert (solid.shape, solid.dtype) == ((256,), bool)
    names = [SHIPPED[number].name for number in np.flatnonzero(solid)]
    first = ["wall", "stone", "wood", "ice", "glass", "metal"]
    assert names == [*first, "ember", "charcoal", "plant", "cloner", "void", "sap", "bud", "flower"]


def test_an_own_table_numbers_its_records() -> None:
    records = (SHIPPED[0], Material("ice", State.SOLID, 917, (200, 220, 255)))
    table = MaterialTable(records)
    assert (table["ice"], len(table)) == (1, 2)
    assert np.flatnonzero(table.solid).tolist() == [1]


@pytest.mark.parametrize("record", SHIPPED, ids=lambda record: record.name)
def test_a_shipped_record_is_valid(record: Material) -> None:
    assert record.problem() is None
    assert (record.density == 0) == (record.state is State.EMPTY)
    assert [other.name for other in SHIPPED].count(record.name) == 1
    assert (record.gravity == record.terminal == 0) == (record.state in (State.EMPTY, State.SOLID))
    assert all(record.fixed()[key] > 0 for key in ("terminal", "spread")) or record.gravity == 0


@pytest.mark.parametrize("record", SHIPPED[1:], ids=lambda record: record.name)
def test_a_colour_differs_from_the_background_and_from_every_other(record: Material) -> None:
    def apart(other: Material) -> int:
        return sum(abs(a - b) for a, b in zip(record.colour, other.colour, strict=True))

    assert apart(SHIPPED[0]) > 50
    assert min(apart(other) for other in SHIPPED if other is not record) > 20


def test_densities_have_the_physical_order() -> None:
    density = {record.name: record.density for record in SHIPPED}
    assert density["methane"] < density["steam"] < density["fire"] < density["smoke"] < density["snow"]
    assert density["oil"] < density["water"] < density["salt water"] < density["acid"] < density["mercury"]
    assert density["snow"] < density["oil"]
    assert density["ice"] < density["water"] < density["rubber"]
    assert max(record.density for record in of_state(State.GAS)) < min(
        record.density for record in SHIPPED if record.state not in (State.EMPTY, State.GAS)
    )
    assert min(density[name] for name in ("sand", "gravel", "mud")) > density["acid"]


@pytest.mark.parametrize("state", [State.SOLID, State.POWDER, State.LIQUID, State.GAS], ids=lambda state: state.name)
def test_absent_properties_take_the_defaults_of_the_state(state: State) -> None:
    record = Material("slime", state, 1, (1, 2, 3))
    assert record.problem() is None
    assert record.gravity == {State.SOLID: 0, State.POWDER: 1, State.LIQUID: 1, State.GAS: -0.5}[state]
    assert replace(record, gravity=2.0).gravity == 2.0
    assert Material("slime", state, 1, (1, 2, 3), terminal=0).terminal == 0


def test_records_of_the_toml_file_equal_the_shipped_records() -> None:
    assert [Material.of(record) for record in RECORDS.values()] == list(SHIPPED)
    own = {"name": "slime", "state": "liquid", "density": 1300, "colour": "#010203"}
    assert Material.of(own) == SLIME
    assert colour_of("#Ff8000") == (255, 128, 0)


WRONG = {
    "name in capitals": ({"name": "Slime"}, "'Slime': name: 'Slime'; expected words of small letters"),
    "name with an underline": ({"name": "a_b"}, "name: 'a_b'; expected words"),
    "name with two spaces": ({"name": "a  b"}, "name: 'a  b'; expected words"),
    "name too long": ({"name": "a" * 33}, "at most 32 characters"),
    "name as number": ({"name": 3}, "3: name: 3; expected words"),
    "state as word": ({"state": "liquid"}, "'slime': state: 'liquid'; expected a gpufluid.matter.materials.State"),
    "density below": ({"density": -1}, "'slime': density: -1; expected a whole number from 0 to 65535"),
    "density above": ({"density": 65536}, "density: 65536"),
    "density broken": ({"density": 1.5}, "density: 1.5"),
    "density as boolean": ({"density": True}, "density: True"),
    "colour above": ({"colour": (0, 0, 256)}, "colour: (0, 0, 256); expected three whole numbers from 0 to 255"),
    "colour of two": ({"colour": (0, 0)}, "colour: (0, 0)"),
    "colour as text": ({"colour": "#010203"}, "colour: '#010203'"),
    "gravity nan": ({"gravity": float("nan")}, "gravity: nan; expected a number from -4 to 4"),
    "bounce as boolean": ({"bounce": True}, "bounce: True; expected a number from 0 to 1"),
    "drag as text": ({"drag": "1"}, "drag: '1'; expected a number from 0 to 7.9"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_invalid_record_is_one_error(name: str) -> None:
    changes, words = WRONG[name]
    record = replace(SLIME, **changes)
    assert words in str(record.problem())
    assert [problem.field for problem in record.problems()] == list(changes)
    with pytest.raises(UsageError, match=re.escape(f"materials[1]: {record.problem()}")):
        MaterialTable((SHIPPED[0], record))


@pytest.mark.parametrize("key", PROPERTIES, ids=lambda key: key.name)
def test_a_property_has_its_range(key) -> None:
    for value in (key.low, key.high, int(key.high)):
        assert replace(SLIME, **{key.name: value}).problem() is None
    for value in (key.low - 0.01, key.high + 0.01, float("inf"), 10**400, "1", True):
        assert f"{key.name}: " in str(replace(SLIME, **{key.name: value}).problem())


def test_a_whole_property_has_no_fraction() -> None:
    assert replace(SLIME, anchored=0.5).problem() == "'slime': anchored: 0.5; expected a whole number from 0 to 1"
    assert replace(SLIME, anchored=1.0).problem() is None


def test_invalid_tables_of_materials_are_refused() -> None:
    many = [replace(SLIME, name=f"slime {number}") for number in range(LIMIT)]
    for records, words in (
        ((), "0 records; expected 1 to 255"),
        ((SHIPPED[0], *many), "256 records; expected 1 to 255"),
        ((SLIME,), r"materials\[0\]: 'slime' is liquid; expected material 0"),
        (
            (SHIPPED[0], replace(SHIPPED[0], name="void")),
            r"materials\[1\]: 'void' is empty; expected material 0, and no",
        ),
        ((SHIPPED[0], SLIME, SLIME), r"materials\[2\]: the name 'slime' is given twice"),
        ((SHIPPED[0], replace(SLIME, name="empty")), r"materials\[1\]: 'empty': name: 'empty' means something else"),
        ((SHIPPED[0], replace(SLIME, tags=("gas",))), r"materials\[1\]: 'slime': tags: 'gas' means something else"),
        ((SHIPPED[0], replace(SLIME, tags=("slime",))), r"materials\[1\]: 'slime': tags: 'slime' is the name of a m"),
    ):
        with pytest.raises(UsageError, match=words):
            MaterialTable(records)


def test_columns_are_the_integers_that_rules_compute_with() -> None:
    slime = replace(
        SLIME, gravity=-0.3, terminal=7.9, drag=0.03, bounce=1.0, slide=0.5, spread=0.001, shade=0.999, strength=7
    )
    table = MaterialTable((SHIPPED[0], slime))
    found = {name: table.column(name)[1] for name in COLUMNS}
    assert found == {
        "state": 3, "density": 1300, "shade": 256, "gravity": -77, "terminal": 126, "drag": 0, "bounce": 256,
        "slide": 128, "spread": 0, "stick": 0, "cohesion": 8, "stray": 15, "splash": 51, "resistance": 102,
        "carried_at": 0, "conductivity": 5243, "cooling": 256, "strength": 7, "anchored": 0,
    }  # fmt: skip
    for name in COLUMNS:
        column = table.column(name)
        assert (column.shape, column.dtype, column.flags.writeable) == ((256,), np.int32, False)
        assert not column[2:].any()
    with pytest.raises(UsageError, match="no column 'densty' of materials; did you mean 'density'"):
        table.column("densty")


def test_every_number_of_a_record_has_a_column() -> None:
    assert set(asdict(SLIME)) - set(COLUMNS) == {"name", "colour", "temperature", "above", "below", "tags"}
    assert all(np.abs(MaterialTable().column(name)).max() < 2**16 for name in COLUMNS)


def test_glsl_has_the_same_integers() -> None:
    world = gpufluid.World(1, 1, rules=("flow",), materials=MaterialTable((*SHIPPED, SLIME)))
    text = generated.for_world(world)["generated/materials.glsl"]
    assert "const int STATE_GAS = 4;\n" in text
    assert "const int MATERIAL_SALT_WATER = 9;\n" in text
    assert f"const int MATERIAL_SLIME = {len(SHIPPED)};\n" in text
    count = len(world.materials)
    for name in generated.DRAWN:
        (found,) = re.findall(rf"^const int {name.upper()}_OF\[{count}\] = int\[\]\((.*)\);$", text, re.MULTILINE)
        assert [int(number) for number in found.split(", ")] == world.materials.column(name)[:count].tolist()


@pytest.mark.usefixtures("device")
def test_a_world_of_255_materials_is_drawn_in_their_colours() -> None:
    count = LIMIT - len(SHIPPED)
    many = [Material(f"slime {number}", State.SOLID, 1, (number, 255 - number, 9)) for number in range(count)]
    world = gpufluid.World(1, LIMIT, rules=("flow",), materials=MaterialTable((*SHIPPED, *many)))
    world["material"][0] = np.where(world.materials.solid[:LIMIT], np.arange(LIMIT), 0)
    with gpufluid.Simulation(world) as simulation:
        picture = simulation.frame()[0, len(SHIPPED) + 1 :]  # all but the first, which is lit from the side
    lit = np.array([record.colour for record in many[1:]]) * 0.94  # as solids within solids are, with a little grain
    assert abs(picture - lit).max() < 10
