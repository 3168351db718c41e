"""Pass `settle`, in 2x2 blocks: powders and liquids slide, moving neighbours cohere, gases diffuse."""

from __future__ import annotations

import numpy as np

from gpufluid.oracle import partition
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties, bounded_speed
from gpufluid.oracle.chance import noise, partition_offset
from gpufluid.oracle.tally import Tally
from gpufluid.rules import Call
from gpufluid.world import World


def block_offset(world: World, call: Call) -> tuple[int, int]:
    """The partition offset of this substep, (x, y), each 0 or 1; see `partition_offset`."""
    return partition_offset(world, call.tick * call.substeps + call.substep, world.fixed("atoms")["use_order"])


def settle(world: World, call: Call) -> Tally:
    """Permute each 2x2 block of one partition."""
    cells, matter = Cells.of(world), world.laws.once(MaterialProperties)
    offset = block_offset(world, call)
    blocks = Blocks(cells, matter, offset, world.edges == "wrap", world.materials["wall"])
    use = matter.fixed["use_settle"] + call.substep
    words = noise(world, blocks.x, blocks.y, call.tick, use)
    coin = (words[0] >> np.uint32(31)).astype(np.int64)
    none = np.zeros(coin.shape, bool)
    fell = none
    if world.gravity != "off":
        fell = blocks.slide(coin, words[2], words[3], ~none)
        fell = fell | blocks.slide(1 - coin, words[2], words[3], ~fell)
    for one, other in ((0, 1), (2, 3), (0, 2), (1, 3)):
        blocks.cohere(one, other)
    along = words[3] >> np.uint32(31) == 1
    for row in (0, 1):
        blocks.diffuse(2 * row, 2 * row + 1, _drawn(words[3], row), ~fell & ~along)
    near, far = _drawn(words[3], 0), _drawn(words[3], 1)
    for column in (0, 1):
        draw = np.where(coin == column, near, far)
        blocks.diffuse(column, column + 2, draw, ~fell & along & blocks.diffuses_along(column, world.gravity == "off"))
    blocks.write(cells)
    cells.write(world)
    return Tally()


class Blocks:
    """The 2x2 blocks of one partition: arrays [4, block row, block column].

    The four cells of a block are upper left, upper right, lower left, lower right.

    Args:
        cells: the cells of the world.
        matter: the properties of their materials.
        offset: the partition offset, (x, y), each 0 or 1.
        wrap: True on a torus; else the cells outside the world count as walls.
        wall: the material number of wall.
    """

    def __init__(
        self, cells: Cells, matter: MaterialProperties, offset: tuple[int, int], wrap: bool, wall: int
    ) -> None:
        self._matter = matter
        height, width = cells.shape
        self.x, self.y = partition.block_places((height, width), offset, wrap)
        rows = np.array([self.y, self.y, self.y + 1, self.y + 1])
        columns = np.array([self.x, self.x + 1, self.x, self.x + 1])
        self._inside = np.full(rows.shape, True) if wrap else _within(rows, height) & _within(columns, width)
        self._at = rows % height, columns % width
        self._fields = {name: values[self._at] for name, values in cells.parts().items()}
        for name, values in self._fields.items():
            values[~self._inside] = wall if name == "material" else 0
        over = (rows[:2] - 1) % height, columns[:2] % width
        there = wrap | (_within(rows[:2] - 1, height) & _within(columns[:2], width))
        self._above = np.where(there, cells.material[over], wall)

    def write(self, cells: Cells) -> None:
        """Write the atoms back to the cells."""
        at = self._at[0][self._inside], self._at[1][self._inside]
        parts = cells.parts()
        for name, values in self._fields.items():
            parts[name][at] = values[self._inside]

    def slide(self, column: np.ndarray, word: np.ndarray, last: np.ndarray, where: np.ndarray) -> np.ndarray:
        """Move a powder or liquid, nearly at rest on a cell without vertical speed, diagonally down.

        An atom is loaded if a powder or liquid lies on it. An atom whose grain is not below the slide of its material
        slides only if it is loaded. A loaded atom slides into an empty cell only with a small probability. Water by
        mass slides only under a lighter fluid; elsewhere rule ``flow`` moves it.

        Args:
            column: the column of the upper atom in each block, 0 or 1; integers of any shape.
            word, last: random words for each block, uint32 of the same shape.
            where: the blocks in which nothing has moved yet, bool of the same shape.
        Returns: the blocks with a move, bool of the same shape.
        """
        matter, fixed = self._matter, self._matter.fixed
        atom, below = self._pick("material", column), self._pick("material", column + 2)
        beside, target = self._pick("material", 1 - column), self._pick("material", 3 - column)
        speed = fixed["slide_speed"]
        still = (abs(self._pick("along", column)) <= speed) & (self._pick("along", column + 2) == 0)
        own = matter.is_amount(atom) & (matter.is_empty(target) | matter.is_amount(target))
        possible = matter.is_heavy(atom) & ~own & still & ~matter.gives_way(below, atom)
        possible &= matter.gives_way(beside, atom)
        loaded = matter.is_heavy(np.take_along_axis(self._above, column[None], 0)[0])
        possible &= matter.gives_way(target, atom) & (loaded | (self._pick("grain", column) < matter.slide[atom]))
        held = ((below == atom) | matter.is_solid(below)) & (_drawn(word, 2) < matter.stick[atom])
        shed = np.where(matter.is_fluid(atom), fixed["shed_liquid"], fixed["shed_powder"])
        empty = matter.is_empty(target)
        held |= loaded & empty & (_drawn(last, 2) >= shed)
        moves = where & possible & ~held & (empty | (_drawn(word, 3) < matter.exchange_chance(atom, target)))
        pushed = bounded_speed(self._pick("across", column) + (1 - 2 * column) * fixed["slide_across"])
        for number in (0, 1):
            starts = moves & empty & (column == number)
            self._fields["across"][number][starts] = pushed[starts]
            self._fields["along"][number][starts] = speed
            self._swap(moves & (column == number), number, 3 - number)
        return moves

    def cohere(self, one: int, other: int) -> None:
        """Make the velocities of two moving atoms of one material more alike; their sum stays the same.

        Speeds along gravity change only if both have the same sign, because an atom with speed 0 would count as an atom
        at rest. Speeds of powders across gravity, too, change only if both have the same sign.

        Args:
            one, other: the numbers of two cells of the blocks.
        """
        matter, fields = self._matter, self._fields
        across, along = fields["across"], fields["along"]
        at_rest = (across == 0) & (along == 0)
        alike = (fields["material"][one] == fields["material"][other]) & ~at_rest[one] & ~at_rest[other]
        cohesion = np.where(alike, matter.cohesion[fields["material"][one]], 0)
        same_way = np.sign(along[one]) * np.sign(along[other]) > 0
        fluid = matter.is_fluid(fields["material"][one])
        shares = fluid | (np.sign(across[one]) * np.sign(across[other]) > 0)
        for speeds, where in ((across, shares), (along, same_way)):
            difference = speeds[one] - speeds[other]
            part = np.sign(difference) * (abs(difference) * cohesion // (2 * matter.fixed["cohesion_one"]))
            part = np.where(where, part, 0)
            speeds[one] -= part
            speeds[other] += part

    def diffuses_along(self, column: int, weightless: bool) -> np.ndarray:
        """The blocks in which a gas may diffuse along gravity in a column, bool of the common shape.

        Where there is gravity, only a gas that moves diffuses, and only into an empty cell.

        Args:
            column: the column of the blocks, 0 or 1.
            weightless: True in a world without gravity.
        """
        pair = [column, column + 2]
        moves = ((self._fields["across"][pair] != 0) | (self._fields["along"][pair] != 0)).any(axis=0)
        return weightless | (moves & self._matter.is_empty(self._fields["material"][pair]).any(axis=0))

    def diffuse(self, one: int, other: int, draw: np.ndarray, where: np.ndarray) -> None:
        """Exchange a gas with an empty cell or another gas, with a probability.

        Args:
            one, other: the numbers of two cells of the blocks.
            draw: a random number from 0 to 255 for each block, int64 of any shape.
            where: the blocks in which this may happen, bool of the same shape.
        """
        matter, first, second = self._matter, self._fields["material"][one], self._fields["material"][other]
        gas, gases = matter.is_gas(first), matter.is_gas(second)
        possible = (gas & (gases | matter.is_empty(second))) | (matter.is_empty(first) & gases)
        readiness = np.maximum(np.where(gas, matter.spread[first], 0), np.where(gases, matter.spread[second], 0))
        moves = where & possible & (first != second) & (draw < readiness)
        self._swap(moves, one, other)

    def _pick(self, name: str, number: np.ndarray) -> np.ndarray:
        return np.take_along_axis(self._fields[name], number[None], 0)[0]

    def _swap(self, where: np.ndarray, a: int, b: int) -> None:
        for values in self._fields.values():
            values[a][where], values[b][where] = values[b][where], values[a][where]


def _within(index: np.ndarray, length: int) -> np.ndarray:
    return (index >= 0) & (index < length)


def _drawn(word: np.ndarray, use: int) -> np.ndarray:
    """Byte number ``use`` of random words: int64, 0 to 255."""
    return (word >> np.uint32(8 * use) & np.uint32(0xFF)).astype(np.int64)
