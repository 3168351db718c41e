"""Worlds that ranks share: water, atoms and mixtures. Most are random; matter lies and moves across the borders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

import gpufluid
from gpufluid import FULL, Drain, Emitter, World
from gpufluid.cluster.schedule import check_shared, schedule_of_parts
from gpufluid.core.errors import UsageError
from gpufluid.core.frame import frame_size, in_frame, in_world, layers_in_frame
from gpufluid.core.small_floats import LARGEST_CODE
from gpufluid.world.kinds import kinds_among, materials_in
from gpufluid.world.laws import EDGES, GRAVITIES

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


def strips_of(world: World) -> int:
    """The most ranks that can share a world."""
    return -(-frame_size(world.width, world.height, world.gravity)[1] // THIN)


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


def distant(rules: tuple[str, ...], strips: int, ticks: range) -> Iterator[Case]:
    """Water that falls or drifts from the middle of a part to its borders, near which nothing has moved until then."""
    for edges, gravity in (("closed", "down"), ("wrap", "left"), ("open", "up")):
        rows, columns = THIN * strips, 18
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=rules, edges=edges, gravity=gravity, seed=5)
        if rules == ("atoms",):
            held, water = world["material"], world.materials["water"]
        else:
            held, water = world["mass"] if "flow" in rules else world["mixture"][world.mixture["water"]], FULL
        in_frame(held, gravity)[rows // 2 - 10 : rows // 2 + 10, 4:] = water
        yield world, tuple(ticks)


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
                in_frame(held, world.gravity)[end - 9 : end - 1, 3:-2] = FULL
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
    world["mass"][:20, 8:14] = FULL
    yield world, (1, 60, 200)
    pipe = World(THIN * 4, 16, rules=("flow",))
    wall = pipe.materials["wall"]
    pipe["material"][:-4, 7:9] = wall
    pipe["mass"][:100, :7] = FULL
    yield pipe, (10, 300)


def at_rest() -> Iterator[Case]:
    """Water that has come to rest: level pools on floors, which reach over a border of shares."""
    for edges in ("closed", "wrap"):
        world = World(THIN * 4, 12, rules=("flow",), edges=edges)
        world["mass"][-40:-1] = FULL
        world["material"][-1] = world.materials["wall"]
        with gpufluid.Simulation(world) as alone:
            while not alone.settled:
                alone.step(100)
            yield alone.read(), (1, 3)


def pools_at_rest() -> Iterator[Case]:
    """Water or a mixture at rest that lies over the ends of halos, if three ranks share the world."""
    for rules, edges in (
        (("mixture",), "wrap"),
        (("flow", "inertia", "atoms"), "wrap"),
        (("flow", "atoms", "heat"), "closed"),
        (("flow", "atoms"), "open"),
    ):
        world = World(THIN * 30, 6, rules=rules, edges=edges, seed=3)
        held = world["mixture"][world.mixture["water"]] if rules == ("mixture",) else world["mass"]
        ends = (352, 608, 32, 928) if "atoms" in rules else (352, 608, 288, 672)
        for end in ends:
            world["material"][end + 2] = world.materials["wall"]
            world["material"][end - 30 : end + 2, [0, -1]] = world.materials["wall"]
            held[end - 1 : end + 2, 1:-1] = FULL
        if "atoms" in rules:
            world["material"][100, 3] = world.materials["oil"]
        with gpufluid.Simulation(world) as alone:
            while not alone.settled:
                alone.step(50)
            yield alone.read(), (8, 24)


POWDERS = ("sand", "gravel", "snow", "wood", "wall", "glass", "ash")
"""Materials of which none is a fluid or elastic."""


def seams() -> Iterator[Case]:
    """Worlds in which much happens at borders: drains in the first and last rows of shares, blocks over the seam of a
    torus, and powder that falls on columns of powder, whose lowest atom in each part lies on a fluid of the next.
    """
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
            frame["mass"][first : first + 36] = FULL
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
        amounts[water, :, 0] = FULL
        amounts[water, 20:-1, 2:4] = FULL
        amounts[steam, 1:-30, 5:7] = FULL
        amounts[water, 40:80, 8] = FULL
        amounts[water, 100:260, 10] = FULL // 3
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
