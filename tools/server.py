"""``gpufluid serve`` as a process of its own, for the tools that look at its page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def served(scene: str | Path) -> Iterator[str]:
    """Serve a scene or a state, with default settings. Yields the address; it has the token.

    Raises: SystemExit: the server does not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "gpufluid", "serve", str(scene), "--port", "0"]
        settings = os.environ | {"XDG_CONFIG_HOME": folder}
        with subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline())
                if found is None:
                    raise SystemExit("gpufluid serve printed no address")
                yield found[0]
            finally:
                server.terminate()
