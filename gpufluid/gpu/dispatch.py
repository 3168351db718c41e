"""Compute shaders: programs and their dispatches. No other module makes a dispatch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import moderngl

from gpufluid.core.errors import ShaderError, UsageError
from gpufluid.core.opengl_limits import excess
from gpufluid.gpu.atlas import Atlas, world_glsl
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.images import Image, images_glsl
from gpufluid.gpu.shader import compile_program
from gpufluid.gpu.textures import PlaneTexture

_FIRST = "first_invocation"
"""The uniform with the first invocation of a band, (x, y)."""

_BAND = "list_band"
"""The uniform with the band of a pass over listed tiles, (index, count)."""

_INVOCATION = f"""uniform ivec2 {_FIRST};

// The index of this invocation in the whole pass, even if the pass runs in bands.
ivec2 invocation() {{ return ivec2(gl_GlobalInvocationID.xy) + {_FIRST}; }}
"""

_BETWEEN_PASSES = moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT | moderngl.Context.SHADER_STORAGE_BARRIER_BIT
"""The barrier after each dispatch: later dispatches see its writes to images and storage buffers."""

ARGUMENT_BYTES = 12
"""Bytes of the arguments of an indirect dispatch: three words, the groups along x, y and z."""

Uniform = int | float | tuple[int, ...] | tuple[float, ...] | tuple[tuple[int, int], ...]
"""The value of a uniform: a number, the components of a vector, or an array of pairs."""

Band = tuple[int, int]
"""(index, count): one of ``count`` parts into which the groups of a pass are divided, along the longer axis."""

WHOLE: Band = (0, 1)
"""The only band of a pass that is not divided."""


class Program:
    """A compiled compute shader with its images and group size.

    Args:
        device: the device that runs it.
        name: the path of the shader file in ``shaders/``.
        images: the images that it binds. The include ``generated/images.glsl`` declares them and their accessors, and
            ``invocation()``.
        group_size: invocations in a group, (x, y); the same include defines them as ``GROUP_X`` and ``GROUP_Y``.
        generated: the texts of further generated includes, by name.
        atlas: the worlds of a batch, on each of which a dispatch works; None: one world.
    Raises: ShaderError: the shader does not compile, or binds more than OpenGL 4.3 guarantees (`core.opengl_limits`).
    """

    def __init__(
        self,
        device: Device,
        name: str,
        images: Sequence[Image],
        group_size: tuple[int, int],
        generated: Mapping[str, str],
        atlas: Atlas | None = None,
    ) -> None:
        _check_bound(name, {"images": [image.full_name for image in images]})
        declared = f"#define GROUP_X {group_size[0]}\n#define GROUP_Y {group_size[1]}\n"
        declared += images_glsl(images, atlas is not None) + _INVOCATION
        self.name = name
        self.atlas = atlas
        self.images = tuple(images)
        self.group_size = group_size
        self.device = device
        texts = {**generated, "generated/world.glsl": world_glsl(atlas is not None)}
        self.shader = compile_program(device, name, {**texts, "generated/images.glsl": declared})
        members = [self.shader[name] for name in self.shader if name not in {image.variable for image in images}]
        blocks = {"storage blocks": moderngl.StorageBlock, "uniform blocks": moderngl.UniformBlock}
        _check_bound(name, {kind: _named(members, made) for kind, made in blocks.items()})
        self.uniforms = {member.name: member for member in members if isinstance(member, moderngl.Uniform)}
        self.band_uniforms = {name: self.uniforms.pop(name) for name in (_FIRST, _BAND) if name in self.uniforms}
        if self.shader.extra is None:
            self.shader.extra = {}
        # The values are stored with the compiled shader, because programs of the same text share that shader.
        self.uniform_values: dict[str, Uniform] = self.shader.extra

    def prepare(
        self,
        invocations: tuple[int, int],
        textures: Sequence[PlaneTexture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None] = (),
    ) -> Dispatch:
        """Check and prepare a dispatch, which can then run many times.

        Args:
            invocations: (x, y). They are rounded up to whole groups; the shader must ignore the additional invocations.
            textures: one for each image, in order.
            uniforms: values by name. Values for uniforms that the compiler removed are ignored.
            buffers: the storage buffers, at bindings 0, 1, ...; None at a binding that the shader does not use.
        Raises: UsageError: more groups than OpenGL runs. ShaderError: a uniform without a value.
        """
        return Dispatch(self, invocations, _Inputs(self, textures, uniforms, buffers))

    def prepare_indirect(
        self,
        arguments: moderngl.Buffer,
        offset: int,
        textures: Sequence[PlaneTexture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None] = (),
    ) -> IndirectDispatch:
        """Check and prepare an indirect dispatch, which reads its number of groups from a buffer on the device.

        Args:
            arguments: the buffer, which has three words: the groups along x, y and z. Each must be `GROUPS_LIMIT` at
                most, which cannot be checked here.
            offset: the position of the three words in the buffer, in bytes.
            textures, uniforms, buffers: as for `prepare`.
        Raises: UsageError: no three words at that offset. ShaderError: a uniform without a value.
        """
        if offset % 4 or not 0 <= offset <= arguments.size - ARGUMENT_BYTES:
            raise UsageError(f"{self.name}: no three words at byte {offset} of a buffer of {arguments.size} bytes")
        return IndirectDispatch(self, arguments, offset, _Inputs(self, textures, uniforms, buffers))

    def dispatch(
        self,
        invocations: tuple[int, int],
        textures: Sequence[PlaneTexture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None] = (),
        band: Band = WHOLE,
    ) -> None:
        """Run a dispatch once, and make its writes visible to every later operation. Arguments as for `prepare`."""
        self.prepare(invocations, textures, uniforms, buffers).run(band)
        self.device.barrier()


def _check_bound(shader: str, bound: Mapping[str, Sequence[str]]) -> None:
    """Raise ShaderError if a shader binds more than OpenGL 4.3 guarantees.

    Args:
        shader: the name of the shader file.
        bound: the names of what the shader binds, by kind, such as ``images``.
    """
    if problem := excess(shader, bound):
        raise ShaderError(problem)


def _named(members: Sequence[object], kind: type[moderngl.StorageBlock | moderngl.UniformBlock]) -> list[str]:
    """The names of a program's members of one kind, sorted."""
    return sorted(member.name for member in members if isinstance(member, kind))


def _places(program: Program, textures: Sequence[PlaneTexture]) -> dict[str, Uniform]:
    """The uniforms by which a program finds the texels of a cell: of a world of a batch, or of a plane in a buffer."""
    bound = list(zip(program.images, textures, strict=True))
    places: dict[str, Uniform] = {image.row: texture.width for image, texture in bound if image.in_buffer}
    if program.atlas is None:
        return places
    blocks = {image.block: program.atlas.block(texture) for image, texture in bound if not image.is_table}
    return places | {"batch_shift": program.atlas.shift} | blocks


class _Inputs:
    """The images, buffers and uniform values of a dispatch. A uniform is set only if its value has changed."""

    def __init__(
        self,
        program: Program,
        textures: Sequence[PlaneTexture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None],
    ) -> None:
        self._device, self._buffers = program.device, tuple(buffers)
        self._images = [
            (image.bound(texture), image.access != "writeonly", image.access != "readonly")
            for image, texture in zip(program.images, textures, strict=True)
        ]
        uniforms = {**uniforms, **_places(program, textures)}
        for name in program.uniforms:
            if name not in uniforms:
                given = f"there are values for {sorted(uniforms)}"
                raise ShaderError(f"{program.name}: the uniform {name!r} has no value; {given}")
        self._uniforms = [(name, each, uniforms[name]) for name, each in program.uniforms.items()]
        self._band_uniforms, self._values = list(program.band_uniforms.items()), program.uniform_values
        self._run_indirect = program.shader.run_indirect

    def compile(self, no_groups: moderngl.Buffer) -> None:
        """Let the driver generate the machine code for these images, by a dispatch of no group.

        Drivers such as Mesa's software renderer do this before a program's first dispatch, whatever its size.

        Args:
            no_groups: a buffer that begins with three words 0.
        """
        self.run(self._run_indirect, (no_groups, 0), (0, 0), WHOLE)

    def run(
        self, call: Callable[..., object], arguments: tuple[object, ...], first: tuple[int, int], listed: Band
    ) -> None:
        """Bind images and buffers, set uniforms, then dispatch.

        Args:
            call: the function that dispatches.
            arguments: its arguments.
            first: the first invocation of the band, (x, y).
            listed: the band, for a pass over listed tiles.
        """
        self._device.bindings.bind(self._images, self._buffers)
        present = self._values
        for name, uniform, value in self._uniforms:
            if present.get(name) != value:
                uniform.value = value
                present[name] = value
        for name, uniform in self._band_uniforms:
            value = first if name == _FIRST else listed
            if present.get(name) != value:
                uniform.value = value
                present[name] = value
        stopwatch = self._device.stopwatch
        if stopwatch is None:
            call(*arguments)
        else:
            stopwatch.time(call, arguments)
        self._device.context.memory_barrier(_BETWEEN_PASSES)


class Dispatch:
    """A prepared dispatch; see `Program.prepare`.

    Later dispatches see its writes. Before any other operation reads them, call `Device.barrier`.
    """

    count = 1  # of dispatches

    def __init__(self, program: Program, invocations: tuple[int, int], inputs: _Inputs) -> None:
        groups = tuple(-(-n // size) for n, size in zip(invocations, program.group_size, strict=True))
        if max(groups) > GROUPS_LIMIT:
            raise UsageError(f"{program.name}: {max(groups)} groups on one axis; OpenGL runs at most {GROUPS_LIMIT}")
        self._groups, self._group_size = groups, program.group_size
        self._layers = () if program.atlas is None else (program.atlas.count,)
        self._inputs, self._call = inputs, program.shader.run

    def compile(self, no_groups: moderngl.Buffer) -> None:
        """Let the driver generate machine code, and run nothing; see `_Inputs.compile`."""
        self._inputs.compile(no_groups)

    def run(self, band: Band = WHOLE, listed: Band = WHOLE) -> None:
        """Run the dispatch, or one band of it.

        Args:
            band: the band of this dispatch to run.
            listed: for a dispatch that lists tiles: (0, count), where ``count`` is the number of bands in which the
                dispatch over the listed tiles will run.
        """
        if band == WHOLE:
            self._inputs.run(self._call, (*self._groups, *self._layers), (0, 0), listed)
            return
        groups, start = list(self._groups), [0, 0]
        axis = groups.index(max(groups))
        first, end = (groups[axis] * part // band[1] for part in (band[0], band[0] + 1))
        if first == end:
            return
        groups[axis] = end - first
        start[axis] = first * self._group_size[axis]
        self._inputs.run(self._call, (*groups, *self._layers), (start[0], start[1]), listed)


class IndirectDispatch:
    """A prepared indirect dispatch; see `Program.prepare_indirect`."""

    def __init__(self, program: Program, arguments: moderngl.Buffer, offset: int, inputs: _Inputs) -> None:
        self._context, self._arguments = program.device.context, (arguments, offset)
        self._inputs, self._call = inputs, program.shader.run_indirect

    def compile(self, no_groups: moderngl.Buffer) -> None:
        """Let the driver generate machine code, and run nothing; see `_Inputs.compile`."""
        self._inputs.compile(no_groups)

    def run(self, band: Band = WHOLE) -> None:
        """Run the dispatch, or one band of the listed tiles."""
        self._context.memory_barrier(moderngl.Context.COMMAND_BARRIER_BIT)  # a shader has written the numbers of groups
        self._inputs.run(self._call, self._arguments, (0, 0), band)
