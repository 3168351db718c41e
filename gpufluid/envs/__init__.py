"""Environments of Gymnasium: tasks with falling matter, in which many worlds step together on the GPU.

```python
import gymnasium
import gpufluid.envs  # registers the tasks

env = gymnasium.make("gpufluid/Pour-v0")
many = gymnasium.make_vec("gpufluid/Pour-v0", num_envs=256)
```
"""

# ruff: noqa: E402 -- imports follow `require`, whose message names a missing extra

from __future__ import annotations

from gpufluid.core.extras import require

require("rl", "gpufluid.envs")

from gpufluid.envs.game import Game
from gpufluid.envs.games import Games
from gpufluid.envs.registering import Registration, register, register_shipped
from gpufluid.envs.showing import FilmRecorder
from gpufluid.envs.single import TaskEnv
from gpufluid.envs.task import Observed, Ports, Task
from gpufluid.envs.tasks import TASKS
from gpufluid.envs.vector import TaskVectorEnv

__all__ = [
    "TASKS",
    "FilmRecorder",
    "Game",
    "Games",
    "Observed",
    "Ports",
    "Registration",
    "Task",
    "TaskEnv",
    "TaskVectorEnv",
    "register",
]

register_shipped()
