"""What a scene file may say: one model a table. Types are strict: a scene is data, and nothing is guessed."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

_FAR = 1_000_000_000
"""No place or length of a scene need be farther; within it no arithmetic on them overflows."""

Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Text = Annotated[str, Strict()]
Size = tuple[Whole, Whole]
Coordinate = Annotated[int, Strict(), Field(ge=-_FAR, le=_FAR)]
Cell = tuple[Coordinate, Coordinate]


class Table(BaseModel):
    """A table of a scene file; keys that it does not name are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Fill(Table):
    """What all fills have: the material, how much of it a cell gets, and how fast it is, where rules keep that."""

    material: Text
    amount: Number = Field(1.0, ge=0, le=1000, description="cells of mass")
    mix: Annotated[bool, Strict()] = Field(False, description="whether what else is in a cell's mixture stays there")
    velocity: tuple[Number, Number] | None = Field(None, description="of atoms, in cells a tick")
    temperature: Number | None = Field(None, description="of atoms, in degrees C")


class Rectangle(Fill):
    """The cells from `at` (top left) on."""

    shape: Literal["rectangle"]
    at: Cell
    size: Cell


class Circle(Fill):
    """The cells whose centre is within `radius` of the centre of the cell `at`."""

    shape: Literal["circle"]
    at: Cell
    radius: Number = Field(gt=0, le=_FAR)


class Line(Fill):
    """The cells whose centre is within half of `width` of the way between two cells' centres."""

    shape: Literal["line"]
    start: Cell = Field(alias="from")
    end: Cell = Field(alias="to")
    width: Number = Field(1, gt=0, le=_FAR)


class Polygon(Fill):
    """The cells whose centre is inside the outline. Points are corners of cells: (0, 0) is the world's top left."""

    shape: Literal["polygon"]
    points: list[Cell] = Field(min_length=3)


class Noise(Fill):
    """The part `cover` of a rectangle's cells, in blobs about `scale` cells across; by default of the whole world."""

    shape: Literal["noise"]
    at: Cell = (0, 0)
    size: Cell | None = None
    scale: Whole = Field(16, ge=1, le=4096)
    octaves: Whole = Field(3, ge=1, le=8)
    cover: Number = Field(0.5, ge=0, le=1)
    only_in: Text | None = Field(None, description="change only cells of this material")


Shape = Annotated[Rectangle | Circle | Line | Polygon | Noise, Field(discriminator="shape")]


class Map(Table):
    """The whole world from a picture, pixel by pixel; the legend gives each colour's material."""

    image: Text
    legend: dict[Text, Text] = Field(min_length=1)
    temperature: Number | None = Field(None, description="of all its atoms, in degrees C")


class PortTable(Table):
    """What emitters and drains have in common; see `emitters.Port`."""

    at: Cell
    size: Cell = (1, 1)
    start: Whole = 0
    until: Whole | None = None


class EmitterTable(PortTable):
    """See `emitters.Emitter`."""

    material: Text = "water"
    rate: Number = 1.0
    chance: Number = 1.0
    level: Number = 1.0
    velocity: tuple[Number, Number] | None = None
    scatter: Number = 0.0
    temperature: Number | None = None


class DrainTable(PortTable):
    """See `emitters.Drain`."""

    rate: Number | None = None


class SceneTable(Table):
    """The top of a scene file, without the rules' own tables."""

    title: Text = ""
    about: Text = ""
    size: Size | None = None
    rules: list[Text] = ["flow"]
    edges: Text = "closed"
    gravity: Text = "down"
    seed: Whole = 0
    ticks: Whole = Field(600, ge=0, description="how long it is worth running")
    test: Literal["golden", "run", "off"] = "run"
    material: list[dict[Text, Any]] = Field([], description="see `own_materials`, which judges each key by itself")
    reaction: list[dict[Text, Any]] = Field([], description="see `own_reactions`, in the same way")
    constituent: list[dict[Text, Any]] = Field([], description="see `own_mixture`, in the same way")
    conversion: list[dict[Text, Any]] = Field([], description="see `own_mixture`, in the same way")
    map: Map | None = None
    fill: list[Shape] = []
    emitter: list[EmitterTable] = []
    drain: list[DrainTable] = []
