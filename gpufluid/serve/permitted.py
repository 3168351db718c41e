"""The actions that a page can ask for by name, and the checks of their arguments.

Strokes are not among them: a page sends the pointer, and the viewer's tool acts. No argument is a path: an action that
writes a file gets its path from `Folder`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from functools import cache
from typing import get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from gpufluid.core.errors import UsageError, shortened, shown
from gpufluid.serve.folder import OF_FILES
from gpufluid.serve.worlds import PAGE_ACTIONS, WorldDialogs
from gpufluid.viewer import Viewer  # registers the actions
from gpufluid.viewer.actions import ACTIONS

OF_A_VIEW = frozenset({"fit", "one_to_one", "zoom", "pan", "panel"})
"""Actions that change only the view of the page that asks. They need no brush."""

_TIME = ("pause", "step", "faster", "slower", "rate", "reset", "rewind")
_EDITS = ("undo", "undo_in_place", "redo", "back_before_edit", "clear", "add_rules")
_PICTURES = ("picture_material", "picture_pixels")
_TOOLS = ("tool", "shape", "pour_rate", "amount", "mix", "over_walls", "bigger", "smaller", "brush_size", "velocity")
_HEATS = ("degrees", "stronger", "weaker")
_MATERIALS = ("material", "favourite", "next_material", "previous_material")
_LOOKS = ("overlay", "next_overlay", "no_overlay", "tint", "theme", "background", "film_every")

OF_THE_WORLD = frozenset((*_TIME, *_EDITS, *_TOOLS, *_HEATS, *_MATERIALS, *_LOOKS, *_PICTURES))
"""Actions that need the brush and write no file."""

IN_THE_PAGE = frozenset({"full_screen", "text_bigger", "text_smaller"})
"""Actions of the window that the page does by itself."""

PANELS_OF_A_PAGE = frozenset({"help", "inspector", "statistics", "overlays"})
"""The panels that a page can open and close; the others are always there."""

PANEL_OF_FILES = {"name": "scenes"}
"""The arguments of action ``panel`` that open the window's page Open, in place of which a page has a dialog."""

STEP_MOST = 10_000
"""Most ticks of a single step or rewind from a page, for which all others wait."""

_PATHS = frozenset({"path", "folder"})


def needs_brush(name: str) -> bool:
    """True if an action needs the brush. Raises: UsageError: no page may ask for the action."""
    if name in OF_A_VIEW:
        return False
    if name in OF_THE_WORLD or name in OF_FILES or name in PAGE_ACTIONS:
        return True
    raise UsageError(f"{shown(name)} is no action of this page")


def is_of_page(name: str) -> bool:
    """True if a page offers an action, in its help and on its keys."""
    return name in OF_A_VIEW or name in OF_THE_WORLD or name in OF_FILES or name in IN_THE_PAGE


def is_offered(name: str, arguments: Mapping[str, object]) -> bool:
    """True if a page offers an action with these arguments on a key."""
    panels = {*PANELS_OF_A_PAGE, PANEL_OF_FILES["name"]}
    return is_of_page(name) and (name != "panel" or arguments.get("name") in panels)


def checked(name: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a permitted action, by the types that its function declares.

    Raises: UsageError: an unknown argument, one of another type, or too many ticks.
    """
    try:
        found = _arguments(name).model_validate_json(json.dumps(dict(arguments)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = shortened(".".join(map(str, first["loc"])))
        raise UsageError(" ".join(f"{name}: {place}: {first['msg']}".split())) from None
    given = {each: getattr(found, each) for each in found.model_fields_set}
    ticks = given.get("ticks")
    if name in ("step", "rewind") and isinstance(ticks, int) and ticks > STEP_MOST:
        raise UsageError(f"{name}: {ticks:,} ticks; expected {STEP_MOST:,} at most")
    return given


@cache
def _arguments(name: str) -> type[BaseModel]:
    """A record of the arguments of an action's function, without its first parameter and without paths."""
    run = getattr(WorldDialogs, name) if name in PAGE_ACTIONS else ACTIONS[name].run
    hints = get_type_hints(run, localns={"Viewer": Viewer})
    parameters = list(inspect.signature(run).parameters.values())[1:]
    fields = {
        each.name: (hints[each.name], ... if each.default is inspect.Parameter.empty else each.default)
        for each in parameters
        if each.name not in _PATHS
    }
    strict = ConfigDict(strict=True, extra="forbid")
    return create_model(f"Arguments_{name}", __config__=strict, **fields)  # pyright: ignore[reportCallIssue, reportArgumentType]
