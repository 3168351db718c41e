"""Everything that can be done in the viewer, by name: keys, buttons, scripts and replays all come through here.

The modules of this folder that begin with an underline bring the actions; each is a function with the viewer first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpufluid.core.errors import UsageError, did_you_mean

Run = Callable[..., "Mapping[str, object] | None"]

GROUPS = ("Time", "Paint", "Matter", "Look", "Keep", "Window")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done.

    Args:
        name: as in `Viewer.do`.
        group: one of `GROUPS`, under which the help lists it.
        about: a sentence.
        keys: chords, each with the arguments that it gives.
        run: does it; the viewer first. It may return the arguments with which a replay does the same, if others.
        lasting: whether the world's state follows from it, so that a replay must do it again.
    """

    name: str
    group: str
    about: str
    keys: Mapping[str, Mapping[str, object]]
    run: Run
    lasting: bool


ACTIONS: dict[str, Action] = {}


def action(
    group: str, about: str, keys: str | Mapping[str, Mapping[str, object]] = "", lasting: bool = False
) -> Callable[[Run], Run]:
    """Enter a function as the action of its name.

    Args:
        group, about, lasting: see `Action`.
        keys: chords with a blank between, or with arguments for each.
    """

    def enter(run: Run) -> Run:
        bound = {key: {} for key in keys.split()} if isinstance(keys, str) else keys
        name = run.__name__
        ACTIONS[name] = Action(name, group, about, bound, run, lasting)
        return run

    return enter


def perform(viewer: object, name: str, arguments: Mapping[str, object]) -> Mapping[str, object]:
    """Do something. Returns the arguments with which a replay does the same.

    Raises: UsageError: there is no such action, or it takes other arguments.
    """
    if name not in ACTIONS:
        raise UsageError(f"no action is named {name!r}{did_you_mean(name, ACTIONS)}")
    check_arguments(name, arguments)
    return ACTIONS[name].run(viewer, **arguments) or arguments


def check_arguments(name: str, arguments: Mapping[str, object]) -> None:
    """Raise UsageError unless an action takes these arguments."""
    try:
        inspect.signature(ACTIONS[name].run).bind(None, **arguments)
    except TypeError as error:
        raise UsageError(f"{name}: {error}") from None
