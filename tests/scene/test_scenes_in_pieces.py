"""A scene or a store that is built in pieces has the cells, or the error, of the whole one, whatever the pieces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from attacks.pictures import Drawn, png
from support.builders import Parts, built_together, strips, tiled
from support.mixtures import random_mixture
from support.scenes_in_pieces import BAD_STORES, OVERFULL, SHIPPED, turned
from support.selection import mostly_long
from support.worlds import random_atoms

import gpufluid
from gpufluid import World, scene
from gpufluid.core.errors import SceneError, UsageError
from gpufluid.io import store_layout
from gpufluid.io.stores import UnbuiltStore
from gpufluid.scene import Scene
from gpufluid.scene.building import SceneBuilder
from gpufluid.scene.reading import read_tables
from gpufluid.world.laws import GRAVITIES
from gpufluid.world.pieces import Unbuilt

PARTS: dict[str, Callable[[int, int], Parts]] = {
    "rows": lambda width, height: strips(width, height, 3, of_rows=True),
    "columns": lambda width, height: strips(width, height, 4, of_rows=False),
    "tiles": lambda width, height: tiled(strips(width, height, 2, of_rows=False), 61, 83),
}
"""The parts of several builders in a world of some width and height in cells, by name."""


def opened(path: Path) -> Unbuilt:
    """The world of a scene, not built yet."""
    found = SceneBuilder(path, None, {}, 1 << 16).open()
    assert not isinstance(found, World)
    return found


def assert_built(path: Path, whole: World) -> None:
    """A scene that is built in pieces has these cells."""
    for name, parts in PARTS.items():
        world = built_together(lambda: opened(path), parts(whole.width, whole.height))
        for field in whole.fields:
            np.testing.assert_array_equal(world.own_array(field), whole.own_array(field), f"{field} in {name}")


@pytest.mark.parametrize("name", mostly_long(SHIPPED, *list(SHIPPED)[::4], why="another scene; ranks build them, too"))
def test_each_shipped_scene_is_the_same_in_pieces(name: str) -> None:
    assert_built(SHIPPED[name], scene.read(SHIPPED[name]).world)


@pytest.mark.parametrize("gravity", mostly_long(["up", "left"], why="seconds for each; ranks build turned scenes, too"))
def test_turned_scenes_are_the_same_in_pieces(gravity: str, tmp_path: Path) -> None:
    """Water below a surface lies deeper in another direction, and random bytes are those of places in the frame."""
    compared = 0
    for name in list(SHIPPED)[GRAVITIES.index(gravity) % 3 :: 3]:
        path = turned(tmp_path, name, gravity)
        size = read_tables(path).size
        if size is not None and size[0] * size[1] > 1 << 19:
            continue  # each of the others takes a part of a second
        assert_built(path, scene.read(path).world)
        compared += 1
    assert compared > 16


MAP = """
size = [23, 31]
rules = ["atoms", "heat"]
seed = 3
[map]
image = "map.png"
legend = { "#808080" = "wall", "#3070E0" = "lava", "#ffffff" = "empty" }
temperature = 400
[[fill]]
shape = "noise"
scale = 4
material = "stone"
only_in = "lava"
"""


@pytest.mark.parametrize("interlaced", [False, True])
def test_a_map_is_the_same_in_pieces(read: Callable[..., Scene], tmp_path: Path, interlaced: bool) -> None:
    """Also one whose pixels are stored in seven passes."""
    colours = np.array([[0x80] * 3, [0x30, 0x70, 0xE0], [255] * 3], np.uint8)
    pixels = colours[np.random.default_rng(1).integers(0, 3, (31, 23))]
    (tmp_path / "map.png").write_bytes(png(Drawn(2, 8, pixels, is_interlaced=interlaced).parts()))
    assert_built(tmp_path / "scene.toml", read(MAP).world)


def test_a_cell_that_is_more_than_full_is_an_error_of_all_builders(read: Callable[..., Scene], tmp_path: Path) -> None:
    """Only one builder has the cell."""
    with pytest.raises(SceneError) as whole:
        read(OVERFULL)
    assert "fill[2].amount: makes 1.25 cells of all materials together" in str(whole.value)
    for parts in PARTS.values():
        with pytest.raises(SceneError) as caught:
            built_together(lambda: opened(tmp_path / "scene.toml"), parts(40, 160))
        assert str(caught.value) == str(whole.value)


@pytest.fixture
def many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 512 bytes and shards of at most 16 rows by 32 columns, so that small stores have many."""
    monkeypatch.setattr(store_layout, "CHUNK_BYTES", 512)
    monkeypatch.setattr(store_layout, "SHARD", {"row": 16, "column": 32})


@pytest.mark.usefixtures("many_chunks")
@pytest.mark.parametrize("rules", [("flow", "inertia", "atoms", "heat"), ("mixture",)])
def test_a_store_is_the_same_in_pieces(tmp_path: Path, rules: tuple[str, ...]) -> None:
    path = tmp_path / "x.zarr"
    whole = random_mixture(45, 67) if rules == ("mixture",) else random_atoms(45, 67, rules=rules)
    gpufluid.save(whole, path)
    for parts in PARTS.values():
        world = built_together(lambda: UnbuiltStore(path), parts(67, 45))
        assert world == whole
    found = [UnbuiltStore(path).materials_of(box) for (box,) in strips(67, 45, 3, of_rows=False)]
    assert frozenset().union(*found) == set(np.unique(whole["material"])) - {0}


@pytest.mark.usefixtures("many_chunks")
@pytest.mark.parametrize("wrong", mostly_long(BAD_STORES, *list(BAD_STORES)[:2], why="another error by the same code"))
def test_a_bad_store_is_the_error_of_a_whole_read_for_all_builders(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "x.zarr"
    BAD_STORES[wrong](path)
    with pytest.raises(UsageError) as whole:
        gpufluid.load(path)
    for name, parts in PARTS.items():
        with pytest.raises(UsageError) as caught:
            built_together(lambda: UnbuiltStore(path), parts(67, 135))
        assert str(caught.value) == str(whole.value), name
