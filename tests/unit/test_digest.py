"""Digests: every change of the state changes the digest."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import random_world, worlds

from gpufluid import World
from gpufluid.core.digest import digest_text, header_lanes, plane_lanes
from gpufluid.core.hashing import pcg4d

states = worlds(most_ports=0)


@given(world=states, row=st.integers(0), column=st.integers(0), change=st.sampled_from((-1, 1, 2**20)))
def test_one_changed_unit_changes_the_digest(world: World, row: int, column: int, change: int) -> None:
    changed, cell = world.copy(), (row % world.height, column % world.width)
    changed["mass"][cell] += change
    assert changed.digest() != world.digest()


@given(world=states, row=st.integers(0), column=st.integers(0))
def test_one_changed_material_changes_the_digest(world: World, row: int, column: int) -> None:
    changed, cell = world.copy(), (row % world.height, column % world.width)
    changed["material"][cell] ^= 1
    assert changed.digest() != world.digest()


@given(states, st.sampled_from((1, 2**31, 2**32, 2**40)))
def test_another_tick_changes_the_digest(world: World, later: int) -> None:
    other = world.copy()
    other.tick += later
    assert other.digest() != world.digest()


def test_another_seed_or_size_changes_the_digest() -> None:
    laws = [{}, {"seed": 1}, {"seed": 2**32 - 1}, {"height": 3, "width": 2}, {"height": 1, "width": 6}, {"width": 4}]
    worlds = [World(**{"height": 2, "width": 3, **law}) for law in laws]
    assert len({world.digest() for world in worlds}) == len(laws)


def test_two_exchanged_cells_change_the_digest() -> None:
    world, other = World(1, 2, rules=("flow",)), World(1, 2, rules=("flow",))
    world["mass"] = [[5, 6]]
    other["mass"] = [[6, 5]]
    assert world.digest() != other.digest()


@given(states)
def test_equal_states_have_equal_digests(world: World) -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", world.digest())
    assert world.copy().digest() == world.digest()


@pytest.mark.parametrize("size", [(1, 1), (300, 500), (1, 2**16), (2**16, 1)], ids=str)
def test_the_digest_of_a_plane_is_one_sum_at_any_size(size: tuple[int, int]) -> None:
    mass = random_world(*size)["mass"]
    rows, columns = np.indices(size)
    whole = [lane.sum(dtype=np.uint32) for lane in pcg4d(columns, rows, mass, 1)]
    assert plane_lanes(mass, 1).tolist() == whole


def test_header_lanes_and_text_of_a_digest() -> None:
    lanes = header_lanes(3, 2, tick=2**32 + 5, seed=7)
    expected = np.concatenate(pcg4d(3, 2, 0, 0xFFFFFFFF)) + np.concatenate(pcg4d(5, 1, 7, 0xFFFFFFFE))
    assert lanes.tolist() == expected.tolist()
    assert digest_text(np.array([1, 0xABCDEF, 0, 0xFFFFFFFF], np.uint32)) == "0000000100abcdef00000000ffffffff"
