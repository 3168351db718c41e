"""`Games`: the episodes of a task in the worlds of a batch, without Gymnasium's interface."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Space
from gymnasium.vector.utils import batch_space

from gpufluid.core.errors import UsageError, shown
from gpufluid.core.numeric import is_whole
from gpufluid.envs.game import Game
from gpufluid.envs.observer import TaskObserver, check_told_values
from gpufluid.envs.task import Observed, Painted, Ports, Task
from gpufluid.runtime.batch import Batch
from gpufluid.scene.observed import observable_planes
from gpufluid.world import World


class Games:
    """The episodes of one task in several worlds, which step together.

    Law: the episode of a world depends on its random numbers and its actions alone, not on the other worlds.

    Args:
        task: the task.
        count: the number of worlds.
        observed: the form of the observations; None: that of the task.
    Raises: UsageError: an unknown form of observation, an action space that is not supported, or a first value of an
        entry that is not a whole number.
    """

    def __init__(self, task: Task, count: int, observed: Observed | None = None) -> None:
        _check_space(task.action_space)
        self.task, self._count = task, count
        self.observed = task.observed if observed is None else observed
        blank, entries = _begun(task, np.random.default_rng(0))
        self._blank = blank.blank()
        self.game = Game(count, _checked_entries(entries))
        _check_told(task.told, entries, self._blank)
        self._observer = TaskObserver(self.observed, task, self._blank)
        self._scores = np.zeros(count)
        self._batch: Batch | None = None

    @property
    def begun(self) -> bool:
        """True once the first episodes have begun."""
        return self._batch is not None

    @property
    def batch(self) -> Batch:
        """The worlds. Raises UsageError: before the first `begin`."""
        if self._batch is None:
            raise UsageError("the episodes have not begun: call reset() first")
        return self._batch

    @property
    def space(self) -> Box:
        """The observations of one agent."""
        return self._observer.space

    def begin(self, numbers: Sequence[int], rngs: Sequence[np.random.Generator]) -> None:
        """Begin an episode in some worlds; at first in all of them.

        Args:
            numbers: the indices of the worlds, in ascending order.
            rngs: the random numbers of each of them.
        Raises: UsageError: before the first episodes, a call for some worlds only; a task that begins with anything
            but a world of its size and entries; an entry that is not a whole number; a told entry outside its range; or
            names of entries that are not those of the first episode.
            ShortageError: so many worlds do not fit into the free memory. WorldError: as `Batch.reset`. After an error
            the worlds and the entries are unchanged.
        """
        if not self.begun and len(numbers) != self._count:
            raise UsageError(f"{len(numbers)} of {self._count} episodes; expected all of them, because none has begun")
        if not len(numbers):
            return
        if self._batch is None:
            Batch.check_room(self._blank, self._count, "num_envs")  # before so many worlds are made
        begun = [_begun(self.task, rng) for rng in rngs]
        for _, entries in begun:
            _checked_entries(entries, self.game.names)
        for name, most in self.task.told.items():
            check_told_values(name, np.array([entries[name] for _, entries in begun], np.int64), most, numbers)
        worlds, mask = [world for world, _ in begun], np.zeros(self._count, bool)
        mask[list(numbers)] = True
        if self._batch is None:
            self._batch = Batch(worlds)
        else:
            self._batch.reset(mask, worlds)
        self.game.steps[mask] = 0
        for number, (_, entries) in zip(numbers, begun, strict=True):
            for name, value in entries.items():
                self.game[name][number] = value
        self._look()
        self._scores[mask] = self._score()[mask]

    def step(self, actions: np.ndarray, playing: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Act in some worlds, and run the ticks of a step in all.

        Args:
            actions: (worlds, ...) of the type of the task's action space, see `checked_actions`.
            playing: (worlds,) bool: the worlds in which an episode goes on, and to which the changes are applied. The
                ticks run in all worlds; the others are reset next.
        Returns: (worlds,) float64, float64 and bool: the rewards, the scores, and whether the episode is over.
        Raises: UsageError: `Task.act` yields something that is no change; then no cell has changed. WorldError,
            UsageError: a change that the worlds cannot take; those before it are done. UsageError: `Task.score` or
            `Task.over` returns no array of a number for each world; the ticks are done.
        """
        for change in _checked_changes(self.task.act(self.game, actions)):
            if isinstance(change, Ports):
                self.batch.replace_ports(change.emitters, change.drains, playing)
            else:
                self.batch.paint(*change, playing)
        self.batch.step(self.task.ticks)
        self.game.steps += 1
        self._look()
        scores = self._score()
        over = _checked_result("over", self.task.over(self.game), self._count, np.bool_)
        rewards, self._scores = scores - self._scores, scores
        return rewards, scores.copy(), over

    def _score(self) -> np.ndarray:
        """The score of each agent, (worlds,) float64. Raises UsageError: that of the task is no such array."""
        return _checked_result("score", self.task.score(self.game), self._count, np.float64)

    @property
    def scores(self) -> np.ndarray:
        """(worlds,) float64: the score of each agent."""
        return self._scores.copy()

    def _look(self) -> None:
        self.game.look(self.batch.observe(), self._blank)

    def told(self) -> dict[str, np.ndarray]:
        """The score of each agent, (worlds,) float64, and the entries that the task tells, (worlds,) int64; copies."""
        return {"score": self.scores} | {name: self.game[name].copy() for name in self.task.told}

    def observe(self) -> np.ndarray:
        """The observations of all agents: a new array (worlds, ...) uint8, or float32 for planes; see `space`.

        Raises: UsageError: an entry that the task tells is not within its range.
        """
        return self._observer.observe(self.game, self.batch)

    def frames(self) -> np.ndarray:
        """A picture of each world, (worlds, rows, columns, 3) uint8, sRGB.

        A cell is as many pixels wide as fit into pictures of 256 by 256, at least one.
        """
        return self.batch.frames(max(256 // max(self.task.size), 1))

    def close(self) -> None:
        """Release the device's memory; a second call does nothing."""
        if self._batch is not None:
            self._batch.close()


def checked_actions(actions: object, space: Space, count: int | None = None) -> np.ndarray:
    """The actions of all worlds, (worlds, ...) int64; for a `Box` of floats, of its own type, such as float32.

    Args:
        actions: one action of the space; or ``count`` of them, (worlds, ...).
        space: the actions of one agent, a space that `Games` supports.
        count: the number of worlds; None: one action is given.
    Raises: UsageError: an action outside its space or that is not finite, or another number of actions.
    """
    whole = space if count is None else batch_space(space, count)
    try:
        found = np.asarray(actions)
    except ValueError:  # lists of different lengths
        found = np.array(None)
    if not _fits(found, space) or found.shape != whole.shape or not _is_in(found, whole):
        wanted = "one" if count is None else f"an array of {count}"
        raise UsageError(f"action: {shown(actions)}; expected {wanted} of {space}")
    found = found.astype(np.int64 if _is_whole_space(space) else whole.dtype)
    return found[None] if count is None else found


def _fits(found: np.ndarray, space: Space) -> bool:
    """True if an array has numbers of the kind that the space has: integers, truth values, or floats."""
    if isinstance(space, MultiBinary) and found.dtype == bool:
        return True
    return np.issubdtype(found.dtype, np.integer if _is_whole_space(space) else np.floating)


def _is_in(found: np.ndarray, whole: Space) -> bool:
    """True if numbers of that kind and shape are in the space.

    Floats must be finite in the space's type, and integers must keep their values in it.
    """
    with np.errstate(over="ignore"):  # becomes infinite
        cast = found.astype(whole.dtype)
    same = np.isfinite(cast) if np.issubdtype(cast.dtype, np.floating) else cast == found
    return bool(np.all(same)) and whole.contains(cast)


def _is_whole_space(space: Space) -> bool:
    return np.issubdtype(space.dtype, np.integer)


def _check_space(space: object) -> None:
    """Raise UsageError unless a space is one that `Games` supports: of integers or of floats."""
    arrays = isinstance(space, Discrete | MultiDiscrete | MultiBinary | Box)
    if not arrays or not (_is_whole_space(space) or np.issubdtype(space.dtype, np.floating)):
        kinds = "a Discrete, MultiDiscrete, MultiBinary or Box of integers or floats"
        raise UsageError(f"action_space: {shown(space)}; expected {kinds}")


def _checked_changes(changes: object) -> list[Painted | Ports]:
    """The changes that `Task.act` yields, as a list. Raises UsageError: one that is neither a stroke nor ports."""
    wanted = "expected (cells, stroke) or Ports"
    if not isinstance(changes, Iterable):
        raise UsageError(f"act: {shown(changes)}; {wanted}, each yielded")
    found = list(changes)
    for change in found:
        if not isinstance(change, Ports) and not (isinstance(change, tuple) and len(change) == 2):
            raise UsageError(f"act: {shown(change)}; {wanted}")
    return found


def _begun(task: Task, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
    """What `Task.begin` returns. Raises UsageError: anything but a world of the size of the task, and entries."""
    found = task.begin(rng)
    if not (isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], World)):
        raise UsageError(f"begin: {shown(found)}; expected a world and a dict of entries: return world, {{}}")
    world, entries = found
    if (world.width, world.height) != tuple(task.size):
        width, height = task.size
        wanted = f"expected {width} by {height}, the size of the task"
        raise UsageError(f"begin: a world of {world.width} by {world.height} cells; {wanted}")
    return world, entries


def _checked_result(method: str, found: object, count: int, dtype: type[np.generic]) -> np.ndarray:
    """What a method of a task returns for all worlds, as a new array (worlds,) of a type.

    Raises: UsageError: it has another shape, or values that are not of this kind.
    """
    array = np.asarray(found)
    if array.shape != (count,) or not np.can_cast(array.dtype, dtype, "same_kind"):
        kind = "truth values" if dtype is np.bool_ else "numbers"
        have = f"{array.dtype} of shape {array.shape}" if isinstance(found, np.ndarray) else shown(found)
        raise UsageError(f"{method}: {have}; expected an array of {count} {kind}, one for each world")
    return array.astype(dtype)


def _check_told(told: Mapping[str, int], entries: Mapping[str, int], world: World) -> None:
    """Raise UsageError unless a task tells entries of its episodes, each with its largest value.

    The names must be others than those of the planes that can be observed of the world.
    """
    if not isinstance(told, Mapping):
        raise UsageError(f"told: {shown(told)}; expected a dict with the largest value of each entry that is told")
    planes = observable_planes(world)
    for name, most in told.items():
        if name not in entries:
            raise UsageError(f"told: {shown(name)}; expected names of entries that begin returns")
        if name in planes:
            raise UsageError(f"told: {shown(name)}; expected another name, because the worlds have a plane {name!r}")
        if not is_whole(most, 1):
            raise UsageError(f"told: {shown(most)} as the largest value of {shown(name)}; expected a number from 1 on")


def _checked_entries(entries: Mapping[str, int], names: Sequence[str] | None = None) -> list[str]:
    """The names of the entries. Raises UsageError: other names than those, or a value that is not a whole number."""
    if not isinstance(entries, Mapping):
        raise UsageError(f"begin: {shown(entries)} as entries; expected a dict of whole numbers, which may be empty")
    if names is not None and set(entries) != set(names):
        found, wanted = (", ".join(map(str, each)) or "none" for each in (entries, names))
        raise UsageError(f"begin: entries {found}; expected {wanted}, as in the first episode")
    for name, value in entries.items():
        if not is_whole(value, -(2**63), 2**63 - 1):
            raise UsageError(f"begin: entry {shown(name)} is {shown(value)}; expected a whole number of 64 bits")
    return list(entries)
