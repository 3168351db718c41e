"""Golden digests: every scene marked golden begins and goes on as it did when its digests were kept.

A digest is of integers, so it is equal on every renderer, without tolerance. Where the start differs the scene was
changed; where only the later digest does, a rule or the scene's parameters were.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpufluid import Simulation, scene
from gpufluid.scene.reading import read_tables

DIGESTS = Path(__file__).with_name("digests.json")
KEPT: dict[str, dict[str, str]] = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
EARLY = (0, 100)
UPDATE = "run: pytest tests/golden --update-golden"

GOLDEN = [path.stem for path in scene.shipped() if read_tables(path)[1].test == "golden"]


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_scene_keeps_its_digests(name: str, request: pytest.FixtureRequest, record_property) -> None:
    found = {}
    loaded = scene.read(scene.find(name))
    with Simulation(loaded.world) as sim:
        for tick in (*EARLY, loaded.ticks):
            sim.step(tick - sim.tick)
            found[str(tick)] = sim.digest()
    if request.config.getoption("update_golden", default=False):
        record_property("golden", (name, found))
        return
    assert name in KEPT, f"scene {name} is golden and has no digest yet; {UPDATE}"
    assert found == KEPT[name], f"the state of {name} has changed; if it was meant to, {UPDATE}"


def test_every_kept_digest_has_its_scene(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("update_golden", default=False):
        assert sorted(KEPT) == GOLDEN, UPDATE
