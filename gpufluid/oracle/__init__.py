"""The oracle: a NumPy twin of every pass, equal to the shader bit for bit. The oracle checks the GPU; it is slow."""

from __future__ import annotations

from importlib import import_module

from gpufluid.oracle.tally import Tally
from gpufluid.rules import RULES, Call
from gpufluid.world import World
from gpufluid.world.limits import check_entries, check_step, most_counted

__all__ = ["Tally", "apply", "step", "tick"]


def apply(world: World, call: Call) -> Tally:
    """Run one pass on a world, in place, and add its sums to the world's ledgers.

    The twin of the function that runs here is ``shaders/<rule>/<pass>.comp``. A pass that is `Pass.analysis_only`
    changes nothing and has no function here.
    """
    if call.pass_.analysis_only:
        return Tally()
    rule = call.pass_.rule
    twin = getattr(import_module(RULES[rule].oracle or f"{__name__}.{rule}"), call.pass_.name)
    with world.completed():
        tally = twin(world, call)
    for name, ledger in tally.ledgers.items():
        world.ledgers[name] += ledger
    return tally


def tick(world: World) -> Tally:
    """Run one tick on a world, in place. Returns the exact sums of what its passes did.

    Raises: WorldError: the tick, or an entry of a ledger, could pass 2**63 - 1; the world has not changed.
    """
    check_step(1, world.tick)
    check_entries(world.ledgers, most_counted(world.schedule()), world.tick)
    tally = Tally()
    with world.completed():
        for call in world.schedule().calls(world.tick):
            tally += apply(world, call)
    world.tick += 1
    return tally


def step(world: World, ticks: int = 1) -> World:
    """Compute a world after a number of ticks by NumPy alone. The given world does not change.

    Args:
        world: the world to start from.
        ticks: the number of ticks, 0 or more.
    Returns: a new world.
    Raises: WorldError: the world cannot run, ticks is negative, or a tick would be refused; see `tick`.
    """
    world.validate()
    check_step(ticks, world.tick)
    after = world.copy()
    for _ in range(ticks):
        tick(after)
    return after
