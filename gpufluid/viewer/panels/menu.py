"""The menu bar: the viewer's actions, each with its key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.matter.materials import colour_of
from gpufluid.render.look import DAY, light_of
from gpufluid.viewer.actions import ACTIONS
from gpufluid.viewer.panels import widgets
from gpufluid.viewer.texts import keys_of
from gpufluid.viewer.tool import PANELS

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer

_MENUS = {
    "World": (
        ("New...", "ask_new"),
        ("Clear", "clear"),
        ("Resize...", "ask_resize"),
        ("Open...", "scenes"),
        ("Save the world", "save"),
        ("Save as a scene", "save_scene"),
        ("Save as...", "ask_save"),
        ("Folder for files...", "ask_folder"),
        ("Save a picture", "screenshot"),
        ("Record a film", "record"),
        ("Close", "close"),
    ),
    "Edit": (
        ("Undo", "undo"),
        ("Redo", "redo"),
        ("Undo, but keep the time", "undo_in_place"),
        ("Back to before the last stroke", "back_before_edit"),
        ("Next material", "next_material"),
        ("Previous material", "previous_material"),
        ("Larger brush", "bigger"),
        ("Smaller brush", "smaller"),
    ),
    "Time": (
        ("Pause", "pause"),
        ("One tick", "step"),
        ("Restart", "reset"),
        ("Faster", "faster"),
        ("Slower", "slower"),
    ),
    "View": (
        ("Show the whole world", "fit"),
        ("One pixel for each cell", "one_to_one"),
        ("Next overlay", "next_overlay"),
        ("No overlay", "no_overlay"),
        ("Tint warm and cold", "tint"),
        ("Night", "theme"),
        ("Larger text", "text_bigger"),
        ("Smaller text", "text_smaller"),
        ("Full screen", "full_screen"),
    ),
}
_FILM_EVERY = (1, 2, 3, 5, 10, 20, 50, 100)
_BACKGROUNDS = {"White": "#ffffff", "Black": "#000000", "Sky": "#bcd9f0", "Dusk": "#3a3350"}


def draw(viewer: Viewer, ui: UiState) -> float:
    """Draw the menu bar. Returns its height in pixels."""
    if not imgui.begin_main_menu_bar():
        return 0
    for title, entries in _MENUS.items():
        if imgui.begin_menu(title):
            for words, name in entries:
                _entry(viewer, words, name)
            if title == "World":
                _film_every(viewer)
            if title == "View":
                _background(viewer)
            imgui.end_menu()
    if imgui.begin_menu("Panels"):
        for panel, words in PANELS.items():
            key = keys_of(viewer, "panel", {"name": panel})
            if imgui.menu_item(words, key, viewer.panels[panel])[0]:
                widgets.act(viewer, "panel", name=panel)
        imgui.end_menu()
    if imgui.menu_item("Help", "", viewer.panels["help"])[0]:
        widgets.act(viewer, "panel", name="help")
    _state(viewer)
    ui.cover()
    height = imgui.get_window_height()
    imgui.end_main_menu_bar()
    return height


def _entry(viewer: Viewer, words: str, name: str) -> None:
    if name == "scenes":
        if imgui.menu_item(words, keys_of(viewer, "panel", {"name": name}), False)[0]:
            widgets.act(viewer, "panel", name=name)
        return
    if name == "record" and viewer.recording:
        words = "Stop recording"
    looks = {"tint": viewer.look.tint, "theme": viewer.look.theme != DAY.theme}
    ticked = {"pause": viewer.clock.paused, **looks}.get(name, False)
    past = viewer.history
    can = {"undo": past.can_undo, "back_before_edit": past.can_go_back, "redo": past.can_redo}
    can["undo_in_place"] = past.can_undo or past.has_gone_back
    can["tint"] = "heat" in viewer.sim.blank.rules
    enabled = can.get(name, True)
    if imgui.menu_item(words, keys_of(viewer, name, {}), ticked, enabled)[0]:
        widgets.act(viewer, name)
    widgets.tooltip(ACTIONS[name].about)


def _film_every(viewer: Viewer) -> None:
    """Draw a menu of the numbers of ticks between two frames of a film."""
    if imgui.begin_menu("Film: a frame every ... ticks"):
        for ticks in sorted({*_FILM_EVERY, viewer.film_every}):
            if imgui.menu_item(str(ticks), "", ticks == viewer.film_every)[0]:
                widgets.act(viewer, "film_every", ticks=ticks)
        imgui.end_menu()


def _background(viewer: Viewer) -> None:
    """Draw the menu of backgrounds: that of the theme, some colours, and any other."""
    if not imgui.begin_menu("Background"):
        return
    given = viewer.look.background
    if imgui.menu_item("As the theme", "", given is None)[0]:
        widgets.act(viewer, "background")
    for words, colour in _BACKGROUNDS.items():
        if imgui.menu_item(words, "", given == colour_of(colour))[0]:
            widgets.act(viewer, "background", colour=colour)
    shown = list(light_of(viewer.look.sky(viewer.sim.blank.materials)[0]))
    changed, chosen = imgui.color_edit3("##background", shown)
    if changed:
        parts = (min(max(round(255 * part), 0), 255) for part in chosen)
        widgets.act(viewer, "background", colour="#{:02x}{:02x}{:02x}".format(*parts))
    imgui.end_menu()


def _state(viewer: Viewer) -> None:
    """Draw the recording indicator at the right end, while a film is being recorded."""
    if viewer.recorder is None:
        return
    if viewer.recorder.full:
        widgets.recording_indicator("recording: the world waits")
    else:
        every = viewer.film_every
        widgets.recording_indicator("recording every tick" if every == 1 else f"recording every {every} ticks")
