"""Snapshots: the same world, digest and later ticks; any other file gives one message."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from support import selection
from support.worlds import random_atoms, random_world

import gpufluid
from gpufluid import AtomLedger, Drain, Emitter, Ledger, Simulation, World
from gpufluid.core import files
from gpufluid.core.errors import OutputError, UsageError
from gpufluid.io import snapshots as storage
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State

LAWS = (
    "height", "width", "rules", "edges", "gravity", "seed", "tick", "parameters", "emitters", "drains", "ledger",
    "atoms", "fields",
)  # fmt: skip


def lively() -> World:
    """A world with everything that a snapshot must keep, at tick 37."""
    world = random_world(
        21,
        34,
        edges="open",
        seed=2**32 - 1,
        parameters={"flow": {"preset": "seed-001", "max_mass": 1.5, "substeps": 2}},
        emitters=[Emitter((3, 0), (4, 2), start=30, until=50, rate=0.3, chance=0.4, level=2.5, velocity=(1.0, -0.5))],
        drains=[Drain((9, 20), (3, 1), rate=0.01), Drain((0, 0), start=45)],
    )
    with Simulation(world) as sim:
        sim.step(37)
        return sim.read()


@pytest.mark.usefixtures("device")
def test_a_loaded_snapshot_has_equal_laws_state_and_later_ticks(tmp_path: Path) -> None:
    world = lively()
    assert min(world.ledger.emitted, world.ledger.left) > 0
    storage.save(world, tmp_path / "x.npz")
    back = storage.load(tmp_path / "x.npz")
    assert {name: getattr(back, name) for name in LAWS} == {name: getattr(world, name) for name in LAWS}
    assert back.digest() == world.digest()
    with Simulation(world) as one, Simulation(back) as two:
        one.step(25)
        two.step(25)
        assert one.digest() == two.digest()
        assert one.ledger == two.ledger


def test_a_snapshot_keeps_atoms_gravity_and_ledger(tmp_path: Path) -> None:
    world = random_atoms(8, 6, edges="wrap", gravity="left")
    world.atoms = AtomLedger({"sand": Ledger(2**40, 3, 1)})
    storage.save(world, tmp_path / "x.npz")
    back = storage.load(tmp_path / "x.npz")
    assert {name: getattr(back, name) for name in LAWS} == {name: getattr(world, name) for name in LAWS}
    assert back.digest() == world.digest()
    for name in world.fields:
        np.testing.assert_array_equal(back[name], world[name])


def test_ports_of_numbers_of_numpy_are_kept(tmp_path: Path) -> None:
    emitter = Emitter((np.int64(1), 0), start=np.int64(3), rate=np.float32(0.5), chance=np.float64(0.25))
    world = World(
        4, 5, rules=("flow",), emitters=[emitter], drains=[Drain((1, 1), rate=np.float32(0.25))], seed=np.int64(4)
    )
    storage.save(world, tmp_path / "x.npz")
    found = storage.load(tmp_path / "x.npz")
    assert (found.emitters, found.drains, found.seed) == (world.emitters, world.drains, 4)


def test_a_snapshot_without_gravity_and_atoms_takes_the_defaults(tmp_path: Path) -> None:
    rewritten(tmp_path / "x.npz", laws={"gravity": ..., "atoms": ...})
    back = storage.load(tmp_path / "x.npz")
    assert (back.gravity, back.atoms) == ("down", {})


def test_a_snapshot_keeps_its_own_materials(tmp_path: Path) -> None:
    """So a snapshot stays valid when the shipped table grows."""
    slime = Material("slime", State.LIQUID, 1300, (1, 2, 3), gravity=0.3, terminal=1.7, stick=0.9)
    world = World(
        2,
        2,
        rules=("flow",),
        materials=MaterialTable((*SHIPPED, slime, Material("brick", State.SOLID, 1900, (4, 5, 6)))),
    )
    world["material"][0, 0] = world.materials["brick"]
    storage.save(world, tmp_path / "x.npz")
    back = gpufluid.load(tmp_path / "x.npz")
    assert back.materials.records == world.materials.records
    assert back.solid[0, 0]


def test_an_old_snapshot_without_motion_of_materials_takes_the_defaults(tmp_path: Path) -> None:
    """Records of old snapshots have four keys; the others take the defaults of the state."""
    old = [{"name": record.name, "state": record.state.name, "density": 1, "colour": [1, 2, 3]} for record in SHIPPED]
    rewritten(tmp_path / "x.npz", laws={"materials": old})
    table = storage.load(tmp_path / "x.npz").materials
    assert [record.name for record in table] == [record.name for record in SHIPPED]
    assert table.records[5] == Material("sand", State.POWDER, 1, (1, 2, 3))
    assert [record.name for record in table if record.anchored] == ["wall", "cloner", "void"]


def test_arrays_of_a_snapshot_load_with_plain_numpy(tmp_path: Path) -> None:
    world = random_world(4, 5)
    storage.save(world, tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz", allow_pickle=False) as file:
        np.testing.assert_array_equal(file["mass"], world["mass"])
        np.testing.assert_array_equal(file["material"], world["material"])


def test_a_seed_given_for_a_snapshot_is_an_error(tmp_path: Path) -> None:
    storage.save(World(2, 2, rules=("flow",)), tmp_path / "x.npz")
    with pytest.raises(UsageError, match="own seed"):
        gpufluid.load(tmp_path / "x.npz", seed=1)


def rewritten(path: Path, **changes: object) -> None:
    """A snapshot with other laws (a dict) or other arrays; None removes an entry."""
    storage.save(random_world(4, 5, emitters=[Emitter((0, 0))]), path)
    with np.load(path) as file:
        arrays = dict(file)
    laws = json.loads(arrays["gpufluid"].tobytes())
    for name, change in changes.items():
        if name == "laws":
            laws |= change
        elif change is None:
            arrays.pop(name)
        else:
            arrays[name] = change
    laws = {name: value for name, value in laws.items() if value is not ...}
    np.savez_compressed(path, **arrays | {"gpufluid": np.frombuffer(json.dumps(laws).encode(), np.uint8)})


RECORD = {"name": "empty", "state": "EMPTY", "density": 0, "colour": [245, 246, 248]}
BROKEN = {
    "newer": ({"laws": {"format": 2}}, "is a snapshot of format 2; this gpufluid reads 1"),
    "no format": ({"laws": {"format": ...}}, "format"),
    "array missing": ({"mass": None}, "mass: is missing"),
    "law missing": ({"laws": {"seed": ...}}, "seed: is missing"),
    "law of another type": ({"laws": {"emitters": 3}}, "emitters: 3; expected a list"),
    "ledger of words": ({"laws": {"ledger": {"emitted": "x", "left": 0}}}, "ledger.emitted: 'x'; expected a whole"),
    "gravity unknown": ({"laws": {"gravity": "dwon"}}, "gravity: 'dwon' is not known"),
    "atoms of words": ({"laws": {"atoms": {"water": {"emitted": "x"}}}}, "atoms['water'].emitted: 'x'; expected"),
    "atoms as list": ({"laws": {"atoms": [1]}}, "atoms: [1]; expected an object"),
    "atoms of no material": ({"laws": {"atoms": {"watr": {"emitted": 1}}}}, "atoms: counts 'watr'"),
    "atoms below": ({"laws": {"atoms": {"water": {"left": -1}}}}, "atoms['water'].left: -1; expected"),
    "material state unknown": (
        {"laws": {"materials": [RECORD | {"state": "GASS"}]}},
        "state: 'GASS' is not known",
    ),
    "material key unknown": ({"laws": {"materials": [RECORD | {"bounc": 1}]}}, "materials[0].bounc: unknown key; did"),
    "material without density": ({"laws": {"materials": [{"name": "empty", "state": "EMPTY"}]}}, "density: is missing"),
    "material nan": ({"laws": {"materials": [RECORD | {"slide": float("nan")}]}}, "laws: NaN; expected a number"),
    "material of words": ({"laws": {"materials": [RECORD | {"drag": "x"}]}}, "drag: 'x'; expected a number"),
    "material colour of words": (
        {"laws": {"materials": [RECORD | {"colour": "red"}]}},
        "colour: 'red'; expected a list",
    ),
    "materials too many": ({"laws": {"materials": [RECORD] * 256}}, "256 records; expected 1 to 255"),
    "emitter key unknown": (
        {"laws": {"emitters": [{"att": [0, 0]}]}},
        "emitters[0].att: unknown key; did you",
    ),
    "emitter of words": ({"laws": {"emitters": [{"at": "ab"}]}}, "emitter.at: 'ab'; expected two whole numbers"),
    "parameters of words": ({"laws": {"parameters": {"flow": 3}}}, "parameters.flow: 3; expected names and values"),
    "other shape": ({"mass": np.zeros((5, 4), np.int32)}, "mass: shape (5, 4); expected (4, 5)"),
    "floats": ({"mass": np.zeros((4, 5))}, "mass: type '<f8'; expected '<i4', which is int32"),
    "mass below": ({"mass": np.full((4, 5), -1, np.int32)}, "mass[0, 0]: -1; expected 0"),
    "material above": ({"material": np.full((4, 5), 77, np.uint8)}, "material[0, 0]: 77; expected 0"),
    "height below": ({"laws": {"height": -4}}, "height: -4; expected"),
    "huge": ({"laws": {"height": 65536, "width": 65536}}, "x.npz"),
    "rule unknown": ({"laws": {"rules": ["atmos"]}}, "unknown rule 'atmos'"),
    "pickled": ({"mass": np.array([{"a": 1}], dtype=object)}, "mass: type '|O'; expected '<i4'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_snapshot_with_invalid_contents_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.npz"
    changes, words = BROKEN[name]
    rewritten(path, **changes)
    with pytest.raises(UsageError) as caught:
        storage.load(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


NO_SNAPSHOTS = {
    "empty": b"",
    "text": b"size = [3, 3]\n",
    "zip": b"PK\x05\x06" + bytes(18),
    "pickle": b"\x80\x04N.",
    "npy": b"\x93NUMPY\x01\x00",
}


@pytest.mark.parametrize("name", NO_SNAPSHOTS)
def test_a_file_that_is_no_snapshot_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(NO_SNAPSHOTS[name])
    with pytest.raises(UsageError, match=r"x\.npz: is no snapshot of gpufluid"):
        storage.load(path)


def test_a_plain_numpy_array_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.zeros(3))
    (tmp_path / "x.npy").rename(tmp_path / "x.npz")
    with pytest.raises(UsageError, match="is no snapshot"):
        storage.load(tmp_path / "x.npz")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_snapshot_is_refused(tmp_path: Path, part: float) -> None:
    path = tmp_path / "x.npz"
    storage.save(random_world(40, 50), path)
    raw = path.read_bytes()
    path.write_bytes(raw[: int(len(raw) * part)])
    with pytest.raises(UsageError, match=r"x\.npz: is no snapshot"):
        storage.load(path)


def test_a_snapshot_with_any_byte_changed_is_refused_or_equal(tmp_path: Path) -> None:
    """The checksums of zip detect every change of the contents; bytes outside them do not affect the world."""
    path = tmp_path / "x.npz"
    world = random_world(4, 5)
    storage.save(world, path)
    raw = path.read_bytes()
    for at, flipped in product(range(0, len(raw), 1 if selection.everything else 7), (0x01, 0xFF)):
        path.write_bytes(raw[:at] + bytes([raw[at] ^ flipped]) + raw[at + 1 :])
        with suppress(UsageError):
            assert storage.load(path).digest() == world.digest()


def test_saving_into_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        storage.save(World(1, 1, rules=("flow",)), tmp_path / "gone" / "x.npz")
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="there is no folder"):
        storage.save(World(1, 1, rules=("flow",)), tmp_path / "file" / "x.npz")
    with pytest.raises(UsageError, match="is a folder"):
        storage.save(World(1, 1, rules=("flow",)), tmp_path)


def test_a_failed_save_leaves_only_the_earlier_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.npz"
    storage.save(World(1, 1, rules=("flow",)), path)
    earlier = path.read_bytes()

    def fail(file, **_) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OutputError, match=r"x\.npz: could not be written: No space left on device"):
        storage.save(World(2, 2, rules=("flow",)), path)
    assert path.read_bytes() == earlier
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError, MemoryError])
def test_any_exception_during_a_write_leaves_no_file(tmp_path: Path, error: type[BaseException]) -> None:
    def write() -> None:
        with files.written_whole(tmp_path / "x.png") as temporary:
            temporary.write_bytes(b"half")
            raise error

    with pytest.raises(error):
        write()
    assert list(tmp_path.iterdir()) == []


def test_a_saved_file_has_default_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    storage.save(World(1, 1, rules=("flow",)), tmp_path / "x.npz")
    assert (tmp_path / "x.npz").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link.npz").symlink_to(tmp_path / "there" / "x.npz")
    storage.save(World(1, 1, rules=("flow",)), tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink()
    assert storage.load(tmp_path / "there" / "x.npz").digest() == World(1, 1, rules=("flow",)).digest()
