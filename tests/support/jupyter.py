"""Real servers of Jupyter and marimo, and their pages in a headless Chromium."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.chromium import headless_chromium

ROOT = Path(__file__).parents[2]

TOKEN = "of-this-test"
_SECONDS = 120
"""Most time to wait for a server or a page; a busy machine is slow."""


@contextmanager
def page_in_chromium(width: int = 1100, height: int = 900) -> Iterator[Any]:
    """A page of a headless Chromium; skips the test as `headless_chromium`."""
    with headless_chromium() as (_, browser):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(1000 * _SECONDS)
        yield page


@contextmanager
def jupyter(folder: Path) -> Iterator[str]:
    """A Jupyter server for the notebooks of a folder. Yields its address, without a slash at the end."""
    pytest.importorskip("jupyterlab", reason="of the extra dev-all")
    homes = {name: str(folder / ".home") for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    homes |= {"JUPYTER_DATA_DIR": str(folder / ".home"), "IPYTHONDIR": str(folder / ".home")}
    words = [
        "lab",
        "--no-browser",
        "--allow-root",
        f"--IdentityProvider.token={TOKEN}",
        "--port=0",
        f"--ServerApp.root_dir={folder}",
    ]
    log = folder / "jupyter.log"
    with log.open("w") as said:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter", *words],
            env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
            cwd=folder,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        try:
            yield _address(server, folder / ".home", log)
        finally:
            server.terminate()
            server.wait(30)


@contextmanager
def marimo(notebook: Path) -> Iterator[str]:
    """A marimo server that runs a notebook for each page. Yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["run", str(notebook), "--headless", "--no-token", "--host", "127.0.0.1", "--port", str(port)]
    here = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    homes = {"HOME": str(notebook.parent), "XDG_CONFIG_HOME": str(notebook.parent), "PYTHONPATH": here}
    log, address = notebook.with_suffix(".log"), f"http://127.0.0.1:{port}"
    with log.open("w") as said:
        server = subprocess.Popen(
            [sys.executable, "-m", "marimo", *words],
            env=os.environ | homes,
            cwd=notebook.parent,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        try:
            until = time.monotonic() + _SECONDS
            while time.monotonic() < until and server.poll() is None:
                try:
                    urllib.request.urlopen(f"{address}/health", timeout=10).close()
                except OSError:  # not listening yet
                    time.sleep(0.2)
                    continue
                yield address
                return
            raise AssertionError(f"no marimo server: {log.read_text()[-2000:]}")
        finally:
            server.terminate()
            server.wait(30)


def _address(server: subprocess.Popen[bytes], runtime: Path, log: Path) -> str:
    """Wait until the server answers; the server notes its port in a file."""
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until and server.poll() is None:
        for file in runtime.glob("jpserver-*.json"):
            try:
                address = json.loads(file.read_text())["url"].rstrip("/")
                urllib.request.urlopen(f"{address}/api/status?token={TOKEN}", timeout=10).close()
            except (OSError, ValueError):  # not written to the end, or not listening yet
                continue
            return address
        time.sleep(0.2)
    raise AssertionError(f"no Jupyter server: {log.read_text()[-2000:]}")
