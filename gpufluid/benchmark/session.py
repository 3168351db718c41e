"""A benchmark from its first row to its last; what was measured is kept, however it ends."""

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
from gpufluid.benchmark.timing import Effort
from gpufluid.core.errors import DeviceError, GpufluidError, UsageError
from gpufluid.core.files import check_writable
from gpufluid.gpu.device import Device
from gpufluid.run.environment import describe

Progress = Callable[[int, str], None]

_TOLD = ("python", "system", "libraries", "renderer", "opengl", "software", "largest_side", "free_memory")


def check_outputs(json: Path | None, plot: Path | None) -> None:
    """Refuse files that cannot be written, before anything is measured. Raises UsageError."""
    for path, ending in ((json, ".json"), (plot, ".png")):
        if path is None:
            continue
        if path.suffix.lower() != ending:
            raise UsageError(f"{path}: nothing is known of the ending {path.suffix!r}; expected one of: {ending}")
        check_writable(path)


def begin(plan: Plan, effort: Effort) -> dict[str, Any]:
    """The answer before its first row."""
    there = describe()
    environment = {name: there[name] for name in _TOLD} | {"processors": os.cpu_count()}
    settings = {"runs": effort.runs, "seconds_a_run": effort.seconds, "ticks_a_run": effort.ticks}
    answer = report.begun(environment, settings, datetime.now(UTC).date().isoformat())
    answer["skipped"] = list(plan.skipped)
    return answer


def run(
    plan: Plan,
    effort: Effort,
    device: Device,
    answer: dict[str, Any],
    keep: Path | None = None,
    progress: Progress | None = None,
) -> None:
    """Measure row after row. After each, the answer so far is written, as incomplete.

    Args:
        plan: what to measure.
        effort: how much.
        device: where.
        answer: as `begin` gives it; its rows are added to, also where it ends with an error.
        keep: the file that it is written to.
        progress: told the number of rows done, and the name of the next.
    Raises: DeviceError: the device was lost, or memory ran out. OutputError: the file could not be written.
    """
    try:
        for number, case in enumerate(plan.cases):
            if progress is not None:
                progress(number, report.named(case.heading))
            answer["rows"].append(_measured(case, effort, device))
            if keep is not None:
                report.write(answer, keep)
    except BaseException as error:
        answer["ended"] = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error) or type(error).__name__
        raise
    else:
        answer["complete"] = True
    finally:
        if keep is not None:
            report.write(answer, keep)


def _measured(case: Case, effort: Effort, device: Device) -> report.Row:
    """A row. An error of OpenGL's own after the device was lost says that it was."""
    try:
        return measure(case, effort, device)
    except (GpufluidError, MemoryError):
        raise
    except Exception as error:
        try:
            check_computes(device)
        except Exception:
            raise DeviceError(f"{report.named(case.heading)}: the device was lost or reset ({error})") from error
        raise
