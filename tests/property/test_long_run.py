"""Three connected vessels lose no unit of mass in 100,000 ticks, and their surfaces level out."""

import pytest
from plot_levels import levels
from support.selection import mostly_long

APART = {5_000: 24.0, 100_000: 0.05}
"""The largest difference between the surfaces, in cells, after numbers of ticks; 34 at first, measured: 23.5, 0.016."""


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("ticks", mostly_long(APART, 5_000, why="so many ticks take long"))
def test_connected_vessels_level_out_and_conserve_mass(ticks: int) -> None:
    moments, found = levels(ticks, 40)  # raises an error as soon as a unit is missing
    apart = [max(heights) - min(heights) for heights in zip(*found.values(), strict=True)]
    assert moments[-1] == ticks
    begun = next(place for place, moment in enumerate(moments) if moment >= 250)  # the first waves have passed
    assert all(later <= earlier for earlier, later in zip(apart[begun:], apart[begun + 1 :], strict=False))
    assert apart[0] > 30
    assert apart[-1] < APART[ticks]
