"""Checks that every shipped scene must pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from support.mixtures import account

from gpufluid import Ledger, Simulation, World, oracle, scene
from gpufluid.core.fields import QUANTITIES
from gpufluid.scene.reading import read_tables

_TABLES = {path.stem: read_tables(path) for path in scene.shipped()}
GOLDEN = [name for name, tables in _TABLES.items() if tables.test == "golden"]


def rules_of(names: Iterable[str]) -> set[str]:
    """The rules that some of these scenes have; each shipped scene names its rules."""
    return {rule for name in names for rule in _TABLES[name].rules}


def of_same_rules(names: Iterable[str]) -> Collection[list[str]]:
    """Scenes, by their rules: those with the same are in one list."""
    found = defaultdict[object, list[str]](list)
    for name in names:
        found[tuple(_TABLES[name].rules)].append(name)
    return found.values()


DIGESTS_IN_SHORT = {
    *("acid_lake", "communicating_vessels", "dam_break", "gravity_down", "gravity_left", "gravity_right"),
    *("gravity_up", "into_water", "labyrinth_with_momentum", "mixed_vessels", "siphon", "weightless"),
}
"""The golden scenes of the short run, whose 800 ticks take a second or two: every rule but ``collapse``, every gravity.

Of each other set of rules the smallest scene runs for five ticks in the short run (``tests/golden/test_scenes.py``).
"""


def assert_balanced(first: World, now: World) -> None:
    """The amounts held at first and the ledgers add up to the amounts held now: see `Ledger` and `HeatLedger`."""
    if "mass" in now.fields:
        assert first.total() + gained(now.ledger) == now.total()
    for number, record in enumerate(now.materials.records[1:], 1):
        held = (first["material"] == number).sum() + gained(now.atoms[record.name])
        assert held == (now["material"] == number).sum(), record.name
    assert now.contents() == account(first, now)
    if "temperature" in now.fields:
        assert first.heat_held() + now.heat.balance == now.heat_held()
    if "water_heat" in now.fields:
        assert first.total("water_heat") + balance("water_heat", now) == now.total("water_heat")


def balance(quantity: str, now: World) -> int:
    """The amount of a quantity with one account that has entered a world, less the amount that has left it."""
    return sum(sign * getattr(now.ledgers[quantity], entry) for entry, sign in QUANTITIES[quantity].entries.items())


def gained(ledger: Ledger) -> int:
    """The amount that entered, less the amount that left."""
    entered = ledger.emitted + ledger.made + ledger.painted
    return entered - ledger.drained - ledger.left - ledger.used - ledger.erased


def assert_next_tick_equals_oracle(sim: Simulation, tick: int) -> None:
    """Run to a tick, then compare one more tick with the oracle: its state and its ledgers, bit for bit.

    If the world has rule reactions, some reaction must happen.
    """
    sim.step(tick - sim.tick)
    before = sim.read()
    twin = before.copy()
    oracle.tick(twin)
    sim.step()
    assert sim.digest() == twin.digest()
    now = sim.read()
    assert (now.ledger, now.atoms, now.amounts, now.heat) == (twin.ledger, twin.atoms, twin.amounts, twin.heat)
    if "reactions" in now.rules:
        assert now.heat.reacted != before.heat.reacted or now.atoms != before.atoms, "nothing reacts in this tick"


def whole_ledger(now: World) -> Ledger:
    """All contents of a world by name: mass, atoms and amounts."""
    return sum((*now.atoms.values(), *now.amounts.values()), now.ledger)


def has_a_ledger(world: World) -> bool:
    """True if a world has an emitter, a drain or an open edge."""
    return bool(world.emitters or world.drains) or world.edges == "open"


def all_ports_were_used(first: World, now: World) -> bool:
    """True if each kind of port, and the open edge, has been used; kinds that a world does not have count as used."""
    ledger = whole_ledger(now)
    used = ledger.emitted > 0, ledger.drained > 0, ledger.left > 0
    return used == (bool(first.emitters), bool(first.drains), first.edges == "open")
