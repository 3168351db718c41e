"""Scenes and stores for tests of worlds that are built in pieces: turned ones, and bad ones."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from support.worlds import random_world

import gpufluid
from gpufluid import World, scene
from gpufluid.scene.reading import read_tables

SHIPPED = {path.stem: path for path in scene.shipped()}

OVERFULL = """
size = [40, 160]
rules = ["mixture"]
[mixture]
exclusive = true
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [40, 160]
material = "water"
amount = 0.25
[[fill]]
shape = "circle"
at = [13, 130]
radius = 2
material = "lava"
mix = true
amount = 0.5
[[fill]]
shape = "rectangle"
at = [12, 129]
size = [1, 1]
material = "steam"
mix = true
amount = 0.5
"""
"""A scene with a cell that is more than full; only one piece of it has the cell."""


def turned(folder: Path, name: str, gravity: str) -> Path:
    """A shipped scene with another gravity, in a folder with its picture."""
    text = re.sub(r'^gravity = ".*"\n', "", SHIPPED[name].read_text(encoding="utf-8"), flags=re.MULTILINE)
    path = folder / f"{name}.toml"
    path.write_text(f'gravity = "{gravity}"\n{text}', encoding="utf-8")
    tables = read_tables(path)
    if tables.map is not None:
        shutil.copy(SHIPPED[name].parent / tables.map.image, folder / tables.map.image)
    return path


def _of_world(change: Callable[[World], None]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        world = random_world(135, 67, rules=("flow", "atoms"))
        change(world)
        gpufluid.save(world, path)

    return make


def _of_store(change: Callable[[Path], None]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        gpufluid.save(random_world(135, 67, rules=("flow", "atoms")), path)
        change(path)

    return make


def _shared_cell(world: World) -> None:
    """An atom beside water, far below and far to the right of a cell with too much water."""
    world.own_array("mass")[4, 5] = 2**31 - 1
    world.own_array("material")[120, 60], world.own_array("mass")[120, 60] = world.materials["sand"], 7
    world.own_array("material")[121, 3], world.own_array("mass")[121, 3] = world.materials["oil"], 8


def _wrong_values(world: World) -> None:
    """Two wrong values of which the one to the right lies in an earlier row."""
    world.own_array("mass")[20, 66], world.own_array("mass")[130, 0] = -1, -2


def _wrong_tick(world: World) -> None:
    """A tick that no world has, and a wrong cell."""
    world.tick = -1
    _wrong_values(world)


def _damaged(path: Path) -> None:
    """Damaged shards of two fields, of which the first field has the later one."""
    for shard in ("mass/c/0/0", "material/c/7/2"):
        file = path / shard
        content = bytearray(file.read_bytes())
        content[: len(content) // 2] = bytes(len(content) // 2)
        file.write_bytes(bytes(content))


def _other_digest(path: Path) -> None:
    """The metadata of another state."""
    text = (path / "zarr.json").read_text()
    (path / "zarr.json").write_text(re.sub(r'"digest": "[0-9a-f]{8}', '"digest": "00000000', text))


def _missing(path: Path) -> None:
    """A shard that is not there."""
    (path / "mass/c/2/1").unlink()


BAD_STORES: dict[str, Callable[[Path], None]] = {
    "shared cell": _of_world(_shared_cell),
    "wrong values": _of_world(_wrong_values),
    "wrong tick": _of_world(_wrong_tick),
    "damaged": _of_store(_damaged),
    "other digest": _of_store(_other_digest),
    "missing": _of_store(_missing),
}
"""Functions that write a bad store of 67 by 135 cells, whose shards have at most 16 rows by 32 columns."""
