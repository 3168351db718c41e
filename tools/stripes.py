"""Measure how striped scenes look: the difference between horizontal and vertical bars one cell thick.

A cell is part of a horizontal bar if it differs from the cells above and below it and equals the cells to its left and
right; of a vertical bar, with rows and columns exchanged. Both "differs" and "equals" are of one mask, such as "is
water"; gaps in the matter count as bars too. Single drops do not count, because they equal no neighbour, and a surface
does not, because it differs on one side only. Nor does a film on a floor, a wall or a ceiling: a cell next to a solid
has no surface on that side. Noise has as many horizontal bars as vertical ones, so the measure is the difference of the
two numbers of cells, divided by the cells with the matter.

``tools/stripes.py [SCENE ...]`` prints the mean and the maximum of the measure over ticks 5 to 150, every fifth, and
both values of the first edition.
"""

from __future__ import annotations

import argparse

import numpy as np

import gpufluid

FIRST_EDITION = {
    "two_liquids": ("oil", 0.132, 0.187),
    "waterfall": ("water", 0.032, 0.048),
    "gas_room": ("steam", 0.035, 0.187),
    "rubber_balls": ("rubber", 0.031, 0.079),
    "water_column": ("water", 0.024, 0.102),
    "water_drop": ("water", 0.002, 0.020),
    "mixed_maze": ("water", 0.519, 1.125),
    "sand_columns": ("sand", 0.339, 1.495),
    "steam_bells": ("steam", 0.120, 0.246),
    "closed_cycle": ("water", 0.056, 0.162),
    "broken_walls": ("water", 0.042, 0.543),
    "lava_meets_water": ("water", 0.069, 0.875),
}
"""By scene: the material that is measured, and the mean and the maximum of its stripes in the first edition."""


def bar_shares(mask: np.ndarray, solid: np.ndarray) -> tuple[float, float]:
    """The number of cells in horizontal bars and in vertical bars, as shares of the cells of a mask.

    Args:
        mask: [row, column] bool, at least 3 by 3.
        solid: the solid cells, of the same shape.
    """
    cells = max(int(mask.sum()), 1)
    return _in_horizontal_bars(mask, solid) / cells, _in_horizontal_bars(mask.T, solid.T) / cells


def _in_horizontal_bars(mask: np.ndarray, solid: np.ndarray) -> int:
    here, over, under = mask[1:-1, 1:-1], mask[:-2, 1:-1], mask[2:, 1:-1]
    left, right = mask[1:-1, :-2], mask[1:-1, 2:]
    free = ~(solid[:-2, 1:-1] | solid[2:, 1:-1])
    return int((free & (here != over) & (here != under) & (here == left) & (here == right)).sum())


def mask_of(world: gpufluid.World, material: str) -> np.ndarray:
    """The cells that hold a material: an atom of it, or at least half a cell of it in a mixture or as mass."""
    if "mixture" in world.rules and material in world.mixture.names:
        return world["mixture"][world.mixture.names.index(material)] > gpufluid.FULL // 2
    if "flow" in world.rules and material == "water":
        return world["mass"] > gpufluid.FULL // 2
    return world["material"] == world.materials[material]


def stripes_of(world: gpufluid.World, material: str) -> np.ndarray:
    """The stripes of a material after ticks 5, 10, ... 150: (30,) float, shares of its cells."""
    found = []
    with gpufluid.Simulation(world) as sim:
        for _ in range(30):
            sim.step(5)
            now = sim.read()
            horizontal, vertical = bar_shares(mask_of(now, material), now.solid)
            found.append(abs(horizontal - vertical))
    return np.array(found)


def main() -> None:
    """Print a line for each scene that is named, or for all of `FIRST_EDITION`."""
    parser = argparse.ArgumentParser(description="Print the share of stripes in moving matter, the mean and the most.")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="by default those with stripes in the first edition")
    scenes = parser.parse_args().scenes
    print(f"{'scene':20} {'material':8} {'mean':>7} {'most':>7}   {'first edition':>15}")
    for scene in scenes or FIRST_EDITION:
        material, mean, most = FIRST_EDITION.get(scene, ("water", 0.0, 0.0))
        found = stripes_of(gpufluid.load(scene), material)
        before = f"{mean:7.1%} {most:7.1%}" if scene in FIRST_EDITION else ""
        print(f"{scene:20} {material:8} {found.mean():7.2%} {found.max():7.2%}   {before:>15}")


if __name__ == "__main__":
    main()
