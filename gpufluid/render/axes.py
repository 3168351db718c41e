"""Pictures of worlds in matplotlib's axes, with a colour bar for an overlay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpufluid.core.extras import require
from gpufluid.render.painter import colour_table
from gpufluid.rules import Overlay

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    from gpufluid.render.axis_labels import Label

_LARGEST = (7.0, 5.0)
"""The most width and height of a world in a figure of its own, in inches."""

_LEAST = (0.12, 0.1)
"""The least width and height of a world, as parts of its other side: beyond, its cells are drawn wider or higher."""

_GAP, _THICKNESS = 0.12, 0.15
"""Between the world and its colour bar, and of the bar, in inches."""

_EDGE = 0.1
"""Around all that is in a figure of its own, both sides together, in inches."""


def check_plot() -> None:
    """Raise MissingExtraError if matplotlib is not installed."""
    require("plot", "a plot")


def show_in_axes(
    picture: np.ndarray,
    cells: tuple[int, int],
    ax: Axes | None = None,
    overlay: Overlay | None = None,
    span: tuple[float, float] = (0.0, 1.0),
) -> Axes:
    """Show the picture of a world in axes whose units are cells, row 0 at the top.

    A colour bar lies along the longer side of the world. Where labels would be longer than their axis they are broken
    into lines, then made smaller, and in the end left out. Cells of a world that is over 10 times as wide as high are
    drawn higher than wide, and wider than high where it is over 8 times as high as wide: else nobody would see it.

    Args:
        picture: (rows, columns, 3) uint8, sRGB.
        cells: (width, height) of the world.
        ax: the axes; None: those of a new figure.
        overlay: the overlay that the picture shows; it gets a colour bar unless it draws lines.
        span: the values of the overlay's first and last colour.
    Returns: the axes.
    Raises: MissingExtraError: matplotlib is not installed.
    """
    check_plot()
    from matplotlib import pyplot as plt
    from matplotlib.figure import SubFigure
    from matplotlib.ticker import MaxNLocator

    from gpufluid.render.axis_labels import Label, ShortLabels

    width, height = cells
    aspect = min(max(width / height, _LEAST[0]), 1 / _LEAST[1])
    own = ax is None
    if ax is None:
        _, ax = plt.subplots(figsize=_size_of_world(aspect, np.full(2, 2.0)), layout="constrained")
    ax.imshow(picture, extent=(0, width, height, 0), interpolation="nearest", aspect=width / height / aspect)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10], integer=True))
    ax.set_xlabel("column")
    ax.set_ylabel("row")
    labels = [Label(ax.xaxis.label, "width"), Label(ax.yaxis.label, "height")]
    if overlay is not None and not overlay.lines:
        labels.append(_add_colour_bar(ax, overlay, span, lies=width > height))
    ShortLabels(ax, labels)
    figure = ax.figure.figure if isinstance(ax.figure, SubFigure) else ax.figure
    labels[-1].text.set_in_layout(False)  # as long as the length of its axis is not known
    figure.draw_without_rendering()
    labels[-1].text.set_in_layout(True)
    if own:
        _fit_figure(figure, ax, aspect)
    figure.draw_without_rendering()
    return ax


def _add_colour_bar(ax: Axes, overlay: Overlay, span: tuple[float, float], *, lies: bool) -> Label:
    """Add a colour bar as long as the world, above it or at its right. Returns the label of the bar."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.ticker import MaxNLocator
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    from gpufluid.render.axis_labels import Label

    corner = ScaledTranslation(*((0, 1) if lies else (1, 0)), ax.transAxes)  # pyright: ignore[reportArgumentType]
    inches = ax.figure.dpi_scale_trans + corner
    if lies:
        place = ax.inset_axes((0, _GAP, 1, _THICKNESS), transform=blended_transform_factory(ax.transAxes, inches))
    else:
        place = ax.inset_axes((_GAP, 0, _THICKNESS, 1), transform=blended_transform_factory(inches, ax.transAxes))
    colours = ScalarMappable(_norm(overlay, *span), _colour_map(overlay))
    # The even steps of linear values are close at the end of a square root's bar.
    ticks = MaxNLocator(5) if overlay.curve == "square root" else None
    bar = ax.figure.colorbar(colours, cax=place, ticks=ticks, label=overlay.label, location="top" if lies else "right")
    return Label(bar.ax.xaxis.label, "width") if lies else Label(bar.ax.yaxis.label, "height")


def _fit_figure(figure: Figure, ax: Axes, aspect: float) -> None:
    """Make a figure as large as its axes need whose world has the wanted size."""
    needed = ax.get_tightbbox()
    assert needed is not None
    world = ax.get_window_extent()
    sides = (needed.width - world.width) / figure.dpi, (needed.height - world.height) / figure.dpi
    figure.set_size_inches(_size_of_world(aspect, np.add(sides, _EDGE)))


def _size_of_world(aspect: float, beside: np.ndarray) -> tuple[float, float]:
    """(width, height) in inches of a world with this ratio of sides, and of what is beside it."""
    width = min(_LARGEST[0], _LARGEST[1] * aspect)
    return width + beside[0], width / aspect + beside[1]


def _colour_map(overlay: Overlay) -> Any:  # noqa: ANN401  matplotlib's type is not imported here
    from matplotlib.colors import ListedColormap

    return ListedColormap(colour_table(overlay)[:, :3] / 255)


def _norm(overlay: Overlay, low: float, high: float) -> Normalize:
    """The mapping of an overlay's values to its colours; the inverse of `legend.value_at`."""
    from matplotlib.colors import LogNorm, Normalize, PowerNorm

    match overlay.curve:
        case "logarithm":
            return LogNorm(low, high)
        case "square root":
            return PowerNorm(0.5, low, high)
    return Normalize(low, high)
