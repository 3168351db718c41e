"""Instant reactions that go round in a circle: what they made would be unmade in the next meeting, for ever."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpufluid.materials import MaterialTable
from gpufluid.outcomes import STAYS, Outcome, Outcomes, resolved
from gpufluid.reactions import CHANCE_ONE, ReactionTable

_Node = tuple[int, ...]
_Edge = tuple[_Node, int, int]  # where it leads, and the temperatures between which it does


def loop(reactions: ReactionTable, materials: MaterialTable) -> list[str] | None:
    """A circle of certain reactions, as the materials that follow one another: ``["a", "b", "a"]``; None: none.

    A reaction is instant if it is certain, waits for nothing and wears nothing. Those between two are a circle where
    the same two come back, also by what each becomes by itself; circles that no one temperature allows are none.
    """
    outcomes = resolved(reactions, materials.records)
    edges = _edges(outcomes)
    for start in edges:
        found = _circle(edges, start)
        if found:
            return [" + ".join(materials.records[number].name for number in node) for node in found]
    return None


def _edges(outcomes: Outcomes) -> Mapping[_Node, list[_Edge]]:
    """What each material, and each pair of them, certainly becomes."""
    edges: dict[_Node, list[_Edge]] = {}
    for number, alone in outcomes.alone.items():
        for outcome in _instant(alone.chain):
            if outcome.age == 0:
                edges.setdefault((number,), []).append(((outcome.become[0],), outcome.least, outcome.below))
    for key, chain in outcomes.pairs.items():
        if key[0] <= key[1]:
            for outcome in _instant(chain):
                after = [new if new != STAYS else old for new, old in zip(outcome.become, key, strict=True)]
                edges.setdefault(key, []).append((tuple(sorted(after)), outcome.least, outcome.below))
    return edges


def _instant(chain: tuple[Outcome, ...]) -> Iterator[Outcome]:
    """Those that act at once. What stands behind a certain one, at the same temperatures, never acts at all."""
    certain: list[Outcome] = []
    for outcome in chain:
        if any(first.least <= outcome.least and outcome.below <= first.below for first in certain):
            continue
        if outcome.chance == CHANCE_ONE and outcome.age == 0:
            certain.append(outcome)
        changes = outcome.become != (STAYS, STAYS)
        if changes and outcome.chance == CHANCE_ONE and outcome.wear == (0, 0) and outcome.heat == 0:
            yield outcome


def _onward(edges: Mapping[_Node, list[_Edge]], node: _Node) -> Iterator[_Edge]:
    """What follows at once: a pair meets, or either of the two changes by itself."""
    yield from edges.get(node, [])
    if len(node) == 2:
        for own, other in (node, reversed(node)):
            for (after,), least, below in edges.get((own,), []):
                yield tuple(sorted((after, other))), least, below


def _circle(edges: Mapping[_Node, list[_Edge]], start: _Node) -> list[_Node] | None:
    """A way from a node back to it, along which one temperature lasts."""
    todo: list[tuple[list[_Node], int, int]] = [([start], -(1 << 15), (1 << 15) - 1)]
    seen = set()
    while todo:
        way, least, below = todo.pop()
        for node, from_, to in _onward(edges, way[-1]):
            warmest, coldest = min(below, to), max(least, from_)
            if coldest >= warmest or (node, coldest, warmest) in seen:
                continue
            seen.add((node, coldest, warmest))
            if node == start:
                return [*way, node]
            todo.append(([*way, node], coldest, warmest))
    return None
