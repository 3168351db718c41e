"""Loops of instant reactions, by which atoms would return to the same materials within one tick, without end."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from gpufluid.core.errors import WorldError
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.outcomes import ALL_TEMPERATURES, STAYS, ReactionOutcome, ReactionOutcomes, outcomes_of
from gpufluid.matter.reactions import REACTION_CHANCE_ONE, ReactionTable

STEPS_MOST = 1 << 18
"""The most steps of a search. They take half a second; a search in the shipped reactions takes a few hundred."""

_Node = tuple[int, ...]
"""One material number, or those of two adjacent atoms, ascending."""


class _Edge(NamedTuple):
    """An instant reaction: the nodes before and after it, and the range of temperatures in which it acts."""

    before: _Node
    after: _Node
    least: int
    below: int


def instant_loop(reactions: ReactionTable, materials: MaterialTable) -> list[str] | None:
    """A loop of instant reactions, as the sequence of materials: ``["a", "b", "a"]``; None: there is no loop.

    A reaction is instant if its chance is 1 and it has no ``after``, no ``wear`` and no ``heat``. A pair of adjacent
    atoms changes by a reaction between the two, or by a reaction of one of them alone. All reactions of a loop must act
    at one common temperature.

    Raises: WorldError: the search takes over `STEPS_MOST` steps, because many instant reactions have different
        temperatures.
    """
    found = _loop_among(_graph(_edges(outcomes_of(reactions, materials.records))))
    if found is None:
        return None
    return [" + ".join(materials.records[number].name for number in node) for node in found]


def _edges(outcomes: ReactionOutcomes) -> Mapping[_Node, list[_Edge]]:
    """The instant reactions of each material and of each pair of materials."""
    edges: dict[_Node, list[_Edge]] = {}
    for number, alone in outcomes.alone.items():
        for outcome in _instant(alone.chain):
            if outcome.age == 0:
                edge = _Edge((number,), (outcome.become[0],), outcome.least, outcome.below)
                edges.setdefault((number,), []).append(edge)
    for key, chain in outcomes.pairs.items():
        if key[0] <= key[1]:
            for outcome in _instant(chain):
                after = [new if new != STAYS else old for new, old in zip(outcome.become, key, strict=True)]
                edges.setdefault(key, []).append(_Edge(key, tuple(sorted(after)), outcome.least, outcome.below))
    return edges


def _instant(chain: Iterable[ReactionOutcome]) -> Iterator[ReactionOutcome]:
    """The instant outcomes of a chain. An outcome that an earlier certain outcome always prevents is left out."""
    certain = _Ranges()
    for outcome in chain:
        if certain.covers(outcome.least, outcome.below):
            continue
        if outcome.chance == REACTION_CHANCE_ONE and outcome.age == 0:
            certain.add(outcome.least, outcome.below)
        changes = outcome.become != (STAYS, STAYS)
        if changes and outcome.chance == REACTION_CHANCE_ONE and outcome.wear == (0, 0) and outcome.heat == 0:
            yield outcome


class _Ranges:
    """Ranges of temperatures of which none lies within another; both of their ends ascend."""

    def __init__(self) -> None:
        self._least: list[int] = []
        self._below: list[int] = []

    def covers(self, least: int, below: int) -> bool:
        """True if a range of temperatures lies within one of the ranges of this set."""
        at = bisect_right(self._least, least)
        return at > 0 and below <= self._below[at - 1]

    def add(self, least: int, below: int) -> None:
        """Add a range that does not lie within one of these, and remove those that lie within it."""
        at = bisect_right(self._least, least - 1)
        end = at
        while end < len(self._below) and self._below[end] <= below:
            end += 1
        self._least[at:end], self._below[at:end] = [least], [below]


def _graph(edges: Mapping[_Node, list[_Edge]]) -> list[_Edge]:
    """The edges of all nodes that can be reached from nodes with reactions of their own."""
    todo, seen, found = list(edges), set(edges), []
    for node in todo:  # which grows
        for edge in _edges_from(edges, node):
            found.append(edge)
            if edge.after not in seen:
                seen.add(edge.after)
                todo.append(edge.after)
        if len(found) > STEPS_MOST:
            raise _too_long()
    return found


def _edges_from(edges: Mapping[_Node, list[_Edge]], node: _Node) -> Iterator[_Edge]:
    """The edges from a node: those of the node itself, and for a pair those of each atom alone."""
    yield from edges.get(node, [])
    if len(node) == 2:
        for own, other in (node, node[::-1]):
            for _, (after,), least, below in edges.get((own,), []):
                yield _Edge(node, (min(after, other), max(after, other)), least, below)


def _loop_among(edges: list[_Edge]) -> list[_Node] | None:
    """A closed path of edges with a common temperature; None: there is none.

    Edges that lead to a dead end or come from one are removed. The range of temperatures is divided in two at an
    end of an edge's range, again and again, until a part has no edges left, or all of its edges act in the whole part.
    """
    todo: list[tuple[list[_Edge], int, int]] = [(edges, *ALL_TEMPERATURES)]
    steps = 0
    while todo:
        acting, least, below = todo.pop()
        steps += len(acting)
        if steps > STEPS_MOST:
            raise _too_long()
        closed = _without_dead_ends(acting)
        if not closed:
            continue
        ends = sorted({end for edge in closed for end in (edge.least, edge.below) if least < end < below})
        if not ends:
            return _path(closed)
        middle = ends[len(ends) // 2]
        todo.append(([edge for edge in closed if edge.below > middle], middle, below))
        todo.append(([edge for edge in closed if edge.least < middle], least, middle))
    return None


def _too_long() -> WorldError:
    reason = "too many instant reactions at different temperatures to be searched for loops"
    return WorldError("reactions", f"{reason}; expected fewer, or a chance below 1")


def _without_dead_ends(edges: Sequence[_Edge]) -> list[_Edge]:
    """The edges that remain if those with a dead end before or after them are removed; empty: no closed path."""
    before, after = attrgetter("before"), attrgetter("after")
    return _without(_without(edges, before, after), after, before)


def _without(edges: Sequence[_Edge], end: Callable[[_Edge], _Node], opposite: Callable[[_Edge], _Node]) -> list[_Edge]:
    """Remove, again and again, the edges whose node ``end`` is not the node ``opposite`` of any edge."""
    count = Counter(map(opposite, edges))
    by_node: dict[_Node, list[_Edge]] = {}
    for edge in edges:
        by_node.setdefault(end(edge), []).append(edge)
    todo = [node for node in by_node if not count[node]]
    while todo:
        for edge in by_node.pop(todo.pop(), ()):
            count[opposite(edge)] -= 1
            if not count[opposite(edge)]:
                todo.append(opposite(edge))
    return [edge for edge in edges if end(edge) in by_node]


def _path(edges: Sequence[_Edge]) -> list[_Node]:
    """A path from a node back to itself, of edges from `_without_dead_ends`: from each node an edge leads on."""
    onward: dict[_Node, _Node] = {}
    for source, target, _, _ in edges:
        onward.setdefault(source, target)
    node, path = edges[0].before, []
    while node not in path:
        path.append(node)
        node = onward[node]
    return [*path[path.index(node) :], node]
