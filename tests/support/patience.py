"""How long a test waits for what must come, however slow the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which a test gives up on what takes one on an idle machine."""


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Ask for something again and again until it is true. Raises AssertionError: it does not come."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE:g} s in vain: {what}"
        time.sleep(0.02)
