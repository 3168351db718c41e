"""Waiting for events with a generous limit, for slow machines."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which a test gives up waiting for an event that takes one second on an idle machine."""


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition is true. Raises AssertionError: it is still false after the limit."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE:g} s in vain: {what}"
        time.sleep(0.02)
