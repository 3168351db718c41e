"""The variant of each rule: the requested one, else the measured one, else the device's default."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.choices import choice_of

from gpufluid import Simulation, World
from gpufluid.core.errors import UsageError
from gpufluid.gpu import choices
from gpufluid.gpu.device import Device
from gpufluid.gpu.variants import decide, default, names_of, requested
from gpufluid.rules import RULES

BOTH = ("mixture", "atoms")


@pytest.fixture(params=[True, False], ids=["software", "GPU"])
def somewhere(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A stand-in for a device, for which no choice is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return SimpleNamespace(renderer="somewhere", version="4.6", software=request.param)


@pytest.mark.parametrize(
    ("rules", "wanted", "found"),
    [
        (BOTH, None, {}),
        (("mixture",), "tiles", {"mixture": "tiles"}),
        (("atoms", "heat"), "strips", {"atoms": "strips", "heat": "strips"}),
        (BOTH, ["atoms.strips"], {"atoms": "strips"}),
        (BOTH, ["tiles", "lines"], {"mixture": "tiles", "atoms": "lines"}),
        (BOTH, ["strips", "strips"], {"atoms": "strips"}),
        (("mixture",), {"mixture": "tiles", "atoms": "lines"}, {"mixture": "tiles"}),
        (BOTH, {"mixture": "single", "atoms": "lines"}, {"mixture": "single", "atoms": "lines"}),
    ],
)
def test_requested_variants_are_assigned_to_rules(rules: tuple[str, ...], wanted, found: dict[str, str]) -> None:
    assert requested(rules, wanted) == found


@pytest.mark.parametrize(
    ("rules", "wanted", "said"),
    [
        (("flow",), "fast", "variant: 'fast' is not known to flow; expected one of: strips"),
        (("atoms",), "fast", "variant: 'fast' is not known to atoms; expected one of: lines, strips"),
        (("atoms",), "tiles", "variant: 'tiles' is not known to atoms; expected one of: lines, strips"),
        (("flow",), "atoms.lines", "variant: 'atoms.lines' is not known to flow; expected"),
        (
            BOTH,
            "fast",
            "variant: 'fast' is not known to mixture, atoms; expected one of: atoms.lines, atoms.strips",
        ),
        (BOTH, "mixture.lines", "variant: 'mixture.lines' is not known to mixture, atoms; did you mean"),
        (BOTH, ["strips", "lines"], "variant: 'strips' and 'lines' are both of rule atoms; expected one of them"),
        (("flow",), {"flow": "lines"}, "variant: 'flow.lines' is not known to flow"),
        (("flow",), [3], "variant: 3 is not known to flow"),
    ],
)
def test_unknown_variants_are_refused(rules: tuple[str, ...], wanted, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        requested(rules, wanted)
    assert str(caught.value).startswith(said)


def test_requested_precedes_stored_and_stored_precedes_default(somewhere) -> None:
    usual = {rule: default(rule, somewhere) for rule in BOTH}
    other = {rule: next(name for name in names_of(rule) if name != usual[rule]) for rule in BOTH}
    assert decide(BOTH, None, somewhere) == usual
    choices.keep("somewhere", "4.6", {rule: choice_of(rule, other[rule]) for rule in BOTH})
    assert decide(BOTH, None, somewhere) == other
    assert decide(BOTH, {"mixture": usual["mixture"]}, somewhere) == other | {"mixture": usual["mixture"]}
    assert decide(("atoms",), usual["atoms"], somewhere) == {"atoms": usual["atoms"]}


def test_decided_variants_are_used_unchanged(somewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for fewer rules; kept choices are not read again."""
    other = {rule: next(name for name in names_of(rule) if name != default(rule, somewhere)) for rule in BOTH}
    monkeypatch.setattr(choices, "kept", None)
    assert decide(BOTH, other, somewhere) == other
    assert list(decide(("atoms", "mixture"), other, somewhere).items()) == [*reversed(other.items())]
    assert decide(("atoms",), other, somewhere) == {"atoms": other["atoms"]}


def test_missing_choices_are_measured_on_request(somewhere) -> None:
    usual = {rule: default(rule, somewhere) for rule in RULES}
    other = {rule: next(name for name in names_of(rule) if name != usual[rule]) for rule in BOTH}
    given: list[tuple[list[str], list[str]]] = []

    def complete(found, missing):
        given.append((list(found), list(missing)))
        return {**found, **{rule: choice_of(rule, other[rule]) for rule in missing}}

    choices.keep("somewhere", "4.6", {"mixture": choice_of("mixture", other["mixture"])})
    assert decide(BOTH, None, somewhere, complete) == other
    assert decide(BOTH, {"mixture": usual["mixture"]}, somewhere, complete) == other | {"mixture": usual["mixture"]}
    assert given == [(["mixture"], ["atoms"]), ([], ["atoms"])]


def test_the_default_is_meant_for_the_kind_of_device(somewhere) -> None:
    for name, rule in RULES.items():
        meant = [variant.name for variant in rule.variants if variant.software in (None, somewhere.software)]
        assert default(name, somewhere) in (meant or [variant.name for variant in rule.variants])


def test_the_only_variant_is_the_default_on_every_device(somewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    for variant in RULES["atoms"].variants:
        monkeypatch.setitem(RULES, "atoms", replace(RULES["atoms"], variants=(variant,)))
        assert default("atoms", somewhere) == variant.name
        monkeypatch.undo()


def test_a_stored_choice_among_other_variants_is_ignored(somewhere, monkeypatch: pytest.MonkeyPatch) -> None:
    other = next(name for name in names_of("atoms") if name != default("atoms", somewhere))
    choices.keep("somewhere", "4.6", {"atoms": choice_of("atoms", other)})
    rule = RULES["atoms"]
    added = (*rule.variants, replace(rule.variants[0], name="new"))
    monkeypatch.setitem(RULES, "atoms", replace(rule, variants=added))
    assert decide(("atoms",), None, somewhere) == {"atoms": default("atoms", somewhere)}


def test_a_simulation_uses_the_stored_choice_and_measures_nothing(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def passes(**how) -> list[str]:
        with Simulation(World(8, 8, ("atoms",)), **how) as sim:
            return [call.pass_.name for call in sim.calls()]

    by_default = passes()
    assert list(tmp_path.iterdir()) == []
    other = next(name for name in names_of("atoms") if name != default("atoms", device))
    choices.keep(device.renderer, device.version, {"atoms": choice_of("atoms", other)})
    assert passes() == passes(variant=other) != by_default == passes(variant=default("atoms", device))
