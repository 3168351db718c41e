"""`Recordable`: what a run can record or a check compare, a simulation of one process or of many."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gpufluid.io.states import Readable
from gpufluid.render.settings import PictureSettings
from gpufluid.world.statistics import Statistics


class Recordable(Readable, Protocol):
    """The methods of `gpufluid.Simulation` that a recording or a check uses; that class describes them."""

    @property
    def renderer(self) -> str:
        """The name that the device reports."""
        ...

    @property
    def settled(self) -> bool:
        """True if no later tick can change anything."""
        ...

    def step(self, ticks: int = 1) -> None:
        """Run a number of ticks."""

    def finish(self) -> None:
        """Wait until the device has done all its work."""

    def statistics(self) -> Statistics:
        """The statistics of the current state."""
        ...

    def activity(self) -> int:
        """Units that moved between cells in the last tick."""
        ...

    def picture(self, settings: PictureSettings) -> np.ndarray:
        """A picture of the current state, (rows, columns, 3) uint8, sRGB."""
        ...

    def check_picture(self, settings: PictureSettings) -> object:
        """Raise UsageError if a picture cannot be drawn."""

    def check_overlay(self, overlay: str) -> None:
        """Raise UsageError if a picture cannot show an overlay."""
