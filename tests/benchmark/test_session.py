"""A benchmark session in tiny worlds, from plan to results; and the results of an interrupted session."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.selection import mostly_long

from gpufluid import Simulation, World
from gpufluid.benchmark import measuring, planning, report, session, tables
from gpufluid.benchmark.measuring import Case, measure
from gpufluid.benchmark.planning import Selection, plan
from gpufluid.benchmark.timing import Effort, Timing, time_ticks
from gpufluid.benchmark.workload import Workload, joint_workloads, workloads_of
from gpufluid.core.errors import DeviceError, UsageError, WorldError
from gpufluid.gpu import dispatch
from gpufluid.gpu.copying import Copy
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES, with_requirements

ONCE = Effort(runs=1, ticks=2)


def planned(device: Device, **asked) -> list[tuple]:
    return [
        ("+".join(case.rules), case.workload.name, case.size[0], case.variant)
        for case in plan(Selection(**asked), device).cases
    ]


def test_a_row_with_sleeping_tiles_has_no_share_of_copy(device: Device) -> None:
    (settled,) = (each for each in workloads_of("flow") if each.at_rest)
    effort = Effort(runs=1, ticks=2)
    assert measure(Case(("flow",), settled, (32, 32), "auto"), effort, device)["share_of_copy"] is None
    assert measure(Case(("flow",), settled, (32, 32), "awake"), effort, device)["share_of_copy"] > 0


def test_a_row_has_every_figure(device: Device) -> None:
    row = measure(Case(("atoms",), workloads_of("atoms")[0], (32, 32), "auto"), Effort(runs=3, ticks=2), device)
    assert report.key(row) == ("atoms", "dense", 32, 32, "auto")
    assert len(row["runs_ms_a_tick"]) == 3
    assert row["cells_per_second"] == pytest.approx(32 * 32 * row["ticks_per_second"])
    assert list(row["passes"]) == [
        f"atoms.{name}"
        for name in (
            *(
                "find_run_ends",
                "find_drops",
                "form_drops",
                "seek",
                "spread",
            ),  # no elastic matter, so none of the passes of bodies
            *("fall", "rise", "glide", "settle", "weigh", "sink"),
        )
    ]
    assert row["bytes_a_tick"] == sum(part["bytes"] for part in row["passes"].values()) > 32 * 32 * 4 * 15
    assert row["share_of_copy"] == pytest.approx(row["bytes_per_second"] / row["copy_bytes_per_second"])
    assert row["memory"]["held"] > row["memory"]["needed"] == 32 * 32 * 4
    assert row["window"] == [32, 32]
    for name in ("startup", "upload", "read", "window", "digest", "statistics"):
        assert row[f"{name}_ms"] > 0
    tables.text(report.new({"software": True, "renderer": "x"}, {"runs": 1}, "") | {"rows": [row]})


def test_the_dispatches_of_a_row_are_those_of_a_tick(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    dense = workloads_of("atoms")[0]
    row = measure(Case(("atoms",), dense, (32, 32), "auto"), Effort(runs=1, ticks=1), device)
    counted: list[object] = []
    run = dispatch._Inputs.run
    with measuring.Workbench(dense.make(32, 32), device) as sim:
        monkeypatch.setattr(dispatch._Inputs, "run", lambda *words: (counted.append(words), run(*words)))
        sim.step()
    assert row["dispatches_a_tick"] == len(counted) > 9


PERFORMANCE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"


def counts_of_the_page() -> list[tuple[tuple[str, ...], int, int]]:
    """The rows of the table on the page: rules, and the dispatches of a tick on software OpenGL and on a GPU."""
    row = re.compile(r"^\| (`.*?) \|.*\| (\d+), (\d+) \|$", re.MULTILINE)
    found = row.findall(PERFORMANCE.read_text(encoding="utf-8"))
    known = [(tuple(name for name in re.findall(r"`(\w+)`", words) if name in RULES), *rest) for words, *rest in found]
    return [(rules, int(software), int(gpu)) for rules, software, gpu in known]


@pytest.mark.parametrize(
    "row",
    mostly_long(counts_of_the_page(), (("atoms",), 32, 22), why="more rules, counted alike"),
    ids=str,
)
def test_a_tick_has_as_many_dispatches_as_the_page_says(
    row: tuple[tuple[str, ...], int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, software, gpu = row
    world = joint_workloads(rules)[0].make(32, 32)
    for counted, on_software in ((software, True), (gpu, False)):
        monkeypatch.setattr(Device, "tests_tiles", not on_software)
        suiting = {
            rule: next(each.name for each in RULES[rule].variants if each.software in (None, on_software))
            for rule in rules
        }
        with measuring.Workbench(world, variant=suiting) as sim:
            assert sim.dispatches() == counted


def test_emitters_and_drains_far_apart_share_dispatches(device: Device) -> None:
    """Four of each: one dispatch of emitters, and five of drains."""
    sparse = next(each for each in workloads_of("atoms") if each.name == "sparse")
    with measuring.Workbench(sparse.make(128, 128), device, variant="lines") as sim:
        assert len(sim.blank.emitters) == len(sim.blank.drains) == 4
        assert sim.dispatches() == 32 + 6


def test_each_run_of_a_course_starts_from_the_initial_world(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    restore = measuring.Workbench.restore
    monkeypatch.setattr(
        measuring.Workbench, "restore", lambda sim, world: (begun.append(sim.tick), restore(sim, world))
    )
    typical, settled = workloads_of("flow")[1:3]
    row = measure(Case(("flow",), typical, (32, 32), "auto"), Effort(runs=3), device)
    assert row["course"] is True
    assert row["ticks_a_run"] == typical.run_ticks
    assert begun[0] >= 6  # after the warm-up
    assert begun[1:4] == [typical.run_ticks] * 3  # after each run
    assert "course" not in measure(Case(("flow",), settled, (32, 32), "auto"), ONCE, device)


def test_a_workload_at_rest_that_keeps_moving_is_an_error(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_REST_TICKS", 16)
    restless = Workload("restless", "", workloads_of("flow")[0].make, at_rest=True)
    with pytest.raises(DeviceError, match="restless: cells still move after 16 ticks"):
        measure(Case(("flow",), restless, (32, 32), "auto"), ONCE, device)


@pytest.mark.parametrize(("enough", "runs"), [(None, 5), (0.0, 2), (3600.0, 5)])
def test_a_figure_gets_no_further_run_once_its_runs_took_long_enough(
    device: Device, enough: float | None, runs: int
) -> None:
    with Simulation(World(8, 8, ("flow",)), device) as sim:
        assert len(time_ticks(sim, Effort(ticks=1, enough=enough)).seconds) == runs


def test_median_and_spread_of_a_timing() -> None:
    timing = Timing(5, (4.0, 1.0, 2.0))
    assert (timing.median, timing.spread) == (2.0, 1.5)


def test_the_default_plan_has_all_rules_and_workloads_at_small_sizes(device: Device) -> None:
    found = plan(Selection(), device)
    assert {case.size for case in found.cases} == {(side, side) for side in planning.SOFTWARE_SIZES}
    assert [case.size[0] for case in found.cases] == sorted(case.size[0] for case in found.cases)
    assert {case.rules for case in found.cases} == {
        *map(with_requirements, RULES),
        ("mixture", "pressure"),
        ("flow", "atoms"),
    }
    assert len(found.cases) == 5 * (len(RULES) + 2) * len(planning.SOFTWARE_SIZES)
    assert found.skipped == ["sizes over 256; ask for one with --size N, up to 16384 (this is software OpenGL)"]


def test_a_plan_has_exactly_the_requested_cases(device: Device) -> None:
    assert planned(device, sizes=[64, 32, 64], rules=["atoms+flow"], workloads=["empty", "dense"]) == [
        ("flow+atoms", name, side, "auto") for side in (32, 64) for name in ("empty", "dense")
    ]
    assert planned(device, sizes=[32], rules=["reactions"], workloads=["empty"]) == [
        ("atoms+heat+reactions", "empty", 32, "auto")
    ]
    for rule in ("mixture+pressure", "pressure+mixture"):
        assert planned(device, sizes=[32], rules=[rule], workloads=["empty"]) == [
            ("mixture+pressure", "empty", 32, "auto")
        ]
    assert planned(device, scenes=["dam_break"], variants=["strip-1x16", "auto"]) == [
        ("flow", "dam_break", 256, name) for name in ("strip-1x16", "auto")
    ]
    assert len(planned(device, scenes=["dam_break"], rules=["flow"], sizes=[32])) == 6


NAMES = [variant.name for rule in RULES.values() for variant in rule.variants]
REFUSED = [
    ({"sizes": [0]}, "--size: 0; expected an even whole number from 32 to 16384, this device's limit"),
    ({"sizes": [33]}, "--size: 33; expected an even"),
    ({"sizes": [64, 1 << 20]}, "--size: 1048576; expected an even"),
    ({"rules": ["flwo"]}, "--rule: 'flwo' is not known; did you mean 'flow'?"),
    ({"rules": ["flow+x"]}, f"--rule: 'x' is not known; expected one of: {', '.join(sorted(RULES)[:2])}"),
    ({"workloads": ["spars"]}, "--workload: 'spars' is not known; did you mean 'sparse'?"),
    (
        {"variants": ["fast"]},
        f"--variant: 'fast' is not known; expected one of: {', '.join(sorted({'auto', 'awake', *NAMES})[:5])}",
    ),
    ({"scenes": ["dambreak"]}, "there is no scene 'dambreak'; did you mean 'dam_break'?"),
]


@pytest.mark.parametrize(("asked", "said"), REFUSED, ids=str)
def test_invalid_selections_are_refused(device: Device, asked: dict, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan(Selection(**asked), device)
    assert str(caught.value).startswith(said)


def test_a_size_over_the_memory_is_refused_if_requested_and_skipped_otherwise(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpufluid.gpu.footprint.machine_memory", lambda: 8 << 20)
    monkeypatch.setattr(planning, "SOFTWARE_SIZES", (256, 512, 1024))
    with pytest.raises(UsageError, match=r"--size: 1024: a world .* takes about .* MiB .* 8\.0 MiB are free"):
        plan(Selection(sizes=[1024], rules=["atoms"]), device)
    found = plan(Selection(rules=["atoms"]), device)
    assert {case.size[0] for case in found.cases} == {256, 512}
    assert any("atoms at size 1024: a world" in sentence for sentence in found.skipped)


def test_rules_without_workloads_and_incompatible_rules_are_reported(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "workloads_of", lambda rule: () if rule == "flow" else workloads_of(rule))
    assert "rule flow has no workloads" in plan(Selection(sizes=[32]), device).skipped
    with pytest.raises(
        UsageError, match=r"--rule: flow has no workloads; expected a file \(gpufluid/benchmark/workloads/flow\.py\)"
    ):
        plan(Selection(sizes=[32], rules=["flow"]), device)
    monkeypatch.undo()

    def apart(*_: int) -> World:
        raise WorldError("edges", "'wrap': rule flow cannot run here")

    real = planning.joint_workloads
    monkeypatch.setattr(
        planning,
        "joint_workloads",
        lambda rules: (Workload("dense", "", apart),) if rules == ("flow", "atoms") else real(rules),
    )
    found = plan(Selection(sizes=[32]), device)
    assert {case.rules for case in found.cases} == {*map(with_requirements, RULES), ("mixture", "pressure")}
    assert found.skipped == ["rules flow+atoms cannot share a world: edges: 'wrap': rule flow cannot run here"]
    with pytest.raises(UsageError, match=r"--rule: flow\+atoms: these rules cannot share a world"):
        plan(Selection(sizes=[32], rules=["flow+atoms"]), device)


def broken_off(device: Device, path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> dict:
    """Run a session whose third row raises an error. Returns the results in its file."""
    found = plan(Selection(sizes=[32], rules=["flow"]), device)
    real, calls = session.measure, []

    def fail(case, effort, on):
        calls.append(case)
        if len(calls) == 3:
            raise error
        return real(case, effort, on)

    monkeypatch.setattr(session, "measure", fail)
    answer = session.begin(found, ONCE)
    told = []
    with pytest.raises(type(error)):
        session.run(found, ONCE, device, answer, path, lambda done, name: told.append((done, name)))
    assert told == [(0, "flow dense 32"), (1, "flow typical 32"), (2, "flow settled 32")]
    assert len(answer["rows"]) == 2
    return report.read(path)


@pytest.mark.parametrize(
    ("error", "ended"),
    [(DeviceError("it is gone"), "it is gone"), (KeyboardInterrupt(), "interrupted"), (MemoryError(), "MemoryError")],
    ids=str,
)
def test_rows_measured_before_an_error_are_kept(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, ended: str
) -> None:
    kept = broken_off(device, tmp_path / "x.json", monkeypatch, error)
    assert (kept["complete"], kept["ended"]) == (False, ended)
    assert [row["workload"] for row in kept["rows"]] == ["dense", "typical"]


def test_a_device_that_no_longer_computes_is_an_error(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dispatches do nothing and raise no error, as after a reset of the driver."""
    monkeypatch.setattr(Copy, "run", lambda *_: None)
    with pytest.raises(DeviceError, match="no longer computes: its driver was reset, or its context lost"):
        measure(Case(("flow",), workloads_of("flow")[0], (32, 32), "auto"), ONCE, device)


def test_an_opengl_error_on_a_lost_device_is_a_device_error(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise Exception("cannot map the buffer")  # as moderngl does

    case = Case(("flow",), workloads_of("flow")[0], (32, 32), "auto")
    monkeypatch.setattr(session, "measure", fail)
    with pytest.raises(Exception, match="cannot map the buffer") as caught:  # the device computes: a fault of gpufluid
        session._measured(case, ONCE, device)
    assert not isinstance(caught.value, DeviceError)
    monkeypatch.setattr(Copy, "run", lambda *_: None)
    with pytest.raises(DeviceError, match=r"flow dense 32: the device was lost or reset \(cannot map the buffer\)"):
        session._measured(case, ONCE, device)


class Clocked:
    """Ticks of a given time, on a clock of its own; the first ones take a hundred times as long."""

    def __init__(self, seconds: float) -> None:
        self.now, self.ticks, self.steps, self._seconds = 0.0, 0, list[tuple[float, int]](), seconds

    def step(self, ticks: int) -> None:
        self.steps.append((self.now, ticks))
        self.now += ticks * self._seconds * (1 if self.ticks else 100)
        self.ticks += ticks

    def finish(self) -> None:
        """Nothing is queued."""


@pytest.mark.parametrize("seconds", [0.001, 0.04, 0.5])
def test_the_first_run_begins_once_the_device_has_been_busy(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is busy for as long with ticks whose programs are compiled."""
    sim = Clocked(seconds)
    monkeypatch.setattr("gpufluid.benchmark.timing.time.perf_counter", lambda: sim.now)
    timing = time_ticks(sim, Effort(runs=2, seconds=1.0))
    assert timing.ticks == max(1, round(1 / seconds))
    assert timing.median == pytest.approx(seconds)
    compiled, first = sim.steps[0][1] * 100 * seconds, sim.steps[-2][0]
    assert first - compiled >= 0.15
