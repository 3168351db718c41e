"""``render_mode="human"``: an environment that is played in a window."""

from __future__ import annotations

import time

import numpy as np
import pytest
from support.desktop import PATIENCE, Desktop

from gpufluid.core.errors import DeviceError

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")


@pytest.mark.long("a process with a window of its own")
def test_a_window_shows_each_step_until_it_is_closed(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpufluid.envs.showing import PlayWindow

    for name, value in desktop.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    window = PlayWindow("Played")
    for colour in ((200, 40, 40), (30, 160, 60)):
        frame = np.empty((64, 96, 3), np.uint8)
        frame[...] = colour
        ends = time.monotonic() + PATIENCE
        while (abs(desktop.picture()[60, 60].astype(int) - colour) > 2).any():
            window.show(frame)
            assert time.monotonic() < ends, "the picture is not shown"
    desktop.ask_to_close(desktop.do("search", "--name", "Played").split()[0])
    while desktop.do("search", "--name", "Played"):
        assert time.monotonic() < ends, "the window does not close"
    for _ in range(3):
        window.show(frame)  # shows nothing more, and is no error
    assert not desktop.do("search", "--name", "Played")
    window.close()
    window.close()


def test_without_a_screen_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpufluid.envs.showing import PlayWindow

    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    window = PlayWindow("Played")
    with pytest.raises(DeviceError, match=r"^render_mode='human': there is no screen to open a window on"):
        window.show(np.zeros((4, 4, 3), np.uint8))
    window.close()
