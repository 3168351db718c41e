"""100,000 ticks of three vessels: not a unit of mass is lost, and their surfaces draw level all the while."""

import pytest
from plot_levels import levels

TICKS = 100_000


@pytest.mark.usefixtures("device")
def test_vessels_draw_level_and_lose_nothing():
    moments, found = levels(TICKS, 40)  # raises if a unit is missing at any moment
    apart = [max(heights) - min(heights) for heights in zip(*found.values(), strict=True)]
    assert moments[-1] == TICKS
    begun = next(place for place, moment in enumerate(moments) if moment >= 250)  # the first waves have passed
    assert all(later <= earlier for earlier, later in zip(apart[begun:], apart[begun + 1 :], strict=False))
    assert apart[0] > 30
    assert apart[-1] < 0.05  # of a cell; measured: 0.016
