"""From the tables of a scene file to its world; what only the whole can show to be wrong is found here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from gpufluid.emitters import Drain, Emitter, units
from gpufluid.errors import SceneError, UsageError, WorldError, did_you_mean
from gpufluid.rules import RULES, ParameterError
from gpufluid.scene import schema
from gpufluid.scene.picture_map import MapError, check_colours, read_legend, read_picture
from gpufluid.scene.reading import read_tables
from gpufluid.scene.shapes import ShapeError, mask
from gpufluid.scene.toml_lines import Place, field_name
from gpufluid.world import Edges, World


class SceneBuilder:
    """One scene file on its way to a world.

    Args:
        path: the file.
        seed: instead of the scene's own.
        parameters: by rule and name, over the scene's own.
        max_side: the longest side that can be held, in cells.
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

    def world(self) -> World:
        """The first state: laws, then the map, then the fills in their order."""
        pixels = self._pixels()
        height, width = self._checked_size(pixels)
        given = self._checked_parameters()
        try:
            world = World(
                height,
                width,
                tuple(self.tables.rules),
                cast(Edges, self.tables.edges),
                self.tables.seed if self.seed is None else self.seed,
                given,
                [Emitter(**emitter.model_dump()) for emitter in self.tables.emitter],
                [Drain(**drain.model_dump()) for drain in self.tables.drain],
            )
        except WorldError as error:
            if error.field == "seed" and self.seed is not None:
                raise
            raise self._error(_place_of(error.field), error.message) from None
        if pixels is not None and self.tables.map is not None:
            self._draw_map(world, pixels, self.tables.map)
        for number, fill in enumerate(self.tables.fill):
            self._draw_fill(world, number, fill)
        return world

    def _error(self, place: Place, message: str) -> SceneError:
        return SceneError(self.path, [self.file.problem(place, message)])

    def _pixels(self) -> np.ndarray | None:
        if self.tables.map is None:
            return None
        try:
            return read_picture(self.path, self.tables.map.image)
        except MapError as error:
            raise self._error(("map", error.field), str(error)) from None

    def _checked_size(self, pixels: np.ndarray | None) -> tuple[int, int]:
        size = self.tables.size
        if size is None:
            if pixels is None:
                raise self._error(("size",), "is missing; expected [width, height] in cells")
            size = pixels.shape[1], pixels.shape[0]
        width, height = size
        if min(size) < 1:
            raise self._error(("size",), f"{width} by {height}; expected at least 1 by 1 cells")
        if max(size) > self.max_side:
            raise self._error(("size",), f"{width} by {height} cells is over the limit of {self.max_side} a side here")
        if pixels is not None and pixels.shape != (height, width):
            rows, columns = pixels.shape
            raise self._error(("map", "image"), f"the picture is {columns} by {rows} but size is {width} by {height}")
        return height, width

    def _checked_parameters(self) -> dict[str, dict[str, object]]:
        """The scene's parameters with those given over them; a fault in the scene's own has a line."""
        rules = self.tables.rules
        for number, rule in enumerate(rules):
            if rule not in RULES:
                raise self._error(("rules", number), f"unknown rule {rule!r}{did_you_mean(rule, RULES)}")
        _check_parameters(rules, self.rule_tables, self._error)
        _check_parameters(rules, self.parameters, lambda place, message: WorldError(field_name(place), message))
        return {rule: {**self.rule_tables.get(rule, {}), **self.parameters.get(rule, {})} for rule in rules}

    def _draw_map(self, world: World, pixels: np.ndarray, table: schema.Map) -> None:
        try:
            legend = read_legend(table.legend)
            check_colours(pixels, legend)
        except MapError as error:
            raise self._error(("map", *error.field.split(".")), str(error)) from None
        for colour, material in legend.items():
            text = next(key for key in table.legend if int(key[1:], 16) == colour)
            self._lay(world, pixels == colour, material, 1.0, ("map", "legend", text))

    def _draw_fill(self, world: World, number: int, fill: schema.Fill) -> None:
        place = ("fill", number)
        try:
            cells = mask(cast(Any, fill), world.height, world.width, world.seed + number)
        except ShapeError as error:
            raise self._error((*place, error.field), str(error)) from None
        if isinstance(fill, schema.Noise) and fill.only_in is not None:
            if fill.only_in not in world.materials:
                raise self._error((*place, "only_in"), _unknown_material(world, fill.only_in))
            cells &= world["material"] == world.materials[fill.only_in]
        self._lay(world, cells, fill.material, fill.amount, (*place, "material"))

    def _lay(self, world: World, cells: np.ndarray, material: str, amount: float, place: Place) -> None:
        """Put a material into cells: as an amount where a rule keeps it so, else as the cells' material."""
        if material not in world.materials:
            raise self._error(place, _unknown_material(world, material))
        held = {name: field for rule in world.rules for name, field in RULES[rule].holds.items()}
        for field in set(held.values()):
            world[field][cells] = 0
        if material in held:
            world["material"][cells] = 0
            world[held[material]][cells] = units(amount)
            return
        if not world.can_hold(material):
            raise self._error(place, f"no rule of this scene moves {material!r}: rules = {list(world.rules)}")
        world["material"][cells] = world.materials[material]

    def remarks(self, world: World) -> list[str]:
        """What the scene's author should know though it runs, each with its place in the file."""
        if any(RULES[rule].moves for rule in world.rules):
            return []
        return [
            self.file.problem(("emitter", number, "velocity"), "has no effect: no rule of this scene has velocities")
            .located(self.path)
            for number, emitter in enumerate(world.emitters)
            if emitter.velocity is not None
        ]  # fmt: skip


def _check_parameters(
    rules: Sequence[str],
    tables: Mapping[str, Mapping[str, object]],
    fault: Callable[[Place, str], UsageError],
) -> None:
    for rule, table in tables.items():
        if rule not in rules:
            raise fault((rule,), f"this scene does not have rule {rule!r}: rules = {list(rules)}")
        try:
            RULES[rule].resolve(table)
        except ParameterError as error:
            raise fault((rule, error.name), str(error)) from None


def _unknown_material(world: World, name: str) -> str:
    return f"unknown material {name!r}{did_you_mean(name, [record.name for record in world.materials])}"


def _place_of(field: str) -> Place:
    """``emitter[0].at`` as a place in the file."""
    parts = field.replace("[", ".").replace("]", "").split(".")
    return tuple(int(part) if part.isdigit() else part for part in parts)
