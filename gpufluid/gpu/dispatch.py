"""The one way to run a compute shader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import moderngl

from gpufluid.core.errors import ShaderError, UsageError
from gpufluid.core.opengl_limits import excess
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.images import Image, images_glsl
from gpufluid.gpu.shader import compile_program

_FIRST = "first_invocation"
_BAND = "list_band"
"""The uniforms by which a band of a pass is told: of all invocations, and of what is listed."""

_INVOCATION = f"""uniform ivec2 {_FIRST};

// Which invocation this is, of all that a pass has, also where they are run in bands.
ivec2 invocation() {{ return ivec2(gl_GlobalInvocationID.xy) + {_FIRST}; }}
"""

_BETWEEN_PASSES = moderngl.Context.SHADER_IMAGE_ACCESS_BARRIER_BIT | moderngl.Context.SHADER_STORAGE_BARRIER_BIT
_ARGUMENT_BYTES = 12
"""Of an indirect dispatch: three words, the groups along x, y and z."""

Uniform = int | float | tuple[int, ...] | tuple[float, ...]
Band = tuple[int, int]
"""(number, of how many): a part of a pass, by groups along the longer axis."""

WHOLE: Band = (0, 1)


class Program:
    """A compiled compute shader with its images and group size.

    Args:
        device: where it runs.
        name: the shader file below ``shaders/``.
        images: what it binds; they and their accessors become ``generated/images.glsl``, which also has
            ``invocation()``.
        group_size: invocations in a group, (x, y); becomes ``GROUP_X`` and ``GROUP_Y`` in the same include.
        generated: further generated includes.
    Raises: ShaderError: it does not compile, or binds more than OpenGL 4.3 promises, see `core.opengl_limits`.
    """

    def __init__(
        self,
        device: Device,
        name: str,
        images: Sequence[Image],
        group_size: tuple[int, int],
        generated: Mapping[str, str],
    ) -> None:
        _check_bound(name, {"images": [image.full_name for image in images]})
        declared = f"#define GROUP_X {group_size[0]}\n#define GROUP_Y {group_size[1]}\n"
        declared += images_glsl(images) + _INVOCATION
        self.name = name
        self.images = tuple(images)
        self.group_size = group_size
        self.device = device
        self.shader = compile_program(device, name, {**generated, "generated/images.glsl": declared})
        members = [self.shader[name] for name in self.shader if name not in {image.variable for image in images}]
        blocks = {"storage blocks": moderngl.StorageBlock, "uniform blocks": moderngl.UniformBlock}
        _check_bound(name, {kind: _named(members, made) for kind, made in blocks.items()})
        self.uniforms = {member.name: member for member in members if isinstance(member, moderngl.Uniform)}
        self.told = {name: self.uniforms.pop(name) for name in (_FIRST, _BAND) if name in self.uniforms}
        if self.shader.extra is None:
            self.shader.extra = {}
        self.given: dict[str, Uniform] = (
            self.shader.extra
        )  # what its uniforms hold; programs of one text share a shader

    def ready(
        self,
        invocations: tuple[int, int],
        textures: Sequence[moderngl.Texture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None] = (),
    ) -> Dispatch:
        """All that one dispatch needs, checked and packed, to be run as often as it is wanted.

        Args:
            invocations: (x, y), rounded up to whole groups: the shader must ignore those beyond.
            textures: one for each image, in order.
            uniforms: values by name; those that the compiler removed may be there too.
            buffers: the storage buffers, at bindings 0, 1, ...; None where the shader has no block.
        Raises: UsageError: more groups than OpenGL runs. ShaderError: a uniform that nobody gives.
        """
        return Dispatch(self, invocations, _Inputs(self, textures, uniforms, buffers))

    def ready_indirect(
        self,
        arguments: moderngl.Buffer,
        offset: int,
        textures: Sequence[moderngl.Texture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None] = (),
    ) -> IndirectDispatch:
        """The same for a dispatch whose groups, (x, y, z), are three words in a buffer that a shader may have written.

        Args:
            arguments: the buffer. None of the three may be over `GROUPS_LIMIT`; nobody can check that from here.
            offset: where in it they lie, in bytes.
            textures, uniforms, buffers: as for `ready`.
        Raises: UsageError: an offset at which no three words lie. ShaderError: a uniform that nobody gives.
        """
        if offset % 4 or not 0 <= offset <= arguments.size - _ARGUMENT_BYTES:
            raise UsageError(f"{self.name}: no three words at byte {offset} of a buffer of {arguments.size}")
        return IndirectDispatch(self, arguments, offset, _Inputs(self, textures, uniforms, buffers))

    def dispatch(
        self,
        invocations: tuple[int, int],
        textures: Sequence[moderngl.Texture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None] = (),
        band: Band = WHOLE,
    ) -> None:
        """Run once, over at least so many invocations; whatever follows sees all that was written. See `ready`."""
        self.ready(invocations, textures, uniforms, buffers).run(band)
        self.device.barrier()


def _check_bound(shader: str, bound: Mapping[str, Sequence[str]]) -> None:
    """Raise ShaderError if a shader binds more than OpenGL 4.3 promises, by the names of each kind."""
    if problem := excess(shader, bound):
        raise ShaderError(problem)


def _named(members: Sequence[object], kind: type[moderngl.StorageBlock | moderngl.UniformBlock]) -> list[str]:
    """The names of a program's members of one kind, sorted."""
    return sorted(member.name for member in members if isinstance(member, kind))


class _Inputs:
    """What a dispatch binds and gives, with the account of what its program was given last."""

    def __init__(
        self,
        program: Program,
        textures: Sequence[moderngl.Texture],
        uniforms: Mapping[str, Uniform],
        buffers: Sequence[moderngl.Buffer | None],
    ) -> None:
        self._device, self._buffers = program.device, tuple(buffers)
        self._images = [
            (texture, image.access != "writeonly", image.access != "readonly")
            for image, texture in zip(program.images, textures, strict=True)
        ]
        for name in program.uniforms:
            if name not in uniforms:
                raise ShaderError(f"{program.name}: nothing gives the uniform {name!r}")
        self._uniforms = [(name, each, uniforms[name]) for name, each in program.uniforms.items()]
        self._told, self._given = list(program.told.items()), program.given

    def run(
        self, call: Callable[..., object], arguments: tuple[object, ...], first: tuple[int, int], listed: Band
    ) -> None:
        """Bind and give what is not there yet, then make a call that dispatches."""
        self._device.bindings.bind(self._images, self._buffers)
        given = self._given
        for name, uniform, value in self._uniforms:
            if given.get(name) != value:
                uniform.value = value
                given[name] = value
        for name, uniform in self._told:
            part = first if name == _FIRST else listed
            if given.get(name) != part:
                uniform.value = part
                given[name] = part
        stopwatch = self._device.stopwatch
        if stopwatch is None:
            call(*arguments)
        else:
            stopwatch.time(call, arguments)
        self._device.context.memory_barrier(_BETWEEN_PASSES)


class Dispatch:
    """A dispatch made ready; see `Program.ready`.

    Dispatches that follow see what it wrote. Before anything else reads it, call `Device.barrier`.
    """

    def __init__(self, program: Program, invocations: tuple[int, int], inputs: _Inputs) -> None:
        groups = tuple(-(-n // size) for n, size in zip(invocations, program.group_size, strict=True))
        if max(groups) > GROUPS_LIMIT:
            raise UsageError(f"{program.name}: {max(groups)} groups on one axis; OpenGL runs at most {GROUPS_LIMIT}")
        self._groups, self._group_size = groups, program.group_size
        self._inputs, self._call = inputs, program.shader.run

    def run(self, band: Band = WHOLE, listed: Band = WHOLE) -> None:
        """Run it, or only a band of it; or let it list what will be run in bands."""
        if band == WHOLE:
            self._inputs.run(self._call, self._groups, (0, 0), listed)
            return
        groups, start = list(self._groups), [0, 0]
        axis = groups.index(max(groups))
        first, end = (groups[axis] * part // band[1] for part in (band[0], band[0] + 1))
        if first == end:
            return
        groups[axis] = end - first
        start[axis] = first * self._group_size[axis]
        self._inputs.run(self._call, tuple(groups), (start[0], start[1]), listed)


class IndirectDispatch:
    """A dispatch made ready whose groups a buffer says when it runs; see `Program.ready_indirect`."""

    def __init__(self, program: Program, arguments: moderngl.Buffer, offset: int, inputs: _Inputs) -> None:
        self._context, self._arguments = program.device.context, (arguments, offset)
        self._inputs, self._call = inputs, program.shader.run_indirect

    def run(self, band: Band = WHOLE) -> None:
        """Run it, or only a band of what is listed."""
        self._context.memory_barrier(moderngl.Context.COMMAND_BARRIER_BIT)  # a shader may just have written how much
        self._inputs.run(self._call, self._arguments, (0, 0), band)
