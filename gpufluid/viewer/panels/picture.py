"""The picture panel: which material each colour of an opened picture is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.matter.materials import SHIPPED
from gpufluid.viewer.panels import style, widgets
from gpufluid.viewer.texts import pixels_a_cell, pixels_in_words

if TYPE_CHECKING:
    from gpufluid.scene.matched_picture import ColourGroup
    from gpufluid.viewer.panels.ui_state import UiState
    from gpufluid.viewer.viewer import Viewer


def draw(viewer: Viewer, ui: UiState) -> None:  # noqa: ARG001
    """Draw the panel."""
    picture = viewer.matched
    if picture is None:
        widgets.wrapped("Open a picture, to choose what its colours are.", style.FAINT)
        return
    width, height = picture.pixels
    rows, columns = picture.numbers.shape
    widgets.wrapped(f"{picture.path.name}: {width} x {height} pixels, {columns} x {rows} cells")
    if viewer.unsaved:
        widgets.wrapped("You have changed the world since. To choose again, open the picture again.", style.FAINT)
        if widgets.button("Open again", first=True):
            widgets.act(viewer, "request_open", path=str(picture.path))
        return
    _pixels(viewer, picture.every, min(picture.pixels))
    widgets.wrapped("What each colour is:", style.FAINT)
    for number, group in enumerate(picture.groups):
        _group(viewer, number, group, 100 * group.cells / picture.numbers.size)


def _pixels(viewer: Viewer, every: int, most: int) -> None:
    """Draw the choice of the pixels a cell."""
    imgui.set_next_item_width(-1)
    if imgui.begin_combo("##pixels", pixels_in_words(every)):
        for wanted in pixels_a_cell(every, most):
            if imgui.selectable(pixels_in_words(wanted), wanted == every)[0] and wanted != every:
                widgets.act(viewer, "picture_pixels", every=wanted)
        imgui.end_combo()


def _group(viewer: Viewer, number: int, group: ColourGroup, share: float) -> None:
    """Draw a colour, its share of the picture in percent, and the choice of its material."""
    widgets.swatch(group.colour, imgui.get_frame_height())
    colour = "transparent" if group.colour is None else "#{:02x}{:02x}{:02x}".format(*group.colour)
    widgets.tooltip(f"{colour}, {share:.2g} % of the picture")
    imgui.same_line()
    imgui.set_next_item_width(-1)
    if imgui.begin_combo(f"##group{number}", _in_words(group.material), int(imgui.ComboFlags_.height_large)):
        for record in SHIPPED:
            chosen = record.name == group.material
            widgets.swatch(record.colour)
            imgui.same_line()
            if imgui.selectable(_in_words(record.name), chosen)[0] and not chosen:
                widgets.act(viewer, "picture_material", group=number, name=record.name)
        imgui.end_combo()


def _in_words(material: str) -> str:
    return "nothing" if material == SHIPPED[0].name else material
