"""`Scans`: the scans of lines that go on in the parts of other ranks; what lies ahead of a rank's part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.cluster.columns import Columns
from gpufluid.cluster.costs import Costs
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.limits import Limits
from gpufluid.cluster.line_sums import LineSums
from gpufluid.cluster.rest import Rest
from gpufluid.cluster.shares import STRIP_ROWS
from gpufluid.cluster.stretches import Stretches
from gpufluid.core.frame import Area, frame_size
from gpufluid.gpu.device import Device
from gpufluid.gpu.readback import WindowCopies
from gpufluid.gpu.textures import write_texels
from gpufluid.oracle.atoms.cells import side_of
from gpufluid.rules import Over, Pass, Schedule
from gpufluid.rules.mixture import LIMITS
from gpufluid.world import World

if TYPE_CHECKING:
    from collections.abc import Mapping

    import moderngl
    from mpi4py.MPI import Comm

_Key = tuple[Pass, bool]
"""A pass that sums up lines, and whether matter moves toward their first strip."""


class Scans:
    """Sends the sums that passes have made of own lines to the ranks that need them, and finds the state ahead.

    Args:
        device: the rank's device.
        lines: the communicators of the ranks with the same columns, and of those with the same rows.
        costs: those of the rank.
        grid: the parts of all ranks.
        part: the rank's part of the world.
        schedule: that of the part.
        scratch: its scratch textures, by name.
        rest: whether the part's cells have changed.
        wake: wakes the tiles of some cells of the part.
    """

    def __init__(
        self,
        device: Device,
        lines: tuple[Comm, Comm],
        costs: Costs,
        grid: Grid,
        part: World,
        schedule: Schedule,
        scratch: Mapping[str, moderngl.Texture],
        rest: Rest,
        wake: Callable[[Area], None],
    ) -> None:
        self._device, self._scratch, self._rest, self._wake = device, scratch, rest, wake
        self._part, self._schedule = part, schedule
        self._sums: dict[_Key, LineSums] = {
            (pass_, sums.rises): sums
            for pass_ in schedule.passes
            if pass_.sums_up
            for sums in self._line_sums(pass_, lines, costs, grid)
        }
        self._copies = WindowCopies(device, "rg32ui")
        self._due: tuple[_Key, bool] | None = None  # the sums to send, and whether they may have changed
        self._summed_at: dict[_Key, int] = {}  # the moment at which each was last summed up, or found unchanged
        self._write_stretches()

    def release(self) -> None:
        """Release the buffers on the device."""
        self._copies.release()

    def begin(self, summing: Pass, tick: int, run: int) -> bool:
        """Note that the sums of a pass are sent next. Returns False if it need not run: no sum is needed, or changes.

        Args:
            summing: the pass.
            tick: the tick in progress.
            run: the number of the pass's run in it.
        """
        key = summing, self._rises(summing, tick, run)
        sums = self._sums[key]
        since = self._summed_at.get(key, -1)
        runs = bool(sums.summed) and not (sums.is_at_end and self._rest.is_unchanged(since))
        self._due, self._summed_at[key] = (key, runs), self._rest.now
        return runs

    def send(self) -> None:
        """Send the sums noted by `begin`, if any, to the ranks on the same lines, and find the state ahead."""
        if self._due is None:
            return
        ((summing, rises), changed), self._due = self._due, None
        self._device.barrier()
        sums, across = self._sums[summing, rises], summing.sums_up == "across"
        texture, target = self._scratch[summing.writes[0].name], self._scratch[self._target(summing)]
        texels: list[np.ndarray] = []
        for rows in sums.summed if changed else ():
            texels.append(np.empty((rows.stop - rows.start, texture.width, 2), np.uint32))
            self._copies.copy(texture, (0, rows.start, texture.width, len(texels[-1])), texels[-1])
        ahead, found = sums.exchanged(texels)
        write_texels(target, (0, 0), ahead)
        if not found:
            return
        part = self._part
        frame = frame_size(part.width, part.height, part.gravity)
        # Matter at rest at the end of the part may begin to move.
        front = 0 if rises else frame[0 if across else 1] - 1
        changed_lines, end_of_lines = (found[0], found[-1] + 1), (front, front + 1)
        self._wake((end_of_lines, changed_lines) if across else (changed_lines, end_of_lines))

    def _line_sums(self, summing: Pass, lines: tuple[Comm, Comm], costs: Costs, grid: Grid) -> Iterator[LineSums]:
        """The sums of a pass, in each direction in which matter moves along its lines."""
        part = self._part
        columns, rows = frame_size(part.width, part.height, part.gravity)
        first = [line // STRIP_ROWS for line, _ in part.domain.own_area(part.gravity)]
        if summing.sums_up == "across":
            for rises in (False, True):
                scan = Columns(Stretches(grid.columns, part.edges, rises))
                yield LineSums(scan, lines[1], costs, rows, first[0])
            return
        stretches = Stretches(grid.rows, part.edges, rises=summing.sums_up == "up")
        limits = 1 if part.exclusive else len(part.mixture)
        scan = Limits(stretches, limits) if LIMITS in summing.writes else Columns(stretches)
        yield LineSums(scan, lines[0], costs, columns, first[1])

    def _rises(self, summing: Pass, tick: int, run: int) -> bool:
        """True if in a run of a pass that sums up lines matter moves toward their first strip."""
        if summing.sums_up == "across":
            return side_of(self._part, tick, run) < 0
        return summing.sums_up == "up"

    def _write_stretches(self) -> None:
        """Tell the device of the stretches of lines that passes sum up."""
        texels: dict[str, np.ndarray] = {}
        for (summing, rises), sums in self._sums.items():
            for scratch in (each for each in summing.takes if each.is_given):
                texture = self._scratch[scratch.name]
                found = texels.setdefault(scratch.name, np.zeros((texture.height, texture.width, 2), np.uint32))
                found[: len(sums.words), :, int(rises)] = sums.words[:, None]
        for name, words in texels.items():
            write_texels(self._scratch[name], (0, 0), words)

    def _target(self, summing: Pass) -> str:
        """The scratch into which what lies ahead is written, for the passes that scan the same lines of a rule."""
        ahead = (each.looks_ahead for each in self._schedule.passes if each.rule == summing.rule)
        across = summing.sums_up == "across"
        return next(each.name for each in ahead if each is not None and (each.over is Over.ROWS) == across)
