"""The command ``view``: open a window on a scene."""

from __future__ import annotations

from gpufluid.cli import options
from gpufluid.cli.opening import load
from gpufluid.cli.terminal import remark


def view(
    scene: options.SceneName = "waterfall",
    seed: options.Seed = None,
    settings: options.Set = None,
    size: options.WindowSize = "1280x800",
    variant: options.Variants = None,
) -> None:
    """Open a window: watch a scene, paint into it, stop it, look closer. F1 shows the keys."""
    width, height = options.window_size(size)
    loaded = load(scene, seed, settings, headless=False)
    from gpufluid.gpu.variants import asked
    from gpufluid.runtime.tuning import decide
    from gpufluid.viewer.viewer import Viewer
    from gpufluid.viewer.window import show

    rules, wanted = loaded.world.rules, asked(loaded.world.rules, variant)  # before there is a window
    show(
        lambda device: Viewer(loaded.world, device, scene, variant=decide(rules, wanted, device, remark)),
        (width, height),
    )
