"""Strokes of a brush: the device equals NumPy, cell for cell and in every ledger, for every set of rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from attacks.random_worlds import fill
from support.scenes import assert_balanced
from support.selection import crossed, mostly_long
from support.strokes import stroke_of

from gpufluid import FULL, AtomLedger, Ledger, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.core.fields import COUNT_LIMIT, MASS_LIMIT, TEMPERATURE_ONE, WATER_HEAT_LIMIT
from gpufluid.core.runs import Runs
from gpufluid.oracle import edit
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.strokes import Adding, Chance, Laying, Stroke
from gpufluid.world import Domain
from gpufluid.world.edits import as_given, edited
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

RULES = (
    ("flow",),
    ("flow", "inertia"),
    ("atoms",),
    ("atoms", "heat", "reactions"),
    ("flow", "atoms", "heat", "reactions", "pressure", "collapse"),
    ("flow", "inertia", "atoms", "heat"),
    ("mixture", "pressure"),
    ("atoms", "heat", "reactions", "mixture"),
)


def cells_of(random: Random, width: int, height: int) -> Runs:
    """Random cells: a rectangle, a few cells, or noise in a rectangle."""
    left, top = random.randrange(width), random.randrange(height)
    size = random.randint(1, height - top), random.randint(1, width - left)
    mask = np.random.default_rng(random.randrange(1 << 30)).random(size) < random.choice([0.05, 0.7, 1.1])
    mask.flat[0] = True
    return Runs.of_mask(left, top, mask)


def counted(laws: World, stroke: Stroke, before: dict, after: dict) -> dict:
    found = edited(laws, before, after)
    return found | as_given(found) if isinstance(stroke, Adding) else found


@crossed(most=1, together=1, rules=RULES, edges=EDGES)
def test_a_stroke_equals_numpy(rules: tuple[str, ...], edges: Edges) -> None:
    """`brush` and `add`: the cells, the ledgers, the copies for undo, and the material that was spared."""
    random = Random("+".join(rules) + edges)
    world = World(22, 38, rules, edges=edges, seed=7, gravity=random.choice(["down", "left", "up", "off"]))
    fill(world, np.random.default_rng(3))
    world.draw_grain()
    with Workbench(world) as sim:
        sim.step(2)
        for number in range(40):
            stroke, runs = stroke_of(random, world), cells_of(random, 38, 22)
            before, ledgers = sim.read(), sim.ledgers
            copies = sim.new_copies()
            sim.paint(runs, stroke, copies, moment=number + 1)
            arrays = {name: array.copy() for name, array in before.complete_arrays().items()}
            mask = np.zeros((22, 38), bool)
            (left, top), (width, height) = runs.at, runs.size
            mask[top : top + height, left : left + width] = runs.mask
            spared = 0
            if isinstance(stroke, Adding):
                expected, chosen = edit.add(world, arrays, (0, 0), mask, stroke)
            else:
                expected, chosen, spared = edit.brush(world, arrays, (0, 0), mask, stroke)
            found = sim.read().complete_arrays()
            for name in world.fields:
                np.testing.assert_array_equal(found[name], expected[name], f"{name} {stroke}")
            assert (copies.any, copies.spared) == (bool(chosen.any()), spared), stroke
            for name, ledger in counted(world, stroke, arrays, expected).items():
                ledgers[name] = ledgers[name] + ledger
            assert sim.ledgers == ledgers, stroke
            check_copies(copies, chosen, arrays, expected, number + 1)
            sim.step(number % 2)


def check_copies(copies, chosen: np.ndarray, before: dict, after: dict, moment: int) -> None:
    read = copies.read()
    if read is None:
        assert not chosen.any()
        return
    (left, top), (height, width) = read.at, read.moments.shape
    part = np.s_[top : top + height, left : left + width]
    np.testing.assert_array_equal(read.moments, np.where(chosen[part], moment, 0))
    assert chosen.sum() == (read.moments > 0).sum()
    for arrays, expected in ((read.before, before), (read.after, after)):
        for name, array in arrays.items():
            layered = name == "mixture"
            own = expected[name][:, *part] if layered else expected[name][part]
            marked = read.moments > 0
            pick = (lambda a: a[:, marked]) if layered else (lambda a: a[marked])  # noqa: B023
            np.testing.assert_array_equal(pick(array), pick(own), name)
    assert set(read.before) == set(before)
    assert "material" in read.after


@pytest.mark.parametrize(
    "ambient", mostly_long([4000.0, 20.0, -273.0], 4000.0, why="the same laws with another constant")
)
def test_water_of_any_mass_is_warmed_by_any_number_as_its_twin_says(ambient: float) -> None:
    """The heat brush gives water by mass its share, to the unit, and the ledger counts it; no product overflows."""
    world = World(9, 6, ("flow", "atoms", "heat"), parameters={"heat": {"ambient": ambient}})
    world["mass"] = np.array([0, 1000, FULL // 3, FULL, 32 * FULL, MASS_LIMIT])
    heat = np.array([0, 5, -5, 8192 * 90, -8192 * 90, 2**25, -(2**25), WATER_HEAT_LIMIT, -WATER_HEAT_LIMIT])
    world["water_heat"] = np.where(world["mass"] > 0, heat[:, None], 0)
    runs, mask = Runs.of_mask(0, 0, np.full((9, 6), True)), np.full((9, 6), True)
    for units in (1, -1, 84, -8000, 34184, -34184, 2**24, -(2**24)):
        stroke, before = Adding("temperature", units / TEMPERATURE_ONE), world.complete_arrays()
        expected, changed = edit.add(world, before, (0, 0), mask, stroke)
        assert changed.any()
        with Workbench(world) as sim:
            sim.paint(runs, stroke)
            after = sim.read()
        np.testing.assert_array_equal(after["water_heat"], expected["water_heat"])
        assert after.ledgers["water_heat"].given == after.total("water_heat") - world.total("water_heat")
        assert_balanced(world, after)


@pytest.mark.long("programs of its own for one mixture")
def test_a_mixture_is_warmed_and_mixed_as_its_twin_says() -> None:
    """The new part has the temperature of its material, and the parts that make room lose their share of the heat."""
    for exclusive in (False, True):
        laws = {"parameters": {"mixture": {"exclusive": exclusive}}}
        world = World(9, 6, ("mixture", "atoms", "heat"), **laws)
        parts = [world.mixture[name] for name in ("water", "sand")]
        world["mixture"][parts] = np.array([0, 1000, FULL // 3, FULL // 2, FULL // 2, FULL // 4])
        heat = np.array([0, 5, -5, 8192 * 90, -8192 * 90, 2**25, -(2**25), WATER_HEAT_LIMIT, -WATER_HEAT_LIMIT])
        world["water_heat"] = np.where((world["mixture"] > 0).any(axis=0), heat[:, None], 0)
        runs, mask = Runs.of_mask(0, 0, np.full((9, 6), True)), np.full((9, 6), True)
        lava = Laying("lava", amount=1 / 3, mixes=True)
        for stroke in (lava, Adding("temperature", 10.5), Laying("ice"), Laying("water"), Adding("temperature", -4273)):
            before = {name: array.copy() for name, array in world.complete_arrays().items()}
            is_laid = isinstance(stroke, Laying)
            expected, *_ = (edit.brush if is_laid else edit.add)(world, before, (0, 0), mask, stroke)
            with Workbench(world) as sim:
                sim.paint(runs, stroke)
                after = sim.read()
            for name in ("mixture", "water_heat"):
                np.testing.assert_array_equal(after[name], expected[name], f"{name} {stroke}")
            assert_balanced(world, after)
            if is_laid and not stroke.mixes:
                full = world.new_amount(material=stroke.material)["water_heat"]
                assert (after["water_heat"] == full).all()
        mixed, *_ = edit.brush(world, world.complete_arrays(), (0, 0), mask, lava)
        assert mixed["water_heat"][0, 0] == FULL // 3 // 1024 * 1180 * 8 + (FULL // 3 % 1024 * 1180 * 8 >> 10)


def test_a_stroke_in_a_piece_of_a_world_is_that_in_the_whole_world() -> None:
    """The cells that chance chooses, and the bytes of new atoms, are those at the same place of the whole world."""
    whole = World(18, 40, ("atoms",), seed=3)
    piece = World(9, 20, ("atoms",), domain=Domain((20, 9), (20, 9), (40, 18)), seed=3)
    laying, found = Laying("sand", serial=4, chance=Chance(0.5, 8)), []
    for world, at in ((whole, (22, 10)), (piece, (2, 1))):
        runs = Runs.of_mask(*at, np.full((5, 9), True))
        before = {name: array[at[1] : at[1] + 5, at[0] : at[0] + 9] for name, array in world.complete_arrays().items()}
        expected, chosen, _ = edit.brush(world, before, runs.at, runs.mask, laying)
        assert 10 < chosen.sum() < 35
        with Workbench(world) as sim:
            sim.paint(runs, laying)
            found.append(sim.read_window(runs.at, runs.size))
        for name, array in expected.items():
            np.testing.assert_array_equal(found[-1][name], array)
    for name, array in found[0].items():
        np.testing.assert_array_equal(found[1][name], array)


def test_chance_draws_other_cells_for_each_number() -> None:
    world, everywhere = World(60, 90, ("atoms",)), np.full((60, 90), True)
    drawn = [
        edit.brush(world, world.complete_arrays(), (0, 0), everywhere, Laying("sand", chance=Chance(1 / 8, serial)))[1]
        for serial in range(20)
    ]
    assert 0.12 < np.mean(drawn) < 0.13
    assert (drawn[0] != drawn[1]).any()


@pytest.mark.parametrize(
    "rules",
    mostly_long(
        [("flow",), ("atoms", "heat"), ("flow", "atoms", "heat", "reactions", "collapse")],
        ("flow",),
        why="programs of its own for each set of rules",
    ),
)
def test_a_stroke_wakes_the_tiles_that_it_touches(rules: tuple[str, ...]) -> None:
    world = World(90, 120, rules, seed=2)
    world["material"][85:] = world.materials["wall"]
    with Workbench(world) as sim:
        sim.step(40)
        assert sim.settled
        for laying in (Laying("water"), Laying("empty"), Laying("water", velocity=(2.0, 0.0))):
            sim.paint(Runs.of_mask(50, 20, np.full((9, 9), True)), laying)
            assert not sim.settled
            painted = sim.read()
            for ticks in (1, 7):
                sim.step(ticks)
                painted = oracle.step(painted, ticks)
                assert sim.digest() == painted.digest()


def test_a_stroke_that_no_ledger_can_count_is_refused() -> None:
    world = World(4, 4, ("atoms",))
    world.atoms += AtomLedger({"sand": Ledger(painted=COUNT_LIMIT - 5)})
    runs = Runs.of_mask(0, 0, np.full((1, 3), True))
    with Workbench(world) as sim:
        sim.paint(runs, Laying("sand"))
        before, ledgers = sim.digest(), sim.ledgers
        with pytest.raises(WorldError, match=r"atoms\['sand'\]\.painted: \d+; an edit of 3 cells could change it by 3"):
            sim.paint(runs, Laying("stone"))
        assert (sim.digest(), sim.ledgers) == (before, ledgers)


def test_a_stroke_of_what_cells_cannot_hold_is_refused() -> None:
    with Workbench(World(4, 4, ("flow",))) as sim:
        runs, before = Runs.of_mask(0, 0, np.full((1, 3), True)), sim.digest()
        with pytest.raises(WorldError, match="no rule of this world moves it"):
            sim.paint(runs, Laying("sand"))
        assert sim.digest() == before
