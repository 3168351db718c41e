"""Measure environment steps a second: ``python tools/measure_environments.py [--worlds 1 16 256] [--seconds 4]``.

A step paints one stroke in each world of `Sandbox` (64 by 64 cells, rule atoms), runs 4 ticks and observes the material
of each cell. The same is measured with one simulation for each world, by turns. The lines are rows of a table.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from gpufluid.core.runs import Runs
from gpufluid.envs.sandbox import PALETTE, Sandbox
from gpufluid.envs.shapes import disc
from gpufluid.envs.vector import TaskVectorEnv
from gpufluid.gpu.device import shared_device
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.strokes import Laying


def rate(step: Callable[[], None], worlds: int, seconds: float) -> float:
    """Environment steps a second: of two steps at least, after two that are not counted."""
    for _ in range(2):
        step()
    began, steps = time.perf_counter(), 0
    while steps < 2 or time.perf_counter() - began < seconds:
        step()
        steps += 1
    return worlds * steps / (time.perf_counter() - began)


def by_batch(worlds: int, seconds: float) -> float:
    """In one vector environment."""
    env = TaskVectorEnv(Sandbox, worlds, max_episode_steps=10**9)
    env.reset(seed=0)
    env.action_space.seed(0)
    found = rate(lambda: env.step(env.action_space.sample()) and None, worlds, seconds)
    env.close()
    return found


def by_turns(worlds: int, seconds: float) -> float:
    """In one simulation for each world."""
    task = Sandbox()
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure environment steps a second.")
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 16, 256], help="numbers of worlds")
    parser.add_argument("--seconds", type=float, default=4.0, help="the least time of each measurement")
    options = parser.parse_args()
    print(shared_device().renderer)
    print("| worlds | a vector environment | a simulation for each world, by turns |")
    print("|---|---|---|")
    for worlds in options.worlds:
        numbers = [measure(worlds, options.seconds) for measure in (by_batch, by_turns)]
        print(f"| {worlds} | {numbers[0]:.0f} | {numbers[1]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
