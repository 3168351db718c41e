"""The names of the environments in Gymnasium's registry."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Self

from gpufluid.core.errors import UsageError, shown
from gpufluid.envs.changing import changed
from gpufluid.envs.single import TaskEnv
from gpufluid.envs.task import Task
from gpufluid.envs.tasks import OWN, TASKS, made_task, task_named
from gpufluid.envs.vector import NO_LIMIT, TaskVectorEnv

_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")


class Registration:
    """The registration of a task. `undo`, or the end of a ``with`` block, removes the task again.

    Args:
        name: of the task.
    """

    def __init__(self, name: str) -> None:
        self._name, self._undone = name, False

    def undo(self) -> None:
        """Remove the task; environments that were made stay as they are. A second call does nothing."""
        if not self._undone:  # afterwards the name may be that of another registration
            self._undone = True
            OWN.pop(self._name, None)
            _registry().pop(_id_of(self._name), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.undo()


def register(name: str, task: type[Task] | Task) -> Registration:
    """Add a task of one's own, so that ``gymnasium.make("gpufluid/<name>-v0")`` and ``make_vec`` make it.

    `TaskEnv`, `TaskVectorEnv` and `sb3.VecEnv` then take its name, too. Another process does not know the name: a
    module that registers the task is imported by ``gymnasium.make("module:gpufluid/<name>-v0")``.

    Args:
        name: letters, digits and ``_``, with a letter first, such as "Melt".
        task: its class, or an object.
    Returns: the registration, by which the task can be removed.
    Raises: UsageError: another name, one that is taken, or no task.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"name: {shown(name)}; expected letters, digits and _, with a letter first, such as 'Melt'")
    if name in TASKS or name in OWN:
        raise UsageError(f"name: {shown(name)}; there is a task of that name; expected another one")
    made = made_task(task)
    OWN[name] = task
    _register(name, made.limit)
    return Registration(name)


def register_shipped() -> None:
    """Add the shipped tasks to Gymnasium's registry; a second call does nothing."""
    for name in TASKS:
        if _id_of(name) not in _registry():
            _register(name, task_named(name).limit)


def _register(name: str, limit: int) -> None:
    """Add a task with a limit of steps to Gymnasium's registry."""
    import_module("gymnasium.envs.registration").register(
        id=_id_of(name),
        entry_point="gpufluid.envs.registering:make_single",
        vector_entry_point="gpufluid.envs.registering:make_vector",
        max_episode_steps=limit,
        kwargs={"task": name},
    )


def _registry() -> dict[str, Any]:
    return import_module("gymnasium.envs.registration").registry


def _id_of(name: str) -> str:
    return f"gpufluid/{name}-v0"


def make_single(task: str, **options: Any) -> TaskEnv:  # noqa: ANN401
    """A task in one world without a limit of steps, by its name; options as for `TaskEnv`, and as for `changed`.

    Gymnasium wraps it in its ``TimeLimit``, with the limit of the registry or that which a caller gives.
    Raises: UsageError: an unknown option.
    """
    given = changed(task, options, TaskEnv)
    return TaskEnv(given, max_episode_steps=NO_LIMIT, **options)


def make_vector(task: str, **options: Any) -> TaskVectorEnv:  # noqa: ANN401
    """A task in many worlds, by its name; options as for `TaskVectorEnv`, and as for `changed`.

    Raises: UsageError: an unknown option.
    """
    given = changed(task, options, TaskVectorEnv)
    return TaskVectorEnv(given, **options)
