"""The brush lays parts of a cell, and mixes them with what is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.scenes import assert_balanced

from gpufluid import FULL, World
from gpufluid.core.errors import UsageError
from gpufluid.viewer.viewer import Viewer, replay

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture(params=[False, True], ids=["each its own room", "shared room"])
def viewer(request: pytest.FixtureRequest) -> Iterator[Viewer]:
    """A paused viewer: water fills columns 0 to 19 of 40, half of it columns 20 to 29; a wall at column 5."""
    world = World(16, 40, ("mixture",), parameters={"mixture": {"exclusive": request.param}}, seed=3)
    water = world["mixture"][world.mixture["water"]]
    water[:, :20], water[:, 20:30] = FULL, FULL // 2
    water[:, 5], world["material"][:, 5] = 0, world.materials["wall"]
    viewer = Viewer(world, window=(400, 160))
    viewer.clock.paused = True
    viewer.do("material", name="sand")
    yield viewer
    viewer.close()


def held(viewer: Viewer, material: str, cell: tuple[int, int]) -> float:
    """The amount in a cell, in full cells."""
    world = viewer.sim.read()
    return int(world["mixture"][world.mixture[material], cell[1], cell[0]]) / FULL


def test_a_brush_lays_its_part_of_a_cell_and_replaces_the_rest(viewer: Viewer) -> None:
    first = viewer.sim.read()
    viewer.do("amount", cells=0.25)
    viewer.do("over_walls")
    viewer.do("rectangle", start=(2, 2), end=(35, 4))
    for column in (2, 5, 12, 25, 35):
        assert held(viewer, "sand", (column, 3)) == 0.25
        assert held(viewer, "water", (column, 3)) == 0
    assert not viewer.sim.read()["material"][3].any()
    assert_balanced(first, viewer.sim.read())


def test_mixing_leaves_what_is_there_as_far_as_there_is_room(viewer: Viewer) -> None:
    shared = viewer.sim.blank.parameters["mixture"]["exclusive"]
    first = viewer.sim.read()
    viewer.do("amount", cells=0.25)
    viewer.do("mix")
    viewer.do("rectangle", start=(2, 2), end=(35, 4))
    assert [held(viewer, "sand", (column, 3)) for column in (2, 5, 12, 25, 35)] == [0.25, 0, 0.25, 0.25, 0.25]
    assert [held(viewer, "water", (column, 3)) for column in (12, 25, 35)] == [0.75 if shared else 1, 0.5, 0]
    assert viewer.sim.read()["material"][3, 5] == first.materials["wall"]
    viewer.do("rectangle", start=(2, 2), end=(35, 4))
    assert held(viewer, "sand", (12, 3)) == 0.25, "laid again it is as much as before"
    viewer.do("material", name="water")
    viewer.do("amount", cells=1.0)
    viewer.do("rectangle", start=(2, 2), end=(35, 4))
    assert held(viewer, "water", (35, 3)) == 1
    assert held(viewer, "sand", (35, 3)) == (0 if shared else 0.25)
    now = viewer.sim.read()
    now.validate()
    assert_balanced(first, now)


def test_a_held_brush_lays_its_amount(viewer: Viewer) -> None:
    viewer.do("amount", cells=0.125)
    viewer.do("pour_rate", share=1.0)
    viewer.do("brush_size", cells=1)
    viewer.pointer.press("left", *viewer.camera.pixel_of((35.5, 3.5)))
    viewer.run_to(20)
    poured = viewer.sim.contents()["sand"] / FULL
    viewer.pointer.release("left", *viewer.camera.pixel_of((35.5, 3.5)))
    assert 5 * 0.125 <= poured <= 21 * 0.125
    again = replay(viewer.first, viewer.log, viewer.sim.tick)
    assert again.sim.digest() == viewer.sim.digest()
    again.close()


def test_erasing_takes_everything_whatever_the_amount_is(viewer: Viewer) -> None:
    viewer.do("amount", cells=0.25)
    viewer.do("mix", on=True)
    viewer.do("paint", points=[(12, 8)], mode="erase")
    assert not viewer.sim.read()["mixture"][:, 8, 12].any()


def test_water_by_mass_is_laid_in_parts_of_a_cell() -> None:
    viewer = Viewer(World(8, 8, ("flow",)), window=(80, 80))
    viewer.do("material", name="water")
    viewer.do("amount", cells=0.3)
    viewer.do("fill", at=(2, 2))
    np.testing.assert_array_equal(viewer.sim.read()["mass"], round(0.3 * FULL))
    viewer.close()


@pytest.mark.parametrize("cells", [-0.1, 1.01, float("nan"), "half", True])
def test_an_amount_that_no_cell_holds_is_refused(viewer: Viewer, cells: object) -> None:
    with pytest.raises(UsageError, match=r"amount: .*; expected 0 to 1 cells"):
        viewer.do("amount", cells=cells)
