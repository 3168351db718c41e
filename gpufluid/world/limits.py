"""The limits of counting: the tick and the entries of ledgers stay within 63 bits, or a step is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpufluid.core.errors import WorldError, shown
from gpufluid.core.fields import (
    COUNT_LIMIT,
    ERASED,
    FIELDS,
    GIVEN,
    PAINTED,
    PLANES,
    QUANTITIES,
    Quantity,
    carried_planes,
)
from gpufluid.core.numeric import is_whole
from gpufluid.rules import RULES, Laws, Over, Pass, Schedule, fields_of
from gpufluid.world.ledger import AnyLedger, entries_of

MostCounted = Mapping[tuple[str, str], int]
"""By quantity and entry: the largest amount by which a tick can change the entry of one account."""


def check_step(ticks: object, tick: int) -> None:
    """Raise WorldError unless ``ticks`` is a whole number from 0 on, and so many ticks can run after ``tick`` ticks."""
    if not is_whole(ticks, 0):
        raise WorldError("ticks", f"{shown(ticks)}; expected a whole number from 0 on")
    if ticks > COUNT_LIMIT - tick:
        reason = f"expected at most {COUNT_LIMIT - tick}, because the last tick is {COUNT_LIMIT}"
        raise WorldError("ticks", f"{shown(ticks)} from tick {tick} on; {reason}")


def most_counted(schedule: Schedule) -> MostCounted:
    """The largest amount by which a tick can change each entry; entries that no pass changes are left out.

    Law: a run of a pass changes an entry by at most `Quantity.most` for each cell of its port, or else of the world.
    Entry ``left`` changes only for cells at an open edge.

    Args:
        schedule: the passes and the ports of the ticks. Whether a port acts does not matter.
    """
    rules = schedule.laws.rules
    held = {FIELDS[name].quantity for name in fields_of(rules)}
    declared = [
        each
        for rule in rules
        for each in RULES[rule].declares
        if isinstance(each, Quantity) and (each.by == "material" or each.name in held)
    ]
    found: dict[tuple[str, str], int] = {}
    for pass_ in schedule.passes:
        for entry in pass_.counts:
            with_entry = [quantity for quantity in declared if entry in quantity.entries]
            written = [quantity for quantity in with_entry if _may_change(pass_, quantity)]
            cells = schedule.runs(pass_) * _cells(pass_, entry, schedule)
            for quantity in written or with_entry:
                found[quantity.name, entry] = found.get((quantity.name, entry), 0) + cells * quantity_most(quantity)
    return {place: most for place, most in found.items() if most}


def _may_change(pass_: Pass, quantity: Quantity) -> bool:
    """True if a pass writes a plane with a field of a quantity. Atoms of materials are counted by ``material``."""
    carried = carried_planes() if pass_.moves_atoms else ()
    planes = [PLANES[name] for name in (*pass_.gathers, *pass_.updates, *carried)]
    written = {name for plane in planes for name in (*plane.fields, plane.instead) if name}
    return any(
        FIELDS[name].quantity == quantity.name or (name == "material" and quantity.by == "material") for name in written
    )


def quantity_most(quantity: Quantity) -> int:
    """The largest amount by which a run of a pass changes an entry of a quantity, for each cell."""
    if quantity.most is not None:
        return quantity.most
    if quantity.by == "material":
        return 1
    if quantity.measure is not None:
        return 2**31
    return max(abs(end) for field in FIELDS.values() if field.quantity == quantity.name for end in field.range)


def _cells(pass_: Pass, entry: str, schedule: Schedule) -> int:
    """The number of cells for which a pass can change an entry in one run."""
    laws = schedule.laws
    if pass_.over.serves_ports:
        ports = schedule.emitters if pass_.over is Over.EMITTERS else schedule.drains
        covered = sum(port.size[0] * port.size[1] for port in ports)
        return min(covered, laws.width * laws.height)  # a cell takes or gives at most its whole content in a run
    if entry == "left":
        return 2 * (laws.width + laws.height) if laws.edges == "open" else 0
    return laws.width * laws.height


def _most_edited(laws: Laws) -> MostCounted:
    """The largest amount by which an edit changes each entry, for each of its cells."""
    fields = fields_of(laws.rules)
    conserving = {name: sum(FIELDS[each].quantity == name for each in fields) for name in QUANTITIES}
    return {
        (name, entry): quantity_most(quantity) * max(conserving[name], 1)
        for name, quantity in QUANTITIES.items()
        for entry in (PAINTED, ERASED, GIVEN)
        if entry in quantity.entries and (quantity.by == "material" or conserving[name])
    }


def cells_left(ledgers: Mapping[str, AnyLedger], laws: Laws) -> int:
    """The number of cells that edits can change before an entry of a ledger could pass the limit.

    Args:
        ledgers: by quantity.
        laws: the laws of the world.
    """
    return ticks_left(ledgers, _most_edited(laws))


def check_edit(ledgers: Mapping[str, AnyLedger], laws: Laws, cells: int) -> None:
    """Raise WorldError if an entry of a ledger could pass the limit in an edit of so many cells."""
    most = _most_edited(laws)
    for place, units, name in _entries(ledgers, most):
        if abs(units) + cells * most[place] > COUNT_LIMIT:
            reason = (
                f"an edit of {cells} cells could change it by {cells * most[place]}, and its limit is {COUNT_LIMIT}"
            )
            raise WorldError(name, f"{units}; {reason}")


def ticks_left(ledgers: Mapping[str, AnyLedger], most: MostCounted) -> int:
    """The number of ticks in which no entry of a ledger can pass the limit.

    Args:
        ledgers: by quantity.
        most: the largest change of each entry in a tick, see `most_counted`.
    """
    left = [(COUNT_LIMIT - abs(units)) // most[place] for place, units, _ in _entries(ledgers, most)]
    return min(left, default=COUNT_LIMIT)


def check_entries(ledgers: Mapping[str, AnyLedger], most: MostCounted, tick: int) -> None:
    """Raise WorldError if an entry of a ledger could pass the limit in the next tick; arguments as for `ticks_left`."""
    for place, units, name in _entries(ledgers, most):
        if abs(units) + most[place] > COUNT_LIMIT:
            reason = f"tick {tick} could change it by {most[place]}, and its limit is {COUNT_LIMIT}"
            raise WorldError(name, f"{units}; {reason}")


def _entries(ledgers: Mapping[str, AnyLedger], most: MostCounted) -> Iterator[tuple[tuple[str, str], int, str]]:
    """Yield (quantity, entry), units and name of each entry that a tick can change.

    If a quantity has an account for each material, only the account with the largest entry is used.
    """
    for place in most:
        quantity, entry = QUANTITIES[place[0]], place[1]
        number, ledger = list(quantity.entries).index(entry), ledgers[quantity.name]
        accounts = dict(ledger) if quantity.by else {"": ledger}
        if accounts:
            counted = max(accounts, key=lambda name: abs(entries_of(accounts[name])[number]))
            account = f"[{counted!r}]" if quantity.by else ""
            yield place, entries_of(accounts[counted])[number], f"{quantity.known_as}{account}.{entry}"
        else:
            yield place, 0, f"{quantity.known_as}.{entry}"
