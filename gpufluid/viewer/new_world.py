"""New worlds for the window: presets of rules, kinds of surroundings, and the empty world itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.memory import in_units
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import needed_bytes, shortage
from gpufluid.gpu.variants import decide
from gpufluid.rules import RULES
from gpufluid.world import World
from gpufluid.world.laws import Edges, Gravity, checked_rules, law_conflicts, rule_conflicts
from gpufluid.world.reshaping import rules_with

WALL = 4
"""Thickness of floor and walls in cells; in worlds under 40 cells a side a tenth of that, but at least one."""


LARGE = 1 << 24
"""The number of cells from which on a world is made only after a question."""


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
        "All kinds of matter",
        "Matter falls, flows, burns, melts, grows and corrodes; liquids find their level; loose solids fall and float. "
        "Each cell holds one material: there are no mixtures.",
        ("atoms", "heat", "reactions", "pressure", "collapse"),
    ),
    "matter": Preset("Falling matter", "Powders, liquids and gases move. Nothing burns or melts.", ("atoms",)),
    "heat": Preset("Matter and heat", "Matter moves, and melts, boils and freezes. Nothing burns.", ("atoms", "heat")),
    "water": Preset("Water by mass", "Water only, in any amount a cell: waves, jets and levels.", ("flow", "inertia")),
    "water_and_matter": Preset(
        "Water by mass, and matter",
        "Water in any amount a cell, with waves and jets, and matter that falls, floats, burns and melts in it.",
        ("flow", "atoms", "heat", "reactions", "collapse", "inertia"),
    ),
    "mixture": Preset(
        "Mixtures",
        "Cells hold parts of several materials: water, steam, lava, sand. Liquids find their level.",
        ("mixture", "pressure"),
    ),
}
"""The kinds of worlds that the window offers, by name."""

OWN = "own"
"""The choice of single rules, in place of a preset."""

SURROUNDINGS: dict[str, tuple[str, Edges]] = {
    "floor": ("Floor and walls, open sky", "open"),
    "closed": ("Closed on all sides", "closed"),
    "open": ("Open on all sides: what leaves is gone", "open"),
    "wrap": ("Joined: what leaves comes in on the other side", "wrap"),
}
"""The kinds of surroundings by name: a description for people, and the edges of the world."""

GRAVITIES = {"down": "Down", "up": "Up", "left": "To the left", "right": "To the right", "off": "None"}
"""The directions of gravity by name, for people."""

KINDS = {name: preset.title for name, preset in PRESETS.items()} | {OWN: "My own choice of rules"}
"""The choices of rules by name, for people."""


@dataclass(slots=True)
class Choices:
    """The arguments of `new_world`, as a dialog changes them.

    Args:
        width, height, surroundings, gravity: as for `new_world`.
        rules: one of `PRESETS`, or `OWN`.
        own_rules: the rules of `OWN`.
    """

    width: int = 320
    height: int = 200
    surroundings: str = "floor"
    gravity: str = "down"
    rules: str = "sandbox"
    own_rules: tuple[str, ...] = PRESETS["sandbox"].rules

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The names of the chosen rules."""
        return self.own_rules if self.rules == OWN else PRESETS[self.rules].rules

    @property
    def arguments(self) -> dict[str, object]:
        """The choices by name."""
        rules = list(self.own_rules) if self.rules == OWN else self.rules
        size = {"width": self.width, "height": self.height}
        return {**size, "surroundings": self.surroundings, "gravity": self.gravity, "rules": rules}


def switched(rules: Sequence[str], rule: str) -> tuple[str, ...]:
    """Some rules with one more, and with those that it needs; or without it, and without those that need it."""
    if rule not in rules:
        found = rules_with(rules, [rule])
    else:
        found = tuple(each for each in rules if each != rule)
        while lacking := [each for each in found if not _has_all(each, found)]:
            found = tuple(each for each in found if each not in lacking)
    return tuple(each for each in RULES if each in found)


def _has_all(rule: str, rules: Sequence[str]) -> bool:
    """True if a rule has beside it the rules that it needs."""
    wanted = RULES[rule].requires
    works_on = not wanted.works_on or any(each in rules for each in wanted.works_on)
    return works_on and all(each in rules for each in wanted.needs)


def needs_in_words(rule: str) -> str:
    """The rules that a rule needs, such as ``needs atoms or mixture``; empty if it needs none."""
    wanted = RULES[rule].requires
    needed = [*wanted.needs, *([" or ".join(wanted.works_on)] if wanted.works_on else [])]
    return f"needs {' and '.join(needed)}" if needed else ""


def problem_of(choices: Choices) -> str | None:
    """A sentence that says why no world can have these valid choices; None: a world can have them."""
    rules, edges = choices.rule_names, SURROUNDINGS[choices.surroundings][1]
    if not rules:
        return "Choose one rule at least: without a rule nothing can be in the world."
    problems = [*rule_conflicts(rules), *law_conflicts(rules, edges, choices.height, choices.width)]
    return next((str(problem) for problem in problems), None)


def check_known(name: str, word: object, known: Iterable[str]) -> None:
    """Check a word of the user. Raises: UsageError: it is not among those known; names similar ones.

    Args:
        name: of the argument.
        word: its value.
        known: the words that it can be.
    """
    if not isinstance(word, str) or word not in known:
        raise UsageError(f"{name}: {shown(word)} is not known{did_you_mean(str(word), known)}")


def side_problem(words: str, cells: int, most: int) -> str | None:
    """A sentence that says why a side of a world cannot have so many cells; None: it can.

    Args:
        words: ``Width`` or ``Height``.
        cells: the length of the side.
        most: the longest side of the device.
    """
    if 1 <= cells <= most:
        return None
    return f"{cells:,} cells are not possible: the {words.lower()} is 1 to {most:,} cells on this device."


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a world.

    Args:
        words: the number of cells and the memory, for people.
        lack: a sentence that says that the memory is too small; None: the world fits.
        large: whether it is made only after a question; see `LARGE`.
    """

    words: str
    lack: str | None
    large: bool


def cost_of(device: Device, rules: Sequence[str], width: int, height: int) -> Cost:
    """The cost of a world of some rules and a size that `side_problem` permits."""
    variants = decide(tuple(rules), None, device)
    words = f"{width * height:,} cells, about {in_units(needed_bytes(device, variants, width, height))} of memory"
    lack = shortage(device, variants, width, height)
    large = width * height >= LARGE
    if lack is not None:
        lack = f"{lack[0].upper()}{lack[1:]}."
    words += ": such a world runs slowly, and to make it takes a while." if large else "."
    return Cost(words, lack, large)


def new_world(
    width: int = 320,
    height: int = 200,
    surroundings: str = "floor",
    gravity: str = "down",
    rules: str | Sequence[str] = "sandbox",
) -> World:
    """An empty world.

    Args:
        width, height: in cells.
        surroundings: one of `SURROUNDINGS`. A floor lies where gravity points, without gravity at the bottom; the walls
            stand beside it. A world that is too small has none of them; see `walls_left_out`.
        gravity: as for `World`.
        rules: one of `PRESETS`, or the names of rules.
    Raises: UsageError: an unknown name. WorldError: an invalid size or gravity, or laws that do not go together.
    """
    check_known("surroundings", surroundings, SURROUNDINGS)
    if isinstance(rules, str) or not isinstance(rules, Sequence):
        check_known("rules", rules, PRESETS)
    chosen = PRESETS[rules].rules if isinstance(rules, str) else checked_rules(rules)
    direction: Gravity = gravity  # pyright: ignore[reportAssignmentType]  World checks it
    world = World(height, width, chosen, SURROUNDINGS[surroundings][1], gravity=direction)
    if surroundings == "floor":
        _wall_in(world)
    return world


def walls_left_out(width: int, height: int, gravity: str) -> str | None:
    """A sentence that names the walls for which a world is too small; None: the world has room for all.

    Beside a floor one row must stay free, and between two walls one column.

    Args:
        width, height: in cells.
        gravity: as for `World`.
    """
    along, across = (width, height) if gravity in ("left", "right") else (height, width)
    lacking = [part for part, lacks in (("a floor", along < 2), ("walls beside the floor", across < 3)) if lacks]
    return f"{width} by {height} cells have no room for {' and '.join(lacking)}." if lacking else None


def _wall_in(world: World) -> None:
    """Draw a floor where gravity points, and walls beside it, as far as there is room, but nothing opposite of it."""
    material, wall = world.own_array("material"), world.materials["wall"]
    thick = {axis: max(1, min(WALL, side // 10)) for axis, side in (("x", world.width), ("y", world.height))}
    floor = {"down": "bottom", "up": "top", "left": "left", "right": "right"}.get(world.gravity, "bottom")
    sides = {
        "top": (slice(0, thick["y"]), slice(None)),
        "bottom": (slice(-thick["y"], None), slice(None)),
        "left": (slice(None), slice(0, thick["x"])),
        "right": (slice(None), slice(-thick["x"], None)),
    }
    upright = floor in ("top", "bottom")
    along, across = (world.height, world.width) if upright else (world.width, world.height)
    drawn = [floor] if along >= 2 else []
    drawn += (("left", "right") if upright else ("top", "bottom")) if across >= 3 else ()
    for side in drawn:
        material[sides[side]] = wall
    world.draw_temperature()
