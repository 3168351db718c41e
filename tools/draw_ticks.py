"""Draw the passes of a tick: ``python tools/draw_ticks.py docs/how/tick_atoms.svg``, or without words all pictures.

Each picture is drawn from the declarations of the passes, for one set of rules. ``--check`` writes nothing and exits 1
if a picture is out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from gpufluid import World
from gpufluid.core.fields import carried_planes, planes_of
from gpufluid.rules import Over, Pass

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "how"
TICKS = {
    "tick_atoms.svg": ("atoms", "heat", "reactions", "collapse"),
    "tick_water.svg": ("flow", "inertia", "atoms"),
    "tick_mixture.svg": ("mixture", "pressure"),
}
"""The pictures, and the rules of the world whose tick each shows."""

_COLOURS = ("#3b7dd8", "#d9822b", "#a855c7", "#2e9e6b")
_ROW, _TOP, _LEFT, _COLUMN, _NOTES = 22, 84, 196, 66, 430
_STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f; }
.paper { fill: #ffffff; } .line { stroke: #d0d7de; } .quiet { fill: #656d76; } .hollow { fill: #ffffff; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6e8ee; } .paper { fill: #1e2129; } .line { stroke: #3d444d; } .quiet { fill: #9aa3b2; }
  .hollow { fill: #1e2129; }
}
"""
_WORK = {
    Over.STRIPS: "strips of cells",
    Over.CELLS: "cells",
    Over.TRIPLES: "triples of cells",
    Over.BLOCKS: "2x2 blocks",
    Over.COLUMNS: "strips of columns",
    Over.ROWS: "strips of rows",
    Over.SEGMENTS: "segments of rows",
    Over.WHOLE_COLUMNS: "columns",
    Over.COLUMN_PARTS: "parts of columns",
    Over.WHOLE_ROWS: "rows",
    Over.BLOCK_COLUMNS: "columns of blocks",
    Over.TILES: "tiles",
    Over.BLOCK_TILES: "2x2 blocks",
    Over.PATCHES: "parts of tiles",
    Over.EMITTERS: "each emitter's cells",
    Over.DRAINS: "each drain's cells",
}
"""The unit of work of one invocation, in a few words."""


def picture(rules: Sequence[str]) -> str:
    """Return the SVG of a tick of a world with these rules."""
    world = World(16, 16, tuple(rules))
    schedule = world.schedule()
    passes = schedule.passes
    planes = [plane.name for plane in planes_of(world.fields)]
    carried = carried_planes(planes)
    width, height = _LEFT + _COLUMN * len(planes) + _NOTES, _TOP + _ROW * len(passes) + 14
    colours = dict(zip(rules, _COLOURS, strict=False))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f"<title>A tick of a world with rules {escape(', '.join(rules))}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}" rx="6"/>',
    ]
    parts += legend(colours)
    parts += [text(centre(number), _TOP - 12, name, "middle") for number, name in enumerate(planes)]
    parts.append(text(_LEFT + _COLUMN * len(planes) + 12, _TOP - 12, "works on; hands on"))
    for number, pass_ in enumerate(passes):
        changed = {*pass_.gathered(carried), *pass_.updated(carried)}
        signs = {plane: plane in changed for plane in planes if plane in changed or plane in pass_.reads}
        parts += row(pass_, schedule.runs(pass_), planes, signs, _TOP + _ROW * number, colours[pass_.rule])
    return "\n".join([*parts, "</svg>"]) + "\n"


def legend(colours: Mapping[str, str]) -> Iterable[str]:
    """The colours of the rules, and the two signs."""
    x = 14
    for rule, colour in colours.items():
        yield f'<rect x="{x}" y="14" width="12" height="12" rx="2" fill="{colour}"/>'
        yield text(x + 18, 24, rule)
        x += 34 + 7 * len(rule)
    x += 10
    yield f'<circle class="hollow" cx="{x}" cy="20" r="5" stroke="#888" stroke-width="1.6"/>'
    yield text(x + 11, 24, "reads")
    yield f'<circle cx="{x + 60}" cy="20" r="5" fill="#888"/>'
    yield text(x + 71, 24, "changes")


def row(pass_: Pass, runs: int, planes: Sequence[str], signs: Mapping[str, bool], y: int, colour: str) -> Iterable[str]:
    """The line of one pass.

    Args:
        pass_: the pass.
        runs: its number of runs in a tick.
        planes: the columns.
        signs: the planes that the pass reads (False) or changes (True).
        y: the upper edge of the line.
        colour: that of the rule.
    """
    middle, right = y + _ROW // 2, _LEFT + _COLUMN * len(planes)
    yield f'<line class="line" x1="10" x2="{right + _NOTES - 10}" y1="{y}" y2="{y}"/>'
    yield f'<rect x="10" y="{y + 3}" width="4" height="{_ROW - 6}" fill="{colour}"/>'
    yield text(22, middle + 4, pass_.name)
    if runs > 1:
        yield text(_LEFT - 8, middle + 4, f"{runs} times", "end", quiet=True)
    for number, plane in enumerate(planes):
        if plane in signs:
            look = f'fill="{colour}"' if signs[plane] else f'class="hollow" stroke="{colour}" stroke-width="1.6"'
            yield f'<circle cx="{centre(number)}" cy="{middle}" r="5" {look}/>'
    made = sorted({scratch.name for scratch in (*pass_.writes, *pass_.refines)})
    taken = sorted({scratch.name for scratch in pass_.takes} - set(made))
    handed = [f"from {', '.join(taken)}"] * bool(taken) + [f"to {', '.join(made)}"] * bool(made)
    yield text(right + 12, middle + 4, "; ".join([_WORK[pass_.over], *handed]), quiet=True)


def centre(number: int) -> int:
    """The middle of the column of a plane."""
    return _LEFT + _COLUMN * number + _COLUMN // 2


def text(x: int, y: int, words: str, anchor: str = "start", quiet: bool = False) -> str:
    kind = ' class="quiet"' if quiet else ""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{kind}>{escape(words)}</text>'


def main() -> int:
    words = argparse.ArgumentParser(description="Draw the passes of a tick from their declarations.")
    words.add_argument("--check", action="store_true", help="write nothing; exit 1 if a picture is out of date")
    words.add_argument("files", nargs="*", type=Path, metavar="FILE", help="by default all")
    given = words.parse_args()
    if unknown := [file.name for file in given.files if file.name not in TICKS]:
        words.error(f"no picture is named {', '.join(unknown)}; expected {', '.join(TICKS)}")
    old = []
    for name in [file.name for file in given.files] or TICKS:
        drawn, path = picture(TICKS[name]), FOLDER / name
        if not given.check:
            path.write_text(drawn, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != drawn:
            old.append(name)
    if old:
        print(f"not as tools/draw_ticks.py draws them: {', '.join(old)}", file=sys.stderr)
    return int(bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
