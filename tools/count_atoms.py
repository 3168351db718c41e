"""Follow every atom of every scene for thousands of ticks: none is made, lost, doubled or turned into another.

In each tick each atom's origin is read from the trace: no two atoms come from one cell, each has the material and the
grain of what lay there, as many are new as emitters have made, and as many are gone as drains and edges have taken. By
induction the tags of all atoms are permuted in every tick.

    python tools/count_atoms.py [--ticks 10000] [SCENE ...]
"""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer

from gpufluid import Simulation, World, scene


class Watch:
    """The atoms of a simulation that keeps its trace, looked at after each tick."""

    def __init__(self, world: World) -> None:
        self._sim = Simulation(world, trace=True)
        self._before = world
        self._rows, self._columns = np.indices((world.height, world.width))

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *exception: object) -> None:
        self._sim.close()

    def tick(self) -> None:
        """One tick, and what it may not have done. Raises: AssertionError."""
        self._sim.step()
        before, after = self._before, self._sim.read()
        there = after["material"] > 0
        across, down = np.moveaxis(self._sim.moves(), 2, 0)
        rows, columns = ((self._rows - down) % after.height)[there], ((self._columns - across) % after.width)[there]
        old = before["material"][rows, columns] > 0  # the others have come into empty cells in this tick
        origins = (rows * after.width + columns)[old]
        assert len(np.unique(origins)) == len(origins), f"tick {after.tick}: two atoms come from one cell"
        for name in ("material", "grain"):
            same = after[name][there][old] == before[name].ravel()[origins]
            assert same.all(), f"tick {after.tick}: {(~same).sum()} atoms have changed their {name}"
        emitted = total(after, "emitted") - total(before, "emitted")
        gone = total(after, "drained", "left") - total(before, "drained", "left")
        assert (before["material"] > 0).sum() + emitted - gone == there.sum(), f"tick {after.tick}: the ledger is wrong"
        assert len(origins) >= there.sum() - emitted, f"tick {after.tick}: an atom comes from nowhere"
        self._before = after


def total(world: World, *ways: str) -> int:
    """Atoms of all materials that have gone these ways since tick 0."""
    return sum(getattr(world.atoms[name], way) for name in world.atoms for way in ways)


def main(
    names: Annotated[list[str] | None, typer.Argument(metavar="SCENE", help="all with rule atoms, if none")] = None,
    ticks: Annotated[int, typer.Option(help="of each scene")] = 10_000,
) -> None:
    """Follow every atom of each scene."""
    for path in scene.shipped():
        world = scene.read(path).world
        if "atoms" not in world.rules or (names and path.stem not in names):
            continue
        start = time.perf_counter()
        with Watch(world) as watch:
            for _ in range(ticks):
                watch.tick()
        atoms = int((world["material"] > 0).sum())
        print(f"{path.stem:24} {ticks} ticks, {atoms} cells at first: all there, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    typer.run(main)
