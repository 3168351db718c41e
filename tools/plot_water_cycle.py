"""Plot how the water of `kettle` boils, condenses and rains over 20,000 ticks, with not an atom of it lost.

``.venv/bin/python tools/plot_water_cycle.py docs/water_cycle.png``
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import gpufluid

STATES = ("water", "steam", "ice")


def cycle(ticks: int, samples: int) -> tuple[list[int], dict[str, list[int]]]:
    """The moments, evenly spread, and at each the atoms of each state and how many have ``boiled`` and ``condensed``.

    Raises: ArithmeticError: an atom of water, steam and ice together was made or lost.
    """
    world = gpufluid.load("kettle")
    moments = np.linspace(0, ticks, samples + 1).round().astype(int).tolist()
    found: dict[str, list[int]] = {name: [] for name in (*STATES, "boiled", "condensed")}
    with gpufluid.Simulation(world) as simulation:
        for moment in moments:
            simulation.step(moment - simulation.tick)
            counts, atoms = simulation.counts(), simulation.atoms
            for name in STATES:
                found[name].append(counts[name])
            found["boiled"].append(atoms["steam"].made)
            found["condensed"].append(atoms["steam"].used)
            surplus = sum(found[name][-1] - found[name][0] for name in STATES)
            if surplus:
                raise ArithmeticError(f"tick {moment}: {surplus:+} atoms of water, steam and ice")
    return moments, found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("out", type=Path)
    words.add_argument("--ticks", type=int, default=20_000)
    given = words.parse_args()
    moments, found = cycle(given.ticks, 100)
    figure = Figure(figsize=(8, 6), layout="constrained")
    above, below = figure.subplots(2, sharex=True)
    for name in STATES:
        above.plot(moments, found[name], label=name)
    above.set(ylabel="atoms", title="The water of a kettle")
    for name in ("boiled", "condensed"):
        below.plot(moments[1:], np.diff(found[name]) / np.diff(moments), label=name)
    below.set(xlabel="ticks", ylabel="atoms a tick")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
        axes.legend()
    figure.savefig(given.out, dpi=110)
    last = {name: values[-1] for name, values in found.items()}
    print(f"after {given.ticks} ticks: {last}; water, steam and ice constant at all {len(moments)} moments")


if __name__ == "__main__":
    main()
