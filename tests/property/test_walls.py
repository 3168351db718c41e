"""Walls that change in worlds with amounts, of water by mass or of a mixture, which are never in a cell with an atom.

Walls melt, burn away, freeze over water and are painted; nothing is lost, and the GPU equals the oracle, with sleeping
tiles and without.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.following import follow_by_ticks
from support.selection import crossed, mostly_long
from support.walls import FLOWING, MIXED, REACTING, melting_world

from gpufluid import FULL, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.rules import RULES
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

KINDS = {"tiles asleep": ("software", True), "tiles awake": ("software", False), "without tiles": ("others", True)}
"""The kind of variant, and whether tiles sleep; see `variants`."""


def variants(world: World, kind: str) -> dict[str, str]:
    """The variant of each rule that is meant for software OpenGL, or for GPUs."""
    software = kind == "software"
    return {rule: next(v.name for v in RULES[rule].variants if v.software in (None, software)) for rule in world.rules}


@pytest.mark.long("worlds of many rules; the short run has a wall that melts")
@crossed(most=1, together=1, kind=list(KINDS), edges=EDGES, rules=[FLOWING, REACTING, MIXED])
def test_every_tick_equals_its_twin(rules: tuple[str, ...], edges: Edges, kind: str) -> None:
    variant, sleeping = KINDS[kind]
    world = melting_world(rules, edges, luck=7)
    before, held = world.total("mass" if "mass" in world.fields else "mixture"), world.contents()
    follow_by_ticks(world, 5, variant=variants(world, variant), sleeping=sleeping)
    world.validate()
    if "mass" in world.fields:
        ledger = world.ledger
        assert world.total() == before + ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used
        assert not world["mass"][world.obstacles].any()
        return
    for name, units in world.contents().items():
        ledger = world.amounts[name]
        counted = ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used
        assert units == held[name] + counted


def dam(rules: tuple[str, ...], wall: str) -> World:
    """Water on the left of a wall, nothing on the right; the outer walls never change."""
    world = World(24, 48, rules)
    world["material"][[0, -1], :] = world["material"][:, [0, -1]] = world.materials["wall"]
    world["material"][1:-1, 24] = world.materials[wall]
    world.draw_temperature()
    if "mass" in world.fields:
        world["mass"][8:-1, 1:24] = FULL
    else:
        world["mixture"][world.mixture["water"], 8:-1, 1:24] = FULL
    return world


def beyond(world: World) -> int:
    """The units on the right of the wall."""
    amounts = world["mass"] if "mass" in world.fields else world["mixture"][world.mixture["water"]]
    return int(amounts[:, 25:].sum(dtype=np.int64))


@pytest.mark.parametrize("rules", mostly_long([FLOWING, MIXED], FLOWING, why="the same of a mixture"), ids="+".join)
def test_a_wall_of_ice_melts_and_water_flows_through(rules: tuple[str, ...]) -> None:
    world = dam(rules, "ice")
    name = "mass" if "mass" in world.fields else "mixture"
    before = world.total(name)
    with Simulation(world, variant=variants(world, "software")) as sim:
        sim.step(10)
        still = sim.read()
        assert beyond(still) == 0
        still["temperature"][1:-1, 24] = 8 * 200  # it melts, and its water does not boil
        still.validate()
    with Simulation(still, variant=variants(world, "software")) as sim:
        sim.step(200)
        after = sim.read()
    assert not (after["material"] == after.materials["ice"]).any()
    assert beyond(after) > before // 16
    melted = 22 * FULL if name == "mass" else 0  # in a world with a mixture the ice becomes atoms of water
    assert after.total(name) == before + melted


@pytest.mark.long("1,500 ticks of a fire, in a set of programs of its own")
def test_a_wall_of_wood_burns_away_and_water_flows_through() -> None:
    world = dam(REACTING, "wood")
    before = world.total()
    world["temperature"][1:-1, 24] = 8 * 600
    world["material"][1:7, 25] = world.materials["fire"]
    world["temperature"][1:7, 25] = 8 * 900
    world.validate()
    with Simulation(world) as sim:
        sim.step(1500)
        after = sim.read()
    assert (after["material"][1:-1, 24] == after.materials["wood"]).sum() < 22
    assert beyond(after) > before // 100
    assert after.total() == before + after.ledger.made - after.ledger.used


@pytest.mark.long("3,800 ticks")
def test_molten_metal_that_freezes_in_a_mixture_and_melts_again_shares_no_cell_with_it() -> None:
    world = World(12, 12, MIXED)
    water = world.mixture["water"]
    world["material"][[0, -1], :] = world["material"][:, [0, -1]] = world.materials["wall"]
    world["material"][2:7, 4:8] = world.materials["metal"]
    world["material"][7:11, 4:8] = world.materials["molten metal"]
    world.draw_temperature()
    world["mixture"][water, 7:11, 1:4] = world["mixture"][water, 7:11, 8:11] = FULL
    before = world.total("mixture")
    with Simulation(world) as sim:
        sim.step(3000)
        frozen = sim.read()
    assert frozen["material"][world["material"] == world.materials["molten metal"]].any()
    for degrees in (20, 3900):
        frozen["temperature"][frozen["material"] != 0] = 8 * degrees
        with Simulation(frozen) as sim:
            sim.step(400)
            frozen = sim.read()
        assert not frozen["mixture"][:, frozen["material"] != 0].any()
        assert frozen.total("mixture") == before
    assert (frozen["material"] == frozen.materials["molten metal"]).sum() > 20


@pytest.mark.parametrize("rules", [("flow",), FLOWING, ("mixture",), MIXED], ids="+".join)
def test_a_wall_is_painted_away_and_water_flows_through(rules: tuple[str, ...]) -> None:
    world = dam(rules, "wall")
    world["material"][1:-1, 24] = world.materials["wall"]
    with Workbench(world, variant=variants(world, "software")) as sim:
        sim.step(30)
        assert beyond(sim.read()) == 0
        arrays = {name: array.copy() for name, array in sim.read_window((24, 1), (1, 22)).items()}
        arrays["material"][...] = 0
        if "temperature" in arrays:
            arrays["temperature"][...] = 0
        sim.write_window((24, 1), arrays)
        sim.step(60)
        after = sim.read()
        assert sim.digest() == after.digest()
    assert beyond(after) > FULL


@pytest.mark.parametrize("rules", [("flow",), ("mixture",)], ids="+".join)
def test_a_wall_that_never_changes_encloses_nothing(rules: tuple[str, ...]) -> None:
    world = dam(rules, "wall")
    name = "mass" if "mass" in world.fields else "mixture"
    world[name][..., 3, 24] = 1
    with pytest.raises(WorldError, match=rf"^{name}\[3, 24\]: .*; expected 0 units in a solid cell"):
        world.validate()


def test_a_wall_painted_over_a_mixture_takes_its_place() -> None:
    world = dam(MIXED, "wall")
    before = world.total("mixture")
    with Workbench(world) as sim:
        arrays = {name: array.copy() for name, array in sim.read_window((4, 10), (6, 6)).items()}
        arrays["material"][...] = world.materials["stone"]
        with pytest.raises(WorldError, match=r"mixture\[0, 0\]: .* units beside 1 atom of stone"):
            sim.write_window((4, 10), arrays)
        erased = int(arrays["mixture"].sum(dtype=np.int64))
        arrays["mixture"][...] = 0
        sim.write_window((4, 10), arrays)
        sim.step(50)
        after = sim.read()
    assert not after["mixture"][:, 10:16, 4:10].any()
    assert after.amounts["water"].erased == erased == 36 * FULL
    assert after.total("mixture") == oracle.step(after, 5).total("mixture") == before - erased
