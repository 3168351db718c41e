"""What is wrong with a text that is no TOML, in words for those who do not know TOML."""

from __future__ import annotations

import re
import tomllib

from gpufluid.core.errors import shown

_TOKEN = re.compile(
    r'(?P<text>"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*)|(?P<open>[\["\'])|(?P<close>\])',
    re.DOTALL,
)
"""Texts and comments, in which brackets count for nothing; an array's [ and ]; a quote that begins no whole text."""

_MARGIN = " \t\r\n"


def explained(error: tomllib.TOMLDecodeError, text: str) -> tuple[str, int]:
    """The message for a syntax error of a scene file, and its line, counted from 1.

    Args:
        error: what `tomllib` has raised.
        text: the content of the file.
    """
    message, _, place = str(error).rpartition(" (at ")
    found = re.fullmatch(r"line (\d+), column (\d+)\)", place)
    if found is None:  # at the end of the document
        line, rest = text.rstrip(_MARGIN).count("\n") + 1, ""
    else:
        line = int(found[1])
        rest = text.split("\n")[line - 1][int(found[2]) - 1 :].rstrip("\r")
    beginning = text if found is None else "\n".join([*text.split("\n")[: line - 1], ""])
    opened = _opened(beginning)
    message = message or str(error)
    if opened and opened[1] in "\"'" and found is None:
        return "the text that begins here has no closing quote", opened[0]
    if message == "Invalid value":
        message = f"invalid value{_hint(rest)}"
    elif message == "Unclosed array":
        message = "expected a comma or ] in an array"
    elif message.startswith((r"Illegal character '\n'", r"Illegal character '\r'")):
        message = "a text has no closing quote in its line"
    elif message.startswith("Expected newline or end of document"):
        message = f"unexpected {shown(rest)} after the value"
    elif message.startswith("Expected '=' after a key"):
        message = "expected KEY = VALUE"
    elif message.startswith("Cannot overwrite"):
        message = "a key that was given before"
    elif (named := re.fullmatch(r"Cannot declare \((.*)\) twice", message)) is not None:
        name = ".".join(part.strip("' ") for part in named[1].split(",") if part)
        message = f"[{name}] is there twice; for a list write [[{name}]], with two brackets, for each"
    if opened and opened[1] == "[":
        message += f"; the array that begins in line {opened[0]} has no ]"
    return message, line


def _hint(rest: str) -> str:
    """What to write where a value should be, from what stands there to the end of the line."""
    if not rest.strip(_MARGIN):
        return ": nothing stands here"
    if rest[0] == "(":
        return "; an array is written in brackets, such as [20, 20]"
    if (word := re.match("(?i)true|false", rest)) is not None:
        return f"; write {word[0].lower()}"
    return "; text needs quotes" if rest[0].isalpha() or rest[0] in "#./_" else ""


def _opened(text: str) -> tuple[int, str] | None:
    """The line and the character of the first [ or quote in a text that is not closed in it; None: all are closed."""
    arrays: list[int] = []
    for token in _TOKEN.finditer(text):
        if token["open"] and token["open"] != "[":
            return text.count("\n", 0, token.start()) + 1, token["open"]
        if token["open"]:
            arrays.append(token.start())
        elif token["close"] and arrays:
            arrays.pop()
    return (text.count("\n", 0, arrays[0]) + 1, "[") if arrays else None
