"""Everything that can be done in the viewer, by name: keys, buttons, scripts and replays all come through here.

The modules of this folder that begin with an underline bring the actions; each is a function with the viewer first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gpufluid.errors import UsageError, did_you_mean

GROUPS = ("Time", "Paint", "Matter", "Look", "Keep", "Window")


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done.

    Args:
        name: as in `Viewer.do`.
        group: one of `GROUPS`, under which the help lists it.
        about: a sentence.
        keys: chords, each with the arguments that it gives.
        run: does it; the viewer first.
        lasting: whether the world's state follows from it, so that a replay must do it again.
    """

    name: str
    group: str
    about: str
    keys: Mapping[str, Mapping[str, object]]
    run: Callable[..., None]
    lasting: bool


ACTIONS: dict[str, Action] = {}


def action(
    group: str, about: str, keys: str | Mapping[str, Mapping[str, object]] = "", lasting: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Enter a function as the action of its name.

    Args:
        group, about, lasting: see `Action`.
        keys: chords with a blank between, or with arguments for each.
    """

    def enter(run: Callable[..., None]) -> Callable[..., None]:
        bound = {key: {} for key in keys.split()} if isinstance(keys, str) else keys
        name = run.__name__
        ACTIONS[name] = Action(name, group, about, bound, run, lasting)
        return run

    return enter


def perform(viewer: object, name: str, arguments: Mapping[str, object]) -> Action:
    """Do something. Raises UsageError: there is no such action, or it takes other arguments."""
    if name not in ACTIONS:
        raise UsageError(f"no action is named {name!r}{did_you_mean(name, ACTIONS)}")
    check_arguments(name, arguments)
    ACTIONS[name].run(viewer, **arguments)
    return ACTIONS[name]


def check_arguments(name: str, arguments: Mapping[str, object]) -> None:
    """Raise UsageError unless an action takes these arguments."""
    try:
        inspect.signature(ACTIONS[name].run).bind(None, **arguments)
    except TypeError as error:
        raise UsageError(f"{name}: {error}") from None
