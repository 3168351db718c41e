"""Runs near the last tick, 2**63 - 1: all outputs are written, and a run beyond it is refused before it begins."""

from __future__ import annotations

from pathlib import Path

import gpufluid
from gpufluid.core.fields import COUNT_LIMIT


def test_a_run_up_to_the_last_tick_writes_all_outputs(call, tmp_path: Path) -> None:
    world = gpufluid.World(24, 32, rules=("flow",), tick=COUNT_LIMIT - 12)
    world["mass"][:12] = gpufluid.FULL
    gpufluid.save(world, tmp_path / "late.npz")
    names = ("x.npz", "x.png", "x.gif")
    outputs = [word for name in names for word in ("--out", name)]
    answer = call("run", "late.npz", "--ticks", 12, *outputs, "--stats", "x.csv", "--stats", "curves.png")
    assert (answer.code, answer.err) == (0, "")
    assert gpufluid.load(tmp_path / "x.npz").digest() == gpufluid.oracle.step(world, 12).digest()
    assert (tmp_path / "x.csv").read_text().splitlines()[-1].startswith(f"{COUNT_LIMIT},")
    assert all((tmp_path / name).stat().st_size > 100 for name in (*names, "curves.png"))


def test_a_run_beyond_the_last_tick_is_refused_before_anything_is_written(call, tmp_path: Path) -> None:
    gpufluid.save(gpufluid.World(4, 4, rules=("flow",), tick=COUNT_LIMIT - 12), tmp_path / "late.npz")
    (tmp_path / "x.png").write_bytes(b"earlier")
    for words in (("run", "late.npz", "--ticks", 13, "--out", "x.png"), ("check", "late.npz", "--ticks", 13)):
        answer = call(*words)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == (
            f"gpufluid: ticks: 13 from tick {COUNT_LIMIT - 12} on; expected at most 12, because the last tick is"
            f" {COUNT_LIMIT}\n"
        )
    assert (tmp_path / "x.png").read_bytes() == b"earlier"


def test_a_run_until_settled_ends_at_the_last_tick_with_the_reason(call, tmp_path: Path) -> None:
    world = gpufluid.World(24, 32, rules=("flow",), tick=COUNT_LIMIT - 3)
    world["mass"][:12] = gpufluid.FULL
    gpufluid.save(world, tmp_path / "late.npz")
    answer = call("run", "late.npz", "--until-settled", "--out", "x.png")
    assert answer.code == 2
    assert f"the last tick is {COUNT_LIMIT}" in answer.err
    assert not (tmp_path / "x.png").exists()
