"""The cells of a world in the gravity frame, and the properties of materials. Twin of ``shaders/lib/atom.glsl``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import FIELDS, FULL, PLANES, QUANTITIES, SPEED_LIMIT, Plane, carried_planes
from gpufluid.core.frame import in_frame, in_world, layers_in_frame, layers_in_world, turned_to_frame, turned_to_world
from gpufluid.core.packing import pack, separate, unpack
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
from gpufluid.rules import RULES, Laws
from gpufluid.rules.atoms import (
    MIXTURE_STEPS,
    STEP_WEIGHT,
    WATER_STEPS,
    WEIGHT_SHIFT,
    WORDS,
    layer_densities,
    open_below,
    properties,
)
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger, ledger_type


@dataclass
class Cells:
    """A copy of a world's cells, to read and change: int32 arrays [row, column] of the gravity frame.

    Args:
        material: material numbers.
        across, along: the velocity across gravity and along it, in 1/16 cell a tick.
        grain: the world's field ``grain``.
        tag: the world's ``scratch["tag"]``, a number by which a test follows an atom; 0 in a world without it.
        carried: the packed words of further planes that move with an atom, by the plane's name.
        amounts: by name, the water by mass in each cell, or each layer of a mixture, in units: 0 in cells with an atom.
            Empty in a world without amounts beside atoms, and for passes to which cells with amounts are empty. Else
            `write` writes them back. The material of a cell with amounts is one of
            `gpufluid.rules.atoms.properties`.
    """

    material: np.ndarray
    across: np.ndarray
    along: np.ndarray
    grain: np.ndarray
    tag: np.ndarray
    carried: dict[str, np.ndarray]
    amounts: dict[str, np.ndarray]

    @classmethod
    def of(cls, world: World, sees_amounts: bool = True) -> Cells:
        """Copy the cells of a world; ``sees_amounts`` is False for passes that see cells with amounts as empty."""
        tag = load_tag(world) if TAG in world.scratch else np.zeros((world.height, world.width), np.int32)
        x, y = (load_velocity(world)[:, :, axis].astype(np.int32) for axis in (0, 1))
        across, along = turned_to_frame(x, y, world.gravity)
        arrays = (load_material(world), across, along, load_grain(world), tag)
        carried = {plane.name: accessor("load", plane.name)(world).view(np.int32) for plane in carried_by(world)}
        turned = {name: in_frame(words, world.gravity).copy() for name, words in carried.items()}
        material, *others = (in_frame(array, world.gravity).astype(np.int32) for array in arrays)
        amounts = amounts_in_frame(world) if sees_amounts else {}
        if amounts:
            step = density_step(world, amounts)
            material = np.where((material == 0) & (step > 0), len(world.materials) + step - 1, material)
        return cls(material, *others, carried=turned, amounts=amounts)

    def parts(self) -> dict[str, np.ndarray]:
        """The arrays that move with an atom, by name: [row, column] int32, not copied."""
        own = {name: getattr(self, name) for name in ("material", "across", "along", "grain", "tag")}
        return own | self.amounts | self.carried

    def write(self, world: World) -> None:
        """Write the cells back to the world."""
        is_amount = self.material >= len(world.materials)
        material, across, along, grain = (
            np.where(is_amount, 0, each) for each in (self.material, self.across, self.along, self.grain)
        )
        store_material(world, in_world(material, world.gravity))
        store_grain(world, in_world(grain, world.gravity))
        x, y = turned_to_world(across, along, world.gravity)
        if self.amounts:
            layers = layers_in_world(np.stack(list(self.amounts.values())), world.gravity)
            plane = world.laws.amounts_beside_atoms
            accessor("store", plane)(world, layers if PLANES[plane].layered else layers[0])
        store_velocity(world, in_world(np.stack((x, y), axis=-1), world.gravity))
        for name, words in self.carried.items():
            accessor("store", name)(world, in_world(words.view(np.uint32), world.gravity))
        if TAG in world.scratch:
            store_tag(world, in_world(self.tag, world.gravity))

    def fields_of(self, plane: str) -> dict[str, np.ndarray]:
        """The fields of a carried plane, by name: copies, [row, column] int64."""
        return {name: values.astype(np.int64) for name, values in self._unpacked(PLANES[plane]).items()}

    def _unpacked(self, plane: Plane) -> dict[str, np.ndarray]:
        """The fields of a carried plane by name, also of cells without an atom: new arrays of the field's type."""
        words = self.carried[plane.name].view(np.uint32)
        if not plane.instead:
            return {name: np.array(values) for name, values in unpack(plane, words).items()}
        has_amounts = np.logical_or.reduce([np.zeros(self.shape, bool), *(each > 0 for each in self.amounts.values())])
        return separate(plane, words, (self.material != 0) & ~has_amounts)

    def set_fields(self, plane: str, values: Mapping[str, np.ndarray]) -> None:
        """Replace all fields of a carried plane.

        Args:
            plane: the name of the plane.
            values: the fields by name, [row, column] of any integer type; a value beyond the field's type wraps.
        """
        names = [name for name in (*PLANES[plane].fields, PLANES[plane].instead) if name]
        arrays = {name: values[name].astype(FIELDS[name].dtype) for name in names}
        self.carried[plane] = pack(PLANES[plane], arrays).view(np.int32)

    def held(self, world: World) -> dict[str, int]:
        """The total of each quantity that atoms carry in further planes, by the quantity's name."""
        found = {}
        for plane in carried_by(world):
            arrays = self._unpacked(plane)
            for name in arrays:
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


def give_tags(world: World, born: np.ndarray) -> None:
    """Set the tag of each new atom in a formerly empty cell to that cell: the atom has not moved.

    Args:
        world: the world; without scratch ``tag`` nothing is done.
        born: the cells with new atoms, bool [row, column] of the gravity frame.
    """
    if TAG in world.scratch:
        where = np.ascontiguousarray(in_world(born, world.gravity))
        rows, columns = np.nonzero(where)
        store_tag(world, rows << 16 | columns, where)


def carried_by(world: World) -> tuple[Plane, ...]:
    """The planes of a world that move with an atom, besides the plane of the atoms themselves."""
    return tuple(PLANES[name] for name in carried_planes(plane.name for plane in world.planes))


def counted(entry: str, more: Mapping[str, int], less: Mapping[str, int]) -> dict[str, AnyLedger]:
    """Make a ledger for each quantity, with one entry: the difference of two totals.

    Args:
        entry: the name of the entry; a quantity without such an entry gets no ledger.
        more, less: totals by quantity, as `Cells.held` returns them; the entry is more - less.
    """
    entries = {name: {entry: more[name] - less[name]} for name in more if entry in QUANTITIES[name].entries}
    return {name: ledger_type(QUANTITIES[name])(**each) for name, each in entries.items()}


def amounts_in_frame(world: World) -> dict[str, np.ndarray]:
    """The amounts that share no cell with atoms, by name: copies, int32 [row, column] of the frame, in units.

    The names are those of members of ``struct Carried``. Empty in a world without such amounts.
    """
    plane = world.laws.amounts_beside_atoms
    if not plane:
        return {}
    held = accessor("load", plane)(world)
    layers = layers_in_frame(held if PLANES[plane].layered else held[None], world.gravity)
    names = [f"amount_{layer}" for layer in range(len(layers))] if PLANES[plane].layered else [plane]
    return {name: layer.astype(np.int32) for name, layer in zip(names, layers, strict=True)}


def density_step(world: World, amounts: Mapping[str, np.ndarray]) -> np.ndarray:
    """The step of density of amounts among atoms, (rows, columns) int32: 0 where there are none.

    Args:
        world: the world, of which the laws are used.
        amounts: as `amounts_in_frame` returns them.
    """
    densities = layer_densities(world.laws)
    if not densities:
        return (np.minimum(amounts["mass"], FULL) * WATER_STEPS + FULL - 1) // FULL
    rounding = (1 << WEIGHT_SHIFT) - 1
    weight = sum(
        (amount + rounding >> WEIGHT_SHIFT) * density
        for amount, density in zip(amounts.values(), densities, strict=True)
    )
    return np.minimum((weight + STEP_WEIGHT - 1) // STEP_WEIGHT, MIXTURE_STEPS)


class MaterialProperties:
    """The properties of materials for rule ``atoms``: int32 arrays, indexed by material number.

    After the materials of the world come those of the amounts beside atoms; see `gpufluid.rules.atoms.properties`.
    """

    def __init__(self, laws: Laws) -> None:
        tables = laws.once(RULES["atoms"].numbers.tables)
        table = {name: np.array(column, np.int32) for name, column in properties(laws).items()}
        self._water = len(laws.materials)
        self.state = table["state"]
        self.density = table["density"]
        self.terminal = table["terminal"]
        self.drag = table["drag"]
        self.bounce = table["bounce"]
        self.slide = table["slide"]
        self.spread = table["spread"]
        self.stick = table["stick"]
        self.cohesion = table["cohesion"]
        self.stray = table["stray"]
        self.splash = table["splash"]
        self.resistance = table["resistance"]
        self.pull = WORDS["motion"].part(tables["motion"], "pull")
        self.weight = WORDS["contact"].part(tables["contact"], "weight")
        self.heads = np.array(tables["heads"], np.int32)
        self.fixed = laws.constants["atoms"]
        self._open_below = open_below(laws)

    def is_amount(self, material: np.ndarray) -> np.ndarray:
        """Test for amounts, which are water by mass or a mixture; material numbers of any shape to bool."""
        return material >= self._water

    def is_empty(self, material: np.ndarray) -> np.ndarray:
        """Test for empty cells, by material numbers: integers of any shape to bool."""
        return material == 0

    def is_solid(self, material: np.ndarray) -> np.ndarray:
        """Test for solids, by material numbers: integers of any shape to bool."""
        return self.state[material] == State.SOLID

    def is_gas(self, material: np.ndarray) -> np.ndarray:
        """Test for gases, by material numbers: integers of any shape to bool."""
        return self.state[material] == State.GAS

    def is_fluid(self, material: np.ndarray) -> np.ndarray:
        """Test for liquids and gases, by material numbers: integers of any shape to bool."""
        return self.state[material] >= State.LIQUID

    def is_mobile(self, material: np.ndarray) -> np.ndarray:
        """Test for powders, liquids and gases, which can move, by material numbers: integers of any shape to bool."""
        return self.state[material] >= State.POWDER

    def is_heavy(self, material: np.ndarray) -> np.ndarray:
        """Test for powders and liquids, which rest on the cell below; material numbers of any shape to bool."""
        return self.is_mobile(material) & ~self.is_gas(material)

    def is_elastic(self, material: np.ndarray) -> np.ndarray:
        """Test for elastic powders, which have a cohesion of 1; material numbers of any shape to bool."""
        return (self.state[material] == State.POWDER) & (self.cohesion[material] == self.fixed["cohesion_one"])

    def gives_way(self, material: np.ndarray, to: np.ndarray) -> np.ndarray:
        """True if an atom may enter a cell: the cell is empty, or holds a fluid less dense than the atom.

        Args:
            material: the material of the cell, integers of any shape.
            to: the material of the atom, integers of the same shape.
        Returns: bool of the same shape.
        """
        return self.is_empty(material) | (self.is_fluid(material) & (self.density[material] < self.density[to]))

    def is_thin(self, material: np.ndarray) -> np.ndarray:
        """Test for amounts of less liquid than a full cell, or of gas; material numbers of any shape to bool."""
        return self.is_amount(material) & (self.density[material] < self._open_below)

    def is_open(self, material: np.ndarray, to: np.ndarray) -> np.ndarray:
        """True if a cell is as good as empty for a fluid: it is empty, or has thin amounts that are less dense.

        Args:
            material: the material of the cell, integers of any shape.
            to: the material of the fluid, integers of the same shape.
        Returns: bool of the same shape.
        """
        return self.is_empty(material) | (self.is_thin(material) & self.gives_way(material, to))

    def exchange_chance(self, heavy: np.ndarray, light: np.ndarray) -> np.ndarray:
        """The probability, in 256ths, that a denser atom is exchanged with a fluid; int32 of any shape.

        Args:
            heavy, light: the materials of the atom and of the fluid, integers of any shape.
        """
        more = self.weight[heavy] - self.weight[light]
        return self.fixed["exchange_least"] + np.minimum(more, self.fixed["exchange_more"])


def bounded_speed(speed: np.ndarray) -> np.ndarray:
    """The speed clamped to `SPEED_LIMIT`: int32 of any shape, in 1/16 cell a tick."""
    return np.clip(speed, -SPEED_LIMIT, SPEED_LIMIT)


def slowed(speed: np.ndarray, drag: np.ndarray) -> np.ndarray:
    """The speed reduced by the drag, toward 0: all int32 of any shape, in 1/16 cell a tick."""
    return np.sign(speed) * np.maximum(np.abs(speed) - drag, 0)


def side_of(world: World, tick: int, substep: int) -> int:
    """The side toward which a substep works, 1 (right) or -1: a side drawn once a tick, in odd substeps the other."""
    coin = int(noise_of_all(world, tick, world.fixed("atoms")["use_side"])[0][0])
    return 1 if (coin + substep) % 2 == 0 else -1
