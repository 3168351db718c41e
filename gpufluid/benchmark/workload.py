"""Workloads: reproducible worlds of any size in which rules are measured, and the tools to make them."""

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
from gpufluid.world.laws import rule_conflicts

LEAST_SIDE = 32
"""Least side of a workload's world, in cells; smaller worlds do not have the properties that a workload promises."""

RUN_TICKS = 240
"""Ticks of a run of a workload that changes over time. Each run starts from the first state, so all do the same."""

_TILE = 1024
"""Period of random cells in columns and rows: in large worlds, drawing every cell would take minutes."""

_WALL = 2
"""Columns of wall between the bands of two rules; even, because blocks on a torus need even positions."""

_PACKAGE = "gpufluid.benchmark.workloads"


@dataclass(frozen=True, slots=True)
class Workload:
    """A named world of any size.

    Args:
        name: for ``--workload``.
        about: its contents, and why they do not change while they are measured; one or two sentences.
        make: makes the world from (width, height).
        run_ticks: ticks of a run, if each run must restart from the first state; None: the world is in a steady state.
        at_rest: whether to measure only once `Simulation.settled` is true.
        dense: whether no tile ever sleeps.
    """

    name: str
    about: str
    make: Callable[[int, int], World]
    run_ticks: int | None = None
    at_rest: bool = False
    dense: bool = False


def workloads_of(*rules: str) -> tuple[Workload, ...]:
    """The workloads in the file of a rule, or of several rules; empty if there is no such file."""
    name = f"{_PACKAGE}.{'_'.join(rules)}"
    return import_module(name).WORKLOADS if find_spec(name) else ()


def independent_rules(rules: Sequence[str]) -> tuple[str, ...]:
    """The rules that need no other rule, without those that conflict with an earlier one."""
    found: list[str] = []
    for rule in rules:
        if with_requirements(rule) == (rule,) and not any(rule_conflicts([*found, rule])):
            found.append(rule)
    return tuple(found)


def joint_workloads(rules: Sequence[str]) -> tuple[Workload, ...]:
    """The workloads of one world with all of the given rules.

    If the last rule requires exactly the others, they are the workloads of the last rule; if there is a file for these
    rules together, those of the file. Otherwise each rule's own workload fills a band of columns, separated by walls;
    only workloads that all rules have are made.
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
    run_lengths = [part.run_ticks for part in parts if part.run_ticks is not None]
    return Workload(
        parts[0].name,
        f"Side by side, walled off: {' '.join(part.about for part in parts)}",
        lambda width, height: _joined(rules, [part.make for part in parts], width, height),
        min(run_lengths) if run_lengths else None,
        any(part.at_rest for part in parts),
    )


def _joined(rules: Sequence[str], makes: Sequence[Callable[[int, int], World]], width: int, height: int) -> World:
    """Make one world with a band of columns for each rule. Raises: WorldError: the rules' laws conflict."""
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


def with_rules(rules: Sequence[str], world: World, reactions: ReactionTable | None = None) -> World:
    """Copy a world into one with more rules. New temperatures are those of new atoms of each material.

    Args:
        rules: of the new world.
        world: with some of these rules.
        reactions: of the new world; by default those that come with gpufluid.
    """
    laws = {"edges": world.edges, "seed": world.seed, "emitters": world.emitters, "drains": world.drains}
    more = World(world.height, world.width, rules, reactions=reactions, **laws)
    more["material"] = world["material"]
    more.draw_temperature()
    for name in world.fields:
        more[name] = world[name]
    return more


def noise(width: int, height: int, use: int, below: int) -> np.ndarray:
    """Draw a random whole number for each cell, by a hash of its position.

    Args:
        width, height: in cells.
        use: selects the random numbers; a different number gives different ones.
        below: exclusive upper bound, at most 65,536.
    Returns: (height, width) uint16, 0 to `below` - 1.
    """
    x, y = np.arange(min(width, _TILE))[None, :], np.arange(min(height, _TILE))[:, None]
    drawn = (pcg4d(x, y, use, 0xBE9C)[0] >> np.uint32(16)) * np.uint32(below) >> np.uint32(16)
    tile = drawn.astype(np.uint16)
    return np.tile(tile, (-(-height // tile.shape[0]), -(-width // tile.shape[1])))[:height, :width]


def shafts(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """The rectangles of four shafts, one in the middle of each quarter of the world; together a hundredth of its cells.

    Returns: (column, row, width, height) of each shaft, without the wall around it.
    """
    across, down = max(width // 20, 1), max(height // 20, 1)
    return [(width * i // 4 - across // 2, height * j // 4 - down // 2, across, down) for j in (1, 3) for i in (1, 3)]


def with_shafts(world: World, materials: Sequence[str], rate: float) -> World:
    """Add `shafts` to a world: each has walls, an emitter at the top and a drain at the bottom, so rain never ends.

    Args:
        world: an empty world, changed in place.
        materials: that the emitters emit, in turn.
        rate: of the emitters, which act at random, so that no two ticks are alike.
    Returns: the same world.
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
