"""`--device` and `GPUFLUID_DEVICE` choose the device of a command; a number that is not there is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import moderngl
import pytest

from gpufluid.core.errors import DeviceError
from gpufluid.gpu import device as device_module
from gpufluid.gpu import egl_devices
from gpufluid.gpu.egl_devices import EglDevice
from gpufluid.run import environment

TWO = [EglDevice(0, "First", 3, opens=True), EglDevice(1, "Second", None, opens=True)]
CLOSED = EglDevice(2, "/dev/dri/card9", None, opens=False)
SERVE = pytest.param(("serve", "dam_break"), marks=pytest.mark.long("of a server, which the extra serve is needed for"))
WORDS = (("run", "dam_break"), ("check", "dam_break"), ("bench", "--scene", "dam_break"), SERVE, ("view", "dam_break"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The index of each context that is requested, on a machine of three devices; no context is made."""
    found: list[object] = []

    def refuse(*_: object, **settings: object) -> None:
        found.append(settings.get("device_index"))
        raise ValueError("no context in this test")

    monkeypatch.setattr(moderngl, "create_context", refuse)
    monkeypatch.setattr(device_module, "_shared", None)
    monkeypatch.setattr(egl_devices, "devices", lambda: [*TWO, CLOSED])
    monkeypatch.setattr(egl_devices, "_chosen", None)
    monkeypatch.delenv(egl_devices.VARIABLE, raising=False)
    return found


@pytest.mark.parametrize("words", WORDS, ids=["run", "check", "bench", "serve", "view"])
def test_a_command_asks_for_the_device_of_its_option(call: Callable, asked: list[object], words: tuple) -> None:
    if words[0] == "view":
        pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")
    assert call(*words, "--device", 1).code == 1
    assert set(asked) == {1}


def test_the_option_has_precedence_over_both_variables(
    call: Callable, asked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLCONTEXT_DEVICE_INDEX", "5")
    call("run", "dam_break")
    assert set(asked) == {None}  # glcontext reads its own variable
    monkeypatch.setenv(egl_devices.VARIABLE, "1")
    asked.clear()
    call("run", "dam_break")
    assert set(asked) == {1}
    asked.clear()
    call("run", "dam_break", "--device", 0)
    assert set(asked) == {0}


def test_the_variable_of_glcontext_is_unset_while_a_chosen_device_is_opened(
    asked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLCONTEXT_DEVICE_INDEX", "5")
    egl_devices.use(1)
    with egl_devices.index_for_glcontext() as index:
        assert index == {"device_index": 1}
        assert "GLCONTEXT_DEVICE_INDEX" not in os.environ
    assert os.environ["GLCONTEXT_DEVICE_INDEX"] == "5"
    assert asked == []


@pytest.mark.parametrize(
    ("number", "reason"),
    [("7", "there is no such device"), ("2", "/dev/dri/card9 does not open")],
    ids=["absent", "closed"],
)
def test_a_device_that_cannot_be_used_is_refused_in_a_sentence(
    call: Callable, asked: list[object], monkeypatch: pytest.MonkeyPatch, number: str, reason: str
) -> None:
    rest = f": {reason}; expected 0 or 1; `gpufluid info` lists them\n"
    answer = call("run", "dam_break", "--device", number)
    assert (answer.code, answer.err) == (2, f"gpufluid: --device {number}{rest}")
    monkeypatch.setenv(egl_devices.VARIABLE, number)
    answer = call("run", "dam_break")
    assert (answer.code, answer.err) == (2, f"gpufluid: {egl_devices.VARIABLE}={number}{rest}")
    assert asked == []


def test_a_variable_that_is_no_number_is_refused(
    call: Callable, asked: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(egl_devices.VARIABLE, "fast")
    answer = call("run", "dam_break")
    assert (answer.code, asked) == (2, [])
    assert answer.err == f"gpufluid: {egl_devices.VARIABLE}: 'fast'; expected the number of a device, such as 0\n"


def test_info_lists_the_devices_and_names_those_that_do_not_open(
    call: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(egl_devices, "devices", lambda: [*TWO, CLOSED])
    monkeypatch.setattr(environment, "shared_device", _no_device)
    lines = [line for line in call("info").out.splitlines() if line.startswith("device ")]
    assert lines == [
        "device     0: First, CUDA device 3",
        "device     1: Second",
        "device     left out, because they do not open: 2 (/dev/dri/card9)",
    ]
    found = json.loads(call("info", "--json").out)["devices"]
    assert found[0] == {"number": 0, "name": "First", "cuda": 3, "opens": True, "software": False}


def _no_device() -> None:
    raise DeviceError("no OpenGL in this test")


def test_egl_lists_a_device_here_and_the_program_runs_on_it() -> None:
    """The device of the tests: EGL must know it, if the tests do not run on another system."""
    found = egl_devices.devices()
    assert found, "EGL lists no device"
    assert [each.number for each in found] == list(range(len(found)))
    assert any(each.opens for each in found)
