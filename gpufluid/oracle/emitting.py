"""The cells in which an emitter of amounts acts. Twin of the tests in ``flow/emit.comp`` and ``mixture/emit.comp``."""

from __future__ import annotations

import numpy as np

from gpufluid.core.frame import places_in_frame
from gpufluid.matter.ports import Emitter
from gpufluid.oracle.chance import noise
from gpufluid.rules import Call
from gpufluid.world import World


def emits(world: World, call: Call, emitter: Emitter) -> np.ndarray:
    """Test in which cells of an emitter chance lets it act: (height, width) bool of its rectangle.

    None of them is an obstacle, such as a solid.
    """
    fixed = world.fixed(call.pass_.rule)
    use = fixed["use_emit"] + call.number * fixed["step_emit"]
    x, y = places_in_frame(emitter.slices, world.width, world.height, world.gravity)
    roll = noise(world, x, y, call.tick, use)[0] >> np.uint32(1)
    return np.asarray((roll < emitter.chance_fixed) & ~world.obstacles[emitter.slices])
