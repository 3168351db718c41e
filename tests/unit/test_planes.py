"""A world with several planes on the device: upload, readback, late readback, digest and picture are exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import SIDES, assert_equal, random_atoms, random_world

from gpufluid import Simulation, World, oracle
from gpufluid.core.errors import WorldError

pytestmark = pytest.mark.usefixtures("device")

both = pytest.mark.parametrize("rules", [("atoms",), ("flow", "atoms"), ("atoms", "flow")], ids="+".join)
sides = st.sampled_from(SIDES)


@given(sides, sides, st.integers(0, 2**32 - 1), st.sampled_from((("atoms",), ("flow", "atoms"))))
def test_an_uploaded_world_reads_back_and_digests_equally(
    height: int, width: int, luck: int, rules: tuple[str, ...]
) -> None:
    world = random_atoms(height, width, rules=rules, luck=luck)
    with Simulation(world) as sim:
        assert_equal(sim, world)


@both
def test_the_order_of_rules_does_not_change_planes_or_digest(rules: tuple[str, ...]) -> None:
    world = random_atoms(9, 6, rules=rules)
    assert [plane.name for plane in world.planes] == ["cells"] + ["mass"] * ("flow" in rules)
    if "flow" in rules:
        assert world.digest() == random_atoms(9, 6, rules=rules[::-1]).digest()


def test_one_changed_component_or_grain_changes_the_digest() -> None:
    world = random_atoms(5, 5)
    row, column = (int(i) for i in np.argwhere(world["velocity"].any(axis=2))[0])
    digests = {world.digest()}
    for name, index in (("velocity", (row, column, 0)), ("velocity", (row, column, 1)), ("grain", (row, column))):
        changed = world.copy()
        changed[name][index] ^= 1
        digests.add(changed.digest())
    assert len(digests) == 4


@both
def test_late_readback_is_separate_for_each_field(rules: tuple[str, ...]) -> None:
    world = random_atoms(7, 10, rules=rules)
    with Simulation(world) as sim:
        assert sim.late("velocity") is None
        sim.step()
        first = sim.read()
        assert sim.late("material") is None  # lies in the same plane, but was never requested before
        assert sim.late("velocity") is None
        label, velocity = sim.late("velocity")
        assert (label, velocity.dtype, velocity.shape) == (0, np.int8, (7, 10, 2))
        np.testing.assert_array_equal(velocity, world["velocity"])
        sim.step()
        assert sim.late("material") is None
        label, material = sim.late("material")
        assert label == 1
        np.testing.assert_array_equal(material, first["material"])


@pytest.mark.parametrize(
    ("rule", "name", "hint"),
    [("atoms", "mass", "expected"), ("atoms", "cells", "expected"), ("flow", "mas", r"did you mean 'mass'\?$")],
)
def test_late_readback_of_an_unknown_field_is_an_error(rule: str, name: str, hint: str) -> None:
    with (
        Simulation(World(2, 2, (rule,))) as sim,
        pytest.raises(WorldError, match=rf"^{name}: no such field; {hint}"),
    ):
        sim.late(name)


def test_flow_gives_the_same_state_beside_rule_atoms() -> None:
    """In a world without atoms the second rule and its plane do not affect flow."""
    one, two = World(12, 14, rules=("flow",)), World(12, 14, ("flow", "atoms"))
    for world in (one, two):
        world["material"][9:, 3:11] = world.materials["stone"]
        world["mass"][2:6, 4:9] = 2**20
    with Simulation(one) as alone, Simulation(two) as beside:
        alone.step(20)
        beside.step(20)
        np.testing.assert_array_equal(beside.read()["mass"], alone.read()["mass"])
        assert beside.activity() == alone.activity() > 0


@pytest.mark.parametrize("size", [(33, 70), (200, 9)], ids=str)
def test_large_planes_are_transferred_in_bands(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As in all worlds with more than a gigabyte a plane."""
    monkeypatch.setattr("gpufluid.gpu.textures.BAND_BYTES", 700)
    for world in (random_atoms(*size), random_world(*size)):
        with Simulation(world) as sim:
            assert sim.digest() == world.digest()
            after = sim.read()
            assert after.digest() == world.digest()
            sim.step(3)
            assert sim.digest() == oracle.step(world, 3).digest() == sim.read().digest()
