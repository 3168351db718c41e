"""Scenes from text, as tests write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gpufluid import scene
from gpufluid.scene import Scene


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Scene]:
    """``read(text, ...)`` is the scene of a file with this text; further arguments as `scene.read`."""

    def read_text(text: str, **given: object) -> Scene:
        path = tmp_path / "scene.toml"
        path.write_bytes(text.encode())
        return scene.read(path, **given)

    return read_text
