"""Which variant of each rule runs on a device: what is asked for, else what was measured there, else what suits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES

Wanted = str | Sequence[str] | Mapping[str, str] | None
"""Variants as a caller names them; see `asked`."""

Complete = Callable[[Mapping[str, Choice], Sequence[str]], Mapping[str, Choice]]
"""Takes the measurements that are kept, by rule, and the rules of which none is; returns those that count."""


def names_of(rule: str) -> list[str]:
    """The names of a rule's variants."""
    return [variant.name for variant in RULES[rule].variants]


def asked(rules: Sequence[str], wanted: Wanted) -> dict[str, str]:
    """The variants that are asked for, by rule.

    Args:
        rules: those of a world.
        wanted: a name or several, ``strips`` of every rule that has it, ``flow.strips`` of this one; or names by rule,
            where what is said of other rules than these does not matter.
    Raises: UsageError: a variant that none of these rules has, or two of one rule.
    """
    if isinstance(wanted, Mapping):
        wanted = [f"{rule}.{name}" for rule, name in wanted.items() if rule in rules]
    found: dict[str, str] = {}
    for word in [wanted] if isinstance(wanted, str) else wanted or ():
        only, _, name = str(word).rpartition(".")
        having = [rule for rule in rules if only in ("", rule) and name in names_of(rule)]
        if not having:
            raise UsageError(f"variant: {shown(word)} is not known to {', '.join(rules)}{_hint(str(word), rules)}")
        for rule in having:
            if found.setdefault(rule, name) != name:
                both = f"{found[rule]!r} and {name!r} are both of rule {rule}"
                raise UsageError(f"variant: {both}; expected one of them, or of one rule as in '{rule}.{name}'")
    return found


def _hint(word: str, rules: Sequence[str]) -> str:
    if len(rules) == 1:
        return did_you_mean(word, names_of(rules[0]))
    return did_you_mean(word, [f"{rule}.{name}" for rule in rules for name in names_of(rule)])


def kept(device: Device) -> dict[str, Choice]:
    """What was measured on a device, by rule; nothing of a rule that has got or lost variants since."""
    found = choices.kept(device.renderer, device.version)
    return {rule: found[rule] for rule in RULES if rule in found and found[rule].known == set(names_of(rule))}


def default(rule: str, device: Device) -> str:
    """The variant that suits a device of which nothing is known."""
    suiting = [each.name for each in RULES[rule].variants if each.software == device.software]
    return (suiting or names_of(rule))[0]


def decide(rules: Sequence[str], wanted: Wanted, device: Device, complete: Complete | None = None) -> dict[str, str]:
    """Decide which variant runs each rule: the one asked for, else the one measured here, else what suits the device.

    No other function decides it. Callers keep the answer and pass it on.

    Args:
        rules: those of a world.
        wanted: as for `asked`. An earlier answer of `decide` that names all these rules is returned as it is.
        device: where they run.
        complete: measures what was never measured here; by default nothing is measured.
    Returns: a variant's name for each rule, in the order of the rules.
    Raises: UsageError: as `asked`.
    """
    given = asked(rules, wanted)
    left = [rule for rule in rules if rule not in given]
    if not left:
        return {rule: given[rule] for rule in rules}
    found: Mapping[str, Choice] = {rule: choice for rule, choice in kept(device).items() if rule in left}
    if complete is not None:
        found = complete(found, [rule for rule in left if rule not in found and len(RULES[rule].variants) > 1])
    measured = {rule: choice.variant for rule, choice in found.items()}
    return {rule: given.get(rule) or measured.get(rule) or default(rule, device) for rule in rules}
