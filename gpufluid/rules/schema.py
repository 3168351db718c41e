"""The words in which rules, passes, parameters and packed tables are declared. Data only: nothing here runs a world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from numbers import Integral, Real
from pathlib import Path
from typing import Literal

import numpy as np

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.fields import ATOM_PLANE, FULL, Declaration
from gpufluid.matter.materials import State
from gpufluid.rules.laws import Laws, Value


@dataclass(frozen=True, slots=True)
class Word:
    """What one word holds of each material.

    Args:
        parts: the columns from the lowest bits on, each with its number of bits; 32 in all at most.
        signed: those of them that may be negative.
    """

    parts: Mapping[str, int]
    signed: frozenset[str] = frozenset()

    def packed(self, columns: Mapping[str, Sequence[int]]) -> list[int]:
        """A word a material, from columns by name."""
        words, shift = [0] * len(next(iter(columns.values()))), 0
        for name, bits in self.parts.items():
            mask = (1 << bits) - 1
            words = [word | (part & mask) << shift for word, part in zip(words, columns[name], strict=True)]
            shift += bits
        return words

    def part(self, words: Sequence[int] | np.ndarray, name: str) -> np.ndarray:
        """One column of packed words, (materials,) int32; the inverse of `packed` for one name."""
        shift, bits = self._place(name)
        part = (np.asarray(words, np.int64) >> shift) & ((1 << bits) - 1)
        negative = (part >> (bits - 1)) & (name in self.signed)
        return (part - (negative << bits)).astype(np.int32)

    def glsl(self, table: str) -> str:
        """Two functions a column, for the table of this name.

        ``<column>_in(word)`` takes it from one of its words, ``<column>_of(material)`` looks the word up.
        Shifts and masks, because software OpenGL takes several times as long over ``bitfieldExtract``.
        """
        looked_up = (f"int {name}_of(int material) {{ return {name}_in({table}[material]); }}\n" for name in self.parts)
        return self.parts_glsl() + "".join(looked_up)

    def parts_glsl(self) -> str:
        """Only the first of the two: ``<column>_in(word)``."""
        lines = []
        for name in self.parts:
            shift, bits = self._place(name)
            if name in self.signed:
                found = f"int(word << {32 - shift - bits}) >> {32 - bits}"
            else:
                found = f"int(word >> {shift} & {(1 << bits) - 1:#x}u)"
            lines.append(f"int {name}_in(uint word) {{ return {found}; }}\n")
        return "".join(lines)

    def _place(self, name: str) -> tuple[int, int]:
        before = list(self.parts)[: list(self.parts).index(name)]
        return sum(self.parts[other] for other in before), self.parts[name]


Fault = tuple[np.ndarray, str, str]
"""Where cells are wrong, (height, width) bool, the field, and what follows the value that was found there."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number or word that a scene may set.

    Args:
        name: as in the scene's table of the rule.
        default: its value where nothing is said.
        about: one sentence, with the unit.
        low, high: the range of a number, both ends allowed.
        choices: the words allowed, in the order of their numbers in GLSL; empty for a number.
        whole: whether the number is an integer.
        switch: whether it is no number: true or false.
        one: the integer that stands for 1.0 of a number that is not; by default units of mass in a cell.
    """

    name: str
    default: Value
    about: str
    low: float = 0.0
    high: float = 0.0
    choices: tuple[str, ...] = ()
    whole: bool = False
    switch: bool = False
    one: int = FULL

    def check(self, value: object) -> Value:
        """The value, if it is one that this parameter can take.

        Raises: ValueError: a sentence that says what was expected.
        """
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise ValueError(f"{shown(value)} is not known{did_you_mean(str(value)[:60], self.choices)}")
            return value
        if self.switch:
            if not isinstance(value, bool):
                raise ValueError(f"{shown(value)} is neither; expected true or false")
            return value
        kind = "a whole number" if self.whole else "a number"
        wanted = f"expected {kind} from {self.low:g} to {self.high:g}"
        if isinstance(value, bool) or not isinstance(value, Integral if self.whole else Real):
            raise ValueError(f"{shown(value)} is not {kind}; {wanted}")
        number = int(value) if isinstance(value, Integral) else float(value)
        if not self.low <= number <= self.high:
            raise ValueError(f"{shown(value)} is out of range; {wanted}")
        return number

    def fixed(self, value: Value) -> int:
        """The value as the integer that passes compute with: fixed point, a count, or a choice's number."""
        if isinstance(value, str):
            return self.choices.index(value)
        return int(value) if self.whole or self.switch else round(value * self.one)


LINE_STRIP = 32
"""Cells of a column or row that one invocation owns, and that a word of scratch over columns sums up."""

PATCH = 4
"""Columns of a tile that one invocation owns."""

SEGMENT = 16
"""Cells of a row in which one thing is found."""

TRACE = "trace"
"""The plane of the cells in which atoms were when the tick began; atoms carry it, and it lies on the device only."""

MOVED = "rg32ui"
"""The format of the image in which each strip says what it moved: a count of 64 bits, the low word first."""


class Over(Enum):
    """What the invocations of a pass share out among them."""

    STRIPS = "strips of cells, one an invocation"
    CELLS = "one invocation a cell"
    PAIRS = "pairs of cells of a column: each invocation owns its pair"
    TRIPLES = "triples of cells of a row: each invocation owns its triple"
    BLOCKS = "2x2 blocks: each invocation owns its block"
    COLUMNS = "strips of a column of gravity's frame, one an invocation"
    ROWS = "strips of a row of gravity's frame, one an invocation"
    SEGMENTS = "segments of every other row of gravity's frame, one an invocation"
    WHOLE_COLUMNS = "columns of gravity's frame, one an invocation"
    WHOLE_ROWS = "rows of gravity's frame, one an invocation"
    BLOCK_COLUMNS = "columns of 2x2 blocks of gravity's frame, one an invocation"
    TILES = "tiles of gravity's frame, a row of one an invocation"
    PATCHES = "tiles of gravity's frame, some columns of one an invocation"
    EMITTERS = "the cells of one emitter: one dispatch an emitter that acts"
    DRAINS = "the cells of one drain: one dispatch a drain that acts"

    @property
    def serves_ports(self) -> bool:
        """Whether it is over the cells of emitters or drains, and not over those of the world."""
        return self in (Over.EMITTERS, Over.DRAINS)


@dataclass(frozen=True, slots=True)
class Scratch:
    """What one pass of a tick leaves on the device for another: a texel an invocation, no part of the state.

    Args:
        name: as passes name it, and its image in GLSL.
        over: it has a texel for each invocation of a pass over these.
        image: its GLSL image format.
    """

    name: str
    over: Over
    image: str = "r32ui"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A table of a world that passes look things up in and none changes.

    Args:
        name: as passes name it, and its image in GLSL.
        image: its GLSL image format.
    """

    name: str
    image: str


Reach = tuple[int, int] | None
"""How far from a cell a pass reads for what it makes of it: (columns, rows) of gravity's frame; None: `UNBOUNDED`."""

UNBOUNDED: Reach = None
"""The reach of a pass that scans a line or follows a body."""

OWN_CELLS: Reach = (0, 0)
"""The reach of a pass that reads nothing but the cells that it changes."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One dispatch of one shader, ``shaders/<rule>/<name>.comp``; its twin is ``oracle.<rule>.<name>``.

    Args:
        rule: the rule it belongs to.
        name: its name, in all places.
        over: what is shared out.
        reads: planes that it only reads, by the names of `cell.PLANES`.
        gathers: planes of which it reads the old state and writes every cell of the new one (ping-pong).
        updates: planes that it changes in place, each invocation its own cells.
        writes, takes: scratch that it fills, and that it uses.
        refines: scratch that it changes in place, also where another invocation does, by atomic operations whose order
            does not show in the end.
        looks_up: tables that it reads.
        counts: the ledger entries it adds to, by name.
        repeats: the whole-number parameter of the rule that says how often it runs in a tick. Passes that share it
            run by turns, and the rate of an emitter or drain is shared out among the substeps.
        times: how often it runs in a tick, if no parameter says it.
        measures: whether it also binds the image ``moved``, in which each strip says what it moved; over strips only.
        marks_active: whether it notes the tick in which it found anything that moves or could.
        activated_by: the name of the pass whose ``activate_<name>(tile)`` in ``shaders/<rule>/activate.glsl`` lists the
            tiles that are awake. The pass runs over those only; elsewhere it would change nothing. Empty: over all.
        layout: the file below ``shaders/<rule>/`` that shares the pass out among invocations, where there are several:
            ``cpu/lines`` for ``shaders/<rule>/cpu/lines.glsl``. Those of software variants alone lie in ``cpu/``.
        strip: (columns, rows) of the cells that an invocation owns, and
        group: invocations in a group, (x, y), of a way that wants others than suit the device.
        fetches: whether on a processor it also reads what it is about to overwrite: by then that lies in the cache.
        analysis_only: whether it only finds out where others have work: it changes no state and has no twin.
        wakes: another rule, which its changes wake: it works in the tiles of that one, and notes things there; empty:
            it has its rule's own.
        matter: of a pass that runs for one kind of cell or another, the rule whose kind this is: it runs only in worlds
            with that rule, and ``shaders/<rule>/of_<matter>.glsl`` says what it must know of such cells.
        if_solids_change: whether it runs only in worlds with a rule that changes which cells are solid.
        for_each: the flow of a mixture's materials, such as ``pressure``, for each layer with which it runs once more:
            it and those passes beside it in the tick that do so too, all of them for one layer before the next.
        reach: (columns, rows) of the frame: what it makes of a cell depends on cells no farther away; of scratch with a
            word a strip, or of what is noted of tiles, no farther from the strip or the tile.
    """

    rule: str
    name: str
    over: Over
    reads: tuple[str, ...] = ()
    gathers: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    writes: tuple[Scratch, ...] = ()
    takes: tuple[Scratch, ...] = ()
    refines: tuple[Scratch, ...] = ()
    looks_up: tuple[Lookup, ...] = ()
    counts: tuple[str, ...] = ()
    repeats: str | None = None
    times: int = 1
    measures: bool = False
    marks_active: bool = False
    activated_by: str = ""
    layout: str = ""
    strip: tuple[int, int] | None = None
    group: tuple[int, int] | None = None
    fetches: bool = False
    analysis_only: bool = False
    wakes: str = ""
    matter: str = ""
    if_solids_change: bool = False
    for_each: str = ""
    reach: Reach = UNBOUNDED

    @property
    def full_name(self) -> str:
        """``rule.pass``: its name in `rules.TICK`, in times, traffic, traces and checks."""
        return f"{self.rule}.{self.name}"

    @property
    def tiled_by(self) -> str:
        """The rule whose tiles it works in, where tiles sleep."""
        return self.wakes or self.rule

    @property
    def moves_atoms(self) -> bool:
        """Whether it moves atoms, with whatever they carry."""
        return ATOM_PLANE in (*self.gathers, *self.updates)

    def image_names(self, carried: Iterable[str]) -> tuple[str, ...]:
        """The images that its shader binds, in their order; of a ping-pong pair ``<name>_old`` and ``<name>_new``.

        Args:
            carried: the planes that atoms carry, which a pass that moves atoms binds too.
        """
        moved = list(carried) if self.moves_atoms else []
        tables = (*self.takes, *self.writes, *self.refines, *self.looks_up)
        return (
            *self.reads,
            *_both_parts(self.gathers),
            *self.updates,
            *(each.name for each in tables),
            *(_both_parts(moved) if ATOM_PLANE in self.gathers else moved),
            *(["moved"] if self.measures else []),
        )


def _both_parts(planes: Iterable[str]) -> list[str]:
    """The names of both images of each ping-pong pair."""
    return [f"{name}_{part}" for name in planes for part in ("old", "new")]


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of running a rule. All of them give the same state, to the last bit; they differ in speed and memory.

    Args:
        name: as ``--variant`` takes it.
        about: one sentence.
        passes: what it brings to a tick; `rules.TICK` gives the order.
        software: whether it is meant for software OpenGL, where the first of these is taken if nobody asks for another;
            on a GPU the first of the others.
    """

    name: str
    about: str
    passes: tuple[Pass, ...]
    software: bool


@dataclass(frozen=True, slots=True)
class Overlay:
    """A quantity drawn in false colour; GLSL computes it in ``shaders/render/<rule>.glsl: overlay_<name>``.

    Args:
        name: as ``--overlay`` takes it.
        about: the legend's words.
        unit: the legend's unit.
        colours: the name of a perceptual colour map.
        span: the lowest and the highest value drawn, from the world's laws.
        curve: what of the value the colours follow: itself, its square root, or its logarithm.
        uniforms: further uniforms of its shader, from the world's laws and the tick.
        in_solids: whether it is drawn in solids too, which else stay grey.
        lines: it is no quantity but each atom's last move, drawn as a line over the picture itself.
        shader: what stands for its name in GLSL, where several are computed by one function.
        takes: scratch from which it is drawn, as the last tick has left it.
    """

    name: str
    about: str
    unit: str
    colours: str
    span: Callable[[Laws], tuple[float, float]]
    curve: Literal["linear", "square root", "logarithm"] = "linear"
    uniforms: Callable[[Laws, int], Mapping[str, int]] = lambda _laws, _tick: {}
    in_solids: bool = False
    lines: bool = False
    takes: tuple[Scratch, ...] = ()
    shader: str = ""

    @property
    def label(self) -> str:
        """What a legend says below its colours."""
        curve = "" if self.curve == "linear" else f" ({self.curve} scale)"
        return (f"{self.about}, {self.unit}" if self.unit else self.about) + curve


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream of random numbers that a rule draws from; `rules.streams` allots its numbers.

    Args:
        name: its own, within the rule; passes know its first number as ``use_<name>``.
        count: how many numbers it has, such as one for each substep or each emitter.
        step: how far apart they lie.
    """

    name: str
    count: int = 1
    step: int = 1


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a rule demands of a world.

    Args:
        needs: other rules that the world must have.
        works_on: rules of which the world must have exactly one.
        conflicts: rules that the world must not have.
        only_gravity: the one direction of gravity that the rule knows; None: all of them.
        in_blocks: whether the rule works in 2x2 blocks, so that a torus must have even sides.
    """

    needs: tuple[str, ...] = ()
    works_on: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    only_gravity: str | None = None
    in_blocks: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """The integers that a rule's passes compute with; the shaders get them as constants, the oracle by name.

    Args:
        constants: those that are the same in every world.
        derived: further ones, from the rule's fixed parameters.
        tables: arrays of integers, from the world's laws.
        words: those tables that are packed columns of materials, by name.
        lookups: the texels of each `Lookup` of its passes, from the world's laws: (rows, columns) or (rows, columns, 4)
            uint32 by name.
        packed: words whose parts its shaders take of what it looks up.
        unsigned: the names of those constants and tables that fill all 32 bits.
    """

    constants: Mapping[str, int] = field(default_factory=dict)
    derived: Callable[[Mapping[str, int]], Mapping[str, int]] = lambda _fixed: {}
    tables: Callable[[Laws], Mapping[str, Sequence[int]]] = lambda _laws: {}
    words: Mapping[str, Word] = field(default_factory=dict)
    lookups: Callable[[Laws], Mapping[str, np.ndarray]] = lambda _laws: {}
    packed: tuple[Word, ...] = ()
    unsigned: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """All that gpufluid must know of a rule in order to run it, check it and draw it.

    Args:
        name: as in ``rules = [...]``.
        about: one sentence.
        fields: the names of the fields that a world with this rule has.
        parameters: what may be set.
        variants: the ways of running it. The oracle follows the first.
        declares: fields, planes and quantities that this rule brings; a field is declared by one rule.
        faults: what is wrong with cells that no declaration of a field says, from the arrays of a world and its laws:
            where it is, the field, and what follows the value that was found there.
        shaders: the folder of its shaders; None: ``shaders/<name>``.
        oracle: the module of its oracle functions; empty: ``gpufluid.oracle.<name>``.
        presets: named sets of parameters.
        holds: materials that this rule keeps as an amount, and the field that keeps each.
        mixes: whether it keeps those of the world's mixture, in the field of that name.
        moves: the states of matter, kept as a material a cell, that this rule moves.
        changes_solids: whether its passes make solids of other matter, or other matter of solids.
        requires: what it demands of a world.
        numbers: the integers that its passes compute with.
        streams: the random streams that its passes draw from.
        tile_flags: what its passes note of tiles, by name; the first says that something has changed in the tile.
        settle_ticks: the number of ticks without activity that prove rest, from the world's laws; None: no number does.
        overlays: what it can show.
        layer_overlay: what it can show of each layer of a mixture, from the layer's number and its material's name.
        drawn_within_cells: whether its picture has anything smaller than a cell, such as a level.
    """

    name: str
    about: str
    fields: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    variants: tuple[Variant, ...]
    declares: tuple[Declaration, ...] = ()
    faults: Callable[[Mapping[str, np.ndarray], Laws], Iterable[Fault]] = lambda _arrays, _laws: ()
    shaders: Path | None = None
    oracle: str = ""
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    holds: Mapping[str, str] = field(default_factory=dict)
    mixes: bool = False
    moves: frozenset[State] = frozenset()
    changes_solids: bool = False
    requires: Requirements = Requirements()
    numbers: Numbers = Numbers()
    streams: tuple[Stream, ...] = ()
    tile_flags: tuple[str, ...] = ()
    settle_ticks: Callable[[Laws], int | None] = lambda _laws: 0
    overlays: tuple[Overlay, ...] = ()
    layer_overlay: Callable[[int, str], Overlay] | None = None
    drawn_within_cells: bool = False

    @property
    def passes(self) -> tuple[Pass, ...]:
        """Its passes, each with a twin."""
        return self.variants[0].passes

    def held(self, mixture: Iterable[str]) -> Mapping[str, str]:
        """The materials that it keeps as an amount in a world with such a mixture, and the field that keeps each."""
        return {**self.holds, **(dict.fromkeys(mixture, "mixture") if self.mixes else {})}

    def variant(self, name: str | None) -> Variant:
        """One of its variants; None: the first. Raises KeyError: it has none of that name."""
        return {each.name: each for each in self.variants}[name] if name else self.variants[0]

    def problems(self, given: Mapping[str, object]) -> list[ParameterError]:
        """All that is wrong with parameters: unknown names, values that cannot be."""
        known = {parameter.name: parameter for parameter in self.parameters}
        found = []
        for name, value in given.items():
            if name == "preset":
                if not isinstance(value, str) or value not in self.presets:
                    hint = did_you_mean(str(value)[:60], self.presets)
                    found.append(ParameterError(name, f"unknown preset {shown(value)}{hint}"))
            elif name not in known:
                hint = did_you_mean(name, [*known, "preset"])
                found.append(ParameterError(name, f"rule {self.name} has no parameter {name!r}{hint}"))
            else:
                try:
                    known[name].check(value)
                except ValueError as error:
                    found.append(ParameterError(name, str(error)))
        return found

    def resolve(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Every parameter with its value: the default, then the preset's, then what was given.

        Raises: ParameterError: an unknown name or a value that cannot be.
        """
        for problem in self.problems(given):
            raise problem
        preset = self.presets.get(str(given.get("preset")), {})
        return {
            parameter.name: parameter.check(given.get(parameter.name, preset.get(parameter.name, parameter.default)))
            for parameter in self.parameters
        }

    def fixed(self, values: Mapping[str, Value]) -> dict[str, int]:
        """Its parameters as integers, and what is derived of them, by name."""
        fixed = {parameter.name: parameter.fixed(values[parameter.name]) for parameter in self.parameters}
        return {**fixed, **self.numbers.derived(fixed)}


class ParameterError(ValueError):
    """A parameter that a rule does not have, or a value that it cannot take."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
