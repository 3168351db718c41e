"""Benchmark results as text: the environment, then tables of speeds, of transfer times and of passes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from gpufluid.benchmark.report import Row, key
from gpufluid.core.memory import in_units

_SPEED = ("rules", "workload", "size", "ticks/s", "Mcell/s", "spread", "copy", "of it", "held", "needed")
_TRANSFERS = ("rules", "workload", "size", "start", "upload", "read", "window", "digest", "statistics", "watching")

_SHARED = ("rules", "workload", "size", "ticks/s", "Mcell/s", "spread", "start", "sent", "waited")
"""The columns of a table of worlds that ranks share."""

_PASSES_A_LINE = 5


def text(results: Mapping[str, Any]) -> str:
    """Format results for reading."""
    rows = _in_order(results["rows"])
    environment = results["environment"]
    kind = "software OpenGL, no GPU" if environment["software"] else "GPU"
    runs = _runs(results)
    lines = [f"renderer  {environment['renderer']} ({kind})", f"measured  medians of {runs} runs after a warm-up", ""]
    if not rows:
        return "\n".join([*lines, "nothing was measured"])
    if (ranks := results.get("ranks", 1)) > 1:
        lines += [f"{ranks} ranks share each world. start: milliseconds; sent: kB that all of them send in a tick;"]
        lines += ["waited: part of a tick in which a rank waits for others, on average"]
        return "\n".join([*lines, *_aligned(_SHARED, map(_shared, rows))])
    lines += ["copy: GB/s of a copy in the same run; of it: share of that bandwidth that a tick's least bytes reach"]
    lines += [*_aligned(_SPEED, map(_speed, rows)), ""]
    lines += ["milliseconds: start (and shaders compiled), upload, read of all, of a window, digest, statistics;"]
    lines += ["watching: time that a window read asynchronously after each tick adds to a tick"]
    lines += [*_aligned(_TRANSFERS, map(_transfer_times, rows)), ""]
    lines += ["milliseconds of each pass in a tick, measured one by one, and the share of the copy's bandwidth"]
    lines += _aligned(("rules", "workload", "size", "passes"), chain.from_iterable(map(_passes, rows)))
    return "\n".join(lines)


def _runs(results: Mapping[str, Any]) -> str:
    """The number of runs of each row: ``5``, or ``2 to 5`` if rows differ."""
    counts = {len(row["runs_ms_a_tick"]) for row in results["rows"]} or {results["settings"]["runs"]}
    return " to ".join(str(count) for count in dict.fromkeys((min(counts), max(counts))))


def _in_order(rows: Sequence[Row]) -> list[Row]:
    """Group rows by rules, then by workload, both in order of first appearance; sizes stay in measured order."""
    names = [key(row)[:2] for row in rows]
    rules, workloads = (list(dict.fromkeys(name[part] for name in names)) for part in (0, 1))
    return sorted(rows, key=lambda row: (rules.index(key(row)[0]), workloads.index(key(row)[1])))


def _heading(row: Row) -> list[str]:
    rules, workload, width, height, variant = key(row)
    size = str(width) if width == height else f"{width}x{height}"
    return [rules, workload, size if variant == "auto" else f"{size} {variant}"]


def _speed(row: Row) -> list[str]:
    memory = row["memory"]
    return [
        *_heading(row),
        f"{row['ticks_per_second']:,.1f}",
        f"{row['cells_per_second'] / 1e6:,.1f}",
        f"{row['spread']:.0%}",
        f"{row['copy_bytes_per_second'] / 1e9:,.1f}",
        _percent(row["share_of_copy"]),
        in_units(memory["held"]),
        in_units(memory["needed"]),
    ]


def _shared(row: Row) -> list[str]:
    waited = row["seconds_waited"] / row["ranks"] * row["ticks_per_second"]
    return [
        *_heading(row),
        f"{row['ticks_per_second']:,.1f}",
        f"{row['cells_per_second'] / 1e6:,.1f}",
        f"{row['spread']:.0%}",
        f"{row['startup_ms']:.0f}",
        f"{row['bytes_sent'] / 1000:,.1f}",
        _percent(min(waited, 1.0)),
    ]


def _percent(share: float | None) -> str:
    """A share as text; a dash for None, where tiles sleep."""
    return "-" if share is None else f"{share:.0%}"


def _in_brackets(share: float | None) -> str:
    return "" if share is None else f" ({share:.0%})"


def _transfer_times(row: Row) -> list[str]:
    shaders = f" ({row['startup_shaders']})" if row["startup_shaders"] else ""
    parts = (row[f"{name}_ms"] for name in ("upload", "read", "window", "digest", "statistics"))
    clear = row["watching_share"] > row["spread"]  # less than the ticks' spread is noise
    watching = f"{row['watching_share']:.0%}" if clear else "-"
    return [*_heading(row), f"{row['startup_ms']:.1f}{shaders}", *(f"{part:.2f}" for part in parts), watching]


def _passes(row: Row) -> list[list[str]]:
    """The lines of a row's passes, `_PASSES_A_LINE` passes on each."""
    spent = [(name, part["ms"], part["share_of_copy"]) for name, part in row["passes"].items() if part["ms"]]
    words = [f"{name} {ms:.3g}{_in_brackets(share)}" for name, ms, share in spent]
    lines = ["  ".join(words[first : first + _PASSES_A_LINE]) for first in range(0, len(words), _PASSES_A_LINE)]
    heading = _heading(row)
    return [[*(heading if not number else [""] * len(heading)), line] for number, line in enumerate(lines)]


def _aligned(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Format a table: text columns are left-aligned, number columns right-aligned."""
    table = [list(titles), *map(list, rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(titles))]
    words = 2 if titles[-1] != "passes" else len(titles)
    return [
        "  ".join(
            cell.ljust(width) if column < words else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
