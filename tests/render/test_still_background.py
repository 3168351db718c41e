"""A background that stands still stays as it is in every frame of a film, whatever moves in front of it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image, ImageSequence

import gpufluid
from gpufluid import Simulation
from gpufluid.render.few_colours import TOLERANCE, Held, Palettes
from gpufluid.render.film import Film
from gpufluid.render.settings import PictureSettings

ENDINGS = (".webp", ".gif", ".mp4", ".webm")
VIDEO_TOLERANCE = {".mp4": 5}
"""H.264 as all players know it is not without loss: each of its three planes may be off by a level, besides the
rounding of colours to 8 bits, which takes up to 2. Few pixels of a film differ by more than 3."""


def sky_and_water(scale: int) -> list[np.ndarray]:
    """A sky from dark to light, and water of close blues with grain; cells of many colours move in front."""
    rng = np.random.default_rng(7)
    height, width = 60, 80
    background = np.zeros((height, width, 3), np.uint8)
    rows = np.linspace(0, 1, height // 2)[:, None]
    background[: height // 2] = ((10, 13, 28) + rows * (14, 17, 24))[:, None]
    background[height // 2 :] = np.array([36, 98, 178]) + rng.integers(0, 6, (height - height // 2, width, 1))
    frames = []
    for number in range(16):
        frame = background.copy()
        for row, column, *colour in rng.integers(0, 256, (40, 5)):
            frame[(row + 3 * number) % height, (column + number) % width] = colour
        frame[20 + number : 28 + number, 10 + 2 * number : 22 + 2 * number] = (226, 96, 32)
        frames.append(frame.repeat(scale, 0).repeat(scale, 1))
    return frames


def of_scene(scale: int) -> list[np.ndarray]:
    """Frames of a scene with gas, water and shelves, small."""
    with Simulation(gpufluid.load("bubbles")) as simulation:
        frames = []
        for _ in range(12):
            simulation.step(6)
            frames.append(simulation.frame(scale)[: 150 * scale, : 160 * scale].copy())
    return frames


def decoded(path: Path, times: int) -> list[np.ndarray]:
    """The frames of a film, (height, width, 3); a video has each pixel ``times`` x ``times`` times: the first of each.

    Between its pixels of colour a player interpolates, here each counts for itself.
    """
    if path.suffix in (".webp", ".gif"):
        with Image.open(path) as film:
            return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(film)]
    exact = ("-vf", "scale=flags=neighbor+accurate_rnd+full_chroma_int", "-f", "rawvideo", "-pix_fmt", "rgb24")
    program = imageio_ffmpeg.get_ffmpeg_exe()
    done = subprocess.run([program, "-i", str(path), *exact, "-"], capture_output=True, check=True)
    width, height = imageio_ffmpeg.read_frames(str(path)).__next__()["size"]
    frames = np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)
    return list(frames[:, ::times, ::times])


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("frames_of", [sky_and_water, of_scene])
@pytest.mark.parametrize("scale", [1, 2])
def test_pixels_that_stand_still_keep_their_colour(
    tmp_path: Path, frames_of: Callable[[int], list[np.ndarray]], scale: int
) -> None:
    pictures = frames_of(scale)
    height, width, _ = pictures[0].shape
    for ending in ENDINGS:
        path = tmp_path / f"x{ending}"
        keeps_pixels = PictureSettings(scale).keeps_pixels
        with Film(path, width, height, 25, fixed=keeps_pixels) as film:
            for picture in pictures:
                film.add(picture)
        found = decoded(path, 1 if keeps_pixels else 2)
        assert len(found) == len(pictures)
        for (before, picture), frame in zip(pairwise(pictures), found[1:], strict=True):
            still = (before == picture).all(axis=2)
            worst = abs(frame.astype(int) - picture).max(axis=2)[still].max()
            assert worst <= VIDEO_TOLERANCE.get(ending, TOLERANCE), f"{ending}: {worst}"


def test_a_palette_that_does_not_suffice_keeps_what_stands_still() -> None:
    rng = np.random.default_rng(1)
    palettes = Palettes()
    for number in range(4):
        picture = sky_and_water(1)[0]
        picture[:, :40] = rng.integers(0, 256, (60, 40, 3))
        found = np.asarray(palettes.reduce(picture).convert("RGB"))
        if number:
            assert abs(found.astype(int) - picture)[:, 40:].max() <= TOLERANCE


def test_a_faint_light_that_drifts_is_followed() -> None:
    """The difference never adds up, in the direction of the drift or back."""
    held = Held()
    grain = np.random.default_rng(2).integers(40, 60, (30, 40, 3), np.uint8)
    for light in (*range(20), *range(20, 0, -1)):
        shown = held.reduce(grain + np.uint8(light))
        assert abs(shown.astype(int) - (grain + light)).max() <= TOLERANCE
