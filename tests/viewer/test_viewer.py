"""The viewer without a window: the actions and their effects on the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import pytest
from PIL import Image
from support.scenes import assert_balanced
from support.selection import crossed
from support.views import pixels_of
from support.worlds import random_atoms, random_world

from gpufluid import FULL, Simulation, World
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.core.small_floats import encoded
from gpufluid.io import snapshots
from gpufluid.render.film import Film
from gpufluid.render.look import DAY
from gpufluid.render.scale import scale_within
from gpufluid.runtime import running
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer import pacing
from gpufluid.viewer.actions import ACTIONS, GROUPS
from gpufluid.viewer.inspector import inspect_cell
from gpufluid.viewer.pacing import Pacing
from gpufluid.viewer.recorder import FILM_SIDE, Recorder
from gpufluid.viewer.viewer import Viewer, replay

pytestmark = pytest.mark.usefixtures("device")

SCALE = scale_within(48, 32, FILM_SIDE)
"""The scale of a film of the worlds of this file."""


@pytest.fixture
def hearth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer: ice on wood, both at 0 degrees C, 48 x 32 cells, with rules heat and reactions."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(32, 48, ("atoms", "heat", "reactions"), seed=3)
    world["material"][20:26] = world.materials["ice"]
    world["material"][26:] = world.materials["wood"]
    world["temperature"][20:] = 0
    viewer = Viewer(world, source="hearth", window=(480, 320))
    viewer.clock.paused = True
    yield viewer
    viewer.close()


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer: water below empty cells, 48 x 32 cells, in a window of 480 x 320 pixels."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(32, 48, ("atoms",), seed=3)
    world["material"][20:] = world.materials["water"]
    world.draw_grain()
    viewer = Viewer(world, source="pool", window=(480, 320))
    viewer.clock.paused = True
    yield viewer
    viewer.close()


def material(viewer: Viewer, cell: tuple[int, int]) -> str:
    return dict(viewer.inspect(viewer.camera.pixel_of((cell[0] + 0.5, cell[1] + 0.5))))["material"].split(" (")[0]


def pixel(viewer: Viewer, column: int, row: int) -> tuple[float, float]:
    """The pixel at the middle of a cell."""
    return viewer.camera.pixel_of((column + 0.5, row + 0.5))


def test_every_action_has_a_group_and_a_sentence() -> None:
    for name, action in ACTIONS.items():
        assert action.group in GROUPS, name
        assert action.about.endswith("."), name
        said = [action.sentence(given) for given in action.keys.values()]
        assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in said), name
        if name not in ("favourite", "set_favourite"):  # whose names the help shows
            different = {tuple(given.items()) for given in action.keys.values()}
            assert len(set(said)) == len(different), f"{name}: a sentence for each use"


def test_the_tooltip_of_a_material_says_what_it_does_in_this_world(viewer: Viewer) -> None:
    palette = pytest.importorskip("gpufluid.viewer.panels.palette", reason="imgui-bundle is not installed")
    oil = next(record for record in viewer.sim.blank.materials if record.name == "oil")
    assert palette.about(viewer, oil) == "Oil: liquid, 900 kg/m\u00b3. Flows, floats on water."
    viewer.open(World(8, 8, ("atoms", "heat", "reactions")), "another")
    assert palette.about(viewer, oil) == "Oil: liquid, 900 kg/m\u00b3. Flows, floats on water, burns."
    wall = viewer.sim.blank.materials.records[1]
    assert palette.about(viewer, wall) == "Wall: solid, 2,400 kg/m\u00b3."


def test_an_unknown_action_or_argument_is_refused(viewer: Viewer) -> None:
    with pytest.raises(UsageError, match="no action is named 'pant'; did you mean 'paint'"):
        viewer.do("pant")
    with pytest.raises(UsageError, match="step: got an unexpected keyword argument 'tick'"):
        viewer.do("step", tick=1)


def test_a_stroke_paints_under_the_pointer_at_every_zoom(viewer: Viewer) -> None:
    viewer.do("material", name="sand")
    viewer.do("brush_size", cells=1)
    for steps in (0, -2, 3, 6):
        viewer.do("fit")
        viewer.do("zoom", steps=steps, at=(240, 160))
        pixel = 200.0, 150.0
        cell = viewer.camera.cell_at(pixel)
        assert cell is not None
        viewer.pointer.press("left", *pixel)
        viewer.pointer.release("left", *pixel)
        assert viewer.sim.read()["material"][cell[1], cell[0]] == viewer.sim.blank.materials["sand"]
        viewer.do("undo")


def test_a_fast_stroke_has_no_gaps(viewer: Viewer) -> None:
    viewer.do("material", name="stone")
    viewer.do("brush_size", cells=1)
    start, end = viewer.camera.pixel_of((1.5, 1.5)), viewer.camera.pixel_of((45.5, 10.5))
    viewer.pointer.press("left", *start)
    viewer.pointer.move(*end)
    viewer.pointer.release("left", *end)
    stone = viewer.sim.read()["material"] == viewer.sim.blank.materials["stone"]
    assert stone.any(axis=0)[1:46].all()


def test_painted_matter_has_the_tools_velocity_and_grain(viewer: Viewer) -> None:
    viewer.do("material", name="sand")
    viewer.do("velocity", x=2.5, y=-1.0)
    viewer.do("paint", points=[(10, 8)])
    world = viewer.sim.read()
    sand = world["material"] == world.materials["sand"]
    assert (world["velocity"][sand] == (40, -16)).all()
    assert len(np.unique(world["grain"][sand])) > 5
    world.validate()


def test_replace_mode_changes_only_the_material_under_the_start(viewer: Viewer) -> None:
    viewer.do("material", name="oil")
    viewer.do("brush_size", cells=11)
    viewer.do("paint", points=[(24, 20)], mode="replace")
    world = viewer.sim.read()
    oil = world["material"] == world.materials["oil"]
    assert oil[20:].any()
    assert not oil[:20].any()


def test_a_replacing_stroke_does_not_affect_later_edits(viewer: Viewer) -> None:
    viewer.do("material", name="oil")
    viewer.do("paint", points=[(24, 28)], mode="replace")
    viewer.do("rectangle", start=(2, 2), end=(5, 5))
    material = viewer.sim.read()["material"]
    assert (material[2:6, 2:6] == viewer.sim.blank.materials["oil"]).all()
    before = viewer.sim.digest()
    viewer.do("paint", points=[(-3, 4), (20, 4)], mode="replace")
    assert viewer.sim.digest() == before, "the stroke began outside the world: no material to replace"


def test_an_edit_in_the_middle_of_a_tick_is_replayed(viewer: Viewer) -> None:
    viewer.sim.step_within(1, 0.0)
    viewer.do("paint", points=[(9, 3)])
    viewer.sim.step_within(1, 0.0)
    viewer.do("step")
    viewer.do("emitter", at=(20, 2))
    viewer.do("step", ticks=10)
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()


def test_replay_of_an_opened_snapshot_keeps_the_tool_settings(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("material", name="lava")
    viewer.do("shape", name="spray")
    viewer.do("velocity", x=1.0, y=0.5)
    viewer.do("paint", points=[(9, 3)])
    viewer.do("step", ticks=3)
    viewer.do("save", path=tmp_path / "a.npz")
    viewer.do("open", path=tmp_path / "a.npz")
    viewer.do("paint", points=[(30, 8)])
    viewer.do("step", ticks=5)
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()


def test_a_dragged_rectangle_begins_at_the_cell_pressed_though_the_view_moves(viewer: Viewer) -> None:
    viewer.do("material", name="stone")
    viewer.do("tool", mode="rectangle")
    viewer.pointer.press("left", *pixel(viewer, 10, 5))
    viewer.pointer.wheel(-2, 100, 200)
    viewer.do("pan", x=30, y=-12)
    assert viewer.pointer.arrow is not None
    assert viewer.camera.nearest_cell(viewer.pointer.arrow[0]) == (10, 5)
    viewer.pointer.release("left", *pixel(viewer, 20, 9))
    rows, columns = np.nonzero(viewer.sim.read()["material"] == viewer.sim.blank.materials["stone"])
    assert (columns.min(), rows.min(), columns.max(), rows.max()) == (10, 5, 20, 9)


def test_a_stroke_ends_when_another_world_is_opened(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("save", path=tmp_path / "a.npz")
    viewer.pointer.press("left", *pixel(viewer, 10, 5))
    viewer.do("open", path=tmp_path / "a.npz")
    opened = viewer.sim.digest()
    viewer.pointer.move(*pixel(viewer, 20, 5))
    viewer.pointer.release("left", *pixel(viewer, 30, 5))
    assert viewer.sim.digest() == opened
    viewer.do("material", name="stone")
    viewer.do("brush_size", cells=1)
    viewer.pointer.press("left", *pixel(viewer, 40, 15), frozenset({"shift"}))
    stone = viewer.sim.read()["material"] == viewer.sim.blank.materials["stone"]
    assert stone.sum() == 1, "no line from the end of a stroke in the other world"


def test_a_velocity_arrow_is_limited_to_the_highest_speed(viewer: Viewer) -> None:
    viewer.pointer.press("left", *viewer.camera.pixel_of((7.5, 0.5)), frozenset({"alt"}))
    viewer.pointer.release("left", *viewer.camera.pixel_of((47.5, 30.5)))
    assert viewer.tool.velocity == (7.9, 7.5)
    assert not viewer.messages


@pytest.mark.parametrize("rule", ["flow", "atoms"])
def test_fill_covers_the_connected_area(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(16, 16, (rule,))
    world["material"][:, 8] = world.materials["wall"]
    viewer = Viewer(world)
    viewer.do("material", name="water")
    viewer.do("fill", at=(2, 2))
    water = viewer.sim.read()["mass" if rule == "flow" else "material"] > 0
    assert water[:, :8].all()
    assert not water[:, 9:].any()
    viewer.close()


def test_going_back_and_redo_restore_exact_digests(viewer: Viewer) -> None:
    digests = [viewer.sim.digest()]
    for column in (5, 15, 25):
        viewer.do("paint", points=[(column, 5)])
        viewer.do("step", ticks=3)
        digests.append(viewer.sim.digest())
    before = []
    for _ in range(3):
        before.append(viewer.sim.digest())
        viewer.do("back_before_edit")
    assert viewer.sim.digest() == digests[0]
    for digest in reversed(before):
        viewer.do("redo")
        assert viewer.sim.digest() == digest
    viewer.do("redo")
    assert viewer.messages[-1].text == "nothing to redo"


def test_a_stroke_is_undone_as_a_whole(viewer: Viewer) -> None:
    before = viewer.sim.digest()
    viewer.pointer.press("left", 50, 50)
    for x in range(60, 300, 20):
        viewer.pointer.move(x, 50)
    viewer.pointer.release("left", 300, 50)
    assert viewer.sim.digest() != before
    viewer.do("undo")
    assert viewer.sim.digest() == before


def test_rewind_restores_exact_digests_across_edits(viewer: Viewer) -> None:
    digests = {}
    for tick in range(40):
        if tick % 10 == 5:
            viewer.do("paint", points=[(tick, 4)])
        digests[tick] = viewer.sim.digest()
        viewer.do("step")
    for tick in (33, 25, 24, 7, 0):
        viewer.do("rewind", ticks=viewer.sim.tick - tick)
        assert (viewer.sim.tick, viewer.sim.digest()) == (tick, digests[tick])


def test_reset_restores_the_first_state(viewer: Viewer) -> None:
    first = viewer.sim.digest()
    viewer.do("paint", points=[(9, 9)])
    viewer.do("step", ticks=20)
    viewer.do("reset")
    assert viewer.sim.digest() == first


def test_editing_emitters_and_drains_reuses_the_simulation(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    sim, first = viewer.sim, viewer.sim.read()
    viewer.do("material", name="water")
    viewer.do("step", ticks=3)
    viewer.sim.digest()
    before = viewer.sim.read()
    monkeypatch.setattr(moderngl.Context, "compute_shader", None)  # an error if it is called
    monkeypatch.setattr(moderngl.Context, "texture", None)
    viewer.do("emitter", at=(10, 4))
    viewer.do("drain", start=(40, 28), end=(44, 31))
    ports = viewer.sim.blank.emitters, viewer.sim.blank.drains
    assert (len(ports[0]), len(ports[1])) == (len(before.emitters) + 1, len(before.drains) + 1)
    viewer.do("step", ticks=4)
    then = viewer.sim.read()
    viewer.do("undo")
    assert (viewer.sim.tick, viewer.sim.blank.emitters, viewer.sim.blank.drains) == (7, ports[0], before.drains)
    viewer.do("redo")
    for _ in range(2):
        viewer.do("back_before_edit")
    assert (viewer.sim.digest(), viewer.sim.blank.emitters) == (before.digest(), before.emitters)
    viewer.do("redo")
    viewer.do("redo")
    viewer.do("rewind", ticks=2)
    assert (viewer.sim.blank.emitters, viewer.sim.blank.drains) == ports
    viewer.do("step", ticks=2)
    assert viewer.sim.digest() == then.digest()
    viewer.do("reset")
    assert (viewer.sim.digest(), viewer.sim.blank.emitters) == (first.digest(), first.emitters)
    assert viewer.sim is sim


def test_emitters_and_drains_are_placed_and_removed(viewer: Viewer) -> None:
    viewer.do("material", name="sand")
    viewer.do("brush_size", cells=3)
    viewer.do("emitter", at=(10, 4), x=2.0, y=0.0)
    viewer.do("drain", start=(40, 28), end=(44, 31))
    viewer.do("step", ticks=30)
    assert viewer.sim.atoms["sand"].emitted > 0
    assert viewer.sim.atoms["water"].drained > 0
    (emitter,) = viewer.sim.blank.emitters
    assert (emitter.at, emitter.size, emitter.velocity) == ((9, 3), (3, 3), (2.0, 0.0))
    viewer.do("remove", at=(10, 4))
    viewer.do("remove", at=(42, 30))
    assert viewer.sim.blank.emitters == viewer.sim.blank.drains == ()
    viewer.do("undo")
    assert len(viewer.sim.blank.drains) == 1


def test_a_session_is_replayed_to_the_same_digest(viewer: Viewer) -> None:
    viewer.do("material", name="sand")
    viewer.do("paint", points=[(9, 3), (30, 3)])
    viewer.do("step", ticks=12)
    viewer.do("shape", name="spray")
    viewer.do("brush_size", cells=9)
    viewer.do("paint", points=[(30, 8)])
    viewer.do("step", ticks=5)
    viewer.do("undo")
    viewer.do("emitter", at=(20, 2), x=0.0, y=1.0)
    viewer.do("step", ticks=15)
    viewer.do("rewind", ticks=4)
    viewer.do("step", ticks=9)
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()


def test_drawing_an_overlay_does_not_change_the_state(viewer: Viewer) -> None:
    viewer.do("step", ticks=5)
    before = viewer.sim.digest()
    for overlay in viewer.overlays:
        viewer.do("overlay", name=overlay.name)
        assert viewer.sim.digest() == before
        assert viewer.picture().size == viewer.camera.drawn_size
    viewer.do("no_overlay")
    with pytest.raises(UsageError, match="overlay: 'heat'"):
        viewer.do("overlay", name="heat")


@pytest.mark.long("a world of three rules in a viewer of its own")
def test_the_heat_brush_warms_water_by_mass_until_it_boils_and_undo_takes_the_heat_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(12, 12, ("flow", "atoms", "heat"), parameters={"heat": {"air": 0.0}})
    world["mass"][4:] = FULL
    with Simulation(world) as sim:  # at rest
        sim.step(2)
        world = sim.read()
    viewer = Viewer(world, source="pool", window=(480, 320))
    viewer.clock.paused = True
    try:
        viewer.do("brush_size", cells=3)
        viewer.do("heat", points=[(6, 8)], degrees=40.0)
        warm = viewer.sim.read()
        assert set(np.unique(warm["water_heat"])) == {0, 40 * 8 * 1024}
        assert warm.ledgers["water_heat"].given == warm.total("water_heat") > 0
        viewer.do("undo")
        assert not viewer.sim.read()["water_heat"].any()
        viewer.do("heat", points=[(6, 8)], degrees=700.0)
        viewer.do("step", ticks=10)
        assert viewer.sim.read().atoms["steam"].made > 0
        assert_balanced(world, viewer.sim.read())
    finally:
        viewer.close()


def test_the_tint_is_on_at_first_and_is_switched_in_view_screenshot_and_film(
    hearth: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearth.sim.warm((0, 26), np.ones((6, 48), bool), 200.0)
    before = hearth.sim.digest()
    add, filmed = Film.add, []
    monkeypatch.setattr(Film, "add", lambda film, frame: (filmed.append(frame), add(film, frame)))
    scale, (x, y) = hearth.camera.scale.zoom, hearth.camera.offset
    tinted, plain = (hearth.sim.frame(scale, tint=tint) for tint in (True, False))
    assert (tinted != plain).any()
    for shown in (tinted, plain):
        height, width, _ = shown.shape
        np.testing.assert_array_equal(pixels_of(hearth)[y : y + height, x : x + width, :3], shown)
        hearth.do("screenshot", path=tmp_path / "x.png")
        with Image.open(tmp_path / "x.png") as saved:
            np.testing.assert_array_equal(np.asarray(saved.convert("RGB")), shown)
        hearth.do("record", path=tmp_path / "x.mp4")
        hearth.do("record")
        np.testing.assert_array_equal(filmed[-1], hearth.sim.frame(SCALE, tint=hearth.look.tint))
        hearth.press("t")
    assert (filmed[0] != filmed[-1]).any()
    assert hearth.look.tint
    assert hearth.sim.digest() == before


def test_theme_and_background_show_in_view_screenshot_and_film(
    hearth: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hearth.sim.digest()
    add, filmed = Film.add, []
    monkeypatch.setattr(Film, "add", lambda film, frame: (filmed.append(frame), add(film, frame)))
    scale, (x, y) = hearth.camera.scale.zoom, hearth.camera.offset
    shown = []
    looks: list[dict[str, Any]] = [{}, {"theme": "night"}, {"theme": "night", "background": "#804020"}]
    for look in looks:
        frame = hearth.sim.frame(scale, **look)
        shown.append(frame)
        height, width, _ = frame.shape
        np.testing.assert_array_equal(pixels_of(hearth)[y : y + height, x : x + width, :3], frame)
        hearth.do("screenshot", path=tmp_path / "x.png")
        with Image.open(tmp_path / "x.png") as saved:
            np.testing.assert_array_equal(np.asarray(saved.convert("RGB")), frame)
        hearth.do("record", path=tmp_path / "x.webm")
        hearth.do("record")
        np.testing.assert_array_equal(filmed[-1], hearth.sim.frame(SCALE, **look))
        if not look:
            hearth.press("n")
        else:
            hearth.do("background", colour="#804020")
    assert len({frame.tobytes() for frame in shown}) == 3
    hearth.do("background")
    hearth.press("n")
    np.testing.assert_array_equal(pixels_of(hearth)[y : y + height, x : x + width, :3], shown[0])
    assert hearth.sim.digest() == before


def test_a_look_is_kept_when_another_world_is_opened(viewer: Viewer) -> None:
    viewer.do("theme", name="night")
    viewer.do("background", colour="#102030")
    viewer.open(World(8, 8, rules=("flow",)), "other")
    assert (viewer.look.theme, viewer.look.background) == ("night", (16, 32, 48))


@pytest.mark.parametrize(("action", "given"), [("theme", {"name": "dusk"}), ("background", {"colour": "blue"})])
def test_a_wrong_look_changes_nothing(viewer: Viewer, action: str, given: dict[str, str]) -> None:
    with pytest.raises(UsageError, match=rf"^{action}: '(dusk|blue)' is"):
        viewer.do(action, **given)
    assert viewer.look == DAY


def test_a_world_without_heat_has_no_tint_to_switch(viewer: Viewer) -> None:
    with pytest.raises(UsageError, match="tint: this world has no temperatures; expected a world with rule heat"):
        viewer.do("tint")
    assert viewer.look.tint


def test_the_view_equals_its_part_of_the_frame(viewer: Viewer) -> None:
    """At every zoom and offset, the view is the matching part of `Simulation.frame`."""
    viewer.do("step", ticks=4)
    for steps in range(-9, 5):
        viewer.do("fit")
        viewer.do("zoom", steps=steps, at=(100, 230))
        viewer.pacing = Pacing()  # draws the whole picture first
        scale, (x, y) = viewer.camera.scale, viewer.camera.offset
        frame = viewer.sim.frame(f"{scale.zoom}/{scale.cells_a_pixel}")
        seen = pixels_of(viewer)[:, :, :3]
        shown = seen[max(y, 0) : max(y + frame.shape[0], 0), max(x, 0) : max(x + frame.shape[1], 0)]
        there = frame[max(-y, 0) :, max(-x, 0) :][: shown.shape[0], : shown.shape[1]]
        assert shown.size > 0
        np.testing.assert_array_equal(shown, there)


def test_screenshot_film_and_snapshot_are_written(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("screenshot", path=tmp_path / "a.png")
    viewer.do("record", path=tmp_path / "a.mp4")
    assert viewer.recording
    for frame in range(10):
        viewer.advance(frame / 20)
    viewer.do("record")
    assert not viewer.recording
    viewer.do("step", ticks=7)
    viewer.do("paint", points=[(3, 3)])
    assert viewer.unsaved
    viewer.do("save", path=tmp_path / "a.npz")
    assert not viewer.unsaved
    digest = viewer.sim.digest()
    viewer.do("reset")
    viewer.do("open", path=tmp_path / "a.npz")
    assert viewer.sim.digest() == digest
    assert {path.name for path in tmp_path.iterdir()} >= {"a.png", "a.mp4", "a.npz"}


def test_a_film_ends_when_a_world_of_another_size_is_opened(viewer: Viewer, tmp_path: Path) -> None:
    viewer.do("save", path=tmp_path / "same.npz")
    snapshots.save(World(16, 16, ("atoms",)), tmp_path / "other.npz")
    viewer.do("record", path=tmp_path / "a.mp4")
    viewer.do("open", path=tmp_path / "same.npz")
    assert viewer.recording
    assert not (tmp_path / "a.mp4").exists()
    viewer.do("open", path=tmp_path / "other.npz")
    assert not viewer.recording
    assert (tmp_path / "a.mp4").stat().st_size > 0
    assert "the recording has ended: a film shows worlds of one size" in [message.text for message in viewer.messages]
    viewer.advance(1.0)


def test_a_film_that_cannot_be_finished_is_an_error_when_the_viewer_closes(
    viewer: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Recorder) -> None:
        raise OutputError("a.mp4: could not be written: the disk is full")

    viewer.do("record", path=tmp_path / "a.mp4")
    recorder = viewer.recorder
    assert recorder is not None
    with monkeypatch.context() as patch:
        patch.setattr(Recorder, "stop", fail)
        with pytest.raises(OutputError, match="the disk is full"):
            viewer.close()
    recorder.stop()
    with pytest.raises(UsageError, match="closed"):
        viewer.sim.read()


def test_opening_an_invalid_scene_keeps_the_world(viewer: Viewer, tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("size = 3\n")
    before = viewer.sim.digest()
    assert not viewer.attempt(lambda: viewer.do("open", path=broken))
    assert viewer.messages[-1].kind == "error"
    assert "broken.toml:1" in viewer.messages[-1].text
    assert viewer.sim.digest() == before
    viewer.do("step")


def test_pressing_a_key_runs_its_action(viewer: Viewer) -> None:
    assert viewer.press("p")
    assert not viewer.clock.paused
    assert viewer.press("ctrl+shift+z")
    assert not viewer.press("ctrl+alt+q")


def test_ticks_follow_the_rate_and_rate_0_is_refused(viewer: Viewer) -> None:
    viewer.do("pause")
    viewer.do("rate", ticks=100)
    for frame in range(61):
        viewer.advance(10 + frame / 60)
    assert 60 <= viewer.sim.tick <= 101
    with pytest.raises(UsageError, match="expected 1 to 10000"):
        viewer.do("rate", ticks=0)


def test_statistics_count_cells_and_time_each_pass(viewer: Viewer) -> None:
    viewer.do("pause")
    viewer.do("panel", name="statistics")
    for frame in range(60):
        viewer.advance(frame / 10)
    assert viewer.statistics.counts["water"][-1] == 12 * 48
    assert set(viewer.statistics.ms_by_pass) == {call.pass_.full_name for call in viewer.sim.calls()}


def test_the_heat_brush_warms_and_the_right_button_cools(hearth: Viewer) -> None:
    hearth.do("tool", mode="warm")
    hearth.do("degrees", count=8)
    hearth.do("brush_size", cells=3)
    hearth.do("shape", name="square")
    first = hearth.sim.read()
    hearth.pointer.press("left", *pixel(hearth, 10, 22))
    hearth.pointer.move(*pixel(hearth, 11, 22))  # while paused, a move counts as one tick
    hearth.pointer.release("left", *pixel(hearth, 11, 22))
    warmed = hearth.sim.read()
    assert warmed["temperature"][22, 8:14].tolist() == [0, 128, 128, 128, 64, 0]
    assert warmed.heat.given == 3 * (128 + 128 + 128 + 64) == warmed.heat_held() - first.heat_held()
    hearth.pointer.press("right", *pixel(hearth, 10, 22))
    hearth.pointer.release("right", *pixel(hearth, 10, 22))
    assert hearth.sim.read()["temperature"][22, 8:14].tolist() == [0, 64, 64, 64, 64, 0]
    hearth.do("undo")
    assert hearth.sim.digest() == warmed.digest()
    hearth.do("undo")
    assert hearth.sim.digest() == first.digest()
    now = hearth.sim.read()
    assert first.heat_held() + now.heat.balance == now.heat_held()


def test_heat_brush_adds_its_degrees_each_tick_and_is_replayed(hearth: Viewer) -> None:
    first = hearth.first
    hearth.do("tool", mode="warm")
    hearth.do("degrees", count=4)
    hearth.do("brush_size", cells=1)
    hearth.clock.paused = False
    hearth.clock.rate = 10
    hearth.advance(0.0)
    hearth.pointer.press("left", *pixel(hearth, 10, 30))
    frame = 0
    while hearth.sim.tick <= 10:  # a slow machine runs a tick in several frames
        frame += 1
        hearth.advance(frame / 10)
    ticks = hearth.sim.tick
    hearth.pointer.release("left", *pixel(hearth, 10, 30))
    hearth.advance((frame + 1) / 10)
    assert hearth.sim.heat.given == (ticks + 1) * 4 * 8  # the press counts as one tick
    assert first.heat_held() + hearth.sim.heat.balance == hearth.sim.read().heat_held()
    again = replay(first, hearth.log, hearth.sim.tick)
    assert again.sim.digest() == hearth.sim.digest()
    again.close()


def test_a_brush_held_while_time_goes_back_acts_in_the_ticks_that_follow(hearth: Viewer) -> None:
    hearth.do("tool", mode="warm")
    hearth.do("degrees", count=4)
    hearth.do("brush_size", cells=1)
    hearth.do("step", ticks=9)
    hearth.pointer.press("left", *pixel(hearth, 10, 30))
    hearth.do("reset")
    hearth.pointer.act_while_held()
    assert hearth.sim.heat.given == 0
    hearth.do("step", ticks=2)
    assert hearth.sim.heat.given == 2 * 4 * 8
    hearth.do("undo")
    assert hearth.sim.heat.balance == hearth.sim.statistics().heat - hearth.first.heat_held()


def test_heat_brush_in_a_world_without_heat_is_refused_once(viewer: Viewer) -> None:
    viewer.do("tool", mode="cool")
    viewer.pointer.press("left", *pixel(viewer, 10, 22))
    viewer.pointer.move(*pixel(viewer, 12, 22))
    viewer.pointer.act_while_held()
    assert [message.text for message in viewer.messages] == [
        "heat brush: this world has no temperatures; expected a world with rule heat"
    ]
    assert not viewer.history.can_undo


def test_strength_of_the_heat_brush_is_bounded(hearth: Viewer) -> None:
    for _ in range(20):
        hearth.do("stronger")
    assert hearth.tool.degrees == 1024
    for _ in range(20):
        hearth.do("weaker")
    assert hearth.tool.degrees == 0.125
    with pytest.raises(UsageError, match="degrees: 0; expected a number above 0"):
        hearth.do("degrees", count=0)


def test_the_inspector_names_the_directions_of_a_velocity(hearth: Viewer) -> None:
    world = hearth.sim.read()
    world["material"][10, 3:6] = world.materials["sand"]
    world["velocity"][10, 3:6] = [(-24, 8), (0, -16), (0, 0)]
    hearth.show(world)
    told = [dict(hearth.inspect(pixel(hearth, column, 10)))["velocity"] for column in (3, 4, 5)]
    assert told == ["1.5 left, 0.5 down, cells a tick", "1 up, cells a tick", "0 cells a tick"]


def test_the_inspector_tells_the_velocity_of_water_with_momentum() -> None:
    world = World(4, 4, ("flow", "inertia"))
    world["mass"][1, 2] = FULL
    world["momentum"][1, 2] = encoded(np.array([FULL // 4, -FULL // 8]))
    with Workbench(world) as sim:
        assert dict(inspect_cell(sim, (2, 1)))["velocity of the water"] == "0.25 right, 0.125 up, cells a tick"
        assert dict(inspect_cell(sim, (0, 0)))["velocity of the water"] == "0 cells a tick"


def test_the_inspector_tells_the_latent_heat_that_water_by_mass_has_stored() -> None:
    """Also of half a cell; the smallest film, which conducts no heat, has stored none."""
    world = World(4, 8, ("flow", "atoms", "heat"))
    cells = ((FULL, 80 + 40), (FULL // 2, 80 + 100), (FULL, 30), (FULL, -20 - 60), (FULL // 32, 900))
    for column, (mass, degrees) in enumerate(cells):
        world["mass"][1, column] = mass
        world["water_heat"][1, column] = mass // 1024 * degrees * 8
    with Workbench(world) as sim:
        told = [dict(inspect_cell(sim, (column, 1))) for column in range(6)]
    ends = "steam at 536, ice at -80"
    held = [f"{degrees} degrees; {ends}" for degrees in (40, 50, 0, -60, 0)]
    assert [each.get("latent heat") for each in told] == [*held, None]
    assert [each["temperature"].split(" ")[0] for each in told] == ["100", "100", "50", "0", "20", "20"]


def test_the_inspector_tells_the_temperature_of_a_mixture() -> None:
    world = World(4, 4, ("mixture", "atoms", "heat"))
    world["mixture"][:2, 1, 2] = FULL
    world["water_heat"][1, 2] = 2 * 8192 * 50
    with Workbench(world) as sim:
        assert dict(inspect_cell(sim, (2, 1)))["temperature"] == "70 degrees C"
        assert "latent heat" not in dict(inspect_cell(sim, (2, 1)))
        assert dict(inspect_cell(sim, (0, 0)))["temperature"] == "20 degrees C, the air's"


def test_inspector_shows_temperature_latent_heat_age_and_integrity(hearth: Viewer) -> None:
    world = hearth.sim.read()
    world["temperature"][21, 3], world["age"][21, 3] = -12, 5
    world["temperature"][28, 3], world["age"][28, 3], world["integrity"][28, 3] = 4001, 9, 128
    hearth.sim.restore(world)

    def told(row: int) -> dict[str, str]:
        found = dict(hearth.inspect(pixel(hearth, 3, row)))
        return {name: found[name] for name in ("temperature", "latent heat", "age", "integrity") if name in found}

    assert told(21) == {
        "temperature": "-1.5 degrees C",
        "latent heat": "40 degrees; water at 80",
        "integrity": "256 of 256 parts",
    }
    assert told(28) == {"temperature": "500.125 degrees C", "age": "9", "integrity": "128 of 256 parts"}
    assert told(3) == {"temperature": "20 degrees C, the air's"}


def test_statistics_include_temperatures(hearth: Viewer) -> None:
    hearth.do("heat", points=[(10, 30)], degrees=80.0)
    for now in (1.0, 2.0):
        hearth.advance(now)
    found = hearth.statistics.latest
    assert found is not None
    assert found == hearth.sim.read().statistics()
    assert found.largest == 80


@crossed(most=3, make=[random_world, random_atoms], seconds=[1e-9, 10.0], edges=["closed", "open", "wrap"])
def test_a_tick_run_in_parts_ends_in_the_same_state(
    make: Callable[..., World], seconds: float, edges: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "_BAND_SECONDS", seconds)
    world = make(70, 134, edges=edges)
    with Workbench(world) as sim, Simulation(world) as whole:
        calls = 0
        while sim.tick < 3:
            sim.step_within(3 - sim.tick, 0.0)
            calls += 1
        sim.step_within(1, 0.0)  # in the middle of a tick this completes the tick
        whole.step(4)
        assert sim.digest() == whole.digest()
        assert calls > 3 or seconds > 1


def shown(viewer: Viewer) -> bytes:
    """The pixels of the viewer's picture."""
    with viewer.sim.device:
        return viewer.picture().read()


def test_a_view_is_drawn_again_only_after_a_tick_or_an_edit(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, draw = [], Workbench.view
    monkeypatch.setattr(pacing, "DRAW_BUDGET", 1000.0)  # the whole view at once, however busy the machine is
    monkeypatch.setattr(Workbench, "view", lambda sim, *given: (drawn.append(given), draw(sim, *given))[1])
    acts = {
        "nothing": lambda: None,
        "tick": lambda: viewer.do("step"),
        "stroke": lambda: viewer.do("paint", points=[(8, 4)]),
        "undo": lambda: viewer.do("undo"),
        "reset": lambda: viewer.do("reset"),
        "zoom": lambda: viewer.camera.zoom_at((20, 20), 1),
        "part of a tick": lambda: viewer.sim.step_within(1, 0.0),
        "window": lambda: viewer.camera.resize((200, 100)),
    }
    viewer.do("material", name="sand")
    viewer.do("paint", points=[(20, 4)])
    pixels = shown(viewer)
    for name, act in acts.items():
        drawn.clear()
        act()
        now = shown(viewer)
        assert bool(drawn) == (name not in ("nothing", "part of a tick")), name
        assert (now != pixels) == bool(drawn), name
        pixels = now


def test_a_view_drawn_in_bands_becomes_the_whole_view(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pixels_of(viewer)
    monkeypatch.setattr(pacing, "DRAW_BUDGET", 0.0)
    viewer.do("paint", points=[(5, 5), (40, 30)])
    seen = [pixels_of(viewer) for _ in range(40)]
    assert (whole != seen[-1]).any()
    monkeypatch.setattr(pacing, "DRAW_BUDGET", 10.0)
    np.testing.assert_array_equal(pixels_of(viewer), seen[-1])


def test_the_viewer_pauses_at_the_last_tick_and_says_why() -> None:
    world = World(8, 8, rules=("flow",), tick=COUNT_LIMIT - 2)
    viewer = Viewer(world, source="late", window=(80, 80))
    for frame in range(200):
        viewer.advance(frame / 10)
        if viewer.clock.paused:
            break
    assert viewer.clock.paused
    assert viewer.sim.tick == COUNT_LIMIT
    assert f"the last tick is {COUNT_LIMIT}" in viewer.messages[-1].text
    viewer.advance(30.0)
    assert viewer.sim.read().digest()
    viewer.close()
