"""`Pass.reach`: the result in a cell depends on cells within the pass's reach, up to its end, and on no others."""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.mixtures import LAWS, random_mixture
from support.reactions import random_reacting
from support.selection import mostly_long
from support.walls import melting_world
from support.worlds import PARAMETERS, moving_water, random_atoms, random_by_declaration, random_world

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import FIELDS
from gpufluid.core.frame import in_frame, layers_in_frame
from gpufluid.core.small_floats import encoded
from gpufluid.oracle.spills import spills_among
from gpufluid.rules import LINE_STRIP, RULES, Call, Pass, emitting_rule, with_requirements
from gpufluid.rules.passes import OWN_CELLS, UNBOUNDED
from gpufluid.world.laws import GRAVITIES, Gravity

SIZE = (40, 11)  # (height, width)
WORLDS = 150
"""Pairs of worlds for each pass; some of them must show the full reach."""

RARE = {(name, less) for name in ("inertia.move", "inertia.share_heat") for less in ((3, 2), (2, 3))}
"""Reaches that would do for nearly all random worlds; `test_thin_water_between_streams_shows_the_reach_of_inertia`
shows that they are too short for `move`. `share_heat` has the window of `move`."""

ROOT = Path(__file__).parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PASSES = {pass_.full_name: pass_ for rule in RULES.values() for each in rule.variants for pass_ in each.passes}
NO_TWIN = (
    "it has no twin; tests/property/test_sleep.py shows that flags suffice, tests/cluster/test_shared_worlds.py sums"
)
NO_MARKS = "the twin does nothing; `test_marks_of_obstacles_depend_on_their_own_cell_only` runs the pass on the device"
DROPS = "tests/behaviour/test_drops.py tests it, with liquid that falls"
SPILLS = "`test_liquid_runs_off_floating_pieces_within_the_reach` tests it, in worlds as large as its reach"
UNTESTED = {
    "atoms.find_run_ends": NO_TWIN,
    "atoms.find_drops": DROPS,
    "atoms.form_drops": DROPS,
    "mixture.sum_sinking": NO_TWIN,
    "mixture.sum_rising": NO_TWIN,
    "pressure.find_liquid_tiles": NO_TWIN,
    "collapse.find_loose_tiles": NO_TWIN,
    "collapse.find_spills": SPILLS,
    "collapse.claim_spills": SPILLS,
    "collapse.spill": SPILLS,
    "flow.walls": NO_MARKS,
    "mixture.see_atoms": NO_MARKS,
    "mixture.walls": NO_MARKS,
    "inertia.push": "`test_what_falls_pushes_water_within_its_reach` tests it, in water that is deep enough",
    "inertia.carry": "tests/property/test_carrying.py tests it, in streams so fast that they carry powder",
}
"""The passes of finite reach that are not compared by the oracle in worlds of `a_world`, each with the reason, which
names a test of its own."""

LOCAL = [name for name, pass_ in PASSES.items() if pass_.reach is not UNBOUNDED and name not in UNTESTED]
"""The tested passes: all others of finite reach."""

Box = tuple[slice, slice]


def with_ports(world: World, material: str) -> World:
    height, width = world.height, world.width
    world.emitters = (Emitter((0, 0), (width, height), material=material, rate=0.4, chance=0.6),)
    world.drains = (Drain((0, 0), (width, height), rate=0.3),)
    return world


def a_world(rule: str, luck: int, beside: str = "", **laws: Any) -> World:
    """A random world with a rule, maybe beside another one, and with an emitter and a drain over all cells."""
    match rule:
        case "flow" | "inertia" | "heat" if beside:
            rules = tuple(dict.fromkeys(("flow", rule, "atoms", beside)))
            return with_ports(random_atoms(*SIZE, rules=rules, filled=0.2, luck=luck, **laws), "water")
        case "flow":
            walled = random_world(*SIZE, most=(FULL, 4 * FULL)[luck % 10 // 5], luck=luck, **laws)
            return with_ports(walled, "water")
        case "inertia":
            moving = moving_water(*SIZE, most=(FULL, 4 * FULL)[luck % 3 // 2], walls=0.05, luck=luck, **laws)
            return with_ports(moving, "water")
        case "mixture":
            mixed = random_mixture(*SIZE, luck=luck, **laws)
            return with_ports(mixed, mixed.mixture.names[0])
        case "atoms":
            kinds = ("mud", "rubber", "gravel", "water", "smoke", "wall")  # most of these slide only with matter on top
            return with_ports(random_atoms(*SIZE, kinds=kinds, filled=0.6, fastest=0, luck=luck, **laws), "sand")
        case "heat" | "reactions":
            return with_ports(random_reacting(*SIZE, luck=luck, **laws), "sand")
        case _:
            world = random_by_declaration(*SIZE, rules=with_requirements(rule), luck=luck, **laws)
            emitting = {emitting_rule(world.rules, each, world.mixture.names): each.name for each in world.materials}
            return with_ports(world, emitting.get(rule) or next(emitting[each] for each in emitting if each))


def drawn(pass_: Pass, number: int) -> tuple[World, World, Box, Call]:
    """Draw two worlds of the same laws before a call of a pass, a box of cells in the gravity frame, and the call."""
    rng = np.random.default_rng(number)
    laws: dict[str, Any] = {"seed": number, "tick": number, "gravity": GRAVITIES[number % len(GRAVITIES)]}
    if pass_.rule == "mixture":
        laws |= LAWS[number % 3]
    if pass_.rule == "flow":
        laws["parameters"] = {"flow": PARAMETERS[number % len(PARAMETERS)]}
    worlds = tuple(a_world(pass_.rule, luck, pass_.beside, **laws) for luck in (number, number + WORLDS))
    calls = list(worlds[0].schedule().calls(number))
    runs = [call for call in calls if call.pass_.full_name == pass_.full_name]
    assert runs, f"a world with rules {worlds[0].rules} does not call {pass_.full_name}"
    run = runs[number % len(runs)]
    for call in takewhile(lambda each: each is not run, calls):
        if set(call.pass_.writes) & set(pass_.takes):
            for world in worlds:
                oracle.apply(world, call)
    rows, columns = in_frame(worlds[0]["material"], worlds[0].gravity).shape
    if pass_.name == "survey":  # its results are words of strips
        return *worlds, (slice(0, LINE_STRIP), slice(3, 6)), run
    top, left = int(rng.integers(2, rows - 5)), int(rng.integers(2, columns - 7))
    return *worlds, (slice(top, top + int(rng.integers(1, 4))), slice(left, left + int(rng.integers(1, 6)))), run


def of_cells(world: World) -> dict[str, np.ndarray]:
    """Views of all arrays with one element a cell, scratch included: [row, column] of the gravity frame."""
    arrays = {name: world[name] for name in world.fields}
    found = {
        name: (layers_in_frame if FIELDS[name].layered else in_frame)(each, world.gravity)
        for name, each in arrays.items()
    }
    rows, columns = in_frame(world["material"], world.gravity).shape
    return found | {name: each for name, each in world.scratch.items() if each.shape[:2] == (rows, columns)}


def in_box(cells: dict[str, np.ndarray], name: str, box: Box) -> np.ndarray:
    """A view of a field, or of scratch, in a box of cells."""
    return cells[name][:, *box] if name in FIELDS and FIELDS[name].layered else cells[name][box]


def grown(cells: slice, by: int) -> slice:
    return slice(max(cells.start - by, 0), cells.stop + by)


def differs_within(before: World, other: World, own: Box, reach: tuple[int, int], run: Call) -> bool:
    """Test if the results in a box change when all cells beyond a reach are replaced by cells of another world."""
    mixed, made = other.copy(), before.copy()
    near = grown(own[0], reach[1]), grown(own[1], reach[0])
    kept, cells = of_cells(before), of_cells(mixed)
    for name in cells:
        in_box(cells, name, near)[...] = in_box(kept, name, near)
    for world in (made, mixed):
        oracle.apply(world, run)
    wanted, found = of_cells(made), of_cells(mixed)
    pairs = [(in_box(wanted, name, own), in_box(found, name, own)) for name in wanted]
    if run.pass_.name == "survey":  # one word for each strip
        pairs.append((made.scratch["survey"][0, own[1]], mixed.scratch["survey"][0, own[1]]))
    return not all(np.array_equal(*pair) for pair in pairs)


@pytest.mark.parametrize(
    "name",
    mostly_long(
        LOCAL,
        *(
            name
            for name in LOCAL
            if not name.startswith(("heat.", "reactions.", "inertia.")) and not name.endswith("_heat")
        ),
        why="hundreds of worlds of a pass that NumPy is slow at",
    ),
)
def test_results_depend_on_cells_within_the_reach_of_a_pass_and_on_no_others(name: str) -> None:
    pass_ = PASSES[name]
    assert pass_.reach is not None
    columns, rows = pass_.reach
    shorter: set[tuple[int, int]] = set()
    if columns:
        shorter.add((columns - 1, rows))
    if rows:
        shorter.add((columns, rows - 1))
    shorter = {each for each in shorter if (name, each) not in RARE}
    changed = False
    for number in range(WORLDS):
        before, other, own, run = drawn(pass_, number)
        assert not differs_within(before, other, own, pass_.reach, run), f"world {number}"
        shorter -= {less for less in shorter if differs_within(before, other, own, less, run)}
        if not changed:
            after = before.copy()
            oracle.apply(after, run)
            changed = bool(pass_.writes) or any((after[field] != before[field]).any() for field in before.fields)
    assert changed
    assert not shorter, f"a reach of {shorter} would do"


@pytest.mark.parametrize(
    ("masses", "momenta", "here", "axis"),
    [
        ((4, 1 / 16, 4, 0), (-2, 0, 2, 0), (4, slice(2, 6)), 0),
        ((1 / 4, 1 / 2, 3, 0), (-1 / 8, -1 / 2, 2, 0), (slice(2, 6), 4), 1),
    ],
    ids=["columns", "rows"],
)
def test_thin_water_between_streams_shows_the_reach_of_inertia(
    masses: tuple[float, ...], momenta: tuple[float, ...], here: tuple[Any, Any], axis: int
) -> None:
    """It parts, and has too little for both; water that presses on one stream changes what the other gets."""
    found = set()
    for pressing in (0, 2 * FULL):
        world = World(9, 9, ("flow", "inertia"), edges="open")
        world["mass"][here] = [int(mass * FULL) for mass in masses]
        world["momentum"][(*here, axis)] = encoded(np.array([int(momentum * FULL) for momentum in momenta]))
        world["mass"][here][-1] = pressing
        run = next(call for call in world.schedule().calls(0) if call.pass_.full_name == "inertia.move")
        oracle.apply(world, run)
        found.add(int(world["mass"][here][0]))
    assert len(found) > 1


def falling_into_water(luck: int) -> World:
    """A random world of columns in which atoms fall into pools, some of them deep."""
    rng = np.random.default_rng(luck)
    world = World(120, 4, ("flow", "inertia", "atoms"), seed=luck, gravity=GRAVITIES[luck % 2])
    material, mass = in_frame(world["material"], world.gravity), in_frame(world["mass"], world.gravity)
    kinds = [world.materials[name] for name in ("sand", "gravel", "oil", "snow", "mercury")]
    for column in range(4):
        row = int(rng.integers(0, 10))
        while row < 115:
            atoms, depth = int(rng.integers(1, 5)), int(rng.choice([3, 29, 40, 60]))
            material[row : row + atoms, column] = rng.choice(kinds, len(material[row : row + atoms]))
            mass[row + atoms : row + atoms + depth, column] = FULL
            row += atoms + depth
    down = 1 if world.gravity == "down" else -1
    world["velocity"][..., 1] = np.where(world["material"] > 0, down * rng.integers(0, 100, world["material"].shape), 0)
    fast = encoded(np.full(world["mass"].shape, -3 * FULL // 8))  # upward, so that a cell can take much
    world["momentum"][..., 1] = np.where((world["mass"] > 0) & (rng.random(fast.shape) < 0.1), down * fast, 0)
    return world


@pytest.mark.long("NumPy is slow at the pass")
def test_what_falls_pushes_water_within_its_reach() -> None:
    """The last rows of the reach get only what rounding leaves over, which these worlds do not show."""
    pass_, shorter = PASSES["inertia.push"], {(0, 23), (0, 24)}
    assert pass_.reach is not UNBOUNDED
    for number in range(300):
        before, other = falling_into_water(number), falling_into_water(number + 300)
        run = next(call for call in before.schedule().calls(0) if call.pass_.full_name == pass_.full_name)
        top = int(np.random.default_rng(number).integers(30, 90))
        own = slice(top, top + 2), slice(1, 3)
        assert not differs_within(before, other, own, pass_.reach, run), number
        shorter -= {less for less in shorter if differs_within(before, other, own, less, run)}
    assert not shorter


def wide_raft(rng: np.random.Generator) -> np.ndarray:
    """Names of materials, [row, column]: a raft with liquid on it, with shores about 64 columns from its middle.

    The sea on both sides is rough, and there may be something in the way.
    """
    cells = np.full((6, 262), "empty", object)
    left, right = 131 - int(rng.integers(62, 68)), 131 + int(rng.integers(62, 68))
    cells[3:] = "water"
    cells[3, rng.random(262) < 0.3] = "empty"
    if rng.random() < 0.5:
        cells[rng.integers(1, 3), rng.choice([rng.integers(0, left), rng.integers(right, 262)])] = "wall"
    cells[2:4, left:right] = "wood"
    cells[1, left:right][rng.random(right - left) < 0.1] = "oil"
    for off in range(62, 67):  # columns to a shore
        cells[1, [left - 1 + off, right - off]] = rng.choice(["oil", "empty"], 2, p=(0.8, 0.2))
    cells[0, rng.random(262) < 0.1] = "smoke"
    return cells


def high_pillars(rng: np.random.Generator) -> np.ndarray:
    """As `wide_raft`, of pillars about 64 cells high between shafts, in which liquid lies about 64 rows lower."""
    cells = np.full((72, 7), "wall", object)
    for column in (0, 1, 5, 6):
        cells[: 3 + rng.integers(62, 67), column] = "empty"
    for column in (2, 3, 4):
        cells[4 : 4 + rng.integers(62, 67), column] = "wood"
    cells[4:][cells[4:] == "wall"] = "water"
    cells[:4, 2:5] = "empty"
    cells[3, 2:5] = rng.choice(["oil", "empty"], 3, p=(0.8, 0.2))
    cells[2, 2:5] = rng.choice(["empty", "smoke", "sand"], 3, p=(0.7, 0.2, 0.1))
    return cells


def with_liquid_on_pieces(luck: int, gravity: Gravity, chaos: float = 0) -> World:
    """A world of `wide_raft` or `high_pillars`, in which something random is in a part of the cells."""
    rng = np.random.default_rng(luck)
    names = (wide_raft, high_pillars)[luck % 2](rng)
    anything = rng.choice(["empty", "water", "wood", "wall"], names.shape, p=(0.4, 0.3, 0.2, 0.1))
    names = np.where(rng.random(names.shape) < chaos, anything, names)
    size = names.shape if gravity in ("down", "up") else names.shape[::-1]
    world = World(*size, ("atoms", "collapse"), seed=luck, tick=luck, gravity=gravity)
    in_frame(world["material"], gravity)[...] = np.vectorize(world.materials.__getitem__)(names)
    return world


@pytest.mark.parametrize("name", [name for name, reason in UNTESTED.items() if reason == SPILLS])
def test_liquid_runs_off_floating_pieces_within_the_reach(name: str) -> None:
    """One column or one row less would not do."""
    pass_ = PASSES[name]
    assert pass_.reach is not UNBOUNDED
    columns, rows = pass_.reach
    shorter = {(columns - 1, rows), (columns, rows - 1)}
    for luck in range(32):
        rng, gravity = np.random.default_rng(luck), GRAVITIES[luck // 2 % 4]
        before = with_liquid_on_pieces(luck, gravity)
        other = with_liquid_on_pieces(luck + 32, gravity, chaos=luck // 8 % 2)
        calls = {call.pass_.name: call for call in before.schedule().calls(luck) if call.pass_.rule == "collapse"}
        for earlier in takewhile(lambda each: each != pass_.name, ("find_spills", "claim_spills", "spill")):
            for world in (before, other):
                oracle.apply(world, calls[earlier])
        if pass_.writes:  # the first of the passes; some of the liquid stays
            cells = np.argwhere(in_frame(before["material"], gravity) == before.materials["oil"])
        else:
            spills = spills_among(before.scratch["spills"])
            cells = np.array([(each.to_row, each.to_column) for each in spills])
            if pass_.updates:
                cells = np.concatenate([cells, [(each.row, each.column) for each in spills]])
        for row, column in rng.permutation(cells)[:3].tolist():
            own, run = (slice(row, row + 1), slice(column, column + 1)), calls[pass_.name]
            assert not differs_within(before, other, own, pass_.reach, run), luck
            shorter -= {less for less in shorter if differs_within(before, other, own, less, run)}
    assert not shorter, f"a reach of {shorter} would do"


def test_only_passes_that_the_oracle_cannot_show_are_left_out() -> None:
    for name, reason in UNTESTED.items():
        pass_ = PASSES[name]
        assert pass_.reach is not UNBOUNDED
        assert pass_.analysis_only == (reason == NO_TWIN), name
        # Of rules for amounts; the random worlds of these rules have no atoms, which are obstacles that change.
        assert pass_.if_obstacles_change == (reason == NO_MARKS or pass_.rule == "inertia"), name
        if reason == NO_MARKS:
            assert pass_.reach == OWN_CELLS


def test_the_reason_to_leave_a_pass_out_names_its_test() -> None:
    for reason in UNTESTED.values():
        tests, files = re.findall(r"`(test_\w+)`", reason), re.findall(r"tests/[\w/]+\.py", reason)
        assert tests or files, reason
        assert all(callable(globals().get(test)) for test in tests), reason
        assert all((ROOT / file).is_file() for file in files), reason


def texels_before(sim: Simulation, name: str) -> dict[str, np.ndarray]:
    """The texels of all planes, by name, after the passes of a tick that run before a pass."""
    for call in takewhile(lambda call: call.pass_.full_name != name, sim.calls()):
        if call.pass_.full_name in sim.running:
            sim.run(call)
    return texels_of(sim)


def texels_of(sim: Simulation) -> dict[str, np.ndarray]:
    world = sim.blank
    with sim._current():
        return {
            plane.name: sim._planes.read_texels(plane.name, (0, 0, world.width, world.height)) for plane in world.planes
        }


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "name",
    mostly_long(
        [name for name, reason in UNTESTED.items() if reason == NO_MARKS],
        why="programs of its own",
    ),
)
def test_marks_of_obstacles_depend_on_their_own_cell_only(name: str) -> None:
    """A random half of the cells comes from another world; the marks of the other half must not change by this."""
    rule = PASSES[name].rule
    plane = "mass" if rule == "flow" else rule
    first, second = (melting_world((rule, "atoms", "heat"), "closed", luck=luck) for luck in range(2))
    kept = np.random.default_rng(0).random((first.height, first.width)) < 0.5
    with Simulation(first, sleeping=False) as one, Simulation(second, sleeping=False) as other:
        before, beside = texels_before(one, name), texels_before(other, name)
        layers = len(before[plane]) // first.height
        run = next(call for call in one.calls() if call.pass_.full_name == name)
        with other._current():
            for each, texels in before.items():
                mask = np.tile(kept, (len(texels) // first.height, 1))
                mixed = np.where(mask, texels, beside[each])
                other._planes.put_texels(each, (0, 0, first.width, first.height), mixed.ravel().view(np.uint8))
        for sim in (one, other):
            sim.run(run)
        mask = np.tile(kept, (layers, 1))
        wanted, found = texels_of(one)[plane], texels_of(other)[plane]
    assert (wanted != before[plane])[mask].any()
    np.testing.assert_array_equal(wanted[mask], found[mask])


def test_a_reach_is_the_same_in_every_variant() -> None:
    for rule in RULES.values():
        for variant in rule.variants:
            assert all(pass_.reach == PASSES[pass_.full_name].reach for pass_ in variant.passes)


def test_the_table_of_reaches_equals_the_declarations() -> None:
    section = CONTRIBUTING.read_text(encoding="utf-8").split("\n## Reach\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_.]+)` \| ([^|]+) \|", section, re.MULTILINE)
    reaches = {name: pass_.reach for name, pass_ in PASSES.items()}
    assert dict(rows) == {name: f"{each[0]}, {each[1]}" if each else "unbounded" for name, each in reaches.items()}
    assert len(rows) == len(reaches)
