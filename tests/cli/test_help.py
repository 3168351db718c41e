"""Help is there at once: what only a run needs is not imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gpufluid.cli.commands import app

HEAVY = ("numpy", "moderngl", "PIL", "pydantic", "matplotlib", "tree_sitter", "rich", "zarr", "imageio_ffmpeg")
NAMED = [command.callback.__name__ for command in app.registered_commands if command.callback]
CALLS = [[], ["--help"], ["-h"], ["--version"], ["--no-such-option"], ["help", "run"]]
CALLS += [[name, "--help"] for name in NAMED] + [["run", "dam_break", "--no-such-option"]]


def imported_by(calls: list[list[str]]) -> dict[str, str]:
    """The heavy modules that are there after each of some calls of ``gpufluid`` in one process."""
    program = f"""
import sys
from gpufluid.cli import main
for call in {calls!r}:
    sys.argv = ["gpufluid", *call]
    try:
        main()
    except SystemExit:
        pass
    print("AFTER", call, [name for name in {HEAVY!r} if name in sys.modules])
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    lines = [line for line in answer.stdout.splitlines() if line.startswith("AFTER")]
    return {str(call): line.removeprefix(f"AFTER {call} ") for call, line in zip(calls, lines, strict=True)}


def test_help_imports_nothing_heavy() -> None:
    assert len(NAMED) > 8
    assert imported_by(CALLS) == dict.fromkeys(map(str, CALLS), "[]")


@pytest.mark.long("guards the test above")
def test_a_command_that_runs_imports_what_it_needs() -> None:
    """So the test above looks for names that would be there."""
    assert "numpy" in imported_by([["scenes"]])["['scenes']"]
