"""The signals that end a program: what defers them, what counts them, and what they raise."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from gpufluid.core.interrupts import SIGNALS, catch_all, has_interrupted, held_back, ignore_all, stopped_by_signal

INT, TERM = signal.SIGINT, signal.SIGTERM
HUP = getattr(signal, "SIGHUP", None)
pytestmark = pytest.mark.skipif(HUP is None, reason="this system has no hang-up")


@pytest.fixture(autouse=True)
def _handlers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In each test no signal is ignored, as some are under nohup; after it all handlers are as before."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        signal.signal(number, signal.default_int_handler if number == INT else signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def raise_all(*numbers: signal.Signals) -> None:
    for number in numbers:
        signal.raise_signal(number)


@pytest.mark.parametrize("number", [INT, TERM, HUP])
def test_a_command_gets_keyboard_interrupt_from_each_signal(number: signal.Signals) -> None:
    catch_all()
    assert not has_interrupted()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert has_interrupted()


def test_an_ignored_signal_stays_ignored() -> None:
    """As SIGHUP is under nohup, and SIGINT in the background."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    catch_all()
    with stopped_by_signal() as stop:
        raise_all(*SIGNALS)
        assert not stop.is_set()
    assert all(signal.getsignal(number) is signal.SIG_IGN for number in SIGNALS)


def test_a_terminal_that_hangs_up_several_times_interrupts_once() -> None:
    catch_all()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(HUP)
    raise_all(HUP, HUP)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(TERM)


@pytest.mark.parametrize("number", [INT, TERM, HUP])
def test_a_deferred_signal_is_raised_at_the_end(number: signal.Signals) -> None:
    catch_all()
    done = []

    def work() -> None:
        with held_back() as noted:
            assert noted == []
            signal.raise_signal(number)
            assert noted == [number]
            with held_back() as inner:
                assert inner == []
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all"]
    with held_back() as noted:
        assert noted == []


def test_a_library_defers_ctrl_c_only_where_the_handler_is_python_s_own() -> None:
    """A program with handlers of its own, and one that dies by SIGTERM, are not changed."""
    assert signal.getsignal(TERM) is signal.SIG_DFL

    def work() -> None:
        with held_back() as noted:
            signal.raise_signal(INT)
            assert noted == [INT]
            assert signal.getsignal(TERM) is signal.SIG_DFL

    with pytest.raises(KeyboardInterrupt):
        work()
    assert signal.getsignal(INT) is signal.default_int_handler
    seen = []
    signal.signal(INT, lambda number, _: seen.append(number))
    with held_back() as noted:
        signal.raise_signal(INT)
    assert (noted, seen) == ([], [INT])


def test_the_first_signal_stops_a_run_and_the_second_interrupts_it() -> None:
    for first in SIGNALS:
        for second in (INT, TERM):
            with stopped_by_signal() as stop:
                assert not stop.is_set()
                signal.raise_signal(first)
                assert stop.is_set()
                with pytest.raises(KeyboardInterrupt):
                    signal.raise_signal(second)
        with stopped_by_signal() as stop:
            raise_all(first, HUP, HUP)
            assert stop.is_set()
    assert [signal.getsignal(number) for number in SIGNALS] == [
        signal.default_int_handler, signal.SIG_DFL, signal.SIG_DFL,
    ]  # fmt: skip


def test_in_another_thread_nothing_is_deferred_and_no_handler_changes() -> None:
    found = []

    def work() -> None:
        with held_back() as noted, stopped_by_signal() as stop:
            found.append((noted, stop.is_set(), [signal.getsignal(number) for number in SIGNALS]))

    before = [signal.getsignal(number) for number in SIGNALS]
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [([], False, before)]


class Interrupting:
    """An object whose destructor is interrupted; Python drops what a destructor raises."""

    def __del__(self) -> None:
        signal.raise_signal(TERM)


def test_an_interrupt_that_python_drops_is_raised_again(capsys: pytest.CaptureFixture[str]) -> None:
    catch_all()
    end = time.monotonic() + 60

    def work() -> None:
        Interrupting()
        while time.monotonic() < end:
            time.sleep(0.001)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert capsys.readouterr().err == ""


def test_an_interrupt_while_python_drops_another_is_raised_later(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a slow machine, where the time is over before the hook has returned."""
    start, early = _thread.start_new_thread, [TERM, TERM]

    def start_late(*words: Any) -> int:
        if early:
            signal.raise_signal(early.pop())
            return 0
        return start(*words)

    monkeypatch.setattr(_thread, "start_new_thread", start_late)
    test_an_interrupt_that_python_drops_is_raised_again(capsys)
    assert not early


def test_errors_that_python_drops_after_an_interrupt_are_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    class Failing:
        def __del__(self) -> None:
            raise ValueError("a file was cut short")

    catch_all()
    Failing()
    assert "ValueError: a file was cut short" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(TERM)
    Failing()
    assert capsys.readouterr().err == ""


def test_a_program_that_ends_is_not_interrupted() -> None:
    catch_all()
    ignore_all()
    raise_all(*SIGNALS)
