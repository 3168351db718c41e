"""The words of ``gpufluid run --vary``."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from gpufluid.core.errors import UsageError, shown

if TYPE_CHECKING:
    from gpufluid.run.variations import Variation
    from gpufluid.scene.toml_lines import TomlValue

_LARGEST = 1e15
"""Numbers from here on are no values of a parameter; those below are exact."""

_NAME = re.compile(r"[A-Za-z0-9_ -]+(\[[0-9]+\])?(\.[A-Za-z0-9_-]+(\[[0-9]+\])?)?")

_BETWEEN = re.compile(r"""("[^"]*"|\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]|[^,:"\[\]])*""")
"""A value: up to a comma or a colon that is in no quotes and no list."""

_EXPECTED = "expected seed or NAME=FROM:TO, such as flow.max_compress=0.01:0.05"


def variation_of(word: str) -> Variation:
    """A variation, from ``NAME``, ``NAME=FROM:TO``, ``NAME=FROM:TO:WAY`` or ``NAME=A,B,C``.

    ``WAY`` is a number of values, ``powers``, ``draw``, or a number and ``powers``: ``1:100:3:powers``. ``A,B,C:draw``
    is one of the values at random.

    Raises: UsageError: another form, or values that are no numbers where numbers are expected.
    """
    from gpufluid.run.variations import GRAVITY, SEED, Variation

    name, equals, text = (part.strip() for part in word.partition("="))
    if not _NAME.fullmatch(name) or (equals and not text) or (name == SEED and equals):
        raise UsageError(f"--vary {shown(word)}: {_EXPECTED}")
    if not equals:
        if name == SEED or "[" in name:
            return Variation(name)
        raise UsageError(f"--vary {shown(word)}: {_EXPECTED}")
    commas = _split(text, ",")
    last, *ways = _split(commas[-1], ":")
    if len(commas) > 1 or name == GRAVITY:
        if ways not in ([], ["draw"]):
            raise UsageError(f"--vary {shown(word)}: {shown(':'.join(ways))} after a list; expected nothing or draw")
        choices = [_value(each) for each in (*commas[:-1], last)]
        return Variation(name, choices=choices, how="draw" if ways else "steps")
    if not ways:
        raise UsageError(f"--vary {shown(word)}: {_EXPECTED}")
    first, last, *ways = last, *ways
    number = int(ways.pop(0)) if ways and ways[0].isdecimal() and len(ways[0]) < 6 else None
    how = ways.pop(0) if ways else "steps"
    if ways or how not in ("steps", "powers", "draw") or (how == "draw" and number) or (number or 2) < 2:
        raise UsageError(f"--vary {shown(word)}: expected FROM:TO, and then a number from 2 on, powers or draw")
    return Variation(name, _number(word, first), _number(word, last), how, number)


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that are in no quotes and no list."""
    parts, at = [""], 0
    while at < len(text):
        found = _BETWEEN.match(text, at)
        end = found.end() if found else at
        parts[-1] += text[at:end]
        if end < len(text):
            if text[end] == separator:
                parts.append("")
            else:
                parts[-1] += text[end]
        at = end + 1
    return [part.strip() for part in parts]


def _value(text: str) -> TomlValue:
    """The value of a text as TOML; a text that is no TOML is a word."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text


def _number(word: str, text: str) -> TomlValue:
    """A number or a list of numbers. Raises UsageError: anything else, or a number that is not finite or too large."""
    value = _value(text)
    parts = [value]
    while any(isinstance(each, list) for each in parts):
        parts = [part for each in parts for part in (each if isinstance(each, list) else [each])]
    are_numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in parts)
    if not parts or not are_numbers or not all(abs(each) < _LARGEST for each in parts):
        raise UsageError(f"--vary {shown(word)}: {shown(text)} is no number; expected FROM:TO, such as 0.01:0.05")
    return value
