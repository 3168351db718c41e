"""Fixtures that run the program in a real window on a virtual screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.desktop import Desktop, Program, missing
from support.marks import SCENE
from support.observed import Slowness

from gpufluid import World
from gpufluid.core.errors import UsageError
from gpufluid.viewer.viewer import Viewer

if TYPE_CHECKING:
    from support.dialogs import Drawn


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


@pytest.fixture
def paused_viewer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Viewer]]:
    """``paused_viewer(world, ...)`` is a paused viewer without a window, closed at the end; arguments as `Viewer`.

    The settings and the current folder are folders of the test.
    """
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    with ExitStack() as viewers:

        def start(world: World, **given: Any) -> Viewer:
            viewer = Viewer(world, **given)
            viewers.callback(viewer.close)
            viewer.clock.paused = True
            return viewer

        yield start


@pytest.fixture
def drawn(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """The dialogs of the test's viewer, drawn without a window."""
    from support.dialogs import Drawn

    return Drawn(viewer, monkeypatch)


@pytest.fixture
def error_in(tmp_path: Path) -> Callable[[Callable[[Path], object], str], str]:
    """``error_in(read, text)`` is the message of the error that ``read`` raises for a file with this text."""

    def message_of(read: Callable[[Path], object], text: str) -> str:
        file = tmp_path / "settings.toml"
        file.write_text(text)
        with pytest.raises(UsageError) as caught:
            read(file)
        return str(caught.value)

    return message_of
