"""The palette: the materials that can be painted, grouped by state of matter."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.matter.materials import Material
from gpufluid.viewer.favourites import ERASE, digit
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.texts import GROUPS_OF_MATERIALS, about, keys_of
from gpufluid.viewer.tool import MODES, PAINTING

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_ERASED = (40, 43, 48)
"""The colour of the eraser's swatch."""


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw the panel."""
    imgui.set_next_item_width(-1)
    enter = int(imgui.InputTextFlags_.enter_returns_true)
    pressed, ui.search = imgui.input_text_with_hint("##search", "Search", ui.search, enter)
    word = ui.search.strip().lower()
    records = {record.name: record for record in viewer.sim.blank.materials}
    idle = {name: rules for name, rules in viewer.idle.items() if word in name}
    found = [
        (number, records[name]) for number, name in enumerate(viewer.materials) if word in name and name not in idle
    ]
    if pressed and word and found:
        widgets.act(viewer, "material", name=found[0][1].name)
        ui.search = ""
    if not word:
        _favourites(viewer, records)
    for state, group in groupby(found, lambda entry: entry[1].state):
        if _is_open(GROUPS_OF_MATERIALS[state], bool(word)):
            for number, material in group:
                _chip(viewer, number, material)
    for rule, group in groupby(sorted(idle, key=lambda name: idle[name][-1]), lambda name: idle[name][-1]):
        _draw_idle(viewer, ui, rule, [records[name] for name in group], bool(word))
    if not found and not idle:
        widgets.wrapped(f"No material is called {ui.search.strip()!r}.", widgets.style.FAINT)


def _favourites(viewer: Viewer, records: dict[str, Material]) -> None:
    """Draw the favourites, each with its digit. Those that the world cannot hold are grey."""
    if not _is_open("Favourites", False):
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


def _draw_idle(viewer: Viewer, ui: UiState, rule: str, materials: list[Material], searching: bool) -> None:
    """Draw the materials that can do nothing without a rule, and the button that adds it."""
    if not _is_open(f"Need {rule}", searching):
        return
    laws, missing = viewer.sim.blank, viewer.idle[materials[0].name]
    others = [each for each in missing if each != rule]
    beside = f", and {' and '.join(others)}, which it needs" if others else ""
    if widgets.button(f"Add {rule}", f"Add rule {rule} to this world{beside}. Undo takes it back.", first=True):
        widgets.act_later(viewer, ui, "add_rules", rules=[rule])
    for place, material in enumerate(materials):
        tip = f"{about(viewer, material)} It needs rule {rule} to do what it is for."
        chosen, can = material.name == viewer.tool.material, laws.can_hold(material.name)
        if widgets.chip(material.name, material.colour, chosen, tip, faint=True, first=not place):
            if can:
                widgets.act(viewer, "material", name=material.name)
            else:
                viewer.tell(viewer.idle_text(material.name))


def _is_open(title: str, searching: bool) -> bool:
    """Draw the title of a group. Returns whether the group is unfolded; a search unfolds all groups."""
    flags = imgui.TreeNodeFlags_
    if searching:
        imgui.set_next_item_open(True)
    look = flags.default_open | flags.no_tree_push_on_open | flags.span_avail_width
    return imgui.tree_node_ex(title, int(look))


def _chip(viewer: Viewer, number: int, material: Material) -> None:
    """Draw the button of a material; `number` is its place in the palette."""
    places = [place for place, name in enumerate(viewer.favourites) if name == material.name]
    keys = [keys_of(viewer, "favourite", {"place": place}) for place in places]
    keys.append(keys_of(viewer, "material", {"number": number}))
    chosen = material.name == viewer.tool.material
    if widgets.chip(material.name, material.colour, chosen, about(viewer, material), " ".join(filter(None, keys))):
        widgets.act(viewer, "material", name=material.name)
    if imgui.is_item_hovered():
        viewer.pointed_at = material.name
