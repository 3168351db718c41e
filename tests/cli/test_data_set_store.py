"""``gpufluid run --count --out data.zarr``: the same data set as in a file, written shard by shard."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest
import xarray
import zarr

import gpufluid
from gpufluid.core.errors import OutputError
from gpufluid.core.new_folders import reserved
from gpufluid.core.small_floats import decoded
from gpufluid.io import stores
from gpufluid.io.store_layout import Grid
from gpufluid.run import data_set_sinks
from gpufluid.run.data_set import DataSet, record_data_set
from gpufluid.run.data_set_sinks import Share

pytestmark = pytest.mark.usefixtures("device")

STATE = 16 * 24 * (1 + 2 + 1 + 4)
"""Bytes of a state of the scene `drop`: material, velocity, grain and mass."""


@pytest.mark.parametrize(
    ("shard", "held"), [(1 << 26, 1 << 29), (8 * STATE, 1), (2 * STATE, 1), (16 * STATE, 20 * STATE)], ids=str
)
def test_a_store_has_the_arrays_of_a_file(
    call, drop: Path, monkeypatch: pytest.MonkeyPatch, shard: int, held: int
) -> None:
    """All worlds in a shard; two worlds; some moments of one; and groups of more than a shard."""
    monkeypatch.setattr(data_set_sinks, "_SHARD_BYTES", shard)
    monkeypatch.setattr(data_set_sinks, "_HELD_BYTES", held)
    words = ("run", drop, "--count", 5, "--every", 3, "--ticks", 7, "--json")
    in_file = json.loads(call(*words, "--out", "x.npz").out)
    answer = call(*words, "--out", "x.zarr")
    assert answer.code == 0, answer.err
    in_store = json.loads(answer.out)
    assert (in_store["digests"], in_store["outputs"]) == (in_file["digests"], ["x.zarr"])
    group = zarr.open_group("x.zarr", mode="r")
    with np.load("x.npz") as read:
        assert set(group.array_keys()) == set(read.files) - {"manifest"}
        for name in ("material", "velocity", "grain", "mass", "tick", "seed"):
            np.testing.assert_array_equal(group[name][...], read[name], name)
            assert group[name].dtype == read[name].dtype
        assert [bytes(each).hex() for each in group["digests"][...]] == read["digests"].tolist()
        assert group.attrs["gpufluid"]["manifest"] == json.loads(str(read["manifest"]))
    assert group["mass"].metadata.dimension_names == ("world", "tick", "row", "column")
    assert sorted(path.name for path in drop.parent.iterdir()) == ["drop.toml", "x.npz", "x.zarr"]


def test_xarray_finds_states_by_their_tick_and_has_momentum_in_its_unit(call, tmp_path: Path) -> None:
    path = tmp_path / "dam.toml"
    path.write_text(
        """size = [12, 8]
        rules = ["flow", "inertia"]
        [[fill]]
        shape = "rectangle"
        at = [0, { from = 2, to = 6 }]
        size = [3, 2]
        material = "water"
        """
    )
    words = ("run", path, "--count", 3, "--seed", 5, "--every", 4, "--ticks", 8)
    for name in ("dams.zarr", "dams.npz"):
        assert call(*words, "--out", name).code == 0
    with xarray.open_zarr("dams.zarr") as found, np.load("dams.npz") as read:
        assert set(found.coords) == {"tick", "seed"}
        assert found["mass"].dims == ("world", "tick", "row", "column")
        state = found.set_xindex("seed").sel(seed=6, tick=8)
        world = gpufluid.oracle.step(gpufluid.load(path, seed=6), 8)
        np.testing.assert_array_equal(state["mass"], world["mass"])
        np.testing.assert_array_equal(state["momentum"] * gpufluid.FULL, decoded(world["momentum"]))
        assert found["momentum"].attrs["units"] == "cells of mass times cells a tick"
        np.testing.assert_array_equal(found["momentum"], read["momentum"])


def test_worlds_of_other_parameters_lie_in_one_shard(call, drop: Path) -> None:
    found = call("run", drop, "--count", 3, "--vary", "flow.substeps=1:3", "--out", "x.zarr", "--ticks", 5)
    assert found.code == 0, found.err
    group = zarr.open_group("x.zarr", mode="r")
    assert group["flow.substeps"][...].tolist() == [1, 2, 3]
    for number, substeps in enumerate((1, 2, 3)):
        world = gpufluid.scene.read(drop, parameters={"flow": {"substeps": substeps}}).world
        np.testing.assert_array_equal(group["mass"][number, 0], gpufluid.oracle.step(world, 5)["mass"])
    assert [path.name for path in Path("x.zarr/mass/c").rglob("*") if path.is_file()] == ["0"]
    assert call("run", drop, "--count", 2, "--out", "x.zarr", "--ticks", 0).code == 0  # all in it is of the data set
    assert "flow.substeps" not in zarr.open_group("x.zarr", mode="r")
    answer = call("run", "x.zarr", "--ticks", 1)
    said = "gpufluid: x.zarr: is no store of gpufluid: it holds a data set; expected a world\n"
    assert (answer.code, answer.err) == (2, said)


def test_shares_fill_shards_and_chunks() -> None:
    cells = Grid((64, 64), (64, 64), (64, 64))
    share = Share.of(64 * 64 * 8, count=1000, moments=21)
    assert share == Share(worlds=64, moments=32)
    assert share.grid(1000, 21, cells, 4).chunks == (2, 32, 64, 64)
    large = Grid((4096, 4096), (512, 512), (1024, 4096))
    assert Share.of(4096 * 4096 * 8, count=9, moments=3) == Share(1, 1)
    assert Share.of(1 << 24, count=9, moments=30) == Share(1, 4)
    assert Share(1, 4).grid(9, 30, large, 4) == Grid((9, 30, 4096, 4096), (1, 1, 512, 512), (1, 4, 1024, 4096))


def test_what_was_there_stays_if_a_data_set_is_not_completed(
    drop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, scene = tmp_path / "x.zarr", gpufluid.scene.read(drop)
    gpufluid.save(scene.world, path)
    result = record_data_set(
        lambda *_: scene, DataSet(path, 2, 40), progress=lambda _: signal.raise_signal(signal.SIGINT)
    )
    assert result.interrupted

    def fill(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gpufluid.io.stores.end", fill)
    with pytest.raises(OutputError, match=r"x\.zarr: could not be written: No space left on device"):
        record_data_set(lambda *_: scene, DataSet(path, 2, 4))
    assert gpufluid.load(path) == scene.world
    assert sorted(each.name for each in tmp_path.iterdir()) == ["drop.toml", "x.zarr"]


def test_two_runs_do_not_write_one_store(call, drop: Path) -> None:
    with reserved(drop.with_name("x.zarr"), stores.refusal):
        answer = call("run", drop, "--count", 2, "--ticks", 1, "--out", "x.zarr")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.endswith(": another run is writing it; expected a name that no other run writes\n")
