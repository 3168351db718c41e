"""``gpufluid run`` with stores, and with snapshots that are written during the run."""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.killed_runs import REPORTING, Wait, Words, kill_runs

import gpufluid
from gpufluid.core.errors import OutputError
from gpufluid.core.new_folders import reserved
from gpufluid.io import snapshots, stores
from gpufluid.render.film import Film
from gpufluid.run.recording import Recording, record

pytestmark = pytest.mark.usefixtures("device")


def digest_of(answer) -> str:
    assert answer.code == 0, answer.err
    return json.loads(answer.out)["digest"]


def test_a_run_goes_on_from_a_store(call) -> None:
    whole = digest_of(call("run", "dam_break", "--ticks", 20, "--json"))
    first = call("run", "dam_break", "--ticks", 12, "--out", "x.zarr", "--out", "x.npz", "--json")
    assert json.loads(first.out)["outputs"] == ["x.zarr", "x.npz"]
    assert gpufluid.load("x.zarr") == gpufluid.load("x.npz")
    assert digest_of(call("run", "x.zarr", "--ticks", 8, "--out", "x.zarr", "--json")) == whole
    assert gpufluid.load("x.zarr").tick == 20
    answer = call("run", "x.zarr", "--ticks", 1, "--seed", 3)
    assert (answer.code, answer.err) == (
        2, "gpufluid: x.zarr: a snapshot goes on with its own seed and parameters; neither can be given\n",
    )  # fmt: skip


@pytest.mark.parametrize("ending", ["zarr", "npz"])
def test_a_state_is_written_every_few_ticks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ending: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"x.{ending}"
    seen = {}

    def look(done: int) -> None:
        seen[done] = gpufluid.load(path).tick if path.exists() else None

    with gpufluid.Simulation(gpufluid.load("dam_break")) as simulation:
        record(simulation, Recording(25, [path], snapshot_every=10), look)
        assert gpufluid.load(path).digest() == simulation.digest()
    assert {10, 20} <= seen.keys()  # a report of progress comes before the state of its tick is written
    assert all(tick == (None if done <= 10 else (done - 1) // 10 * 10) for done, tick in seen.items())


def test_wrong_calls_are_one_sentence_before_anything_runs(call, tmp_path: Path) -> None:
    for words, said in (
        (("--snapshot-every", 5), "--snapshot-every: has no effect without a .npz or .zarr file in --out"),
        (("--snapshot-every", 0, "--out", "x.zarr"), "snapshot-every: 0; expected a whole number from 1 on"),
        (("--out", "none/x.zarr"), "none/x.zarr: there is no folder 'none'"),
    ):
        answer = call("run", "dam_break", "--ticks", 2, *words)
        assert (answer.code, answer.out, answer.err) == (2, "", f"gpufluid: {said}\n")
    with reserved(tmp_path / "x.zarr", stores.refusal):
        answer = call("run", "dam_break", "--ticks", 2, "--out", "x.zarr")
    said = "gpufluid: x.zarr: another run is writing it; expected a name that no other run writes\n"
    assert (answer.code, answer.out, answer.err) == (2, "", said)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--out", "--stats"])
def test_no_output_lies_inside_another(call, tmp_path: Path, option: str) -> None:
    gpufluid.save(gpufluid.World(2, 2, rules=("flow",)), tmp_path / "x.zarr")
    answer = call("run", "dam_break", "--ticks", 1, "--out", "x.zarr", option, "x.zarr/mass/a.png")
    said = "gpufluid: x.zarr/mass/a.png: lies inside of 'x.zarr', another output; expected a file beside it\n"
    assert (answer.code, answer.out, answer.err) == (2, "", said)


def test_a_full_disk_leaves_the_store_that_was_there(process, tmp_path: Path) -> None:
    """Files are limited to 700 bytes, as if the disk were full."""
    earlier = gpufluid.World(2, 2, rules=("flow",))
    gpufluid.save(earlier, tmp_path / "x.zarr")
    answer = process(
        *("run", "dam_break", "--ticks", 2, "--out", "x.zarr"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700)),
        env={"MESA_SHADER_CACHE_DISABLE": "true", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert (answer.code, answer.out) == (1, "")
    assert answer.err == "gpufluid: x.zarr: could not be written: File too large\n"
    assert gpufluid.load(tmp_path / "x.zarr") == earlier
    assert [path.name for path in tmp_path.iterdir()] == ["x.zarr"]


@pytest.mark.parametrize("failing", ["x.zarr", "x.npz", "a.mp4"])
def test_an_output_that_fails_during_the_run_ends_it_and_all_others_are_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """The states of tick 5 are written, those of tick 10 are not; a film fails with its fourth frame."""
    written = []

    def failing_after(times: int, write: Callable[..., object]) -> Callable[..., object]:
        def write_or_fail(first: object, *others: object) -> object:
            if getattr(first, "path", tmp_path / failing) != tmp_path / failing:  # another film
                return write(first, *others)
            written.append(first)
            if len(written) > times:
                raise OutputError(f"{failing}: could not be written: no more")
            return write(first, *others)

        return write_or_fail

    owner, name, times = {"x.zarr": (stores, "end", 1), "x.npz": (snapshots, "write", 1), "a.mp4": (Film, "add", 3)}[
        failing
    ]
    monkeypatch.setattr(owner, name, failing_after(times, getattr(owner, name)))
    outputs = [tmp_path / each for each in ("x.zarr", "x.npz", "x.png", "a.mp4", "b.mp4")]
    stats = [tmp_path / "x.csv"]
    with (
        gpufluid.Simulation(gpufluid.load("dam_break")) as simulation,
        pytest.raises(OutputError, match="could not be written: no more"),
    ):
        record(simulation, Recording(1000, outputs, snapshot_every=5, every=5, stats=stats, stats_every=5))
    ended = 15 if failing == "a.mp4" else 10
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(
        each.name for each in (*outputs, *stats) if each.name != "a.mp4" or failing != "a.mp4"
    )
    for path in outputs[:2]:
        assert gpufluid.load(path).tick == (5 if path.name == failing else ended)
    assert stats[0].read_text().splitlines()[-1].startswith(f"{ended},")


@pytest.mark.skipif(
    not hasattr(os, "O_TMPFILE"), reason="only Linux has files without a name, of which a killed process leaves none"
)
@pytest.mark.long("starts the program several times; the short run kills a process in test_new_folders.py")
@pytest.mark.parametrize("ending", ["zarr", "npz"])
def test_a_killed_run_goes_on_from_its_last_whole_state(start, process, tmp_path: Path, ending: str) -> None:
    def kill(words: Words, wait: Wait) -> None:
        with start(*words, first=REPORTING) as running:
            wait(running)
            running.send_signal(signal.SIGKILL)
            _, said = running.communicate()
        assert running.returncode == -signal.SIGKILL, said

    kill_runs(kill, tmp_path / f"x.{ending}", 5, Random(7))
    answer = process("run", f"x.{ending}", "--ticks", 1, "--out", f"x.{ending}")
    assert answer.code == 0, answer.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.npz", "told", f"x.{ending}"]
