"""A world's planes on the device: upload, readback at once or late, and digest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import moderngl
import numpy as np

from gpufluid.core.errors import UnknownFieldError, UsageError, did_you_mean, shown
from gpufluid.core.fields import PLANES, Plane
from gpufluid.core.numeric import is_whole
from gpufluid.core.packing import from_texels, separate, to_texels
from gpufluid.gpu.buffer_textures import BufferTexture
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.generated import for_plane
from gpufluid.gpu.images import Image
from gpufluid.gpu.readback import LateReadback, Readback, Window, WindowCopies, together
from gpufluid.gpu.textures import (
    FORMATS,
    Pair,
    PlaneTexture,
    bytes_a_texel,
    layer_counts,
    layers_of,
    make_plane,
    write_layers,
)
from gpufluid.world import World

SUMMED_ROWS = 64
"""Rows of a column that one invocation sums, in shaders that reduce a texture to a few words."""


def texels_of(name: str, cells: Window, words: np.ndarray) -> np.ndarray:
    """The texels of a plane in a rectangle of cells, from their bytes.

    Args:
        name: the name of the plane.
        cells: column and row of the top left cell, width and height.
        words: (bytes,) uint8, the bytes of an array that `PlaneTextures.read_texels` returns.
    Returns: a view (layers, height, width) of the type of the plane's image, such as uint32.
    """
    return words.view(FORMATS[PLANES[name].image][2]).reshape(-1, cells[3], cells[2])


class PlaneTextures:
    """The planes of one world as textures; ``planes[name].read`` is the current state of a plane.

    Args:
        device: the device that holds them.
        world: the first state.
        gathered: the names of the planes that a pass gathers; each needs a second texture.
        in_buffers: the names of those that lie in buffers; see `buffer_textures.planes_in_buffers`.
    """

    def __init__(self, device: Device, world: World, gathered: Iterable[str], in_buffers: Collection[str] = ()) -> None:
        self._device = device
        self._size = world.width, world.height
        self._layers = layer_counts(world)
        self._shared = {plane.name for plane in world.planes if plane.instead in world.fields}  # by two kinds of cells
        self._of_field = {field: plane for plane in world.planes for field in plane.fields}
        self._of_field |= {plane.instead: plane for plane in world.planes if plane.name in self._shared}
        self._pairs: dict[str, Pair] = {}
        arrays, solid = world.complete_arrays(), world.obstacles
        for plane in world.planes:
            make = self._make_in_buffer if plane.name in in_buffers else self._make
            first = make(plane, to_texels(plane, arrays, solid))
            self._pairs[plane.name] = Pair(first, make(plane) if plane.name in gathered else None)
        self._planes = world.planes
        self._readbacks: dict[str, Readback] = {}
        self._copies = {plane.name: WindowCopies(device, plane.image) for plane in world.planes}
        self._late: dict[str, LateReadback] = {}
        self._digests: dict[str, Program] = {}

    def __getitem__(self, name: str) -> Pair:
        """The textures of a plane."""
        return self._pairs[name]

    def _make(self, plane: Plane, texels: np.ndarray | None = None) -> PlaneTexture:
        return make_plane(self._device, plane, self._size, self._layers[plane.name], texels)

    def _make_in_buffer(self, plane: Plane, texels: np.ndarray | None = None) -> PlaneTexture:
        return BufferTexture(self._device, *self._size, plane.image, texels)

    def _fields(self, plane: Plane, texels: np.ndarray) -> dict[str, np.ndarray]:
        return from_texels(plane, texels, self._layers[plane.name])

    def _all_fields(self, texels: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """All fields by name, from the texels of all planes."""
        found: dict[str, np.ndarray] = {}
        for plane in self._planes:
            found |= self._fields(plane, texels[plane.name])
        for plane in self._planes:
            if plane.name in self._shared:
                found |= separate(plane, texels[plane.name], found["material"] != 0)
        return found

    def _read(self, plane: Plane) -> np.ndarray:
        """Read the texels of a plane. The next read overwrites the array."""
        if plane.name not in self._readbacks:
            self._readbacks[plane.name] = Readback(*self._size, plane.image, self._layers[plane.name])
        return self._readbacks[plane.name].read(self._pairs[plane.name].read)

    def textures(self) -> dict[str, PlaneTexture]:
        """The texture with the current state of each plane, by name."""
        return {name: pair.read for name, pair in self._pairs.items()}

    def read_into(self, world: World) -> None:
        """Copy the exact state into a world's arrays."""
        for field, array in self._all_fields({plane.name: self._read(plane) for plane in self._planes}).items():
            world.own_array(field)[...] = array

    def field(self, name: str) -> np.ndarray:
        """Read the current state of one field.

        Returns: (height, width) or with more axes, of the field's type. The next read overwrites the array.
        """
        plane = self._of_field[name]
        if plane.name in self._shared:
            return separate(plane, self._read(plane), self.field("material") != 0)[name]
        return self._fields(plane, self._read(plane))[name]

    def write(self, world: World) -> None:
        """Copy a world's arrays to the device."""
        self.write_window((0, 0), world.complete_arrays(), world.obstacles)

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """Read the fields of a rectangle of cells.

        Args:
            at: (column, row) of the top left cell.
            size: (width, height) in cells.
        Returns: new arrays by name, each (height, width) or with more axes, of the field's type.
        Raises: UsageError: the rectangle is not inside the world.
        """
        self._check_window(at, size)
        return self._all_fields({plane.name: self.read_texels(plane.name, (*at, *size)) for plane in self._planes})

    def read_texels(self, name: str, cells: Window) -> np.ndarray:
        """Read the texels of a plane in a rectangle of cells.

        Args:
            name: the name of the plane.
            cells: column and row of the top left cell, width and height.
        Returns: a new array (layers * height, width) of the type of the plane's image, such as uint32.
        """
        _, _, width, height = cells
        read = np.empty((self._layers[name] * height, width), FORMATS[PLANES[name].image][2])
        for number, layer in enumerate(layers_of(self._pairs[name].read)):
            self._copies[name].copy(layer, cells, read[number * height : (number + 1) * height])
        return read

    def copy_layer(self, name: str, layer: int, cells: Window, into: moderngl.Buffer) -> None:
        """Copy the texels of a layer of a plane into a buffer on the device; does not wait for the device.

        Args:
            name: the name of the plane.
            layer: the number of the layer; 0 of a plane without layers.
            cells: column and row of the top left cell, width and height.
            into: the buffer, at least as large.
        """
        self._copies[name].copy(layers_of(self._pairs[name].read)[layer], cells, into)

    def put_texels(self, name: str, cells: Window, words: np.ndarray) -> None:
        """Write the texels of a plane in a rectangle of cells.

        Args:
            name: the name of the plane.
            cells: column and row of the top left cell, width and height.
            words: (bytes,) uint8, the bytes of an array that `read_texels` returns.
        """
        write_layers(self._pairs[name].read, cells[:2], texels_of(name, cells, words).reshape(-1, cells[2]))

    def texel_bytes(self, name: str, cells: Window) -> int:
        """The bytes of a plane in a rectangle of cells, as `read_texels` returns them."""
        return cells[2] * cells[3] * self._layers[name] * bytes_a_texel(PLANES[name].image)

    def write_window(self, at: tuple[int, int], arrays: Mapping[str, np.ndarray], solid: np.ndarray) -> None:
        """Write all fields of a rectangle of cells.

        Args:
            at: (column, row) of the top left cell.
            arrays: the fields by name, each (height, width) or with more axes, of the field's type.
            solid: (height, width) bool, the cells that no amount can enter; see `Laws.obstacles`.
        Raises: UsageError: the rectangle is not inside the world.
        """
        height, width = solid.shape
        self._check_window(at, (width, height))
        for plane in self._planes:
            texels = np.ascontiguousarray(to_texels(plane, arrays, solid), FORMATS[plane.image][2])
            write_layers(self._pairs[plane.name].read, at, texels)

    def _check_window(self, at: tuple[int, int], size: tuple[int, int]) -> None:
        for pair in (at, size):
            if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(map(is_whole, pair)):
                wanted = "expected (column, row) and (width, height), in whole cells"
                raise UsageError(f"window: {shown(pair)}; {wanted}")
        for first, length, side in zip(at, size, self._size, strict=True):
            if first < 0 or length < 1 or first + length > side:
                outside = f"are not all inside the world of {self._size[0]} by {self._size[1]} cells"
                raise UsageError(f"window: {size[0]} by {size[1]} cells at {tuple(at)} {outside}")

    def late(
        self, field: str, tick: int, window: tuple[tuple[int, int], tuple[int, int]] | None = None
    ) -> tuple[int, np.ndarray] | None:
        """Request a field as it is now, and return the field that was requested two calls ago.

        The requests of each field are counted separately, also if several fields lie in one plane.

        Args:
            field: the name of the field.
            tick: returned with the array.
            window: ((column, row), (width, height)) of the cells to copy; None: all cells.
        Returns: (tick, array), the array (height, width) or with more axes, of the field's type; None at the first two
            calls.
        Raises: UnknownFieldError: a field that the world does not have. UsageError: a window not inside the world.
        """
        if not isinstance(field, str) or field not in self._of_field:
            raise UnknownFieldError(str(field), f"no such field{did_you_mean(str(field), self._of_field)}")
        part: Window | None = None
        if window is not None:
            if not isinstance(window, tuple | list) or len(window) != 2:
                raise UsageError(f"window: {shown(window)}; expected ((column, row), (width, height))")
            self._check_window(*window)
            part = (*window[0], *window[1])
        plane = self._of_field[field]
        if plane.name not in self._shared:
            earlier = self._late_texels(field, plane, tick, part)
            return None if earlier is None else (earlier[0], self._fields(plane, earlier[1])[field])
        material = self._of_field["material"]
        with together(self._forget_late):
            earlier = self._late_texels(field, plane, tick, part)
            cells = self._late_texels(f"material beside {field}", material, tick, part)
        if earlier is None or cells is None:
            return None
        return earlier[0], separate(plane, earlier[1], self._fields(material, cells[1])["material"] != 0)[field]

    def _late_texels(self, kept_as: str, plane: Plane, tick: int, part: Window | None) -> tuple[int, np.ndarray] | None:
        """Request the texels of a plane, and return those that the call before the last with the same name requested.

        Args:
            kept_as: the name; requests of each name are counted separately.
            plane: the plane.
            tick: returned with the texels.
            part: the window; None: all cells.
        """
        if kept_as not in self._late:
            self._late[kept_as] = LateReadback(self._device, plane.image, self._copies[plane.name])
        return self._late[kept_as].request(self._pairs[plane.name].read, tick, part)

    def _forget_late(self) -> None:
        """Forget all requests of `late`: the next two calls return None."""
        for late in self._late.values():
            late.forget()

    def add_digest(self, lanes: moderngl.Buffer, own: Window, place: tuple[int, int], whole_height: int) -> None:
        """Add the digests of all planes to ``lanes``, four 32-bit words on the device.

        Args:
            lanes: the words.
            own: the cells to add: column and row of the top left one, width and height.
            place: (column, row) of that cell in the whole world.
            whole_height: rows of the whole world.
        """
        for plane in self._planes:
            program, invocations = self._digest_program(plane), (own[2], -(-own[3] // SUMMED_ROWS))
            for number, layer in enumerate(layers_of(self._pairs[plane.name].read)):
                uniforms: dict[str, Uniform] = {
                    "size": own[2:],
                    "first": own[:2],
                    "place": (place[0], place[1] + number * whole_height),
                }
                program.dispatch(invocations, [layer], uniforms, [lanes])

    def _digest_program(self, plane: Plane) -> Program:
        if plane.name not in self._digests:
            images = [Image("plane", plane.image, "readonly").holding(layers_of(self._pairs[plane.name].read)[0])]
            texts = for_plane(plane, SUMMED_ROWS)
            program = Program(self._device, "digest/digest.comp", images, self._device.group_size, texts)
            self._digests[plane.name] = program
        return self._digests[plane.name]

    def release(self) -> None:
        """Release the textures and buffers."""
        for late in self._late.values():
            late.release()
        for copies in self._copies.values():
            copies.release()
        for pair in self._pairs.values():
            pair.release()
