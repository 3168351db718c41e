"""Compares rule pressure with its twin after every pass."""

from __future__ import annotations

import numpy as np
from support import following

from gpufluid import Simulation, World
from gpufluid.rules import LINE_STRIP, Call, Pass
from gpufluid.rules.pressure import SURFACES

OFFERS = ("sources", "sinks")


def assert_scratch_equal(sim: Simulation, world: World, pass_: Pass) -> None:
    """The scratch of a pass equals that of its twin, except links between cells, which are not unique."""
    name = pass_.name
    if name in ("compress_labels", "adopt"):
        np.testing.assert_array_equal(sim.scratch("labels"), world.scratch["labels"])
    if SURFACES in (*pass_.writes, *pass_.refines):
        np.testing.assert_array_equal(surfaces_of(sim, world), world.scratch["surfaces"])
    labels = world.scratch["labels"]
    first = labels == np.arange(1, labels.size + 1).reshape(
        labels.shape
    )  # first cells of bodies; others keep old values
    levels = {"bid": ("highest", "lowest"), "offer": OFFERS, "transfer": OFFERS, "offer_under_load": OFFERS}
    for scratch in levels.get(name, ()):
        np.testing.assert_array_equal(sim.scratch(scratch)[first], world.scratch[scratch][first])


def surfaces_of(sim: Simulation, world: World) -> np.ndarray:
    """[row, column] bool: the open surfaces; the device has one bit for each."""
    words = sim.scratch("surfaces").copy()
    bits = np.unpackbits(words.view(np.uint8).reshape(*words.shape, 4), axis=2, bitorder="little")
    rows = len(world.scratch["labels"])
    return bits.transpose(0, 2, 1).reshape(len(words) * LINE_STRIP, -1)[:rows] == 1


def follow_by_passes(world: World, ticks: int, variant: str) -> None:
    """Run the GPU and the oracle pass by pass, with all tiles awake, and compare them."""

    def compare(sim: Simulation, world: World, call: Call) -> None:
        if call.pass_.rule == "pressure":
            assert_scratch_equal(sim, world, call.pass_)

    following.follow_by_passes(world, ticks, compare, variant={"pressure": variant}, sleeping=False)
