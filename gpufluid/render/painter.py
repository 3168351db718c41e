"""The painter: draws a world's planes into a picture on the device."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cmap
import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.fields import ATOM_PLANE, PLANES
from gpufluid.core.frame import piece_in_frame
from gpufluid.core.numeric import is_number
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.images import Image, images_of
from gpufluid.gpu.readback import Readback
from gpufluid.gpu.textures import PlaneTexture, make_texture, write_texels
from gpufluid.render import air, texts
from gpufluid.render.air import Surveyor
from gpufluid.render.framing import Cells, Crop, Framing, Pixels
from gpufluid.render.look import DAY, Light, Look, light_of
from gpufluid.render.scale import Scale
from gpufluid.render.settings import Layout, PictureSettings
from gpufluid.render.source import Source
from gpufluid.render.texts import Manner
from gpufluid.rules import RULES, Overlay, overlays_of
from gpufluid.rules.passes import TRACE
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl

OutlineTiles = Callable[[int, "moderngl.Texture", Mapping[str, Uniform]], None]
"""Draws the rectangles of overlay ``tiles``: (tick, picture, uniforms)."""

_COLOURS = 256
"""The number of colours of an overlay."""

_BESIDE = 1
"""The cells on each side of its own that the shader of a rule, or of an overlay, reads to draw a cell."""

_SURVEYED = 1 << 22
"""About the most cells that one survey of the air (`render.air`) covers, to limit its memory."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The part of a world that is drawn, and its look.

    Args:
        overlay, overlay_max, look: as for `PictureSettings`.
    """

    overlay: str | None = None
    overlay_max: float | None = None
    look: Look = DAY


class Painter:
    """Draws the planes of one world as pictures.

    Args:
        device: the device that holds the planes.
        world: a world with the same laws; its arrays are not used.
        generated: the texts of the world's generated includes, by name, including those for drawing.
        outline_tiles: draws the rectangles of overlay ``tiles`` into a picture, as the tiles are before a tick; None:
            the world has no tiles.
    """

    def __init__(
        self, device: Device, world: World, generated: Mapping[str, str], outline_tiles: OutlineTiles | None = None
    ) -> None:
        self._device = device
        self._outline_tiles = outline_tiles
        self._world = world
        self._generated = dict(generated)
        self._programs: dict[tuple[Manner, tuple[Image, ...]], Program] = {}  # by the images of the planes, too
        self._surveyors: dict[Light | None, Surveyor] = {}  # by the moonlight; None: by day
        self._colour_maps: dict[str, moderngl.Texture] = {}  # by the name of the colour map
        self._textures: dict[str, moderngl.Texture] = {}  # see `_texture`
        self._kept_readback: tuple[tuple[int, int], Readback] | None = None  # by the size of its pictures
        self.tick = 0
        """The tick of the state that is drawn. Some overlays show what the next tick will do."""

    def draw(self, planes: Mapping[str, PlaneTexture], settings: PictureSettings, layout: Layout) -> np.ndarray:
        """Draw a picture.

        Args:
            planes: the textures of the world's planes, by name, and those that the overlay needs.
            settings: its settings.
            layout: its layout by these settings.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top.
        Raises: UsageError: an unknown overlay, or a bad `overlay_max`.
        """
        source = source_of(self._world, settings, layout)
        drawn = self._piece(planes, self._whole, settings, source, (0, 0, *source.size))
        if layout.place is None:
            return source.placed(self._readback(drawn), layout, settings.look.colours.beyond)
        return self._readback(self._resampled(drawn, settings, layout, layout.place))

    def draw_piece(
        self,
        planes: Mapping[str, PlaneTexture],
        held: Cells,
        settings: PictureSettings,
        source: Source,
        pixels: Pixels,
    ) -> np.ndarray:
        """Draw a rectangle of the source of a picture from some of the world's cells.

        Args:
            planes: textures of the world's planes, by name, that hold these cells; and what the overlay needs.
            held: the cells, among them all of `cells_for` these pixels; they begin at multiples of `air.LIGHT_CELLS` if
                the picture needs a survey of the air.
            settings: of the picture.
            source: its source.
            pixels: the rectangle.
        Returns: (rows, columns, 3) uint8, sRGB: those pixels of the source, to the last bit.
        Raises: as `draw`.
        """
        return self._readback(self._piece(planes, held, settings, source, pixels))

    def complete(self, drawn: np.ndarray, settings: PictureSettings, layout: Layout) -> np.ndarray:
        """Make a picture of its source, such as one that was drawn in pieces.

        Args:
            drawn: the source, (rows, columns, 3) uint8.
            settings: of the picture.
            layout: its layout by these settings.
        Returns: (rows, columns, 3) uint8, sRGB: as `draw` returns it.
        """
        source = source_of(self._world, settings, layout)
        if layout.place is None:
            return source.placed(drawn, layout, settings.look.colours.beyond)
        texture = self._texture("source", source.size)
        write_texels(texture, (0, 0), np.insert(drawn, 3, 255, axis=2))
        return self._readback(self._resampled(texture, settings, layout, layout.place))

    def _piece(
        self,
        planes: Mapping[str, PlaneTexture],
        held: Cells,
        settings: PictureSettings,
        source: Source,
        pixels: Pixels,
    ) -> moderngl.Texture:
        """Draw a rectangle of the source of a picture into a texture of its own; arguments as for `draw_piece`."""
        subject = Subject(settings.overlay, settings.overlay_max, settings.look)
        texture = self._texture("source", (pixels[2] - pixels[0], pixels[3] - pixels[1]))
        self._paint(planes, texture, source.framing.within(pixels), (0, texture.height), subject, held)
        return texture

    def _resampled(
        self,
        source: moderngl.Texture,
        settings: PictureSettings,
        layout: Layout,
        place: tuple[int, int, int, int],
    ) -> moderngl.Texture:
        """Average a source into a rectangle of a picture, `Layout.place`."""
        picture = self._texture("picture", layout.size)
        uniforms: dict[str, Uniform] = {"picture_size": layout.size, "source_size": source.size}
        uniforms |= {"beyond": light_of(settings.look.colours.beyond), "place": place[:2], "inner": place[2:]}
        self._resample_program.dispatch(layout.size, [source, picture], uniforms)
        return picture

    def _readback(self, picture: moderngl.Texture) -> np.ndarray:
        """Read a picture: (rows, columns, 3) uint8, a new array."""
        if self._kept_readback is None or self._kept_readback[0] != picture.size:
            self._kept_readback = picture.size, Readback(picture.width, picture.height, "rgba8")
        return self._kept_readback[1].read(picture)[:, :, :3].copy()

    def view(
        self,
        planes: Mapping[str, PlaneTexture],
        scale: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        subject: Subject,
        rows: tuple[int, int] | None,
    ) -> moderngl.Texture:
        """Draw the given rows of a picture of a window's size; see `Workbench.view`."""
        whole = Crop(0, 0, self._world.width, self._world.height)
        view, rows = self._texture("view", size), rows or (0, size[1])
        zoom = scale.zoom
        if zoom == 1 or has_details(self._world, subject.overlay):
            self._paint(planes, view, Framing(scale, whole, offset), rows, subject, self._whole)
            return view
        # Draw each visible cell as one pixel, then enlarge: pixel p shows cell first + (p + rest) // zoom.
        first, rest = (-offset[0] // zoom, -offset[1] // zoom), (-offset[0] % zoom, -offset[1] % zoom)
        cells = self._texture("view cells", (size[0] // zoom + 2, size[1] // zoom + 2))
        visible_rows = (rows[0] + rest[1]) // zoom, (rows[1] - 1 + rest[1]) // zoom + 1
        framing = Framing(Scale(), whole, (-first[0], -first[1]))
        self._paint(planes, cells, framing, visible_rows, subject, self._whole)
        uniforms: dict[str, Uniform] = {"picture_size": (size[0], rows[1]), "first_row": rows[0]}
        uniforms |= {"zoom": zoom, "rest": rest}
        self._enlarge_program.dispatch((size[0], rows[1] - rows[0]), [cells, view], uniforms)
        return view

    def _texture(self, name: str, size: tuple[int, int]) -> moderngl.Texture:
        """The texture of this name to draw into; made anew when its size, (width, height), changes."""
        if name not in self._textures or self._textures[name].size != size:
            if name in self._textures:
                self._textures[name].release()
            self._textures[name] = make_texture(self._device, *size, "rgba8")
        return self._textures[name]

    def _paint(
        self,
        planes: Mapping[str, PlaneTexture],
        picture: moderngl.Texture,
        framing: Framing,
        rows: tuple[int, int],
        subject: Subject,
        held: Cells,
    ) -> None:
        """Draw rows of a picture, in bands if it needs a survey of the air, so that no survey is too large.

        Args:
            planes: as for `draw`.
            picture: the texture to draw into.
            framing: how the cells lie in the picture.
            rows: (first, end) of the rows to draw.
            subject: what is drawn.
            held: the cells that the planes hold.
        """
        chosen = None if subject.overlay is None else find_overlay(self._world, subject.overlay)
        lines = chosen if chosen is not None and chosen.lines else None
        if lines is not None:
            chosen = None  # lines are drawn over the picture; they do not replace it
        manner = _manner_of(self._world, chosen, subject.look)
        uniforms = self._uniforms(framing, subject.look, held)
        textures: list[PlaneTexture] = [planes[plane.name] for plane in self._world.planes]
        textures += [planes[scratch.name] for scratch in (chosen.takes if chosen else ())]
        if chosen is not None:
            uniforms |= chosen.uniforms(self._world.laws, self.tick)
            uniforms["span"] = overlay_span(self._world, chosen.name, subject.overlay_max)
        last = [picture] if chosen is None else [picture, self._colour_map(chosen)]
        program = self._program(manner, images_of(self._world.planes, planes))
        for band in _bands(framing, picture.width, rows) if manner.air else (rows,):
            bounds: dict[str, Uniform] = {"picture_size": (picture.width, band[1]), "first_row": band[0]}
            around: tuple[moderngl.Texture, ...] = ()
            if manner.air:
                surveyor = self._surveyor(manner, subject.look.colours.moonlight)
                found = surveyor.survey(planes, framing.cells((0, band[0], picture.width, band[1])), held)
                around, bounds = found.textures, bounds | dict(found.uniforms)
            program.dispatch((picture.width, band[1] - band[0]), [*textures, *around, *last], uniforms | bounds)
        uniforms |= {"picture_size": (picture.width, rows[1]), "first_row": rows[0]}
        if lines is not None and lines.tiles:
            assert self._outline_tiles is not None
            self._outline_tiles(self.tick, picture, uniforms)
        elif lines is not None:
            moves = [planes[ATOM_PLANE], planes[TRACE], picture]
            self._lines_program.dispatch((self._world.width, self._world.height), moves, uniforms)

    @property
    def _whole(self) -> Cells:
        """All cells of the world."""
        return 0, 0, self._world.width, self._world.height

    def _uniforms(self, framing: Framing, look: Look, held: Cells) -> dict[str, Uniform]:
        """The uniforms of a picture that do not depend on an overlay or a band; ``held`` as for `_paint`."""
        theme, sky, part = look.colours, look.sky(self._world.materials), framing.part
        domain, size = self._world.domain, (held[2] - held[0], held[3] - held[1])
        origin = domain.origin[0] + held[0], domain.origin[1] + held[1]
        return {
            "size": size,
            "held_from": held[:2],
            "world_size": (self._world.width, self._world.height),
            "offset": framing.offset,
            "corner": (part.x - held[0], part.y - held[1]),
            "extent": (part.width, part.height),
            "seed": self._world.seed,
            "frame_origin": piece_in_frame(origin, size, domain.whole_size, self._world.gravity),
            "zoom": framing.scale.zoom,
            "cells_a_pixel": framing.scale.cells_a_pixel,
            "beyond": light_of(theme.beyond),
            "sky_top": light_of(sky[0]),
            "sky_bottom": light_of(sky[1]),
            "moonlight": theme.moonlight or (),
            "tint": int(look.tint),
        }

    def release(self) -> None:
        """Release the textures."""
        for texture in (*self._textures.values(), *self._colour_maps.values()):
            texture.release()
        for surveyor in self._surveyors.values():
            surveyor.release()

    def _surveyor(self, manner: Manner, moonlight: Light | None) -> Surveyor:
        """The surveyor for a night with this moonlight; None: for the day."""
        if moonlight not in self._surveyors:
            generated = self._includes(manner)
            self._surveyors[moonlight] = Surveyor(self._device, self._world, generated, moonlight)
        return self._surveyors[moonlight]

    def _includes(self, manner: Manner) -> dict[str, str]:
        """The texts of the generated includes for drawing, by name."""
        return self._generated | {
            "generated/air.glsl": air.air_glsl(self._world, manner.night),
            "generated/air_of_rules.glsl": texts.air_of_rules_glsl(self._world),
            "generated/colours.glsl": texts.colours_glsl(self._world),
            "generated/drawn.glsl": texts.drawn_glsl(self._world, manner),
            "generated/draw.glsl": texts.draw_glsl(self._world, manner),
        }

    def _program(self, manner: Manner, of_planes: tuple[Image, ...]) -> Program:
        """The program that draws a picture from planes with these images."""
        if (manner, of_planes) not in self._programs:
            overlay, images = manner.overlay, list(of_planes)
            images += [Image(scratch.name, scratch.image, "readonly") for scratch in (overlay.takes if overlay else ())]
            images += air.images(manner.night) if manner.air else ()
            images.append(Image("picture", "rgba8", "writeonly"))
            if overlay is not None:
                images.append(Image("colour_map", "rgba8", "readonly"))
            includes = self._includes(manner)
            program = Program(self._device, "render/picture.comp", images, (8, 8), includes)
            self._programs[manner, of_planes] = program
        return self._programs[manner, of_planes]

    @cached_property
    def _enlarge_program(self) -> Program:
        """The program that enlarges a picture with one pixel a cell."""
        images = [Image("cells_picture", "rgba8", "readonly"), Image("picture", "rgba8", "writeonly")]
        return Program(self._device, "render/enlarge.comp", images, (8, 8), {})

    @cached_property
    def _resample_program(self) -> Program:
        """The program that draws a picture in another size."""
        images = [Image("source", "rgba8", "readonly"), Image("picture", "rgba8", "writeonly")]
        return Program(self._device, "render/resample.comp", images, (8, 8), {})

    @cached_property
    def _lines_program(self) -> Program:
        """The program that draws each atom's last move as a line."""
        images = [Image.of(PLANES[ATOM_PLANE], "readonly"), Image(TRACE, "r32ui", "readonly")]
        images.append(Image("picture", "rgba8", "writeonly"))
        return Program(self._device, "render/moves.comp", images, (8, 8), self._generated)

    def _colour_map(self, overlay: Overlay) -> moderngl.Texture:
        """The texture with the colours of an overlay, one row."""
        if overlay.colours not in self._colour_maps:
            texels = colour_table(overlay)[None]
            self._colour_maps[overlay.colours] = make_texture(self._device, _COLOURS, 1, "rgba8", texels)
        return self._colour_maps[overlay.colours]


def _manner_of(world: World, overlay: Overlay | None, look: Look) -> Manner:
    """The `Manner` of a picture in a look; ``overlay``: one that replaces the picture, or None."""
    night = overlay is None and look.colours.moonlight is not None
    air = night or (overlay is None and any(RULES[rule].draws_air for rule in world.rules))
    own_sky = look.sky(world.materials) != DAY.sky(world.materials)
    return Manner(overlay, night, air, own_sky)


def source_of(world: World, settings: PictureSettings, layout: Layout) -> Source:
    """The source of a picture of a world, with these settings and their layout."""
    return Source.of(layout, has_details(world, settings.overlay))


def cells_for(world: World, settings: PictureSettings, source: Source, pixels: Pixels) -> Cells:
    """The cells that a rectangle of the source of a picture is drawn from: those that it shows, and some around them.

    Args:
        world: the world; its arrays are not used.
        settings: of the picture.
        source: its source.
        pixels: the rectangle, not empty.
    Returns: the cells; on a torus they may lie outside the world, which repeats there.
    Raises: UsageError: an unknown overlay.
    """
    cells = source.framing.cells(pixels)
    chosen = None if settings.overlay is None else find_overlay(world, settings.overlay)
    manner = _manner_of(world, None if chosen is None or chosen.lines else chosen, settings.look)
    if manner.air:
        return air.surveyed(world, manner.night, cells)
    left, top, right, bottom = cells
    if world.edges == "wrap":
        return left - _BESIDE, top - _BESIDE, right + _BESIDE, bottom + _BESIDE
    first = max(left - _BESIDE, 0), max(top - _BESIDE, 0)
    return *first, min(right + _BESIDE, world.width), min(bottom + _BESIDE, world.height)


def _bands(framing: Framing, width: int, rows: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Divide rows of a picture of a width, in pixels, into (first, end) of bands that show about `_SURVEYED` cells."""
    first, end = rows
    left, top, right, bottom = framing.cells((0, first, width, end))
    cells = max((right - left) * (bottom - top), 1)
    most = max(1, (end - first) * _SURVEYED // cells)
    while first < end:
        yield first, min(first + most, end)
        first += most


def has_details(world: World, overlay: str | None) -> bool:
    """True if a picture of a world has details smaller than a cell; ``overlay`` as for `PictureSettings`."""
    if overlay is None:
        return any(RULES[rule].drawn_within_cells for rule in world.rules)
    return find_overlay(world, overlay).lines


def find_overlay(world: World, name: str) -> Overlay:
    """The overlay of a name in a world. Raises: UsageError: the world has no such overlay."""
    if not isinstance(name, str):
        raise UsageError(f"overlay: {shown(name)}; expected a name")
    known = overlays_of(world.rules, world.mixture.names)
    if name not in known:
        raise UsageError(f"overlay: {name!r} is not an overlay of this world{did_you_mean(name, known)}")
    return known[name][1]


def overlay_span(world: World, name: str, high: float | None = None) -> tuple[float, float]:
    """The values of an overlay's first and last colour in a world, in the overlay's unit.

    Args:
        world: a world; only its laws are used.
        name: the name of the overlay.
        high: the value of the last colour; None: the overlay's default. If the values go as far below 0 as above, the
            first colour then has the opposite value.
    Raises: UsageError: an unknown overlay, or ``high`` is not a finite number above the first value, or above 0.
    """
    low, default = find_overlay(world, name).span(world.laws)
    least = 0.0 if low == -default else low
    if high is None:
        return low, default
    if not (is_number(high) and least < high < math.inf):
        found = f"{high:g}" if is_number(high) else shown(high)
        raise UsageError(f"overlay-max: {found}; expected a number above {least:g}")
    return -high if low == -default else low, high


def colour_table(overlay: Overlay) -> np.ndarray:
    """The colours of an overlay from its lowest value to its highest: (256, 4) uint8, RGBA, opaque."""
    return np.round(cmap.Colormap(overlay.colours).lut(_COLOURS) * 255).astype(np.uint8)
