"""`PortSet`: the emitters and drains of a world of a batch, which can be replaced while it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from gpufluid.core.errors import UsageError, WorldError, shown
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.rules import Laws, Schedule
from gpufluid.world.limits import MostCounted, most_counted
from gpufluid.world.validation import check_ports

GivenEmitters = Emitter | Sequence[Emitter] | Sequence[Sequence[Emitter] | None] | None
"""Emitters of all worlds, one or a list, or a list of emitters for each world; None: as they are."""

GivenDrains = Drain | Sequence[Drain] | Sequence[Sequence[Drain] | None] | None
"""Drains, in the same forms."""

OnePort = TypeVar("OnePort", Emitter, Drain)

_KEPT = 4096
"""The most sets that `PortSets` keeps."""


class PortSet:
    """The emitters and drains of one world of a batch or of several, and what follows from them, computed once.

    Args:
        schedule: the schedule of a world with these ports.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    @property
    def emitters(self) -> tuple[Emitter, ...]:
        """The emitters."""
        return tuple(self.schedule.emitters)

    @property
    def drains(self) -> tuple[Drain, ...]:
        """The drains."""
        return tuple(self.schedule.drains)

    @cached_property
    def every(self) -> frozenset[Emitter | Drain]:
        """All emitters and drains."""
        return frozenset(self.schedule.emitters) | frozenset(self.schedule.drains)

    @cached_property
    def most_counted(self) -> MostCounted:
        """The largest amount by which a tick can change each entry of the ledgers."""
        return most_counted(self.schedule)


def most_with_any_ports(laws: Laws) -> MostCounted:
    """The largest amount by which a tick can change each entry of the ledgers of a world, whatever its ports are.

    An emitter and a drain that cover the whole world change the entries most.
    """
    size = laws.width, laws.height
    return most_counted(Schedule(laws, [Emitter((0, 0), size)], [Drain((0, 0), size)]))


class PortSets:
    """The sets of ports that worlds of the same laws have had; each is checked once.

    Args:
        laws: the laws of the worlds.
    """

    def __init__(self, laws: Laws) -> None:
        self._laws = laws
        self._made: dict[tuple[tuple[Emitter, ...], tuple[Drain, ...]], PortSet] = {}

    def of(self, emitters: tuple[Emitter, ...], drains: tuple[Drain, ...]) -> PortSet:
        """The set of these ports. Raises WorldError: a port that cannot act in these worlds."""
        key = emitters, drains
        if key not in self._made:
            laws = self._laws
            check_ports(emitters, drains, (laws.width, laws.height), laws.rules, laws.materials, laws.mixture.names)
            if len(self._made) >= _KEPT:
                self._made.clear()
            self._made[key] = PortSet(Schedule(laws, emitters, drains))
        return self._made[key]


def replaced_ports(
    emitters: GivenEmitters, drains: GivenDrains, chosen: np.ndarray, present: Sequence[PortSet], sets: PortSets
) -> Mapping[int, PortSet]:
    """The new ports of the worlds whose ports change, by the index of the world.

    Args:
        emitters, drains: as for `Batch.replace_ports`.
        chosen: (worlds,) bool: the worlds whose ports are replaced.
        present: the ports of each world.
        sets: the sets of ports of these worlds.
    Raises: UsageError: a value that is no list of ports, or a wrong number of lists. WorldError: a port that cannot act
        in a world.
    """
    new_emitters = _of_worlds("emitters", Emitter, emitters, len(chosen))
    new_drains = _of_worlds("drains", Drain, drains, len(chosen))
    found = {}
    for number in np.flatnonzero(chosen).tolist():
        old, first, second = present[number], new_emitters[number], new_drains[number]
        own = old.emitters if first is None else first, old.drains if second is None else second
        if own == (old.emitters, old.drains):
            continue
        try:
            found[number] = sets.of(*own)
        except WorldError as error:
            raise WorldError(f"worlds[{number}].{error.field}", error.message) from None
    return found


def _of_worlds(name: str, kind: type[OnePort], given: object, count: int) -> Sequence[tuple[OnePort, ...] | None]:
    """The ports of one kind for each world, None: as they are. Raises: as `replaced_ports`."""
    if given is None:
        return [None] * count
    if isinstance(given, kind):
        return [(given,)] * count
    wanted = f"expected a list of gpufluid.{kind.__name__}, or {count} such lists, one for each world"
    if not isinstance(given, list | tuple):
        raise UsageError(f"{name}: {shown(given)}; {wanted}")
    if all(isinstance(port, kind) for port in given):
        return [tuple(given)] * count
    if all(isinstance(port, Emitter | Drain) for port in given):
        wrong = next(number for number, port in enumerate(given) if not isinstance(port, kind))
        raise UsageError(f"{name}[{wrong}]: {shown(given[wrong])}; expected a gpufluid.{kind.__name__}")
    if len(given) != count:
        raise UsageError(f"{name}: {shown(given)}; {wanted}")
    for number, own in enumerate(given):
        if own is not None and not (isinstance(own, list | tuple) and all(isinstance(port, kind) for port in own)):
            wanted = f"expected a list of gpufluid.{kind.__name__}, or None"
            raise UsageError(f"{name}[{number}]: {shown(own)}; {wanted}")
    return [None if own is None else tuple(own) for own in given]
