"""The words in which a rule is declared: variants, overlays, the rule itself. Data only: nothing here runs a world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gpufluid.errors import did_you_mean, shown
from gpufluid.materials import MaterialTable, State
from gpufluid.mixtures import MixtureTable
from gpufluid.reactions import ReactionTable
from gpufluid.rules.packing import Word
from gpufluid.rules.parameters import Parameter, Value
from gpufluid.rules.passes import Pass, Scratch


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
        span: from the world's height and the rule's parameters, the lowest and highest value drawn.
        curve: what of the value the colours follow: itself, its square root, or its logarithm.
        uniforms: what its shader needs besides, from the rule's fixed constants and the tick.
        in_solids: whether it is drawn in solids too, which else stay grey.
        lines: it is no quantity but each atom's last move, drawn as a line over the picture itself.
        shader: what stands for its name in GLSL, where several are computed by one function.
        takes: scratch from which it is drawn, as the last tick has left it.
    """

    name: str
    about: str
    unit: str
    colours: str
    span: Callable[[int, Mapping[str, Value]], tuple[float, float]]
    curve: Literal["linear", "square root", "logarithm"] = "linear"
    uniforms: Callable[[Mapping[str, int], int], Mapping[str, int]] = lambda fixed, tick: {}  # noqa: ARG005
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
class Rule:
    """All that gpufluid must know of a rule in order to run it, check it and draw it.

    Args:
        name: as in ``rules = [...]``.
        about: one sentence.
        fields: the arrays of `cell.FIELDS` that a world with this rule has.
        holds: materials that this rule keeps as an amount, and the field that keeps it.
        mixes: whether it keeps those of the world's mixture, in the field of that name.
        moves: the states of matter, kept as a material a cell, that this rule moves.
        needs: other rules that a world with this one must have.
        works_on: rules of which such a world must have just one.
        shuns: rules that such a world must not have.
        only_gravity: the one direction of gravity that it knows; None: all of them.
        drawn_within_cells: whether its picture has anything smaller than a cell, such as a level.
        in_blocks: whether it works in 2x2 blocks, so that a torus must have even sides.
        parameters: what may be set.
        presets: named sets of parameters.
        variants: the ways of running it. The oracle follows the first.
        stamps: what its passes note of tiles, by name; the first is that something has changed in one.
        overlays: what it can show.
        layer_overlay: what it can show of each layer of a mixture, from its number and its material's name.
        derived: further integer constants, computed from the fixed parameters.
        unsigned: the names of those constants and tables that fill all 32 bits.
        words: those tables that are packed columns of materials, by name.
        packed: further words whose parts its shaders take, of what it looks up.
        lookups: the texels of each `Lookup` of its passes, from the materials and the reactions.
        tables: arrays of integers, from the fixed parameters, the materials, whether gravity is on, and the mixture.
        quiet: in so many ticks on end all that could move would have been found; None: that is never certain.
    """

    name: str
    about: str
    fields: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    variants: tuple[Variant, ...]
    stamps: tuple[str, ...] = ()
    holds: Mapping[str, str] = field(default_factory=dict)
    mixes: bool = False
    moves: frozenset[State] = frozenset()
    needs: tuple[str, ...] = ()
    works_on: tuple[str, ...] = ()
    shuns: tuple[str, ...] = ()
    only_gravity: str | None = None
    drawn_within_cells: bool = False
    in_blocks: bool = False
    presets: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()
    layer_overlay: Callable[[int, str], Overlay] | None = None
    derived: Callable[[Mapping[str, int]], Mapping[str, int]] = lambda fixed: {}  # noqa: ARG005
    unsigned: frozenset[str] = frozenset()
    words: Mapping[str, Word] = field(default_factory=dict)
    packed: tuple[Word, ...] = ()
    lookups: Callable[[MaterialTable, ReactionTable], Mapping[str, np.ndarray]] = lambda *given: {}  # noqa: ARG005
    tables: Callable[[Mapping[str, int], MaterialTable, bool, MixtureTable], Mapping[str, Sequence[int]]] = (
        lambda *given: {}  # noqa: ARG005
    )
    quiet: Callable[[Mapping[str, int]], int | None] = lambda fixed: 0  # noqa: ARG005

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
        """The integers that both the shaders and the oracle compute with, by name."""
        fixed = {parameter.name: parameter.fixed(values[parameter.name]) for parameter in self.parameters}
        return {**fixed, **self.derived(fixed)}


class ParameterError(ValueError):
    """A parameter that a rule does not have, or a value that it cannot take."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name
