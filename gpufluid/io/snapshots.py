"""Snapshots: the whole state of a world in one ``.npz`` file; the arrays as NumPy arrays, the laws as JSON.

`save` and `load` are for stores, too, which are the same in a folder of zarr; see `stores`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from gpufluid.core.errors import SharedCellError, ShortageError, UsageError, named, shown
from gpufluid.core.fields import FIELDS
from gpufluid.core.files import check_writable, open_regular, written_whole
from gpufluid.io import stores
from gpufluid.io.npz import Archive, NoArchiveError
from gpufluid.io.snapshot_laws import BYTES_MOST, FormatError, text_of, world_of
from gpufluid.io.states import State, StateInMemory
from gpufluid.world import World

ENDINGS = (".npz", stores.ENDING)
"""The endings of the names of snapshots and stores."""

_LAWS = "gpufluid"
"""The name of the array of bytes with the laws."""


def save(world: World, path: str | Path) -> None:
    """Write a snapshot or a store: the whole, or nothing.

    Args:
        world: the world to write.
        path: the file, whose name ends in ``.npz``, or the store, a folder whose name ends in ``.zarr``; an earlier one
            is replaced.
    Raises: UsageError: ``world`` is not a World, another ending, no such folder, or a folder that is no store.
        MissingExtraError: a store needs the extra ``zarr``. OutputError: the disk is full or not writable.
    """
    for given, kind in ((world, World), (path, (str, Path))):
        if not isinstance(given, kind):
            raise UsageError(f"expected a World and a path; found {shown(given)}")
    with writing(Path(path)) as save_into:
        save_into(StateInMemory(world))


@contextmanager
def writing(path: Path) -> Iterator[Callable[[State], None]]:
    """Yield a function that writes a state as a snapshot or a store; see `save`. It can be called several times.

    Until the end of the block no other run can write the same store.

    Raises: UsageError, MissingExtraError, OutputError: as `save`.
    """
    if _is_of_store(path):
        with stores.writing(path) as save_into:
            yield save_into
        return
    check_place(path)
    if path.suffix.lower() != ".npz":
        raise UsageError(f"{path}: expected a snapshot, whose name ends in .npz or .zarr")

    def save_whole(state: State) -> None:
        world = state.world()
        with written_whole(path) as temporary, temporary.open("wb") as file:
            write(world, file)

    yield save_whole


def check_place(path: Path) -> None:
    """Check that a file, or by its ending a store, can be written at a path, before any work is done.

    Raises: UsageError, MissingExtraError: see `check_writable` and `stores.check_place`.
    """
    (stores.check_place if _is_of_store(path) else check_writable)(path)


def _is_of_store(path: Path) -> bool:
    return path.suffix.lower() == stores.ENDING


def write(world: World, file: BinaryIO) -> None:
    """Write a snapshot into an open file. Raises UsageError: laws that are too long for a snapshot."""
    arrays = world.complete_arrays()
    laws = np.frombuffer(text_of(world), np.uint8)
    np.savez_compressed(file, allow_pickle=False, **{_LAWS: laws}, **arrays)


def load(path: Path) -> World:
    """Read a snapshot or a store. The world has the digest of the one that was written, and continues in the same way.

    All that the file says is checked before memory is allocated for it; see `Archive`.

    Raises: UsageError: no such file, no snapshot, a damaged snapshot, one of another version, or a world that does not
        fit into the free memory.
    """
    if _is_of_store(path):
        return stores.load(path)
    try:
        with open_regular(path) as file:
            return _world(Archive(file))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except NoArchiveError as error:
        raise UsageError(f"{path}: is no snapshot of gpufluid: {error}") from None
    except (FormatError, ShortageError) as error:
        raise UsageError(f"{path}: {error}") from None
    except SharedCellError as error:
        older = "is from an older version, in which an atom and water could share a cell, or is damaged"
        raise UsageError(f"{path}: {older}: {error}") from None
    except UsageError as error:
        raise UsageError(f"{path}: is a damaged snapshot: {error}") from None


def _world(archive: Archive) -> World:
    """The world of an archive. The headers of all arrays are checked before the first array is read."""
    if _LAWS not in archive.names:
        if {"manifest", "digests"} <= set(archive.names):
            raise NoArchiveError("it holds a data set, which numpy.load reads; expected a world")
        raise NoArchiveError(f"it has no array {_LAWS!r}")
    world = world_of(archive.read_bytes(_LAWS, BYTES_MOST))
    for name in archive.names:
        if name not in (_LAWS, *world.fields):
            raise UsageError(f"{named(name)}: expected only arrays of the rules {list(world.rules)}")
    layers = len(world.mixture)
    # A snapshot from before water had heat has no such array; then all its water is as warm as the air.
    kept = [name for name in world.fields if name in archive.names or not FIELDS[name].without_atom]
    for name in kept:
        archive.check(name, FIELDS[name].shape(world.height, world.width, layers), np.dtype(FIELDS[name].dtype))
    for name in kept:
        world.fill(name, partial(archive.read_into, name))
    world.validate()
    return world
