"""Which variant of each rule runs on a device."""

from __future__ import annotations

from collections.abc import Sequence

from gpufluid.errors import UsageError, did_you_mean
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES


def chosen(rules: Sequence[str], wanted: str | Sequence[str] | None, device: Device) -> dict[str, str]:
    """The variants by their rules' names: those asked for, and for other rules what suits the device.

    Raises: UsageError: a variant that none of these rules has.
    """
    names = [wanted] if isinstance(wanted, str) else list(wanted or ())
    known = {rule: [variant.name for variant in RULES[rule].variants] for rule in rules}
    for name in names:
        if not any(name in own for own in known.values()):
            every = [each for own in known.values() for each in own]
            raise UsageError(f"variant: {name!r} is not known to {', '.join(rules)}{did_you_mean(name, every)}")
    found = {}
    for rule in rules:
        asked = [name for name in names if name in known[rule]]
        suiting = [each.name for each in RULES[rule].variants if each.software == device.software]
        found[rule] = (asked or suiting or known[rule])[0]
    return found
