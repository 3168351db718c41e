"""Every command on a page of the documentation is one that gpufluid understands; those that run a world run."""

from __future__ import annotations

import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path

import gallery
import pytest
from support.commands import parsed
from support.pages import PAGES, ROOT, all_blocks, blocks, by_page, cases, name_of

from gpufluid import Simulation, load, scene
from gpufluid.cli.commands import app

BLOCKS = by_page(all_blocks(""))
DRAWN = {tuple(shot.command.split()[1:]) for shot in gallery.SCENES + gallery.OVERLAYS} | {
    tuple(word for word in film.words if word not in ("--theme", "day")) for film in gallery.FILMS_OF_ALL
}
MOST_TICKS = 3
"""Of a run here: what a page runs to the end takes minutes, and the scenes have tests of their own."""

SIZES = 64, 96
"""The sizes of worlds of benchmarks here, in place of those of a page, one after the other."""


def words_of(page: Path) -> list[list[str]]:
    """The commands of a page whose program is gpufluid, also under mpiexec, without this first word, in order."""
    lines = [line for block in blocks(page, "") for line in block.text.splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if "gpufluid" in line]
    commands = [words[3:] if words[:2] == ["mpiexec", "-n"] else words for words in commands]
    return [words[1:] for words in commands if words and Path(words[0]).name == "gpufluid"]


def own_pictures() -> list[object]:
    """Parameters: each page with a picture of a scene of its own, and the command that draws it."""
    found = [(page, words) for page in BLOCKS for words in words_of(page) if words[0] == "run" and "--out" in words]
    drawn = [(page, words) for page, words in found if words[1].endswith(".toml") and words[-1].endswith(".png")]
    return [pytest.param(page, words, id=words[-1]) for page, words in drawn if (page.parent / words[-1]).is_file()]


@pytest.mark.long("hundreds of ticks")
@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(("page", "words"), own_pictures())
def test_the_picture_of_a_scene_of_the_page_is_what_its_command_draws(page: Path, words, call, tmp_path: Path) -> None:
    for block in blocks(page, "toml"):
        (tmp_path / block.file).write_text(block.text)
    assert call(*words).code == 0
    assert gallery.same(page.parent / words[-1], (tmp_path / words[-1]).read_bytes())


@pytest.mark.long("900 ticks")
@pytest.mark.usefixtures("device")
def test_the_digest_on_the_first_page_is_that_of_its_scene(tmp_path: Path) -> None:
    page = ROOT / "docs" / "start.md"
    ((digest, tick),) = re.findall(r"`([0-9a-f]{32})`\s+at\s+tick\s+(\d+)", page.read_text(encoding="utf-8"))
    (block,) = blocks(page, "toml")
    (tmp_path / block.file).write_text(block.text)
    with Simulation(load(tmp_path / block.file)) as simulation:
        simulation.step(int(tick))
        assert simulation.digest() == digest


def test_there_are_pictures_of_scenes_of_pages() -> None:
    assert len(own_pictures()) >= 2


def shortened(words: list[str]) -> list[str] | None:
    """A command with at most `MOST_TICKS` ticks and no wait for changes; None: it is not run here.

    Those that open a window or a server are not, and those of pictures and films, which tools/gallery.py runs.
    """
    drawn = tuple(word for word in words if word not in ("--theme", "day"))
    if drawn in DRAWN or words[0] in ("view", "serve") or "--ranks" in words:  # a grid of ranks has several processes
        return None
    kept = [word for word in words if word not in ("--watch", "--until-settled")]
    if words[0] in ("run", "check", "bench"):
        kept = with_option(kept, "--ticks", MOST_TICKS)
    if words[0] == "bench":
        kept = with_option(kept, "--runs", 1)
        if "--scene" not in words:
            sizes = iter(SIZES)
            kept = [str(next(sizes)) if before == "--size" else word for before, word in pairwise(["", *kept])]
            kept = kept if "--size" in kept else [*kept, "--size", str(SIZES[0])]
            kept = kept if "--rule" in kept else [*kept, "--rule", "flow"]
            kept = kept if "--workload" in kept else [*kept, "--workload", "dense"]
    return kept


def with_option(words: list[str], name: str, value: int) -> list[str]:
    """A command with another value of an option."""
    if name not in words:
        return [*words, name, str(value)]
    at = words.index(name) + 1
    return [*words[:at], str(value), *words[at + 1 :]]


@pytest.mark.parametrize("page", [pytest.param(page, id=name_of(page)) for page in BLOCKS])
def test_the_commands_of_a_page_are_understood(page: Path) -> None:
    made = {block.file for block in blocks(page, "toml")}  # by an earlier command or a block of the page
    for words in words_of(page):
        if words == ["--install-completion"]:
            continue
        given = parsed(words)
        if words[0] == "new":
            made.add(f"{given['name']}.toml")
        for path in (path for key in ("out", "json") for path in as_list(given.get(key))):
            made.add(str(path))
        named = given.get("scene")
        for name in named if isinstance(named, (list, tuple)) else [named]:
            assert name is None or name == "SCENE" or name in made or scene.find(str(name)).is_file(), name


def as_list(value: object) -> list[object]:
    """An option that may be missing, given once or given several times, as a list."""
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None or value is False else [value]


@pytest.mark.parametrize("page", [pytest.param(page, id=name_of(page)) for page in BLOCKS])
def test_other_commands_of_a_page_are_shell_and_name_files_that_exist(page: Path) -> None:
    for block in BLOCKS[page]:
        done = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True)
        assert done.stderr == "", f"line {block.line}"
        for file in re.findall(r"(?:\./)?(?:tools|tests)/[\w/]+\.(?:sh|py)", block.text):
            assert (ROOT / file).is_file(), file


def test_the_pages_name_every_command() -> None:
    named = {words[0] for page in PAGES for words in words_of(page)}
    commands = [command.callback for command in app.registered_commands]
    assert named - {"--install-completion"} == {command.__name__ for command in commands if command is not None}


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "page",
    cases(
        [page for page in BLOCKS if any(words[0][0] != "-" and shortened(words) for words in words_of(page))],
        {"docs/how/laws.md"},
        "programs of the scenes of a page",
    ),
)
def test_the_commands_of_a_page_run(page: Path, call, tmp_path: Path) -> None:
    """In one folder, in order, with few ticks. Those of the gallery are its tool's words; its scenes are goldens."""
    for block in blocks(page, "toml"):
        (tmp_path / block.file).write_text(block.text)
    for words in words_of(page):
        if words[0].startswith("-") or "SCENE" in words or (short := shortened(words)) is None:
            continue
        answer = call(*short)
        assert answer.code == 0, f"gpufluid {shlex.join(short)}: {answer.err}"
        for option in ("--out", "--stats"):
            for at, word in enumerate(short):
                if word == option:
                    assert (tmp_path / short[at + 1]).stat().st_size
