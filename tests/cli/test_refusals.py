"""A wrong call gives one message on standard error and exit 2; nothing is started or overwritten."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from attacks.snapshots import Member, packed
from support.snapshots import members_of

from gpufluid import World
from gpufluid.io import snapshots as storage

RUN = ("run", "dam_break", "--ticks", "1")
REFUSED = {
    # name: (words, what the message says)
    "scene": (("run", "dambreak"), ("there is no scene 'dambreak'; did you mean 'dam_break'?",)),
    "scene, check": (("check", "dambreak"), ("did you mean 'dam_break'?",)),
    "scene file": (("run", "no.toml"), ("there is no scene file 'no.toml'",)),
    "snapshot": (("run", "no.npz"), ("no.npz: cannot be read: No such file or directory",)),
    "snapshot, seed": (("run", "good.npz", "--seed", "1"), ("own seed",)),
    "snapshot, set": (("run", "good.npz", "--set", "flow.max_mass=1"), ("own seed and parameters",)),
    "picture as scene": (("run", "earlier.png"), ("earlier.png",)),
    "folder as scene": (("run", "."), ("there is no scene",)),
    "ticks": (("run", "dam_break", "--ticks", "-1"), ("ticks: -1; expected a whole number from 0 on",)),
    "ticks of check": (("check", "dam_break", "--ticks", "-1"), ("--ticks",)),
    "ticks in words": (("run", "dam_break", "--ticks", "ten"), ("--ticks", "integer")),
    "every": ((*RUN, "--every", "0"), ("every: 0; expected a whole number from 1 on",)),
    "every, view": (("view", "dam_break", "--every", "0"), ("every: 0; expected a whole number of ticks from 1",)),
    "stats-every": ((*RUN, "--stats", "x.csv", "--stats-every", "-3"), ("stats-every: -3; expected a whole",)),
    "stats-every alone": ((*RUN, "--stats-every", "3"), ("--stats-every: has no effect without --stats",)),
    "stats, ending": ((*RUN, "--stats", "x.cvs"), ("x.cvs: unknown ending", "'.cvs'; did you mean '.csv'?")),
    "stats, no folder": ((*RUN, "--stats", "gone/x.csv"), ("gone/x.csv: there is no folder 'gone'",)),
    "stats as output": ((*RUN, "--out", "x.png", "--stats", "./x.png"), ("x.png", "twice")),
    "fps": ((*RUN, "--fps", "0"), ("fps: 0; expected 1 to 1000",)),
    "fps nan": ((*RUN, "--fps", "nan"), ("fps: nan; expected 1 to 1000",)),
    "scale": ((*RUN, "--scale", "x"), ("scale: x; expected",)),
    "scale 0": ((*RUN, "--scale", "0"), ("scale: 0; expected",)),
    "scale 1/0": ((*RUN, "--scale", "1/0"), ("scale: 1/0; expected",)),
    "scale inf": ((*RUN, "--scale", "inf", "--out", "x.png"), ("scale: inf; expected",)),
    "scale 1.5": ((*RUN, "--scale", "1.5", "--out", "x.png"), ("scale: 1.5; expected",)),
    "overlay": ((*RUN, "--overlay", "presure"), ("overlay: 'presure'", "did you mean 'pressure'?")),
    "overlay of nothing": (
        (*RUN, "--overlay", "mass"), ("gpufluid: --overlay: has no effect without a picture or film in --out\n",),
    ),
    "overlay of an array": ((*RUN, "--overlay", "mass", "--out", "x.npz"), ("--overlay: has no effect without",)),
    "overlay-max alone": (
        (*RUN, "--overlay-max", "2", "--out", "x.png"), ("gpufluid: --overlay-max: has no effect without --overlay\n",),
    ),
    "overlay-max of lines": (
        ("run", "hourglass", "--ticks", "1", "--overlay", "moves", "--overlay-max", "2", "--out", "x.png"),
        ("gpufluid: --overlay-max: has no effect on the lines of --overlay moves\n",),
    ),
    "no-tint of nothing": (
        ("run", "wood_fire", "--ticks", "1", "--no-tint"),
        ("gpufluid: --no-tint: has no effect without a picture or film in --out\n",),
    ),
    "no-tint without heat": (
        (*RUN, "--no-tint", "--out", "x.png"), ("gpufluid: --no-tint: has no effect in a world without rule heat\n",),
    ),
    "no-tint of an overlay": (
        ("run", "wood_fire", "--ticks", "1", "--overlay", "age", "--no-tint", "--out", "x.png"),
        ("gpufluid: --no-tint: has no effect on --overlay age\n",),
    ),
    "theme": (
        (*RUN, "--theme", "dusk", "--out", "x.png"), ("theme: 'dusk' is not known; expected one of: day, night\n",),
    ),
    "theme, view": (
        ("view", "hourglass", "--theme", "dusk"), ("theme: 'dusk' is not known; expected one of: day, night",),
    ),
    "theme without a picture": (
        (*RUN, "--theme", "night"), ("--theme: has no effect without a picture or film in --out\n",),
    ),
    "background": (
        (*RUN, "--background", "blue", "--out", "x.png"),
        ("background: 'blue' is no colour; expected one like '#3070e0'\n",),
    ),
    "background, view": (("view", "hourglass", "--background", "blue"), ("background: 'blue' is no colour",)),
    "background without a picture": (
        (*RUN, "--background", "#102030", "--out", "x.npz"),
        ("--background: has no effect without a picture or film in --out\n",),
    ),
    "size of a picture": (
        (*RUN, "--size", "640", "--out", "x.png"),
        ("--size: '640'; expected width and height in pixels, such as 1280x720\n",),
    ),
    "size of 0 pixels": ((*RUN, "--size", "0x9", "--out", "x.png"), ("--size: '0x9'; expected width and height",)),
    "size over any limit": ((*RUN, "--size", "99999x9", "--out", "x.png"), ("--size: '99999x9'; expected width",)),
    "size and scale": (
        (*RUN, "--size", "90x60", "--scale", "2", "--out", "x.png"),
        ("scale: 2; has no effect beside size 90x60\n",),
    ),
    "size without a picture": (
        (*RUN, "--size", "90x60"), ("--size: has no effect without a picture or film in --out\n",),
    ),
    "size without room for a legend": (
        (*RUN, "--size", "200x60", "--overlay", "mass", "--out", "x.png"),
        ("size: 200x60; expected at least 280x49, because the overlay has a legend\n",),
    ),
    "crop": (
        (*RUN, "--crop", "1,2,3", "--out", "x.png"),
        ("--crop: '1,2,3'; expected X,Y,WIDTHxHEIGHT in cells, such as 20,0,64x48\n",),
    ),
    "crop outside": (
        (*RUN, "--crop", "0,0,9999x9", "--out", "x.png"), ("crop: 0,0,9999x9; expected cells inside the world of",),
    ),
    "crop without a picture": (
        (*RUN, "--crop", "0,0,2x2"), ("--crop: has no effect without a picture or film in --out\n",),
    ),
    "overlay-max below": (
        (*RUN, "--overlay", "mass", "--overlay-max", "-2", "--out", "x.png"), ("overlay-max: -2; expected",),
    ),
    "variant": (
        (*RUN, "--variant", "fast"), ("variant: 'fast' is not known to flow; expected one of: strips\n",),
    ),
    "variant of another rule": ((*RUN, "--variant", "atoms.lines"), ("'atoms.lines' is not known to flow",)),
    "two variants": (
        ("run", "hourglass", "--variant", "strips", "--variant", "lines"), ("are both of rule atoms; expected one",),
    ),
    "variant, check": (("check", "hourglass", "--variant", "line"), ("did you mean 'lines'?",)),
    "variant, view": (("view", "hourglass", "--variant", "tiles"), ("'tiles' is not known to atoms; expected one",)),
    "variant, bench": (
        ("bench", "--size", "32", "--rule", "atoms", "--variant", "tiles"),
        ("--variant: 'tiles' is not a variant of atoms; expected one that applies to the selected rules\n",),
    ),
    "seed": ((*RUN, "--seed", "-1"), ("seed: -1; expected a whole number from 0 to 4294967295",)),
    "set, no rule": ((*RUN, "--set", "max_mass=1"), ("--set max_mass=1: expected RULE.PARAMETER=VALUE",)),
    "set, no value": ((*RUN, "--set", "flow.max_mass"), ("--set flow.max_mass: expected RULE.PARAMETER=VALUE",)),
    "set, other rule": ((*RUN, "--set", "flw.max_mass=1"), ("flw", "flow")),
    "set, other name": ((*RUN, "--set", "flow.max_mas=1"), ("flow.max_mas", "did you mean 'max_mass'")),
    "set, a law": (
        ("run", "hourglass", "--set", "atoms.gravity=left"),
        ("atoms.gravity: gravity is not a parameter; set it in the scene file",),
    ),
    "set, word": ((*RUN, "--set", "flow.max_mass=lots"), ("flow.max_mass: 'lots' is not a number; expected",)),
    "set, nothing": ((*RUN, "--set", "flow.max_mass="), ("flow.max_mass: ", "expected a number")),
    "set, range": ((*RUN, "--set", "flow.max_mass=-3"), ("flow.max_mass: -3 is out of range; expected",)),
    "set, preset list": ((*RUN, "--set", "flow.preset=[1]"), ("flow.preset", "seed-000")),
    "set, two lines": ((*RUN, "--set", "flow.max_mass=1\nother=2"), ("flow.max_mass",)),
    "no ending": ((*RUN, "--out", "x"), ("x: its name has no ending; expected one of: .gif", ".zarr")),
    "ending": ((*RUN, "--out", "x.pngg"), ("x.pngg", "'.pngg'", "did you mean '.png'?")),
    "no folder": ((*RUN, "--out", "gone/x.png"), ("gone/x.png: there is no folder 'gone'",)),
    "below a file": ((*RUN, "--out", "earlier.png/x.png"), ("there is no folder 'earlier.png'",)),
    "a folder": ((*RUN, "--out", "folder.png"), ("folder.png: is a folder",)),
    "a pipe": ((*RUN, "--out", "pipe.png"), ("gpufluid: pipe.png: is a named pipe (FIFO), not a file\n",)),
    "a link to a pipe": ((*RUN, "--out", "link.mp4"), ("link.mp4: is a link to a named pipe (FIFO), not a file\n",)),
    "stats, a pipe": ((*RUN, "--stats", "pipe.png"), ("pipe.png: is a named pipe (FIFO), not a file\n",)),
    "plot, a pipe": (("bench", "--plot", "pipe.png"), ("pipe.png: is a named pipe (FIFO), not a file\n",)),
    "json, a link": (("bench", "--json", "link.json"), ("link.json: is a link to a named pipe (FIFO), not a file\n",)),
    "pipe as scene": (("run", "pipe.png"), ("gpufluid: pipe.png: is a named pipe (FIFO), not a file\n",)),
    "pipe as figures": (("bench", "--compare", "link.json"), ("link.json: cannot be read: it is a link to a named",)),
    "twice": ((*RUN, "--out", "x.png", "--out", "./x.png"), ("x.png", "twice")),
    "second of two": ((*RUN, "--out", "earlier.png", "--out", "gone/x.gif"), ("there is no folder 'gone'",)),
    "long name": ((*RUN, "--out", "x" * 300 + ".png"), ("xxx",)),
    "command": (("rum", "dam_break"), ("No such command 'rum'", "Did you mean 'run'?")),
    "option": ((*RUN, "--tick", "3"), ("No such option: --tick", "--ticks")),
    "no scene": (("run",), ("Missing argument 'SCENE'",)),
    "option without value": (("run", "dam_break", "--ticks"), ("--ticks",)),
    "too many words": (("run", "dam_break", "u_tube"), ("u_tube",)),
}  # fmt: skip


@pytest.fixture
def things(tmp_path: Path) -> None:
    (tmp_path / "earlier.png").write_bytes(b"earlier")
    (tmp_path / "folder.png").mkdir()
    storage.save(World(2, 2, rules=("flow",)), tmp_path / "good.npz")
    os.mkfifo(tmp_path / "pipe.png")
    for name in ("link.mp4", "link.json"):
        (tmp_path / name).symlink_to("pipe.png")


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_call_is_one_message_and_exit_2(call, tmp_path: Path, name: str) -> None:
    words, said = REFUSED[name]
    before = sorted(path.name for path in tmp_path.iterdir())
    answer = call(*words)
    assert answer.code == 2
    assert answer.out == ""
    assert [part for part in said if part not in answer.err] == []
    if not answer.err.startswith(("Usage:", "Error:")):  # messages of typer
        assert answer.err.startswith("gpufluid: ")
        assert answer.err.count("\n") == 1
    assert (tmp_path / "earlier.png").read_bytes() == b"earlier"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_STORED])
@pytest.mark.parametrize("name", ["mass.npy", "gpufluid.npy"])
def test_a_damaged_snapshot_is_one_line_and_exit_2(call, tmp_path: Path, name: str, method: int) -> None:
    """A member that is no NPY file, and members of other compression methods with damaged data."""
    members = members_of(World(2, 2, rules=("flow",)), tmp_path / "good.npz")
    wrong = Member(name, b"no array" * 50, method)
    content = bytearray(packed(tuple({**members, name: wrong}.values())))
    place = content.index(name.encode()) + len(name) + 4
    content[place : place + 4] = b"\xff\xff\xff\xff"
    (tmp_path / "x.npz").write_bytes(content)
    answer = call("run", "x.npz")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"gpufluid: x.npz: is a damaged snapshot: {name[:-4]}: ")
    assert answer.err.count("\n") == 1


def test_errors_of_a_scene_name_file_line_and_key(call, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("size = [9, 9]\nedgs = 1\ntitel = 2\n")
    answer = call("run", "bad.toml")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.splitlines() == [
        "gpufluid: bad.toml:2: edgs: unknown key; did you mean 'edges'?",
        "bad.toml:3: titel: unknown key; did you mean 'title'?",
    ]


def test_text_of_a_file_does_not_control_the_terminal(call, tmp_path: Path) -> None:
    scene = tmp_path / "\x1b[31m.toml"
    scene.write_text('title = "\\u001b[31mred\\u0007"\nsize = [4, 4]\n')
    answer = call("check", scene.name, "--ticks", 1)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("\\x1b[31mred\\x07: GPU and oracle are equal")
    scene.write_text("edgs = 1\n")
    answer = call("check", scene.name)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("gpufluid: \\x1b[31m.toml:1: ")


def test_a_scene_over_the_size_limit_names_size_and_limit(call, tmp_path: Path) -> None:
    (tmp_path / "wide.toml").write_text("size = [70000, 1]\n")
    answer = call("run", "wide.toml")
    assert answer.code == 2
    assert "wide.toml:1: size: 70000 by 1 cells is over the limit of " in answer.err


def test_debug_raises_the_error_at_any_position(call) -> None:
    for words in (("--debug", "run", "dambreak"), ("run", "dambreak", "--debug")):
        with pytest.raises(Exception, match="there is no scene 'dambreak'"):
            call(*words)


def test_debug_as_a_process_prints_a_traceback(process) -> None:
    answer = process("run", "dambreak", "--debug")
    assert answer.code not in (0, None)
    assert "Traceback (most recent call last)" in answer.err
    assert "UsageError: there is no scene 'dambreak'" in answer.err


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs /proc, where no file can be created")
def test_an_unwritable_output_folder_is_an_error_before_the_run(call) -> None:
    answer = call(*RUN, "--out", "/proc/x.png")
    assert (answer.code, answer.out) == (2, "")
    assert "the folder '/proc' is not writable" in answer.err
