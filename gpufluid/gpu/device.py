"""One OpenGL context, what it can do, and the programs compiled in it."""

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
from gpufluid.gpu.bindings import Bindings
from gpufluid.gpu.memory import Account, graphics_memory, in_units, machine_memory
from gpufluid.gpu.stopwatch import Stopwatch

VERSION_NEEDED = 430
"""OpenGL 4.3: the first with compute shaders. Software GL has 4.5, so nothing later may be asked for."""

SIDE_GUARANTEED = 1 << 14
"""Texels: OpenGL 4.3 promises textures of such a side, so a smaller world needs no device to be judged by."""

GROUPS_LIMIT = 65_535
"""Groups an axis in one dispatch; past it OpenGL runs nothing and says nothing."""

_SMALL = 4096
"""Bytes of a buffer for which it is not worth asking how much memory is free."""

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software rasterizer")


class Device:
    """An OpenGL context with compute shaders.

    Used as a context manager it makes its context current, so that several can live in one thread. Afterwards it stays
    current: contexts may be entered one within another, and a caller's own is never taken away from its caller.

    Args:
        context: a moderngl context of at least OpenGL 4.3. It stays the caller's to release.
    Raises: DeviceError: it is older.
    """

    def __init__(self, context: moderngl.Context) -> None:
        if context.version_code < VERSION_NEEDED:
            raise DeviceError(_too_old(context.version_code))
        self.context = context
        self.programs: dict[str, moderngl.ComputeShader] = {}
        self.bindings = Bindings()
        self.stopwatch: Stopwatch | None = None  # see `timed`
        self.account = Account()  # whoever's turn it is puts its own here
        self.renderer = str(context.info["GL_RENDERER"])
        self.version = str(context.info["GL_VERSION"])
        self.max_side = int(context.info["GL_MAX_TEXTURE_SIZE"])

    def __enter__(self) -> Self:
        self.context.__enter__()
        self.bindings.forget()
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to undo."""

    def finish(self) -> None:
        """Wait until all that was asked for is done."""
        self.context.finish()

    @contextmanager
    def timed(self) -> Iterator[Stopwatch]:
        """While it lasts, the time of each dispatch in the driver is added up."""
        self.stopwatch = Stopwatch()
        try:
            yield self.stopwatch
        finally:
            self.stopwatch = None

    def barrier(self) -> None:
        """Let whatever is asked for next, by whatever way, see all that was written."""
        self.context.memory_barrier()

    @property
    def software(self) -> bool:
        """Whether a processor draws: it wants wide strips, and no work in shared memory."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)

    @property
    def group_size(self) -> tuple[int, int]:
        """Invocations in a group, (x, y): as many as run in step, side by side so that their loads fall together."""
        return (8, 1) if self.software else (32, 2)

    def strip_shape(self, height: int) -> tuple[int, int]:
        """The strip that one invocation of a gather owns, (columns, rows); any gives the same state.

        Measured on software GL (docs/performance.md): wide and tall strips work out fewer outflows twice, and a row of
        16 cells is one line of a processor's cache; in worlds less high there are too few strips of 128 rows to share
        out. A GPU wants neighbouring invocations in neighbouring columns.
        """
        if not self.software:
            return 1, 16
        return 16, 128 if height >= 2048 else 32

    def buffer(self, size: int | None = None, data: bytes | None = None) -> moderngl.Buffer:
        """A buffer of so many bytes, or of these, on the account of whose turn it is.

        Raises: DeviceError: there is too little memory.
        """
        size = len(data) if data is not None else size or 0
        if size > _SMALL:
            self.check_room(size)
        made = self.context.buffer(data) if data is not None else self.context.buffer(reserve=size)
        self.account.add(made, size)
        return made

    @property
    def free_memory(self) -> int | None:
        """Bytes that textures may still take, by the system's or the driver's word; None if neither says."""
        with self:
            return machine_memory() if self.software else graphics_memory(self.context)

    def check_room(self, size: int) -> None:
        """Raise DeviceError if so many bytes more are not to be had: what was asked and what there is."""
        free = self.free_memory
        if free is not None and size > free:
            held = f" beside {in_units(held)} that it has" if (held := self.account.held) else ""
            there = f"{in_units(free)} are free ({self.renderer})"
            raise DeviceError(f"too little memory: a world asks for {in_units(size)}{held}, {there}")

    def take_error(self) -> str | None:
        """What OpenGL says has gone wrong since it was last asked, by its name for it; None: nothing."""
        error = self.context.error
        return None if error == "GL_NO_ERROR" else error

    def check_memory(self) -> None:
        """Raise DeviceError if OpenGL could not do what was asked for; it says so only when it is asked."""
        if error := self.take_error():
            free = self.free_memory
            room = "what is free is not known" if free is None else f"{in_units(free)} are free"
            asked = f"{in_units(self.account.held)} were asked for, {room}"
            raise DeviceError(f"{self.renderer} could not hold the world ({error}): {asked}")

    def check_side(self, width: int, height: int, layers: int = 1) -> None:
        """Refuse a texture that the device cannot hold; OpenGL itself would not raise.

        Args:
            width, height: in texels.
            layers: of such a height, one below the other.
        Raises: WorldError: of the field ``size``.
        """
        if max(width, height * layers) > self.max_side:
            stacked = f", in {layers} layers one below the other," if layers > 1 else ""
            limit = f"this device's limit of {self.max_side} a side ({self.renderer})"
            raise WorldError("size", f"{width} by {height}{stacked} is over {limit}")


_shared = threading.local()
_made_in = 0
"""The process in which a shared device was made first; OpenGL does not outlive a fork."""


def device_of(context: moderngl.Context) -> Device:
    """The device of a caller's context: always the same one, so that its programs are compiled once."""
    if context not in _devices:
        _devices[context] = Device(context)
    return _devices[context]


_devices: WeakKeyDictionary[moderngl.Context, Device] = WeakKeyDictionary()


def shared_device() -> Device:
    """The headless device of this thread, made at the first call.

    One for all simulations of a thread: they never take the current context from one another.

    Raises: DeviceError: no OpenGL here, or one without compute shaders; says what to do.
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
