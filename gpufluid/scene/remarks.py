"""Warnings about settings of a valid scene that have no effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpufluid.core.errors import shown
from gpufluid.core.fields import FULL
from gpufluid.matter.materials import PROPERTIES, State
from gpufluid.rules import RULES
from gpufluid.scene.matter import amount_fields, has_field, has_velocity, is_thrown, is_warmed, rest_below
from gpufluid.scene.own_tags import unnamed_tags
from gpufluid.scene.schema import SceneTable, field_keys
from gpufluid.scene.toml_lines import Place
from gpufluid.world import World

_OF_SOLIDS = ("shade", "conductivity", "cooling", "strength", "anchored")
_MOTION = tuple(key.name for key in PROPERTIES if key.name not in _OF_SOLIDS)


def remarks(
    tables: SceneTable, rule_tables: Mapping[str, Mapping[str, object]], world: World
) -> Iterator[tuple[Place, str]]:
    """The settings without effect: the place of each in the file, and a message.

    Args:
        tables, rule_tables: the tables of the scene, and those of its rules.
        world: the world of the scene.
    """
    yield from _of_rules(tables, rule_tables, world)
    yield from _of_reactions(tables, world)
    yield from _of_mixture(tables, world)
    yield from _of_fills(tables, world)
    yield from _of_materials(tables, world)
    yield from _of_amounts_and_fields(tables, world)


def _of_rules(
    tables: SceneTable, rule_tables: Mapping[str, Mapping[str, object]], world: World
) -> Iterator[tuple[Place, str]]:
    """Parameters that another rule makes useless, and rules without matter that they could move."""
    for name in world.rules:
        for rule, _, parameter in (each.partition(".") for each in RULES[name].unused):
            if parameter in rule_tables.get(rule, {}):
                yield (rule, parameter), f"has no effect: rule {name} moves matter in place of rule {rule}"
    if "pressure" not in world.rules:
        for number in (number for number, entry in enumerate(tables.constituent) if entry.get("pressure")):
            yield ("constituent", number, "pressure"), f"has no effect: rules = {list(world.rules)} has no 'pressure'"
    elif "mixture" in world.rules and "atoms" not in world.rules and not world.mixture.layers_with("pressure"):
        yield ("rules",), f"{list(world.rules)}: rule pressure has no effect: no constituent has a key 'pressure'"


def _of_reactions(tables: SceneTable, world: World) -> Iterator[tuple[Place, str]]:
    if "reactions" not in world.rules:
        for number in range(len(tables.reaction)):
            yield ("reaction", number), f"has no effect: rules = {list(world.rules)} has no 'reactions'"
        return
    for tag in unnamed_tags(tables.material, tables.reaction, world.materials, compared=0):
        yield ("material", tag.table, "tags"), f"has no effect: {tag}"
    if "flow" not in world.rules:
        for number in (number for number, entry in enumerate(tables.reaction) if entry.get("mass")):
            yield ("reaction", number, "mass"), f"has no effect: rules = {list(world.rules)} has no 'flow'"


def _of_mixture(tables: SceneTable, world: World) -> Iterator[tuple[Place, str]]:
    if "mixture" not in world.rules:
        for kind in ("constituent", "conversion"):
            for number in range(len(getattr(tables, kind))):
                yield (kind, number), f"has no effect: rules = {list(world.rules)} has no 'mixture'"
    for number, fill in enumerate(tables.fill):
        if fill.mix and fill.material not in world.mixture:
            yield ("fill", number, "mix"), f"has no effect: {shown(fill.material)} is no part of a mixture here"


def _of_fills(tables: SceneTable, world: World) -> Iterator[tuple[Place, str]]:
    """Surfaces below which nothing presses, and amounts that do not rest below a surface."""
    for number, fill in enumerate(tables.fill):
        if fill.surface is None:
            continue
        below = rest_below(world, fill.material)
        if below is None:
            why = f"{shown(fill.material)} has the same amount at each depth here"
            yield ("fill", number, "surface"), f"has no effect: {why}"
        elif fill.amount * FULL > below(0):
            amount, most = f"amount = {fill.amount:g}", f"a full cell holds {below(0) / FULL:g}"
            yield ("fill", number, "surface"), f"{shown(fill.material)} does not rest with {amount}: {most} here"


def _of_materials(tables: SceneTable, world: World) -> Iterator[tuple[Place, str]]:
    """Properties of motion of a solid, and of streams that take no body apart."""
    for number, entry in enumerate(tables.material):
        record = world.materials.records[world.materials[entry["name"]]]
        for key in _MOTION if record.state is State.SOLID else ():
            if key in entry:
                yield (
                    ("material", number, key),
                    f"has no effect: {shown(record.name)} is solid, and no rule moves a solid",
                )
        if entry.get("carried_at") and record.elastic:
            why = f"{shown(record.name)} has a cohesion of 1, and no stream takes its bodies apart"
            yield ("material", number, "carried_at"), f"has no effect: {why}"


def _of_amounts_and_fields(tables: SceneTable, world: World) -> Iterator[tuple[Place, str]]:
    """Keys of fills and emitters for which the matter has no field."""
    amounts = amount_fields(world)
    for kind, ports, amount in (("fill", tables.fill, "amount"), ("emitter", tables.emitter, "level")):
        for number, table in enumerate(ports):
            material = table.material
            if amount in table.model_fields_set and material not in amounts:
                yield (kind, number, amount), f"has no effect: {shown(material)} is atoms here, a whole cell each"
            for name in field_keys():
                thrown = (kind, name) == ("emitter", "velocity") and is_thrown(world, material)
                used = thrown or has_field(world, name, material) or is_warmed(world, name, material)
                if getattr(table, name, None) is not None and not used:
                    yield (kind, number, name), f"has no effect: {shown(material)} has no {name} in this scene"
            if "scatter" in table.model_fields_set and not has_velocity(world, material):
                yield (kind, number, "scatter"), f"has no effect: {shown(material)} has no velocity in this scene"
