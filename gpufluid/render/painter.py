"""The painter: draws a world's planes into a picture on the device."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from gpufluid.render.scale import Scale
from gpufluid.rules import RULES, Overlay, overlays_of
from gpufluid.rules.passes import TRACE
from gpufluid.world import World

if TYPE_CHECKING:
    import moderngl

_COLOURS = 256

WORN_LIGHT = 0.4
"""Brightness of a cell whose integrity is almost 0, relative to its material's colour."""


class Painter:
    """Draws the planes of one world as pictures.

    Args:
        device: holds the planes.
        world: gives the laws; its arrays are not used.
        generated: the world's generated includes, by name, including those for drawing.
    """

    def __init__(self, device: Device, world: World, generated: Mapping[str, str]) -> None:
        self._device = device
        self._world = world
        self._generated = dict(generated)
        self._programs: dict[str | None, Program] = {}
        self._colours: dict[str, moderngl.Texture] = {}
        self._pictures: dict[Scale, tuple[moderngl.Texture, Readback]] = {}
        self._seen: dict[str, moderngl.Texture] = {}
        self.tick = 0
        """Tick of the state that is drawn; some overlays show what the next tick will do."""

    def draw(
        self,
        planes: Mapping[str, moderngl.Texture],
        scale: float | str = 1,
        overlay: str | None = None,
        overlay_max: float | None = None,
    ) -> np.ndarray:
        """Draw a picture of the whole world.

        Args:
            planes: the world's textures by name, and those that the overlay needs.
            scale: see `Scale.of`.
            overlay: name of an overlay, or None.
            overlay_max: the value of the overlay's last colour; None: the overlay's usual one.
        Returns: (rows, columns, 3) uint8, sRGB, row 0 at the top.
        Raises: UsageError: a scale other than n or 1/n, an unknown overlay, or a bad `overlay_max`.
        """
        look = Scale.of(scale)
        size = look.picture_size(self._world.width, self._world.height)
        if look not in self._pictures:
            self._pictures[look] = make_texture(self._device, *size, "rgba8"), Readback(*size, "rgba8")
        picture, readback = self._pictures[look]
        self._paint(planes, picture, look, (0, 0), (0, size[1]), overlay, overlay_max)
        return readback.read(picture)[:, :, :3].copy()

    def view(
        self,
        planes: Mapping[str, moderngl.Texture],
        look: Scale,
        offset: tuple[int, int],
        size: tuple[int, int],
        overlay: str | None,
        rows: tuple[int, int] | None,
    ) -> moderngl.Texture:
        """Draw the given rows of a picture of a window's size; see `Workbench.view`."""
        rows, zoom = rows or (0, size[1]), look.zoom
        view = self._texture("view", size)
        if zoom == 1 or self._within_cells(overlay):
            self._paint(planes, view, look, offset, rows, overlay, None)
            return view
        # Draw each visible cell as one pixel, then enlarge: pixel p shows cell first + (p + rest) // zoom.
        first, rest = (-offset[0] // zoom, -offset[1] // zoom), (-offset[0] % zoom, -offset[1] % zoom)
        cells = self._texture("cells_picture", (size[0] // zoom + 2, size[1] // zoom + 2))
        seen = (rows[0] + rest[1]) // zoom, (rows[1] - 1 + rest[1]) // zoom + 1
        self._paint(planes, cells, Scale(), (-first[0], -first[1]), seen, overlay, None)
        uniforms: dict[str, Uniform] = {"picture_size": (size[0], rows[1]), "first_row": rows[0]}
        self._enlarging().dispatch((size[0], rows[1] - rows[0]), [cells, view], uniforms | {"zoom": zoom, "rest": rest})
        return view

    def _texture(self, name: str, size: tuple[int, int]) -> moderngl.Texture:
        """The texture of this name to draw into; recreated when its size changes."""
        if name not in self._seen or self._seen[name].size != size:
            if name in self._seen:
                self._seen[name].release()
            self._seen[name] = make_texture(self._device, *size, "rgba8")
        return self._seen[name]

    def _within_cells(self, overlay: str | None) -> bool:
        """Whether the picture has details smaller than a cell."""
        if overlay is None:
            return any(RULES[rule].drawn_within_cells for rule in self._world.rules)
        return find_overlay(self._world, overlay).lines

    def _paint(
        self,
        planes: Mapping[str, moderngl.Texture],
        picture: moderngl.Texture,
        look: Scale,
        offset: tuple[int, int],
        rows: tuple[int, int],
        overlay: str | None,
        overlay_max: float | None,
    ) -> None:
        """Draw the rows [first, end) of a picture; `offset` is the pixel of the world's top left corner."""
        chosen = None if overlay is None else find_overlay(self._world, overlay)
        lines = chosen is not None and chosen.lines
        if lines:
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
            "zoom": look.zoom,
            "cells_a_pixel": look.cells_a_pixel,
        }
        if chosen is not None:
            textures.append(self._colour_map(chosen))
            uniforms |= chosen.uniforms(self._world.laws, self.tick)
            uniforms["span"] = overlay_span(self._world, chosen.name, overlay_max)
        program.dispatch((picture.width, rows[1] - rows[0]), textures, uniforms)
        if lines:
            moves = [planes[ATOM_PLANE], planes[TRACE], picture]
            self._lines().dispatch((self._world.width, self._world.height), moves, uniforms)

    def release(self) -> None:
        """Release the textures."""
        for picture, _ in self._pictures.values():
            picture.release()
        for texture in self._seen.values():
            texture.release()
        for colours in self._colours.values():
            colours.release()

    def _program(self, overlay: str | None) -> Program:
        if overlay not in self._programs:
            images = [Image.of(plane, "readonly") for plane in self._world.planes]
            taken = find_overlay(self._world, overlay).takes if overlay else ()
            images += [Image(scratch.name, scratch.image, "readonly") for scratch in taken]
            images.append(Image("picture", "rgba8", "writeonly"))
            if overlay is not None:
                images.append(Image("colour_map", "rgba8", "readonly"))
            texts = self._generated | {
                "generated/colours.glsl": _colours_glsl(self._world),
                "generated/draw.glsl": _draw_glsl(self._world, overlay),
            }
            self._programs[overlay] = Program(self._device, "render/picture.comp", images, (8, 8), texts)
        return self._programs[overlay]

    def _enlarging(self) -> Program:
        if "enlarge" not in self._programs:
            images = [Image("cells_picture", "rgba8", "readonly"), Image("picture", "rgba8", "writeonly")]
            self._programs["enlarge"] = Program(self._device, "render/enlarge.comp", images, (8, 8), {})
        return self._programs["enlarge"]

    def _lines(self) -> Program:
        if "lines" not in self._programs:
            images = [Image.of(PLANES[ATOM_PLANE], "readonly"), Image(TRACE, "r32ui", "readonly")]
            images.append(Image("picture", "rgba8", "writeonly"))
            self._programs["lines"] = Program(self._device, "render/moves.comp", images, (8, 8), self._generated)
        return self._programs["lines"]

    def _colour_map(self, overlay: Overlay) -> moderngl.Texture:
        if overlay.colours not in self._colours:
            texels = colour_table(overlay)[None]
            self._colours[overlay.colours] = make_texture(self._device, _COLOURS, 1, "rgba8", texels)
        return self._colours[overlay.colours]


def find_overlay(world: World, name: str) -> Overlay:
    """Return the overlay of this name of the world's rules. Raises: UsageError: unknown overlay."""
    _owner(world, name)
    return overlays_of(world.rules, world.mixture.names)[name][1]


def overlay_span(world: World, name: str, high: float | None = None) -> tuple[float, float]:
    """Return the values of an overlay's first and last colour in a world, in the overlay's unit.

    Args:
        world: gives the laws.
        name: of the overlay.
        high: value of the last colour; None: the overlay's usual one.
    Raises: UsageError: unknown overlay, or `high` is not a finite number above the first value.
    """
    low, usual = find_overlay(world, name).span(world.laws)
    if high is not None and not low < high < math.inf:
        raise UsageError(f"overlay-max: {high:g}; expected a number above {low:g}")
    return low, usual if high is None else high


def colour_table(overlay: Overlay) -> np.ndarray:
    """Return an overlay's colours from its lowest value to its highest: (256, 4) uint8, RGBA, opaque."""
    return np.round(cmap.Colormap(overlay.colours).lut(_COLOURS) * 255).astype(np.uint8)


def _owner(world: World, name: str) -> str:
    if not isinstance(name, str):
        raise UsageError(f"overlay: {shown(name)}; expected a name")
    known = overlays_of(world.rules, world.mixture.names)
    if name not in known:
        raise UsageError(f"overlay: {name!r} is not an overlay of this world{did_you_mean(name, known)}")
    return known[name][0]


def _colours_glsl(world: World) -> str:
    """The text of ``generated/colours.glsl``: the materials' colours. A separate include because they are floats."""
    colours = [tuple(part / 255 for part in record.colour) for record in world.materials]
    text = _colour_array("COLOUR", colours)
    if "reactions" not in world.rules:
        return text
    worn = wears_into(world.reactions, world.materials)
    faded = (
        colours[worn[number]] if number in worn else tuple(WORN_LIGHT * part for part in colour)
        for number, colour in enumerate(colours)
    )
    return text + _colour_array("WORN", list(faded))


def _colour_array(name: str, colours: Sequence[tuple[float, ...]]) -> str:
    values = ", ".join("vec3({:.4f}, {:.4f}, {:.4f})".format(*colour) for colour in colours)
    return f"const vec3 {name}[{len(colours)}] = vec3[]({values});\n"


def _drawn_by(rule: str) -> str | None:
    """The shader file that draws a rule; None: a rule from outside that has none, ``render.glsl`` in its own folder."""
    own = RULES[rule].shaders
    if own is None:
        return f"render/{rule}.glsl"
    return f"{rule}/render.glsl" if (own / "render.glsl").is_file() else None


def _draw_glsl(world: World, overlay: str | None) -> str:
    """The text of ``generated/draw.glsl``: ``draw`` lets each rule draw over the background, or calls one overlay."""
    drawing = {rule: include for rule in world.rules if (include := _drawn_by(rule)) is not None}
    text = "".join(f"#define WITH_{rule.upper()}\n" for rule in drawing)
    text += "".join(f'#include "{include}"\n' for include in ("render/material.glsl", *drawing.values()))
    if overlay is None:
        drawn = "".join(f"    colour = draw_{rule}(cell, at, colour);\n" for rule in drawing)
        body = f"    vec3 colour = draw_material(cell);\n{drawn}    return colour;\n"
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
