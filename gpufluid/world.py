"""`World`: the one state type, on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Self

import numpy as np

from gpufluid.cell import FIELDS, MASS_LIMIT, SPEED_LIMIT, Plane, any_component, in_words, pack, planes_of
from gpufluid.digest import digest_text, header_lanes, plane_lanes
from gpufluid.emitters import Drain, Emitter, Port, is_whole
from gpufluid.errors import WorldError, did_you_mean, shown
from gpufluid.frame import in_frame
from gpufluid.hashing import pcg4d
from gpufluid.laws import (
    Edges,
    Gravity,
    check_edges,
    check_gravity,
    check_seed,
    check_whole,
    checked_rules,
    discords,
    resolved,
)
from gpufluid.ledger import AtomLedger, Ledger
from gpufluid.materials import Material, MaterialTable, State
from gpufluid.rules import RULES, Schedule, emitting_rule

SIZE_LIMIT = 1 << 16
"""No device holds a side longer than this; the device's own limit is checked where there is a device."""


class World:
    """The whole state of a world as named integer arrays, and the laws that it runs by.

    Arrays are [row, column], row 0 at the top. Only the fields that the rules need exist: ``material`` (uint8, a
    number of the material table) always; for ``flow`` also ``mass`` (int32, 2**20 units to a full cell); for
    ``atoms`` also ``velocity`` (int8, (height, width, 2), the x to the right and the y down in 16ths of a cell a
    tick) and ``grain`` (uint8, an atom's own random byte). Read them and write into them; `validate` says whether
    the result can run.

    Args:
        height, width: in cells.
        rules: the names of the rules that act.
        edges: what lies outside: ``closed``, ``open`` or ``wrap``.
        seed: of everything random, 0 to 2**32 - 1.
        parameters: by rule and name; what is not given has its default.
        emitters, drains: what enters and leaves.
        tick: how many ticks have passed.
        materials: the material table.
        gravity: where matter falls to: ``down``, ``up``, ``left``, ``right``, or ``off``.
    Raises: WorldError: a size, rule, parameter or port that cannot be.
    """

    def __init__(
        self,
        height: int,
        width: int,
        rules: Sequence[str] = ("flow",),
        edges: Edges = "closed",
        seed: int = 0,
        parameters: Mapping[str, Mapping[str, object]] | None = None,
        emitters: Sequence[Emitter] = (),
        drains: Sequence[Drain] = (),
        tick: int = 0,
        materials: MaterialTable | None = None,
        gravity: Gravity = "down",
    ) -> None:
        check_whole("height", height, 1, SIZE_LIMIT)
        check_whole("width", width, 1, SIZE_LIMIT)
        self.height, self.width = int(height), int(width)
        self.rules = checked_rules(rules)
        self.edges: Edges = edges
        self.gravity: Gravity = gravity
        self.seed, self.tick = seed, tick
        self._check_laws()
        self.seed, self.tick = int(seed), int(tick)
        self.parameters = resolved(self.rules, parameters or {})
        self.emitters = (emitters,) if isinstance(emitters, Emitter) else tuple(emitters)
        self.drains = (drains,) if isinstance(drains, Drain) else tuple(drains)
        self.materials = materials or MaterialTable()
        for rule in self.rules:
            for name in RULES[rule].holds:
                if name not in self.materials:
                    raise WorldError("materials", f"rule {rule} holds {name!r}, which is not in the table")
        self.scratch: dict[str, np.ndarray] = {}  # what a pass of the oracle leaves for another; no part of the state
        self.ledger, self.atoms = Ledger(), AtomLedger()
        fields = [FIELDS[name] for name in dict.fromkeys(name for rule in self.rules for name in RULES[rule].fields)]
        self._arrays = {field.name: np.zeros(field.shape(self.height, self.width), field.dtype) for field in fields}
        self._check_ports()

    def __getitem__(self, name: str) -> np.ndarray:
        """The array of a field: (height, width) or, for ``velocity``, (height, width, 2); to be read and written."""
        try:
            return self._arrays[name]
        except KeyError:
            hint = did_you_mean(name, self._arrays)
            raise WorldError(name, f"a world with rules {list(self.rules)} has no such field{hint}") from None

    def __setitem__(self, name: str, values: object) -> None:
        """Copy values into a field; they must fit its type and broadcast to its shape."""
        array = self[name]
        given = np.asarray(values)
        limits = np.iinfo(array.dtype)
        wanted = f"expected whole numbers from {limits.min} to {limits.max}"
        if given.dtype.kind not in "iu":
            raise WorldError(name, f"{given.dtype}; {wanted}")
        for extreme in (given.min(), given.max()) if given.size else ():
            if not limits.min <= extreme <= limits.max:
                raise WorldError(name, f"{extreme}; {wanted}")
        try:
            array[...] = given
        except ValueError:
            raise WorldError(name, f"shape {given.shape} does not fit {array.shape}") from None

    def __repr__(self) -> str:
        return f"<World {self.width}x{self.height} {'+'.join(self.rules)} {self.edges} tick {self.tick}>"

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the arrays that this world has."""
        return tuple(self._arrays)

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The textures that hold these arrays on a device, in the order in which a digest takes them."""
        return planes_of(self._arrays)

    @property
    def solid(self) -> np.ndarray:
        """(height, width) bool: the walls."""
        return self.materials.solid[self["material"]]

    def total(self, name: str = "mass") -> int:
        """The exact sum of a field over the world, in its units; of velocity, both components together."""
        return int(self[name].sum(dtype=np.int64))

    def census(self) -> dict[str, int]:
        """The number of atoms of each material that there are any of: cells whose material a rule moves."""
        counts = np.bincount(self["material"].ravel(), minlength=len(self.materials)).tolist()
        records = enumerate(self.materials)
        return {record.name: counts[number] for number, record in records if counts[number] and self._moves(record)}

    def draw_grain(self) -> None:
        """Give every atom a grain, drawn by its place and the world's seed, as a scene does when it is drawn.

        The grain is an atom's shade, and how rough it is: without it all atoms are alike.
        """
        if "grain" not in self._arrays:
            return
        grain = in_frame(self["grain"], self.gravity)
        height, width = grain.shape
        drawn = pcg4d(np.arange(width)[None, :], np.arange(height)[:, None], self.seed, 0xFFFFFFFD)[0] >> np.uint32(24)
        grain[...] = np.where(in_frame(self._movable, self.gravity), drawn, 0)

    @property
    def _movable(self) -> np.ndarray:
        """(height, width) bool: the cells that hold an atom which a rule moves."""
        moved = np.zeros(256, bool)
        moved[: len(self.materials)] = [self._moves(record) for record in self.materials]
        return moved[self["material"]]

    def fixed(self, rule: str) -> dict[str, int]:
        """The integer constants that a rule's passes compute with in this world."""
        return RULES[rule].fixed(self.parameters[rule])

    def tables(self, rule: str) -> Mapping[str, Sequence[int]]:
        """The arrays of integers that a rule's passes compute with in this world."""
        return RULES[rule].tables(self.fixed(rule), self.materials, self.gravity != "off")

    def can_hold(self, material: str) -> bool:
        """Whether a cell's material may be this one: a solid, or matter that one of the rules moves."""
        record = self.materials.records[self.materials[material]]
        return record.state in (State.EMPTY, State.SOLID) or self._moves(record)

    def _moves(self, material: Material) -> bool:
        return any(material.state in RULES[rule].moves for rule in self.rules)

    def schedule(self) -> Schedule:
        """What each tick of this world runs."""
        return Schedule(self.rules, self.parameters, self.emitters, self.drains, self.materials)

    def blank(self) -> Self:
        """A world of the same size, laws, tick and ledgers, its arrays all 0."""
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        other.scratch = {}
        other._arrays = {name: np.zeros_like(array) for name, array in self._arrays.items()}
        return other

    def copy(self) -> Self:
        """An independent world of the same state."""
        other = self.blank()
        for name, array in self._arrays.items():
            other[name][...] = array
        other.scratch = {name: array.copy() for name, array in self.scratch.items()}
        return other

    def digest(self) -> str:
        """32 hex digits that stand for the state: size, tick, seed and every cell of every plane.

        A sum of hashes modulo 2**32 in four lanes, so that it can be taken in any order and on any device.
        """
        lanes = header_lanes(self.width, self.height, self.tick, self.seed)
        for plane in self.planes:
            lanes += plane_lanes(pack(plane, self._arrays), plane.number)
        return digest_text(lanes)

    def validate(self) -> None:
        """Say whether it can run as it is now: its laws, its emitters and drains, its ledgers, every cell.

        Raises: WorldError: names the field, the cell and what was expected.
        """
        self._check_laws()
        self.parameters = resolved(self.rules, self.parameters)
        self._check_ports()
        self._check_ledgers()
        self._check_materials()
        if "mass" in self._arrays:
            mass = self["mass"]
            self._refuse((mass < 0) | (mass > MASS_LIMIT), "mass", f"; expected 0 to {MASS_LIMIT} units")
            self._refuse((mass != 0) & self.solid, "mass", "; expected 0 units in a solid cell")
        if "velocity" in self._arrays:
            moving, empty = any_component(self["velocity"] != 0), self["material"] == 0
            fast = any_component((self["velocity"] > SPEED_LIMIT) | (self["velocity"] < -SPEED_LIMIT))
            self._refuse(fast, "velocity", f"; expected -{SPEED_LIMIT} to {SPEED_LIMIT}")
            self._refuse(moving & self.solid, "velocity", "; expected (0, 0) in a solid cell")
            self._refuse(moving & empty, "velocity", "; expected (0, 0) in an empty cell")
            self._refuse((self["grain"] != 0) & empty, "grain", "; expected 0 in an empty cell")

    def _check_laws(self) -> None:
        """The laws that can be set after a world was made."""
        check_edges(self.edges)
        check_gravity(self.gravity)
        check_seed(self.seed)
        check_whole("tick", self.tick, 0, 2**63 - 1)
        for problem in discords(self.rules, self.edges, self.gravity, self.height, self.width):
            raise problem

    def _check_ledgers(self) -> None:
        if not isinstance(self.atoms, AtomLedger):
            raise WorldError("atoms", f"{shown(self.atoms)}; expected gpufluid.AtomLedger(...)")
        for name in self.atoms:
            if name not in self.materials:
                raise WorldError("atoms", f"counts {shown(name)}, which is not in the material table")
        ledgers = {"ledger": self.ledger} | {f"atoms[{name!r}]": ledger for name, ledger in self.atoms.items()}
        for kind, ledger in ledgers.items():
            for name, units in asdict(ledger).items():
                check_whole(f"{kind}.{name}", units, 0, 2**63 - 1)

    def _check_materials(self) -> None:
        material = self["material"]
        self._refuse(material >= len(self.materials), "material", f"; expected 0 to {len(self.materials) - 1}")
        for number, record in enumerate(self.materials):
            if not self.can_hold(record.name):
                held = "".join(
                    f"; rule {rule} holds it in field {RULES[rule].holds[record.name]!r}"
                    for rule in self.rules
                    if record.name in RULES[rule].holds
                )
                self._refuse(material == number, "material", f" ({record.name}): no rule of this world moves it{held}")

    @staticmethod
    def check_ticks(ticks: object) -> None:
        """Raise WorldError unless it is a number of ticks that can be run."""
        if not is_whole(ticks) or ticks < 0:  # pyright: ignore[reportOperatorIssue]
            raise WorldError("ticks", f"{shown(ticks)}; expected a whole number from 0 on")

    def _refuse(self, wrong: np.ndarray, name: str, reason: str) -> None:
        if wrong.any():
            row, column = (int(i) for i in np.argwhere(wrong)[0])
            raise WorldError(f"{name}[{row}, {column}]", f"{in_words(self[name][row, column])}{reason}")

    def _check_ports(self) -> None:
        for kind, made, ports in (("emitter", Emitter, self.emitters), ("drain", Drain, self.drains)):
            for number, port in enumerate(ports):
                if not isinstance(port, made):
                    raise WorldError(f"{kind}[{number}]", f"{shown(port)}; expected gpufluid.{made.__name__}(...)")
                for problem in self.port_problems(port):
                    raise WorldError(f"{kind}[{number}].{problem.field}", problem.message)

    def port_problems(self, port: Port) -> list[WorldError]:
        """All that keeps an emitter or drain from acting in this world; each names its field."""
        problems = port.problems(self.width, self.height)
        if isinstance(port, Emitter):
            emitted = [record.name for record in self.materials if emitting_rule(self.rules, record)]
            if port.material not in self.materials:
                hint = did_you_mean(str(port.material), [record.name for record in self.materials])
                problems.append(WorldError("material", f"unknown material {port.material!r}{hint}"))
            elif port.material not in emitted:
                hint = did_you_mean("", emitted)
                problems.append(WorldError("material", f"no rule of this world emits {port.material!r}{hint}"))
        return problems
