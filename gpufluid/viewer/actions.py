"""The registry of viewer actions. Keys, buttons, scripts and replays all run actions by name.

An action is a function whose first parameter is the viewer. The modules of this folder whose names begin with an
underscore define the actions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpufluid.core.errors import UsageError, did_you_mean

Run = Callable[..., "Mapping[str, object] | None"]

GROUPS = ("Time", "Paint", "Material", "View", "Files", "Window")


@dataclass(frozen=True, slots=True)
class Action:
    """An action of the viewer.

    Args:
        name: for `Viewer.do`.
        group: one of `GROUPS`; the heading under which the help lists the action.
        about: one sentence, shown in the help.
        keys: each chord bound to the action, with the arguments that the chord passes.
        run: the function; takes the viewer and the arguments. May return other arguments for a replay to use.
        logged: whether the world's state depends on the action, so that a replay must repeat it.
        says: makes the sentence from a chord's arguments; None: ``about`` says enough.
    """

    name: str
    group: str
    about: str
    keys: Mapping[str, Mapping[str, object]]
    run: Run
    logged: bool
    says: Callable[..., str] | None = None

    def sentence(self, arguments: Mapping[str, object]) -> str:
        """One sentence on what the action does with the arguments of a chord."""
        return self.about if self.says is None else self.says(**arguments)


ACTIONS: dict[str, Action] = {}


def action(
    group: str,
    about: str,
    keys: str | Mapping[str, Mapping[str, object]] = "",
    logged: bool = False,
    says: Callable[..., str] | None = None,
) -> Callable[[Run], Run]:
    """Register the decorated function as the action of the same name.

    Args:
        group, about, logged, says: see `Action`.
        keys: chords separated by spaces, or a mapping from each chord to its arguments.
    """

    def enter(run: Run) -> Run:
        bound = {key: {} for key in keys.split()} if isinstance(keys, str) else keys
        name = run.__name__
        ACTIONS[name] = Action(name, group, about, bound, run, logged, says)
        return run

    return enter


def perform(viewer: object, name: str, arguments: Mapping[str, object]) -> Mapping[str, object]:
    """Run an action. Returns the arguments with which a replay repeats it.

    Raises: UsageError: unknown action, or wrong arguments.
    """
    if name not in ACTIONS:
        raise UsageError(f"no action is named {name!r}{did_you_mean(name, ACTIONS)}")
    check_arguments(name, arguments)
    return ACTIONS[name].run(viewer, **arguments) or arguments


def check_arguments(name: str, arguments: Mapping[str, object]) -> None:
    """Check arguments against an action's signature. Raises: UsageError: the action does not accept them."""
    try:
        inspect.signature(ACTIONS[name].run).bind(None, **arguments)
    except TypeError as error:
        raise UsageError(f"{name}: {error}") from None
