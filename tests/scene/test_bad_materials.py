"""What is wrong in a scene's ``[[material]]`` is one message that names file, line, field and what was expected."""

from __future__ import annotations

import pytest

TOP = "size = [10, 8]\n"  # line 1
FILL = TOP + '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [2, 2]\nmaterial = "water"\n'  # lines 2 to 6
BRICK = TOP + '[[material]]\nname = "brick"\nstate = "solid"\ndensity = 1900\ncolour = "#a04030"\n'  # lines 2 to 6
SAND = TOP + '[[material]]\nname = "sand"\n'  # lines 2 and 3


def brick_of(many: int) -> str:
    """So many new materials, five lines each."""
    return "".join(BRICK[len(TOP) :].replace("brick", f"b {number}") for number in range(many))


BAD: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    # name: (text, line, field, words of the message)
    "unknown key in material": (SAND + "bounc = 1\n", 4, "material[0].bounc", ("unknown key; did you mean 'bounce'?",)),
    "key of no material": (SAND + "xyzzy = 1\n", 4, "material[0].xyzzy", ("unknown key", "terminal")),
    "material without name": (TOP + "[[material]]\ndensity = 1\n", 2, "material[0].name", ("is missing",)),
    "material named badly": (BRICK.replace('"brick"', '"Brick"'), 3, "material[0].name", ("'Brick'", "small letters")),
    "material with an underline": (BRICK.replace("brick", "a_b"), 3, "material[0].name", ("'a_b'", "small letters")),
    "material with no name": (BRICK.replace("brick", ""), 3, "material[0].name", ("''", "small letters")),
    "material with a long name": (BRICK.replace("brick", "x" * 900), 3, "material[0].name", ("xxx", "at most 32")),
    "material named by a number": (SAND.replace('"sand"', "3"), 3, "material[0].name", ("3", "string")),
    "material without state": (BRICK.replace("state", "# "), 2, "material[0].state", ("is missing", "'brick' is new")),
    "material without density": (BRICK.replace("density", "# "), 2, "material[0].density", ("is missing", "'brick'")),
    "material without colour": (BRICK.replace("colour", "# "), 2, "material[0].colour", ("is missing", "'brick'")),
    "unknown state": (BRICK.replace("solid", "powdr"), 4, "material[0].state", ("'powdr'", "did you mean 'powder'?")),
    "state empty": (BRICK.replace("solid", "empty"), 4, "material[0].state", ("'empty'", "gas, liquid, powder, solid")),
    "state in capitals": (BRICK.replace("solid", "SOLID"), 4, "material[0].state", ("'SOLID'", "solid")),
    "state as number": (BRICK.replace('"solid"', "1"), 4, "material[0].state", ("1", "string")),
    "state as list": (BRICK.replace('"solid"', '["solid"]'), 4, "material[0].state", ("string",)),
    "density below": (SAND + "density = -1\n", 4, "material[0].density", ("-1", "from 0 to 65535")),
    "density above": (SAND + "density = 65536\n", 4, "material[0].density", ("65536", "from 0 to 65535")),
    "density huge": (SAND + "density = " + "9" * 400, 4, "material[0].density", ("999", "from 0 to 65535")),
    "density broken": (SAND + "density = 1.5\n", 4, "material[0].density", ("1.5", "integer")),
    "density as boolean": (SAND + "density = true\n", 4, "material[0].density", ("rue", "integer")),
    "density as text": (SAND + 'density = "1"\n', 4, "material[0].density", ("'1'", "integer")),
    "colour as word": (SAND + 'colour = "red"\n', 4, "material[0].colour", ("'red' is no colour", "'#3070e0'")),
    "colour of five": (SAND + 'colour = "#12345"\n', 4, "material[0].colour", ("'#12345'", "'#3070e0'")),
    "colour as list": (SAND + "colour = [1, 2, 3]\n", 4, "material[0].colour", ("string",)),
    "colour as number": (SAND + "colour = 0x3070e0\n", 4, "material[0].colour", ("string",)),
    "shade above": (SAND + "shade = 1.01\n", 4, "material[0].shade", ("1.01", "from 0 to 1")),
    "gravity above": (SAND + "gravity = 4.5\n", 4, "material[0].gravity", ("4.5", "from -4 to 4")),
    "gravity below": (SAND + "gravity = -5\n", 4, "material[0].gravity", ("-5", "from -4 to 4")),
    "terminal above": (SAND + "terminal = 8\n", 4, "material[0].terminal", ("8", "from 0 to 7.9")),
    "terminal below": (SAND + "terminal = -0.1\n", 4, "material[0].terminal", ("-0.1", "from 0 to 7.9")),
    "drag above": (SAND + "drag = 7.91\n", 4, "material[0].drag", ("7.91", "from 0 to 7.9")),
    "bounce above": (SAND + "bounce = 1.5\n", 4, "material[0].bounce", ("1.5", "from 0 to 1")),
    "slide nan": (SAND + "slide = nan\n", 4, "material[0].slide", ("nan", "finite")),
    "spread inf": (SAND + "spread = inf\n", 4, "material[0].spread", ("inf", "finite")),
    "stick as boolean": (SAND + "stick = true\n", 4, "material[0].stick", ("rue", "number")),
    "stick as text": (SAND + 'stick = "much"\n', 4, "material[0].stick", ("'much'", "number")),
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
        FILL.replace("water", "sand"), 6, "fill[0].material", ("no rule of this scene moves 'sand'",),
    ),
    "one material too many": (TOP + brick_of(234), 2 + 5 * 233, "material[233]", ("one too many", "at most 255")),
    "unknown among very many": (
        FILL.replace("water", "qqq") + brick_of(233), 6, "fill[0].material", ("'qqq'", "acid, b 0", "(255 in all)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_material_is_one_line_with_file_line_and_field(refuses, name: str, ends: str) -> None:
    refuses(*BAD[name], ends)
