"""Benchmark results written by hand; each test changes the values that it checks."""

from __future__ import annotations

from typing import Any


def row(workload: str = "dense", side: int = 256, ms: tuple[float, ...] = (1.0, 1.1, 0.9), **more: Any) -> dict:
    """A row whose runs took these milliseconds a tick."""
    median = sorted(ms)[len(ms) // 2]
    found = {
        "rules": ["flow"], "workload": workload, "variant": "auto", "width": side, "height": side, "about": "Water.",
        "digest": f"{side:032x}", "startup_ms": 5.0, "startup_shaders": 2, "ticks_a_run": 10,
        "runs_ms_a_tick": list(ms), "ticks_per_second": 1000 / median,
        "cells_per_second": side * side * 1000 / median, "spread": (max(ms) - min(ms)) / median,
        "passes": {"flow": {"ms": median, "bytes": 8 * side * side, "share_of_copy": 0.5}},
        "bytes_a_tick": 8 * side * side, "bytes_per_second": 8 * side * side * 1000 / median,
        "copy_bytes_per_second": 2e9, "share_of_copy": 0.5, "memory": {"held": 9 * side * side, "needed": 4096},
        "read_ms": 1.0, "window": [256, 256], "window_ms": 0.1, "watching_ms": 0.01, "watching_share": 0.02,
        "digest_ms": 0.2, "statistics_ms": 0.3,
        "upload_ms": 0.4,
    }  # fmt: skip
    return found | more


def answer(*rows: dict, **more: Any) -> dict:
    """A result with these rows."""
    found = {
        "kind": "gpufluid bench", "version": 1, "complete": True, "ended": "", "date": "2026-11-21",
        "environment": {"renderer": "some device", "software": True}, "skipped": [], "rows": list(rows),
        "settings": {"runs": 5, "seconds_a_run": 0.25, "ticks_a_run": None},
    }  # fmt: skip
    return found | more
