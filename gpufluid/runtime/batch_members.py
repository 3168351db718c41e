"""The worlds of a batch as they begin: checks of what a user gives, and copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from gpufluid.core.errors import UsageError, WorldError, shown
from gpufluid.core.numeric import is_whole
from gpufluid.matter.ports import Emitter
from gpufluid.runtime.batch_checks import check_alike
from gpufluid.runtime.sheet import FirstState, Member
from gpufluid.world import World
from gpufluid.world.kinds import materials_in
from gpufluid.world.laws import check_seed
from gpufluid.world.limits import MostCounted, ticks_left

Given = TypeVar("Given")


def first_of(worlds: World | Sequence[World], count: int | None) -> tuple[World, int]:
    """The first world of a new batch, and the number of worlds; arguments as for `Batch`, and its errors."""
    if isinstance(worlds, World):
        if not is_whole(count, 1):
            raise UsageError(f"count: {shown(count)}; expected how many worlds begin with this one, such as 256")
        return worlds, int(count or 0)
    if count is not None:
        raise UsageError(f"count: {shown(count)}; has no effect beside a list of worlds: give it beside one World")
    if not isinstance(worlds, Sequence) or not worlds or not isinstance(worlds[0], World):
        raise UsageError(f"worlds: {shown(worlds)}; expected Worlds, at least one, or one World and count=")
    return worlds[0], len(worlds)


def make_members(worlds: World | Sequence[World], count: int, seeds: Sequence[int] | None) -> list[Member]:
    """The members of a new batch, with copies of the worlds; arguments as for `Batch`, and its errors."""
    if isinstance(worlds, World):
        worlds.validate()
        world = worlds.copy()
        own = [(world.seed + number) & 0xFFFFFFFF for number in range(count)] if seeds is None else seeds
        first = FirstState(world.copy())
        return [Member(first, seed, first.ports) for seed in checked_seeds(own, count)]
    check_alike(worlds)
    own = checked_seeds([world.seed for world in worlds] if seeds is None else seeds, count)
    return [Member(first, seed, first.ports) for first, seed in zip(firsts(worlds), own, strict=True)]


def firsts(worlds: Sequence[World]) -> list[FirstState]:
    """Copies of some worlds, because the caller may change them later; one copy of a world that is given twice."""
    different = {id(world): world for world in worlds}
    copies = {key: FirstState(world.copy()) for key, world in different.items()}
    return [copies[id(world)] for world in worlds]


def listed(name: str, given: Sequence[Given], count: int) -> list[Given]:
    """The list that an argument of that name gives. Raises UsageError: not a list of ``count`` entries."""
    found = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise UsageError(f"{name}: {shown(given)}; expected a list of {count}, one for each world that begins")
    if len(found) != count:
        raise UsageError(f"{name}: {len(found)} of them; expected {count}, one for each world that begins")
    return list(found)


def checked_seeds(seeds: Sequence[int], count: int) -> list[int]:
    """The seeds. Raises UsageError: not so many. WorldError: one that is not a seed."""
    found = listed("seeds", seeds, count)
    for number, seed in enumerate(found):
        try:
            check_seed(seed)
        except WorldError as error:
            raise WorldError(f"seeds[{number}]", error.message) from None
    return [int(seed) for seed in found]


def checked_mask(mask: Sequence[bool] | np.ndarray, count: int, named: str = "mask") -> np.ndarray:
    """The mask of an argument of that name, (count,) bool. Raises UsageError: another length or type."""
    try:
        found = np.asarray(mask)
    except ValueError:  # lists of different lengths
        raise UsageError(f"{named}: {shown(mask)}; expected {count} truth values, one for each world") from None
    if found.shape != (count,) or found.dtype != bool:
        form = f"{found.dtype} of shape {found.shape}"
        raise UsageError(f"{named}: {form}; expected {count} truth values, one for each world")
    return found


def materials_of(members: Sequence[Member]) -> frozenset[int]:
    """The materials that some worlds can come to have."""
    found: frozenset[int] = frozenset()
    for first in {member.first for member in members}:
        emitters: Sequence[Emitter] = first.world.emitters
        found |= materials_in(first.world.own_array("material"), emitters, first.world.laws)
    return found


def steps_left(members: Sequence[Member], most: MostCounted) -> int:
    """The number of ticks in which no entry of a ledger of some worlds can pass its limit, as they begin.

    Args:
        members: the worlds.
        most: the largest amount by which a tick can change each entry.
    """
    firsts = {member.first for member in members}
    return min((ticks_left(first.world.ledgers, most) for first in firsts), default=2**63 - 1)
