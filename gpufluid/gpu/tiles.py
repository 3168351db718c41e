"""Sleeping tiles: the flags that passes set in each tile, and the lists of awake tiles over which passes run.

A pass with ``activated_by`` does not run over all cells. First its *activator*, ``shaders/tiles/activate.comp``, calls
the rule's ``activate_<pass>(tile)`` for each tile and lists the awake tiles. For a pass over whole lines it lists the
lines of tiles with an awake tile, for a pass over segments the pairs of rows to visit. Then an indirect dispatch runs
the pass over the list. Elsewhere the pass would change nothing, whatever the random numbers are.

On a GPU a pass with ``tests_tiles`` needs no list if all tiles have at most `TESTED_MOST` groups: it is dispatched over
all tiles, and each group calls ``activate_<pass>(tile)`` for its own (``shaders/lib/tested.glsl``). That is one
dispatch less.

Twin of ``shaders/lib/tiles.glsl``, which reads the same buffer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.frame import Area
from gpufluid.gpu.atlas import GROUPS_OF_ENTRY, Atlas
from gpufluid.gpu.carried import carried_glsl
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import WHOLE, Band, Dispatch, IndirectDispatch, Program, Uniform
from gpufluid.gpu.generated import tile_flags_glsl, tiles_of_matter_glsl, waking_glsl
from gpufluid.gpu.images import Image
from gpufluid.rules import BLOCKS, COLUMN_PARTS, LINE_STRIP, PATCH, SEGMENT, Over, Pass

if TYPE_CHECKING:
    import moderngl

_LIST_WORDS = 4
"""Words that describe a list: the groups of its dispatch along x, y and z, and its number of entries."""

_LATEST = 0
"""The position, in words, of the latest tick of any flag."""

_VISITED = 1
"""The position of two words, of tiles anywhere and of tiles that are not inner ones: 1 if a pass has visited one since
they were last read; noted only in a piece of a whole world."""

_INNER = 3
"""The position of four words, the first inner tile and the one after the last: both (across, along)."""

_TURN = 7
"""The position of the word that says for which tiles a pass runs, a `Turn`; in a piece of a whole world."""

_HEAD = 8
"""The number of words before the masks of lines of tiles."""

ROW_FLAGS = ("run_ends",)
"""The flags that are masks of rows of the tile."""

OF_SETS = (
    *("loose_solid", "cluster", "examined"),
    *("searched", "liquid", "powder", "component", "unfinished", "held", "activated"),
)
"""The flags by which connected sets of tiles sleep. These sets are found once in a tick."""

TESTED_MOST = 1 << 15
"""The most groups that test their tiles by themselves: so many take a GPU about as long as a list of the tiles."""

TESTED_WORDS = 64
"""The words in which a group keeps which tiles of its line are awake, one bit each."""

_ALL_ROWS = np.array([0xFFFFFFFF], "<u4")

_RUN = 32
"""Adjacent tiles of a row that one invocation of an activator checks, if the list is one of tiles and not of lines."""

BINDING, OTHER_BINDING = 1, 3
"""Bindings of the storage buffers of a pass's tiles, and of the tiles of another rule; the ledgers have binding 0, the
emitters and drains 2.
"""


class Turn(Enum):
    """The tiles for which a pass runs: all of them, or in two runs the inner ones and then the others."""

    ALL = 0
    INNER = 1
    OTHERS = 2


def grid_of(cells: tuple[int, int], tile: tuple[int, int], is_whole: bool) -> tuple[int, int]:
    """The number of tiles, (across, along), in gravity's frame.

    One more tile than the cells fill is needed, because a block may begin in the last cell. In a piece of a whole world
    a segment may begin before the first cell, so the tiles also cover the columns of such a segment.

    Args:
        cells: (columns, rows) of the frame.
        tile: (columns, rows) of cells in a tile.
        is_whole: whether the frame is that of a whole world.
    """
    lead = 0 if is_whole else SEGMENT - 1
    return (cells[0] + lead) // tile[0] + 1, cells[1] // tile[1] + 1


def tile_bytes(tile_flags: Sequence[str], cells: tuple[int, int], tile: tuple[int, int], lists: int) -> int:
    """Bytes of device memory for the tiles of a whole world; arguments as for `Tiles`."""
    return _grid_bytes(tile_flags, grid_of(cells, tile, is_whole=True), tile[1], lists)


def _grid_bytes(tile_flags: Sequence[str], grid: tuple[int, int], rows: int, lists: int) -> int:
    return 4 * (_words_before_flags(grid, rows) + len(tile_flags) * grid[0] * grid[1] + _LIST_WORDS * lists)


def _words_before_flags(grid: tuple[int, int], rows: int) -> int:
    """The number of words before the flags, in a grid of tiles of so many rows of cells.

    These are `_HEAD` words, the masks of lines of tiles, and the entries of a list.
    All lists of a tick use the same words for masks and entries, one list after the other. The flags are followed by
    the descriptions of the lists. So the number of lists changes neither the positions before them nor the text of any
    shader.
    """
    across, along = ((side + 31) // 32 for side in grid)
    return _HEAD + max(grid[0] * along, grid[1] * across) + grid[0] * grid[1] * _pairs_of(rows)


def _pairs_of(rows: int) -> int:
    """The pairs of rows of a tile of so many rows, at least 1: the most entries of a list that belong to one tile."""
    return max(rows // 2, 1)


def _groups_of_entry(over: Over) -> int:
    """The groups that work on an entry of a list together: as many for all passes that share a list."""
    return GROUPS_OF_ENTRY if over.takes_several_groups else 1


class Tiles:
    """The tiles of one rule in one world, on the device.

    A flag of a tile is a word: the last tick in which the flag was set, or a mask of rows of the tile.

    Args:
        device: the device that holds them.
        tile_flags: the names of the flags; the first one means that something has changed in the tile.
        cells: (columns, rows) of gravity's frame.
        tile: (columns, rows) of cells in a tile.
        lists: the number of lists that are made in a tick.
        tick: the first tick; all tiles are awake in it.
        torus: whether the frame is a torus.
        is_whole: whether the frame is that of a whole world.
        carried_flags: the names of the flags that record changes of what atoms carry.
        atlas: the worlds of a batch; None: one world. Each world has a section of the buffer: its head, the masks
            and the flags. After the sections follow the entries and the descriptions of the lists, which all
            worlds share: an entry contains the number of its world.
    """

    def __init__(
        self,
        device: Device,
        tile_flags: Sequence[str],
        cells: tuple[int, int],
        tile: tuple[int, int],
        lists: int,
        tick: int,
        torus: bool,
        is_whole: bool = True,
        carried_flags: Sequence[str] = (),
        atlas: Atlas | None = None,
    ) -> None:
        self._atlas = atlas
        self._carried_flags = carried_flags
        self._device, self._names, self._tile, self._torus = device, tile_flags, tile, torus
        self._lists = max(lists, 1)
        self._lists_made = False  # whether there is a program that makes lists
        self.all_awake = False  # whether all tiles stay awake; the state of the world does not depend on it
        self.copies_amounts = False  # whether a pass copies the amounts of awake tiles to the other texture
        self._grid, self._is_whole = grid_of(cells, tile, is_whole), is_whole
        self._cells = cells
        self._with_cells = -(-cells[0] // tile[0]), -(-cells[1] // tile[1])
        entries, worlds = self._count * _pairs_of(tile[1]), 1 if atlas is None else atlas.count
        self._tested_most = TESTED_MOST // worlds if device.tests_tiles else 0  # groups in each world
        self._entry_bits = max(entries - 1, 1).bit_length()  # of an entry; the bits above hold its world
        self._first_flag = _words_before_flags(self._grid, tile[1]) - (0 if atlas is None else entries)
        self._section = self._first_flag + len(tile_flags) * self._count
        self._first_entry = worlds * self._section  # in a batch
        self._first_list = self._section if atlas is None else self._first_entry + worlds * entries
        self.buffer = device.buffer(4 * (self._first_list + _LIST_WORDS * self._lists))
        self._inner = (0, 0, 0, 0)
        self.wake_worlds(np.arange(worlds), np.full(worlds, tick & 0xFFFFFFFF, "<u4"))

    @property
    def _triples(self) -> int:
        """The most triples of one set whose middle cells lie in a row of a tile."""
        return -(-self._tile[0] // 3)

    @property
    def _count(self) -> int:
        """The number of tiles."""
        return self._grid[0] * self._grid[1]

    def glsl(self, over: Over) -> str:
        """``generated/tiles.glsl`` of a pass over such units: the buffer, its layout, and the numbers of the flags."""
        pairs = _pairs_of(self._tile[1])
        carried = " ".join(f"F({name.upper()})" for name in self._carried_flags)
        return (
            f"#define CARRIED_FLAGS(F) {carried}\n"
            f"#define TILED\nlayout(std430, binding = {BINDING}) buffer TilesBuffer {{ uint tiles[]; }};\n"
            f"const ivec2 TILE = ivec2({self._tile[0]}, {self._tile[1]});\n"
            f"const int RUN = {_RUN};\nconst int LATEST = {_LATEST};\nconst int ROW_PAIRS = {pairs};\n"
            f"const int VISITED = {_VISITED};\nconst int INNER = {_INNER};\nconst int HEAD = {_HEAD};\n"
            f"const int WHOSE_TURN = {_TURN};\n"
            f"const uint ALL_TILES = {Turn.ALL.value}u;\nconst uint INNER_TILES = {Turn.INNER.value}u;\n"
            + "#define IN_PART\n"
            * (not self._is_whole)
            + f"const int LISTED_AT_ONCE = {pairs if over is Over.SEGMENTS else 1};\n"
            f"const int GROUPS_OF_ENTRY = {_groups_of_entry(over)};\n" + tile_flags_glsl(self._names)
        )

    def glsl_for_others(self) -> str:
        """``generated/other_tiles.glsl`` of a pass that notes its changes in these tiles, too; see `Pass.also_wakes`.

        ``shaders/lib/other_tiles.glsl`` describes the names.
        """
        return (
            f"#define NOTES_OTHERS\nlayout(std430, binding = {OTHER_BINDING}) buffer OtherTilesBuffer\n"
            f"{{\n    uint other_tiles[];\n}};\nconst ivec2 OTHER_TILE = ivec2({self._tile[0]}, {self._tile[1]});\n"
            f"const int OTHER_LATEST = {_LATEST};\n" + "#define OTHERS_COPY_AMOUNTS\n" * self.copies_amounts
        )

    def uniforms_for_others(self) -> dict[str, Uniform]:
        """The uniforms that the include of `glsl_for_others` needs.

        ``other_grid``: tiles (across, along). ``other_flags``: the word of the first flag. ``other_section``: the words
        of these tiles for each world of a batch.
        """
        return {"other_grid": self._grid, "other_flags": self._first_flag, "other_section": self._section}

    def group_size(self, over: Over) -> tuple[int, int] | None:
        """Invocations in a group that works on an entry of a list, (x, y); None: the device's default."""
        columns, rows = self._tile
        return {
            Over.WHOLE_COLUMNS: (columns, 1),
            Over.WHOLE_ROWS: (rows, 1),
            Over.BLOCK_COLUMNS: (columns // 2, 1),
            Over.SEGMENTS: (rows // 2 * (columns // SEGMENT), 1),
            Over.TILES: (rows, 1),
            Over.BLOCK_TILES: (rows, 1),
            Over.COLUMNS: (columns, rows // LINE_STRIP),
            Over.ROWS: (rows, columns // LINE_STRIP),
            Over.BLOCKS: (columns // 2, rows // 2 // BLOCKS),
            Over.PATCHES: (columns // PATCH, 1),
            Over.CELLS: (columns, rows // GROUPS_OF_ENTRY),
            Over.TRIPLES: (self._triples * rows // GROUPS_OF_ENTRY, 1),
            Over.COLUMN_PARTS: (columns // GROUPS_OF_ENTRY, COLUMN_PARTS),
        }.get(over)

    def unit_glsl(self, pass_: Pass, group: tuple[int, int]) -> str:
        """``generated/unit.glsl`` of a pass over listed tiles: the function ``unit()``, which finds a unit by a list.

        Args:
            pass_: the pass; a group of it owns units of one tile, or of some pairs of its rows.
            group: invocations in a group, (x, y).
        """
        segments = pass_.over is Over.SEGMENTS
        across = self._triples if pass_.over is Over.TRIPLES else group[0]
        units = across, group[0] * group[1] * _groups_of_entry(pass_.over) // across
        if segments:
            units = self._tile[1] // 2, self._tile[0] // SEGMENT
        return (
            f"const ivec2 UNITS_IN_TILE = ivec2({units[0]}, {units[1]});\n"
            f"const bool ROWS_FIRST = {'true' if pass_.over is Over.ROWS else 'false'};\n"
            f'#include "lib/listed_{"segments" if segments else "units"}.glsl"\n'
        )

    def uniforms(self, number: int) -> dict[str, Uniform]:
        """The uniforms of a program that fills or runs one of a tick's lists, by the list's number."""
        uniforms: dict[str, Uniform] = {"tile_grid": self._grid, "list_description": self._description_of(number)}
        places = {"tile_section": self._section, "first_entry": self._first_entry, "entry_bits": self._entry_bits}
        return {**uniforms, **places, "all_awake": self.all_awake}

    def activator(self, pass_: Pass, texts: Mapping[str, str]) -> Program:
        """The program that lists the awake tiles for a pass; see the head of this module.

        Args:
            pass_: the pass.
            texts: the generated includes of the pass.
        """
        self._lists_made = True
        texts = self._with_flags(pass_, texts, _activated(pass_))
        return Program(self._device, "tiles/activate.comp", [], self._device.group_size, texts, self._atlas)

    def are_tested(self, over: Over) -> bool:
        """True if the groups of passes with `Pass.tests_tiles` over such units test the tiles."""
        groups = self._count * _groups_of_entry(over)
        return groups <= self._tested_most and max(self._grid) <= 32 * TESTED_WORDS

    def tested_glsl(self, pass_: Pass) -> dict[str, str]:
        """The generated includes of a pass whose groups test their tiles, or visit those of a pass before it."""
        text = f"#define TESTS_TILES\nconst int TESTED_WORDS = {TESTED_WORDS};\n"
        text += "#define TESTED_BEFORE\n" * (not pass_.lists_tiles)
        return {
            "generated/tiles.glsl": text + self.glsl(pass_.over),
            "generated/activate.glsl": _tests_of(pass_) + _activated(pass_),
            "generated/listed.glsl": '#include "lib/tested.glsl"\n',
        }

    def tested_invocations(self, over: Over, group: tuple[int, int]) -> tuple[int, int]:
        """The invocations, (x, y), of a pass whose groups test their tiles: groups for each tile that has units.

        Args:
            over: the units of the pass.
            group: invocations in a group, (x, y).
        """
        across, along = self._with_cells
        if over.has_blocks:
            across, along = self._grid
        elif over is Over.SEGMENTS:
            across = self._grid[0]
        elif over in (Over.WHOLE_COLUMNS, Over.COLUMN_PARTS):
            along = 1
        return across * group[0], along * group[1] * _groups_of_entry(over)

    def outliner(self, pass_: Pass, awake: str, texts: Mapping[str, str]) -> Program:
        """The program that draws a rectangle around each tile into a picture.

        Args:
            pass_: a pass of the rule whose tiles are drawn.
            awake: the GLSL function that tests if a tile is awake, and sets no flag.
            texts: the generated includes of the pass.
        """
        picture = [Image("picture", "rgba8", "writeonly")]
        texts = self._with_flags(pass_, texts, f"#define AWAKE {awake}\n")
        return Program(self._device, "render/tiles.comp", picture, (8, 8), texts)

    @property
    def grid(self) -> tuple[int, int]:
        """The number of tiles, (across, along), in gravity's frame."""
        return self._grid

    def _with_flags(self, pass_: Pass, texts: Mapping[str, str], defined: str) -> dict[str, str]:
        """The generated includes of a shader that includes ``generated/activate.glsl``: the tests of a rule's tiles.

        Args:
            pass_: a pass of the rule.
            texts: the generated includes of the pass.
            defined: what that include defines besides.
        """
        own = {
            "carried": carried_glsl(()),
            "waking": waking_glsl(pass_),
            "tiles": self.glsl(pass_.over),
            "activate": _tests_of(pass_) + defined,
            "tiles_of_matter": tiles_of_matter_glsl(pass_),
        }
        return {**texts, **{f"generated/{name}.glsl": each for name, each in own.items()}}

    def activator_invocations(self, over: Over) -> tuple[int, int]:
        """The invocations of an activator, (x, y): one for each line of tiles, or for `_RUN` tiles of a row.

        In a batch the latter check as many tiles of every row.
        """
        match over:
            case Over.WHOLE_COLUMNS | Over.BLOCK_COLUMNS | Over.COLUMN_PARTS:
                return self._grid[0], 1
            case Over.WHOLE_ROWS:
                return self._grid[1], 1
            case _:
                return -(-self._grid[0] // _RUN), self._grid[1] if self._atlas is None else 1

    def arguments_offset(self, number: int) -> int:
        """The position of a list's dispatch arguments in the buffer, in bytes."""
        return 4 * self._description_of(number)

    def _description_of(self, number: int) -> int:
        """The position, in words, of the description of one of a tick's lists."""
        return self._first_list + _LIST_WORDS * number

    def clear_lists(self) -> None:
        """Empty all lists, at the beginning of a tick."""
        if self._lists_made:
            self.buffer.write(bytes(4 * _LIST_WORDS * self._lists), offset=4 * self._first_list)

    def wake_all(self, tick: int) -> None:
        """Wake all tiles from a tick on."""
        self.wake_worlds(np.arange(1), np.array([tick & 0xFFFFFFFF], "<u4"))

    def wake_worlds(self, worlds: np.ndarray, ticks: np.ndarray) -> None:
        """Wake all tiles of some worlds of a batch.

        Args:
            worlds: (count,) int64, their indices, in ascending order.
            ticks: (count,) uint32, the tick of each, modulo 2**32.
        """
        words = np.zeros((len(worlds), self._section), "<u4")
        words[:, self._first_flag :] = (ticks - np.uint32(1 << 31))[:, None]  # the oldest tick that 32 bits can express
        words[:, self._first_flag : self._first_flag + self._count] = ticks[:, None]
        words[:, _LATEST] = ticks
        words[:, _VISITED:_INNER] = 1
        words[:, _INNER:_TURN] = self._inner
        for run in np.split(np.arange(len(worlds)), np.flatnonzero(np.diff(worlds) != 1) + 1):
            if len(run):
                self.buffer.write(words[run].tobytes(), offset=4 * self._section * int(worlds[run[0]]))

    def wake(self, low: tuple[int, int], high: tuple[int, int], tick: int, in_tick: bool = False) -> None:
        """Wake the tiles in and next to a rectangle of cells of gravity's frame.

        Args:
            low, high: (column, row) of its first and its last cell.
            tick: the next tick.
            in_tick: whether the tick has begun. Then all flags but `OF_SETS` are set, so that each further pass of the
                tick visits the tiles, although earlier passes have found nothing there.
        """
        word = np.array([tick & 0xFFFFFFFF], "<u4")
        columns, rows = (self._beside(low[axis], high[axis], axis) for axis in (0, 1))
        names = [name for name in self._names[: None if in_tick else 1] if name not in OF_SETS]
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1)
        for row in rows.tolist():
            for run in runs:
                for name in names:
                    place = self._place_of(name) + row * self._grid[0] + int(run[0])
                    words = np.repeat(_ALL_ROWS if name in ROW_FLAGS else word, len(run))
                    self.buffer.write(words.tobytes(), offset=4 * place)
        self.buffer.write(word.tobytes(), offset=4 * _LATEST)

    def _place_of(self, name: str) -> int:
        """The word with a flag of the first tile."""
        return self._first_flag + self._names.index(name) * self._count

    def read_flag(self, name: str) -> np.ndarray:
        """A flag of all tiles, (along, across) uint32; on a torus the last row and column are not used."""
        words = self.buffer.read(4 * self._count, offset=4 * self._place_of(name))
        return np.frombuffer(words, "<u4").reshape(self._grid[::-1]).copy()

    def write_flag(self, name: str, words: np.ndarray, tick: int) -> None:
        """Set a flag of all tiles.

        Args:
            name: the name of the flag.
            words: (along, across) uint32, as `read_flag` returns them.
            tick: the tick in progress.
        """
        self.buffer.write(words.tobytes(), offset=4 * self._place_of(name))
        self.buffer.write(np.array([tick & 0xFFFFFFFF], "<u4").tobytes(), offset=4 * _LATEST)

    def set_inner(self, inner: Area) -> None:
        """Set which tiles are inner ones: those with cells of an area of the frame only. Before that, none.

        Args:
            inner: the columns and the rows.
        """
        sides = list(zip(inner, self._tile, self._cells, self._grid, strict=True))
        first = (-(-low // side) for (low, _), side, _, _ in sides)
        end = (grid if high >= cells else max(high, 0) // side for (_, high), side, cells, grid in sides)
        self._inner = (*first, *(max(each, 0) for each in end))
        self.buffer.write(np.array(self._inner, "<u4").tobytes(), offset=4 * _INNER)

    @property
    def has_inner(self) -> bool:
        """True if there are inner tiles."""
        return all(first < end for first, end in zip(self._inner[:2], self._inner[2:], strict=True))

    def take_turn(self, turn: Turn) -> None:
        """Set for which tiles passes over tiles run, and empty all lists. Call `Device.barrier` first."""
        self.buffer.write(np.array([turn.value], "<u4").tobytes(), offset=4 * _TURN)
        self.clear_lists()

    def take_visits(self) -> tuple[bool, bool]:
        """Read which tiles passes have visited since the last call. Only a piece of a whole world notes it.

        Call `Device.barrier` first.

        Returns: True if any tile was visited; and True if any was that is not an inner one.
        """
        words = self.buffer.read(8, offset=4 * _VISITED)
        if any(words):
            self.buffer.write(bytes(8), offset=4 * _VISITED)
        return any(words[:4]), any(words[4:])

    @property
    def tile(self) -> tuple[int, int]:
        """(columns, rows) of cells of gravity's frame in a tile."""
        return self._tile

    def _beside(self, low: int, high: int, axis: int) -> np.ndarray:
        """The numbers, along an axis, of the tiles that hold the cells from low to high, and of the tiles next to them.

        On a torus the last tile is not whole, and uses the flags of the first tile.

        Returns: (tiles,) int64.
        """
        return np.flatnonzero(self._are_beside(np.array([low]), np.array([high]), axis)[0])

    def _are_beside(self, low: np.ndarray, high: np.ndarray, axis: int) -> np.ndarray:
        """True for the tiles that `_beside` finds; for several ranges, (ranges,) int64 each: (ranges, tiles) bool."""
        first, last = (low // self._tile[axis] - 1)[:, None], (high // self._tile[axis] + 1)[:, None]
        numbers = np.arange(self._grid[axis])
        if not self._torus:
            return (first <= numbers) & (numbers <= last)
        around = max(self._grid[axis] - 1, 1)
        return ((numbers - first) % around <= last - first) & (numbers < around)

    def waking_words(
        self, low: np.ndarray, high: np.ndarray, worlds: np.ndarray, ticks: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The words that wake the tiles in and next to rectangles of cells of worlds of a batch, see `wake`.

        Args:
            low, high: (2, rectangles) int64, the (column, row) of the first and the last cell of each, in the frame.
            worlds: (rectangles,) int64, the index of the world of each.
            ticks: (rectangles,) int64, the next tick of that world.
        Returns: the places of the words in the buffer, and the words: (words,) int64 and uint32.
        """
        columns, rows = (self._are_beside(low[axis], high[axis], axis) for axis in (0, 1))
        which, row, column = np.nonzero(rows[:, :, None] & columns[:, None, :])
        flags = self._section * worlds[which] + self._first_flag + row * self._grid[0] + column
        places = np.concatenate([flags, self._section * worlds + _LATEST])
        return places, (np.concatenate([ticks[which], ticks]) & 0xFFFFFFFF).astype("<u4")

    def release(self) -> None:
        """Release the buffer."""
        self.buffer.release()


def _tests_of(pass_: Pass) -> str:
    """The include of the tests of a rule's tiles, for a pass of the rule."""
    gathered = "#define GATHERED\n" * bool(pass_.gathers)
    return f'{gathered}#include "generated/images.glsl"\n#include "{pass_.rule}/activate.glsl"\n'


def _activated(pass_: Pass) -> str:
    """The GLSL by which a shader that tests tiles calls the test of a pass."""
    columns = Over.WHOLE_COLUMNS, Over.BLOCK_COLUMNS, Over.COLUMN_PARTS
    across = {**dict.fromkeys(columns, "false"), Over.WHOLE_ROWS: "true"}.get(pass_.over)
    text = f"#define ACTIVATED activate_{pass_.activated_by}\n"
    if pass_.over is Over.SEGMENTS:
        text += "#define LISTED_ROWS\n"
    if pass_.over.has_blocks:
        text += "#define LISTED_BLOCKS\n"
    if across is not None:
        text += f"#define LISTED_LINES\nconst bool LINES_ACROSS = {across};\n"
    return text


class ListedDispatch:
    """A dispatch over the awake tiles, and the dispatch that lists them.

    Args:
        activator: lists the awake tiles; None: the pass uses the list of a previous pass.
        work: runs the pass over the list.
    """

    def __init__(self, activator: Dispatch | None, work: IndirectDispatch) -> None:
        self._activator, self._work = activator, work
        self.count = 1 if activator is None else 2

    def compile(self, no_groups: moderngl.Buffer) -> None:
        """Let the driver generate the machine code of both dispatches, and run nothing; see `Dispatch.compile`."""
        if self._activator is not None:
            self._activator.compile(no_groups)
        self._work.compile(no_groups)

    def run(self, band: Band = WHOLE) -> None:
        """Run the pass, or one band of it; the first band lists the tiles for all bands."""
        if band[0] == 0 and self._activator is not None:
            self._activator.run(listed=(0, band[1]))
        self._work.run(band)
