"""Generated pages, tables and maps are the current output of their tools, and the tools of measurement work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import draw_ticks
import gallery
import measure
import numpy as np
import pytest
from PIL import Image
from support import desktop
from support.chromium import headless_chromium
from support.selection import mostly_long

import gpufluid
from gpufluid.benchmark.timing import Effort
from gpufluid.rules import RULES, Over

ROOT = Path(__file__).parents[2]


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


def test_the_gallery_shows_every_scene_and_every_picture_is_on_it() -> None:
    """The page is the current output of its tool. The tool's ``--check`` also draws pictures, which takes minutes."""
    assert gallery.PAGE.read_text() == gallery.page()
    shots = gallery.SCENES + gallery.OVERLAYS
    assert len({shot.name for shot in shots}) == len(shots)
    assert {path.name for path in gallery.PICTURES.iterdir()} == {*(shot.file for shot in shots), gallery.DRAWN.name}
    assert {path.name for path in gallery.FILMS.iterdir()} == {film.file for film in gallery.FILMS_OF_ALL}


def test_pictures_and_films_are_of_the_present_rules() -> None:
    """Each was drawn with the golden digest that its scene has now: else ``tools/gallery.py --outdated`` draws it."""
    assert gallery.drawn_with() == gallery.golden()


def test_the_tables_of_pages_are_the_current_output_of_their_tool() -> None:
    answer = subprocess.run([sys.executable, ROOT / "tools/write_tables.py", "--check"], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_the_diagrams_of_ticks_are_the_current_output_of_their_tool() -> None:
    """In this process, because the tool's imports take longer than its drawing."""
    for name, rules in draw_ticks.TICKS.items():
        assert (draw_ticks.FOLDER / name).read_text(encoding="utf-8") == draw_ticks.picture(rules), name


@pytest.mark.long("a process of its own")
def test_the_tool_of_diagrams_finds_them_up_to_date_and_refuses_other_names() -> None:
    tool = [sys.executable, ROOT / "tools/draw_ticks.py"]
    answer = subprocess.run([*tool, "--check"], capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")
    answer = subprocess.run([*tool, "tick.svg"], capture_output=True, text=True)
    assert answer.returncode == 2
    assert "no picture is named tick.svg; expected tick_atoms.svg" in answer.stderr


@pytest.mark.long("opens a window")
def test_the_picture_of_the_window_is_drawn_by_its_tool(tmp_path: Path) -> None:
    if reason := desktop.missing():
        pytest.skip(reason)
    pytest.importorskip("imgui_bundle", reason="imgui-bundle is not installed")
    command = [sys.executable, ROOT / "tools/picture_of_window.py", tmp_path / "window.png", "--seconds", "1"]
    answer = subprocess.run(command, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (0, "")
    with Image.open(tmp_path / "window.png") as drawn, Image.open(ROOT / "docs/viewer.png") as kept:
        assert drawn.size == kept.size == (1280, 800)
        assert drawn.getpixel((500, 620)) == kept.getpixel((500, 620)) != (0, 0, 0)  # the stone floor of the scene


@pytest.mark.long("a server and a browser")
@pytest.mark.parametrize(("name", "words"), [("served", ()), ("served_phone", ("--phone",))])
def test_the_pictures_of_the_served_page_are_drawn_by_their_tool(
    name: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install -e '.[serve]'")
    with headless_chromium():
        pass
    command = [sys.executable, ROOT / "tools/picture_of_page.py", tmp_path / "page.png", "--tick", "1", *words]
    assert subprocess.run(command).returncode == 0
    with Image.open(tmp_path / "page.png") as drawn, Image.open(ROOT / f"docs/{name}.png") as kept:
        assert drawn.size == kept.size
        there, expected = (np.asarray(each, int) for each in (drawn, kept))
        assert (np.abs(there - expected).max(axis=2) < 40).mean() > 0.6  # all but the fire, and numbers
        words = expected.min(axis=2) > 150  # and the sky
        assert (there.min(axis=2) > 150)[words].mean() > 0.6


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
@pytest.mark.parametrize("rule", mostly_long(RULES, "flow", why="the measurement of another rule"))
def test_the_measurement_compares_all_variants(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "VARIANTS", {"auto": {}, "strip-2x4": {"strip": (2, 4)}})
    found = measure.variants(rule, 32, Effort(runs=1, ticks=1))
    assert {name.split()[0] for name in found} == {variant.name for variant in RULES[rule].variants}
    assert all(isinstance(speed, float) for speed in found.values())
    passes = [pass_ for variant in RULES[rule].variants for pass_ in variant.passes]
    assert any(name.endswith(" awake") for name in found) == any(pass_.activated_by for pass_ in passes)
    assert any(name.endswith(" strip-2x4") for name in found) == any(pass_.over == Over.STRIPS for pass_ in passes)
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
