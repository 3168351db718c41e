"""What GLSL learns of a world: its laws as numbers, and where a cell's material lies."""

from __future__ import annotations

import numpy as np
import pytest
from support.probes import probe
from support.worlds import random_atoms, random_world

from gpufluid import World
from gpufluid.core.fields import pack
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Image
from gpufluid.gpu.textures import make_texture
from gpufluid.world.laws import EDGES, GRAVITIES

LAWS = """
layout(std430, binding = 0) buffer Words { int words[]; };
void main() { words[0] = EDGES; words[1] = GRAVITY; words[2] = GRAVITY_OFF; words[3] = EDGES_WRAP; }
"""


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("edges", EDGES)
def test_laws_are_the_numbers_of_their_words(device: Device, edges: str, gravity: str) -> None:
    texts = generated.for_world(World(2, 2, ("atoms",), edges=edges, gravity=gravity))
    text = texts["generated/edges.glsl"] + texts["generated/gravity.glsl"]
    with device:
        buffer = device.context.buffer(reserve=16)
        probe(device, text + LAWS, group_size=(1, 1)).dispatch((1, 1), [], {}, [buffer])
        found = np.frombuffer(buffer.read(), np.int32).tolist()
        buffer.release()
    assert found == [EDGES.index(edges), GRAVITIES.index(gravity), GRAVITIES.index("off"), EDGES.index("wrap")]


MATERIALS = """
layout(std430, binding = 0) buffer Words { uint words[]; };
void main()
{
    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);
    if (cell.x < 7 && cell.y < 5)
        words[7 * cell.y + cell.x] = material_at(cell);
}
"""


@pytest.mark.parametrize("world", [random_world(5, 7), random_atoms(5, 7)], ids=repr)
def test_a_material_is_found_in_whichever_plane_it_lies(device: Device, world: World) -> None:
    plane = world.planes[0]
    words = pack(plane, {name: world[name] for name in world.fields})
    text = (
        generated.for_world(world)["generated/cell.glsl"] + generated.for_drawing(world)["generated/material_at.glsl"]
    )
    with device:
        buffer, texture = device.context.buffer(reserve=140), make_texture(device, 7, 5, plane.image, words)
        program = probe(device, text + MATERIALS, [Image(plane.name, plane.image, "readonly")])
        program.dispatch((7, 5), [texture], {}, [buffer])
        found = np.frombuffer(buffer.read(), np.uint32).reshape(5, 7)
        buffer.release()
        texture.release()
    np.testing.assert_array_equal(found, world["material"])
