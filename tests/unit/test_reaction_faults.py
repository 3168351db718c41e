"""Invalid reactions raise one error that names the reaction and its field."""

from __future__ import annotations

import re

import pytest

from gpufluid import World
from gpufluid.core.errors import WorldError
from gpufluid.matter.reactions import SHIPPED, Reaction, ReactionTable

RULES = ("atoms", "heat", "reactions")
WITHOUT_RECORDING = tuple(reaction for reaction in SHIPPED if reaction.name != "cloners take note")

BAD = {
    # name: (records, field, words)
    "copies from a material that records none": (
        (Reaction("x", ("ember", "oil"), ("same", "copy")),), "reactions['x'].become", "'ember' records no material",
    ),
    "copies though no reaction records": (
        WITHOUT_RECORDING, "reactions['cloners copy'].become", "'cloner' records no material to copy",
    ),
    "copies from a material that records with chance 0": (
        (Reaction("n", ("ember", "any"), ("copying", "same"), chance=0), Reaction("x", ("ember",), ("ash",), after=9),
         Reaction("c", ("ember", "empty"), ("same", "copy"))), "reactions['c'].become", "'ember' records no material",
    ),
    "counts ticks and records": (
        (*SHIPPED, Reaction("x", ("cloner",), ("wall",), after=9)), "reactions['cloners take note'].become",
        "the age of 'cloner' counts ticks already, for 'x'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_table_is_an_error_that_names_the_reaction_and_its_field(name: str) -> None:
    records, field, words = BAD[name]
    with pytest.raises(WorldError, match=re.escape(words)) as caught:
        World(4, 4, RULES, reactions=ReactionTable(records))
    assert caught.value.field == field
