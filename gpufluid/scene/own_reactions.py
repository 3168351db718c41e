"""The ``[[reaction]]`` tables of a scene: new reactions, and replacements of shipped ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

from gpufluid.core.errors import WorldError, did_you_mean, shown
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.outcomes import missing, reactions_among
from gpufluid.matter.reaction_checks import (
    ageless,
    misread_ages,
    reaction_problems,
    too_many,
    without_effect,
)
from gpufluid.matter.reaction_loops import instant_loop
from gpufluid.matter.reactions import ANY, LIMIT, SAME, SHIPPED, Reaction, ReactionTable
from gpufluid.scene.toml_lines import Place, Report

_KEYS = ("from", *(key.name for key in fields(Reaction)))
_LISTS = ("between", "become", "wear")


def merged(entries: Sequence[Mapping[str, Any]], materials: MaterialTable, report: Report) -> ReactionTable:
    """The reaction table of a scene: the scene's reactions, then the shipped ones with other names.

    Args:
        entries: the tables, in the order of the file.
        materials: the materials of the scene.
        report: called with the place and the message of each problem. Invalid reactions do not enter the table.
    """
    own = OwnReactions.read(entries, materials, report)
    own.report_conflicts(materials, report)
    return own.table(materials)


@dataclass(frozen=True, slots=True)
class OwnReactions:
    """The reactions that a scene defines, each valid on its own.

    Args:
        records: the reactions by name, in the order of the file.
        first: the number of the table of each reaction in the file, by name.
    """

    records: dict[str, Reaction]
    first: dict[str, int]

    @classmethod
    def read(cls, entries: Sequence[Mapping[str, Any]], materials: MaterialTable, report: Report) -> Self:
        """Read the tables of a scene; arguments as for `merged`."""
        return cls(*_read(entries, materials, report))

    def table(self, materials: MaterialTable) -> ReactionTable:
        """The table of these reactions and the shipped ones that are valid beside them; loops are not checked."""
        return _table(self.records.values(), materials)

    def report_conflicts(self, materials: MaterialTable, report: Report) -> None:
        """Report and remove the reactions that are invalid only together with others: ages, pairs, loops."""
        own, first = self.records, self.first
        while wrong := list(misread_ages(_table(own.values(), materials), materials)):
            for reaction, problem in wrong:
                report(("reaction", first[reaction.name], problem.field), problem.message)
                del own[reaction.name]
        while beyond := too_many(own.values(), materials):
            reaction, problem = beyond
            report(("reaction", first[reaction.name], problem.field), problem.message)
            del own[reaction.name]
        try:
            while own and (loop := instant_loop(_table(own.values(), materials), materials)):
                last = _first_that_closes(list(own.values()), materials)
                message = f"instant reactions form a loop: {' -> '.join(loop)}"
                report(("reaction", first[last.name], "become"), message)
                del own[last.name]
        except WorldError as error:  # the search takes too long
            report(("reaction",), error.message)
            own.clear()


def _read(
    entries: Sequence[Mapping[str, Any]], materials: MaterialTable, report: Report
) -> tuple[dict[str, Reaction], dict[str, int]]:
    """The reactions by name, and by name the number of the table that defines each."""
    own: dict[str, Reaction] = {}
    first: dict[str, int] = {}
    for number, entry in enumerate(entries):
        reaction = _record(entry, materials, ("reaction", number), report)
        if reaction is None:
            continue
        if reaction.name in first:
            message = f"{shown(reaction.name)} is defined twice, first by reaction[{first[reaction.name]}]"
            report(("reaction", number, "name"), message)
            continue
        first[reaction.name] = number
        if len(own) == LIMIT - len(SHIPPED):
            report(
                ("reaction", number),
                f"is one too many; expected at most {LIMIT} in all, {len(SHIPPED)} of them shipped",
            )
            break
        own[reaction.name] = reaction
    return own, first


def report_ageless(
    entries: Sequence[Mapping[str, Any]], changes: Sequence[Mapping[str, Any]], materials: MaterialTable, report: Report
) -> None:
    """Report the materials whose new transitions make shipped reactions impossible.

    The age of a material with transitions counts latent heat, so it is missing for a reaction that needs an age.

    Args:
        entries: the ``[[reaction]]`` tables; shipped reactions that they replace need no age.
        changes: the ``[[material]]`` tables.
        materials, report: as for `merged`.
    """
    if not changes:
        return
    replaced = [entry.get("name") for entry in entries]
    needs = {
        record.name: reaction.name
        for reaction in reactions_among(SHIPPED, materials)
        for _, record in ageless(reaction, materials)
        if reaction.name not in replaced
    }
    for number, change in enumerate(changes):
        name = change.get("name")
        if isinstance(name, str) and name in needs:
            keys = [key for key in ("above", "below") if change.get(key)]
            message = f"leaves {shown(name)} no age, which reaction {shown(needs[name])} needs"
            report(("material", number, *keys[:1]), f"{message}; a [[reaction]] of the same name would replace it")


def _first_that_closes(own: Sequence[Reaction], materials: MaterialTable) -> Reaction:
    """The last reaction of the shortest prefix of ``own`` with a loop of instant reactions; all of ``own`` has one."""
    low, high = 1, len(own)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if instant_loop(_table(own[:middle], materials), materials) else (middle + 1, high)
    return own[low - 1]


def _table(own: Iterable[Reaction], materials: MaterialTable) -> ReactionTable:
    """The scene's reactions, then the shipped reactions that are valid beside them.

    Not in the table are: reactions of chance 0; shipped reactions that the scene replaces, even by one of chance 0;
    shipped reactions that need the age of a material without one; and shipped reactions that conflict over the use of
    an age, see `misread_ages`.
    """
    named = tuple(own)
    names, first = {reaction.name for reaction in named}, [reaction for reaction in named if reaction.chance > 0]
    shipped = (each for each in reactions_among(SHIPPED, materials) if each.name not in names)
    records = (*first, *(each for each in shipped if not ageless(each, materials)))
    conflicting = {reaction.name for reaction, _ in misread_ages(records, materials)} - names
    return ReactionTable(tuple(record for record in records if record.name not in conflicting))


def _record(own: Mapping[str, Any], materials: MaterialTable, place: Place, report: Report) -> Reaction | None:
    """The reaction of an entry; None: it is invalid, and its problems are reported."""
    wrong = {key: f"unknown key{did_you_mean(key, _KEYS)}" for key in own if key not in _KEYS}
    lists = _missing(own)
    if not {"from", "between"} & lists.keys():  # else the number of names is not known
        lists = _misshapen(own) | lists
    wrong |= lists
    given = {key: value for key, value in own.items() if key not in wrong}
    reaction = Reaction.of(_with_names(given) if lists else given)
    found = reaction.problems()
    if not {"between", "from", "become"} & {problem.field for problem in found}:
        found += missing(reaction, materials) if lists else reaction_problems(reaction, materials)
    if not found and not wrong:
        found = without_effect(reaction, materials)
    for problem in found:
        if not lists or problem.field in given:
            wrong.setdefault(problem.field, problem.message)
    if not wrong:
        return reaction
    for key, message in wrong.items():
        report((*place, key), message)
    return None


def _with_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a reaction with names in place of wrong or missing lists, so that the rest can be checked."""
    alone = "between" not in given and ("from" in given or isinstance(given.get("become"), str))
    named = {key: value for key, value in given.items() if key != ("between" if alone else "from")}
    names, product = (ANY, SAME) if alone else ([ANY, ANY], [SAME, SAME])
    return {"from" if alone else "between": names, "become": product, "heat": 1.0, **named}


def _missing(own: Mapping[str, Any]) -> dict[str, str]:
    """The messages for missing keys, and for both of ``between`` and ``from``, by key."""
    wrong = {}
    if "between" in own and "from" in own:
        wrong["from"] = "'from' and 'between' are both given; expected one of the two"
    elif "between" not in own and "from" not in own:
        wrong["between"] = "is missing; expected the names of two materials, or 'from' with one"
    if "become" not in own:
        wrong["become"] = "is missing"
    return wrong


def _misshapen(own: Mapping[str, Any]) -> dict[str, str]:
    """The messages for keys with a list where one material reacts, or a single value where two react, by key."""
    wrong = {}
    pairs = "from" not in own
    for key in _LISTS:
        value = own.get(key)
        if value is None:
            continue
        thing = "whole number" if key == "wear" else "name"
        if pairs and (not isinstance(value, list) or len(value) != 2):
            wrong[key] = f"{shown(value)}; expected a list of two {thing}s"
        elif not pairs and isinstance(value, list) and key != "between":
            wrong[key] = f"{shown(value)}; expected one {thing}"
    if not pairs and not isinstance(own["from"], str):
        wrong["from"] = f"{shown(own['from'])}; expected one name"
    return wrong
