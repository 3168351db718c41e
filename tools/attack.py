"""Attack gpufluid for some minutes: random worlds, damaged files, ended commands; prints every failure, made small.

Each kind of attack runs by turns, in a process of its own, so that a crash is one more failure. The exit code is 1 if
anything went wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import SystemRandom

from attacks.assault import FILES, KINDS, Found, assault

TURN = 60.0
"""Seconds of a turn of one kind, at most."""


def turn(kind: str, number: int, seconds: float = float("inf"), most: int = 1 << 20) -> Found:
    """Run one assault in a process of its own, which keeps no memory; a process that dies is a fault.

    Args:
        kind, number, seconds, most: as for `assault`.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            return pool.submit(assault_apart, kind, number, seconds, most).result()
        except BrokenProcessPool:
            return Found(kind, number, fault=f"the process died; --only {kind} --seed {number} repeats it")


def assault_apart(kind: str, number: int, seconds: float, most: int) -> Found:
    """An assault whose result can be sent to another process: a world cannot, so only the text of its attack is."""
    found = assault(kind, number, most, seconds)
    return found if kind in FILES else replace(found, smallest=None)


def main() -> int:
    """Attack until the time is over. Returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Attack gpufluid with damaged files, interrupted commands and random worlds."
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to attack (default: 5)")
    parser.add_argument("--only", default=",".join(KINDS), help=f"kinds, with commas: {', '.join(KINDS)}")
    parser.add_argument("--seed", type=int, help="the first seed; by default a new one")
    parser.add_argument("--keep", type=Path, help="a folder for the smallest attack of each failure")
    given = parser.parse_args()
    kinds = given.only.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        parser.error(f"--only: no kind {unknown[0]!r}; expected some of {', '.join(KINDS)}")
    if not given.minutes > 0:
        parser.error(f"--minutes: {given.minutes:g}; expected more than 0")
    if given.keep:
        try:
            given.keep.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"--keep: {given.keep}: {error.strerror}; expected a folder")
    number = given.seed if given.seed is not None else SystemRandom().getrandbits(32)
    print(f"attacking for {given.minutes:g} minutes from seed {number}: {', '.join(kinds)}", flush=True)
    end, done, failures = time.monotonic() + 60 * given.minutes, Counter[str](), 0
    try:
        while (left := end - time.monotonic()) > 0:
            for place, kind in enumerate(kinds):
                found = turn(kind, number, min(TURN, max(left / (len(kinds) - place), 1.0)))
                done[kind] += found.attacks
                if found.fault:
                    failures += 1
                    print(f"\n{kind}, seed {number}, went wrong:\n{found.fault}\n", flush=True)
                    if given.keep:
                        (given.keep / f"{kind}-{number}.txt").write_text(found.fault, encoding="utf-8")
                        if kind in FILES and isinstance(found.smallest, tuple):
                            (given.keep / f"{kind}-{number}{FILES[kind]}").write_bytes(found.smallest[1])
                left = end - time.monotonic()
            number += 1
    except KeyboardInterrupt:
        print("interrupted")
    for kind in kinds:
        print(f"{done[kind]:8d} attacks of {kind}: {KINDS[kind]}")
    print("nothing went wrong" if not failures else f"{failures} turns went wrong")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
