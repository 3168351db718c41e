"""Worlds that ranks share, with connected sets of cells across the borders: pieces of solid and bodies of liquid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle

import numpy as np
from support.shared_matter import THIN, Case, atoms, cooled

import gpufluid
from gpufluid import Drain, World
from gpufluid.core.frame import in_frame, layers_in_frame
from gpufluid.world.laws import EDGES, GRAVITIES

LOOSE = ("stone", "wood", "ice", "glass", "metal", "charcoal")
"""Solids that fall if nothing holds them."""


def rubble(
    luck: int,
    rules: tuple[str, ...] = ("atoms", "collapse"),
    strips: int = 7,
    gravity: str = "",
    edges: str = "",
    kinds: Sequence[str] = ("water", "smoke", "sand", "empty", "empty"),
    across: int = 0,
) -> Iterator[Case]:
    """A random world with blocks of solids, many of which cross borders of shares, and pillars through several."""
    edge, gravity = edges or EDGES[luck % len(EDGES)], gravity or GRAVITIES[luck % len(GRAVITIES)]
    world = atoms(luck, kinds, edge, gravity, strips, rules, across)
    rng, material = np.random.default_rng(luck), in_frame(world["material"], gravity)
    rows, columns = material.shape
    free = {name: in_frame(world[name], gravity) for name in ("mass", "velocity") if name in world.fields}
    free |= {"mixture": np.moveaxis(layers_in_frame(world["mixture"], gravity), 0, -1)} if "mixture" in rules else {}
    for _ in range(rows * columns // 60):
        tall = int(rng.integers(1, 3 * THIN)) if rng.random() < 0.3 else int(rng.integers(1, 12))
        wide = int(rng.integers(1, 3)) if tall > 12 else int(rng.integers(1, max(columns // 3, 2)))
        y, x = int(rng.integers(-tall + 1, rows)), int(rng.integers(0, columns))
        cells = slice(max(y, 0), y + tall), slice(x, x + wide)
        material[cells] = world.materials[rng.choice([*LOOSE, "wall", "empty", "empty", "sand"])]
        for values in free.values():
            values[cells] = 0
    yield cooled(world), (1, 2, 7, 24)


def slabs() -> Iterator[Case]:
    """Solids through the shares of all ranks: a slab that falls on a floor, one that a wall holds, and a comb.

    On a torus a column closes around the world. No fluid is there, so halos are thin, and runs go on far beyond them.
    """
    for edges, gravity in (("closed", "down"), ("open", "up"), ("wrap", "left"), ("wrap", "right")):
        rows, columns = THIN * 7, 24
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("atoms", "collapse"), edges=edges, gravity=gravity, seed=3)
        material, number = in_frame(world["material"], gravity), world.materials
        material[10:-25, 2:4] = number["stone"]
        material[12:-20, 6] = number["wood"]
        material[100, 7] = number["wall"]
        material[20:-30, 9:16:2] = number["metal"]  # a comb, whose teeth end in different rows
        material[60, 9:16] = number["metal"]
        material[30:-60, 11] = number["stone"]
        material[170:, 13] = number["empty"]
        material[40:-40, 18] = number["ice"]
        if edges == "wrap":
            material[:, 22] = number["stone"]
        else:
            material[-3:-1, :] = number["sand"]
        world["grain"] = np.random.default_rng(3).integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 5, 12, 30)


def wide_slabs(worlds: Sequence[tuple[str, str]]) -> Iterator[Case]:
    """Solids over the columns and corners of a grid of ranks. No fluid is there, so halos are thin.

    Args:
        worlds: of each the edges and gravity.
    """
    for edges, gravity in worlds:
        side = THIN * 3
        world = World(side, side, rules=("atoms", "collapse"), edges=edges, gravity=gravity, seed=3)
        material, number = in_frame(world["material"], gravity), world.materials
        material[26:38, 26:38] = number["stone"]  # over a corner
        material[5, 3:93] = number["metal"]
        material[14:16, 40:90], material[15, 90] = number["wood"], number["wall"]  # hangs on a wall far away
        material[50:62, [14, 78]] = material[61, 14:79] = number["ice"]  # of two arms one lies on sand
        material[62:70, 14] = number["sand"]
        for column in (30, 33, 62, 65):  # pillars through rows of ranks, of which two are joined
            material[12 + column // 4 : 92, column] = number["glass"]
        material[56, 62:66] = number["glass"]
        # Both of these meet an edge of a part of a torus, where they are not neighbours; one is held.
        material[11, :3] = material[12, 2] = material[13, 2:32] = number["stone"]
        material[9, 1:32], material[9:12, 31], material[14, 20] = number["stone"], number["stone"], number["wall"]
        if edges == "wrap":
            material[74, :] = material[:, 94] = number["metal"]
        else:
            material[-3:] = number["sand"]
        world["grain"] = np.random.default_rng(3).integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 5, 12, 30)


def rafts() -> Iterator[Case]:
    """Pillars on water, of which some float, some sink; each crosses a border of shares, as a whole or in two parts."""
    for edges, gravity in (("closed", "down"), ("open", "right")):
        rows, columns = THIN * 8, 24
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("atoms", "collapse"), edges=edges, gravity=gravity, seed=3)
        material, number = in_frame(world["material"], gravity), world.materials
        material[-THIN - 5 :] = number["water"]
        material[-3:], material[:, [0, -1]] = number["wall"], number["wall"]
        for column, kind in ((3, "wood"), (6, "metal"), (9, "ice"), (12, "stone"), (18, "wood")):
            material[20 + column : -THIN - 5 - column % 2, column : column + 2] = number[kind]
        material[60:, 15:17] = number["metal"]
        material[-9:, 15:17] = number["oil"]
        yield world, (1, 2, 5, 40)


def wide_rafts(worlds: Sequence[tuple[tuple[str, ...], str, str]]) -> Iterator[Case]:
    """Rafts that float in water over the columns of a grid of ranks, with keels below wide decks.

    The fluid beside a keel is measured beyond the deck, or next to the keel if another one is in between.

    Args:
        worlds: of each the rules, the edges and gravity.
    """
    for rules, edges, gravity in worlds:
        side = THIN * 3
        world = World(side, side, rules=(*rules, "collapse"), edges=edges, gravity=gravity, seed=3, tick=1)
        material, number = in_frame(world["material"], gravity), world.materials
        if "flow" in rules:
            held = in_frame(world["mass"], gravity)
        elif "mixture" in rules:
            held = layers_in_frame(world["mixture"], gravity)[world.mixture["water"]]
        else:
            held = np.zeros_like(material)  # 1: an atom of water
        held[30:92] = gpufluid.FULL if {"flow", "mixture"} & set(rules) else 1
        material[92:], material[:, [0, 95]] = number["wall"], number["empty" if edges == "wrap" else "wall"]
        material[28:31, 6:91] = material[31:36, 44:47] = number["wood"]  # one keel below a deck
        material[44:46, 4:92] = material[46:50, 10:14] = material[46:50, 76:79] = number["ice"]  # two, and air between
        held[46:50, 14:76] = 0
        material[58:60, 20:70] = material[56:58, 40:66] = material[60:63, 66:70] = number["wood"]
        material[59, 70:78] = material[60:68, 77] = number["stone"]
        for deck in (70, 80):  # keels in several columns of ranks; beside them is air, on the right
            material[deck : deck + 2, 3:92] = material[deck + 2 : deck + 5, 9:50] = number["wood"]
            held[deck + 2 : deck + 5, 50:92] = 0
        material[70, 20:26], material[82:85, 78:82] = number["metal"], number["wood"]  # one nearly sinks, one has a leg
        if edges == "wrap":
            material[56], material[80, 20:24] = number["wood"], number["metal"]  # one goes all around, one is heavier
            for values in (material, held):  # rafts over the seam
                values[...] = np.roll(values, 48, axis=1)
        held[material != 0] = 0
        if held.dtype == material.dtype:
            material[held != 0] = number["water"]
            material[27, 6:91:2] = number["oil"]  # it runs off the uppermost deck
            world.draw_grain()
        yield world, (1, 2, 3, 6, 12, 30)


def piles(columns: int = 36, rows: int = THIN * 28) -> Iterator[Case]:
    """Pillars far taller than a halo, in water with momentum that gives way to them: they sink, float and rise.

    They end at and above borders of shares, and some have other pieces in the water below or in the air above.
    """
    rules = ("flow", "inertia", "atoms", "heat", "collapse")
    for edges, gravity, water in (("closed", "down", 700), ("open", "left", 500), ("wrap", "up", 620)):
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=rules, edges=edges, gravity=gravity, seed=3, tick=1)
        frame = {name: in_frame(world[name], gravity) for name in ("material", "mass", "temperature", "water_heat")}
        material, number, rng = frame["material"], world.materials, np.random.default_rng(3)
        frame["mass"][water:], frame["water_heat"][water:] = gpufluid.FULL, rng.integers(-(1 << 20), 1 << 20)
        kinds = ("metal", "wood", "ice", "stone", "wood", "metal", "wood", "glass")
        for column, kind in zip(range(2, columns - 2, 4), cycle(kinds), strict=False):
            bottom = water + int(rng.choice([0, 1, 7, 20, 60]))  # in air, at the surface, and under it
            top = bottom - int(rng.integers(330, 420))
            material[max(top, 2) : bottom, column : column + 2] = number[kind]
            if column % 8 == 2:
                material[bottom + 5, column], material[max(top, 2) - 2, column + 1] = number["wood"], number[kind]
        material[-1], material[:, [0, -1]] = number["wall"], number["wall"]
        frame["mass"][material != 0] = 0
        frame["water_heat"][frame["mass"] == 0] = 0
        frame["temperature"][material != 0] = 20 * 8
        world["grain"] = rng.integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 7, 24)


def vessels(rules: tuple[str, ...] = ("mixture", "pressure")) -> Iterator[Case]:
    """Communicating vessels through the shares of all ranks: a bent tube, and a pipe that winds to and fro."""
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up")):
        rows, columns = THIN * 6, 30
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=rules, edges=edges, gravity=gravity, seed=4)
        amounts, material = layers_in_frame(world["mixture"], gravity), in_frame(world["material"], gravity)
        water, wall = world.mixture["water"], world.materials["wall"]
        material[-1], material[:, [0, 9, 20, 29]] = wall, wall
        material[4:-5, 4:6] = wall  # the bent tube
        amounts[water, 10:-1, 1:4] = gpufluid.FULL
        for turn, column in enumerate((12, 14, 16, 18)):  # the winding pipe, open at the top on the left
            material[(2 if turn % 2 else 0) : (-3 if turn % 2 == 0 else rows), column] = wall
        amounts[water, 6:-1, 10:12] = gpufluid.FULL
        material[40:-40, 21:29:3] = wall
        amounts[water, 60:-1, 21:29] = gpufluid.FULL // 3
        amounts[:, material != 0] = 0
        if "heat" in rules:
            rng = np.random.default_rng(4)
            held = world["mixture"].sum(axis=0) > 0
            world["water_heat"] = np.where(held, rng.integers(-(1 << 20), 1 << 20, held.shape), 0)
        yield world, (1, 2, 9, 40)
    if "heat" in rules:
        return
    level = World(THIN * 6, 9, rules=("mixture", "pressure"))
    level["mixture"][level.mixture["water"], 40:-1, 1:-1] = gpufluid.FULL
    level["material"][:, [0, -1]] = level["material"][-1] = level["material"][:-5, 4] = level.materials["wall"]
    level["mixture"][:, level["material"] != 0] = 0
    level.drains = (Drain(at=(1, 40), size=(3, 3), start=30, until=33),)  # all is at rest until then
    yield level, (1, 20, 31, 32, 34, 60)


def tubes() -> Iterator[Case]:
    """Communicating vessels of atoms of one liquid through the shares of all ranks, and a pipe that winds."""
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up"), ("closed", "right")):
        rows, columns = THIN * 6, 30
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        laws = {"edges": edges, "gravity": gravity, "seed": 4}
        laws |= {"parameters": {"pressure": {"rounds": 32}}} if gravity == "right" else {}  # more rows than a share has
        world = World(*size, rules=("atoms", "pressure"), **laws)
        material, wall = in_frame(world["material"], gravity), world.materials["wall"]
        water = world.materials["water"]
        material[10:-1, 1:4] = water  # one arm of a bent tube is full, the other empty
        material[6:-1, 10:12] = water  # and the first bend of a winding pipe
        material[100:150, 21:28] = water
        material[-1], material[:, [0, 9, 20, 29]] = wall, wall
        material[4:-5, 4:6] = wall
        for turn, column in enumerate((12, 14, 16, 18)):
            material[(2 if turn % 2 else 0) : (-3 if turn % 2 == 0 else rows), column] = wall
        material[150, 21:28], material[60:148, 24] = wall, wall  # a vessel whose arms are full to different heights
        material[60:100, 22:24] = water
        world["grain"] = np.random.default_rng(4).integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 9, 40)
    level = World(THIN * 6, 9, rules=("atoms", "pressure"))
    level["material"][40:-1, 1:-1] = level.materials["water"]
    level["material"][:, [0, -1]] = level["material"][-1] = level["material"][:-5, 4] = level.materials["wall"]
    level.drains = (Drain(at=(1, 40), size=(3, 60), start=30, until=33),)  # all is at rest until then
    yield level, (1, 20, 31, 32, 34, 60)


def laden_tubes() -> Iterator[Case]:
    """Bent tubes through the shares of all ranks, with tall stacks of powder, or other liquids, on one arm of each.

    Some stacks reach from the lowest share through all others. Powder that falls makes some heavier.
    """
    for edges, gravity in (("closed", "down"), ("open", "left"), ("wrap", "up"), ("wrap", "right")):
        rows, columns = THIN * 8, 44
        size = (rows, columns) if gravity in ("down", "up") else (columns, rows)
        world = World(*size, rules=("atoms", "pressure"), edges=edges, gravity=gravity, seed=4)
        material, number, rng = in_frame(world["material"], gravity), world.materials, np.random.default_rng(4)
        for tube in range(7):
            left, level = 6 * tube, int(rng.integers(rows // 2, rows - 40))
            material[:, left], material[-1, left : left + 6] = number["wall"], number["wall"]
            material[10:-4, left + 3] = number["wall"]
            material[level:-1, left + 1 : left + 3] = material[level:-1, left + 4 : left + 6] = number["water"]
            material[-4:-1, left + 3] = number["water"]
            top = int(rng.integers(20, level - 20))
            load = ("snow", "oil", "snow", "ash", "oil", "salt water", "snow")[tube]
            material[top:level, left + 4] = number[load]
            material[(top + level) // 2 : level, left + 5] = number[load]
            if tube in (0, 3):
                material[2:12:3, left + 4 : left + 6] = number[load]
            if tube == 2:  # powder on the liquid that lies on other liquid
                material[level - 30 : level, left + 4 : left + 6] = number["oil"]
        material[:, -2:] = number["wall"]
        world["grain"] = rng.integers(0, 256, world["grain"].shape) * (world["material"] > 0)
        yield world, (1, 2, 9, 40)
    tall = World(THIN * 30, 8, rules=("atoms", "pressure"))
    material, number = tall["material"], tall.materials
    material[:, [0, 3, 6, 7]] = material[-1] = number["wall"]
    material[-150:-1, 1:3] = material[-150:-1, 4:6] = material[-5:-1, 3, None] = number["water"]
    material[40:-150, 4:6] = number["snow"]
    with gpufluid.Simulation(tall) as alone:  # all is at rest until the top of the stack is gone, far above the water
        while not alone.settled:
            alone.step(50)
        tall = alone.read()
    tall.drains = (Drain(at=(4, 0), size=(2, 200), start=tall.tick + 12, until=tall.tick + 14),)
    yield tall, (10, 13, 16, 40)


def pools(
    luck: int,
    rules: tuple[str, ...] = ("atoms", "pressure"),
    strips: int = 7,
    kinds: Sequence[str] = ("water",),
    across: int = 0,
) -> Iterator[Case]:
    """A random world with pools of liquid between solids, many of which cross borders of shares, and what lies on them.

    Args:
        luck, rules, strips, across: as for `atoms`.
        kinds: the liquids, and powders.
    """
    edge, gravity = EDGES[luck % len(EDGES)], GRAVITIES[luck % len(GRAVITIES)]
    world = atoms(luck, ("water", "smoke", "empty"), edge, gravity, strips, rules, across)
    rng, material = np.random.default_rng(luck), in_frame(world["material"], gravity)
    rows, columns = material.shape
    number = world.materials
    for _ in range(rows * columns // 50):
        tall, wide = (int(rng.integers(1, 50)), 1) if rng.random() < 0.5 else (2, int(rng.integers(1, columns)))
        y, x = int(rng.integers(-tall + 1, rows)), int(rng.integers(0, columns))
        material[max(y, 0) : y + tall, x : x + wide] = number[rng.choice(["wall", "stone", *2 * kinds, "empty"])]
    for name in ("velocity", "grain"):
        world[name][np.isin(world["material"], [number[each] for each in ("wall", "stone", "empty", *kinds)])] = 0
    if "mass" in world.fields:
        world["mass"][world["material"] != 0] = 0
    if "mixture" in rules:
        world["mixture"][:, world["material"] != 0] = 0
    yield cooled(world), (1, 2, 7, 24)


def wide_vessels(worlds: Sequence[tuple[str, str, str]]) -> Iterator[Case]:
    """Communicating vessels whose arms lie in several columns of ranks, and across the borders between these.

    They are connected in rows that are not near a border of rows, so the ranks must compare labels at their sides. The
    row on the surface of an arm is filled from one cell to the next, so the ranks must know what the others moved in
    the round before.

    Args:
        worlds: of each the rule that moves the water, the edges and gravity.
    """
    for rule, edges, gravity in worlds:
        side = THIN * 3
        world = World(side, side, rules=(rule, "pressure"), edges=edges, gravity=gravity, seed=4)
        material, number = in_frame(world["material"], gravity), world.materials
        held = material if rule == "atoms" else layers_in_frame(world["mixture"], gravity)[world.mixture["water"]]
        held[20:85, 4:12] = held[78:85, 4:92] = number["water"] if rule == "atoms" else gpufluid.FULL
        if rule == "atoms":
            material[10:20, 4:8] = number["snow"]
            material[30:78, 70:74], material[50:78, 80:84] = number["snow"], number["oil"]
        for column in (3, 12, 26, 38, 58, 69, 92):  # between them are arms
            material[: 78 if 3 < column < 92 else 86, column] = number["wall"]
        material[85, 3:93] = number["wall"]
        if rule == "mixture":
            held[material != 0] = 0
        yield world, (1, 2, 9, 24)
