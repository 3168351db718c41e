"""Stores: the whole state of a world in a folder of zarr (version 3), of which a part can be read alone.

A store has an array for each field, which xarray opens; the laws as a snapshot has them, as JSON in the attributes; and
coarse levels of the materials and amounts in ``pyramid/1``, ``pyramid/2`` and so on, with the metadata of OME-Zarr 0.5,
which napari opens. It needs the extra ``zarr``.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gpufluid.core.errors import ShortageError, UsageError, named, shown
from gpufluid.core.extras import require
from gpufluid.core.fields import FIELDS
from gpufluid.core.files import check_folder, check_writable
from gpufluid.core.new_folders import reserved
from gpufluid.io import pyramid
from gpufluid.io.labels import COLUMN, COORDINATES, LAYER, ROW, SEED, TICK, axes_of, labels_of
from gpufluid.io.shards import array_of, coarse_fields
from gpufluid.io.snapshot_laws import BYTES_MOST, FormatError, text_of, world_of
from gpufluid.io.states import State
from gpufluid.io.store_layout import METADATA, Grid, check_shards, checked_grid, create, metadata_of, output_errors_of
from gpufluid.world import Domain, World
from gpufluid.world.kinds import materials_in
from gpufluid.world.pieces import Box, Builders, WorldPiece, built
from gpufluid.world.validation import check_cells

if TYPE_CHECKING:
    import zarr

Found = TypeVar("Found")

ENDING = ".zarr"
"""The ending of the name of a store."""

KEY = "gpufluid"
"""The attribute of a store with all that is gpufluid's own."""

VERSION = 1
"""The version of stores; one of another version is an error."""

WORLD = "world"
"""The kind of a store with one world."""

_ROOT_METADATA_MOST = 4 * BYTES_MOST
"""The most bytes of a store's own metadata, in which the laws are a text of JSON inside JSON."""

ARRAYS = "arrays"
"""The entry of `KEY` with the names of the arrays in the root of a store, which are deleted with it."""

_REPLACEABLE = "expected a store with nothing else in it, or an unused name"

_PURPOSE = "a store (.zarr)"

_CELLS_AT_ONCE = 1 << 18
"""Cells whose digest is computed together, so that this takes little memory beside the arrays."""

TRIES = 20
"""Times that a store is read before it is refused because other stores take its place meanwhile."""

_DAMAGES = (ValueError, RuntimeError, KeyError, IndexError, TypeError, OverflowError, EOFError)
"""The errors that zarr and its codecs raise for a damaged store."""


class NoStoreError(UsageError):
    """The folder is no store of gpufluid."""


@contextmanager
def writing(path: Path) -> Iterator[Callable[[State], None]]:
    """Yield a function that writes a state as a store: the whole store, or none. An earlier store is replaced.

    The function can be called several times. Until the end of the block no other run can write this store.

    Raises: UsageError: as `check_place`, or another run writes this store. MissingExtraError: zarr is not installed.
        The function raises UsageError: laws that are too long for a store; OutputError: the disk is full or not
        writable, or what is there by now must not be replaced. What was there is unchanged.
    """
    check_place(path)
    with reserved(path, refusal) as folder:

        def save(state: State) -> None:
            with output_errors_of(path):
                try:
                    write(state, folder.path, path)
                    folder.place()
                except BaseException:
                    folder.renew()  # for the next state
                    raise

        yield save


def check_place(path: Path) -> None:
    """Check that a store can be written, before any work is done.

    Raises: UsageError: there is something that is no store, a store with other files in it, or the folder around is
        missing or not writable.
        MissingExtraError: zarr is not installed.
    """
    require("zarr", _PURPOSE)
    with suppress(OSError, ValueError, RuntimeError):
        if path.exists():
            if (reason := refusal(path)) is not None:
                raise UsageError(f"{path}: {reason}")
            check_folder(path)
            return
    check_writable(path)


def refusal(path: Path) -> str | None:
    """Give the reason why a file or folder must not be deleted and replaced by a store.

    Returns: None for an empty folder, and for a store of any version and kind with nothing in it but its own arrays.
    Raises: OSError: the folder cannot be read.
    """
    if not path.is_dir():
        return (
            f"is {'a file' if path.is_file() else 'no folder'}; expected a store, which is a folder, or an unused name"
        )
    names = sorted(each.name for each in path.iterdir())
    own = None
    with suppress(OSError, UsageError):
        own = _own(metadata_of(path, _ROOT_METADATA_MOST))
    if names and not isinstance(own, dict):
        return f"is a folder, but no store of gpufluid; {_REPLACEABLE}"
    arrays = own.get(ARRAYS) if isinstance(own, dict) else None
    known = [METADATA, pyramid.GROUP, *(arrays if isinstance(arrays, list) else ())]
    other = next((name for name in names if name not in known), None)
    return None if other is None else f"has {shown(other)} in it, which is not of the store; {_REPLACEABLE}"


def begin(folder: Path, kind: str, own: Mapping[str, Any], more: Mapping[str, Any]) -> zarr.Group:
    """Begin a store in an empty folder.

    Args:
        folder: the folder.
        kind: what the store holds, such as `WORLD`.
        own: further entries of the attribute `KEY`, of JSON's types.
        more: further attributes of the store.
    """
    import zarr

    attributes = {KEY: {"kind": kind, "version": VERSION, **own}, **more}
    return zarr.create_group(folder, zarr_format=3, overwrite=False, attributes=attributes)


def write(state: State, folder: Path, path: Path) -> None:
    """Write a store into an empty folder, piece by piece; see `shards`.

    Args:
        state: the state to write.
        folder: the folder.
        path: the path that the store is going to have, for messages.
    Raises: UsageError: laws that are too long. OSError, OutputError: as of a full disk.
    """
    laws = state.laws
    text = text_of(laws).decode()
    shown_first = {"tick": laws.tick, "rules": list(laws.rules), "size": [laws.width, laws.height]}
    names = coarse_fields(laws)
    more = shown_first | {"ome": {"version": "0.5", "multiscales": [_multiscale(laws, name) for name in names]}}
    group = begin(folder, WORLD, {"digest": state.digest(), "laws": text}, more | COORDINATES)
    for name, number in ((TICK, np.int64(laws.tick)), (SEED, np.uint32(laws.seed))):
        create(group, name, Grid((), (), ()), number.dtype, (), {})[...] = number
    for name in laws.fields:
        _create(group, laws, name)
    for level in range(1, pyramid.levels(laws.height, laws.width) + 1):
        of_level = group.create_group(f"{pyramid.GROUP}/{level}")
        for name in names:
            _create(of_level, laws, name, level)
    state.write_shards(folder, path)
    end(folder)


def _create(group: zarr.Group, laws: World, name: str, level: int = 0) -> None:
    """Create the array of a field, or of a coarse level of it, in a group of a store."""
    field, axes = FIELDS[name], axes_of(name)
    height, width = (-(-side >> level) for side in (laws.height, laws.width))
    shape, dtype = field.shape(height, width, len(laws.mixture)), np.dtype(field.dtype)
    grid = Grid.of_cells(shape, axes, dtype.itemsize)
    create(group, name, grid, dtype, axes, labels_of(laws, name))


def end(folder: Path) -> None:
    """End a store: name its arrays, and copy their metadata into those of the root, where xarray looks first."""
    import zarr

    group = zarr.open_group(folder, mode="r+", zarr_format=3, use_consolidated=False)
    group.update_attributes({KEY: {**group.attrs[KEY], ARRAYS: sorted(group.array_keys())}})  # pyright: ignore
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zarr warns that the copy is no part of its specification yet
        zarr.consolidate_metadata(folder, zarr_format=3)


def _multiscale(world: World, name: str) -> dict[str, Any]:
    """The levels of a field, as OME-Zarr names them."""
    axes = axes_of(name)
    kinds = [{"name": axis, "type": "channel" if axis == LAYER else "space"} for axis in axes]
    levels = []
    for level in range(pyramid.levels(world.height, world.width) + 1):
        side = 2.0**level
        scale = [1.0 if axis == LAYER else side for axis in axes]
        middle = [0.0 if axis == LAYER else (side - 1) / 2 for axis in axes]
        changes = [{"type": "scale", "scale": scale}, {"type": "translation", "translation": middle}]
        levels.append({"path": array_of(name, level), "coordinateTransformations": changes})
    return {"name": name, "axes": kinds, "datasets": levels}


def load(path: Path) -> World:
    """Read a store. The world has the same digest as the one that was written, and continues in the same way.

    What the store says of itself is checked before memory is allocated for it, and its digest afterwards.

    Raises: UsageError: no such folder, no store, a damaged store, one of another version, or a world that does not fit
        into the free memory. MissingExtraError: zarr is not installed.
    """
    return _read_at_rest(path, lambda: _load(path))


def _load(path: Path) -> World:
    unbuilt = UnbuiltStore(path)
    with _errors_of(path):
        unbuilt.blank.check_room()
    world = built(unbuilt)
    world.trust_cells()
    return world


def opened(path: Path) -> UnbuiltStore:
    """Open a store, of which any part can be read then; see `UnbuiltStore`."""
    return _read_at_rest(path, lambda: UnbuiltStore(path))


class UnbuiltStore:
    """The world of a store that is not read yet; see `Unbuilt`. A builder reads only the chunks of its own cells.

    Args:
        path: the store. What it says of itself is checked, and that all of its shards are there.
    Raises: UsageError: no such folder, no store, a store of another version, or one with a missing shard.
        MissingExtraError: zarr is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._identity = path, _identity(path)
        with _errors_of(path):
            self._blank, self._digest = _read_laws(path)
            self._grids = {name: _grid(path, self._blank, name) for name in self._blank.fields}
            for name, grid in self._grids.items():
                check_shards(path, name, grid, np.dtype(FIELDS[name].dtype))
            self._group = _group_of(path)

    @property
    def blank(self) -> World:
        """The world without cells: its laws, ports, tick and ledgers."""
        return self._blank

    @property
    def contents(self) -> bytes:
        """A hash of the metadata of the store, which have the digest of the state."""
        with _errors_of(self._path):
            return hashlib.sha256((self._path / METADATA).read_bytes()).digest()

    @property
    def was_replaced(self) -> bool:
        """True if another store has taken the place of this one."""
        return _identity(self._path) != self._identity

    def materials_of(self, own: Box) -> frozenset[int]:
        """The numbers of the materials in a rectangle of the world; all, if a chunk of it is damaged."""
        found = np.empty(FIELDS["material"].shape(own[3], own[2]), np.uint8)
        try:
            self._read(WorldPiece(own[:2], {"material": found}))
        except UsageError:  # `build` will say what is damaged
            return frozenset(range(1, len(self._blank.materials)))
        return materials_in(found, (), self._blank.laws)

    def begin(self, own: Box, builders: Builders) -> None:
        """Do nothing: a store has each of its cells."""

    def build(self, pieces: Sequence[WorldPiece]) -> None:
        """Read the cells of some pieces. Raises UsageError: a damaged chunk; its ``order`` is that of a whole read."""
        for piece in pieces:
            self._read(piece)

    def check(self, own: WorldPiece, builders: Builders) -> None:
        """Raise UsageError for an invalid cell, tick or ledger, and if the cells have not the digest of the store."""
        with builders.agreeing(), _errors_of(self._path):
            self._blank.validate()
            whole = self._blank.width, self._blank.height
            check_cells(own.fields, self._blank.laws, Domain(own.at, own.box[2:], whole))
        lanes = np.zeros(4, np.int64)
        for band in own.bands(_CELLS_AT_ONCE):
            lanes += self._blank.digest_lanes(band.fields, band.at)
        digest = self._blank.digest_of(builders.sum_of(lanes).astype(np.uint32))
        with _errors_of(self._path):
            if digest != self._digest:
                raise UsageError(f"its arrays have the digest {digest}, and its attributes say {shown(self._digest)}")

    def _read(self, piece: WorldPiece) -> None:
        """Read some fields of the cells of a rectangle, shard by shard."""
        with _errors_of(self._path):
            for number, (name, array) in enumerate(piece.fields.items()):
                grid, cells = self._grids[name], _cells_of(name, self._grids[name].shape, piece.box)
                for part in grid.parts(cells):
                    shard = tuple(map(_both, cells, grid.cells_of(part)))
                    there = tuple(slice(s.start - c.start, s.stop - c.start) for s, c in zip(shard, cells, strict=True))
                    try:
                        with _damages_of(name):
                            array[there] = _array(self._group, name)[shard]
                    except UsageError as error:
                        error.order = number, *part
                        raise


def _cells_of(name: str, shape: tuple[int, ...], box: Box) -> tuple[slice, ...]:
    """The cells of a rectangle in the array of a field, as a slice for each axis.

    Args:
        name: the name of the field.
        shape: the shape of its array.
        box: column and row of the top left cell, width and height.
    """
    assert len(shape) == len(axes_of(name)), FIELDS[name]
    spans = {ROW: slice(box[1], box[1] + box[3]), COLUMN: slice(box[0], box[0] + box[2])}
    return tuple(spans.get(axis, slice(0, size)) for axis, size in zip(axes_of(name), shape, strict=True))


def _both(first: slice, second: slice) -> slice:
    """The numbers that are in both of two spans."""
    return slice(max(first.start, second.start), min(first.stop, second.stop))


def read_window(path: str | Path, field: str, window: tuple[tuple[int, int], tuple[int, int]]) -> np.ndarray:
    """Read the cells of a window from a store, without the rest of it.

    Only the chunks that the window touches are read, and only their checksums show damage. All cells are of one state,
    even if a run replaces the store meanwhile.

    Args:
        path: the store.
        field: the name of a field of its world.
        window: ((column, row), (width, height)) of the cells.
    Returns: (height, width) or with more axes, of the field's type.
    Raises: UsageError: as `load`, a field that the world does not have, or a window not inside the world.
    """
    path = Path(path)
    return _read_at_rest(path, lambda: _read_window(path, field, window))


def _read_window(path: Path, field: str, window: tuple[tuple[int, int], tuple[int, int]]) -> np.ndarray:
    with _errors_of(path):
        world, _ = _read_laws(path)
        grid = _grid(path, world, field) if field in world else None
        group = _group_of(path)
    if grid is None:
        raise UsageError(f"{path}: has no field {shown(field)}; expected one of {', '.join(world.fields)}")
    (column, row), (width, height) = window
    inside = column >= 0 and row >= 0 and width > 0 and height > 0
    if not (inside and column + width <= world.width and row + height <= world.height):
        raise UsageError(f"window {window}: reaches outside of {world.width} by {world.height} cells")
    cells = _cells_of(field, grid.shape, (column, row, width, height))
    with _errors_of(path):
        check_shards(path, field, grid, np.dtype(FIELDS[field].dtype), cells)
        with _damages_of(field):
            return np.asarray(_array(group, field)[cells])


def _read_at_rest(path: Path, read: Callable[[], Found]) -> Found:
    """Read a store, and read it again if another one took its place meanwhile.

    Raises: UsageError: as ``read``, or the store was replaced each time.
    """
    for _ in range(TRIES):
        before = _identity(path)
        try:
            found = read()
        except UsageError:
            if _identity(path) == before:
                raise
            continue
        if _identity(path) == before:
            return found
    raise never_at_rest(path)


def never_at_rest(path: Path | str) -> UsageError:
    """The error for a store that was replaced each time that it was read."""
    wanted = "expected a store that is not written meanwhile"
    return UsageError(f"{path}: was replaced {TRIES} times while it was read; {wanted}")


def _identity(path: Path) -> tuple[int, ...] | None:
    """Numbers that differ between a store and the next one at its place; None: nothing is there."""
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino, found.st_mtime_ns  # the number of a file (its inode) can be used again
    return None


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Turn the errors of the block into a UsageError that names the store and says what is wrong with it."""
    try:
        yield
    except NoStoreError as error:
        raise UsageError(f"{path}: is no store of gpufluid: {error}") from None
    except (FormatError, ShortageError) as error:
        raise UsageError(f"{path}: {error}") from None
    except UsageError as error:
        damaged = UsageError(f"{path}: is a damaged store: {error}")
        damaged.order = error.order
        raise damaged from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None


def _own(metadata: Mapping[str, Any]) -> object:
    """The entry of gpufluid in the attributes of a group, as it was read, unchecked; None: there is none."""
    attributes = metadata.get("attributes")
    return attributes.get(KEY) if isinstance(attributes, dict) else None


def _read_laws(path: Path) -> tuple[World, object]:
    """The world of a store without cells, and the digest that the store says it has.

    Raises: NoStoreError, FormatError, UsageError, OSError: see `load`. MissingExtraError: zarr is not installed.
    """
    if not path.exists():
        raise FileNotFoundError(2, "No such file or directory")
    if not path.is_dir():
        raise NoStoreError("it is a file; expected a folder")
    require("zarr", _PURPOSE)
    if any((path / name).exists() for name in (".zgroup", ".zarray")):
        raise FormatError("is a store of zarr version 2; expected version 3")
    if not (path / METADATA).exists():
        raise NoStoreError(f"it has no file {METADATA!r}")
    own = _own(metadata_of(path, _ROOT_METADATA_MOST))
    if not isinstance(own, dict):
        raise NoStoreError(f"its attributes have no entry {KEY!r}")
    if own.get("version") != VERSION or type(own["version"]) is not int:
        raise FormatError(f"is a store of version {shown(own.get('version'))}; this gpufluid reads {VERSION}")
    if own.get("kind") != WORLD:
        raise NoStoreError(f"it holds a {_kind_in_words(own.get('kind'))}; expected a {WORLD}")
    laws = own.get("laws")
    if not isinstance(laws, str):
        raise UsageError(f"laws: {shown(laws)}; expected text")
    return world_of(laws.encode(errors="replace"), cells=False), own.get("digest")


def _kind_in_words(kind: object) -> str:
    """The kind of a store for a message: a plain word as it is."""
    return kind if isinstance(kind, str) and kind.replace(" ", "").isalpha() and len(kind) < 40 else shown(kind)


def _grid(path: Path, world: World, name: str) -> Grid:
    field = FIELDS[name]
    shape = field.shape(world.height, world.width, len(world.mixture))
    return checked_grid(path, name, shape, np.dtype(field.dtype))


def _group_of(path: Path) -> zarr.Group:
    import zarr

    with _damages_of(METADATA):
        return zarr.open_group(path, mode="r", zarr_format=3, use_consolidated=False)


def _array(group: zarr.Group, name: str) -> zarr.Array:
    import zarr

    found = group[name]
    assert isinstance(found, zarr.Array), name  # the metadata were checked
    return found


@contextmanager
def _damages_of(name: str) -> Iterator[None]:
    """Turn the errors of zarr in the block into a UsageError that names the array."""
    try:
        yield
    except UsageError:
        raise
    except MemoryError:
        raise UsageError(f"{named(name)}: its chunks do not fit into the free memory") from None
    except _DAMAGES as error:
        raise UsageError(f"{named(name)}: is damaged: {shown(str(error))}") from None
