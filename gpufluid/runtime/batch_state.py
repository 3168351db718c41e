"""`BatchState`: the exact state of the worlds of a batch, as it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.errors import UnknownFieldError, did_you_mean
from gpufluid.gpu.ledger import ledgers_from
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger

if TYPE_CHECKING:
    from gpufluid.runtime.sheet import Member


class BatchState:
    """The exact state of all worlds of a batch at one time.

    ``state["mass"]`` is an array ``[world, row, column]``, or ``[world, material, row, column]`` for the mixture, and
    with a last axis for the velocity. ``state.world(i)`` is world i as a `World`, as `Simulation.read` returns it.

    Args:
        members: the worlds, with their first states and their present ports.
        blank: a world of the same laws.
        arrays: the fields by name, each (worlds, height, width) or with more axes.
        ticks: (worlds,) int64.
        words: the words of the ledgers of each world, (worlds, words) uint32.
    """

    def __init__(
        self,
        members: Sequence[Member],
        blank: World,
        arrays: Mapping[str, np.ndarray],
        ticks: np.ndarray,
        words: np.ndarray,
    ) -> None:
        self._members, self._blank = tuple(members), blank
        self._arrays, self._words = dict(arrays), words
        self._ticks = ticks

    @property
    def ticks(self) -> np.ndarray:
        """(worlds,) int64: the tick of each world."""
        return self._ticks

    @property
    def arrays(self) -> Mapping[str, np.ndarray]:
        """All fields by name, each (worlds, height, width) or with more axes, of the field's type.

        Cells without an atom have temperature 0, as on the device.
        """
        return MappingProxyType(self._arrays)

    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a field, as in `arrays`. Raises UnknownFieldError: the worlds have no such field."""
        if name not in self._arrays:
            raise UnknownFieldError(str(name), f"no such field{did_you_mean(str(name), self._arrays)}")
        return self._arrays[name]

    def __len__(self) -> int:
        """The number of worlds."""
        return len(self._members)

    def __iter__(self) -> Iterator[World]:
        """Each world, as `world` returns it."""
        return (self.world(number) for number in range(len(self)))

    def ledgers(self, number: int) -> dict[str, AnyLedger]:
        """The ledgers of a world by quantity, by its index."""
        return ledgers_from(self._words[number], self._blank)

    def world(self, number: int) -> World:
        """World ``number`` as it is, with its laws, ports, tick, seed and ledgers."""
        member = self._members[number]
        found = member.world.blank()
        if member.seed != found.seed:
            found.laws = replace(found.laws, seed=member.seed)
        found.replace_ports(member.ports.emitters, member.ports.drains)
        for name, array in self._arrays.items():
            found.own_array(name)[...] = array[number]
        found.tick, found.ledgers = int(self._ticks[number]), self.ledgers(number)
        return found
