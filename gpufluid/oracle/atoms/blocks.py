"""Pass `settle`, in 2x2 blocks: denser atoms sink through fluids, powders and liquids slide, gases diffuse."""

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
    cells, matter = Cells.of(world), MaterialProperties(world)
    offset = block_offset(world, call)
    blocks = Blocks(cells, matter, offset, world.edges == "wrap", world.materials["wall"])
    use = matter.fixed["use_settle"] + call.substep
    words = noise(world, blocks.x, blocks.y, call.tick, use)
    coin = (words[0] >> np.uint32(31)).astype(np.int64)
    none = np.zeros(coin.shape, bool)
    fell = none
    if world.gravity != "off":
        fell = blocks.sink(0, words[1]) | blocks.sink(1, words[1])
        fell = fell | blocks.slide(coin, words[2], ~fell)
        fell = fell | blocks.slide(1 - coin, words[2], ~fell)
    blocks.diffuse(0, words[3], ~fell)
    blocks.diffuse(1, words[3], ~fell)
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

    def sink(self, column: int, word: np.ndarray) -> np.ndarray:
        """Exchange a denser atom with the less dense fluid below it, with a probability.

        Args:
            column: the column of the blocks, 0 or 1.
            word: a random word for each block, uint32 of any shape.
        Returns: the blocks with an exchange, bool of the same shape.
        """
        matter, material = self._matter, self._fields["material"]
        upper, lower = material[column], material[column + 2]
        could = matter.is_mobile(upper) & ~matter.is_empty(lower) & matter.gives_way(lower, upper)
        does = could & (_drawn(word, column) < matter.exchange_chance(upper, lower))
        self._swap(does, column, column + 2)
        return does

    def slide(self, column: np.ndarray, word: np.ndarray, where: np.ndarray) -> np.ndarray:
        """Move a powder or liquid, nearly at rest on a cell without vertical speed, diagonally down.

        A powder that is too rough to slide by itself slides if a powder or liquid lies on it.

        Args:
            column: the column of the upper atom in each block, 0 or 1; int of any shape.
            word: a random word for each block, uint32.
            where: the blocks in which nothing has moved yet, bool.
        Returns: the blocks with a move, bool of the same shape.
        """
        matter, fixed = self._matter, self._matter.fixed
        atom, below = self._pick("material", column), self._pick("material", column + 2)
        beside, target = self._pick("material", 1 - column), self._pick("material", 3 - column)
        speed = fixed["slide_speed"]
        still = (abs(self._pick("along", column)) <= speed) & (self._pick("along", column + 2) == 0)
        could = matter.is_heavy(atom) & still & ~matter.gives_way(below, atom) & matter.gives_way(beside, atom)
        loaded = matter.is_heavy(np.take_along_axis(self._above, column[None], 0)[0])
        could &= matter.gives_way(target, atom) & (loaded | (self._pick("grain", column) < matter.slide[atom]))
        held = ((below == atom) | matter.is_solid(below)) & (_drawn(word, 2) < matter.stick[atom])
        empty = matter.is_empty(target)
        does = where & could & ~held & (empty | (_drawn(word, 3) < matter.exchange_chance(atom, target)))
        pushed = bounded_speed(self._pick("across", column) + (1 - 2 * column) * fixed["slide_across"])
        for number in (0, 1):
            starts = does & empty & (column == number)
            self._fields["across"][number][starts] = pushed[starts]
            self._fields["along"][number][starts] = speed
            self._swap(does & (column == number), number, 3 - number)
        return does

    def diffuse(self, row: int, word: np.ndarray, where: np.ndarray) -> None:
        """Exchange a gas with an empty cell or another gas beside it, with a probability.

        Args:
            row: the row of the blocks, 0 or 1.
            word: a random word for each block, uint32 of any shape.
            where: the blocks in which nothing has moved yet, bool of the same shape.
        """
        matter, material = self._matter, self._fields["material"]
        left, right = material[2 * row], material[2 * row + 1]
        gas, other = matter.is_gas(left), matter.is_gas(right)
        could = (gas & (other | matter.is_empty(right))) | (matter.is_empty(left) & other)
        readiness = np.maximum(np.where(gas, matter.spread[left], 0), np.where(other, matter.spread[right], 0))
        does = where & could & (left != right) & (_drawn(word, row) < readiness)
        self._swap(does, 2 * row, 2 * row + 1)

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
