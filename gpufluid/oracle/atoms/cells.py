"""The cells of a world in gravity's frame, and what their materials say of them. Twin of ``shaders/lib/atom.glsl``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import FIELDS, PLANES, QUANTITIES, SPEED_LIMIT, Plane, carried_planes, unpack
from gpufluid.core.frame import in_frame, in_world, turned_to_frame, turned_to_world
from gpufluid.matter.materials import State
from gpufluid.oracle.chance import noise_of_all
from gpufluid.oracle.state import (
    TAG,
    accessor,
    load_grain,
    load_material,
    load_tag,
    load_velocity,
    store_grain,
    store_material,
    store_tag,
    store_velocity,
)
from gpufluid.rules.atoms import WORDS
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger, ledger_type


@dataclass
class Cells:
    """The cells of a world, [row, column] of gravity's frame, as int32 arrays to be read and written.

    Args:
        material: numbers of the material table.
        across, along: the components of the velocity in the frame, along is with gravity.
        grain: as the world has it.
        tag: any number that an atom carries, for those who follow it; the world's ``scratch["tag"]``, if it has one.
        carried: the words of the planes that atoms carry, by the names of these planes.
    """

    material: np.ndarray
    across: np.ndarray
    along: np.ndarray
    grain: np.ndarray
    tag: np.ndarray
    carried: dict[str, np.ndarray]

    @classmethod
    def of(cls, world: World) -> Cells:
        """A copy of a world's cells."""
        tag = load_tag(world) if TAG in world.scratch else np.zeros((world.height, world.width), np.int32)
        x, y = (load_velocity(world)[:, :, axis].astype(np.int32) for axis in (0, 1))
        across, along = turned_to_frame(x, y, world.gravity)
        arrays = (load_material(world), across, along, load_grain(world), tag)
        carried = {plane.name: accessor("load", plane.name)(world).view(np.int32) for plane in carried_by(world)}
        turned = {name: in_frame(words, world.gravity).copy() for name, words in carried.items()}
        return cls(*(in_frame(array, world.gravity).astype(np.int32) for array in arrays), carried=turned)

    def parts(self) -> dict[str, np.ndarray]:
        """All that moves with an atom, by name: [row, column] int32 arrays, those of the cells themselves."""
        own = {name: getattr(self, name) for name in ("material", "across", "along", "grain", "tag")}
        return own | self.carried

    def write(self, world: World) -> None:
        """Put them back into the world."""
        store_material(world, in_world(self.material, world.gravity))
        store_grain(world, in_world(self.grain, world.gravity))
        x, y = turned_to_world(self.across, self.along, world.gravity)
        store_velocity(world, in_world(np.stack((x, y), axis=-1), world.gravity))
        for name, words in self.carried.items():
            accessor("store", name)(world, in_world(words.view(np.uint32), world.gravity))
        if TAG in world.scratch:
            store_tag(world, in_world(self.tag, world.gravity))

    def held(self, world: World) -> dict[str, int]:
        """What all atoms together carry of each quantity, by its name."""
        found = {}
        for plane in carried_by(world):
            arrays = {name: np.array(each) for name, each in unpack(plane, self.carried[plane.name]).items()}
            for name in plane.fields:
                quantity = QUANTITIES.get(FIELDS[name].quantity)
                if quantity is not None:
                    measure = quantity.measure
                    each = arrays[name] if measure is None else measure.twin(world.materials, self.material, arrays)
                    found[quantity.name] = int(each.sum(dtype=np.int64))
        return found

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the frame."""
        rows, columns = self.material.shape
        return rows, columns


def carried_by(world: World) -> tuple[Plane, ...]:
    """The planes of a world that atoms carry beside their own."""
    return tuple(PLANES[name] for name in carried_planes(plane.name for plane in world.planes))


def counted(entry: str, more: Mapping[str, int], less: Mapping[str, int]) -> dict[str, AnyLedger]:
    """A ledger of each quantity, with the difference of two amounts in one entry.

    Args:
        entry: its name; quantities without it are left out.
        more, less: amounts by quantity, as `Cells.held` says them.
    """
    entries = {name: {entry: more[name] - less[name]} for name in more if entry in QUANTITIES[name].entries}
    return {name: ledger_type(QUANTITIES[name])(**each) for name, each in entries.items()}


class Matter:
    """What the material table and the rule say of materials, by number, as int32 arrays to index with cells."""

    def __init__(self, world: World) -> None:
        table, tables = world.materials, world.tables("atoms")
        self.state = table.column("state")
        self.density = table.column("density")
        self.terminal = table.column("terminal")
        self.drag = table.column("drag")
        self.bounce = table.column("bounce")
        self.slide = table.column("slide")
        self.spread = table.column("spread")
        self.stick = table.column("stick")
        self.pull = WORDS["motion"].part(tables["motion"], "pull")
        self.weight = WORDS["heft"].part(tables["heft"], "weight")
        self.heads = np.array(tables["heads"], np.int32)
        self.fixed = world.fixed("atoms")

    def is_empty(self, material: np.ndarray) -> np.ndarray:
        """Whether a cell is empty, by its material number; integers of any shape to bool."""
        return material == 0

    def is_solid(self, material: np.ndarray) -> np.ndarray:
        """Whether a material is solid; integers of any shape to bool."""
        return self.state[material] == State.SOLID

    def is_gas(self, material: np.ndarray) -> np.ndarray:
        """Whether a material is a gas; integers of any shape to bool."""
        return self.state[material] == State.GAS

    def is_fluid(self, material: np.ndarray) -> np.ndarray:
        """Whether a material is a liquid or a gas; integers of any shape to bool."""
        return self.state[material] >= State.LIQUID

    def is_mobile(self, material: np.ndarray) -> np.ndarray:
        """Whether a material can move: powders, liquids and gases; integers of any shape to bool."""
        return self.state[material] >= State.POWDER

    def is_heavy(self, material: np.ndarray) -> np.ndarray:
        """Whether a material is a powder or a liquid, which rest on the cell below; integers of any shape to bool."""
        return self.is_mobile(material) & ~self.is_gas(material)

    def gives_way(self, material: np.ndarray, to: np.ndarray) -> np.ndarray:
        """Whether an atom of material ``to`` may take the place: the cell is empty, or holds a less dense fluid.

        Args:
            material: the material of the place, integers of any shape.
            to: the material of the atom, of the same shape.
        Returns: bool of the same shape.
        """
        return self.is_empty(material) | (self.is_fluid(material) & (self.density[material] < self.density[to]))

    def exchange_chance(self, heavy: np.ndarray, light: np.ndarray) -> np.ndarray:
        """The probability, in 256ths, that a denser atom is exchanged with a fluid; int32 of any shape.

        Args:
            heavy, light: the materials of the atom and of the fluid.
        """
        more = self.weight[heavy] - self.weight[light]
        return self.fixed["exchange_least"] + np.minimum(more, self.fixed["exchange_more"])


def bounded_speed(speed: np.ndarray) -> np.ndarray:
    """Speeds clamped to `SPEED_LIMIT`; int32 of any shape, in 1/16 cell a tick."""
    return np.clip(speed, -SPEED_LIMIT, SPEED_LIMIT)


def slowed(speed: np.ndarray, drag: np.ndarray) -> np.ndarray:
    """Speeds reduced by friction, toward 0; int32 of any shape, in 1/16 cell a tick."""
    return np.sign(speed) * np.maximum(np.abs(speed) - drag, 0)


def side_of(world: World, tick: int, substep: int) -> int:
    """The side to which this run of a pass works, 1 or -1: the tick's coin, then the other one."""
    coin = int(noise_of_all(world, tick, world.fixed("atoms")["use_side"])[0][0])
    return 1 if (coin + substep) % 2 == 0 else -1
