"""`TaskVectorEnv`: a task in many worlds, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.numeric import is_whole
from gpufluid.envs.games import Games, checked_actions
from gpufluid.envs.showing import FRAMES_A_SECOND, PlayWindow, tiled
from gpufluid.envs.task import Observed, Task
from gpufluid.envs.tasks import made_task
from gpufluid.runtime.batch_members import checked_mask
from gpufluid.scene.observed import KINDS

RENDER_MODES = ["rgb_array", "human"]

ENVS_MOST = 1 << 20
"""Most worlds of an environment. Whether so many fit into the memory is known only when the first episode begins."""

NO_LIMIT = -1
"""The value of ``max_episode_steps`` for episodes without a limit of steps, as in ``gymnasium.make``."""


class TaskVectorEnv(VectorEnv):
    """A task in many worlds of one `Batch`. World i runs exactly like a `TaskEnv` with the same seed.

    Args:
        task: the task: a class, an object, or the name of a shipped task, such as "Pour".
        num_envs: the number of worlds.
        render_mode: "rgb_array"; "human": a window shows all worlds after each reset and step; or None.
        autoreset_mode: NEXT_STEP: a world whose episode has ended begins anew in the next step, which ignores its
            action. DISABLED: it waits for ``reset(options={"reset_mask": ...})``.
        max_episode_steps: the steps of an episode; None: those of the task; -1: it ends only when the task is over.
        observation: the form of the observations; None: that of the task. An `Observed`, or a name such as "pixels".
    Raises: UsageError: a wrong argument.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  declared so in Gymnasium
        "render_modes": RENDER_MODES,
        "render_fps": FRAMES_A_SECOND,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        task: Task | type[Task] | str,
        num_envs: int = 1,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        observation: Observed | str | None = None,
    ) -> None:
        if not is_whole(num_envs, 1, ENVS_MOST):
            expected = f"how many worlds step together, such as 256; at most {ENVS_MOST:,}"
            raise UsageError(f"num_envs: {shown(num_envs)}; expected {expected}")
        self.num_envs = int(num_envs)
        self._mode = _checked_mode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self._mode}
        self.render_mode = checked_render_mode(render_mode)
        made = made_task(task)
        self.games = Games(made, self.num_envs, observed_of(observation))
        self._limit = checked_limit(max_episode_steps, made)
        self.single_action_space, self.single_observation_space = made.action_space, self.games.space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        own = [seeding.np_random() for _ in range(self.num_envs)]
        self._rngs, self._seeds = [rng for rng, _ in own], [seed for _, seed in own]
        self._ended = np.zeros(self.num_envs, bool)
        self._window = window_of(made, self.render_mode)

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
        Returns: the observations, (worlds, ...) of the type of `observation_space`, and as info the scores, and the
            entries that the task tells.
        Raises: UsageError: options that are no dict; a mask of another length or type, or, at the first reset, of some
            worlds only; or a wrong number of seeds. Then nothing has changed.
        """
        mask = self._checked_mask(options)
        seeds = self._checked_seeds(seed)
        numbers = np.flatnonzero(mask).tolist()
        made = {n: seeding.np_random(seeds[n]) for n in numbers if seeds[n] is not None}
        self.games.begin(numbers, [made[n][0] if n in made else self._rngs[n] for n in numbers])
        for number, (rng, own) in made.items():
            self._rngs[number], self._seeds[number] = rng, own
        self._ended[mask] = False
        self._show()
        return self.games.observe(), self._info(mask)

    def _show(self) -> None:
        """Show the worlds in the window, if there is one."""
        if self._window is not None:
            self._window.show(tiled(self.games.frames()))

    def _info(self, mask: np.ndarray) -> dict[str, Any]:
        """The infos of some worlds, (worlds,) bool: the score and each entry of `Task.told`, with a mask of these."""
        each = self.games.told()
        return each | {f"_{name}": mask.copy() for name in each}

    def step(self, actions: object) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act in all worlds.

        Args:
            actions: (worlds, ...) of the type of `action_space`.
        Returns: the observations, (worlds, ...) of the type of `observation_space`; the rewards, (worlds,) float64;
            whether each task is over, and whether each limit of steps is reached, (worlds,) bool; the info, as from
            `reset`.
        Raises: UsageError: an action outside its space, or a world that waits for `reset`. Then nothing has changed.
        """
        checked = checked_actions(actions, self.single_action_space, self.num_envs)
        again = self._ended.copy()
        if self._mode is AutoresetMode.DISABLED and again.any():
            first = int(np.flatnonzero(again)[0])
            raise UsageError(f"step: the episode of world {first} has ended; expected reset with its reset_mask")
        rewards, _, terminated = self.games.step(checked, ~again)
        truncated = self.games.game.steps >= self._limit
        if again.any():
            numbers = np.flatnonzero(again).tolist()
            self.games.begin(numbers, [self._rngs[number] for number in numbers])
            rewards[again], terminated[again], truncated[again] = 0.0, False, False
        self._ended = terminated | truncated
        self._show()
        return self.games.observe(), rewards, terminated, truncated, self._info(np.ones(self.num_envs, bool))

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each world, (rows, columns, 3) uint8, sRGB; None without a render mode, or with a window."""
        return tuple(self.games.frames()) if self.render_mode == "rgb_array" else None

    def close_extras(self, **_: object) -> None:
        """Release the device's memory, and close the window."""
        if self._window is not None:
            self._window.close()
        self.games.close()

    def _checked_mask(self, options: dict[str, Any] | None) -> np.ndarray:
        """The worlds that begin, (worlds,) bool."""
        if options is not None and not isinstance(options, dict):
            raise UsageError(f"options: {shown(options)}; expected a dict, such as {{'reset_mask': mask}}, or None")
        given = (options or {}).get("reset_mask")
        if given is None:
            return np.ones(self.num_envs, bool)
        mask = checked_mask(given, self.num_envs, "reset_mask")
        if not mask.any():
            raise UsageError("reset_mask: no world is marked; expected at least one")
        if not self.games.begun and not mask.all():
            wanted = "expected no mask at the first reset, because none has begun"
            raise UsageError(f"reset_mask: some worlds only; {wanted}")
        return mask

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
    if mode not in (None, *RENDER_MODES):
        raise UsageError(f"render_mode: {shown(mode)}; expected 'rgb_array', 'human' or None")
    return mode


def window_of(task: Task, mode: str | None) -> PlayWindow | None:
    """The window of an environment, or None. Raises: MissingExtraError: a library of windows is not installed."""
    return PlayWindow(f"{type(task).__name__} - gpufluid") if mode == "human" else None


def checked_limit(steps: int | None, task: Task) -> int:
    """The steps of an episode; for `NO_LIMIT` 2**63 - 1. Raises UsageError: another number below 1, or not whole."""
    if is_whole(steps) and steps == NO_LIMIT:
        return 2**63 - 1
    if steps is not None and not is_whole(steps, 1, 2**63 - 1):
        raise UsageError(f"max_episode_steps: {shown(steps)}; expected a whole number from 1 on, or -1: no limit")
    return task.limit if steps is None else int(steps)


def observed_of(observation: Observed | str | None) -> Observed | None:
    """The form of observation that an argument names. Raises UsageError: an unknown name, or another type."""
    if observation is not None and not isinstance(observation, Observed | str):
        wanted = "expected an Observed, or a name such as 'pixels'"
        raise UsageError(f"observation: {shown(observation)}; {wanted}")
    if isinstance(observation, str) and observation not in KINDS:
        raise UsageError(f"observation: {shown(observation)}{did_you_mean(observation, KINDS)}")
    return Observed(observation) if isinstance(observation, str) else observation
