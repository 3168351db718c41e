"""The signals that end a program: SIGINT (Ctrl-C), SIGTERM, and SIGHUP (a closed terminal or a lost connection).

A command lets all of them raise KeyboardInterrupt (`catch_all`), so that each way to end it cleans up. A signal that is
ignored when the program starts stays ignored: SIGHUP under ``nohup``, SIGINT of a job in the background.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_HANG_UP = getattr(signal, "SIGHUP", None)  # not on Windows
SIGNALS = tuple(number for number in (signal.SIGINT, signal.SIGTERM, _HANG_UP) if number is not None)

_SOON = 0.01
"""Seconds after which an interrupt that Python has dropped is raised again: mostly the destructor is over by then."""

_held: list[int] | None = None
"""The signals that arrived during `held_back`; None outside."""


_has_raised = False
"""The state that `has_interrupted` returns."""


def catch_all() -> None:
    """From now on let each of `SIGNALS` raise KeyboardInterrupt in the main thread, except those that are ignored.

    Python drops an exception in a destructor and prints it. A dropped KeyboardInterrupt is raised again a little later.
    """
    global _has_raised
    _has_raised = False
    for number in _caught():
        signal.signal(number, _interrupt)
    sys.unraisablehook = _raise_again


def has_interrupted() -> bool:
    """True if a signal has raised KeyboardInterrupt since `catch_all`; that can be the cause of any later error."""
    return _has_raised


def ignore_all() -> None:
    """Ignore `SIGNALS` from now on, while the program ends: the interpreter would print where it was interrupted."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def held_back() -> Iterator[list[int]]:
    """Defer the signals that raise KeyboardInterrupt; if one arrived, raise KeyboardInterrupt on exit.

    Yields a list of the signals that arrived. A caller with a long loop checks the list after each iteration. Outside
    the main thread, inside another `held_back`, or where other handlers are installed, nothing is deferred.
    """
    global _held, _has_raised
    if _held is not None or not _in_main_thread():
        yield []
        return
    plain = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    noted: list[int] = []
    try:
        _held = noted
        if plain:
            signal.signal(signal.SIGINT, _interrupt)
        yield noted
    finally:
        _held = None
        if plain:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if noted:
        _has_raised = True
        raise KeyboardInterrupt


@contextmanager
def stopped_by_signal() -> Iterator[threading.Event]:
    """Yield an event that the first of `SIGNALS` sets, so that a run ends between two ticks with complete files.

    The next SIGINT or SIGTERM raises KeyboardInterrupt. A hang-up does not count again, because a terminal that closes
    sends several. Outside the main thread Python delivers no signals; there the event stays unset.
    """
    stop = threading.Event()
    if not _in_main_thread():
        yield stop
        return
    caught = _caught()

    def handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        stop.set()
        for each in caught:
            signal.signal(each, signal.SIG_IGN if each == _HANG_UP else _interrupt)

    before = {number: signal.getsignal(number) for number in caught}
    try:
        for number in caught:
            signal.signal(number, handle)
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _caught() -> list[signal.Signals]:
    """The signals that are not ignored and whose handlers can be restored: Python has None for one of a C library."""
    return [number for number in SIGNALS if signal.getsignal(number) not in (signal.SIG_IGN, None)]


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _interrupt(number: int, frame: FrameType | None) -> None:
    if number == _HANG_UP:
        signal.signal(number, signal.SIG_IGN)  # a terminal that closes hangs up several times
    global _has_raised
    if _held is not None:
        _held.append(number)
        return
    _has_raised = True
    while frame is not None:
        if frame.f_code is _raise_again.__code__:  # Python would print what this hook raises, and drop it
            _interrupt_soon()
            return
        frame = frame.f_back
    raise KeyboardInterrupt


def _raise_again(dropped: sys.UnraisableHookArgs) -> None:
    """Raise a dropped KeyboardInterrupt again. Print other dropped exceptions, but no effects of an interrupt.

    Such an effect is, for example, the error of a file that is incomplete.
    """
    if isinstance(dropped.exc_value, KeyboardInterrupt):
        _interrupt_soon()
    elif not _has_raised:
        sys.__unraisablehook__(dropped)


def _interrupt_soon() -> None:
    """Let another thread interrupt the main thread after `_SOON`; does not wait for that thread to start."""
    number = next((each for each in SIGNALS if signal.getsignal(each) is _interrupt), signal.SIGINT)

    def interrupt() -> None:
        time.sleep(_SOON)
        _thread.interrupt_main(number)

    _thread.start_new_thread(interrupt, ())
