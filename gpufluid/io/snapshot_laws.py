"""The laws, the ledgers and the tick of a world as JSON, as a snapshot has them.

The constructors of `World` and of its records check values. This module checks the rest: the text, and the keys and
JSON types of each object. So every wrong text is one error, which names the place.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, fields
from numbers import Integral, Real
from typing import Any

from gpufluid.core.errors import UsageError, WorldError, did_you_mean, named, shown
from gpufluid.core.fields import QUANTITIES, Quantity
from gpufluid.core.text_limits import excess
from gpufluid.matter.materials import RECORDS, Material, MaterialTable, State
from gpufluid.matter.mixtures import Constituent, Conversion, MixtureTable
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.matter.transitions import Transition
from gpufluid.rules import RULES
from gpufluid.world import Domain, World
from gpufluid.world.ledger import AnyLedger, Ledger, ledger_type

FORMAT = 1
"""The version of the file format; a file of another version is an error."""

BYTES_MOST = 1 << 22
"""The longest text, in bytes. The laws with the most ports, materials and reactions take about two thirds of it."""

_VALUES_MOST = 1 << 18
"""The most values in a text. A value of three bytes in the text can take 200 bytes in Python."""

_PLAIN = ("height", "width", "edges", "seed", "tick")
"""Keys whose values are arguments of `World` as they are."""

_REQUIRED = ("format", *_PLAIN, "rules", "parameters", "emitters", "drains", "materials")
_OPTIONAL = ("gravity", "domain", "reactions", "constituents", "conversions")
"""Keys that older files do not have. The laws are then those of the older versions. Ledgers are optional, too."""


class FormatError(UsageError):
    """Laws of another version of the file format, or none."""


def text_of(world: World) -> bytes:
    """The laws, ledgers and tick of a world as JSON. Raises UsageError: the text is too long to be read again."""
    # a whole world has no entry "domain", so its file is as in earlier versions
    domain = {} if world.domain.is_whole else {"domain": asdict(world.domain)}
    kept = [(name, ledger) for name, ledger in world.ledgers.items() if _is_kept(name, world)]
    laws = {
        "format": FORMAT,
        "height": world.height,
        "width": world.width,
        "rules": world.rules,
        "edges": world.edges,
        "gravity": world.gravity,
        "seed": world.seed,
        **domain,
        "tick": world.tick,
        "parameters": {rule: dict(values) for rule, values in world.parameters.items()},
        "emitters": [asdict(emitter) for emitter in world.emitters],
        "drains": [asdict(drain) for drain in world.drains],
        **{QUANTITIES[name].known_as: _ledger_entries(ledger) for name, ledger in kept},
        "constituents": [each.record() for each in world.mixture.constituents],
        "conversions": [each.record() for each in world.mixture.conversions],
        "reactions": [reaction.record() for reaction in world.reactions],
        "materials": [asdict(record) | {"state": record.state.name} for record in world.materials],
    }
    text = json.dumps(laws, default=_plain_number).encode()
    if _excess(text):
        raise UsageError(f"the laws of this world are too long for a snapshot: {_excess(text)}")
    return text


def _plain_number(value: object) -> int | float:
    """A number of NumPy as one of Python; ports may have either. Raises: TypeError: not a number."""
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    raise TypeError(f"{shown(value)} is no number")


def world_of(text: bytes, cells: bool = True) -> World:
    """A world with laws, ledgers and tick from JSON; its arrays are all 0.

    Args:
        text: the JSON.
        cells: as for `World`.
    Raises: FormatError: laws of another format. UsageError: no JSON, a missing or unknown key, a value of another type;
        WorldError: an invalid law, or a world that does not fit into the free memory.
    """
    laws = _object(_parsed(text), "laws")
    if type(laws.get("format")) is not int or laws["format"] != FORMAT:
        raise FormatError(f"is a snapshot of format {shown(laws.get('format'))}; this gpufluid reads {FORMAT}")
    known_as = {quantity.known_as: name for name, quantity in QUANTITIES.items()}
    _check_keys(laws, "", _REQUIRED, (*_OPTIONAL, *known_as))
    rules = _list(laws["rules"], "rules")
    world = World(
        **{name: laws[name] for name in _PLAIN},
        rules=[_text(rule, f"rules[{number}]") for number, rule in enumerate(rules)],
        parameters=_object(laws["parameters"], "parameters"),
        emitters=[Emitter(**port) for port in _ports(laws, "emitters", Emitter)],
        drains=[Drain(**port) for port in _ports(laws, "drains", Drain)],
        materials=MaterialTable(tuple(_material(*each) for each in _objects(laws, "materials"))),
        gravity=laws.get("gravity", "down"),
        domain=_domain(laws["domain"]) if "domain" in laws else None,
        reactions=ReactionTable(tuple(_reaction(*each) for each in _objects(laws, "reactions"))),
        mixture=MixtureTable(
            [_constituent(*each) for each in _objects(laws, "constituents")],
            [_conversion(*each) for each in _objects(laws, "conversions")],
        ),
        cells=cells,
    )
    for key, name in known_as.items():
        if key in laws:
            world.ledgers[name] = _ledger(QUANTITIES[name], _object(laws[key], key))
    return world


def _excess(text: bytes) -> str:
    return excess(text, BYTES_MOST, _VALUES_MOST, (b",", b"[", b"{"))


def _parsed(text: bytes) -> object:
    """The value of a JSON text. Raises UsageError: the text is too long, or no JSON with one value for each key."""
    if _excess(text):
        raise UsageError(f"laws: {_excess(text)}")
    try:
        return json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except RecursionError:
        raise UsageError("laws: nested too deeply") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"laws: byte {error.start} is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"laws: no JSON: {error.msg} at character {error.pos}") from None
    except ValueError:  # Python converts no text of more than 4300 digits
        raise UsageError("laws: a number of thousands of digits") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON as a dict. Raises UsageError: a key that is given twice."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise UsageError(f"laws: the key {shown(key)} is given twice")
        found[key] = value
    return found


def _refuse_constant(word: str) -> float:
    """Raise UsageError for ``NaN`` or ``Infinity``, which Python reads although JSON has no such numbers."""
    raise UsageError(f"laws: {word}; expected a number")


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WorldError(place, f"{shown(value)}; expected an object")
    return value


def _list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise WorldError(place, f"{shown(value)}; expected a list")
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise WorldError(place, f"{shown(value)}; expected text")
    return value


def _check_keys(record: Mapping[str, Any], place: str, required: Collection[str], optional: Collection[str]) -> None:
    """Raise WorldError for an unknown key and for a missing one."""
    inside = f"{place}." if place else ""
    for key in record:
        if key not in required and key not in optional:
            raise WorldError(f"{inside}{named(key)}", f"unknown key{did_you_mean(key, {*required, *optional})}")
    for key in required:
        if key not in record:
            raise WorldError(f"{inside}{key}", "is missing")


def _objects(laws: Mapping[str, Any], key: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects in the list of a key, each with its place; none if the key is missing, as in older files."""
    for number, record in enumerate(_list(laws.get(key, []), key)):
        yield _object(record, f"{key}[{number}]"), f"{key}[{number}]"


def _ports(laws: Mapping[str, Any], key: str, kind: type[Emitter] | type[Drain]) -> Iterator[dict[str, Any]]:
    """The arguments of each port, with tuples for the lists of JSON."""
    for record, place in _objects(laws, key):
        _check_keys(record, place, ("at",), [field.name for field in fields(kind)])
        yield {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def _material(record: dict[str, Any], place: str) -> Material:
    _check_keys(record, place, ("name", "state", "density", "colour"), [field.name for field in fields(Material)])
    state = record["state"]
    if not isinstance(state, str) or state not in State.__members__:
        raise WorldError(
            f"{place}.state", f"{shown(state)} is not known{did_you_mean(str(state)[:60], State.__members__)}"
        )
    made: dict[str, Any] = {"state": State[state]}
    made |= {key: tuple(_list(record.get(key, []), f"{place}.{key}")) for key in ("colour", "tags")}
    for key in ("above", "below"):
        if record.get(key) is not None:
            made[key] = _transition(record[key], f"{place}.{key}")
    if "anchored" not in record:  # a snapshot older than the key: its walls stay
        known = RECORDS.get(record["name"], {}) if isinstance(record["name"], str) else {}
        made["anchored"] = known.get("anchored")
    return Material(**record | made)


def _transition(value: object, place: str) -> Transition:
    """A transition of a material, which is an object in JSON."""
    record = _object(value, place)
    _check_keys(record, place, ("threshold", "product"), ("latent",))
    return Transition(**record)


def _reaction(record: dict[str, Any], place: str) -> Reaction:
    between = "from" if "from" in record else "between"
    _check_keys(record, place, ("name", between, "become"), [field.name for field in fields(Reaction)])
    return Reaction.of(record)


def _constituent(record: dict[str, Any], place: str) -> Constituent:
    _check_keys(record, place, ("material",), [field.name for field in fields(Constituent)])
    return Constituent.of(record)


def _conversion(record: dict[str, Any], place: str) -> Conversion:
    between = "from" if "from" in record else "between"
    _check_keys(record, place, ("name", between, "become"), [field.name for field in fields(Conversion)])
    return Conversion.of(record)


def _domain(value: object) -> Domain:
    record = _object(value, "domain")
    _check_keys(record, "domain", [field.name for field in fields(Domain)], ())
    return Domain(**record)


def _is_kept(name: str, world: World) -> bool:
    """True if a ledger is written. A ledger of zeros that belongs to no rule of the world is not.

    Its rule may come from outside gpufluid, and be missing where the snapshot is read.
    """
    own = any(QUANTITIES[name] in RULES[rule].declares for rule in world.rules)
    return own or world.ledgers[name] != ledger_type(QUANTITIES[name])()


def _ledger_entries(ledger: AnyLedger) -> dict[str, Any]:
    """The entries of a ledger by name, for JSON. Of a ledger with several accounts: those of each account."""
    if isinstance(ledger, Mapping):
        return {name: asdict(account) for name, account in ledger.items()}
    return asdict(ledger)


def _ledger(quantity: Quantity, entries: Mapping[str, Any]) -> AnyLedger:
    """The ledger of a quantity, the inverse of `_ledger_entries`; `World.validate` checks the numbers."""
    kind = ledger_type(quantity)
    if not quantity.by:
        _check_keys(entries, quantity.known_as, (), quantity.entries)
        return kind(**entries)
    accounts = {}
    for name, account in entries.items():
        place = f"{quantity.known_as}[{shown(name)}]"
        _check_keys(_object(account, place), place, (), quantity.entries)
        accounts[name] = Ledger(**account)
    return kind(accounts)
