"""Compares rule pressure with its twin after every pass."""

from __future__ import annotations

import numpy as np
from support import following

from gpufluid import Simulation, World
from gpufluid.rules import LINE_STRIP, Call, Pass
from gpufluid.rules.pressure import ADOPTED, RESTS, SURFACES

OFFERS = ("sources", "sinks")


def assert_scratch_equal(sim: Simulation, world: World, pass_: Pass) -> None:
    """The scratch of a pass equals that of its twin, except links between cells, which are not unique.

    In bodies of a mixture that rest, the device hides surfaces, and makes no bids and offers. The twin lets all bodies
    take part in all rounds, so the state that both reach shows that nothing could have moved in a body that rests.
    """
    name, labels = pass_.name, world.scratch["labels"]
    if name in ("compress_labels", "adopt"):
        np.testing.assert_array_equal(sim.scratch("labels"), labels)
    rests = resting(sim, world) if pass_.matter == "mixture" and pass_.repeats else np.zeros(labels.shape, bool)
    if SURFACES in (*pass_.writes, *pass_.refines):
        found, twin = surfaces_of(sim, world), world.scratch["surfaces"]
        np.testing.assert_array_equal(found[~rests], twin[~rests])
        assert not (found & ~twin).any()
    first = labels == np.arange(1, labels.size + 1).reshape(
        labels.shape
    )  # first cells of bodies; others keep old values
    levels = {"offer": ("highest", "lowest", *OFFERS), "transfer": OFFERS, "offer_under_load": OFFERS}
    first &= ~rests
    for scratch in levels.get(name, ()):
        np.testing.assert_array_equal(sim.scratch(scratch)[first], world.scratch[scratch][first])


def resting(sim: Simulation, world: World) -> np.ndarray:
    """[row, column] bool: the cells of a mixture's bodies that take no part in the rounds that are left."""
    body = (world.scratch["labels"] & np.uint32(ADOPTED - 1)).astype(np.int64) - 1
    shown = np.zeros(body.size, bool)
    shown[body[surfaces_of(sim, world)]] = True
    rests = ~shown | (sim.scratch("highest").reshape(-1) == RESTS)
    return (body >= 0) & rests[np.maximum(body, 0)]


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

    following.follow_by_passes(world, ticks, compare, variant=variant, sleeping=False)
