"""Ranges in scenes: what a seed draws, and errors of bad ranges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from gpufluid.scene import Scene
from gpufluid.scene.changes import Changes
from gpufluid.scene.ranges import draw

BALLS = """\
size = [100, 50]
rules = ["atoms"]
seed = 3
[[fill]]
shape = "circle"
count = { from = 1, to = 5 }
at = { from = [10, 5], to = [90, 40] }
radius = { from = 2, to = 6.5 }
material = { choice = ["sand", "gravel", "stone"] }
[[emitter]]
at = [{ from = 0, to = 99 }, 0]
material = "water"
"""


def test_a_draw_is_a_fixed_function_of_the_seed() -> None:
    """These values may never change: data sets are named by their seeds."""
    assert [draw({"from": 0, "to": 99}, "fill[0].radius", seed) for seed in (0, 1, 2**32 - 1)] == [62, 9, 37]
    assert draw({"from": [0.0, -1], "to": [1, 1]}, "fill[0].velocity", 7, copy=2) == [0.8849002057686448, -1]
    assert draw({"choice": ["a", "b", "c"]}, "fill[0].material", 5) == "a"


def test_each_value_is_drawn_equally_often_and_both_ends_are() -> None:
    counts = Counter(draw({"from": -2, "to": 2}, "fill[0].radius", seed) for seed in range(2000))
    assert sorted(counts) == [-2, -1, 0, 1, 2]
    assert all(340 < count < 460 for count in counts.values()), counts  # 400, and three times their spread of 18
    floats = np.array([draw({"from": 0, "to": 1.0}, "fill[0].amount", seed) for seed in range(2000)])
    assert abs(floats.mean() - 0.5) < 0.02
    assert 0 <= floats.min() < 0.01 < 0.99 < floats.max() <= 1


def test_components_copies_names_and_seeds_are_independent() -> None:
    range_ = {"from": [0.0] * 2, "to": [1.0] * 2}
    drawn = np.array([draw(range_, "fill[0].at", seed, copy) for seed in range(500) for copy in range(2)])
    drawn = drawn.reshape(500, 4)
    others = np.array([draw(range_, "fill[1].at", seed) for seed in range(500)])
    following = np.concatenate([drawn[1:, :1], drawn[:1, :1]])
    related = np.corrcoef(np.concatenate([drawn, others, following], axis=1).T)
    assert abs(related - np.eye(7)).max() < 0.15  # their spread is 0.045


def test_a_scene_with_ranges_is_a_world_of_its_seed(read: Callable[..., Scene]) -> None:
    worlds = [read(BALLS, seed=seed) for seed in range(20)]
    assert len({scene.world.digest() for scene in worlds}) == 20
    assert {scene.drawn["fill[0].count"][0] for scene in worlds} == {1, 2, 3, 4, 5}
    own = read(BALLS)
    assert own.world.digest() == read(BALLS, seed=3).world.digest()
    count = own.drawn["fill[0].count"][0]
    copies = zip(*(own.drawn[f"fill[0].{key}"] for key in ("at", "radius", "material")), strict=True)
    fills = "".join(
        f'[[fill]]\nshape = "circle"\nat = {at}\nradius = {radius}\nmaterial = "{material}"\n'
        for at, radius, material in copies
    )
    port = f'[[emitter]]\nat = [{own.drawn["emitter[0].at[0]"][0]}, 0]\nmaterial = "water"\n'
    plain = read('size = [100, 50]\nrules = ["atoms"]\nseed = 3\n' + fills + port)
    assert plain.world.digest() == own.world.digest()
    assert plain.world.emitters == own.world.emitters
    assert fills.count("[[fill]]") == count
    assert (own.begins_by_seed, plain.begins_by_seed) == (True, False)


def test_another_table_changes_no_draw(read: Callable[..., Scene]) -> None:
    more = BALLS + '[[fill]]\nshape = "rectangle"\nat = [0, { from = 0, to = 40 }]\nsize = [1, 1]\nmaterial = "sand"\n'
    drawn = read(more).drawn
    assert {name: drawn[name] for name in read(BALLS).drawn} == read(BALLS).drawn


def test_changes_stand_in_place_of_values_and_ranges(read: Callable[..., Scene]) -> None:
    changes = Changes(
        materials={"sand": {"density": 1234}},
        gravity="left",
        values={"fill[0].radius": 3, "fill[0].count": {"from": 2, "to": 2}},
        seeds={"fill[0].at": 11},
    )
    found, own, other = read(BALLS, changes=changes), read(BALLS), read(BALLS, seed=11)
    materials = found.world.materials
    assert (found.world.gravity, materials.records[materials["sand"]].density) == ("left", 1234)
    assert found.drawn["fill[0].count"] == [2]
    assert "fill[0].radius" not in found.drawn
    assert found.drawn["fill[0].at"][0] == other.drawn["fill[0].at"][0] != own.drawn["fill[0].at"][0]
    assert found.drawn["emitter[0].at[0]"] == own.drawn["emitter[0].at[0]"]


def test_a_drawn_shape_beside_the_world_draws_nothing(read: Callable[..., Scene]) -> None:
    """Both ends of the range touch the world, some places between them do not."""
    text = """\
    size = [20, 20]
    rules = ["atoms"]
    [[fill]]
    shape = "circle"
    at = { from = [-3, 10], to = [10, 22] }
    radius = 3
    material = "sand"
    """
    worlds = [read(text, seed=seed).world for seed in range(60)]
    empty = [not world["material"].any() for world in worlds]
    assert any(empty)
    assert not all(empty)


def _balls(old: str, new: str) -> str:
    assert old in BALLS
    return BALLS.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("from = 2, to = 6.5", "from = 2", "8: fill[0].radius: {'from': 2}; a range is {from = ..., to = ...} or"),
        (
            "from = 2, to = 6.5",
            "from = 7, to = 6.5",
            "8: fill[0].radius: from 7 to 6.5; expected the lower number first",
        ),
        ("from = 2, to = 6.5", 'from = "a", to = 6.5', "8: fill[0].radius: from = 'a': words have no order; write"),
        ("from = 2, to = 6.5", "from = nan, to = 6.5", "8: fill[0].radius: from nan to 6.5; expected two numbers"),
        ("from = 2, to = 6.5", f"from = 2, to = {'9' * 400}", "8: fill[0].radius: from 2 to 999"),
        ("from = 2, to = 6.5", "from = -2, to = 6.5", "8: fill[0].radius: -2: expected greater than 0"),
        ("[90, 40]", "[90]", "7: fill[0].at: from has 2 numbers and to has 1; expected as many"),
        ("[90, 40]", "[990, 40]", "7: fill[0].at: no cell of the circle is in the world of 100 by 50 cells"),
        ("to = 5 }", "to = 1001 }", "6: fill[0].count: 1001; expected a whole number from 0 to 1000"),
        ("to = 5 }", "to = 5.5 }", "6: fill[0].count: 5.5; expected a whole number from 0 to 1000"),
        ('"gravel"', '"gravle"', "9: fill[0].material: unknown material 'gravle'; did you mean 'gravel'?"),
        (
            'choice = ["sand", "gravel", "stone"]',
            "choice = []",
            "9: fill[0].material: choice = []; expected a list of at",
        ),
        ("to = 99", "to = 100", "11: emitter[0].at: columns 100 to 100, rows 0 to 0 reach outside the world of 100 by"),
        ("seed = 3", "seed = { from = 0, to = 3 }", "3: seed: expected a whole number"),
        ("count =", "cuont =", "6: fill[0].cuont: unknown key; did you mean 'count'?"),
    ],
)
def test_a_bad_range_is_one_error_for_any_seed(refuses: Callable[..., str], old: str, new: str, said: str) -> None:
    found = {refuses(_balls(old, new), seed=seed) for seed in (None, 0, 1)}
    assert len(found) == 1
    assert said in found.pop()


def test_copies_without_a_range_are_an_error(refuses: Callable[..., str]) -> None:
    text = 'size = [9, 9]\nrules = ["atoms"]\n[[emitter]]\nat = [1, 1]\ncount = 3\n'
    assert "5: emitter[0].count: 3 copies of the same emitter; expected a range in another key of it" in refuses(text)


def test_two_ranges_that_do_not_fit_together_are_an_error(refuses: Callable[..., str]) -> None:
    """Each end is valid beside the first end of the other range, and beside the last."""
    ports = "[[emitter]]\nat = [1, 1]\nstart = { from = 0, to = 90 }\nuntil = { from = 50, to = 100 }\n"
    text = f'size = [9, 9]\nrules = ["atoms"]\n{ports}'
    assert "until: 50; expected a tick after start, which is 90" in refuses(text)
