"""Loops of instant reactions are found exactly where a plain search finds one at some temperature, in bounded time."""

from __future__ import annotations

from random import Random

import pytest

from gpufluid.core.errors import WorldError
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.outcomes import outcomes_of
from gpufluid.matter.reaction_loops import instant_loop
from gpufluid.matter.reactions import Reaction, ReactionTable

NAMES = ("sand", "stone", "oil", "acid", "salt")
TABLE = MaterialTable()


def random_reactions(random: Random) -> ReactionTable:
    """A few reactions of five materials, most of them instant, at a few temperatures."""
    found = []
    for number in range(random.randrange(2, 12)):
        alone = random.random() < 0.4
        between = tuple(random.choices(NAMES, k=1 if alone else 2))
        become = tuple(random.choices((*NAMES, "same") if alone else (*NAMES, "same", "other"), k=len(between)))
        above, below = sorted(random.sample(range(0, 60, 10), 2))
        limits = {"above": random.choice((None, above)), "below": random.choice((None, below))}
        found.append(Reaction(f"r{number}", between, become, chance=random.choice((1.0, 1.0, 0.5)), **limits))
    return ReactionTable(tuple(record for record in found if not record.problems()))


def acting(reactions: ReactionTable, node: tuple[int, ...], degree: int) -> set[tuple[int, ...]]:
    """The nodes that a node becomes at a temperature by instant reactions.

    A reaction counts unless an earlier one is certain at all temperatures at which it acts.
    """
    outcomes = outcomes_of(reactions, TABLE.records)
    found: set[tuple[int, ...]] = set()

    def add(chain, old: tuple[int, ...], rest: tuple[int, ...]) -> None:
        certain: list[tuple[int, int]] = []
        for outcome in chain:
            if any(least <= outcome.least and outcome.below <= below for least, below in certain):
                continue
            if outcome.chance < 1 << 16:
                continue
            certain.append((outcome.least, outcome.below))
            if outcome.least <= 8 * degree < outcome.below:
                new = [b if b != 255 else a for a, b in zip(old, outcome.become, strict=False)]
                if outcome.become != (255, 255):
                    found.add(tuple(sorted((*new, *rest))))

    if len(node) == 2:
        add(outcomes.pairs.get((node[0], node[1]), ()), node, ())
        for own, other in (node, node[::-1]):
            add(outcomes.alone[own].chain if own in outcomes.alone else (), (own,), (other,))
    elif node[0] in outcomes.alone:
        add(outcomes.alone[node[0]].chain, node, ())
    return found


def has_loop(reactions: ReactionTable) -> bool:
    """Whether a node comes back to itself at one of the temperatures between which nothing changes."""
    numbers = sorted(TABLE[name] for name in NAMES)
    nodes = [(a,) for a in numbers] + [(a, b) for a in numbers for b in numbers if a <= b]
    for degree in range(-5, 65, 10):
        onward = {node: acting(reactions, node, degree) for node in nodes}
        for start in nodes:
            reached, todo = set(), [start]
            while todo:
                new = onward[todo.pop()] - reached
                reached |= new
                todo += new
            if start in reached:
                return True
    return False


def test_a_loop_is_found_exactly_where_a_plain_search_finds_one() -> None:
    random, found = Random(4), {True: 0, False: 0}
    for _ in range(300):
        reactions = random_reactions(random)
        loop = instant_loop(reactions, TABLE)
        assert (loop is not None) == has_loop(reactions), list(reactions)
        found[loop is not None] += 1
        if loop is not None:
            assert loop[0] == loop[-1]
            assert len(set(loop)) == len(loop) - 1
    assert min(found.values()) > 50


def many_materials(count: int) -> MaterialTable:
    extra = (Material(f"m{number}", State.LIQUID, 1000, (0, 0, 0)) for number in range(count - len(SHIPPED)))
    return MaterialTable((*SHIPPED, *extra))


def ring(hops: int) -> ReactionTable:
    """A ring of reactions that is open at each temperature: at ``n`` degrees reaction ``n`` does not act."""
    found = []
    for number in range(hops):
        both = (f"m{number}", "any"), (f"m{(number + 1) % hops}", "same")
        found += [Reaction(f"cold {number}", *both, below=number)] if number else []
        found += [Reaction(f"hot {number}", *both, above=number + 1)] if number < hops - 1 else []
    return ReactionTable(tuple(found))


def test_a_search_without_end_is_refused() -> None:
    with pytest.raises(WorldError, match="too many instant reactions at different temperatures"):
        instant_loop(ring(130), many_materials(250))


def test_a_ring_that_closes_nowhere_is_no_loop() -> None:
    assert instant_loop(ring(12), many_materials(90)) is None
