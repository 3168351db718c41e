"""Declarations of fields, planes, quantities and rules: a contradiction is an error that names both sides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpufluid.core.fields import (
    ATOM_PLANE,
    FIELDS,
    PLANES,
    QUANTITIES,
    Declaration,
    DeclarationError,
    Field,
    Plane,
    Quantity,
    Summary,
    declare,
    restored,
)
from gpufluid.rules import RULES, TICK, Over, Pass, Rule, Variant, register
from gpufluid.rules.schema import Scratch

BAG = Plane("bag", 77, carried=True)
"""A plane of atoms that no rule of gpufluid has."""


def fails(*declared: Declaration) -> str:
    """The message of the error that declarations raise; all declarations are then as before."""
    before = dict(FIELDS), dict(PLANES), dict(QUANTITIES)
    with pytest.raises(DeclarationError) as caught:
        declare(*declared)
    assert before == (FIELDS, PLANES, QUANTITIES)
    return str(caught.value)


def test_a_plane_has_no_room_for_more_than_its_bits() -> None:
    assert fails(Field("soot", "uint8", ("warmth",), carried=True)) == (
        "plane warmth: has 32 bits, its fields have 40: temperature 16, integrity 8, age 8, soot 8"
    )
    wide = Plane("wide", 77), Field("a", "int16", ("wide",), components=2), Field("b", "uint8", ("wide",))
    assert fails(*wide) == "plane wide: has 32 bits, its fields have 40: a 32, b 8"


def test_a_field_is_carried_as_its_plane_is() -> None:
    assert fails(Plane("still", 77), Field("soot", "uint8", ("still",), carried=True)) == (
        "field soot: is carried by atoms, but plane still, in which it lies, is not"
    )
    assert fails(BAG, Field("soot", "uint8", ("bag",))) == (
        "field soot: is not carried, but plane bag, in which it lies, is carried"
    )


def test_two_of_one_name_are_both_named() -> None:
    message = fails(Field("mass", "uint8", (ATOM_PLANE,), carried=True))
    assert message.startswith("field mass: is declared twice: Field(name='mass', dtype='int32'")
    assert "and Field(name='mass', dtype='uint8'" in message
    assert fails(Plane("warmth", 77)).startswith("plane warmth: is declared twice: Plane(name='warmth', number=2")
    assert fails(Quantity("heat", "another")).startswith("quantity heat: is declared twice: ")


def test_what_is_named_must_be_declared() -> None:
    assert fails(BAG, Field("soot", "uint8", ("bag",), carried=True, quantity="soots")) == (
        "field soot: conserves quantity soots, which no rule declares; there are ['amounts', 'atoms', 'heat', 'mass']"
    )
    assert fails(Field("soot", "uint8", ("sack",))) == (
        f"field soot: lies in plane sack, which no rule declares; there are {sorted(PLANES)}"
    )


def test_two_planes_of_a_world_are_told_apart_in_its_digest() -> None:
    assert fails(Plane("bag", 2), Field("soot", "uint8", ("bag",))) == (
        "planes warmth and bag: both have number 2 in digests"
    )


def test_a_sum_of_components_must_say_how() -> None:
    pair = Field("drift", "int8", ("bag",), components=2, carried=True, summary=Summary.SUM)
    assert fails(BAG, pair) == "field drift: is summed up, has 2 components and no measure"


def test_what_is_declared_within_is_forgotten() -> None:
    before = dict(FIELDS), dict(PLANES), dict(QUANTITIES)
    with restored():
        declare(BAG, Field("soot", "uint8", ("bag",), carried=True))
        assert PLANES["bag"].fields == ("soot",)
    assert before == (FIELDS, PLANES, QUANTITIES)


LOOK = Pass("probe", "look", Over.CELLS, reads=("material",))
SEEN = Scratch("seen", Over.CELLS)
FAR, NEAR = replace(LOOK, name="far", writes=(SEEN,)), replace(LOOK, name="near", takes=(SEEN,), reach=(1, 1))
PROBE = Rule(
    name="probe",
    about="A rule of a test.",
    fields=("material",),
    parameters=(),
    variants=(Variant("only", "the only one", (LOOK, replace(LOOK, name="look_again")), software=True),),
)


def test_a_rule_takes_its_place_in_the_tick_until_it_is_undone() -> None:
    rules, tick = dict(RULES), list(TICK)
    with register(PROBE, after="atoms.spread"):
        assert RULES["probe"] is PROBE
        place = TICK.index("atoms.spread")
        assert TICK[place + 1 : place + 3] == ["probe.look", "probe.look_again"]
    assert (rules, tick) == (RULES, TICK)
    registration = register(PROBE, after=TICK[-1])
    assert TICK[-1] == "probe.look_again"
    registration.undo()
    assert (rules, tick) == (RULES, TICK)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (replace(PROBE, name="flow"), "rule flow: declared twice: 'Mass-based, slightly compressible water.' and"),
        (
            replace(PROBE, declares=(BAG, Field("soot", "uint8", ("bag",), carried=True))),
            "field soot: rule probe declares it, but its fields are ('material',)",
        ),
        (replace(PROBE, fields=("material", "soot")), "rule probe: has field 'soot', which no rule declares"),
        (
            replace(PROBE, variants=(Variant("only", "", (replace(LOOK, reads=("bag",)),), software=True),)),
            "pass probe.look: uses plane 'bag', which no rule declares",
        ),
        (
            replace(PROBE, variants=(Variant("only", "", (FAR, NEAR), software=True),)),
            "pass probe.near: has the finite reach (1, 1), but uses scratch 'seen', which probe.far fills, whose",
        ),
    ],
    ids=["rule twice", "field not had", "field unknown", "plane unknown", "reach too short"],
)
def test_a_rule_that_contradicts_what_there_is_leaves_all_as_it_was(rule: Rule, message: str) -> None:
    before = dict(RULES), list(TICK), dict(FIELDS), dict(PLANES)
    with pytest.raises(DeclarationError) as caught:
        register(rule, after="flow.flow")
    assert str(caught.value).startswith(message)
    assert before == (RULES, TICK, FIELDS, PLANES)


def test_a_place_in_the_tick_must_be_there() -> None:
    with pytest.raises(
        DeclarationError, match=r"^rule probe: comes after pass 'atoms.sprad', which is not in a tick; did you mean"
    ):
        register(PROBE, after="atoms.sprad")
