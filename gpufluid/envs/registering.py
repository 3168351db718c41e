"""The names of the environments in Gymnasium's registry."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpufluid.envs.single import TaskEnv
    from gpufluid.envs.task import Task
    from gpufluid.envs.vector import TaskVectorEnv

TASKS = {name: f"gpufluid.envs.{name.lower()}" for name in ("Pour", "Sort", "Dam", "Fire", "Sandbox")}
"""The module of each task, by the name of its class."""


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
                kwargs={"task": name},
            )


def make_single(task: str, **options: Any) -> TaskEnv:  # noqa: ANN401
    """A task in one world, by its name; options as for `TaskEnv`."""
    from gpufluid.envs.single import TaskEnv

    return TaskEnv(task_named(task), **options)


def make_vector(task: str, **options: Any) -> TaskVectorEnv:  # noqa: ANN401
    """A task in many worlds, by its name; options as for `TaskVectorEnv`."""
    from gpufluid.envs.vector import TaskVectorEnv

    return TaskVectorEnv(task_named(task), **options)


def task_named(name: str) -> type[Task]:
    """The class of a task, by its name."""
    return getattr(import_module(TASKS[name]), name)
