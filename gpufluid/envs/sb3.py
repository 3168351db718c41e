"""`VecEnv`: a task in many worlds for Stable-Baselines3, which does not take Gymnasium's vector environments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from gpufluid.core.errors import MissingExtraError, UsageError, shown
from gpufluid.envs.task import Observed, Task
from gpufluid.envs.vector import TaskVectorEnv

if find_spec("stable_baselines3") is None:
    raise MissingExtraError("gpufluid.envs.sb3 needs stable-baselines3: pip install stable-baselines3")

from stable_baselines3.common import vec_env


class VecEnv(vec_env.VecEnv):
    """A task in many worlds. A world whose episode has ended begins anew in the same step, as Stable-Baselines3 has it.

    Args:
        task: a class, an object, or the name of a shipped task, such as "Pour".
        num_envs: the number of worlds.
        render_mode, max_episode_steps, observation: as for `TaskVectorEnv`.
    Raises: UsageError: a wrong argument.
    """

    def __init__(
        self,
        task: Task | type[Task] | str,
        num_envs: int,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        observation: Observed | str | None = None,
    ) -> None:
        self.env = TaskVectorEnv(task, num_envs, render_mode, AutoresetMode.DISABLED, max_episode_steps, observation)
        self._actions: object = None
        super().__init__(self.env.num_envs, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> np.ndarray:
        """Begin all episodes. Returns the observations, (worlds, ...) uint8 or float32."""
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observations, _ = self.env.reset(seed=seeds)
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions of the next step, (worlds, ...) int64, or of the type of a `Box` of floats."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Act.

        Returns: the observations, (worlds, ...) uint8 or float32; the rewards, (worlds,) float32; the ends of episodes,
            (worlds,) bool; the info of each world. For an episode that has ended the info has ``terminal_observation``,
            and ``TimeLimit.truncated``: true if only the limit of steps has ended the episode.
        """
        observations, rewards, over, timed_out, info = self.env.step(self._actions)
        ended = over | timed_out
        told = {name: values.tolist() for name, values in info.items() if not name.startswith("_")}
        infos: list[dict[str, Any]] = [{name: each[n] for name, each in told.items()} for n in range(self.num_envs)]
        for number in np.flatnonzero(ended).tolist():
            infos[number]["terminal_observation"] = observations[number].copy()
            infos[number]["TimeLimit.truncated"] = bool(timed_out[number] and not over[number])
        if ended.any():
            observations, _ = self.env.reset(options={"reset_mask": ended})
        return observations, rewards.astype(np.float32), ended, infos

    def close(self) -> None:
        """Release the device's memory."""
        self.env.close()

    def get_images(self) -> Sequence[np.ndarray]:
        """A picture of each world, (rows, columns, 3) uint8, sRGB; none without a render mode."""
        return self.env.render() or ()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of the vector environment, once for each of some worlds."""
        return [getattr(self.env, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: object, indices: int | Iterable[int] | None = None) -> None:
        """Set an attribute of the vector environment, which all worlds share. Raises UsageError: some worlds only."""
        self._check_all(indices)
        setattr(self.env, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *arguments: object,
        indices: int | Iterable[int] | None = None,
        **options: object,
    ) -> list[Any]:
        """Call a method of the vector environment once. Returns its result, once for each world.

        Raises: UsageError: some worlds only.
        """
        self._check_all(indices)
        return [getattr(self.env, method_name)(*arguments, **options)] * self.num_envs

    def _check_all(self, indices: int | Iterable[int] | None) -> None:
        """Raise UsageError if indices are not those of all worlds."""
        if indices is not None and sorted(self._get_indices(indices)) != list(range(self.num_envs)):
            raise UsageError(
                f"indices: {shown(indices)}; expected None: the worlds are one environment, and act as one"
            )

    def env_is_wrapped(
        self,
        wrapper_class: type,  # noqa: ARG002
        indices: int | Iterable[int] | None = None,
    ) -> list[bool]:
        """False for each of some worlds."""
        return [False] * len(list(self._get_indices(indices)))
