"""Checks of rules: a rule that contradicts itself, a field, a plane, another rule or the tick is an error.

`check` is called when rules are added; nothing here runs with a world.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from importlib.machinery import PathFinder
from importlib.util import find_spec

from gpufluid.core import fields
from gpufluid.core.errors import did_you_mean
from gpufluid.core.fields import DeclarationError
from gpufluid.core.opengl_limits import excess
from gpufluid.core.paths import shaders_folder
from gpufluid.rules.passes import TRACE, UNBOUNDED, Over, Pass, Scratch
from gpufluid.rules.schema import Rule, Variant

_MOVED = "moved"
"""The one thing that passes count and that no ledger has: the units of a mixture that moved between cells."""


def check(rules: Mapping[str, Rule], tick: Sequence[str]) -> None:
    """Check that the declarations of all rules agree.

    Args:
        rules: all rules, by name.
        tick: the order of passes in a tick, each as ``rule.pass``.
    Raises: DeclarationError: the first contradiction; the message names both sides.
    """
    for problem in _Checks(rules, tick).problems():
        raise DeclarationError(problem)


def smallest_worlds(rules: Mapping[str, Rule], names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The smallest sets of rules that include some rules and that a world can have; none if the rules conflict.

    Args:
        rules: all rules, by name.
        names: the names of the rules to include.
    Yields: the names of the rules of each set, in the order of all rules.
    """
    for found in _Checks(rules, ()).completed(frozenset(names)):
        yield tuple(name for name in rules if name in found)


def check_images(rule: Rule) -> None:
    """Check that no pass of a rule binds too many images, even if atoms carry all planes that they can carry.

    Raises: DeclarationError: a pass binds more than OpenGL 4.3 guarantees; the message names all its images.
    """
    carried = TRACE, *fields.carried_planes()
    for pass_ in (pass_ for variant in rule.variants for pass_ in variant.passes):
        for each in (whole := pass_.with_planes(fields.PLANES), *map(whole.beside_amounts, fields.AMOUNT_PLANES)):
            if problem := excess(f"pass {pass_.full_name}", {"images": each.image_names(carried)}):
                raise DeclarationError(problem)


@dataclass(frozen=True, slots=True)
class _Checks:
    """The checks of all rules together; each method yields one message for each contradiction."""

    rules: Mapping[str, Rule]
    tick: Sequence[str]

    def problems(self) -> Iterator[str]:
        for rule in self.rules.values():
            yield from self._requirements(rule)
        yield from self._scratch_twice()
        for rule in self.rules.values():
            yield from _fields(rule)
            yield from _names_twice(rule)
            yield from _variants(rule)
            yield from _settle_ticks(rule)
            yield from _oracle(rule)
            for variant in rule.variants:
                for pass_ in variant.passes:
                    yield from self._pass(rule, variant, pass_)
                yield from self._overlays(rule, variant)
        yield from self._fields_of_no_rule()

    def _requirements(self, rule: Rule) -> Iterator[str]:
        """The rules and parameters that a rule names exist, and some world can have all rules that it requires."""
        requires = rule.requires
        for name in (*requires.needs, *requires.works_on):
            if name not in self.rules:
                hint = did_you_mean(name, self.rules)
                yield f"rule {rule.name}: requires rule {name!r}, which is not there{hint}"
        for each in rule.unused:
            name, _, parameter = each.partition(".")
            known = [own.name for own in self.rules[name].parameters] if name in self.rules else []
            if parameter not in (*known, "preset"):
                hint = did_you_mean(parameter, known)
                yield f"rule {rule.name}: leaves parameter {each!r} unused, which is not there{hint}"
        if not any(self.completed(frozenset({rule.name}))):
            yield (
                f"rule {rule.name}: cannot be in any world: it needs {requires.needs}, works on {requires.works_on}"
                f" and conflicts with {requires.conflicts}"
            )

    def completed(self, names: frozenset[str]) -> Iterator[frozenset[str]]:
        """The smallest sets of rules that include these and meet the requirements of all their rules."""
        for name in sorted(names):
            requires = self.rules[name].requires
            if not names.issuperset(requires.needs):
                yield from self.completed(names.union(requires.needs))
                return
            if requires.works_on and names.isdisjoint(requires.works_on):
                for other in requires.works_on:
                    yield from self.completed(names | {other})
                return
        if all(names.isdisjoint(self.rules[name].requires.conflicts) for name in names):
            yield names

    def _companies(self, pass_: Pass) -> Iterator[frozenset[str]]:
        """The smallest sets of rules with which a pass runs."""
        changing = [name for name, rule in self.rules.items() if rule.changes_solids]
        for changer in changing if pass_.if_obstacles_change else [pass_.rule]:
            yield from self.completed(
                frozenset({pass_.rule, changer, pass_.matter or pass_.rule, pass_.beside or pass_.rule})
            )

    def _pass(self, rule: Rule, variant: Variant, pass_: Pass) -> Iterator[str]:
        problems = (
            _own_facts(rule, pass_),
            self._place(rule, variant, pass_),
            _files(rule, pass_),
            self._company(pass_),
            self._scratch(variant, pass_),
            self._reach(variant, pass_),
            _recorded(variant, pass_),
        )
        for each in problems:
            yield from (f"pass {pass_.full_name}: {problem}" for problem in each)

    def _place(self, rule: Rule, variant: Variant, pass_: Pass) -> Iterator[str]:
        """A pass has its place in the tick, beside its own; its tiles are activated, for matter that its rule knows."""
        if pass_.full_name not in self.tick:
            yield "is not in TICK, the order of a tick"
        if pass_.beside and pass_.beside not in self.rules:
            yield f"runs beside rule {pass_.beside!r}, which is not there{did_you_mean(pass_.beside, self.rules)}"
        if pass_.matter not in ("", *rule.requires.works_on):
            yield f"is for matter of rule {pass_.matter!r}, but rule {rule.name} works on {rule.requires.works_on}"
        together = [each for each in variant.passes if each.name == pass_.before]
        if pass_.before and [each.times for each in together] != [pass_.times]:
            known = f"{together[0].times} times" if together else "not"
            yield f"runs {pass_.times} times, before {pass_.before!r}, which variant {variant.name!r} has {known}"
        activating = [each.name for each in variant.passes if each.lists_tiles]
        if pass_.activated_by not in ("", *activating):
            yield (
                f"is activated by {pass_.activated_by!r}, but variant {variant.name!r} has tiles activated by"
                f" {[*dict.fromkeys(activating)]}"
            )
        for each in variant.passes:
            if each.lists_tiles and each.name == pass_.activated_by and each.needs not in ((), pass_.needs):
                yield f"needs {pass_.needs}, but runs over the tiles of {each.full_name}, which needs {each.needs}"
            if each.lists_tiles and each.name == pass_.activated_by and each.tests_tiles != pass_.tests_tiles:
                other = f"runs over the tiles of {each.full_name}, which has {each.tests_tiles}"
                yield f"has tests_tiles={pass_.tests_tiles}, but {other}"
            alike = each.over.takes_several_groups == pass_.over.takes_several_groups
            if each.lists_tiles and each.name == pass_.activated_by and not alike:
                yield f"runs over {pass_.over.name}, but over the tiles of {each.full_name}, over {each.over.name}"

    def _company(self, pass_: Pass) -> Iterator[str]:
        """Planes, ledger entries and tiles that a pass uses are there in every world in which the pass runs."""
        used = (*pass_.reads, *pass_.gathers, *pass_.updates)
        for plane in (*used, *pass_.reads_there, *pass_.updates_there):
            if plane not in fields.PLANES:
                yield f"uses plane {plane!r}, which no rule declares"
        declared = dict.fromkeys(_entries(self.rules.values()))
        for entry in pass_.counts_there:
            if entry not in declared:
                yield f"counts {entry!r}, which is an entry of no quantity{did_you_mean(entry, declared)}"
        for names in self._companies(pass_):
            company = [self.rules[name] for name in sorted(names)]
            there = [plane.name for plane in fields.planes_of(name for rule in company for name in rule.fields)]
            for plane in used:
                if plane not in there:
                    yield f"uses plane {plane!r}, but rules {sorted(names)} have only planes {there}"
            entries = [_MOVED, *_entries(company)]
            for entry in pass_.counts:
                if entry not in entries:
                    hint = did_you_mean(entry, dict.fromkeys(entries))
                    yield f"counts {entry!r}, which is an entry of no quantity of rules {sorted(names)}{hint}"
            if pass_.tiled_by not in names:
                yield f"wakes tiles of rule {pass_.wakes!r}, but runs with rules {sorted(names)} alone"

    def _scratch(self, variant: Variant, pass_: Pass) -> Iterator[str]:
        """Scratch that a pass uses is written by its variant, or by each variant of a rule that is always there."""
        own = [each for each in variant.passes if each.matter in ("", pass_.matter)]
        for scratch in (each for each in (*pass_.takes, *pass_.refines) if not each.is_given):
            beside = all(self._is_written_in(names - {pass_.rule}, scratch) for names in self._companies(pass_))
            if not (beside or _writes(own, scratch)):
                yield _unwritten(scratch, variant)
            others = [other.variants for name, other in self.rules.items() if name != pass_.rule]
            writing = [own] if _writes(own, scratch) else [each.passes for every in others for each in every]
            for passes in writing:
                yield from _left_out(passes, scratch, pass_.needs, pass_.rule)

    def _scratch_twice(self) -> Iterator[str]:
        """Scratch of one name is declared alike by all passes, because it is one image in a world."""
        first: dict[str, tuple[Pass, Scratch]] = {}
        for pass_ in (each for rule in self.rules.values() for variant in rule.variants for each in variant.passes):
            for scratch in (*pass_.writes, *pass_.takes, *pass_.refines):
                other, known = first.setdefault(scratch.name, (pass_, scratch))
                if known != scratch:
                    yield f"passes {other.full_name} and {pass_.full_name}: declare {known} and {scratch}"

    def _fields_of_no_rule(self) -> Iterator[str]:
        """Each declared field is a field of some rule, because a world has the fields of its rules and no others."""
        had = {name for rule in self.rules.values() for name in _own_fields(rule)}
        for each in fields.FIELDS.values():
            if each.name not in had:
                yield f"field {each.name}: is declared, but is among the fields of none of the rules {[*self.rules]}"

    def _is_written_in(self, names: Iterable[str], scratch: Scratch) -> bool:
        beside = [self.rules[name] for name in names]
        return any(rule.variants and all(_writes(each.passes, scratch) for each in rule.variants) for rule in beside)

    def _overlays(self, rule: Rule, variant: Variant) -> Iterator[str]:
        """Scratch that an overlay shows is written by every variant."""
        for overlay, scratch in ((each, scratch) for each in rule.overlays for scratch in each.takes):
            named = f"overlay {overlay.name} of rule {rule.name}"
            if not _writes(variant.passes, scratch):
                yield f"{named}: {_unwritten(scratch, variant)}"
            yield from (f"{named}: {problem}" for problem in _left_out(variant.passes, scratch, (), rule.name))

    def _reach(self, variant: Variant, pass_: Pass) -> Iterator[str]:
        """A pass of finite reach uses no scratch that a pass of unbounded reach fills, whatever the other's rule.

        It may fill scratch that such a pass refines after it: its own results do not depend on that. Its reach has the
        numbers of columns and rows, so it declares no others.
        """
        declared = {"rows": pass_.rows, "columns": pass_.columns}
        known = {name: number for name, number in declared.items() if number is not None}
        yield from (f"has {name} {number}; expected 0 or more" for name, number in known.items() if number < 0)
        if pass_.reach is None:  # unbounded
            return
        for name, number in known.items():
            yield f"has {name} {number}, but also the finite reach {pass_.reach}; expected one of the two"
        if min(pass_.reach) < 0:
            yield f"has reach {pass_.reach}; expected distances of 0 or more"
        others = [rule for rule in self.rules.values() if rule.name != pass_.rule]
        beside = [other for rule in others for each in rule.variants for other in each.passes]
        for other in (*variant.passes, *beside):
            if other.reach is not UNBOUNDED:
                continue
            for scratch in (*pass_.takes, *pass_.writes, *pass_.refines):
                if scratch in other.writes or (scratch in other.refines and scratch not in pass_.writes):
                    found = f"has the finite reach {pass_.reach}, but uses scratch {scratch.name!r}"
                    yield f"{found}, which {other.full_name} fills, whose reach is unbounded"


def _fields(rule: Rule) -> Iterator[str]:
    """A rule has the fields that it declares and in which it holds materials, and all its fields are declared."""
    own = _own_fields(rule)
    for each in rule.declares:
        if isinstance(each, fields.Field) and each.name not in own:
            yield f"field {each.name}: rule {rule.name} declares it, but its fields are {own}"
    for name in own:
        if name not in fields.FIELDS:
            yield f"rule {rule.name}: has field {name!r}, which no rule declares"
    for material, name in rule.held(["its mixture"]).items():
        if name not in rule.fields:
            yield f"rule {rule.name}: holds {material} in field {name!r}, but its fields are {rule.fields}"


def _own_fields(rule: Rule) -> tuple[str, ...]:
    """The names of the fields that some world has because of a rule."""
    return (*rule.fields, *(name for names in rule.fields_beside.values() for name in names))


def _names_twice(rule: Rule) -> Iterator[str]:
    """Two parameters, variants, streams or overlays of one rule have different names."""
    kinds = {
        "parameters": rule.parameters,
        "variants": rule.variants,
        "streams": rule.streams,
        "overlays": rule.overlays,
    }
    for kind, records in kinds.items():
        first: dict[str, object] = {}
        for each in records:
            if each.name in first:
                both = f"{first[each.name]} and {each}"
                yield f"rule {rule.name}: has two {kind} {each.name!r}: {both}"
            first[each.name] = each


def _variants(rule: Rule) -> Iterator[str]:
    """All variants have the same passes that change the state; others, such as `Pass.analysis_only`, may differ.

    A pass has the same reach in all variants, because they compute the same results.
    """
    if not rule.variants:
        return
    known: dict[tuple[str, str], tuple[Variant, Pass]] = {}
    for variant in rule.variants:
        for pass_ in variant.passes:
            before, same = known.setdefault((pass_.name, pass_.matter), (variant, pass_))
            if (same.reach, same.rows, same.columns) != (pass_.reach, pass_.rows, pass_.columns):
                one, other = (
                    f"reach {each.reach}, columns {each.columns} and rows {each.rows}" for each in (same, pass_)
                )
                has = f"has {one} in variant {before.name!r}, but {other} in variant {variant.name!r}"
                yield f"pass {pass_.full_name}: {has}"
    first, *others = rule.variants
    for other in others:
        for has, lacks in ((first, other), (other, first)):
            for name, matter in _changing(has):
                if (name, matter) not in _changing(lacks):
                    of_matter = f" for matter of rule {matter!r}" if matter else ""
                    yield (
                        f"rule {rule.name}: variant {lacks.name!r} lacks pass {name!r}{of_matter}, which changes the"
                        f" state in variant {has.name!r}"
                    )


def _changing(variant: Variant) -> list[tuple[str, str]]:
    """The name and the matter of each pass of a variant that changes the state."""
    return [(pass_.name, pass_.matter) for pass_ in variant.passes if pass_.gathers or pass_.updates]


def _own_facts(rule: Rule, pass_: Pass) -> Iterator[str]:
    """A pass is its rule's, is repeated by a parameter of the rule, and measures in strips if it measures."""
    if pass_.rule != rule.name:
        yield f"is a pass of rule {pass_.rule!r}, but rule {rule.name} has it"
    parameters = [parameter.name for parameter in rule.parameters]
    if pass_.repeats is not None and pass_.repeats not in parameters:
        yield f"repeats by parameter {pass_.repeats!r}, but rule {rule.name} has parameters {parameters}"
    for kind in pass_.needs:
        if kind not in rule.kinds:
            yield f"needs {kind!r}, but the kinds of rule {rule.name} are {sorted(rule.kinds)}"
    if pass_.measures and pass_.over is not Over.STRIPS:
        yield f"measures what strips move, but works over {pass_.over.name}"


def _recorded(variant: Variant, pass_: Pass) -> Iterator[str]:
    """A pass that changes the state records this, because `Simulation.settled` knows only what passes record.

    A pass may leave that to a pass of its variant that fills scratch for it and marks activity. A pass of
    `Pass.if_obstacles_change` leaves it to the rule that changed the solids.
    """
    changed = [*pass_.gathers, *pass_.updates]
    found_by = (each for each in variant.passes if each.marks_active and {*each.writes} & {*pass_.takes})
    records = pass_.counts or pass_.measures or pass_.marks_active or pass_.if_obstacles_change
    if changed and not records and not any(found_by):
        yield (
            f"changes planes {changed}, but does not count, measure or mark what it changes; expected one of counts,"
            " measures and marks_active"
        )


_NO_TICKS = next(each.default for each in dataclass_fields(Rule) if each.name == "settle_ticks")


def _settle_ticks(rule: Rule) -> Iterator[str]:
    """A rule whose passes mark activity declares how many ticks without a mark prove rest."""
    marking = [pass_.full_name for variant in rule.variants for pass_ in variant.passes if pass_.marks_active]
    if marking and rule.settle_ticks is _NO_TICKS:
        yield (
            f"rule {rule.name}: pass {marking[0]} marks activity, but the rule declares no settle_ticks; expected the"
            " number of inactive ticks that prove rest, or None"
        )


def _entries(company: Iterable[Rule]) -> Iterator[str]:
    """The entries that passes can count: those of all quantities that some rules declare, without those of edits."""
    for rule in company:
        for each in rule.declares:
            if isinstance(each, fields.Quantity):
                yield from (entry for entry in each.entries if entry not in (fields.PAINTED, fields.ERASED))


def _writes(passes: Iterable[Pass], scratch: Scratch) -> bool:
    return any(scratch in pass_.writes for pass_ in passes)


def _left_out(passes: Iterable[Pass], scratch: Scratch, needs: Sequence[str], rule: str) -> Iterator[str]:
    """Scratch is not written in a world without the matter that its writer needs (`Pass.needs`).

    Args:
        passes: the passes that run together, of which some write the scratch.
        scratch: the scratch.
        needs: the kinds of matter without which the scratch is not read.
        rule: the rule to which these kinds belong.
    """
    writers = [each for each in passes if scratch in each.writes]
    if not any(not each.needs or (each.rule == rule and needs and {*needs} <= {*each.needs}) for each in writers):
        yield from (
            f"uses scratch {scratch.name!r}, which {each.full_name} writes only where there is matter that it needs:"
            f" {each.needs}"
            for each in writers[:1]
        )


def _unwritten(scratch: Scratch, variant: Variant) -> str:
    return f"uses scratch {scratch.name!r}, which no pass of variant {variant.name!r} writes"


def _files(rule: Rule, pass_: Pass) -> Iterator[str]:
    """The shader files of a pass are there."""
    folder = rule.shaders or shaders_folder() / rule.name
    needed = [
        f"{pass_.name}.comp",
        *([f"{pass_.layout.file}.glsl"] if pass_.layout.file else []),
        *([f"of_{pass_.matter}.glsl"] if pass_.matter else []),
        *(["activate.glsl"] if pass_.activated_by else []),
    ]
    yield from (f"has no shader file {folder / name}" for name in needed if not (folder / name).is_file())


def _oracle(rule: Rule) -> Iterator[str]:
    """The module of the oracle functions is there, if the rule has passes."""
    module = rule.oracle or f"gpufluid.oracle.{rule.name}"
    if any(variant.passes for variant in rule.variants) and not _is_module(module):
        yield f"rule {rule.name}: has its oracle in module {module}, which is not there"


def _is_module(name: str) -> bool:
    """True if a module can be imported. No package is run to find out, since the oracle imports the rules."""
    top, *inner = name.split(".")
    if name in sys.modules:
        return True
    found = sys.modules[top] if top in sys.modules else find_spec(top)
    places = getattr(found, "__path__", None) or getattr(found, "submodule_search_locations", None)
    for depth in range(len(inner)):
        spec = PathFinder.find_spec(".".join([top, *inner[: depth + 1]]), places) if places else None
        if spec is None:
            return False
        places = spec.submodule_search_locations
    return found is not None
