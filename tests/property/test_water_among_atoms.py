"""The laws of a world with water by mass and atoms: a cell holds an atom or water, and both change places exactly."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from support.atoms import mirror_chance, mirrored
from support.following import follow_by_passes, follow_by_ticks
from support.selection import crossed, mostly_long
from support.worlds import assert_equal, random_atoms

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.core.small_floats import decoded, encoded
from gpufluid.oracle import flow
from gpufluid.oracle.atoms import blocks
from gpufluid.rules import RULES, Call
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")

BOTH = ("flow", "atoms")
COMPANY = [BOTH, ("flow", "inertia", "atoms"), (*BOTH, "heat", "reactions", "pressure", "collapse")]
KINDS = ("sand", "snow", "oil", "mercury", "steam", "stone", "rubber")

ATOMS = ("sand", "stone", "steam", "oil")
AMOUNTS = (0, FULL // 2, FULL, FULL + FULL // 2)
CONTENTS = len(ATOMS) + len(AMOUNTS)
SIDE = CONTENTS**2
"""Blocks along each side of a world with every possible block: dry, half full, full, overfull, and each atom."""


def both(height: int = 34, width: int = 42, *, rules: tuple[str, ...] = BOTH, luck: int = 0, **laws) -> World:
    """A random world of both rules, in which about half of the cells without an atom hold water."""
    return random_atoms(height, width, rules=rules, kinds=KINDS, filled=0.4, luck=luck, seed=luck, **laws)


def held_by_both(world: World) -> np.ndarray:
    """(height, width) bool: the cells with an atom and water. There are none."""
    return (world["material"] != 0) & (world["mass"] != 0)


def every_block(call: Call) -> World:
    """A world of all blocks of `CONTENTS`, at rest, aligned to the partition of a call, with a border of one cell."""
    numbers = np.random.default_rng(3).permutation(SIDE * SIDE).reshape(SIDE, SIDE)
    world = World(2 * SIDE + 2, 2 * SIDE + 2, BOTH, tick=call.tick)
    material = np.array([0] * len(AMOUNTS) + [world.materials[name] for name in ATOMS])
    amount = np.array([*AMOUNTS, *[0] * len(ATOMS)])
    x, y = blocks.block_offset(world, call)
    for place, (row, column) in enumerate(product((0, 1), repeat=2)):
        content = numbers // CONTENTS**place % CONTENTS
        cells = slice(y + row, y + row + 2 * SIDE, 2), slice(x + column, x + column + 2 * SIDE, 2)
        world["material"][cells], world["mass"][cells] = material[content], amount[content]
    world.draw_grain()
    world.scratch["tag"] = np.arange(world["material"].size, dtype=np.int32).reshape(world["material"].shape)
    return world


@pytest.mark.parametrize("luck", mostly_long([None, 0], 0, why="the draws with which most moves"))
def test_settle_permutes_every_block_and_water_moves_only_against_an_atom(
    luck: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = next(call for call in World(2, 2, BOTH).schedule().calls(0) if call.pass_.name == "settle")
    world = every_block(call)
    after = world.copy()
    if luck is not None:
        words = [np.uint32(0)] + [np.uint32(luck)] * 3
        monkeypatch.setattr(blocks, "noise", lambda _, x, *__: [np.full(np.shape(x), word, "u4") for word in words])
    oracle.apply(after, call)
    origin = after.scratch["tag"]
    rows, columns = np.divmod(origin, world.width)
    x, y = blocks.block_offset(world, call)
    for axis, places in ((0, rows), (1, columns)):
        first = y if axis == 0 else x
        np.testing.assert_array_equal((places - first) // 2, (np.indices(places.shape)[axis] - first) // 2)
    np.testing.assert_array_equal(np.sort(origin, axis=None), np.arange(origin.size))
    for name in ("material", "mass", "grain"):
        np.testing.assert_array_equal(after[name], world[name].ravel()[origin])
    moved = origin != world.scratch["tag"]
    assert moved.any()
    wet_before, atom_before = world["mass"] > 0, world["material"] != 0
    came_wet = moved & (after["mass"] > 0)
    assert came_wet.any()
    assert atom_before[came_wet].all()  # where water comes, an atom was
    left_wet = moved & wet_before
    assert (after["material"][left_wet] != 0).all()  # where water was, an atom comes


def momentum_down(world: World) -> int:
    """The momentum down of water and of atoms together, in units of mass times cells a tick."""
    density = np.array([each.density for each in world.materials])[world["material"]].astype(np.int64)
    atoms = (density * 8192 // 125 * world["velocity"][:, :, 1]).sum()
    return int(atoms + decoded(world["momentum"][:, :, 1]).sum())


def pushed(world: World) -> World:
    """A copy of a world after pass inertia.push."""
    world = world.copy()
    for call in world.schedule().calls(world.tick):
        if call.pass_.full_name == "inertia.push":
            oracle.apply(world, call)
    return world


def test_powder_hands_still_water_exactly_as_much_momentum_as_it_loses() -> None:
    world = World(60, 24, COMPANY[1])
    world["mass"][12:] = FULL
    world["material"][8:12, 2:22] = np.resize([world.materials[name] for name in ("sand", "gravel", "salt")], 20)
    world["velocity"][8:12, :, 1] = np.arange(24) * 5 * (world["material"][8:12] != 0)
    after = pushed(world)
    assert momentum_down(after) == momentum_down(world)
    assert decoded(after["momentum"]).sum() > 10 * FULL
    assert (after["velocity"][11] != world["velocity"][11]).any()
    assert (after["velocity"][:11] == world["velocity"][:11]).all()
    assert after.total() == world.total()


def test_liquid_and_light_powder_stop_on_water_and_hand_it_their_momentum() -> None:
    """The lowest three atoms of each stack, up to what 24 cells of water can take. The atom on top keeps its speed."""
    world = World(60, 24, COMPANY[1])
    world["mass"][12:] = FULL
    world["material"][8:12, 2:22] = np.resize([world.materials[name] for name in ("oil", "snow", "mercury", "ash")], 20)
    world["velocity"][8:12, :, 1] = np.arange(4)[:, None] * 4 * (world["material"][8:12] != 0)
    after = pushed(world)
    got = decoded(after["momentum"][:, :, 1]).sum(axis=0)
    density = np.array([each.density for each in world.materials])[world["material"]].astype(np.int64)
    lost = (density * 8192 // 125 * world["velocity"][:, :, 1])[9:12].sum(axis=0)
    assert (lost[2:22] > 0).all()
    assert not after["velocity"][9:12].any()
    assert (after["velocity"][8] == world["velocity"][8]).all()
    room = 24 * FULL // 16
    np.testing.assert_array_equal(got[lost < room], lost[lost < room])
    assert (lost > room).any()
    assert (np.abs(got[lost >= room] - room) < room // 500).all()
    assert after.total() == world.total()


@pytest.mark.parametrize("rules", [BOTH, COMPANY[1]], ids="+".join)
def test_only_what_has_fallen_keeps_its_speed_for_the_water_and_comes_to_rest_in_the_same_tick(
    rules: tuple[str, ...],
) -> None:
    """Snow and ash fall three cells to water, and lie on it in the next tick; under rule flow alone none is handed."""
    world = World(50, 12, rules)
    world["mass"][14:] = FULL
    world["material"][10, 2:10] = np.resize([world.materials[name] for name in ("snow", "ash")], 8)
    world["velocity"][10, 2:10, 1] = 16 * 4
    world.draw_grain()
    handed = 0
    for call in world.schedule().calls(0):
        before = world["velocity"].copy()
        oracle.apply(world, call)
        if call.pass_.full_name == "inertia.push":
            handed = decoded(world["momentum"][13:, :, 1]).sum()
            assert (before[13, 2:10, 1] > 32).all()
    assert (world["material"][13, 2:10] != 0).all()
    assert not world["velocity"][13, 2:10, 1].any()
    assert handed > FULL if "inertia" in rules else handed == 0
    world = oracle.step(world)
    assert not world["velocity"][:, :, 1].any()


def test_powder_hands_moving_water_its_momentum_up_to_what_small_floats_cannot_hold() -> None:
    """What stops on water can lose more than the water takes, and never less."""
    for luck in range(6):
        world = both(rules=COMPANY[1], luck=luck)
        world["mass"][world["mass"] > 0] += FULL // 3
        numbers = np.random.default_rng(luck).integers(-FULL // 30, FULL // 30, world["momentum"].shape)
        world["momentum"] = np.where((world["mass"] > FULL // 3)[:, :, None], encoded(numbers), 0)
        stops = np.isin(world["material"], [world.materials[name] for name in ("snow", "oil", "mercury")])
        after = pushed(world)
        assert momentum_down(after) < momentum_down(world)
        assert decoded(after["momentum"][:, :, 1]).sum() > decoded(world["momentum"][:, :, 1]).sum()
        world["material"][stops] = world.materials["sand"]
        after = pushed(world)
        slower = int((after["velocity"] != world["velocity"]).any(axis=-1).sum())
        assert slower
        assert abs(momentum_down(after) - momentum_down(world)) <= 64 * slower
        assert (after["momentum"][:, :, 0] == world["momentum"][:, :, 0]).all()


def test_powder_pushes_no_water_that_is_pressed_against_what_lies_below() -> None:
    """Row 20 holds a tenth of a cell more than the row above it; the rows below it, as much as it does."""
    world = World(40, 8, COMPANY[1])
    world["mass"][12:] = FULL
    world["mass"][20:] = FULL * 11 // 10
    world["material"][8:12, 2:6] = world.materials["gravel"]
    world["velocity"][8:12, 2:6, 1] = 60
    after = pushed(world)
    down = decoded(after["momentum"][:, :, 1])
    assert (down[12:20, 2:6] > 0).all()
    assert not down[20].any()
    assert (down[21:24, 2:6] > 0).all()
    assert (after["velocity"][11, 2:6, 1] < 60).all()
    assert momentum_down(after) == momentum_down(world)


@pytest.mark.long("every pass of every variant; tests/oracle/test_atoms.py has a short one")
@crossed(most=1, together=1, rules=COMPANY, edges=["closed", "open", "wrap"])
def test_every_pass_equals_its_twin_and_no_cell_holds_both(rules: tuple[str, ...], edges: str) -> None:
    emitters = [
        Emitter((2, 2), (4, 3), material="sand", rate=0.5),
        Emitter((20, 20), (6, 4), material="steam", rate=0.5),
        Emitter((10, 4), (12, 20), material="water", rate=0.4, level=1.2),
    ]
    drains = [Drain((4, 25), (9, 5), rate=0.5), Drain((30, 0), (3, 9))]
    for variant in (-1, 0):
        chosen = {rule: RULES[rule].variants[variant].name for rule in rules}
        world = both(rules=rules, edges=edges, luck=5, emitters=emitters, drains=drains)

        def no_cell_holds_both(_: Simulation, now: World, call: Call) -> None:
            assert not held_by_both(now).any(), call.pass_.full_name

        follow_by_passes(world, 2, after=no_cell_holds_both, variant=chosen)
        follow_by_ticks(both(rules=rules, edges=edges, luck=6), 5, variant=chosen)


def pool(height: int = 26, width: int = 40, *, rules: tuple[str, ...] = BOTH, **laws) -> World:
    """A pool of oil in water with thin water on its surface, and mercury in another corner, above a floor."""
    world = World(height, width, rules, seed=3, **laws)
    world["mass"][7:] = FULL
    world["mass"][6] = FULL * np.resize([0, 1, 3, 5, 7], width) // 8
    for material, rows, columns in (("oil", (4, 18), (10, 20)), ("mercury", (8, 12), (30, 36))):
        world["material"][slice(*rows), slice(*columns)] = world.materials[material]
        world["mass"][slice(*rows), slice(*columns)] = 0
    world["material"][-1] = world.materials["wall"]
    world["mass"][-1] = 0
    world.draw_grain()
    return world


@pytest.mark.long("thirty ticks of the oracle, in both variants")
@crossed(together=1, rules=COMPANY[:2], edges=["closed", "wrap"])
def test_water_that_spreads_below_oil_equals_its_twin(rules: tuple[str, ...], edges: str) -> None:
    for variant in (-1, 0):
        chosen = {rule: RULES[rule].variants[variant].name for rule in rules}
        world = pool(rules=rules, edges=edges)
        deepest = int(np.nonzero(world["material"] == world.materials["oil"])[0].max())
        after = follow_by_ticks(world, 30, variant=chosen)
        oil = after["material"] == after.materials["oil"]
        assert oil[deepest:].sum() < 3  # of ten atoms
        assert oil[:, :8].any()


@pytest.mark.long("500 ticks of six worlds")
@pytest.mark.parametrize("rules", COMPANY[:2], ids="+".join)
@pytest.mark.parametrize("edges", ["closed", "wrap", "open"])
def test_mass_and_atoms_are_exact_over_hundreds_of_ticks(rules: tuple[str, ...], edges: str) -> None:
    world = both(rules=rules, edges=edges, luck=2)
    with Simulation(world) as sim:
        for _ in range(5):
            sim.step(100)
            after = sim.read()
            assert not held_by_both(after).any()
            assert after.total() + after.ledger.left == world.total()
            left = {name: ledger.left for name, ledger in after.atoms.items()}
            counts = {name: count + left.get(name, 0) for name, count in after.census().items()}
            assert {**{name: left[name] for name in left}, **counts} == world.census()
            assert edges == "open" or not (after.ledger.left or any(left.values()))
            after.validate()


@pytest.mark.long("four programs of each pass")
def test_a_world_is_the_same_asleep_and_awake_and_in_every_variant() -> None:
    digests = set()
    for rule, sleeping in product((0, -1), (True, False)):
        chosen = {name: RULES[name].variants[rule].name for name in BOTH}
        with Simulation(both(luck=7), variant=chosen, sleeping=sleeping) as sim:
            sim.step(60)
            digests.add(sim.digest())
    assert len(digests) == 1


@pytest.mark.long("400 ticks, until the water sleeps")
def test_still_water_around_a_sleeping_tile_wakes_where_sand_goes() -> None:
    """A grain that sinks in a corner of a wide lake at rest moves water; sleeping tiles must notice."""
    world = World(40, 200, BOTH)
    world["mass"][20:] = FULL
    with Simulation(world) as awake, Simulation(world) as asleep:
        asleep.step(400)
        awake.step(400)
        rested = asleep.read()
    rested["material"][5:15, 100:110] = rested.materials["sand"]
    with Simulation(rested) as asleep, Simulation(rested, sleeping=False) as awake:
        for _ in range(6):
            asleep.step(10)
            awake.step(10)
            assert_equal(asleep, awake.read())


@pytest.mark.long("five ticks of the oracle, twice")
@pytest.mark.parametrize(
    "make", [lambda rules: both(18, 22, rules=rules, luck=4), lambda rules: pool(rules=rules)], ids=["random", "pool"]
)
@pytest.mark.parametrize("rules", COMPANY[:2], ids="+".join)
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    make: Callable[[tuple[str, ...]], World], rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make(rules)
    mirror, first_side = mirrored(world), flow.first_side
    if "momentum" in world.fields:
        mirror["momentum"][:, :, 0] *= -1
    for tick in range(5):
        world = oracle.step(world)
        with monkeypatch.context() as turned:
            mirror_chance(turned, mirror)
            turned.setattr(flow, "first_side", lambda fixed, call: 1 - first_side(fixed, call))
            mirror = oracle.step(mirror)
        for name in ("material", "mass", "grain", "velocity"):
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name], err_msg=f"{name} after tick {tick}")


def test_water_in_a_cell_with_an_atom_is_refused() -> None:
    world = World(6, 8, BOTH)
    world["material"][2, 3] = world.materials["sand"]
    world["mass"][2, 3] = 5
    wanted = r"mass\[2, 3\]: 5 units beside 1 atom of sand: a cell holds an atom or water; expected 0, or material 0"
    with pytest.raises(WorldError, match=wanted):
        world.validate()
    world["mass"][2, 3] = 0
    world["mass"][2, 4] = FULL
    with Workbench(world) as bench:
        arrays = {name: array.copy() for name, array in bench.read_window((0, 0), (8, 6)).items()}
        arrays["material"][2, 4] = world.materials["wood"]
        with pytest.raises(WorldError, match=r"mass\[2, 4\]: 1048576 units beside 1 atom of wood"):
            bench.write_window((0, 0), arrays)
        assert bench.mass() == FULL


def test_momentum_of_water_in_a_cell_with_an_atom_is_refused() -> None:
    world = World(6, 8, ("flow", "inertia", "atoms"))
    world["material"][2, 3] = world.materials["oil"]
    world["momentum"][2, 3] = 9, 0
    with pytest.raises(WorldError, match=r"momentum\[2, 3\]: \(9, 0\) beside 1 atom of oil"):
        world.validate()


def test_a_table_without_room_for_water_among_atoms_is_refused() -> None:
    names = World(2, 2, BOTH).materials
    many = names.__class__(
        (
            *names.records,
            *[
                names.records[-1].__class__(f"m{i}", names.records[1].state, 1, (0, 0, 0))
                for i in range(240 - len(names))
            ],
        )
    )
    World(2, 2, ("atoms",), materials=many)
    with pytest.raises(WorldError, match="materials: 240 of them; expected at most 236 beside rules flow and atoms"):
        World(2, 2, BOTH, materials=many)
