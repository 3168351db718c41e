"""The palette: the materials that can be painted, grouped by state of matter, or those that a search finds."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.matter.materials import Material
from gpufluid.viewer import search
from gpufluid.viewer.favourites import ERASE, digit
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.texts import GROUPS_OF_MATERIALS, about, keys_of
from gpufluid.viewer.tool import MODES, PAINTING

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_ERASED = (40, 43, 48)
"""The colour of the eraser's swatch."""

_ENTER = "Enter"
"""Stands on the button of the material that Enter chooses."""


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the panel."""
    imgui.set_next_item_width(-1)
    enter = int(imgui.InputTextFlags_.enter_returns_true)
    entered, ui.search = imgui.input_text_with_hint("##search", "Search", ui.search, enter)
    records = {record.name: record for record in viewer.sim.blank.materials}
    if ui.search.strip():
        _found(viewer, ui, records, entered)
        return
    _favourites(viewer, records)
    there = [(number, records[name]) for number, name in enumerate(viewer.materials) if name not in viewer.idle]
    for state, group in groupby(there, lambda entry: entry[1].state):
        if _is_open(GROUPS_OF_MATERIALS[state]):
            for number, material in group:
                _chip(viewer, number, material)
    for rule, names in _idle_by_rule(viewer, viewer.idle):
        if _is_open(f"Need {rule}"):
            _draw_idle(viewer, ui, rule, [records[name] for name in names])


def _found(viewer: Viewer, ui: UiState, records: dict[str, Material], entered: bool) -> None:
    """Draw the materials that the typed text fits, the best one first; ``entered``: choose it, as a click does.

    Those that need a rule come in groups of their own, each with the button that adds the rule.
    """

    def fitting(names: Iterable[str]) -> list[str]:
        return search.found(ui.search, names, lambda name: (name,))

    numbers = {name: number for number, name in enumerate(viewer.materials)}
    groups = [("", fitting(name for name in numbers if name not in viewer.idle))]
    groups += [(rule, fitting(names)) for rule, names in _idle_by_rule(viewer, viewer.idle)]
    groups = sorted((group for group in groups if group[1]), key=lambda group: search.rank(ui.search, group[1][0]) or 0)
    if not groups:
        widgets.wrapped(f"No material is called {ui.search.strip()!r}.", widgets.style.FAINT)
        return
    first = groups[0][1][0]
    for rule, names in groups:
        if rule:
            imgui.separator_text(f"Need {rule}")
            _draw_idle(viewer, ui, rule, [records[name] for name in names], entering=first)
        else:
            for place, name in enumerate(names):
                _chip(viewer, numbers[name], records[name], is_first=not place, enters=name == first)
    if entered:
        _choose(viewer, first)
        ui.search = ""


def _idle_by_rule(viewer: Viewer, names: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Materials that can do nothing without a rule, by the rule that they need."""

    def rule_of(name: str) -> str:
        return viewer.idle[name][-1]

    return [(rule, list(group)) for rule, group in groupby(sorted(names, key=rule_of), rule_of)]


def _favourites(viewer: Viewer, records: dict[str, Material]) -> None:
    """Draw the favourites, each with its digit. Those that the world cannot hold are grey."""
    if not _is_open("Favourites"):
        return
    imgui.push_id("favourites")
    for place, name in enumerate(viewer.favourites):
        key, record = keys_of(viewer, "favourite", {"place": place}), records.get(name)
        erases = name == ERASE
        change = f"Shift+{digit(place)}, with the pointer on a material, makes it this favourite."
        tip = MODES[ERASE] if erases else about(viewer, record) if record is not None else f"This world has no {name}."
        colour = record.colour if record is not None else _ERASED
        chosen = viewer.tool.mode == ERASE if erases else name == viewer.tool.material and viewer.tool.mode in PAINTING
        faint = not erases and name not in viewer.materials
        if widgets.chip(name, colour, chosen, f"{tip} {change}", key, faint, first=not place):
            widgets.act(viewer, "favourite", place=place)
    imgui.pop_id()


def _draw_idle(viewer: Viewer, ui: UiState, rule: str, materials: list[Material], entering: str = "") -> None:
    """Draw the button that adds a rule, and materials that can do nothing without it; ``entering`` has key Enter."""
    missing = viewer.idle[materials[0].name]
    others = [each for each in missing if each != rule]
    beside = f", and {' and '.join(others)}, which it needs" if others else ""
    if widgets.button(f"Add {rule}", f"Add rule {rule} to this world{beside}. Undo takes it back.", first=True):
        widgets.act_later(viewer, ui, "add_rules", rules=[rule])
    for place, material in enumerate(materials):
        tip = f"{about(viewer, material)} It needs rule {rule} to do what it is for."
        chosen, key = material.name == viewer.tool.material, _ENTER if material.name == entering else ""
        if widgets.chip(material.name, material.colour, chosen, tip, key, faint=True, first=not place):
            _choose(viewer, material.name)


def _choose(viewer: Viewer, name: str) -> None:
    """Choose a material, or say why the world cannot hold it."""
    if name in viewer.idle and not viewer.sim.blank.can_hold(name):
        viewer.tell(viewer.idle_text(name))
    else:
        widgets.act(viewer, "material", name=name)


def _is_open(title: str) -> bool:
    """Draw the title of a group. Returns whether the group is unfolded."""
    flags = imgui.TreeNodeFlags_
    look = flags.default_open | flags.no_tree_push_on_open | flags.span_avail_width
    return imgui.tree_node_ex(title, int(look))


def _chip(viewer: Viewer, number: int, material: Material, is_first: bool = False, enters: bool = False) -> None:
    """Draw the button of a material.

    Args:
        viewer: the viewer.
        number: the material's place in the palette.
        material: the material.
        is_first: whether the button begins a line.
        enters: whether Enter chooses the material.
    """
    places = [place for place, name in enumerate(viewer.favourites) if name == material.name]
    keys = [_ENTER] if enters else [keys_of(viewer, "favourite", {"place": place}) for place in places]
    keys += [] if enters else [keys_of(viewer, "material", {"number": number})]
    chosen, words = material.name == viewer.tool.material, " ".join(filter(None, keys))
    if widgets.chip(material.name, material.colour, chosen, about(viewer, material), words, first=is_first):
        _choose(viewer, material.name)
    if imgui.is_item_hovered():
        viewer.pointed_at = material.name
