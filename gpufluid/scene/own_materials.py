"""The ``[[material]]`` tables of a scene: materials of its own beside those that come with gpufluid, or over them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.matter.materials import (
    LIMIT,
    RECORDS,
    SHIPPED,
    Material,
    MaterialTable,
    State,
    colour_of,
    confused_tags,
    transition_problems,
)
from gpufluid.matter.transitions import Transition
from gpufluid.scene.toml_lines import Place

Blame = Callable[[Place, str], None]

_KEYS = tuple(key.name for key in fields(Material))

_NEEDED = {"state": "solid", "density": 1, "colour": "#000000"}
"""What a new material must say, and what stands there while a scene that does not say it is read to its end."""


def merged(entries: Sequence[Mapping[str, Any]], blame: Blame) -> MaterialTable:
    """The material table of a scene.

    A new name gets the number after the last. A shipped material keeps its number, and its record lies under the
    scene's; what neither says is as the state has it.

    Args:
        entries: the tables, in the order of the file.
        blame: told the place and a sentence for all that is wrong. What is wrong does not enter the table; a new name
            does all the same, so that its uses are not blamed too.
    """
    records = {record.name: record for record in SHIPPED}
    first: dict[str, int] = {}
    for number, entry in enumerate(entries):
        name = entry.get("name")
        if isinstance(name, str):
            if name in first:
                message = f"{shown(name)} is defined twice, first by material[{first[name]}]"
                blame(("material", number, "name"), message)
                continue
            first[name] = number
            if name not in records and len(records) == LIMIT:
                message = f"is one too many; expected at most {LIMIT} in all, {len(SHIPPED)} of them gpufluid's own"
                blame(("material", number), message)
                break
        record = _record(entry, ("material", number), blame)
        if record is not None:
            records[record.name] = record
    known = _with_clear_tags(_with_known_products(records, first, blame), first, blame)
    return MaterialTable(known)


def _with_clear_tags(records: tuple[Material, ...], first: Mapping[str, int], blame: Blame) -> tuple[Material, ...]:
    """The records, without those tags that are names; where the tag is a shipped one, the name is blamed."""
    known, names, blamed = list(records), {record.name for record in records}, set()
    for number, problem in confused_tags(records):
        record = known[number]
        tag = next((tag for tag in record.tags if tag in names), None)
        if record.name in first:
            blame(("material", first[record.name], "tags"), problem.message)
        elif tag is not None and tag not in blamed:
            blame(("material", first[tag], "name"), f"{shown(tag)} is a tag, of {shown(record.name)}")
            blamed.add(tag)
        known[number] = replace(record, tags=tuple(each for each in record.tags if each not in names))
    return tuple(known)


def _with_known_products(
    records: Mapping[str, Material], first: Mapping[str, int], blame: Blame
) -> tuple[Material, ...]:
    """The records, without those changes of state that only all of them together show to be wrong."""
    known = list(records.values())
    while wrong := list(transition_problems(known)):
        # of a circle any change may be taken away: one that the scene makes, if it makes one
        number, key, message = min(wrong, key=lambda each: known[each[0]].name not in first)
        record = known[number]
        product = getattr(record, key).product
        own = record.name in first
        blame(("material", first[record.name if own else product], *([key] if own else [])), message)
        known[number] = replace(record, **{key: None})
    return tuple(known)


def _record(own: Mapping[str, Any], place: Place, blame: Blame) -> Material | None:
    """An entry over what it changes, without what is wrong with it; None where that is its name."""
    name = own.get("name")
    shipped = RECORDS.get(name, {}) if isinstance(name, str) else {}
    base = {"name": "nameless", **_NEEDED, **shipped}
    wrong = {key: f"unknown key{did_you_mean(key, _KEYS)}" for key in own if key not in _KEYS}
    wrong |= _unreadable(own) | _forbidden(own)
    if name is None:
        wrong["name"] = "is missing"
    elif isinstance(name, str) and not shipped:
        wrong |= {key: f"is missing; {shown(name)} is new and needs it" for key in _NEEDED if key not in own}
    readable = {key: value for key, value in own.items() if key not in wrong}
    wrong |= {problem.field: problem.message for problem in Material.of(base | readable).problems()}
    for key, message in wrong.items():
        blame((*place, key), message)
    if "name" in wrong:
        return None
    return Material.of(base | {key: value for key, value in readable.items() if key not in wrong})


def _unreadable(own: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with the keys that are words in a scene and something else in a record, by key."""
    wrong = {}
    readers = {"state": State.of, "colour": colour_of, "above": Transition.of, "below": Transition.of, "tags": _tags_of}
    for key, read in readers.items():
        try:
            if key in own:
                read(own[key])
        except ValueError as error:
            wrong[key] = str(error)
    return wrong


def _tags_of(words: object) -> tuple[str, ...]:
    """A list of words. Raises ValueError: a sentence."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{shown(words)} is no list of words; expected one like ['flammable']")
    return tuple(words)


def _forbidden(own: Mapping[str, Any]) -> dict[str, str]:
    """What a scene may not change, by key: empty is nothing at all, and walls are what keeps matter in."""
    if own.get("name") == SHIPPED[0].name:
        return {key: "of empty cannot change; only its colour can" for key in own if key not in ("name", "colour")}
    if own.get("name") == "wall" and own.get("state", "solid") != "solid":
        return {"state": f"{shown(own['state'])}; expected 'solid': walls stay solid"}
    return {}
