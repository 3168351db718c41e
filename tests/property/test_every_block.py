"""Pass `settle` permutes each possible 2x2 block, whatever the random draws, and changes nothing else.

One world holds all blocks of four materials, out of all materials that differ in how they settle. Their order is
random, so that all kinds of matter lie on top of each other. Every cell has a tag: tags prove a permutation, counts
would not.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import atoms, mirror_chance, mirrored
from support.selection import crossed

from gpufluid import Simulation, World, oracle
from gpufluid.core.fields import SPEED_LIMIT
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.oracle.atoms import blocks
from gpufluid.rules import RULES, Call
from gpufluid.rules.atoms import CONSTANTS


def _settling(record: Material) -> tuple[object, ...]:
    """The properties of a material that pass `settle` uses; of a solid only its state."""
    motion = record.gravity, record.slide, record.spread, record.stick, record.cohesion
    return (record.state, *(() if record.state is State.SOLID else (record.density, *motion)))


MATERIALS = MaterialTable(tuple({_settling(record): record for record in SHIPPED[21::-1]}.values())[::-1])
"""The first 22 shipped materials, with one solid only; each later material settles like one of these."""

SIDE = len(MATERIALS) ** 2
"""Blocks along each side of the world."""

LEFT, RIGHT, LEAST, MOST = 0, 1 << 31, 0, (1 << 32) - 1

CHANCES = {
    "hashed": None,
    "eager, left first": (LEFT, LEAST, LEAST, LEAST),
    "eager, right first": (RIGHT, LEAST, LEAST, LEAST),
    "reluctant, left first": (LEFT, MOST, MOST, MOST),
    "reluctant, right first": (RIGHT, MOST, MOST, MOST),
}
"""The four random words of a block: for the first side, for nothing, and for sliding and diffusing."""

OFFSETS = ((0, 0), (1, 0), (0, 1), (1, 1))


def settling(offset: tuple[int, int], seed: int = 0) -> Call:
    """The call of `settle` with a given partition offset, one of four successive calls."""
    world = atoms(2, 2, seed=seed)
    runs = [call for tick in (0, 1) for call in world.schedule().calls(tick) if call.pass_.name == "settle"]
    (found,) = (call for call in runs if blocks.block_offset(world, call) == offset)
    return found


def every_block(call: Call, moving: bool) -> World:
    """A world of all blocks, at rest or in motion, aligned to the partition of a call, with a border of one cell."""
    rng = np.random.default_rng(moving)
    numbers = rng.permutation(SIDE * SIDE).reshape(SIDE, SIDE)
    world = atoms(2 * SIDE + 2, 2 * SIDE + 2, tick=call.tick, materials=MATERIALS)
    whole = laid_out(numbers, world, call)
    world["material"] = whole
    world["grain"] = np.where(whole == 0, 0, rng.integers(0, 256, whole.shape))
    if moving:
        still = (whole == 0) | MATERIALS.solid[whole]
        speeds = rng.choice((-SPEED_LIMIT, -16, 0, 0, 0, 3, SPEED_LIMIT), (*whole.shape, 2))
        world["velocity"] = np.where(still[:, :, None], 0, speeds)
    world.scratch["tag"] = np.arange(whole.size, dtype=np.int32).reshape(whole.shape)
    return world


def laid_out(numbers: np.ndarray, world: World, call: Call) -> np.ndarray:
    """The materials of numbered blocks: each digit of a number is the material of one cell."""
    material = np.zeros((world.height, world.width), np.int64)
    x, y = blocks.block_offset(world, call)
    for place, (row, column) in enumerate(np.ndindex(2, 2)):
        digit = numbers // len(MATERIALS) ** place % len(MATERIALS)
        material[y + row : y + row + 2 * SIDE : 2, x + column : x + column + 2 * SIDE : 2] = digit
    return material


def in_blocks(array: np.ndarray, call: Call) -> np.ndarray:
    """A world's array as (blocks, 4): upper left, upper right, lower left, lower right."""
    x, y = blocks.block_offset(atoms(2, 2), call)
    inside = array[y : y + 2 * SIDE, x : x + 2 * SIDE]
    return inside.reshape(SIDE, 2, SIDE, 2).swapaxes(1, 2).reshape(-1, 4)


def settled(world: World, call: Call, chance: tuple[int, int, int, int] | None, patch: pytest.MonkeyPatch) -> World:
    """The world after a call by the oracle, with hashed or fixed random words."""
    after = world.copy()
    with patch.context() as fixed:
        if chance is not None:
            words = chance
            fixed.setattr(blocks, "noise", lambda _, x, *__: [np.full(np.shape(x), word, np.uint32) for word in words])
        oracle.apply(after, call)
    return after


def assert_only_permuted(before: World, after: World, call: Call) -> None:
    """Each atom is in its old block, with material and grain; a block changes its speed only by pushing what slides.

    Atoms at rest do not share speeds; among moving ones the sum of a block's speeds stays.
    """
    tags, own = in_blocks(after.scratch["tag"], call), in_blocks(before.scratch["tag"], call)
    assert (np.sort(tags, axis=1) == own).all()
    origin = after.scratch["tag"]
    for name in ("material", "grain"):
        np.testing.assert_array_equal(after[name], before[name].ravel()[origin])
    carried = before["velocity"].reshape(-1, 2)[origin].astype(np.int32)
    rows, columns = (
        now - then for now, then in zip(np.indices(origin.shape), np.divmod(origin, before.width), strict=True)
    )
    heavy = np.isin(MATERIALS.column("state")[after["material"]], (State.POWDER, State.LIQUID))
    into_empty = heavy & (rows == 1) & (columns != 0) & (before["material"] == 0)
    pushed = np.clip(carried[:, :, 0] + CONSTANTS["slide_across"] * columns, -SPEED_LIMIT, SPEED_LIMIT)
    expected = np.where(
        into_empty[:, :, None], np.stack([pushed, np.full_like(pushed, CONSTANTS["slide_speed"])], axis=2), carried
    )
    if not before["velocity"].any():
        np.testing.assert_array_equal(after["velocity"], expected)
    for axis in (0, 1):
        found, wanted = (
            in_blocks(speeds[:, :, axis].astype(np.int32), call) for speeds in (after["velocity"], expected)
        )
        np.testing.assert_array_equal(found.sum(axis=1), wanted.sum(axis=1))
        assert (found.min(axis=1) >= wanted.min(axis=1)).all()
        assert (found.max(axis=1) <= wanted.max(axis=1)).all()


def assert_order_improves(before: World, after: World, call: Call) -> None:
    """Solids stay, powders and liquids move only down, and with each such move the lower cells hold more of them."""
    material, tags = in_blocks(after["material"], call), in_blocks(after.scratch["tag"], call)
    own = in_blocks(before.scratch["tag"], call)
    state = MATERIALS.column("state")
    assert (tags == own)[state[material] == State.SOLID].all()
    rows, columns = (tags // before.width - own // before.width, tags % before.width - own % before.width)
    heavy = np.isin(state, (State.POWDER, State.LIQUID))
    assert not (state[material] == State.POWDER)[rows > 0].any()
    assert not heavy[material][(rows == 0) & (columns != 0)].any()
    weight = np.where(heavy, MATERIALS.column("density"), 0)
    below_before = weight[in_blocks(before["material"], call)][:, 2:].sum(axis=1)
    below = weight[material][:, 2:].sum(axis=1)
    assert (below >= below_before).all()
    assert (below > below_before)[(heavy[material] & (rows != 0)).any(axis=1)].all()


@crossed(most=2, offset=OFFSETS, moving=[False, True])
def test_every_block_is_permuted_and_better_ordered(
    offset: tuple[int, int], moving: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = settling(offset)
    world = every_block(call, moving)
    numbers = in_blocks(world["material"], call).astype(np.int64) @ len(MATERIALS) ** np.arange(4)
    assert (np.bincount(numbers, minlength=SIDE * SIDE) == 1).all()
    for name, chance in CHANCES.items():
        after = settled(world, call, chance, monkeypatch)
        assert_only_permuted(world, after, call)
        assert_order_improves(world, after, call)
        if name == "hashed":
            shaders_agree(world, after, call)
    for seed in range(1, 4):
        again = settling(offset, seed)
        world.seed, world.tick = seed, again.tick
        shaders_agree(world, settled(world, again, None, monkeypatch), again)


def shaders_agree(world: World, after: World, call: Call) -> None:
    for variant in RULES["atoms"].variants:
        with Simulation(world, variant=variant.name) as sim:
            sim.run(call)
            assert sim.digest() == after.digest()


@pytest.mark.parametrize("moving", [False, True], ids=["at rest", "moving"])
def test_every_mirrored_block_gives_the_mirrored_result(moving: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    call = settling((1, 1))
    world = every_block(call, moving)
    after = mirrored(settled(world, call, None, monkeypatch))
    mirror_chance(monkeypatch, world)
    mirror = settled(mirrored(world), call, None, monkeypatch)
    for name in world.fields:
        np.testing.assert_array_equal(mirror[name], after[name], err_msg=name)
