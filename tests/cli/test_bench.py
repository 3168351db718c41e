"""``gpufluid bench``: its result and its files, and errors reported before anything is measured."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest
from PIL import Image
from support.benches import answer, row
from support.patience import PATIENCE

from gpufluid.benchmark import report, session
from gpufluid.core.errors import DeviceError, OutputError
from gpufluid.gpu.device import shared_device

TINY = ("bench", "--size", 32, "--rule", "flow", "--runs", 1, "--ticks", 2)


def test_bench_writes_table_json_plot_and_comparison(call, tmp_path: Path) -> None:
    first = call(*TINY, "--json", "old.json")
    assert (first.code, first.err) == (0, "")
    assert "software OpenGL, no GPU" in first.out
    kept = json.loads((tmp_path / "old.json").read_text())
    assert (kept["version"], kept["complete"]) == (1, True)
    assert kept["environment"]["renderer"] == shared_device().renderer
    assert [row["workload"] for row in kept["rows"]] == ["dense", "typical", "settled", "sparse", "empty"]
    words = ("--workload", "dense", "--json", "new.json", "--plot", "new.png", "--compare", "old.json")
    second = call(*TINY, *words)
    assert (second.code, second.err) == (0, "")
    verdicts = [line.split() for line in second.out.splitlines()[-5:]]
    assert verdicts[0][:3] == ["flow", "dense", "32"]
    assert verdicts[0][3] in ("faster", "slower", "same")
    assert [words[1:] for words in verdicts[1:]] == [
        [name, "32", "only", "before"] for name in ("typical", "settled", "sparse", "empty")
    ]
    with Image.open(tmp_path / "new.png") as picture:
        assert picture.format == "PNG"


def test_bench_measures_a_scene(call) -> None:
    found = call("bench", "--scene", "seed_000", "--runs", 1, "--ticks", 2)
    assert found.code == 0
    assert any(line.split()[:2] == ["flow", "seed_000"] for line in found.out.splitlines())


REFUSED = {
    "size 0": (("--size", "0"), "--size: 0; expected an even whole number from 32 to "),
    "size in words": (("--size", "big"), "integer"),
    "rule": (("--rule", "flows"), "--rule: 'flows' is not known; did you mean 'flow'?"),
    "workload": (("--workload", "dens"), "--workload: 'dens' is not known; did you mean 'dense'?"),
    "variant": (("--variant", "fast"), "--variant: 'fast' is not known; expected one of: auto"),
    "scene": (("--scene", "dambreak"), "there is no scene 'dambreak'"),
    "runs": (("--runs", "0"), "--runs"),
    "ticks": (("--ticks", "0"), "--ticks"),
    "no folder": (("--json", "gone/x.json"), "gone/x.json: there is no folder 'gone'"),
    "a folder": (("--plot", "folder.png"), "folder.png: is a folder"),
    "ending": (("--plot", "x.jpg"), "x.jpg: unknown ending '.jpg'; expected one of: .png"),
    "not JSON": (("--compare", "bad.json"), "bad.json: is not JSON"),
    "another version": (("--compare", "later.json"), "later.json: is of version 2; expected version 1"),
    "nothing": (("--compare", "gone.json"), "gone.json: cannot be read: No such file or directory"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_bench_call_is_one_error_before_any_measurement(
    call, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "later.json").write_text(json.dumps(answer(row(), version=2)))
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(session, "measure", lambda *_: pytest.fail("something was measured"))
    words, said = REFUSED[name]
    found = call("bench", *words)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_size_over_the_memory_is_an_error_with_both_amounts(call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.gpu.footprint.machine_memory", lambda: 8 << 20)
    found = call("bench", "--size", 2048, "--rule", "atoms")
    assert (found.code, found.out) == (2, "")
    assert "--size: 2048: a world of 2048 by 2048 cells with rules atoms takes about " in found.err
    assert found.err.endswith("8.0 MiB are free\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DeviceError("the device is gone"), "the device is gone"),
        (KeyboardInterrupt(), "interrupted"),
        (MemoryError("Unable to allocate 4 GiB"), "Unable to allocate 4 GiB"),
    ],
    ids=["device", "ctrl-c", "memory"],
)
def test_a_failed_benchmark_keeps_and_prints_its_finished_rows(
    call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, said: str
) -> None:
    real, calls = session.measure, []

    def fail(*given):
        calls.append(given)
        if len(calls) == 2:
            raise error
        return real(*given)

    monkeypatch.setattr(session, "measure", fail)
    found = call(*TINY, "--json", "x.json", "--plot", "x.png")
    assert found.code == 1
    assert found.err == f"gpufluid: {said}; 1 of 5 rows were measured, marked incomplete in x.json\n"
    assert "flow   dense" in found.out
    kept = json.loads((tmp_path / "x.json").read_text())
    assert (kept["complete"], kept["ended"], len(kept["rows"])) == (False, said, 1)
    assert (tmp_path / "x.png").is_file()


def test_a_failed_json_write_still_prints_the_table(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the disk were full: the table is printed, then one message; exit 1, and no partial file is left."""

    def full(*_: object) -> None:
        raise OutputError("x.json: could not be written: No space left on device")

    monkeypatch.setattr(report, "write", full)
    found = call(*TINY, "--json", "x.json")
    assert (found.code, found.err) == (1, "gpufluid: x.json: could not be written: No space left on device\n")
    assert "flow   dense" in found.out
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_keeps_the_rows_measured_so_far(start, tmp_path: Path) -> None:
    """The file holds the rows measured so far, before the measurement ends."""
    words = ("--size", 32, "--rule", "flow", "--ticks", 10_000, "--json", "x.json", "--workload", "empty")
    with start("bench", *words, "--workload", "dense", "--runs", 1) as running:
        while not (tmp_path / "x.json").exists():
            assert running.poll() is None, running.stderr.read()
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 1
    assert "interrupted; 1 of 2 rows were measured, marked incomplete in x.json\n" in err
    assert "empty" in out
    assert json.loads((tmp_path / "x.json").read_text())["complete"] is False
