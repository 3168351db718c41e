"""A search lists the exact name first, then names that begin so, then words, then parts; in the palette and in Open."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

from imgui_bundle import imgui
from support.dialogs import Drawn

from gpufluid import World
from gpufluid.viewer.panels import palette, widgets
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.search import found, rank
from gpufluid.viewer.viewer import Viewer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("metal", ["metal", "metal dust", "molten metal", "nonmetal"]),
        ("MET", ["metal dust", "metal", "molten metal", "nonmetal"]),
        ("n m", ["molten metal"]),
        ("dam break", ["dam_break", "dam-break-2", "old_dam_break"]),
        (".npz", ["pond.npz"]),
        ("e", ["nonmetal", "metal dust", "molten metal", "metal", "old_dam_break", "dam_break", "dam-break-2"]),
        ("[", []),
        ("tal m", []),
    ],
)
def test_the_exact_name_comes_first_then_names_that_begin_so_then_words_then_parts(
    text: str, expected: list[str]
) -> None:
    names = ["nonmetal", "metal dust", "molten metal", "metal", "old_dam_break", "pond.npz", "dam_break", "dam-break-2"]
    assert found(text, names, lambda name: (name,)) == expected
    assert found("", names, lambda name: (name,)) == names, "all, in their order"


def test_what_has_several_names_counts_by_the_one_that_fits_best() -> None:
    assert rank("a dam breaks", "dam_break", "A dam breaks") == 0
    assert rank("dam", "x", "the dam") == 2
    assert rank("dam", "x", "y") is None


@pytest.fixture
def search(
    paused_viewer: Callable[..., Viewer], monkeypatch: pytest.MonkeyPatch, imgui_context: None
) -> Callable[..., tuple[Viewer, list[str]]]:
    """``search(text, rules)`` types a text in the palette and presses Enter.

    Returns: the viewer, and the names on the buttons before Enter, with the key that stands there.
    """
    del imgui_context

    def draw(viewer: Viewer, ui: UiState) -> None:
        imgui.set_next_window_size((270, 700))
        imgui.begin("palette")
        imgui.set_keyboard_focus_here()
        palette.draw(viewer, ui)
        imgui.end()

    def typed(text: str, rules: tuple[str, ...]) -> tuple[Viewer, list[str]]:
        viewer, chips = paused_viewer(World(4, 4, rules)), []

        def chip(name: str, _colour: object, _chosen: bool, _tip: str, key: str = "", *_: object, **__: object) -> bool:
            chips.append(f"{name} {key}".strip() if key == "Enter" else name)
            return False

        monkeypatch.setattr(widgets, "chip", chip)
        drawn = Drawn(viewer, monkeypatch, draw)
        drawn.labels()
        drawn.labels()
        drawn.write(text)
        chips.clear()
        drawn.labels()
        listed = list(dict.fromkeys(chips))  # of several frames
        drawn.key(imgui.Key.enter)
        return viewer, listed

    return typed


ALL_OF_ATOMS = "atoms", "heat", "reactions", "collapse"


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", ["metal", "glass", "oil", "sand"])
def test_enter_in_the_palette_chooses_the_material_of_exactly_that_name(
    name: str, search: Callable[..., tuple[Viewer, list[str]]]
) -> None:
    viewer, chips = search(f" {name.upper()} ", ALL_OF_ATOMS)
    assert chips[0] == f"{name} Enter"
    assert len(chips) > 1
    assert all(name in each for each in chips)
    assert viewer.tool.material == name


@pytest.mark.usefixtures("device")
def test_an_exact_name_comes_first_also_of_a_material_that_needs_a_rule(
    search: Callable[..., tuple[Viewer, list[str]]],
) -> None:
    """It is chosen as by a click; what cannot be chosen says what it needs."""
    viewer, chips = search("fire", ("atoms",))
    assert chips[0] == "fire Enter"
    assert "fire" in viewer.idle
    assert viewer.tool.material == "fire"
    viewer, chips = search("gravel", ("flow",))
    assert chips == ["gravel Enter"]
    assert viewer.messages[-1].text == viewer.idle_text("gravel")
