"""Two answers row by row: faster, slower, or the same within the spread of their runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpufluid.benchmark.report import Row, key, named

NOISE = 0.02
"""Rates nearer to one another than this are the same, however close together their runs were."""


_GONE_MOST = 5
"""More rows than these, of which there was only an old one, are told in one line."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one row.

    Args:
        row: its name.
        word: ``faster``, ``slower``, ``same``; ``unclear``: medians differ, runs overlap; or ``not comparable``,
            ``only before``, ``only now``.
        ratio: ticks a second now by those before; None where they cannot be compared.
        why: of what cannot be.
    """

    row: str
    word: str
    ratio: float | None = None
    why: str = ""


def compare(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Verdict]:
    """A verdict for each row of either answer, in the order of the new one."""
    old = {key(row): row for row in before["rows"]}
    new = {key(row): row for row in now["rows"]}
    found = [_verdict(old[name], row) if name in old else Verdict(named(row), "only now") for name, row in new.items()]
    return found + [Verdict(named(row), "only before") for name, row in old.items() if name not in new]


def _verdict(old: Row, new: Row) -> Verdict:
    name = named(new)
    if old["digest"] != new["digest"]:
        return Verdict(name, "not comparable", why="it is another world")
    if "course" in new and old["ticks_a_run"] != new["ticks_a_run"]:
        ticks = f"{old['ticks_a_run']} ticks of it were run before, {new['ticks_a_run']} now"
        return Verdict(name, "not comparable", why=ticks)
    ratio = new["ticks_per_second"] / old["ticks_per_second"]
    was, is_ = old["runs_ms_a_tick"], new["runs_ms_a_tick"]
    apart = max(was) < min(is_) or max(is_) < min(was)
    if abs(ratio - 1) < NOISE:
        return Verdict(name, "same", ratio)
    if not apart:
        return Verdict(name, "unclear", ratio)
    return Verdict(name, "faster" if ratio > 1 else "slower", ratio)


def other_machine(before: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """A remark if the two were measured on different devices."""
    then, here = (answer["environment"].get("renderer") for answer in (before, now))
    return None if then == here else f"compared with what was measured on another device: {then}; this is {here}"


def text(verdicts: list[Verdict]) -> str:
    """The verdicts for a person, a line each."""
    gone = sum(verdict.word == "only before" for verdict in verdicts)
    told = [verdict for verdict in verdicts if verdict.word != "only before"] if gone > _GONE_MOST else verdicts
    width = max((len(verdict.row) for verdict in told), default=0)
    lines = [f"{gone} rows were measured before and not now"] if len(told) < len(verdicts) else []
    for verdict in told:
        ratio = "" if verdict.ratio is None else f"  {verdict.ratio:.2f} times as fast"
        why = f": {verdict.why}" if verdict.why else ""
        lines.append(f"{verdict.row:{width}}  {verdict.word}{ratio}{why}")
    return "\n".join(lines)
