"""``gpufluid run``: it writes the requested files, prints a complete result, and reports errors before it starts."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image

import gpufluid
from gpufluid import FULL, AtomLedger, Ledger, Simulation, World
from gpufluid.cli import opening
from gpufluid.core.errors import OutputError
from gpufluid.io import snapshots as storage
from gpufluid.render import film
from gpufluid.render.look import THEMES
from gpufluid.run import recording, reporting

SCENE = """\
title = "Drop"
size = [41, 30]
rules = ["flow"]
seed = 5
ticks = 12
[[fill]]
shape = "circle"
at = [12, 9]
radius = 6
material = "water"
[[emitter]]
at = [30, 0]
size = [3, 1]
chance = 0.5
until = 40
[[drain]]
at = [0, 29]
rate = 0.25
"""


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    (tmp_path / "drop.toml").write_text(SCENE)
    return tmp_path / "drop.toml"


def frames_in(path: Path) -> int:
    if path.suffix == ".gif":
        with Image.open(path) as picture:
            return picture.n_frames
    return imageio_ffmpeg.count_frames_and_secs(str(path))[0]


def test_all_kinds_of_output_at_once(call, drop: Path) -> None:
    files = [drop.with_suffix(ending) for ending in (".png", ".npz", ".mp4", ".gif")]
    asked = [word for file in files for word in ("--out", file)]
    answer = call("run", drop, "--ticks", 25, "--every", 10, "--scale", 2, *asked)
    assert (answer.code, answer.err) == (0, "")
    assert [line for line in answer.out.splitlines() if line.startswith("wrote")] == [
        f"wrote    {file}" for file in files
    ]
    world = storage.load(files[1])
    with Simulation(gpufluid.load(drop)) as sim:
        sim.step(25)
        assert world.digest() == sim.digest()
        with Image.open(files[0]) as picture:
            np.testing.assert_array_equal(np.asarray(picture), sim.frame(2))
    assert [frames_in(file) for file in files[2:]] == [4, 4]  # ticks 0, 10, 20 and the last
    assert sorted(path.name for path in drop.parent.iterdir()) == [
        "drop.gif",
        "drop.mp4",
        "drop.npz",
        "drop.png",
        "drop.toml",
    ]


def test_pictures_and_films_have_the_theme_the_crop_and_the_size(call, drop: Path) -> None:
    look = ("--theme", "night", "--background", "#203040", "--crop", "3,2,30x20", "--size", "301x202")
    outputs = [word for name in ("x.png", "x.webm", "x.gif") for word in ("--out", name)]
    answer = call("run", drop, "--ticks", 6, "--every", 3, *look, *outputs)
    assert (answer.code, answer.err) == (0, "")
    with Simulation(gpufluid.load(drop)) as sim:
        sim.step(6)
        wanted = sim.frame(theme="night", background="#203040", crop=(3, 2, 30, 20), size=(301, 202))
    with Image.open("x.png") as picture:
        np.testing.assert_array_equal(np.asarray(picture), wanted)
    assert [frames_in(Path(name)) for name in ("x.webm", "x.gif")] == [3, 3]
    assert imageio_ffmpeg.read_frames("x.webm").__next__()["size"] == (302, 202)  # padded to even sides
    with Image.open("x.gif") as film:
        assert film.size == (301, 202)


def test_a_picture_of_a_size_includes_its_legend(call, drop: Path) -> None:
    words = ("--overlay", "pressure", "--theme", "night", "--size", "400x300", "--out", "x.png")
    assert call("run", drop, "--ticks", 2, *words).code == 0
    with Image.open("x.png") as picture:
        found = np.asarray(picture)
    assert found.shape == (300, 400, 3)
    with Simulation(gpufluid.load(drop)) as sim:
        sim.step(2)
        np.testing.assert_array_equal(found[:252], sim.frame(overlay="pressure", theme="night", size=(400, 252)))
    assert tuple(found[-1, 0]) == THEMES["night"].paper


def test_json_report_is_complete_and_sums_agree(call, drop: Path) -> None:
    answer = call("run", drop, "--json", "--out", "x.png")
    assert (answer.code, answer.err) == (0, "")
    found = json.loads(answer.out)
    with Simulation(gpufluid.load(drop)) as sim:
        sim.step(12)
        after = sim.read()
        wanted = {
            "scene": "Drop", "width": 41, "height": 30, "ticks": 12, "tick": 12, "digest": sim.digest(),
            "renderer": sim.renderer, "settled": False, "interrupted": False, "units_per_cell": FULL,
            "activity_units": sim.activity(), "outputs": ["x.png"],
        }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted
    mass = found["mass_units"]
    assert mass["before"] + mass["emitted"] - mass["drained"] - mass["left"] == mass["now"] == after.total()
    assert (mass["emitted"], mass["drained"]) == (after.ledger.emitted, after.ledger.drained)
    assert mass["emitted"] > 0
    assert "atoms" not in found
    assert found["seconds"] > 0
    assert found["ticks_per_second"] > 0
    assert found["cells_per_second"] > 0


def test_text_report_has_the_digest_and_the_mass_sum(call, drop: Path) -> None:
    answer = call("run", drop, "--ticks", 3)
    with Simulation(gpufluid.load(drop)) as sim:
        sim.step(3)
        assert f"digest   {sim.digest()} at tick 3" in answer.out
        assert f"= {sim.read().total() / FULL:.6f} now" in answer.out
    words = answer.out.splitlines()[0]
    assert re.fullmatch(r"Drop: 41 x 30 cells, 3 ticks in [\d.]+ s \([\d,]+ ticks/s, [\d,.]+ million cells/s\)", words)


def test_report_of_an_atoms_world_has_atom_counts_and_no_mass(call, tmp_path: Path) -> None:
    fill = '[[fill]]\nshape = "rectangle"\nat = [0, 2]\nsize = [6, 2]\nmaterial = "water"\n'
    (tmp_path / "pool.toml").write_text('size = [8, 4]\nrules = ["atoms"]\ngravity = "right"\n' + fill)
    assert call("run", "pool.toml", "--ticks", 0, "--out", "x.npz", "--out", "x.png").code == 0
    world = storage.load(tmp_path / "x.npz")
    assert world.gravity == "right"
    world.atoms = AtomLedger({"water": Ledger(emitted=9, left=4)})
    storage.save(world, tmp_path / "x.npz")
    told = call("run", "x.npz", "--ticks", 1)
    assert (told.code, told.err) == (0, "")
    assert "atoms    water: 12 before = 12 now\n" in told.out
    assert "mass " not in told.out
    found = json.loads(call("run", "x.npz", "--ticks", 1, "--json").out)
    assert found["atoms"] == {"water": {"before": 12, "emitted": 0, "drained": 0, "left": 0, "now": 12}}
    assert not {"mass_units", "activity_units", "units_per_cell"} & found.keys()
    assert "activity" not in told.out


@pytest.mark.parametrize(
    "laws", [{"rules": ("flow",)}, {"parameters": {"flow": {"substeps": 50}}}, {"rules": ("atoms",)}]
)
def test_cells_per_second_does_not_depend_on_the_passes_of_a_tick(laws: dict) -> None:
    with Simulation(World(30, 41, **laws)) as sim:
        outcome = replace(recording.record(sim, recording.Recording(ticks=0)), ticks=100, seconds=2.0)
    assert reporting.answer("x", outcome, "y", {})["cells_per_second"] == 41 * 30 * 50


FALL = """\
size = [8, 40]
rules = ["atoms"]
[[fill]]
shape = "rectangle"
at = [2, 0]
size = [3, 3]
material = "sand"
"""
NOT_SETTLED = "activity not settled: something still moves, or may\n"


def test_until_settled_reports_atoms_that_did_not_settle(call, tmp_path: Path) -> None:
    (tmp_path / "fall.toml").write_text(FALL)
    words = ("run", "fall.toml", "--ticks", 3)
    assert NOT_SETTLED in call(*words, "--until-settled").out
    assert "activity" not in call(*words).out
    assert "activity settled: nothing can move any more\n" in call("run", "fall.toml", "--until-settled").out
    assert "activity no tick was run\n" in call("run", "fall.toml", "--until-settled", "--ticks", 0).out


def test_until_settled_reports_moving_atoms_beside_mass_at_rest(call, tmp_path: Path) -> None:
    (tmp_path / "fall.toml").write_text(FALL.replace('"atoms"', '"flow", "atoms"'))
    told = call("run", "fall.toml", "--ticks", 3, "--until-settled").out
    assert f"activity 0.000000 cells of mass moved in the last tick\n{NOT_SETTLED}" in told


def test_interruption_message_mentions_output_files_only_if_there_are_any(call, drop: Path, monkeypatch) -> None:
    def interrupted(*given: object) -> recording.RunResult:
        outcome = right(*given)
        outcome.interrupted = True
        return outcome

    right = recording.record
    monkeypatch.setattr(recording, "record", interrupted)
    for more, said in (((), ""), (("--out", "x.npz"), "; the output files hold the run up to there")):
        answer = call("run", drop, "--ticks", 2, *more)
        assert (answer.code, answer.err) == (1, f"gpufluid: interrupted at tick 2{said}\n")


def test_building_a_large_world_is_announced(call, drop: Path, monkeypatch) -> None:
    assert opening.MANY_CELLS == 1 << 24
    monkeypatch.setattr(opening, "MANY_CELLS", 41 * 30 - 1)
    assert call("run", drop, "--ticks", 1, "--out", "x.npz").err == "gpufluid: building 41x30 cells ...\n"
    assert call("run", "x.npz", "--ticks", 1, "--json").err == "gpufluid: building 41x30 cells ...\n"
    assert call("check", drop, "--ticks", 1).err == "gpufluid: building 41x30 cells ...\n"
    monkeypatch.setattr(opening, "MANY_CELLS", 41 * 30)
    assert call("run", drop, "--ticks", 1).err == ""


def test_report_counts_emitted_and_drained_atoms_of_an_empty_world(call, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "bare.toml").write_text('size = [8, 4]\nrules = ["atoms"]\n')
    assert not {"atoms", "mass_units"} & json.loads(call("run", "bare.toml", "--ticks", 1, "--json").out).keys()
    right = Simulation.step

    def step(sim: Simulation, ticks: int = 1) -> None:
        right(sim, ticks)
        counted = AtomLedger({"water": Ledger(emitted=5, drained=2, left=3)})
        buffer = type(sim._ledger)
        monkeypatch.setattr(buffer, "read", lambda _buffer, _name, _world: counted)
        monkeypatch.setattr(buffer, "read_all", lambda _buffer, _world: {"atoms": counted})

    monkeypatch.setattr(Simulation, "step", step)
    told = call("run", "bare.toml", "--ticks", 1).out
    assert "atoms    water: 0 before + 5 emitted - 2 drained - 3 left over an edge = 0 now\n" in told


def test_a_run_of_0_ticks_returns_the_initial_state(call, drop: Path) -> None:
    found = json.loads(call("run", drop, "--ticks", 0, "--json", "--out", "x.gif").out)
    assert found["digest"] == gpufluid.load(drop).digest()
    assert found["ticks"] == found["activity_units"] == 0
    assert frames_in(drop.with_name("x.gif")) == 1


def test_seed_and_set_options_reach_the_world(call, drop: Path) -> None:
    words = (
        "--seed",
        9,
        "--set",
        "flow.substeps=2",
        "--set",
        "flow.side_order=left",
        "--set",
        "flow.max_compress = 0.5",
    )
    assert call("run", drop, *words, "--out", "x.npz").code == 0
    world = storage.load(drop.with_name("x.npz"))
    assert world.seed == 9
    assert [world.parameters["flow"][name] for name in ("substeps", "side_order", "max_compress")] == [2, "left", 0.5]


@pytest.mark.parametrize(("scale", "size"), [("1/2", (21, 15)), ("0.5", (21, 15)), ("3", (123, 90)), ("1/64", (1, 1))])
def test_scale_is_pixels_a_cell(call, drop: Path, scale: str, size: tuple[int, int]) -> None:
    assert call("run", drop, "--ticks", 1, "--scale", scale, "--out", "x.png").code == 0
    with Image.open(drop.with_name("x.png")) as picture:
        assert picture.size == size


def test_pictures_are_tinted_by_temperature_unless_told_otherwise(call, tmp_path: Path) -> None:
    """The picture of warm wood, with and without the tint, is that of `Simulation.frame`."""
    scene = tmp_path / "warm.toml"
    scene.write_text(WARM)
    with gpufluid.Simulation(gpufluid.load(scene)) as sim:
        frames = {"tinted": sim.frame(), "plain": sim.frame(tint=False)}
    assert (frames["tinted"] != frames["plain"]).any()
    for name, words in (("tinted", ()), ("plain", ("--no-tint",))):
        assert call("run", scene, "--ticks", 0, *words, "--out", tmp_path / f"{name}.png").code == 0
        with Image.open(tmp_path / f"{name}.png") as picture:
            np.testing.assert_array_equal(np.asarray(picture), frames[name])


WARM = """\
size = [9, 5]
rules = ["atoms", "heat"]
[[fill]]
shape = "rectangle"
at = [0, 3]
size = [4, 2]
material = "wood"
temperature = 90.0
"""


def test_pictures_with_an_overlay_include_its_legend(call, drop: Path) -> None:
    assert call("run", drop, "--ticks", 5, "--overlay", "pressure", "--out", "x.png", "--out", "x.gif").code == 0
    for name in ("x.png", "x.gif"):
        with Image.open(drop.with_name(name)) as picture:
            assert picture.height > 30
            assert picture.width > 41


def test_a_run_continued_from_a_snapshot_equals_one_long_run(call, drop: Path) -> None:
    whole = json.loads(call("run", drop, "--ticks", 50, "--json", "--out", "whole.npz").out)
    first = json.loads(call("run", drop, "--ticks", 30, "--json", "--out", "x.npz").out)
    then = json.loads(call("run", "x.npz", "--ticks", 20, "--json", "--out", "y.npz").out)
    assert (then["digest"], then["tick"], then["ticks"]) == (whole["digest"], 50, 20)
    assert then["mass_units"]["before"] == first["mass_units"]["now"]
    assert first["mass_units"]["emitted"] + then["mass_units"]["emitted"] == whole["mass_units"]["emitted"]
    one, two = (storage.load(drop.with_name(name)) for name in ("whole.npz", "y.npz"))
    assert one.ledger == two.ledger


PUDDLE = """\
size = [9, 5]
rules = ["flow"]
[[fill]]
shape = "rectangle"
at = [0, 3]
size = [4, 2]
material = "water"
"""


def first_tick_at_rest(path: Path) -> int:
    with Simulation(gpufluid.load(path)) as sim:
        while sim.tick == 0 or sim.activity():
            sim.step()
        return sim.tick


@pytest.mark.parametrize("more", [(), ("--every", 7, "--out", "x.gif"), ("--out", "x.mp4")], ids=str)
def test_until_settled_stops_at_the_first_tick_in_which_nothing_moved(call, tmp_path: Path, more) -> None:
    path = tmp_path / "puddle.toml"
    path.write_text(PUDDLE)
    rest = first_tick_at_rest(path)
    found = json.loads(call("run", path, "--ticks", 100_000, "--until-settled", "--json", *more).out)
    assert (found["tick"], found["settled"], found["activity_units"]) == (rest, True, 0)
    if more:
        every = 7 if "--every" in more else 1
        assert frames_in(tmp_path / more[-1]) == 1 + -(-rest // every)


def test_until_settled_runs_no_further_than_ticks(call, tmp_path: Path) -> None:
    path = tmp_path / "puddle.toml"
    path.write_text(PUDDLE)
    found = json.loads(call("run", path, "--ticks", 3, "--until-settled", "--json").out)
    assert (found["tick"], found["settled"]) == (3, False)


def test_an_output_replaces_an_earlier_file(call, drop: Path) -> None:
    path = drop.with_name("x.png")
    path.write_bytes(b"earlier")
    assert call("run", drop, "--ticks", 1, "--out", path).code == 0
    with Image.open(path) as picture:
        assert picture.size == (41, 30)


def test_statistics_are_written_as_csv_and_plot(call, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("k.csv", "k.png", "f.gif")]
    asked = ["--stats", files[0], "--stats", files[1], "--stats-every", 4, "--out", files[2], "--every", 3]
    answer = call("run", "kettle", "--ticks", 10, *asked)
    assert (answer.code, answer.err) == (0, "")
    assert {line.split()[1] for line in answer.out.splitlines() if line.startswith("wrote")} == set(map(str, files))
    with files[0].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["tick"] for row in rows] == ["0", "4", "8", "10"]
    with Simulation(gpufluid.load("kettle")) as sim:
        sim.step(10)
        now = sim.statistics()
    assert int(rows[-1]["water (cells)"]) == now.cells["water"]
    assert int(rows[-1]["heat (1/8 degree of a cell)"]) == now.heat
    assert float(rows[-1]["largest temperature (degrees C)"]) == now.largest
    with Image.open(files[1]) as picture:
        assert picture.width > 800
    assert frames_in(files[2]) == 5


def test_statistics_of_a_run_that_settles_end_with_its_last_tick(call, tmp_path: Path) -> None:
    answer = call("run", "sand_pile", "--until-settled", "--stats", "x.csv", "--stats-every", 1000, "--json")
    with (tmp_path / "x.csv").open(newline="") as file:
        ticks = [int(row["tick"]) for row in csv.DictReader(file)]
    assert ticks == [*range(0, json.loads(answer.out)["tick"], 1000), json.loads(answer.out)["tick"]]


def test_a_long_film_has_every_frame(call, drop: Path, tmp_path: Path) -> None:
    """A run of so many frames that the size of a batch of ticks, which keeps doubling, would overflow."""
    assert call("run", drop, "--ticks", 1200, "--out", tmp_path / "x.mp4").code == 0
    assert frames_in(tmp_path / "x.mp4") == 1201


def test_a_failed_film_does_not_affect_other_outputs(call, drop: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setitem(film._ENCODERS, ".gif", ["-filter_complex", "nonsense"])
    files = [tmp_path / name for name in ("x.gif", "x.npz", "x.png")]
    asked = [word for file in files for word in ("--out", file)]
    answer = call("run", drop, "--ticks", 3, *asked)
    assert (answer.code, answer.out) == (1, "")
    assert "x.gif: could not be written" in answer.err
    assert [file.exists() for file in files] == [False, True, True]


def test_a_film_that_fails_during_the_run_ends_it_and_keeps_other_outputs(
    call, drop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(self: film.Film, frame: object) -> None:  # noqa: ARG001
        raise OutputError(f"{self.path}: could not be written: no more")

    monkeypatch.setattr(film.Film, "add", add)
    files = [tmp_path / name for name in ("x.mp4", "x.npz", "x.png")]
    answer = call("run", drop, "--ticks", 3000, *(word for file in files for word in ("--out", file)))
    assert (answer.code, answer.out) == (1, "")
    assert "x.mp4: could not be written: no more" in answer.err
    assert [file.exists() for file in files] == [False, True, True]


@pytest.mark.usefixtures("device")
def test_a_scene_that_starts_from_a_snapshot_goes_on_from_there(call, drop: Path) -> None:
    assert call("run", drop, "--ticks", 5, "--out", drop.with_name("state.npz")).code == 0
    later = drop.with_name("later.toml")
    later.write_text('title = "Later"\nticks = 3\n[state]\nfile = "state.npz"\n')
    answer = json.loads(call("run", later, "--json").out)
    whole = json.loads(call("run", drop, "--ticks", 8, "--json").out)
    assert (answer["scene"], answer["tick"], answer["digest"]) == ("Later", 8, whole["digest"])
    assert call("check", later, "--ticks", 2).code == 0
    refused = call("run", later, "--seed", 3)
    assert refused.code == 2
    assert "goes on with the seed and the parameters of its snapshot" in refused.err
