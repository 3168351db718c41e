"""Loops of transitions are found exactly where a search over all paths finds one, and in bounded time."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from gpufluid.matter.materials import SHIPPED, Material, State, transition_problems
from gpufluid.matter.transitions import Transition


def random_records(random: Random) -> list[Material]:
    """An empty material and a few liquids with transitions at four thresholds, some with latent heat."""
    names, found = [f"m{number}" for number in range(random.randrange(3, 6))], [SHIPPED[0]]
    for name in names:
        above = random.choice((None, 0, 10, 20, 30))
        below = random.choice([None, *(each for each in (0, 10, 20, 30) if above is None or each <= above)])
        both = {"above": above, "below": below}
        changes = {
            key: Transition(degrees, random.choice(names), random.choice((0, 0, 0, 100)))
            for key, degrees in both.items()
            if degrees is not None
        }
        found.append(Material(name, State.LIQUID, 1, (0, 0, 0), **changes))
    return found


def loop_of(start: Material, key: str, named: Mapping[str, Material]) -> bool:
    """Whether a path of transitions without latent heat leads back to a material, with a common temperature."""
    todo = [([start.name], key, float("-inf"), float("inf"))]
    while todo:
        names, key, low, high = todo.pop()
        change = named[names[-1]].transitions[key]
        low, high = (max(low, change.threshold), high) if key == "above" else (low, min(high, change.threshold))
        if change.latent_units or low >= high:
            continue
        if change.product == start.name:
            return True
        if change.product not in names:
            todo += [([*names, change.product], each, low, high) for each in named[change.product].transitions]
    return False


def test_a_loop_is_found_exactly_where_a_search_over_all_paths_finds_one() -> None:
    random, count = Random(3), 0
    for _ in range(600):
        records = random_records(random)
        named = {record.name: record for record in records}
        problems = list(transition_problems(records))
        other = {(number, key) for number, key, message in problems if "form a loop" not in message}
        loops = {(number, key) for number, key, message in problems if "form a loop" in message}
        count += len(loops)
        for number, record in enumerate(records):
            for key in record.transitions:
                if (number, key) not in other:
                    assert ((number, key) in loops) == loop_of(record, key, named), (records, record.name, key)
    assert count > 200


def test_a_long_chain_at_many_temperatures_is_checked_at_once() -> None:
    """A search over all paths takes about ten seconds for such a table."""
    degrees = list(range(180))
    Random(1).shuffle(degrees)
    chain = [
        Material(
            *(f"m{number}", State.LIQUID, 1000, (0, 0, 0)),
            above=Transition(at, f"m{number + 1}"),
            below=Transition(at, f"m{number + 1}"),
        )
        for number, at in enumerate(degrees)
    ]
    last = Material(f"m{len(chain)}", State.LIQUID, 1000, (0, 0, 0))
    assert list(transition_problems([*SHIPPED, *chain, last])) == []
