"""Measure how water of rule inertia moves, beside the formulas: ``python tools/measure_inertia.py [--plot FILE]``.

Five experiments, each with worlds of its own, by default on the software renderer:

1. The dam of 31 x 80 cells in a basin 128 wide, a U-tube of 40 x 60 and the vessels of scene `communicating_vessels`:
   when they are level, the vessels to a tenth of a cell and the others to two cells, and when they rest.
2. A low wave in channels of three depths, beside sqrt(g h): timed from column 60 to column 100, where each first has
   half of its largest rise.
3. A dam front on a dry bed, for three heights, beside sqrt(g h) and 2 sqrt(g h) (Ritter 1892): timed from one to five
   heights away from the dam.
4. The speed of water in holes at three depths, beside sqrt(2 g h) (Torricelli).
5. A stream that leaves a cliff at three speeds: how far it flies while it falls 20 rows, beside v sqrt(2 h / g).

It prints a line for each result, and ``--plot`` draws waves, fronts and holes into a picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np

from gpufluid import FULL, Emitter, Simulation, World, load
from gpufluid.core.small_floats import decoded
from gpufluid.rules import with_requirements

RULES = with_requirements("inertia")
DEPTHS = (6, 12, 24)
ARC_SPEEDS = (2, 3, 4)


def basin(height: int, width: int) -> World:
    """A world with a floor of two rows and a wall of one column on each side."""
    world = World(height, width, RULES)
    world["material"][-2:] = world["material"][:, [0, -1]] = world.materials["wall"]
    return world


def settle(world: World, unevenness: Callable[[np.ndarray], float], even: float = 2.0) -> dict[str, float]:
    """Run a world until it has settled, but for 10,000 ticks at most.

    Args:
        world: the world.
        unevenness: computes the difference of levels in cells from the masses, (height, width) float64 in cells.
        even: the difference in cells below which the water is level.
    Returns: the first tick at which the water is level, the tick from which on it stays below, the tick at which
        the world has settled, the largest mass of a cell and the last difference, in cells.
    """
    first, level, largest, uneven = np.inf, 0, 0.0, np.inf
    with Simulation(world) as sim:
        while not sim.settled and sim.tick < 10_000:
            sim.step()
            mass = sim.read()["mass"] / FULL
            largest, uneven = max(largest, mass.max()), unevenness(mass)
            first = min(first, sim.tick) if uneven < even else first
            level = sim.tick + 1 if uneven >= even else level
        settled = sim.tick if sim.settled else np.inf
    return {"first level": first, "level from": level, "settled": settled, "most mass": largest, "uneven": uneven}


def dam() -> dict[str, float]:
    """The dam of 31 x 80 cells in a basin 128 wide."""
    world = basin(96, 128)
    world["mass"][14:94, 1:32] = FULL
    return settle(world, lambda mass: float(np.ptp(mass[:, 1:-1].sum(0))))


def u_tube() -> dict[str, float]:
    """A U-tube of 40 x 60 cells; the left arm is filled from row 10 down, the right arm is empty."""
    world = basin(60, 40)
    world["mass"][10:59, 1:14] = FULL
    for part in (np.s_[:52, 14:26], np.s_[0, :], np.s_[-2:, :]):
        world["material"][part] = world.materials["wall"]
        world["mass"][part] = 0
    return settle(world, lambda mass: abs(float(mass[:52, 1:14].sum() - mass[:52, 26:39].sum())) / 13)


def vessels() -> dict[str, float]:
    """The vessels of scene communicating_vessels, each cell of their water one cell of mass; to a tenth of a cell."""
    scene = load("communicating_vessels")
    world = World(scene.height, scene.width, RULES)
    world["material"] = scene["material"]
    world["mass"] = np.where(scene["mass"] > 0, FULL, 0)

    def unevenness(mass: np.ndarray) -> float:
        """The difference of the numbers of rows of water in the middle of the cylinder, the funnel and the flask."""
        return float(np.ptp(np.minimum(mass[:, [19, 57, 93]], 1).sum(0)))

    return settle(world, unevenness, even=0.1)


def still_water(depth: int, width: int, columns: slice) -> World:
    """A channel with water of a depth in some columns, after it has come to rest behind a wall."""
    world = basin(depth + 16, width)
    world["mass"][14:-2, columns] = FULL
    wall = world.materials["wall"]
    if columns.stop < width - 1:
        world["material"][:, columns.stop] = wall
    with Simulation(world) as sim:
        sim.step(1500)
        rested = sim.read()
    rested["material"][:, columns.stop] = world["material"][:, width - 1] if columns.stop == width - 1 else 0
    rested["material"][-2:] = wall
    return rested


def gravity() -> float:
    """The speed that water gains in a tick of fall, in cells a tick."""
    return float(World(1, 1, RULES).parameters["inertia"]["acceleration"])


def wave(depth: int) -> float:
    """The speed of a low wave in a channel, as a share of sqrt(g h)."""
    world, places = still_water(depth, 360, slice(1, 359)), (60, 100)
    before = world["mass"].sum(0) / FULL
    columns = np.arange(1, 40)
    world["mass"][13, 1:40] += (FULL / 2 * (1 + np.cos(np.pi * columns / 40))).astype(np.int32)
    speed = np.sqrt(gravity() * depth)
    with Simulation(world) as sim:
        heights = []
        for _ in range(int(220 / speed)):
            sim.step()
            heights.append(sim.read()["mass"][:, places].sum(0) / FULL - before[list(places)])
    seen = np.array(heights)
    passed = [int(np.argmax(column > column.max() / 2)) for column in seen.T]
    return (places[1] - places[0]) / (passed[1] - passed[0]) / speed


def front(height: int) -> float:
    """The speed of a dam front on a dry bed, from one to five heights from the dam, as a share of sqrt(g h)."""
    world, speed = still_water(height, 300, slice(1, 100)), np.sqrt(gravity() * height)
    with Simulation(world) as sim:
        times = []
        for away in (height, 5 * height):
            while not (sim.read()["mass"][:, 100 + away].sum(dtype=np.int64) > FULL // 4) and sim.tick < 8000:
                sim.step()
            times.append(sim.tick)
    return 4 * height / (times[1] - times[0]) / speed


def hole(depth: int) -> float:
    """The speed of water in a hole of three rows at a depth, as a share of sqrt(2 g h)."""
    world = basin(90, 110)
    wall = world.materials["wall"]
    world["material"][:61, 40] = wall
    world["material"][52:55, 40] = 0
    world["material"][59:61, :41] = wall
    world["mass"][53 - depth : 59, 1:40] = FULL
    speed, seen = np.sqrt(2 * gravity() * depth), []
    with Simulation(world) as sim:
        for _ in range(40):
            sim.step(5)
            state = sim.read()
            surface = state["mass"][:59, 20].sum() / FULL - 6  # rows above the middle of the hole
            if sim.tick >= 60:
                right = decoded(state["momentum"][53, 40, 0]) / state["mass"][53, 40]
                seen.append(right / np.sqrt(2 * gravity() * surface) * speed)
    return float(np.mean(seen)) / speed


def arc(tenths: int) -> float:
    """How far a stream flies that leaves a cliff, while it falls 20 rows, as a share of v sqrt(2 h / g).

    Args:
        tenths: its speed at the edge, in tenths of a cell a tick.
    """
    world, fall = basin(60, 120), 20
    world["material"][20:, :20] = world.materials["wall"]
    world.emitters = (Emitter((12, 18), (8, 2), rate=tenths / 10, velocity=(tenths / 10, 0.0)),)
    speeds, landed = [], []
    with Simulation(world) as sim:
        sim.step(300)
        for _ in range(30):
            sim.step(5)
            state = sim.read()
            mass, edge = state["mass"].astype(np.int64), np.s_[17:20, 19]
            speeds.append(decoded(state["momentum"][edge][:, 0]).sum() / mass[edge].sum())
            row = mass[19 + fall, 20:-1]
            landed.append((row * np.arange(len(row))).sum() / row.sum())
    return float(np.mean(landed) / (np.mean(speeds) * np.sqrt(2 * fall / gravity())))


EXPERIMENTS: dict[str, tuple[Callable[[int], float], str, tuple[float, float]]] = {
    "wave": (wave, "sqrt(g h)", (0.8, 1.2)),
    "dam front": (front, "sqrt(g h)", (1.0, 2.0)),
    "hole": (hole, "sqrt(2 g h)", (0.8, 1.0)),
}
"""By name: the experiment, the formula, and the range of shares of it that is aimed at."""


def plot(found: dict[str, list[float]], path: Path) -> None:
    """Draw the measured shares of each formula by depth, with the ranges that are aimed at."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(found), figsize=(10, 3.2), layout="constrained")
    for axis, (name, shares) in zip(axes, found.items(), strict=True):
        _, formula, aim = EXPERIMENTS[name]
        axis.axhspan(*aim, color="#d8e8f8")
        axis.plot(DEPTHS, shares, "o-", color="#2a6fb0")
        axis.set(title=f"{name} / {formula}", xlabel="depth in cells", ylim=(0, 2.1))
    with path.open("wb") as file:
        figure.savefig(file, format="png", dpi=110)
    plt.close(figure)


def main() -> None:
    """Measure, print, and draw if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw waves, fronts and holes into a PNG")
    arguments = parser.parse_args()
    for name, run in (("dam", dam), ("U-tube", u_tube), ("vessels", vessels)):
        print(f"{name}: " + ", ".join(f"{key} {value:.4g}" for key, value in run().items()), flush=True)
    found: dict[str, list[float]] = {}
    for name, (experiment, formula, _) in EXPERIMENTS.items():
        found[name] = [experiment(depth) for depth in DEPTHS]
        print(f"{name}: {', '.join(f'{share:.2f}' for share in found[name])} of {formula} at {DEPTHS}", flush=True)
    shares = ", ".join(f"{arc(tenths):.2f}" for tenths in ARC_SPEEDS)
    print(f"arc: {shares} of v sqrt(2 h / g) at {ARC_SPEEDS} tenths of a cell a tick", flush=True)
    if arguments.plot:
        plot(found, arguments.plot)


if __name__ == "__main__":
    main()
