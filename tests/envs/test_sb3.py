"""The adapter for Stable-Baselines3: its form of episodes. Where the library is missing, over a stand-in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpufluid.core.errors import MissingExtraError, UsageError
from gpufluid.envs import TaskVectorEnv
from gpufluid.envs.pour import Pour

pytestmark = pytest.mark.usefixtures("device")


class StandIn:
    """What the adapter uses of the base class of Stable-Baselines3 2.9."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._seeds: list[int | None] = [None] * num_envs
        self.render_mode = self.get_attr("render_mode")[0]

    def seed(self, seed: int) -> None:
        self._seeds = [seed + number for number in range(self.num_envs)]

    def _reset_seeds(self) -> None:
        self._seeds = [None] * self.num_envs

    def _reset_options(self) -> None:
        pass

    def _get_indices(self, indices: Any) -> Any:
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

    def step(self, actions: np.ndarray) -> Any:
        self.step_async(actions)
        return self.step_wait()

    def get_attr(self, name: str) -> list[Any]: ...
    def step_async(self, actions: np.ndarray) -> None: ...
    def step_wait(self) -> Any: ...


@pytest.fixture
def adapter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module of the adapter."""
    if find_spec("stable_baselines3") is None:
        package, common = ModuleType("stable_baselines3"), ModuleType("stable_baselines3.common")
        package.__spec__ = ModuleSpec("stable_baselines3", None)
        common.vec_env = SimpleNamespace(VecEnv=StandIn)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "stable_baselines3", package)
        monkeypatch.setitem(sys.modules, "stable_baselines3.common", common)
    yield import_module("gpufluid.envs.sb3")
    sys.modules.pop("gpufluid.envs.sb3")


def test_an_episode_that_ends_begins_anew_in_the_same_step(adapter: Any) -> None:
    env, plain = adapter.VecEnv("Pour", 3, max_episode_steps=4), TaskVectorEnv(Pour, 3, max_episode_steps=4)
    env.seed(5)
    found, (expected, _) = env.reset(), plain.reset(seed=5)
    np.testing.assert_array_equal(found, expected)
    plain.action_space.seed(2)
    for step in range(1, 10):
        if (step - 1) % 4 == 0 and step > 1:  # the plain environment takes a step to begin anew
            expected, *_ = plain.step(plain.action_space.sample())
            np.testing.assert_array_equal(found, expected)
        actions = plain.action_space.sample()
        found, rewards, ended, infos = env.step(actions)
        expected, own, over, timed_out, info = plain.step(actions)
        np.testing.assert_array_equal(rewards, own.astype(np.float32))
        assert ended.tolist() == (over | timed_out).tolist() == [step % 4 == 0] * 3
        assert [each["score"] for each in infos] == info["score"].tolist()
        if ended.any():
            np.testing.assert_array_equal([each["terminal_observation"] for each in infos], expected)
            assert all(each["TimeLimit.truncated"] for each in infos)
        else:
            np.testing.assert_array_equal(found, expected)
            assert all(each.keys() == {"score"} for each in infos)
    env.close()
    plain.close()


def test_attributes_and_pictures(adapter: Any) -> None:
    env = adapter.VecEnv(Pour, 2, render_mode="rgb_array")
    env.reset()
    assert env.get_attr("num_envs") == [2, 2]
    assert env.get_attr("num_envs", 0) == [2]
    assert env.env_is_wrapped(object) == [False, False]
    assert [picture.shape for picture in env.get_images()] == [(256, 256, 3)] * 2
    env.set_attr("mark", 7)
    assert env.get_attr("mark", [1]) == [7]
    results = env.env_method("reset", seed=1, indices=[0, 1])
    assert [observations.shape for observations, _ in results] == [(2, 3, 16, 16)] * 2
    for call in (lambda: env.env_method("reset", indices=[1]), lambda: env.set_attr("mark", 8, 0)):
        with pytest.raises(UsageError, match=r"indices: .*; expected None: the worlds are one environment"):
            call()
    assert env.get_attr("mark") == [7, 7]
    env.close()


def test_what_a_task_tells_is_in_the_info_of_each_world(adapter: Any) -> None:
    env = adapter.VecEnv("Dam", 2)
    env.reset()
    *_, infos = env.step(np.array([4, 0]))
    assert [each["lumps"] for each in infos] == [7, 8]
    assert all(each.keys() == {"score", "lumps"} for each in infos)
    env.close()


def test_without_the_library_one_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    sys.modules.pop("gpufluid.envs.sb3", None)
    with pytest.raises(MissingExtraError, match=r"gpufluid\.envs\.sb3 needs stable-baselines3: pip install"):
        import_module("gpufluid.envs.sb3")
