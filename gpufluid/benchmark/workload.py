"""A workload: a world of any size, always the same one, in which a rule is measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from gpufluid.core.fields import FIELDS
from gpufluid.core.hashing import pcg4d
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.matter.reactions import ReactionTable
from gpufluid.rules import with_requirements
from gpufluid.world import World
from gpufluid.world.laws import ill_assorted

LEAST_SIDE = 32
"""In a smaller world a workload would not be what it says."""

COURSE = 240
"""Ticks of a run of what changes as it goes: always from the first state on, so that any two runs do the same."""

_TILE = 1024
"""Random cells repeat after so many columns and rows: in large worlds drawing each would take minutes."""

_WALL = 2
"""Columns of wall between two rules' bands: an even number, as a torus of blocks wants."""

_PACKAGE = "gpufluid.benchmark.workloads"


@dataclass(frozen=True, slots=True)
class Workload:
    """A named world of any size.

    Args:
        name: as ``--workload`` takes it.
        about: a sentence: what is in it, and why it stays so for as long as it is measured.
        make: (width, height) to the world.
        course: ticks of a run, each of which begins from the first state; None: it stays what it is for ever.
        at_rest: it is measured only when `Simulation.settled` says so.
        dense: whether no tile of it ever sleeps.
    """

    name: str
    about: str
    make: Callable[[int, int], World]
    course: int | None = None
    at_rest: bool = False
    dense: bool = False


def workloads_of(*rules: str) -> tuple[Workload, ...]:
    """What a rule brings, or what several bring together; empty if there is no file of that name."""
    name = f"{_PACKAGE}.{'_'.join(rules)}"
    return import_module(name).WORKLOADS if find_spec(name) else ()


def companions(rules: Sequence[str]) -> tuple[str, ...]:
    """Those of some rules that need no other, without any that cannot stand beside one before it."""
    found: list[str] = []
    for rule in rules:
        if with_requirements(rule) == (rule,) and not any(ill_assorted([*found, rule])):
            found.append(rule)
    return tuple(found)


def together(rules: Sequence[str]) -> tuple[Workload, ...]:
    """The workloads that all of some rules bring, side by side in one world in which all of the rules act.

    The workloads of a rule that needs others are of worlds with those; some rules have workloads together. Else each
    rule has a band of columns of its own, walled off, in which its own workload lies.
    """
    if tuple(rules) == with_requirements(rules[-1]):
        return workloads_of(rules[-1])
    if len(rules) > 1 and workloads_of(*rules):
        return workloads_of(*rules)
    brought = [{workload.name: workload for workload in workloads_of(rule)} for rule in rules]
    return tuple(
        _side_by_side(rules, [each[name] for each in brought])
        for name in brought[0]
        if all(name in each for each in brought)
    )


def _side_by_side(rules: Sequence[str], parts: Sequence[Workload]) -> Workload:
    courses = [part.course for part in parts if part.course is not None]
    return Workload(
        parts[0].name,
        f"Side by side, walled off: {' '.join(part.about for part in parts)}",
        lambda width, height: _joined(rules, [part.make for part in parts], width, height),
        min(courses) if courses else None,
        any(part.at_rest for part in parts),
    )


def _joined(rules: Sequence[str], makes: Sequence[Callable[[int, int], World]], width: int, height: int) -> World:
    """One world of all rules, a band of columns for each. Raises WorldError: laws that do not go together."""
    bounds = [2 * (width // 2 * number // len(makes)) for number in range(len(makes) + 1)]  # even: blocks, on a torus
    bands = [
        (first + _WALL, make(end - first - _WALL, height))
        for first, end, make in zip(bounds, bounds[1:], makes, strict=False)
    ]
    one = bands[0][1]
    emitters = [replace(port, at=(port.at[0] + x, port.at[1])) for x, band in bands for port in band.emitters]
    drains = [replace(port, at=(port.at[0] + x, port.at[1])) for x, band in bands for port in band.drains]
    world = World(height, width, rules, one.edges, one.seed, emitters=emitters, drains=drains, gravity=one.gravity)
    for first, band in bands:
        world["material"][:, first - _WALL : first] = world.materials["wall"]
        for name in band.fields:
            columns = slice(first, first + band.width)
            world[name][(..., columns) if FIELDS[name].layered else (slice(None), columns)] = band[name]
    return world


def under(rules: Sequence[str], world: World, reactions: ReactionTable | None = None) -> World:
    """A world under more rules than it had, each atom as warm as a new one of its material.

    Args:
        rules: which.
        world: of some of them.
        reactions: by default those that come with gpufluid.
    """
    laws = {"edges": world.edges, "seed": world.seed, "emitters": world.emitters, "drains": world.drains}
    more = World(world.height, world.width, rules, reactions=reactions, **laws)
    for name in world.fields:
        more[name] = world[name]
    if "temperature" not in world.fields:
        more.draw_temperature()
    return more


def noise(width: int, height: int, use: int, below: int) -> np.ndarray:
    """(height, width) uint16: whole numbers drawn by place, from 0 to one less than `below`; 65,536 at most.

    Args:
        width, height: in cells.
        use: tells one drawing from another.
        below: their bound.
    """
    x, y = np.arange(min(width, _TILE))[None, :], np.arange(min(height, _TILE))[:, None]
    drawn = (pcg4d(x, y, use, 0xBE9C)[0] >> np.uint32(16)) * np.uint32(below) >> np.uint32(16)
    tile = drawn.astype(np.uint16)
    return np.tile(tile, (-(-height // tile.shape[0]), -(-width // tile.shape[1])))[:height, :width]


def shafts(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Where a hundredth of a world is: four rooms, each a twentieth of it wide and high, in the midst of its quarters.

    Returns: (column, row, width, height) of each, without the wall around it.
    """
    across, down = max(width // 20, 1), max(height // 20, 1)
    return [(width * i // 4 - across // 2, height * j // 4 - down // 2, across, down) for j in (1, 3) for i in (1, 3)]


def with_shafts(world: World, materials: Sequence[str], rate: float) -> World:
    """The same with rooms of `shafts`: walled, an emitter for a roof, a drain for a floor, so that it rains for ever.

    Args:
        world: an empty one.
        materials: what falls, by turns.
        rate: of the emitters; they act by chance, so that no two ticks are alike.
    """
    ports: list[tuple[Emitter, Drain]] = []
    wall = world.materials["wall"]
    for number, (x, y, across, down) in enumerate(shafts(world.width, world.height)):
        world["material"][y - 1 : y + down + 1, x - 1 : x + across + 1] = wall
        world["material"][y : y + down, x : x + across] = 0
        material = materials[number % len(materials)]
        emitter = Emitter((x, y), (across, 1), material=material, rate=rate, chance=0.5)
        ports.append((emitter, Drain((x, y + down - 1), (across, 1))))
    world.emitters, world.drains = (tuple(each) for each in zip(*ports, strict=True))
    return world
