"""Environments of Gymnasium: a world of a vector is as it is alone, episodes begin again as Gymnasium has it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from support.selection import mostly_long

from gpufluid.core.errors import UsageError
from gpufluid.envs import TASKS, Observed, Task, TaskEnv, TaskVectorEnv, register
from gpufluid.envs.pour import Pour
from gpufluid.envs.sandbox import Sandbox

pytestmark = pytest.mark.usefixtures("device")

FEW = mostly_long(TASKS, "Pour", "Dam", why="its programs and its own worlds; the short run has two of the tasks")


def task_of(name: str) -> Task:
    return getattr(import_module(TASKS[name]), name)()


@pytest.mark.parametrize("name", FEW)
def test_gymnasium_finds_nothing_to_warn_of(name: str) -> None:
    env = gymnasium.make(f"gpufluid/{name}-v0", render_mode="rgb_array", max_episode_steps=4)
    check_env(env.unwrapped)
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
    alone = SyncVectorEnv([lambda: TaskEnv(task_of(name), **options)] * count)
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


BAD_ACTIONS = [
    [[0, 0]],
    [[0, 0], [3, 0]],
    [[0, 0], [0, -1]],
    [[0.0, 0.0], [0.0, np.nan]],
    [[0, 0], [0]],
    None,
    "left",
]


def test_an_action_outside_its_space_is_refused_and_changes_nothing() -> None:
    env, single = TaskVectorEnv(Pour, 2), TaskEnv(Pour)
    env.reset(seed=1)
    single.reset(seed=1)
    before = env.games.batch.digests(), env.games.game["spout"].tolist()
    for actions in BAD_ACTIONS:
        with pytest.raises(UsageError, match=r"action: .*; expected .* of MultiDiscrete"):
            env.step(actions)
        with pytest.raises(UsageError, match=r"action: .*; expected .* of MultiDiscrete"):
            single.step(actions)
    assert (env.games.batch.digests(), env.games.game["spout"].tolist()) == before
    env.close()
    single.close()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"num_envs": 0}, "num_envs: 0; expected how many"),
    ({"render_mode": "human"}, "render_mode: 'human'; expected 'rgb_array' or None"),
    ({"autoreset_mode": AutoresetMode.SAME_STEP}, "autoreset_mode: .*; expected DISABLED or NEXT_STEP"),
    ({"max_episode_steps": 0}, "max_episode_steps: 0; expected a whole number"),
    ({"observation": "sound"}, "kind: 'sound'; expected one of"),
    ({"observation": Observed("planes", ("fog",))}, "planes: 'fog'"),
]


def test_bad_arguments_are_refused() -> None:
    for arguments, message in REFUSED:
        with pytest.raises(UsageError, match=message):
            TaskVectorEnv(Pour, **arguments)
    env = TaskVectorEnv(Pour, 2)
    with pytest.raises(UsageError, match="call reset"):
        env.step(np.zeros((2, 2), int))
    for mask in ([True, False], np.array([True]), np.zeros(2, bool), np.ones(2)):
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


RETURNS = {"Pour": (0.9, 0.5), "Sort": (0.6, 0.4), "Dam": (-0.06, 0.05), "Fire": (-0.3, 0.1)}
"""The least that the scripted player gets in the mean of six worlds, and by how much it is better at least."""


@pytest.mark.parametrize(
    "name", mostly_long(RETURNS, "Pour", "Dam", why="its programs and its own worlds; the short run has two tasks")
)
def test_a_scripted_player_beats_a_random_one(name: str) -> None:
    env = TaskVectorEnv(task_of(name), 6)
    scripted, random = returns(env, True), returns(env, False)
    least, margin = RETURNS[name]
    assert scripted.mean() > max(least, random.mean() + margin), (scripted, random)
    env.close()


def test_the_tasks_are_registered_once() -> None:
    before = dict(gymnasium.registry)
    register()
    assert gymnasium.registry == before
    assert {f"gpufluid/{name}-v0" for name in TASKS} <= before.keys()


def test_gymnasium_imports_what_registers_the_tasks() -> None:
    program = "import gymnasium; print(gymnasium.make_vec('gpufluid.envs:gpufluid/Pour-v0', num_envs=2).num_envs)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout == "2\n"
