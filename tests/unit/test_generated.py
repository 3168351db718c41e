"""The constants of a world's laws in GLSL."""

from __future__ import annotations

import numpy as np
import pytest
from support.probes import probe

from gpufluid import World
from gpufluid.gpu import generated
from gpufluid.gpu.device import Device
from gpufluid.world.laws import EDGES, GRAVITIES

LAWS = """
layout(std430, binding = 0) buffer Words { int words[]; };
void main() { words[0] = EDGES; words[1] = GRAVITY; words[2] = GRAVITY_OFF; words[3] = EDGES_WRAP; }
"""


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("edges", EDGES)
def test_edges_and_gravity_have_their_numbers_in_glsl(device: Device, edges: str, gravity: str) -> None:
    texts = generated.for_world(World(2, 2, ("atoms",), edges=edges, gravity=gravity))
    text = texts["generated/edges.glsl"] + texts["generated/gravity.glsl"]
    with device:
        buffer = device.context.buffer(reserve=16)
        probe(device, text + LAWS, group_size=(1, 1)).dispatch((1, 1), [], {}, [buffer])
        found = np.frombuffer(buffer.read(), np.int32).tolist()
        buffer.release()
    assert found == [EDGES.index(edges), GRAVITIES.index(gravity), GRAVITIES.index("off"), EDGES.index("wrap")]
