"""The planes of the worlds of a batch on the device: upload, first states, readback at once or late, digests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import moderngl
import numpy as np

from gpufluid.core.fields import Plane
from gpufluid.core.packing import from_texels, separate, to_texels
from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program, Uniform
from gpufluid.gpu.generated import for_plane
from gpufluid.gpu.images import Image
from gpufluid.gpu.planes import SUMMED_ROWS
from gpufluid.gpu.readback import LateReadback, Readback, WindowCopies, together
from gpufluid.gpu.textures import FORMATS, ArrayTexture, Pair, PlaneTexture, bytes_a_texel, layer_counts, layers_of
from gpufluid.world import World


class BatchPlanes:
    """The planes of the worlds of a batch; ``planes[name].read`` is the current state of a plane of all worlds.

    Args:
        device: the device that holds them.
        worlds: the first states.
        atlas: the places of the worlds.
        gathered: the names of the planes that a pass gathers; each needs a second texture.
    """

    def __init__(self, device: Device, worlds: Sequence[World], atlas: Atlas, gathered: Iterable[str]) -> None:
        self._device, self._atlas = device, atlas
        world = worlds[0]
        self._size = world.width, world.height
        self._planes = world.planes
        self._layers = layer_counts(world)
        self._shared = {plane.name for plane in self._planes if plane.instead in world.fields}
        self.of_field = {field: plane for plane in self._planes for field in plane.fields}
        self.of_field |= {plane.instead: plane for plane in self._planes if plane.name in self._shared}
        self._pairs: dict[str, Pair] = {}
        self._firsts: dict[str, PlaneTexture] = {}
        self._readbacks: dict[str, Readback] = {}
        self._copies = {plane.name: WindowCopies(device, plane.image) for plane in self._planes}
        self._late: dict[str, LateReadback] = {}
        self._digests: dict[str, Program] = {}
        self._restores: dict[str, Program] = {}
        for plane in self._planes:
            texels = self._texels(plane, worlds)
            second = self._make(plane) if plane.name in gathered else None
            self._pairs[plane.name] = Pair(self._make(plane, texels), second)
            self._firsts[plane.name] = self._make(plane, texels)

    def __getitem__(self, name: str) -> Pair:
        """The textures of a plane."""
        return self._pairs[name]

    def _make(self, plane: Plane, texels: np.ndarray | None = None) -> PlaneTexture:
        return self._atlas.plane(self._device, plane, self._size, self._layers[plane.name], texels)

    @staticmethod
    def _texels(plane: Plane, worlds: Sequence[World]) -> np.ndarray:
        """The texels of a plane of some worlds, (worlds, layers * height, width)."""
        different = {id(world): world for world in worlds}  # several may begin with the same world
        found = {key: to_texels(plane, each.complete_arrays(), each.obstacles) for key, each in different.items()}
        return np.stack([found[id(world)] for world in worlds]).astype(FORMATS[plane.image][2], copy=False)

    def keep_first(self, worlds: Mapping[int, World]) -> None:
        """Replace the first states of some worlds, by index; the current states stay as they are."""
        for plane in self._planes:
            for number, world in worlds.items():
                self._atlas.write_block(self._firsts[plane.name], number, self._texels(plane, [world])[0])

    def restore(self, chosen: moderngl.Buffer) -> None:
        """Copy the first states of some worlds over their current ones, in one dispatch a layer of a plane.

        Args:
            chosen: a word a world: 1: restore it, 0: leave it.
        """
        for plane in self._planes:
            firsts, current = layers_of(self._firsts[plane.name]), layers_of(self._pairs[plane.name].read)
            program = self._restore_program(plane)
            for layers in zip(firsts, current, strict=True):
                program.dispatch(self._size, layers, {}, [chosen])

    def _restore_program(self, plane: Plane) -> Program:
        if plane.name not in self._restores:
            images = [Image("first", plane.image, "readonly"), Image("plane", plane.image, "writeonly")]
            group = self._device.group_size
            self._restores[plane.name] = Program(self._device, "batch/restore.comp", images, group, {}, self._atlas)
        return self._restores[plane.name]

    def _fields(self, plane: Plane, texels: np.ndarray) -> dict[str, np.ndarray]:
        """The fields of a plane, (worlds, ...), from the texels of the whole atlas."""
        layers = self._layers[plane.name]
        own = self._atlas.divided(texels, layers)
        if layers == 1 and not plane.layered:  # worlds one below the other are as one high world
            high = from_texels(plane, own.reshape(-1, *own.shape[2:]), 1)
            return {name: array.reshape(len(own), -1, *array.shape[1:]) for name, array in high.items()}
        each = [from_texels(plane, one, layers) for one in own]
        return {name: np.stack([one[name] for one in each]) for name in each[0]}

    def _read(self, plane: Plane) -> np.ndarray:
        """The texels of a plane of the whole atlas. The next read overwrites the array."""
        texture = self._pairs[plane.name].read
        if plane.name not in self._readbacks:
            self._readbacks[plane.name] = Readback(texture.width, texture.height, plane.image, self._layers[plane.name])
        return self._readbacks[plane.name].read(texture)

    def _separated(self, plane: Plane, texels: np.ndarray, material: np.ndarray) -> dict[str, np.ndarray]:
        """The fields of a plane that two kinds of cells share, (worlds, ...)."""
        own = self._atlas.divided(texels)
        high = separate(plane, own.reshape(-1, own.shape[2]), material.reshape(-1, material.shape[2]) != 0)
        return {name: array.reshape(len(own), -1, *array.shape[1:]) for name, array in high.items()}

    def read(self) -> dict[str, np.ndarray]:
        """The exact state of all worlds by field: new arrays (worlds, height, width), or with more axes.

        Each has the field's type.
        """
        found: dict[str, np.ndarray] = {}
        for plane in self._planes:
            found |= {name: array.copy() for name, array in self._fields(plane, self._read(plane)).items()}
        for plane in self._planes:
            if plane.name in self._shared:
                found |= self._separated(plane, self._read(plane), found["material"])
        return found

    def late(self, field: str, label: int) -> tuple[int, np.ndarray] | None:
        """Request a field as it is now, and return the one that was requested two calls ago, with its label.

        Returns: (label, array), the array (worlds, height, width) or with more axes, of the field's type; None at the
            first two calls.
        """
        plane = self.of_field[field]
        if plane.name not in self._shared:
            earlier = self._late_texels(field, plane, label)
            return None if earlier is None else (earlier[0], self._fields(plane, earlier[1])[field])
        material = self.of_field["material"]
        with together(self.forget_late):
            earlier = self._late_texels(field, plane, label)
            cells = self._late_texels(f"material beside {field}", material, label)
        if earlier is None or cells is None:
            return None
        return earlier[0], self._separated(plane, earlier[1], self._fields(material, cells[1])["material"])[field]

    def _late_texels(self, kept_as: str, plane: Plane, label: int) -> tuple[int, np.ndarray] | None:
        if kept_as not in self._late:
            self._late[kept_as] = LateReadback(self._device, plane.image, self._copies[plane.name])
        return self._late[kept_as].request(self._pairs[plane.name].read, label)

    def forget_late(self) -> None:
        """Forget all requests of `late`: the next two calls return None."""
        for late in self._late.values():
            late.forget()

    def copy_world(self, number: int, into: Mapping[str, moderngl.Texture | ArrayTexture]) -> None:
        """Copy the current state of one world to textures of its own, by plane; does not wait for the device."""
        (column, row), (width, height) = self._atlas.place(number), self._size
        window = column * width, row * height, width, height
        for plane in self._planes:
            buffer = self._device.buffer(width * height * bytes_a_texel(plane.image))
            layers = layers_of(self._pairs[plane.name].read)
            for layer, own in zip(layers, layers_of(into[plane.name]), strict=True):
                self._copies[plane.name].copy(layer, window, buffer)
                own.write(buffer, (0, 0, width, height), alignment=1)
            buffer.release()

    def add_digests(self, lanes: moderngl.Buffer) -> None:
        """Add the digests of all planes to ``lanes``, four 32-bit words a world on the device."""
        for plane in self._planes:
            invocations = self._size[0], -(-self._size[1] // SUMMED_ROWS)
            program = self._digest_program(plane)
            for number, layer in enumerate(layers_of(self._pairs[plane.name].read)):
                place = 0, number * self._size[1]
                uniforms: dict[str, Uniform] = {"size": self._size, "first": (0, 0), "place": place}
                program.dispatch(invocations, [layer], uniforms, [lanes])

    def _digest_program(self, plane: Plane) -> Program:
        if plane.name not in self._digests:
            images = [Image("plane", plane.image, "readonly")]
            texts = for_plane(plane, SUMMED_ROWS)
            group = self._device.group_size
            self._digests[plane.name] = Program(self._device, "digest/digest.comp", images, group, texts, self._atlas)
        return self._digests[plane.name]

    def release(self) -> None:
        """Release the textures and buffers."""
        for kept in (*self._late.values(), *self._copies.values(), *self._pairs.values(), *self._firsts.values()):
            kept.release()
