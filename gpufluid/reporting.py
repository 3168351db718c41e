"""What a run came to, for a program and for a person."""

from __future__ import annotations

from typing import Any

from gpufluid.cell import FULL
from gpufluid.recording import Outcome


def answer(title: str, outcome: Outcome, renderer: str) -> dict[str, Any]:
    """All that there is to say of a run, as plain data; mass and activity in units."""
    world = outcome.world
    ledger, began = world.ledger, outcome.began
    rate = outcome.ticks / outcome.seconds if outcome.seconds else 0.0
    updates = sum(call.port is None for call in world.schedule().calls(world.tick)) * world.width * world.height
    return {
        "scene": title,
        "width": world.width,
        "height": world.height,
        "renderer": renderer,
        "ticks": outcome.ticks,
        "tick": world.tick,
        "seconds": round(outcome.seconds, 3),
        "ticks_per_second": round(rate, 1),
        "cell_updates_per_second": round(rate * updates),
        "digest": world.digest(),
        "settled": outcome.settled,
        "interrupted": outcome.interrupted,
        "units_per_cell": FULL,
        "activity_units": outcome.activity,
        "mass_units": {
            "before": outcome.before,
            "emitted": ledger.emitted - began.emitted,
            "drained": ledger.drained - began.drained,
            "left": ledger.left - began.left,
            "now": world.total(),
        },
        "outputs": [str(path) for path in outcome.outputs],
    }


def text(answer: dict[str, Any]) -> str:
    """The same for a person; mass and activity in cells."""
    mass = {name: f"{units / FULL:.6f}" for name, units in answer["mass_units"].items()}
    speed = answer["ticks_per_second"]
    moving = f"{answer['activity_units'] / FULL:.6f} cells of mass moved in the last tick"
    if not answer["ticks"]:
        moving = "no tick was run"
    size = f"{answer['width']} x {answer['height']} cells"
    rates = f"{speed:,.0f} ticks/s, {answer['cell_updates_per_second'] / 1e6:,.1f} million cell updates/s"
    added = f"{mass['before']} before + {mass['emitted']} emitted"
    lines = [
        f"{answer['scene']}: {size}, {answer['ticks']} ticks in {answer['seconds']:.2f} s ({rates})",
        f"digest   {answer['digest']} at tick {answer['tick']}",
        f"mass     {added} - {mass['drained']} drained - {mass['left']} left = {mass['now']} now",
        f"activity {'settled: nothing can move any more' if answer['settled'] else moving}",
        f"renderer {answer['renderer']}",
    ]
    return "\n".join(lines + [f"wrote    {path}" for path in answer["outputs"]])
