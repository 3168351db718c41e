"""``shaders/lib/hash.glsl`` equals `gpufluid.core.hashing` word for word."""

from __future__ import annotations

from itertools import product

import numpy as np
from support.probes import probe

from gpufluid.core.hashing import pcg4d
from gpufluid.gpu.device import Device

_HASH_ALL = """
#include "lib/hash.glsl"
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


def test_glsl_and_numpy_hashes_are_equal(device: Device) -> None:
    extremes = np.array(list(product(_EXTREMES, repeat=4)), np.uint32)
    words = np.random.default_rng(0).integers(0, 2**32, (20_000, 4), np.uint32)
    words = np.concatenate([extremes, words])
    with device:
        buffer = device.context.buffer(words.tobytes())
        probe(device, _HASH_ALL, group_size=(64, 1)).dispatch((len(words), 1), [], {}, [buffer])
        hashed = np.frombuffer(buffer.read(), np.uint32).reshape(-1, 4)
        buffer.release()
    np.testing.assert_array_equal(hashed, np.stack(pcg4d(*words.T), axis=1))
