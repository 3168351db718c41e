"""Tasks whose worlds have more rules, or other parameters, than the task gives them."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from inspect import signature
from typing import Any

import numpy as np

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.envs.task import Task
from gpufluid.envs.tasks import made_task
from gpufluid.world import World
from gpufluid.world.reshaping import with_rules


def changed(task: Task | type[Task] | str, options: dict[str, Any], environment: type) -> Task:
    """A task with the laws that some options ask for; these are taken out of the options.

    Args:
        task: as for `TaskVectorEnv`.
        options: ``rules``, names of rules that the worlds have, too; ``parameters``, values by rule and name, the
            others stay; and arguments of the environment.
        environment: the class of the environment.
    Raises: UsageError: an option that is none of these; ``size``, because what is in the worlds depends on it; or rules
        or parameters of another form. A name in them that does not exist is refused when the environment is made.
    """
    made = made_task(task)
    known = [*signature(environment).parameters, "rules", "parameters"]
    for name in options:
        if name == "size":
            width, height = made.size
            message = f"task {type(made).__name__} has {width} by {height} cells; another size is another task"
            raise UsageError(f"size: {message}, a subclass of gpufluid.envs.Task")
        if name not in known or name == "task":
            raise UsageError(f"{shown(name)}: unknown option of a task{did_you_mean(name, known[1:])}")
    rules, parameters = options.pop("rules", None) or (), options.pop("parameters", None) or {}
    if not isinstance(rules, tuple | list):
        raise UsageError(f"rules: {shown(rules)}; expected a list of rules, such as ['heat']")
    if not isinstance(parameters, Mapping):
        raise UsageError(f"parameters: {shown(parameters)}; expected values by rule and name")
    return _with_laws(made, rules, parameters) if rules or parameters else made


def _with_laws(task: Task, rules: tuple[str, ...] | list[str], parameters: Mapping[str, Any]) -> Task:
    def begin(rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        world, entries = task.begin(rng)
        world = with_rules(world, rules) if rules else world
        old = world.parameters
        given = {
            rule: {**old.get(rule, {}), **values} if isinstance(values, Mapping) else values  # which World refuses
            for rule, values in parameters.items()
        }
        world.parameters = {**old, **given}
        return world, entries

    found = copy(task)
    found.begin = begin
    return found
