"""Frames: their size and colours, water drawn as a level, and the average of light in small scales."""

from __future__ import annotations

import numpy as np
import pytest
from support.worlds import random_atoms, random_world

from gpufluid import FULL, Drain, Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.matter.materials import State

pytestmark = pytest.mark.usefixtures("device")

EMPTY, WALL, WATER = (np.array(colour) for colour in ((245, 246, 248), (110, 112, 120), (66, 146, 222)))


def frame_of(world: World, scale: float = 1, overlay: str | None = None) -> np.ndarray:
    with Simulation(world) as sim:
        return sim.frame(scale, overlay)


def near(pixels: np.ndarray, colour: np.ndarray, by: int = 2) -> bool:
    return bool((abs(pixels.astype(int) - colour) <= by).all())


def basin() -> World:
    """A world of 24 rows and 9 columns: water at rest from row 4 on, on a floor of wall."""
    world = World(24, 9, rules=("flow",))
    world["material"][22:] = world.materials["wall"]
    compress = world.fixed("flow")["max_compress"]
    world["mass"][4:22] = FULL + compress * np.arange(18)[:, None]
    return world


@pytest.mark.parametrize("size", [(1, 1), (7, 13), (24, 9), (65, 33)])
@pytest.mark.parametrize("scale", [1, 2, 3, 8, 64, 1 / 2, 1 / 3, 1 / 7, 1 / 64])
def test_a_frame_has_scale_times_the_worlds_size_rounded_up(size: tuple[int, int], scale: float) -> None:
    frame = frame_of(World(*size, rules=("flow",)), scale)
    cells = round(1 / scale) if scale < 1 else 1
    zoom = int(scale) if scale >= 1 else 1
    assert frame.shape == (*(-(-side * zoom // cells) for side in size), 3)
    assert frame.dtype == np.uint8
    assert near(frame, EMPTY)


@pytest.mark.parametrize("scale", [0, -1, 65, 1.5, 2.01, 0.3, 0.7, 1 / 65, float("nan"), float("inf"), -0.5])
def test_an_invalid_scale_is_refused(scale: float) -> None:
    with pytest.raises(UsageError, match=r"scale: .*; expected 1 to 64 pixels a cell, or 1/2"):
        frame_of(World(2, 2, rules=("flow",)), scale)


def test_a_picture_over_the_devices_limit_is_refused() -> None:
    with pytest.raises(UsageError, match=r"19264 by 64 pixels is over this device's limit of \d+"):
        frame_of(World(1, 301, rules=("flow",)), 64)


def test_dry_wet_and_solid_cells_have_their_own_colours() -> None:
    frame = frame_of(basin()).astype(int)
    assert near(frame[:4], EMPTY)
    assert (frame[4].sum(axis=1) > frame[5].sum(axis=1) + 60).all()  # the surface is bright
    assert near(frame[5], WATER, 20)
    solid = frame[22:].reshape(-1, 3)
    assert (abs(solid - WALL).max(axis=1) < 45).all()
    assert (np.ptp(solid, axis=1) < 25).all()  # shaded, but grey
    assert (solid.max(axis=1) < EMPTY.min() - 60).all()


def test_deeper_water_is_darker() -> None:
    brightness = frame_of(basin())[4:22].astype(int).sum(axis=(1, 2))
    assert (np.diff(brightness[:-1]) < 0).all()
    assert brightness[-1] <= brightness[-2]


def test_a_half_full_cell_that_rests_is_drawn_as_a_level() -> None:
    """At 8 pixels a cell: four rows of background, a brighter rim, then water."""
    world = World(3, 3, rules=("flow",))
    world["material"][2] = world.materials["wall"]
    world["mass"][1] = FULL // 2
    cell = frame_of(world, 8)[8:16]
    assert near(cell[:4], EMPTY)
    assert near(cell[6:], WATER)
    assert WATER.sum() * 24 < cell[4].sum() < EMPTY.sum() * 24


@pytest.mark.parametrize(("units", "rows"), [(0, 0), (FULL // 8, 1), (FULL // 4, 2), (3 * FULL // 4, 6), (FULL, 8)])
def test_the_level_is_as_high_as_the_cell_is_full(units: int, rows: int) -> None:
    world = World(1, 1, rules=("flow",))
    world["mass"][0] = units
    wet = (abs(frame_of(world, 8).astype(int) - EMPTY) > 2).any(axis=2)
    assert wet.sum(axis=0).tolist() == [rows] * 8
    assert wet[8 - rows :].all()


def test_falling_water_is_drawn_in_a_uniform_light_colour() -> None:
    """A half-full falling cell is drawn in a uniform light blue, not as a level."""
    world = World(3, 1, rules=("flow",))
    world["mass"][0] = FULL // 2
    cell = frame_of(world, 8)[:8].astype(int)
    assert (cell == cell[0, 0]).all()
    assert near(cell[0, 0], EMPTY + (WATER - EMPTY) * 0.8 * 0.5**0.5, 3)


@pytest.mark.parametrize("edges", ["closed", "open", "wrap"])
def test_atoms_have_their_colour_shaded_by_their_grain(edges: str) -> None:
    world = random_atoms(16, 24, edges=edges)
    materials = world["material"]
    colours = np.array([record.colour for record in world.materials])[materials]
    shade = world.materials.column("shade")[materials] / 256
    state = world.materials.column("state")[materials]
    frame = frame_of(world).astype(float)
    wanted = colours * (1 + (world["grain"] / 255 - 0.5) * shade)[:, :, None]
    above = np.roll(materials, 1, axis=0)
    open_above = (above == 0) & ((np.arange(16)[:, None] > 0) | (edges == "wrap"))
    wanted = np.where(((state == State.LIQUID) & open_above)[:, :, None], 0.65 * wanted + 0.35 * 255, wanted)
    atoms = (state == State.POWDER) | (state == State.LIQUID)
    assert near(frame[atoms], np.minimum(wanted, 255)[atoms])
    assert (abs(frame - colours).max(axis=2)[world.solid] < 70).all()


@pytest.mark.parametrize("rules", [("flow", "atoms"), ("atoms", "flow")], ids="+".join)
def test_walls_and_water_are_drawn_alike_whichever_plane_holds_the_material(rules: tuple[str, ...]) -> None:
    alone, beside = random_world(12, 17), World(12, 17, rules)
    for name in alone.fields:
        beside[name] = alone[name]
    for overlay in (None, "pressure"):
        np.testing.assert_array_equal(frame_of(beside, 2, overlay), frame_of(alone, 2, overlay))


@pytest.mark.parametrize("edges", ["closed", "open", "wrap"])
@pytest.mark.parametrize("cells", [2, 3, 7])
def test_a_smaller_frame_averages_light_cell_by_cell(cells: int, edges: str) -> None:
    """Also at the right and lower edges, where a pixel averages fewer cells."""
    world = random_world(23, 38, edges=edges)
    whole = frame_of(world, 1).astype(float) ** 2
    rows, columns = range(0, 23, cells), range(0, 38, cells)
    wanted = [[whole[y : y + cells, x : x + cells].mean(axis=(0, 1)) ** 0.5 for x in columns] for y in rows]
    assert near(frame_of(world, 1 / cells), np.array(wanted))


def test_a_frame_is_not_changed_by_later_frames() -> None:
    with Simulation(basin()) as sim:
        first = sim.frame()
        kept = first.copy()
        world = sim.read()
        world["mass"][:] = 0
    frame_of(world)
    np.testing.assert_array_equal(first, kept)


def test_drawing_changes_no_state() -> None:
    with Simulation(random_world(20, 30)) as sim:
        before = sim.digest()
        for overlay in (None, "mass", "flow", "pressure"):
            sim.frame(2, overlay)
        assert sim.digest() == before


def test_a_picture_does_not_depend_on_how_its_state_came_about() -> None:
    """At the end of a tick a drain takes atoms over water, whose cells pass for solid until the next tick."""
    world = World(20, 20, rules=("flow", "atoms"), edges="closed")
    world["material"][4:6] = world.materials["oil"]
    world["mass"][6:] = FULL // 2
    world.drains = (Drain(at=(0, 0), size=(20, 6), rate=0.5),)
    with Simulation(world) as sim:
        sim.step(2)
        with Simulation(sim.read()) as again:
            for overlay in (None, "flow"):
                np.testing.assert_array_equal(sim.frame(8, overlay=overlay), again.frame(8, overlay=overlay))
