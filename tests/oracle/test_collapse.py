"""Rule collapse on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

The passes `label`, `merge_labels` and `compress_labels` find the pieces, `hold` those that are held; `weigh` sums up
the weight of the others, and `move` lets them fall and rise. `find_spills`, `claim_spills` and `spill` let liquid run
off what floats.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import following
from support.following import cells_changed_by, follow_by_ticks
from support.pictures import PICTURES
from support.selection import crossed, examples
from support.worlds import atom_worlds, random_atoms

from gpufluid import FULL, Simulation, World, oracle
from gpufluid.core.frame import in_frame
from gpufluid.oracle import collapse
from gpufluid.oracle.atoms import floating
from gpufluid.rules import RULES, Call
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

RULES_OF_COLLAPSE = ("atoms", "collapse")
VARIANTS = [each.name for each in RULES["atoms"].variants]
variants = st.sampled_from(VARIANTS)


def assert_scratch_equal(sim: Simulation, world: World, call: Call) -> None:
    """The scratch of a pass equals that of its twin, except links between cells, which are not unique."""
    if call.pass_.rule != "collapse" or call.pass_.name in ("label", "merge_labels", "move"):
        return
    if call.pass_.name in ("find_spills", "claim_spills"):
        words = world.scratch["spills"]
        np.testing.assert_array_equal(sim.scratch("spills")[words != 0], words[words != 0])
    pieces = world.scratch["pieces"]
    np.testing.assert_array_equal(sim.scratch("pieces"), pieces)
    first = pieces == np.arange(1, pieces.size + 1).reshape(pieces.shape)  # other cells keep old values
    for name in ("held", "weight_low", "weight_high"):
        np.testing.assert_array_equal(sim.scratch(name)[first], world.scratch[name][first], err_msg=name)


def follow_by_passes(world: World, ticks: int, variant: str) -> None:
    following.follow_by_passes(
        world, ticks, assert_scratch_equal, variant={"atoms": variant}, sleeping=False, trace=True
    )


def rubble(height: int, width: int, luck: int, rules: tuple[str, ...] = RULES_OF_COLLAPSE, **laws) -> World:
    """Blocks of solids, powders and liquids at random places over each other, some of them walls."""
    kinds = ("water", "smoke", "sand", "empty", "empty")
    world = random_atoms(height, width, rules=rules, kinds=kinds, filled=0.4, fastest=0, luck=luck, **laws)
    rng = np.random.default_rng(luck)
    solids = ("wood", "stone", "ice", "metal", "stone", "wood", "wall", "empty", "water", "sand")
    for _ in range(height * width // 40):
        columns, rows = int(rng.integers(1, max(width // 3, 2))), int(rng.integers(1, max(height // 5, 2)))
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        kind = solids[rng.choice(len(solids), p=[0.15, 0.15, 0.1, 0.1, 0.05, 0.05, 0.02, 0.18, 0.15, 0.05])]
        world["material"][y : y + rows, x : x + columns] = world.materials[kind]
    world["velocity"] = 0
    world.draw_grain()
    return world


def moved_cells(world: World) -> int:
    """The number of cells that the falls of a world's first tick change."""
    return cells_changed_by("collapse.move", world)


@examples(8)
@given(world=atom_worlds(rules=RULES_OF_COLLAPSE), ticks=st.integers(1, 2), variant=variants)
def test_every_pass_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_passes(world, ticks, variant)


@crossed(most=1, together=1, edges=EDGES, gravity=GRAVITIES)
def test_rubble_of_several_tiles_equals_its_twin(edges: Edges, gravity: Gravity) -> None:
    variant = VARIANTS[(EDGES.index(edges) + GRAVITIES.index(gravity)) % len(VARIANTS)]
    world = rubble(40, 70, 3, edges=edges, gravity=gravity, seed=5)
    assert bool(moved_cells(world)) == (gravity != "off")
    follow_by_passes(world.copy(), 1, variant)
    follow_by_ticks(world, 6, trace=True, variant={"atoms": variant})
    world.validate()


def rafts(edges: Edges, gravity: Gravity) -> World:
    """Rafts with liquid on them, on a rough sea: near each other, high above it, with a mast, and alone."""
    world = World(*((40, 90) if gravity in ("down", "up") else (90, 40)), RULES_OF_COLLAPSE, edges, 3, gravity=gravity)
    cells, materials, rng = in_frame(world["material"], gravity), world.materials, np.random.default_rng(4)
    cells[24:], cells[-2:] = materials["water"], materials["wall"]
    cells[22:24] = np.where(rng.random((2, 90)) < 0.3, materials["water"], 0)
    for row, rows, first, end in ((20, 6, 4, 16), (20, 6, 19, 30), (8, 18, 36, 43), (21, 5, 48, 60), (22, 3, 64, 86)):
        cells[row : row + rows, first:end] = materials["wood"]
        cells[row - 1, first:end] = np.where(rng.random(end - first) < 0.8, materials["oil"], 0)
        cells[row - 2, first:end] = np.where(rng.random(end - first) < 0.1, materials["smoke"], 0)
    cells[14:21, 52] = materials["stone"]
    world.draw_grain()
    return world


@crossed(most=1, together=1, edges=EDGES, gravity=("down", "left", "up"))
def test_liquid_that_runs_off_floating_pieces_equals_its_twin(edges: Edges, gravity: Gravity) -> None:
    variant = VARIANTS[EDGES.index(edges) % len(VARIANTS)]
    world = rafts(edges, gravity)
    assert cells_changed_by("collapse.spill", world) > 20
    follow_by_passes(world.copy(), 2, variant)
    follow_by_ticks(world, 8, trace=True, variant={"atoms": variant})


@pytest.mark.long("programs of its own for one world")
def test_a_piece_that_rises_into_the_tile_above_moves_whole() -> None:
    """It rises in the first substep, and in the second falls back with all its cells."""
    world = World(96, 96, ("flow", "atoms", "collapse"), seed=1)
    world["mass"][32:] = FULL
    world["material"][32, 30:49] = world.materials["charcoal"]
    world["material"][33, 34] = world.materials["stone"]
    world["mass"][world.obstacles] = 0
    follow_by_ticks(world, 4, variant={"atoms": "lines"})


@pytest.mark.long("a set of laws for each edge, in both variants of rule atoms")
@pytest.mark.parametrize(("edges", "variant"), [("closed", "lines"), ("open", "strips"), ("wrap", "lines")])
def test_rubble_in_water_by_mass_equals_its_twin(edges: Edges, variant: str) -> None:
    """Pieces of several densities rise, sink and wait for each other."""
    world = flooded_rubble(("flow", *RULES_OF_COLLAPSE), edges=edges)
    follow_by_passes(world.copy(), 4, variant)
    follow_by_ticks(world.copy(), 10, trace=True, variant={"atoms": variant})
    rising = oracle.step(world)
    for call in rising.schedule().calls(1):
        oracle.apply(rising, call)
        if call.pass_.full_name == "collapse.weigh":
            break
    assert (rising.scratch["weight_high"].view(np.int32) < 0).any()


def flooded_rubble(rules: tuple[str, ...], **laws) -> World:
    """Rubble in water by mass, which begins eight rows below the top of the world's arrays."""
    world = rubble(46, 70, 3, rules=rules, seed=5, **laws)
    world["material"] = np.where(world["material"] == world.materials["water"], 0, world["material"])
    world["mass"] = np.where(world.obstacles, 0, FULL)
    world["mass"][:8] = 0
    world.draw_grain()
    return world


@pytest.mark.long("a set of programs for each; the short run has rubble in a dry world")
@pytest.mark.parametrize(
    "laws",
    [
        ("closed", "down", "lines", False),
        ("wrap", "up", "strips", True),
    ],
)
def test_water_with_momentum_that_gives_way_to_rubble_equals_its_twin(
    monkeypatch: pytest.MonkeyPatch, laws: tuple[Edges, Gravity, str, bool]
) -> None:
    """There are surfaces below many pieces, gaps of one row and more between pieces, and cells with any mass."""
    edges, gravity, variant, heat = laws
    rules = ("flow", "inertia", "atoms", *(["heat"] if heat else []), "collapse")
    world = flooded_rubble(rules, edges=edges, gravity=gravity)
    rng, wet = np.random.default_rng(2), np.full((46, 70), FULL)
    wet[::9] = wet[1::9] = wet[2::9] = 0
    world["material"][16:40, :30], wet[16:27, :30], wet[27:40, :30] = 0, 0, FULL
    world["material"][27:32, 5:25] = world.materials["charcoal"]  # rises from below a surface
    partly = (rng.random(wet.shape) < 0.1) & (np.arange(70) >= 30)
    world["mass"] = np.where(partly, rng.integers(0, 3 * FULL, wet.shape), wet)
    for name in ("material", "grain", "mass"):
        world[name] = world[name][:: -1 if gravity == "up" else 1]
    world["mass"] = np.where(world.obstacles, 0, world["mass"])
    world.draw_grain()
    if heat:
        world["age"] = 0
        for name in ("temperature", "integrity"):
            world[name] = np.where(world["material"] > 0, world[name], 0)
        drawn = rng.integers(-(1 << 20), 1 << 20, wet.shape)
        world["water_heat"] = np.where(world["mass"] > FULL // 2, drawn, 0)
    directions = []

    def counted(*given_way: Any) -> None:
        directions.append(given_way[-1])
        floating.give_way(*given_way)

    monkeypatch.setattr(collapse, "give_way", counted)
    follow_by_passes(world.copy(), 2, variant)
    follow_by_ticks(world, 6, trace=True, variant={"atoms": variant})
    assert {-1, 1} == set(directions)
    assert len(directions) > 20


@pytest.mark.long("pictures that are hard to label, in both variants of rule atoms; rule pressure has the same labels")
@pytest.mark.parametrize("name", PICTURES)
def test_pieces_of_every_shape_equal_their_twins(name: str) -> None:
    """Pictures that are hard to label, over several tiles, with nothing that holds them but the edge."""
    for variant, margin in product(VARIANTS, (0, 3)):
        picture = np.pad(PICTURES[name](60), margin)
        world = World(len(picture), len(picture), RULES_OF_COLLAPSE)
        world["material"] = np.where(picture, world.materials["stone"], 0)
        assert bool(moved_cells(world)) or not margin
        follow_by_passes(world, 2, variant)


@pytest.mark.long("many programs; the golden scene wood_fire compares such a world")
@pytest.mark.parametrize("variant", VARIANTS)
def test_falling_solids_keep_their_carried_fields(variant: str) -> None:
    world = rubble(40, 34, 2, rules=("atoms", "heat", "reactions", "collapse"))
    drawn = np.random.default_rng(1).integers(0, 800, (40, 34))
    world["temperature"], world["age"] = np.where(world["material"] == 0, 0, drawn), 0
    world["integrity"] = np.where(world["material"] == 0, 0, drawn % 200)
    assert moved_cells(world)
    follow_by_passes(world.copy(), 1, variant)
    follow_by_ticks(world, 4, trace=True, variant={"atoms": variant})


@pytest.mark.long("parameters of its own; the other tests take two steps")
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_number_of_steps_equals_its_twin(variant: str) -> None:
    for steps in (1, 8):
        world = rubble(66, 34, 7, parameters={"collapse": {"steps": steps}}, edges="open")
        follow_by_passes(world.copy(), 1, variant)
        follow_by_ticks(world, 5, trace=True, variant={"atoms": variant})
