"""Functions of OpenGL that moderngl lacks. They act on the context that is current in the calling thread."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache

_FAILED = (0, 1, 2, 3, ctypes.c_void_p(-1).value)
"""Addresses by which WGL says that there is no such function; ctypes turns the first one into None."""


@cache
def gl_function(name: str, *arguments: type) -> Callable[..., None] | None:
    """A function of OpenGL that returns nothing; None: the system's library does not have it.

    Args:
        name: its name, such as ``glTexBuffer``.
        arguments: the types of its arguments, of ctypes.
    """
    libraries = ("opengl32",) if sys.platform == "win32" else ("libGL.so.1", "libOpenGL.so.0")
    for library in libraries:
        try:
            found = getattr(ctypes.CDLL(library), name)
        except (OSError, AttributeError):
            continue
        found.argtypes, found.restype = arguments, None
        return found
    return _of_driver(name, *arguments) if sys.platform == "win32" else None


def _of_driver(name: str, *arguments: type) -> Callable[..., None] | None:
    """A function of the driver on Windows, whose own library ends with OpenGL 1.1."""
    find = ctypes.CDLL("opengl32").wglGetProcAddress
    find.argtypes, find.restype = (ctypes.c_char_p,), ctypes.c_void_p
    address = find(name.encode())
    return None if address is None or address in _FAILED else ctypes.CFUNCTYPE(None, *arguments)(address)


def gl_integers(name: int, count: int) -> list[int]:
    """``glGetIntegerv`` of the current context, for values that moderngl lacks; zeros: the function is not found."""
    answer = (ctypes.c_int * count)()
    get = gl_function("glGetIntegerv", ctypes.c_uint, ctypes.POINTER(ctypes.c_int))
    if get is not None:
        get(name, answer)
    return list(answer)
