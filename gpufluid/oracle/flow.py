"""The NumPy twin of rule ``flow``; each pass equals its shader in ``shaders/flow/`` bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import MASS_LIMIT
from gpufluid.core.frame import in_frame, in_world
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.oracle.emitting import emits
from gpufluid.oracle.state import load_heat_sent, load_mass, store_heat_sent, store_mass
from gpufluid.oracle.tally import Tally
from gpufluid.oracle.water_heat import add_heat, heat_ledger, move_shared_heat, shared_heat, take_heat
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.laws import Edges
from gpufluid.world.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Outflow:
    """The mass that each cell sends to its four neighbours, in units: int32 [row, column] of the gravity frame."""

    down: np.ndarray
    left: np.ndarray
    right: np.ndarray
    up: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """The mass that each cell sends to all neighbours together, in units: int32 [row, column]."""
        return self.down + self.left + self.right + self.up


def flow(world: World, call: Call) -> Tally:
    """Compute every new mass from the old masses: mass - outflow + inflow."""
    mass, sent = in_frame(load_mass(world), world.gravity), _outflow(world, call)
    store_mass(world, in_world(mass - sent.total + _inflow(sent, world.edges), world.gravity))
    left = 0
    if world.edges == "open":
        beyond = (sent.down[-1], sent.up[0], sent.left[:, 0], sent.right[:, -1])
        left = sum(int(units.sum(dtype=np.int64)) for units in beyond)
    return Tally(moved=int(sent.total.sum(dtype=np.int64)), mass=Ledger(left=left))


def share_heat(world: World, call: Call) -> Tally:
    """Compute the heat that goes along with the outflow of each cell, for `move_heat`."""
    sent, free = _outflow(world, call), in_frame(free_mass(world), world.gravity)
    store_heat_sent(world, shared_heat(world, free, (sent.right, sent.down, sent.left, sent.up)))
    return Tally()


def move_heat(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Move the heat of water along with the water that has flowed."""
    return move_shared_heat(world, load_heat_sent(world))


def walls(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing: the oracle reads from the materials which cells are obstacles. The mass there does not change."""
    return Tally()


def free_mass(world: World) -> np.ndarray:
    """The mass that can flow, in units: (height, width) int32, 0 in obstacles, whose mass is enclosed."""
    return np.where(world.obstacles, np.int32(0), load_mass(world))


def emit(world: World, call: Call) -> Tally:
    """Add an emitter's mass to its cells that are no obstacles."""
    emitter = call.port
    assert isinstance(emitter, Emitter)
    rows, columns = emitter.slices
    mass = load_mass(world)[rows, columns]
    added = np.clip(emitter.level_units - mass, 0, emitter.rate_units(call.substep, call.substeps))
    added[~emits(world, call, emitter)] = 0
    store_mass(world, mass + added, (rows, columns))
    heat = heat_ledger(emitted=add_heat(world, emitter, added)) if "water_heat" in world else {}
    return Tally(0, heat, mass=Ledger(emitted=int(added.sum(dtype=np.int64))))


def drain(world: World, call: Call) -> Tally:
    """Take a drain's mass from its cells."""
    drain = call.port
    assert isinstance(drain, Drain)
    mass = load_mass(world)[drain.slices]
    taken = np.clip(free_mass(world)[drain.slices], 0, drain.rate_units(call.substep, call.substeps))
    heat = heat_ledger(drained=take_heat(world, drain, mass, taken)) if "water_heat" in world else {}
    store_mass(world, mass - taken, drain.slices)
    return Tally(0, heat, mass=Ledger(drained=int(taken.sum(dtype=np.int64))))


def _outflow(world: World, call: Call) -> Outflow:
    """The outflow of each cell in a run of the rule."""
    fixed = world.fixed("flow")
    free, obstacles = (in_frame(array, world.gravity) for array in (free_mass(world), world.obstacles))
    if world.gravity == "off":
        return outflow_without_weight(free, obstacles, world.edges, fixed)
    return outflow(free, obstacles, world.edges, fixed, first_side(fixed, call))


def first_side(fixed: Mapping[str, int], call: Call) -> int:
    """The side whose outflow is computed first: 0 left, 1 right."""
    alternate = fixed["side_order"] == 2
    return (call.tick + call.substep) & 1 if alternate else fixed["side_order"]


def outflow(mass: np.ndarray, solid: np.ndarray, edges: Edges, fixed: Mapping[str, int], coin: int) -> Outflow:
    """Compute the outflow of each cell: down, to both sides and up, in this order, each limited by the mass still left.

    Args:
        mass: int32 [row, column] of the gravity frame, in units, 0 in solid cells.
        solid: bool of the same shape.
        edges: the kind of the world's edges.
        fixed: the rule's integer constants.
        coin: the side whose outflow is computed first, 0 left or 1 right.
    Source: seed 000, simulate_compression().
    """
    around, walls = _bordered(mass, edges, 0), _bordered(solid, edges, edges == "closed")
    below, left, right, above = (_shifted(around, *step) for step in _STEPS)
    no_below, no_left, no_right, no_above = (_shifted(walls, *step) for step in _STEPS)
    rest = mass.copy()
    speed = fixed["max_speed"]
    wished = stable_below(rest + below, fixed) - below
    down = _bounded(wished, np.minimum(rest, speed), below, no_below, fixed)
    rest -= down
    sides = [(left, no_left), (right, no_right)]
    sent = []
    for side, wall in sides if coin == 0 else sides[::-1]:
        wished = np.maximum(mass - side, 0) // fixed["side_divisor"]
        sent.append(_bounded(wished, rest, side, wall, fixed))
        rest -= sent[-1]
    wished = rest - stable_below(rest + above, fixed)
    up = _bounded(wished, np.minimum(rest, speed), above, no_above, fixed)
    to_left, to_right = sent if coin == 0 else sent[::-1]
    return Outflow(down, to_left, to_right, up)


def outflow_without_weight(mass: np.ndarray, solid: np.ndarray, edges: Edges, fixed: Mapping[str, int]) -> Outflow:
    """Compute the outflow of each cell in a world without gravity: to all sides alike, by what exceeds a full cell.

    Args:
        mass: int32 [row, column] of the gravity frame, in units, 0 in solid cells.
        solid: bool of the same shape.
        edges, fixed: as for `outflow`.
    """
    around, walls = _bordered(mass, edges, 0), _bordered(solid, edges, edges == "closed")
    divisor, most = 2 * fixed["side_divisor"], fixed["max_mass"]
    sent = []
    for step in _STEPS:
        other = _shifted(around, *step)
        wished = np.maximum(np.maximum(mass - most, 0) - np.maximum(other - most, 0), 0) // divisor
        sent.append(_bounded(wished, mass >> 2, other, _shifted(walls, *step), fixed))
    return Outflow(*sent)


def stable_below(total: np.ndarray, fixed: Mapping[str, int]) -> np.ndarray:
    """The mass of the lower of two cells at rest that hold ``total`` together: both int32 of any shape, in units.

    Source: seed 000, get_stable_state_b() and the author's derivation of its branches.
    """
    most, compress = fixed["max_mass"], fixed["max_compress"]
    excess = np.clip(total - most, 0, most + compress)
    partly = most + ((excess.astype(np.uint64) * np.uint64(fixed["stable_ratio"])) >> np.uint64(32)).astype(np.int32)
    both_full = (total + compress) >> 1
    return np.where(total >= 2 * most + compress, both_full, np.where(total <= most, most, partly)).astype(np.int32)


_STEPS = ((1, 0), (0, -1), (0, 1), (-1, 0))  # down, left, right, up as (row, column)


def _bounded(
    wished: np.ndarray, most: np.ndarray, receiver: np.ndarray, wall: np.ndarray, fixed: Mapping[str, int]
) -> np.ndarray:
    damped = np.where(wished > fixed["min_flow"], wished >> 1, wished)
    room = (MASS_LIMIT - receiver) >> 2
    return np.where(wall, 0, np.clip(damped, 0, np.minimum(most, room))).astype(np.int32)


def _inflow(sent: Outflow, edges: Edges) -> np.ndarray:
    below, left, right, above = _STEPS
    return (
        _shifted(_bordered(sent.down, edges, 0), *above)
        + _shifted(_bordered(sent.left, edges, 0), *right)
        + _shifted(_bordered(sent.right, edges, 0), *left)
        + _shifted(_bordered(sent.up, edges, 0), *below)
    )


def _bordered(array: np.ndarray, edges: Edges, outside: int | bool) -> np.ndarray:
    """Add a border of one cell on each side: the opposite cells on a torus, else the value ``outside``."""
    return np.pad(array, 1, mode="wrap") if edges == "wrap" else np.pad(array, 1, constant_values=outside)


def _shifted(bordered: np.ndarray, row: int, column: int) -> np.ndarray:
    """The value of each cell's neighbour at offset (row, column), from an array with a border of one cell."""
    height, width = bordered.shape
    return bordered[1 + row : height - 1 + row, 1 + column : width - 1 + column]
