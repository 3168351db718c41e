"""The pages of the documentation, and the blocks of code, links and pictures on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

ROOT = Path(__file__).parents[2]
PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
_FILE = re.compile(r"`([\w-]+\.toml)`")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code between two lines with three backticks.

    Args:
        page: the file.
        line: the number of its first line.
        language: the word after the backticks; empty for commands.
        text: the code.
        file: the name of the TOML file that the paragraph before the block names last, or ``scene.toml``.
    """

    page: Path
    line: int
    language: str
    text: str
    file: str


def name_of(page: Path) -> str:
    """The page relative to the repository, such as ``docs/start.md``."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[Block]:
    """The blocks of a page in the given languages, by default all."""
    text, found = page.read_text(encoding="utf-8"), []
    for match in _BLOCK.finditer(text):
        paragraph = text[: match.start()].rstrip().rpartition("\n\n")[2]
        files = _FILE.findall(paragraph) if paragraph.endswith(":") else []
        line = text.count("\n", 0, match.start()) + 2
        found.append(Block(page, line, match[1], match[2], files[-1] if files else "scene.toml"))
    return [block for block in found if not languages or block.language in languages]


def all_blocks(*languages: str) -> list[Block]:
    """The blocks of all pages in the given languages."""
    return [block for page in PAGES for block in blocks(page, *languages)]


def links(page: Path) -> list[tuple[str, str, bool]]:
    """The links of a page, outside blocks of code, as (file or empty, anchor or empty, whether it is a picture)."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    found = []
    for picture, target in _LINK.findall(text):
        if "://" not in target:
            file, _, anchor = target.partition("#")
            found.append((file, anchor, bool(picture)))
    return found


def anchors(page: Path) -> set[str]:
    """The anchors of a page: those of its headings, and those that it names itself."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip()) for heading in headings}
    return made | set(re.findall(r"<a id='([^']+)'>", text))


def by_page(found: Iterable[Block]) -> dict[Path, list[Block]]:
    """Blocks by their page, in order."""
    pages: dict[Path, list[Block]] = {}
    for block in found:
        pages.setdefault(block.page, []).append(block)
    return pages


def cases(pages: Iterable[Path], short: set[str], why: str) -> list[ParameterSet]:
    """Parameters of a test, one for each page; the short run has the pages that ``short`` names.

    Raises: ValueError: ``short`` names a page that is not among them.
    """
    names = {name_of(page): page for page in pages}
    if missing := short - set(names):
        raise ValueError(f"no such page: {', '.join(sorted(missing))}")
    return [
        pytest.param(page, id=name, marks=() if name in short else pytest.mark.long(why))
        for name, page in names.items()
    ]
