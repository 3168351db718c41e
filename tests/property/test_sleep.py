"""Sleeping tiles change nothing: the state is the same, bit for bit, without sleep and in every variant of a rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.selection import crossed, examples, first, mostly_long
from support.ways import (
    assert_equal_in_all_ways,
    assert_parts_equal_whole,
    mixed_world,
    quiet_mixture,
    quiet_world,
    wet_world,
)
from support.worlds import random_atoms

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.rules import RULES
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

FLOW_WAYS = [("strips", False), ("strips", True)]
MIXTURE_WAYS = [("single", False), ("single", True), ("tiles", False), ("tiles", True)]
ATOM_WAYS = [("lines", True), ("strips", False), ("lines", False), ("strips", True)]


def test_every_variant_is_compared() -> None:
    assert {each.name for each in RULES["atoms"].variants} == {variant for variant, _ in ATOM_WAYS}
    assert {each.name for each in RULES["mixture"].variants} == {variant for variant, _ in MIXTURE_WAYS}
    assert {each.name for each in RULES["flow"].variants} == {variant for variant, _ in FLOW_WAYS}


@crossed(most=1, together=1, edges=EDGES, gravity=GRAVITIES)
def test_atoms_with_brush_and_ports_are_equal_asleep_and_awake(edges: Edges, gravity: Gravity) -> None:
    luck = EDGES.index(edges) + 3 * GRAVITIES.index(gravity)
    size = ((70, 132), (128, 64))[luck % 2]
    assert_equal_in_all_ways(quiet_world(*size, luck, edges=edges, gravity=gravity), 23, 4, ATOM_WAYS)


PACES = [("closed", 0, 5, 16), ("open", 5, 0, 1), ("wrap", 1, 1, 256), ("closed", 4, 3, 4096), ("wrap", 2, 4, 1)]
"""Edges, substeps, spreads and reach_open; each entry is a set of programs to compile."""


@pytest.mark.long("programs of its own for each pace")
@examples(10)
@given(
    luck=st.integers(0, 2**31),
    height=st.integers(20, 80).map(lambda half: 2 * half),
    width=st.integers(20, 80).map(lambda half: 2 * half),
    pace=st.sampled_from(PACES),
)
def test_atoms_with_any_substeps_spreads_and_reach_are_equal_asleep_and_awake(
    luck: int, height: int, width: int, pace: tuple[Edges, int, int, int]
) -> None:
    edges, substeps, spreads, reach = pace
    parameters = {"atoms": {"substeps": substeps, "spreads": spreads, "reach_open": reach}}
    world = quiet_world(height, width, luck, edges=edges, parameters=parameters)
    assert_equal_in_all_ways(world, 1 + luck % 17, 4, [("strips", True), ("lines", True)])


@pytest.mark.long("a world that comes to rest, with sleep and without")
def test_layers_of_fluids_are_equal_asleep_and_awake() -> None:
    """What lies on a column of water decides tiles below it if another fluid comes out there."""
    world = World(224, 96, ("atoms",), seed=4, emitters=[Emitter((0, 2), (40, 1), material="oil", start=30, until=40)])
    world["material"][30:] = world.materials["water"]
    world["material"][4:30, :40] = world.materials["wall"]
    world["material"][4:30, 3:40] = 0
    world["material"][140:, 60] = world.materials["wall"]
    world["material"][196:216, 64:] = world.materials["methane"]
    world["material"][194:196, 61:] = world.materials["wall"]
    world.draw_grain()
    assert_equal_in_all_ways(world, 90, 2, ATOM_WAYS)


def warm_world(height: int, width: int, luck: int, **laws) -> World:
    """A world with many temperatures; melting and boiling atoms set resting matter in motion."""
    rng = np.random.default_rng(luck)
    quiet = quiet_world(height, width, luck, **laws)
    world = World(
        height, width, ("atoms", "heat"), seed=luck, emitters=quiet.emitters, drains=quiet.drains,
        parameters={"heat": {"air": float(rng.choice([0.0, 0.002, 0.3]))}}, **laws,
    )  # fmt: skip
    for name in quiet.fields:
        world[name] = quiet[name]
    kinds = [world.materials[name] for name in ("ice", "stone", "metal", "water", "lava")]
    for _ in range(8):
        columns, rows = int(rng.integers(1, width // 3)), int(rng.integers(1, height // 3))
        x, y = int(rng.integers(0, width - columns)), int(rng.integers(0, height - rows))
        world["material"][y : y + rows, x : x + columns] = rng.choice(kinds)
    world["velocity"][world.solid] = 0
    world.draw_temperature()
    return world


@pytest.mark.long("seconds of compilation for each edge and gravity")
@crossed(together=1, edges=EDGES, gravity=["down", "left", "off"])
def test_heat_with_brush_and_ports_is_equal_asleep_and_awake(edges: Edges, gravity: Gravity) -> None:
    luck = EDGES.index(edges) + 3 * GRAVITIES.index(gravity)
    size = ((70, 132), (128, 64))[luck % 2]
    assert_equal_in_all_ways(warm_world(*size, luck, edges=edges, gravity=gravity), 23, 4, first(ATOM_WAYS, 2))


@pytest.mark.long("heat comes to rest after hundreds of ticks")
@examples(4)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES))
def test_heat_that_comes_to_rest_is_equal_asleep_and_awake(luck: int, edges: Edges) -> None:
    """Long enough for most of the world to come to rest between two strokes."""
    world = warm_world(66, 98 + 2 * (luck % 40), luck, edges=edges)
    assert_equal_in_all_ways(world, 150, 3, [("lines", False), ("lines", True)])


@pytest.mark.long("the same law as of other atoms, in a world that hardly sleeps")
def test_dense_atoms_are_equal_asleep_and_awake() -> None:
    assert_equal_in_all_ways(random_atoms(100, 140, luck=2), 12, 4, ATOM_WAYS)


@crossed(most=1, edges=EDGES, substeps=[1, 3])
def test_flow_with_brush_and_ports_is_equal_asleep_and_awake(edges: Edges, substeps: int) -> None:
    emitter = Emitter((40, 3), (2, 2), material="water", rate=0.5, start=20, until=60)
    drain = Drain((200, 100), (4, 4), rate=0.1, start=50)
    parameters = {"flow": {"substeps": substeps, "min_flow": 0.0}}
    world = World(130, 300, rules=("flow",), edges=edges, emitters=[emitter], drains=[drain], parameters=parameters)
    world["material"][60:62, 30:200] = world.materials["wall"]
    world["mass"][20:30, 50:70] = FULL
    assert_equal_in_all_ways(world, 25, 4, FLOW_WAYS)


@pytest.mark.parametrize("edges", mostly_long(EDGES, why="a set of programs for each edge"))
def test_water_with_momentum_is_equal_asleep_and_awake(edges: Edges) -> None:
    """Most of the world is dry or still; a drop falls into a still pool, and ports begin late."""
    emitter = Emitter((40, 3), (2, 2), material="water", rate=0.5, start=20, until=60)
    drain = Drain((200, 100), (4, 4), rate=0.1, start=50)
    world = World(130, 300, ("flow", "inertia"), edges=edges, emitters=[emitter], drains=[drain])
    world["material"][60:62, 30:200] = world.materials["wall"]
    world["mass"][20:30, 50:70] = FULL
    world["mass"][129, 210:] = FULL // 2
    assert_equal_in_all_ways(world, 40, 4, [("strips", False), ("strips", True)])


WET = [("flow", "atoms"), ("flow", "inertia", "atoms"), ("flow", "inertia", "atoms", "heat", "pressure", "collapse")]


@pytest.mark.parametrize("rules", mostly_long(WET, why="a set of programs for each set of rules"), ids="+".join)
def test_water_and_atoms_with_brush_and_ports_are_equal_asleep_and_awake(rules: tuple[str, ...]) -> None:
    ways = [({}, False), ({}, True)]
    assert_equal_in_all_ways(wet_world(130, 164, 5, rules), 40, 4, ways)


@pytest.mark.long("a set of programs; worlds of these rules in few ticks are tried by the oracle's tests")
def test_what_falls_onto_floating_powder_is_equal_asleep_and_awake() -> None:
    """Snow on a lake lies across the edge of a tile, at rest, when ash, oil and gravel fall on it.

    Where all is awake too, the snow ends a fall as atoms do, not as the water below it does.
    """
    ports = [
        Emitter((20, 4), (9, 1), material="ash", velocity=(0.0, 3.0), start=100, until=104),
        Emitter((50, 4), (9, 1), material="oil", velocity=(0.0, 3.0), start=100, until=104),
        Emitter((80, 4), (9, 1), material="gravel", velocity=(0.0, 3.0), start=100, until=104),
    ]
    world = World(96, 100, WET[1], emitters=ports)
    world["mass"][34:] = (FULL * (1 + 0.0084 * np.arange(62)))[:, None].astype(int)
    world["material"][31:34] = world.materials["snow"]
    world.draw_grain()
    assert_equal_in_all_ways(world, 30, 8, [({}, False), ({}, True)])


@pytest.mark.long("programs of its own; tests/property/test_waking.py has many such worlds")
def test_oil_at_rest_on_water_sinks_with_the_water() -> None:
    """Only water moves in the tile, until the oil has lost its support."""
    world = World(64, 48, WET[0], drains=[Drain((4, 60), (40, 4), rate=0.2, start=80)])
    world["mass"][34:] = FULL
    world["material"][32:34] = world.materials["oil"]
    world.draw_grain()
    with Workbench(world) as asleep, Workbench(world, sleeping=False) as awake:
        for _ in range(5):
            awake.step(30)
            asleep.step(30)
            assert asleep.digest() == awake.digest()
        sunk = asleep.read()["material"] == world.materials["oil"]
    assert np.nonzero(sunk)[0].mean() > 40


@pytest.mark.long("a set of programs for each edge and variant")
@pytest.mark.parametrize("luck", range(3))
def test_water_and_atoms_are_equal_in_every_variant(luck: int) -> None:
    ways = [({"atoms": each.name}, True) for each in RULES["atoms"].variants]
    height, width = ((98, 132), (128, 64), (66, 230))[luck]
    world = wet_world(height, width, luck, WET[0], edges=EDGES[luck])
    assert_equal_in_all_ways(world, 30 + luck, 4, [*ways, ({}, False)])


MIXED = [("mixture", "atoms"), ("mixture", "atoms", "heat", "pressure", "collapse")]


@pytest.mark.long("the programs of a mixture and of atoms; the short run has worlds with ports of each")
@crossed(together=1, rules=MIXED, edges=EDGES, gravity=["down", "left", "off"])
def test_mixtures_and_atoms_are_equal_asleep_and_awake(rules: tuple[str, ...], edges: Edges, gravity: Gravity) -> None:
    """Also in every variant of both rules."""
    world = mixed_world(66, 116, EDGES.index(edges) + 3 * GRAVITIES.index(gravity), rules, edges=edges, gravity=gravity)
    if "heat" in rules:
        world.draw_temperature()
    ways = [({"atoms": "strips", "mixture": "single"}, True), ({"atoms": "lines", "mixture": "tiles"}, True)]
    assert_equal_in_all_ways(world, 27, 3, [*ways, ({}, False)])


LAYOUTS_FOR_GPUS = [
    (("mixture",), ["single"]),
    (("mixture", "pressure"), ["single"]),
    (("atoms", "pressure", "collapse"), ["strips"]),
    (("flow", "atoms"), ["strips"]),
    (("mixture", "atoms", "pressure"), ["strips", "single"]),
]


@pytest.mark.parametrize("layouts", mostly_long(LAYOUTS_FOR_GPUS, why="a set of programs for each set of rules"))
def test_at_rest_no_tile_is_listed_in_the_layouts_for_gpus(layouts: tuple[tuple[str, ...], list[str]]) -> None:
    rules, variant = layouts
    world = World(96, 130, rules)
    if "material" in world.fields:
        world["material"][70:] = world.materials["sand"]
    if "mass" in world.fields:
        world["mass"][69] = FULL
    if "mixture" in world.fields:
        world["mixture"][world.mixture["water"], 60:70] = FULL
    if "grain" in world.fields:
        world.draw_grain()
    else:
        world["material"][70:] = world.materials["wall"]
    with Workbench(world, variant=variant) as sim:
        sim.step(200)
        assert sim.settled
        with sim._current():
            for tiles in sim._runner._planner.tiles.values():
                lists = np.frombuffer(tiles.buffer.read()[4 * tiles._first_list :], "<u4").reshape(-1, 4)
                assert not lists[:, 3].any()


@pytest.mark.long("300 ticks of a lake that comes to rest, with sleep and without")
@pytest.mark.parametrize("rules", WET[:2], ids="+".join)
def test_a_beach_at_a_lake_that_comes_to_rest_is_equal_asleep_and_awake(rules: tuple[str, ...]) -> None:
    """Water leaves a heap that leaned on it, and a drain empties the lake under oil that lay at rest."""
    world = World(100, 200, rules, drains=[Drain((199, 98), (1, 2), rate=0.5, start=150)])
    world["mass"][60:, 90:] = FULL
    world["mass"][20:60, 150:160] = FULL
    world["material"][70:, :40] = world.materials["sand"]
    world["material"][55:60, 100:140] = world.materials["oil"]
    world.draw_grain()
    assert_equal_in_all_ways(world, 60, 4, [({}, False), ({}, True)])


@pytest.mark.parametrize("rules", [("atoms",), ("flow",)])
def test_ticks_interrupted_between_bands_equal_whole_ticks(
    rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpufluid.runtime.running._BAND_SECONDS", 1e-5)
    world = World(90, 200, rules)
    if "mass" in world.fields:
        world["mass"][10:60, 20:90] = FULL
    else:
        world["material"][30:, 20:90] = world.materials["water"]
    assert_parts_equal_whole(world, 15, 53)


@examples(10)
@given(
    luck=st.integers(0, 2**31),
    height=st.integers(20, 110),
    width=st.integers(20, 110),
    edges=st.sampled_from(EDGES),
)
def test_mixtures_with_brush_and_ports_are_equal_asleep_and_awake(
    luck: int, height: int, width: int, edges: Edges
) -> None:
    assert_equal_in_all_ways(quiet_mixture(height, width, luck, edges=edges), 1 + luck % 29, 4, MIXTURE_WAYS)


def test_a_mixture_that_may_still_move_by_chance_is_not_settled() -> None:
    world = World(40, 40, ("mixture",))
    world["mixture"][world.mixture["water"], 38:] = FULL
    with Workbench(world) as sim:
        sim.step(2)
        assert sim.settled
        before = sim.digest()
        cell = sim.read_window((20, 39), (1, 1))
        cell["mixture"][world.mixture["steam"]] = FULL // 2
        sim.write_window((20, 39), cell)
        for _ in range(5):
            sim.step()
            assert not sim.settled
        assert sim.digest() != before
