"""Shows a world in a notebook: its laws, a picture, and a table of its content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from gpufluid.core import html
from gpufluid.core.errors import GpufluidError
from gpufluid.rules import Laws
from gpufluid.world.statistics import Statistics

PICTURE_SIDE = 640
"""The longest side of a picture in a notebook, in pixels."""

Draws = Callable[[Any], bytes]
"""Draws a world: the content of a PNG file. Raises: GpufluidError: it is invalid, or cannot be drawn here."""

_draws: list[Draws] = []


def draw_by(draws: Draws) -> None:
    """Set the function that draws worlds in notebooks. This room cannot draw; `gpufluid.public` sets a function."""
    _draws[:] = [draws]


def summary(title: str, laws: Laws, statistics: Statistics, draw: Callable[[], bytes | None]) -> str:
    """HTML with the laws of a world, its picture, and a table of what is in it.

    Args:
        title: begins the heading, which goes on with the size.
        laws: those of the world.
        statistics: of the state that is shown.
        draw: returns the picture, the content of a PNG file; None: no picture. If it raises GpufluidError, the message
            takes the place of the picture.
    """
    about = heading(title, laws)
    try:
        png = draw()
        picture = [] if png is None else [html.picture(png, f"{about}, tick {statistics.tick}")]
    except GpufluidError as error:
        picture = [html.note(f"no picture: {error}")]
    colours = {record.name: f"#{bytes(record.colour).hex()}" for record in laws.materials}
    rows = statistics.rows()
    table = html.table(rows, [colours.get(name) for name, _, _ in rows]) if rows else html.note("empty")
    return html.panel(about, laws_in_lines(laws, statistics.tick), *picture, table)


def heading(title: str, laws: Laws) -> str:
    """A title with the size of a world."""
    return f"{title} of {laws.width} x {laws.height} cells"


def laws_in_lines(laws: Laws, tick: int) -> list[str]:
    """The tick and the laws of a world, in two lines."""
    return [
        f"tick {tick:,}, rules {', '.join(laws.rules)}",
        f"edges {laws.edges}, gravity {laws.gravity}, seed {laws.seed}",
    ]


class Showable(Protocol):
    """The parts of a world that are needed to show it."""

    @property
    def laws(self) -> Laws:
        """The laws of the world."""
        ...

    def statistics(self) -> Statistics:
        """The statistics of the world."""
        ...

    def validate(self) -> None:
        """Check the world."""


def picture_of(world: object) -> bytes | None:
    """A whole world at a scale that fits in a page, the content of a PNG file; None if it cannot be drawn."""
    try:
        return _drawn(world)
    except GpufluidError:  # `panel_of` says why
        return None


def panel_of(world: Showable) -> str:
    """HTML with the laws of a world, its picture and a table; of an invalid world the reason."""
    try:
        world.validate()
    except GpufluidError as error:
        return html.panel(heading("World", world.laws), [], html.note(f"not a valid world: {error}"))
    return summary("World", world.laws, world.statistics(), lambda: _drawn(world))


def _drawn(world: object) -> bytes | None:
    return _draws[0](world) if _draws else None
