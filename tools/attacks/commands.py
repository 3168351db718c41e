"""Attacks on the command line: signals at any moment, odd outputs, streams that are closed, full or broken."""

from __future__ import annotations

import csv
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import imageio_ffmpeg
from PIL import Image

import gpufluid

SECONDS = 120
"""Seconds after which a command hangs that has got a signal, or is short by itself."""

EARLIER = b"the earlier file"

ENDINGS = (".png", ".npz", ".mp4", ".gif")
PLACES = ("nothing", "a file", "a link to a file", "a link to nothing", "a folder", "a pipe", "a link to a device")
"""The kinds of file that an output's name can have before the command."""

STREAMS = ("taken", "closed", "full", "without a reader")
"""The states of a standard stream. ``taken``: it is read to its end."""

SIGNALS = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL") if (number := getattr(signal, name, None)) is not None
)


@dataclass(frozen=True, slots=True)
class Attack:
    """A command, and what happens to it.

    Args:
        words: the arguments of ``gpufluid``.
        outputs: what is there before it, by the names of its outputs.
        out, err: what becomes of its standard output and standard error; see `STREAMS`.
        number: the signal that it gets; None: none.
        after: seconds to the signal, from the moment at which the command can handle it.
    """

    words: tuple[str, ...]
    outputs: dict[str, str]
    out: str = "taken"
    err: str = "taken"
    number: signal.Signals | None = None
    after: float = 0.0

    def __str__(self) -> str:
        happens = f", {self.number.name} after {self.after:.3f} s" if self.number else ""
        streams = f"standard output {self.out}, standard error {self.err}"
        return f"gpufluid {' '.join(self.words)}{happens}, {streams}, there before: {self.outputs}"


def attack(random: Random) -> Attack:
    """Draw a command and what happens to it."""
    number = random.choice((None, *SIGNALS))
    ticks = random.choice((1, 20, 400)) if number is None else random.choice((20, 400, 10**6))
    words = ["run", "dam_break", "--ticks", str(ticks), "--every", "3"]
    names = {f"{random.choice('abc')}{ending}" for ending in random.sample(ENDINGS, random.choice((0, 1, 1, 2)))}
    for name in sorted(names):
        words += ["--out", name]
    if random.random() < 0.3:
        names.add("stats.csv")
        words += ["--stats", "stats.csv"]
    if random.random() < 0.3:
        words.append("--json")
    outputs = {name: random.choice((*PLACES[:2], *PLACES)) for name in sorted(names)}
    out, err = (random.choice((*STREAMS[:1] * 6, *STREAMS)) for _ in range(2))
    return Attack(tuple(words), outputs, out, err, number, random.uniform(0.0, 4.0) if number else 0.0)


def judge(attack: Attack) -> str | None:
    """Run a command. Returns None, or the first fault.

    A fault is a traceback, an exit code that the command line does not have, an output that is neither the earlier one
    nor complete, or a file that is left behind.
    """
    with tempfile.TemporaryDirectory() as place:
        folder, target = Path(place) / "here", Path(place) / "there"
        folder.mkdir()
        target.mkdir()
        for name, what in attack.outputs.items():
            _prepare(folder / name, target / name, what)
        code, said = _run(attack, folder)
        if "Traceback" in said or "Exception ignored" in said:
            return f"exit {code}: {said}"
        killed = attack.number is signal.SIGKILL and code == -signal.SIGKILL
        if not killed and code not in (0, 1, 2):
            return f"exit {code}: {said}"
        if killed:  # where files cannot be without a name, the next command in the folder removes what is left
            _run(Attack(("run", "dam_break", "--ticks", "1", "--out", "next.png"), {}), folder)
            (folder / "next.png").unlink(missing_ok=True)
        known = set(attack.outputs)
        if strange := sorted(
            path.name for each in (folder, target) for path in each.iterdir() if path.name not in known
        ):
            return f"exit {code}: left behind: {strange}: {said}"
        faults = (_fault(folder / name, target / name, what, code) for name, what in attack.outputs.items())
        fault = next((each for each in faults if each), None)
        return fault and f"{fault}: exit {code}: {said}"


def _prepare(path: Path, target: Path, what: str) -> None:
    """Make what is there before the command, at the name of an output."""
    match what:
        case "a file":
            path.write_bytes(EARLIER)
        case "a link to a file":
            target.write_bytes(EARLIER)
            path.symlink_to(target)
        case "a link to nothing":
            path.symlink_to(target)
        case "a folder":
            path.mkdir()
        case "a pipe":
            os.mkfifo(path)
        case "a link to a device":
            path.symlink_to(os.devnull)


def _run(attack: Attack, folder: Path) -> tuple[int, str]:
    """Run a command in a folder. Returns: its exit code, and what it wrote to standard error, where that was taken."""
    opened: list[int] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        taken = {"out": subprocess.DEVNULL, "err": said.fileno()}
        streams = {name: _stream(getattr(attack, name), taken[name], opened) for name in ("out", "err")}
        shut = [number for number, name in ((1, "out"), (2, "err")) if getattr(attack, name) == "closed"]

        def prepare() -> None:
            for number in SIGNALS:
                if number is not signal.SIGKILL:
                    signal.signal(number, signal.SIG_DFL)  # under nohup SIGHUP is ignored, and stays so
            for number in shut:
                os.close(number)

        running = subprocess.Popen(
            [sys.executable, "-m", "gpufluid", *attack.words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=streams["out"],
            stderr=streams["err"],
            env=os.environ | {"PYTHONPATH": str(Path(gpufluid.__file__).parents[1])},
            preexec_fn=prepare,
        )
        for number in opened:
            os.close(number)
        try:
            if attack.number is not None:
                _wait_for_handlers(running)
                with suppress(subprocess.TimeoutExpired):
                    running.wait(attack.after)
                if running.poll() is None:
                    running.send_signal(attack.number)
            code = running.wait(SECONDS)
        finally:
            running.kill()
            running.wait()
        _wait_for_encoders(folder)
        said.seek(0)
        return code, said.read()[-2000:]


def _stream(what: str, taken: int, opened: list[int]) -> int:
    """The file of a standard stream of a command; those that are to be closed here are added to ``opened``."""
    if what == "full" and Path("/dev/full").exists():
        opened.append(os.open("/dev/full", os.O_WRONLY))
        return opened[-1]
    if what == "without a reader":
        reading, writing = os.pipe()
        os.close(reading)
        opened.append(writing)
        return writing
    return taken


def _wait_for_handlers(running: subprocess.Popen[bytes]) -> None:
    """Wait until a command handles all signals: while Python itself begins, a signal ends it as the system does."""
    status, end = Path(f"/proc/{running.pid}/status"), time.monotonic() + SECONDS
    while running.poll() is None and time.monotonic() < end:
        with suppress(OSError):
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
            caught = int(lines["SigCgt"], 16)
            if all(caught >> (number - 1) & 1 for number in SIGNALS if number != signal.SIGKILL):
                return
        time.sleep(0.01)


def _wait_for_encoders(folder: Path) -> None:
    """Wait until no encoder of a killed command works in the folder any more: each ends when its input does."""
    end = time.monotonic() + 10
    while time.monotonic() < end and any(path.name.startswith(".gpufluid-") for path in folder.iterdir()):
        time.sleep(0.1)


def _fault(path: Path, target: Path, what: str, code: int) -> str | None:
    """The fault of an output after its command."""
    kept: dict[str, Callable[[], bool]] = {
        "a folder": path.is_dir,
        "a pipe": lambda: stat.S_ISFIFO(path.lstat().st_mode),
        "a link to a device": lambda: path.is_symlink() and str(path.readlink()) == os.devnull,
    }
    if what in kept:
        return None if kept[what]() and code != 0 else f"{path.name}, {what}, was replaced or not refused"
    if what.startswith("a link"):
        if not path.is_symlink():
            return f"{path.name}, {what}, is no link any more"
        path = target
    earlier = what in ("a file", "a link to a file")
    if not path.exists():
        return f"{path.name} is gone" if earlier or code == 0 else None
    if earlier and path.read_bytes() == EARLIER:
        return None if code != 0 else f"{path.name} is the earlier one"
    return None if _is_complete(path) else f"{path.name} is not complete"


def _is_complete(path: Path) -> bool:
    """True if an output can be read to its end."""
    try:
        match path.suffix:
            case ".npz":
                gpufluid.load(path).validate()
            case ".mp4":
                return (imageio_ffmpeg.count_frames_and_secs(str(path))[0] or 0) > 0
            case ".csv":
                with path.open(newline="", encoding="utf-8") as file:
                    return len({len(row) for row in csv.reader(file)}) == 1
            case ".json":
                json.loads(path.read_text(encoding="utf-8"))
            case _:
                with Image.open(path, formats=["PNG", "GIF"]) as picture:
                    for number in range(getattr(picture, "n_frames", 1)):
                        picture.seek(number)
                        picture.load()
    except (gpufluid.GpufluidError, OSError, ValueError, RuntimeError, SyntaxError):
        return False
    return True
