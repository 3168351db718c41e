"""Environments of Gymnasium: a world of a vector is as it is alone, episodes begin again as Gymnasium has it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Space, Tuple
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import NormalizeObservation, RecordEpisodeStatistics
from imageio_ffmpeg import count_frames_and_secs
from support.selection import mostly_long

from gpufluid import FULL, Drain, Emitter, Laying, World
from gpufluid.core.errors import UsageError
from gpufluid.envs import TASKS, FilmRecorder, Game, Observed, Ports, Task, TaskEnv, TaskVectorEnv, register
from gpufluid.envs.dam import LUMPS
from gpufluid.envs.fire import TANK
from gpufluid.envs.pour import Pour
from gpufluid.envs.registering import register_shipped
from gpufluid.envs.sandbox import Sandbox
from gpufluid.envs.showing import tiled

pytestmark = pytest.mark.usefixtures("device")

FEW = mostly_long(TASKS, "Dam", why="its programs and its own worlds; the short run has one of the tasks")


@pytest.mark.parametrize("name", FEW)
def test_gymnasium_finds_nothing_to_warn_of(name: str) -> None:
    env = gymnasium.make(f"gpufluid/{name}-v0", render_mode="rgb_array")
    check_env(env.unwrapped, skip_render_check=True)  # which would open a window
    assert env.unwrapped.render().shape == (256, 256, 3)
    env.close()


def assert_same(own: dict[str, Any], other: dict[str, Any]) -> None:
    assert own.keys() == other.keys()
    for key, value in own.items():
        np.testing.assert_array_equal(value, other[key], key)


@pytest.mark.parametrize("name", FEW)
def test_a_vector_is_what_gymnasium_makes_of_single_environments(name: str) -> None:
    """Observations, rewards, ends of episodes and scores of 16 steps, in which each episode begins again thrice."""
    count, options = 3, {"max_episode_steps": 4}
    many = gymnasium.make_vec(f"gpufluid/{name}-v0", num_envs=count, **options)
    assert isinstance(many, TaskVectorEnv)
    alone = SyncVectorEnv([lambda: TaskEnv(name, **options)] * count)
    assert many.metadata["autoreset_mode"] is alone.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert many.observation_space == alone.observation_space
    assert many.action_space == alone.action_space
    many.action_space.seed(3)
    (found, info), (expected, other) = (each.reset(seed=11) for each in (many, alone))
    np.testing.assert_array_equal(found, expected)
    assert_same(info, other)
    assert many.np_random_seed == alone.np_random_seed == (11, 12, 13)
    ends = 0
    for _ in range(16):
        actions = many.action_space.sample()
        *own, info = many.step(actions)
        *theirs, other = alone.step(actions)
        for one, two in zip(own, theirs, strict=True):
            assert one.dtype == two.dtype
            np.testing.assert_array_equal(one, two)
        assert_same(info, other)
        assert many.observation_space.contains(own[0])
        ends += int(own[3].sum())
    assert ends >= 3 * count
    digests = [env.games.batch.digests()[0] for env in alone.envs]
    assert many.games.batch.digests() == digests
    many.close()
    alone.close()


def played(env: TaskVectorEnv, steps: int, seed: int) -> list[np.ndarray]:
    """What random actions bring: observations, rewards and ends of the steps."""
    env.action_space.seed(seed)
    found = [env.reset(seed=seed)[0]]
    for _ in range(steps):
        found += env.step(env.action_space.sample())[:4]
    return found


def test_the_same_seed_and_actions_give_the_same_again() -> None:
    env, other = TaskVectorEnv(Pour, 3, max_episode_steps=5), TaskVectorEnv(Pour, 3, max_episode_steps=5)
    runs = [played(env, 12, 4), played(other, 12, 4), played(env, 12, 4)]
    digests = [each.games.batch.digests() for each in (env, other)]
    assert digests[0] == digests[1]
    for again in runs[1:]:
        for one, two in zip(runs[0], again, strict=True):
            np.testing.assert_array_equal(one, two)
    different = played(env, 12, 5)
    assert any((one != two).any() for one, two in zip(runs[0], different, strict=True))
    env.close()
    other.close()


def test_without_autoreset_only_the_marked_worlds_begin_again() -> None:
    env = TaskVectorEnv(Pour, 3, autoreset_mode="DISABLED", max_episode_steps=2)
    actions = np.zeros((3, 2), np.int64)
    env.reset(seed=1)
    env.step(actions)
    *_, truncated, _ = env.step(actions)
    assert truncated.all()
    with pytest.raises(UsageError, match="the episode of world 0 has ended"):
        env.step(actions)
    before = env.games.batch.ticks.tolist()
    mask = np.array([True, False, True])
    _, info = env.reset(seed=[7, None, None], options={"reset_mask": mask})
    assert info["_score"].tolist() == mask.tolist()
    assert env.games.batch.ticks.tolist() == [0, before[1], 0]
    assert env.games.game.steps.tolist() == [0, 2, 0]
    assert env.np_random_seed == (7, 2, 3)
    with pytest.raises(UsageError, match="the episode of world 1 has ended"):
        env.step(actions)
    env.reset(options={"reset_mask": ~mask})
    assert not env.step(actions)[3].any()
    env.close()


class Row(Task):
    """A world of 4 by 4 cells; an action lays nothing. It is over after two steps if an episode begins so."""

    size, limit, ticks = (4, 4), 3, 1
    first: Mapping[str, Any] = {"marks": 0}

    def __init__(self, space: Space[Any] | None = None) -> None:
        self.action_space = MultiDiscrete([4, 4]) if space is None else space
        self.seen: list[np.ndarray] = []

    def begin(self, rng: np.random.Generator) -> tuple[World, Mapping[str, int]]:
        return World(4, 4, ("flow",), seed=int(rng.integers(2**32))), self.first

    def act(self, game: Game, actions: np.ndarray) -> Iterator[tuple[np.ndarray, Laying]]:
        self.seen.append(actions)
        game["marks"] += 1
        yield np.zeros((len(game), 4, 4), bool), Laying("water")

    def score(self, game: Game) -> np.ndarray:
        return np.zeros(len(game))

    def over(self, game: Game) -> np.ndarray:
        return game.steps >= 3


@pytest.mark.long("many episodes with three limits")
def test_a_limit_of_steps_is_that_of_the_vector_and_of_the_single_environment() -> None:
    """The task ends of itself after 3 steps, or never; the limits are below, at and above that of the task."""
    assert gymnasium.spec("gpufluid/Pour-v0").max_episode_steps == Pour.limit
    for limit in (1, 62, -1):
        many = gymnasium.make_vec("gpufluid/Pour-v0", num_envs=1, max_episode_steps=limit)
        options = {"vectorization_mode": "sync", "max_episode_steps": limit}
        alone = gymnasium.make_vec("gpufluid/Pour-v0", num_envs=1, **options)
        assert isinstance(many, TaskVectorEnv)
        assert isinstance(alone, SyncVectorEnv)
        ends = []
        for env in (many, alone):
            env.reset(seed=3)
            ends.append([tuple(map(bool, env.step([[1, 0]])[2:4])) for _ in range(65)])
            env.close()
        assert ends[0] == ends[1]
        assert [n for n, (_, truncated) in enumerate(ends[0], 1) if truncated][:1] == ([] if limit == -1 else [limit])
    both = TaskVectorEnv(Row, 1)
    wrapped = gymnasium.wrappers.TimeLimit(TaskEnv(Row, max_episode_steps=-1), 3)
    both.reset()
    wrapped.reset()
    for expected in ((False, False), (False, False), (True, True)):
        assert tuple(map(bool, both.step([[0, 0]])[2:4])) == wrapped.step([0, 0])[2:4] == expected
    both.close()
    wrapped.close()


def test_what_a_task_returns_is_checked() -> None:
    """A mistake in a task of one's own is told by the name of its method."""

    def told(**methods: Callable[..., object]) -> str:
        env = TaskVectorEnv(type("Wrong", (Row,), methods), 2)
        env.reset(seed=1)
        with pytest.raises(UsageError) as caught:
            env.step([[0, 0], [0, 0]])
        env.close()
        return str(caught.value)

    world = World(4, 4, ("flow",))
    for found, message in (
        (world, "begin: <World 4x4 .*; expected a world and a dict of entries: return world, {}"),
        ((World(4, 6, ("flow",)), {}), "begin: a world of 6 by 4 cells; expected 4 by 4, the size of the task"),
    ):
        with pytest.raises(UsageError, match=message):
            TaskVectorEnv(type("Wrong", (Row,), {"begin": lambda _, __, found=found: found}), 2)
    first = {"score": lambda _, game: np.zeros(1 if game.steps.any() else 2)}
    assert told(**first) == "score: float64 of shape (1,); expected an array of 2 numbers, one for each world"
    assert told(over=lambda *_: [0, 1]) == "over: [0, 1]; expected an array of 2 truth values, one for each world"
    with pytest.raises(UsageError, match=r"score: \[1\]; expected an array of 2 numbers"):
        TaskVectorEnv(type("Wrong", (Row,), {"score": lambda *_: [1]}), 2).reset()


BAD_ACTIONS = [
    [[0, 0]],
    [[0, 0], [3, 0]],
    [[0, 0], [0, -1]],
    [[0.0, 0.0], [0.0, np.nan]],
    [[0, 0], [0]],
    None,
    "left",
]

BAD_SINGLE = [[3, 0], [0, -1], [1, 2], [0, 2**32], [0.0, 1.0], [np.nan, 0], [True, False], [0], [[0, 0]], None]


def test_an_action_outside_its_space_is_refused_and_changes_nothing() -> None:
    env, single = TaskVectorEnv(Pour, 2), TaskEnv(Pour)
    env.reset(seed=1)
    single.reset(seed=1)

    def state() -> list[Any]:
        return [(each.games.batch.digests(), each.games.game["spout"].tolist()) for each in (env, single)]

    before = state()
    for own, actions in [(env, BAD_ACTIONS), (single, BAD_SINGLE)]:
        for action in actions:
            with pytest.raises(UsageError, match=r"action: .*; expected .* of MultiDiscrete"):
                own.step(action)
    assert state() == before
    single.step([2, 1])
    assert state()[0] == before[0]
    assert state()[1] != before[1]
    env.close()
    single.close()


SPACES: list[tuple[Space[Any], type, list[Any], list[Any]]] = [
    (Discrete(3, start=-1), np.int64, [-1, 1, np.uint8(1)], [2, -2, 0.0, 255, True]),
    (MultiDiscrete([4, 4], dtype=np.int8), np.int64, [[3, 1]], [[259, 1], [4, 0], [-1, 0]]),
    (MultiBinary(2), np.int64, [[0, 1], [True, False]], [[0, 2], [256, 0], [0.0, 1.0]]),
    (Box(0, 200, (2,), np.uint8), np.int64, [[0, 200]], [[0, 201], [256, 0], [-1, 0], [0.0, 1.0]]),
    (Box(-1, 1, (2,), np.float32), np.float32, [[-1.0, 0.5]], [[0.0, 1.1], [np.nan, 0.0], [0, 1], [-np.inf, 0.0]]),
    (Box(-np.inf, np.inf, (1,), np.float32), np.float32, [[1e30]], [[np.nan], [np.inf], [1e39]]),
]


@pytest.mark.parametrize("count", [None, 2])
@pytest.mark.parametrize(("space", "kind", "good", "bad"), SPACES, ids=lambda value: type(value).__name__)
def test_actions_of_every_space(space: Space, kind: type, good: list[Any], bad: list[Any], count: int | None) -> None:
    task = Row(space)
    env = TaskEnv(task) if count is None else TaskVectorEnv(task, count)
    env.reset(seed=1)
    for value in bad:
        with pytest.raises(UsageError, match=r"(?s)action: .*; expected .* of "):
            env.step(value if count is None else np.array([value, value]))
    assert not task.seen
    for value in good[:2]:
        env.step(value if count is None else np.array([value, value]))
        seen = task.seen[-1]
        assert seen.dtype == kind
        np.testing.assert_array_equal(seen, np.array([value] * (count or 1), kind))
    env.step(env.action_space.sample())
    env.close()


def test_other_spaces_are_refused_when_the_environment_is_made() -> None:
    for space in (Dict({"a": Discrete(2)}), Tuple([Discrete(2)]), Box(0, 1, (2,), bool), None, 3):
        task = Row()
        task.action_space = space  # type: ignore[assignment]
        with pytest.raises(
            UsageError, match=r"action_space: .*; expected a Discrete, MultiDiscrete, MultiBinary or Box"
        ):
            TaskVectorEnv(task, 2)


def test_entries_of_an_episode_are_whole_numbers_of_the_same_names() -> None:
    task = Row()
    for entries in ({"marks": 0.5}, {"marks": 2**63}, {"marks": "x"}, None):
        task.first = entries  # type: ignore[assignment]
        with pytest.raises(UsageError, match=r"begin: .*; expected a .*whole number"):
            TaskEnv(task)
    task.first = {"marks": 7}
    env = TaskVectorEnv(task, 2, autoreset_mode="DISABLED")
    env.reset(seed=1)
    env.step([[0, 0], [0, 0]])
    before = env.games.batch.digests(), env.np_random_seed
    for entries, message in [
        ({}, "entries none; expected marks"),
        ({"marks": 1, "x": 1}, "entries marks, x; expected marks"),
    ]:
        task.first = entries
        with pytest.raises(UsageError, match=message):
            env.reset(seed=9, options={"reset_mask": np.array([True, False])})
    assert (env.games.batch.digests(), env.np_random_seed, env.games.game["marks"].tolist()) == (*before, [8, 8])
    task.first = {"marks": -(2**63)}
    env.reset(options={"reset_mask": np.array([True, False])})
    assert env.games.game["marks"].tolist() == [-(2**63), 8]
    env.close()
    for told, message in [
        ({"mark": 3}, "told: 'mark'; expected names of entries"),
        ({"marks": 0}, "told: 0 as the largest value of 'marks'; expected a number from 1 on"),
        (("marks",), "told: .*; expected a dict with the largest value"),
    ]:
        task.told = told  # type: ignore[misc, assignment]
        with pytest.raises(UsageError, match=message):
            TaskEnv(task)


def test_an_entry_that_is_told_can_be_a_plane_of_the_observation() -> None:
    task = Row()
    task.told = {"marks": 2}  # type: ignore[misc]
    env = TaskVectorEnv(task, 2, observation=Observed("planes", ("wall", "marks", "water"), 2))
    assert env.single_observation_space.shape == (3, 2, 2)
    found, _ = env.reset(seed=1)
    assert not found.any()
    for expected in (0.5, 1.0):
        found, *_ = env.step([[0, 0], [0, 0]])
        assert env.observation_space.contains(found)
        assert (found[:, 1] == expected).all()
        assert not found[:, [0, 2]].any()
    with pytest.raises(UsageError, match="told: entry 'marks' is 3 in world 0; expected 0 to 2"):
        env.step([[0, 0], [0, 0]])
    env.close()
    with pytest.raises(UsageError, match="planes: 'marks'"):
        TaskVectorEnv(Pour, 2, observation=Observed("planes", ("water", "marks")))


def test_a_told_entry_out_of_its_range_changes_nothing() -> None:
    task = Row()
    task.told = {"marks": 3}  # type: ignore[misc]
    env = TaskVectorEnv(task, 2, observation=Observed("planes", ("marks",)))
    found, _ = env.reset(seed=1)
    assert found.shape == (2, 1, 4, 4)
    env.step([[0, 0], [0, 0]])
    before = env.games.batch.digests(), env.np_random_seed
    for value in (9, -1):
        task.first = {"marks": value}
        with pytest.raises(UsageError, match=f"told: entry 'marks' is {value} in world 1; expected 0 to 3"):
            env.reset(seed=5, options={"reset_mask": np.array([False, True])})
    assert (env.games.batch.digests(), env.np_random_seed) == before
    assert env.games.game["marks"].tolist() == [1, 1]
    assert env.games.game.steps.tolist() == [1, 1]
    env.close()


def test_a_told_entry_hides_no_plane_of_the_worlds() -> None:
    task = Row()
    task.first, task.told = {"water": 1}, {"water": 3}  # type: ignore[misc]
    with pytest.raises(UsageError, match="told: 'water'; expected another name, because the worlds have a plane"):
        TaskVectorEnv(task, 2)


def test_names_of_planes_are_resolved_once() -> None:
    task = Row()
    task.first, task.told = {"mixers": 1}, {"mixers": 3}  # type: ignore[misc]
    for planes, message in [
        ((["water"],), r"planes: \['water'\]; nothing that can be observed"),
        (("mixer",), "planes: 'mixer'; nothing that can be observed; did you mean 'mixers'"),
        ((), "planes: .*; expected at least one name"),
        (3, "planes: 3; expected a list of names"),
    ]:
        with pytest.raises(UsageError, match=message):
            TaskVectorEnv(task, 2, observation=Observed("planes", planes))  # type: ignore[arg-type]


def test_what_an_action_yields_is_checked_before_any_cell_changes() -> None:
    class Wrong(Row):
        given: Any = None

        def act(self, game: Game, actions: np.ndarray) -> Any:  # noqa: ARG002
            return self.given

    task, cells = Wrong(), np.ones((2, 4, 4), bool)
    env = TaskVectorEnv(task, 2)
    env.reset(seed=1)
    before = env.games.batch.digests()
    for given, message in [
        (None, r"act: None; expected \(cells, stroke\) or Ports"),
        ([(cells, Laying("wall")), cells], r"(?s)act: array.*; expected \(cells, stroke\) or Ports"),
        ([(cells, Laying("wall")), Laying("wall")], r"act: Laying.*; expected \(cells, stroke\) or Ports"),
    ]:
        task.given = given
        with pytest.raises(UsageError, match=message):
            env.step([[0, 0], [0, 0]])
        assert env.games.batch.digests() == before
    env.close()


class Tap(Row):
    """Action (valve, plug): the tap pours if the valve is 1; the floor drains if the plug is 1."""

    limit = 3

    def act(self, game: Game, actions: np.ndarray) -> Iterator[Ports]:  # type: ignore[override]  # noqa: ARG002
        taps = [[Emitter((1, 0), (2, 1), material="water", rate=0.5)] if valve else [] for valve in actions[:, 0]]
        yield Ports(taps, [[Drain((0, 3), (4, 1))] if plug else [] for plug in actions[:, 1]])

    def over(self, game: Game) -> np.ndarray:
        return np.zeros(len(game), bool)


def test_ports_of_an_action_stay_until_the_next_ones_or_the_next_episode() -> None:
    env = TaskVectorEnv(Tap(), 4, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)

    def counted() -> tuple[list[float], list[bool]]:
        ledgers = [own["mass"] for own in env.games.batch.ledgers]
        return [own.emitted / FULL for own in ledgers], [own.drained > 0 for own in ledgers]

    env.step([[1, 0], [0, 0], [1, 1], [0, 1]])
    assert counted()[0] == [1, 0, 1, 0]  # a shut valve pours nothing
    env.step([[1, 0], [0, 0], [1, 1], [0, 1]])
    env.step([[1, 0], [1, 0], [0, 1], [0, 1]])
    assert counted() == ([3, 1, 2, 0], [False, False, True, False])
    assert env.reset(options={"reset_mask": np.array([False, True, True, True])})[0].shape == (4, 4, 4)
    assert env.games.batch.read().world(0).emitters != ()  # a world that waits keeps its ports
    assert env.games.batch.read().world(2).drains == ()
    env.games.step(np.ones((4, 2), int), np.array([False, True, False, False]))
    assert counted()[0] == [4, 1, 0, 0]  # as it had them, and without those of the action
    env.close()


def test_the_first_reset_begins_all_worlds_even_after_one_that_failed() -> None:
    task = Row()
    env = TaskVectorEnv(task, 3)
    assert len(set(env.np_random_seed)) == 3
    some = {"reset_mask": np.array([True, False, True])}
    with pytest.raises(UsageError, match="reset_mask: some worlds only; expected no mask at the first reset"):
        env.reset(options=some)
    with pytest.raises(UsageError, match="2 of 3 episodes; expected all of them"):
        env.games.begin([0, 2], list(env.np_random[:2]))
    task.first = {}
    with pytest.raises(UsageError, match="entries none"):
        env.reset(seed=1)
    task.first = {"marks": 0}
    with pytest.raises(UsageError, match="reset_mask: some worlds only"):
        env.reset(options=some)
    env.reset(seed=1, options={"reset_mask": np.ones(3, bool)})
    assert len(env.games.batch) == 3
    env.close()


@pytest.mark.long("programs of two tasks")
def test_the_budget_is_told_and_charged_only_where_a_cell_is_empty() -> None:
    dam, fire = TaskVectorEnv("Dam", 2), TaskEnv("Fire")
    _, info = dam.reset(seed=1)
    assert info["lumps"].tolist() == [LUMPS, LUMPS]
    assert info["_lumps"].tolist() == [True, True]
    for left in (LUMPS - 1, LUMPS - 2, LUMPS - 3):
        seen, *_, info = dam.step([4, 0])
        assert info["lumps"].tolist() == [left, LUMPS]
        np.testing.assert_array_equal(seen[0, -1], np.full((16, 16), left / LUMPS, np.float32))
        assert (seen[1, -1] == 1).all()
    seen, info = fire.reset(seed=1)
    assert info["loads"] == TANK
    assert (seen[-1] == 1).all()
    seen, *_, info = fire.step([1, 8, 4])
    assert info["loads"] == TANK - 1
    assert (seen[-1] == np.float32((TANK - 1) / TANK)).all()
    fire.games.game.look(np.ones((1, 32, 32), np.uint8), World(1, 1, ("atoms",)))  # no cell is empty
    list(fire.games.task.act(fire.games.game, np.array([[1, 8, 4]])))
    assert fire.games.game["loads"].tolist() == [TANK - 1]
    dam.close()
    fire.close()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"num_envs": 0}, "num_envs: 0; expected how many"),
    ({"num_envs": 10**9}, "num_envs: 1000000000; expected how many"),
    ({"render_mode": "ansi"}, "render_mode: 'ansi'; expected 'rgb_array', 'human' or None"),
    ({"autoreset_mode": AutoresetMode.SAME_STEP}, "autoreset_mode: .*; expected DISABLED or NEXT_STEP"),
    ({"max_episode_steps": 0}, "max_episode_steps: 0; expected a whole number"),
    ({"observation": "sound"}, "observation: 'sound'; expected one of"),
    ({"observation": "pixel"}, "observation: 'pixel'; did you mean 'pixels'?"),
    ({"observation": Observed("planes", ("fog",))}, "planes: 'fog'"),
    ({"observation": 3}, "observation: 3; expected an Observed, or a name"),
    ({"observation": ["planes"]}, "observation: .*; expected an Observed"),
]


def test_bad_arguments_are_refused() -> None:
    for arguments, message in REFUSED:
        with pytest.raises(UsageError, match=message):
            TaskVectorEnv(Pour, **arguments)
    for task, message in (("Puor", "task: 'Puor'; unknown.*Pour"), (3, "task: 3; expected a Task"), (int, "task: ")):
        with pytest.raises(UsageError, match=message):
            TaskEnv(task)  # type: ignore[arg-type]
    env = TaskVectorEnv(Pour, 2)
    with pytest.raises(UsageError, match="call reset"):
        env.step(np.zeros((2, 2), int))
    for options in ([1], "reset_mask", np.ones(2, bool)):
        with pytest.raises(UsageError, match=r"options: .*; expected a dict"):
            env.reset(options=options)  # type: ignore[arg-type]
    for mask in ([True, 0.5], np.array([True]), np.zeros(2, bool), np.ones(2)):
        with pytest.raises(UsageError, match="reset_mask: "):
            env.reset(options={"reset_mask": mask})
    for seed in (-1, [1], "x", [1, 0.5]):
        with pytest.raises(UsageError, match="seed"):
            env.reset(seed=seed)
    env.close()


def test_observations_have_the_form_that_is_asked_for() -> None:
    forms: list[tuple[Observed | str, tuple[int, ...]]] = [
        ("materials", (32, 32)),
        (Observed("pixels", pool=4), (8, 8, 3)),
        (Observed("planes", ("water", "velocity.y"), 2), (2, 16, 16)),
    ]
    for observation, shape in forms:
        env = TaskEnv(Pour, observation=observation)
        assert env.observation_space.shape == shape
        found, _ = env.reset(seed=2)
        for _ in range(6):
            found, *_ = env.step(np.array([1, 1]))
            assert env.observation_space.contains(found)
        assert found.any()
        form = env.games.observed
        np.testing.assert_array_equal(found, env.games.batch.observe(form.kind, form.planes, form.pool)[0])
        kept = found.copy()
        env.step(np.array([2, 1]))
        np.testing.assert_array_equal(found, kept)  # the next step does not overwrite it
        env.close()


def test_pictures_of_all_worlds() -> None:
    env = TaskVectorEnv(Sandbox, 2, render_mode="rgb_array")
    env.reset(seed=1)
    pictures = env.render()
    assert pictures is not None
    assert [picture.shape for picture in pictures] == [(256, 256, 3)] * 2
    assert (pictures[0] != pictures[1]).any()
    env.close()
    env.close()


def returns(env: TaskVectorEnv, scripted: bool) -> np.ndarray:
    """The sum of the rewards of one episode in each world."""
    env.reset(seed=20)
    env.action_space.seed(6)
    total, playing = np.zeros(env.num_envs), np.ones(env.num_envs, bool)
    while playing.any():
        actions = env.games.task.play(env.games.game) if scripted else env.action_space.sample()
        _, rewards, over, timed_out, _ = env.step(actions)
        total += rewards * playing
        playing &= ~(over | timed_out)
    return total


RETURNS = {"Pour": (0.9, 0.5), "Sort": (0.6, 0.4), "Dam": (-0.06, 0.05), "Fire": (-0.2, 0.1)}
"""The least that the scripted player gets in the mean of six worlds, and by how much it is better at least."""


@pytest.mark.parametrize(
    "name", mostly_long(RETURNS, "Dam", why="its programs and its own worlds; the short run has one task")
)
def test_a_scripted_player_beats_a_random_one(name: str) -> None:
    env = TaskVectorEnv(name, 6)
    scripted, random = returns(env, True), returns(env, False)
    least, margin = RETURNS[name]
    assert scripted.mean() > max(least, random.mean() + margin), (scripted, random)
    env.close()


def test_the_scripted_player_of_the_sandbox_paints_within_the_space() -> None:
    env = TaskEnv(Sandbox)
    env.reset(seed=3)
    for _ in range(5):
        (action,) = env.games.task.play(env.games.game)
        assert env.action_space.contains(action)
        env.step(action)
    env.close()


def test_wrappers_of_gymnasium_for_vectors_take_a_vector() -> None:
    env = RecordEpisodeStatistics(NormalizeObservation(gymnasium.make_vec("gpufluid/Pour-v0", 3, max_episode_steps=4)))
    env.reset(seed=1)
    env.action_space.seed(1)
    for _ in range(4):
        observations, *_, info = env.step(env.action_space.sample())
    assert observations.shape == (3, 3, 16, 16)
    assert np.isfinite(observations).all()
    assert info["episode"]["l"].tolist() == [4, 4, 4]
    env.close()


def test_the_tasks_are_registered_once() -> None:
    before = dict(gymnasium.registry)
    register_shipped()
    assert gymnasium.registry == before
    assert {f"gpufluid/{name}-v0" for name in TASKS} <= before.keys()


class Melt(Pour):
    """A task of one's own."""

    limit = 3


def test_a_task_of_ones_own_has_a_name_until_undo() -> None:
    before = dict(gymnasium.registry)
    with register("Melt", Melt) as registration:
        single = gymnasium.make("gpufluid/Melt-v0")
        assert isinstance(single.unwrapped, TaskEnv)
        assert isinstance(single.unwrapped.games.task, Melt)
        assert single.spec is not None
        assert single.spec.max_episode_steps == 3
        many = gymnasium.make_vec("gpufluid/Melt-v0", num_envs=2)
        assert isinstance(many, TaskVectorEnv)
        many.reset(seed=1)
        *_, truncated, _ = [many.step(many.action_space.sample()) for _ in range(3)][-1]
        assert truncated.all()
        assert isinstance(TaskVectorEnv("Melt").games.task, Melt)
        with pytest.raises(UsageError, match="name: 'Melt'; there is a task of that name"):
            register("Melt", Melt)
        single.close()
        many.close()
    with register("Melt", Melt):
        registration.undo()  # does nothing more
        assert "gpufluid/Melt-v0" in gymnasium.registry
    assert gymnasium.registry == before
    with pytest.raises(UsageError, match="task: 'Melt'; unknown"):
        TaskEnv("Melt")


@pytest.mark.parametrize(
    ("name", "task", "said"),
    [
        ("Pour", Melt, "name: 'Pour'; there is a task of that name"),
        ("two words", Melt, "name: 'two words'; expected letters, digits and _"),
        ("Melt", World, "task: .*; expected a Task"),
    ],
)
def test_other_registrations_are_refused_and_leave_nothing(name: str, task: type, said: str) -> None:
    before = dict(gymnasium.registry)
    with pytest.raises(UsageError, match=said):
        register(name, task)
    assert gymnasium.registry == before


def test_films_of_episodes_have_a_frame_for_each_step(tmp_path: Path) -> None:
    """One episode that ends, one that is not recorded, and one that `close` ends."""
    env = gymnasium.make("gpufluid/Pour-v0", render_mode="rgb_array", max_episode_steps=3)
    recorded = FilmRecorder(env, tmp_path / "films", lambda episode: episode != 1)
    for steps in (3, 2, 1):
        recorded.reset(seed=1)
        for _ in range(steps):
            recorded.step(recorded.action_space.sample())
    recorded.close()
    found = {path.name: count_frames_and_secs(path)[0] for path in (tmp_path / "films").iterdir()}
    assert found == {"episode_0.mp4": 4, "episode_2.mp4": 2}


def test_a_recorder_refuses_what_makes_no_film(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="render_mode: None; expected 'rgb_array'"):
        FilmRecorder(TaskEnv("Pour"), tmp_path)
    with pytest.raises(UsageError, match="expected one environment; a world of a vector plays like the one with its"):
        FilmRecorder(TaskVectorEnv("Pour", 2), tmp_path)  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match=r"ending: '.avi'; expected one of: .mp4"):
        FilmRecorder(TaskEnv("Pour", render_mode="rgb_array"), tmp_path, ending=".avi")
    (tmp_path / "films").touch()
    with pytest.raises(UsageError, match="films' is a file; expected a folder, which is made if it is missing"):
        FilmRecorder(TaskEnv("Pour", render_mode="rgb_array"), tmp_path / "films")


def test_pictures_of_worlds_lie_side_by_side() -> None:
    frames = np.arange(3, dtype=np.uint8)[:, None, None, None] * np.ones((1, 8, 20, 3), np.uint8)
    whole = tiled(frames)
    assert whole.shape == (32, 20, 3)
    assert [whole[top, 5, 0] for top in (0, 12, 24)] == [0, 1, 2]
    np.testing.assert_array_equal(tiled(frames[1:2]), frames[1])


def test_gymnasium_imports_what_registers_the_tasks() -> None:
    program = "import gymnasium; print(gymnasium.make_vec('gpufluid.envs:gpufluid/Pour-v0', num_envs=2).num_envs)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "2\n"
