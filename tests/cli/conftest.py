"""Two ways to run a command: within this process, which is fast, and as a process of its own, as users do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.patience import PATIENCE
from support.processes import default_signals

from gpufluid.cli import main
from gpufluid.core.interrupts import SIGNALS


@dataclass
class Answer:
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Answer]:
    """``call("run", ...)`` runs the command within this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)  # a command has its own
    handlers = {number: signal.getsignal(number) for number in SIGNALS}

    def run(*words: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["gpufluid", *map(str, words)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0
        finally:  # a command ends its process, and lets no signal disturb that
            for number, handler in handlers.items():
                signal.signal(number, handler)
        said = capsys.readouterr()
        return Answer(code, said.out, said.err)

    return run


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """``start("run", ..., env={...})`` starts the command as a process of its own, in an empty folder.

    ``first`` is the text of a program that runs before the command, to change how the command works.
    """

    def begin(
        *words: object,
        env: dict[str, str] | None = None,
        first: str = "",
        preexec_fn: Callable[[], object] = lambda: None,
        **how: object,
    ) -> subprocess.Popen[str]:
        def prepare() -> None:
            default_signals()
            preexec_fn()

        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
        program = ["-c", f"{first}\nfrom gpufluid.cli import main\nmain()"] if first else ["-m", "gpufluid"]
        command = [sys.executable, *program, *map(str, words)]
        own = {"cwd": tmp_path, "env": os.environ | (env or {}), "preexec_fn": prepare}
        return subprocess.Popen(command, text=True, **own, **streams)

    return begin


@pytest.fixture
def process(start) -> Callable[..., Answer]:
    """``start``, and wait for the end of the process."""

    def run(*words: object, **how: object) -> Answer:
        with start(*words, **how) as running:
            out, err = running.communicate(timeout=PATIENCE)
        return Answer(running.returncode, out, err)

    return run


DROP = """
title = "A drop"
size = [24, 16]
rules = ["flow", "atoms"]
seed = 5
ticks = 6
fill = [
    { shape = "rectangle", at = [3, 2], size = [6, 6], material = "water" },
    { shape = "rectangle", at = [14, 2], size = [4, 5], material = "sand" },
]
[[emitter]]
at = [20, 1]
size = [2, 1]
material = "sand"
chance = 0.5
"""
"""Water and sand that fall in 24 by 16 cells for 6 ticks, and an emitter of sand."""


@pytest.fixture
def drop(tmp_path: Path) -> Path:
    """The file of a scene."""
    path = tmp_path / "drop.toml"
    path.write_text(DROP)
    return path
