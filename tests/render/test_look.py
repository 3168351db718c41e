"""Themes and backgrounds of pictures."""

from __future__ import annotations

import numpy as np
import pytest
from support.worlds import random_world

import gpufluid
from gpufluid import Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.render.legend import draw_legend
from gpufluid.render.look import THEMES, Look
from gpufluid.render.painter import find_overlay
from gpufluid.render.scale import Scale
from gpufluid.runtime.editing import Workbench

RULES = [("flow",), ("atoms",), ("mixture",)]


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("rules", RULES, ids="+".join)
def test_empty_cells_have_the_colour_of_the_background(rules: tuple[str, ...], theme: str) -> None:
    with Simulation(World(12, 9, rules)) as sim:
        frame = sim.frame(2, theme=theme, background="#3070e0")
        assert (frame == (0x30, 0x70, 0xE0)).all()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("rules", RULES, ids="+".join)
def test_the_sky_of_the_night_goes_from_its_upper_colour_to_its_lower_one(rules: tuple[str, ...]) -> None:
    with Simulation(World(60, 9, rules)) as sim:
        frame = sim.frame(theme="night").astype(int)
    top, bottom = THEMES["night"].sky or ((0, 0, 0), (0, 0, 0))
    assert abs(frame[0] - top).max() <= 1
    assert abs(frame[-1] - bottom).max() <= 1
    assert (np.diff(frame[:, 0].sum(axis=1)) >= 0).all()


@pytest.mark.usefixtures("device")
def test_by_day_the_background_is_the_worlds_own_colour_of_empty_cells(tmp_path) -> None:
    (tmp_path / "x.toml").write_text(
        'size = [4, 3]\nrules = ["flow"]\n[[material]]\nname = "empty"\ncolour = "#102030"\n'
    )
    try:
        world = gpufluid.load(tmp_path / "x.toml")
    except UsageError:
        pytest.fail("a scene may give empty cells another colour")
    with Simulation(world) as sim:
        assert (sim.frame() == (16, 32, 48)).all()


@pytest.mark.usefixtures("device")
def test_an_overlay_has_the_background_of_the_theme() -> None:
    with Simulation(World(12, 9, rules=("flow",))) as sim:
        night, given = sim.frame(overlay="mass", theme="night"), sim.frame(overlay="mass", background="#ffffff")
    assert night.max() < 60
    assert (given == 255).all()


@pytest.mark.usefixtures("device")
def test_a_window_is_darker_beyond_the_world_at_night() -> None:
    beyond = {}
    with Workbench(World(4, 4, rules=("flow",))) as sim:
        for theme in THEMES:
            view = sim.view(Scale(), (8, 8), (20, 20), look=Look(theme=theme))
            with sim.device:
                beyond[theme] = tuple(np.frombuffer(view.read(), np.uint8).reshape(20, 20, 4)[0, 0, :3])
    assert beyond == {name: theme.beyond for name, theme in THEMES.items()}


@pytest.mark.usefixtures("device")
def test_changing_the_look_by_turns_draws_each_as_alone() -> None:
    world = random_world(20, 30)
    looks = [{}, {"theme": "night"}, {"background": "#a0b0c0"}, {"theme": "night", "background": "#401010"}]
    alone = []
    for look in looks:
        with Simulation(world) as sim:
            alone.append(sim.frame(**look))
    with Simulation(world) as sim:
        for _ in range(2):
            for look, picture in zip(looks, alone, strict=True):
                np.testing.assert_array_equal(sim.frame(**look), picture)
    assert len({picture.tobytes() for picture in alone}) == len(alone)


def test_a_legend_has_the_paper_and_ink_of_the_theme() -> None:
    overlay = find_overlay(World(9, 9, rules=("flow",)), "mass")
    for name, theme in THEMES.items():
        legend = draw_legend(overlay, 0.1, 3.0, 300, name)
        assert tuple(legend[0, 0]) == theme.paper
        assert (abs(legend.astype(int) - theme.ink).max(axis=2) < 40).any()


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"theme": "nigth"}, "theme: 'nigth' is not known; did you mean 'night'?"),
        ({"theme": 3}, "theme: 3 is not known; expected one of: day, night"),
        ({"background": "red"}, "background: 'red' is no colour; expected one like '#3070e0'"),
        ({"background": "#12345"}, "background: '#12345' is no colour; expected one like '#3070e0'"),
        ({"background": (1, 2, 3)}, "background: (1, 2, 3) is no colour; expected one like '#3070e0'"),
    ],
)
def test_a_wrong_look_is_refused(given: dict[str, object], words: str) -> None:
    with Simulation(World(2, 2, rules=("flow",))) as sim, pytest.raises(UsageError) as caught:
        sim.frame(**given)  # pyright: ignore[reportArgumentType]
    assert str(caught.value) == words
