"""The choice by measurement, on a fake device with known speeds and on the real device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from support.choices import choice_of
from support.selection import mostly_long

from gpufluid import Simulation, World
from gpufluid.core.errors import DeviceError, ShaderError, UsageError
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import Device
from gpufluid.gpu.variants import decide, default, names_of
from gpufluid.rules import RULES, with_requirements
from gpufluid.runtime import tuning
from gpufluid.runtime.tuning import busy_world, measure, measured_worlds, measuring

WORLDS = len(measured_worlds("flow", 32))


@dataclass
class Workshop:
    """A fake device with a clock, on which a tick of each variant takes a given time.

    Args:
        seconds: the time of a tick, by variant.
        sparse_seconds: the same in a world with little matter, for variants with another time there.
        faults: exceptions that variants raise, by variant.
        digests: by variant; all other variants have the same digest.
        errors: OpenGL's errors after a variant has run, by variant.
        hiccup: the call of `step` that takes a hundred times as long.
    """

    seconds: dict[str, float]
    sparse_seconds: dict[str, float] = field(default_factory=dict)
    faults: dict[str, Exception] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    hiccup: int = -1
    now: float = 0.0
    renderer: str = "a workshop"
    software: bool = True
    max_side: int = 32
    steps: list[tuple[str, int]] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    def take_error(self) -> str | None:
        return self.errors.pop(self.steps[-1][0], None) if self.steps else None

    def simulate(self, world: World, device: object, variant: Mapping[str, str]) -> Fake:  # noqa: ARG002
        name = variant["atoms"]
        own = self.sparse_seconds if (world["material"] != 0).mean() < 0.1 else self.seconds
        return Fake(self, name, own.get(name, self.seconds.get(name, 0.0)))

    def measured(self) -> Choice:
        return measure("atoms", self, self.simulate, self.clock)


@dataclass
class Fake:
    workshop: Workshop
    variant: str
    seconds: float

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def finish(self) -> None:
        pass

    def step(self, ticks: int) -> None:
        if self.variant in self.workshop.faults:
            raise self.workshop.faults[self.variant]
        slow = 100 if len(self.workshop.steps) == self.workshop.hiccup else 1
        self.workshop.steps.append((self.variant, ticks))
        self.workshop.now += slow * ticks * self.seconds

    def digest(self) -> str:
        return self.workshop.digests.get(self.variant, "same")


@pytest.mark.parametrize(("strips", "lines"), [(0.001, 0.002), (0.002, 0.001), (1e-5, 3e-4)])
def test_the_fastest_variant_is_chosen(strips: float, lines: float) -> None:
    workshop = Workshop({"strips": strips, "lines": lines})
    found = workshop.measured()
    assert found.variant == ("strips" if strips < lines else "lines")
    assert found.seconds == pytest.approx({"strips": strips, "lines": lines})
    assert (found.failed, found.alike) == ({}, True)
    rounds = workshop.steps[-2 * tuning.ROUNDS :]
    assert [name for name, _ in rounds] == ["strips", "lines"] * tuning.ROUNDS
    assert len({ticks for _, ticks in rounds}) == 1
    assert workshop.now < 1.0


@pytest.mark.parametrize(("lines", "chosen"), [(0.00099, "lines"), (0.00109, "lines"), (0.00111, "strips")])
def test_the_default_is_chosen_unless_another_is_faster_by_a_tenth(lines: float, chosen: str) -> None:
    assert default("atoms", Workshop({})) == "lines"
    assert Workshop({"strips": 0.001, "lines": lines}).measured().variant == chosen


@pytest.mark.parametrize("hiccup", range(4, 4 + 2 * tuning.ROUNDS))
def test_one_slow_round_does_not_change_the_choice(hiccup: int) -> None:
    assert Workshop({"strips": 0.001, "lines": 0.0012}, hiccup=hiccup).measured().variant == "strips"


def test_a_very_slow_variant_runs_only_a_few_ticks() -> None:
    workshop = Workshop({"strips": 0.001, "lines": 3.0})
    assert workshop.measured().variant == "strips"
    assert workshop.steps.count(("lines", 1)) == WORLDS * (1 + tuning.ROUNDS_LEAST)


@pytest.mark.parametrize(("sparse", "chosen"), [(0.0001, "lines"), (0.01, "strips")])
def test_a_sparse_world_counts_as_much_as_a_busy_one(sparse: float, chosen: str) -> None:
    workshop = Workshop({"strips": 0.001, "lines": 0.0011}, {"strips": 0.001, "lines": sparse}, software=False)
    found = workshop.measured()
    assert found.variant == chosen
    assert found.seconds["lines"] == pytest.approx((0.0011 * 0.0011 * sparse) ** (1 / 3))


def _filled(world: World) -> np.ndarray:
    """(height, width) bool: the cells with matter."""
    amounts = [
        world[name].reshape(-1, world.height, world.width) for name in ("mass", "mixture") if name in world.fields
    ]
    return np.any([world["material"][None] != 0, *(each.any(axis=0)[None] for each in amounts)], axis=0)[0]


@pytest.mark.parametrize("rule", ["flow", "atoms", "mixture"])
def test_the_measured_worlds_are_busy_half_full_and_nearly_empty(rule: str) -> None:
    worlds = measured_worlds(rule, 64)
    filled = {name: _filled(world) for name, world in worlds.items()}
    assert {world.edges for world in worlds.values()} == {"wrap"}
    assert filled["busy"].mean() > 0.7
    assert filled["typical"].mean() == pytest.approx(filled["busy"].mean() / 2, abs=0.05)
    assert 0.005 < filled["sparse"].mean() < 0.015
    assert worlds["typical"].solid[-1].all()


@pytest.mark.parametrize(
    ("fault", "said"),
    [(ShaderError("settle.comp:3: no"), "settle.comp:3: no"), (RuntimeError(), "RuntimeError")],
    ids=["compile", "run"],
)
def test_a_variant_that_does_not_run_is_left_out(fault: Exception, said: str) -> None:
    found = Workshop({"strips": 0.002, "lines": 0.001}, faults={"lines": fault}).measured()
    assert (found.variant, found.failed) == ("strips", {"lines": said})
    assert list(found.seconds) == ["strips"]


def test_a_variant_with_an_opengl_error_is_left_out() -> None:
    workshop = Workshop({"strips": 0.002, "lines": 0.001}, errors={"lines": "GL_INVALID_OPERATION"})
    assert workshop.measured().failed == {"lines": "it compiles and does not run: GL_INVALID_OPERATION"}


def test_a_rule_without_a_working_variant_is_an_error() -> None:
    faults = {name: ShaderError(f"{name} does not compile") for name in ("strips", "lines")}
    with pytest.raises(
        DeviceError, match=r"no variant of rule atoms runs here \(a workshop\): .*lines does not compile"
    ):
        Workshop({}, faults=faults).measured()


def test_too_little_memory_is_raised_and_not_a_fault_of_a_variant() -> None:
    with pytest.raises(DeviceError, match="too little memory"):
        Workshop({"lines": 1.0}, faults={"strips": DeviceError("too little memory")}).measured()


def test_the_first_variant_is_chosen_if_digests_differ() -> None:
    found = Workshop({"strips": 0.002, "lines": 0.001}, digests={"lines": "another"}).measured()
    assert (found.variant, found.alike) == (names_of("atoms")[0], False)


@pytest.mark.parametrize("rule", mostly_long(RULES, "flow", "heat", why="the busy world of another rule"))
def test_each_rule_has_a_busy_world(device: Device, rule: str) -> None:
    """A busy world has all matter that the rule moves, and this matter moves; tuning.py names no rule."""
    world = busy_world(rule, 64)
    with Simulation(world, device) as sim:
        sim.step(3)
        after = sim.read()
    assert sum((after[name] != world[name]).sum() for name in world.fields) > 64 * 64 / 2
    assert {record.state for record in world.materials if record.name in world.census()} == {
        state for other in with_requirements(rule) for state in RULES[other].moves
    }


@pytest.mark.parametrize("rule", mostly_long(RULES, "atoms", why="the measurement of another rule"))
def test_the_real_device_is_measured(device: Device, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "SOFTWARE_SIDE", 32)
    monkeypatch.setattr(tuning, "_SECONDS", 0.01)
    found = measure(rule, device)
    assert set(found.seconds) == set(names_of(rule))
    assert (found.failed, found.alike) == ({}, True)
    assert 0 < found.seconds[found.variant] <= tuning.MARGIN * min(found.seconds.values())


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An empty cache, and the measured rules; for each of them the default variant is not the fastest."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked_for: list[str] = []

    def found(rule: str, device: Device) -> Choice:
        asked_for.append(rule)
        return choice_of(rule, next(name for name in names_of(rule) if name != default(rule, device)))

    monkeypatch.setattr(tuning, "measure", found)
    return asked_for


SOMEWHERE = SimpleNamespace(renderer="somewhere", version="4.6", software=True)
RULED = ("mixture", "atoms")
FASTEST = {"mixture": "single", "atoms": "strips"}


def deciding(rules: tuple[str, ...] = RULED, wanted=None) -> tuple[dict[str, str], list[str]]:
    said: list[str] = []
    return decide(rules, wanted, SOMEWHERE, measuring(SOMEWHERE, said.append)), said


def test_each_rule_is_measured_once_with_a_message(measured: list[str]) -> None:
    found, said = deciding(("atoms",))
    assert (found, measured) == ({"atoms": "strips"}, ["atoms"])
    assert said == [
        f"measuring the variants of atoms on somewhere, this once; the fastest is kept in {choices.choices_file()}"
    ]
    assert deciding()[0] == FASTEST
    assert deciding() == (FASTEST, [])
    assert measured == ["atoms", "mixture"]


def test_another_version_measures_again(measured: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    deciding()
    monkeypatch.setattr(choices, "__version__", "9.9.9")
    assert deciding()[0] == FASTEST
    assert measured == ["mixture", "atoms"] * 2


def test_requested_variants_are_not_measured(measured: list[str]) -> None:
    assert deciding(wanted=["tiles", "lines"]) == ({"mixture": "tiles", "atoms": "lines"}, [])
    assert deciding(wanted=["atoms.lines"])[0] == {"mixture": "single", "atoms": "lines"}
    assert measured == ["mixture"]
    with pytest.raises(UsageError, match="'fast' is not known"):
        deciding(("atoms",), ["fast"])
    assert measured == ["mixture"]


def test_a_broken_file_leads_to_a_new_measurement(measured: list[str]) -> None:
    deciding()
    choices.choices_file().write_text("{")
    assert deciding()[0] == FASTEST
    assert measured == ["mixture", "atoms"] * 2


def test_a_choice_that_cannot_be_stored_is_used(measured: list[str], tmp_path: Path) -> None:
    (tmp_path / "gpufluid").write_text("no folder")
    for _ in range(2):
        found, said = deciding()
        assert found == FASTEST
        assert said[1].startswith("what was measured could not be kept and will be measured again: ")
    assert measured == ["mixture", "atoms"] * 2


def test_a_choice_is_used_without_a_home_folder(measured: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(choices, "cache_folder", homeless)
    found, said = deciding()
    assert (found, len(measured)) == (FASTEST, 2)
    assert "the fastest is kept in the user's cache folder" in said[0]
    assert "Could not determine home" in said[1]


def test_a_rule_with_one_variant_is_not_measured(measured: list[str]) -> None:
    assert deciding(("flow",)) == ({"flow": "strips"}, [])
    assert measured == []


REMARKS: dict[str, tuple[Callable[[], Choice], str, bool]] = {
    "left out": (
        lambda: Choice("lines", {"lines": 1.0}, {"strips": "fall.comp:3: no\nmore"}),
        "variant strips of rule atoms does not run here and is left out: fall.comp:3: no more",
        False,
    ),
    "digests": (
        lambda: Choice("strips", {"strips": 2.0, "lines": 1.0}, {}, alike=False),
        (
            "the variants of rule atoms give different digests on this driver, a fault of the driver or of gpufluid:"
            " strips is taken and not lines; compare it with the oracle by `gpufluid check`"
        ),
        True,
    ),
}


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("name", REMARKS)
def test_failed_variants_and_different_digests_are_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Different digests are reported at every start, a failed variant only when it is found."""
    made, sentence, always = REMARKS[name]
    monkeypatch.setattr(tuning, "measure", lambda *_: made())
    found, said = deciding(("atoms",))
    assert (found, said[1:]) == ({"atoms": made().variant}, [sentence])
    assert deciding(("atoms",)) == (found, [sentence] if always else [])


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("error", [DeviceError("no variant runs"), MemoryError("too much")], ids=str)
def test_a_failed_measurement_falls_back_to_the_default(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Choice:
        raise error

    monkeypatch.setattr(tuning, "measure", fail)
    for _ in range(2):
        found, said = deciding(("atoms",))
        assert (found, said[1:]) == ({"atoms": "lines"}, [f"rule atoms is not measured: {error}"])
