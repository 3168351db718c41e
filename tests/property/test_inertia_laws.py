"""Laws of rule inertia: mass is exact, left equals right, still water stays still, and moving water keeps its speed."""

from __future__ import annotations

from collections.abc import Callable

import measure_inertia
import numpy as np
import pytest
from stripes import bar_shares
from support.selection import mostly_long
from support.worlds import moving_water

from gpufluid import FULL, Drain, Emitter, Simulation, World, load, oracle
from gpufluid.core.small_floats import LARGEST, LARGEST_CODE, decoded, encoded
from gpufluid.world.laws import EDGES

pytestmark = pytest.mark.usefixtures("device")

RULES = ("flow", "inertia")


def basin(height: int, width: int) -> World:
    """A world with a floor of two rows and a wall of one column on each side."""
    world = World(height, width, RULES)
    world["material"][-2:] = world["material"][:, [0, -1]] = world.materials["wall"]
    return world


def dam() -> World:
    """A column of water of 15 x 30 cells in a basin of 48 columns."""
    world = basin(40, 50)
    world["mass"][8:38, 1:16] = FULL
    return world


def mirrored(world: World) -> World:
    mirror = World(world.height, world.width, world.rules, edges=world.edges, seed=world.seed)
    for name in ("material", "mass"):
        mirror[name] = world[name][:, ::-1]
    mirror["momentum"] = world["momentum"][:, ::-1] * np.array([-1, 1], np.int16)
    return mirror


@pytest.mark.parametrize("edges", mostly_long(EDGES, "open", why="two worlds for each edge"))
def test_a_mirrored_world_gives_the_mirrored_result(edges: str) -> None:
    for luck in range(4):
        world = moving_water(21, 34, edges=edges, walls=0.1, most=2 * FULL, luck=luck)
        mirror = mirrored(world)
        with Simulation(world) as sim, Simulation(mirror) as other:
            sim.step(20)
            other.step(20)
            found, expected = other.read(), mirrored(sim.read())
            for name in ("mass", "momentum"):
                np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
            assert other.ledger == sim.ledger


@pytest.mark.parametrize("edges", mostly_long(EDGES, "open", why="a set of programs for each edge"))
def test_the_ledger_balances(edges: str) -> None:
    emitters, drains = [Emitter((3, 3), (2, 2), rate=0.7)], [Drain((20, 15), (3, 1), rate=0.2)]
    world = moving_water(21, 34, edges=edges, most=3 * FULL, emitters=emitters, drains=drains)
    with Simulation(world) as sim:
        for _ in range(10):
            sim.step(10)
            after, ledger = sim.read(), sim.ledger
            assert world.total() + ledger.emitted - ledger.drained - ledger.left == after.total()
            assert after["mass"].min() >= 0
        ledger = sim.ledger
        assert ledger.emitted > 0
        assert ledger.drained > 0
        assert (ledger.left > 0) is (edges == "open")


@pytest.mark.long("two thousand ticks")
def test_a_dam_levels_and_comes_to_rest_exactly() -> None:

    world = dam()
    with Simulation(world) as sim:
        sim.step(600)
        assert np.ptp(sim.read()["mass"][:, 1:-1].sum(0)) < 2 * FULL
        while not sim.settled and sim.tick < 3000:
            sim.step(50)
        rested = sim.read()
        assert sim.settled
        sim.step(200)
        after = sim.read()
    assert rested.total() == world.total()
    for name in ("mass", "momentum"):
        np.testing.assert_array_equal(after[name], rested[name], err_msg=name)
    assert np.ptp(after["mass"][:, 1:-1].sum(0)) < FULL // 10


def odd_even_share(values: np.ndarray) -> float:
    """The share of the energy of a row of numbers, about their mean, that alternates from each to the next."""
    alternating = (2 * values[1:-1] - values[:-2] - values[2:]) / 4
    return float((alternating**2).sum() / ((values - values.mean()) ** 2).sum())


@pytest.mark.long("six hundred ticks of a large dam")
def test_a_dam_break_has_no_stripes_presses_no_cell_to_one_and_a_half_and_is_level_by_tick_600() -> None:
    """Measured: at most 1.42 cells of mass, level to two rows from tick 531 on."""
    world = basin(96, 128)
    world["mass"][14:94, 1:32] = FULL
    with Simulation(world) as sim:
        for _ in range(60):
            sim.step(10)
            mass = sim.read()["mass"][:, 1:-1] / FULL
            assert mass.max() < 1.5
            if sim.tick < 60:
                continue
            assert odd_even_share(np.minimum(mass, 1).sum(0)) < 0.02
            for body in (mass, mass.T):
                excess = np.maximum(body - 1, 0)
                inner = (excess[1:-1] > 0) & (excess[:-2] > 0) & (excess[2:] > 0)
                alternating = (2 * excess[1:-1] - excess[:-2] - excess[2:]) / 4
                assert (alternating[inner] ** 2).sum() < 0.02 * (excess[1:-1][inner] ** 2).sum()
        assert np.ptp(mass.sum(0)) < 2


@pytest.mark.long("up to two thousand ticks each")
@pytest.mark.parametrize("depth", measure_inertia.DEPTHS)
def test_fronts_and_waves_are_as_fast_as_the_formulas_say(depth: int) -> None:
    """Measured: fronts of 1.34, 1.39 and 1.08 times sqrt(g h) (Ritter 1892: 1 to 2), waves of 1.04, 1.01 and 0.92."""
    assert 1 < measure_inertia.front(depth) < 2
    assert 0.8 < measure_inertia.wave(depth) < 1.2


@pytest.mark.long("three worlds until they settle")
@pytest.mark.parametrize(
    ("experiment", "level_by"),
    [(measure_inertia.dam, 600), (measure_inertia.u_tube, 1500), (measure_inertia.vessels, 2000)],
)
def test_water_comes_to_lie_level_and_rests(experiment: Callable[[], dict[str, float]], level_by: int) -> None:
    """Measured: level from tick 531, 289 and 735 on, settled at 1,729, 1,425 and 1,519, at most 1.42 cells of mass."""
    found = experiment()
    assert found["level from"] <= level_by
    assert found["settled"] <= 10_000
    assert found["most mass"] < 1.5


@pytest.mark.long("450 ticks each")
@pytest.mark.parametrize("tenths", [3, 4])
def test_water_that_leaves_a_cliff_flies_an_arc(tenths: int) -> None:
    """Measured: 1.03 times the distance of free fall. Slower water is pushed over the edge by the water behind it."""
    assert 0.9 < measure_inertia.arc(tenths) < 1.1


@pytest.mark.long("holes at three depths")
def test_water_in_holes_is_as_fast_as_the_page_says() -> None:
    """Measured: 0.65, 0.68 and 0.65 times sqrt(2 g h) (Torricelli), so that it goes with the root of the depth."""
    shares = [measure_inertia.hole(depth) for depth in measure_inertia.DEPTHS]
    assert 0.6 < min(shares) <= max(shares) < 0.72


def test_a_surface_and_a_momentum_that_alternate_by_columns_even_out() -> None:
    """They lose nine tenths of that within 40 ticks."""
    world = basin(12, 60)
    world["mass"][4:10, 1:59] = FULL + 2 * rest_step(world) * np.arange(6)[:, None]
    teeth = np.where(np.arange(1, 59) % 2, 1, -1)
    world["mass"][4, 1:59] = FULL // 2 + teeth * (FULL // 4)
    world["momentum"][5:10, 1:59] = encoded(teeth[:, None] * np.array([FULL // 50, FULL // 50]))
    with Simulation(world) as sim:
        sim.step(40)
        after = sim.read()
    for found, first in (
        (np.minimum(after["mass"][:10, 1:59], FULL).sum(0), FULL / 4),
        (decoded(after["momentum"][7, 1:59, 0]), FULL / 50),
        (decoded(after["momentum"][7, 1:59, 1]), FULL / 50),
    ):
        assert np.abs(2 * found[1:-1] - found[:-2] - found[2:]).max() / 4 < first / 10


def rest_step(world: World) -> int:
    """Half of what a cell of still water holds more than the cell above, in units."""
    return int(world.fixed("inertia")["acceleration"])


@pytest.mark.long("1,200 ticks of a cascade")
def test_a_pool_beside_a_stream_does_not_alternate_by_columns() -> None:
    """Beside the stream. Measured: 3 % to the left of it and 2 % to the right; without smoothing 68 and 55 %."""
    with Simulation(load("cascade_with_momentum")) as sim:
        for _ in range(2):
            sim.step(600)
            rows = np.minimum(sim.read()["mass"][5:26], FULL).sum(0) / FULL
            assert odd_even_share(rows[:7]) < 0.05
            assert odd_even_share(rows[11:20]) < 0.05


@pytest.mark.long("two scenes, each tick read back")
@pytest.mark.parametrize(("name", "ticks"), [("leaking_tank_with_momentum", 400), ("cascade_with_momentum", 600)])
def test_a_jet_on_a_floor_presses_no_cell_to_one_and_a_half(name: str, ticks: int) -> None:
    """Measured: 1.48 at tick 115 of the tank, whose jets hit dry floors; 1.65 if the water on them did not resist."""
    with Simulation(load(name)) as sim:
        most = 0
        for _ in range(ticks):
            sim.step()
            most = max(most, int(sim.read()["mass"].max()))
    assert most < 1.5 * FULL


@pytest.mark.long("350 ticks each")
@pytest.mark.parametrize("rate", [0.05, 0.08, 0.15])
def test_what_falls_is_not_striped(rate: float) -> None:
    """A stream gathers into drops of some twenty rows. Cells in bars by the measure of ``tools/stripes.py``.

    Measured: at most 0.4 % of the cells in horizontal bars, and 25 to 29 % in vertical ones; 51 to 77 % when thin cells
    within a stream gave their water to a side, so that it split into strings.
    """
    world = basin(120, 20)
    world.emitters = (Emitter((8, 2), (4, 2), rate=rate),)
    measured = []
    with Simulation(world) as sim:
        sim.step(250)
        for _ in range(10):
            sim.step(10)
            measured.append(bar_shares(sim.read()["mass"][6:100] > FULL // 4, world.solid[6:100]))
    horizontal, vertical = np.mean(measured, axis=0)
    assert horizontal < 0.01
    assert vertical < 0.4


def test_what_leaves_over_an_open_edge_takes_its_momentum_along() -> None:
    """A drop that flies over the edge without weight keeps its speed until the last of it has left."""
    world = World(12, 16, RULES, edges="open", gravity="off", parameters={"inertia": {"drag": 0.0}})
    world["mass"][4:8, 8:12] = FULL // 2
    world["momentum"][4:8, 8:12, 0] = encoded(np.array(FULL // 8))
    with Simulation(world) as sim:
        while sim.tick < 60:
            sim.step()
            state = sim.read()
            mass, momentum = state["mass"].sum(dtype=np.int64), decoded(state["momentum"])[..., 0].sum()
            if mass > FULL:
                assert 0.225 < momentum / mass < 0.26
        assert sim.ledger.left > 8 * FULL - 1000  # a film of single units has no momentum and stays
    assert not state["momentum"].any()


def test_water_that_a_force_slows_down_loses_more_momentum_than_water_that_it_drives() -> None:
    """In a channel whose pressure falls to the right, beside one without drag: it loses 16 times as much."""
    lost = []
    for sign in (1, -1):
        total = []
        for drag in (0.0, 0.0625):
            world = World(3, 40, RULES, parameters={"inertia": {"drag": drag}})
            world["material"][2] = world.materials["wall"]
            world["mass"][1] = FULL + 4000 * np.arange(40, 0, -1)
            world["momentum"][1, :, 0] = sign * encoded(np.array(100_000))
            oracle.tick(world)
            total.append(int(decoded(world["momentum"])[1, 4:-4, 0].sum()))
        lost.append(abs(total[0] - total[1]))
    assert 12 * lost[0] < lost[1] < 20 * lost[0]


def test_what_flows_takes_along_as_much_momentum_as_arrives() -> None:
    """In the air, without weight and drag; momentum of less than 2048 units is stored exactly."""
    world = World(12, 16, RULES, edges="wrap", parameters={"inertia": {"acceleration": 0.0, "drag": 0.0}})
    rng = np.random.default_rng(3)
    world["mass"][...] = rng.integers(FULL // 4, FULL // 2, (12, 16))
    world["momentum"] = encoded(rng.integers(-1500, 1500, (12, 16, 2)))
    before, mass = decoded(world["momentum"]).sum((0, 1)), world["mass"].copy()
    oracle.tick(world)
    assert (world["mass"] != mass).mean() > 0.9
    np.testing.assert_array_equal(decoded(world["momentum"]).sum((0, 1)), before)


@pytest.mark.long("three worlds")
def test_a_deeper_hole_throws_its_jet_farther() -> None:
    """The jet lands farther from the wall, at depths of 4, 8 and 16 rows."""
    reached = []
    for depth in (4, 8, 16):
        world = basin(56, 60)
        wall = world.materials["wall"]
        world["material"][30, :12] = world["material"][:30, 12] = wall  # a tank that stands on a shelf
        world["material"][28:30, 12] = 0
        world["mass"][28 - depth : 30, 1:12] = FULL
        full = Emitter((1, 28 - depth), (11, 1), rate=1.0)
        world.emitters = (full,)
        with Simulation(world) as sim:
            sim.step(150)
            row = sim.read()["mass"][46, 13:-1].astype(np.int64)
        reached.append((row * np.arange(len(row))).sum() / row.sum())
    assert reached[0] + 1 < reached[1]
    assert reached[1] + 1 < reached[2]


@pytest.mark.parametrize(("luck", "rows"), [(557, -3), (553, 3), (646, 3), (1085, -3)])
def test_a_cell_three_rows_away_can_change_the_next_state(luck: int, rows: int) -> None:
    """About one in two thousand cells: the third cell presses the second, so that the first sends it more or less.

    The first then has more to share out than it holds, and sends the cell another part.
    """
    rng = np.random.default_rng(luck)
    world = moving_water(9, 40, luck=luck, walls=0, most=2 * FULL)
    world["momentum"] = encoded(rng.integers(-(1 << 20), 1 << 20, (9, 40, 2)))
    other = world.copy()
    other["mass"][4 + rows] = rng.integers(0, 2 * FULL, 40)
    oracle.tick(world)
    oracle.tick(other)
    assert (world["mass"][4] != other["mass"][4]).any()


def test_water_is_emitted_before_it_moves_and_drained_after() -> None:
    """An emitter that lies on a drain lets water out, and nothing is left in a drain that takes everything."""
    world = basin(18, 20)
    world.emitters = (Emitter((8, 4), rate=0.5),)
    world.drains = (Drain((8, 4)), Drain((8, 15), (4, 1)))
    with Simulation(world) as sim:
        for _ in range(60):
            sim.step()
            mass = sim.read()["mass"]
            assert mass[4, 8] == 0
            assert (mass[15, 8:12] == 0).all()
        assert sim.ledger.drained > FULL
        assert mass.sum() > 0


def test_what_a_drain_takes_has_its_share_of_the_momentum() -> None:
    """The rest keeps its speed, to two parts in a thousand; a drain that takes everything leaves nothing."""
    world = moving_water(20, 30, walls=0, most=2 * FULL)
    mass, momentum = world["mass"].astype(np.int64), decoded(world["momentum"])
    world.drains = (Drain((0, 0), (30, 10), rate=0.25), Drain((0, 10), (30, 10)))
    for call in world.schedule().calls(0):
        if call.pass_.name == "drain":
            oracle.apply(world, call)
    left, rest = world["mass"].astype(np.int64), decoded(world["momentum"])
    assert world.total() < mass.sum() - 100 * FULL
    assert not left[10:].any()
    assert not rest[10:][mass[10:] > 0].any()
    slow = (left > FULL // 16)[..., None] & (abs(momentum) > 10_000)
    assert slow[:10].sum() > 50
    expected = momentum * left[..., None] / np.maximum(mass, 1)[..., None]
    np.testing.assert_allclose(rest[slow], expected[slow], rtol=0.002)


def test_an_emitter_throws_its_water() -> None:
    """Water that is thrown up and to the right gains the momentum of its velocity, and lands on the right."""
    fields = {}
    for velocity in (None, (0.5, -0.5)):
        world = basin(40, 60)
        world.emitters = (Emitter((20, 30), (2, 2), rate=0.5, velocity=velocity, until=100),)
        first = world.copy()
        oracle.apply(first, next(first.schedule().calls(0)))
        assert first["mass"][30, 20] == FULL // 2
        given = np.array(velocity or (0, 0)) * (FULL // 2)
        np.testing.assert_array_equal(decoded(first["momentum"])[30, 20], given)
        with Simulation(world) as sim:
            sim.step(100)
            fields[velocity] = sim.read()["mass"].astype(np.int64)
    at_rest, thrown = fields.values()
    assert at_rest[:29].sum() < FULL // 100
    assert thrown[:25].sum() > FULL
    assert thrown[:, 30:].sum() > 0.5 * thrown.sum()


def test_a_wall_painted_into_a_stream_stops_it_and_still_conserves() -> None:
    world = dam()
    with Simulation(world) as sim:
        sim.step(40)
        painted = sim.read()
    painted["material"][:, 24] = painted.materials["wall"]
    for name in ("mass", "momentum"):
        painted[name][:, 24] = 0
    before = painted.total()
    beyond = int(painted["mass"][:, 25:].sum(dtype=np.int64))
    with Simulation(painted) as sim:
        sim.step(200)
        after = sim.read()
    assert after.total() == before
    assert after["mass"][:, 25:].sum(dtype=np.int64) == beyond


def test_codes_of_momentum_keep_small_numbers_and_round_large_ones_toward_zero() -> None:
    numbers = np.concatenate([np.arange(5000), np.geomspace(5000, LARGEST, 5000).astype(np.int64), [LARGEST]])
    found = decoded(encoded(numbers))
    np.testing.assert_array_equal(found[:2048], numbers[:2048])
    assert (found <= numbers).all()
    assert (numbers - found <= numbers // 1024).all()
    np.testing.assert_array_equal(decoded(encoded(-numbers)), -found)
    codes = np.arange(-LARGEST_CODE, LARGEST_CODE + 1, dtype=np.int16)
    small = abs(codes.astype(int)) < 11 << 10  # these can hold fractions, which are dropped
    np.testing.assert_array_equal(encoded(decoded(codes))[~small], codes[~small])


@pytest.mark.parametrize("velocity", mostly_long([0.5, 3.0], 3.0, why="the same jet with another speed"))
@pytest.mark.parametrize("size", mostly_long([(4, 6), (1, 8)], (1, 8), why="the same jet from another emitter"))
def test_a_jet_has_a_smooth_edge_and_does_not_drip(velocity: float, size: tuple[int, int]) -> None:
    """Next to no water is above or behind the emitter; the upper edge goes down by at most a row a column."""
    world = World(80, 70, RULES, edges="open", emitters=[Emitter((10, 20), size, velocity=(velocity, 0.0))])
    with Simulation(world) as sim:
        sim.step(120)
        mass = sim.read()["mass"]
    assert mass[:20].max() < FULL // 100
    assert mass[:, :10].max() < FULL // 100
    edge = np.argmax(mass[:, 12:55] > FULL // 10, axis=0)
    assert set(np.diff(edge).tolist()) <= {0, 1}
