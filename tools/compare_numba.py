"""Rule atoms beside the falling sand that a Python user would write by hand, in one run on one world.

``.venv/bin/pip install -e '.[peers]' && .venv/bin/python tools/compare_numba.py --json FILE``

The loop is the usual one, compiled by numba for one thread: from the bottom row up, sand falls, else slides down a
diagonal, and sinks in water; water falls, else slides, else moves one cell aside. It has no velocity, moves nothing
farther than a cell a tick, and depends on the order of its loop, so the two are compared by cells a second alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
from measure import RUNS, SECONDS_A_RUN, remark, speed, thirds_world
from numba import njit  # pyright: ignore[reportMissingImports]

import gpufluid
from gpufluid.gpu.device import shared_device

EMPTY, SAND, WATER = 0, 5, 3


@njit(cache=False)
def falling_sand(cells: np.ndarray, tick: int) -> None:
    """One tick of the plain loop, in place; the side that is tried first changes with row and tick."""
    height, width = cells.shape
    for y in range(height - 2, -1, -1):
        first = 1 if (y + tick) % 2 == 0 else -1
        for i in range(width):
            x = i if first == 1 else width - 1 - i
            atom = cells[y, x]
            if atom == EMPTY:
                continue
            for aside in (0, first, -first):
                to = x + aside
                if 0 <= to < width:
                    below = cells[y + 1, to]
                    if below == EMPTY or (atom == SAND and below == WATER):
                        cells[y + 1, to], cells[y, x] = atom, below
                        break
            else:
                for aside in (first, -first):
                    to = x + aside
                    if atom == WATER and 0 <= to < width and cells[y, to] == EMPTY:
                        cells[y, to], cells[y, x] = atom, EMPTY
                        break


def speed_of_loop(side: int) -> dict[str, float]:
    """As `measure.speed`, of the plain loop on the same world."""
    cells = thirds_world(side)["material"].copy()
    falling_sand(cells, 0)
    began = time.perf_counter()
    falling_sand(cells, 1)
    ticks = max(3, int(SECONDS_A_RUN / (time.perf_counter() - began)))
    tick, seconds = 2, []
    for _ in range(RUNS):
        began = time.perf_counter()
        for _ in range(ticks):
            falling_sand(cells, tick)
            tick += 1
        seconds.append((time.perf_counter() - began) / ticks)
    median = statistics.median(seconds)
    spread = (max(seconds) - min(seconds)) / median * 100
    return {"us_a_tick": median * 1e6, "mcell_s": side * side / median / 1e6, "spread_percent": spread}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--json", type=Path, help="write the answer here too")
    words.add_argument("--sides", type=int, nargs="+", default=[512, 1024, 2048], help="in cells")
    given = words.parse_args()
    table = thirds_world(1).materials
    assert (table["sand"], table["water"]) == (SAND, WATER)
    answer = {}
    for side in given.sides:
        with gpufluid.Simulation(thirds_world(side)) as running:
            ours = speed(running, side * side)
        loop = speed_of_loop(side)
        ratio = ours["mcell_s"] / loop["mcell_s"]
        answer[str(side)] = {"gpufluid": ours, "numba_loop": loop, "ratio": round(ratio, 2)}
        remark(
            f"{side:5}: gpufluid {1e6 / ours['us_a_tick']:.1f} ticks/s, {ours['mcell_s']:.1f} Mcell/s;"
            f" numba loop {1e6 / loop['us_a_tick']:.1f} ticks/s, {loop['mcell_s']:.1f} Mcell/s; ratio {ratio:.2f}"
        )
    text = json.dumps({"renderer": shared_device().renderer, "sides": answer}, indent=2)
    if given.json:
        given.json.write_text(text + "\n")
    print(text)


if __name__ == "__main__":
    main()
