"""Laws of rule pressure in mixtures: conservation, no overfilled cell, falling energy, one level, mirror symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from support.following import step_until_settled
from support.mixtures import account, assert_mirrored, ponds
from support.selection import crossed

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.matter.mixtures import SHIPPED, Constituent, HorizontalFlow, MixtureTable, PressureFlow, VerticalFlow
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")

BOTH_WAYS = MixtureTable(
    (
        Constituent("steam", VerticalFlow("up"), HorizontalFlow("up", 0.5), PressureFlow("down", 0.0, 0.3, 0.2, 0.02)),
        Constituent("sand", VerticalFlow("down")),
        Constituent("water", VerticalFlow("down"), None, PressureFlow("up", 0.0, 0.01, 0.3, 0.05)),
    )
)
"""Two materials flow by pressure; one of them has its surface below."""

TABLES = {"shipped": SHIPPED, "both ways": BOTH_WAYS}


@crossed(most=1, edges=EDGES, table=TABLES, exclusive=[False, True])
def test_the_ledger_balances_and_no_cell_is_overfilled(edges: Edges, table: str, exclusive: bool) -> None:
    ports = {"emitters": [Emitter((2, 3), (9, 2), rate=0.4)], "drains": [Drain((4, 20), (12, 3), rate=0.1)]}
    world = ponds(40, 70, len(edges), exclusive=exclusive, mixture=TABLES[table], edges=edges, **ports)
    with Simulation(world) as sim:
        for _ in range(3):
            sim.step(15)
            after = sim.read()
            after.validate()  # 0 to 1 of each material; at most 1 of all together if they exclude each other
            assert account(world, after) == after.contents()


@crossed(most=2, edges=EDGES, exclusive=[False, True])
def test_a_transfer_conserves_amounts_and_never_raises_the_energy(edges: Edges, exclusive: bool) -> None:
    """The energy of each material alone; a material with its surface below has more energy the deeper it lies."""
    world = ponds(40, 70, 5, exclusive=exclusive, mixture=BOTH_WAYS, edges=edges)
    fallen = 0
    for _ in range(4):
        for call in world.schedule().calls(world.tick):
            before = world["mixture"].copy()
            moved = oracle.apply(world, call).moved
            if call.pass_.rule != "pressure":
                continue
            others = [layer for layer in range(len(before)) if layer != call.layer]
            np.testing.assert_array_equal(world["mixture"][others], before[others])
            was, now = before[call.layer], world["mixture"][call.layer]
            assert was.sum(dtype=np.int64) == now.sum(dtype=np.int64)
            assert np.abs(was.astype(np.int64) - now).sum() <= 2 * moved  # several bodies; a cell may give and take
            drop = energy(was, BOTH_WAYS, call.layer) - energy(now, BOTH_WAYS, call.layer)
            assert drop >= 0
            assert (drop > 0) == (moved > 0)
            fallen += drop > 0
        world.tick += 1
        world.validate()
    assert fallen > 20


def energy(amounts: np.ndarray, table: MixtureTable, layer: int) -> int:
    """The potential energy of one material: the sum of amount * height + amount**2 / 2 over all cells.

    The second term is there because the material lies at the bottom of its cell.

    Returns: twice the energy, in units squared.
    """
    pressure = table.constituents[layer].pressure
    assert pressure is not None
    rows = np.arange(len(amounts), dtype=object)[:, None]
    heights = rows[::-1] if pressure.direction == "up" else rows
    units = amounts.astype(object)
    return int((units * (2 * FULL * heights + units)).sum())


@crossed(table=TABLES, edges=EDGES)
def test_a_mirrored_world_with_mirrored_chance_gives_the_mirrored_result(
    edges: Edges, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    width = 41
    world = ponds(30, width, 3, exclusive=True, mixture=TABLES[table], edges=edges)
    assert_mirrored(world, 4, monkeypatch)


def test_transfers_draw_all_columns_of_a_flat_surface_equally_often() -> None:
    """150 seeds, one round each: of 30 columns that give and 30 that take, each is drawn about five times."""
    given, taken = np.zeros(30, int), np.zeros(30, int)
    for seed in range(150):
        world = arms(30, seed=seed, parameters={"pressure": {"rounds": 1}})
        after = world.copy()
        for call in world.schedule().calls(0):
            if call.pass_.rule == "pressure":
                oracle.apply(after, call)
        change = after["mixture"][0] - world["mixture"][0]
        assert np.count_nonzero(change < 0) == np.count_nonzero(change > 0) == 1
        given += (change < 0)[:, 1:31].sum(axis=0)
        taken += (change > 0)[:, 33:63].sum(axis=0)
    for counts in (given, taken):
        assert counts.sum() == 150
        assert counts.max() <= 13
        assert abs(counts[:15].sum() - 75) < 25
        assert counts[[0, 1, 28, 29]].sum() < 40


def arms(columns: int, minflow: float = 0.02, upside_down: bool = False, **laws) -> World:
    """Two wide arms joined at their ends, one almost full, one almost empty; only pressure moves the liquid."""
    direction = "down" if upside_down else "up"
    flow = PressureFlow(direction, 0.0, 0.1, 0.5, minflow)
    mixture = MixtureTable((Constituent("water", pressure=flow),))
    world = World(12, 2 * columns + 4, ("mixture", "pressure"), mixture=mixture, **laws)
    water, wall, middle = world["mixture"][0], world.materials["wall"], columns + 1
    water[4:, 1:middle] = water[10:, 1:-1] = water[8:, middle + 2 : -1] = FULL
    world["material"][:10, middle : middle + 2] = world["material"][:, [0, -1]] = wall
    water[world.solid] = 0
    if upside_down:
        for name in world.fields:
            world[name] = np.flip(world[name], axis=-2)
    return world


@crossed(most=2, minflow=[0.1, 0.02, 0.0], upside_down=[False, True])
def test_surfaces_of_a_settled_body_are_level(minflow: float, upside_down: bool) -> None:
    """Level to within twice the least flow, because half of a difference flows, and to the resolution of a level."""
    world = arms(9, minflow, upside_down)
    with Simulation(world) as sim:
        step_until_settled(sim, 20, 20)
        after = sim.read()
    assert np.ptp(levels(world)) >= 4
    assert np.ptp(levels(after)) <= 2 * minflow + 3 / (1 << 16)


def levels(world: World) -> np.ndarray:
    """The height of the water, in rows, in each column of both `arms` of 9 columns."""
    return world["mixture"][0].sum(axis=0)[np.r_[1:10, 12:21]] / FULL


@pytest.mark.parametrize("amount", [FULL, FULL - 16])
@pytest.mark.parametrize("direction", ["up", "down"])
def test_pressure_moves_water_from_the_highest_row_of_a_torus(direction: str, amount: int) -> None:
    """A bent tube with one arm across the seam of a torus: a full cell in the highest row has the highest level."""
    mixture = MixtureTable((Constituent("water", pressure=PressureFlow(direction)),))
    world = World(10, 7, ("mixture", "pressure"), edges="wrap", mixture=mixture)
    world["material"][...] = world.materials["wall"]
    for rows, columns in ((slice(0, 7), 1), (9, 1), (6, slice(1, 6)), (slice(1, 7), 5)):
        world["material"][rows, columns] = 0
    world["mixture"][0, 0:7, 1] = world["mixture"][0, 6, 1:6] = FULL
    world["mixture"][0, 0, 1] = amount
    if direction == "down":
        for name in ("material", "mixture"):
            world[name] = np.flip(world[name], axis=-2)
    after = oracle.step(world, 5)["mixture"][0]
    assert np.abs(after[:, 1] - after[:, 5]).max() <= FULL - amount
    assert after[:, 5].max() > 0
