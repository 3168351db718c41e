"""The NumPy twin of rule ``heat``; each pass equals its shader in ``shaders/heat/`` bit for bit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import FULL, LATENT_ONE, TEMPERATURE_LEAST, TEMPERATURE_MOST
from gpufluid.core.frame import in_world
from gpufluid.matter.materials import State
from gpufluid.oracle.atoms.cells import Cells
from gpufluid.oracle.chance import noise
from gpufluid.oracle.state import load_mass, store_mass
from gpufluid.oracle.tally import Tally, changed
from gpufluid.rules import Call
from gpufluid.rules.heat import WORDS
from gpufluid.world import World
from gpufluid.world.ledger import HeatLedger, Ledger

_SHIFT = LATENT_ONE.bit_length() - 1


@dataclass(frozen=True, slots=True)
class ThermalCells:
    """The thermal properties of cells: arrays [row, column] of the gravity frame, with a border of one cell.

    Args:
        temperature: int64, in 1/8 degree C; in empty cells the ambient temperature.
        conductivity: int64, to matter: the part of a temperature difference that is exchanged, in 65536ths; 0 beyond
            a closed edge.
        surface: int64, the conductivity to air.
        matter: bool, True in cells that hold an atom, False in air.
    """

    temperature: np.ndarray
    conductivity: np.ndarray
    surface: np.ndarray
    matter: np.ndarray

    def __getitem__(self, part: tuple[slice, slice]) -> ThermalCells:
        return ThermalCells(
            *(array[part] for array in (self.temperature, self.conductivity, self.surface, self.matter))
        )

    def to(self, other: ThermalCells) -> np.ndarray:
        """The conductivity of each cell to its neighbour in ``other``: (height, width) int64, in 65536ths."""
        return np.where(other.matter, self.conductivity, self.surface)


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
        (right[:, 1:], around.matter[beyond, 2:]),
        (-right[:, :-1], around.matter[beyond, :-2]),
        (down[1:], around.matter[2:, beyond]),
        (-down[:-1], around.matter[:-2, beyond]),
    )
    own = around.matter[beyond, beyond]
    gained = sum(int(part[own & ~matter].sum()) for part, matter in parts)
    after = around.temperature[beyond, beyond] + sum(part for part, _ in parts)
    _set_warmth(cells, own, temperature=after)
    cells.write(world)
    return Tally(heat=HeatLedger(air=gained))


def _thermal_cells(world: World, cells: Cells) -> ThermalCells:
    own = cells.material > 0
    contacts = world.tables("heat")["contacts"]
    inside, surface = (
        WORDS["contacts"].part(contacts, name)[cells.material].astype(np.int64) for name in ("conductivity", "surface")
    )
    ambient = world.fixed("heat")["ambient"]
    temperature = np.where(own, cells.fields_of("warmth")["temperature"], ambient)
    if world.edges == "wrap":
        return ThermalCells(*(np.pad(array, 1, mode="wrap") for array in (temperature, inside, surface, own)))
    beyond = 0 if world.edges == "closed" else int(WORDS["contacts"].part(contacts, "surface")[0])
    return ThermalCells(
        np.pad(temperature, 1, constant_values=ambient),
        np.pad(inside, 1, constant_values=beyond),
        np.pad(surface, 1, constant_values=beyond),
        np.pad(own, 1),
    )


def _received(to: ThermalCells, other: ThermalCells, word: np.ndarray) -> np.ndarray:
    """The heat that each cell of ``to`` gets from its neighbour in ``other``, in units of temperature.

    It is a part of the temperature difference, given by the lower of the two conductivities and rounded at random. A
    difference of one unit is not exchanged. The heat is at most a quarter of the distance of either temperature from
    the end of the scale, so that four neighbours together cannot exceed the scale.
    """
    difference = other.temperature - to.temperature
    size = abs(difference)
    part = np.where(size > 1, size, 0) * np.minimum(to.to(other), other.to(to))
    lowest = np.minimum(to.temperature, other.temperature)
    highest = np.maximum(to.temperature, other.temperature)
    room = np.minimum(TEMPERATURE_MOST - lowest, highest - TEMPERATURE_LEAST) >> 2
    units = np.minimum((part + (word & np.uint32(0xFFFF)).astype(np.int64)) >> 16, room)
    return np.where(difference < 0, -units, units)


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
    ledgers = {"atoms": changed(world.materials, before, cells.material), "heat": HeatLedger(bound=bound + warm)}
    return Tally(0, ledgers, mass=Ledger(made=poured * FULL))


def _pour(world: World, cells: Cells, where: np.ndarray) -> tuple[int, int]:
    """In a world with water by mass, replace the atoms of water in the cells ``where`` by full cells of such water.

    Returns: the number of these atoms, and their heat in units of temperature.
    """
    if not world.laws.water_and_atoms:
        return 0, 0
    where = where & (cells.material == world.materials["water"])
    warm = int(cells.fields_of("warmth")["temperature"][where].sum())
    for name, values in cells.parts().items():
        if name != "tag":
            values[where] = 0
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
