"""Threads and processes: any thread may use a simulation, one call at a time; a forked process may not."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import moderngl
import numpy as np
import pytest
from support.patience import PATIENCE
from support.selection import mostly_long
from support.worlds import random_atoms, random_world

import gpufluid
from gpufluid import Emitter, Simulation, World, oracle
from gpufluid.benchmark.measuring import Case, measure
from gpufluid.benchmark.timing import Effort
from gpufluid.benchmark.workload import workloads_of
from gpufluid.core.errors import DeviceError
from gpufluid.gpu import device as device_module
from gpufluid.gpu.current import current_context
from gpufluid.gpu.device import Device, shared_device
from gpufluid.gpu.memory import gl_integers
from gpufluid.render.scale import Scale
from gpufluid.run.checking import check
from gpufluid.run.recording import Recording, record
from gpufluid.runtime import tuning
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")

MAX_TEXTURE_SIZE = 0x0D33


@pytest.fixture
def threads() -> Iterator[list[Executor]]:
    """Four threads that run one function at a time each."""
    with ExitStack() as stack:
        yield [stack.enter_context(ThreadPoolExecutor(1)) for _ in range(4)]


def digests_after_each_tick(world: World, ticks: int) -> list[str]:
    """The digests of the oracle after 0, 1, ... ticks."""
    states = [world]
    for _ in range(ticks):
        states.append(oracle.step(states[-1], 1))
    return [state.digest() for state in states]


@pytest.mark.parametrize("make", [random_world, random_atoms], ids=["flow", "atoms"])
def test_four_threads_in_turn_reach_the_digests_of_the_oracle(threads: list[Executor], make: Callable) -> None:
    world = make(20, 30)
    with Simulation(world) as sim:
        found = [sim.digest()]
        for thread, _ in zip(cycle(threads), range(12), strict=False):
            thread.submit(sim.step).result(PATIENCE)
            found.append(thread.submit(sim.digest).result(PATIENCE))
        assert sim.tick == 12
    assert found == digests_after_each_tick(world, 12)


def test_calls_of_four_threads_at_once_are_atomic(threads: list[Executor]) -> None:
    """Each state that a thread reads is that of a whole tick, and no tick is lost."""
    world, start, each = random_world(20, 30), Barrier(len(threads)), 25
    expected = digests_after_each_tick(world, each * len(threads))

    def work(sim: Simulation) -> list[bool]:
        start.wait(PATIENCE)
        right = []
        for _ in range(each):
            sim.step()
            state = sim.read()
            right.append(state.digest() == expected[state.tick])
        return right

    with Simulation(world) as sim:
        right = [thread.submit(work, sim) for thread in threads]
        assert [one.result(PATIENCE) for one in right] == [[True] * each] * len(threads)
        assert (sim.tick, sim.digest()) == (each * len(threads), expected[-1])


def test_four_threads_with_a_simulation_each_reach_the_digests_of_the_oracle(threads: list[Executor]) -> None:
    """The next thread reads and closes what a thread has run."""
    worlds, start = [random_world(20, 30, luck=luck) for luck in range(len(threads))], Barrier(len(threads))

    def run(world: World) -> Simulation:
        sim = Simulation(world)
        start.wait(PATIENCE)
        for _ in range(20):
            sim.step()
        return sim

    running = [thread.submit(run, world) for thread, world in zip(threads, worlds, strict=True)]
    sims = [one.result(PATIENCE) for one in running]
    others = [*threads[1:], threads[0]]
    found = [thread.submit(sim.digest).result(PATIENCE) for thread, sim in zip(others, sims, strict=True)]
    for thread, sim in zip(others, sims, strict=True):
        thread.submit(sim.close).result(PATIENCE)
    assert found == [oracle.step(world, 20).digest() for world in worlds]


def textures_of(sim: Simulation) -> list[int]:
    """OpenGL's names of all textures of a simulation."""
    return [made.glo for made, _ in sim._allocations._kept if isinstance(made, moderngl.Texture)]


def exist(device: Device, textures: list[int]) -> list[bool]:
    with device:
        return [bool(ctypes.CDLL("libGL.so.1").glIsTexture(texture)) for texture in textures]


def test_simulation_works_after_its_thread_has_ended(device: Device) -> None:
    world, made = random_world(20, 30), []

    def make() -> None:
        made.append(Simulation(world))
        made[0].step()

    maker = Thread(target=make)
    maker.start()
    maker.join(PATIENCE)
    sim = made[0]
    sim.step()
    assert sim.digest() == oracle.step(world, 2).digest()
    textures = textures_of(sim)
    assert exist(device, textures) == [True] * len(textures)
    sim.close()
    assert exist(device, textures) == [False] * len(textures)


def test_close_in_another_thread_releases_all_textures(device: Device, threads: list[Executor]) -> None:
    sim = Simulation(random_atoms(20, 30), trace=True)
    textures = textures_of(sim)
    threads[0].submit(sim.close).result(PATIENCE)
    assert sim.memory.held == 0
    assert exist(device, textures) == [False] * len(textures)


def test_unclosed_simulation_of_another_thread_does_not_disturb_others(threads: list[Executor]) -> None:
    world = random_world(20, 30)
    with Simulation(world) as sim:
        sim.step()
        threads[0].submit(lambda: Simulation(random_world(20, 30, luck=1)).step()).result(PATIENCE)
        threads[1].submit(sim.step).result(PATIENCE)
        assert sim.digest() == oracle.step(world, 2).digest()


def heated_world(**ports: object) -> World:
    world = random_atoms(20, 30, rules=("flow", "atoms", "heat"), **ports)
    world.draw_temperature()
    return world


def _late(sim: Workbench) -> tuple[int, list] | None:
    for _ in range(2):
        sim.late("mass")
    tick, mass = sim.late("mass") or (-1, np.empty(0))
    return tick, mass.tolist()


def _picture(sim: Workbench) -> bytes:
    with sim.device:
        return sim.view(Scale(), (0, 0), (30, 20)).read()


def _passes(sim: Workbench) -> None:
    for call in sim.calls():
        sim.run(call)


CALLS: dict[str, Callable[[Workbench], Any]] = {
    "step": lambda sim: sim.step(3),
    "read": lambda sim: sim.read().digest(),
    "digest": lambda sim: sim.digest(),
    "frame": lambda sim: sim.frame(2).tobytes(),
    "overlay": lambda sim: sim.frame(overlay="temperature").tobytes(),
    "statistics": lambda sim: sim.statistics(),
    "counts": lambda sim: (sim.counts(), sim.mass(), sim.contents()),
    "late": _late,
    "late_statistics": lambda sim: (sim.late_statistics(), sim.late_statistics()),
    "moves": lambda sim: sim.moves().tolist(),
    "activity": lambda sim: (sim.activity(), sim.settled),
    "ledgers": lambda sim: (sim.ledgers, sim.ledger, sim.atoms, sim.heat),
    "memory": lambda sim: sim.memory,
    "scratch": lambda sim: {name: sim.scratch(name).tolist() for name in sim._runner.scratch},
    "finish": lambda sim: sim.finish(),
    "run": _passes,
    "timed_step": lambda sim: set(sim.timed_step()),
    "host_cost": lambda sim: sim.host_cost(2) > 0,
    "begin a tick": lambda sim: sim.step_within(1, 0.0),
    "go on with it": lambda sim: sim.step_within(3, 3600.0),
    "begin another": lambda sim: sim.step_within(1, 0.0),
    "view": _picture,
    "read_window, in a tick": lambda sim: sim.read_window((3, 3), (4, 4), whole=False)["mass"].tolist(),
    "read_window": lambda sim: sim.read_window((3, 3), (4, 4))["material"].tolist(),
    "write_window": lambda sim: sim.write_window((10, 10), sim.read_window((3, 3), (4, 4))),
    "warm": lambda sim: sim.warm((2, 2), np.ones((9, 9), bool), 100.0),
    "replace_ports": lambda sim: sim.replace_ports([Emitter((1, 1), material="water")], []),
    "step on": lambda sim: sim.step(3),
    "state": lambda sim: (sim.tick, sim.digest()),
    "restore": lambda sim: sim.restore(heated_world()),
    "step after that": lambda sim: sim.step(),
    "state after that": lambda sim: (sim.tick, sim.digest()),
    "close": lambda sim: sim.close(),
}


def test_every_method_returns_the_same_in_another_thread(threads: list[Executor]) -> None:
    here, elsewhere = (Workbench(heated_world(), trace=True) for _ in range(2))
    for (name, call), thread in zip(CALLS.items(), cycle(threads), strict=False):
        assert thread.submit(call, elsewhere).result(PATIENCE) == call(here), name


@pytest.mark.long("three commands")
def test_run_check_and_benchmark_work_in_another_thread(
    device: Device, threads: list[Executor], tmp_path: Path
) -> None:
    """Each gets what was made in this thread: a simulation or the device."""
    world = random_atoms(20, 30)
    case = Case(("atoms",), workloads_of("atoms")[0], (32, 32), "auto")
    files = [tmp_path / name for name in ("x.gif", "x.npz")]
    with Simulation(world) as sim:
        run = threads[0].submit(record, sim, Recording(ticks=3, outputs=files))
        row = threads[1].submit(measure, case, Effort(runs=1, ticks=2), device)
        measured = threads[2].submit(tuning.measure, "flow", device)
        assert run.result(PATIENCE).digest == gpufluid.load(files[1]).digest() == oracle.step(world, 3).digest()
        assert row.result(PATIENCE)["digest"] == measure(case, Effort(runs=1, ticks=2), device)["digest"]
        assert (measured.result(PATIENCE).alike, measured.result(PATIENCE).failed) == (True, {})
    assert threads[3].submit(check, world, 3).result(PATIENCE) is None
    assert threads[0].submit(device.take_error).result(PATIENCE) is None
    assert threads[1].submit(lambda: device.free_memory is None).result(PATIENCE) == (device.free_memory is None)


def test_all_threads_share_one_device_that_each_can_make_current(threads: list[Executor]) -> None:
    device = shared_device()

    def side() -> tuple[Device, list[int], object]:
        with shared_device() as found:
            sides = gl_integers(MAX_TEXTURE_SIZE, 1)
        return found, sides, current_context()

    for thread in threads:
        assert thread.submit(side).result(PATIENCE) == (device, [device.max_side], None)


def test_ctrl_c_at_the_end_of_a_block_does_not_keep_the_device(
    device: Device, threads: list[Executor], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(device_module, "replace_current", interrupted)
        with pytest.raises(KeyboardInterrupt), device:
            pass
    with device:
        assert gl_integers(MAX_TEXTURE_SIZE, 1) == [device.max_side]
    threads[0].submit(device.finish).result(PATIENCE)


def test_ctrl_c_at_the_beginning_of_a_block_does_not_keep_the_device(
    device: Device, threads: list[Executor], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_current = device._make_current

    def interrupted() -> None:
        make_current()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(device, "_make_current", interrupted)
        with pytest.raises(KeyboardInterrupt), device:
            raise AssertionError("the block has begun")
    device.finish()
    threads[0].submit(device.finish).result(PATIENCE)


@pytest.fixture
def context() -> Iterator[moderngl.Context]:
    """A context of a caller, who has left it current in this thread."""
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    yield context
    context.__exit__(None, None, None)
    context.release()


def test_a_callers_context_is_current_again_after_a_call(context: moderngl.Context) -> None:
    kept, before, world = context.buffer(b"kept"), current_context(), random_world(9, 7)
    with Simulation(world) as sim, Simulation(world, context) as other:
        sim.step()
        other.step()
        assert sim.digest() == other.digest()
        assert current_context() == before
    assert kept.read() == b"kept"


def test_blocks_of_two_devices_can_be_nested(device: Device, context: moderngl.Context) -> None:
    other, found = Device(context), []
    with device:
        outer = current_context()
        ours = device.context.buffer(b"ours")
        with other:
            theirs = context.buffer(b"them")
            with device:
                found.append(ours.read())
            found.append(theirs.read())
        found.append(ours.read())
        assert current_context() == outer
    assert found == [b"ours", b"them", b"ours"]


def test_context_current_in_another_thread_is_an_error_until_it_is_not(
    context: moderngl.Context, threads: list[Executor]
) -> None:
    world = random_world(9, 7)
    with Simulation(world, context) as sim:
        sim.step()
        for use in (sim.step, sim.digest, lambda: Device(context)):
            with pytest.raises(DeviceError, match=r"^the OpenGL context given is current in another thread: make it "):
                threads[0].submit(use).result(PATIENCE)
        assert sim.tick == 1
        context.__exit__(None, None, None)
        threads[0].submit(sim.step).result(PATIENCE)
        assert sim.digest() == oracle.step(world, 2).digest()


def test_released_context_is_an_error(device: Device) -> None:
    context = moderngl.create_context(standalone=True, backend="egl", require=430)
    sim = Simulation(random_world(9, 7), context)
    context.release()
    with pytest.raises(DeviceError, match=r"^the OpenGL context \(.+\) was released: nothing on it can be used"):
        sim.step()
    with device:  # which ends what is left of the released one
        assert gl_integers(MAX_TEXTURE_SIZE, 1) == [device.max_side]


def run(program: str) -> str:
    """What a Python program prints; it must end in time with code 0 and write no error."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


IN_A_CHILD = """
import os, signal, sys, threading
import gpufluid
from gpufluid.gpu.device import shared_device

sim = gpufluid.Simulation(gpufluid.World(8, 8))
sim.step()

def in_child(work):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # ends a child that hangs
        try:
            work()
        finally:
            sys.stdout.flush()
        sys.exit(7)
    print("exit", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

"""


CALLED = """
def leave():
    with sim:
        pass

def work():
    calls = sim.step, sim.digest, sim.read, sim.frame, sim.statistics, lambda: sim.late("mass"), sim.finish, sim.close
    for call in (*calls, leave, shared_device, lambda: gpufluid.Simulation(gpufluid.World(1, 1))):
        try:
            call()
        except gpufluid.GpufluidError as error:
            print(type(error).__name__, error)
        else:
            print("no error")

"""

HELD = """
entered = threading.Event()
def hold():
    with shared_device():
        entered.set()
        threading.Event().wait()

threading.Thread(target=hold, daemon=True).start()
entered.wait()
"""


@pytest.mark.parametrize(
    "held",
    mostly_long([False, True], True, why="a process of its own"),
    ids=["free", "device in use by another thread"],
)
def test_each_call_in_a_forked_process_is_an_error(held: bool) -> None:
    told = run(IN_A_CHILD + CALLED + HELD * held + "in_child(work)\n").splitlines()
    refusal = "DeviceError OpenGL does not survive a fork: start worker processes with the method 'spawn'"
    assert told == [refusal] * 11 + ["exit 7"]


@pytest.mark.parametrize(
    "block",
    mostly_long(["with sim:", "with sim, shared_device():"], "with sim:", why="a process of its own"),
    ids=["simulation", "device"],
)
def test_exit_of_a_process_forked_in_a_with_block_prints_nothing(block: str) -> None:
    """SystemExit leaves the block in the child; the parent still closes the simulation."""
    program = f"{IN_A_CHILD}\n{block}\n    in_child(lambda: None)\n    sim.step()\n    print(sim.tick)\n"
    assert run(program).splitlines() == ["exit 7", "2"]


SPAWNED = """
import multiprocessing
import gpufluid

def digest(ticks):
    with gpufluid.Simulation(gpufluid.load("seed_000")) as sim:
        sim.step(ticks)
        return sim.digest()

if __name__ == "__main__":
    here = [digest(ticks) for ticks in (1, 2)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(digest, (1, 2)) == here)
"""


@pytest.mark.long("processes that compile")
def test_spawned_process_runs_simulations(tmp_path: Path) -> None:
    (tmp_path / "spawned.py").write_text(SPAWNED)
    done = subprocess.run(
        [sys.executable, tmp_path / "spawned.py"], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert (done.stdout, done.stderr) == ("True\n", "")
