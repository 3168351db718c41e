"""Compares the GPU with the oracle bit for bit: each tick, and after a difference each pass of that tick."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gpufluid import oracle
from gpufluid.core.fields import QUANTITIES
from gpufluid.core.packing import any_component, cell_value, value_text
from gpufluid.gpu.variants import Wanted
from gpufluid.run.recordable import Recordable
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World
from gpufluid.world.limits import check_step


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between the GPU and the oracle.

    Args:
        name: the pass, as ``rule.pass``.
        tick: the tick of the pass.
        substep: the substep of the pass in its tick.
        field: the field that differs, or a ledger.
        cell: (row, column) of the first cell that differs; None: a ledger differs.
        gpu, oracle: the two values.
        cells: the number of cells that differ after the pass.
        ranks: the number of processes whose shared world differs, while that of one process does not; 1: no such.
    """

    name: str
    tick: int
    substep: int
    field: str
    cell: tuple[int, int] | None
    gpu: str
    oracle: str
    cells: int
    ranks: int = 1

    def __str__(self) -> str:
        place = f"{self.field}[{self.cell[0]}, {self.cell[1]}]" if self.cell else self.field
        more = f" ({self.cells} cells differ)" if self.cells > 1 else ""
        shared = f"on {self.ranks} ranks, but not in one process, " if self.ranks > 1 else ""
        return (
            f"{shared}pass {self.name}, tick {self.tick}, substep {self.substep}:"
            f" {place} is {self.gpu} on the GPU and {self.oracle} in the oracle{more}"
        )


def check(
    world: World,
    ticks: int,
    progress: Callable[[int], None] | None = None,
    variant: Wanted = None,
    sleeping: bool = True,
) -> Difference | None:
    """Run a world on the GPU and in the oracle, and compare all states.

    Args:
        world: the first state.
        ticks: the number of ticks to compare.
        progress: called after each tick with the number of ticks compared.
        variant, sleeping: as for `Simulation`.
    Returns: the first difference; None: all states are equal.
    Raises: WorldError: an invalid world, or ticks beyond the last one. DeviceError: no OpenGL.
    """
    with Simulation(world, variant=variant, sleeping=sleeping) as simulation:
        return compare(simulation, world, ticks, progress, simulation.variants, sleeping)


def compare(
    simulation: Recordable,
    world: World,
    ticks: int,
    progress: Callable[[int], None] | None,
    variants: Mapping[str, str],
    sleeping: bool,
    ranks: int = 1,
) -> Difference | None:
    """Run a simulation, and its world in the oracle, and compare all states.

    Args:
        simulation: a simulation that begins with the world, of one process or of several ranks.
        world: the first state; it stays as it is.
        ticks: the number of ticks to compare.
        progress: called after each tick with the number of ticks compared; None: no reports.
        variants: the variant of each rule in the simulation, by the rule's name.
        sleeping: whether the simulation leaves tiles out in which nothing can change.
        ranks: the number of processes that share the simulation's world.
    Returns: the first difference; None: all states are equal. The pass that differs is looked for in one process; if
        all passes agree there, the difference is that of a whole tick.
    Raises: WorldError: ticks beyond the last one.
    """
    check_step(ticks, world.tick)
    twin = world.copy()
    for done in range(ticks):
        before = twin.copy()
        tally = oracle.tick(twin)
        simulation.step()
        same = _first_mismatch(simulation.read(), twin) is None and _activity(simulation) == tally.moved
        if not same:
            return _difference_of_pass(before, variants, sleeping) or _difference_of_tick(
                before, simulation, twin, tally.moved, ranks
            )
        if progress is not None:
            progress(done + 1)
    if simulation.digest() != twin.digest():
        return Difference("digest", twin.tick, 0, "digest", None, simulation.digest(), twin.digest(), 0, ranks)
    return None


def _difference_of_pass(before: World, variant: Wanted, sleeping: bool) -> Difference | None:
    """Run one tick again and compare after each pass; None: no pass differs."""
    twin = before.copy()
    with Simulation(before, variant=variant, sleeping=sleeping) as simulation:
        running = simulation.running
        for call in simulation.calls():
            if call.pass_.full_name in running:
                simulation.run(call)
            if call.pass_.analysis_only:
                continue
            oracle.apply(twin, call)
            mismatch = _first_mismatch(simulation.read(), twin)
            if mismatch:
                return Difference(call.pass_.full_name, call.tick, call.substep, *mismatch)
    return None


def _difference_of_tick(before: World, simulation: Recordable, twin: World, moved: int, ranks: int) -> Difference:
    """The difference after a whole tick whose passes, run one by one in one process, all agree."""
    activity = "activity", None, str(_activity(simulation)), str(moved), 0
    return Difference("tick", before.tick, 0, *(_first_mismatch(simulation.read(), twin) or activity), ranks)


def _activity(simulation: Recordable) -> int:
    return simulation.activity() if simulation.blank.has_amounts else 0


def _first_mismatch(gpu: World, twin: World) -> tuple[str, tuple[int, int] | None, str, str, int] | None:
    """The first field or ledger that differs: (field, cell, value on the GPU, value in the oracle, number of cells)."""
    found, expected = gpu.complete_arrays(), twin.complete_arrays()
    for name in twin.fields:
        differ = any_component(name, found[name] != expected[name])
        if differ.any():
            row, column = (int(i) for i in np.argwhere(differ)[0])
            at = row, column
            values = value_text(cell_value(name, found[name], *at)), value_text(cell_value(name, expected[name], *at))
            return name, (row, column), *values, int(differ.sum())
    for name, theirs in twin.ledgers.items():
        quantity, ours = QUANTITIES[name], gpu.ledgers[name]
        if not quantity.by and ours != theirs:
            return quantity.known_as, None, str(ours), str(theirs), 0
        for counted in [*theirs, *ours] if quantity.by else ():
            if ours[counted] != theirs[counted]:
                return f"{quantity.known_as}[{counted!r}]", None, str(ours[counted]), str(theirs[counted]), 0
    return None
