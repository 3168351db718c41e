"""World validation: emitters and drains, ledgers, and every cell, against the laws of the world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain

import numpy as np

from gpufluid.core.errors import WorldError, did_you_mean, shown
from gpufluid.core.fields import (
    FULL,
    MASS_LIMIT,
    SPEED_LIMIT,
    TEMPERATURE_LEAST,
    TEMPERATURE_MOST,
    any_component,
    in_cell,
    in_words,
)
from gpufluid.matter.materials import MaterialTable
from gpufluid.matter.mixtures import MixtureTable
from gpufluid.matter.ports import PORTS_MOST, Drain, Emitter, Port
from gpufluid.rules import RULES, emitting_rule
from gpufluid.world.laws import can_hold, check_whole
from gpufluid.world.ledger import AmountLedger, AtomLedger, HeatLedger, Ledger


def check_ports(
    emitters: Sequence[object],
    drains: Sequence[object],
    size: tuple[int, int],
    rules: Sequence[str],
    table: MaterialTable,
    mixture: Sequence[str] = (),
) -> None:
    """Raise WorldError unless all emitters and drains can act in a world; see `port_problems`."""
    for kind, made, ports in (("emitter", Emitter, emitters), ("drain", Drain, drains)):
        if len(ports) > PORTS_MOST:
            raise WorldError(f"{kind}s", f"{len(ports)} of them; expected at most {PORTS_MOST}")
        for number, port in enumerate(ports):
            if not isinstance(port, made):
                raise WorldError(f"{kind}[{number}]", f"{shown(port)}; expected gpufluid.{made.__name__}(...)")
            for problem in port_problems(port, size, rules, table, mixture):
                raise WorldError(f"{kind}[{number}].{problem.field}", problem.message)


def port_problems(
    port: Port, size: tuple[int, int], rules: Sequence[str], materials: MaterialTable, mixture: Sequence[str] = ()
) -> list[WorldError]:
    """All that keeps an emitter or drain from acting in a world; each names its field.

    Args:
        port: the emitter or drain.
        size: (width, height) of the world.
        rules, materials: those of the world.
        mixture: the materials of its mixture.
    """
    outside = port.outside(*size)
    found = [outside] if outside else []
    if isinstance(port, Emitter):
        emitted = {record.name: emitting_rule(rules, record, mixture) for record in materials}
        rule = emitted.get(port.material)
        if port.material not in emitted:
            hint = did_you_mean(port.material, emitted)
            found.append(WorldError("material", f"unknown material {port.material!r}{hint}"))
        elif rule is None:
            hint = did_you_mean("", [name for name, rule in emitted.items() if rule])
            found.append(WorldError("material", f"no rule of this world emits {port.material!r}{hint}"))
        elif port.rate > 1 and port.material not in RULES[rule].held(mixture):
            found.append(_no_probability(port.rate, "an empty cell gets an atom"))
    elif isinstance(port, Drain) and (port.rate or 0) > 1 and not any(RULES[rule].held(mixture) for rule in rules):
        found.append(_no_probability(port.rate, "an atom is taken"))
    return found


def _no_probability(rate: float | None, of: str) -> WorldError:
    return WorldError("rate", f"{shown(rate)}; expected 0 to 1: how likely {of} in a tick")


def check_ledgers(ledger: Ledger, atoms: AtomLedger, heat: HeatLedger, materials: MaterialTable) -> None:
    """Raise WorldError unless they count what can be counted, as a device can."""
    for name in atoms:
        if name not in materials:
            raise WorldError("atoms", f"counts {shown(name)}, which is not in the material table")
    ledgers = {"ledger": ledger} | {f"atoms[{name!r}]": counted for name, counted in atoms.items()}
    for kind, counted in ledgers.items():
        for name, units in asdict(counted).items():
            check_whole(f"{kind}.{name}", units, 0, 2**63 - 1)
    for name, units in asdict(heat).items():
        check_whole(f"heat.{name}", units, -(2**63), 2**63 - 1)


def check_amounts(amounts: AmountLedger, mixture: MixtureTable) -> None:
    """Raise WorldError unless it counts what a mixture has, as a device can."""
    for name, counted in amounts.items():
        if name not in mixture:
            raise WorldError("amounts", f"counts {shown(name)}, which is not in the mixture")
        for entry, units in asdict(counted).items():
            check_whole(f"amounts[{name!r}].{entry}", units, 0, 2**63 - 1)


_Fault = tuple[np.ndarray, str, str]
"""Where cells are wrong, the field, and what follows what was found there."""


def check_cells(
    arrays: Mapping[str, np.ndarray],
    rules: Sequence[str],
    materials: MaterialTable,
    mixture: MixtureTable,
    exclusive: bool,
) -> None:
    """Raise WorldError unless every cell holds what the rules can run with: the field, the cell, what was expected.

    Args:
        arrays: the fields of a world, or of a rectangle of it.
        rules, materials, mixture, exclusive: those of the world.
    """
    faults = chain(
        _wrong_materials(arrays, rules, materials, mixture.names),
        _wrong_mass(arrays, materials) if "mass" in arrays else (),
        _wrong_amounts(arrays, materials, exclusive) if "mixture" in arrays else (),
        _wrong_motion(arrays, materials) if "velocity" in arrays else (),
        _wrong_warmth(arrays, materials) if "temperature" in arrays else (),
    )
    for wrong, name, reason in faults:
        if wrong.any():
            row, column = (int(i) for i in np.argwhere(wrong)[0])
            found = in_words(in_cell(name, arrays[name], row, column))
            raise WorldError(f"{name}[{row}, {column}]", f"{found}{reason}")


def _wrong_materials(
    arrays: Mapping[str, np.ndarray], rules: Sequence[str], materials: MaterialTable, mixture: Sequence[str]
) -> Iterator[_Fault]:
    material = arrays["material"]
    yield material >= len(materials), "material", f"; expected 0 to {len(materials) - 1}"
    for number, record in enumerate(materials):
        if not can_hold(rules, record):
            held = "".join(
                f"; rule {rule} holds it in field {RULES[rule].held(mixture)[record.name]!r}"
                for rule in rules
                if record.name in RULES[rule].held(mixture)
            )
            yield material == number, "material", f" ({record.name}): no rule of this world moves it{held}"


def _wrong_mass(arrays: Mapping[str, np.ndarray], materials: MaterialTable) -> Iterator[_Fault]:
    mass = arrays["mass"]
    yield (mass < 0) | (mass > MASS_LIMIT), "mass", f"; expected 0 to {MASS_LIMIT} units"
    yield (mass != 0) & materials.solid[arrays["material"]], "mass", "; expected 0 units in a solid cell"


def _wrong_amounts(arrays: Mapping[str, np.ndarray], materials: MaterialTable, exclusive: bool) -> Iterator[_Fault]:
    amounts, solid = arrays["mixture"], materials.solid[arrays["material"]]
    beyond = np.asarray(((amounts < 0) | (amounts > FULL)).any(axis=0))
    yield beyond, "mixture", f"; expected 0 to {FULL} units of each"
    yield np.asarray((amounts != 0).any(axis=0) & solid), "mixture", "; expected 0 units in a solid cell"
    if exclusive:
        together = np.asarray(amounts.sum(axis=0, dtype=np.int64) > FULL)
        yield together, "mixture", f"; expected {FULL} units together at most, for they exclude each other"


def _wrong_motion(arrays: Mapping[str, np.ndarray], materials: MaterialTable) -> Iterator[_Fault]:
    velocity, solid, empty = arrays["velocity"], materials.solid[arrays["material"]], arrays["material"] == 0
    moving = any_component("velocity", velocity != 0)
    fast = any_component("velocity", (velocity > SPEED_LIMIT) | (velocity < -SPEED_LIMIT))
    yield fast, "velocity", f"; expected -{SPEED_LIMIT} to {SPEED_LIMIT}"
    yield moving & solid, "velocity", "; expected (0, 0) in a solid cell"
    yield moving & empty, "velocity", "; expected (0, 0) in an empty cell"
    yield (arrays["grain"] != 0) & empty, "grain", "; expected 0 in an empty cell"


def _wrong_warmth(arrays: Mapping[str, np.ndarray], materials: MaterialTable) -> Iterator[_Fault]:
    material, temperature = arrays["material"], arrays["temperature"]
    extreme = (temperature < TEMPERATURE_LEAST) | (temperature > TEMPERATURE_MOST)
    yield extreme, "temperature", f"; expected {TEMPERATURE_LEAST} to {TEMPERATURE_MOST}, in 1/8 degree C"
    for name in ("temperature", "integrity", "age"):
        yield (arrays[name] != 0) & (material == 0), name, "; expected 0 in an empty cell"
    for number, record in enumerate(materials):
        if record.transitions:
            least, most = -record.latent_units("below"), record.latent_units("above")
            latent = arrays["age"].view(np.int8)
            wanted = f" ({record.name}): as latent heat, a byte with a sign, expected {least} to {most}"
            yield (material == number) & ((latent < least) | (latent > most)), "age", wanted
