"""Messages to a server that are wrong in some way, or odd; always the same for a number."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable

from gpufluid.viewer.actions import ACTIONS

_LETTERS = string.printable + "\u00e9\u2028\U0001f600\x00"
_KEYS = ("x", "y", "type", "button", "modifiers", "steps", "number", "width", "frame", "extra")
_NAMES = ("name", "ticks", "at", "path", "x", "y", "count", "cells", "steps", "on", "rules", "points", "ending")
_WORDS = ("sand", "../../etc/passwd", "/etc/passwd", "__class__", "ctrl+s", "press", "save")
_WHOLE: dict[str, dict[str, object]] = {
    "press": {"x": 5, "y": 5},
    "move": {"x": 9, "y": 5},
    "release": {"x": 9, "y": 5},
    "wheel": {"x": 9, "y": 5, "steps": 1},
    "key": {"chord": "ctrl+z"},
    "act": {"name": "pause", "arguments": {}},
    "size": {"width": 300, "height": 200},
    "got": {"frame": 1},
    "nothing": {},
}


def junk(chance: random.Random, depth: int = 0) -> object:
    """Some JSON value, often an extreme one."""
    words: list[Callable[[], object]] = [
        lambda: None,
        lambda: chance.choice([True, False]),
        lambda: chance.choice([0, -1, 5, 10**6, 10**400, -(2**63), 3.7, 1e308, -0.0]),
        lambda: "".join(chance.choices(_LETTERS, k=chance.choice([0, 3, 90, 900]))),
        lambda: chance.choice(_WORDS),
    ]
    if depth < 3:
        words += [
            lambda: [junk(chance, depth + 1) for _ in range(chance.choice([0, 1, 3, 60]))],
            lambda: {str(junk(chance, 3)): junk(chance, depth + 1) for _ in range(chance.choice([0, 1, 3]))},
        ]
    return chance.choice(words)()


def fuzzed(number: int) -> str | bytes:
    """A message that is wrong in some way, or at least odd; always the same for a number."""
    chance = random.Random(number)
    kind = chance.choice(list(_WHOLE))
    message = {"type": kind, **_WHOLE[kind]}
    if kind == "act":
        message["name"] = chance.choice([*ACTIONS, "exec"])
        message["arguments"] = {chance.choice(_NAMES): junk(chance) for _ in range(chance.choice([0, 1, 1, 2]))}
    if kind == "key":
        message["chord"] = chance.choice([junk(chance), "ctrl+s", "q", "ctrl+alt+shift+x"])
    for _ in range(chance.choice([0, 1, 2])):
        message[chance.choice(_KEYS)] = junk(chance)
    text = json.dumps(message)
    how = chance.choice(["whole", "whole", "whole", "cut", "mangled", "bytes"])
    if how == "cut":
        return text[: chance.randrange(len(text))]
    if how == "mangled":
        at = chance.randrange(len(text))
        return text[:at] + chance.choice(string.printable) + text[at + 1 :]
    return chance.randbytes(chance.choice([0, 10, 300])) if how == "bytes" else text
