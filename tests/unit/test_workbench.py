"""`Workbench`: cells are read and written, and states restored, while it runs."""

from __future__ import annotations

import numpy as np
import pytest
from support.scenes import assert_balanced
from support.worlds import random_atoms, random_world

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import UsageError, WorldError
from gpufluid.core.fields import TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")
WORLDS = pytest.mark.parametrize("world", [random_world(20, 30), random_atoms(20, 30, gravity="left")], ids=repr)


@WORLDS
def test_a_window_equals_its_part_of_the_world(world: World) -> None:
    with Workbench(world) as sim:
        sim.step(3)
        whole = sim.read()
        for (x, y), (width, height) in (((0, 0), (30, 20)), ((7, 3), (1, 1)), ((11, 2), (5, 18))):
            window = sim.read_window((x, y), (width, height))
            assert set(window) == set(world.fields)
            for name, array in window.items():
                np.testing.assert_array_equal(array, whole[name][y : y + height, x : x + width])


@WORLDS
def test_writing_a_window_changes_only_its_cells(world: World) -> None:
    with Workbench(world) as sim:
        sim.step(2)
        before = sim.read()
        arrays = {name: np.zeros_like(array) for name, array in sim.read_window((4, 5), (6, 7)).items()}
        arrays["material"][2, 3] = world.materials["stone"]
        sim.write_window((4, 5), arrays)
        after = sim.read()
        for name in world.fields:
            before[name][5:12, 4:10] = arrays[name]
            np.testing.assert_array_equal(after[name], before[name])
        after.validate()


@WORLDS
@pytest.mark.parametrize(("at", "size"), [((-1, 0), (2, 2)), ((29, 0), (2, 1)), ((0, 0), (0, 1)), ((0, 19), (1, 2))])
def test_a_window_outside_the_world_is_refused(world: World, at: tuple[int, int], size: tuple[int, int]) -> None:
    with Workbench(world) as sim, pytest.raises(UsageError, match="not all inside the world"):
        sim.read_window(at, size)


def test_an_invalid_cell_is_refused() -> None:
    with Workbench(random_atoms(8, 8)) as sim:
        before = sim.digest()
        arrays = sim.read_window((0, 0), (2, 2))
        arrays["material"][:] = 0
        arrays["velocity"][:] = 5
        with pytest.raises(WorldError, match="in an empty cell"):
            sim.write_window((0, 0), arrays)
        assert sim.digest() == before


@WORLDS
def test_a_restored_state_has_the_same_later_ticks(world: World) -> None:
    with Workbench(world) as sim:
        sim.step(4)
        then = sim.read()
        sim.step(9)
        later = sim.digest()
        sim.restore(then)
        assert (sim.digest(), sim.tick) == (then.digest(), 4)
        assert not sim.settled
        sim.step(9)
        assert sim.digest() == later


def test_a_state_of_other_laws_is_refused() -> None:
    with Workbench(random_world(9, 9)) as sim, pytest.raises(UsageError, match="other laws"):
        sim.restore(random_world(9, 9, edges="open"))


def test_sand_painted_into_a_world_at_rest_falls() -> None:
    with Workbench(World(12, 12, ("atoms",))) as sim:
        sim.step(20)
        assert sim.settled
        arrays = sim.read_window((5, 1), (1, 1))
        arrays["material"][:] = sim.blank.materials["sand"]
        sim.write_window((5, 1), arrays)
        assert not sim.settled
        sim.step(20)
        assert sim.read()["material"][11, 5] == sim.blank.materials["sand"]


@WORLDS
def test_a_timed_step_gives_the_state_of_a_step(world: World) -> None:
    with Workbench(world) as sim, Workbench(world) as twin:
        spent = sim.timed_step()
        twin.step()
        assert (sim.tick, sim.digest()) == (1, twin.digest())
        assert set(spent) == {call.pass_.full_name for call in Simulation(world).calls()}
        assert min(spent.values()) > 0


@WORLDS
def test_host_cost_runs_the_ticks_that_it_measures(world: World) -> None:
    with Workbench(world) as sim, Workbench(world) as other:
        cost = sim.host_cost(6)
        other.step(6)
        assert 0 < cost < 1
        assert (sim.tick, sim.digest()) == (6, other.digest())


def test_ticks_equal_the_oracle_while_ports_start_and_end_and_other_worlds_run() -> None:
    """The calls of a tick are prepared once for each set of acting ports and each order of the swapped pairs."""
    water = Emitter((2, 2), (3, 1), material="water", start=3, until=6)
    sand = Emitter((9, 2), (3, 1), material="sand", start=5, velocity=(1.0, 0.0))
    ports = {"emitters": [water, sand], "drains": [Drain((0, 19), (30, 1), start=7)]}
    odd = {"atoms": {"substeps": 3}}  # together with the other gathers an odd number of swaps in a tick
    world = random_atoms(20, 30, parameters=odd, **ports)
    with Workbench(world) as sim, Workbench(random_atoms(20, 30)) as stranger:
        for tick in range(12):
            assert sim.digest() == oracle.step(world, tick).digest()
            sim.step()
            stranger.step()
        sim.restore(world)
        sim.step(11)
        assert sim.digest() == oracle.step(world, 11).digest()


def warm_block() -> World:
    """Ice, water, a wall and an empty cell in a row, at 20 degrees C."""
    world = World(16, 24, rules=("atoms", "heat"), parameters={"heat": {"air": 0.0}})
    world["material"][12:, :8] = world.materials["ice"]
    world["material"][12:, 8:16] = world.materials["water"]
    world["material"][12:, 16:] = world.materials["wall"]
    world["temperature"][12:] = 20 * TEMPERATURE_ONE
    world["temperature"][12:, :8] = -10 * TEMPERATURE_ONE
    return world


@pytest.mark.parametrize("degrees", [12.5, -30, 5000 / 8])
def test_warm_gives_exact_and_counted_heat(degrees: float) -> None:
    first = warm_block()
    cells = np.zeros((9, 14), bool)
    cells[2:8, 1:13] = True
    with Workbench(first) as sim:
        given = sim.warm((4, 6), cells, degrees)
        there = np.zeros((16, 24), bool)
        there[8:14, 5:17] = True
        there &= first["material"] != 0
        now = sim.read()
        assert given == there.sum() * degrees * TEMPERATURE_ONE == now.heat.given
        np.testing.assert_array_equal(now["temperature"], first["temperature"] + there * int(8 * degrees))
        sim.warm((4, 6), cells, -degrees)
        assert sim.read().heat.given == 0
        np.testing.assert_array_equal(sim.read()["temperature"], first["temperature"])


@pytest.mark.long("programs of its own; strokes that warm are in tests/oracle/test_edit.py")
def test_warming_during_a_run_equals_the_oracle_and_its_ledger_balances() -> None:
    """Warming wakes the tiles of ice at rest, so that the ice melts."""
    first = warm_block()
    cells = np.ones((4, 4), bool)
    with Workbench(first) as sim:
        sim.step(200)
        twin = sim.read()
        for _ in range(30):
            sim.warm((2, 12), cells, 20.0)
            twin["temperature"][12:16, 2:6] += 160
            sim.step(2)
            twin = oracle.step(twin, 2)
            assert sim.digest() == twin.digest()
        now = sim.read()
        assert now.heat.given == 30 * 16 * 160
        assert first.heat_held() + now.heat.balance == now.heat_held() == sim.statistics().heat
        assert (now["material"] == now.materials["water"]).sum() > (first["material"] == first.materials["water"]).sum()


def test_warm_keeps_temperatures_within_their_range() -> None:
    with Workbench(warm_block()) as sim:
        units = sim.warm((0, 15), np.ones((1, 24), bool), 4273)
        assert sim.statistics().hottest == TEMPERATURE_MOST
        assert units == sim.heat.given == 24 * TEMPERATURE_MOST - 8 * (8 * -10 + 2 * 8 * 20)
        sim.warm((0, 15), np.ones((1, 24), bool), -4273)
        assert sim.statistics().coldest == -273 * TEMPERATURE_ONE
        assert sim.read().heat.given == sim.statistics().heat - warm_block().heat_held()


def test_warm_gives_heat_to_water_by_mass_in_proportion_to_its_mass() -> None:
    """Counted in its own ledger to the unit; water at an end of the scale gets no more."""
    first = World(4, 6, rules=("flow", "atoms", "heat"))
    first["mass"][2, :4] = [FULL, FULL // 2, 5000, 3 * FULL]
    first["material"][2, 4] = first.materials["stone"]
    first["temperature"][2, 4] = 20 * TEMPERATURE_ONE
    with Workbench(first) as sim:
        given = sim.warm((0, 1), np.ones((2, 6), bool), 10.5)
        now = sim.read()
        assert given == now.heat.given == 84
        assert now["water_heat"][2].tolist() == [84 * 1024, 84 * 512, 84 * 4, 3 * 84 * 1024, 0, 0]
        assert now.ledgers["water_heat"].given == now.total("water_heat") == now["water_heat"].sum()
        sim.warm((0, 1), np.ones((2, 6), bool), 4273)
        assert sim.read()["water_heat"][2, :3].tolist() == [31840 * 1024, 31840 * 512, 31840 * 4]
        sim.warm((0, 1), np.ones((2, 6), bool), -4273)
        sim.warm((0, 1), np.ones((2, 6), bool), -4273)
        now = sim.read()
        assert now["water_heat"][2, :3].tolist() == [-2344 * 1024, -2344 * 512, -2344 * 4]
        assert_balanced(first, now)


def test_warm_gives_heat_to_a_mixture_in_proportion_to_all_its_parts() -> None:
    first = World(4, 6, rules=("mixture", "atoms", "heat"))
    first["mixture"][:2, 2, :2] = [[FULL, FULL // 2], [FULL // 2, 0]]
    with Workbench(first) as sim:
        assert sim.warm((0, 1), np.ones((2, 6), bool), 10.5) == 0
        now = sim.read()
        assert now["water_heat"][2].tolist() == [84 * 1024 * 3 // 2, 84 * 512, 0, 0, 0, 0]
        assert now.ledgers["water_heat"].given == now.total("water_heat")
        assert_balanced(first, now)


@pytest.mark.parametrize(
    ("world", "at", "degrees", "said"),
    [
        (random_atoms(16, 24), (0, 0), 1.0, "warm: a world without temperatures"),
        (warm_block(), (20, 0), 1.0, "not all inside the world"),
        (warm_block(), (0, 0), float("nan"), "warm: nan; expected a number of degrees from -4273 to 4273"),
        (warm_block(), (0, 0), "hot", "warm: 'hot'; expected a number"),
    ],
    ids=["cold", "outside", "nan", "word"],
)
def test_warm_refuses_invalid_worlds_places_and_degrees(
    world: World, at: tuple[int, int], degrees: object, said: str
) -> None:
    with Workbench(world) as sim, pytest.raises(UsageError, match=said):
        sim.warm(at, np.ones((8, 8), bool), degrees)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("cells", "degrees", "words"),
    [
        ([[True, True]], 5, "warm: cells: .* expected an array of bool"),
        (np.ones((2, 2), np.int64), 5, "warm: cells: .* expected an array of bool"),
        (np.ones(4, bool), 5, "warm: cells: .* expected an array of bool"),
        (np.ones((2, 2), bool), True, "warm: True; expected a number of degrees"),
    ],
    ids=["a list", "numbers", "a row", "no degrees"],
)
def test_warm_refuses_invalid_masks(cells: object, degrees: float, words: str) -> None:
    with Workbench(World(4, 4, ("atoms", "heat"))) as sim, pytest.raises(UsageError, match=f"(?s){words}"):
        sim.warm((0, 0), cells, degrees)
