"""Fixtures that read scenes from text, and a snapshot to change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.snapshots import Members, members_of
from support.worlds import random_world

from gpufluid import Emitter, scene
from gpufluid.core.errors import SceneError
from gpufluid.scene import Scene


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Scene]:
    """``read(text, ...)`` is the scene of a file with this text; further arguments as `scene.read`."""

    def read_text(text: str, **given: object) -> Scene:
        path = tmp_path / "scene.toml"
        path.write_bytes(text.encode())
        return scene.read(path, **given)

    return read_text


@pytest.fixture
def refuses(read: Callable[..., Scene], tmp_path: Path) -> Callable[..., str]:
    """``refuses(text, ends, ...)`` reads an invalid scene and returns the one-line message, without the file's path.

    Args:
        text: the scene.
        ends: the line ending in the file.
        given: further arguments of `scene.read`.
    """

    def message_of(text: str, ends: str = "\n", **given: object) -> str:
        with pytest.raises(SceneError) as caught:
            read(text.replace("\n", ends), max_side=4096, **given)
        message = str(caught.value).removeprefix(f"{tmp_path / 'scene.toml'}:")
        assert "\n" not in message
        assert len(message) < 400
        return message

    return message_of


@pytest.fixture
def whole(tmp_path: Path) -> Members:
    """The members of a snapshot of 4 by 5 cells, whole.npz, by name."""
    return members_of(random_world(4, 5, emitters=[Emitter((0, 0))]), tmp_path / "whole.npz")
