"""`Batch.observe`: what is packed on the device is what NumPy makes of the state of each world."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.batches import random_worlds

from gpufluid import FULL, Batch, World
from gpufluid.core.errors import UsageError
from gpufluid.core.fields import FIELDS
from gpufluid.oracle import observing
from gpufluid.runtime import batch as runtime_batch
from gpufluid.scene.observed import observable_planes

pytestmark = pytest.mark.usefixtures("device")


def assert_observed(batch: Batch, pool: int) -> None:
    """Compare every form of observation with the oracle's."""
    state = batch.read()
    known = observable_planes(state.world(0))
    names = [*known][:: max(len(known) // 9, 1)] + [name for name in known if known[name].field]
    materials, pixels = batch.observe("materials", pool=pool), batch.observe("pixels", pool=pool)
    planes = batch.observe("planes", names, pool)
    assert (materials.dtype, pixels.dtype, planes.dtype) == (np.uint8, np.uint8, np.float32)
    for number, world in enumerate(state):
        np.testing.assert_array_equal(materials[number], observing.materials(world, pool))
        np.testing.assert_array_equal(pixels[number], observing.pixels(world, pool))
        sums = observing.planes(world, [known[name] for name in names], pool)
        for own, total, name in zip(planes[number], sums, names, strict=True):
            factor = np.float32(1 / (known[name].scale * pool**2))
            np.testing.assert_array_equal(own, total.astype(np.float32) * factor, name)
            assert known[name].low - 1e-6 <= own.min() <= own.max() <= 1 + 1e-6
    assert materials.any()
    assert planes.any()


@pytest.mark.parametrize(
    "rules",
    [
        ("atoms",),
        pytest.param(("flow",), marks=pytest.mark.long("programs of its own")),
        pytest.param(("flow", "inertia", "atoms", "heat"), marks=pytest.mark.long("programs of its own")),
        pytest.param(("atoms", "heat", "reactions"), marks=pytest.mark.long("programs of its own")),
        pytest.param(("mixture", "pressure"), marks=pytest.mark.long("programs of its own")),
        pytest.param(("atoms", "mixture"), marks=pytest.mark.long("programs of its own")),
    ],
    ids="+".join,
)
def test_what_is_observed_is_what_the_oracle_sees(rules: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 3)  # two sheets
    with Batch(random_worlds(rules, 5, edges="closed", gravity="down")) as batch:
        for pool in (1, 2):
            assert_observed(batch, pool)
            batch.step(2)


def test_worlds_are_packed_in_parts_that_fit_in_a_storage_buffer(monkeypatch: pytest.MonkeyPatch) -> None:
    with Batch(random_worlds(("atoms",), 6)) as batch:
        whole = batch.observe().copy(), batch.observe("planes", ["sand", "water"]).copy()
        monkeypatch.setattr(batch._device, "storage_bytes", 2 * 4 * 2 * 18 * 22 + 8)  # two worlds of two planes
        batch._sheets[0]._observing = None  # with its buffer, which has room for all
        packed = batch._sheets[0].observing()
        np.testing.assert_array_equal(batch.observe(), whole[0])
        np.testing.assert_array_equal(batch.observe("planes", ["sand", "water"]), whole[1])
        assert packed._packed.size <= batch._device.storage_bytes
        monkeypatch.setattr(batch._device, "storage_bytes", 2048)
        with pytest.raises(UsageError, match=r"an observation of a world takes 3\.1 KiB; expected at most 2\.0 KiB"):
            batch.observe("planes", ["sand", "water"])
        np.testing.assert_array_equal(batch.observe(), whole[0])


@pytest.mark.parametrize("together", [6, 2])
def test_late_observations_are_those_of_two_calls_before(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On two sheets, of which each is packed at once, or in parts of two worlds; two forms by turns."""
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: 4)
    with Batch(random_worlds(("flow",), 6)) as batch:
        words = batch.observe("planes", ["water"]).size // len(batch)
        monkeypatch.setattr(batch._device, "storage_bytes", 4 * words * together)
        expected = []
        for number in range(5):
            found = batch.observe_late("planes", ["water"]), batch.observe_late()
            if number < 2:
                assert found == (None, None)
            else:
                assert found[0] is not None
                assert found[1] is not None
                ticks, planes, materials = expected[number - 2]
                for own, array in zip(found, (planes, materials), strict=True):
                    np.testing.assert_array_equal(own[0], ticks)
                    np.testing.assert_array_equal(own[1], array)
                kept = found[1][1].copy()
                assert number < 3 or (kept != expected[number - 3][2]).any()
            expected.append((batch.ticks, batch.observe("planes", ["water"]).copy(), batch.observe().copy()))
            batch.step(3)
            batch.reset([number == 1] + [False] * (len(batch) - 1))
        with pytest.raises(UsageError, match="kind: 'picture'"):
            batch.observe_late("picture")


def test_the_next_observation_uses_the_same_array() -> None:
    world = World(6, 5, ("flow",))
    world["mass"][:2, :3] = FULL
    with Batch(world, count=3) as batch:
        first = batch.observe()
        assert first.shape == (3, 6, 5)
        kept = first.copy()
        batch.step(3)
        assert np.shares_memory(first, batch.observe())
        assert (first != kept).any()


def test_half_a_cell_of_water_is_seen_and_enclosed_water_is_not() -> None:
    world = World(2, 4, ("flow",))
    world["mass"][0] = FULL // 2 - 1, FULL // 2, FULL, 2 * FULL
    world["material"][1, :2] = world.materials["wall"]
    with Batch(world, count=1) as batch:
        water, wall = world.materials["water"], world.materials["wall"]
        assert batch.observe()[0].tolist() == [[0, water, water, water], [wall, wall, 0, 0]]
        found = batch.observe("planes", ["water", "wall"])[0]
        np.testing.assert_allclose(found[0], [[0.5, 0.5, 1, 1], [0, 0, 0, 0]], atol=1e-5)
        assert found[1].tolist() == [[0, 0, 0, 0], [1, 1, 0, 0]]
        assert batch.observe(pool=2)[0].tolist() == [[wall, 0]]  # of two that have as many cells, the lower number
        assert batch.observe("pixels")[0, 1, 0].tolist() == [*world.materials.records[wall].colour]


def test_every_field_of_atoms_can_be_observed() -> None:
    known = observable_planes(World(2, 2, ("flow", "inertia", "atoms", "heat", "reactions")))
    fields = {plane.field for plane in known.values()} - {""}
    assert fields == {"velocity", "temperature", "integrity", "age"}
    assert {"velocity.x", "velocity.y", "sand", "water"} < set(known)
    assert all(plane.scale == max(map(abs, FIELDS[plane.field].range)) for plane in known.values() if plane.field)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"kind": "picture"}, "kind: 'picture'; expected one of: materials, pixels, planes"),
    ({"pool": 5}, "pool: 5; expected a number of cells up to 32, a divisor of 24 and 16"),
    ({"pool": 0}, "pool: 0"),
    ({"pool": 2.0}, "pool: 2.0"),
    ({"kind": "planes"}, r"planes: \(\); expected at least one name"),
    ({"kind": "planes", "planes": "water"}, "planes: 'water'; expected a list of names"),
    ({"kind": "planes", "planes": ["watr"]}, "planes: 'watr'; nothing that can be observed"),
    ({"kind": "planes", "planes": ["temperature"]}, "planes: 'temperature'"),
    ({"kind": "pixels", "planes": ["water"]}, "expected no names"),
]


def test_bad_observations_are_refused() -> None:
    with Batch(World(16, 24, ("flow",)), count=2) as batch:
        for arguments, message in REFUSED:
            with pytest.raises(UsageError, match=message):
                batch.observe(**arguments)
    with pytest.raises(UsageError, match="closed"):
        batch.observe()
