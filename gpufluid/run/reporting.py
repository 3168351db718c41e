"""Reports of a run: as plain data for programs, and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpufluid.core.fields import FIELDS, FULL, QUANTITIES, Quantity
from gpufluid.run.balance import accounts, balanced_fields
from gpufluid.run.recording import RunResult

_SAID = {"left": "left over an edge"}
"""Words for entries of a ledger whose names do not say enough in a sentence."""


def answer(title: str, result: RunResult, renderer: str, variants: Mapping[str, str]) -> dict[str, Any]:
    """The report of a run as plain data, with mass and activity in units.

    ``activity_units`` and ``units_per_cell`` are there only in a world with mass or a mixture. The entries of
    `balance.accounts` are part of the report.

    Args:
        title: the name of the scene.
        result: the result of the run.
        renderer: the name that the device reports.
        variants: the variant of each rule.
    """
    laws = result.blank
    rate = result.ticks / result.seconds if result.seconds else 0.0
    return {
        "scene": title,
        "width": laws.width,
        "height": laws.height,
        "renderer": renderer,
        "variants": dict(variants),
        "ticks": result.ticks,
        "tick": result.after.held.tick,
        "seconds": round(result.seconds, 3),
        "ticks_per_second": round(rate, 1),
        "cells_per_second": round(rate * laws.width * laws.height),
        "digest": result.digest,
        "settled": result.settled,
        "until_settled": result.until_settled,
        "interrupted": result.interrupted,
        **({} if result.activity is None else {"units_per_cell": FULL, "activity_units": result.activity}),
        **accounts(laws, result.before, result.after),
        "outputs": [str(path) for path in result.outputs],
    }


def text(answer: dict[str, Any]) -> str:
    """The report of `answer` as text, with mass and activity in cells."""
    speed = answer["ticks_per_second"]
    size = f"{answer['width']} x {answer['height']} cells"
    rates = f"{speed:,.0f} ticks/s, {answer['cells_per_second'] / 1e6:,.1f} million cells/s"
    ticks = "tick" if answer["ticks"] == 1 else "ticks"
    lines = [
        f"{answer['scene']}: {size}, {answer['ticks']} {ticks} in {answer['seconds']:.2f} s ({rates})",
        f"digest   {answer['digest']} at tick {answer['tick']}",
    ]
    lines += account_lines(answer)
    lines += [f"activity {activity}" for activity in _activity(answer)]
    lines.append(f"renderer {answer['renderer']}")
    return "\n".join(lines + [f"wrote    {path}" for path in answer["outputs"]])


def account_lines(answer: Mapping[str, Any]) -> list[str]:
    """A line for each account in an answer; `balance.accounts` makes them."""
    lines = []
    for key, field, quantity in balanced_fields(FIELDS):
        given = answer.get(key, {})
        named = given if field.layered else {"": given} if given else {}
        for name, account in named.items():
            lines.append(f"{field.name:8} {name and f'{name}: '}{_sum(quantity, account, field.one)}")
    atoms = QUANTITIES["atoms"]
    lines += [f"atoms    {name}: {_sum(atoms, account)}" for name, account in answer.get("atoms", {}).items()]
    return lines


def _sum(quantity: Quantity, account: Mapping[str, int], one: int = 1) -> str:
    """An account as a sentence: what was before, the entries that are not 0 with their signs, what is now.

    Numbers are in multiples of ``one``, with 6 decimals if that is not 1.
    """
    counted = {name: f"{units / one:.6f}" if one > 1 else str(units) for name, units in account.items()}
    signed = ((name, "+" if sign > 0 else "-") for name, sign in quantity.entries.items() if account.get(name))
    entries = "".join(f" {sign} {counted[name]} {_SAID.get(name, name)}" for name, sign in signed)
    return f"{counted['before']} before{entries} = {counted['now']} now"


def _activity(answer: dict[str, Any]) -> list[str]:
    """Lines on the activity in the last tick, and on whether the world has settled; empty: neither is known."""
    if answer["settled"]:
        return ["settled: nothing can move any more"]
    if not answer["ticks"]:
        return ["no tick was run"]
    units, matter = answer.get("activity_units"), "mass" if "mass_units" in answer else "the mixture"
    moved = [] if units is None else [f"{units / FULL:.6f} cells of {matter} moved in the last tick"]
    unsettled = ["not settled: something still moves, or may"] if answer["until_settled"] and not units else []
    return moved + unsettled
