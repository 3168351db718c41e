"""Damaged and hostile snapshots: each is one sentence with the file and the member, and costs little to refuse."""

from __future__ import annotations

import struct
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from attacks.snapshots import Member, header_of, packed, parts_of
from support.snapshots import MASS, Members, laws_with, refusal, with_laws, written

import gpufluid
from gpufluid import Drain, Emitter, World
from gpufluid.core.errors import UsageError
from gpufluid.io import snapshots


def header(descr: str = "'<i4'", order: str = "False", shape: str = "(4, 5)") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


HEADERS = {
    # name: (text of the header, elements, what the message says)
    "no axes": (header(shape="()"), 4, "shape (); expected (4, 5)"),
    "one cell": (header(shape="(1, 1)"), 4, "shape (1, 1); expected (4, 5)"),
    "one row": (header(shape="(5,)"), 20, "shape (5,); expected (4, 5)"),
    "one column": (header(shape="(4, 1)"), 16, "shape (4, 1); expected (4, 5)"),
    "rows as columns": (header(shape="(5, 4)"), 80, "shape (5, 4); expected (4, 5)"),
    "three axes": (header(shape="(1, 4, 5)"), 80, "shape (1, 4, 5); expected (4, 5)"),
    "2**60 elements": (header(shape=f"({2**60},)"), 80, f"shape ({2**60},); expected (4, 5)"),
    "negative": (header(shape="(-4, 5)"), 80, "its NPY header is not that of an array of numbers"),
    "truth as side": (header(shape="(True, 5)"), 80, "its NPY header is not"),
    "big-endian": (header("'>i4'"), 80, "type '>i4'; expected '<i4', which is int32"),
    "unsigned": (header("'<u4'"), 80, "type '<u4'; expected '<i4'"),
    "shorter type": (header("'<i2'"), 40, "type '<i2'; expected '<i4'"),
    "longer type": (header("'<i8'"), 160, "type '<i8'; expected '<i4'"),
    "fractions": (header("'<f4'"), 80, "type '<f4'; expected '<i4'"),
    "truth": (header("'|b1'"), 20, "type '|b1'; expected '<i4'"),
    "objects": (header("'|O'"), 80, "type '|O'; expected '<i4'"),
    "records": (header("[('a', '<i4')]"), 80, "its NPY header is not"),
    "order of Fortran": (header(order="True"), 80, "the order of Fortran; expected that of C"),
    "code": (header("__import__('os').abort()"), 80, "its NPY header is not"),
    "nested": ("(" * 900, 80, "its NPY header is not"),
    "longer than it can be": (header() + " " * 9000, 80, "its NPY header is not"),
    "empty": ("", 80, "its NPY header is not"),
    "elements missing": (header(), 79, "bytes; its header says"),
    "elements too many": (header(), 84, "bytes; its header says"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_an_array_with_a_wrong_header_is_refused(whole: Members, tmp_path: Path, name: str) -> None:
    text, elements, expected = HEADERS[name]
    message = refusal(tmp_path / "x.npz", written(whole, mass=header_of(text) + bytes(elements)))
    assert message.startswith("is a damaged snapshot: mass: ")
    assert expected in message


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is no array in the NPY format"),
        (b"PK\x03\x04" + bytes(200), "is no array in the NPY format"),
        (b"\x93NUMP", "is no array in the NPY format"),
        (b"\x93NUMPY\x01\x00", "its NPY header is not that of an array of numbers"),
        (header_of(header(), b"\x03\x00") + bytes(80), "NPY format 3.0; expected 1.0 or 2.0"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(80), "its NPY header is not that of an array of numbers"),
    ],
    ids=["empty", "zip", "cut in the magic", "cut in the header", "format 3", "header of 4 GiB"],
)
def test_a_member_that_is_no_npy_file_is_refused(whole: Members, tmp_path: Path, content: bytes, expected: str) -> None:
    for name in ("mass", "gpufluid"):
        message = refusal(tmp_path / "x.npz", written(whole, **{name: content}))
        assert message == f"is a damaged snapshot: {name}: {expected}"


def test_a_header_of_npy_format_2_is_read(whole: Members, tmp_path: Path) -> None:
    text, elements = parts_of(whole[MASS].content)
    newer = header_of(text.strip(), b"\x02\x00") + elements
    (tmp_path / "x.npz").write_bytes(written(whole, mass=newer))
    assert gpufluid.load(tmp_path / "x.npz").digest() == gpufluid.load(tmp_path / "whole.npz").digest()


def renamed(members: Members, name: str) -> tuple[Member, ...]:
    return (*(each if each.name != MASS else replace(each, name=name) for each in members.values()),)


def compressed(members: Members, method: int) -> tuple[Member, ...]:
    return tuple(replace(each, method=method if each.name == MASS else 8) for each in members.values())


MEMBERS: dict[str, tuple[Callable[[Members], tuple[Member, ...]], str]] = {
    "missing": (lambda found: tuple(each for each in found.values() if each.name != MASS), "mass: is missing"),
    "double": (lambda found: (*found.values(), found[MASS]), "mass: is there twice"),
    "unknown": (
        lambda found: (*found.values(), replace(found[MASS], name="mist.npy")),
        "mist: expected only arrays of the rules ['flow']",
    ),
    "of another rule": (
        lambda found: (*found.values(), replace(found[MASS], name="grain.npy")),
        "grain: expected only arrays of the rules ['flow']",
    ),
    "of another ending": (lambda found: renamed(found, "mass.txt"), "'mass.txt': expected names that end in .npy"),
    "of an odd name": (
        lambda found: (*found.values(), Member("\x1b[31m.npy", b"")), "'\\x1b[31m': expected only arrays of the rules",
    ),
    "compressed by bzip2": (
        lambda found: compressed(found, zipfile.ZIP_BZIP2),
        "mass: compression method 12; expected 0 (stored) or 8 (deflated)",
    ),
    "compressed by lzma": (
        lambda found: compressed(found, zipfile.ZIP_LZMA),
        "mass: compression method 14; expected 0 (stored) or 8 (deflated)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_that_no_snapshot_has_is_refused_by_name(whole: Members, tmp_path: Path, name: str) -> None:
    change, expected = MEMBERS[name]
    assert refusal(tmp_path / "x.npz", packed(change(whole))).startswith(f"is a damaged snapshot: {expected}")


def test_an_older_snapshot_with_an_atom_and_water_in_a_cell_is_refused_as_such(tmp_path: Path) -> None:
    world = World(4, 5, ("flow", "atoms"))
    world["material"][2, 3] = world.materials["sand"]
    gpufluid.save(world, tmp_path / "x.npz")
    with np.load(tmp_path / "x.npz") as found:
        arrays = dict(found)
    arrays["mass"][2, 3] = 5000
    np.savez(tmp_path / "x.npz", **arrays)
    older = "is from an older version, in which an atom and water could share a cell, or is damaged"
    message = refusal(tmp_path / "x.npz", (tmp_path / "x.npz").read_bytes())
    assert message.startswith(f"{older}: mass[2, 3]: 5000 units beside 1 atom of sand: ")


def test_members_that_are_not_compressed_are_read(whole: Members, tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(packed(tuple(replace(each, method=0) for each in whole.values())))
    assert gpufluid.load(tmp_path / "x.npz").digest() == gpufluid.load(tmp_path / "whole.npz").digest()


def with_directory(content: bytes, name: str, **changes: int) -> bytes:
    """A zip file with other numbers in the entry of a member in its directory."""
    places = {"flags": (8, "H"), "method": (10, "H"), "crc": (16, "I"), "packed": (20, "I"), "size": (24, "I")}
    places |= {"offset": (42, "I"), "version": (6, "H")}
    raw = bytearray(content)
    at = raw.rindex(name.encode()) - 46
    assert raw[at : at + 4] == b"PK\x01\x02"
    for key, number in changes.items():
        struct.pack_into(f"<{places[key][1]}", raw, at + places[key][0], number)
    return bytes(raw)


DIRECTORIES = {
    "encrypted": ({"flags": 1}, "mass: is encrypted"),
    "strongly encrypted": ({"flags": 0x41}, "mass: is encrypted"),
    "patch": ({"flags": 0x20}, "mass: is encrypted"),
    "unknown method": ({"method": 99}, "mass: compression method 99"),
    "checksum": ({"crc": 1}, 'mass: is damaged: "Bad CRC-32'),
    "larger": ({"size": 4000}, "mass: has 4000 bytes; its header says 208"),
    "smaller": ({"size": 200}, 'mass: is damaged: "Bad CRC-32'),
    "empty": ({"size": 0}, 'mass: is damaged: "Bad CRC-32'),
    "4 GiB": ({"size": 0xFFFFFFFE}, "mass: has 4294967294 bytes; its header says 208"),
    "longer than the file": ({"packed": 1 << 30}, "reaches beyond the end of the file"),
    "over another": ({"offset": 0}, "overlaps another member"),
    "behind the end": ({"offset": 0x7FFFFFFF}, "mass: reaches beyond the end of the file"),
}


@pytest.mark.parametrize("name", DIRECTORIES)
def test_a_wrong_number_in_the_directory_is_refused(whole: Members, tmp_path: Path, name: str) -> None:
    changes, expected = DIRECTORIES[name]
    message = refusal(tmp_path / "x.npz", with_directory(written(whole), MASS, **changes))
    assert expected in message


@pytest.mark.parametrize("changes", [{"version": 99}, {"size": 0xFFFFFFFF}, {"offset": 0xFFFFFFFF}])
def test_a_directory_that_zipfile_cannot_read_is_refused(
    whole: Members, tmp_path: Path, changes: dict[str, int]
) -> None:
    """A later version of the format; sizes that refer to a zip64 record which is not there."""
    message = refusal(tmp_path / "x.npz", with_directory(written(whole), MASS, **changes))
    assert message.startswith(("is no snapshot of gpufluid: ", "is a damaged snapshot: mass: "))


def test_compressed_data_that_end_early_are_refused(whole: Members, tmp_path: Path) -> None:
    text, elements = parts_of(whole[MASS].content)
    content = written(whole, mass=header_of(text.strip()) + elements[:-4])
    size = len(header_of(text.strip())) + len(elements)
    assert "mass: is cut off" in refusal(tmp_path / "x.npz", with_directory(content, MASS, size=size))


def test_damaged_compressed_data_are_refused(whole: Members, tmp_path: Path) -> None:
    raw = bytearray(written(whole))
    place = raw.index(MASS.encode()) + len(MASS) + 10
    raw[place : place + 20] = bytes(20)
    assert refusal(tmp_path / "x.npz", bytes(raw)).startswith("is a damaged snapshot: mass: is damaged: ")


TEXTS: dict[str, tuple[Callable[[str], str | bytes], str]] = {
    "empty": (lambda _: "", "laws: no JSON: Expecting value at character 0"),
    "no object": (lambda _: "[1]", "laws: [1]; expected an object"),
    "not finished": (lambda laws: laws[:-1], "laws: no JSON: "),
    "UTF-16": (lambda laws: laws.encode("utf-16"), "laws: byte 0 is no UTF-8"),
    "nested": (lambda laws: laws[:-1] + ', "x": ' + "[" * 9000 + "]" * 9000 + "}", "laws: nested too deeply"),
    "thousands of digits": (lambda laws: laws.replace('"seed": 0', '"seed": ' + "9" * 5000), "thousands of digits"),
    "infinity": (lambda laws: laws.replace('"seed": 0', '"seed": -Infinity'), "laws: -Infinity; expected a number"),
    "over the range of a float": (lambda laws: laws.replace('"seed": 0', '"seed": 1e999'), "seed: inf; expected"),
    "a key twice": (lambda laws: laws[:-1] + ', "seed": 1}', "laws: the key 'seed' is given twice"),
    "a key twice inside": (
        lambda laws: laws.replace('"rate"', '"start": 0, "rate"', 1), "laws: the key 'start' is given twice",
    ),
    "longer than it may be": (lambda laws: laws + " " * (1 << 22), "gpufluid: shape ("),
    "over the number of values": (lambda laws: laws[:-1] + ', "x": [' + "0," * 300_000 + "0]}", "over 262144 values"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_laws_that_are_no_sound_json_are_refused(whole: Members, tmp_path: Path, name: str) -> None:
    change, expected = TEXTS[name]
    text = change(laws_with(whole))
    content = with_laws(whole, text if isinstance(text, bytes) else text.encode())
    assert expected in refusal(tmp_path / "x.npz", content)


WORDS = "a" * 100_000
VALUES = {
    # name: (laws, what the message says)
    "format of a truth value": ({"format": True}, "is a snapshot of format True; this gpufluid reads 1"),
    "format of a fraction": ({"format": 1.0}, "is a snapshot of format 1.0; this gpufluid reads 1"),
    "unknown key": ({"wind": 3}, "wind: unknown key"),
    "unknown key, not to be printed": ({"\x1b[31m": 3}, "'\\x1b[31m': unknown key"),
    "height as truth value": ({"height": True}, "height: True; expected a whole number"),
    "height as fraction": ({"height": 4.0}, "height: 4.0; expected a whole number"),
    "height missing": ({"height": None}, "height: None; expected a whole number"),
    "tick below 0": ({"tick": -1}, "tick: -1; expected a whole number"),
    "tick of 64 bits": ({"tick": 2**63}, f"tick: {2**63}; expected a whole number from 0 to {2**63 - 1}"),
    "seed in words": ({"seed": "1"}, "seed: '1'; expected a whole number"),
    "rules as object": ({"rules": {"flow": 1}}, "rules: {'flow': 1}; expected a list"),
    "rules as text": ({"rules": "flow"}, "rules: 'flow'; expected a list"),
    "rule as list": ({"rules": [["flow"]]}, "rules[0]: ['flow']; expected text"),
    "rules thousandfold": ({"rules": ["flow"] * 9999}, "rules: ['flow', 'flow', "),
    "rule without end": ({"rules": [WORDS]}, "(100002 characters)"),
    "edges as list": ({"edges": ["wrap"]}, "edges: ['wrap'] is not known"),
    "emitters as object": ({"emitters": {}}, "emitters: {}; expected a list"),
    "emitter as list": ({"emitters": [[0, 0]]}, "emitters[0]: [0, 0]; expected an object"),
    "emitter nowhere": ({"emitters": [{}]}, "emitters[0].at: is missing"),
    "emitter of no material": ({"emitters": [{"at": [0, 0], "material": WORDS}]}, "unknown material 'aaa"),
    "emitter far away": ({"emitters": [{"at": [10**4299, 0]}]}, "emitter.at: "),
    "emitter after the last tick": ({"drains": [{"at": [0, 0], "start": 2**63}]}, "expected a tick up to"),
    "parameters as list": ({"parameters": []}, "parameters: []; expected an object"),
    "parameter without end": ({"parameters": {"flow": {WORDS: 1}}}, "rule flow has no parameter 'aaa"),
    "parameter as truth value": ({"parameters": {"flow": {"max_mass": True}}}, "flow.max_mass: True is not a number"),
    "ledger as list": ({"ledger": []}, "ledger: []; expected an object"),
    "ledger of truth values": ({"ledger": {"left": True}}, "ledger.left: True; expected a whole number"),
    "ledger of fractions": ({"ledger": {"left": 1.0}}, "ledger.left: 1.0; expected a whole number"),
    "ledger of lists": ({"ledger": {"left": [[[[]]]]}}, "ledger.left: [[[[]]]]; expected a whole number"),
    "ledger, unknown entry": ({"ledger": {"lost": 1}}, "ledger.lost: unknown key"),
    "ledger of 64 bits": ({"ledger": {"left": 2**63}}, f"ledger.left: {2**63}; expected a whole number"),
    "ledger of heat, below": ({"heat": {"air": -(2**63) - 1}}, "heat.air: -9223372036854775809; expected"),
    "account as number": ({"atoms": {"sand": 3}}, "atoms['sand']: 3; expected an object"),
    "account without end": ({"atoms": {WORDS: {"left": 1}}}, "atoms: counts 'aaa"),
    "materials as object": ({"materials": {}}, "materials: {}; expected a list"),
    "no materials": ({"materials": []}, "materials: 0 records; expected 1 to 255"),
    "reactions as text": ({"reactions": "x"}, "reactions: 'x'; expected a list"),
    "reaction without names": ({"reactions": [{"name": "x", "become": "y"}]}, "reactions[0].between: is missing"),
    "reaction of objects": (
        {"reactions": [{"name": "x", "between": {"a": 1}, "become": "y"}]}, "from: ({'a': 1},); expected two names",
    ),
    "constituent, unknown flow": ({"constituents": [{"material": "sand", "x": {}}]}, "constituents[0].x: unknown key"),
    "constituent, no flow": ({"constituents": [{"material": "sand", "vertical": 3}]}, "vertical: 3; expected a table"),
    "conversion, number": ({"conversions": [{"name": "x", "from": "a", "become": "b", "most": 10**400}]}, "most: 100"),
    "conversion without product": ({"conversions": [{"name": "x", "from": "a"}]}, "conversions[0].become: is missing"),
    "domain as list": ({"domain": [1]}, "domain: [1]; expected an object"),
    "domain without size": ({"domain": {"origin": [0, 0], "whole_size": [9, 9]}}, "domain.size: is missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_a_law_of_another_type_is_refused(whole: Members, tmp_path: Path, name: str) -> None:
    changes, expected = VALUES[name]
    sys.set_int_max_str_digits(0)
    try:
        text = laws_with(whole, **changes).encode()
    finally:
        sys.set_int_max_str_digits(4300)
    message = refusal(tmp_path / "x.npz", with_laws(whole, text))
    assert expected in message
    assert len(message) < 400


RECORD = {"name": "empty", "state": "EMPTY", "density": 0, "colour": [0, 0, 0]}
MATERIALS = {
    "tags as text": ({"tags": "abc"}, "materials[0].tags: 'abc'; expected a list"),
    "too many tags": ({"tags": [f"a{n}" for n in range(33)]}, "tags: "),
    "colour as object": ({"colour": {"r": 1}}, "materials[0].colour: {'r': 1}; expected a list"),
    "state as list": ({"state": ["SOLID"]}, "materials[0].state: ['SOLID'] is not known"),
    "transition as text": ({"above": "steam"}, "materials[0].above: 'steam'; expected an object"),
    "transition without product": ({"above": {"threshold": 1}}, "materials[0].above.product: is missing"),
    "transition, unknown key": (
        {"below": {"threshold": 1, "product": "ice", "heat": 1}}, "materials[0].below.heat: unknown key",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MATERIALS)
def test_a_material_with_values_of_another_type_is_refused(whole: Members, tmp_path: Path, name: str) -> None:
    change, expected = MATERIALS[name]
    text = laws_with(whole, materials=[RECORD | change]).encode()
    assert expected in refusal(tmp_path / "x.npz", with_laws(whole, text))


def test_laws_too_long_for_a_snapshot_are_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpufluid.io.snapshot_laws.BYTES_MOST", 1000)
    with pytest.raises(UsageError, match="the laws of this world are too long for a snapshot: "):
        snapshots.save(World(2, 2, rules=("flow",)), tmp_path / "x.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.long("seconds for 8,192 ports")
def test_the_most_ports_fit_into_a_snapshot(tmp_path: Path) -> None:
    """Numbers with the most digits, in as many ports as a world may have."""
    long = 0.12345678901234567
    emitters = [
        Emitter((n % 64, n // 64), (1, 1), 2**62, 2**63 - 1, "salt water", long, long, long, (-long, long), long, -long)
        for n in range(4096)
    ]
    drains = [Drain((n % 64, n // 64), (1, 1), 2**62, 2**63 - 1, long) for n in range(4096)]
    world = World(64, 64, ("flow", "atoms"), emitters=emitters, drains=drains)
    snapshots.save(world, tmp_path / "x.npz")
    back = gpufluid.load(tmp_path / "x.npz")
    assert (list(back.emitters), list(back.drains)) == (emitters, drains)
