"""Least memory traffic of a tick, against counts by hand."""

from __future__ import annotations

from gpufluid import Drain, World
from gpufluid.benchmark.traffic import bytes_by_pass
from gpufluid.rules import Call, Over, Pass
from gpufluid.rules.passes import Scratch

SLIPS = Scratch("slips", Over.COLUMNS)


def moved(pass_: Pass, **more) -> int:
    """Least bytes of one call in a world 64 cells wide and 128 high."""
    return bytes_by_pass([Call(pass_, 0, **more)], (64, 128), (64, 128), (1, 16))[pass_.full_name]


def test_each_kind_of_access_has_its_bytes() -> None:
    cells = 64 * 128
    assert moved(Pass("r", "a", Over.CELLS, reads=("material",))) == cells
    assert moved(Pass("r", "a", Over.CELLS, reads=("cells", "mass"))) == 8 * cells
    assert moved(Pass("r", "a", Over.BLOCKS, gathers=("cells",))) == 8 * cells
    assert moved(Pass("r", "a", Over.BLOCKS, updates=("cells",))) == 8 * cells
    assert moved(Pass("r", "a", Over.SEGMENTS, reads=("cells",))) == 4 * cells // 2
    assert moved(Pass("r", "a", Over.COLUMNS, writes=(SLIPS,))) == 4 * 64 * 4  # one word for 32 cells of a column
    assert moved(Pass("r", "a", Over.COLUMNS, updates=("cells",), takes=(SLIPS,))) == 4 * 64 * 4


def test_a_measuring_pass_writes_strip_sums_and_later_updates_them() -> None:
    pass_ = Pass("r", "a", Over.STRIPS, measures=True)
    assert moved(pass_) == 8 * 64 * 8
    assert moved(pass_, substep=1, substeps=2) == 2 * 8 * 64 * 8


def test_the_traffic_of_a_port_follows_its_size() -> None:
    drain = Drain((3, 4), (5, 2))
    assert moved(Pass("r", "drain", Over.DRAINS, updates=("mass",)), port=drain) == 10 * 8


def test_the_traffic_of_all_runs_of_a_pass_adds_up() -> None:
    world = World(128, 64, ("atoms",))
    found = bytes_by_pass(world.schedule().calls(0), (64, 128), (64, 128), (1, 16))
    cells = 64 * 128
    assert found["atoms.survey"] == 4 * cells + 4 * 64 * 4
    assert found["atoms.glide"] == 2 * 8 * cells  # twice a tick
    assert found["atoms.settle"] == 8 * cells * world.fixed("atoms")["substeps"]
    assert "atoms.drain" not in found
