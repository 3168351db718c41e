"""Emitters that are dragged out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gpufluid import World
from gpufluid.viewer.viewer import Viewer

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture
def viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Viewer]:
    """A paused viewer of an empty world without gravity, 96 x 64 cells."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer = Viewer(World(64, 96, ("atoms",), gravity="off", edges="open"), window=(960, 640))
    viewer.clock.paused = True
    viewer.do("material", name="water")
    viewer.do("tool", mode="emitter")
    yield viewer
    viewer.close()


def drag(viewer: Viewer, start: tuple[int, int], end: tuple[int, int]) -> None:
    """A drag between two cells; four cells are a speed of one cell a tick."""
    first, last = (viewer.camera.pixel_of((x + 0.5, y + 0.5)) for x, y in (start, end))
    viewer.pointer.press("left", *first)
    viewer.pointer.release("left", *last)


@pytest.mark.parametrize("size", [1, 3, 5])
@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (1, 1), (-1, 0.5)])
def test_a_jet_has_no_gaps(viewer: Viewer, size: int, way: tuple[float, float]) -> None:
    viewer.do("brush_size", cells=size)
    drag(viewer, (48, 32), (48 + round(32 * way[0]), 32 + round(32 * way[1])))
    viewer.do("step", ticks=4)
    there = viewer.sim.read()["material"] != 0
    axis = 0 if way[0] else 1
    line = there.any(axis=axis)
    reached = np.flatnonzero(line)
    assert reached[-1] - reached[0] > 16
    assert line[reached[0] : reached[-1] + 1].all()


def test_a_slow_emitter_is_a_square_and_one_at_rest_too(viewer: Viewer) -> None:
    viewer.do("brush_size", cells=5)
    drag(viewer, (48, 32), (56, 32))
    drag(viewer, (20, 32), (20, 32))
    assert len(viewer.sim.blank.emitters) == 2


def test_a_jet_is_removed_and_taken_back_as_one(viewer: Viewer) -> None:
    viewer.do("brush_size", cells=1)
    drag(viewer, (20, 10), (52, 10))
    jet = viewer.sim.blank.emitters
    assert len(jet) == 8
    drag(viewer, (20, 40), (52, 40))
    other = viewer.sim.blank.emitters[8:]
    viewer.do("remove", at=(24, 10))
    assert viewer.sim.blank.emitters == other
    viewer.do("undo")
    assert viewer.sim.blank.emitters == (*jet, *other)
    viewer.do("undo")
    assert viewer.sim.blank.emitters == jet


def test_a_jet_out_of_the_world_ends_at_its_edge(viewer: Viewer) -> None:
    viewer.do("brush_size", cells=1)
    drag(viewer, (93, 10), (125, 10))
    assert [emitter.at for emitter in viewer.sim.blank.emitters] == [(93, 10), (94, 10), (95, 10)]
