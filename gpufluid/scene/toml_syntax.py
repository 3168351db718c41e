"""Messages for scene files that are not valid TOML."""

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
        is_table = text.split("\n")[line - 1].lstrip(_MARGIN).startswith("[")
        message = f"unexpected {shown(rest)} after {'the name of the table' if is_table else 'the value'}"
    elif message.startswith("Expected '=' after a key"):
        message = "expected KEY = VALUE, with a key without spaces"
    elif message.startswith("Expected ']' at the end of a table"):
        message = "the name of a table has no ]"
    elif message.startswith("Invalid statement"):
        message = "expected KEY = VALUE, [table], or a comment that begins with #"
    elif message.startswith("Unclosed inline table"):
        message = "expected a comma or } in a table; an array is written in brackets, such as [20, 20]"
    elif message.startswith(("Unescaped '\\'", "Invalid hex value")):
        message = "a \\ in a text; write \\\\, or the text in single quotes"
    elif message.startswith("Cannot overwrite"):
        message = "the key or table of this line was given before; for a list of tables write [[...]] for each"
    elif (named := re.fullmatch(r"Cannot declare \((.*)\) twice", message)) is not None:
        name = ".".join(part.strip("' ") for part in named[1].split(",") if part)
        message = f"[{name}] is there twice; for a list write [[{name}]], with two brackets, for each"
    if opened and opened[1] == "[" and _opened(text) == opened:
        message += f"; the array that begins in line {opened[0]} has no ]"
    return message, line


def _hint(rest: str) -> str:
    """A hint for an invalid value; ``rest`` is the text from the value to the end of its line."""
    if not rest.strip(_MARGIN) or re.match("#(?![0-9a-fA-F]{3})", rest):
        return ": nothing stands here"
    if rest[0] == "(":
        return "; an array is written in brackets, such as [20, 20]"
    if rest[0] == "." and rest[1:2].isdigit():
        return "; a number begins with a digit, such as 0.5"
    if rest[0] in "\u201c\u201d\u2018\u2019":
        return "; text stands in straight quotes"
    if (word := re.match(r"(?i)(true|false)\b", rest)) is not None:
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
