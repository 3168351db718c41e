"""`TaskEnv`: a task in one world, as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from gpufluid.core.errors import UsageError
from gpufluid.envs.games import Games, checked_actions
from gpufluid.envs.showing import FRAMES_A_SECOND
from gpufluid.envs.task import Observed, Task
from gpufluid.envs.tasks import made_task
from gpufluid.envs.vector import RENDER_MODES, checked_limit, checked_render_mode, observed_of, window_of


class TaskEnv(gymnasium.Env):
    """A task in one world: a batch of one. With the seed of a world of a `TaskVectorEnv` it runs like that world.

    Args:
        task, max_episode_steps, observation: as for `TaskVectorEnv`. ``gymnasium.make`` gives the limit to a wrapper.
        render_mode: "rgb_array"; "human": a window shows the world after each reset and step; or None.
    Raises: UsageError: a wrong argument.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": FRAMES_A_SECOND}  # noqa: RUF012  as in Gymnasium

    def __init__(
        self,
        task: Task | type[Task] | str,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        observation: Observed | str | None = None,
    ) -> None:
        self.render_mode = checked_render_mode(render_mode)
        made = made_task(task)
        self.games = Games(made, 1, observed_of(observation))
        self._limit = checked_limit(max_episode_steps, made)
        self.action_space, self.observation_space = made.action_space, self.games.space
        self._ended = False
        self._window = window_of(made, self.render_mode)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict]:
        """Begin an episode.

        Args:
            seed: of its random numbers; None: they go on.
            options: without effect.
        Returns: the observation, (rows, columns) uint8, or of another shape and type; see `observation_space`. As info
            the score, and the entries that the task tells.
        """
        super().reset(seed=seed, options=options)
        self.games.begin([0], [self.np_random])
        self._ended = False
        self._show()
        return self.games.observe()[0], self._info()

    def _show(self) -> None:
        """Show the world in the window, if there is one."""
        if self._window is not None:
            self._window.show(self.games.frames()[0])

    def _info(self) -> dict[str, Any]:
        return {name: values[0].item() for name, values in self.games.told().items()}

    def step(self, action: object) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Act.

        Args:
            action: one of `action_space`.
        Returns: the observation, (rows, columns) uint8, or of another shape and type, see `observation_space`; the
            reward; whether the task is over; whether the limit of steps is reached; the info, as from `reset`.
        Raises: UsageError: an action outside its space, or an episode that has ended. Then nothing has changed.
        """
        actions = checked_actions(action, self.action_space)
        if self._ended:
            raise UsageError("step: the episode has ended; expected reset()")
        rewards, _, terminated = self.games.step(actions, np.ones(1, bool))
        over, timed_out = bool(terminated[0]), bool(self.games.game.steps[0] >= self._limit)
        self._ended = over or timed_out
        self._show()
        return self.games.observe()[0], float(rewards[0]), over, timed_out, self._info()

    def render(self) -> np.ndarray | None:
        """A picture of the world, (rows, columns, 3) uint8, sRGB; None without a render mode, or with a window."""
        return self.games.frames()[0] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Release the device's memory, and close the window; a second call does nothing."""
        if self._window is not None:
            self._window.close()
        self.games.close()
