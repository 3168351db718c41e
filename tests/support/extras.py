"""Programs in which the libraries of all extras are missing."""

import os
import subprocess
import sys
from pathlib import Path

from gpufluid.core.extras import LIBRARIES

ROOT = Path(__file__).parents[2]

REFUSED = {
    *(module for libraries in LIBRARIES.values() for module in libraries.values()),
    *("IPython", "anywidget", "pandas"),
}

WITHOUT = f"""
import sys

class Refusing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {REFUSED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refusing)
"""
"""The first lines of a program in which the libraries of all extras are missing."""

COMMAND = f"{WITHOUT}\nfrom gpufluid.cli import main\nsys.exit(main())"


def without_extras(program: str, *words: str, folder: Path, site: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", program, *words],
        env=os.environ | {"PYTHONPATH": str(site)},
        cwd=folder,
        capture_output=True,
        text=True,
    )
