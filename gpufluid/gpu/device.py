"""`Device`: an OpenGL context with its limits, its compiled programs and its memory."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self
from weakref import WeakKeyDictionary

import moderngl

from gpufluid.core.errors import DeviceError, WorldError
from gpufluid.core.memory import in_units, machine_memory
from gpufluid.gpu import egl_devices
from gpufluid.gpu.bindings import Bindings
from gpufluid.gpu.current import CurrentContext, current_context, none_current, replace_current
from gpufluid.gpu.gl_textures import can_hold_layers
from gpufluid.gpu.memory import Allocations, graphics_memory
from gpufluid.gpu.preparing import Announce
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

    Any thread may use a device, one thread at a time. ``with device:`` waits until no other thread uses it and makes
    its context current in this thread. At the end of the block that context is current again which was current before,
    or none. Blocks of one device, and of several, can be nested. All calls of OpenGL stand in such a block. The methods
    `finish`, `timed`, `take_error`, `check_room` and `check_memory` and the properties enter one themselves.

    Args:
        context: a moderngl context of at least OpenGL 4.3. The caller releases it. If it belongs to a window, it must
            be current wherever the device is used: the window can destroy it at any time, and its handle with it.
        owned: whether only this device makes the context current, so that it is current in blocks only.
    Raises: DeviceError: the context is older than OpenGL 4.3, or it cannot be made current in this thread, or this
        process was forked from one that had used OpenGL.
    """

    def __init__(self, context: moderngl.Context, owned: bool = False) -> None:
        check_process()
        if context.version_code < VERSION_NEEDED:
            raise DeviceError(_too_old(context.version_code))
        self.context = context
        self.programs: dict[str, moderngl.ComputeShader] = {}
        self.bindings = Bindings()
        self.stopwatch: Stopwatch | None = None  # see `timed`
        self.announce: Announce | None = None  # called before a pass of a world is compiled; see `announcing`
        self.allocations = Allocations()  # of the current simulation; each simulation sets its own
        self.unused: list[moderngl.Buffer] = []  # buffers that nothing refers to any more; see `buffer`
        self._lock, self._owned = _lock_of(context), owned
        self._before: list[CurrentContext | None] = []  # what was current before each block in progress
        self._of_window, before = context.screen is not None, current_context()
        with self._lock, none_current():
            self._own = _made_current(context, before if self._of_window else None)
            self.renderer = str(context.info["GL_RENDERER"])
            self.version = str(context.info["GL_VERSION"])
            self.max_side = int(context.info["GL_MAX_TEXTURE_SIZE"])
            self.max_buffer_texels = int(context.info["GL_MAX_TEXTURE_BUFFER_SIZE"])
            self.storage_bytes = int(context.info["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"])  # of a buffer in a shader
        _note_process()

    def __enter__(self) -> Self:
        check_process()
        self._lock.acquire()
        blocks = len(self._before)
        try:
            self.bindings.forget()
            self._before.append(self._make_current())
        except BaseException:  # Ctrl-C, too
            self._leave(blocks)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if not in_forked_process():  # else it was forked inside the block, and OpenGL could hang
            self._leave(len(self._before) - 1)

    def _leave(self, blocks: int) -> None:
        """End the innermost block, if it has begun, and the use by this thread.

        Args:
            blocks: the number of blocks around it.
        """
        try:
            if len(self._before) > blocks:
                before = self._before.pop()
                if before is not self._own:
                    replace_current(self._own, before)
        finally:
            self._lock.release()

    def _make_current(self) -> CurrentContext | None:
        """Make the context current. Returns the one that was current before, possibly `_own`; None: there was none."""
        if isinstance(self.context.mglo, moderngl.InvalidObject):
            raise DeviceError(f"the OpenGL context ({self.renderer}) was released: nothing on it can be used any more")
        if self._own.is_current:  # outside a block an owned context is current only if Ctrl-C came at the end of one
            return None if self._owned and not self._before else self._own
        if self._of_window and not self._before:
            raise DeviceError(_WINDOW_NOT_CURRENT)
        before = current_context()
        replace_current(before, None)
        if not self._own.make_current():
            replace_current(None, before)
            raise DeviceError(_CURRENT_ELSEWHERE)
        return before

    def finish(self) -> None:
        """Wait until the device has done all its work."""
        with self:
            self.context.finish()

    @contextmanager
    def timed(self) -> Iterator[Stopwatch]:
        """Add up the time that dispatches take in the driver, while the context manager is active."""
        with self:
            self.stopwatch = Stopwatch()
            try:
                yield self.stopwatch
            finally:
                self.stopwatch = None

    @contextmanager
    def announcing(self, announce: Announce) -> Iterator[None]:
        """Call a function before each pass that is compiled, while the context manager is active.

        The function may draw and dispatch nothing but its own programs, in the current context.
        """
        before, self.announce = self.announce, announce
        try:
            yield
        finally:
            self.announce = before

    def barrier(self) -> None:
        """Make all shader writes visible to every later operation, of any kind."""
        self.context.memory_barrier()

    @property
    def software(self) -> bool:
        """True if OpenGL runs on the CPU: then wide strips are fast."""
        return any(name in self.renderer.lower() for name in _SOFTWARE)

    @property
    def group_size(self) -> tuple[int, int]:
        """Invocations in a group, (x, y): as many as run in lockstep, in a row so that their loads are adjacent."""
        return (8, 1) if self.software else (32, 2)

    @property
    def tests_tiles(self) -> bool:
        """True if groups of passes test whether their tile is awake, in place of a list of tiles; see `gpu.tiles`.

        On software OpenGL a group without work takes as long as a dispatch.
        """
        return not self.software

    def strip_shape(self, rows: int, wide: bool = False) -> tuple[int, int]:
        """The strip that one invocation of a gather owns, (columns, rows) of cells. The state does not depend on it.

        Measured on software OpenGL (docs/trials_of_speed.md): in wide and tall strips fewer outflows are computed
        twice, and a row of 16 cells is one line of a processor's cache. In a low world strips of 128 rows would be too
        few for all threads. On a GPU neighbouring invocations should own neighbouring columns; there a wide pass is
        faster with two columns (docs/performance.md).

        Args:
            rows: of the world in gravity's frame.
            wide: whether a pass of the world is `Layout.wide`.
        """
        if self.software:
            return 16, 128 if rows >= 2048 else 32
        return (2, 64 if rows >= 2048 else 16) if wide else (1, 16)

    def buffer(self, size: int | None = None, data: bytes | None = None) -> moderngl.Buffer:
        """Make a buffer, and count it among the current allocations. Buffers in `unused` are released first.

        Args:
            size: in bytes; not needed with ``data``.
            data: the buffer's first content; None: undefined.
        Raises: DeviceError: there is too little memory.
        """
        self._release_unused()
        size = len(data) if data is not None else size or 0
        if size > _SMALL:
            self.check_room(size)
        made = self.context.buffer(data) if data is not None else self.context.buffer(reserve=size)
        self.allocations.add(made, size)
        return made

    def overwrite(self, buffer: moderngl.Buffer, content: bytes) -> None:
        """Overwrite the beginning of a buffer that shaders only read, once no dispatch reads it; see `SentContent`."""
        self.finish()
        buffer.write(content)

    def _release_unused(self) -> None:
        while self.unused:
            self.unused.pop().release()

    @property
    def free_memory(self) -> int | None:
        """Bytes that are free for textures, as the system or the driver reports; None: neither reports it."""
        with self:
            return machine_memory() if self.software else graphics_memory(self.context)

    def check_room(self, size: int) -> None:
        """Raise DeviceError if fewer bytes than ``size`` are free; the message says both numbers.

        Buffers in `unused` are released first.
        """
        with self:
            self._release_unused()
        free = self.free_memory
        if free is not None and size > free:
            held = f" beside {in_units(held)} that it has" if (held := self.allocations.held) else ""
            there = f"{in_units(free)} are free ({self.renderer})"
            raise DeviceError(f"too little memory: a world asks for {in_units(size)}{held}, {there}")

    def take_error(self) -> str | None:
        """OpenGL's name of the error since the last call; None: no error."""
        with self:
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
            layers: the number of its layers of 32 bits a texel; 1 for a texture without layers.
        Raises: WorldError: over the device's limits; it names the field ``size``.
        """
        if max(width, height) > self.max_side:
            limit = f"this device's limit of {self.max_side} a side ({self.renderer})"
            raise WorldError("size", f"{width} by {height} is over {limit}")
        if not self.can_hold(width, height, layers):
            limit = f"this device's limit of one texture ({self.renderer})"
            raise WorldError("size", f"{width} by {height} in {layers} layers is over {limit}")

    def can_hold(self, width: int, height: int, layers: int) -> bool:
        """True if a texture is within the device's limits; arguments as for `check_side`.

        Software OpenGL, for one, has textures of at most 2 GiB.
        """
        if max(width, height) > self.max_side:
            return False
        with self:
            return layers <= 1 or can_hold_layers(width, height, layers)


_CURRENT_ELSEWHERE = (
    "the OpenGL context given is current in another thread: make it not current there before it is used in this one;"
    " a Simulation without context= can be used in any thread"
)

_WINDOW_NOT_CURRENT = (
    "the OpenGL context of the window is not current in this thread: make it current before it is used, and close"
    " simulations before their window"
)

_finding = threading.RLock()
"""Held while a thread looks up the lock or the device of a context, or makes the shared device."""

_locks: WeakKeyDictionary[moderngl.Context, threading.RLock] = WeakKeyDictionary()
_devices: WeakKeyDictionary[moderngl.Context, Device] = WeakKeyDictionary()
_shared: Device | None = None
_process = 0
"""The process that uses OpenGL; 0: none so far."""


def in_forked_process() -> bool:
    """True if this process was forked from one that had used OpenGL, which does not survive a fork."""
    return _process not in (0, os.getpid())


def check_process() -> None:
    """Raise DeviceError in a process that was forked from one that had used OpenGL: there its calls can hang."""
    if in_forked_process():
        raise DeviceError("OpenGL does not survive a fork: start worker processes with the method 'spawn'")


def _note_process() -> None:
    global _process
    _process = os.getpid()


def _lock_of(context: moderngl.Context) -> threading.RLock:
    """The lock of a context, which all its devices share."""
    with _finding:
        return _locks.setdefault(context, threading.RLock())


def device_of(context: moderngl.Context) -> Device:
    """The device of a caller's context. One context always has the same device, so programs are compiled once.

    Raises: DeviceError: as `Device`.
    """
    made = _devices.get(context) or Device(context)
    with _finding:
        return _devices.setdefault(context, made)


def chosen_device(context: moderngl.Context | Device | None) -> Device:
    """The device that a caller names: a device, that of a context, or by default the shared one.

    Raises: DeviceError: as `device_of` and `shared_device`.
    """
    if context is None:
        return shared_device()
    return context if isinstance(context, Device) else device_of(context)


def shared_device() -> Device:
    """The headless device of this process, made at the first call. All simulations without a context share it.

    Raises: DeviceError: no OpenGL here, or no compute shaders; the message says what to install. Or as `Device`.
        UsageError: the user has chosen a device that is not there; see `egl_devices`.
    """
    global _shared
    check_process()
    with _finding:
        if _shared is None:
            with none_current():  # EGL makes no context current beside one of another system
                _shared = Device(_headless_context(), owned=True)
        return _shared


def _made_current(context: moderngl.Context, before: CurrentContext | None) -> CurrentContext:
    """Make a context current in this thread, where none is current.

    Args:
        context: the context.
        before: the context that was current before, if the context is that of a window: then it is the same, and
            moderngl may be unable to make it current. None: not of a window.
    Raises: DeviceError: it is current in another thread, or the window's was not current.
    """
    context.__enter__()
    found = current_context()
    if found is None and before is not None and before.make_current():
        return before
    if found is None:
        raise DeviceError(_CURRENT_ELSEWHERE if context.screen is None else _WINDOW_NOT_CURRENT)
    return found


def _headless_context() -> moderngl.Context:
    if sys.platform == "darwin":
        raise DeviceError("macOS has no OpenGL compute shaders (it stops at 4.1); run gpufluid on Linux or Windows")
    backend: dict[str, Any] = {} if sys.platform == "win32" else {"backend": "egl"}
    with egl_devices.index_for_glcontext() as index:
        return _created(backend | index)


def _created(backend: Mapping[str, Any]) -> moderngl.Context:
    """Make a headless context; ``backend``: further arguments of `moderngl.create_context`."""
    try:
        return moderngl.create_context(standalone=True, require=VERSION_NEEDED, **backend)
    except Exception as error:  # moderngl and glcontext raise bare Exception
        found = _version_found(backend)
        raise DeviceError(
            _too_old(found) if found and found < VERSION_NEEDED else f"no OpenGL here ({error}); {_remedy()}"
        ) from None


def _version_found(backend: Mapping[str, Any]) -> int | None:
    try:
        context = moderngl.create_context(standalone=True, require=330, **backend)
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
