"""Worlds of rule atoms that are turned or mirrored, and chance that is mirrored with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from gpufluid import Simulation, World
from gpufluid.core.fields import VELOCITY_ONE
from gpufluid.matter.ports import Emitter, Port
from gpufluid.oracle import heat, pressure, reactions
from gpufluid.oracle.atoms import blocks, march, ports, spreading
from gpufluid.oracle.atoms.cells import side_of
from gpufluid.oracle.chance import noise, partition_offset
from gpufluid.rules import Call

Words = tuple[np.ndarray, ...]

TURNED_GRAVITY = ("down", "right", "up", "left")
"""Gravity after so many quarter turns against the clock."""


def atoms(height: int, width: int, **laws) -> World:
    """An empty world of rule atoms."""
    return World(height, width, ("atoms",), **laws)


def where(world: World, *materials: str) -> np.ndarray:
    """(height, width) bool: the cells that hold one of these materials."""
    return np.isin(world["material"], [world.materials[name] for name in materials])


def run(world: World, ticks: int) -> World:
    """The world after so many ticks."""
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()


def after_each_tick(world: World, ticks: int) -> Sequence[World]:
    """The world after each of so many ticks."""
    states = []
    with Simulation(world) as sim:
        for _ in range(ticks):
            sim.step()
            states.append(sim.read())
    return states


def height_of(world: World, *materials: str) -> np.ndarray:
    """(width,) how many atoms of these materials each column holds."""
    return where(world, *materials).sum(axis=0)


def in_air(pull: int, terminal: int, speed: int, ticks: int) -> np.ndarray:
    """(ticks,) cells below its start at which an atom in free flight is after each tick: v += a, then y += v.

    Args:
        pull: in 1/16 cell a tick a tick.
        terminal, speed: the most that the pull brings it to, and what it begins with, downwards, in 1/16 cell a tick.
    """
    speeds = np.minimum(speed + pull * np.arange(1, ticks + 1), terminal)
    return speeds.cumsum() / VELOCITY_ONE


def pull_of(world: World, material: str) -> int:
    """What gravity adds to the speed of an atom in a tick, in 1/16 cell a tick a tick."""
    return round(
        world.materials.column("gravity")[world.materials[material]] * world.fixed("atoms")["acceleration"] / 256
    )


class Follower:
    """Every atom of one material by a number of its own, followed by the moves that the simulation has kept.

    Args:
        sim: made with ``trace=True``.
        material: of the atoms that are followed.
    """

    def __init__(self, sim: Simulation, material: str) -> None:
        self._sim, self._material = sim, material
        self._numbers = np.full((sim.laws.height, sim.laws.width), -1)
        self.known = 0

    def step(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """One tick. Returns number, row, column and (x, y) velocity of each; who is new has the next number."""
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
    """The world, its gravity and all that enters and leaves it, turned by so many quarters against the clock."""
    for _ in range(quarters % 4):
        world = _turned_once(world)
    return world


def _turned_once(world: World) -> World:
    gravity = TURNED_GRAVITY[(TURNED_GRAVITY.index(world.gravity) + 1) % 4]

    def turn(port: Port) -> Port:
        (x, y), (width, height) = port.at, port.size
        return _moved(port, (y, world.width - x - width), (height, width), lambda across, down: (down, -across))

    other = _like(world, world.width, world.height, gravity, turn)
    for name in world.fields:
        if name != "velocity":
            other[name] = np.rot90(world[name])
    x, y = (np.rot90(world["velocity"][:, :, axis]) for axis in (0, 1))
    other["velocity"] = np.stack([y, -x], axis=2)
    return other


def mirrored(world: World) -> World:
    """The world with left and right exchanged. Gravity must not point to a side."""

    def mirror(port: Port) -> Port:
        (x, y), (width, _) = port.at, port.size
        return _moved(port, (world.width - x - width, y), port.size, lambda across, down: (-across, down))

    other = _like(world, world.height, world.width, world.gravity, mirror)
    for name in world.fields:
        other[name] = world[name][:, ::-1]
    other["velocity"][:, :, 0] *= -1
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
    other.ledger, other.atoms, other.heat = world.ledger, world.atoms, world.heat
    return other


def mirror_chance(patch: pytest.MonkeyPatch, world: World) -> None:
    """Let the oracle throw all its coins the other way round: what was drawn for a place goes to its mirror image.

    Args:
        patch: it lasts as long as this one.
        world: of the size and edges for which it is to be done; gravity must not point to a side.
    """
    width, wrap = world.width, world.edges == "wrap"

    def of_cells(world: World, x, y, tick: int, use: int) -> Words:
        first, *others = noise(world, width - 1 - x, y, tick, use)
        return first ^ np.uint32(1), *others  # the lowest bit is a side wherever a cell draws one

    def of_blocks(world: World, x, y, tick: int, use: int) -> Words:
        mirror = (width - 1 - x) % width - 1 if wrap else width - 2 - x
        coin, sinking, sliding, spreading = noise(world, mirror, y, tick, use)
        return coin ^ np.uint32(1 << 31), _columns_exchanged(sinking), sliding, spreading

    def of_reactions(world: World, x, y, tick: int, use: int) -> Words:
        if use == world.fixed("reactions")["use_decay"]:
            return noise(world, width - 1 - x, y, tick, use)
        mirror = (width - 1 - x) % width - 1 if wrap else width - 2 - x
        coin, *others = noise(world, mirror, y, tick, use)
        return coin ^ np.uint32(1 << 31), *others

    def offset_of(world: World, count: int, use: int) -> tuple[int, int]:
        x, y = partition_offset(world, count, use)
        return x ^ (world.width & 1), y  # in an odd width the blocks of one offset are those of the other, mirrored

    def of_pairs(world: World, x, y, tick: int, use: int) -> Words:
        next_one = noise(world, (width - 2 - x) % width if wrap else width - 2 - x, y, tick, use)
        return next_one[0], *noise(world, width - 1 - x, y, tick, use)[1:]  # x is for a pair that lies across

    def lots_of(columns, world: World, call: Call) -> Words:
        return _lots_of(width - 1 - columns, world, call)

    patch.setattr(pressure, "lots_of", lots_of)
    patch.setattr(heat, "noise", of_pairs)
    for module in (march, spreading, ports):
        patch.setattr(module, "noise", of_cells)
    for module in (march, spreading):
        patch.setattr(module, "side_of", lambda world, tick, substep: -side_of(world, tick, substep))
    patch.setattr(blocks, "noise", of_blocks)
    patch.setattr(blocks, "partition_offset", offset_of)
    patch.setattr(reactions, "noise", of_reactions)
    patch.setattr(reactions, "partition_offset", offset_of)
    patch.setattr(ports, "turned_to_world", lambda across, along, gravity: _to_world(-across, along, gravity))


_to_world, _lots_of = ports.turned_to_world, pressure.lots_of


def _columns_exchanged(word: np.ndarray) -> np.ndarray:
    """Draws for the left and the right column, which lie in the two lowest bytes, exchanged."""
    low, high = word & np.uint32(0xFF), word >> np.uint32(8) & np.uint32(0xFF)
    return word & np.uint32(0xFFFF0000) | low << np.uint32(8) | high
