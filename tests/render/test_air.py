"""The air of a picture: clouds of gas, flames, the depth of liquids, and at night the light of glowing matter."""

from __future__ import annotations

import numpy as np
import pytest
from support.reactions import put, reacting
from support.worlds import random_atoms, random_world

from gpufluid import FULL, Simulation, World
from gpufluid.render import painter
from gpufluid.render.look import Look
from gpufluid.render.scale import Scale
from gpufluid.runtime.editing import Workbench

pytestmark = pytest.mark.usefixtures("device")

EMPTY = np.array((245, 246, 248))
ALL = slice(None)


def frame_of(world: World, theme: str = "day", **settings: object) -> np.ndarray:
    with Simulation(world) as sim:
        return sim.frame(theme=theme, **settings).astype(int)  # pyright: ignore[reportArgumentType]


def brightness(frame: np.ndarray) -> np.ndarray:
    """The brightness of each pixel, (height, width) float."""
    return frame.mean(axis=2)


def atoms(height: int, width: int) -> World:
    return World(height, width, ("atoms",))


def fill(world: World, name: str, rows: slice, columns: slice) -> None:
    world["material"][rows, columns] = world.materials[name]


def test_scattered_gas_is_drawn_as_a_cloud_and_not_as_dots() -> None:
    """A third of the cells of a square hold smoke: the picture is almost even there, and fades beyond its edges."""
    world = atoms(64, 64)
    drawn = np.random.default_rng(3).random((32, 32)) < 1 / 3
    world["material"][16:48, 16:48][drawn] = world.materials["smoke"]
    dark = EMPTY.mean() - brightness(frame_of(world))
    inside = dark[22:42, 22:42]
    assert inside.mean() > 40
    assert inside.min() > 0.5 * inside.mean()
    neighbours = np.abs(np.diff(inside, axis=1)).mean()
    assert neighbours < 0.12 * inside.mean()  # as dots they would differ by nearly half the mean
    assert 0.1 * inside.mean() < dark[22:42, 13].mean() < 0.6 * inside.mean()
    assert (dark[:, :5] < 1).all()


def test_a_single_atom_of_gas_can_be_seen() -> None:
    world = atoms(21, 21)
    fill(world, "smoke", slice(10, 11), slice(10, 11))
    dark = EMPTY.mean() - brightness(frame_of(world))
    assert dark[10, 10] > 5
    assert dark[10, 10] == dark.max()


def test_steam_can_be_seen_by_day() -> None:
    world = atoms(48, 48)
    fill(world, "steam", slice(16, 32), slice(16, 32))
    dark = EMPTY.mean() - brightness(frame_of(world))
    assert dark[18:30, 18:30].mean() > 30
    assert dark[29, 24] > dark[18, 24] + 5  # its underside is darker than its top


@pytest.mark.parametrize("thickness", [1, 2, 4])
def test_gas_is_not_drawn_behind_a_wall(thickness: int) -> None:
    world = atoms(24, 40)
    fill(world, "wall", ALL, slice(16, 16 + thickness))
    fill(world, "steam", ALL, slice(0, 16))
    dark = EMPTY.mean() - brightness(frame_of(world))
    least = dark[4:20, 4:14].min()
    assert (dark[4:20, 15] > 0.75 * least).all()  # hardly thinner beside the wall
    assert (dark[4:20, 16 + thickness :] < 1).all()


def test_deep_liquid_is_darker_than_its_surface_and_the_surface_is_bright() -> None:
    world = atoms(80, 40)
    fill(world, "water", slice(20, 80), ALL)
    rows = brightness(frame_of(world))[:, 10:30].mean(axis=1)
    assert rows[20] > rows[22] + 20
    assert rows[24] > rows[45] + 10
    assert abs(rows[60] - rows[75]) < 3


def test_lava_is_not_darker_where_it_is_deep() -> None:
    world = reacting(60, 20)
    put(world, "lava", slice(10, 60), ALL, 1200)
    rows = brightness(frame_of(world))[:, 5:15].mean(axis=1)
    assert abs(rows[14:24].mean() - rows[45:55].mean()) < 3


def hearth(side: int = 96) -> World:
    """A floor and a ceiling of stone, and a fire on the floor at the left."""
    world = reacting(side, side)
    put(world, "stone", slice(side - 16, side), ALL, 20)
    put(world, "stone", slice(0, 16), ALL, 20)
    put(world, "fire", slice(side - 24, side - 16), slice(8, 16), 1100)
    return world


def test_at_night_fire_lights_what_is_near() -> None:
    lit, dark = hearth(), hearth()
    dark["material"][72:80, 8:16] = 0
    dark["temperature"][72:80, 8:16] = 0
    dark["age"][72:80, 8:16] = 0
    dark["integrity"][72:80, 8:16] = 0
    more = brightness(frame_of(lit, "night") - frame_of(dark, "night"))
    floor = more[80:84].mean(axis=0)
    assert floor[12] > 40
    assert floor[12] > floor[30] > floor[60]
    assert abs(floor[95]) < 3
    assert more[80:84, 12].mean() > more[92:96, 12].mean() + 20  # it does not reach deep into the stone
    by_day = brightness(frame_of(lit) - frame_of(dark))
    assert (np.abs(by_day[80:]) <= 2).all()  # by day it lights nothing but the air


def test_at_night_a_wall_casts_a_shadow() -> None:
    world = hearth()
    open_floor = brightness(frame_of(world, "night"))
    put(world, "stone", slice(16, 80), slice(24, 32), 20)
    shaded = brightness(frame_of(world, "night"))
    assert open_floor[80:82, 40:44].mean() > shaded[80:82, 40:44].mean() + 8


def test_the_night_is_dark_and_can_be_read() -> None:
    """Matter is darker than by day, but it differs from the sky."""
    world = atoms(64, 64)
    fill(world, "sand", slice(48, 64), ALL)
    day, night = frame_of(world), frame_of(world, "night")
    sky, sand = brightness(night)[:32], brightness(night)[50]
    assert sky.max() < 60
    assert (sand > sky.max() + 20).all()
    assert (sand < brightness(day)[50] - 40).all()


def test_water_by_mass_has_a_bright_surface_at_night() -> None:
    world = World(40, 24, rules=("flow",))
    world["mass"][16:] = FULL
    rows = brightness(frame_of(world, "night"))[:, 6:18].mean(axis=1)
    assert rows[16] > rows[18] + 15
    assert rows[18] > rows[36]
    assert rows[36] > rows[8]  # still above the sky


def burning(edges: str) -> World:
    """A world of every kind of atom, some of them hot."""
    world = reacting(70, 90, edges=edges)
    rng = np.random.default_rng(5)
    names = ["empty", "stone", "sand", "water", "steam", "smoke", "fire", "lava"]
    patches = rng.integers(0, len(names), (7, 9)).repeat(10, axis=0).repeat(10, axis=1)
    numbers = np.array([world.materials[name] for name in names])[patches]
    world["material"] = np.where(rng.random((70, 90)) < 0.7, numbers, 0)
    world.draw_temperature()
    return world


@pytest.mark.parametrize("edges", ["closed", "open", "wrap"])
@pytest.mark.parametrize("theme", ["day", "night"])
def test_a_picture_of_a_part_is_the_part_of_the_picture(theme: str, edges: str) -> None:
    """Gas, flames and light outside of the part show in it."""
    with Simulation(burning(edges)) as sim:
        whole = sim.frame(theme=theme)
        for x, y, width, height in ((0, 0, 90, 70), (13, 7, 31, 45), (89, 69, 1, 1), (60, 0, 30, 9)):
            part = sim.frame(theme=theme, crop=(x, y, width, height))
            np.testing.assert_array_equal(part, whole[y : y + height, x : x + width])


@pytest.mark.parametrize("theme", ["day", "night"])
def test_a_large_picture_drawn_in_bands_is_the_same(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Simulation(burning("closed")) as sim:
        whole = [sim.frame(scale, theme=theme) for scale in (1, 3, "1/4")]
        monkeypatch.setattr(painter, "_SURVEYED", 700)
        for picture, scale in zip(whole, (1, 3, "1/4"), strict=True):
            np.testing.assert_array_equal(sim.frame(scale, theme=theme), picture)


@pytest.mark.parametrize("theme", ["day", "night"])
def test_a_window_shows_the_picture_in_whole_and_in_bands(theme: str) -> None:
    look = Look.of(theme)
    with Workbench(burning("open")) as sim:
        picture = sim.frame(2, theme=theme)
        for bands in (1, 4):
            views = [
                sim.view(Scale(2), (0, 0), (180, 140), None, (140 * band // bands, 140 * (band + 1) // bands), look)
                for band in range(bands)
            ]
            with sim.device:
                shown = np.frombuffer(views[-1].read(), np.uint8).reshape(140, 180, 4)
            np.testing.assert_array_equal(shown[:, :, :3], picture)


@pytest.mark.parametrize("theme", ["day", "night"])
def test_a_mirrored_world_is_a_mirrored_picture(theme: str) -> None:
    """Light and clouds favour no side. Solids are lit from one side, so there are none."""
    world = reacting(40, 64)
    put(world, "smoke", slice(4, 20), slice(9, 33))
    put(world, "fire", slice(22, 30), slice(14, 22), 1100)
    world["grain"][:] = 0
    mirrored = reacting(40, 64)
    for name in world.fields:
        mirrored[name] = world[name][:, ::-1]
    difference = frame_of(world, theme)[:, ::-1] - frame_of(mirrored, theme)
    assert np.abs(difference).max() <= 1


@pytest.mark.parametrize("world", [random_world(20, 30), random_atoms(20, 30), burning("wrap")], ids=lambda w: w.rules)
def test_no_theme_changes_the_state(world: World) -> None:
    with Simulation(world) as sim:
        before = sim.digest()
        for theme in ("day", "night"):
            sim.frame(2, theme=theme)
        assert sim.digest() == before
        sim.step(3)
        with Simulation(world) as other:
            other.step(3)
            assert sim.digest() == other.digest()


def test_gases_of_a_mixture_are_drawn_as_clouds() -> None:
    """Rows with and without steam by turns look as if half of it was everywhere."""
    world = World(40, 40, ("mixture",))
    world["mixture"][world.mixture["steam"], 8:32:2, 8:32] = FULL
    dark = EMPTY.mean() - brightness(frame_of(world))
    rows = dark[14:26, 16:24].mean(axis=1)
    assert rows.mean() > 20
    assert np.abs(np.diff(rows)).max() < 0.25 * rows.mean()
