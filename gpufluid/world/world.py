"""`World`: the state of a simulation, on the host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self, TypeVar

import numpy as np

from gpufluid.core.digest import digest_text, header_lanes, plane_lanes
from gpufluid.core.errors import UnknownFieldError, WorldError, did_you_mean, shown
from gpufluid.core.fields import (
    COUNT_LIMIT,
    FIELDS,
    FULL,
    PLANES,
    TEMPERATURE_ONE,
    Plane,
    carried_planes,
    planes_of,
)
from gpufluid.core.packing import pack
from gpufluid.matter.materials import SHIPPED_TABLE, MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.matter.ports import Drain, Emitter, Port
from gpufluid.matter.reactions import ReactionTable
from gpufluid.rules import RULES, Laws, Schedule, Value, default_rules
from gpufluid.world import in_notebooks
from gpufluid.world.cell_array import CellArray, check_values
from gpufluid.world.domain import Domain, check_domain
from gpufluid.world.footprint import check_room, fields_of, no_room
from gpufluid.world.laws import Edges, Gravity, can_hold, check_whole, laws_of, rechecked
from gpufluid.world.ledger import AmountLedger, AnyLedger, AtomLedger, HeatLedger, Ledger, check_ledgers, no_ledgers
from gpufluid.world.ledger_views import LedgerView
from gpufluid.world.limits import check_step
from gpufluid.world.new_atoms import complete, draw_bytes, mark_not_set, new_value, new_values
from gpufluid.world.statistics import Statistics, census_of, contents_text, layer_sums, statistics_of
from gpufluid.world.validation import check_cells, check_ports, port_problems

_Port = TypeVar("_Port", Emitter, Drain)


def _shape_of(laws: Laws) -> tuple[object, ...]:
    """The laws that determine the shapes of a world's arrays."""
    return laws.height, laws.width, laws.rules, laws.mixture.names


class World:
    """The whole state of a world as named integer arrays, and its laws.

    Arrays are [row, column], row 0 at the top. A world has only the fields that its rules need:

    - ``material``, always: (height, width) uint8, a number of the material table;
    - ``mass``, for rule ``flow``: (height, width) int32, 2**20 units are a full cell;
    - ``velocity``, for ``atoms``: (height, width, 2) int8, x to the right and y down, 1/16 cell a tick; see
      `gpufluid.velocity`;
    - ``grain``, for ``atoms``: (height, width) uint8, a random byte of each atom;
    - ``temperature``, for ``heat``: (height, width) int16, 1/8 degree C; `NOT_SET` in cells without an atom, and in
      atoms for which nobody set one: they have that of a new atom;
    - ``integrity`` and ``age``, for ``heat``: (height, width) uint8;
    - ``mixture``, for ``mixture``: (constituents, height, width) int32, 2**20 units are a full cell.

    The arrays can be read and written. Writing anything but whole numbers of the array's type raises WorldError, and
    `validate` checks the result. Worlds are compared by content, and can be copied and pickled. The ledgers count what
    enters and leaves: ``ledger`` in units of mass, ``atoms`` in atoms of each material, ``heat`` in units of
    temperature, and ``amounts`` in units of each material of the mixture.

    Args:
        height, width: in cells.
        rules: the names of the world's rules; by default ``flow`` and ``inertia``, water by mass that keeps its
            momentum, or ``flow`` alone if ``parameters`` has some of ``flow`` and none of ``inertia``.
        edges: the edges of the world: ``closed``, ``open`` or ``wrap``.
        seed: the seed of all random numbers, 0 to 2**32 - 1.
        parameters: values by rule and name; the others take their defaults.
        emitters, drains: the ports, where matter enters and leaves.
        tick: the number of ticks that have run, 0 to 2**63 - 1. Random numbers depend on it modulo 2**32.
        materials: the material table.
        gravity: the direction in which matter falls: ``down``, ``up``, ``left``, ``right``, or ``off``.
        reactions: the reaction table of rule ``reactions``; by default all shipped reactions whose materials are in
            the material table.
        mixture: the mixture of rule ``mixture``; by default the shipped one, without constituents that are not in the
            material table.
        domain: the place of these cells in the whole world, if they are a piece of it; a piece has closed edges. By
            default they are the whole world.
        cells: False for a world of laws alone, such as one that is built in pieces: its arrays are all 0, take no
            memory and cannot be written.
    Raises: WorldError: an invalid size, rule, parameter, port or domain, or a world over the machine's free memory.
    """

    ledger = LedgerView(Ledger, "mass")
    """The ledger of mass, in units; all zeros in a world without mass."""

    atoms = LedgerView(AtomLedger, "atoms")
    """The ledger of atoms, a ledger for each material; mass is counted in `ledger`."""

    heat = LedgerView(HeatLedger, "heat")
    """The ledger of heat, in units of temperature; all zeros in a world without temperatures."""

    amounts = LedgerView(AmountLedger, "amounts")
    """The ledger of the mixture, a ledger in units for each material."""

    def __init__(
        self,
        height: int,
        width: int,
        rules: Sequence[str] | None = None,
        edges: Edges = "closed",
        seed: int = 0,
        parameters: Mapping[str, Mapping[str, object]] | None = None,
        emitters: Sequence[Emitter] = (),
        drains: Sequence[Drain] = (),
        tick: int = 0,
        materials: MaterialTable | None = None,
        gravity: Gravity = "down",
        reactions: ReactionTable | None = None,
        mixture: MixtureTable | None = None,
        domain: Domain | None = None,
        cells: bool = True,
    ) -> None:
        table = SHIPPED_TABLE if materials is None else materials
        size = height, width
        if rules is None:
            rules = default_rules(parameters if isinstance(parameters, Mapping) else {})
        self._laws = laws_of(*size, rules, edges, gravity, seed, parameters or {}, table, reactions, mixture)
        self._domain = Domain.whole(self.width, self.height) if domain is None else domain
        check_domain(self._domain, self.width, self.height, self.edges)
        check_whole("tick", tick, 0, COUNT_LIMIT)
        self.tick = int(tick)
        self._emitters = (emitters,) if isinstance(emitters, Emitter) else _several("emitters", emitters)
        self._drains = (drains,) if isinstance(drains, Drain) else _several("drains", drains)
        self._check_ports(self._laws, self._emitters, self._drains)
        self.scratch: dict[str, np.ndarray] = {}  # arrays that oracle passes leave for others; no part of the state
        self.ledgers: dict[str, AnyLedger] = no_ledgers()  # by quantity
        self._has_cells = cells
        if cells:
            self.check_room()
        self._arrays = self._zeros()
        self._open = False  # whether cells without an atom are marked as not set; see `world.new_atoms`
        self._arrays_given_out = False  # then a caller may write into an array at any time, unnoticed
        self._cells_checked = False  # since the last change of laws or cells that was noticed

    def _zeros(self) -> dict[str, np.ndarray]:
        """Arrays of 0 for all fields. Raises ShortageError: the system does not give the memory."""
        fields = [FIELDS[name] for name in fields_of(self.rules)]
        shape = self.height, self.width, len(self.mixture)
        if not self._has_cells:
            return {field.name: np.broadcast_to(np.zeros((), field.dtype), field.shape(*shape)) for field in fields}
        try:
            return {field.name: np.zeros(field.shape(*shape), field.dtype) for field in fields}
        except MemoryError:  # the system does not say how much is free, or other programs were faster
            raise no_room(self.rules, self.width, self.height, len(self.mixture)) from None

    def check_room(self) -> None:
        """Raise ShortageError, which is a WorldError, if the arrays of such a world do not fit into the free memory."""
        check_room(self.rules, self.width, self.height, len(self.mixture))

    @property
    def laws(self) -> Laws:
        """The laws of the world. Other laws can be set, and are checked.

        Setting raises WorldError: an invalid law, or laws that do not fit the arrays, the domain or a port.
        """
        return self._laws

    @laws.setter
    def laws(self, laws: Laws) -> None:
        checked = rechecked(laws)
        if _shape_of(checked) != _shape_of(self._laws):
            raise WorldError("laws", "have another size, rules or mixture than this world; make a new world for them")
        check_domain(self._domain, checked.width, checked.height, checked.edges)
        self._check_ports(checked, self._emitters, self._drains)
        self._laws, self._cells_checked = checked, False

    @property
    def domain(self) -> Domain:
        """The place of these cells in the whole world; can be set. Setting raises WorldError: see `check_domain`."""
        return self._domain

    @domain.setter
    def domain(self, domain: Domain) -> None:
        check_domain(domain, self.width, self.height, self.edges)
        self._domain = domain

    @property
    def emitters(self) -> tuple[Emitter, ...]:
        """The emitters; can be set. Setting raises WorldError: an emitter that cannot act in this world."""
        return self._emitters

    @emitters.setter
    def emitters(self, emitters: Sequence[Emitter]) -> None:
        self.replace_ports(emitters, self._drains)

    @property
    def drains(self) -> tuple[Drain, ...]:
        """The drains; can be set. Setting raises WorldError: a drain that cannot act in this world."""
        return self._drains

    @drains.setter
    def drains(self, drains: Sequence[Drain]) -> None:
        self.replace_ports(self._emitters, drains)

    def replace_ports(self, emitters: Sequence[Emitter], drains: Sequence[Drain]) -> None:
        """Set emitters and drains. Raises WorldError: one that cannot act in this world; then nothing is set."""
        ports, present = (_several("emitters", emitters), _several("drains", drains)), (self._emitters, self._drains)
        # the same tuple as before has been checked
        unchecked = [() if new is old else new for new, old in zip(ports, present, strict=True)]
        if self._domain.halo is None:  # ports of a whole world reach beyond its parts
            self._check_ports(self._laws, *unchecked)
        self._emitters, self._drains = ports

    @property
    def height(self) -> int:
        """Rows of cells."""
        return self.laws.height

    @property
    def width(self) -> int:
        """Columns of cells."""
        return self.laws.width

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the world's rules."""
        return self.laws.rules

    @property
    def edges(self) -> Edges:
        """The edges of the world: ``closed``, ``open`` or ``wrap``; can be set."""
        return self.laws.edges

    @edges.setter
    def edges(self, edges: Edges) -> None:
        self.laws = replace(self.laws, edges=edges)

    @property
    def gravity(self) -> Gravity:
        """The direction in which matter falls; can be set."""
        return self.laws.gravity

    @gravity.setter
    def gravity(self, gravity: Gravity) -> None:
        self.laws = replace(self.laws, gravity=gravity)

    @property
    def seed(self) -> int:
        """The seed of all random numbers; can be set."""
        return self.laws.seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self.laws = replace(self.laws, seed=seed)

    @property
    def parameters(self) -> Mapping[str, Mapping[str, Value]]:
        """All parameters by rule and name. Can be set; parameters that are not named then take their defaults."""
        return self.laws.parameters

    @parameters.setter
    def parameters(self, parameters: Mapping[str, Mapping[str, object]]) -> None:
        self.laws = replace(self.laws, parameters=parameters)

    @property
    def materials(self) -> MaterialTable:
        """The material table; can be set."""
        return self.laws.materials

    @materials.setter
    def materials(self, materials: MaterialTable) -> None:
        self.laws = replace(self.laws, materials=materials)

    @property
    def reactions(self) -> ReactionTable:
        """The reaction table."""
        return self.laws.reactions

    @property
    def mixture(self) -> MixtureTable:
        """The constituents and conversions of the mixture; empty in a world without one."""
        return self.laws.mixture

    @property
    def exclusive(self) -> bool:
        """True if all materials of the mixture together fill at most one cell."""
        return self.laws.exclusive

    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a field, to read and write: (height, width) or with more axes, of the field's type.

        In field ``temperature`` cells without an atom are `NOT_SET`; so are atoms, until a temperature is written. Such
        an atom has the temperature of a new atom of its material.

        Raises: UnknownFieldError, which is a KeyError: the world has no such field.
        """
        array = self._array(name)
        self._open_arrays()
        self._arrays_given_out = True
        return CellArray.of(name, array)

    def __contains__(self, name: object) -> bool:
        """True if the world has a field of this name."""
        return name in self._arrays

    def __iter__(self) -> Iterator[str]:
        """The names of the fields of this world; `fields` has them too."""
        return iter(self.fields)

    def _check_has_cells(self, name: str) -> None:
        """Raise WorldError, for a field that is to be written, if the world has no cells."""
        if not self._has_cells:
            raise WorldError(name, "this world has laws but no cells; expected one made with cells=True")

    def _open_arrays(self) -> None:
        """Mark cells without an atom as not set; see `world.new_atoms`."""
        if not self._open and self._has_cells:
            mark_not_set(self._arrays)
            self._open = True

    def own_array(self, name: str) -> np.ndarray:
        """The complete array of a field, for gpufluid's own functions, which keep it complete; see `world.new_atoms`.

        Returns: (height, width) or with more axes, of the field's type. It is complete until the next ``world[...]``.
        Raises: UnknownFieldError: the world has no such field.
        """
        array = self._array(name)
        if self._open:
            for each, values in self.complete_arrays().items():
                if values is not self._arrays[each]:
                    self._arrays[each][...] = values
            self._open = False
        self._cells_checked = False
        return array

    def fill(self, name: str, write: Callable[[np.ndarray], object]) -> None:
        """Let a function write the complete array of a field: (height, width) or with more axes, of the field's type.

        The function must not keep the array: `validate` then has to check the cells only once.
        """
        write(self.own_array(name))

    @contextmanager
    def completed(self) -> Iterator[None]:
        """Keep the arrays complete for a function that changes them in place, and then as users get them again."""
        was_open = self._open
        self.own_array("material")
        try:
            yield
        finally:
            if was_open:
                self._open_arrays()

    def complete_arrays(self) -> dict[str, np.ndarray]:
        """All fields by name, each (height, width) or with more axes, of the field's type, to be read only.

        Each atom has a temperature, and cells without an atom have 0, as on a device; see `world.new_atoms`.
        """
        return complete(self._arrays, self._laws) if self._open else dict(self._arrays)

    def _array(self, name: str) -> np.ndarray:
        try:
            return self._arrays[name]
        except KeyError:
            hint = did_you_mean(str(name), self._arrays)
            message = f"a world with rules {list(self.rules)} has no such field{hint}"
            raise UnknownFieldError(str(name), message) from None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields of this world."""
        return tuple(self._arrays)

    @property
    def has_cells(self) -> bool:
        """False for a world of laws alone, whose arrays are all 0 and cannot be written."""
        return self._has_cells

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self._arrays.values())

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The planes that hold the fields on a device, in their order in digests."""
        return planes_of(self._arrays)

    @property
    def solid(self) -> np.ndarray:
        """(height, width) bool: the cells whose material is solid."""
        return self.materials.solid[self._arrays["material"]]

    @property
    def obstacles(self) -> np.ndarray:
        """(height, width) bool: the cells that no amount of matter can enter; see `Laws.obstacles`."""
        return self._laws.obstacles(self._arrays["material"])

    def total(self, name: str = "mass") -> int:
        """The exact sum of all values of a field, in its units; for velocity the sum of both components.

        Raises: WorldError: the world has no such field.
        """
        if name == "mass" and name not in self._arrays:
            raise UnknownFieldError(name, "total() counts mass; for atoms see census()")
        self._array(name)
        return int(self.complete_arrays()[name].sum(dtype=np.int64))

    @property
    def has_amounts(self) -> bool:
        """True if one of the rules stores matter as amounts: as mass, or as a mixture."""
        return any(RULES[rule].held(self.mixture.names) for rule in self.rules)

    def contents(self) -> dict[str, int]:
        """The units of each material of the mixture, by name; empty in a world without one."""
        return layer_sums(self._arrays["mixture"], self.mixture) if "mixture" in self.fields else {}

    def census(self) -> dict[str, int]:
        """The number of atoms of each material, solids too, by name; materials without atoms are left out."""
        return census_of(self._arrays["material"], self.materials)

    def degrees(self) -> np.ndarray:
        """The temperatures in degrees C, (height, width) float64; NaN in cells without an atom.

        Raises: UnknownFieldError: a world without temperatures.
        """
        self._array("temperature")
        arrays = self.complete_arrays()
        return np.where(arrays["material"] == 0, np.nan, arrays["temperature"] / TEMPERATURE_ONE)

    def heat_held(self) -> int:
        """The exact heat of all atoms, latent heat included, in units of temperature.

        An atom at 0 degrees C has heat 0, a colder one less. Raises: WorldError: a world without temperatures.
        """
        if "temperature" not in self._arrays:
            message = f"a world with rules {list(self.rules)} has no heat; see rule heat"
            raise UnknownFieldError("temperature", message)
        return self.statistics().heat

    def statistics(self) -> Statistics:
        """The exact sums of the world; equal to those that `Simulation.statistics` computes on the device."""
        return statistics_of(self.tick, self.complete_arrays(), self.materials, self.mixture)

    def digest(self) -> str:
        """The digest of the state, 32 hex digits: of the size, tick, seed and every cell of every plane.

        The digest is four sums of hashes, each modulo 2**32, so it does not depend on the order of the additions.
        """
        return self.digest_of(self.digest_lanes(self.complete_arrays()))

    def digest_lanes(self, fields: Mapping[str, np.ndarray], at: tuple[int, int] = (0, 0)) -> np.ndarray:
        """The part of a digest that stands for the cells of a rectangle of this world.

        Args:
            fields: the complete fields of the cells by name, each (height, width) or with more axes, of the field's
                type.
            at: (column, row) of the top left cell in this world.
        Returns: (4,) uint32; the parts of several rectangles are added up, modulo 2**32.
        """
        lanes, rows = np.zeros(4, np.uint32), fields["material"].shape[0]
        for plane in self.planes:
            words = pack(plane, fields)
            for layer, top in enumerate(range(0, len(words), rows)):  # layers lie one below the other
                place = at[0], at[1] + layer * self.height
                lanes += plane_lanes(words[top : top + rows], plane.number, place)
        return lanes

    def digest_of(self, lanes: np.ndarray) -> str:
        """The digest of the state, 32 hex digits.

        Args:
            lanes: the sum of the `digest_lanes` of all cells, (4,) uint32.
        """
        return digest_text(header_lanes(self.width, self.height, self.tick, self.seed) + lanes)

    def __setitem__(self, name: str, values: object) -> None:
        """Copy values into a field; they must fit its type and broadcast to its shape.

        Raises: UnknownFieldError: the world has no such field. WorldError: values that do not fit.
        """
        array = self._array(name)
        self._check_has_cells(name)
        given = check_values(name, array.dtype, values)
        self._open_arrays()
        self._cells_checked = False
        try:
            array[...] = given
        except ValueError:
            raise WorldError(name, f"shape {given.shape} does not fit {array.shape}") from None

    def _repr_png_(self) -> bytes | None:
        """The whole world at a scale that fits in a page, the content of a PNG file; None if it cannot be drawn."""
        return in_notebooks.picture_of(self)

    def _repr_html_(self) -> str:
        """The laws of the world, its picture and a table, for a notebook; of an invalid world the reason."""
        return in_notebooks.panel_of(self)

    def __repr__(self) -> str:
        laws, held = self._laws, contents_text(self._arrays, self._laws)
        rules = "+".join(laws.rules)
        return f"<World {laws.width}x{laws.height} {rules} {laws.edges} tick {self.tick}: {held}>"

    def __eq__(self, other: object) -> bool:
        """True if another world has the same content: laws, domain, ports, tick, ledgers and the complete arrays."""
        if not isinstance(other, World):
            return NotImplemented
        if not self.same_laws(other) or (self.tick, self.ledgers) != (other.tick, other.ledgers):
            return False
        if (self._emitters, self._drains) != (other._emitters, other._drains):
            return False
        theirs = other.complete_arrays()
        return all(np.array_equal(array, theirs[name]) for name, array in self.complete_arrays().items())

    __hash__ = None  # pyright: ignore[reportAssignmentType] a world can change

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "scratch": {}, "_arrays_given_out": False, "_cells_checked": False}
        return state if self._has_cells else {**state, "_arrays": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled world. Raises WorldError: laws that this gpufluid does not have, such as a rule."""
        self.__dict__.update(state)
        self._laws = rechecked(self._laws)
        if not self._has_cells:
            self._arrays = self._zeros()

    def new_atom(self, material: str, degrees: float | None = None) -> dict[str, int]:
        """The values of a new atom, by field. Fields that declare no such value are left out; the atom has 0 in them.

        Args:
            material: the name of its material.
            degrees: its temperature in degrees C; None: as the field declares.
        """
        number = self.materials[material]
        fields = [FIELDS[name] for name in self.fields if FIELDS[name].fresh is not None and number]
        return {field.name: new_value(self._laws, field, number, degrees) for field in fields}

    def new_amount(self, degrees: float | None = None, material: str = "water") -> dict[str, int]:
        """The values of a full cell of new water by mass, or of a new part of a mixture, by field.

        The other fields are 0 there.

        Args:
            degrees: its temperature in degrees C; None: of a part of a mixture that of its material, else of the air.
            material: its material.
        """
        if degrees is None and material in self.mixture.names:
            degrees = self.materials.records[self.materials[material]].temperature
        fields = [FIELDS[name] for name in self.fields if FIELDS[name].new_amount is not None]
        if degrees is None:
            return {field.name: 0 for field in fields}
        return {field.name: field.new_amount(self._laws, degrees) for field in fields if field.new_amount is not None}

    def new_atom_words(self, material: str, degrees: float | None = None) -> dict[str, int]:
        """The word of a new atom in each plane that atoms carry, by the plane's name; arguments as for `new_atom`."""
        values = self.new_atom(material, degrees)
        cell = {name: np.full((1, 1), values.get(name, 0), FIELDS[name].dtype) for name in self.fields}
        carried = carried_planes(plane.name for plane in self.planes)
        return {name: int(pack(PLANES[name], cell).item()) for name in carried}

    def draw_temperature(self) -> None:
        """Set each atom's temperature to that of a new atom of its material, and likewise all fields of `new_atom`.

        For worlds that were drawn cell by cell. Mixtures get the heat of their materials; see `draw_amounts`.
        """
        self._check_has_cells("temperature")
        self._open_arrays()
        self._cells_checked = False
        for name, array in self._arrays.items():
            field = FIELDS[name]
            if field.fresh is not None:
                values = new_values(self._laws, name)
                values[0] = values[0] if field.not_set is None else field.not_set
                array[...] = values[self._arrays["material"]]
        self.draw_amounts()

    def draw_amounts(self) -> None:
        """Give what each cell holds of a mixture the heat that its parts have as new matter, if mixtures have heat."""
        self._check_has_cells("mixture")
        self._cells_checked = False
        for name in self.new_amount() if len(self.mixture) else ():
            heat = np.zeros((self.height, self.width), np.int64)
            for layer, material in zip(self._arrays["mixture"], self.mixture.names, strict=True):
                heat += layer.astype(np.int64) * self.new_amount(material=material)[name] // FULL
            self._arrays[name][...] = np.clip(heat, *FIELDS[name].range)

    def draw_grain(self) -> None:
        """Draw the grain of each atom at random, from the seed and the atom's position in the whole world.

        The grain determines an atom's shade and roughness, so atoms whose grain is 0 all look and move alike. Every
        other field with `Field.drawn` is drawn too. Worlds of scenes have these bytes already.
        """
        self._check_has_cells("grain")
        self._cells_checked = False
        draw_bytes(self._arrays, self._laws, self._domain)

    def fixed(self, rule: str) -> Mapping[str, int]:
        """The integers that a rule's passes compute with in this world, by name; see `rules.constants_of`."""
        return self.laws.constants[rule]

    def tables(self, rule: str) -> Mapping[str, Sequence[int]]:
        """The integer tables that a rule's passes read in this world, by name, read-only; see `Numbers.tables`."""
        return self.laws.once(RULES[rule].numbers.tables)

    def lookups(self, rule: str) -> Mapping[str, np.ndarray]:
        """The lookup tables that a rule's passes read, by name: (rows, columns[, components]) uint32, read-only."""
        return self.laws.once(RULES[rule].numbers.lookups)

    def can_hold(self, material: str) -> bool:
        """True if cells of this world may have a material: empty, a solid, or matter that one of the rules moves."""
        return can_hold(self.rules, self.materials.records[self.materials[material]])

    def schedule(self, variants: Mapping[str, str] | None = None) -> Schedule:
        """The schedule of this world's ticks; ``variants`` gives the variant of some or all rules, by name."""
        halo = self.domain.halo
        across = halo is not None and halo[0] != (0, 0)
        return Schedule(self.laws, self.emitters, self.drains, variants or {}, halo is not None, across)

    def same_laws(self, other: World) -> bool:
        """True if another world has the same laws and domain. Its cells, tick, ledgers and ports may differ."""
        return self._laws == other.laws and self._domain == other.domain

    def blank(self) -> Self:
        """A world with the same laws, domain, ports, tick and ledgers, whose arrays are all 0 and can be written."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        other.scratch, other.ledgers, other._has_cells = {}, dict(self.ledgers), True
        other._arrays = other._zeros()
        other._open = other._arrays_given_out = other._cells_checked = False
        return other

    def copy(self) -> Self:
        """An independent copy. That of a world without cells has cells, all 0."""
        other = self.blank()
        for name, array in self._arrays.items():
            other._arrays[name][...] = array
        other._open = self._open
        other.scratch = {name: array.copy() for name, array in self.scratch.items()}
        return other

    def validate(self) -> None:
        """Check the tick, the ledgers and every cell. Afterwards the temperature of cells without an atom is not set.

        Laws, domain, emitters and drains were checked when they were set. The cells are not checked again if nothing
        can have changed them.

        Raises: WorldError: an invalid value; the message has the field, the cell, the value and what was expected.
        """
        check_whole("tick", self.tick, 0, COUNT_LIMIT)
        check_ledgers(self.ledgers, self.materials, self.mixture)
        if self._has_cells and (self._arrays_given_out or not self._cells_checked):
            check_cells(self._arrays, self._laws, completes=self._open)
            if self._open:
                mark_not_set(self._arrays)  # also cells for which a temperature of 0 was written, but no atom
            self._cells_checked = True

    def trust_cells(self) -> None:
        """Have `validate` pass over the cells, until they change: the caller has checked them by `check_cells`."""
        self._cells_checked = True

    @staticmethod
    def check_ticks(ticks: object) -> None:
        """Raise WorldError unless ``ticks`` is a whole number from 0 on, at most 2**63 - 1."""
        check_step(ticks, 0)

    @staticmethod
    def _check_ports(laws: Laws, emitters: Sequence[object], drains: Sequence[object]) -> None:
        size = laws.width, laws.height
        check_ports(emitters, drains, size, laws.rules, laws.materials, laws.mixture.names)

    def port_problems(self, port: Port) -> list[WorldError]:
        """The problems of an emitter or drain in this world, each with its field; empty: it can act."""
        return port_problems(port, (self.width, self.height), self.rules, self.materials, self.mixture.names)


def _several(field: str, given: Iterable[_Port]) -> tuple[_Port, ...]:
    """Given emitters or drains as a tuple. Raises WorldError: they are no list."""
    if not isinstance(given, Iterable):
        raise WorldError(field, f"{shown(given)}; expected a list")
    return tuple(given)
