"""Plot the amounts of water, steam and ice in a scene over time, and check that their sum is conserved.

``.venv/bin/python tools/plot_water_cycle.py docs/water_cycle.png``
``.venv/bin/python tools/plot_water_cycle.py cycle.png --scene closed_cycle --samples 20``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import gpufluid
from gpufluid import scene

STATES = ("water", "steam", "ice")
PARTS = 5
"""Number of equal time spans for which the boiled amount is printed, to show whether the cycle continues."""


def cycle(world: gpufluid.World, ticks: int, samples: int) -> tuple[list[int], dict[str, list[int]]]:
    """Run a world and sample the amounts at evenly spaced ticks.

    Returns: the sampled ticks; at each of them the amounts of water, steam and ice, and the totals ``boiled`` and
        ``condensed`` so far, in units of a mixture or in atoms.
    Raises: ArithmeticError: the sum of water, steam and ice is not conserved.
    """
    moments = np.linspace(0, ticks, samples + 1).round().astype(int).tolist()
    found: dict[str, list[int]] = {name: [] for name in (*STATES, "boiled", "condensed")}
    with gpufluid.Simulation(world) as simulation:
        for moment in moments:
            simulation.step(moment - simulation.tick)
            now = simulation.contents() if len(world.mixture) else simulation.counts()
            steam = (simulation.amounts if len(world.mixture) else simulation.atoms)["steam"]
            for name in STATES:
                found[name].append(now[name])
            found["boiled"].append(steam.made)
            found["condensed"].append(steam.used)
            surplus = sum(found[name][-1] - found[name][0] for name in STATES)
            if surplus:
                raise ArithmeticError(f"tick {moment}: water, steam and ice differ by {surplus:+}; expected 0")
    return moments, found


def draw(moments: list[int], found: dict[str, np.ndarray], unit: str, title: str) -> Figure:
    """Draw the amounts, and below them the rates of boiling and condensing."""
    figure = Figure(figsize=(8, 6), layout="constrained")
    above, below = figure.subplots(2, sharex=True)
    for name in STATES:
        above.plot(moments, found[name], label=name)
    above.set(ylabel=unit, title=f"The water of a {title.lower()}")
    for name in ("boiled", "condensed"):
        below.plot(moments[1:], np.diff(found[name]) / np.diff(moments), label=name)
    below.set(xlabel="ticks", ylabel=f"{unit} a tick")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", type=Path)
    words.add_argument("--scene", default="kettle", help="a scene with water, steam and ice")
    words.add_argument("--ticks", type=int, default=20_000)
    words.add_argument("--samples", type=int, default=100, help="number of ticks at which amounts are sampled")
    given = words.parse_args()
    loaded = scene.read(scene.find(given.scene))
    moments, counted = cycle(loaded.world, given.ticks, given.samples)
    unit, whole = ("cells", gpufluid.FULL) if len(loaded.world.mixture) else ("atoms", 1)
    found = {name: np.array(values) / whole for name, values in counted.items()}
    draw(moments, found, unit, loaded.title).savefig(given.out, dpi=110)
    last = ", ".join(f"{values[-1]:.6g} {name}" for name, values in found.items())
    print(f"after {given.ticks} ticks: {last}, in {unit}; water, steam and ice constant at all {len(moments)} moments")
    parts = np.diff(np.interp(np.linspace(0, given.ticks, PARTS + 1), moments, found["boiled"]))
    print(f"boiled in each of {PARTS} parts of the time: {', '.join(f'{each:.6g}' for each in parts)} {unit}")


if __name__ == "__main__":
    main()
