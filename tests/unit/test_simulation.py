"""`Simulation` as an object: its arguments, independence from its world, and closing."""

from __future__ import annotations

import signal
from contextlib import suppress

import moderngl
import pytest
from support.worlds import random_atoms, random_world

from gpufluid import Emitter, Ledger, Simulation, World
from gpufluid.core.errors import UsageError, WorldError
from gpufluid.gpu.device import Device

pytestmark = pytest.mark.usefixtures("device")


def test_a_run_does_not_change_the_given_world() -> None:
    world = random_world(9, 7, emitters=[Emitter((0, 0))])
    before = world.digest()
    with Simulation(world) as sim:
        sim.step(5)
        assert sim.tick == 5
    assert (world.digest(), world.tick, world.ledger) == (before, 0, Ledger())


def test_changes_of_the_given_world_do_not_affect_the_run() -> None:
    world, twin = random_world(9, 7), random_world(9, 7)
    with Simulation(world) as sim, Simulation(twin) as undisturbed:
        world["mass"] = 0
        world.tick = world.seed = 99
        with suppress(TypeError):  # read-only is as good
            world.parameters["flow"]["substeps"] = 2
        sim.step(3)
        undisturbed.step(3)
        assert sim.digest() == undisturbed.digest()


def test_each_read_world_is_independent() -> None:
    with Simulation(random_world(9, 7)) as sim:
        first = sim.read()
        kept = first.digest()
        sim.step(3)
        second = sim.read()
        assert first.digest() == kept != second.digest() == sim.digest()


@pytest.mark.parametrize("ticks", [-1, 0.5, True])
def test_a_wrong_number_of_ticks_is_refused_before_any_runs(ticks: object) -> None:
    with Simulation(World(2, 2, rules=("flow",))) as sim:
        with pytest.raises(WorldError, match=r"^ticks: "):
            sim.step(ticks)
        assert sim.tick == 0


def test_using_a_closed_simulation_is_an_error_and_closing_it_again_is_not() -> None:
    with Simulation(World(2, 2, rules=("flow",))) as sim:
        sim.step()
    sim.close()
    uses = (sim.step, sim.read, sim.digest, sim.activity, sim.frame, sim.finish, lambda: sim.late("mass"))
    for use in (*uses, lambda: sim.ledger, lambda: sim.settled):
        with pytest.raises(UsageError, match=r"^this simulation is closed$"):
            use()


def test_activity_needs_a_rule_of_amounts() -> None:
    with Simulation(random_atoms(9, 7)) as sim:
        sim.step()
        with pytest.raises(
            UsageError, match=r"^activity\(\) needs a world with rule flow or mixture; for atoms see moves\(\)$"
        ):
            sim.activity()
        assert sim.settled is False
    with Simulation(random_atoms(9, 7, rules=("flow", "atoms"))) as sim:
        sim.step()
        assert sim.activity() > 0


def test_a_device_compiles_once_for_all_its_simulations() -> None:
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    device, world = Device(context), random_world(9, 7)
    with Simulation(world, device) as sim:
        sim.digest()
        compiled = len(device.programs)
    with Simulation(world, device) as sim:
        sim.digest()
    assert len(device.programs) == compiled > 0
    context.release()


@pytest.mark.parametrize("rules", [("flow",), ("atoms",)])
def test_ctrl_c_ends_a_step_between_two_ticks(rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    world = random_atoms(20, 30) if rules == ("atoms",) else random_world(20, 30)
    with Simulation(world) as sim, Simulation(world) as twin:
        run, dispatches = sim._runner.tick, []

        def interrupted(tick: int, ticks: int) -> bool:
            if tick == 2:
                signal.raise_signal(signal.SIGINT)  # before any pass of this tick has run
            dispatches.append(tick)
            return run(tick, ticks=ticks)

        monkeypatch.setattr(sim._runner, "tick", interrupted)
        with pytest.raises(KeyboardInterrupt):
            sim.step(100)
        assert sim.tick == 3
        assert dispatches == [0, 1, 2]
        twin.step(3)
        assert sim.digest() == twin.digest()
        sim.step(2)
        twin.step(2)
        assert sim.digest() == twin.digest()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
