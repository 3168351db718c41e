"""Laws of rule pressure with atoms: atoms only change places, energy falls, no side is favoured.

The laws in mixtures are in test_mixture_pressure_laws.py.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from support.atoms import TURNED_GRAVITY, assert_mirrored, run, turned
from support.selection import crossed, mostly_long
from support.worlds import random_atoms

from gpufluid import Simulation, World, oracle
from gpufluid.core.frame import in_frame

pytestmark = pytest.mark.usefixtures("device")


def caverns(height: int, width: int, luck: int, **laws) -> World:
    """Layers of water joined by shafts, with random walls and oil."""
    world = random_atoms(
        height, width, rules=("atoms", "pressure"), kinds=("water", "oil", "wall"), filled=0.6, luck=luck, **laws
    )
    world["material"][height // 3 :, ::3] = world.materials["water"]
    world["material"][height // 3 :: 5] = world.materials["water"]
    world["velocity"] = 0
    world["grain"] = np.where(world["material"] == 0, 0, np.random.default_rng(luck).integers(0, 256, (height, width)))
    return world


def vats(height: int, width: int, **laws) -> World:
    """Four vats, each with a full chamber next to an almost empty one, joined below; all atoms differ."""
    world = World(height, width, ("atoms", "heat", "pressure"), **laws)
    names, rng = world.materials, np.random.default_rng(1)
    across, down = width // 2, height // 2
    for y, x in product((0, down), (0, across)):
        vat = world["material"][y : y + down, x : x + across]
        vat[...] = names["wall"]
        vat[2:-2, 2:-2] = 0
        vat[3:-2, 2 : across // 2] = vat[-4:-2, 2:-2] = names["water"]
        vat[2:-4, across // 2] = names["wall"]
    there = world["material"] != 0
    world["temperature"], world["integrity"] = (np.where(there, rng.integers(0, 250, there.shape), 0) for _ in range(2))
    world["grain"] = np.where(there, rng.integers(0, 250, there.shape), 0)
    return world


def rafts(**laws) -> World:
    """Blocks of powder on water and in it, with oil and sand on one of them."""
    world = World(44, 60, ("atoms", "pressure"), seed=3, **laws)
    names = world.materials
    world["material"][20:] = names["water"]
    world["material"][8:20, 4:14] = names["snow"]
    world["material"][6:8, 6:9] = names["sand"]
    world["material"][14:20, 20:26] = names["ash"]
    world["material"][20:34, 34:40] = names["ash"]
    world["material"][20:26, 50:56] = names["oil"]
    world["material"][42:] = names["wall"]
    world.draw_grain()
    return world


def atoms_of(world: World) -> dict[int, tuple[int, ...]]:
    """The properties of each atom, by its tag."""
    names = [name for name in world.fields if name != "velocity"]
    there = world["material"] != 0
    tags = world.scratch["tag"][there].tolist()
    return dict(zip(tags, zip(*(world[name][there].tolist() for name in names), strict=True), strict=True))


@crossed(most=2, edges=["closed", "open", "wrap"], quarters=[0, 3])
def test_a_transfer_permutes_atoms_and_changes_only_their_velocity(edges: str, quarters: int) -> None:
    world = turned(vats(34, 40, edges=edges), quarters)
    world.scratch["tag"] = np.arange(1, world["material"].size + 1).reshape(world["material"].shape)
    moved = 0
    for _ in range(3):
        for call in world.schedule().calls(world.tick):
            before, was, high = atoms_of(world), places_of(world), heights(world)
            oracle.apply(world, call)
            if call.pass_.rule != "pressure":
                continue
            assert atoms_of(world) == before
            for tag, place in places_of(world).items():
                if was[tag] != place:
                    moved += 1
                    assert world["velocity"].reshape(-1, 2)[place].tolist() == [0, 0]
                    assert high[place] < high[was[tag]]
        world.tick += 1
    assert moved > 4 * 8


def places_of(world: World) -> dict[int, int]:
    """The index of each atom's cell along the world's rows, by the atom's tag."""
    places = np.flatnonzero(world["material"])
    return dict(zip(world.scratch["tag"].reshape(-1)[places].tolist(), places.tolist(), strict=True))


def heights(world: World) -> np.ndarray:
    """The height of each cell of the world, against gravity."""
    found = np.empty((world.height, world.width), int)
    frame = in_frame(found, world.gravity)
    frame[...] = np.arange(len(frame))[::-1, None]
    return found.reshape(-1)


@crossed(most=1, edges=["closed", "open", "wrap"], width=[33, 40])
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    width: int, edges: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    width += edges == "wrap" and width % 2
    assert_mirrored(caverns(30, width, width, edges=edges), 4, monkeypatch)


@pytest.mark.parametrize("edges", mostly_long(["closed", "wrap"], "wrap", why="the same at another edge"))
def test_floating_powder_gives_the_mirrored_result(edges: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_mirrored(rafts(edges=edges), 8, monkeypatch)


@pytest.mark.parametrize("edges", mostly_long(["closed", "wrap"], "wrap", why="the same at another edge"))
def test_floating_powder_is_only_shifted_and_the_energy_falls(edges: str) -> None:
    """Each transfer permutes the atoms and lowers the sum of density times height."""
    world = rafts(edges=edges)
    world.scratch["tag"] = np.arange(1, world["material"].size + 1).reshape(world["material"].shape)
    density, moved = world.materials.column("density").astype(np.int64), 0
    for _ in range(6):
        for call in world.schedule().calls(world.tick):
            atoms, before, bodies = atoms_of(world), world["material"].copy(), call.pass_.rule == "pressure"
            oracle.apply(world, call)
            if bodies and (world["material"] != before).any():
                moved += 1
                assert atoms_of(world) == atoms
                energies = [
                    int((density[each] * heights(world).reshape(each.shape)).sum())
                    for each in (before, world["material"])
                ]
                assert energies[1] < energies[0]
        world.tick += 1
    assert moved > 12


@pytest.mark.parametrize("quarters", mostly_long([1, 2, 3], why="programs of its own for each turn"))
def test_a_turned_world_turned_back_has_the_same_digest(quarters: int) -> None:
    world = caverns(34, 40, quarters)
    other = turned(world, quarters)
    assert other.gravity == TURNED_GRAVITY[quarters]
    for ticks in (1, 12):
        assert turned(run(other, ticks), 4 - quarters).digest() == run(world, ticks).digest()


def test_a_row_that_is_not_full_stays_in_one_piece() -> None:
    """Whatever the seed, for water that rises and water that sinks, and with another row begun in each arm."""
    for seed in (0, 1, 2, 14):
        world = World(24, 44, ("atoms", "pressure"), edges="closed", seed=seed)
        world["material"][:20, 20:24] = world.materials["wall"]
        world["material"][20:] = world.materials["water"]
        world["material"][7:20, :20] = world.materials["water"]
        world["material"][6, : seed + 5] = world.materials["water"]
        with Simulation(world) as sim:
            sim.step(40)
            after = sim.read()
        heights = (after["material"] == after.materials["water"]).sum(axis=0)
        for arm in (heights[:20], heights[24:]):
            assert (np.diff(arm) != 0).sum() <= 2, f"seed {seed}: {arm}"


@pytest.mark.long("a world of 33,000 rows")
def test_liquid_moves_in_a_world_taller_than_32768_rows() -> None:
    world = World(33_000, 5, ("atoms", "pressure"), edges="closed")
    world["material"][:32_990, 2] = world.materials["wall"]
    world["material"][32_990:] = world.materials["water"]
    world["material"][32_900:32_990, :2] = world.materials["water"]
    after = oracle.step(world)
    assert (after["material"][32_980:32_990, 3:] == world.materials["water"]).any()


def test_transfers_draw_all_columns_of_a_flat_surface_equally_often() -> None:
    """150 seeds, one round each: of 30 columns that give and 30 that take, each is drawn about five times."""
    given, taken = np.zeros(30, int), np.zeros(30, int)
    for seed in range(150):
        world = World(12, 64, ("atoms", "pressure"), seed=seed, parameters={"pressure": {"rounds": 1}})
        world["material"][4:, 1:31] = world["material"][10:, 1:63] = world.materials["water"]
        world["material"][:11, 31:33] = world.materials["wall"]
        world["material"][8:, 33:63] = world.materials["water"]
        world["material"][:, [0, 63]] = world.materials["wall"]  # else the end of a row would give first
        after = world.copy()
        for call in world.schedule().calls(0):
            if call.pass_.rule == "pressure":
                oracle.apply(after, call)
        gone = (world["material"] != 0) & (after["material"] == 0)
        come = (world["material"] == 0) & (after["material"] != 0)
        assert gone.sum() == come.sum() == 1
        given += gone[:, 1:31].sum(axis=0)
        taken += come[:, 33:63].sum(axis=0)
    for counts in (given, taken):
        assert counts.sum() == 150
        assert counts.max() <= 13
        assert abs(counts[:15].sum() - 75) < 25
        assert counts[[0, 1, 28, 29]].sum() < 40
