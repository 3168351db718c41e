"""Decides the variant of each rule: the requested one, else the measured one, else the device's default."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES

Wanted = str | Sequence[str] | Mapping[str, str] | None
"""Variants as a caller names them; see `requested`."""

Complete = Callable[[Mapping[str, Choice], Sequence[str]], Mapping[str, Choice]]
"""Takes the kept choices, by rule, and the rules without one; returns the choices to use, by rule."""


def names_of(rule: str) -> list[str]:
    """The names of a rule's variants."""
    return [variant.name for variant in RULES[rule].variants]


def requested(rules: Sequence[str], wanted: Wanted) -> dict[str, str]:
    """The requested variants, by rule.

    Args:
        rules: the rules of a world.
        wanted: one or more names: ``strips`` means this variant of every rule that has it, ``flow.strips`` that of one
            rule. Or names by rule; other rules than those of the world are ignored.
    Raises: UsageError: a variant that none of the rules has, or two variants of one rule.
    """
    if isinstance(wanted, Mapping):
        wanted = [f"{rule}.{name}" for rule, name in wanted.items() if rule in rules]
    found: dict[str, str] = {}
    if wanted is not None and not isinstance(wanted, Iterable):
        raise UsageError(f"variant: {shown(wanted)}; expected names, or names by rule")
    for word in [wanted] if isinstance(wanted, str) else wanted or ():
        only, _, name = str(word).rpartition(".")
        having = [rule for rule in rules if only in ("", rule) and name in names_of(rule)]
        if not having:
            raise UsageError(f"variant: {shown(word)} is not known to {', '.join(rules)}{_hint(str(word), rules)}")
        for rule in having:
            if found.setdefault(rule, name) != name:
                both = f"{found[rule]!r} and {name!r} are both of rule {rule}"
                raise UsageError(f"variant: {both}; expected one of them, such as '{rule}.{name}'")
    return found


def _hint(word: str, rules: Sequence[str]) -> str:
    if len(rules) == 1:
        return did_you_mean(word, names_of(rules[0]))
    return did_you_mean(word, [f"{rule}.{name}" for rule in rules for name in names_of(rule)])


def kept(device: Device) -> dict[str, Choice]:
    """The choices measured on a device, by rule. A rule whose set of variants has changed since is left out."""
    found = choices.kept(device.renderer, device.version)
    return {rule: found[rule] for rule in RULES if rule in found and found[rule].known == set(names_of(rule))}


def default(rule: str, device: Device) -> str:
    """The variant for a device on which the rule was not measured."""
    suiting = [each.name for each in RULES[rule].variants if each.software in (None, device.software)]
    return (suiting or names_of(rule))[0]


def decide(rules: Sequence[str], wanted: Wanted, device: Device, complete: Complete | None = None) -> dict[str, str]:
    """Decide the variant of each rule: the requested one, else the measured one, else the device's default.

    No other function decides this; callers keep the result.

    Args:
        rules: the rules of a world.
        wanted: as for `requested`. A result of `decide` for these rules is returned unchanged.
        device: the device that runs them.
        complete: measures the rules without a kept choice; None: nothing is measured.
    Returns: the name of a variant for each rule, in the order of the rules.
    Raises: UsageError: as `requested`.
    """
    given = requested(rules, wanted)
    left = [rule for rule in rules if rule not in given]
    if not left:
        return {rule: given[rule] for rule in rules}
    found: Mapping[str, Choice] = {rule: choice for rule, choice in kept(device).items() if rule in left}
    if complete is not None:
        found = complete(found, [rule for rule in left if rule not in found and len(RULES[rule].variants) > 1])
    measured = {rule: choice.variant for rule, choice in found.items()}
    return {rule: given.get(rule) or measured.get(rule) or default(rule, device) for rule in rules}
