"""New worlds, another size, no matter, more rules, and saving as a scene, in a viewer without a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import gpufluid
from gpufluid import World
from gpufluid.core.errors import GpufluidError, UsageError, WorldError
from gpufluid.viewer import Viewer, replay
from gpufluid.viewer.new_world import PRESETS, SURROUNDINGS, Choices, new_world, problem_of, switched, walls_left_out

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer of a vessel of 40 x 30 cells with rule atoms, in which some sand lies."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = new_world(40, 30, rules="matter")
    viewer = Viewer(world, source="vessel")
    viewer.clock.paused = True
    viewer.do("paint", points=[(12, 12), (20, 12)])
    viewer.do("step", ticks=3)
    yield viewer
    viewer.close()


def cells(viewer: Viewer) -> np.ndarray:
    return viewer.sim.read()["material"]


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_every_choice_is_an_empty_world_or_has_a_problem(rules: str, surroundings: str) -> None:
    for gravity in ("down", "up", "left", "right", "off"):
        choices = Choices(31, 20, surroundings, gravity, rules)
        problem = problem_of(choices)
        if problem is not None:
            with pytest.raises(WorldError) as caught:
                new_world(**choices.arguments)  # pyright: ignore[reportArgumentType]
            assert str(caught.value) == problem
            continue
        world = new_world(**choices.arguments)  # pyright: ignore[reportArgumentType]
        world.validate()
        assert (world.width, world.height, world.gravity) == (31, 20, gravity)
        assert world.rules == PRESETS[rules].rules
        assert world.edges == SURROUNDINGS[surroundings][1]
        assert set(world.census()) == ({"wall"} if surroundings == "floor" else set())


@pytest.mark.parametrize(
    ("gravity", "sky"), [("down", "top"), ("up", "bottom"), ("left", "right"), ("right", "left"), ("off", "top")]
)
def test_the_floor_lies_where_gravity_points(gravity: str, sky: str) -> None:
    solid = new_world(40, 30, gravity=gravity).solid
    sides = {"top": solid[0], "bottom": solid[-1], "left": solid[:, 0], "right": solid[:, -1]}
    assert {side for side, line in sides.items() if not line.all()} == {sky}


@pytest.mark.parametrize("gravity", ["down", "up", "left", "right", "off"])
@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 2), (2, 2), (3, 2), (2, 3), (3, 3), (1, 40)])
def test_a_tiny_world_has_the_walls_that_fit_and_says_which_do_not(size: tuple[int, int], gravity: str) -> None:
    world = new_world(*size, gravity=gravity, rules="matter")
    assert not world.solid.all(), "there is room for matter"
    along, across = size if gravity in ("left", "right") else size[::-1]
    lines = world.solid if gravity in ("left", "right") else world.solid.T  # each line lies along gravity
    floors = lines[:, 0] if gravity in ("up", "left") else lines[:, -1]
    assert floors.all() == (along > 1)
    middle = [0] if along == 1 else [0 if gravity not in ("up", "left") else along - 1]
    assert lines[0, middle].all() == (across > 2)
    lacking = walls_left_out(*size, gravity)
    assert (lacking is None) == (along > 1 and across > 2)
    assert lacking is None or ("a floor" in lacking, "walls beside the floor" in lacking) == (along < 2, across < 3)


def test_the_usual_new_world_is_the_sandbox() -> None:
    assert new_world() == gpufluid.load("sandbox")


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"rules": "sandbx"}, "rules: 'sandbx' is not known; did you mean 'sandbox'"),
        ({"surroundings": 3}, "surroundings: 3 is not known"),
        ({"rules": 3}, "rules: 3 is not known"),
        ({"rules": []}, r"rules: \[\]; expected a list of rules"),
        ({"rules": ["heat"]}, "rule heat also needs rule atoms"),
        ({"rules": ["sand"]}, "rules: unknown rule 'sand'"),
        ({"gravity": "dwn"}, "gravity: 'dwn' is not known; did you mean 'down'"),
        ({"width": 0}, "width: 0; expected a whole number from 1"),
        ({"depth": 3}, "new: .* unexpected keyword argument 'depth'"),
        ({"surroundings": "wrap", "width": 31}, "expected even sides"),
    ],
)
@pytest.mark.parametrize("action", ["new", "request_new"])
def test_a_bad_choice_is_one_error_and_the_world_stays(viewer: Viewer, action: str, choices: dict, words: str) -> None:
    before = viewer.sim.digest()
    with pytest.raises(GpufluidError, match=words):
        viewer.do(action, **choices)
    assert (viewer.sim.digest(), viewer.creating) == (before, None)


def test_a_rule_comes_with_what_it_needs_and_goes_with_what_needs_it() -> None:
    rules: tuple[str, ...] = ()
    for rule in ("pressure", "collapse", "mixture"):
        rules = switched(rules, rule)
    assert set(rules) == {"atoms", "mixture", "pressure", "collapse"}
    assert problem_of(Choices(rules="own", own_rules=rules)) is None
    assert switched(rules, "atoms") == ("mixture", "pressure")
    assert switched(("mixture", "pressure"), "mixture") == ()
    assert problem_of(Choices(rules="own", own_rules=())) is not None


def test_a_new_world_replaces_the_saved_one_and_asks_before_it_replaces_another(viewer: Viewer) -> None:
    viewer.do("request_new", width=24, height=16, rules="matter")
    assert viewer.creating == {"width": 24, "height": 16, "rules": "matter"}
    assert viewer.sim.blank.width == 40
    viewer.do("stay")
    assert viewer.creating is None
    viewer.do("save")
    viewer.do("request_new", width=24, height=16, rules="matter")
    assert (viewer.sim.blank.width, viewer.sim.tick, viewer.unsaved, viewer.creating) == (24, 0, False, None)
    assert viewer.camera.world == (24, 16)
    assert not viewer.history.can_undo


def test_clear_leaves_floor_and_walls_and_can_be_undone_while_time_goes_on(viewer: Viewer) -> None:
    viewer.do("emitter", at=(20, 5))
    first = viewer.sim.read()
    viewer.do("clear")
    after = viewer.sim.read()
    assert set(after.census()) == {"wall"}
    assert (after.emitters, after.tick) == ((), 3)
    assert after.atoms["sand"].erased == first.census()["sand"]
    viewer.do("step", ticks=2)
    viewer.do("undo")
    back = viewer.sim.read()
    np.testing.assert_array_equal(back["material"], first["material"])
    assert (back.emitters, back.tick) == (first.emitters, 5)
    viewer.do("redo")
    assert set(viewer.sim.read().census()) == {"wall"}
    viewer.do("clear")
    assert viewer.messages[-1].text == "the world is empty"


def test_a_resized_world_keeps_what_fits_and_undo_brings_back_the_rest(viewer: Viewer) -> None:
    before = viewer.sim.read()
    viewer.do("resize", width=60, height=50)
    after = viewer.sim.read()
    assert (after.width, after.height, after.census()["sand"]) == (60, 50, before.census()["sand"])
    assert viewer.camera.world == (60, 50)
    viewer.do("paint", points=[(50, 10)])
    viewer.do("undo")
    assert viewer.sim.read().census() == after.census()
    viewer.do("undo")
    assert viewer.sim.digest() == before.digest()
    assert viewer.camera.world == (40, 30)
    viewer.do("redo")
    assert viewer.sim.blank.width == 60
    viewer.do("resize", width=12, height=10, align=(0, 0))
    assert "sand" not in viewer.sim.read().census()
    viewer.do("undo")
    viewer.do("undo")
    viewer.do("undo")
    assert not viewer.history.can_undo


def test_time_goes_back_to_before_a_resize(viewer: Viewer) -> None:
    viewer.do("step", ticks=5)
    viewer.do("resize", width=60, height=50)
    viewer.do("step", ticks=5)
    viewer.do("rewind", ticks=3)
    assert (viewer.sim.blank.width, viewer.sim.tick) == (60, 10)
    viewer.do("rewind", ticks=4)
    assert (viewer.sim.blank.width, viewer.sim.tick) == (40, 6)
    viewer.do("undo")  # the stroke: the resize has not happened yet
    assert viewer.sim.blank.width == 40
    assert not viewer.history.can_undo


def test_the_same_size_changes_nothing_and_a_bad_one_is_an_error(viewer: Viewer) -> None:
    before = viewer.sim.digest()
    viewer.do("resize", width=40, height=30)
    assert "40 by 30 cells already" in viewer.messages[-1].text
    for size, words in (
        ({"width": 0, "height": 3}, "width: 0"),
        ({"width": 3, "height": "x"}, "height: 'x'"),
        ({"width": 50, "height": 30, "align": (1, 2)}, r"align: \(1, 2\); expected two numbers from 0 to 1"),
        ({"width": 50, "height": 30, "align": (1,)}, r"align: \(1,\)"),
        ({"width": 1 << 16, "height": 1}, "over this device's limit"),
    ):
        with pytest.raises(GpufluidError, match=words):
            viewer.do("resize", **size)
    assert viewer.sim.digest() == before


@pytest.mark.long("programs of a world with reactions; test_world_dialogs.py has the button")
def test_a_rule_is_added_with_one_action_and_taken_back_with_another(viewer: Viewer) -> None:
    before = viewer.sim.read()
    assert viewer.idle["fire"] == ("heat", "reactions")
    viewer.do("add_rules", rules=["reactions"])
    after = viewer.sim.read()
    assert after.rules == ("atoms", "heat", "reactions")
    np.testing.assert_array_equal(after["material"], before["material"])
    assert viewer.idle == {}
    viewer.overlay = "temperature"
    viewer.do("material", name="fire")
    viewer.do("paint", points=[(20, 20)])
    viewer.do("step", ticks=2)
    viewer.do("undo")
    viewer.do("undo")
    assert viewer.sim.digest() == before.digest()
    assert viewer.overlay is None
    assert "fire" in viewer.idle
    with pytest.raises(UsageError, match="unknown rule 'heet'; did you mean 'heat'"):
        viewer.do("add_rules", rules=["heet"])


@pytest.mark.long("three worlds with programs of their own")
def test_choosing_a_material_that_can_do_nothing_says_what_it_needs(viewer: Viewer) -> None:
    viewer.do("material", name="sand")
    assert viewer.messages == []
    viewer.do("material", name="fire")
    said = "fire needs rule reactions to do what it is for; the palette has a button that adds it"
    assert (viewer.messages[-1].text, viewer.tool.material) == (said, "fire")
    viewer.do("new", rules="water")
    with pytest.raises(UsageError, match="'sand': sand needs rule atoms"):
        viewer.do("material", name="sand")


@pytest.mark.long("programs of two worlds")
def test_reset_keeps_the_size_and_the_rules(viewer: Viewer) -> None:
    viewer.do("resize", width=60, height=50)
    viewer.do("add_rules", rules=["heat"])
    viewer.do("step", ticks=4)
    viewer.do("reset")
    world = viewer.sim.read()
    assert (world.width, world.height, world.rules, world.tick) == (60, 50, ("atoms", "heat"), 0)
    assert set(world.census()) == {"wall"}
    viewer.do("undo")
    assert viewer.sim.tick == 7


@pytest.mark.long("a world with all rules, twice")
def test_a_session_with_all_of_it_is_replayed_to_the_same_digest(viewer: Viewer) -> None:
    first = viewer.first
    viewer.do("resize", width=50, height=44, align=(0, 1))
    viewer.do("add_rules", rules=["reactions", "pressure"])
    viewer.do("material", name="fire")
    viewer.do("paint", points=[(20, 20), (30, 20)])
    viewer.do("step", ticks=3)
    viewer.do("clear")
    viewer.do("undo")
    viewer.do("step", ticks=2)
    again = replay(first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    assert again.sim.read() == viewer.sim.read()
    again.close()


@pytest.mark.long("a film")
def test_a_film_ends_when_the_world_gets_another_size(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("record", path=tmp_path / "film.gif")
    viewer.do("step", ticks=4)
    viewer.do("resize", width=60, height=50)
    assert not viewer.recording
    assert "the recording has ended" in viewer.messages[-1].text
    assert (tmp_path / "film.gif").exists()


def test_a_saved_scene_is_opened_as_the_same_world(viewer: Viewer, tmp_path: Path) -> None:
    digest, world = viewer.sim.digest(), viewer.sim.read()
    viewer.do("save_scene")
    assert not viewer.unsaved
    assert {path.name for path in tmp_path.glob("vessel*")} == {"vessel_3.toml", "vessel_3.npz"}
    assert "from which the scene starts" in viewer.messages[-1].text
    viewer.do("new", rules="matter")
    viewer.do("open", path=tmp_path / "vessel_3.toml")
    assert (viewer.sim.digest(), viewer.sim.tick) == (digest, 3)
    assert viewer.sim.read() == world


def test_saving_as_a_scene_overwrites_no_snapshot(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("save")
    before = (tmp_path / "vessel_3.npz").read_bytes()
    viewer.do("save_scene")
    assert (tmp_path / "vessel_3.npz").read_bytes() == before
    assert (tmp_path / "vessel_3_2.toml").exists()
    assert World.digest(gpufluid.load(tmp_path / "vessel_3_2.toml")) == viewer.sim.digest()


def test_a_dialog_is_opened_by_an_action_and_closed_by_another(viewer: Viewer) -> None:
    viewer.do("ask_new")
    assert viewer.dialog == "new"
    viewer.do("ask_resize")
    assert viewer.dialog == "resize"
    viewer.do("close_dialog")
    assert viewer.dialog is None


@pytest.mark.usefixtures("viewer")
def test_clear_finds_each_cell_of_the_smallest_worlds() -> None:
    world = World(2, 2, ("atoms",), edges="open")
    world["material"][1, 0] = world.materials["sand"]
    world["velocity"][1, 0] = (0, 5)
    small = Viewer(world)
    small.do("clear")
    assert not small.sim.read().census()
    small.do("undo")
    assert small.sim.digest() == world.digest()
    small.close()
