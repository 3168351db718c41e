"""Plot the water levels of scene `communicating_vessels` over 100,000 ticks, and check that mass is conserved.

``.venv/bin/python tools/plot_levels.py docs/communicating_vessels_levels.png``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import gpufluid

VESSELS = {"cylinder": 19, "funnel": 57, "flask": 93}
"""The column at the middle of each vessel."""


def level(world: gpufluid.World, column: int) -> float:
    """Return the height of a column's water surface above the bottom of the world, in cells."""
    mass = world["mass"][:, column]
    wet = np.flatnonzero(mass > world.fixed("flow")["min_mass"])
    if not wet.size:
        return 0.0
    top = int(wet[0])
    return world.height - top - 1 + min(int(mass[top]) / gpufluid.FULL, 1.0)


def levels(ticks: int, samples: int) -> tuple[list[int], dict[str, list[float]]]:
    """Run the scene and sample the levels at ticks that are evenly spaced on a logarithmic scale.

    Returns: the sampled ticks; for each vessel, the level at each of these ticks, in cells.
    Raises: ArithmeticError: mass is not conserved.
    """
    world = gpufluid.load("communicating_vessels")
    moments = sorted({0, *np.geomspace(1, ticks, samples).round().astype(int).tolist()})
    found: dict[str, list[float]] = {name: [] for name in VESSELS}
    with gpufluid.Simulation(world) as simulation:
        for moment in moments:
            simulation.step(moment - simulation.tick)
            now = simulation.read()
            surplus = now.total() - world.total() - now.ledger.emitted
            if surplus:
                raise ArithmeticError(f"tick {moment}: mass differs by {surplus:+} units; expected 0")
            for name, column in VESSELS.items():
                found[name].append(level(now, column))
    return moments, found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", type=Path)
    words.add_argument("--ticks", type=int, default=100_000)
    given = words.parse_args()
    moments, found = levels(given.ticks, 200)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for name, heights in found.items():
        axes.plot(moments, heights, label=name)
    axes.set(xscale="symlog", xlabel="ticks", ylabel="water level, cells", title="Communicating vessels draw level")
    axes.legend()
    figure.savefig(given.out, dpi=110)
    last = {name: round(heights[-1], 3) for name, heights in found.items()}
    print(f"after {given.ticks} ticks: {last}; mass exact at all {len(moments)} moments")


if __name__ == "__main__":
    main()
