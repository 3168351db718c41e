"""Write the tables of the documentation that follow from declarations: keys and actions, and the facts of each rule.

``.venv/bin/python tools/write_tables.py`` replaces the texts between two marks, in ``docs/guides/play.md``,
``docs/reference/viewer.md`` and ``docs/rules/<rule>.md``. ``--check`` writes nothing, and exits 1 if a table is out of
date.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import gpufluid.viewer  # noqa: F401  registers the actions
from gpufluid.rules import RULES, TICK, Parameter, Rule
from gpufluid.viewer.actions import ACTIONS, GROUPS, Action
from gpufluid.viewer.texts import readable_chord

DOCS = Path(__file__).parents[1] / "docs"
PLAY = DOCS / "guides" / "play.md"
_END = "<!-- end of table -->\n"


def keys_table() -> str:
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
        shown = readable_chord(chord)
        more = ", ".join(str(value) for value in given.values())
        words.append(f"`{shown}`" + (f" ({more})" if more else ""))
    if action.name == "favourite":
        return "`1` to `9`, `0`"
    if action.name == "set_favourite":
        return "`Shift+1` to `Shift+9`, `Shift+0`"
    return ", ".join(words)


def actions_table() -> str:
    """Format all actions with their arguments as a Markdown table, one row each, by group."""
    lines = ["| action | arguments | |", "|---|---|---|"]
    for group in GROUPS:
        for action in (each for each in ACTIONS.values() if each.group == group):
            given = list(inspect.signature(action.run).parameters.values())[1:]
            shown = code(each.name if each.default is each.empty else f"{each.name}={each.default!r}" for each in given)
            lines.append(f"| `{action.name}` | {shown} | {action.about} |")
    return "\n".join(lines) + "\n"


def facts(rule: Rule) -> str:
    """Format what a rule declares: the rules that it goes with, its arrays, overlays, passes and parameters."""
    of_one_world = {each.name for each in rule.variants[0].passes if not (each.sums_up or each.only_in_part)}
    passes = sorted(of_one_world, key=lambda name: TICK.index(f"{rule.name}.{name}"))
    rows = {
        "in a scene": " or ".join(f"`rules = [{quoted(names)}]`" for names in ways(rule)),
        "not together with": code(conflicts(rule)),
        "arrays of its worlds": code(rule.fields) or "those of the rule that it works on",
        "overlays": code(overlay.name for overlay in rule.overlays),
        "presets": code(rule.presets),
        "variants, which differ in speed only": code(variant.name for variant in rule.variants),
        "passes, in the order of a tick": code(passes),
    }
    lines = ["| | |", "|---|---|"] + [f"| {name} | {value} |" for name, value in rows.items() if value]
    if rule.parameters:
        lines += ["", "| parameter | default | allowed | |", "|---|---|---|---|"]
        for each in rule.parameters:
            lines.append(f"| `{each.name}` | {word(each.default)} | {allowed(each)} | {each.about} |")
    return "\n".join(lines) + "\n"


def ways(rule: Rule) -> list[tuple[str, ...]]:
    """The smallest sets of rules with which a rule runs."""
    needs = rule.requires.needs
    return [(*needs, other, rule.name) for other in rule.requires.works_on] or [(*needs, rule.name)]


def conflicts(rule: Rule) -> list[str]:
    """The names of the rules that cannot share a world with a rule, whichever of the two declares it."""
    mine = rule.requires.conflicts
    return [name for name, other in RULES.items() if name in mine or rule.name in other.requires.conflicts]


def quoted(names: tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def word(value: object) -> str:
    """A value as a scene file has it."""
    return str(value).lower() if isinstance(value, bool) else f'`"{value}"`' if isinstance(value, str) else str(value)


def allowed(parameter: Parameter) -> str:
    """The values that a parameter can take."""
    if parameter.choices:
        return ", ".join(word(choice) for choice in parameter.choices)
    return "true, false" if parameter.switch else f"{parameter.low:g} to {parameter.high:g}"


def tables() -> Iterator[tuple[Path, str, str]]:
    """Yield each table: the page, the mark before the table, and the table."""
    yield DOCS / "reference" / "viewer.md", "<!-- actions, by tools/write_tables.py -->\n", actions_table()
    yield PLAY, "<!-- keys, by tools/write_tables.py -->\n", keys_table()
    for name, rule in RULES.items():
        yield DOCS / "rules" / f"{name}.md", f"<!-- facts of rule {name}, by tools/write_tables.py -->\n", facts(rule)


def main() -> int:
    """Write or check the tables. Returns the exit code."""
    words = argparse.ArgumentParser(description="Write the tables of the documentation that follow from declarations.")
    words.add_argument("--check", action="store_true", help="write nothing; exit 1 if a table is out of date")
    check, old = words.parse_args().check, []
    for page, begin, table in tables():
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(begin)
        wanted = before + begin + table + _END + rest.split(_END, 1)[1]
        if wanted != text:
            old.append(page.relative_to(DOCS).as_posix())
        if not check:
            page.write_text(wanted, encoding="utf-8")
    if check and old:
        print(f"not as tools/write_tables.py writes them: {', '.join(old)}", file=sys.stderr)
    return int(check and bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
