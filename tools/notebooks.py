"""Run the notebooks of docs/notebooks/ and keep their outputs: ``python tools/notebooks.py [--check] [NAME ...]``.

NAME is the name of a notebook without its ending, by default all. Each runs from its first cell in a kernel of its own.
``--check`` writes nothing and exits 1 if a cell fails, or if a text or the number of pictures differs from what is
kept; pictures may differ by rounding, since drawing uses floats.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat  # pyright: ignore[reportMissingImports] of the extra dev-all
from nbclient import NotebookClient  # pyright: ignore[reportMissingImports]
from nbclient.exceptions import (  # pyright: ignore[reportMissingImports]
    CellExecutionError,
    CellTimeoutError,
    DeadKernelError,
)

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
MOST_BYTES = 300_000
"""The largest size of a notebook's file."""

_SECONDS = 300
"""Most time of a cell."""


def names() -> list[str]:
    """The names of the notebooks, without their ending."""
    return sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def read(name: str) -> Any:
    """A notebook as it is kept."""
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def executed(name: str) -> Any:
    """A notebook with the outputs of a new run, in an empty folder.

    Raises: CellExecutionError, CellTimeoutError, DeadKernelError: a cell has failed.
    """
    notebook = read(name)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        options = {"timeout": _SECONDS, "kernel_name": "python3", "coalesce_streams": True}
        NotebookClient(notebook, resources=resources, **options).execute()
    for number, cell in enumerate(notebook.cells):
        cell.id, cell.metadata = f"cell-{number}", {}
        _keep_one_form(cell.get("outputs", []))
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


def _keep_one_form(outputs: Sequence[Any]) -> None:
    """Drop the picture of an output that is also in its HTML: a page shows one of them."""
    for output in outputs:
        data = output.get("data", {})
        if "text/html" in data:
            data.pop("image/png", None)
        output.pop("metadata", None)
        if output.output_type in ("display_data", "execute_result"):
            output.metadata = {}


def said(notebook: Any) -> list[str]:
    """Each output in short: its texts and the kinds of its content, without pictures and films."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                found.append("".join(output.text))
            else:
                data = output.get("data", {})
                page = re.sub(r'src="data:[^"]*"', "", data.get("text/html", ""))
                found.append(f"{data.get('text/plain', '')} {sorted(data)} {page}")
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Run the command. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; compare with what is kept")
    parser.add_argument("names", nargs="*", metavar="NAME", default=[])
    given = parser.parse_args(words)
    unknown = set(given.names) - set(names())
    if unknown:
        parser.error(f"no notebook is named {min(unknown)}; expected some of {', '.join(names())}")
    wrong = 0
    for name in given.names or names():
        try:
            new = executed(name)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            print(f"{name}: a cell fails:\n{error}", file=sys.stderr)
            wrong += 1
            continue
        if given.check and said(new) != said(read(name)):
            print(f"{name}: its outputs have changed; run tools/notebooks.py {name}", file=sys.stderr)
            wrong += 1
        if not given.check:
            text = nbformat.writes(new) + "\n"
            if len(text) > MOST_BYTES:
                parser.error(f"{name}: {len(text)} bytes with its outputs; expected {MOST_BYTES} at most")
            (FOLDER / f"{name}.ipynb").write_text(text, encoding="utf-8")
            print(f"{name}: {len(text)} bytes")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
