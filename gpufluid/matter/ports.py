"""What enters and leaves a world while it runs: emitters and drains, each a rectangle of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np

from gpufluid.core.errors import PortError, WorldError, shown
from gpufluid.core.fields import FULL, MASS_LIMIT, SPEED_LIMIT, VELOCITY_ONE
from gpufluid.matter.transitions import temperature_problem

SPEED_MOST = 7.9
"""Cells a tick: no atom is thrown faster."""

CHANCE_ONE = 1 << 31
"""The fixed-point form of certainty: a hash of 31 bits is always below it."""


@dataclass(frozen=True, slots=True)
class Port:
    """What emitters and drains have in common: a rectangle of cells that acts for a time.

    Args:
        at: (x, y), the cell at the left end of the top row; row 0 is the world's top.
        size: (width, height) in cells.
        start: the first tick in which it acts.
        until: the tick in which it acts no more; None means for ever.
    Raises: PortError: what no world can have; the first thing wrong, as a sentence. What a certain world cannot have is
        found when it is made or run.
    """

    at: tuple[int, int]
    size: tuple[int, int] = (1, 1)
    start: int = 0
    until: int | None = None

    def __post_init__(self) -> None:
        for name in ("at", "size", "velocity"):  # a list or an array will do; what is kept is plain
            pair = getattr(self, name, None)
            if isinstance(pair, list | np.ndarray):
                object.__setattr__(self, name, tuple(np.asarray(pair).tolist()))
        problems = self._problems()
        if problems:
            raise PortError(type(self).__name__.lower(), problems)

    def acts(self, tick: int) -> bool:
        """Whether it acts in a tick."""
        return self.start <= tick and (self.until is None or tick < self.until)

    def ends(self, tick: int) -> bool:
        """Whether it never acts from a tick on."""
        return self.until is not None and (tick >= self.until or self.start >= self.until)

    def _problems(self) -> list[WorldError]:
        """All that keeps it from acting in any world; each names its field."""
        amounts = {name: getattr(self, name) for name in ("rate", "level") if getattr(self, name, None) is not None}
        return [
            *self._place_problems(),
            *self._time_problems(),
            *(
                WorldError(name, f"{shown(cells)}; expected 0 to 1000 cells")
                for name, cells in amounts.items()
                if not _is_number(cells) or not 0 <= cells <= 1000
            ),
        ]

    def _place_problems(self) -> Iterator[WorldError]:
        for name in ("at", "size"):
            pair = getattr(self, name)
            if not isinstance(pair, Sequence) or len(pair) != 2 or not all(is_whole(part) for part in pair):
                yield WorldError(name, f"{shown(pair)}; expected two whole numbers")
            elif name == "size" and min(pair) < 1:
                yield WorldError(name, f"{list(pair)}; expected at least 1 by 1")

    def _time_problems(self) -> Iterator[WorldError]:
        if not is_whole(self.start) or self.start < 0:
            yield WorldError("start", f"{shown(self.start)}; expected a tick from 0 on")
        elif self.until is not None and (not is_whole(self.until) or self.until <= self.start):
            yield WorldError("until", f"{shown(self.until)}; expected a tick after start, which is {self.start}")

    def outside(self, width: int, height: int) -> WorldError | None:
        """What to say if it reaches outside a world of so many cells."""
        (x, y), (columns, rows) = self.at, self.size
        if x >= 0 and y >= 0 and x + columns <= width and y + rows <= height:
            return None
        reach = f"columns {x} to {x + columns - 1}, rows {y} to {y + rows - 1}"
        return WorldError("at", f"{reach} reach outside the world of {width} by {height} cells")

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its cells, as an index of a [row, column] array."""
        (x, y), (width, height) = self.at, self.size
        return slice(y, y + height), slice(x, x + width)


@dataclass(frozen=True, slots=True)
class Emitter(Port):
    """Adds material: each of its cells, each tick, with a chance, by a rate, up to a level.

    Args:
        material: the name of what it adds.
        rate: cells of mass added to each cell in a tick. Of atoms, which are whole, an empty cell gets one with this
            probability, 0 to 1.
        chance: the probability that a cell of it emits in a tick, 0 to 1.
        level: the mass, in cells, up to which it fills a cell. Over 1 it presses. Atoms have none.
        velocity: (x, y) in cells a tick, for rules whose matter has one.
        scatter: how far either component of an atom's velocity may be from it, in cells a tick.
        temperature: of its atoms, in degrees C; None: as new atoms of the material have it.
    """

    material: str = "water"
    rate: float = 1.0
    chance: float = 1.0
    level: float = 1.0
    velocity: tuple[float, float] | None = None
    scatter: float = 0.0
    temperature: float | None = None

    def _problems(self) -> list[WorldError]:
        """All that keeps it from acting in any world; each names its field."""
        found = Port._problems(self)
        if not isinstance(self.material, str):
            found.append(WorldError("material", f"{shown(self.material)}; expected the name of a material"))
        if not _is_number(self.chance) or not 0 <= self.chance <= 1:
            found.append(WorldError("chance", f"{shown(self.chance)}; expected a number from 0 to 1"))
        if self.velocity is not None and (problem := velocity_problem(self.velocity)):
            found.append(WorldError("velocity", problem))
        if not _is_number(self.scatter) or not 0 <= self.scatter <= SPEED_MOST:
            wanted = f"expected a number from 0 to {SPEED_MOST:g} cells a tick"
            found.append(WorldError("scatter", f"{shown(self.scatter)}; {wanted}"))
        if self.temperature is not None and (problem := temperature_problem(self.temperature)):
            found.append(WorldError("temperature", problem))
        return found

    def rate_units(self, substep: int, substeps: int) -> int:
        """The part of the rate that falls to one of a tick's substeps, in units of mass."""
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
        """The probability that an empty cell of it gets an atom in a tick, in 2**31sts."""
        return round(self.chance * min(self.rate, 1.0) * CHANCE_ONE)

    @property
    def velocity_units(self) -> tuple[int, int]:
        """The velocity in 1/16 cell a tick."""
        return velocity_units(self.velocity or (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class Drain(Port):
    """Takes matter away: each of its cells, each tick, by a rate.

    Args:
        rate: cells of mass taken from each cell in a tick; None takes everything. Of atoms, which are whole, one is
            taken with this probability, 0 to 1.
    """

    rate: float | None = None

    def rate_units(self, substep: int, substeps: int) -> int:
        """The part of the rate that falls to one of a tick's substeps, in units of mass."""
        return MASS_LIMIT if self.rate is None else _share(units(self.rate), substep, substeps)

    @property
    def atom_chance(self) -> int:
        """The probability that an atom in it is taken in a tick, in 2**31sts."""
        return round((1.0 if self.rate is None else min(self.rate, 1.0)) * CHANCE_ONE)


def _share(whole: int, part: int, parts: int) -> int:
    """One of the parts into which a whole number falls apart evenly, and without loss."""
    return whole * (part + 1) // parts - whole * part // parts


def units(cells: float) -> int:
    """Cells of mass as whole units, to the nearest: the one way by which a decimal becomes state."""
    return min(round(cells * FULL), MASS_LIMIT)


def speed_units(cells: float) -> int:
    """Cells a tick in 1/16, to the nearest, within the limit that a cell can hold."""
    return max(-SPEED_LIMIT, min(round(cells * VELOCITY_ONE), SPEED_LIMIT))


def velocity(x: float, y: float) -> tuple[int, int]:
    """A velocity in cells a tick, to the right and down, as the array ``velocity`` of a world holds it.

    Returns: the same in 1/16 cell a tick, to the nearest.
    Raises: WorldError: no number, or over 7.9 cells a tick either way.
    """
    problem = velocity_problem((x, y))
    if problem:
        raise WorldError("velocity", problem)
    return velocity_units((x, y))


def velocity_units(velocity: Sequence[float]) -> tuple[int, int]:
    """(x, y) in cells a tick as what a cell holds."""
    x, y = velocity
    return speed_units(x), speed_units(y)


def velocity_problem(value: object) -> str | None:
    """What keeps a value from being a velocity in cells a tick, if anything does."""
    parts = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else []
    if len(parts) == 2 and all(_is_number(part) and -SPEED_MOST <= part <= SPEED_MOST for part in parts):
        return None
    return f"{shown(value)}; expected two numbers from -{SPEED_MOST:g} to {SPEED_MOST:g} cells a tick"


def is_whole(value: object) -> bool:
    """Whether a value is a whole number, Python's or NumPy's; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
