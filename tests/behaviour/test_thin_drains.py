"""A drain takes what crosses it, however thin it is and however fast the stream."""

from __future__ import annotations

import pytest
from support.atoms import CALM, atoms, run, where

from gpufluid import Drain, Emitter, World

pytestmark = pytest.mark.usefixtures("device")

MIDDLE = 48
TICKS = 24


def jet(way: tuple[int, int], speed: float = 7.9) -> Emitter:
    """An emitter 8 x 8 cells large in the middle of a world of 96 x 96 cells, whose jet flies in a direction."""
    velocity = (way[0] * speed, way[1] * speed)
    return Emitter((MIDDLE - 4, MIDDLE - 4), (8, 8), material="water", velocity=velocity, scatter=0.4)


def world_of(*emitters: Emitter, drain: Drain) -> World:
    """An empty world of 96 x 96 cells without gravity, whose edges are open."""
    return atoms(96, 96, gravity="off", edges="open", emitters=emitters, drains=[drain], materials=CALM)


def line(way: tuple[int, int], axis: int) -> Drain:
    """A drain one cell thick across the whole world, 20 cells from its middle along an axis in a direction."""
    place = MIDDLE + 20 * way[axis]
    return Drain((place, 0), (1, 96)) if axis == 0 else Drain((0, place), (96, 1))


WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]


@pytest.mark.parametrize(("way", "axis"), [(way, axis) for way in WAYS for axis in (0, 1) if way[axis]])
def test_nothing_jumps_over_a_drain(way: tuple[int, int], axis: int) -> None:
    world = world_of(jet(way), drain=line(way, axis))
    after = run(world, TICKS)
    there, place = where(after, "water"), MIDDLE + 20 * way[axis]
    beyond = there if axis == 1 else there.T
    beyond = beyond[place:] if way[axis] > 0 else beyond[: place + 1]
    assert not beyond.any(), "cells of the drain, or behind it"
    counted = after.atoms["water"]
    assert counted.emitted == counted.drained + counted.left + there.sum()
    assert counted.drained > 200


def test_a_falling_stream_does_not_pass_a_thin_drain() -> None:
    spring = Emitter((20, 0), (9, 2), material="water", velocity=(0.0, 7.9))
    world = atoms(60, 50, edges="open", emitters=[spring], drains=[Drain((0, 40), (50, 1))])
    after = run(world, 40)
    assert after.atoms["water"].drained > 100
    assert after.atoms["water"].left == 0
    assert not where(after, "water")[40:].any()


def test_a_wall_before_a_drain_keeps_the_stream_from_it() -> None:
    world = world_of(jet((1, 0)), drain=line((1, 0), 0))
    world["material"][:, MIDDLE + 19] = world.materials["wall"]
    after = run(world, TICKS)
    assert after.atoms["water"].drained == 0
    assert not where(after, "water")[:, MIDDLE + 19 :].any()


def test_a_solid_in_a_drain_closes_it_there() -> None:
    world = world_of(jet((1, 0)), drain=line((1, 0), 0))
    world["material"][:, MIDDLE + 20] = world.materials["wall"]
    after = run(world, TICKS)
    assert after.atoms["water"].drained == 0


def test_a_drain_with_a_rate_takes_only_from_what_lies_in_it() -> None:
    sieve = Drain((MIDDLE + 20, 0), (1, 96), rate=0.5)
    world = world_of(jet((1, 0)), drain=sieve)
    after = run(world, TICKS)
    assert after.atoms["water"].drained > 0
    assert where(after, "water")[:, MIDDLE + 21 :].any()


@pytest.mark.parametrize(("rate", "taken"), [(None, 4), (1.0, 4), (0.0, 0)])
def test_a_row_of_atoms_is_taken_from_its_front(rate: float | None, taken: int) -> None:
    """Seven touching atoms move 4 cells a tick: the first four reach the drain in one tick."""
    world = world_of(drain=Drain((20, 48), rate=rate))
    world["material"][48, 13:20] = world.materials["water"]
    world["velocity"][48, 13:20, 0] = 64
    after = run(world, 1)
    assert after.atoms["water"].drained == taken
    assert where(after, "water").sum() == 7 - taken
