"""The whole world in a window: New, Clear, Resize, a rule that is added, and a scene that is saved and opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.desktop import SEARCH, Program
from support.patience import wait_until

import gpufluid

View = Callable[..., Program]

ADD_RULE = (60, 361)
"""The button below the search of the palette that adds a rule, where the search finds only grey materials."""


def paused(view: View, *words: object) -> Program:
    program = view(*words)
    program.press("p")
    program.settle()
    return program


@pytest.mark.long("a window; test_whole_world.py has the actions")
def test_new_clear_resize_and_undo_by_keys(view: View) -> None:
    program = paused(view)
    program.press("ctrl+n")
    program.settle()
    program.write("120")
    program.press("tab")
    program.write("80")
    program.press("enter")
    program.settle()
    world = program.world()
    assert (world.width, world.height, set(world.census())) == (120, 80, {"wall"})
    program.press("2")
    program.click((700, 350))
    program.settle()
    painted = program.world()
    assert painted.census()["sand"] > 0
    program.press("ctrl+shift+n")
    program.settle()
    program.write("160")
    program.press("enter")
    program.settle()
    world = program.world()
    assert (world.width, world.height, world.census()["sand"]) == (160, 80, painted.census()["sand"])
    program.press("ctrl+delete")
    assert set(program.world().census()) == {"wall"}
    program.press("ctrl+z", "ctrl+z")
    assert program.world().digest() == painted.digest()


@pytest.mark.long("a window; test_world_dialogs.py has the dialog")
def test_a_new_world_asks_first_if_changes_would_be_lost(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press("1")
    program.click((640, 300))
    program.settle()
    program.press("ctrl+n")
    program.settle()
    program.press("enter")
    program.settle()
    program.press("escape")  # stay
    program.settle()
    assert program.world().width == 96
    program.press("ctrl+n")  # it is saved now
    program.settle()
    program.press("enter")
    program.settle()
    assert program.world().width == 320


def test_one_click_adds_the_rule_that_a_grey_material_needs(view: View, marked: Path) -> None:
    program = paused(view, marked)
    assert "reactions" not in program.world().rules
    program.click(SEARCH)
    program.settle()
    program.write("cloner")
    program.settle()
    program.click(ADD_RULE)
    program.settle()
    program.click((640, 790))  # ends the input of text
    program.settle()
    assert {"heat", "reactions"} <= set(program.world().rules)


@pytest.mark.long("two windows; test_whole_world.py has the actions")
def test_a_world_saved_as_a_scene_is_opened_with_equal_digest(view: View, marked: Path) -> None:
    program = paused(view, marked)
    program.press(".", ".")
    program.settle()
    scene = program.made(".toml", lambda: program.press("ctrl+shift+s"))
    wait_until(lambda: scene.with_suffix(".npz").exists(), "the snapshot beside the scene")
    world = program.world()
    assert world.tick > 0
    assert gpufluid.load(scene).digest() == world.digest()
    again = paused(view, scene)
    assert again.world().tick >= world.tick
