"""Running the attacks of a module for some time, each from a file."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random, SystemRandom

Attacks = Callable[[Random], Iterator[tuple[str, bytes]]]
Judge = Callable[[Path], str | None]


def run(name: str, ending: str, attacks: Attacks, judge: Judge, seconds: float, seed: int) -> int:
    """Run attacks, and print each failure, whose file is kept.

    Args:
        name: what is attacked, such as ``snapshots``.
        ending: of the files, such as ``.npz``.
        attacks, judge: of a module of attacks.
        seconds: how long.
        seed: of the attacks.
    Returns: the number of failures.
    """
    print(f"{name}: seed {seed}")
    failures, tried, until = 0, 0, time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        path = (Path(folder) / "attack").with_suffix(ending)
        for attack, content in attacks(Random(seed)):
            path.write_bytes(content)
            fault = judge(path)
            tried += 1
            if fault is not None:
                failures += 1
                kept = Path(tempfile.gettempdir()) / f"attack-{seed}-{tried}{ending}"
                kept.write_bytes(content)
                print(f"{tried}: {attack}\n    {fault}\n    kept as {kept}")
            if time.monotonic() >= until:
                break
    print(f"{name}: {tried} tried, {failures} failed")
    return failures


def main(name: str, ending: str, attacks: Attacks, judge: Judge) -> None:
    """The command line of a module of attacks: ``--seconds`` and ``--seed``. Exit code 1: an attack failed."""
    parser = argparse.ArgumentParser(description=f"Attacks on {name}, from a new seed or a given one.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    given = parser.parse_args()
    raise SystemExit(1 if run(name, ending, attacks, judge, given.seconds, given.seed) else 0)
