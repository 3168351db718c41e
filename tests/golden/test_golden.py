"""Golden digests: the first and a later state of each golden scene have the kept digests, and equal the oracle.

States are integers, so a digest is equal on every renderer, without tolerance. If the first digest differs,
the scene has changed. If only the later digest differs, a rule or a parameter of the scene has changed.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from support.scenes import (
    DIGESTS_IN_SHORT,
    GOLDEN,
    all_ports_were_used,
    assert_balanced,
    assert_next_tick_equals_oracle,
    has_a_ledger,
    rules_of,
)
from support.selection import mostly_long

from gpufluid import Simulation, oracle, scene
from gpufluid.benchmark.workload import joint_workloads
from gpufluid.rules import RULES, with_requirements

DIGESTS = Path(__file__).with_name("digests.json")
KEPT: dict[str, dict[str, str]] = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
EARLY = (0, 100)
LATEST = 800
"""Largest number of ticks before the later digest; by then every scene is in full motion."""
LONG_WAITS = {"cascade", "cascade_with_momentum", "fountain", "labyrinth_with_momentum", "open_world"}
"""Scenes in which a drain or an open edge is first used later than that."""
UNDER_WAY = {"acid_lake": 300, "salt_lake": 500, "volcano_island": 300}
"""The tick after which the oracle is compared; by default after two thirds of the ticks, when fires burn."""
UPDATE = "run: pytest tests/golden --update-golden"


IN_ALL_VARIANTS = [
    *("seed_000", "communicating_vessels", "cascade", "gravity_up", "bubbles", "sand_pile", "waterfall"),
    *("wood_fire", "lava_meets_water", "closed_cycle", "dam_with_momentum"),
]
"""Small scenes, among them some with ports, open edges and gravity upwards."""
IN_WORKLOADS = [rule for rule in RULES if rule not in rules_of(IN_ALL_VARIANTS)]
"""The rules without such a scene, of which the short run compares the variants in a workload."""


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", mostly_long(GOLDEN, *DIGESTS_IN_SHORT, why="up to 800 ticks of a scene like others"))
def test_a_golden_scene_keeps_its_digests(name: str, request: pytest.FixtureRequest, record_property) -> None:
    """The ledgers must balance too, and one later tick must equal that of the oracle."""
    found = {}
    loaded = scene.read(scene.find(name))
    last = min(loaded.ticks, LATEST)
    with Simulation(loaded.world) as sim:
        for tick in (*EARLY, last):
            if tick == last:
                assert_next_tick_equals_oracle(sim, UNDER_WAY.get(name, last * 2 // 3))
            sim.step(tick - sim.tick)
            found[str(tick)] = sim.digest()
            assert_balanced(loaded.world, sim.read())
        if has_a_ledger(loaded.world):
            assert all_ports_were_used(loaded.world, sim.read()) == (name not in LONG_WAITS)
    if request.config.getoption("update_golden", default=False):
        record_property("golden", (name, found))
        return
    assert name in KEPT, f"scene {name} is golden and has no digest yet; {UPDATE}"
    assert found == KEPT[name], f"the state of {name} has changed; if it was meant to, {UPDATE}"


def test_every_kept_digest_has_its_scene(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("update_golden", default=False):
        assert sorted(KEPT) == GOLDEN, UPDATE


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "name",
    mostly_long(
        IN_ALL_VARIANTS,
        "seed_000",
        why="other rules or ports; tests/property/test_sleep.py and test_reaction_laws.py compare the variants of each",
    ),
)
def test_every_variant_gives_the_kept_digest(name: str) -> None:
    world = scene.read(scene.find(name)).world
    for names in product(*([each.name for each in RULES[rule].variants] for rule in world.rules)):
        variant = dict(zip(world.rules, names, strict=True))
        with Simulation(world, variant=variant) as sim:
            sim.step(EARLY[-1])
            assert sim.digest() == KEPT[name][str(EARLY[-1])], variant


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "rule", mostly_long(RULES, *IN_WORKLOADS, why="golden scenes compare the variants of this rule in the short run")
)
def test_every_variant_equals_the_oracle_in_the_dense_workload_of_its_rule(rule: str) -> None:
    """So the variants of a new rule are compared before a golden scene has it."""
    dense = next(each for each in joint_workloads(with_requirements(rule)) if each.name == "dense")
    twin = oracle.step(dense.make(34, 50), 12)
    for variant in RULES[rule].variants:
        with Simulation(dense.make(34, 50), variant={rule: variant.name}) as sim:
            sim.step(12)
            assert sim.digest() == twin.digest(), variant.name


def test_every_rule_of_a_golden_scene_has_one_that_compares_its_variants() -> None:
    assert rules_of(IN_ALL_VARIANTS) == rules_of(GOLDEN)
