"""Random worlds of any rules that can be together, with laws and cells of their own; gpufluid accepts each of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

import gpufluid
from gpufluid import Drain, Emitter, World
from gpufluid.core.errors import UsageError
from gpufluid.core.fields import FIELDS
from gpufluid.matter import reactions as reacting
from gpufluid.matter.materials import PROPERTIES, Material, MaterialTable, State
from gpufluid.matter.materials import SHIPPED as MATERIALS
from gpufluid.matter.mixtures import Constituent, Conversion, HorizontalFlow, MixtureTable, PressureFlow, VerticalFlow
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.matter.transitions import Transition
from gpufluid.rules import RULES, Parameter
from gpufluid.rules.laws import amount_in
from gpufluid.world.laws import EDGES, GRAVITIES, can_hold, rule_conflicts

TICKS_MOST = 12
"""The most ticks that such a world runs; emitters and drains begin within them."""


@cache
def rule_sets() -> tuple[tuple[str, ...], ...]:
    """All sets of rules that a world can have."""
    every = (names for count in range(1, len(RULES) + 1) for names in combinations(RULES, count))
    return tuple(names for names in every if not any(rule_conflicts(names)))


def random_world(random: Random) -> World | None:
    """Draw a world; None: gpufluid refuses the laws that were drawn."""
    rules = random.choice(rule_sets())
    edges, gravity = random.choice(EDGES), random.choice(GRAVITIES)
    height, width = (random.choice((1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 40, 64, 70)) for _ in range(2))
    if edges == "wrap" and any(RULES[rule].requires.in_blocks for rule in rules):
        height, width = 2 * height, 2 * width
    materials = _materials(random) if random.random() < 0.7 else MaterialTable()
    laws: dict[str, Any] = {"edges": edges, "gravity": gravity, "materials": materials}
    laws["seed"] = random.choice((0, 1, random.getrandbits(32), 2**32 - 1))
    laws["tick"] = random.choice((0, 0, 1, 2**31 - 3, 2**32 - 3, 2**40 + 1))
    laws["parameters"] = {rule: _parameters(random, rule) for rule in rules}
    if "mixture" in rules and random.random() < 0.7:
        laws["mixture"] = _mixture(random, [each.name for each in materials if each.state is not State.EMPTY])
    if "reactions" in rules and random.random() < 0.8:
        laws["reactions"] = _reactions(random, materials)
    try:
        world = World(height, width, rules, **laws)
    except UsageError:
        return None
    fill(world, np.random.default_rng(random.getrandbits(32)))
    world.emitters, world.drains = random_ports(random, world)
    return world


def _parameters(random: Random, rule: str) -> dict[str, Any]:
    """Any value for some parameters of a rule, often an end of its range."""
    return {each.name: _value(random, each) for each in RULES[rule].parameters if random.random() < 0.4}


REPEATS_MOST = 8
"""The largest whole number that is drawn, such as the number of substeps: the oracle should not run for minutes."""


def _value(random: Random, parameter: Parameter) -> float | str:
    if parameter.choices:
        return random.choice(parameter.choices)
    if parameter.switch:
        return random.random() < 0.5
    if parameter.whole:
        low, high = int(parameter.low), int(parameter.high)
        return random.randint(low, max(low, min(high, REPEATS_MOST))) if random.random() < 0.9 else min(high, 64)
    return random.choice((parameter.low, parameter.high, random.uniform(parameter.low, parameter.high)))


def _materials(random: Random) -> MaterialTable:
    """The shipped materials, and up to six of its own with any properties."""
    count = random.randint(1, 6)
    names = [f"own {number}" for number in range(count)]
    others = [each.name for each in MATERIALS][1:] + names
    own: list[Material] = []
    for name in names:
        state = random.choice((State.SOLID, State.POWDER, State.LIQUID, State.GAS))
        density = random.choice((0, 1, 2, 1000, 65535, random.randint(0, 65535)))
        values = {
            each.name: random.choice(
                (each.low, each.high, each.high if each.whole else random.uniform(each.low, each.high))
            )
            for each in PROPERTIES
            if random.random() < 0.5
        }
        if random.random() < 0.5:
            values["temperature"] = random.choice((-273.0, 0.0, 100.0, 4000.0, random.uniform(-273, 4000)))
        changes: dict[str, Any] = {}
        for side in ("above", "below"):
            if random.random() < 0.3:
                threshold = random.choice((0.0, 20.0, 100.0, random.uniform(-273, 4000)))
                latent = random.choice((0.0, 8.0, 80.0, 1000.0))
                changes[side] = Transition(threshold, random.choice(others), latent)
        tags = tuple(random.sample(("flammable", "inert", "kind a", "kind b"), random.randint(0, 2)))
        own.append(Material(name, state, density, (0, 0, 0), **values, **changes, tags=tags))
    while True:
        try:
            return MaterialTable((*MATERIALS, *own))
        except UsageError:  # transitions that contradict each other, such as above below below
            own = [replace(each, above=None, below=None, tags=()) for each in own]


def _mixture(random: Random, materials: list[str]) -> MixtureTable:
    """Up to five constituents with any flows, and up to four conversions."""
    names = random.sample(materials, random.randint(1, 5))
    constituents = []
    for name in names:
        flows: dict[str, Any] = {}
        for key, kind in (("vertical", VerticalFlow), ("horizontal", HorizontalFlow), ("pressure", PressureFlow)):
            if random.random() < 0.7:
                flows[key] = kind(**{each.name: _flow_value(random, each.name) for each in fields(kind)})
        constituents.append(Constituent(name, **flows))
    conversions: list[Conversion] = []
    for number in range(random.randint(0, 4)):
        between = tuple(random.sample(names, min(len(names), random.randint(1, 2))))
        become = tuple(random.choice(names) for _ in between)
        beside = random.choice(names) if len(between) == 1 and random.random() < 0.5 else None
        one = Conversion(f"conversion {number}", between, become, beside, random.choice((0.0, 1.0, random.random())))
        with suppress(UsageError):  # it changes nothing
            MixtureTable(constituents, [*conversions, one])
            conversions.append(one)
    return MixtureTable(constituents, conversions)


def _flow_value(random: Random, key: str) -> Any:
    if key == "direction":
        return random.choice(("down", "up"))
    if key == "fluidity":
        return random.choice((1, 2, 5, 1000))
    if key == "slides":
        return random.choice((True, False))
    return random.choice((0.0, 1.0, random.random()))


def _reactions(random: Random, materials: MaterialTable) -> ReactionTable:
    """Some of the shipped reactions, and up to six of its own, each of which gpufluid accepts beside the others."""
    found = [each for each in reacting.SHIPPED if random.random() < 0.5]
    words = [*(each.name for each in materials), "any", "liquid", "powder", "gas", "solid", "flammable", "kind a"]
    for number in range(random.randint(0, 6)):
        alone = random.random() < 0.3
        between = tuple(random.choice(words) for _ in range(1 if alone else 2))
        names = [each.name for each in materials]
        become = tuple(
            random.choice((*reacting.WORDS[:2], random.choice(names), random.choice(names))) for _ in between
        )
        more: dict[str, Any] = {"chance": random.choice((1.0, 1.0, random.random()))}
        for key, value in (
            ("above", random.uniform(-273, 4000)),
            ("below", random.uniform(-273, 4000)),
            ("heat", random.choice((-4000.0, 4000.0, random.uniform(-500, 500)))),
            ("after", random.choice((1, 255, 256, random.randint(0, 65280)))),
            ("wear", tuple(random.randint(0, 255) for _ in between)),
            ("strength", random.randint(0, 255)),
            ("push", random.choice((7.9, random.uniform(0, 7.9)))),
        ):
            if random.random() < 0.25:
                more[key] = value
        one = Reaction(f"own {number}", between, become, **more)
        with suppress(UsageError):  # it changes nothing, or contradicts another
            World(2, 2, ("atoms", "heat", "reactions"), materials=materials, reactions=ReactionTable((*found, one)))
            found.append(one)
    return ReactionTable(tuple(found))


def random_ports(random: Random, world: World) -> tuple[tuple[Emitter, ...], tuple[Drain, ...]]:
    """Up to three emitters and drains, without those that gpufluid refuses in this world."""
    emitters: list[Emitter] = []
    drains: list[Drain] = []
    names = [*(each.name for each in world.materials if can_hold(world.rules, each)), *world.mixture.names, "water"]
    for _ in range(random.randint(0, 3)):
        one = Emitter(
            **_place(random, world),
            material=random.choice(names),
            rate=random.choice((0.0, 0.3, 1.0, 1000.0, random.random())),
            chance=random.choice((0.0, 1.0, random.random())),
            level=random.choice((0.0, 0.5, 1.0, 1000.0)),
            velocity=random.choice((None, (7.9, -7.9), (random.uniform(-7.9, 7.9), 0.0))),
            scatter=random.choice((0.0, 7.9, random.uniform(0, 7.9))),
            temperature=random.choice((None, -273.0, 4000.0, random.uniform(-273, 4000))),
        )
        with suppress(UsageError):
            world.replace_ports([*emitters, one], drains)
            emitters.append(one)
    for _ in range(random.randint(0, 3)):
        one = Drain(**_place(random, world), rate=random.choice((None, 0.0, 1.0, 1000.0, random.random())))
        with suppress(UsageError):
            world.replace_ports(emitters, [*drains, one])
            drains.append(one)
    world.replace_ports((), ())
    return tuple(emitters), tuple(drains)


def _place(random: Random, world: World) -> dict[str, Any]:
    at, size = random_rectangle(random, world)
    start = world.tick + random.randint(0, TICKS_MOST)
    return {"at": at, "size": size, "start": start, "until": random.choice((None, start + random.randint(1, 5)))}


def random_rectangle(random: Random, world: World) -> tuple[tuple[int, int], tuple[int, int]]:
    x, y = random.randrange(world.width), random.randrange(world.height)
    return (x, y), (random.randint(1, world.width - x), random.randint(1, world.height - y))


def fill(world: World, rng: np.random.Generator) -> None:
    """Fill a world with any cells that its laws allow: many kinds of matter or few, sparse or dense, fast or slow."""
    shape = world.height, world.width
    held = [number for number, each in enumerate(world.materials) if number and can_hold(world.rules, each)]
    kinds = rng.choice(held, rng.integers(1, 5)) if rng.random() < 0.6 else held
    world["material"] = np.where(rng.random(shape) < rng.choice([0.05, 0.5, 0.9, 1.0]), rng.choice(kinds, shape), 0)
    draw = _DRAWN | {name: _any_value for name in world.fields if name not in _DRAWN}
    for name in (name for name in world.fields if name != "material"):
        values = draw[name](world, name, rng)
        field = FIELDS[name]
        if field.without_atom:
            values[(world["material"] != 0) | (amount_in(world.complete_arrays()) == 0)] = 0
        filled = world.obstacles if field.enclosed else world.solid
        for cells, value in ((world["material"] == 0, field.empty), (filled, field.solid)):
            if value is not None:
                values[(..., cells) if field.layered else cells] = value
        world[name] = values


def _any_value(world: World, name: str, rng: np.random.Generator) -> np.ndarray:
    low, high = FIELDS[name].range
    return rng.integers(low, high, world[name].shape, endpoint=True)


def _mass(world: World, name: str, rng: np.random.Generator) -> np.ndarray:
    """Less than a cell, some cells, or as much as can be; a few cells have none."""
    most = int(rng.choice([3, gpufluid.FULL, 4 * gpufluid.FULL, FIELDS[name].range[1]]))
    values = rng.integers(0, most, world[name].shape, endpoint=True)
    return np.where(rng.random(values.shape) < 0.2, 0, values)


def _shares(world: World, name: str, rng: np.random.Generator) -> np.ndarray:
    """Amounts of a mixture; where they share the room of a cell, their sum is at most a cell."""
    values = rng.integers(0, gpufluid.FULL, world[name].shape, endpoint=True)
    values = np.where(rng.random(values.shape) < 0.5, 0, values)
    total = values.sum(axis=0)
    over = np.maximum(total, gpufluid.FULL)
    return values * gpufluid.FULL // over if world.laws.exclusive else values


def _ages(world: World, _: str, rng: np.random.Generator) -> np.ndarray:
    """Any age; of a material that keeps latent heat, a heat between the ends of its transitions."""
    material = world["material"]
    ends = np.array([(-each.latent_units("below"), each.latent_units("above")) for each in world.materials])
    latent = rng.integers(ends[material, 0], ends[material, 1] + 1) & 0xFF
    return np.where(world.materials.keeps_latent[material], latent, rng.integers(0, 256, material.shape))


_DRAWN: dict[str, Callable[[World, str, np.random.Generator], np.ndarray]] = {
    "mass": _mass,
    "mixture": _shares,
    "age": _ages,
}
