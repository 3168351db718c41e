"""``pytest tests/golden --update-golden`` writes the current digests into the file, also with ``-n``.

The workers report their digests to one process, which writes the file at the end.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

DIGESTS = Path(__file__).with_name("digests.json")
_found: dict[str, dict[str, str]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the current digests into the file")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        _found.update(value for name, value in report.user_properties if name == "golden")


def pytest_sessionfinish(session: pytest.Session) -> None:
    updating = session.config.getoption("update_golden", default=False)
    if not updating or hasattr(session.config, "workerinput"):
        return
    from gpufluid import scene

    kept = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    shipped = {path.stem for path in scene.shipped()}
    digests = {name: value for name, value in sorted((kept | _found).items()) if name in shipped}
    DIGESTS.write_text(json.dumps(digests, indent=2) + "\n")
