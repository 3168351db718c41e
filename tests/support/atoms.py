"""Turned and mirrored worlds, of rule atoms with mirrored random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from gpufluid import Simulation, World, oracle
from gpufluid.core.fields import FIELDS, VELOCITY_ONE
from gpufluid.matter.materials import SHIPPED, MaterialTable, State
from gpufluid.matter.ports import Emitter, Port
from gpufluid.oracle import carrying, heat, pressure, reactions
from gpufluid.oracle.atoms import blocks, columns, march, ports, spreading
from gpufluid.oracle.atoms.cells import side_of
from gpufluid.oracle.chance import noise, partition_offset
from gpufluid.rules import Call

Words = tuple[np.ndarray, ...]

TURNED_GRAVITY = ("down", "right", "up", "left")
"""Gravity after 0, 1, 2 and 3 quarter turns counterclockwise."""


CALM = MaterialTable(
    tuple(
        replace(record, stray=0.0, splash=0.0, spread=0.0 if record.state is State.GAS else record.spread)
        for record in SHIPPED
    )
)
"""The shipped materials without chance in their flight: nothing strays, splashes or diffuses."""


def atoms(height: int, width: int, **laws) -> World:
    """An empty world of rule atoms."""
    return World(height, width, ("atoms",), **laws)


def where(world: World, *materials: str) -> np.ndarray:
    """(height, width) bool: the cells with one of these materials."""
    return np.isin(world["material"], [world.materials[name] for name in materials])


def with_block(world: World, material: str, rows: slice, columns: slice) -> World:
    """The world with a block of atoms, in place of what is there."""
    world["material"][rows, columns] = world.materials[material]
    world["mass"][rows, columns] = 0
    world.draw_grain()
    return world


def run(world: World, ticks: int) -> World:
    """The world after a number of ticks."""
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()


def after_each_tick(world: World, ticks: int) -> Sequence[World]:
    """The states of the world after each of a number of ticks."""
    states = []
    with Simulation(world) as sim:
        for _ in range(ticks):
            sim.step()
            states.append(sim.read())
    return states


def height_of(world: World, *materials: str) -> np.ndarray:
    """The number of atoms of these materials in each column, (width,)."""
    return where(world, *materials).sum(axis=0)


def in_air(pull: int, terminal: int, speed: int, ticks: int) -> np.ndarray:
    """The fall of an atom in free flight after each tick, (ticks,) in cells: v += a, then y += v.

    Args:
        pull: acceleration, in 1/16 cell a tick a tick.
        terminal, speed: terminal and first speed downwards, in 1/16 cell a tick.
    """
    speeds = np.minimum(speed + pull * np.arange(1, ticks + 1), terminal)
    return speeds.cumsum() / VELOCITY_ONE


def pull_of(world: World, material: str) -> int:
    """The acceleration of an atom by gravity, in 1/16 cell a tick a tick."""
    return round(
        world.materials.column("gravity")[world.materials[material]] * world.fixed("atoms")["acceleration"] / 256
    )


class Follower:
    """Numbers the atoms of one material and follows them by the moves that a simulation keeps.

    Args:
        sim: a simulation made with ``trace=True``.
        material: the material of the atoms.
    """

    def __init__(self, sim: Simulation, material: str) -> None:
        self._sim, self._material = sim, material
        self._numbers = np.full((sim.blank.height, sim.blank.width), -1)
        self.known = 0

    def step(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Run one tick. Returns number, row, column and (x, y) velocity of each atom; new atoms have new numbers."""
        self._sim.step()
        world = self._sim.read()
        rows, columns = np.nonzero(where(world, self._material))
        across, down = self._sim.moves()[rows, columns].T
        numbers = self._numbers[rows - down, columns - across]
        new = numbers < 0
        numbers[new] = self.known + np.arange(new.sum())
        self.known += int(new.sum())
        self._numbers[...] = -1
        self._numbers[rows, columns] = numbers
        return numbers, rows, columns, world["velocity"][rows, columns]


def turned(world: World, quarters: int) -> World:
    """The world with its gravity, emitters and drains, turned counterclockwise by a number of quarter turns."""
    for _ in range(quarters % 4):
        world = _turned_once(world)
    return world


def _turned_once(world: World) -> World:
    gravity = "off" if world.gravity == "off" else TURNED_GRAVITY[(TURNED_GRAVITY.index(world.gravity) + 1) % 4]

    def turn(port: Port) -> Port:
        (x, y), (width, height) = port.at, port.size
        return _moved(port, (y, world.width - x - width), (height, width), lambda across, down: (down, -across))

    other = _like(world, world.width, world.height, gravity, turn)
    for name in world.fields:
        found = np.rot90(world[name])
        other[name] = np.stack([found[..., 1], -found[..., 0]], axis=2) if FIELDS[name].components == 2 else found
    return other


def mirrored(world: World) -> World:
    """The world with left and right exchanged. Gravity must not point to a side."""

    def mirror(port: Port) -> Port:
        (x, y), (width, _) = port.at, port.size
        return _moved(port, (world.width - x - width, y), port.size, lambda across, down: (-across, down))

    other = _like(world, world.height, world.width, world.gravity, mirror)
    for name in world.fields:
        other[name] = world[name][:, ::-1]
        if FIELDS[name].components == 2:
            other[name][:, :, 0] *= -1
    return other


def _moved(port: Port, at: tuple[int, int], size: tuple[int, int], turn: Callable) -> Port:
    moved = replace(port, at=at, size=size)
    if isinstance(moved, Emitter) and moved.velocity is not None:
        return replace(moved, velocity=turn(*moved.velocity))
    return moved


def _like(world: World, height: int, width: int, gravity: str, moved: Callable[[Port], Port]) -> World:
    other = World(
        height,
        width,
        world.rules,
        edges=world.edges,
        gravity=gravity,
        seed=world.seed,
        tick=world.tick,
        parameters=world.parameters,
        materials=world.materials,
        reactions=world.reactions,
        emitters=[moved(emitter) for emitter in world.emitters],
        drains=[moved(drain) for drain in world.drains],
    )
    other.ledgers = dict(world.ledgers)
    return other


def mirror_chance(patch: pytest.MonkeyPatch, world: World) -> None:
    """Mirror the random numbers of the oracle: the number of a position is used at its mirror image.

    Args:
        patch: undoes the change at its end.
        world: a world with the size and edges for which to mirror; its gravity must not point to a side.
    """
    width, wrap = world.width, world.edges == "wrap"

    def of_cells(world: World, x, y, tick: int, use: int) -> Words:
        first, *others = noise(world, width - 1 - x, y, tick, use)
        return first ^ np.uint32(1), *others  # where a cell draws a side, it is the lowest bit

    def of_blocks(world: World, x, y, tick: int, use: int) -> Words:
        mirror = (width - 1 - x) % width - 1 if wrap else width - 2 - x
        coin, *others = noise(world, mirror, y, tick, use)
        return coin ^ np.uint32(1 << 31), *others

    def of_reactions(world: World, x, y, tick: int, use: int) -> Words:
        if use == world.fixed("reactions")["use_decay"]:
            return noise(world, width - 1 - x, y, tick, use)
        mirror = (width - 1 - x) % width - 1 if wrap else width - 2 - x
        coin, *others = noise(world, mirror, y, tick, use)
        return coin ^ np.uint32(1 << 31), *others

    def offset_of(world: World, count: int, use: int) -> tuple[int, int]:
        x, y = partition_offset(world, count, use)
        return x ^ (world.width & 1), y  # in an odd width mirrored blocks have the other offset

    def of_pairs(world: World, x, y, tick: int, use: int) -> Words:
        next_one = noise(world, (width - 2 - x) % width if wrap else width - 2 - x, y, tick, use)
        return next_one[0], *noise(world, width - 1 - x, y, tick, use)[1:]  # a pair spans columns x and x + 1

    def of_heat(world: World, x, y, tick: int, use: int) -> Words:
        mirror = of_blocks if use == world.fixed("heat")["use_change_water"] else of_pairs
        return mirror(world, x, y, tick, use)

    def lots_of(columns, world: World, call: Call) -> Words:
        return _lots_of(width - 1 - columns, world, call)

    patch.setattr(pressure, "lots_of", lots_of)
    patch.setattr(heat, "noise", of_heat)
    patch.setattr(heat, "partition_offset", offset_of)
    for module in (march, spreading, columns, ports):
        patch.setattr(module, "noise", of_cells)
    for module in (march, spreading):
        patch.setattr(module, "side_of", lambda world, tick, substep: -side_of(world, tick, substep))
    patch.setattr(blocks, "noise", of_blocks)
    patch.setattr(blocks, "partition_offset", offset_of)
    patch.setattr(carrying, "noise", of_blocks)
    patch.setattr(carrying, "partition_offset", offset_of)
    patch.setattr(reactions, "noise", of_reactions)
    patch.setattr(reactions, "partition_offset", offset_of)
    patch.setattr(ports, "turned_to_world", lambda across, along, gravity: _to_world(-across, along, gravity))


def assert_mirrored(world: World, ticks: int, monkeypatch: pytest.MonkeyPatch) -> World:
    """A mirrored world with mirrored random numbers is the mirror image of the world after every tick.

    The ledgers are equal, too. Returns the world after the last tick.
    """
    mirror = mirrored(world)
    for tick in range(ticks):
        world = oracle.step(world)
        with monkeypatch.context() as patch:
            mirror_chance(patch, mirror)
            mirror = oracle.step(mirror)
        for name in world.fields:
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name], err_msg=f"{name} after tick {tick}")
        assert (mirror.atoms, mirror.heat) == (world.atoms, world.heat)
    return world


_to_world, _lots_of = ports.turned_to_world, pressure.lots_of


def alone(there: np.ndarray) -> np.ndarray:
    """The cells of a mask, (rows, columns) bool, that have none of it among their eight neighbours."""
    around = np.pad(there, 1)
    rows, columns = there.shape
    near = [around[y : y + rows, x : x + columns] for y in range(3) for x in range(3) if (x, y) != (1, 1)]
    return there & ~np.any(near, axis=0)


def fall_alone(world: World, material: str) -> float:
    """The share of the falling cells of a liquid that have none of the same liquid among their eight neighbours."""
    there, falls = where(world, material), world["velocity"].any(axis=-1)
    return float((alone(there) & falls).sum() / max((there & falls).sum(), 1))
