"""Building the world of a scene from the tables of its file, with the checks that need more than one table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar, cast

from gpufluid.core.errors import PortError, UsageError, WorldError, did_you_mean, shown, similar
from gpufluid.matter.ports import Drain, Emitter, Port
from gpufluid.rules import RULES, default_rules
from gpufluid.scene import own_materials, own_mixture, own_reactions, schema
from gpufluid.scene.changes import Changes, place_of
from gpufluid.scene.drawing import SceneDrawing
from gpufluid.scene.own_state import StateCheck, StateReader, open_state
from gpufluid.scene.own_tags import unnamed_tags
from gpufluid.scene.picture_map import MapError, MapPicture
from gpufluid.scene.reading import read_scene
from gpufluid.scene.remarks import remarks
from gpufluid.scene.toml_lines import PROBLEMS_MOST, Place, Report, field_name
from gpufluid.world import World
from gpufluid.world.laws import (
    Edges,
    Gravity,
    check_edges,
    check_gravity,
    check_seed,
    law_conflicts,
    moved_by,
    rule_conflicts,
)
from gpufluid.world.pieces import Box, Builders, Unbuilt, WorldPiece, built

_Port = TypeVar("_Port", bound=Port)


class SceneBuilder:
    """Builds the world of one scene file.

    Args:
        path: the scene file.
        seed: replaces the seed of the scene; None: the scene's own.
        parameters: by rule and name; they replace those of the scene.
        max_side: the longest allowed side of the world, in cells, such as that of the device.
        read_state: reads the snapshot of a scene with a ``[state]``; None: such a scene is refused.
        changes: other values in place of those of the file.
    Raises: SceneError, WorldError, UsageError: as `scene.read`.
    """

    def __init__(
        self,
        path: Path,
        seed: int | None,
        parameters: Mapping[str, Mapping[str, object]],
        max_side: int,
        read_state: StateReader | None = None,
        changes: Changes | None = None,
    ) -> None:
        self.path = path
        self.seed = seed
        self.parameters = parameters
        self.max_side = max_side
        self.read_state = read_state
        read = read_scene(path, seed, changes)
        self.file, self.tables, self.rule_tables, self._problems = read.file, read.tables, read.rules, read.problems
        self.drawn, self._ends, self._is_changed = read.drawn, read.ends, bool(changes)

    def world(self, on_size: Callable[[int, int], None] | None = None) -> World:
        """Build the world: its laws, then the map, then the fills in their order; or read its state.

        Args:
            on_size: called with width and height, in cells, before anything of that size is allocated. It may raise a
                WorldError, which is reported as a problem of the scene.
        Raises: SceneError: all problems of the scene; WorldError: an invalid parameter or seed given to this builder.
            UsageError: a parameter or seed is given, and the scene has a state, which goes on with its own.
        """
        opened = self._open(on_size, in_one_process=True)
        if isinstance(opened, World):
            return opened
        with self._size_checked():
            return built(opened)

    def open(self, on_size: Callable[[int, int], None] | None = None) -> Unbuilt | World:
        """Check all of the scene but what only its cells show; also the picture of its map. No cell is built.

        The cells may need more memory than this machine has. Arguments and errors are otherwise those of `world`.

        Returns: the world that can be built now; of a scene with a ``[state]`` the world itself.
        """
        return self._open(on_size, in_one_process=False)

    def _open(self, on_size: Callable[[int, int], None] | None, *, in_one_process: bool) -> Unbuilt | World:
        if self.tables.state is not None:
            return self._world_of_state(self.tables.state.file, on_size)
        picture = self._picture()
        size = self._size(picture)
        height, width = size or (self.max_side, self.max_side)  # of any size; the rest is checked
        blank = self._blank(height, width)
        self._check_ends(blank)
        are_drawn = [self.drawn.has_ranges("fill", number) for number in range(len(self.tables.fill))]
        hint = partial(self._rules_hint, blank)
        drawing = SceneDrawing(blank, self.tables, picture, self._report, hint, are_drawn)
        self._set_ports(blank)
        if size is not None:
            with self._size_checked():  # before the picture is read
                if on_size is not None:
                    on_size(width, height)
                if in_one_process:
                    blank.check_room()
        drawing.check_picture()
        self._raise_problems()
        return UnbuiltScene(blank, drawing, partial(self._contents, picture), self._raise_problems)

    def _contents(self, picture: MapPicture | None) -> bytes:
        """A hash of the scene file and of the picture of its map."""
        found = hashlib.sha256(repr((self.file.data, self.drawn.values)).encode())
        if picture is not None:
            try:
                with picture.png.path.open("rb") as file:
                    found.update(hashlib.file_digest(file, "sha256").digest())
            except OSError as error:
                raise UsageError(f"{picture.png.path}: cannot be read: {error.strerror or error}") from None
        return found.digest()

    def _report(self, place: Place, message: str) -> None:
        """Collect a problem of the file; `_raise_problems` raises all of them. Raises SceneError: there are many.

        Of a table with ranges the place is that of its drawn copy.
        """
        self._note(self.drawn.place(place), message)

    def _note(self, place: Place, message: str) -> None:
        """Collect a problem at a place in the file, once."""
        problem = self.file.problem(place, message)
        if problem in self._problems:
            return
        self._problems.append(problem)
        if len(self._problems) == PROBLEMS_MOST:
            self._raise_problems()

    def _raise_problems(self) -> None:
        """Raise SceneError if any problem was reported."""
        if self._problems:
            raise self.file.refusal(self._problems)

    @contextmanager
    def _size_checked(self, place: Place | None = None) -> Iterator[None]:
        """Report a WorldError about the size of the world, and raise it as a SceneError.

        ``place`` is the place in the file that gives the size; None: ``size``, or the picture of the map.
        """
        try:
            yield
        except WorldError as error:
            if error.field != "size":
                raise
            usual = ("map", "image") if self.tables.size is None else ("size",)
            self._report(usual if place is None else place, error.message)
            self._raise_problems()

    def _world_of_state(self, file: str, on_size: Callable[[int, int], None] | None) -> World:
        """The world of the snapshot that the scene names, whose laws agree with what the scene says of them."""
        self._raise_problems()
        if self.seed is not None or self.parameters or self._is_changed:
            wrong = (
                "a scene with [state] goes on with the seed and the parameters of its snapshot; neither can be given"
            )
            raise UsageError(f"{self.path}: {wrong}")
        for key in ("map", "fill"):
            if getattr(self.tables, key):
                self._report((key,), f"stands beside [state], which gives all cells; expected either [state] or {key}")
        for name in self.drawn.ranges:
            place = place_of(name, self.file.data)
            self._note(place, "is a range beside [state], whose seed was used up; expected a value")
        if self.read_state is None:
            self._report(("state",), "a scene that starts from a snapshot is read by gpufluid.load")
        self._raise_problems()
        assert self.read_state is not None
        try:
            world = open_state(self.path, file, self.read_state)
        except ValueError as error:
            self._report(("state", "file"), str(error))
            self._raise_problems()
            raise
        if max(world.width, world.height) > self.max_side:
            found = f"{shown(file)} has {world.width} by {world.height} cells"
            self._report(("state", "file"), f"{found}: is over the limit of {self.max_side} a side")
        self._raise_problems()
        with self._size_checked(("state", "file")):
            if on_size is not None:
                on_size(world.width, world.height)
        emitters = [self._port(Emitter, number, table) for number, table in enumerate(self.tables.emitter)]
        drains = [self._port(Drain, number, table) for number, table in enumerate(self.tables.drain)]
        StateCheck(self.tables, self.rule_tables, world, self._report).report(emitters, drains)
        self._raise_problems()
        return world

    def _picture(self) -> MapPicture | None:
        """The picture of the map; None: there is no map, or its error is reported."""
        if self.tables.map is None:
            return None
        try:
            picture = MapPicture.open(self.path, self.tables.map.image)
        except MapError as error:
            self._report(("map", error.field), str(error))
            return None
        found = picture.png.size
        size, columns, rows = self.tables.size, *found
        if size is not None and found != size:
            wrong = f"the picture is {columns} by {rows} but size is {size[0]} by {size[1]}"
        elif max(found) > self.max_side:
            wrong = f"the picture of {columns} by {rows} is over the limit of {self.max_side} a side"
        else:
            return picture
        self._report(("map", "image"), wrong)
        return None

    def _size(self, picture: MapPicture | None) -> tuple[int, int] | None:
        """(height, width) of the world; None: it is invalid, and this is reported."""
        size = self.tables.size or (picture and picture.png.size)
        if size is None:
            if not {"size", "map"} & self.file.data.keys():
                self._report(("size",), "is missing; expected [width, height] in cells")
            return None
        width, height = size
        if min(size) < 1:
            self._report(("size",), f"{shown(width)} by {shown(height)}; expected at least 1 by 1 cells")
        elif max(size) > self.max_side:
            limit = f"is over the limit of {self.max_side} a side"
            self._report(("size",), f"{shown(width)} by {shown(height)} cells {limit}")
        else:
            return height, width
        return None

    def _blank(self, height: int, width: int) -> World:
        """A world without cells, with the laws of the scene. Each invalid law is reported and replaced by its default.

        `World` checks the laws, but stops at the first problem. If it finds one, all laws are checked again one by one,
        so that each problem is reported with its place in the file.
        """
        tables = self.tables
        materials = own_materials.merged(tables.material, self._report)
        reactions = own_reactions.OwnReactions.read(tables.reaction, materials, self._report)
        for tag in unnamed_tags(tables.material, tables.reaction, materials):
            if tag.near:
                self._report(("material", tag.table, "tags"), str(tag))
        mixture = own_mixture.merged(tables.constituent, tables.conversion, materials, self._report)
        if "reactions" in self._named_rules:
            own_reactions.report_ageless(tables.reaction, tables.material, materials, self._report)
        else:  # World does not check the reactions of such a scene
            reactions.report_conflicts(materials, self._report)

        def world_with(laws: Mapping[str, Any]) -> World:
            tables: dict[str, Any] = {"materials": materials}
            if "reactions" in laws["rules"]:
                tables["reactions"] = reactions.table(materials)
            if any(RULES[rule].mixes for rule in laws["rules"] if rule in RULES):
                tables["mixture"] = mixture
            return World(height, width, **laws, **tables, cells=False)

        if not self._problems and self._replaced_are_valid():
            with suppress(WorldError):  # each problem is reported below
                return world_with(self._laws_given())
        reactions.report_conflicts(materials, self._report)
        return world_with(self._checked_laws(height, width))

    @cached_property
    def _named_rules(self) -> list[str]:
        """The rules that the file names, which may be invalid; if it names none, those of a world by default."""
        if "rules" in self.tables.model_fields_set:
            return self.tables.rules
        return list(default_rules({**self.rule_tables, **self.parameters}))

    def _replaced_are_valid(self) -> bool:
        """True if the values of the file that arguments of this builder replace are valid; `World` never sees them."""
        for rule, table in self.rule_tables.items():
            given = self.parameters.get(rule, {})
            if RULES[rule].problems({name: value for name, value in table.items() if name in given}):
                return False
        try:
            if self.seed is not None:
                check_seed(self.tables.seed)
        except WorldError:
            return False
        return True

    def _laws_given(self) -> dict[str, Any]:
        """The laws of the file and of this builder's arguments, as arguments of `World`. They are not checked."""
        parameters = {rule: {**table, **self.parameters.get(rule, {})} for rule, table in self.rule_tables.items()}
        tables, seed = self.tables, self.tables.seed if self.seed is None else self.seed
        laws = {"rules": self._named_rules, "edges": tables.edges, "gravity": tables.gravity, "seed": seed}
        return {**laws, "parameters": {**self.parameters, **parameters}}

    def _checked_laws(self, height: int, width: int) -> dict[str, Any]:
        """The laws as in `_laws_given`, with each invalid law reported and replaced by its default."""
        rules = self._rules()
        edges, gravity = self._edges_and_gravity(height, width)
        seed = self.tables.seed if self._is_valid("seed", check_seed) else 0
        seed = seed if self.seed is None else self.seed
        parameters = self._parameters(rules)
        return {"rules": rules, "edges": edges, "gravity": gravity, "seed": seed, "parameters": parameters}

    def _edges_and_gravity(self, height: int, width: int) -> tuple[Edges, Gravity]:
        edges = self.tables.edges if self._is_valid("edges", check_edges) else "closed"
        gravity = self.tables.gravity if self._is_valid("gravity", check_gravity) else "down"
        known = [rule for rule in self._named_rules if rule in RULES]
        for problem in law_conflicts(known, edges, height, width):
            self._report((problem.field,), problem.message)
        if self._problems:  # the scene is invalid; with these laws, which suit every rule, the rest can be checked
            return "closed", "down"
        return cast(Edges, edges), cast(Gravity, gravity)

    def _is_valid(self, law: str, check: Callable[[object], None]) -> bool:
        """Check a law of the file. Returns True if it is valid; a problem is reported."""
        try:
            check(getattr(self.tables, law))
        except WorldError as error:
            self._report((law,), error.message)
            return False
        return True

    def _rules(self) -> tuple[str, ...]:
        """The rules of the scene; if they are invalid, this is reported and other rules are returned."""
        rules = self._named_rules
        if not rules:
            self._report(("rules",), "is empty; expected a list of rules, such as ['flow']")
        meant = []
        for number, rule in enumerate(rules):
            if rule not in RULES:
                self._report(("rules", number), f"unknown rule {shown(rule)}{did_you_mean(rule, RULES)}")
            elif rule in rules[:number]:
                self._report(("rules",), f"names a rule twice: {shown(rule)}")
            meant += [rule] if rule in RULES else similar(rule, tuple(RULES))[:1] or [None]
        known = list(dict.fromkeys(rule for rule in meant if rule is not None))
        if len(known) < len(set(meant)):  # nobody knows what else is meant
            return ("flow", "atoms")
        problems = list(rule_conflicts(known))
        for problem in problems:
            self._report(("rules",), problem.message)
        return tuple(known) if known and not problems else ("flow", "atoms")  # with these the rest can be checked

    def _parameters(self, rules: Sequence[str]) -> dict[str, dict[str, object]]:
        """The parameters of the scene, and over them those given to this builder; empty if the scene has problems.

        Raises: WorldError: an invalid parameter given to this builder, which has no place in the file.
        """
        for place, message in _parameter_problems(rules, self.rule_tables):
            hint = "; it belongs above the first [table]" if place[-1] in schema.SceneTable.model_fields else ""
            self._report(place, f"{message}{hint}")
        for place, message in _parameter_problems(rules, self.parameters):
            if len(place) > 1 and place[1] in schema.SceneTable.model_fields:
                message = f"{place[-1]} is not a parameter; set it in the scene file"
            raise WorldError(field_name(place), message)
        if self._problems:
            return {}
        return {rule: {**self.rule_tables.get(rule, {}), **self.parameters.get(rule, {})} for rule in rules}

    def _check_ends(self, world: World) -> None:
        """Report what is wrong with tables that have ranges if these have the values at their ends."""
        origins = self.drawn.end_origins

        def report(place: Place, message: str) -> None:
            self._note(self.drawn.place(place, origins), message)

        SceneDrawing(world, self._ends, None, report, partial(self._rules_hint, world))
        emitters = [self._port(Emitter, number, table, report) for number, table in enumerate(self._ends.emitter)]
        drains = [self._port(Drain, number, table, report) for number, table in enumerate(self._ends.drain)]
        self._report_ports(world, {"emitter": emitters, "drain": drains}, report)

    def _set_ports(self, world: World) -> None:
        """Set the emitters and drains of the world, or report those that it refuses."""
        tables = self.tables
        emitters = tuple(self._port(Emitter, number, table) for number, table in enumerate(tables.emitter))
        drains = tuple(self._port(Drain, number, table) for number, table in enumerate(tables.drain))
        try:
            world.emitters, world.drains = emitters, drains
        except WorldError as refused:
            self._report_ports(world, {"emitter": emitters, "drain": drains}, self._report)
            if not self._problems:  # each port alone is valid, but there are too many
                self._report((refused.field.removesuffix("s"),), refused.message)

    def _report_ports(self, world: World, ports_of: Mapping[str, Sequence[Port]], report: Report) -> None:
        """Report each emitter and drain that cannot act in a world.

        Args:
            world: the world, which is valid without ports.
            ports_of: the ports by kind, ``emitter`` or ``drain``.
            report: called with the place and the message of each problem.
        """
        for kind, ports in ports_of.items():
            for number, port in enumerate(ports):
                for problem in world.port_problems(port):
                    hint = ""
                    if isinstance(port, Emitter) and problem.field == "material":
                        hint = self._rules_hint(world, port.material)
                    report((kind, number, problem.field), f"{problem.message}{hint}")

    def _port(self, kind: type[_Port], number: int, table: schema.PortTable, report: Report | None = None) -> _Port:
        """An emitter or drain; an invalid value is reported and replaced by its default."""
        report = report or self._report
        given = table.model_dump()
        try:
            return kind(**given)
        except PortError as error:
            for problem in error.problems:
                report((kind.__name__.lower(), number, problem.field), problem.message)
            wrong = {problem.field for problem in error.problems}
            return kind(**{name: value for name, value in given.items() if name not in wrong})

    def _rules_hint(self, world: World, material: str) -> str:
        """A hint for a material that no rule moves: the first rule that would; empty if none would."""
        if material not in world.materials:
            return ""
        record = world.materials.records[world.materials[material]]
        moving = [rule for rule in RULES if moved_by([rule], record)]
        if not moving:
            return ""
        if "rules" in self.tables.model_fields_set:
            return f": rules = {json.dumps(self._named_rules)}; add {json.dumps(moving[0])}"
        default = json.dumps(self._named_rules)
        return f"; rules is not given, so it is {default}; rules = {json.dumps(moving[:1])} moves this material"

    def remarks(self, world: World) -> list[str]:
        """Warnings about settings without effect, each with its file and line."""
        found = remarks(self.tables, self.rule_tables, world)
        each = (self.file.problem(self.drawn.place(place), message).located(self.path) for place, message in found)
        return list(dict.fromkeys(each))


class UnbuiltScene:
    """The world of a scene that is not built yet; see `Unbuilt`.

    Args:
        blank: the world without cells.
        drawing: draws the cells.
        contents: computes a hash of the files of the scene.
        raise_problems: raises SceneError if the drawing has reported problems.
    """

    was_replaced = False
    """A scene is read before its cells are drawn."""

    def __init__(
        self,
        blank: World,
        drawing: SceneDrawing,
        contents: Callable[[], bytes],
        raise_problems: Callable[[], None],
    ) -> None:
        self.blank = blank
        """The world without cells: its laws, ports, tick and ledgers."""
        self._drawing, self._contents, self._raise_problems = drawing, contents, raise_problems

    @property
    def contents(self) -> bytes:
        """A hash of the scene file and of the picture of its map."""
        return self._contents()

    def materials_of(self, own: Box) -> frozenset[int]:
        """The numbers of the materials that the scene lays anywhere."""
        del own
        return self._drawing.materials

    def begin(self, own: Box, builders: Builders) -> None:
        """Find what noise chooses among all cells; see `Unbuilt`."""
        self._drawing.choose(own, builders)

    def build(self, pieces: Sequence[WorldPiece]) -> None:
        """Draw the cells of some pieces. Raises SceneError: the picture of the map was changed meanwhile."""
        self._drawing.draw(pieces)
        self._raise_problems()

    def check(self, own: WorldPiece, builders: Builders) -> None:
        """Raise SceneError if a fill made a cell more than full, in the pieces of any builder."""
        del own  # the drawing has noted what it did
        self._drawing.report_amounts(builders)
        self._raise_problems()


def _parameter_problems(
    rules: Sequence[str], tables: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[Place, str]]:
    """The place and the message of each problem in tables of parameters, given by rule, of a world with these rules."""
    for rule, table in tables.items():
        if rule not in rules:
            yield (rule,), f"this scene does not have rule {rule!r}: rules = {list(rules)}"
            continue
        for problem in RULES[rule].problems(table):
            yield (rule, problem.name), str(problem)
