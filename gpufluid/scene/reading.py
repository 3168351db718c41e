"""Reading a scene file: TOML to checked tables, with file, line and field of every problem."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError

from gpufluid.core.errors import Problem, did_you_mean, shown
from gpufluid.rules import RULES
from gpufluid.scene import schema
from gpufluid.scene.changes import Changes
from gpufluid.scene.ranges import COUNT, KINDS, Drawn, drawn
from gpufluid.scene.toml_lines import PROBLEMS_MOST, Place, TomlFile, field_name

_SHAPES: dict[str, type[schema.Fill]] = {
    get_args(model.model_fields["shape"].annotation)[0]: model
    for model in cast(list[type[schema.Fill]], list(get_args(get_args(schema.Shape)[0])))
}
_PLAIN = {"a valid integer": "a whole number", "a valid number": "a number", "a valid string": "text in quotes"}
"""Words of pydantic that a person who writes a scene need not know, and what is said in their place."""

_TABLES: dict[str, type[BaseModel]] = {
    "map": schema.Map,
    "state": schema.StateTable,
    "emitter": schema.EmitterTable,
    "drain": schema.DrainTable,
}

_ONE_CELL = {"shape": "rectangle", "at": [0, 0], "size": [1, 1], "material": "empty"}
"""A fill in place of one with a fault."""


@dataclass(frozen=True, slots=True)
class SceneTables:
    """The content of a scene file.

    Args:
        file: the file.
        tables: its tables, with a value in place of each range.
        rules: the parameters in the tables of rules, not checked yet, by rule.
        drawn: the ranges and what was drawn.
        ends: the tables that have ranges, with values at the ends of these; see `Drawn.ends`.
        problems: unknown or missing keys, and values of a wrong type or range. The tables are without these, so that
            the rest can be checked.
    """

    file: TomlFile
    tables: schema.SceneTable
    rules: dict[str, dict[str, Any]]
    drawn: Drawn
    ends: schema.SceneTable
    problems: list[Problem]


def read_tables(path: Path) -> schema.SceneTable:
    """Read the tables of a scene file with the values that its own seed draws.

    Raises: SceneError: no TOML, unknown or missing keys, and values of a wrong type or range.
    """
    read = read_scene(path)
    if read.problems:
        raise read.file.refusal(read.problems)
    return read.tables


def read_scene(path: Path, seed: int | None = None, changes: Changes | None = None) -> SceneTables:
    """Read a scene file and draw its ranges.

    Args:
        path: the file.
        seed: draws them; None: that of the file.
        changes: values in place of those of the file.
    Raises: SceneError: no TOML, or problems beside which the rest cannot be checked. UsageError: a change of something
        that the file does not have.
    """
    file = TomlFile(path)
    data, changes = dict(file.data), changes or Changes()
    data = changes.of(data)
    seed = seed if seed is not None else data.get("seed", 0)
    problems: list[Problem] = []
    found = drawn(
        data,
        seed if isinstance(seed, int) else 0,
        lambda place, message: problems.append(file.problem(place, message)),
        changes.seeds,
    )
    data = found.data
    tables_of_rules = {rule: data.pop(rule) for rule in RULES if rule in data}
    rules = {rule: table for rule, table in tables_of_rules.items() if isinstance(table, dict)}
    problems += [file.problem((rule,), "expected a table") for rule in tables_of_rules if rule not in rules]
    at_ends = {**data, **{kind: [] for kind in KINDS}, **found.ends}
    ends, faults = _validated(at_ends)
    problems += [file.problem(found.place(place, found.end_origins), message) for place, message in faults]
    tables, faults = _validated(data)
    reported = {problem.field for problem in problems}
    others = [file.problem(found.place(place), message) for place, message in faults]
    problems += [problem for problem in others if problem.field not in reported]
    problems = list(dict.fromkeys(problems))
    if tables is None or ends is None:
        raise file.refusal(problems)
    return SceneTables(file, tables, rules, found, ends, problems)


def _validated(data: Mapping[str, Any]) -> tuple[schema.SceneTable | None, list[tuple[Place, str]]]:
    """The tables of data without ranges, and the place and message of each fault.

    The tables are without the values that have a fault; None: without these the rest cannot be checked.
    """
    model = schema.scene_table()
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        faults = cast(list[Mapping[str, Any]], error.errors()[:PROBLEMS_MOST])
    explained = [_explained(fault, data) for fault in faults]
    rest = deepcopy(dict(data))
    try:
        for fault in faults:
            _drop(_place(fault["loc"]), rest)
        return model.model_validate(rest), explained
    except ValueError:  # also pydantic's
        return None, explained


def _drop(place: Place, data: dict[str, Any]) -> None:
    """Remove the value at a place with a fault from the data of a scene, so that the rest can be checked.

    A fill becomes one cell of its material, and an emitter or drain without its place one in the corner: so all others
    keep their numbers.

    Raises: ValueError: without the value the rest means something else.
    """
    key, number = str(place[0]), place[1] if len(place) > 1 else None
    if isinstance(number, int) and key in ("fill", "emitter", "drain"):
        given = data[key][number] if isinstance(data[key][number], dict) else {}
        if key == "fill":
            named = given.get("material")
            data[key][number] = _ONE_CELL | ({"material": named} if isinstance(named, str) else {})
            return
        kept = {each: value for each, value in given.items() if len(place) > 2 and each != place[2]}
        data[key][number] = {"at": [0, 0], **kept} if "at" in kept else {"at": [0, 0], **kept, "size": [1, 1]}
    elif key == "rules":
        names = data[key] if isinstance(data[key], list) else [data[key]]
        data[key] = [name for name in names if isinstance(name, str)]
        if not data[key]:
            raise ValueError("no rule is left")
    elif key == "state" or (number is not None and key not in ("map", "size")):
        raise ValueError(f"{field_name(place)} is needed")
    else:
        data.pop(key, None)


def _explained(fault: Mapping[str, Any], data: Mapping[str, Any]) -> tuple[Place, str]:
    """The place and message of an error that pydantic reports."""
    place = _place(fault["loc"])
    match fault["type"]:
        case "extra_forbidden":
            return place, f"unknown key{did_you_mean(str(place[-1]), _known_keys(place[:-1], data))}"
        case "missing":
            return place, "is missing"
        case "union_tag_not_found":
            return (*place, "shape"), f"is missing; expected one of: {', '.join(sorted(_SHAPES))}"
        case "union_tag_invalid":
            tag = str(fault["ctx"]["tag"])
            return (*place, "shape"), f"unknown shape {shown(tag)}{did_you_mean(tag, _SHAPES)}"
        case "too_short":
            things = "colour" if place[-1] == "legend" else "items"
            return place, f"expected at least {fault['ctx']['min_length']} {things}"
        case "list_type" if isinstance(fault["input"], dict):
            return place, f"is one table; expected a list: write [[{place[-1]}]], with two brackets, for each"
        case "tuple_type":
            return place, f"{shown(fault['input'])}: expected a pair, [x, y]"
        case "model_type" | "dict_type" | "model_attributes_type":
            return place, f"{shown(fault['input'])}: expected a table"
    message = str(fault["msg"]).replace("Input should be", "expected")
    for words, plain in _PLAIN.items():
        message = message.replace(words, plain)
    found = fault["input"]
    return place, message if isinstance(found, dict | list) else f"{shown(found)}: {message}"


def _place(location: tuple[str | int, ...]) -> Place:
    """The place of an error, without the shape that pydantic inserts after the number of a fill."""
    if len(location) > 2 and location[0] == "fill" and location[2] in _SHAPES:
        location = (*location[:2], *location[3:])
    return location


def _known_keys(place: Place, data: Mapping[str, Any]) -> list[str]:
    model: type[BaseModel] = schema.SceneTable
    if place and place[0] == "fill":
        model = _SHAPES[data["fill"][place[1]]["shape"]]
    elif place:
        model = _TABLES[str(place[0])]
    keys = [field.alias or name for name, field in model.model_fields.items()]
    if issubclass(model, schema.Fill):
        keys += schema.field_keys()
    if place and place[0] in KINDS:
        keys.append(COUNT)
    return keys if place else [*keys, *RULES]
