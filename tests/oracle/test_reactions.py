"""Rule reactions on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

Its passes: `react`, `decay`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.following import follow_by_passes, follow_by_ticks
from support.reactions import age_by_chance, random_reacting, reacting
from support.selection import crossed, examples, mostly_long
from support.worlds import EVEN_SIDES, SIDES, assert_equal, sizes

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.oracle.chance import partition_offset
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, GRAVITIES

pytestmark = pytest.mark.usefixtures("device")

RULES_OF_REACTIONS = ("atoms", "heat", "reactions")
VARIANTS = [
    dict(zip(RULES_OF_REACTIONS, names, strict=True))
    for names in product(*([each.name for each in RULES[rule].variants] for rule in RULES_OF_REACTIONS))
]
"""Every combination of the variants of the three rules."""

PORTS = {
    "emitters": [Emitter((1, 0), (4, 1), material="fire"), Emitter((0, 1), material="water", velocity=(2.0, 1.0))],
    "drains": [Drain((3, 3), (2, 1), rate=0.5)],
}

ODD_MATERIALS = MaterialTable(
    (*SHIPPED, *(Material(f"odd {state.name.lower()}", state, 1, (0, 0, 0)) for state in State if state))
)
ODD = ReactionTable(
    (
        Reaction("swap", ("odd solid", "any"), ("other", "other"), chance=0.3),
        Reaction("cool", ("any", "any"), ("same", "same"), heat=-3333, above=1000, chance=0.3),
        Reaction("grow", ("empty", "odd liquid"), ("odd gas", "odd powder"), heat=901, chance=0.7, below=0),
        Reaction("both wear", ("odd gas", "any"), ("empty", "odd solid"), wear=(255, 1), push=7.9, chance=0.5),
        Reaction("one wears", ("odd powder", "any"), ("odd gas", "other"), wear=(0, 77), heat=5),
        Reaction("copy", ("odd solid", "liquid"), ("copying", "copy"), chance=0.5),
        Reaction("wait", ("odd powder",), ("odd liquid",), after=65280, chance=0.5),
        Reaction("waste", ("odd liquid",), ("odd gas",), wear=(9,), heat=-40, chance=0.5),
        Reaction("heat", ("odd gas",), ("same",), after=3, heat=7, below=2000),
    )
)
"""Features that no shipped reaction has: all kinds of wear, swaps, cooling, and atoms that record materials."""

TABLES = {"shipped": {}, "odd": {"materials": ODD_MATERIALS, "reactions": ODD}}


NAMED = [{"edges": edges, "gravity": gravity} for edges, gravity in product(EDGES, GRAVITIES)]
LAWS = [named | list(TABLES.values())[number % len(TABLES)] for number, named in enumerate(NAMED)]
"""Every combination of edges and gravity, the two tables by turns: each entry is a set of programs to compile."""


@pytest.mark.parametrize(
    "number",
    mostly_long(
        (0, 1, 4, 5, 8, 9, 12, 13),  # each edge, gravity and table
        0,
        why="other edges, gravity and variants of the same tables",
    ),
)
def test_every_pass_equals_its_twin(number: int) -> None:
    world = random_reacting(36, 70, luck=number, seed=number, **LAWS[number], **PORTS)
    follow_by_passes(world, 5, trace=True, variant=VARIANTS[number % len(VARIANTS)])
    assert sum(world.atoms[name].made for name in world.atoms) > 10


@examples(15)
@given(
    sides=sizes(SIDES),
    laws=st.sampled_from(list(TABLES)),
    filled=st.sampled_from((0.1, 0.7, 1.0)),
    hottest=st.sampled_from((0, 300, 4000)),
    tick=st.sampled_from((0, 3, 2**32 - 2, 2**40 + 1)),
    luck=st.integers(0, 2**32 - 1),
    variant=st.sampled_from(VARIANTS),
)
def test_worlds_of_every_size_at_any_tick_equal_their_twins(
    sides: tuple[int, int],
    laws: str,
    filled: float,
    hottest: int,
    tick: int,
    luck: int,
    variant: Mapping[str, str],
) -> None:
    how = {"filled": filled, "hottest": hottest, "tick": tick, "luck": luck, "seed": luck & 0xFF}
    follow_by_ticks(random_reacting(*sides, **how, **TABLES[laws]), 3, variant=variant)


@pytest.mark.parametrize("side", mostly_long(EVEN_SIDES, why="a set of programs for each size"))
def test_narrow_tori_equal_their_twins(side: int) -> None:
    follow_by_ticks(random_reacting(side, 2, edges="wrap", luck=side), 5)
    follow_by_ticks(random_reacting(2, side, edges="wrap", luck=side), 5)


def arranged_pairs(offset: tuple[int, int], degrees: int) -> World:
    """Every pair of materials, in all sixteen arrangements of a block, as the blocks of one partition."""
    pairs = list(combinations_with_replacement(range(len(SHIPPED)), 2))
    arrangements = list(product((0, 1), repeat=4))
    world = reacting(2 * len(arrangements) + 2, 2 * len(pairs) + 2)
    for row, arrangement in enumerate(arrangements):
        for column, pair in enumerate(pairs):
            y, x = 2 * row + offset[1], 2 * column + offset[0]
            world["material"][y : y + 2, x : x + 2] = np.array([pair[each] for each in arrangement]).reshape(2, 2)
    rng, matter = np.random.default_rng(degrees + 50), world["material"] != 0
    world["temperature"] = np.where(matter, degrees * TEMPERATURE_ONE, 0)
    world["integrity"] = np.where(matter, rng.integers(0, 256, matter.shape), 0)
    age_by_chance(world, rng)
    return world


@crossed(most=2, wanted=[(0, 0), (1, 0), (0, 1), (1, 1)], degrees=[-40, 20, 310, 1000])
def test_every_pair_of_materials_in_every_arrangement_of_a_block_equals_its_twin(
    wanted: tuple[int, int], degrees: int
) -> None:
    world = arranged_pairs(wanted, degrees)
    use = world.fixed("reactions")["use_meet"]
    ticks = [tick for tick in range(16) if partition_offset(world, tick, use) == wanted]
    assert len(ticks) == 4
    changed = 0
    for tick in ticks:
        twin = world.copy()
        twin.tick = tick
        with Simulation(twin) as sim:
            for call in sim.calls():
                if call.pass_.rule == "reactions":
                    sim.run(call)
                    oracle.apply(twin, call)
                    assert_equal(sim, twin)
        changed += int((twin["material"] != world["material"]).sum())
    assert changed > 1000


def test_wear_into_a_product_of_the_same_tag_stops_at_integrity_1() -> None:
    """An atom whose product has the atom's own tag wears down to an integrity of 1 and is never whole again."""
    wears = ReactionTable((Reaction("wears", ("earth", "metal"), ("mud", "same"), wear=(100, 0), heat=1),))
    world = reacting(4, 4, reactions=wears)
    world["material"][:, ::2], world["material"][:, 1::2] = world.materials["mud"], world.materials["metal"]
    mud = world["material"] == world.materials["mud"]
    parts = [256 * mud.sum()]
    for _ in range(12):
        world = follow_by_ticks(world, 1)
        parts.append(((world["integrity"][mud].astype(int) + 255 & 255) + 1).sum())
    assert parts == sorted(parts, reverse=True)
    assert parts[-1] == mud.sum()
