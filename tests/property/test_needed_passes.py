"""Passes that need matter which a world cannot come to have do not run, and the state does not depend on that.

The oracle runs these passes, too, so a world that follows the oracle shows that none was missing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.following import follow_by_ticks
from support.selection import crossed, mostly_long
from support.worlds import assert_equal, random_atoms

from gpufluid import Emitter, Simulation, World, oracle
from gpufluid.gpu.device import Device
from gpufluid.gpu.preparing import Preparing
from gpufluid.matter.materials import SHIPPED_TABLE
from gpufluid.rules import RULES
from gpufluid.runtime.editing import Workbench
from gpufluid.runtime.planning import Planner
from gpufluid.world.kinds import kinds_among, possible_materials

SPREAD = {"atoms.find_run_ends", "atoms.find_drops", "atoms.form_drops", "atoms.seek", "atoms.spread"}
BODIES = {"atoms.touch", "atoms.join", "atoms.bounce"}
SINK = {"atoms.weigh", "atoms.sink"}
REACT = {"reactions.react", "reactions.decay"}
ALL_RULES = ("atoms", "heat", "reactions")


def timed(sim: Workbench) -> set[str]:
    """The names of the passes that run in a tick."""
    return set(sim.timed_step())


@pytest.mark.parametrize(
    ("materials", "rules", "missing"),
    [
        (("sand", "stone"), ("atoms",), SPREAD | BODIES | SINK),
        (("water", "wall"), ("atoms",), BODIES | SINK),
        (("sand", "water"), ("atoms",), BODIES),
        (("rubber", "stone"), ("atoms",), SPREAD - {"atoms.find_run_ends"} | SINK),
        (("rubber", "water"), ("atoms",), set()),
        (("gravel", "wall"), ALL_RULES, SPREAD | BODIES | SINK | {"heat.transition"} | REACT),
        (("ice",), ("atoms", "heat"), BODIES),
    ],
)
def test_passes_without_matter_do_not_run(
    device: Device, materials: tuple[str, ...], rules: tuple[str, ...], missing: set[str]
) -> None:
    world = random_atoms(12, 16, rules=rules, kinds=materials)
    with Workbench(world, device) as sim:
        every = {call.pass_.full_name for call in sim.calls()}
        assert every - timed(sim) == missing
    with Workbench(world, device, any_matter=True) as sim:
        assert timed(sim) == every


@crossed(most=1, number=(0, -1), materials=(("sand", "stone"), ("water", "wall"), ("rubber", "gravel")))
def test_a_world_of_few_kinds_equals_the_oracle(number: int, materials: tuple[str, ...]) -> None:
    world = random_atoms(30, 36, kinds=materials)
    follow_by_ticks(world, 20, variant={"atoms": RULES["atoms"].variants[number].name})


@pytest.mark.parametrize(
    "number", mostly_long([0, -1], -1, why="another variant"), ids=["first variant", "last variant"]
)
def test_matter_of_a_new_kind_starts_its_passes(device: Device, number: int) -> None:
    """Painted, from an emitter, and of a state that is restored; in a world of which most tiles sleep."""
    world = World(40, 64, ("atoms",))
    world["material"][30:] = world.materials["sand"]
    variant = {"atoms": RULES["atoms"].variants[number].name}
    with Workbench(world, device, variant=variant) as sim:
        sim.step(20)
        assert timed(sim).isdisjoint(SPREAD | SINK | BODIES)
        assert_equal(sim, oracle.step(world, 21))

        pool = World(6, 10, ("atoms",))
        pool["material"][...] = pool.materials["water"]
        sim.write_window((30, 20), pool.complete_arrays())
        state = sim.read()
        assert timed(sim) >= {"atoms.seek", "atoms.sink"}
        sim.step(15)
        assert_equal(sim, oracle.step(state, 16))

        state = sim.read()
        state.emitters = (Emitter((4, 3), (3, 3), material="rubber"),)
        sim.replace_ports(state.emitters, ())
        sim.step(15)
        assert timed(sim) >= BODIES
        assert_equal(sim, oracle.step(state, 16))

    with Workbench(world, device, variant=variant) as sim:
        sim.step(3)
        sim.restore(state.copy())
        sim.step(8)
        assert_equal(sim, oracle.step(state, 8))


@pytest.mark.parametrize(
    "kinds",
    mostly_long(
        [("wood", "fire"), ("ice", "lava"), ("acid", "metal"), ("plant", "water", "soil")],
        *(("wood", "fire"), ("ice", "lava")),
        why="programs of its own for other materials",
    ),
)
def test_no_material_comes_that_was_not_possible(device: Device, kinds: tuple[str, ...]) -> None:
    world = random_atoms(48, 48, rules=ALL_RULES, kinds=kinds)
    at_first = set(np.unique(world["material"]).tolist())
    possible = possible_materials(world.laws, at_first)
    seen: set[int] = set()
    with Simulation(world, device) as sim:
        for _ in range(20):
            sim.step(8)
            seen |= set(np.unique(sim.read()["material"]).tolist())
    assert seen - {0} <= possible
    assert seen - at_first, "nothing new came, so this test shows nothing"
    assert len(possible) < len(world.materials) - 1


def test_what_an_age_records_may_be_any_material() -> None:
    """A cloner makes more of what its age records, and that may be anything."""
    world = World(8, 8, ALL_RULES)
    assert possible_materials(world.laws, {world.materials["cloner"]}) == set(range(1, len(world.materials)))


def test_a_rule_that_does_not_say_what_it_makes_may_make_any_material(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = World(8, 8, ("atoms", "heat")).laws
    sand = {SHIPPED_TABLE["sand"]}
    assert ("atoms", "bodies") not in kinds_among(laws, sand)
    monkeypatch.setitem(RULES, "heat", replace(RULES["heat"], makes=None))
    assert possible_materials(laws, sand) == set(range(1, len(SHIPPED_TABLE)))
    assert ("atoms", "bodies") in kinds_among(laws, sand)


def test_fewer_passes_are_prepared(device: Device) -> None:
    counts = []
    for any_matter in (False, True):
        heard: list[Preparing] = []
        with device.announcing(heard.append), Workbench(World(8, 8, ("atoms",)), device, any_matter=any_matter):
            counts.append(len(heard))
    assert counts[0] < counts[1]


def test_a_rule_that_emits_by_itself_may_bring_any_material(monkeypatch: pytest.MonkeyPatch) -> None:
    laws = World(8, 8, ("atoms", "heat")).laws
    variants = RULES["heat"].variants
    rain = [replace(each, passes=tuple(replace(p, counts=("emitted",)) for p in each.passes)) for each in variants]
    monkeypatch.setitem(RULES, "heat", replace(RULES["heat"], makes=None, variants=tuple(rain)))
    assert possible_materials(laws, {SHIPPED_TABLE["sand"]}) == set(range(1, len(SHIPPED_TABLE)))


@pytest.mark.parametrize("way", ["paint", "emit", "restore"])
def test_an_interrupted_compilation_changes_nothing(device: Device, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    world = World(24, 32, ("atoms",))
    world["material"][20:] = world.materials["sand"]
    pool = World(4, 6, ("atoms",))
    pool["material"][...] = pool.materials["water"]
    wet = world.copy()
    wet["material"][4:8, 4:10] = wet.materials["water"]
    springs = (Emitter((4, 3), (3, 3), material="water"),)
    with Workbench(world, device) as sim:
        sim.step(2)
        before = sim.read()
        act = {
            "paint": lambda: sim.write_window((4, 4), pool.complete_arrays()),
            "emit": lambda: sim.replace_ports(springs, ()),
            "restore": lambda: sim.restore(wet),
        }[way]
        with monkeypatch.context() as patch:
            patch.setattr(Planner, "_compile", interrupt)
            with pytest.raises(KeyboardInterrupt):
                act()
        assert_equal(sim, before)
        assert sim.blank.emitters == ()
        act()
        state = sim.read()
        state.emitters = sim.blank.emitters
        sim.step(12)
        assert_equal(sim, oracle.step(state, 12))


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt
