"""The ledgers of mass and of atoms, on the host and as 64-bit counters on the device."""

from __future__ import annotations

import pytest
from support.probes import probe
from support.worlds import random_atoms

from gpufluid import AtomLedger, Ledger, Simulation, World, oracle
from gpufluid.core.errors import UsageError, WorldError
from gpufluid.gpu.device import Device
from gpufluid.gpu.ledger import LedgerBuffer, ledger_glsl

COUNTED = AtomLedger({"water": Ledger(2**40, 3, 0), "smoke": Ledger(0, 0, 2**63 - 1)})


def test_ledgers_add_up_entry_by_entry() -> None:
    assert Ledger(1, 2, 3) + Ledger(10, 20, 2**40) == Ledger(11, 22, 2**40 + 3)


def test_an_absent_material_has_a_ledger_of_zeros() -> None:
    atoms = AtomLedger({"sand": Ledger(emitted=3), "oil": Ledger()})
    assert atoms == {"sand": Ledger(emitted=3)}
    assert (atoms["oil"], atoms["anything"], len(atoms)) == (Ledger(), Ledger(), 1)
    assert "oil" not in atoms
    assert (
        repr(atoms) == "AtomLedger({'sand': Ledger(emitted=3, drained=0, left=0, made=0, used=0, painted=0, erased=0)})"
    )


def test_ledgers_of_atoms_add_up_material_by_material() -> None:
    one, two = AtomLedger({"a": Ledger(1, 2, 3), "b": Ledger(1)}), AtomLedger({"a": Ledger(10), "c": Ledger(left=1)})
    assert one + two == {"a": Ledger(11, 2, 3), "b": Ledger(1), "c": Ledger(left=1)}
    assert one == {"a": Ledger(1, 2, 3), "b": Ledger(1)}
    assert one + AtomLedger() == AtomLedger() + one == one


def test_a_tally_is_added_to_the_ledgers_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = oracle.Tally(mass=Ledger(emitted=5), atoms=AtomLedger({"water": Ledger(drained=2)}))
    monkeypatch.setattr("gpufluid.oracle.flow.flow", lambda world, call: tally)  # noqa: ARG005
    world = World(2, 2, rules=("flow",))
    assert oracle.tick(world) + oracle.Tally() == tally
    oracle.tick(world)
    assert (world.ledger, world.atoms) == (Ledger(emitted=10), {"water": Ledger(drained=4)})


def test_a_copy_of_a_world_has_its_own_ledger_of_atoms() -> None:
    world = World(2, 2, ("atoms",))
    twin = world.copy()
    twin.atoms += COUNTED
    assert (world.atoms, twin.blank().atoms) == ({}, COUNTED)


@pytest.mark.parametrize(
    ("atoms", "words"),
    [
        (AtomLedger({"watr": Ledger(1)}), r"^atoms: counts 'watr', which is not in the material table"),
        (AtomLedger({"water": Ledger(left=-1)}), r"^atoms\['water'\]\.left: -1; expected a whole number from 0"),
        (AtomLedger({"water": Ledger(emitted=2**63)}), r"^atoms\['water'\]\.emitted: "),
    ],
    ids=str,
)
def test_an_invalid_ledger_is_an_error_that_names_the_entry(atoms: AtomLedger, words: str) -> None:
    world = World(2, 2, ("atoms",))
    world.atoms = atoms
    with pytest.raises(WorldError, match=words):
        world.validate()


def test_a_dict_is_refused_as_a_ledger_of_atoms() -> None:
    with pytest.raises(WorldError, match=r"^atoms: .*; expected gpufluid\.AtomLedger"):
        World(2, 2, ("atoms",)).atoms = {"water": Ledger(1)}


@pytest.mark.usefixtures("device")
def test_an_unknown_material_of_a_ledger_is_an_error() -> None:
    world = World(2, 2, ("atoms",))
    with Simulation(world) as sim:
        for materials in (world.materials, world.atoms, world.copy().atoms, sim.atoms, sim.read().atoms):
            with pytest.raises(UsageError, match=r"^unknown material 'sannd'; did you mean 'sand' or 'wet sand'\?$"):
                materials["sannd"]
    assert world.atoms["sand"] == Ledger()
    assert (world.atoms + COUNTED)["sand"] == Ledger()
    with pytest.raises(UsageError, match="unknown material 'sannd'"):
        (AtomLedger() + world.atoms)["sannd"]


@pytest.mark.usefixtures("device")
def test_a_simulation_starts_with_the_ledgers_of_its_world() -> None:
    world = random_atoms(3, 4)
    world.ledger, world.atoms = Ledger(2**35, 0, 7), COUNTED
    with Simulation(world) as sim:
        sim.step(2)
        after = sim.read()
        assert sim.ledger == after.ledger == world.ledger
        assert sim.atoms == after.atoms == COUNTED


COUNT = """
uniform uint tick;
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= 300u)
        return;
    count_emitted_atom(3u, tick);
    if (i % 3u == 0u)
        count_left_atom(7u, tick);
    count_left(uvec2(2, 0), tick);
}
"""


def test_the_device_counts_atoms_past_32_bits(device: Device) -> None:
    world = random_atoms(1, 1, tick=8)
    names = [record.name for record in world.materials]
    world.atoms = AtomLedger({names[3]: Ledger(2**32 - 100, 1, 1), names[7]: Ledger(1, 1, 2**48)})
    with device:
        ledger = LedgerBuffer(device, world)
        assert not ledger.changed_in(8)
        counting = probe(device, ledger_glsl(("emitted", "left")) + COUNT, group_size=(64, 1))
        counting.dispatch((300, 1), [], {"tick": 8}, [ledger.buffer])
        assert ledger.read("mass", world) == Ledger(left=600)
        assert ledger.read("atoms", world) == {
            names[3]: Ledger(2**32 + 200, 1, 1),
            names[7]: Ledger(1, 1, 2**48 + 100),
        }
        assert ledger.changed_in(8)
        assert not ledger.changed_in(7)
        ledger.release()
