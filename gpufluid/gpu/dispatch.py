"""The one function that runs a compute shader, and the declarations that bind it to its images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import moderngl

from gpufluid.errors import ShaderError, UsageError
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.shader import compile_program

_INVOCATION = """uniform ivec2 first_invocation;

// Which invocation this is, of all that a pass has, also where they are run in bands.
ivec2 invocation() { return ivec2(gl_GlobalInvocationID.xy) + first_invocation; }
"""

Access = Literal["readonly", "writeonly", "both"]
Uniform = int | float | tuple[int, ...] | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Image:
    """An image as a shader sees it.

    Args:
        name: in GLSL.
        format: GLSL image format.
        access: what the shader does with it.
    """

    name: str
    format: str
    access: Access

    def declare(self, binding: int) -> str:
        """The GLSL declaration."""
        prefix = {"ui": "u", "2i": "i"}.get(self.format[-2:], "")
        qualifier = "" if self.access == "both" else f"{self.access} "
        return f"layout({self.format}, binding = {binding}) {qualifier}uniform {prefix}image2D {self.name};\n"


class Program:
    """A compiled compute shader with its images and group size.

    Args:
        device: where it runs.
        name: the shader file below ``shaders/``.
        images: what it binds; they become ``generated/images.glsl``, which also has ``invocation()``.
        group_size: invocations in a group, (x, y); becomes ``GROUP_X`` and ``GROUP_Y`` in the same include.
        generated: further generated includes.
    Raises: ShaderError: it does not compile.
    """

    def __init__(
        self,
        device: Device,
        name: str,
        images: Sequence[Image],
        group_size: tuple[int, int],
        generated: Mapping[str, str],
    ) -> None:
        declared = f"#define GROUP_X {group_size[0]}\n#define GROUP_Y {group_size[1]}\n"
        declared += "".join(image.declare(binding) for binding, image in enumerate(images)) + _INVOCATION
        self.name = name
        self.images = tuple(images)
        self.group_size = group_size
        self._device = device
        self._shader = compile_program(device, name, {**generated, "generated/images.glsl": declared})
        members = [self._shader[name] for name in self._shader if name not in {image.name for image in images}]
        self._uniforms = {member.name: member for member in members if isinstance(member, moderngl.Uniform)}

    def dispatch(
        self,
        invocations: tuple[int, int],
        textures: Sequence[moderngl.Texture],
        uniforms: Mapping[str, Uniform],
        buffer: moderngl.Buffer | None = None,
        band: tuple[int, int] = (0, 1),
    ) -> None:
        """Run over at least so many invocations; what follows sees all that was written.

        Args:
            invocations: (x, y), rounded up to whole groups: the shader must ignore those beyond.
            textures: one for each image, in order.
            uniforms: values by name; those that the compiler removed may be there too.
            buffer: the storage buffer, at binding 0.
            band: (number, of how many): only this part of them, by groups along the longer axis.
        Raises: UsageError: more groups than OpenGL runs. ShaderError: a uniform that nobody gives.
        """
        groups = [-(-n // size) for n, size in zip(invocations, self.group_size, strict=True)]
        if max(groups) > GROUPS_LIMIT:
            raise UsageError(f"{self.name}: {max(groups)} groups on one axis; OpenGL runs at most {GROUPS_LIMIT}")
        axis = groups.index(max(groups))
        first, end = (groups[axis] * part // band[1] for part in (band[0], band[0] + 1))
        groups[axis] = end - first
        if first == end:
            return
        for binding, (image, texture) in enumerate(zip(self.images, textures, strict=True)):
            texture.bind_to_image(binding, image.access != "writeonly", image.access != "readonly")
        start = [0, 0]
        start[axis] = first * self.group_size[axis]
        given = {**uniforms, "first_invocation": tuple(start)}
        for name, uniform in self._uniforms.items():
            if name not in given:
                raise ShaderError(f"{self.name}: nothing gives the uniform {name!r}")
            uniform.value = given[name]
        if buffer is not None:
            buffer.bind_to_storage_buffer(0)
        self._shader.run(*groups)
        self._device.context.memory_barrier()
