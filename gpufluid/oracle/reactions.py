"""The NumPy twin of rule ``reactions``; each pass equals its shader in ``shaders/reactions/`` bit for bit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpufluid.core.fields import FULL, MASS_LIMIT, TEMPERATURE_LEAST, TEMPERATURE_MOST, WATER_HEAT_LIMIT, WATER_PLANE
from gpufluid.core.heat_shares import heat_along
from gpufluid.matter.materials import State
from gpufluid.matter.outcomes import STAYS, water_number
from gpufluid.oracle import partition
from gpufluid.oracle.atoms.cells import Cells, bounded_speed, counted, give_tags
from gpufluid.oracle.chance import noise, partition_offset
from gpufluid.oracle.tally import Tally, changed
from gpufluid.rules import RULES, Call, Laws
from gpufluid.rules.reactions import ALONE, ENTRY, RECORD, ROW, WATER_RECORD
from gpufluid.world import World
from gpufluid.world.ledger import Ledger

Fields = dict[str, np.ndarray]
"""The state of some cells, an array each: material, across, along, grain, temperature, integrity, age, tag, water and
water_heat."""

FIELDS = ("material", "across", "along", "grain", "tag")


def react(world: World, call: Call) -> Tally:
    """Let the atoms of each 2x2 block react, pair by pair."""
    cells, reactions = _ReactingCells(world, sees_amounts=True), _ReactionArrays(world)
    offset = partition_offset(world, call.tick, reactions.fixed["use_meet"])
    blocks = partition.Blocks(cells.fields, offset, world.edges == "wrap", {"material": len(world.materials)})
    words = noise(world, blocks.x, blocks.y, call.tick, reactions.fixed["use_react"])
    blocks.mirror(words[0] >> np.uint32(31) == 1)
    low, grain = np.uint32(0xFFFF), [words[3] >> np.uint32(8 * place) & np.uint32(0xFF) for place in range(4)]
    halves = (words[1] & low, words[1] >> np.uint32(16), words[2] & low, words[2] >> np.uint32(16))
    push = np.zeros(blocks.x.shape, np.int64)
    for (a, b), draw in zip(((0, 1), (2, 3), (0, 2), (1, 3)), halves, strict=True):
        others = (a ^ 2, b ^ 2) if b - a == 1 else (a ^ 1, b ^ 1)  # the cells of the block beside the two
        first, second, beside_first, beside_second = (blocks.cells[each] for each in (a, b, *others))
        over = b - a == 2 and world.gravity != "off"  # without gravity nothing lies over another
        placing, grains = reactions.fixed["lies_over" if over else "lies_beside"], (grain[a], grain[b])
        pair = first, second, beside_first, beside_second
        record, *after = reactions.react_pair(*pair, placing, draw.astype(np.int64), grains)
        for number, fields in zip((a, b, *others), after, strict=True):
            blocks.cells[number] = fields
        push = np.maximum(push, record["push"])
    _push(blocks, push, reactions)
    blocks.mirror(words[0] >> np.uint32(31) == 1)
    blocks.write(cells.fields)
    return cells.write(world) + Tally(mass=reactions.mass)


def decay(world: World, call: Call) -> Tally:
    """Let each atom age, and react alone."""
    cells, reactions = _ReactingCells(world), _ReactionArrays(world)
    height, width = cells.fields["material"].shape
    columns, rows = np.arange(width)[None, :], np.arange(height)[:, None]
    words = noise(world, columns, rows, call.tick, reactions.fixed["use_decay"])
    grain = words[1] & np.uint32(0xFF)
    cells.fields = reactions.aged(cells.fields, call.tick, (words[0] >> np.uint32(16)).astype(np.int64), grain)
    return cells.write(world)


class _ReactingCells:
    """The cells of a world as int64 arrays [row, column] of the gravity frame; `write` counts what changed."""

    def __init__(self, world: World, sees_amounts: bool = False) -> None:
        self._cells = Cells.of(world, sees_amounts)
        carried = {name: words.astype(np.int64) for name, words in self._cells.carried.items()}
        del carried["warmth"]
        self._others = list(carried)
        self.fields: Fields = {name: getattr(self._cells, name).astype(np.int64) for name in FIELDS} | carried
        self.fields |= self._cells.fields_of("warmth")
        self.fields["material"][self.fields["material"] >= len(world.materials)] = 0  # of water
        none = np.zeros(self._cells.shape, np.int64)
        water = sum((each.astype(np.int64) for each in self._cells.amounts.values()), none)
        self.fields["water"] = water.copy()
        self._before = self.fields["material"].copy()
        self._held = self._cells.held(world)

    def write(self, world: World) -> Tally:
        """Write the cells back to the world. Returns the atoms that were made and used up, and the heat of reaction."""
        fields = self.fields
        born = (self._before == 0) & (fields["material"] != 0)
        for name in FIELDS:
            getattr(self._cells, name)[...] = fields[name]
        for name in self._cells.amounts.keys() & {WATER_PLANE}:  # reactions do not change a mixture
            self._cells.amounts[name][...] = fields["water"]
        self._cells.set_fields("warmth", fields)
        gone = (self._before != 0) & (fields["material"] == 0)
        for name in self._others:  # planes that move with an atom
            self._cells.carried[name] = np.where(gone, 0, fields[name]).astype(np.uint32).view(np.int32)
        self._cells.write(world)
        give_tags(world, born)
        held = self._cells.held(world)
        ledgers = counted("used", self._held, held) | counted("reacted", held, self._held)
        return Tally(0, ledgers, atoms=changed(world.materials, self._before, fields["material"]))


def _push(blocks: partition.Blocks, push: np.ndarray, reactions: _ReactionArrays) -> None:
    """Add a velocity away from the block's centre to the atoms that can move, in 1/16 cell a tick."""
    for number, fields in enumerate(blocks.cells):
        moves = reactions.state[fields["material"]] >= State.POWDER
        for name, sign in (("across", blocks.sides[number % 2]), ("along", 1 if number > 1 else -1)):
            fields[name] = np.where(moves & (push > 0), bounded_speed(fields[name] + sign * push), fields[name])


@dataclass
class _Change:
    """The changes of atoms, an array for each part; see ``Change`` in ``reacting.glsl``."""

    really: np.ndarray
    material: np.ndarray
    keeps: np.ndarray
    notes: np.ndarray
    wear: np.ndarray
    heat: np.ndarray


def _records(laws: Laws) -> dict[str, np.ndarray]:
    """The parts of the records of a world's reactions, by name, an int32 array each."""
    records = laws.once(RULES["reactions"].numbers.lookups)["records"]
    words = [*records[:, :ROW].reshape(-1, 4).T, *records[:, ROW:].reshape(-1, 4).T]
    parts = [*RECORD, *(WATER_RECORD if laws.water_and_atoms else ())]
    return {name: word.part(words[i], name) for i, word in enumerate(parts) for name in word.parts}


class _ReactionArrays:
    """The reactions of a world as arrays, indexed by material or by record."""

    def __init__(self, world: World) -> None:
        self._records = world.laws.once(_records)
        self._by_mass = world.laws.water_and_atoms
        self.mass = Ledger()
        self._entries = world.lookups("reactions")["entries"]
        self._count = len(world.materials)
        self._materials = world.materials.records
        self.state = world.materials.column("state")
        self.fixed = world.fixed("reactions")

    def _drawn(
        self,
        place: np.ndarray,
        heat: np.ndarray,
        ages: tuple[np.ndarray, ...],
        draw: np.ndarray,
        placing: int = 0,
        water: tuple[np.ndarray, ...] = (),
        room: np.ndarray | int = 0,
    ) -> Fields:
        """Draw the record that acts from each chain of records.

        Args:
            place: the number of the first record of each chain.
            heat: the temperature that is compared with the record's limits.
            ages: the ages of both atoms.
            draw: random numbers, 0 to 65535, one for each chain.
            placing: the place of the two atoms of each pair, as `ReactionOutcome.place`.
            water: the water by mass in both cells, in units; empty if the pass does not look at water.
            room: the units that another cell can take of the water that a new atom leaves.
        Returns: the parts of the drawn record by name; all 0 where no record acts.
        """
        chosen, records = np.zeros(place.shape, np.int64), self._records
        more = np.full(place.shape, True)
        while more.any():
            record = {name: part[place] for name, part in records.items()}
            noted = (record["first_notes"] == 0) | (ages[0] == 0)
            noted &= (record["second_notes"] == 0) | (ages[1] == 0)
            noted &= (record["first_copies"] == 0) | self._records_material(ages[1])
            noted &= (record["second_copies"] == 0) | self._records_material(ages[0])
            fits = (
                more & noted & (heat >= record["least"]) & (heat < record["below"]) & (ages[0] >= record["least_age"])
            )
            fits &= (record["placing"] == 0) | (record["placing"] == placing)
            for name, units in zip(("first", "second") if self._by_mass else (), water, strict=False):
                more_water = record[f"{name}_water"]
                fits &= units >= record[f"{name}_least_water"]
                fits &= (more_water <= 0) | (units + more_water <= FULL)
                fits &= (record[name] == STAYS) | (units == 0) | (units + more_water <= room)
            chance = np.where(fits, record["chance"], 0)
            chosen = np.where((draw >= 0) & (draw < chance), place, chosen)
            draw = draw - chance
            more = more & (record["more"] != 0)
            place = np.where(more, place + 1, place)
        return {name: part[chosen].astype(np.int64) for name, part in records.items()}

    def _entry_row_of(self, atoms: Fields) -> np.ndarray:
        """The row, or column, of each cell in the table of entries: its material; of water by mass `water_number`."""
        wet = (atoms["material"] == 0) & (atoms["water"] > 0)
        return np.where(wet, water_number(self._materials), atoms["material"])

    def _records_material(self, age: np.ndarray) -> np.ndarray:
        """The cells whose age is a material's number, bool: an atom that has noted a material keeps it as its age."""
        return (age != 0) & (age < self._count)

    def react_pair(
        self,
        first: Fields,
        second: Fields,
        beside_first: Fields,
        beside_second: Fields,
        placing: int,
        draw: np.ndarray,
        grains: tuple[np.ndarray, np.ndarray],
    ) -> tuple[Fields, ...]:
        """Let pairs of atoms react. Returns the record that acts in each pair, and the four cells after it.

        Args:
            first, second: the atoms of each pair: int64 arrays of any shape.
            beside_first, beside_second: the cells beside them in the block, which get the water that a new atom leaves.
            placing: the place of the two, as `ReactionOutcome.place`.
            draw: random numbers, 0 to 65535, int64 of the same shape.
            grains: the grain that each atom gets if it becomes another material, of the same shape.
        """
        entry = self._entries[self._entry_row_of(first), self._entry_row_of(second)]
        ages = first["age"], second["age"]
        heat = np.maximum(_heat_of(first), _heat_of(second))
        water = first["water"], second["water"]
        room = np.maximum(self._room_in(beside_first), self._room_in(beside_second))
        record = self._drawn(ENTRY.part(entry, "place"), heat, ages, draw, placing, water, room)
        acts = record["chance"] > 0
        wear = record["first_wear"], record["second_wear"]
        gone = _left_of(first, wear[0]) <= 0, _left_of(second, wear[1]) <= 0
        wears = (wear[0] > 0) | (wear[1] > 0)
        changes = []
        for side, name in enumerate(("first", "second")):
            done = np.where(wear[side] > 0, gone[side], ~wears | gone[1 - side])
            becomes = np.where(record[f"{name}_copies"] != 0, ages[1 - side], record[name])
            really = acts & done & (becomes != STAYS)
            keeps, notes = record[f"{name}_keeps"] != 0, record[f"{name}_notes"] != 0
            changes.append(_Change(really, becomes, keeps, notes, wear[side], record["heat"]))
        halved = np.where(_is_there(second, changes[1]), record["heat"] >> 1, record["heat"])
        changes[0].heat = np.where(_is_there(first, changes[0]), halved, 0)
        changes[1].heat = record["heat"] - changes[0].heat
        one = _changed(first, second, changes[0], grains[0], acts)
        two = _changed(second, first, changes[1], grains[1], acts)
        if self._by_mass:
            beside_first, beside_second = dict(beside_first), dict(beside_second)
            for side, (atoms, name) in enumerate(((one, "first"), (two, "second"))):
                done = np.where(wear[side] > 0, gone[side], ~wears | gone[1 - side])
                near, far = (beside_second, beside_first) if side else (beside_first, beside_second)
                self._change_water(atoms, near, far, np.where(acts & done, record[f"{name}_water"], 0))
        return record, one, two, beside_first, beside_second

    def _room_in(self, atoms: Fields) -> np.ndarray:
        """The units of mass for which cells have room, 0 with an atom and outside the world."""
        return np.where(atoms["material"] == 0, MASS_LIMIT - atoms["water"], 0)

    def _change_water(self, atoms: Fields, near: Fields, far: Fields, units: np.ndarray) -> None:
        """Change the water of cells after a reaction, and count it; what a new atom leaves goes to another cell.

        Water that is used up takes its share of the heat along, and new water is as warm as the air.
        """
        self.mass += Ledger(made=int(units[units > 0].sum()), used=-int(units[units < 0].sum()))
        water, heat = atoms["water"] + units, atoms["water_heat"]
        heat = heat - np.where(units < 0, heat_along(heat, atoms["water"], -units), 0)
        becomes = (atoms["material"] != 0) & (atoms["material"] < self._count)
        atoms["water_heat"], given = np.where(becomes, 0, heat), np.where(becomes, heat, 0)
        rest = np.where(becomes, water, 0)
        atoms["water"] = water - rest
        is_near = rest <= self._room_in(near)
        near["water"] = near["water"] + np.where(is_near, rest, 0)
        far["water"] = far["water"] + np.where(is_near, 0, rest)
        near["water_heat"] = near["water_heat"] + _that_fits(near, np.where(is_near, given, 0))
        far["water_heat"] = far["water_heat"] + _that_fits(far, np.where(is_near, 0, given))

    def aged(self, atoms: Fields, tick: int, draw: np.ndarray, grain: np.ndarray) -> Fields:
        """Let atoms age by a tick and react alone. Returns the atoms after it.

        Args:
            atoms: int64 arrays of any shape.
            tick: the tick.
            draw: random numbers, 0 to 65535, int64 of the same shape.
            grain: the grain that an atom gets if it becomes another material, of the same shape.
        """
        entry = self._entries[atoms["material"], self._count + ALONE]
        stride = ENTRY.part(entry, "stride").astype(np.int64)
        ages = (ENTRY.part(entry, "ages") != 0) & ((tick & 0xFFFFFFFF & ((1 << stride) - 1)) == 0)
        atoms = atoms | {"age": np.minimum(atoms["age"] + ages, 255)}
        nothing = np.zeros_like(atoms["age"])
        record = self._drawn(ENTRY.part(entry, "place"), _heat_of(atoms), (atoms["age"], nothing), draw)
        acts, wear = record["chance"] > 0, record["first_wear"]
        goes = acts & (record["first"] != STAYS) & ((wear == 0) | (_left_of(atoms, wear) <= 0))
        change = _Change(goes, record["first"], record["first_keeps"] != 0, nothing != 0, wear, record["heat"])
        return _changed(atoms, atoms, change, grain, acts)


def _that_fits(atoms: Fields, heat: np.ndarray) -> np.ndarray:
    """The part of some heat that the water of cells can take."""
    room = WATER_HEAT_LIMIT - np.abs(atoms["water_heat"])
    return np.clip(heat, -room, room)


def _heat_of(atoms: Fields) -> np.ndarray:
    return np.where(atoms["material"] == 0, TEMPERATURE_LEAST, atoms["temperature"])


def _left_of(atoms: Fields, wear: np.ndarray) -> np.ndarray:
    """The integrity, in 256ths, that remains of atoms after wear; an integrity of 0 stands for 256."""
    return (atoms["integrity"] + 255 & 255) + 1 - wear


def _is_there(atoms: Fields, change: _Change) -> np.ndarray:
    return np.where(change.really, change.material, atoms["material"]) != 0


def _changed(atoms: Fields, other: Fields, change: _Change, grain: np.ndarray, where: np.ndarray) -> Fields:
    """Apply a change to atoms in the cells ``where``; other cells stay the same."""
    new = change.really & (change.material != atoms["material"])
    there = np.where(new, change.material, atoms["material"]) != 0
    keeps = ~new | change.keeps
    heat = np.where(atoms["material"] == 0, other["temperature"], atoms["temperature"]) + change.heat
    after = {
        "material": np.where(new, change.material, atoms["material"]),
        "across": np.where(there & keeps, atoms["across"], 0),
        "along": np.where(there & keeps, atoms["along"], 0),
        "grain": np.where(new, grain, atoms["grain"]),
        "temperature": np.clip(heat, TEMPERATURE_LEAST, TEMPERATURE_MOST),
        "integrity": np.where(new, 0, np.maximum(_left_of(atoms, change.wear), 1) & 255),  # wear alone removes no atom
        "age": np.where(new, 0, np.where(change.notes, other["material"], atoms["age"])),
    }
    after = {name: np.where(there, values, 0) for name, values in after.items()}
    return {name: np.where(where, after.get(name, values), values) for name, values in atoms.items()}
