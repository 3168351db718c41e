"""Damaged and foreign stores: each is one sentence with the store and what is wrong with it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.snapshots import refusal_of
from support.worlds import random_world

import gpufluid
from gpufluid import World
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.new_folders import reserved
from gpufluid.io import store_layout, stores
from gpufluid.io.states import State, StateInMemory


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of 24 by 40 cells with shards of 16 by 32."""
    monkeypatch.setattr(store_layout, "CHUNK_BYTES", 256)
    monkeypatch.setattr(store_layout, "SHARD", {"row": 16, "column": 32})
    gpufluid.save(random_world(24, 40, luck=1, walls=0), tmp_path / "x.zarr")
    return tmp_path / "x.zarr"


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    found = json.loads(path.read_text())
    change(found)
    path.write_text(json.dumps(found))


def flipped(path: Path, place: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 16
    path.write_bytes(raw)


def _replaced_by_pipe(store: Path) -> None:
    (store / "mass/c/1/1").unlink()
    os.mkfifo(store / "mass/c/1/1")


def _of_another(store: Path) -> None:
    gpufluid.save(random_world(24, 40, luck=2, walls=0), store.parent / "y.zarr")
    shutil.copy(store.parent / "y.zarr/mass/c/1/1", store / "mass/c/1/1")


def _metadata(content: str) -> Callable[[Path], object]:
    return lambda store: (store / "mass/zarr.json").write_text(content)


def _own(**changes: object) -> Callable[[Path], object]:
    return lambda store: changed(store / "zarr.json", lambda found: found["attributes"]["gpufluid"].update(changes))


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing shard": (lambda store: (store / "mass/c/1/0").unlink(), "mass: shard c/1/0 is missing"),
    "shard that is a pipe": (_replaced_by_pipe, "mass: shard c/1/1 is a named pipe (FIFO), not a file"),
    "shard that is a folder": (
        lambda store: ((store / "mass/c/1/1").unlink(), (store / "mass/c/1/1").mkdir()),
        "mass: shard c/1/1 is a folder, not a file",
    ),
    "shard that is too large": (
        lambda store: os.truncate(store / "mass/c/1/1", 1 << 40),
        "mass: shard c/1/1 has 1099511627776 bytes; expected at most ",
    ),
    "changed chunk": (lambda store: flipped(store / "mass/c/0/1", 40), "mass: is damaged: "),
    "changed index": (lambda store: flipped(store / "mass/c/0/1", -12), "mass: is damaged: "),
    "shard cut off": (lambda store: (store / "mass/c/0/0").write_bytes(b"x" * 7), "mass: is damaged: "),
    "empty shard": (lambda store: (store / "mass/c/0/0").write_bytes(b""), "its arrays have the digest "),
    "shard of another store": (_of_another, "its arrays have the digest "),
    "missing array": (
        lambda store: shutil.rmtree(store / "mass"), "mass: zarr.json is missing or cannot be read: No such"
    ),
    "array without metadata": (_metadata("{"), "mass: zarr.json: no JSON"),
    "list as metadata": (_metadata("[]"), "mass: zarr.json: []; expected an object"),
    "nested metadata": (_metadata("[" * 60000), "mass: zarr.json: no JSON"),
    "long metadata": (_metadata(" " * 70000), "mass: zarr.json: over 65536 bytes"),
    "another digest": (
        _own(digest="0" * 32),
        "and its attributes say '00000000000000000000000000000000'",
    ),
    "laws of another type": (
        _own(laws=3),
        "laws: 3; expected text",
    ),
    "laws that are no JSON": (
        _own(laws="{"),
        "laws: no JSON: ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_store_is_one_sentence(store: Path, name: str) -> None:
    damage, expected = DAMAGES[name]
    damage(store)
    message = refusal_of(store)
    assert message.startswith("is a damaged store: ")
    assert expected in message
    assert len(message) < 300


METADATA: dict[str, tuple[dict[str, Any], str]] = {
    "type": ({"data_type": "float64"}, "data_type 'float64'; expected 'int32'"),
    "shape": ({"shape": [40, 24]}, "shape [40, 24]; expected [24, 40]"),
    "huge": ({"shape": [1 << 60, 1]}, "expected [24, 40]"),
    "fill": ({"fill_value": 1}, "fill_value 1; expected 0"),
    "truth as fill": ({"fill_value": False}, "fill_value False; expected 0"),
    "version": ({"zarr_format": 2}, "zarr_format 2; expected 3"),
    "group": ({"node_type": "group"}, "node_type 'group'; expected 'array'"),
    "keys": ({"chunk_key_encoding": {"name": "v2"}}, "chunk_key_encoding {'name': 'v2'}; expected "),
    "transformers": ({"storage_transformers": [{"name": "x"}]}, "storage_transformers [{'name': 'x'}]; expected []"),
    "codecs": ({"codecs": [{"name": "bytes"}]}, "expected shards of chunks with the codecs bytes, blosc, crc32c"),
    "no codecs": ({"codecs": 7}, "expected shards of chunks with the codecs"),
    "grid": ({"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [16, 33]}}}, "expected a multiple of"),
    "axes": ({"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [16]}}}, "expected a side for each"),
    "no side": (
        {"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [0, 8]}}}, "expected a side for each",
    ),
    "large": (
        {"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1 << 30, 1 << 30]}}},
        "chunks in a shard; expected at most",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", METADATA)
def test_an_array_that_gpufluid_would_not_write_is_refused_before_it_is_read(store: Path, name: str) -> None:
    changes, expected = METADATA[name]
    changed(store / "mass/zarr.json", lambda found: found.update(changes))
    message = refusal_of(store)
    assert message.startswith("is a damaged store: mass: ")
    assert expected in message


def test_what_is_no_store_or_one_of_another_version_says_so(tmp_path: Path, store: Path) -> None:
    import zarr

    other = tmp_path / "other.zarr"
    assert refusal_of(other) == "cannot be read: No such file or directory"
    other.write_text("x")
    assert refusal_of(other) == "is no store of gpufluid: it is a file; expected a folder"
    other.unlink()
    other.mkdir()
    assert refusal_of(other) == "is no store of gpufluid: it has no file 'zarr.json'"
    (other / ".zgroup").write_text("{}")
    assert refusal_of(other) == "is a store of zarr version 2; expected version 3"
    (other / ".zgroup").unlink()
    zarr.create_group(other, zarr_format=3)
    assert refusal_of(other) == "is no store of gpufluid: its attributes have no entry 'gpufluid'"
    for key, value, expected in (
        ("kind", "data set", "is no store of gpufluid: it holds a data set; expected a world"),
        ("version", 2, "is a store of version 2; this gpufluid reads 1"),
        ("version", True, "is a store of version True; this gpufluid reads 1"),
    ):
        changed(store / "zarr.json", lambda found, new={key: value}: found["attributes"]["gpufluid"].update(new))
        assert refusal_of(store) == expected


def test_only_a_store_or_nothing_is_replaced(tmp_path: Path, store: Path) -> None:
    world = World(2, 2, rules=("flow",))
    (tmp_path / "mine.zarr").mkdir()
    (tmp_path / "mine.zarr" / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"mine\.zarr: is a folder, but no store of gpufluid; expected a store with"):
        gpufluid.save(world, tmp_path / "mine.zarr")
    assert (tmp_path / "mine.zarr" / "letter.txt").read_text() == "mine"
    (tmp_path / "file.zarr").write_text("mine")
    with pytest.raises(
        UsageError, match=r"file\.zarr: is a file; expected a store, which is a folder, or an unused name"
    ):
        gpufluid.save(world, tmp_path / "file.zarr")
    with pytest.raises(UsageError, match="there is no folder"):
        gpufluid.save(world, tmp_path / "none" / "x.zarr")
    (tmp_path / "empty.zarr").mkdir()
    gpufluid.save(world, tmp_path / "empty.zarr")
    changed(store / "zarr.json", lambda found: found["attributes"]["gpufluid"].update(version=9))  # it is ours, too
    gpufluid.save(world, store)
    assert gpufluid.load(store) == gpufluid.load(tmp_path / "empty.zarr") == world


def test_a_store_with_something_else_in_it_is_not_replaced(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(2, 2, rules=("flow",))
    (store / "a.png").write_text("mine")
    said = r"x\.zarr: has 'a\.png' in it, which is not of the store; expected a store with nothing else in it"
    with pytest.raises(UsageError, match=said):
        gpufluid.save(world, store)
    (store / "a.png").unlink()
    write = stores.write

    def write_late(state: State, folder: Path, path: Path) -> None:
        write(state, folder, path)
        (store / "b.png").write_text("mine")

    monkeypatch.setattr(stores, "write", write_late)
    with pytest.raises(OutputError, match=r"x\.zarr: could not be written: it has 'b\.png' in it, which is not of"):
        gpufluid.save(world, store)
    assert (store / "b.png").read_text() == "mine"
    (store / "b.png").unlink()
    monkeypatch.undo()
    gpufluid.save(world, store)
    assert [path.name for path in store.parent.iterdir()] == ["x.zarr"]


def test_a_store_that_needs_too_much_memory_is_one_sentence(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(stores, "_array", fail)
    said = "is a damaged store: material: its chunks do not fit into the free memory"
    assert refusal_of(store) == said


def test_a_store_that_is_always_replaced_is_one_sentence(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, times = stores._read_laws, []

    def read_late(path: Path) -> tuple[World, object]:
        found = read(path)
        times.append(path)
        gpufluid.save(World(2, 2, rules=("flow",)), path)
        return found

    monkeypatch.setattr(stores, "_read_laws", read_late)
    said = "was replaced 20 times while it was read; expected a store that is not written meanwhile"
    assert refusal_of(store) == said
    assert len(times) == 20


def test_a_process_that_does_not_see_the_folder_of_a_store_says_so(store: Path) -> None:
    folder = store.parent / "elsewhere" / "new"
    said = rf"x\.zarr: could not be written: this process does not see its folder {folder.parent}; expected a disk that"
    with pytest.raises(OutputError, match=said):
        StateInMemory(World(2, 2)).write_shards(folder, store)


def test_a_store_that_cannot_be_written_leaves_the_earlier_one(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gpufluid.load(store)
    with (
        reserved(store, stores.refusal),
        pytest.raises(
            UsageError, match=r"x\.zarr: another run is writing it; expected a name that no other run writes"
        ),
    ):
        gpufluid.save(World(2, 2, rules=("flow",)), store)

    def fill(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gpufluid.io.stores.end", fill)
    with pytest.raises(OutputError, match=r"x\.zarr: could not be written: No space left on device"):
        gpufluid.save(World(2, 2, rules=("flow",)), store)
    assert gpufluid.load(store) == before
    assert [path.name for path in store.parent.iterdir()] == ["x.zarr"]
