"""The GPU held against the oracle, bit for bit, tick by tick; where they differ, pass by pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gpufluid import oracle
from gpufluid.core.fields import QUANTITIES, any_component, in_cell, in_words
from gpufluid.gpu.variants import Wanted
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place at which GPU and oracle part.

    Args:
        name: the pass, as ``rule.name``.
        tick: the tick that it was part of.
        substep: its run within the tick.
        field: the array that differs, or a ledger.
        cell: (row, column); None for a ledger.
        gpu, oracle: the two values.
        cells: how many cells differ after this pass.
    """

    name: str
    tick: int
    substep: int
    field: str
    cell: tuple[int, int] | None
    gpu: str
    oracle: str
    cells: int

    def __str__(self) -> str:
        place = f"{self.field}[{self.cell[0]}, {self.cell[1]}]" if self.cell else self.field
        more = f" ({self.cells} cells differ)" if self.cells > 1 else ""
        return (
            f"pass {self.name}, tick {self.tick}, substep {self.substep}:"
            f" {place} is {self.gpu} on the GPU and {self.oracle} in the oracle{more}"
        )


def check(
    world: World,
    ticks: int,
    progress: Callable[[int], None] | None = None,
    variant: Wanted = None,
    sleeping: bool = True,
) -> Difference | None:
    """Run a world on the GPU and in the oracle side by side.

    Args:
        world: the first state.
        ticks: how many to compare.
        progress: told how many have been compared.
        variant, sleeping: how it runs on the GPU, as for `Simulation`.
    Returns: the first difference, or None.
    Raises: WorldError: the world cannot run. DeviceError: no OpenGL.
    """
    world.check_ticks(ticks)
    twin = world.copy()
    with Simulation(world, variant=variant, sleeping=sleeping) as simulation:
        for done in range(ticks):
            before = twin.copy()
            tally = oracle.tick(twin)
            simulation.step()
            same = _parted(simulation.read(), twin) is None and _activity(simulation) == tally.moved
            if not same:
                return _searched(before, simulation.variants, sleeping) or _total_difference(
                    before, simulation, twin, tally.moved
                )
            if progress is not None:
                progress(done + 1)
        if simulation.digest() != twin.digest():
            return Difference("digest", twin.tick, 0, "digest", None, simulation.digest(), twin.digest(), 0)
    return None


def _searched(before: World, variant: Wanted, sleeping: bool) -> Difference | None:
    """Run one tick again, looking after each pass."""
    twin = before.copy()
    with Simulation(before, variant=variant, sleeping=sleeping) as simulation:
        for call in simulation.calls():
            simulation.run(call)
            if call.pass_.analysis_only:
                continue
            oracle.apply(twin, call)
            parted = _parted(simulation.read(), twin)
            if parted:
                return Difference(call.pass_.full_name, call.tick, call.substep, *parted)
    return None


def _total_difference(before: World, simulation: Simulation, twin: World, moved: int) -> Difference:
    """Every pass agrees when looked at alone, but the tick as a whole, or its activity, does not."""
    parted = _parted(simulation.read(), twin) or ("activity", None, str(_activity(simulation)), str(moved), 0)
    return Difference("tick", before.tick, 0, *parted)


def _activity(simulation: Simulation) -> int:
    return simulation.activity() if simulation.laws.has_amounts else 0


def _parted(gpu: World, twin: World) -> tuple[str, tuple[int, int] | None, str, str, int] | None:
    for name in twin.fields:
        differ = any_component(name, gpu[name] != twin[name])
        if differ.any():
            row, column = (int(i) for i in np.argwhere(differ)[0])
            at = row, column
            values = in_words(in_cell(name, gpu[name], *at)), in_words(in_cell(name, twin[name], *at))
            return name, (row, column), *values, int(differ.sum())
    for name, theirs in twin.ledgers.items():
        quantity, ours = QUANTITIES[name], gpu.ledgers[name]
        if not quantity.by and ours != theirs:
            return quantity.known_as, None, str(ours), str(theirs), 0
        for counted in [*theirs, *ours] if quantity.by else ():
            if ours[counted] != theirs[counted]:
                return f"{quantity.known_as}[{counted!r}]", None, str(ours[counted]), str(theirs[counted]), 0
    return None
