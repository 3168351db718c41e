"""An error in a scene file gives one message with file, line, field and what was expected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gpufluid import scene
from gpufluid.core.errors import SceneError

TOP = "size = [10, 8]\n"  # line 1
FILL = TOP + '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [2, 2]\nmaterial = "water"\n'  # lines 2 to 6
EMITTER = TOP + "[[emitter]]\nat = [0, 0]\n"  # lines 2 and 3
DRAIN = TOP + "[[drain]]\nat = [0, 0]\n"
FLOW = TOP + "[flow]\n"
MAP = '[map]\nimage = "map.png"\n'
LEGEND = 'legend = { "#808080" = "wall", "#3070e0" = "water" }\n'
HUGE = 10**30


def shape(name: str, more: str) -> str:
    return TOP + f'[[fill]]\nshape = "{name}"\nmaterial = "water"\n{more}\n'  # `more` begins in line 5


BAD: dict[str, tuple[str, int, str, tuple[str, ...]]] = {
    # name: (text, line, field, words of the message)
    "not closed": ('size = [10, 8]\ntitle = "x\n', 2, "", ("not TOML",)),
    "twice": (TOP + "size = [3, 3]\n", 2, "", ("not TOML", "was given before")),
    "end of file": (TOP + "seed =", 2, "", ("not TOML",)),
    "deeply nested": (TOP + "title = " + "[" * 5000, 2, "", ("not TOML",)),
    "endless number": (TOP + "seed = " + "9" * 5000, 2, "", ("not TOML",)),
    "endless key": (TOP + "a." * 30_000 + "a = 1", 2, "", ("a key of more than 32 parts",)),
    "endless name of a table": (TOP + "[" + "a." * 2000 + "a]", 2, "", ("a key of more than 32 parts",)),
    "long name": (FILL.replace('"water"', f"'{'a' * 5000}'"), 6, "fill[0].material", ("... (5002 characters); exp",)),
    "long key": (TOP + "a" * 5000 + " = 1\n", 2, "a" * 40 + "... (5000 characters)", ("unknown key",)),
    # the top
    "no size": ('title = "x"\n', 1, "size", ("is missing", "[width, height]")),
    "unknown key": (TOP + 'edgs = "open"\n', 2, "edgs", ("unknown key; did you mean 'edges'?",)),
    "unknown table": (TOP + "[emiter]\nat = [0, 0]\n", 2, "emiter", ("unknown key; did you mean 'emitter'",)),
    "empty key": (TOP + '"" = 1\n', 2, '""', ("unknown key",)),
    "empty table": (TOP + '[""]\nat = [0, 0]\n', 2, '""', ("unknown key",)),
    "empty key of a fill": (FILL + '"" = 1\n', 7, 'fill[0].""', ("unknown key",)),
    "empty key of an emitter": (EMITTER + "'' = 1\n", 4, 'emitter[0].""', ("unknown key",)),
    "empty key of a rule": (FLOW + '"" = 1\n', 3, 'flow.""', ("rule flow has no parameter ''",)),
    "empty key of a material": (TOP + '[[material]]\nname = "sand"\n"" = 1\n', 4, 'material[0].""', ("unknown key",)),
    "empty colour": (MAP + '[map.legend]\n"#808080" = "wall"\n"" = "sand"\n', 5, 'map.legend.""', ("no colour",)),
    "key of two words": (TOP + '"max mass" = 1\n', 2, '"max mass"', ("unknown key",)),
    "unknown dotted key": (TOP + "flw.max_mass = 1\n", 2, "flw", ("unknown key; did you mean 'flow'?",)),
    "unknown rule": (TOP + 'rules = ["flwo"]\n', 2, "rules[0]", ("unknown rule 'flwo'; did you mean 'flow'?",)),
    "no rule": (TOP + "rules = []\n", 2, "rules", ("expected a list of rules",)),
    "rule twice": (TOP + 'rules = ["flow", "flow"]\n', 2, "rules", ("names a rule twice",)),
    "rules as text": (TOP + 'rules = "flow"\n', 2, "rules", ("'flow'", "list")),
    "unknown edges": (TOP + 'edges = "opne"\n', 2, "edges", ("'opne'", "did you mean 'open'?")),
    "unknown gravity": (TOP + 'gravity = "dwon"\n', 2, "gravity", ("'dwon'", "did you mean 'down'?")),
    "gravity as number": (TOP + "gravity = -1\n", 2, "gravity", ("-1", "text in quotes")),
    "gravity without a rule": (TOP + 'rules = ["atmos"]\ngravity = "up"\n', 2, "rules[0]", ("did you mean 'atoms'?",)),
    "odd torus of atoms": (
        'size = [10, 7]\nrules = ["atoms"]\nedges = "wrap"\n', 3, "edges", ("10 by 7", "expected even sides"),
    ),
    "unknown test": (TOP + 'test = "gold"\n', 2, "test", ("'gold'", "'golden', 'run' or 'off'")),
    "title is a number": (TOP + "title = 3\n", 2, "title", ("3", "expected", "text in quotes")),
    "seed below": (TOP + "seed = -1\n", 2, "seed", ("-1", "from 0 to 4294967295")),
    "seed above": (TOP + "seed = 4294967296\n", 2, "seed", ("4294967296", "from 0 to 4294967295")),
    "seed as float": (TOP + "seed = 1.0\n", 2, "seed", ("1.0", "whole number")),
    "seed as boolean": (TOP + "seed = true\n", 2, "seed", ("rue", "whole number")),
    "seed as hex flood": (TOP + "seed = 0x" + "f" * 5000, 2, "seed", ("from 0 to 4294967295",)),
    "ticks below": (TOP + "ticks = -1\n", 2, "ticks", ("-1", "greater than or equal to 0")),
    # size
    "size zero": ("size = [0, 8]\n", 1, "size", ("0 by 8", "at least 1 by 1")),
    "size below": ("size = [10, -8]\n", 1, "size", ("10 by -8", "at least 1 by 1")),
    "size above": ("size = [5000, 8]\n", 1, "size", ("5000", "4096")),
    "size huge": (f"size = [10, {HUGE}]\n", 1, "size", (str(HUGE), "4096")),
    "size hex flood": (f"size = [10, 0x{'f' * 5000}]\n", 1, "size", ("4096",)),
    "size of one": ("size = [10]\n", 1, "size[1]", ("is missing",)),
    "size of three": ("size = [10, 8, 3]\n", 1, "size", ("2",)),
    "size as number": ("\nsize = 10\n", 2, "size", ("10", "expected")),
    "size as float": ("size = [10, 8.0]\n", 1, "size[1]", ("8.0", "whole number")),
    "size as boolean": ("size = [true, 8]\n", 1, "size[0]", ("rue", "whole number")),
    "size as text": ('size = ["10", 8]\n', 1, "size[0]", ("'10'", "whole number")),
    "size over lines": ("size = [\n  10,\n  8.5,\n]\n", 3, "size[1]", ("8.5", "whole number")),
    # [flow]
    "unknown parameter": (FLOW + "max_compres = 1\n", 3, "flow.max_compres", ("did you mean 'max_compress'",)),
    "unknown preset": (FLOW + 'preset = "seed-002"\n', 3, "flow.preset", ("'seed-002'", "'seed-001'", "'seed-000'")),
    "preset as list": (FLOW + 'preset = ["seed-000"]\n', 3, "flow.preset", ("['seed-000']",)),
    "preset as table": (FLOW + "preset = {a = 1}\n", 3, "flow.preset", ("{'a': 1}",)),
    "preset as number": (FLOW + "preset = 0\n", 3, "flow.preset", ("0", "seed-000")),
    "parameter above": (FLOW + "max_mass = 101\n", 3, "flow.max_mass", ("101", "from 0.01 to 100")),
    "parameter below": (FLOW + "max_mass = 0\n", 3, "flow.max_mass", ("0", "from 0.01 to 100")),
    "parameter huge": (FLOW + f"max_mass = {HUGE}\n", 3, "flow.max_mass", ("out of range", "from 0.01 to 100")),
    "parameter flood": (FLOW + "max_mass = " + "9" * 400, 3, "flow.max_mass", ("out of range", "from 0.01 to 100")),
    "parameter nan": (FLOW + "max_mass = nan\n", 3, "flow.max_mass", ("nan", "from 0.01 to 100")),
    "parameter inf": (FLOW + "max_mass = inf\n", 3, "flow.max_mass", ("inf", "from 0.01 to 100")),
    "parameter as boolean": (FLOW + "max_mass = true\n", 3, "flow.max_mass", ("rue", "not a number")),
    "parameter as text": (FLOW + 'max_mass = "1"\n', 3, "flow.max_mass", ("'1'", "not a number")),
    "count as float": (FLOW + "substeps = 2.0\n", 3, "flow.substeps", ("2.0", "whole number")),
    "count zero": (FLOW + "substeps = 0\n", 3, "flow.substeps", ("0", "from 1 to 1000")),
    "choice": (FLOW + 'side_order = "lefft"\n', 3, "flow.side_order", ("'lefft'", "did you mean 'left'")),
    "choice as list": (FLOW + 'side_order = ["left"]\n', 3, "flow.side_order", ("['left']",)),
    "table in flow": (FLOW + "[flow.x]\na = 1\n", 3, "flow.x", ("no parameter 'x'",)),
    "flow as number": (TOP + "flow = 3\n", 2, "flow", ("table",)),
    "flow as list": (TOP + "\n[[flow]]\nmax_mass = 1\n", 3, "flow", ("table",)),
    "dotted parameter": (TOP + "flow.max_mass = -1\n", 2, "flow.max_mass", ("-1", "out of range")),
    "quoted parameter": (TOP + '["flow"]\n"max_mass" = -1\n', 3, "flow.max_mass", ("-1", "out of range")),
    "inline parameter": (TOP + "flow = { max_mass = -1 }\n", 2, "flow.max_mass", ("-1", "out of range")),
    # [[fill]]
    "no shape": (TOP + '[[fill]]\nmaterial = "wall"\n', 2, "fill[0].shape", ("is missing", "circle, line")),
    "unknown shape": (shape("rectangel", ""), 3, "fill[0].shape", ("'rectangel'", "did you mean 'rectangle'?")),
    "shape as number": (TOP + "[[fill]]\nshape = 3\n", 3, "fill[0].shape", ("3", "rectangle")),
    "no material": (FILL.replace("material", "# "), 2, "fill[0].material", ("is missing",)),
    "unknown material": (FILL.replace("water", "watr"), 6, "fill[0].material", ("'watr'", "did you mean 'water'?")),
    "material as number": (FILL.replace('"water"', "3"), 6, "fill[0].material", ("3", "text in quotes")),
    "unknown key in fill": (FILL + "amuont = 1\n", 7, "fill[0].amuont", ("unknown key; did you mean 'amount'?",)),
    "key of another shape": (FILL + "radius = 1\n", 7, "fill[0].radius", ("unknown key",)),
    "line by field names": (
        shape("line", "start = [0, 0]\nfrom = [0, 0]\nto = [1, 1]"), 5, "fill[0].start", ("unknown key", "from"),
    ),
    "amount below": (FILL + "amount = -0.5\n", 7, "fill[0].amount", ("-0.5", "greater than or equal to 0")),
    "amount above": (FILL + "amount = 1001\n", 7, "fill[0].amount", ("1001", "1000")),
    "amount nan": (FILL + "amount = nan\n", 7, "fill[0].amount", ("nan", "finite")),
    "amount inf": (FILL + "amount = inf\n", 7, "fill[0].amount", ("inf",)),
    "amount as boolean": (FILL + "amount = true\n", 7, "fill[0].amount", ("rue", "number")),
    "fill as table": (TOP + '\n[fill]\nshape = "circle"\n', 3, "fill", ("list",)),
    "fill as number": (TOP + "fill = 3\n", 2, "fill", ("3", "list")),
    "fill of numbers": (TOP + "fill = [3]\n", 2, "fill[0]", ("3", "table")),
    "table in fill": (TOP + "\n[fill.x]\na = 1\n", 3, "fill", ("list",)),
    "second of two": (FILL + FILL[len(TOP) :].replace("water", "watr"), 11, "fill[1].material", ("'watr'",)),
    "inline fill": (
        TOP + 'fill = [\n  {shape = "circle", at = [1, 1], radius = 1, material = "wall"},\n'
        '  {shape = "circle", at = [1, 1], radius = 0, material = "wall"},\n]\n',
        4, "fill[1].radius", ("0", "greater than 0"),
    ),
    "rectangle outside": (FILL.replace("[2, 2]", "[11, 2]"), 4, "fill[0].at", ("0 to 10", "10 by 8")),
    "rectangle left of it": (FILL.replace("[0, 0]", "[-1, 0]"), 4, "fill[0].at", ("-1 to 0", "10 by 8")),
    "rectangle of nothing": (FILL.replace("[2, 2]", "[0, 2]"), 5, "fill[0].size", ("0 by 2", "at least 1 by 1")),
    "circle outside": (shape("circle", "at = [20, 1]\nradius = 2"), 5, "fill[0].at", ("circle", "10 by 8")),
    "circle far outside": (shape("circle", f"at = [{HUGE}, 1]\nradius = 2"), 5, "fill[0].at[0]", ()),
    "circle too large": (shape("circle", "at = [0, 1]\nradius = 1e308"), 6, "fill[0].radius", ()),
    "circle of nothing": (shape("circle", "at = [2, 1]\nradius = 0"), 6, "fill[0].radius", ("greater than 0",)),
    "line outside": (shape("line", "from = [20, 1]\nto = [30, 1]"), 5, "fill[0].from", ("line", "10 by 8")),
    "line far outside": (shape("line", f"from = [{2**62}, 1]\nto = [0, 1]"), 5, "fill[0].from[0]", ()),
    "line of no width": (shape("line", "width = 0\nfrom = [2, 1]\nto = [3, 1]"), 5, "fill[0].width", ("0",)),
    "polygon outside": (shape("polygon", "points = [[20, 0], [30, 0], [30, 9]]"), 5, "fill[0].points", ("polygon",)),
    "polygon far out": (shape("polygon", f"points = [[{2**62}, 0], [0, 0], [0, 9]]"), 5, "fill[0].points[0][0]", ()),
    "polygon of two": (shape("polygon", "points = [[2, 0], [3, 0]]"), 5, "fill[0].points", ("3",)),
    "polygon": (shape("polygon", "points = [[2, 0],\n [3, 1.5], [4, 4]]"), 6, "fill[0].points[1][1]", ("1.5",)),
    "noise outside": (shape("noise", "at = [2, 2]\nsize = [9, 2]"), 5, "fill[0].at", ("2 to 10", "10 by 8")),
    "noise over all": (shape("noise", "cover = 1.5"), 5, "fill[0].cover", ("1.5", "less than or equal to 1")),
    "noise of no scale": (shape("noise", "scale = 0"), 5, "fill[0].scale", ("0", "greater than or equal to 1")),
    "noise in nothing": (shape("noise", 'only_in = "watr"'), 5, "fill[0].only_in", ("'watr'", "did you mean 'water'?")),
    # [[emitter]] and [[drain]]
    "unknown key in emitter": (EMITTER + "rat = 1\n", 4, "emitter[0].rat", ("unknown key; did you mean 'rate'",)),
    "emitter nowhere": (TOP + "[[emitter]]\nrate = 1\n", 2, "emitter[0].at", ("is missing",)),
    "emitter outside": (EMITTER.replace("[0, 0]", "[10, 0]"), 3, "emitter[0].at", ("10 to 10", "10 by 8")),
    "emitter too long": (EMITTER + "size = [1, 9]\n", 3, "emitter[0].at", ("0 to 8", "10 by 8")),
    "emitter of nothing": (EMITTER + "size = [1, 0]\n", 4, "emitter[0].size", ("[1, 0]", "at least 1 by 1")),
    "emitter of a wall": (EMITTER + 'material = "wall"\n', 4, "emitter[0].material", ("'wall'", "water")),
    "emitter of nonsense": (EMITTER + 'material = "watr"\n', 4, "emitter[0].material", ("did you mean 'water'?",)),
    "negative rate": (EMITTER + "rate = -1\n", 4, "emitter[0].rate", ("-1", "0 to 1000")),
    "rate above": (EMITTER + "rate = 1001\n", 4, "emitter[0].rate", ("1001", "0 to 1000")),
    "rate of atoms": (
        EMITTER.replace("]\n[", "]\nrules = ['atoms']\n[", 1) + "rate = 1.5\n", 5, "emitter[0].rate",
        ("1.5; expected 0 to 1: how likely an empty cell gets an atom in a tick",),
    ),
    "drain of atoms": (
        DRAIN.replace("]\n[", "]\nrules = ['atoms']\n[", 1) + "rate = 2\n", 5, "drain[0].rate",
        ("2.0; expected 0 to 1: how likely an atom is taken in a tick",),
    ),
    "rate nan": (EMITTER + "rate = nan\n", 4, "emitter[0].rate", ("nan", "finite")),
    "rate as boolean": (EMITTER + "rate = false\n", 4, "emitter[0].rate", ("alse", "number")),
    "level above": (EMITTER + "level = 1001\n", 4, "emitter[0].level", ("1001", "0 to 1000")),
    "chance above": (EMITTER + "chance = 1.5\n", 4, "emitter[0].chance", ("1.5", "from 0 to 1")),
    "chance below": (EMITTER + "chance = -0.1\n", 4, "emitter[0].chance", ("-0.1", "from 0 to 1")),
    "start below": (EMITTER + "start = -1\n", 4, "emitter[0].start", ("-1", "from 0 on")),
    "until at start": (EMITTER + "start = 5\nuntil = 5\n", 5, "emitter[0].until", ("5", "after start")),
    "until before start": (EMITTER + "until = 0\n", 4, "emitter[0].until", ("0", "after start")),
    "velocity of one": (EMITTER + "velocity = [1]\n", 4, "emitter[0].velocity[1]", ("is missing",)),
    "velocity inf": (EMITTER + "velocity = [0, inf]\n", 4, "emitter[0].velocity[1]", ("inf", "finite")),
    "emitter as table": (TOP + "\n[emitter]\nat = [0, 0]\n", 3, "emitter", ("list",)),
    "second emitter": (EMITTER + "\n[[emitter]]\nat = [9, 9]\n", 6, "emitter[1].at", ("10 by 8",)),
    "unknown key in drain": (DRAIN + "level = 1\n", 4, "drain[0].level", ("unknown key", "rate")),
    "drain as a table": (TOP + "\n[drain]\nat = [0, 0]\n", 3, "drain", ("write [[drain]], with two brackets",)),
    "text without quotes": (TOP + "edges = closed\n", 2, "", ("text needs quotes",)),
    "text as a colour": ("background = #ff0000\n", 1, "", ("not TOML: invalid value; text needs quotes",)),
    "boolean as in Python": (TOP + "a = True\n", 2, "", ("invalid value; write true",)),
    "nothing after =": (TOP + "ticks =\n", 2, "", ("invalid value: nothing stands here",)),
    "array without end": (TOP + "at = [\n", 2, "", ("nothing stands here; the array that begins in line 2 has no ]",)),
    "array before a table": (TOP + "at = [1, 2\n\n[[fill]]\n", 4, "", ("a comma or ] in an array", "line 2 has no ]")),
    "array in parentheses": ("size = (20, 20)\n", 1, "", ("an array is written in brackets, such as [20, 20]",)),
    "array without commas": ("size = [20 20]\n", 1, "", ("expected a comma or ] in an array",)),
    "one bracket too many": ("size = [20, 20]]\n", 1, "", ("unexpected ']' after the value",)),
    "text without end": ('title = "A pond\n' + TOP, 1, "", ("a text has no closing quote in its line",)),
    "long text without end": (TOP + 'title = """A pond\n\n', 2, "", ("begins here has no closing quote",)),
    "bracket in a text": (TOP + "title = \"[\"  # it's [\na = b\n", 3, "", ("text needs quotes",)),
    "key without =": (TOP + "ticks: 5\n", 2, "", ("expected KEY = VALUE",)),
    "comment for a value": (TOP + "ticks = # many\n", 2, "", ("nothing stands here",)),
    "number without its first digit": (TOP + "a = .5\n", 2, "", ("a number begins with a digit, such as 0.5",)),
    "curly quotes": ("title = \u201cA pond\u201d\n", 1, "", ("text stands in straight quotes",)),
    "word that begins as a boolean": (TOP + "a = Truely\n", 2, "", ("text needs quotes",)),
    "text after a table's name": (TOP + "[map] hello\n", 2, "", ("unexpected 'hello' after the name of the table",)),
    "table's name without ]": (TOP + "[map\n", 2, "", ("the name of a table has no ]",)),
    "key with spaces": (TOP + "my key = 1\n", 2, "", ("a key without spaces",)),
    "array in braces": ("size = {20, 20}\n", 1, "", ("not TOML",)),
    "path of Windows": (TOP + 'a = "C:\\Users"\n', 2, "", ("write \\\\, or the text in single quotes",)),
    "comment as in C": (TOP + "// a pond\n", 2, "", ("a comment that begins with #",)),
    "table twice": (TOP + "[map]\n[map]\n", 3, "", ("[map] is there twice; for a list write [[map]], with two",)),
    "key under the wrong table": (FLOW + "ticks = 5\n", 3, "flow.ticks", ("belongs above the first [table]",)),
    "flat points": (shape("polygon", "points = [1, 2, 3]").replace("1, 2, 3", "1, [2, 3], [4, 5]"), 5,
                    "fill[0].points[0]", ("1: expected a pair, [x, y]",)),
    "drain outside": (DRAIN.replace("[0, 0]", "[0, -1]"), 3, "drain[0].at", ("-1 to -1", "10 by 8")),
    "negative drain": (DRAIN + "rate = -1\n", 4, "drain[0].rate", ("-1", "0 to 1000")),
    # [map]; map.png is 10 by 8, grey and blue, with one odd pixel at (4, 3) in odd.png
    "map of another size": ("size = [10, 9]\n" + MAP + LEGEND, 3, "map.image", ("10 by 8", "10 by 9")),
    "map without image": ("[map]\n" + LEGEND, 1, "map.image", ("is missing",)),
    "map without legend": (MAP, 1, "map.legend", ("is missing",)),
    "map with empty legend": (MAP + "legend = {}\n", 3, "map.legend", ("at least", "colour")),
    "unknown key in map": (MAP + LEGEND + "imgae = 1\n", 4, "map.imgae", ("unknown key; did you mean 'image'?",)),
    "map missing": (MAP.replace("map.p", "mapp.p") + LEGEND, 2, "map.image", ("'mapp.png'", "mean 'map.png'")),
    "map is no picture": (MAP.replace("map.png", "scene.toml") + LEGEND, 2, "map.image", ("'scene.toml'", "picture")),
    "map cut off": (MAP.replace("map.png", "cut.png") + LEGEND, 2, "map.image", ("'cut.png' is damaged", "it ends")),
    "map is a folder": (MAP.replace("map.png", ".") + LEGEND, 2, "map.image", ("'.' is a folder, not a file",)),
    "map above": (MAP.replace("map.png", "../x.png") + LEGEND, 2, "map.image", ("'../x.png'", "beside or below")),
    "map elsewhere": (MAP.replace("map.png", "/etc/x.png") + LEGEND, 2, "map.image", ("beside or below",)),
    "map by a link": (MAP.replace("map.png", "link.png") + LEGEND, 2, "map.image", ("'link.png'", "beside or below")),
    "map in a circle": (MAP.replace("map.png", "loop.png") + LEGEND, 2, "map.image", ("'loop.png'",)),
    "map with a zero byte": (MAP.replace("map.png", "x\\u0000.png") + LEGEND, 2, "map.image", ("x\\x00.png",)),
    "map with a long name": (MAP.replace("map.png", "x" * 300) + LEGEND, 2, "map.image", ("xxx",)),
    "unknown colour": (
        MAP.replace("map.png", "odd.png") + LEGEND, 2, "map.image", ("pixel (4, 3) is #3170e0", "#3070e0, water"),
    ),
    "no colour": (MAP + 'legend = { "#80808" = "wall" }\n', 3, "map.legend.#80808", ("no colour", "'#3070e0'")),
    "colour by name": (MAP + '[map.legend]\n"#808080" = "wall"\nblue = "wood"\n', 5, "map.legend.blue", ("'blue'",)),
    "colour twice": (
        MAP + '[map.legend]\n"#3070e0" = "wall"\n"#3070E0" = "water"\n', 5, "map.legend.#3070E0", ("twice",),
    ),
    "material in legend": (
        MAP + 'legend.\'#808080\' = "wal"\nlegend."#3070e0" = "water"\n', 3, "map.legend.#808080", ("'wall'?",),
    ),
    "legend to a number": (MAP + 'legend = { "#808080" = 1 }\n', 3, "map.legend.#808080", ("1", "text in quotes")),
}  # fmt: skip


@pytest.fixture
def pictures(tmp_path: Path) -> None:
    """map.png; odd.png with an unknown colour; cut.png, half of a picture; links out of the folder and in a loop."""
    pixels = np.full((8, 10, 3), 0x80, np.uint8)
    pixels[3:] = (0x30, 0x70, 0xE0)
    Image.fromarray(pixels).save(tmp_path / "map.png")
    pixels[3, 4] = (0x31, 0x70, 0xE0)
    Image.fromarray(pixels).save(tmp_path / "odd.png")
    whole = (tmp_path / "map.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path.parent / "outside.png").write_bytes(whole)
    (tmp_path / "link.png").symlink_to(tmp_path.parent / "outside.png")
    (tmp_path / "loop.png").symlink_to(tmp_path / "loop.png")


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_scene_is_one_error_with_file_line_and_field(refuses, name: str, ends: str) -> None:
    text, line, field, words = BAD[name]
    message = refuses(text, ends)
    assert message.startswith(f"{line}: {field}: " if field else f"{line}: ")
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = [\n[1, 2],\n[3, x],\n]\n", "4: not TOML: invalid value; text needs quotes"),
        ("a = [1,\n2\n3]\n", "4: not TOML: expected a comma or ] in an array"),
    ],
)
def test_a_fault_inside_an_array_of_several_lines_is_all_that_is_said(refuses, text: str, said: str) -> None:
    assert refuses(TOP + text) == said


def test_a_file_that_is_not_utf8_names_the_line(read) -> None:
    path = read(TOP).path
    path.write_bytes(b'size = [3, 3]\n\ntitle = "\xfc"\n')
    with pytest.raises(SceneError, match=r"scene\.toml:3: not UTF-8"):
        scene.read(path)


def lines_of(text: str, read) -> list[tuple[int | None, str]]:
    with pytest.raises(SceneError) as caught:
        read(text)
    assert len(str(caught.value).splitlines()) == len(caught.value.problems)
    return [(problem.line, problem.field) for problem in caught.value.problems]


def test_all_errors_of_types_and_keys_are_listed_in_order_of_lines(read) -> None:
    text = (
        'titel = "x"\nsize = [1.5, true]\nseed = "1"\n[[fill]]\nshape = "circle"\nradius = 0\nmaterial = 3\n[[drain]]\n'
    )
    assert lines_of(text, read) == [
        (1, "titel"),
        (2, "size[0]"),
        (2, "size[1]"),
        (3, "seed"),
        (4, "fill[0].at"),
        (6, "fill[0].radius"),
        (7, "fill[0].material"),
        (8, "drain[0].at"),
    ]


def test_all_errors_of_values_are_listed(read) -> None:
    text = (
        "size = [10, 8]\nedges = 'opn'\n[flow]\nmax_mass = -1\nsubsteps = 0\n"
        "[[fill]]\nshape = 'circle'\nat = [1, 1]\nradius = 1\nmaterial = 'watr'\n"
        "[[fill]]\nshape = 'circle'\nat = [90, 1]\nradius = 1\nmaterial = 'water'\n"
        "[[emitter]]\nat = [90, 0]\nchance = 2\n[[drain]]\nat = [0, 0]\nrate = -1\n"
    )
    text += "[[material]]\nname = 'sand'\nbounce = 2\ncolour = 'red'\n[[material]]\nname = 'slime'\n"
    fields = [field for _, field in lines_of(text, read)]
    assert fields == [
        "edges",
        "flow.max_mass",
        "flow.substeps",
        "fill[0].material",
        "fill[1].at",
        "emitter[0].at",
        "emitter[0].chance",
        "drain[0].rate",
        "material[0].bounce",
        "material[0].colour",
        "material[1].state",
        "material[1].density",
        "material[1].colour",
    ]


def test_errors_of_all_kinds_are_listed_at_once(read) -> None:
    """A shape, a rule, a material, a chance and a rate, a reaction without effect, and one of an unknown material."""
    text = (
        "size = [40, 30]\nrules = ['atomz', 'heat', 'reactions']\n"
        "fill = [\n"
        "    { shape = 'rectangel', at = [3, 2], size = [6, 6], material = 'oyl' },\n"
        "    { shape = 'rectangle', at = [14, 2], size = [4, 5], material = 'snad' },\n"
        "]\n"
        "[[emitter]]\nat = [20, '1']\nmaterial = 'sadn'\nchance = 3.0\nrate = -3\n"
        "[[emitter]]\nat = [20, 1]\nmaterail = 'sand'\nrate = -1.0\n"
        "[[reaction]]\nbetween = ['water', 'fire']\nbecome = ['water', 'fire']\n"
        "[[reaction]]\nbetween = ['watr', 'fire']\nbecome = ['water', 'smoke']\nchance = 2\n"
    )
    assert lines_of(text, read) == [
        (2, "rules[0]"),
        (4, "fill[0].shape"),
        (4, "fill[0].material"),
        (5, "fill[1].material"),
        (8, "emitter[0].at[1]"),
        (9, "emitter[0].material"),
        (10, "emitter[0].chance"),
        (11, "emitter[0].rate"),
        (14, "emitter[1].materail"),
        (15, "emitter[1].rate"),
        (18, "reaction[0].become"),
        (20, "reaction[1].between"),
        (22, "reaction[1].chance"),
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        "size = [0, 3]\n",
        "size = [1.5, 3]\n",
        "sizes = [3, 3]\n",
        "size = [3, 3]\ntitle = 3\n",
        "size = [3, 3]\nrules = ['flow', 3]\n",
        "[map]\nimage = 'none.png'\nlegend = {'#000000' = 'wall'}\n",
        "[map]\nimage = 3\nlegend = {}\n",
    ],
)
def test_what_is_wrong_above_does_not_hide_what_is_wrong_below(read, wrong: str) -> None:
    """Nor does it bring messages of its own about what depends on it."""
    below = (
        "[[fill]]\nshape = 'circle'\nat = [1, 1]\nradius = 1\nmaterial = 'watr'\n[[drain]]\nat = [0, 0]\nrate = -1\n"
    )
    fields = [field for _, field in lines_of(wrong + below, read)]
    assert fields[-2:] == ["fill[0].material", "drain[0].rate"]
    assert not {"fill", "drain"} & {field.partition("[")[0] for field in fields[:-2]}
