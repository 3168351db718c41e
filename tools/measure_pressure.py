"""What rule pressure costs: milliseconds a tick that it adds, in worlds whose bodies are easy and hard to label.

``python tools/measure_pressure.py [--matter atoms mixture] [--sides 512 1024] [--ticks 20] [--json FILE]``

All of them are at rest: water that rests in atoms, or in a mixture of nothing else. ``looked_at``: as if something had
changed in every body; ``asleep``: as it is. On software OpenGL it is the processor's time, of all its cores, which does
not depend on what else runs there.
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
"""Small bodies along a side: a thousand in all."""

REPEATS = 5

Draw = Callable[[int], np.ndarray]
"""From a side to [row, column]: `ROCK`, `WATER` or `AIR`."""


def one_body(side: int) -> np.ndarray:
    """Three quarters of the world, level."""
    picture = np.full((side, side), WATER)
    picture[: side // 4] = AIR
    return picture


def thousand_bodies(side: int) -> np.ndarray:
    """Basins in rows and columns, each with a wall around it, its upper rows empty."""
    pitch = side // BASINS
    place = np.arange(side) % pitch
    inside = (place >= 2)[:, None] & (place >= 2)[None, :]
    return np.where(inside, np.where(place[:, None] < 2 + pitch // 8, AIR, WATER), ROCK)


def spiral(side: int) -> np.ndarray:
    """One corridor, a cell wide, that winds to the middle; open where it begins."""
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
    """At random, so that bodies are of all sizes and as ragged as can be; open at the upper side of the world."""
    picture = np.where(np.random.default_rng(0).random((side, side)) < 0.593, WATER, ROCK)
    picture[0] = AIR
    return picture


PICTURES: dict[str, Draw] = {draw.__name__: draw for draw in (one_body, thousand_bodies, spiral, ragged)}


def world_of(picture: np.ndarray, rules: tuple[str, ...]) -> gpufluid.World:
    """What a picture shows."""
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
    """A tick takes so long."""
    clock = time.process_time if shared_device().software else time.perf_counter
    sim.finish()
    began = clock()
    sim.step(ticks)
    sim.finish()
    return 1000 * (clock() - began) / ticks


def more(picture: np.ndarray, matter: str, variant: str, sleeping: bool, ticks: int) -> dict[str, float]:
    """Milliseconds a tick of the rule beside it, and what rule pressure adds: medians of several runs by turns."""
    how = {"variant": {"pressure": variant}, "sleeping": sleeping}
    with (
        gpufluid.Simulation(world_of(picture, (matter, "pressure")), **how) as pressed,
        gpufluid.Simulation(world_of(picture, (matter,)), sleeping=sleeping) as alone,
    ):
        for sim in (pressed, alone):
            sim.step(20)
            if not sim.settled:
                raise SystemExit("a world that was to be at rest is not")
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
