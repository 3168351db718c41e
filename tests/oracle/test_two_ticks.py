"""Rule flow, two ticks in one run of the pass: the state, ledger and activity are those of two ticks of the oracle."""

from __future__ import annotations

import pytest
from support.selection import crossed, mostly_long
from support.worlds import assert_equal, random_world

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.runtime import planning
from gpufluid.runtime.running import Runner
from gpufluid.world.laws import EDGES, GRAVITIES

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture(autouse=True)
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of ticks of each run. Worlds of any size may pair ticks."""
    monkeypatch.setattr(planning, "TWO_TICKS_CELLS", 0)
    found: list[int] = []
    tick = Runner.tick

    def noted(self: Runner, number: int, until: float | None = None, ticks: int = 1) -> bool:
        found.append(ticks)
        return tick(self, number, until, ticks)

    monkeypatch.setattr(Runner, "tick", noted)
    return found


def follow(world: World, *steps: int, **how: object) -> None:
    """Run numbers of ticks, and compare state, ledger and activity with the oracle after each number."""
    with Simulation(world, **how) as sim:
        for ticks in steps:
            sim.step(ticks)
            for _ in range(ticks):
                tally = oracle.tick(world)
            assert_equal(sim, world)
            assert sim.activity() == tally.moved


@crossed(most=2, together=1, edges=EDGES, gravity=GRAVITIES, side=("left", "right", "alternate"))
def test_two_ticks_at_once_are_two_ticks(edges: str, gravity: str, side: str, runs: list[int]) -> None:
    laws = {"edges": edges, "gravity": gravity, "parameters": {"flow": {"side_order": side}}}
    follow(random_world(44, 36, walls=0.1, most=3 * FULL, **laws), 2, 5, 4)
    assert runs == [2, 2, 2, 1, 2, 2]


@crossed(most=2, together=1, strip=[(1, 1), (2, 32), (3, 5), (16, 2)], edges=EDGES)
def test_any_shape_of_strips_gives_the_same_state(strip: tuple[int, int], edges: str) -> None:
    follow(random_world(35, 21, edges=edges), 4, 3, strip=strip)


@pytest.mark.parametrize("edges", mostly_long(EDGES, "open", why="the same sizes at another edge"))
def test_the_smallest_worlds_give_the_same_state(edges: str, runs: list[int]) -> None:
    for size in ((4, 4), (5, 37), (130, 4), (3, 60)):
        follow(random_world(*size, walls=0.1, edges=edges), 4)
    assert runs == [2, 2] * 3 + [1] * 4


def test_ticks_in_which_a_port_acts_are_single(runs: list[int]) -> None:
    ports = {"emitters": [Emitter((3, 3), rate=0.5, start=5, until=7)], "drains": [Drain((9, 9), rate=0.5, start=10)]}
    follow(random_world(24, 36, **ports), 13)
    assert runs == [2, 2, 1, 1, 1, 2, 1, 1, 1, 1]


def test_a_world_in_which_other_passes_run_has_single_ticks(runs: list[int]) -> None:
    for rules in (("flow", "inertia"), ("flow", "atoms")):
        with Simulation(World(20, 20, rules=rules)) as sim:
            sim.step(2)
    with Simulation(random_world(20, 20, parameters={"flow": {"substeps": 2}})) as sim:
        sim.step(2)
    assert set(runs) == {1}


def test_tiles_wake_and_sleep_between_pairs_of_ticks(runs: list[int]) -> None:
    """A drop falls through sleeping tiles of a shaft, and comes to rest."""
    world = World(160, 8, rules=("flow",))
    world["material"][:, [2, 4]] = world.materials["wall"]
    world["mass"][1, 3] = 2 * FULL
    with Simulation(world) as sim:
        for ticks in (7, *[2] * 90, 1, *[2] * 20):
            sim.step(ticks)
            for _ in range(ticks):
                oracle.tick(world)
            assert_equal(sim, world)
        assert sim.settled
        with sim._current():
            noted = sim._runner.tiles["flow"].read_flag("changed")
        assert noted.any()
        assert (noted < sim.tick - 2).all()
    assert sorted(set(runs)) == [1, 2]


def test_what_leaves_in_the_first_of_two_ticks_is_counted_and_no_change_of_the_second() -> None:
    world = World(6, 8, rules=("flow",), edges="open")
    world["mass"][5, 3] = FULL // 1000
    follow(world, 2)
    assert world.ledger.left == FULL // 1000
    with Simulation(world) as sim:
        sim.step(2)
        assert sim.settled
