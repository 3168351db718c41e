"""Drawing the cells of a scene: its map, then its fills in their order, then random bytes.

What a cell holds depends on its place in the world, and on what noise chooses among all cells; so each piece of a world
can be drawn without the others. A whole world is the piece that has all cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from gpufluid.core.errors import shown
from gpufluid.core.fields import FIELDS, FULL
from gpufluid.matter.ports import units
from gpufluid.matter.transitions import temperature_problem
from gpufluid.scene import schema
from gpufluid.scene.matter import (
    LiquidAtRest,
    amount_fields,
    cells_of,
    copy_cells,
    empty_cells,
    has_field,
    put_material,
    unknown_material,
    value_problem,
    value_units,
)
from gpufluid.scene.noise import NoiseRegion
from gpufluid.scene.picture_map import MapError, MapPicture, read_legend
from gpufluid.scene.shapes import Region, ShapeError
from gpufluid.scene.toml_lines import Place, Report
from gpufluid.world import Domain, World
from gpufluid.world.new_atoms import draw_bytes
from gpufluid.world.pieces import Box, Builders, WorldPiece

_CELLS_AT_ONCE = 1 << 18
"""Cells that are drawn together, so that drawing takes little memory beside the arrays."""

RulesHint = Callable[[str], str]
"""A function that gives a hint for a material that no rule moves, for a message."""


@dataclass(slots=True)
class _Fill:
    """A valid fill of a scene.

    Args:
        number: its position among the fills.
        table: its table.
        region: its cells.
        amount: units of mass of each cell.
        rest: the amounts below its surface; None: all cells hold ``amount``.
        most: the most units of all constituents together in a cell that was drawn; see `SceneDrawing.report_amounts`.
    """

    number: int
    table: schema.Fill
    region: Region | NoiseRegion
    amount: int
    rest: LiquidAtRest | None
    most: int = 0


class SceneDrawing:
    """Draws the cells of a scene. The map and the fills are checked at once, and invalid ones are left out.

    Args:
        world: a world of the scene's laws; its cells are not used.
        tables: the tables of the scene.
        picture: the picture of the map; None: there is none.
        report: called with the place and the message of each problem.
        rules_hint: gives a hint for a material that no rule moves.
        are_drawn: for each fill, whether it has ranges: with the values that the seed draws it may cover no cell of
            the world, and then draws nothing. By default none has.
    """

    def __init__(
        self,
        world: World,
        tables: schema.SceneTable,
        picture: MapPicture | None,
        report: Report,
        rules_hint: RulesHint,
        are_drawn: Sequence[bool] = (),
    ) -> None:
        self._world, self._report, self._rules_hint = world, report, rules_hint
        self._are_drawn = are_drawn or [False] * len(tables.fill)
        self._map = None if picture is None or tables.map is None else self._checked_map(picture, tables.map)
        found = [self._checked_fill(number, fill) for number, fill in enumerate(tables.fill)]
        self._fills = [fill for fill in found if fill is not None]

    @property
    def materials(self) -> frozenset[int]:
        """The numbers of the materials of which the map and the fills lay atoms, without 0."""
        laid = {fill.table.material for fill in self._fills} | set(self._map.materials if self._map else ())
        return frozenset(self._world.materials[name] for name in laid - set(amount_fields(self._world))) - {0}

    def choose(self, own: Box, builders: Builders) -> None:
        """Find what noise chooses among all cells. `draw` needs this; arguments as for `NoiseRegion.choose`."""
        for fill in self._fills:
            if isinstance(fill.region, NoiseRegion):
                fill.region.choose(own, builders)

    def draw(self, pieces: Sequence[WorldPiece]) -> None:
        """Draw the cells of some pieces of the world, whose arrays are all 0. A bad picture is reported."""
        if self._map is not None:
            try:
                self._map.draw(pieces)
            except MapError as error:
                self._report(("map", error.field), str(error))
        for piece in pieces:
            for band in piece.bands(_CELLS_AT_ONCE):
                for fill in self._fills:
                    if (part := band.within(fill.region.bounds)) is not None:
                        self._draw_fill(fill, part)
                whole = self._world.width, self._world.height
                draw_bytes(band.fields, self._world.laws, Domain(band.at, band.box[2:], whole))

    def check_picture(self) -> None:
        """Report a bad picture of the map, before any cell is drawn."""
        if self._map is not None:
            try:
                self._map.check()
            except MapError as error:
                self._report(("map", error.field), str(error))

    def report_amounts(self, builders: Builders) -> None:
        """Report fills after which a cell was more than full, if all constituents share the room of a cell."""
        most = builders.most_of(np.array([fill.most for fill in self._fills], np.int64))
        for fill, held in zip(self._fills, most.tolist(), strict=True):
            if held > FULL:
                wanted = "expected at most 1, because they exclude each other"
                message = f"makes {held / FULL:g} cells of all materials together; {wanted}"
                self._report(("fill", fill.number, "amount"), message)

    def _checked_map(self, picture: MapPicture, table: schema.Map) -> _Map | None:
        """The map; None: it is not valid, and this is reported."""
        try:
            legend = read_legend(table.legend)
        except MapError as error:
            self._report(("map", *error.field.split(".")), str(error))
            return None
        problem = None if table.temperature is None else temperature_problem(table.temperature)
        if problem:
            self._report(("map", "temperature"), problem)
        valid = [self._is_valid(material, ("map", "legend", text)) for text, material in table.legend.items()]
        if problem or not all(valid):
            return None
        return _Map.of(self._world, picture, legend, table.temperature)

    def _checked_fill(self, number: int, fill: schema.Fill) -> _Fill | None:
        """A fill of this number; None: it is not valid, and this is reported."""
        place, world, valid, region = ("fill", number), self._world, True, None
        size = world.width, world.height
        try:
            if isinstance(fill, schema.Noise):
                region = NoiseRegion(fill, size, world.seed, number)
            else:
                region = Region(cast(Any, fill), size)
        except ShapeError as error:
            if not (error.is_empty and self._are_drawn[number]):
                self._report((*place, error.field), str(error))
        if isinstance(fill, schema.Noise) and fill.only_in is not None and fill.only_in not in world.materials:
            self._report((*place, "only_in"), unknown_material(world, fill.only_in))
            valid = False
        valid &= self._is_valid(fill.material, (*place, "material"))
        if region is not None and fill.material in world.mixture and fill.amount > 1:
            wanted = "expected 0 to 1 cells: no cell holds more of one material of a mixture"
            self._report((*place, "amount"), f"{fill.amount:g}; {wanted}")
            valid = False
        for name, value in fill.values.items():
            if problem := value_problem(FIELDS[name], value):
                self._report((*place, name), problem)
                valid = False
        if region is None or not valid:
            return None
        amount = units(fill.amount)
        rest = None if fill.surface is None else LiquidAtRest(world, fill.material, amount, fill.surface)
        return _Fill(number, fill, region, amount, rest)

    def _is_valid(self, material: str, place: Place) -> bool:
        """True if cells of the scene may have a material; else this is reported."""
        world = self._world
        if material not in world.materials:
            self._report(place, unknown_material(world, material))
            return False
        if material not in amount_fields(world) and not world.can_hold(material):
            reason = self._rules_hint(material) or f": rules = {list(world.rules)}"
            self._report(place, f"no rule of this scene moves {shown(material)}{reason}")
            return False
        return True

    def _draw_fill(self, fill: _Fill, piece: WorldPiece) -> None:
        """Put a fill's material, and its values of other fields, into the cells of a piece that are in its shape."""
        world, table, fields = self._world, fill.table, piece.fields
        cells = fill.region.mask(piece.box)
        if isinstance(table, schema.Noise) and table.only_in is not None:
            within = cells_of(world, table.only_in, fields)
            assert within is not None  # the material was checked
            cells &= within
        amount = fill.amount if fill.rest is None else fill.rest.amounts(cells, piece.at)
        degrees = cast(float | None, table.values.get("temperature"))
        put_material(world, fields, cells, table.material, amount, temperature=degrees, mix=table.mix)
        if world.exclusive:
            together = fields["mixture"][:, cells].sum(axis=0, dtype=np.int64)
            fill.most = max(fill.most, int(together.max(initial=0)))
        for name, value in table.values.items():
            if has_field(world, name, table.material):
                fields[name][cells] = value_units(FIELDS[name], value)


@dataclass(frozen=True, slots=True)
class _Map:
    """A map whose legend is valid.

    Args:
        picture: its picture.
        legend: the material of each colour, as `read_legend` returns it.
        materials: the names of the materials, each once.
        samples: a cell of each material: fields by name, each (1, count) or with more axes, of the field's type;
            without those that are 0 in all of them.
    """

    picture: MapPicture
    legend: dict[int, str]
    materials: list[str]
    samples: dict[str, np.ndarray]

    @classmethod
    def of(cls, world: World, picture: MapPicture, legend: dict[int, str], degrees: float | None) -> _Map:
        """A map in a world of these laws, whose atoms have this temperature; None: that of their material."""
        materials = list(dict.fromkeys(legend.values()))
        samples = empty_cells(world, len(materials))
        for number, material in enumerate(materials):
            cell = np.arange(len(materials))[None, :] == number
            put_material(world, samples, cell, material, temperature=degrees)
        return cls(picture, legend, materials, {name: sample for name, sample in samples.items() if sample.any()})

    def check(self) -> None:
        """Raise MapError: a damaged picture, a transparent pixel, or a colour that the legend lacks."""
        self.picture.check(self.legend, self.materials)

    def draw(self, pieces: Sequence[WorldPiece]) -> None:
        """Copy the cell of each pixel's material to the cells of some pieces. Raises MapError: as `check`."""
        for rows, columns, numbers in self.picture.cells(self.legend, self.materials):
            for piece in pieces:
                x, y, width, height = piece.box
                rows_there, rows_here = _inside(rows, y, height)
                columns_there, columns_here = _inside(columns, x, width)
                part = numbers[rows_there, columns_there]
                if part.size:
                    copy_cells(self.samples, piece.fields, rows_here, columns_here, part)


def _inside(places: slice, first: int, count: int) -> tuple[slice, slice]:
    """Find which columns (or rows) of a map's pixels lie in a piece.

    Args:
        places: the columns of the world that the pixels belong to; the step is more than 1 in an interlaced picture.
        first, count: the first column of the piece, and the number of its columns.
    Returns: the indices of those pixels, and their columns counted from ``first``.
    """
    step = places.step or 1
    begin = max(0, -((places.start - first) // step))  # rounded up
    end = max(begin, -((places.start - min(places.stop, first + count)) // step))
    at = places.start + begin * step - first
    return slice(begin, end), slice(at, at + (end - begin) * step, step)
