"""Random worlds, and what it means for a simulation to equal one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from gpufluid import FULL, Drain, Emitter, Simulation, World
from gpufluid.cell import MASS_LIMIT, SPEED_LIMIT
from gpufluid.emitters import Port
from gpufluid.laws import EDGES

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
"""Few and far apart: each set is a program to compile."""

SIDES = (1, 2, 3, 5, 7, 8, 9, 16, 31, 32, 33, 40)
"""Around the sides of strips and groups."""

MASSES = (1, 1000, FULL, 2 * FULL, MASS_LIMIT)
"""The most that a random cell holds: films, single units, still water, pressure, the limit."""


def random_world(height: int, width: int, *, walls: float = 0.2, most: int = FULL, luck: int = 0, **laws) -> World:
    """A world with walls and masses thrown over it.

    Args:
        walls: the share of solid cells, of every solid material.
        most: units that a cell holds at most; about a third of the cells are dry.
        luck: seed of the throw.
        laws: further arguments of `World`.
    """
    world = World(height, width, **laws)
    rng, shape = np.random.default_rng(luck), (height, width)
    material = np.where(rng.random(shape) < walls, rng.choice(np.flatnonzero(world.materials.solid), shape), 0)
    mass = rng.integers(0, most, shape, endpoint=True)
    world["material"] = material
    world["mass"] = np.where((material > 0) | (rng.random(shape) < 0.3), 0, mass)
    return world


def random_atoms(height: int, width: int, *, rules: tuple[str, ...] = ("atoms",), luck: int = 0, **laws) -> World:
    """A world of rule atoms: any material in any cell, about a third of them empty; any velocity and grain.

    Args:
        rules: those of the world; with flow, its cells hold mass too.
        luck: seed of the throw.
        laws: further arguments of `World`.
    """
    world = World(height, width, rules, **laws)
    rng, shape = np.random.default_rng(luck), (height, width)
    material = rng.integers(0, len(world.materials), shape)
    material[rng.random(shape) < 0.3] = 0
    still = (material == 0) | world.materials.solid[material]
    world["material"] = material
    world["velocity"] = np.where(still[:, :, None], 0, rng.integers(-SPEED_LIMIT, SPEED_LIMIT + 1, (*shape, 2)))
    world["grain"] = np.where(material == 0, 0, rng.integers(0, 256, shape))
    if "mass" in world.fields:
        world["mass"] = np.where(world.solid, 0, rng.integers(0, FULL, shape))
    return world


@st.composite
def worlds(
    draw: st.DrawFn, *, parameters=PARAMETERS, edges=EDGES, sides=SIDES, chances=(0.3, 1.0), most_ports=3
) -> World:
    """Worlds of rule flow: every size, edge and mass, walls, emitters and drains that may overlap."""
    height, width = draw(st.sampled_from(sides)), draw(st.sampled_from(sides))
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
        edges=draw(st.sampled_from(edges)),
        seed=draw(st.sampled_from((0, 1, 2**32 - 1))),
        tick=tick,
        parameters={"flow": draw(st.sampled_from(parameters))},
        emitters=draw(st.lists(emitters, max_size=most_ports)),
        drains=draw(st.lists(drains, max_size=most_ports)),
    )


@st.composite
def _places(draw: st.DrawFn, height: int, width: int, tick: int) -> dict[str, object]:
    x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    size = draw(st.integers(1, width - x)), draw(st.integers(1, height - y))
    start = tick + draw(st.integers(-1, 2)) if tick else draw(st.integers(0, 2))
    until = draw(st.none() | st.integers(start + 1, start + 3))
    return {"at": (x, y), "size": size, "start": start, "until": until}


def moved_port(source: Port, x: int, y: int, ticks: int = 0) -> Port:
    """The same emitter or drain at another place and time."""
    until = None if source.until is None else source.until + ticks
    return replace(source, at=(x, y), start=source.start + ticks, until=until)


def assert_equal(sim: Simulation, world: World) -> None:
    """Arrays, ledger and digest, to the last bit."""
    state = sim.read()
    for name in world.fields:
        np.testing.assert_array_equal(state[name], world[name], err_msg=name)
    assert state.ledger == sim.ledger == world.ledger
    assert state.atoms == sim.atoms == world.atoms
    assert sim.digest() == state.digest() == world.digest()
