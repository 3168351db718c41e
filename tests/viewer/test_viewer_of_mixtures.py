"""The viewer without a window, with rules mixture and pressure: painted water levels out; edits are undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.views import pixels_of

from gpufluid import FULL, World
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer: a U-tube of water at rest, walled off from the empty rest of a world of 80 x 48 cells."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    world = World(48, 80, ("mixture", "pressure"), seed=3)
    world["material"][5:40, [5, 20, 35]] = world["material"][39, 5:36] = world.materials["wall"]
    world["material"][36:39, 20] = 0
    world["mixture"][world.mixture["water"], 25:39, 6:35] = FULL
    world["mixture"][:, world.solid] = 0
    viewer = Viewer(world, source="arms", window=(640, 384))
    viewer.clock.paused = True
    yield viewer
    viewer.close()


def level(viewer: Viewer, columns: slice) -> float:
    """Median over columns of the amount of water in a column, in cells."""
    world = viewer.sim.read()
    water = world["mixture"][world.mixture["water"], :39, columns]
    return float(np.median(water.sum(axis=0)) / FULL)


def poured(viewer: Viewer) -> None:
    """Pour twelve rows of water into the left arm, and run until the arms are level."""
    viewer.do("material", name="water")
    viewer.do("rectangle", start=(6, 10), end=(19, 21))
    viewer.do("step", ticks=120)


def test_palette_lists_the_materials_of_the_mixture(viewer: Viewer) -> None:
    assert set(viewer.sim.blank.mixture.names) <= set(viewer.materials)
    assert "wall" in viewer.materials
    assert "oil" not in viewer.materials


def test_water_poured_into_one_arm_of_a_u_tube_levels_in_both(viewer: Viewer) -> None:
    viewer.do("step", ticks=20)
    assert viewer.sim.settled
    poured(viewer)
    left, right = level(viewer, slice(6, 20)), level(viewer, slice(21, 35))
    assert right > 16
    assert abs(left - right) < 0.3


def test_undo_redo_rewind_and_reset_restore_exact_digests(viewer: Viewer) -> None:
    first = viewer.sim.digest()
    viewer.do("step", ticks=9)
    before = viewer.sim.digest()
    poured(viewer)
    after = viewer.sim.digest()
    viewer.do("back_before_edit")
    assert viewer.sim.digest() == before
    viewer.do("redo")
    assert viewer.sim.digest() == after
    viewer.do("rewind", ticks=60)
    viewer.do("step", ticks=60)
    assert viewer.sim.digest() == after
    viewer.do("reset")
    assert viewer.sim.digest() == first


def test_overlays_are_drawn_and_bodies_have_different_colours(viewer: Viewer) -> None:
    viewer.do("material", name="water")
    viewer.do("rectangle", start=(50, 40), end=(70, 47))  # a second body
    viewer.do("step", ticks=30)
    before = viewer.sim.digest()
    for overlay in viewer.overlays:
        viewer.do("overlay", name=overlay.name)
        assert viewer.picture().size == (640, 384)
    assert {"bodies", "total", "water"} <= {overlay.name for overlay in viewer.overlays}
    viewer.do("overlay", name="bodies")
    seen = pixels_of(viewer)
    pixels = (place(viewer, cell) for cell in CELLS)
    left, right, apart, dry = (tuple(seen[int(y), int(x)].tolist()) for x, y in pixels)
    assert left == right
    assert len({left, apart, dry}) == 3
    assert viewer.sim.digest() == before


CELLS = ((10, 35), (30, 35), (60, 47), (60, 5))
"""A cell of the left arm, of the right arm, of the other body, and of no body."""


def place(viewer: Viewer, cell: tuple[int, int]) -> tuple[float, float]:
    return viewer.camera.pixel_of((cell[0] + 0.5, cell[1] + 0.5))


def test_the_inspector_has_a_line_for_each_material(viewer: Viewer) -> None:
    said = dict(viewer.inspect(place(viewer, (10, 35))))
    assert said["water"] == f"1.0000 cells ({FULL} units)"
    assert said["ice"] == "0.0000 cells (0 units)"
