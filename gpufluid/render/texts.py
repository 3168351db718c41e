"""The generated GLSL texts for drawing: colours, and which rules draw a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gpufluid.core.paths import shaders_folder
from gpufluid.matter.outcomes import wears_into
from gpufluid.rules import RULES, Overlay
from gpufluid.world import World

_HOTTEST = 2000
"""Degrees C at which ``kind_of`` says 1; hotter atoms glow no more than such."""

_LOOKUPS = f"""
struct Kind {{
    int state;
    float degrees;
}};

vec3 colour_of(uint number) {{ return unpackUnorm4x8(LOOK_OF[number]).rgb; }}
float shade_of(uint number) {{ return unpackUnorm4x8(LOOK_OF[number]).a; }}
Kind kind_of(uint number)
{{
    uint word = KIND_OF[number];
    return Kind(int(word & 255u), unpackUnorm2x16(word).y * {_HOTTEST:.1f});
}}
"""
_WORN = "vec3 worn_of(uint number) { return unpackUnorm4x8(WORN_OF[number]).rgb; }\n"

TINT_FROM = 0.0, 30.0
"""The temperatures, in degrees C, below and above which matter is tinted. A material that is new at a temperature of
its own, such as lava or ice, has the colour of that temperature: its tint begins there if that is farther out."""

WORN_LIGHT = 0.4
"""The brightness of a cell whose integrity is almost 0, as a fraction of that of its material's colour."""


def colours_glsl(world: World) -> str:
    """The text of ``generated/colours.glsl``: how the materials look. Each function looks up one word of a table.

    - ``colour_of(number)`` and ``shade_of(number)``: the colour of a material, and the variation of its brightness.
    - ``kind_of(number)``: the state, and the temperature of new atoms, 0 to 1 for 0 to `_HOTTEST` degrees C.
    - ``TINT_FROM[number]``: the temperatures below and above which the tint begins, in worlds of rule heat.
    - ``worn_of(number)``: the colour of what has almost no integrity, in worlds of rule reactions.

    They are not in ``generated/materials.glsl``, because they are floats, which only drawing may use.
    """
    records = list(world.materials)
    shades = world.materials.column("shade")[: len(records)].tolist()  # in 256ths
    looks = [(*record.colour, min(shade, 255)) for record, shade in zip(records, shades, strict=True)]
    born = [min(max((record.temperature or 0) / _HOTTEST, 0), 1) for record in records]
    kinds = [(record.state, round(part * 65535)) for record, part in zip(records, born, strict=True)]
    text = _table("LOOK_OF", [int.from_bytes(look, "little") for look in looks])
    text += _table("KIND_OF", [state | part << 16 for state, part in kinds])
    text += _LOOKUPS
    if "heat" in world.rules:
        cold, warm = TINT_FROM
        own = [record.temperature for record in records]
        ends = [(cold, warm) if degrees is None else (min(degrees, cold), max(degrees, warm)) for degrees in own]
        values = ", ".join(f"vec2({low:.4f}, {high:.4f})" for low, high in ends)
        text += f"const vec2 TINT_FROM[{len(ends)}] = vec2[]({values}); // degrees C\n"
    if "reactions" in world.rules:
        products = wears_into(world.reactions, world.materials)
        worn = [
            records[products[number]].colour
            if number in products
            else [round(WORN_LIGHT * part) for part in record.colour]
            for number, record in enumerate(records)
        ]
        text += _table("WORN_OF", [int.from_bytes(bytes(colour), "little") for colour in worn]) + _WORN
    return text


def _table(name: str, words: Sequence[int]) -> str:
    return f"const uint {name}[{len(words)}] = uint[]({', '.join(f'{word}u' for word in words)});\n"


def _rule_shader(rule: str, shipped: str, own: str) -> str | None:
    """A file of shaders of a rule; None: the rule has none.

    Args:
        rule: the name of the rule.
        shipped: of a rule of gpufluid, the file without its ending, in which the rule's name replaces ``{}``.
        own: of a rule from outside, the file in its folder, without its ending.
    """
    folder = RULES[rule].shaders
    name, path = (shipped.format(rule), shaders_folder()) if folder is None else (own, folder)
    if not (path / f"{name}.glsl").is_file():
        return None
    return f"{name}.glsl" if folder is None else f"{rule}/{name}.glsl"


def _shaders(world: World, shipped: str, own: str) -> dict[str, str]:
    """The shader file of each rule that has one, by the rule's name; arguments as for `_rule_shader`."""
    found = {rule: _rule_shader(rule, shipped, own) for rule in world.rules}
    return {rule: file for rule, file in found.items() if file is not None}


def _drawers(world: World) -> dict[str, str]:
    """The shader file that draws each rule, by the rule's name."""
    return _shaders(world, "render/{}", "render")


@dataclass(frozen=True, slots=True)
class Manner:
    """The choices of drawing on which the shader of a picture depends.

    Args:
        overlay: the overlay that is drawn; None: the plain picture.
        night: whether matter is lit by the moon and by what glows.
        air: whether the picture depends on a survey of the air; at night all do.
        own_sky: whether the background is another than the colour of empty cells.
    """

    overlay: Overlay | None
    night: bool
    air: bool
    own_sky: bool


def drawn_glsl(world: World, manner: Manner) -> str:
    """The text of ``generated/drawn.glsl``: ``WITH_<RULE>`` for each rule that is drawn, and those of the manner."""
    rules = "".join(f"#define WITH_{rule.upper()}\n" for rule in _drawers(world))
    words = {"NIGHT": manner.night, "WITH_AIR": manner.air, "OWN_SKY": manner.own_sky}
    return rules + "".join(f"#define {word}\n" for word, holds in words.items() if holds)


def air_of_rules_glsl(world: World) -> str:
    """The text of ``generated/air_of_rules.glsl``: ``add_amounts`` adds the amounts that rules store in a cell."""
    files = _shaders(world, "render/air/{}", "air")
    text = "".join(f'#include "{include}"\n' for include in files.values())
    calls = "".join(f"    air_of_{rule}(cell, air);\n" for rule in files)
    text = f"#define WITH_AMOUNTS\n{text}" if files else text
    return f"{text}void add_amounts(ivec2 cell, inout Air air)\n{{\n{calls}}}\n"


def draw_glsl(world: World, manner: Manner) -> str:
    """The text of ``generated/draw.glsl``: its ``draw`` calls one rule after the other, or one overlay."""
    overlay, air = manner.overlay, manner.air
    shaders = _drawers(world)
    text = '#include "generated/drawn.glsl"\n'
    text += "".join(f'#include "{include}"\n' for include in ("render/material.glsl", *shaders.values()))
    if overlay is None:
        calls = "".join(f"    colour = draw_{rule}(cell, at, colour);\n" for rule in shaders)
        if air:
            text += '#include "render/air.glsl"\n'
            calls += "    colour = draw_air(cell, colour);\n"
        look = "    look_around(cell);\n" * air
        body = f"{look}    vec3 colour = draw_material(cell);\n{calls}    return colour;\n"
        return f"{text}vec3 draw(ivec2 cell, vec2 at)\n{{\n{body}}}\n"
    curve = overlay.curve.upper().replace(" ", "_")
    value = f"overlay_{overlay.shader or overlay.name}(cell)"
    solids = "#define IN_SOLIDS\n" if overlay.in_solids else ""
    return (
        f"#define OVERLAY_{overlay.name.upper()}\n"
        f'{text}{solids}#define CURVE_{curve}\n#include "render/overlay.glsl"\n'
        f"vec3 draw(ivec2 cell, vec2 at)\n{{\n    return overlay_colour(cell, {value});\n}}\n"
    )
