"""The command ``view``: open a window on a scene."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpufluid.cli import completing, options
from gpufluid.cli.opening import decide_variants_of_viewer, load
from gpufluid.core.interrupts import held_back

if TYPE_CHECKING:
    from gpufluid.gpu.device import Device
    from gpufluid.scene.matched_picture import MatchedPicture


def view(
    scene: Annotated[
        str,
        typer.Argument(
            metavar="SCENE",
            help="The name of a scene, a .toml file, a .npz snapshot, a .zarr store, or a picture (.png, .jpg, .webp).",
            autocompletion=completing.scenes_and_pictures,
        ),
    ] = "sandbox",
    seed: options.Seed = None,
    settings: options.Set = None,
    size: options.WindowSize = "1280x800",
    every: options.Every = 2,
    theme: options.Theme = "day",
    background: options.Background = None,
    variant: options.Variants = None,
    device: options.DeviceOfWorld = None,  # noqa: ARG001  its callback uses it
) -> None:
    """Open a window to watch, paint, pause and inspect a scene, without a name an empty sandbox. F1 shows the keys."""
    from gpufluid.core.extras import require
    from gpufluid.render.look import Look

    require("view", "gpufluid view")  # before the scene is built, which can take long
    width, height = options.window_size(size)
    look = Look.of(theme, background)
    picture = _picture(scene)
    world = (
        load(scene, seed, settings, headless=False).world
        if picture is None
        else picture.world(seed or 0, options.settings_of(settings or []))
    )

    with held_back():  # imgui-bundle aborts the process if its import is interrupted
        from gpufluid.gpu import egl_devices
        from gpufluid.gpu.device import shared_device
        from gpufluid.gpu.variants import requested
        from gpufluid.viewer.recorder import check_every
        from gpufluid.viewer.viewer import Viewer
        from gpufluid.viewer.window import show

    check_every(every)  # before there is a window
    given = requested(world.rules, variant)

    def opened(device: Device) -> Viewer:
        variants = decide_variants_of_viewer(world, given, device)
        viewer = Viewer(world, device, scene, variant=variants, film_every=every, look=look)
        if picture is not None:
            viewer.show_picture(picture)
        return viewer

    show(opened, (width, height), None if egl_devices.chosen() is None else shared_device())


def _picture(name: str) -> MatchedPicture | None:
    """The picture that a file name means; None: the name means something else."""
    from gpufluid.gpu.device import SIDE_GUARANTEED
    from gpufluid.scene.matched_picture import ENDINGS, MatchedPicture

    if Path(name).suffix.lower() not in ENDINGS:
        return None
    return MatchedPicture.read(Path(name), max_side=SIDE_GUARANTEED)
