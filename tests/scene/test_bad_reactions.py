"""An error in a ``[[reaction]]`` table gives one message with file, line, field and what was expected."""

from __future__ import annotations

import pytest

from gpufluid.core.errors import SceneError
from gpufluid.matter.reactions import LIMIT, SHIPPED

TOP = 'size = [10, 8]\nrules = ["atoms", "heat", "reactions"]\n'  # lines 1 and 2
PAIR = TOP + '[[reaction]]\nname = "x"\nbetween = ["lava", "oil"]\nbecome = ["stone", "fire"]\n'  # lines 3 to 6
ALONE = TOP + '[[reaction]]\nname = "x"\nfrom = "snow"\nbecome = "water"\n'  # lines 3 to 6
SOAKS = PAIR.replace('"lava", "oil"', '"sand", "water"').replace('"stone", "fire"', '"mud", "empty"')
CERTAIN = '[[reaction]]\nfrom = "{}"\nbecome = "{}"\n'  # three lines
CONDENSING = '[[material]]\nname = "{}"\nbelow = {{ threshold = 0, product = "ash" }}\n'

STONE = '[[material]]\nname = "m {}"\nstate = "solid"\ndensity = 1\ncolour = "#000000"\n'
ANYTHING = '[[reaction]]\nname = "{}"\nbetween = ["any", "any"]\nbecome = ["same", "sand"]\nchance = 0.1\n'

BAD: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    # name: (text, line, field, words of the message)
    "unknown key": (PAIR + "chanc = 1\n", 7, "reaction[0].chanc", ("unknown key; did you mean 'chance'?",)),
    "unknown material": (PAIR.replace("oil", "oyl"), 5, "reaction[0].between", ("'oyl' is no material", "'oil'")),
    "unknown product": (PAIR.replace("fire", "fyre"), 6, "reaction[0].become", ("'fyre' is no material", "'fire'")),
    "unknown material of one": (ALONE.replace("snow", "snau"), 5, "reaction[0].from", ("is no material, no state",)),
    "becomes a state": (ALONE.replace("water", "liquid"), 6, "reaction[0].become", ("'liquid' is no material",)),
    "becomes a tag": (ALONE.replace("water", "wet"), 6, "reaction[0].become", ("'wet' is no material",)),
    "empty beside empty": (
        PAIR.replace('"lava", "oil"', '"empty", "empty"'), 5, "reaction[0].between", ("names only 'empty'",),
    ),
    "from empty": (ALONE.replace("snow", "empty"), 5, "reaction[0].from", ("names only 'empty'",)),
    "3 names": (PAIR.replace('"oil"', '"oil", "sand"'), 5, "reaction[0].between", ("expected a list of two names",)),
    "1 name": (PAIR.replace('["lava", "oil"]', '"lava"'), 5, "reaction[0].between", ("a list of two names",)),
    "one product of two": (PAIR.replace('["stone", "fire"]', '"fire"'), 6, "reaction[0].become", ("a list of two",)),
    "a number for a name": (PAIR.replace('"oil"', "3"), 5, "reaction[0].between", ("3", "expected two names")),
    "two products of one": (ALONE.replace('"water"', '["water", "ice"]'), 6, "reaction[0].become", ("one name",)),
    "other of one": (ALONE.replace('"water"', '"other"'), 6, "reaction[0].become", ("'other': no other atom",)),
    "both between and from": (PAIR + 'from = "oil"\n', 7, "reaction[0].from", ("'between' are both given",)),
    "neither": (TOP + '[[reaction]]\nbecome = "sand"\n', 3, "reaction[0].between", ("is missing",)),
    "no product": (TOP + '[[reaction]]\nfrom = "sand"\n', 3, "reaction[0].become", ("is missing",)),
    "changes nothing": (
        ALONE.replace("water", "same"), 6, "reaction[0].become", ("expected another material, or heat",),
    ),
    "chance above": (PAIR + "chance = 1.5\n", 7, "reaction[0].chance", ("1.5; expected a number from 0 to 1",)),
    "chance below": (PAIR + "chance = -0.1\n", 7, "reaction[0].chance", ("-0.1; expected a number from 0 to 1",)),
    "chance nan": (PAIR + "chance = nan\n", 7, "reaction[0].chance", ("nan; expected a number from 0 to 1",)),
    "chance as text": (PAIR + 'chance = "1"\n', 7, "reaction[0].chance", ("'1'; expected a number",)),
    "above too hot": (PAIR + "above = 4001\n", 7, "reaction[0].above", ("4001; expected", "-273 to 4000 degrees C")),
    "below too cold": (PAIR + "below = -274\n", 7, "reaction[0].below", ("-274; expected", "-273 to 4000 degrees C")),
    "no temperature between": (
        PAIR + "above = 300\nbelow = 300\n", 8, "reaction[0].below", ("300; expected more than above, 300",),
    ),
    "heat too much": (PAIR + "heat = 1e9\n", 7, "reaction[0].heat", ("expected a number from -4000 to 4000",)),
    "heat as boolean": (PAIR + "heat = true\n", 7, "reaction[0].heat", ("True; expected a number",)),
    "after too long": (ALONE + "after = 65281\n", 7, "reaction[0].after", ("65281; expected a whole number", "65280")),
    "after broken": (ALONE + "after = 1.5\n", 7, "reaction[0].after", ("1.5; expected a whole number",)),
    "after, of a material that melts": (
        ALONE + "after = 3\n", 7, "reaction[0].after", ("'snow' has no age: it changes its state by heat",),
    ),
    "records in a material that melts": (
        PAIR.replace('"stone"', '"copying"'), 6, "reaction[0].become", ("'lava' has no age",),
    ),
    "copies from a material that records none": (
        PAIR.replace('["lava", "oil"]', '["ember", "oil"]').replace('["stone", "fire"]', '["same", "copy"]'), 6,
        "reaction[0].become", ("'ember' records no material", "no reaction says 'copying'"),
    ),
    "copies from a material with latent heat": (
        PAIR.replace('["lava", "oil"]', '["oil", "water"]').replace('["stone", "fire"]', '["copy", "same"]'), 6,
        "reaction[0].become", ("'water' records no material",),
    ),
    "after, of a material that records": (
        ALONE.replace("snow", "cloner") + "after = 1000\n", 7, "reaction[0].after",
        ("the age of 'cloner' records a material, by 'cloners take note'",),
    ),
    "records in a material that counts ticks": (
        PAIR.replace('["lava", "oil"]', '["ember", "oil"]').replace('["stone", "fire"]', '["copying", "same"]'), 6,
        "reaction[0].become", ("the age of 'ember' counts ticks already, for 'embers burn to ash'",),
    ),
    "after, of two": (PAIR + "after = 3\n", 7, "reaction[0].after", ("of one material, which has 'from'",)),
    "push of one": (ALONE + "push = 1\n", 7, "reaction[0].push", ("of two materials, which has 'between'",)),
    "push too hard": (PAIR + "push = 8\n", 7, "reaction[0].push", ("8; expected a number from 0 to 7.9",)),
    "wear of one in a list": (ALONE + "wear = [3]\n", 7, "reaction[0].wear", ("expected one whole number",)),
    "wear of two as number": (PAIR + "wear = 3\n", 7, "reaction[0].wear", ("expected a list of two whole numbers",)),
    "wear too much": (PAIR + "wear = [1, 256]\n", 7, "reaction[0].wear", ("two whole numbers from 0 to 255",)),
    "wear of a material that stays": (
        PAIR.replace('"stone"', '"same"') + "wear = [100, 1]\n", 7, "reaction[0].wear",
        ("100, but 'become' is 'same'; expected 0",),
    ),
    "wear of one that stays": (
        ALONE.replace("water", "same") + "heat = 1\nwear = 9\n", 8, "reaction[0].wear", ("9, but 'become' is 'same'",),
    ),
    "changes nothing of two": (
        PAIR.replace('["stone", "fire"]', '["same", "same"]'), 6, "reaction[0].become",
        ("changes nothing; expected another material, heat or push",),
    ),
    "chance too little": (
        PAIR + "chance = 0.000005\n", 7, "reaction[0].chance", ("5e-06 is rounded to 0; expected 0 or at least",),
    ),
    "heat too little": (
        ALONE.replace("water", "same") + "heat = 0.01\n", 6, "reaction[0].become", ("the heat is rounded to 0",),
    ),
    "becomes what it is": (
        ALONE.replace("snow", "water"), 6, "reaction[0].become", ("the products equal the materials",),
    ),
    "strength below every material": (
        PAIR.replace('"oil"', '"metal"') + "strength = 10\n", 7, "reaction[0].strength",
        ("10: all materials of the second name are stronger",),
    ),
    "strength too much": (PAIR + "strength = 256\n", 7, "reaction[0].strength", ("256; expected", "0 to 255")),
    "mass too large": (SOAKS + "mass = 1.5\n", 7, "reaction[0].mass", ("1.5; expected a number from 0 to 1",)),
    "mass too small": (SOAKS + "mass = 1e-8\n", 7, "reaction[0].mass", ("1e-08 is rounded to 0",)),
    "mass without water": (
        PAIR + "mass = 0.5\n", 7, "reaction[0].mass", ("0 of the two cells name water by mass; expected one",),
    ),
    "mass of one": (ALONE + "mass = 0.5\n", 7, "reaction[0].mass", ("of two materials, which has 'between'",)),
    "mass that becomes a copy": (
        SOAKS.replace('"empty"', '"copy"') + "mass = 0.5\n", 6, "reaction[0].become",
        ("'copy' for the cell of water by mass",),
    ),
    "place unknown": (PAIR + 'place = "above"\n', 7, "reaction[0].place", ("'above'; expected 'over' or 'beside'",)),
    "place of one": (ALONE + 'place = "over"\n', 7, "reaction[0].place", ("of two materials, which has 'between'",)),
    "place as number": (PAIR + "place = 1\n", 7, "reaction[0].place", ("1; expected 'over' or 'beside'",)),
    "nameless": (PAIR.replace('"x"', '""'), 4, "reaction[0].name", ("''; expected text of 1 to 64",)),
    "two of one name": (PAIR + PAIR[len(TOP):], 8, "reaction[1].name", ("'x' is defined twice", "reaction[0]")),
    "two without names": (
        TOP + 2 * CERTAIN.format("snow", "ice"), 6, "reaction[1].name", ("'snow' is defined twice",),
    ),
    "instant loop": (
        TOP + CERTAIN.format("sand", "snow") + CERTAIN.format("snow", "sand"), 8, "reaction[1].become",
        ("instant reactions form a loop: ", "sand -> snow", "snow -> sand"),
    ),
    "instant loop of three": (
        TOP + CERTAIN.format("sand", "snow") + CERTAIN.format("snow", "salt") + CERTAIN.format("salt", "sand"), 11,
        "reaction[2].become", ("instant reactions form a loop: ", "sand -> snow -> salt"),
    ),
    "instant loop of two materials": (
        PAIR + '[[reaction]]\nbetween = ["stone", "fire"]\nbecome = ["lava", "oil"]\n', 9, "reaction[1].become",
        ("instant reactions form a loop: ", "stone + fire -> oil + lava"),
    ),
    "instant loop of a pair and one by itself": (
        PAIR.replace('["stone", "fire"]', '["lava", "mercury"]') + CERTAIN.format("mercury", "oil"), 9,
        "reaction[1].become", ("instant reactions form a loop: ", "oil + lava -> lava + mercury -> oil + lava"),
    ),
    "change of places": (
        PAIR.replace('["stone", "fire"]', '["other", "other"]'), 6, "reaction[0].become", ("oil + lava -> oil + lava",),
    ),
    "one table": (TOP + '[reaction]\nname = "x"\n', 3, "reaction", ("write [[reaction]], with two brackets",)),
    "reaction of words": (TOP + 'reaction = ["x"]\n', 3, "reaction[0]", ("'x'", "table")),
    "too many": (
        TOP + "".join(CERTAIN.format("snow", "ice") + f'name = "{n}"\n' for n in range(LIMIT - len(SHIPPED) + 1)),
        3 + 4 * (LIMIT - len(SHIPPED)), f"reaction[{LIMIT - len(SHIPPED)}]", ("one too many", f"at most {LIMIT}"),
    ),
    "a change of state takes the age that counts ticks": (
        TOP + CONDENSING.format("smoke"), 5, "material[0].below", ("'smoke' no age", "reaction 'smoke thins' needs"),
    ),
    "a change of state takes the age that records": (
        TOP + CONDENSING.format("cloner"), 5, "material[0].below", ("reaction 'cloners take note' needs",),
    ),
    "too many pairs": (
        TOP + "".join(STONE.format(n) for n in range(180)) + "".join(ANYTHING.format(n) for n in range(2)),
        2 + 5 * 180 + 5 + 3, "reaction[1].between", ("pairs of materials", "at most"),
    ),
    "rule that is needed": (
        'size = [10, 8]\nrules = ["atoms", "reactions"]\n', 2, "rules", ("rule reactions also needs rule heat",),
    ),
    "tags as a word": (
        TOP + '[[material]]\nname = "sand"\ntags = "wet"\n', 5, "material[0].tags", ("'wet' is no list of words",),
    ),
    "tags of capitals": (
        TOP + '[[material]]\nname = "sand"\ntags = ["Wet"]\n', 5, "material[0].tags", ("words of small letters",),
    ),
    "strength above": (
        TOP + '[[material]]\nname = "sand"\nstrength = 256\n', 5, "material[0].strength", ("256; expected", "0 to 255"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_reaction_is_one_error_with_file_line_and_field(refuses, name: str, ends: str) -> None:
    text, line, field, words = BAD[name]
    message = refuses(text, ends)
    assert message.startswith(f"{line}: {field}: " if field else f"{line}: ")
    assert [word for word in words if word not in message] == []


def test_a_reaction_with_a_wrong_list_tells_its_other_errors(read) -> None:
    with pytest.raises(SceneError) as caught:
        read(PAIR.replace("oil", "oyl").replace("become", "becom") + "chance = 2\n")
    found = {problem.field for problem in caught.value.problems}
    assert found == {"reaction[0].between", "reaction[0].becom", "reaction[0].become", "reaction[0].chance"}


def test_all_errors_of_reactions_are_reported_together(read) -> None:
    text = PAIR.replace("oil", "oyl") + "chance = 2\nheat = 'much'\n" + ALONE[len(TOP) :] + "wear = 256\nafter = -1\n"
    with pytest.raises(SceneError) as caught:
        read(text)
    assert [(problem.line, problem.field) for problem in caught.value.problems] == [
        (5, "reaction[0].between"),
        (7, "reaction[0].chance"),
        (8, "reaction[0].heat"),
        (13, "reaction[1].wear"),
        (14, "reaction[1].after"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        CERTAIN.format("sand", "snow") + "above = 0\n" + CERTAIN.format("snow", "sand") + "below = 0\n",
        CERTAIN.format("sand", "snow") + "chance = 0.5\n" + CERTAIN.format("snow", "sand"),
        CERTAIN.format("gravel", "salt") + "after = 1\n" + CERTAIN.format("salt", "gravel"),
        CERTAIN.format("sand", "snow") + "wear = 1\n" + CERTAIN.format("snow", "sand"),
        CERTAIN.format("sand", "snow")
        + 'name = "ever"\n'
        + CERTAIN.format("snow", "salt")
        + CERTAIN.format("snow", "sand")
        + 'name = "never"\n',
    ],
    ids=["at different temperatures", "by chance", "after a tick", "by wear", "behind a certain reaction"],
)
def test_cycles_of_reactions_that_are_not_instant_are_allowed(read, text: str) -> None:
    world = read(TOP + text).world
    assert len(world.reactions) == len(SHIPPED) + text.count("[[reaction]]")


def test_a_reaction_of_a_scene_replaces_that_of_its_name_and_comes_first(read) -> None:
    text = '[[reaction]]\nname = "lava sets"\nbetween = ["lava", "water"]\nbecome = ["glass", "same"]\n'
    world = read(TOP + text).world
    assert len(world.reactions) == len(SHIPPED)
    assert world.reactions.records[0].become == ("glass", "same")
    assert [each.name for each in world.reactions].count("lava sets") == 1


def test_reactions_without_rule_reactions_give_a_remark(read) -> None:
    (remark,) = read(PAIR.replace(', "heat", "reactions"', "")).remarks
    assert remark.endswith("reaction[0]: has no effect: rules = ['atoms'] has no 'reactions'")


def test_a_mass_without_rule_flow_is_a_remark(read) -> None:
    text = SOAKS + "mass = 0.5\n"
    assert not read(text.replace('["atoms"', '["flow", "atoms"')).remarks
    (remark,) = read(text).remarks
    assert "reaction[0].mass: has no effect: rules = ['atoms', 'heat', 'reactions'] has no 'flow'" in remark


def test_replacing_the_reaction_that_records_materials_removes_the_one_that_copies_them(read) -> None:
    text = '[[reaction]]\nname = "cloners take note"\nbetween = ["cloner", "any"]\nbecome = ["sand", "same"]\n'
    names = {reaction.name for reaction in read(TOP + text).world.reactions}
    assert "cloners take note" in names
    assert "cloners copy" not in names


@pytest.mark.parametrize(
    "text",
    [TOP + ALONE[len(TOP) :].replace('"x"', '"smoke thins"'), TOP.replace(', "reactions"', "")],
    ids=["the reaction replaced", "no reactions"],
)
def test_smoke_may_condense_if_no_reaction_needs_its_age(read, text: str) -> None:
    materials = read(text + CONDENSING.format("smoke")).world.materials
    assert materials.records[materials["smoke"]].below.product == "ash"
