"""An error in a ``[[material]]`` table gives one message with file, line, field and what was expected."""

from __future__ import annotations

import pytest

from gpufluid.core.errors import SceneError
from gpufluid.matter.materials import LIMIT, SHIPPED

TOP = "size = [10, 8]\n"  # line 1
FILL = TOP + '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [2, 2]\nmaterial = "water"\n'  # lines 2 to 6
BRICK = TOP + '[[material]]\nname = "brick"\nstate = "solid"\ndensity = 1900\ncolour = "#a04030"\n'  # lines 2 to 6
SAND = TOP + '[[material]]\nname = "sand"\n'  # lines 2 and 3


ROOM = LIMIT - len(SHIPPED)
"""The largest number of new materials."""


def brick_of(many: int) -> str:
    """This many new materials, five lines each."""
    return "".join(BRICK[len(TOP) :].replace("brick", f"b {number}") for number in range(many))


BAD: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    # name: (text, line, field, words of the message)
    "unknown key in material": (SAND + "bounc = 1\n", 4, "material[0].bounc", ("unknown key; did you mean 'bounce'?",)),
    "key of no material": (SAND + "xyzzy = 1\n", 4, "material[0].xyzzy", ("unknown key", "density")),
    "material without name": (TOP + "[[material]]\ndensity = 1\n", 2, "material[0].name", ("is missing",)),
    "material named badly": (BRICK.replace('"brick"', '"Brick"'), 3, "material[0].name", ("'Brick'", "small letters")),
    "material with an underline": (BRICK.replace("brick", "a_b"), 3, "material[0].name", ("'a_b'", "small letters")),
    "material with no name": (BRICK.replace("brick", ""), 3, "material[0].name", ("''", "small letters")),
    "material with a long name": (BRICK.replace("brick", "x" * 900), 3, "material[0].name", ("xxx", "at most 32")),
    "material named by a number": (SAND.replace('"sand"', "3"), 3, "material[0].name", ("3; expected words",)),
    "material named by a list": (SAND.replace('"sand"', "[4]"), 3, "material[0].name", ("[4]; expected words",)),
    "material without state": (BRICK.replace("state", "# "), 2, "material[0].state", ("is missing", "'brick' is new")),
    "material without density": (BRICK.replace("density", "# "), 2, "material[0].density", ("is missing", "'brick'")),
    "material without colour": (BRICK.replace("colour", "# "), 2, "material[0].colour", ("is missing", "'brick'")),
    "unknown state": (BRICK.replace("solid", "powdr"), 4, "material[0].state", ("'powdr'", "did you mean 'powder'?")),
    "state empty": (BRICK.replace("solid", "empty"), 4, "material[0].state", ("'empty'", "gas, liquid, powder, solid")),
    "state in capitals": (BRICK.replace("solid", "SOLID"), 4, "material[0].state", ("'SOLID'", "solid")),
    "state as number": (BRICK.replace('"solid"', "1"), 4, "material[0].state", ("1 is not known; expected one of",)),
    "state as list": (BRICK.replace('"solid"', '["solid"]'), 4, "material[0].state", ("['solid'] is not known",)),
    "density below": (SAND + "density = -1\n", 4, "material[0].density", ("-1", "from 0 to 65535")),
    "density above": (SAND + "density = 65536\n", 4, "material[0].density", ("65536", "from 0 to 65535")),
    "density huge": (SAND + "density = " + "9" * 400, 4, "material[0].density", ("999", "from 0 to 65535")),
    "density broken": (SAND + "density = 1.5\n", 4, "material[0].density", ("1.5; expected a whole number",)),
    "density as boolean": (SAND + "density = true\n", 4, "material[0].density", ("True; expected a whole number",)),
    "density as text": (SAND + 'density = "1"\n', 4, "material[0].density", ("'1'; expected a whole number",)),
    "colour as word": (SAND + 'colour = "red"\n', 4, "material[0].colour", ("'red' is no colour", "'#3070e0'")),
    "colour of five": (SAND + 'colour = "#12345"\n', 4, "material[0].colour", ("'#12345'", "'#3070e0'")),
    "colour as list": (SAND + "colour = [1, 2, 3]\n", 4, "material[0].colour", ("[1, 2, 3] is no colour",)),
    "colour as number": (SAND + "colour = 0x3070e0\n", 4, "material[0].colour", ("is no colour",)),
    "shade above": (SAND + "shade = 1.01\n", 4, "material[0].shade", ("1.01", "from 0 to 1")),
    "gravity above": (SAND + "gravity = 4.5\n", 4, "material[0].gravity", ("4.5", "from -4 to 4")),
    "gravity below": (SAND + "gravity = -5\n", 4, "material[0].gravity", ("-5", "from -4 to 4")),
    "terminal above": (SAND + "terminal = 8\n", 4, "material[0].terminal", ("8", "from 0 to 7.9")),
    "terminal below": (SAND + "terminal = -0.1\n", 4, "material[0].terminal", ("-0.1", "from 0 to 7.9")),
    "drag above": (SAND + "drag = 7.91\n", 4, "material[0].drag", ("7.91", "from 0 to 7.9")),
    "bounce above": (SAND + "bounce = 1.5\n", 4, "material[0].bounce", ("1.5", "from 0 to 1")),
    "slide nan": (SAND + "slide = nan\n", 4, "material[0].slide", ("nan; expected a number from 0 to 1",)),
    "spread inf": (SAND + "spread = inf\n", 4, "material[0].spread", ("inf; expected a number from 0 to 1",)),
    "conductivity above": (SAND + "conductivity = 1.1\n", 4, "material[0].conductivity", ("1.1", "from 0 to 1")),
    "cooling above": (SAND + "cooling = 64.5\n", 4, "material[0].cooling", ("64.5", "from 0 to 64")),
    "temperature above": (SAND + "temperature = 4001\n", 4, "material[0].temperature", ("4001", "to 4000 degrees C")),
    "temperature below": (SAND + "temperature = -274\n", 4, "material[0].temperature", ("-274", "from -273")),
    "temperature as word": (SAND + "temperature = 'hot'\n", 4, "material[0].temperature", ("'hot'; expected",)),
    "change as number": (SAND + "above = 3\n", 4, "material[0].above", ("3; expected a table",)),
    "change without product": (SAND + "above = {threshold = 3}\n", 4, "material[0].above", ("product is missing",)),
    "change of unknown key": (SAND + "above = {treshold = 3}\n", 4, "material[0].above", ("did you mean 'threshold'",)),
    "change too hot": (
        SAND + "above = {threshold = 4001, product = 'lava'}\n", 4, "material[0].above", ("threshold: 4001; expected",)
    ),
    "change into an unknown material": (
        SAND + "above = {threshold = 3, product = 'lafa'}\n", 4, "material[0].above", ("product: unknown", "'lava'")
    ),
    "change into empty": (
        SAND + "above = {threshold = 3, product = 'empty'}\n", 4, "material[0].above", ("product: unknown material",)
    ),
    "change of too much heat": (
        SAND + "below = {threshold = 3, product = 'ice', latent = 1001}\n", 4, "material[0].below", ("latent: 1001",)
    ),
    "change with thresholds that overlap": (
        SAND + "below = {threshold = 9, product = 'ice'}\nabove = {threshold = 8, product = 'lava'}\n",
        4,
        "material[0].below",
        ("9 is over the threshold of above, 8; expected at most 8",),
    ),
    "change that another reverses": (
        TOP + "[[material]]\nname = 'ice'\nabove = {threshold = -9, product = 'water'}\n",
        4,
        "material[0].above",
        ("-9, but 'water' becomes 'ice' again below 0",),
    ),
    "change into itself": (
        SAND + "above = {threshold = 9, product = 'sand'}\n", 4, "material[0].above",
        ("'sand' is the material itself; expected another one",)
    ),
    "change in a circle of two": (
        SAND + "above = {threshold = 50, product = 'mud'}\n[[material]]\nname = 'mud'\n"
        "above = {threshold = 90, product = 'sand'}\n",
        4, "material[0].above", ("transitions without latent heat form a loop: sand -> mud -> sand",),
    ),
    "change in a circle of three": (
        SAND + "above = {threshold = 50, product = 'mud'}\n[[material]]\nname = 'mud'\n"
        "below = {threshold = 90, product = 'oil'}\n[[material]]\nname = 'oil'\nbelow = {threshold = 70, "
        "product = 'sand'}\n", 4, "material[0].above", ("sand -> mud -> oil -> sand",),
    ),
    "stick as boolean": (SAND + "stick = true\n", 4, "material[0].stick", ("True; expected a number from 0 to 1",)),
    "terminal as text": (
        SAND + 'terminal = "fast"\n', 4, "material[0].terminal", ("'fast'; expected a number from 0 to 7.9",),
    ),
    "stick as text": (SAND + 'stick = "much"\n', 4, "material[0].stick", ("'much'; expected a number from 0 to 1",)),
    "material twice": (
        BRICK + BRICK[len(TOP) :], 8, "material[1].name", ("'brick' is defined twice", "material[0]"),
    ),
    "shipped material twice": (SAND + "[[material]]\nname = 'sand'\n", 5, "material[1].name", ("'sand'", "twice")),
    "empty with a density": (SAND.replace("sand", "empty") + "density = 1\n", 4, "material[0].density", ("colour",)),
    "empty with a state": (SAND.replace("sand", "empty") + "state = 'gas'\n", 4, "material[0].state", ("colour",)),
    "wall that flows": (
        SAND.replace("sand", "wall") + 'state = "liquid"\n', 4, "material[0].state", ("'liquid'", "expected 'solid'"),
    ),
    "wrong material in use": (
        BRICK.replace("1900", "-1") + FILL[len(TOP) :].replace("water", "brick"), 5, "material[0].density", ("-1",),
    ),
    "material as a table": (TOP + "\n[material]\nname = 'x'\n", 3, "material", ("write [[material]], with two",)),
    "materials of words": (TOP + 'material = ["sand"]\n', 2, "material[0]", ("'sand'", "table")),
    "material in a scene of water": (
        FILL.replace("water", "sand"), 6, "fill[0].material",
        ("no rule of this scene moves 'sand'; rules is not given, so it is [\"flow\", \"inertia\"]; rules = [\"atoms",),
    ),
    "material in a scene of rule flow": (
        'rules = ["flow"]\n' + FILL.replace("water", "sand"), 7, "fill[0].material",
        ("no rule of this scene moves 'sand': rules = [\"flow\"]; add \"atoms\"",),
    ),
    "emitter of atoms in a scene of water": (
        TOP + "[[emitter]]\nat = [0, 0]\nmaterial = 'sand'\n", 4, "emitter[0].material",
        ("no rule of this world emits 'sand'; expected one of: water; rules is not given",
         "[\"atoms\"] moves this material"),
    ),
    "emitter of a solid in a scene of water": (
        TOP + "[[emitter]]\nat = [0, 0]\nmaterial = 'wood'\n", 4, "emitter[0].material", ("one of: water",),
    ),
    "one material too many": (
        TOP + brick_of(ROOM + 1), 2 + 5 * ROOM, f"material[{ROOM}]", ("one too many", "at most 255"),
    ),
    "material named by a word of reactions": (
        BRICK.replace("brick", "copy"), 3, "material[0].name", ("'copy' means something else in a reaction",),
    ),
    "material named any": (BRICK.replace("brick", "any"), 3, "material[0].name", ("'any' means something else",)),
    "material named by a state": (BRICK.replace("brick", "solid"), 3, "material[0].name", ("'solid' means",)),
    "material named by a tag": (
        BRICK.replace("brick", "inert"), 3, "material[0].name", ("'inert' is a tag, of 'wall'",),
    ),
    "tag of a state": (SAND + 'tags = ["solid"]\n', 4, "material[0].tags", ("'solid' means something else",)),
    "tag of nothing": (SAND + 'tags = ["empty"]\n', 4, "material[0].tags", ("'empty' means something else",)),
    "tag of a material": (
        SAND + 'tags = ["water"]\n', 4, "material[0].tags", ("'water' is the name of a material",),
    ),
    "tag of its own name": (
        BRICK + 'tags = ["brick"]\n', 7, "material[0].tags", ("'brick' is the name of a material",),
    ),
    "unknown among very many": (
        FILL.replace("water", "qqq") + brick_of(ROOM), 6, "fill[0].material",
        ("'qqq'", "acid, ash, b 0", "(255 in all)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_material_is_one_error_with_file_line_and_field(refuses, name: str, ends: str) -> None:
    text, line, field, words = BAD[name]
    message = refuses(text, ends)
    assert message.startswith(f"{line}: {field}: " if field else f"{line}: ")
    assert [word for word in words if word not in message] == []


def test_all_errors_of_materials_are_reported_together(read) -> None:
    """A value of a wrong type does not hide other errors: values out of range, and unknown names."""
    text = SAND + "density = 'heavy'\nbounce = 2\nslied = 1\nstick = true\ncolour = 3\n"
    text += "[[material]]\nname = 'slime'\nstate = 'liquit'\ndensity = 1\ncolour = '#123456'\nspread = -1\n"
    text += FILL[len(TOP) :].replace("water", "sannd")
    with pytest.raises(SceneError) as caught:
        read(text)
    assert [(problem.line, problem.field) for problem in caught.value.problems] == [
        (4, "material[0].density"),
        (5, "material[0].bounce"),
        (6, "material[0].slied"),
        (7, "material[0].stick"),
        (8, "material[0].colour"),
        (11, "material[1].state"),
        (14, "material[1].spread"),
        (19, "fill[0].material"),
    ]


@pytest.mark.parametrize("key", ["gravity", "terminal", "drag", "bounce", "slide", "spread", "stick"])
def test_motion_keys_of_a_solid_give_a_remark(read, key: str) -> None:
    """The shade of a solid is visible, and other states move."""
    (remark,) = read(BRICK + f"shade = 0.5\n{key} = 0.5\n" + SAND[len(TOP) :] + f"{key} = 0.5\n").remarks
    assert "scene.toml:8: material[0]." in remark
    assert remark.endswith(f"material[0].{key}: has no effect: 'brick' is solid, and no rule moves a solid")


def test_a_threshold_of_streams_for_an_elastic_powder_gives_a_remark(read) -> None:
    text = SAND + 'carried_at = 0.1\n[[material]]\nname = "rubber"\ncarried_at = 0.1\n'
    (remark,) = read(text).remarks
    assert remark.endswith(
        "material[1].carried_at: has no effect: 'rubber' has a cohesion of 1, and no stream takes its bodies apart"
    )


def test_motion_keys_of_a_material_made_solid_give_a_remark(read) -> None:
    (remark,) = read(SAND + "bounce = 0.5\nstate = 'solid'\n").remarks
    assert "scene.toml:4: material[0].bounce: has no effect" in remark
