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
    found = [material for material in viewer.sim.laws.materials if word in material.name]
    for state, title in _TITLES.items():
        members = [material for material in found if material.state is state]
        if members:
            imgui.separator_text(title)
        for material in members:
            if widgets.chip(material.name, material.colour, material.name == viewer.tool.material, _about(material)):
                widgets.act(viewer, "material", name=material.name)
    if not any(material.state in _TITLES for material in found):
        widgets.wrapped(f"No material is called {desk.search.strip()!r}.", widgets.style.FAINT)


def _about(material: Material) -> str:
    return f"{material.name}: {material.state.name.lower()}, {material.density:,} kg/m\u00b3"
