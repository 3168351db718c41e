"""Follow every atom of scenes for thousands of ticks, and check that none is made, lost, doubled or changed.

The scenes are those with rule ``atoms`` in which no atom becomes another material: without ``heat`` and ``reactions``.

In each tick, the trace gives each atom's origin. No two atoms come from one cell. Each atom has the material and the
grain of its origin. The number of new atoms equals the number emitted, and the number of missing atoms equals the
number drained or gone through open edges. By induction, every tick permutes the atoms.

    python tools/count_atoms.py [--ticks 10000] [SCENE ...]
"""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer

from gpufluid import Simulation, World, scene

CHANGING = {"heat", "reactions"}
"""The rules by which atoms become other materials; the ledger counts these, and a trace does not."""


class Watch:
    """Checks the atoms of a simulation with a trace after each tick."""

    def __init__(self, world: World) -> None:
        self._sim = Simulation(world, trace=True)
        self._before = world
        self._rows, self._columns = np.indices((world.height, world.width))

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *exception: object) -> None:
        self._sim.close()

    def tick(self) -> None:
        """Run and check a tick. Raises: AssertionError: an atom was made, lost, doubled or changed."""
        self._sim.step()
        before, after = self._before, self._sim.read()
        there = after["material"] > 0
        across, down = np.moveaxis(self._sim.moves(), 2, 0)
        rows, columns = ((self._rows - down) % after.height)[there], ((self._columns - across) % after.width)[there]
        old = before["material"][rows, columns] > 0  # other atoms were emitted into empty cells
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
    """Sum of ledger entries, such as ``emitted``, over all materials since tick 0."""
    return sum(getattr(world.atoms[name], way) for name in world.atoms for way in ways)


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="SCENE", help="by default all scenes in which atoms stay what they are"),
    ] = None,
    ticks: Annotated[int, typer.Option(help="number of ticks of each scene")] = 10_000,
) -> None:
    """Follow every atom of each scene."""
    for path in scene.shipped():
        world = scene.read(path).world
        if names and path.stem not in names:
            continue
        if "atoms" not in world.rules or set(world.rules) & CHANGING:
            if names:
                found = ", ".join(world.rules)
                raise typer.BadParameter(f"{path.stem} has rules {found}; expected atoms, without heat and reactions")
            continue
        start = time.perf_counter()
        with Watch(world) as watch:
            for _ in range(ticks):
                watch.tick()
        atoms = int((world["material"] > 0).sum())
        print(f"{path.stem:24} {ticks} ticks, {atoms} cells at first: all there, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    typer.run(main)
