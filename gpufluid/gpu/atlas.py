"""`Atlas`: many worlds of one size side by side in each texture.

Each texture of a batch is divided into *blocks* of one size, one for each world. A dispatch has one layer of groups (z)
for each world, and an invocation works on the world of its layer, or of the entry of a list of tiles that it takes. All
positions in a shader are those of its world; only the generated accessors add the place of the world's block. A texel
outside the block counts as outside the texture: it reads as 0, and a store there does nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpufluid.core.fields import Plane
from gpufluid.gpu.device import Device
from gpufluid.gpu.textures import PlaneTexture, make_plane, make_texture, write_layers

if TYPE_CHECKING:
    import moderngl

WORLDS_MOST = 4096
"""Most worlds in one atlas. Part of the layout of the ledger buffer, see `gpu.ledger`."""

GROUPS_OF_ENTRY = 4
"""The groups that work on an entry of a list of tiles together, if one is too few: as many layers of a dispatch, which
can be more than there are worlds.
"""

_MARGIN = 64
"""Texels by which the block of a scratch texture may be longer than the world: units that begin outside the world."""

_CACHE_STRIDE = 128
"""Texels; rows of a texture that are a multiple of so many apart share places of a cache."""

ONE_WORLD_GLSL = "const int batch_world = 0;\n"
"""``generated/world.glsl`` of a program for one world."""

_WORLD_GLSL = """#define BATCHED
uniform int batch_shift; // the worlds lie in rows of 2**batch_shift

ivec2 block_of_world(int number) { return ivec2(number & ((1 << batch_shift) - 1), number >> batch_shift); }

int batch_world = int(gl_WorkGroupID.z); // the world of this invocation; see also enter_world
ivec2 batch_block = block_of_world(batch_world);

// Find the first texel of the world's block in each image; gpu/images.py generates it.
void find_blocks();

// The texel of the atlas for a texel of the block that begins with texel `first`; outside the block a texel that no
// texture has.
ivec2 atlas_texel(ivec2 at, ivec2 block, ivec2 first)
{
    ivec2 room = block - 1 - at;
    int outside = (at.x | at.y | room.x | room.y) >> 31; // -1 or 0; comparisons and choices take longer
    return ivec2(first.x + at.x | outside, first.y + at.y);
}
"""


@dataclass(frozen=True, slots=True)
class Atlas:
    """The places of the blocks of some worlds in each texture.

    Args:
        count: the number of worlds.
        shift: each row of blocks has ``2**shift`` blocks.
    """

    count: int
    shift: int

    @classmethod
    def most(cls, device: Device, block: tuple[int, int], layers: int = 1) -> int:
        """The most worlds whose blocks fit in a texture of the device; 0: not even one.

        Args:
            device: the device with the textures.
            block: (width, height) of a world, in cells.
            layers: the number of layers of the plane that has the most.
        """
        columns, rows = _room(device, block)
        most = min(_power_of_two(columns) * rows, WORLDS_MOST) if columns else 0

        def is_over(count: int) -> bool:
            return not device.can_hold(*cls.of(device, block, count).size(device, block), layers)

        return bisect_left(range(1, most + 1), True, key=is_over)

    @classmethod
    def of(cls, device: Device, block: tuple[int, int], count: int) -> Atlas:
        """The atlas for ``count`` worlds, at most `most`; other arguments as for `most`.

        It has the fewest unused blocks, and among such atlases the shortest sides.
        """
        columns, rows = _room(device, block)
        fitting = [cls(count, shift) for shift in range(columns.bit_length())]
        fitting = [atlas for atlas in fitting if atlas.grid[1] <= rows] or fitting[-1:]

        def cost(atlas: Atlas) -> tuple[int, int]:
            across, down = atlas.grid
            return across * down, max(across * block[0], down * block[1])

        return min(fitting, key=cost)

    @property
    def grid(self) -> tuple[int, int]:
        """The number of blocks, (across, down)."""
        across = min(1 << self.shift, self.count)
        return across, -(-self.count // (1 << self.shift))

    def block(self, texture: PlaneTexture) -> tuple[int, int]:
        """(width, height) in texels of a world's block in a texture of this atlas."""
        across, down = self.grid
        return texture.width // across, texture.height // down

    def texture(
        self, device: Device, width: int, height: int, image: str, data: np.ndarray | None = None
    ) -> moderngl.Texture:
        """Make a texture with a block of a size for each world.

        Args:
            device: the device that holds it.
            width, height: of a block, in texels.
            image: its GLSL image format.
            data: (worlds, height, width[, components]) of the type that `FORMATS` gives the format, such as uint32;
                None: zeros.
        Raises: as `make_texture`.
        """
        columns, rows = self.size(device, (width, height))
        return make_texture(device, columns, rows, image, None if data is None else _padded(self.joined(data), columns))

    def plane(
        self,
        device: Device,
        plane: Plane,
        block: tuple[int, int],
        layers: int,
        data: np.ndarray | None = None,
    ) -> PlaneTexture:
        """Make the texture of a plane, with a block for each world.

        Args:
            device: the device that holds it.
            plane: the plane.
            block: (width, height) of a world, in cells.
            layers: the number of layers; 1 for a plane without layers.
            data: (worlds, layers * height, width) of the type that `FORMATS` gives the plane's image, such as uint32;
                None: zeros.
        Raises: as `make_plane`.
        """
        columns, rows = self.size(device, block)
        whole = None if data is None else _padded(self.joined(data, layers), columns)
        return make_plane(device, plane, (columns, rows), layers, whole)

    def size(self, device: Device, block: tuple[int, int]) -> tuple[int, int]:
        """(columns, rows) in texels of a texture whose blocks have that (width, height).

        The rows of a block of few columns are far apart in memory. If their distance is a multiple of a large power of
        two, a processor's cache has few places for them. Then there are unused columns after the last block, fewer than
        there are blocks in a row.
        """
        (across, down), (width, height) = self.grid, block
        unused = across * width % _CACHE_STRIDE == 0 and across * (width + 1) <= device.max_side
        return across * width + (across - 1 if unused else 0), down * height

    def write_block(self, texture: PlaneTexture, number: int, texels: np.ndarray) -> None:
        """Write the block of one world in a texture of this atlas.

        Args:
            texture: the texture.
            number: the index of the world.
            texels: (layers * height, width[, components]) of the type that `FORMATS` gives the format, such as uint32.
        """
        (column, row), (width, height) = self.place(number), self.block(texture)
        write_layers(texture, (column * width, row * height), texels)

    def place(self, number: int) -> tuple[int, int]:
        """(column, row) of a world's block among the blocks."""
        return number & ((1 << self.shift) - 1), number >> self.shift

    def joined(self, data: np.ndarray, layers: int = 1) -> np.ndarray:
        """The texels of a whole texture, from those of the worlds.

        Args:
            data: (worlds, layers * height, width[, components]) of any integer type.
            layers: the number of layers.
        Returns: (layers * rows, columns[, components]) of the same type.
        """
        if layers > 1:
            return np.concatenate([self.joined(layer) for layer in np.split(data, layers, axis=1)])
        across, down = self.grid
        height, width, *rest = data.shape[1:]
        whole = np.zeros((down * across, height, width, *rest), data.dtype)
        whole[: self.count] = data
        rows = whole.reshape(down, across, height, width, *rest).swapaxes(1, 2)
        return rows.reshape(down * height, across * width, *rest)

    def divided(self, texels: np.ndarray, layers: int = 1) -> np.ndarray:
        """The texels of each world, from those of a whole texture.

        Args:
            texels: (layers * rows, columns[, components]) of any integer type.
            layers: the number of layers.
        Returns: (worlds, layers * height, width[, components]) of the same type.
        """
        if layers > 1:
            return np.concatenate([self.divided(layer) for layer in np.split(texels, layers)], axis=1)
        across, down = self.grid
        height, width = texels.shape[0] // down, texels.shape[1] // across
        rows = texels[:, : across * width].reshape(down, height, across, width, *texels.shape[2:]).swapaxes(1, 2)
        return rows.reshape(down * across, height, width, *texels.shape[2:])[: self.count]


def world_glsl(batched: bool) -> str:
    """``generated/world.glsl``: ``batch_world``, the index of the world on which an invocation works."""
    return _WORLD_GLSL if batched else ONE_WORLD_GLSL


def _padded(texels: np.ndarray, columns: int) -> np.ndarray:
    """The same texels, (rows, columns[, components]), with columns of zeros after the last one."""
    added = columns - texels.shape[1]
    return np.pad(texels, ((0, 0), (0, added), *((0, 0),) * (texels.ndim - 2))) if added else texels


def _room(device: Device, block: tuple[int, int]) -> tuple[int, int]:
    """The most blocks in a row and in a column of a texture. Scratch can be turned, and has a margin."""
    side = max(block) + _MARGIN
    if side <= device.max_side:
        return device.max_side // side, device.max_side // side
    return (1, 1) if max(block) <= device.max_side else (0, 0)


def _power_of_two(number: int) -> int:
    """The largest power of two up to a number; 0 for 0."""
    return 1 << (number.bit_length() - 1) if number else 0
