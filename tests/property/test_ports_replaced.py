"""Replacing the ports of a running simulation gives the same state as a new simulation with the new ports."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import moderngl
import pytest
from support.mixtures import ponds
from support.selection import mostly_long
from support.ways import quiet_world
from support.worlds import random_atoms, random_world

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES

Ports = tuple[Sequence[Emitter], Sequence[Drain]]

WORLDS: dict[str, Callable[[], World]] = {
    "flow": lambda: random_world(40, 50, edges="open", parameters={"flow": {"substeps": 3}}),
    "atoms": lambda: quiet_world(60, 70, 5, gravity="left"),
    "heat": lambda: random_atoms(40, 50, rules=("atoms", "heat")),
    "flow and atoms": lambda: random_atoms(40, 50, rules=("flow", "atoms"), edges="wrap"),
    "mixture": lambda: ponds(40, 50, 3),
}


def ports_of(material: str) -> list[Ports]:
    """Successive sets of ports: a few, then more at other positions, then fewer, then none."""
    spring = Emitter((3, 4), (5, 2), material=material, rate=0.4, chance=0.7, velocity=(1.5, -0.5), scatter=0.4)
    late = Emitter((30, 20), (3, 3), material=material, rate=0.9, start=9, until=30, level=1.5, temperature=60)
    hole, crack = Drain((10, 30), (8, 2)), Drain((0, 0), (1, 9), rate=0.3)
    many = [Emitter((4 * n, 12), (2, 1), material=material, rate=0.1 * n) for n in range(1, 10)]
    return [((spring,), (hole,)), ((late, *many, spring), (crack, hole)), ((spring, many[7]), ()), ((), ())]


@pytest.mark.parametrize(
    "case",
    mostly_long(
        [(name, *((0, True), (-1, False))[number % 2]) for number, name in enumerate(WORLDS)],
        ("mixture", 0, True),
        why="another set of rules; the ports of all rules are replaced by the same code",
    ),
    ids=str,
)
def test_replaced_ports_give_the_state_of_a_new_simulation_and_of_the_oracle(
    device: Device, monkeypatch: pytest.MonkeyPatch, case: tuple[str, int, bool]
) -> None:
    """By turns in the first variants of all rules with sleeping tiles, and in the last ones without."""
    name, number, sleeping = case
    world = WORLDS[name]()
    variants = {rule: RULES[rule].variants[number].name for rule in world.rules}
    material = "water" if name != "heat" else "sand"
    with Simulation(world, device, variant=variants, sleeping=sleeping) as sim:
        sim.step(7)
        sim.digest()
        for emitters, drains in ports_of(material):
            state = sim.read()
            state.emitters, state.drains = tuple(emitters), tuple(drains)
            with monkeypatch.context() as patch:
                patch.setattr(moderngl.Context, "compute_shader", None)  # neither may be called
                patch.setattr(moderngl.Context, "texture", None)
                sim.replace_ports(emitters, drains)
                assert not sim.settled
                sim.step(11)
                found = sim.digest()
            with Simulation(state, device, variant=variants, sleeping=sleeping) as anew:
                anew.step(11)
                assert found == anew.digest()
                assert sim.read().ledgers == anew.read().ledgers
            twin = oracle.step(state, 11)
            assert found == twin.digest()
            assert (sim.blank.emitters, sim.blank.drains) == (twin.emitters, twin.drains)


def test_an_invalid_port_is_refused_and_changes_nothing(device: Device) -> None:
    spring, hole = Emitter((1, 1)), Drain((2, 7))
    world = World(9, 9, rules=("flow",), emitters=[spring], drains=[hole])
    with Simulation(world, device) as sim, Simulation(world, device) as other:
        for emitters, drains in [((spring,), (Drain((9, 0)),)), ((Emitter((0, 0), material="sand"),), ())]:
            with pytest.raises(WorldError, match=r"^(drain\[0\]\.at|emitter\[0\]\.material): "):
                sim.replace_ports(emitters, drains)
        assert (sim.blank.emitters, sim.blank.drains) == ((spring,), (hole,))
        for each in (sim, other):
            each.step(5)
        assert sim.digest() == other.digest()


def test_a_world_at_rest_wakes_for_a_drain_and_comes_to_rest_again(device: Device) -> None:
    """`settled` is False before a tick has run and while the drain takes mass. Thin films may remain."""
    world = World(16, 16, rules=("flow",))
    world["mass"][12:] = 1 << 20
    with Simulation(world, device) as sim:
        while not sim.settled:
            sim.step()
        sim.replace_ports((), (Drain((0, 15)),))
        assert not sim.settled
        while not sim.settled:
            sim.step()
        assert sim.mass() < 1000
        assert sim.mass() + sim.ledger.drained == world.total()


@pytest.mark.parametrize("substeps", [1, 3, 7, 1000])
def test_a_rate_is_divided_among_substeps_as_in_the_oracle(device: Device, substeps: int) -> None:
    ports = {"emitters": [Emitter((0, 0), rate=999.999, level=1000)], "drains": [Drain((1, 0), rate=0.3333)]}
    world = World(1, 2, parameters={"flow": {"substeps": substeps}}, **ports)
    world["material"] = world.materials["empty"]
    world["mass"][0, 1] = 1 << 20
    with Simulation(world, device) as sim:
        sim.step()
        assert sim.read().ledgers == oracle.step(world).ledgers
