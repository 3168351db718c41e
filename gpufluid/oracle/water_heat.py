"""The heat of water by mass: what goes along with a flow, and how it moves. And what ports add to cells and take away.

Twin of ``shaders/flow/heat_around.glsl``, ``shaders/flow/moving_heat.glsl`` and ``shaders/lib/heat_of_ports.glsl``.
Arrays are int64 [row, column]. Heat is in units of field ``water_heat``, mass in those of field ``mass``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.core.fields import QUANTITIES, WATER_HEAT_MOST
from gpufluid.core.frame import in_frame, in_world
from gpufluid.core.heat_shares import heat_along, heat_with_new
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.oracle.state import load_mass, load_water_heat, store_water_heat
from gpufluid.oracle.tally import Tally
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger, ledger_type

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The neighbours to the right, down, to the left and up as (row, column)."""


def heat_ledger(**entries: int) -> dict[str, AnyLedger]:
    """The ledger of the heat of water or of a mixture, by its name, with these entries."""
    return {"water_heat": ledger_type(QUANTITIES["water_heat"])(**entries)}


def add_heat(world: World, emitter: Emitter, added: np.ndarray) -> int:
    """Change the heat of the cells of an emitter that get some mass.

    Args:
        world: the world, with field ``water_heat``.
        emitter: the emitter, whose temperature, or else that of its material, is that of the new matter.
        added: the mass that each of its cells gets, (height, width) of any integer type.
    Returns: the heat that they get together.
    """
    full = world.new_amount(emitter.temperature, emitter.material)["water_heat"]
    now = load_water_heat(world)[emitter.slices].astype(np.int64)
    after = np.where(added > 0, heat_with_new(now, added.astype(np.int64), full), now)
    store_water_heat(world, after, emitter.slices)
    return int((after - now).sum())


def take_heat(world: World, drain: Drain, mass: np.ndarray, taken: np.ndarray) -> int:
    """Change the heat of the cells of a drain that lose mass.

    Args:
        world: the world, with field ``water_heat``.
        drain: the drain.
        mass: that of each of its cells before, (height, width) of any integer type.
        taken: the mass that each of them loses, of any integer type and of the same shape.
    Returns: the heat that they lose together.
    """
    now = load_water_heat(world)[drain.slices].astype(np.int64)
    lost = np.where(taken > 0, heat_along(now, mass.astype(np.int64), taken.astype(np.int64)), 0)
    store_water_heat(world, now - lost, drain.slices)
    return int(lost.sum())


def shared_heat(world: World, mass: np.ndarray, sent: Sequence[np.ndarray]) -> np.ndarray:
    """The heat that goes along with what each cell sends to its neighbours, in the order of `STEPS`.

    Args:
        world: the world, of which the heat is read.
        mass: the mass that can flow, int64 [row, column] of the gravity frame.
        sent: the mass that each cell sends, in the order of `STEPS`, each of any integer type and of the same shape.
    Returns: (rows, columns, 4) int64.
    """
    heat = np.where(in_frame(world.obstacles, world.gravity), 0, in_frame(load_water_heat(world), world.gravity))
    heat, found = heat.astype(np.int64), []
    for step, part in zip(STEPS, sent, strict=True):
        room = np.maximum(WATER_HEAT_MOST - np.abs(_neighbour(world, heat, step)), 0) >> 2
        along = heat_along(heat, mass.astype(np.int64), part.astype(np.int64))
        found.append(np.where(part == 0, 0, np.clip(along, -room, room)))
    return np.stack(found, axis=-1)


def move_shared_heat(world: World, sent: np.ndarray) -> Tally:
    """Move the heat that goes along with water that has just flowed.

    Args:
        world: the world; its masses are those after the flow.
        sent: as `shared_heat` returns it: (rows, columns, 4) int64.
    """
    obstacles, mass, heat = (
        in_frame(array, world.gravity) for array in (world.obstacles, load_mass(world), load_water_heat(world))
    )
    after = heat.astype(np.int64) - sent.sum(axis=-1)
    left = 0
    for (row, column), part in zip(STEPS, np.moveaxis(sent, -1, 0), strict=True):
        after += _neighbour(world, part, (-row, -column))
        beyond = part[:, -1 if column > 0 else 0] if column else part[-1 if row > 0 else 0]
        left += int(beyond.sum()) if world.edges == "open" else 0
    dry = ~obstacles & (mass == 0)
    lost = int(after[dry].sum())
    after[dry] = 0
    store_water_heat(world, in_world(after, world.gravity))
    return Tally(0, heat_ledger(left=left, air=-lost))


def _neighbour(world: World, array: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    """The value of each cell's neighbour at a step (row, column); 0 beyond the edges."""
    padded = np.pad(array, 1, mode="wrap") if world.edges == "wrap" else np.pad(array, 1)
    rows, columns = array.shape
    return padded[1 + step[0] : 1 + step[0] + rows, 1 + step[1] : 1 + step[1] + columns]
