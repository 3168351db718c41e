"""The ledger on the device: 64-bit sums that any order of additions leaves the same."""

from __future__ import annotations

from dataclasses import astuple, fields

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.world import Ledger

_ENTRIES = tuple(entry.name for entry in fields(Ledger))

_COUNT = """
void count_{name}(uvec2 units)
{{
    uint before = atomicAdd(ledger[{low}], units.x);
    uint carry = (before + units.x < before) ? 1u : 0u;  // exactly one addition sees each overflow
    if (units.y + carry > 0u)
        atomicAdd(ledger[{high}], units.y + carry);
}}
"""


def ledger_glsl(counts: tuple[str, ...]) -> str:
    """``generated/ledger.glsl``: the buffer, and ``count_<entry>(uvec2(low, high))`` for each entry that is wanted."""
    if not counts:
        return ""
    declared = f"layout(std430, binding = 0) buffer LedgerBuffer\n{{\n    uint ledger[{2 * len(_ENTRIES)}];\n}};\n"
    numbers = {name: _ENTRIES.index(name) for name in counts}
    return declared + "".join(_COUNT.format(name=name, low=2 * n, high=2 * n + 1) for name, n in numbers.items())


class LedgerBuffer:
    """A storage buffer that holds a ledger: two 32-bit words an entry, the low one first."""

    def __init__(self, device: Device, ledger: Ledger) -> None:
        self.buffer: moderngl.Buffer = device.context.buffer(np.array(astuple(ledger), "<u8").tobytes())

    def read(self) -> Ledger:
        """The ledger now."""
        return Ledger(*(int(units) for units in np.frombuffer(self.buffer.read(), "<u8")))

    def release(self) -> None:
        """Give the memory back."""
        self.buffer.release()
