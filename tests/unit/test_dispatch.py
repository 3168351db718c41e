"""Dispatches reach every cell, later operations see their writes, and every refusal is an error."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import moderngl
import numpy as np
import pytest
from support.probes import probe

from gpufluid.core.errors import ShaderError, UsageError
from gpufluid.gpu.device import GROUPS_LIMIT, Device
from gpufluid.gpu.dispatch import ARGUMENT_BYTES
from gpufluid.gpu.images import Image
from gpufluid.gpu.textures import make_texture
from gpufluid.gpu.tick_block import TickBlock, tick_glsl
from gpufluid.world.domain import Domain, Part

CELLS = Image("cells", "r32i", "both")
ADD = """
uniform ivec2 size;
uniform int amount;
void main()
{
    ivec2 cell = invocation();
    if (cell.x < size.x && cell.y < size.y)
        store_cells(cell, load_cells(cell) + amount);
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


def test_a_dispatch_that_is_only_compiled_writes_nothing(current: Device) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, 9, 5, "r32i")
    dispatch = program.prepare((9, 5), [cells], {"size": (9, 5), "amount": 3})
    dispatch.compile(current.buffer(data=bytes(ARGUMENT_BYTES)))
    current.barrier()
    assert not texels(cells).any()
    dispatch.run()
    current.barrier()
    assert (texels(cells) == 3).all()


PREPARED = """
import sys
import gpufluid
world = gpufluid.World(40, 40, rules=("flow",))
world["mass"][:20] = gpufluid.FULL
with gpufluid.Simulation(world) as sim:
    if "compile" in sys.argv:
        with sim._current():
            sim._runner.compile(sim.tick)
    if "step" in sys.argv:
        sim.step()
    sim.finish()
"""


def test_after_compile_the_first_tick_compiles_nothing(tmp_path: Path) -> None:
    """Counted in the driver's cache, which has a file for each program and for the machine code of each.

    A process that ends on a busy machine may leave one of them unwritten, so there are two that only compile.
    """
    folder, found = tmp_path / "cache", []
    environment = os.environ | {
        "MESA_SHADER_CACHE_DIR": str(folder),
        "MESA_SHADER_CACHE_DISABLE": "false",
        "MESA_DISK_CACHE_MULTI_FILE": "1",  # without it Mesa 25.0 keeps a fixed number of files
    }
    for words in ((), ("compile",), ("compile",), ("compile", "step")):
        subprocess.run([sys.executable, "-c", PREPARED, *words], env=environment, check=True)
        found.append(sum(path.is_file() for path in folder.rglob("*")))
    if not found[0]:
        pytest.skip("this driver keeps no cache in a folder of our choice")
    assert found[0] < found[2] == found[3]


@pytest.mark.parametrize("invocations", [(8 * GROUPS_LIMIT + 1, 1), (1, 4 * GROUPS_LIMIT + 1)])
def test_more_groups_than_opengl_runs_are_refused(current: Device, invocations: tuple[int, int]) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, 1, 1, "r32i")
    with pytest.raises(
        UsageError, match=r"^generated/probe\.comp: 65536 groups on one axis; OpenGL runs at most 65535$"
    ):
        program.dispatch(invocations, [cells], {"size": (1, 1), "amount": 1})
    assert texels(cells) == 0


def test_the_largest_number_of_groups_runs(current: Device) -> None:
    program, cells = probe(current, ADD, [CELLS], group_size=(1, 1)), make_texture(current, 1, 1, "r32i")
    program.dispatch((GROUPS_LIMIT, 1), [cells], {"size": (1, 1), "amount": 3})
    assert texels(cells) == 3


def test_a_missing_uniform_is_an_error(current: Device) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, 1, 1, "r32i")
    with pytest.raises(
        ShaderError, match=r"^generated/probe\.comp: the uniform 'amount' has no value; there are values for \[.*\]$"
    ):
        program.dispatch((1, 1), [cells], {"size": (1, 1)})


def test_uniforms_that_the_compiler_removed_may_be_given(current: Device) -> None:
    program = probe(current, "uniform int unused;\nvoid main() {}\n")
    program.dispatch((1, 1), [], {"unused": 1, "unheard_of": 2})


def test_a_missing_texture_is_an_error(current: Device) -> None:
    with pytest.raises(ValueError, match="zip"):
        probe(current, ADD, [CELLS]).dispatch((1, 1), [], {"size": (1, 1), "amount": 1})


def test_bindings_and_uniforms_are_set_again_after_other_dispatches(current: Device) -> None:
    """A uniform is set again if another program of the same text has changed it."""
    ours, same, other = probe(current, ADD, [CELLS]), probe(current, ADD, [CELLS]), probe(current, ADD + "\n", [CELLS])
    first, second = make_texture(current, 3, 2, "r32i"), make_texture(current, 3, 2, "r32i")
    ready = ours.prepare((3, 2), [first], {"size": (3, 2), "amount": 1})
    for _ in range(3):
        ready.run()
        same.dispatch((3, 2), [second], {"size": (2, 2), "amount": 10})
        ready.run()
        other.dispatch((3, 2), [second], {"size": (1, 1), "amount": 100})
    assert (texels(first) == 6).all()
    assert texels(second).tolist() == [[330, 30, 0], [30, 30, 0]]


def test_bindings_by_the_owner_of_the_context_do_not_affect_a_run(device: Device) -> None:
    """A context can belong to a caller, who may bind other objects between our calls."""
    with device:
        ours, theirs = make_texture(device, 1, 1, "r32i"), make_texture(device, 1, 1, "r32i")
        ready = probe(device, ADD, [CELLS]).prepare((1, 1), [ours], {"size": (1, 1), "amount": 1})
        ready.run()
    with device:  # as code that knows nothing of `device.bindings` would
        theirs.bind_to_image(0)
    with device:
        ready.run()
        device.barrier()
        assert (texels(ours), texels(theirs)) == (2, 0)


@pytest.mark.parametrize("bands", [1, 2, 3, 7, 100])
def test_bands_together_cover_the_whole_dispatch(current: Device, bands: int) -> None:
    program, cells = probe(current, ADD, [CELLS]), make_texture(current, 9, 50, "r32i")
    ready = program.prepare((9, 50), [cells], {"size": (9, 50), "amount": 1})
    for number in range(bands):
        ready.run((number, bands))
    ready.run()
    current.barrier()
    assert (texels(cells) == 2).all()


COPY = """
layout(std430, binding = 0) buffer From { uint from[]; };
layout(std430, binding = 1) buffer To { uint to[]; };
void main() { to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x]; }
"""


def test_storage_buffers_are_bound_in_order(current: Device) -> None:
    program = probe(current, COPY, group_size=(1, 1))
    one, two = current.context.buffer(b"abcd"), current.context.buffer(b"efgh")
    three = current.context.buffer(reserve=4)
    program.dispatch((1, 1), [], {}, [one, three])
    assert three.read() == b"abcd"
    program.dispatch((1, 1), [], {}, [two, three])
    assert three.read() == b"efgh"


HOW_MANY = """
layout(std430, binding = 0) buffer Arguments { uint groups[]; };
void main() { groups[1] = 3u; groups[2] = 2u; groups[3] = 1u; }
"""


def test_an_indirect_dispatch_runs_the_groups_that_a_shader_counted(current: Device) -> None:
    arguments, cells = current.context.buffer(reserve=16), make_texture(current, 5, 5, "r32i")
    counting, adding = probe(current, HOW_MANY, group_size=(1, 1)), probe(current, ADD, [CELLS], group_size=(1, 1))
    counting.dispatch((1, 1), [], {}, [arguments])
    uniforms = {"size": (5, 5), "amount": 4}
    adding.prepare_indirect(arguments, 4, [cells], uniforms).run()
    current.barrier()
    expected = np.zeros((5, 5), int)
    expected[:2, :3] = 4
    np.testing.assert_array_equal(texels(cells), expected)
    with pytest.raises(ShaderError, match=r"the uniform 'size' has no value; there are values for \[.*\]$"):
        adding.prepare_indirect(arguments, 4, [cells], {"amount": 4})


@pytest.mark.parametrize("offset", [-4, 2, 8, 16])
def test_an_offset_without_three_words_is_refused(current: Device, offset: int) -> None:
    arguments, program = current.context.buffer(reserve=16), probe(current, "void main() {}\n")
    with pytest.raises(UsageError, match=rf"no three words at byte {offset} of a buffer of 16 bytes$"):
        program.prepare_indirect(arguments, offset, [], {})


TICK = """
layout(std430, binding = 0) buffer Words { uvec4 words[3]; };
void main()
{
    words[0] = uvec4(uvec2(size), tick, domain_seed);
    words[1] = uvec4(uvec2(domain_origin), uvec2(domain_whole_size));
    words[2] = uvec4(uvec2(domain_own), uvec2(domain_own_columns));
}
"""


def test_each_world_has_its_own_tick_block(current: Device) -> None:
    program, buffer = probe(current, tick_glsl() + TICK, group_size=(1, 1)), current.context.buffer(reserve=48)
    blocks = [
        TickBlock(current, Domain.whole(7, 5), 2**32 - 1, "down"),
        TickBlock(current, Part((1, 2), (3, 4), (60, 2**20), (0, 1), (1, 1)), 9, "up"),
    ]
    ready = program.prepare((1, 1), [], {}, [buffer])
    found = []
    for block, tick in ((0, 2**32 + 6), (1, 8), (0, 2**32 + 6), (0, 7)):
        blocks[block].begin(tick)
        ready.run()
        current.barrier()
        found.append(np.frombuffer(buffer.read(), np.uint32).tolist())
    for block in blocks:
        block.release()
    first = [7, 5, 6, 2**32 - 1, 0, 0, 7, 5, 0, 5, 0, 7]
    second = [3, 4, 8, 9, 1, 2, 60, 2**20, 1, 3, 0, 2]  # the first and the last row, and the last column, are a halo
    assert found == [first, second, first, [7, 5, 7, *first[3:]]]
