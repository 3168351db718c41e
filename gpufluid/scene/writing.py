"""Writing a world as a scene: a TOML file, and a picture of its cells or a snapshot beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from PIL import Image

from gpufluid.core.errors import UsageError, WorldError, shown
from gpufluid.core.files import check_writable, written_together
from gpufluid.matter.materials import PROPERTIES, RECORDS, SHIPPED, Material, MaterialTable
from gpufluid.matter.mixtures import SHIPPED as SHIPPED_MIXTURE
from gpufluid.matter.mixtures import conversions_among
from gpufluid.matter.ports import Emitter, Port
from gpufluid.matter.transitions import AS_AIR
from gpufluid.rules import RULES
from gpufluid.scene import own_materials, own_reactions
from gpufluid.scene.own_tags import unnamed_tags
from gpufluid.scene.scene_fit import SceneFit
from gpufluid.scene.toml_lines import Place, excess_of, field_name
from gpufluid.world import World
from gpufluid.world.laws import known_mixture, known_reactions
from gpufluid.world.ledger import no_ledgers

StateWriter = Callable[[World, BinaryIO], object]
"""A function that writes a snapshot into an open file. It is given because snapshots are written in a room above."""

_Heading = tuple[str, str, str | None, int]
"""Title, description, origin and suggested ticks of a scene; see `write`."""

_LEAST_DIFFERENCE = 16
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
    Raises: UsageError: no such folder, another ending than ``.toml``, text that is not UTF-8, or more emitters, drains,
        materials and reactions than a scene file holds. WorldError: an invalid world, or a material that no scene can
        have. OutputError: the disk is full or not writable.
    """
    scene, picture = _paths(world, Path(path), ".png")
    world.validate()
    World.check_ticks(ticks)
    tables, fit = _tables(world), SceneFit.of(world)
    losses = [*fit.losses(world), *tables.losses]
    _with_map(world, (scene, picture), (title, about, source, ticks), tables, fit, losses).write()
    return losses


def write_whole(
    world: World,
    path: str | Path,
    title: str,
    about: str,
    save_state: StateWriter,
    source: str | None = None,
    ticks: int = 600,
) -> list[Path]:
    """Write a world as a scene that loses nothing, all files whole or none.

    The scene is that of `write` if that keeps everything, and needs no fill for a single cell. If not, the snapshot
    ``<name>.npz`` is written beside the scene file, and the scene starts from it: its ``[state]`` names the snapshot.
    It has no map then. Of the laws, it says all that a scene can say.

    Args:
        world, path, title, about, source, ticks: as for `write`.
        save_state: writes the snapshot into an open file, such as `io.snapshots.write`.
    Returns: the paths of the two files: the scene file, and the map or the snapshot. An existing file is replaced.
    Raises: UsageError, WorldError, OutputError: as `write`, except that no material is an error.
    """
    scene, snapshot = _paths(world, Path(path), ".npz")
    heading = title, about, source, ticks
    with_map = _lossless_with_map(world, Path(path), heading)
    if with_map is not None:
        with_map.write()
        return [scene, with_map.picture]
    text = _text_with_state(world, snapshot, heading)
    with written_together(snapshot, scene) as (snapshot_file, scene_file):
        with snapshot_file.open("wb") as file:
            save_state(world, file)
        scene_file.write_bytes(text.encode())
    return [scene, snapshot]


def paths_of_whole(
    world: World, path: str | Path, title: str, about: str, source: str | None = None, ticks: int = 600
) -> list[Path]:
    """The paths of the two files that `write_whole` would write; arguments and errors are those of `write_whole`."""
    scene, snapshot = _paths(world, Path(path), ".npz")
    with_map = _lossless_with_map(world, Path(path), (title, about, source, ticks))
    return [scene, snapshot if with_map is None else with_map.picture]


@dataclass(frozen=True, slots=True)
class _SceneWithMap:
    """A scene file and its map, to be written.

    Args:
        scene, picture: the paths of the two files.
        text: the text of the scene file.
        image: the map.
    """

    scene: Path
    picture: Path
    text: str
    image: Image.Image

    def write(self) -> None:
        """Write both files, or neither."""
        with written_together(self.picture, self.scene) as (picture_file, scene_file):
            self.image.save(picture_file, format="PNG")
            scene_file.write_bytes(self.text.encode())


def _lossless_with_map(world: World, path: Path, heading: _Heading) -> _SceneWithMap | None:
    """The scene with a map that keeps everything, without a fill for a single cell; None: there is none.

    Raises: as `write`, except that no material is an error.
    """
    world.validate()
    World.check_ticks(heading[3])
    if _goes_on(world):
        return None
    with suppress(WorldError):  # a material that no scene can have
        tables, fit = _tables(world), SceneFit.of(world)
        fits = not any(fill["size"] == (1, 1) for fill in fit.fills)
        if fits and not [*fit.losses(world), *tables.losses]:
            paths = _paths(world, path, ".png")
            with suppress(_TooLongError):
                return _with_map(world, paths, heading, tables, fit, [])
    return None


class _TooLongError(UsageError):
    """The text of a scene is over the limit of scene files."""


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables of materials, reactions and the mixture, as text, and what they do not keep."""

    text: str
    losses: list[str]


def _tables(world: World) -> _Tables:
    """The tables of a world's matter. Raises WorldError: a material that no scene can have."""
    entries = list(_materials(world.materials))
    materials = _table_of(entries)
    losses = [*_material_losses(world.materials, materials), *_reaction_losses(world, materials)]
    losses += _leave_out_tags(entries, world, materials)
    text = "".join(
        (
            *(_table("[[material]]", entry) for entry in entries),
            *(_table("[[reaction]]", entry) for entry in _reactions(world)),
            *(_table(name, entry) for name, entry in _mixture(world)),
        )
    )
    return _Tables(text, losses)


def _ports(world: World) -> str:
    """The tables of emitters and drains."""
    emitters = (_table("[[emitter]]", _port(emitter)) for emitter in world.emitters)
    return "".join((*emitters, *(_table("[[drain]]", _port(drain)) for drain in world.drains)))


def _with_map(
    world: World, paths: tuple[Path, Path], heading: _Heading, tables: _Tables, fit: SceneFit, losses: list[str]
) -> _SceneWithMap:
    """A scene with a map. Raises: as `write`; _TooLongError: a text over the limit of scene files."""
    (scene, picture), (image, legend) = paths, _map(fit.cells, world.materials)
    text = "".join(
        (
            *_comments(world, heading, losses),
            *_laws(world, heading),
            tables.text,
            _table("[map]", {"image": picture.name, "legend": legend}),
            *(_table(f"[[fill]] # all {fill['material']} in this rectangle", fill) for fill in fit.fills),
            _ports(world),
        )
    )
    if over := excess_of(text.encode()):
        raise _TooLongError(f"{scene}: the world is too large for a scene: {over} beside its map")
    return _SceneWithMap(scene, picture, text, image)


def _goes_on(world: World) -> bool:
    """True if a world is not at a beginning, so that no scene with a map keeps it."""
    return bool(world.tick) or world.ledgers != no_ledgers() or not world.domain.is_whole


def _text_with_state(world: World, snapshot: Path, heading: _Heading) -> str:
    """The text of a scene that starts from a snapshot. Laws that a scene cannot say are left out of it."""
    state = _table("[state]", {"file": snapshot.name})
    head, laws = [*_comments(world, heading, [])], [*_laws(world, heading)]
    with suppress(WorldError):  # a material that no scene can have
        tables = _tables(world)
        text = "".join((*head, *laws, state, tables.text, _ports(world)))
        if not tables.losses and not excess_of(text.encode()):
            return text
    remark = (
        "# Of materials, reactions, mixture, emitters and drains, a scene cannot say all: those of the state hold.\n"
    )
    return "".join((*head, remark, *laws, state))


def _comments(world: World, heading: _Heading, losses: Sequence[str]) -> Iterator[str]:
    """The lines at the top of the file: the origin of the world, and what the scene does not keep."""
    source = heading[2]
    origin = [f"From {quoted(source)}, tick {world.tick}."] if source is not None else []
    yield from (f"# {line}\n" for line in [*origin, *losses])


def _paths(world: World, path: Path, ending: str) -> tuple[Path, Path]:
    """The paths of the scene file and of the file beside it. Raises UsageError: one of them cannot be written."""
    if not isinstance(world, World):
        raise UsageError(f"expected a World and a path; found {shown(world)}")
    check_writable(path)
    path = path.resolve()  # if the path is a link: reading the scene looks for the other file beside the link's target
    if path.suffix != ".toml":
        raise UsageError(f"{path}: expected a scene file, whose name ends in .toml")
    beside = path.with_suffix(ending)
    check_writable(beside)
    if beside.resolve().parent != path.parent:
        thing = "picture" if ending == ".png" else "snapshot"
        raise UsageError(f"{beside}: is a link to another folder; expected the {thing} beside its scene file")
    return path, beside


def _laws(world: World, heading: _Heading) -> Iterator[str]:
    """The top level of the file, and the parameters of each rule that differ from their defaults."""
    title, about, _, ticks = heading
    yield f"title = {quoted(title)}\nabout = {quoted(about)}\n"
    laws = {name: getattr(world, name) for name in ("rules", "edges", "gravity", "seed")}
    yield _lines({"size": (world.width, world.height), **laws, "ticks": ticks})
    for rule in world.rules:
        defaults = RULES[rule].resolve({})
        changed = {name: value for name, value in world.parameters[rule].items() if value != defaults[name]}
        yield _table(f"[{rule}]", changed)


def _materials(materials: MaterialTable) -> Iterator[dict[str, Any]]:
    """The ``[[material]]`` tables of the materials that differ from the shipped ones."""
    empty, *others = materials
    if empty.colour != SHIPPED[0].colour:
        yield {"name": SHIPPED[0].name, "colour": _hex(empty.colour)}
    shipped = {record.name: record for record in SHIPPED}
    for record in others:
        if record == shipped.get(record.name):
            continue
        required = {"state": record.state.name.lower(), "density": record.density, "colour": _hex(record.colour)}
        known = RECORDS.get(record.name, {})
        default = Material.of({**known, "name": record.name, **required})  # what a scene has without further keys
        properties = {key.name: getattr(record, key.name) for key in PROPERTIES}
        yield {
            "name": record.name,
            **{key: value for key, value in required.items() if value != known.get(key)},
            **{key: float(value) for key, value in properties.items() if value != getattr(default, key)},
            **_heat_keys(record, default),
            **({"tags": list(record.tags)} if record.tags != default.tags else {}),
        }


def _heat_keys(record: Material, default: Material) -> dict[str, Any]:
    """The temperature and the transitions of a material, where they differ from those of ``default``, as in TOML."""
    entries: dict[str, Any] = {}
    for key in ("temperature", "above", "below"):
        value = getattr(record, key)
        if value == getattr(default, key):
            continue
        if key == "temperature":
            entries[key] = AS_AIR if value is None else float(value)
        else:
            entries[key] = {} if value is None else asdict(value)
    return entries


def _reactions(world: World) -> Iterator[dict[str, Any]]:
    """The ``[[reaction]]`` tables of the reactions that differ from the shipped ones.

    A shipped reaction that the world does not have is written with a chance of 0.
    """
    shipped = {reaction.name: reaction for reaction in known_reactions(world.materials)}
    if "reactions" not in world.rules:
        return
    yield from (each.record() for each in world.reactions if each != shipped.get(each.name))
    present = {reaction.name for reaction in world.reactions}
    yield from (replace(each, chance=0.0).record() for each in shipped.values() if each.name not in present)


def _mixture(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    """The ``[[constituent]]`` and ``[[conversion]]`` tables of a mixture that differs from the shipped one.

    A shipped conversion that the mixture does not have is written with an amount of 0.
    """
    if world.mixture == known_mixture(world.materials, world.rules):
        return
    yield from (("[[constituent]]", each.record()) for each in world.mixture.constituents)
    yield from (("[[conversion]]", each.record()) for each in world.mixture.conversions)
    present = {each.name for each in world.mixture.conversions}
    shipped = conversions_among(SHIPPED_MIXTURE.conversions, world.mixture.names)
    missing = (replace(each, most=0.0) for each in shipped if each.name not in present)
    yield from (("[[conversion]]", each.record()) for each in missing)


def _table_of(entries: Sequence[Mapping[str, Any]]) -> MaterialTable:
    """The material table of a scene with these ``[[material]]`` tables. Raises WorldError: they are invalid."""
    problems: list[WorldError] = []

    def report(place: Place, message: str) -> None:
        name = entries[int(place[1])]["name"]
        problems.append(WorldError(field_name(("materials", name, *place[2:])), f"{message}, in a scene"))

    table = own_materials.merged(entries, report)
    for problem in problems:
        raise problem
    return table


def _material_losses(before: MaterialTable, after: MaterialTable) -> Iterator[str]:
    """The messages on materials that the scene cannot keep: its table begins with the shipped materials, in order."""
    if before.records[0] != after.records[0]:
        yield f"material 0, {before.records[0].name!r}: not kept, except its colour; in a scene it is 'empty'"
    moved = [record.name for number, record in enumerate(before) if number and after[record.name] != number]
    if moved:
        names = ", ".join(map(repr, moved[:5])) + (", ..." if len(moved) > 5 else "")
        yield f"numbers of {names}: not kept; the materials of a scene begin with the shipped ones"


def _leave_out_tags(entries: Sequence[dict[str, Any]], world: World, materials: MaterialTable) -> Iterator[str]:
    """Leave out the tags with which a scene is refused, see `UnnamedTag`; the messages on them."""
    for unnamed in list(unnamed_tags(entries, list(_reactions(world)), materials)):
        if unnamed.near:
            entry = entries[unnamed.table]
            entry["tags"] = [tag for tag in entry["tags"] if tag != unnamed.tag]
            yield f"tag {unnamed.tag!r} of {entry['name']!r}: not kept; no reaction names it"


def _reaction_losses(world: World, materials: MaterialTable) -> Iterator[str]:
    """The messages on reactions that the scene cannot keep: a scene's own are tried before the shipped ones."""
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


def _map(cells: np.ndarray, materials: MaterialTable) -> tuple[Image.Image, dict[str, str]]:
    """The picture of a world, and its legend: each colour as ``#rrggbb``, with the name of its material.

    Args:
        cells: (height, width) uint8, the material number of each cell.
        materials: the material table.
    """
    picture = Image.fromarray(cells)
    numbers = [number for number, count in enumerate(picture.histogram()) if count]
    colours = _distinct([materials.records[number].colour for number in numbers])
    palette_index = [0] * 256
    for index, number in enumerate(numbers):
        palette_index[number] = index
    picture = picture.point(palette_index)
    picture.putpalette([part for colour in colours for part in colour])
    names = [materials.records[number].name if number else SHIPPED[0].name for number in numbers]
    return picture, dict(zip(map(_hex, colours), names, strict=True))


def _distinct(colours: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The colours, (red, green, blue) each. One that is too similar to an earlier one is replaced.

    The replacement is the nearest suitable colour of a lattice of 4096 colours. Each of at most 254 earlier colours is
    similar to at most 8 of them, so one is always left.
    """
    steps = np.arange(0, 256, 17)
    lattice = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    chosen: list[tuple[int, int, int]] = []
    for colour in colours:
        candidates = np.array([colour, *lattice[np.argsort(abs(lattice - colour).sum(axis=1), kind="stable")]])
        if chosen:
            differences = abs(candidates[:, None] - np.array(chosen)[None]).max(axis=2).min(axis=1)
            candidates = candidates[differences >= _LEAST_DIFFERENCE]
        red, green, blue = candidates[0].tolist()
        chosen.append((red, green, blue))
    return chosen


def _hex(colour: Sequence[int]) -> str:
    return f"#{bytes(colour).hex()}"


def _port(port: Port) -> dict[str, object]:
    """The table of an emitter or drain. It always has the material; other values at their defaults are left out."""
    changed = {key.name: getattr(port, key.name) for key in fields(port) if getattr(port, key.name) != key.default}
    material = {"material": port.material} if isinstance(port, Emitter) else {}
    return {**material, **changed}


def _table(name: str, entries: Mapping[str, object]) -> str:
    """The text of a table of TOML; empty for a table without entries."""
    return f"\n{name}\n{_lines(entries)}" if entries else ""


def _lines(entries: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_toml(value)}\n" for name, value in entries.items())


def _toml(value: object) -> str:
    """The text of a value in TOML: a string, a number, a list, or an inline table."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{quoted(key)} = {_toml(entry)}' for key, entry in value.items())} }}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_toml, value))}]"
    return str(int(value)) if isinstance(value, Integral) else repr(float(value))  # pyright: ignore[reportArgumentType]


def quoted(text: str) -> str:
    """A string in TOML, which has the escapes of JSON and forbids one more character, DEL.

    Raises: UsageError: not a string, or one that UTF-8 cannot encode, such as a file name in another encoding.
    """
    try:
        text.encode()
    except (AttributeError, UnicodeEncodeError):
        raise UsageError(f"{shown(text)} cannot be written in a scene; expected UTF-8 text") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
