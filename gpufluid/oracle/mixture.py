"""The NumPy twin of rule ``mixture``; each pass equals its shader in ``shaders/mixture/`` bit for bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gpufluid.core.fields import FULL
from gpufluid.core.frame import in_frame, in_world, layers_in_frame, layers_in_world
from gpufluid.core.hashing import pcg4d, stream_seed
from gpufluid.core.heat_shares import heat_along, heat_received
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.oracle.chance import noise
from gpufluid.oracle.emitting import emits
from gpufluid.oracle.state import (
    load_around,
    load_mixture,
    load_water_heat,
    store_around,
    store_mixture,
    store_water_heat,
)
from gpufluid.oracle.tally import Tally
from gpufluid.oracle.water_heat import add_heat, heat_ledger, take_heat
from gpufluid.rules import Call
from gpufluid.rules.mixture import BESIDE_SHIFT, DOWN, NONE, UP
from gpufluid.world import World
from gpufluid.world.ledger import AmountLedger, Ledger

Index = tuple[np.ndarray, np.ndarray]
"""Rows and columns of cells, integer arrays that broadcast together."""


def emit(world: World, call: Call) -> Tally:
    """Add an emitter's material to its cells that are not solid and have room."""
    emitter = call.port
    assert isinstance(emitter, Emitter)
    rows, columns = emitter.slices
    layer, amounts = world.mixture[emitter.material], load_mixture(world)[:, rows, columns]
    amount = amounts[layer]
    room = FULL - (amounts.sum(axis=0) if world.exclusive else amount)
    wanted = np.minimum(emitter.level_units - amount, emitter.rate_units(call.substep, call.substeps))
    added = np.clip(wanted, 0, room).astype(np.int32)
    added[~emits(world, call, emitter)] = 0
    store_mixture(world, amount + added, (layer, rows, columns))
    heat = heat_ledger(emitted=add_heat(world, emitter, added)) if "water_heat" in world else {}
    return Tally(0, heat, amounts=AmountLedger({emitter.material: Ledger(emitted=int(added.sum(dtype=np.int64)))}))


def drain(world: World, call: Call) -> Tally:
    """Take a drain's rate of each material from its cells."""
    drain = call.port
    assert isinstance(drain, Drain)
    rows, columns = drain.slices
    amounts = load_mixture(world)[:, rows, columns]
    taken = np.clip(free_amounts(world)[:, rows, columns], 0, drain.rate_units(call.substep, call.substeps))
    together = (each.sum(axis=0, dtype=np.int64) for each in (amounts, taken))
    heat = heat_ledger(drained=take_heat(world, drain, *together)) if "water_heat" in world else {}
    store_mixture(world, amounts - taken, (slice(None), rows, columns))
    sums = taken.sum(axis=(1, 2), dtype=np.int64).tolist()
    ledgers = {name: Ledger(drained=units) for name, units in zip(world.mixture.names, sums, strict=True)}
    return Tally(0, heat, amounts=AmountLedger(ledgers))


def walls(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing: the oracle reads from the materials which cells are obstacles."""
    return Tally()


def see_atoms(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Do nothing, as `walls`."""
    return Tally()


def free_amounts(world: World) -> np.ndarray:
    """The amounts that can flow and convert, in units: (layers, height, width) int32, 0 in obstacles."""
    return np.where(world.obstacles, np.int32(0), load_mixture(world))


def sink(world: World, call: Call) -> Tally:
    """Move materials along the columns: first all that move down in this tick, then all that move up.

    Cells that hold too little of a material after its units have left are no longer supported. In a part of a world
    pass `rise` moves up what moves up.
    """
    return _scan(world, call, (DOWN, UP) if world.domain.halo is None else (DOWN,))


def rise(world: World, call: Call) -> Tally:
    """Move up what moves up in this tick, in a part of a world, after pass `sink`."""
    return _scan(world, call, (UP,))


def _scan(world: World, call: Call, directions: Sequence[int]) -> Tally:
    padded, around = PaddedMixture(world), load_around(world)
    for direction in directions:
        around = around & ~padded.scan(direction, call.tick)
    store_around(world, around)
    return padded.write()


def look(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Record, before anything moves in the tick, which layers of each cell are supported and which are adjacent."""
    padded = PaddedMixture(world)
    tables, cells = padded.tables, (padded.rows, padded.columns)
    around = np.zeros(padded.extent, np.uint32)
    for layer in range(len(world.mixture)):
        support = tables["support"][layer]
        at = padded.neighbour(cells, support, 0)
        held = padded.amounts[layer][at]
        supported = padded.solid[at] | (held >= tables["viscosity"][layer])
        around |= np.where(supported & (support != 0), np.uint32(1 << layer), np.uint32(0))
        if tables["looked_for"][layer]:
            found = np.zeros(around.shape, bool)
            for step in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                found |= padded.amounts[layer][padded.neighbour(cells, *step)] > 0
            around |= np.where(found, np.uint32(1 << (layer + BESIDE_SHIFT)), np.uint32(0))
    store_around(world, np.where(in_frame(world.obstacles, world.gravity), np.uint32(0), around))
    return Tally()


def spread(world: World, call: Call) -> Tally:
    """Level supported cells with their two neighbours in the row, triple by triple."""
    padded = PaddedMixture(world)
    height, width = padded.extent
    rows = np.arange(height)[:, None]
    side, first = turn(world, call.tick)
    residue = (first + call.substep - world.domain.columns_before(world.gravity, -1 if side else 1)) % 3
    for places in triples(width, residue, world.edges == "wrap"):
        columns = width - 1 - places if side else places
        padded.level((rows, columns[None, :]), call.tick)
    return padded.write()


def convert(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Convert materials within each cell, one conversion of the table after the other."""
    amounts, tables = load_mixture(world).copy(), world.tables("mixture")
    around = in_world(load_around(world), world.gravity)
    made, used = [0] * len(amounts), [0] * len(amounts)
    for number in range(len(tables["first"])):
        layers = [(tables["first"][number], tables["first_becomes"][number])]
        if tables["second"][number] != NONE:
            layers.append((tables["second"][number], tables["second_becomes"][number]))
        changes = [(old, new) for old, new in layers if old != new]
        amount = np.minimum(tables["most"][number], np.min([amounts[old] for old, _ in layers], axis=0))
        share = 2 if len({new for _, new in changes}) < len(changes) else 1
        for _, new in changes:
            amount = np.minimum(amount, (FULL - amounts[new]) // share)
        beside = tables["beside_layer"][number]
        amount = np.where(world.obstacles, 0, amount)
        if beside != NONE:
            amount = np.where(around >> np.uint32(beside + BESIDE_SHIFT) & np.uint32(1), amount, 0)
        for old, new in changes:
            amounts[old] -= amount
            amounts[new] += amount
            used[old] += int(amount.sum(dtype=np.int64))
            made[new] += int(amount.sum(dtype=np.int64))
    store_mixture(world, amounts)
    names = world.mixture.names
    return Tally(
        amounts=AmountLedger({name: Ledger(made=made[n], used=used[n]) for n, name in enumerate(names)}),
    )


def turn(world: World, tick: int) -> tuple[int, int]:
    """Draw the order of a tick's triples.

    Returns: (1 if columns are counted from the right, else 0; the number of the set that comes first, 0 to 2).
    """
    words = pcg4d(tick, 0, 0, stream_seed(world.seed, world.fixed("mixture")["use_turn"]))
    return int(words[0][0] >> np.uint32(31)), int(words[1][0] % np.uint32(3))


def triples(width: int, residue: int, wrap: bool) -> Iterator[np.ndarray]:
    """Yield sets of horizontal triples: the columns of their middle cells, (triples,) int64.

    The triples of one set have no column in common. On a torus whose width is no multiple of 3, the one or two
    remaining columns follow one by one after the triples of residue 2.
    """
    main = width - width % 3 if wrap else width
    yield np.arange(residue, main, 3)
    if residue == 2:
        for place in range(main, width):
            yield np.array([place])


def _shared_out(wishes: np.ndarray, sent: np.ndarray) -> np.ndarray:
    """Share out the units that cells send among layers, the first layer first: (layers, height, width) int64.

    Args:
        wishes: (layers, height, width) int64.
        sent: (height, width) int64, at most the sum of the wishes.
    """
    before = np.cumsum(wishes, axis=0) - wishes
    return np.clip(sent - before, 0, wishes)


class PaddedMixture:
    """A world's mixture in gravity's frame, padded with one more row and column for all cells outside the world.

    ``extent`` is (rows, columns) of the frame. ``amounts`` is (layers, rows + 1, columns + 1) int64, in units of mass;
    ``solid`` is (rows + 1, columns + 1) bool. ``heat`` is (rows + 1, columns + 1) int64, in units of field
    ``water_heat``; all 0 in a world without temperatures.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        free, solid = layers_in_frame(free_amounts(world), world.gravity), in_frame(world.obstacles, world.gravity)
        layers, height, width = free.shape
        self.extent = height, width
        self._wrap = world.edges == "wrap"
        self.amounts = np.zeros((layers, height + 1, width + 1), np.int64)
        self.amounts[:, :height, :width] = free
        self.solid = np.full((height + 1, width + 1), world.edges == "closed")
        self.solid[:height, :width] = solid
        self.heat = np.zeros((height + 1, width + 1), np.int64)
        if "water_heat" in world:
            self.heat[:height, :width] = np.where(solid, 0, in_frame(load_water_heat(world), world.gravity))
        self.rows, self.columns = np.arange(height)[:, None], np.arange(width)[None, :]
        self.tables, self._fixed = world.tables("mixture"), world.fixed("mixture")
        self._moved, self._gone = 0, [0] * layers
        self._heat_gone = self._heat_lost = 0  # beyond open edges, and to the air

    def neighbour(self, cells: Index, down: int, right: int) -> Index:
        """The neighbours of cells at offset (down, right); coordinates wrap on a torus."""
        rows, columns = cells[0] + down, cells[1] + right
        height, width = self.extent
        if self._wrap:
            return rows % height, columns % width
        return np.where((rows < 0) | (rows >= height), height, rows), np.where(
            (columns < 0) | (columns >= width), width, columns
        )

    def _room(self, layer: int, at: Index) -> np.ndarray:
        """The units of a layer that cells can still take."""
        if self._world.exclusive:
            return FULL - self.amounts[(slice(None), *at)].sum(axis=0)
        return FULL - self.amounts[layer][at]

    def scan(self, direction: int, tick: int) -> np.ndarray:
        """Apply `sink` to all materials that move in one direction, 1 down or -1 up.

        A cell sends on the least of what it wishes and its limit. The limit of the cell behind it is what the cell has
        sent on, and its room. If materials exclude each other they have one limit in the order of their layers.

        Returns: for each cell, one bit for each layer of which too little is left: (height, width) uint32.
        """
        world, tables, (height, width) = self._world, self.tables, self.extent
        speeds = [
            tables["speed" if falls == direction else "astray_speed"][layer]
            for layer, falls in enumerate(tables["falls"])
        ]
        rows, columns = np.broadcast_arrays(self.rows, self.columns)
        cells = rows, columns
        held, solid = self.amounts[:, :height, :width], self.solid[:height, :width]
        wishes = np.stack([
            np.where(self._goes(cells, layer, direction, tick), np.minimum(held[layer], speed), 0)
            for layer, speed in enumerate(speeds)
        ])  # fmt: skip
        room = np.where(solid, 0, FULL - (held.sum(axis=0) if world.exclusive else held))
        if world.exclusive:
            sent = _shared_out(wishes, self._sent(wishes.sum(axis=0), room, direction))
        else:
            sent = np.stack([self._sent(wish, left, direction) for wish, left in zip(wishes, room, strict=True)])
        self._send_heat(cells, held.sum(axis=0), [(self.neighbour(cells, direction, 0), sent.sum(axis=0))])
        held -= sent
        fallen = np.zeros(self.extent, np.uint32)
        for layer in range(len(held)):
            short = (sent[layer] > 0) & (held[layer] <= tables["stickiness"][layer])
            fallen |= np.where(short & (tables["support"][layer] == direction), np.uint32(1 << layer), np.uint32(0))
        for amounts, more in zip(self.amounts, sent, strict=True):
            np.add.at(amounts, self.neighbour(cells, direction, 0), more)
        self._moved += int(sent.sum())
        for layer in range(len(held)):
            self._empty_outside(layer)
        return fallen

    def _sent(self, wish: np.ndarray, room: np.ndarray, direction: int) -> np.ndarray:
        """The units that each cell sends on, from what it wishes and its room: all (height, width) int64.

        On a torus the limit at the front is the largest that closes the ring. It is 0 if no cell has room, and in a
        ring of one cell.
        """
        height, width = self.extent
        rows = range(height)[::-direction]  # the foremost first
        limit = np.full(width, FULL if self._world.edges == "open" else 0)
        if self._wrap and len(rows) > 1:
            limit[:] = 2 * FULL
            for row in rows:
                limit = np.minimum(wish[row], limit) + room[row]
            limit[(room == 0).all(axis=0)] = 0
        sent = np.zeros_like(wish)
        for row in rows:
            sent[row] = np.minimum(wish[row], limit)
            limit = np.where(self.solid[row, :width], 0, sent[row] + room[row])
        return sent

    def _goes(self, cells: Index, layer: int, direction: int, tick: int) -> np.ndarray:
        """The cells from which chance lets a layer move in a direction, bool: its own, or astray in the other one."""
        words, own_direction = (
            self._drawn(cells, layer, self._fixed["use_sink"], tick),
            direction == self.tables["falls"][layer],
        )
        goes, strays = words[0] < self.tables["chance"][layer], words[1] < self.tables["astray"][layer]
        return goes & (strays != own_direction)

    def _drawn(self, cells: Index, layer: int, use: int, tick: int) -> Sequence[np.ndarray]:
        """Two random numbers of 31 bits for each cell; a number for a cell outside the world is not used."""
        words = noise(self._world, cells[1], cells[0], tick, use + layer)
        return [word >> np.uint32(1) for word in words[:2]]

    def level(self, middle: Index, tick: int) -> None:
        """Apply `spread` to horizontal triples, given by their middle cells."""
        left, right = self.neighbour(middle, 0, -1), self.neighbour(middle, 0, 1)
        ring = self.extent[1] if self._wrap else 3
        around = np.pad(load_around(self._world), ((0, 1), (0, 1)))  # nothing beyond an edge
        seen = around[middle]
        mass = self.amounts[(slice(None), *middle)].sum(axis=0)
        sent_on = [np.zeros_like(mass), np.zeros_like(mass)]
        open_left = ~self.solid[middle] & ~self.solid[left] & (ring > 1)
        open_right = ~self.solid[middle] & ~self.solid[right] & (ring > 2)  # on a ring of two, left and right coincide
        for layer in range(len(self.amounts)):
            amount = self.amounts[layer]
            here, there = amount[middle], (amount[left], amount[right])
            slides = np.uint32(self.tables["slides"][layer])
            free = [around[at] >> np.uint32(layer) & slides == 0 for at in (left, right)]
            lower = open_left & free[0] & (there[0] < here), open_right & free[1] & (there[1] < here)
            total = here + np.where(lower[0], there[0], 0) + np.where(lower[1], there[1], 0)
            stable = total // (1 + lower[0].astype(int) + lower[1])
            acts = (seen >> np.uint32(layer) & np.uint32(1) == 1) & (here > self.tables["stickiness"][layer])
            acts &= self._drawn(middle, layer, self._fixed["use_spread"], tick)[0] < self.tables["side_chance"][layer]
            sent = [
                np.where(acts & low, np.maximum(stable - held, 0) // self.tables["fluidity"][layer], 0)
                for low, held in zip(lower, there, strict=True)
            ]
            sent = [np.minimum(units, self._room(layer, to)) for units, to in zip(sent, (left, right), strict=True)]
            amount[middle] -= sent[0] + sent[1]
            sent_on = [all_sent + units for all_sent, units in zip(sent_on, sent, strict=True)]
            for units, to, where in zip(sent, (left, right), (open_left, open_right), strict=True):
                rows, columns = np.broadcast_arrays(*to)
                np.add.at(amount, (rows[where], columns[where]), units[where])
            self._moved += int(sent[0].sum()) + int(sent[1].sum())
            self._empty_outside(layer)
        self._send_heat(middle, mass, list(zip((left, right), sent_on, strict=True)))

    def _send_heat(self, cells: Index, mass: np.ndarray, sent: Sequence[tuple[Index, np.ndarray]]) -> None:
        """Move the heat that goes along with what cells send; no two of them send to the same cell.

        A cell takes no more than it has room for; the rest goes to the air. Outside the world there is room for all.

        Args:
            cells: the cells that send.
            mass: the units that each of them held before, int64 of their shape.
            sent: where to, and the units that each cell sends there, int64 of the same shape.
        """
        height, width = self.extent
        heat, moves = self.heat[cells].copy(), []
        for to, units in sent:
            along = np.where(units > 0, heat_along(heat, mass, units), 0)
            outside = (to[0] == height) | (to[1] == width)
            moves.append((to, along, np.where(outside, along, heat_received(along, self.heat[to]))))
        for to, along, received in moves:
            self.heat[cells] -= along
            np.add.at(self.heat, np.broadcast_arrays(*to), received)
            self._heat_lost += int(along.sum() - received.sum())
        self._heat_gone += int(self.heat[height].sum()) + int(self.heat[:height, width].sum())
        self.heat[height] = self.heat[:, width] = 0

    def _empty_outside(self, layer: int) -> None:
        """Remove and count the units that crossed an open edge: cells outside always have room."""
        amount, height = self.amounts[layer], self.extent[0]
        self._gone[layer] += int(amount[height].sum()) + int(amount[:height, -1].sum())
        amount[height] = 0
        amount[:, -1] = 0

    def write(self) -> Tally:
        """Write the amounts back to the world. Returns the units that moved, and those that left the world."""
        height, width = self.extent
        amounts, gravity = self.amounts[:, :height, :width], self._world.gravity
        enclosed = self._world.obstacles
        store_mixture(self._world, np.where(enclosed, load_mixture(self._world), layers_in_world(amounts, gravity)))
        names, heat = self._world.mixture.names, {}
        if "water_heat" in self._world:
            store_water_heat(self._world, in_world(self.heat[:height, :width], gravity))
            heat = heat_ledger(left=self._heat_gone, air=-self._heat_lost)
        left = {name: Ledger(left=units) for name, units in zip(names, self._gone, strict=True)}
        return Tally(self._moved, heat, amounts=AmountLedger(left))
