"""The names of the package `gpufluid`, which are imported at their first use."""

from __future__ import annotations

import subprocess
import sys

import pytest

import gpufluid
from gpufluid import public


def run(text: str) -> str:
    """The output of a new Python process."""
    return subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout


def test_the_package_lists_exactly_its_public_names() -> None:
    named = {name for name in vars(public) if not name.startswith("_")}
    assert named == set(gpufluid.__all__) - {"__version__"}
    assert all(getattr(gpufluid, name) is getattr(public, name) for name in named)
    assert dir(gpufluid) == sorted(gpufluid.__all__)


def test_the_command_line_imports_little_before_it_can_be_interrupted() -> None:
    """NumPy, moderngl and Pillow take long to import, and an import that is interrupted can print a traceback."""
    loaded = run("import sys, gpufluid.cli; print(*sys.modules)").split()
    assert not {"numpy", "moderngl", "PIL", "typer", "pydantic"} & set(loaded)


def test_modules_and_names_of_the_package_are_found_without_an_import_of_their_own() -> None:
    text = "import gpufluid; print(gpufluid.rules.register.__name__, gpufluid.oracle.step.__name__, gpufluid.FULL)"
    assert run(text) == f"register step {gpufluid.FULL}\n"
    assert run("from gpufluid import *; print(World.__name__, __version__)") == f"World {gpufluid.__version__}\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    for name in ("worlds", "_worlds"):
        with pytest.raises(AttributeError, match=f"module 'gpufluid' has no attribute '{name}'"):
            getattr(gpufluid, name)
