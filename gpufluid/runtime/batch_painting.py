"""The strokes of a brush in the worlds of a batch, checked before any cell changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpufluid.core.errors import UsageError, WorldError, shown
from gpufluid.core.runs import Runs
from gpufluid.scene.matter import unknown_material
from gpufluid.scene.strokes import Adding, Laying, Stroke
from gpufluid.world import World


def painted_worlds(
    cells: np.ndarray, strokes: Stroke | Sequence[Stroke | None], chosen: np.ndarray, world: World
) -> dict[int, tuple[Stroke, Runs]]:
    """The strokes of the worlds that have one, by the index of the world, and the cells that each touches.

    Args:
        cells: (worlds, height, width) bool; or (height, width) bool, the same for all worlds.
        strokes: one for all worlds, or one for each; None: nothing in that world.
        chosen: (worlds,) bool: the worlds that are painted.
        world: any of the worlds.
    Raises: UsageError: arrays of another shape or type, or a wrong number of strokes. WorldError: a stroke that lays or
        adds what cells of these worlds cannot hold.
    """
    count = len(chosen)
    own = _checked_strokes(strokes, count, world)
    shape = count, world.height, world.width
    if not isinstance(cells, np.ndarray) or cells.dtype != bool or cells.shape not in (shape, shape[1:]):
        found = f"{cells.dtype} of shape {cells.shape}" if isinstance(cells, np.ndarray) else shown(cells)
        raise UsageError(f"cells: {found}; expected an array of bool of shape {shape} or {shape[1:]}")
    if cells.ndim == 2:
        runs = Runs.of_mask(0, 0, cells)
        touched = [runs] * count
    else:
        touched = _runs_of_worlds(cells & chosen[:, None, None])
    each = zip(own, touched, chosen.tolist(), strict=True)
    return {n: (stroke, runs) for n, (stroke, runs, is_chosen) in enumerate(each) if stroke and runs and is_chosen}


def _runs_of_worlds(cells: np.ndarray) -> list[Runs]:
    """The marked cells of each world; ``cells`` is (worlds, height, width) bool."""
    count, height, width = cells.shape
    table = Runs.of_mask(0, 0, cells.reshape(count * height, width)).table  # worlds one below the other
    worlds = table[:, 0] // height
    table[:, 0] -= worlds * height
    return [Runs(own) for own in np.split(table, np.searchsorted(worlds, np.arange(1, count)))]


def _checked_strokes(strokes: Stroke | Sequence[Stroke | None], count: int, world: World) -> Sequence[Stroke | None]:
    """A stroke for each of ``count`` worlds. Raises: as `painted_worlds`."""
    if isinstance(strokes, Laying | Adding):
        _check_stroke(strokes, world, "strokes")
        return [strokes] * count
    if not isinstance(strokes, Sequence) or isinstance(strokes, str) or len(strokes) != count:
        raise UsageError(f"strokes: {shown(strokes)}; expected a Laying or an Adding, or a list of {count}")
    checked: set[Stroke] = set()
    for number, stroke in enumerate(strokes):
        if stroke is not None and not _is_among(stroke, checked):
            _check_stroke(stroke, world, f"strokes[{number}]")
            checked.add(stroke)
    return strokes


def _is_among(stroke: Stroke, checked: set[Stroke]) -> bool:
    """True if a stroke is one of those that were checked, which have hashes."""
    try:
        return stroke in checked
    except TypeError:  # it has a value of a wrong type, such as a list as its amount: the check names it
        return False


def _check_stroke(stroke: Stroke, world: World, named: str) -> None:
    """Raise WorldError if a stroke lays or adds what cells of the world cannot hold, UsageError if it is no stroke."""
    if not isinstance(stroke, Laying | Adding):
        raise UsageError(f"{named}: {shown(stroke)}; expected a Laying, an Adding or None")
    try:
        if isinstance(stroke, Adding):
            stroke.check(world)
            return
        for key, name in (("material", stroke.material), ("replaced", stroke.replaced)):
            if name is not None and not (isinstance(name, str) and name in world.materials):
                raise WorldError(key, _unknown(world, name))
        stroke.sample(world)
    except WorldError as error:
        raise WorldError(f"{named}.{error.field}", error.message) from None


def _unknown(world: World, name: object) -> str:
    """Says that something is not a material of a world."""
    return unknown_material(world, name) if isinstance(name, str) else f"{shown(name)}; expected the name of a material"
