"""Reports of a run: as plain data for programs, and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gpufluid.core.fields import FULL
from gpufluid.run.balance import accounts
from gpufluid.run.recording import Outcome


def answer(title: str, outcome: Outcome, renderer: str, variants: Mapping[str, str]) -> dict[str, Any]:
    """The report of a run as plain data, with mass and activity in units.

    ``activity_units`` and ``units_per_cell`` are there only in a world with mass or a mixture. The entries of
    `balance.accounts` are part of the report.

    Args:
        title: the name of the scene.
        outcome: the result of the run.
        renderer: the name that the device reports.
        variants: the variant of each rule.
    """
    laws = outcome.blank
    rate = outcome.ticks / outcome.seconds if outcome.seconds else 0.0
    return {
        "scene": title,
        "width": laws.width,
        "height": laws.height,
        "renderer": renderer,
        "variants": dict(variants),
        "ticks": outcome.ticks,
        "tick": outcome.after.held.tick,
        "seconds": round(outcome.seconds, 3),
        "ticks_per_second": round(rate, 1),
        "cells_per_second": round(rate * laws.width * laws.height),
        "digest": outcome.digest,
        "settled": outcome.settled,
        "until_settled": outcome.until_settled,
        "interrupted": outcome.interrupted,
        **({} if outcome.activity is None else {"units_per_cell": FULL, "activity_units": outcome.activity}),
        **accounts(laws, outcome.before, outcome.after),
        "outputs": [str(path) for path in outcome.outputs],
    }


def text(answer: dict[str, Any]) -> str:
    """The report of `answer` as text, with mass and activity in cells."""
    speed = answer["ticks_per_second"]
    size = f"{answer['width']} x {answer['height']} cells"
    rates = f"{speed:,.0f} ticks/s, {answer['cells_per_second'] / 1e6:,.1f} million cells/s"
    lines = [
        f"{answer['scene']}: {size}, {answer['ticks']} ticks in {answer['seconds']:.2f} s ({rates})",
        f"digest   {answer['digest']} at tick {answer['tick']}",
    ]
    if "mass_units" in answer:
        lines.append(f"mass     {_sum(_in_cells(answer['mass_units']))}")
    mixture = answer.get("mixture_units", {})
    lines += [f"mixture  {name}: {_sum(_in_cells(account))}" for name, account in mixture.items()]
    lines += [f"atoms    {name}: {_sum(account)}" for name, account in answer.get("atoms", {}).items()]
    lines += [f"activity {activity}" for activity in _activity(answer)]
    lines.append(f"renderer {answer['renderer']}")
    return "\n".join(lines + [f"wrote    {path}" for path in answer["outputs"]])


def _in_cells(account: dict[str, int]) -> dict[str, str]:
    return {name: f"{units / FULL:.6f}" for name, units in account.items()}


def _sum(account: dict[str, Any]) -> str:
    changed = "+ {made} made - {used} used " if "made" in account else ""
    form = f"{{before}} before + {{emitted}} emitted - {{drained}} drained - {{left}} left {changed}= {{now}} now"
    return form.format(**account)


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
