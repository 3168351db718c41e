"""Ranges in scene files: values of fills, emitters and drains that are drawn by the seed of the world.

``{from = 3, to = 9}`` stands for a number between two others, or a list of numbers between two lists of that form;
``{choice = ["sand", "gravel"]}`` for one of several values. ``count`` repeats a table, each time with other draws.

A draw is an integer hash of the world's seed, the name of the value, the number of the copy and that of the component,
so a seed means the same world on each machine, and a table more in the file changes no draw of the others.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import float_info
from typing import Any

from gpufluid.core.errors import shown
from gpufluid.core.hashing import pcg4d
from gpufluid.scene.toml_lines import Place, Report, TomlValue, field_name

KINDS = "fill", "emitter", "drain"
"""The tables that can have ranges."""

COPIES_MOST = 1000
"""The most copies of a table."""

TABLES_MOST = 4096
"""The most tables of a kind, with their copies, and the most ends of their ranges that are checked."""

RANGES_MOST = 64
"""The most ranges of a table."""

CHOICES_MOST = 256
"""The most values of a choice."""

COUNT = "count"
"""The key that repeats a table."""

_FORM = "a range is {from = ..., to = ...} or {choice = [...]}"


@dataclass(slots=True)
class Drawn:
    """The tables of a scene file with a value in place of each range.

    Args:
        data: the data of the file, in which each table stands as often as it was drawn.
        origins: by kind, the number in the file of each of these tables.
        ends: by kind, the tables that have ranges, with values at the ends of these: each end and each choice of a
            range once beside the first values of the others, and once beside their last.
        end_origins: by kind, the number in the file of each of these tables.
        values: by the name of a range, such as ``fill[0].at``, the values of all copies.
        ranges: by the same names, the ranges as the file has them.
    """

    data: dict[str, Any]
    origins: dict[str, list[int]] = field(default_factory=dict)
    ends: dict[str, list[Any]] = field(default_factory=dict)
    end_origins: dict[str, list[int]] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    ranges: dict[str, Any] = field(default_factory=dict)

    def place(self, place: Place, origins: Mapping[str, Sequence[int]] | None = None) -> Place:
        """The place in the file of a place in `data`, or in `ends` if their origins are given."""
        numbers = (self.origins if origins is None else origins).get(str(place[0]) if place else "")
        if numbers is None or len(place) < 2 or not isinstance(place[1], int):
            return place
        return (place[0], numbers[place[1]], *place[2:])

    def has_ranges(self, kind: str, number: int) -> bool:
        """True if a table of `data`, by its kind and number, was drawn."""
        return kind in self.origins and self.origins[kind][number] in self.end_origins.get(kind, ())


def drawn(data: Mapping[str, Any], seed: int, report: Report, seeds: Mapping[str, int] | None = None) -> Drawn:
    """Draw all ranges of a scene file.

    Args:
        data: the data of the file.
        seed: of the world; its lowest 32 bits are used.
        report: called with the place and the message of each range that is not valid.
        seeds: by the name of a range, a seed in place of that of the world.
    """
    found = Drawn(dict(data))
    for kind in KINDS:
        tables = data.get(kind)
        if not isinstance(tables, list):
            continue  # the schema says what is wrong
        found.data[kind], found.origins[kind] = [], []
        most = 0  # tables with any seed
        for number, table in enumerate(tables):
            copies = _copies(table, (kind, number), found, seed, seeds or {}, report)
            found.data[kind] += copies
            found.origins[kind] += [number] * len(copies)
            most += _most_copies(table)
            if most > max(TABLES_MOST, number + 1) or len(found.ends.get(kind, ())) > TABLES_MOST:
                report((kind, number), f"more than {TABLES_MOST} copies of {kind} tables, or ends of their ranges")
                break
    return found


def draw(range_: Mapping[str, Any], name: str, seed: int, copy: int = 0) -> TomlValue:
    """The value of a valid range.

    Args:
        range_: with ``from`` and ``to``, or with ``choice``, as a scene has it.
        name: of the value; values of different names are independent.
        seed: its lowest 32 bits are used.
        copy: the number of the copy of a repeated table.
    Returns: one of the choices; or of two whole numbers any whole number between, both included; else a float.
    """
    label = zlib.crc32(name.encode())
    words = _words(label, copy, seed)
    if "choice" in range_:
        choices = range_["choice"]
        return choices[next(words) * len(choices) >> 32]
    return _between(range_["from"], range_["to"], words)


def problem_of(value: TomlValue) -> str | None:
    """The problem of a table that stands for a range, as a message; None: it is a valid range."""
    keys = set(value)
    if keys == {"choice"}:
        choices = value["choice"]
        if not isinstance(choices, list) or not choices or any(isinstance(each, dict) for each in choices):
            return f"choice = {shown(choices)}; expected a list of at least one value"
        if len(choices) > CHOICES_MOST:
            return f"a choice of {len(choices)} values; expected at most {CHOICES_MOST}"
        return None
    if keys != {"from", "to"}:
        return f"{shown(value)}; {_FORM}"
    return problem_of_ends(value["from"], value["to"])


def problem_of_ends(low: TomlValue, high: TomlValue, *, ordered: bool = True) -> str | None:
    """The problem of two ends, as a message; None: they are numbers, or lists of as many numbers.

    Args:
        low, high: the ends.
        ordered: whether each number of ``low`` must be at most that of ``high``.
    """
    if isinstance(low, list) and isinstance(high, list):
        if len(low) != len(high):
            return f"from has {len(low)} numbers and to has {len(high)}; expected as many"
        each = (problem_of_ends(*pair, ordered=ordered) for pair in zip(low, high, strict=True))
        return next((wrong for wrong in each if wrong), None)
    for name, end in (("from", low), ("to", high)):
        if isinstance(end, str):
            return f"{name} = {shown(end)}: words have no order; write {{choice = [...]}}"
        if isinstance(end, bool) or not isinstance(end, int | float) or not abs(end) <= float_info.max:
            return f"from {shown(low)} to {shown(high)}; expected two numbers, or two lists of as many numbers"
    if ordered and low > high:
        return f"from {shown(low)} to {shown(high)}; expected the lower number first"
    return None


def _copies(
    table: TomlValue, place: Place, found: Drawn, seed: int, seeds: Mapping[str, int], report: Report
) -> list[dict[str, Any]]:
    """The copies of a table, with drawn values. Its ranges, their values and their ends are noted in ``found``."""
    if not isinstance(table, dict):
        return [table]
    ranges = dict(_ranges_in(table, place))
    wrong = {each: problem for each, value in ranges.items() if (problem := problem_of(value))}
    rest = {key: value for key, value in table.items() if key != COUNT}
    if len(ranges) > RANGES_MOST:
        wrong = {place: f"has {len(ranges)} ranges; expected at most {RANGES_MOST}"}
    if not wrong:
        wrong = {(*place, COUNT): problem for problem in _problems_of_count(table, ranges, rest, place)}
    for each, problem in wrong.items():
        report(each, problem)
    if wrong:
        return []
    if not ranges and COUNT not in table:
        return [table]
    names = {each: field_name(each) for each in ranges}

    def value_of(each: Place, copy: int) -> TomlValue:
        name = names[each]
        return draw(ranges[each], name, seeds.get(name, seed), copy)

    counted = (*place, COUNT)
    count = value_of(counted, 0) if counted in ranges else table.get(COUNT, 1)
    own = [each for each in ranges if each != counted]
    copies = [_filled(rest, place, {each: value_of(each, copy) for each in own}) for copy in range(count)]
    kind = str(place[0])
    ends = [_filled(rest, place, chosen) for chosen in _combinations({each: _ends(ranges[each]) for each in own})]
    found.ends.setdefault(kind, []).extend(ends)
    found.end_origins.setdefault(kind, []).extend([int(place[1])] * len(ends))
    for each in ranges:
        found.ranges[names[each]] = ranges[each]
        found.values[names[each]] = [count] if each == counted else [value_of(each, copy) for copy in range(count)]
    return copies


def _most_copies(table: TomlValue) -> int:
    """The most copies of a table of a scene, valid or not."""
    count = table.get(COUNT, 1) if isinstance(table, dict) else 1
    if isinstance(count, dict) and not problem_of(count):
        return max((each for each in _ends(count) if isinstance(each, int)), default=1)
    return count if isinstance(count, int) else 1


def _problems_of_count(
    table: Mapping[str, Any], ranges: Mapping[Place, Any], rest: Mapping[str, Any], place: Place
) -> Iterator[str]:
    """The problem of the count of a table whose ranges are valid."""
    if COUNT not in table:
        return
    counts = _ends(ranges[(*place, COUNT)]) if (*place, COUNT) in ranges else [table[COUNT]]
    for count in counts:
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= COPIES_MOST:
            yield f"{shown(count)}; expected a whole number from 0 to {COPIES_MOST}"
            return
    others = any(each[2] != COUNT for each in ranges)
    if max(counts) > 1 and not others and rest.get("shape") != "noise":
        yield f"{max(counts)} copies of the same {place[0]}; expected a range in another key of it"


def _ranges_in(value: TomlValue, place: Place) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Yield the place and the table of each range in a table of a scene, valid or not."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, dict):
            yield (*place, key), item
        elif isinstance(item, list):
            yield from _ranges_in(item, (*place, key))


def _filled(value: TomlValue, place: Place, values: Mapping[Place, Any]) -> TomlValue:
    """A copy of a table of a scene with values in place of its ranges, by their places."""
    if place in values:
        return values[place]
    if isinstance(value, dict):
        return {key: _filled(item, (*place, key), values) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, (*place, number), values) for number, item in enumerate(value)]
    return value


def _ends(range_: Mapping[str, Any]) -> list[Any]:
    """The choices of a range, or its first and its last value."""
    return list(range_["choice"]) if "choice" in range_ else [range_["from"], range_["to"]]


def _combinations(ends: Mapping[Place, Sequence[Any]]) -> Iterator[dict[Place, Any]]:
    """Yield values of several ranges at their ends.

    What is wrong with one value, or with the ends of two ranges together, is wrong in one of these combinations.
    """
    for side in (0, -1):
        base = {place: values[side] for place, values in ends.items()}
        yield base
        for place, values in ends.items():
            for value in values:
                if value != base[place]:
                    yield {**base, place: value}


def _words(label: int, copy: int, seed: int) -> Iterator[int]:
    """Yield random words of 32 bits, one for each component of a value."""
    component = 0
    while True:
        yield int(pcg4d(component, copy, label, seed)[0][0])
        component += 1


def _between(low: TomlValue, high: TomlValue, words: Iterator[int]) -> TomlValue:
    """A number between two others, or a list of them, by the next words; arithmetic rounds alike on all machines."""
    if isinstance(low, list):
        return [_between(*pair, words) for pair in zip(low, high, strict=True)]
    word = next(words)
    if isinstance(low, int) and isinstance(high, int):
        return low + (word * (high - low + 1) >> 32)
    return min(low + (high - low) * (word / 2**32), float(high))
