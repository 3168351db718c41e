"""Tiles of cells that sleep: what passes have noted of each, and the lists over which others are dispatched.

A pass that activated_by is not dispatched over all cells. First ``shaders/tiles/activate.comp`` asks the rule's
``activate_<pass>`` of each tile whether the pass must look at it, and puts those on a list; then the pass runs over the
list, by an indirect dispatch. In all other tiles it would change nothing, whatever chance draws. Twin of
``shaders/lib/tiles.glsl``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gpufluid.gpu.carried import carried_glsl
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import WHOLE, Band, Dispatch, IndirectDispatch, Program, Uniform
from gpufluid.gpu.generated import tile_flags_glsl, waking_glsl
from gpufluid.rules import PATCH, SEGMENT, Over, Pass

_LIST_WORDS = 4
"""Of each list: the groups along x, y and z of the dispatch over it, and how many entries it has."""

_RUN = 32
"""Tiles that one invocation of a activator asks, where it lists tiles."""

BINDING = 1
"""Of the storage buffer; the ledgers' is 0."""


def grid_of(cells: tuple[int, int], tile: tuple[int, int], is_whole: bool) -> tuple[int, int]:
    """Tiles across and along a frame of so many cells.

    One more than the cells fill: a block may begin in the last cell, and belongs to where its partition has it. The
    segments of a piece of a whole world may begin before its first cell, and then end so much earlier in a tile.
    """
    lead = 0 if is_whole else SEGMENT - 1
    return (cells[0] + lead) // tile[0] + 1, cells[1] // tile[1] + 1


def tile_bytes(tile_flags: Sequence[str], cells: tuple[int, int], tile: tuple[int, int], lists: int) -> int:
    """What the tiles of a whole world take on the device of which so much is noted."""
    return _grid_bytes(tile_flags, grid_of(cells, tile, is_whole=True), lists)


def _grid_bytes(tile_flags: Sequence[str], grid: tuple[int, int], lists: int) -> int:
    return 4 * (_words_before_flags(grid, lists) + len(tile_flags) * grid[0] * grid[1])


def _words_before_flags(grid: tuple[int, int], lists: int) -> int:
    """The words of the lists' heads, the latest stamp, the masks and the list itself."""
    across, along = ((side + 31) // 32 for side in grid)
    return _LIST_WORDS * lists + 1 + max(grid[0] * along, grid[1] * across) + grid[0] * grid[1]


class Tiles:
    """What is noted of the tiles of one rule in one world, on the device.

    Args:
        device: where it lies.
        tile_flags: what is noted, by name; the first is that something has changed in one.
        cells: (columns, rows) of gravity's frame.
        tile: (columns, rows) of cells in a tile.
        lists: how often passes activate in a tick.
        tick: the first; all tiles are awake in it.
        ring: whether the frame closes on itself along both axes.
        is_whole: whether the frame is that of a whole world.
    """

    def __init__(
        self,
        device: Device,
        tile_flags: Sequence[str],
        cells: tuple[int, int],
        tile: tuple[int, int],
        lists: int,
        tick: int,
        ring: bool,
        is_whole: bool = True,
    ) -> None:
        self._device, self._names, self._tile, self._ring = device, tile_flags, tile, ring
        self._flags = len(tile_flags)
        self._lists = max(lists, 1)
        self.awake = False  # whether no tile ever sleeps: the state is the same
        self._grid = grid_of(cells, tile, is_whole)
        self._first_flag = _words_before_flags(self._grid, self._lists)
        self.buffer = device.buffer(_grid_bytes(tile_flags, self._grid, self._lists))
        self.wake_all(tick)

    @property
    def _count(self) -> int:
        return self._grid[0] * self._grid[1]

    @property
    def _latest(self) -> int:
        return _LIST_WORDS * self._lists

    def glsl(self) -> str:
        """``generated/tiles.glsl``: the buffer, and the numbers of what is noted."""
        return (
            f"#define TILED\nlayout(std430, binding = {BINDING}) buffer TilesBuffer {{ uint tiles[]; }};\n"
            f"const ivec2 TILE = ivec2({self._tile[0]}, {self._tile[1]});\n"
            f"const int RUN = {_RUN};\nconst int LISTS = {self._lists};\n"
            f"const int LIST_WORDS = {_LIST_WORDS};\n" + tile_flags_glsl(self._names)
        )

    def group_size(self, over: Over) -> tuple[int, int] | None:
        """Invocations in a group that works on one entry of a list; None: as elsewhere."""
        columns, rows = self._tile
        across = {
            Over.WHOLE_COLUMNS: columns,
            Over.WHOLE_ROWS: rows,
            Over.BLOCK_COLUMNS: columns // 2,
            Over.SEGMENTS: rows // 2 * (columns // SEGMENT),
            Over.TILES: rows,
            Over.PATCHES: columns // PATCH,
        }.get(over)
        return None if across is None else (across, 1)

    def uniforms(self, number: int) -> dict[str, Uniform]:
        """What a program is given that works on one of a tick's lists."""
        return {"tile_grid": self._grid, "list_number": number, "all_awake": self.awake}

    def activator(self, pass_: Pass, texts: Mapping[str, str]) -> Program:
        """The program that lists what a pass must look at."""
        lines = {Over.WHOLE_COLUMNS: "false", Over.BLOCK_COLUMNS: "false", Over.WHOLE_ROWS: "true"}.get(pass_.over)
        text = f'#include "generated/images.glsl"\n#include "{pass_.rule}/activate.glsl"\n'
        text += f"#define ACTIVATED activate_{pass_.activated_by}\n"
        if lines is not None:
            text += f"#define LISTED_LINES\nconst bool LINES_ACROSS = {lines};\n"
        own = {"carried": carried_glsl(()), "waking": waking_glsl(pass_), "tiles": self.glsl(), "activate": text}
        texts = {**texts, **{f"generated/{name}.glsl": each for name, each in own.items()}}
        return Program(self._device, "tiles/activate.comp", [], self._device.group_size, texts)

    def over_lines(self, over: Over) -> tuple[int, int]:
        """How many invocations a activator has, (x, y): one a line of tiles, or one for some tiles of a row."""
        match over:
            case Over.WHOLE_COLUMNS | Over.BLOCK_COLUMNS:
                return self._grid[0], 1
            case Over.WHOLE_ROWS:
                return self._grid[1], 1
            case _:
                return -(-self._grid[0] // _RUN), self._grid[1]

    def offset(self, number: int) -> int:
        """Where a list's dispatch lies in the buffer, in bytes."""
        return 4 * _LIST_WORDS * number

    def forget_lists(self) -> None:
        """A tick begins: all lists are empty."""
        self.buffer.write(bytes(4 * _LIST_WORDS * self._lists))

    def wake_all(self, tick: int) -> None:
        """Everything may change from this tick on."""
        words = np.zeros(self._first_flag + self._flags * self._count, "<u4")
        words[self._first_flag :] = (tick - (1 << 31)) & 0xFFFFFFFF  # as long ago as can be told
        words[self._first_flag : self._first_flag + self._count] = words[self._latest] = tick & 0xFFFFFFFF
        self.buffer.write(words)

    def wake(self, low: tuple[int, int], high: tuple[int, int], tick: int) -> None:
        """What lies in a rectangle of the frame's cells, or next to it, may change from this tick on.

        Args:
            low, high: the cells (column, row) at its corners, both in it.
            tick: the coming one.
        """
        word = np.array([tick & 0xFFFFFFFF], "<u4")
        columns, rows = (self._beside(low[axis], high[axis], axis) for axis in (0, 1))
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1)
        for row in rows.tolist():
            for run in runs:
                place = self._first_flag + row * self._grid[0] + int(run[0])
                self.buffer.write(np.repeat(word, len(run)).tobytes(), offset=4 * place)
        self.buffer.write(word.tobytes(), offset=4 * self._latest)

    def _beside(self, low: int, high: int, axis: int) -> np.ndarray:
        """The numbers along an axis of the tiles that hold cells from one to another, and of those next to them.

        On a ring the last one, which is not whole, shares what is noted with the first.
        """
        size, count = self._tile[axis], self._grid[axis]
        numbers = np.arange(low // size - 1, high // size + 2)
        return np.unique(numbers % max(count - 1, 1) if self._ring else numbers.clip(0, count - 1))

    def release(self) -> None:
        """Give the memory back."""
        self.buffer.release()


class ListedDispatch:
    """A dispatch over the tiles that are awake, and before it the one that lists them, if it does not use another's.

    Args:
        activator: lists them; None: the list of the pass before.
        work: goes over the list.
    """

    def __init__(self, activator: Dispatch | None, work: IndirectDispatch) -> None:
        self._activator, self._work = activator, work

    def run(self, band: Band = WHOLE) -> None:
        """Run it, or only a band of it; the first band lists the tiles for all."""
        if band[0] == 0 and self._activator is not None:
            self._activator.run(listed=(0, band[1]))
        self._work.run(band)
