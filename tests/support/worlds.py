"""Random worlds, and the comparison of a simulation with a world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from support.selection import few

from gpufluid import FULL, Drain, Emitter, Simulation, World
from gpufluid.core.fields import (
    FIELDS,
    MASS_LIMIT,
    SPEED_LIMIT,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    TEMPERATURE_ONE,
)
from gpufluid.core.small_floats import LARGEST_CODE
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.ports import Port
from gpufluid.matter.transitions import Transition
from gpufluid.rules.laws import amount_in
from gpufluid.world.laws import EDGES, GRAVITIES

PARAMETERS = (
    {},
    {"preset": "seed-000"},
    {"preset": "seed-001"},
    {"max_compress": 0.0, "substeps": 2, "side_order": "right"},
    {"min_flow": 0.0, "side_divisor": 1, "substeps": 3},
    {"max_compress": 10.0, "max_speed": 100.0, "min_flow": 100.0, "side_divisor": 3},
    {"max_mass": 0.01, "max_compress": 0.005, "max_speed": 0.25},
    {"max_mass": 100.0, "max_compress": 1.0, "max_speed": 0.0, "side_divisor": 1000},
)
"""Only a few, far apart, because each set needs its own programs."""

SIDES = (1, 2, 3, 5, 7, 8, 9, 16, 31, 32, 33, 40)
"""Sizes near those of strips and groups."""

EVEN_SIDES = (2, 4, 8, 16, 32, 34, 40)
"""Even sizes near those of strips and groups, for a torus in blocks of 2x2."""

MASSES = (1, 1000, FULL, 2 * FULL, MASS_LIMIT)
"""Largest masses of a random cell: films, single units, still water, pressure, the limit."""

ATOM_PARAMETERS = (
    {},
    {"acceleration": 2.0, "substeps": 5, "spreads": 7, "reach_open": 4096},
    {"acceleration": 0.0625, "substeps": 1, "spreads": 1, "reach_open": 7},
    {"acceleration": 0.0, "substeps": 3, "spreads": 2, "reach_open": 1},
)


SPRAYS = ("cohesion", "stray", "splash", "resistance")


def _odd_materials() -> Iterator[Material]:
    """An extreme material table: liquids that rise, gases that fall, powders without weight, and the like."""
    states, pulls = (State.POWDER, State.LIQUID, State.GAS), (-4.0, -0.01, 0.0, 0.7, 4.0)
    densities, speeds, shares = cycle((1000, 0, 65535, 1)), cycle((1.0, 0.0625, 0.0, 7.9)), cycle((0.4, 1.0, 0.0))
    for number, (state, gravity) in enumerate(product(states, pulls)):
        motion = {"gravity": gravity, "terminal": next(speeds), "drag": next(speeds)}
        chances = {name: next(shares) for name in ("bounce", "slide", "spread", "stick", *SPRAYS)}
        yield Material(f"odd {number}", state, next(densities), (0, 0, 0), **motion, **chances)


ODD_TABLE = MaterialTable((*SHIPPED, *_odd_materials()))


def _odd_changes() -> Iterator[Material]:
    """An extreme material table: changes of state at both ends of the scale, with no or the most latent heat."""
    melting = Transition(50, "odd melt", 1000), Transition(50, "odd grain", 1000)
    yield Material(
        "odd grain", State.POWDER, 900, (0, 0, 0), above=melting[0], below=Transition(-273, "odd air"), cooling=64
    )
    yield Material("odd melt", State.LIQUID, 800, (0, 0, 0), conductivity=1.0, cooling=64, below=melting[1])
    yield Material("odd air", State.GAS, 3, (0, 0, 0), above=Transition(3999.9, "stone"))
    yield Material(
        "odd block", State.SOLID, 800, (0, 0, 0), conductivity=1.0, cooling=0, above=Transition(20, "odd melt", 3)
    )


HEAT_TABLE = MaterialTable((*SHIPPED, *_odd_changes()))

HEAT_PARAMETERS = ({}, {"ambient": -273.0, "air": 1.0}, {"ambient": 4000.0, "air": 0.02}, {"air": 0.0})

ATOM_LAWS = tuple(
    {
        "edges": edges,
        "gravity": gravity,
        "parameters": {"atoms": ATOM_PARAMETERS[number % len(ATOM_PARAMETERS)]},
        "materials": ODD_TABLE if number % 3 == 1 else MaterialTable(),
    }
    for number, (edges, gravity) in enumerate(product(EDGES, GRAVITIES))
)
"""All edges and gravities, each with a few parameters and tables, because each entry needs its own programs."""


HEAT_LAWS = tuple(
    laws
    | {
        "parameters": laws["parameters"] | {"heat": HEAT_PARAMETERS[number % len(HEAT_PARAMETERS)]},
        "materials": HEAT_TABLE if laws["gravity"] in ("down", "left") else laws["materials"],
    }
    for number, laws in enumerate(ATOM_LAWS)
)
"""Such laws with parameters of rule heat, and a table with more changes of state."""


def laws_of(rules: Sequence[str]) -> list[dict[str, Any]]:
    """Edges, gravities, parameters and tables for worlds of these rules; only a few, so that tests share programs."""
    return few(HEAT_LAWS if "heat" in rules else ATOM_LAWS)


def random_world(height: int, width: int, *, walls: float = 0.2, most: int = FULL, luck: int = 0, **laws) -> World:
    """A random world with walls and masses.

    Args:
        walls: the share of solid cells, of every solid material.
        most: largest mass of a cell, in units; about a third of the cells are dry.
        luck: seed of the random numbers.
        laws: further arguments of `World`.
    """
    world = World(height, width, **{"rules": ("flow",), **laws})
    rng, shape = np.random.default_rng(luck), (height, width)
    material = np.where(rng.random(shape) < walls, rng.choice(np.flatnonzero(world.materials.solid), shape), 0)
    mass = rng.integers(0, most, shape, endpoint=True)
    world["material"] = material
    world["mass"] = np.where((material > 0) | (rng.random(shape) < 0.3), 0, mass)
    return world


def moving_water(height: int, width: int, *, luck: int = 0, **laws: Any) -> World:
    """A random world of rules flow and inertia: walls, masses, and momentum in two of three cells.

    Arguments as for `random_world`.
    """
    world = random_world(height, width, rules=("flow", "inertia"), luck=luck, **laws)
    rng = np.random.default_rng(luck)
    most = LARGEST_CODE * (3 + luck % 2) // 4  # the largest are above every limit of speed
    world["momentum"] = rng.integers(-most, most, (height, width, 2), endpoint=True)
    world["momentum"][world.solid | (rng.random((height, width)) < 0.3)] = 0
    return world


def random_atoms(
    height: int,
    width: int,
    *,
    rules: tuple[str, ...] = ("atoms",),
    kinds: Sequence[str] = (),
    filled: float = 0.7,
    fastest: int = SPEED_LIMIT,
    luck: int = 0,
    **laws,
) -> World:
    """A random world of rule atoms: any material in any cell, any velocity and grain.

    Args:
        rules: the rules of the world; with flow, its cells without an atom are dry, half full, full or more than full;
            with mixture, they hold some of its materials, or none.
        kinds: the materials in it; by default all of the table. With fewer materials runs of equal cells are longer.
        filled: the share of cells with a random material.
        fastest: largest absolute component of a velocity, in 1/16 cell a tick.
        luck: seed of the random numbers.
        laws: further arguments of `World`.
    """
    world = World(height, width, rules, **laws)
    rng, shape = np.random.default_rng(luck), (height, width)
    numbers = np.array([world.materials[name] for name in kinds] or range(len(world.materials)))
    material = numbers[rng.integers(0, len(numbers), shape)]
    material[rng.random(shape) >= filled] = 0
    still = (material == 0) | world.materials.solid[material]
    world["material"] = material
    world["velocity"] = np.where(still[:, :, None], 0, rng.integers(-fastest, fastest + 1, (*shape, 2)))
    world["grain"] = np.where(material == 0, 0, rng.integers(0, 256, shape))
    if "mass" in world.fields:
        amount = rng.choice([0, 1, FULL // 2, FULL, FULL + FULL // 3], shape) + rng.integers(0, FULL // 50, shape)
        world["mass"] = np.where(world.obstacles | (amount < FULL // 50), 0, amount)
    if "mixture" in world.fields:
        amount = rng.choice([0, 0, 0, 0, 1, FULL // 50, FULL // 2, FULL], world["mixture"].shape)
        world["mixture"] = np.where(world.obstacles, 0, amount)
    if "water_heat" in world.fields:
        drawn = rng.integers(-100 * 8, 200 * 8, shape)
        beyond = np.where(drawn % 3 == 0, 4 * drawn, drawn)  # a third is ready, or almost, to boil or to freeze
        world["water_heat"] = (amount_in(world.complete_arrays()) >> 10) * beyond
    if "temperature" in world.fields:
        warm(world, rng)
    return world


def random_by_declaration(height: int, width: int, *, rules: tuple[str, ...], luck: int = 0, **laws) -> World:
    """A random world of any rules, known by the declarations of their fields alone.

    Each cell has any material, or none in a third of them. Each field has any value of its `Field.range`, except the
    values that it declares for empty and for solid cells.

    Args:
        rules: the rules of the world.
        luck: seed of the random numbers.
        laws: further arguments of `World`.
    """
    world = World(height, width, rules, **laws)
    rng, shape = np.random.default_rng(luck), (height, width)
    world["material"] = np.where(rng.random(shape) < 0.3, 0, rng.integers(0, len(world.materials), shape))
    for name in (name for name in world.fields if name != "material"):
        field = FIELDS[name]
        values = rng.integers(*field.range, world[name].shape, endpoint=True)
        filled = world.obstacles if field.enclosed else world.solid
        if field.without_atom:
            values[(world["material"] != 0) | (amount_in(world.complete_arrays()) == 0)] = 0
        for cells, value in ((world["material"] == 0, field.empty), (filled, field.solid)):
            if value is not None:
                values[(..., cells) if field.layered else cells] = value
        world[name] = values
    return world


def warm(world: World, rng: np.random.Generator) -> None:
    """Give every atom a random temperature, often near a threshold, and a random latent heat."""
    shape, material = world["material"].shape, world["material"]
    near = rng.choice([-273, 0, 50, 100, 700, 1100, 4000], shape) * TEMPERATURE_ONE + rng.integers(-80, 81, shape)
    far = rng.integers(TEMPERATURE_LEAST, TEMPERATURE_MOST + 1, shape)
    drawn = np.where(rng.random(shape) < 0.6, near, far).clip(TEMPERATURE_LEAST, TEMPERATURE_MOST)
    world["temperature"] = np.where(material == 0, 0, drawn)
    ends = np.array([(-each.latent_units("below"), each.latent_units("above")) for each in world.materials])
    latent = rng.integers(ends[material, 0], ends[material, 1] + 1) & 0xFF
    age = np.where(world.materials.keeps_latent[material], latent, rng.integers(0, 256, shape))
    world["age"] = np.where(material == 0, 0, age)
    world["integrity"] = np.where(material == 0, 0, rng.integers(0, 256, shape))


def sizes(sides: Sequence[int]) -> st.SearchStrategy[tuple[int, int]]:
    """Heights and widths, both powers of two or both not, because each such pair needs its own programs on software GL.

    Worlds with only one power of two are in tests/oracle/test_atoms.py and tests/oracle/test_flow.py.
    """
    powers = [side for side in sides if side.bit_count() == 1]
    others = [side for side in sides if side.bit_count() > 1]
    return st.sampled_from((powers, others)).map(st.sampled_from).flatmap(lambda each: st.tuples(each, each))


@st.composite
def worlds(
    draw: st.DrawFn, *, parameters=PARAMETERS, edges=EDGES, sides=SIDES, chances=(0.3, 1.0), most_ports=3
) -> World:
    """Worlds of rule flow: every size, edge and mass, walls, emitters and drains that may overlap."""
    height, width = draw(sizes(sides))
    laws = draw(st.sampled_from(few([{"edges": edge, "flow": flow} for edge, flow in product(edges, parameters)])))
    tick = draw(st.sampled_from((0, 1, 2**32 - 1, 2**40 + 1)))
    place = _places(height, width, tick)
    emitters = st.builds(
        lambda place, **how: Emitter(**place, **how),
        place,
        rate=st.sampled_from((0.0, 0.25, 1.0, 1000.0)),
        level=st.sampled_from((0.0, 0.5, 3.0, 1000.0)),
        chance=st.sampled_from(chances),
    )
    drains = st.builds(lambda place, rate: Drain(**place, rate=rate), place, st.sampled_from((None, 0.0, 0.01, 1000.0)))
    return random_world(
        height,
        width,
        walls=draw(st.sampled_from((0.0, 0.2, 0.6, 1.0))),
        most=draw(st.sampled_from(MASSES)),
        luck=draw(st.integers(0, 2**32 - 1)),
        edges=laws["edges"],
        seed=draw(st.sampled_from((0, 1, 2**32 - 1))),
        tick=tick,
        parameters={"flow": laws["flow"]},
        emitters=draw(st.lists(emitters, max_size=most_ports)),
        drains=draw(st.lists(drains, max_size=most_ports)),
    )


@st.composite
def atom_worlds(draw: st.DrawFn, *, rules: tuple[str, ...] = ("atoms",), most_ports: int = 3) -> World:
    """Worlds of rule atoms: every size, edge and gravity, sparse to full, with many or few kinds of matter, at rest or
    fast, with emitters and drains that may overlap.
    """
    laws = draw(st.sampled_from(laws_of(rules)))
    height, width = draw(sizes(EVEN_SIDES if laws["edges"] == "wrap" else SIDES))
    tick = draw(st.sampled_from((0, 1, 2**32 - 1, 2**40 + 1)))
    names = [record.name for record in laws["materials"]][1:]
    mobile = [record.name for record in laws["materials"] if record.state >= State.POWDER]
    place = _places(height, width, tick)
    emitters = st.builds(
        lambda place, **how: Emitter(**place, **how),
        place,
        material=st.sampled_from(mobile),
        rate=st.sampled_from((0.0, 0.3, 1.0)),
        chance=st.sampled_from((0.0, 0.5, 1.0)),
        velocity=st.sampled_from((None, (7.9, -7.9), (-3.0, 0.5), (-0.0625, 0.0))),
        scatter=st.sampled_from((0.0, 1.5, 7.9)),
        temperature=st.sampled_from((None, -273, 99.9, 4000.0)),
    )
    drains = st.builds(lambda place, rate: Drain(**place, rate=rate), place, st.sampled_from((None, 0.0, 0.3, 1.0)))
    return random_atoms(
        height,
        width,
        rules=rules,
        kinds=draw(st.just([]) | st.lists(st.sampled_from(names), min_size=1, max_size=4)),
        filled=draw(st.sampled_from((0.02, 0.3, 0.7, 0.95, 1.0))),
        fastest=draw(st.sampled_from((0, 3, SPEED_LIMIT))),
        luck=draw(st.integers(0, 2**32 - 1)),
        seed=draw(st.sampled_from((0, 1, 2**32 - 1))),
        tick=tick,
        emitters=draw(st.lists(emitters, max_size=most_ports)),
        drains=draw(st.lists(drains, max_size=most_ports)),
        **laws,
    )


@st.composite
def _places(draw: st.DrawFn, height: int, width: int, tick: int) -> dict[str, object]:
    x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    size = draw(st.integers(1, width - x)), draw(st.integers(1, height - y))
    start = tick + draw(st.integers(-1, 2)) if tick else draw(st.integers(0, 2))
    until = draw(st.none() | st.integers(start + 1, start + 3))
    return {"at": (x, y), "size": size, "start": start, "until": until}


def moved_port(source: Port, x: int, y: int, ticks: int = 0) -> Port:
    """The emitter or drain at another place and time."""
    until = None if source.until is None else source.until + ticks
    return replace(source, at=(x, y), start=source.start + ticks, until=until)


def assert_equal(sim: Simulation, world: World) -> None:
    """Assert that arrays, ledgers and digests are equal, bit for bit."""
    state = sim.read()
    found, expected = state.complete_arrays(), world.complete_arrays()
    for name in world.fields:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
    assert state.ledgers == sim.ledgers == world.ledgers
    assert sim.digest() == state.digest() == world.digest()
