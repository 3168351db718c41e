"""Drains before motion: passes `drain_falling`, `drain_rising` and `drain_gliding`.

Before `fall`, `rise` or `glide` moves atoms, a drain that takes everything removes each atom that would come to a cell
of the drain in that pass, whether the atom would stop there or move on. The atom nearest to the drain is removed first.
The cells of removed atoms count as empty for the atoms behind them, and so do the cells of the drain. A solid in the
first cell of the drain in a line closes that line. Twin: ``shaders/atoms/crossing.glsl``.
"""

from __future__ import annotations

import numpy as np

from gpufluid.core.frame import in_frame
from gpufluid.matter.ports import CHANCE_ONE, Drain
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties, side_of
from gpufluid.oracle.atoms.march import Lines, falling, gliding, rising, steps_of
from gpufluid.oracle.atoms.ports import removed
from gpufluid.oracle.atoms.scan import CLEAR, EMPTY, HARD_NONE, MOVER, Ahead, Steps, ahead_after
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.rules.atoms import REACH
from gpufluid.world import World


def drain_falling(world: World, call: Call) -> Tally:
    """Take the atoms that fall to a drain."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    return _take(world, call, cells, matter, falling(world, cells, matter, call.tick))


def drain_rising(world: World, call: Call) -> Tally:
    """Take the atoms that rise to a drain."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    return _take(world, call, cells, matter, rising(cells, matter, call.tick))


def drain_gliding(world: World, call: Call) -> Tally:
    """Take the atoms that glide to a drain, toward one side."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    return _take(world, call, cells, matter, gliding(cells, side_of(world, call.tick, call.substep), call.tick))


def _take(world: World, call: Call, cells: Cells, matter: MaterialProperties, lines: Lines) -> Tally:
    """Remove the atoms that come to a drain along these lines."""
    drain = call.port
    assert isinstance(drain, Drain)
    gone = np.zeros((world.height, world.width), bool)
    if drain.atom_chance == CHANCE_ONE:
        within = gone.copy()
        within[drain.slices] = True
        taken = _comes_to(world, cells, matter, lines, lines.turn(in_frame(within, world.gravity)))
        lines.turn(in_frame(gone, world.gravity))[...] = taken
    return removed(world, np.nonzero(gone))


def _comes_to(world: World, cells: Cells, matter: MaterialProperties, lines: Lines, within: np.ndarray) -> np.ndarray:
    """The atoms that come to the cells `within`; both [index, line] bool."""
    hardened = lines._replace(soft=np.zeros_like(lines.soft))  # if the cell ahead is empty, or will be
    apart, over = (_turned(steps_of(matter, cells.material, each), lines) for each in (hardened, lines))
    solid = lines.turn(matter.is_solid(cells.material))
    length, wraps = len(within), world.edges == "wrap"
    taken = np.zeros_like(within)
    for first, line in np.argwhere(within & ~solid).tolist():
        if (first == 0 and not wraps) or within[first - 1, line]:
            continue
        ahead, frees = _OPEN, True  # frees: the cell ahead is empty, or will be
        for steps in range(1, min(REACH, length - 1) + 1):
            index = first - steps
            if (index < 0 and not wraps) or within[index, line]:
                break
            seen = apart if frees else over
            kind, value = seen.kind[index, line], seen.value[index, line]
            comes = kind == MOVER and min(value, ahead.free) >= steps
            taken[index, line] |= comes
            frees = comes or kind == EMPTY
            ahead = ahead_after(ahead, np.where(comes, EMPTY, kind), np.where(comes, 0, value))
    return taken


_OPEN = Ahead(np.array(CLEAR), np.array(HARD_NONE))
"""The state ahead of an atom before a drain."""


def _turned(steps: Steps, lines: Lines) -> Steps:
    return Steps(lines.turn(steps.kind), lines.turn(steps.value))
