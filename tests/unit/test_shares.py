"""Every cell belongs to exactly one invocation, for each way to divide the world."""

from __future__ import annotations

import pytest

from gpufluid import World
from gpufluid.gpu.device import Device
from gpufluid.gpu.shares import BLOCKS, COLUMN_PARTS, LINE_STRIP, PATCH, SEGMENT, invocations, share, strip_of
from gpufluid.rules import Over

SIZES = ((1, 1), (2, 2), (7, 5), (8, 6), (33, 17))
STRIP = (4, 3)
OFFSET = (Over.BLOCKS, Over.COLUMN_PARTS, Over.SEGMENTS, Over.WHOLE_COLUMNS, Over.WHOLE_ROWS)
"""Divisions whose first unit may begin outside the world, or whose units follow the size of the world."""


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("over", [over for over in Over if over not in OFFSET])
def test_no_cell_is_left_out_and_no_invocation_is_idle(over: Over, size: tuple[int, int]) -> None:
    counts = invocations(over, size, STRIP)
    if over is Over.ROWS:  # neighbouring invocations own neighbouring rows
        counts = counts[::-1]
    for cells, owned, count in zip(size, share(over, STRIP), counts, strict=True):
        assert (count - 1) * owned < cells <= count * owned


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("offset", [0, 1])
def test_blocks_cover_the_world_at_every_offset(size: tuple[int, int], offset: int) -> None:
    """With partition offset 1 the first block begins one cell before the world."""
    for cells, owned, count in zip(size, share(Over.BLOCKS, STRIP), invocations(Over.BLOCKS, size, STRIP), strict=True):
        covered = set(range(-offset, owned * count - offset))
        assert set(range(cells)) <= covered


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_column_has_the_same_number_of_parts(size: tuple[int, int]) -> None:
    """The parts are as long as the height of the world needs."""
    assert invocations(Over.COLUMN_PARTS, size, STRIP) == (size[0], COLUMN_PARTS)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("lead", [0, 1, SEGMENT - 1])
def test_segments_cover_every_row_wherever_the_first_begins(size: tuple[int, int], lead: int) -> None:
    """In a piece of a whole world a segment may begin before the first column; invocations are [row, segment]."""
    rows, segments = invocations(Over.SEGMENTS, size, STRIP)
    assert (rows - 1) * 2 < size[1] <= rows * 2
    assert set(range(size[0])) <= set(range(-lead, SEGMENT * segments - lead))


def test_cells_owned_by_an_invocation() -> None:
    wanted = {
        Over.STRIPS: STRIP,
        Over.CELLS: (1, 1),
        Over.BLOCKS: (2, 2 * BLOCKS),
        Over.COLUMN_PARTS: (1, LINE_STRIP),
        Over.TRIPLES: (3, 1),
        Over.COLUMNS: (1, LINE_STRIP),
        Over.ROWS: (LINE_STRIP, 1),
        Over.SEGMENTS: (SEGMENT, 2),
        Over.WHOLE_COLUMNS: (LINE_STRIP, LINE_STRIP),
        Over.WHOLE_ROWS: (LINE_STRIP, LINE_STRIP),
        Over.BLOCK_COLUMNS: (LINE_STRIP, LINE_STRIP),
        Over.TILES: (LINE_STRIP, LINE_STRIP),
        Over.BLOCK_TILES: (LINE_STRIP, LINE_STRIP),
        Over.PATCHES: (PATCH, LINE_STRIP),
        Over.EMITTERS: (1, 1),
        Over.DRAINS: (1, 1),
    }
    assert {over: share(over, STRIP) for over in Over} == wanted


@pytest.mark.parametrize(
    ("rules", "rows", "wanted"),
    [(("flow",), 4096, (1, 16)), (("flow", "inertia"), 1024, (2, 16)), (("flow", "inertia"), 4096, (2, 64))],
)
def test_on_a_gpu_strips_of_water_with_momentum_have_two_columns(
    rules: tuple[str, ...], rows: int, wanted: tuple[int, int], device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The neighbours of a strip compute three of its columns, too; measured on an NVIDIA H100."""
    monkeypatch.setattr(Device, "software", False)
    passes = World(16, 16, rules).schedule(dict.fromkeys(rules, "strips")).passes
    assert strip_of(passes, rows, device) == wanted
