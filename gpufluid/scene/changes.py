"""Changes of a scene: values that a caller gives in place of those of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.matter.materials import RECORDS
from gpufluid.scene.ranges import KINDS
from gpufluid.scene.toml_lines import Place, TomlValue, field_name


@dataclass(frozen=True, slots=True)
class Changes:
    """Values that stand in place of those of a scene file; parameters of rules are given beside them.

    Args:
        materials: properties by material and key, as a ``[[material]]`` of the file would say them.
        gravity: the gravity; None: that of the file.
        values: values of fills, emitters and drains, or ranges, by names such as ``fill[0].at``. The file has them.
        seeds: by such a name, the seed by which its range is drawn, in place of the world's.
    """

    materials: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    gravity: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """True if anything is changed."""
        return bool(self.materials or self.gravity is not None or self.values or self.seeds)

    def of(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data of a scene file with these changes. Raises UsageError: a material or value that it does not have."""
        changed = dict(data)
        if self.gravity is not None:
            changed["gravity"] = self.gravity
        for name, own in self.materials.items():
            changed["material"] = _with_material(changed.get("material", []), name, own)
        for name, value in self.values.items():
            place = place_of(name, data)
            changed[str(place[0])] = _replaced(changed[str(place[0])], place[1:], value)
        return changed


def place_of(name: str, data: Mapping[str, Any]) -> Place:
    """The place of a value of a fill, an emitter or a drain, such as ``fill[0].at``, in the data of a scene file.

    Raises: UsageError: the file has no such value.
    """
    known = {field_name(place): place for place in _places(data)}
    if name not in known:
        raise UsageError(f"{shown(name)} is no value of a fill, an emitter or a drain of the scene{_near(name, known)}")
    return known[name]


def is_place(name: str) -> bool:
    """True if a name can only be that of a value of a fill, an emitter or a drain."""
    return name.partition("[")[0] in KINDS and "[" in name


def _near(name: str, known: Mapping[str, Place]) -> str:
    return did_you_mean(name, list(known)) if known else ", which has none of them"


def _places(data: Mapping[str, Any]) -> Iterator[Place]:
    """Yield the places of all values of fills, emitters and drains, and those of items in them."""
    for kind in KINDS:
        tables = data.get(kind)
        for number, table in enumerate(tables if isinstance(tables, list) else []):
            for key, value in (table if isinstance(table, dict) else {}).items():
                yield kind, number, key
                if isinstance(value, list):
                    yield from ((kind, number, key, item) for item in range(len(value)))


def _replaced(value: TomlValue, place: Place, new: object) -> TomlValue:
    """A copy of tables or lists with another value at a place."""
    if not place:
        return new
    copy: TomlValue = list(value) if isinstance(value, list) else dict(value)
    copy[place[0]] = _replaced(copy[place[0]], place[1:], new)
    return copy


def _with_material(tables: TomlValue, name: str, own: Mapping[str, object]) -> TomlValue:
    """The ``[[material]]`` tables of a scene with other properties of one. Raises UsageError: no such material."""
    tables = tables if isinstance(tables, list) else []
    names = [table.get("name") for table in tables if isinstance(table, dict)]
    if name in names:
        return [{**table, **own} if table.get("name") == name else table for table in tables]
    if name not in RECORDS:
        known = [*RECORDS, *(each for each in names if isinstance(each, str))]
        raise UsageError(f"unknown material {shown(name)}{did_you_mean(name, known)}")
    return [*tables, {"name": name, **own}]
