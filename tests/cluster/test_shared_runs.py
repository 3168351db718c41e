"""``mpiexec gpufluid run``: it prints once and writes each file once; errors end all ranks with one message."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ranked
from support.patience import PATIENCE
from typer.testing import CliRunner

from gpufluid.benchmark import report
from gpufluid.cli.commands import app

RUN = ("-m", "gpufluid", "run")
CHECK = ("-m", "gpufluid", "check")
BENCH = ("-m", "gpufluid", "bench")
SHARED = "gpufluid: {} ranks share the world"
REFUSED = "2 ranks: 32 rows along gravity are 1 strips of 32; expected at most 1 ranks"
TORUS, WIDE_TORUS = "../torus.toml", "../wide_torus.toml"
"""A scene that ranks cannot share."""
LONG = "starts several programs of several processes each"


def first_lines(text: str) -> list[str]:
    """The lines of a report that do not depend on time."""
    return [line for line in text.splitlines() if line.startswith(("digest", "mass", "activity"))]


@pytest.mark.long(LONG)
def test_a_run_prints_and_writes_what_one_process_does(tmp_path: Path) -> None:
    words = (*RUN, "dam_break", "--ticks", 20)
    for name in ("many", "one"):
        (tmp_path / name).mkdir()
    files = ("--out", "a.png", "--out", "a.npz", "--out", "a.mp4", "--stats", "a.csv")
    many = ranked.run(2, *words, *files, folder=tmp_path / "many")
    assert (many.code, many.err) == (0, SHARED.format(2))
    one = subprocess.run(
        [sys.executable, *map(str, words), *files], cwd=tmp_path / "one", capture_output=True, text=True, check=True
    )
    assert first_lines(many.out) == first_lines(one.stdout)
    assert many.out.count("wrote") == 4
    for name in ("a.png", "a.csv"):
        assert (tmp_path / "many" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "many").iterdir()) == ["a.csv", "a.mp4", "a.npz", "a.png"]


@pytest.mark.long(LONG)
def test_a_run_on_a_grid_of_ranks_writes_what_one_process_writes(tmp_path: Path) -> None:
    """Also snapshots on the way; and a store is read again onto another grid."""
    pytest.importorskip("zarr", reason="zarr is not installed: pip install -e '.[zarr]'")
    outputs = ("--out", "a.png", "--out", "a.gif", "--out", "a.npz", "--out", "a.zarr", "--stats", "a.csv")
    words = (*RUN, "dam_break", "--ticks", 20, "--every", 5, "--snapshot-every", 8, *outputs)
    for name in ("many", "one"):
        (tmp_path / name).mkdir()
    many = ranked.run(4, *words, "--ranks", "2x2", folder=tmp_path / "many")
    assert (many.code, many.err) == (0, SHARED.format(4))
    command = [sys.executable, *map(str, words)]
    one = subprocess.run(command, cwd=tmp_path / "one", capture_output=True, text=True, check=True)
    assert first_lines(many.out) == first_lines(one.stdout)
    for name in ("a.png", "a.gif", "a.csv"):
        assert (tmp_path / "many" / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), name
    on = (*RUN, "a.zarr", "--ticks", 9)
    again = ranked.run(3, *on, "--ranks", "1x3", folder=tmp_path / "many")
    command = [sys.executable, *map(str, on)]
    alone = subprocess.run(command, cwd=tmp_path / "one", capture_output=True, text=True, check=True)
    assert first_lines(again.out) == first_lines(alone.stdout)


TOO_WIDE = """
import gpufluid
from mpi4py import MPI
from gpufluid import World
from gpufluid.cluster import Simulation
from gpufluid.gpu.device import shared_device

rank = MPI.COMM_WORLD.rank
shared_device().max_side = (120, 98, 200, 200)[rank]
world = World(96, 150, rules=("flow",)) if rank == 0 else None
if rank == 0:
    world["mass"][20:60, 30:90] = gpufluid.FULL
with Simulation(world) as sim:
    sim.step(9)
    print(sim.grid, sim.digest(), flush=True)
"""


@pytest.mark.long(LONG)
def test_a_world_with_rows_wider_than_a_texture_is_shared_by_columns_of_ranks() -> None:
    from gpufluid import FULL, Simulation, World

    world = World(96, 150, rules=("flow",))
    world["mass"][20:60, 30:90] = FULL
    with Simulation(world) as alone:
        alone.step(9)
        assert ranked.run(4, "-c", TOO_WIDE) == ranked.Answer(0, f"(2, 2) {alone.digest()}\n" * 4, "")


FILMED = (
    ("dam_break", "--scale", "1/3", "--theme", "night"),
    ("gravity_left", "--crop", "5,9,41x80", "--scale", "2", "--background", "#ffd0a0"),
    ("dam_break", "--overlay", "pressure", "--size", "300x200"),
)
"""Scenes, and the options of pictures of them."""


READS_NOTHING_WHOLE = """
import sys
import gpufluid
from gpufluid import cluster
from gpufluid.cli import main
from gpufluid.io import pyramid, store_layout

def refuse(_):
    raise AssertionError("the whole world was read")

gpufluid.Simulation.read = cluster.Simulation.read = refuse
store_layout.CHUNK_BYTES, store_layout.SHARD, pyramid.SIDE_MOST = 1024, {"row": 96, "column": 96}, 16
sys.argv = ["gpufluid", "run", "dam_break", "--ticks", "30", "--snapshot-every", "20", "--out", "a.zarr", *sys.argv[1:]]
main()
"""
"""A run that writes stores in many small pieces, and fails if the whole world is read at once."""


@pytest.mark.long(LONG)
@pytest.mark.parametrize("words", FILMED, ids=lambda words: words[1])
def test_films_and_pictures_of_ranks_are_those_of_one_process(words: tuple[str, ...], tmp_path: Path) -> None:
    files = ("--ticks", 9, "--every", 4, "--out", "a.gif", "--out", "b.webp", "--out", "a.png")
    for name in ("many", "one"):
        (tmp_path / name).mkdir()
    many = ranked.run(3, *RUN, *words, *files, folder=tmp_path / "many")
    assert (many.code, many.err) == (0, SHARED.format(3))
    command = [sys.executable, *RUN, *words, *map(str, files)]
    subprocess.run(command, cwd=tmp_path / "one", capture_output=True, text=True, check=True)
    for name in ("a.gif", "b.webp", "a.png"):
        assert (tmp_path / "many" / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), name


@pytest.mark.long(LONG)
def test_a_store_of_ranks_is_that_of_one_process_and_no_rank_reads_the_whole_world(tmp_path: Path) -> None:
    """Each file is the same, byte for byte. Shards lie across the borders of ranks, at 64 rows and 128 columns."""
    pytest.importorskip("zarr", reason="zarr is not installed: pip install -e '.[zarr]'")
    (tmp_path / "run.py").write_text(READS_NOTHING_WHOLE)
    for name in ("many", "one"):
        (tmp_path / name).mkdir()
    many = ranked.run(4, tmp_path / "run.py", "--ranks", "2x2", folder=tmp_path / "many")
    assert (many.code, many.err) == (0, SHARED.format(4))
    subprocess.run([sys.executable, tmp_path / "run.py"], cwd=tmp_path / "one", capture_output=True, check=True)
    files = {
        name: {
            each.relative_to(tmp_path / name): each.read_bytes()
            for each in (tmp_path / name).rglob("*")
            if each.is_file()
        }
        for name in ("many", "one")
    }
    assert len(files["one"]) > 10
    assert files["many"] == files["one"]


@pytest.mark.long(LONG)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*RUN, "no_such_scene"), [SHARED.format(3), "gpufluid: there is no scene 'no_such_scene'"]),
        (
            (*RUN, TORUS),
            [SHARED.format(3), "gpufluid: size: 100 rows along gravity; expected a multiple of 32 in a torus"],
        ),
        ((*RUN, "dam_break", "--overlay", "tiles", "--out", "a.png"), [SHARED.format(3), "gpufluid: overlay: 'tiles'"]),
        ((*RUN, "dam_break", "--device", 99), [SHARED.format(3), "gpufluid: --device 99: there is no such device"]),
        ((*RUN, "dam_break", "--watch"), ["gpufluid: --watch: runs in one process"]),
        ((*RUN, "dam_break", "--ranks", "2x2"), ["gpufluid: --ranks 2x2: 4 ranks, but mpiexec has started 3"]),
        (
            (*RUN, WIDE_TORUS, "--ranks", "1x3"),
            [SHARED.format(3), "gpufluid: size: 100 columns across gravity; expected a multiple of 32 in a torus"],
        ),
        (("-m", "gpufluid", "serve", "dam_break"), ["gpufluid: gpufluid serve runs in one process"]),
        ((*BENCH, "--rule", "no_such_rule"), [SHARED.format(3), "gpufluid: --rule: 'no_such_rule' is not known"]),
        ((*CHECK, TORUS), [SHARED.format(3), "gpufluid: size: 100 rows along gravity; expected a multiple"]),
    ],
    ids=["scene", "rule", "overlay", "device", "option", "grid", "columns", "command", "bench", "check"],
)
def test_a_wrong_call_is_one_sentence_and_ends_all(words: tuple, said: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for name, size in ((TORUS, [40, 100]), (WIDE_TORUS, [100, 64])):
        (folder / name).write_text(f'title = "Torus"\nsize = {size}\nedges = "wrap"\nrules = ["atoms"]\n')
    answer = ranked.run(3, *words, folder=folder)
    assert (answer.code, answer.out) == (2, "")
    lines = answer.err.splitlines()
    assert len(lines) == len(said)
    assert all(line.startswith(start) for line, start in zip(lines, said, strict=True)), lines
    assert not list(folder.iterdir())


@pytest.mark.long(LONG)
def test_a_benchmark_measures_the_worlds_that_ranks_share_and_skips_others(tmp_path: Path) -> None:
    """Each row has the digest of the row of one process, and what the ranks sent; the two files can be compared."""
    words = ("--size", 64, "--workload", "dense", "--ticks", 9, "--runs", 2)
    rules = [word for rule in ("flow", "atoms", "pressure") for word in ("--rule", rule)]
    answer = ranked.run(2, *BENCH, *words, "--size", 32, *rules, "--json", "two.json", folder=tmp_path)
    assert answer.code == 0, answer.err
    assert answer.err.count(REFUSED) == 3
    assert "2 ranks share each world" in answer.out
    two = report.read(tmp_path / "two.json")
    assert (two["complete"], two["ranks"], len(two["rows"]), len(two["skipped"])) == (True, 2, 3, 3)
    assert all(row["ranks"] == 2 and row["bytes_sent"] > 0 and row["seconds_waited"] > 0 for row in two["rows"])
    alone = CliRunner().invoke(
        app,
        ["bench", *map(str, words), *rules, "--json", f"{tmp_path}/one.json", "--compare", f"{tmp_path}/two.json"],
    )
    assert alone.exit_code == 0, alone.output
    digests = [
        {report.key(row): row["digest"] for row in found["rows"]} for found in (two, report.read(tmp_path / "one.json"))
    ]
    assert digests[0] == digests[1]


@pytest.mark.long(LONG)
def test_a_benchmark_of_which_ranks_can_share_nothing_fails() -> None:
    answer = ranked.run(2, *BENCH, "--rule", "pressure", "--size", 32, "--workload", "dense")
    assert answer.code == 1
    assert "gpufluid: ranks can share none of these worlds; 0 of 1 rows were measured" in answer.err
    assert "nothing was measured" in answer.out


@pytest.mark.long(LONG)
@pytest.mark.parametrize("grid", [(), ("--ranks", "1x3")], ids=["rows", "columns"])
def test_a_check_compares_the_world_that_ranks_share(grid: tuple[str, ...]) -> None:
    answer = ranked.run(3, *CHECK, "dam_break", "--ticks", 12, *grid)
    equal = "Dam break: GPU and oracle on 3 ranks are equal, bit for bit, for 12 ticks\n"
    assert answer == ranked.Answer(0, equal, SHARED.format(3))


WRONG_CELL = """
import sys
from gpufluid.cli import main
if rank == 1:
    def own_window(self, at, size):
        found = inner(self, at, size)
        if self.tick == 3:
            found["mass"][0, 40] += 7
        return found

    inner, RankSimulation.own_window = RankSimulation.own_window, own_window
sys.argv = ["gpufluid", "check", "dam_break", "--ticks", "9"]
main()
"""


@pytest.mark.long(LONG)
def test_a_check_names_the_tick_and_the_cell_in_which_only_ranks_differ() -> None:
    answer = ranked.run(3, "-c", BEGIN + WRONG_CELL)
    assert (answer.code, answer.err) == (1, SHARED.format(3))
    assert re.fullmatch(
        r"Dam break: on 3 ranks, but not in one process, pass tick, tick 2, substep 0:"
        r" mass\[\d+, 40\] is \d+ on the GPU and \d+ in the oracle\n",
        answer.out,
    ), answer.out


INTERRUPTED_CHECK = """
import sys
from gpufluid import oracle
from gpufluid.cli import main

def interrupting(function):
    def run(*arguments):
        if arguments[0].tick == 3 and rank == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return function(*arguments)

    return run

if "oracle" in sys.argv:
    oracle.tick = interrupting(oracle.tick)
else:
    RankSimulation.step = interrupting(RankSimulation.step)
sys.argv = ["gpufluid", "check", "dam_break"]
main()
"""


@pytest.mark.long(LONG)
@pytest.mark.parametrize("where", ["oracle", "ranks"])
def test_a_check_that_is_interrupted_ends_all_ranks(where: str) -> None:
    """In the oracle, while the other ranks wait for a call; and in a call, while they wait for rank 0 in its middle."""
    answer = ranked.run(2, "-c", BEGIN + INTERRUPTED_CHECK, where)
    assert answer.code != 0
    assert answer.err.splitlines() == [SHARED.format(2), "gpufluid: interrupted"]


@pytest.mark.long(LONG)
@pytest.mark.parametrize("words", [("--ticks", "abc"), ("--help",)], ids=["number", "help"])
def test_what_all_ranks_find_in_a_command_is_printed_once(words: tuple[str, ...]) -> None:
    many = ranked.run(3, *RUN, "dam_break", *words)
    one = subprocess.run([sys.executable, *RUN, "dam_break", *words], capture_output=True, text=True, check=False)
    said = [line for line in one.stderr.splitlines() if line.strip()]
    assert (many.code, many.out, many.err.splitlines()) == (one.returncode, one.stdout, said)


@pytest.mark.long(LONG)
def test_more_ranks_than_strips_are_refused() -> None:
    answer = ranked.run(5, *RUN, "dam_break")
    wanted = "gpufluid: 5 ranks: 128 rows along gravity are 4 strips of 32; expected at most 4 ranks"
    assert (answer.code, answer.err.splitlines()) == (2, [SHARED.format(5), wanted])


def test_a_launcher_of_another_mpi_is_refused_once() -> None:
    """Each process of such a launcher sees only itself; the first one says so."""
    for rank, said in (("0", True), ("1", False)):
        variables = ranked.environment(PMI_SIZE="2", PMI_RANK=rank)
        variables = {name: text for name, text in variables.items() if not name.startswith("OMPI_")}
        answer = subprocess.run(
            [sys.executable, *RUN, "dam_break"], env=variables, capture_output=True, text=True, timeout=PATIENCE
        )
        assert (answer.returncode, answer.stdout) == (2, "")
        assert ("the launcher has started 2 processes, but mpi4py's MPI (Open MPI" in answer.stderr) == said, answer
        assert bool(answer.stderr) == said


BEGIN = """
import os, signal
from mpi4py import MPI
from gpufluid import World
from gpufluid.cluster import Simulation
from gpufluid.cluster.rank import RankSimulation
from gpufluid.world import footprint

rank = MPI.COMM_WORLD.rank
world = World(96, 20, rules=("flow",)) if rank == 0 else None
"""
"""The begin of programs of three ranks that share a world."""

FAULT = """
with Simulation(world) as sim:
    if rank == 1:
        raise ValueError("a fault of this rank")
    sim.step(10)
"""

NO_MEMORY = """
if rank == 1:
    footprint._SMALL, footprint.machine_memory = 0, lambda: 0
Simulation(world)
"""

COMMAND = """
import sys
from gpufluid.cli import main
if rank == 1:
    footprint._SMALL, footprint.machine_memory = 0, lambda: 0
sys.argv = ["gpufluid", "run", "dam_break", "--ticks", "3"]
main()
"""

NO_DEVICE = """
if rank == 1:
    os.environ["GPUFLUID_DEVICE"] = "99"
Simulation(world)
"""

NO_ROOM = """
from gpufluid.gpu import device
with Simulation(world) as sim:
    if rank == 1:
        device.machine_memory = lambda: 0
    sim.frame(16)
"""

PICTURE_FAULT = """
from gpufluid.render.painter import Painter
def draw_piece(self, *given):
    if rank == 1:
        raise ValueError("a fault of this rank")
    return inner(self, *given)

inner, Painter.draw_piece = Painter.draw_piece, draw_piece
with Simulation(world) as sim:
    sim.frame()
"""

LAST_TICK = """
def step(self, ticks=1):
    inner(self, ticks)
    if rank == 1 and self.tick == 3:
        os.kill(os.getpid(), signal.SIGINT)

inner, RankSimulation.step = RankSimulation.step, step
with Simulation(world) as sim:
    for _ in range(5):
        try:
            sim.step(1)
        except KeyboardInterrupt:
            break
    ticks = MPI.COMM_WORLD.gather(sim.tick)
    if rank == 0:
        print(ticks)
"""


@pytest.mark.long(LONG)
@pytest.mark.parametrize(
    ("program", "said"),
    [
        (FAULT, "rank 1: Traceback (most recent call last):"),
        (NO_MEMORY, "rank 1: size: a world of 20 by 48 cells with rules flow takes about "),
        (NO_DEVICE, "rank 1: GPUFLUID_DEVICE=99: there is no such device"),
        (NO_ROOM, "rank 1: too little memory: a world asks for "),
        (PICTURE_FAULT, "rank 1: Traceback (most recent call last):"),
    ],
    ids=["fault", "memory", "device", "picture", "fault of a picture"],
)
def test_an_error_of_one_rank_ends_all_with_its_message(program: str, said: str) -> None:
    answer = ranked.run(3, "-c", BEGIN + program)
    assert answer.code != 0
    assert answer.err.startswith(f"gpufluid: {said}")
    assert answer.err.count("gpufluid: ") == 1
    assert answer.err.count("ValueError: a fault of this rank") == (program in (FAULT, PICTURE_FAULT))


@pytest.mark.long(LONG)
def test_a_rank_without_memory_ends_a_run() -> None:
    answer = ranked.run(3, "-c", BEGIN + COMMAND)
    assert (answer.code, answer.out) == (2, "")
    assert "Traceback" not in answer.err
    lines = [line for line in answer.err.splitlines() if line.startswith("gpufluid:")]  # a launcher may say more
    assert len(lines) == 2, answer.err
    assert lines[0] == SHARED.format(3)
    assert lines[1].startswith("gpufluid: rank 1: size: a world of 256 by 48 cells with rules flow takes about ")


PICTURE_WITHOUT_ROOM = """
import sys
from gpufluid.cli import main
from gpufluid.gpu import device

def reserve(self, plan):
    if rank == 1:
        device.machine_memory = lambda: 0
    inner(self, plan)

inner, RankSimulation.reserve = RankSimulation.reserve, reserve
sys.argv = ["gpufluid", "run", "dam_break", "--ticks", "1000000", "--out", "a.png", "--out", "a.npz"]
main()
"""


@pytest.mark.long(LONG)
def test_a_rank_without_memory_for_a_picture_ends_a_run_before_its_first_tick(tmp_path: Path) -> None:
    answer = ranked.run(3, "-c", BEGIN + PICTURE_WITHOUT_ROOM, folder=tmp_path)
    assert (answer.code, answer.out) == (1, "")
    lines = answer.err.splitlines()
    assert lines[0] == SHARED.format(3)
    assert lines[1].startswith("gpufluid: rank 1: too little memory: a world asks for ")
    assert len(lines) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.long(LONG)
def test_ctrl_c_in_the_last_tick_of_a_step_ends_the_step_of_all_ranks() -> None:
    assert ranked.run(3, "-c", BEGIN + LAST_TICK) == ranked.Answer(0, "[3, 3, 3]\n", "")


COMPILING = """
from time import monotonic  # one clock for all processes of a machine

def init(self, *arguments, **named):
    began = monotonic()
    inner(self, *arguments, **named)
    spans.append((began, monotonic()))

spans, inner, RankSimulation.__init__ = [], RankSimulation.__init__, init
with Simulation(world):
    every = MPI.COMM_WORLD.gather(spans)
    if rank == 0:
        (first,), *others = every
        print(all(began >= first[1] for (began, _), in others))
"""


@pytest.mark.long(LONG)
def test_one_rank_of_a_machine_compiles_before_the_others() -> None:
    """They find its programs in the driver's cache."""
    assert ranked.run(3, "-c", BEGIN + COMPILING) == ranked.Answer(0, "True\n", "")


STORE_FAULT = """
import sys
from gpufluid.cli import main
from gpufluid.io import shards, store_layout

def write(self, fields, box, level=0):
    if FAULT == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise OSError(28, "No space left on device")

store_layout.CHUNK_BYTES, store_layout.SHARD = 4096, {"row": 64, "column": 64}
if rank == 2:
    shards._Shards._write = write
sys.argv = ["gpufluid", "run", "dam_break", "--ticks", "3", "--out", "a.zarr"]
main()
"""


@pytest.mark.long(LONG)
@pytest.mark.parametrize("fault", ["full", "killed"])
def test_a_rank_that_cannot_write_its_shards_leaves_the_earlier_store(tmp_path: Path, fault: str) -> None:
    pytest.importorskip("zarr", reason="zarr is not installed: pip install -e '.[zarr]'")
    from gpufluid import World, load, save

    earlier = World(2, 2, rules=("flow",))
    save(earlier, tmp_path / "a.zarr")
    answer = ranked.run(3, "-c", BEGIN + f"FAULT = {fault!r}" + STORE_FAULT, folder=tmp_path)
    if fault == "full":
        said = "gpufluid: rank 2: a.zarr: could not be written: No space left on device"
        assert (answer.code, answer.out, answer.err.splitlines()) == (1, "", [SHARED.format(3), said])
        assert [path.name for path in tmp_path.iterdir()] == ["a.zarr"]
    assert answer.code != 0
    assert load(str(tmp_path / "a.zarr")) == earlier
