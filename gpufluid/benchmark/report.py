"""Benchmark results as data, and their JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.files import open_regular, written_whole

VERSION = 1
"""Version of the file format; `read` refuses other versions."""

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
"""The keys of a row that a comparison needs, with their types."""


def new(environment: Mapping[str, Any], settings: Mapping[str, Any], date: str) -> dict[str, Any]:
    """Return results without rows, marked as incomplete.

    Args:
        environment: renderer, system and versions.
        settings: the `Effort`, as plain data.
        date: such as ``2026-11-21``.
    """
    results = {"kind": KIND, "version": VERSION, "complete": False, "ended": "", "date": date}
    return results | {"environment": dict(environment), "settings": dict(settings), "skipped": [], "rows": []}


def write(results: Mapping[str, Any], path: Path) -> None:
    """Write results as JSON. Raises: OutputError: the file cannot be written; an existing file is then unchanged."""
    with written_whole(path) as file:
        file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Any]:
    """Read results from a file.

    Raises: UsageError: the file cannot be read, is not JSON, not a benchmark's results, or of another version.
    """
    try:
        with open_regular(path) as file:
            results = json.loads(file.read().decode("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is not JSON: {error}") from None
    if not isinstance(results, dict) or results.get("kind") != KIND:
        raise UsageError(f"{path}: is not a result of gpufluid bench; expected 'kind': '{KIND}'")
    if results.get("version") != VERSION:
        raise UsageError(f"{path}: is of version {shown(results.get('version'))}; expected version {VERSION}")
    for name, kind in (("environment", dict), ("rows", list)):
        if not isinstance(results.get(name), kind):
            raise UsageError(f"{path}: {name}: {shown(results.get(name))}; expected a {kind.__name__}")
    for number, row in enumerate(results["rows"]):
        _check_row(path, f"rows[{number}]", row)
    return results


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
    """The key that identifies a row in results: (rules, workload, width, height, variant)."""
    return "+".join(row["rules"]), row["workload"], row["width"], row["height"], row["variant"]


def row_name(row: Row) -> str:
    """The key of a row as text."""
    rules, workload, width, height, variant = key(row)
    size = str(width) if width == height else f"{width}x{height}"
    return f"{rules} {workload} {size}" + ("" if variant == "auto" else f" {variant}")
