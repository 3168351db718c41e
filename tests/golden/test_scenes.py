"""Every scene that comes with gpufluid is described, runs, conserves, and equals the oracle."""

from __future__ import annotations

import re

import pytest
from support.atoms import turned
from support.mixtures import account

from gpufluid import Ledger, Simulation, World, checking, scene
from gpufluid.scene.reading import read_tables

SHIPPED = {path.stem: path for path in scene.shipped()}
RUN = [name for name, path in SHIPPED.items() if read_tables(path)[1].test != "off"]


def test_there_are_at_least_ten_and_a_dozen_of_atoms() -> None:
    assert len(SHIPPED) >= 10
    assert sum("atoms" in scene.read(path).world.rules for path in SHIPPED.values()) >= 12


@pytest.mark.parametrize("name", SHIPPED)
def test_a_scene_says_what_it_is(name: str) -> None:
    """Title, sentence, how long and how it is tested stand in the file itself, not in a default."""
    _, tables, _ = read_tables(SHIPPED[name])
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)*", name)
    assert {"title", "about", "ticks", "test"} <= tables.model_fields_set
    assert tables.title.strip()
    assert tables.about.endswith((".", "!"))
    assert len(tables.about) <= 120  # a line of `gpufluid scenes`
    assert tables.ticks > 0


def test_no_two_scenes_have_one_title_or_sentence() -> None:
    headings = scene.headings()
    for key in ("name", "title", "about"):
        assert len({heading[key] for heading in headings}) == len(headings)


def test_every_picture_belongs_to_a_scene() -> None:
    tables = [read_tables(path)[1] for path in SHIPPED.values()]
    used = {table.map.image for table in tables if table.map}
    assert {path.name for path in next(iter(SHIPPED.values())).parent.glob("*.png")} == used


def assert_balanced(first: World, now: World) -> None:
    """``first + emitted + made - drained - left - used == now``, of the mass and of the cells of each material."""
    if "mass" in now.fields:
        ledger = now.ledger
        assert first.total() + ledger.emitted - ledger.drained - ledger.left == now.total()
    assert account(first, now) == now.contents()
    for number, record in enumerate(now.materials.records[1:], 1):
        ledger = now.atoms[record.name]
        gained = ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used
        assert (first["material"] == number).sum() + gained == (now["material"] == number).sum()
    if "temperature" in now.fields:
        assert first.heat_held() + now.heat.balance == now.heat_held()


def whole_ledger(now: World) -> Ledger:
    """Mass, mixture and atoms in one, to see that there is something to count."""
    return sum([*now.atoms.values(), *now.amounts.values()], now.ledger)


def with_a_ledger(name: str) -> bool:
    world = scene.read(SHIPPED[name]).world
    return bool(world.emitters or world.drains) or world.edges == "open"


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", [name for name in RUN if with_a_ledger(name)])
def test_what_comes_and_goes_is_counted_to_the_end(name: str) -> None:
    """Over all its ticks; and there is something to count: each emitter, drain or open edge has had its use."""
    found = scene.read(SHIPPED[name])
    world = found.world
    with Simulation(world) as sim:
        for _ in range(4):
            sim.step(found.ticks // 4)
            now = sim.read()
            assert_balanced(world, now)
    ledger = whole_ledger(now)
    assert (ledger.emitted > 0, ledger.drained > 0) == (bool(world.emitters), bool(world.drains))
    assert (ledger.left > 0) == (world.edges == "open")


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", RUN)
def test_a_scene_runs_conserves_and_equals_the_oracle(name: str) -> None:
    """Five ticks with ``before + emitted - drained - left == now``, and some ticks bit for bit, by its size."""
    found = scene.read(SHIPPED[name])
    assert found.remarks == ()
    world = found.world
    with Simulation(world) as sim:
        for _ in range(5):
            sim.step()
            after = sim.read()
            assert_balanced(world, after)
            assert (after.ledger, after.atoms, after.amounts) == (sim.ledger, sim.atoms, sim.amounts)
        after.validate()
        assert sim.digest() != world.digest()
    runs = sum(1 for call in world.schedule().calls(0) if call.port is None)
    assert checking.check(world, min(20, 1 + 2_000_000 // (world.width * world.height * runs))) is None


@pytest.mark.usefixtures("device")
def test_the_four_scenes_of_gravity_are_one_world_turned() -> None:
    """Each, run and turned back, has the digest of the one whose gravity is down."""
    digests = set()
    for gravity, quarters in (("down", 0), ("right", -1), ("up", 2), ("left", 1)):
        with Simulation(scene.read(SHIPPED[f"gravity_{gravity}"]).world) as sim:
            sim.step(200)
            digests.add(turned(sim.read(), quarters).digest())
    assert len(digests) == 1
