"""Random streams: the numbers by which one use of randomness is told from every other.

A random word is a hash of a place, a tick, the world's seed and the number of a stream (`hashing.keyed`). Rules declare
the streams that they draw from (`Rule.streams`); the numbers are allotted here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, count

from gpufluid.core.errors import UsageError
from gpufluid.rules.schema import Rule, Stream

_BLOCK = 1 << 16

FIRST = {
    # The emitters of these two lie a block apart from one another, beyond the numbers of all other streams.
    "flow.emit": 0,
    "mixture.emit": 0,  # no world has both rules
    "atoms.fall": 1,
    "atoms.rise": 2,
    "atoms.side": 3,
    "atoms.order": 4,
    "atoms.settle": 1 * _BLOCK,
    "atoms.seek": 2 * _BLOCK,
    "atoms.emit": 3 * _BLOCK,
    "atoms.drain": 4 * _BLOCK,
    "reactions.meet": 5 * _BLOCK,
    "reactions.react": 6 * _BLOCK,
    "reactions.decay": 7 * _BLOCK,
    "heat.conduct": 8 * _BLOCK,
    "heat.transition": 9 * _BLOCK,
    "mixture.sink": 10 * _BLOCK,
    "mixture.spread": 11 * _BLOCK,
    "pressure.offer": 12 * _BLOCK,
    "mixture.turn": 13 * _BLOCK,
}
"""The first number of each stream, as ``rule.stream``. Every digest depends on them: append, never change."""


def numbers(rule: str, stream: Stream, first: Mapping[str, int] | None = None) -> range:
    """The numbers of a stream.

    Raises: UsageError: none are allotted to it.
    """
    allotted = FIRST if first is None else first
    name = f"{rule}.{stream.name}"
    if name not in allotted:
        raise UsageError(f"stream {name}: no numbers are allotted to it in rules/streams.py")
    start = allotted[name]
    return range(start, start + stream.count * stream.step, stream.step)


def allotted(rule: Rule, others: Iterable[Rule]) -> dict[str, int]:
    """Allot numbers to the streams of a rule from outside the package: the first that no other rule draws from.

    Args:
        rule: the rule; `FIRST` names none of its streams.
        others: the rules that one world may have beside it.
    Returns: what `FIRST` would say, by ``rule.stream``.
    """
    taken = [numbers(other.name, stream) for other in others for stream in other.streams]
    found: dict[str, int] = {}
    for stream in rule.streams:
        ranges = (range(start, start + stream.count * stream.step, stream.step) for start in count(_BLOCK, _BLOCK))
        free = next(own for own in ranges if not any(_meet(own, theirs) for theirs in taken))
        taken.append(free)
        found[f"{rule.name}.{stream.name}"] = free.start
    return found


def constants(rule: Rule) -> dict[str, int]:
    """What a rule's passes are told of its streams: ``use_<stream>`` the first number, ``step_<stream>`` if not 1."""
    found = {f"use_{stream.name}": numbers(rule.name, stream).start for stream in rule.streams}
    return found | {f"step_{stream.name}": stream.step for stream in rule.streams if stream.step != 1}


def check(rules: Iterable[Rule], first: Mapping[str, int] | None = None) -> None:
    """Raise UsageError, which names both, if two streams that one world may draw from have a number in common."""
    streams = [(rule, stream, numbers(rule.name, stream, first)) for rule in rules for stream in rule.streams]
    for (rule, stream, mine), (other, its, theirs) in combinations(streams, 2):
        apart = other.name in rule.requires.conflicts or rule.name in other.requires.conflicts
        if not apart and _meet(mine, theirs):
            both = f"{rule.name}.{stream.name} and {other.name}.{its.name}"
            raise UsageError(f"streams {both} have random numbers in common; allot others in rules/streams.py")


def _meet(one: range, other: range) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if one.step == other.step == 1:
        return max(one.start, other.start) < min(one.stop, other.stop)
    return any(number in longer for number in shorter)
