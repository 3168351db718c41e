"""The judge of attacks on snapshots sees each kind of fault; ``tests/attacks`` runs the attacks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from attacks import snapshots as attacks

import gpufluid
from gpufluid import World
from gpufluid.core.errors import UsageError


def test_the_judge_finds_every_kind_of_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this test a judge that sees nothing could pass."""
    path = tmp_path / "x.npz"
    path.write_bytes(b"PK")

    def judged(load: Callable[[Path], World]) -> str | None:
        monkeypatch.setattr(gpufluid, "load", load)
        return attacks.judge(path)

    def refusing(message: str, kind: type[BaseException] = UsageError) -> Callable[[Path], World]:
        def load(_: Path) -> World:
            raise kind(message)

        return load

    def wasting(_: Path) -> World:
        np.ones(100 << 20, np.uint8)
        raise UsageError(f"{path}: is bad")

    def unsound(_: Path) -> World:
        world = World(2, 2, rules=("flow",))
        world["mass"] = -1
        return world

    assert judged(refusing(f"{path}: is bad")) is None
    assert judged(refusing("x", KeyError)) == "KeyError: 'x'"
    assert judged(refusing("is bad")) == "the answer does not begin with the file: 'is bad'"
    assert "no single printable line" in str(judged(refusing(f"{path}: a\nb")))
    assert "characters" in str(judged(refusing(f"{path}: {'a' * 2000}")))
    assert "MiB of memory" in str(judged(wasting))
    assert "breaks a law" in str(judged(unsound))
    monkeypatch.setattr(attacks, "SECONDS_MOST", -1)
    assert "took" in str(judged(refusing(f"{path}: is bad")))
