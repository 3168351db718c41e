"""`TaskVectorEnv`: a task in many worlds, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.numeric import is_whole
from gpufluid.envs.games import Games, checked_actions
from gpufluid.envs.task import Observed, Task


class TaskVectorEnv(VectorEnv):
    """A task in many worlds of one `Batch`. World i is as it is alone, in a `TaskEnv` with its seed.

    Args:
        task: the task, a class or an object.
        num_envs: the number of worlds.
        render_mode: "rgb_array", or None.
        autoreset_mode: NEXT_STEP: a world whose episode has ended begins anew in the next step, which ignores its
            action. DISABLED: it waits for ``reset(options={"reset_mask": ...})``.
        max_episode_steps: the steps of an episode; None: those of the task.
        observation: the form of the observations; None: that of the task. An `Observed`, or a name such as "pixels".
    Raises: UsageError: a wrong argument.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  declared so in Gymnasium
        "render_modes": ["rgb_array"],
        "render_fps": 15,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        task: Task | type[Task],
        num_envs: int = 1,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        observation: Observed | str | None = None,
    ) -> None:
        if not is_whole(num_envs, 1):
            raise UsageError(f"num_envs: {shown(num_envs)}; expected how many worlds step together, such as 256")
        self.num_envs = int(num_envs)
        self._mode = _checked_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        self.render_mode = checked_render_mode(render_mode)
        task = task() if isinstance(task, type) else task
        self.games = Games(task, self.num_envs, observed_of(observation))
        self._limit = checked_limit(max_episode_steps, task)
        self.single_action_space, self.single_observation_space = task.action_space, self.games.space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._rngs: list[np.random.Generator] = []
        self._seeds: list[int] = []
        self._ended = np.zeros(self.num_envs, bool)

    @property
    def np_random_seed(  # pyright: ignore[reportIncompatibleMethodOverride]  as in Gymnasium's own
        self,
    ) -> tuple[int, ...]:
        """The seed of each world."""
        return tuple(self._seeds)

    @property
    def np_random(  # pyright: ignore[reportIncompatibleMethodOverride]  as in Gymnasium's own
        self,
    ) -> tuple[np.random.Generator, ...]:
        """The random numbers of each world."""
        return tuple(self._rngs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode in all worlds, or in those of ``options["reset_mask"]``, (worlds,) bool.

        Args:
            seed: that of the first world, and 1 more for each world that follows; or a list with one for each. None:
                their random numbers go on.
            options: ``reset_mask``; other keys have no effect.
        Returns: the observations, (worlds, ...) of the type of `observation_space`, and the scores.
        Raises: UsageError: a mask of another length or type, or a wrong number of seeds. Then nothing has changed.
        """
        mask = self._checked_mask(options)
        seeds = self._checked_seeds(seed)
        if not self._rngs:
            made = [seeding.np_random() for _ in range(self.num_envs)]
            self._rngs, self._seeds = [rng for rng, _ in made], [own for _, own in made]
            mask[:] = True
        for number in np.flatnonzero(mask).tolist():
            if seeds[number] is not None:
                self._rngs[number], self._seeds[number] = seeding.np_random(seeds[number])
        self._begin(mask)
        self._ended[mask] = False
        return self.games.observe(), _scored(self.games.scores, mask)

    def _begin(self, mask: np.ndarray) -> None:
        numbers = np.flatnonzero(mask).tolist()
        self.games.begin(numbers, [self._rngs[number] for number in numbers])

    def step(self, actions: object) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act in all worlds.

        Args:
            actions: (worlds, ...) of the type of `action_space`.
        Returns: the observations, (worlds, ...) of the type of `observation_space`; the rewards, (worlds,) float64;
            whether each episode is over, and whether its time is, (worlds,) bool; the scores.
        Raises: UsageError: an action outside its space, or a world that waits for `reset`. Then nothing has changed.
        """
        checked = checked_actions(actions, self.single_action_space, self.num_envs)
        again = self._ended.copy()
        if self._mode is AutoresetMode.DISABLED and again.any():
            first = int(np.flatnonzero(again)[0])
            raise UsageError(f"step: the episode of world {first} has ended; expected reset with its reset_mask")
        rewards, scores, terminated = self.games.step(checked, ~again)
        truncated = (self.games.game.steps >= self._limit) & ~terminated
        if again.any():
            self._begin(again)
            rewards[again], scores[again] = 0.0, self.games.scores[again]
            terminated[again] = truncated[again] = False
        self._ended = terminated | truncated
        return self.games.observe(), rewards, terminated, truncated, _scored(scores, np.ones(self.num_envs, bool))

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each world, (rows, columns, 3) uint8, sRGB; None without a render mode."""
        return None if self.render_mode is None else tuple(self.games.frames())

    def close_extras(self, **_: object) -> None:
        """Release the device's memory."""
        self.games.close()

    def _checked_mask(self, options: dict[str, Any] | None) -> np.ndarray:
        """The worlds that begin, (worlds,) bool."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, bool)
        if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (self.num_envs,):
            wanted = f"expected an array of {self.num_envs} truth values, one for each world"
            raise UsageError(f"reset_mask: {shown(mask)}; {wanted}")
        if not mask.any():
            raise UsageError("reset_mask: no world is marked; expected at least one")
        return mask.copy()

    def _checked_seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """The seed of each world; None: its random numbers go on."""
        if seed is None:
            return [None] * self.num_envs
        listed = [seed + number for number in range(self.num_envs)] if is_whole(seed, 0) else seed
        if not isinstance(listed, Sequence) or len(listed) != self.num_envs:
            raise UsageError(f"seed: {shown(seed)}; expected a whole number from 0 on, or a list of {self.num_envs}")
        for number, own in enumerate(listed):
            if own is not None and not is_whole(own, 0):
                raise UsageError(f"seed[{number}]: {shown(own)}; expected a whole number from 0 on, or None")
        return [None if own is None else int(own) for own in listed]


def _scored(scores: np.ndarray, mask: np.ndarray) -> dict[str, Any]:
    """The info of a vector environment: the scores, (worlds,) float64, and the worlds that have one, (worlds,) bool."""
    return {"score": scores, "_score": mask.copy()}


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The mode. Raises UsageError: an unknown one, or SAME_STEP."""
    known = {AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED}
    for each in known:
        if mode in (each, each.value, each.name):
            return each
    names = " or ".join(sorted(each.name for each in known))
    raise UsageError(f"autoreset_mode: {shown(mode)}; expected {names}")


def checked_render_mode(mode: str | None) -> str | None:
    """The render mode. Raises UsageError: an unknown one."""
    if mode not in (None, "rgb_array"):
        raise UsageError(f"render_mode: {shown(mode)}; expected 'rgb_array' or None")
    return mode


def checked_limit(steps: int | None, task: Task) -> int:
    """The steps of an episode. Raises UsageError: not a whole number from 1 on."""
    if steps is not None and not is_whole(steps, 1):
        raise UsageError(f"max_episode_steps: {shown(steps)}; expected a whole number from 1 on")
    return task.limit if steps is None else int(steps)


def observed_of(observation: Observed | str | None) -> Observed | None:
    """The form of observation that an argument names."""
    return Observed(observation) if isinstance(observation, str) else observation
