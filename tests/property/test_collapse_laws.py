"""Rule collapse: what is held stays, what is loose falls whole, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.selection import crossed, examples
from support.ways import assert_equal_in_all_ways

from gpufluid import Simulation, World, oracle
from gpufluid.core.frame import in_frame
from gpufluid.core.moves import origins
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

RULES_OF_COLLAPSE = ("atoms", "collapse")
LETTERS = {".": "empty", "#": "wall", "s": "stone", "w": "wood", "~": "water", "o": "sand", "m": "metal"}


def drawn(text: str, **laws) -> World:
    """A world from a drawing, in which each letter is a cell; see `LETTERS`."""
    rows = text.split()
    world = World(len(rows), len(rows[0]), RULES_OF_COLLAPSE, **laws)
    world["material"] = [[world.materials[LETTERS[letter]] for letter in row] for row in rows]
    return world


def shown(world: World) -> str:
    """The drawing of a world."""
    letters = {world.materials[name]: letter for letter, name in LETTERS.items()}
    return " ".join("".join(letters[number] for number in row) for row in world["material"].tolist())


def after(world: World, ticks: int) -> str:
    """The drawing of a world so many ticks later, by the oracle, which `tests/oracle` holds to the GPU."""
    return shown(oracle.step(world, ticks))


SPILLS = ("find_spills", "claim_spills", "spill")
"""The passes in which liquid runs off pieces."""


def falls_of(world: World, ticks: int, without: tuple[str, ...] = ()) -> World:
    """A copy of a world after the passes of rule collapse alone, in so many ticks, or all but some of them."""
    world = world.copy()
    for _ in range(ticks):
        for call in world.schedule().calls(world.tick):
            if call.pass_.rule == "collapse" and not call.pass_.analysis_only and call.pass_.name not in without:
                oracle.apply(world, call)
    return world


HELD = {
    "a beam between two walls": "#......# #ssssss# #......# #......#",
    "a beam that hangs on one wall": "#......# #ssss..# #......# #......#",
    "a block on a ceiling": "..ssss.. ..ssss.. ........ ........",
    "a table on one leg": "........ ..ssss.. ....s... ########",
    "an arch of stone and wood": "..wwww.. ..s..w.. ..s..s.. ..s..s..",
    "a block on a heap": "........ ..ss.... ...o.... ..ooo...",
    "a block beside the edge": "........ s....... ss...... ........",
    "walls, which are anchored": "..##.... ........ ..##.... ........",
    "wood on water": "........ ...ww... ~~~~~~~~ ~~~~~~~~",
    "wood and a little stone on water": "...ww... ..wwsww. ~~~~~~~~ ~~~~~~~~",
}


@pytest.mark.parametrize("name", HELD)
def test_held_pieces_stay(name: str) -> None:
    world = drawn(HELD[name])
    assert after(world, 12) == shown(world)


def test_a_beam_that_is_cut_at_both_ends_falls_whole() -> None:
    world = drawn("#......# #.smms.# #......# #......# #......# ########")
    assert after(world, 1) == "#......# #......# #......# #.smms.# #......# ########"
    assert after(world, 2) == after(world, 20) == "#......# #......# #......# #......# #.smms.# ########"


def test_two_pieces_fall_at_once_and_the_upper_one_lands_on_the_lower_one() -> None:
    world = drawn(".......... .s.s...... .sss...... .......... ...s.w.m.. ...s...mm. .......... ##########")
    last = ".......... .......... .......... .s.s...... .sss...... ...s...m.. ...s.w.mm. ##########"
    assert after(world, 30) == last


@pytest.mark.parametrize("steps", [1, 2, 8])
def test_a_piece_falls_by_its_steps_in_a_tick_and_by_one_in_every_second_tick_over_a_liquid(steps: int) -> None:
    world = drawn("....... ...s... " + 18 * "....... ", parameters={"collapse": {"steps": steps}})
    assert after(world, 2).split()[1 + 2 * steps] == "...s..."
    world["material"][3:, :] = world.materials["water"]
    sunk = [next(row for row, text in enumerate(after(world, ticks).split()) if "s" in text) for ticks in (8, 10, 12)]
    assert np.diff(sunk).tolist() == [1, 1]


def test_stone_sinks_through_water_and_changes_places_with_it() -> None:
    world = drawn("#.......# #~~~s~~~# #~~sss~~# #~~~~~~~# #~~~~~~~# #########")
    assert after(world, 40) == "#.......# #~~~~~~~# #~~~~~~~# #~~~s~~~# #~~sss~~# #########"


def test_wood_with_enough_metal_sinks() -> None:
    """Two cells of metal make three cells of wood heavier than water."""
    world = drawn("#.......# #..wmw..# #~~~m~~~# #~~~~~~~# #~~~~~~~# #########")
    assert after(world, 60).split()[3:] == ["#~~wmw~~#", "#~~~m~~~#", "#########"]


def test_an_open_edge_holds_as_a_closed_one() -> None:
    """The ground of a scene goes on beyond its edge."""
    world = drawn("...s.... ........ ..s..... ........ ss....s.", edges="open")
    assert after(world, 9) == "...s.... ........ ........ ........ sss...s."


def test_a_piece_falls_around_a_torus_and_a_closed_column_holds_itself() -> None:
    world = drawn("........ ..ss.... ...s.... ........ ........ ........", edges="wrap")
    assert after(world, 3) == shown(world)
    assert after(world, 2) == "...s.... ........ ........ ........ ........ ..ss...."
    ring = drawn("..s..... ..ss.... ..s..... ..s.....", edges="wrap")
    assert after(ring, 3) == shown(ring)


def test_a_world_without_the_rule_moves_no_solid() -> None:
    hanging = drawn("........ ..ssss.. ........ ........")
    world = World(4, 8, ("atoms",))
    world["material"] = hanging["material"]
    assert after(world, 5) == shown(hanging)
    assert after(hanging, 5) != shown(hanging)


def test_a_material_is_anchored_by_its_key() -> None:
    records = tuple(replace(each, anchored={"stone": 1, "wall": 0}.get(each.name)) for each in SHIPPED)
    assert after(drawn("..s.. ..... .#.#. .....", materials=MaterialTable(records)), 9) == ("..s.. ..... ..... .#.#.")


@pytest.mark.long("a table of its own, and a large world")
@pytest.mark.parametrize("lighter", [0, 1])
def test_the_weight_of_a_large_piece_is_exact(lighter: int) -> None:
    """Both sums are more than 2**32, and differ by one unit a cell, or not at all: then nothing falls."""
    block = Material("block", State.SOLID, 65535, (0, 0, 0))
    bath = Material("bath", State.LIQUID, 65535 - lighter, (0, 0, 0))
    world = World(320, 320, RULES_OF_COLLAPSE, materials=MaterialTable((*SHIPPED, block, bath)))
    world["material"][...] = world.materials["bath"]
    world["material"][4:304, 4:304] = world.materials["block"]
    with Simulation(world) as sim:
        sim.step()
        rows = np.nonzero(sim.read()["material"] == world.materials["block"])[0]
    assert (rows.min(), rows.max()) == (4 + lighter, 303 + lighter)


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_pieces_fall_where_gravity_points(gravity: Gravity) -> None:
    world = World(8, 8, RULES_OF_COLLAPSE, gravity=gravity)
    in_frame(world["material"], gravity)[2, 3:5] = world.materials["stone"]
    wanted = np.zeros((8, 8), np.uint8)
    wanted[2 if gravity == "off" else 7, 3:5] = world.materials["stone"]
    np.testing.assert_array_equal(in_frame(oracle.step(world, 12)["material"], gravity), wanted)


def test_a_world_is_settled_once_the_last_piece_lies() -> None:
    with Simulation(drawn("......... .ss...... .ss...... ......... ......... ......... ......... #########")) as sim:
        sim.step(2)
        assert not sim.settled
        sim.step(5)
        assert sim.settled
        assert shown(sim.read()).endswith(". .ss...... .ss...... #########")


def loose_world(luck: int, edges: Edges, gravity: Gravity = "down", steps: int = 2) -> World:
    """Blocks of solids, some of them anchored, among all kinds of atoms."""
    rng, side = np.random.default_rng(luck), 34
    parameters = {"collapse": {"steps": steps}}
    world = World(side, side, RULES_OF_COLLAPSE, edges, luck, gravity=gravity, parameters=parameters)
    names = ("empty", "stone", "wood", "water", "empty", "metal", "sand", "ice", "oil", "smoke", "wall")
    for number in range(60):
        columns, rows = rng.integers(1, 9, 2)
        x, y = rng.integers(0, side, 2)
        world["material"][y : y + rows, x : x + columns] = world.materials[names[number % len(names)]]
    world.draw_grain()
    return world


@examples(12)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES))
def test_each_piece_moves_whole(luck: int, edges: Edges) -> None:
    """All cells of a piece fall by the same number of rows, 0 or 1 in a step, each in its column."""
    world = loose_world(luck, edges, steps=1)
    world.scratch["tag"] = origins(world.height, world.width).astype(np.int32)
    moved = falls_of(world, 1, without=SPILLS)
    rows, columns = np.indices((world.height, world.width))
    tags = np.where(moved["material"] == 0, -1, moved.scratch["tag"])
    fell = np.full((world.height, world.width), -1)
    fell[tags[tags >= 0] >> 16, tags[tags >= 0] & 0xFFFF] = (rows[tags >= 0] - (tags[tags >= 0] >> 16)) % world.height
    assert (tags[tags >= 0] & 0xFFFF == columns[tags >= 0]).all()
    pieces = moved.scratch["pieces"]
    for piece in np.unique(pieces[pieces != 0]):
        found = set(fell[pieces == piece].tolist())
        assert found in ({0}, {1})


def test_in_random_worlds_pieces_fall() -> None:
    worlds = [loose_world(1, "closed"), loose_world(1, "open"), loose_world(1, "wrap")]
    assert all((falls_of(world, 1)["material"] != world["material"]).any() for world in worlds)


@examples(12)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES))
def test_a_mirrored_world_falls_mirrored(luck: int, edges: Edges) -> None:
    """Two ticks later the other side goes first where both are alike."""
    world = loose_world(luck, edges)
    mirrored = world.copy()
    mirrored.tick = 2
    mirrored["material"], mirrored["grain"] = world["material"][:, ::-1], world["grain"][:, ::-1]
    np.testing.assert_array_equal(falls_of(mirrored, 3)["material"], falls_of(world, 3)["material"][:, ::-1])


@examples(6)
@given(luck=st.integers(0, 2**31), edges=st.sampled_from(EDGES), gravity=st.sampled_from(GRAVITIES))
def test_every_atom_is_counted(luck: int, edges: Edges, gravity: Gravity) -> None:
    world = loose_world(luck, edges, gravity)
    before = np.bincount(world["material"].ravel(), minlength=256)
    for _ in range(6):
        oracle.tick(world)
    now = np.bincount(world["material"].ravel(), minlength=256)
    for number, each in enumerate(world.materials):
        if number:
            left = world.atoms[each.name].left if each.name in world.atoms else 0
            assert before[number] - left == now[number], each.name


WAYS = [
    ("atoms.lines", False),
    ("atoms.lines", True),
    ("atoms.strips", True),
]


def ruins(height: int, width: int, luck: int, **laws) -> World:
    """A large world that soon comes to rest: blocks of solid that hang on each other, on walls and on little sand."""
    rng = np.random.default_rng(luck)
    world = World(height, width, RULES_OF_COLLAPSE, seed=luck, **laws)
    names = ("stone", "wood", "sand", "wall", "metal", "water")
    for number in range(26):
        columns, rows = int(rng.integers(1, width // 2)), int(rng.integers(1, 4))
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        sides = (rows, columns) if number % 2 else (columns, rows)
        world["material"][y : y + sides[0], x : x + sides[1]] = world.materials[names[number % len(names)]]
    world.draw_grain()
    return world


@pytest.mark.long("both variants of rule atoms; test_a_piece_wakes_when_its_far_end_is_cut is shorter")
@crossed(together=1, edges=EDGES, gravity=GRAVITIES)
def test_ruins_with_strokes_of_a_brush_are_equal_asleep_and_awake(edges: Edges, gravity: Gravity) -> None:
    """A stroke cuts pieces loose in tiles that have come to rest."""
    steps = 1 + 7 * (EDGES.index(edges) % 2)
    world = ruins(
        70, 132, GRAVITIES.index(gravity), edges=edges, gravity=gravity, parameters={"collapse": {"steps": steps}}
    )
    assert_equal_in_all_ways(world, 25, 4, WAYS)


@pytest.mark.long("both variants of rule atoms; the tests of rule collapse on the device have all tiles awake")
@pytest.mark.parametrize("edges", ["closed", "wrap"])
def test_pieces_that_float_and_liquid_that_runs_off_them_are_equal_asleep_and_awake(edges: Edges) -> None:
    """Rafts and stones of any size in a lake over several tiles, some of them with liquid on top."""
    rng = np.random.default_rng(EDGES.index(edges))
    world = World(96, 256, RULES_OF_COLLAPSE, edges, 3)
    material, number = world["material"], world.materials
    material[60:], material[-3:] = number["water"], number["wall"]
    material[58:60] = np.where(rng.random((2, 256)) < 0.4, number["water"], 0)
    for count in range(20):
        columns, rows = int(rng.integers(1, 60)), int(rng.integers(1, 12))
        x, y = int(rng.integers(0, 250)), int(rng.integers(8, 80))
        material[y : y + rows, x : x + columns] = number[("wood", "ice", "stone", "charcoal", "empty")[count % 5]]
        material[y - 1, x : x + columns] = number[("water", "oil", "empty")[count % 3]]
    world.draw_grain()
    assert_equal_in_all_ways(world, 25, 4, WAYS)


def test_a_piece_wakes_when_its_far_end_is_cut() -> None:
    """The beam is held in another tile than the one that is changed, and all tiles sleep before."""
    world = World(64, 160, RULES_OF_COLLAPSE)
    world["material"][20, 2:158] = world.materials["stone"]
    world["material"][20, 158:] = world.materials["wall"]
    for variant in ("lines", "strips"):
        with Workbench(world, variant={"atoms": variant}) as sim:
            sim.step(20)
            assert sim.settled
            assert (sim.read()["material"][20] != 0).sum() == 158
            sim.write_window((157, 20), {name: np.zeros_like(world[name][20:21, 157:158]) for name in world.fields})
            sim.step(5)
            assert not sim.settled
            assert (sim.read()["material"][30] != 0).sum() == 155
