"""The NumPy twin of rule ``atoms``; each pass equals its shader in ``shaders/atoms/`` bit for bit."""

from gpufluid.oracle.atoms.blocks import settle
from gpufluid.oracle.atoms.bouncing import bounce, join, touch
from gpufluid.oracle.atoms.crossing import drain_falling, drain_gliding, drain_rising
from gpufluid.oracle.atoms.drops import find_drops, form_drops
from gpufluid.oracle.atoms.march import fall, glide, rise, survey
from gpufluid.oracle.atoms.ports import drain, emit
from gpufluid.oracle.atoms.sinking import sink, weigh
from gpufluid.oracle.atoms.spreading import seek, spread

__all__ = [
    "bounce",
    "drain",
    "drain_falling",
    "drain_gliding",
    "drain_rising",
    "emit",
    "fall",
    "find_drops",
    "form_drops",
    "glide",
    "join",
    "rise",
    "seek",
    "settle",
    "sink",
    "spread",
    "survey",
    "touch",
    "weigh",
]
