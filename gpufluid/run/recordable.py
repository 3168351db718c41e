"""`Recordable`: what a run can record or a check compare, a simulation of one process or of many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from gpufluid.render.settings import PictureSettings
from gpufluid.world import World
from gpufluid.world.ledger import AnyLedger
from gpufluid.world.statistics import Statistics


class Recordable(Protocol):
    """The methods of `gpufluid.Simulation` that a recording or a check uses; that class describes them."""

    @property
    def tick(self) -> int:
        """The number of the next tick."""
        ...

    @property
    def blank(self) -> World:
        """A world of the same laws and ports; its arrays are all 0."""
        ...

    @property
    def renderer(self) -> str:
        """The name that the device reports."""
        ...

    @property
    def ledgers(self) -> Mapping[str, AnyLedger]:
        """The current ledgers of all quantities, by the quantity's name."""
        ...

    @property
    def settled(self) -> bool:
        """True if no later tick can change anything."""
        ...

    def step(self, ticks: int = 1) -> None:
        """Run a number of ticks."""

    def finish(self) -> None:
        """Wait until the device has done all its work."""

    def digest(self) -> str:
        """The digest of the current state."""
        ...

    def statistics(self) -> Statistics:
        """The statistics of the current state."""
        ...

    def activity(self) -> int:
        """Units that moved between cells in the last tick."""
        ...

    def read_window(self, at: tuple[int, int], size: tuple[int, int]) -> dict[str, np.ndarray]:
        """The fields of a rectangle by name, each (height, width) or with more axes, of the field's type."""
        ...

    def read(self) -> World:
        """The exact current state, as a new world."""
        ...

    def picture(self, settings: PictureSettings) -> np.ndarray:
        """A picture of the current state, (rows, columns, 3) uint8, sRGB."""
        ...

    def check_picture(self, settings: PictureSettings) -> object:
        """Raise UsageError if a picture cannot be drawn."""

    def check_overlay(self, overlay: str) -> None:
        """Raise UsageError if a picture cannot show an overlay."""
