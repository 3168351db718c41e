"""Attacks on scene files: damaged text, any value at any key, missing or double keys, thousands of equal pieces."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from attacks.cost import measured
from gpufluid import Drain, Emitter, World, scene
from gpufluid.core.errors import SceneError, UsageError
from gpufluid.io import snapshots
from gpufluid.io.loading import load_scene
from gpufluid.io.scenes import save_scene
from gpufluid.run.checking import check

SECONDS_MOST = 2.0
"""Seconds of the processor that a scene of at most `SIDE_MOST` cells a side may take, whatever is in it."""

MEMORY_MOST = 64 << 20
"""Bytes of memory that it may take beside its own size; its world takes little."""

SIDE_MOST = 64

RUN_OF = 20
"""One world of so many is also run and compared with the oracle, which takes seconds."""

OWN = (
    """\
title = "x"
size = [12, 9] # width, height
rules = ["flow"]
edges = 'open'
gravity = "down"
seed = 1
ticks = 0x10
test = "run"
flow.max_mass = 1.0
fill = [{ shape = "circle", at = [4, 4], radius = 2.5, material = "water", amount = 0.5 }]
[[emitter]]
at = [1, 2]
size = [3, 1]
chance = 0.5
velocity = [1, -0.5]
until = 9
[[drain]]
at = [0, 0]
rate = 1
[map]
image = "none.png"
[map.legend]
"#808080" = "wall"
""",
    """\
size = [12, 9]
[flow]
preset = "seed-000"
side_order = "left"
substeps = 2
[[fill]]
shape = "line"
from = [1, 1]
to = [5, 5]
width = 2
material = "stone"
[[fill]]
shape = "polygon"
points = [[0, 0], [6, 0], [6, 6]]
material = "wood"
[[fill]]
shape = "noise"
scale = 4
cover = 0.5
only_in = "empty"
material = "water"
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [2, 2]
material = "water"
""",
    """\
size = [12, 9]
rules = ["atoms"]
[[fill]]
shape = "circle"
count = { from = 0, to = 3 }
at = { from = [2, 1], to = [9, 8] }
radius = { from = 1, to = 2.5 }
material = { choice = ["sand", "water"] }
[[emitter]]
at = [{ from = 0, to = 9 }, 0]
count = 2
""",
    """\
size = [12, 9]
[[material]]
name = "brick"
state = "solid"
density = 1900
colour = "#a04030"
[[material]]
name = "water"
colour = "#2a9d8f"
shade = 0.1
gravity = -0.5
terminal = 7.9
drag = 0
bounce = 1
slide = 0.5
spread = 0.5
stick = 0.5
[[material]]
name = "oil"
state = "gas"
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [2, 2]
material = "brick"
""",
    """\
size = [8, 8]
rules = ["atoms", "heat", "reactions", "mixture", "pressure"]
[heat]
ambient = 30.0
[[material]]
name = "wax"
state = "solid"
density = 900
colour = "#ffffe0"
above = { threshold = 60, product = "wax melt", latent = 80 }
tags = ["flammable"]
[[material]]
name = "wax melt"
state = "liquid"
density = 890
colour = "#ffffc0"
temperature = 70
below = { threshold = 50, product = "wax", latent = 80 }
[[reaction]]
name = "drown"
between = ["fire", "wax melt"]
become = ["empty", "same"]
chance = 0.5
heat = -20
[[reaction]]
from = "wax melt"
become = "smoke"
after = 90
above = 200
[[fill]]
shape = "circle"
at = [3, 3]
radius = 2
material = "wax"
temperature = 20
velocity = [0.5, -1]
[[emitter]]
at = [1, 1]
material = "fire"
rate = 0.5
""",
    """\
size = [8, 8]
rules = ["mixture"]
mixture.exclusive = true
[[constituent]]
material = "water"
vertical = { direction = "down", speed = 0.5 }
horizontal = { viscosity = 0.5, fluidity = 2 }
[[constituent]]
material = "steam"
vertical = { direction = "up", chance = 0.5, astray = 0.1, astray_speed = 0.2 }
[[conversion]]
name = "boil"
from = "water"
become = "steam"
beside = "steam"
most = 0.25
[[fill]]
shape = "rectangle"
at = [0, 0]
size = [4, 4]
material = "water"
amount = 0.5
mix = true
""",
    """\
size = [6, 4]
rules = ["atoms", "heat"]
edges = "open"
seed = 7
heat.ambient = 30.0
[state]
file = "state.npz"
[[material]]
name = "water"
density = 1000
[[emitter]]
at = [1, 1]
material = "sand"
rate = 0.5
[[drain]]
at = [2, 2]
""",
)
"""Scenes that have, together, every key."""

PIECES = (
    *("", "\n", "\r\n", "=", ".", "[", "]", "[[", "]]", "{", "}", '"', "'", '"""', "#", ",", "\\", "\0", "ü", "🌊"),
    *("0", "-1", "1.5", "nan", "-inf", "true", "1e400", "0xff", "9" * 25, "9" * 320, "1979-05-27", "07:32:00", "''"),
    *("[]", "{}", "[1, 2]", "[[1, 2], [3, 4]]", "{ a = 1 }", "size", "flow", "fill", "shape", "[fill]", "[[flow]]"),
    *("[state]", 'file = "/dev/zero"', 'file = "pipe.npz"', 'file = "again.toml"', 'file = "../state.npz"'),
    *("[[material]]", "name", "empty", '"" = 1', "\ufeff", "\x7f", "[" * 2000, "a." * 2000 + "a = 1"),
)
"""Texts that replace a part of a scene."""

VALUES = (
    *("true", "-1", "0", "1.5", "nan", "inf", "1e308", "'x'", "''", "[]", "{}", "[1]", "[1, 2]", "[true, 1]"),
    *("'wall'", "'empty'", "'solid'", "'#123456'", "7.91", "'any'", "'same'", "'water'", "'\\u0000'", '"\\u001b[31m"'),
    *("[-1, 99]", "{ a = 1 }", "1979-05-27", str(2**31), str(2**63), str(-(2**63)), "9" * 320, "0x" + "f" * 30),
    *("['flow']", "['x']", "[{}]", "['a', 1]", f"[{2**33}, {2**33}]", f"[[{2**62}, 1], [1, {2**62}], [-{2**62}, 3]]"),
    *("['atoms', 'heat']", "'" + "a" * 5000 + "'", "[" + "0, " * 5000 + "0]", "{ threshold = 1, product = 'water' }"),
)
"""Values that replace the value of a key."""


@cache
def _texts() -> tuple[str, ...]:
    """The texts that are attacked: `OWN`, and the shipped scenes that are small enough to be read often."""
    shipped = (path.read_text(encoding="utf-8") for path in sorted(scene.shipped()))
    return *OWN, *(text for text in shipped if "[map]" not in text)


def attacks(random: Random) -> Iterator[tuple[str, bytes]]:
    """Scenes with one to four things wrong in them, without end: the text, and the same as bytes."""
    while True:
        way = random.random()
        if way < 0.02:
            raw = random.randbytes(random.randrange(200))
        elif way < 0.05:
            raw = _repeated(random, random.choice(_texts())).encode("utf-8", "surrogatepass")
        else:
            text = random.choice(_texts())
            for _ in range(random.choice((1, 1, 2, 4))):
                text = random.choice(_CHANGES)(random, text)
            raw = text.encode("utf-8", "surrogatepass")
        yield raw.decode("utf-8", "backslashreplace"), raw


def judge(path: Path) -> str | None:
    """Read a scene. Returns None if it is a sound world or is refused with a line for each problem; else the fault."""
    text = path.read_bytes()
    world, refused = None, None
    _lay_files(path.parent)
    with measured() as cost:
        try:
            world = load_scene(str(path), max_side=SIDE_MOST).world
        except SceneError as error:
            refused = error
    if cost.seconds > SECONDS_MOST or cost.memory > MEMORY_MOST + len(text):
        return f"took {cost.seconds:.1f} s and {cost.memory >> 20} MiB for {len(text)} bytes"
    if refused is not None:
        return _fault_of_answer(refused, path, text)
    return None if world is None else _fault_of_world(world, path, runs=crc32(text) % RUN_OF == 0)


def _lay_files(folder: Path) -> None:
    """Write the snapshot that a scene of `OWN` names, and make a pipe, in which nobody ever writes."""
    if not (folder / "state.npz").exists():
        laws: dict[str, Any] = {"seed": 7, "edges": "open", "tick": 9, "parameters": {"heat": {"ambient": 30.0}}}
        ports: dict[str, Any] = {"emitters": [Emitter((1, 1), material="sand", rate=0.5)], "drains": [Drain((2, 2))]}
        snapshots.save(World(4, 6, ("atoms", "heat"), **laws, **ports), folder / "state.npz")
        os.mkfifo(folder / "pipe.npz")


def _fault_of_answer(error: SceneError, path: Path, text: bytes) -> str | None:
    lines = text.count(b"\n") + 1
    if not error.problems:
        return "it is refused without a problem"
    for problem in error.problems:
        has_line = not problem.field if problem.line is None else 1 <= problem.line <= lines
        if not has_line or not problem.message:
            return f"a problem has no line of the text: {problem}"
        if not problem.located(path).isprintable():
            return f"a problem is no printable line: {problem.located(path)!r}"
        if len(problem.message) > 1000 or len(problem.field) > 300:
            lengths = f"{len(problem.message)} characters, its field {len(problem.field)}"
            return f"a problem has {lengths}: {problem.located(path)[:200]}"
    return None


def _fault_of_world(world: World, path: Path, *, runs: bool) -> str | None:
    """The fault of a world that was read: it breaks a law, differs from the oracle, or is another one as a scene."""
    try:
        world.validate()
    except UsageError as error:
        return f"a world was read that breaks a law: {error}"
    again = path.with_name("again.toml")
    losses = scene.write(world, again, "Again", "A scene of an attack.")
    if not losses and scene.read(again).world.digest() != world.digest():
        return f"written as a scene and read again it is another world:\n{again.read_text(encoding='utf-8')}"
    save_scene(world, again, "Again", "A scene of an attack.")
    if load_scene(str(again)).world != world:
        return f"saved as a scene and loaded again it is another world:\n{again.read_text(encoding='utf-8')}"
    if runs and math.prod((world.width, world.height)) <= SIDE_MOST**2:
        difference = check(world, 2)
        return None if difference is None else f"it differs from the oracle: {difference}"
    return None


# --- changes --------------------------------------------------------------------------------------------------------


def _piece(random: Random, text: str) -> str:
    """A piece of TOML in place of some characters."""
    place = random.randrange(len(text) + 1)
    return text[:place] + random.choice(PIECES) + text[place + random.choice((0, 1, 4, 20)) :]


def _value(random: Random, text: str) -> str:
    """Another value of a key."""
    lines = text.splitlines()
    keyed = [number for number, line in enumerate(lines) if "=" in line]
    if keyed:
        number = random.choice(keyed)
        lines[number] = f"{lines[number].partition('=')[0]}= {random.choice(VALUES)}"
    return "\n".join(lines) + "\n"


def _line(random: Random, text: str) -> str:
    """A line that is missing, double, at another place, or of another scene."""
    lines = text.splitlines() or [""]
    number, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[number]
        case 1:
            lines.insert(other, lines[number])
        case 2:
            lines.insert(other, lines.pop(number))
        case _:
            lines.insert(number, random.choice(random.choice(_texts()).splitlines()))
    return "\n".join(lines) + "\n"


def _key(random: Random, text: str) -> str:
    """Another key for a value: of the same scene, misspelt, or none at all."""
    lines = text.splitlines()
    keyed = [number for number, line in enumerate(lines) if "=" in line]
    if not keyed:
        return text
    number, other = random.choice(keyed), random.choice(keyed)
    key = lines[number].partition("=")[0].strip()
    new = random.choice((lines[other].partition("=")[0], f"{key}s", key[1:], '""', f'"{key}.{key}"', f"{key}.{key}"))
    lines[number] = f"{new} ={lines[number].partition('=')[2]}"
    return "\n".join(lines) + "\n"


def _joined(random: Random, text: str) -> str:
    """The beginning of one scene and the end of another."""
    other = random.choice(_texts())
    lines, others = text.splitlines(), other.splitlines()
    return "\n".join(lines[: random.randrange(len(lines) + 1)] + others[random.randrange(len(others)) :]) + "\n"


def _repeated(random: Random, text: str) -> str:
    """A piece of TOML, or a line, thousands of times in place of a line."""
    lines = text.splitlines(keepends=True)
    piece = random.choice((*PIECES[1:], *lines))
    number = random.randrange(len(lines))
    lines[number] = piece * (random.choice((20_000, 200_000, 1 << 20)) // len(piece))
    return "".join(lines)


_CHANGES: tuple[Callable[[Random, str], str], ...] = (_piece, _piece, _value, _value, _value, _line, _key, _joined)
