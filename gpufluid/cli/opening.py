"""Loading the scene of a command, and choosing the variants of its rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gpufluid.cli import options
from gpufluid.cli.terminal import remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpufluid.gpu.device import Device
    from gpufluid.io.loading import WorldName
    from gpufluid.scene import Scene
    from gpufluid.scene.changes import Changes
    from gpufluid.world import World

MANY_CELLS = 1 << 24
"""The number of cells from which building a world takes so long that a remark announces it."""


def load(
    name: str, seed: int | None, settings: list[str] | None, *, headless: bool = True, cells: bool = True
) -> Scene:
    """Load a scene, and print its remarks.

    Args:
        name: as for `io.loading.load`.
        seed: replaces the seed of the scene.
        settings: the values of ``--set``.
        headless: whether the command runs without a window. If so, and if the world is larger than every device
            supports, a headless device is made to check the size. A command with a window has another device, or makes
            its own later.
        cells: False for a world that ranks will share: its cells are not built, and its size is not checked, because
            each rank needs only a part of them. See `named`.
    """
    loaded = load_with(name, seed, options.settings_of(settings or []), headless=headless, cells=cells)
    for said in loaded.remarks:
        remark(said)
    return loaded


def named(name: str, seed: int | None, settings: list[str] | None) -> WorldName:
    """The name of the world that `load` loads, from which each rank can build its own part."""
    from gpufluid.io.loading import WorldName

    return WorldName(name, seed, options.settings_of(settings or []))


def load_with(
    name: str,
    seed: int | None,
    parameters: Mapping[str, Mapping[str, object]],
    *,
    headless: bool = True,
    cells: bool = True,
    changes: Changes | None = None,
) -> Scene:
    """Load a scene with some parameters, by rule and name, and other changes; its remarks are not printed.

    Arguments as for `load` and `io.loading.load_scene`.
    """
    from gpufluid.gpu.device import SIDE_GUARANTEED, shared_device
    from gpufluid.io.loading import load_scene

    def on_size(width: int, height: int) -> None:
        if headless and cells and max(width, height) > SIDE_GUARANTEED:
            shared_device().check_side(width, height)
        _tell_if_large(width, height)

    return load_scene(name, seed, parameters, on_size=on_size, cells=cells, changes=changes)


def path_of(name: str) -> Path:
    """The file that a name given to `load` means. Raises UsageError: there is no such scene."""
    from gpufluid import scene
    from gpufluid.io import snapshots

    return Path(name) if Path(name).suffix.lower() in snapshots.ENDINGS else scene.find(name)


def means_scene(word: str) -> bool:
    """True if a word is the name of a shipped scene, or ends as the files of worlds do."""
    from gpufluid import scene
    from gpufluid.io import snapshots

    return Path(word).suffix.lower() in (".toml", *snapshots.ENDINGS) or word in {path.stem for path in scene.shipped()}


def decide_variants(loaded: Scene, wanted: list[str] | None) -> dict[str, str]:
    """The variant of each rule of a scene; rules not yet tuned on this device are tuned first."""
    from gpufluid.gpu.device import shared_device
    from gpufluid.gpu.variants import decide, requested
    from gpufluid.runtime.tuning import measuring

    given = requested(loaded.world.rules, wanted)  # reports an unknown name before a device is made
    device = shared_device()
    return decide(loaded.world.rules, given, device, measuring(device, remark))


def decide_variants_of_viewer(world: World, given: Mapping[str, str], device: Device) -> dict[str, str]:
    """The variant of each rule of a viewer's world, whose first picture must not be late.

    Args:
        world: the world.
        given: the variants that the user has asked for, by rule.
        device: the device; on software OpenGL nothing is measured.
    """
    from gpufluid.gpu.variants import decide
    from gpufluid.runtime.tuning import measuring

    # On software OpenGL compiling all variants takes half a minute, and those meant for it were always the fastest.
    return decide(world.rules, given, device, None if device.software else measuring(device, remark))


def _tell_if_large(width: int, height: int) -> None:
    if width * height > MANY_CELLS:
        remark(f"building {width}x{height} cells ...")
