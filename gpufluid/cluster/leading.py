"""Rank 0 runs a program, such as a command, and broadcasts its calls of the shared world; the others repeat them.

So only rank 0 decides what depends on time or on the user, such as when to interrupt a run, and only rank 0 prints and
writes files, except the shards of stores, which all ranks write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from gpufluid.cluster.grid import Shape
from gpufluid.cluster.ranks import abort, meet_before, share_machine
from gpufluid.cluster.simulation import Simulation
from gpufluid.core.errors import GpufluidError
from gpufluid.core.interrupts import held_back, ignore_all
from gpufluid.io.loading import WorldName
from gpufluid.render.settings import PictureSettings
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.statistics import Statistics

if TYPE_CHECKING:
    from mpi4py.MPI import Comm


def _send_order(comm: Comm, order: object) -> None:
    """Give an order to the ranks that wait for one."""
    meet_before(comm)
    comm.bcast(order)


def _receive_order(comm: Comm) -> Any:  # noqa: ANN401  whatever rank 0 tells
    """Wait for an order of rank 0."""
    meet_before(comm)
    return comm.bcast(None)


class SharedSimulation:
    """Rank 0's access to the world that all ranks share. The other ranks, in `follow`, make each call that needs them.

    Args:
        simulation: rank 0's simulation.
        comm: the communicator of all ranks.
    """

    def __init__(self, simulation: Simulation, comm: Comm) -> None:
        self._simulation, self._comm = simulation, comm
        self._closed = False
        self.busy = False
        """True while all ranks are in a call."""

    def _all(self, name: str, *arguments: object) -> Any:  # noqa: ANN401  whatever the method returns
        """Call a method of the simulation on all ranks, or read a property of it. Returns rank 0's result.

        Ctrl-C is raised only after the call, because the other ranks wait for this one during the call.
        """
        with held_back():
            _send_order(self._comm, (name, arguments))
            self.busy = True
            try:
                found = getattr(self._simulation, name)
                answer = found(*arguments) if callable(found) else found
            except GpufluidError:  # all ranks have raised it
                self.busy = False
                raise
            self.busy = False
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the simulations of all ranks. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self.busy:  # an error has come in the middle of a call, and the other ranks wait for its end
            self._comm.Abort(1)
        _send_order(self._comm, None)
        self._simulation.close()

    @property
    def tick(self) -> int:
        """The number of the next tick."""
        return self._simulation.tick

    @property
    def blank(self) -> World:
        """A world of the same laws and ports, without cells: its arrays cannot be written."""
        return self._simulation.blank

    @property
    def renderer(self) -> str:
        """The name of rank 0's device, and how many ranks there are beside it."""
        others = self._simulation.ranks - 1
        return f"{self._simulation.renderer}, and {others} more {'rank' if others == 1 else 'ranks'}"

    def step(self, ticks: int = 1) -> None:
        """Run a number of ticks; see `Simulation.step`."""
        self._all("step", ticks)

    def finish(self) -> None:
        """Wait until all devices have done all their work."""
        self._all("finish")

    def digest(self) -> str:
        """The digest of the current state."""
        return self._all("digest")

    def costs(self) -> list[tuple[int, float]]:
        """The bytes sent and the seconds waited of each rank; see `Simulation.costs`."""
        return self._all("costs")

    def statistics(self) -> Statistics:
        """The statistics of the current state."""
        return self._all("statistics")

    @property
    def ledgers(self) -> dict[str, AnyLedger]:
        """The current ledgers of all quantities, by the quantity's name."""
        return self._all("ledgers")

    def activity(self) -> int:
        """Units of mass, or of a mixture, that moved between cells in the last tick."""
        return self._all("activity")

    @property
    def settled(self) -> bool:
        """True if no later tick can change anything."""
        return self._all("settled")

    def read(self) -> World:
        """The exact current state, as a new world."""
        return self._all("read")

    def write_shards(self, folder: Path, path: Path) -> None:
        """Write all cells into the arrays of a store; see `cluster.Simulation.write_shards`."""
        self._all("write_shards", folder, path)

    def picture(self, settings: PictureSettings) -> np.ndarray:
        """A picture of the current state, (rows, columns, 3) uint8, sRGB."""
        return self._all("picture", settings)

    def check_picture(self, settings: PictureSettings) -> None:
        """Raise UsageError or DeviceError if a picture cannot be drawn; see `cluster.Simulation.check_picture`."""
        self._all("check_picture", settings)

    def check_overlay(self, overlay: str) -> None:
        """Raise UsageError if a picture of a shared world cannot show an overlay."""
        self._simulation.check_overlay(overlay)


class Team:
    """The ranks as rank 0 sees them. They share worlds, one after the other.

    Args:
        comm: the communicator of all ranks.
        ranks: the grid of ranks, as for `Simulation`.
    """

    def __init__(self, comm: Comm, ranks: Shape | None) -> None:
        self._comm, self._ranks = comm, ranks
        self._simulation: SharedSimulation | None = None

    def simulate(self, world: World | WorldName, variants: Mapping[str, str], sleeping: bool) -> SharedSimulation:
        """Share a world among all ranks, after the end of the one before. Raises: as `Simulation`."""
        self.close()
        try:
            _send_order(self._comm, True)
            simulation = Simulation(world, self._comm, variants, sleeping, ranks=self._ranks)
            self._simulation = SharedSimulation(simulation, self._comm)
        except GpufluidError:  # all ranks have raised it
            raise
        except BaseException as error:  # such as Ctrl-C: the other ranks wait for their parts
            abort(self._comm, error)
            raise
        return self._simulation

    def close(self) -> None:
        """End the world that the ranks share, if there is one."""
        if self._simulation is not None:
            self._simulation.close()
            self._simulation = None


@contextmanager
def lead(comm: Comm, ranks: Shape | None = None) -> Iterator[Team]:
    """On rank 0: lead the other ranks, which call `follow`, and release them at the end of the block.

    Args:
        comm: the communicator of all ranks.
        ranks: the grid of ranks, as for `Simulation`.
    Raises: as `share_machine`; then the other ranks have ended.
    """
    share_machine(comm)
    team = Team(comm, ranks)
    try:
        yield team
    finally:
        with held_back():  # the others wait for this
            try:
                team.close()
            finally:
                _send_order(comm, False)


def follow(comm: Comm) -> None:
    """Do what rank 0 asks, on another rank, until it ends. Signals are ignored: rank 0 decides when a run ends."""
    ignore_all()
    with suppress(GpufluidError):  # all ranks raise it, and rank 0 prints it
        share_machine(comm)
        while _receive_order(comm):
            with suppress(GpufluidError), Simulation(None, comm) as simulation:
                _repeat_calls(simulation, comm)


def _repeat_calls(simulation: Simulation, comm: Comm) -> None:
    """Make the calls that rank 0 makes, until it closes the simulation."""
    while (order := _receive_order(comm)) is not None:
        name, arguments = order
        with suppress(GpufluidError):  # all ranks raise it, and rank 0 prints it
            found = getattr(simulation, name)
            if callable(found):
                found(*arguments)
