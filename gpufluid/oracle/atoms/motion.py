"""The distance that an atom moves in a tick, from its velocity alone. Twin of ``shaders/lib/motion.glsl``.

Over any number of ticks the steps add up to the distance of constant acceleration, or of constant speed, to within one
cell. A pull is the acceleration by gravity. Velocities are in 1/16 cell a tick (seed 004, footnote 12), pulls in 1/16
cell a tick a tick.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Motion:
    """The motion of atoms in this tick, in the positive direction of one axis; arrays of one shape.

    Args:
        moves: bool, True for an atom that moves in this direction; any other atom is an obstacle.
        speed: int32, the new speed, in 1/16 cell a tick.
        wish: int32, the cells that the atom would move without obstacles.
    """

    moves: np.ndarray
    speed: np.ndarray
    wish: np.ndarray


def steady_step(speed: np.ndarray, tick: int) -> np.ndarray:
    """The step of atoms at constant speed in a tick; over 16 ticks the steps add up to ``speed`` cells.

    Args:
        speed: int32 of any shape, in 1/16 cell a tick.
        tick: the tick.
    Returns: int32 of the same shape, in cells.
    """
    phase = tick % 16
    return ((phase + 1) * speed >> 4) - (phase * speed >> 4)


def travelled(speed: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """1 plus the distance, in whole cells, in which a pull accelerates an atom from rest to a speed: v(v + a) / 2a.

    Args:
        speed: int32 of any shape, in 1/16 cell a tick.
        pull: int32 of the same shape, in 1/16 cell a tick a tick.
    Returns: int32 of the same shape, in cells.
    """
    return (speed * (speed + pull) + 32 * pull) // (32 * pull)


def ballistic_step(speed: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """The step of an atom in the tick in which a pull accelerates it to a speed; negative if it moves against the pull.

    Args:
        speed: int32 of any shape, in 1/16 cell a tick.
        pull: int32 of the same shape, in 1/16 cell a tick a tick.
    Returns: int32 of the same shape, in cells.
    """
    return travelled(speed, pull) - travelled(speed - pull, pull)


def motion_along(speed: np.ndarray, pull: np.ndarray, terminal: np.ndarray, tick: int) -> Motion:
    """Compute the motion along one axis, with a pull, against a pull, or without a pull.

    Args:
        speed: along the axis, int32 of any shape, in 1/16 cell a tick.
        pull: along the axis, int32 of the same shape, in 1/16 cell a tick a tick.
        terminal: the largest speed that the pull causes, int32 of the same shape, in 1/16 cell a tick.
        tick: decides in which of 16 ticks an atom of constant speed moves.
    """
    some = np.where(pull == 0, 1, np.abs(pull))
    faster = np.where(speed < terminal, np.minimum(speed + pull, terminal), np.maximum(speed - pull, terminal))
    turns = (speed < 0) & (faster == 0)  # only atoms at rest have speed 0 (`settle` moves those)
    faster = np.where(turns, np.where(pull > 1, -1, 1), faster)
    reached = np.where(pull > 0, faster, speed)
    drawn = np.where(reached == terminal, steady_step(reached, tick), np.maximum(ballistic_step(reached, some), 0))
    drawn = np.where((speed == 0) & (terminal > 0), np.maximum(drawn, 1), drawn)
    thrown = np.maximum(-ballistic_step(-speed, some), 0)
    free = steady_step(np.maximum(speed, 0), tick)
    moves = np.where(pull > 0, reached >= 0, speed > 0)
    wish = np.where(pull > 0, drawn, np.where(pull < 0, thrown, free))
    return Motion(moves, reached, np.where(moves, wish, 0))
