"""Liquids: they level out, settle, sort themselves by density, and hover nowhere."""

from __future__ import annotations

import numpy as np
import pytest
from support.behaviour import after, at, box

from gpufluid import Simulation, World

pytestmark = pytest.mark.usefixtures("device")


def unevenness(world: World) -> int:
    """The difference between the highest and the lowest top of a column of water, in cells."""
    water = at(world, "water")
    tops = np.where(water.any(axis=0), water.argmax(axis=0), world.height)
    return int(tops.max() - tops.min())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_column_of_water_levels_out_in_a_second_or_two_and_rests(seed: int) -> None:
    """Seed 004: "Fluid levels now equalize in a second or two"; at 120 ticks a second, so within 240."""
    world = box(130, 256, seed=seed)
    world["material"][-96:, :64] = world.materials["water"]
    with Simulation(world) as sim:
        sim.step(240)
        assert unevenness(sim.read()) <= 2
        sim.step(360)
        assert unevenness(sim.read()) <= 1
        while not sim.settled and sim.tick < 1500:
            sim.step(10)
        assert sim.settled
        before = sim.digest()
        material = sim.read()["material"]
        sim.step(200)
        assert (sim.read()["material"] == material).all()
        assert sim.digest() != before  # the tick is part of it


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_closed_box_of_water_comes_to_rest_and_none_hovers(seed: int) -> None:
    world = box(64, 96, seed=seed)
    world["material"][np.random.default_rng(seed).random((64, 96)) < 0.4] = world.materials["water"]
    world["material"][30:32, 20:70] = world.materials["wall"]
    with Simulation(world) as sim:
        while not sim.settled and sim.tick < 3000:
            sim.step(20)
        assert sim.settled
        rest = sim.read()
    assert not (rest["velocity"] != 0).any()
    water = at(rest, "water")
    assert not (water[:-1] & (rest["material"][1:] == 0)).any()


def test_a_mixture_sorts_itself_by_density() -> None:
    world = box(128, 128)
    names = ["sand", "salt water", "water", "oil", "smoke"]
    matter = [world.materials[name] for name in names]
    world["material"] = np.random.default_rng(3).choice(np.array(matter, np.uint8), (128, 128))
    world.draw_grain()
    before = world.census()
    with Simulation(world) as sim:
        sim.step(3000)
        assert sim.settled
        later = sim.read()
    assert later.census() == before
    density = later.materials.column("density")[later["material"]]
    assert (density[:-1] > density[1:]).mean() < 0.005
    layers = np.sort(density.ravel()).reshape(128, 128)
    assert (layers != density).mean() < 0.05  # and the layers lie level, but for the sand's surface


def test_sand_sinks_in_water_and_smoke_leaves_it() -> None:
    world = box(80, 60)
    world["material"][20:] = world.materials["water"]
    world["material"][2:8, 20:40] = world.materials["sand"]
    world["material"][70:76, 20:40] = world.materials["smoke"]
    later = after(world, 900)
    rows = {name: np.argwhere(at(later, name))[:, 0] for name in ("sand", "water", "smoke")}
    assert rows["sand"].min() > 60
    assert rows["smoke"].max() < rows["water"].min()


def test_snow_floats_on_water() -> None:
    world = box(60, 40)
    world["material"][30:] = world.materials["water"]
    world["material"][5:9, 10:30] = world.materials["snow"]
    later = after(world, 900)
    assert np.argwhere(at(later, "snow"))[:, 0].max() <= np.argwhere(at(later, "water"))[:, 0].min() + 3


def test_gas_fills_a_room_from_the_roof_down() -> None:
    world = box(60, 100)
    world["material"][30:56, 2:30] = world.materials["methane"]
    later = after(world, 1500)
    columns = at(later, "methane").sum(axis=0)
    assert np.argwhere(at(later, "methane"))[:, 0].max() <= 9  # 728 atoms make a layer of seven
    assert columns.max() - columns.min() <= 4
