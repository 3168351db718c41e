"""Least memory traffic of the passes of a tick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gpufluid.core.fields import PLANES
from gpufluid.gpu.footprint import bytes_a_cell
from gpufluid.gpu.shares import invocations
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.rules import MOVED, Call, Over


def bytes_by_pass(
    calls: Iterable[Call],
    size: tuple[int, int],
    frame: tuple[int, int],
    strip: tuple[int, int],
    layers: int = 1,
    carried: Sequence[str] = (),
) -> dict[str, int]:
    """Return the least bytes that each pass of a tick moves, by full name, summed over the pass's calls.

    The count follows the declarations of the passes. A plane counts once if it is read, and twice if it is gathered or
    updated; in passes that move atoms, so do the planes that atoms carry. A scratch texture counts once for a pass that
    writes or takes it, and twice for a pass that refines it. A pass over segments touches every other row. Updates at
    places that a scratch texture selects are not counted. The count assumes that no tile sleeps.

    Args:
        calls: the calls of one tick.
        size: (width, height) of the world.
        frame: (width, height) in gravity's frame.
        strip: (columns, rows) of cells that one invocation of a gather owns.
        layers: number of materials in the world's mixture.
        carried: names of the planes that atoms carry beside their cells.
    """
    found: dict[str, int] = {}
    for call in calls:
        pass_ = call.pass_
        cells = size[0] * size[1]
        if call.port is not None:
            cells = call.port.size[0] * call.port.size[1]
        elif pass_.over is Over.SEGMENTS:
            cells = frame[0] * (frame[1] // 2)
        once = sum(bytes_a_cell(PLANES[name], layers) for name in pass_.reads)
        changed = pass_.gathered(carried)
        if not (pass_.takes or pass_.refines):
            changed += pass_.updated(carried)
        twice = sum(bytes_a_cell(PLANES[name], layers) for name in changed)
        moved = cells * (once + 2 * twice)
        for scratch in (*pass_.takes, *pass_.writes, *pass_.refines, *pass_.refines):
            across, down = invocations(scratch.over, frame, strip)
            moved += across * down * bytes_a_texel(scratch.image)
        if pass_.measures:
            across, down = invocations(Over.STRIPS, frame, strip)
            moved += (
                across * down * bytes_a_texel(MOVED) * (2 if call.substep else 1)
            )  # later substeps read and write the sum
        found[pass_.full_name] = found.get(pass_.full_name, 0) + moved
    return found
