"""Every page of the documentation: its Python and its scenes run, its links lead somewhere, its pictures are made.

Its commands are tested in ``tests/cli/test_commands_of_pages.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

import gallery
import numpy as np
import pytest
from PIL import Image
from support.pages import PAGES, ROOT, all_blocks, anchors, blocks, by_page, cases, links, name_of

import gpufluid
from gpufluid.rules import RULES

PYTHON = by_page(all_blocks("python"))
SCENES = by_page(all_blocks("toml"))
NOT_KEPT = re.compile(r"trials/mix_\w\.(png|gif)")
"""Pictures of trials whose code was not kept, as docs/trials.md says."""

GENERATED = {"docs/gallery.md", "docs/materials.md"}
"""Pages whose tools write them together with their pictures; tests of their own hold them to the tools."""


def test_every_block_is_of_a_language_that_a_test_runs() -> None:
    assert {block.language for block in all_blocks()} == {"", "python", "toml"}
    for page in PAGES:
        assert len(blocks(page)) * 2 == len(re.findall(r"^ *```", page.read_text(), re.MULTILINE)), name_of(page)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "page",
    cases(
        PYTHON,
        {"README.md", "docs/guides/play.md"},
        "the same calls as on pages that the short run has",
    ),
)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page are one program."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in PYTHON[page]:
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        exec(code, names)


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    "page",
    cases(
        SCENES,
        {
            "docs/guides/scenes.md",
            *(f"docs/rules/{rule}.md" for rule in ("mixture", "collapse")),
        },
        "programs for further sets of rules and materials",
    ),
)
def test_the_scenes_of_a_page_run(page: Path, tmp_path: Path) -> None:
    """The files that a scene names are beside it."""
    colours = np.array([(0xF5, 0xF6, 0xF8), (0x85, 0x7C, 0x70), (0x42, 0x92, 0xDE)], np.uint8)
    Image.fromarray(colours[np.arange(12).reshape(3, 4) % 3]).save(tmp_path / "island.png")
    gpufluid.save(gpufluid.load("dam_break"), tmp_path / "island_3600.npz")
    for block in SCENES[page]:
        (tmp_path / block.file).write_text(block.text)
        world = gpufluid.load(tmp_path / block.file)
        with gpufluid.Simulation(world) as simulation:
            simulation.step(3)
            assert simulation.tick == world.tick + 3


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    for file, anchor, _ in links(page):
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), file
        if anchor:
            assert target.suffix == ".md", f"{file}#{anchor}"
            assert anchor in anchors(target), f"{file}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_names_the_commands_that_make_its_pictures(page: Path) -> None:
    """A picture of the gallery, or a film: its own command. Others: one with a scene of the page, or a tool."""
    if name_of(page) in GENERATED:
        return
    lines = [line for block in blocks(page, "") for line in block.text.splitlines()]
    commands = {f"gallery/{shot.name}.png": shot.command for shot in gallery.SCENES + gallery.OVERLAYS}
    for film in gallery.FILMS_OF_ALL:
        commands[f"films/{film.file}"] = "gpufluid " + " ".join(film.words).replace(" --theme day", "")
    for file, _, picture in links(page):
        if picture and not NOT_KEPT.fullmatch(file):
            name = (page.parent / file).resolve().relative_to(ROOT / "docs").as_posix()
            tool = rf"\.venv(?:-rl)?/bin/python tools/\w+\.py (--plot )?docs/{re.escape(name)}( .*)?"
            own = rf"gpufluid run \w+\.toml .*--out {re.escape(Path(name).name)}"
            known = commands.get(name)
            made = known in lines if known else any(re.fullmatch(f"{tool}|{own}", line) for line in lines)
            assert made, f"{file}: no command on the page makes it"


def test_the_readme_is_short_and_its_film_is_small() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 130
    films = [file for file, _, picture in links(ROOT / "README.md") if picture]
    assert films
    for film in films:
        assert film.endswith(".gif")
        assert (ROOT / film).stat().st_size < 3_000_000


def test_the_readme_leads_to_every_rule_and_guide() -> None:
    linked = {file for file, _, _ in links(ROOT / "README.md")}
    for folder in ("docs/rules", "docs/guides"):
        pages = {name_of(page) for page in (ROOT / folder).glob("*.md")} - {f"{folder}/index.md"}
        assert pages <= linked


@pytest.mark.parametrize("rule", RULES)
def test_the_page_of_a_rule_has_its_law_source_limits_parameters_and_a_film(rule: str) -> None:
    page = ROOT / "docs" / "rules" / f"{rule}.md"
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert {"The law", "What it cannot do"} <= set(headings)
    assert any(heading.startswith("Source") for heading in headings)
    assert all(f"| `{parameter.name}` |" in text for parameter in RULES[rule].parameters)
    assert any(picture and file.startswith("../films/") for file, _, picture in links(page))
    assert f"({rule}.md)" in (page.parent / "index.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("device")
def test_the_reaction_of_one_s_own_conserves_matter_and_heat(tmp_path: Path) -> None:
    """The new material burns completely to the same amount of metal, with the heat of the reaction."""
    (text,) = [block.text for block in blocks(ROOT / "docs/rules/reactions.md", "toml") if "Thermite" in block.text]
    (tmp_path / "thermite.toml").write_text(text)
    world = gpufluid.load(tmp_path / "thermite.toml")
    thermite = world.census()["thermite"]
    with gpufluid.Simulation(world) as simulation:
        simulation.step(400)
        assert simulation.counts()["thermite"] == 0
        atoms, heat, now = simulation.atoms, simulation.heat, simulation.read()
    assert atoms["thermite"].used == thermite
    assert sum(atoms[name].made - atoms[name].used for name in ("molten metal", "metal")) == thermite
    assert 0.5 < heat.reacted / (8 * 4000 * thermite) <= 1  # atoms at the highest temperature take no more heat
    assert world.heat_held() + heat.balance == now.heat_held()


def test_the_lake_at_rest_is_at_rest(tmp_path: Path) -> None:
    (block,) = blocks(ROOT / "docs/one_world.md", "toml")
    (tmp_path / "lake.toml").write_text(block.text)
    world = gpufluid.load(tmp_path / "lake.toml")
    assert (gpufluid.oracle.step(world, 2)["mass"] == world["mass"]).all()
