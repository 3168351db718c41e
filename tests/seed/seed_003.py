"""Seed 003, "Grid Based Fluid Systems": a literal transcription of its loop.

The article does not show its grid. It says that each cell has a current amount, a next amount, and a remaining amount
that has not flowed out yet, and that every cell is visited once a tick; here column by column, each from the top. It
calls the cell above both "top" and "up"; here it is "up".
"""

from __future__ import annotations

from collections.abc import Callable

TYPES = ("sand", "water", "lava", "steam", "ice", "floor")


class Cell:
    """``current``, ``next`` and ``remaining`` amounts of each type."""

    def __init__(self, amounts: dict[str, float]) -> None:
        self._current = {name: amounts.get(name, 0.0) for name in TYPES}
        self._next = dict(self._current)
        self._remaining = dict(self._current)

    def current(self, name: str) -> float:
        return self._current[name]

    def next(self, name: str) -> float:
        return self._next[name]

    def remaining(self, name: str) -> float:
        return self._remaining[name]

    def flow(self, neighbor: Cell | None, name: str, amount: float) -> None:
        self._remaining[name] -= amount
        self._next[name] -= amount
        if neighbor is not None:
            neighbor._next[name] += amount

    def finish(self) -> None:
        self._current = dict(self._next)
        self._remaining = dict(self._next)


class Neighborhood:
    """A cell and its neighbours, None outside the grid."""

    def __init__(self, grid: list[list[Cell]], col: int, row: int) -> None:
        def at(x: int, y: int) -> Cell | None:
            return grid[x][y] if 0 <= x < len(grid) and 0 <= y < len(grid[0]) else None

        self.col, self.row = col, row
        self.me = grid[col][row]
        self.up, self.down = at(col, row - 1), at(col, row + 1)
        self.left, self.right = at(col - 1, row), at(col + 1, row)

    def __getitem__(self, direction: str) -> Cell:
        return getattr(self, direction)


class Grid:
    """Cells as [column][row], row 0 at the top."""

    def __init__(self, cells: list[list[Cell]]) -> None:
        self.cells = cells

    def update(self, rule: Callable[[Neighborhood], None]) -> None:
        for col in range(len(self.cells)):
            for row in range(len(self.cells[0])):
                rule(self.neighborhood(col, row))

    def neighborhood(self, col: int, row: int) -> Neighborhood:
        return Neighborhood(self.cells, col, row)

    def finish(self) -> None:
        for column in self.cells:
            for cell in column:
                cell.finish()


def isPassable(neighborhood: Neighborhood, direction: str) -> bool:
    neighbor = getattr(neighborhood, direction)
    return neighbor is not None and not neighbor.current("floor")


def constrain(value: float, low: float, high: float) -> float:
    return max(min(value, high), low)


def doVerticalFlow(neighborhood: Neighborhood, type_: str, direction: str, speed: float = 1) -> None:
    passable = isPassable(neighborhood, direction)
    liquid = neighborhood.me.remaining(type_)
    if passable:
        room = 1 - neighborhood[direction].next(type_)
        flow = constrain(liquid, 0, min(speed, room))
        neighborhood.me.flow(neighborhood[direction], type_, flow)


def getSideOutFlow(neighborhood: Neighborhood, type_: str) -> tuple[float | None, float | None]:
    """getWaterSideOutFlow(), of any type; None is its false."""
    current = neighborhood.me.remaining(type_)
    divider = 1
    total = current
    doLeft = isPassable(neighborhood, "left") and neighborhood["left"].current(type_) < current
    doRight = isPassable(neighborhood, "right") and neighborhood["right"].current(type_) < current
    if doLeft:
        divider += 1
        total += neighborhood["left"].current(type_)
    if doRight:
        divider += 1
        total += neighborhood["right"].current(type_)
    stableLevel = total / divider
    toLeft = max(0, stableLevel - neighborhood["left"].current(type_)) if isPassable(neighborhood, "left") else None
    toRight = max(0, stableLevel - neighborhood["right"].current(type_)) if isPassable(neighborhood, "right") else None
    return toLeft, toRight


def doHorizontalFlow(
    neighborhood: Neighborhood,
    type_: str,
    direction: str,
    viscosity: float = 1,
    stickyness: float = 1,
    fluidity: float = 1,
) -> None:
    passable = isPassable(neighborhood, direction)
    support = neighborhood[direction].current(type_) if passable else 1
    liquid = neighborhood.me.remaining(type_)
    if support >= viscosity and liquid > stickyness:
        sideFlow = getSideOutFlow(neighborhood, type_)
        if sideFlow[0] is not None:
            neighborhood.me.flow(neighborhood["left"], type_, sideFlow[0] / fluidity)
        if sideFlow[1] is not None:
            neighborhood.me.flow(neighborhood["right"], type_, sideFlow[1] / fluidity)


def isPressured(
    neighborhood: Neighborhood, type_: str, direction: str, liquid: float, minliquid: float, minpressure: float
) -> bool:
    passable = isPassable(neighborhood, direction)
    pressure = 1 - neighborhood[direction].current(type_) if passable else 0
    return pressure >= minpressure and liquid >= minliquid


def doPressureFlow(
    grid: Grid,
    neighborhood: Neighborhood,
    type_: str,
    direction: str,
    minliquid: float = 0.5,
    minpressure: float = 0.1,
    connectedliquid: float = 0.5,
) -> None:
    liquid = neighborhood.me.remaining(type_)
    if not isPressured(neighborhood, type_, direction, liquid, minliquid, minpressure):
        return
    expansion_list: list[tuple[int, int]] = []
    done_list: set[tuple[int, int]] = set()

    def expand(around: Neighborhood) -> None:
        for name, at in (
            ("up", (around.col, around.row - 1)),
            ("left", (around.col - 1, around.row)),
            ("right", (around.col + 1, around.row)),
            ("down", (around.col, around.row + 1)),
        ):
            if isPassable(around, name) and at not in done_list:
                expansion_list.append(at)

    found, flow = None, 0.0
    expand(neighborhood)
    while expansion_list:
        todo = expansion_list.pop()
        done_list.add(todo)
        that = grid.neighborhood(*todo)
        thatliquid = that.me.next(type_)
        thatpressured = isPressured(that, type_, direction, thatliquid, 0, minpressure)
        check = neighborhood.row <= that.row if direction == "up" else neighborhood.row >= that.row
        room = 1 - that.me.next(type_)
        maxFlow = (liquid - thatliquid) / 2
        flow = constrain(liquid, 0, min(maxFlow, room))
        if thatliquid < liquid and thatpressured and check and flow > 0.1:
            found = that
            break
        if that.me.current(type_) > connectedliquid:
            expand(that)
    if found:
        neighborhood.me.flow(found.me, type_, flow)


def react(neighborhood: Neighborhood) -> None:
    me = neighborhood.me
    if me.remaining("water") and me.remaining("lava"):
        vaporation = min(me.remaining("water"), me.remaining("lava"))
        me.flow(None, "water", vaporation)
        me.flow(None, "steam", -vaporation)
    icenearby = any(
        neighbor is not None and neighbor.remaining("ice")
        for neighbor in (neighborhood.up, neighborhood.down, neighborhood.left, neighborhood.right)
    )
    if me.remaining("steam") and icenearby:
        vaporation = min(me.remaining("steam"), 0.2)
        me.flow(None, "steam", vaporation)
        me.flow(None, "water", -vaporation)


def tick(grid: Grid, random: Callable[[float, float], float], pressure: bool) -> None:
    """The materials of the article's last part, with the sand of its first; doPressureFlow only on request."""

    def rule(neighborhood: Neighborhood) -> None:
        doVerticalFlow(neighborhood, "sand", "down", 1)
        doVerticalFlow(neighborhood, "water", "down", 1)
        doVerticalFlow(neighborhood, "lava", "down", 1)
        doHorizontalFlow(neighborhood, "water", "down", 0.7, 0, 1)
        doHorizontalFlow(neighborhood, "lava", "down", 1, 0.8, 3)
        if random(0, 10) > 7:
            if random(0, 20) > 19:
                doVerticalFlow(neighborhood, "steam", "down", 0.1)
            else:
                doVerticalFlow(neighborhood, "steam", "up", 0.4)
        if random(0, 10) > 8:
            doHorizontalFlow(neighborhood, "steam", "up", 0.8, 0.1, 2)
        react(neighborhood)
        if pressure:
            doPressureFlow(grid, neighborhood, "water", "up")

    grid.update(rule)
    grid.finish()
