"""Strokes of a brush: it lays a material in the cells that it touches, or adds to a field of their atoms.

Both are edits between two ticks. `gpufluid.oracle.edit` applies them with NumPy, ``shaders/edit`` on a device.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.core.errors import WorldError, did_you_mean, shown
from gpufluid.core.fields import FIELDS, FULL, VELOCITY_ONE, Field
from gpufluid.core.numeric import is_number, is_whole
from gpufluid.matter.ports import velocity_problem
from gpufluid.scene.matter import amount_fields, empty_cells, has_velocity, put_material
from gpufluid.world import World
from gpufluid.world.validation import check_cells

ALL = 1 << 32
"""A probability of 1 in the fixed point of `Chance.units`."""

CHOSEN = 0x5B2A7
"""The last word of the hash by which cells are chosen at random."""

_BYTES = 0x6A41
"""Added to the seed, so that a brush draws other bytes than the world."""


_UNITS_MOST = 1 << 24
"""Most units of an array that a brush adds to a field at once, with either sign; the sum must fit in 32 bits."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Cells that are drawn at random from those of a brush.

    Law: a cell is chosen if ``pcg4d(column, row, serial, CHOSEN)`` has a first word below ``units``. The column and the
    row are those in the whole world.

    Args:
        share: the chance of each cell, 0 to 1.
        serial: number of the draw; other cells are drawn for each number.
    """

    share: float = 1.0
    serial: int = 0

    @property
    def units(self) -> int:
        """The share in units of 2**-32, 0 to `ALL`."""
        return round(self.share * ALL)

    def check(self) -> None:
        """Raise WorldError: a share out of range, or a serial number that is not whole."""
        if not is_number(self.share, 0, 1):
            raise WorldError("chance.share", f"{shown(self.share)}; expected a number from 0 to 1")
        if not is_whole(self.serial):
            raise WorldError("chance.serial", f"{shown(self.serial)}; expected a whole number")


@dataclass(frozen=True, slots=True)
class Laying:
    """A material that a brush lays.

    Args:
        material: its name.
        amount: the mass that is laid of a material stored as an amount, in full cells, 0 to 1.
        mixes: whether an amount is mixed with what is in the cell, and does not replace it.
        replaced: the material on which alone it is laid; None: on all.
        only_new: whether to leave cells as they are that hold the material already, or at least the amount.
        spares_walls: whether anchored solids, such as walls, stay.
        velocity: (right, down) of laid atoms that move, in cells a tick.
        serial: number of the random bytes of laid atoms; other bytes are drawn for each number.
        chance: the cells of the brush that are laid.
    """

    material: str
    amount: float = 1.0
    mixes: bool = False
    replaced: str | None = None
    only_new: bool = False
    spares_walls: bool = False
    velocity: tuple[float, float] = (0.0, 0.0)
    serial: int = 0
    chance: Chance = Chance()

    def __post_init__(self) -> None:
        if isinstance(self.velocity, list | np.ndarray):  # accepted, and stored as a tuple, as in `Emitter`
            object.__setattr__(self, "velocity", tuple(np.asarray(self.velocity).tolist()))

    @property
    def units(self) -> int:
        """The amount in units of mass."""
        return round(self.amount * FULL)

    @property
    def sample_key(self) -> tuple[object, ...]:
        """The values on which `sample` depends: strokes with equal ones lay the same cell."""
        return self.material, self.units, self.velocity

    def draws(self, laws: World) -> bool:
        """True if each laid atom gets random bytes."""
        return has_velocity(laws, self.material)

    def sample(self, laws: World) -> dict[str, np.ndarray]:
        """The laid cell, without random bytes: all fields by name, of (1, 1) cells and of the field's type.

        Raises: WorldError: such a cell is invalid in the world. UsageError: an unknown material.
        """
        self._check()
        arrays = empty_cells(laws, 1)
        put_material(laws, arrays, np.full((1, 1), True), self.material, self.units)
        if self.draws(laws):
            arrays["velocity"][:] = np.round(np.array(self.velocity) * VELOCITY_ONE)
        check_cells(arrays, laws.laws)
        return arrays

    def _check(self) -> None:
        """Raise WorldError: a number that is out of range, or of another type."""
        if not is_number(self.amount, 0, 1):
            raise WorldError("amount", f"{shown(self.amount)}; expected 0 to 1 full cells")
        if problem := velocity_problem(self.velocity):
            raise WorldError("velocity", problem)
        if not is_whole(self.serial):
            raise WorldError("serial", f"{shown(self.serial)}; expected a whole number")
        _check_chance(self.chance)

    def mixes_in(self, laws: World) -> bool:
        """True if it is mixed with what is in the cells: it is stored as an amount, and is to be mixed."""
        return self.mixes and self.material in amount_fields(laws)


@dataclass(frozen=True, slots=True)
class Adding:
    """A number that a brush adds to a field of the atoms. Values stay within the field's range.

    Solids stay as they are if the field declares their value. Cells without an atom change in the fields that follow
    this one (`Field.follows`): a brush that warms atoms warms water by mass and mixtures, too.

    Args:
        field: the name of the field.
        amount: the number, in the unit in which people count the field: a temperature in degrees C.
        chance: the cells of the brush to whose atoms it is added.
    """

    field: str
    amount: float
    chance: Chance = Chance()

    @property
    def units(self) -> int:
        """The number in units of the field's array, rounded to the nearest."""
        return round(self.amount * FIELDS[self.field].one)

    def check(self, laws: World) -> None:
        """Raise WorldError if atoms of a world carry no such field, or one of several values; or for a wrong amount."""
        fields = [FIELDS[name] for name in laws.fields if FIELDS[name].carried and not FIELDS[name].without_atom]
        carried = [field.name for field in fields if field.components == 1 and not field.says_what_is_there]
        if self.field not in carried:
            hint = did_you_mean(str(self.field), carried)
            raise WorldError("field", f"a brush cannot add to {shown(self.field)}{hint}")
        _check_chance(self.chance)
        most = _UNITS_MOST // FIELDS[self.field].one
        if not is_number(self.amount, -most, most):
            unit = f"{most:,} {FIELDS[self.field].unit}".rstrip()
            raise WorldError("amount", f"{shown(self.amount)}; expected at most {unit} with either sign")

    def followers(self, laws: World) -> list[Field]:
        """The fields of a world that follow the field, in cells without an atom."""
        fields = [FIELDS[name] for name in laws.fields]
        return [field for field in fields if field.follows is not None and field.follows.field == self.field]

    def takers(self, laws: World) -> np.ndarray:
        """The materials whose atoms it changes: (256,) bool, by number."""
        numbers = np.arange(256)
        found = (numbers > 0) & (numbers < len(laws.materials))
        return found if FIELDS[self.field].solid is None else found & ~laws.materials.solid


def _check_chance(chance: object) -> None:
    """Raise WorldError: no `Chance`, or an invalid one."""
    if not isinstance(chance, Chance):
        raise WorldError("chance", f"{shown(chance)}; expected a Chance")
    chance.check()


Stroke = Laying | Adding
"""The action of a brush on the cells that it touches."""


def drawn_fields(laws: World) -> list[tuple[str, int]]:
    """The fields of which each laid atom gets a random byte, each with a number: the seed is the world's XOR this."""
    names = [name for name in laws.fields if FIELDS[name].drawn]
    return [(name, _BYTES + number) for number, name in enumerate(names)]
