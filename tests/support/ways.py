"""Worlds that soon come to rest, and the comparison of all variants that run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.core.fields import FIELDS
from gpufluid.gpu.variants import Wanted
from gpufluid.runtime.editing import Workbench

KINDS = ("sand", "water", "oil", "gravel", "smoke", "wall")


def quiet_world(height: int, width: int, luck: int, **laws) -> World:
    """A large world with little matter and some ports that begin late; most of it soon comes to rest."""
    rng = np.random.default_rng(luck)

    def at(size: tuple[int, int]) -> tuple[int, int]:
        return int(rng.integers(0, width - size[0])), int(rng.integers(0, height - size[1]))

    ports = [
        Emitter(at((3, 1)), (3, 1), material="water", velocity=(1.0, 0.5), start=int(rng.integers(0, 60)), until=90),
        Emitter(at((1, 1)), material="sand", rate=0.3, chance=0.5, until=70),
        Emitter(at((2, 1)), (2, 1), material="smoke", start=30, until=50),
    ]
    drains = [Drain(at((4, 3)), (4, 3), start=40), Drain(at((1, 1)), rate=0.2)]
    world = World(height, width, ("atoms",), seed=luck, emitters=ports, drains=drains, **laws)
    for _ in range(12):
        columns, rows = int(rng.integers(1, width // 2)), int(rng.integers(1, height // 3))
        x, y = at((columns, rows))
        world["material"][y : y + rows, x : x + columns] = world.materials[KINDS[rng.integers(0, len(KINDS))]]
    world.draw_grain()
    return world


def assert_parts_equal_whole(world: World, ticks: int, parts: int, **how: Any) -> None:
    """Passes that run in many bands, interrupted after any, give the same state as a whole tick at once.

    Args:
        world: the world.
        ticks: the number of ticks.
        parts: in each tick so many more parts run before the rest than in the tick before.
        how: further arguments of `Workbench`.
    """
    with Workbench(world, **how) as whole, Workbench(world, **how) as parted:
        for tick in range(ticks):
            for _ in range(parts * tick):
                if parted.step_within(1, 0.0):
                    break
            parted.finish()
            parted.step(tick + 1 - parted.tick)
            whole.step()
            assert parted.digest() == whole.digest()


def wet_world(height: int, width: int, luck: int, rules: Sequence[str], **laws) -> World:
    """A world as `quiet_world` with rules ``flow`` and ``atoms``, with pools and drops of water by mass."""
    quiet = quiet_world(height, width, luck, **laws)
    world = World(height, width, rules, seed=luck, emitters=quiet.emitters, drains=quiet.drains, **laws)
    for name in quiet.fields:
        world[name] = quiet[name]
    rng = np.random.default_rng(luck)
    for amount in (FULL, FULL, FULL // 7, 2 * FULL, FULL // 2):
        columns, rows = int(rng.integers(1, width // 2)), int(rng.integers(1, height // 3))
        x, y = int(rng.integers(0, width - columns)), int(rng.integers(0, height - rows))
        world["mass"][y : y + rows, x : x + columns] = amount
    world["mass"][world.obstacles] = 0
    return world


def quiet_mixture(height: int, width: int, luck: int, **laws) -> World:
    """A large world with walls, little matter, ice among it, and a port that begins late."""
    rng = np.random.default_rng(luck)
    world = World(height, width, **{"rules": ("mixture",), "seed": luck, **laws})
    for number in range(14):
        columns, rows = int(rng.integers(1, width // 2)), int(rng.integers(1, height // 4))
        x, y = int(rng.integers(0, width - columns)), int(rng.integers(0, height - rows))
        box = slice(y, y + rows), slice(x, x + columns)
        if number % 3 == 0:
            world["material"][box] = world.materials["wall"]
        else:
            world["mixture"][rng.integers(0, len(world.mixture)), *box] = rng.choice([FULL, FULL // 3])
    world["mixture"][:, world.solid] = 0
    corner = int(rng.integers(0, width - 2)), int(rng.integers(0, height - 1))
    world.emitters = (Emitter(corner, (2, 1), material="water", rate=0.5, start=30, until=60),)
    world.drains = (Drain(corner[::-1], rate=0.1, start=50),) if max(corner) < min(height, width) else ()
    return world


def mixed_world(height: int, width: int, luck: int, rules: Sequence[str], **laws) -> World:
    """A world as `quiet_world` with rules ``mixture`` and ``atoms``, with the amounts of `quiet_mixture`."""
    quiet, amounts = quiet_world(height, width, luck, **laws), quiet_mixture(height, width, luck, **laws)
    emitters, drains = (*quiet.emitters, *amounts.emitters), (*quiet.drains, *amounts.drains)
    world = World(height, width, rules, seed=luck, emitters=emitters, drains=drains, **laws)
    for name in quiet.fields:
        world[name] = quiet[name]
    world["mixture"] = np.where(world["material"] == 0, amounts["mixture"], 0)
    return world


def painted(rng: np.random.Generator, world: World) -> tuple[tuple[int, int], dict[str, np.ndarray]]:
    """A stroke of a brush: its rectangle, and the new content of its cells."""
    columns, rows = int(rng.integers(1, 12)), int(rng.integers(1, 12))
    at = int(rng.integers(0, world.width - columns + 1)), int(rng.integers(0, world.height - rows + 1))
    size = rows, columns, len(world.mixture)
    arrays = {name: np.zeros(FIELDS[name].shape(*size), world[name].dtype) for name in world.fields}
    if "velocity" in arrays:
        arrays["material"][...] = rng.choice([0, *(world.materials[kind] for kind in ("sand", "water", "smoke"))])
        arrays["velocity"][...] = rng.integers(-40, 40, 2) * (arrays["material"] != 0)[:, :, None]
    if "temperature" in arrays:
        arrays["temperature"][...] = rng.integers(-800, 8000) * (arrays["material"] != 0)
    if "mixture" in arrays:
        if "velocity" not in arrays:
            arrays["material"][...] = rng.choice([0, world.materials["wall"]], p=[0.7, 0.3])
        amounts = rng.integers(0, FULL, size[2]) * (rng.random(size[2]) < 0.4)
        arrays["mixture"][...] = amounts[:, None, None] * (arrays["material"] == 0)
    if "mass" in arrays:
        dry = world.laws.water_and_atoms & (arrays["material"] != 0)
        arrays["mass"][...] = np.where(dry, 0, rng.integers(0, FULL))
    return at, arrays


def assert_equal_in_all_ways(world: World, ticks: int, strokes: int, ways: Sequence[tuple[Wanted, bool]]) -> None:
    """Run a world by several (variant, sleeping), paint the same strokes into each, and compare at each stroke."""
    rng = np.random.default_rng(world.seed)
    running = [Workbench(world, variant=variant, sleeping=sleeping) for variant, sleeping in ways]
    for _ in range(strokes):
        at, arrays = painted(rng, world)
        for sim in running:
            sim.step(ticks)
            sim.write_window(at, arrays)
        digests = [sim.digest() for sim in running]
        assert digests == digests[:1] * len(ways)
    for sim in running:
        sim.step(ticks)
    assert len({sim.digest() for sim in running}) == 1
    assert len({str(sim.atoms) + str(sim.amounts) for sim in running}) == 1
    for sim in running:
        sim.close()
