"""Finds between which passes of a tick the ranks must copy their halos again.

A row of a halo is *valid* while it equals that row of the whole world. A pass that reads r rows up and down makes the
outermost r valid rows of each halo invalid, because their result depends on rows beyond the valid ones. The ranks copy
their halos only before a pass that reads further than the valid rows; with a deep halo that is once in several ticks.
The same holds for columns, where several columns of ranks share a world.

Scratch is not copied: each rank computes it in its halo, too. So before a pass that fills scratch, as many rows must be
valid as it and the passes that use the scratch read together. Scans of columns need all of the halo, and the state
ahead of it (`cluster.stretches`). Passes that follow connected sets of cells need all of it, too, and no row of it is
valid after they have moved cells (`cluster.bodies`). Emitters and drains change own cells only; after one that acts in
cells of a halo, no row of the halo counts as valid. Of these passes only those in which drains take moving atoms change
halos, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from gpufluid.cluster.grid import Crossing
from gpufluid.cluster.shares import STRIP_ROWS
from gpufluid.core.errors import UsageError
from gpufluid.core.frame import area_in_frame, frame_size
from gpufluid.matter.ports import Port
from gpufluid.rules import Call, Over, Pass, Schedule
from gpufluid.rules.atoms import REACH_SHARED
from gpufluid.rules.mixture import TRIPLE
from gpufluid.runtime.planning import runs_with
from gpufluid.world import World

EXCHANGES_APART = 4
"""If no pass scans columns, halos are deep enough for at least this number of runs of the pass that reads farthest.

A larger number means fewer copies of halos, but more rows that several ranks compute.
"""

COLUMNS, ROWS = 0, 1
"""The axes of gravity's frame, in the order of `core.frame.Area`: its columns divide a row, its rows a column."""

_OF_COLUMNS = "several columns of ranks", "columns", "one column of ranks"

Point = tuple[str, int]
"""A place in a tick: before the run of this number, from 0, of the pass of this full name."""

Kinds = frozenset[tuple[str, str]]
"""The kinds of matter that a world can come to have, (rule, kind); see `world.kinds`."""


def schedule_of_parts(world: World, variants: Mapping[str, str], across: bool = False) -> Schedule:
    """The schedule that all parts of a world follow; ``across``: whether several columns of ranks share it."""
    return Schedule(world.laws, world.emitters, world.drains, variants, in_part=True, across=across)


def check_shared(world: World, schedule: Schedule, kinds: Kinds) -> None:
    """Raise UsageError if ranks cannot share a world.

    Args:
        world: the whole world.
        schedule: that of its parts.
        kinds: the kinds of matter that it can come to have.
    """
    _check_reach(schedule, kinds, ROWS)
    rows = frame_size(world.width, world.height, world.gravity)[1]
    if world.edges == "wrap" and _scans(schedule, ROWS) and rows % STRIP_ROWS:
        needed = f"expected a multiple of {STRIP_ROWS} in a torus with rule atoms or mixture"
        raise UsageError(f"size: {rows} rows along gravity; {needed} that ranks share, or one rank")


def check_columns(world: World, schedule: Schedule, kinds: Kinds) -> None:
    """Raise UsageError if several columns of ranks cannot share a world; arguments as for `check_shared`."""
    _check_reach(schedule, kinds, COLUMNS)
    columns = frame_size(world.width, world.height, world.gravity)[0]
    if world.edges == "wrap" and _scans(schedule, COLUMNS) and columns % STRIP_ROWS:
        needed = f"expected a multiple of {STRIP_ROWS} in a torus with rule atoms"
        raise UsageError(f"size: {columns} columns across gravity; {needed} that several columns of ranks share")
    if "atoms" in world.rules and (found := int(world.parameters["atoms"]["reach_open"])) > REACH_SHARED:
        wanted = f"expected at most {REACH_SHARED} in a world that several columns of ranks share"
        raise UsageError(f"atoms.reach_open: {found}; {wanted}")
    if world.edges == "wrap" and "mixture" in world.rules and columns % TRIPLE:
        needed = f"expected a multiple of {TRIPLE} in a torus with rule mixture"
        raise UsageError(f"size: {columns} columns across gravity; {needed} that several columns of ranks share")


def _check_reach(schedule: Schedule, kinds: Kinds, axis: int) -> None:
    """Raise UsageError if a pass reads beyond any number of columns, or of rows."""
    unbounded = [each for each in schedule.passes if each.reach_along(axis) is None and runs_with(each, kinds)]
    if not unbounded:
        return
    names = list(dict.fromkeys(name for each in unbounded for name in (each.matter, each.rule) if name))
    rules = f"rule {names[0]}" if len(names) == 1 else f"rules {' and '.join(names)}"
    ranks, lines, one = ("ranks", "rows", "one rank") if axis == ROWS else _OF_COLUMNS
    reason = f"pass {unbounded[0].full_name} reads beyond any number of {lines}"
    wanted = f"expected {one}, or a world without {'it' if len(names) == 1 else 'one of them'}"
    raise UsageError(f"rules: {ranks} cannot share a world of {rules} yet, because {reason}; {wanted}")


def depth_of(schedule: Schedule, kinds: Kinds) -> tuple[int, int]:
    """The columns and the rows of a halo on each side, for passes that read a number of them."""
    calls = _calls(schedule, 0, kinds)
    columns, rows = (_depth_along(schedule, calls, axis) for axis in (COLUMNS, ROWS))
    return columns, rows


def _depth_along(schedule: Schedule, calls: Sequence[Call], axis: int) -> int:
    farthest = max([1, *(_reach(call, axis) for call in calls)])
    deepest = max([1, *(_needed(calls, number, 0, axis) for number in range(len(calls)))])
    if not _scans(schedule, axis):
        return max(EXCHANGES_APART * farthest, deepest)
    return -(-deepest // STRIP_ROWS) * STRIP_ROWS  # lines are scanned in strips


def _scans(schedule: Schedule, axis: int) -> bool:
    """True if a pass scans lines that go on in other parts: rows, along the axis of columns, or columns."""
    ahead = [pass_.looks_ahead for pass_ in schedule.passes if pass_.looks_ahead in pass_.takes]
    return any(each is not None and (each.over is Over.ROWS) == (axis == COLUMNS) for each in ahead)


def _calls(schedule: Schedule, tick: int, kinds: Kinds) -> list[Call]:
    """The calls of a tick that run in a world that can come to have these kinds of matter."""
    return [call for call in schedule.calls(tick) if runs_with(call.pass_, kinds)]


def _reach(call: Call, axis: int) -> int:
    """The columns or rows of a halo that a call makes invalid.

    Passes that sum up lines change nothing, nor do those that follow sets and do not move them.
    """
    pass_ = call.pass_
    return 0 if pass_.sums_up or (pass_.follows_sets and not moves_sets(pass_)) else pass_.reach_along(axis) or 0


def _needed(calls: Sequence[Call], number: int, depth: int, axis: int) -> int:
    """The columns or rows of the halos that must be valid before a call.

    A call that sums up columns needs all rows, ``depth``; one that sums up rows needs all columns; one that follows
    sets of cells needs both, and at least as many as it reads beside a cell. Else the number is the sum of the reaches
    of the call and of the calls after it, up to the last one that depends on its scratch. One that moves sets needs
    nothing beyond what those before it have found.
    """
    pass_ = calls[number].pass_
    if pass_.sums_up and (pass_.sums_up == "across") == (axis == COLUMNS):
        return depth
    if pass_.follows_sets and not moves_sets(pass_):
        return max(depth, pass_.reach_along(axis) or 0)
    end, place = number, number
    while place <= end:
        for scratch in calls[place].pass_.writes:
            for later in range(place + 1, len(calls)):
                if scratch in calls[later].pass_.takes:
                    end = max(end, later)
                elif scratch in calls[later].pass_.writes:
                    break
        place += 1
    return sum(_reach(call, axis) for call in calls[number : end + 1])


class ExchangePlan:
    """The places in each tick at which halos are copied; the same on all ranks.

    Args:
        blank: a world with the laws and ports of the whole world.
        schedule: that of the parts.
        kinds: the kinds of matter that the world can come to have.
        depth: the columns and the rows of a halo on each side; 0 columns if each rank has whole rows.
        crossings: of the halos of all ranks.
    """

    def __init__(
        self, blank: World, schedule: Schedule, kinds: Kinds, depth: tuple[int, int], crossings: Sequence[Crossing]
    ) -> None:
        self._schedule, self._kinds = schedule, kinds
        self._depth = {axis: depth[axis] for axis in (COLUMNS, ROWS) if depth[axis]}
        self._valid = dict(self._depth)  # columns and rows of each halo that are valid
        self._known: dict[tuple[object, ...], tuple[frozenset[Point], dict[int, int]]] = {}
        self._near = {port for port in (*blank.emitters, *blank.drains) if _is_in_halo(port, blank, crossings)}

    def points(self, tick: int) -> frozenset[Point]:
        """The places at which halos are copied in a tick. Called once for each tick, in order."""
        key = self._schedule.acting(tick), *self._valid.values()
        if key not in self._known:
            self._known[key] = self._find(_calls(self._schedule, tick, self._kinds))
        found, self._valid = self._known[key]
        return found

    def _find(self, calls: Sequence[Call]) -> tuple[frozenset[Point], dict[int, int]]:
        """The places in a tick of these calls, and the columns and rows that are valid at its end."""
        found: set[Point] = set()
        runs: Counter[str] = Counter()
        valid = self._valid
        for number, call in enumerate(calls):
            name = call.pass_.full_name
            if any(left < _needed(calls, number, self._depth[axis], axis) for axis, left in valid.items()):
                found.add((name, runs[name]))
                valid = self._depth
            valid = {axis: left - _reach(call, axis) for axis, left in valid.items()}
            if (changes_own_only(call.pass_) and call.port in self._near) or moves_sets(call.pass_):
                valid = dict.fromkeys(valid, 0)
            runs[name] += 1
        return frozenset(found), valid


def moves_sets(pass_: Pass) -> bool:
    """True if a pass moves connected sets of cells; in a part of a world it is right in own cells only."""
    return pass_.follows_sets and bool(pass_.updates or pass_.gathers)


def changes_own_only(pass_: Pass) -> bool:
    """True if a pass serves ports, and leaves the cells of halos as they are."""
    return pass_.over.serves_ports and pass_.reach is not None


def _is_in_halo(port: Port, blank: World, crossings: Sequence[Crossing]) -> bool:
    """True if some cell of a port is in the halo of a rank."""
    area = area_in_frame((*port.at, *port.size), (blank.width, blank.height), blank.gravity)
    return any(
        all(whole[0] < own[1] and own[0] < whole[1] for whole, own in zip(crossing.whole, area, strict=True))
        for crossing in crossings
    )
