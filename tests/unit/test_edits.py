"""Edits are counted: what was held, with what the ledgers count as painted and erased, is what is held afterwards."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from attacks.random_worlds import fill, random_rectangle
from support.scenes import assert_balanced
from support.selection import mostly_long

from gpufluid import FULL, AtomLedger, HeatLedger, Ledger, World
from gpufluid.core.errors import WorldError
from gpufluid.core.fields import COUNT_LIMIT
from gpufluid.run.balance import accounts, balance_of
from gpufluid.runtime.editing import Workbench
from gpufluid.world.edits import edited
from gpufluid.world.ledger import AmountLedger

pytestmark = pytest.mark.usefixtures("device")
RULES = (("flow",), ("atoms",), ("atoms", "heat", "reactions"), ("flow", "atoms", "heat"), ("mixture", "pressure"))


def window_of(world: World) -> dict[str, np.ndarray]:
    return {name: world[name].copy() for name in world.fields}


@pytest.mark.parametrize(
    "rules", mostly_long(RULES, *RULES[:3], RULES[-1], why="rules of other sets at once"), ids="+".join
)
def test_what_was_held_with_what_edits_count_is_what_is_held(rules: tuple[str, ...]) -> None:
    random, first = Random(5), World(24, 32, rules, seed=3)
    fill(first, np.random.default_rng(5))
    with Workbench(first) as sim:
        before = balance_of(sim)
        for luck in range(6):
            sim.step(2)
            at, (width, height) = random_rectangle(random, first)
            painted = World(height, width, rules)
            fill(painted, np.random.default_rng(luck))
            sim.write_window(at, window_of(painted))
            assert_balanced(first, sim.read())
        for key, account in accounts(sim.blank, before, balance_of(sim)).items():
            for each in account.values() if key in ("atoms", "mixture_units") else [account]:
                plus = sum(
                    each.get(entry, 0) for entry in ("emitted", "made", "painted", "air", "atoms", "reacted", "given")
                )
                minus = sum(each.get(entry, 0) for entry in ("drained", "left", "used", "erased", "bound"))
                assert each["before"] + plus - minus == each["now"], key


def test_each_cell_counts_what_it_gains_or_loses() -> None:
    laws = World(1, 4, ("atoms", "heat"))
    sand, wood = laws.materials["sand"], laws.materials["wood"]
    before, after = window_of(laws), window_of(laws)
    before["material"][0] = sand, sand, wood, 0
    before["temperature"][0] = 80, 80, 80, 0
    after["material"][0] = sand, wood, 0, sand
    after["temperature"][0] = 80, 16, 0, -8
    assert edited(laws, before, after) == {
        "atoms": AtomLedger({"sand": Ledger(painted=1, erased=1), "wood": Ledger(painted=1, erased=1)}),
        "heat": HeatLedger(painted=0, erased=64 + 80 + 8),
    }
    assert edited(laws, before, before) == {}


def test_amounts_are_counted_in_units() -> None:
    pool, mixed = World(1, 2, ("flow",)), World(1, 2, ("mixture",))
    arrays = window_of(pool)
    arrays["mass"][0] = FULL, 3
    assert edited(pool, window_of(pool), arrays) == {"mass": Ledger(painted=FULL + 3)}
    arrays = window_of(mixed)
    arrays["mixture"][mixed.mixture["sand"], 0] = 7, 0
    assert edited(mixed, arrays, window_of(mixed)) == {"amounts": AmountLedger({"sand": Ledger(erased=7)})}


def test_an_edit_that_no_ledger_can_count_is_refused() -> None:
    world = World(4, 4, ("atoms",))
    world.atoms += AtomLedger({"sand": Ledger(painted=COUNT_LIMIT - 1)})
    with Workbench(world) as sim:
        before, arrays = sim.read(), sim.read_window((0, 0), (2, 1))
        arrays["material"][:] = world.materials["sand"]
        with pytest.raises(WorldError, match=r"atoms\['sand'\]\.painted: \d+; expected a whole number"):
            sim.write_window((0, 0), arrays)
        assert (sim.digest(), sim.ledgers) == (before.digest(), before.ledgers)


def test_restored_ledgers_are_those_of_the_world() -> None:
    with Workbench(World(4, 4, ("atoms",))) as sim:
        first, arrays = sim.read(), sim.read_window((0, 0), (2, 1))
        arrays["material"][:] = first.materials["sand"]
        sim.write_window((0, 0), arrays)
        assert sim.atoms["sand"] == Ledger(painted=2)
        sim.restore(first)
        assert sim.atoms["sand"] == Ledger()
