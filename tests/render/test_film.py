"""Films and pictures as files: number and size of the frames; a failed film leaves no file and says why."""

from __future__ import annotations

import re
import signal
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image, ImageSequence

import gpufluid
from gpufluid import Simulation
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.render import film as film_module
from gpufluid.render.film import Film, save_picture

ENDINGS = (".mp4", ".webm", ".gif", ".webp")
ANIMATIONS = (".gif", ".webp")
CODECS = {".mp4": "h264", ".webm": "vp9"}
COLOURS = np.array([[245, 246, 248], [110, 112, 120], [66, 146, 222], [15, 51, 128]], np.uint8)


def frames(count: int, height: int, width: int) -> list[np.ndarray]:
    """Frames with broad stripes of flat colours that move to the right."""
    stripe = (np.arange(width) // 8)[None, :].repeat(height, 0)
    return [COLOURS[(stripe + number) % len(COLOURS)] for number in range(count)]


def written(path: Path, pictures: list[np.ndarray], rate: float = 25) -> Path:
    height, width, _ = pictures[0].shape
    with Film(path, width, height, rate) as film:
        for picture in pictures:
            film.add(picture)
    return path


def read_video(path: Path) -> tuple[list[np.ndarray], float]:
    """Read an MP4 or a WebM with ffmpeg. Returns (frames, frames a second)."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    codec = CODECS[path.suffix.lower()]
    facts = re.search(rf"Video: {codec}.*yuv420p.*bt709.* (\d+)x(\d+).* ([\d.]+) fps", done.stderr.decode())
    assert facts is not None
    width, height = int(facts[1]), int(facts[2])
    return list(np.frombuffer(done.stdout, np.uint8).reshape(-1, height, width, 3)), float(facts[3])


def read_animation(path: Path) -> tuple[list[int], list[np.ndarray]]:
    """Read a GIF or a WebP. Returns (durations in milliseconds, frames)."""
    with Image.open(path) as picture:
        found = [(np.asarray(part.convert("RGB")), part.info["duration"]) for part in ImageSequence.Iterator(picture)]
    return [duration for _, duration in found], [frame for frame, _ in found]


SIZES = ((16, 32), (31, 45), (1, 1), (2, 301))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ending", CODECS)
def test_a_video_has_every_frame_in_twice_its_size(tmp_path: Path, ending: str, size: tuple[int, int]) -> None:
    found, rate = read_video(written(tmp_path / f"x{ending}", frames(7, *size), rate=25))
    height, width = size
    assert rate == 25
    assert [frame.shape for frame in found] == [(2 * height, 2 * width, 3)] * 7


@pytest.mark.parametrize("ending", CODECS)
def test_a_video_of_a_fixed_size_is_padded_to_even_sides(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    with Film(path, 45, 31, 25, fixed=True) as film:
        for picture in frames(3, 31, 45):
            film.add(picture)
    assert [frame.shape for frame in read_video(path)[0]] == [(32, 46, 3)] * 3


def test_a_video_is_enlarged_only_as_far_as_players_show_it(tmp_path: Path) -> None:
    assert Film(tmp_path / "x.mp4", 2048, 1152, 25)._times == 2
    assert Film(tmp_path / "x.mp4", 2049, 100, 25)._times == Film(tmp_path / "x.mp4", 2048, 1153, 25)._times == 1


@pytest.mark.parametrize("ending", CODECS)
def test_frames_of_a_video_are_close_to_the_pictures(tmp_path: Path, ending: str) -> None:
    pictures = frames(4, 31, 45)
    found, _ = read_video(written(tmp_path / f"x{ending}", pictures))
    for frame, picture in zip(found, pictures, strict=True):
        assert np.median(abs(frame[::2, ::2].astype(int) - picture)) <= 3


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ending", ANIMATIONS)
def test_an_animation_has_every_frame_in_its_size_and_time(tmp_path: Path, ending: str, size: tuple[int, int]) -> None:
    durations, found = read_animation(written(tmp_path / f"x{ending}", frames(7, *size), rate=25))
    assert durations == [40] * 7
    assert [frame.shape for frame in found] == [(*size, 3)] * 7


@pytest.mark.parametrize("ending", ANIMATIONS)
@pytest.mark.parametrize("luck", range(5))
def test_an_animation_of_few_colours_is_exact(tmp_path: Path, ending: str, luck: int) -> None:
    """For each kind of change between frames: the whole picture, a part of it, or only the colours."""
    rng = np.random.default_rng(luck)
    height, width = rng.integers(4, 40, 2)
    colours = rng.integers(0, 256, (4, 3), np.uint8)
    flat = [np.broadcast_to(colour, (height, width, 3)) for colour in colours]
    mixed = [colours[rng.integers(0, 4, (height, width))] for _ in range(4)]
    half = [np.concatenate([one[: height // 2], two[height // 2 :]]) for one, two in zip(flat, mixed, strict=True)]
    pictures = [*flat, *mixed, *half, *flat]
    _, found = read_animation(written(tmp_path / f"x{ending}", pictures))
    np.testing.assert_array_equal(found, pictures)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("ending", ANIMATIONS)
def test_an_animation_of_a_world_is_close_to_its_frames(tmp_path: Path, ending: str) -> None:
    with Simulation(gpufluid.load("dam_break")) as sim:
        pictures = []
        for _ in range(12):
            sim.step(10)
            pictures.append(sim.frame(1).copy())
    _, found = read_animation(written(tmp_path / f"x{ending}", pictures))
    for frame, picture in zip(found, pictures, strict=True):
        assert abs(frame.astype(int) - picture).max() <= 3


@pytest.mark.parametrize("ending", ANIMATIONS)
def test_an_animation_with_equal_frames_keeps_its_duration(tmp_path: Path, ending: str) -> None:
    first, last = frames(2, 8, 8)
    durations, _ = read_animation(written(tmp_path / f"x{ending}", [first] * 10 + [last], rate=25))
    assert sum(durations) == 440


@pytest.mark.parametrize("ending", ANIMATIONS)
def test_an_animation_repeats(tmp_path: Path, ending: str) -> None:
    written(tmp_path / f"x{ending}", frames(3, 8, 8))
    with Image.open(tmp_path / f"x{ending}") as picture:
        assert picture.info["loop"] == 0


def test_a_file_ending_in_capitals_is_accepted(tmp_path: Path) -> None:
    assert len(read_video(written(tmp_path / "x.MP4", frames(3, 8, 8)))[0]) == 3
    assert len(read_video(written(tmp_path / "x.WebM", frames(3, 8, 8)))[0]) == 3
    assert len(read_animation(written(tmp_path / "x.GIF", frames(3, 8, 8)))[1]) == 3


@pytest.mark.parametrize("name", ["a b.mp4", "-y.mp4", "c d.webm", "100%d.mp4", "ü🌊.gif", "a:b.mp4", "'q\".gif"])
def test_special_characters_in_file_names_are_kept(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(Path(name), frames(2, 8, 8))
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_exception_while_recording_keeps_the_earlier_film(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    path.write_bytes(b"earlier")

    def run() -> None:
        with Film(path, 8, 8, 25) as film:
            film.add(frames(1, 8, 8)[0])
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run()
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("then", [0, 200])
def test_a_killed_encoder_is_one_error_and_leaves_no_file(tmp_path: Path, ending: str, then: int) -> None:
    """The error is raised at one of the next frames, or at the end if there are none."""

    def run() -> None:
        with Film(tmp_path / f"x{ending}", 256, 256, 25) as film:
            film.add(frames(1, 256, 256)[0])
            film._encoder.kill()
            film._encoder.wait()
            for picture in frames(then, 256, 256):
                film.add(picture)

    with pytest.raises(OutputError, match=rf"x\{ending}: could not be written"):
        run()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_full_disk_is_named(tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder writes through a link to /dev/full, a device that has no space left."""

    @contextmanager
    def on_a_full_disk(path: Path) -> Iterator[Path]:
        link = path.with_stem("full")
        link.symlink_to("/dev/full")
        yield link

    monkeypatch.setattr(film_module, "written_whole", on_a_full_disk)
    noise = np.random.default_rng(0).integers(0, 255, (8, 128, 128, 3), np.uint8)
    with pytest.raises(OutputError, match=rf"x\{ending}: could not be written: .*No space left on device"):
        written(tmp_path / f"x{ending}", list(noise))
    assert not (tmp_path / f"x{ending}").exists()


def test_a_film_in_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        written(tmp_path / "gone" / "x.mp4", frames(1, 8, 8))


def test_a_frame_of_another_shape_is_a_value_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"frame of shape \(8, 9, 3\); expected \(8, 8, 3\)"):
        written(tmp_path / "x.mp4", [*frames(1, 8, 8), *frames(1, 8, 9)])
    assert list(tmp_path.iterdir()) == []


def test_a_saved_picture_is_exact(tmp_path: Path) -> None:
    picture = np.random.default_rng(0).integers(0, 255, (31, 45, 3), np.uint8)
    save_picture(picture, tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as found:
        np.testing.assert_array_equal(np.asarray(found), picture)
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]


needs_file_limit = pytest.mark.skipif(
    not hasattr(signal, "SIGXFSZ"),
    reason="this system has no limit on the size of a file, which the test needs",
)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits the encoder's file to 60 kB, about one second of noise, as on a disk that fills up."""
    start = Film._start

    def limited(self: Film, command: list[str]) -> subprocess.Popen[bytes]:
        return start(self, ["sh", "-c", 'ulimit -f 120; exec "$@"', "sh", *command])

    monkeypatch.setattr(Film, "_start", limited)


def noise(count: int) -> Iterator[np.ndarray]:
    rng = np.random.default_rng(0)
    return (rng.integers(0, 256, (48, 64, 3), dtype=np.uint8) for _ in range(count))


@needs_file_limit
@pytest.mark.usefixtures("full_disk")
@pytest.mark.parametrize("ending", [ending for ending in ENDINGS if ending != ".webp"])
def test_a_film_that_keeps_its_part_is_playable_after_an_error(ending: str, tmp_path: Path) -> None:
    path, pictures = tmp_path / f"film{ending}", noise(3000)
    with Film(path, 64, 48, 30, keep_part=True) as film, pytest.raises(OutputError):
        deque(map(film.add, pictures), maxlen=0)
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    played = subprocess.run(command, capture_output=True).stdout
    assert len(played) >= 5 * 48 * 64 * 3


@needs_file_limit
@pytest.mark.usefixtures("full_disk")
def test_a_webp_on_a_full_disk_is_an_error_though_its_part_is_to_be_kept(tmp_path: Path) -> None:
    """A WebP is written when all frames are known, so it has no part."""
    with pytest.raises(OutputError), Film(tmp_path / "film.webp", 64, 48, 30, keep_part=True) as film:
        deque(map(film.add, noise(60)), maxlen=0)
    assert list(tmp_path.iterdir()) == []


@needs_file_limit
def test_an_encoder_that_fails_at_the_end_is_an_error_though_the_part_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A short film waits in the encoder until it ends; then nothing can be written."""
    start = Film._start

    def limited(self: Film, command: list[str]) -> subprocess.Popen[bytes]:
        return start(self, ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *command])

    monkeypatch.setattr(Film, "_start", limited)
    with (
        pytest.raises(OutputError, match=r"film\.mp4: could not be written"),
        Film(tmp_path / "film.mp4", 64, 48, 30, keep_part=True) as film,
    ):
        deque(map(film.add, noise(1)), maxlen=0)
