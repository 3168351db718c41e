"""Carries out attacks of a kind until a limit is reached, and finds the smallest attack that goes wrong."""

from __future__ import annotations

import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

KINDS = {
    "scenes": "scene files with something wrong in them",
    "snapshots": "snapshots that are damaged, rebuilt, or made to cost memory and time",
    "pictures": "pictures, as maps and as worlds, of every type, whole and damaged",
    "commands": "commands with odd outputs and streams, that get signals at any moment",
    "worlds": "random worlds on the device and in the oracle",
}
"""The kinds of attacks, each a module of this folder, with what it attacks."""

FILES = {"scenes": ".toml", "snapshots": ".npz", "pictures": ".png"}
"""The kinds whose attacks are files, with the ends of their names."""

PATIENCE = 300
"""Seconds after which one attack counts as hanging."""


@dataclass(slots=True)
class Found:
    """The result of an assault.

    Args:
        kind: of the attacks.
        number: the seed of the assault.
        attacks: the number of attacks, without those that looked for a smaller one.
        fault: what went wrong, and the smallest attack in which it did, as text; empty: nothing.
        smallest: this attack; for kinds of files a pair: what is wrong in the file, and its content.
    """

    kind: str
    number: int
    attacks: int = 0
    fault: str = ""
    smallest: object = field(default=None, repr=False)


class WentWrongError(Exception):
    """An attack went wrong."""


class TimeIsOver(BaseException):
    """The time of an assault is over. Not an Exception, which hypothesis would take for a failure."""


def assault(kind: str, number: int, most: int = 1 << 20, seconds: float = float("inf")) -> Found:
    """Carry out attacks of a kind.

    Args:
        kind: one of `KINDS`.
        number: the seed of the attacks; the same number draws the same ones.
        most: the most attacks to carry out.
        seconds: no attack begins later than so many seconds after the first.
    """
    module = import_module(f"attacks.{kind}")
    found, end = Found(kind, number), time.monotonic() + seconds

    @seed(number)
    @settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
        report_multiple_bugs=False,
    )
    @given(st.randoms(use_true_random=False))
    def once(random: Random) -> None:
        # the attack is drawn even after the end, because hypothesis wants the same draws of the same choices
        attack = next(module.attacks(random)) if kind in FILES else module.attack(random)
        if not found.fault and time.monotonic() > end:
            raise TimeIsOver
        found.attacks += not found.fault
        try:
            with _patience():
                fault = _judged(module.judge, attack, FILES[kind]) if kind in FILES else module.judge(attack)
        except Exception:
            fault = traceback.format_exc()
        if fault is not None:
            text = attack[0] if kind in FILES else attack
            found.fault, found.smallest = f"{fault}\n{text}", attack  # the smallest one comes last
            raise WentWrongError

    try:
        once()
    except (WentWrongError, TimeIsOver):
        pass
    except Flaky:  # the repeated attack did not go wrong, for example because its signal came at another moment
        if not found.fault:
            raise
        found.fault = f"not each time: {found.fault}"
    return found


def _judged(judge: Callable[[Path], str | None], attack: tuple[str, bytes], ending: str) -> str | None:
    """Write the file of an attack into a folder of its own, and have it judged."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"attack{ending}"
        path.write_bytes(attack[1])
        return judge(path)


@contextmanager
def _patience() -> Iterator[None]:
    """Raise TimeoutError after `PATIENCE` seconds. Works only in the main thread, on systems that have SIGALRM."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"no end after {PATIENCE} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
