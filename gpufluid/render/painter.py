"""The painter: draws a world's planes into a picture on the device."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import cmap
import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.fields import ATOM_PLANE, PLANES
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.images import Image
from gpufluid.gpu.readback import Readback
from gpufluid.gpu.textures import make_texture
from gpufluid.matter.outcomes import wears_into
from gpufluid.render.look import Look
from gpufluid.render.scale import Scale
from gpufluid.rules import RULES, Overlay, overlays_of
from gpufluid.rules.passes import TRACE
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl

OutlineTiles = Callable[[int, "moderngl.Texture", Mapping[str, Uniform]], None]
"""Draws the rectangles of overlay ``tiles``: (tick, picture, uniforms)."""

_COLOURS = 256
"""The number of colours of an overlay."""

WORN_LIGHT = 0.4
"""The brightness of a cell whose integrity is almost 0, as a fraction of that of its material's colour."""

TINT_FROM = 0.0, 30.0
"""The temperatures, in degrees C, below and above which matter is tinted. A material that is new at a temperature of
its own, such as lava or ice, has the colour of that temperature: its tint begins there if that is farther out."""


class Painter:
    """Draws the planes of one world as pictures.

    Args:
        device: the device that holds the planes.
        world: a world with the same laws; its arrays are not used.
        generated: the texts of the world's generated includes, by name, including those for drawing.
        outline_tiles: draws the rectangles of overlay ``tiles`` into a picture, before the tick of this number; None:
            the world has no tiles.
    """

    def __init__(
        self, device: Device, world: World, generated: Mapping[str, str], outline_tiles: OutlineTiles | None = None
    ) -> None:
        self._device = device
        self._outline_tiles = outline_tiles
        self._world = world
        self._generated = dict(generated)
        self._programs: dict[str | None, Program] = {}  # by overlay; None: the plain picture
        self._colour_maps: dict[str, moderngl.Texture] = {}  # by the name of the colour map
        self._pictures: dict[Scale, tuple[moderngl.Texture, Readback]] = {}
        self._view_textures: dict[str, moderngl.Texture] = {}  # see `_view_texture`
        self.tick = 0
        """The tick of the state that is drawn. Some overlays show what the next tick will do."""

    def draw(
        self,
        planes: Mapping[str, moderngl.Texture],
        scale: float | str = 1,
        overlay: str | None = None,
        overlay_max: float | None = None,
        look: Look = Look(),  # noqa: B008  immutable
    ) -> np.ndarray:
        """Draw a picture of the whole world.

        Args:
            planes: the textures of the world's planes, by name, and those that the overlay needs.
            scale: pixels a cell; see `Scale.of`.
            overlay: the name of an overlay; None: the plain picture.
            overlay_max: the value of the overlay's last colour; None: the overlay's default.
            look: the choices of the plain picture.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top.
        Raises: UsageError: a scale other than n or 1/n, an unknown overlay, or a bad `overlay_max`.
        """
        picture_scale = Scale.of(scale)
        if picture_scale.zoom > 1 and not self._has_details(overlay):  # one pixel a cell, which is far less to draw
            cells = self.draw(planes, 1, overlay, overlay_max, look)
            return cells.repeat(picture_scale.zoom, axis=0).repeat(picture_scale.zoom, axis=1)
        size = picture_scale.picture_size(self._world.width, self._world.height)
        if picture_scale not in self._pictures:
            self._pictures[picture_scale] = make_texture(self._device, *size, "rgba8"), Readback(*size, "rgba8")
        picture, readback = self._pictures[picture_scale]
        self._paint(planes, picture, picture_scale, (0, 0), (0, size[1]), overlay, overlay_max, look)
        return readback.read(picture)[:, :, :3].copy()

    def view(
        self,
        planes: Mapping[str, moderngl.Texture],
        scale: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        overlay: str | None,
        rows: tuple[int, int] | None,
        look: Look,
    ) -> moderngl.Texture:
        """Draw the given rows of a picture of a window's size; see `Workbench.view`."""
        rows, zoom = rows or (0, size[1]), scale.zoom
        view = self._view_texture("view", size)
        if zoom == 1 or self._has_details(overlay):
            self._paint(planes, view, scale, offset, rows, overlay, None, look)
            return view
        # Draw each visible cell as one pixel, then enlarge: pixel p shows cell first + (p + rest) // zoom.
        first, rest = (-offset[0] // zoom, -offset[1] // zoom), (-offset[0] % zoom, -offset[1] % zoom)
        cells = self._view_texture("cells_picture", (size[0] // zoom + 2, size[1] // zoom + 2))
        visible_rows = (rows[0] + rest[1]) // zoom, (rows[1] - 1 + rest[1]) // zoom + 1
        self._paint(planes, cells, Scale(), (-first[0], -first[1]), visible_rows, overlay, None, look)
        uniforms: dict[str, Uniform] = {"picture_size": (size[0], rows[1]), "first_row": rows[0]}
        uniforms |= {"zoom": zoom, "rest": rest}
        self._enlarge_program.dispatch((size[0], rows[1] - rows[0]), [cells, view], uniforms)
        return view

    def _view_texture(self, name: str, size: tuple[int, int]) -> moderngl.Texture:
        """The texture of this name, for `view` to draw into; made anew when its size, (width, height), changes."""
        if name not in self._view_textures or self._view_textures[name].size != size:
            if name in self._view_textures:
                self._view_textures[name].release()
            self._view_textures[name] = make_texture(self._device, *size, "rgba8")
        return self._view_textures[name]

    def _has_details(self, overlay: str | None) -> bool:
        """Whether the picture has details smaller than a cell."""
        if overlay is None:
            return any(RULES[rule].drawn_within_cells for rule in self._world.rules)
        return find_overlay(self._world, overlay).lines

    def _paint(
        self,
        planes: Mapping[str, moderngl.Texture],
        picture: moderngl.Texture,
        scale: Scale,
        offset: tuple[int, int],
        rows: tuple[int, int],
        overlay: str | None,
        overlay_max: float | None,
        look: Look,
    ) -> None:
        """Draw rows of a picture.

        Args:
            planes, overlay, overlay_max, look: as for `draw`.
            picture: the texture to draw into.
            scale: the scale of the picture.
            offset: (x, y) of the world's top left corner in the picture, in pixels.
            rows: (first, end) of the rows to draw.
        """
        chosen = None if overlay is None else find_overlay(self._world, overlay)
        lines = chosen if chosen is not None and chosen.lines else None
        if lines is not None:
            chosen = None  # lines are drawn over the picture; they do not replace it
        program = self._program(chosen.name if chosen else None)
        textures = [planes[plane.name] for plane in self._world.planes]
        textures += [planes[scratch.name] for scratch in (chosen.takes if chosen else ())] + [picture]
        uniforms: dict[str, Uniform] = {
            "size": (self._world.width, self._world.height),
            "picture_size": (picture.width, rows[1]),
            "first_row": rows[0],
            "offset": offset,
            "seed": self._world.seed,
            "frame_origin": self._world.domain.frame_origin(self._world.gravity),
            "zoom": scale.zoom,
            "cells_a_pixel": scale.cells_a_pixel,
            **look.uniforms(),
        }
        if chosen is not None:
            textures.append(self._colour_map(chosen))
            uniforms |= chosen.uniforms(self._world.laws, self.tick)
            uniforms["span"] = overlay_span(self._world, chosen.name, overlay_max)
        program.dispatch((picture.width, rows[1] - rows[0]), textures, uniforms)
        if lines is not None and lines.tiles:
            assert self._outline_tiles is not None
            self._outline_tiles(self.tick, picture, uniforms)
        elif lines is not None:
            moves = [planes[ATOM_PLANE], planes[TRACE], picture]
            self._lines_program.dispatch((self._world.width, self._world.height), moves, uniforms)

    def release(self) -> None:
        """Release the textures."""
        for picture, _ in self._pictures.values():
            picture.release()
        for texture in (*self._view_textures.values(), *self._colour_maps.values()):
            texture.release()

    def _program(self, overlay: str | None) -> Program:
        """The program that draws the picture with an overlay, or the plain picture."""
        if overlay not in self._programs:
            images = [Image.of(plane, "readonly") for plane in self._world.planes]
            scratches = find_overlay(self._world, overlay).takes if overlay else ()
            images += [Image(scratch.name, scratch.image, "readonly") for scratch in scratches]
            images.append(Image("picture", "rgba8", "writeonly"))
            if overlay is not None:
                images.append(Image("colour_map", "rgba8", "readonly"))
            texts = self._generated | {
                "generated/colours.glsl": _colours_glsl(self._world),
                "generated/draw.glsl": _draw_glsl(self._world, overlay),
            }
            self._programs[overlay] = Program(self._device, "render/picture.comp", images, (8, 8), texts)
        return self._programs[overlay]

    @cached_property
    def _enlarge_program(self) -> Program:
        """The program that enlarges a picture with one pixel a cell."""
        images = [Image("cells_picture", "rgba8", "readonly"), Image("picture", "rgba8", "writeonly")]
        return Program(self._device, "render/enlarge.comp", images, (8, 8), {})

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
        high: the value of the last colour; None: the overlay's default.
    Raises: UsageError: an unknown overlay, or ``high`` is not a finite number above the first value.
    """
    low, default = find_overlay(world, name).span(world.laws)
    if high is not None and not low < high < math.inf:
        raise UsageError(f"overlay-max: {high:g}; expected a number above {low:g}")
    return low, default if high is None else high


def colour_table(overlay: Overlay) -> np.ndarray:
    """The colours of an overlay from its lowest value to its highest: (256, 4) uint8, RGBA, opaque."""
    return np.round(cmap.Colormap(overlay.colours).lut(_COLOURS) * 255).astype(np.uint8)


def _colours_glsl(world: World) -> str:
    """The text of ``generated/colours.glsl``: the colours of the materials, and the degrees at which they are tinted.

    They are not in ``generated/materials.glsl``, because they are floats, which only drawing may use.
    """
    colours = [tuple(part / 255 for part in record.colour) for record in world.materials]
    text = _colour_array("COLOUR", colours)
    if "heat" in world.rules:
        own = [record.temperature for record in world.materials]
        cold, warm = TINT_FROM
        ends = [(cold, warm) if degrees is None else (min(degrees, cold), max(degrees, warm)) for degrees in own]
        values = ", ".join(f"vec2({low:.4f}, {high:.4f})" for low, high in ends)
        text += f"const vec2 TINT_FROM[{len(ends)}] = vec2[]({values});\n"
    if "reactions" not in world.rules:
        return text
    products = wears_into(world.reactions, world.materials)
    worn = [
        colours[products[number]] if number in products else tuple(WORN_LIGHT * part for part in colour)
        for number, colour in enumerate(colours)
    ]
    return text + _colour_array("WORN", worn)


def _colour_array(name: str, colours: Sequence[tuple[float, ...]]) -> str:
    values = ", ".join("vec3({:.4f}, {:.4f}, {:.4f})".format(*colour) for colour in colours)
    return f"const vec3 {name}[{len(colours)}] = vec3[]({values});\n"


def _drawing_shader(rule: str) -> str | None:
    """The shader file that draws a rule: of a rule from outside ``render.glsl`` in its folder; None: there is none."""
    own = RULES[rule].shaders
    if own is None:
        return f"render/{rule}.glsl"
    return f"{rule}/render.glsl" if (own / "render.glsl").is_file() else None


def _draw_glsl(world: World, overlay: str | None) -> str:
    """The text of ``generated/draw.glsl``: its ``draw`` calls one rule after the other, or one overlay."""
    shaders = {rule: include for rule in world.rules if (include := _drawing_shader(rule)) is not None}
    text = "".join(f"#define WITH_{rule.upper()}\n" for rule in shaders)
    text += "".join(f'#include "{include}"\n' for include in ("render/material.glsl", *shaders.values()))
    if overlay is None:
        calls = "".join(f"    colour = draw_{rule}(cell, at, colour);\n" for rule in shaders)
        body = f"    vec3 colour = draw_material(cell);\n{calls}    return colour;\n"
        return f"{text}vec3 draw(ivec2 cell, vec2 at)\n{{\n{body}}}\n"
    chosen = find_overlay(world, overlay)
    curve = chosen.curve.upper().replace(" ", "_")
    value = f"overlay_{chosen.shader or overlay}(cell)"
    solids = "#define IN_SOLIDS\n" if chosen.in_solids else ""
    return (
        f"#define OVERLAY_{overlay.upper()}\n"
        f'{text}{solids}#define CURVE_{curve}\n#include "render/overlay.glsl"\n'
        f"vec3 draw(ivec2 cell, vec2 at)\n{{\n    return overlay_colour(cell, {value});\n}}\n"
    )
