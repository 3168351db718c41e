"""Building the world of a scene from the tables of its file, with the checks that need more than one table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from gpufluid.core.errors import PortError, Problem, SceneError, WorldError, did_you_mean, shown
from gpufluid.core.fields import FIELDS, FULL
from gpufluid.matter.ports import Drain, Emitter, Port, units
from gpufluid.matter.transitions import temperature_problem
from gpufluid.rules import RULES
from gpufluid.scene import own_materials, own_mixture, own_reactions, schema
from gpufluid.scene.matter import cells_of, has, held, lay, unknown_material, value_problem, value_units
from gpufluid.scene.picture_map import MapError, check_colours, picture_size, read_legend, read_picture
from gpufluid.scene.reading import read_tables
from gpufluid.scene.remarks import remarks
from gpufluid.scene.shapes import ShapeError, mask
from gpufluid.scene.toml_lines import Place, field_name
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

_Port = TypeVar("_Port", bound=Port)


class SceneBuilder:
    """Builds the world of one scene file.

    Args:
        path: the scene file.
        seed: replaces the seed of the scene; None: the scene's own.
        parameters: by rule and name; they replace those of the scene.
        max_side: the longest side that the device supports, in cells.
    Raises: SceneError, WorldError: as `scene.read`.
    """

    def __init__(
        self, path: Path, seed: int | None, parameters: Mapping[str, Mapping[str, object]], max_side: int
    ) -> None:
        self.path = path
        self.seed = seed
        self.parameters = parameters
        self.max_side = max_side
        self.file, self.tables, self.rule_tables = read_tables(path)
        self._problems: list[Problem] = []

    def world(self, begun: Callable[[int, int], None] | None = None) -> World:
        """Build the world: its laws, then the map, then the fills in their order.

        Args:
            begun: called with width and height before the world is built; it raises WorldError to refuse the size.
        Raises: SceneError: all problems of the scene; WorldError: an invalid parameter or seed given to this builder.
        """
        height, width = self._size()
        if begun is not None:
            self._announce(begun, width, height)
        pixels = self._pixels()
        world = self._empty_world(height, width)
        if pixels is not None and self.tables.map is not None:
            self._draw_map(world, pixels, self.tables.map)
        for number, fill in enumerate(self.tables.fill):
            self._draw_fill(world, number, fill)
        world.draw_grain()
        self._place_ports(world)
        self._raise()
        return world

    def _blame(self, place: Place, message: str) -> None:
        self._problems.append(self.file.problem(place, message))

    def _raise(self) -> None:
        if self._problems:
            raise SceneError(self.path, sorted(self._problems, key=lambda problem: problem.line or 0))

    def _announce(self, begun: Callable[[int, int], None], width: int, height: int) -> None:
        """Call ``begun`` with the size; a WorldError from it ends the reading."""
        try:
            begun(width, height)
        except WorldError as error:
            place = ("map", "image") if error.field == "size" and self.tables.size is None else (error.field,)
            self._blame(place, error.message)
            self._raise()

    def _picture_size(self) -> tuple[int, int] | None:
        """(width, height) of the picture of the map; None: there is no map, or its error is reported."""
        if self.tables.map is None:
            return None
        try:
            columns, rows = found = picture_size(self.path, self.tables.map.image)
        except MapError as error:
            self._blame(("map", error.field), str(error))
            return None
        size = self.tables.size
        if size is not None and found != size:
            wrong = f"the picture is {columns} by {rows} but size is {size[0]} by {size[1]}"
        elif max(found) > self.max_side:
            wrong = f"the picture of {columns} by {rows} is over the limit of {self.max_side} a side here"
        else:
            return found
        self._blame(("map", "image"), wrong)
        return None

    def _pixels(self) -> np.ndarray | None:
        """(height, width) uint32, the pixels of the map; None: there is no map, or its error is reported."""
        if self.tables.map is None or self._problems:
            return None
        try:
            return read_picture(self.path, self.tables.map.image)
        except MapError as error:
            self._blame(("map", error.field), str(error))
            return None

    def _size(self) -> tuple[int, int]:
        """(height, width). An invalid size ends the reading, because no other check is possible without a size."""
        size = self._picture_size()
        size = self.tables.size or size
        if size is None:
            if self.tables.map is None:
                self._blame(("size",), "is missing; expected [width, height] in cells")
            self._raise()
        assert size is not None
        width, height = size
        if min(size) < 1:
            self._blame(("size",), f"{shown(width)} by {shown(height)}; expected at least 1 by 1 cells")
        elif max(size) > self.max_side:
            limit = f"is over the limit of {self.max_side} a side here"
            self._blame(("size",), f"{shown(width)} by {shown(height)} cells {limit}")
        self._raise()
        return height, width

    def _empty_world(self, height: int, width: int) -> World:
        """An empty world with the laws of the scene; an invalid law is reported and replaced by its default.

        `World` checks the laws when it freezes them. Only if it refuses them are they checked one by one, so that each
        fault is reported with its place in the file.
        """
        tables = self.tables
        materials = own_materials.merged(tables.material, self._blame)
        reactions = own_reactions.OwnReactions.read(tables.reaction, materials, self._blame)
        mixture = own_mixture.merged(tables.constituent, tables.conversion, materials, self._blame)
        if "reactions" in tables.rules:
            own_reactions.blame_ageless(tables.reaction, tables.material, materials, self._blame)
        else:  # then World does not check them
            reactions.blame_together(materials, self._blame)

        def made(laws: Mapping[str, Any]) -> World:
            used: dict[str, Any] = {"materials": materials}
            if "reactions" in laws["rules"]:
                used["reactions"] = reactions.table(materials)
            if any(RULES[rule].mixes for rule in laws["rules"] if rule in RULES):
                used["mixture"] = mixture
            return World(height, width, **laws, **used)

        if not self._problems and self._replaced_is_sound():
            with suppress(WorldError):  # the faults are reported below
                return made(self._laws_given())
        reactions.blame_together(materials, self._blame)
        return made(self._sound_laws(height, width))

    def _replaced_is_sound(self) -> bool:
        """Whether those values of the file are valid that the call replaces: World never sees them."""
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
        """The laws of the file and the call as arguments of `World`, unchecked."""
        said = {rule: {**table, **self.parameters.get(rule, {})} for rule, table in self.rule_tables.items()}
        tables, seed = self.tables, self.tables.seed if self.seed is None else self.seed
        laws = {"rules": tables.rules, "edges": tables.edges, "gravity": tables.gravity, "seed": seed}
        return {**laws, "parameters": {**self.parameters, **said}}

    def _sound_laws(self, height: int, width: int) -> dict[str, Any]:
        """The same, with each invalid law reported and replaced by its default."""
        rules = self._rules()
        edges, gravity = self._edges_and_gravity(height, width)
        seed = self.tables.seed if self._is_sound("seed", check_seed) else 0
        seed = seed if self.seed is None else self.seed
        parameters = self._parameters(rules)
        return {"rules": rules, "edges": edges, "gravity": gravity, "seed": seed, "parameters": parameters}

    def _edges_and_gravity(self, height: int, width: int) -> tuple[Edges, Gravity]:
        edges = self.tables.edges if self._is_sound("edges", check_edges) else "closed"
        gravity = self.tables.gravity if self._is_sound("gravity", check_gravity) else "down"
        known = [rule for rule in self.tables.rules if rule in RULES]
        for problem in law_conflicts(known, edges, gravity, height, width):
            self._blame((problem.field,), problem.message)
        if self._problems:  # the scene is invalid; these laws fit every rule, so the rest can still be checked
            return "closed", "down"
        return cast(Edges, edges), cast(Gravity, gravity)

    def _is_sound(self, law: str, check: Callable[[object], None]) -> bool:
        try:
            check(getattr(self.tables, law))
        except WorldError as error:
            self._blame((law,), error.message)
            return False
        return True

    def _rules(self) -> tuple[str, ...]:
        rules = self.tables.rules
        if not rules:
            self._blame(("rules",), "is empty; expected a list of rules, such as ['flow']")
        for number, rule in enumerate(rules):
            if rule not in RULES:
                self._blame(("rules", number), f"unknown rule {rule!r}{did_you_mean(rule, RULES)}")
            elif rule in rules[:number]:
                self._blame(("rules",), f"names a rule twice: {rule!r}")
        known = list(dict.fromkeys(rule for rule in rules if rule in RULES))
        problems = list(rule_conflicts(known))
        for problem in problems:
            self._blame(("rules",), problem.message)
        return tuple(known) if known and not problems else ("flow", "atoms")  # invalid; the rest can still be checked

    def _parameters(self, rules: Sequence[str]) -> dict[str, dict[str, object]]:
        """The parameters of the scene, replaced by those given; a problem in the scene's own has a line."""
        for place, message in _parameter_problems(rules, self.rule_tables):
            above = "; it belongs above the first [table]" if place[-1] in schema.SceneTable.model_fields else ""
            self._blame(place, f"{message}{above}")
        for place, message in _parameter_problems(rules, self.parameters):
            if len(place) > 1 and place[1] in schema.SceneTable.model_fields:
                message = f"{place[-1]} is not a parameter; set it in the scene file"
            raise WorldError(field_name(place), message)
        if self._problems:
            return {}
        return {rule: {**self.rule_tables.get(rule, {}), **self.parameters.get(rule, {})} for rule in rules}

    def _place_ports(self, world: World) -> None:
        tables = self.tables
        emitters = tuple(self._port(Emitter, number, table) for number, table in enumerate(tables.emitter))
        drains = tuple(self._port(Drain, number, table) for number, table in enumerate(tables.drain))
        try:
            world.emitters, world.drains = emitters, drains
        except WorldError as refused:
            self._blame_ports(world, {"emitter": emitters, "drain": drains})
            if not self._problems:  # it is none of them alone: there are too many
                self._blame((refused.field.removesuffix("s"),), refused.message)

    def _blame_ports(self, world: World, ports_of: Mapping[str, Sequence[Port]]) -> None:
        """Blame each emitter and drain that cannot act in a world, by kind."""
        for kind, ports in ports_of.items():
            for number, port in enumerate(ports):
                for problem in world.port_problems(port):
                    hint = ""
                    if isinstance(port, Emitter) and problem.field == "material":
                        hint = self._rules_hint(world, port.material)
                    self._blame((kind, number, problem.field), f"{problem.message}{hint}")

    def _port(self, made: type[_Port], number: int, table: schema.PortTable) -> _Port:
        """An emitter or drain; an invalid value is reported and replaced by its default."""
        given = table.model_dump()
        try:
            return made(**given)
        except PortError as error:
            for problem in error.problems:
                self._blame((made.__name__.lower(), number, problem.field), problem.message)
            wrong = {problem.field for problem in error.problems}
            return made(**{name: value for name, value in given.items() if name not in wrong})

    def _rules_hint(self, world: World, material: str) -> str:
        """A hint for a material that no rule moves, if the scene gives no rules; else empty."""
        if "rules" in self.tables.model_fields_set or material not in world.materials:
            return ""
        record = world.materials.records[world.materials[material]]
        moving = [rule for rule in RULES if moved_by([rule], record)]
        if not moving:
            return ""
        default = json.dumps(self.tables.rules)
        return f"; rules is not given, so it is {default}; rules = {json.dumps(moving[:1])} moves this material"

    def _draw_map(self, world: World, pixels: np.ndarray, table: schema.Map) -> None:
        try:
            legend = read_legend(table.legend)
            check_colours(pixels, legend)
        except MapError as error:
            self._blame(("map", *error.field.split(".")), str(error))
            return
        texts = {int(text[1:], 16): text for text in table.legend}
        degrees = self._degrees(("map",), table.temperature)
        for colour, material in legend.items():
            self._lay(world, pixels == colour, material, 1.0, ("map", "legend", texts[colour]), degrees)

    def _draw_fill(self, world: World, number: int, fill: schema.Fill) -> None:
        place = ("fill", number)
        try:
            cells = mask(cast(Any, fill), world.height, world.width, world.seed, number)
        except ShapeError as error:
            self._blame((*place, error.field), str(error))
            cells = None
        if isinstance(fill, schema.Noise) and fill.only_in is not None:
            within = cells_of(world, fill.only_in)
            if within is None:
                self._blame((*place, "only_in"), unknown_material(world, fill.only_in))
            elif cells is not None:
                cells &= within
        self._lay(world, cells, fill.material, fill.amount, (*place, "material"), mix=fill.mix)
        self._check_amounts(world, cells, (*place, "amount"))
        for name, value in fill.values.items():
            problem = value_problem(FIELDS[name], value)
            if problem:
                self._blame((*place, name), problem)
            elif cells is not None and has(world, name, fill.material):
                world[name][cells] = value_units(FIELDS[name], value)

    def _degrees(self, place: Place, degrees: float | None) -> float | None:
        """A valid temperature in degrees C, or None; an invalid one is reported."""
        problem = None if degrees is None else temperature_problem(degrees)
        if problem:
            self._blame((*place, "temperature"), problem)
        return None if problem else degrees

    def _lay(
        self,
        world: World,
        cells: np.ndarray | None,
        material: str,
        amount: float,
        place: Place,
        degrees: float | None = None,
        mix: bool = False,
    ) -> None:
        """Check a material and put it into cells; see `scene.matter.lay`."""
        if material not in world.materials:
            self._blame(place, unknown_material(world, material))
            return
        amounts = held(world)
        if material not in amounts and not world.can_hold(material):
            reason = self._rules_hint(world, material) or f": rules = {list(world.rules)}"
            self._blame(place, f"no rule of this scene moves {material!r}{reason}")
        if cells is None:
            return
        if material in world.mixture and amount > 1:
            wanted = "expected 0 to 1 cells: no cell holds more of one material of a mixture"
            self._blame((*place[:-1], "amount"), f"{amount:g}; {wanted}")
            amount = 1.0
        lay(world, {name: world[name] for name in world.fields}, cells, material, units(amount), degrees, mix)

    def _check_amounts(self, world: World, cells: np.ndarray | None, place: Place) -> None:
        """Check that a fill leaves no cell with more than a full cell in all, if the constituents share the cell."""
        if cells is None or not world.exclusive:
            return
        most = int(world["mixture"][:, cells].sum(axis=0, dtype=np.int64).max(initial=0))
        if most > FULL:
            wanted = "expected at most 1, because they exclude each other"
            self._blame(place, f"makes {most / FULL:g} cells of all materials together; {wanted}")
            world["mixture"][:, cells] = 0

    def remarks(self, world: World) -> list[str]:
        """Warnings about settings without effect, each with its file and line."""
        found = remarks(self.tables, world)
        return [self.file.problem(place, message).located(self.path) for place, message in found]


def _parameter_problems(
    rules: Sequence[str], tables: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[Place, str]]:
    for rule, table in tables.items():
        if rule not in rules:
            yield (rule,), f"this scene does not have rule {rule!r}: rules = {list(rules)}"
            continue
        for problem in RULES[rule].problems(table):
            yield (rule, problem.name), str(problem)
