"""Time series of a run, saved as a table and as a plot."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gpufluid import FULL, World
from gpufluid.render.curves import Curve, LinearAxes, Panel, _runs, axis_values, draw
from gpufluid.run.timeseries import TimeSeries
from gpufluid.world.statistics import Statistics


def ink(path: Path, colour: str) -> int:
    """Number of pixels of about this colour."""
    with Image.open(path) as picture:
        far = np.abs(np.asarray(picture.convert("RGB"), int) - list(bytes.fromhex(colour[1:]))).max(axis=2)
    return int((far < 24).sum())


def melting(ticks: int = 30) -> TimeSeries:
    """A time series: one cell of ice melts in each tick, lava stays; tick 0 has no temperatures."""
    world = World(8, 8, rules=("atoms", "heat"))
    series = TimeSeries(world, "Melting")
    for tick in range(ticks):
        cells = there(lava=4, ice=ticks - tick, water=tick)
        warm = {"sums": {"temperature": 80}, "extremes": {"temperature": (-8, 8 * tick)}} if tick else {}
        series.note(Statistics(tick, cells, **warm))
    return series


def there(**cells: int) -> dict[str, int]:
    """Number of cells by material; 0 for materials that are not given."""
    return {record.name: cells.get(record.name, 0) for record in World(1, 1, rules=("flow",)).materials}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_csv_has_a_column_with_unit_for_each_material_that_occurred(tmp_path: Path) -> None:
    melting().save(tmp_path / "x.csv")
    rows = rows_of(tmp_path / "x.csv")
    assert list(rows[0]) == [
        "tick",
        "water (cells)",
        "lava (cells)",
        "ice (cells)",
        *(f"{name} temperature (degrees C)" for name in ("least", "mean", "largest")),
        "heat (1/8 degree of a cell)",
    ]
    assert list(rows[0].values()) == ["0", "0", "4", "30", "", "", "", "0"]
    assert list(rows[4].values()) == ["4", "4", "4", "26", "-1.000", f"{80 / 34 / 8:.3f}", "4.000", "80"]
    assert [row["tick"] for row in rows] == [str(tick) for tick in range(30)]


def test_csv_of_mass_is_exact(tmp_path: Path) -> None:
    series = TimeSeries(World(8, 8, rules=("flow",)))
    series.note(Statistics(3, there(), {"mass": 5 * FULL + 1}))
    series.note(Statistics(3, there(), {"mass": 7}))  # a tick is recorded only once
    series.save(tmp_path / "x.csv")
    assert (tmp_path / "x.csv").read_text() == f"tick,mass (1/{FULL} cell)\n3,{5 * FULL + 1}\n"


def test_plot_draws_curves_in_their_colours_and_constants_in_the_legend_only(tmp_path: Path) -> None:
    melting(300).save(tmp_path / "x.png")
    colour = {
        record.name: "#{:02x}{:02x}{:02x}".format(*record.colour) for record in World(1, 1, rules=("flow",)).materials
    }
    assert ink(tmp_path / "x.png", colour["water"]) > 500
    assert 5 < ink(tmp_path / "x.png", colour["lava"]) < 200  # only the entry in the legend
    assert ink(tmp_path / "x.png", "#d55e00") > 500  # the largest temperature


def test_a_plot_of_one_tick_without_matter_is_a_png(tmp_path: Path) -> None:
    series = TimeSeries(World(8, 8, rules=("atoms",)))
    series.note(Statistics(0, there()))
    series.save(tmp_path / "x.png")
    with Image.open(tmp_path / "x.png") as picture:
        assert picture.format == "PNG"


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 10, [0, 2, 4, 6, 8, 10]), (-3, 4, [-2, 0, 2, 4]), (0.1, 0.35, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35])],
)
def test_axes_have_round_steps(low: float, high: float, expected: list[float]) -> None:
    assert axis_values(low, high) == pytest.approx(expected)


def test_linear_axes_map_values_to_pixels() -> None:
    frame = LinearAxes((10, 20), (0, 100), 50, 200)
    (left, bottom), (right, top) = frame.at(0, 0), frame.at(10, 100)
    assert (bottom, top) == (250, 50)
    assert frame.at(5, 50) == ((left + right) / 2, 150)


def test_gaps_split_a_curve_and_thinning_keeps_spikes() -> None:
    ticks, values = np.arange(6.0), np.array([1, 2, np.nan, 4, 5, np.nan])
    assert [run.tolist() for run in _runs(ticks, values)] == [[[0, 1], [1, 2]], [[3, 4], [4, 5]]]
    many = np.zeros(100_000)
    many[54_321] = 9
    (run,) = _runs(np.arange(100_000.0), many)
    assert len(run) < 10_000
    assert run[:, 1].max() == 9
    assert draw("", [0], [Panel("", [Curve("a", "#000000", [3.0])])]).width > 600


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([20.0, 20.8], (19.916, 20.916)),
        ([0.0, 0.7], (0.0, 1.0)),
        ([-10.0, -1.0], (-10.0, 0.4)),
        ([-10.0, -9.0], (-10.0, -8.96)),
        ([3.0, 9.0], (0.0, 9.36)),
        ([], (0.0, 1.0)),
    ],
)
def test_the_value_axis_contains_all_values_and_is_at_least_1_long(
    values: list[float], expected: tuple[float, float]
) -> None:
    low, high = Panel("mass", [Curve("water", "#3070e0", values)]).span
    assert low <= min(values, default=0)
    assert high >= max(values, default=0)
    assert high - low >= 1
    assert (low, high) == pytest.approx(expected, abs=1e-9)
