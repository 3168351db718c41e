"""Content that the host sends again and again: no write touches a buffer that an earlier dispatch may still read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpufluid import World
from gpufluid.core.errors import DeviceError
from gpufluid.gpu.device import Device
from gpufluid.gpu.growing import SentContent
from gpufluid.gpu.ports import PortBuffer
from gpufluid.matter.ports import Emitter


def test_a_write_leaves_what_the_writes_before_it_have_sent(device: Device) -> None:
    with device:
        sent = SentContent(device, "words")
        buffers = [sent.write(bytes([number]) * 8) for number in range(4)]
        assert [buffer.read(8) for buffer in buffers] == [bytes([number]) * 8 for number in range(4)]
        sent.release()
        assert sent.size == 0


def test_the_device_is_waited_for_before_a_buffer_is_written_again(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[object] = []
    monkeypatch.setattr(device, "finish", lambda: events.append("waited"))
    with device:
        sent = SentContent(device, "words")
        for number in range(10):
            events.append(sent.write(bytes([number]) * 8))
        sent.release()
    first = {}
    for place, event in enumerate(events):
        if event != "waited":
            assert event not in first or "waited" in events[first[event] : place]
            first[event] = place
    assert events.count("waited") == 2


def test_room_is_made_for_all_writes_before_the_first(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    with device:
        sent = SentContent(device, "words")
        sent.reserve(10_000, writes=3)
        monkeypatch.setattr(device, "buffer", lambda *_: pytest.fail("a buffer was made"))
        for _ in range(3):
            sent.write(bytes(10_000))
        sent.release()


def test_more_than_a_shader_can_read_is_refused(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "storage_bytes", 5000)
    with device, pytest.raises(DeviceError, match=r"words take 5\.9 KiB in one buffer; expected at most 4\.9 KiB"):
        SentContent(device, "words").reserve(6000)


def test_emitters_are_replaced_only_once_no_dispatch_reads_them(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The device does not order such a write after the dispatches before it; see `SentContent`."""
    world = World(8, 8, ("flow",), emitters=[Emitter(at=(0, 0), size=(1, 1), material="water", rate=1.0)])
    with device:
        ports = PortBuffer(device, world, ())
        with device:
            before = ports.buffer.read()
        at_the_wait: list[bytes] = []
        monkeypatch.setattr(device, "finish", lambda: at_the_wait.append(ports.buffer.read()))
        world.emitters = (replace(world.emitters[0], rate=0.5),)
        ports.write(world)
        assert at_the_wait == [before]
        assert ports.buffer.read() != before
        ports.release()
