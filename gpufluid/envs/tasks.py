"""The shipped tasks, by name."""

from __future__ import annotations

from importlib import import_module

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.envs.task import Task

TASKS = {name: f"gpufluid.envs.{name.lower()}" for name in ("Pour", "Sort", "Dam", "Fire", "Sandbox")}
"""The module of each task, by the name of its class."""


OWN: dict[str, Task | type[Task]] = {}
"""The tasks that `register` has added, by name."""


def task_named(name: str) -> Task | type[Task]:
    """A shipped or registered task, by its name. Raises UsageError: an unknown name."""
    if name in OWN:
        return OWN[name]
    if name not in TASKS:
        raise UsageError(f"task: {shown(name)}; unknown{did_you_mean(name, [*TASKS, *OWN])}")
    return getattr(import_module(TASKS[name]), name)


def made_task(task: Task | type[Task] | str) -> Task:
    """A task. Raises UsageError: no task and no class of tasks, or an unknown name."""
    found = task_named(task) if isinstance(task, str) else task
    made = found() if isinstance(found, type) and issubclass(found, Task) else found
    if not isinstance(made, Task):
        raise UsageError(f"task: {shown(task)}; expected a Task, a class of tasks, or a name: {', '.join(TASKS)}")
    return made
