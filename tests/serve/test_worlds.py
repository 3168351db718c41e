"""Worlds from a page: the folder is listed, a file is opened, a world is made and resized, and no path leaves it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gpufluid import World
from gpufluid.io import snapshots
from gpufluid.io.scenes import save_scene
from gpufluid.render.film import save_picture
from gpufluid.viewer import replay
from gpufluid.viewer.new_world import OWN

pytestmark = pytest.mark.usefixtures("device")

Tables = Callable[..., "Table"]  # noqa: F821  of conftest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the session, as it is once `table` was called, with worlds in it, and one beside it."""
    place = tmp_path / "files"
    (place / "deep").mkdir(parents=True)
    world = World(10, 12, ("atoms",))
    world["material"][9] = world.materials["stone"]
    snapshots.save(world, place / "alpha.npz")
    snapshots.save(World(8, 14, ("atoms",)), place / "deep" / "gamma.npz")
    save_scene(world, place / "beta.toml", "Beta", "A scene.")
    snapshots.save(World(5, 5, ("atoms",)), tmp_path / "outside.npz")
    (place / "text.txt").write_text("no world")
    (place / "leaves.npz").symlink_to(tmp_path / "outside.npz")
    (place / "up").symlink_to(tmp_path)
    return place


@pytest.fixture
def session(folder: Path, table: Tables):  # noqa: ARG001  the folder exists first
    return table()


def size_of(session) -> tuple[int, int]:
    world = session.viewer.sim.blank
    return world.width, world.height


def paint(page) -> None:
    page.say("size", width=640, height=480)
    page.act("material", name="sand")
    page.say("press", x=320, y=100)
    page.say("release", x=320, y=100)


def is_replayed(session) -> bool:
    viewer = session.viewer
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    try:
        return again.sim.digest() == viewer.sim.digest()
    finally:
        again.close()


def test_the_folder_is_listed_without_what_leads_out_of_it_and_a_file_is_opened(session, folder: Path) -> None:
    page, watcher = session.page(), session.page("watcher")
    page.act("panel", name="scenes")  # as Ctrl+O does
    session.turn()
    assert page.told["dialog"] == {"kind": "open", "folder": "", "first": "pond"}
    kinds = {entry["name"]: entry["kind"] for entry in page.folders[-1]["entries"]}
    assert kinds == {"deep": "folder", "alpha.npz": "snapshot", "beta.png": "picture", "beta.toml": "scene"}
    assert page.folders[-1]["others"] == 3, "a text, and two links that lead out of the folder"
    page.act("ask_open", name="deep")
    session.turn()
    assert [entry["name"] for entry in page.folders[-1]["entries"]] == ["gamma.npz"]
    snapshots.save(World(8, 14, ("atoms",)), folder / "deep" / "new.npz")
    session.turn(12)
    assert [entry["name"] for entry in page.folders[-1]["entries"]] == ["gamma.npz", "new.npz"], "a second later"
    (folder / "deep").rename(folder / "moved")
    session.turn(12)
    assert page.errors == ["'deep': cannot be listed: No such file or directory"]
    assert page.told["dialog"] is None
    (folder / "moved").rename(folder / "deep")
    page.act("request_open", name="deep/gamma.npz")
    session.turn()
    assert size_of(session) == (14, 8)
    for each in (page, watcher):
        assert each.told["size"] == [14, 8]
        assert each.facts_said["title"] == "gamma"
        assert each.notes[-1]["text"] == "deep/gamma.npz opened"
    assert page.told["dialog"] is None
    assert watcher.folders == []
    page.act("request_open", name="beta.toml")
    session.turn()
    assert session.viewer.sim.read().census()["stone"] == 12
    paint(page)
    session.turn()
    assert is_replayed(session)


LEAVING = (
    "../outside.npz",
    "deep/../../outside.npz",
    "leaves.npz",
    "up/outside.npz",
    "up/files/../outside.npz",
    "/etc/passwd",
    "~/x.npz/../../../..",
)


def test_no_path_leaves_the_folder(session, tmp_path: Path) -> None:
    page = session.page()
    names = [*LEAVING, str(tmp_path / "outside.npz")]
    for name in names:
        page.act("request_open", name=name)
        page.act("ask_open", name=name)
        session.turn()
        assert page.told["dialog"] is None
    assert size_of(session) == (64, 48)
    told = [text for text in page.errors if "is not in the folder of this server" in text]
    # A folder named ~ does not exist, so that this path stays inside as long as links are not followed.
    assert len(told) == len(page.errors) == 2 * len(names)
    page.act("request_open", path="alpha.npz")
    page.act("open", path=str(tmp_path / "outside.npz"))
    page.act("request_new", width=5, height=5)
    page.act("keep_in", folder="/")
    session.turn()
    assert page.errors[-4:] == [
        "request_open: name: Field required",
        "'open' is no action of this page",
        "'request_new' is no action of this page",
        "'keep_in' is no action of this page",
    ]
    assert size_of(session) == (64, 48)


BAD_NAMES = {
    "none.npz": "'none.npz': cannot be read: No such file or directory",
    "none.toml": "'none.toml': cannot be read: No such file or directory",
    "pipe.npz": "'pipe.npz': cannot be read: it is a named pipe (FIFO), not a file",
    "text.txt": "'text.txt': expected a file that ends in .toml, .npz, .png",
    "deep": "'deep': expected a file that ends in",
    "": "'': expected a file that ends in",
    "a\0b.npz": "'a\\x00b.npz' is no file name: ",
    "a" * 300 + ".npz": ": cannot be read: File name too long",
    "broken.toml": "broken.toml:1",
    "broken.npz": "broken.npz: ",
}


def test_a_bad_name_is_told_without_the_path_of_the_folder(session, folder: Path, tmp_path: Path) -> None:
    for broken in ("broken.toml", "broken.npz"):
        (folder / broken).write_text("size = [")
    os.mkfifo(folder / "pipe.npz")
    page = session.page()
    for name, said in BAD_NAMES.items():
        page.act("request_open", name=name)
        session.turn()
        assert said in page.errors[-1]
    page.act("ask_open", name="broken.toml")
    session.turn()
    assert page.errors[-1] == "'broken.toml': cannot be listed: Not a directory"
    assert len(page.errors) == len(BAD_NAMES) + 1
    assert not [told for told in page.errors if str(tmp_path)[:30] in told]
    assert size_of(session) == (64, 48)


def test_changes_are_not_lost_without_a_question_and_only_the_page_that_asks_is_asked(session, folder: Path) -> None:
    page, watcher = session.page(), session.page("watcher")
    paint(page)
    page.act("request_open", name="alpha.npz")
    page.act("step", ticks=3)  # time goes on for everybody
    session.turn()
    assert page.told["dialog"] == {"kind": "unsaved", "verb": "Open", "other": "alpha.npz", "place": "pond_3.npz"}
    assert watcher.told["dialog"] is None
    assert session.viewer.question is None
    page.act("close_dialog")
    page.act("answer", save=False)
    session.turn()
    assert page.errors == ["answer: nothing was asked"]
    assert size_of(session) == (64, 48)
    digest = session.viewer.sim.digest()
    page.act("request_open", name="alpha.npz")
    page.act("answer", save=True)
    session.turn()
    assert size_of(session) == (12, 10)
    assert snapshots.load(folder / "pond_3.npz").digest() == digest
    assert page.told["dialog"] is None
    page.act("request_first")
    session.turn()
    assert (size_of(session), session.viewer.sim.tick, page.facts_said["title"]) == ((64, 48), 0, "pond")
    paint(page)
    page.act("request_first")
    page.act("answer", save=False)
    session.turn()
    assert session.viewer.sim.read().census().get("sand", 0) == 0
    paint(page)
    page.act("ask_new")
    page.act("choose", width=20, height=10, rules="matter")
    page.act("confirm")
    session.turn()
    assert page.told["dialog"]["verb"] == "Make a new world"
    page.act("answer", save=False)
    session.turn()
    assert size_of(session) == (20, 10)


def test_a_world_is_made_and_resized_by_the_functions_of_the_window(session) -> None:
    page = session.page()
    page.act("ask_new")
    session.turn()
    there = page.told["dialog"]
    assert (there["width"], there["height"], there["rules"], there["problem"]) == (320, 200, "sandbox", "")
    assert "64,000 cells, about " in there["words"]
    assert there["about"].startswith("Matter falls")
    page.act("choose", width=2, height=10)
    session.turn()
    assert page.told["dialog"]["remark"] == "2 by 10 cells have no room for walls beside the floor."
    page.act("choose", width=40, height=30, surroundings="closed", gravity="left", rules=OWN)
    page.act("choose", switch="pressure")  # brings nothing, as the world has rule atoms already
    session.turn()
    own = {rule["name"]: rule["on"] for rule in page.told["dialog"]["own"]}
    assert [name for name, on in own.items() if on] == ["atoms", "pressure"]
    page.act("confirm")
    session.turn()
    laws = session.viewer.sim.blank
    assert (laws.width, laws.height, laws.rules) == (40, 30, ("atoms", "pressure"))
    assert (laws.edges, laws.gravity) == ("closed", "left")
    assert (page.told["dialog"], page.facts_said["gravity"]) == (None, "left")
    assert page.notes[-1]["text"] == "a new world of 40 by 30 cells"
    paint(page)
    page.act("ask_resize")
    session.turn()
    assert (page.told["dialog"]["width"], page.told["dialog"]["align"]) == (40, [0.0, 0.5])
    page.act("choose", width=50, height=20, align=[1, 0])
    page.act("confirm")
    session.turn()
    assert (size_of(session), page.told["size"]) == ((50, 20), [50, 20])
    assert is_replayed(session)
    page.act("undo")
    session.turn()
    assert size_of(session) == (40, 30)


BAD = (
    ({"width": 0}, "0 cells are not possible: the width is 1 to 16,384 cells on this device."),
    ({"height": -3}, "-3 cells are not possible: the height is 1 to 16,384 cells on this device."),
    ({"width": 1_000_000}, "1,000,000 cells are not possible: the width is 1 to 16,384 cells on this device."),
    ({"rules": OWN, "switch": "atoms"}, "Choose one rule at least: without a rule nothing can be in the world."),
)


def test_a_size_or_rules_that_cannot_be_are_said_and_nothing_is_made(session) -> None:
    page, most = session.page(), session.viewer.sim.device.max_side
    for choices, said in BAD:
        page.act("ask_new")
        page.act("choose", **{"width": 320, "height": 200} | choices)
        page.act("confirm")
        session.turn()
        assert page.told["dialog"]["problem"] == page.errors[-1] == said.replace("16,384", f"{most:,}")
    assert len(page.errors) == len(BAD)
    assert size_of(session) == (64, 48)


def test_wrong_choices_are_refused_with_the_words_of_the_window(session) -> None:
    page = session.page()
    page.act("confirm")
    page.act("ask_resize")
    page.act("choose", surroundings="flor")
    page.act("choose", gravity="donw")
    page.act("choose", rules="sandbx")
    page.act("choose", switch="flw")
    page.act("choose", width="12")
    page.act("choose", align=[1])
    page.act("choose", width=10, align=[3, 4])
    page.act("confirm")
    session.turn()
    assert page.errors == [
        "confirm: no dialog on a world is open",
        "surroundings: 'flor' is not known; did you mean 'floor'?",
        "gravity: 'donw' is not known; did you mean 'down'?",
        "rules: 'sandbx' is not known; did you mean 'sandbox'?",
        "switch: 'flw' is not known; did you mean 'flow'?",
        "choose: width: Input should be a valid integer",
        "align: [1.0]; expected two numbers from 0 to 1",
        "align: (3.0, 4.0); expected two numbers from 0 to 1",
    ]
    assert size_of(session) == (64, 48)


def test_a_large_world_is_made_only_if_it_is_wanted_and_one_that_does_not_fit_never(
    session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gpufluid.viewer.new_world.LARGE", 500)
    page = session.page()
    page.act("ask_new")
    page.act("choose", width=30, height=30, rules="matter")
    page.act("confirm")
    session.turn()
    assert page.told["dialog"]["large"]
    assert "such a world runs slowly" in page.errors[-1]
    page.act("choose", large=True)
    page.act("choose", width=40)  # another size has to be wanted anew
    session.turn()
    assert not page.told["dialog"]["wanted"]
    page.act("choose", large=True)
    page.act("confirm")
    session.turn()
    assert size_of(session) == (40, 30)
    monkeypatch.setattr("gpufluid.viewer.new_world.shortage", lambda *_: "a world needs more memory than there is")
    page.act("ask_resize")
    page.act("choose", width=41)
    page.act("choose", large=True)
    page.act("confirm")
    session.turn()
    assert page.errors[-1] == page.told["dialog"]["problem"] == "A world needs more memory than there is."
    assert size_of(session) == (40, 30)


def test_a_page_without_the_brush_opens_and_makes_nothing(session) -> None:
    painter, watcher = session.page("painter"), session.page("watcher")
    painter.act("ask_new")
    for name in ("ask_open", "ask_new", "ask_resize", "confirm", "request_first", "close_dialog"):
        watcher.act(name)
    watcher.act("request_open", name="alpha.npz")
    session.turn()
    assert len([text for text in watcher.errors if "this page has no brush" in text]) == len(watcher.errors) == 7
    assert painter.told["dialog"]["kind"] == "new"
    watcher.say("brush")
    session.turn()
    assert painter.told["dialog"] is None
    painter.say("brush")
    session.turn()
    assert painter.told["dialog"] is None, "its dialog was closed"


def test_a_picture_is_opened_and_its_colours_get_other_materials(session, folder: Path) -> None:
    pixels = np.full((6, 8, 3), 255, np.uint8)
    pixels[3:] = (217, 185, 106)
    save_picture(pixels, folder / "drawn.png")
    page = session.page()
    page.act("request_open", name="drawn.png")
    session.turn()
    found = page.facts_said["picture"]
    assert (size_of(session), found["every"], found["words"]) == ((8, 6), 1, "drawn.png: 8 x 6 pixels, 8 x 6 cells")
    number = next(number for number, group in enumerate(found["groups"]) if group["material"] == "sand")
    page.act("picture_material", group=number, name="stone")
    session.turn()
    assert session.viewer.sim.read().census()["stone"] == 24
    assert page.facts_said["picture"]["groups"][number]["material"] == "stone"
    page.act("picture_pixels", every=2)
    session.turn()
    assert size_of(session) == (4, 3)
    page.act("request_open", name="alpha.npz")
    session.turn()
    assert page.facts_said["picture"] is None
