"""What lies ahead of the columns of each rank's part is what a scan of the whole column finds, also of a mixture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpufluid.cluster.columns import Columns
from gpufluid.cluster.limits import Limits
from gpufluid.cluster.runs_above import run_above
from gpufluid.cluster.shares import STRIP_ROWS, Shares
from gpufluid.cluster.stretches import Stretches
from gpufluid.core.fields import FULL
from gpufluid.oracle.atoms.scan import BLOCK, CLEAR, MOVER, Ahead, Steps, ahead_after, ahead_of_line, survey_words
from gpufluid.world.laws import EDGES, Edges

COLUMNS = 12


def random_steps(rng: np.random.Generator, rows: int) -> Steps:
    """Cells of columns as steps: long runs of one kind, so that some stretches are all empty or all in motion."""
    chances = rng.dirichlet((1, 1, 0.1), COLUMNS)
    runs = [np.repeat(rng.choice(3, rows, p=each), rng.integers(1, 90, rows))[:rows] for each in chances]
    kind = np.array(runs, np.int32).T
    wished, hardness = rng.integers(0, CLEAR, kind.shape), rng.integers(1, 5, kind.shape)
    return Steps(kind, np.where(kind == MOVER, wished, np.where(kind == BLOCK, hardness, 0)).astype(np.int32))


def states_ahead(steps: Steps, edges: Edges) -> list[Ahead]:
    """The state ahead of each cell of the columns, by a walk over the whole; the last is that ahead of the front."""
    found = [ahead_of_line(steps, edges)]
    for kind, value in zip(steps.kind[::-1], steps.value[::-1], strict=True):
        found.append(ahead_after(found[-1], kind, value))
    return found[::-1]


def sent(columns: Columns, shares: Shares, steps: Steps, rises: bool) -> Sequence[np.ndarray]:
    """What each rank sends. The word of the cell at the back of a strip is here the number of the strip, from 1."""
    every: list[np.ndarray] = []
    for rank, (first, _) in enumerate(shares.own):
        every.append(np.zeros((0, COLUMNS, 2), np.uint32))
        for word in columns.words(rank, first // STRIP_ROWS).tolist():
            strip, strips = word & 0xFFFF, word >> 16
            begin = shares.lines // STRIP_ROWS - 1 - strip if rises else strip
            rows = slice(begin * STRIP_ROWS, (begin + strips) * STRIP_ROWS)
            words = survey_words(Steps(steps.kind[rows], steps.value[rows]), strips * STRIP_ROWS)
            texels = np.stack([words, np.full_like(words, strip + 1)], axis=2).astype(np.uint32)
            every[-1] = np.concatenate([every[-1], columns.sums([texels])])
    return every


@settings(max_examples=60)
@given(
    luck=st.integers(0, 2**31),
    strips=st.integers(1, 40),
    ranks=st.integers(1, 7),
    depth=st.sampled_from([32, 96, 288]),
    edges=st.sampled_from(EDGES),
    rises=st.booleans(),
)
def test_the_state_ahead_of_a_part_is_that_of_the_whole_column(
    luck: int, strips: int, ranks: int, depth: int, edges: Edges, rises: bool
) -> None:
    rows, ranks = strips * STRIP_ROWS, min(ranks, strips)
    shares = Shares.of(rows, ranks, depth, edges == "wrap")
    steps = random_steps(np.random.default_rng(luck), rows)
    expected = states_ahead(steps, edges)
    columns = Columns(Stretches(shares, edges, rises))
    every = sent(columns, shares, steps, rises)
    for rank, ((first, end), (before, after)) in enumerate(zip(shares.own, shares.halos, strict=True)):
        place = rows - (first - before) if rises else end + after  # along the columns, in the direction of motion
        wrapped = place % rows if edges == "wrap" else place
        texels = columns.ahead(rank, every)[0]
        np.testing.assert_array_equal(texels[:, 0] & 0xFF, expected[wrapped].free)
        near = expected[wrapped].free < CLEAR  # no atom goes as far as a clear line, so it meets no obstacle
        np.testing.assert_array_equal((texels[:, 0] >> 8)[near], expected[wrapped].hard[near])
        strip = wrapped // STRIP_ROWS
        beyond = 0 if wrapped == rows else strips - strip if rises else strip + 1
        np.testing.assert_array_equal(texels[:, 1], beyond)


LIMITS = 2


def random_cells(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wishes and room of each limit in cells of columns, and which cells are solid; long runs have no room."""
    shape = rows, LIMITS, COLUMNS
    room = np.where(rng.random(shape) < rng.choice([0, 0.02, 0.5], (1, *shape[1:])), rng.integers(0, FULL, shape), 0)
    wish = np.where(rng.random(shape) < 0.9, rng.integers(0, FULL, shape), 0)
    solid = np.broadcast_to(rng.random((rows, 1, COLUMNS)) < 0.01, shape)
    return np.where(solid, 0, wish), np.where(solid, 0, room), solid


def limits_ahead(wish: np.ndarray, room: np.ndarray, solid: np.ndarray, edges: Edges) -> list[np.ndarray]:
    """The limit ahead of each cell by a walk over the whole columns, from the front; the last is that of the front."""
    limit = np.full(wish.shape[1:], FULL if edges == "open" else 0)
    if edges == "wrap":
        limit[:] = 2 * FULL
        for cell in reversed(range(len(wish))):
            limit = np.where(solid[cell], 0, np.minimum(wish[cell], limit) + room[cell])
        limit[(room == 0).all(axis=0)] = 0
    found = [limit]
    for cell in reversed(range(len(wish))):
        found.append(np.where(solid[cell], 0, np.minimum(wish[cell], found[-1]) + room[cell]))
    return found[::-1]


def texels_of(wish: np.ndarray, room: np.ndarray, solid: np.ndarray) -> np.ndarray:
    """Gain and cap of each strip, as ``shaders/mixture/summing.glsl`` makes them: (strips, limits, columns, 2)."""
    texels = []
    for first in range(0, len(wish), STRIP_ROWS):
        gain, cap = np.zeros(wish.shape[1:], np.int64), np.full(wish.shape[1:], 2 * FULL)
        for cell in reversed(range(first, min(first + STRIP_ROWS, len(wish)))):
            cap = np.where(solid[cell], 0, np.minimum(wish[cell], cap) + room[cell])
            gain = np.where(solid[cell], 0, np.minimum(gain + room[cell], 2 * FULL))
        texels.append(np.stack([gain, cap], axis=-1))
    return np.array(texels, np.uint32)


@settings(max_examples=40)
@given(
    luck=st.integers(0, 2**31),
    strips=st.integers(1, 20),
    ranks=st.integers(1, 7),
    depth=st.sampled_from([32, 96]),
    edges=st.sampled_from(EDGES),
    rises=st.booleans(),
)
def test_the_limits_ahead_of_a_part_are_those_of_the_whole_column(
    luck: int, strips: int, ranks: int, depth: int, edges: Edges, rises: bool
) -> None:
    rows, ranks = strips * STRIP_ROWS, min(ranks, strips)
    shares = Shares.of(rows, ranks, depth, edges == "wrap")
    cells = random_cells(np.random.default_rng(luck), rows)
    expected = limits_ahead(*cells, edges)
    texels = texels_of(*cells)
    limits = Limits(Stretches(shares, edges, rises), LIMITS)
    texels = texels[::-1] if rises else texels
    every: list[np.ndarray] = []
    for rank, (first, _) in enumerate(shares.own):
        found = [texels.reshape(-1, COLUMNS, 2)[own] for own in limits.summed(rank, first // STRIP_ROWS)]
        every.append(limits.sums(found) if found else np.zeros((0, COLUMNS, 2), np.uint32))
    for rank, ((first, end), (before, after)) in enumerate(zip(shares.own, shares.halos, strict=True)):
        place = rows - (first - before) if rises else end + after  # along the columns, in the direction of motion
        wrapped = place % rows if edges == "wrap" else place
        np.testing.assert_array_equal(limits.ahead(rank, every)[..., 0], expected[wrapped])


EMPTY, SOLID, POWDER = 0, 1, 2
"""Kinds of cells; greater numbers are the labels of liquid, less `POWDER`."""


def run_upward(cells: np.ndarray, row: int, most: int, edges: Edges) -> tuple[int, bool, int, int]:
    """The run of one kind from a row of a column upward: its cells, whether it is open above, its weight, its label."""
    rows = len(cells)

    def at(place: int) -> int:
        return int(cells[place % rows]) if edges == "wrap" or place >= 0 else SOLID

    kind, count = at(row), 0
    while count < most and at(row - count) == kind >= POWDER:
        count += 1
    is_open = count < most and at(row - count) == EMPTY
    return count, is_open, 3 * count if kind == POWDER else 0, max(kind - POWDER, 0)


@settings(max_examples=60)
@given(
    luck=st.integers(0, 2**31),
    strips=st.integers(1, 12),
    ranks=st.integers(1, 7),
    edges=st.sampled_from(EDGES),
    liquid=st.booleans(),
)
def test_the_run_above_own_rows_is_that_of_the_whole_column(
    luck: int, strips: int, ranks: int, edges: Edges, liquid: bool
) -> None:
    rng, rows, ranks = np.random.default_rng(luck), strips * STRIP_ROWS, min(ranks, strips)
    shares = Shares.of(rows, ranks, 32, edges == "wrap")
    kinds = rng.integers(0, 5 if liquid else 3, (rows, COLUMNS))
    cells = np.array([np.repeat(column, rng.integers(1, 90, rows))[:rows] for column in kinds.T]).T
    cells[:, 0] = POWDER
    every = [
        np.array(
            [run_upward(cells[first:end, column], end - first - 1, end - first, "closed") for column in range(COLUMNS)]
        )
        for first, end in shares.own
    ]
    for rank, (first, _) in enumerate(shares.own):
        found = run_above(every, [end - begin for begin, end in shares.own], rank, edges == "wrap", liquid=liquid)
        expected = [run_upward(cells[:, column], first - 1, rows, edges) for column in range(COLUMNS)]
        np.testing.assert_array_equal(found.T, np.array(expected, np.int64))
