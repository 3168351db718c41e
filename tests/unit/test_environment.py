"""The scripts make .venv, and install an extra once: here with programs in the place of uv and gpufluid."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import parsed

ROOT = Path(__file__).parents[2]

UV = """#!/usr/bin/env bash
# As uv does, refuses to make an environment in a folder that exists.
case $1 in
venv)
    [ ! -e .venv ] || exit 2
    mkdir -p .venv/bin && ln -s "$(type -P true)" .venv/bin/python
    printf '#!/usr/bin/env bash\necho "$*" >>started\n' >.venv/bin/gpufluid && chmod +x .venv/bin/gpufluid
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
    for script in ("environment.sh", "demo.sh"):
        shutil.copy(ROOT / "tools" / script, tmp_path / "clone" / "tools")
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
    answer = shell(project, "-c", program, python=python)
    log = project / "installed"
    installed = log.read_text().split() if log.exists() else []
    log.unlink(missing_ok=True)
    return answer.returncode, installed


def shell(project: Path, *words: str, python: str = "true") -> subprocess.CompletedProcess[str]:
    """Run bash in the folder, with the program in the place of uv; ``python`` as for `make`."""
    path = f"{project.parent / 'bin'}:{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPYCACHEPREFIX"}
    environment |= {"PATH": path, "PYTHON": python}
    return subprocess.run(["bash", *words], env=environment, cwd=project, capture_output=True, text=True)


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


def test_a_copy_of_the_package_is_replaced_by_the_folder_itself(project: Path) -> None:
    make(project, "dev")
    copy = project / ".venv/lib/python3.11/site-packages/gpufluid"
    copy.mkdir(parents=True)
    assert make(project, "dev") == (0, [])  # the folder of the shaders
    (copy / "__init__.py").touch()
    assert make(project, "dev") == (0, [".[dev]"])


def test_an_environment_that_does_not_run_is_made_again(project: Path) -> None:
    make(project, "dev")
    (project / ".venv/bin/python").unlink()  # such as that of a Python that is no longer there
    assert make(project, "dev") == (0, [".[dev]"])
    moved = project.rename(project.parent / "moved")
    assert make(moved, "dev") == (0, [".[dev]"])
    assert str(moved) in (moved / ".venv/bin/activate").read_text()


def test_the_demonstration_installs_all_and_suggests_commands_that_are_understood(project: Path) -> None:
    answer = shell(project, "tools/demo.sh")
    assert (answer.returncode, (project / "installed").read_text()) == (0, ".[all]\n")
    (first,) = (project / "started").read_text().splitlines()
    given = parsed(shlex.split(first))
    assert (project / "out").is_dir()
    assert {path.suffix for path in given["out"]} == {".mp4", ".png", ".npz"}
    assert {path.parent.name for path in given["out"]} == {"out"}
    # the suggestion and what it does lie two or more spaces apart
    suggested = [line.split("  ") for line in answer.stdout.splitlines() if line.startswith("  .venv/bin/gpufluid")]
    assert len(suggested) == 7
    for words in (next(word for word in parts if word.strip()) for parts in suggested):
        parsed(shlex.split(words)[1:])


def test_without_a_python_that_is_new_enough_nothing_is_installed(project: Path) -> None:
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11", "python"):
        (project.parent / "bin" / name).write_text("#!/bin/sh\nexit 1\n")
        (project.parent / "bin" / name).chmod(0o755)
    answer = shell(project, "tools/demo.sh", python="")
    assert answer.returncode == 1
    assert answer.stderr.splitlines()[1:] == [
        "gpufluid needs Python 3.11 or later; none was found (set PYTHON=/path/to/python3)."
    ]
    assert not (project / "installed").exists()


@pytest.mark.parametrize("script", ["demo.sh", "test.sh", "docs.sh"])
def test_scripts_that_another_shell_starts_go_on_in_bash(project: Path, script: str) -> None:
    (project / "broken").touch()
    shutil.copy(ROOT / "tools" / script, project / "tools")
    path = f"{project.parent / 'bin'}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHON": "true"}
    answer = subprocess.run(["sh", f"tools/{script}"], env=environment, cwd=project, capture_output=True, text=True)
    assert "The packages could not be installed." in answer.stderr


def test_a_demonstration_that_cannot_install_says_so_and_runs_nothing(project: Path) -> None:
    (project / "broken").touch()
    answer = shell(project, "tools/demo.sh")
    assert answer.returncode == 1
    assert "The packages could not be installed. They come from the network" in answer.stderr
    assert not (project / "started").exists()
