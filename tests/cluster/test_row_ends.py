"""What ranks with the same rows find together beside rows of pieces, held against a walk from rank to rank."""

from __future__ import annotations

import numpy as np
import pytest

from gpufluid.cluster.row_ends import row_ends_beyond
from gpufluid.rules.collapse import GOES_ON, NOT_OPEN

ROWS = 200


def walked(words: list[list[int]], place: int, step: int, parts: int, torus: bool) -> list[int]:
    """What is seen from the side of a part, through so many parts at most; `words` has what each part sees."""
    if parts == 0 or not (torus or 0 <= place < len(words)):
        return [0, 0]
    first, second = words[place % len(words)]
    seen = [first & ~GOES_ON, second]
    if not first & GOES_ON:
        return seen
    farther = walked(words, place + step, step, parts - 1, torus)
    return seen if farther[0] & NOT_OPEN else farther


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_what_lies_beyond_a_part_is_what_a_walk_through_the_others_finds(ranks: int, torus: bool) -> None:
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
                assert found[side, row].tolist() == walked(words, rank + step, step, ranks, torus)
