"""Which materials can do nothing in a world, and which rules they need for that."""

from __future__ import annotations

import pytest

from gpufluid import World, with_rules
from gpufluid.matter.materials import SHIPPED, Material, MaterialTable, State
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.world.idle import idle_materials

ACTING = {
    *("fire", "smoke", "blast", "ember", "charcoal", "burning oil", "gunpowder", "acid", "cloner", "void"),
    *("plant", "seed", "sap", "bud", "shoot", "flower"),
}
"""What these are for are reactions."""
HOT = {"lava", "molten metal", "molten glass"}
"""These set fire to others, and become solid where the world has heat."""


def needs(*rules: str, **laws) -> dict[str, tuple[str, ...]]:
    return idle_materials(World(4, 4, rules, **laws).laws)


def test_without_reactions_what_burns_and_grows_does_nothing() -> None:
    found = needs("atoms")
    assert set(found) == ACTING | HOT
    assert set(found.values()) == {("heat", "reactions")}
    found = needs("atoms", "heat")
    assert set(found) == ACTING
    assert set(found.values()) == {("reactions",)}
    assert needs("atoms", "heat", "reactions", "pressure") == {}


def test_in_water_by_mass_what_falls_needs_atoms() -> None:
    found = needs("flow")
    assert {"sand", "oil", "steam"} <= set(found)
    assert found["sand"] == ("atoms",)
    assert found["fire"] == ("atoms", "heat", "reactions")
    assert not {"water", "wall", "stone", "wood"} & set(found)
    assert "water" not in needs("mixture")


@pytest.mark.parametrize(
    "rules", [("atoms",), ("atoms", "heat"), ("flow",), ("mixture",), ("mixture", "pressure")], ids="+".join
)
def test_with_the_rule_that_it_needs_a_material_is_not_idle(rules: tuple[str, ...]) -> None:
    world = World(4, 4, rules)
    for name, missing in idle_materials(world.laws).items():
        more = with_rules(world, missing[-1:])
        assert more.rules == (*world.rules, *missing)
        assert name not in idle_materials(more.laws)
        assert more.can_hold(name)


def test_nothing_needs_a_rule_that_the_world_cannot_have() -> None:
    found = needs("mixture", "pressure")
    assert found["gravel"] == ("atoms",)
    assert all("flow" not in missing for missing in found.values())  # a mixture excludes it
    assert all("atoms" not in missing for missing in needs("atoms").values())


def test_a_scenes_own_material_is_idle_only_if_a_known_reaction_makes_it_act() -> None:
    wax = Material("wax", State.POWDER, 900, (255, 255, 200))
    torch = Material("torch", State.SOLID, 900, (255, 0, 0), tags=("flaming",))
    table = MaterialTable((*SHIPPED, wax, torch))
    found = needs("atoms", materials=table)
    assert "wax" not in found
    assert found["torch"] == ("heat", "reactions")


def test_each_acting_material_is_named_by_a_shipped_reaction() -> None:
    tags = {record.name: {record.name, *record.tags} for record in SHIPPED}
    words = {word for reaction in REACTIONS for word in reaction.between}
    assert all(tags[name] & words for name in ACTING | HOT)
