"""Laws of reactions with water by mass: units taken and given are counted, and what is too little or too much waits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.atoms import mirror_chance, mirrored
from support.following import follow_by_passes, follow_by_ticks
from support.reactions import put
from support.selection import crossed
from support.worlds import random_atoms

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import UsageError
from gpufluid.matter.materials import SHIPPED as MATERIALS
from gpufluid.matter.outcomes import members
from gpufluid.matter.reactions import SHIPPED, Reaction, ReactionTable
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

ALL = ("flow", "inertia", "atoms", "heat", "reactions")
QUARTER = FULL // 4
WITH_MASS = [reaction for reaction in SHIPPED if reaction.mass]

ODD = ReactionTable(
    (
        Reaction("one unit", ("water", "salt"), ("empty", "same"), mass=1 / FULL, chance=0.5),
        Reaction("worn", ("stone", "water"), ("gravel", "empty"), mass=0.5, wear=(120, 0), strength=100, heat=50),
        Reaction("touched", ("oil", "water"), ("same", "same"), mass=0.3, heat=900, push=2.0, chance=0.7),
        Reaction("whole", ("empty", "snow"), ("water", "empty"), mass=1.0, chance=0.5),
        Reaction("under", ("water", "sand"), ("empty", "mud"), mass=0.1, place="over"),
        Reaction("beside", ("wood", "water"), ("empty", "empty"), mass=0.7, place="beside", above=100),
        Reaction("swap", ("powder", "powder"), ("other", "other"), place="over", chance=0.3),
        Reaction("boils", ("ember", "water"), ("same", "steam"), mass=0.6, heat=-100, chance=0.8),
        Reaction("freezes", ("water", "plant"), ("ice", "ember"), mass=0.2, chance=0.6, place="beside"),
        Reaction("dry", ("mud", "empty"), ("sand", "water"), mass=0.1, place="beside", chance=0.4),
    )
)
"""Reactions with a mass and the keys that no shipped one combines with it."""

TABLES = {"shipped": SHIPPED, "odd": ODD}


def damp(height: int = 34, width: int = 42, *, luck: int = 0, **laws) -> World:
    """A random world of water by mass, atoms, heat and reactions."""
    kinds = ("sand", "soil", "wet sand", "wet soil", "ember", "plant", "snow", "stone", "salt", "wood", "oil", "mud")
    return random_atoms(height, width, rules=ALL, kinds=kinds, filled=0.5, luck=luck, seed=luck, **laws)


def pair(
    reaction: Reaction, first: str | int, second: str | int, across: bool = False, gravity: Gravity = "down"
) -> World:
    """A world of two cells, upper and lower or left and right: each has a material, or so many units of mass."""
    size, rules = (1, 2) if across else (2, 1), ALL[:1] + ALL[2:]
    world = World(*size, rules, gravity=gravity, reactions=ReactionTable((reaction,)))
    for at, content in zip(np.ndindex(world["material"].shape), (first, second), strict=True):
        if isinstance(content, str):
            world["material"][at] = world.materials[content]
        else:
            world["mass"][at] = content
    world.draw_temperature()
    return world


def react(world: World, ticks: int = 12) -> World:
    """Run only pass ``reactions.react`` of the oracle, as in so many ticks."""
    world = world.copy()
    for _ in range(ticks):
        for call in world.schedule().calls(world.tick):
            if call.pass_.full_name == "reactions.react":
                oracle.apply(world, call)
        world.tick += 1
    return world


def contents(world: World) -> list[str | int]:
    """The material of each cell, or its units of mass if it has none."""
    cells = zip(world["material"].ravel(), world["mass"].ravel(), strict=True)
    return [int(mass) if number == 0 else world.materials.records[number].name for number, mass in cells]


TAKES = Reaction("takes", ("sand", "water"), ("wet sand", "empty"), mass=0.25)
GIVES = Reaction("gives", ("wet sand", "empty"), ("sand", "water"), mass=0.25)


@pytest.mark.parametrize("across", [False, True])
def test_an_atom_takes_exactly_its_mass_and_what_is_less_waits(across: bool) -> None:
    for there, left in ((QUARTER, 0), (QUARTER + 1, 1), (3 * FULL, 3 * FULL - QUARTER)):
        after = react(pair(TAKES, "sand", there, across))
        assert contents(after) == ["wet sand", left]
        assert after.ledger.used == QUARTER
        assert (after.atoms["sand"].used, after.atoms["wet sand"].made) == (1, 1)
    for there in (0, 1, QUARTER - 1):
        after = react(pair(TAKES, "sand", there, across))
        assert contents(after) == ["sand", there]
        assert after.ledger.used == after.ledger.made == 0


def test_an_atom_gives_exactly_its_mass_up_to_a_full_cell() -> None:
    for there in (0, 1, 3 * QUARTER):
        after = react(pair(GIVES, there, "wet sand"))
        assert contents(after) == [there + QUARTER, "sand"]
        assert after.ledger.made == QUARTER
    for there in (3 * QUARTER + 1, FULL, 5 * FULL):
        assert contents(react(pair(GIVES, there, "wet sand"))) == [there, "wet sand"]


def test_what_is_only_touched_stays() -> None:
    rusts = Reaction("rusts", ("metal", "water"), ("rust", "same"), mass=0.25)
    assert contents(react(pair(rusts, "metal", QUARTER))) == ["rust", QUARTER]
    assert contents(react(pair(rusts, "metal", QUARTER - 1))) == ["metal", QUARTER - 1]


def test_wear_takes_the_mass_when_the_atom_changes() -> None:
    wears = Reaction("wears", ("metal", "water"), ("rust", "empty"), mass=0.25, wear=(128, 0))
    world = pair(wears, "metal", FULL)
    left = [contents(world := react(world, 1)) for _ in range(12)]
    assert left[0] != left[-1] == ["rust", 3 * QUARTER]
    assert all(each in (["metal", FULL], ["rust", 3 * QUARTER]) for each in left)


AROUND = {"upper", "lower", "left", "right"}


@pytest.mark.parametrize(
    ("place", "gravity", "ends"),
    [
        (None, "down", AROUND),
        ("over", "down", {"upper"}),
        ("over", "up", {"lower"}),
        ("beside", "down", {"left", "right"}),
        ("beside", "left", {"upper", "lower"}),
        ("over", "off", set()),
        ("beside", "off", AROUND),
    ],
)
def test_a_place_limits_where_the_first_atom_lies(place: str | None, gravity: Gravity, ends: set[str]) -> None:
    gives = Reaction("gives", ("wet sand", "empty"), ("sand", "water"), mass=0.25, place=place)
    swaps = Reaction("swaps", ("wet sand", "sand"), ("other", "other"), place=place, chance=0.9)
    for reaction, other, given in ((gives, 0, QUARTER), (swaps, "sand", "wet sand")):
        found = set()
        for end, order, across in (
            ("upper", 1, False), ("lower", -1, False), ("left", 1, True), ("right", -1, True),
        ):  # fmt: skip
            world = pair(reaction, *("wet sand", other)[::order], across=across, gravity=gravity)
            if any(contents(world := react(world, 1)) == ["sand", given][::order] for _ in range(8)):
                found.add(end)
        assert found == ends


@pytest.mark.parametrize("reaction", WITH_MASS, ids=lambda reaction: reaction.name)
def test_a_shipped_reaction_with_a_mass_counts_every_unit(reaction: Reaction) -> None:
    side = reaction.water_side
    assert side is not None
    certain = replace(reaction, chance=min(1.0, 50 * reaction.chance))
    world = World(8, 8, ALL, reactions=ReactionTable((certain,)))
    number = min(members(reaction.between[1 - side], world.materials) or ())
    cells = np.indices((8, 8)).sum(axis=0) % 2 == 0
    world["material"][cells] = number
    world["mass"][~cells] = max(reaction.mass_units, FULL // 2)
    world.draw_temperature()
    after = react(world, 24)
    gives, takes = reaction.between[side] == "empty", reaction.become[side] not in ("same", "water")
    changed = int((after["material"] != world["material"])[cells].sum())
    assert changed > 4
    assert after.total() == world.total() + after.ledger.made - after.ledger.used
    assert (after.ledger.made, after.ledger.used) == (
        changed * gives * reaction.mass_units,
        changed * takes * reaction.mass_units,
    )
    assert after.atoms[MATERIALS[number].name].used == changed


@pytest.mark.parametrize("others", [(0, FULL), ("wall", FULL), (3 * FULL, "wall"), ("wall", "wall")])
@pytest.mark.parametrize("more", [0, 1, FULL // 2])
def test_an_atom_made_of_mass_leaves_the_rest_to_another_cell(others: tuple[str | int, ...], more: int) -> None:
    """Two cells of a block react: lava, and below it a full cell of water or more; what is more needs a cell."""
    boils = Reaction("boils", ("lava", "water"), ("stone", "steam"), mass=1.0, place="over")
    world = World(2, 2, ALL[:1] + ALL[2:], reactions=ReactionTable((boils,)))
    for at, content in zip(((0, 0), (1, 0), (0, 1), (1, 1)), ("lava", FULL + more, *others), strict=True):
        if isinstance(content, str):
            world["material"][at] = world.materials[content]
        else:
            world["mass"][at] = content
    world.draw_temperature()
    after = react(world, 8)
    acts = more == 0 or others != ("wall", "wall")
    assert [after.materials.records[number].name for number in after["material"][:, 0]] == (
        ["stone", "steam"] if acts else ["lava", "empty"]
    )
    assert after["mass"][:, 0].tolist() == [0, 0 if acts else FULL + more]
    assert after.total() == world.total() - FULL * acts
    assert (after.ledger.used, after.ledger.made) == (FULL * acts, 0)
    assert after.atoms["steam"].made == acts


def test_atoms_of_water_are_not_water_by_mass() -> None:
    assert contents(react(pair(TAKES, "sand", "water"))) == ["sand", "water"]
    world = World(2, 1, ("atoms", "heat", "reactions"), reactions=ReactionTable((TAKES, GIVES)))
    world["material"][:, 0] = world.materials["wet sand"], 0
    assert not world.lookups("reactions")["entries"].any()


@pytest.mark.long("five rules in one world")
@crossed(together=1, table=TABLES, edges=EDGES, variant=(0, -1))
def test_every_pass_equals_its_twin_and_all_mass_is_counted(table: str, edges: Edges, variant: int) -> None:
    ports = {
        "emitters": [Emitter((4, 2), (20, 2), material="water", rate=0.4)],
        "drains": [Drain((30, 20), (6, 9), rate=0.3)],
    }
    chosen = {rule: RULES[rule].variants[variant].name for rule in ALL}
    world = damp(luck=3 + variant, edges=edges, reactions=TABLES[table], **ports)
    first = world.total()
    follow_by_passes(world, 2, variant=chosen)
    follow_by_ticks(world, 3, variant=chosen)
    ledger = world.ledger
    assert first + ledger.emitted + ledger.made - ledger.drained - ledger.left - ledger.used == world.total()
    assert ledger.made > 0
    assert ledger.used > 0
    assert not ((world["material"] != 0) & (world["mass"] != 0)).any()
    world.validate()


@pytest.mark.long("hundreds of ticks")
def test_mass_is_exact_over_hundreds_of_ticks() -> None:
    world = damp(luck=9)
    after = world
    with Simulation(world) as sim:
        for _ in range(4):
            sim.step(100)
            after = sim.read()
            assert after.total() == world.total() + after.ledger.made - after.ledger.used
            after.validate()
    assert min(after.ledger.made, after.ledger.used) > 10 * FULL


@pytest.mark.long("five rules in one world")
def test_what_melts_or_condenses_becomes_full_cells_of_mass_and_all_is_counted() -> None:
    """Ice under water, snow on it, and steam over it, each one unit of latent heat before its change."""
    world = World(34, 42, ALL, edges="open", reactions=ODD)
    world["mass"][20:] = FULL
    world["material"][32:] = world.materials["wall"]
    for name, rows, latent, degrees in (("ice", 24, 9, 50), ("snow", 19, 9, 50), ("steam", 4, -66, 50)):
        cells = slice(rows, rows + 3), slice(6, 36)
        put(world, name, *cells, degrees=degrees)
        world["age"][cells] = latent & 0xFF
    world["mass"][world["material"] != 0] = 0
    first = world.copy()
    world = follow_by_ticks(world, 2)
    assert world.census() == {"wall": 2 * 42}
    melted = 3 * 3 * 30
    assert world.ledger.made == melted * FULL
    assert {name: world.atoms[name].used for name in ("ice", "snow", "steam")} == dict.fromkeys(
        ("ice", "snow", "steam"), melted // 3
    )
    assert world.atoms["water"].made == 0
    assert world.total() == first.total() + world.ledger.made - world.ledger.left
    assert world.heat_held() == first.heat_held() + world.heat.balance
    world.validate()


def test_a_mirrored_world_with_mirrored_chance_reacts_to_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    for width, table in ((21, SHIPPED), (38, ODD)):
        world = damp(18, width, luck=width, reactions=table)
        mirror = mirrored(world)
        with monkeypatch.context() as turned:
            mirror_chance(turned, mirror)
            mirror = react(mirror, 5)
        world = react(world, 5)
        for name in ("material", "mass", "temperature", "integrity", "grain"):
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name], err_msg=name)
        assert mirror.ledger == world.ledger != type(world.ledger)()


@pytest.mark.long("200 ticks, until the water sleeps")
def test_sleeping_water_wakes_where_an_atom_takes_or_gives_mass() -> None:
    """A soaked heap on a shelf over a lake drips into the lake; dry sand in its bed takes water up."""
    slow = [
        Reaction(each.name, each.between, each.become, 0.01, mass=each.mass, place=each.place) for each in WITH_MASS
    ]
    world = World(64, 160, ALL, reactions=ReactionTable(tuple(slow)))
    world["mass"][40:] = FULL
    world["material"][10:12, 60:90] = world.materials["wall"]
    world["material"][6:10, 60:90] = world.materials["wet sand"]
    world["material"][60:, 20:30] = world.materials["sand"]
    world["mass"][60:, 20:30] = 0
    world.draw_temperature()
    with Simulation(world) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(8):
            asleep.step(25)
            awake.step(25)
            assert asleep.digest() == awake.digest()
        ledger = asleep.read().ledger
        assert ledger == awake.read().ledger
        assert min(ledger.used, ledger.made) > FULL


@pytest.mark.long("1000 ticks, until the water rests")
def test_a_soaked_bed_under_a_full_lake_comes_to_rest() -> None:
    """No cell has room for what the bed holds, and no grain is dry: nothing can react."""
    world = World(24, 30, ALL)
    world["mass"][8:20] = FULL
    world["material"][20:] = world.materials["sand"]
    world.draw_temperature()
    with Simulation(world) as sim:
        for _ in range(40):
            sim.step(50)
            if sim.settled:
                break
        after, rests = sim.read(), sim.settled
    assert rests
    assert after.census() == {"wet sand": 4 * 30}
    assert after.ledger.used - after.ledger.made == 4 * 30 * QUARTER


SOAK = {"between": ("sand", "water"), "become": ("mud", "empty"), "mass": 0.25}
WRONG = {
    "no water": (SOAK | {"between": ("sand", "oil")}, "mass", "0 of the two cells name water by mass"),
    "two waters": (
        SOAK | {"between": ("water", "empty"), "become": ("same", "water")},
        "mass", "2 of the two cells name water by mass",
    ),
    "a copy": (SOAK | {"become": ("mud", "copy")}, "become", "'copy' for the cell of water by mass"),
    "no atom": (SOAK | {"between": ("empty", "water")}, "between", "names no atom"),
    "other": (SOAK | {"become": ("other", "empty")}, "become", "'other' for the atom beside water by mass"),
    "wear": (SOAK | {"wear": (1, 1)}, "wear", "expected 0 for water"),
    "too little": (SOAK | {"mass": 1e-7}, "mass", "1e-07 is rounded to 0"),
    "too much": (SOAK | {"mass": 1.01}, "mass", "1.01; expected a number from 0 to 1"),
    "negative": (SOAK | {"mass": -0.1}, "mass", "expected a number from"),
    "alone": ({"between": ("sand",), "become": ("mud",), "mass": 0.5}, "mass", "belongs to a reaction of two"),
    "a place": (SOAK | {"place": "under"}, "place", "'under'; expected 'over' or"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_mass_or_place_is_one_clear_error(name: str) -> None:
    keys, field, words = WRONG[name]
    reaction = Reaction("x", **keys)
    (problem,) = reaction.problems()
    assert problem.field == field
    assert words in problem.message
    with pytest.raises(UsageError, match=f"reactions\\[0\\]: 'x': {field}"):
        ReactionTable((reaction,))


def test_a_reaction_with_a_mass_survives_its_toml_record() -> None:
    for reaction in (*WITH_MASS, *ODD):
        assert Reaction.of(reaction.record()) == reaction
