"""What a tick runs. **Read this page first.**

A tick is the list `TICK`, of which each rule brings the passes it has. A new rule is a file here with a `RULE`,
a folder in ``shaders/``, a file in ``oracle/`` of the same name, and the rule's place in `RULES`. A rule from outside
gpufluid is added by `register`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Self

from gpufluid.core import fields
from gpufluid.core.errors import did_you_mean
from gpufluid.core.fields import DeclarationError
from gpufluid.core.opengl_limits import excess
from gpufluid.matter.materials import Material
from gpufluid.matter.ports import CHANCE_ONE, Drain, Emitter
from gpufluid.rules import atoms, flow, heat, mixture, pressure, reactions, streams
from gpufluid.rules.laws import Laws
from gpufluid.rules.schema import (
    LINE_STRIP,
    MOVED,
    PATCH,
    SEGMENT,
    TRACE,
    UNBOUNDED,
    Lookup,
    Over,
    Overlay,
    Parameter,
    ParameterError,
    Pass,
    Rule,
    Value,
    Variant,
)

__all__ = [
    "LINE_STRIP",
    "MOVED",
    "PATCH",
    "RULES",
    "SEGMENT",
    "TICK",
    "Call",
    "DeclarationError",
    "Laws",
    "Lookup",
    "Over",
    "Overlay",
    "Parameter",
    "ParameterError",
    "Pass",
    "Registration",
    "Rule",
    "Schedule",
    "Value",
    "Variant",
    "constants_of",
    "emitting_rule",
    "overlays_of",
    "passes_of",
    "register",
    "solids_change",
    "tile_flags_of",
    "with_requirements",
]

RULES: dict[str, Rule] = {}

TICK = [
    *("flow.emit", "atoms.emit", "mixture.emit"),
    *("atoms.survey", "atoms.fall", "atoms.rise", "atoms.glide", "atoms.settle"),
    *("atoms.find_run_ends", "atoms.seek", "atoms.spread"),
    *("mixture.look", "mixture.sink", "mixture.spread", "mixture.convert"),
    *("pressure.find_liquid_tiles", "pressure.merge_tiles", "pressure.activate_components"),
    *("pressure.label", "pressure.merge_labels", "pressure.compress_labels", "pressure.adopt"),
    *("pressure.bid", "pressure.offer", "pressure.transfer"),
    *("reactions.react", "reactions.decay"),
    *("heat.conduct", "heat.transition"),
    *("flow.walls", "mixture.walls"),
    "flow.flow",
    *("flow.drain", "atoms.drain", "mixture.drain"),
]
"""The order of passes in a tick, each as ``rule.pass``."""


def constants_of(rule: str, parameters: Mapping[str, Value]) -> dict[str, int]:
    """The integers that a rule's passes compute with, by name; the same for the shaders and for the oracle.

    Args:
        rule: its name.
        parameters: every parameter of it, by name.
    """
    record = RULES[rule]
    return {**record.fixed(parameters), **record.numbers.constants, **streams.constants(record)}


class Registration:
    """A rule that was added to `RULES`; `undo`, or the end of a ``with`` block, takes it out again.

    Of several registrations the last is undone first.
    """

    def __init__(self) -> None:
        self._kept = ExitStack()
        self._kept.enter_context(fields.restored())
        self._kept.callback(_put_back, dict(RULES), list(TICK), dict(streams.FIRST))

    def undo(self) -> None:
        """Forget the rule and all that it declares."""
        self._kept.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.undo()


def register(rule: Rule, after: str) -> Registration:
    """Add a rule that is not part of gpufluid: worlds can then name it.

    Its shaders lie in the folder `Rule.shaders`, its oracle functions in the module `Rule.oracle`. Its random streams
    get the first numbers that no other rule draws from.

    Args:
        rule: the rule, with all that it declares.
        after: the pass of `TICK`, as ``rule.pass``, that its passes follow, in their order.
    Returns: what undoes it.
    Raises: DeclarationError: a name that is taken, a pass that is not there, declarations that contradict each other,
        a pass of the rule that binds more images than OpenGL 4.3 promises. If its planes are too many for a pass of
        another rule, a simulation of both is refused.
    """
    if after not in TICK:
        raise DeclarationError(f"rule {rule.name}: comes after pass {after!r}, which is not in a tick{_hint(after)}")
    registration = Registration()
    streams.FIRST.update(streams.allotted(rule, RULES.values()))
    try:
        _add(rule)
    except DeclarationError:
        registration.undo()
        raise
    names = dict.fromkeys(pass_.full_name for variant in rule.variants for pass_ in variant.passes)
    place = TICK.index(after) + 1
    TICK[place:place] = names
    return registration


def _hint(pass_: str) -> str:
    return did_you_mean(pass_, TICK)


def _put_back(rules: Mapping[str, Rule], tick: Sequence[str], first: Mapping[str, int]) -> None:
    RULES.clear()
    RULES.update(rules)
    streams.FIRST.clear()
    streams.FIRST.update(first)
    TICK[:] = tick


def _add(rule: Rule) -> None:
    """Make a rule and its declarations known. Raises DeclarationError."""
    if rule.name in RULES:
        raise DeclarationError(f"rule {rule.name}: is there twice: {RULES[rule.name].about!r} and {rule.about!r}")
    fields.declare(*rule.declares)
    for each in rule.declares:
        if isinstance(each, fields.Field) and each.name not in rule.fields:
            raise DeclarationError(f"field {each.name}: rule {rule.name} declares it, but has only {rule.fields}")
    for name in rule.fields:
        if name not in fields.FIELDS:
            raise DeclarationError(f"rule {rule.name}: has field {name!r}, which no rule declares")
    for variant in rule.variants:
        for pass_ in variant.passes:
            for plane in (*pass_.reads, *pass_.gathers, *pass_.updates):
                if plane not in fields.PLANES:
                    raise DeclarationError(f"pass {pass_.full_name}: uses plane {plane!r}, which no rule declares")
        _check_reaches(variant.passes)
    _check_images(rule)
    RULES[rule.name] = rule


def _check_images(rule: Rule) -> None:
    """Raise DeclarationError for a pass that binds too many images when it carries all that atoms can carry."""
    carried = TRACE, *fields.carried_planes()
    for pass_ in (pass_ for variant in rule.variants for pass_ in variant.passes):
        if problem := excess(f"pass {pass_.full_name}", {"images": pass_.image_names(carried)}):
            raise DeclarationError(problem)


def _check_reaches(passes: Sequence[Pass]) -> None:
    """Raise DeclarationError where a pass of finite reach uses scratch that a pass of unbounded reach fills."""
    for pass_ in passes:
        for other in passes if pass_.reach is not UNBOUNDED else ():
            filled = (*other.writes, *other.refines) if other.reach is UNBOUNDED else ()
            for scratch in (*pass_.takes, *pass_.writes, *pass_.refines):
                if scratch in filled:
                    found = f"has the finite reach {pass_.reach}, but uses scratch {scratch.name!r}"
                    reason = f"which {other.full_name} fills, whose reach is unbounded"
                    raise DeclarationError(f"pass {pass_.full_name}: {found}, {reason}")


for _rule in (flow.RULE, atoms.RULE, heat.RULE, reactions.RULE, mixture.RULE, pressure.RULE):
    _add(_rule)
for _rule in RULES.values():
    _check_images(_rule)  # now that all planes are declared that atoms can carry
streams.check(RULES.values())


def tile_flags_of(rule: str, rules: Sequence[str]) -> tuple[str, ...]:
    """What is noted of the tiles of a rule: by itself, then by those rules of a world that work in its tiles."""
    guests = [
        other for other in rules if other != rule and any(pass_.tiled_by == rule for pass_ in RULES[other].passes)
    ]
    return (*RULES[rule].tile_flags, *(stamp for guest in guests for stamp in RULES[guest].tile_flags))


def emitting_rule(rules: Sequence[str], material: Material, mixture: Sequence[str] = ()) -> str | None:
    """The one rule of a world that emits a material: the first that holds it, else the first that moves its state.

    Args:
        rules: those of the world.
        material: which.
        mixture: the materials of the world's mixture.
    """
    holding = [rule for rule in rules if material.name in RULES[rule].held(mixture)]
    moving = [rule for rule in rules if material.state in RULES[rule].moves]
    return next(iter([*holding, *moving]), None)


def overlays_of(rules: Sequence[str], mixture: Sequence[str]) -> dict[str, tuple[str, Overlay]]:
    """What a world of some rules can show, by name: the rule, and what it shows.

    Args:
        rules: those of the world.
        mixture: the materials of its mixture.
    """
    found = {overlay.name: (rule, overlay) for rule in rules for overlay in RULES[rule].overlays}
    for rule in rules:
        of_layer = RULES[rule].layer_overlay
        if of_layer is not None:
            layers = {name: (rule, of_layer(layer, name)) for layer, name in enumerate(mixture)}
            found |= {name: each for name, each in layers.items() if name not in found}
    return found


def passes_of(rules: Sequence[str], variants: Mapping[str, str]) -> list[Pass]:
    """The passes that rules bring to a world; of those that run in some worlds only, those that run in this one.

    Args:
        rules: those of the world.
        variants: how they are run, by their names; of one that is not named, the first.
    """
    brought = (pass_ for rule in rules for pass_ in RULES[rule].variant(variants.get(rule)).passes)
    changing = solids_change(rules)
    wanted = (pass_ for pass_ in brought if changing or not pass_.if_solids_change)
    return [pass_ for pass_ in wanted if pass_.matter in ("", *rules)]


def solids_change(rules: Iterable[str]) -> bool:
    """Whether any of some rules makes solids of other matter, or other matter of solids."""
    return any(RULES[rule].changes_solids for rule in rules)


def with_requirements(rule: str, beside: Iterable[str] = ()) -> tuple[str, ...]:
    """The fewest rules of a world in which a rule can stand: itself, and before it those that it needs.

    Args:
        rule: which.
        beside: others that are there too: where it works on one of several rules, on those of them that are.
    """
    works_on = RULES[rule].requires.works_on
    return (*RULES[rule].requires.needs, *([each for each in works_on if each in beside] or works_on[:1]), rule)


@dataclass(frozen=True, slots=True)
class Call:
    """One run of one pass.

    Args:
        pass_: the pass.
        tick: the tick it is part of.
        substep, substeps: which of its runs in this tick this is, and of how many.
        port: the emitter or drain it serves, if it serves one.
        number: its place among the world's emitters or drains.
        layer: the layer of the mixture that it is for, if it is for one.
    """

    pass_: Pass
    tick: int
    substep: int = 0
    substeps: int = 1
    port: Emitter | Drain | None = None
    number: int = 0
    layer: int = 0


@dataclass(frozen=True)
class Schedule:
    """The calls of every tick of one world. The simulation, the oracle and the check all follow it.

    Args:
        laws, emitters, drains: those of the world.
        variants: the variant by which each rule runs, by the rule's name; by default the one that the oracle follows.
    """

    laws: Laws
    emitters: Sequence[Emitter]
    drains: Sequence[Drain]
    variants: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def passes(self) -> list[Pass]:
        """The passes of a tick, in the order of `TICK`."""
        return sorted(passes_of(self.laws.rules, self.variants), key=lambda pass_: TICK.index(pass_.full_name))

    @cached_property
    def _rounds(self) -> list[tuple[list[Pass], int]]:
        """Passes of a rule that are repeated by the same parameter run by turns, so many times.

        A round has its place in the tick where the first of its passes stands that serves no emitter and no drain.
        """
        rounds: dict[tuple[str, str | None], list[Pass]] = {}
        for pass_ in self.passes:
            rounds.setdefault((pass_.rule, pass_.repeats if pass_.repeats else pass_.name), []).append(pass_)
        ordered = sorted(rounds.values(), key=_place_in_tick)
        return [(passes, self._substeps(passes[0])) for passes in ordered]

    def _substeps(self, pass_: Pass) -> int:
        return int(self.laws.parameters[pass_.rule][pass_.repeats]) if pass_.repeats else pass_.times

    @cached_property
    def _emitting(self) -> list[str | None]:
        """The rule that serves each emitter."""
        records = [self.laws.materials.records[self.laws.materials[emitter.material]] for emitter in self.emitters]
        return [emitting_rule(self.laws.rules, record, self.laws.mixture.names) for record in records]

    def _served(self, pass_: Pass) -> Sequence[tuple[int, Emitter | Drain]]:
        """The emitters or drains that a pass serves, with their numbers: one rule emits a material, all rules drain."""
        if pass_.over is Over.DRAINS:
            return list(enumerate(self.drains))
        return [(n, emitter) for n, emitter in enumerate(self.emitters) if self._emitting[n] == pass_.rule]

    def calls(self, tick: int) -> Iterator[Call]:
        """The calls of one tick, in order."""
        for for_each, rounds in groupby(self._rounds, key=lambda each: each[0][0].for_each):
            alike = list(rounds)
            for layer in self.laws.mixture.layers_with(for_each) if for_each else (0,):
                for passes, substeps in alike:
                    for substep in range(substeps):
                        for pass_ in passes:
                            yield from self._calls_of(pass_, tick, substep, substeps, layer)

    def _calls_of(self, pass_: Pass, tick: int, substep: int, substeps: int, layer: int) -> Iterator[Call]:
        """One call, or of what serves emitters or drains one for each that acts."""
        if not pass_.over.serves_ports:
            yield Call(pass_, tick, substep, substeps, layer=layer)
            return
        for number, port in self._served(pass_):
            if port.acts(tick):
                yield Call(pass_, tick, substep, substeps, port, number)

    def acting(self, tick: int) -> tuple[bool, ...]:
        """Which emitters and drains act in a tick: where they are the same ones, so are the calls, but for the tick."""
        return tuple([port.acts(tick) for port in (*self.emitters, *self.drains)])

    @property
    def settle_ticks(self) -> int | None:
        """In so many ticks on end all that could move would have been found; None: that is never certain."""
        ticks = [RULES[rule].settle_ticks(self.laws) for rule in self.laws.rules]
        return None if None in ticks else max(n for n in ticks if n is not None)

    def steady_from(self, tick: int) -> bool:
        """Whether each tick from this one on does the same: no emitter or drain begins later, none acts by chance."""
        ports = [*self.emitters, *self.drains]
        by_chance = [emitter for emitter in self.emitters if 0 < emitter.chance_fixed < CHANCE_ONE]
        return not any(port.start > tick for port in ports) and not any(not port.ends(tick) for port in by_chance)


def _place_in_tick(passes: Sequence[Pass]) -> int:
    own = [pass_ for pass_ in passes if not pass_.over.serves_ports] or passes
    return TICK.index(own[0].full_name)
