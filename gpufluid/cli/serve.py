"""The command ``serve``: show a scene in a browser, also from a machine far away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpufluid.cli import options
from gpufluid.cli.opening import decide_variants_of_viewer, load
from gpufluid.cli.terminal import answer, preparation_remarked, remark


def serve(
    scene: options.SceneName = "sandbox",
    seed: options.Seed = None,
    settings: options.Set = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen at; by default only this machine.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0: any free one.")] = 8765,
    shared: Annotated[bool, typer.Option("--shared", help="Everybody paints; else one page has the brush.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            help="Pages open the scenes, snapshots and pictures in this folder, and what they save is kept in it."
            " A page reaches no other file. Without a folder pages fetch what they save, and it is deleted at the end.",
        ),
    ] = None,
    every: options.Every = 2,
    theme: options.Theme = "day",
    background: options.Background = None,
    variant: options.Variants = None,
    device: options.Device = None,  # noqa: ARG001  its callback uses it
) -> None:
    """Show a scene in a browser, where people watch it and paint in it: also on a server, through an SSH tunnel."""
    from gpufluid.core import extras
    from gpufluid.core.errors import UsageError

    extras.require("serve", "gpufluid serve")
    from gpufluid.gpu.device import shared_device
    from gpufluid.gpu.variants import requested
    from gpufluid.render.look import Look
    from gpufluid.serve.serving import Plan, is_loopback
    from gpufluid.serve.serving import serve as serve_viewer
    from gpufluid.serve.website import ANYWHERE
    from gpufluid.viewer import Viewer
    from gpufluid.viewer.recorder import check_every

    look = Look.of(theme, background)
    check_every(every)
    if folder is not None and not folder.is_dir():
        raise UsageError(f"--folder {folder}: there is no such folder")
    if not is_loopback(host):
        remark(
            f"warning: {host} can be reached from other machines, and what is sent is not encrypted: whoever has the"
            " address below can watch and paint; an SSH tunnel to 127.0.0.1 is safer"
            + (f". From there, put the name of this machine in place of {host}" if host in ANYWHERE else "")
        )
    loaded = load(scene, seed, settings)
    given = requested(loaded.world.rules, variant)

    def opened() -> Viewer:
        device = shared_device()
        variants = decide_variants_of_viewer(loaded.world, given, device)
        with preparation_remarked(device):
            return Viewer(loaded.world, device, scene, variant=variants, film_every=every, look=look)

    serves = False

    def announce(address: str) -> None:
        nonlocal serves
        answer(None, f"{scene}: open {address}\nCtrl-C ends this.")
        serves = True

    try:
        serve_viewer(opened, Plan(host, port, shared, folder), announce)
    except KeyboardInterrupt:  # the only way to end it
        if not serves:
            raise
        remark("ended")
