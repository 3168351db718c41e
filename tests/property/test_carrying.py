"""Streams of water by mass carry powder: thresholds, directions, what is conserved, and beds that sleep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.atoms import mirror_chance, mirrored, turned
from support.following import follow_by_passes, follow_by_ticks
from support.selection import mostly_long
from support.worlds import random_atoms

from gpufluid import FULL, Emitter, Simulation, World, oracle
from gpufluid.core.errors import UsageError
from gpufluid.core.small_floats import decoded, encoded
from gpufluid.matter.materials import CARRIED_ONE, SHIPPED, MaterialTable, State
from gpufluid.oracle.chance import partition_offset
from gpufluid.rules import RULES
from gpufluid.rules.inertia import TURN
from gpufluid.runtime.editing import Workbench
from gpufluid.world.laws import EDGES, Edges, Gravity

pytestmark = pytest.mark.usefixtures("device")

RULES_HERE = ("flow", "inertia", "atoms")
POWDERS = [record for record in SHIPPED if record.state is State.POWDER and record.cohesion != 1]
KINDS = ("sand", "gravel", "snow", "ash", "soil", "stone", "oil")


def threshold_of(name: str) -> int:
    """The speed above which water carries a material, in 2**-14 cells a tick."""
    table = MaterialTable()
    return int(table.column("carried_at")[table[name]])


def stream(speed: float, rows: int = 12, width: int = 24) -> World:
    """A world full of water with a speed to the right, in cells a tick."""
    world = World(rows, width, RULES_HERE, seed=3)
    world["mass"][...] = FULL
    world["momentum"][..., 0] = encoded(np.array(round(speed * FULL)))
    return world


def bed(speed: float, name: str) -> World:
    """A stream, half of it over a bed of a powder."""
    world = stream(speed)
    world["material"][6:] = world.materials[name]
    world["mass"][6:] = world["momentum"][6:] = 0
    world.draw_grain()
    return world


def lone(speed: float, name: str) -> World:
    """A stream with one atom of a powder on a floor of stone."""
    world = bed(speed, "stone")
    world["material"][5, 12], world["mass"][5, 12], world["momentum"][5, 12] = world.materials[name], 0, 0
    world.draw_grain()
    return world


def carried(world: World, ticks: int = 1) -> World:
    """A copy of a world after pass inertia.carry of so many ticks; no other pass runs."""
    world = world.copy()
    for tick in range(world.tick, world.tick + ticks):
        for call in world.schedule().calls(tick):
            if call.pass_.full_name == "inertia.carry":
                oracle.apply(world, call)
    return world


def random_streams(height: int = 34, width: int = 42, luck: int = 0, **laws) -> World:
    """A random world of powders, other atoms at rest, and water of any speed."""
    options = {"rules": RULES_HERE, "kinds": KINDS, "filled": 0.45, "fastest": 0, "luck": luck, "seed": luck}
    world = random_atoms(height, width, **{**options, **laws})
    rng = np.random.default_rng(luck)
    speed = rng.uniform(-0.7, 0.7, (height, width, 2))
    momentum = encoded((world["mass"][..., None] * speed).astype(np.int64))
    world["momentum"] = np.where((world["mass"] > FULL // 3)[..., None], momentum, 0)
    return world


def first_change(world: World, ticks: int) -> World | None:
    """A copy of a world after the first of so many ticks in which pass inertia.carry moves powder; None: in none."""
    for _ in range(ticks):
        after = carried(world)
        if (after["material"] != world["material"]).any():
            return after
        world.tick += 1
    return None


@pytest.mark.parametrize(
    "name", mostly_long(["sand", "gravel", "ash"], "gravel", why="two hundred ticks of the oracle")
)
@pytest.mark.parametrize("side", [1, -1])
def test_powder_rolls_above_its_threshold_and_not_below(name: str, side: int) -> None:
    threshold, ticks = threshold_of(name), 24 if name == "gravel" else 200
    below, above = (lone(side * each / CARRIED_ONE, name) for each in (threshold, threshold + 2))
    assert first_change(below, ticks) is None
    after = first_change(above, ticks)
    assert after is not None
    assert np.argwhere(after["material"][:6]).tolist() == [[5, 12 + side]]


@pytest.mark.parametrize("side", [1, -1])
def test_water_lifts_powder_from_a_bed_at_twice_its_threshold(side: int) -> None:
    threshold = threshold_of("sand")
    below, above = (bed(side * 2 * each / CARRIED_ONE, "sand") for each in (threshold, threshold + 2))
    assert first_change(below, 16) is None
    lifted = carried(above, 16)
    assert (lifted["material"][:6] != 0).any()
    assert (lifted["material"] != 0).sum() == (above["material"] != 0).sum()


def test_powder_that_floats_drifts_at_the_speed_of_the_water_and_other_powder_rolls_faster() -> None:
    """Sixty atoms of each: at a tenth of a cell a tick, within a fifth, over 20 ticks."""
    moved = {}
    for name in ("snow", "sand"):
        world = stream(0.1, 121, 60)
        world["material"][:, 20] = np.where(np.arange(121) % 2, world.materials[name], 0)
        for field in ("mass", "momentum"):
            world[field][1::2, 20] = 0
        for tick in range(20):
            world.tick = tick
            world = carried(world)
            water = world["material"] == 0
            world["momentum"] = np.where(water[..., None], encoded(np.array([FULL // 10, 0])), 0)
        moved[name] = (np.nonzero(world["material"])[1] - 20).mean()
    assert moved["snow"] == pytest.approx(2, rel=0.25)
    assert 2 * moved["snow"] < moved["sand"] <= 10


def test_water_that_fills_less_than_half_a_cell_and_still_water_carry_nothing() -> None:
    thin = bed(0.6, "ash")
    thin["mass"][:6] = FULL // 2 - 1
    for world in (thin, bed(0, "ash")):
        assert first_change(world, 8) is None


def test_nothing_carries_solids_liquids_and_powder_without_a_threshold() -> None:
    records = [replace(record, carried_at=0.0 if record.name == "sand" else record.carried_at) for record in SHIPPED]
    for name in ("stone", "oil", "sand"):
        world = World(12, 24, RULES_HERE, materials=MaterialTable(tuple(records)))
        source = bed(0.6, name)
        for field in ("material", "mass", "momentum"):
            world[field] = source[field]
        assert first_change(world, 8) is None


@pytest.mark.parametrize("density", mostly_long([300, 1600], why="programs of its own for each density"))
def test_no_stream_takes_an_elastic_body_apart(density: int) -> None:
    """Whether it floats or lies on the ground."""
    rubber = replace(SHIPPED[MaterialTable()["rubber"]], density=density, carried_at=0.02)
    own = MaterialTable(tuple(rubber if record.name == rubber.name else record for record in SHIPPED))
    source, world = bed(0.6, "rubber"), World(12, 24, RULES_HERE, materials=own)
    for field in ("material", "mass", "momentum"):
        world[field] = source[field]
    assert first_change(world, 8) is None
    with Workbench(world) as sim:
        assert "inertia.carry" not in sim.timed_step()


@pytest.mark.parametrize(
    ("material", "rules", "threshold", "carried"),
    [
        ("sand", RULES_HERE, 0.02, True),
        ("sand", RULES_HERE, 0.0, False),
        ("stone", RULES_HERE, 0.02, False),
        ("oil", RULES_HERE, 0.02, False),
        ("sand", ("flow", "atoms"), 0.02, False),
    ],
)
def test_the_pass_runs_only_in_worlds_with_powder_that_streams_carry(
    material: str, rules: tuple[str, ...], threshold: float, carried: bool
) -> None:
    powders = {record: replace(record, carried_at=threshold) for record in POWDERS}
    own = MaterialTable(tuple(powders.get(record, record) for record in SHIPPED))
    world = World(4, 4, rules, materials=own)
    world["material"][3] = own[material]
    with Workbench(world) as sim:
        assert ("inertia.carry" in sim.timed_step()) == carried


@pytest.mark.parametrize("value", [-0.1, 1.1, True, "fast"])
def test_a_wrong_threshold_is_refused(value: object) -> None:
    sand = replace(SHIPPED[5], carried_at=value)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"materials\[1\]: 'sand': carried_at: .*; expected a number from 0 to 1"):
        MaterialTable((SHIPPED[0], sand))


def test_only_powders_have_a_threshold() -> None:
    table = MaterialTable()
    assert [record.name for record in table if record.carried_at] == [record.name for record in POWDERS]
    assert threshold_of("sand") == round(0.02 * CARRIED_ONE)
    assert threshold_of("gravel") > 2 * threshold_of("sand")


@pytest.mark.parametrize("gravity", ["down", "off"])
@pytest.mark.parametrize("edges", EDGES)
def test_cells_change_places_in_blocks_and_momentum_only_falls(edges: Edges, gravity: Gravity) -> None:
    """Of two cells of a block; mass, atoms, heat and grain move along. The momentum of no axis grows."""
    rules = (*RULES_HERE, "heat")
    for luck in range(2):
        world = random_streams(luck=luck, rules=rules, edges=edges, gravity=gravity)
        world.scratch["tag"] = np.arange(world["material"].size, dtype=np.int32).reshape(world["material"].shape)
        after = carried(world)
        origin = after.scratch["tag"]
        np.testing.assert_array_equal(np.sort(origin, axis=None), np.arange(origin.size))
        moved = origin != world.scratch["tag"]
        assert moved.sum() > 40
        was, found = world.complete_arrays(), after.complete_arrays()
        for name in ("material", "mass", "grain", "temperature", "velocity"):
            flat = was[name].reshape(origin.size, -1)
            np.testing.assert_array_equal(found[name].reshape(origin.size, -1), flat[origin.ravel()], err_msg=name)
        states = world.materials.column("state")[world["material"]]
        assert np.isin(states[moved], (State.EMPTY, State.POWDER)).all()
        assert ((world["mass"] > 0) | (states == State.POWDER))[moved].all()
        came = decoded(world["momentum"]).reshape(-1, 2)[origin.ravel()].reshape(*origin.shape, 2)
        now = decoded(after["momentum"])
        assert (np.abs(now) <= np.abs(came)).all()
        assert (now * came >= 0).all()
        paid = (now != came).any(axis=-1)
        assert 0 < paid.sum() <= moved.sum() // 2


def test_the_water_that_carries_pays_half_of_its_momentum_above_the_threshold() -> None:
    world = lone(0.3, "sand")
    after = first_change(world, 40)
    assert after is not None
    before, now = (decoded(each["momentum"])[..., 0].sum() for each in (world, after))
    threshold = threshold_of("sand") / CARRIED_ONE
    assert before - now == pytest.approx((0.3 - threshold) / 2 * FULL, rel=0.01)


@pytest.mark.parametrize("gravity", ["down", "off"])
@pytest.mark.parametrize("edges", EDGES)
def test_a_mirrored_stream_carries_the_mirrored_powder(
    edges: Edges, gravity: Gravity, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (24,) if edges == "wrap" else (24, 25):
        world = random_streams(20, width, luck=width, edges=edges, gravity=gravity)
        mirror = mirrored(world)
        after = carried(world, 6)
        with monkeypatch.context() as patch:
            mirror_chance(patch, mirror)
            found = carried(mirror, 6)
        assert (after["material"] != world["material"]).sum() > 100
        for name in world.fields:
            np.testing.assert_array_equal(found[name], mirrored(after)[name], err_msg=name)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_stream_carries_the_turned_powder(quarters: int) -> None:
    world = random_streams(20, 26, luck=quarters)
    after, found = carried(world, 6), turned(carried(turned(world, quarters), 6), 4 - quarters)
    for name in world.fields:
        np.testing.assert_array_equal(found[name], after[name], err_msg=name)


def test_without_gravity_streams_of_all_directions_carry_alike() -> None:
    """Powder moves with the water, by as many cells in each direction, within a seventh."""
    moved = []
    for quarters in range(4):
        world = World(80, 80, RULES_HERE, gravity="off", seed=quarters)
        world["mass"][...] = FULL
        world["momentum"][..., 0] = encoded(np.array(FULL // 20))
        world["material"][::2, 8:70:5] = world.materials["sand"]
        atoms = world["material"] != 0
        world["mass"][atoms] = world["momentum"][atoms] = 0
        world = turned(world, quarters)
        after = carried(world, 12)
        columns = [np.nonzero(turned(each, 4 - quarters)["material"])[1] for each in (world, after)]
        moved.append(columns[1].mean() - columns[0].mean())
    assert moved == pytest.approx([0.05 * 12] * 4, rel=0.15)


@pytest.mark.parametrize("quarters", range(4))
def test_without_gravity_either_grain_of_a_pair_is_carried_as_often(quarters: int) -> None:
    """In a block only one of two grains side by side across the stream moves, each as often, within 4.5 deviations."""
    world = World(120, 120, RULES_HERE, gravity="off", seed=quarters)
    world["mass"][...] = FULL
    world["momentum"][..., 0] = encoded(np.array(FULL // 6))
    pairs = np.zeros((40, 2, 20), bool)  # rows of pairs; first or second grain; columns
    rows, columns = np.arange(0, 120, 3), np.arange(2, 120, 6)
    for grain in range(2):
        world["material"][np.ix_(rows + grain, columns)] = world.materials["sand"]
    atoms = world["material"] != 0
    world["mass"][atoms] = world["momentum"][atoms] = 0
    world = turned(world, quarters)
    alone = np.zeros(2, int)
    for tick in range(32):
        world.tick = tick
        material = turned(carried(world), 4 - quarters)["material"]
        for grain in range(2):
            pairs[:, grain] = material[np.ix_(rows + grain, columns)] == 0
        alone += (pairs & ~pairs[:, ::-1]).sum(axis=(0, 2))
    assert min(alone) > 1500
    assert abs(alone[0] - alone[1]) < 4.5 * np.sqrt(alone.sum())


def test_the_ticks_of_a_turn_contain_all_partition_offsets() -> None:
    """Any seven ticks do, and six need not: the offsets of each four ticks come in an order drawn at random."""
    for few, enough in ((TURN - 1, False), (TURN, True)):
        world = World(4, 4, RULES_HERE, seed=1)
        offsets = [partition_offset(world, tick, world.fixed("inertia")["use_offset"]) for tick in range(400)]
        assert all(len({*offsets[tick : tick + few]}) == 4 for tick in range(390)) == enough
    assert world.schedule().settle_ticks is not None
    assert RULES["inertia"].settle_ticks(world.laws) == TURN


def test_what_lies_beyond_a_block_does_not_matter() -> None:
    """The reach of the pass is one column and one row; nearer cells do matter."""
    near_matters = False
    for luck in range(12):
        world, other = random_streams(14, 14, luck=luck), random_streams(14, 14, luck=luck + 100)
        for distance in (0, 1):
            mixed = world.copy()
            kept = slice(6 - distance, 8 + distance)
            for name in world.fields:
                values = other[name].copy()
                values[kept, kept] = world[name][kept, kept]
                mixed[name] = values
            one, two = carried(world), carried(mixed)
            same = all((one[name][6:8, 6:8] == two[name][6:8, 6:8]).all() for name in world.fields)
            assert same or distance == 0
            near_matters |= not same
    assert near_matters
    assert next(each for each in RULES["inertia"].passes if each.name == "carry").reach == (1, 1)


TURNS = [("closed", "down"), ("wrap", "left"), ("open", "off"), ("wrap", "up")]


@pytest.mark.parametrize("laws", mostly_long(TURNS, ("closed", "down"), why="a set of programs each"), ids="-".join)
def test_the_pass_equals_its_twin(laws: tuple[Edges, Gravity]) -> None:
    edges, gravity = laws
    follow_by_passes(random_streams(luck=3, edges=edges, gravity=gravity), 1)
    follow_by_ticks(random_streams(luck=4, edges=edges, gravity=gravity), 4)


@pytest.mark.long("programs of seven rules, in both variants")
def test_the_pass_equals_its_twin_beside_all_rules_and_in_every_variant() -> None:
    rules = (*RULES_HERE, "heat", "reactions", "pressure", "collapse")
    for number in (0, -1):
        variant = {rule: RULES[rule].variants[number].name for rule in rules}
        follow_by_passes(random_streams(luck=5, rules=rules, edges="wrap"), 2, variant=variant)
        follow_by_ticks(random_streams(66, 140, luck=6, rules=rules, edges="wrap"), 6, variant=variant)


def channel(ticks: int = 400) -> World:
    """A stream over a bed of sand into a pool of 40 x 20 cells; the emitter stops after so many ticks."""
    world = World(44, 96, RULES_HERE, seed=2)
    wall, sand = world.materials["wall"], world.materials["sand"]
    world["material"][-2:] = world["material"][:, :2] = world["material"][:, -2:] = wall
    world["material"][22:, 2:50], world["material"][18:22, 12:50] = wall, sand
    world["mass"][24:42, 50:94] = FULL
    world.emitters = (Emitter((2, 8), (2, 8), rate=0.3, velocity=(0.5, 0.0), until=ticks),)
    world.draw_grain()
    return world


@pytest.mark.long("hundreds of ticks, in two simulations")
def test_tiles_that_sleep_change_nothing_and_wake_where_a_stream_starts_to_carry() -> None:
    """The bed of sand rests before the stream comes, and again when the stream has run dry."""
    world = channel()
    world.emitters = (replace(world.emitters[0], start=300, until=500),)
    with Simulation(world) as asleep, Simulation(world, sleeping=False) as awake:
        for _ in range(16):
            asleep.step(50)
            awake.step(50)
            assert asleep.digest() == awake.digest()
            if asleep.tick == 300:
                still = asleep.read()["material"]
        assert (asleep.read()["material"] != still).sum() > 20


def test_a_bed_under_still_water_comes_to_rest() -> None:
    world = bed(0, "sand")
    with Simulation(world) as sim:
        for _ in range(40):
            sim.step(25)
            if sim.settled:
                break
        assert sim.settled
        before = sim.read()
        sim.step(40)
        after = sim.read()
    for name in world.fields:
        np.testing.assert_array_equal(after[name], before[name], err_msg=name)


@pytest.mark.long("a thousand ticks")
def test_a_stream_takes_a_bed_along_and_drops_it_as_a_delta_where_it_enters_a_pool() -> None:
    """Sand leaves the channel, none rises out of the pool, and it lies at the mouth of the channel."""
    world = channel(1000)
    sand = world.materials["sand"]
    with Simulation(world) as sim:
        sim.step(60)
        first = sim.read()["material"] == sand
        sim.step(940)
        after, ledger = sim.read(), sim.ledger
    last = after["material"] == sand
    assert last.sum() == first.sum()
    assert last[:, 50:].sum() > first[:, 50:].sum() + 25
    in_pool = np.nonzero(last[24:, 50:])
    assert np.percentile(in_pool[1], 90) < 22  # columns from the mouth
    assert after.total() == world.total() + ledger.emitted


@pytest.mark.long("hundreds of ticks, four times")
def test_a_jet_digs_a_hole() -> None:
    """Under a nozzle over a bed below shallow water; what it digs out lies on both sides. The mean of four runs."""
    heights = np.zeros((4, 96))  # of the bed
    for seed, bed_heights in enumerate(heights):
        world = World(60, 100, RULES_HERE, seed=seed)
        wall, sand = world.materials["wall"], world.materials["sand"]
        world["material"][-2:] = world["material"][:, :2] = world["material"][:, -2:] = wall
        world["material"][36:58, 2:98] = sand
        world["mass"][30:36, 2:98] = FULL
        world["material"][12:24, [45, 54]] = wall
        world.emitters = (Emitter((46, 16), (8, 2), velocity=(0.0, 0.6), until=500),)
        world.draw_grain()
        with Simulation(world) as sim:
            sim.step(500)
            bed_heights[:] = (sim.read()["material"] == sand)[:, 2:98].sum(0)
    mean = heights.mean(0)
    assert mean[44:52].mean() < 22 - 1.5
    assert max(mean[28:42]) > 22.5
    assert max(mean[54:68]) > 22.5
    assert (heights.sum(1) == 22 * 96).all()
