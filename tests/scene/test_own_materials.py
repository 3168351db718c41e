"""A scene adds materials and changes shipped ones; keys that it does not give stay."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import gpufluid
from gpufluid import Simulation, oracle
from gpufluid.core.paths import materials_file
from gpufluid.io import snapshots as storage
from gpufluid.matter.materials import PROPERTIES, SHIPPED, Material, State
from gpufluid.matter.transitions import Transition

OWN = """
size = [12, 9]
[[material]]
name = "brick"
state = "solid"
density = 1900
colour = "#A04030"
shade = 0.25
[[material]]
name = "sand"
bounce = 0.5
[[material]]
name = "slime"
state = "liquid"
density = 1300
colour = "#7fb000"
stick = 1
[[material]]
name = "empty"
colour = "#101010"
[map]
image = "map.png"
legend = { "#000000" = "empty", "#a04030" = "brick" }
[[fill]]
shape = "rectangle"
at = [0, 8]
size = [12, 1]
material = "brick"
[[fill]]
shape = "noise"
only_in = "brick"
material = "stone"
[[emitter]]
at = [3, 3]
"""


@pytest.fixture
def world(read, tmp_path: Path) -> gpufluid.World:
    pixels = np.zeros((9, 12, 3), np.uint8)
    pixels[:, 0] = (0xA0, 0x40, 0x30)
    Image.fromarray(pixels).save(tmp_path / "map.png")
    return read(OWN).world


def test_new_materials_are_appended_and_changed_ones_keep_their_numbers(world: gpufluid.World) -> None:
    table = world.materials
    assert [record.name for record in table] == [*(record.name for record in SHIPPED), "brick", "slime"]
    assert table.records[table["brick"]] == Material("brick", State.SOLID, 1900, (160, 64, 48), shade=0.25)
    assert table.records[table["slime"]] == Material("slime", State.LIQUID, 1300, (127, 176, 0), stick=1.0)
    assert table.records[table["sand"]] == replace(SHIPPED[table["sand"]], bounce=0.5)
    assert table.records[0] == replace(SHIPPED[0], colour=(16, 16, 16))
    changed = {"empty", "sand"}
    assert [table.records[n] for n, record in enumerate(SHIPPED) if record.name not in changed] == [
        record for record in SHIPPED if record.name not in changed
    ]


def test_maps_fills_and_noise_use_own_materials(world: gpufluid.World) -> None:
    brick, stone = (world["material"] == world.materials[name] for name in ("brick", "stone"))
    assert brick.any()
    assert stone.any()
    assert (brick | stone)[:, 0].all()
    assert (brick | stone)[8].all()
    assert not (brick | stone)[:8, 1:].any()
    world.validate()


@pytest.mark.long("programs of its own for its materials")
@pytest.mark.usefixtures("device")
def test_a_world_with_own_materials_runs_is_drawn_and_saved(world: gpufluid.World, tmp_path: Path) -> None:
    with Simulation(world) as simulation:
        assert (simulation.frame()[0, 5] == 16).all()
        simulation.step(20)
        after = simulation.read()
    assert after.digest() == oracle.step(world, 20).digest()
    storage.save(after, tmp_path / "x.npz")
    assert storage.load(tmp_path / "x.npz").materials.records == world.materials.records


def test_a_changed_state_brings_the_defaults_of_the_state(read) -> None:
    """Keys of the shipped record stay, though: snow as a gas rises at the terminal speed at which it fell."""
    text = "size = [3, 3]\n[[material]]\nname = '{}'\nstate = '{}'\n"
    wood = read(text.format("wood", "powder")).world.materials.records[4]
    assert wood == Material(
        *("wood", State.POWDER, SHIPPED[4].density, SHIPPED[4].colour),
        conductivity=0.08,
        cooling=0.25,
        strength=40,
        tags=("flammable",),
    )
    snow = read(text.format("snow", "gas")).world.materials.records[7]
    assert (snow.gravity, snow.terminal, snow.stick) == (-0.5, 0.5, 0.2)


def test_every_key_of_a_material_can_be_given_and_is_documented(read) -> None:
    keys = [field.name for field in fields(Material)]
    words = {"name": "'slime'", "state": "'gas'", "colour": "'#010203'", "below": "{}", "tags": "['wet']"}
    words["above"] = "{ threshold = 7, product = 'lava', latent = 8 }"
    text = "".join(f"{key} = {words.get(key, 1)}\n" for key in keys)
    slime = read(f"size = [3, 3]\n[[material]]\n{text}").world.materials.records[-1]
    hotter = Transition(7, "lava", 8)
    assert slime == Material("slime", State.GAS, 1, (1, 2, 3), *[1] * len(PROPERTIES), 1, hotter, None, ("wet",))
    head = materials_file().read_text(encoding="utf-8").partition("[default")[0]
    assert re.findall(r"^#   (\w+) ", head, re.MULTILINE) == keys


def test_a_scene_without_materials_has_the_shipped_ones(read) -> None:
    assert read("size = [3, 3]\n").world.materials.records == SHIPPED


def test_a_scene_may_fill_the_material_table(read) -> None:
    new = "[[material]]\nname = 'm {}'\nstate = 'gas'\ndensity = 1\ncolour = '#123456'\n"
    text = "size = [3, 3]\n" + "".join(new.format(number) for number in range(255 - len(SHIPPED)))
    table = read(text).world.materials
    assert (len(table), table["m 0"]) == (255, len(SHIPPED))
