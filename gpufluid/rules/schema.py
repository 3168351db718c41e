"""The records that declare rules, variants, parameters, packed tables and overlays. Nothing here runs a world.

`rules.passes` has the records that declare the passes of a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from pathlib import Path
from typing import Literal

import numpy as np

from gpufluid.core.errors import did_you_mean, shown
from gpufluid.core.fields import FULL, Declaration
from gpufluid.matter.materials import Material, State
from gpufluid.rules.laws import Laws, Value
from gpufluid.rules.passes import Pass, Scratch


@dataclass(frozen=True, slots=True)
class Word:
    """The layout of a 32-bit word that packs several columns of a table.

    Args:
        parts: the columns, from the lowest bits on, each with its number of bits; at most 32 bits in all.
        signed: the columns that may be negative.
    """

    parts: Mapping[str, int]
    signed: frozenset[str] = frozenset()

    def packed(self, columns: Mapping[str, Sequence[int]]) -> list[int]:
        """Pack columns, given by name, into one word for each row of the table."""
        words, shift = [0] * len(next(iter(columns.values()))), 0
        for name, bits in self.parts.items():
            mask = (1 << bits) - 1
            words = [word | (part & mask) << shift for word, part in zip(words, columns[name], strict=True)]
            shift += bits
        return words

    def part(self, words: Sequence[int] | np.ndarray, name: str) -> np.ndarray:
        """Unpack one column.

        Args:
            words: packed words: a sequence, or integers of any shape.
            name: the column.
        Returns: int32 of the same shape.
        """
        shift, bits = self._place(name)
        part = (np.asarray(words, np.int64) >> shift) & ((1 << bits) - 1)
        is_negative = (part >> (bits - 1)) & (name in self.signed)
        return (part - (is_negative << bits)).astype(np.int32)

    def glsl(self, table: str) -> str:
        """Generate two GLSL functions for each column of a table of packed words.

        ``<column>_in(word)`` unpacks the column from a word; ``<column>_of(material)`` looks the word up first. The
        functions use shifts and masks, because ``bitfieldExtract`` takes several times as long on software OpenGL.

        Args:
            table: the name of the table in GLSL.
        """
        looked_up = (f"int {name}_of(int material) {{ return {name}_in({table}[material]); }}\n" for name in self.parts)
        return self.parts_glsl() + "".join(looked_up)

    def parts_glsl(self) -> str:
        """Generate the GLSL functions ``<column>_in(word)`` alone; see `glsl`."""
        lines = []
        for name in self.parts:
            shift, bits = self._place(name)
            if name in self.signed:
                column = f"int(word << {32 - shift - bits}) >> {32 - bits}"
            else:
                column = f"int(word >> {shift} & {(1 << bits) - 1:#x}u)"
            lines.append(f"int {name}_in(uint word) {{ return {column}; }}\n")
        return "".join(lines)

    def _place(self, name: str) -> tuple[int, int]:
        """The position of a column in the word: (the number of its lowest bit, its number of bits)."""
        before = list(self.parts)[: list(self.parts).index(name)]
        return sum(self.parts[other] for other in before), self.parts[name]


Fault = tuple[np.ndarray, str, str]
"""A kind of wrong cell: the wrong cells, (height, width) bool; the name of the field; the text of the message that
follows the value found there."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number or word that a scene may set.

    Args:
        name: the key in the scene's table of the rule.
        default: the value if a scene does not set the parameter.
        about: one sentence, with the unit.
        low, high: the range of a number, both ends included.
        choices: the allowed words, in the order of their numbers in GLSL; empty for a number.
        whole: True if the number is an integer.
        switch: True if the value is true or false.
        one: the integer that represents 1.0 of a fractional number; by default the units of mass in a full cell.
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
        """Check a value and return it, as an int, float, bool or word.

        Raises: ValueError: the parameter cannot take the value; the message says what was expected.
        """
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise ValueError(f"{shown(value)} is not known{did_you_mean(str(value), self.choices)}")
            return value
        if self.switch:
            if not isinstance(value, bool):
                raise ValueError(f"{shown(value)} is not a boolean; expected true or false")
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
        """Convert a value to the integer that passes compute with: fixed point, a count, or the number of a choice."""
        if isinstance(value, str):
            return self.choices.index(value)
        return int(value) if self.whole or self.switch else round(value * self.one)


@dataclass(frozen=True, slots=True)
class Variant:
    """An implementation of a rule. All variants give the same state, bit for bit; they differ in speed and memory.

    Args:
        name: the name for the option ``--variant``.
        about: one sentence.
        passes: the passes; `rules.TICK` gives their order.
        software: True if the variant is meant for software OpenGL, False if for GPUs, None if for both. The first
            variant that is meant for the device is the default.
    """

    name: str
    about: str
    passes: tuple[Pass, ...]
    software: bool | None = None


@dataclass(frozen=True, slots=True)
class Overlay:
    """A quantity drawn in false colour; GLSL computes it in ``shaders/render/<rule>.glsl: overlay_<name>``.

    Args:
        name: the name for the option ``--overlay``.
        about: the title of the legend.
        unit: the unit in the legend.
        colours: the name of a perceptual colour map.
        span: computes the lowest and the highest value drawn, from the world's laws.
        curve: the scale of the colours: they are linear in the value, in its square root or in its logarithm.
        uniforms: computes further uniforms of the shader, from the world's laws and the tick.
        in_solids: True if the overlay covers solids too; else they stay grey.
        lines: True if the overlay shows no quantity but lines over the plain picture: each atom's last move, or tiles.
        tiles: True if the lines are rectangles around tiles, awake or asleep.
        takes: the scratch that the shader reads, with its content after the last tick.
        shader: the name of the GLSL function, if it differs from the overlay's name.
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
    tiles: bool = False
    takes: tuple[Scratch, ...] = ()
    shader: str = ""

    @property
    def traces(self) -> bool:
        """True if the overlay needs the trace of each atom's last move."""
        return self.lines and not self.tiles

    @property
    def label(self) -> str:
        """The text below the colours of the legend."""
        curve = "" if self.curve == "linear" else f" ({self.curve} scale)"
        return (f"{self.about}, {self.unit}" if self.unit else self.about) + curve


@dataclass(frozen=True, slots=True)
class Stream:
    """A random stream of a rule; `rules.streams` allots its numbers.

    Args:
        name: the name within the rule; passes know the stream's first number as ``use_<name>``.
        count: how many numbers the stream has, such as one for each substep or each emitter.
        step: the difference between successive numbers of the stream.
    """

    name: str
    count: int = 1
    step: int = 1


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements of a rule on a world.

    Args:
        needs: rules that the world must also have.
        works_on: rules of which the world must have one at least. In a world with several of them all passes for one
            kind of cells (`Pass.matter`) run before those for the next, in the order in which the rule declares them.
        conflicts: rules that the world must not have.
        in_blocks: True if the rule works in 2x2 blocks, so that a torus must have even sides.
    """

    needs: tuple[str, ...] = ()
    works_on: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    in_blocks: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """The integers that a rule's passes compute with; the shaders get them as constants, the oracle by name.

    Args:
        constants: constants that are the same in every world.
        derived: computes further constants from the rule's parameters as integers.
        tables: computes arrays of integers, by name, from the world's laws.
        words: the layouts of those tables that pack columns of materials into words, by the table's name.
        lookups: computes the texels of each `Lookup` from the world's laws: (rows, columns) or (rows, columns, 4)
            uint32, by name.
        packed: the layouts of the words in lookups. GLSL gets the functions that unpack them.
        unsigned: the names of the constants and tables that need all 32 bits as an unsigned number.
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
    """The declaration of a rule: all that gpufluid needs to run, check and draw the rule.

    Args:
        name: the name in ``rules = [...]`` of a scene.
        about: one sentence.
        fields: the names of the fields that a world with this rule has.
        parameters: the parameters that a scene may set.
        variants: the implementations of the rule. The oracle follows the first.
        declares: the fields, planes and quantities that this rule declares; only one rule declares a field.
        fields_beside: further fields that a world with this rule has if it has another rule, too, by the other rule.
        material_problems: finds the materials of a table that the rule cannot work with. Each problem is (the number of
            the material, its key, a sentence).
        faults: finds the wrong cells that the checks of single fields cannot find, from a world's arrays and laws.
        shaders: the folder of the rule's shaders; None: ``shaders/<name>``.
        oracle: the module of the rule's oracle functions; empty: ``gpufluid.oracle.<name>``.
        presets: named sets of parameters.
        holds: the materials that this rule stores as amounts, each with the field that stores the amount.
        mixes: True if the rule stores the materials of the world's mixture, in field ``mixture``.
        rest_below: computes, from the world's laws and the mass of a cell at rest, the mass at rest of the cell below,
            in units. Below an empty cell this is a full cell. None: depth makes no difference, or another rule of the
            world computes it.
        moves: the states of matter that this rule moves, of matter stored as one material in each cell.
        kinds: the kinds of matter that passes of the rule need (`Pass.needs`), each with a test. The test takes the
            world's laws and the numbers of some materials, and returns True if matter of the kind is among them.
        makes: takes a world's laws and the numbers of some materials, and returns the numbers of the materials that
            the rule's passes can make of these in one step. None: no material, or every one if a pass of a rule with
            field ``material`` that serves no ports counts matter that it adds, as ``made`` or ``emitted``.
        changes_solids: True if passes of the rule turn solids into other matter, or other matter into solids.
        requires: the requirements on a world.
        replaces: the passes of other rules, as ``rule.pass``, that do not run in a world with this rule.
        unused: the parameters of other rules, as ``rule.parameter``, without effect in a world with this rule.
        numbers: the integers that the rule's passes compute with.
        streams: the random streams that the rule's passes draw from.
        tile_flags: the names of the tile flags that the rule's passes set; the first records changes in the tile.
        carried_flag: the tile flag that records the last tick in which the rule changed what an atom carries; empty:
            the rule's passes note no such change.
        awake: the GLSL function in ``activate.glsl`` that tests if a pass of the rule must visit a tile in the next
            tick, and sets no flag: ``bool <awake>(ivec2 tile)``. Overlay `tiles` shows it. Empty: no tile sleeps.
        settle_ticks: computes, from the world's laws, the number of successive inactive ticks that prove rest; None: no
            number of ticks does.
        overlays: the overlays that the rule provides.
        layer_overlay: makes the overlay of a layer of a mixture, from the layer's number and its material's name.
        drawn_within_cells: True if the rule's picture has details smaller than a cell, such as a water level.
        draws_air: True if the rule's picture shows clouds, flames or the depth of liquids. They depend on the
            surroundings of a cell, which are surveyed first.
    """

    name: str
    about: str
    fields: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    variants: tuple[Variant, ...]
    declares: tuple[Declaration, ...] = ()
    fields_beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    material_problems: Callable[[Sequence[Material]], Iterable[tuple[int, str, str]]] = lambda _records: ()
    faults: Callable[[Mapping[str, np.ndarray], Laws], Iterable[Fault]] = lambda _arrays, _laws: ()
    shaders: Path | None = None
    oracle: str = ""
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    holds: Mapping[str, str] = field(default_factory=dict)
    mixes: bool = False
    rest_below: Callable[[Laws, int], int] | None = None
    moves: frozenset[State] = frozenset()
    kinds: Mapping[str, Callable[[Laws, Collection[int]], bool]] = field(default_factory=dict)
    makes: Callable[[Laws, Collection[int]], Collection[int]] | None = None
    changes_solids: bool = False
    requires: Requirements = Requirements()
    replaces: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    numbers: Numbers = Numbers()
    streams: tuple[Stream, ...] = ()
    tile_flags: tuple[str, ...] = ()
    carried_flag: str = ""
    awake: str = ""
    settle_ticks: Callable[[Laws], int | None] = lambda _laws: 0
    overlays: tuple[Overlay, ...] = ()
    layer_overlay: Callable[[int, str], Overlay] | None = None
    drawn_within_cells: bool = False
    draws_air: bool = False

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes that the oracle follows: those of the first variant."""
        return self.variants[0].passes

    def held(self, mixture: Iterable[str]) -> Mapping[str, str]:
        """The materials that the rule stores as amounts in a world, each with the field that stores the amount.

        Args:
            mixture: the materials of the world's mixture.
        """
        return {**self.holds, **(dict.fromkeys(mixture, "mixture") if self.mixes else {})}

    def variant(self, name: str | None) -> Variant:
        """The variant of a name; None: the first. Raises KeyError: the rule has no variant of that name."""
        return {each.name: each for each in self.variants}[name] if name else self.variants[0]

    def problems(self, given: Mapping[str, object]) -> list[ParameterError]:
        """Find all errors in given parameters: unknown names, and values that the parameters cannot take."""
        return list(self._problems(given))

    def _problems(self, given: Mapping[str, object]) -> Iterator[ParameterError]:
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in given.items():
            if name == "preset":
                if not isinstance(value, str) or value not in self.presets:
                    hint = did_you_mean(str(value), self.presets)
                    yield ParameterError(name, f"unknown preset {shown(value)}{hint}")
            elif name not in known:
                hint = did_you_mean(name, [*known, "preset"])
                yield ParameterError(name, f"rule {self.name} has no parameter {shown(name)}{hint}")
            else:
                try:
                    known[name].check(value)
                except ValueError as error:
                    yield ParameterError(name, str(error))

    def resolve(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Compute the value of every parameter: the given value, else the preset's, else the default.

        Raises: ParameterError: an unknown name, or a value that the parameter cannot take.
        """
        for problem in self._problems(given):
            raise problem
        preset = self.presets.get(str(given.get("preset")), {})
        return {
            parameter.name: parameter.check(given.get(parameter.name, preset.get(parameter.name, parameter.default)))
            for parameter in self.parameters
        }

    def fixed(self, values: Mapping[str, Value]) -> dict[str, int]:
        """The parameters as integers and the constants derived from them, by name."""
        fixed = {parameter.name: parameter.fixed(values[parameter.name]) for parameter in self.parameters}
        return {**fixed, **self.numbers.derived(fixed)}


class ParameterError(ValueError):
    """A parameter that a rule does not have, or a value that it cannot take."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
