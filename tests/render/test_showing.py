"""Worlds and simulations show themselves in notebooks, as films, and in plots."""

from __future__ import annotations

import io
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import imageio_ffmpeg
import moderngl
import numpy as np
import pytest
from PIL import Image
from support.extras import WITHOUT, without_extras

from gpufluid import FULL, Simulation, World
from gpufluid.core import html
from gpufluid.core.errors import DeviceError, MissingExtraError, UsageError, WorldError
from gpufluid.gpu.device import Device
from gpufluid.gpu.memory import Allocations
from gpufluid.render import film as films
from gpufluid.render.clip import Clip
from gpufluid.render.scale import scale_within
from gpufluid.world import in_notebooks

pytestmark = pytest.mark.usefixtures("device")


class Page(HTMLParser):
    """The texts of table cells, and the sources of pictures and films, of a piece of HTML that must be balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.sources: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag == "td":
            self.rows[-1].append("")
        if tag in ("img", "video"):
            self.sources.append(dict(attrs)["src"] or "")
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self.open:
            self.rows[-1][-1] += data

    def picture(self) -> np.ndarray:
        (source,) = self.sources
        kind, data = source.split(",")
        assert kind == "data:image/png;base64"
        return pixels(b64decode(data))


def pixels(png: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"
        return np.asarray(picture)


@pytest.fixture(scope="module")
def tank() -> World:
    """A world of 48 x 24 cells: water by mass over a floor of stone."""
    world = World(24, 48, ("flow",), seed=1)
    world["material"][20:] = world.materials["stone"]
    world["mass"][4:20, 10:20] = FULL
    return world


@pytest.fixture
def sim(tank: World) -> Iterator[Simulation]:
    with Simulation(tank) as simulation:
        yield simulation


def test_a_world_shows_the_picture_that_its_simulation_draws(tank: World, sim: Simulation) -> None:
    expected = sim.frame(8)
    np.testing.assert_array_equal(pixels(tank._repr_png_() or b""), expected)
    page = Page(tank._repr_html_())
    np.testing.assert_array_equal(page.picture(), expected)
    assert page.rows == [["stone", "192", "cells"], ["mass", "160", "cells"]]
    for text in ("World of 48 x 24 cells", "tick 0, rules flow", "edges closed, gravity down, seed 1"):
        assert text in tank._repr_html_()


def test_a_simulation_shows_its_present_state(sim: Simulation) -> None:
    sim.step(30)
    np.testing.assert_array_equal(pixels(sim._repr_png_() or b""), sim.frame(8))
    page = Page(sim._repr_html_())
    np.testing.assert_array_equal(page.picture(), sim.frame(8))
    assert page.rows == [["stone", "192", "cells"], ["mass", "160", "cells"]]
    assert "Simulation of 48 x 24 cells" in sim._repr_html_()
    assert repr(sim) == "<Simulation 48x24 flow closed tick 30>"
    sim.close()
    assert repr(sim) == "<Simulation 48x24 flow closed tick 30, no longer open>"
    assert sim._repr_png_() is None
    assert "Closed simulation of 48 x 24 cells" in sim._repr_html_()


def test_the_picture_fits_in_a_page() -> None:
    for width, height in ((1, 1), (640, 3), (641, 3), (3, 2000), (7, 80)):
        shown = pixels(World(height, width, ("flow",))._repr_png_() or b"")
        assert max(shown.shape) <= 640
        assert max(shown.shape) > 320 or shown.shape[0] == 8 * height
    scales = {(1, 1): "8", (160, 128): "4", (641, 1): "1/2", (10**6, 1): "1/64"}
    assert {size: scale_within(*size, 640) for size in scales} == scales


def test_an_invalid_world_says_what_is_wrong_with_it(tank: World) -> None:
    world = tank.copy()
    world["mass"][3, 7] = -5
    assert "not a valid world: mass[3, 7]: -5" in world._repr_html_()
    assert world._repr_png_() is None


def test_a_world_without_opengl_shows_the_reason_and_its_table(tank: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> bytes:
        raise DeviceError("no OpenGL <here>")

    monkeypatch.setattr(in_notebooks, "_draws", [refuse])
    assert tank._repr_png_() is None
    assert "no picture: no OpenGL &lt;here&gt;" in tank._repr_html_()
    assert ["mass", "160", "cells"] in Page(tank._repr_html_()).rows
    monkeypatch.setattr(in_notebooks, "_draws", [])  # without gpufluid.public, which sets the function
    assert Page(tank._repr_html_()).sources == []


def test_a_world_that_memory_does_not_suffice_for_leaves_nothing_on_the_device(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[moderngl.Texture] = []

    def check(size: int) -> None:
        if made:
            raise DeviceError(f"too little memory for {size} bytes")

    def note(allocations: Allocations, texture: moderngl.Texture, size: int) -> None:
        made.append(texture)
        add(allocations, texture, size)

    add = Allocations.add
    monkeypatch.setattr(Allocations, "add", note)
    monkeypatch.setattr(device, "check_room", check)
    assert "no picture: too little memory for" in World(8, 8, ("flow", "atoms"))._repr_html_()
    (texture,) = made
    assert isinstance(texture.mglo, moderngl.InvalidObject)


def test_a_simulation_that_cannot_count_says_so(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise DeviceError("too <little> memory")

    monkeypatch.setattr(sim, "statistics", refuse)
    assert "no statistics: too &lt;little&gt; memory" in sim._repr_html_()


def test_texts_are_escaped() -> None:
    (row,) = Page(html.table([("<b>", "1 & 2", '"<td>"')], ['"red'])).rows
    assert row == ["<b>", "1 & 2", '"<td>"']
    assert Page(html.panel("<b>", ["<i>"], html.note("<u>"))).rows == []


def test_an_empty_world_says_so() -> None:
    assert "empty" in World(4, 4, ("flow",))._repr_html_()


def test_a_film_has_a_frame_before_after_and_every_so_many_ticks(tank: World, sim: Simulation, tmp_path: Path) -> None:
    clip = sim.film(10, every=4, rate=5)
    assert sim.tick == 10
    assert (len(clip), clip.size, clip.seconds) == (4, (384, 192), 0.8)
    with Simulation(tank) as again:
        for frame, ticks in zip(clip, (0, 4, 4, 2), strict=True):
            again.step(ticks)
            np.testing.assert_array_equal(frame, again.frame(8))
    assert repr(clip) == "<Clip 384x192, 4 frames, 0.8 s>"
    path = clip.save(tmp_path / "x.mp4")
    assert imageio_ffmpeg.count_frames_and_secs(str(path)) == (4, 0.8)
    (source,) = Page(clip._repr_html_()).sources
    assert b64decode(source.removeprefix("data:video/mp4;base64,")) == clip.mp4 == path.read_bytes()


@pytest.mark.long("further endings of films, each with its encoder")
@pytest.mark.parametrize("ending", ["gif", "webp", "webm"])
def test_a_film_is_saved_under_every_ending(sim: Simulation, tmp_path: Path, ending: str) -> None:
    path = sim.film(6, every=2).save(str(tmp_path / f"x.{ending}"))
    if ending == "webm":
        assert imageio_ffmpeg.count_frames_and_secs(str(path))[0] == 4
        return
    with Image.open(path) as film:
        assert film.n_frames == 4  # pyright: ignore[reportAttributeAccessIssue]
        assert film.size == (384, 192)


def test_the_settings_of_a_film_are_those_of_pictures(sim: Simulation) -> None:
    clip = sim.film(0, overlay="pressure", theme="night", crop=(8, 4, 16, 16), scale=2)
    np.testing.assert_array_equal(clip[-1], sim.frame(2, overlay="pressure", theme="night", crop=(8, 4, 16, 16)))
    assert sim.film(0, size=(64, 64)).size == (64, 64)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"ticks": -1}, WorldError, "ticks: -1; expected a whole number from 0 on"),
        ({"ticks": 2, "every": 0}, UsageError, "every: 0; expected a whole number of ticks from 1 on"),
        ({"ticks": 2, "every": 1.5}, UsageError, "every: 1.5; expected a whole number"),
        ({"ticks": 2, "rate": 0}, UsageError, "fps: 0; expected 1 to 1000 frames a second"),
        ({"ticks": 2, "rate": "fast"}, UsageError, "fps: 'fast'; expected 1 to 1000 frames a second"),
        ({"ticks": 2, "overlay": "heat"}, UsageError, "overlay: 'heat'"),
        ({"ticks": 2, "scale": 65}, UsageError, "scale: 65; expected 1 to 64"),
    ],
)
def test_a_wrong_argument_of_a_film_is_told_before_any_tick(
    sim: Simulation, given: dict[str, object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=re.escape(said)):
        sim.film(**given)  # pyright: ignore[reportArgumentType]
    assert sim.tick == 0


def test_a_clip_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the clip has no frames; expected at least one"):
        Clip(30).save(tmp_path / "x.mp4")
    clip = Clip(200)
    clip.add(np.zeros((2, 2, 3), np.uint8))
    with pytest.raises(ValueError, match=r"frame of shape \(3, 2, 3\); expected \(2, 2, 3\)"):
        clip.add(np.zeros((3, 2, 3), np.uint8))
    with pytest.raises(UsageError, match=r"unknown ending '\.png'; expected one of: \.gif, \.mp4, \.webm, \.webp"):
        clip.save(tmp_path / "x.png")
    with pytest.raises(UsageError, match=r"a \.gif holds at most 100 frames a second"):
        clip.save(tmp_path / "x.gif")
    assert not list(tmp_path.iterdir())
    assert Clip(30)._repr_html_() == "<em>a clip without frames</em>"


def test_a_film_without_its_extra_is_one_sentence(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MissingExtraError("a film needs imageio-ffmpeg")

    monkeypatch.setattr(films, "require", refuse)
    with pytest.raises(MissingExtraError, match="a film needs imageio-ffmpeg"):
        sim.film(3)
    assert sim.tick == 0


@pytest.mark.long("draws figures by matplotlib")
def test_a_plot_shows_the_picture_in_cells_with_a_colour_bar(sim: Simulation) -> None:
    mpl = pytest.importorskip("matplotlib", reason="of the extra plot")
    mpl.use("agg")
    from matplotlib import pyplot as plt

    plain = sim.plot()
    assert (plain.get_xlim(), plain.get_ylim()) == ((0, 48), (24, 0))
    np.testing.assert_array_equal(plain.images[0].get_array(), sim.frame(8))
    assert not plain.child_axes
    figure, (left, right) = plt.subplots(1, 2)
    assert sim.plot("pressure", overlay_max=3, ax=left) is left
    (bar,) = left.child_axes
    assert bar.get_xlim() == (0, 3)
    assert bar.get_xlabel().replace("\n", " ") == "mass above a full cell, cells (square root scale)"
    sim.plot("mass", ax=right)
    figure.savefig(io.BytesIO())
    plt.close("all")
    with pytest.raises(UsageError, match="overlay: 'presure'"):
        sim.plot("presure")


@pytest.mark.long("a process of its own")
def test_a_plot_without_its_extra_is_one_sentence(tmp_path: Path) -> None:
    program = f"""{WITHOUT}
import gpufluid
with gpufluid.Simulation(gpufluid.World(4, 4)) as sim:
    for call in (sim.plot, sim.statistics().to_frame):
        try:
            call()
        except gpufluid.GpufluidError as error:
            print(error)
"""
    answer = without_extras(program, folder=tmp_path)
    assert answer.stdout.splitlines() == [
        "a plot needs matplotlib: pip install 'gpufluid[plot]'",
        "Statistics.to_frame() needs pandas: pip install pandas",
    ]


def test_statistics_are_a_table(sim: Simulation) -> None:
    found = sim.statistics()
    assert found.quantities() == [("stone", 192, "cells"), ("mass", 160.0, "cells")]
    assert Page(found._repr_html_()).rows == [["stone", "192", "cells"], ["mass", "160", "cells"]]


def test_statistics_of_warm_worlds_and_mixtures_are_tables() -> None:
    world = World(4, 4, ("atoms", "heat"), seed=1)
    world["material"][3] = world.materials["sand"]
    world["temperature"][3] = [0, 8, 16, 400]
    assert world.statistics().quantities() == [
        ("sand", 4, "cells"),
        ("least temperature", 0.0, "degrees C"),
        ("mean temperature", 13.25, "degrees C"),
        ("largest temperature", 50.0, "degrees C"),
        ("heat", 53.0, "degrees times cells"),
    ]
    mixed = World(4, 4, ("mixture",))
    mixed["mixture"][mixed.mixture["lava"], 2] = FULL // 2
    assert mixed.statistics().quantities() == [("lava", 2.0, "cells")]


@pytest.mark.long("needs pandas, of the extra dev-all")
def test_statistics_as_a_frame_of_pandas(sim: Simulation) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is no dependency of gpufluid")
    frame = sim.statistics().to_frame()
    assert json.loads(frame.to_json(orient="index")) == {
        "stone": {"value": 192, "unit": "cells"},
        "mass": {"value": 160, "unit": "cells"},
    }
    assert frame.index.name == "tick 0"
    assert isinstance(frame, pandas.DataFrame)
