"""Messages sent to a page while the world runs: time, tool, overlay, statistics, cell under the pointer, digest."""

from __future__ import annotations

import time
from math import ceil

from gpufluid.core.fields import TEMPERATURE_ONE
from gpufluid.matter.materials import Material
from gpufluid.render.legend import in_few_digits, value_at
from gpufluid.render.painter import colour_table, overlay_span
from gpufluid.serve.client import Client
from gpufluid.serve.facts import colour_in_words
from gpufluid.serve.session import Session
from gpufluid.viewer import Viewer
from gpufluid.viewer.inspector import inspect_cell
from gpufluid.viewer.speed import in_words
from gpufluid.viewer.texts import readable_colour

STATE_SECONDS = 0.1
"""Time between two messages on the state of the world."""

STATISTICS_SECONDS = 1.0
"""Least time between two messages with the statistics, which may have thousands of numbers."""

FOLDER_SECONDS = 1.0
"""Time between two listings of the folder that a page shows."""

_DIGEST_SECONDS = 0.5
"""Least time between two digests of a running world."""

_DIGEST_SHARE = 20
"""The time between two digests is at least so many times the time that the last one took."""

_PLOTTED, _LISTED, _PORTS = 160, 12, 200
_STOPS = 16
"""The number of colours that the legend of an overlay is made of."""


class Digests:
    """The digest of the world, computed again when the world has changed, but not all the time."""

    def __init__(self) -> None:
        self._state: object = None
        self._next = 0.0
        self.tick, self.text = 0, ""

    def update(self, viewer: Viewer, now: float) -> None:
        """Compute the digest if the world has changed and it is time. A tick in progress is left to go on."""
        state = viewer.sim, viewer.sim.state_number
        if state == self._state or now < self._next or viewer.sim.in_tick:
            return
        began = time.perf_counter()
        self._state, self.tick, self.text = state, viewer.sim.tick, viewer.sim.digest()
        pause = 0.0 if viewer.clock.paused else _DIGEST_SECONDS
        self._next = now + max(pause, _DIGEST_SHARE * (time.perf_counter() - began))


def status(session: Session, digests: Digests) -> dict[str, object]:
    """The part of the state that all pages see, as plain data."""
    viewer = session.viewer
    past, world = viewer.history, viewer.sim.blank
    ports = [[*port.at, *port.size] for port in (*world.emitters, *world.drains)]
    return {
        "type": "state",
        "tick": viewer.sim.tick,
        "speed": in_words(viewer.statistics.ticks_a_second),
        "paused": viewer.clock.paused,
        "rate": viewer.clock.rate,
        "size": [world.width, world.height],
        "overlay": viewer.overlay,
        "legend": _legend(viewer),
        "beyond": colour_in_words(viewer.look.colours.beyond),
        "tint": viewer.look.tint,
        "theme": viewer.look.theme,
        "recording": viewer.recording,
        "undo": past.can_undo,
        "redo": past.can_redo,
        "back": past.can_go_back,
        "gone_back": past.has_gone_back,
        "people": len(session.present),
        "changed": viewer.unsaved,
        "shared": session.shared,
        "actions": len(viewer.log),
        "busy": viewer.sim.in_tick,
        "digest": {"tick": digests.tick, "text": digests.text},
        "files": list(session.folder.made),
        "ports": ports[:_PORTS],
    }


def status_of(session: Session, client: Client) -> dict[str, object]:
    """The part of the state that one page sees."""
    tool = client.tool
    inspected = client.panels["inspector"] and client.hovered
    cell = client.camera.cell_at(client.pointer.at) if inspected else None
    return {
        "brush": session.paints(client),
        "dialog": client.worlds.state() if session.paints(client) else None,
        "taken": session.somebody_paints,
        "tool": {
            "material": tool.material,
            "mode": tool.mode,
            "shape": tool.shape,
            "size": tool.size,
            "throw": list(tool.velocity),
            "share": tool.rate,
            "amount": tool.amount,
            "mix": tool.mix,
            "over_walls": tool.over_walls,
            "degrees": tool.degrees,
        },
        "panels": [name for name, is_open in client.panels.items() if is_open],
        "cell": [] if cell is None else inspect_cell(session.viewer.sim, cell),
    }


def _legend(viewer: Viewer) -> dict[str, object] | None:
    shown = next((overlay for overlay in viewer.overlays if overlay.name == viewer.overlay), None)
    if shown is None:
        return None
    if shown.lines:
        return {"label": shown.label, "colours": [], "values": []}
    low, high = overlay_span(viewer.sim.blank, shown.name)
    table = colour_table(shown)[:: 256 // _STOPS, :3].tolist()
    values = [in_few_digits(value_at(place / 4, shown, low, high)) for place in range(5)]
    return {"label": shown.label, "colours": [colour_in_words(tuple(each)) for each in table], "values": values}


def statistics(viewer: Viewer) -> dict[str, object]:
    """The statistics that the window shows: counts of materials over time, temperatures, the time of each pass."""
    found = viewer.statistics
    every = max(1, ceil(len(found.ticks) / _PLOTTED))
    shown: list[Material] = [each for each in viewer.sim.blank.materials if any(found.counts.get(each.name, ()))]
    plots = [
        {
            "name": each.name,
            "colour": colour_in_words(readable_colour(each.colour)),
            "now": found.counts[each.name][-1],
            "counts": list(found.counts[each.name])[::every],
        }
        for each in shown
    ]
    passes = sorted(found.ms_by_pass.items(), key=lambda item: -item[1])[:_LISTED]
    latest = found.latest
    warmth = []
    if latest is not None and latest.mean is not None:
        warmth = [("largest", latest.largest), ("mean", latest.mean), ("least", latest.least)]
        warmth = [(name, f"{value:,.1f} \u00b0C") for name, value in warmth]
        warmth.append(("heat held", f"{latest.heat / TEMPERATURE_ONE:,.0f} degrees of a cell"))
    return {
        "type": "statistics",
        "ticks": list(found.ticks)[::every],
        "plots": plots,
        "temperatures": warmth,
        "passes": [(name, round(ms, 3)) for name, ms in passes],
    }
