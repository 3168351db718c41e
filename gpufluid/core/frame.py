"""Gravity's frame: coordinates in which gravity points down, whatever way it points in the world.

A rule that is written in it is the same rule for every direction. Twin of ``shaders/lib/frame.glsl``.
"""

from __future__ import annotations

import numpy as np


def in_frame(array: np.ndarray, gravity: str) -> np.ndarray:
    """A view of a world's array as [row, column] of the frame; what is written to it is written to the world."""
    match gravity:
        case "up":
            return array[::-1, ::-1]
        case "right":
            return array[::-1].swapaxes(0, 1)
        case "left":
            return array[:, ::-1].swapaxes(0, 1)
        case _:
            return array


def frame_size(width: int, height: int, gravity: str) -> tuple[int, int]:
    """(columns, rows) of a world as seen in the frame."""
    return (height, width) if gravity in ("left", "right") else (width, height)


def place_in_frame(x: int, y: int, width: int, height: int, gravity: str) -> tuple[int, int]:
    """The place in the frame, (column, row), of a cell of a world of that size."""
    match gravity:
        case "up":
            return width - 1 - x, height - 1 - y
        case "right":
            return height - 1 - y, x
        case "left":
            return y, width - 1 - x
        case _:
            return x, y


def piece_in_frame(
    origin: tuple[int, int], size: tuple[int, int], whole_size: tuple[int, int], gravity: str
) -> tuple[int, int]:
    """The place in the frame of a whole world at which the frame of one of its pieces begins.

    Args:
        origin: (column, row) in the whole world of the piece's top left cell.
        size, whole_size: (width, height) in cells, of the piece and of the whole world.
        gravity: of both.
    Returns: (column, row). A cell's place in the whole frame is its place in the piece's frame plus this.
    """
    far = whole_size[0] - size[0] - origin[0], whole_size[1] - size[1] - origin[1]
    match gravity:
        case "up":
            return far
        case "right":
            return far[1], origin[0]
        case "left":
            return origin[1], far[0]
        case _:
            return origin


def turned_to_frame(x: np.ndarray, y: np.ndarray, gravity: str) -> tuple[np.ndarray, np.ndarray]:
    """A velocity of the world in the frame's directions: across, and along gravity."""
    return {"up": (-x, -y), "right": (-y, x), "left": (y, -x)}.get(gravity, (x, y))


def turned_to_world(across: np.ndarray, along: np.ndarray, gravity: str) -> tuple[np.ndarray, np.ndarray]:
    """A velocity of the frame in the world's directions: (x, y)."""
    return {"up": (-across, -along), "right": (along, -across), "left": (-along, across)}.get(gravity, (across, along))
