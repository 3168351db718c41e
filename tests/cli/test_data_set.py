"""``gpufluid run --count``: many worlds in one file, each as it is alone."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest

import gpufluid
from gpufluid.run import data_set
from gpufluid.run.data_set import DataSet, Variation, record_data_set

pytestmark = pytest.mark.usefixtures("device")


def test_each_world_is_as_it_is_alone(call, drop: Path) -> None:
    found = call("run", drop, "--count", 3, "--every", 4, "--out", "drops.npz", "--json")
    assert found.code == 0, found.err
    with np.load("drops.npz") as read:
        assert read["ticks"].tolist() == [0, 4, 6]
        assert read["seeds"].tolist() == [5, 6, 7]
        assert read["mass"].shape == (3, 3, 16, 24)
        manifest = json.loads(str(read["manifest"]))
        for number in range(3):
            world = gpufluid.load(drop, seed=5 + number)
            for moment, ticks in enumerate((0, 4, 6)):
                now = gpufluid.oracle.step(world, ticks)
                for name in world.fields:
                    np.testing.assert_array_equal(read[name][number, moment], now[name], f"{name} {number} {ticks}")
            assert read["digests"][number] == now.digest()
        answer = json.loads(found.out)
        assert answer["arrays"] == {name: list(read[name].shape) for name in read.files}
        assert answer["digests"] == read["digests"].tolist()
    assert (manifest["worlds"], manifest["varied"], manifest["rules"]) == (3, answer["varied"], ["flow", "atoms"])
    assert answer["varied"] == {"seed": [5, 7]}
    assert answer["outputs"] == ["drops.npz"]


@pytest.mark.long("programs of its own for each value")
def test_a_parameter_goes_from_one_value_to_another(call, drop: Path) -> None:
    found = call("run", drop, "--count", 3, "--vary", "flow.substeps=1:3", "--out", "drops.npz", "--ticks", 5)
    assert found.code == 0, found.err
    assert "3 worlds that differ in flow.substeps, 5 ticks each" in found.out
    with np.load("drops.npz") as read:
        assert read["flow.substeps"].tolist() == [1, 2, 3]
        assert read["seeds"].tolist() == [5, 5, 5]
        assert read["mass"].shape == (3, 1, 16, 24)
        manifest = json.loads(str(read["manifest"]))
        digests = read["digests"].tolist()
    assert manifest["varied"] == {"flow.substeps": [1, 3]}
    assert "substeps" not in manifest["parameters"]["flow"]  # what is listed there holds for all worlds
    assert "max_compress" in manifest["parameters"]["flow"]
    assert call("run", drop, "--ticks", 5, "--set", "flow.substeps=2").out.count(digests[1]) == 1
    assert len(set(digests)) == 3


def test_worlds_that_do_not_run_at_once_make_the_same_file(call, drop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("run", drop, "--count", 3, "--out", "once.npz")
    monkeypatch.setattr(data_set, "_CELLS_AT_ONCE", 2 * 16 * 24)
    call("run", drop, "--count", 3, "--out", "parts.npz")
    with np.load("once.npz") as once, np.load("parts.npz") as parts:
        for name in once.files:
            np.testing.assert_array_equal(once[name], parts[name], name)


def test_an_interrupted_data_set_leaves_the_file_that_was_there(drop: Path, tmp_path: Path) -> None:
    path = tmp_path / "drops.npz"
    path.write_text("mine")
    done = []

    def interrupt(ticks: int) -> None:
        done.append(ticks)
        signal.raise_signal(signal.SIGINT)

    scene = gpufluid.scene.read(drop)
    result = record_data_set(lambda *_: scene, DataSet(path, 2, 40), progress=interrupt)
    assert (result.interrupted, result.digests) == (True, [])
    assert len(done) == 1
    assert path.read_text() == "mine"


def test_steps_of_whole_numbers_are_whole() -> None:
    assert Variation("flow.substeps", 1, 4).values(3) == [1, 2, 4]
    assert Variation("flow.max_compress", 0, 1.0).values(3) == [0, 0.5, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--vary", "seed"], "--vary: has no effect without --count, the number of worlds"),
        (["--count", 2], "--count: 0 files in --out; expected one, whose name ends in .npz or .zarr"),
        (["--count", 2, "--out", "x.png"], "x.png: a data set (--count) is one file whose name ends in .npz or .zarr"),
        (["--count", 0, "--out", "x.npz"], "--count: 0; expected a whole number from 1 to 65536"),
        (["--count", 2, "--out", "x.npz", "--fps", 9], "--fps: has no effect with --count"),
        (["--count", 2, "--out", "x.npz", "--watch"], "--watch: has no effect with --count"),
        (["--count", 2, "--out", "x.npz", "--every", 0], "every: 0; expected a whole number from 1 on"),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "seed", "--vary", "seed"],
            "--vary: 'seed' is given twice",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "flow=1"],
            "--vary 'flow=1': expected seed or RULE.PARAMETER=FROM:TO, such as flow.max_compress=0.01:0.05",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "flow.substeps=nan:2"],
            "--vary 'flow.substeps=nan:2': 'nan' is no number; expected FROM:TO, such as 0.01:0.05",
        ),
    ],
)
def test_bad_calls_are_one_error(call, drop: Path, words: list[object], said: str) -> None:
    answer = call("run", drop, *words)
    assert (answer.code, answer.out, answer.err) == (2, "", f"gpufluid: {said}\n")
    assert not Path("x.npz").exists()


def test_the_end_of_a_range_that_no_world_can_have_is_one_error(call, drop: Path) -> None:
    answer = call("run", drop, "--count", 3, "--out", "x.npz", "--vary", "flow.substeps=1:9999")
    assert (answer.code, answer.out) == (2, "")
    assert "flow.substeps" in answer.err
    assert "9999" in answer.err


def test_a_data_set_larger_than_the_memory_is_refused(call, drop: Path) -> None:
    answer = call("run", drop, "--count", 65536, "--every", 1, "--ticks", 1_000_000, "--out", "x.npz")
    assert (answer.code, answer.out) == (2, "")
    assert "states of 24 by 16 cells takes about" in answer.err
