"""Scenes that start from a snapshot: written and read back they are the same world; bad ones are one clear error."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from support.selection import examples
from support.worlds import ODD_TABLE, atom_worlds, random_atoms, random_world, worlds

import gpufluid
from gpufluid import AtomLedger, Drain, Emitter, Ledger, World, oracle, scene
from gpufluid.core.errors import SceneError, UsageError
from gpufluid.io import snapshots
from gpufluid.io.loading import load_scene
from gpufluid.io.scenes import save_scene
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.scene import Scene

FULL_RULES = ("atoms", "heat", "reactions", "pressure")


def saved(world: World, folder: Path) -> tuple[list[str], Scene]:
    """Save a world as a scene. Returns the endings of the files, and the scene that is read back."""
    files = save_scene(world, folder / "kept.toml", "Kept", "A world.")
    assert all(path.exists() for path in files)
    return [path.suffix for path in files], load_scene(str(folder / "kept.toml"))


def assert_same(world: World, found: World) -> None:
    assert found == world
    assert found.digest() == world.digest()
    assert oracle.step(found, 2).digest() == oracle.step(world, 2).digest()


def test_a_world_under_way_comes_back_as_it_was(tmp_path: Path) -> None:
    world = random_atoms(16, 20, rules=FULL_RULES, kinds=("sand", "oil", "fire", "wood"))
    world.emitters = (Emitter((3, 2), (2, 1), material="water", velocity=(1.5, -0.25), until=90),)
    world.drains = (Drain((9, 9), start=3),)
    world = oracle.step(world, 3)
    endings, found = saved(world, tmp_path)
    assert endings == [".toml", ".npz"]
    assert (found.title, found.about, found.remarks) == ("Kept", "A world.", ())
    assert_same(world, found.world)
    text = (tmp_path / "kept.toml").read_text()
    assert "size = [20, 16]" in text
    assert "[[emitter]]" in text
    assert "[map]" not in text
    assert not (tmp_path / "kept.png").exists()


def test_a_world_at_its_beginning_that_a_map_keeps_has_a_map(tmp_path: Path) -> None:
    world = gpufluid.load("dam_break")
    endings, found = saved(world, tmp_path)
    assert endings == [".toml", ".png"]
    assert_same(world, found.world)


def test_no_fill_is_written_for_a_single_cell(tmp_path: Path) -> None:
    world = World(20, 30, ("atoms",))
    world["material"][5, 7] = world["material"][9, 3:6] = world.materials["sand"]
    world["velocity"][5, 7] = (8, -3)
    world.draw_grain()
    assert "[[fill]]" in written_by_map(world, tmp_path)
    endings, found = saved(world, tmp_path)
    assert endings == [".toml", ".npz"]
    assert "[[fill]]" not in (tmp_path / "kept.toml").read_text()
    assert_same(world, found.world)


def written_by_map(world: World, folder: Path) -> str:
    assert scene.write(world, folder / "map.toml", "", "") == []
    return (folder / "map.toml").read_text()


@pytest.mark.long("many random worlds")
@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(world=worlds() | atom_worlds() | atom_worlds(rules=("flow", "atoms")))
def test_every_world_comes_back_with_nothing_lost(world: World, tmp_path: Path) -> None:
    found = saved(world, tmp_path)[1]
    assert found.world == world
    assert found.world.digest() == world.digest()


@pytest.mark.long("three tables of materials, with the oracle's ticks")
def test_laws_that_no_scene_can_say_are_those_of_the_state(tmp_path: Path) -> None:
    numbers = MaterialTable((Material("void", State.EMPTY, 0, (0, 0, 0)), SHIPPED[5], SHIPPED[1]))
    own_last = ReactionTable((*REACTIONS, Reaction("own", ("sand", "oil"), ("other", "other"), chance=0.5)))
    too_many = MaterialTable((*SHIPPED[:2], *(named(f"m{number}") for number in range(253))))
    for world in (
        World(4, 6, ("atoms",), materials=numbers),
        World(4, 6, ("atoms", "heat", "reactions"), reactions=own_last),
        World(4, 6, ("atoms",), materials=too_many),
    ):
        endings, found = saved(world, tmp_path)
        assert endings == [".toml", ".npz"]
        assert "those of the state hold" in (tmp_path / "kept.toml").read_text()
        assert_same(world, found.world)


def named(name: str) -> Material:
    return Material(name, State.POWDER, 1000, (1, 2, 3))


@pytest.mark.long("three worlds with tables of their own, with the oracle's ticks")
def test_own_materials_reactions_and_mixtures_are_said_and_agree(tmp_path: Path) -> None:
    own = ReactionTable((Reaction("own", ("sand", "oil"), ("other", "other"), chance=0.5), *REACTIONS.records[3:]))
    for world in (
        World(4, 6, ("atoms",), materials=ODD_TABLE, tick=7),
        World(4, 6, ("atoms", "heat", "reactions"), reactions=own, tick=7),
        World(4, 6, ("mixture", "pressure"), tick=7, parameters={"mixture": {"exclusive": True}}),
    ):
        found = saved(world, tmp_path)[1]
        assert "those of the state hold" not in (tmp_path / "kept.toml").read_text()
        assert_same(world, found.world)


def test_a_piece_of_a_whole_world_and_its_ledgers_come_back(tmp_path: Path) -> None:
    world = random_world(8, 8, domain=gpufluid.Domain((4, 2), (8, 8), (30, 20)), tick=5)
    world.ledger = Ledger(5, 4, 3)
    world.atoms = AtomLedger({"sand": Ledger(emitted=2)})
    assert_same(world, saved(world, tmp_path)[1].world)


def test_both_files_are_whole_or_neither_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = World(3, 4, rules=("flow",), tick=2)
    saved(first, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshots, "write", fails)
    with pytest.raises(gpufluid.GpufluidError, match="No space left"):
        save_scene(World(5, 5, rules=("flow",), tick=3), tmp_path / "kept.toml", "", "")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


STATE = '[state]\nfile = "kept.npz"\n'
BAD = {
    "no file": ("[state]\n", 1, "state.file", "is missing"),
    "another key": (STATE + "tick = 3\n", 3, "state.tick", "unknown key"),
    "a number": ("[state]\nfile = 3\n", 2, "state.file", "text in quotes"),
    "missing": ('[state]\nfile = "kep.npz"\n', 2, "state.file", "there is no 'kep.npz'; did you mean 'kept.npz'"),
    "above": ('[state]\nfile = "../kept.npz"\n', 2, "state.file", "is not beside or below the scene file"),
    "elsewhere": ('[state]\nfile = "/etc/passwd"\n', 2, "state.file", "is not beside or below the scene file"),
    "by a link": ('[state]\nfile = "link.npz"\n', 2, "state.file", "is not beside or below the scene file"),
    "a folder": ('[state]\nfile = "."\n', 2, "state.file", "'.' is a folder, not a file"),
    "a pipe": ('[state]\nfile = "pipe.npz"\n', 2, "state.file", "'pipe.npz' is a named pipe (FIFO), not a file"),
    "a device": ('[state]\nfile = "/dev/zero"\n', 2, "state.file", "is not beside or below the scene file"),
    "a link to a device": ('[state]\nfile = "zero.npz"\n', 2, "state.file", "is not beside or below the scene file"),
    "another ending": ('[state]\nfile = "scene.toml"\n', 2, "state.file", "expected a name that ends in .npz"),
    "a store": ('[state]\nfile = "x.zarr"\n', 2, "state.file", "'x.zarr' is a store; expected a .npz snapshot"),
    "no snapshot": ('[state]\nfile = "text.npz"\n', 2, "state.file", "'text.npz': is no snapshot of gpufluid"),
    "a huge file": ('[state]\nfile = "huge.npz"\n', 2, "state.file", "'huge.npz': is no snapshot of gpufluid"),
    "cut off": ('[state]\nfile = "cut.npz"\n', 2, "state.file", "'cut.npz': is "),
    "with a map": (
        STATE + '[map]\nimage = "x.png"\nlegend = { "#000000" = "wall" }\n', 3, "map", "stands beside [state]",
    ),
    "with a fill": (
        STATE + '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [1, 1]\nmaterial = "wall"\n',
        3, "fill", "stands beside [state]",
    ),
    "size": ("size = [4, 3]\n" + STATE, 1, "size", "[4, 3]; expected the same as in 'kept.npz', [6, 4]"),
    "rules": ('rules = ["atoms"]\n' + STATE, 1, "rules", "expected the same as in 'kept.npz'"),
    "edges": ('edges = "wrap"\n' + STATE, 1, "edges", "'wrap'; expected the same as in 'kept.npz', 'open'"),
    "gravity": ('gravity = "up"\n' + STATE, 1, "gravity", "expected the same as in 'kept.npz', 'down'"),
    "seed": ("seed = 4\n" + STATE, 1, "seed", "4; expected the same as in 'kept.npz', 0"),
    "parameter": (STATE + "[heat]\nair = 0.5\n", 4, "heat.air", "0.5; expected the same as in 'kept.npz'"),
    "unknown parameter": (STATE + "[heat]\nar = 0.5\n", 4, "heat.ar", "did you mean 'air'?"),
    "parameter of another rule": (STATE + "[flow]\n", 3, "flow", "'kept.npz' does not have rule 'flow'"),
    "material": (STATE + '[[material]]\nname = "sand"\ndensity = 9\n', 5, "material[0].density", "9; expected the"),
    "new material": (
        STATE + '[[material]]\nname = "sandd"\nstate = "powder"\ndensity = 1\ncolour = "#000000"\n',
        4, "material[0].name", "'sandd' is no material of 'kept.npz'; did you mean 'sand' or 'wet sand'?",
    ),
    "reaction": (
        STATE + '[[reaction]]\nname = "smoke thins"\nfrom = "smoke"\nbecome = "empty"\n',
        3, "reaction[0]", "'smoke thins' differs from that of 'kept.npz'",
    ),
    "emitter": (STATE + '[[emitter]]\nat = [1, 1]\nmaterial = "sand"\n', 3, "emitter[0]", "differs from that of"),
    "one more drain": (STATE + "[[drain]]\nat = [1, 1]\n", 3, "drain", "1 of them; expected 0, as in 'kept.npz'"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a snapshot, half of one, a text, a terabyte, a pipe, and links out of the folder."""
    world = World(4, 6, FULL_RULES, edges="open", emitters=[Emitter((0, 0), material="water")], tick=9)
    gpufluid.save(world, tmp_path / "kept.npz")
    whole = (tmp_path / "kept.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.npz").write_text("no zip file")
    (tmp_path.parent / "outside.npz").write_bytes(whole)
    (tmp_path / "link.npz").symlink_to(tmp_path.parent / "outside.npz")
    (tmp_path / "zero.npz").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.npz")
    with (tmp_path / "huge.npz").open("wb") as file:
        file.write(b"PK")
        file.truncate(1 << 40)  # a terabyte, of which the disk holds two bytes
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_state_is_one_error_with_line_and_field(refuses: Callable[..., str], name: str) -> None:
    text, line, field, words = BAD[name]
    message = refuses(text, read_state=snapshots.load)
    assert message.startswith(f"{line}: {field}: ")
    assert words in message


def test_what_a_scene_does_not_say_is_the_states(folder: Path) -> None:
    for text in (STATE, 'edges = "open"\nrules = ["pressure", "reactions", "heat", "atoms"]\n' + STATE):
        (folder / "scene.toml").write_text(text)
        world = gpufluid.load(folder / "scene.toml")
        assert world == gpufluid.load(folder / "kept.npz")


def test_neither_seed_nor_parameters_can_be_given(folder: Path) -> None:
    (folder / "scene.toml").write_text(STATE)
    calls: list[Callable[[], object]] = [
        lambda: gpufluid.load(folder / "scene.toml", seed=3),
        lambda: load_scene(str(folder / "scene.toml"), parameters={"heat": {"air": 0.5}}),
    ]
    for call in calls:
        with pytest.raises(UsageError, match="goes on with the seed and the parameters of its snapshot"):
            call()


def test_the_size_of_the_state_is_checked(folder: Path) -> None:
    (folder / "scene.toml").write_text(STATE)
    with pytest.raises(SceneError, match=r"state\.file: 'kept\.npz' has 6 by 4 cells: is over the limit of 5 a side"):
        load_scene(str(folder / "scene.toml"), max_side=5)
    sizes: list[tuple[int, int]] = []
    load_scene(str(folder / "scene.toml"), on_size=lambda *size: sizes.append(size))
    assert sizes == [(6, 4)]


def test_a_reader_without_snapshots_refuses_the_scene(folder: Path) -> None:
    (folder / "scene.toml").write_text(STATE)
    with pytest.raises(SceneError, match=r"read by gpufluid\.load"):
        scene.read(folder / "scene.toml")
