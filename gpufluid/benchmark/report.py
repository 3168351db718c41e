"""The answer of a benchmark as data: kept while it is measured, and read again."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.files import written_whole

VERSION = 1
"""Of the file's form. A reader refuses any other."""

KIND = "gpufluid bench"

Row = dict[str, Any]

_NEEDED = {
    "rules": list,
    "workload": str,
    "variant": str,
    "width": int,
    "height": int,
    "ticks_a_run": int,
    "runs_ms_a_tick": list,
    "ticks_per_second": (int, float),
    "digest": str,
}
"""What comparing two answers needs of a row."""


def begun(environment: Mapping[str, Any], settings: Mapping[str, Any], date: str) -> dict[str, Any]:
    """An answer without rows.

    Args:
        environment: the renderer and all versions.
        settings: how much is measured.
        date: as ``2026-11-21``.
    """
    answer = {"kind": KIND, "version": VERSION, "complete": False, "ended": "", "date": date}
    return answer | {"environment": dict(environment), "settings": dict(settings), "skipped": [], "rows": []}


def write(answer: Mapping[str, Any], path: Path) -> None:
    """Write it, whole. Raises OutputError."""
    with written_whole(path) as file:
        file.write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """An answer that was written earlier.

    Raises: UsageError: it cannot be read, is no JSON, no answer of a benchmark, or of another version.
    """
    try:
        answer = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is no JSON: {error}") from None
    if not isinstance(answer, dict) or answer.get("kind") != KIND:
        raise UsageError(f"{path}: is no answer of gpufluid bench, which says 'kind': '{KIND}'")
    if answer.get("version") != VERSION:
        raise UsageError(f"{path}: is of version {shown(answer.get('version'))}; expected version {VERSION}")
    for name, kind in (("environment", dict), ("rows", list)):
        if not isinstance(answer.get(name), kind):
            raise UsageError(f"{path}: {name}: {shown(answer.get(name))}; expected a {kind.__name__}")
    for number, row in enumerate(answer["rows"]):
        _check_row(path, f"rows[{number}]", row)
    return answer


def _check_row(path: Path, place: str, row: object) -> None:
    if not isinstance(row, dict):
        raise UsageError(f"{path}: {place}: {shown(row)}; expected a table")
    for name, kind in _NEEDED.items():
        value = row.get(name)
        if isinstance(value, bool) or not isinstance(value, kind):
            raise UsageError(f"{path}: {place}.{name}: {shown(value)}; expected {_word(kind)}")
    if not all(isinstance(rule, str) for rule in row["rules"]):
        raise UsageError(f"{path}: {place}.rules: {shown(row['rules'])}; expected names of rules")
    if not 0 < row["ticks_per_second"] < math.inf:
        raise UsageError(f"{path}: {place}.ticks_per_second: {shown(row['ticks_per_second'])}; expected more than 0")
    runs = row["runs_ms_a_tick"]
    numbers = [run for run in runs if isinstance(run, int | float) and not isinstance(run, bool) and run > 0]
    if not runs or len(numbers) < len(runs):
        raise UsageError(f"{path}: {place}.runs_ms_a_tick: {shown(runs)}; expected times of at least one run")


def _word(kind: type | tuple[type, ...]) -> str:
    return {list: "a list", str: "a word", int: "a whole number"}.get(kind, "a number")  # pyright: ignore[reportArgumentType, reportCallIssue]


def key(row: Row) -> tuple[str, str, int, int, str]:
    """What tells a row from all others: rules, workload, width, height, variant."""
    return "+".join(row["rules"]), row["workload"], row["width"], row["height"], row["variant"]


def named(row: Row) -> str:
    """The same for a person."""
    rules, workload, width, height, variant = key(row)
    size = str(width) if width == height else f"{width}x{height}"
    return f"{rules} {workload} {size}" + ("" if variant == "auto" else f" {variant}")
