"""The dialog that saves the world under a name: as it is, as a scene, or as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.viewer._files import replaced_by_saving
from gpufluid.viewer.panels import modal, style, widgets
from gpufluid.viewer.saving import KINDS, missing_folder, named_file, problem_of, unused_file

if TYPE_CHECKING:
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def begin(viewer: Viewer, ui: UiState) -> None:
    """Suggest a name that no file has, unless the user comes back from the choice of the folder."""
    if not ui.saving.waits:
        ui.saving.name = unused_file(viewer.folder, viewer.source, viewer.sim.tick, ".npz", tuple(KINDS)).stem
        ui.saving.problem = ""
    ui.saving.waits, ui.saving.asked = False, ()


def draw(viewer: Viewer, ui: UiState) -> None:
    """Draw what is in the dialog."""
    imgui.text_unformatted("Name")
    imgui.set_next_item_width(-1)
    if ui.dialog_opens or ui.saving.returns_keys:
        ui.focus_next()
    ui.saving.returns_keys = False
    changed, ui.saving.name = imgui.input_text_with_hint("##name", "A name, or folder/name", ui.saving.name)
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
    widgets.tooltip("A name such as ponds/deep makes the folder ponds, and saves in it.")
    if widgets.button("Another folder...", "Choose the folder for all files of the window.", first=True):
        ui.saving.waits = True
        widgets.act(viewer, "ask_folder")
    if changed:
        ui.saving.problem, ui.saving.asked = "", ()
    wrong = problem_of(ui.saving.name, place)
    asked = ui.saving.asked
    if wrong is not None or ui.saving.problem:
        widgets.wrapped(wrong or ui.saving.problem, style.ALARM)
    elif asked:
        are, them = ("is", "it") if len(asked) == 1 else ("are", "them")
        widgets.wrapped(f"{' and '.join(asked)} {are} there already. Replace {them}?", style.ALARM)
    elif missing_folder(place) is not None:
        widgets.wrapped(f"The folder {place.absolute().parent} will be made.", style.FAINT)
    imgui.separator()
    if modal.confirmed(ui, "Replace" if asked else "Save", wrong is None):
        _save(viewer, ui, place)
    elif widgets.button("Cancel"):
        widgets.act(viewer, "close_dialog")
    elif wrong is not None and modal.enter_is_pressed(ui):
        ui.saving.returns_keys = True


def _save(viewer: Viewer, ui: UiState, place: Path) -> None:
    """Save the world as a file, or ask first if files are to be replaced. An error is shown, and the dialog stays."""
    saving = ui.saving
    saving.problem = ""
    replaced: list[Path] = []
    found = viewer.attempt(lambda: replaced.extend(replaced_by_saving(viewer, place)))
    names = tuple(path.name for path in replaced)
    if found and names and names != saving.asked:
        saving.asked = names
    elif (
        found
        and (missing_folder(place) is None or widgets.act(viewer, "make_folder", path=place.parent))
        and widgets.act(viewer, KINDS[place.suffix.lower()].action, path=place)
    ):
        widgets.act(viewer, "close_dialog")
        return
    else:
        saving.problem = viewer.messages[-1].text
        ui.read_messages.add(viewer.messages[-1])  # the dialog shows it
    saving.returns_keys = True  # Enter has ended the input of the name
