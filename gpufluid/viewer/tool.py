"""The tool: settings of the pointer."""

from __future__ import annotations

from dataclasses import dataclass

PANELS = {
    "palette": "Tool and palette",
    "inspector": "Cell under the pointer",
    "overlays": "Overlays",
    "statistics": "Statistics",
    "time": "Time bar",
    "picture": "Colours of the picture",
    "scenes": "Open",
    "help": "Help",
    "welcome": "First steps",
}
"""The panels, and their names for users."""
PAGES = ("help", "scenes")
"""The panels that cover the world: time is paused while one of them is open."""

MODES = {
    "paint": "Lay the chosen material; hold the button to pour.",
    "erase": "Wipe away what is under the brush, walls as well, as long as the button is held.",
    "replace": "Change only the material on which you begin; what else is there stays.",
    "line": "Drag a straight line of the chosen material.",
    "rectangle": "Drag a block of the chosen material.",
    "fill": "Change the whole patch of one material on which you click.",
    "emitter": "Place an emitter, which goes on pouring the chosen material; drag to aim it.",
    "drain": "Drag a drain, which swallows all that comes into it.",
    "remove": "Click on an emitter or a drain to take it away.",
    "pick": "Click on a material to choose it.",
    "warm": "Warm what is under the brush, as long as the button is held; the right button cools.",
    "cool": "Cool what is under the brush, as long as the button is held; the right button warms.",
}
"""The modes of the tool, and what happens in them."""
LABELS = {"remove": "Remove emitter"}
"""The labels of modes whose names say too little."""
PAINTING = ("paint", "replace", "fill", "line", "rectangle", "emitter")
"""The modes that use the chosen material."""
LAYING = ("paint", "fill", "line", "rectangle")
"""The modes that lay it over whatever is there."""

DEGREES_LEAST, DEGREES_MOST = 0.125, 1024.0
RATE_LEAST = 1 / 256


@dataclass(frozen=True, slots=True)
class Tool:
    """Settings of the pointer.

    Args:
        material: name of the material to paint with.
        mode: what a click or drag does; one of `MODES`.
        shape, size: of the brush; see `brush.stroke`.
        velocity: (right, down) of painted matter, in cells a tick.
        rate: the share of the brush's cells, drawn at random, that a held brush lays anew in each tick, and a
            spray in each stroke; `RATE_LEAST` to 1.
        amount: the part of a cell that is laid of a material that a rule stores as an amount, 0 to 1.
        mix: whether it is mixed with what is in the cell, and does not replace it.
        over_walls: whether matter is also laid over anchored solids, such as floor and walls.
        degrees: strength of the heat brush, in degrees C a tick, `DEGREES_LEAST` to `DEGREES_MOST`.
    """

    material: str
    mode: str = "paint"
    shape: str = "round"
    size: int = 5
    velocity: tuple[float, float] = (0.0, 0.0)
    rate: float = 0.125
    amount: float = 1.0
    mix: bool = False
    over_walls: bool = False
    degrees: float = 16.0


def actions_of(tool: Tool) -> dict[str, dict[str, object]]:
    """The actions that give a viewer this tool: their arguments by name, an action for each setting."""
    return {
        "material": {"name": tool.material},
        "tool": {"mode": tool.mode},
        "shape": {"name": tool.shape},
        "brush_size": {"cells": tool.size},
        "velocity": {"x": tool.velocity[0], "y": tool.velocity[1]},
        "degrees": {"count": tool.degrees},
        "pour_rate": {"share": tool.rate},
        "amount": {"cells": tool.amount},
        "mix": {"on": tool.mix},
        "over_walls": {"on": tool.over_walls},
    }
