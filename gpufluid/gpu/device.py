"""`Device`: an OpenGL context with its limits, its compiled programs and its memory."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self
from weakref import WeakKeyDictionary

import moderngl

from gpufluid.core.errors import DeviceError, WorldError
from gpufluid.core.memory import in_units, machine_memory
from gpufluid.gpu.bindings import Bindings
from gpufluid.gpu.memory import Allocations, graphics_memory
from gpufluid.gpu.stopwatch import Stopwatch

VERSION_NEEDED = 430
"""OpenGL 4.3, the first version with compute shaders. Software GL has 4.5: no later feature may be used."""

SIDE_GUARANTEED = 1 << 14
"""Texels a side that OpenGL 4.3 guarantees for textures. A smaller world is accepted without asking a device."""

GROUPS_LIMIT = 65_535
"""Largest number of groups on one axis of a dispatch. OpenGL runs nothing beyond it and reports no error."""

_SMALL = 4096
"""Largest buffer, in bytes, that is made without a check of the free memory."""

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software rasterizer")


class Device:
    """An OpenGL context with compute shaders.

    As a context manager, a device makes its context current; so several devices can be used in one thread. The context
    stays current afterwards, because contexts may be entered one within another.

    Args:
        context: a moderngl context of at least OpenGL 4.3. The caller releases it.
    Raises: DeviceError: the context is older than OpenGL 4.3.
    """

    def __init__(self, context: moderngl.Context) -> None:
        if context.version_code < VERSION_NEEDED:
            raise DeviceError(_too_old(context.version_code))
        self.context = context
        self.programs: dict[str, moderngl.ComputeShader] = {}
        self.bindings = Bindings()
        self.stopwatch: Stopwatch | None = None  # see `timed`
        self.allocations = Allocations()  # of the current simulation; each simulation sets its own
        self.renderer = str(context.info["GL_RENDERER"])
        self.version = str(context.info["GL_VERSION"])
        self.max_side = int(context.info["GL_MAX_TEXTURE_SIZE"])

    def __enter__(self) -> Self:
        self.context.__enter__()
        self.bindings.forget()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the context current."""

    def finish(self) -> None:
        """Wait until the device has done all its work."""
        self.context.finish()

    @contextmanager
    def timed(self) -> Iterator[Stopwatch]:
        """Add up the time that dispatches take in the driver, while the context manager is active."""
        self.stopwatch = Stopwatch()
        try:
            yield self.stopwatch
        finally:
            self.stopwatch = None

    def barrier(self) -> None:
        """Make all shader writes visible to every later operation, of any kind."""
        self.context.memory_barrier()

    @property
    def software(self) -> bool:
        """True if OpenGL runs on the CPU: then wide strips are fast, and shared memory is slow."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)

    @property
    def group_size(self) -> tuple[int, int]:
        """Invocations in a group, (x, y): as many as run in lockstep, in a row so that their loads are adjacent."""
        return (8, 1) if self.software else (32, 2)

    def strip_shape(self, height: int) -> tuple[int, int]:
        """The strip that one invocation of a gather owns, (columns, rows) of cells. The state does not depend on it.

        Measured on software GL (docs/performance.md): in wide and tall strips fewer outflows are computed twice, and a
        row of 16 cells is one line of a processor's cache. In a low world strips of 128 rows would be too few for all
        threads. On a GPU neighbouring invocations should own neighbouring columns.

        Args:
            height: of the world, in cells.
        """
        if not self.software:
            return 1, 16
        return 16, 128 if height >= 2048 else 32

    def buffer(self, size: int | None = None, data: bytes | None = None) -> moderngl.Buffer:
        """Make a buffer, and count it among the current allocations.

        Args:
            size: in bytes; not needed with ``data``.
            data: the buffer's first content; None: undefined.
        Raises: DeviceError: there is too little memory.
        """
        size = len(data) if data is not None else size or 0
        if size > _SMALL:
            self.check_room(size)
        made = self.context.buffer(data) if data is not None else self.context.buffer(reserve=size)
        self.allocations.add(made, size)
        return made

    @property
    def free_memory(self) -> int | None:
        """Bytes that are free for textures, as the system or the driver reports; None: neither reports it."""
        with self:
            return machine_memory() if self.software else graphics_memory(self.context)

    def check_room(self, size: int) -> None:
        """Raise DeviceError if fewer bytes than ``size`` are free; the message says both numbers."""
        free = self.free_memory
        if free is not None and size > free:
            held = f" beside {in_units(held)} that it has" if (held := self.allocations.held) else ""
            there = f"{in_units(free)} are free ({self.renderer})"
            raise DeviceError(f"too little memory: a world asks for {in_units(size)}{held}, {there}")

    def take_error(self) -> str | None:
        """OpenGL's name of the error since the last call; None: no error."""
        error = self.context.error
        return None if error == "GL_NO_ERROR" else error

    def check_memory(self) -> None:
        """Raise DeviceError if OpenGL has recorded an error; OpenGL reports errors only on request."""
        if error := self.take_error():
            free = self.free_memory
            room = "the free memory is not known" if free is None else f"{in_units(free)} are free"
            asked = f"{in_units(self.allocations.held)} were asked for, {room}"
            raise DeviceError(f"{self.renderer} could not hold the world ({error}): {asked}")

    def check_side(self, width: int, height: int, layers: int = 1) -> None:
        """Refuse a texture that is too large for the device; OpenGL itself would not raise.

        Args:
            width, height: in texels.
            layers: number of layers, each of that height, one below the other.
        Raises: WorldError: a side over the device's limit; it names the field ``size``.
        """
        if max(width, height * layers) > self.max_side:
            stacked = f", in {layers} layers one below the other," if layers > 1 else ""
            limit = f"this device's limit of {self.max_side} a side ({self.renderer})"
            raise WorldError("size", f"{width} by {height}{stacked} is over {limit}")


_shared = threading.local()
_made_in = 0
"""Id of the process that made the first shared device, 0 before; OpenGL does not survive a fork."""


def device_of(context: moderngl.Context) -> Device:
    """The device of a caller's context. One context always has the same device, so programs are compiled once."""
    if context not in _devices:
        _devices[context] = Device(context)
    return _devices[context]


_devices: WeakKeyDictionary[moderngl.Context, Device] = WeakKeyDictionary()


def shared_device() -> Device:
    """The headless device of this thread, made at the first call.

    All simulations of a thread share it, so the current context need not change between them.

    Raises: DeviceError: no OpenGL here, or no compute shaders; the message says what to install.
    """
    global _made_in
    if _made_in not in (0, os.getpid()):
        raise DeviceError("OpenGL does not survive a fork: start worker processes with the method 'spawn'")
    if not hasattr(_shared, "device"):
        _shared.device = Device(_headless_context())
        _made_in = os.getpid()
    return _shared.device


def _headless_context() -> moderngl.Context:
    if sys.platform == "darwin":
        raise DeviceError("macOS has no OpenGL compute shaders (it stops at 4.1); run gpufluid on Linux or Windows")
    backend = {} if sys.platform == "win32" else {"backend": "egl"}
    try:
        return moderngl.create_context(standalone=True, require=VERSION_NEEDED, **backend)  # pyright: ignore[reportArgumentType]
    except Exception as error:  # moderngl and glcontext raise bare Exception
        found = _version_found(backend)
        raise DeviceError(
            _too_old(found) if found and found < VERSION_NEEDED else f"no OpenGL here ({error}); {_remedy()}"
        ) from None


def _version_found(backend: dict[str, str]) -> int | None:
    try:
        context = moderngl.create_context(standalone=True, require=330, **backend)  # pyright: ignore[reportArgumentType]
    except Exception:  # there is no OpenGL at all, which the caller reports
        return None
    version = context.version_code
    context.release()
    return version


def _too_old(version: int) -> str:
    return f"OpenGL {version // 100}.{version // 10 % 10} is too old: compute shaders need 4.3; {_remedy()}"


def _remedy() -> str:
    if sys.platform == "win32":
        return "install the graphics vendor's driver (remote desktop offers none)"
    as_root = "" if hasattr(os, "geteuid") and os.geteuid() == 0 else "sudo "
    return f"install a driver or Mesa's software one: {as_root}apt-get install libegl1 libgl1 libgl1-mesa-dri"
