"""``gpufluid serve`` as a process of its own, as a user starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from support.patience import PATIENCE
from support.processes import default_signals

POND = """
title = "Pond"
size = [64, 48]
rules = ["atoms"]

[[fill]]
shape = "rectangle"
at = [0, 44]
size = [64, 4]
material = "wall"
"""


@dataclass
class Served:
    """A server: its process, and the address that it has printed."""

    process: subprocess.Popen[str]
    address: str

    @property
    def place(self) -> str:
        """Its host and port."""
        return urlsplit(self.address).netloc

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.address).query)["token"][0]

    def live(self, page: str, token: str | None = None) -> str:
        """The address of the WebSocket of a page."""
        return f"ws://{self.place}/live?page={page}&token={self.token if token is None else token}"

    def stop(self) -> tuple[int, str]:
        """End it by Ctrl-C. Returns its exit code, and what it has said on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@contextmanager
def served(folder: Path, *words: object) -> Iterator[Served]:
    """Serve a pond of 64 x 48 cells in a folder, which has its settings too, until the block ends."""
    (folder / "pond.toml").write_text(POND)
    process = subprocess.Popen(
        [sys.executable, "-m", "gpufluid", "serve", "pond.toml", "--port", "0", *map(str, words)],
        cwd=folder,
        env=os.environ | {"XDG_CONFIG_HOME": str(folder / "settings")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=default_signals,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found is not None, (line, process.stderr.read() if process.stderr and process.poll() is not None else "")
        yield Served(process, found[0])
    finally:
        process.terminate()  # it deletes its folder of files, and so leaves nothing behind
        process.communicate(timeout=PATIENCE)
