"""Reads from the device in a run: pictures, a few sums and one digest; the state only for a snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import gpufluid
from gpufluid import Simulation, World
from gpufluid.gpu.planes import PlaneTextures
from gpufluid.gpu.readback import Readback
from gpufluid.io import snapshots
from gpufluid.run.recording import Recording, record

STATE = [(PlaneTextures, name) for name in ("read_into", "field", "read_window", "late")]
SUMS = [(World, "digest"), (World, "statistics"), (Simulation, "digest"), (Simulation, "statistics")]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """The number of reads of the state, and of sums over it, by name."""
    calls: Counter[str] = Counter()

    def watch(owner: type, name: str) -> None:
        right: Callable = getattr(owner, name)

        def call(*given: object, **named: object) -> object:
            calls[f"{owner.__name__}.{name}"] += 1
            return right(*given, **named)

        monkeypatch.setattr(owner, name, call)

    for owner, name in (*STATE, *SUMS, (Readback, "read")):
        watch(owner, name)
    return calls


@pytest.mark.parametrize(
    ("names", "read"),
    [
        ((), {}),
        (("x.csv",), {"Simulation.statistics": 3}),  # and the row of the last tick
        (("x.png",), {"Readback.read": 1}),
        (("x.gif", "x.mp4"), {"Readback.read": 4}),  # of ticks 0 to 3, each for both
        (("x.npz",), {"PlaneTextures.read_into": 1, "Readback.read": 2}),  # its planes: cells and warmth
    ],
    ids=str,
)
def test_a_run_reads_its_state_back_once_and_only_for_a_snapshot(
    counted: Counter[str], tmp_path: Path, names: tuple[str, ...], read: dict[str, int]
) -> None:
    files = [tmp_path / name for name in names]
    stats = [file for file in files if file.suffix == ".csv"]
    outputs = [file for file in files if file not in stats]
    with Simulation(gpufluid.load("kettle")) as sim:
        outcome = record(sim, Recording(ticks=3, outputs=outputs, stats=stats))
    assert counted == {"Simulation.digest": 1, "Simulation.statistics": 2, **read}  # before and after
    with Simulation(gpufluid.load("kettle")) as sim:
        sim.step(3)
        world = sim.read()
    assert (outcome.digest, outcome.after.held) == (world.digest(), world.statistics())
    assert outcome.before.held == gpufluid.load("kettle").statistics()
    if outputs and outputs[0].suffix == ".npz":
        assert snapshots.load(outputs[0]).digest() == outcome.digest
