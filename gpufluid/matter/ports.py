"""Ports: the emitters and drains of a world.

A *port* is a rectangle of cells through which matter enters or leaves the world while it runs. An emitter is a port
that adds matter, a drain is a port that removes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gpufluid.core.errors import PortError, WorldError, shown
from gpufluid.core.fields import COUNT_LIMIT, FULL, MASS_LIMIT, SPEED_LIMIT, VELOCITY_ONE
from gpufluid.core.numeric import is_number, is_whole
from gpufluid.matter.transitions import temperature_problem

PORTS_MOST = 4096
"""The most emitters of a world, and the most drains."""

PLACE_MOST = 1 << 30
"""The largest number in the place or the size of a port, in cells: the longest side of a whole world."""

SPEED_MOST = 7.9
"""The largest component of an emitter's velocity, in cells a tick. Speeds above 7.875 are clamped to `SPEED_LIMIT`."""

CHANCE_ONE = 1 << 31
"""The fixed-point form of a chance of 1. Every random number of 31 bits is below it."""


@dataclass(frozen=True, slots=True)
class Port:
    """A rectangle of cells that acts during a range of ticks; the common part of `Emitter` and `Drain`.

    Args:
        at: (x, y), the top left cell; row 0 is the top of the world.
        size: (width, height) in cells.
        start: the first tick in which the port acts.
        until: the first tick in which the port no longer acts; None: it acts for ever.
    Raises: PortError: a value that is invalid in every world. Whether the port fits a certain world, its size and its
        materials, is checked when that world is made or run.
    """

    at: tuple[int, int]
    size: tuple[int, int] = (1, 1)
    start: int = 0
    until: int | None = None

    def __post_init__(self) -> None:
        for name in ("at", "size", "velocity"):  # a list or an array is accepted and stored as a tuple
            pair = getattr(self, name, None)
            if isinstance(pair, list | np.ndarray):
                object.__setattr__(self, name, tuple(np.asarray(pair).tolist()))
        problems = self._problems()
        if problems:
            raise PortError(type(self).__name__.lower(), problems)

    def acts(self, tick: int) -> bool:
        """True if the port acts in a tick."""
        return self.start <= tick and (self.until is None or tick < self.until)

    def ends(self, tick: int) -> bool:
        """True if the port acts in no tick from the given one on."""
        return self.until is not None and tick >= self.until

    def _problems(self) -> list[WorldError]:
        """The problems of the port in every world; each names its field. Subclasses add theirs."""
        amounts = {name: getattr(self, name) for name in ("rate", "level") if getattr(self, name, None) is not None}
        return [
            *self._place_problems(),
            *self._time_problems(),
            *(
                WorldError(name, f"{shown(cells)}; expected 0 to 1000 cells")
                for name, cells in amounts.items()
                if not is_number(cells, 0, 1000)
            ),
        ]

    def _place_problems(self) -> Iterator[WorldError]:
        for name in ("at", "size"):
            pair = getattr(self, name)
            if not isinstance(pair, Sequence) or len(pair) != 2 or not all(is_whole(part) for part in pair):
                yield WorldError(name, f"{shown(pair)}; expected two whole numbers")
            elif max(abs(part) for part in pair) > PLACE_MOST:
                yield WorldError(name, f"{shown(list(pair))}; expected numbers of at most {PLACE_MOST}")
            elif name == "size" and min(pair) < 1:
                yield WorldError(name, f"{list(pair)}; expected at least 1 by 1")

    def _time_problems(self) -> Iterator[WorldError]:
        if not is_whole(self.start, 0):
            yield WorldError("start", f"{shown(self.start)}; expected a tick from 0 on")
        elif self.until is not None and not is_whole(self.until, self.start + 1):
            yield WorldError("until", f"{shown(self.until)}; expected a tick after start, which is {shown(self.start)}")
        for name, tick in (("start", self.start), ("until", self.until)):
            if tick is not None and is_whole(tick, COUNT_LIMIT + 1):
                yield WorldError(name, f"{shown(tick)}; expected a tick up to {COUNT_LIMIT}")

    def outside(self, width: int, height: int) -> WorldError | None:
        """The problem of a port that reaches outside a world of width by height cells; None: it lies inside."""
        (x, y), (columns, rows) = self.at, self.size
        if x >= 0 and y >= 0 and x + columns <= width and y + rows <= height:
            return None
        reach = f"columns {x} to {x + columns - 1}, rows {y} to {y + rows - 1}"
        return WorldError("at", f"{reach} reach outside the world of {width} by {height} cells")

    @property
    def slices(self) -> tuple[slice, slice]:
        """The cells of the port, as an index into a [row, column] array."""
        (x, y), (width, height) = self.at, self.size
        return slice(y, y + height), slice(x, x + width)


@dataclass(frozen=True, slots=True)
class Emitter(Port):
    """A port that adds a material to each of its cells in each tick.

    Args:
        material: the name of the material.
        rate: of a material by mass, the mass added to each cell in a tick, in full cells. Of atoms, the probability
            that an empty cell gets one atom; a rate over 1 counts as 1.
        chance: the probability that a cell of the port emits in a tick, 0 to 1.
        level: of a material by mass, the mass up to which a cell is filled, in full cells; a level over 1 makes
            pressure. Not used for atoms.
        velocity: (x, y) of new matter in cells a tick, for rules with velocities or momentum; None: at rest.
        scatter: the largest random deviation of either component of an atom's velocity, in cells a tick.
        temperature: of new atoms, in degrees C; None: the default of the material.
    """

    material: str = "water"
    rate: float = 1.0
    chance: float = 1.0
    level: float = 1.0
    velocity: tuple[float, float] | None = None
    scatter: float = 0.0
    temperature: float | None = None

    def _problems(self) -> list[WorldError]:
        """The problems of the emitter in every world; each names its field."""
        found = Port._problems(self)  # super() does not work in a dataclass with slots
        if not isinstance(self.material, str):
            found.append(WorldError("material", f"{shown(self.material)}; expected the name of a material"))
        if not is_number(self.chance, 0, 1):
            found.append(WorldError("chance", f"{shown(self.chance)}; expected a number from 0 to 1"))
        if self.velocity is not None and (problem := velocity_problem(self.velocity)):
            found.append(WorldError("velocity", problem))
        if not is_number(self.scatter, 0, SPEED_MOST):
            wanted = f"expected a number from 0 to {SPEED_MOST:g} cells a tick"
            found.append(WorldError("scatter", f"{shown(self.scatter)}; {wanted}"))
        if self.temperature is not None and (problem := temperature_problem(self.temperature)):
            found.append(WorldError("temperature", problem))
        return found

    def rate_units(self, substep: int, substeps: int) -> int:
        """The mass added to a cell in one substep, in units of mass. The substeps of a tick add up to the rate.

        Args:
            substep: the number of the substep, from 0 on.
            substeps: the number of substeps in a tick.
        """
        return _share(units(self.rate), substep, substeps)

    @property
    def level_units(self) -> int:
        """The level in units of mass."""
        return units(self.level)

    @property
    def chance_fixed(self) -> int:
        """The chance in 2**31sts."""
        return round(self.chance * CHANCE_ONE)

    @property
    def atom_chance(self) -> int:
        """The probability that an empty cell of the emitter gets an atom in a tick, in 2**31sts."""
        return round(self.chance * min(self.rate, 1.0) * CHANCE_ONE)

    @property
    def velocity_units(self) -> tuple[int, int]:
        """The velocity in 1/16 cell a tick."""
        return velocity_units(self.velocity or (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Drain(Port):
    """A port that removes matter from each of its cells in each tick.

    Args:
        rate: of a material by mass, the mass removed from each cell in a tick, in full cells. Of atoms, the probability
            that an atom is removed; a rate over 1 counts as 1. None: everything is removed. A drain that removes every
            atom also removes those that would cross it within a tick.
    """

    rate: float | None = None

    def rate_units(self, substep: int, substeps: int) -> int:
        """The mass removed from a cell in one substep, in units of mass; `MASS_LIMIT` removes everything.

        Arguments as for `Emitter.rate_units`.
        """
        return MASS_LIMIT if self.rate is None else _share(units(self.rate), substep, substeps)

    @property
    def atom_chance(self) -> int:
        """The probability that an atom in the drain is removed in a tick, in 2**31sts."""
        return round((1.0 if self.rate is None else min(self.rate, 1.0)) * CHANCE_ONE)


def _share(whole: int, part: int, parts: int) -> int:
    """Part number ``part``, from 0, of an integer divided into ``parts`` integers that add up to it exactly."""
    return whole * (part + 1) // parts - whole * part // parts


def units(cells: float) -> int:
    """A mass in full cells to units of mass, rounded to the nearest, at most `MASS_LIMIT`."""
    return min(round(cells * FULL), MASS_LIMIT)


def speed_units(cells: float) -> int:
    """A speed in cells a tick to 1/16 cell a tick, rounded to the nearest and clamped to `SPEED_LIMIT`."""
    return max(-SPEED_LIMIT, min(round(cells * VELOCITY_ONE), SPEED_LIMIT))


def velocity(x: float, y: float) -> tuple[int, int]:
    """A velocity in the unit of the array ``velocity`` of a world.

    Args:
        x, y: to the right and down, in cells a tick.
    Returns: (x, y) in 1/16 cell a tick, rounded to the nearest.
    Raises: WorldError: a component is no number, or over 7.9 cells a tick in size.
    """
    problem = velocity_problem((x, y))
    if problem:
        raise WorldError("velocity", problem)
    return velocity_units((x, y))


def velocity_units(velocity: Sequence[float]) -> tuple[int, int]:
    """A velocity (x, y) in cells a tick to 1/16 cell a tick; each component as `speed_units`."""
    x, y = velocity
    return speed_units(x), speed_units(y)


def velocity_problem(value: object) -> str | None:
    """The problem of a value as a velocity in cells a tick; None: the value is valid."""
    parts = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
    if len(parts) == 2 and all(is_number(part, -SPEED_MOST, SPEED_MOST) for part in parts):
        return None
    return f"{shown(value)}; expected two numbers from -{SPEED_MOST:g} to {SPEED_MOST:g} cells a tick"
