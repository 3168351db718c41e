"""Reads the scene that a command names, and decides which variants run its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpufluid.cli import options
from gpufluid.cli.terminal import remark

if TYPE_CHECKING:
    from gpufluid.scene import Scene

MANY_CELLS = 1 << 24
"""A world of more takes so long to build that a sign of life is due."""


def load(name: str, seed: int | None, settings: list[str] | None, *, headless: bool = True) -> Scene:
    """Read a scene. With a window no headless device is made: two OpenGLs in one thread get in each other's way."""
    from gpufluid.gpu.device import shared_device
    from gpufluid.io.loading import load_scene
    from gpufluid.world import SIZE_LIMIT

    parameters = options.settings_of(settings or [])
    max_side = shared_device().max_side if headless else SIZE_LIMIT
    loaded = load_scene(name, seed, parameters, max_side, _tell_if_large)
    for said in loaded.remarks:
        remark(said)
    return loaded


def decide_variants(loaded: Scene, wanted: list[str] | None) -> dict[str, str]:
    """The variants by which the scene's rules run, by rule; measured first if that was never done here."""
    from gpufluid.gpu.device import shared_device
    from gpufluid.runtime.tuning import decide

    return decide(loaded.world.rules, wanted, shared_device(), remark)


def _tell_if_large(width: int, height: int) -> None:
    if width * height > MANY_CELLS:
        remark(f"building {width}x{height} cells ...")
