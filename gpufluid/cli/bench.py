"""The command ``bench``: measure, print, write and compare."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gpufluid.cli import options, terminal
from gpufluid.core.errors import DeviceError, OutputError, ShaderError, UsageError

if TYPE_CHECKING:
    from gpufluid.benchmark.planning import Plan, Selection
    from gpufluid.benchmark.timing import Effort
    from gpufluid.gpu.device import Device


def bench(
    size: options.BenchSizes = None,
    scene: options.BenchScenes = None,
    rule: options.BenchRules = None,
    workload: options.BenchWorkloads = None,
    variant: options.BenchVariants = None,
    ticks: options.BenchTicks = None,
    runs: options.BenchRuns = None,
    json: options.BenchJson = None,
    plot: options.BenchPlot = None,
    compare: options.BenchCompare = None,
    ranks: options.Ranks = None,
    device: options.Device = None,  # noqa: ARG001  its callback uses it
) -> None:
    """Measure the speed of each rule on this machine; without options small worlds, in about two minutes.

    Under mpiexec the ranks share each world.
    """
    from gpufluid.benchmark.planning import Selection
    from gpufluid.benchmark.timing import ENOUGH_SECONDS, Effort
    from gpufluid.cli import sharing

    grid = sharing.checked_grid(ranks)
    if sharing.follows():
        return
    files = Files(*(path and path.expanduser() for path in (json, plot, compare)))
    asked = Selection(size or (), scene or (), rule or (), workload or (), variant or ())
    effort = Effort(ticks=ticks, enough=ENOUGH_SECONDS) if runs is None else Effort(runs=runs, ticks=ticks)
    with sharing.leading(grid) as count:
        complete = measure(asked, effort, files, count)
    if not complete:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a measurement; None: no such file.

    Args:
        json: output, all figures.
        plot: output, a plot of speed against size.
        compare: input, the figures of an earlier run.
    """

    json: Path | None = None
    plot: Path | None = None
    compare: Path | None = None


def measure(asked: Selection, effort: Effort, files: Files, ranks: int = 1) -> bool:
    """Measure, print, write and compare.

    Args:
        asked: the sizes, scenes, rules, workloads and variants to measure.
        effort: runs per row and ticks per run.
        files: the files to write and to compare with.
        ranks: the number of ranks that share each world.
    Returns: whether all rows were measured; if not, a remark on standard error gives the reason.
    Raises: UsageError: an invalid option or file, before anything is measured. OutputError: a file cannot be written.
    """
    from gpufluid.benchmark import comparing, plotting, report, session, tables
    from gpufluid.benchmark.planning import plan
    from gpufluid.cli import sharing
    from gpufluid.gpu.device import shared_device

    before = report.read(files.compare) if files.compare else None
    session.check_outputs(files.json, files.plot)
    device = shared_device()
    planned = plan(asked, device)
    _decide(planned, device)
    answer = session.begin(planned, effort, ranks)
    for skipped in planned.skipped:
        terminal.remark(f"not measured: {skipped}")
    unwritten: OutputError | None = None
    reported = (DeviceError, ShaderError, UsageError, MemoryError, KeyboardInterrupt)  # in answer["ended"]
    try:
        with suppress(*reported), terminal.progress_of_rows(len(planned.cases)) as progress:
            session.run(planned, effort, device, answer, files.json, progress, sharing.share() if ranks > 1 else None)
    except OutputError as error:
        unwritten = error  # show the measured rows first
    for skipped in answer["skipped"][len(planned.skipped) :]:
        terminal.remark(f"not measured: {skipped}")
    try:  # before the rows are printed, which fails if the reader of standard output has exited
        if files.plot and answer["rows"]:
            plotting.save(answer, files.plot)
    except OutputError as error:
        unwritten = unwritten or error
    terminal.answer(answer, tables.text(answer))
    if before is not None:
        if other := comparing.other_machine(before, answer):
            terminal.remark(other)
        terminal.answer(answer, "\n" + comparing.text(comparing.compare(before, answer)))
    if unwritten is not None:
        raise unwritten
    if not answer["complete"]:
        kept = f", marked incomplete in {files.json}" if files.json else ""
        measured = f"{len(answer['rows'])} of {len(planned.cases)} rows were measured{kept}"
        terminal.remark(f"{answer['ended']}; {measured}")
    return answer["complete"]


def _decide(planned: Plan, device: Device) -> None:
    """Choose the variant of each rule that no row names; rules not yet tuned on this device are tuned first."""
    from gpufluid.benchmark.variants import variants_by_rule
    from gpufluid.gpu.variants import decide
    from gpufluid.runtime.tuning import measuring

    left = {
        rule: None
        for case in planned.cases
        for rule in case.rules
        if rule not in variants_by_rule(case.variant, case.rules)
    }
    here = decide(list(left), None, device, measuring(device, terminal.remark))
    planned.cases = [replace(case, variants=here) for case in planned.cases]
