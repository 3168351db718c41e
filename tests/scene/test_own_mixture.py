"""Mixtures in scenes: their constituents, fills, snapshots and written scenes; and errors in them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.mixtures import ODD, random_mixture

from gpufluid import FULL, Ledger, World, load, oracle, save, scene
from gpufluid.core.errors import UsageError, WorldError
from gpufluid.matter.mixtures import (
    CONSTITUENTS_MOST,
    SHIPPED,
    Constituent,
    Conversion,
    HorizontalFlow,
    MixtureTable,
    PressureFlow,
)
from gpufluid.world.ledger import AmountLedger

TOP = 'size = [6, 4]\nrules = ["mixture"]\n'  # lines 1 and 2
PART = TOP + '[[constituent]]\nmaterial = "water"\n'  # lines 3 and 4
PRESSED = PART.replace('["mixture"]', '["mixture", "pressure"]')
BOTH = TOP + '[[conversion]]\nname = "x"\nbetween = ["sand", "water"]\nbecome = ["sand", "ice"]\n'  # lines 3 to 6
ALONE = TOP + '[[conversion]]\nname = "x"\nfrom = "water"\nbecome = "ice"\n'  # lines 3 to 6
EIGHT = ("oil", "acid", "smoke", "mud", "fire", "ash", "plant", "salt")

BAD: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    # name: (text, line, field, words of the message)
    "a table": (TOP + "[constituent]\n", 3, "constituent", ("is one table; expected a list: write [[constituent]]",)),
    "unknown key": (PART + "vertikal = {}\n", 5, "constituent[0].vertikal", ("unknown key; did you mean 'vertical'",)),
    "no material": (TOP + "[[constituent]]\nvertical = {}\n", 3, "constituent[0].material", ("is missing",)),
    "unknown material": (PART.replace("water", "watr"), 4, "constituent[0].material", ("'watr'", "'water'")),
    "a wall": (PART.replace("water", "wall"), 4, "constituent[0].material", ("cannot be part of a mixture",)),
    "nothing": (PART.replace("water", "empty"), 4, "constituent[0].material", ("cannot be part of a mixture",)),
    "twice": (PART + '[[constituent]]\nmaterial = "water"\n', 6, "constituent[1].material", ("is given twice",)),
    "nine": (
        PART + "".join(f'[[constituent]]\nmaterial = "{name}"\n' for name in EIGHT), 20, "constituent[8].material",
        ("is one too many; expected 8",),
    ),
    "no table": (PART + "vertical = 3\n", 5, "constituent[0].vertical", ("3; expected a table",)),
    "unknown flow": (PART + "vertical = { sped = 1 }\n", 5, "constituent[0].vertical.sped", ("'speed'",)),
    "sideways": (
        PART + 'vertical = { direction = "left" }\n', 5, "constituent[0].vertical.direction", ("'down' or 'up'",),
    ),
    "too fast": (PART + "vertical = { speed = 1.1 }\n", 5, "constituent[0].vertical.speed", ("a number from 0 to 1",)),
    "no number": (PART + "horizontal = { chance = true }\n", 5, "constituent[0].horizontal.chance", ("True; exp",)),
    "no truth": (PART + "horizontal = { slides = 1 }\n", 5, "constituent[0].horizontal.slides", ("1; expected true",)),
    "not a part": (
        PART + "horizontal = { fluidity = 0.5 }\n", 5, "constituent[0].horizontal.fluidity", ("a whole number from 1",),
    ),
    "becomes nothing known": (BOTH.replace("ice", "snow"), 6, "conversion[0].become", ("'snow' is no constituent",)),
    "of nothing known": (BOTH.replace('["sand", "water"]', '["mud", "sand"]'), 5, "conversion[0].between", ("is no",)),
    "beside nothing known": (ALONE + 'beside = "mud"\n', 7, "conversion[0].beside", ("'mud' is no constituent",)),
    "changes nothing": (ALONE.replace("ice", "water"), 6, "conversion[0].become", ("changes nothing",)),
    "exchanges": (
        BOTH.replace('"sand", "ice"', '"water", "sand"'), 6, "conversion[0].become", ("changes nothing",),
    ),
    "beside of two": (BOTH + 'beside = "ice"\n', 7, "conversion[0].beside", ("of one material, which has 'from'",)),
    "too much": (ALONE + "most = 2\n", 7, "conversion[0].most", ("2; expected a number from 0 to 1",)),
    "nameless": (ALONE.replace('name = "x"\n', ""), 3, "conversion[0].name", ("is missing",)),
    "neither": (TOP + '[[conversion]]\nname = "x"\nbecome = "ice"\n', 3, "conversion[0].between", ("is missing",)),
    "named twice": (ALONE + ALONE.removeprefix(TOP), 8, "conversion[1].name", ("'x' is defined twice",)),
    "more than a cell": (
        TOP + '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [1, 1]\nmaterial = "sand"\namount = 1.5\n', 8,
        "fill[0].amount", ("1.5; expected 0 to 1 cells",),
    ),
    "more than a cell together": (
        TOP + "[mixture]\nexclusive = true\n"
        '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [1, 1]\nmaterial = "sand"\namount = 0.75\n'
        '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [1, 1]\nmaterial = "water"\nmix = true\namount = 0.75\n',
        17, "fill[1].amount", ("makes 1.5 cells of all materials together; expected at most 1",),
    ),
    "no switch": (TOP + "[mixture]\nexclusive = 1\n", 4, "mixture.exclusive", ("1 is not a boolean; expected true",)),
    "unknown key of pressure": (
        PART + "pressure = { minflo = 1 }\n", 5, "constituent[0].pressure.minflo", ("did you mean 'minflow'",),
    ),
    "unknown flow of pressure": (
        PART + "presure = {}\n", 5, "constituent[0].presure", ("unknown key; did you mean 'pressure'",),
    ),
    "too much pressure": (
        PART + "pressure = { minliquid = 1.5 }\n", 5, "constituent[0].pressure.minliquid", ("1.5; expected a number",),
    ),
    "less than nothing": (
        PART + "pressure = { connectedliquid = -0.1 }\n", 5, "constituent[0].pressure.connectedliquid", ("-0.1; exp",),
    ),
    "pressure in words": (
        PART + 'pressure = { minpressure = "1" }\n', 5, "constituent[0].pressure.minpressure", ("'1'; expected a",),
    ),
    "pressure sideways": (
        PART + 'pressure = { direction = "left" }\n', 5, "constituent[0].pressure.direction", ("'down' or 'up'",),
    ),
    "pressure switched on": (
        PART + "pressure = true\n", 5, "constituent[0].pressure", ("expected a table such as { direction = 'up' }",),
    ),
    "pressure switched off": (PART + "pressure = false\n", 5, "constituent[0].pressure", ("False; expected a table",)),
    "rounds": (
        TOP.replace('"]', '", "pressure"]') + "[pressure]\nrounds = 40\n", 4, "pressure.rounds", ("from 0 to 32",),
    ),
    "pressure of nothing": (
        TOP.replace("mixture", "pressure"), 2, "rules", ("also needs rule atoms or rule mixture",),
    ),
    "pressure of what knows none": (
        TOP.replace("mixture", 'pressure", "flow'), 2, "rules", ("also needs rule atoms or rule mixture",),
    ),
    "beside flow": ('size = [6, 4]\nrules = ["flow", "mixture"]\n', 2, "rules", ("cannot run with rule flow",)),
    "gravity": (TOP + 'gravity = "sideways"\n', 3, "gravity", ("'sideways' is not known",)),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_mixture_is_one_error_with_file_line_and_field(name: str, refuses) -> None:
    text, line, field, words = BAD[name]
    message = refuses(text)
    assert message.startswith(f"{line}: {field}: " if field else f"{line}: ")
    assert [word for word in words if word not in message] == []


FILL = '[[fill]]\nshape = "rectangle"\nat = [{}, 0]\nsize = [2, 4]\nmaterial = "{}"\n{}\n'


def test_a_fill_replaces_amounts_or_with_mix_adds_to_them(read) -> None:
    text = TOP + FILL.format(0, "sand", "amount = 0.5") + FILL.format(1, "water", "amount = 0.25")
    replaced, mixed = read(text).world, read(text + "mix = true\n").world
    sand, water = (replaced.mixture[name] for name in ("sand", "water"))
    assert replaced["mixture"][sand, 0].tolist() == [FULL // 2, 0, 0, 0, 0, 0]
    assert mixed["mixture"][sand, 0].tolist() == [FULL // 2, FULL // 2, 0, 0, 0, 0]
    for world in (replaced, mixed):
        assert world["mixture"][water, 0].tolist() == [0, FULL // 4, FULL // 4, 0, 0, 0]
    walled = read(text + FILL.format(0, "wall", "")).world
    assert not walled["mixture"][:, :, :2].any()
    assert walled.solid[:, :2].all()


def test_mixture_keys_without_effect_give_remarks(read) -> None:
    found = read('size = [4, 4]\n[[constituent]]\nmaterial = "sand"\n' + FILL.format(0, "water", "mix = true"))
    assert [remark.split(": ", 2)[1] for remark in found.remarks] == ["constituent[0]", "fill[0].mix"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (PART + "pressure = { minflow = 0.2 }\n", "constituent[0].pressure: has no effect"),
        (PRESSED.replace("water", "sand"), "rules: ['mixture', 'pressure']: rule pressure has no effect"),
        (PRESSED + "pressure = {}\n", "rules: ['mixture', 'pressure']: rule pressure has no effect"),
    ],
    ids=["no rule", "no constituent", "none any more"],
)
def test_pressure_without_effect_gives_a_remark(read, text: str, place: str) -> None:
    (remark,) = read(text).remarks
    assert remark.split(": ", 1)[1].startswith(place)
    assert not read(PRESSED).remarks


def test_a_scene_has_the_shipped_mixture_unless_it_gives_its_own(read) -> None:
    assert read(TOP).world.mixture == SHIPPED
    own = read(PART + 'horizontal = {}\n[[constituent]]\nmaterial = "mud"\n').world.mixture
    assert own.names == ("water", "mud")
    assert own.constituents[0] == replace(SHIPPED.constituents[SHIPPED["water"]], horizontal=None)
    assert own.conversions == ()  # the shipped conversions name other constituents
    both = read(BOTH).world.mixture
    assert [each.name for each in both.conversions] == ["x", *(each.name for each in SHIPPED.conversions)]
    less = read(ALONE.replace('"x"', '"condensing"') + "most = 0.0\n").world.mixture
    assert [each.name for each in less.conversions] == ["condensing", "boiling"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: MixtureTable([Constituent("sand")] * 2), "names a material twice; expected each once"),
        (lambda: MixtureTable([Constituent(name) for name in (*EIGHT, "sand")]), f"at most {CONSTITUENTS_MOST}"),
        (
            lambda: MixtureTable([Constituent("sand", None, HorizontalFlow(viscosity=2))]),
            "horizontal.viscosity: 2; exp",
        ),
        (
            lambda: MixtureTable([Constituent("sand")], [Conversion("a", ("sand",), ("mud",))]),
            "'mud' is no constituent",
        ),
        (lambda: World(2, 2, ("mixture",), mixture=MixtureTable()), "has no constituents"),
        (lambda: World(2, 2, ("mixture",), mixture=MixtureTable([Constituent("gold")])), "unknown material 'gold'"),
        (lambda: World(2, 2, ("mixture",), mixture=3), "expected a gpufluid.matter.mixtures.MixtureTable"),  # pyright: ignore
        (lambda: SHIPPED["stem"], "did you mean 'steam'"),
        (
            lambda: MixtureTable([Constituent("sand", pressure=PressureFlow("left"))]),
            "mixture.constituents[0].pressure.direction: 'left'; expected 'down' or 'up'",
        ),
        (lambda: MixtureTable([Constituent("sand", pressure=PressureFlow(minflow=7))]), "pressure.minflow: 7; exp"),
        (
            lambda: MixtureTable([Constituent("sand", pressure=HorizontalFlow())]),  # pyright: ignore
            "expected a gpufluid.matter.mixtures.PressureFlow",
        ),
        (lambda: World(2, 2, ("pressure",)), "rule pressure also needs rule atoms or rule mixture"),
        (
            lambda: MixtureTable(SHIPPED.constituents, SHIPPED.conversions[:1] * 2),
            "mixture: two conversions have the name 'boiling'; expected names that differ",
        ),
    ],
    ids=[
        "twice",
        "nine",
        "viscosity",
        "unknown",
        "none",
        "gold",
        "no table",
        "layer",
        "sideways",
        "minflow",
        "flow",
        "pressure alone",
        "conversions of one name",
    ],
)
def test_invalid_mixtures_are_refused_in_python(make, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        make()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("amounts", "exclusive", "words"),
    [
        ((-1, 0), False, "expected 0 to"),
        ((0, FULL + 1), False, "expected 0 to"),
        ((FULL, 1), True, "units of all materials together, because they exclude each other"),
    ],
    ids=["less than nothing", "too much", "too much together"],
)
def test_a_cell_with_invalid_amounts_is_named(amounts: tuple[int, int], exclusive: bool, words: str) -> None:
    world = World(3, 3, ("mixture",), parameters={"mixture": {"exclusive": exclusive}})
    world["mixture"][:2, 1, 2] = amounts
    with pytest.raises(WorldError, match=rf"^mixture\[1, 2\]: .*{words}"):
        world.validate()
    world["mixture"][:] = 0
    world["mixture"][3, 2, 0], world["material"][2, 0] = 5, world.materials["wall"]
    with pytest.raises(WorldError, match=r"^mixture\[2, 0\]: .*in a solid cell"):
        world.validate()


def test_a_snapshot_keeps_amounts_table_and_ledger(tmp_path: Path) -> None:
    world = oracle.step(random_mixture(9, 12, edges="open", luck=8, mixture=ODD), 3)
    assert any(ledger.left for ledger in world.amounts.values())
    save(world, tmp_path / "kept.npz")
    back = load(tmp_path / "kept.npz")
    assert back.same_laws(world)
    assert back.amounts == world.amounts
    assert oracle.step(back, 2).digest() == oracle.step(world, 2).digest()


@pytest.mark.parametrize("rules", [("mixture", "pressure"), ("mixture",)], ids="+".join)
def test_snapshots_and_scenes_keep_pressure_flows(tmp_path: Path, rules: tuple[str, ...]) -> None:
    """Also in a world without rule pressure, and also a constituent whose pressure flow is switched off."""
    flow = PressureFlow("down", 0.25, 0.125, 0.75, 0.0625)
    mixture = MixtureTable((Constituent("water"), Constituent("steam", pressure=flow)))
    world = World(4, 6, rules, mixture=mixture)
    world["mixture"][1, 2:, 1:5] = FULL // 2
    save(world, tmp_path / "kept.npz")
    scene.write(world, tmp_path / "kept.toml", "Kept", "Kept.")
    for back in (load(tmp_path / "kept.npz"), scene.read(tmp_path / "kept.toml").world):
        assert back.mixture == mixture
        assert back.same_laws(world)
        assert back.digest() == world.digest()


def test_a_written_scene_keeps_the_mixture_and_the_largest_amount_of_each_cell(tmp_path: Path) -> None:
    parameters = {"mixture": {"exclusive": True}}
    world = World(6, 8, ("mixture",), mixture=ODD, parameters=parameters)
    world["mixture"][world.mixture["mud"], 2:4, 1:5] = FULL // 2
    world["mixture"][world.mixture["fire"], 4:] = FULL
    assert scene.write(world, tmp_path / "one.toml", "One", "Kept.") == []
    back = scene.read(tmp_path / "one.toml").world
    assert back.same_laws(world)
    assert back.digest() == world.digest()
    world["mixture"][world.mixture["oil"], 2, 2] = FULL // 4
    losses = scene.write(world, tmp_path / "two.toml", "Two", "Less.")
    assert losses == ["oil in 1 cell: not kept; a scene keeps the largest amount of a cell"]
    np.testing.assert_array_equal(scene.read(tmp_path / "two.toml").world["mixture"], back["mixture"])
    back.amounts += AmountLedger({"oil": Ledger(made=1)})
    losses = scene.write(back, tmp_path / "three.toml", "Three", "Counted.")
    assert losses == ["ledger: not kept; a scene begins with an empty ledger"]
