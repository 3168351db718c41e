"""Divides the cells of a world among the invocations of a pass."""

from __future__ import annotations

from collections.abc import Sequence

from gpufluid.gpu.device import Device
from gpufluid.rules import BLOCKS, COLUMN_PARTS, LINE_STRIP, PATCH, SEGMENT, Over, Pass

_NARROWEST = 4
"""Columns of the narrowest strip: in still narrower ones too many outflows would be computed twice."""


def share(over: Over, strip: tuple[int, int]) -> tuple[int, int]:
    """The cells that one invocation owns, (columns, rows).

    Args:
        over: the units into which the pass divides the world.
        strip: (columns, rows) of a strip, in cells.
    """
    match over:
        case Over.STRIPS:
            return strip
        case Over.COLUMNS:
            return 1, LINE_STRIP
        case Over.COLUMN_PARTS:
            return 1, LINE_STRIP  # in a world of COLUMN_PARTS such strips; elsewhere more or fewer rows
        case Over.ROWS:
            return LINE_STRIP, 1
        case Over.SEGMENTS:
            return SEGMENT, 2
        case Over.BLOCKS:
            return 2, 2 * BLOCKS
        case Over.TRIPLES:
            return 3, 1
        case Over.WHOLE_COLUMNS | Over.WHOLE_ROWS | Over.BLOCK_COLUMNS | Over.TILES | Over.BLOCK_TILES:
            return LINE_STRIP, LINE_STRIP  # a tile at a time
        case Over.PATCHES:
            return PATCH, LINE_STRIP
        case Over.CELLS | Over.EMITTERS | Over.DRAINS:
            return 1, 1


def invocations(over: Over, cells: tuple[int, int], strip: tuple[int, int]) -> tuple[int, int]:
    """The number of invocations, (x, y), that own all cells together; a shader ignores invocations without cells.

    Neighbouring invocations in x own neighbouring columns, or neighbouring rows.

    Args:
        over: the units into which the pass divides the world.
        cells: (columns, rows) of the world in gravity's frame, or of the emitter or drain that is served.
        strip: as in `share`.
    """
    if over is Over.COLUMN_PARTS:
        return cells[0], COLUMN_PARTS
    if over in (Over.WHOLE_COLUMNS, Over.WHOLE_ROWS):
        return cells[over is Over.WHOLE_ROWS], 1
    columns, rows = share(over, strip)
    # With its partition offset the first block, pair or segment may begin outside the world.
    left = {Over.BLOCKS: 1, Over.SEGMENTS: SEGMENT - 1}.get(over, 0)
    above = 1 if over is Over.BLOCKS else 0
    across, down = -(-(cells[0] + left) // columns), -(-(cells[1] + above) // rows)
    return (down, across) if over in (Over.ROWS, Over.SEGMENTS) else (across, down)


def moved_size(strips: tuple[int, int]) -> tuple[int, int]:
    """(width, height) of the texture of what each strip has moved: a texel a strip; no side is a power of two.

    Mesa's software renderer compiles a program anew for images whose sides are powers of two, and again if only one of
    them is: it must not depend on the number of strips whether worlds of different sizes share programs.

    Args:
        strips: the number of strips, (across, down).
    """
    across, down = (max(side + (side & (side - 1) == 0), 3) for side in strips)
    return across, down


def tile_of(activated: Sequence[Pass], strip: tuple[int, int], device: Device) -> tuple[int, int]:
    """(columns, rows) of cells in a tile of a rule: for passes over strips, the strips of one work group.

    Args:
        activated: the passes of the rule that run over awake tiles only.
        strip: (columns, rows) of a strip, in cells.
        device: the device that runs them.
    """
    for pass_ in activated:
        if pass_.over is Over.STRIPS:
            columns, rows = pass_.layout.group or device.group_size
            return columns * strip[0], rows * strip[1]
    return LINE_STRIP, LINE_STRIP


def strip_of(passes: Sequence[Pass], rows: int, device: Device) -> tuple[int, int]:
    """(columns, rows) of the strip that one invocation of a gather owns.

    Args:
        passes: the passes of a tick.
        rows: of the world in gravity's frame.
        device: the device that runs them.
    """
    return device.strip_shape(rows, wide=any(pass_.layout.wide for pass_ in passes))


def strip_in_batch(passes: Sequence[Pass], frame: tuple[int, int], device: Device) -> tuple[int, int]:
    """(columns, rows) of a strip in a world of a batch: as `strip_of`, but narrower in a narrow world.

    The invocations of a group own strips of one world only. In a world of 64 columns strips of 16 would leave half of a
    group of 8 without work.

    Args:
        passes: the passes of a tick.
        frame: (columns, rows) of the world in gravity's frame.
        device: the device that runs them.
    """
    columns, rows = strip_of(passes, frame[1], device)
    while columns > _NARROWEST and columns // 2 * device.group_size[0] >= frame[0]:
        columns //= 2
    return columns, rows
