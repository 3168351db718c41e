"""Rule atoms on the GPU against its NumPy twin, bit for bit, after every pass of every tick.

Its passes: `emit`, `find_drops`, `form_drops`, `seek`, `spread`, `touch`, `join`, `bounce`, `survey`, `fall`, `rise`,
`glide`, `settle`, `weigh`, `sink`, `drain`, `drain_falling`, `drain_rising`, `drain_gliding`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import following, selection
from support.following import follow_by_ticks
from support.selection import crossed, examples, mostly_long
from support.worlds import atom_worlds, random_atoms

from gpufluid import Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import SPEED_LIMIT
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.ports import CHANCE_ONE, Port
from gpufluid.oracle.chance import noise
from gpufluid.rules import RULES, Call, Variant
from gpufluid.world.laws import EDGES, GRAVITIES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

every_gravity = pytest.mark.parametrize("gravity", GRAVITIES)
every_edge = pytest.mark.parametrize("edges", EDGES)


VARIANTS = [each.name for each in RULES["atoms"].variants]
every_variant = pytest.mark.parametrize("variant", VARIANTS)
variants = st.sampled_from(VARIANTS)


def variant_for(world: World, drawn: str) -> str:
    """The variant that was drawn; in the short run the same one for all worlds with the same edges and gravity."""
    number = EDGES.index(world.edges) + GRAVITIES.index(world.gravity)
    return drawn if selection.everything else VARIANTS[number % len(VARIANTS)]


def follow_by_passes(world: World, ticks: int, variant: str | None = None) -> list[np.ndarray]:
    """Compare every pass, and the scratch that it writes, with the twin. Returns the slots after each run of `seek`."""
    slots = []

    def compare(sim: Simulation, world: World, call: Call) -> None:
        for scratch in call.pass_.writes if not call.pass_.activated_by else ():
            np.testing.assert_array_equal(sim.scratch(scratch.name), world.scratch[scratch.name])
        if call.pass_.name == "seek":
            slots.append(world.scratch["slots"])

    following.follow_by_passes(world, ticks, compare, trace=True, variant=variant)
    return slots


def with_ports(height: int, width: int, luck: int, **laws) -> World:
    """Atoms with emitters of high speed, with a rate and a chance, and of low speed; drains with and without a rate.

    Two drains are thin lines across the world, one of them at its edge.
    """
    rng = np.random.default_rng(luck)

    def port(kind: type[Port], **how) -> Port:
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        return kind((x, y), (int(rng.integers(1, width - x + 1)), int(rng.integers(1, height - y + 1))), **how)

    emitters = [
        port(Emitter, material="water", velocity=(7.9, -7.9), scatter=1.5),
        port(Emitter, material="smoke", rate=0.4, chance=0.7),
        port(Emitter, material="sand", velocity=(-3.0, 2.0)),
    ]
    drains = [port(Drain), port(Drain, rate=0.3)]
    drains += [Drain((int(rng.integers(0, width)), height // 3), (1, height - height // 3)), Drain((0, 0), (width, 1))]
    return random_atoms(height, width, luck=luck, emitters=emitters, drains=drains, **laws)


@examples(30)
@given(world=atom_worlds(), ticks=st.integers(1, 2), variant=variants)
def test_every_pass_equals_its_twin(world: World, ticks: int, variant: str) -> None:
    follow_by_passes(world, ticks, variant_for(world, variant))


@examples(30)
@given(world=atom_worlds(), ticks=st.integers(1, 5), trace=st.booleans(), variant=variants)
def test_every_tick_equals_its_twin(world: World, ticks: int, trace: bool, variant: str) -> None:
    follow_by_ticks(world, ticks, trace=trace, variant=variant_for(world, variant))


@examples(8)
@given(world=atom_worlds(rules=("flow", "atoms")), ticks=st.integers(1, 4), trace=st.booleans())
def test_every_tick_beside_rule_flow_equals_its_twin(world: World, ticks: int, trace: bool) -> None:
    follow_by_ticks(world, ticks, trace=trace)


@crossed(most=1, together=1, edges=EDGES, gravity=GRAVITIES)
def test_worlds_of_several_strips_and_segments_equal_their_twins(edges: Edges, gravity: Gravity) -> None:
    follow_by_passes(with_ports(40, 70, luck=3, edges=edges, gravity=gravity, seed=5), 1)
    follow_by_ticks(with_ports(66, 34, luck=4, edges=edges, gravity=gravity, seed=6), 3)


@crossed(
    most=2,
    variant=RULES["atoms"].variants,
    laws=[(("atoms",), True), (("atoms",), False), (("flow", "atoms"), True)],
)
def test_a_column_of_several_tiles_whose_foot_gives_way_equals_its_twin(
    variant: Variant, laws: tuple[tuple[str, ...], bool]
) -> None:
    """It has been at rest, so its upper tiles are not marked as changed; they are processed if no tile may sleep."""
    rules, sleeping = laws
    world = World(96, 2, rules, drains=[Drain((0, 95), (1, 1), start=20)])
    world["material"][:] = world.materials["sand"]
    world.draw_grain()
    twin = world.copy()
    with Simulation(world, variant={"atoms": variant.name}, sleeping=sleeping) as sim:
        for _ in range(30):
            sim.step(1)
            oracle.tick(twin)
            assert sim.digest() == twin.digest(), twin.tick
    assert (twin["material"][:8] == 0).any(), "the column has moved as a whole"


@pytest.mark.long("a set of programs for each edge and gravity; the random worlds have such sizes")
@crossed(together=1, edges=["closed", "open"], gravity=["down", "left"])
def test_small_and_odd_worlds_equal_their_twins(edges: Edges, gravity: Gravity) -> None:
    for size in ((1, 1), (1, 64), (64, 1), (3, 5), (33, 17)):
        follow_by_ticks(with_ports(*size, luck=8, edges=edges, gravity=gravity), 3)


@pytest.mark.long("two programs of each pass, because a side of the textures is a power of two or not")
@pytest.mark.parametrize(
    "laws",
    [{"edges": "closed", "gravity": "left"}, {"edges": "open", "gravity": "down"}],
    ids=lambda laws: "-".join(laws.values()),
)
def test_worlds_with_one_side_a_power_of_two_equal_their_twins(laws: dict[str, Any]) -> None:
    for size in ((1, 9), (9, 1), (1, 33), (40, 2), (32, 35), (31, 16)):
        follow_by_ticks(with_ports(*size, luck=8, **laws), 3)


@pytest.mark.parametrize(
    "gravity", mostly_long(["left", "off"], why="six sizes; test_every_tick_equals_its_twin draws tori of any size")
)
def test_tori_so_small_that_an_atom_can_return_to_its_cell_equal_their_twins(gravity: Gravity) -> None:
    for size in ((2, 2), (2, 64), (64, 2), (4, 4), (6, 6), (8, 8)):
        follow_by_ticks(with_ports(*size, luck=1, edges="wrap", gravity=gravity), 4, trace=True)


@crossed(most=2, edges=EDGES, material=["water", "methane"], speed=[-SPEED_LIMIT, -20, 0, 20, SPEED_LIMIT])
def test_tall_runs_that_fall_rise_or_rest_equal_their_twins(edges: Edges, material: str, speed: int) -> None:
    """Columns of moving atoms over several strips, with and without a hole ahead; on a torus they close to rings."""
    world = World(104, 8, ("atoms",), edges=edges)
    world["material"] = world.materials[material]
    world["material"][70, 2] = world["material"][30:36, 3] = world["material"][103, 4:6] = 0
    world["material"][50, 6] = world.materials["wall"]
    world["velocity"][(world["material"] != 0) & ~world.solid] = speed
    follow_by_passes(world, 2)


@crossed(most=2, gravity=["down", "off"], speed=[-SPEED_LIMIT, -15, 15, SPEED_LIMIT])
def test_closed_rings_of_moving_atoms_equal_their_twins(gravity: Gravity, speed: int) -> None:
    """Columns and rows that close around a torus: full, with one gap, with many gaps, and with one atom at rest."""
    world = World(98, 98, ("atoms",), edges="wrap", gravity=gravity)
    stripes = np.zeros((98, 98), bool)
    stripes[:, 4:44:8] = stripes[4:44:8, :] = True
    stripes[60, 4] = stripes[70:90, 12] = stripes[50:80:3, 20] = False
    stripes[4, 60] = stripes[12, 70:90] = stripes[20, 50:80:3] = False
    world["material"] = np.where(stripes, world.materials["oil"], 0)
    world["velocity"] = np.where(stripes[:, :, None], speed, 0)
    world["velocity"][52, 28] = world["velocity"][28, 52] = 0
    follow_by_passes(world, 1)
    follow_by_ticks(world, 3, trace=True)


def basin() -> np.ndarray:
    """A world of 88 x 140 cells: still water beside a dry part; shafts, small holes, oil and gas; drops on top.

    Shelves lie in the dry parts, because a liquid leaves a free face only over something.
    """
    number = {record.name: number for number, record in enumerate(SHIPPED)}
    material = np.full((88, 140), number["water"])
    material[0, np.arange(140) % 5 > 0] = 0
    material[:, 60:66] = material[:, 97:137] = material[20:80, 30:33] = 0
    material[2:80:7, 5:95:11] = 0
    material[30:50, 92:97] = number["oil"]
    material[55:75, 66:70] = number["methane"]
    material[4:84:4, 60:62] = material[4:84:4, 97:137:2] = number["wall"]
    material[6:16:5, 97:137] = number["wall"]
    material[87] = number["wall"]
    return material


@crossed(most=1, together=1, edges=EDGES, gravity=["down", "up", "left", "right"])
def test_spread_in_deep_and_wide_basins_equals_its_twin(edges: Edges, gravity: Gravity) -> None:
    """Runs over many segments, several heads and holes at once, from the surface to below the largest counted depth."""
    drawn = basin()
    material = {"down": drawn, "up": drawn[::-1], "left": drawn.T[:, ::-1], "right": drawn.T}[gravity]
    height, width = material.shape
    world = World(height, width, ("atoms",), edges, gravity=gravity)
    world["material"] = material
    slots = np.concatenate([found.reshape(-1, 4) for found in follow_by_passes(world, 1)])
    word, heads, holes, _ = slots.T
    assert (word >> 24).max() == 64
    assert (word >> 8 & 0xFFFF).max() > 16
    assert heads.max() > 2**8
    assert any(mask.bit_count() > 4 for mask in holes.tolist())


@crossed(most=1, together=1, edges=EDGES, gravity=["down", "up", "left", "right"])
def test_spread_under_a_layer_of_a_less_dense_fluid_equals_its_twin(edges: Edges, gravity: Gravity) -> None:
    """Two steps of water beside oil, with a bubble and a drop: heads with every kind of lift."""
    names = {record.name: number for number, record in enumerate(SHIPPED)}
    drawn = np.full((150, 64), names["oil"])
    drawn[4:, :30] = drawn[110:, :56] = drawn[50:55, 40:44] = names["water"]
    drawn[80:84, 10:14] = names["oil"]
    material = {"down": drawn, "up": drawn[::-1], "left": drawn.T[:, ::-1], "right": drawn.T}[gravity]
    world = World(material.shape[0], material.shape[1], ("atoms",), edges, gravity=gravity)
    world["material"] = material
    slots = np.concatenate([found.reshape(-1, 4) for found in follow_by_passes(world, 2)])
    lifts = slots[:, 3]
    assert lifts.max() > 60
    assert (lifts[lifts > 0] % 2 == 1).all()


@crossed(
    most=1,
    together=1,
    variant=[each.name for each in RULES["atoms"].variants],
    edges=EDGES,
    gravity=["down", "left", "off"],
)
def test_bodies_that_bounce_equal_their_twins(variant: str, edges: Edges, gravity: Gravity) -> None:
    """Discs of rubber, thrown at each other, at walls and over an edge, from tick to tick and pass by pass."""
    world = World(48, 80, ("atoms",), edges=edges, gravity=gravity, seed=5)
    rng = np.random.default_rng(5)
    world["material"][30:34, 30:44] = world.materials["wall"]
    world["material"][40:, 60:] = world.materials["water"]
    rows, columns = np.mgrid[:48, :80]
    for _ in range(7):
        row, column = rng.integers(6, 42), rng.integers(6, 74)
        disc = (rows - row) ** 2 + (columns - column) ** 2 <= rng.integers(2, 40)
        world["material"][disc] = world.materials["rubber"]
        world["velocity"][disc] = rng.integers(-100, 101, 2)
    follow_by_passes(world, 2, variant)
    follow_by_ticks(world, 12, variant=variant)


@pytest.mark.parametrize(
    "tick",
    mostly_long(
        [0, 15, 2**16 + 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**40 + 7], 15, 2**32 - 1, why="a tick between others"
    ),
)
def test_worlds_at_any_tick_equal_their_twins(tick: int) -> None:
    world = with_ports(18, 35, luck=7, tick=tick, seed=2**32 - 1)
    follow_by_ticks(world, 3)
    assert all(world.atoms[emitter.material].emitted for emitter in world.emitters)


@pytest.mark.parametrize("runs", mostly_long([0, 64], 0, why="64 runs of each pass, beside the oracle"))
def test_the_most_and_the_fewest_runs_of_passes_in_a_tick_equal_their_twins(runs: int) -> None:
    parameters = {"atoms": {"substeps": runs, "spreads": runs}}
    world = random_atoms(20, 37, kinds=("water", "oil", "sand", "steam"), fastest=0, parameters=parameters)
    follow_by_ticks(world, 2)


@pytest.mark.parametrize("acceleration", mostly_long([0.1875, 2.0], why="every speed, in a world with many materials"))
def test_every_speed_under_every_acceleration_equals_its_twin(acceleration: float) -> None:
    """Every speed that a cell can hold, for materials of many densities and terminal speeds, in several ticks."""
    weights = (-4.0, -2.7, -1.3, -1.0, -0.4, 0.0, 0.1, 0.3, 0.7, 1.0, 1.6, 2.9, 3.97, 4.0)
    kinds = [
        Material(f"kind {number}", State.POWDER, 1000, (0, 0, 0), None, gravity, terminal)
        for number, (gravity, terminal) in enumerate(product(weights, (0.0, 0.3, 2.0, 7.9)))
    ]
    speeds = np.arange(-SPEED_LIMIT, SPEED_LIMIT + 1)
    world = World(
        10 * len(kinds),
        len(speeds),
        ("atoms",),
        edges="open",
        parameters={"atoms": {"acceleration": acceleration, "substeps": 0, "spreads": 0}},
        materials=MaterialTable((*SHIPPED, *kinds)),
    )
    world["material"][5::10] = np.arange(len(SHIPPED), len(SHIPPED) + len(kinds))[:, None]
    world["velocity"][5::10, :, 1] = speeds
    for tick in (0, 1, 7, 14, 15):
        world.tick = tick
        follow_by_ticks(world.copy(), 1)


def test_a_cell_emits_exactly_if_its_roll_is_below_the_chance() -> None:
    seeded = World(1, 1, ("atoms",), seed=5)
    rolls = noise(seeded, 2, 1, 9, seeded.fixed("atoms")["use_emit"])
    roll = int(rolls[0][0] >> 1)
    for chance, emits in ((roll, 0), (roll + 1, 1)):
        emitter = Emitter((2, 1), material="sand", chance=chance / CHANCE_ONE)
        world = World(3, 4, ("atoms",), tick=9, seed=5, emitters=[emitter])
        follow_by_ticks(world, 1)
        assert world.atoms["sand"].emitted == emits
