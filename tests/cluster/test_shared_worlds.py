"""A world that ranks share is the world of one process: digest, ledgers, statistics, rest and every cell."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ranked

PROGRAM = Path(ranked.__file__).with_name("shared_worlds.py")
WHOLE = "minutes of compilation, because each rank compiles; the short run has a few worlds"


@pytest.mark.parametrize("scene", ["dam_break", "hourglass", "vessel", "tube"])
def test_a_scene_on_three_ranks_is_that_of_one(scene: str) -> None:
    assert ranked.run(3, PROGRAM, scene) == ranked.Answer(0, "", "")


@pytest.mark.parametrize("case", ["grid_of_powders", "grid_of_slabs"])
def test_a_world_on_a_grid_of_ranks_is_that_of_one(case: str) -> None:
    """A grid of 2 x 2."""
    assert ranked.run(4, PROGRAM, case) == ranked.Answer(0, "", "")


@pytest.mark.long(WHOLE)
@pytest.mark.parametrize(
    ("case", "ranks"),
    [
        *((f"golden_{third}", 4) for third in range(3)),  # by two to four of these
        ("dam_break", 1),
        ("slabs", 3),
        ("laden_tube", 3),
        ("harbour", 3),
        ("flow", 4),
        ("thin", 7),
        ("through", 4),
        ("distant", 3),
        ("rest", 4),
        ("awake", 3),
        ("powders", 7),
        ("layers", 7),
        ("bodies", 5),
        ("stacks", 3),
        ("seams", 3),
        ("tall", 3),
        ("heat", 5),
        ("cooling", 3),
        ("reactions", 2),
        ("pools_at_rest", 3),
        ("wet", 7),
        ("wet_reactions", 2),
        ("rain_of_powder", 3),
        ("mixed", 7),
        ("mixed_in_cells", 3),
        ("mixed_among_atoms", 3),
        ("warm_mixtures", 4),
        ("warm_vessels", 3),
        ("warm_ponds", 4),
        ("ponds", 7),
        ("pools", 7),
        ("laden_tubes", 4),
        ("laden_pools", 7),
        ("moving_laden_pools", 4),
        ("rafts", 4),
        ("pieces", 7),
        ("pieces_in_water", 4),
        ("pieces_in_mixture", 3),
        ("pieces_in_waves", 7),
        ("piles", 3),
        ("moving_pieces", 5),
        ("moving_atoms", 4),
        ("moving_mixture", 4),
        ("moving_rest", 3),
        ("failing_moves", 3),
        ("atoms_in_strips", 3),
        ("grid_of_water", 4),
        ("grid_of_mixtures", 6),
        ("grid_of_vessels", 4),
        ("grid_of_rafts", 6),
        ("grids_of_piles", 4),
        ("grids_of_water", 4),
        ("grids_of_mixtures", 6),
        ("grids_of_powders", 6),
        *((f"grids_of_{what}", 2) for what in ("fluids", "mixed_atoms")),
        ("grid_of_tubes", 6),
        ("grids_of_ponds", 6),
        ("grids_of_warm_ponds", 4),
        ("grids_of_laden_pools", 4),
        ("grids_that_move", 4),
    ],
)
def test_random_worlds_on_some_ranks_are_those_of_one(case: str, ranks: int) -> None:
    """All edges and directions of gravity; ports at borders; shares of one strip; matter that falls through all.

    And borders that move at random.
    """
    assert ranked.run(ranks, PROGRAM, case) == ranked.Answer(0, "", "")
