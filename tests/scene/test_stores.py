"""Stores: what is read is what was written, also a part of it, and programs that know no gpufluid can read it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import zarr
from support.selection import mostly_long
from support.worlds import random_atoms, random_world

import gpufluid
from gpufluid import Domain, Drain, Emitter, World
from gpufluid.core.errors import MissingExtraError, UsageError
from gpufluid.core.extras import LIBRARIES
from gpufluid.core.small_floats import decoded, encoded
from gpufluid.io import pyramid, store_layout, stores
from gpufluid.io.shards import Division, OneWriter
from gpufluid.io.states import StateOfSimulation
from gpufluid.io.store_layout import Grid
from gpufluid.world.pieces import Box

MIXED = ("mixture", "heat", "atoms")


def worlds() -> dict[str, World]:
    lively = random_world(
        21, 34, edges="open", seed=2**32 - 1, tick=37, parameters={"flow": {"max_mass": 1.5, "substeps": 2}},
        emitters=[Emitter((3, 0), (4, 2), start=30, until=50, rate=0.3, chance=0.4, velocity=(1.0, -0.5))],
        drains=[Drain((9, 20), (3, 1), rate=0.01)],
    )  # fmt: skip
    piece = World(8, 8, rules=("atoms",), domain=Domain((8, 0), (8, 8), (32, 8)))
    piece["material"][3, 4] = piece.materials["sand"]
    return {
        "lively": lively,
        "atoms": random_atoms(10, 6, edges="wrap", gravity="left", rules=("atoms", "heat")),
        "everything": gpufluid.oracle.step(gpufluid.load("volcano_island"), 1),
        "mixture": gpufluid.load("lava_meets_water"),
        "piece": piece,
        "one cell": World(1, 1, rules=("flow",)),
    }


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 64 bytes and shards of at most 16 rows by 32 columns, so that small worlds have many."""
    monkeypatch.setattr(store_layout, "CHUNK_BYTES", 64)
    monkeypatch.setattr(store_layout, "SHARD", {"row": 16, "column": 32})
    monkeypatch.setattr(pyramid, "SIDE_MOST", 16)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "name", mostly_long(["lively", "atoms", "piece", "one cell"], "lively", "piece", why="another world")
)
def test_a_world_of_many_chunks_comes_back_equal(tmp_path: Path, name: str) -> None:
    world = worlds()[name]
    gpufluid.save(world, tmp_path / "x.zarr")
    back = gpufluid.load(tmp_path / "x.zarr")
    assert back == world
    assert back.digest() == world.digest()
    assert [path.name for path in tmp_path.iterdir()] == ["x.zarr"]


@pytest.mark.parametrize("name", ["everything", "mixture"])
def test_a_world_of_all_rules_comes_back_equal_in_place_of_another(tmp_path: Path, name: str) -> None:
    gpufluid.save(World(2, 2, rules=("flow",)), tmp_path / "x.zarr")
    world = worlds()[name]
    gpufluid.save(world, tmp_path / "x.zarr")
    assert gpufluid.load(tmp_path / "x.zarr") == world


@pytest.mark.usefixtures("small")
def test_a_window_is_read_without_the_rest(tmp_path: Path) -> None:
    world = random_world(40, 70)
    gpufluid.save(world, tmp_path / "x.zarr")
    (tmp_path / "x.zarr/mass/c/0/0").unlink()
    (tmp_path / "x.zarr/material/c/0/0").unlink()
    part = stores.read_window(tmp_path / "x.zarr", "mass", ((33, 17), (9, 20)))
    np.testing.assert_array_equal(part, world["mass"][17:37, 33:42])
    assert part.dtype == world["mass"].dtype
    with pytest.raises(UsageError, match=r"x\.zarr: is a damaged store: mass: shard c/0/0 is missing"):
        stores.read_window(tmp_path / "x.zarr", "mass", ((31, 15), (1, 1)))


@pytest.mark.usefixtures("small")
def test_a_reader_beside_a_writer_gets_cells_of_one_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread replaces the store when half of the window has been read."""
    empty, full = (World(64, 96, rules=("flow",)) for _ in range(2))
    full["mass"][:] = gpufluid.FULL
    gpufluid.save(empty, tmp_path / "x.zarr")
    whole, later = stores._array, [full]

    class Halves:
        def __init__(self, group: zarr.Group, name: str) -> None:
            self._array = whole(group, name)

        def __getitem__(self, cells: tuple[slice, slice]) -> np.ndarray:
            upper = np.asarray(self._array[:32, cells[1]])
            if later:
                threads.submit(gpufluid.save, later.pop(), tmp_path / "x.zarr").result()
            return np.concatenate([upper, np.asarray(self._array[32:, cells[1]])])

    monkeypatch.setattr(stores, "_array", Halves)
    with ThreadPoolExecutor(1) as threads:
        part = stores.read_window(tmp_path / "x.zarr", "mass", ((0, 0), (96, 64)))
    np.testing.assert_array_equal(part, full["mass"])


def test_a_wrong_window_or_field_is_one_sentence(tmp_path: Path) -> None:
    gpufluid.save(World(4, 6, rules=("flow",)), tmp_path / "x.zarr")
    with pytest.raises(UsageError, match=r"window \(\(0, 0\), \(7, 1\)\): reaches outside of 6 by 4 cells"):
        stores.read_window(tmp_path / "x.zarr", "mass", ((0, 0), (7, 1)))
    with pytest.raises(UsageError, match=r"x\.zarr: has no field 'grain'; expected one of material, mass"):
        stores.read_window(tmp_path / "x.zarr", "grain", ((0, 0), (1, 1)))


def test_chunks_have_a_megabyte_and_shards_a_strip_of_rows() -> None:
    assert Grid.of_cells((5000, 20000), ("row", "column"), 4) == Grid((5000, 20000), (512, 512), (1024, 8192))
    assert Grid.of_cells((5000, 3000), ("row", "column"), 1) == Grid((5000, 3000), (1024, 1024), (1024, 3072))
    moved = Grid.of_cells((100, 3000, 2), ("row", "column", "component"), 1)
    assert moved == Grid((100, 3000, 2), (100, 1024, 2), (100, 3072, 2))
    layers = Grid.of_cells((3, 2000, 600), ("constituent", "row", "column"), 4)
    assert layers == Grid((3, 2000, 600), (1, 512, 512), (1, 1024, 1024))
    assert list(layers.parts()) == [(layer, row, 0) for layer in range(3) for row in range(2)]


class Ranks(OneWriter):
    """Ranks that each have the same number of rows of a world."""

    def __init__(self, count: int, rows: int) -> None:
        super().__init__(lambda *_: {})
        self.count, self._rows = count, rows

    def holder_of(self, box: Box) -> int:
        return box[1] // self._rows


@pytest.mark.parametrize(("count", "most"), [(1, 24), (4, 6), (5, 5), (40, 1)])
def test_ranks_write_as_many_boxes_each_and_those_that_they_have(count: int, most: int) -> None:
    width, height = 20000, 8000
    division = Division((width, height), Ranks(count, -(-height // count)))
    rounds = list(division.rounds())
    written = [(place, rank) for places in rounds for rank, place in places.items()]
    assert sorted(place for place, _ in written) == list(np.ndindex(8, 3))
    assert len(rounds) == most
    assert min(map(len, rounds[:-1]), default=count) == count
    if count == 4:
        assert all(rank == place[0] // 2 for place, rank in written)
    for level in (1, 3, 5):
        boxes = set(np.ndindex(*(-(-boxes >> level) for boxes in (8, 3))))
        assert sum(division.parts(box, level) for box in boxes) == 24
        cells = [division.part(place, level) for place in np.ndindex(8, 3)]
        assert sum(box[2] * box[3] for box in cells) == (-(-width >> level)) * (-(-height >> level))


def test_xarray_shows_a_store_with_named_dimensions(tmp_path: Path) -> None:
    import xarray

    for world in (worlds()["atoms"], worlds()["mixture"]):
        gpufluid.save(world, tmp_path / "x.zarr")
        with xarray.open_zarr(tmp_path / "x.zarr") as found:
            assert set(found.data_vars) == set(world.fields)
            arrays = world.complete_arrays()
            for name in world.fields:
                np.testing.assert_array_equal(found[name], arrays[name])
                assert found[name].dtype == arrays[name].dtype
            assert found["material"].dims == ("row", "column")
            assert found["material"].attrs["flag_meanings"].split()[:2] == [
                record.name.replace(" ", "_") for record in list(world.materials)[:2]
            ]
            assert found.attrs["tick"] == world.tick
            assert {name: each.item() for name, each in found.coords.items()} == {
                "tick": world.tick,
                "seed": world.seed,
            }
    assert found["mixture"].dims == ("constituent", "row", "column")
    assert found["mixture"].attrs["constituents"] == list(world.mixture.names)


def test_without_the_extra_one_sentence_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpufluid.save(World(2, 2, rules=("flow",)), tmp_path / "x.zarr")
    monkeypatch.setitem(LIBRARIES, "zarr", {"zarr": "no_such_module"})
    sentence = r"^a store \(.zarr\) needs zarr: pip install 'gpufluid\[zarr\]'$"
    with pytest.raises(MissingExtraError, match=sentence):
        gpufluid.load(tmp_path / "x.zarr")
    with pytest.raises(MissingExtraError, match=sentence):
        gpufluid.save(World(2, 2, rules=("flow",)), tmp_path / "y.zarr")
    assert not (tmp_path / "y.zarr").exists()


def test_a_world_in_memory_is_the_same_dataset_as_its_store(tmp_path: Path) -> None:
    import xarray

    world = random_atoms(7, 5, rules=("atoms", "heat"))
    gpufluid.save(world, tmp_path / "x.zarr")
    found = gpufluid.to_xarray(world)
    with xarray.open_zarr(tmp_path / "x.zarr") as stored:
        for name in world.fields:
            xarray.testing.assert_identical(stored[name].load(), found[name])
    found["material"][...] = 0
    assert world["material"].any(), "the dataset is a copy"


def test_datasets_of_several_ticks_join_and_have_momentum_in_its_unit() -> None:
    import xarray

    world = World(4, 6, ("flow", "inertia"), seed=3)
    world["mass"][:, :3] = gpufluid.FULL
    worlds = [gpufluid.oracle.step(world, ticks) for ticks in (0, 20, 40)]
    found = xarray.concat([gpufluid.to_xarray(each) for each in worlds], "tick", coords="different", compat="equals")
    at_40 = found.sel(tick=40)
    assert (found.tick.values.tolist(), at_40.seed.item()) == ([0, 20, 40], 3)
    np.testing.assert_array_equal(at_40["mass"], worlds[2]["mass"])
    momentum = at_40["momentum"]
    assert (momentum.dtype, momentum.attrs["units"]) == (np.float32, "cells of mass times cells a tick")
    assert (momentum.values * gpufluid.FULL == decoded(worlds[2]["momentum"])).all()
    assert abs(momentum).max() > 0.01
    codes = encoded((momentum.values.astype(float) * gpufluid.FULL).astype(np.int64))
    np.testing.assert_array_equal(codes, worlds[2]["momentum"], "nothing is lost")


def test_without_xarray_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(MissingExtraError, match=r"^gpufluid\.to_xarray\(\) needs xarray: pip install xarray$"):
        gpufluid.to_xarray(World(2, 2))
    with pytest.raises(UsageError, match="expected a World; found 3"):
        gpufluid.to_xarray(3)  # pyright: ignore[reportArgumentType]


def _blocks(array: np.ndarray, side: int) -> Iterator[tuple[tuple[int, int], np.ndarray]]:
    """The blocks of an array (height, width), those at its end smaller, each with its row and column."""
    for row, column in np.ndindex(-(-array.shape[0] // side), -(-array.shape[1] // side)):
        yield (row, column), array[row * side : (row + 1) * side, column * side : (column + 1) * side]


def test_levels_are_means_of_amounts_and_majorities_of_materials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyramid, "SIDE_MOST", 2)
    rng = np.random.default_rng(3)
    amounts = rng.integers(0, 2**20, (2, 13, 22), np.int32)
    found = pyramid.means(amounts, 4)
    assert [each.shape for each in found] == [(2, 7, 11), (2, 4, 6), (2, 2, 3), (2, 1, 2)]
    for level, each in enumerate(found, 1):
        for layer in range(2):
            for place, block in _blocks(amounts[layer], 2**level):
                assert each[layer][place] == (int(block.sum()) + block.size // 2) // block.size
    below = rng.integers(0, 4, (13, 22), np.uint8)
    for each in pyramid.majorities(below, 4):
        padded = np.pad(below, [(0, side % 2) for side in below.shape], mode="edge")
        for place, block in _blocks(padded, 2):
            assert each[place] == np.bincount(block.ravel()).argmax()  # the first of equal counts
        below = each


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    "world",
    [
        pytest.param(random_world(75, 70), id="water"),
        pytest.param(gpufluid.load("lava_meets_water"), id="mixture", marks=pytest.mark.long("a scene of many rules")),
    ],
)
def test_a_store_of_a_simulation_is_written_in_pieces(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the store of the world in memory, which may be larger than the memory: only pieces are read."""
    with gpufluid.Simulation(world) as sim:
        sim.step(3)
        after = sim.read()
        monkeypatch.setattr(gpufluid.Simulation, "read", lambda _: pytest.fail("all of the world was read"))
        sizes = []
        read = sim.read_window
        monkeypatch.setattr(sim, "read_window", lambda at, size: sizes.append(size) or read(at, size))
        with stores.writing(tmp_path / "x.zarr") as save:
            save(StateOfSimulation(sim))
    assert max(width for width, _ in sizes) <= 32
    assert max(height for _, height in sizes) <= 16
    assert gpufluid.load(tmp_path / "x.zarr") == after
    gpufluid.save(after, tmp_path / "y.zarr")
    first, second = (zarr.open_group(tmp_path / name, mode="r") for name in ("x.zarr", "y.zarr"))
    count = pyramid.levels(world.height, world.width)
    assert count > 2
    for name in ("material", "mass" if "mass" in world.fields else "mixture"):
        levels_of = pyramid.majorities if name == "material" else pyramid.means
        for level, expected in enumerate(levels_of(after.complete_arrays()[name], count), start=1):
            for group in (first, second):
                np.testing.assert_array_equal(group[f"pyramid/{level}/{name}"][...], expected)


@pytest.mark.usefixtures("small")
def test_the_levels_of_a_store_are_those_that_its_metadata_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As OME-Zarr 0.5 says: axes, paths, and scales with the middle of the first cell."""
    monkeypatch.setattr(pyramid, "SIDE_MOST", 4)
    world = random_world(13, 9)
    gpufluid.save(world, tmp_path / "x.zarr")
    group = zarr.open_group(tmp_path / "x.zarr", mode="r")
    scales = {each["name"]: each for each in group.attrs["ome"]["multiscales"]}
    assert group.attrs["ome"]["version"] == "0.5"
    assert list(scales) == ["material", "mass"]
    for name, levels_of in (("material", pyramid.majorities), ("mass", pyramid.means)):
        assert scales[name]["axes"] == [{"name": "row", "type": "space"}, {"name": "column", "type": "space"}]
        expected = [world.complete_arrays()[name], *levels_of(world.complete_arrays()[name], 2)]
        assert [each.shape for each in expected] == [(13, 9), (7, 5), (4, 3)]
        for level, (each, array) in enumerate(zip(scales[name]["datasets"], expected, strict=True)):
            np.testing.assert_array_equal(group[each["path"]][...], array)
            assert group[each["path"]].metadata.dimension_names == ("row", "column")
            assert each["coordinateTransformations"] == [
                {"type": "scale", "scale": [2.0**level] * 2},
                {"type": "translation", "translation": [(2.0**level - 1) / 2] * 2},
            ]
