"""gpufluid beside what else a Python user would run, in one run, on the same worlds, by turns.

``.venv/bin/pip install -e '.[peers]' && .venv/bin/python tools/compare_peers.py --json FILE``

The worlds are built once as gpufluid's and handed over as arrays. Each program is compiled and warmed up; those that
follow the same law as another must then hold the same cells as it, or the run fails. After that each runs the same
stretch from the same first state, one after the other, several times. A ratio is the median of the turns' own ratios.
What is not installed (``pip install taichi warp-lang powderworld``) says so in its row. Without a GPU a tick of
Powderworld takes many seconds: leave it out by --skip, or ask for a smaller --size.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Collection
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from measure import remark
from peers.contests import CONTESTS, Contest, Entry
from peers.turns import Peer, by_turns, ticks_within

from gpufluid.core.errors import GpufluidError, UsageError
from gpufluid.core.files import check_writable, written_whole
from gpufluid.gpu.device import shared_device
from gpufluid.run import environment

WARM_UP = 16
"""Ticks before anything is timed, after which those of one law must be equal."""

SECONDS_A_TURN = 3.0
"""What is slow runs fewer ticks of the stretch."""


def run(contest: Contest, side: int, ticks: int, turns: int, threads: int, skip: Collection[str]) -> dict[str, Any]:
    """Let all that are in a contest run, and say what came of it: ``entries`` by name, each with its figures."""
    world = contest.world(side)
    answer: dict[str, dict[str, Any]] = {}
    peers: dict[str, Peer] = {}
    states: dict[str, np.ndarray] = {}
    for entry in contest.entries:
        answer[entry.name] = {"about": entry.about}
        if entry.package and entry.package in skip:
            answer[entry.name]["problem"] = "skipped"
            continue
        remark(f"{contest.title(side)}: {entry.name}: compiling and warming up")
        try:
            with redirect_stdout(sys.stderr):  # what libraries have to say is no result
                peers[entry.name] = entry.make(world, threads)
                states[entry.name] = warmed_up(peers[entry.name], contest.is_held_against(entry))
        except Exception as error:  # a library may fail in any way of its own; the others go on
            if entry.is_ours:
                raise
            peers.pop(entry.name, None)
            answer[entry.name]["problem"] = entry.problem(error)
            continue
        answer[entry.name] |= {"where": peers[entry.name].where, **held_against(entry, states)}
    ticks = min(ticks, contest.most)
    counts = {name: ticks_within(peer, ticks, SECONDS_A_TURN) for name, peer in peers.items()}
    remark(f"{contest.title(side)}: {turns} turns of {ticks} {contest.unit}")
    seconds = by_turns(peers, counts, turns)
    for name, peer in peers.items():
        peer.close()
        answer[name] |= {contest.unit: counts[name], **figures(seconds[name], seconds[contest.ours], side * side)}
    return {"title": contest.title(side), "side": side, "unit": contest.unit, "entries": answer}


def warmed_up(peer: Peer, is_held_against: bool) -> np.ndarray:
    """Compile a peer by running it for two ticks, or as long as those run whose cells are compared. Returns these."""
    peer.step(WARM_UP if is_held_against else 2)
    peer.finish()
    return peer.state()


def held_against(entry: Entry, states: dict[str, np.ndarray]) -> dict[str, Any]:
    """Whether it holds the same cells as the one whose law it follows, if that ran; ``same`` is then there."""
    if entry.law is None or entry.law not in states:
        return {}
    return {"law": entry.law, "same": bool(np.array_equal(states[entry.name], states[entry.law]))}


def figures(seconds: list[float], ours: list[float], cells: int) -> dict[str, float]:
    """The medians of the turns; ``ratio`` is how many times as fast gpufluid is, with its lowest and highest turn."""
    median = statistics.median(seconds)
    ratios = sorted(its / our for its, our in zip(seconds, ours, strict=True))
    return {
        "a_second": 1 / median,
        "mcell_s": cells / median / 1e6,
        "spread_percent": (max(seconds) - min(seconds)) / median * 100,
        "ratio": statistics.median(ratios),
        "ratio_lowest": ratios[0],
        "ratio_highest": ratios[-1],
    }


def table(result: dict[str, Any]) -> str:
    """A contest for a person, with a sentence on each row that says what it is that is compared."""
    head = ("", "on", f"{result['unit']}/s", "Mcell/s", "spread", "gpufluid is", "(lowest to highest)", "cells")
    rows: list[tuple[str, ...]] = [head]
    notes = []
    for name, entry in result["entries"].items():
        notes.append(f"  {name}: {entry['about']}")
        if "problem" in entry:
            notes[-1] += f" Not run: {entry['problem']}."
            rows.append((name, "", "-", "-", "-", "-", "", "not run"))
            continue
        same = {True: f"as {entry.get('law')}", False: "DIFFER", None: ""}[entry.get("same")]
        ratio = f"{entry['ratio']:.2f} x", f"{entry['ratio_lowest']:.2f} to {entry['ratio_highest']:.2f}"
        speed = f"{entry['a_second']:.1f}", f"{entry['mcell_s']:.1f}", f"{entry['spread_percent']:.0f} %"
        rows.append((name, entry["where"], *speed, *ratio, same))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = ["  ".join(map(aligned, row, widths, range(len(row)))).rstrip() for row in rows]
    return "\n".join([result["title"], *lines, *notes])


def aligned(word: str, width: int, column: int) -> str:
    """A word of the table: figures to the right, the rest to the left."""
    return word.rjust(width) if 2 <= column <= 6 else word.ljust(width)


def arguments() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--json", type=Path, metavar="FILE", help="write the answer here too")
    words.add_argument("--size", type=int, metavar="N", help="side of all worlds, in cells; by default each its own")
    words.add_argument("--ticks", type=int, default=50, help="of a stretch, from the first state on (50)")
    words.add_argument("--turns", type=int, default=7, help="so many stretches each; at least 5 (7)")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words.add_argument("--threads", type=int, default=cores, help=f"of what runs on a processor ({cores})")
    packages = sorted({entry.package for contest in CONTESTS for entry in contest.entries if entry.package})
    words.add_argument("--skip", nargs="+", default=[], choices=packages, help="libraries to leave out")
    given = words.parse_args()
    for name, least in (("ticks", 1), ("turns", 5), ("threads", 1), ("size", 4)):
        value = getattr(given, name)
        if value is not None and value < least:
            raise UsageError(f"--{name}: {value}; expected at least {least}")
    if given.threads > cores:
        raise UsageError(f"--threads: {given.threads}; there are {cores} cores")
    if given.json:
        check_writable(given.json)
    return given


def main() -> None:
    given = arguments()
    os.environ["LP_NUM_THREADS"] = str(given.threads)  # software OpenGL reads it when a context is made
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that wait take nothing from whose turn it is
    device = shared_device()
    sides = [given.size or contest.side for contest in CONTESTS]
    device.check_side(max(sides), max(sides))
    answer: dict[str, Any] = {
        "date": datetime.now(UTC).date().isoformat(),
        "environment": {key: environment.describe()[key] for key in ("python", "system", "renderer", "opengl")},
        "threads": given.threads,
        "contests": [],
    }
    print(f"{device.renderer}; what runs on a processor has {given.threads} threads, if it can use them")
    for contest, side in zip(CONTESTS, sides, strict=True):
        result = run(contest, side, given.ticks, given.turns, given.threads, given.skip)
        answer["contests"].append(result)
        print(f"\n{table(result)}", flush=True)
        if given.json:  # after each, so that what was measured is kept whatever happens later
            with written_whole(given.json) as file:
                file.write_text(json.dumps(answer, indent=2) + "\n")
    entries = [entry for result in answer["contests"] for entry in result["entries"].values()]
    sys.exit(any(entry.get("same") is False for entry in entries))


if __name__ == "__main__":
    try:
        main()
    except GpufluidError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
