"""Writing a world as a scene and reading it back: laws, materials and cells; each loss is reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from support.selection import examples, mostly_long
from support.worlds import ODD_TABLE, atom_worlds, random_atoms, random_world, worlds

from gpufluid import FULL, AtomLedger, Drain, Emitter, Ledger, World, oracle, scene
from gpufluid.core.errors import WorldError
from gpufluid.io.loading import load
from gpufluid.io.scenes import save_scene
from gpufluid.matter.materials import LIMIT, SHIPPED, Material, MaterialTable, State
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.scene import Scene

LAWS = ("height", "width", "rules", "edges", "gravity", "seed", "parameters", "emitters", "drains", "fields")
SMALL = [path for path in scene.shipped() if path.stem not in {"cave", "landslide"}]
OWN = Reaction("own", ("sand", "oil"), ("other", "other"), chance=0.5)

Back = Callable[[World], tuple[list[str], Scene]]


def write_and_read(world: World, path: Path) -> tuple[list[str], Scene]:
    losses = scene.write(world, path, "A title", "A sentence.")
    return losses, scene.read(path)


def assert_same_laws(world: World, other: World) -> None:
    assert {name: getattr(other, name) for name in LAWS} == {name: getattr(world, name) for name in LAWS}
    assert other.materials.records == world.materials.records


@pytest.fixture
def back(tmp_path: Path) -> Back:
    """``back(world)``: the losses, and the scene that was written and read."""
    return lambda world: write_and_read(world, tmp_path / "x.toml")


@pytest.mark.parametrize("path", mostly_long(SMALL, *SMALL[::4], why="another scene"), ids=lambda path: path.stem)
def test_every_shipped_scene_is_equal_after_writing_and_reading(path: Path, back: Back, tmp_path: Path) -> None:
    """With a map if that keeps everything, else with a snapshot from which the scene starts."""
    world = scene.read(path).world
    losses, read = back(world)
    assert read.remarks == ()
    assert_same_laws(world, read.world)
    np.testing.assert_array_equal(read.world["material"], world["material"])
    if losses:  # of amounts of water in a fill with `surface`, and of warm water
        assert {loss.partition(" of ")[0] for loss in losses} <= {"mass", "heat"}
        assert ("heat of water" in "".join(losses)) == ("water_heat" in world.fields and world["water_heat"].any())
        save_scene(world, tmp_path / "whole.toml", "A title", "A sentence.")
        assert load(tmp_path / "whole.toml").digest() == world.digest()
    else:
        assert read.world.digest() == world.digest()


FIELDS = {
    "mass": ("mass of ", "mass beside ", "atoms of "),
    "velocity": ("velocity in ",),
    "grain": ("grain in ",),
    "material": ("atoms of ",),
}


def assert_losses_reported(losses: list[str], world: World, other: World) -> None:
    """Each difference is reported, and each report is a difference."""
    assert [loss for loss in losses if ": not kept" not in loss] == []
    for name in world.fields:
        told = any(loss.startswith(FIELDS[name]) for loss in losses)
        assert told >= (not np.array_equal(other[name], world[name])), name
        if not told:
            np.testing.assert_array_equal(other[name], world[name])
    assert any(loss.startswith("tick ") for loss in losses) == (world.tick != 0)
    if not losses:
        assert other.digest() == world.digest()


shared_folder = examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])


@shared_folder
@given(world=worlds() | atom_worlds())
def test_worlds_of_one_rule_are_equal_after_writing_and_reading(world: World, back: Back) -> None:
    losses, read = back(world)
    assert_same_laws(world, read.world)
    np.testing.assert_array_equal(read.world["material"], world["material"])
    assert_losses_reported(losses, world, read.world)


@shared_folder
@given(world=atom_worlds(rules=("flow", "atoms")))
def test_worlds_of_flow_and_atoms_keep_all_atoms_but_those_of_water(world: World, back: Back) -> None:
    losses, read = back(world)
    assert_same_laws(world, read.world)
    material = world["material"]
    np.testing.assert_array_equal(read.world["material"], np.where(material == world.materials["water"], 0, material))
    assert_losses_reported(losses, world, read.world)


def test_state_that_a_scene_cannot_hold_is_reported(back: Back) -> None:
    world = random_world(12, 9, tick=37)
    world.ledger = Ledger(5, 4, 3)
    losses, read = back(world)
    assert [loss.split(":")[0] for loss in losses[:2]] == ["tick 37", "ledger"]
    assert len(losses) == 3
    partial = np.count_nonzero((world["mass"] > 0) & (world["mass"] < FULL))
    assert losses[2] == f"mass of {partial} cells: not kept; half a cell or more becomes full, less is removed"
    np.testing.assert_array_equal(read.world["mass"], np.where(world["mass"] >= FULL // 2, FULL, 0))
    atoms = random_atoms(40, 50, kinds=("sand", "oil"))
    atoms.atoms = AtomLedger({"sand": Ledger(emitted=1)})
    losses, read = back(atoms)
    assert [loss.split()[0] for loss in losses] == ["ledger:", "velocity", "grain"]
    assert not read.world["velocity"].any()


def test_a_mixture_keeps_the_heat_of_its_materials_and_other_heat_is_reported(back: Back) -> None:
    world = World(6, 9, rules=("mixture", "atoms", "heat"))
    for name, column in (("lava", 1), ("water", 4)):
        world["mixture"][world.mixture[name], 2:5, column] = FULL
        world["water_heat"][2:5, column] = world.new_amount(material=name)["water_heat"]
    losses, read = back(world)
    assert losses == []
    assert read.world.digest() == world.digest()
    world["water_heat"][2, 1] = 0
    losses, read = back(world)
    assert losses == ["heat of water or a mixture in 1 cell: not kept; it begins as warm as new matter"]
    assert read.world["water_heat"][2, 1] == read.world["water_heat"][3, 1] > 0


def test_a_written_file_begins_with_source_and_losses(tmp_path: Path) -> None:
    losses = scene.write(
        World(2, 3, rules=("flow",), tick=4), tmp_path / "x.toml", "T", "A", source='a "b"\nc.npz', ticks=9
    )
    lines = (tmp_path / "x.toml").read_text().splitlines()
    assert lines[:3] == ['# From "a \\"b\\"\\nc.npz", tick 4.', f"# {losses[0]}", 'title = "T"']
    read = scene.read(tmp_path / "x.toml")
    assert (read.title, read.about, read.ticks, read.test) == ("T", "A", 9, "run")


def test_a_world_after_a_run_is_written_as_a_valid_scene(back: Back) -> None:
    world = oracle.step(scene.read(scene.find("rubber_balls")).world, 3)
    losses, read = back(world)
    assert losses[0].startswith("tick 3: not kept; a scene begins at tick 0")
    np.testing.assert_array_equal(read.world["material"], world["material"])
    read.world.validate()


def test_few_different_amounts_and_velocities_are_kept(back: Back) -> None:
    world = World(40, 60, ("flow", "atoms"))
    world["mass"][20:, :20] = 1
    world["mass"][30:, :10] = 1000 * FULL  # overlaps the box of the first fill
    world["material"][3:9, 40:50] = world.materials["sand"]
    world["velocity"][3:9, 40:50] = (-126, 126)
    world["velocity"][4, 41] = (0, 0)
    world["material"][8, 45] = world.materials["stone"]
    world["velocity"][8, 45] = 0
    world.draw_grain()
    losses, read = back(world)
    assert losses == []
    assert read.world.digest() == world.digest()
    world["mass"][10, :18] = range(2, 20)
    losses, read = back(world)
    assert losses == ["mass of 418 cells: not kept; half a cell or more becomes full, less is removed"]
    np.testing.assert_array_equal(read.world["velocity"], world["velocity"])


def test_amounts_that_rectangles_cannot_describe_are_reported(back: Back) -> None:
    world = World(4, 4, rules=("flow",))
    world["mass"] = np.where(np.indices((4, 4)).sum(axis=0) % 2, FULL // 4, 3 * FULL)
    losses, read = back(world)
    assert losses == ["mass of 16 cells: not kept; half a cell or more becomes full, less is removed"]
    assert read.world.total() == 8 * FULL


@pytest.mark.parametrize("edges", ["closed", "open", "wrap"])
@pytest.mark.parametrize("gravity", ["down", "up", "left", "right", "off"])
def test_edges_gravity_seed_and_parameters_are_kept(back: Back, edges: str, gravity: str) -> None:
    parameters = {"atoms": {"acceleration": np.float32(1) / 3, "substeps": np.int64(3)}}
    world = World(6, 8, ("atoms",), edges, 2**32 - 1, parameters, gravity=gravity)
    world["material"][2:4] = world.materials["sand"]
    world.draw_grain()
    losses, read = back(world)
    assert losses == []
    assert_same_laws(world, read.world)
    assert read.world.digest() == world.digest()


def test_a_preset_is_written_as_its_parameters(back: Back, tmp_path: Path) -> None:
    world = World(6, 8, ("atoms", "flow"), parameters={"flow": {"preset": "seed-001", "max_compress": 1e-05}})
    assert_same_laws(world, back(world)[1].world)
    text = (tmp_path / "x.toml").read_text()
    assert '[flow]\nmax_compress = 1e-05\nmin_flow = 0.0001\nside_divisor = 2\nside_order = "right"\n\n[map]' in text


def test_emitters_and_drains_are_kept(back: Back, tmp_path: Path) -> None:
    emitters = [
        Emitter((1, 2), (3, 1), 5, 9, "sand", 0.3, 0.4, 2.5, (1.0, -7.9), 0.25),
        Emitter(np.array([0, 0]), rate=np.float32(0.1), start=np.int64(2), velocity=np.array([0.5, 1])),
    ]
    drains = [Drain((7, 5)), Drain((0, 5), (7, 1), rate=0, until=10**18)]
    world = World(6, 8, ("atoms",), emitters=emitters, drains=drains)
    losses, read = back(world)
    assert losses == []
    assert read.world.emitters == world.emitters
    assert read.world.drains == world.drains
    assert "[[drain]]\nat = [7, 5]\n\n[[drain]]" in (tmp_path / "x.toml").read_text()


def with_table(*records: Material) -> World:
    """A world with a cell of each material."""
    world = World(1, len(records), ("atoms",), materials=MaterialTable(records))
    world["material"][0] = range(len(records))
    world.draw_grain()
    return world


def named(name: str, state: State = State.SOLID, colour: tuple[int, int, int] = (1, 2, 3), **motion) -> Material:
    return Material(name, state, 1000, colour, **motion)


def test_own_and_changed_materials_are_kept(back: Back) -> None:
    changed = {
        "empty": Material("empty", State.EMPTY, 0, (9, 9, 9)),
        "sand": named("sand", State.LIQUID),  # moves by the defaults of liquids
        "gravel": named("gravel", State.POWDER, bounce=1 / 3, terminal=4.0),
        "wood": Material("wood", State.SOLID, 700, (0x9E, 0x70, 0x45)),
    }
    own = [named("slime", State.GAS, gravity=-1, stick=0.1), named("brick 2"), named("snow 3", State.POWDER)]
    world = with_table(*(changed.get(record.name, record) for record in SHIPPED), *own)
    losses, read = back(world)
    assert losses == []
    assert_same_laws(world, read.world)
    assert read.world.digest() == world.digest()


@pytest.mark.long("255 materials make a large program")
def test_the_largest_table_of_materials_is_kept(back: Back) -> None:
    own = [named(f"m{number}", State(1 + number % 4), (number // 9,) * 3) for number in range(len(SHIPPED), 255)]
    world = with_table(*SHIPPED, *own)
    losses, read = back(world)
    assert losses == []
    assert_same_laws(world, read.world)
    np.testing.assert_array_equal(read.world["material"], world["material"])


def test_extreme_materials_are_kept(back: Back) -> None:
    assert_same_laws(with_table(*ODD_TABLE), back(with_table(*ODD_TABLE))[1].world)


def legend_of(path: Path) -> dict[str, str]:
    (line,) = re.findall("^legend = (.*)$", path.read_text(), re.MULTILINE)
    return {name: colour for colour, name in re.findall(r'"(#\w+)" = "([^"]+)"', line)}


def test_shipped_materials_have_their_own_colours_on_the_map(back: Back, tmp_path: Path) -> None:
    back(with_table(*SHIPPED))
    assert legend_of(tmp_path / "x.toml") == {record.name: f"#{bytes(record.colour).hex()}" for record in SHIPPED}


@pytest.mark.parametrize("other", [(1, 2, 3), (2, 2, 3), (16, 17, 3)])
def test_materials_of_similar_colours_get_different_map_colours(
    back: Back, tmp_path: Path, other: tuple[int, int, int]
) -> None:
    world = with_table(*SHIPPED, named("slate"), named("coal", colour=other))
    losses, read = back(world)
    assert losses == []
    assert_same_laws(world, read.world)
    np.testing.assert_array_equal(read.world["material"], world["material"])
    slate, coal = (bytes.fromhex(legend_of(tmp_path / "x.toml")[name][1:]) for name in ("slate", "coal"))
    assert slate == bytes((1, 2, 3))
    assert max(abs(one - two) for one, two in zip(slate, coal, strict=True)) >= 16


def test_a_material_table_in_another_order_is_kept_by_name(back: Back) -> None:
    """Such as the table of an old snapshot, from before some of the shipped materials existed."""
    world = with_table(Material("void", State.EMPTY, 0, (0, 0, 0)), SHIPPED[5], SHIPPED[1], named("slate"))
    losses, read = back(world)
    assert losses == [
        "material 0, 'void': not kept, except its colour; in a scene it is 'empty'",
        "numbers of 'sand', 'wall', 'slate': not kept; the materials of a scene begin with the shipped ones",
    ]
    names = [read.world.materials.records[number].name for number in read.world["material"][0]]
    assert names == ["empty", "sand", "wall", "slate"]
    assert read.world.materials.records[0].colour == (0, 0, 0)


def test_a_table_with_one_material_too_many_is_refused(tmp_path: Path) -> None:
    void, wall = Material("void", State.EMPTY, 0, (0, 0, 0)), SHIPPED[1]
    for table, words in (
        (
            (void, wall, *(named(f"m{number}") for number in range(253))),
            f"materials.m{LIMIT - len(SHIPPED)}: is one too many; expected",
        ),
    ):
        with pytest.raises(WorldError) as caught:
            scene.write(with_table(*table), tmp_path / "x.toml", "", "")
        assert words in str(caught.value)
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (ReactionTable((OWN, *REACTIONS)), None),
        (ReactionTable((*REACTIONS, OWN)), "order of reactions: not kept"),
        (ReactionTable(()), None),
        (ReactionTable(REACTIONS.records[3:]), None),
    ],
    ids=["own first", "own last", "none", "some"],
)
def test_reactions_are_kept_or_the_loss_is_reported(back: Back, table: ReactionTable, said: str | None) -> None:
    losses, found = back(World(4, 6, ("atoms", "heat", "reactions"), reactions=table))
    assert (found.world.reactions == table) == (said is None)
    assert [loss.startswith(said or "") for loss in losses] == [True] * (said is not None)
