"""A command that is killed at any moment leaves no file behind, or the next command in the folder removes it."""

from __future__ import annotations

import os
import signal
from itertools import product
from pathlib import Path

import pytest
from support.selection import mostly_long

pytestmark = pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="only Linux has files without a name")

RUN = ("run", "dam_break", "--ticks", 60, "--every", 2)
MOMENTS = {
    # name: (words, the function of which a call kills the process, the number of that call)
    "film": ((*RUN, "--out", "x.mp4"), "gpufluid.render.film:Film.add", 9),
    "two films": ((*RUN, "--out", "x.mp4", "--out", "x.gif"), "gpufluid.render.film:Film.add", 18),
    "end of a film": ((*RUN, "--out", "x.mp4"), "gpufluid.core.new_files:NewFile.place", 1),
    "picture": ((*RUN, "--out", "x.png"), "PIL.ImageFile:_save", 1),
    "snapshot": ((*RUN, "--out", "x.npz"), "zipfile:_ZipWriteFile.write", 3),
    "table": ((*RUN, "--stats", "x.csv"), "gpufluid.core.new_files:NewFile.place", 1),
    "plot": ((*RUN, "--stats", "x.png"), "PIL.ImageFile:_save", 1),
    "figures": (
        ("bench", "--size", 32, "--rule", "flow", "--workload", "empty", "--runs", 1, "--ticks", 2, "--json", "x.json"),
        "gpufluid.core.new_files:NewFile.place", 1,
    ),
}  # fmt: skip

KILL = """
import os, signal
from importlib import import_module

module, _, name = {function!r}.partition(":")
*owner, name = name.split(".")
owner = getattr(import_module(module), owner[0]) if owner else import_module(module)
right, calls = getattr(owner, name), []

def counted(*given, **more):
    calls.append(1)
    if len(calls) == {call}:
        os.kill(os.getpid(), signal.SIGKILL)
    return right(*given, **more)

setattr(owner, name, counted)
if {named}:
    import_module("gpufluid.core.new_files")._open_nameless = lambda *_: None
"""


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


WHY = "of the same owner of new files, at another moment"
NAMELESS = [*((moment, False, None) for moment in MOMENTS), ("snapshot", False, b"earlier")]
SHORT = [("snapshot", False, b"earlier"), ("figures", False, None)]


@pytest.mark.parametrize(
    "case", mostly_long([*product(MOMENTS, (True,), (b"earlier",)), *NAMELESS], *SHORT, why=WHY), ids=str
)
def test_a_killed_command_leaves_nothing_or_the_next_one_removes_it(
    start, process, tmp_path: Path, case: tuple[str, bool, bytes | None]
) -> None:
    """With files that have a temporary name, and without; with an earlier file of the name, and without."""
    moment, named, earlier = case
    words, function, call = MOMENTS[moment]
    outputs = [word for word in words if isinstance(word, str) and word.startswith("x.")]
    if earlier is not None:
        for name in outputs:
            (tmp_path / name).write_bytes(earlier)
    before = left(tmp_path)
    with start(*words, first=KILL.format(function=function, call=call, named=named)) as running:
        _, said = running.communicate()
    assert running.returncode == -signal.SIGKILL, said
    assert all((tmp_path / name).read_bytes() == earlier for name in before)
    assert [name for name in left(tmp_path) if name not in before and not name.startswith(".gpufluid-")] == []
    if not named:
        assert left(tmp_path) == before
        return
    assert len(left(tmp_path)) > len(before), "this moment leaves nothing, and tests nothing"
    assert process("run", "dam_break", "--ticks", 1, "--out", "next.png").code == 0
    assert left(tmp_path) == sorted([*before, "next.png"])
