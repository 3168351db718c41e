"""The ledgers on the device: 64-bit sums that any order of additions leaves the same."""

from __future__ import annotations

from dataclasses import astuple, fields

import moderngl
import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import CONSTITUENTS_MOST, MixtureTable
from gpufluid.world import World
from gpufluid.world.ledger import AmountLedger, AtomLedger, HeatLedger, Ledger

_ENTRIES = tuple(entry.name for entry in fields(Ledger))
_HEAT_ENTRIES = tuple(entry.name for entry in fields(HeatLedger))
_MATERIALS = 256

# The buffer's words: the entries of the mass, low word first; the tick of the last change, and that in which something
# was last found that moves or could; the entries of the atoms of each material in turn; those of the heat; those of
# each layer of a mixture in turn; what of a mixture has moved in the tick that runs.
_LAST = 2 * len(_ENTRIES)
_ACTIVE = _LAST + 1
_ATOMS = _ACTIVE + 1
_HEAT = _ATOMS + 2 * len(_ENTRIES) * _MATERIALS
_AMOUNTS = _HEAT + 2 * len(_HEAT_ENTRIES)
_MOVED = _AMOUNTS + 2 * len(_ENTRIES) * CONSTITUENTS_MOST
_WORDS = _MOVED + 2

_COUNT = """
void count_{name}(uvec2 units, uint tick)
{{
    ledger[{last}] = tick;  // whoever writes it in a tick writes the same
    uint before = atomicAdd(ledger[{low}], units.x);
    uint carry = (before + units.x < before) ? 1u : 0u;  // exactly one addition sees each overflow
    if (units.y + carry > 0u)
        atomicAdd(ledger[{low} + 1], units.y + carry);
}}

void count_{name}_atom(uint material, uint tick)
{{
    ledger[{last}] = tick;
    uint low = {atoms}u + {stride}u * material;
    if (atomicAdd(ledger[low], 1u) == 0xFFFFFFFFu)
        atomicAdd(ledger[low + 1u], 1u);
}}
"""

_COUNT_AMOUNT = """
void count_{name}_amount(int layer, uint units, uint tick)
{{
    ledger[{last}] = tick;
    int low = {amounts} + {stride} * layer;
    if (atomicAdd(ledger[low], units) + units < units)
        atomicAdd(ledger[low + 1], 1u);
}}
"""

_COUNT_MOVED = """
void count_moved(uint units)
{{
    if (atomicAdd(ledger[{moved}], units) + units < units)
        atomicAdd(ledger[{moved} + 1], 1u);
}}
"""


_COUNT_HEAT = """
void count_{name}_heat(int units)
{{
    uint high = units < 0 ? 0xFFFFFFFFu : 0u;
    uint before = atomicAdd(ledger[{low}], uint(units));
    high += (before + uint(units) < before) ? 1u : 0u;
    if (high != 0u)
        atomicAdd(ledger[{low} + 1], high);
}}
"""

_MARK_ACTIVE = """
void mark_active(uint tick)
{{
    if (ledger[{active}] != tick)  // to look is cheaper than to write
        ledger[{active}] = tick;
}}
"""


def ledger_glsl(counts: tuple[str, ...], marks_active: bool = False) -> str:
    """``generated/ledger.glsl``: the buffer, and how to count.

    For each entry wanted there are ``count_<entry>(uvec2(low, high), tick)`` for units of mass,
    ``count_<entry>_atom(material, tick)`` for one atom, and ``count_<entry>_amount(layer, units, tick)`` for units of
    a mixture; for those of heat ``count_<entry>_heat(units)``; for what of a mixture goes from cell to cell
    ``count_moved(units)``. A pass that stirs has ``mark_active(tick)``.
    """
    if not counts and not marks_active:
        return ""
    declared = f"layout(std430, binding = 0) buffer LedgerBuffer\n{{\n    uint ledger[{_WORDS}];\n}};\n"
    lows = [(name, 2 * _ENTRIES.index(name)) for name in counts if name in _ENTRIES]
    heat = [(name, _HEAT + 2 * _HEAT_ENTRIES.index(name)) for name in counts if name in _HEAT_ENTRIES]
    declared += "".join(_COUNT_HEAT.format(name=name, low=low) for name, low in heat)
    if "moved" in counts:
        declared += _COUNT_MOVED.format(moved=_MOVED)
    if marks_active:
        declared += _MARK_ACTIVE.format(active=_ACTIVE)
    return declared + "".join(
        form.format(
            name=name, low=low, last=_LAST, atoms=_ATOMS + low, amounts=_AMOUNTS + low, stride=2 * len(_ENTRIES)
        )
        for name, low in lows
        for form in (_COUNT, _COUNT_AMOUNT)
    )


class LedgerBuffer:
    """A storage buffer that holds a world's ledgers, two 32-bit words an entry, and when one of them last changed.

    Args:
        device: where it lies.
        world: whose ledgers it begins with.
    """

    def __init__(self, device: Device, world: World) -> None:
        self.buffer: moderngl.Buffer = device.buffer(4 * _WORDS)
        self.write(world)

    def write(self, world: World) -> None:
        """Begin with a world's ledgers; nothing has changed or moved since its tick."""
        words = np.zeros(_WORDS, "<u4")
        words[:_LAST] = _words(world.ledger)
        words[_LAST] = words[_ACTIVE] = (world.tick - 1) & 0xFFFFFFFF
        by_material = words[_ATOMS:_HEAT].reshape(_MATERIALS, -1)
        for name, ledger in world.atoms.items():
            by_material[world.materials[name]] = _words(ledger)
        words[_HEAT:_AMOUNTS] = np.array(astuple(world.heat), "<i8").view("<u4")
        by_layer = words[_AMOUNTS:_MOVED].reshape(CONSTITUENTS_MOST, -1)
        for name, ledger in world.amounts.items():
            by_layer[world.mixture[name]] = _words(ledger)
        self.buffer.write(words.tobytes())

    def disturb(self, tick: int) -> None:
        """Something was changed from outside before this tick: whatever lies there may move now."""
        self.buffer.write(np.array([(tick - 1) & 0xFFFFFFFF], "<u4").tobytes(), offset=4 * _ACTIVE)

    def read(self) -> Ledger:
        """The ledger of the mass now."""
        return _ledger(self._read(0, _LAST))

    def read_atoms(self, materials: MaterialTable) -> AtomLedger:
        """The ledger of the atoms now, by the names of a table."""
        by_material = self._read(_ATOMS, _HEAT).reshape(_MATERIALS, -1)
        return AtomLedger({record.name: _ledger(by_material[number]) for number, record in enumerate(materials)})

    def read_heat(self) -> HeatLedger:
        """The ledger of the heat now."""
        return HeatLedger(*self._read(_HEAT, _AMOUNTS).view("<i8").tolist())

    def read_amounts(self, mixture: MixtureTable) -> AmountLedger:
        """The ledger of the materials of a mixture now."""
        by_layer = self._read(_AMOUNTS, _MOVED).reshape(CONSTITUENTS_MOST, -1)
        return AmountLedger({name: _ledger(by_layer[layer]) for layer, name in enumerate(mixture.names)})

    def forget_moved(self) -> None:
        """A tick begins: nothing of a mixture has moved in it."""
        self.buffer.write(bytes(4 * (_WORDS - _MOVED)), offset=4 * _MOVED)

    def read_moved(self) -> int:
        """Units of a mixture that have moved since then."""
        return int(self._read(_MOVED, _WORDS).view("<u8")[0])

    def give_heat(self, units: int) -> None:
        """Count heat that was given by hand."""
        low = _HEAT + 2 * _HEAT_ENTRIES.index("given")
        now = self._read(low, low + 2).view("<i8") + units
        self.buffer.write(now.tobytes(), offset=4 * low)

    def changed_in(self, tick: int) -> bool:
        """Whether anything was counted in a tick; the tick asked for is the last one, or the answer is no."""
        return int(self._read(_LAST, _ACTIVE)[0]) == tick & 0xFFFFFFFF

    def ticks_without_activity(self, tick: int) -> int:
        """For how many ticks, up to this one, nothing was found that moves or could."""
        return (tick - int(self._read(_ACTIVE, _ATOMS)[0])) & 0xFFFFFFFF

    def _read(self, first: int, end: int) -> np.ndarray:
        return np.frombuffer(self.buffer.read(4 * (end - first), offset=4 * first), "<u4")

    def release(self) -> None:
        """Give the memory back."""
        self.buffer.release()


def _words(ledger: Ledger) -> np.ndarray:
    return np.array(astuple(ledger), "<u8").view("<u4")


def _ledger(words: np.ndarray) -> Ledger:
    return Ledger(*(int(amount) for amount in words.view("<u8")))
