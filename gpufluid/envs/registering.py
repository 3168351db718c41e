"""The names of the environments in Gymnasium's registry."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gpufluid.envs.changing import changed
from gpufluid.envs.single import TaskEnv
from gpufluid.envs.tasks import TASKS, task_named
from gpufluid.envs.vector import NO_LIMIT, TaskVectorEnv


def register() -> None:
    """Add the tasks to the registry, as ``gpufluid/<name>-v0``; a second call does nothing.

    The import of `gpufluid.envs` calls it.
    """
    registration = import_module("gymnasium.envs.registration")
    for name in TASKS:
        if f"gpufluid/{name}-v0" not in registration.registry:
            registration.register(
                id=f"gpufluid/{name}-v0",
                entry_point="gpufluid.envs.registering:make_single",
                vector_entry_point="gpufluid.envs.registering:make_vector",
                max_episode_steps=task_named(name).limit,
                kwargs={"task": name},
            )


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
