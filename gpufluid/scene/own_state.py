"""The ``[state]`` table of a scene: the snapshot from which the scene starts, and the check that their laws agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.matter.materials import Material
from gpufluid.matter.mixtures import Constituent, Conversion, MixtureTable
from gpufluid.matter.ports import Port
from gpufluid.rules import RULES
from gpufluid.scene import own_materials, own_mixture
from gpufluid.scene.files_beside import file_beside
from gpufluid.scene.own_reactions import OwnReactions
from gpufluid.scene.schema import SceneTable
from gpufluid.scene.toml_lines import Place, Report
from gpufluid.world import World

StateReader = Callable[[Path], World]
"""A function that reads a snapshot, such as `io.snapshots.load`; it raises UsageError. It is given to the functions of
this room because snapshots are read in a room above."""


def open_state(scene: Path, file: str, read_state: StateReader) -> World:
    """Read the snapshot that a scene names.

    Args:
        scene: the scene file.
        file: the name of the snapshot in the scene; it lies beside or below the scene file.
        read_state: reads it.
    Raises: ValueError: the snapshot is outside the folder of the scene, missing, no regular file, or refused; the
        message says which.
    """
    if Path(file).suffix.lower() == ".zarr":  # a folder, of which the next message would expect a file
        raise ValueError(f"{shown(file)} is a store; expected a .npz snapshot")
    path = file_beside(scene, file, ".npz")
    if path.suffix.lower() != ".npz":
        raise ValueError(f"{shown(file)} is no snapshot; expected a name that ends in .npz")
    try:
        return read_state(path)
    except UsageError as error:
        raise ValueError(f"{shown(file)}: {str(error).removeprefix(f'{path}: ')}") from None


class StateCheck:
    """Compares the laws in a scene file with the laws of its snapshot. Laws that it does not give are the snapshot's.

    Args:
        tables, rule_tables: the parsed tables of the scene, and those of its rules.
        world: the world of the snapshot.
        report: called with the place and the message of each problem.
    """

    def __init__(
        self, tables: SceneTable, rule_tables: Mapping[str, Mapping[str, Any]], world: World, report: Report
    ) -> None:
        assert tables.state is not None
        self._tables, self._rule_tables, self._world, self._report = tables, rule_tables, world, report
        self._file = shown(tables.state.file)

    def report(self, emitters: Sequence[Port], drains: Sequence[Port]) -> None:
        """Report each difference; ``emitters`` and ``drains`` are those of the scene."""
        self._laws()
        self._parameters()
        self._materials()
        self._reactions()
        self._mixture()
        self._ports("emitter", emitters, self._world.emitters)
        self._ports("drain", drains, self._world.drains)

    def _differs(self, place: Place, said: object, kept: object) -> None:
        wanted = f"expected the same as in {self._file}, {shown(kept)}, or no {place[-1]} here"
        self._report(place, f"{shown(said)}; {wanted}")

    def _laws(self) -> None:
        said, world = self._tables.model_fields_set, self._world
        size, rules = self._tables.size, self._tables.rules
        if size is not None and size != (world.width, world.height):
            self._differs(("size",), list(size), [world.width, world.height])
        if "rules" in said and sorted(rules) != sorted(world.rules):
            self._differs(("rules",), rules, list(world.rules))
        for law in ("edges", "gravity", "seed"):
            if law in said and getattr(self._tables, law) != getattr(world, law):
                self._differs((law,), getattr(self._tables, law), getattr(world, law))

    def _parameters(self) -> None:
        for rule, table in self._rule_tables.items():
            if rule not in self._world.rules:
                self._report((rule,), f"{self._file} does not have rule {rule!r}: rules = {list(self._world.rules)}")
                continue
            wrong = {problem.name: str(problem) for problem in RULES[rule].problems(table)}
            for name, message in wrong.items():
                self._report((rule, name), message)
            preset = RULES[rule].presets.get(str(table.get("preset")), {})
            said = {name: value for name, value in {**preset, **table}.items() if name not in (*wrong, "preset")}
            resolved, kept = RULES[rule].resolve(said), self._world.parameters[rule]
            for name in said:
                if resolved[name] != kept[name]:
                    self._differs((rule, name if name in table else "preset"), said[name], kept[name])

    def _materials(self) -> None:
        said, kept = own_materials.merged(self._tables.material, self._report), self._world.materials
        for number, entry in enumerate(self._tables.material):
            name = entry.get("name")
            if not isinstance(name, str) or name not in said:
                continue  # it is reported
            if name not in kept:
                hint = did_you_mean(name, [record.name for record in kept])
                self._report(("material", number, "name"), f"{shown(name)} is no material of {self._file}{hint}")
                continue
            mine, its = said.records[said[name]], kept.records[kept[name]]
            for key in (field.name for field in fields(Material)):
                if getattr(mine, key) != getattr(its, key):
                    self._differs(("material", number, key), getattr(mine, key), getattr(its, key))

    def _reactions(self) -> None:
        if "reactions" not in self._world.rules:
            return
        own = OwnReactions.read(self._tables.reaction, self._world.materials, self._report)
        there = {reaction.name: reaction for reaction in self._world.reactions if reaction.chance > 0}
        for name, reaction in own.records.items():
            wanted = reaction if reaction.chance > 0 else None
            if there.get(name) != wanted:
                self._report(("reaction", own.first[name]), f"{shown(name)} differs from that of {self._file}")

    def _mixture(self) -> None:
        tables, world = self._tables, self._world
        said = [kind for kind in ("constituent", "conversion") if getattr(tables, kind)]
        if not said or not any(RULES[rule].mixes for rule in world.rules):
            return
        mixture = own_mixture.merged(tables.constituent, tables.conversion, world.materials, self._report)
        if _acting(mixture) != _acting(world.mixture):
            self._report((said[0],), f"the mixture differs from that of {self._file}")

    def _ports(self, kind: str, said: Sequence[Port], kept: Sequence[Port]) -> None:
        if not said or tuple(said) == tuple(kept):
            return
        both = zip(said, kept, strict=False)
        first = next((number for number, (mine, its) in enumerate(both) if mine != its), None)
        if first is not None:
            self._report((kind, first), f"differs from that of {self._file}; expected the same, or no {kind} here")
        else:
            self._report((kind,), f"{len(said)} of them; expected {len(kept)}, as in {self._file}, or none here")


def _acting(mixture: MixtureTable) -> tuple[tuple[Constituent, ...], list[Conversion]]:
    """The constituents of a mixture, and its conversions with ``most`` above 0."""
    return tuple(mixture.constituents), [each for each in mixture.conversions if each.most > 0]
