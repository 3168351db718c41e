"""Comparison of two benchmark results, row by row: faster, slower, or the same within the spread of the runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpufluid.benchmark.report import Row, key, row_name

NOISE = 0.02
"""Relative difference below which two rates count as the same, however small the spread of their runs."""

_GONE_MOST = 5
"""Most rows found only in the old results that are listed one by one; more are summed up in one line."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The comparison of one row.

    Args:
        row: the row's name.
        word: ``faster``, ``slower``, ``same``; ``unclear`` (medians differ, but runs overlap); or ``not comparable``,
            ``only before``, ``only now``.
        ratio: ticks a second now, divided by ticks a second before; None if not comparable.
        why: the reason, if not comparable.
    """

    row: str
    word: str
    ratio: float | None = None
    why: str = ""


def compare(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Verdict]:
    """Compare two results. Returns a verdict for each row: those of `now` in order, then those only in `before`."""
    old = {key(row): row for row in before["rows"]}
    new = {key(row): row for row in now["rows"]}
    found = [
        _verdict(old[name], row) if name in old else Verdict(row_name(row), "only now") for name, row in new.items()
    ]
    return found + [Verdict(row_name(row), "only before") for name, row in old.items() if name not in new]


def _verdict(old: Row, new: Row) -> Verdict:
    name = row_name(new)
    if old["digest"] != new["digest"]:
        return Verdict(name, "not comparable", why="the two worlds have different digests")
    if "course" in new and old["ticks_a_run"] != new["ticks_a_run"]:
        ticks = f"a run was {old['ticks_a_run']} ticks long before, and is {new['ticks_a_run']} now"
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
    """Return a warning if the two results come from different devices, else None."""
    then, here = (each["environment"].get("renderer") for each in (before, now))
    return None if then == here else f"the results to compare with are of another device: {then}; this is {here}"


def text(verdicts: list[Verdict]) -> str:
    """Format the verdicts for reading, one line each."""
    gone = sum(verdict.word == "only before" for verdict in verdicts)
    told = [verdict for verdict in verdicts if verdict.word != "only before"] if gone > _GONE_MOST else verdicts
    width = max((len(verdict.row) for verdict in told), default=0)
    lines = [f"{gone} rows are only in the old results"] if len(told) < len(verdicts) else []
    for verdict in told:
        ratio = "" if verdict.ratio is None else f"  {verdict.ratio:.2f} times as fast"
        why = f": {verdict.why}" if verdict.why else ""
        lines.append(f"{verdict.row:{width}}  {verdict.word}{ratio}{why}")
    return "\n".join(lines)
