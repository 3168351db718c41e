"""A stream of liquid that falls stays together: it thins, and tears in drops of several cells."""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import atoms, fall_alone, run, where
from support.selection import mostly_long

from gpufluid import World, oracle
from gpufluid.core.frame import in_world
from gpufluid.rules.atoms import CONSTANTS, DROP_REACH
from gpufluid.world.laws import Gravity

pytestmark = pytest.mark.usefixtures("device")

LIQUIDS = ("water", "oil", "lava", "acid", "mercury", "salt water", "molten metal", "molten glass", "burning oil")
SHAFT, DEPTH, TICKS = 18, 130, 24
"""The columns between two liquids, the rows through which they fall, and for how long; none comes to the floor."""


def torn_streams(gravity: Gravity) -> World:
    """A stream of each liquid that has come apart: a fifth of the cells of 8 columns and 40 rows, at random."""
    rows, columns = DEPTH, SHAFT * len(LIQUIDS)
    upright = gravity in ("down", "up")
    world = atoms(*((rows, columns) if upright else (columns, rows)), gravity=gravity)
    rng = np.random.default_rng(1)
    material, down = (np.zeros((rows, columns), np.int16) for _ in range(2))
    for number, name in enumerate(LIQUIDS):
        first = SHAFT * number + SHAFT // 2 - 4
        material[4:44, first : first + 8] = (rng.random((40, 8)) < 0.2) * world.materials[name]
    down[material > 0] = 12
    axis, sign = {"down": (1, 1), "up": (1, -1), "right": (0, 1), "left": (0, -1)}[gravity]
    world["material"][:] = in_world(material, gravity)
    world["velocity"][..., axis] = sign * in_world(down, gravity)
    return world


@pytest.mark.parametrize("gravity", mostly_long(["down", "up", "left", "right"], "down", why="more sets of programs"))
def test_a_torn_stream_gathers_in_drops(gravity: Gravity) -> None:
    """Measured: 3 % of the cells are alone, at most 9 % of a liquid; at first, and without `form_drops`, 20 and 31 %.

    The atoms of each liquid are all there, and fall on.
    """
    before, after = torn_streams(gravity), run(torn_streams(gravity), TICKS)
    alone = [[fall_alone(world, name) for name in LIQUIDS] for world in (before, after)]
    assert np.mean(alone[0]) > 0.15
    assert np.mean(alone[1]) < 0.05
    assert max(alone[1]) < 0.12, dict(zip(LIQUIDS, alone[1], strict=True))
    for name in LIQUIDS:
        assert where(after, name).sum() == where(before, name).sum()
        assert after["velocity"][where(after, name)].any(axis=-1).all(), f"{name} has come to the floor"


def speed_of_the_upper(tick: int, across: int, down: int, other: str = "water", *, falls: bool = True) -> np.ndarray:
    """The change of the velocity of an atom of water that falls freely, beside an atom so many cells away."""
    world = atoms(16, 16)
    for row, column, name, speed in ((4, 8, "water", 32), (4 + down, 8 + across, other, 32 if falls else 0)):
        world["material"][row, column] = world.materials[name]
        world["velocity"][row, column] = 0, speed
    calls = [call for call in world.schedule().calls(tick) if call.pass_.name in ("find_drops", "form_drops")]
    for call in calls:
        oracle.apply(world, call)
    return world["velocity"][4, 8] - (0, 32)


def test_atoms_draw_each_other_up_to_a_distance() -> None:
    """In the ticks in which they look there; a few cells farther off, in odd ticks, or at rest they do not."""
    push = CONSTANTS["drop_push"]
    for across, down in ((DROP_REACH, 0), (0, DROP_REACH), (-2, 2), (3, 1), (-DROP_REACH, 2)):
        changes = {tuple(speed_of_the_upper(tick, across, down).tolist()) for tick in range(0, 8, 2)}
        assert changes == {(0, 0), (push * np.sign(across), push * np.sign(down))}, (across, down)
    for tick in range(8):
        beyond = (DROP_REACH + 1, 0), (0, DROP_REACH + 1), (DROP_REACH + 1, 2)
        assert not any(speed_of_the_upper(tick, *offset).any() for offset in beyond)
        assert not speed_of_the_upper(tick, 2, 2, "oil").any(), "each liquid has its own drops"
        assert not speed_of_the_upper(tick, 2, 2, falls=False).any()
    assert not any(speed_of_the_upper(tick, 1, 1).any() for tick in range(1, 8, 2))
