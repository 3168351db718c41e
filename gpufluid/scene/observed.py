"""The forms in which a world can be observed: its materials, some planes of numbers, or plain colours."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.fields import FIELDS, FULL, Field
from gpufluid.core.numeric import is_whole
from gpufluid.scene.matter import amount_fields
from gpufluid.world import World

KINDS = ("materials", "planes", "pixels")
"""The forms of an observation."""

POOL_MOST = 32
"""Largest side, in cells, of a block that becomes one number: sums of a block fit in 32 bits."""

SHOWN = FULL // 2
"""Least amount, in units of mass, with which a cell without an atom counts as one of the amount's material."""


@dataclass(frozen=True, slots=True)
class ObservedPlane:
    """One plane of numbers: the cells of a material, or a field of atoms.

    Args:
        name: the name of the material, of the field, or of its component, such as ``velocity.x``.
        scale: the number that becomes 1.0.
        material: the material; empty: it is a field.
        field: the name of the field; empty: it is a material.
        component: the number of the field's component.
    """

    name: str
    scale: int
    material: str = ""
    field: str = ""
    component: int = 0

    @property
    def low(self) -> float:
        """Its least value: 0 for a material."""
        return FIELDS[self.field].range[0] / self.scale if self.field else 0.0


def observable_planes(world: World) -> dict[str, ObservedPlane]:
    """All planes of numbers of a world, by name. A material is 1.0 in a full cell; a field is at most 1.0.

    A field is that of atoms, divided by the largest absolute value that it can have, and 0 in cells without an atom.
    """
    amounts = amount_fields(world)
    found = {
        record.name: ObservedPlane(record.name, FULL if record.name in amounts else 1, material=record.name)
        for record in list(world.materials)[1:]
        if record.name in amounts or world.can_hold(record.name)
    }
    for name in world.fields:
        field = FIELDS[name]
        if not _is_of_atoms(field):
            continue
        scale = max(abs(end) for end in field.range)
        parts = [name] if field.components == 1 else [f"{name}.{axis}" for axis in "xy"]
        found |= {each: ObservedPlane(each, scale, field=name, component=n) for n, each in enumerate(parts)}
    return found


def _is_of_atoms(field: Field) -> bool:
    """True if atoms carry a field whose values are numbers, and not random bytes."""
    return field.carried and not (field.says_what_is_there or field.drawn or field.without_atom)


def check_observation(world: World, kind: str, names: Sequence[str], pool: int) -> list[ObservedPlane]:
    """The planes of an observation, for ``kind`` "planes"; else none. Nothing is computed.

    Arguments as for `check_form`. Raises: UsageError: as `check_form` and `observed_plane`.
    """
    check_form(world, kind, names, pool)
    known = observable_planes(world)
    return [observed_plane(name, known) for name in names]


def check_form(world: World, kind: str, names: Sequence[str], pool: int) -> None:
    """Check an observation but for its names.

    Args:
        world: a world with the laws; its arrays are not read.
        kind: one of `KINDS`.
        names: the names of planes, see `observable_planes`.
        pool: the side of a block that becomes one number, in cells.
    Raises: UsageError: an unknown form, names where none are expected or none where some are, or blocks into which the
        world cannot be divided.
    """
    if kind not in KINDS:
        raise UsageError(f"kind: {shown(kind)}{did_you_mean(str(kind), KINDS)}")
    if not is_whole(pool, 1, POOL_MOST) or world.width % pool or world.height % pool:
        size = f"a divisor of {world.width} and {world.height}"
        raise UsageError(f"pool: {shown(pool)}; expected a number of cells up to {POOL_MOST}, {size}")
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise UsageError(f"planes: {shown(names)}; expected a list of names")
    if (kind == "planes") != bool(names):
        wanted = "at least one name" if kind == "planes" else f"no names: they have no effect in {kind!r}"
        raise UsageError(f"planes: {shown(names)}; expected {wanted}")


def observed_plane(name: object, known: Mapping[str, ObservedPlane], others: Collection[str] = ()) -> ObservedPlane:
    """The plane of that name.

    Args:
        name: the name, as it is given.
        known: see `observable_planes`.
        others: further names that could have been meant.
    Raises: UsageError: no plane has this name.
    """
    if isinstance(name, str) and name in known:
        return known[name]
    hint = did_you_mean(str(name), [*others, *known])
    raise UsageError(f"planes: {shown(name)}; nothing that can be observed{hint}")
