"""Worlds of a mixture are as wide and as high as a texture, though each material has a layer of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.mixtures import ODD, ponds, random_mixture
from support.selection import crossed, mostly_long
from support.worlds import assert_equal

import gpufluid
from gpufluid import FULL, Batch, Laying, Simulation, World, oracle
from gpufluid.core.runs import Runs
from gpufluid.gpu.device import Device
from gpufluid.oracle import edit
from gpufluid.rules import RULES
from gpufluid.runtime.editing import Workbench

HIGH, WIDE, LONG = (16_384, 8), (8, 16_384), (5_000, 40)  # rows, columns
SIZES = (HIGH, WIDE, LONG)

VARIANTS = [variant.name for variant in RULES["mixture"].variants]


def large(size: tuple[int, int], **laws) -> World:
    return random_mixture(*size, walls=0.1, luck=size[1], **laws)


@crossed(most=2, size=SIZES, variant=VARIANTS)
def test_ticks_of_a_large_world_equal_their_twins(device: Device, size: tuple[int, int], variant: str) -> None:
    assert max(size) <= device.max_side
    world = large(size)
    with Simulation(world, variant=variant) as sim:
        sim.step(2)
        world = oracle.step(world, 2)
        assert_equal(sim, world)
        assert sim.digest() == world.digest()
        assert sim.statistics() == world.statistics()
        assert sim.contents() == world.contents()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("size", mostly_long(SIZES, why="a large world in the oracle"), ids=str)
def test_bodies_of_a_large_world_equal_their_twins(size: tuple[int, int]) -> None:
    world = ponds(*size, luck=3, rounds=1)
    with Simulation(world) as sim:
        sim.step()
        assert_equal(sim, oracle.step(world, 1))


@pytest.mark.long("a large world in the oracle")
@pytest.mark.usefixtures("device")
def test_a_large_world_of_eight_layers_equals_its_twin() -> None:
    world = large(HIGH, mixture=ODD, gravity="left")
    with Simulation(world) as sim:
        sim.step()
        assert_equal(sim, oracle.step(world, 1))


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_windows_of_a_large_world_are_read_at_once_and_late_and_written(size: tuple[int, int]) -> None:
    world, (height, width) = large(size), size
    at, part = (width - 5, height - 7), (4, 6)
    rows, columns = slice(at[1], at[1] + part[1]), slice(at[0], at[0] + part[0])
    with Workbench(world) as sim:
        for name, array in sim.read_window(at, part).items():
            np.testing.assert_array_equal(array, world[name][..., rows, columns])
        for _ in range(3):
            found = sim.late("mixture", (at, part))
        assert found is not None
        np.testing.assert_array_equal(found[1], world["mixture"][:, rows, columns])
        for _ in range(3):
            found = sim.late("mixture")
        assert found is not None
        np.testing.assert_array_equal(found[1], world["mixture"])
        sim.write_window(at, {name: array[..., ::-1, :] for name, array in sim.read_window(at, part).items()})
        world["mixture"][:, rows, columns] = world["mixture"][:, rows, columns][:, ::-1]
        world["material"][rows, columns] = world["material"][rows, columns][::-1]
        assert sim.digest() == world.digest()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_large_world_is_painted_and_saved(size: tuple[int, int], tmp_path: Path) -> None:
    world, (height, width) = large(size), size
    mask = np.zeros(size, bool)
    mask[height - 3 :, width // 2 :] = True
    stroke = Laying("water")
    with Workbench(world) as sim:
        sim.paint(Runs.of_mask(0, 0, mask), stroke)
        arrays = {name: array.copy() for name, array in world.complete_arrays().items()}
        expected, chosen, _ = edit.brush(world, arrays, (0, 0), mask, stroke)
        assert chosen.any()
        painted = sim.read()
        for name in world.fields:
            np.testing.assert_array_equal(painted.complete_arrays()[name], expected[name])
        gpufluid.save(painted, tmp_path / "large.npz")
        assert gpufluid.load(tmp_path / "large.npz") == painted
        assert sim.digest() == painted.digest()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("size", mostly_long([(4_000, 8), (8, 4_000)], (8, 4_000), why="the same, wide"), ids=str)
def test_worlds_of_a_batch_are_as_they_are_alone(size: tuple[int, int]) -> None:
    worlds = [large(size, seed=seed) for seed in range(3)]
    cells = np.zeros(size, bool)
    cells[size[0] // 2 :, size[1] // 2 :] = True
    alone = [Workbench(world) for world in worlds]
    with Batch(worlds) as batch:
        batch.step(2)
        batch.paint(cells, Laying("sand"))
        for sim in alone:
            sim.step(2)
            sim.paint(Runs.of_mask(0, 0, cells), Laying("sand"))
        state = batch.read()
        for number, sim in enumerate(alone):
            assert state.world(number) == sim.read()
        assert batch.digests() == [sim.digest() for sim in alone]
        assert batch.statistics() == [sim.statistics() for sim in alone]
        for _ in range(3):
            late = batch.late("mixture")
        assert late is not None
        np.testing.assert_array_equal(late[1], state["mixture"])
        np.testing.assert_array_equal(batch.frames("1/8"), [sim.frame("1/8") for sim in alone])
        batch.reset([True, False, True])
        assert batch.digests() == [worlds[0].digest(), alone[1].digest(), worlds[2].digest()]
    for sim in alone:
        sim.close()


@pytest.mark.usefixtures("device")
def test_pictures_show_the_last_rows_of_each_layer() -> None:
    world, low = World(5_000, 40, ("mixture",)), World(20, 40, ("mixture",))
    for place in range(len(world.mixture)):
        world["mixture"][place, -10:, 8 * place : 8 * place + 8] = FULL
    low["mixture"] = world["mixture"][:, -20:]
    with Simulation(world) as high_one, Simulation(low) as low_one:
        for name in world.mixture.names:
            picture = high_one.frame(overlay=name)
            np.testing.assert_array_equal(picture[-20:], low_one.frame(overlay=name))
            assert np.ptp(picture[-20:], axis=(0, 1)).any()
