"""Ctrl-C, SIGTERM and SIGHUP at every moment of a command: one remark, exit 1, complete files or none."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import subprocess
import termios
from pathlib import Path

import imageio_ffmpeg
import pytest
from support.patience import PATIENCE, wait_until
from support.processes import is_filming, pseudo_terminal
from support.selection import mostly_long

from gpufluid.io import snapshots

INT, TERM, HUP = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
ENDLESS = ("run", "dam_break", "--ticks", 10**9, "--every", 5)
OUTPUTS = ("--out", "x.mp4", "--out", "x.npz", "--out", "x.png")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def wait_for_film(running: subprocess.Popen[str], folder: Path) -> None:
    """Wait until the film of a command has begun: from then on a signal ends the run between two ticks."""

    def is_there() -> bool:
        assert running.poll() is None, running.stderr and running.stderr.read()
        return is_filming(running.pid, folder)

    wait_until(is_there, "a film")


@pytest.mark.parametrize("number", mostly_long([INT, TERM, HUP], INT, TERM, why="another signal"))
def test_an_interrupted_run_leaves_complete_files(start, tmp_path: Path, number: signal.Signals) -> None:
    """The film, the picture and the snapshot hold the run up to the last tick; a remark, and exit 1."""
    with start(*ENDLESS, *OUTPUTS) as running:
        wait_for_film(running, tmp_path)
        running.send_signal(number)
        out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 1
    tick = int(re.fullmatch(r"gpufluid: interrupted at tick (\d+); .*\n", err)[1])
    assert f"at tick {tick}\n" in out
    assert snapshots.load(tmp_path / "x.npz").tick == tick
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "x.mp4"))
    assert frames >= 1 + tick // 5
    assert names(tmp_path) == ["x.mp4", "x.npz", "x.png"]


def test_a_terminal_that_closes_leaves_complete_files(start, tmp_path: Path) -> None:
    """The system sends SIGHUP, and nothing can be written to the terminal any more, neither progress nor result."""
    ours, theirs = pseudo_terminal()

    def own_terminal() -> None:
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs, "env": {"TERM": "xterm-256color"}}
    with start(*ENDLESS, *OUTPUTS, start_new_session=True, preexec_fn=own_terminal, **streams) as running:
        os.close(theirs)
        wait_for_film(running, tmp_path)
        os.read(ours, 1)  # the progress bar is drawn
        os.close(ours)
        assert running.wait(PATIENCE) == 1
    tick = snapshots.load(tmp_path / "x.npz").tick
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "x.mp4"))
    assert frames >= 1 + tick // 5
    assert names(tmp_path) == ["x.mp4", "x.npz", "x.png"]


@pytest.mark.parametrize("number", mostly_long([HUP, INT], HUP, why="another signal"))
def test_a_signal_that_is_ignored_at_the_start_stays_ignored(process, tmp_path: Path, number: signal.Signals) -> None:
    """SIGHUP under nohup, and SIGINT of a job in the background."""

    def ignore() -> None:
        signal.signal(number, signal.SIG_IGN)

    first = AT.format(place="gpufluid.render.film:Film.add", numbers=[int(number)])
    answer = process("run", "dam_break", "--ticks", 20, "--out", "x.mp4", first=first, preexec_fn=ignore)
    assert (answer.code, answer.err) == (0, "")
    assert "20 ticks" in answer.out
    assert imageio_ffmpeg.count_frames_and_secs(str(tmp_path / "x.mp4"))[0] == 21


def test_the_next_signal_abandons_the_files(start, tmp_path: Path) -> None:
    """The first one ends the run, the second one the writing of the film."""
    first = """
import os, signal
from gpufluid.render.film import Film
close = Film._close
def interrupted(self, *, abandon):
    if not abandon:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass
    return close(self, abandon=abandon)
Film._close = interrupted
"""
    with start(*ENDLESS, "--out", "x.mp4", first=first) as running:
        wait_for_film(running, tmp_path)
        running.send_signal(TERM)
        _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (1, "gpufluid: interrupted\n")
    assert names(tmp_path) == []


AT = """
import os, signal, sys
from importlib import import_module

def interrupt():
    for number in {numbers}:
        os.kill(os.getpid(), number)
        for _ in range(1000):  # Python handles a signal between two of its instructions
            pass

class Importing:
    def find_spec(self, name, path=None, target=None):
        if name == {place!r} and self in sys.meta_path:
            sys.meta_path.remove(self)
            interrupt()

sys.meta_path.insert(0, Importing())
if ":" in {place!r}:
    module, _, name = {place!r}.partition(":")
    *owner, name = name.split(".")
    owner = getattr(import_module(module), owner[0]) if owner else import_module(module)
    right = getattr(owner, name)
    def interrupted(*given, **more):
        interrupt()
        return right(*given, **more)
    setattr(owner, name, interrupted)
"""
"""Interrupt a command when a module is imported for the first time, or a function is called."""

PLACES = {
    "first import": ("numpy", "interrupted"),
    "later import": ("imageio_ffmpeg", "interrupted"),
    "command line": ("gpufluid.cli.options:settings_of", "interrupted"),
    "loading": ("gpufluid.scene.building:SceneBuilder.world", "interrupted"),
    "making a context": ("moderngl:create_context", "interrupted"),
    "compiling": ("gpufluid.gpu.shader:expand", "interrupted"),
    "inside the compiler": ("moderngl:Context.compute_shader", "interrupted"),
    "running": ("gpufluid.runtime.simulation:Simulation.step", "interrupted at tick"),
    "writing": ("gpufluid.io.snapshots:write", "interrupted at tick"),
    "the answer": ("gpufluid.run.reporting:text", "interrupted"),
    "printing": ("gpufluid.cli.terminal:answer", "interrupted"),
}


WHY = "another signal, or another moment, of one handler"
SHORT = [("inside the compiler", INT), ("running", TERM)]
MOMENTS = dict.fromkeys([*SHORT, *((place, (INT, TERM, HUP)[n % 3]) for n, place in enumerate(PLACES))])


@pytest.mark.parametrize("case", mostly_long(MOMENTS, *SHORT, why=WHY), ids=str)
def test_a_signal_at_any_moment_is_one_remark(process, tmp_path: Path, case: tuple[str, signal.Signals]) -> None:
    place, number = case
    where, said = PLACES[place]
    words = ("run", "dam_break", "--ticks", 20, "--set", "flow.substeps=2", "--out", "x.npz", "--out", "x.mp4")
    answer = process(*words, first=AT.format(place=where, numbers=[int(number)]))
    assert answer.code == 1
    assert answer.err.startswith(f"gpufluid: {said}")
    assert answer.err.count("\n") == 1
    whole = said == "interrupted at tick" or place in ("the answer", "printing")
    assert names(tmp_path) == (["x.mp4", "x.npz"] if whole else [])


def test_two_signals_while_a_file_is_written_leave_no_part_of_it(process, tmp_path: Path) -> None:
    """The second one interrupts zipfile, which complains of a member that is not closed."""
    words = ("run", "dam_break", "--ticks", 20, "--out", "x.npz")
    answer = process(*words, first=AT.format(place="zipfile:_ZipWriteFile.write", numbers=[int(TERM), int(INT)]))
    assert (answer.code, answer.err) == (1, "gpufluid: interrupted\n")
    assert names(tmp_path) == []


def test_a_signal_during_the_import_of_the_panels_does_not_abort_the_process(process) -> None:
    """imgui-bundle aborts if one of its many enumerations cannot be made."""
    pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")
    first = """
import enum, os, signal, sys
make = enum.EnumType.__call__
def interrupted(kind, *given, **more):
    if "imgui_bundle" in sys.modules:
        enum.EnumType.__call__ = make
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):
            pass
    return make(kind, *given, **more)
enum.EnumType.__call__ = interrupted
"""
    answer = process("view", "dam_break", first=first)
    assert (answer.code, answer.err) == (1, "gpufluid: interrupted\n")
