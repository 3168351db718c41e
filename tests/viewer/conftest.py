"""Fixtures that run the program in a real window on a virtual screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.desktop import Desktop, Program, missing
from support.marks import SCENE
from support.observed import Slowness


@pytest.fixture
def desktop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desktop]:
    """A virtual screen of 1280 x 800 pixels, or of the size that a test is parametrized with."""
    reason = missing()
    if reason is not None:
        pytest.skip(reason)
    folder = tmp_path / "screen"
    folder.mkdir()
    desktop = Desktop(getattr(request, "param", (1280, 800)), folder)
    yield desktop
    desktop.close()


@pytest.fixture
def view(request: pytest.FixtureRequest, desktop: Desktop, tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """A function: ``view("dam_break")`` starts ``gpufluid view dam_break`` in a folder, until the test ends.

    Its frames are as slow as the test is parametrized with, or as ``--slow-frames`` says.
    """
    slowness = getattr(request, "param", None) or Slowness(request.config.getoption("--slow-frames"))
    with ExitStack() as programs:

        def start(*words: object, known: bool = True) -> Program:
            folder = tmp_path / "folder"
            folder.mkdir(exist_ok=True)
            return programs.enter_context(Program(desktop, folder, ["view", *words], known, slowness))

        yield start


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """A scene with a solid block, 8 x 4 cells at (20, 30), of a unique colour, and some falling sand."""
    path = tmp_path / "marked.toml"
    path.write_text(SCENE)
    return path


@pytest.fixture
def imgui_context() -> Iterator[None]:
    """imgui without a window, with the font of the panels."""
    imgui = pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed").imgui
    from gpufluid.viewer.panels import style

    context = imgui.create_context()
    imgui.get_io().set_ini_filename("")
    imgui.get_io().backend_flags |= int(imgui.BackendFlags_.renderer_has_textures)
    imgui.get_io().display_size = imgui.ImVec2(1280, 800)
    style.load_font()
    yield
    for texture in imgui.get_platform_io().textures:
        texture.set_tex_id(0)
        texture.status = imgui.ImTextureStatus.destroyed
    imgui.destroy_context(context)
