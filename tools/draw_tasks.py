"""Draw a picture: each task of `gpufluid.envs`, played by its scripted player, at five moments.

``.venv/bin/python tools/draw_tasks.py docs/environments.png``
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from gpufluid.envs import TASKS, TaskVectorEnv
from gpufluid.envs.tasks import made_task

PARTS = 0.02, 0.2, 0.45, 0.7, 1.0
SIDE, GAP = 160, 6


def row(name: str) -> np.ndarray:
    """The pictures of a task, side by side: (rows, columns, 3) uint8."""
    task = made_task(name)
    moments = [max(round(part * task.limit), 1) for part in PARTS]
    env = TaskVectorEnv(task)
    env.reset(seed=3)
    pictures, over = [], False
    for step in range(1, task.limit + 1):
        if not over:
            _, _, terminated, _, _ = env.step(task.play(env.games.game))
            over = bool(terminated[0])
        if step in moments:
            small = Image.fromarray(env.games.frames()[0]).resize((SIDE, SIDE), Image.Resampling.BOX)
            pictures += [np.asarray(small), np.full((SIDE, GAP, 3), 255, np.uint8)]
    env.close()
    return np.concatenate(pictures[:-1], axis=1)


def main(file: Path) -> None:
    rows = [part for name in TASKS for part in (row(name), np.full((GAP, 5 * SIDE + 4 * GAP, 3), 255, np.uint8))]
    Image.fromarray(np.concatenate(rows[:-1])).quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
