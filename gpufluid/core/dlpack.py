"""`DeviceTensor`: memory that another library takes over without a copy, by the DLPack protocol.

Source: DLPack 0.8, the struct ``DLManagedTensor``; the Python array API standard 2023.12, ``__dlpack__``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np

CPU, CUDA = 1, 2
"""Kinds of devices (``DLDeviceType``)."""

_KINDS = {"i": 0, "u": 1, "f": 2}
"""Kinds of numbers (``DLDataTypeCode``), by those of NumPy."""

_NAME = b"dltensor"
"""The name of a capsule that nobody has taken over yet."""

_LEGACY_STREAM = (None, 1)
"""The numbers by which a consumer names CUDA's legacy default stream."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    )  # fmt: skip


class DeviceTensor:
    """Memory of a device as an array, for ``torch.from_dlpack``, ``cupy.from_dlpack`` and the like.

    It belongs to who made it, who says how long it is valid.

    Args:
        address: of the first element on the device.
        shape: the shape of the array.
        strides: elements from one to the next, along each axis.
        dtype: the type of the elements, numbers.
        device: (kind, number) of the device; see `CUDA`.
        wait: called before a consumer uses the memory on another stream than CUDA's legacy default one: waits until the
            memory is written.
        factors: (planes,) float32, by which the planes of an observation are to be multiplied; None: as they are.
    """

    def __init__(
        self,
        address: int,
        shape: Sequence[int],
        strides: Sequence[int],
        dtype: np.dtype,
        device: tuple[int, int],
        wait: Callable[[], object],
        factors: np.ndarray | None = None,
    ) -> None:
        self.shape, self.strides, self.dtype, self.factors = tuple(shape), tuple(strides), np.dtype(dtype), factors
        self._address, self._device, self._wait = address, device, wait

    def __repr__(self) -> str:
        return f"<DeviceTensor {self.shape} {self.dtype}>"

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind and the number of the device."""
        return self._device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """The memory as a capsule, for the consumer's stream.

        Raises: BufferError: a copy, or another device, is asked for.
        """
        if copy or (dl_device is not None and tuple(dl_device) != self._device):
            raise BufferError("this memory is handed over as it is, on its own device")
        if stream not in (*_LEGACY_STREAM, -1):  # -1: the consumer waits by itself
            self._wait()
        axes = ctypes.c_int64 * len(self.shape)
        shape, strides = axes(*self.shape), axes(*self.strides)
        tensor = _Tensor(
            self._address, *self._device, len(self.shape), _KINDS[self.dtype.kind], 8 * self.dtype.itemsize, 1,
            ctypes.addressof(shape), ctypes.addressof(strides), 0, None, ctypes.cast(_delete, ctypes.c_void_p).value,
        )  # fmt: skip
        _held[ctypes.addressof(tensor)] = tensor, shape, strides, self
        return _new_capsule(ctypes.addressof(tensor), _NAME, ctypes.cast(_forget, ctypes.c_void_p))


_held: dict[int, tuple[object, ...]] = {}
"""The objects that must live while a consumer uses a capsule, by the address of the capsule's struct."""


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _delete(address: int) -> None:
    """Called by the consumer when it uses the memory no longer."""
    _held.pop(address, None)


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
def _forget(capsule: int) -> None:
    """Called when a capsule is deleted; if a consumer has taken it over, it has another name."""
    if _is_valid(capsule, _NAME):
        _held.pop(_pointer_of(capsule, _NAME), None)


_api = ctypes.pythonapi
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", _api)
)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
