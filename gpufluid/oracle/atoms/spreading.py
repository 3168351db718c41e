"""Passes `seek` and `spread`: an atom with matter on top passes through its own kind to a hole at the end of its run.

A *run* is a row of touching atoms of one fluid, or of full cells of water by mass beside atoms of a less dense liquid.
A *hole* is a cell after the run's end that is empty or holds a less dense fluid; thin water by mass counts as empty for
a denser liquid. A *head* is an atom of the run that may move into a hole.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt

import numpy as np

from gpufluid.core.fields import VELOCITY_ONE
from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties, bounded_speed, side_of
from gpufluid.oracle.chance import noise
from gpufluid.oracle.neighbours import beside
from gpufluid.oracle.state import load_slots, store_slots
from gpufluid.oracle.tally import Tally
from gpufluid.rules import SEGMENT, Call
from gpufluid.world import World


def seek(world: World, call: Call) -> Tally:
    """Find the foremost run that can spread in each segment of every other row, and the run's heads."""
    search = _Rows(world, call)
    rows, columns = search.cells.shape
    slots = np.zeros((-(-(columns + SEGMENT - 1) // SEGMENT), -(-rows // 2), 4), np.uint32)
    facing = search.faces_hole()
    for row in range(search.parity, rows, 2):
        ends = np.flatnonzero(facing[row])[::-1]  # the foremost first
        for index in ends:
            slot = (index + search.lead) // SEGMENT, row // 2
            if slots[slot][0] == 0 and search.may_flow(int(index), row):
                distance, depth, lift = search.head_of(int(index), row)
                if distance >= 0 and not search.sticks(int(index), row):
                    holes = search.holes_beyond(int(index), row)
                    heads = search.followers(int(index), row, distance, min(holes.bit_count(), search.heads_at(depth)))
                    place = (index + search.lead) % SEGMENT + 1
                    slots[slot] = depth << 24 | distance << 8 | place, heads, holes, lift
    store_slots(world, slots)
    return Tally()


def spread(world: World, call: Call) -> Tally:
    """Exchange each head that `seek` found with its hole. A head gets the speed of Torricelli's law.

    If the hole holds a less dense fluid and is not open (see `MaterialProperties.is_open`), the atom ``lift`` rows
    above the head moves instead, and its speed does not change.
    """
    search = _Rows(world, call)
    cells, matter = search.cells, search.matter
    slots = load_slots(world)
    for segment, pair in np.argwhere(slots[:, :, 0]):
        word, heads, holes, lift = (int(part) for part in slots[segment, pair])
        end, row = int(segment) * SEGMENT - search.lead + (word & 0xFF) - 1, 2 * int(pair) + search.parity
        distance, depth = word >> 8 & 0xFFFF, word >> 24
        for behind, beyond in zip([0, *(bit + 1 for bit in _bits(heads))], _bits(holes), strict=False):
            start = row - lift, search.column(end - distance - behind)
            hole = row, search.column(end + 1 + beyond)
            material = cells.material[start]
            if matter.is_open(cells.material[hole], material):
                speed = outflow(abs(int(matter.pull[material])), int(matter.terminal[material]), depth)
                cells.across[start] = bounded_speed(cells.across[start] + search.side * speed)
            for values in cells.parts().values():
                values[start], values[hole] = values[hole], values[start]
    cells.write(world)
    return Tally()


def outflow(pull: int, terminal: int, depth: int) -> int:
    """The speed of a fall from the surface by Torricelli's law, sqrt(2 a h), in 1/16 cell a tick.

    The speed is at most the terminal speed.

    Args:
        pull: a, in 1/16 cell a tick a tick.
        terminal: the terminal speed, in 1/16 cell a tick.
        depth: h, in cells.
    """
    return min(isqrt(2 * pull * VELOCITY_ONE * depth), terminal)


class _Rows:
    """The rows of the gravity frame, indexed from the side from which the fluid comes."""

    def __init__(self, world: World, call: Call) -> None:
        self.cells, self.matter = Cells.of(world), world.laws.once(MaterialProperties)
        self.side = side_of(world, call.tick, call.substep)
        # Rows and segments are counted in the whole world: the first segment may begin `lead` cells before the piece.
        self.parity = (call.tick + (call.substep >> 1) + world.domain.frame_origin(world.gravity)[1]) & 1
        self.lead = world.domain.columns_before(world.gravity, self.side) % SEGMENT
        self._world, self._call = world, call
        self._wrap = world.edges == "wrap"
        self._wall = world.materials["wall"]
        self._use = self.matter.fixed["use_seek"] + call.substep

    def column(self, index: int) -> int:
        """The frame's column of an index inside the world; on a torus of any index."""
        column = index if self.side > 0 else self.cells.shape[1] - 1 - index
        return column % self.cells.shape[1]

    def material(self, row: int, index: int) -> int:
        """The material at a position, which may lie outside the world: a wall there, unless the world is a torus."""
        rows, columns = self.cells.shape
        if not self._wrap and not (0 <= row < rows and 0 <= index < columns):
            return self._wall
        return int(self.cells.material[row % rows, self.column(index)])

    def faces_hole(self) -> np.ndarray:
        """The cells with an atom at the end of a run, next to a hole: [row, index] bool."""
        matter = self.matter
        end = self._from_back(self.cells.material)
        hole = self._shifted(end, 0, 1, self._wall)
        along = self._from_back(self.cells.along)
        pull = np.sign(matter.pull[end])
        may_end = matter.is_fluid(end) & (along == 0) & (hole != end)
        gives_way = matter.gives_way(hole, end) & ~matter.is_empty(hole) & (self._shifted(along, 0, 1, 0) == 0)
        slides = ~matter.is_thin(end) & gives_way & ~matter.is_amount(hole) & ~matter.is_gas(hole)
        spreads = (pull != 0) & (matter.is_empty(hole) | ((pull > 0) & gives_way))
        return may_end & np.where(matter.is_amount(end), slides, spreads)

    def gathers(self, index: int, row: int, tail: int) -> bool:
        """True if a short run of a liquid with nothing on top moves by a cell toward the next run of its row.

        It does if that run is nearer than the next one behind it. So the uppermost row of a liquid, which is not full,
        gathers in long runs. The shortest gap of a row only ever gets shorter, so runs join and the row comes to rest.
        """
        matter, own, last, most = self.matter, self.material(row, index), index - tail, self.matter.fixed["gather"]
        may = matter.state[own] == State.LIQUID and matter.pull[own] > 0 and matter.cohesion[own] > 0
        bare = self.material(row - 1, last) == 0 and self.material(row - 1, index + 1) == 0
        if not may or not bare or self.material(row, index + 1) != 0 or tail >= most:
            return False
        floor = np.array(self.material(row + 1, index + 1))
        if self.cells.along[row, self.column(last)] != 0 or matter.gives_way(floor, np.array(own)):
            return False
        ahead = self._gap_before(own, row, index + 1, 1, most)
        return ahead < most and self._gap_before(own, row, last - 1, -1, ahead + 1) > ahead

    def _gap_before(self, own: int, row: int, index: int, direction: int, most: int) -> int:
        """The empty cells from an index on, in a direction, before an atom of the same liquid; at most ``most``.

        It is ``most`` if there is no such atom before that number of cells.
        """
        for gap in range(most):
            if self.material(row, index + direction * gap) != 0:
                return gap if self.material(row, index + direction * gap) == own else most
        return most

    def head_of(self, index: int, row: int) -> tuple[int, int, int]:
        """The head of a run, or the atom of a run that gathers.

        Returns: its distance from the run's end, -1 if no atom leaves; its depth, 0 if it has nothing on top; the rows
            from it up to the atom that leaves in its place.
        """
        if not self._is_open(self.material(row, index + 1), self.material(row, index)):
            distance, lift = self._head_in_layer(index, row)
            return distance, self.depth(row, index - distance) if distance >= 0 else 0, lift
        distance = self._head_in_the_open(index, row)
        if distance >= 0:
            return distance, self.depth(row, index - distance), 0
        tail = self._tail(index, row)
        return (tail if self.gathers(index, row, tail) else -1), 0, 0

    def _tail(self, index: int, row: int) -> int:
        """The distance from a run's end to its last atom, as far as heads are searched before an empty hole."""
        reach, own = min(self.matter.fixed["reach_open"], self.cells.shape[1] - 1), self.material(row, index)
        others = (distance for distance in range(1, reach) if self.material(row, index - distance) != own)
        return max(next(others, reach) - 1, 0)

    def _head_in_the_open(self, index: int, row: int) -> int:
        """The distance to the head before an empty hole, drawn at random from the run's possible heads; -1: none."""
        found, best = -1, 0
        for distance in self._possible_heads(index, row, "reach_open"):
            here = self.column(index - distance)
            lot = int(noise(self._world, here, row, self._call.tick, self._use)[0][0]) | 1
            if lot > best:
                found, best = distance, lot
        return found

    def _head_in_layer(self, index: int, row: int) -> tuple[int, int]:
        """The head before a hole that holds a less dense fluid, and its lift.

        Of the possible heads it is one over which the run's fluid reaches highest. If the column of the head serves the
        row, the content of the hole moves to the top of that fluid and need not rise through it. Else, in a thin layer,
        the content takes the place of the head, if the head is near the top. The cell on top of the fluid must hold the
        same as the hole, or the same as the cell on top of the layer in the hole, so that a drop or a bubble stays in
        one piece. If fluid and layer are both higher than ``lift_most``, their tops are unknown, and the content moves
        to the highest cell of the fluid that was searched.
        """
        own, hole = self.material(row, index), self.material(row, index + 1)
        layer, over_layer = self._stack_over(hole, row, index + 1)
        shallow = self.matter.fixed["shallow"] if layer < self.matter.fixed["thin_layer"] else -1
        found, best = -1, 0
        for distance in self._possible_heads(index, row, "reach_fluid"):
            atoms, over = self._stack_over(own, row, index - distance)
            serves, drawn = self._draw_for_column(row, index - distance)
            lot = ((atoms - 1 | 1) << 24 if atoms and serves else 0) | drawn >> 8 | 1
            unknown = over == own and over_layer == hole
            if (over in (hole, over_layer) or unknown) and lot > best and (serves or atoms <= shallow):
                found, best = distance, lot
        return found, best >> 24

    def _possible_heads(self, index: int, row: int, reach: str) -> Iterator[int]:
        """The distances from a run's end to the atoms that can be its heads, the nearest first.

        Args:
            index, row: the end of the run.
            reach: the constant that has the number of atoms of the run to look at.
        """
        own, hole = self.material(row, index), self.material(row, index + 1)
        for distance in range(min(self.matter.fixed[reach], self.cells.shape[1] - 1)):
            if self._may_lead(own, hole, row, index - distance):
                yield distance
            if self.material(row, index - distance - 1) != own:
                break

    def _draw_for_column(self, row: int, index: int) -> tuple[bool, int]:
        """Draw for a column in a substep: whether it serves a row, and a lot, 32 bits.

        A column serves one of ``lift_pairs`` consecutive pairs of rows; so no two runs lift to one cell.
        """
        first_row, pairs = self._world.domain.frame_origin(self._world.gravity)[1], self.matter.fixed["lift_pairs"]
        drawn = noise(self._world, self.column(index), -first_row, self._call.tick, self._use)
        return (int(drawn[0][0]) >> 16) % pairs == (row + first_row >> 1) % pairs, int(drawn[1][0])

    def _stack_over(self, material: int, row: int, index: int) -> tuple[int, int]:
        """The number of atoms of one material that lie over a cell without a gap, and the material over them.

        The material is 0, too, for thin water. At most ``lift_most`` atoms, and not past the upper edge of a torus.
        """
        above = self.cells.material[:row, self.column(index)][::-1][: self.matter.fixed["lift_most"]]
        atoms = int(np.argmin(np.append(above == material, False)))
        over = self.material(row - atoms - 1, index)
        return atoms, 0 if self.matter.is_thin(np.array(over)) else over

    def may_flow(self, index: int, row: int) -> bool:
        """True if the fluid at the end of a run can flow into the cell before it.

        It can flow into the lowest cell of a layer of a less dense fluid. It can flow into an empty cell if a solid
        roof lies over the end, as in an orifice, or the empty cell lies on matter, or its height above matter is at
        most a share of the depth of the end. So a vertical surface of fluid flows out at its foot first.
        """
        matter, own = self.matter, self.material(row, index)
        down, depth = self._down(own), 0
        hole = self.material(row, index + 1)
        if not self._is_open(hole, own):
            floor = self.material(row + down, index + 1)
            lies = floor == own or not matter.state[floor] >= State.LIQUID
            layer = range(1, matter.fixed["layer"])
            return lies and all(self.material(row - height * down, index + 1) == hole for height in layer)
        for i in range(1, matter.fixed["toe_depth"] + 1):
            state = matter.state[self.material(row - i * down, index)]
            if state == State.SOLID and i <= matter.fixed["roof"]:
                return True
            if state in (State.EMPTY, State.SOLID):
                break
            depth += 1
        heights = range(1, depth // matter.fixed["toe"] + 2)
        return any(self.material(row + height * down, index + 1) != 0 for height in heights)

    def heads_at(self, depth: int) -> int:
        """The largest number of heads of a run that spread at once, by the depth of the first."""
        return int(self.matter.heads[depth])

    def holes_beyond(self, index: int, row: int) -> int:
        """The holes that a run may fill at once, as bits: bit 0 is the cell after the run's end.

        Holes behind further atoms of the same kind count too, but only within the run's segment.
        """
        own, columns = self.material(row, index), self.cells.shape[1]
        last = min(((index + self.lead) // SEGMENT + 1) * SEGMENT - self.lead, columns)
        mask, through = 1, False
        if not self._is_open(self.material(row, index + 1), own):
            return mask
        for i in range(1, self.matter.fixed["span"]):
            following = self.material(row, index + 1 + i)
            is_open = self._is_open(following, own)
            through = through or not is_open
            floor = self.material(row + self._down(own), index + 1 + i)
            if not (is_open or following == own) or (through and i >= last - 1 - index) or floor == 0:
                break
            mask |= is_open << i
        return mask

    def followers(self, index: int, row: int, distance: int, wanted: int) -> int:
        """The atoms behind a head that spread with it, as bits: bit 0 is the next atom."""
        own, hole, span = self.material(row, index), self.material(row, index + 1), self.matter.fixed["span"]
        mask, found = 0, 1
        for i in range(span):
            here = index - distance - 1 - i
            far = self._wrap and index - here >= self.cells.shape[1] - span  # not once around the torus
            if found >= wanted or self.material(row, here) != own or far:
                break
            if self._may_lead(own, hole, row, here):
                mask |= 1 << i
                found += 1
        return mask

    def sticks(self, index: int, row: int) -> bool:
        """Draw whether the run's end sticks in this substep and the run does not spread."""
        word = noise(self._world, self.column(index), row, self._call.tick, self._use)[1][0]
        return int(word) & 0xFF < self.matter.stick[self.material(row, index)]

    def depth(self, row: int, index: int) -> int:
        """The number of atoms stacked on a head, the head included, at most ``depth_most``."""
        up = self._down(self.material(row, index))
        depth = 1
        while depth < self.matter.fixed["depth_most"]:
            if self.matter.state[self.material(row - depth * up, index)] < State.POWDER:
                break
            depth += 1
        return depth

    def _is_open(self, hole: int, own: int) -> bool:
        """True if a hole is as good as empty for the fluid at the end of a run."""
        return bool(self.matter.is_open(np.array(hole), np.array(own)))

    def _down(self, fluid: int) -> int:
        """1 of a fluid that falls and of water by mass, -1 of a fluid that rises."""
        return 1 if self.matter.is_amount(np.array(fluid)) else int(np.sign(self.matter.pull[fluid]))

    def _may_lead(self, own: int, hole: int, row: int, index: int) -> bool:
        matter, behind = self.matter, self.material(row, index - 1)
        claimed = matter.state[behind] >= State.LIQUID and matter.density[behind] > matter.density[own]
        if self.material(row, index) != own or claimed:
            return False
        return self.cells.along[row, self.column(index)] == 0 and self._is_pressed(own, hole, row, index)

    def _is_pressed(self, fluid: int, hole: int, row: int, index: int) -> bool:
        up = self._down(fluid)
        pressing = self.material(row - up, index)
        state, density = self.matter.state, self.matter.density
        if up < 0:
            return state[pressing] == State.GAS
        follows = hole == 0 or (state[hole] >= State.LIQUID and density[hole] < density[pressing])
        return state[pressing] in (State.POWDER, State.LIQUID) and follows

    def _from_back(self, array: np.ndarray) -> np.ndarray:
        return array if self.side > 0 else array[:, ::-1]

    def _shifted(self, array: np.ndarray, row: int, index: int, outside: int) -> np.ndarray:
        """The value of each cell's neighbour at offset (row, index); ``outside`` beyond an edge."""
        return beside(array, row, index, wrap=self._wrap, outside=outside)


def _bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    return [bit for bit in range(32) if mask >> bit & 1]
