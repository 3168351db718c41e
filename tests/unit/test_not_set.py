"""Atoms whose temperature nobody set begin with that of new atoms: in a simulation, in the oracle, and in files."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.walkers import RULE

import gpufluid
from gpufluid import NOT_SET, Emitter, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.core.fields import FIELDS, TEMPERATURE_ONE, DeclarationError, Summary
from gpufluid.io import snapshots
from gpufluid.matter.materials import SHIPPED, State
from gpufluid.rules import register
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.scene_fit import SceneFit

pytestmark = pytest.mark.usefixtures("device")

HOT = ("atoms", "heat", "reactions")
AIR = 20 * TEMPERATURE_ONE


def lake_of_lava() -> World:
    """50 atoms of lava between walls of stone, written into ``material`` and nowhere else."""
    world = World(16, 16, HOT)
    world["material"][9:15, 2:14] = world.materials["stone"]
    world["material"][9:14, 3:13] = world.materials["lava"]
    assert world.census()["lava"] == 50
    return world


def degrees_of(world: World, material: str) -> list[float]:
    return sorted(set(world.degrees()[world["material"] == world.materials[material]].tolist()))


def test_lava_written_by_numpy_is_lava_after_some_ticks() -> None:
    world = lake_of_lava()
    after = oracle.step(world, 20)
    assert after.census()["lava"] == 50
    with Simulation(world) as sim:
        assert sim.digest() == world.digest()
        sim.step(20)
        assert sim.digest() == after.digest()
        assert sim.read() == after
    assert min(degrees_of(after, "lava")) > 900
    assert degrees_of(world, "stone") == [20]  # the first state stays as it was


def test_atoms_begin_at_the_temperature_of_their_material_or_of_the_air() -> None:
    world = World(3, 64, HOT, parameters={"heat": {"ambient": -7.5}})
    world["material"][1] = np.arange(64) % len(SHIPPED)
    found = world.degrees()
    for column, record in zip(range(64), (*SHIPPED, *SHIPPED), strict=False):
        if record.state is State.EMPTY:
            assert math.isnan(found[1, column])
        else:
            assert found[1, column] == (-7.5 if record.temperature is None else record.temperature)
    assert np.isnan(found[0]).all()
    with Simulation(world) as sim:
        read = sim.read()
        assert read == world
        np.testing.assert_array_equal(read.degrees(), found)


def test_what_is_not_set_is_said_by_the_array_until_it_is_written() -> None:
    world = World(4, 5, HOT)
    assert (world["temperature"] == NOT_SET).all()
    world["material"][2] = world.materials["lava"]
    assert (world["temperature"] == NOT_SET).all()
    world["temperature"][2, 1:3] = 0, 80
    assert world.degrees()[2].tolist() == [1200, 0, 10, 1200, 1200]
    world["material"][2, 4] = world.materials["ice"]  # not set: it follows the material
    assert world.degrees()[2].tolist() == [1200, 0, 10, 1200, -10]
    assert world["temperature"][2].tolist() == [NOT_SET, 0, 80, NOT_SET, NOT_SET]
    world["temperature"][2, 1] = NOT_SET
    assert world.degrees()[2, 1] == 1200


@pytest.mark.parametrize("first", ["material", "temperature"])
def test_zero_degrees_can_be_said_before_and_after_the_material(first: str) -> None:
    world = World(4, 5, HOT)
    values = {"material": world.materials["water"], "temperature": 0}
    for name in sorted(values, key=lambda name: name != first):
        world[name][1, 1:4] = values[name]
    assert world.degrees()[1, 1:4].tolist() == [0, 0, 0]
    with Simulation(world) as sim:
        assert sim.read().degrees()[1, 1:4].tolist() == [0, 0, 0]


def begun(way: str, folder: Path) -> World:
    """A world with water in its lowest row and nothing above, as it comes back from somewhere."""
    world = World(6, 8, HOT)
    world["material"][5] = world.materials["water"]
    if way == "simulation":
        with Simulation(world) as sim:
            sim.step(2)
            return sim.read()
    if way == "oracle":
        return oracle.step(world, 2)
    if way == "oracle in place":
        world["material"], world["temperature"]
        oracle.tick(world)
        return world
    if way == "snapshot":
        gpufluid.save(world, folder / "world.npz")
        return gpufluid.load(folder / "world.npz")
    if way == "scene":
        gpufluid.scene.write(world, folder / "world.toml", "Water", "Water.")
        return gpufluid.load(folder / "world.toml")
    if way == "blank":
        return world.blank()
    return world.copy()


@pytest.mark.parametrize("way", ["simulation", "oracle", "oracle in place", "snapshot", "scene", "blank", "copy"])
def test_atoms_written_into_a_world_that_comes_back_begin_as_new_ones_too(way: str, tmp_path: Path) -> None:
    world = begun(way, tmp_path)
    before = world.degrees()[5].tolist()
    world["material"][2, 2:5] = world.materials["lava"]
    assert world["temperature"][2, 3] == NOT_SET
    assert world.degrees()[2, 2:5].tolist() == [1200] * 3
    np.testing.assert_array_equal(world.degrees()[5], before)
    world.validate()


def test_a_material_written_over_an_atom_leaves_the_temperature_that_it_has(tmp_path: Path) -> None:
    world = begun("simulation", tmp_path)
    world["temperature"][5, 2] = 8 * 44
    world["material"][5, 2:4] = world.materials["oil"]
    assert world.degrees()[5, 2] == 44
    assert world.degrees()[5, 3] == world.degrees()[5, 4]
    world["temperature"][5, 2:4] = NOT_SET
    assert world.degrees()[5, 2:4].tolist() == [20, 20]


def test_an_array_held_across_a_tick_in_place_is_still_not_set_where_nothing_is() -> None:
    world = World(6, 8, HOT)
    material, degrees = world["material"], world["temperature"]
    material[5] = world.materials["water"]
    oracle.tick(world)
    assert (degrees[5] != NOT_SET).all()
    material[2, 3] = world.materials["lava"]
    assert degrees[2, 3] == NOT_SET
    assert world.degrees()[2, 3] == 1200


def test_digests_statistics_and_files_have_no_value_that_is_not_set(tmp_path: Path) -> None:
    world = lake_of_lava()
    said = world.copy()
    said["temperature"] = np.where(np.isnan(said.degrees()), 0, said.degrees() * TEMPERATURE_ONE).astype(int)
    assert world.digest() == said.digest()
    assert world == said
    assert world.statistics() == said.statistics()
    assert (world.heat_held(), world.total("temperature")) == (said.heat_held(), said.total("temperature"))
    assert world.statistics().largest == 1200
    gpufluid.save(world, tmp_path / "world.npz")
    with np.load(tmp_path / "world.npz") as file:
        np.testing.assert_array_equal(file["temperature"], said["temperature"])
    assert gpufluid.load(tmp_path / "world.npz") == world
    assert SceneFit.of(world).fills == SceneFit.of(said).fills == []
    assert world["temperature"][0, 0] == NOT_SET


def test_a_snapshot_that_says_not_set_is_damaged(tmp_path: Path) -> None:
    world = lake_of_lava()
    gpufluid.save(world, tmp_path / "world.npz")
    with np.load(tmp_path / "world.npz") as file:
        arrays = dict(file)
    arrays["temperature"][10, 5] = NOT_SET
    np.savez(tmp_path / "other.npz", **arrays)
    with pytest.raises(gpufluid.GpufluidError, match=r"damaged snapshot: temperature\[10, 5\]: -32768; expected -2184"):
        snapshots.load(tmp_path / "other.npz")


def test_values_beside_not_set_are_refused_as_before() -> None:
    world = World(4, 5, HOT)
    world["material"][2] = world.materials["sand"]
    world["temperature"] += 80
    with pytest.raises(WorldError, match=r"^temperature\[0, 0\]: -32688; expected -2184 to 32000, in 1/8 degree C"):
        world.validate()
    world["temperature"] = NOT_SET
    world["temperature"][1, 2] = 80
    with pytest.raises(WorldError, match=r"^temperature\[1, 2\]: 80; expected 0 in an empty cell"):
        world.validate()


def test_the_values_do_not_depend_on_how_many_are_completed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lake_of_lava()
    monkeypatch.setattr("gpufluid.world.new_atoms._BAND", 40)
    parts = lake_of_lava()
    assert parts.digest() == whole.digest()
    np.testing.assert_array_equal(parts.degrees(), whole.degrees())
    np.testing.assert_array_equal(oracle.step(parts, 2)["temperature"], oracle.step(whole, 2)["temperature"])


def test_a_check_takes_little_memory_beside_the_arrays() -> None:
    world = World(1024, 2048, HOT)
    world["material"][512:] = world.materials["stone"]
    world["temperature"]
    tracemalloc.start()
    world.validate()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < world.nbytes / 2
    assert world["temperature"][600, 3] == NOT_SET


def test_draw_temperature_gives_every_atom_a_value() -> None:
    world = lake_of_lava()
    world["temperature"][10, 5] = 0
    world.draw_temperature()
    there = world["material"] != 0
    assert (world["temperature"][there] == np.where(there, world.degrees() * 8, 0)[there]).all()
    assert world["temperature"][10, 5] == 9600
    assert (world["temperature"][~there] == NOT_SET).all()


def test_a_window_is_written_as_a_world_is() -> None:
    world = lake_of_lava()
    with Workbench(World(16, 16, HOT)) as sim:
        sim.write_window((0, 0), {name: world[name] for name in world.fields})
        assert sim.digest() == world.digest()
        assert sim.heat.painted == world.heat_held()


def test_a_rule_that_adds_matter_leaves_no_value_not_set() -> None:
    world = World(12, 12, HOT, emitters=[Emitter((4, 1), (3, 1), material="lava", temperature=900.0)])
    world["material"][11] = world.materials["stone"]
    after = oracle.step(world, 6)
    with Simulation(world) as sim:
        sim.step(6)
        assert sim.read() == after
        late = [sim.late("temperature") for _ in range(3)][-1]
    assert late is not None
    assert (late[1][after["material"] == 0] == 0).all()  # on a device cells without an atom have 0
    assert (after["temperature"][after["material"] == 0] == NOT_SET).all()
    assert set(degrees_of(after, "lava")) <= set(np.arange(800, 900.1, 0.125).tolist())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"not_set": 5}, "field steps: 5 means not set; expected a value of type uint16 outside of 0 to 1000"),
        ({"not_set": 70000}, "field steps: 70000 means not set; expected a value of type uint16"),
        ({"not_set": 1001, "empty": None}, "field steps: has a value that means not set; expected a field of atoms"),
        ({"not_set": 1001, "fresh": None}, "field steps: has a value that means not set; expected a field of atoms"),
    ],
)
def test_a_declaration_that_cannot_be_met_is_refused(change: dict, message: str) -> None:
    *others, field = RULE.declares
    with (
        pytest.raises(DeclarationError, match=f"^{message}"),
        register(replace(RULE, declares=(*others, replace(field, **change))), after="atoms.spread"),
    ):
        pass


def test_any_field_can_be_not_set() -> None:
    *others, field = RULE.declares
    declared = replace(field, not_set=1001, summary=Summary.SUM)
    with register(replace(RULE, declares=(*others, declared)), after="atoms.spread"):
        world = World(3, 4, ("atoms", "walkers"))
        world["material"][1, 1:3] = world.materials["sand"], world.materials["wall"]
        world["material"][2, 2] = world.materials["sand"]
        world["steps"][2, 2] = 9
        assert world["steps"].tolist() == [[1001] * 4, [1001] * 4, [1001, 1001, 9, 1001]]
        assert world.total("steps") == 3 + 9
        world.validate()
        with Simulation(world) as sim:
            sim.step(2)
            assert sim.read() == oracle.step(world, 2)
    assert "steps" not in FIELDS
