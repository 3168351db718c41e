"""`SharedBuffer`: a buffer of OpenGL whose memory CUDA uses without a copy. It needs the extra ``cuda``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import moderngl

from gpufluid.core.errors import DeviceError, MissingExtraError
from gpufluid.core.extras import require
from gpufluid.gpu.device import Device

_PURPOSE = 'observe(as_="dlpack")'

_DEVICES_MOST = 64
"""The most devices of CUDA that are asked for."""

_ALL, _READ_ONLY, _STREAM = 1, 1, 0
"""``cudaGLDeviceListAll``, ``cudaGraphicsRegisterFlagsReadOnly``, and the legacy default stream."""


class SharedBuffer:
    """A buffer that is registered with CUDA once. While it is mapped, OpenGL must not use it.

    The context of the device must be current in all calls.

    Args:
        device: the device that has the buffer.
        buffer: the buffer; `release` leaves it.
    Raises: MissingExtraError: the extra is not installed. DeviceError: CUDA finds no device here, or OpenGL and this
        program's CUDA run on two devices.
    """

    def __init__(self, device: Device, buffer: moderngl.Buffer) -> None:
        self._runtime = _runtime()
        self.number = self._same_device(device)
        """The number of the device in CUDA."""
        self.buffer = buffer
        self._resource = self._call("cudaGraphicsGLRegisterBuffer", buffer.glo, _READ_ONLY)
        self._mapped = False

    def _same_device(self, device: Device) -> int:
        here = int(self._call("cudaGetDevice"))
        kind = getattr(self._runtime, "cudaGLDeviceList", int)
        error, count, numbers = self._runtime.cudaGLGetDevices(_DEVICES_MOST, kind(_ALL))
        found = [] if int(error) else [int(number) for number in list(numbers)[: int(count)]]
        if here not in found:
            there = f"is device {' or '.join(map(str, found))} of CUDA" if found else "is no device of CUDA"
            wanted = f"expected device {here}, which CUDA uses in this program; see GPUFLUID_DEVICE and `gpufluid info`"
            raise DeviceError(f"{_PURPOSE}: OpenGL's device ({device.renderer}) {there}; {wanted}")
        return here

    def map(self) -> int:
        """Let CUDA use the buffer, after all earlier work of OpenGL. Returns its address on the device."""
        self._call("cudaGraphicsMapResources", 1, self._resource, _STREAM)
        self._mapped = True
        pointer, _ = self._call("cudaGraphicsResourceGetMappedPointer", self._resource)
        return int(pointer)

    def unmap(self) -> None:
        """Let OpenGL use the buffer again, after all earlier work of CUDA; nothing if it is not mapped."""
        if self._mapped:
            self._mapped = False
            self._call("cudaGraphicsUnmapResources", 1, self._resource, _STREAM)

    def wait(self) -> None:
        """Wait until OpenGL has written a buffer that is mapped."""
        self._call("cudaStreamSynchronize", _STREAM)

    def release(self) -> None:
        """End what CUDA does with the buffer, which is released by its owner."""
        self.unmap()
        self._call("cudaGraphicsUnregisterResource", self._resource)

    def _call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401  whatever the function returns
        """Call a function of CUDA. Returns its only result, or all of several. Raises DeviceError: it fails."""
        error, *found = getattr(self._runtime, name)(*arguments)
        if int(error):
            raise DeviceError(f"{_PURPOSE}: CUDA reports {getattr(error, 'name', error)} in {name}")
        return found[0] if len(found) == 1 else found


def _runtime() -> Any:  # noqa: ANN401  a module
    """The runtime of CUDA. Raises MissingExtraError: it is not installed."""
    require("cuda", _PURPOSE)
    try:
        return import_module("cuda.bindings.runtime")
    except ImportError:
        raise MissingExtraError(f"{_PURPOSE} needs cuda-bindings: pip install 'gpufluid[cuda]'") from None
