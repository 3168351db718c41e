"""Attacks on snapshots: files that are damaged, rebuilt, or made to cost memory and time."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import gpufluid
from attacks.bombs import with_many_members, with_member, zeros
from attacks.cost import measured
from gpufluid import Domain, Drain, Emitter, World
from gpufluid.core.errors import UsageError

MEMORY_MOST = 64 << 20
"""Bytes that a refused file may cost beside its own size."""

SECONDS_MOST = 2.0
"""Seconds of the processor that a file may cost."""

TEXT_MOST = 1000
"""Characters of an answer, beside the path of the file."""

LAWS = "gpufluid.npy"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a zip file.

    Args:
        name: its name.
        content: its content, not compressed.
        method: its compression method.
    """

    name: str
    content: bytes
    method: int = zipfile.ZIP_DEFLATED


def attacks(random: Random) -> Iterator[tuple[str, bytes]]:
    """Snapshots with something wrong in them, without end: the name of the attack and the content of the file."""
    kinds = [_flipped, _flipped_in_directory, _cut, _rebuilt, _rebuilt, _relabelled, _relawed, _relawed, _rewritten]
    while True:
        kind = random.choice(kinds)
        yield kind(random, random.choice(_worlds()))


def judge(path: Path) -> str | None:
    """Load a snapshot. Returns None if it is refused in one clean sentence, or read as a sound world; else the fault.

    Args:
        path: the file.
    """
    size = path.stat().st_size
    answer, world, fault = "", None, None
    with measured() as cost:
        try:
            world = gpufluid.load(path)
        except UsageError as error:
            answer = str(error)
        except BaseException as error:
            fault = f"{type(error).__name__}: {str(error)[:200]}"
    if fault is None and cost.seconds > SECONDS_MOST:
        fault = f"took {cost.seconds:.1f} s"
    needed = 0 if world is None else 2 * sum(world[name].nbytes for name in world.fields)
    if fault is None and cost.memory > size + MEMORY_MOST + needed:
        fault = f"took {cost.memory >> 20} MiB of memory for a file of {size} bytes"
    if fault is None:
        fault = _fault_of_answer(answer, path) if world is None else _fault_of_world(world)
    return fault


def _fault_of_answer(answer: str, path: Path) -> str | None:
    if not answer.startswith(f"{path}: "):
        return f"the answer does not begin with the file: {answer[:200]!r}"
    if not answer.isprintable():
        return f"the answer is no single printable line: {answer[:200]!r}"
    return f"the answer has {len(answer)} characters" if len(answer) > len(str(path)) + TEXT_MOST else None


def _fault_of_world(world: World) -> str | None:
    """The fault of a world that was read: it breaks a law, or is another after it was saved and read again."""
    try:
        world.validate()
    except UsageError as error:
        return f"a world was read that breaks a law: {error}"
    with tempfile.TemporaryDirectory() as folder:
        gpufluid.save(world, Path(folder) / "again.npz")
        again = gpufluid.load(Path(folder) / "again.npz")
    same = again.digest() == world.digest() and again.same_laws(world) and again.ledgers == world.ledgers
    same = same and (again.emitters, again.drains) == (world.emitters, world.drains)
    return None if same else "the world is another after it was saved and read again"


@cache
def _worlds() -> tuple[tuple[Member, ...], ...]:
    """Small snapshots of all rules: the members of each."""
    water = World(
        *(7, 9),
        edges="open",
        emitters=[Emitter((0, 0), (3, 1), velocity=(1.0, -0.5), until=50)],
        drains=[Drain((2, 3), rate=0.5)],
        parameters={"flow": {"substeps": 2}},
    )
    water["mass"] = np.arange(63).reshape(7, 9) << 14
    rules = ("flow", "atoms", "heat", "reactions")
    atoms = World(6, 8, rules, edges="wrap", seed=2**32 - 1, tick=2**40)
    atoms["material"] = np.arange(48).reshape(6, 8) % len(atoms.materials)
    atoms.draw_grain()
    atoms.draw_temperature()
    atoms.atoms += gpufluid.AtomLedger({"sand": gpufluid.Ledger(5, 1)})
    bodies = World(6, 6, ("mixture", "pressure"))
    bodies["mixture"] = 1 << 18
    piece = World(4, 5, ("atoms",), domain=Domain((3, 2), (5, 4), (20, 20)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.npz"
        found = []
        for world in (water, atoms, bodies, piece):
            gpufluid.save(world, path)
            with zipfile.ZipFile(path) as file:
                found.append(tuple(Member(info.filename, file.read(info)) for info in file.infolist()))
    return tuple(found)


def packed(members: tuple[Member, ...]) -> bytes:
    """A zip file with these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        for member in members:
            archive.writestr(zipfile.ZipInfo(member.name), member.content, member.method)  # of no date
    return file.getvalue()


def array(content: np.ndarray, **header: object) -> bytes:
    """An NPY file with the elements of an array, of any shape and any integer type, and with entries in its header."""
    usual = {"descr": content.dtype.str, "fortran_order": False, "shape": content.shape}
    return header_of(repr(usual | header)) + content.tobytes()


def header_of(text: str, version: bytes = b"\x01\x00") -> bytes:
    """The header of an NPY file with this text."""
    raw = text.encode("latin-1", "replace")
    raw += b" " * (-(len(raw) + 11) % 64) + b"\n"
    return b"\x93NUMPY" + version + len(raw).to_bytes(2 if version[0] == 1 else 4, "little") + raw


def parts_of(content: bytes) -> tuple[str, bytes]:
    """The text of the header of an NPY file, and its elements."""
    end = 10 + int.from_bytes(content[8:10], "little")
    return content[10:end].decode("latin-1"), content[end:]


# --- bytes ----------------------------------------------------------------------------------------------------------


def _flipped(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    raw = bytearray(packed(members))
    places = [random.randrange(len(raw)) for _ in range(random.choice((1, 1, 2, 8)))]
    for place in places:
        raw[place] ^= random.choice((1, 0x80, 0xFF, random.randrange(1, 256)))
    return f"bytes {places} flipped", bytes(raw)


def _flipped_in_directory(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    """Numbers in the directory, in the record at its end, and in the headers before members."""
    raw = bytearray(packed(members))
    mark, (first, end) = random.choice(((b"PK\x01\x02", (4, 46)), (b"PK\x05\x06", (4, 22)), (b"PK\x03\x04", (4, 30))))
    places = [place for place in range(len(raw)) if raw[place : place + 4] == mark]
    place = random.choice(places) + random.randrange(first, end - 3)
    width, number = random.choice((2, 4)), random.choice((0, 1, 99, 0xFFFE, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF))
    raw[place : place + width] = (number & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    return f"{width} bytes at {place}, in {mark!r}, are {number:#x}", bytes(raw)


def _cut(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    raw = packed(members)
    first, end = sorted(random.randrange(len(raw) + 1) for _ in range(2))
    part = random.randbytes(random.choice((1, 40)))
    ways = {
        "the beginning": raw[:first],
        "the end": raw[first:],
        "a part missing": raw[:first] + raw[end:],
        "a part twice": raw[:end] + raw[first:],
        "a part zero": raw[:first] + bytes(end - first) + raw[end:],
        "something in between": raw[:first] + part + raw[first:],
        "something after": raw + part,
        "something before": part + raw,
        "a comment": raw[:-2] + b"\xff\xff" + bytes(0xFFFF),
        "itself before": raw + raw,
    }
    way = random.choice(list(ways))
    return f"{way}, {first} to {end}", ways[way]


# --- members --------------------------------------------------------------------------------------------------------


def _rebuilt(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    """Members that are missing, double, unknown, compressed in another way, longer, shorter."""
    number = random.randrange(len(members))
    one, rest = members[number], members[:number] + members[number + 1 :]
    other = random.choice(members)
    text, elements = parts_of(one.content)
    ways: dict[str, Callable[[], tuple[Member, ...]]] = {
        "is missing": lambda: rest,
        "is there twice": lambda: (*members, one),
        "is last": lambda: (*rest, one),
        "has another name": lambda: (*rest, replace(one, name=random.choice(_NAMES))),
        "has the content of another": lambda: (*rest, replace(one, content=other.content)),
        "has an unknown one beside it": lambda: (*members, Member(random.choice(_NAMES), random.randbytes(50))),
        "has many beside it": lambda: members + tuple(Member(f"{n}.npy", b"") for n in range(random.choice((9, 9000)))),
        "is stored": lambda: (*rest, replace(one, method=zipfile.ZIP_STORED)),
        "is compressed by bzip2": lambda: (*rest, replace(one, method=zipfile.ZIP_BZIP2)),
        "is compressed by lzma": lambda: (*rest, replace(one, method=zipfile.ZIP_LZMA)),
        "is cut": lambda: (*rest, replace(one, content=one.content[: random.randrange(len(one.content))])),
        "is longer": lambda: (*rest, replace(one, content=one.content + bytes(random.choice((1, 4, 1 << 20))))),
        "is empty": lambda: (*rest, replace(one, content=b"")),
        "has random elements": lambda: (*rest, replace(one, content=_with(text, random.randbytes(len(elements))))),
        "has one other byte": lambda: (*rest, replace(one, content=_with(text, _poked(random, elements)))),
    }
    way = random.choice(list(ways))
    raw = packed(ways[way]())
    if random.random() < 0.3:  # and corrupt it, for what decompressors raise
        broken = bytearray(raw)
        for _ in range(20):
            broken[random.randrange(len(broken))] = random.randrange(256)
        return f"{one.name} {way}, and 20 bytes are random", bytes(broken)
    return f"{one.name} {way}", raw


_NAMES = (
    "extra.npy",
    "mass",
    "mass.npy.npy",
    "",
    ".npy",
    "../mass.npy",
    "gpufluid",
    "a/b.npy",
    "\x1b[31m.npy",
    "ü.npy",
)


def _with(text: str, elements: bytes) -> bytes:
    return header_of(text.rstrip("\n ")) + elements


def _poked(random: Random, elements: bytes) -> bytes:
    place = random.randrange(max(len(elements), 1))
    return elements[:place] + random.randbytes(1) + elements[place + 1 :]


# --- headers of arrays ----------------------------------------------------------------------------------------------


def _header_text(descr: str, order: str, shape: str) -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


_SHAPES = (
    *("()", "(1,)", "(1, 1)", "(0,)", "(0, 0)", "(-1, 4)", "(1, 1, 1)", "(4, 5)", "(5, 4)", "4", "[4, 5]", "None"),
    *("(1152921504606846976,)", "(4294967296, 4294967296)", "(65536, 65536)", "(True, True)", "(4.0, 5.0)", "'ab'"),
    *("(9" + "9" * 400 + ",)", "((1, 2), 3)", "(1, 2", "(4L, 5L)", "(1e9, 1)", "(0x10, 1)", "(268435456,)"),
)
_TYPES = (
    *("'<i4'", "'>i4'", "'|u1'", "'|i1'", "'<u1'", "'<i2'", "'>i2'", "'<i8'", "'<f4'", "'<f8'", "'|O'", "'O'", "'|b1'"),
    *("'<U5'", "'|S1000000000'", "'|V8'", "'int32'", "'<M8[s]'", "[('a', '<i4')]", "('<i4', (1000, 1000))", "4"),
    *("None", "'<i4' * 9", "__import__('os')", "'\\d'", "1if 1else 2", "''", "'<c16'", "'<i4,<i4'"),
)
_TEXTS = (
    "",
    "{}",
    "{",
    "(" * 900,
    "[" * 9000,
    "{'descr': '<i4'}",
    "\x00" * 40,
    "None",
    "1" * 9000,
    "'" * 7,
    "\xff" * 30,
)


def _relabelled(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    """An array whose header says something else."""
    number = random.randrange(len(members))
    one = members[number]
    text, elements = parts_of(one.content)
    own = [part.strip() for part in _parted(text)]
    version = random.choice((*(b"\x01\x00",) * 6, b"\x02\x00", b"\x03\x00", b"\x09\x09", b"\x00\x00"))
    if random.random() < 0.2:
        text = random.choice(_TEXTS)
    else:
        how = random.randrange(1, 8)
        text = _header_text(
            random.choice(_TYPES) if how & 1 else own[0],
            random.choice(("True", "False", "0", "1", "None", "'x'")) if how & 2 else own[1],
            random.choice(_SHAPES) if how & 4 else own[2],
        )
    header = header_of(text, version)
    if random.random() < 0.1:  # another length of the header
        length = random.choice((0, 1, 60, 0x7FFFFFFF, 0xFFFFFFFF))
        header = header[:8] + struct.pack("<I", length)[: 2 if version[0] == 1 else 4] + header[10:]
    if random.random() < 0.3:  # elements as many as one element of the usual type, or as few
        elements = elements[: random.choice((0, 1, 4))]
    changed = replace(one, content=header + elements)
    found = list(members)
    for place in range(len(found)) if random.random() < 0.2 else [number]:  # all members alike, or one
        found[place] = changed if place == number else replace(found[place], content=header + elements)
    return f"the header of {one.name} is {header[6:100]!r}", packed(tuple(found))


def _parted(text: str) -> list[str]:
    record = text.strip()
    descr, rest = record.removeprefix("{'descr': ").split(", 'fortran_order': ")
    order, shape = rest.split(", 'shape': ")
    return [descr, order, shape.removesuffix(", }")]


# --- laws -----------------------------------------------------------------------------------------------------------

_MARK = "@@here@@"

_RAW = (
    *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "9" * 300, "9" * 5000, "-0", "0.1", "1.0", "true", "false"),
    *("null", '""', '"x"', '"\\ud800"', '"\\u0000"', '"\\u001b[31m"', '"' + "a" * 100_000 + '"', "[]", "{}", "[[]]"),
    *("[" * 100_000, "[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500, "[0,1]", "[0.5,0.5]", '["a","b"]'),
    *("-1", "0", "1", "2", "3", "255", "256", "65535", "65536", "65537", str(2**31), str(2**32), str(2**63 - 1)),
    *(str(2**63), str(2**64), str(-(2**63)), '{"a":1}', '{"a":1,"a":2}', '"\xff"', "tru", "01", '"flow"', '"wall"'),
    *('"water"', '"empty"', '"any"', '"up"', '"wrap"', '["flow"]', '["atoms","heat"]', '"\\n"', f"[{'0,' * 30_000}0]"),
    *("[" + "[]," * 1_000_000 + "0]", "[" + '{"a":0},' * 200_000 + "0]", "[" + '"ab",' * 600_000 + "0]"),
    *("{" + ",".join(f'"k{n}":0' for n in range(200_000)) + "}", '"' + "a" * 5_000_000 + '"'),
)


def _relawed(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    """Laws with any value at any key."""
    laws = json.loads(parts_of({each.name: each.content for each in members}[LAWS])[1])
    said = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        path, holder, key = _place(random, laws)
        said.append(f"{path} {_changed(random, laws, holder, key)}")
    text = json.dumps(laws)
    for _ in range(min(text.count(f'"{_MARK}"'), 3)):
        raw = random.choice(_RAW)
        text = text.replace(f'"{_MARK}"', raw, 1)
        said.append(raw if len(raw) < 40 else f"{raw[:20]}... ({len(raw)} characters)")
    text = text.replace(f'"{_MARK}"', "0")  # thousands of copies; each as long as the longest text would be a bomb here
    return f"laws: {'; '.join(said)}", _with_laws(members, text.encode("latin-1", "replace"))


def _with_laws(members: tuple[Member, ...], text: bytes) -> bytes:
    content = array(np.frombuffer(text, np.uint8))
    return packed(tuple(replace(each, content=content) if each.name == LAWS else each for each in members))


def _place(random: Random, laws: Any) -> tuple[str, Any, Any]:
    """A random place in the laws: its path, what holds it, and its key or index there."""
    path, holder = "", laws
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        key = random.choice(keys)
        path += f".{key}" if isinstance(holder, dict) else f"[{key}]"
        if not isinstance(holder[key], dict | list) or not holder[key] or random.random() < 0.15:
            return path, holder, key
        holder = holder[key]


def _changed(random: Random, laws: Any, holder: Any, key: Any) -> str:
    """Change the value at a place. Returns how."""
    how = random.choice(("other", "other", "other", "gone", "renamed", "added", "copied", "many", "shorter"))
    if how == "gone":
        del holder[key]
    elif how == "renamed" and isinstance(holder, dict):
        holder[random.choice((f"{key}x", "", "at", "self", "\x1b", "state"))] = holder.pop(key)
    elif how == "added" and isinstance(holder, dict):
        holder[random.choice(("extra", "from", "tags", "domain", "heat", "name"))] = _MARK
    elif how == "copied":
        _, other, its = _place(random, laws)
        holder[key] = json.loads(json.dumps(other[its]))
    elif how == "many" and isinstance(holder, list):
        holder += [holder[key]] * random.choice((300, 5000))
    elif how == "shorter" and isinstance(holder[key], list | str):
        holder[key] = holder[key][:-1]
    else:
        holder[key] = _MARK
    return how


def _rewritten(random: Random, members: tuple[Member, ...]) -> tuple[str, bytes]:
    """The text of the laws, changed as text; bombs."""
    text = parts_of({each.name: each.content for each in members}[LAWS])[1]
    place = random.randrange(len(text))
    ways: dict[str, Callable[[], bytes]] = {
        "in UTF-16": lambda: _with_laws(members, text.decode().encode("utf-16")),
        "with a byte order mark": lambda: _with_laws(members, b"\xef\xbb\xbf" + text),
        "empty": lambda: _with_laws(members, b""),
        "no JSON": lambda: _with_laws(members, random.randbytes(100)),
        "a list": lambda: _with_laws(members, b"[]"),
        "one character changed": lambda: _with_laws(members, text[:place] + random.randbytes(1) + text[place + 1 :]),
        "one character gone": lambda: _with_laws(members, text[:place] + text[place + 1 :]),
        "cut": lambda: _with_laws(members, text[:place]),
        "twice": lambda: _with_laws(members, text + text),
        "with 8 MB of blanks": lambda: _with_laws(members, text + b" " * 8_000_000),
        "beside a bomb": lambda: with_member(packed(members), "bomb.npy", 0xFFFFFFFE, zeros(4 << 30)),
        "of 4 GiB": lambda: with_member(packed(_without(members, LAWS)), LAWS, 0xFFFFFFFE, zeros(4 << 30)),
        "beside an array that is 4 GiB long": lambda: _overlong(members),
        "in a directory of thousands of members": lambda: with_many_members(packed(members), 20_000),
    }
    way = random.choice(list(ways))
    return f"laws {way}", ways[way]()


def _without(members: tuple[Member, ...], name: str) -> tuple[Member, ...]:
    return tuple(each for each in members if each.name != name)


def _overlong(members: tuple[Member, ...]) -> bytes:
    """An array with the size that its world needs in the directory, and with more in its data."""
    one = members[-1]
    return with_member(packed(_without(members, one.name)), one.name, len(one.content), zeros(4 << 30))
