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
    from matplotlib.cm import ScalarMappable

    width, height = cells
    if ax is None:
        _, ax = plt.subplots(figsize=_size_of_figure(width, height), layout="constrained")
    ax.imshow(picture, extent=(0, width, height, 0), interpolation="nearest")
    ax.set_xlabel("column")
    ax.set_ylabel("row")
    if overlay is not None and not overlay.lines:
        colours = ScalarMappable(_norm(overlay, *span), _colour_map(overlay))
        ax.figure.colorbar(colours, cax=ax.inset_axes((1.03, 0, 0.03, 1)), label=overlay.label)  # as high as the world
    return ax


def _size_of_figure(width: int, height: int) -> tuple[float, float]:
    """(width, height) in inches for a world: 7 wide, or 5 high if the world is high."""
    scale = min(7 / width, 5 / height)
    return max(width * scale, 3), max(height * scale, 2)


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
