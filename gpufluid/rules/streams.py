"""Allotment of random streams. A stream is a set of numbers that separates one use of randomness from all others.

A random word is a hash of a position, a tick, the world's seed and a stream number (`hashing.stream_seed`). Rules
declare their streams (`Rule.streams`); this module alone allots the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, count

from gpufluid.core.fields import DeclarationError
from gpufluid.rules.schema import Rule, Stream

_BLOCK = 1 << 16

FIRST = {
    # The numbers of these two streams are 1 << 20 apart, one for each emitter, and belong to no other stream.
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
    "atoms.weigh": 14 * _BLOCK,
    "inertia.emit": 15 * _BLOCK,  # 1 << 20 apart, too
    "inertia.carry": 17 * _BLOCK,
    "inertia.offset": 18 * _BLOCK,
    "heat.water_blocks": 19 * _BLOCK,
    "heat.change_water": 20 * _BLOCK,
}
"""The first number of each stream, as ``rule.stream``. Every digest depends on them: append, never change."""


def numbers(rule: str, stream: Stream, first: Mapping[str, int] | None = None) -> range:
    """The numbers of a stream.

    Args:
        rule: the name of the rule.
        stream: the stream.
        first: the first number of each stream, as `FIRST`, which is the default.
    Raises: DeclarationError: no numbers are allotted to the stream.
    """
    allotted = FIRST if first is None else first
    name = f"{rule}.{stream.name}"
    if name not in allotted:
        raise DeclarationError(f"stream {name}: no numbers are allotted to it in rules/streams.py")
    start = allotted[name]
    return range(start, start + stream.count * stream.step, stream.step)


def allotted(rule: Rule, others: Iterable[Rule]) -> dict[str, int]:
    """Allot numbers to the streams of a rule from outside the package.

    Each begins at the lowest multiple of 65,536 from which no number of the stream belongs to another one.

    Args:
        rule: the rule; its streams are not in `FIRST`.
        others: the rules that a world may have together with this rule.
    Returns: the first number of each stream, by ``rule.stream``, in the form of `FIRST`.
    """
    taken = [numbers(other.name, stream) for other in others for stream in other.streams]
    found: dict[str, int] = {}
    for stream in rule.streams:
        ranges = (range(start, start + stream.count * stream.step, stream.step) for start in count(_BLOCK, _BLOCK))
        free = next(own for own in ranges if not any(_overlap(own, theirs) for theirs in taken))
        taken.append(free)
        found[f"{rule.name}.{stream.name}"] = free.start
    return found


def constants(rule: Rule) -> dict[str, int]:
    """The constants by which a rule's passes know its streams.

    Returns: ``use_<stream>``, the first number of each stream, and ``step_<stream>`` where the step is not 1.
    """
    found = {f"use_{stream.name}": numbers(rule.name, stream).start for stream in rule.streams}
    return found | {f"step_{stream.name}": stream.step for stream in rule.streams if stream.step != 1}


def check(rules: Iterable[Rule], first: Mapping[str, int] | None = None) -> None:
    """Check that no two streams that one world may draw from share a number.

    Args:
        rules: the rules whose streams are checked.
        first: the first number of each stream, as `FIRST`, which is the default.
    Raises: DeclarationError: two streams share a number; the message names both.
    """
    streams = [(rule, stream, numbers(rule.name, stream, first)) for rule in rules for stream in rule.streams]
    for (rule, stream, mine), (other, its, theirs) in combinations(streams, 2):
        apart = other.name in rule.requires.conflicts or rule.name in other.requires.conflicts
        if not apart and _overlap(mine, theirs):
            both = f"{rule.name}.{stream.name} and {other.name}.{its.name}"
            raise DeclarationError(f"streams {both} have random numbers in common; allot others in rules/streams.py")


def _overlap(one: range, other: range) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if one.step == other.step == 1:
        return max(one.start, other.start) < min(one.stop, other.stop)
    return any(number in longer for number in shorter)
