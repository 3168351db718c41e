"""The laws of a world with a mixture and atoms: a cell holds an atom or amounts, and both change places exactly."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support import atoms, mixtures
from support.following import follow_by_passes, follow_by_ticks
from support.mixtures import LAWS, ODD, account
from support.selection import crossed, mostly_long
from support.worlds import random_atoms

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.errors import WorldError
from gpufluid.matter.materials import State
from gpufluid.matter.mixtures import SHIPPED, MixtureTable
from gpufluid.oracle.atoms import blocks
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.rules import RULES, Call
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.matter import put_material
from gpufluid.world.laws import EDGES, GRAVITIES, Edges

pytestmark = pytest.mark.usefixtures("device")

BOTH = ("mixture", "atoms")
COMPANY = [BOTH, ("mixture", "atoms", "heat"), (*BOTH, "heat", "reactions", "collapse")]
KINDS = ("sand", "snow", "oil", "mercury", "smoke", "stone", "rubber")

ATOMS = ("sand", "stone", "smoke")
SHARES = (0, FULL // 2, FULL)
CONTENTS = len(ATOMS) + len(SHARES)
SIDE = CONTENTS**2
"""Blocks along each side of a world with every possible block: empty, half full, full, and each atom."""


def both(height: int = 34, width: int = 42, *, rules: tuple[str, ...] = BOTH, luck: int = 0, **laws) -> World:
    """A random world of both rules, in which most cells without an atom hold some of the mixture."""
    return random_atoms(height, width, rules=rules, kinds=KINDS, filled=0.4, luck=luck, seed=luck, **laws)


def held_by_both(world: World) -> np.ndarray:
    """(height, width) bool: the cells with an atom and amounts. There are none."""
    return (world["material"] != 0) & (world["mixture"] != 0).any(axis=0)


@pytest.mark.parametrize("table", [SHIPPED, ODD], ids=["shipped", "odd"])
def test_a_full_cell_of_any_liquid_powder_or_solid_is_no_room_for_liquid_atoms(table: MixtureTable) -> None:
    """Less than the least dense of them is, and so is gas."""
    names = table.names
    world = World(2, len(names), BOTH, mixture=table)
    for column, name in enumerate(names):
        world["mixture"][table[name], :, column] = FULL, FULL // 2
    matter, cells = world.laws.once(MaterialProperties), Cells.of(world)
    gas = [world.materials.records[world.materials[name]].state is State.GAS for name in names]
    densities = {name: world.materials.records[world.materials[name]].density for name in names}
    lightest = min((name for name, is_gas in zip(names, gas, strict=True) if not is_gas), key=densities.__getitem__)
    full, half = matter.is_thin(cells.material)
    assert full.tolist() == gas
    assert half[names.index(lightest)]
    mercury = np.array(world.materials["mercury"])
    assert matter.is_open(cells.material[0], mercury).tolist() == gas


def every_block(call: Call, layer: str) -> World:
    """A world of all blocks of `CONTENTS`, at rest, aligned to the partition of a call, with a border of one cell."""
    numbers = np.random.default_rng(3).permutation(SIDE * SIDE).reshape(SIDE, SIDE)
    world = World(2 * SIDE + 2, 2 * SIDE + 2, BOTH, tick=call.tick)
    material = np.array([0] * len(SHARES) + [world.materials[name] for name in ATOMS])
    amount = np.array([*SHARES, *[0] * len(ATOMS)])
    x, y = blocks.block_offset(world, call)
    for place, (row, column) in enumerate(product((0, 1), repeat=2)):
        content = numbers // CONTENTS**place % CONTENTS
        cells = slice(y + row, y + row + 2 * SIDE, 2), slice(x + column, x + column + 2 * SIDE, 2)
        world["material"][cells], world["mixture"][world.mixture[layer]][cells] = material[content], amount[content]
    world.draw_grain()
    world.scratch["tag"] = np.arange(world["material"].size, dtype=np.int32).reshape(world["material"].shape)
    return world


@pytest.mark.parametrize("layer", ["water", "sand", "steam"])
def test_settle_permutes_every_block_and_amounts_move_only_against_an_atom(
    layer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the draws with which most moves."""
    call = next(call for call in World(2, 2, BOTH).schedule().calls(0) if call.pass_.name == "settle")
    world = every_block(call, layer)
    after = world.copy()
    words = [np.uint32(0)] * 4
    monkeypatch.setattr(blocks, "noise", lambda _, x, *__: [np.full(np.shape(x), word, "u4") for word in words])
    oracle.apply(after, call)
    origin = after.scratch["tag"]
    np.testing.assert_array_equal(np.sort(origin, axis=None), np.arange(origin.size))
    np.testing.assert_array_equal(after["material"], world["material"].ravel()[origin])
    np.testing.assert_array_equal(after["mixture"], world["mixture"].reshape(len(world.mixture), -1)[:, origin])
    moved, held = origin != world.scratch["tag"], (world["mixture"] > 0).any(axis=0)
    came = moved & (after["mixture"] > 0).any(axis=0)
    assert came.any()
    assert (world["material"][came] != 0).all()  # where amounts come, an atom was
    assert (after["material"][moved & held] != 0).all()  # where amounts were, an atom comes


@pytest.mark.parametrize("layer", mostly_long(["water", "sand", "steam"], why="the oracle alone has every block"))
def test_every_block_equals_its_twin_on_the_device(layer: str) -> None:
    call = next(call for call in World(2, 2, BOTH).schedule().calls(0) if call.pass_.name == "settle")
    follow_by_ticks(every_block(call, layer), 2)


@pytest.mark.long("every pass of every variant; test_a_world_with_ports_equals_its_twin is a short one")
@crossed(together=1, rules=COMPANY, edges=EDGES, laws=LAWS[:3])
def test_every_pass_equals_its_twin_and_no_cell_holds_both(rules: tuple[str, ...], edges: Edges, laws: dict) -> None:
    """In the first variant of each rule for the first kind of edges, in the last one for the others."""
    variant = 0 if edges == EDGES[0] else -1
    chosen = {rule: RULES[rule].variants[variant].name for rule in rules}
    mixed = laws | {"parameters": {}}  # random_atoms fills cells without regard to what excludes each other
    world = with_ports(both(rules=rules, edges=edges, luck=5, **mixed))

    def no_cell_holds_both(_: Simulation, now: World, call: Call) -> None:
        assert not held_by_both(now).any(), call.pass_.full_name

    follow_by_passes(world, 2, after=no_cell_holds_both, variant=chosen)
    follow_by_ticks(both(rules=rules, edges=edges, luck=6, **mixed), 5, variant=chosen)


def with_ports(world: World) -> World:
    """The world with emitters and drains, of which some share cells."""
    world.emitters = (
        Emitter((2, 2), (4, 3), material="oil", rate=0.5),
        Emitter((20, 20), (6, 4), material="smoke", rate=0.5),
        Emitter((10, 4), (12, 20), material=world.mixture.names[0], rate=0.4, level=0.8),
    )
    world.drains = (Drain((4, 20), (19, 9), rate=0.5), Drain((30, 0), (3, 9)))
    return world


def test_a_world_with_ports_equals_its_twin() -> None:
    """An emitter of amounts and a drain of atoms act in the same cells."""
    world = follow_by_ticks(with_ports(both(luck=2, edges="open")), 6)
    assert not held_by_both(world).any()
    assert world.atoms["oil"].drained > 0
    assert world.amounts["sand"].emitted > 0


@pytest.mark.long("hundreds of ticks beside the oracle")
@pytest.mark.parametrize("gravity", GRAVITIES)
def test_amounts_and_atoms_are_exact_over_hundreds_of_ticks(gravity: str) -> None:
    world = both(luck=2, gravity=gravity)
    with Simulation(world) as sim:
        sim.step(300)
        after = sim.read()
    after.validate()
    assert not held_by_both(after).any()
    assert account(world, after) == after.contents()
    assert after.census() == world.census()


@pytest.mark.long("four programs of each pass")
def test_a_world_is_the_same_asleep_and_awake_and_in_every_variant() -> None:
    digests = set()
    for rule, sleeping in product((0, -1), (True, False)):
        chosen = {name: RULES[name].variants[rule].name for name in BOTH}
        with Simulation(both(luck=7), variant=chosen, sleeping=sleeping) as sim:
            sim.step(60)
            digests.add(sim.digest())
    assert len(digests) == 1


def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(monkeypatch: pytest.MonkeyPatch) -> None:
    world = both(18, 22, luck=4)
    mirror = mirrored(world)
    for tick in range(4):
        world = oracle.step(world)
        with monkeypatch.context() as turned:
            atoms.mirror_chance(turned, mirror)
            mixtures.mirror_chance(turned, mirror.width)
            mirror = oracle.step(mirror)
        for name in world.fields:
            np.testing.assert_array_equal(mirror[name], mirrored(world)[name], err_msg=f"{name} after tick {tick}")


def mirrored(world: World) -> World:
    """The world with left and right exchanged."""
    other = world.copy()
    for name in world.fields:
        other[name] = np.flip(world[name], axis=2 if name == "mixture" else 1)
    other["velocity"][:, :, 0] *= -1
    return other


def test_a_fill_of_atoms_leaves_no_amounts_in_its_cells() -> None:
    world = World(4, 4, BOTH)
    world["mixture"][...] = FULL
    cells = np.zeros((4, 4), bool)
    cells[1] = True
    for mix in (False, True):
        put_material(world, world.complete_arrays(), cells, "oil", mix=mix)
        world.validate()
        assert (world["material"][1] == world.materials["oil"]).all()


def test_an_atom_that_sinks_raises_the_surface_by_its_own_volume() -> None:
    """A block of sand of 24 cells in a tank of water by fractions."""
    world = World(40, 24, BOTH)
    water = world["mixture"][world.mixture["water"]]
    water[20:] = FULL
    world["material"][10:13, 8:16] = world.materials["sand"]
    world.draw_grain()
    with Simulation(world) as sim:
        sim.step(300)
        after = sim.read()
    sand, water = after["material"] != 0, after["mixture"][after.mixture["water"]]
    assert sand[35:].sum() == 24
    assert (water[20:].sum(axis=0, dtype=np.int64) + FULL * sand[20:].sum(axis=0) == 20 * FULL).all()
    assert abs(water[19].astype(int) - FULL).max() < FULL // 1000
    assert water.sum(dtype=np.int64) == 20 * 24 * FULL


def test_light_atoms_float_and_gas_bubbles_up() -> None:
    world = World(30, 21, BOTH)
    world["mixture"][world.mixture["water"], 10:] = FULL
    for row, name in ((25, "smoke"), (20, "oil"), (2, "mercury")):
        world["material"][row, 3:18] = world.materials[name]
        world["mixture"][:, row, 3:18] = 0
    world.draw_grain()
    with Simulation(world) as sim:
        sim.step(400)
        after = sim.read()
    height = {name: np.nonzero(after["material"] == after.materials[name])[0] for name in ("smoke", "oil", "mercury")}
    assert height["smoke"].max() < height["oil"].min() <= height["oil"].max() <= 11
    assert height["mercury"].min() == 29
    assert after.census() == world.census()


def test_amounts_in_a_cell_with_an_atom_are_refused() -> None:
    world = World(6, 8, BOTH)
    water = world.mixture["water"]
    world["material"][2, 3] = world.materials["sand"]
    world["mixture"][water, 2, 3] = 5
    wanted = (
        r"mixture\[2, 3\]: .*5.* units beside 1 atom of sand: a cell holds an atom or parts of a mixture; "
        r"expected 0, or material 0 in this cell"
    )
    with pytest.raises(WorldError, match=wanted):
        world.validate()
    world["mixture"][water, 2, 3] = 0
    world["mixture"][water, 2, 4] = FULL
    with Workbench(world) as bench:
        arrays = {name: array.copy() for name, array in bench.read_window((0, 0), (8, 6)).items()}
        arrays["material"][2, 4] = world.materials["wood"]
        with pytest.raises(WorldError, match=r"mixture\[2, 4\]: .*1048576.* units beside 1 atom of wood"):
            bench.write_window((0, 0), arrays)
        assert bench.contents()["water"] == FULL


@pytest.mark.long("programs of rule collapse, 600 ticks")
def test_solid_pieces_float_in_a_mixture_as_deep_as_their_density_says() -> None:
    """Wood of 700 and ice of 917 kg/m3, to a cell below the lower of the surfaces at both sides.

    Such pieces bob by a row, and some water runs over their tops.
    """
    world = World(40, 60, (*BOTH, "collapse"))
    world["mixture"][world.mixture["water"], 15:] = FULL
    for column, name in ((12, "wood"), (38, "ice")):
        world["material"][3:13, column : column + 10] = world.materials[name]
    world.draw_grain()
    with Simulation(world) as sim:
        sim.step(600)
        after = sim.read()
    water = after["mixture"][after.mixture["water"]]
    for column, name in ((12, "wood"), (38, "ice")):
        density = after.materials.records[after.materials[name]].density
        rows = np.nonzero(after["material"][:, column] == after.materials[name])[0]
        surface = max(int((water[:, beside] > FULL // 2).argmax()) for beside in (column - 1, column + 10))
        assert len(rows) == 10
        assert abs(rows[-1] + 1 - surface - density / 100) <= 1
    assert after.contents() == world.contents()
