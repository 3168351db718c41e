"""tools/environment.sh makes .venv, and installs an extra once: here with a program in the place of uv."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

UV = """#!/usr/bin/env bash
# As uv does, refuses to make an environment in a folder that exists.
case $1 in
venv)
    [ ! -e .venv ] || exit 2
    mkdir -p .venv/bin && ln -s "$(type -P true)" .venv/bin/python
    echo "VIRTUAL_ENV=$(pwd -P)/.venv" >.venv/bin/activate
    ;;
pip) echo "${!#}" >>installed && [ ! -e broken ] ;;
esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    (tmp_path / "clone" / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "environment.sh", tmp_path / "clone" / "tools")
    (tmp_path / "clone" / "pyproject.toml").write_text("[project]\n")
    return tmp_path / "clone"


def make(project: Path, extra: str, python: str = "true") -> tuple[int, list[str]]:
    """Make the environment of an extra. Returns the exit code and what was installed for it.

    Args:
        project: the folder.
        extra: the extra.
        python: the Python from which it is made; "true" takes less time to start.
    """
    program = f'. tools/environment.sh; make_environment {extra}; [ -d "$(dirname "$PYTHONPYCACHEPREFIX")" ]'
    path = f"{project.parent / 'bin'}:{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}
    answer = subprocess.run(
        ["bash", "-c", program],
        env=environment | {"PATH": path, "PYTHON": python},
        cwd=project,
        capture_output=True,
        text=True,
    )
    log = project / "installed"
    installed = log.read_text().split() if log.exists() else []
    log.unlink(missing_ok=True)
    return answer.returncode, installed


def test_each_extra_is_installed_once_in_whatever_order_scripts_run(project: Path) -> None:
    assert make(project, "dev", python=sys.executable) == (0, [".[dev]"])
    assert make(project, "dev") == (0, [])
    assert make(project, "docs") == (0, [".[docs]"])
    assert make(project, "dev") == (0, [])
    assert make(project, "dev-all") == (0, [".[dev-all]"])
    for extra in ("all", "dev", "docs", "dev-all"):
        assert make(project, extra) == (0, [])
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert make(project, "dev") == (0, [".[dev]"])
    assert make(project, "dev-all") == (0, [".[dev-all]"])


def test_an_installation_that_fails_is_tried_again(project: Path) -> None:
    make(project, "dev")
    (project / "broken").touch()
    assert make(project, "dev-all") == (1, [".[dev-all]"])
    assert make(project, "dev") == (0, [])
    (project / "broken").unlink()
    assert make(project, "dev-all") == (0, [".[dev-all]"])


def test_an_environment_that_does_not_run_is_made_again(project: Path) -> None:
    make(project, "dev")
    (project / ".venv/bin/python").unlink()  # such as that of a Python that is no longer there
    assert make(project, "dev") == (0, [".[dev]"])
    moved = project.rename(project.parent / "moved")
    assert make(moved, "dev") == (0, [".[dev]"])
    assert str(moved) in (moved / ".venv/bin/activate").read_text()
