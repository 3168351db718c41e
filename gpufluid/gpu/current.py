"""The OpenGL context that is current in the calling thread: which one it is, and how to change it.

An OpenGL call acts on the context that is current in its thread; without one it does nothing and reports no error. A
context is current in at most one thread. moderngl can make a context current, but it reports no failure, and some of
its contexts do not restore the context that was current before. So the functions of EGL, GLX and WGL are called here.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

_EGL_DRAW, _EGL_READ = 0x3059, 0x305A


@dataclass(frozen=True, slots=True)
class _System:
    """The functions of EGL, GLX or WGL that say and change what is current in the calling thread.

    Args:
        context: returns the handle of the current context; None: this system has no current context.
        place: returns the other handles that `make` needs: a display and surfaces, or a device context.
        make: makes current what its arguments name, first the handles of `place`, then the context. Zeros for all but
            the first argument: no context. Returns 0 if it fails.
    """

    context: Callable[[], int | None]
    place: Callable[[], tuple[int, ...]]
    make: Callable[..., int]


@dataclass(frozen=True, slots=True)
class CurrentContext:
    """A context that was current in a thread, with all that is needed to make it current again.

    Args:
        system: the functions of the system, EGL, GLX or WGL, to which the context belongs.
        handle: its handle.
        place: the other handles, see `_System.place`.
    """

    system: _System
    handle: int
    place: tuple[int, ...]

    @property
    def is_current(self) -> bool:
        """True if it is current in the calling thread."""
        return self.system.context() == self.handle

    def make_current(self) -> bool:
        """Make it current in the calling thread, where no context of another system may be current.

        Returns: False if it was destroyed or is current in another thread. With GLX a destroyed context must not be
            made current; one that is current in another thread causes an X error, or is accepted by Mesa.
        """
        return bool(self.system.make(*self.place, self.handle))

    def release(self) -> None:
        """Make no context current in the calling thread, where this one is."""
        self.system.make(self.place[0], *[0] * len(self.place))


def current_context() -> CurrentContext | None:
    """The context that is current in the calling thread; None: there is none."""
    for system in _systems():
        if handle := system.context():
            return CurrentContext(system, handle, system.place())
    return None


@contextmanager
def none_current() -> Iterator[None]:
    """Make no context current in the calling thread; on exit make the one from before current again."""
    before = current_context()
    if before is not None:
        before.release()
    try:
        yield
    finally:
        replace_current(current_context(), before)


def replace_current(current: CurrentContext | None, wanted: CurrentContext | None) -> None:
    """Replace a context that is current in the calling thread.

    Args:
        current: the current context; None: there is none.
        wanted: the context to make current; None: no context. If its owner has destroyed this context meanwhile, no
            context is current afterwards.
    """
    if current is not None:
        current.release()  # EGL and GLX refuse to replace a context of the other
    if wanted is not None:
        wanted.make_current()


@cache
def _systems() -> tuple[_System, ...]:
    """The systems of this machine; a missing library or function means that no context of its system exists."""
    found = []
    for load in (_wgl,) if sys.platform == "win32" else (_egl, _glx):
        try:
            found.append(load())
        except (OSError, AttributeError):
            continue
    return tuple(found)


# `PyDLL` keeps Python's global lock (GIL) during a call. The functions return at once, and a call that releases the GIL
# may wait longer than a tick to get it back.


def _egl() -> _System:
    library = ctypes.PyDLL("libEGL.so.1")
    display, surface = _handle(library, "eglGetCurrentDisplay"), _handle(library, "eglGetCurrentSurface", ctypes.c_int)
    return _System(
        _handle(library, "eglGetCurrentContext"),
        lambda: (display() or 0, surface(_EGL_DRAW) or 0, surface(_EGL_READ) or 0),
        _function(library, "eglMakeCurrent", ctypes.c_uint, [ctypes.c_void_p] * 4),
    )


def _glx() -> _System:
    library = ctypes.PyDLL("libGL.so.1")
    display = _handle(library, "glXGetCurrentDisplay")
    draw = _function(library, "glXGetCurrentDrawable", ctypes.c_ulong)
    read = _function(library, "glXGetCurrentReadDrawable", ctypes.c_ulong)
    kinds = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_void_p]
    return _System(
        _handle(library, "glXGetCurrentContext"),
        lambda: (display() or 0, draw(), read()),
        _function(library, "glXMakeContextCurrent", ctypes.c_int, kinds),
    )


def _wgl() -> _System:
    library = ctypes.PyDLL("opengl32")
    device_context = _handle(library, "wglGetCurrentDC")
    return _System(
        _handle(library, "wglGetCurrentContext"),
        lambda: (device_context() or 0,),
        _function(library, "wglMakeCurrent", ctypes.c_int, [ctypes.c_void_p] * 2),
    )


def _handle(library: ctypes.PyDLL, name: str, *kinds: type) -> Callable[..., int | None]:
    """A function of a library that returns a pointer."""
    return _function(library, name, ctypes.c_void_p, kinds)


def _function(library: ctypes.PyDLL, name: str, returned: type, kinds: Sequence[type] = ()) -> Callable:
    found = getattr(library, name)
    found.restype, found.argtypes = returned, list(kinds)
    return found
