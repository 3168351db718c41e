"""The ``[[constituent]]`` and ``[[conversion]]`` tables of a scene: its mixture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from gpufluid.core.errors import WorldError, did_you_mean, shown
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import (
    CONSTITUENTS_MOST,
    CONVERSIONS_MOST,
    SHIPPED,
    Constituent,
    Conversion,
    MixtureTable,
    conversions_among,
)
from gpufluid.scene.toml_lines import Place, Report
from gpufluid.world.laws import constituent_problem

_CONSTITUENT_KEYS = tuple(key.name for key in fields(Constituent))
_CONVERSION_KEYS = ("from", *(key.name for key in fields(Conversion)))


def merged(
    constituents: Sequence[Mapping[str, Any]],
    conversions: Sequence[Mapping[str, Any]],
    materials: MaterialTable,
    report: Report,
) -> MixtureTable:
    """The mixture of a scene.

    The constituents are the scene's own, or the shipped ones if the scene gives none. A constituent that is also
    shipped has the shipped flows unless the scene gives them. The conversions are the scene's own, then the shipped
    ones. A scene's conversion replaces the shipped one of the same name; shipped conversions that name a material
    which is no constituent are left out.

    Args:
        constituents, conversions: the tables, in the order of the file.
        materials: the materials of the scene.
        report: called with the place and the message of each problem. Invalid tables do not enter the mixture.
    """
    own = _own_constituents(constituents, materials, report)
    if not constituents:
        own = [each for each in SHIPPED.constituents if each.material in materials]
    names = [each.material for each in own]
    made: dict[str, Conversion] = {}
    for number, entry in enumerate(conversions):
        conversion = _conversion(entry, names, ("conversion", number), report)
        if conversion is not None and conversion.name in made:
            report(("conversion", number, "name"), f"{shown(conversion.name)} is defined twice")
        elif conversion is not None:
            made[conversion.name] = conversion
    shipped = [each for each in conversions_among(SHIPPED.conversions, names) if each.name not in made]
    if len(made) + len(shipped) > CONVERSIONS_MOST:
        report(("conversion", CONVERSIONS_MOST - len(shipped)), f"is one too many; expected {CONVERSIONS_MOST} in all")
    return MixtureTable(own or SHIPPED.constituents[:1], [*made.values(), *shipped][:CONVERSIONS_MOST] if own else ())


def _own_constituents(
    entries: Sequence[Mapping[str, Any]], materials: MaterialTable, report: Report
) -> list[Constituent]:
    shipped = {each.material: each.record() for each in SHIPPED.constituents}
    found: dict[str, Constituent] = {}
    for number, entry in enumerate(entries):
        place: Place = ("constituent", number)
        wrong = _unknown(entry, _CONSTITUENT_KEYS)
        name = entry.get("material")
        if "material" not in entry:
            wrong["material"] = "is missing"
        elif not isinstance(name, str):
            wrong["material"] = f"{shown(name)}; expected the name of a material"
        elif problem := constituent_problem(name, materials):
            wrong["material"] = problem
        elif name in found:
            wrong["material"] = f"{shown(name)} is given twice"
        elif len(found) == CONSTITUENTS_MOST:
            wrong["material"] = f"is one too many; expected {CONSTITUENTS_MOST} constituents at most"
        for key, message in wrong.items():
            report((*place, key), message)
        if wrong or not isinstance(name, str):
            continue
        constituent = _constituent({**shipped.get(name, {}), **entry}, place, report)
        if constituent is not None:
            found[name] = constituent
    return list(found.values())


def _unknown(entry: Mapping[str, Any], known: Sequence[str]) -> dict[str, str]:
    """The messages for unknown keys, by key."""
    return {key: f"unknown key{did_you_mean(key, known)}" for key in entry if key not in known}


def _constituent(record: Mapping[str, Any], place: Place, report: Report) -> Constituent | None:
    try:
        constituent = Constituent.of(record)
        problems = list(constituent.problems())
    except WorldError as error:
        constituent, problems = None, [error]
    for problem in problems:
        report((*place, *problem.field.split(".")), problem.message)
    return None if problems else constituent


def _conversion(entry: Mapping[str, Any], names: Sequence[str], place: Place, report: Report) -> Conversion | None:
    wrong = _unknown(entry, _CONVERSION_KEYS)
    if "between" in entry and "from" in entry:
        wrong["from"] = "and 'between' are both given; expected one of the two"
    elif "between" not in entry and "from" not in entry:
        wrong["between"] = "is missing; expected the names of two materials, or 'from' with one"
    for key in ("name", "become"):
        if key not in entry:
            wrong[key] = "is missing"
    if not {"from", "between", "become"} & wrong.keys():
        conversion = Conversion.of({"name": "nameless", **{key: entry[key] for key in entry if key not in wrong}})
        wrong = {problem.field: problem.message for problem in conversion.problems()} | wrong
        said = {"between": conversion.between, "become": conversion.become, "beside": (conversion.beside,)}
        for key, each in said.items():
            for name in (name for name in each if key not in wrong and name and name not in names):
                wrong[key] = f"{shown(name)} is no constituent here{did_you_mean(name, names)}"
        if not wrong:
            return conversion
    for key, message in wrong.items():
        report((*place, "from" if key == "between" and "from" in entry else key), message)
    return None
