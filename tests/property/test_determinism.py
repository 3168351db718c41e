"""Law 1: the same world and the same ticks give the same digest, however the ticks are run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import moderngl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import assert_equal, random_world, worlds

from gpufluid import Drain, Emitter, Simulation, World, oracle

pytestmark = pytest.mark.usefixtures("device")


def busy_world(seed: int = 0, **laws: object) -> World:
    emitter, drain = Emitter((2, 0), (20, 2), chance=0.3, level=2.0), Drain((0, 30), (9, 3), rate=0.2)
    return random_world(33, 41, luck=seed, seed=seed, emitters=[emitter], drains=[drain], **laws)


def digest_after(world: World, *steps: int) -> str:
    with Simulation(world) as sim:
        for ticks in steps:
            sim.step(ticks)
        return sim.digest()


@given(world=worlds(), ticks=st.integers(1, 30))
def test_equal_runs_give_equal_digests(world: World, ticks: int) -> None:
    assert digest_after(world, ticks) == digest_after(world, ticks)


@given(world=worlds())
def test_the_digest_does_not_depend_on_how_ticks_are_grouped(world: World) -> None:
    assert digest_after(world, 10) == digest_after(world, *[1] * 10) == digest_after(world, 0, 7, 3)


@given(world=worlds(), first=st.integers(0, 10), then=st.integers(0, 10))
def test_a_run_continued_from_a_read_world_equals_one_long_run(world: World, first: int, then: int) -> None:
    with Simulation(world) as sim:
        sim.step(first)
        halfway = sim.read()
        sim.step(then)
        whole = sim.read()
    with Simulation(halfway) as sim:
        sim.step(then)
        assert_equal(sim, whole)


def test_reading_and_drawing_do_not_change_the_state() -> None:
    world = busy_world()
    with Simulation(world) as sim:
        for _ in range(5):
            sim.step(2)
            for look in (sim.read, sim.digest, sim.activity, sim.frame, lambda: sim.late("mass")):
                look()
        assert sim.digest() == digest_after(world, 10)


def test_interleaved_simulations_do_not_affect_each_other() -> None:
    worlds = [busy_world(seed, parameters={"flow": {"substeps": 1 + seed % 2}}) for seed in range(3)]
    sims = [Simulation(world) for world in worlds]
    for _ in range(6):
        for sim in sims:
            sim.step()
    for world, sim in zip(worlds, sims, strict=True):
        assert_equal(sim, oracle.step(world, 6))
        sim.close()


def test_a_simulation_in_its_own_context_gives_the_same_state() -> None:
    world = busy_world()
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    with Simulation(world, context=context) as alone, Simulation(world) as shared:
        for _ in range(6):
            alone.step()
            shared.step()
        assert_equal(alone, oracle.step(world, 6))
        assert_equal(shared, alone.read())
    with context:
        assert context.error == "GL_NO_ERROR"
    context.release()


def test_simulations_in_parallel_threads_equal_the_oracle() -> None:
    """Each thread has its own simulation; `tests/unit/test_threads.py` has the other cases."""
    worlds = [busy_world(seed) for seed in range(3)]
    with ThreadPoolExecutor(len(worlds)) as threads:
        digests = list(threads.map(lambda world: digest_after(world, *[1] * 20), worlds))
    assert digests == [oracle.step(world, 20).digest() for world in worlds]


def test_another_seed_gives_another_state() -> None:
    first, second = busy_world(), busy_world()
    second.seed = first.seed + 1
    with Simulation(first) as one, Simulation(second) as other:
        one.step(3)
        other.step(3)
        assert (one.read()["mass"] != other.read()["mass"]).any()
