"""Powderworld, from its own package: a falling-sand world of fourteen elements in PyTorch.

Source: Frans & Isola 2022, "Powderworld: A Platform for Understanding Generalization via Rich Task Distributions".
"""

from __future__ import annotations

import warnings

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its dependency gym warns that it is unmaintained
    import torch
    from powderworld.sim import PWSim

from gpufluid import World
from peers.layouts import ranks_of
from peers.turns import Peer

ELEMENTS = ("empty", "water", "sand")
"""Names of the elements by rank."""


class Powderworld(Peer):
    """All rules of Powderworld, traced by PyTorch's compiler, on a CUDA GPU if there is one. The world is a torus."""

    def __init__(self, world: World, threads: int) -> None:
        torch.set_num_threads(threads)
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self.where = "CUDA" if self._device == "cuda" else f"{threads} threads"
        self._sim = PWSim(self._device, use_jit=True)
        elements = torch.tensor([self._sim.elements[name][0] for name in ELEMENTS], device=self._device)
        ranks = torch.from_numpy(ranks_of(world)).long().to(self._device)
        with torch.no_grad():
            self._first = self._sim.elem_vecs_array(elements[ranks]).permute(2, 0, 1)[None].contiguous()
        self.begin()

    def begin(self) -> None:
        """Return to the initial state."""
        self._cells = self._first.clone()

    def step(self, ticks: int) -> None:
        """Run a number of ticks."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the tracer warns about its rules
            for _ in range(ticks):
                self._cells = self._sim(self._cells)

    def finish(self) -> None:
        """Wait for the device."""
        if self._device == "cuda":
            torch.cuda.synchronize()

    def state(self) -> np.ndarray:
        """Return the number of each cell's element: (height, width) int64."""
        return self._cells[0, : self._sim.NUM_ELEMENTS].argmax(dim=0).cpu().numpy()
