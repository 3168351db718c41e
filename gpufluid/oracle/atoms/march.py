"""Motion of atoms along lines: passes `fall`, `rise` and `glide`, and `survey`, which prepares a fall.

Each line is permuted so that no atom overtakes another. The foremost atom moves first; each next atom moves as far as
its speed says, but not past the atom ahead. The shaders work strip by strip, this module line by line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties, bounded_speed, counted, side_of, slowed
from gpufluid.oracle.atoms.motion import Motion, motion_along
from gpufluid.oracle.atoms.scan import (
    BLOCK,
    EMPTY,
    HARD_AMOUNT,
    HARD_ATOM,
    HARD_NONE,
    HARD_SOFT,
    HARD_SOLID,
    MOVER,
    Ahead,
    Steps,
    ahead_after,
    ahead_of_line,
    survey_words,
)
from gpufluid.oracle.chance import noise
from gpufluid.oracle.state import store_survey
from gpufluid.oracle.tally import Tally
from gpufluid.rules import LINE_STRIP, Call
from gpufluid.world import World
from gpufluid.world.ledger import AtomLedger, Ledger

Turn = Callable[[np.ndarray], np.ndarray]
"""A view of an array [row, column] of the gravity frame as [index, line]; index grows in the direction of motion."""


class Lines(NamedTuple):
    """The cells before motion in one direction; arrays are [row, column] of the gravity frame.

    Args:
        motion: the motion of every cell.
        hard: bool, True where an atom that does not move in this direction stops the atoms that run into it; False
            where it may still move itself.
        water: bool, the cells with water by mass, if powders that sink in it keep their speed there.
        soft: bool, the cells whose atom is about to sink into the cell ahead, if it moves.
        turn: gives the view of an array as lines.
    """

    motion: Motion
    hard: np.ndarray
    water: np.ndarray
    soft: np.ndarray
    turn: Turn


@dataclass(frozen=True, slots=True)
class Direction:
    """One direction of motion; arrays are [row, column] of the gravity frame.

    Args:
        axis, sign: the component of velocity along the lines, and its sign in the direction of motion.
        lines: the cells before the motion.
        strike: changes the velocities of atoms that run into an obstacle; takes an array of `HARD_NONE`, `HARD_ATOM`
            or `HARD_SOLID` for each cell, and an array of the cells that each atom moves before.
        advance: changes the velocities of atoms that move and run into nothing; takes a bool for each cell.
    """

    axis: str
    sign: int
    lines: Lines
    strike: Callable[[np.ndarray, np.ndarray], None]
    advance: Callable[[np.ndarray], None] = lambda _moving: None


def survey(world: World, call: Call) -> Tally:
    """Compute the scan word of each strip of a column, which the shader of `fall` uses; the oracle does not."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    steps = steps_of(matter, cells.material, falling(world, cells, matter, call.tick))
    store_survey(world, survey_words(steps, LINE_STRIP))
    return Tally()


def fall(world: World, call: Call) -> Tally:
    """Move the atoms that fall, along the columns."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)

    def strike(struck: np.ndarray, moved: np.ndarray) -> None:
        state, pull = matter.state[cells.material], matter.pull[cells.material]
        heavy = matter.density[cells.material] > matter.density[-1]  # of the densest water
        sinks = (struck == HARD_SOFT) | ((struck == HARD_AMOUNT) & heavy)
        keeps = sinks & (state == State.POWDER)
        if "inertia" in world.rules:  # `inertia.push` takes the momentum of what has just fallen onto water by mass
            falls = (pull > 0) & (moved > 0) & (cells.along > 2 * pull)
            keeps |= falls & (struck == HARD_AMOUNT) & ((state == State.POWDER) | (state == State.LIQUID))
        _land(world, cells, matter, call.tick, (struck > 0) & ~keeps, pull, 1, "use_fall")

    def advance(moving: np.ndarray) -> None:
        _stray(world, cells, matter, call.tick, moving, "use_fall")

    lines = falling(world, cells, matter, call.tick)
    return _march(world, cells, matter, Direction("along", 1, lines, strike, advance))


def rise(world: World, call: Call) -> Tally:
    """Move the atoms that rise, along the columns: gases, and atoms with an upward speed."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)

    def strike(struck: np.ndarray, _moved: np.ndarray) -> None:
        _land(world, cells, matter, call.tick, struck > 0, -matter.pull[cells.material], -1, "use_rise")

    def advance(moving: np.ndarray) -> None:
        _stray(world, cells, matter, call.tick, moving, "use_rise")

    return _march(world, cells, matter, Direction("along", -1, rising(cells, matter, call.tick), strike, advance))


def glide(world: World, call: Call) -> Tally:
    """Move the atoms with a speed across gravity, along the rows, toward one side."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    side = side_of(world, call.tick, call.substep)
    words = _words(world, cells.shape, call.tick, matter.fixed["use_side"])

    def strike(struck: np.ndarray, _moved: np.ndarray) -> None:
        speed = side * cells.across
        back = -(speed * np.maximum(matter.bounce[cells.material], matter.fixed["wall_bounce"]) >> 8)
        dulled = speed - np.minimum(speed, (speed >> 3) + 1)
        thrown = np.where(matter.is_gas(cells.material), dulled, -(speed * (words[1 + call.substep] >> 24) >> 8))
        after = np.where(struck == HARD_SOLID, back, thrown)
        cells.across = np.where(struck > 0, side * after, cells.across).astype(np.int32)

    return _march(world, cells, matter, Direction("across", side, gliding(cells, side, call.tick), strike))


def falling(world: World, cells: Cells, matter: MaterialProperties, tick: int) -> Lines:
    """The cells before pass `fall`."""
    motion = motion_along(cells.along, matter.pull[cells.material], matter.terminal[cells.material], tick)
    water = matter.is_amount(cells.material)
    return Lines(motion, _holds_up(cells, matter), water, _is_soft(world, cells, matter), lambda array: array)


def rising(cells: Cells, matter: MaterialProperties, tick: int) -> Lines:
    """The cells before pass `rise`."""
    motion = motion_along(-cells.along, -matter.pull[cells.material], matter.terminal[cells.material], tick)
    none = np.zeros(cells.shape, bool)
    return Lines(motion, cells.along == 0, none, none, lambda array: array[::-1])


def gliding(cells: Cells, side: int, tick: int) -> Lines:
    """The cells before pass `glide` toward a side, 1 or -1."""
    none = np.zeros_like(cells.across)

    def turn(array: np.ndarray) -> np.ndarray:
        return array.T if side > 0 else array[:, ::-1].T

    hard = np.full(none.shape, True)  # also an atom that moves the opposite way: in a head-on collision both lose speed
    return Lines(motion_along(side * cells.across, none, none, tick), hard, ~hard, ~hard, turn)


def _holds_up(cells: Cells, matter: MaterialProperties) -> np.ndarray:
    """The cells whose content ends a fall, bool.

    A gas does not end a fall: an atom that falls on a gas waits until both have changed places.
    """
    return (cells.along == 0) & ~matter.is_gas(cells.material)


def _is_soft(world: World, cells: Cells, matter: MaterialProperties) -> np.ndarray:
    """The cells with a powder that lies on a lighter fluid and is about to sink into it, unless both fall; bool."""
    material, along = (np.roll(array, -1, axis=0) for array in (cells.material, cells.along))
    if world.edges != "wrap":
        material[-1] = 0
    powder = matter.state[cells.material] == State.POWDER
    return powder & matter.is_fluid(material) & matter.gives_way(material, cells.material) & (along <= 0)


def steps_of(matter: MaterialProperties, material: np.ndarray, lines: Lines) -> Steps:
    """The cells as steps of the scan: int arrays, [row, column] of the gravity frame.

    Args:
        matter: the properties of the materials.
        material: the material of each cell, int32 [row, column] of the gravity frame.
        lines: the cells before the motion.
    """
    solid = matter.is_solid(material)
    mover = lines.motion.moves & ~solid
    kind = np.where(matter.is_empty(material), EMPTY, np.where(mover & ~lines.soft, MOVER, BLOCK))
    still = np.where(lines.water, HARD_AMOUNT, HARD_ATOM)
    hardness = np.where(solid, HARD_SOLID, np.where(mover, HARD_SOFT, np.where(lines.hard, still, HARD_NONE)))
    return Steps(kind, np.where(kind == MOVER, lines.motion.wish, np.where(kind == BLOCK, hardness, 0)))


def _march(world: World, cells: Cells, matter: MaterialProperties, direction: Direction) -> Tally:
    """Move all atoms that move in one direction."""
    turn, axis, motion = direction.lines.turn, direction.axis, direction.lines.motion
    steps = steps_of(matter, cells.material, direction.lines)
    lines = Steps(turn(steps.kind), turn(steps.value))
    moved, struck = _moves(lines, ahead_of_line(lines, world.edges))
    movable = matter.is_mobile(cells.material)
    setattr(cells, axis, np.where(movable, direction.sign * motion.speed, getattr(cells, axis)))
    struck_cells = np.zeros_like(cells.material)
    turn(struck_cells)[...] = struck
    moving = np.zeros_like(cells.material)
    turn(moving)[...] = moved
    direction.strike(struck_cells, moving)
    direction.advance((moving > 0) & (struck_cells == HARD_NONE))
    before = cells.held(world)
    left = _shift(world, cells, turn, moved)
    cells.write(world)
    return Tally(0, counted("left", before, cells.held(world)), atoms=left)


def _moves(steps: Steps, ahead: Ahead) -> tuple[np.ndarray, np.ndarray]:
    """The cells that each atom moves, and the hardness of the obstacle that it runs into; both [index, line]."""
    moved, struck = np.zeros_like(steps.kind), np.zeros_like(steps.kind)
    for index in range(len(steps.kind) - 1, -1, -1):
        ahead = ahead_after(ahead, steps.kind[index], steps.value[index])
        mover = steps.kind[index] == MOVER
        moved[index] = np.where(mover, ahead.free, 0)
        struck[index] = np.where(mover, ahead.hard, 0)
    return moved, struck


def _shift(world: World, cells: Cells, turn: Turn, moved: np.ndarray) -> AtomLedger:
    """Move every atom to its new cell. Returns the atoms that left over an open edge."""
    length = len(moved)
    index, line = np.nonzero(turn(cells.material))
    landing = index + moved[index, line]
    if world.edges == "wrap":
        landing %= length
    stays = landing < length
    gone = np.bincount(turn(cells.material)[index, line][~stays], minlength=len(world.materials))
    for array in cells.parts().values():
        before = turn(array)
        after = np.zeros_like(before)
        after[landing[stays], line[stays]] = before[index[stays], line[stays]]
        turn(array)[...] = after
    records = world.materials.records
    return AtomLedger({records[number].name: Ledger(left=int(gone[number])) for number in np.flatnonzero(gone)})


def _land(
    world: World,
    cells: Cells,
    matter: MaterialProperties,
    tick: int,
    struck: np.ndarray,
    pull: np.ndarray,
    sign: int,
    use: str,
) -> None:
    """Change the velocity of atoms that run into an obstacle along gravity: friction, bounce, sideways speed.

    Twin: ``landing.glsl``.
    """
    material, speed = cells.material, sign * cells.along
    back = speed * matter.bounce[material] >> 8
    across = slowed(cells.across, matter.drag[material])
    words = _words(world, material.shape, tick, matter.fixed[use])
    side = np.where(across != 0, np.sign(across), 1 - 2 * (words[0] & 1))
    across = across + np.where(speed > 2 * pull, side * (speed * matter.spread[material] >> 8), 0)
    splashes = (pull > 0) & (speed > 2 * pull) & ((words[1] & 0xFF) < matter.splash[material])
    back = np.where(splashes, np.maximum(back, speed * (words[1] >> 8 & 0xFF) >> 8), back)
    with_pull = struck & (pull > 0)
    along = np.where(with_pull, np.where(back > 3 * pull, -sign * back, 0), np.where(struck, -sign * back, cells.along))
    cells.across = np.where(with_pull, bounded_speed(across), cells.across).astype(np.int32)
    cells.along = along.astype(np.int32)


def _stray(world: World, cells: Cells, matter: MaterialProperties, tick: int, moving: np.ndarray, use: str) -> None:
    """Push atoms that fall or rise to a side, with the probability ``stray`` of a material. Twin: ``landing.glsl``."""
    words = _words(world, cells.shape, tick, matter.fixed[use])
    pushed = moving & ((words[2] & 0xFF) < matter.stray[cells.material])
    side = 1 - 2 * (words[0] & 1)
    across = bounded_speed(cells.across + side * matter.fixed["stray_push"])
    cells.across = np.where(pushed, across, cells.across).astype(np.int32)


def _words(world: World, shape: tuple[int, int], tick: int, use: int) -> tuple[np.ndarray, ...]:
    """Four random words for each place of the frame: int64 [row, column]."""
    rows, columns = shape
    words = noise(world, np.arange(columns)[None, :], np.arange(rows)[:, None], tick, use)
    return tuple(word.astype(np.int64) for word in words)
