"""Emitters and drains of atoms."""

from __future__ import annotations

import numpy as np

from gpufluid.core.fields import SPEED_LIMIT
from gpufluid.core.frame import in_frame, turned_to_world
from gpufluid.matter.ports import Drain, Emitter, Port, speed_units
from gpufluid.oracle.atoms.cells import WARMTH, Cells
from gpufluid.oracle.chance import noise
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import AtomLedger, HeatLedger, Ledger


def emit(world: World, call: Call) -> Tally:
    """Give each empty cell of an emitter, with a chance, an atom with a velocity."""
    emitter = call.port
    assert isinstance(emitter, Emitter)
    words = _noise(world, call, emitter, "use_emit")
    gets = (world["material"][emitter.slices] == 0) & (words[0] >> np.uint32(1) < emitter.atom_chance)
    world["material"][emitter.slices][gets] = world.materials[emitter.material]
    world["grain"][emitter.slices][gets] = (words[3] & np.uint32(0xFF))[gets]
    across, along = (_scattered(word, speed_units(emitter.scatter)) for word in words[1:3])
    scatter = turned_to_world(across, along, world.gravity)
    for axis in (0, 1):
        speed = np.clip(emitter.velocity_units[axis] + scatter[axis], -SPEED_LIMIT, SPEED_LIMIT)
        world["velocity"][emitter.slices][:, :, axis][gets] = speed[gets]
    if "tag" in world.scratch:
        rows, columns = np.indices(gets.shape)
        cell = (rows + emitter.at[1]) << 16 | (columns + emitter.at[0])
        world.scratch["tag"][emitter.slices][gets] = cell[gets]
    heat = HeatLedger()
    if WARMTH.name in {plane.name for plane in world.planes}:
        world["temperature"][emitter.slices][gets] = world.temperature_units(emitter.material, emitter.temperature)
        heat = HeatLedger(emitted=int(world["temperature"][emitter.slices][gets].sum(dtype=np.int64)))
    return Tally(atoms=AtomLedger({emitter.material: Ledger(emitted=int(gets.sum()))}), heat=heat)


def drain(world: World, call: Call) -> Tally:
    """Take the atoms in a drain's cells away, with a chance. Solids stay."""
    drain = call.port
    assert isinstance(drain, Drain)
    material = world["material"][drain.slices]
    words = _noise(world, call, drain, "use_drain")
    mobile = world.materials.column("state")[material] >= 2
    goes = mobile & (words[0] >> np.uint32(1) < drain.atom_chance)
    before = Cells.of(world).heat(world).sum()
    gone = np.bincount(material[goes], minlength=len(world.materials))
    for name in ("material", "velocity", "grain", *(name for name in WARMTH.fields if name in world.fields)):
        world[name][drain.slices][goes] = 0
    if "tag" in world.scratch:
        world.scratch["tag"][drain.slices][goes] = 0
    records = world.materials.records
    drained = {records[number].name: Ledger(drained=int(gone[number])) for number in np.flatnonzero(gone)}
    heat = HeatLedger(drained=int(before - Cells.of(world).heat(world).sum()))
    return Tally(atoms=AtomLedger(drained), heat=heat)


def _noise(world: World, call: Call, port: Port, use: str) -> list[np.ndarray]:
    """Random words for a port's cells, by their places in gravity's frame: a turned world draws the same."""
    height, width = in_frame(world["material"], world.gravity).shape
    rows, columns = np.indices((height, width))
    place = [np.empty((world.height, world.width), np.int64) for _ in range(2)]
    in_frame(place[0], world.gravity)[...] = columns
    in_frame(place[1], world.gravity)[...] = rows
    x, y = (array[port.slices] for array in place)
    return list(noise(world, x, y, call.tick, world.fixed("atoms")[use] + call.number))


def _scattered(word: np.ndarray, scatter: int) -> np.ndarray:
    """A number from -scatter to scatter."""
    return ((word >> np.uint32(16)).astype(np.int64) * (2 * scatter + 1) >> 16) - scatter
