"""The survey of the air: what surrounds each cell, from which pictures draw clouds, flames, depth and light.

The survey computes means over squares of cells and blurs them. Light, which spreads much further, is computed over
larger squares. Pictures read the composition of both. A pixel does not depend on which part of the world is surveyed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.images import Image, images_of
from gpufluid.gpu.textures import PlaneTexture, make_texture
from gpufluid.render.framing import Cells
from gpufluid.render.look import Light
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl

AIR_CELLS, LIGHT_CELLS = 2, 4
"""The side of a texel of the air, and of the light, in cells."""

_LIGHT_REACH = {False: 8, True: 20}
"""The reach of light along each axis, in texels, by day and by night. By day only the depth of liquids uses it."""

_MARGIN = 6
"""Texels around the reach of light that a picture also reads, to interpolate between texels and to soften the light."""

_FORMAT, _DRAWN_FORMAT = "rgba32ui", "rg32ui"
"""The formats of texels of the survey, and of those that pictures read."""


def images(night: bool) -> tuple[Image, ...]:
    """The images of a survey by day or by night, as a picture's shader reads them."""
    return tuple(Image(name, _DRAWN_FORMAT, "readonly") for name in ("around", "lamps")[: 1 + night])


@dataclass(frozen=True, slots=True)
class Survey:
    """A survey of a part of the world.

    Args:
        textures: those of `images`.
        uniforms: the place of the textures in the world, for the shader that reads them.
    """

    textures: tuple[moderngl.Texture, ...]
    uniforms: Mapping[str, Uniform]


class Surveyor:
    """Surveys the air of one world, by day or by night.

    Args:
        device: the device that holds the planes.
        world: a world with the same laws; its arrays are not used.
        generated: the texts of the world's generated includes, by name, with those for drawing.
        moonlight: at night the light that falls on all matter, red, green, blue, 0 to 1; None: it is day.
    """

    def __init__(self, device: Device, world: World, generated: Mapping[str, str], moonlight: Light | None) -> None:
        self._device, self._world, self._moonlight, self._night = device, world, moonlight, moonlight is not None
        self._texts = dict(generated)
        self._textures: dict[str, moderngl.Texture] = {}
        self._surveys: dict[tuple[Image, ...], Program] = {}  # by the images of the planes

    def survey(self, planes: Mapping[str, PlaneTexture], cells: Cells, held: Cells) -> Survey:
        """Survey the air around some cells.

        Args:
            planes: the textures of the world's planes, by name.
            cells: the cells.
            held: the cells that these textures hold, with all of `surveyed` around the cells; see `Painter.draw_piece`.
        """
        left, top, right, bottom = _light_texels(self._world, self._night, cells)
        times = LIGHT_CELLS // AIR_CELLS
        light_size = right - left, bottom - top
        air_first = left * times - held[0] // AIR_CELLS, top * times - held[1] // AIR_CELLS
        air_size = light_size[0] * times, light_size[1] * times
        where: dict[str, Uniform] = {"air_first": air_first, "air_size": air_size, "light_size": light_size}
        where |= {"size": (held[2] - held[0], held[3] - held[1])}
        air = self._texture("air", air_size)
        textures = [*(planes[plane.name] for plane in self._world.planes), air]
        self._survey(images_of(self._world.planes, planes)).dispatch(air_size, textures, where)
        light = self._spread_light(air, light_size, where)
        blurred = self._texture("blurred", air_size)
        self._blur.dispatch(air_size, [air, blurred], where)
        drawn = [self._texture(image.name, air_size, _DRAWN_FORMAT) for image in images(self._night)]
        self._compose.dispatch(air_size, [blurred, light, *drawn], where | {"moonlight": self._moonlight or ()})
        return Survey(tuple(drawn), {"air_first": air_first, "air_size": air_size})

    def _spread_light(
        self, air: moderngl.Texture, size: tuple[int, int], where: Mapping[str, Uniform]
    ) -> moderngl.Texture:
        """The light and the openness of the world, in texels of `LIGHT_CELLS` cells; ``size``: their number, (x, y)."""
        sent, rows, columns = (self._texture(name, size) for name in ("sent", "rows", "columns"))
        across: dict[str, Uniform] = {**where, "axis": (1, 0), "from_other": 0.0}
        down: dict[str, Uniform] = {**where, "axis": (0, 1), "from_other": 0.0}
        self._reduce.dispatch(size, [air, sent], where)
        self._spread.dispatch(size, [sent, sent, rows], across)
        if not self._night:
            self._spread.dispatch(size, [rows, rows, columns], down)
            return columns
        self._spread.dispatch(size, [sent, sent, columns], down)
        self._spread.dispatch(size, [columns, columns, sent], across)
        self._spread.dispatch(size, [rows, sent, columns], down | {"from_other": 0.5})
        self._soften.dispatch(size, [columns, rows], where)
        return rows

    def release(self) -> None:
        """Release the textures."""
        for texture in self._textures.values():
            texture.release()
        self._textures.clear()

    def _texture(self, name: str, size: tuple[int, int], image: str = _FORMAT) -> moderngl.Texture:
        """The texture of a name and a format, with at least so many texels, (x, y)."""
        there = self._textures.get(name)
        if there is not None and there.width >= size[0] and there.height >= size[1]:
            return there
        if there is not None:
            size = max(size[0], there.width), max(size[1], there.height)
            there.release()
        self._textures[name] = make_texture(self._device, *size, image)
        return self._textures[name]

    def _program(self, name: str, *used: Image) -> Program:
        return Program(self._device, f"render/air/{name}.comp", used, (8, 8), self._texts)

    def _survey(self, of_planes: tuple[Image, ...]) -> Program:
        """The program that surveys planes with these images."""
        if of_planes not in self._surveys:
            self._surveys[of_planes] = self._program("survey", *of_planes, _new("air"))
        return self._surveys[of_planes]

    @cached_property
    def _reduce(self) -> Program:
        return self._program("reduce", _old("air"), _new("light"))

    @cached_property
    def _blur(self) -> Program:
        return self._program("blur", _old("sharp"), _new("air"))

    @cached_property
    def _compose(self) -> Program:
        drawn = [replace(image, access="writeonly") for image in images(self._night)]
        return self._program("compose", _old("sharp"), _old("light"), *drawn)

    @cached_property
    def _soften(self) -> Program:
        return self._program("soften", _old("hard"), _new("light"))

    @cached_property
    def _spread(self) -> Program:
        return self._program("spread", _old("sent"), _old("other"), _new("light"))


def surveyed(world: World, night: bool, cells: Cells) -> Cells:
    """The cells of the survey around some cells, from a multiple of `LIGHT_CELLS` on; on a torus they may lie outside.

    Args:
        world: a world with the laws of the one that is drawn.
        night: whether it is drawn by night.
        cells: the cells.
    """
    left, top, right, bottom = (texel * LIGHT_CELLS for texel in _light_texels(world, night, cells))
    if world.edges == "wrap":
        return left, top, right, bottom
    return left, top, min(right, world.width), min(bottom, world.height)


def _light_texels(world: World, night: bool, cells: Cells) -> tuple[int, int, int, int]:
    """The texels of the light that the survey around some cells needs: the first ones, and those after the last.

    On a torus they may lie outside the world, which repeats there.
    """
    margin = (_LIGHT_REACH[night] + _MARGIN) * LIGHT_CELLS
    found = []
    for first, end, whole in ((cells[0], cells[2], world.width), (cells[1], cells[3], world.height)):
        low, high = (first - margin) // LIGHT_CELLS, -(-(end + margin) // LIGHT_CELLS)
        if world.edges != "wrap":
            low, high = max(low, 0), min(high, -(-whole // LIGHT_CELLS))
        found.append((low, max(high, low + 1)))
    (left, right), (top, bottom) = found
    return left, top, right, bottom


def _old(name: str) -> Image:
    return Image(name, _FORMAT, "readonly")


def _new(name: str) -> Image:
    return Image(name, _FORMAT, "writeonly")


def air_glsl(world: World, night: bool) -> str:
    """The text of ``generated/air.glsl``: sides of texels, the reach of light, whether all texels are complete."""
    whole = world.edges != "wrap" and world.width % LIGHT_CELLS == world.height % LIGHT_CELLS == 0
    numbers = {"AIR_CELLS": AIR_CELLS, "LIGHT_CELLS": LIGHT_CELLS, "LIGHT_REACH": _LIGHT_REACH[night]}
    text = "".join(f"const int {name} = {number};\n" for name, number in numbers.items())
    return f"{text}const bool WHOLE_TEXELS = {'true' if whole else 'false'};\n"
