"""The fluid beside rows of pieces that cross several ranks, compared with a search from rank to rank."""

from __future__ import annotations

import numpy as np
import pytest

from gpufluid.cluster.row_ends import row_ends_beyond
from gpufluid.rules.collapse import GOES_ON, NOT_OPEN

ROWS = 200


def found_by_search(words: list[list[int]], place: int, step: int, parts: int, torus: bool) -> list[int]:
    """The texel that a search finds from part `place` on, in at most so many parts; `words`: the texel of each part."""
    if parts == 0 or not (torus or 0 <= place < len(words)):
        return [0, 0]
    first, second = words[place % len(words)]
    seen = [first & ~GOES_ON, second]
    if not first & GOES_ON:
        return seen
    farther = found_by_search(words, place + step, step, parts - 1, torus)
    return seen if farther[0] & NOT_OPEN else farther


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_the_fluid_beyond_a_part_is_that_which_a_search_through_the_others_finds(ranks: int, torus: bool) -> None:
    rng = np.random.default_rng(ranks)
    every = [rng.integers(0, 5, (2, ROWS, 2)).astype(np.uint32) for _ in range(ranks)]
    for each in every:
        each[..., 0] |= np.uint32(GOES_ON) * (rng.random((2, ROWS)) < 0.7)
        each[..., 0] |= np.uint32(NOT_OPEN) * (rng.random((2, ROWS)) < 0.4)
    for rank in range(ranks):
        found = row_ends_beyond(every, rank, torus)
        for side, step in enumerate((1, -1)):
            for row in range(ROWS):
                words = [each[side, row].tolist() for each in every]
                assert found[side, row].tolist() == found_by_search(words, rank + step, step, ranks, torus)
