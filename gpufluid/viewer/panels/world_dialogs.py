"""The dialogs that make a new world, and that give the world another size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.rules import RULES
from gpufluid.viewer.new_world import (
    GRAVITIES,
    KINDS,
    OWN,
    PRESETS,
    SURROUNDINGS,
    cost_of,
    needs_in_words,
    problem_of,
    side_problem,
    switched,
    walls_left_out,
)
from gpufluid.viewer.panels import modal, style, widgets
from gpufluid.world.reshaping import usual_alignment

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_PLACES = ("left", "middle", "right"), ("top", "middle", "bottom")
_STEP, _STEP_WITH_CTRL = 10, 100
"""The cells by which a button changes a side."""


def begin_new(viewer: Viewer, ui: UiState) -> None:
    """Begin with the choices of the last press of Create, and with the present world's rules as single rules."""
    ui.choices, ui.size_note = replace(ui.new_world, own_rules=viewer.sim.blank.rules), ""


def draw_new(viewer: Viewer, ui: UiState) -> None:
    """Draw what is in the dialog for a new world."""
    chosen = ui.choices
    (chosen.width, chosen.height), kept = _size(viewer, ui, chosen.width, chosen.height)
    chosen.surroundings = _choice(
        "Around it", {name: words for name, (words, _) in SURROUNDINGS.items()}, chosen.surroundings
    )
    chosen.gravity = _choice("Gravity", GRAVITIES, chosen.gravity)
    chosen.rules = _choice("What happens in it", KINDS, chosen.rules)
    if chosen.rules == OWN:
        _rules(ui)
    else:
        widgets.wrapped(PRESETS[chosen.rules].about, style.FAINT)
    wrong = problem_of(chosen)
    if wrong is not None:
        widgets.wrapped(wrong, style.ALARM)
    lacking = walls_left_out(chosen.width, chosen.height, chosen.gravity)
    if chosen.surroundings == "floor" and lacking is not None:
        widgets.wrapped(lacking, style.FAINT)
    can = wrong is None and _fits(viewer, ui, chosen.rule_names, chosen.width, chosen.height)
    imgui.separator()
    if modal.confirmed(ui, "Create", can and kept):
        ui.new_world = replace(chosen)
        widgets.act_later(viewer, ui, "request_new", **chosen.arguments)
    _cancel(viewer)


def _rules(ui: UiState) -> None:
    """Draw a box for each rule. A rule brings those that it needs, and takes those along that need it."""
    chosen = ui.choices
    for name, rule in RULES.items():
        changed, _ = imgui.checkbox(name.capitalize(), name in chosen.own_rules)
        needs = needs_in_words(name)
        widgets.tooltip(f"{rule.about} N{needs[1:]}." if needs else rule.about)
        if needs:
            imgui.same_line(widgets.em(7))
            widgets.wrapped(needs, style.FAINT)
        if changed:
            chosen.own_rules = switched(chosen.own_rules, name)


def _fits(viewer: Viewer, ui: UiState, rules: tuple[str, ...], width: int, height: int) -> bool:
    """Draw how many cells and how much memory a world has, and ask whether it is to be so large.

    Returns: whether the world fits into the memory, and is not large or was asked for.
    """
    if ui.measured is None or ui.measured[0] != (rules, width, height):
        ui.measured, ui.large = ((rules, width, height), cost_of(viewer.sim.device, rules, width, height)), False
    cost = ui.measured[1]
    if cost.lack is not None:
        widgets.wrapped(cost.lack, style.ALARM)
        return False
    widgets.wrapped(cost.words, style.ALARM if cost.large else style.FAINT)
    if not cost.large:
        return True
    ui.large = imgui.checkbox("Make it so large", ui.large)[1]
    return ui.large


def begin_resize(viewer: Viewer, ui: UiState) -> None:
    """Begin with the present size, at the floor."""
    laws = viewer.sim.blank
    ui.new_size, ui.align, ui.size_note = (laws.width, laws.height), usual_alignment(laws.gravity), ""


def draw_resize(viewer: Viewer, ui: UiState) -> None:
    """Draw what is in the dialog for another size of the world."""
    ui.new_size, kept = _size(viewer, ui, *ui.new_size)
    imgui.separator_text("Where the world lies in the new size")
    _places(ui)
    widgets.wrapped(
        "Floor and walls stay at the edges. What does not fit is cut off; Undo brings it back.",
        style.FAINT,
    )
    width, height = ui.new_size
    can = _fits(viewer, ui, viewer.sim.blank.rules, width, height)
    imgui.separator()
    if modal.confirmed(ui, "Resize", can and kept):
        widgets.act_later(viewer, ui, "resize", width=width, height=height, align=ui.align)
    _cancel(viewer)


def _size(viewer: Viewer, ui: UiState, width: int, height: int) -> tuple[tuple[int, int], bool]:
    """Draw the inputs of a size in cells, and a note if the last one typed is outside the limits of the device.

    Returns: the size, within these limits; and whether it is what was typed, so that Enter may confirm it at once.
    """
    most = viewer.sim.device.max_side
    ui.take_keys()
    values, kept = [], True
    for words, value in (("Width", width), ("Height", height)):
        found = _side(words, value)
        values.append(min(max(found, 1), most))
        if found != value:
            problem = side_problem(words, found, most)
            kept, ui.size_note = problem is None, problem or ""
    if ui.size_note:
        widgets.wrapped(ui.size_note, style.ALARM)
    return (values[0], values[1]), kept


def _side(words: str, value: int) -> int:
    """Draw the input of a side in cells, and two buttons that Tab passes over. Returns the side, as it was typed."""
    imgui.set_next_item_width(widgets.em(6))
    found = imgui.input_int(f"##{words}", value, 0, 0)[1]
    flags = imgui.ItemFlags_
    imgui.push_item_flag(int(flags.no_tab_stop), True)
    imgui.push_item_flag(int(flags.button_repeat), True)
    for sign, label in ((-1, "-"), (1, "+")):
        imgui.same_line()
        if imgui.button(f"{label}##{words}", (imgui.get_frame_height(), 0)):
            found += sign * (_STEP_WITH_CTRL if imgui.get_io().key_ctrl else _STEP)
        widgets.tooltip(f"{_STEP} cells; with Ctrl {_STEP_WITH_CTRL}.")
    imgui.pop_item_flag()
    imgui.pop_item_flag()
    imgui.same_line()
    imgui.text_unformatted(f"{words} in cells")
    return found


def _choice(words: str, known: Mapping[str, str], chosen: str) -> str:
    """Draw a list in which one entry is chosen. Returns the chosen one."""
    imgui.text_unformatted(words)
    imgui.set_next_item_width(-1)
    if imgui.begin_combo(f"##{words}", known[chosen]):
        for name, title in known.items():
            if imgui.selectable(title, name == chosen)[0]:
                chosen = name
        imgui.end_combo()
    return chosen


def _places(ui: UiState) -> None:
    """Draw nine buttons for the place of the kept part; the chosen one is highlighted."""
    for row, vertical in enumerate(_PLACES[1]):
        for column, horizontal in enumerate(_PLACES[0]):
            place = column / 2, row / 2
            words = (
                vertical
                if horizontal == "middle"
                else horizontal
                if vertical == "middle"
                else f"{vertical} {horizontal}"
            )
            if column:
                imgui.same_line()
            imgui.push_id(f"{row},{column}")
            chosen = ui.align == place
            if chosen:
                imgui.push_style_color(int(imgui.Col_.button), style.chosen())
            if imgui.button("##place", (widgets.em(2), widgets.em(1.4))):
                ui.align = place
            if chosen:
                imgui.pop_style_color()
            widgets.tooltip(f"{words.capitalize()} of the new world.")
            imgui.pop_id()


def _cancel(viewer: Viewer) -> None:
    if widgets.button("Cancel"):
        widgets.act(viewer, "close_dialog")
