"""Worlds and tables as values: they are pickled, copied, compared and shown in a line."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from support.walkers import RULE
from support.worlds import random_atoms, random_world

import gpufluid
from gpufluid import FULL, Domain, Drain, Emitter, Ledger, Simulation, World, oracle
from gpufluid.core.errors import PortError, Problem, SceneError, UnknownFieldError, WorldError
from gpufluid.core.fields import QUANTITIES, Quantity
from gpufluid.matter import mixtures, reactions
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.rules import register, with_requirements
from gpufluid.world.ledger import ledger_type

PORTS = {"emitters": [Emitter((1, 1), material="sand")], "drains": [Drain((3, 3))]}


def pickled(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


COPIES = [pickled, copy.copy, copy.deepcopy]
every_copy = pytest.mark.parametrize("copied", COPIES, ids=lambda each: each.__name__)


def worlds() -> list[World]:
    """A world of each kind of laws and fields."""
    hot = random_atoms(9, 12, rules=("atoms", "heat", "reactions", "pressure"), edges="open", gravity="left", **PORTS)
    mixed = World(9, 12, ("mixture", "pressure"), domain=Domain((2, 3), (12, 9), (40, 30)), tick=7)
    mixed["mixture"][1, 2:5] = 99
    return [random_world(9, 12), hot, mixed]


@every_copy
@pytest.mark.parametrize("number", range(3))
def test_a_copy_of_a_world_equals_it_and_shares_nothing(copied: Callable[[World], World], number: int) -> None:
    world = worlds()[number]
    world.ledgers = {**world.ledgers, "mass": Ledger(emitted=5)}
    twin = copied(world)
    assert twin == world
    assert (twin.digest(), twin.laws, twin.domain, twin.ledgers) == (
        world.digest(),
        world.laws,
        world.domain,
        world.ledgers,
    )
    assert (twin.emitters, twin.drains) == (world.emitters, world.drains)
    twin.validate()
    before = world.digest()
    twin["material"][4, 5] ^= 1
    twin.ledger += Ledger(left=1)
    assert (twin != world, world.digest(), world.ledger) == (True, before, Ledger(emitted=5))
    with pytest.raises(TypeError):
        twin.parameters["flow"] = {}


def test_a_restored_world_goes_on_as_the_first(tmp_path: Path) -> None:
    world = worlds()[1]
    first = oracle.step(world, 3)
    assert oracle.step(pickled(world), 3) == first == oracle.step(pickled(oracle.step(world, 2)), 1)
    gpufluid.save(world, tmp_path / "world.npz")
    assert gpufluid.load(tmp_path / "world.npz") == world


@pytest.mark.parametrize(
    "change",
    [
        lambda world: setattr(world, "tick", 3),
        lambda world: setattr(world, "seed", 9),
        lambda world: setattr(world, "edges", "closed"),
        lambda world: setattr(world, "gravity", "up"),
        lambda world: setattr(world, "ledger", Ledger(made=1)),
        lambda world: setattr(world, "emitters", ()),
        lambda world: setattr(world, "drains", ()),
        lambda world: setattr(world, "parameters", {"heat": {"air": 0.5}}),
        lambda world: setattr(world, "materials", MaterialTable((*SHIPPED, replace(SHIPPED[-1], name="another")))),
        lambda world: world["grain"].__setitem__((0, 0), world["grain"][0, 0] ^ 1),
    ],
)
def test_worlds_that_differ_in_one_thing_are_not_equal(change: Callable[[World], None]) -> None:
    world, other = worlds()[1], worlds()[1]
    assert world == other
    change(other)
    assert world != other


def test_a_world_is_equal_to_worlds_only_and_cannot_be_a_key() -> None:
    world = World(3, 4, rules=("flow",))
    assert world != "world"
    assert World(3, 4, rules=("flow",)) != World(4, 3, rules=("flow",))
    with pytest.raises(TypeError, match="unhashable"):
        hash(world)


def test_a_world_whose_rule_is_missing_is_refused_when_it_is_restored() -> None:
    with register(RULE, after="atoms.spread"):
        text = pickle.dumps(World(3, 4, ("atoms", "walkers")))
        assert pickle.loads(text).rules == ("atoms", "walkers")
    with pytest.raises(WorldError, match=r"^rules: unknown rule 'walkers'"):
        pickle.loads(text)


def test_a_ledger_with_entries_of_its_own_is_pickled() -> None:
    quantity = Quantity("spin", "spin", {"won": 1, "lost": -1}, signed=True, glsl="_spin")
    with register(replace(RULE, declares=(*RULE.declares, quantity)), after="atoms.spread"):
        world = World(3, 4, ("atoms", "walkers"))
        world.ledgers["spin"] = ledger_type(QUANTITIES["spin"])(won=3, lost=-1)
        assert pickled(world) == copy.deepcopy(world) == world
        assert pickled(world).ledgers["spin"].won == 3


TABLES = {
    "materials": MaterialTable(SHIPPED[:4]),
    "reactions": reactions.SHIPPED,
    "mixture": mixtures.SHIPPED,
    "laws": World(5, 6, ("atoms", "heat")).laws,
    "domain": Domain((1, 2), (3, 4), (9, 9)),
    "emitter": Emitter((1, 2), velocity=(1, 2)),
    "drain": Drain((1, 2), rate=0.5),
    "statistics": World(5, 6, ("atoms", "heat")).statistics(),
    "ledger": Ledger(made=3),
    "atoms": oracle.step(World(6, 6, ("atoms",), emitters=[Emitter((1, 1), material="sand")]), 2).atoms,
    "heat": gpufluid.HeatLedger(air=-3),
}


@every_copy
@pytest.mark.parametrize("name", TABLES)
def test_a_copy_of_a_table_equals_it(copied: Callable[[object], object], name: str) -> None:
    assert copied(TABLES[name]) == TABLES[name]


def test_a_restored_table_of_materials_has_read_only_columns() -> None:
    table = pickled(MaterialTable())
    with pytest.raises(ValueError, match="read-only"):
        table.column("density")[1] = 3


def test_tables_that_worlds_share_are_read_only() -> None:
    """Two worlds of the same laws have the same tables, and all worlds the same shipped materials."""
    world = World(2, 2, ("flow", "inertia", "atoms", "heat", "reactions", "pressure", "collapse"))
    for rule in (*world.rules, "mixture"):
        there = world if rule in world.rules else World(2, 2, with_requirements(rule))
        for shared in (there.tables(rule), there.lookups(rule)):
            with pytest.raises(TypeError):
                shared["another"] = [1]  # type: ignore[index]
            for table in shared.values():
                with pytest.raises((TypeError, ValueError)):
                    table[0] = 1  # type: ignore[index]
    assert world.tables("inertia")["carried_at"] is world.copy().tables("inertia")["carried_at"]
    with pytest.raises(TypeError):
        world.materials.tagged["inert"] = frozenset()  # type: ignore[index]


ERRORS = [
    WorldError("mass[3, 7]", "-1; expected 0 or more"),
    UnknownFieldError("mas", "is not there"),
    PortError("emitter", [WorldError("rate", "5")]),
    SceneError(Path("a.toml"), [Problem("size", "missing", 4)]),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda each: type(each).__name__)
def test_an_error_keeps_its_message_and_its_place_when_it_is_pickled(error: Exception) -> None:
    """A worker of a ProcessPoolExecutor sends its error to the caller in this way."""
    again = pickled(error)
    assert (type(again), str(again)) == (type(error), str(error))
    assert vars(again).keys() == vars(error).keys()
    assert getattr(again, "field", None) == getattr(error, "field", None)


def step(world: World, ticks: int) -> World:
    """Run a world on the device of a worker process."""
    with Simulation(world) as sim:
        sim.step(ticks)
        return sim.read()


def test_worker_processes_run_worlds_and_return_their_errors() -> None:
    """The processes are spawned: a forked one cannot use OpenGL."""
    wet, sandy = random_world(12, 16), random_atoms(12, 16, **PORTS)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(oracle.step, (wet, sandy), (2, 3))) == [oracle.step(wet, 2), oracle.step(sandy, 3)]
        wet["mass"][2, 3] = -1
        with pytest.raises(WorldError, match=r"^mass\[2, 3\]: -1; expected 0 to"):
            pool.submit(oracle.step, wet).result()


@pytest.mark.long("a device in a process of its own; oracle.step runs in such processes in the short run")
def test_worker_processes_run_worlds_on_a_device() -> None:
    world = random_atoms(12, 16, rules=("atoms", "heat"))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(step, world, 3).result() == oracle.step(world, 3)


def test_a_world_is_shown_in_a_line_that_says_what_it_holds() -> None:
    world = World(30, 40, ("atoms", "flow"), edges="open", tick=7)
    assert repr(world) == "<World 40x30 atoms+flow open tick 7: empty>"
    world["material"][20:] = world.materials["stone"]
    world["material"][:2, :3] = world.materials["sand"]
    world["mass"][5, :5] = FULL // 2
    assert repr(world) == "<World 40x30 atoms+flow open tick 7: 400 stone, 6 sand, 2.5 cells of water>"
    world["material"][0, 0] = 254  # invalid, but shown
    assert "400 stone, 5 sand" in repr(world)
    mixed = World(3, 4, ("mixture",))
    mixed["mixture"][mixed.mixture["lava"], 1, 1] = FULL
    assert repr(mixed) == "<World 4x3 mixture closed tick 0: 1 cells of lava>"


def test_the_line_of_a_world_with_many_materials_is_cut() -> None:
    world = World(10, 60, ("atoms",))
    world["material"] = np.arange(60) % len(world.materials)
    assert len(repr(world)) < 160
    assert f"... ({len(world.materials) - 1} in all)>" in repr(world)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("materials", "<MaterialTable empty, wall, stone, water>"),
        ("reactions", f"({len(reactions.SHIPPED)} in all)>"),
        ("mixture", "<MixtureTable sand, water, lava, steam, ice; 2 conversions>"),
        ("laws", f"<Laws 6x5 atoms+heat closed gravity down seed 0, {len(SHIPPED)} materials>"),
        ("statistics", "Statistics(tick=0, cells={'empty': 30}, sums={'temperature': 0, 'age': 0}"),
    ],
)
def test_tables_are_shown_in_a_short_line(name: str, text: str) -> None:
    assert text in repr(TABLES[name])
    assert len(repr(TABLES[name])) < 130


def test_statistics_show_what_is_there() -> None:
    world = World(4, 5, ("atoms", "heat"))
    world["material"][3] = world.materials["stone"]
    world["material"][0, 0] = world.materials["sand"]
    world["temperature"][3] = 80
    found = world.statistics()
    assert found.census == {"stone": 5, "sand": 1}
    assert repr(found) == (
        "Statistics(tick=0, cells={'empty': 14, 'stone': 5, 'sand': 1}, sums={'temperature': 560, 'age': 0},"
        " extremes={'temperature': (80, 160)})"
    )
