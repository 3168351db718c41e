"""``check``, ``info``, ``scenes``, ``--version`` and ``--help``."""

from __future__ import annotations

import json
from pathlib import Path

import moderngl
import pytest

import gpufluid
from gpufluid import oracle
from gpufluid.gpu import device as device_module
from gpufluid.io.loading import load_scene
from gpufluid.matter.materials import SHIPPED
from gpufluid.oracle import flow
from gpufluid.rules import RULES


def test_check_reports_that_gpu_and_oracle_are_equal(call) -> None:
    answer = call("check", "dam_break", "--ticks", 3)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "Dam break: GPU and oracle are equal, bit for bit, for 3 ticks\n"
    assert json.loads(call("check", "dam_break", "--ticks", 2, "--json").out) == {
        "scene": "Dam break", "ticks": 2, "verdict": "equal", "difference": None, "variants": {"flow": "strips"},
        "ranks": 1,
    }  # fmt: skip


@pytest.fixture
def wrong_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    """An oracle with an error: in tick 2 five units too many in one cell, and three in a later one."""
    right = flow.flow

    def wrong(world, step):
        tally = right(world, step)
        if step.tick == 2:
            world["mass"][50, 20] += 5
            world["mass"][50, 30] += 3
        return tally

    monkeypatch.setattr(flow, "flow", wrong)


@pytest.mark.usefixtures("wrong_oracle")
def test_check_names_pass_tick_cell_and_both_values(call) -> None:
    world = load_scene("dam_break", parameters={"flow": {"substeps": 1}}).world
    for _ in range(3):
        oracle.tick(world)
    value = int(world["mass"][50, 20])
    answer = call("check", "dam_break", "--ticks", 5, "--set", "flow.substeps=1")
    assert (answer.code, answer.err) == (1, "")
    assert answer.out == (
        "Dam break: pass flow.flow, tick 2, substep 0: "
        f"mass[50, 20] is {value - 5} on the GPU and {value} in the oracle (2 cells differ)\n"
    )


@pytest.mark.usefixtures("wrong_oracle")
def test_check_json_reports_the_difference(call) -> None:
    answer = call("check", "dam_break", "--ticks", 5, "--json")
    found = json.loads(answer.out)
    assert answer.code == 1
    assert found["verdict"] == "different"
    assert "pass flow.flow, tick 2" in found["difference"]


def test_check_finds_a_different_tally_beside_equal_state(call, monkeypatch: pytest.MonkeyPatch) -> None:
    right = flow.flow
    monkeypatch.setattr(flow, "flow", lambda world, step: right(world, step) + oracle.Tally(moved=1))
    answer = call("check", "dam_break", "--ticks", 5)
    assert answer.code == 1
    assert "tick 0" in answer.out
    assert "activity" in answer.out


def test_info_lists_rules_materials_limits_and_versions(call) -> None:
    answer = call("info", "--all")
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    short = call("info").out.splitlines()
    assert short[:-1] == lines[: len(short) - 1]
    assert lines[len(short) - 1].startswith("materials ")
    assert short[-1] == "more       gpufluid info --all lists the materials and the rules"
    found = json.loads(call("info", "--json").out)
    assert found["runs"] is True
    assert found["problem"] is None
    assert set(found["rules"]) == set(RULES)
    assert list(found["materials"]) == [record.name for record in SHIPPED]
    assert found["materials"]["snow"] == {
        "number": 7, "state": "powder", "density": 300, "colour": "#d2e0ec", "shade": 0.05, "gravity": 1.0,
        "terminal": 0.5, "drag": 0.25, "bounce": 0.0, "slide": 0.6, "spread": 0.1, "stick": 0.2, "cohesion": 0.0,
        "stray": 0.4, "splash": 0.0, "resistance": 0.0, "carried_at": 0.01, "conductivity": 0.06, "cooling": 0.25,
        "strength": 20, "anchored": 0.0,
    }  # fmt: skip
    assert (
        "  steam        gas, density 2, gravity -0.5, terminal 0.75, slide 1, spread 0.6, cohesion 0.5, stray 0.25, "
        "conductivity 0.1, cooling 1\n" in answer.out
    )
    assert set(found["largest_world"]) == set(RULES)
    assert all(32 <= side <= found["largest_side"] for side in found["largest_world"].values())
    assert [line.split()[1] for line in answer.out.splitlines() if line.startswith("largest")] == [
        f"{name}:" for name in RULES
    ]
    for word in (gpufluid.__version__, found["renderer"], found["opengl"], str(found["largest_side"]), "ffmpeg"):
        assert word in answer.out


def test_materials_prints_what_each_material_does(call, tmp_path: Path) -> None:
    answer = call("materials")
    found = {entry["name"]: entry["does"] for entry in json.loads(call("materials", "--json").out)}
    assert [line.split("  ")[0] for line in answer.out.splitlines()] == list(found)
    assert "puts out ember and fire" in found["water"]
    (tmp_path / "own.toml").write_text(
        'title = "Own"\nsize = [4, 4]\nrules = ["atoms"]\nticks = 1\n'
        '[[material]]\nname = "foam"\nstate = "powder"\ndensity = 50\ncolour = "#ffffff"\n'
    )
    assert "foam          powder, falls, floats on water" in call("materials", tmp_path / "own.toml").out.splitlines()
    assert call("materials", "no_such_scene").code == 2


def test_scenes_prints_a_line_for_each_scene(call) -> None:
    answer = call("scenes")
    found = json.loads(call("scenes", "--json").out)
    assert (answer.code, answer.err) == (0, "")
    assert [line.split()[0] for line in answer.out.splitlines()] == [heading["name"] for heading in found]
    assert all({"name", "title", "about", "path"} <= set(heading) for heading in found)
    assert "dam_break" in [heading["name"] for heading in found]


def test_version_and_help(call) -> None:
    assert call("--version").out == f"gpufluid {gpufluid.__version__}\n"
    for words in (("--help",), ("-h",), ("help",), ("run", "--help"), ("help", "run"), ("check", "-h")):
        answer = call(*words)
        assert (answer.code, answer.err) == (0, "")
        assert "Usage:" in answer.out
        assert "..." not in answer.out.partition("Commands:")[2]  # no description is cut
    for word in ("--ticks", "--seed", "--out", "--set", "--scale", "--overlay", "--until-settled", "--json"):
        assert word in call("run", "--help").out


@pytest.mark.parametrize("word", ["dam_break", "mine.toml", "mine.npz"])
def test_a_scene_in_place_of_a_command_is_told_what_shows_it(call, word: str) -> None:
    answer = call(word)
    assert (answer.code, answer.out) == (2, "")
    said = f"gpufluid: {word!r} names a scene, not a command: gpufluid view {word}, or gpufluid run {word}\n"
    assert answer.err == said


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has no device yet."""
    monkeypatch.setattr(device_module, "_shared", None)


@pytest.mark.usefixtures("no_device")
@pytest.mark.parametrize("command", ["run", "check"])
def test_without_opengl_one_sentence_says_what_to_install(call, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    def fail(**_: object) -> None:
        raise Exception("cannot load libEGL")  # as glcontext does

    monkeypatch.setattr(moderngl, "create_context", fail)
    answer = call(command, "dam_break")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("gpufluid: no OpenGL here (cannot load libEGL); install ")
    assert "libegl1" in answer.err
    assert answer.err.count("\n") == 1
    found = call("info", "--json")
    assert found.code == 1
    assert json.loads(found.out)["runs"] is False
    assert "libegl1" in json.loads(found.out)["problem"]


def test_missing_egl_is_one_error_that_says_what_to_install(process) -> None:
    answer = process("run", "dam_break", env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"})
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith("gpufluid: no OpenGL here (")
    assert "install" in answer.err
    assert answer.err.count("\n") == 1


def test_info_names_both_versions_when_opengl_is_too_old(process) -> None:
    answer = process("info", env={"MESA_GL_VERSION_OVERRIDE": "3.3"})
    assert answer.code == 1
    assert "OpenGL 3.3 is too old: compute shaders need 4.3; install " in answer.out
    assert answer.err == ""
