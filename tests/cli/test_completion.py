"""Completion of a word of a command in the shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpufluid import scene
from gpufluid.cli.commands import app
from gpufluid.rules import RULES


def offered(*words: str) -> list[str]:
    """The completions that bash gets for the last of the words that follow ``gpufluid``."""
    typed = {"COMP_WORDS": " ".join(["gpufluid", *words]), "COMP_CWORD": str(len(words))}
    done = CliRunner().invoke(app, prog_name="gpufluid", env={"_GPUFLUID_COMPLETE": "complete_bash"} | typed)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.split()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder has a scene, a snapshot, a picture, another file, a hidden one, and a folder with a scene."""
    for name in ("pond.toml", "pond.npz", "pond.png", "pond.txt", ".hidden.toml", "ponds/deep.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("run dam_b", ["dam_break"]),
        ("run pon", ["pond.npz", "pond.toml", "ponds/"]),
        ("run ponds/", ["ponds/deep.toml"]),
        ("view pond.p", ["pond.png"]),
        ("check u_tube_", ["u_tube_with_momentum"]),
        ("run nowhere/", []),
        ("bench --rule flow+at", ["flow+atoms"]),
        ("bench --scene dam_b", ["dam_break"]),
        ("run u_tube --variant sin", ["single"]),
        ("run u_tube --overlay temp", ["temperature"]),
        ("run u_tube --set flow.max_m", ["flow.max_mass="]),
        ("ben", ["bench"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_a_word_is_completed(words: str, expected: list[str]) -> None:
    assert offered(*words.split(" ")) == expected


@pytest.mark.usefixtures("folder")
def test_all_scenes_and_rules_are_offered() -> None:
    found = offered("run", "")
    assert {path.stem for path in scene.shipped()} <= set(found)
    assert ".hidden.toml" not in found
    assert offered("bench", "--rule", "") == list(RULES)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_the_same_words(shell: str) -> None:
    """Of the way of zsh and fish; completing in these shells themselves was tried by hand (zsh 5.9, fish 3.6)."""
    typed = {"_TYPER_COMPLETE_ARGS": "gpufluid run dam_b", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = CliRunner().invoke(app, prog_name="gpufluid", env={"_GPUFLUID_COMPLETE": f"complete_{shell}"} | typed)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.strip() == {"zsh": """_arguments '*: :(("dam_break"))'""", "fish": "dam_break"}[shell]


@pytest.mark.parametrize(
    "before",
    [
        'eval "$(_GPUFLUID_COMPLETE=source_bash gpufluid)"',
        pytest.param(
            "gpufluid --install-completion >&2; . ~/.bashrc", marks=pytest.mark.long("one more process of a shell")
        ),
    ],
    ids=["shown", "installed"],
)
def test_bash_completes_a_command(before: str, tmp_path: Path) -> None:
    """The script that ``--show-completion`` prints, and ``--install-completion`` installs, asks ``gpufluid``."""
    command = tmp_path / "gpufluid"
    command.write_text(f"#!{sys.executable}\nfrom gpufluid.cli import main\nmain()\n")
    command.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    text = f"""
{before}
COMP_WORDS=(gpufluid run dam_b) COMP_CWORD=2
$(complete -p gpufluid | sed 's/.* -F \\([^ ]*\\).*/\\1/') gpufluid dam_b run
echo ${{COMPREPLY[@]}}
"""
    environment = os.environ | path | {"HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-c", text], env=environment, capture_output=True, text=True)
    assert done.stdout == "dam_break\n"
    assert (done.stderr == "") == ("install" not in before)  # which says where it has installed it
