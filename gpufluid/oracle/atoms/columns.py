"""Runs of a column that pass each other where denser matter lies on a less dense fluid.

Twin of ``shaders/atoms/runs.glsl``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from gpufluid.core.fields import SPEED_LIMIT, VELOCITY_ONE
from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.atoms.motion import steady_step
from gpufluid.oracle.chance import noise
from gpufluid.rules import Call
from gpufluid.world import World


@dataclass(frozen=True, slots=True)
class Weight:
    """The properties of a cell that decide how two runs pass each other.

    Args:
        material, state, density: of the cell.
        speed: down, in 1/16 cell a tick.
        run: the same number in all cells of a run: the material, but one number for all amounts.
    """

    material: int
    state: int
    density: int
    speed: int
    run: int

    @property
    def is_powder(self) -> bool:
        """True for a powder."""
        return self.state == State.POWDER

    @property
    def is_fluid(self) -> bool:
        """True for a liquid or a gas."""
        return self.state >= State.LIQUID

    def creeps_through(self, lower: Weight) -> bool:
        """True if this is a fluid that lies on a liquid: the two pass each other without a speed."""
        return self.is_fluid and lower.state == State.LIQUID

    def is_same_run(self, other: Weight) -> bool:
        """True if two cells belong to one run."""
        return self.state >= State.POWDER and self.run == other.run

    def passes(self, lower: Weight) -> bool:
        """True if the matter in this cell and that in the cell below pass each other."""
        mobile = self.state >= State.POWDER and lower.state >= State.POWDER
        fluid = (self.is_fluid or lower.is_fluid) and not self.is_same_run(lower)
        return mobile and fluid and self.density > lower.density and lower.speed <= 0


class Columns:
    """The columns of the gravity frame.

    Attributes:
        world: the world.
        cells: a copy of its cells, [row, column].
        state, density: of what lies in each cell, int [row, column]; the density in kg/m3.
        is_amount: bool [row, column], True in cells with water by mass, or parts of a mixture.
    """

    def __init__(self, world: World, call: Call) -> None:
        self.cells, self._matter = Cells.of(world), world.laws.once(MaterialProperties)
        self.world, self._call = world, call
        wall = world.materials["wall"]
        self._wall = Weight(wall, State.SOLID, 0, 0, wall)
        self.state = self._matter.state[self.cells.material]
        self.density = self._matter.density[self.cells.material]
        self.is_amount = self._matter.is_amount(self.cells.material)

    def begins(self) -> np.ndarray:
        """The cells in which a run has its upper end: [row, column] bool."""
        run = np.minimum(self.cells.material, len(self.world.materials))
        goes_on = (self.state >= State.POWDER) & (run == np.roll(run, 1, axis=0))
        if self.world.edges != "wrap":
            goes_on[0] = False
        return ~goes_on

    def passing(self) -> np.ndarray:
        """The cells whose matter and that in the cell below pass each other: [row, column] bool."""
        state, density, along = self.state, self.density, self.cells.along
        below = [np.roll(array, -1, axis=0) for array in (state, density, along)]
        if self.world.edges != "wrap":
            below[0][-1] = State.SOLID
        mobile = (state >= State.POWDER) & (below[0] >= State.POWDER)
        fluid = (state >= State.LIQUID) | (below[0] >= State.LIQUID)
        apart = ~(self.is_amount & np.roll(self.is_amount, -1, axis=0))
        return mobile & fluid & apart & (density > below[1]) & (below[2] <= 0)

    def passing_at(self, row: int, column: int) -> tuple[bool, int]:
        """Compute how the run that ends with a row and the run below it pass each other.

        Returns: True if the upper run moves down, False if the lower run moves up; the number of cells.
        """
        fixed, rows = self._matter.fixed, self.cells.shape[0]
        upper, lower = self.at(row, column), self.at(row + 1, column)
        above, below, first = 1, 1, upper
        while above < min(2 * fixed["run_most"], rows - 1) and self.at(row - above, column).is_same_run(upper):
            first = self.at(row - above, column)
            above += 1
        while below < min(fixed["run_most"], rows - 1) and self.at(row + 1 + below, column).is_same_run(lower):
            below += 1
        over, under = self.at(row - above, column), self.at(row + 1 + below, column)
        above, below = self._ends_that_pass(row, column, above, below)
        above = min(above, fixed["run_most"])
        down = _upper_moves(over, upper, lower, under, above <= below)
        speed = self._sinking_speed(upper, lower, above) if down else self._rising_speed(upper, lower)
        if not down and below < fixed["bubble"] and self._is_small_bubble(row + 1, column):
            speed = max(speed * below // fixed["bubble"], 1)
        if not over.is_same_run(upper) and over.passes(first):
            return down, 0  # the two runs above pass each other first
        if upper.creeps_through(lower):
            word = int(self._words(row, column)[2])
            step = (word >> 31) * (2 * speed + (word & 15)) >> 4
        else:
            step = int(steady_step(np.array(speed), self._call.tick))
        return down, min(step, below if down else above, fixed["step_most"])

    def _is_small_bubble(self, row: int, column: int) -> bool:
        """True if a run of gas that begins with a row is a bubble one cell wide in a liquid.

        It rises slower, the fewer cells it has, so that others join it.
        """
        over, gas, *beside = (self.at(row + y, column + x) for x, y in ((0, -1), (0, 0), (-1, 0), (1, 0)))
        alone = not any(each.is_same_run(gas) for each in beside)
        return over.state == State.LIQUID and gas.state == State.GAS and alone

    def _ends_that_pass(self, row: int, column: int, above: int, below: int) -> tuple[int, int]:
        """The numbers of cells of the run that ends with a row, and of the run below it, that can pass the other run.

        Water by mass is one run, but its cells differ in density. So only the cells next to the other run can pass it,
        up to the first that is not denser than it (above), or not less dense (below).

        Args:
            row, column: the last cell of the upper run.
            above, below: the numbers of cells of the two runs.
        """
        upper, lower = self.at(row, column), self.at(row + 1, column)
        over = (self.at(row - i, column).density > lower.density for i in range(above))
        under = (self.at(row + 1 + i, column).density < upper.density for i in range(below))
        return sum(takewhile(bool, over)), sum(takewhile(bool, under))

    def pass_cells(self, moved: Cells, row: int, column: int, down: bool, step: int) -> None:
        """Let the run that ends with a row and the run below it pass each other.

        Args:
            moved: the cells to change.
            down: True if the upper run moves down, False if the lower run moves up.
            step: the number of cells by which it moves.
        """
        rows, most = self.cells.shape[0], self._matter.fixed["run_most"]
        upper, lower = self.at(row, column), self.at(row + 1, column)
        begin, ahead, run = (row, 1, upper) if down else (row + 1, -1, lower)
        count = 1
        while count < min(most, rows - 1) and self.at(begin - ahead * count, column).is_same_run(run):
            count += 1
        ends = self._ends_that_pass(row, column, *((count, 1) if down else (1, count)))
        count = ends[0] if down else ends[1]
        run_rows = (begin - ahead * np.arange(count)) % rows
        passed_rows = (begin + ahead * np.arange(1, step + 1)) % rows
        behind = (begin + ahead * (np.arange(1, step + 1) - count)) % rows
        for name, values in moved.parts().items():
            before = self.cells.parts()[name][:, column]
            values[(run_rows + ahead * step) % rows, column] = before[run_rows]
            values[behind, column] = before[passed_rows]
        if down and not upper.creeps_through(lower):
            speed = self._sinking_speed(upper, lower, count)
            shared: int | np.ndarray = speed
            if self._keeps_speed(lower):
                each, more = divmod(int(self.cells.along[run_rows, column].clip(0).sum()), count)
                shared = np.maximum(each + (np.arange(count) < more), 1)
            moved.along[(run_rows + step) % rows, column] = shared
            if speed > VELOCITY_ONE and self.at(row - count, column).state == State.EMPTY:
                coin, more, *_ = (int(word) for word in self._words(row, column))
                moved.across[behind, column] = [(1 - 2 * ((coin ^ more >> i) & 1)) * (speed >> 1) for i in range(step)]
                moved.along[behind, column] = -(speed >> 1)

    def _sinking_speed(self, upper: Weight, lower: Weight, cells: int) -> int:
        steady = self.steady_speed(upper, lower)
        if upper.creeps_through(lower):
            return min(steady, SPEED_LIMIT)
        excess = upper.speed - steady
        if excess <= 0:
            return max(upper.speed, 1)
        return upper.speed if self._keeps_speed(lower) else max(upper.speed - self.lost(excess, lower, cells), steady)

    def _keeps_speed(self, lower: Weight) -> bool:
        """True if a powder keeps its speed: in water by mass `inertia.push` takes it and hands it to the water."""
        return "inertia" in self.world.rules and lower.run == len(self.world.materials)

    def lost(self, excess: int, fluid: Weight, cells: int) -> int:
        """The speed that a powder loses in a tick at an excess over the steady speed, in 1/16 cell a tick."""
        return 1 + (excess * int(self._matter.resistance[fluid.material]) >> 8) // cells

    def steady_speed(self, upper: Weight, lower: Weight) -> int:
        """The steady speed at which the upper run sinks through the lower one, in 1/16 cell a tick."""
        matter = self._matter
        creeps = matter.fixed["liquid_drift"] if upper.creeps_through(lower) else 1
        return self._drift(int(matter.terminal[upper.material]) * creeps, upper, lower, lower.material)

    def _rising_speed(self, upper: Weight, lower: Weight) -> int:
        matter = self._matter
        most = matter.fixed["powder_rise"] if lower.is_powder else int(matter.terminal[lower.material])
        creeps = matter.fixed["liquid_drift"] if lower.state == State.LIQUID else 1
        return min(self._drift(most * creeps, upper, lower, upper.material), SPEED_LIMIT)

    def _drift(self, most: int, dense: Weight, light: Weight, fluid: int) -> int:
        part = most * (dense.density - light.density) // dense.density
        return max(part * (256 - int(self._matter.resistance[fluid])) >> 8, 1)

    def may_float(self, row: int, column: int) -> bool:
        """True if chance lets a stack that ends with a row sink or rise in this tick."""
        return int(self._words(row, column)[3]) >> (32 - self.world.fixed("inertia")["floats_bits"]) == 0

    def _words(self, row: int, column: int) -> tuple[np.ndarray, ...]:
        use = self._matter.fixed["use_weigh"]
        return tuple(word.reshape(-1)[0] for word in noise(self.world, column, row, self._call.tick, use))

    def at(self, row: int, column: int) -> Weight:
        """The matter at a place, which may lie outside the world: a wall there, unless the world is a torus."""
        rows, width = self.cells.shape
        if self.world.edges != "wrap" and not (0 <= row < rows and 0 <= column < width):
            return self._wall
        at = row % rows, column % width
        state, density = int(self.state[at]), int(self.density[at])
        material = int(self.cells.material[at])
        return Weight(material, state, density, int(self.cells.along[at]), min(material, len(self.world.materials)))


def _upper_moves(over: Weight, upper: Weight, lower: Weight, under: Weight, is_shorter: bool) -> bool:
    """True if it is the upper of two runs that moves.

    If one run is powder, it moves. Else the upper run moves if it is a drop, in the open or in a lighter fluid, and the
    lower run moves if it is a bubble. If both are true or neither is, the shorter run moves.

    Args:
        over, upper, lower, under: the cell above the upper run, its lowest cell, the highest cell of the lower run,
            and the cell below that run.
        is_shorter: True if the upper run is not longer than the lower one.
    """
    if upper.is_powder or lower.is_powder:
        return upper.is_powder
    drop = over.state == State.EMPTY or over.is_same_run(lower)
    return is_shorter if drop == under.is_same_run(upper) else drop
