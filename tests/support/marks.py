"""A scene with a block of a unique colour, by which a test finds the world on the screen."""

from __future__ import annotations

from support.desktop import Program, find

SCENE = """
title = "Two marks"
size = [96, 88]
rules = ["atoms"]
ticks = 100

[[material]]
name = "mark"
state = "solid"
density = 2000
colour = "#fa1478"
shade = 0.0

[[fill]]
shape = "rectangle"
at = [20, 30]
size = [8, 4]
material = "mark"

[[fill]]
shape = "rectangle"
at = [60, 10]
size = [4, 4]
material = "sand"
"""

SIZE = 96, 88
"""Columns and rows of the scene."""

FITTED, CORNER = 8, (395, 41)
"""Pixels a cell and top left corner of the scene, fitted into a window of 1280 x 800 beside the palette."""

PLACE = 20, 30
"""Column and row of the block's top left cell. The block is 8 x 4 cells large."""

MARK = (250, 20, 120)
"""Colour of the block."""

SHADES = 70
"""Largest difference that shading makes to this colour."""


def block(program: Program, place: tuple[int, int] = PLACE) -> tuple[float, tuple[float, float]]:
    """Pixels a cell, and the pixel of the world's top left corner, found from the block on the screen.

    Args:
        place: column and row of the block's top left cell. No open palette may have a swatch of the block's colour.
    """
    box = find(program.settle(), MARK, SHADES)
    assert box is not None
    pixels = (box.right - box.left) / 8
    return pixels, (box.left - place[0] * pixels, box.top - place[1] * pixels)
