"""Workloads have their documented properties at any size, and keep them while they are measured."""

from __future__ import annotations

import numpy as np
import pytest
from support.selection import mostly_long

from gpufluid import Simulation, World
from gpufluid.benchmark.workload import RUN_TICKS, Workload, independent_rules, joint_workloads, noise, workloads_of
from gpufluid.core.packing import any_component
from gpufluid.rules import RULES, with_requirements

pytestmark = pytest.mark.usefixtures("device")

GROUPS = [*map(with_requirements, RULES), with_requirements("pressure", ["mixture"]), independent_rules(tuple(RULES))]
ALL = [
    pytest.param(rules, each, id=f"{'+'.join(rules)} {each.name}")
    for rules in GROUPS
    for each in joint_workloads(rules)
]
SHORT_GROUPS = mostly_long(
    GROUPS, ("flow",), ("mixture",), why="programs of its own; the short run has a rule of cells and one of amounts"
)
SIDE = 64


def changing(sim: Simulation) -> np.ndarray:
    """Run a tick. Returns the cells that it changed, (height, width) bool."""
    before = sim.read()
    sim.step()
    after, found = sim.read(), np.zeros((before.height, before.width), bool)
    for name in after.fields:
        found |= any_component(name, after[name] != before[name])
    return found


def the(rules: tuple[str, ...], name: str) -> Workload:
    return next(workload for workload in joint_workloads(rules) if workload.name == name)


@pytest.mark.parametrize("rules", GROUPS, ids="+".join)
def test_each_rule_has_the_five_workloads(rules: tuple[str, ...]) -> None:
    assert [workload.name for workload in joint_workloads(rules)] == ["dense", "typical", "settled", "sparse", "empty"]


def test_independent_rules_need_no_other_rule_and_share_a_world() -> None:
    assert independent_rules(("flow", "atoms", "heat", "mixture", "pressure")) == ("flow", "atoms")
    assert independent_rules(("mixture", "flow", "atoms")) == ("mixture", "atoms")


def test_a_rule_without_a_workload_file_has_none() -> None:
    assert workloads_of("weather") == ()


@pytest.mark.parametrize(("rules", "workload"), ALL)
@pytest.mark.parametrize("size", [(32, 32), (50, 34)], ids=str)
def test_each_workload_is_valid_at_any_size_and_reproducible(
    rules: tuple[str, ...], workload: Workload, size: tuple[int, int]
) -> None:
    world = workload.make(*size)
    world.validate()
    assert (world.width, world.height, world.rules) == (*size, rules)
    assert world.digest() == workload.make(*size).digest()


@pytest.mark.parametrize("rules", SHORT_GROUPS, ids="+".join)
def test_dense_changes_in_every_tile_after_200_ticks(rules: tuple[str, ...]) -> None:
    with Simulation(the(rules, "dense").make(SIDE, SIDE)) as sim:
        sim.step(200)
        busy = changing(sim) | changing(sim)
    tiles = busy.reshape(SIDE // 16, 16, SIDE // 16, 16).any(axis=(1, 3))
    assert tiles.all()
    assert busy.mean() > 0.3


@pytest.mark.parametrize("rules", SHORT_GROUPS, ids="+".join)
def test_typical_moves_during_its_course(rules: tuple[str, ...]) -> None:
    workload = the(rules, "typical")
    assert workload.run_ticks == RUN_TICKS
    with Simulation(workload.make(SIDE, SIDE)) as sim:
        assert changing(sim).mean() > 0.5
        sim.step(RUN_TICKS // 8)  # a small world settles before the end of a run
        assert changing(sim).any()


@pytest.mark.parametrize("name", ["settled", "empty"])
@pytest.mark.parametrize("rules", SHORT_GROUPS, ids="+".join)
def test_settled_and_empty_are_settled_after_8_ticks(rules: tuple[str, ...], name: str) -> None:
    world = the(rules, name).make(SIDE, SIDE)
    with Simulation(world) as sim:
        sim.step(8)
        assert sim.settled
        after = sim.read()
    for field in world.fields:
        np.testing.assert_array_equal(after[field], world[field])


@pytest.mark.parametrize(
    "rules", mostly_long(GROUPS, ("flow",), GROUPS[-1], why="160 ticks of a world of many tiles"), ids="+".join
)
def test_sparse_changes_at_most_a_hundredth_of_its_cells_in_spread_places(rules: tuple[str, ...]) -> None:
    side = 200
    with Simulation(the(rules, "sparse").make(side, side)) as sim:
        sim.step(150)
        busy = np.zeros((side, side), bool)
        for _ in range(12):
            busy |= changing(sim)
    assert 0.004 < busy.mean() <= 0.01
    rows, columns = (np.flatnonzero(busy.any(axis=axis)) for axis in (1, 0))
    assert np.ptp(rows) > side / 3  # the changes are spread over the world
    assert np.ptp(columns) > side / 3


def test_in_a_joint_world_each_rule_has_its_own_band() -> None:
    world = the(("flow", "atoms"), "typical").make(SIDE, SIDE)
    wall = world.materials["wall"]
    assert (world["material"][:, [0, 1, 32, 33]] == wall).all()
    assert world["mass"][:, 2:32].any()
    assert not world["mass"][:, 34:].any()
    assert world["grain"][:, 34:].any()
    assert not world["grain"][:, 2:32].any()


def test_noise_is_uniform_and_has_a_long_period() -> None:
    drawn = noise(2048, 1100, 1, 3)
    assert drawn.shape == (1100, 2048)
    assert np.abs(np.bincount(drawn.ravel()) / drawn.size - 1 / 3).max() < 0.002
    np.testing.assert_array_equal(drawn[:76], drawn[1024:])
    assert (drawn[:512, :512] != drawn[512:1024, :512]).mean() > 0.6


def test_a_world_of_a_rule_has_no_more_fields_than_the_rule() -> None:
    assert isinstance(the(("flow",), "empty").make(SIDE, SIDE), World)
    assert set(the(("flow",), "empty").make(SIDE, SIDE).fields) == set(RULES["flow"].fields)
