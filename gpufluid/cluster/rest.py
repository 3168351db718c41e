"""`Rest`: whether the cells of a rank's part have changed since an earlier moment."""

from __future__ import annotations

from collections.abc import Collection

from gpufluid.gpu.device import Device
from gpufluid.gpu.tiles import Tiles


class Rest:
    """Tells whether any cell of a rank's part has changed since a moment, or any cell near the part's borders.

    Near the borders are the cells that other ranks copy, and the halo.

    The device notes the tiles for which passes list or test that they are awake; the passes change no cell farther from
    these than a halo is deep. A moment is the number of passes that came before it. Between a pass that lists tiles and
    the others that use its list nobody may ask: the note would be used up before they have changed cells.

    Args:
        device: the rank's device.
        tiles: those of all rules. The cells that other ranks copy, and the rank's halo, lie in tiles that are not inner
            ones.
        is_known: whether all changes are known: passes over awake tiles make them, or `note` tells of them. Else
            nothing ever rests.
    """

    def __init__(self, device: Device, tiles: Collection[Tiles], is_known: bool) -> None:
        self._device, self._tiles, self._is_known = device, tiles, is_known
        self.now = 0
        self._anywhere = self._at_borders = 0  # the moments of the last changes; or later ones

    def go_on(self) -> None:
        """Go on to the next moment: a pass runs, or is left out."""
        self.now += 1

    def note(self, at_borders: bool = True) -> None:
        """Note that cells may change at this moment in tiles that no pass visits: by ports, joined sets, other ranks.

        Args:
            at_borders: False if no cells change that other ranks copy, and none of the halo after it was last copied.
        """
        self._anywhere = self.now
        if at_borders:
            self._at_borders = self.now

    def is_unchanged(self, since: int, near_borders: bool = False) -> bool:
        """True if no cell has changed since a moment; -1: there was no such moment, and the result is False.

        Args:
            since: the moment.
            near_borders: whether to ask only of the cells that other ranks copy, and of the halo.
        """
        if not self._is_known or (self._at_borders if near_borders else self._anywhere) >= since:
            return False
        self._device.barrier()
        for tiles in self._tiles:
            anywhere, at_borders = tiles.take_visits()
            if anywhere:
                self._anywhere = self.now - 1
            if at_borders:
                self._at_borders = self.now - 1
        return (self._at_borders if near_borders else self._anywhere) < since
