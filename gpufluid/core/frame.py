"""The gravity frame: coordinates in which gravity always points down.

A rule written in the frame holds for each direction of gravity: ``down``, ``up``, ``left`` and ``right``. Twin of
``shaders/lib/frame.glsl``.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np

Coordinate = TypeVar("Coordinate", int, np.ndarray)
"""A column or a row, or an integer array of them."""

Span = tuple[int, int]
"""The first column or row of several, and the one after the last."""

Area = tuple[Span, Span]
"""A rectangle of the frame: its columns, and its rows."""


def in_frame(array: np.ndarray, gravity: str) -> np.ndarray:
    """A view of an array of the world in frame coordinates; writing to the view writes to the world.

    Args:
        array: (height, width) or (height, width, n), any integer type or bool, in world coordinates.
        gravity: ``down``, ``up``, ``left`` or ``right``.
    Returns: a view of the same type as [row, column] of the frame.
    """
    match gravity:
        case "up":
            return array[::-1, ::-1]
        case "right":
            return array[::-1].swapaxes(0, 1)
        case "left":
            return array[:, ::-1].swapaxes(0, 1)
        case _:
            return array


def in_world(array: np.ndarray, gravity: str) -> np.ndarray:
    """A view of an array of the frame in world coordinates; the inverse of `in_frame`.

    Args:
        array: [row, column] or [row, column, n] of the frame, any integer type or bool.
        gravity: ``down``, ``up``, ``left`` or ``right``.
    Returns: a view of the same type, (height, width) or (height, width, n).
    """
    match gravity:
        case "up":
            return array[::-1, ::-1]
        case "right":
            return array.swapaxes(0, 1)[::-1]
        case "left":
            return array.swapaxes(0, 1)[:, ::-1]
        case _:
            return array


def layers_in_frame(array: np.ndarray, gravity: str) -> np.ndarray:
    """A view of the layers of a mixture in frame coordinates; each layer as by `in_frame`.

    Args:
        array: (layers, height, width), any integer type, in world coordinates.
        gravity: the direction of gravity.
    Returns: a view of the same type as [layer, row, column] of the frame.
    """
    return np.moveaxis(in_frame(np.moveaxis(array, 0, -1), gravity), -1, 0)


def layers_in_world(array: np.ndarray, gravity: str) -> np.ndarray:
    """A view of the layers of a mixture in world coordinates; the inverse of `layers_in_frame`.

    Args:
        array: [layer, row, column] of the frame, any integer type.
        gravity: the direction of gravity.
    Returns: a view of the same type, (layers, height, width).
    """
    return np.moveaxis(in_world(np.moveaxis(array, 0, -1), gravity), -1, 0)


def frame_size(width: int, height: int, gravity: str) -> tuple[int, int]:
    """(columns, rows) of the frame of a world of width by height cells."""
    return (height, width) if gravity in ("left", "right") else (width, height)


def place_in_frame(
    x: Coordinate, y: Coordinate, width: int, height: int, gravity: str
) -> tuple[Coordinate, Coordinate]:
    """The frame coordinates (column, row) of cell (x, y) in a world of width by height cells.

    ``x`` and ``y`` may be integer arrays, which then need not have one shape.
    """
    match gravity:
        case "up":
            return width - 1 - x, height - 1 - y
        case "right":
            return height - 1 - y, x
        case "left":
            return y, width - 1 - x
        case _:
            return x, y


def cell_in_world(column: int, row: int, width: int, height: int, gravity: str) -> tuple[int, int]:
    """The cell (x, y) of a world of width by height cells at a place of the frame; the inverse of `place_in_frame`."""
    match gravity:
        case "up":
            return width - 1 - column, height - 1 - row
        case "right":
            return row, height - 1 - column
        case "left":
            return width - 1 - row, column
        case _:
            return column, row


def places_in_frame(cells: tuple[slice, slice], width: int, height: int, gravity: str) -> tuple[np.ndarray, np.ndarray]:
    """The frame coordinates of the cells of a rectangle.

    Args:
        cells: its rows and its columns in the world, as slices with a start and a stop.
        width, height: of the world, in cells.
        gravity: ``down``, ``up``, ``left`` or ``right``.
    Returns: (columns, rows) of the frame, int64 of the rectangle's (height, width) each.
    """
    y, x = np.mgrid[cells]
    return place_in_frame(x, y, width, height, gravity)


def area_in_world(area: Area, size: tuple[int, int], gravity: str) -> tuple[int, int, int, int]:
    """The rectangle of the world that a rectangle of the frame is.

    Args:
        area: its columns and its rows in the frame; they may lie outside.
        size: (width, height) of the world, in cells.
        gravity: ``down``, ``up``, ``left``, ``right`` or ``off``.
    Returns: (column, row, width, height), in cells of the world.
    """
    ((left, right), (top, bottom)), (width, height) = area, size
    columns, rows = right - left, bottom - top
    match gravity:
        case "up":
            return width - right, height - bottom, columns, rows
        case "right":
            return top, height - right, rows, columns
        case "left":
            return width - bottom, left, rows, columns
        case _:
            return left, top, columns, rows


def area_in_frame(cells: tuple[int, int, int, int], size: tuple[int, int], gravity: str) -> Area:
    """The rectangle of the frame that a rectangle of the world is; the inverse of `area_in_world`."""
    x, y, width, height = cells
    match gravity:
        case "up":
            return (size[0] - x - width, size[0] - x), (size[1] - y - height, size[1] - y)
        case "right":
            return (size[1] - y - height, size[1] - y), (x, x + width)
        case "left":
            return (y, y + height), (size[0] - x - width, size[0] - x)
        case _:
            return (x, x + width), (y, y + height)


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
    """A velocity in world coordinates to frame coordinates.

    Args:
        x, y: signed integers of any shape, such as int32; to the right and down.
        gravity: ``down``, ``up``, ``left`` or ``right``.
    Returns: (across, along): the components across gravity and along it, of the same type, shape and unit.
    """
    return {"up": (-x, -y), "right": (-y, x), "left": (y, -x)}.get(gravity, (x, y))


def turned_to_world(across: Coordinate, along: Coordinate, gravity: str) -> tuple[Coordinate, Coordinate]:
    """A velocity in frame coordinates to world coordinates; the inverse of `turned_to_frame`.

    Args:
        across, along: integers, or signed integers of any shape, such as int32; across gravity and along it.
        gravity: ``down``, ``up``, ``left`` or ``right``.
    Returns: (x, y): the components to the right and down, of the same type, shape and unit.
    """
    return {"up": (-across, -along), "right": (along, -across), "left": (-along, across)}.get(gravity, (across, along))
