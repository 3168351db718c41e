"""What varies between the worlds of a data set: values of each world, and the words of ``--vary``."""

from __future__ import annotations

import pytest

from gpufluid.cli.vary import variation_of
from gpufluid.core.errors import UsageError
from gpufluid.run.variations import Own, Variation, labels_of_worlds, of_worlds
from gpufluid.scene.ranges import draw


def test_steps_of_whole_numbers_are_whole() -> None:
    assert Variation("flow.substeps", 1, 4).values(3) == [1, 2, 4]
    assert Variation("flow.max_compress", 0, 1.0).values(3) == [0, 0.5, 1]
    assert Variation("fill[0].at", [0, 9], [8, 5]).values(5) == [[0, 9], [2, 8], [4, 7], [6, 6], [8, 5]]


def test_powers_are_equal_factors() -> None:
    assert Variation("sand.drag", 0.001, 1.0, "powers").values(4) == [0.001, 0.01, 0.1, 1]
    assert Variation("sand.density", 10, 1000, "powers").values(3) == [10, 100, 1000]


def test_combined_values_meet_each_other_and_the_others_go_along() -> None:
    words = ("gravity=up,down", "flow.substeps=1:3:3", "sand.slide=0:1.0", "seed")
    owns = of_worlds([variation_of(word) for word in words], 12, 7)
    assert [own.values["gravity"] for own in owns] == ["up"] * 6 + ["down"] * 6
    assert [own.values["flow.substeps"] for own in owns] == [1, 1, 2, 2, 3, 3] * 2
    slides = [own.values["sand.slide"] for own in owns]
    assert (slides[0], slides[-1], slides) == (0, 1, sorted(slides))
    assert owns[3].changes.gravity == "up"
    assert owns[3].parameters == {"flow": {"substeps": 2}}
    assert owns[3].changes.materials == {"sand": {"slide": slides[3]}}


def test_draws_follow_from_the_seeds_of_the_worlds() -> None:
    words = ("sand.slide=0:1.0:draw", "gravity=up,down:draw", "fill[0].at")
    owns = of_worlds([variation_of(word) for word in words], 5, 2**32 - 2)
    seeds = [2**32 - 2, 2**32 - 1, 0, 1, 2]
    range_ = {"from": 0, "to": 1.0}
    assert [own.values["sand.slide"] for own in owns] == [draw(range_, "sand.slide", seed) for seed in seeds]
    assert {own.values["gravity"] for own in owns} == {"up", "down"}
    assert [own.changes.seeds for own in owns] == [{"fill[0].at": seed} for seed in seeds]


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("fill[0].at=[1, 2]:[3, 4]:draw", Variation("fill[0].at", [1, 2], [3, 4], "draw")),
        ("sand.drag=1e-3:1:4:powers", Variation("sand.drag", 1e-3, 1, "powers", 4)),
        ('fill[1].material="salt water",oil', Variation("fill[1].material", choices=["salt water", "oil"])),
        ("fill[1].points[2]=[0, 1],[2, 3]", Variation("fill[1].points[2]", choices=[[0, 1], [2, 3]])),
        ("salt water.density=900:1200", Variation("salt water.density", 900, 1200)),
        ("gravity=left", Variation("gravity", choices=["left"])),
    ],
)
def test_a_word_is_a_variation(word: str, wanted: Variation) -> None:
    assert variation_of(word) == wanted


@pytest.mark.parametrize(
    "word",
    [
        *(
            "seed=1:2",
            "gravity",
            "sand.drag",
            "sand.drag=",
            "sand.drag=1",
            "=1:2",
            "sand.drag=1:2:1",
            "sand.drag=1:2:x",
        ),
        *(
            "sand.drag=1:2:3:draw",
            "sand.drag=1:2:powers:3",
            "sand.drag=1,2:powers",
            "sand.drag=0:2:powers",
            "a.b.c=1:2",
        ),
        *("fill[0].at=[1]:2", "fill[0].at=[]:[]", "sand.drag=true:false", "sand.drag=3:1:draw", "gravity=a:b"),
    ],
)
def test_other_words_are_errors(word: str) -> None:
    with pytest.raises(UsageError, match=r"^--vary "):
        variation_of(word)


def test_lists_of_different_lengths_are_labelled_by_their_places() -> None:
    """An array cannot have a triangle beside a square."""
    shapes = [[[0, 0], [4, 0], [4, 4]], [[0, 0], [9, 0], [9, 9], [0, 9]]]
    drawn = [{"fill[0].points": [shapes[place]]} for place in (1, 1, 0)]
    found = labels_of_worlds([Own()] * 3, drawn, [], {"fill[0].points": {"choice": shapes}})
    assert found["fill[0].points"].tolist() == [1, 1, 0]
    listed = [Variation("fill[0].points", choices=shapes)]
    assert labels_of_worlds(of_worlds(listed, 2, 0), [{}, {}], listed, {})["fill[0].points"].tolist() == [0, 1]
