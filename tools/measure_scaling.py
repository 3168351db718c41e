"""Measure one world on several ranks, by turns: ``python tools/measure_scaling.py [--ranks 1 2] [--size 4096 1024]``.

Starts itself under ``mpiexec``, one thread of software OpenGL a rank, and prints a line for each world and number of
ranks: seconds a tick, processor time of the busiest rank in a tick, kilobytes that all ranks sent in a tick, and
seconds that a rank waited for others in a tick (the mean of the ranks). Rounds take the numbers of ranks by turns, and
the line has the median of the rounds. Beside other programs only the processor time is meaningful.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import numpy as np

from gpufluid import FULL, World
from gpufluid.cluster import Simulation


def flow(width: int, height: int) -> World:
    """A dam break with inertia: the left two fifths of each row are full of water, so all rows have the same work."""
    world = World(height, width, rules=("flow", "inertia"), seed=1)
    world["mass"][:, : width * 2 // 5] = FULL
    return world


def low(width: int, height: int) -> World:
    """A dam break with inertia in the lowest quarter of the world, so that borders between ranks move."""
    world = World(height, width, rules=("flow", "inertia"), seed=1)
    world["mass"][height * 3 // 4 :, : width * 2 // 5] = FULL
    return world


def atoms(width: int, height: int) -> World:
    """Sand at rest in the lower quarter, and one falling grain for ten cells in the upper half."""
    world = World(height, width, rules=("atoms",), seed=1)
    sand = world.materials["sand"]
    world["material"][height * 3 // 4 :] = sand
    world["material"][: height // 2][np.random.default_rng(1).random((height // 2, width)) < 0.1] = sand
    return world


def rain(width: int, height: int) -> World:
    """One falling grain of sand for ten cells, everywhere: all rows have the same work."""
    world = World(height, width, rules=("atoms",), seed=1)
    world["material"][np.random.default_rng(1).random((height, width)) < 0.1] = world.materials["sand"]
    return world


def together(width: int, height: int) -> World:
    """The world of `atoms` with heat and reactions; all that falls is hot."""
    return _hot(atoms(width, height), height // 2)


def hot_rain(width: int, height: int) -> World:
    """The world of `rain` with heat and reactions; all sand is hot, and all rows have the same work."""
    return _hot(rain(width, height), height)


def _hot(plain: World, rows: int) -> World:
    """A world with the atoms of another, and heat and reactions; atoms in the first ``rows`` rows have 200 degrees."""
    world = World(plain.height, plain.width, rules=("atoms", "heat", "reactions"), seed=1)
    world["material"][:] = plain["material"]
    world["temperature"][:rows] = 8 * 200 * (world["material"][:rows] > 0)
    return world


def rest(width: int, height: int) -> World:
    """Sand at rest in the lower half of a closed world."""
    world = World(height, width, rules=("atoms",), seed=1)
    world["material"][height // 2 :] = world.materials["sand"]
    return world


WORLDS: dict[str, Callable[[int, int], World]] = {
    "rest": rest,
    "flow": flow,
    "low": low,
    "atoms": atoms,
    "rain": rain,
    "together": together,
    "hot_rain": hot_rain,
}
"""The measured worlds, by name; each is made from (width, height) in cells."""


def measure(name: str, size: tuple[int, int], ticks: int) -> None:
    """Run a world as one of several ranks; rank 0 prints the figures of a tick as JSON."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    with Simulation(WORLDS[name](*size) if comm.rank == 0 else None) as sim:
        sim.step(ticks)  # compiles the programs
        sim.finish()
        sent, waited, begun, worked = sim.bytes_sent, sim.seconds_waited, perf_counter(), process_time()
        sim.step(ticks)
        sim.finish()
        seconds, worked = (perf_counter() - begun) / ticks, (process_time() - worked) / ticks
        worked = comm.reduce(worked, MPI.MAX)
        sent = comm.reduce(sim.bytes_sent - sent)
        waited = comm.reduce(sim.seconds_waited - waited)
        if comm.rank == 0:
            assert sent is not None
            assert waited is not None
            found = {"seconds": seconds, "worked": worked, "bytes": sent / ticks, "waited": waited / ticks / comm.size}
            print(json.dumps(found), flush=True)


def start(ranks: int, name: str, size: tuple[int, int], ticks: int) -> dict[str, float]:
    """The figures of a world on so many ranks."""
    beside = Path(sys.executable).with_name("mpiexec")
    launcher = str(beside) if beside.exists() else shutil.which("mpiexec")
    if launcher is None:
        sys.exit("there is no mpiexec: pip install 'gpufluid[mpi]'")
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    words = [*as_root, "--oversubscribe", "--bind-to", "none", "-n", str(ranks), sys.executable, __file__]
    more = ["--part", name, "--size", *map(str, size), "--ticks", str(ticks)]
    variables = {
        **os.environ,
        "LP_NUM_THREADS": "0",
        "PRTE_MCA_plm_ssh_agent": "false",
        "OMPI_MCA_plm_rsh_agent": "false",
    }
    done = subprocess.run([launcher, *words, *more], env=variables, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.strip("\0\n ").splitlines()[-1])


def main() -> None:
    """Measure and print; or be one rank of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2], help="numbers of ranks")
    parser.add_argument("--size", type=int, nargs=2, default=[4096, 1024], metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--ticks", type=int, default=8, help="measured ticks, after as many others")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--world", nargs="+", choices=WORLDS, default=list(WORLDS))
    parser.add_argument("--part", choices=WORLDS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    size = arguments.size[0], arguments.size[1]
    if arguments.part:
        measure(arguments.part, size, arguments.ticks)
        return
    for name in arguments.world:
        rounds = [
            {ranks: start(ranks, name, size, arguments.ticks) for ranks in arguments.ranks}
            for _ in range(arguments.rounds)
        ]
        for ranks in arguments.ranks:
            seconds, worked, sent, waited = (
                median(each[ranks][key] for each in rounds) for key in ("seconds", "worked", "bytes", "waited")
            )
            line = f"{name}, ranks {ranks}: {seconds * 1000:.1f} ms a tick, {worked * 1000:.1f} ms of processor time"
            line += f", {sent / 1000:.1f} kB sent"
            print(f"{line}, {waited * 1000:.1f} ms waited", flush=True)


if __name__ == "__main__":
    main()
