"""`Batched`: the parts on the device by which passes find their world among those of a batch."""

from __future__ import annotations

from dataclasses import dataclass

from gpufluid.gpu.atlas import Atlas
from gpufluid.gpu.batch_ports import BatchPorts
from gpufluid.gpu.tick_block import WorldBuffer


@dataclass(frozen=True, slots=True)
class Batched:
    """The parts that the programs of a batch bind beside those of one world.

    Args:
        atlas: the places of the worlds in each texture.
        worlds: their ticks and seeds.
        ports: their emitters and drains.
    """

    atlas: Atlas
    worlds: WorldBuffer
    ports: BatchPorts
