"""What materials do, in words, as their keys, transitions, reactions and conversions say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpufluid import World
from gpufluid.core.errors import UnknownNameError
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.matter.reactions import SHIPPED as REACTIONS
from gpufluid.matter.reactions import Reaction, ReactionTable
from gpufluid.world.material_words import MaterialWords

ALL = ("atoms", "heat", "reactions")


def told(name: str, rules: tuple[str, ...] = ALL, **laws: object) -> tuple[str, ...]:
    return MaterialWords(World(8, 8, rules, **laws).laws).of(name)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("name", "words"),
    {
        "oil": ("liquid", "flows", "floats on water", "burns"),
        "fire": ("rises", "1100 °C hot", "put out by water and salt water", "sets fire to what burns and touches it"),
        "ice": ("solid", "-10 °C cold", "melts to water above 0 °C", "eaten by acid"),
        "water": ("boils to steam above 100 °C", "puts out ember and fire", "turns lava to stone or gravel"),
        "salt": ("powder", "sinks in water", "dissolves in water"),
        "metal": ("turns to rust in water and salt water",),
        "gunpowder": ("explodes when lit",),
        "blast": ("gas", "the hot gas of an explosion", "drives matter apart"),
        "shoot": ("powder", "a young piece of a plant", "turns to bud beside sap"),
        "acid": ("eats many powders and solids", "used up by what it eats"),
        "void": ("swallows what touches it",),
        "cloner": ("copies the first matter that touches it", "fills the air around with it"),
        "smoke": ("gas", "rises", "vanishes in time"),
        "mud": ("turns to soil above 80 °C",),
        "rubber": ("bounces",),
        "wall": ("solid",),
    }.items(),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words_follow_from_the_shipped_tables(name: str, words: tuple[str, ...]) -> None:
    found = told(name)
    assert set(words) <= set(found)
    assert found[0] in ("solid", "powder", "liquid", "gas")


def test_all_words_are_filled_in_and_none_is_repeated() -> None:
    words = MaterialWords(World(8, 8, ALL).laws)
    for record in SHIPPED[1:]:
        found = words.of(record.name)
        assert len(set(found)) == len(found)
        assert not [part for part in found if "{" in part or part != part.strip() or part.endswith(" by")]


def test_only_what_the_rules_of_the_world_do_is_told() -> None:
    assert told("oil", ("atoms",)) == ("liquid", "flows", "floats on water")
    assert told("ice", ("atoms",)) == ("solid",)
    assert told("ice", ("atoms", "heat")) == ("solid", "-10 °C cold", "melts to water above 0 °C")


def test_a_solid_falls_only_where_a_rule_moves_solids() -> None:
    rules = (*ALL, "collapse")
    assert told("wood", rules) == ("solid", "falls if nothing holds it", "burns", "eaten by acid")
    assert told("wall", rules) == ("solid", "stays, and holds what touches it")
    assert told("wood") == ("solid", "burns", "eaten by acid")


def test_the_words_are_those_of_the_worlds_own_tables() -> None:
    heavy = MaterialTable(
        tuple(replace(record, density=1100) if record.name == "oil" else record for record in SHIPPED)
    )
    assert "sinks in water" in told("oil", materials=heavy)
    own = ReactionTable((Reaction("fizz", ("rubber", "mercury"), ("same", "smoke")), *REACTIONS.records))
    assert "turns mercury to smoke" in told("rubber", reactions=own)
    assert "turns to smoke beside rubber" in told("mercury", reactions=own)


def test_conversions_of_a_mixture_are_told() -> None:
    assert told("steam", ("mixture",)) == ("gas", "rises", "turns to water beside ice")
    assert "turns water to steam" in told("lava", ("mixture",))


def test_an_unknown_material_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="unknown material 'oill'; did you mean 'oil'"):
        told("oill")
