"""Rule pressure on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

The passes `label`, `merge_labels` and `compress_labels` find the bodies of liquid; `offer` and `transfer` move atoms
within each body, `offer_under_load` and `transfer_under_load` those under the weight of another liquid.
`transfer_in_part`, `transfer_heat`, `transfer_across` and `transfer_load_across` run only in worlds that ranks share;
tests/cluster compares these.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.bodies import follow_by_passes
from support.following import cells_changed_by, follow_by_ticks
from support.selection import crossed, examples, mostly_long
from support.worlds import atom_worlds, random_atoms

from gpufluid import Drain, Emitter, Simulation, World
from gpufluid.rules import RULES
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

RULES_OF_PRESSURE = ("atoms", "pressure")
every_gravity = pytest.mark.parametrize("gravity", GRAVITIES)
every_edge = pytest.mark.parametrize("edges", EDGES)
VARIANTS = [each.name for each in RULES["atoms"].variants]
every_variant = pytest.mark.parametrize("variant", VARIANTS)
variants = st.sampled_from(VARIANTS)

PORTS = {
    "emitters": [Emitter((2, 3), (9, 2), material="water", velocity=(5.0, -7.0), scatter=2.0)],
    "drains": [Drain((4, 20), (12, 3), rate=0.5)],
}


@examples(8)
@given(world=atom_worlds(rules=RULES_OF_PRESSURE), ticks=st.integers(1, 2), variant=variants)
def test_every_pass_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_passes(world, ticks, variant)


@examples(8)
@given(world=atom_worlds(rules=RULES_OF_PRESSURE), ticks=st.integers(1, 4), variant=variants)
def test_every_tick_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_ticks(world, ticks, trace=True, variant={"atoms": variant})


def caves(height: int, width: int, luck: int, rules: tuple[str, ...] = RULES_OF_PRESSURE, **laws) -> World:
    """Rock with connected holes and two liquids at rest: large bodies with many transfers."""
    kinds = ("water", "oil", "wall")
    world = random_atoms(height, width, rules=rules, kinds=kinds, filled=0.75, fastest=0, luck=luck, **laws)
    world["velocity"] = 0
    rng = np.random.default_rng(luck)
    for _ in range(6):
        columns, rows = int(rng.integers(2, width)), int(rng.integers(1, 6))
        x, y = int(rng.integers(0, width - columns + 1)), int(rng.integers(0, height - rows))
        world["material"][y : y + rows, x : x + columns] = world.materials["water"]
    world.draw_grain()
    return world


@pytest.mark.long("seconds of compilation for each edge and gravity; random worlds have ports, too")
@crossed(together=1, edges=EDGES, gravity=["up", "left", "off"])
def test_worlds_of_several_tiles_with_ports_equal_their_twins(edges: Edges, gravity: Gravity) -> None:
    variant = VARIANTS[(EDGES.index(edges) + GRAVITIES.index(gravity)) % len(VARIANTS)]
    world = caves(40, 70, 3, edges=edges, gravity=gravity, seed=5, **PORTS)
    still = world.copy()
    with Simulation(world, variant={"atoms": variant}) as sim:
        follow_by_passes(still, 1, variant)
        assert bool(transferred(world)) == (gravity != "off")
        sim.step()
        assert sim.digest() == still.digest()
    follow_by_ticks(world, 5, trace=True, variant={"atoms": variant})
    world.validate()


def transferred(world: World) -> int:
    """The number of cells that the transfers of a world's first tick change."""
    return cells_changed_by("pressure.transfer", world)


@crossed(most=1, rounds=[0, 1, 32], variant=VARIANTS)
def test_every_number_of_rounds_equals_its_twin(rounds: int, variant: str) -> None:
    world = caves(66, 34, 7, parameters={"pressure": {"rounds": rounds}})
    assert (transferred(world) > 0) == (rounds > 0)
    follow_by_passes(world, 2, variant)


@pytest.mark.long("programs of four rules; the random worlds compare all fields")
@every_variant
def test_transferred_atoms_keep_their_carried_fields(variant: str) -> None:
    """A transferred atom keeps its temperature, integrity and age."""
    world = caves(40, 34, 2, rules=("atoms", "heat", "reactions", "pressure"))
    drawn = np.random.default_rng(1).integers(0, 800, (40, 34))
    world["temperature"], world["age"] = np.where(world["material"] == 0, 0, drawn), 0
    world["integrity"] = np.where(world["material"] == 0, 0, drawn % 200)
    assert transferred(world) > 0
    follow_by_passes(world.copy(), 1, variant)
    follow_by_ticks(world, 4, trace=True, variant={"atoms": variant})


@pytest.mark.parametrize("variant", mostly_long(VARIANTS, VARIANTS[0], why="another variant of the same world"))
def test_floating_powder_equals_its_twin(variant: str) -> None:
    """Stacks that come down, and a block that is lifted, beside oil that presses on water."""
    world = World(44, 70, RULES_OF_PRESSURE, seed=3)
    names = world.materials
    world["material"][20:] = names["water"]
    world["material"][4:20, 4:14] = names["snow"]
    world["material"][20:34, 24:30] = names["ash"]
    world["material"][:36, 40:42] = names["wall"]
    world["material"][12:20, 42:60] = names["oil"]
    world["material"][8:12, 50:54] = names["ash"]
    world.draw_grain()
    follow_by_passes(world, 3, variant)
    follow_by_ticks(world, 6, trace=True, variant={"atoms": variant})
