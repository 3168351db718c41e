"""`Task`: the first state of an episode, the changes that an action makes, and a score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gpufluid.envs.game import Game
from gpufluid.runtime.port_sets import GivenDrains, GivenEmitters
from gpufluid.scene.strokes import Stroke
from gpufluid.world import World

if TYPE_CHECKING:
    from gymnasium.spaces import Space

Painted = tuple[np.ndarray, Stroke | Sequence[Stroke | None]]
"""Cells and strokes, as `Batch.paint` takes them."""


@dataclass(frozen=True, slots=True)
class Ports:
    """The emitters and drains that worlds have from now on; arguments as for `Batch.replace_ports`."""

    emitters: GivenEmitters = None
    drains: GivenDrains = None


@dataclass(frozen=True, slots=True)
class Observed:
    """The form of an observation; arguments as for `Batch.observe`.

    Among ``planes`` can be entries that the task tells, see `Task.told`: such a plane has the same number everywhere.
    """

    kind: str = "materials"
    planes: tuple[str, ...] = ()
    pool: int = 1


class Task(ABC):
    """A task for one agent in one world. All methods but `begin` are for many worlds at once.

    A subclass gives `begin`, `act` and `score`, and the attributes below. A task keeps nothing of its own between two
    calls: what belongs to the episode of a world is an entry of `Game`.
    """

    title: ClassVar[str] = ""
    """The task in a sentence."""

    size: ClassVar[tuple[int, int]] = (32, 32)
    """(width, height) of a world, in cells."""

    ticks: ClassVar[int] = 4
    """The ticks of the world in a step."""

    limit: ClassVar[int] = 100
    """The steps of an episode."""

    observed: ClassVar[Observed] = Observed()
    """The form of the observations."""

    told: ClassVar[Mapping[str, int]] = {}
    """The entries of the game that agents are told in ``info``, beside the score, each with its largest value.

    As a plane of an observation an entry is divided by its largest value; it is 0 or more.
    """

    action_space: Space[Any]
    """The actions of one agent: a Discrete, MultiDiscrete, MultiBinary or Box."""

    @abstractmethod
    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        """A new episode: the first state of the world, and the first value of each entry of the game.

        The rules, edges, gravity, parameters and tables of all worlds must be the same, and the names of the entries.
        """

    @abstractmethod
    def act(self, game: Game, actions: np.ndarray) -> Iterator[Painted | Ports]:
        """Yield the changes that the actions make in the worlds before the ticks, in order.

        A change is a stroke of a brush, as (worlds, height, width) bool and what the brush does there; or `Ports`, such
        as an emitter that has moved. Ports stay until the next `Ports`, or the next episode. The changes are applied
        once this method has ended. If one is refused, such as a stroke of a material that the worlds do not have, the
        changes before it stay.

        Args:
            game: the worlds; its entries may be changed.
            actions: (worlds, ...) int64; of the type of `action_space` if that is a Box of floats.
        """

    @abstractmethod
    def score(self, game: Game) -> np.ndarray:
        """The score of each agent, (worlds,) float64. The reward of a step is the change of the score."""

    def over(self, game: Game) -> np.ndarray:
        """(worlds,) bool: the worlds in which the episode ends before its time, because nothing is left to do."""
        return np.zeros(len(game), bool)

    def play(self, game: Game) -> np.ndarray:
        """The actions of a scripted player, (worlds, ...) int64 or float32, of `action_space`.

        Raises: NotImplementedError: the task has none.
        """
        raise NotImplementedError(f"task {type(self).__name__} has no scripted player")
