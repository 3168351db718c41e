"""Finds between which passes of a tick the ranks must copy their halos again.

A pass of reach r makes r rows of a halo differ from the whole world's: those whose result depends on rows beyond the
halo. So the ranks copy their halos only if the next pass reads further than what is still right, which in a deep halo
is once in several ticks. Emitters and drains act on own cells only; after one that acts in cells of a halo, no row of
the halo counts as right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gpufluid.cluster.shares import Crossing
from gpufluid.core.errors import UsageError
from gpufluid.core.frame import place_in_frame
from gpufluid.matter.ports import Port
from gpufluid.rules import Call, Pass, Schedule
from gpufluid.world import World

EXCHANGES_APART = 4
"""Runs of the pass that reads farthest between two copies of the halos: more rows are computed twice, fewer sent."""

Point = tuple[str, int]
"""A place in a tick: before the run of this number, from 0, of the pass of this full name."""


def check_passes(passes: Sequence[Pass]) -> None:
    """Raise UsageError if a world has a pass that a halo of some rows is not enough for."""
    for pass_ in passes:
        if pass_.reach is None:
            reason = "reads beyond any number of rows"
        elif pass_.takes or pass_.writes:
            reason = "hands results to another pass, which ranks do not exchange yet"
        else:
            continue
        wanted = "expected one rank, or a world of rules flow and inertia"
        raise UsageError(f"rules: pass {pass_.full_name} of rule {pass_.rule!r} {reason}; {wanted}")


def depth_of(passes: Sequence[Pass]) -> int:
    """The rows of a halo on each side, for passes of finite reach."""
    return EXCHANGES_APART * max([1, *(pass_.reach[1] for pass_ in passes if pass_.reach is not None)])


class ExchangePlan:
    """The places in each tick at which halos are copied; the same on all ranks.

    Args:
        blank: a world with the laws and ports of the whole world.
        schedule: its schedule.
        depth: the rows of a halo on each side.
        crossings: of the halos of all ranks.
    """

    def __init__(self, blank: World, schedule: Schedule, depth: int, crossings: Sequence[Crossing]) -> None:
        self._schedule, self._depth = schedule, depth
        self._valid = depth  # rows on each side of every halo that equal the whole world's
        self._known: dict[tuple[object, ...], tuple[frozenset[Point], int]] = {}
        self._near = {port for port in (*blank.emitters, *blank.drains) if _is_in_halo(port, blank, crossings)}

    def points(self, tick: int) -> frozenset[Point]:
        """The places at which halos are copied in a tick. Called once for each tick, in order."""
        key = self._schedule.acting(tick), self._valid
        if key not in self._known:
            self._known[key] = self._find(list(self._schedule.calls(tick)))
        found, self._valid = self._known[key]
        return found

    def _find(self, calls: Sequence[Call]) -> tuple[frozenset[Point], int]:
        """The places in a tick of these calls, and the rows that are right at its end."""
        found: set[Point] = set()
        runs: Counter[str] = Counter()
        valid = self._valid
        for call in calls:
            name, reach = call.pass_.full_name, (call.pass_.reach or (0, 0))[1]
            if call.pass_.over.serves_ports:
                valid = 0 if call.port in self._near else valid
                continue
            if valid < reach:
                found.add((name, runs[name]))
                valid = self._depth
            valid -= reach
            runs[name] += 1
        return frozenset(found), valid


def _is_in_halo(port: Port, blank: World, crossings: Sequence[Crossing]) -> bool:
    """True if some cell of a port is in the halo of a rank."""
    (x, y), (width, height) = port.at, port.size
    size = blank.width, blank.height, blank.gravity
    rows = [place_in_frame(*cell, *size)[1] for cell in ((x, y), (x + width - 1, y + height - 1))]
    return any(
        crossing.whole <= max(rows) and min(rows) < crossing.whole + crossing.sent[1] - crossing.sent[0]
        for crossing in crossings
    )
