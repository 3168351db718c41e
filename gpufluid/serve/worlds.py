"""The dialogs of a page that open, make and resize worlds. The window's actions do the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from gpufluid.core.errors import UsageError
from gpufluid.rules import RULES
from gpufluid.serve.folder import Folder
from gpufluid.viewer import Viewer
from gpufluid.viewer.folders import in_words
from gpufluid.viewer.new_world import (
    GRAVITIES,
    KINDS,
    OWN,
    PRESETS,
    SURROUNDINGS,
    Choices,
    Cost,
    check_known,
    cost_of,
    needs_in_words,
    problem_of,
    side_problem,
    switched,
    walls_left_out,
)
from gpufluid.viewer.saving import unused_file
from gpufluid.world.reshaping import usual_alignment

_ASKING = ("ask_open", "ask_new", "ask_resize")
_ANSWERS = ("choose", "confirm", "request_open", "request_first", "answer", "close_dialog")

PAGE_ACTIONS = frozenset((*_ASKING, *_ANSWERS))
"""The methods of `WorldDialogs` that a page can ask for by name. They need the brush."""


class Page(Protocol):
    """The part of `Client` that the dialogs use."""

    @property
    def viewer(self) -> Viewer:
        """The viewer that all pages share."""
        ...

    @property
    def folder(self) -> Folder:
        """The folder of the session."""
        ...

    @property
    def first_name(self) -> str:
        """The name of the world that was served at first."""
        ...

    def do(self, action: str, **arguments: object) -> None:
        """Run an action of the viewer for this page."""

    def save(self) -> None:
        """Save a snapshot in the folder, and offer it to this page."""

    def open_first(self) -> None:
        """Show the world that was served at first."""

    def tell(self, text: str, kind: str = "note") -> None:
        """Show a message on this page."""


class WorldDialogs:
    """The dialogs of one page: which one is open, and what is chosen in it.

    Time goes on while a dialog is open, because other pages may show the same world.

    Args:
        page: the page, which performs the actions.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self.dialog: str | None = None
        """``open``, ``new``, ``resize`` or ``unsaved``; None: no dialog is open."""
        self._folder = ""  # the folder listed, relative to that of the session
        self._last = Choices()  # those of the last world that was made
        self._choices = Choices()
        self._align = (0.5, 1.0)
        self._large = False  # whether so large a world is wanted
        self._waiting: tuple[str, dict[str, object]] | None = None  # the action that waits for an answer
        self._cost: tuple[tuple[tuple[str, ...], int, int], Cost] | None = None

    @property
    def _viewer(self) -> Viewer:
        return self._page.viewer

    # The actions of a page.

    def ask_open(self, name: str = "") -> None:
        """List a folder, by its path from that of the session on; empty: that one. Raises: UsageError: it cannot be."""
        self._page.folder.listing(name)
        self._folder, self.dialog = name, "open"

    def ask_new(self) -> None:
        """Ask for the choices of a new world: those of the last one, and the world's rules as single rules."""
        self._choices, self._large = replace(self._last, own_rules=self._viewer.sim.blank.rules), False
        self.dialog = "new"

    def ask_resize(self) -> None:
        """Ask for the size of the world: at first its own, with the floor at the floor."""
        laws = self._viewer.sim.blank
        self._choices = replace(self._choices, width=laws.width, height=laws.height)
        self._align, self._large = usual_alignment(laws.gravity), False
        self.dialog = "resize"

    def choose(
        self,
        width: int | None = None,
        height: int | None = None,
        surroundings: str | None = None,
        gravity: str | None = None,
        rules: str | None = None,
        switch: str | None = None,
        align: list[float] | None = None,
        large: bool | None = None,
    ) -> None:
        """Change choices; ``switch`` is a rule that is added or taken away. Raises: UsageError: an unknown name."""
        words = (("surroundings", surroundings, SURROUNDINGS), ("gravity", gravity, GRAVITIES))
        for name, word, known in (*words, ("rules", rules, KINDS), ("switch", switch, RULES)):
            if word is not None:
                check_known(name, word, known)
        if align is not None and len(align) != 2:
            raise UsageError(f"align: {align}; expected two numbers from 0 to 1")
        named = {"width": width, "height": height, "surroundings": surroundings, "gravity": gravity, "rules": rules}
        found = replace(self._choices, **{name: value for name, value in named.items() if value is not None})
        if switch is not None:
            found.own_rules = switched(found.own_rules, switch)
        self._large = bool(large) if large is not None else self._large and found == self._choices
        self._choices = found
        self._align = self._align if align is None else (align[0], align[1])

    def confirm(self) -> None:
        """Make or resize the world. Raises: UsageError, WorldError, DeviceError: it cannot be made."""
        chosen = self._choices
        if self.dialog not in ("new", "resize"):
            raise UsageError("confirm: no dialog on a world is open")
        problem, cost = self._problem()
        if problem is not None:
            raise UsageError(problem)
        if cost is not None and cost.large and not self._large:
            raise UsageError(f"{cost.words} Confirm that you want it.")
        if self.dialog == "new":
            self._last = chosen
            self._replace("request_new", chosen.arguments)
        else:
            self._page.do("resize", width=chosen.width, height=chosen.height, align=list(self._align))
            self.dialog = None

    def request_open(self, name: str) -> None:
        """Open a file of the folder, by its path from there on; ask first if changes would be lost.

        Raises: UsageError: a path that leaves the folder, a file of another kind, or an invalid one. WorldError,
            DeviceError: the world cannot run here.
        """
        self._replace("request_open", {"path": str(self._page.folder.world(name))})

    def request_first(self) -> None:
        """Show the world that was served at first; ask first if changes would be lost."""
        if self._viewer.unsaved:
            self._waiting, self.dialog = ("first", {}), "unsaved"
        else:
            self._go_on("first", {})

    def answer(self, save: bool) -> None:
        """Answer the question on unsaved changes: go on, after saving the world or without. Raises: as the action."""
        if self._waiting is None:
            raise UsageError("answer: nothing was asked")
        if save:
            self._page.save()
        waiting = self._waiting
        self.close_dialog()
        self._go_on(*waiting)

    def close_dialog(self) -> None:
        """Close the dialog; nothing changes."""
        self.dialog = self._waiting = None

    def _replace(self, action: str, arguments: dict[str, object]) -> None:
        """Run a window's action that replaces the world. If it asks about unsaved changes, only this page is asked."""
        viewer = self._viewer
        self._page.do(action, **arguments)
        opening, creating = viewer.opening, viewer.creating
        viewer.do("stay")
        if opening is not None:
            self._waiting, self.dialog = ("open", {"path": opening}), "unsaved"
        elif creating is not None:
            self._waiting, self.dialog = ("new", creating), "unsaved"
        else:
            self.close_dialog()

    def _go_on(self, action: str, arguments: dict[str, object]) -> None:
        """Replace the world."""
        if action == "first":
            self._page.open_first()
        else:
            self._page.do(action, **arguments)
        self.close_dialog()

    # The state of the open dialog, for the page.

    def state(self) -> dict[str, object] | None:
        """The open dialog as plain data; None: no dialog is open."""
        drawn: dict[str | None, Callable[[], dict[str, object]]] = {
            "open": lambda: {"folder": self._folder, "first": self._page.first_name},
            "new": self._new,
            "resize": lambda: self._sized() | {"align": list(self._align)},
            "unsaved": self._unsaved,
        }
        found = drawn.get(self.dialog)
        return None if found is None else {"kind": self.dialog, **found()}

    def listing(self) -> dict[str, object] | None:
        """The folder that the page shows, as plain data; None: it shows none.

        If the folder can no longer be listed, the dialog closes, and the page is told why.
        """
        if self.dialog != "open":
            return None
        try:
            found = self._page.folder.listing(self._folder)
        except UsageError as error:
            self.close_dialog()
            self._page.tell(str(error), "error")
            return None
        entries = [
            {"name": each.name, "kind": each.kind, "facts": [part for part in in_words(each) if part]}
            for each in found.entries
        ]
        return {"type": "folder", "folder": self._folder, "entries": entries, "others": found.others}

    def _new(self) -> dict[str, object]:
        chosen = self._choices
        own = [
            {"name": name, "about": rule.about, "needs": needs_in_words(name), "on": name in chosen.own_rules}
            for name, rule in RULES.items()
        ]
        return self._sized() | {
            "surroundings": chosen.surroundings,
            "gravity": chosen.gravity,
            "rules": chosen.rules,
            "about": "" if chosen.rules == OWN else PRESETS[chosen.rules].about,
            "own": own if chosen.rules == OWN else [],
        }

    def _sized(self) -> dict[str, object]:
        """The size of the world that is to be made, its cost, and why it cannot be made."""
        chosen = self._choices
        problem, cost = self._problem()
        remark = walls_left_out(chosen.width, chosen.height, chosen.gravity)
        has_floor = self.dialog == "new" and chosen.surroundings == "floor"
        return {
            "width": chosen.width,
            "height": chosen.height,
            "problem": problem or "",
            "words": "" if cost is None or cost.lack else cost.words,
            "remark": remark if problem is None and has_floor and remark else "",
            "large": cost is not None and cost.large and problem is None,
            "wanted": self._large,
        }

    def _problem(self) -> tuple[str | None, Cost | None]:
        """A sentence that says why the world cannot be made, None if it can; and its cost, if its size is possible."""
        chosen, device = self._choices, self._viewer.sim.device
        sides = (("Width", chosen.width), ("Height", chosen.height))
        wrong = next(filter(None, (side_problem(words, cells, device.max_side) for words, cells in sides)), None)
        if wrong is None and self.dialog == "new":
            wrong = problem_of(chosen)
        if wrong is not None:
            return wrong, None
        rules = chosen.rule_names if self.dialog == "new" else self._viewer.sim.blank.rules
        measured = rules, chosen.width, chosen.height
        if self._cost is None or self._cost[0] != measured:
            self._cost = measured, cost_of(device, *measured)
        cost = self._cost[1]
        return cost.lack, cost

    def _unsaved(self) -> dict[str, object]:
        action, arguments = self._waiting or ("", {})
        path, viewer = arguments.get("path"), self._viewer
        other = Path(str(path)).name if path else "The new world" if action == "new" else "The world served at first"
        place = unused_file(self._page.folder.path, viewer.source, viewer.sim.tick, ".npz")
        return {"verb": "Make a new world" if action == "new" else "Open", "other": other, "place": place.name}
