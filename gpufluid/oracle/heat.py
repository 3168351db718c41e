"""The NumPy twin of rule ``heat``; each pass equals its shader in ``shaders/heat/`` bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from gpufluid.core.fields import (
    FULL,
    LATENT_ONE,
    QUANTITIES,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    WATER_HEAT_LIMIT,
    WATER_HEAT_ONE,
)
from gpufluid.core.frame import in_frame, in_world
from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells, amounts_in_frame, give_tags
from gpufluid.oracle.chance import noise, partition_offset
from gpufluid.oracle.partition import Blocks
from gpufluid.oracle.state import load_mass, store_mass
from gpufluid.oracle.tally import Tally, changed
from gpufluid.oracle.water_changes import NO_LIMIT, WaterChange, change_blocks
from gpufluid.rules import Call
from gpufluid.rules.heat import WORDS, amount_materials, water_temperature
from gpufluid.world import World
from gpufluid.world.ledger import HeatLedger, Ledger, ledger_type

_SHIFT = LATENT_ONE.bit_length() - 1

AIR, WATER, ATOM = range(3)
"""The kinds of cells that conduct heat. Air keeps its temperature whatever heat it exchanges. `WATER` is
water by mass, or parts of a mixture."""


@dataclass(frozen=True, slots=True)
class ThermalCells:
    """The thermal properties of cells: arrays [row, column] of the gravity frame, with a border of one cell.

    Args:
        kind: what each cell is: `AIR`, `WATER` that conducts heat, or `ATOM`.
        temperature: int64, in 1/8 degree C; of air the ambient temperature.
        conductivity: int64, to matter: the part of a temperature difference that is exchanged, in 65536ths; 0 beyond
            a closed edge.
        surface: int64, the conductivity to air.
        capacity: int64, the heat, in the units of water, that warms a cell by a unit; of air as of an atom.
        gains, loses: int64, the most heat, in the units of water, that a cell gets from a warmer one, and gives to a
            colder one.
    """

    kind: np.ndarray
    temperature: np.ndarray
    conductivity: np.ndarray
    surface: np.ndarray
    capacity: np.ndarray
    gains: np.ndarray
    loses: np.ndarray

    def __getitem__(self, part: tuple[slice, slice]) -> ThermalCells:
        return ThermalCells(*(getattr(self, each.name)[part] for each in fields(self)))

    def to(self, other: ThermalCells) -> np.ndarray:
        """The conductivity of each cell to its neighbour in ``other``: (height, width) int64, in 65536ths."""
        return np.where(other.kind != AIR, self.conductivity, self.surface)


def conduct(world: World, call: Call) -> Tally:
    """Conduct heat between all neighbours, from the old temperatures."""
    cells = Cells.of(world, sees_amounts=False)
    around = _thermal_cells(world, cells)
    height, width = cells.shape
    rows, columns = np.arange(-1, height)[:, None], np.arange(-1, width)[None, :]
    if world.edges == "wrap":
        rows, columns = rows % height, columns % width
    words = noise(world, columns, rows, call.tick, world.fixed("heat")["use_conduct"])
    ahead, here, beyond = slice(1, None), slice(None, -1), slice(1, -1)
    right = _received(around[beyond, here], around[beyond, ahead], words[0][1:, :])
    down = _received(around[here, beyond], around[ahead, beyond], words[1][:, 1:])
    parts = (
        (right[:, 1:], around.kind[beyond, 2:]),
        (-right[:, :-1], around.kind[beyond, :-2]),
        (down[1:], around.kind[2:, beyond]),
        (-down[:-1], around.kind[:-2, beyond]),
    )
    own = around.kind[beyond, beyond]
    gained = sum(part for part, _ in parts)
    warmth = cells.fields_of("warmth")
    after = around.temperature[beyond, beyond] + gained // WATER_HEAT_ONE
    warmer = np.where(own == WATER, warmth["water_heat"] + gained, warmth["water_heat"])
    _set_warmth(cells, own == ATOM, temperature=after)
    _set_warmth(cells, own != ATOM, water_heat=warmer)
    cells.write(world)

    def total(to: int, other: int) -> int:
        return sum(int(part[(own == to) & (kind == other)].sum()) for part, kind in parts)

    atoms = HeatLedger(air=total(ATOM, AIR) // WATER_HEAT_ONE, water=-total(ATOM, WATER) // WATER_HEAT_ONE)
    water = ledger_type(QUANTITIES["water_heat"])(air=total(WATER, AIR), atoms=total(WATER, ATOM))
    return Tally(0, {"heat": atoms, "water_heat": water})


def _thermal_cells(world: World, cells: Cells) -> ThermalCells:
    own, warmth, fixed = cells.material > 0, cells.fields_of("warmth"), world.fixed("heat")
    contacts = np.array(world.tables("heat")["contacts"], np.uint32)
    ambient, material = fixed["ambient"], cells.material
    kind = np.where(own, ATOM, AIR)
    temperature = np.where(own, warmth["temperature"], ambient)
    capacity = np.full(own.shape, WATER_HEAT_ONE, np.int64)
    gains, loses = np.full((2, *own.shape), NO_LIMIT, np.int64)
    if "water_heat" in world:
        layers = np.stack(list(amounts_in_frame(world).values())).astype(np.int64)
        mass = layers.sum(axis=0)
        water = ~own & (mass >= fixed["conducts_from"])
        kind = np.where(water, WATER, kind)
        temperature = np.where(water, water_temperature(world.laws, mass, warmth["water_heat"]), temperature)
        capacity = np.where(water, np.minimum(mass, FULL) * WATER_HEAT_ONE // FULL, capacity)
        room = (WATER_HEAT_LIMIT - np.abs(warmth["water_heat"])) >> 3
        gains, loses = (
            np.where(water, np.minimum(room, change.room_before(warmth["water_heat"], mass) >> 2), NO_LIMIT)
            for change in WaterChange.both(world.laws)
        )
        numbers = np.array([world.materials[name] for name in amount_materials(world.laws)])
        material = np.where(water, numbers[layers.argmax(axis=0)], material)
    inside, surface = (
        WORDS["contacts"].part(contacts[material], name).astype(np.int64) for name in ("conductivity", "surface")
    )
    arrays = kind, temperature, inside, surface, capacity, gains, loses
    if world.edges == "wrap":
        return ThermalCells(*(np.pad(array, 1, mode="wrap") for array in arrays))
    beyond = 0 if world.edges == "closed" else int(WORDS["contacts"].part(contacts, "surface")[0])
    outside = AIR, ambient, beyond, beyond, WATER_HEAT_ONE, NO_LIMIT, NO_LIMIT
    return ThermalCells(
        *(np.pad(array, 1, constant_values=value) for array, value in zip(arrays, outside, strict=True))
    )


def _received(to: ThermalCells, other: ThermalCells, word: np.ndarray) -> np.ndarray:
    """The heat that each cell of ``to`` gets from its neighbour in ``other``, in the units of water.

    It is a part of the temperature difference, given by the lower of the two conductivities and rounded at random. A
    difference of one unit is not exchanged. The heat is at most a quarter of the distance of either temperature from
    the end of the scale, so that four neighbours together cannot exceed the scale. An atom gets whole units of an atom.

    If one of the two is water, by mass or a mixture, the heat is in proportion to how full its cell is, the less full
    one of two cells of water, and at most half of the heat that would even out the two. Water that boils or freezes
    stores no more than `WaterChange.room_before`, a quarter of it from each neighbour. Between water and water or air
    it is rounded toward zero.
    """
    difference = other.temperature - to.temperature
    size = abs(difference)
    part = np.where(size > 1, size, 0) * np.minimum(to.to(other), other.to(to))
    in_water = (to.kind == WATER) | (other.kind == WATER)
    with_atom = np.maximum(to.kind, other.kind) == ATOM
    capacity = np.minimum(to.capacity, other.capacity)
    half_way = (size * capacity).astype(np.int64) >> 1
    scaled = np.where(in_water, (part >> 10) * capacity, part)
    rounded = (scaled + (word & np.uint32(0xFFFF)).astype(np.int64)) >> 16
    lowest = np.minimum(to.temperature, other.temperature)
    highest = np.maximum(to.temperature, other.temperature)
    room = np.minimum(TEMPERATURE_MOST - lowest, highest - TEMPERATURE_LEAST) >> 2
    whole = np.minimum(rounded, np.where(in_water, np.minimum(half_way // WATER_HEAT_ONE, room), room))
    fine = np.where(in_water, np.minimum((part >> 8) * capacity >> 8, half_way), 0)
    warms = difference > 0
    most = np.where(warms, np.minimum(to.gains, other.loses), np.minimum(to.loses, other.gains))
    heat = np.where(with_atom, np.minimum(whole, most // WATER_HEAT_ONE) * WATER_HEAT_ONE, np.minimum(fine, most))
    return np.where(difference < 0, -heat, heat)


def _set_warmth(cells: Cells, where: np.ndarray, **values: np.ndarray) -> None:
    """Set some fields of plane ``warmth``, [row, column] of integers, by name, in the cells ``where``."""
    before = cells.fields_of("warmth")
    after = {name: np.where(where, values[name], old) if name in values else old for name, old in before.items()}
    cells.set_fields("warmth", after)


def transition(world: World, call: Call) -> Tally:
    """Let atoms past a threshold absorb or release latent heat; with all of it exchanged they change their material."""
    cells, tables, table = Cells.of(world, sees_amounts=False), world.tables("heat"), world.materials
    before = cells.material
    above, below = (WORDS["thresholds"].part(tables["thresholds"], side)[before] for side in ("above", "below"))
    parts = (WORDS["products"].part(tables["products"], name)[before] for name in WORDS["products"].parts)
    hotter, colder, takes, gives = parts
    warmth = cells.fields_of("warmth")
    temperature = warmth["temperature"]
    held = warmth["age"].astype(np.int8).astype(np.int64)  # of such materials the age is the latent heat, signed
    changes = (hotter | colder) != 0
    upward = changes & ((held > 0) | ((held == 0) & (temperature > above)))
    downward = changes & ((held < 0) | ((held == 0) & (temperature < below)))
    taken = np.where(upward, np.clip((temperature - above) >> _SHIFT, -held, takes - held), 0)
    taken = np.where(downward, -np.clip((below - temperature) >> _SHIFT, held, gives + held), taken)
    now = held + taken
    boils = upward & (hotter != 0) & (now >= takes)
    freezes = downward & (colder != 0) & (-now >= gives)
    other = boils | freezes
    cells.material = np.where(boils, hotter, np.where(freezes, colder, before)).astype(np.int32)
    does = other | (taken != 0)
    _set_warmth(cells, does, temperature=temperature - taken * LATENT_ONE, age=np.where(other, 0, now))
    _settle_form(world, call, cells, table.solid[before], does)
    bound = LATENT_ONE * int(now[other].sum())
    poured, warm = _pour(world, cells, other)
    cells.write(world)
    new = WATER_HEAT_ONE * (warm - poured * world.fixed("heat")["ambient"])
    ledgers = {
        "atoms": changed(world.materials, before, cells.material),
        "heat": HeatLedger(bound=bound, water=warm),
        "water_heat": ledger_type(QUANTITIES["water_heat"])(atoms=new),
    }
    return Tally(0, ledgers, mass=Ledger(made=poured * FULL))


def change_water(world: World, call: Call) -> Tally:
    """Let water by mass boil and freeze: in each 2x2 block cells with the latent heat of an atom become atoms."""
    cells, fixed = Cells.of(world, sees_amounts=False), world.fixed("heat")
    warmth, mass = cells.fields_of("warmth"), in_frame(load_mass(world), world.gravity).astype(np.int64)
    fields = {name: getattr(cells, name).astype(np.int64) for name in ("material", "grain")}
    fields |= {"temperature": warmth["temperature"], "heat": warmth["water_heat"], "mass": mass.copy()}
    offset = partition_offset(world, call.tick, fixed["use_water_blocks"])
    blocks = Blocks(fields, offset, world.edges == "wrap", {"material": len(world.materials)})
    words = noise(world, blocks.x, blocks.y, call.tick, fixed["use_change_water"])
    mirrored = words[0] >> np.uint32(31) == 1
    blocks.mirror(mirrored)
    grains = [(words[1] >> np.uint32(8 * place) & np.uint32(0xFF)).astype(np.int64) for place in range(4)]
    done = change_blocks(world.laws, blocks.cells, grains)
    blocks.mirror(mirrored)
    before = cells.material.copy()
    blocks.write(fields)
    born = fields["material"] != before
    cells.material, cells.grain = (fields[name].astype(np.int32) for name in ("material", "grain"))
    cells.set_fields("warmth", warmth | {"temperature": fields["temperature"], "water_heat": fields["heat"]})
    cells.write(world)
    store_mass(world, in_world(fields["mass"], world.gravity))
    give_tags(world, born)
    given = -WATER_HEAT_ONE * (done.warm - done.atoms * fixed["ambient"])
    ledgers = {
        "atoms": changed(world.materials, before, cells.material),
        "heat": HeatLedger(bound=done.bound, water=-done.warm),
        "water_heat": ledger_type(QUANTITIES["water_heat"])(atoms=given, air=done.air),
    }
    return Tally(0, ledgers, mass=Ledger(used=done.atoms * FULL))


def _pour(world: World, cells: Cells, where: np.ndarray) -> tuple[int, int]:
    """In a world with water by mass, replace the atoms of water in the cells ``where`` by full cells of such water.

    The water gets all heat of the atoms.

    Returns: the number of these atoms, and their heat in units of temperature.
    """
    if not world.laws.water_and_atoms:
        return 0, 0
    where = where & (cells.material == world.materials["water"])
    temperature = np.where(where, cells.fields_of("warmth")["temperature"], world.fixed("heat")["ambient"])
    warm = int(temperature[where].sum())
    for name, values in cells.parts().items():
        if name != "tag":
            values[where] = 0
    heat = WATER_HEAT_ONE * (temperature - world.fixed("heat")["ambient"])
    _set_warmth(cells, where, water_heat=heat)
    store_mass(world, np.where(in_world(where, world.gravity), FULL, load_mass(world)))
    return int(where.sum()), warm


def _settle_form(world: World, call: Call, cells: Cells, was_solid: np.ndarray, does: np.ndarray) -> None:
    """Set the velocity of atoms that became solid to 0, and draw a grain for atoms that were solid before."""
    solid = world.materials.column("state")[cells.material] == State.SOLID
    cells.across = np.where(does & solid, 0, cells.across)
    cells.along = np.where(does & solid, 0, cells.along)
    height, width = cells.shape
    places = np.arange(width)[None, :], np.arange(height)[:, None]
    words = noise(world, *places, call.tick, world.fixed("heat")["use_transition"])
    cells.grain = np.where(does & was_solid & ~solid, (words[2] >> np.uint32(24)).astype(np.int32), cells.grain)
