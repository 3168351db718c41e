"""Law of a batch over many ticks, in worlds of several tiles: a part rests, and worlds begin again at random times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.batches import random_matter

from gpufluid import FULL, Batch, Drain, Emitter, Simulation, World
from gpufluid.runtime import batch as runtime_batch

pytestmark = pytest.mark.usefixtures("device")

HEIGHT, WIDTH, COUNT, ROUNDS, MOST = 70, 90, 4, 4, 20


def half_at_rest(rules: tuple[str, ...], luck: int, **laws: Any) -> World:
    """A world with random matter between its columns 8 and 40; the others are empty, but for a port that acts later."""
    world = random_matter(rules, HEIGHT, WIDTH, luck, seed=luck, **laws)
    columns = np.r_[0:8, 40:WIDTH]
    for name in world.fields:
        array = world.own_array(name)
        array[(slice(None),) * (1 + (name == "mixture")) + (columns,)] = 0
    amount = world["mass"] if "mass" in world.fields else None
    if amount is not None:
        amount[-6:, 60:] = FULL
    world.emitters = (Emitter((70, 10), (3, 2), material="water", rate=0.4, chance=0.7, start=25, until=40),)
    world.drains = (Drain((62, HEIGHT - 3), (4, 2), start=30, until=50),)
    world.validate()
    return world


def hold_law(rules: tuple[str, ...], luck: int, sheet: int, monkeypatch: pytest.MonkeyPatch, **laws: Any) -> None:
    """Step batches with and without sleeping tiles and each world alone, begin some again; compare after each round.

    Args:
        rules, laws: of all worlds.
        luck: chooses the cells, the worlds that begin again, and when.
        sheet: the most worlds on a sheet.
        monkeypatch: limits the sheets.
    """
    rng = np.random.default_rng(luck)
    firsts = [half_at_rest(rules, 10 * luck + number, **laws) for number in range(COUNT)]
    monkeypatch.setattr(runtime_batch, "worlds_a_sheet", lambda *_: sheet)
    alone = [Simulation(first) for first in firsts]
    with Batch(firsts) as asleep, Batch(firsts, sleeping=False) as awake:
        for _ in range(ROUNDS):
            ticks, mask = int(rng.integers(1, MOST)), rng.random(COUNT) < 0.3
            for batch in (asleep, awake):
                batch.step(ticks)
            for world in alone:
                world.step(ticks)
            expected = [world.digest() for world in alone]
            assert asleep.digests() == awake.digests() == expected
            assert asleep.ledgers == awake.ledgers == [world.ledgers for world in alone]
            assert asleep.settled.tolist() == awake.settled.tolist() == [world.settled for world in alone]
            for batch in (asleep, awake):
                batch.reset(mask)
            for number in np.flatnonzero(mask).tolist():
                alone[number].close()
                alone[number] = Simulation(firsts[number])
    for world in alone:
        world.close()


@pytest.mark.parametrize("sheet", [COUNT, 3])
def test_worlds_of_water_are_as_they_are_alone(sheet: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hold_law(("flow",), sheet, sheet, monkeypatch, edges="open", gravity="left")


ALL = ("flow", "inertia", "atoms", "heat", "reactions", "pressure", "collapse")


@pytest.mark.long("programs of many rules, for a batch and for one world")
@pytest.mark.parametrize(
    ("rules", "edges", "gravity"),
    [
        (("atoms",), "wrap", "up"),
        (("mixture", "atoms"), "open", "right"),
        (ALL, "closed", "down"),
        (("mixture", "pressure"), "closed", "down"),
    ],
)
def test_worlds_of_more_rules_are_as_they_are_alone(
    rules: tuple[str, ...], edges: str, gravity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_law(rules, len(rules), 3, monkeypatch, edges=edges, gravity=gravity)
