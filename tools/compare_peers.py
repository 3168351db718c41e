"""Compare the speed of gpufluid with other Python libraries, in one run, on the same worlds, in turns.

``.venv/bin/pip install -e '.[peers]' && .venv/bin/python tools/compare_peers.py --json FILE``

gpufluid builds each world and passes it to the other programs as arrays. Each program is compiled and warmed up; then
programs that follow the same law must have the same cells, or the run fails. Then the programs run the same number of
ticks from the same initial state, one after the other, in several turns. A ratio is the median of the ratios of the
turns. A library that is not installed (``pip install taichi warp-lang powderworld``) is reported in its row. Without a
GPU a tick of Powderworld takes many seconds: omit it by --skip, or use a smaller --size.
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
"""Ticks before timing begins; after these, programs of the same law must have the same cells."""

SECONDS_A_TURN = 3.0
"""Longest time of a program's turn; a slow program runs fewer ticks."""


def run(contest: Contest, side: int, ticks: int, turns: int, threads: int, skip: Collection[str]) -> dict[str, Any]:
    """Run a contest. Returns its results as plain data; ``entries`` has the figures of each program by name."""
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
            with redirect_stdout(sys.stderr):  # keep libraries' messages out of the results
                peers[entry.name] = entry.make(world, threads)
                states[entry.name] = warmed_up(peers[entry.name], contest.is_held_against(entry))
        except Exception as error:  # a library may raise any error; continue with the others
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
    """Compile and warm up a peer: `WARM_UP` ticks if its cells are to be compared, else two. Returns its state."""
    peer.step(WARM_UP if is_held_against else 2)
    peer.finish()
    return peer.state()


def held_against(entry: Entry, states: dict[str, np.ndarray]) -> dict[str, Any]:
    """Compare an entry's cells with those of the entry of the same law; empty if there is none or it did not run."""
    if entry.law is None or entry.law not in states:
        return {}
    return {"law": entry.law, "same": bool(np.array_equal(states[entry.name], states[entry.law]))}


def figures(seconds: list[float], ours: list[float], cells: int) -> dict[str, float]:
    """Return medians over turns; ``ratio``: the speed of gpufluid divided by this program's, with least and largest."""
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
    """Format a contest's results as a table, with a note on each program."""
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
    """Align a cell of the table: numbers to the right, text to the left."""
    return word.rjust(width) if 2 <= column <= 6 else word.ljust(width)


def arguments() -> argparse.Namespace:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    words.add_argument(
        "--size", type=int, metavar="N", help="side of all worlds, in cells; by default that of each contest"
    )
    words.add_argument("--ticks", type=int, default=50, help="ticks of a turn, from the initial state (50)")
    words.add_argument("--turns", type=int, default=7, help="turns of each program; at least 5 (7)")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    words.add_argument(
        "--threads", type=int, default=cores, help=f"threads of programs that run on a processor ({cores})"
    )
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
    os.environ["LP_NUM_THREADS"] = str(given.threads)  # software OpenGL reads this when a context is made
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # waiting threads must not slow the program whose turn it is
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
        if given.json:  # after each contest, so that results survive a later error
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
