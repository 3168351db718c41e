"""A world that ranks share is the world of one process: digest, ledgers, statistics, rest and every cell."""

from __future__ import annotations

import pytest
from support import ranked
from support.selection import mostly_long
from support.standing import Team

PROGRAM = "shared_worlds"
WHOLE = "minutes of compilation, because each rank compiles; the short run has a few worlds"


@pytest.mark.parametrize("scene", mostly_long(["hourglass", "vessel", "tube"], "hourglass", why=WHOLE))
def test_a_scene_on_three_ranks_is_that_of_one(scene: str, team: Team) -> None:
    assert team.run(3, PROGRAM, scene) == ranked.Answer(0, "", "")


@pytest.mark.long(WHOLE)
@pytest.mark.parametrize("case", ["grid_of_powders", "grid_of_slabs"])
def test_a_world_on_a_grid_of_ranks_is_that_of_one(case: str, team: Team) -> None:
    """A grid of 2 x 2."""
    assert team.run(4, PROGRAM, case) == ranked.Answer(0, "", "")


@pytest.mark.long(WHOLE)
@pytest.mark.parametrize(
    ("case", "ranks"),
    [
        *((f"golden_{third}", 4) for third in range(3)),  # on two, three or four of these
        ("dam_break", 1),
        ("flow", 4),
        ("thin:4", 7),
        ("through", 4),
        ("distant:4", 3),
        ("rest", 4),
        ("awake:2", 3),
        ("powders:2", 7),
        ("layers:2", 7),
        ("bodies:2", 5),
        ("stacks", 3),
        ("seams", 3),
        ("tall:2", 3),
        ("heat:2", 5),
        ("reactions:2", 5),
        ("pools_at_rest:2", 3),
        ("wet:2", 7),
        ("rain_of_powder:1", 3),
        ("mixed:2", 7),
        ("mixed_in_cells:2", 3),
        ("mixed_among_atoms", 3),
        ("ponds:2", 7),
        ("pools:2", 7),
        ("laden_pools:2", 7),
        ("pieces:2", 7),
        ("pieces_in_mixture:1", 5),
        ("pieces_in_waves:1", 7),
        ("moving_pieces:1", 5),
        ("moving_atoms:1", 4),
        ("moving_mixture:2", 4),
        ("moving_rest", 3),
        ("failing_moves", 3),
        ("atoms_in_strips:1", 3),
        ("grid_of_rafts", 6),
        ("grid_of_rafts_on_atoms", 6),
        ("grids_of_piles", 4),
        ("grids_of_water:4", 4),
        ("grids_of_fluids:2", 2),
        ("grids_of_mixed_atoms", 2),
        ("grid_of_tubes", 6),
        ("grids_of_ponds:2", 6),
        ("grids_of_warm_ponds:1", 4),
        ("grids_of_laden_pools:2", 4),
        ("grids_that_move", 4),
    ],
)
def test_random_worlds_on_some_ranks_are_those_of_one(case: str, ranks: int, team: Team) -> None:
    """All edges and directions of gravity; ports at borders; shares of one strip; matter that falls through all.

    And borders that move at random.
    """
    assert team.run(ranks, PROGRAM, case) == ranked.Answer(0, "", "")
