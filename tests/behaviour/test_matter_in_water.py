"""Atoms in water by mass: what sinks raises the surface by its volume, what is lighter floats, gas bubbles up."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import where, with_block
from support.selection import mostly_long

from gpufluid import FULL, Drain, Emitter, Simulation, World, load, oracle
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")

MOVING = ("flow", "inertia", "atoms")
FLOOR = 58
LEVEL = 30
"""The row of the first water above the floor of a tank 58 columns wide."""


def tank(rules: tuple[str, ...] = MOVING, **laws) -> World:
    world = World(60, 60, rules, **laws)
    world["material"][FLOOR:] = world["material"][:, [0, -1]] = world.materials["wall"]
    world["mass"][LEVEL:FLOOR, 1:-1] = FULL
    return world


def run(world: World, ticks: int, every: int = 100) -> World:
    """The world after some ticks. Mass and atoms are exact, and no cell holds both, each time it is looked at."""
    with Simulation(world) as sim:
        for _ in range(0, ticks, every):
            sim.step(every)
            after = sim.read()
            assert after.total() == world.total()
            assert after.census() == world.census()
            assert not ((after["material"] != 0) & (after["mass"] != 0)).any()
    return after


def rows_of(world: World, material: str) -> np.ndarray:
    return np.nonzero(where(world, material))[0]


@pytest.mark.parametrize("rules", [MOVING, ("flow", "atoms")], ids="+".join)
def test_a_block_of_sand_goes_to_the_bottom_with_all_water_kept(rules: tuple[str, ...]) -> None:
    after = run(with_block(tank(rules), "sand", slice(5, 25), slice(24, 34)), 100, every=50)
    assert rows_of(after, "sand").min() > LEVEL + 5
    assert rows_of(after, "sand").max() == FLOOR - 1


def volume(world: World) -> float:
    """The cells that water and sand fill; what pressure adds to a full cell takes no room."""
    return float(np.minimum(world["mass"], FULL).sum(dtype=np.int64) / FULL + where(world, "sand").sum())


@pytest.mark.long("1,500 ticks, until the water is level")
def test_a_block_of_sand_raises_the_surface_by_its_volume() -> None:
    """By 200 cells, less what the greater depth compresses: 0.001 of a cell a row deeper; 195.5, measured."""
    slow = {"inertia": {"acceleration": 0.001}}
    before = run(tank(parameters=slow), 1500)
    after = run(with_block(tank(parameters=slow), "sand", slice(5, 25), slice(24, 34)), 1500)
    assert rows_of(after, "sand").min() > LEVEL
    tops = [(world["mass"][:FLOOR, 1:-1] > FULL // 2).argmax(axis=0) for world in (before, after)]
    assert max(map(np.ptp, tops)) <= 2
    assert 192 <= volume(after) - volume(before) <= 200
    assert 200 / 58 - 1 <= tops[0].mean() - tops[1].mean() <= 200 / 58 + 1


@pytest.mark.long("600 ticks, until all bubbles are up")
@pytest.mark.parametrize("gas", ["steam", "methane", "smoke"])
def test_gas_bubbles_up_through_water(gas: str) -> None:
    after = run(with_block(tank(), gas, slice(50, 56), slice(20, 30)), 600)
    deep = (after["mass"][:FLOOR, 1:-1] > FULL // 2).argmax(axis=0).max()
    assert rows_of(after, gas).max() <= deep


@pytest.mark.long("1,000 ticks, until liquids lie in layers")
def test_oil_floats_on_water_and_mercury_lies_below_it() -> None:
    world = with_block(with_block(tank(), "oil", slice(40, 46), slice(10, 30)), "mercury", slice(10, 16), slice(35, 45))
    after = run(world, 1000)
    oil, mercury = rows_of(after, "oil"), rows_of(after, "mercury")
    assert mercury.min() >= FLOOR - 3
    wet = np.nonzero((after["mass"] > FULL // 2).any(axis=1))[0].min()
    assert oil.max() < wet + 8
    under = after["mass"] > FULL // 2
    for row, column in np.argwhere(where(after, "oil")):
        assert under[row:FLOOR, column].any()


COMPRESSED = {("flow", "atoms"): 0.02, MOVING: 0.0084}
"""The mass of a cell of still water less that of the full cell above it, in cells, by rules."""


def still_water(rules: tuple[str, ...], surface: float, depth: int) -> np.ndarray:
    """(depth, 1) int: the masses of a column of water at rest, from its uppermost row down, in units.

    Args:
        surface: the mass in the uppermost row, in cells.
    """
    masses = [surface]
    while len(masses) < depth:
        masses.append(min(masses[-1], 1) * COMPRESSED[rules] + max(masses[-1], 1))
    return (FULL * np.array(masses)).astype(int)[:, None]


def lake(rules: tuple[str, ...], surface: float, columns: slice, rows: slice) -> World:
    """Still water 160 wide and 40 deep, with a part of a cell of water in its uppermost row, and a block of oil."""
    world = World(80, 160, rules, seed=1)
    world["mass"][40:] = still_water(rules, surface, 40)
    return with_block(world, "oil", rows, columns)


def thickness(world: World) -> np.ndarray:
    """The number of atoms of oil in each column."""
    return where(world, "oil").sum(axis=0)


@pytest.mark.long("2,000 ticks, until oil lies level")
@pytest.mark.parametrize("rules", [MOVING, ("flow", "atoms")], ids="+".join)
@pytest.mark.parametrize("place", ["above", "below"])
def test_oil_on_water_comes_to_lie_level(rules: tuple[str, ...], place: str) -> None:
    """480 atoms in 160 columns, dropped in a column 12 wide or let go in the water 24 wide; within 2 rows at last.

    Measured: within 2 rows by tick 400 dropped, by tick 1200 from below. Where thin water stopped oil, the dropped
    column stayed 10 thick; where no water spread below oil, the other stayed 20 thick.
    """
    columns, rows = (slice(74, 86), slice(0, 40)) if place == "above" else (slice(68, 92), slice(50, 70))
    world, found = lake(rules, 0.5, columns, rows), {}
    with Simulation(world) as sim:
        while sim.tick < 2000:
            sim.step(200)
            found[sim.tick] = int(np.ptp(thickness(sim.read())))
        after = sim.read()
    assert min(found.values()) <= 2, f"rows apart, by tick: {found}"
    assert found[2000] <= 3
    assert after.census() == world.census()
    assert after.total() == world.total()


@pytest.mark.long("thousands of ticks of a lake")
def test_oil_on_water_rests() -> None:
    """Measured: at tick 2,200. Under rule flow alone its water swings for ever below a roof, of oil as of wall."""
    with Simulation(lake(MOVING, 0.5, slice(68, 92), slice(50, 70))) as sim:
        while sim.tick < 4000 and not sim.settled:
            sim.step(200)
        assert sim.settled
        rested = sim.read()
        assert np.ptp(thickness(rested)) <= 2
        sim.step(40)
        assert sim.read()["material"].tobytes() == rested["material"].tobytes()


def test_a_film_of_water_on_water_passes_oil_once() -> None:
    """By the oracle's passes of rule atoms alone: the film and the water below it once went up and down for ever."""
    world = World(12, 4, ("flow", "atoms"))
    world["material"][4:8] = world.materials["oil"]
    world["mass"][2:4] = [[FULL // 100], [FULL * 93 // 100]]
    world["mass"][8:] = FULL
    world.draw_grain()
    states = []
    for tick in range(60):
        for call in world.schedule().calls(tick):
            if call.pass_.full_name in ("atoms.weigh", "atoms.sink"):
                oracle.apply(world, call)
        states.append(world["mass"].tobytes())
    assert len(set(states[30:])) == 1
    assert where(world, "oil")[3:7].all()
    assert (world["mass"][7] == FULL * 93 // 100).all()


def ticks_to_the_floor(rules: tuple[str, ...], material: str, is_wet: bool) -> int:
    """The ticks that one cell of a material, let go at the surface, takes to reach the floor 62 rows deeper."""
    world = World(80, 40, (*rules, "collapse"), seed=1)
    world["mass"][18:] = still_water(rules, 1.0, 62) if is_wet else 0
    with_block(world, material, slice(17, 18), slice(20, 21))
    with Simulation(world) as sim:
        while sim.tick < 300 and not where(sim.read(), material)[79].any():
            sim.step()
    return sim.tick


@pytest.mark.long("hundreds of ticks, read in each")
@pytest.mark.parametrize("rules", [MOVING, ("flow", "atoms")], ids="+".join)
@pytest.mark.parametrize(("material", "share"), [("sand", 1.3), ("stone", 3)])
def test_a_grain_and_a_stone_sink_slower_than_they_fall(rules: tuple[str, ...], material: str, share: float) -> None:
    """Sand takes 26 ticks in air, 38 in water that keeps its momentum and 62 in other water; stone 31 and 123."""
    assert ticks_to_the_floor(rules, material, True) > share * ticks_to_the_floor(rules, material, False)


@pytest.mark.long("40 ticks of a lake, read in each")
@pytest.mark.parametrize(
    ("material", "rows", "columns"),
    [
        ("gravel", slice(2, 32), slice(70, 90)),
        ("sand", slice(5, 25), slice(75, 85)),
        ("mercury", slice(2, 32), slice(70, 90)),
    ],
)
def test_a_heavy_fall_compresses_a_settled_lake_only_a_little(material: str, rows: slice, columns: slice) -> None:
    """At rest 1.33 cells of mass lie at the floor. Measured: 1.50, 1.48 and 1.33; without the bound 1.61 and 1.56."""
    world = lake(MOVING, 1.0, slice(0, 0), slice(0, 0))
    with_block(world, material, rows, columns)
    with Simulation(world) as sim:
        most = 0
        for _ in range(40):
            sim.step()
            most = max(most, int(sim.read()["mass"].max()))
    assert 1.32 * FULL < most < 1.52 * FULL


@pytest.mark.parametrize(
    "splash", mostly_long([("ash", 36), ("oil", 37), ("snow", 39)], ("oil", 37), why="another material")
)
def test_what_floats_splashes_when_it_falls_into_a_lake(splash: tuple[str, int]) -> None:
    """Measured at eight seeds: the highest water lies in rows 34 to 36, 34 to 36, and 39 or 40.

    The surface is row 40, which it once never left. Snow throws it up by a row in five of eight worlds.
    """
    material, row = splash
    highest = 80
    for seed in range(3):
        world = lake(MOVING, 1.0, slice(0, 0), slice(0, 0))
        world.seed = seed
        after = with_block(world, material, slice(4, 12), slice(76, 84))
        with Simulation(world) as sim:
            for _ in range(40):
                sim.step(4)
                after = sim.read()
                highest = min(highest, int((after["mass"] > FULL // 4).any(axis=1).argmax()))
        assert after.total() == world.total()
        if highest <= row:
            return
    raise AssertionError(f"the highest water lies in row {highest}")


@pytest.mark.long("1,000 ticks of a lake")
@pytest.mark.parametrize("rules", [MOVING, ("flow", "atoms")], ids="+".join)
def test_mercury_lies_level_below_water(rules: tuple[str, ...]) -> None:
    """116 atoms on a floor 58 wide: two rows of mercury."""
    after = run(with_block(tank(rules), "mercury", slice(2, 14), slice(25, 34)), 1000)
    counts = where(after, "mercury").sum(axis=0)[1:-1]
    assert rows_of(after, "mercury").min() >= FLOOR - 3
    assert np.ptp(counts) <= 1


@pytest.mark.long("800 ticks, until powder rests")
def test_light_powder_rises_to_the_surface_and_heavy_powder_sinks() -> None:
    world = with_block(with_block(tank(), "snow", slice(40, 50), slice(8, 18)), "gravel", slice(10, 20), slice(35, 45))
    after = run(world, 800)
    wet = np.nonzero((after["mass"] > FULL // 2).any(axis=1))[0].min()
    assert rows_of(after, "snow").min() <= wet
    assert rows_of(after, "snow").max() < 45
    assert rows_of(after, "gravel").min() > wet + 10


@pytest.mark.long("200 ticks of rule collapse")
def test_a_piece_of_stone_sinks() -> None:
    after = run(with_block(tank(("flow", "atoms", "collapse")), "stone", slice(20, 24), slice(20, 30)), 200)
    assert rows_of(after, "stone").max() == FLOOR - 1


def rows_under_water(world: World, columns: slice) -> float:
    """The rows of the piece in some columns that lie below the surface, measured three cells from its sides."""
    bottom = np.nonzero(world.solid[:FLOOR, columns].any(axis=1))[0].max()
    wet = world["mass"][:FLOOR, [columns.start - 3, columns.stop + 2]] > FULL // 2
    return float(bottom + 1 - wet.argmax(axis=0).mean())


@pytest.mark.long("600 ticks of rule collapse, in a set of laws")
@pytest.mark.parametrize(("solid", "under"), [("ice", 9), ("wood", 7)])
@pytest.mark.parametrize("rules", [MOVING, ("flow", "atoms")], ids="+".join)
def test_a_piece_floats_as_deep_as_its_density_says(rules: tuple[str, ...], solid: str, under: int) -> None:
    """One block of 10 x 10 falls into the water, the other rises from below: of both the same share is under water."""
    places = slice(8, 18), slice(36, 46)
    world = tank((*rules, "collapse"))
    for rows, columns in zip((slice(10, 20), slice(46, 56)), places, strict=True):
        with_block(world, solid, rows, columns)
    after = run(world, 600)
    assert [rows_under_water(after, columns) for columns in places] == pytest.approx([under, under], abs=1)


@pytest.mark.long("700 ticks of rule collapse, each read back")
def test_a_boat_follows_a_falling_surface_and_does_not_shake() -> None:
    """Its sides lean outwards. It moved in 345 of these ticks, up and down, when fluid below its sides counted."""
    world = World(44, 60, (*MOVING, "collapse"))
    deeper = 2 * world.fixed("inertia")["acceleration"]
    world["mass"][14:] = FULL + deeper * np.arange(30)[:, None]
    for row, columns in enumerate((slice(20, 32), slice(21, 31), slice(21, 31), slice(22, 30)), 12):
        with_block(world, "wood", slice(row, row + 1), columns)
    world.drains = (Drain(at=(0, 43), size=(60, 1), rate=0.01, until=600),)
    rows = []
    with Simulation(world) as sim:
        for _ in range(700):
            sim.step()
            rows.append(rows_of(sim.read(), "wood").min())
    assert rows[-1] - rows[0] == 5
    assert np.count_nonzero(np.diff(rows)) < 20


@pytest.mark.long("500 ticks of a whole scene, each read back")
def test_boats_over_a_drain_sink_with_the_ebb_and_do_not_shake() -> None:
    """Nine rows of ebb. The blue boat moved 47 times when a fall was weighed in its middle."""
    world = load("harbour")
    boats = {"blue hull": 64, "white wood": 84, "pine": 104}
    tops: dict[str, list[int]] = {name: [] for name in boats}
    with Simulation(world) as sim:
        for _ in range(500):
            sim.step()
            for name, column in boats.items():
                seen = sim.read_window((column, 48), (12, 20))["material"]
                tops[name].append(int((seen == world.materials[name]).any(axis=1).argmax()))
    for name, rows in tops.items():
        assert rows[-1] - rows[0] >= 8, name
        assert np.count_nonzero(np.diff(rows)) < 20, name


@pytest.mark.long("900 ticks of rule collapse")
def test_a_tide_leaves_no_water_on_a_boat_and_no_hole_below_it() -> None:
    """The tide falls by six rows and rises again. Measured: nothing on the deck, 0.78 cells in the thinnest cell below.

    When the boat changed places with the water below it, these were 1.03 and 0.01 cells.
    """
    world = World(44, 60, (*MOVING, "collapse"))
    world["mass"][14:] = FULL + 2 * world.fixed("inertia")["acceleration"] * np.arange(30)[:, None]
    with_block(world, "wood", slice(10, 17), slice(24, 36))
    sides = {"at": (0, 43), "size": (60, 1), "rate": 0.02}
    world.drains = (Drain(**sides, until=400),)
    world.emitters = (Emitter(**sides, level=3.0, start=500, until=900),)
    most, least, tops = 0.0, 1.0, []
    with Simulation(world) as sim:
        while sim.tick < 900:
            sim.step(10)
            state = sim.read()
            wood = rows_of(state, "wood")
            tops.append(wood.min())
            most = max(most, state["mass"][wood.min() - 1, 24:36].max() / FULL)
            least = min(least, state["mass"][wood.max() + 1, 24:36].min() / FULL)
    assert max(tops) - tops[0] >= 6
    assert max(tops) - tops[-1] >= 6
    assert most < 0.5
    assert least > 0.5


@pytest.mark.long("300 ticks of rule collapse")
def test_a_piece_with_its_deck_over_a_half_full_surface_rises() -> None:
    """A T of wood that lies too deep. It must not wait for the cells under its deck to fill."""
    world = World(60, 60, (*MOVING, "collapse"))
    world["mass"][13:] = FULL + 2 * world.fixed("inertia")["acceleration"] * np.arange(47)[:, None]
    world["mass"][13] = FULL // 2
    with_block(world, "wood", slice(12, 13), slice(14, 46))
    with_block(world, "wood", slice(13, 33), slice(26, 34))
    assert rows_of(run(world, 300), "wood").min() <= 10


def test_a_piece_of_wood_rises_from_the_bottom_and_stops_at_seven_tenths() -> None:
    """By the oracle's passes of rule collapse alone, so that the water stays level."""
    world = World(34, 29, ("flow", "atoms", "collapse"))
    world["mass"][12:] = FULL
    with_block(world, "wood", slice(23, 33), slice(12, 17))
    before = world.copy()
    for tick in range(40):
        for call in world.schedule().calls(tick):
            if call.pass_.rule == "collapse" and not call.pass_.analysis_only:
                oracle.apply(world, call)
    wood = where(world, "wood")
    assert wood[9:19, 12:17].all() or wood[8:18, 12:17].all()
    assert world.census() == before.census()
    assert world.total() == before.total()


@pytest.mark.long("300 ticks, in which ice melts")
def test_a_dam_of_ice_holds_water_until_it_melts() -> None:
    world = tank(("flow", "inertia", "atoms", "heat"))
    with_block(world, "ice", slice(LEVEL - 4, FLOOR), slice(30, 32))
    world["mass"][:, 32:] = 0
    world.draw_temperature()
    with Simulation(world) as sim:
        sim.step(50)
        still = sim.read()
        assert not still["mass"][:, 32:].any()
        still["temperature"][where(still, "ice")] = 8 * 200  # melts, and does not boil
    with Simulation(still) as sim:
        sim.step(250)
        after = sim.read()
    assert not where(after, "ice").any()
    assert after["mass"][:, 33:].sum(dtype=np.int64) > FULL * 100
    assert after.ledger.made == FULL * where(world, "ice").sum()
    assert after.total() == world.total() + after.ledger.made


@pytest.mark.long("hundreds of ticks in a set of laws, with sleep and without")
@pytest.mark.parametrize(("solid", "ticks"), [("ice", 20), ("wood", 140), ("stone", 400)])
def test_a_dam_that_melts_burns_or_dissolves_lets_water_through_at_once(solid: str, ticks: int) -> None:
    """A lake at rest sleeps behind a dam; ice and wood are heated, stone is eaten by acid from the dry side."""
    world = World(40, 60, ("flow", "inertia", "atoms", "heat", "reactions"))
    world["mass"][20:, :30] = (FULL * (1 + 0.0084 * np.arange(20)))[:, None].astype(int)
    world["material"][14:, 30] = world.materials[solid]
    world.draw_grain()
    world.draw_temperature()
    with Workbench(world) as asleep, Workbench(world, sleeping=False) as awake:
        for sim in (asleep, awake):
            sim.step(60)
            assert not sim.read()["mass"][:, 31:].any()
            if solid == "stone":
                foot = sim.read_window((31, 30), (6, 10))
                foot["material"][...] = sim.blank.materials["acid"]
                foot["integrity"][...] = 255
                sim.write_window((31, 30), foot)
            else:
                sim.warm((30, 14), np.ones((26, 1), bool), 700)
        after = asleep.read()
        for _ in range(ticks):
            before = after
            asleep.step()
            awake.step()
            assert asleep.digest() == awake.digest()
            after = asleep.read()
            gaps = (before["material"][:, 30] == 0) & (before["mass"][:, 29] > FULL // 2)
            assert (after["mass"][gaps, 30] > 0).any() or not gaps.any()
    assert after["mass"][:, 31:].sum(dtype=np.int64) > FULL
