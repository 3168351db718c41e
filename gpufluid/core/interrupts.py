"""Deferral of Ctrl-C around work that must not stop halfway."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held_back() -> Iterator[list[int]]:
    """Defer SIGINT; raise KeyboardInterrupt on exit if one arrived.

    Yields a list of the signals that arrived. A caller with a long loop checks the list after each iteration. Outside
    the main thread, or where another handler of SIGINT is installed, nothing is deferred.
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
