"""The memory and the time that a snapshot costs: little if it is refused, and what its world needs if it is read."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from attacks import cost
from attacks.bombs import with_many_members, with_member, zeros
from attacks.snapshots import LAWS, MEMORY_MOST, SECONDS_MOST, Member, header_of
from support.patience import PATIENCE
from support.selection import mostly_long
from support.snapshots import MASS, Members, laws_with, refusal, with_laws, written

from gpufluid import World
from gpufluid.core import memory
from gpufluid.io import snapshots

limited = pytest.mark.skipif(sys.platform == "win32", reason="no limits of resources")

FOUR_GIB = 0xFFFFFFFE


def without(members: Members, name: str) -> Members:
    return {key: each for key, each in members.items() if key != name}


def scalars(members: Members) -> Members:
    """The same with a single number in each array."""
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (), }"
    single = {"material.npy": header_of(text % "|u1") + b"\0", MASS: header_of(text % "<i4") + bytes(4)}
    return {key: Member(key, single.get(key, each.content)) for key, each in members.items()}


BOMBS = {
    "a member of 4 GiB that no world has": lambda found: with_member(
        written(found), "more.npy", FOUR_GIB, zeros(4 << 30)
    ),
    "an array that is longer than the directory says": lambda found: with_member(
        written(without(found, MASS)), MASS, 208, zeros(4 << 30)
    ),
    "an array of 4 GiB": lambda found: with_member(written(without(found, MASS)), MASS, FOUR_GIB, zeros(4 << 30)),
    "laws of 4 GiB": lambda found: with_member(written(without(found, LAWS)), LAWS, FOUR_GIB, zeros(4 << 30)),
    "one number for 16,000 by 16,000 cells": lambda found: with_laws(
        scalars(found), laws_with(found, height=16000, width=16000).encode()
    ),
    "20 numbers for 16,000 by 16,000 cells": lambda found: with_laws(
        found, laws_with(found, height=16000, width=16000).encode()
    ),
    "a directory of a million members": lambda found: with_many_members(written(found), 333_333),
    "laws with a million lists": lambda found: with_laws(found, b"[" + b"[]," * 1_000_000 + b"0]"),
    "laws with 200,000 parameters": lambda found: with_laws(
        found, laws_with(found, parameters={"flow": {f"k{n}": 0 for n in range(200_000)}}).encode()
    ),
}


def with_ring(found: Members) -> bytes:
    """Laws with the most combinations of materials that react, in a ring that is open at each temperature."""
    record = {"state": "LIQUID", "density": 1000, "colour": [0, 0, 0]}
    laws = json.loads(laws_with(found))
    materials = laws["materials"] + [record | {"name": f"m{number}"} for number in range(180)]
    reactions = []
    for number in range(130):
        both = {"between": [f"m{number}", "any"], "become": [f"m{(number + 1) % 130}", "same"]}
        reactions += [both | {"name": f"cold {number}", "below": number}] if number else []
        reactions += [both | {"name": f"hot {number}", "above": number + 1}] if number < 129 else []
    rules = {"rules": ["atoms", "heat", "reactions"], "parameters": {}, "emitters": []}
    return with_laws(found, laws_with(found, **rules, materials=materials, reactions=reactions).encode())


def with_chain(found: Members) -> bytes:
    """Laws with the most materials, in a chain of transitions at as many temperatures, and with the most tags."""
    degrees = np.random.default_rng(1).permutation(180).tolist()
    chain = []
    for number, at in enumerate(degrees):
        change = {"threshold": at, "product": f"m{(number + 1)}", "latent": 0}
        record = {"name": f"m{number}", "state": "LIQUID", "density": 1000, "colour": [0, 0, 0]}
        record |= {"tags": [f"t{number} {tag}" for tag in range(32)]}
        chain.append(record | ({"above": change, "below": change} if number < 179 else {}))
    materials = json.loads(laws_with(found))["materials"] + chain
    reactions = [
        {"name": f"r{n}", "between": [f"t{n % 180} 31", f"t{n * 7 % 180} 30"], "become": ["sand", "stone"]}
        for n in range(1024)
    ]
    rules = {"rules": ["atoms", "heat", "reactions"], "parameters": {}, "emitters": []}
    return with_laws(found, laws_with(found, **rules, materials=materials, reactions=reactions).encode())


BOMBS["a ring of reactions that is open at each temperature"] = with_ring
BOMBS["a chain of transitions at many temperatures"] = with_chain

LOADED = """
import json, resource, sys
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
from attacks.cost import measured
from gpufluid.core.errors import UsageError
from gpufluid.io.loading import load
answer = ""
with measured() as cost:
    try:
        load(sys.argv[1])
    except UsageError as error:
        answer = str(error)
print(json.dumps([answer, cost.seconds, cost.memory]))
"""


def loaded_apart(path: Path, limit: int = 4 << 30) -> tuple[str, float, int]:
    """Load a file in a process of its own, with a limit of address space in bytes.

    Returns: the answer, the seconds of processor time, and the bytes of memory that it took.
    """
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(path), str(limit)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    answer, seconds, taken = json.loads(done.stdout)
    return answer, seconds, taken


@limited
@pytest.mark.parametrize("name", mostly_long(BOMBS, *list(BOMBS)[::4], why="a process each, for one more kind of file"))
def test_a_file_that_claims_to_hold_much_is_refused_at_little_cost(whole: Members, tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(BOMBS[name](whole))
    answer, seconds, taken = loaded_apart(path)
    assert answer.startswith(f"{path}: is ")
    assert seconds < SECONDS_MOST
    assert taken < path.stat().st_size + MEMORY_MOST


@limited
def test_a_good_file_takes_the_memory_of_its_world(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    world = World(2048, 2048, rules=("flow",))
    world["mass"] = np.arange(2048) << 9
    snapshots.save(world, path)
    answer, _, taken = loaded_apart(path)
    assert answer == ""
    assert taken < sum(world[name].nbytes for name in world.fields) + (16 << 20)


def test_a_world_over_the_free_memory_is_refused_with_both_numbers(
    whole: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text("MemAvailable: 1048576 kB\n")
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    text = laws_with(whole, height=65536, width=65536).encode()
    assert refusal(tmp_path / "x.npz", with_laws(whole, text)) == (
        "size: a world of 65536 by 65536 cells with rules flow takes about 20.0 GiB of the machine's memory,"
        " and 1.0 GiB are free"
    )


@limited
def test_a_world_for_which_the_system_gives_no_memory_is_refused(whole: Members, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(with_laws(whole, laws_with(whole, height=30000, width=30000).encode()))
    answer, _, _ = loaded_apart(path, 3 << 30)
    assert answer.startswith(f"{path}: size: a world of 30000 by 30000 cells with rules flow takes about 4.2 GiB of ")


@limited
def test_the_cost_of_a_block_is_measured() -> None:
    """Without this test every file could seem to cost nothing."""
    with cost.measured() as found:
        np.ones(80 << 20, np.uint8)
    assert 79 << 20 < found.memory < 90 << 20
    assert found.seconds > 0
    with cost.measured() as found:
        pass
    assert found.memory < 4 << 20
