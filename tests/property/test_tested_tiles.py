"""Groups that test whether their tile is awake, as on a GPU, give the state that lists of tiles give."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from golden.test_golden import EARLY, IN_ALL_VARIANTS, KEPT
from support.batches import random_worlds
from support.mixtures import ponds
from support.selection import crossed, mostly_long
from support.ways import assert_equal_in_all_ways, assert_parts_equal_whole, quiet_world, wet_world
from support.worlds import random_atoms, random_world

from gpufluid import FULL, Batch, Simulation, World, scene
from gpufluid.gpu import tiles
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity


@pytest.fixture(autouse=True)
def as_on_a_gpu(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    assert device.renderer
    monkeypatch.setattr(Device, "tests_tiles", True)


def of_a_gpu(rules: Sequence[str]) -> dict[str, str]:
    """The variants for a GPU of some rules."""
    return {rule: next(each.name for each in RULES[rule].variants if each.software is not True) for rule in rules}


def listed(sim: Simulation) -> list[str]:
    """The passes of a simulation before which tiles are listed."""
    return [call.pass_.name for call in sim._runner._planner.plan(sim.tick) if call.dispatch.count == 2]


@pytest.mark.long("seconds of compilation for each edge and gravity")
@crossed(most=1, together=1, edges=EDGES, gravity=["down", "left"])
def test_atoms_with_brush_and_ports_are_as_with_lists(edges: Edges, gravity: Gravity) -> None:
    """On a torus of whole tiles, and on one where the first tiles share their flags with the last."""
    luck = EDGES.index(edges) + 3 * GRAVITIES.index(gravity)
    world = quiet_world(*((70, 132), (128, 64))[luck % 2], luck, edges=edges, gravity=gravity)
    with Simulation(world, variant="strips") as sim:
        assert listed(sim) == []
    assert_equal_in_all_ways(world, 9, 3, [("lines", True), ("strips", True), ("strips", False)])


@pytest.mark.long("programs of its own, on a torus like that of the test above")
def test_on_a_torus_the_tiles_beside_the_seam_share_their_flags() -> None:
    world = random_atoms(70, 100, filled=0.3, luck=3, edges="wrap")
    assert_equal_in_all_ways(world, 10, 3, [("lines", True), ("strips", True)])


@pytest.mark.parametrize(
    "rules", mostly_long([("flow",), ("flow", "inertia")], ("flow",), why="a set of programs for each"), ids="+".join
)
def test_water_is_as_with_lists(rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    world = random_world(90, 300, walls=0.05, most=FULL // 4, luck=5, rules=rules, edges="open")
    with Simulation(world) as tested:
        assert listed(tested) == []
        monkeypatch.setattr(Device, "tests_tiles", False)
        with Simulation(world) as sim:
            for _ in range(3):
                tested.step(8)
                sim.step(8)
                assert tested.digest() == sim.digest()


@pytest.mark.parametrize(("most", "lists"), [(tiles.TESTED_MOST, 0), (30, 5)])
def test_mixtures_are_as_with_lists(most: int, lists: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four groups work on each of the 12 tiles of the mixture, and one for its bodies: a list for some passes."""
    monkeypatch.setattr(tiles, "TESTED_MOST", most)
    world = ponds(70, 100, 3, edges="wrap")
    with Simulation(world, variant="single") as sim:
        assert len(listed(sim)) == lists
    assert_equal_in_all_ways(world, 8, 2, [("tiles", True), ("single", True)])


@pytest.mark.long("programs of its own for three materials")
def test_bodies_that_bounce_are_as_with_lists() -> None:
    world = random_atoms(64, 96, kinds=("rubber", "sand", "stone"), filled=0.4, luck=3)
    assert_equal_in_all_ways(world, 8, 2, [("lines", True), ("strips", True)])


@pytest.mark.parametrize(
    "rules",
    mostly_long(
        [("atoms", "heat", "reactions"), ("flow", "atoms"), ("flow", "inertia", "atoms", "heat")],
        why="a set of programs for each set of rules",
    ),
    ids="+".join,
)
def test_rules_beside_atoms_are_as_with_lists(rules: tuple[str, ...]) -> None:
    world = wet_world(70, 100, 4, rules) if "flow" in rules else random_atoms(70, 100, rules=rules, filled=0.3, luck=4)
    assert_equal_in_all_ways(world, 7, 2, [({}, True), (of_a_gpu(rules), True)])


@pytest.mark.parametrize("name", mostly_long(IN_ALL_VARIANTS, "seed_000", why="other rules or ports, by the same code"))
def test_golden_scenes_keep_their_digests(name: str) -> None:
    world = scene.read(scene.find(name)).world
    with Simulation(world, variant=of_a_gpu(world.rules)) as sim:
        sim.step(EARLY[-1])
        assert sim.digest() == KEPT[name][str(EARLY[-1])]


@pytest.mark.parametrize(
    "rules", mostly_long([("atoms",), ("mixture", "pressure")], why="programs of a batch for each"), ids="+".join
)
def test_a_batch_is_as_its_worlds_are_alone(rules: tuple[str, ...]) -> None:
    worlds = random_worlds(rules, 3)
    variant = of_a_gpu(rules)
    with Batch(worlds, variant=variant) as batch:
        batch.step(6)
        digests = batch.digests()
    for world, digest in zip(worlds, digests, strict=True):
        with Simulation(world, variant=variant) as sim:
            sim.step(6)
            assert sim.digest() == digest


def test_passes_in_bands_are_as_whole_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.runtime.running._BAND_SECONDS", 1e-5)
    world = World(90, 200, ("atoms",))
    world["material"][30:, 20:90] = world.materials["water"]
    assert_parts_equal_whole(world, 6, 29, variant="strips")


def test_very_many_tiles_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles, "TESTED_MOST", 3)
    with Simulation(random_atoms(64, 64), variant="strips") as sim:
        assert len(listed(sim)) == 17
