"""What lies at a context's binding points, so that nothing is bound that lies there already."""

from __future__ import annotations

from collections.abc import Sequence

import moderngl

BoundImage = tuple[moderngl.Texture, bool, bool]
"""A texture, and whether it is read and written."""


class Bindings:
    """The account of one context's image units, storage buffers and uniform blocks.

    It holds as long as nobody else binds in this context. Whoever comes back to the context calls `forget` first.
    """

    def __init__(self) -> None:
        self._images: dict[int, BoundImage] = {}
        self._storage: dict[int, moderngl.Buffer] = {}
        self._blocks: dict[int, moderngl.Buffer] = {}

    def forget(self) -> None:
        """Others may have bound what they liked: everything is bound anew."""
        self._images.clear()
        self._storage.clear()
        self._blocks.clear()

    def bind(self, images: Sequence[BoundImage], storage: Sequence[moderngl.Buffer | None]) -> None:
        """Let images lie at the units 0, 1, ... and storage buffers at the bindings 0, 1, ...; None: any, or none."""
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
        """Let a buffer lie at a binding of uniform blocks."""
        if self._blocks.get(binding) is not buffer:
            buffer.bind_to_uniform_block(binding)
            self._blocks[binding] = buffer
