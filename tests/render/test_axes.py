"""Plots of worlds of all shapes: no label is longer than its axis, nothing is cut off, and matplotlib never warns."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from support.selection import mostly_long

from gpufluid.matter.mixtures import SHIPPED
from gpufluid.render.axes import show_in_axes
from gpufluid.rules import RULES, Overlay, overlays_of

mpl = pytest.importorskip("matplotlib", reason="of the extra plot")
mpl.use("agg")
from matplotlib import pyplot as plt  # noqa: E402

OVERLAYS = {name: overlay for name, (_, overlay) in overlays_of(tuple(RULES), SHIPPED.names).items()}
LONGEST = max((o for o in OVERLAYS.values() if not o.lines), key=lambda overlay: len(overlay.label))
SHAPES = [(1, 1), (96, 256), (256, 96), (4096, 16), (16, 4096), (4096, 1), (1, 4096), (160, 84)]


@pytest.fixture(autouse=True)
def strict() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    plt.close("all")


def shown(cells: tuple[int, int], overlay: Overlay | None, ax=None):
    return show_in_axes(np.zeros((3, 4, 3), np.uint8), cells, ax, overlay, (0.001, 12345.0))


def axes_of(figure) -> list:
    figure.canvas.draw()
    return [each for ax in figure.axes for each in (ax, *ax.child_axes)]


def check_lengths(figure) -> None:
    """Check that no label of a figure is longer than its axis."""
    for ax in axes_of(figure):
        axis = ax.get_window_extent()
        across, down = ax.xaxis.label.get_window_extent(), ax.yaxis.label.get_window_extent()
        assert across.width <= axis.width, ax.get_xlabel()
        assert down.height <= axis.height, ax.get_ylabel()


@pytest.mark.parametrize("cells", mostly_long(SHAPES, (96, 256), (4096, 16), why="another shape"), ids=str)
def test_no_label_is_longer_than_its_axis(cells: tuple[int, int]) -> None:
    ax = shown(cells, LONGEST)
    check_lengths(ax.figure)
    whole, size = ax.figure.get_tightbbox(), ax.figure.get_size_inches()
    assert (whole.x0 >= 0, whole.y0 >= 0, whole.x1 <= size[0], whole.y1 <= size[1]) == (True,) * 4
    (bar,) = ax.child_axes
    world, beside = ax.get_window_extent(), bar.get_window_extent()
    assert max(world.width, world.height) == pytest.approx(max(beside.width, beside.height))
    assert max(world.width, world.height) > 4.9 * ax.figure.dpi
    assert min(world.width, world.height) > 0.59 * ax.figure.dpi
    if max(cells) <= 8 * min(cells):
        assert world.width / world.height == pytest.approx(cells[0] / cells[1])


@pytest.mark.long("draws a figure for each overlay; the short run has the longest label")
@pytest.mark.parametrize("name", OVERLAYS)
def test_no_label_of_any_overlay_is_longer_than_its_axis(name: str) -> None:
    for cells in ((256, 96), (16, 4096)):
        check_lengths(shown(cells, OVERLAYS[name]).figure)


@pytest.mark.long("draws figures of several plots; the short run has one plot")
@pytest.mark.parametrize("layout", ["constrained", "tight", None])
def test_labels_in_axes_of_the_caller_are_fitted_each_time_the_figure_is_drawn(layout: str | None) -> None:
    figure, both = plt.subplots(1, 2, layout=layout, figsize=(9, 4))
    for ax, cells in zip(both, ((96, 256), (256, 96)), strict=True):
        shown(cells, LONGEST, ax).set_title("title")
    check_lengths(figure)
    (bar,) = both[0].child_axes
    before = bar.get_ylabel()
    figure.set_size_inches(5, 2)
    check_lengths(figure)
    assert bar.get_ylabel() != before
    figure.set_size_inches(30, 20)
    axes_of(figure)
    check_lengths(figure)
    assert bar.get_ylabel() == LONGEST.label
    bar.set_ylabel("a name of the caller")
    axes_of(figure)
    assert bar.get_ylabel() == "a name of the caller"


@pytest.mark.long("draws a figure; the short run has those of other axes")
def test_a_plot_in_a_part_of_a_figure() -> None:
    upper, _ = plt.figure(layout="constrained").subfigures(2, 1)
    check_lengths(shown((40, 30), LONGEST, upper.subplots()).figure.figure)
