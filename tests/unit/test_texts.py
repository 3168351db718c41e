"""The examples of the README run, and generated pages are the current output of their tools."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import gallery
import measure
import numpy as np
import pytest
from PIL import Image
from support.selection import mostly_long

import gpufluid
from gpufluid.benchmark.timing import Effort
from gpufluid.cli.commands import app
from gpufluid.rules import RULES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.mark.usefixtures("device")
def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for text in blocks("python"):
        exec(text, names)
    assert gpufluid.load("after.npz").digest() == names["after"].digest()


@pytest.mark.usefixtures("device")
def test_the_scenes_of_the_readme_run(tmp_path: Path) -> None:
    colours = np.array([(0xF5, 0xF6, 0xF8), (0x85, 0x7C, 0x70), (0x42, 0x92, 0xDE)], np.uint8)
    Image.fromarray(colours[np.arange(12).reshape(3, 4) % 3]).save(tmp_path / "island.png")
    gpufluid.save(gpufluid.load("dam_break"), tmp_path / "island_3600.npz")
    texts = blocks("toml")
    assert len(texts) == 11
    for text in texts:
        (tmp_path / "scene.toml").write_text(text)
        with gpufluid.Simulation(gpufluid.load(tmp_path / "scene.toml")) as simulation:
            simulation.step(3)


@pytest.mark.parametrize(
    ("page", "films"), [("one_world.md", gallery.ONE_WORLD), ("water_with_momentum.md", gallery.MOMENTUM)]
)
def test_a_page_of_films_has_its_films_and_their_commands(page: str, films: tuple[gallery.Film, ...]) -> None:
    text = (ROOT / "docs" / page).read_text()
    for film in films:
        assert f"](films/{film.file})" in text
        words = " ".join(film.words).replace(" --theme day", "")
        assert f"\ngpufluid {words}\n" in text
        assert (gallery.FILMS / film.file).is_file()


def test_the_scene_of_the_page_of_one_world_is_at_rest(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "one_world.md").read_text()
    (text,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "lake.toml").write_text(text)
    world = gpufluid.load(tmp_path / "lake.toml")
    assert (gpufluid.oracle.step(world, 2)["mass"] == world["mass"]).all()


@pytest.mark.usefixtures("device")
def test_the_reaction_of_the_readme_conserves_matter_and_heat(tmp_path: Path) -> None:
    """The new material burns completely to the same amount of metal, with the heat of the reaction."""
    (text,) = [text for text in blocks("toml") if "Thermite" in text]
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


def test_the_readme_names_every_command_and_no_other() -> None:
    named = {words[1] for words in map(str.split, README.splitlines()) if words[:1] == ["gpufluid"]}
    commands = [command.callback for command in app.registered_commands]
    assert named - {"--install-completion"} == {command.__name__ for command in commands if command is not None}


def test_links_of_the_texts_exist() -> None:
    for text in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        links = re.findall(r"\]\(([^)#]+)\)", text.read_text())
        assert [link for link in links if "://" not in link and not (text.parent / link).exists()] == []


def test_the_gallery_shows_every_scene_and_every_picture_is_on_it() -> None:
    """The page is the current output of its tool. The tool's ``--check`` also draws pictures, which takes minutes."""
    assert gallery.PAGE.read_text() == gallery.page()
    shots = gallery.SCENES + gallery.OVERLAYS
    assert len({shot.name for shot in shots}) == len(shots)
    assert {path.stem for path in gallery.PICTURES.iterdir()} == {shot.name for shot in shots}
    assert all(path.suffix == ".png" for path in gallery.PICTURES.iterdir())
    assert {path.name for path in gallery.FILMS.iterdir()} == {film.file for film in gallery.FILMS_OF_ALL}


def test_the_table_of_keys_is_the_current_output_of_its_tool() -> None:
    answer = subprocess.run([sys.executable, ROOT / "tools/write_keys.py", "--check"], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_the_maps_are_the_current_output_of_their_tool() -> None:
    answer = subprocess.run([sys.executable, ROOT / "tools/draw_maps.py", "--check"], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.usefixtures("device")
def test_the_measurement_compares_the_golden_digests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    short = measure.json.loads(measure.GOLDEN.read_text())["seed_000"]
    (tmp_path / "digests.json").write_text(measure.json.dumps({"seed_000": short}))
    monkeypatch.setattr(measure, "GOLDEN", tmp_path / "digests.json")
    assert measure.goldens() == {"seed_000": "equal"}
    (tmp_path / "digests.json").write_text(measure.json.dumps({"seed_000": short | {"100": "0" * 32}}))
    assert measure.goldens()["seed_000"].startswith("flow.strips, tick 100: ")


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("rule", mostly_long(RULES, "flow", "heat", why="the measurement of another rule"))
def test_the_measurement_compares_all_variants(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "VARIANTS", {"auto": {}, "strip-2x4": {"strip": (2, 4)}})
    found = measure.variants(rule, 32, Effort(runs=1, ticks=1))
    assert {name.split()[0] for name in found} == {variant.name for variant in RULES[rule].variants}
    assert all(isinstance(speed, float) for speed in found.values())
    assert any(name.endswith(" awake") for name in found)
    assert any(name.endswith(" strip-2x4") for name in found) == (rule in ("flow", "inertia"))
    assert measure.sound({"variants": {rule: {"32": found}}})


@pytest.mark.usefixtures("device")
def test_the_measurement_reports_variants_that_differ_or_do_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    tell, calls = gpufluid.Simulation.digest, []

    def digest(sim: gpufluid.Simulation) -> str:
        calls.append(sim)
        return "another" if len(calls) > 2 else tell(sim)

    monkeypatch.setattr(gpufluid.Simulation, "digest", digest)
    monkeypatch.setattr(measure, "ways", lambda *_: {"first": {}, "wrong": {}, "none": {"variant": "none"}})
    found = measure.variants("flow", 32, Effort(runs=1, ticks=1))
    assert isinstance(found["first"], float)
    assert found["wrong"] == "gives another digest"
    assert found["none"].startswith("does not run: variant: 'none' is not known to flow")
    assert not measure.sound({"variants": {"flow": {"32": found}}})
