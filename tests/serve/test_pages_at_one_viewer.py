"""Several pages at one world: who paints, with which tool, in which view; and one log that gives the same world."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from gpufluid import World
from gpufluid.serve.loop import LEAST_SECONDS, TURN_SECONDS
from gpufluid.serve.mailbox import FULL, TAKEN
from gpufluid.serve.session import OTHER_STROKE
from gpufluid.viewer import replay
from gpufluid.viewer.tool import PANELS

Tables = Callable[..., "Table"]  # noqa: F821  of conftest


def stroke(page, *pixels: tuple[int, int], button: str = "left") -> None:
    first, *others = pixels
    page.say("press", button=button, x=first[0], y=first[1])
    for x, y in others:
        page.say("move", x=x, y=y)
    page.say("release", button=button, x=pixels[-1][0], y=pixels[-1][1])


def is_replayed(table) -> bool:
    """Whether a replay of the log gives the world of the table, by its digest."""
    viewer = table.viewer
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    try:
        return again.sim.digest() == viewer.sim.digest()
    finally:
        again.close()


def cells(table, name: str) -> int:
    return table.viewer.sim.read().census().get(name, 0)


@pytest.mark.usefixtures("device")
def test_a_stroke_is_painted_undone_and_replayed(table: Tables) -> None:
    """Paint, run, undo, rewind, go back to before the stroke: by the same named actions and keys as in the window."""
    session = table()
    page = session.page()
    page.say("size", width=512, height=384)
    page.act("material", name="sand")
    stroke(page, (100, 100), (300, 120))
    session.turn()
    laid = cells(session, "sand")
    assert laid > 100
    page.say("key", chord="ctrl+z")
    session.turn()
    assert cells(session, "sand") == 0
    page.say("key", chord="ctrl+y")
    page.act("step", ticks=10)
    session.turn()
    assert (session.viewer.sim.tick, cells(session, "sand")) == (10, laid)
    page.say("key", chord="ctrl+z")
    session.turn()
    assert (session.viewer.sim.tick, cells(session, "sand")) == (0, 0), "the sand has fallen"
    assert page.told["gone_back"]
    page.act(page.notes[-1]["offer"]["action"])
    session.turn()
    assert session.viewer.sim.tick == 10
    assert not page.told["gone_back"]
    page.say("key", chord="ctrl+y")
    page.act("rewind", ticks=4)
    page.say("key", chord="ctrl+alt+z")
    session.turn()
    assert (session.viewer.sim.tick, cells(session, "sand")) == (0, 0)
    page.act("reset")
    session.turn(2)
    assert is_replayed(session)
    assert page.told["digest"] == {"tick": 0, "text": session.viewer.sim.digest()}
    assert page.told["actions"] == len(session.viewer.log) > 0


def test_only_the_page_with_the_brush_changes_the_world(table: Tables) -> None:
    session = table()
    painter, watcher = session.page("painter"), session.page("watcher")
    for page in (painter, watcher):
        page.say("size", width=640, height=480)
        page.act("material", name="sand")
    before = session.viewer.sim.digest()
    stroke(watcher, (100, 100), (300, 120))
    for name in ("clear", "step", "save", "overlay"):
        watcher.act(name)
    watcher.say("key", chord="r")
    session.turn()
    assert session.viewer.sim.digest() == before
    assert [painter.told["brush"], watcher.told["brush"], watcher.told["taken"]] == [True, False, True]
    assert "clear: this page has no brush; take it first" in [note["text"] for note in watcher.notes]
    assert painter.notes == []
    watcher.say("brush")
    watcher.act("material", name="sand")
    stroke(watcher, (100, 100), (300, 120))
    session.turn()
    assert cells(session, "sand") > 40
    assert not painter.told["brush"]


def test_the_brush_is_not_taken_in_the_middle_of_a_stroke(table: Tables) -> None:
    session = table()
    painter, watcher = session.page("painter"), session.page("watcher")
    painter.say("press", x=100, y=100)
    watcher.say("brush")
    session.turn()
    assert painter.told["brush"]
    assert "the brush is in use" in watcher.notes[-1]["text"]
    painter.go()  # the connection breaks: the brush is lifted, and the next page that asks gets it
    watcher.say("brush")
    session.turn()
    assert watcher.told["brush"]


@pytest.mark.usefixtures("device")
def test_all_paint_at_once_each_with_its_own_tool_and_the_log_gives_the_same_world(table: Tables) -> None:
    """Two held brushes alternate in every tick; a replay, which knows of no pages, comes to the same digest."""
    session = table(shared=True)
    first, second = session.page("first page"), session.page("second page")
    for page, material, size in ((first, "sand", 3), (second, "water", 6)):
        page.say("size", width=512, height=384)
        page.act("material", name=material)
        page.act("brush_size", cells=size)
    session.turn()
    assert [page.told["tool"]["material"] for page in (first, second)] == ["sand", "water"]
    first.say("press", x=100, y=60)
    second.say("press", x=400, y=60)
    first.act("pause")
    session.turn(5)
    first.say("move", x=140, y=60)
    second.say("move", x=340, y=80)
    session.turn(5)
    first.say("release", x=140, y=60)
    second.say("release", x=340, y=80)
    second.act("step", ticks=3)
    session.turn()
    assert min(cells(session, "sand"), cells(session, "water")) > 20
    strokes = [entry.arguments["points"][0][0] < 32 for entry in session.viewer.log if entry.name == "paint"]
    assert sum(here != there for here, there in itertools.pairwise(strokes)) > 6, "they alternate"
    first.say("key", chord="ctrl+z")
    session.turn()
    assert is_replayed(session)


def test_a_stroke_of_replace_ends_when_somebody_else_paints(table: Tables) -> None:
    """Which material it replaces was found out at its start; going on would replace another one."""
    session = table(shared=True)
    first, second = session.page("first page"), session.page("second page")
    for page in (first, second):
        page.say("size", width=512, height=384)
    first.act("tool", mode="replace")
    first.say("press", x=100, y=60)
    stroke(second, (400, 60), (400, 90))
    first.say("move", x=200, y=60)
    session.turn()
    assert first.notes[-1]["text"] == OTHER_STROKE
    assert session.session.clients["first page"].pointer.drag is None


def test_each_page_has_its_own_view_and_panels(table: Tables) -> None:
    session = table()
    painter, watcher = session.page("painter"), session.page("watcher")
    painter.say("size", width=640, height=480)
    watcher.say("size", width=200, height=100)
    session.turn()
    clients = session.session.clients
    fitted = clients["painter"].camera.scale
    watcher.act("zoom", steps=2)
    watcher.act("pan", x=10, y=5)
    watcher.say("wheel", steps=1, x=30, y=30)
    watcher.act("panel", name="statistics")
    watcher.say("press", x=50, y=50)
    watcher.say("move", x=60, y=50)
    session.turn()
    assert clients["painter"].camera.scale == fitted
    assert clients["painter"].camera.fitted
    assert not clients["watcher"].camera.fitted
    assert clients["watcher"].pointer.drag == "pan", "without the brush a drag moves the view"
    assert (painter.told["panels"], watcher.told["panels"]) == ([], ["statistics"])
    assert session.viewer.panels["statistics"], "the viewer measures what a page shows"
    watcher.act("fit")
    session.turn()
    assert clients["watcher"].camera.fitted


def test_a_page_sees_the_cell_under_its_pointer(table: Tables) -> None:
    world = World(48, 64, ("atoms",))
    world["material"][10, 20] = world.materials["stone"]
    session = table(world)
    page = session.page()
    page.say("size", width=640, height=480)
    page.act("panel", name="inspector")
    x, y = session.session.clients["first"].camera.pixel_of((20.5, 10.5))
    page.say("move", x=x, y=y)
    session.turn()
    assert page.told["cell"][:2] == [["cell", "20, 10"], ["material", "stone (solid)"]]


def test_a_page_that_comes_back_has_its_view_and_the_world_stood_still(table: Tables) -> None:
    session = table()
    page = session.page("comes back")
    page.say("size", width=512, height=384)
    page.act("material", name="sand")
    page.act("pause")
    page.say("press", x=100, y=60)
    session.turn(5)
    page.go()
    session.turn()
    session.viewer.sim.finish()  # a tick may be in progress
    left = session.viewer.sim.tick, session.viewer.sim.digest()
    session.turn(20)
    assert (session.viewer.sim.tick, session.viewer.sim.digest()) == left
    again = session.page("comes back")
    assert again.told["tool"]["material"] == "sand"
    assert again.told["brush"]
    assert again.facts_said["title"] == "pond"
    session.turn(2)
    assert session.viewer.sim.tick > left[0], "time goes on"
    assert session.session.clients["comes back"].pointer.drag is None, "the held brush was lifted"
    assert page.states[-1]["tick"] <= left[0], "nothing is sent to the broken connection"


def test_a_tunnel_that_breaks_leaves_the_brush_where_it_was(table: Tables) -> None:
    """All pages come back, the one with the brush not first; only a new page takes the brush of one that is away."""
    session = table()
    painter, watcher = session.page("painter"), session.page("watcher")
    for page in (painter, watcher):
        page.go()
    watcher.arrive()
    session.turn()
    assert [watcher.told["brush"], watcher.told["taken"]] == [False, False]
    painter.arrive()
    session.turn()
    assert [painter.told["brush"], watcher.told["brush"]] == [True, False]
    painter.go()
    session.turn()
    assert session.page("new").told["brush"]


def test_the_copy_of_a_tab_ends_the_connection_of_the_first(table: Tables) -> None:
    """Both have one name: the first is told so, and does not stand still without a word."""
    session = table()
    first = session.page("of both")
    second = session.page("of both")
    first.say("brush")
    first.go()
    session.turn()
    assert (first.ends, second.ends) == ([TAKEN], [])
    assert second.told["people"] == 1
    assert second.told["brush"]


def test_too_many_pages_are_refused(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.serve.session.CLIENTS_MOST", 1)
    session = table()
    first, second = session.page("first"), session.page("second")
    assert (first.ends, second.ends) == ([], [FULL])
    first.go()
    session.turn()
    assert session.page("third").told["people"] == 1


def test_a_page_has_the_keys_of_what_it_can_do_and_no_others(table: Tables) -> None:
    """F4 and F6 close panels that a page always has, and the browser has Ctrl+N."""
    page = table().page()
    keys, rows = page.facts_said["keys"], [row for part in page.facts_said["help"] for row in part["rows"]]
    panels = {given["name"] for name, given in keys.values() if name == "panel"}
    assert panels == {"help", "inspector", "statistics", "overlays", "scenes"}
    assert keys.keys().isdisjoint({"f4", "f6", "ctrl+n"})
    assert keys["space"][0] == "pause"
    assert [about for _, about in rows if about.startswith("Open or close: ")] == [
        f"Open or close: {PANELS[name]}." for name in ("help", "inspector", "statistics", "overlays", "scenes")
    ]


def test_a_full_log_takes_no_further_action(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while a brush is held, which acts by itself; time goes on, and the log still gives the world."""
    monkeypatch.setattr("gpufluid.serve.session.ACTIONS_MOST", 40)
    session = table(shared=True)
    page = session.page()
    page.say("size", width=512, height=384)
    page.act("material", name="sand")
    page.act("pause")
    page.say("press", x=100, y=60)
    session.turn(60)
    full = len(session.viewer.log)
    assert 20 < full <= 40 < session.viewer.sim.tick
    page.say("release", x=100, y=60)
    stroke(page, (200, 60), (220, 60))
    session.turn()
    other = session.page("second")
    other.act("material", name="water")
    stroke(other, (200, 60), (220, 60))
    session.turn()
    assert len(session.viewer.log) == full  # nor the tools of pages
    assert "the log of this world is full: 40 actions" in page.notes[-1]["text"]
    assert is_replayed(session)


def test_a_stroke_that_waited_is_an_edit_of_its_own(table: Tables) -> None:
    """It comes between two parts of a held stroke of another page: the second part is not added to its edit."""
    session = table(shared=True)
    first, second = session.page("first"), session.page("second")
    for page in (first, second):
        page.say("size", width=512, height=384)
        page.act("material", name="sand")
    first.say("press", x=100, y=60)
    session.turn()
    session.viewer.sim.step(1)
    session.session.clients["second"].pointer._waiting = [("paint", {"points": [(50, 5)], "mode": "paint"})]
    session.viewer.pointer.act_while_held()
    last = [entry.arguments for entry in session.viewer.log if entry.name == "paint"][-2:]
    assert last[0]["points"] == [(50, 5)]
    assert last[1]["held"]
    assert not last[1]["more"]
    first.say("release", x=100, y=60)
    session.turn()
    assert is_replayed(session)


def test_the_statistics_are_sent_once_a_second_and_only_to_a_page_that_shows_them(table: Tables) -> None:
    session = table()
    page, other = session.page("first"), session.page("second")
    page.act("panel", name="statistics")
    page.act("pause")
    session.turn(32, seconds=0.125)
    assert 2 <= len(page.statistics_said) <= 5
    assert {"ticks", "plots", "passes"} <= page.statistics_said[-1].keys()
    assert other.statistics_said == []


def test_a_file_that_cannot_be_written_is_told_without_the_path_of_the_folder(table: Tables, tmp_path: Path) -> None:
    session = table()
    page = session.page()
    (tmp_path / "files").rmdir()
    for name in ("screenshot", "save", "save_scene", "record"):
        page.act(name)
    session.turn()
    told = [note["text"] for note in page.notes]
    assert [text.partition(":")[0] for text in told] == ["pond_0.png", "pond_0.npz", "pond_0.toml", "pond_0.mp4"]
    assert str(tmp_path) not in str(told)


def test_the_time_of_a_turn_is_part_of_the_time_between_two(table: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    session = table()
    session.page().act("pause")
    session.turn()
    session.viewer.sim.finish()  # a turn comes at once while a tick is in progress

    def advance(_: float) -> None:
        session.now += 0.01

    monkeypatch.setattr(session.session, "advance", advance)
    assert session.loop.turn(0) == pytest.approx(TURN_SECONDS - 0.01)
    monkeypatch.setattr(session.session, "advance", lambda now: advance(now) or advance(now))
    assert session.loop.turn(0) == LEAST_SECONDS


def test_files_get_unused_names_in_the_folder_and_only_these_can_be_fetched(table: Tables, tmp_path: Path) -> None:
    session = table()
    page = session.page()
    for name in ("screenshot", "save", "save", "save_scene"):
        page.act(name)
    page.act("save", path="/tmp/elsewhere.npz")
    page.act("screenshot", path="../elsewhere.png")
    session.turn()
    made = sorted(path.name for path in (tmp_path / "files").iterdir())
    assert made == sorted(session.session.folder.made) == sorted(page.told["files"])
    assert {"pond_0.npz", "pond_0.png", "pond_0_2.npz", "pond_0_3.toml"} <= set(made)
    assert [note["name"] for note in page.notes if note["type"] == "file"][:3] == [
        "pond_0.png",
        "pond_0.npz",
        "pond_0_2.npz",
    ]
    refused = [note["text"] for note in page.notes if note.get("kind") == "error"]
    assert refused == ["save: path: Extra inputs are not permitted", "screenshot: path: Extra inputs are not permitted"]
    assert not any(str(tmp_path) in str(note) for note in page.notes), "no page is told where the folder is"


@pytest.mark.long("of a whole film")
def test_a_film_is_recorded_and_offered(table: Tables, tmp_path: Path) -> None:
    session = table()
    page = session.page()
    page.act("record", ending=".gif")
    page.act("step", ticks=20)
    session.turn()
    assert page.told["recording"]
    page.act("record")
    session.turn()
    assert page.notes[-1] == {"type": "file", "name": "pond_0.gif"}
    assert (tmp_path / "files" / "pond_0.gif").read_bytes()[:4] == b"GIF8"
