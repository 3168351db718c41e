"""What a measurement of the variants might have found, without one."""

from __future__ import annotations

from gpufluid.core.errors import DeviceError
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import shared_device
from gpufluid.gpu.variants import default, names_of
from gpufluid.rules import RULES


def choice_of(rule: str, variant: str) -> Choice:
    """As if this variant had taken a second a tick, and each other one two."""
    return Choice(variant, {name: 1.0 if name == variant else 2.0 for name in names_of(rule)}, {})


def keep_defaults() -> None:
    """Keep it as if all rules had been measured here, and for each the default had been the fastest."""
    try:
        device = shared_device()
    except DeviceError:  # what needs one will say so
        return
    choices.keep(device.renderer, device.version, {rule: choice_of(rule, default(rule, device)) for rule in RULES})
