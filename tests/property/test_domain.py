"""A piece of a whole world that runs alone computes the same as its cells inside the whole world, behind walls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pytest
from support.mixtures import LAWS, ponds, random_mixture
from support.reactions import random_reacting
from support.selection import mostly_long
from support.worlds import moving_water, random_atoms, random_by_declaration, random_world

from gpufluid import FULL, Domain, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import FIELDS
from gpufluid.core.small_floats import LARGEST_CODE
from gpufluid.rules import RULES, SEGMENT, emitting_rule, with_requirements
from gpufluid.world.laws import GRAVITIES

pytestmark = pytest.mark.usefixtures("device")

TICKS, FEW_TICKS = 50, 6
SIZES = ((11, 39), (35, 13), (19, 23), (16, 32), (21, 18))
"""(height, width) of pieces: several tiles, segments and blocks, odd sizes and even ones."""
EVERYTHING = ("atoms", "heat", "reactions", "pressure", "collapse")
MIXED = ("mixture", "pressure")


def cells_of(world: World, name: str, at: tuple[int, int], size: tuple[int, int]) -> np.ndarray:
    """A view of a field in a rectangle that begins at (column, row)."""
    box = slice(at[1], at[1] + size[1]), slice(at[0], at[0] + size[0])
    return world[name][:, *box] if FIELDS[name].layered else world[name][box]


def with_ports(world: World, rng: np.random.Generator, materials: tuple[str, ...]) -> World:
    """Add an emitter of each material, with a chance and a rate, and two drains, at random positions."""

    def place() -> dict[str, tuple[int, int]]:
        x, y = int(rng.integers(world.width)), int(rng.integers(world.height))
        return {"at": (x, y), "size": (min(3, world.width - x), min(2, world.height - y))}

    def motion_of(name: str) -> dict[str, Any]:
        """A velocity, for a material that the world emits as atoms."""
        emitter = emitting_rule(world.rules, world.materials.records[world.materials[name]], world.mixture.names)
        return {"velocity": (1.5, -0.5), "scatter": 2.0} if emitter == "atoms" else {}

    emitters = [Emitter(**place(), material=name, rate=0.4, chance=0.6, **motion_of(name)) for name in materials]
    world.emitters, world.drains = tuple(emitters), (Drain(**place(), rate=0.3), Drain(**place()))
    return world


def a_flow(size: tuple[int, int], luck: int, **laws: Any) -> World:
    return random_world(*size, most=FULL, luck=luck, **laws)


def a_stream(size: tuple[int, int], luck: int, **laws: Any) -> World:
    return moving_water(*size, most=FULL, luck=luck, **laws)


def some_atoms(size: tuple[int, int], luck: int, **laws: Any) -> World:
    """Mostly fluids, so sparse that they keep moving, with materials that stick and slide by random draws."""
    kinds = ("water", "oil", "smoke", "sand", "water", "steam", "stone")
    return random_atoms(*size, kinds=kinds, filled=0.5, luck=luck, **laws)


def everything(size: tuple[int, int], luck: int, **laws: Any) -> World:
    """All materials under rules pressure and collapse; most of them react or melt."""
    world = random_reacting(*size, filled=0.6, luck=luck)
    other = World(*size, EVERYTHING, **laws)
    for name in world.fields:
        other[name] = world[name]
    pool = other["material"][size[0] // 2 :]  # and a body of liquid
    pool[...] = np.where(np.random.default_rng(luck).random(pool.shape) < 0.7, other.materials["water"], pool)
    other["velocity"][other.solid | (other["material"] == 0)] = 0
    other["age"][other.materials.keeps_latent[other["material"]]] = 0
    for name in ("temperature", "integrity", "age"):
        other[name][other["material"] == 0] = 0
    return other


def a_mixture(size: tuple[int, int], luck: int, **laws: Any) -> World:
    return random_mixture(*size, luck=luck, **LAWS[luck % 3], **laws)


def some_ponds(size: tuple[int, int], luck: int, **laws: Any) -> World:
    return ponds(*size, luck, exclusive=luck % 2 == 1, **laws)


def water_and_atoms(size: tuple[int, int], luck: int, *, rules: tuple[str, ...], **laws: Any) -> World:
    """Warm water by mass among all materials, with momentum in half of its cells if a rule keeps it."""
    world = random_atoms(*size, rules=rules, filled=0.4, luck=luck, **laws)
    if "momentum" in world.fields:
        rng, shape = np.random.default_rng(luck), (*size, 2)
        momentum = rng.integers(-LARGEST_CODE // 2, LARGEST_CODE // 2, shape)
        world["momentum"] = np.where((world["mass"] == 0)[..., None] | (rng.random(shape) < 0.5), 0, momentum)
    return world


def a_mixture_and_atoms(size: tuple[int, int], luck: int, **laws: Any) -> World:
    return random_atoms(*size, rules=("mixture", "atoms", "heat"), filled=0.4, luck=luck, **LAWS[0], **laws)


def by_declaration(size: tuple[int, int], luck: int, *, rule: str, **laws: Any) -> World:
    """A world of any rule, and of the rules that it needs."""
    return random_by_declaration(*size, rules=with_requirements(rule), luck=luck, **laws)


class Case(NamedTuple):
    """Pieces of one kind.

    Args:
        name: the name of the test.
        make: makes a world of a size, with laws, by the seed of its random numbers.
        gravity: its gravity.
        emitted: the materials of its emitters.
        short: True if the short run has the case.
    """

    name: str
    make: Callable[..., World]
    gravity: str
    emitted: tuple[str, ...] = ()
    short: bool = False


CASES = [
    Case("flow", a_flow, "down", ("water",), short=True),
    Case("flow", a_flow, "left", ("water",)),
    Case("inertia", a_stream, "down", ("water",), short=True),
    Case("inertia", a_stream, "right", ("water",)),
    *(Case("atoms", some_atoms, gravity, ("water", "smoke"), short=gravity == "down") for gravity in GRAVITIES),
    *(Case("everything", everything, gravity, ("water", "fire", "acid")) for gravity in ("right", "up")),
    Case("mixture", a_mixture, "down", short=True),
    Case("mixture", a_mixture, "right"),
    Case("ponds", some_ponds, "down", ("water", "steam")),
    Case("ponds", some_ponds, "down", ("lava",)),
    Case("ponds", some_ponds, "up", ("water", "steam")),
    Case("water and atoms", partial(water_and_atoms, rules=("flow", "atoms", "heat")), "up", ("water", "sand")),
    Case(
        "stream and atoms",
        partial(water_and_atoms, rules=("flow", "inertia", "atoms", "heat", "reactions")),
        "left",
        ("water", "fire"),
    ),
    Case("mixture and atoms", a_mixture_and_atoms, "left", ("water", "sand")),
    Case("collapse", partial(by_declaration, rule="collapse"), "down", ("sand",)),
]
"""Each rule occurs under two directions of gravity at least. A rule that has no case yet is added by a line such as
``collapse``, the last one."""


def drawn(number: int) -> tuple[World, World]:
    """Draw a piece and its whole world, by the number of the case."""
    case = CASES[number]
    rng = np.random.default_rng(number)
    size = SIZES[number % len(SIZES)]
    seed, tick = int(rng.integers(2**32)), int(rng.choice([0, 7, 2**32 - 20]))
    world = with_ports(case.make(size, number, gravity=case.gravity, seed=seed, tick=tick), rng, case.emitted)
    x, y, right, below = (int(cells) for cells in rng.integers(1, 60, 4))
    world.domain = Domain((x, y), (world.width, world.height), (x + world.width + right, y + world.height + below))
    return world, whole_of(world, rng)


def whole_of(piece: World, rng: np.random.Generator) -> World:
    """Make the whole world of a piece: other matter, and a ring of wall around the cells of the piece.

    `seek` finds one run in each segment of a row, so the ring is as thick as a segment is long.
    """
    laws: dict[str, Any] = {
        name: getattr(piece, name)
        for name in ("edges", "gravity", "seed", "tick", "parameters", "materials", "reactions", "mixture")
    }
    (x, y), (width, height), (columns, rows) = piece.domain.origin, piece.domain.size, piece.domain.whole_size
    for ports in ("emitters", "drains"):
        laws[ports] = [replace(port, at=(port.at[0] + x, port.at[1] + y)) for port in getattr(piece, ports)]
    whole = World(rows, columns, piece.rules, **laws)
    if "velocity" in whole.fields:
        whole["material"] = rng.choice([0, whole.materials["water"], whole.materials["sand"]], (rows, columns))
    for name in ("mass", "mixture"):
        if name in whole.fields:
            whole[name] = np.where(whole.obstacles, 0, rng.integers(0, FULL // 8, whole[name].shape))
    near = max(x - SEGMENT, 0), max(y - SEGMENT, 0)
    ring = near, (x + width + SEGMENT - near[0], y + height + SEGMENT - near[1])
    for name in whole.fields:
        cells_of(whole, name, *ring)[...] = whole.materials["wall"] if name == "material" else 0
        cells_of(whole, name, piece.domain.origin, piece.domain.size)[...] = piece[name]
    return whole


def assert_same_cells(piece: World, whole: World, origin: tuple[int, int]) -> None:
    """Check that every field of a piece equals the whole world's field from (column, row) on."""
    for name in piece.fields:
        there = cells_of(whole, name, origin, (piece.width, piece.height))
        np.testing.assert_array_equal(piece[name], there, err_msg=name)


def variants_of(rules: Sequence[str]) -> list[dict[str, str]]:
    """A variant of each rule, by the rule's name, in as few sets as have every variant of every rule."""
    names = {rule: [variant.name for variant in RULES[rule].variants] for rule in rules}
    count = max(map(len, names.values()))
    return [{rule: own[number % len(own)] for rule, own in names.items()} for number in range(count)]


def on_device(world: World, variants: dict[str, str]) -> World:
    """Run a world on the device for all ticks, with the given variant of each rule."""
    with Simulation(world, variant=variants) as sim:
        sim.step(TICKS)
        return sim.read()


@pytest.mark.parametrize(
    "number",
    mostly_long(
        range(len(CASES)),
        *(number for number, case in enumerate(CASES) if case.short),
        why="another place and size of a piece of these rules, or more rules, which take long to compile",
    ),
    ids=lambda number: f"{CASES[number].name}-{number}",
)
def test_a_piece_equals_its_cells_in_the_whole_world(number: int) -> None:
    piece, whole = drawn(number)
    origin = piece.domain.origin
    assert_same_cells(oracle.step(piece, FEW_TICKS), oracle.step(whole, FEW_TICKS), origin)
    expected = oracle.step(piece, TICKS)
    assert any((expected[name] != piece[name]).any() for name in piece.fields)
    every = variants_of(piece.rules)
    assert_same_cells(expected, on_device(whole, every[number % len(every)]), origin)
    for variants in every:
        assert_same_cells(expected, on_device(piece, variants), (0, 0))


def test_every_rule_has_a_case_under_two_directions_of_gravity() -> None:
    """A new rule fails here until it has two. Each has a piece that begins in an odd column, and one in an odd row."""
    pieces = [drawn(number)[0] for number in range(len(CASES))]
    assert {rule for piece in pieces for rule in piece.rules} == set(RULES)
    for rule in RULES:
        own = [piece for piece in pieces if rule in piece.rules]
        assert len({piece.gravity for piece in own} - {"off"}) > 1, rule
        for axis in range(2):
            assert any(piece.domain.origin[axis] % 2 for piece in own), rule


def test_amounts_occur_alone_and_beside_atoms() -> None:
    """Beside atoms other shaders run, and water has heat."""
    found = {tuple(sorted(set(drawn(number)[0].rules))) for number in range(len(CASES))}
    for amounts in ("flow", "inertia", "mixture"):
        of_rule = [rules for rules in found if amounts in rules]
        assert {"atoms" in rules for rules in of_rule} == {True, False}
        assert any("heat" in rules for rules in of_rule)
