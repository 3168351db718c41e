"""Measure environment steps a second of tasks in one batch, in a simulation for each world, and of Powderworld.

    LP_NUM_THREADS=0 python tools/measure_environments.py [--worlds 1 16 256 1024] [--seconds 4]

A step paints one stroke in each world of `Sandbox` (64 by 64 cells), runs 4 ticks and observes the material of each
cell, with rule atoms alone and with all rules. The same is measured with one simulation for each world, by turns.
Where Powderworld is installed (`docs/performance.md` says how) its own simulation runs 4 ticks of worlds of the same
size, without strokes and observations; its rules are others. At most 64 worlds of it are measured: a step of 1024 takes
a minute.

The lines are rows of a table: steps a second, and steps a second of processor time, which on software OpenGL with
``LP_NUM_THREADS=0`` says what a quiet core does while others are busy.
"""

from __future__ import annotations

import argparse
import io
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec

import numpy as np

from gpufluid import FULL, World
from gpufluid.core.runs import Runs
from gpufluid.envs.sandbox import PALETTE, Sandbox
from gpufluid.envs.shapes import disc
from gpufluid.envs.vector import TaskVectorEnv
from gpufluid.gpu.device import shared_device
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.strokes import Laying

ALL_RULES = ("flow", "inertia", "atoms", "pressure", "heat", "reactions", "collapse")
"""The rules that a world of water by mass can have beside each other."""

POWDERWORLDS_MOST = 64
"""The most worlds of Powderworld that are measured together; the steps a second of more are those of so many."""


class FullSandbox(Sandbox):
    """The task `Sandbox` with all rules; water is by mass."""

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """A world of the same blocks, in which water is an amount."""
        world, entries = super().begin(rng)
        full = World(world.height, world.width, ALL_RULES, seed=world.seed)
        water = world["material"] == world.materials["water"]
        full["material"][...] = np.where(water, 0, world["material"])
        full["mass"][water] = FULL
        return full, entries


def rate(step: Callable[[], None], worlds: int, seconds: float) -> str:
    """Environment steps a second, by the clock and of processor time: of two steps at least, after two others."""
    for _ in range(2):
        step()
    began, worked, steps = time.perf_counter(), time.process_time(), 0
    while steps < 2 or time.perf_counter() - began < seconds:
        step()
        steps += 1
    spent = time.perf_counter() - began, time.process_time() - worked
    return " / ".join(f"{worlds * steps / each:.0f}" for each in spent)


def by_batch(task: type[Sandbox], worlds: int, seconds: float) -> str:
    """In one vector environment."""
    env = TaskVectorEnv(task, worlds, max_episode_steps=10**9)
    env.reset(seed=0)
    env.action_space.seed(0)
    found = rate(lambda: env.step(env.action_space.sample()) and None, worlds, seconds)
    env.close()
    return found


def by_turns(kind: type[Sandbox], worlds: int, seconds: float) -> str:
    """In one simulation for each world."""
    task = kind()
    task.action_space.seed(0)
    simulations = [Workbench(task.begin(np.random.default_rng(number))[0]) for number in range(worlds)]

    def step() -> None:
        for simulation in simulations:
            material, x, y, radius = (np.array([number]) for number in task.action_space.sample())
            cells = Runs.of_mask(0, 0, disc(task.size, x, y, radius)[0])
            simulation.paint(cells, Laying(PALETTE[int(material[0])]))
            simulation.step(task.ticks)
            simulation.read_window((0, 0), task.size)

    found = rate(step, worlds, seconds)
    for simulation in simulations:
        simulation.close()
    return found


MEASUREMENTS = (by_batch, by_turns)
"""The measurements of a task."""


def of_powderworld(worlds: int, seconds: float) -> str:
    """4 ticks of Powderworld's own simulation of at most `POWDERWORLDS_MOST` random worlds, in PyTorch, one thread."""
    unread = io.StringIO()  # its dependency gym and its tracer warn and print
    with warnings.catch_warnings(), redirect_stdout(unread), redirect_stderr(unread):
        warnings.simplefilter("ignore")
        import torch
        from powderworld.sim import PWSim

        torch.set_num_threads(1)
        simulation = PWSim("cpu", use_jit=True)
        width, height = Sandbox.size
        elements = np.random.default_rng(0).integers(0, 3, (min(worlds, POWDERWORLDS_MOST), height, width))
        numbers = torch.tensor([simulation.elements[name][0] for name in ("empty", "water", "sand")])
        with torch.no_grad():
            vectors = simulation.elem_vecs_array(numbers[torch.from_numpy(elements)])
        state = [vectors.permute(0, 3, 1, 2).contiguous()]

        def step() -> None:
            for _ in range(Sandbox.ticks):
                state[0] = simulation(state[0])

        return rate(step, len(elements), seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure environment steps a second.")
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 16, 256, 1024], help="numbers of worlds")
    parser.add_argument("--seconds", type=float, default=4.0, help="the least time of each measurement")
    options = parser.parse_args()
    print(shared_device().renderer)
    has_powderworld = find_spec("powderworld") is not None
    print("| worlds | atoms: a vector environment | by turns | all rules: a vector environment | by turns |", end="")
    print(" Powderworld |\n|---|---|---|---|---|---|")
    for worlds in options.worlds:
        found = [measure(task, worlds, options.seconds) for task in (Sandbox, FullSandbox) for measure in MEASUREMENTS]
        found.append(of_powderworld(worlds, options.seconds) if has_powderworld else "not installed")
        print(f"| {worlds} | {' | '.join(found)} |", flush=True)


if __name__ == "__main__":
    main()
