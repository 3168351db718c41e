"""Ctrl-C, held back where half of something must not be left."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[list[int]]:
    """While it lasts Ctrl-C is only noted, in the list that this gives; at its end it is raised.

    Whoever does many things looks at the list after each. Only where Ctrl-C would raise KeyboardInterrupt: in the main
    thread, and not where somebody else handles it.
    """
    noted: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield noted
        return
    signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if noted:
        raise KeyboardInterrupt
