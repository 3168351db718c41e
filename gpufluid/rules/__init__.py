"""The rules, and the schedule of a tick. **Read this page first.**

A tick runs the passes of the world's rules in the order of the list `TICK`. To add a rule, write a file in this folder
that defines a `RULE`, a folder of shaders in ``shaders/`` and a module in ``oracle/``, all of the same name. Then edit
three places below: the import, the tuple of rules that are added by `_add`, and `TICK`. Append to that tuple: its order
is the order of rules and planes. ``CONTRIBUTING.md`` lists all steps. `register` adds a rule from outside gpufluid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Self

import numpy as np

from gpufluid.core import fields
from gpufluid.core.errors import did_you_mean
from gpufluid.core.fields import DeclarationError
from gpufluid.core.opengl_limits import excess
from gpufluid.matter.materials import Material
from gpufluid.matter.ports import CHANCE_ONE, Drain, Emitter
from gpufluid.rules import atoms, checks, collapse, flow, heat, inertia, mixture, pressure, reactions, streams
from gpufluid.rules.laws import Laws, amounts_beside_atoms, water_and_atoms
from gpufluid.rules.passes import BLOCKS, COLUMN_PARTS, LINE_STRIP, MOVED, PATCH, SEGMENT, Lookup, Over, Pass
from gpufluid.rules.schema import Overlay, Parameter, ParameterError, Rule, Value, Variant
from gpufluid.rules.serving import in_turns, meeting

__all__ = [
    "BLOCKS",
    "COLUMN_PARTS",
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
    "carried_flags_of",
    "constants_of",
    "default_rules",
    "emitting_rule",
    "fields_of",
    "obstacles_change",
    "overlays_of",
    "passes_of",
    "register",
    "solids_change",
    "tile_flags_of",
    "water_and_atoms",
    "with_requirements",
    "works_for",
]

RULES: dict[str, Rule] = {}
"""All rules by name, in the order in which they were added."""

TICK = [
    *("flow.emit", "inertia.emit", "mixture.emit", "atoms.emit"),
    *("atoms.find_run_ends", "atoms.find_drops", "atoms.form_drops", "atoms.seek", "atoms.spread"),
    *("atoms.touch", "atoms.join", "atoms.bounce"),
    *("atoms.drain_falling", "atoms.sum_falling", "atoms.survey", "atoms.free_falling", "atoms.fall"),
    *("atoms.drain_rising", "atoms.sum_rising", "atoms.free_rising", "atoms.rise"),
    *("atoms.drain_gliding", "atoms.sum_gliding", "atoms.glide", "atoms.settle", "atoms.weigh", "atoms.sink"),
    *("inertia.push", "inertia.carry"),
    *("mixture.see_atoms", "mixture.look", "mixture.sum_sinking", "mixture.sink", "mixture.sum_rising", "mixture.rise"),
    *("mixture.spread", "mixture.convert"),
    *("pressure.sum_stacks", "pressure.find_liquid_tiles", "pressure.merge_tiles", "pressure.activate_components"),
    *("pressure.label", "pressure.merge_labels", "pressure.compress_labels"),
    *("pressure.see_borders", "pressure.join_labels", "pressure.adopt"),
    *("pressure.sum_again", "pressure.bid", "pressure.offer", "pressure.see_winners", "pressure.see_heat"),
    *("pressure.transfer_across", "pressure.transfer", "pressure.transfer_heat", "pressure.transfer_in_part"),
    *("pressure.sum_loads", "pressure.offer_under_load"),
    *("pressure.transfer_load_across", "pressure.transfer_under_load"),
    *("collapse.find_loose_tiles", "collapse.merge_tiles", "collapse.activate_clusters"),
    *("collapse.label", "collapse.merge_labels", "collapse.compress_labels"),
    *("collapse.see_borders", "collapse.join_labels"),
    *("collapse.hold", "collapse.see_row_ends", "collapse.weigh", "collapse.move"),
    *("collapse.find_spills", "collapse.claim_spills", "collapse.spill"),
    *("reactions.react", "reactions.decay"),
    *("heat.conduct", "heat.transition", "heat.change_water"),
    "flow.walls",
    *("flow.share_heat", "flow.flow", "flow.move_heat"),
    *("inertia.share_heat", "inertia.move", "inertia.move_heat"),
    *("flow.drain", "inertia.drain", "atoms.drain", "mixture.walls", "mixture.drain"),
]
"""The order of passes in a tick, each as ``rule.pass``."""


def constants_of(rule: str, parameters: Mapping[str, Value]) -> dict[str, int]:
    """The integers that a rule's passes compute with, by name; the shaders and the oracle use the same.

    Args:
        rule: the name of the rule.
        parameters: every parameter of the rule, by name.
    """
    record = RULES[rule]
    return {**record.fixed(parameters), **record.numbers.constants, **streams.constants(record)}


def default_rules(parameters: Mapping[str, object]) -> tuple[str, ...]:
    """The rules of a world that names none: water by mass that keeps its momentum.

    Rule ``inertia`` replaces the law of motion that parameters of rule ``flow`` describe. So a world that sets some of
    these, and none of ``inertia``, has rule ``flow`` alone.

    Args:
        parameters: the parameters that the world sets, by rule.
    """
    return ("flow",) if parameters.get("flow") and "inertia" not in parameters else ("flow", "inertia")


class Registration:
    """The registration of a rule. `undo`, or the end of a ``with`` block, removes the rule again.

    Without either the rule stays, also where the registration is not kept. If there are several registrations, undo the
    latest one first.
    """

    def __init__(self) -> None:
        self._restorations = ExitStack()
        self._restorations.callback(fields.keep())
        self._restorations.callback(_restore, dict(RULES), list(TICK), dict(streams.FIRST))

    def undo(self) -> None:
        """Remove the rule and its declarations."""
        self._restorations.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.undo()


def register(rule: Rule, after: str) -> Registration:
    """Add a rule that is not part of gpufluid, so that worlds can use it.

    The rule's shaders lie in the folder `Rule.shaders`, its oracle functions in the module `Rule.oracle`. The rule's
    random streams get the lowest numbers that no other rule uses.

    Args:
        rule: the rule and its declarations.
        after: the pass in `TICK`, as ``rule.pass``, after which the passes of the rule run, in the order of the rule.
    Returns: the registration, by which the rule can be removed.
    Raises: DeclarationError: a name is taken, the pass ``after`` does not exist, declarations contradict each other
        (`checks`), or a pass binds more images than OpenGL 4.3 guarantees: a pass of the rule, or of another rule in
        the smallest world that can have both, because atoms carry planes of the rule. A rule that cannot be beside
        another one names it in `Requirements.conflicts`.
    """
    if after not in TICK:
        hint = did_you_mean(after, TICK)
        raise DeclarationError(f"rule {rule.name}: comes after pass {after!r}, which is not in a tick{hint}")
    registration = Registration()
    streams.FIRST.update(streams.allotted(rule, RULES.values()))
    names = dict.fromkeys(pass_.full_name for variant in rule.variants for pass_ in variant.passes)
    place = TICK.index(after) + 1
    try:
        _add(rule)
        TICK[place:place] = names
        checks.check(RULES, TICK)
        checks.check_images(rule)
        _check_images_beside(rule)
    except Exception:
        registration.undo()
        raise
    return registration


def _check_images_beside(rule: Rule) -> None:
    """Check that no pass binds too many images in the smallest worlds with a rule and one other rule.

    What atoms carry because of one rule, the passes of others move too. The trace of atoms does not count here: only an
    overlay needs it. Three rules that are too much together are an error when a simulation of them is made.

    Raises: DeclarationError: a pass binds too many; the message names both rules, the pass and all its images.
    """
    for other in RULES:
        for names in checks.smallest_worlds(RULES, {rule.name, other}):
            carried = fields.carried_planes(plane.name for plane in fields.planes_of(fields_of(names)))
            named = f"rule {rule.name} beside rules {[each for each in names if each != rule.name]}"
            for own, variant in [(each, variant) for each in names for variant in RULES[each].variants]:
                for pass_ in passes_of(names, {own: variant.name}):
                    problem = excess(f"{named}: pass {pass_.full_name}", {"images": pass_.image_names(carried)})
                    if problem:
                        raise DeclarationError(problem)


def _restore(rules: Mapping[str, Rule], tick: Sequence[str], first: Mapping[str, int]) -> None:
    RULES.clear()
    RULES.update(rules)
    streams.FIRST.clear()
    streams.FIRST.update(first)
    TICK[:] = tick


def _add(rule: Rule) -> None:
    """Add a rule, with its declarations. Raises DeclarationError: a name is taken, or declarations disagree."""
    if rule.name in RULES:
        raise DeclarationError(f"rule {rule.name}: declared twice: {RULES[rule.name].about!r} and {rule.about!r}")
    fields.declare(*rule.declares)
    RULES[rule.name] = rule


_SHIPPED = (flow, atoms, heat, reactions, mixture, pressure, collapse, inertia)

for _rule in (module.RULE for module in _SHIPPED):
    _add(_rule)
# The checks need all rules that a rule can name, and all planes that atoms can carry.
checks.check(RULES, TICK)
for _rule in RULES.values():
    checks.check_images(_rule)
streams.check(RULES.values())


def fields_of(rules: Sequence[str]) -> tuple[str, ...]:
    """The names of the fields of a world with these rules."""
    own = (name for rule in rules for name in RULES[rule].fields)
    beside = (names for rule in rules for other, names in RULES[rule].fields_beside.items() if other in rules)
    return tuple(dict.fromkeys((*own, *(name for names in beside for name in names))))


def tile_flags_of(rule: str, rules: Sequence[str]) -> tuple[str, ...]:
    """The tile flags in the tiles of a rule: its own, then those of the rules without tiles that work in its tiles.

    Args:
        rule: the name of the rule.
        rules: the names of all rules of the world.
    """
    return tuple(flag for each in _sharing(rule, rules) for flag in RULES[each].tile_flags)


def carried_flags_of(rule: str, rules: Sequence[str]) -> tuple[str, ...]:
    """The tile flags in the tiles of a rule that record changes of what atoms carry; arguments as `tile_flags_of`."""
    return tuple(RULES[each].carried_flag for each in _sharing(rule, rules) if RULES[each].carried_flag)


def _sharing(rule: str, rules: Sequence[str]) -> tuple[str, ...]:
    """The rules that work in the tiles of a rule: itself, then those without tiles of their own."""
    tilings = {each: {pass_.tiled_by for pass_ in RULES[each].passes} for each in rules}
    return (rule, *(each for each in rules if rule in tilings[each] and each not in tilings[each]))


def emitting_rule(rules: Sequence[str], material: Material, mixture: Sequence[str] = ()) -> str | None:
    """Find the rule that emits a material.

    This is the first rule that stores the material as an amount, else the first that moves atoms of its state.

    Args:
        rules: the names of the world's rules.
        material: the material.
        mixture: the materials of the world's mixture.
    Returns: the name of the rule; None if no rule can emit the material.
    """
    storing = [rule for rule in rules if material.name in RULES[rule].held(mixture)]
    moving = [rule for rule in rules if material.state in RULES[rule].moves]
    return next(iter([*storing, *moving]), None)


def overlays_of(rules: Sequence[str], mixture: Sequence[str]) -> dict[str, tuple[str, Overlay]]:
    """The overlays of a world, by name, each with the name of its rule. That of a layer has the name of its material.

    Of two rules with an overlay of the same name, the later one in `RULES` draws what both have.

    Args:
        rules: the names of the world's rules.
        mixture: the materials of the world's mixture.
    """
    ordered = [rule for rule in RULES if rule in rules]
    found = {overlay.name: (rule, overlay) for rule in ordered for overlay in RULES[rule].overlays}
    for rule in rules:
        layer_overlay = RULES[rule].layer_overlay
        if layer_overlay is not None:
            for layer, name in enumerate(mixture):
                found.setdefault(name, (rule, layer_overlay(layer, name)))
    tiled = tiled_rules(rules)
    if tiled:
        colours = ", ".join(f"{rule} {colour}" for rule, (colour, _) in tiled.items())
        about = f"the parts of the world that are computed next: {colours}; in dotted ones nothing can change"
        overlay = Overlay("tiles", about, "", "viridis", lambda _laws: (0.0, 1.0), lines=True, tiles=True)
        found.setdefault("tiles", (next(iter(tiled)), overlay))
    return found


_TILE_COLOURS = {
    "green": (0.10, 0.72, 0.25),
    "red": (0.90, 0.20, 0.15),
    "blue": (0.15, 0.35, 0.95),
    "orange": (0.95, 0.60, 0.05),
    "violet": (0.60, 0.20, 0.80),
    "brown": (0.45, 0.28, 0.12),
}
"""Colours of the rectangles around tiles, red, green and blue from 0 to 1."""


def tiled_rules(rules: Sequence[str]) -> dict[str, tuple[str, tuple[float, float, float]]]:
    """The rules of a world of which tiles can sleep, each with the colour of its tiles in overlay ``tiles``.

    Args:
        rules: the names of the world's rules.
    Returns: by rule: (name of the colour, its red, green and blue from 0 to 1).
    """
    replaced = {name for rule in rules for name in RULES[rule].replaces}
    named = [
        rule
        for rule in rules
        if RULES[rule].awake and f"{rule}.{RULES[rule].awake.removeprefix('activate_')}" not in replaced
    ]
    colours = list(_TILE_COLOURS.items())
    return {rule: colours[number % len(colours)] for number, rule in enumerate(named)}


def passes_of(
    rules: Sequence[str], variants: Mapping[str, str], in_part: bool = False, across: bool = False
) -> list[Pass]:
    """The passes of a world, without those that its rules replace or do not need.

    The reasons are `Pass.if_obstacles_change`, `Pass.matter`, `Pass.beside` and `Rule.replaces`. Each pass is as
    `Pass.with_planes` returns it, and in a world with water by mass and atoms as `Pass.beside_amounts` does.

    Args:
        rules: the names of the world's rules.
        variants: the variant of each rule, by the rule's name; a rule that is not named runs by its first variant.
        in_part: True if the world is a part of one that several simulations compute; see `Pass.in_part`.
        across: True for a part that has not whole rows.
    """
    having = [rule for rule in rules if RULES[rule].variants]
    passes = (pass_ for rule in having for pass_ in RULES[rule].variant(variants.get(rule)).passes)
    changing = obstacles_change(rules)
    replaced = {name for rule in rules for name in RULES[rule].replaces}
    needed = (
        pass_.in_part(across) if in_part else pass_
        for pass_ in passes
        if (changing or not pass_.if_obstacles_change)
        and pass_.full_name not in replaced
        and (in_part or not (pass_.sums_up or pass_.only_in_part))
        and (across or not (pass_.sums_up == "across" or pass_.only_across))
    )
    planes = [plane.name for plane in fields.planes_of(fields_of(rules))]
    there = [
        pass_.with_planes(planes) for pass_ in needed if pass_.matter in ("", *rules) and pass_.beside in ("", *rules)
    ]
    plane = amounts_beside_atoms(rules)
    return [pass_.beside_amounts(plane) for pass_ in there] if plane else there


def works_for(pass_: Pass, rule: str | None) -> bool:
    """True if a pass belongs to a rule, or to a rule that replaces passes of it."""
    return pass_.rule == rule or any(name.partition(".")[0] == rule for name in RULES[pass_.rule].replaces)


def solids_change(rules: Iterable[str]) -> bool:
    """True if one of the rules turns solids into other matter, or other matter into solids."""
    return any(RULES[rule].changes_solids for rule in rules)


def obstacles_change(rules: Sequence[str]) -> bool:
    """True if the cells can change that no amount of matter can enter; see `Laws.obstacles`."""
    return solids_change(rules) or bool(amounts_beside_atoms(rules))


def with_requirements(rule: str, beside: Iterable[str] = ()) -> tuple[str, ...]:
    """The smallest set of rules with which a rule can run: the rules that it needs, then the rule itself.

    Args:
        rule: the name of the rule.
        beside: the other rules of the world. Some rules work on one of several rules: the result then has those of them
            that are named here, or else the first.
    """
    works_on = RULES[rule].requires.works_on
    return (*RULES[rule].requires.needs, *([each for each in works_on if each in beside] or works_on[:1]), rule)


def _kinds_of_cells(rule: str, passes: Iterable[Pass]) -> list[str]:
    """The kinds of cells (`Pass.matter`) for which a rule has some of these passes, in the order of its variants."""
    there = {pass_.matter for pass_ in passes if pass_.rule == rule}
    return list(dict.fromkeys(each.matter for each in RULES[rule].passes if each.matter and each.matter in there))


@dataclass(frozen=True, slots=True)
class Call:
    """One run of one pass.

    Args:
        pass_: the pass.
        tick: the number of the tick.
        substep, substeps: the number of this run in the tick, from 0 on, and the number of such runs.
        port: the emitter or drain that the call serves; None if the pass serves none.
        number: the index of the port among the world's emitters or drains.
        layer: the layer of the mixture for which the pass runs; 0 if the pass does not run by layers.
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
    """The calls of every tick of one world. The simulation, the oracle and the check all follow a schedule.

    Args:
        laws: the laws of the world.
        emitters, drains: the ports of the world.
        variants: the variant of each rule, by the rule's name; by default the first, which the oracle follows.
        in_part: True if the world is a part of one that several simulations compute.
        across: True for a part that has not whole rows.
    """

    laws: Laws
    emitters: Sequence[Emitter]
    drains: Sequence[Drain]
    variants: Mapping[str, str] = field(default_factory=dict)
    in_part: bool = False
    across: bool = False

    @cached_property
    def passes(self) -> list[Pass]:
        """The passes of a tick, in the order of `TICK`.

        Of a rule that works on several kinds of cells (`Pass.matter`) all passes for the kind that the rule declares
        first come first, in the order of `TICK`, then all for the next.
        """
        in_tick = sorted(
            passes_of(self.laws.rules, self.variants, self.in_part, self.across),
            key=lambda pass_: TICK.index(pass_.full_name),
        )
        found: list[Pass] = []
        for pass_ in in_tick:
            kinds = _kinds_of_cells(pass_.rule, in_tick)
            if len(kinds) < 2 or not pass_.matter:
                found.append(pass_)
            elif pass_ not in found:
                found += [
                    other for kind in kinds for other in in_tick if (other.rule, other.matter) == (pass_.rule, kind)
                ]
        return found

    @cached_property
    def _rounds(self) -> list[tuple[list[Pass], int]]:
        """The rounds of a tick: groups of passes that are repeated together, each with its number of repetitions.

        Passes of one rule, for one kind of cells, that are repeated by the same parameter form a round: all of them run
        once, then all again. So do a pass and those that run before it. A round runs at the position in `passes` of its
        first pass that serves no emitter or drain.
        """
        rounds: dict[tuple[str, str, str], list[Pass]] = {}
        for pass_ in self.passes:
            together = pass_.repeats or pass_.before or pass_.name
            rounds.setdefault((pass_.rule, pass_.matter, together), []).append(pass_)
        ordered = sorted(rounds.values(), key=self._place)
        return [(passes, self._substeps(passes[0])) for passes in ordered]

    def _place(self, passes: Sequence[Pass]) -> int:
        """The position of a round in `passes`: that of its first pass that serves no emitter or drain, if any."""
        own = [pass_ for pass_ in passes if not pass_.over.serves_ports] or passes
        return self.passes.index(own[0])

    def runs(self, pass_: Pass) -> int:
        """The number of runs of a pass in a tick; of a pass that serves ports, for each port."""
        layers = len(self.laws.mixture.layers_with(pass_.for_each)) if pass_.for_each else 1
        return self._substeps(pass_) * layers

    def _substeps(self, pass_: Pass) -> int:
        """The number of runs of a pass in a tick."""
        return int(self.laws.parameters[pass_.rule][pass_.repeats]) if pass_.repeats else pass_.times

    @cached_property
    def emitting(self) -> list[str | None]:
        """The name of the rule that serves each emitter."""
        records = [self.laws.materials.records[self.laws.materials[emitter.material]] for emitter in self.emitters]
        return [emitting_rule(self.laws.rules, record, self.laws.mixture.names) for record in records]

    def _served(self, pass_: Pass) -> Sequence[tuple[int, Emitter | Drain]]:
        """The emitters or drains that a pass serves, with their indices.

        One rule serves an emitter. All rules serve every drain.
        """
        if pass_.over is Over.DRAINS:
            return list(enumerate(self.drains))
        return [(n, emitter) for n, emitter in enumerate(self.emitters) if works_for(pass_, self.emitting[n])]

    def calls(self, tick: int) -> Iterator[Call]:
        """The calls of one tick, in order."""
        for for_each, group in groupby(self._rounds, key=lambda each: each[0][0].for_each):
            rounds = list(group)
            for layer in self.laws.mixture.layers_with(for_each) if for_each else (0,):
                for passes, substeps in rounds:
                    for substep in range(substeps):
                        for pass_ in passes:
                            yield from self._calls_of(pass_, tick, substep, substeps, layer)

    def _calls_of(self, pass_: Pass, tick: int, substep: int, substeps: int, layer: int) -> Iterator[Call]:
        """One call of a pass. A pass that serves emitters or drains has one call for each that acts in the tick."""
        if not pass_.over.serves_ports:
            yield Call(pass_, tick, substep, substeps, layer=layer)
            return
        for number, port in self._served(pass_):
            if port.acts(tick):
                yield Call(pass_, tick, substep, substeps, port, number)

    def dispatches(self, tick: int) -> Iterator[Sequence[Call]]:
        """The calls of one tick, in order; those that a dispatch serves together, because their order does not matter.

        These are calls of one pass for ports of which none sees what another changes.
        """
        for _, group in groupby(self.calls(tick), key=lambda call: (id(call.pass_), call.substep, call.layer)):
            calls = list(group)
            if self.in_part or len(calls) == 1:  # in a part a copy of a port can lie in the halo, beside another port
                yield from ([call] for call in calls)
            else:
                sizes = [call.port.size for call in calls if call.port is not None]
                for numbers in in_turns(self._meeting(calls), sizes):
                    yield [calls[number] for number in numbers]

    def _meeting(self, calls: Sequence[Call]) -> np.ndarray:
        """The pairs of the ports of some calls of a pass that meet: (calls, calls) bool, see `serving.meeting`."""
        ports = [call.port for call in calls if call.port is not None]
        at, size = (np.array([[getattr(port, name) for port in ports]]) for name in ("at", "size"))
        return meeting(at, size, self._beside_ports(calls[0].pass_), self._around)

    def _beside_ports(self, pass_: Pass) -> tuple[int, int]:
        """`Pass.port_reach` in (columns, rows) of the world."""
        across, along = pass_.port_reach
        return (along, across) if self.laws.gravity in ("left", "right") else (across, along)

    @property
    def _around(self) -> tuple[int, int] | None:
        """(width, height) of the world if it is a torus."""
        return (self.laws.width, self.laws.height) if self.laws.edges == "wrap" else None

    def acting(self, tick: int) -> tuple[object, ...]:
        """For each emitter, then each drain: True if it acts in a tick.

        Two ticks with the same result have the same calls, apart from the tick number.
        """
        return tuple([port.acts(tick) for port in (*self.emitters, *self.drains)])

    @property
    def settle_ticks(self) -> int | None:
        """The number of successive inactive ticks that prove rest; None: no number of ticks does."""
        ticks = [RULES[rule].settle_ticks(self.laws) for rule in self.laws.rules]
        return None if None in ticks else max(n for n in ticks if n is not None)

    def steady_from(self, tick: int) -> bool:
        """True if no emitter or drain starts after a tick, and no emitter acts by chance in this tick or later."""
        ports = [*self.emitters, *self.drains]
        by_chance = [emitter for emitter in self.emitters if 0 < emitter.chance_fixed < CHANCE_ONE]
        return not any(port.start > tick for port in ports) and not any(not port.ends(tick) for port in by_chance)
