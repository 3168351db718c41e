"""Commands under ``mpiexec``: ranks share worlds, and rank 0 is the command."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import typer

from gpufluid.cli import options
from gpufluid.cli.terminal import remark
from gpufluid.core.errors import GpufluidError, UsageError
from gpufluid.core.interrupts import ignore_all
from gpufluid.core.launchers import launched

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

    from gpufluid.benchmark.shared import Share
    from gpufluid.cluster.grid import Shape
    from gpufluid.cluster.leading import SharedSimulation, Team
    from gpufluid.io.loading import WorldName
    from gpufluid.run.data_set import Ranks
    from gpufluid.runtime.simulation import Simulation
    from gpufluid.world import World

ALONE = ("view", "serve")
"""The commands that run in one process only."""

SHARING = ("run", "check", "bench")
"""The commands whose worlds all ranks share."""

_silence = ExitStack()
"""While it is open, this process prints nothing."""

_team: Team | None = None
"""The ranks that this process leads; None: it runs alone."""


@contextmanager
def printed_once() -> Iterator[None]:
    """Discard the output of ranks above 0 in this block, until they follow. Rank 0 prints the errors of a command."""
    with _silence:
        if launched()[0] > 0:
            lost = io.StringIO()
            _silence.enter_context(redirect_stdout(lost))
            _silence.enter_context(redirect_stderr(lost))
        yield


def check_command(command: str | None) -> None:
    """Let a command that is not in `SHARING` run on rank 0 only; the other ranks end here.

    Raises: UsageError: a command that runs in one process only.
    """
    rank, ranks = launched()
    if ranks == 1 or command in SHARING:
        return
    if rank > 0:
        raise typer.Exit
    if command in ALONE:
        shared = " or ".join(SHARING)
        raise UsageError(
            f"gpufluid {command} runs in one process; start it without mpiexec, or share a world by {shared}"
        )


def check_options(*, watch: bool) -> None:
    """Raise UsageError, on rank 0, for an option of ``run`` that ranks do not share; the other ranks end here."""
    rank, ranks = launched()
    if ranks == 1 or not watch:
        return
    if rank > 0:
        raise typer.Exit
    raise UsageError("--watch: runs in one process; start it without mpiexec")


def checked_grid(text: str | None) -> Shape | None:
    """The grid of ranks that ``--ranks`` asks for; None: none.

    Raises, on rank 0: UsageError: another form, or not so many ranks as were started. The other ranks end here.
    """
    rank, ranks = launched()
    try:
        grid = options.grid_of_ranks(text)
        if grid is not None and grid[0] * grid[1] != ranks:
            started = f"mpiexec has started {ranks}" if ranks > 1 else "there is one process; start them with mpiexec"
            raise UsageError(f"--ranks {text}: {grid[0] * grid[1]} ranks, but {started}")
    except UsageError:
        if rank > 0:
            raise typer.Exit from None
        raise
    return grid


def follows() -> bool:
    """Do what rank 0 asks, until it ends, if this process is another rank. Returns False on rank 0, and without ranks.

    Raises: as `world_of_ranks`, on rank 0; the other ranks end.
    """
    if launched()[0] == 0:
        return False
    from gpufluid.cluster.leading import follow

    try:
        comm = _comm()
    except GpufluidError as error:  # which rank 0 says
        raise typer.Exit(error.exit_code) from None
    _silence.close()
    follow(comm)
    return True


@contextmanager
def leading(grid: Shape | None) -> Iterator[int]:
    """Lead the other ranks in this block, if there are some. Yields the number of ranks.

    Args:
        grid: (rows, columns) of the grid of ranks; None: as `cluster.Simulation` chooses.
    """
    global _team
    if launched()[1] == 1:
        yield 1
        return
    from gpufluid.cluster.leading import lead

    comm = _comm()
    remark(f"{comm.size} ranks share the world")
    with lead(comm, grid) as team:
        _team = team
        try:
            yield comm.size
        finally:
            _team = None


@contextmanager
def side_by_side() -> Iterator[Ranks]:
    """Let all ranks do this block, each with worlds of its own. Rank 0 alone may print in it. Yields the ranks.

    An error that all ranks raise is printed by rank 0. Another error ends all ranks, with its message.
    """
    from gpufluid.run.data_set import OneProcess

    rank, ranks = launched()
    if ranks == 1:
        yield OneProcess()
        return
    from gpufluid.cluster.equal_ranks import EqualRanks
    from gpufluid.cluster.ranks import ending_all, share_machine

    comm = None
    try:
        comm = _comm()
        if rank == 0:
            remark(f"{comm.size} ranks share out the worlds")
        else:
            _silence.close()
            ignore_all()  # rank 0 decides when a run ends
        with ending_all(comm):
            share_machine(comm)
            yield EqualRanks(comm)
    except GpufluidError as error:
        if rank > 0:
            raise typer.Exit(error.exit_code) from None
        raise
    except KeyboardInterrupt:  # in the middle of a call that the other ranks wait for
        if comm is not None:
            comm.Abort(1)
        raise


def simulated(
    world: World | WorldName, trace: bool, variants: Mapping[str, str], *, sleeping: bool
) -> AbstractContextManager[Simulation | SharedSimulation]:
    """A simulation of a world: that of this process, or of all ranks that it leads. Arguments as for `Simulation`.

    Ranks can also be given the name of a world, of which each builds its own part.
    """
    if _team is not None:
        return _team.simulate(world, variants, sleeping)
    from gpufluid.runtime.simulation import Simulation
    from gpufluid.world import World

    assert isinstance(world, World)

    return Simulation(world, trace=trace, variant=variants, sleeping=sleeping)


def leads() -> bool:
    """True if this process leads other ranks, with which it shares worlds."""
    return _team is not None


def share() -> Share:
    """The function by which all ranks that this process leads share a world."""
    assert _team is not None
    return _team.simulate


def _comm() -> Comm:
    from gpufluid.cluster.ranks import world_of_ranks

    return world_of_ranks("gpufluid under mpiexec")
