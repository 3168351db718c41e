"""A field and a rule that exist only in tests: all that gpufluid does with fields follows from their declarations.

Rule ``walkers``, in ``support/walkers``: each atom carries a counter, and a pass raises it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from support.following import follow_by_passes, follow_by_ticks
from support.selection import mostly_long
from support.walkers import FIRST, MOST, RULE
from support.worlds import random_atoms, random_by_declaration

import gpufluid
from gpufluid import AtomLedger, Drain, Emitter, Simulation, World, scene
from gpufluid.benchmark.traffic import bytes_by_pass
from gpufluid.core.errors import SceneError, UsageError, WorldError
from gpufluid.core.fields import FIELDS, QUANTITIES, DeclarationError
from gpufluid.core.runs import Runs
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import device_bytes
from gpufluid.io import snapshots
from gpufluid.matter.materials import Material, State
from gpufluid.oracle import Tally
from gpufluid.rules import RULES, TICK, register
from gpufluid.run import reporting
from gpufluid.run.balance import accounts, balance_of
from gpufluid.run.checking import check
from gpufluid.run.timeseries import TimeSeries
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.scene_fit import SceneFit
from gpufluid.scene.schema import scene_table
from gpufluid.scene.strokes import Adding, Laying
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity
from gpufluid.world.ledger import Ledger

pytestmark = pytest.mark.usefixtures("device")

VARIANTS = [variant.name for variant in RULES["atoms"].variants]
OTHER_LAWS = "every pass of atoms is compiled anew for a field that no other test has"
every_variant = pytest.mark.parametrize("variant", VARIANTS)
PORTS = {
    "emitters": [Emitter((2, 2), (9, 3), material="water", rate=0.5, velocity=(3.0, 1.0))],
    "drains": [Drain((4, 20), (12, 6), rate=0.5)],
}


def by_turns(laws: Sequence[str]) -> list[tuple[str, str]]:
    """Each of these laws with one of the variants, which alternate."""
    return [(law, VARIANTS[number % len(VARIANTS)]) for number, law in enumerate(laws)]


@pytest.fixture(autouse=True)
def walkers() -> Iterator[None]:
    with register(RULE, after="atoms.spread"):
        yield


def walking(
    rules: tuple[str, ...] = ("atoms", "walkers"), edges: Edges = "open", gravity: Gravity = "down", **laws
) -> World:
    """A world with atoms of all kinds; each atom that can move has counted some steps."""
    world = random_atoms(34, 40, rules=rules, filled=0.5, edges=edges, gravity=gravity, **PORTS, **laws)
    still = world.materials.solid[world["material"]] | (world["material"] == 0)
    steps = np.random.default_rng(1).integers(0, MOST, world["steps"].shape, endpoint=True)
    world["steps"] = np.where(still, 0, steps)
    world.validate()
    return world


def balance(ledger: Ledger) -> int:
    """The sum of a ledger's entries with their signs."""
    return ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used


def test_a_registered_rule_and_its_field_are_present_until_undone() -> None:
    assert TICK[TICK.index("atoms.spread") + 1] == "walkers.walk"
    assert World(3, 4, ("atoms", "walkers")).fields == ("material", "velocity", "grain", "steps")
    with register(replace(RULE, name="others", declares=(), variants=()), after="flow.flow"):
        assert "others" in RULES
    assert "others" not in RULES
    assert FIELDS["steps"].quantity in QUANTITIES


@pytest.mark.parametrize(
    ("material", "steps", "message"),
    [
        ("sand", MOST + 1, rf"^steps\[2, 1\]: {MOST + 1}; expected 0 to {MOST} steps$"),
        ("empty", 7, r"^steps\[2, 1\]: 7; expected 0 steps in an empty cell$"),
        ("wall", 7, r"^steps\[2, 1\]: 7; expected 0 steps in a solid cell$"),
    ],
)
def test_a_bad_value_is_an_error_that_names_field_and_cell(material: str, steps: int, message: str) -> None:
    world = World(4, 5, ("atoms", "walkers"))
    world["material"][2, 1] = world.materials[material]
    world["steps"][2, 1] = steps
    with pytest.raises(WorldError, match=message):
        world.validate()
    with pytest.raises(WorldError, match=r"^stepps: .* has no such field; did you mean 'steps'"):
        world["stepps"]


def test_a_world_without_the_rule_has_no_such_field() -> None:
    with pytest.raises(WorldError, match=r"^steps: a world with rules \['atoms'\] has no such field"):
        World(3, 3, ("atoms",))["steps"]


def test_a_random_world_follows_the_declaration() -> None:
    world = random_by_declaration(34, 40, rules=("atoms", "walkers"))
    world.validate()
    assert len(np.unique(world["steps"])) > 300


def test_strokes_count_the_field_and_can_add_to_it() -> None:
    world = walking()
    with Workbench(world) as sim:
        runs = Runs.of_mask(4, 3, np.full((20, 30), True))
        for stroke in (Adding("steps", 90), Adding("steps", -200), Laying("sand"), Adding("steps", 7), Laying("empty")):
            sim.paint(runs, stroke)
            now, ledger = sim.read(), sim.ledgers["steps"]
            now.validate()
            assert now.total("steps") == world.total("steps") + ledger.painted - ledger.erased
        assert min(ledger.painted, ledger.erased) > 1000


@pytest.mark.parametrize("law", mostly_long(by_turns(EDGES), ("wrap", VARIANTS[0]), why=OTHER_LAWS), ids="-".join)
def test_every_pass_equals_its_twin(law: tuple[Edges, str]) -> None:
    edges, variant = law
    follow_by_passes(walking(edges=edges), 2, trace=True, variant={"atoms": variant})


@pytest.mark.parametrize("law", mostly_long(by_turns(GRAVITIES), why=OTHER_LAWS), ids="-".join)
def test_every_tick_equals_its_twin(law: tuple[Gravity, str]) -> None:
    gravity, variant = law
    world = walking(gravity=gravity)
    before = world.total("steps")
    follow_by_ticks(world, 6, trace=True, variant={"atoms": variant})
    world.validate()
    assert world.total("steps") == before + balance(world.ledgers["steps"])
    ledger = world.ledgers["steps"]
    assert min(ledger.made, ledger.drained, ledger.left) > 0
    assert ledger.emitted == FIRST * world.atoms["water"].emitted > 0
    assert ledger.used == 0


def miscount(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the oracle move as the shader does, but count one step too many."""
    module = import_module(RULE.oracle)
    walk = module.walk
    monkeypatch.setattr(module, "walk", lambda world, call: walk(world, call) + Tally(steps=Ledger(made=1)))


def test_a_ledger_that_differs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check(walking(), 2) is None
    miscount(monkeypatch)
    found = check(walking(), 2)
    assert found is not None
    assert (found.name, found.tick, found.field, found.cell) == ("walkers.walk", 0, "steps", None)
    assert found.gpu != found.oracle
    with pytest.raises(AssertionError):
        follow_by_ticks(walking(), 1)


@every_variant
def test_the_ledger_counts_steps_that_leave_over_an_edge_or_by_a_drain(variant: str) -> None:
    """Two atoms with 5 and 7 steps: one is above a drain, the other flies over the edge; neither counts further."""
    world = World(
        6, 6, ("atoms", "walkers"), edges="open", parameters={"walkers": {"stride": 0}}, drains=[Drain((1, 4), (1, 2))]
    )
    world["material"][4, 1] = world["material"][3, 5] = world.materials["sand"]
    world["velocity"][3, 5] = 100, 0
    world["steps"][4, 1], world["steps"][3, 5] = 5, 7
    with Simulation(world, variant={"atoms": variant}) as sim:
        sim.step(3)
        assert sim.ledgers["steps"] == Ledger(drained=5, left=7)
        after = sim.read()
    assert after.ledgers["steps"] == Ledger(drained=5, left=7)
    assert after.total("steps") == 0
    assert gpufluid.oracle.step(world, 3).ledgers["steps"] == Ledger(drained=5, left=7)
    assert after.atoms == AtomLedger({"sand": Ledger(drained=1, left=1)})


@pytest.mark.parametrize("software", mostly_long([True, False], why=OTHER_LAWS), ids=["software", "others"])
def test_steps_of_a_used_up_atom_are_counted_as_used(software: bool) -> None:
    """Atoms vanish in fire and acid, and the ledger counts the steps that they carried as used."""
    world = walking(("atoms", "heat", "reactions", "walkers"), edges="closed")
    before = world.total("steps")
    own = {rule: [each.name for each in RULES[rule].variants if each.software == software] for rule in world.rules}
    follow_by_ticks(world, 6, variant={rule: names[0] for rule, names in own.items() if names})
    world.validate()
    assert world.ledgers["steps"].used > 0
    assert world.total("steps") == before + balance(world.ledgers["steps"])


def test_statistics_of_the_field_are_equal_on_host_and_device() -> None:
    world = walking()
    with Simulation(world) as sim:
        assert sim.statistics() == world.statistics()
        sim.step(2)
        now = sim.read()
        found = sim.statistics()
        assert found == now.statistics()
    there = now["steps"][now["material"] != 0]
    assert found.sums["steps"] == there.sum()
    assert found.extremes["steps"] == (there.min(), there.max())


def test_a_snapshot_keeps_the_field_and_its_ledger(tmp_path: Path) -> None:
    world = gpufluid.oracle.step(walking(), 3)
    snapshots.save(world, tmp_path / "x.npz")
    back = snapshots.load(tmp_path / "x.npz")
    np.testing.assert_array_equal(back["steps"], world["steps"])
    assert back.ledgers == world.ledgers
    assert back.ledgers["steps"] != Ledger()
    assert back.digest() == world.digest()


def test_a_snapshot_with_an_undeclared_rule_is_refused(tmp_path: Path) -> None:
    snapshots.save(walking(), tmp_path / "x.npz")
    rule = RULES.pop("walkers")
    try:
        with pytest.raises(UsageError, match="is a damaged snapshot: rules: unknown rule 'walkers'"):
            snapshots.load(tmp_path / "x.npz")
    finally:
        RULES["walkers"] = rule


@every_variant
def test_the_memory_of_the_field_is_predicted(device: Device, variant: str) -> None:
    with Simulation(World(96, 130, ("atoms", "walkers")), variant={"atoms": variant}) as sim:
        told, ledgers = device_bytes(device, sim.variants, 130, 96), sim._ledger.buffer.size
        assert 0 <= sim.memory.held - told < ledgers + 4_000


def test_the_traffic_of_the_field_is_counted_where_atoms_move() -> None:
    world, cells = World(64, 64, ("atoms", "walkers")), 64 * 64
    found = bytes_by_pass(world.schedule().calls(0), (64, 64), (64, 64), (1, 16), carried=("journey",))
    assert found["walkers.walk"] == cells * (4 + 2 * 4)
    assert found["atoms.glide"] == 2 * cells * 2 * (4 + 4)  # twice a tick, the cells and what atoms carry


def test_a_report_has_the_account_of_the_quantity() -> None:
    world = walking()
    with Simulation(world) as sim:
        before = balance_of(sim)
        sim.step(3)
        after = balance_of(sim)
    account = accounts(world, before, after)["steps_units"]
    ledger = after.ledgers["steps"]
    assert account == {
        "before": world.total("steps"),
        "emitted": ledger.emitted,
        "drained": ledger.drained,
        "left": ledger.left,
        "made": ledger.made,
        "used": 0,
        "now": after.held.sums["steps"],
    }
    assert account["before"] + balance(ledger) == account["now"] > 0
    line = (
        f"steps    {account['before']} before + {ledger.emitted} emitted - {ledger.drained} drained"
        f" - {ledger.left} left over an edge + {ledger.made} made = {account['now']} now"
    )
    assert reporting.account_lines({"steps_units": account}) == [line]


def test_a_time_series_has_the_range_of_the_field(tmp_path: Path) -> None:
    world = walking()
    series = TimeSeries(world)
    series.note(world.statistics())
    series.save(tmp_path / "x.csv")
    header, row = (line.split(",") for line in (tmp_path / "x.csv").read_text().splitlines())
    there = world["steps"][world["material"] != 0]
    told = dict(zip(header, row, strict=True))
    for kind, value in {"least": there.min(), "mean": there.mean(), "largest": there.max()}.items():
        assert told[f"{kind} steps (steps)"] == f"{value:.3f}"


def test_the_field_is_part_of_the_digest() -> None:
    world = walking()
    other = world.copy()
    row, column = np.argwhere(other["steps"] > 0)[0]
    other["steps"][row, column] -= 1
    assert other.digest() != world.digest()
    with Simulation(other) as sim:
        assert sim.digest() == other.digest()


def test_the_loss_of_the_field_in_a_scene_is_reported() -> None:
    world = walking()
    mobile = world.materials.column("state")[world["material"]] >= State.POWDER
    count = int((world["steps"] != np.where(mobile, FIRST, 0)).sum())
    losses = list(SceneFit.of(world).losses(world))
    assert f"steps in {count} cells: not kept; what is there begins to count anew" in losses


def test_a_world_with_the_field_is_drawn() -> None:
    with Simulation(walking()) as sim:
        assert sim.frame().shape == (34, 40, 3)


def test_a_new_atom_has_the_first_value_of_the_field() -> None:
    world = World(3, 4, ("atoms", "walkers"))
    world["material"][1, 2] = world.materials["sand"]
    world["material"][2, 2] = world.materials["wall"]
    world.draw_temperature()
    assert world["steps"].tolist() == [[0] * 4, [0, 0, FIRST, 0], [0] * 4]
    assert world.new_atom("sand") == {"steps": FIRST}
    assert world.new_atom_words("sand") == {"journey": FIRST}


def test_a_rule_may_refuse_materials() -> None:
    def problems(records: Sequence[Material]) -> Iterator[tuple[int, str, str]]:
        yield from ((number, "density", "too dense") for number, record in enumerate(records) if record.name == "sand")

    picky = replace(RULE, name="picky", declares=(), variants=(), material_problems=problems)
    with register(picky, after="flow.flow"):
        number = World(3, 4, ("atoms",)).materials["sand"]
        with pytest.raises(WorldError, match=rf"^materials\[{number}\]\.density: 'sand': too dense$"):
            World(3, 4, ("atoms", "picky"))


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scenes can say the field of a fill."""
    monkeypatch.setitem(FIELDS, "steps", replace(FIELDS["steps"], in_scene=True))


@pytest.mark.usefixtures("said")
def test_a_scene_writes_and_reads_a_field_declared_for_scenes(tmp_path: Path) -> None:
    world = World(6, 8, ("atoms", "walkers"))
    world["material"][2:5, 1:6] = world.materials["sand"]
    world["steps"][2:5, 1:6] = FIRST
    world["steps"][3, 2:4] = 7
    world.draw_grain()
    assert scene.write(world, tmp_path / "x.toml", "Steps", "Sand that has gone some way.") == []
    assert "steps = 7.0" in (tmp_path / "x.toml").read_text()
    found = scene.read(tmp_path / "x.toml")
    assert found.remarks == ()
    np.testing.assert_array_equal(found.world["steps"], world["steps"])
    assert found.world.digest() == world.digest()


FILL = 'size = [4, 4]\nrules = ["atoms", "walkers"]\n[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [2, 2]\n'


@pytest.mark.usefixtures("said")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"steps = {MOST + 1}", f"fill[0].steps: {MOST + 1}.0; expected a number from 0 to {MOST} steps"),
        ('steps = "many"', "fill[0].steps: 'many': expected a number"),
        ("step = 1", "fill[0].step: unknown key; did you mean 'steps'"),
    ],
    ids=["out of range", "no number", "unknown key"],
)
def test_a_bad_value_in_a_scene_is_an_error_that_names_the_key(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "x.toml").write_text(f'{FILL}material = "sand"\n{line}\n')
    with pytest.raises(SceneError) as caught:
        scene.read(tmp_path / "x.toml")
    assert message in str(caught.value)


@pytest.mark.usefixtures("said")
def test_a_value_without_effect_gives_a_remark(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(f'{FILL}material = "wall"\nsteps = 5\n')
    (remark,) = scene.read(tmp_path / "x.toml").remarks
    assert remark.endswith("fill[0].steps: has no effect: 'wall' has no steps in this scene")


def test_draw_grain_draws_a_drawn_field_independently_of_grain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIELDS, "steps", replace(FIELDS["steps"], drawn=True))
    world = walking()
    world["steps"] = 0
    world.draw_grain()
    assert ((world["steps"] > 0) <= (world["material"] != 0)).all()
    assert len(np.unique(world["steps"])) > 100
    assert (world["steps"] != world["grain"]).any()


def test_a_field_of_fills_named_as_another_key_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIELDS, "radius", replace(FIELDS["steps"], name="radius", in_scene=True))
    with pytest.raises(DeclarationError, match=r"^field radius: a fill can set it .* a fill Circle has a key radius$"):
        scene_table()
