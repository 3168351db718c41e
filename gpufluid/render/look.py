"""The look of a picture: the choices that do not depend on the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.matter.materials import MaterialTable, colour_of

Colour = tuple[int, int, int]
"""Red, green, blue, sRGB, 0 to 255."""

Light = tuple[float, ...]
"""Red, green, blue, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The light in which a world is drawn.

    Args:
        about: one sentence.
        sky: the colours of the background at the top and at the bottom of the world; None: that of material ``empty``.
        beyond: the colour outside the world.
        moonlight: red, green, blue, 0 to 1: the light that falls on all matter, to which that of fire, lava and embers
            is added; None: it is day, and all matter has its full colour.
        paper, ink: the colours of a legend.
    """

    about: str
    sky: tuple[Colour, Colour] | None
    beyond: Colour
    moonlight: Light | None
    paper: Colour
    ink: Colour


THEMES = {
    "day": Theme(
        "a bright background; all matter has its full colour",
        sky=None,
        beyond=(51, 54, 59),
        moonlight=None,
        paper=(255, 255, 255),
        ink=(30, 32, 36),
    ),
    "night": Theme(
        "a dark sky; fire, lava and embers light what is near",
        sky=((10, 13, 28), (24, 30, 52)),
        beyond=(5, 6, 10),
        moonlight=(0.25, 0.30, 0.43),
        paper=(18, 20, 28),
        ink=(214, 218, 228),
    ),
}


@dataclass(frozen=True, slots=True)
class Look:
    """The choices of a picture that do not depend on the world. They change no state.

    Args:
        tint: whether warm matter is tinted red and cold matter blue, in a world of rule heat.
        theme: a name of `THEMES`.
        background: the colour of cells without matter; None: that of the theme.
    Raises: UsageError: an unknown theme, or a tint of another type.
    """

    tint: bool = True
    theme: str = "day"
    background: Colour | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.tint, bool):
            raise UsageError(f"tint: {shown(self.tint)}; expected True or False")
        if not isinstance(self.theme, str) or self.theme not in THEMES:
            raise UsageError(f"theme: {shown(self.theme)} is not known{did_you_mean(str(self.theme), THEMES)}")

    @classmethod
    def of(cls, theme: str = "day", background: object = None, tint: bool = True) -> Self:
        """Make a look with the background as ``#rrggbb`` or None.

        Raises: UsageError: as `Look`, or a background of another form.
        """
        try:
            return cls(tint, theme, None if background is None else colour_of(background))
        except ValueError as error:
            raise UsageError(f"background: {error}") from None

    @property
    def colours(self) -> Theme:
        """The theme's record."""
        return THEMES[self.theme]

    def sky(self, materials: MaterialTable) -> tuple[Colour, Colour]:
        """The colours of the background at the top and at the bottom of a world with these materials."""
        if self.background is not None:
            return self.background, self.background
        empty = materials.records[0].colour
        return self.colours.sky or (empty, empty)


DAY = Look()
"""The look of a picture for which none is given."""


def light_of(colour: Colour) -> Light:
    """A colour as shaders take it: red, green, blue, sRGB, 0 to 1."""
    return tuple(part / 255 for part in colour)
