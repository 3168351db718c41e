"""A bad scene file costs at most its size and 64 MB of memory and two seconds, however large it is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from string import ascii_lowercase

import pytest
from attacks.cost import measured
from attacks.scenes import MEMORY_MOST, SECONDS_MOST

from gpufluid import Drain, World, scene
from gpufluid.core.errors import SceneError, UsageError
from gpufluid.matter.materials import SHIPPED
from gpufluid.scene import Scene
from gpufluid.scene.toml_lines import BYTES_MOST, VALUES_MOST

TOP = "size = [4, 4]\n"


def words(count: int, before: str = "", after: str = "") -> list[str]:
    """So many different words."""
    return [before + "".join(letters) + after for letters in islice(product(ascii_lowercase, repeat=3), count)]


def of_similar_names() -> str:
    """As many materials as a world can have, and as many unknown ones, all of names that are compared slowly."""
    own = words(255 - len(SHIPPED), "a" * 28)
    made = [
        f'[[material]]\nname = "{name}"\nstate = "solid"\ndensity = 1\ncolour = "#1{number:05x}"\n'
        for number, name in enumerate(own)
    ]
    unknown = (f'{{shape="line",from=[0,0],to=[1,1],material="{name}"}},' for name in words(2000, "a" * 28, "q"))
    return TOP + "fill = [" + "".join(unknown) + "]\n" + "".join(made)


def of_similar_tags() -> str:
    """Materials with thousands of tags that no reaction names, beside hundreds that one names; a comparison is slow."""
    materials = "".join(
        f'[[material]]\nname = "b{number}"\nstate = "solid"\ndensity = 1\ncolour = "#1{number:05x}"\n'
        f"tags = [{','.join(map(repr, words(28, f'q{number} ' + 'a' * 20)))}]\n"
        for number in range(100)
    )
    named = words(300, "a" * 24)
    groups = [named[first : first + 30] for first in range(0, 300, 30)]
    known = "".join(
        f'[[material]]\nname = "c{number}"\nstate = "solid"\ndensity = 1\ncolour = "#2{number:05x}"\ntags = {group}\n'
        for number, group in enumerate(groups)
    )
    return TOP + materials + known + "".join(f'[[reaction]]\nfrom = "{tag}"\nbecome = "sand"\n' for tag in named)


FLOODS: dict[str, tuple[str, str]] = {
    # name: (text, words of the message)
    "empty lists": (TOP + "x = [" + "[]," * 700_000 + "]\n", "scene.toml: is too large for a scene: over 200000 bytes"),
    "numbers": (TOP + "x = [" + "0," * 90_000 + "]\n", "scene.toml: is too large for a scene: over 32768 values"),
    "tables": (TOP + "[[fill]]\n" * 50_000, "over 200000 bytes"),
    "comments": (TOP + "#\n" * 900_000, "over 200000 bytes"),
    "quotes": ("'" * 199_000, "scene.toml:1: not TOML"),
    "unknown keys": (TOP + "".join(f"{name} = 1\n" for name in words(15_000)), "aaa: unknown key"),
    "unknown parameters": (TOP + "[flow]\n" + "".join(f"{name} = 1\n" for name in words(15_000, "m_m")), "flow.m_maaa"),
    "fills of nothing": (TOP + "fill = [" + "{}," * 16_000 + "]\n", "fill[0].shape: is missing"),
    "one rule": (TOP + "rules = [" + "'flow'," * 28_000 + "]\n", "names a rule twice: 'flow'"),
    "similar names": (of_similar_names(), "unknown material 'aaaa"),
    "similar tags": (of_similar_tags(), "no reaction names the tag 'q0 aaaaa"),
}


@pytest.mark.parametrize("name", FLOODS)
def test_a_scene_with_thousands_of_pieces_is_refused_at_little_cost(read: Callable[..., Scene], name: str) -> None:
    text, expected = FLOODS[name]
    read(TOP)  # imports cost memory, too
    with measured() as cost, pytest.raises(SceneError) as caught:
        read(text)
    assert expected in str(caught.value)
    assert len(caught.value.problems) <= 31
    assert cost.seconds < SECONDS_MOST
    assert cost.memory < MEMORY_MOST + len(text)


def test_the_first_of_many_problems_are_reported(read: Callable[..., Scene]) -> None:
    with pytest.raises(SceneError) as caught:
        read(TOP + "".join(f"{name} = 1\n" for name in words(100)))
    *lines, last = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == words(30)
    assert last.endswith("scene.toml: only 30 problems are reported")


def test_the_name_of_a_missing_picture_is_searched_in_some_folders_only(
    read: Callable[..., Scene], tmp_path: Path
) -> None:
    """A scene can lie at the top of a whole disk."""
    for name in words(150):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.png").touch()
    text = '[map]\nimage = "{}"\nlegend = {{ "#808080" = "wall" }}\n'
    with pytest.raises(SceneError, match=r"there is no 'the map'; expected one of: .*, \.\.\. \(99 in all\)"):
        read(text.format("the map"))
    (tmp_path / "the maps.png").touch()
    with pytest.raises(SceneError, match="did you mean 'the maps"):
        read(text.format("the map"))


def test_a_file_up_to_the_limits_is_read(read: Callable[..., Scene]) -> None:
    fill = '[[fill]]\nshape="line"\nfrom=[0,0]\nto=[1,1]\nmaterial="wall"\n'
    marks = sum(fill.count(mark) for mark in "=,[{")
    text = TOP + fill * ((VALUES_MOST - 3) // marks) + "#"
    text += "-" * (BYTES_MOST - len(text))
    assert read(text).world["material"][0, 0] != 0
    with pytest.raises(SceneError, match="over 200000 bytes"):
        read(text + "-")
    with pytest.raises(SceneError, match="over 32768 values"):
        read(text.replace("#-", "#" + "," * marks)[:BYTES_MOST])


def test_a_world_too_large_for_a_scene_is_not_written(tmp_path: Path) -> None:
    world = World(
        64, 64, rules=("flow",), drains=[Drain((n % 64, n // 64), start=1, until=9, rate=0.5) for n in range(4096)]
    )
    with pytest.raises(UsageError, match="the world is too large for a scene: over 200000 bytes beside its map"):
        scene.write(world, tmp_path / "x.toml", "", "")
    assert not list(tmp_path.iterdir())
