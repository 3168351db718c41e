"""The command ``view``: open a window on a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpufluid.cli import options
from gpufluid.cli.opening import load
from gpufluid.cli.terminal import remark
from gpufluid.core.interrupts import held_back

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device


def view(
    scene: options.SceneName = "sandbox",
    seed: options.Seed = None,
    settings: options.Set = None,
    size: options.WindowSize = "1280x800",
    every: options.Every = 2,
    theme: options.Theme = "day",
    background: options.Background = None,
    variant: options.Variants = None,
) -> None:
    """Open a window to watch, paint, pause and inspect a scene, without a name an empty sandbox. F1 shows the keys."""
    from gpufluid.render.look import Look

    width, height = options.window_size(size)
    look = Look.of(theme, background)
    loaded = load(scene, seed, settings, headless=False)

    with held_back():  # imgui-bundle aborts the process if its import is interrupted
        from gpufluid.gpu.variants import decide, requested
        from gpufluid.runtime.tuning import measuring
        from gpufluid.viewer.recorder import check_every
        from gpufluid.viewer.viewer import Viewer
        from gpufluid.viewer.window import show

    check_every(every)  # before there is a window
    rules, given = loaded.world.rules, requested(loaded.world.rules, variant)

    def opened(device: Device) -> Viewer:
        variants = decide(rules, given, device, measuring(device, remark))
        return Viewer(loaded.world, device, scene, variant=variants, film_every=every, look=look)

    show(opened, (width, height))
