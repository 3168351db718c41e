"""Measure the time that rule pressure adds to a tick, in worlds whose bodies are easy or hard to label.

``python tools/measure_pressure.py [--matter atoms mixture] [--sides 512 1024] [--ticks 20] [--json FILE]``

All worlds are water at rest, as atoms or as a mixture of water alone. ``looked_at``: no tile sleeps, as if every body
had changed. ``asleep``: settled tiles sleep. On software OpenGL the time is processor time, summed over all cores,
which is independent of other programs.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np

import gpufluid
from gpufluid.core.fields import FULL
from gpufluid.gpu.device import shared_device
from gpufluid.matter.mixtures import SHIPPED, MixtureTable
from gpufluid.rules import RULES

ROCK, WATER, AIR = range(3)

BASINS = 32
"""Small bodies along a side; about a thousand in total."""

REPEATS = 5

Draw = Callable[[int], np.ndarray]
"""Makes a picture from a side in cells: (side, side) int, `ROCK`, `WATER` or `AIR`."""


def one_body(side: int) -> np.ndarray:
    """Draw water in the lower three quarters."""
    picture = np.full((side, side), WATER)
    picture[: side // 4] = AIR
    return picture


def thousand_bodies(side: int) -> np.ndarray:
    """Draw a grid of walled basins, each with empty rows at the top."""
    pitch = side // BASINS
    place = np.arange(side) % pitch
    inside = (place >= 2)[:, None] & (place >= 2)[None, :]
    return np.where(inside, np.where(place[:, None] < 2 + pitch // 8, AIR, WATER), ROCK)


def spiral(side: int) -> np.ndarray:
    """Draw a spiral corridor of water, one cell wide, open at its outer end."""
    picture = np.full((side, side), ROCK)
    top, left, bottom, right = 0, 0, side - 1, side - 1
    while left <= right and top <= bottom:
        picture[top, max(left - 2, 0) : right + 1] = WATER
        picture[top : bottom + 1, right] = WATER
        picture[bottom, left : right + 1] = WATER
        picture[top + 2 : bottom + 1, left] = WATER
        top, left, bottom, right = top + 2, left + 2, bottom - 2, right - 2
    return picture


def ragged(side: int) -> np.ndarray:
    """Draw random cells near the percolation threshold: ragged bodies of all sizes; the top row is open."""
    picture = np.where(np.random.default_rng(0).random((side, side)) < 0.593, WATER, ROCK)
    picture[0] = AIR
    return picture


PICTURES: dict[str, Draw] = {draw.__name__: draw for draw in (one_body, thousand_bodies, spiral, ragged)}


def world_of(picture: np.ndarray, rules: tuple[str, ...]) -> gpufluid.World:
    """Make the world of a picture, (height, width) int."""
    height, width = picture.shape
    if "mixture" in rules:
        water = MixtureTable([each for each in SHIPPED.constituents if each.material == "water"])
        world = gpufluid.World(height, width, rules, mixture=water)
        world["material"] = np.where(picture == ROCK, world.materials["stone"], 0)
        world["mixture"][0] = np.where(picture == WATER, FULL, 0)
        return world
    world = gpufluid.World(height, width, rules)
    kinds = [world.materials[name] for name in ("stone", "water", "empty")]
    world["material"] = np.array(kinds, np.uint8)[picture]
    return world


def milliseconds(sim: gpufluid.Simulation, ticks: int) -> float:
    """Return the milliseconds of a tick, averaged over `ticks`."""
    clock = time.process_time if shared_device().software else time.perf_counter
    sim.finish()
    began = clock()
    sim.step(ticks)
    sim.finish()
    return 1000 * (clock() - began) / ticks


def more(picture: np.ndarray, matter: str, variant: str, sleeping: bool, ticks: int) -> dict[str, float]:
    """Return the milliseconds of a tick without rule pressure, and those it adds: medians of alternating runs."""
    how = {"variant": {"pressure": variant}, "sleeping": sleeping}
    with (
        gpufluid.Simulation(world_of(picture, (matter, "pressure")), **how) as pressed,
        gpufluid.Simulation(world_of(picture, (matter,)), sleeping=sleeping) as alone,
    ):
        for sim in (pressed, alone):
            sim.step(20)
            if not sim.settled:
                raise SystemExit("the world still moves after 20 ticks; expected a world at rest")
        times = [(milliseconds(pressed, ticks), milliseconds(alone, ticks)) for _ in range(REPEATS)]
    added = statistics.median(both - one for both, one in times)
    return {matter: round(statistics.median(one for _, one in times), 3), "pressure": round(added, 3)}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--matter", nargs="+", choices=RULES["pressure"].requires.works_on, default=["atoms"])
    words.add_argument("--sides", type=int, nargs="+", default=[512, 1024])
    words.add_argument("--ticks", type=int, default=20)
    words.add_argument("--json", type=Path)
    given = words.parse_args()
    answer: dict[str, object] = {"renderer": shared_device().renderer, "version": gpufluid.__version__}
    variants = [each.name for each in RULES["pressure"].variants]
    for matter, side, name, variant in product(given.matter, given.sides, PICTURES, variants):
        picture = PICTURES[name](side)
        found = {
            "looked_at": more(picture, matter, variant, False, given.ticks),
            "asleep": more(picture, matter, variant, True, given.ticks),
        }
        answer[f"{matter} {name} {side} {variant}"] = found
        print(f"{matter} {name} {side} {variant}: {found}", file=sys.stderr, flush=True)
    text = json.dumps(answer, indent=2) + "\n"
    if given.json:
        given.json.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
