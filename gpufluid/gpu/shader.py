"""Shader text: expands includes, compiles programs, and reports compile errors with the real file and line."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import moderngl

from gpufluid.core.errors import ShaderError
from gpufluid.core.interrupts import held_back
from gpufluid.core.paths import shaders_folder
from gpufluid.gpu.device import Device
from gpufluid.gpu.reached import Part, parts_of, reached
from gpufluid.rules import RULES

PROGRAMS_KEPT = 2048
"""Largest number of programs in the cache of a device; one that is in use stays usable when it leaves the cache.

Each takes some 25 kB of memory on software OpenGL, most of it its text. A world of rule ``atoms`` has some 15, one of
all rules that can stand together some 70.
"""

_FILES_KEPT = 1024
"""Largest number of files whose text is kept, and of generated texts of which the parts are."""

_UNUSED = 2
"""`sys.getrefcount` of an object that only one variable holds: it counts its argument, too."""

_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"\s*(//.*)?$')
_COMMENT_MARK = re.compile(r"//|/\*|\*/")
# Mesa prints "0:15(6): error", NVIDIA "0(15) : error", others "ERROR: 0:15: ".
_PLACE = re.compile(r"^\s*(?:ERROR:\s*)?\d+(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:", re.MULTILINE)


class ShaderText:
    """GLSL with its includes in place.

    Args:
        parts: all its parts, in order. Only those are kept that ``main`` reaches.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = reached(tuple(parts))
        self.text = "".join([f"{line}\n" for part in self._parts for line in part.lines])
        """All lines as one string, for the compiler."""

    @property
    def origins(self) -> list[tuple[str, int]]:
        """For each line, its file and its line number there."""
        return [(part.file, part.first + n) for part in self._parts for n in range(len(part.lines))]

    def translate(self, log: str) -> str:
        """Replace the line numbers in a compiler's messages by the real files and lines."""
        origins = self.origins

        def real(match: re.Match[str]) -> str:
            line = int(match[1] or match[2])
            if not 1 <= line <= len(origins):
                return match[0]
            name, number = origins[line - 1]
            return f"{name}:{number}:"

        return _PLACE.sub(real, log)


def expand(name: str, generated: Mapping[str, str], folder: Path | None = None) -> ShaderText:
    """Read a shader and put its includes in place, each file once, without functions and constants that it never uses.

    Args:
        name: the file below the folder of shaders, such as ``flow/flow.comp``.
        generated: texts by their names, which begin with ``generated/``.
        folder: the folder of shaders; by default that of gpufluid.
    Raises: ShaderError: a missing file, or a circle of includes; the message has file and line of the include.
    """
    parts: list[Part] = []
    _append(parts, name, generated, folder or shaders_folder(), stack=[], done=set(), place=name)
    return ShaderText(parts)


def _append(
    parts: list[Part],
    name: str,
    generated: Mapping[str, str],
    folder: Path,
    *,
    stack: list[str],
    done: set[str],
    place: str,
) -> None:
    if name in stack:
        raise ShaderError(f"{place}: includes go in a circle: {' -> '.join([*stack, name])}")
    if name in done:
        return
    done.add(name)
    for each in _divided(name, _read(name, generated, folder, place)):
        if isinstance(each, Part):
            parts.append(each)
        else:
            here = f"{name}:{each.line}"
            _append(parts, each.file, generated, folder, stack=[*stack, name], done=done, place=here)


@dataclass(frozen=True, slots=True)
class _Include:
    """The include of a file, at a line of another."""

    file: str
    line: int


@lru_cache(maxsize=_FILES_KEPT)
def _divided(name: str, text: str) -> tuple[Part | _Include, ...]:
    """The parts and includes of a file with a text, in order. Each world reads the same files, so they are kept."""
    found: list[Part | _Include] = []
    lines = text.splitlines()
    first, inside_comment = 0, False
    for number, line in enumerate(lines):
        include = None if inside_comment else _INCLUDE.match(line)
        if include:
            found += parts_of(name, first + 1, lines[first:number])
            found.append(_Include(include[1], number + 1))
            first = number + 1
        else:
            inside_comment = _comment_goes_on(line, inside_comment)
    return (*found, *parts_of(name, first + 1, lines[first:]))


def _comment_goes_on(line: str, inside: bool) -> bool:
    """True if a block comment is open at the end of a line; ``inside``: one is open at its start."""
    for mark in _COMMENT_MARK.findall(line):
        if inside:
            inside = mark != "*/"
        elif mark == "//":
            break
        else:
            inside = mark == "/*"
    return inside


def _read(name: str, generated: Mapping[str, str], folder: Path, place: str) -> str:
    if name.startswith("generated/"):
        if name not in generated:
            raise ShaderError(f"{place}: nothing generates {name!r}; there are {sorted(generated)}")
        return generated[name]
    rule, _, rest = name.partition("/")
    own = RULES[rule].shaders if rule in RULES else None
    path = f"{folder}/{name}" if own is None else f"{own}/{rest}"
    try:
        status = os.stat(path)  # noqa: PTH116 (a world includes some 400 files; a `Path` each takes as long as all else)
    except FileNotFoundError:
        status = None
    if status is None or not stat.S_ISREG(status.st_mode):
        raise ShaderError(f"{place}: no shader file {name!r} in {folder}")
    return _text_of(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=_FILES_KEPT)
def _text_of(path: str, changed: int, size: int) -> str:  # noqa: ARG001
    """The text of a file. It is read again if the time of its last change, or its size in bytes, is another one."""
    return Path(path).read_text(encoding="utf-8")


def compile_program(device: Device, name: str, generated: Mapping[str, str]) -> moderngl.ComputeShader:
    """Compile a compute program, or take it from the device's cache if the same text was compiled before.

    Raises: ShaderError: the compiler's messages, with real files and lines.
    """
    source = expand(name, generated)
    program = device.programs.pop(source.text, None)
    if program is None:
        try:
            with held_back():  # moderngl does not survive Ctrl-C while it compiles
                program = device.context.compute_shader(source.text)
        except moderngl.Error as error:
            raise ShaderError(f"{name} does not compile:\n{source.translate(str(error)).strip()}") from None
    device.programs[source.text] = program  # as the last: the first was not asked for the longest time
    if len(device.programs) > PROGRAMS_KEPT:
        _forget_first(device)
    return program


def _forget_first(device: Device) -> None:
    """Take the first program out of the cache, and free it if nothing else refers to it."""
    first = device.programs.pop(next(iter(device.programs)))
    if sys.getrefcount(first) == _UNUSED:
        first.release()  # moderngl frees nothing by itself
