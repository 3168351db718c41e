"""Messages sent to a page once, and again when the world's laws change: materials, tools, overlays, keys, help."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from gpufluid.matter.materials import SHIPPED, Material
from gpufluid.matter.ports import SPEED_MOST
from gpufluid.scene.matter import amount_fields
from gpufluid.serve.folder import FILMS
from gpufluid.serve.permitted import is_of_page, is_offered
from gpufluid.viewer import Viewer
from gpufluid.viewer.actions import ACTIONS, GROUPS
from gpufluid.viewer.brush import SIZE_MOST
from gpufluid.viewer.camera import ZOOMS
from gpufluid.viewer.clock import RATE_MOST
from gpufluid.viewer.favourites import ERASE, digit
from gpufluid.viewer.new_world import GRAVITIES, KINDS, SURROUNDINGS
from gpufluid.viewer.pointer import HEATING
from gpufluid.viewer.texts import (
    GROUPS_OF_MATERIALS,
    POINTER,
    SHAPES,
    about,
    pixels_a_cell,
    pixels_in_words,
    readable_colour,
    rows_of_keys,
)
from gpufluid.viewer.tool import DEGREES_LEAST, DEGREES_MOST, LABELS, MODES, PAINTING, RATE_LEAST

TOUCH = (
    ("one finger", "Pour the chosen material, or do what the chosen tool does; without the brush, move the view."),
    ("two fingers", "Move the view, look closer, or from further away."),
)
"""The gestures on a screen that is touched."""

_TEMPERATURE, _VELOCITY = "temperature", "velocity"


def laws_of(viewer: Viewer) -> object:
    """An object that is another one when the facts have changed."""
    laws = viewer.sim.blank
    mixed = tuple(laws.mixture.names)
    return laws.rules, laws.materials, mixed, laws.gravity, viewer.favourites, viewer.source, id(viewer.matched)


def facts(viewer: Viewer) -> dict[str, object]:
    """All facts for a page, as plain data."""
    fields = viewer.sim.blank.fields
    warm = _TEMPERATURE in fields
    return {
        "type": "facts",
        "title": Path(viewer.source).stem,
        "palette": _palette(viewer),
        "idle": _idle(viewer),
        "favourites": _favourites(viewer),
        "modes": [
            {
                "name": mode,
                "label": LABELS.get(mode, mode.capitalize()),
                "about": said,
                "paints": mode in PAINTING,
                "heats": mode in HEATING,
            }
            for mode, said in MODES.items()
            if warm or mode not in HEATING
        ],
        "shapes": [{"name": name, "about": said} for name, said in SHAPES.items()],
        "overlays": [{"name": each.name, "about": each.about} for each in viewer.overlays],
        "keys": {
            chord: [name, dict(given)] for chord, (name, given) in viewer.bindings.items() if is_offered(name, given)
        },
        "help": _help(viewer),
        "films": list(FILMS),
        "throws": _VELOCITY in fields,
        "warm": warm,
        "amounts": list(amount_fields(viewer.sim.blank)),
        "mixes": bool(viewer.sim.blank.mixture.names),
        "worlds": {
            "surroundings": {name: words for name, (words, _) in SURROUNDINGS.items()},
            "gravity": GRAVITIES,
            "rules": KINDS,
        },
        "picture": _picture(viewer),
        "gravity": viewer.sim.blank.gravity,
        "limits": {
            "factors": [scale.zoom / scale.cells_a_pixel for scale in ZOOMS],
            "size": SIZE_MOST,
            "rate": RATE_MOST,
            "share": RATE_LEAST,
            "degrees": [DEGREES_LEAST, DEGREES_MOST],
            "speed": SPEED_MOST,
        },
    }


def colour_in_words(colour: tuple[int, int, int]) -> str:
    """A colour, red, green, blue 0 to 255, as ``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _material(viewer: Viewer, record: Material) -> dict[str, str]:
    return {
        "name": record.name,
        "colour": colour_in_words(record.colour),
        "line": colour_in_words(readable_colour(record.colour)),
        "about": about(viewer, record),
    }


def _palette(viewer: Viewer) -> list[dict[str, object]]:
    """The materials that can be painted and do something here, by state of matter."""
    records = {record.name: record for record in viewer.sim.blank.materials}
    there = [records[name] for name in viewer.materials if name not in viewer.idle]
    return [
        {"title": GROUPS_OF_MATERIALS[state], "materials": [_material(viewer, each) for each in group]}
        for state, group in groupby(there, lambda record: record.state)
    ]


def _idle(viewer: Viewer) -> list[dict[str, object]]:
    """The materials that can do nothing here, by the rule that they need."""
    records = {record.name: record for record in viewer.sim.blank.materials}
    needing = sorted(viewer.idle, key=lambda name: viewer.idle[name][-1])
    return [
        {"rule": rule, "materials": [_material(viewer, records[name]) for name in group]}
        for rule, group in groupby(needing, lambda name: viewer.idle[name][-1])
    ]


def _favourites(viewer: Viewer) -> list[dict[str, object]]:
    records = {record.name: record for record in viewer.sim.blank.materials}
    found: list[dict[str, object]] = []
    for place, name in enumerate(viewer.favourites):
        record = records.get(name)
        colour = "#282b30" if record is None else colour_in_words(record.colour)
        said = f"This world has no {name}." if record is None else about(viewer, record)
        said = MODES[ERASE] if name == ERASE else said
        can = name == ERASE or name in viewer.materials
        found.append({"key": digit(place), "name": name, "colour": colour, "about": said, "can": can})
    return found


def _picture(viewer: Viewer) -> dict[str, object] | None:
    """The picture from which the world was opened, and the material of each of its colours; None: it was not."""
    found = viewer.matched
    if found is None:
        return None
    rows, columns = found.numbers.shape
    groups = [
        {
            "colour": None if each.colour is None else colour_in_words(each.colour),
            "share": 100 * each.cells / found.numbers.size,
            "material": each.material,
        }
        for each in found.groups
    ]
    return {
        "words": f"{found.path.name}: {found.pixels[0]} x {found.pixels[1]} pixels, {columns} x {rows} cells",
        "every": found.every,
        "pixels": {str(each): pixels_in_words(each) for each in pixels_a_cell(found.every, min(found.pixels))},
        "materials": [each.name for each in SHIPPED],
        "groups": groups,
    }


def _help(viewer: Viewer) -> list[dict[str, object]]:
    """The sections of the help: gestures, then the keys of each group of actions that a page has."""
    sections: list[dict[str, object]] = [{"title": "Pointer", "rows": POINTER}, {"title": "Touch", "rows": TOUCH}]
    for group in GROUPS:
        actions = [each for each in ACTIONS.values() if each.group == group and is_of_page(each.name)]
        rows = [row for each in actions for row in rows_of_keys(viewer, each, is_offered)]
        if rows:
            sections.append({"title": group, "rows": rows})
    return sections
