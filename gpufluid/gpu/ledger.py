"""The ledgers on the device: 64-bit sums, which do not depend on the order of the additions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import moderngl
import numpy as np

from gpufluid.core.fields import QUANTITIES, Quantity
from gpufluid.gpu.atlas import WORLDS_MOST
from gpufluid.gpu.device import Device
from gpufluid.matter.mixtures import CONSTITUENTS_MOST
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger, Ledger, check_ledgers, entries_of, ledger_type

_ACCOUNTS = {"": 1, "material": 256, "layer": CONSTITUENTS_MOST}
"""The number of accounts in the ledger of a quantity, by `Quantity.by`."""

# The buffer's first words: the tick of the last change of a ledger; the last tick with possible motion; the units of a
# mixture that have moved in the current tick. Then the accounts of each quantity, two words an entry, the low word
# first.
_LAST, ACTIVE_WORD, _MOVED, HEAD_WORDS = 0, 1, 2, 4


def _places() -> dict[str, tuple[int, int]]:
    """The words of each quantity's accounts as (first, one after the last), by the quantity's name."""
    found, end = {}, HEAD_WORDS
    for name, quantity in QUANTITIES.items():
        found[name] = end, end + 2 * len(quantity.entries) * _ACCOUNTS[quantity.by]
        end = found[name][1]
    return found


def words_of_ledgers() -> int:
    """The number of words of the ledgers of one world."""
    return max(end for _, end in _places().values())


_COUNT_UNITS = """
void count_{name}(uvec2 units, uint tick)
{{
    ledger[{last}] = tick;  // all invocations of a tick write the same value
    ATOMIC_ADD64(ledger, {low}, units)
}}
void count_{name}(uvec2 units) {{ ATOMIC_ADD64(ledger, {low}, units) }}
"""

_COUNT_ONE = """
void count_{name}(uint material, uint tick)
{{
    ledger[{last}] = tick;
    ATOMIC_ADD64(ledger, {low} + {stride} * int(material), uvec2(1u, 0u))
}}
"""

_COUNT_OF_LAYER = """
void count_{name}(int layer, uint units, uint tick)
{{
    ledger[{last}] = tick;
    ATOMIC_ADD64(ledger, {low} + {stride} * layer, uvec2(units, 0u))
}}
"""

_COUNT_SIGNED = """
void count_{name}(int units) {{ ATOMIC_ADD64(ledger, {low}, wide(units)) }}
"""

_ADD_UNITS = """
void add_{name}(uvec2 units) {{ ATOMIC_ADD64(ledger, {low}, units) }}
"""

_ADD = {
    "material": """
void add_{name}(uint material, uint atoms)
{{
    ATOMIC_ADD64(ledger, {low} + {stride} * int(material), uvec2(atoms, 0u))
}}
""",
    "layer": """
void add_{name}(int layer, uvec2 units) {{ ATOMIC_ADD64(ledger, {low} + {stride} * layer, units) }}
""",
}

_COUNT_MOVED = """
void count_moved(uvec2 units) {{ ATOMIC_ADD64(ledger, {moved}, units) }}
void count_moved(uint units) {{ count_moved(uvec2(units, 0u)); }}
"""

_MARK_ACTIVE = """
void mark_active(uint tick)
{{
    if (ledger[{active}] != tick)  // a read is cheaper than a write
        ledger[{active}] = tick;
}}
"""

_BATCH_GLSL = f"""#include "lib/wide.glsl"
#include "generated/world.glsl"
layout(std430, binding = 0) buffer LedgerBuffer
{{
    uint ledger[]; // the moved units of each world, then the ledgers of each world
}};
int own_ledger() {{ return {2 * WORLDS_MOST} + {words_of_ledgers()} * batch_world; }}
"""


def ledger_glsl(counts: Sequence[str], marks_active: bool = False, batched: bool = False) -> str:
    """``generated/ledger.glsl``: the buffer of the ledgers, and the functions that count in it.

    For each entry, and each quantity that has this entry, there is a function ``count_<entry><Quantity.glsl>``. Its
    arguments depend on the quantity:

    - ``(uvec2(low, high), tick)``: adds units; ``(uvec2(low, high))``: adds those of a tick before the last one;
    - ``(int units)``: adds units of a quantity whose entries may be negative;
    - ``(material, tick)``: adds 1 to the account of a material;
    - ``(layer, units, tick)``: adds units to the account of a layer of a mixture.

    ``count_moved(units)`` counts the units of a mixture that move from cell to cell, as one word or as two.
    ``mark_active(tick)`` records a tick with possible motion.

    Args:
        counts: the ledger entries of the pass, and ``moved``.
        marks_active: whether the pass records ticks with possible motion.
        batched: whether the buffer holds the ledgers of a batch; see `gpu.batch_ledgers`.
    """
    if not counts and not marks_active:
        return ""
    declared, own = (_BATCH_GLSL, "own_ledger() + ") if batched else (_buffer_glsl(), "")
    if "moved" in counts:
        declared += _COUNT_MOVED.format(moved="2 * batch_world" if batched else _MOVED)
    if marks_active:
        declared += _MARK_ACTIVE.format(active=f"{own}{ACTIVE_WORD}")
    for name, (first, _) in _places().items():
        declared += _count_glsl(QUANTITIES[name], first, counts, own)
    return declared


def _buffer_glsl() -> str:
    """The declaration of the buffer."""
    declared = f"layout(std430, binding = 0) buffer LedgerBuffer\n{{\n    uint ledger[{words_of_ledgers()}];\n}};\n"
    return '#include "lib/wide.glsl"\n' + declared


def added_glsl(entries: Sequence[str], batched: bool = False) -> str:
    """The GLSL by which edits add to the ledgers between two ticks. Edits are no part of the counts of a tick.

    For each entry, and each quantity that has this entry, there is a function ``add_<entry><Quantity.glsl>``. Its last
    argument is what to add: the number of atoms, as a word, if there is an account for each material; else units in 64
    bits, the low word first. The first argument of a quantity with several accounts is the material or the layer.

    Args:
        entries: the ledger entries.
        batched: as for `ledger_glsl`.
    """
    declared, own = (_BATCH_GLSL, "own_ledger() + ") if batched else (_buffer_glsl(), "")
    for name, (first, _) in _places().items():
        quantity = QUANTITIES[name]
        listed, form = list(quantity.entries), _ADD.get(quantity.by, _ADD_UNITS)
        for entry in entries:
            if entry in listed:
                low = f"{own}{first + 2 * listed.index(entry)}"
                declared += form.format(name=f"{entry}{quantity.glsl}", low=low, stride=2 * len(listed))
    return declared


def _count_glsl(quantity: Quantity, first: int, counts: Sequence[str], own: str) -> str:
    form = {"material": _COUNT_ONE, "layer": _COUNT_OF_LAYER}.get(quantity.by)
    form = form or (_COUNT_SIGNED if quantity.signed else _COUNT_UNITS)
    entries = list(quantity.entries)
    return "".join(
        form.format(
            name=f"{entry}{quantity.glsl}",
            low=f"{own}{first + 2 * entries.index(entry)}",
            last=f"{own}{_LAST}",
            stride=2 * len(entries),
        )
        for entry in counts
        if entry in entries
    )


def head_of(tick: int) -> np.ndarray:
    """The first words of the ledgers of a world, (words,) uint32: no change and no motion since a tick."""
    words = np.zeros(HEAD_WORDS, "<u4")
    words[_LAST] = words[ACTIVE_WORD] = (tick - 1) & 0xFFFFFFFF
    return words


def ledger_words(world: World) -> np.ndarray:
    """The words of the ledgers of a world, (words,) uint32, with no change and no motion since its tick."""
    words = np.zeros(words_of_ledgers(), "<u4")
    words[:HEAD_WORDS] = head_of(world.tick)
    for name, (first, end) in _places().items():
        words[first:end] = _words_of(name, world.ledgers[name], world)
    return words


def _words_of(name: str, ledger: AnyLedger, laws: World) -> np.ndarray:
    """The words of a quantity's accounts, (words,) uint32."""
    quantity, (first, end) = QUANTITIES[name], _places()[name]
    words = np.zeros(end - first, "<u4")
    accounts = words.reshape(_ACCOUNTS[quantity.by], -1)
    numbers = laws.mixture if quantity.by == "layer" else laws.materials
    by_number = {numbers[each]: account for each, account in ledger.items()} if quantity.by else {0: ledger}
    for number, account in by_number.items():
        accounts[number] = np.array(entries_of(account), "<i8" if quantity.signed else "<u8").view("<u4")
    return words


def _ledger_from(name: str, words: np.ndarray, laws: World) -> AnyLedger:
    """The ledger of a quantity, from the words of its accounts."""
    quantity = QUANTITIES[name]
    entries = words.reshape(_ACCOUNTS[quantity.by], -1).view("<i8" if quantity.signed else "<u8").tolist()
    if not quantity.by:
        return ledger_type(quantity)(*entries[0])
    names = laws.mixture.names if quantity.by == "layer" else [record.name for record in laws.materials]
    return ledger_type(quantity)({each: Ledger(*entries[number]) for number, each in enumerate(names)})


def ledgers_from(words: np.ndarray, laws: World) -> dict[str, AnyLedger]:
    """All ledgers by quantity.

    Args:
        words: (words,) uint32, as `ledger_words` returns them.
        laws: as for `LedgerBuffer.read`.
    """
    return {name: _ledger_from(name, words[first:end], laws) for name, (first, end) in _places().items()}


def changed_in(words: np.ndarray, tick: int) -> bool:
    """True if ``tick`` is the last tick in which a ledger changed.

    Args:
        words: (words,) uint32, at least the first `HEAD_WORDS` of the ledgers.
        tick: the tick.
    """
    return int(words[_LAST]) == tick & 0xFFFFFFFF


def ticks_without_activity(words: np.ndarray, tick: int) -> int:
    """The number of ticks up to this one since the last tick with possible motion.

    Args:
        words: (words,) uint32, at least the first `HEAD_WORDS` of the ledgers.
        tick: the tick.
    """
    return (tick - int(words[ACTIVE_WORD])) & 0xFFFFFFFF


class LedgerBuffer:
    """A storage buffer with a world's ledgers, two 32-bit words an entry, and the tick in which one last changed.

    Args:
        device: the device that holds it.
        world: the world whose ledgers it begins with.
    """

    def __init__(self, device: Device, world: World) -> None:
        self._places = _places()
        self.buffer: moderngl.Buffer = device.buffer(4 * words_of_ledgers())
        self.write(world)

    def write(self, world: World) -> None:
        """Set the ledgers to those of a world, with no change and no motion since its tick."""
        self.buffer.write(ledger_words(world).tobytes())

    def disturb(self, tick: int) -> None:
        """Record a change from outside before a tick: anything may move from now on."""
        self.buffer.write(np.array([(tick - 1) & 0xFFFFFFFF], "<u4").tobytes(), offset=4 * ACTIVE_WORD)

    def read(self, name: str, laws: World) -> AnyLedger:
        """Read the current ledger of a quantity.

        Args:
            name: the name of the quantity.
            laws: a world whose materials, or constituents of its mixture, name the accounts.
        """
        return _ledger_from(name, self._read(*self._places[name]), laws)

    def read_all(self, laws: World) -> dict[str, AnyLedger]:
        """Read the current ledgers of all quantities, by name."""
        return {name: self.read(name, laws) for name in self._places}

    def forget_moved(self) -> None:
        """Begin a tick: set the units of a mixture that have moved to 0."""
        self.buffer.write(bytes(8), offset=4 * _MOVED)

    def read_moved(self) -> int:
        """Units of a mixture that have moved since `forget_moved`."""
        return int(self._read(_MOVED, HEAD_WORDS).view("<u8")[0])

    def add(self, ledgers: Mapping[str, AnyLedger], laws: World) -> None:
        """Add ledgers to those of some quantities, by name.

        Args:
            ledgers: by quantity.
            laws: as for `read`.
        Raises: WorldError: an entry would pass its limit; nothing has changed.
        """
        sums = {name: self.read(name, laws) + ledger for name, ledger in ledgers.items()}
        check_ledgers(sums, laws.materials, laws.mixture)
        for name, ledger in sums.items():
            first, _ = self._places[name]
            words = _words_of(name, ledger, laws)
            self.buffer.write(words.tobytes(), offset=4 * first)

    def changed_in(self, tick: int) -> bool:
        """True if ``tick`` is the last tick in which a ledger changed."""
        return changed_in(self._read(0, HEAD_WORDS), tick)

    def ticks_without_activity(self, tick: int) -> int:
        """The number of ticks up to this one since the last tick with possible motion."""
        return ticks_without_activity(self._read(0, HEAD_WORDS), tick)

    def _read(self, first: int, end: int) -> np.ndarray:
        return np.frombuffer(self.buffer.read(4 * (end - first), offset=4 * first), "<u4")

    def release(self) -> None:
        """Release the buffer."""
        self.buffer.release()
