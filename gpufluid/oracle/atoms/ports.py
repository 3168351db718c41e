"""Emitters and drains of atoms."""

from __future__ import annotations

import numpy as np

from gpufluid.core.fields import FIELDS, SPEED_LIMIT
from gpufluid.core.frame import places_in_frame, turned_to_world
from gpufluid.core.packing import any_component
from gpufluid.matter.ports import Drain, Emitter, Port, speed_units
from gpufluid.oracle.atoms.cells import Cells, counted
from gpufluid.oracle.chance import noise
from gpufluid.oracle.state import (
    TAG,
    accessor,
    load_material,
    store_grain,
    store_material,
    store_tag,
    store_velocity,
)
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import AtomLedger, Ledger


def emit(world: World, call: Call) -> Tally:
    """Put an atom with a velocity into each empty cell of an emitter, with a probability. Amounts are in its way."""
    emitter = call.port
    assert isinstance(emitter, Emitter)
    words = _noise(world, call, emitter, "use_emit")
    bare = load_material(world) == 0
    plane = world.laws.amounts_beside_atoms
    if plane:
        bare &= ~any_component(plane, accessor("load", plane)(world) != 0)
    gets = bare[emitter.slices] & (words[0] >> np.uint32(1) < emitter.atom_chance)
    at = tuple(places[gets] for places in _places(emitter))
    store_material(world, world.materials[emitter.material], at)
    store_grain(world, (words[3] & np.uint32(0xFF))[gets], at)
    across, along = (_scattered(word, speed_units(emitter.scatter)) for word in words[1:3])
    scatter = turned_to_world(across, along, world.gravity)
    for axis in (0, 1):
        speed = np.clip(emitter.velocity_units[axis] + scatter[axis], -SPEED_LIMIT, SPEED_LIMIT)
        store_velocity(world, speed[gets], (*at, axis))
    if TAG in world.scratch:
        store_tag(world, at[0] << 16 | at[1], at)
    before = Cells.of(world).held(world)
    for name, value in world.new_atom(emitter.material, emitter.temperature).items():
        accessor("store", name)(world, value, at)
    entered = AtomLedger({emitter.material: Ledger(emitted=int(gets.sum()))})
    return Tally(0, counted("emitted", Cells.of(world).held(world), before), atoms=entered)


def drain(world: World, call: Call) -> Tally:
    """Remove the atoms in a drain's cells, with a probability. Solids stay."""
    drain = call.port
    assert isinstance(drain, Drain)
    material = load_material(world)[drain.slices]
    words = _noise(world, call, drain, "use_drain")
    mobile = world.materials.column("state")[material] >= 2
    goes = mobile & (words[0] >> np.uint32(1) < drain.atom_chance)
    return removed(world, tuple(places[goes] for places in _places(drain)))


def removed(world: World, at: tuple[np.ndarray, ...]) -> Tally:
    """Remove the atoms of some cells, and count them as drained.

    Args:
        world: the world.
        at: the rows and the columns of the cells, (n,) int64 each.
    """
    before = Cells.of(world).held(world)
    gone = np.bincount(load_material(world)[at], minlength=len(world.materials))
    for name in world.fields:
        if FIELDS[name].carried:
            accessor("store", name)(world, 0, at)
    if TAG in world.scratch:
        store_tag(world, 0, at)
    records = world.materials.records
    drained = {records[number].name: Ledger(drained=int(gone[number])) for number in np.flatnonzero(gone)}
    return Tally(0, counted("drained", before, Cells.of(world).held(world)), atoms=AtomLedger(drained))


def _places(port: Port) -> tuple[np.ndarray, np.ndarray]:
    """The rows and the columns of a port's cells, (height, width) int64 of the port each."""
    rows, columns = (np.arange(part.start, part.stop) for part in port.slices)
    row, column = np.broadcast_arrays(rows[:, None], columns[None, :])
    return row, column


def _noise(world: World, call: Call, port: Port, use: str) -> list[np.ndarray]:
    """Random words for a port's cells, by position in the gravity frame, so that a rotated world draws the same."""
    x, y = places_in_frame(port.slices, world.width, world.height, world.gravity)
    return list(noise(world, x, y, call.tick, world.fixed("atoms")[use] + call.number))


def _scattered(word: np.ndarray, scatter: int) -> np.ndarray:
    """Random integers from -scatter to scatter, from random words."""
    return ((word >> np.uint32(16)).astype(np.int64) * (2 * scatter + 1) >> 16) - scatter
