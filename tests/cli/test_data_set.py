"""``gpufluid run --count``: many worlds in one file, each as it is alone."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest
import zarr

import gpufluid
from gpufluid.run import data_set
from gpufluid.run.data_set import DataSet, record_data_set
from gpufluid.scene import Scene
from gpufluid.scene.changes import Changes

pytestmark = pytest.mark.usefixtures("device")


def test_each_world_is_as_it_is_alone(call, drop: Path) -> None:
    found = call("run", drop, "--count", 3, "--every", 4, "--out", "drops.npz", "--json")
    assert found.code == 0, found.err
    with np.load("drops.npz") as read:
        assert read["tick"].tolist() == [0, 4, 6]
        assert read["seed"].tolist() == [5, 6, 7]
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
        assert read["seed"].tolist() == [5, 5, 5]
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


def test_a_signal_ends_the_reading_of_the_scenes_of_many_worlds(drop: Path, tmp_path: Path) -> None:
    """Worlds that run at once are all read before the first tick, which takes minutes if there are thousands."""
    scene, read = gpufluid.scene.read(drop), []

    def load(*_: object) -> Scene:
        read.append(None)
        if len(read) == 9:
            signal.raise_signal(signal.SIGINT)
        return scene

    result = record_data_set(load, DataSet(tmp_path / "x.npz", 50, 6))
    assert (result.interrupted, result.digests, len(read)) == (True, [], 9)
    assert [each.name for each in tmp_path.iterdir()] == ["drop.toml"]


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
            ["--out", "x.npz", "--vary", "sand.name=sand,water"],
            "--vary 'sand.name': a material keeps its name; expected one of its properties",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "seed", "--vary", "seed"],
            "--vary: 'seed' is given twice",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "flow=1"],
            "--vary 'flow=1': expected seed or NAME=FROM:TO, such as flow.max_compress=0.01:0.05",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "flow.substeps=nan:2"],
            "--vary 'flow.substeps=nan:2': 'nan' is no number; expected FROM:TO, such as 0.01:0.05",
        ),
        (["--fields", "mass"], "--fields: has no effect without --count; a snapshot has all fields"),
        (
            ["--count", 2, "--out", "x.npz", "--fields", "mass,materiel"],
            "--fields: the worlds have no 'materiel'; did you mean 'material'?",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "watr.density=1:2"],
            "--vary 'watr.density': no rule and no material is called 'watr'; did you mean 'water'?",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "sand.densty=1:2"],
            "--vary: material[0].densty: unknown key; did you mean 'density'?",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "fill[0].sise=1:2"],
            (
                "'fill[0].sise' is no value of a fill, an emitter or a drain of the scene;"
                " did you mean 'fill[0].size' or 'fill[1].size' or 'fill[0].size[1]'?"
            ),
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "fill[0].at"],
            "--vary 'fill[0].at': the scene has no range there; expected fill[0].at=FROM:TO",
        ),
        (
            ["--count", 2, "--out", "x.npz", "--vary", "fill[0].size=[0, 1]:[2, 2]"],
            "--vary: fill[0].size: 0 by 1; expected at least 1 by 1 cells",
        ),
        (
            ["--count", 3, "--out", "x.npz", "--vary", "gravity=up,down"],
            "--count: 3; expected a multiple of 2, the number of combinations of what varies",
        ),
        (
            ["--count", 4, "--out", "x.npz", "--vary", "gravity=up,down"],
            "--count: 4; 2 worlds of each combination would be equal; add --vary seed",
        ),
        (
            ["--out", "x.npz", "--vary", "gravity=up,donw"],
            "--vary: gravity: 'donw' is not known; did you mean 'down'?",
        ),
    ],
)
def test_bad_calls_are_one_error(call, drop: Path, words: list[object], said: str) -> None:
    answer = call("run", drop, *words)
    assert (answer.code, answer.out, answer.err) == (2, "", f"gpufluid: {said}\n")
    assert not Path("x.npz").exists()


BALLS = """\
title = "Balls"
size = [24, 16]
rules = ["flow", "atoms"]
seed = 5
ticks = 6
[[fill]]
shape = "circle"
count = { from = 1, to = 3 }
at = { from = [4, 4], to = [20, 12] }
radius = { from = 1, to = 3.5 }
material = { choice = ["water", "sand"] }
"""


def test_the_worlds_of_a_scene_with_ranges_begin_differently(call, tmp_path: Path) -> None:
    """Each is the scene with its seed; what was drawn, and only the fields asked for, are in the file."""
    path = tmp_path / "balls.toml"
    path.write_text(BALLS)
    found = call("run", path, "--count", 8, "--every", 6, "--out", "balls.npz", "--fields", "material,mass")
    assert (found.code, found.err) == (0, "")
    rows = found.out.splitlines()[1:]
    assert len({len(row) - len(row.split(None, 1)[1]) for row in rows}) == 1, "the shapes stand below each other"
    assert "it holds a data set, which numpy.load reads; expected a world" in call("run", "balls.npz").err
    with np.load("balls.npz") as read:
        kept, ranges = dict(read), json.loads(str(read["manifest"]))["ranges"]
    assert not {"velocity", "temperature", "grain"} & set(kept)
    firsts = {kept["mass"][number, 0].tobytes() + kept["material"][number, 0].tobytes() for number in range(8)}
    assert len(firsts) == 8
    assert ranges["fill[0].count"] == {"from": 1, "to": 3}
    for number in range(8):
        scene = gpufluid.scene.read(path, seed=5 + number)
        np.testing.assert_array_equal(kept["mass"][number, 0], scene.world["mass"])
        count = scene.drawn["fill[0].count"][0]
        assert kept["fill[0].count"][number] == count
        assert kept["fill[0].at"][number, :count].tolist() == scene.drawn["fill[0].at"]
        assert not kept["fill[0].at"][number, count:].any()
        words = [["water", "sand"][word] for word in kept["fill[0].material"][number, :count]]
        assert words == scene.drawn["fill[0].material"]


def test_gravity_materials_and_values_of_the_scene_vary(call, drop: Path) -> None:
    """Combined values: the last one changes fastest, and the number of worlds follows. A store is as a file."""
    words = ("--vary", "gravity=down,left", "--vary", "fill[0].size=[2, 2]:[4, 5]:2", "--ticks", 2)
    for name in ("a.npz", "a.zarr"):
        found = call("run", drop, "--out", name, *words)
        assert (found.code, found.err) == (0, "")
    with np.load("a.npz") as read:
        assert read["gravity"].tolist() == [0, 0, 1, 1]
        assert read["fill[0].size"].tolist() == [[2, 2], [4, 5]] * 2
        manifest = json.loads(str(read["manifest"]))
        digests = read["digests"].tolist()
    assert manifest["varied"] == {"gravity": ["down", "left"], "fill[0].size": [[2, 2], [4, 5]]}
    assert "gravity" not in manifest
    twin = gpufluid.scene.read(drop, changes=Changes(gravity="left", values={"fill[0].size": [4, 5]})).world
    assert gpufluid.oracle.step(twin, 2).digest() == digests[3]
    assert len(set(digests)) == 4
    store = zarr.open_group("a.zarr", mode="r")
    assert [bytes(each).hex() for each in np.asarray(store["digests"])] == digests
    assert np.asarray(store["fill[0].size"]).tolist() == [[2, 2], [4, 5]] * 2


def test_worlds_that_differ_in_their_seeds_only_are_remarked_on(call, drop: Path) -> None:
    found = call("run", drop, "--count", 2, "--out", "x.npz", "--ticks", 1)
    assert found.err == "gpufluid: all 2 worlds begin with the same cells: 'A drop' has no range and no noise\n"


def test_the_end_of_a_range_that_no_world_can_have_is_one_error(call, drop: Path) -> None:
    answer = call("run", drop, "--count", 3, "--out", "x.npz", "--vary", "flow.substeps=1:9999")
    assert (answer.code, answer.out) == (2, "")
    assert "flow.substeps" in answer.err
    assert "9999" in answer.err


def test_a_data_set_larger_than_the_memory_is_refused(call, drop: Path) -> None:
    answer = call("run", drop, "--count", 65536, "--every", 1, "--ticks", 1_000_000, "--out", "x.npz")
    assert (answer.code, answer.out) == (2, "")
    assert "states of 24 by 16 cells takes about" in answer.err
