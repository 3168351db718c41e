"""The materials of the world by state of matter, each with its colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from imgui_bundle import imgui

from gpufluid.materials import Material, State
from gpufluid.viewer.panels import widgets

if TYPE_CHECKING:
    from gpufluid.viewer.panels.desk import Desk
    from gpufluid.viewer.viewer import Viewer

_TITLES = {State.SOLID: "Solids", State.POWDER: "Powders", State.LIQUID: "Liquids", State.GAS: "Gases"}


def draw(viewer: Viewer, desk: Desk) -> None:
    """Draw the panel."""
    imgui.set_next_item_width(-1)
    _, desk.search = imgui.input_text_with_hint("##search", "Search", desk.search)
    word = desk.search.strip().lower()
    records = {record.name: record for record in viewer.sim.laws.materials}
    found = [(number, records[name]) for number, name in enumerate(viewer.materials) if word in name]
    state = None
    for number, material in found:
        if material.state is not state:
            state = material.state
            imgui.separator_text(_TITLES[state])
        key = widgets.keys_of(viewer, "material", {"number": number})
        chosen = material.name == viewer.tool.material
        if widgets.chip(material.name, material.colour, chosen, _about(material), key):
            widgets.act(viewer, "material", name=material.name)
    if not found:
        widgets.wrapped(f"No material is called {desk.search.strip()!r}.", widgets.style.FAINT)


def _about(material: Material) -> str:
    return f"{material.name}: {material.state.name.lower()}, {material.density:,} kg/m\u00b3"
