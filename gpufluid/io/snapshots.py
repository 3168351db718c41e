"""Snapshots: the whole state of a world in one ``.npz`` file; the arrays as NumPy arrays, the laws as JSON."""

from __future__ import annotations

import json
import operator
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO

import numpy as np

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.fields import QUANTITIES, Quantity
from gpufluid.core.files import check_writable, open_regular, written_whole
from gpufluid.matter.materials import Material, MaterialTable, State
from gpufluid.matter.mixtures import Constituent, Conversion, MixtureTable
from gpufluid.matter.ports import Drain, Emitter
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.matter.transitions import Transition
from gpufluid.world import Domain, World
from gpufluid.world.ledger import AnyLedger, Ledger, ledger_type

FORMAT = 1
"""The version of the file format; a file of another version is an error."""


def save(world: World, path: str | Path) -> None:
    """Write a snapshot: the whole file, or none.

    Args:
        world: the world to write.
        path: the file, whose name ends in ``.npz``; an existing file is replaced.
    Raises: UsageError: ``world`` is not a World, another ending, or no such folder. OutputError: the disk is full or
        not writable.
    """
    if not isinstance(world, World):
        raise UsageError(f"expected a World and a path; found {shown(world)}")
    check_writable(Path(path))
    if Path(path).suffix.lower() != ".npz":
        raise UsageError(f"{path}: expected a snapshot, whose name ends in .npz")
    arrays = {name: world[name] for name in world.fields}
    laws = np.frombuffer(json.dumps(_laws(world)).encode(), np.uint8)
    with written_whole(Path(path)) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, gpufluid=laws, **arrays)


def load(path: Path) -> World:
    """Read a snapshot. The world has the same digest as the one that was written, and continues in the same way.

    Raises: UsageError: no such file, no snapshot, a damaged snapshot, or one of another version.
    """
    try:
        with open_regular(path) as file:
            laws, arrays = _parts(file)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (KeyError, ValueError, TypeError, EOFError, RuntimeError, TokenError, zipfile.BadZipFile, zlib.error):
        raise UsageError(f"{path}: is no snapshot of gpufluid") from None
    if laws.get("format") != FORMAT:
        raise UsageError(f"{path}: is a snapshot of format {laws.get('format')}; this gpufluid reads {FORMAT}")
    try:
        return _world(laws, arrays)
    except UsageError as error:
        raise UsageError(f"{path}: is a damaged snapshot: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise UsageError(f"{path}: is a damaged snapshot") from None


def _parts(file: BinaryIO) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The laws and the arrays in a snapshot.

    A damaged file makes NumPy, zipfile, zlib or json raise different errors; `load` catches all of them.
    """
    if file.read(2) != b"PK":
        raise zipfile.BadZipFile
    file.seek(0)
    with np.load(file, allow_pickle=False) as members:
        laws = json.loads(members["gpufluid"].tobytes())
        if not isinstance(laws, dict):
            raise TypeError
        return laws, {name: members[name] for name in members.files if name != "gpufluid"}


def _laws(world: World) -> dict[str, Any]:
    """All of a world but its arrays, for JSON."""
    # a whole world has no entry "domain", so its file is as in earlier versions
    domain = {} if world.domain.is_whole else {"domain": asdict(world.domain)}
    return {
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
        **{QUANTITIES[name].known_as: _ledger_entries(ledger) for name, ledger in world.ledgers.items()},
        "constituents": [each.record() for each in world.mixture.constituents],
        "conversions": [each.record() for each in world.mixture.conversions],
        "reactions": [reaction.record() for reaction in world.reactions],
        "materials": [asdict(record) | {"state": record.state.name} for record in world.materials],
    }


def _world(laws: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> World:
    """Make the world from its laws and arrays. A key that older files do not have gets the value of older versions."""
    materials = [
        Material(
            **record
            | {"state": State[record["state"]], "colour": tuple(record["colour"])}
            | {"tags": tuple(record.get("tags", ()))}
            | _transitions(record)
        )
        for record in laws["materials"]
    ]
    world = World(
        **{name: laws[name] for name in ("height", "width", "rules", "edges", "seed", "tick", "parameters")},
        emitters=[Emitter(**_with_tuples(emitter)) for emitter in laws["emitters"]],
        drains=[Drain(**_with_tuples(drain)) for drain in laws["drains"]],
        materials=MaterialTable(tuple(materials)),
        gravity=laws.get("gravity", "down"),
        domain=Domain(**laws["domain"]) if "domain" in laws else None,
        reactions=ReactionTable(tuple(Reaction.of(record) for record in laws.get("reactions", ()))),
        mixture=MixtureTable(
            [Constituent.of(record) for record in laws.get("constituents", ())],
            [Conversion.of(record) for record in laws.get("conversions", ())],
        ),
    )
    for name in world.fields:
        world[name] = arrays[name]
    for name, quantity in QUANTITIES.items():
        world.ledgers[name] = _ledger(quantity, laws.get(quantity.known_as, {}))
    world.validate()
    return world


def _transitions(record: Mapping[str, Any]) -> dict[str, Transition]:
    """The transitions of a material, by key, from its record in JSON."""
    return {key: Transition(**record[key]) for key in ("above", "below") if record.get(key) is not None}


def _ledger_entries(ledger: AnyLedger) -> dict[str, Any]:
    """The entries of a ledger by name, for JSON. Of a ledger with several accounts: those of each account."""
    if isinstance(ledger, Mapping):
        return {name: asdict(account) for name, account in ledger.items()}
    return asdict(ledger)


def _ledger(quantity: Quantity, entries: Mapping[str, Any]) -> AnyLedger:
    """The ledger of a quantity from its entries, as `_ledger_entries` returns them; entries that are missing are 0."""
    kind = ledger_type(quantity)
    if quantity.by:
        return kind({name: Ledger(**_integers(account)) for name, account in entries.items()})
    return kind(**_integers(entries))


def _integers(entries: Mapping[str, Any]) -> dict[str, int]:
    """The entries, all integers. Raises TypeError: an entry is not an integer."""
    return {name: operator.index(units) for name, units in entries.items()}


def _with_tuples(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a port, with tuples for the lists of JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}
