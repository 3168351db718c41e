"""The schema of scene files: one model per table. Types are strict: no value is converted to another type."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, Union, cast

from pydantic import BaseModel, ConfigDict, Field, Strict, create_model

from gpufluid.core.fields import FIELDS, DeclarationError

_FAR = 1_000_000_000
"""The largest coordinate and length; arithmetic on values within it does not overflow an int64."""

Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Text = Annotated[str, Strict()]
Size = tuple[Whole, Whole]
Coordinate = Annotated[int, Strict(), Field(ge=-_FAR, le=_FAR)]
Cell = tuple[Coordinate, Coordinate]


class Table(BaseModel):
    """A table of a scene file; a key that the model does not have is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Fill(Table):
    """The common keys of all fills; `scene_table` adds a key for each field that a scene can give."""

    material: Text
    amount: Number = Field(1.0, ge=0, le=1000, description="cells of mass")
    surface: Coordinate | None = Field(None, description="row of the surface; with gravity to a side, column")
    mix: Annotated[bool, Strict()] = Field(False, description="whether other constituents stay in the cell")

    @property
    def values(self) -> dict[str, float | tuple[float, ...]]:
        """The given values of fields, by the field's name, in the units that people count in; see `scene_table`."""
        given = {name: getattr(self, name, None) for name in FIELDS if FIELDS[name].in_scene}
        return {name: value for name, value in given.items() if value is not None}


class Rectangle(Fill):
    """The cells of a rectangle; `at` is the top left cell."""

    shape: Literal["rectangle"]
    at: Cell
    size: Cell


class Circle(Fill):
    """The cells whose centre is within `radius` of the centre of the cell `at`."""

    shape: Literal["circle"]
    at: Cell
    radius: Number = Field(gt=0, le=_FAR)


class Line(Fill):
    """The cells whose centre is within half of `width` of the segment between the centres of two cells."""

    shape: Literal["line"]
    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")
    width: Number = Field(1, gt=0, le=_FAR)


class Polygon(Fill):
    """The cells whose centre is inside a polygon. Points are corners of cells; (0, 0) is the world's top left one."""

    shape: Literal["polygon"]
    points: list[Cell] = Field(min_length=3)


class Noise(Fill):
    """The fraction `cover` of the cells of a rectangle, by value noise with features of about `scale` cells.

    The default rectangle is the whole world.
    """

    shape: Literal["noise"]
    at: Cell = (0, 0)
    size: Cell | None = None
    scale: Whole = Field(16, ge=1, le=4096)
    octaves: Whole = Field(3, ge=1, le=8)
    cover: Number = Field(0.5, ge=0, le=1)
    only_in: Text | None = Field(None, description="change only cells of this material")


_SHAPES = Rectangle, Circle, Line, Polygon, Noise
Shape = Annotated[Rectangle | Circle | Line | Polygon | Noise, Field(discriminator="shape")]


class Map(Table):
    """A picture of the whole world, one pixel per cell; the legend gives the material of each colour."""

    image: Text
    legend: dict[Text, Text] = Field(min_length=1)
    temperature: Number | None = Field(None, description="of all atoms and amounts, in degrees C")


class StateTable(Table):
    """The snapshot from which the scene starts; it lies beside or below the scene file."""

    file: Text


class PortTable(Table):
    """The common keys of emitters and drains; see `matter.ports.Port`."""

    at: Cell
    size: Cell = (1, 1)
    start: Whole = 0
    until: Whole | None = None


class EmitterTable(PortTable):
    """An emitter; see `matter.ports.Emitter`."""

    material: Text = "water"
    rate: Number = 1.0
    chance: Number = 1.0
    level: Number = 1.0
    velocity: tuple[Number, Number] | None = None
    scatter: Number = 0.0
    temperature: Number | None = None


class DrainTable(PortTable):
    """A drain; see `matter.ports.Drain`."""

    rate: Number | None = None


class SceneTable(Table):
    """The top level of a scene file, without the tables of rules."""

    title: Text = ""
    about: Text = ""
    size: Size | None = None
    rules: list[Text] = Field([], description="by default flow and inertia; see `rules.default_rules`")
    edges: Text = "closed"
    gravity: Text = "down"
    seed: Whole = 0
    ticks: Whole = Field(600, ge=0, description="suggested length of a run")
    test: Literal["golden", "run", "off"] = "run"
    material: list[dict[Text, Any]] = Field([], description="checked key by key in `own_materials`")
    reaction: list[dict[Text, Any]] = Field([], description="checked key by key in `own_reactions`")
    constituent: list[dict[Text, Any]] = Field([], description="checked key by key in `own_mixture`")
    conversion: list[dict[Text, Any]] = Field([], description="checked key by key in `own_mixture`")
    map: Map | None = None
    state: StateTable | None = None
    fill: list[Shape] = []
    emitter: list[EmitterTable] = []
    drain: list[DrainTable] = []


def field_keys() -> dict[str, int]:
    """The keys of a fill that give the value of a field (`Field.in_scene`), each with its number of components."""
    return {name: field.components for name, field in FIELDS.items() if field.in_scene}


def scene_table() -> type[SceneTable]:
    """The schema of a scene file: `SceneTable`, whose fills also have the keys of `field_keys`.

    Raises: DeclarationError: a field that a fill can set has the name of another key of fills.
    """
    return _scene_table(tuple(field_keys().items()))


@cache
def _scene_table(keys: tuple[tuple[str, int], ...]) -> type[SceneTable]:
    make, number = cast(Any, create_model), cast(Any, Number)
    for shape, name in ((shape, name) for shape in _SHAPES for name, _ in keys if name in shape.model_fields):
        raise DeclarationError(
            f"field {name}: a fill can set it (in_scene), but a fill {shape.__name__} has a key {name}"
        )
    values = {name: ((number if count == 1 else tuple[(number,) * count]) | None, None) for name, count in keys}
    shapes = tuple(make(shape.__name__, __base__=shape, **values) for shape in _SHAPES)
    fills = list[Annotated[Union[shapes], Field(discriminator="shape")]]  # noqa: UP007
    return make("SceneTable", __base__=SceneTable, fill=(fills, []))
