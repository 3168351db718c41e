"""Observations that stay on the GPU, seen with a driver of CUDA that is a fake: its memory is the host's."""

from __future__ import annotations

import ctypes
import gc

import numpy as np
import pytest

import gpufluid
from gpufluid import Batch
from gpufluid.core import dlpack
from gpufluid.core.dlpack import CPU, CUDA, DeviceTensor
from gpufluid.core.errors import DeviceError, MissingExtraError, UsageError
from gpufluid.core.extras import LIBRARIES
from gpufluid.gpu import cuda
from gpufluid.gpu.device import Device

pytestmark = pytest.mark.usefixtures("device")


class FakeCuda:
    """The functions of CUDA's runtime that are used, with errors and results as tuples; a list of the calls."""

    cudaGLDeviceList = int  # noqa: N815

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[str] = []
        self.here, self.of_opengl, self.fails = 0, [0], ""
        self._buffers, self._mapped = {}, {}
        make = Device.buffer

        def made(device: Device, *given: object, **more: object) -> object:
            found = make(device, *given, **more)
            self._buffers[found.glo] = found
            return found

        monkeypatch.setattr(Device, "buffer", made)
        monkeypatch.setattr(cuda, "_runtime", lambda: self)
        monkeypatch.setattr("gpufluid.runtime.batch_observation.CUDA", CPU)

    def _answer(self, name: str, *found: object) -> tuple[object, ...]:
        self.calls.append(name)
        return _Error(name == self.fails), *found

    def cudaGetDevice(self):  # noqa: N802
        return self._answer("device", self.here)

    def cudaGLGetDevices(self, most: int, kind: int):  # noqa: N802
        assert (most > 0, kind) == (True, 1)
        return self._answer("devices", len(self.of_opengl), self.of_opengl + [0] * (most - len(self.of_opengl)))

    def cudaGraphicsGLRegisterBuffer(self, buffer: int, flags: int):  # noqa: N802
        assert flags == 1
        return self._answer("register", self._buffers[buffer])

    def cudaGraphicsMapResources(self, count: int, resource, stream: int):  # noqa: N802
        assert (count, stream) == (1, 0)
        assert resource.glo not in self._mapped
        self._mapped[resource.glo] = np.frombuffer(resource.read(), np.uint8).copy()
        return self._answer("map")

    def cudaGraphicsResourceGetMappedPointer(self, resource):  # noqa: N802
        memory = self._mapped[resource.glo]
        return self._answer("pointer", memory.ctypes.data, memory.nbytes)

    def cudaGraphicsUnmapResources(self, count: int, resource, stream: int):  # noqa: N802
        assert (count, stream) == (1, 0)
        self._mapped.pop(resource.glo)[...] = 0xEE  # who still uses it reads nonsense
        return self._answer("unmap")

    def cudaGraphicsUnregisterResource(self, resource):  # noqa: N802
        assert resource.glo not in self._mapped
        return self._answer("unregister")

    def cudaStreamSynchronize(self, stream: int):  # noqa: N802
        assert stream == 0
        return self._answer("wait")


class _Error(int):
    name = "cudaErrorUnknown"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    return FakeCuda(monkeypatch)


def pools() -> Batch:
    world = gpufluid.World(8, 12, rules=("flow",))
    world["mass"][4:7, :5] = gpufluid.FULL // 4 * 3
    world["material"][7] = world.materials["wall"]
    return Batch(world, count=3)


FORMS = [("materials", (), 1), ("materials", (), 2), ("planes", ("water", "wall"), 2), ("pixels", (), 1)]


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_what_is_handed_over_is_what_is_read(
    fake: FakeCuda, form: tuple[str, tuple[str, ...], int], library: str
) -> None:
    take_over = pytest.importorskip(library, reason="in no extra; see docs/guides/environments.md").from_dlpack
    with pools() as batch:
        for _ in range(3):
            batch.step(2)
            tensor = batch.observe(*form, as_="dlpack")
            taken = take_over(tensor)
            handed, read = np.asarray(taken), batch.observe(*form)
            assert handed.shape == tensor.shape == read.shape
            if form[0] == "planes":
                assert handed.dtype == np.int32
                np.testing.assert_array_equal((handed * tensor.factors[:, None, None]).astype(np.float32), read)
            else:
                np.testing.assert_array_equal(handed, read)
            del taken, handed
    gc.collect()
    once = ["map", "pointer"]
    assert fake.calls == ["device", "devices", "register", *once, "unmap", *once, "unmap", *once, "unmap", "unregister"]
    assert not dlpack._held


def test_each_form_has_a_buffer_of_its_own(fake: FakeCuda) -> None:
    with pools() as batch:
        first = np.from_dlpack(batch.observe(as_="dlpack"))
        second = np.from_dlpack(batch.observe("pixels", as_="dlpack"))
        np.testing.assert_array_equal(first, batch.observe())
        np.testing.assert_array_equal(second, batch.observe("pixels"))
    assert fake.calls.count("register") == fake.calls.count("unregister") == 2


def test_another_stream_waits_and_the_default_one_does_not() -> None:
    waits = []
    memory = np.arange(6, dtype=np.int32)
    tensor = DeviceTensor(memory.ctypes.data, (2, 3), (3, 1), memory.dtype, (CPU, 0), lambda: waits.append(1))
    for stream, expected in ((None, 0), (1, 0), (-1, 0), (2, 1), (140000, 2)):
        tensor.__dlpack__(stream=stream)
        assert len(waits) == expected
    assert not dlpack._held, "a capsule that nobody takes over holds nothing"
    assert np.from_dlpack(tensor).tolist() == [[0, 1, 2], [3, 4, 5]]
    for wrong in ({"copy": True}, {"dl_device": (CUDA, 1)}):
        with pytest.raises(BufferError, match="handed over as it is, on its own device"):
            tensor.__dlpack__(**wrong)
    assert ctypes.sizeof(dlpack._Tensor) == 64  # DLTensor has 48 bytes, and two pointers follow


def test_two_devices_are_one_sentence(fake: FakeCuda) -> None:
    fake.here, fake.of_opengl = 1, [0]
    with pools() as batch:
        with pytest.raises(
            DeviceError, match=r"\) is device 0 of CUDA; expected device 1, which CUDA uses in this program"
        ):
            batch.observe(as_="dlpack")
        fake.of_opengl = []
        with pytest.raises(DeviceError, match=r"\) is no device of CUDA; expected device 1"):
            batch.observe(as_="dlpack")
        fake.here, fake.of_opengl, fake.fails = 0, [0], "register"
        with pytest.raises(DeviceError, match="CUDA reports cudaErrorUnknown in cudaGraphicsGLRegisterBuffer"):
            batch.observe(as_="dlpack")
        fake.fails = ""
        assert np.from_dlpack(batch.observe(as_="dlpack")).shape == (3, 8, 12)


def test_wrong_calls_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "cuda", {"cuda-bindings": "no_such_module"})
    with pools() as batch:
        with pytest.raises(UsageError, match='as_: \'torch\'; expected "array" or "dlpack"'):
            batch.observe(as_="torch")  # pyright: ignore
        with pytest.raises(MissingExtraError, match=r"needs cuda-bindings: pip install 'gpufluid\[cuda\]'"):
            batch.observe(as_="dlpack")
