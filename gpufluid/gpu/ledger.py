"""The ledgers on the device: 64-bit sums that any order of additions leaves the same."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl
import numpy as np

from gpufluid.core.fields import QUANTITIES, Quantity
from gpufluid.gpu.device import Device
from gpufluid.matter.mixtures import CONSTITUENTS_MOST
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger, Ledger, entries_of, ledger_type

_ACCOUNTS = {"": 1, "material": 256, "layer": CONSTITUENTS_MOST}
"""How many accounts the ledger of a quantity has, by `Quantity.by`."""

# The buffer's first words: the tick of the last change; that in which something was last found that moves or could;
# what of a mixture has moved in the tick that runs. Then the accounts of each quantity, two words an entry, the low
# one first.
_LAST, _ACTIVE, _MOVED, _HEAD = 0, 1, 2, 4


def _places() -> dict[str, tuple[int, int]]:
    """The first word of each quantity's accounts and the one after its last, by the quantity's name."""
    found, end = {}, _HEAD
    for name, quantity in QUANTITIES.items():
        found[name] = end, end + 2 * len(quantity.entries) * _ACCOUNTS[quantity.by]
        end = found[name][1]
    return found


def _words() -> int:
    return max(end for _, end in _places().values())


_COUNT_UNITS = """
void count_{name}(uvec2 units, uint tick)
{{
    ledger[{last}] = tick;  // whoever writes it in a tick writes the same
    uint before = atomicAdd(ledger[{low}], units.x);
    uint carry = (before + units.x < before) ? 1u : 0u;  // exactly one addition sees each overflow
    if (units.y + carry > 0u)
        atomicAdd(ledger[{low} + 1], units.y + carry);
}}
"""

_COUNT_ONE = """
void count_{name}(uint material, uint tick)
{{
    ledger[{last}] = tick;
    uint low = {low}u + {stride}u * material;
    if (atomicAdd(ledger[low], 1u) == 0xFFFFFFFFu)
        atomicAdd(ledger[low + 1u], 1u);
}}
"""

_COUNT_OF_LAYER = """
void count_{name}(int layer, uint units, uint tick)
{{
    ledger[{last}] = tick;
    int low = {low} + {stride} * layer;
    if (atomicAdd(ledger[low], units) + units < units)
        atomicAdd(ledger[low + 1], 1u);
}}
"""

_COUNT_SIGNED = """
void count_{name}(int units)
{{
    uint high = units < 0 ? 0xFFFFFFFFu : 0u;
    uint before = atomicAdd(ledger[{low}], uint(units));
    high += (before + uint(units) < before) ? 1u : 0u;
    if (high != 0u)
        atomicAdd(ledger[{low} + 1], high);
}}
"""

_COUNT_MOVED = f"""
void count_moved(uint units)
{{
    if (atomicAdd(ledger[{_MOVED}], units) + units < units)
        atomicAdd(ledger[{_MOVED} + 1], 1u);
}}
"""

_MARK_ACTIVE = f"""
void mark_active(uint tick)
{{
    if (ledger[{_ACTIVE}] != tick)  // to look is cheaper than to write
        ledger[{_ACTIVE}] = tick;
}}
"""


def ledger_glsl(counts: Sequence[str], marks_active: bool = False) -> str:
    """``generated/ledger.glsl``: the buffer, and how to count.

    For each entry wanted there is a function for each quantity that has it, ``count_<entry><Quantity.glsl>``, of

    - ``(uvec2(low, high), tick)``: units;
    - ``(int units)``: units of a quantity whose entries may be negative;
    - ``(material, tick)``: one of a quantity with an account for each material;
    - ``(layer, units, tick)``: units of one with an account for each layer of a mixture.

    For what of a mixture goes from cell to cell there is ``count_moved(units)``. A pass that marks activity has
    ``mark_active(tick)``.
    """
    if not counts and not marks_active:
        return ""
    declared = f"layout(std430, binding = 0) buffer LedgerBuffer\n{{\n    uint ledger[{_words()}];\n}};\n"
    if "moved" in counts:
        declared += _COUNT_MOVED
    if marks_active:
        declared += _MARK_ACTIVE
    for name, (first, _) in _places().items():
        declared += _count_glsl(QUANTITIES[name], first, counts)
    return declared


def _count_glsl(quantity: Quantity, first: int, counts: Sequence[str]) -> str:
    form = {"material": _COUNT_ONE, "layer": _COUNT_OF_LAYER}.get(quantity.by)
    form = form or (_COUNT_SIGNED if quantity.signed else _COUNT_UNITS)
    entries = list(quantity.entries)
    return "".join(
        form.format(
            name=f"{entry}{quantity.glsl}",
            low=first + 2 * entries.index(entry),
            last=_LAST,
            stride=2 * len(entries),
        )
        for entry in counts
        if entry in entries
    )


class LedgerBuffer:
    """A storage buffer that holds a world's ledgers, two 32-bit words an entry, and when one of them last changed.

    Args:
        device: where it lies.
        world: whose ledgers it begins with.
    """

    def __init__(self, device: Device, world: World) -> None:
        self._places, self._words = _places(), _words()
        self.buffer: moderngl.Buffer = device.buffer(4 * self._words)
        self.write(world)

    def write(self, world: World) -> None:
        """Begin with a world's ledgers; nothing has changed or moved since its tick."""
        words = np.zeros(self._words, "<u4")
        words[_LAST] = words[_ACTIVE] = (world.tick - 1) & 0xFFFFFFFF
        for name, (first, end) in self._places.items():
            quantity, ledger = QUANTITIES[name], world.ledgers[name]
            accounts = words[first:end].reshape(_ACCOUNTS[quantity.by], -1)
            numbers = world.mixture if quantity.by == "layer" else world.materials
            by_number = {numbers[each]: account for each, account in ledger.items()} if quantity.by else {0: ledger}
            for number, account in by_number.items():
                accounts[number] = np.array(entries_of(account), "<i8" if quantity.signed else "<u8").view("<u4")
        self.buffer.write(words.tobytes())

    def disturb(self, tick: int) -> None:
        """Something was changed from outside before this tick: whatever lies there may move now."""
        self.buffer.write(np.array([(tick - 1) & 0xFFFFFFFF], "<u4").tobytes(), offset=4 * _ACTIVE)

    def read(self, name: str, laws: World) -> AnyLedger:
        """The ledger of a quantity now.

        Args:
            name: of the quantity.
            laws: the world's, by whose materials, or constituents of its mixture, accounts are named.
        """
        quantity = QUANTITIES[name]
        words = self._read(*self._places[name]).reshape(_ACCOUNTS[quantity.by], -1)
        entries = words.view("<i8" if quantity.signed else "<u8").tolist()
        if not quantity.by:
            return ledger_type(quantity)(*entries[0])
        names = laws.mixture.names if quantity.by == "layer" else [record.name for record in laws.materials]
        return ledger_type(quantity)({each: Ledger(*entries[number]) for number, each in enumerate(names)})

    def read_all(self, laws: World) -> dict[str, AnyLedger]:
        """The ledgers of all quantities now, by name."""
        return {name: self.read(name, laws) for name in self._places}

    def forget_moved(self) -> None:
        """A tick begins: nothing of a mixture has moved in it."""
        self.buffer.write(bytes(8), offset=4 * _MOVED)

    def read_moved(self) -> int:
        """Units of a mixture that have moved since then."""
        return int(self._read(_MOVED, _HEAD).view("<u8")[0])

    def add(self, name: str, entry: str, units: int) -> None:
        """Count units by hand in one entry of a quantity that has one account."""
        low = self._places[name][0] + 2 * list(QUANTITIES[name].entries).index(entry)
        now = self._read(low, low + 2).view("<i8") + units
        self.buffer.write(now.tobytes(), offset=4 * low)

    def changed_in(self, tick: int) -> bool:
        """Whether anything was counted in a tick; the tick asked for is the last one, or the answer is no."""
        return int(self._read(_LAST, _ACTIVE)[0]) == tick & 0xFFFFFFFF

    def ticks_without_activity(self, tick: int) -> int:
        """For how many ticks, up to this one, nothing was found that moves or could."""
        return (tick - int(self._read(_ACTIVE, _MOVED)[0])) & 0xFFFFFFFF

    def _read(self, first: int, end: int) -> np.ndarray:
        return np.frombuffer(self.buffer.read(4 * (end - first), offset=4 * first), "<u4")

    def release(self) -> None:
        """Give the memory back."""
        self.buffer.release()
