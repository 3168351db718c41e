"""How atoms fall: by the law of constant acceleration, whole, and back up by their bounce."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import after, at, box

from gpufluid import Simulation

pytestmark = pytest.mark.usefixtures("device")


def rows_over_time(material: str, start: int, height: int, ticks: int) -> np.ndarray:
    """The row of a lone atom after each tick; it may go sideways."""
    world = box(height, 9)
    world["material"][start, 4] = world.materials[material]
    rows = []
    with Simulation(world) as sim:
        for _ in range(ticks):
            sim.step()
            rows.append(int(np.argwhere(at(sim.read(), material))[0, 0]))
    return np.array(rows)


@pytest.mark.parametrize("material", ["sand", "water", "gravel", "mud", "mercury"])
def test_a_lone_atom_follows_the_law_of_constant_acceleration(material: str) -> None:
    world = box(1, 1)
    record = world.materials.records[world.materials[material]]
    pull, terminal = 3, round(record.terminal * 16)
    speeds = np.minimum(np.arange(1, 200) * pull, terminal)
    until = int(np.argmax(speeds == terminal))
    wanted = 2 + np.cumsum(speeds) / 16
    rows = rows_over_time(material, 2, 700, until + 100)
    assert np.abs(rows[:until] - wanted[:until]).max() <= 1.0
    kept = (rows[until + 96] - rows[until]) / 96
    assert kept == pytest.approx(terminal / 16, rel=0.05)


@pytest.mark.parametrize("material", ["sand", "water"])
def test_a_falling_body_stays_whole(material: str) -> None:
    world = box(420, 80)
    world["material"][5:85, 20:60] = world.materials[material]
    world.draw_grain()
    body = at(after(world, 60), material)
    assert np.argwhere(body)[:, 0].min() > 100  # it has fallen
    assert (body[:-1] & body[1:]).sum() > 0.95 * 79 * 40


def test_rubber_comes_back_as_high_as_its_bounce_says() -> None:
    heights = 198 - rows_over_time("rubber", 99, 200, 700)
    rising = heights[1:-1]
    peaks = [99, *rising[(rising > heights[:-2]) & (rising >= heights[2:]) & (rising > 8)].tolist()]
    peaks = [peak for i, peak in enumerate(peaks) if i == 0 or peak < 0.95 * peaks[i - 1]]  # a top may last two ticks
    record = box(1, 1).materials.records[18]
    assert record.name == "rubber"
    ratios = [later / earlier for earlier, later in zip(peaks, peaks[1:], strict=False)][:4]
    assert len(ratios) == 4
    assert ratios == pytest.approx([record.bounce**2] * 4, rel=0.15)


def test_gravity_can_be_off() -> None:
    """Then what moves goes straight on, and what rests stays."""
    world = box(40, 200, gravity="off")
    world["material"][20, 5] = world["material"][8:12, 50:60] = world.materials["water"]
    world["velocity"][20, 5] = (40, 0)
    later = after(world, 64)
    assert at(later, "water")[20, 5 + 160]
    assert at(later, "water")[8:12, 50:60].all()
