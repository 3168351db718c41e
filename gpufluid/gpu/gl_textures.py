"""`GlTexture`: a texture of a kind that moderngl lacks, with the functions of OpenGL for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

from gpufluid.core.errors import DeviceError
from gpufluid.gpu.gl_functions import gl_function, gl_integers

TEXTURE_2D, TEXTURE_2D_ARRAY, TEXTURE_BUFFER = 0x0DE1, 0x8C1A, 0x8C2A
_BINDINGS = {TEXTURE_2D: 0x8069, TEXTURE_2D_ARRAY: 0x8C1D, TEXTURE_BUFFER: 0x8C2C}
"""OpenGL's numbers of the bindings of each kind of texture."""

IMAGE_FORMATS = {"r8ui": 0x8232, "r32i": 0x8235, "r32ui": 0x8236, "rgba32i": 0x8D82, "rgba32ui": 0x8D70}
"""OpenGL's numbers of GLSL image formats."""

_PROXY_2D_ARRAY, _WIDTH = 0x8C1B, 0x1000
_MIN_FILTER, _MAG_FILTER, _NEAREST = 0x2801, 0x2800, 0x2600
_READ_ONLY, _WRITE_ONLY, _READ_WRITE = 0x88B8, 0x88B9, 0x88BA

_UINT, _INT = ctypes.c_uint, ctypes.c_int
_UINTS, _INTS = ctypes.POINTER(_UINT), ctypes.POINTER(_INT)


class GlFunctions(NamedTuple):
    """Functions of OpenGL for textures that moderngl lacks."""

    gen_textures: Callable[..., None]
    delete_textures: Callable[..., None]
    bind_texture: Callable[..., None]
    set_parameter: Callable[..., None]
    get_level_parameter: Callable[..., None]
    tex_buffer: Callable[..., None]
    tex_storage_3d: Callable[..., None]
    texture_view: Callable[..., None]
    bind_image: Callable[..., None]


@cache
def gl_functions() -> GlFunctions | None:
    """These functions; None: the system's library lacks one of them."""
    found = (
        gl_function("glGenTextures", _INT, _UINTS),
        gl_function("glDeleteTextures", _INT, _UINTS),
        gl_function("glBindTexture", _UINT, _UINT),
        gl_function("glTexParameteri", _UINT, _UINT, _INT),
        gl_function("glGetTexLevelParameteriv", _UINT, _INT, _UINT, _INTS),
        gl_function("glTexBuffer", _UINT, _UINT, _UINT),
        gl_function("glTexStorage3D", _UINT, _INT, _UINT, *[_INT] * 3),
        gl_function("glTextureView", _UINT, _UINT, _UINT, _UINT, *[_UINT] * 4),
        gl_function("glBindImageTexture", _UINT, _UINT, _INT, ctypes.c_ubyte, _INT, _UINT, _UINT),
    )
    there = [each for each in found if each is not None]
    return GlFunctions(*there) if len(there) == len(found) else None


def _functions() -> GlFunctions:
    found = gl_functions()
    if found is None:
        raise DeviceError("the OpenGL library lacks functions of OpenGL 4.3, such as glTextureView")
    return found


def can_hold_layers(width: int, height: int, layers: int) -> bool:
    """True if the current context can have an array texture of that size and 32 bits a texel, if memory suffices.

    Raises: DeviceError: the library lacks a function for such textures.
    """
    gl, found = _functions(), _INT()
    gl.tex_storage_3d(_PROXY_2D_ARRAY, 1, IMAGE_FORMATS["r32i"], width, height, layers)
    gl.get_level_parameter(_PROXY_2D_ARRAY, 0, _WIDTH, ctypes.byref(found))
    return found.value == width


class GlTexture:
    """A texture of OpenGL, by its name.

    Args:
        target: OpenGL's number of its kind.
        image: OpenGL's number of the format of a texel in images.
    Raises: DeviceError: the library lacks a function for such textures.
    """

    def __init__(self, target: int, image: int) -> None:
        self.target, self.image, self._gl = target, image, _functions()
        self.name = _UINT()
        self._gl.gen_textures(1, ctypes.byref(self.name))

    @contextmanager
    def bound(self) -> Iterator[GlFunctions]:
        """The functions of OpenGL, which act on this texture while the context manager is active."""
        before = gl_integers(_BINDINGS[self.target], 1)[0]  # maybe of a program that has given its context
        self._gl.bind_texture(self.target, self.name)
        yield self._gl
        self._gl.bind_texture(self.target, before)

    def make_layers(self, width: int, height: int, layers: int) -> None:
        """Make the texels of an array texture, with undefined values. OpenGL records an error if it cannot."""
        with self.bound() as gl:
            gl.tex_storage_3d(self.target, 1, self.image, width, height, layers)
        self._take_nearest()

    def view_layer(self, layer: int) -> GlTexture:
        """Another name for one layer of an array texture, as a texture of two dimensions."""
        view = GlTexture(TEXTURE_2D, self.image)
        self._gl.texture_view(view.name, view.target, self.name, self.image, 0, 1, layer, 1)
        view._take_nearest()
        return view

    def _take_nearest(self) -> None:
        """Do without a filter: with one, OpenGL takes a texture of whole numbers for incomplete."""
        with self.bound() as gl:
            for filter_ in (_MIN_FILTER, _MAG_FILTER):
                gl.set_parameter(self.target, filter_, _NEAREST)

    def bind_to_image(self, unit: int, read: bool, write: bool) -> None:
        """Bind it, with all its layers, to an image unit, to be read or written or both."""
        access = _READ_WRITE if read and write else _READ_ONLY if read else _WRITE_ONLY
        self._gl.bind_image(unit, self.name, 0, self.target == TEXTURE_2D_ARRAY, 0, access, self.image)

    def release(self) -> None:
        """Release the name, and the texels unless they belong to a buffer or have another name."""
        self._gl.delete_textures(1, ctypes.byref(self.name))
