"""Laws of rule reactions: atoms made and used up are counted, no side is favoured, sleep changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.atoms import assert_mirrored, turned
from support.reactions import balanced, counts, random_reacting, reacting, run
from support.selection import crossed, mostly_long

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.matter.materials import SHIPPED as MATERIALS
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.outcomes import members
from gpufluid.matter.reactions import COPY, COPYING, OTHER, SAME, SHIPPED, Reaction, ReactionTable
from gpufluid.rules.reactions import KIN, KINSHIP
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

OF_ATOMS = [reaction for reaction in SHIPPED if not reaction.mass]
"""The shipped reactions without water by mass; tests/property/test_damp_matter.py has the others."""

PORTS = {
    "emitters": [Emitter((4, 3), (3, 1), material="water"), Emitter((20, 5), (2, 2), material="fire", rate=0.5)],
    "drains": [Drain((10, 28), (9, 2), rate=0.3)],
}


@pytest.mark.parametrize("edges", mostly_long(EDGES, "open", why="200 ticks at an edge that lets nothing leave"))
def test_the_ledger_of_every_material_balances(edges: Edges) -> None:
    world = random_reacting(40, 42, edges=edges, luck=2, **PORTS)
    with Simulation(world) as sim:
        for ticks in (1, 19, 180):
            sim.step(ticks)
            after = sim.read()
            assert counts(after) == balanced(world, after)
            assert world.heat_held() + after.heat.balance == after.heat_held()
    assert after.heat.reacted != 0
    made, used = ({name for name in after.atoms if getattr(after.atoms[name], way)} for way in ("made", "used"))
    assert len(made) > 10
    assert len(used) > 10


def of_one(reaction: Reaction) -> World:
    """A world of random partners of one reaction, hot enough for it; no other reaction can happen."""
    certain = [replace(reaction, chance=0.99, after=0)]  # a reaction that only swaps atoms may not have chance 1
    if COPY in reaction.become:
        certain.append(SHIPPED["cloners take note"])
    world = reacting(16, 16, reactions=ReactionTable(tuple(certain)))
    rng, shape = np.random.default_rng(len(reaction.name)), (16, 16)
    sides = [sorted(members(name, world.materials) or ()) for name in reaction.between]
    chosen = [rng.choice(side, shape) for side in sides]
    world["material"] = np.where(rng.random(shape) < 0.5, chosen[0], chosen[-1])
    degrees = reaction.above if reaction.above is not None else 20 if reaction.below is None else reaction.below - 1
    world["temperature"] = np.where(world["material"] != 0, round(degrees * TEMPERATURE_ONE), 0)
    if COPY in reaction.become:
        noted = world["material"] == world.materials[reaction.between[1 - reaction.become.index(COPY)]]
        world["age"][noted] = world.materials["sand"]
    return world


def react(world: World, ticks: int) -> World:
    """Run only the passes of rule reactions for a number of ticks."""
    for _ in range(ticks):
        for call in world.schedule().calls(world.tick):
            if call.pass_.rule == "reactions":
                oracle.apply(world, call)
        world.tick += 1
    return world


@pytest.mark.parametrize(
    "reaction",
    mostly_long(OF_ATOMS, *OF_ATOMS[::15], why="one more reaction; every pair of materials is in test_reactions.py"),
    ids=lambda reaction: reaction.name,
)
def test_a_shipped_reaction_uses_its_partners_and_makes_its_products(reaction: Reaction) -> None:
    """The counts add up: only partners of the reaction are used up, and only its products are made."""
    first = of_one(reaction)
    now = react(first.copy(), 100 if reaction.wear else 24)
    assert counts(now) == balanced(first, now)
    names = {MATERIALS[number].name for name in reaction.between for number in members(name, first.materials) or ()}
    products = {word for word in reaction.become if word not in (SAME, OTHER, COPYING, COPY)}
    products |= {"sand"} if COPY in reaction.become else names if OTHER in reaction.become else set()
    used = {name for name in now.atoms if now.atoms[name].used}
    made = {name for name in now.atoms if now.atoms[name].made}
    assert used <= names
    assert made <= products
    changes = [
        (old, new) for old, new in zip(reaction.between, reaction.become, strict=True) if new not in (SAME, COPYING)
    ]
    assert bool(used) == any(old != "empty" for old, _ in changes)
    assert bool(made) == any(new != "empty" for _, new in changes)
    if len(changes) == 2 and not reaction.wear and "empty" not in (*reaction.become, *reaction.between):
        assert sum(now.atoms[name].made for name in made) == sum(now.atoms[name].used for name in used)


def test_materials_of_kinds_that_do_not_pair_never_react() -> None:
    """The kinds exclude most blocks early; a pair that they excluded wrongly would never react."""
    many = MaterialTable(
        (*MATERIALS, *(replace(MATERIALS[5], name=f"sand {n}", tags=(f"kind {n}",)) for n in range(60)))
    )
    own = [Reaction(f"r {n}", (f"kind {n}", f"sand {n // 2}"), ("same", "water")) for n in range(60)]
    for table, reactions in ((MaterialTable(), SHIPPED), (many, ReactionTable((*own, *SHIPPED)))):
        world = reacting(2, 2, materials=table, reactions=reactions)
        entries = world.lookups("reactions")["entries"]
        count = len(table)
        kind, partners = (KINSHIP.part(entries[:count, count + KIN], name) for name in ("kind", "partners"))
        may = (partners[:, None] >> kind[None, :] & 1).astype(bool)
        assert (may | (entries[:count, :count] == 0)).all()
        assert not may[kind == 0].any()
    assert may.sum() < 0.7 * may.size


@crossed(most=1, width=[21, 38], edges=EDGES)
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    width: int, edges: Edges, monkeypatch: pytest.MonkeyPatch
) -> None:
    width += edges == "wrap" and width % 2  # a torus has even sides
    world = assert_mirrored(random_reacting(18, width, luck=width, edges=edges, seed=width), 5, monkeypatch)
    assert sum(world.atoms[name].made for name in world.atoms) > 20


@pytest.mark.parametrize(
    "quarters", mostly_long([1, 2, 3], why="programs of its own; test_atom_symmetry.py turns atoms")
)
def test_a_turned_world_turned_back_has_the_same_digest(quarters: int) -> None:
    world = random_reacting(26, 40, luck=quarters)
    assert turned(run(turned(world, quarters), 20), 4 - quarters).digest() == run(world, 20).digest()


def landscape(luck: int, edges: Edges) -> World:
    """A large world with few reacting atoms; most of it soon comes to rest."""
    rng = np.random.default_rng(luck)
    world = reacting(
        128, 160, edges=edges, seed=luck, emitters=[Emitter((70, 20), material="fire", start=50, until=60)]
    )
    names = ("wood", "plant", "water", "sand", "oil", "acid", "metal", "gunpowder", "ember", "salt", "lava", "void")
    for name in names:
        x, y, size = int(rng.integers(0, 150)), int(rng.integers(30, 118)), int(rng.integers(2, 10))
        world["material"][y : y + size, x : x + 3 * size] = world.materials[name]
    world.draw_grain()
    world.draw_temperature()
    return world


def paint(bench: Workbench, rng: np.random.Generator) -> None:
    """Paint one random stroke; equal generators paint equal strokes."""
    shape = int(rng.integers(1, 12)), int(rng.integers(1, 12))
    arrays = {
        name: np.zeros((*shape, *bench.blank[name].shape[2:]), bench.blank[name].dtype) for name in bench.blank.fields
    }
    names = ("fire", "water", "wood", "empty", "cloner", "seed")
    arrays["material"][...] = bench.blank.materials[names[int(rng.integers(0, len(names)))]]
    bench.write_window((int(rng.integers(0, 140)), int(rng.integers(0, 110))), arrays)


@pytest.mark.parametrize(
    "edges", mostly_long(["wrap"], why="hundreds of ticks in four ways; every edge sleeps in test_sleep.py")
)
def test_a_landscape_is_equal_asleep_and_awake(edges: Edges) -> None:
    all_awake = {"atoms": "strips", "heat": "strips", "reactions": "blocks"}
    mixed = {"atoms": "lines", "heat": "lines", "reactions": "blocks"}
    all_asleep = {"atoms": "lines", "heat": "lines", "reactions": "tiles"}
    ways = ((all_awake, True), (all_asleep, False), (all_asleep, True), (mixed, True))
    benches = [Workbench(landscape(7, edges), variant=variant, sleeping=sleeping) for variant, sleeping in ways]
    for stroke in range(8):
        for bench in benches:
            bench.step(31)
            paint(bench, np.random.default_rng(stroke))
        assert len({bench.digest() for bench in benches}) == 1
    for bench in benches:
        bench.step(100)
    assert len({bench.digest() for bench in benches}) == 1
    assert len({str((bench.atoms, bench.heat)) for bench in benches}) == 1
    for bench in benches:
        bench.close()


@pytest.mark.long("hundreds of ticks, until atoms have aged")
def test_tiles_in_which_atoms_only_wear_or_age_stay_awake() -> None:
    """Without motion or heat, acid wears off in still water, and a flower ages until it changes."""
    world = reacting(40, 40, gravity="off", parameters={"heat": {"air": 0.0}})
    world["material"] = world.materials["water"]
    world["material"][4:36:4, 4:18:4] = world.materials["acid"]
    world["material"][4:36:4, 24:36:4] = world.materials["flower"]
    world.draw_temperature()
    for ticks in (3, 9, 60):
        digests = set()
        for sleeping in (True, False):
            with Simulation(world, sleeping=sleeping) as sim:
                sim.step(ticks)
                digests.add(sim.digest())
        assert digests == {oracle.step(world, ticks).digest()}


def test_a_world_that_may_still_react_is_not_settled() -> None:
    """Metal beside water rusts once in thousands of ticks; metal beside oil never rusts."""
    found = []
    for liquid in ("water", "oil"):
        world = reacting(12, 12)
        world["material"][6:] = world.materials[liquid]
        world["material"][9:, 4:8] = world.materials["metal"]
        world.draw_temperature()
        with Simulation(world) as sim:
            sim.step(60)
            found.append(sim.settled)
    assert found == [False, True]
