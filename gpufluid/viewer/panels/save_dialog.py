"""The dialog that saves the world under a name: as it is, as a scene, or as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer.panels import modal, style, widgets
from gpufluid.viewer.saving import KINDS, named_file, problem_of, replaced_files, unused_file

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def begin(viewer: Viewer, ui: UiState) -> None:
    """Suggest a name that no file has, unless the user comes back from the choice of the folder."""
    if not ui.saving.waits:
        ui.saving.name = unused_file(viewer.folder, viewer.source, viewer.sim.tick, ".npz", tuple(KINDS)).stem
        ui.saving.problem = ""
    ui.saving.waits = ui.saving.asked = False


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw what is in the dialog."""
    imgui.text_unformatted("Name")
    imgui.set_next_item_width(-1)
    ui.take_keys()
    changed, ui.saving.name = imgui.input_text("##name", ui.saving.name)
    place = named_file(viewer.folder, ui.saving.name, ui.saving.ending)
    ending = place.suffix.lower() or ui.saving.ending  # a name such as ".npz" has no ending
    for known, kind in KINDS.items():
        if imgui.radio_button(f"{kind.title} ({known})", known == ending):
            ui.saving.ending, changed = known, True
            name = ui.saving.name.strip()
            if name.lower().endswith(ending) and known != ending:
                ui.saving.name = name[: -len(ending)]
        widgets.tooltip(kind.about)
    widgets.wrapped(KINDS[ending].about, style.FAINT)
    widgets.wrapped(f"In {place.absolute().parent}")
    if widgets.button("Another folder...", "Choose the folder for all files of the window.", first=True):
        ui.saving.waits = True
        widgets.act(viewer, "ask_folder")
    if changed:
        ui.saving.problem, ui.saving.asked = "", False
    wrong = problem_of(ui.saving.name, place)
    there = [path.name for path in replaced_files(place)] if wrong is None else []
    asks = ui.saving.asked and bool(there)
    if wrong is not None or ui.saving.problem:
        widgets.wrapped(wrong or ui.saving.problem, style.ALARM)
    elif asks:
        are, them = ("is", "it") if len(there) == 1 else ("are", "them")
        widgets.wrapped(f"{' and '.join(there)} {are} there already. Replace {them}?", style.ALARM)
    imgui.separator()
    if modal.confirmed(ui, "Replace" if asks else "Save", wrong is None):
        if there and not asks:
            ui.saving.asked = True
        elif widgets.act(viewer, KINDS[ending].action, path=place):
            widgets.act(viewer, "close_dialog")
        else:
            ui.saving.problem = viewer.messages[-1].text
    if widgets.button("Cancel"):
        widgets.act(viewer, "close_dialog")
