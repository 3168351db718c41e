"""The oracle: NumPy twins of every pass, equal to the shaders bit for bit. It proves a world; nobody runs one by it."""

from __future__ import annotations

from importlib import import_module

from gpufluid.oracle.tally import Tally
from gpufluid.rules import RULES, Call
from gpufluid.world import World

__all__ = ["Tally", "apply", "step", "tick"]


def apply(world: World, call: Call) -> Tally:
    """Run one pass on a world, in place; its twin is ``shaders/<rule>/<pass>.comp``."""
    rule = call.pass_.rule
    tally = getattr(import_module(RULES[rule].oracle or f"{__name__}.{rule}"), call.pass_.name)(world, call)
    for name, ledger in tally.ledgers.items():
        world.ledgers[name] += ledger
    return tally


def tick(world: World) -> Tally:
    """Run one tick on a world, in place, and say what it did."""
    tally = Tally()
    for call in world.schedule().calls(world.tick):
        tally += apply(world, call)
    world.tick += 1
    return tally


def step(world: World, ticks: int = 1) -> World:
    """The world after so many ticks, from NumPy alone. The one given stays as it is.

    Raises: WorldError: the world cannot run, or ticks is negative.
    """
    world.validate()
    world.check_ticks(ticks)
    after = world.copy()
    for _ in range(ticks):
        tick(after)
    return after
