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
from gpufluid.gpu.conditions import Branch, Segment, is_selected, segment, select
from gpufluid.gpu.device import Device
from gpufluid.gpu.reached import Line, Part, reached
from gpufluid.rules import RULES

PROGRAMS_KEPT = 2048
"""Largest number of programs in the cache of a device; one that is in use stays usable when it leaves the cache.

Each takes 0.5 to 1.5 MB of memory on software OpenGL, most of it the driver's. A world of rule ``atoms`` has some 15,
one of all rules that can stand together some 70.
"""

_FILES_KEPT = 1024
"""Largest number of files whose text is kept, and of texts of which the segments and includes are."""

_UNUSED = 2
"""`sys.getrefcount` of an object that only one variable holds: it counts its argument, too."""

_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"$')
# A line that ends with a backslash goes on in the next, also in a comment.
_COMMENT = re.compile(r"//(?:\\\n|[^\n])*|/\*.*?\*/", re.DOTALL)
# Mesa prints "0:15(6): error", NVIDIA "0(15) : error", others "ERROR: 0:15: ".
_PLACE = re.compile(r"^\s*(?:ERROR:\s*)?\d+(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:", re.MULTILINE)


class ShaderText:
    """GLSL with its includes in place.

    Args:
        parts: all its parts, in order. Only those are kept that ``main`` reaches.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = reached(tuple(parts))
        self.text = "".join([f"{line.text}\n" for part in self._parts for line in part.lines])
        """All lines as one string, for the compiler."""

    @property
    def origins(self) -> list[tuple[str, int]]:
        """For each line, its file and its line number there."""
        return [(part.file, line.number) for part in self._parts for line in part.lines]

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
    """Read a shader and put its includes in place, each file once, without all that it never uses.

    Comments, the lines that conditions leave out, and functions, constants and macros without use are gone.

    Args:
        name: the file below the folder of shaders, such as ``flow/flow.comp``.
        generated: texts by their names, which begin with ``generated/``.
        folder: the folder of shaders; by default that of gpufluid.
    Raises: ShaderError: a missing file, a circle of includes, or an ``#if`` without end; the message has file and line.
    """
    expansion = _Expansion(generated, folder or shaders_folder())
    expansion.append(name, place=name)
    return ShaderText(expansion.parts)


class _Expansion:
    """A shader while its files are put together.

    Args:
        generated: texts by their names, which begin with ``generated/``.
        folder: the folder of shaders.
    """

    def __init__(self, generated: Mapping[str, str], folder: Path) -> None:
        self._generated = generated
        self._folder = folder
        self._stack: list[str] = []
        self._done: set[str] = set()
        self._defined: dict[str, bool | None] = {}
        self.parts: list[Part] = []

    def append(self, name: str, place: str) -> None:
        """Append a file with its includes, unless it was appended before; ``place`` is where it is included."""
        if name in self._stack:
            raise ShaderError(f"{place}: includes go in a circle: {' -> '.join([*self._stack, name])}")
        if name in self._done:
            return
        self._done.add(name)
        self._stack.append(name)
        branches: tuple[Branch, ...] = ()
        for each in _divided(name, _read(name, self._generated, self._folder, place)):
            if isinstance(each, Segment):
                parts, defined, branches = select(each, self._defined, branches)
                self.parts += parts
                self._defined.update(defined)
            elif is_selected(branches):
                self.append(each.file, f"{name}:{each.line}")
        if branches:
            raise ShaderError(f"{name}:{branches[-1].line}: no #endif for this #if")
        self._stack.pop()


@dataclass(frozen=True, slots=True)
class _Include:
    """The include of a file, at a line of another."""

    file: str
    line: int


@lru_cache(maxsize=_FILES_KEPT)
def _divided(name: str, text: str) -> tuple[Segment | _Include, ...]:
    """The segments and includes of a file with a text, in order. Each world reads the same files, so they are kept."""
    found: list[Segment | _Include] = []
    lines: list[Line] = []
    for number, line in enumerate(_without_comments(text).splitlines(), start=1):
        if include := _INCLUDE.match(line.rstrip()):
            found += [segment(name, lines), _Include(include[1], number)]
            lines = []
        elif line.strip():
            lines.append(Line(number, line.rstrip()))
    return (*found, segment(name, lines))


def _without_comments(text: str) -> str:
    """A text with a space for each comment, and as many lines as before. GLSL has no strings that could hide one."""
    return _COMMENT.sub(lambda comment: " " + "\n" * comment[0].count("\n"), text)


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
