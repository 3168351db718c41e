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
    """Read a scene.

    A headless device is made only for a world that not every device can hold. With a window none is made at all: two
    OpenGL contexts in one thread get in each other's way.
    """
    from gpufluid.gpu.device import SIDE_GUARANTEED, shared_device
    from gpufluid.io.loading import load_scene

    def begun(width: int, height: int) -> None:
        if headless and max(width, height) > SIDE_GUARANTEED:
            shared_device().check_side(width, height)
        _tell_if_large(width, height)

    loaded = load_scene(name, seed, options.settings_of(settings or []), begun=begun)
    for said in loaded.remarks:
        remark(said)
    return loaded


def decide_variants(loaded: Scene, wanted: list[str] | None) -> dict[str, str]:
    """The variants by which the scene's rules run, by rule; measured first if that was never done here."""
    from gpufluid.gpu.device import shared_device
    from gpufluid.gpu.variants import asked, decide
    from gpufluid.runtime.tuning import measuring

    given = asked(loaded.world.rules, wanted)  # a wrong name is refused before there is a device
    device = shared_device()
    return decide(loaded.world.rules, given, device, measuring(device, remark))


def _tell_if_large(width: int, height: int) -> None:
    if width * height > MANY_CELLS:
        remark(f"building {width}x{height} cells ...")
