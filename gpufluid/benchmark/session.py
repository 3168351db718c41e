"""A benchmark session: measures the rows of a plan and stores the results after each row."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpufluid.benchmark import report
from gpufluid.benchmark.bandwidth import check_computes
from gpufluid.benchmark.measuring import Case, measure
from gpufluid.benchmark.planning import Plan
from gpufluid.benchmark.shared import Share, measure_shared
from gpufluid.benchmark.timing import Effort
from gpufluid.core.errors import DeviceError, GpufluidError, UsageError
from gpufluid.core.files import check_writable
from gpufluid.gpu.device import Device
from gpufluid.run.environment import describe

Progress = Callable[[int, str], None]

_ENVIRONMENT_KEYS = ("python", "system", "libraries", "renderer", "opengl", "software", "largest_side", "free_memory")


def check_outputs(json: Path | None, plot: Path | None) -> None:
    """Check, before anything is measured, that the output files can be written. Raises: UsageError."""
    for path, ending in ((json, ".json"), (plot, ".png")):
        if path is None:
            continue
        if path.suffix.lower() != ending:
            raise UsageError(f"{path}: unknown ending {path.suffix!r}; expected one of: {ending}")
        check_writable(path)


def begin(plan: Plan, effort: Effort, ranks: int = 1) -> dict[str, Any]:
    """Return the results of a plan before its first row; ``ranks`` share each world."""
    there = describe()
    environment = {name: there[name] for name in _ENVIRONMENT_KEYS} | {"processors": os.cpu_count()}
    settings = {"runs": effort.runs, "seconds_a_run": effort.seconds, "ticks_a_run": effort.ticks}
    settings["enough_seconds"] = effort.enough  # a row with so many seconds has fewer runs
    results = report.new(environment, settings, datetime.now(UTC).date().isoformat())
    results["skipped"], results["ranks"] = list(plan.skipped), ranks
    return results


def run(
    plan: Plan,
    effort: Effort,
    device: Device,
    results: dict[str, Any],
    keep: Path | None = None,
    progress: Progress | None = None,
    share: Share | None = None,
) -> None:
    """Measure all rows. After each row, the results so far are written and marked as incomplete.

    If ranks share the worlds, rows that they cannot share are skipped, and ``results["skipped"]`` says why.

    Args:
        plan: the rows to measure.
        effort: number and length of the runs.
        device: to measure.
        results: from `begin`; rows are appended, and ``ended`` and ``complete`` are set, also after an error.
        keep: file for the results; None: no file.
        progress: called before each row with the number of rows done and the row's name.
        share: shares a world among ranks; None: this process measures alone.
    Raises: DeviceError: the device was lost, or memory ran out. OutputError: the file could not be written.
        UsageError: ranks can share none of the worlds.
    """
    try:
        for number, case in enumerate(plan.cases):
            if progress is not None:
                progress(number, report.row_name(case.heading))
            try:
                results["rows"].append(_measured(case, effort, device, share))
            except UsageError as error:
                if share is None:
                    raise
                _skip(results, f"{'+'.join(case.rules)}: {error}")
            if keep is not None:
                report.write(results, keep)
        if not results["rows"]:
            raise UsageError("ranks can share none of these worlds")
    except BaseException as error:
        results["ended"] = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error) or type(error).__name__
        raise
    else:
        results["complete"] = True
    finally:
        if keep is not None:
            report.write(results, keep)


def _skip(results: dict[str, Any], reason: str) -> None:
    """Note once why rows were not measured."""
    if reason not in results["skipped"]:
        results["skipped"].append(reason)


def _measured(case: Case, effort: Effort, device: Device, share: Share | None = None) -> report.Row:
    """Measure a row. An unexpected error becomes a `DeviceError` if the device was lost."""
    try:
        return measure(case, effort, device) if share is None else measure_shared(case, effort, share)
    except (GpufluidError, MemoryError):
        raise
    except Exception as error:
        try:
            check_computes(device)
        except Exception:
            raise DeviceError(f"{report.row_name(case.heading)}: the device was lost or reset ({error})") from error
        raise
