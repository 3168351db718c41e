"""Texts that the window and the page of ``gpufluid serve`` share: of keys, materials, brush shapes and gestures."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from gpufluid.matter.materials import Material, State
from gpufluid.viewer.actions import Action

if TYPE_CHECKING:
    from gpufluid.viewer.viewer import Viewer

GROUPS_OF_MATERIALS = {
    State.SOLID: "Solids",
    State.POWDER: "Powders",
    State.LIQUID: "Liquids",
    State.GAS: "Gases",
}
"""The titles of the palette's groups."""

SHAPES = {
    "round": "Lay round patches.",
    "square": "Lay square patches.",
    "spray": "Lay single grains at random.",
}
"""The shapes of the brush, and what they do."""

POINTER = (
    ("left button", "Pour the chosen material, or do what the chosen tool does."),
    ("right button", "Erase; while you warm, cool; while you cool, warm."),
    ("Shift, left button", "Draw a straight line from the end of the last stroke."),
    ("Alt, left drag", "Aim by an arrow: what you pour flies this way."),
    ("middle drag", "Move the view."),
    ("Space, left drag", "Move the view."),
    ("wheel", "Look closer, or from further away."),
    ("Ctrl, wheel", "Make the brush larger or smaller."),
)
"""The gestures of the pointer over the world."""


def about(viewer: Viewer, material: Material) -> str:
    """Describe a material in the viewer's world, as a sentence."""
    state, *does = viewer.words.of(material.name)
    name, words = material.name.capitalize(), ", ".join(does)
    told = f"{name}: {state}, {material.density:,} kg/m\u00b3."
    return f"{told} {words[0].upper()}{words[1:]}." if words else told


def keys_of(viewer: Viewer, action: str, arguments: Mapping[str, object] | None = None) -> str:
    """Text of the keys bound to an action; if `arguments` are given, only keys that pass exactly these."""
    found = [
        chord
        for chord, (name, given) in viewer.bindings.items()
        if name == action and (arguments is None or dict(given) == dict(arguments))
    ]
    return ", ".join(readable_chord(chord) for chord in found)


def readable_chord(chord: str) -> str:
    """Text of a chord, such as ``Ctrl+Shift+Z``."""
    return re.sub(r"[a-z]\w*", lambda word: word[0].capitalize(), chord)


def rows_of_keys(
    viewer: Viewer, action: Action, offers: Callable[[str, Mapping[str, object]], bool] = lambda *_: True
) -> list[tuple[str, str]]:
    """(keys, sentence) for an action: a row for the keys without arguments, and a row for each key with arguments.

    A favourite's row has its name. The keys that set favourites share a row.

    Args:
        viewer: the viewer.
        action: the action.
        offers: tests if an action is offered with the arguments of a key; by default every one is.
    """
    plain = keys_of(viewer, action.name, {})
    found = [(plain, action.sentence({}))] if plain else []
    if action.name == "set_favourite":
        keys = keys_of(viewer, action.name)
        return [(keys, action.about)] if keys else []
    for chord, (name, given) in viewer.bindings.items():
        if name == action.name == "favourite":
            found.append((readable_chord(chord), f"Choose {viewer.favourites[int(str(given['place']))]}."))
        elif name == action.name and given and offers(name, given):
            found.append((readable_chord(chord), action.sentence(given)))
    return found


def readable_colour(colour: tuple[int, int, int]) -> tuple[int, int, int]:
    """Lighten a colour, red, green, blue 0 to 255, until a line of it is visible on a dark background."""
    light = (0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]) / 255
    lift = max(0.0, 0.42 - light)
    red, green, blue = (round(part + (255 - part) * lift) for part in colour)
    return red, green, blue


_PIXELS_A_CELL = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)


def pixels_a_cell(every: int, most: int) -> list[int]:
    """The numbers of pixels a cell, along each side, that are offered for a picture.

    Args:
        every: the present number, which is one of them.
        most: the largest.
    """
    return sorted({*(number for number in _PIXELS_A_CELL if number <= most), every})


def pixels_in_words(every: int) -> str:
    """A number of pixels a cell, along each side, in words."""
    return "a cell for each pixel" if every == 1 else f"a cell for {every} x {every} pixels"
