"""Overlays: quantities in false colour, grey solids, and legends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.reactions import random_reacting
from support.selection import mostly_long
from support.worlds import random_world

from gpufluid import FULL, Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.core.fields import LATENT_ONE, TEMPERATURE_ONE, WATER_HEAT_ONE
from gpufluid.core.small_floats import encoded
from gpufluid.matter import mixtures
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.oracle.flow import outflow
from gpufluid.render.legend import HEIGHT, LEAST_WIDTH, draw_legend, with_legend
from gpufluid.render.painter import colour_table, find_overlay, overlay_span
from gpufluid.rules import RULES, overlays_of
from gpufluid.rules.heat import water_latent, water_temperature
from gpufluid.rules.inertia import water_velocity, water_vorticity
from gpufluid.rules.laws import Edges, amount_in
from gpufluid.runtime.editing import Workbench

OVERLAYS = ("mass", "flow", "pressure")
OF_ATOMS = ("temperature", "latent", "integrity", "age")


def world_with_all() -> World:
    """A random world, large enough to contain masses, pressures and flows of every magnitude."""
    return random_world(31, 40, most=2 * FULL, walls=0.1)


def quantity(world: World, name: str) -> np.ndarray:
    """The quantity of an overlay of rule flow, computed by NumPy: (height, width) float, in cells."""
    mass, fixed = world["mass"].astype(float), world.fixed("flow")
    if name == "flow":
        return outflow(world["mass"], world.solid, world.edges, fixed, 0).total / FULL
    return mass / FULL if name == "mass" else np.maximum(mass - fixed["max_mass"], 0) / FULL


def drawn_by(world: World, name: str, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw an overlay, and compare it with the colours of given values.

    Args:
        values: (height, width) float, in the overlay's unit.
    Returns: the frame, (height, width, 3); its largest difference from the expected colours, (height, width), 0 to 255;
        the indices of these colours in the overlay's colour table, (height, width).
    """
    low, high = overlay_span(world, name)
    value = np.clip(values, low, high)
    place = {
        "logarithm": lambda: np.log(value / low) / np.log(high / low),
        "square root": lambda: np.sqrt((value - low) / (high - low)),
        "linear": lambda: (value - low) / (high - low),
    }[find_overlay(world, name).curve]()
    colours = colour_table(find_overlay(world, name))[:, :3].astype(int)
    with Simulation(world) as sim:
        frame = sim.frame(1, name).astype(int)
    index = np.round(place * 255).astype(int)
    candidates = np.stack([colours[np.clip(index + by, 0, 255)] for by in (-1, 0, 1)])
    return frame, abs(candidates - frame).max(axis=3).min(axis=0), index


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", OVERLAYS)
def test_an_overlay_draws_its_quantity_in_the_colours_of_its_map(name: str) -> None:
    world = world_with_all()
    frame, away, index = drawn_by(world, name, quantity(world, name))
    wet = world["mass"] > world.fixed("flow")["min_mass"]
    assert (away[wet] <= 1).all()
    assert len(np.unique(index[wet])) > 20
    assert (frame[(world["mass"] == 0) & ~world.solid] == world.materials.records[0].colour).all()  # dry


def air_of(world: World) -> np.ndarray:
    """The colour of air in overlay ``temperature``, by red, green and blue: a third of it is the background's."""
    low, high = overlay_span(world, "temperature")
    place = np.sqrt((float(world.parameters["heat"]["ambient"]) - low) / (high - low))
    own = colour_table(find_overlay(world, "temperature"))[int(255 * place + 0.5), :3]
    return np.round(0.65 * own + 0.35 * np.array(world.materials.records[0].colour))


def quantity_of_atoms(world: World, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The quantity of an overlay of rule heat or reactions, computed by NumPy; and the cells where it exists, bool."""
    matter, keeps = world["material"] != 0, world.materials.keeps_latent[world["material"]]
    if name == "temperature":
        return world["temperature"] / TEMPERATURE_ONE, matter
    if name == "latent":
        return world["age"].view(np.int8) * (LATENT_ONE / TEMPERATURE_ONE), keeps
    if name == "integrity":
        parts = world["integrity"].astype(float)
        return np.where(parts == 0, 256, parts), matter
    return world["age"].astype(float), matter & ~keeps


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", OF_ATOMS)
def test_an_overlay_of_atoms_draws_its_quantity_in_solids_too(name: str) -> None:
    world = random_reacting(31, 40, hottest=1300)
    keeps = world.materials.keeps_latent[world["material"]]
    most = np.array([record.latent_units("above") for record in world.materials])[world["material"]]
    latent = np.random.default_rng(2).integers(0, most + 1)
    world["age"] = np.where(keeps, latent, world["age"])
    values, shown = quantity_of_atoms(world, name)
    frame, away, index = drawn_by(world, name, values)
    assert (away[shown] <= 1).all()
    assert len(np.unique(index[shown])) > 20
    assert len(np.unique(index[shown & world.solid])) > 10
    if name == "temperature":
        assert (abs(frame[~shown] - air_of(world)) <= 1).all()
    else:
        assert (frame[~shown] == world.materials.records[0].colour).all()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(("boils", "hottest"), [(True, 650), (False, 6000)])
def test_overlays_show_the_temperature_and_the_latent_heat_of_water_by_mass(boils: bool, hottest: int) -> None:
    """Cold, warm and hot water of many amounts; some cells have too little of it to conduct heat."""
    calm = MaterialTable(tuple(replace(each, above=None) if each.name == "water" else each for each in SHIPPED))
    world = World(24, 40, ("flow", "atoms", "heat"), materials=MaterialTable() if boils else calm)
    rng = np.random.default_rng(6)
    world["mass"] = rng.choice([0, FULL // 20, FULL // 3, FULL, 3 * FULL], (24, 40))
    world["water_heat"] = (world["mass"].astype(np.int64) >> 10) * rng.integers(-100 * 8, hottest * 8, (24, 40))
    warm = world["mass"] >= FULL // 16
    for name, units in (
        ("temperature", water_temperature(world.laws, world["mass"], world["water_heat"])),
        ("latent", water_latent(world.laws, world["mass"], world["water_heat"]) / WATER_HEAT_ONE),
    ):
        frame, away, index = drawn_by(world, name, units / TEMPERATURE_ONE)
        assert (away[warm] <= 1).all()
        assert (len(np.unique(index[warm])) > 20) == (boils or name == "temperature")
        air = air_of(world) if name == "temperature" else world.materials.records[0].colour
        assert (abs(frame[~warm] - air) <= 1).all()


@pytest.mark.usefixtures("device")
def test_the_overlay_shows_the_temperature_of_a_mixture_of_all_its_parts() -> None:
    world = World(24, 40, ("mixture", "atoms", "heat"))
    rng = np.random.default_rng(6)
    world["mixture"] = rng.choice([0, FULL // 99, FULL // 3, FULL], world["mixture"].shape)
    held = amount_in(world.complete_arrays())
    world["water_heat"] = (held >> 10) * rng.integers(-100 * 8, 900 * 8, (24, 40))
    frame, away, _ = drawn_by(world, "temperature", water_temperature(world.laws, held, world["water_heat"]) / 8)
    warm = held >= FULL // 16
    assert (away[warm] <= 1).all()
    assert (abs(frame[~warm] - air_of(world)) <= 1).all()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("edges", ["closed", "wrap"])
def test_overlays_show_the_speed_and_the_vorticity_of_water_by_mass(edges: Edges) -> None:
    """Beside atoms the speed is also theirs."""
    rules = ("flow", "inertia", "atoms") if edges == "closed" else ("flow", "inertia")
    world, rng = World(24, 40, rules, edges), np.random.default_rng(6)
    world["mass"] = rng.choice([0, FULL // 3, FULL, 2 * FULL], (24, 40))
    momentum = rng.uniform(-0.6, 0.6, (24, 40, 2)) * world["mass"][..., None]
    world["momentum"] = encoded(momentum.astype(np.int64))
    wet = world["mass"] > 0
    speed = np.linalg.norm(water_velocity(world.laws, world["mass"], world["momentum"]), axis=2)
    assert abs(speed - np.linalg.norm(momentum, axis=2) / np.maximum(world["mass"], 1)).max() < 0.002
    shown = wet.copy()
    if "atoms" in rules:
        sand = np.arange(24)[:, None] + np.arange(40) & 7 == 0
        for name in ("mass", "momentum"):
            world[name][sand] = 0
        world["material"][sand], world["velocity"][sand] = world.materials["sand"], (30, -40)
        wet, shown, speed = wet & ~sand, wet | sand, np.where(sand, 50 / 16, speed)
    for name, values, there in (
        ("speed", speed, shown),
        ("vorticity", water_vorticity(world.laws, world["mass"], world["momentum"]), wet),
    ):
        frame, away, index = drawn_by(world, name, values)
        assert (away[there] <= 1).all(), name
        assert len(np.unique(index[there])) > 20, name
        assert (frame[~there] == world.materials.records[0].colour).all()


def test_a_whirl_turns_alike_in_its_middle() -> None:
    """Water that turns as a whole, clockwise, by 0.01 cells a tick for each cell from the middle."""
    world = World(9, 9, ("flow", "inertia"))
    world["mass"] = FULL
    y, x = np.mgrid[-4:5, -4:5]
    world["momentum"] = encoded((np.stack([-y, x], axis=2) * FULL // 100).astype(np.int64))
    found = water_vorticity(world.laws, world["mass"], world["momentum"])
    np.testing.assert_allclose(found[1:-1, 1:-1], 0.02, atol=1e-4)


def test_the_colours_of_a_quantity_with_a_sign_stay_even() -> None:
    world = World(2, 2, ("flow", "inertia"))
    assert overlay_span(world, "vorticity") == (-0.25, 0.25)
    assert overlay_span(world, "vorticity", 0.1) == (-0.1, 0.1)
    with pytest.raises(UsageError, match="expected a number above 0"):
        overlay_span(world, "vorticity", -0.1)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", OVERLAYS)
def test_solids_stay_grey(name: str) -> None:
    world = world_with_all()
    with Simulation(world) as sim:
        frame = sim.frame(1, name).astype(int)
    assert (np.ptp(frame[world.solid], axis=1) <= 1).all()
    assert (frame[world.solid] > 60).all()


@pytest.mark.usefixtures("device")
def test_an_unknown_overlay_is_an_error_that_names_the_valid_ones() -> None:
    with Simulation(World(2, 2, rules=("flow",))) as sim:
        with pytest.raises(UsageError, match=r"overlay: 'presure' .*; did you mean 'pressure'"):
            sim.frame(1, "presure")
        with pytest.raises(UsageError, match=r"overlay: 'x' .*expected one of: flow, mass, pressure"):
            sim.frame(1, "x")


@pytest.mark.parametrize("name", OVERLAYS)
@pytest.mark.parametrize("width", [10, LEAST_WIDTH, 900])
def test_a_legend_has_the_colours_of_its_map_in_order(name: str, width: int) -> None:
    overlay = find_overlay(World(9, 9, rules=("flow",)), name)
    legend = draw_legend(overlay, 0.1, 3.0, width)
    assert legend.shape == (HEIGHT, max(width, LEAST_WIDTH), 3)
    assert legend.dtype == np.uint8
    bar = legend[10]
    bar = bar[(bar != 255).any(axis=1)].astype(int)
    table = colour_table(overlay)[:, :3].astype(int)
    nearest = abs(bar[:, None] - table[None]).sum(axis=2)
    assert (nearest.min(axis=1) == 0).all()
    assert (np.diff(nearest.argmin(axis=1)) >= 0).all()
    assert (bar[0] == table[0]).all()
    assert (bar[-1] == table[-1]).all()


def test_a_legend_shows_its_numbers_and_its_unit() -> None:
    """Other values or another overlay change the text under the bar; no text is cut off at an edge."""
    mass, pressure = (find_overlay(World(9, 9, rules=("flow",)), name) for name in ("mass", "pressure"))
    legends = [draw_legend(mass, 0, 1, 300), draw_legend(mass, 0, 12.5, 300), draw_legend(pressure, 0, 1, 300)]
    for one, two in ((0, 1), (0, 2), (1, 2)):
        assert (legends[one][20:] != legends[two][20:]).any()
    for legend in legends:
        assert (legend[20:].min(axis=2) < 100).sum() > 50  # dark pixels of text
        assert (legend[:, :4] == 255).all()
        assert (legend[:, -4:] == 255).all()
        assert (legend[-1] == 255).all()


def test_no_label_is_longer_than_the_bar_of_the_smallest_legend() -> None:
    for overlay in (
        overlay for _, overlay in overlays_of(tuple(RULES), mixtures.SHIPPED.names).values() if not overlay.lines
    ):
        dark = (draw_legend(overlay, 0.1, 3.0, LEAST_WIDTH)[34:] < 200).any(axis=(0, 2)).nonzero()[0]
        assert dark.size
        assert 10 <= dark.min() <= dark.max() < LEAST_WIDTH - 10, overlay.label


@pytest.mark.parametrize("width", [5, 280, 700])
def test_a_legend_is_placed_below_the_frame_and_the_narrower_is_padded(width: int) -> None:
    frame = np.full((20, width, 3), 7, np.uint8)
    legend = draw_legend(find_overlay(World(9, 9, rules=("flow",)), "mass"), 0, 1, 300)
    both = with_legend(frame, legend)
    wide = max(width, 300)
    assert both.shape == (20 + HEIGHT, wide, 3)
    assert (both[:20, :width] == 7).all()
    assert (both[:20, width:] == 255).all()
    np.testing.assert_array_equal(both[20:, :300], legend)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("gravity", mostly_long(["down", "left"], "left", why="another gravity"))
def test_overlay_bodies_draws_each_body_of_the_last_tick_in_one_colour(gravity: str) -> None:
    """Cells without liquid, and all cells before the first tick, have the background colour."""
    world = World(12, 20, ("atoms", "pressure"), gravity=gravity)
    world["material"][2:10] = world.materials["stone"]
    world["material"][4:8, 2:6] = world["material"][4:8, 9:17] = world.materials["water"]
    bare = world.materials.records[0].colour
    with Workbench(world) as sim:
        assert (sim.frame(1, "bodies")[~world.solid] == bare).all()
        sim.step()
        frame, now = sim.frame(1, "bodies"), sim.read()
        water = now["material"] == world.materials["water"]
        left, right = (frame[:, part][water[:, part]] for part in (slice(0, 7), slice(7, 20)))
        assert len(np.unique(left, axis=0)) == len(np.unique(right, axis=0)) == 1
        assert (left[0] != right[0]).any()
        assert (frame[now["material"] == 0] == bare).all()
        sim.restore(world)
        assert (sim.frame(1, "bodies")[~world.solid] == bare).all()
