"""Choices of variants with given times instead of measured ones."""

from __future__ import annotations

from gpufluid.core.errors import DeviceError
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import shared_device
from gpufluid.gpu.variants import default, names_of
from gpufluid.rules import RULES


def choice_of(rule: str, variant: str) -> Choice:
    """A choice in which this variant takes one second a tick, and each other one two seconds."""
    return Choice(variant, {name: 1.0 if name == variant else 2.0 for name in names_of(rule)}, {})


def keep_defaults() -> None:
    """Keep a choice for each rule in which the default variant is the fastest."""
    try:
        device = shared_device()
    except DeviceError:  # tests that need a device report it
        return
    choices.keep(device.renderer, device.version, {rule: choice_of(rule, default(rule, device)) for rule in RULES})
