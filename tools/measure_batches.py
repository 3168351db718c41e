"""Measure what a tick of a batch costs beside one large world, beside simulations by turns, and with worlds at rest.

    LP_NUM_THREADS=0 python tools/measure_batches.py [--worlds 256] [--rounds 7]

The worlds have 64 by 64 cells. The one world has the same matter, with the same walls between its blocks. A tenth in
motion: in nine tenths of the worlds nothing can move. The lines are rows of a table: ms of processor time a tick, and
the ratios of the batch to one world, of simulations by turns to the batch, and of a tenth in motion to the batch. Each
is the median of some rounds by turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import ExitStack

import numpy as np

from gpufluid import FULL, Batch, Simulation, World
from gpufluid.gpu.device import shared_device

SIDE = 64
TICKS = 8

ROWS: tuple[tuple[str, ...], ...] = (("flow",), ("flow", "inertia"), ("atoms",), ("atoms", "heat", "reactions"))
"""The rules of the worlds of each row of the table."""


def fill(world: World, columns: slice, rows: slice, number: int, moves: bool = True) -> None:
    """Put the walls of a world of 64 by 64 cells and its matter into a part of a world."""
    rng = np.random.default_rng(number)
    wall, material = world.materials["wall"], world["material"][rows, columns]
    material[[0, -1]] = material[:, [0, -1]] = wall
    inside = (slice(1, -1), slice(1, -1))
    drawn = rng.random((SIDE - 2, SIDE - 2))
    if "mass" in world.fields:
        mass = world["mass"][rows, columns]
        mass[inside] = (drawn * FULL * 0.6).astype(np.int64) if moves else 0
    elif moves:
        kinds = world.materials["sand"], world.materials["water"]
        material[inside] = np.select([drawn < 0.3, drawn < 0.6], kinds, 0)
    else:
        material[SIDE // 2 : -1, 1:-1] = world.materials["sand"]


def small(rules: tuple[str, ...], number: int, moves: bool = True) -> World:
    """One of the worlds."""
    world = World(SIDE, SIDE, rules, seed=number)
    fill(world, slice(None), slice(None), number, moves)
    return world


def large(rules: tuple[str, ...], count: int) -> World:
    """One world with the matter of so many, in a square."""
    across = int(count**0.5)
    world = World(SIDE * (count // across), SIDE * across, rules)
    for number in range(count // across * across):
        row, column = divmod(number, across)
        fill(world, slice(SIDE * column, SIDE * (column + 1)), slice(SIDE * row, SIDE * (row + 1)), number)
    return world


def spent(step: Callable[[], None]) -> float:
    """Milliseconds of processor time a tick."""
    began = time.process_time()
    step()
    return 1e3 * (time.process_time() - began) / TICKS


def measure(rules: tuple[str, ...], count: int, rounds: int) -> np.ndarray:
    """Milliseconds a tick of: the batch, one world, simulations by turns, a batch with a tenth in motion.

    Returns: (rounds, 4) float64.
    """
    with ExitStack() as held:
        batch = held.enter_context(Batch([small(rules, number) for number in range(count)]))
        whole = held.enter_context(Simulation(large(rules, count)))
        turns = [held.enter_context(Simulation(small(rules, number))) for number in range(count)]
        resting = [small(rules, number, moves=number % 10 == 0) for number in range(count)]
        tenth = held.enter_context(Batch(resting))

        def by_turns() -> None:
            for each in turns:
                each.step(TICKS)
            shared_device().finish()

        def of(sim: Batch | Simulation) -> Callable[[], None]:
            def step() -> None:
                sim.step(TICKS)
                sim.finish()

            return step

        ways = [of(batch), of(whole), by_turns, of(tenth)]
        for step in ways:  # the first ticks compile, and find what rests
            step()
        return np.array([[spent(step) for step in ways] for _ in range(rounds)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what a tick of a batch costs.")
    parser.add_argument("--worlds", type=int, default=256, help="the number of worlds")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of 8 ticks, of which the median counts")
    options = parser.parse_args()
    print(shared_device().renderer)
    print("| rules | batch | one world | ratio | simulations by turns | ratio | a tenth in motion | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for rules in ROWS:
        batch, whole, turns, tenth = measure(rules, options.worlds, options.rounds).T
        ratios = batch / whole, turns / batch, tenth / batch
        columns = [batch, whole, ratios[0], turns, ratios[1], tenth, ratios[2]]
        digits = (1, 1, 2, 1, 2, 1, 2)
        cells = [f"{np.median(column):.{places}f}" for column, places in zip(columns, digits, strict=True)]
        print(f"| {', '.join(rules)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
