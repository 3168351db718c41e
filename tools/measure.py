"""Measure this machine in one command: check all digests, and measure the speeds.

``.venv/bin/python tools/measure.py --json docs/measurements/<renderer>-<date>.json``

The parts: the digests of all golden scenes; the first ticks of all scenes, compared with the oracle; speeds, as
`gpufluid bench` measures them; the time of a frame of the viewer; the speed of every rule with each variant, without
sleeping tiles, and with each strip shape. ``--parts variants`` does only the last part.
``--bench FILE`` also writes the results of `gpufluid bench` to a file, for ``gpufluid bench --compare``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import gpufluid
from gpufluid import scene
from gpufluid.benchmark import session
from gpufluid.benchmark.planning import Selection, plan
from gpufluid.benchmark.timing import Effort, time_ticks
from gpufluid.benchmark.variants import VARIANTS
from gpufluid.benchmark.workload import workloads_of
from gpufluid.core.errors import GpufluidError
from gpufluid.core.files import written_whole
from gpufluid.gpu.device import shared_device
from gpufluid.gpu.variants import decide
from gpufluid.rules import RULES, Over
from gpufluid.run import checking, environment
from gpufluid.runtime import tuning
from gpufluid.viewer import Viewer

PARTS = ("goldens", "checks", "bench", "viewer", "variants")

SOFTWARE_SIDES, GPU_SIDES = (1024, 2048), (1024, 4096, 16384)
"""Sides of the worlds in which variants are compared, in cells."""

STRIPS_UP_TO = 4096
"""Largest side for which strip shapes are compared; larger worlds take minutes to start."""

UNLIKE = "gives another digest"

GOLDEN = Path(__file__).parents[1] / "tests" / "golden" / "digests.json"


def goldens() -> dict[str, str]:
    """Check all golden scenes with all variants: by scene, ``equal``, or the first difference."""
    answer = {}
    for name, kept in json.loads(GOLDEN.read_text()).items():
        world = gpufluid.load(name)
        every = [[f"{rule}.{variant.name}" for variant in RULES[rule].variants] for rule in world.rules]
        found = (golden(world, variants, kept) for variants in product(*every))
        answer[name] = next((word for word in found if word != "equal"), "equal")
    return answer


def golden(world: gpufluid.World, variants: Sequence[str], kept: dict[str, str]) -> str:
    """Check a golden scene with given variants: ``equal``, or the first tick whose digest differs from the golden."""
    with gpufluid.Simulation(world, variant=variants) as running:
        for tick in sorted(map(int, kept)):
            running.step(tick - running.tick)
            if running.digest() != kept[str(tick)]:
                return f"{', '.join(variants)}, tick {tick}: {running.digest()}"
    return "equal"


def checks(ticks: int) -> dict[str, str]:
    """Compare each scene's first ticks with the oracle: by scene, ``equal for N ticks``, or the first difference."""
    answer = {}
    for path in scene.shipped():
        began = time.perf_counter()
        difference = checking.check(scene.read(path).world, ticks)
        answer[path.stem] = str(difference or f"equal for {ticks} ticks")
        remark(f"{path.stem}: {answer[path.stem]} ({time.perf_counter() - began:.0f} s)")
    return answer


def dense_world(side: int) -> gpufluid.World:
    """Make a world of rule flow in which every cell is active: random masses, a tenth of the cells walls."""
    random = np.random.default_rng(0)
    world = gpufluid.World(side, side, ("flow",))
    wall = random.random((side, side), np.float32) < 0.1
    world["material"][wall] = world.materials["wall"]
    world["mass"][...] = random.integers(0, gpufluid.FULL, (side, side), np.int32)
    world["mass"][wall] = 0
    return world


def thirds_world(side: int) -> gpufluid.World:
    """Make a world of rule atoms: a third sand, a third water, a third empty, at random."""
    world = gpufluid.World(side, side, ("atoms",))
    matter = [0, world.materials["sand"], world.materials["water"]]
    world["material"][...] = np.random.default_rng(0).choice(np.array(matter, np.uint8), (side, side))
    world.draw_grain()
    return world


MEASURED_WITHOUT_A_GPU = (256, 512, 1024)
MEASURED_ON_A_GPU = (256, 1024, 4096, 16384)
"""Sides, in cells, measured by default: more than `gpufluid bench` measures, which takes two minutes."""


def speeds(sizes: Sequence[int], path: Path | None) -> dict[str, Any]:
    """Return the results of `gpufluid bench` at several sizes, with all runs of each row.

    Args:
        sizes: sides, in cells; empty: those of this kind of device.
        path: file for the results so far; None: no file.
    """
    device = shared_device()
    usual = [
        side for side in (MEASURED_WITHOUT_A_GPU if device.software else MEASURED_ON_A_GPU) if side <= device.max_side
    ]
    planned, effort = plan(Selection(sizes=sizes or usual), device), Effort()
    answer = session.begin(planned, effort)
    told = lambda done, name: remark(f"{done} of {len(planned.cases)} rows; {name}")  # noqa: E731
    session.run(planned, effort, shared_device(), answer, path, told)
    return answer


def ways(rule: str, side: int) -> dict[str, dict[str, Any]]:
    """Arguments of `Simulation` for each way to run a rule: each variant, without sleep, and with each strip shape."""
    found = {}
    for variant in RULES[rule].variants:
        how: dict[str, Any] = {"variant": variant.name}
        found[variant.name] = how
        if any(pass_.activated_by for pass_ in variant.passes):
            found[f"{variant.name} awake"] = how | {"sleeping": False}
        if any(pass_.over is Over.STRIPS for pass_ in variant.passes) and side <= STRIPS_UP_TO:
            found |= {f"{variant.name} {name}": how | told for name, told in VARIANTS.items() if "strip" in told}
    return found


def variants(rule: str, side: int, effort: Effort) -> dict[str, float | str]:
    """Measure every way to run a rule in one dense world: by name, Mcell/s or the error."""
    world = next(each for each in workloads_of(rule) if each.name == "dense").make(side, side)
    answer: dict[str, float | str] = {}
    first = ""
    for name, how in ways(rule, side).items():
        try:
            with gpufluid.Simulation(world, **how) as running:
                running.step(4)
                first = first or running.digest()
                same = running.digest() == first
                answer[name] = round(side * side / time_ticks(running, effort).median / 1e6, 1) if same else UNLIKE
        except GpufluidError as error:
            answer[name] = f"does not run: {' '.join(str(error).split())}"
        remark(f"{rule} {side}, {name}: {answer[name]}")
    return answer


def all_variants() -> dict[str, dict[str, dict[str, float | str]]]:
    """Measure the variants of every rule, by side."""
    sides = SOFTWARE_SIDES if shared_device().software else GPU_SIDES
    return {rule: {str(side): variants(rule, side, Effort()) for side in sides} for rule in RULES}


def viewer(frames: int = 60) -> dict[str, dict[str, float]]:
    """Measure a frame of the viewer without panels, 1280 x 800 pixels: median milliseconds of ticks and of drawing."""
    answer = {}
    for name, world in (
        ("atoms 512", thirds_world(512)),
        ("flow 4096", dense_world(4096)),
        ("atoms 4096", thirds_world(4096)),
    ):
        watched = Viewer(world, window=(1280, 800))
        watched.do("rate")  # unlimited
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
    words.add_argument("--json", type=Path, help="also write the results to this file")
    words.add_argument("--bench", type=Path, help="write the speeds to this file, after each row")
    words.add_argument(
        "--sizes", type=int, nargs="+", default=[], help="sides, in cells; by default several, small to large"
    )
    words.add_argument("--check-ticks", type=int, default=200, help="ticks of every scene to compare with the oracle")
    words.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="the parts to run; by default all")
    given = words.parse_args()
    device = shared_device()
    decide(list(RULES), None, device, tuning.measuring(device, remark))
    parts = {
        "goldens": goldens,
        "checks": lambda: checks(given.check_ticks),
        "bench": lambda: speeds(given.sizes, given.bench),
        "viewer": viewer,
        "variants": all_variants,
    }
    answer: dict[str, Any] = {"date": datetime.now(UTC).date().isoformat(), "environment": environment.describe()}
    for name, part in parts.items():
        if name not in given.parts:
            continue
        answer[name] = part()
        if given.json:  # after each part, so that results survive a later error
            keep(answer, given.json)
    print(json.dumps(answer, indent=2))
    sys.exit(0 if sound(answer) else 1)


def keep(answer: dict[str, Any], path: Path) -> None:
    """Write results as JSON, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as file:
        file.write_text(json.dumps(answer, indent=2) + "\n")


def sound(answer: dict[str, Any]) -> bool:
    """True if all digests and comparisons in the results are equal."""
    sides = [found for rule in answer.get("variants", {}).values() for found in rule.values()]
    return (
        all(word == "equal" for word in answer.get("goldens", {}).values())
        and all(word.startswith("equal") for word in answer.get("checks", {}).values())
        and not any(found == UNLIKE for side in sides for found in side.values())
    )


if __name__ == "__main__":
    main()
