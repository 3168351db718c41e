"""Train an agent for `Pour` with PPO of Stable-Baselines3, and draw its learning curve.

``python tools/train_pour.py docs/learning_curve.png [--steps 46080]``; it needs stable-baselines3 and matplotlib. The
curve is drawn anew after every rollout.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from gpufluid.envs.pour import Pour
from gpufluid.envs.sb3 import VecEnv
from gpufluid.envs.vector import TaskVectorEnv

WORLDS = 32


def returns(scripted: bool) -> float:
    """The mean sum of rewards of one episode in each of 32 worlds, of the scripted player or of random actions."""
    env = TaskVectorEnv(Pour, WORLDS)
    env.reset(seed=1000)
    env.action_space.seed(1)
    total, playing = np.zeros(WORLDS), np.ones(WORLDS, bool)
    while playing.any():
        actions = env.games.task.play(env.games.game) if scripted else env.action_space.sample()
        _, rewards, over, timed_out, _ = env.step(actions)
        total += rewards * playing
        playing &= ~(over | timed_out)
    env.close()
    return float(total.mean())


class Curve(BaseCallback):
    """Draws the mean return of the last 100 episodes after every rollout."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file, self._began = file, time.perf_counter()
        self._players = {"scripted player": returns(True), "random actions": returns(False)}
        self._points: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        episodes = [each["r"] for each in self.model.ep_info_buffer or []]
        if not episodes:
            return
        self._points.append((self.num_timesteps, float(np.mean(episodes))))
        print(*self._points[-1], f"{time.perf_counter() - self._began:.0f} s", flush=True)
        figure, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
        axes.plot(*zip(*self._points, strict=True), label="PPO")
        for number, (name, value) in enumerate(self._players.items()):
            axes.axhline(value, linestyle="--", linewidth=1, color=f"C{number + 1}", label=name)
        axes.set(xlabel="steps of environments", ylabel="mean return of an episode", title="gpufluid/Pour-v0")
        axes.legend()
        figure.savefig(self._file, dpi=110)
        plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train an agent for Pour, and draw its learning curve.")
    parser.add_argument("file", type=Path, help="the picture")
    parser.add_argument("--steps", type=int, default=46_080, help="steps of environments")
    options = parser.parse_args()
    env = VecMonitor(VecEnv("Pour", WORLDS))
    model = PPO("MlpPolicy", env, n_steps=120, batch_size=480, n_epochs=6, learning_rate=7e-4, ent_coef=0.01, seed=1)
    model.learn(options.steps, callback=Curve(options.file))
    env.close()


if __name__ == "__main__":
    main()
