"""Random worlds of rule mixture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from support.atoms import TURNED_GRAVITY
from support.worlds import SIDES, moved_port, sizes

from gpufluid import FULL, Drain, Emitter, World, oracle
from gpufluid.matter.mixtures import SHIPPED, Constituent, Conversion, HorizontalFlow, MixtureTable, VerticalFlow
from gpufluid.oracle import emitting, mixture, pressure
from gpufluid.world.laws import EDGES

ODD = MixtureTable(
    (
        Constituent("oil", VerticalFlow("up", 0.3, 1.0, 0.5, 1.0), HorizontalFlow("up", 0.0, 0.5, 7, 0.5)),
        Constituent(
            "acid", VerticalFlow("down", 1.0, 0.9, 1.0, 0.01), HorizontalFlow("down", 0.5, 0.0, 2, 1.0, slides=True)
        ),
        Constituent("smoke", VerticalFlow("up", 0.5, 0.0), HorizontalFlow("down", 0.0, 0.0, 1, 0.0)),
        Constituent("mud", None, HorizontalFlow("down", 1.0, 0.1, 1000)),
        Constituent("fire", VerticalFlow("up")),
        Constituent("ash", VerticalFlow("down", 0.0001)),
        Constituent("plant"),
        Constituent("water", VerticalFlow("down", 1.0, 0.5), HorizontalFlow("up", 0.2)),
    ),
    (
        Conversion("both to one", ("oil", "fire"), ("smoke", "smoke")),
        Conversion("into the other", ("acid", "mud"), ("mud", "mud"), most=0.01),
        Conversion("around", ("water", "plant"), ("plant", "fire"), most=0.3),
        Conversion("by itself", ("ash",), ("mud",), most=0.000001),
        Conversion("beside its like", ("smoke",), ("ash",), beside="smoke", most=0.2),
        Conversion("beside what changes", ("mud",), ("water",), beside="fire"),
    ),
)
"""An extreme table: odd flows up and down, all kinds of conversion, eight layers."""

ONE = MixtureTable((Constituent("sand", VerticalFlow("down")),))

LAWS = (
    {"mixture": SHIPPED},
    {"mixture": ODD},
    {"mixture": ODD, "parameters": {"mixture": {"exclusive": True}}},
    {"mixture": ONE, "parameters": {"mixture": {"exclusive": True}}},
)
"""Only a few, because each needs its own programs, for each kind of edges."""


def random_mixture(height: int, width: int, *, walls: float = 0.2, luck: int = 0, **laws) -> World:
    """A random world with walls and amounts of all materials; many amounts are 0 or a full cell.

    Args:
        walls: the share of solid cells.
        luck: seed of the random numbers.
        laws: further arguments of `World`.
    """
    world = World(height, width, **{"rules": ("mixture",), **laws})
    rng, shape = np.random.default_rng(luck), world["mixture"].shape
    amounts = rng.integers(0, FULL, shape, endpoint=True)
    kind = rng.random(shape)
    amounts = np.where(kind < 0.5, 0, np.where(kind < 0.7, FULL, np.where(kind < 0.8, amounts >> 18, amounts)))
    if world.exclusive:
        together = amounts.sum(axis=0)
        amounts = np.where(together > FULL, amounts // len(amounts), amounts)
    world["material"] = np.where(rng.random(shape[1:]) < walls, world.materials["wall"], 0)
    world["mixture"] = np.where(world.solid, 0, amounts)
    return world


def ponds(height: int, width: int, luck: int, rounds: int = 8, exclusive: bool = False, **laws) -> World:
    """A random world with walls and amounts in lumps, so that there are bodies of many cells."""
    parameters = {"pressure": {"rounds": rounds}, "mixture": {"exclusive": exclusive}}
    world = random_mixture(
        height, width, walls=0.1, luck=luck, rules=("mixture", "pressure"), parameters=parameters, **laws
    )
    return with_ponds(world, luck)


def with_ponds(world: World, luck: int, ponds: int = 8) -> World:
    """The world, with so many rectangles that are full of one material each."""
    height, width = world.height, world.width
    rng, mixture = np.random.default_rng(luck), world["mixture"].copy()
    for _ in range(ponds):
        columns, rows = int(rng.integers(1, width + 1)), int(rng.integers(1, max(height // 3, 1) + 1))
        x, y = int(rng.integers(0, width - columns + 1)), int(rng.integers(0, height - rows + 1))
        mixture[:, y : y + rows, x : x + columns] = 0
        mixture[rng.integers(0, len(mixture)), y : y + rows, x : x + columns] = FULL
    world["mixture"] = np.where(world.solid, 0, mixture)
    return world


@st.composite
def mixture_worlds(draw: st.DrawFn, *, edges=EDGES, sides=SIDES, laws=LAWS, most_ports: int = 2) -> World:
    """Worlds of rule mixture: every size and edge, few or many walls, odd materials, emitters and drains."""
    height, width = draw(sizes(sides))
    chosen = draw(st.sampled_from(laws))
    x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    place = {"at": (x, y), "size": (draw(st.integers(1, width - x)), draw(st.integers(1, height - y)))}
    emitters = st.builds(
        lambda **how: Emitter(**place, **how),
        material=st.sampled_from(chosen["mixture"].names),
        rate=st.sampled_from((0.0, 0.3, 1.0)),
        level=st.sampled_from((0.5, 1.0, 7.0)),
        chance=st.sampled_from((0.3, 1.0)),
    )
    drains = st.builds(lambda rate: Drain(**place, rate=rate), st.sampled_from((None, 0.01, 0.6)))
    return random_mixture(
        height,
        width,
        walls=draw(st.sampled_from((0.0, 0.2, 0.6, 1.0))),
        luck=draw(st.integers(0, 2**32 - 1)),
        edges=draw(st.sampled_from(edges)),
        seed=draw(st.sampled_from((0, 1, 2**32 - 1))),
        tick=draw(st.sampled_from((0, 1, 2**32 - 1, 2**40 + 1))),
        emitters=draw(st.lists(emitters, max_size=most_ports)),
        drains=draw(st.lists(drains, max_size=most_ports)),
        **chosen,
    )


def account(first: World, now: World) -> dict[str, int]:
    """The units that each material must have by the ledger: first units, plus entries in, less entries out."""
    ledgers = {name: now.amounts[name] for name in now.mixture.names}
    return {
        name: units
        + (ledgers[name].emitted + ledgers[name].made + ledgers[name].painted)
        - (ledgers[name].drained + ledgers[name].left + ledgers[name].used + ledgers[name].erased)
        for name, units in first.contents().items()
    }


def mirrored(world: World) -> World:
    """The world with left and right exchanged."""
    other = world.copy()
    for name in world.fields:
        other[name] = np.flip(world[name], axis=-1)
    emitters = [moved_port(port, world.width - port.at[0] - port.size[0], port.at[1]) for port in world.emitters]
    other.emitters = tuple(port for port in emitters if isinstance(port, Emitter))
    return other


def turned(world: World, quarters: int) -> World:
    """The world with its gravity, emitters and drains, turned counterclockwise by a number of quarter turns."""
    for _ in range(quarters % 4):
        gravity = "off" if world.gravity == "off" else TURNED_GRAVITY[(TURNED_GRAVITY.index(world.gravity) + 1) % 4]
        laws: dict[str, Any] = {
            name: getattr(world, name) for name in ("edges", "seed", "tick", "parameters", "materials", "mixture")
        }
        ports: dict[str, Any] = {
            kind: [
                replace(port, at=(port.at[1], world.width - port.at[0] - port.size[0]), size=port.size[::-1])
                for port in getattr(world, kind)
            ]
            for kind in ("emitters", "drains")
        }
        other = World(world.width, world.height, world.rules, gravity=gravity, **laws, **ports)
        for name in world.fields:
            other[name] = np.rot90(world[name], axes=(-2, -1))
        other.amounts = world.amounts
        world = other
    return world


def mirror_chance(patch: pytest.MonkeyPatch, width: int) -> None:
    """Mirror the random numbers of the oracle, and count columns from the other side."""
    drawn, turn, lots = mixture.noise, mixture.turn, pressure.lots_of
    for module in (mixture, emitting):
        patch.setattr(module, "noise", lambda world, x, *rest: drawn(world, width - 1 - x, *rest))
    patch.setattr(mixture, "turn", lambda world, tick: (1 - turn(world, tick)[0], turn(world, tick)[1]))
    patch.setattr(pressure, "lots_of", lambda columns, *rest: lots(width - 1 - columns, *rest))


def assert_mirrored(world: World, ticks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mirrored world with mirrored random numbers is the mirror image of the world after every tick."""
    mirror = mirrored(world)
    for _ in range(ticks):
        world = oracle.step(world)
        with monkeypatch.context() as patch:
            mirror_chance(patch, world.width)
            mirror = oracle.step(mirror)
        np.testing.assert_array_equal(mirror["mixture"], mirrored(world)["mixture"])
        assert mirror.amounts == world.amounts
