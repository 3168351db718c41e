"""Workloads of rule ``collapse``: those of rule ``atoms``, with solids among the atoms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpufluid.benchmark.workload import RUN_TICKS, Workload, shafts, with_rules
from gpufluid.benchmark.workloads import atoms
from gpufluid.rules import with_requirements
from gpufluid.world import World

_RULES = with_requirements("collapse")


def _dense(width: int, height: int) -> World:
    """Atoms that fall forever, and crumbs of wood that fall with them; with twice the wood it dams up the sand."""
    matter = (*("empty", "empty", "sand", "sand", "oil", "oil", "steam") * 2, "wood")
    return atoms.fill_at_random(World(height, width, _RULES, edges="wrap"), matter)


def _typical(width: int, height: int) -> World:
    """A random mix of atoms and crumbs of two solids, large and small."""
    matter = ("empty", "empty", "empty", "sand", "oil", "oil", "stone", "wood")
    return atoms.fill_at_random(World(height, width, _RULES), matter)


def _settled(width: int, height: int) -> World:
    world = with_rules(_RULES, _of("settled").make(width, height))
    world["material"][height - height // 4 - height // 8 : height - height // 4, width // 4 : width // 2] = (
        world.materials["stone"]
    )
    world.draw_grain()
    return world


def _sparse(width: int, height: int) -> World:
    world = with_rules(_RULES, _of("sparse").make(width, height))
    stone = world.materials["stone"]
    for x, y, across, _ in shafts(width, height):
        world["material"][y - 3 : y - 1, x - 1 : x + across + 1] = stone
    return world


def _empty(width: int, height: int) -> World:
    return World(height, width, _RULES)


def _of(name: str) -> Workload:
    """The workload of rule atoms with a name."""
    return next(each for each in atoms.WORKLOADS if each.name == name)


_CHANGES: dict[str, tuple[str, Callable[[int, int], World]]] = {
    "dense": ("A torus in which sand, oil and crumbs of wood fall forever and steam rises through them.", _dense),
    "typical": (
        f"An eighth sand, stone and wood each, two oil, three empty, at random: the first {RUN_TICKS} ticks.",
        _typical,
    ),
    "settled": ("Oil on sand in the lower half, level and at rest; a block of stone lies in it.", _settled),
    "sparse": (
        "Rain of sand and oil in four shafts, a hundredth of the cells; a slab of stone lies on each.",
        _sparse,
    ),
    "empty": ("No atoms.", _empty),
}

WORKLOADS = tuple(replace(_of(name), about=about, make=make) for name, (about, make) in _CHANGES.items())
