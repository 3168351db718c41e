"""`World` accepts valid input, and refuses other input with the field, the value found and what was expected."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import numpy as np
import pytest
from support.worlds import random_atoms

import gpufluid
from gpufluid import FULL, Drain, Emitter, Ledger, World
from gpufluid.core.errors import WorldError
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.world.laws import GRAVITIES

SOUND = {"height": 4, "width": 6}


@contextmanager
def refused(field: str, hint: str) -> Iterator[None]:
    """Asserts that a WorldError is raised with this field and this text."""
    with pytest.raises(WorldError) as caught:
        yield
    assert caught.value.field == field
    assert hint in caught.value.message


def test_a_new_world_is_dry_and_empty() -> None:
    world = World(height=4, width=6, rules=("flow",))
    assert {name: (world[name].dtype, world[name].shape) for name in world.fields} == {
        "material": (np.uint8, (4, 6)),
        "mass": (np.int32, (4, 6)),
    }
    assert (world.total("material"), world.total(), world.tick, world.ledger) == (0, 0, 0, Ledger())
    world.validate()


def test_a_world_of_atoms_has_velocities_and_grains() -> None:
    world = World(4, 6, ("atoms",))
    assert {name: (world[name].dtype, world[name].shape) for name in world.fields} == {
        "material": (np.uint8, (4, 6)),
        "velocity": (np.int8, (4, 6, 2)),
        "grain": (np.uint8, (4, 6)),
    }
    world.validate()


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"height": 0}, "0; expected a whole number from 1 to 65536"),
        ({"width": 65537}, "expected a whole number from 1 to 65536"),
        ({"width": 4.0}, "4.0; expected a whole number"),
        ({"height": True}, "True; expected a whole number"),
        ({"seed": -1}, "-1; expected a whole number from 0 to 4294967295"),
        ({"seed": 2**32}, "expected a whole number from 0 to 4294967295"),
        ({"tick": -1}, "-1; expected a whole number from 0"),
        ({"edges": "warp"}, "'warp' is not known; did you mean 'wrap'?"),
        ({"gravity": "dwon"}, "'dwon' is not known; did you mean 'down'?"),
        ({"gravity": None}, "None is not known; expected one of: down, left, off, right, up"),
        ({"edges": "wrap", "width": 5, "rules": ("atoms",)}, "'wrap' of 5 by 4 cells: rule atoms divides"),
        ({"edges": "wrap", "height": 3, "rules": ("atoms",)}, "into blocks of 2 by 2 cells; expected even sides"),
        ({"rules": "flow"}, "expected a list of rules, such as ['flow']"),
        ({"rules": ()}, "expected a list of rules"),
        ({"rules": ("flwo",)}, "unknown rule 'flwo'; did you mean 'flow'?"),
        ({"rules": ("flow", "flow")}, "names a rule twice"),
        ({"parameters": {"heat": {}}}, "rule 'heat' is not among this world's rules ['flow', 'inertia']"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(wrong: dict, hint: str) -> None:
    with refused(next(iter(wrong)), hint):
        World(**SOUND | wrong)


@pytest.mark.parametrize(
    ("parameters", "rules"),
    [
        (None, ("flow", "inertia")),
        ({"inertia": {"substeps": 2}}, ("flow", "inertia")),
        ({"flow": {"preset": "seed-000"}}, ("flow",)),
        ({"flow": {"substeps": 2}}, ("flow",)),
        ({"flow": {"min_mass": 0.1}, "inertia": {"substeps": 2}}, ("flow", "inertia")),
    ],
)
def test_water_keeps_its_momentum_unless_the_world_sets_rule_flow(parameters: dict | None, rules: tuple) -> None:
    assert World(2, 3, parameters=parameters).rules == rules


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_atoms_accept_every_gravity_on_a_torus_of_even_sides(gravity: str) -> None:
    world = World(**SOUND, rules=("atoms",), edges="wrap", gravity=gravity)
    assert (world.gravity, world.copy().gravity) == (gravity, gravity)
    world.validate()


@pytest.mark.parametrize(
    ("rule", "law", "value", "hint"),
    [
        ("atoms", "gravity", "Down", "'Down' is not known; did you mean 'down'?"),
        ("atoms", "edges", "wrap", "expected even sides"),
        ("flow", "gravity", "sideways", "'sideways' is not known"),
    ],
)
def test_a_law_assigned_later_is_validated(rule: str, law: str, value: str, hint: str) -> None:
    world = World(3, 6, (rule,))
    before = world.laws
    with refused(law, hint):
        setattr(world, law, value)
    assert world.laws is before


@pytest.mark.parametrize(
    ("given", "field", "hint"),
    [
        ({"max_compres": 1}, "flow.max_compres", "did you mean 'max_compress'"),
        ({"max_compress": 11}, "flow.max_compress", "11 is out of range; expected a number from 0 to 10"),
        ({"preset": "seed-00"}, "flow.preset", "'seed-000'"),
    ],
)
def test_a_wrong_parameter_is_named(given: dict, field: str, hint: str) -> None:
    with refused(field, hint):
        World(**SOUND, parameters={"flow": given})


@pytest.mark.parametrize(
    ("wrong", "field", "hint"),
    [
        ({"at": (6, 0)}, "at", "columns 6 to 6, rows 0 to 0 reach outside the world of 6 by 4 cells"),
        ({"at": (-1, 0)}, "at", "columns -1 to -1"),
        ({"at": (0, 3), "size": (6, 2)}, "at", "rows 3 to 4 reach outside"),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [Emitter, Drain])
def test_a_port_outside_the_world_is_named(kind: type, wrong: dict, field: str, hint: str) -> None:
    name = kind.__name__.lower()
    ports = [kind((0, 0)), kind(**{"at": (0, 0)} | wrong)]
    with refused(f"{name}[1].{field}", hint):
        World(**SOUND, **{f"{name}s": ports})


@pytest.mark.parametrize(
    ("wrong", "field", "hint"),
    [
        ({"at": (0.5, 0)}, "at", "0.5"),
        ({"at": 3}, "at", "3; expected two whole numbers"),
        ({"size": (0, 1)}, "size", "[0, 1]; expected at least 1 by 1"),
        ({"size": (1.5, 1)}, "size", "1.5"),
        ({"start": -1}, "start", "-1; expected a tick from 0 on"),
        ({"start": 0.5}, "start", "0.5"),
        ({"start": 5, "until": 5}, "until", "5; expected a tick after start, which is 5"),
        ({"rate": -0.1}, "rate", "-0.1; expected 0 to 1000 cells"),
        ({"rate": float("nan")}, "rate", "nan; expected 0 to 1000 cells"),
        ({"rate": "fast"}, "rate", "'fast'; expected 0 to 1000 cells"),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [Emitter, Drain])
def test_an_invalid_port_is_refused_when_it_is_made(kind: type, wrong: dict, field: str, hint: str) -> None:
    with refused(f"{kind.__name__.lower()}.{field}", hint):
        kind(**{"at": (0, 0)} | wrong)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"level": 1001}, "1001; expected 0 to 1000 cells"),
        ({"chance": 1.5}, "1.5; expected a number from 0 to 1"),
        ({"velocity": (8, 0)}, "(8, 0); expected two numbers from -7.9 to 7.9 cells a tick"),
        ({"velocity": 3}, "3; expected two numbers from -7.9 to 7.9 cells a tick"),
        ({"scatter": -1}, "-1; expected a number from 0 to 7.9 cells a tick"),
    ],
    ids=str,
)
def test_an_invalid_emitter_is_refused_when_it_is_made(wrong: dict, hint: str) -> None:
    with refused(f"emitter.{next(iter(wrong))}", hint):
        Emitter((0, 0), **wrong)


@pytest.mark.parametrize(("kind", "who"), [(Emitter, "an empty cell gets an atom"), (Drain, "an atom is taken")])
def test_the_rate_of_a_port_of_atoms_is_a_probability(kind: type, who: str) -> None:
    name = kind.__name__.lower()
    fast = kind((0, 0), rate=1.5)
    with refused(f"{name}[0].rate", f"1.5; expected 0 to 1: how likely {who} in a tick"):
        World(**SOUND, rules=("atoms",), **{f"{name}s": [fast]})
    for rules in (("flow",), ("atoms", "flow")):  # with mass, the rate is in cells of mass
        World(**SOUND, rules=rules, **{f"{name}s": [fast]}).validate()
    with refused("emitter[0].rate", "2; expected 0 to 1"):  # sand has no mass
        World(**SOUND, rules=("flow", "atoms"), emitters=[Emitter((0, 0), material="sand", rate=2)])


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"material": "watr"}, "unknown material 'watr'; did you mean 'water'?"),
        ({"material": "stone"}, "no rule of this world emits 'stone'; expected one of: water"),
    ],
    ids=str,
)
def test_an_emitter_of_a_wrong_material_is_named(wrong: dict, hint: str) -> None:
    with refused(f"emitter[0].{next(iter(wrong))}", hint):
        World(**SOUND, emitters=[Emitter((0, 0), **wrong)])


def test_a_rule_emits_exactly_the_materials_that_it_moves() -> None:
    for record in random_atoms(1, 1).materials:
        emitters = [Emitter((0, 0), material=record.name)]
        if record.state in (State.POWDER, State.LIQUID, State.GAS):
            assert random_atoms(1, 1, emitters=emitters).emitters == tuple(emitters)
        else:
            with refused("emitter[0].material", f"no rule of this world emits {record.name!r}; expected one of: "):
                random_atoms(1, 1, emitters=emitters)


@pytest.mark.parametrize(
    ("name", "values", "hint"),
    [
        ("mass", 1.0, "expected whole numbers from -2147483648 to 2147483647"),
        ("mass", np.full((4, 6), 2**31), "expected whole numbers"),
        ("material", -1, "expected whole numbers from 0 to 255"),
        ("material", [[1] * 6] * 3 + [[256] * 6], "expected whole numbers from 0 to 255"),
        ("mass", np.ones((6, 4), int), "shape (6, 4) does not fit (4, 6)"),
        ("mas", 1, "did you mean 'mass'?"),
    ],
)
def test_values_that_do_not_fit_a_field_are_refused_before_writing(name: str, values: object, hint: str) -> None:
    world = World(**SOUND)
    with refused(name, hint):
        world[name] = values
    assert world.digest() == World(**SOUND).digest()


def test_assigned_values_are_copied_and_broadcast() -> None:
    world, row = World(**SOUND), np.arange(6, dtype=np.uint64)
    world["mass"] = row
    row += 1
    assert (world["mass"] == [[0, 1, 2, 3, 4, 5]] * 4).all()


def test_a_velocity_is_broadcast_to_all_cells_and_fits_a_byte() -> None:
    world = World(**SOUND, rules=("atoms",))
    world["velocity"] = 3, -2
    assert (world["velocity"][..., 0] == 3).all()
    assert (world["velocity"][..., 1] == -2).all()
    assert world.total("velocity") == 24
    for values, hint in ((128, "128; expected whole numbers from -128 to 127"), ([1, 2, 3], "does not fit (4, 6, 2)")):
        with refused("velocity", hint):
            world["velocity"] = values


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("mass", -1, f"-1; expected 0 to {MASS_LIMIT} units"),
        ("mass", MASS_LIMIT + 1, f"{MASS_LIMIT + 1}; expected 0 to {MASS_LIMIT} units"),
        ("material", 254, f"254; expected 0 to {len(SHIPPED) - 1}"),
        ("material", 3, "3 (water): no rule of this world moves it; rule flow holds it in field 'mass'"),
    ],
)
def test_validate_names_the_first_cell_that_cannot_run(name: str, value: int, hint: str) -> None:
    world = World(**SOUND)
    world[name][2, 1:3] = world[name][3, 0] = value
    with refused(f"{name}[2, 1]", hint):
        world.validate()


def test_validate_refuses_mass_inside_a_solid() -> None:
    world = World(**SOUND)
    world["material"][1, 5], world["mass"][1, 5] = world.materials["wood"], 1
    with refused("mass[1, 5]", "1; expected 0 units in a solid cell"):
        world.validate()


@pytest.mark.parametrize(
    ("material", "name", "value", "hint"),
    [
        ("wood", "velocity", (0, -3), "(0, -3); expected (0, 0) in a solid cell"),
        ("empty", "velocity", (1, 0), "(1, 0); expected (0, 0) in an empty cell"),
        ("empty", "grain", 7, "7; expected 0 in an empty cell"),
    ],
)
def test_validate_refuses_motion_where_nothing_moves(material: str, name: str, value: object, hint: str) -> None:
    world = World(**SOUND, rules=("atoms",))
    world["material"] = world.materials["water"]
    world["velocity"], world["grain"] = 5, 9
    world.validate()
    world["material"][2, 3], world["velocity"][2, 3], world["grain"][2, 3] = world.materials[material], 0, 0
    world.validate()
    world[name][2, 3] = value
    with refused(f"{name}[2, 3]", hint):
        world.validate()


def test_a_census_counts_atoms_of_all_materials_that_are_there() -> None:
    world = random_atoms(20, 30, rules=("flow", "atoms"))
    counts = {record.name: int((world["material"] == number).sum()) for number, record in enumerate(world.materials)}
    assert world.census() == {name: count for name, count in counts.items() if count and name != "empty"}
    assert {"wall", "stone", "sand"} <= set(world.census())
    assert world.census() == world.statistics().census
    assert World(**SOUND).census() == World(**SOUND, rules=("atoms",)).census() == {}


def test_a_copy_shares_nothing_that_can_be_written() -> None:
    world = World(**SOUND)
    before, twin = world.digest(), world.copy()
    twin["mass"][0, 0] = 5
    twin.tick += 1
    twin.ledger += Ledger(emitted=5)
    with suppress(TypeError):  # read-only is as good
        twin.parameters["flow"]["substeps"] = 9
    assert (world.digest(), world.ledger, world.parameters["flow"]["substeps"]) == (before, Ledger(), 1)


@pytest.mark.parametrize(
    ("records", "hint"),
    [
        (
            [SHIPPED[0], SHIPPED[3]],
            "have no 'wall', which surrounds a closed world; expected a solid of that name",
        ),
        ([*SHIPPED[:1], replace(SHIPPED[1], state=State.LIQUID), *SHIPPED[2:]], "'wall' is liquid; expected a solid"),
    ],
)
@pytest.mark.parametrize("rules", [("flow",), ("atoms",)])
def test_a_table_without_a_wall_is_refused(records: list[Material], rules: tuple[str, ...], hint: str) -> None:
    table = MaterialTable(tuple(records))
    with refused("materials", hint):
        World(**SOUND, rules=rules, materials=table)
    world = World(**SOUND, rules=rules)
    with refused("materials", hint):
        world.materials = table


def test_a_list_is_refused_as_a_table_of_materials() -> None:
    with refused("materials", "expected a gpufluid.matter.materials.MaterialTable"):
        World(**SOUND, materials=list(SHIPPED))


def test_total_of_a_world_without_mass_is_an_error_that_names_census() -> None:
    with pytest.raises(WorldError, match=r"^mass: total\(\) counts mass; for atoms see census\(\)$"):
        World(**SOUND, rules=("atoms",)).total()


def test_velocity_converts_cells_a_tick_to_units_of_the_array() -> None:
    world = World(**SOUND, rules=("atoms",))
    world["material"] = world.materials["sand"]
    world["velocity"] = gpufluid.velocity(2.5, -0.04)
    assert (world["velocity"] == (40, -1)).all()
    world["velocity"] = gpufluid.velocity(7.9, -7.9)
    world.validate()
    thrown = Emitter((0, 0), velocity=(-3, 0.1))
    assert gpufluid.velocity(-3, 0.1) == thrown.velocity_units
    for x, y in ((8, 0), (0, float("nan")), ("1", 0), (True, 0)):
        with refused("velocity", "expected two numbers from -7.9 to 7.9 cells a tick"):
            gpufluid.velocity(x, y)


def test_a_total_is_exact_past_32_bits() -> None:
    world = World(100, 100, rules=("flow",))
    world["mass"] = MASS_LIMIT
    assert world.total() == 10_000_000 * FULL


@pytest.mark.parametrize("ticks", [-1, 1.0, True, "3", None])
def test_invalid_numbers_of_ticks_are_refused(ticks: object) -> None:
    with refused("ticks", "expected a whole number from 0 on"):
        World.check_ticks(ticks)


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_grains_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch, gravity) -> None:
    def grains(at_once: int) -> list[list[int]]:
        monkeypatch.setattr("gpufluid.world.new_atoms._DRAWN_AT_ONCE", at_once)
        world = World(13, 7, rules=("atoms",), gravity=gravity, seed=3)
        world["material"][2:, 1:] = world.materials["sand"]
        world.draw_grain()
        return world["grain"].tolist()

    assert grains(1) == grains(20) == grains(1 << 18)
    assert np.count_nonzero(grains(20)) > 60


def test_a_world_without_cells_has_laws_of_any_size_and_reads_as_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.world.footprint.machine_memory", lambda: 1 << 20)
    laws = {"height": 1 << 16, "width": 1 << 16, "rules": ("flow", "atoms", "heat"), "drains": [Drain((9, 60_000))]}
    with refused("size", "of the machine's memory"):
        World(**laws)
    world = World(**laws, cells=False)
    assert (world.has_cells, world["mass"].shape, world.drains) == (False, (1 << 16, 1 << 16), tuple(laws["drains"]))
    assert world["temperature"][7, -1] == 0
    world.validate()
    with refused("mass", "no cells"):
        world["mass"] = 1
    with pytest.raises(ValueError, match="read-only"):
        world["mass"][0, 0] = 1
    with refused("grain", "no cells"):
        world.draw_grain()
    with refused("temperature", "no cells"):
        world.draw_temperature()
    with refused("size", "of the machine's memory"):
        world.check_room()
    stored = pickle.dumps(world)
    restored = pickle.loads(stored)
    assert len(stored) < 100_000
    assert (restored.has_cells, restored["mass"].shape, restored.drains) == (False, (1 << 16, 1 << 16), world.drains)


def test_a_world_without_cells_begins_one_with_cells() -> None:
    world = World(3, 4, rules=("flow",), seed=5, cells=False)
    with_cells = world.blank()
    with_cells["mass"][1, 2] = FULL
    assert (with_cells.has_cells, with_cells.total(), with_cells.same_laws(world)) == (True, FULL, True)
