"""The preparation of a world: what is compiled is announced, the window shows it, and input waits meanwhile."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")

import glfw
from imgui_bundle import imgui
from support.desktop import SLOW_COMPILER, Program, is_starting
from support.patience import wait_until

from gpufluid import World
from gpufluid.cli import terminal
from gpufluid.gpu.device import Device
from gpufluid.gpu.preparing import Preparing
from gpufluid.runtime.editing import Workbench
from gpufluid.viewer import panels, starting
from gpufluid.viewer.panels import messages
from gpufluid.viewer.panels.ui_state import UiState
from gpufluid.viewer.starting import ClosedWindow, KeptEvents, StartingPage
from gpufluid.viewer.viewer import Viewer

View = Callable[..., Program]
STEP = Preparing("atoms", 5, 23, runs=False)


def test_a_pass_is_announced_before_its_program_is_made_and_before_it_first_runs(device: Device) -> None:
    heard: list[Preparing] = []
    with device.announcing(heard.append), Workbench(World(8, 8, ("atoms",)), device, any_matter=True) as sim:
        made, in_tick = len(heard), {call.pass_.full_name for call in sim.calls()}
        assert [(step.rule, step.number, step.runs) for step in heard] == [
            ("atoms", number, False) for number in range(1, made + 1)
        ]
        assert {step.count for step in heard} == {made}
        sim.step()
        ran = [step for step in heard[made:] if step.runs]
        assert ran == heard[made:]
        assert [step.number for step in ran] == sorted({step.number for step in ran}), "each once, in order"
        assert len(ran) == len(in_tick)
        assert [step.done for step in heard] == sorted(step.done for step in heard)
        heard.clear()
        sim.step()
        assert heard == []
    assert device.announce is None


def test_the_sentence_says_the_rule_and_how_far_it_is() -> None:
    assert str(STEP) == "Preparing rule atoms, step 5 of 46 (the driver keeps the result)"
    assert str(Preparing("atoms", 5, 23, runs=True)).startswith("Preparing rule atoms, step 28 of 46 ")
    assert Preparing("atoms", 1, 23, runs=False).done == 0
    assert Preparing("atoms", 23, 23, runs=True).done == pytest.approx(1, abs=0.03)


def test_a_first_tick_in_parts_says_which_pass_comes_next(device: Device) -> None:
    with Workbench(World(8, 8, ("atoms",)), device, any_matter=True) as sim:
        assert sim.preparing is None
        seen = []
        while not sim.step_within(1, 0.0):
            assert sim.in_tick
            seen.append(sim.preparing)
        numbers = [step.number for step in seen if step is not None]
        assert numbers == sorted(numbers)
        assert len(set(numbers)) >= 5
        sim.step_within(1, 0.0)
        assert (sim.in_tick, sim.preparing) == (True, None)


def test_counting_waits_for_the_end_of_a_tick_in_progress(device: Device, tmp_path: Path, monkeypatch) -> None:
    """Else the window stands still until a long tick is finished, such as one whose passes are being compiled."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    part_of_tick = Workbench.step_within
    monkeypatch.setattr(Workbench, "step_within", lambda sim, ticks, _: part_of_tick(sim, ticks, 0.0))
    monkeypatch.setattr("gpufluid.viewer.pacing.TICK_BUDGET", 0.0)
    viewer = Viewer(World(8, 8, ("atoms",)), device)
    monkeypatch.setattr(viewer.pacing, "run", lambda sim, *_: sim.step_within(1, 0.0))
    frames = 0
    while not viewer.sim.tick:
        viewer.advance(frames / 2)
        frames += 1
    assert frames > 5
    assert viewer.statistics.ticks_a_second > 0
    viewer.close()


@pytest.mark.usefixtures("imgui_context")
def test_the_panels_show_a_preparation_that_takes_long(device: Device, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    viewer, ui = Viewer(World(8, 8, ("atoms",)), device), UiState(None, None)  # pyright: ignore[reportArgumentType]
    drawn: list[Preparing] = []
    monkeypatch.setattr(messages, "draw_progress", drawn.append)
    step: Preparing | None = STEP
    monkeypatch.setattr(Workbench, "preparing", property(lambda _: step))

    def draw(now: float) -> int:
        drawn.clear()
        ui.now = now
        imgui.new_frame()
        panels.draw(viewer, ui)
        imgui.render()
        return len(drawn)

    assert [draw(now) for now in (10, 10.4, 10.6, 13)] == [0, 0, 1, 1]
    step = None
    assert draw(14) == 0
    step = STEP
    assert [draw(now) for now in (15, 15.4, 15.6)] == [0, 0, 1]
    viewer.close()


class FakeWindow:
    """A window that draws nothing, and in which events arrive when it handles them."""

    framebuffer_size = (800, 500)
    content_scale = 1.0

    def __init__(self) -> None:
        self.shown = 0
        self.arriving: list[Callable[[], object]] = []

    def wait(self, _: float) -> None:
        while self.arriving:
            self.arriving.pop(0)()

    def swap_buffers(self) -> None:
        self.shown += 1


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> tuple[FakeWindow, KeptEvents, StartingPage, list[float]]:
    """A starting page, and its clock."""
    clock = [100.0]
    monkeypatch.setattr(starting.time, "monotonic", lambda: clock[0])
    shown, kept = FakeWindow(), KeptEvents(frozenset)
    renderer = SimpleNamespace(draw_grounds=lambda *_: None, draw_panels=lambda *_: None)
    return shown, kept, StartingPage(shown, renderer, kept), clock  # pyright: ignore[reportArgumentType]


@pytest.mark.usefixtures("imgui_context")
def test_the_page_is_shown_after_half_a_second_and_not_for_every_pass(page) -> None:
    shown, _, announce, clock = page
    assert shown.shown == 1, "the background at once"
    for seconds, frames in ((0.4, 1), (0.2, 2), (0.01, 2), (0.1, 3)):
        clock[0] += seconds
        announce(STEP)
        assert shown.shown == frames


@pytest.mark.usefixtures("imgui_context")
def test_a_request_to_close_ends_the_preparation(page) -> None:
    shown, kept, announce, clock = page
    clock[0] += 1
    announce(STEP)
    shown.arriving.append(kept.close)
    clock[0] += 1
    with pytest.raises(ClosedWindow):
        announce(STEP)


def test_kept_events_are_passed_on_in_order_with_the_keys_held_then() -> None:
    held = frozenset({"shift"})
    kept, heard = KeptEvents(lambda: held), []

    class Listener:
        def held_as(self, held: frozenset[str]) -> nullcontext[None]:
            heard.append(held)
            return nullcontext()

        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *given: heard.append((name, *given))

    kept.key(glfw.KEY_A, 3, glfw.PRESS, 1)
    held = frozenset()
    kept.move(3, 4)
    kept.button(0, True)
    kept.wheel(0, 1)
    kept.letter("a")
    kept.resize(5, 6)
    kept.enter()
    kept.leave()
    kept.focus(True)
    kept.drop(["x"])
    kept.pass_on(Listener())  # pyright: ignore[reportArgumentType]
    assert heard[:4] == [frozenset({"shift"}), ("key", glfw.KEY_A, 3, glfw.PRESS, 1), frozenset(), ("move", 3, 4)]
    assert [each[0] for each in heard if isinstance(each, tuple)] == [
        *("key", "move", "button", "wheel", "letter", "resize", "enter", "leave", "focus", "drop")
    ]


@pytest.mark.parametrize(("is_terminal", "said"), [(True, 1), (False, 0)])
def test_a_run_on_a_terminal_says_once_that_it_prepares_if_that_takes_long(
    device: Device, monkeypatch: pytest.MonkeyPatch, is_terminal: bool, said: int
) -> None:
    heard: list[str] = []
    monkeypatch.setattr(terminal, "remark", heard.append)
    monkeypatch.setattr(terminal.sys, "stderr", SimpleNamespace(isatty=lambda: is_terminal))
    clock = iter([0, 0, 1, 2, 2.5, 3, 4, 5])
    with terminal.preparation_remarked(device, lambda: next(clock)):
        for number in range(1, 7):
            assert device.announce is not None
            device.announce(Preparing("heat", number, 23, runs=False))
    assert heard == ["Preparing rule heat, step 4 of 46 (the driver keeps the result)"] * said


@pytest.mark.long("each test of the window starts the program")
@SLOW_COMPILER
def test_ctrl_c_ends_the_preparation(view: View, marked: Path) -> None:
    program = view(marked)
    wait_until(lambda: is_starting(program), "the starting page")
    program.process.send_signal(signal.SIGINT)
    assert (program.ended(), program.said) == (1, "gpufluid: interrupted\n")


@pytest.mark.long("each test of the window starts the program")
@SLOW_COMPILER
def test_closing_the_window_ends_the_preparation(view: View, marked: Path) -> None:
    program = view(marked)
    wait_until(lambda: is_starting(program), "the starting page")
    program.ask_to_close()
    assert (program.ended(), program.said) == (0, "")
