"""Reading a scene file: laws, ports, seed and parameters; and finding a scene by its name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import gpufluid
from gpufluid import FULL, Drain, Emitter, scene
from gpufluid.core.errors import GpufluidError, UsageError, WorldError

WATER = ("flow", "inertia")
"""The rules of a scene that names none."""

EXAMPLE = """
title = "Dam break"
about = "A column of water collapses into a dry basin."
size  = [256, 128]              # width, height in cells
rules = ["flow"]
edges = "closed"
seed  = 1
test  = "golden"                # golden: digest kept in tests; run: must run; off

[flow]
max_compress = 0.02

[[fill]]                        # in order, later over earlier
shape = "rectangle"
at = [0, 120]
size = [256, 8]
material = "wall"

[map]                           # or the whole world from a picture, pixel by pixel
image  = "dam_break.png"
legend = { "#808080" = "wall", "#3070e0" = "water" }

[[emitter]]
at = [20, 10]
size = [4, 1]
material = "water"
velocity = [2.0, 0.0]           # cells a tick
until = 600
"""
"""A scene with each kind of entry: heading, laws, parameters, fill, map, emitter."""


def test_the_example_scene_is_read_as_a_world(read, tmp_path: Path) -> None:
    pixels = np.full((128, 256, 3), (0x30, 0x70, 0xE0), np.uint8)
    pixels[:, :10] = 0x80
    Image.fromarray(pixels).save(tmp_path / "dam_break.png")
    found = read(EXAMPLE)
    world = found.world
    assert (found.title, found.test) == ("Dam break", "golden")
    assert found.about == "A column of water collapses into a dry basin."
    assert (world.width, world.height, world.rules, world.edges, world.seed) == (256, 128, ("flow",), "closed", 1)
    assert world.parameters["flow"]["max_compress"] == 0.02
    assert (world["material"][120:] == world.materials["wall"]).all()
    assert (world["material"][:120, :10] == world.materials["wall"]).all()
    assert (world["mass"][:120, 10:] == FULL).all()
    assert world.emitters == (Emitter((20, 10), (4, 1), until=600, velocity=(2.0, 0.0)),)
    world.validate()


@pytest.mark.parametrize(
    ("rules", "more", "field", "why"),
    [
        ("flow", "velocity = [1.0, 0]", "velocity", "'water' has no velocity in this scene"),
        ("flow", "scatter = 0.5", "scatter", "'water' has no velocity in this scene"),
        ("atoms", "level = 0.5", "level", "'water' is atoms here, a whole cell each"),
        ("atoms", "level = 1.0", "level", "'water' is atoms here, a whole cell each"),
    ],
)
def test_emitter_keys_without_effect_give_a_remark(read, rules: str, more: str, field: str, why: str) -> None:
    """The remark names file, line and field, and the scene is read."""
    text = f"size = [9, 9]\nrules = ['{rules}']\n[[emitter]]\nat = [0, 0]\n\n[[emitter]]\nat = [1, 1]\n"
    (remark,) = read(text + more + "\n").remarks
    assert remark.endswith(f"scene.toml:8: emitter[1].{field}: has no effect: {why}")
    other = {"flow": "atoms", "atoms": "flow"}[rules]
    assert read(text.replace(rules, other) + more + "\n").remarks == ()


def test_emitters_throw_water_that_keeps_its_momentum(read) -> None:
    found = read("size = [9, 9]\nrules = ['flow', 'inertia']\n[[emitter]]\nat = [0, 0]\nvelocity = [0.5, 0]\n")
    assert found.remarks == ()
    assert found.world.emitters[0].velocity == (0.5, 0)


def test_absent_keys_take_their_defaults(read) -> None:
    found = read("size = [3, 2]\n")
    world = found.world
    assert (found.title, found.about, found.ticks, found.test, found.remarks) == ("Scene", "", 600, "run", ())
    assert (world.height, world.width, world.rules, world.edges, world.seed) == (2, 3, WATER, "closed", 0)
    assert world.digest() == gpufluid.World(2, 3).digest() == gpufluid.World(2, 3, WATER).digest()


@pytest.mark.parametrize(
    ("text", "given", "rules"),
    [
        ("", {}, WATER),
        ("[inertia]\ndrag = 0.01\n", {}, WATER),
        ("", {"inertia": {"drag": 0.01}}, WATER),
        ('[flow]\npreset = "seed-000"\n', {}, ("flow",)),
        ("[flow]\nmax_compress = 0.1\n", {}, ("flow",)),
        ("", {"flow": {"preset": "calm"}}, ("flow",)),
        ("[flow]\nmin_mass = 0.1\n[inertia]\ndrag = 0.01\n", {}, WATER),
        ('rules = ["flow"]\n', {}, ("flow",)),
        ('rules = ["flow", "inertia"]\n[flow]\nmin_mass = 0.1\n', {}, WATER),
    ],
)
def test_water_keeps_its_momentum_unless_the_scene_names_or_sets_rule_flow(
    read, text: str, given: dict, rules: tuple[str, ...]
) -> None:
    assert read(f"size = [3, 2]\n{text}", parameters=given).world.rules == rules


@pytest.mark.parametrize("line", ['preset = "seed-000"', "max_compress = 0.1", "substeps = 2"])
def test_parameters_of_the_law_of_flow_give_a_remark_beside_momentum(read, line: str) -> None:
    (remark,) = read(f'size = [3, 2]\nrules = ["flow", "inertia"]\n[flow]\nmin_mass = 0.1\n{line}\n').remarks
    name = line.partition(" ")[0]
    assert remark.endswith(f"scene.toml:5: flow.{name}: has no effect: rule inertia moves matter in place of rule flow")


def test_emitters_and_drains_are_read_as_written(read) -> None:
    world = read(
        "size = [20, 20]\n"
        "[[emitter]]\nat = [1, 2]\nsize = [3, 4]\nrate = 0.25\nchance = 0.5\nlevel = 2\nstart = 5\nuntil = 9\n"
        "[[emitter]]\nat = [0, 0]\n"
        "[[drain]]\nat = [7, 8]\nsize = [2, 1]\nrate = 0.5\nstart = 3\n"
        "[[drain]]\nat = [19, 19]\n"
    ).world
    assert world.emitters == (
        Emitter((1, 2), (3, 4), start=5, until=9, rate=0.25, chance=0.5, level=2),
        Emitter((0, 0)),
    )
    assert world.drains == (Drain((7, 8), (2, 1), start=3, rate=0.5), Drain((19, 19)))


def test_a_given_seed_replaces_the_seed_of_the_scene(read) -> None:
    assert read("size = [3, 2]\nseed = 7\n").world.seed == 7
    assert read("size = [3, 2]\nseed = 7\n", seed=0).world.seed == 0
    with pytest.raises(WorldError, match="seed: -1; expected"):
        read("size = [3, 2]\nseed = 7\n", seed=-1)


def test_given_parameters_precede_those_of_the_scene_and_these_the_preset(read) -> None:
    text = 'size = [3, 2]\n[flow]\npreset = "seed-001"\nside_divisor = 5\nsubsteps = 2\n'
    values = read(text, parameters={"flow": {"substeps": 3}}).world.parameters["flow"]
    assert values["min_flow"] == 0.0001
    assert values["side_order"] == "right"
    assert values["side_divisor"] == 5
    assert values["substeps"] == 3
    assert values["max_compress"] == 0.02


@pytest.mark.parametrize("name", ["seed-000", "seed-001", "default"])
def test_every_preset_can_be_named(read, name: str) -> None:
    wanted = gpufluid.World(1, 1, rules=("flow",), parameters={"flow": {"preset": name}}).parameters
    assert read(f'size = [3, 2]\n[flow]\npreset = "{name}"\n').world.parameters == wanted


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"flow": {"gravity": "left"}}, r"^flow\.gravity: gravity is not a parameter; set it in the scene file$"),
        ({"flow": {"max_compres": 1}}, "flow.max_compres: .*did you mean 'max_compress'"),
        ({"flow": {"max_mass": "x"}}, "flow.max_mass: 'x' is not a number; expected"),
        ({"flw": {"max_mass": 1}}, "flw.*flow"),
    ],
)
def test_an_error_of_a_given_parameter_does_not_name_the_file(read, parameters, words: str) -> None:
    with pytest.raises(WorldError, match=words) as caught:
        read("size = [3, 2]\n", parameters=parameters)
    assert "scene.toml" not in str(caught.value)


def test_scenes_load_by_name_and_by_path(read) -> None:
    assert gpufluid.load("dam_break").digest() == gpufluid.load(str(scene.find("dam_break"))).digest()
    path = read("size = [3, 2]\nseed = 1\n").path
    assert (
        gpufluid.load(path).digest()
        == gpufluid.load(str(path)).digest()
        == read("size = [3, 2]\nseed = 1").world.digest()
    )
    assert gpufluid.load(path, seed=5).seed == 5


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dambreak", "there is no scene 'dambreak'; did you mean 'dam_break'?"),
        ("qqq", "there is no scene 'qqq'; `gpufluid scenes` lists those that come with gpufluid"),
        ("rain", "there is no scene 'rain'; did you mean 'rain_on_terrain'?"),
        ("", "there is no scene ''"),
        ("nowhere/dam_break.toml", "there is no scene file 'nowhere/dam_break.toml'"),
        ("gone.npz", "gone.npz: cannot be read: No such file or directory"),
        ("a\0b", "there is no scene"),
        ("a" * 300, "there is no scene"),
    ],
)
def test_an_unknown_scene_is_one_error(name: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        gpufluid.load(name)
    assert words in str(caught.value)


def test_a_missing_scene_file_suggests_a_similar_name(read, tmp_path: Path) -> None:
    read("size = [3, 2]")
    with pytest.raises(UsageError, match=r"did you mean '.*scene\.toml'"):
        gpufluid.load(tmp_path / "scenee.toml")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.toml").mkdir()
    with pytest.raises(UsageError, match=r"x\.toml"):
        gpufluid.load(tmp_path / "x.toml")


def test_errors_of_a_scene_have_exit_code_2(read) -> None:
    with pytest.raises(GpufluidError) as caught:
        read("size = 1")
    assert caught.value.exit_code == 2
