"""Attacks on the simulation: random worlds, edited while they run, whose every tick must be that of the oracle.

A world has any rules that can be together, parameters from all of their ranges, materials, reactions and mixtures of
its own, and emitters and drains. It runs in any variants of its rules, with tiles that sleep or do not.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import gpufluid
from attacks.random_worlds import TICKS_MOST, fill, random_ports, random_rectangle, random_world
from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import UsageError
from gpufluid.core.fields import FIELDS, QUANTITIES, TEMPERATURE_LEAST, TEMPERATURE_MOST, TEMPERATURE_ONE
from gpufluid.matter.materials import SHIPPED as MATERIALS
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.rules import RULES
from gpufluid.rules.heat import warmed_water
from gpufluid.rules.laws import amount_in
from gpufluid.run.balance import accounts, balance_of
from gpufluid.runtime.editing import Workbench


@dataclass(frozen=True, slots=True)
class Edit:
    """A change by hand before a tick: a rectangle is painted, warmed, or the ports are replaced.

    Args:
        tick: the number of ticks that have run before.
        kind: ``paint``, ``warm`` or ``ports``.
        at, size: (column, row) and (width, height) of the rectangle.
        luck: seed of the random cells of a painted rectangle.
        degrees: by which a rectangle is warmed.
        emitters, drains: all ports from then on.
    """

    tick: int
    kind: str
    at: tuple[int, int] = (0, 0)
    size: tuple[int, int] = (1, 1)
    luck: int = 0
    degrees: float = 0.0
    emitters: tuple[Emitter, ...] = ()
    drains: tuple[Drain, ...] = ()


@dataclass(frozen=True, slots=True)
class Attack:
    """A world, and what happens to it.

    Args:
        world: the first state.
        ticks: the number of ticks.
        variants: the variant of each rule.
        sleeping: whether tiles sleep.
        edits: the edits, in the order of their ticks.
    """

    world: World
    ticks: int
    variants: dict[str, str]
    sleeping: bool
    edits: tuple[Edit, ...] = ()

    def __str__(self) -> str:
        world, table = self.world, self.world.materials
        laws = {
            "rules": world.rules,
            "edges": world.edges,
            "gravity": world.gravity,
            "seed": world.seed,
            "tick": world.tick,
            "parameters": {rule: dict(values) for rule, values in world.parameters.items()},
            "own materials": [each for each in table if each not in MATERIALS],
            "own reactions": [each for each in world.reactions if each not in REACTIONS],
            "mixture": (world.mixture.constituents, world.mixture.conversions),
            "emitters": world.emitters,
            "drains": world.drains,
            "variants": self.variants,
            "sleeping": self.sleeping,
            "ticks": self.ticks,
            "edits": self.edits,
        }
        cells = (
            [f"    {name} = {world[name].tolist()}" for name in world.fields] if world["material"].size < 600 else []
        )
        said = [f"    {name}: {value}" for name, value in laws.items() if value not in ((), [], {}, ((), ()))]
        return "\n".join([f"world of {world.width} by {world.height} cells", *said, *cells])


def attack(random: Random) -> Attack:
    """Draw a world and what happens to it."""
    world = None
    while world is None:
        world = random_world(random)
    variants = {rule: random.choice([each.name for each in RULES[rule].variants]) for rule in world.rules}
    ticks = random.randint(1, TICKS_MOST)
    edits = sorted(_edits(random, world, ticks), key=lambda edit: edit.tick)
    return Attack(world, ticks, variants, random.random() < 0.7, tuple(edits))


def _edits(random: Random, world: World, ticks: int) -> Iterator[Edit]:
    kinds = ["paint", "paint", "ports", *(["warm"] if "temperature" in world.fields else [])]
    for _ in range(random.choice((0, 0, 1, 3))):
        tick, kind = random.randrange(ticks), random.choice(kinds)
        if kind == "ports":
            emitters, drains = random_ports(random, world.copy())
            yield Edit(tick, kind, emitters=emitters, drains=drains)
        else:
            at, size = random_rectangle(random, world)
            yield Edit(tick, kind, at, size, random.getrandbits(32), random.choice((-4273.0, 0.125, 400.0, 4273.0)))


def judge(attack: Attack) -> str | None:
    """Run a world on the device and in the oracle. Returns None, or the first fault.

    A fault is a cell, a ledger, statistics or an activity that differ; a state that breaks a law; an account that does
    not add up; or another future after the state was saved and loaded.
    """
    twin = attack.world.copy()
    with Workbench(attack.world, variant=attack.variants, sleeping=attack.sleeping) as sim:
        for tick in range(attack.ticks):
            for edit in (each for each in attack.edits if each.tick == tick):
                if fault := _edited(sim, twin, edit):
                    return f"{edit.kind} before tick {tick}: {fault}"
            held, heat = balance_of(sim), _heat_without_ledger(twin)
            moved = oracle.tick(twin).moved
            sim.step()
            fault = _fault(sim, twin, moved) or _unbalanced(accounts(sim.blank, held, balance_of(sim)))
            if fault is None and _heat_without_ledger(twin) != heat:
                fault = f"heat does not add up: {_heat_without_ledger(twin) - heat} units more than the ledger says"
            if fault is not None:
                return f"tick {tick}: {fault}"
        return _fault_of_future(sim, twin)


def _heat_without_ledger(world: World) -> int:
    """The heat of a world less what its ledger says has entered: the same in every tick."""
    return world.heat_held() - world.heat.balance if "heat" in world.rules else 0


def _edited(sim: Workbench, twin: World, edit: Edit) -> str | None:
    """Make an edit on the device, and the same in the oracle's world."""
    (column, row), (width, height) = edit.at, edit.size
    if edit.kind == "ports":
        sim.replace_ports(edit.emitters, edit.drains)
        twin.replace_ports(edit.emitters, edit.drains)
    elif edit.kind == "paint":
        painted = World(height, width, twin.rules, **_own_laws(twin))
        fill(painted, np.random.default_rng(edit.luck))
        held = balance_of(sim)
        sim.write_window(edit.at, {name: painted[name] for name in painted.fields})
        rectangle = slice(row, row + height), slice(column, column + width)
        for name in painted.fields:
            twin[name][(slice(None), *rectangle) if FIELDS[name].layered else rectangle] = painted[name]
        if fault := _unbalanced(accounts(sim.blank, held, balance_of(sim))):
            return fault
        twin.ledgers = dict(sim.ledgers)
    else:
        cells = np.random.default_rng(edit.luck).random((height, width)) < 0.5
        given = sim.warm(edit.at, cells, edit.degrees)
        part = twin["temperature"][row : row + height, column : column + width]
        material = twin["material"][row : row + height, column : column + width]
        warmer = np.clip(
            part.astype(np.int64) + round(edit.degrees * TEMPERATURE_ONE), TEMPERATURE_LEAST, TEMPERATURE_MOST
        )
        after = np.where(cells & (material != 0), warmer, part)
        _warm_water(twin, edit, cells)
        if int((after - part).sum()) != given:
            return f"gave {given} units of heat; expected {int((after - part).sum())}"
        part[...] = after
        twin.heat += gpufluid.HeatLedger(given=given)
    return _fault(sim, twin, None)


def _warm_water(twin: World, edit: Edit, cells: np.ndarray) -> None:
    """Warm the water by mass, or the mixture, in some cells of a rectangle, and count it in the ledger."""
    if "water_heat" not in twin.fields:
        return
    (column, row), (width, height) = edit.at, edit.size
    part = slice(row, row + height), slice(column, column + width)
    old, dry = twin["water_heat"][part].astype(np.int64), twin["material"][part] != 0
    units, held = round(edit.degrees * TEMPERATURE_ONE), amount_in(twin.complete_arrays())
    after = np.where(cells & ~dry, warmed_water(twin.laws, held[part], old, units), old)
    twin["water_heat"][part] = after
    ledger = twin.ledgers["water_heat"]
    twin.ledgers["water_heat"] = ledger + type(ledger)(given=int((after - old).sum()))


def _own_laws(world: World) -> dict[str, Any]:
    """The laws of a world by which its cells are checked."""
    names = ("parameters", "materials", "reactions", "mixture", "gravity")
    return {name: getattr(world, name) for name in names}


def _fault(sim: Simulation, twin: World, moved: int | None) -> str | None:
    state = sim.read()
    found, expected = state.complete_arrays(), twin.complete_arrays()
    for name in twin.fields:
        differ = found[name] != expected[name]
        if differ.any():
            place = tuple(int(part) for part in np.argwhere(differ)[0])
            values = f"{found[name][place]}, in the oracle {expected[name][place]}"
            return f"{name}{list(place)} is {values}; {int(differ.sum())} differ"
    if state.ledgers != twin.ledgers or sim.ledgers != twin.ledgers:
        return f"the ledgers are {state.ledgers}, in the oracle {twin.ledgers}"
    if sim.digest() != twin.digest():
        return "the digests differ, the cells do not"
    if sim.statistics() != twin.statistics():
        return f"the statistics are {sim.statistics()}, in the oracle {twin.statistics()}"
    if moved is not None and twin.has_amounts and sim.activity() != moved:
        return f"the activity is {sim.activity()}, in the oracle {moved}"
    try:
        state.validate()
    except UsageError as error:
        return f"the state breaks a law: {error}"
    return None


def _unbalanced(found: dict[str, Any]) -> str | None:
    """The first account that does not add up: before, and the entries with their signs, are not the amount now."""
    for key, given in found.items():
        signs = QUANTITIES["atoms" if key == "atoms" else FIELDS[key.removesuffix("_units")].quantity].entries
        nested = all(isinstance(each, dict) for each in given.values())
        every = {f"{key} of {name}": each for name, each in given.items()} if nested else {key: given}
        for name, account in every.items():
            entered = sum(sign * account.get(entry, 0) for entry, sign in signs.items())
            if account["before"] + entered != account["now"]:
                return f"{name} does not add up: {account}"
    return None


def _fault_of_future(sim: Simulation, twin: World) -> str | None:
    """Save the state, load it, and run it on: it must be as the oracle's."""
    with tempfile.TemporaryDirectory() as folder:
        gpufluid.save(sim.read(), Path(folder) / "world.npz")
        loaded = gpufluid.load(Path(folder) / "world.npz")
    if loaded.digest() != twin.digest() or loaded.ledgers != twin.ledgers:
        return "the state is another one after it was saved and loaded"
    with Simulation(loaded) as again:  # in other variants, perhaps, and with fresh flags of tiles
        for _ in range(2):
            moved = oracle.tick(twin).moved
            again.step()
            if fault := _fault(again, twin, moved):
                return f"after it was saved and loaded: {fault}"
    return None
