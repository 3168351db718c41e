"""The devices that EGL offers for headless contexts, asked of EGL itself; and the one that the user has chosen."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gpufluid.core.errors import UsageError

VARIABLE = "GPUFLUID_DEVICE"
"""The environment variable with the number of the device to use, for programs that do not call `use`."""

_GLCONTEXT = "GLCONTEXT_DEVICE_INDEX"
"""The environment variable by which glcontext chooses a device. It has precedence over what its caller asks for."""

_DEVICES_MOST = 64
"""The most devices that are asked for."""

# Names of <EGL/eglext.h>.
_PLATFORM_DEVICE, _EXTENSIONS, _DRM_FILE, _RENDERER, _CUDA_NUMBER = 0x313F, 0x3055, 0x3233, 0x335F, 0x323A

_chosen: int | None = None
"""The number that `use` was called with."""


@dataclass(frozen=True, slots=True)
class EglDevice:
    """A device of EGL.

    Args:
        number: its number, which ``--device`` and `VARIABLE` take.
        name: the name of its renderer, or of its file in ``/dev``, or what else EGL says of it.
        cuda: its number in CUDA; None: it is no device of CUDA.
        opens: False if EGL cannot use it, such as for lack of permission.
        software: True if it is Mesa's software renderer, as far as EGL says.
    """

    number: int
    name: str
    cuda: int | None
    opens: bool
    software: bool = False


def devices() -> list[EglDevice]:
    """The devices of this machine, in the order of their numbers; empty where EGL is absent. Makes no context."""
    try:
        egl = _Egl()
    except (OSError, AttributeError):
        return []
    return [egl.describe(number, handle) for number, handle in enumerate(egl.handles())]


def use(number: int | None, *, checked: bool = True) -> None:
    """Choose the device of the headless context that this process is going to make.

    Args:
        number: as in `devices`; None: that of `VARIABLE`, else the default of EGL, which is number 0.
        checked: False: the caller checks the number later, by another call.
    Raises: UsageError: there is no such device, or it does not open.
    """
    global _chosen
    if number is not None and checked:
        _check(number, f"--device {number}")
    _chosen = number


def chosen() -> int | None:
    """The number of the device that the user has chosen; None: none.

    Raises: UsageError: `VARIABLE` is not the number of a device that opens.
    """
    if _chosen is not None:
        return _chosen
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return None
    if not text.isdecimal():
        raise UsageError(f"{VARIABLE}: {text[:40]!r}; expected the number of a device, such as 0")
    _check(int(text), f"{VARIABLE}={text[:40]}")
    return int(text)


@contextmanager
def index_for_glcontext() -> Iterator[dict[str, int]]:
    """Yield the argument by which `moderngl.create_context` takes the chosen device; empty: none was chosen.

    Until the end of the block the variable of glcontext is unset if a device was chosen, because it has precedence.
    """
    number = chosen()
    if number is None:
        yield {}
        return
    before = os.environ.pop(_GLCONTEXT, None)
    try:
        yield {"device_index": number}
    finally:
        if before is not None:
            os.environ[_GLCONTEXT] = before


def _check(number: int, asked: str) -> None:
    """Raise UsageError unless a device of that number opens; ``asked``: how the user has named it."""
    if sys.platform in ("win32", "darwin"):
        raise UsageError(f"{asked}: a device can be chosen on Linux only, where EGL lists them")
    found = devices()
    opening = [each.number for each in found if each.opens]
    if number in opening:
        return
    there = f"expected {' or '.join(map(str, opening))}" if opening else "EGL finds no device here"
    named = [each for each in found if each.number == number]
    reason = f"{named[0].name} does not open" if named else "there is no such device"
    raise UsageError(f"{asked}: {reason}; {there}; `gpufluid info` lists them")


class _Egl:
    """The functions of EGL that list devices. Raises OSError or AttributeError: EGL or a function is missing."""

    def __init__(self) -> None:
        library = ctypes.CDLL("libEGL.so.1")
        self._address = library.eglGetProcAddress
        self._address.restype, self._address.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
        pointer, number = ctypes.c_void_p, ctypes.c_int32
        self._query = self._function("eglQueryDevicesEXT", ctypes.c_uint, number, pointer, pointer)
        self._string = self._function("eglQueryDeviceStringEXT", ctypes.c_char_p, pointer, number)
        self._attribute = self._function("eglQueryDeviceAttribEXT", ctypes.c_uint, pointer, number, pointer)
        self._display = self._function("eglGetPlatformDisplayEXT", pointer, ctypes.c_uint, pointer, pointer)
        self._initialize = library.eglInitialize
        self._initialize.restype, self._initialize.argtypes = ctypes.c_uint, [pointer] * 3

    def _function(self, name: str, returned: type, *kinds: type) -> Callable:
        address = self._address(name.encode())
        if not address:
            raise AttributeError(name)
        return ctypes.CFUNCTYPE(returned, *kinds)(address)

    def handles(self) -> list[int]:
        """The handles of all devices, in EGL's order."""
        found, count = (ctypes.c_void_p * _DEVICES_MOST)(), ctypes.c_int32()
        if not self._query(_DEVICES_MOST, ctypes.addressof(found), ctypes.addressof(count)):
            return []
        return [handle or 0 for handle in found[: count.value]]

    def describe(self, number: int, handle: int) -> EglDevice:
        """The device with a number and a handle."""
        extensions = self._text(handle, _EXTENSIONS).split()
        known = {"EGL_EXT_device_query_name": _RENDERER, "EGL_EXT_device_drm": _DRM_FILE}
        names = [self._text(handle, name) for extension, name in known.items() if extension in extensions]
        software = "EGL_MESA_device_software" in extensions
        if software:
            names.append("Mesa's software renderer")
        cuda = ctypes.c_ssize_t()
        is_cuda = "EGL_NV_device_cuda" in extensions and self._attribute(handle, _CUDA_NUMBER, ctypes.addressof(cuda))
        display = self._display(_PLATFORM_DEVICE, handle, None)
        opens = bool(display and self._initialize(display, None, None))
        name = next(filter(None, names), "a device without a name")
        return EglDevice(number, name, cuda.value if is_cuda else None, opens, software)

    def _text(self, handle: int, name: int) -> str:
        return (self._string(handle, name) or b"").decode(errors="replace")
