"""Records what is bound in a context, so that nothing is bound twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import moderngl


class Bindable(Protocol):
    """A texture, or an image of a buffer."""

    def bind_to_image(self, unit: int, read: bool, write: bool) -> None:
        """Bind it to an image unit, to be read or written or both."""
        ...


BoundImage = tuple[Bindable, bool, bool]
"""A texture or an image of a buffer, whether the shader reads it, and whether the shader writes it."""


class Bindings:
    """The images, storage buffers and uniform blocks that are bound in one context.

    The record is right only while no other code binds in this context. Call `forget` when other code may have.
    """

    def __init__(self) -> None:
        self._images: dict[int, BoundImage] = {}
        self._storage: dict[int, moderngl.Buffer] = {}
        self._blocks: dict[int, moderngl.Buffer] = {}

    def forget(self) -> None:
        """Clear the record; the next calls bind everything again."""
        self._images.clear()
        self._storage.clear()
        self._blocks.clear()

    def bind(self, images: Sequence[BoundImage], storage: Sequence[moderngl.Buffer | None]) -> None:
        """Bind images at the units 0, 1, ... and storage buffers at the bindings 0, 1, ...; None: leave as it is."""
        bound = self._images
        for unit, image in enumerate(images):
            if bound.get(unit) != image:
                image[0].bind_to_image(unit, image[1], image[2])
                bound[unit] = image
        for binding, buffer in enumerate(storage):
            if buffer is not None and self._storage.get(binding) is not buffer:
                buffer.bind_to_storage_buffer(binding)
                self._storage[binding] = buffer

    def bind_block(self, binding: int, buffer: moderngl.Buffer) -> None:
        """Bind a buffer as a uniform block."""
        if self._blocks.get(binding) is not buffer:
            buffer.bind_to_uniform_block(binding)
            self._blocks[binding] = buffer
