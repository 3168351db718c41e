"""Measure this machine in one command: are the digests the same here, and how fast is each size?

``.venv/bin/python tools/measure.py --json docs/measurements/<renderer>-<date>.json``

Three parts: every golden scene's digest against the kept one; the first ticks of every scene against the oracle;
and speeds: rule flow by size and by the shape of the strip that an invocation owns, rule atoms by size and by pass.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import gpufluid
from gpufluid import checking, environment, scene
from gpufluid.gpu.device import shared_device
from gpufluid.viewer import Viewer
from gpufluid.workbench import Workbench

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "digests.json"
STRIPS = ((1, 16), (1, 64), (2, 16), (2, 32), (4, 16), (8, 8), (8, 12), (8, 32), (16, 8), (16, 16), (16, 32), (24, 32))
SECONDS_A_RUN = 0.5
RUNS = 5


def goldens() -> dict[str, str]:
    """Each golden scene: ``equal`` at all ticks whose digests are kept, or the first that is not."""
    answer = {}
    for name, kept in json.loads(GOLDEN.read_text()).items():
        with gpufluid.Simulation(gpufluid.load(name)) as running:
            answer[name] = "equal"
            for tick in sorted(map(int, kept)):
                running.step(tick - running.tick)
                if running.digest() != kept[str(tick)]:
                    answer[name] = f"tick {tick}: {running.digest()}"
                    break
    return answer


def checks(ticks: int) -> dict[str, str]:
    """Each scene's first ticks against the oracle: ``equal for N ticks``, or the first difference."""
    answer = {}
    for path in scene.shipped():
        began = time.perf_counter()
        difference = checking.check(scene.read(path).world, ticks)
        answer[path.stem] = str(difference or f"equal for {ticks} ticks")
        remark(f"{path.stem}: {answer[path.stem]} ({time.perf_counter() - began:.0f} s)")
    return answer


def dense_world(side: int) -> gpufluid.World:
    """Every cell busy: random masses, a tenth of the cells walls."""
    random = np.random.default_rng(0)
    world = gpufluid.World(side, side)
    wall = random.random((side, side), np.float32) < 0.1
    world["material"][wall] = world.materials["wall"]
    world["mass"][...] = random.integers(0, gpufluid.FULL, (side, side), np.int32)
    world["mass"][wall] = 0
    return world


def thirds_world(side: int) -> gpufluid.World:
    """A third sand, a third water, a third empty, at random: all of it falls, sinks, piles and levels."""
    world = gpufluid.World(side, side, ("atoms",))
    matter = [0, world.materials["sand"], world.materials["water"]]
    world["material"][...] = np.random.default_rng(0).choice(np.array(matter, np.uint8), (side, side))
    world.draw_grain()
    return world


def speed(running: gpufluid.Simulation, cells: int) -> dict[str, float]:
    """Median of `RUNS`, after a warm-up: microseconds a tick, Mcell/s, and the spread of the runs in percent."""
    running.step(3)
    running.finish()
    began = time.perf_counter()
    running.step()
    running.finish()
    ticks = max(3, int(SECONDS_A_RUN / (time.perf_counter() - began)))
    seconds = []
    for _ in range(RUNS):
        began = time.perf_counter()
        running.step(ticks)
        running.finish()
        seconds.append((time.perf_counter() - began) / ticks)
    median = statistics.median(seconds)
    spread = (max(seconds) - min(seconds)) / median * 100
    return {"us_a_tick": median * 1e6, "mcell_s": cells / median / 1e6, "spread_percent": spread}


def sizes(largest: int, world_of: Callable[[int], gpufluid.World], side: int = 64) -> dict[str, Any]:
    """Speed by the world's side, and what reading back costs there."""
    answer = {}
    while side <= largest:
        with gpufluid.Simulation(world_of(side)) as running:
            row = speed(running, side * side)
            for name, call in (("read", running.read), ("digest", running.digest), ("frame", running.frame)):
                call()
                began = time.perf_counter()
                call()
                row[f"{name}_ms"] = (time.perf_counter() - began) * 1e3
        answer[str(side)] = {name: round(value, 2) for name, value in row.items()}
        remark(f"{side:6} {answer[str(side)]}")
        side *= 2
    return answer


def passes(world: gpufluid.World, ticks: int = 5) -> dict[str, float]:
    """Milliseconds of a tick that each pass takes, waiting for the device after each: the median of some ticks."""
    with Workbench(world) as running:
        spent = [running.timed_step() for _ in range(ticks)]
    return {name: round(statistics.median(tick[name] for tick in spent), 2) for name in spent[0]}


def strips(side: int) -> dict[str, float]:
    """Mcell/s by the shape of the strip, in one world. Exits if one gives another digest than the others."""
    world, answer, digests = dense_world(side), {}, set()
    for shape in STRIPS:
        name = f"{shape[0]}x{shape[1]}"
        with gpufluid.Simulation(world, strip=shape) as running:
            running.step(4)
            digests.add(running.digest())
            answer[name] = round(speed(running, side * side)["mcell_s"], 1)
        remark(f"strip {name}: {answer[name]} Mcell/s")
    if len(digests) > 1:
        sys.exit(f"strips of different shapes gave different digests: {digests}")
    return answer


def viewer(frames: int = 60) -> dict[str, dict[str, float]]:
    """What a frame of the window costs beside its panels, 1280 by 800 pixels: milliseconds of ticks, and of drawing."""
    answer = {}
    for name, world in (
        ("atoms 512", thirds_world(512)),
        ("flow 4096", dense_world(4096)),
        ("atoms 4096", thirds_world(4096)),
    ):
        watched = Viewer(world, window=(1280, 800))
        watched.do("rate")  # as fast as it goes
        spent = []
        for _ in range(frames + 10):
            began = time.perf_counter()
            watched.advance(began)
            watched.sim.device.finish()
            ticked = time.perf_counter()
            watched.picture()
            spent.append((ticked - began, time.perf_counter() - ticked))
        ticks, drawing = (1e3 * np.array(spent[10:])).T
        whole = ticks + drawing
        parts = {"ticks_ms": ticks, "drawing_ms": drawing, "frame_ms": whole}
        answer[name] = {part: round(float(np.median(times)), 1) for part, times in parts.items()}
        answer[name] |= {"longest_frame_ms": round(float(whole.max()), 1), "ticks": watched.sim.tick}
        remark(f"viewer, {name}: {answer[name]}")
        watched.close()
    return answer


def remark(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--json", type=Path, help="write the answer here too")
    words.add_argument(
        "--largest", type=int, default=2048 if shared_device().software else 16384, help="side, in cells"
    )
    words.add_argument("--check-ticks", type=int, default=200, help="ticks of every scene to hold against the oracle")
    given = words.parse_args()
    answer = {
        "date": datetime.now(UTC).date().isoformat(),
        "environment": environment.describe(),
        "goldens": goldens(),
        "checks": checks(given.check_ticks),
        "flow_dense": sizes(given.largest, dense_world),
        "atoms_thirds": sizes(given.largest, thirds_world, 512),
        "atoms_passes_ms": {str(side): passes(thirds_world(side)) for side in (1024, 2048) if side <= given.largest},
        "viewer": viewer(),
        "flow_strips": {str(side): strips(side) for side in (1024, 2048, 8192) if side <= given.largest},
    }
    text = json.dumps(answer, indent=2)
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(text + "\n")
    print(text)
    same = all(word == "equal" for word in answer["goldens"].values())
    sys.exit(0 if same and all(word.startswith("equal") for word in answer["checks"].values()) else 1)


if __name__ == "__main__":
    main()
