"""Write the README's table of keys from the viewer's actions.

``.venv/bin/python tools/write_keys.py`` replaces the text between two marks. ``--check`` writes nothing, and exits 1 if
the table is out of date.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import gpufluid.viewer  # noqa: F401  registers the actions
from gpufluid.viewer.actions import ACTIONS, GROUPS, Action

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- keys, by tools/write_keys.py -->\n", "<!-- end of keys -->\n"


def table() -> str:
    """Format all actions that have keys as a Markdown table, one row each, by group."""
    lines = ["| | keys | |", "|---|---|---|"]
    for group in GROUPS:
        actions = [action for action in ACTIONS.values() if action.group == group and action.keys]
        for number, action in enumerate(actions):
            lines.append(f"| {group if number == 0 else ''} | {keys(action)} | {action.about} |")
    return "\n".join(lines) + "\n"


def keys(action: Action) -> str:
    """Format an action's keys with their arguments, such as ``B`` (paint), ``E`` (erase)."""
    words = []
    for chord, given in action.keys.items():
        shown = "+".join(part.capitalize() for part in chord.split("+")) if chord not in ("+", "ctrl++") else chord
        more = ", ".join(str(value) for value in given.values())
        words.append(f"`{shown}`" + (f" ({more})" if more else ""))
    if action.name == "favourite":
        return "`1` to `9`, `0`"
    if action.name == "set_favourite":
        return "`Shift+1` to `Shift+9`, `Shift+0`"
    return ", ".join(words)


def main() -> int:
    """Write or check the table. Returns the exit code."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--check", action="store_true", help="write nothing; exit 1 if the table is out of date")
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    wanted = before + BEGIN + table() + END + rest.split(END)[1]
    if words.parse_args().check:
        return int(wanted != text)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
