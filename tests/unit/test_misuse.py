"""Wrong calls from Python raise an error with one sentence, not an error from inside the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gpufluid
from gpufluid import Domain, Drain, Emitter, Simulation, World
from gpufluid.core.errors import UsageError, WorldError
from gpufluid.gpu.variants import requested
from gpufluid.matter.materials import SHIPPED, MaterialTable
from gpufluid.render.painter import overlay_span

SPRING = Emitter((1, 1), rate=2.0)
PICTURE = str(Path(__file__).parents[2] / "docs" / "gallery" / "cave.png")

CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "a number for rules": (lambda: World(3, 3, 3), "rules: 3; expected a list of rules"),
    "a number for all parameters": (lambda: World(3, 3, parameters=3), "parameters: 3; expected values by rule and"),
    "a number for emitters": (lambda: World(3, 3, emitters=3), "emitters: 3; expected a list"),
    "a number for drains": (lambda: setattr(World(3, 3), "drains", 3), "drains: 3; expected a list"),
    "a number for a path": (lambda: gpufluid.save(World(3, 3), 3), "expected a World and a path; found 3"),
    "a number for more rules": (lambda: gpufluid.with_rules(World(3, 3), 3), "rules: 3; expected names of rules"),
    "a number for variants": (lambda: requested(("flow",), 3), "variant: 3; expected names"),
    "a word for a number": (
        lambda: overlay_span(World(3, 3), "mass", "x"),
        "overlay-max: 'x'; expected a number above",
    ),
    "a name for a world": (lambda: Simulation("dam_break"), "expected a World, such as gpufluid.load"),
    "a table for an emitter": (
        lambda: World(4, 4, rules=("flow",), emitters=[{"at": (0, 0)}]),
        "expected gpufluid.Emitter",
    ),
    "an emitter for a drain": (
        lambda: World(4, 4, rules=("flow",), drains=[Emitter((0, 0))]),
        "expected gpufluid.Drain",
    ),
    "numbers for parameters": (
        lambda: World(4, 4, rules=("flow",), parameters={"flow": 3}),
        "expected names and values",
    ),
    "a list for edges": (lambda: World(4, 4, rules=("flow",), edges=["wrap"]), "edges: ['wrap'] is not known"),
    "a rate below nothing": (lambda: Emitter((0, 0), rate=-1), "emitter.rate: -1; expected 0 to 1000 cells"),
    "a drain's too": (lambda: Drain((0, 0), rate=-1), "drain.rate: -1; expected 0 to 1000 cells"),
    "a velocity over the limit": (lambda: replace(SPRING, velocity=(9, 0)), "emitter.velocity: (9, 0); expected two"),
    "save the wrong way round": (
        lambda: gpufluid.save("x.npz", World(1, 1, rules=("flow",))),
        "expected a World and a path",
    ),
    "a snapshot as a picture": (
        lambda: gpufluid.save(World(1, 1, rules=("flow",)), "x.png"),
        "expected a snapshot, whose name ends in .npz",
    ),
    "a picture as a scene": (lambda: gpufluid.load(PICTURE), "expected a scene (.toml), a snapshot"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_a_usage_error(name: str) -> None:
    call, words = CALLS[name]
    with pytest.raises(UsageError) as caught:
        call()
    assert words in str(caught.value)


@pytest.mark.usefixtures("device")
def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^variant: 'strip' is not known to flow; did you mean 'strips'\?"):
        Simulation(World(4, 4, rules=("flow",)), variant="strip")


@pytest.mark.usefixtures("device")
def test_a_pass_of_another_rule_is_refused_with_the_names_of_the_valid_ones() -> None:
    with Simulation(World(4, 4, ["atoms"])) as other:
        foreign = next(iter(other.calls()))
    with Simulation(World(4, 4, ["flow"])) as sim, pytest.raises(UsageError) as caught:
        sim.run(foreign)
    own = sorted(call.pass_.full_name for call in sim.calls())
    assert str(caught.value).startswith(f"run: no pass {foreign.pass_.full_name} here; there are ")
    assert own == ["flow.flow"]
    assert "flow.flow" in str(caught.value).split("there are ")[1].split(", ")


def test_a_frame_with_an_invalid_scale_or_overlay_is_refused() -> None:
    with Simulation(World(4, 4, rules=("flow",))) as simulation:
        for asked in (
            {"scale": "big"},
            {"scale": "1/0"},
            {"overlay": 3},
            {"overlay": "mass", "overlay_max": 0},
            {"tint": "yes"},
        ):
            with pytest.raises(UsageError, match=r"^(scale|overlay|overlay-max|tint): "):
                simulation.frame(**asked)
        assert simulation.frame(scale="1/2").shape == (2, 2, 3)


def test_ports_accept_lists_and_arrays_as_positions() -> None:
    wanted = Emitter((1, 2), (3, 1))
    assert Emitter([1, 2], np.array([3, 1])) == wanted
    world = World(4, 4, rules=("flow",), emitters=wanted, drains=Drain(np.array([0, 0])))
    assert (world.emitters, world.drains) == ((wanted,), (Drain((0, 0)),))


@pytest.mark.parametrize(
    ("kind", "port", "field"),
    [
        ("emitters", Emitter((10, 10), (3, 3)), "emitter[0].at"),
        ("drains", Drain((-2, 0)), "drain[0].at"),
    ],
)
def test_a_port_assigned_later_is_validated(kind: str, port: object, field: str) -> None:
    world = World(4, 4, rules=("flow",))
    with pytest.raises(WorldError) as caught:
        setattr(world, kind, (port,))
    assert caught.value.field == field
    assert getattr(world, kind) == ()


@pytest.mark.parametrize(
    ("laws", "field"),
    [
        ({"seed": -1}, "seed"),
        ({"edges": "open"}, "edges"),  # a piece of a world has closed edges
        ({"gravity": "sideways"}, "gravity"),
        ({"materials": MaterialTable(tuple(each for each in SHIPPED if each.name != "sand"))}, "emitter[0].material"),
        ({"height": 5}, "laws"),
        ({"rules": ("atoms", "heat")}, "laws"),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_laws_assigned_later_are_validated(laws: dict[str, object], field: str) -> None:
    domain = Domain((2, 2), (4, 4), (8, 8))
    world = World(4, 4, ("atoms",), emitters=[Emitter((0, 0), material="sand")], domain=domain)
    before = world.laws
    with pytest.raises(WorldError) as caught:
        world.laws = replace(before, **laws)
    assert caught.value.field == field
    assert world.laws is before


def test_written_arrays_are_validated_before_a_run() -> None:
    """Also through an array that the caller got before the world was validated."""
    world = World(4, 4, rules=("flow",))
    mass = world["mass"]
    for run in (Simulation, gpufluid.oracle.step):
        mass[1, 2] = 0
        world.validate()
        mass[1, 2] = -1
        with pytest.raises(WorldError, match=r"^mass\[1, 2\]: -1; expected 0 to "):
            run(world)
    other = World(4, 4, rules=("flow",))
    other.validate()
    other["mass"] = -np.eye(4, dtype=np.int32)
    with pytest.raises(WorldError, match=r"^mass\[0, 0\]: -1; expected 0 to "):
        other.validate()
