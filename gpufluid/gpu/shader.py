"""Shader text: expands includes, compiles programs, and reports compile errors with the real file and line."""

from __future__ import annotations

import os
import re
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
from gpufluid.rules import RULES

PROGRAMS_KEPT = 256
"""Largest number of programs in the cache of a device; one that is in use stays usable when it leaves the cache."""

_FILES_KEPT = 1024
"""Largest number of files whose text is kept, and of generated texts of which the parts are."""

_UNUSED = 2
"""`sys.getrefcount` of an object that only one variable holds: it counts its argument, too."""

_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"\s*(//.*)?$')
_COMMENT_MARK = re.compile(r"//|/\*|\*/")
# Mesa prints "0:15(6): error", NVIDIA "0(15) : error", others "ERROR: 0:15: ".
_PLACE = re.compile(r"^\s*(?:ERROR:\s*)?\d+(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Run:
    """Successive lines of a file, up to its next include.

    Args:
        name: the file.
        first: the number of the first line in the file, from 1.
        text: the lines, each with its line end.
        include: the file that follows the lines; None at the end of the file.
    """

    name: str
    first: int
    text: str
    include: str | None

    @property
    def end(self) -> int:
        """The number in the file of the line after these."""
        return self.first + self.text.count("\n")


class ShaderText:
    """GLSL with its includes in place.

    Args:
        runs: its parts, in order.
    """

    def __init__(self, runs: Sequence[_Run]) -> None:
        self._runs = runs
        self.text = "".join([run.text for run in runs])
        """All lines as one string, for the compiler."""

    @property
    def origins(self) -> list[tuple[str, int]]:
        """For each line, its file and its line number there."""
        return [(run.name, number) for run in self._runs for number in range(run.first, run.end)]

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
    """Read a shader and put its includes in place, each file once.

    Args:
        name: the file below the folder of shaders, such as ``flow/flow.comp``.
        generated: texts by their names, which begin with ``generated/``.
        folder: the folder of shaders; by default that of gpufluid.
    Raises: ShaderError: a missing file, or a circle of includes; the message has file and line of the include.
    """
    runs: list[_Run] = []
    _append(runs, name, generated, folder or shaders_folder(), stack=[], done=set(), place=name)
    return ShaderText(runs)


def _append(
    runs: list[_Run],
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
    for run in _runs_of(name, _read(name, generated, folder, place)):
        runs.append(run)
        if run.include is not None:
            here = f"{name}:{run.end}"
            _append(runs, run.include, generated, folder, stack=[*stack, name], done=done, place=here)


@lru_cache(maxsize=_FILES_KEPT)
def _runs_of(name: str, text: str) -> tuple[_Run, ...]:
    """The runs of a file with a text. Each world reads the same files, so the result is kept."""
    runs: list[_Run] = []
    first, lines, inside_comment = 1, list[str](), False
    for number, line in enumerate(text.splitlines(), start=1):
        include = None if inside_comment else _INCLUDE.match(line)
        if include:
            runs.append(_Run(name, first, "".join(lines), include[1]))
            first, lines = number + 1, []
            continue
        inside_comment = _comment_goes_on(line, inside_comment)
        lines.append(f"{line}\n")
    return (*runs, _Run(name, first, "".join(lines), None))


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
        raise ShaderError(f"{place}: no shader file {name!r} in {folder}") from None
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
    if source.text not in device.programs:
        try:
            with held_back():  # moderngl does not survive Ctrl-C while it compiles
                device.programs[source.text] = device.context.compute_shader(source.text)
            if len(device.programs) > PROGRAMS_KEPT:
                _forget_oldest(device)
        except moderngl.Error as error:
            raise ShaderError(f"{name} does not compile:\n{source.translate(str(error)).strip()}") from None
    return device.programs[source.text]


def _forget_oldest(device: Device) -> None:
    """Take the oldest program out of the cache, and free it if nothing else refers to it."""
    oldest = device.programs.pop(next(iter(device.programs)))
    if sys.getrefcount(oldest) == _UNUSED:
        oldest.release()  # moderngl frees nothing by itself
