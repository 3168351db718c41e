"""Shader text: expands includes, compiles programs, and reports compile errors with the real file and line."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import moderngl

from gpufluid.core.errors import ShaderError
from gpufluid.core.interrupts import held_back
from gpufluid.core.paths import shaders_folder
from gpufluid.gpu.device import Device
from gpufluid.rules import RULES

PROGRAMS_KEPT = 256
"""Largest number of programs in the cache of a device; one that is in use stays usable when it leaves the cache."""

_UNUSED = 2
"""`sys.getrefcount` of an object that only one variable holds: it counts its argument, too."""

_INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"\s*(//.*)?$')
_COMMENT_MARK = re.compile(r"//|/\*|\*/")
# Mesa prints "0:15(6): error", NVIDIA "0(15) : error", others "ERROR: 0:15: ".
_PLACE = re.compile(r"^\s*(?:ERROR:\s*)?\d+(?::(\d+)(?:\(\d+\))?|\((\d+)\))\s*:", re.MULTILINE)


@dataclass
class ShaderText:
    """GLSL with its includes in place.

    Args:
        lines: the text.
        origins: for each line, its file and its line number there.
    """

    lines: list[str] = field(default_factory=list)
    origins: list[tuple[str, int]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All lines as one string, for the compiler."""
        return "\n".join(self.lines) + "\n"

    def translate(self, log: str) -> str:
        """Replace the line numbers in a compiler's messages by the real files and lines."""

        def real(match: re.Match[str]) -> str:
            line = int(match[1] or match[2])
            if not 1 <= line <= len(self.origins):
                return match[0]
            name, number = self.origins[line - 1]
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
    result = ShaderText()
    _append(result, name, generated, folder or shaders_folder(), stack=[], done=set(), place=name)
    return result


def _append(
    result: ShaderText,
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
    inside_comment = False
    for number, line in enumerate(_read(name, generated, folder, place).splitlines(), start=1):
        include = None if inside_comment else _INCLUDE.match(line)
        if include:
            here = f"{name}:{number}"
            _append(result, include[1], generated, folder, stack=[*stack, name], done=done, place=here)
            continue
        inside_comment = _comment_goes_on(line, inside_comment)
        result.lines.append(line)
        result.origins.append((name, number))


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
    path = _place_of(name, folder)
    if not path.is_file():
        raise ShaderError(f"{place}: no shader file {name!r} in {folder}")
    return path.read_text(encoding="utf-8")


def _place_of(name: str, folder: Path) -> Path:
    """The file of a shader: in the shader folder that its rule declares, else below ``folder``."""
    rule, _, rest = name.partition("/")
    own = RULES[rule].shaders if rule in RULES else None
    return folder / name if own is None else own / rest


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
