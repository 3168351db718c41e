"""Worlds that ranks share, held against the same worlds in one process. A program for ``mpiexec``; see `ranked`.

Its arguments are names of `CASES`. Rank 0 makes the worlds and prints what differs; nothing else is printed. The tests
of tests/cluster run some cases, because each takes up to minutes; after a change of how ranks share a world run all:
``mpiexec --oversubscribe -n 4 python tests/support/shared_worlds.py CASE``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import gpufluid
from gpufluid import Drain, Emitter, World, cluster
from gpufluid.cluster import pieces, ranks, simulation
from gpufluid.cluster.borders import Balance
from gpufluid.cluster.grid import Strips
from gpufluid.cluster.rank import RankSimulation
from gpufluid.cluster.schedule import check_shared, schedule_of_parts
from gpufluid.core.errors import DeviceError, UsageError
from gpufluid.core.fields import FIELDS
from gpufluid.core.frame import frame_size, in_frame, in_world, layers_in_frame
from gpufluid.core.small_floats import LARGEST_CODE
from gpufluid.world.kinds import kinds_among, materials_in
from gpufluid.world.laws import EDGES, GRAVITIES

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

Case = tuple[World, tuple[int, ...]]
"""A world, and the numbers of ticks after which it is compared."""

TESTS = Path(__file__).parents[1]


def can_be_shared(world: World) -> bool:
    """True if ranks can share a world."""
    kinds = kinds_among(world.laws, materials_in(world["material"], world.emitters, world.laws))
    try:
        check_shared(world, schedule_of_parts(world, {}), kinds)
    except UsageError:
        return False
    return True


THIN = 32
"""Rows of the thinnest share."""


def water(luck: int, rules: tuple[str, ...], edges: str, gravity: str, strips: int, across: int = 0) -> World:
    """A random world of water with ports at the borders of shares and elsewhere, some of which begin or end.

    Args:
        luck, rules, edges, gravity: of the world.
        strips: of its rows, in gravity's frame.
        across: strips of its columns, for several columns of ranks; 0: some columns.
    """
    from support.worlds import moving_water, random_world

    rng = np.random.default_rng(luck)
    rows, columns = THIN * (strips - 1) + int(rng.integers(1, THIN + 1)), int(rng.integers(5, 40))
    columns = THIN * (across - 1) + columns if across else columns
    size = (rows, columns) if gravity in ("down", "up", "off") else (columns, rows)
    laws = {"edges": edges, "gravity": gravity, "seed": luck, "tick": luck, "walls": 0.1}
    world = moving_water(*size, luck=luck, **laws) if "inertia" in rules else random_world(*size, luck=luck, **laws)
    near = {"size": (min(world.width, 6), min(world.height, 6))}
    middle = (world.width - near["size"][0]) // 2, (world.height - near["size"][1]) // 2
    world.emitters = (
        Emitter(**near, at=middle, chance=0.4, rate=0.5, until=luck + 11),
        Emitter(at=(0, 0), size=(world.width, world.height), chance=0.02, start=luck + 3, until=luck + 9),
        Emitter(**near, at=(0, 0), level=2.0, until=luck + 5),
    )
    world.drains = (Drain(**near, at=middle, rate=0.1), Drain(at=(0, 0), size=(1, world.height), rate=0.01))
    return world


def scene(name: str, *ticks: int) -> Iterator[Case]:
    """A shipped scene."""
    yield gpufluid.load(name), ticks


def golden(third: int) -> Iterator[Case]:
    """Every third scene with golden digests that ranks can share, at its last golden tick up to the hundredth.

    Two ranks share the first one, three the second, and so on, up to all of them or as many as it has strips.
    """
    digests: dict[str, dict[str, str]] = json.loads((TESTS / "golden" / "digests.json").read_text())
    for name, of_ticks in islice(digests.items(), third, None, 3):
        world = gpufluid.load(name)
        if can_be_shared(world):
            yield world, (max((tick for tick in map(int, of_ticks) if 0 < tick <= 100), default=50),)


def edges_and_gravities(rules: tuple[str, ...]) -> Iterator[Case]:
    """Random worlds of all edges and all directions of gravity."""
    for number, edge in enumerate(EDGES):
        for luck, gravity in enumerate(GRAVITIES, start=5 * number):
            yield water(luck, rules, edge, gravity, strips=4 + luck % 3), (1, 7, 24)


def grid_of_water(worlds: range) -> Iterator[Case]:
    """Random worlds that a grid of up to three rows and three columns of ranks can share."""
    for luck in worlds:
        rules = ("flow", "inertia")[: 1 + luck // 3 % 2]
        yield water(luck, rules, EDGES[luck % 3], GRAVITIES[luck % 5], strips=3, across=3), (1, 2, 3, 9, 24)


def grids_of_pools() -> Iterator[Case]:
    """Pools at rest, or nearly so, over the corners of shares, until a drain and an emitter in halos act."""
    for number, edges in enumerate(EDGES):
        for rules in (("flow", "inertia"), ("mixture",)):
            world = World(THIN * 3, THIN * 3, rules=rules, edges=edges, gravity=GRAVITIES[number], seed=3)
            wall, material = world.materials["wall"], in_frame(world["material"], world.gravity)
            held = world["mixture"][world.mixture["water"]] if rules == ("mixture",) else world["mass"]
            for end in (40, 70, 95):
                material[end - 20 : end, [2, -2]] = wall
                material[end - 1, 2:-1] = wall
                in_frame(held, world.gravity)[end - 9 : end - 1, 3:-2] = gpufluid.FULL
            with gpufluid.Simulation(world) as alone:
                for _ in range(20):
                    alone.step(0 if alone.settled else 50)
                rest = alone.read()
            at = {"at": (60, 60), "size": (8, 8), "start": rest.tick + 5, "until": rest.tick + 9}
            rest.drains, rest.emitters = (Drain(**at, rate=0.3),), (Emitter(**at, material="water", rate=0.2),)
            yield rest, (3, 8, 30)


def thin_shares() -> Iterator[Case]:
    """Random worlds with as many strips as seven ranks need."""
    for luck in range(6):
        edges = EDGES[luck % len(EDGES)]
        yield water(100 + luck, ("flow", "inertia")[: 1 + luck % 2], edges, GRAVITIES[luck % 4], strips=7), (3, 20)


def through_all() -> Iterator[Case]:
    """A column of water that falls through the shares of all ranks, and comes to rest."""
    world = World(THIN * 5, 24, edges="closed")
    world["mass"][:20, 8:14] = gpufluid.FULL
    yield world, (1, 60, 200)
    pipe = World(THIN * 4, 16, rules=("flow",))
    wall = pipe.materials["wall"]
    pipe["material"][:-4, 7:9] = wall
    pipe["mass"][:100, :7] = gpufluid.FULL
    yield pipe, (10, 300)


def at_rest() -> Iterator[Case]:
    """Water that has come to rest: level pools on floors, which reach over a border of shares."""
    for edges in ("closed", "wrap"):
        world = World(THIN * 4, 12, rules=("flow",), edges=edges)
        world["mass"][-40:-1] = gpufluid.FULL
        world["material"][-1] = world.materials["wall"]
        with gpufluid.Simulation(world) as alone:
            while not alone.settled:
                alone.step(100)
            yield alone.read(), (1, 3)


def pools_at_rest() -> Iterator[Case]:
    """Water or a mixture at rest that lies over the ends of halos, if three ranks share the world."""
    for rules, edges in (
        (("flow", "atoms"), "open"),
        (("flow", "atoms", "heat"), "closed"),
        (("flow", "inertia", "atoms"), "wrap"),
        (("mixture",), "wrap"),
    ):
        world = World(THIN * 30, 6, rules=rules, edges=edges, seed=3)
        held = world["mixture"][world.mixture["water"]] if rules == ("mixture",) else world["mass"]
        ends = (352, 608, 32, 928) if "atoms" in rules else (352, 608, 288, 672)
        for end in ends:
            world["material"][end + 2] = world.materials["wall"]
            world["material"][end - 30 : end + 2, [0, -1]] = world.materials["wall"]
            held[end - 1 : end + 2, 1:-1] = gpufluid.FULL
        if "atoms" in rules:
            world["material"][100, 3] = world.materials["oil"]
        with gpufluid.Simulation(world) as alone:
            while not alone.settled:
                alone.step(50)
            yield alone.read(), (8, 24)


POWDERS = ("sand", "gravel", "snow", "wood", "wall", "glass", "ash")
"""Materials of which none is a fluid or elastic."""


def seams() -> Iterator[Case]:
    """What acts over borders: drains in the first and last rows of shares, blocks over the seam of a torus, and powder
    that falls on columns of powder, of which the lowest atom of each part lies on a fluid of the next."""
    from support.worlds import random_atoms

    for gravity in ("down", "left"):
        laws = {"edges": "wrap", "gravity": gravity, "seed": 7}
        yield random_atoms(THIN * 3, THIN * 3, kinds=("sand", "wall"), filled=0.4, luck=7, **laws), (1, 5, 30)
    world = random_atoms(THIN * 6, 20, kinds=("sand", "gravel"), filled=0.3, luck=8)
    borders = range(THIN, THIN * 6, THIN)
    world.drains = tuple(Drain(at=(0, row - 1 + row // THIN % 2), size=(20, 1)) for row in borders)
    yield world, (1, 3, 9)
    world = World(THIN * 28, 8, rules=("atoms",))
    number = world.materials
    for column, end in ((1, 576), (3, 736), (5, 864)):  # the ends of parts, if two or three ranks share the world
        world["material"][:, column] = number["water"]
        world["material"][:end, column] = number["sand"]
        world["material"][:60:2, column] = number["empty"]
        world["velocity"][1:60:2, column, 1] = 40
    world["material"][:, ::2] = number["wall"]
    yield world, (1, 2, 5)


FLUIDS, BODIES = ("water", "smoke", "glass"), ("rubber", "sand", "wall")
"""Materials among which are one liquid and one gas, and an elastic powder."""

LAYERS = ("water", "oil", "salt water", "smoke", "sand", "snow", "mercury", "wall")
"""Materials of which most sink or rise in others."""


def atoms(
    luck: int,
    kinds: Sequence[str],
    edges: str,
    gravity: str,
    strips: int,
    rules: tuple[str, ...] = ("atoms",),
    across: int = 0,
) -> World:
    """A random world with atoms, and ports at the borders of shares and elsewhere, some of which begin or end.

    Arguments as for `water`.
    """
    from support.worlds import random_atoms

    rng = np.random.default_rng(luck)
    rows = THIN * (strips - 1) + (THIN if edges == "wrap" else int(rng.integers(1, THIN + 1)))
    columns = 2 * int(rng.integers(3, 24))
    columns = THIN * across - (0 if edges == "wrap" else columns % THIN) if across else columns
    size = (rows, columns) if gravity in ("down", "up", "off") else (columns, rows)
    filled = float(rng.choice([0.05, 0.3, 0.6]))
    laws = {"edges": edges, "gravity": gravity, "seed": luck, "tick": luck}
    world = random_atoms(*size, rules=rules, kinds=kinds, filled=filled, luck=luck, **laws)
    near = {"size": (min(world.width, 6), min(world.height, 6))}
    middle = (world.width - near["size"][0]) // 2, (world.height - near["size"][1]) // 2
    world.emitters = (
        Emitter(**near, at=middle, material=kinds[0], chance=0.4, until=luck + 11),
        Emitter(at=(0, 0), size=(world.width, world.height), material=kinds[1], chance=0.02, start=luck + 3),
    )
    world.drains = (
        Drain(**near, at=middle, start=luck + 2),
        Drain(at=(0, 0), size=(1, world.height), rate=0.01),
        Drain(at=(0, world.height - 3), size=(world.width, 2), start=luck + 4, until=luck + 20),
    )
    return world


def atoms_of(
    kinds: Sequence[str],
    worlds: range = range(3),
    strips: int = 7,
    rules: tuple[str, ...] = ("atoms",),
    across: int = 0,
) -> Iterator[Case]:
    """Random worlds of some materials; three in sequence have all edges, and five all directions of gravity."""
    for luck in worlds:
        edge, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
        yield atoms(luck, kinds, edge, gravity, strips, rules, across), (1, 2, 7, 24)


def wide_fluids(kinds: Sequence[str], worlds: range, rules: tuple[str, ...] = ("atoms",)) -> Iterator[Case]:
    """Worlds with long runs of fluids and long holes, in rows that are wider than what one rank of two has of them."""
    for luck in worlds:
        edge, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
        world = atoms(luck, kinds, edge, gravity, 1, rules, across=54)
        rng, material = np.random.default_rng(luck), in_frame(world["material"], gravity)
        rows, columns = material.shape
        others = [in_frame(world[name], gravity) for name in world.fields if name != "material"]
        for _ in range(60):
            name = rng.choice([*kinds, "empty", "empty", kinds[0], kinds[0]])
            y, x, tall, wide = (int(rng.integers(*ends)) for ends in ((0, rows), (0, columns), (1, 4), (20, 400)))
            run = slice(y, y + tall), slice(x, x + wide)
            material[run] = world.materials[name]
            for values in others:
                values[run] = 0
        yield world, (1, 2, 5, 9)


HEAT = ("atoms", "heat")

REACTIONS = (*HEAT, "reactions")

MELTING = ("water", "steam", "ice", "stone", "lava", "sand", "wall")
"""Materials that melt, boil, condense and freeze, and some that do not."""

THAWING = ("sand", "snow", "ash", "wall", "glass", "ember")
"""Powders and solids, with a halo as thin as a strip."""

BURNING = ("fire", "oil", "wood", "water", "acid", "sand", "plant", "gunpowder", "lava", "cloner", "seed", "soil")
"""Materials of which most react with another one, or alone."""


def cooling() -> Iterator[Case]:
    """Warm solids that exchange heat over the borders of shares and with the air, until no more heat moves."""
    for edges in EDGES:
        world = World(THIN * 7, 12, rules=HEAT, edges=edges, parameters={"heat": {"air": 0.5}})
        world["material"][10:-10, 2:10] = world.materials["glass"]
        world["temperature"][10:-10, 2:10] = 20 * 8
        world["temperature"][THIN - 1 :: THIN, 4:8] = 24 * 8
        world["temperature"][:10], world["temperature"][-10:] = 0, 0
        yield world, (1, 9, 80, 400)


def stacks() -> Iterator[Case]:
    """Stacks through all ranks, at rest until a drain takes their lowest atoms; and powder that falls through all."""
    for edges in ("closed", "wrap"):
        world = World(THIN * 14, 12, rules=("atoms",), edges=edges)
        number = world.materials
        world["material"][-1] = number["wall"]
        world["material"][:, 6] = number["glass"]
        world["material"][40:-1, :6] = number["sand"]
        world["material"][:30, 8:11] = number["gravel"]
        world.drains = (Drain(at=(0, THIN * 14 - 2), size=(6, 1), start=60, until=90),)
        yield world, (1, 50, 61, 62, 75, 120, 300)
    world = World(THIN * 14, 12, rules=("atoms",))
    world["material"][20:-20, 2:9] = world.materials["smoke"]
    world["material"][20] = world.materials["wall"]
    world["material"][20, 4] = world.materials["ash"]
    yield world, (1, 40, 160)


WET = ("flow", "atoms")

WARM_PONDS = ("mixture", "atoms", "heat", "pressure")

MIXED = ("mixture", "atoms")

WASHED = ("sand", "gravel", "snow", "oil", "smoke", "wood", "ice", "wall")
"""Materials that sink, float and rise in water by mass, and some that do not move."""


def wet(
    luck: int,
    rules: tuple[str, ...],
    strips: int = 7,
    kinds: Sequence[str] = WASHED,
    gravity: str = "",
    edges: str = "",
    across: int = 0,
) -> Iterator[Case]:
    """A random world of water by mass and atoms, and of momentum if rule ``inertia`` is among the rules.

    Arguments as for `water`.
    """
    edge, gravity = edges or EDGES[luck % len(EDGES)], gravity or GRAVITIES[luck % len(GRAVITIES)]
    world = atoms(luck, kinds, edge, gravity, strips, rules, across)
    sides = {"size": (min(world.width - 1, 8), min(world.height - 1, 8))}
    world.emitters = (*world.emitters, Emitter(**sides, at=(1, 1), chance=0.5, rate=0.5))
    if "inertia" in rules:
        rng = np.random.default_rng(luck)
        momentum = rng.integers(-LARGEST_CODE // 2, LARGEST_CODE // 2, world["momentum"].shape)
        world["momentum"] = np.where((world["mass"] > 0)[:, :, None], momentum, 0)
    yield world, (1, 2, 7, 24)


def rain_of_powder() -> Iterator[Case]:
    """Powder and oil that fall into deep water, which takes their momentum over the borders of shares."""
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up")):
        rows, columns = THIN * 14, 24
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("flow", "inertia", "atoms"), edges=edges, gravity=gravity, seed=3)
        rng = np.random.default_rng(3)
        frame = {name: in_frame(world[name], gravity) for name in ("material", "mass", "velocity")}
        numbers = [world.materials[name] for name in ("sand", "gravel", "oil", "snow", "empty")]
        frame["material"][:, :] = rng.choice(numbers, (rows, columns))
        for first in range(20, rows, 61):  # pools that begin above and below borders
            frame["material"][first : first + 40] = 0
            frame["mass"][first : first + 36] = gpufluid.FULL
            frame["material"][first + 40 : first + 44] = world.materials["wall"]
        moving = (frame["material"] > 0) & (frame["material"] != world.materials["wall"])
        frame["velocity"][...] = 0
        across = world["velocity"]
        across[...] = 0
        axis, sign = {"down": (1, 1), "up": (1, -1), "left": (0, -1), "right": (0, 1)}[gravity]
        across[..., axis] = sign * in_world(np.where(moving, 48, 0), gravity)
        yield world, (1, 2, 5, 30)


def mixed(
    luck: int, rules: tuple[str, ...] = ("mixture",), strips: int = 7, across: int = 0, kinds: Sequence[str] = WASHED
) -> Iterator[Case]:
    """A random world of a mixture, maybe among atoms; with odd materials, and with those that exclude each other.

    Arguments as for `water`.
    """
    from support.mixtures import LAWS, random_mixture, with_ponds

    edge, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
    if "atoms" in rules:
        world = atoms(luck, kinds, edge, gravity, strips, rules, across)
    else:
        rng = np.random.default_rng(luck)
        rows = THIN * (strips - 1) + (THIN if edge == "wrap" else int(rng.integers(1, THIN + 1)))
        size = (rows, 3 * int(rng.integers(2, 10)) + THIN * 3 * (across // 3) if across else int(rng.integers(5, 40)))
        laws = {"edges": edge, "gravity": gravity, "seed": luck, "tick": luck, **LAWS[luck % len(LAWS)], "rules": rules}
        walls = float(rng.choice([0.02, 0.2]))
        world = random_mixture(
            *(size if gravity in ("down", "up", "off") else size[::-1]), walls=walls, luck=luck, **laws
        )
    if "pressure" in rules:
        with_ponds(world, luck, ponds=30)
        world["mixture"][:, world["material"] != 0] = 0
    name = "water" if rules == WARM_PONDS else world.mixture.names[0]  # powder of an emitter could float
    near = {"size": (min(world.width, 6), min(world.height, 6))}
    middle = (world.width - near["size"][0]) // 2, (world.height - near["size"][1]) // 2
    world.emitters = (*world.emitters, Emitter(**near, at=middle, material=name, chance=0.5, rate=0.3))
    world.drains = (
        *world.drains,
        Drain(**near, at=(0, 0), rate=0.2),
        Drain(at=(0, 0), size=(1, world.height), rate=0.01),
    )
    yield world, (1, 2, 7, 24)


def full_columns() -> Iterator[Case]:
    """Columns of a mixture through all ranks that rest on a wall, until a drain takes their foot; and bodies that fall.

    On a torus they fall for ever, or have no room.
    """
    for edges, gravity in (("closed", "down"), ("open", "up"), ("wrap", "left")):
        rows, columns = THIN * 9, 12
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("mixture",), edges=edges, gravity=gravity, seed=2)
        amounts, material = layers_in_frame(world["mixture"], gravity), in_frame(world["material"], gravity)
        water, steam = world.mixture["water"], world.mixture["steam"]
        amounts[water, :, 0] = gpufluid.FULL
        amounts[water, 20:-1, 2:4] = gpufluid.FULL
        amounts[steam, 1:-30, 5:7] = gpufluid.FULL
        amounts[water, 40:80, 8] = gpufluid.FULL
        amounts[water, 100:260, 10] = gpufluid.FULL // 3
        if edges != "wrap":
            material[-1, 2:4] = world.materials["wall"]
            at, last = {"down": ((2, rows - 2), 1), "up": ((columns - 4, 1), 1)}[gravity]
            world.drains = (Drain(at=at, size=(2, last), start=40, until=60, rate=0.5),)
        yield world, (1, 39, 42, 70, 150)


LADEN = ("water", "oil", "snow", "ash")
"""Liquids of which one lies on the other, and powders that float on them."""


def cooled(world: World) -> World:
    """A world whose cells were given other materials, without heat where nothing has it, and without latent heat."""
    empty = world["material"] == 0
    for name in {"grain", "temperature", "integrity"} & {*world.fields}:
        world[name][empty] = 0
    if "heat" in world.rules:
        world["age"] = 0 * world["age"]
    if "water_heat" in world.fields:
        held = world["mass"] > 0 if "mass" in world.fields else world["mixture"].any(axis=0)
        world["water_heat"][~(empty & held)] = 0
    return world


LOOSE = ("stone", "wood", "ice", "glass", "metal", "charcoal")
"""Solids that fall if nothing holds them."""


def rubble(
    luck: int,
    rules: tuple[str, ...] = ("atoms", "collapse"),
    strips: int = 7,
    gravity: str = "",
    edges: str = "",
    kinds: Sequence[str] = ("water", "smoke", "sand", "empty", "empty"),
    across: int = 0,
) -> Iterator[Case]:
    """A random world with blocks of solids, many of which cross borders of shares, and pillars through several."""
    edge, gravity = edges or EDGES[luck % len(EDGES)], gravity or GRAVITIES[luck % len(GRAVITIES)]
    world = atoms(luck, kinds, edge, gravity, strips, rules, across)
    rng, material = np.random.default_rng(luck), in_frame(world["material"], gravity)
    rows, columns = material.shape
    free = {name: in_frame(world[name], gravity) for name in ("mass", "velocity") if name in world.fields}
    free |= {"mixture": np.moveaxis(layers_in_frame(world["mixture"], gravity), 0, -1)} if "mixture" in rules else {}
    for _ in range(rows * columns // 60):
        tall = int(rng.integers(1, 3 * THIN)) if rng.random() < 0.3 else int(rng.integers(1, 12))
        wide = int(rng.integers(1, 3)) if tall > 12 else int(rng.integers(1, max(columns // 3, 2)))
        y, x = int(rng.integers(-tall + 1, rows)), int(rng.integers(0, columns))
        cells = slice(max(y, 0), y + tall), slice(x, x + wide)
        material[cells] = world.materials[rng.choice([*LOOSE, "wall", "empty", "empty", "sand"])]
        for values in free.values():
            values[cells] = 0
    yield cooled(world), (1, 2, 7, 24)


def slabs() -> Iterator[Case]:
    """Solids through the shares of all ranks: a slab that falls on a floor, one that a wall holds, and a comb.

    On a torus a column closes around the world. No fluid is there, so halos are thin, and runs go on far beyond them.
    """
    for edges, gravity in (("closed", "down"), ("open", "up"), ("wrap", "left"), ("wrap", "right")):
        rows, columns = THIN * 7, 24
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("atoms", "collapse"), edges=edges, gravity=gravity, seed=3)
        material, number = in_frame(world["material"], gravity), world.materials
        material[10:-25, 2:4] = number["stone"]
        material[12:-20, 6] = number["wood"]
        material[100, 7] = number["wall"]
        material[20:-30, 9:16:2] = number["metal"]  # a comb, whose teeth end in different rows
        material[60, 9:16] = number["metal"]
        material[30:-60, 11] = number["stone"]
        material[170:, 13] = number["empty"]
        material[40:-40, 18] = number["ice"]
        if edges == "wrap":
            material[:, 22] = number["stone"]
        else:
            material[-3:-1, :] = number["sand"]
        world["grain"] = np.random.default_rng(3).integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 5, 12, 30)


def wide_slabs(worlds: Sequence[tuple[str, str]]) -> Iterator[Case]:
    """Solids over the columns and corners of a grid of ranks. No fluid is there, so halos are thin.

    Args:
        worlds: of each the edges and gravity.
    """
    for edges, gravity in worlds:
        side = THIN * 3
        world = World(side, side, rules=("atoms", "collapse"), edges=edges, gravity=gravity, seed=3)
        material, number = in_frame(world["material"], gravity), world.materials
        material[26:38, 26:38] = number["stone"]  # over a corner
        material[5, 3:93] = number["metal"]
        material[14:16, 40:90], material[15, 90] = number["wood"], number["wall"]  # hangs on a wall far away
        material[50:62, [14, 78]] = material[61, 14:79] = number["ice"]  # of two arms one lies on sand
        material[62:70, 14] = number["sand"]
        for column in (30, 33, 62, 65):  # pillars through rows of ranks, of which two are joined
            material[12 + column // 4 : 92, column] = number["glass"]
        material[56, 62:66] = number["glass"]
        # Both of these meet an edge of a part of a torus, where they are not neighbours; one is held.
        material[11, :3] = material[12, 2] = material[13, 2:32] = number["stone"]
        material[9, 1:32], material[9:12, 31], material[14, 20] = number["stone"], number["stone"], number["wall"]
        if edges == "wrap":
            material[74, :] = material[:, 94] = number["metal"]
        else:
            material[-3:] = number["sand"]
        world["grain"] = np.random.default_rng(3).integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 5, 12, 30)


def rafts() -> Iterator[Case]:
    """Pillars on water, of which some float, some sink; each crosses a border of shares, as a whole or in two parts."""
    for edges, gravity in (("closed", "down"), ("open", "right")):
        rows, columns = THIN * 8, 24
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("atoms", "collapse"), edges=edges, gravity=gravity, seed=3)
        material, number = in_frame(world["material"], gravity), world.materials
        material[-THIN - 5 :] = number["water"]
        material[-3:], material[:, [0, -1]] = number["wall"], number["wall"]
        for column, kind in ((3, "wood"), (6, "metal"), (9, "ice"), (12, "stone"), (18, "wood")):
            material[20 + column : -THIN - 5 - column % 2, column : column + 2] = number[kind]
        material[60:, 15:17] = number["metal"]
        material[-9:, 15:17] = number["oil"]
        yield world, (1, 2, 5, 40)


def wide_rafts(worlds: Sequence[tuple[tuple[str, ...], str, str]]) -> Iterator[Case]:
    """Rafts that float in amounts over the columns of a grid of ranks, with keels below wide decks.

    The fluid beside a keel is measured beyond the deck, or next to the keel if another one is in between.

    Args:
        worlds: of each the rules, the edges and gravity.
    """
    for rules, edges, gravity in worlds:
        side = THIN * 3
        world = World(side, side, rules=(*rules, "collapse"), edges=edges, gravity=gravity, seed=3, tick=1)
        material, number = in_frame(world["material"], gravity), world.materials
        held = in_frame(world["mass"], gravity) if "flow" in rules else None
        held = layers_in_frame(world["mixture"], gravity)[world.mixture["water"]] if held is None else held
        held[30:92] = gpufluid.FULL
        material[92:], material[:, [0, 95]] = number["wall"], number["empty" if edges == "wrap" else "wall"]
        material[28:31, 6:91] = material[31:36, 44:47] = number["wood"]  # one keel below a deck
        material[44:46, 4:92] = material[46:50, 10:14] = material[46:50, 76:79] = number["ice"]  # two, and air between
        held[46:50, 14:76] = 0
        material[58:60, 20:70] = material[56:58, 40:66] = material[60:63, 66:70] = number["wood"]
        material[59, 70:78] = material[60:68, 77] = number["stone"]
        for deck in (70, 80):  # keels in several columns of ranks; beside them is air, on the right
            material[deck : deck + 2, 3:92] = material[deck + 2 : deck + 5, 9:50] = number["wood"]
            held[deck + 2 : deck + 5, 50:92] = 0
        material[70, 20:26], material[82:85, 78:82] = number["metal"], number["wood"]  # one nearly sinks, one has a leg
        if edges == "wrap":
            material[56], material[80, 20:24] = number["wood"], number["metal"]  # one goes all around, one is heavier
            for values in (material, held):  # rafts over the seam
                values[...] = np.roll(values, 48, axis=1)
        held[material != 0] = 0
        yield world, (1, 2, 3, 6, 12, 30)


def piles(columns: int = 36, rows: int = THIN * 28) -> Iterator[Case]:
    """Pillars far taller than a halo, in water with momentum that gives way to them: they sink, float and rise.

    They end at and above borders of shares, and some have other pieces in the water below or in the air above.
    """
    rules = ("flow", "inertia", "atoms", "heat", "collapse")
    for edges, gravity, water in (("closed", "down", 700), ("open", "left", 500), ("wrap", "up", 620)):
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=rules, edges=edges, gravity=gravity, seed=3, tick=1)
        frame = {name: in_frame(world[name], gravity) for name in ("material", "mass", "temperature", "water_heat")}
        material, number, rng = frame["material"], world.materials, np.random.default_rng(3)
        frame["mass"][water:], frame["water_heat"][water:] = gpufluid.FULL, rng.integers(-(1 << 20), 1 << 20)
        kinds = ("metal", "wood", "ice", "stone", "wood", "metal", "wood", "glass")
        for column, kind in zip(range(2, columns - 2, 4), cycle(kinds), strict=False):
            bottom = water + int(rng.choice([0, 1, 7, 20, 60]))  # in air, at the surface, and under it
            top = bottom - int(rng.integers(330, 420))
            material[max(top, 2) : bottom, column : column + 2] = number[kind]
            if column % 8 == 2:
                material[bottom + 5, column], material[max(top, 2) - 2, column + 1] = number["wood"], number[kind]
        material[-1], material[:, [0, -1]] = number["wall"], number["wall"]
        frame["mass"][material != 0] = 0
        frame["water_heat"][frame["mass"] == 0] = 0
        frame["temperature"][material != 0] = 20 * 8
        world["grain"] = rng.integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 7, 24)


def vessels(rules: tuple[str, ...] = ("mixture", "pressure")) -> Iterator[Case]:
    """Communicating vessels through the shares of all ranks: a bent tube, and a pipe that winds to and fro."""
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up")):
        rows, columns = THIN * 6, 30
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=rules, edges=edges, gravity=gravity, seed=4)
        amounts, material = layers_in_frame(world["mixture"], gravity), in_frame(world["material"], gravity)
        water, wall = world.mixture["water"], world.materials["wall"]
        material[-1], material[:, [0, 9, 20, 29]] = wall, wall
        material[4:-5, 4:6] = wall  # the bent tube
        amounts[water, 10:-1, 1:4] = gpufluid.FULL
        for turn, column in enumerate((12, 14, 16, 18)):  # the winding pipe, open at the top on the left
            material[(2 if turn % 2 else 0) : (-3 if turn % 2 == 0 else rows), column] = wall
        amounts[water, 6:-1, 10:12] = gpufluid.FULL
        material[40:-40, 21:29:3] = wall
        amounts[water, 60:-1, 21:29] = gpufluid.FULL // 3
        amounts[:, material != 0] = 0
        if "heat" in rules:
            rng = np.random.default_rng(4)
            held = world["mixture"].sum(axis=0) > 0
            world["water_heat"] = np.where(held, rng.integers(-(1 << 20), 1 << 20, held.shape), 0)
        yield world, (1, 2, 9, 40)
    if "heat" in rules:
        return
    level = World(THIN * 6, 9, rules=("mixture", "pressure"))
    level["mixture"][level.mixture["water"], 40:-1, 1:-1] = gpufluid.FULL
    level["material"][:, [0, -1]] = level["material"][-1] = level["material"][:-5, 4] = level.materials["wall"]
    level["mixture"][:, level["material"] != 0] = 0
    level.drains = (Drain(at=(1, 40), size=(3, 3), start=30, until=33),)  # all is at rest until then
    yield level, (1, 20, 31, 32, 34, 60)


def tubes() -> Iterator[Case]:
    """Communicating vessels of atoms of one liquid through the shares of all ranks, and a pipe that winds."""
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up"), ("closed", "right")):
        rows, columns = THIN * 6, 30
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        laws = {"edges": edges, "gravity": gravity, "seed": 4}
        laws |= {"parameters": {"pressure": {"rounds": 32}}} if gravity == "right" else {}  # more rows than a share has
        world = World(*size, rules=("atoms", "pressure"), **laws)
        material, wall = in_frame(world["material"], gravity), world.materials["wall"]
        water = world.materials["water"]
        material[10:-1, 1:4] = water  # one arm of a bent tube is full, the other empty
        material[6:-1, 10:12] = water  # and the first bend of a winding pipe
        material[100:150, 21:28] = water
        material[-1], material[:, [0, 9, 20, 29]] = wall, wall
        material[4:-5, 4:6] = wall
        for turn, column in enumerate((12, 14, 16, 18)):
            material[(2 if turn % 2 else 0) : (-3 if turn % 2 == 0 else rows), column] = wall
        material[150, 21:28], material[60:148, 24] = wall, wall  # a vessel whose arms are full to different heights
        material[60:100, 22:24] = water
        world["grain"] = np.random.default_rng(4).integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 9, 40)
    level = World(THIN * 6, 9, rules=("atoms", "pressure"))
    level["material"][40:-1, 1:-1] = level.materials["water"]
    level["material"][:, [0, -1]] = level["material"][-1] = level["material"][:-5, 4] = level.materials["wall"]
    level.drains = (Drain(at=(1, 40), size=(3, 60), start=30, until=33),)  # all is at rest until then
    yield level, (1, 20, 31, 32, 34, 60)


def laden_tubes() -> Iterator[Case]:
    """Bent tubes through the shares of all ranks, with tall stacks of powder, or other liquids, on one arm of each.

    Some stacks reach from the lowest share through all others. Powder that falls makes some heavier.
    """
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up"), ("wrap", "right")):
        rows, columns = THIN * 8, 44
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("atoms", "pressure"), edges=edges, gravity=gravity, seed=4)
        material, number, rng = in_frame(world["material"], gravity), world.materials, np.random.default_rng(4)
        for tube in range(7):
            left, level = 6 * tube, int(rng.integers(rows // 2, rows - 40))
            material[:, left], material[-1, left : left + 6] = number["wall"], number["wall"]
            material[10:-4, left + 3] = number["wall"]
            material[level:-1, left + 1 : left + 3] = material[level:-1, left + 4 : left + 6] = number["water"]
            material[-4:-1, left + 3] = number["water"]
            top = int(rng.integers(20, level - 20))
            load = ("snow", "oil", "snow", "ash", "oil", "salt water", "snow")[tube]
            material[top:level, left + 4] = number[load]
            material[(top + level) // 2 : level, left + 5] = number[load]
            if tube in (0, 3):
                material[2:12:3, left + 4 : left + 6] = number[load]
            if tube == 2:  # powder on the liquid that lies on other liquid
                material[level - 30 : level, left + 4 : left + 6] = number["oil"]
        material[:, -2:] = number["wall"]
        world["grain"] = rng.integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 9, 40)
    tall = World(THIN * 30, 8, rules=("atoms", "pressure"))
    material, number = tall["material"], tall.materials
    material[:, [0, 3, 6, 7]] = material[-1] = number["wall"]
    material[-150:-1, 1:3] = material[-150:-1, 4:6] = material[-5:-1, 3, None] = number["water"]
    material[40:-150, 4:6] = number["snow"]
    with gpufluid.Simulation(tall) as alone:  # all is at rest until the top of the stack is gone, far above the water
        while not alone.settled:
            alone.step(50)
        tall = alone.read()
    tall.drains = (Drain(at=(4, 0), size=(2, 200), start=tall.tick + 12, until=tall.tick + 14),)
    yield tall, (10, 13, 16, 40)


def pools(
    luck: int,
    rules: tuple[str, ...] = ("atoms", "pressure"),
    strips: int = 7,
    kinds: Sequence[str] = ("water",),
    across: int = 0,
) -> Iterator[Case]:
    """A random world with pools of liquid between solids, many of which cross borders of shares, and what lies on them.

    Args:
        luck, rules, strips, across: as for `atoms`.
        kinds: the liquids, and powders.
    """
    edge, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
    world = atoms(luck, ("water", "smoke", "empty"), edge, gravity, strips, rules, across)
    rng, material = np.random.default_rng(luck), in_frame(world["material"], gravity)
    rows, columns = material.shape
    number = world.materials
    for _ in range(rows * columns // 50):
        tall, wide = (int(rng.integers(1, 50)), 1) if rng.random() < 0.5 else (2, int(rng.integers(1, columns)))
        y, x = int(rng.integers(-tall + 1, rows)), int(rng.integers(0, columns))
        material[max(y, 0) : y + tall, x : x + wide] = number[rng.choice(["wall", "stone", *2 * kinds, "empty"])]
    for name in ("velocity", "grain"):
        world[name][np.isin(world["material"], [number[each] for each in ("wall", "stone", "empty", *kinds)])] = 0
    if "mass" in world.fields:
        world["mass"][world["material"] != 0] = 0
    if "mixture" in rules:
        world["mixture"][:, world["material"] != 0] = 0
    yield cooled(world), (1, 2, 7, 24)


def wide_vessels(worlds: Sequence[tuple[str, str, str]]) -> Iterator[Case]:
    """Communicating vessels whose arms lie in several columns of ranks, and across the borders between these.

    They are connected in rows that are not near a border of rows, so the ranks must compare labels at their sides. The
    row on the surface of an arm is filled from one cell to the next, so the ranks must know what the others moved in
    the round before.

    Args:
        worlds: of each the rule that moves the water, the edges and gravity.
    """
    for rule, edges, gravity in worlds:
        side = THIN * 3
        world = World(side, side, rules=(rule, "pressure"), edges=edges, gravity=gravity, seed=4)
        material, number = in_frame(world["material"], gravity), world.materials
        held = material if rule == "atoms" else layers_in_frame(world["mixture"], gravity)[world.mixture["water"]]
        held[20:85, 4:12] = held[78:85, 4:92] = number["water"] if rule == "atoms" else gpufluid.FULL
        if rule == "atoms":
            material[10:20, 4:8] = number["snow"]
            material[30:78, 70:74], material[50:78, 80:84] = number["snow"], number["oil"]
        for column in (3, 12, 26, 38, 58, 69, 92):  # between them are arms
            material[: 78 if 3 < column < 92 else 86, column] = number["wall"]
        material[85, 3:93] = number["wall"]
        if rule == "mixture":
            held[material != 0] = 0
        yield world, (1, 2, 9, 24)


CASES: dict[str, Callable[[], Iterator[Case]]] = {
    "dam_break": lambda: scene("dam_break", 1, 40),
    "fluids": lambda: atoms_of(FLUIDS),
    "layers": lambda: atoms_of(LAYERS, range(5, 8)),
    "bodies": lambda: atoms_of(BODIES, range(10, 13)),
    "tall": lambda: chain.from_iterable(
        atoms_of(kinds, range(first, first + 2), strips=45)
        for first, kinds in ((20, LAYERS), (24, BODIES), (28, FLUIDS))
    ),
    "stacks": stacks,
    "seams": seams,
    "powders": lambda: atoms_of(POWDERS),
    "atoms_awake": lambda: atoms_of(LAYERS, range(40, 43)),
    "atoms_in_strips": lambda: chain(stacks(), atoms_of((*LAYERS, *BODIES), range(43, 46))),
    "heat": lambda: chain(atoms_of(MELTING, range(50, 53), rules=HEAT), atoms_of(THAWING, range(56, 57), rules=HEAT)),
    "heat_tall": lambda: atoms_of(MELTING, range(60, 62), strips=45, rules=HEAT),
    "cooling": cooling,
    "deep_freeze": lambda: scene("deep_freeze", 1, 30, 90),
    "reactions": lambda: atoms_of(BURNING, range(70, 73), rules=REACTIONS),
    "hourglass": lambda: scene("hourglass", 1, 40, 150),
    "harbour": lambda: scene("harbour", 1, 20),
    "harbour_and_flood": lambda: chain(scene("harbour", 40, 100), scene("flood", 1, 40, 100)),
    "wet": lambda: chain.from_iterable(wet(luck, WET) for luck in range(80, 83)),
    "wet_with_inertia": lambda: chain.from_iterable(wet(luck, (*WET, "inertia")) for luck in range(85, 88)),
    "wet_reactions": lambda: chain.from_iterable(
        wet(luck, (*WET, "inertia", "heat", "reactions"), kinds=(*BURNING, "ice", "steam")) for luck in range(90, 93)
    ),
    "wet_tall": lambda: chain.from_iterable(
        wet(luck, (*WET, "inertia", "heat"), 45, (*WASHED, "steam")) for luck in range(95, 98)
    ),
    "rain_of_powder": rain_of_powder,
    "mixed": lambda: chain.from_iterable(mixed(luck) for luck in range(100, 103)),
    "mixed_in_cells": lambda: chain(full_columns(), *(mixed(luck) for luck in range(112, 115))),
    "mixed_awake": lambda: chain.from_iterable(mixed(luck) for luck in range(118, 121)),
    "mixed_among_atoms": lambda: chain.from_iterable(
        mixed(luck, rules)
        for luck, rules in enumerate((MIXED, MIXED, (*MIXED, "heat"), (*MIXED, *HEAT[1:], "reactions")))
    ),
    "full_columns": full_columns,
    "vessel": lambda: islice(vessels(), 1),
    "vessels": vessels,
    "ponds": lambda: chain.from_iterable(mixed(luck, ("mixture", "pressure")) for luck in range(300, 303)),
    "ponds_awake": lambda: chain.from_iterable(mixed(luck, ("mixture", "pressure")) for luck in range(316, 319)),
    "warm_vessels": lambda: vessels(WARM_PONDS),
    "warm_ponds": lambda: chain.from_iterable(
        mixed(luck, WARM_PONDS, kinds=("water", "steam", "ice", "empty")) for luck in range(322, 325)
    ),
    "moving_ponds": lambda: chain.from_iterable(mixed(luck, ("mixture", "pressure")) for luck in range(319, 322)),
    "tube": lambda: islice(tubes(), 1),
    "tubes": tubes,
    "pools": lambda: chain.from_iterable(pools(luck) for luck in range(330, 333)),
    "pools_among_others": lambda: chain.from_iterable(
        pools(350 + luck, (*others, "pressure")) for luck, others in enumerate((WET, MIXED, ("atoms", "collapse"), WET))
    ),
    "laden_tube": lambda: islice(laden_tubes(), 1),
    "laden_tubes": laden_tubes,
    "laden_pools": lambda: chain.from_iterable(pools(luck, kinds=LADEN) for luck in range(360, 363)),
    "laden_pools_tall": lambda: chain.from_iterable(pools(luck, strips=45, kinds=LADEN) for luck in range(380, 383)),
    "laden_pools_awake": lambda: chain.from_iterable(pools(luck, kinds=LADEN) for luck in range(366, 368)),
    "laden_pools_among_others": lambda: chain.from_iterable(
        pools(370 + luck, (*others, "pressure"), kinds=LADEN)
        for luck, others in enumerate((WET, (*MIXED, "heat"), (*WET, "heat"), ("atoms", "collapse")))
    ),
    "moving_laden_pools": lambda: chain.from_iterable(pools(luck, kinds=LADEN) for luck in range(368, 370)),
    "moving_pools": lambda: chain.from_iterable(pools(luck) for luck in range(346, 350)),
    "slabs": slabs,
    "slabs_in_strips": slabs,
    "rafts": rafts,
    "pieces": lambda: chain.from_iterable(rubble(luck) for luck in range(200, 203)),
    "pieces_among_powders": lambda: chain.from_iterable(
        rubble(luck, kinds=("sand", "gravel", "snow", "empty")) for luck in range(206, 209)
    ),
    "pieces_awake": lambda: chain.from_iterable(rubble(luck) for luck in range(212, 215)),
    "pieces_in_strips": lambda: chain.from_iterable(rubble(luck) for luck in range(216, 219)),
    "pieces_in_water": lambda: chain.from_iterable(rubble(luck, (*WET, "collapse")) for luck in range(220, 223)),
    "pieces_in_waves": lambda: chain.from_iterable(
        rubble(luck, (*WET, "inertia", "collapse")) for luck in range(240, 243)
    ),
    "warm_pieces_in_waves": lambda: chain.from_iterable(
        rubble(luck, (*WET, "inertia", "heat", "collapse"), strips=14) for luck in range(245, 248)
    ),
    "piles": piles,
    "pieces_in_mixture": lambda: chain.from_iterable(rubble(luck, (*MIXED, "collapse")) for luck in range(225, 228)),
    "moving_pieces": lambda: chain.from_iterable(rubble(luck) for luck in range(230, 233)),
    "moving_water": lambda: chain(
        edges_and_gravities(("flow",)), [(water(5, ("flow", "inertia"), "open", "down", 7), (1, 7, 24))]
    ),
    "moving_atoms": lambda: chain.from_iterable(wet(luck, (*WET, "inertia", "heat")) for luck in range(130, 133)),
    "moving_mixture": lambda: chain(*(mixed(luck) for luck in range(133, 136)), mixed(136, (*MIXED, "heat"), strips=9)),
    "warm_mixtures": lambda: chain.from_iterable(mixed(luck, (*MIXED, "heat")) for luck in range(140, 143)),
    "warm_mixtures_in_cells": lambda: chain.from_iterable(mixed(luck, (*MIXED, "heat")) for luck in range(145, 148)),
    "moving_rest": at_rest,
    "failing_moves": lambda: iter([(water(5, ("flow",), "wrap", "down", 7), (1, 24))]),
    "pools_at_rest": pools_at_rest,
    **{f"golden_{third}": partial(golden, third) for third in range(3)},
    "flow": lambda: edges_and_gravities(("flow",)),
    "inertia": lambda: (
        (water(luck, ("flow", "inertia"), EDGES[luck % 3], gravity, strips=4 + luck % 3), (1, 7, 24))
        for luck, gravity in enumerate(GRAVITIES)  # few, because each needs programs of its own
    ),
    "thin": thin_shares,
    "through": through_all,
    "rest": at_rest,
    "awake": lambda: (
        (water(luck, ("flow", "inertia"), "open", gravity, strips=5), (1, 7, 24))
        for luck, gravity in enumerate(("down", "left", "off"))
    ),
    "grid_of_water": lambda: grid_of_water(range(401, 403)),
    "grids_of_water": lambda: grid_of_water(range(403, 409)),
    "grids_of_pools": grids_of_pools,
    "grids_that_move": lambda: chain(
        grid_of_water(range(437, 439)),
        mixed(440, strips=4, across=3),
        atoms_of(POWDERS, range(441, 442), strips=3, across=6),
    ),
    "grid_of_powders": lambda: atoms_of(POWDERS, range(500, 501), strips=3, across=6),
    "grids_of_powders": lambda: atoms_of(POWDERS, range(501, 504), strips=3, across=6),
    "grids_of_powders_in_strips": lambda: atoms_of(POWDERS, range(505, 508), strips=3, across=6),
    "grids_of_bodies": lambda: atoms_of(BODIES, range(510, 513), strips=3, across=20),
    "grids_of_fluids": lambda: wide_fluids(("water", "smoke", "wall"), range(515, 518)),
    "grids_of_layers": lambda: wide_fluids(LAYERS, range(520, 523)),
    "grids_of_warm_powders": lambda: atoms_of(THAWING, range(525, 528), strips=3, across=6, rules=HEAT),
    "grids_of_reactions": lambda: wide_fluids(BURNING, range(531, 533), REACTIONS),
    "grids_of_wet": lambda: wide_fluids(WASHED, range(540, 542), (*WET, "inertia", "heat")),
    "grids_awake": lambda: chain(grid_of_water(range(418, 420)), mixed(419, strips=3, across=3)),
    "grid_of_mixtures": lambda: mixed(422, strips=3, across=3),
    "grids_of_mixed_atoms": lambda: mixed(600, MIXED, strips=1, across=54),
    "grids_of_mixtures": lambda: chain.from_iterable(mixed(luck, strips=3, across=3) for luck in range(423, 426)),
    "grid_of_vessels": lambda: wide_vessels((("mixture", "closed", "down"), ("mixture", "wrap", "left"))),
    "grid_of_tubes": lambda: wide_vessels((("atoms", "closed", "up"), ("atoms", "open", "right"))),
    "grids_of_ponds": lambda: chain.from_iterable(
        mixed(luck, ("mixture", "pressure"), strips=3, across=3) for luck in range(611, 614)
    ),
    "grids_of_warm_ponds": lambda: chain.from_iterable(
        mixed(luck, WARM_PONDS, strips=3, across=3, kinds=("water", "steam", "ice", "empty")) for luck in (622, 624)
    ),
    "grids_of_laden_pools": lambda: chain(
        pools(630, strips=3, across=3),
        *(pools(luck, strips=3, across=3, kinds=LADEN) for luck in (640, 642)),  # no torus: its halos would be wide
    ),
    "grid_of_slabs": lambda: wide_slabs((("closed", "down"),)),
    "grids_of_slabs": lambda: wide_slabs((("open", "left"), ("wrap", "up"), ("wrap", "right"))),
    "grids_of_pieces": lambda: chain.from_iterable(
        rubble(luck, strips=3, across=6, kinds=("sand", "gravel", "snow", "empty")) for luck in range(650, 655)
    ),
    "grid_of_rafts": lambda: wide_rafts(((WET, "closed", "down"),)),
    "grids_of_rafts": lambda: wide_rafts(
        ((MIXED, "open", "left"), ((*WET, "inertia", "heat"), "closed", "up"), (WET, "open", "right"))
    ),
    "grids_of_rafts_on_a_torus": lambda: (  # halos are wide, so it takes minutes
        (world, (1, 3)) for world, _ in wide_rafts(((WET, "wrap", "down"),))
    ),
    "grids_of_piles": lambda: islice(piles(columns=60, rows=THIN * 32), 1, 2),
    "grids_of_pieces_in_water": lambda: chain(
        *(rubble(luck, (*WET, "collapse"), 3, edges="closed", across=3) for luck in (660, 661, 664)),
        rubble(662, (*WET, "inertia", "collapse"), 3, edges="open", across=3),
        rubble(663, (*MIXED, "collapse"), 3, edges="closed", across=3),
    ),
    "grids_of_moving_pieces": lambda: chain(
        rubble(670, strips=3, across=6, kinds=("sand", "snow", "empty")),
        rubble(671, (*WET, "collapse"), 3, edges="closed", across=6),
    ),
    "grids_of_pieces_awake": lambda: chain(
        rubble(675, strips=3, across=6, kinds=("sand", "snow", "empty")),
        rubble(676, (*WET, "inertia", "heat", "collapse"), 3, edges="open", across=3),
    ),
    "grids_of_pieces_in_strips": lambda: rubble(680, strips=3, across=6, kinds=("sand", "snow", "empty")),
    "grids_of_pieces_and_pools": lambda: chain.from_iterable(
        pools(luck, (*others, "pressure"), strips=3, across=3, kinds=LADEN)
        for luck, others in ((685, ("atoms", "collapse")), (687, (*WET, "collapse")))
    ),
    "grids_of_mixtures_in_cells": lambda: chain.from_iterable(
        mixed(luck, strips=3, across=3) for luck in range(434, 438)
    ),
}


class RandomBorders(Balance):
    """Moves borders at random before every fifth tick; alike on all ranks."""

    def __init__(self) -> None:
        super().__init__()
        self._rng = np.random.default_rng(1)
        self.moves = self.refusals = 0

    def due(self) -> bool:
        return self._rng.random() < 0.2

    def decide(self, strips: Strips, busy: np.ndarray) -> Strips | None:
        assert busy.shape == (len(strips[1]), len(strips[0]))
        return self._divided(strips[0]), self._divided(strips[1])

    def _divided(self, strips: tuple[int, ...]) -> tuple[int, ...]:
        cuts = sorted(self._rng.choice(np.arange(1, sum(strips)), len(strips) - 1, replace=False).tolist())
        return tuple(np.diff([0, *cuts, sum(strips)]).tolist())

    def moved(self, seconds: float) -> None:
        assert seconds > 0
        self.moves += 1

    def refused(self) -> None:
        self.refusals += 1


class FailingParts(RankSimulation):
    """Rank 1 has no memory for the part that it would have after a move of borders."""

    made = 0

    def __init__(self, *given: Any) -> None:
        FailingParts.made += 1
        if given[1].rank == 1 and FailingParts.made > 1:
            raise DeviceError("not enough memory")
        super().__init__(*given)


HOW: dict[str, dict[str, Any]] = {
    "moving_water": {"balance": RandomBorders},
    "moving_atoms": {"balance": RandomBorders},
    "moving_mixture": {"balance": RandomBorders},
    "moving_rest": {"balance": RandomBorders},
    "moving_pieces": {"balance": RandomBorders},
    "moving_ponds": {"balance": RandomBorders},
    "moving_pools": {"balance": RandomBorders},
    "laden_pools_awake": {"sleeping": False},
    "moving_laden_pools": {"balance": RandomBorders},
    "ponds_awake": {"sleeping": False},
    "pieces_awake": {"sleeping": False},
    "pieces_in_strips": {"variant": "strips"},
    "slabs_in_strips": {"variant": "strips"},
    "failing_moves": {"balance": RandomBorders},
    "awake": {"sleeping": False},
    "atoms_awake": {"sleeping": False},
    "atoms_in_strips": {"variant": "strips"},
    "mixed_in_cells": {"variant": "single"},
    "warm_mixtures_in_cells": {"variant": "single"},
    "mixed_awake": {"sleeping": False},
    "grids_of_mixtures_in_cells": {"variant": "single"},
    "grids_awake": {"sleeping": False},
    "grids_of_powders_in_strips": {"variant": "strips"},
    "grids_that_move": {"balance": RandomBorders},
    "grids_of_moving_pieces": {"balance": RandomBorders},
    "grids_of_pieces_awake": {"sleeping": False},
    "grids_of_pieces_in_strips": {"variant": "strips"},
}
"""Further arguments of a shared simulation, by the name of the case."""

GRIDS = {2: (1, 2), 3: (1, 3), 4: (2, 2), 6: (2, 3), 9: (3, 3)}
"""The grids of ranks, by their number, in cases whose name begins with ``grid``."""


def how_of(name: str, ranks: int) -> dict[str, Any]:
    """Further arguments of a shared simulation in a case on so many ranks."""
    return HOW.get(name, {}) | ({"ranks": GRIDS[ranks]} if name.startswith("grid") else {})


Answers = dict[str, object]
"""What a simulation answers, by what it was asked."""


def of_all(sim: gpufluid.Simulation | cluster.Simulation) -> Answers:
    """The answers that each rank has."""
    return {
        "digest": sim.digest(),
        "ledgers": dict(sim.ledgers),
        "statistics": sim.statistics(),
        "counts": sim.counts(),
        "activity": sim.activity() if sim.blank.has_amounts else None,
        "settled": sim.settled,
        "tick": sim.tick,
    }


def of_first(shared: cluster.Simulation, window: tuple[tuple[int, int], tuple[int, int]]) -> Answers:
    """The answers that rank 0 has, of which one is about a window: ((column, row), (width, height)) in cells."""
    part, frame = shared.read_window(*window), shared.frame("1/2")
    return {
        "read": shared.read(),
        "read_window": None if part is None else {name: array.tolist() for name, array in part.items()},
        "frame": None if frame is None else frame.tolist(),
    }


def wanted_of_first(alone: gpufluid.Simulation, window: tuple[tuple[int, int], tuple[int, int]]) -> Answers:
    """What `of_first` is to return."""
    (x, y), (width, height) = window
    world = alone.read()
    cells = slice(y, y + height), slice(x, x + width)
    arrays = world.complete_arrays().items()
    part = {name: array[(slice(None), *cells) if FIELDS[name].layered else cells].tolist() for name, array in arrays}
    return {"read": world, "read_window": part, "frame": alone.frame("1/2").tolist()}


def differences(
    comm: Comm,
    world: World | None,
    ticks: tuple[int, ...],
    rests: bool,
    asks_first: bool = True,
    **how: Any,
) -> list[str]:
    """Compare a shared world with the same one in one process. Rank 0 compares; the others return no difference.

    Args:
        comm: the communicator of the ranks that share it.
        world: the world, on rank 0; None on the others.
        ticks: the numbers of ticks after which answers are compared.
        rests: whether the world must be settled from the first of these on.
        asks_first: whether what only rank 0 answers is compared, too.
        how: further arguments of the shared simulation.
    """
    found: list[str] = []
    how = {name: value() if name == "balance" else value for name, value in how.items()}
    with cluster.Simulation(world, comm, **how) as shared:
        alone = None if world is None else gpufluid.Simulation(world)
        ranks.meet_asleep(comm)  # what rank 0 does alone takes as long as all else
        width, height = shared.blank.width, shared.blank.height
        window = (width // 5, height // 3), (max(1, width // 2), max(1, height // 2))
        done = 0
        for tick in ticks:
            shared.step(tick - done)
            every = comm.gather(of_all(shared))
            first = of_first(shared, window) if asks_first else {}
            if alone is None:
                found += [f"rank {shared.rank} has {name}" for name, answer in first.items() if answer is not None]
            else:
                assert every is not None
                alone.step(tick - done)
                wanted, wanted_of_one = of_all(alone), wanted_of_first(alone, window) if asks_first else {}
                wrong = [
                    f"{name} of rank {rank}"
                    for rank, answers in enumerate(every)
                    for name in wanted
                    if answers[name] != wanted[name]
                ]
                wrong += [name for name in wanted_of_one if first[name] != wanted_of_one[name]]
                wrong += ["not settled"] if rests and not wanted["settled"] else []
                found += [f"{world!r} on {shared.ranks} ranks after {tick} ticks: {name}" for name in wrong]
            ranks.meet_asleep(comm)
            done = tick
        if alone is not None:
            alone.close()
        if "balance" in how:
            moved, refused = how["balance"].moves > 0, how["balance"].refusals > 0
            if (moved, refused) != ((False, True) if simulation.RankSimulation is FailingParts else (True, False)):
                found.append(f"{world!r}: borders have moved: {moved}; have been refused: {refused}")
    return found


def main() -> None:
    """Hold the worlds of the named cases against one process each."""
    from mpi4py import MPI

    pieces.PIECE = 1000  # so that each array is sent in several
    every = MPI.COMM_WORLD
    ranks.end_all_at_an_error(every)
    first = every.rank == 0
    for name in sys.argv[1:]:
        cases = list(CASES[name]()) if first else []
        simulation.RankSimulation = FailingParts if name == "failing_moves" else RankSimulation
        ranks.meet_asleep(every)
        told = every.bcast([(ticks, strips_of(world)) for world, ticks in cases])
        worlds = [world for world, _ in cases] if first else [None] * len(told)
        is_golden = name.startswith("golden")  # many scenes, of which digests and ledgers are compared
        for place, (world, (ticks, strips)) in enumerate(zip(worlds, told, strict=True)):
            number = min(2 + place % (every.size - 1), strips) if is_golden else every.size
            some = every.Split(int(every.rank >= number))
            if every.rank < number:
                rests, how = name.endswith("rest"), how_of(name, number)
                for wrong in differences(some, world, ticks, rests, asks_first=not is_golden, **how):
                    print(wrong, flush=True)
            ranks.meet_asleep(every)
            some.Free()


def strips_of(world: World) -> int:
    """The most ranks that can share a world."""
    return -(-frame_size(world.width, world.height, world.gravity)[1] // THIN)


if __name__ == "__main__":
    main()
