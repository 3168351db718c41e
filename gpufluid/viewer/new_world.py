"""New worlds for the window: presets of rules, what surrounds the world, and the empty world itself."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.world import World
from gpufluid.world.laws import Edges, Gravity, law_conflicts

WALL = 4
"""Thickness of floor and walls in cells; in worlds under 40 cells a side a tenth of that, but at least one."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Rules that make a world for one kind of play.

    Args:
        title, about: for people.
        rules: the names of the rules.
    """

    title: str
    about: str
    rules: tuple[str, ...]


PRESETS = {
    "sandbox": Preset(
        "Everything",
        "Matter falls, flows, burns, melts, grows and corrodes; liquids find their level, and loose solids fall.",
        ("atoms", "heat", "reactions", "pressure", "collapse"),
    ),
    "matter": Preset("Falling matter", "Powders, liquids and gases move. Nothing burns or melts.", ("atoms",)),
    "heat": Preset("Matter and heat", "Matter moves, and melts, boils and freezes. Nothing burns.", ("atoms", "heat")),
    "water": Preset("Water by mass", "Water only, in any amount a cell: waves, jets and levels.", ("flow",)),
    "water_and_matter": Preset(
        "Water by mass, and matter",
        "Water in any amount a cell, and matter that falls, burns and melts in it.",
        ("flow", "atoms", "heat", "reactions"),
    ),
    "mixture": Preset(
        "Mixtures",
        "Cells hold parts of several materials: water, steam, lava, sand. Liquids find their level.",
        ("mixture", "pressure"),
    ),
}
"""The kinds of worlds that the window offers, by name."""

SURROUNDINGS: dict[str, tuple[str, Edges]] = {
    "floor": ("Floor and walls, open sky", "open"),
    "closed": ("Closed on all sides", "closed"),
    "open": ("Open on all sides: what leaves is gone", "open"),
    "wrap": ("Joined: what leaves comes in on the other side", "wrap"),
}
"""What surrounds a world, by name: the words for people, and the edges of the world."""


@dataclass(slots=True)
class Choices:
    """The arguments of `new_world`, as a dialog changes them."""

    width: int = 320
    height: int = 200
    surroundings: str = "floor"
    gravity: str = "down"
    rules: str = "sandbox"

    @property
    def arguments(self) -> dict[str, object]:
        """The choices by name."""
        return asdict(self)


def problem_of(choices: Choices) -> str | None:
    """Why there can be no world of these valid choices, as a sentence; None: there can be one."""
    rules, edges = PRESETS[choices.rules].rules, SURROUNDINGS[choices.surroundings][1]
    problems = law_conflicts(rules, edges, choices.gravity, choices.height, choices.width)
    return next((str(problem) for problem in problems), None)


def new_world(
    width: int = 320, height: int = 200, surroundings: str = "floor", gravity: str = "down", rules: str = "sandbox"
) -> World:
    """An empty world.

    Args:
        width, height: in cells.
        surroundings: one of `SURROUNDINGS`. A floor lies where gravity points, without gravity at the bottom; the walls
            stand beside it.
        gravity: as for `World`.
        rules: one of `PRESETS`.
    Raises: UsageError: an unknown name. WorldError: an invalid size or gravity, or laws that do not go together.
    """
    for name, word, known in (("surroundings", surroundings, SURROUNDINGS), ("rules", rules, PRESETS)):
        if not isinstance(word, str) or word not in known:
            raise UsageError(f"{name}: {shown(word)} is not known{did_you_mean(str(word), known)}")
    direction: Gravity = gravity  # pyright: ignore[reportAssignmentType]  World checks it
    world = World(height, width, PRESETS[rules].rules, SURROUNDINGS[surroundings][1], gravity=direction)
    if surroundings == "floor":
        _wall_in(world)
    return world


def _wall_in(world: World) -> None:
    """Draw a floor where gravity points, and walls beside it, but nothing opposite of it."""
    material, wall = world.own_array("material"), world.materials["wall"]
    thick = {axis: max(1, min(WALL, side // 10)) for axis, side in (("x", world.width), ("y", world.height))}
    sky = {"down": "top", "up": "bottom", "left": "right", "right": "left"}.get(world.gravity, "top")
    sides = {
        "top": (slice(0, thick["y"]), slice(None)),
        "bottom": (slice(-thick["y"], None), slice(None)),
        "left": (slice(None), slice(0, thick["x"])),
        "right": (slice(None), slice(-thick["x"], None)),
    }
    for side, cells in sides.items():
        if side != sky:
            material[cells] = wall
    world.draw_temperature()
