"""Vessels communicate: the liquid of one body comes to one level and rests; all other matter stays in place.

The same vessels hold atoms, fractions of a mixture, or mass of rule flow.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import height_of, turned, where
from support.selection import mostly_long

from gpufluid import FULL, Simulation, World, load

pytestmark = pytest.mark.usefixtures("device")

BOTH = ("atoms", "pressure")
VESSELS = {"cylinder": slice(6, 32), "funnel": slice(52, 62), "flask": slice(90, 97)}


def levels(world: World, columns: dict[str, slice], material: str = "water") -> dict[str, tuple[int, int]]:
    """The highest and the lowest surface of each vessel, in cells above the ground."""
    found = {name: height_of(world, material)[part] for name, part in columns.items()}
    return {name: (int(heights.max()), int(heights.min())) for name, heights in found.items()}


def unevenness(world: World, columns: dict[str, slice]) -> int:
    """The difference between the highest and the lowest surface of all vessels, in cells."""
    found = levels(world, columns).values()
    return max(high for high, _ in found) - min(low for _, low in found)


def ticks_until_even(sim: Simulation, columns: dict[str, slice], most: int) -> int:
    """The first tick at which no two surfaces are more than a cell apart."""
    while unevenness(sim.read(), columns) > 1:
        sim.step()
        assert sim.tick <= most, f"{levels(sim.read(), columns)} at tick {sim.tick}"
    return sim.tick


def test_three_vessels_come_to_one_level_and_rest() -> None:
    """Measured: within a cell at tick 69, at rest at 73. Without rule pressure no water rises."""
    world = load("pressure_vessels")
    with Simulation(world) as sim:
        ticks_until_even(sim, VESSELS, 120)
        sim.step(60)
        assert sim.settled
        after = sim.read()
        sim.step(50)
        np.testing.assert_array_equal(sim.read()["material"], after["material"])
    assert after.census() == world.census()
    assert unevenness(after, VESSELS) <= 1
    steps = {name: int((np.diff(height_of(after, "water")[part]) != 0).sum()) for name, part in VESSELS.items()}
    assert max(steps.values()) <= 2, f"steps of the surfaces: {steps}; a row that is not full is in one piece"


def test_without_pressure_no_atom_rises() -> None:
    pressed = load("pressure_vessels")
    world = World(pressed.height, pressed.width, ("atoms",), seed=pressed.seed)
    for name in pressed.fields:
        world[name] = pressed[name]
    with Simulation(world) as sim:
        sim.step(400)
        found = levels(sim.read(), VESSELS)
    assert found["cylinder"][1] - found["flask"][0] > 20


def bent_tube(left: int, right: int, **laws) -> World:
    """Two arms of 4 columns each joined below, with this many cells of water above the bend."""
    world = World(40, 16, BOTH, **laws)
    world["material"] = world.materials["stone"]
    world["material"][2:34, 2:6] = world["material"][2:34, 10:14] = 0
    water = world.materials["water"]
    world["material"][34:38, 2:14] = water
    world["material"][34 - left : 34, 2:6] = water
    world["material"][34 - right : 34, 10:14] = water
    world.draw_grain()
    return world


ARMS = {"left": slice(2, 6), "right": slice(10, 14)}


@pytest.mark.parametrize(("left", "right"), [(20, 20), (21, 20), (20, 21)])
def test_levels_within_one_cell_of_each_other_rest(left: int, right: int) -> None:
    world = bent_tube(left, right)
    with Simulation(world) as sim:
        sim.step(20)
        assert sim.settled
        np.testing.assert_array_equal(sim.read()["material"], world["material"])


def test_levels_two_cells_apart_become_equal() -> None:
    with Simulation(bent_tube(22, 20)) as sim:
        sim.step(20)
        assert levels(sim.read(), ARMS) == {"left": (25, 25), "right": (25, 25)}


def test_water_under_a_lid_does_not_rise() -> None:
    """A surface cell must be open above."""
    world = bent_tube(20, 4)
    world["material"][29, 10:14] = world.materials["stone"]
    with Simulation(world) as sim:
        sim.step(20)
        np.testing.assert_array_equal(sim.read()["material"], world["material"])


@pytest.mark.parametrize("gravity", mostly_long(["down", "left"], "down", why="another gravity; the oracle has each"))
def test_oil_on_one_arm_pushes_the_water_in_the_other_up(gravity: str) -> None:
    """Water (1000) stands higher in the other arm by 0.9 of the height of the oil (900), to a row."""
    upright = bent_tube(12, 12, gravity="down")
    upright["material"][12:22, 2:6] = upright.materials["oil"]
    world = turned(upright, {"down": 0, "left": 3}[gravity])
    with Simulation(world) as sim:
        while not sim.settled:
            sim.step()
            assert sim.tick < 60, "one atom a tick, and 18 atoms"
        after = turned(sim.read(), {"down": 0, "left": 1}[gravity])
    assert after.census() == world.census()
    assert levels(after, ARMS) == {"left": (12, 12), "right": (20, 20)}
    assert levels(after, ARMS, "oil")["left"] == (10, 10)
    assert (after["material"][:, ARMS["left"]] == after.materials["oil"]).sum() == 40


def test_water_does_not_rise_while_the_oil_on_it_is_under_a_lid_or_lies_on_both_arms() -> None:
    """The load must be open, and the other surface of the water must be."""
    both = bent_tube(12, 12)
    both["material"][12:22, 2:6] = both["material"][20:22, 10:14] = both.materials["oil"]
    covered = bent_tube(12, 12)
    covered["material"][12:22, 2:6] = covered.materials["oil"]
    covered["material"][11, 2:6] = covered.materials["stone"]
    for world in (both, covered):
        with Simulation(world) as sim:
            sim.step(20)
            assert sim.settled
            np.testing.assert_array_equal(sim.read()["material"], world["material"])


@pytest.mark.long("a set of programs for one world; the oracle is followed without gravity, too")
def test_pressure_moves_nothing_without_gravity() -> None:
    world = bent_tube(20, 4, gravity="off")
    with Simulation(world) as sim:
        sim.step(5)
        np.testing.assert_array_equal(sim.read()["material"], world["material"])


def test_a_siphon_empties_the_high_tank_down_to_its_mouth() -> None:
    world = load("siphon")
    with Simulation(world) as sim:
        sim.step(150)
        tanks = {"high": slice(9, 36), "low": slice(76, 125)}
        assert levels(sim.read(), tanks)["high"][1] > 0
        sim.step(350)
        after = sim.read()
    high, low = levels(after, tanks).values()
    assert high[1] in range(5, 10)  # its mouth is 5 cells above the ground
    assert low[0] > 15
    assert not where(after, "water")[6:34, 38:42].any()  # its high arm
    assert after.census() == world.census()


def amount_levels(amounts: np.ndarray, columns: dict[str, slice]) -> dict[str, tuple[float, float]]:
    """The highest and the lowest surface of each vessel in cells above the ground, of (height, width) units."""
    found = {name: amounts[:, part].sum(axis=0) / FULL for name, part in columns.items()}
    return {name: (float(heights.max()), float(heights.min())) for name, heights in found.items()}


def amounts_apart(amounts: np.ndarray) -> float:
    """The difference between the highest and the lowest surface of the three vessels, in cells."""
    found = amount_levels(amounts, VESSELS).values()
    return max(high for high, _ in found) - min(low for _, low in found)


@pytest.mark.long("hundreds of ticks; the vessels of seed 003 are like these")
def test_fractions_come_to_one_level_within_a_tenth_of_a_cell_and_rest() -> None:
    """Measured: within 0.1 of a cell from tick 99 on; at rest at tick 761, 0.008 apart."""
    world = load("mixed_vessels")
    with Simulation(world) as sim:
        sim.step(120)
        for _ in range(4):
            assert amounts_apart(sim.read()["mixture"][0]) < 0.1
            sim.step(200)
        assert sim.settled
        assert sim.contents() == world.contents()
        assert amounts_apart(sim.read()["mixture"][0]) < 0.05


def test_rule_flow_is_far_from_level_after_500_ticks() -> None:
    """Measured: 36 cells apart after 500 ticks, 19 after 10,000, 10 after 20,000."""
    mixed = load("mixed_vessels")
    world = World(mixed.height, mixed.width, ("flow",), mixed.edges, mixed.seed)
    world["material"], world["mass"] = mixed["material"], mixed["mixture"][0]
    with Simulation(world) as sim:
        sim.step(500)
        assert amounts_apart(sim.read()["mass"]) > 30


@pytest.mark.long("hundreds of ticks of a scene")
def test_a_siphon_of_fractions_empties_the_high_tank_down_to_its_mouth() -> None:
    """Measured: the tank sinks to 5 cells, the height of the mouth; then the tube runs back, up to 8.9 cells."""
    world = load("mixed_siphon")
    tanks = {"high": slice(9, 36), "low": slice(76, 125)}

    def levels_now() -> dict[str, tuple[float, float]]:
        return amount_levels(sim.read()["mixture"][world.mixture["water"], :81], tanks)

    with Simulation(world) as sim:
        sim.step(250)
        lowest = levels_now()["high"][0]
        assert lowest > 6
        for _ in range(20):
            sim.step(5)
            lowest = min(lowest, levels_now()["high"][0])
        assert 4 < lowest < 6
        sim.step(650)
        (high, high_least), (low, low_least) = levels_now().values()
        assert sim.read()["mixture"][:, 6:30, 38:72].sum() < FULL // 10  # the high arm and the passage of the tube
        assert sim.contents() == world.contents()
    assert high - high_least < 0.05
    assert low - low_least < 0.05
    assert 20 < low < high_least + 17 < 27


@pytest.mark.long("hundreds of ticks of a mixture, as of water in vessels")
def test_steam_comes_to_one_level_in_connected_bells() -> None:
    """Measured: 0.01 of a cell apart at tick 800. The levels are depths below the ceiling of the channel."""
    world = load("steam_bells")
    bells = {"cylinder": slice(8, 30), "funnel": slice(54, 62), "flask": slice(94, 103)}
    with Simulation(world) as sim:
        sim.step(800)
        amounts = sim.read()["mixture"][0, 12:]
        assert sim.amounts["steam"].emitted == sim.contents()["steam"]
    found = amount_levels(amounts, bells).values()
    assert min(low for _, low in found) > 15
    assert max(high for high, _ in found) - min(low for _, low in found) < 0.1
