"""The favourites: what digits choose, and the file in which the user's own are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpufluid import World
from gpufluid.core.errors import UsageError
from gpufluid.viewer.favourites import DEFAULT, digit, favourites_file, read_favourites, write_favourites
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(World(16, 16, ("atoms",)), window=(160, 160))
    viewer.clock.paused = True
    yield viewer
    viewer.close()


def test_each_digit_has_a_favourite_and_each_is_a_shipped_material_or_the_eraser(viewer: Viewer) -> None:
    assert [digit(place) for place in range(10)] == list("1234567890")
    assert {*DEFAULT} - {"erase"} <= {record.name for record in viewer.sim.blank.materials}


def test_a_digit_chooses_its_material_and_the_brush(viewer: Viewer) -> None:
    viewer.press("0")
    assert viewer.tool.mode == "erase"
    viewer.press("2")
    assert (viewer.tool.mode, viewer.tool.material) == ("paint", "sand")
    viewer.do("tool", mode="line")
    viewer.press("3")
    assert (viewer.tool.mode, viewer.tool.material) == ("line", "stone"), "a line uses the material"


@pytest.mark.usefixtures("viewer")
def test_a_favourite_that_the_world_cannot_hold_is_said_and_not_chosen() -> None:
    pool = Viewer(World(16, 16, ("flow",)), window=(160, 160))
    pool.press("1")
    pool.press("6")
    assert pool.tool.material == "water"
    assert (
        pool.messages[-1].text == "6: oil needs rule atoms to do what it is for; the palette has a button that adds it"
    )
    pool.close()


def test_a_new_favourite_is_kept_for_the_next_session(viewer: Viewer) -> None:
    viewer.pointed_at = "snow"
    viewer.press("shift+4")
    viewer.do("set_favourite", place=0, name="erase")
    viewer.press("4")
    assert viewer.tool.material == "snow"
    later = Viewer(World(16, 16, ("atoms",)), window=(160, 160))
    assert later.favourites == ("erase", "sand", "stone", "snow", *DEFAULT[4:])
    later.close()


def test_without_a_material_under_the_pointer_no_favourite_changes(viewer: Viewer) -> None:
    viewer.press("shift+4")
    assert viewer.favourites == DEFAULT
    assert viewer.messages[-1].text == "Shift+4: point at a material of the palette"
    assert not favourites_file().exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"place": 10}, "favourite: place 10; expected 0 to 9"),
        ({"place": 1, "name": "sant"}, "favourite: 'sant'; did you mean 'sand'"),
    ],
)
def test_an_unknown_favourite_is_refused(viewer: Viewer, arguments: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        viewer.do("set_favourite", **arguments)
    assert viewer.favourites == DEFAULT


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("favourites = [", "cannot be read"),
        ('favourites = ["sand"]', "favourites: .*; expected 10 names of materials, or 'erase'"),
        ('favourites = ["", "", "", "", "", "", "", "", "", ""]', "favourites: ''; expected 10 names"),
        ("favourites = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]", "favourites: 1; expected 10 names"),
        ("", "favourites: None; expected 10 names"),
        ("favorites = []", "favorites: unknown key; expected only favourites"),
    ],
)
def test_an_invalid_file_of_favourites_is_an_error(error_in: Callable[..., str], text: str, said: str) -> None:
    assert re.search(said, error_in(read_favourites, text))


def test_any_name_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "new" / "favourites.toml"
    names = ('a "quoted" one', "back\\slash", "\N{SNOWMAN}", *DEFAULT[3:])
    write_favourites(file, names)
    assert read_favourites(file) == names
