"""A difference between GPU and oracle names the field, the cell and both values with all components."""

from __future__ import annotations

import pytest
from support.worlds import random_atoms

from gpufluid import AtomLedger, Ledger, Simulation, World
from gpufluid.run import checking

pytestmark = pytest.mark.usefixtures("device")


def change_reads(monkeypatch: pytest.MonkeyPatch, change) -> None:
    """Change every world that is read from a simulation."""
    right = Simulation.read

    def read(sim: Simulation) -> World:
        world = right(sim)
        change(world)
        return world

    monkeypatch.setattr(Simulation, "read", read)


def test_equal_worlds_have_no_difference() -> None:
    assert checking.check(random_atoms(6, 8, rules=("atoms", "flow")), 3) is None


def test_a_difference_of_velocities_shows_both_components(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(6, 8, ("atoms",), gravity="off")
    world["velocity"][2, 5:7] = (3, -2), (7, 7)
    world["material"][2, 5:7] = world.materials["water"]

    def change(read: World) -> None:
        read["velocity"][2, 5:7, 1] = 0

    change_reads(monkeypatch, change)
    found = checking.check(world, 1)
    assert (found.field, found.cell, found.cells) == ("velocity", (2, 5), 2)
    assert str(found).endswith("velocity[2, 5] is (3, 0) on the GPU and (3, -2) in the oracle (2 cells differ)")


def test_a_difference_of_grains_shows_plain_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(4, 4, ("atoms",))
    world["material"][3, 2], world["grain"][3, 2] = world.materials["sand"], 9

    def change(read: World) -> None:
        read["grain"][3, 2] = 8

    change_reads(monkeypatch, change)
    assert "grain[3, 2] is 8 on the GPU and 9 in the oracle" in str(checking.check(world, 1))


def test_a_difference_of_ledgers_names_the_material(monkeypatch: pytest.MonkeyPatch) -> None:
    world = random_atoms(4, 4)
    world.atoms = AtomLedger({"water": Ledger(3)})

    def change(read: World) -> None:
        read.atoms += AtomLedger({"smoke": Ledger(left=1)})

    change_reads(monkeypatch, change)
    found = str(checking.check(world, 1))
    assert (
        "atoms['smoke'] is Ledger(emitted=0, drained=0, left=1, made=0, used=0, painted=0, erased=0) on the GPU"
        in found
    )
