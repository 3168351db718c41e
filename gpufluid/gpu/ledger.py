"""The ledger on the device: 64-bit sums that any order of additions leaves the same."""

from __future__ import annotations

from dataclasses import astuple, fields

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.world import Ledger

_ENTRIES = tuple(entry.name for entry in fields(Ledger))

_COUNT = """
void count_{name}(uvec2 units, uint tick)
{{
    ledger[{last}] = tick;  // whoever writes it in a tick writes the same
    uint before = atomicAdd(ledger[{low}], units.x);
    uint carry = (before + units.x < before) ? 1u : 0u;  // exactly one addition sees each overflow
    if (units.y + carry > 0u)
        atomicAdd(ledger[{high}], units.y + carry);
}}
"""


def ledger_glsl(counts: tuple[str, ...]) -> str:
    """``generated/ledger.glsl``: the buffer, and ``count_<entry>(uvec2(low, high), tick)`` for each entry wanted."""
    if not counts:
        return ""
    last = 2 * len(_ENTRIES)
    declared = f"layout(std430, binding = 0) buffer LedgerBuffer\n{{\n    uint ledger[{last + 1}];\n}};\n"
    numbers = [(name, 2 * _ENTRIES.index(name)) for name in counts]
    return declared + "".join(_COUNT.format(name=name, low=n, high=n + 1, last=last) for name, n in numbers)


class LedgerBuffer:
    """A storage buffer that holds a ledger, two 32-bit words an entry, the low one first, and when it last changed."""

    def __init__(self, device: Device, ledger: Ledger, tick: int) -> None:
        words = np.array(astuple(ledger), "<u8").view("<u4")
        before = np.array([(tick - 1) & 0xFFFFFFFF], "<u4")
        self.buffer: moderngl.Buffer = device.context.buffer(np.concatenate([words, before]).tobytes())

    def read(self) -> Ledger:
        """The ledger now."""
        return Ledger(*(int(units) for units in self._words()[:-1].view("<u8")))

    def changed_in(self, tick: int) -> bool:
        """Whether anything was counted in a tick; the tick asked for is the last one, or the answer is no."""
        return int(self._words()[-1]) == tick & 0xFFFFFFFF

    def _words(self) -> np.ndarray:
        return np.frombuffer(self.buffer.read(), "<u4")

    def release(self) -> None:
        """Give the memory back."""
        self.buffer.release()
