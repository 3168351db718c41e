"""Random streams are allotted in one place; no two streams of a world share a number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpufluid.core.fields import DeclarationError
from gpufluid.rules import RULES, register, streams
from gpufluid.rules.schema import Rule, Stream


def with_streams(rule: str, *own: Stream, **more) -> Rule:
    return replace(RULES[rule], streams=own, **more)


def test_the_streams_of_all_rules_do_not_collide() -> None:
    streams.check(RULES.values())
    assert {f"{rule.name}.{stream.name}" for rule in RULES.values() for stream in rule.streams} == set(streams.FIRST)


def test_a_rule_knows_its_streams_by_name() -> None:
    of_water = {"use_water_blocks": 19 << 16, "use_change_water": 20 << 16}
    assert streams.constants(RULES["heat"]) == {"use_conduct": 8 << 16, "use_transition": 9 << 16} | of_water
    assert streams.constants(RULES["flow"]) == {"use_emit": 0, "step_emit": 1 << 20}


@pytest.mark.parametrize(
    ("first", "count"),
    [(5 << 16, 1), ((5 << 16) - 3, 4), (1 << 16, 1 << 20)],
    ids=["the same number", "the last number", "a range around"],
)
def test_streams_that_collide_are_an_error_that_names_both(first: int, count: int) -> None:
    made_up = with_streams("pressure", Stream("echo", count))
    with pytest.raises(
        DeclarationError, match=r"pressure\.echo and reactions\.meet|reactions\.meet and pressure\.echo"
    ):
        streams.check([RULES["reactions"], made_up], streams.FIRST | {"pressure.echo": first})


def test_streams_of_different_steps_collide_if_they_share_a_number() -> None:
    made_up = with_streams("pressure", Stream("echo"))
    allotted = streams.FIRST | {"pressure.echo": 3 << 20}  # of the fourth emitter of rule flow
    with pytest.raises(DeclarationError, match=r"pressure\.echo"):
        streams.check([RULES["flow"], made_up], allotted)
    streams.check([RULES["flow"], made_up], allotted | {"pressure.echo": (3 << 20) + 1})


def test_conflicting_rules_may_share_stream_numbers() -> None:
    assert streams.FIRST["flow.emit"] == streams.FIRST["mixture.emit"]
    friendly = replace(RULES["mixture"], requires=replace(RULES["mixture"].requires, conflicts=()))
    with pytest.raises(DeclarationError, match=r"flow\.emit and mixture\.emit"):
        streams.check([RULES["flow"], friendly])


def test_a_stream_without_numbers_is_an_error() -> None:
    with pytest.raises(DeclarationError, match=r"heat\.unknown: no numbers are allotted"):
        streams.check([with_streams("heat", Stream("unknown"))])


def test_a_registered_rule_gets_unused_stream_numbers() -> None:
    made_up = Rule("echo", "Echoes.", (), (), (), streams=(Stream("one"), Stream("many", 70_000)))
    before = dict(streams.FIRST)
    with register(made_up, after="heat.transition"):
        streams.check(RULES.values())
        assert {"echo.one", "echo.many"} == streams.FIRST.keys() - before.keys()
    assert before == streams.FIRST
