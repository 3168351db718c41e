"""Declarations of fields, planes, quantities and rules: a contradiction is an error that names both sides."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal

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
    keep,
)
from gpufluid.core.paths import shaders_folder
from gpufluid.rules import RULES, TICK, Over, Overlay, Parameter, Pass, Rule, Variant, checks, register, streams
from gpufluid.rules.collapse import PIECES
from gpufluid.rules.passes import AHEAD, UNBOUNDED, Layout, Scratch
from gpufluid.rules.schema import Requirements, Stream
from gpufluid.world import World


@contextmanager
def restored() -> Iterator[None]:
    """Remove the declarations of this block again."""
    put_back = keep()
    try:
        yield
    finally:
        put_back()


BAG = Plane("bag", 77, carried=True)
SOOT = Field("soot", "uint8", ("bag",), carried=True)
"""A plane of atoms that no rule of gpufluid has."""


def fails(*declared: Declaration) -> str:
    """The message of the error that declarations raise; all declarations are then as before."""
    before = dict(FIELDS), dict(PLANES), dict(QUANTITIES)
    with pytest.raises(DeclarationError) as caught:
        declare(*declared)
    assert before == (FIELDS, PLANES, QUANTITIES)
    return str(caught.value)


def test_fields_over_the_bits_of_a_plane_are_an_error() -> None:
    assert fails(Field("soot", "uint8", ("warmth",), carried=True)) == (
        "plane warmth: has 32 bits, its fields have 40: temperature 16, integrity 8, age 8, soot 8"
    )
    wide = Plane("wide", 77), Field("a", "int16", ("wide",), components=2), Field("b", "uint8", ("wide",))
    assert fails(*wide) == "plane wide: has 32 bits, its fields have 40: a 32, b 8"


def test_a_field_carried_unlike_its_plane_is_an_error() -> None:
    assert fails(Plane("still", 77), Field("soot", "uint8", ("still",), carried=True)) == (
        "field soot: is carried by atoms, but plane still, in which it lies, is not"
    )
    assert fails(BAG, Field("soot", "uint8", ("bag",))) == (
        "field soot: is not carried, but plane bag, in which it lies, is carried"
    )


def test_two_declarations_of_one_name_are_an_error_that_shows_both() -> None:
    message = fails(Field("mass", "uint8", (ATOM_PLANE,), carried=True))
    assert message.startswith("field mass: is declared twice: Field(name='mass', dtype='int32'")
    assert "and Field(name='mass', dtype='uint8'" in message
    assert fails(Plane("warmth", 77)).startswith("plane warmth: is declared twice: Plane(name='warmth', number=2")
    assert fails(Quantity("heat", "another")).startswith("quantity heat: is declared twice: ")


def test_an_undeclared_plane_or_quantity_is_an_error() -> None:
    assert fails(BAG, Field("soot", "uint8", ("bag",), carried=True, quantity="soots")) == (
        f"field soot: conserves quantity soots, which no rule declares; there are {sorted(QUANTITIES)}"
    )
    assert fails(Field("soot", "uint8", ("sack",))) == (
        f"field soot: lies in plane sack, which no rule declares; there are {sorted(PLANES)}"
    )


@pytest.mark.parametrize("by", ["material", "layer"])
def test_a_quantity_of_several_accounts_has_the_entries_of_matter(by: Literal["material", "layer"]) -> None:
    assert fails(Quantity("scent", "scent of atoms", entries={"emitted": 1, "faded": -1}, by=by)) == (
        f"quantity scent: has one account for each {by} and entries ['emitted', 'faded'];"
        " expected the entries of matter, ['emitted', 'drained', 'left', 'made', 'used', 'painted', 'erased']"
    )
    assert fails(Quantity("scent", "scent of atoms", glsl="_scent", by=by, signed=True)) == (
        f"quantity scent: has one account for each {by} and is signed; expected a quantity that is not"
    )
    with restored():
        declare(Quantity("scent", "scent of atoms", glsl="_scent", by=by))


def test_two_planes_with_one_digest_number_are_an_error() -> None:
    assert fails(Plane("bag", 2), Field("soot", "uint8", ("bag",))) == (
        "planes warmth and bag: both have number 2 in digests"
    )


def test_a_sum_over_components_needs_a_measure() -> None:
    pair = Field("drift", "int8", ("bag",), components=2, carried=True, summary=Summary.SUM)
    assert fails(BAG, pair) == "field drift: is summed up, has 2 components and no measure"


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        pytest.param((BAG,), "plane bag: is declared, but no field lies in it", id="plane without fields"),
        pytest.param(
            (Quantity("soots", "soot", glsl="_heat"),),
            "quantities heat and soots: both end the names of their GLSL functions with '_heat'",
            id="one suffix twice",
        ),
        pytest.param(
            (BAG, Field("soot", "float32", ("bag",), carried=True)),
            "field soot: has type float32; expected a type of whole numbers",
            id="type of fractions",
        ),
        pytest.param(
            (BAG, Field("soot", "uint8", ("bag",), carried=True, low=9, high=8)),
            "field soot: has values from 9 to 8",
            id="low above high",
        ),
        pytest.param(
            (BAG, Field("soot", "uint8", ("bag",), carried=True, high=256)),
            "field soot: has values from 0 to 256, but type uint8 has 0 to 255",
            id="high beyond the type",
        ),
        pytest.param(
            (BAG, Field("soot", "uint8", ("bag",), carried=True, low=-1)),
            "field soot: has values from -1 to 255, but type uint8 has 0 to 255",
            id="low beyond the type",
        ),
        pytest.param(
            (BAG, Field("soot", "uint8", ("bag",), carried=True, low=1, empty=0)),
            "field soot: is 0 in empty cells, but has values from 1 to 255",
            id="empty out of range",
        ),
        pytest.param(
            (BAG, Field("soot", "uint8", ("bag",), carried=True, high=7, solid=8)),
            "field soot: is 8 in solid cells, but has values from 0 to 7",
            id="solid out of range",
        ),
    ],
)
def test_inconsistent_fields_planes_and_quantities_are_an_error(
    declared: tuple[Declaration, ...], message: str
) -> None:
    assert fails(*declared) == message


def test_declarations_are_undone_by_what_was_kept_before_them() -> None:
    before = dict(FIELDS), dict(PLANES), dict(QUANTITIES)
    with restored():
        declare(BAG, SOOT)
        assert PLANES["bag"].fields == ("soot",)
    assert before == (FIELDS, PLANES, QUANTITIES)


LOOK = Pass("probe", "look", Over.CELLS, reads=("material",))
SEEN = Scratch("seen", Over.CELLS)
FAR, NEAR = replace(LOOK, writes=(SEEN,)), replace(LOOK, name="spread", takes=(SEEN,), reach=(1, 1))
ATOM_PASSES = {pass_.name: pass_ for pass_ in RULES["atoms"].variants[0].passes}
TOUCH = Pass("probe", "sink", Over.CELLS, updates=("cells",), marks_active=True)
PROBE = Rule(
    name="probe",
    about="A rule of a test.",
    fields=("material",),
    parameters=(),
    variants=(Variant("only", "the only one", (LOOK, replace(LOOK, name="spread")), software=True),),
    shaders=shaders_folder() / "mixture",
    oracle="gpufluid.oracle.mixture",
    settle_ticks=lambda _laws: 1,
)


def probe(*passes: Pass, **changes) -> Rule:
    """Rule ``probe`` with these passes."""
    return replace(PROBE, variants=(Variant("only", "the only one", passes, software=True),), **changes)


def beside_atoms(*passes: Pass, **changes) -> Rule:
    """Rule ``probe`` with these passes, in worlds with rule ``atoms``."""
    return probe(*passes, fields=RULES["atoms"].fields, requires=Requirements(needs=("atoms",)), **changes)


def test_a_registered_rule_is_in_the_tick_until_it_is_undone() -> None:
    rules, tick = dict(RULES), list(TICK)
    with register(PROBE, after="atoms.spread"):
        assert RULES["probe"] is PROBE
        place = TICK.index("atoms.spread")
        assert TICK[place + 1 : place + 3] == ["probe.look", "probe.spread"]
    assert (rules, tick) == (RULES, TICK)
    registration = register(PROBE, after=TICK[-1])
    assert TICK[-1] == "probe.spread"
    registration.undo()
    assert (rules, tick) == (RULES, TICK)


def test_a_registered_rule_stays_if_nobody_keeps_its_registration() -> None:
    with register(replace(PROBE, name="others", fields=("material",), declares=(), variants=()), after="flow.flow"):
        register(replace(PROBE, fields=("material", "soot"), declares=(BAG, SOOT)), after="atoms.spread")
        gc.collect()
        assert World(3, 4, ("probe",))["soot"].shape == (3, 4)
    assert "probe" not in RULES
    assert "soot" not in FIELDS


FAULTY = {
    "rule twice": (
        replace(PROBE, name="flow"),
        "rule flow: declared twice: 'Mass-based, slightly compressible water.' and",
    ),
    "field not had": (
        replace(PROBE, declares=(BAG, SOOT)),
        "field soot: rule probe declares it, but its fields are ('material',)",
    ),
    "field unknown": (
        replace(PROBE, fields=("material", "soot")),
        "rule probe: has field 'soot', which no rule declares",
    ),
    "held in another rule's field": (
        replace(PROBE, holds={"honey": "mass"}),
        "rule probe: holds honey in field 'mass', but its fields are ('material',)",
    ),
    "plane unknown": (
        probe(replace(LOOK, reads=("bag",))),
        "pass probe.look: uses plane 'bag', which no rule declares",
    ),
    "plane of another rule": (
        probe(replace(LOOK, gathers=("warmth",))),
        "pass probe.look: uses plane 'warmth', but rules ['probe'] have only planes ['material']",
    ),
    "plane too narrow": (
        beside_atoms(LOOK),
        "pass probe.look: uses plane 'material', but rules ['atoms', 'probe'] have only planes ['cells']",
    ),
    "plane of one kind of matter": (
        probe(TOUCH, fields=(), requires=Requirements(works_on=("atoms", "mixture"))),
        "pass probe.sink: uses plane 'cells', but rules ['mixture', 'probe'] have only planes ['material', 'mixture']",
    ),
    "plane missing where solids change": (
        replace(PROBE, changes_solids=True),
        "pass flow.walls: uses plane 'cells', but rules ['flow', 'probe'] have only planes ['material', 'mass']",
    ),
    "entry unknown": (
        beside_atoms(replace(TOUCH, counts=("mode",))),
        "pass probe.sink: counts 'mode', which is an entry of no quantity of rules ['atoms', 'probe']; did you mean",
    ),
    "entry of another rule": (
        beside_atoms(replace(TOUCH, counts=("reacted",))),
        "pass probe.sink: counts 'reacted', which is an entry of no quantity of rules ['atoms', 'probe']; expected",
    ),
    "further entry unknown": (
        beside_atoms(replace(TOUCH, counts_there=("mode",))),
        "pass probe.sink: counts 'mode', which is an entry of no quantity; did you mean",
    ),
    "wakes unknown": (
        probe(replace(LOOK, wakes="atom")),
        "pass probe.look: wakes tiles of rule 'atom', but runs with rules ['probe'] alone",
    ),
    "repeats unknown": (
        probe(replace(LOOK, repeats="turns"), parameters=(Parameter("rounds", 1, "rounds", 0, 9, whole=True),)),
        "pass probe.look: repeats by parameter 'turns', but rule probe has parameters ['rounds']",
    ),
    "matter unknown": (
        probe(replace(LOOK, matter="flow"), requires=Requirements(works_on=("atoms", "mixture"))),
        "pass probe.look: is for matter of rule 'flow', but rule probe works on ('atoms', 'mixture')",
    ),
    "before a pass that is not there": (
        probe(replace(LOOK, before="spread")),
        "pass probe.look: runs 1 times, before 'spread', which variant 'only' has not",
    ),
    "before a pass that runs more often": (
        probe(replace(LOOK, before="spread"), replace(LOOK, name="spread", times=2)),
        "pass probe.look: runs 1 times, before 'spread', which variant 'only' has 2 times",
    ),
    "activated by no pass": (
        probe(LOOK, replace(LOOK, name="spread", activated_by="look")),
        "pass probe.spread: is activated by 'look', but variant 'only' has tiles activated by []",
    ),
    "tests tiles that another pass lists": (
        probe(replace(LOOK, activated_by="look"), replace(LOOK, name="spread", activated_by="look", tests_tiles=True)),
        "pass probe.spread: has tests_tiles=True, but runs over the tiles of probe.look, which has False",
    ),
    "scratch that nobody writes": (
        probe(NEAR),
        "pass probe.spread: uses scratch 'seen', which no pass of variant 'only' writes",
    ),
    "scratch written for other matter": (
        probe(
            replace(FAR, name="label", reads=(), matter="atoms"),
            replace(NEAR, name="offer", reads=(), matter="mixture"),
            requires=Requirements(works_on=("atoms", "mixture")),
            shaders=shaders_folder() / "pressure",
        ),
        "pass probe.offer: uses scratch 'seen', which no pass of variant 'only' writes",
    ),
    "scratch of an overlay that nobody writes": (
        replace(PROBE, overlays=(Overlay("seen", "seen", "", "turbo", lambda _laws: (0.0, 1.0), takes=(SEEN,)),)),
        "overlay seen of rule probe: uses scratch 'seen', which no pass of variant 'only' writes",
    ),
    "unused parameter that is not there": (
        replace(PROBE, unused=("flow.max_mas",)),
        "rule probe: leaves parameter 'flow.max_mas' unused, which is not there; did you mean",
    ),
    "scratch of another rule that some worlds do not write": (
        beside_atoms(replace(LOOK, name="sink", reads=(), takes=ATOM_PASSES["seek"].writes)),
        "pass probe.sink: uses scratch 'slots', which atoms.seek writes only where there is matter that it needs: ('fl",
    ),
    "scratch of its own rule that some worlds do not write": (
        probe(replace(FAR, needs=("honey",)), replace(NEAR, reach=UNBOUNDED), kinds={"honey": lambda _laws, _n: True}),
        "pass probe.spread: uses scratch 'seen', which probe.look writes only where there is matter that it needs:",
    ),
    "scratch written for less matter than the pass needs": (
        probe(
            replace(FAR, needs=("honey",)),
            replace(NEAR, reach=UNBOUNDED, needs=("honey", "tar")),
            kinds=dict.fromkeys(("honey", "tar"), lambda _laws, _numbers: True),
        ),
        "pass probe.spread: uses scratch 'seen', which probe.look writes only where there is matter that it needs:",
    ),
    "scratch of an overlay that some worlds do not write": (
        probe(
            replace(FAR, needs=("honey",)),
            kinds={"honey": lambda _laws, _numbers: True},
            overlays=(Overlay("seen", "seen", "", "turbo", lambda _laws: (0.0, 1.0), takes=(SEEN,)),),
        ),
        "overlay seen of rule probe: uses scratch 'seen', which probe.look writes only where there is matter that it",
    ),
    "reach too short": (
        probe(FAR, NEAR),
        "pass probe.spread: has the finite reach (1, 1), but uses scratch 'seen', which probe.look fills, whose",
    ),
    "reach too short for scratch of another rule": (
        replace(
            beside_atoms(replace(LOOK, name="sink", reads=(), takes=(PIECES,), reach=(1, 1))),
            requires=Requirements(needs=("atoms", "collapse")),
        ),
        "pass probe.sink: has the finite reach (1, 1), but uses scratch 'pieces', which collapse.label fills, whose",
    ),
    "reach too short for scratch of a later rule": (
        beside_atoms(replace(LOOK, reads=("cells",), writes=ATOM_PASSES["survey"].writes)),
        "pass atoms.survey: has the finite reach (0, 0), but uses scratch 'survey', which probe.look fills, whose",
    ),
    "reach too short for scratch that an earlier pass refines and a later one takes": (
        probe(replace(FAR, reach=(1, 1)), replace(FAR, name="sink", reads=(), writes=(), refines=(SEEN,)), NEAR),
        "pass probe.spread: has the finite reach (1, 1), but uses scratch 'seen', which probe.sink fills, whose",
    ),
    "negative reach": (
        probe(replace(LOOK, reach=(1, -1))),
        "pass probe.look: has reach (1, -1); expected distances of 0 or more",
    ),
    "negative rows": (
        probe(replace(LOOK, rows=-1)),
        "pass probe.look: has rows -1; expected 0 or more",
    ),
    "negative columns": (
        probe(replace(LOOK, columns=-1)),
        "pass probe.look: has columns -1; expected 0 or more",
    ),
    "columns beside a finite reach": (
        probe(replace(LOOK, reach=(0, 0), columns=9)),
        "pass probe.look: has columns 9, but also the finite reach (0, 0); expected one of the two",
    ),
    "rows beside a finite reach": (
        probe(replace(LOOK, reach=(0, 0), rows=9)),
        "pass probe.look: has rows 9, but also the finite reach (0, 0); expected one of the two",
    ),
    "another reach in another variant": (
        replace(
            PROBE, variants=(PROBE.variants[0], Variant("near", "", (replace(LOOK, reach=(1, 1)),), software=False))
        ),
        "pass probe.look: has reach None, columns None and rows None in variant 'only', but reach (1, 1), columns None",
    ),
    "pass of another rule": (
        probe(replace(LOOK, rule="flow")),
        "pass flow.look: is a pass of rule 'flow', but rule probe has it",
    ),
    "measured by cells": (
        probe(replace(LOOK, measures=True)),
        "pass probe.look: measures what strips move, but works over CELLS",
    ),
    "change unseen": (
        beside_atoms(replace(TOUCH, marks_active=False)),
        "pass probe.sink: changes planes ['cells'], but does not count, measure or mark what it changes; expected one",
    ),
    "change found by a pass that marks nothing": (
        beside_atoms(replace(FAR, reads=("cells",)), replace(TOUCH, takes=(SEEN,), marks_active=False)),
        "pass probe.sink: changes planes ['cells'], but does not count, measure or mark what it changes; expected one",
    ),
    "marks that no one reads": (
        replace(beside_atoms(TOUCH), settle_ticks=Rule.__dataclass_fields__["settle_ticks"].default),
        "rule probe: pass probe.sink marks activity, but the rule declares no settle_ticks; expected the number of",
    ),
    "stream twice": (
        replace(PROBE, streams=(Stream("turn"), Stream("turn", 4))),
        "rule probe: has two streams 'turn': Stream(name='turn', count=1, step=1) and Stream(name='turn', count=4,",
    ),
    "variant without a pass": (
        replace(beside_atoms(), variants=(Variant("only", "", (TOUCH,), True), Variant("other", "", (), False))),
        "rule probe: variant 'other' lacks pass 'sink', which changes the state in variant 'only'",
    ),
    "need unknown": (
        replace(PROBE, requires=Requirements(needs=("atom",))),
        "rule probe: requires rule 'atom', which is not there; did you mean 'atoms'?",
    ),
    "need in conflict": (
        replace(PROBE, requires=Requirements(needs=("atoms",), conflicts=("atoms",))),
        "rule probe: cannot be in any world: it needs ('atoms',), works on () and conflicts with ('atoms',)",
    ),
    "no oracle": (
        replace(PROBE, oracle="gpufluid.oracle.probe"),
        "rule probe: has its oracle in module gpufluid.oracle.probe, which is not there",
    ),
    "scratch twice": (
        probe(replace(LOOK, writes=(Scratch("slots", Over.CELLS),))),
        "passes atoms.seek and probe.look: declare Scratch(name='slots', over=<Over.SEGMENTS:",
    ),
    "no shader folder": (
        replace(PROBE, shaders=None),
        f"pass probe.look: has no shader file {shaders_folder() / 'probe' / 'look.comp'}",
    ),
    "no shader": (
        probe(replace(LOOK, name="find")),
        f"pass probe.find: has no shader file {shaders_folder() / 'mixture' / 'find.comp'}",
    ),
    "no layout": (
        probe(replace(LOOK, layout=Layout("cpu/cells"))),
        f"pass probe.look: has no shader file {shaders_folder() / 'mixture' / 'cpu' / 'cells.glsl'}",
    ),
}
"""Faulty rules, each with the beginning of its error."""


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_rule_is_an_error_and_changes_nothing(fault: str) -> None:
    rule, message = FAULTY[fault]
    before = dict(RULES), list(TICK), dict(FIELDS), dict(PLANES), dict(streams.FIRST)
    with pytest.raises(DeclarationError) as caught:
        register(rule, after="flow.flow")
    assert str(caught.value).startswith(message)
    assert before == (RULES, TICK, FIELDS, PLANES, streams.FIRST)


def test_a_declared_field_that_no_rule_has_is_an_error_when_rules_are_checked() -> None:
    with restored():
        declare(BAG, SOOT)
        expected = f"field soot: is declared, but is among the fields of none of the rules {[*RULES, 'probe']}"
        with pytest.raises(DeclarationError) as caught:
            register(PROBE, after="flow.flow")
        assert str(caught.value) == expected
        with register(replace(beside_atoms(), fields=(*RULES["atoms"].fields, "soot")), after="flow.flow"):
            assert "probe" in RULES


def test_a_pass_missing_from_the_tick_is_an_error() -> None:
    without = [name for name in TICK if name != "mixture.walls"]
    checks.check(RULES, TICK)
    with pytest.raises(DeclarationError, match=r"^pass mixture\.walls: is not in TICK, the order of a tick$"):
        checks.check(RULES, without)


def test_variants_may_differ_in_passes_that_change_no_state() -> None:
    """As atoms.survey, of one variant only, does."""
    prepared = replace(FAR, reads=("cells",)), replace(TOUCH, takes=(SEEN,))
    variants = Variant("plain", "", (TOUCH,), software=True), Variant("prepared", "", prepared, software=False)
    with register(replace(beside_atoms(), variants=variants), after="flow.flow"):
        assert "probe" in RULES


def test_a_pass_may_own_whole_columns_and_have_a_finite_reach() -> None:
    """The cells that an invocation owns say nothing of the cells on which a result depends.

    So atoms.settle, whose reach is two rows, owns whole columns of blocks in variant ``lines``.
    """
    settle = next(each for each in RULES["atoms"].variant("lines").passes if each.name == "settle")
    assert (settle.over, settle.reach) == (Over.BLOCK_COLUMNS, (1, 2))
    with register(beside_atoms(replace(TOUCH, over=Over.WHOLE_COLUMNS, reach=(0, 0))), after="flow.flow"):
        assert "probe" in RULES


def test_a_pass_may_look_ahead_and_have_a_finite_reach() -> None:
    """As atoms.survey does, which makes a word of each strip of a column."""
    survey = next(each for each in RULES["atoms"].passes if each.name == "survey")
    assert (survey.looks_ahead, survey.reach) == (AHEAD, (0, 0))


def test_a_pass_may_change_what_another_pass_found_and_marked() -> None:
    """As atoms.spread does with what atoms.seek found."""
    found = replace(FAR, reads=("cells",), marks_active=True, reach=(1, 1))
    with register(beside_atoms(found, replace(TOUCH, takes=(SEEN,), marks_active=False)), after="flow.flow"):
        assert "probe" in RULES


def test_a_pass_may_use_scratch_that_is_written_wherever_the_pass_runs() -> None:
    """As atoms.spread does, which needs what atoms.seek needs."""
    kinds = dict.fromkeys(("honey", "tar"), lambda _laws, _numbers: True)
    far, near = replace(FAR, needs=("honey", "tar")), replace(NEAR, reach=UNBOUNDED, needs=("tar",))
    with register(probe(far, near, kinds=kinds), after="flow.flow"):
        assert "probe" in RULES


def test_a_rule_after_an_unknown_pass_is_an_error() -> None:
    with pytest.raises(
        DeclarationError, match=r"^rule probe: comes after pass 'atoms.sprad', which is not in a tick; did you mean"
    ):
        register(PROBE, after="atoms.sprad")
