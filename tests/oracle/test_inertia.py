"""Rule inertia: each pass equals its NumPy twin bit for bit.

The passes are `emit`, `push`, `carry`, `share_heat`, `move`, `move_heat` and `drain`.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.atoms import turned
from support.following import follow_by_passes, follow_by_ticks
from support.selection import crossed
from support.worlds import assert_equal, moving_water

from gpufluid import FULL, Drain, Emitter, Simulation, World, oracle
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.world.laws import EDGES, Edges

pytestmark = pytest.mark.usefixtures("device")


@crossed(most=1, together=1, mass=[1000, FULL, 2 * FULL, MASS_LIMIT], edges=EDGES)
def test_every_pass_equals_its_twin(mass: int, edges: str) -> None:
    world = moving_water(23, 37, edges=edges, walls=0.1, most=mass)
    with Simulation(world) as sim:
        for tick in range(4):
            for call in world.schedule().calls(tick):
                sim.run(call)
                oracle.apply(world, call)
                assert_equal(sim, world)


THROWING = {
    "emitters": [
        Emitter((2, 3), (4, 2), rate=0.3, level=2.0, velocity=(0.4, -0.7)),
        Emitter((9, 3), (3, 3), rate=0.8, chance=0.5, velocity=(-7.9, 7.9)),
        Emitter((14, 1), (2, 2), rate=0.1),
    ],
    "drains": [Drain((3, 12), (5, 3), rate=0.1), Drain((10, 10), (4, 6), rate=0.7), Drain((0, 15), (2, 2))],
}


@pytest.mark.long("a set of programs for each")
@crossed(together=1, mass=[300, 2 * FULL, MASS_LIMIT], edges=EDGES)
def test_emitters_that_throw_and_drains_equal_their_twins(mass: int, edges: str) -> None:
    world = moving_water(18, 20, walls=0.1, edges=edges, most=mass, parameters={"inertia": {"substeps": 2}}, **THROWING)
    with Simulation(world) as sim:
        for tick in range(3):
            for call in world.schedule().calls(tick):
                sim.run(call)
                oracle.apply(world, call)
                assert_equal(sim, world)


@pytest.mark.long("eight sets of programs")
@crossed(together=1, size=[(1, 1), (1, 2), (2, 1), (1, 37), (41, 1), (2, 2), (33, 9), (70, 67)], edges=EDGES)
def test_every_size_with_every_edge_equals_its_twin(size: tuple[int, int], edges: str) -> None:
    sources = {"emitters": [Emitter((0, 0), rate=0.3, level=2.0, chance=0.5)], "drains": [Drain((0, 0), rate=0.1)]}
    follow_by_ticks(moving_water(*size, walls=0.1, edges=edges, **sources), ticks=4)


@pytest.mark.long("3 sets of programs")
@pytest.mark.parametrize(
    "parameters",
    [{"acceleration": 0.0}, {"acceleration": 0.0078125, "drag": 0.0625}, {"drag": 0.0, "substeps": 3}],
    ids=str,
)
def test_every_parameter_equals_its_twin(parameters: dict[str, float]) -> None:
    follow_by_ticks(moving_water(19, 23, most=2 * FULL, parameters={"inertia": parameters}), ticks=5)


@pytest.mark.long("5 sets of programs")
@crossed(together=1, strip=[(1, 1), (2, 16), (3, 5), (16, 2), (8, 32)], edges=EDGES)
def test_any_shape_of_strips_gives_the_same_state(strip: tuple[int, int], edges: str) -> None:
    follow_by_ticks(moving_water(35, 21, edges=edges), ticks=3, strip=strip)


@pytest.mark.long("a set of laws with atoms; test_water_among_atoms.py tests the law of push by the oracle")
@pytest.mark.parametrize(("edges", "quarters"), [("closed", 0), ("wrap", 1), ("open", 2)])
def test_powder_that_falls_into_water_pushes_it_as_its_twin_does(edges: Edges, quarters: int) -> None:
    """Runs of powder of several lengths and speeds, over still water, moving water and a floor below thin water."""
    world = World(64, 36, ("flow", "inertia", "atoms"), edges=edges, seed=3)
    rng = np.random.default_rng(4)
    world["mass"][30:62] = rng.integers(FULL // 2, FULL + FULL // 4, (32, 36))
    world["mass"][30:, 8:20] = FULL
    world["momentum"][30:62, 20:] = rng.integers(-9000, 9000, (32, 16, 2))
    for column, length in enumerate(rng.integers(0, 12, 36)):
        world["material"][30 - length : 30, column] = world.materials[("sand", "gravel", "snow")[column % 3]]
    world["velocity"][:30, :, 1] = rng.integers(0, 100, (30, 36)) * (world["material"][:30] != 0)
    world.draw_grain()
    world = turned(world, quarters)
    follow_by_passes(world.copy(), 3)
    follow_by_ticks(world, ticks=10)
