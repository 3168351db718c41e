"""Rule pressure in worlds with atoms and a mixture: it levels the bodies of both, and no cell holds both."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import atoms, mixtures
from support.bodies import follow_by_passes
from support.following import step_until_settled
from support.mixtures import account
from support.selection import crossed, examples, mostly_long
from support.ways import assert_equal_in_all_ways
from support.worlds import random_atoms

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.oracle import pressure
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

ALL = ("mixture", "atoms", "pressure")
KINDS = ("oil", "mercury", "snow", "sand", "stone")
VARIANTS = [each.name for each in RULES["atoms"].variants]
WAYS = [
    (("atoms.lines", "mixture.tiles"), False),
    (("atoms.lines", "mixture.tiles"), True),
    (("atoms.strips", "mixture.single"), True),
]


def caverns(height: int, width: int, luck: int, **laws) -> World:
    """Lumps of atoms and of water by fractions, at rest; layers of oil that shafts join, and beside them of water."""
    world = random_atoms(height, width, rules=ALL, kinds=KINDS, filled=0.3, luck=luck, seed=luck, **laws)
    rng = np.random.default_rng(luck)
    world["mixture"] = np.where(rng.random((height, width)) < 0.5, 0, world["mixture"])
    for number in range(8):
        columns, rows = int(rng.integers(2, width // 3)), int(rng.integers(1, height // 4))
        x, y = int(rng.integers(0, width - columns)), int(rng.integers(0, height - rows))
        lay(world, (slice(y, y + rows), slice(x, x + columns)), ("", "water", "wall", "oil")[number % 4])
    for name, side in (("oil", slice(0, width // 2, 4)), ("water", slice(width // 2, width, 4))):
        for row in range(height // 3, height, 6):
            lay(world, (row, slice(side.start, side.stop)), name)
        lay(world, (slice(height // 3, None), side), name)
    world["velocity"] = 0
    world["grain"] = 0
    world.draw_grain()
    return world


def lay(world: World, cells: tuple, name: str) -> None:
    """Replace the content of some cells: by full cells of water, by atoms of another material, or by nothing."""
    world["mixture"][:, *cells] = 0
    world["material"][cells] = 0 if name in ("", "water") else world.materials[name]
    if name == "water":
        world["mixture"][world.mixture["water"], *cells] = FULL


def held_by_both(world: World) -> np.ndarray:
    """(height, width) bool: the cells with an atom and amounts. There are none."""
    return (world["material"] != 0) & (world["mixture"] != 0).any(axis=0)


def moved_by_pressure(world: World, ticks: int) -> tuple[int, int]:
    """The passes of rule pressure that move atoms, and the units of the mixture that it moves, in some ticks."""
    world, changes, units = world.copy(), 0, 0
    for _ in range(ticks):
        for call in world.schedule().calls(world.tick):
            before = world["material"].copy()
            tally = oracle.apply(world, call)
            if call.pass_.rule == "pressure":
                changes += bool((world["material"] != before).any())
                units += tally.moved
        world.tick += 1
    return changes, units


@crossed(1, together=1, edges=EDGES, gravity=("down", "left"), variant=VARIANTS)
def test_every_pass_equals_its_twin(edges: Edges, gravity: Gravity, variant: str) -> None:
    world = caverns(34, 42, 3, edges=edges, gravity=gravity)
    follow_by_passes(world, 2, variant)
    assert not held_by_both(world).any()


def test_both_kinds_of_bodies_are_moved_in_these_worlds() -> None:
    changes, units = moved_by_pressure(caverns(34, 42, 3), 4)
    assert changes > 3
    assert units > 3 * FULL


@pytest.mark.long("the programs of a mixture and of atoms; the short run compares each pass of these")
@pytest.mark.parametrize("luck", range(3))
def test_worlds_with_brush_and_ports_are_equal_asleep_and_awake(luck: int) -> None:
    world = caverns(70, 130, luck, edges=EDGES[luck % len(EDGES)], gravity=GRAVITIES[luck % len(GRAVITIES)])
    world.emitters = (
        Emitter((60, 2), (6, 2), material="oil", rate=0.5, start=10, until=40),
        Emitter((20, 2), (6, 2), material="water", rate=0.5, start=10, until=40),
    )
    world.drains = (Drain((4, 60), (9, 4), start=20),)
    assert_equal_in_all_ways(world, 12, 3, [WAYS[1], WAYS[0] if luck % 2 else WAYS[2]])


@pytest.mark.long("hundreds of ticks; the worlds with brush and ports are shorter")
@examples(2, least=1)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES))
def test_worlds_that_come_to_rest_are_equal_asleep_and_awake(luck: int, edges: Edges) -> None:
    assert_equal_in_all_ways(caverns(66, 98 + 2 * (luck % 40), luck, edges=edges), 110, 2, WAYS[:2])


@pytest.mark.long("hundreds of ticks; every pass is compared in short ones")
@pytest.mark.parametrize("edges", EDGES)
def test_amounts_and_atoms_are_exact_over_hundreds_of_ticks(edges: Edges) -> None:
    world = caverns(66, 98, 4, edges=edges)
    with Simulation(world) as sim:
        sim.step(300)
        after = sim.read()
    after.validate()
    assert not held_by_both(after).any()
    assert account(world, after) == after.contents()
    left = {name: ledger.drained + ledger.left for name, ledger in after.atoms.items()}
    assert {name: n + left.get(name, 0) for name, n in after.census().items() if n} == {
        name: n for name, n in world.census().items() if n
    } or edges == "open"


@pytest.mark.parametrize("edges", mostly_long(["closed", "wrap"], "wrap", why="the same at another edge"))
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    edges: Edges, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, lots = caverns(22, 30, 5, edges=edges), pressure.lots_of
    mirror = mirrored(world)
    for tick in range(4):
        world = oracle.step(world)
        with monkeypatch.context() as turned:
            atoms.mirror_chance(turned, mirror)
            mixtures.mirror_chance(turned, mirror.width)
            turned.setattr(pressure, "lots_of", lambda columns, *rest: lots(29 - columns, *rest))
            mirror = oracle.step(mirror)
        for name in world.fields:
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name], err_msg=f"{name} after tick {tick}")


def mirrored(world: World) -> World:
    """The world with left and right exchanged."""
    other = world.copy()
    for name in world.fields:
        other[name] = np.flip(world[name], axis=2 if name == "mixture" else 1)
    other["velocity"][:, :, 0] *= -1
    return other


def test_a_tube_of_oil_and_a_tube_of_water_by_fractions_both_come_to_one_level() -> None:
    """Side by side in one world. The oil to a row, the water to a fifth of a cell."""
    world = World(30, 44, ALL)
    world["material"][...] = world.materials["wall"]
    oil, water = world.materials["oil"], world["mixture"][world.mixture["water"]]
    for left in (1, 23):
        for rows, columns in ((slice(0, 28), slice(left, left + 5)), (slice(0, 28), slice(left + 15, left + 20))):
            world["material"][rows, columns] = 0
        world["material"][25:28, left : left + 20] = 0
    world["material"][5:28, 1:6] = world["material"][25:28, 1:21] = oil
    water[5:28, 23:28] = water[25:28, 23:43] = FULL
    world.draw_grain()
    with Simulation(world) as sim:
        step_until_settled(sim, 20, 20)
        after = sim.read()
    heights = (after["material"] == oil).sum(axis=0)
    assert np.ptp(heights[[*range(1, 6), *range(16, 21)]]) <= 1
    columns = after["mixture"][after.mixture["water"]].sum(axis=0, dtype=np.int64)[[*range(23, 28), *range(38, 43)]]
    assert np.ptp(columns) <= FULL // 5
    assert after.census() == world.census()
    assert after.contents() == world.contents()


@pytest.mark.long("two worlds with programs of their own")
def test_an_atom_that_lies_on_a_surface_of_the_mixture_closes_it() -> None:
    """A lid of stone over one arm: no water rises there, and all of it does as soon as the lid is gone."""
    world = World(20, 16, ALL)
    world["material"][:16, 7:9] = world.materials["wall"]
    water = world["mixture"][world.mixture["water"]]
    water[4:, :7] = water[16:, 7:] = FULL
    world["material"][15, 9:] = world.materials["stone"]
    with Simulation(world) as sim:
        sim.step(30)
        closed = sim.read()
    assert closed["mixture"][:, :15, 9:].sum() == 0
    assert closed["mixture"][closed.mixture["water"], 4:, :7].min() > FULL // 2
    closed["material"][15, 9:] = 0
    with Simulation(closed) as sim:
        sim.step(30)
        after = sim.read()
    columns = after["mixture"][after.mixture["water"]].sum(axis=0, dtype=np.int64)
    assert abs(int(columns[:7].mean()) - int(columns[9:].mean())) < FULL // 2
