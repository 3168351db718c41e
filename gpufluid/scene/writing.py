"""Writing a world as a scene: a TOML file, and a picture of its cells beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from gpufluid.core.errors import UsageError, WorldError, shown
from gpufluid.core.files import check_writable, written_together
from gpufluid.matter.materials import PROPERTIES, RECORDS, SHIPPED, Material, MaterialTable
from gpufluid.matter.mixtures import SHIPPED as SHIPPED_MIXTURE
from gpufluid.matter.mixtures import fitting
from gpufluid.matter.ports import Emitter, Port
from gpufluid.matter.transitions import AS_AIR
from gpufluid.rules import RULES
from gpufluid.scene import own_reactions
from gpufluid.scene.own_materials import merged
from gpufluid.scene.scene_fit import SceneFit
from gpufluid.scene.toml_lines import Place, field_name
from gpufluid.world import World
from gpufluid.world.laws import known_mixture, known_reactions

_APART = 16
"""The least difference between two colours of a map, in red, green or blue, so that a person can distinguish them."""


def write(
    world: World, path: str | Path, title: str, about: str, source: str | None = None, ticks: int = 600
) -> list[str]:
    """Write a world as the scene file ``<name>.toml`` and the map ``<name>.png`` beside it: both whole, or neither.

    The scene has the laws of the world and the same material in each cell. If few different amounts, velocities or
    temperatures occur, fills over the map keep them.

    Args:
        world: a valid world.
        path: the scene file; an existing file is replaced.
        title: the name of the scene.
        about: a description in one sentence.
        source: the origin of the world, for a comment at the top of the file; None: no comment.
        ticks: the suggested length of a run.
    Returns: one message for each property of the world that the scene does not keep: ``tick 37: not kept; ...``.
    Raises: UsageError: no such folder, another ending than ``.toml``, or text that is not UTF-8. WorldError: an invalid
        world, or a material that no scene can have. OutputError: the disk is full or not writable.
    """
    scene, picture = _places(world, Path(path))
    world.validate()
    World.check_ticks(ticks)
    entries = list(_entries(world.materials))
    materials = _table_of(entries)
    fit = SceneFit.of(world)
    losses = [*fit.losses(world), *_material_losses(world.materials, materials)]
    losses += _reaction_losses(world, materials)
    image, legend = _drawn(fit.cells, world.materials)
    origin = [f"From {_quoted(source)}, tick {world.tick}."] if source is not None else []
    text = "".join(
        (
            *(f"# {line}\n" for line in [*origin, *losses]),
            *_laws(world, title, about, ticks),
            *(_table("[[material]]", entry) for entry in entries),
            *(_table("[[reaction]]", entry) for entry in _reactions(world)),
            *(_table(name, entry) for name, entry in _mixture(world)),
            _table("[map]", {"image": picture.name, "legend": legend}),
            *(_table(f"[[fill]] # all {fill['material']} in this rectangle", fill) for fill in fit.fills),
            *(_table("[[emitter]]", _said(emitter)) for emitter in world.emitters),
            *(_table("[[drain]]", _said(drain)) for drain in world.drains),
        )
    )
    with written_together(picture, scene) as (picture_file, scene_file):
        image.save(picture_file, format="PNG")
        scene_file.write_bytes(text.encode())
    return losses


def _places(world: World, path: Path) -> tuple[Path, Path]:
    """The paths of the scene file and its picture. Raises UsageError: one of them cannot be written."""
    if not isinstance(world, World):
        raise UsageError(f"expected a World and a path; found {shown(world)}")
    check_writable(path)
    path = path.resolve()  # the target of a symbolic link: a scene is read from there, and its picture too
    if path.suffix != ".toml":
        raise UsageError(f"{path}: expected a scene file, whose name ends in .toml")
    picture = path.with_suffix(".png")
    check_writable(picture)
    if picture.resolve().parent != path.parent:
        raise UsageError(f"{picture}: is a link to another folder; expected the picture beside its scene file")
    return path, picture


def _laws(world: World, title: str, about: str, ticks: int) -> Iterator[str]:
    """The top level of the file, and the parameters of each rule that differ from their defaults."""
    yield f"title = {_quoted(title)}\nabout = {_quoted(about)}\n"
    laws = {name: getattr(world, name) for name in ("rules", "edges", "gravity", "seed")}
    yield _lines({"size": (world.width, world.height), **laws, "ticks": ticks})
    for rule in world.rules:
        usual = RULES[rule].resolve({})
        changed = {name: value for name, value in world.parameters[rule].items() if value != usual[name]}
        yield _table(f"[{rule}]", changed)


def _entries(materials: MaterialTable) -> Iterator[dict[str, Any]]:
    """The ``[[material]]`` tables of the materials that differ from the shipped ones."""
    empty, *others = materials
    if empty.colour != SHIPPED[0].colour:
        yield {"name": SHIPPED[0].name, "colour": _hex(empty.colour)}
    shipped = {record.name: record for record in SHIPPED}
    for record in others:
        if record == shipped.get(record.name):
            continue
        entry = {"state": record.state.name.lower(), "density": record.density, "colour": _hex(record.colour)}
        known = RECORDS.get(record.name, {})
        plain = Material.of({**known, "name": record.name, **entry})
        entry = {key: value for key, value in entry.items() if value != known.get(key)}
        motion = {key.name: getattr(record, key.name) for key in PROPERTIES}
        yield {
            "name": record.name,
            **entry,
            **{key: float(value) for key, value in motion.items() if value != getattr(plain, key)},
            **_heat_said(record, plain),
            **({"tags": list(record.tags)} if record.tags != plain.tags else {}),
        }


def _heat_said(record: Material, plain: Material) -> dict[str, Any]:
    """The temperature and the transitions of a material, where they differ from those of ``plain``."""
    said: dict[str, Any] = {}
    for key in ("temperature", "above", "below"):
        value = getattr(record, key)
        if value == getattr(plain, key):
            continue
        if key == "temperature":
            said[key] = AS_AIR if value is None else float(value)
        else:
            said[key] = {} if value is None else asdict(value)
    return said


def _reactions(world: World) -> Iterator[dict[str, Any]]:
    """The ``[[reaction]]`` tables that differ from the shipped ones; one that the world lacks has a chance of 0."""
    shipped = {reaction.name: reaction for reaction in known_reactions(world.materials)}
    if "reactions" not in world.rules:
        return
    yield from (each.record() for each in world.reactions if each != shipped.get(each.name))
    there = {reaction.name for reaction in world.reactions}
    yield from (replace(each, chance=0.0).record() for each in shipped.values() if each.name not in there)


def _mixture(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    """The ``[[constituent]]`` and ``[[conversion]]`` tables of a mixture that differs from the shipped one."""
    usual = known_mixture(world.materials, world.rules)
    if world.mixture == usual:
        return
    yield from (("[[constituent]]", each.record()) for each in world.mixture.constituents)
    known = fitting(SHIPPED_MIXTURE.conversions, world.mixture.names)
    shipped = {each.name: each for each in known}
    yield from (("[[conversion]]", each.record()) for each in world.mixture.conversions)
    there = {each.name for each in world.mixture.conversions}
    gone = (replace(each, most=0.0) for each in shipped.values() if each.name not in there)
    yield from (("[[conversion]]", each.record()) for each in gone)


def _table_of(entries: Sequence[Mapping[str, Any]]) -> MaterialTable:
    """The material table of a scene with these ``[[material]]`` tables. Raises WorldError: no scene can have them."""
    problems: list[WorldError] = []

    def blame(place: Place, message: str) -> None:
        name = entries[int(place[1])]["name"]
        problems.append(WorldError(field_name(("materials", name, *place[2:])), f"{message}, in a scene"))

    table = merged(entries, blame)
    for problem in problems:
        raise problem
    return table


def _material_losses(before: MaterialTable, after: MaterialTable) -> Iterator[str]:
    """The messages on materials that the scene changes: the material table of a scene begins with the shipped ones."""
    if before.records[0] != after.records[0]:
        yield f"material 0, {before.records[0].name!r}: not kept, except its colour; in a scene it is 'empty'"
    moved = [record.name for number, record in enumerate(before) if number and after[record.name] != number]
    if moved:
        names = ", ".join(map(repr, moved[:5])) + (", ..." if len(moved) > 5 else "")
        yield f"numbers of {names}: not kept; the materials of a scene begin with the shipped ones"


def _reaction_losses(world: World, materials: MaterialTable) -> Iterator[str]:
    """The messages on reactions that the scene changes: a scene's own are tried before the shipped ones."""
    if "reactions" not in world.rules:
        return
    wanted = [each for each in world.reactions if each.chance > 0]
    entries = [{key: _listed(value) for key, value in entry.items()} for entry in _reactions(world)]
    kept = list(own_reactions.merged(entries, materials, lambda place, message: None))  # noqa: ARG005
    lost = [each.name for each in wanted if each not in kept]
    if lost:
        yield f"reactions {', '.join(map(repr, lost[:5]))}: not kept; no scene can have them"
    elif kept != wanted:
        yield "order of reactions: not kept; a scene's own are tried before the shipped ones"


def _listed(value: object) -> object:
    """A value as TOML returns it: a tuple as a list."""
    return list(value) if isinstance(value, tuple) else value


def _drawn(cells: np.ndarray, materials: MaterialTable) -> tuple[Image.Image, dict[str, str]]:
    """The picture of (height, width) uint8 material numbers, and its legend: colours to the names that occur."""
    picture = Image.fromarray(cells)
    numbers = [number for number, count in enumerate(picture.histogram()) if count]
    colours = _distinct([materials.records[number].colour for number in numbers])
    places = [0] * 256
    for place, number in enumerate(numbers):
        places[number] = place
    picture = picture.point(places)
    picture.putpalette([part for colour in colours for part in colour])
    names = [materials.records[number].name if number else SHIPPED[0].name for number in numbers]
    return picture, dict(zip(map(_hex, colours), names, strict=True))


def _distinct(colours: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The colours, each replaced by the nearest of a lattice if it is too similar to an earlier one.

    The lattice has 4096 colours, and each of at most 254 earlier colours is similar to at most 8 of them, so one is
    always left.
    """
    steps = np.arange(0, 256, 17)
    lattice = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    chosen: list[tuple[int, int, int]] = []
    for colour in colours:
        choice = np.array([colour, *lattice[np.argsort(abs(lattice - colour).sum(axis=1), kind="stable")]])
        if chosen:
            apart = abs(choice[:, None] - np.array(chosen)[None]).max(axis=2).min(axis=1)
            choice = choice[apart >= _APART]
        red, green, blue = choice[0].tolist()
        chosen.append((red, green, blue))
    return chosen


def _hex(colour: Sequence[int]) -> str:
    return f"#{bytes(colour).hex()}"


def _said(port: Port) -> dict[str, object]:
    """The table of an emitter or drain, without values at their defaults."""
    told = {key.name: (getattr(port, key.name), key.default) for key in fields(port)}
    material = {"material": port.material} if isinstance(port, Emitter) else {}
    return {**material, **{name: value for name, (value, default) in told.items() if value != default}}


def _table(name: str, entries: Mapping[str, object]) -> str:
    """The text of a table of TOML; empty for a table without entries."""
    return f"\n{name}\n{_lines(entries)}" if entries else ""


def _lines(entries: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_toml(value)}\n" for name, value in entries.items())


def _toml(value: object) -> str:
    """The text of a value in TOML: a string, a number, a list, or an inline table."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_quoted(key)} = {_toml(entry)}' for key, entry in value.items())} }}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_toml, value))}]"
    return str(int(value)) if isinstance(value, Integral) else repr(float(value))  # pyright: ignore[reportArgumentType]


def _quoted(text: str) -> str:
    """A string in TOML, which has the escapes of JSON and forbids one more character, DEL.

    Raises: UsageError: no string, or one that UTF-8 cannot encode, such as a file name in another encoding.
    """
    try:
        text.encode()
    except (AttributeError, UnicodeEncodeError):
        raise UsageError(f"{shown(text)} cannot be written in a scene; expected UTF-8 text") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
