"""Laws of rule heat: heat is conserved and obeys the heat equation; a change of state takes its latent heat."""

from __future__ import annotations

from math import erfc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.atoms import assert_mirrored, run, turned
from support.selection import examples, mostly_long
from support.worlds import HEAT_TABLE, atom_worlds, random_atoms

from gpufluid import Simulation, World
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")

RULES = ("atoms", "heat")

TURNS = [("closed", 1), ("open", 3), ("wrap", 2)]
"""Edges and quarter turns; few, because each needs two sets of programs."""

every_edge = pytest.mark.parametrize("edges", ["closed", "open", "wrap"])


def block(height: int, width: int, material: str, degrees: float, **parameters: float) -> World:
    """A world full of one material at one temperature."""
    world = World(height, width, RULES, gravity="off", parameters={"heat": {"air": 0.0, **parameters}})
    world["material"] = world.materials[material]
    world["temperature"] = round(degrees * TEMPERATURE_ONE)
    return world


@pytest.mark.long("programs for each example; the tests below balance the heat of some worlds")
@examples(8)
@given(world=atom_worlds(rules=RULES), ticks=st.integers(1, 12))
def test_the_ledger_of_heat_balances_exactly(world: World, ticks: int) -> None:
    world.validate()
    with Simulation(world) as sim:
        for _ in range(3):
            sim.step(ticks)
            after = sim.read()
            assert world.heat_held() + after.heat.balance == after.heat_held()
            after.validate()


@pytest.mark.parametrize("edges", mostly_long(["closed", "wrap"], "wrap", why="the same at walls, 400 ticks"))
def test_a_closed_world_without_air_keeps_its_heat_to_the_unit(edges: str) -> None:
    world = random_atoms(
        60, 64, rules=RULES, luck=1, edges=edges, parameters={"heat": {"air": 0.0}}, materials=HEAT_TABLE
    )
    after = run(world, 400)
    assert (after.heat.air, after.heat.emitted, after.heat.drained, after.heat.left) == (0, 0, 0, 0)
    assert after.heat_held() == world.heat_held() - after.heat.bound
    assert after.heat.bound != 0


@pytest.mark.parametrize("ticks", mostly_long([200, 1000, 3000], 200, 1000, why="so many ticks take long"))
def test_conduction_follows_the_heat_equation(ticks: int) -> None:
    """A long bar with one hot half: the profile is 1/2 erf(x / sqrt(4 D t)), with D = 1/5 (cells squared a tick)."""
    rows, half = 64, 256
    world = block(rows, 2 * half, "metal", 0.0)
    world["temperature"][:, :half] = 1000 * TEMPERATURE_ONE
    found = run(world, ticks)["temperature"].mean(axis=0) / TEMPERATURE_ONE
    x = np.arange(2 * half) - half + 0.5
    wanted = np.array([500 * erfc(each / np.sqrt(4 * 0.2 * ticks)) for each in x])
    assert abs(found - wanted).max() < 0.02 * 1000 / 4  # 0.5 % of the first difference


@pytest.mark.parametrize(("material", "conductivity"), [("stone", 0.3), ("wood", 0.08), ("water", 0.4)])
def test_a_temperature_wave_decays_at_the_rate_of_its_conductivity(material: str, conductivity: float) -> None:
    """A sine wave of temperature decays as exp(-k t), where k follows from the wavelength."""
    width, ticks, mean = 64, 400, 50
    world = block(32, width, material, 0.0)
    world.edges = "wrap"
    wave = 40 * np.cos(2 * np.pi * np.arange(width) / width)
    world["temperature"] = np.round((mean + np.broadcast_to(wave, (32, width))) * TEMPERATURE_ONE).astype(np.int64)
    found = run(world, ticks)["temperature"].mean(axis=0) / TEMPERATURE_ONE - mean
    left = 1 - 2 * conductivity / 5 * (1 - np.cos(2 * np.pi / width))
    np.testing.assert_allclose(found @ wave / (wave @ wave), left**ticks, rtol=0.02)


COOLING = {"metal": 16.0, "glass": 4.0, "stone": 1.0, "wood": 0.25}
"""Shipped materials, each with its factor on the conductivity of the air."""


@pytest.mark.parametrize("material", mostly_long(COOLING, "metal", "wood", why="another factor"))
@pytest.mark.parametrize("hot", [True, False])
def test_air_cools_and_warms_by_newtons_law(hot: bool, material: str) -> None:
    """Newton's law of cooling: single atoms with air on four sides, at open edges and inside the world."""
    ambient, air, ticks = 30.0, 0.01, 200
    start = 900.0 if hot else -270.0
    world = block(60, 60, material, 0.0, air=air, ambient=ambient)
    single = np.zeros((60, 60), bool)
    single[::2, ::2] = True
    world.edges = "open"
    world["material"][~single] = 0
    world["temperature"] = np.where(single, round(start * TEMPERATURE_ONE), 0)
    after = run(world, ticks)
    found = after["temperature"][single].mean() / TEMPERATURE_ONE
    wanted = ambient + (start - ambient) * (1 - 4 * air * COOLING[material] / 5) ** ticks
    assert abs(found - wanted) < 0.01 * abs(start - ambient)
    assert (after.heat.air < 0) == hot


def cooled_block(side: int, ticks: int, inside: float, surface: float) -> float:
    """The mean temperature of a square block, at first of 90 degrees C, after some ticks in air of 20.

    Args:
        side: in cells.
        ticks: of the explicit heat equation, each with one exchange between any two neighbours.
        inside, surface: the conductivity between two cells of the block, and between a cell and the air.
    """
    block = np.full((side, side), 90.0)
    for _ in range(ticks):
        change = np.zeros((side, side))
        for axis in (0, 1):
            flow = inside / 5 * np.diff(block, axis=axis)
            change += np.diff(flow, axis=axis, prepend=0, append=0)
            for end in (0, -1):
                np.moveaxis(change, axis, 0)[end] -= surface / 5 * (np.moveaxis(block, axis, 0)[end] - 20)
        block += change
    return float(block.mean())


def test_blocks_of_different_materials_cool_in_air_at_the_rates_of_their_surfaces() -> None:
    """Four blocks of 90 degrees C in air of 20, against the heat equation in floats with its own law at the surface."""
    side, ticks = 10, 300
    world = World(20, 80, RULES, gravity="off")
    places = {name: slice(20 * place + 5, 20 * place + 5 + side) for place, name in enumerate(COOLING)}
    for name, columns in places.items():
        world["material"][5 : 5 + side, columns] = world.materials[name]
        world["temperature"][5 : 5 + side, columns] = 90 * TEMPERATURE_ONE
    after = run(world, ticks)
    assert world.heat_held() + after.heat.balance == after.heat_held()
    found = {
        name: after["temperature"][5 : 5 + side, columns].mean() / TEMPERATURE_ONE for name, columns in places.items()
    }
    for name, cooling in COOLING.items():
        assert world.materials.records[world.materials[name]].cooling == cooling
        wanted = cooled_block(side, ticks, world.materials.records[world.materials[name]].conductivity, 0.002 * cooling)
        assert abs(found[name] - wanted) < 0.2, name
    in_order = [found[name] for name in COOLING]
    assert (np.diff(in_order) > [15, 8, 2]).all(), found


def test_a_surface_exchanges_no_more_heat_than_the_material_conducts() -> None:
    """Snow of conductivity 0.06 in the best conducting air cools as if the air had the conductivity of snow."""
    world = block(61, 61, "snow", -20.0, air=1.0, ambient=-100.0)
    single = np.zeros((61, 61), bool)
    single[1::2, 1::2] = True
    world["material"][~single] = world["temperature"][~single] = 0
    found = run(world, 20)["temperature"][single].mean() / TEMPERATURE_ONE
    assert abs(found - (-100 + 80 * (1 - 4 * 0.06 / 5) ** 20)) < 0.5


def test_a_material_without_cooling_keeps_its_heat_in_air_and_lets_the_world_settle() -> None:
    flask = Material("flask", State.SOLID, 2000, (9, 9, 9), conductivity=1.0, cooling=0.0)
    world = World(20, 20, RULES, materials=MaterialTable((*SHIPPED, flask)))
    world["material"][8:12, 8:12] = world.materials["flask"]
    world["temperature"][8:12, 8:12] = 900 * TEMPERATURE_ONE
    with Simulation(world) as sim:
        sim.step(50)
        after = sim.read()
        assert sim.settled
    assert after.heat.air == 0
    np.testing.assert_array_equal(after["temperature"], world["temperature"])


def test_a_world_comes_to_rest_near_the_temperature_of_the_air() -> None:
    world = block(20, 20, "metal", 90.0, air=1.0)
    world.edges = "open"
    with Simulation(world) as sim:
        sim.step(4000)
        assert sim.settled
        before = sim.read()
        sim.step(100)
        assert sim.read()["temperature"].tolist() == before["temperature"].tolist()
    assert abs(before["temperature"] - 160).max() <= 20  # at most 1/8 degree a cell


def heated(world: World, heater: float, times: int) -> list[World]:
    """The worlds after each of a number of ticks, in which all metal is kept at one temperature."""
    states = []
    with Workbench(world) as sim:
        for _ in range(times):
            world["temperature"][world["material"] == world.materials["metal"]] = round(heater * TEMPERATURE_ONE)
            sim.restore(world)
            sim.step()
            world = sim.read()
            states.append(world)
    return states


def kettle(material: str, degrees: float) -> World:
    """Single atoms between walls, each next to an atom of metal."""
    world = block(9, 60, "wall", 0.0)
    for row in (1, 4, 7):
        world["material"][row, 1::4] = world.materials[material]
        world["material"][row, 2::4] = world.materials["metal"]
        world["temperature"][row, 1::4] = round(degrees * TEMPERATURE_ONE)
    return world


ANOTHER = pytest.mark.long("another change of state")


@pytest.mark.parametrize(
    ("before", "after", "start", "heater", "threshold", "latent"),
    [
        ("water", "steam", 20, 300, 100, 536),
        ("ice", "water", -30, 60, 0, 80),
        pytest.param("water", "ice", 20, -60, 0, 80, marks=ANOTHER),
        pytest.param("steam", "water", 150, 20, 100, 536, marks=ANOTHER),
        pytest.param("snow", "water", -30, 60, 0, 80, marks=ANOTHER),
        pytest.param("lava", "stone", 900, 300, 700, 320, marks=ANOTHER),
        pytest.param("stone", "lava", 900, 1500, 1100, 320, marks=ANOTHER),
        pytest.param("sand", "molten glass", 1500, 2500, 1700, 160, marks=ANOTHER),
        pytest.param("molten metal", "metal", 1600, 1300, 1500, 240, marks=ANOTHER),
        ("molten glass", "glass", 1200, 700, 1000, 0),
        pytest.param("glass", "molten glass", 800, 1300, 1000, 0, marks=ANOTHER),
    ],
)
def test_temperature_stays_at_the_threshold_during_a_change_of_state(
    before: str, after: str, start: float, heater: float, threshold: float, latent: float
) -> None:
    """Under constant heating the temperature stays at the threshold until the latent heat is absorbed, then rises."""
    world = kettle(before, start)
    names = world.materials
    share = min(names.column("conductivity")[names[before]], names.column("conductivity")[names["metal"]]) / 65536
    states = heated(world, heater, round(latent / (share * abs(heater - threshold)) + 12 / share))
    atoms = world["material"] == names[before]
    standing = []
    for state in states:
        still = atoms & (state["material"] == names[before])
        degrees = state["temperature"][still] / TEMPERATURE_ONE
        beyond = degrees - threshold if heater > threshold else threshold - degrees
        assert (
            beyond <= 8 + share * abs(heater - threshold)
        ).all()  # one unit of latent heat, and the heat of one tick
        standing.append(still.sum() > 0 and bool((abs(beyond) < 9).all()))
    assert (states[-1]["material"][atoms] == names[after]).all()
    ticks = latent / (share * abs(heater - threshold))
    assert abs(sum(standing) - ticks) < 0.15 * ticks + 0.5 / share
    assert (states[-1]["age"][atoms] == 0).all()


def test_an_aborted_change_of_state_releases_its_latent_heat() -> None:
    """Half boiled water that is cooled releases its latent heat (its age returns to 0) before it cools further."""
    world = kettle("water", 99.0)
    water = world["material"] == world.materials["water"]
    hot = heated(world.copy(), 300.0, 12)[-1]
    assert (hot["age"][water] > 5).all()
    cooled = heated(hot.copy(), 20.0, 60)
    for state in cooled:
        assert (state["temperature"][water & (state["age"] > 0)] >= 100 * TEMPERATURE_ONE - 8 * 64).all()
        assert (state["material"][water] == world.materials["water"]).all()
    assert (cooled[-1]["age"][water] == 0).all()
    assert cooled[-1]["temperature"][water].max() < 60 * TEMPERATURE_ONE


@every_edge
@pytest.mark.parametrize("width", [21, 38])
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    width: int, edges: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    width += edges == "wrap" and width % 2  # a torus has even sides
    laws = {"edges": edges, "seed": width, "materials": HEAT_TABLE, "parameters": {"heat": {"air": 0.3}}}
    assert_mirrored(random_atoms(18, width, rules=RULES, luck=width, **laws), 5, monkeypatch)


@pytest.mark.parametrize("turn", mostly_long(TURNS, ("open", 3), why="two sets of programs each"), ids=str)
def test_a_turned_world_turned_back_has_the_same_digest(turn: tuple[str, int]) -> None:
    edges, quarters = turn
    world = random_atoms(26, 40, rules=RULES, luck=quarters, edges=edges)
    for ticks in (1, 40):
        straight, round_about = run(world, ticks), turned(run(turned(world, quarters), ticks), 4 - quarters)
        assert round_about.digest() == straight.digest()
        assert round_about.heat == straight.heat
