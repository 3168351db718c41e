"""The one dispatch function: every cell is reached, what follows sees it, and nothing is refused in silence."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import numpy as np
import pytest
from support.probes import probe

from gpufluid.errors import ShaderError, UsageError
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.dispatch import Image
from gpufluid.gpu.textures import make_texture

CELLS = Image("cells", "r32i", "both")
ADD = """
uniform ivec2 size;
uniform int amount;
void main()
{
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (cell.x < size.x && cell.y < size.y)
        imageStore(cells, cell, imageLoad(cells, cell) + amount);
}
"""


@pytest.fixture
def current(device: Device) -> Iterator[Device]:
    """The device, its context current."""
    with device:
        yield device


def texels(texture: moderngl.Texture) -> np.ndarray:
    return np.frombuffer(texture.read(alignment=1), np.int32).reshape(texture.height, texture.width)


@pytest.mark.parametrize("size", [(1, 1), (8, 4), (9, 5), (7, 3), (100, 33)], ids=str)
def test_every_cell_is_reached_and_seen_by_the_next_dispatch(current: Device, size: tuple[int, int]) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, *size, "r32i")
    for amount in range(1, 21):
        program.dispatch(size, [cells], {"size": size, "amount": amount})
    assert (texels(cells) == 210).all()


@pytest.mark.parametrize("invocations", [(8 * GROUPS_LIMIT + 1, 1), (1, 4 * GROUPS_LIMIT + 1)])
def test_more_groups_than_opengl_runs_are_refused(current: Device, invocations: tuple[int, int]) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, 1, 1, "r32i")
    with pytest.raises(
        UsageError, match=r"^generated/probe\.comp: 65536 groups on one axis; OpenGL runs at most 65535$"
    ):
        program.dispatch(invocations, [cells], {"size": (1, 1), "amount": 1})
    assert texels(cells) == 0


def test_as_many_groups_as_opengl_runs_do_run(current: Device) -> None:
    program, cells = probe(current, ADD, [CELLS], group_size=(1, 1)), make_texture(current, 1, 1, "r32i")
    program.dispatch((GROUPS_LIMIT, 1), [cells], {"size": (1, 1), "amount": 3})
    assert texels(cells) == 3


def test_a_uniform_that_nobody_gives_is_an_error(current: Device) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, 1, 1, "r32i")
    with pytest.raises(ShaderError, match=r"^generated/probe\.comp: nothing gives the uniform 'amount'$"):
        program.dispatch((1, 1), [cells], {"size": (1, 1)})


def test_uniforms_that_the_compiler_removed_may_be_given(current: Device) -> None:
    program = probe(current, "uniform int unused;\nvoid main() {}\n")
    program.dispatch((1, 1), [], {"unused": 1, "unheard_of": 2})


def test_every_image_wants_its_texture(current: Device) -> None:
    with pytest.raises(ValueError, match="zip"):
        probe(current, ADD, [CELLS]).dispatch((1, 1), [], {"size": (1, 1), "amount": 1})


@pytest.mark.parametrize(
    ("image", "declaration"),
    [
        (Image("a", "r8ui", "readonly"), "layout(r8ui, binding = 3) readonly uniform uimage2D a;\n"),
        (Image("b", "r32i", "writeonly"), "layout(r32i, binding = 3) writeonly uniform iimage2D b;\n"),
        (Image("c", "rgba8", "both"), "layout(rgba8, binding = 3) uniform image2D c;\n"),
    ],
)
def test_an_image_is_declared_by_its_format_and_access(image: Image, declaration: str) -> None:
    assert image.declare(3) == declaration
