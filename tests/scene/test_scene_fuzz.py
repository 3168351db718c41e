"""Any change to the text of a scene gives a world or a SceneError, whose problems name lines of the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.selection import examples

from gpufluid import scene
from gpufluid.core.errors import SceneError

WHOLE = """\
title = "x"
size = [12, 9] # width, height
rules = ["flow"]
edges = 'open'
gravity = "down"
seed = 1
ticks = 0x10
test = "run"
flow.max_mass = 1.0
fill = [{ shape = "circle", at = [4, 4], radius = 2.5, material = "water", amount = 0.5 }]
[[emitter]]
at = [1, 2]
size = [3, 1]
chance = 0.5
velocity = [1, -0.5]
until = 9
[[drain]]
at = [0, 0]
rate = 1
[map]
image = "none.png"
[map.legend]
"#808080" = "wall"
"""
SHAPES = """\
size = [12, 9]
[flow]
preset = "seed-000"
side_order = "left"
substeps = 2
[[fill]]
shape = "line"
from = [1, 1]
to = [5, 5]
width = 2
material = "stone"
[[fill]]
shape = "polygon"
points = [[0, 0], [6, 0], [6, 6]]
material = "wood"
[[fill]]
shape = "noise"
scale = 4
cover = 0.5
only_in = "empty"
material = "water"
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [2, 2]
material = "water"
"""
MATTER = """\
size = [12, 9]
[[material]]
name = "brick"
state = "solid"
density = 1900
colour = "#a04030"
[[material]]
name = "water"
colour = "#2a9d8f"
shade = 0.1
gravity = -0.5
terminal = 7.9
drag = 0
bounce = 1
slide = 0.5
spread = 0.5
stick = 0.5
[[material]]
name = "oil"
state = "gas"
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [2, 2]
material = "brick"
"""
PIECES = (
    *("", "\n", "\r\n", "=", ".", "[", "]", "[[", "]]", "{", "}", '"', "'", '"""', "#", ",", "\\", "\0", "ü", "🌊"),
    *("0", "-1", "1.5", "nan", "-inf", "true", "1e400", "0xff", "9" * 25, "9" * 320, "1979-05-27", "07:32:00", "''"),
    *("[]", "{}", "[1, 2]", "[[1, 2], [3, 4]]", "{ a = 1 }", "size", "flow", "fill", "shape", "[fill]", "[[flow]]"),
    *("[[material]]", "name", "empty"),
)  # fmt: skip

edits = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from((0, 1, 4, 20)), st.sampled_from(PIECES)),
    min_size=1,
    max_size=4,
)


def check(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    try:
        scene.read(path, max_side=64).world.validate()
    except SceneError as error:
        problems = error.problems
    else:
        return
    lines = text.count(b"\n") + 1
    assert problems
    assert all(problem.line is not None and 1 <= problem.line <= lines and problem.message for problem in problems)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "scene.toml"


@examples(400)
@given(text=st.sampled_from((WHOLE, SHAPES, MATTER)), edits=edits)
@example(text=SHAPES, edits=[])
@example(text=MATTER, edits=[])
def test_a_randomly_edited_scene_is_a_world_or_an_error(path: Path, text: str, edits) -> None:
    """At any place in the text, some characters are replaced by a piece of TOML."""
    for place, gone, piece in edits:
        at = int(place * len(text))
        text = text[:at] + piece + text[at + gone :]
    check(path, text.encode())


VALUES = (
    *("true", "-1", "0", "1.5", "nan", "inf", "1e308", "'x'", "''", "[]", "{}", "[1]", "[1, 2]", "[true, 1]"),
    *("'wall'", "'empty'", "'solid'", "'#123456'", "7.91"),
    *("[-1, 99]", "{ a = 1 }", "1979-05-27", str(2**31), str(2**63), str(-(2**63)), "9" * 320, "0x" + "f" * 30),
    *("['flow']", "['x']", "[{}]", "['a', 1]", f"[{2**33}, {2**33}]", f"[[{2**62}, 1], [1, {2**62}], [-{2**62}, 3]]"),
)  # fmt: skip


@examples(600)
@given(text=st.sampled_from((WHOLE, SHAPES, MATTER)), number=st.integers(0, 40), value=st.sampled_from(VALUES))
def test_any_value_at_any_key_is_a_world_or_an_error(path: Path, text: str, number: int, value: str) -> None:
    """Valid TOML, one value of the wrong kind."""
    lines = text.splitlines()
    keyed = [at for at, line in enumerate(lines) if "=" in line]
    at = keyed[number % len(keyed)]
    lines[at] = f"{lines[at].partition('=')[0]}= {value}"
    check(path, "\n".join(lines).encode())


@given(raw=st.binary(max_size=200))
def test_any_bytes_are_a_world_or_an_error(path: Path, raw: bytes) -> None:
    check(path, raw)
