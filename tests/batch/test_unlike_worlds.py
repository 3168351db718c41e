"""A batch of worlds of other sizes, laws or tables is refused: the message names the world, the law and both values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from gpufluid import Batch, World
from gpufluid.core.errors import WorldError
from gpufluid.matter.materials import SHIPPED as MATERIALS
from gpufluid.matter.materials import Material, MaterialTable
from gpufluid.matter.mixtures import SHIPPED as MIXTURE
from gpufluid.matter.mixtures import MixtureTable, VerticalFlow
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.reactions import ReactionTable
from gpufluid.world.domain import Domain

pytestmark = pytest.mark.usefixtures("device")


def other(**laws: Any) -> World:
    """A world of rule flow with these laws."""
    return World(16, 24, ("flow",), **laws)


UNLIKE = [
    (World(16, 25, ("flow",)), r"worlds\[1\].size: 25 by 16 cells; expected 24 by 16, as worlds\[0\]"),
    (World(16, 24, ("atoms",)), r"worlds\[1\].rules: "),
    (other(edges="open"), r"worlds\[1\].edges: 'open'; expected 'closed'"),
    (other(gravity="up"), r"worlds\[1\].gravity: 'up'; expected 'down'"),
    (other(parameters={"flow": {"max_compress": 0.05}}), r"worlds\[1\].flow.max_compress: 0.05; expected 0.02"),
    (other(domain=Domain((0, 0), (24, 16), (48, 16))), r"worlds\[1\].domain: .*; expected "),
]


@pytest.mark.parametrize(("world", "message"), UNLIKE)
def test_worlds_of_other_laws_are_refused(world: World, message: str) -> None:
    with pytest.raises(WorldError, match=message):
        Batch([other(), world])


def heavier(records: Sequence[Material]) -> MaterialTable:
    """A table in which sand is heavier."""
    return MaterialTable(tuple(replace(each, density=1700) if each.name == "sand" else each for each in records))


def more_viscous(table: MixtureTable) -> MixtureTable:
    """A mixture whose first material flows otherwise."""
    first, *others = table.constituents
    return MixtureTable([replace(first, vertical=VerticalFlow(speed=0.5)), *others], table.conversions)


REACTIVE = ("atoms", "heat", "reactions")

OTHER_TABLES = [
    (("atoms",), {"materials": heavier(MATERIALS)}, "materials: 'sand' has density 1700; expected 1600"),
    (("atoms",), {"materials": MaterialTable(MATERIALS[:20])}, r"materials: 20 entries; expected \d+, as worlds\[0\]"),
    (REACTIVE, {"reactions": ReactionTable(tuple(REACTIONS)[::-1])}, "reactions: entry 0 is '.*'; expected '"),
    (("mixture",), {"mixture": more_viscous(MIXTURE)}, "mixture.constituents: '.*' has vertical VerticalFlow.*0.5"),
    (("mixture",), {"mixture": MixtureTable(MIXTURE.constituents)}, "mixture.conversions: 0 entries; expected "),
]


@pytest.mark.parametrize(("rules", "tables", "message"), OTHER_TABLES)
def test_worlds_of_other_tables_are_refused(rules: tuple[str, ...], tables: dict[str, Any], message: str) -> None:
    """The message names the first value that differs, and both values."""
    with pytest.raises(WorldError, match=rf"worlds\[1\]\.{message}"):
        Batch([World(16, 24, rules), World(16, 24, rules, **tables)])
