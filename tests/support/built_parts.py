"""Worlds that ranks build where they lie, held against the whole ones. A program for ``mpiexec``; see `ranked`.

Its arguments are a folder and names of `CASES`. All ranks look at what they built, print what is wrong, and nothing
else.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from support.scenes_in_pieces import BAD_STORES, OVERFULL, SHIPPED, turned
from support.shared_matter import can_be_shared, strips_of
from support.worlds import random_atoms

import gpufluid
from gpufluid import World, cluster
from gpufluid.cluster import building, ranks
from gpufluid.cluster.building import divided
from gpufluid.cluster.parts import cells_of
from gpufluid.core.errors import GpufluidError, UsageError
from gpufluid.io import store_layout
from gpufluid.io.loading import WorldName, load_scene
from gpufluid.scene.reading import read_tables
from gpufluid.world import footprint
from gpufluid.world.laws import GRAVITIES

if TYPE_CHECKING:
    from mpi4py.MPI import Comm

CELLS_MOST = 1 << 18
"""The most cells of a shipped scene that is built here; the larger ones take seconds."""


def small_scenes() -> list[str]:
    """The names of the shipped scenes with few cells that ranks can share."""
    found = []
    for name, path in SHIPPED.items():
        tables = read_tables(path)
        columns, rows = tables.size or (512, 512)
        if columns * rows <= CELLS_MOST and can_be_shared(gpufluid.load(name)):
            found.append(name)
    return found


def wrong_parts(
    comm: Comm, name: str, whole: World | None = None, grid: tuple[int, int] | None = None, **changes: object
) -> Iterator[str]:
    """Compare this rank's part, and what it knows of the whole world, with a world built by one process.

    ``grid`` is as for `cluster.Simulation`.

    Yields: a sentence for each difference. A world with fewer strips than ranks is not compared.
    """
    whole = load_scene(name, **changes).world if whole is None else whole  # pyright: ignore[reportArgumentType]
    if grid is None and strips_of(whole) < comm.size:
        return
    found = divided(WorldName(name, **changes), comm, None, grid)  # pyright: ignore[reportArgumentType]
    for field, array in cells_of(whole, found.grid.part_of(comm.rank)).items():
        if not np.array_equal(found.part.own_array(field), array):
            yield f"{field} of {name} on rank {comm.rank} of {comm.size}"
    materials = {whole.materials[emitter.material] for emitter in whole.emitters} | set(np.unique(whole["material"]))
    if found.matter != materials - {0}:
        yield f"matter of {name}: {found.matter}"
    if (found.blank.laws, found.blank.emitters, found.blank.tick) != (whole.laws, whole.emitters, whole.tick):
        yield f"laws of {name}"
    if found.blank.has_cells:
        yield f"cells of all of {name}"
    if comm.rank == 0 and found.part.ledgers != whole.ledgers:
        yield f"ledgers of {name}"


OVERDRAWN = """
size = [40, 1500]
rules = ["atoms"]
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [40, 1500]
material = "oil"
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [40, 1500]
material = "sand"
"""
"""A scene that names a fluid, which needs a deep halo, but has none."""


def scenes(comm: Comm, folder: Path) -> Iterator[str]:
    """Every shipped scene that ranks can share, and with parameters and a seed of the user."""
    path = folder / "overdrawn.toml"
    if comm.rank == 0:
        path.write_text(OVERDRAWN)
    comm.Barrier()
    yield from wrong_parts(comm, str(path))
    if divided(str(path), comm, None, None).depth[1] != 32:
        yield "a halo as deep as for the fluid"
    for name in small_scenes():
        yield from wrong_parts(comm, name)
    yield from wrong_parts(comm, "sand_columns", seed=77)
    yield from wrong_parts(comm, "dam_break", seed=5, parameters={"flow": {"substeps": 1}})


def larger_than_memory(comm: Comm, folder: Path) -> Iterator[str]:
    """A world that fits into no rank's memory, but whose parts do."""
    del folder
    whole = gpufluid.load("dam_break")
    before = footprint._SMALL, footprint.machine_memory
    footprint._SMALL, footprint.machine_memory = 0, lambda: whole.nbytes * 2 // 3
    try:
        if "takes about" not in error_of(lambda: gpufluid.load("dam_break"))[0]:
            yield "one process could hold the world"
        yield from wrong_parts(comm, "dam_break", whole)
    finally:
        footprint._SMALL, footprint.machine_memory = before


def turned_scenes(comm: Comm, folder: Path) -> Iterator[str]:
    """Parts are strips of columns if gravity is to a side; and on a torus they go on at the other end."""
    for gravity in GRAVITIES:
        for edges in ("closed", "wrap"):
            for name in ("sand_columns", "dam_break", "waterfall"):
                path = folder / f"{gravity} {edges}"
                if comm.rank == 0:
                    path.mkdir(exist_ok=True)
                    text = turned(path, name, gravity).read_text()
                    (path / f"{name}.toml").write_text(text.replace('edges = "closed"', f'edges = "{edges}"'))
                comm.Barrier()
                with suppressed_if_not_shared():
                    yield from wrong_parts(comm, str(path / f"{name}.toml"))
                if name == "dam_break":
                    yield from wrong_parts(comm, str(path / f"{name}.toml"), grid=(1, comm.size))


@contextmanager
def suppressed_if_not_shared() -> Iterator[None]:
    """Pass over a torus that ranks cannot share."""
    try:
        yield
    except UsageError as error:
        if "in a torus with rule" not in str(error):
            raise


def runs(comm: Comm, folder: Path) -> Iterator[str]:
    """Digest, ledgers and statistics at tick 0 and after some ticks, of scenes and of a store that a run has left."""
    store = folder / "left.zarr"
    for name in ("dam_break", "hourglass"):
        with gpufluid.Simulation(gpufluid.load(name)) as alone:
            yield from wrong_run(comm, name, alone)
            if name == "dam_break" and comm.rank == 0:
                gpufluid.save(alone.read(), store)
    comm.Barrier()
    yield from wrong_parts(comm, str(store))
    with gpufluid.Simulation(gpufluid.load(store)) as alone:
        yield from wrong_run(comm, str(store), alone)


def wrong_run(comm: Comm, name: str, alone: gpufluid.Simulation) -> Iterator[str]:
    """Compare a run of a world that ranks share by its name with that of one process; yields each difference."""
    with cluster.Simulation(name, comm) as shared:
        for ticks in (0, 12):
            shared.step(ticks)
            alone.step(ticks)
            found = shared.digest(), shared.ledgers, shared.statistics(), shared.tick
            if found != (alone.digest(), alone.ledgers, alone.statistics(), alone.tick):
                yield f"{name} on {comm.size} ranks at tick {alone.tick}: {found}"


def many_stores(comm: Comm, folder: Path) -> Iterator[str]:
    """Stores of many chunks, of each gravity; and one that another takes the place of while ranks read it."""
    store_layout.CHUNK_BYTES, store_layout.SHARD = 512, {"row": 64, "column": 64}
    for gravity in GRAVITIES:
        path = folder / f"{gravity}.zarr"
        if comm.rank == 0:
            gpufluid.save(random_atoms(128, 130, rules=("atoms", "heat"), gravity=gravity, tick=9), path)
        comm.Barrier()
        yield from wrong_parts(comm, str(path))
    path = folder / "replaced.zarr"
    worlds = [random_atoms(128, 40, luck=luck) for luck in range(2)]
    if comm.rank == 0:
        gpufluid.save(worlds[0], path)
    comm.Barrier()
    inner = building._BuiltByAll.fill

    def fill_while_replaced(*given: object) -> frozenset[int]:
        building._BuiltByAll.fill = inner
        if comm.rank == 0:
            gpufluid.save(worlds[1], path)
        comm.Barrier()
        return inner(*given)  # pyright: ignore[reportArgumentType]

    building._BuiltByAll.fill = fill_while_replaced
    yield from wrong_parts(comm, str(path), worlds[1])
    if building._BuiltByAll.fill is not inner:
        yield "the store was not replaced"


def error_of(load: Callable[[], object]) -> tuple[str, int]:
    """The message and the exit code of the error that a call raises."""
    try:
        load()
    except GpufluidError as error:
        return str(error), error.exit_code
    return "", 0


def errors(comm: Comm, folder: Path) -> Iterator[str]:
    """Wrong scenes and stores are the error of one process, on all ranks, whichever rank finds it."""
    paths = [folder / "overfull.toml", folder / "laws.toml", folder / "no_map.toml", folder / "none.toml"]
    if comm.rank == 0:
        paths[0].write_text(OVERFULL)
        paths[1].write_text(f'edges = "round"\n{OVERFULL.replace("lava", "larva")}')
        shutil.copy(SHIPPED["volcano"], paths[2])
    store_layout.CHUNK_BYTES, store_layout.SHARD = 512, {"row": 16, "column": 32}
    for wrong, make in BAD_STORES.items():
        paths.append(folder / f"{wrong}.zarr")
        if comm.rank == 0:
            make(paths[-1])
    comm.Barrier()
    for path in paths:
        wanted = error_of(lambda path=path: gpufluid.load(path))
        found = error_of(lambda path=path: cluster.Simulation(str(path), comm))
        if found != wanted or not wanted[0]:
            yield f"{path.name} on rank {comm.rank} of {comm.size}: {found}, expected {wanted}"
    yield from other_files(comm, folder)


def other_files(comm: Comm, folder: Path) -> Iterator[str]:
    """The last rank has no file of this name, another one, or a scene that begins with a snapshot."""
    own, home = folder / f"rank_{comm.rank}", Path.cwd()
    own.mkdir(exist_ok=True)
    last = comm.rank == comm.size - 1
    (own / "own.toml").write_text(SHIPPED["dam_break"].read_text() + ("\n[[drain]]\nat = [3, 3]\n" if last else ""))
    if not last:
        shutil.copy(SHIPPED["dam_break"], own / "not_there.toml")
    world = gpufluid.load("dam_break")
    gpufluid.save(world, own / "kept.npz")
    begun = f'title = "Begun"\nsize = [{world.width}, {world.height}]\n' + '[state]\nfile = "kept.npz"\n' * last
    (own / "begun.toml").write_text(begun)
    names = "own.toml", "begun.toml", "not_there.toml"
    os.chdir(own)
    try:
        said = [error_of(lambda name=name: cluster.Simulation(name, comm))[0] for name in names]
    finally:
        os.chdir(home)
    missing = f"rank {comm.size - 1}: there is no scene file 'not_there.toml'"
    differs = [
        f"rank {comm.size - 1}: {name}: differs from what rank 0 reads; expected the same files on all machines"
        for name in names[:2]
    ]
    if said[:2] != differs or not said[2].startswith(missing):
        yield f"other files: {said}"


CASES: dict[str, Callable[[Comm, Path], Iterator[str]]] = {
    "scenes": scenes,
    "turned": turned_scenes,
    "memory": larger_than_memory,
    "runs": runs,
    "stores": many_stores,
    "errors": errors,
}


def main() -> None:
    """Hold the named cases against one process."""
    from mpi4py import MPI

    every = MPI.COMM_WORLD
    ranks.end_all_at_an_error(every)
    ranks.share_machine(every)
    for name in sys.argv[2:]:
        place = Path(sys.argv[1]) / name
        place.mkdir(exist_ok=True)
        for wrong in CASES[name](every, place):
            print(wrong, flush=True)
        ranks.meet_asleep(every)


if __name__ == "__main__":
    main()
