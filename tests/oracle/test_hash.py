"""``shaders/lib/hash.glsl`` equals `gpufluid.hashing` word for word."""

from __future__ import annotations

from itertools import product

import numpy as np

from gpufluid.gpu.device import Device
from gpufluid.gpu.dispatch import Program
from gpufluid.hashing import pcg4d

_PROBE = """#version 430
#include "generated/images.glsl"
#include "lib/hash.glsl"
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
layout(std430, binding = 0) buffer Words
{
    uvec4 words[];
};
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < words.length())
        words[i] = pcg4d(words[i]);
}
"""
_EXTREMES = (0, 1, 2**16 - 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1)


def test_glsl_and_numpy_hash_alike(device: Device) -> None:
    extremes = np.array(list(product(_EXTREMES, repeat=4)), np.uint32)
    words = np.random.default_rng(0).integers(0, 2**32, (20_000, 4), np.uint32)
    words = np.concatenate([extremes, words])
    with device:
        buffer = device.context.buffer(words.tobytes())
        program = Program(device, "generated/probe.comp", [], (64, 1), {"generated/probe.comp": _PROBE})
        program.dispatch((len(words), 1), [], {}, buffer)
        hashed = np.frombuffer(buffer.read(), np.uint32).reshape(-1, 4)
        buffer.release()
    np.testing.assert_array_equal(hashed, np.stack(pcg4d(*words.T), axis=1))
