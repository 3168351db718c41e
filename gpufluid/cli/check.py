"""The command ``check``: compare the GPU with the oracle."""

from __future__ import annotations

from typing import Annotated

import typer

from gpufluid.cli import options, terminal
from gpufluid.cli.opening import decide_variants, load
from gpufluid.cli.terminal import progress_of_ticks


def check(
    scene: options.SceneName,
    ticks: Annotated[int, typer.Option("--ticks", help="The number of ticks to compare.", min=0)] = 200,
    seed: options.Seed = None,
    settings: options.Set = None,
    variant: options.Variants = None,
    awake: options.Awake = False,
    ranks: options.Ranks = None,
    device: options.Device = None,  # noqa: ARG001  its callback uses it
    as_json: options.AsJson = False,
) -> None:
    """Compare the GPU with the oracle, bit for bit; exit 1 if they differ. Under mpiexec the ranks share the world."""
    from gpufluid.cli import sharing
    from gpufluid.run import checking

    grid = sharing.checked_grid(ranks)
    if sharing.follows():
        return
    with sharing.leading(grid) as count:
        loaded = load(scene, seed, settings)
        variants = decide_variants(loaded, variant)
        with (
            sharing.simulated(loaded.world, False, variants, sleeping=not awake) as simulation,
            progress_of_ticks(ticks) as progress,
        ):
            difference = checking.compare(
                simulation, loaded.world, ticks, progress, variants, sleeping=not awake, ranks=count
            )
    verdict = "equal" if difference is None else "different"
    answer = {"scene": loaded.title, "ticks": ticks, "verdict": verdict, "difference": str(difference or "") or None}
    answer["variants"] = variants
    answer["ranks"] = count
    where = f"GPU and oracle on {count} ranks" if count > 1 else "GPU and oracle"
    text = f"{loaded.title}: {where} are equal, bit for bit, for {ticks} ticks"
    terminal.answer(answer, text if difference is None else f"{loaded.title}: {difference}", as_json=as_json)
    if difference is not None:
        raise typer.Exit(1)
