"""A bounded number of attacks of each kind; ``tools/attack.py`` runs them without bound."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import attack
import pytest
from attacks import commands, scenes, worlds
from attacks.assault import KINDS, Found, assault
from support.selection import examples, mostly_long

from gpufluid import World, oracle, scene
from gpufluid.oracle import Tally
from gpufluid.scene import Scene

ATTACKS = {"scenes": 200, "snapshots": 100, "pictures": 200, "commands": 10, "worlds": 2}
"""The number of attacks of each kind in a run with ``--all``."""


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "kind",
    mostly_long(
        [kind for kind in KINDS if kind != "commands"],
        *(kind for kind in KINDS if kind not in ("commands", "worlds")),
        why="random worlds, each with its own programs",
    ),
)
def test_nothing_goes_wrong(kind: str) -> None:
    most = examples(ATTACKS[kind]).max_examples
    found = attack.turn(kind, 0, most=most)  # the programs of many worlds would stay in this process
    assert not found.fault, found.fault
    assert found.attacks == most


@pytest.mark.long("dozens of commands, each a process; tests/cli has them one by one")
@pytest.mark.usefixtures("device")
def test_nothing_goes_wrong_with_odd_outputs_and_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without signals, whose moments no seed repeats; ``tests/cli/test_signals.py`` has each moment by its name."""
    monkeypatch.setattr(commands, "SIGNALS", ())
    most = examples(ATTACKS["commands"]).max_examples
    found = assault("commands", 0, most)
    assert not found.fault, found.fault
    assert found.attacks == most


@pytest.mark.usefixtures("device")
def test_a_wrong_cell_and_a_wrong_ledger_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    found = worlds.attack(Random(31))  # of rule flow alone, which is soon compiled
    assert worlds.judge(found) is None
    right = oracle.tick

    def wrong(world: World) -> Tally:
        tally = right(world)
        world[world.fields[-1]].reshape(-1)[0] ^= 1
        return tally

    monkeypatch.setattr(oracle, "tick", wrong)
    assert re.match(
        rf"tick 0: {found.world.fields[-1]}\[.*\] is .*, in the oracle .*; 1 differ", str(worlds.judge(found))
    )
    monkeypatch.setattr(oracle, "tick", right)
    monkeypatch.setattr(worlds, "_heat_without_ledger", lambda world: world.tick)
    assert str(worlds.judge(found)).startswith("tick 0: heat does not add up: ")


def test_a_crash_of_a_reader_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    right = scene.read

    def crash(path: Path, *given: Any, **how: Any) -> Scene:
        if b"polygon" in path.read_bytes():
            raise KeyError("polygon")
        return right(path, *given, **how)

    monkeypatch.setattr(scene, "read", crash)
    found = assault("scenes", 1, 500)
    assert "KeyError: 'polygon'" in found.fault
    assert isinstance(found.smallest, tuple)
    assert b"polygon" in found.smallest[1]


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_that_is_not_repeated_is_reported_from_another_process(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    said = iter(["a fault"])
    monkeypatch.setattr(f"attacks.{kind}.judge", lambda _: next(said, None))
    found = attack.assault_apart(kind, 1, 60, 20)
    assert found.fault.startswith("not each time: a fault\n")
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_same_number_draws_the_same_attacks() -> None:
    drawn: list[list[str]] = []
    for _ in range(2):
        drawn.append([])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scenes, "judge", lambda path: drawn[-1].append(path.read_text(errors="replace")))
            assault("scenes", 5, 20)
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 15


def test_the_command_says_what_it_did_and_fails_with_a_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(attack, "turn", lambda kind, number, _: Found(kind, number, 3, "x" if kind == "scenes" else ""))
    monkeypatch.setattr(sys, "argv", ["attack.py", "--minutes", "0.0001", "--seed", "7", "--keep", str(tmp_path)])
    assert attack.main() == 1
    told = capsys.readouterr().out
    assert "scenes, seed 7, went wrong:\nx\n" in told
    assert re.search(r"^ +\d+ attacks of worlds: random worlds", told, re.MULTILINE)
    assert (tmp_path / "scenes-7.txt").read_text() == "x"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["--only", "x"], "--only: no kind 'x'"),
        (["--minutes", "0"], "--minutes: 0; expected more than 0"),
        (["--keep", __file__], f"--keep: {__file__}: File exists; expected a folder"),
    ],
)
def test_wrong_options_are_refused(words: list[str], answer: str) -> None:
    tool = Path(attack.__file__)
    found = subprocess.run([sys.executable, tool, *words], capture_output=True, text=True, timeout=60)
    assert found.returncode == 2
    assert answer in found.stderr
