"""The NumPy twin of rule ``inertia``; each pass equals its shader in ``shaders/inertia/`` bit for bit.

Arrays are int64, [row, column] of the gravity frame with a border of `BORDER` cells.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from gpufluid.core.fields import FULL, MASS_LIMIT, VELOCITY_ONE
from gpufluid.core.frame import in_frame, in_world, turned_to_frame, turned_to_world
from gpufluid.core.small_floats import LARGEST, decoded, encoded
from gpufluid.matter.materials import State
from gpufluid.matter.ports import Drain, Emitter, Port
from gpufluid.oracle import flow
from gpufluid.oracle.atoms.cells import Cells, MaterialProperties
from gpufluid.oracle.atoms.columns import Columns
from gpufluid.oracle.carrying import carry
from gpufluid.oracle.state import (
    load_heat_sent,
    load_mass,
    load_momentum,
    store_heat_sent,
    store_mass,
    store_momentum,
)
from gpufluid.oracle.tally import Tally
from gpufluid.oracle.water_heat import move_shared_heat, shared_heat
from gpufluid.rules import Call
from gpufluid.world import World
from gpufluid.world.ledger import Ledger

__all__ = ["carry", "drain", "emit", "move", "move_heat", "push", "share_heat"]

BORDER = 4

_INSIDE = (slice(BORDER, -BORDER),) * 2

UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
"""Steps to the four neighbours as (row, column)."""

AXES = (LEFT, RIGHT), (UP, DOWN)
"""The steps back and forward along each axis: across gravity and along it."""


@dataclass(frozen=True, slots=True)
class _Water:
    """The water of a world after the forces have changed its momentum, with a border.

    Attributes:
        mass: units, 0 in solid cells.
        solid: bool; True beyond a closed edge.
        top, bottom: the pressure at the top and at the bottom of a cell's water, in units.
        held: bool, True if the water has at least 8/16 of full support: by solids or water below or, without gravity,
            by a solid beside or by compression.
        hangs: bool, True if the water has no support.
        momentum: to the right and down, in units of mass times cells a tick.
        speed: to the right and down, in 2**-speed_bits cells a tick.
    """

    mass: np.ndarray
    solid: np.ndarray
    top: np.ndarray
    bottom: np.ndarray
    held: np.ndarray
    hangs: np.ndarray
    momentum: tuple[np.ndarray, np.ndarray]
    speed: tuple[np.ndarray, np.ndarray]


def emit(world: World, call: Call) -> Tally:
    """Add an emitter's mass to its cells that are not solid, with the momentum of the emitter's velocity."""
    emitter, fixed = call.port, world.fixed("inertia")
    assert isinstance(emitter, Emitter)
    before = load_mass(world)[emitter.slices].astype(np.int64)
    tally = flow.emit(world, call)
    now = load_mass(world)[emitter.slices]
    carrying = np.minimum(now - before, fixed["carried_most"]) // VELOCITY_ONE
    given = carrying[..., None] * np.clip(emitter.velocity_units, -fixed["thrown_most"], fixed["thrown_most"])
    _set_momentum(world, emitter, now != before, decoded(load_momentum(world)[emitter.slices]) + given)
    return tally


def drain(world: World, call: Call) -> Tally:
    """Take a drain's mass from its cells, with its share of the momentum."""
    port, bits = call.port, world.fixed("inertia")["speed_bits"]
    assert isinstance(port, Drain)
    before = load_mass(world)[port.slices].astype(np.int64)
    tally = flow.drain(world, call)
    now = load_mass(world)[port.slices].astype(np.int64)
    share = (now >> 2 << bits) // np.maximum(before >> 2, 1)
    momentum = decoded(load_momentum(world)[port.slices])
    left = np.sign(momentum) * (np.abs(momentum) * share[..., None] >> bits)
    _set_momentum(world, port, now != before, left)
    return tally


def push(world: World, call: Call) -> Tally:
    """Slow down what falls into water by mass, and hand its momentum to the water below.

    The water gets as much momentum as a powder that sinks loses. What the small floats of a cell cannot hold goes on to
    the next cell below. Each cell takes a little, and the powder loses no more than all can take. Liquid, and powder
    that is not denser than the water, stops: the water gets as much of the momentum of the lowest few atoms as it can
    take. Momentum is in units of mass times cells a tick, speeds are in 1/16 cell a tick.
    """
    columns, cells, matter = Columns(world, call), Cells.of(world), world.laws.once(MaterialProperties)
    fixed = world.fixed("inertia")
    codes = in_frame(load_momentum(world), world.gravity)
    across, along = (np.array(each) for each in turned_to_frame(codes[..., 0], codes[..., 1], world.gravity))
    momentum = decoded(along)
    rows, width = cells.shape
    if world.gravity == "off":
        return Tally()
    for row, column in product(range(rows), range(width)):
        upper, lower = columns.at(row, column), columns.at(row + 1, column)
        sinks = upper.is_powder and lower.run == len(world.materials) and upper.density > lower.density
        excess = upper.speed - columns.steady_speed(upper, lower) if sinks else 0
        fallen = _fallen(world, columns, row, column) if not sinks and lower.run == len(world.materials) else []
        if excess <= 0 and not fallen:
            continue
        below = _water_below(world, matter, cells, row, column)
        rooms = [_room(world, momentum, cells, at, column, at == below[0]) for at in below]
        taken, unit = sum(rooms[: fixed["pushed_depth"]]), upper.density * 8192 // 125
        if sinks:
            lost = min(columns.lost(excess, lower, 1), taken // unit)
            left = lost * unit
            cells.along[row, column] -= lost
        else:
            speeds = [(columns.at(at, column).density, int(cells.along[at, column])) for at in fallen]
            left = min(sum(density * 8192 // 125 * speed for density, speed in speeds), taken)
            cells.along[fallen, column] = 0
        for at, room in zip(below, rooms, strict=True):
            if left == 0:
                break
            along[at, column] = encoded(momentum[at, column] + min(left, room))
            left -= int(decoded(along[at, column]) - momentum[at, column])
    cells.write(world)
    store_momentum(world, in_world(np.stack(turned_to_world(across, along, world.gravity), axis=-1), world.gravity))
    return Tally()


def _fallen(world: World, columns: Columns, row: int, column: int) -> list[int]:
    """The rows of those of the lowest few atoms over the water below a cell that have a speed down."""
    found, rows = [], columns.cells.shape[0]
    for at in range(row, row - world.fixed("inertia")["fallen_cells"], -1):
        atom = columns.at(at, column)
        if atom.state not in (State.POWDER, State.LIQUID) or atom.run == len(world.materials):
            break
        found += [at % rows] if atom.speed > 0 else []
    return found


def _water_below(world: World, matter: MaterialProperties, cells: Cells, row: int, column: int) -> list[int]:
    """The rows of the water that lies below a cell without a gap, as many as may hold its momentum."""
    rows, found, most = cells.shape[0], [], world.fixed("inertia")["pushed_reach"]
    for distance in range(1, min(most, rows - 1) + 1):
        below = row + distance
        if (world.edges != "wrap" and below >= rows) or not matter.is_amount(cells.material[below % rows, column]):
            break
        found.append(below % rows)
    return found


def _room(world: World, momentum: np.ndarray, cells: Cells, row: int, column: int, is_first: bool) -> int:
    """The momentum down that a cell of water can still take, in units of mass times cells a tick.

    It is 0 if the cell holds more than still water would, compared with the water above it: the cell is being pressed
    against the floor, and a further push only compresses it.

    Args:
        momentum: down, of each cell, in the same units.
        row, column: the cell.
        is_first: True for the first cell below the powder, which has no water above it.
    """
    fixed, mass = world.fixed("inertia"), int(cells.amounts["mass"][row, column])
    limit = min((mass >> 4) * fixed["pushed_most"], fixed["largest"])
    most = int(decoded(encoded(np.array(limit))))
    over = max(int(cells.amounts["mass"][row - 1, column]), FULL)
    is_pressed = not is_first and mass - over > fixed["pushed_step"]
    return 0 if mass <= fixed["dry"] or is_pressed else max(most - int(momentum[row, column]), 0)


def _set_momentum(world: World, port: Port, changed: np.ndarray, momentum: np.ndarray) -> None:
    """Set the momentum of the cells of a port that have changed; almost dry cells have none.

    Args:
        changed: (height, width) bool, of the port's cells.
        momentum: (height, width, 2) int64, of the port's cells.
    """
    codes = load_momentum(world)[port.slices].copy()
    dry = load_mass(world)[port.slices] <= world.fixed("inertia")["dry"]
    codes[changed] = encoded(np.clip(momentum, -LARGEST, LARGEST))[changed]
    codes[changed & dry] = 0
    store_momentum(world, codes, port.slices)


def move(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Compute each new mass and momentum from the old ones of the cells around."""
    fixed = world.fixed("inertia")
    water, drawn, aside, fall = _flows(world, fixed)
    mass = water.mass + _gained(aside, LEFT) + _gained(fall, UP)
    pulled = [part * fixed["tension"] >> fixed["speed_bits"] for part in _both_ways(drawn)]
    components = []
    for momentum, speed, pull in zip(water.momentum, water.speed, (_at(pulled[0], LEFT) - pulled[1], 0), strict=True):
        to_right = _carried(aside, speed, RIGHT, fixed)
        if world.gravity != "off":
            to_right += _smoothing_momentum(water, momentum, fixed)
        arrived = _gained(to_right, LEFT) + _gained(_carried(fall, speed, DOWN, fixed), UP)
        components.append(momentum + arrived + pull)
    solid, mass = world.obstacles, in_world(mass[_INSIDE], world.gravity)
    across, along = (encoded(np.clip(each[_INSIDE], -LARGEST, LARGEST)) for each in components)
    codes = in_world(np.stack(turned_to_world(across, along, world.gravity), axis=-1), world.gravity)
    codes[solid | (mass <= fixed["dry"])] = 0
    store_mass(world, np.where(solid, load_mass(world), mass))
    store_momentum(world, codes)
    (right, left), (down, up) = _both_ways(aside), _both_ways(fall)
    sent = right + _at(left, LEFT) + down + _at(up, UP)
    gone = 0
    if world.edges == "open":
        sides = right[_INSIDE][:, -1], _at(left, LEFT)[_INSIDE][:, 0], down[_INSIDE][-1], _at(up, UP)[_INSIDE][0]
        gone = sum(int(units.sum()) for units in sides)
    return Tally(moved=int(sent[_INSIDE].sum()), mass=Ledger(left=gone))


def share_heat(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Compute the heat that goes along with what each cell sends, for `move_heat`."""
    water, _, aside, fall = _flows(world, world.fixed("inertia"))
    (right, left), (down, up) = _both_ways(aside), _both_ways(fall)
    sent = right, down, _at(left, LEFT), _at(up, UP)
    store_heat_sent(world, shared_heat(world, water.mass[_INSIDE], [part[_INSIDE] for part in sent]))
    return Tally()


def move_heat(world: World, call: Call) -> Tally:  # noqa: ARG001
    """Move the heat of water along with the water that has flowed."""
    return move_shared_heat(world, load_heat_sent(world))


def _flows(world: World, fixed: Mapping[str, int]) -> tuple[_Water, np.ndarray, np.ndarray, np.ndarray]:
    """The water after the forces; what a fuller cell draws to the right; and all that flows to the right, and down."""
    water = _after_forces(world, fixed)
    if world.gravity == "off":
        drawn, down, smoothing = np.zeros_like(water.mass), _aside(water, fixed, 1), 0
    else:
        drawn, down, smoothing = _drawn(water, fixed), _down(water, fixed), _smoothing_flow(water, fixed)
    return water, drawn, *_scaled(water.mass, _aside(water, fixed, 0) + drawn + smoothing, down, fixed)


def _after_forces(world: World, fixed: Mapping[str, int]) -> _Water:
    """Change the momentum of each cell by pressure, weight, drag and walls, and limit its speed."""
    solid = _bordered(world, world.obstacles, world.edges == "closed")
    mass = np.where(solid, 0, _bordered(world, load_mass(world).astype(np.int64), 0))
    top = np.minimum(np.maximum(mass - FULL, 0), 1 << 25) >> 1
    weight = (np.minimum(mass, FULL) >> 4) * fixed["acceleration"] >> 16
    held = np.where(_at(solid, DOWN), 16, np.clip((_at(mass, DOWN) - fixed["holds"]) >> 14, 0, 16))  # sixteenths
    if world.gravity == "off":
        touches = np.logical_or.reduce([_at(solid, step) for step in (UP, DOWN, LEFT, RIGHT)])
        weight = np.zeros_like(mass)
        held = np.where(touches, 16, np.clip((mass - FULL) >> fixed["pressed_bits"], 0, 16))
    bottom = top + (weight * held >> 4)
    from_left = np.where(_at(solid, LEFT), bottom, _at(bottom, LEFT))
    from_right = np.where(_at(solid, RIGHT), bottom, _at(bottom, RIGHT))
    from_above = np.where(_at(solid, UP), top, (top + _at(bottom, UP)) >> 1)
    from_below = np.where(_at(solid, DOWN), bottom, (bottom + _at(top, DOWN)) >> 1)
    if world.gravity == "off":
        from_above, from_below = (np.where(_at(solid, step), top, _at(top, step)) for step in (UP, DOWN))
        forces = _half(from_left - from_right), _half(from_above - from_below)
    else:
        forces = _half(from_left - from_right), from_above - from_below + weight
    pair = []
    codes = in_frame(load_momentum(world), world.gravity)
    for axis, code in enumerate(turned_to_frame(codes[..., 0], codes[..., 1], world.gravity)):
        momentum = decoded(_padded(world, code, 0))
        if world.gravity == "off":  # pressure only slows water down
            toward = np.where(momentum < 0, -forces[axis], forces[axis])
            momentum = np.sign(momentum) * np.maximum(np.abs(momentum) + np.minimum(toward, 0), 0)
        else:
            momentum = np.clip(momentum + forces[axis], -LARGEST, LARGEST)
        size = np.abs(momentum)
        against = np.where(momentum < 0, -forces[axis], forces[axis]) < 0
        drag = held * np.where(against, fixed["drag"], fixed["drag_along"])
        slow = np.minimum(size, mass >> 3)
        size = np.maximum(size - ((slow >> 5) * drag >> 11) - fixed["friction"] * (held > 0), 0)
        back, ahead = (_at(solid, step) for step in AXES[axis])
        size = np.where((back & (momentum < 0)) | (ahead & (momentum > 0)), size >> 1, size)
        slows = (mass > FULL) & (held > 0)
        if axis == 0 and world.gravity != "off":
            slows &= np.where(momentum < 0, _at(mass, LEFT), _at(mass, RIGHT)) > FULL + fixed["dense"]
        fastest = np.where(slows, fixed["fastest_in_water"], fixed["fastest_in_air"])
        pair.append((np.minimum(size, (mass >> 4) * fastest), momentum < 0))
    over = (np.maximum(pair[0][0] + pair[1][0] - (mass >> 4) * fixed["fastest_sum"], 0) + 1) >> 1
    still = solid | (mass <= fixed["dry"])
    sizes = [np.where(still, 0, np.maximum(size - over, 0)) for size, _ in pair]
    speeds = [(size << fixed["speed_bits"]) // np.maximum(mass, 1) for size in sizes]
    right, down = (np.where(back, -size, size) for size, (_, back) in zip(sizes, pair, strict=True))
    to_right, to_down = (np.where(back, -speed, speed) for speed, (_, back) in zip(speeds, pair, strict=True))
    return _Water(mass, solid, top, bottom, held >= 8, held == 0, (right, down), (to_right, to_down))


def _through(
    water: _Water, fixed: Mapping[str, int], momentum: np.ndarray, push: np.ndarray, step: tuple[int, int]
) -> np.ndarray:
    """The flow by momentum and by a difference of pressure through the face to the neighbour at a step, in units.

    Args:
        momentum: of each cell, along the step.
        push: the pressure of the cell less that of the neighbour, at the face.
    """
    mass, there, other = water.mass, _at(water.mass, step), _at(momentum, step)
    alike = (np.minimum(mass, there) > fixed["shares"]) | (mass == there)
    mean = np.where(alike, _half(momentum + other), np.where(mass > there, momentum, other))
    evened = np.abs(push) * fixed["evening"] >> 4
    return mean + np.where(push < 0, -evened, evened)


def _aside(water: _Water, fixed: Mapping[str, int], axis: int) -> np.ndarray:
    """The flow from each cell forward along an axis that weight does not drive, in units; negative: back.

    Args:
        axis: 0 across gravity, 1 along the columns of a world without gravity.
    """
    to_back, ahead = AXES[axis]
    through = _through(water, fixed, water.momentum[axis], water.bottom - _at(water.bottom, ahead), ahead)
    back = through < 0

    def sender(values: np.ndarray, receiver: bool = False) -> np.ndarray:
        return np.where(back ^ receiver, _at(values, ahead), values)

    mass, there = sender(water.mass), sender(water.mass, receiver=True)
    own, speed = (np.where(back, -1, 1) * sender(values[axis]) for values in (water.momentum, water.speed))
    behind = np.where(back, _at(_at(water.mass, ahead), ahead), _at(water.mass, to_back))
    in_air = ~water.held & ~_at(water.held, ahead)
    flow = np.where(in_air & (own > 0), own, np.abs(through))
    flying = _of_stream(mass, behind, there, np.maximum(speed, 0), flow, fixed)
    flow = np.where(through != 0, np.where(sender(water.held), flow, flying), 0)
    return np.where(_closed(water, ahead), 0, np.where(back, -1, 1) * _allowed(flow, there))


def _drawn(water: _Water, fixed: Mapping[str, int]) -> np.ndarray:
    """The flow to the right that a fuller cell draws from a thin one in the air, in units; negative: to the left.

    The thin cell lies at the side of a stream: the cell behind it has at most half as much.
    """
    left, right = water.mass, _at(water.mass, RIGHT)
    thin, thick = np.minimum(left, right), np.maximum(left, right)
    in_air = ~water.held & ~_at(water.held, RIGHT) & ~_closed(water, RIGHT)
    behind = np.where(right < left, _at(right, RIGHT), _at(left, LEFT))
    in_air &= 2 * behind <= thin
    drawn = np.where(in_air & (thin < fixed["thin"]) & (thick > 2 * thin), np.minimum(thin, FULL - thick) >> 3, 0)
    return np.where(thick < FULL, np.where(right < left, -drawn, drawn), 0)


def _third_difference(water: _Water, values: np.ndarray, outer: np.ndarray) -> np.ndarray:
    """The third difference of four values about the face to the right.

    Args:
        values: of the two cells of the face.
        outer: of the cells before and beyond them. Of a cell that `_lies` excludes, that of the nearer cell of the
            face counts.
    """
    left, right, lies = values, _at(values, RIGHT), _lies(water)
    before = np.where(_at(lies, LEFT), _at(outer, LEFT), left)
    beyond = np.where(_at(_at(lies, RIGHT), RIGHT), _at(_at(outer, RIGHT), RIGHT), right)
    return 3 * (left - right) - (before - beyond)


def _smoothing_flow(water: _Water, fixed: Mapping[str, int]) -> np.ndarray:
    """The flow to the right that smooths a surface of partly full cells, in units."""
    left, right, lies = water.mass, _at(water.mass, RIGHT), _lies(water)
    third = _third_difference(water, water.mass, np.minimum(water.mass, FULL))
    size = np.maximum(np.abs(third) - fixed["smooth"], 0) >> fixed["smoothing_bits"]
    partly = (np.maximum(left, right) < FULL) & (np.minimum(left, right) > fixed["dry"])
    return np.where(partly & lies & _at(lies, RIGHT), np.sign(third) * size, 0)


def _smoothing_momentum(water: _Water, momentum: np.ndarray, fixed: Mapping[str, int]) -> np.ndarray:
    """The momentum that each cell gives to its right neighbour in exchange, which smooths momentum."""
    third, lies = _third_difference(water, momentum, momentum), _lies(water)
    return np.where(lies & _at(lies, RIGHT), np.sign(third) * (np.abs(third) >> fixed["exchange_bits"]), 0)


def _lies(water: _Water) -> np.ndarray:
    """True in cells that lie on something and are not solid; also in empty ones over a floor, whose values are 0."""
    return water.held & ~water.solid


def _down(water: _Water, fixed: Mapping[str, int]) -> np.ndarray:
    """The flow from each cell down, in units; negative: from the cell below up."""
    mass, there, own = water.mass, _at(water.mass, DOWN), water.momentum[1]
    through = _through(water, fixed, own, water.bottom - _at(water.top, DOWN), DOWN)
    through = np.where(there < FULL, np.maximum(through, own), through)
    flow = _of_stream(mass, _at(mass, UP), there, np.maximum(water.speed[1], 0), through, fixed, falls=True)
    flow = np.where(water.hangs & (mass <= fixed["dry"]), mass, np.where(through > 0, flow, 0))
    rising = _full_flow(np.maximum(-_at(water.speed[1], DOWN), 0), fixed)
    two_below = _at(_at(water.solid, DOWN), DOWN), _at(there, DOWN)
    followed = two_below[0] | (two_below[1] > fixed["follows"])
    thrown = np.where(followed, np.maximum(rising - (FULL - there), 0), np.minimum(there, rising))
    back = np.where(through < 0, _allowed(np.where(there >= FULL, -through, thrown), mass), 0)
    resists = np.where(two_below[0], fixed["resists_on_floor"], fixed["resists"])
    over = np.clip(there - np.maximum(mass, FULL), 0, FULL // 4)
    flow -= (flow >> 8) * (over * resists >> fixed["mass_bits"] - 8)
    return np.where(_closed(water, DOWN), 0, _allowed(flow, there) - back)


def _of_stream(
    mass: np.ndarray,
    behind: np.ndarray,
    ahead: np.ndarray,
    speed: np.ndarray,
    flow: np.ndarray,
    fixed: Mapping[str, int],
    falls: bool = False,
) -> np.ndarray:
    """The flow from a cell in the air, in units: ``flow``, except for the first and the last cell of a stream.

    The first cell keeps its water until it holds as much as the cell behind it; the last sends all that it can.

    Args:
        mass, behind, ahead: the masses of the cell, of the one from which it gets and of the one to which it sends.
        speed: of the cell's water toward the cell ahead, in 2**-speed_bits cells a tick, at least 0.
        falls: True: the last cell sends at least ``flow``, and only if it has a speed.
    """
    followed = behind > fixed["follows"]
    like = np.minimum(behind, FULL)
    kept = np.maximum(like - mass, 0)
    first = np.maximum(((like >> 6) * speed >> (fixed["speed_bits"] - 6)) - kept, 0)
    most = _full_flow(speed, fixed)
    last = np.minimum(mass, np.maximum(most, flow) if falls else most)
    is_last = ~followed & (ahead >= np.maximum(mass, fixed["follows"])) & (not falls or speed > 0)
    return np.where(followed & (ahead <= fixed["dry"]), first, np.where(is_last, last, flow))


def _full_flow(speed: np.ndarray, fixed: Mapping[str, int]) -> np.ndarray:
    """The mass that a full cell sends at a speed, in units."""
    return speed << (fixed["mass_bits"] - fixed["speed_bits"])


def _allowed(flow: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Limit a flow to a quarter of the receiver's room, so that four neighbours together cannot overfill it.

    What a fuller cell draws, and what smooths a surface, are added to this, but only into a cell that is not full.
    """
    return np.minimum(flow, (MASS_LIMIT - there) >> 2)


def _closed(water: _Water, step: tuple[int, int]) -> np.ndarray:
    """True if a cell or its neighbour at a step is solid."""
    return water.solid | _at(water.solid, step)


def _scaled(
    mass: np.ndarray, aside: np.ndarray, fall: np.ndarray, fixed: Mapping[str, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Scale the flows out of each cell that has less mass than it would send, all by the same share."""
    (right, left), (down, up) = _both_ways(aside), _both_ways(fall)
    total = right + _at(left, LEFT) + down + _at(up, UP)
    bits = fixed["speed_bits"]
    share = np.where(total > mass, ((mass >> 2) << bits) // ((total >> 2) + 1), 1 << bits)
    of_right, of_below = _at(share, RIGHT), _at(share, DOWN)
    return (right * share >> bits) - (left * of_right >> bits), (down * share >> bits) - (up * of_below >> bits)


def _both_ways(flow: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The part of a flow that goes forward and the part that goes back, both at least 0."""
    return np.maximum(flow, 0), np.maximum(-flow, 0)


def _gained(flow: np.ndarray, back: tuple[int, int]) -> np.ndarray:
    """The gain of each cell along an axis: the flow from the neighbour at step ``back``, less the flow to the other."""
    return _at(flow, back) - flow


def _carried(flow: np.ndarray, speed: np.ndarray, step: tuple[int, int], fixed: Mapping[str, int]) -> np.ndarray:
    """The momentum that a flow to the neighbour at a step takes along, by the speed of the cell that sends it."""
    speed = np.where(flow < 0, _at(speed, step), speed)
    size = (np.minimum(np.abs(flow), fixed["carried_most"]) >> 6) * np.abs(speed) >> (fixed["speed_bits"] - 6)
    return np.where((flow < 0) ^ (speed < 0), -size, size)


def _half(numbers: np.ndarray) -> np.ndarray:
    """Half of numbers, rounded toward zero."""
    return (numbers + (numbers < 0)) >> 1


def _bordered(world: World, array: np.ndarray, outside: int | bool) -> np.ndarray:
    """An array (height, width) of the world in the gravity frame, with a border; see `_padded`."""
    return _padded(world, in_frame(array, world.gravity), outside)


def _padded(world: World, array: np.ndarray, outside: int | bool) -> np.ndarray:
    """Add a border: the opposite cells on a torus, else the value ``outside``."""
    if world.edges == "wrap":
        return np.pad(array, BORDER, mode="wrap")
    return np.pad(array, BORDER, constant_values=outside)


def _at(array: np.ndarray, step: tuple[int, int]) -> np.ndarray:
    """The value of each cell's neighbour; what comes from beyond the border has no meaning."""
    return np.roll(array, (-step[0], -step[1]), (0, 1))
