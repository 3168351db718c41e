"""Rules as data: parameters are resolved, checked and converted to integers; the calls of a tick are in order."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.worlds import random_atoms

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.core.fields import MASS_LIMIT
from gpufluid.oracle.flow import stable_below
from gpufluid.rules import RULES, Over, ParameterError, Pass, Rule, Variant, emitting_rule

flow = RULES["flow"]
every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)


def test_absent_parameters_take_their_defaults() -> None:
    defaults = {parameter.name: parameter.default for parameter in flow.parameters}
    assert flow.resolve({}) == flow.resolve({"preset": "default"}) == defaults
    assert flow.resolve({"max_speed": 2, "side_order": "left"}) == defaults | {"max_speed": 2, "side_order": "left"}


def test_given_parameters_replace_those_of_the_preset_in_any_order() -> None:
    seed = flow.resolve({"preset": "seed-001"})
    assert (seed["side_divisor"], seed["min_flow"], seed["side_order"]) == (2, 0.0001, "right")
    assert flow.resolve({"side_divisor": 9, "preset": "seed-001"}) == seed | {"side_divisor": 9}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_mas": 1.0}, "rule flow has no parameter 'max_mas'; did you mean 'max_mass'"),
        ({"preste": "seed-000"}, "rule flow has no parameter 'preste'; did you mean 'preset'"),
        ({"preset": "seed000"}, "unknown preset 'seed000'; did you mean 'seed-00"),
        ({"side_order": "lefft"}, "'lefft' is not known; did you mean 'left'"),
        ({"max_mass": 0.009}, "0.009 is out of range; expected a number from 0.01 to 100"),
        ({"max_mass": float("nan")}, "nan is out of range"),
        ({"max_mass": "1"}, "'1' is not a number; expected a number from 0.01 to 100"),
        ({"max_mass": True}, "True is not a number"),
        ({"substeps": 1.0}, "1.0 is not a whole number; expected a whole number from 1 to 1000"),
        ({"side_divisor": 0}, "0 is out of range; expected a whole number from 1 to 1000"),
    ],
    ids=str,
)
def test_an_invalid_parameter_is_an_error_with_what_was_expected(given: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        flow.resolve(given)
    assert caught.value.name == next(iter(given))
    assert str(caught.value).startswith(message)


@every_rule
def test_every_default_limit_and_preset_is_accepted(rule: Rule) -> None:
    for parameter in rule.parameters:
        for value in parameter.choices or (parameter.default, parameter.low, parameter.high):
            whole = bool(value) if parameter.switch else int(value) if parameter.whole else value
            assert rule.resolve({parameter.name: whole})[parameter.name] == whole
    for name, preset in rule.presets.items():
        assert rule.resolve({"preset": name}) == rule.resolve(dict(preset))


def test_a_switch_accepts_only_true_and_false() -> None:
    mixture = RULES["mixture"]
    assert mixture.fixed(mixture.resolve({"exclusive": True}))["exclusive"] == 1
    for value in (1, "true", None):
        with pytest.raises(ParameterError, match="expected true or false"):
            mixture.resolve({"exclusive": value})


def test_fixed_converts_amounts_to_units_and_choices_to_numbers() -> None:
    fixed = flow.fixed(flow.resolve({"max_compress": 0.25, "substeps": 3, "side_order": "right"}))
    assert (fixed["max_mass"], fixed["max_compress"], fixed["substeps"], fixed["side_order"]) == (FULL, FULL // 4, 3, 1)
    assert fixed["stable_ratio"] == 2**32 // 5


cells = st.integers(FULL // 100, 100 * FULL), st.integers(0, 10 * FULL)


@given(st.tuples(*cells), st.lists(st.integers(0, 2 * MASS_LIMIT), min_size=1))
def test_stable_mass_of_the_lower_cell_equals_that_of_seed_000_to_one_unit(
    parts: tuple[int, int], totals: list[int]
) -> None:
    """Seed 000, get_stable_state_b(), in exact fractions, also at the limits of its branches."""
    most, compress = parts
    totals += [0, most, most + 1, 2 * most + compress - 1, 2 * most + compress]
    fixed = {"max_mass": most, "max_compress": compress}
    got = stable_below(np.array(totals, np.int32), fixed | flow.numbers.derived(fixed))
    for total, below in zip(totals, got.tolist(), strict=True):
        assert abs(below - int(seed_share(total, most, compress))) <= 1


def seed_share(total: int, most: int, compress: int) -> Fraction:
    if total <= most:
        return Fraction(most)
    if total < 2 * most + compress:
        return Fraction(most * most + total * compress, most + compress)
    return Fraction(total + compress, 2)


def test_a_tick_calls_its_passes_in_order() -> None:
    """Emitters and drains have calls only while they act; passes that share substeps run in turn."""
    emitters = [Emitter((0, 0), start=1), Emitter((0, 0), until=2)]
    drains = [Drain((0, 0), start=1, until=2)]
    world = World(2, 2, rules=("flow",), parameters={"flow": {"substeps": 2}}, emitters=emitters, drains=drains)
    called = [[(call.pass_.name, call.number, call.substep) for call in world.schedule().calls(t)] for t in range(3)]
    assert called == [
        [(name, number, s) for s in (0, 1) for name, number in (("emit", 1), ("flow", 0))],
        [(name, number, s) for s in (0, 1) for name, number in (("emit", 0), ("emit", 1), ("flow", 0), ("drain", 0))],
        [(name, number, s) for s in (0, 1) for name, number in (("emit", 0), ("flow", 0))],
    ]


@pytest.mark.parametrize("rules", [("flow", "atoms"), ("atoms", "flow")], ids="+".join)
def test_the_rule_that_holds_a_material_emits_it_and_all_rules_drain(
    monkeypatch: pytest.MonkeyPatch, rules: tuple[str, ...]
) -> None:
    passes = tuple(Pass("atoms", name, over) for name, over in (("emit", Over.EMITTERS), ("drain", Over.DRAINS)))
    monkeypatch.setitem(RULES, "atoms", replace(RULES["atoms"], variants=(Variant("only", "", passes, software=True),)))
    emitters = [Emitter((0, 0), material=name) for name in ("water", "sand", "water", "smoke")]
    world = random_atoms(2, 2, rules=rules, emitters=emitters, drains=[Drain((0, 0)), Drain((1, 1))])
    called = {(call.pass_.rule, call.pass_.name): [] for call in world.schedule().calls(0)}
    for call in world.schedule().calls(0):
        called[call.pass_.rule, call.pass_.name].append(call.number)
    assert called == {
        ("flow", "emit"): [0, 2],
        ("atoms", "emit"): [1, 3],
        ("flow", "walls"): [0],
        ("flow", "flow"): [0],
        ("flow", "drain"): [0, 1],
        ("atoms", "drain"): [0, 1],
    }
    assert emitting_rule(("atoms",), world.materials.records[world.materials["water"]]) == "atoms"


def test_a_rule_without_passes_for_ports_has_no_calls_for_them() -> None:
    bare = replace(RULES["atoms"], variants=(Variant("none", "", (), software=True),))
    assert not any(step.over.serves_ports for step in bare.passes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULES, "atoms", bare)
        ports = {"emitters": [Emitter((0, 0), material="sand")], "drains": [Drain((0, 0))]}
        assert list(random_atoms(2, 2, **ports).schedule().calls(0)) == []


@pytest.mark.parametrize(
    ("substeps", "spreads", "quiet"), [(2, 4, 4), (1, 4, 7), (7, 2, 2), (8, 0, 1), (2, 1, None), (0, 4, None)]
)
def test_settle_ticks_of_atoms_follow_from_substeps_and_spreads(substeps: int, spreads: int, quiet: int | None) -> None:
    """Seven substeps have all four partition offsets; a single spread draws its side at random."""
    parameters = {"atoms": {"substeps": substeps, "spreads": spreads}}
    for rules in (("atoms",), ("flow", "atoms")):
        assert random_atoms(2, 2, rules=rules, parameters=parameters).schedule().settle_ticks == quiet
    assert World(1, 1, rules=("flow",)).schedule().settle_ticks == 0


@pytest.mark.parametrize(
    "rules",
    [
        ("atoms", "heat", "reactions", "pressure", "collapse"),
        ("mixture", "pressure"),
        ("flow", "atoms"),
        ("mixture", "atoms"),
    ],
    ids="+".join,
)
def test_a_pass_runs_over_the_latest_list_of_tiles(rules: tuple[str, ...]) -> None:
    """The tiles of a rule have one current list: a pass of another rule between two passes makes a new list."""
    names = {
        rule: each.name for rule in rules for each in RULES[rule].variants if any(p.activated_by for p in each.passes)
    }
    made = dict.fromkeys(rules, "")
    for call in World(8, 8, rules).schedule(names).calls(0):
        if call.pass_.lists_tiles:
            made[call.pass_.tiled_by] = call.pass_.name
        if call.pass_.activated_by:
            assert call.pass_.activated_by == made[call.pass_.tiled_by]
    assert any(made.values())


@pytest.mark.parametrize("substeps", [1, 2, 3, 7, 1000])
def test_a_rate_is_divided_among_substeps_without_loss(substeps: int) -> None:
    for source in (Emitter((0, 0), rate=0.3), Drain((0, 0), rate=0.3)):
        shares = [source.rate_units(substep, substeps) for substep in range(substeps)]
        assert sum(shares) == round(0.3 * FULL)
        assert max(shares) - min(shares) <= 1


def test_a_schedule_is_steady_once_no_port_starts_or_acts_by_chance() -> None:
    def steady(tick: int, **ports) -> bool:
        return World(1, 1, **ports).schedule().steady_from(tick)

    assert steady(0)
    assert steady(0, emitters=[Emitter((0, 0))], drains=[Drain((0, 0))])
    assert [steady(tick, drains=[Drain((0, 0), start=7, until=9)]) for tick in (0, 6, 7, 9)] == [
        False,
        False,
        True,
        True,
    ]
    assert [steady(tick, emitters=[Emitter((0, 0), chance=0.5, until=4)]) for tick in (0, 3, 4)] == [False, False, True]
    assert steady(0, emitters=[Emitter((0, 0), chance=0.0)])
