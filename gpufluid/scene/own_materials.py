"""The ``[[material]]`` tables of a scene: new materials, and changes to shipped ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from gpufluid.scene.toml_lines import Place, Report

_KEYS = tuple(key.name for key in fields(Material))

_NEEDED = {"state": "solid", "density": 1, "colour": "#000000"}
"""The required keys of a new material, with the values that replace missing ones while the rest is checked."""


def merged(entries: Sequence[Mapping[str, Any]], report: Report) -> MaterialTable:
    """The material table of a scene.

    A new material gets the next number. A shipped material keeps its number, and its record gives the keys that the
    scene does not give. A key that neither gives has the default of the state.

    Args:
        entries: the tables, in the order of the file.
        report: called with the place and the message of each problem. An invalid value does not enter the table. A new
            name does in any case, so that its uses are not reported too.
    """
    records = {record.name: record for record in SHIPPED}
    first: dict[str, int] = {}
    for number, entry in enumerate(entries):
        name = entry.get("name")
        if isinstance(name, str):
            if name in first:
                message = f"{shown(name)} is defined twice, first by material[{first[name]}]"
                report(("material", number, "name"), message)
                continue
            first[name] = number
            if name not in records and len(records) == LIMIT:
                message = f"is one too many; expected at most {LIMIT} in all, {len(SHIPPED)} of them shipped"
                report(("material", number), message)
                break
        record = _record(entry, ("material", number), report)
        if record is not None:
            records[record.name] = record
    known = _with_clear_tags(_with_known_products(records, first, report), first, report)
    return MaterialTable(known)


def _with_clear_tags(records: tuple[Material, ...], first: Mapping[str, int], report: Report) -> tuple[Material, ...]:
    """The records without the tags that equal a name; for a tag of a shipped material the name is reported."""
    known, names, reported = list(records), {record.name for record in records}, set()
    for number, problem in confused_tags(records):
        record = known[number]
        tag = next((tag for tag in record.tags if tag in names), None)
        if record.name in first:
            report(("material", first[record.name], "tags"), problem.message)
        elif tag is not None and tag not in reported:
            report(("material", first[tag], "name"), f"{shown(tag)} is a tag, of {shown(record.name)}")
            reported.add(tag)
        known[number] = replace(record, tags=tuple(each for each in record.tags if each not in names))
    return tuple(known)


def _with_known_products(
    records: Mapping[str, Material], first: Mapping[str, int], report: Report
) -> tuple[Material, ...]:
    """The records without the transitions that are invalid in the whole table."""
    known = list(records.values())
    while wrong := list(transition_problems(known)):
        # any transition of a loop can be removed: one of the scene's, if there is one
        number, key, message = min(wrong, key=lambda each: known[each[0]].name not in first)
        record = known[number]
        product = getattr(record, key).product
        own = record.name in first
        report(("material", first[record.name if own else product], *([key] if own else [])), message)
        known[number] = replace(record, **{key: None})
    return tuple(known)


def _record(own: Mapping[str, Any], place: Place, report: Report) -> Material | None:
    """The material of an entry, over the shipped record and without invalid values; None: the name is invalid."""
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
        report((*place, key), message)
    if "name" in wrong:
        return None
    return Material.of(base | {key: value for key, value in readable.items() if key not in wrong})


def _unreadable(own: Mapping[str, Any]) -> dict[str, str]:
    """The problems, by key, of values that a scene writes in another form than a record."""
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
    """A list of words as a tuple. Raises ValueError: anything else; a sentence."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{shown(words)} is no list of words; expected one like ['flammable']")
    return tuple(words)


def _forbidden(own: Mapping[str, Any]) -> dict[str, str]:
    """The problems, by key, of changes that no scene may make: to ``empty``, and to the state of ``wall``."""
    if own.get("name") == SHIPPED[0].name:
        return {key: "of 'empty' cannot change; only its colour can" for key in own if key not in ("name", "colour")}
    if own.get("name") == "wall" and own.get("state", "solid") != "solid":
        return {"state": f"{shown(own['state'])}; expected 'solid': walls stay solid"}
    return {}
