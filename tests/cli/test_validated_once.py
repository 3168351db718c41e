"""Between its file and its first tick a world is validated once: each law, each port, all cells."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from gpufluid.matter import reaction_checks, reaction_loops
from gpufluid.rules.schema import Rule
from gpufluid.world import domain, laws, ledger, validation

SCENE = """\
size = [24, 16]
rules = ["atoms", "heat", "reactions"]
edges = "open"
seed = 3
[heat]
ambient = 25
[[reaction]]
name = "stone eats oil"
between = ["stone", "oil"]
become = ["stone", "empty"]
chance = 0.5
[[fill]]
shape = "rectangle"
at = [0, 8]
size = [24, 4]
material = "oil"
[[emitter]]
at = [3, 0]
size = [2, 1]
material = "sand"
[[drain]]
at = [0, 15]
"""
ONCE: tuple[Callable, ...] = (
    *(laws.laws_of, laws.checked_rules, laws.check_edges, laws.check_gravity, laws.check_seed, laws.law_conflicts),
    *(laws.resolved_parameters, laws.check_materials, laws.check_mixture, laws.check_reactions, laws.rule_conflicts),
    *(reaction_loops.instant_loop, reaction_checks.too_many, domain.check_domain, validation.check_cells),
)
"""Functions that check a law as a whole, or all cells."""

EACH = {validation.port_problems: 2, Rule.resolve: 3}
"""Functions that check one of several things: two ports, the parameters of three rules."""


@contextmanager
def counting() -> Iterator[Counter[str]]:
    """The number of calls of each of these functions, under any name."""
    watched = {check.__code__: check.__name__ for check in (*ONCE, *EACH, ledger.check_ledgers)}
    calls: Counter[str] = Counter()
    begun: list[FrameType] = []

    def note(frame: FrameType, event: str, argument: object) -> None:  # noqa: ARG001
        if event == "call" and frame.f_code in watched and frame not in begun:
            begun.append(frame)  # a generator is entered again after each yield
            calls[watched[frame.f_code]] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


GIVEN = [(), ("--seed", 7), ("--set", "heat.air=0.5", "--set", "heat.ambient=30")]


@pytest.mark.parametrize("words", GIVEN, ids=str)
def test_a_scene_is_validated_once(call, tmp_path: Path, words: tuple[object, ...]) -> None:
    (tmp_path / "stones.toml").write_text(SCENE)
    with counting() as calls:
        answer = call("run", "stones.toml", "--ticks", 1, *words)
    assert (answer.code, answer.err) == (0, "")
    seeds = 2 if "--seed" in words else 1  # the seed of the file, which no world uses, and the given one
    wanted = {check.__name__: 1 for check in ONCE} | {check.__name__: number for check, number in EACH.items()}
    assert calls == wanted | {"check_ledgers": 1, "check_seed": seeds}


def test_a_snapshot_is_validated_once(call, tmp_path: Path) -> None:
    """Ledgers are checked twice: when the world is read, and before it runs, since a caller can change them."""
    (tmp_path / "stones.toml").write_text(SCENE)
    assert call("run", "stones.toml", "--ticks", 1, "--out", "x.npz").code == 0
    with counting() as calls:
        answer = call("run", "x.npz", "--ticks", 1)
    assert (answer.code, answer.err) == (0, "")
    wanted = {check.__name__: 1 for check in ONCE} | {check.__name__: number for check, number in EACH.items()}
    assert calls == wanted | {"check_ledgers": 2}
