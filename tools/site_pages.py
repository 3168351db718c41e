"""A hook of mkdocs: makes pages of the site from notebooks, and from files outside docs/ to which pages link.

``README.md`` and the other texts of the repository's root are pages by the names in `ROOT_PAGES`. Any other file
outside ``docs/`` to which a page links, such as the source of a rule, is a page in the site's folder ``source``. Links
are written for the repository, where people read the same pages, and rewritten here for the site. A notebook of
``docs/notebooks/`` is a page with its text, its code, and the results that it holds.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig  # pyright: ignore[reportMissingImports]
    from mkdocs.structure.files import Files  # pyright: ignore[reportMissingImports]
    from mkdocs.structure.pages import Page  # pyright: ignore[reportMissingImports]

ROOT = Path(__file__).resolve().parents[1]
ROOT_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
NOTEBOOKS = "docs/notebooks/"
_LANGUAGES = dict.fromkeys((".comp", ".glsl"), "glsl") | {".py": "python", ".toml": "toml", ".sh": "bash"}
_LANGUAGES |= {".json": "json", ".cff": "yaml"}
_PARTS = re.compile(r"(^```.*?^```$|(?<!`)`[^`\n]+`(?!`))|(\]\()([^)\s]+)(\))", re.MULTILINE | re.DOTALL)
"""A block of code, code within a line, or the target of a link with what is around it."""


def site_path(path: str) -> str:
    """The place in the site of a file of the repository; both with slashes and without a leading one."""
    if path in ROOT_PAGES:
        return ROOT_PAGES[path]
    if path.startswith(NOTEBOOKS) and path.endswith(".ipynb"):
        path = posixpath.splitext(path)[0] + ".md"
    return path.removeprefix("docs/") if path.startswith("docs/") else f"source/{path}.md"


def with_links(text: str, path: str, note: Callable[[str], None] = lambda _path: None) -> str:
    """Rewrite the links of a page for the site.

    Args:
        text: Markdown.
        path: the page's place in the repository.
        note: is called with the place in the repository of each file that a link names.
    """

    def rewritten(match: re.Match[str]) -> str:
        if match[1] or ":" in match[3] or match[3].startswith("#"):
            return match[0]
        file, sharp, anchor = match[3].partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        note(target)
        link = posixpath.relpath(site_path(target), posixpath.dirname(site_path(path)) or ".")
        return f"{match[2]}{link}{sharp}{anchor}{match[4]}"

    return _PARTS.sub(rewritten, text)


def source_page(path: str) -> str:
    """The text of the page that shows a file of the repository."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return f"# {posixpath.basename(path)}\n\n`{path}`\n\n`````{_LANGUAGES[Path(path).suffix]}\n{text}`````\n"


def notebook_page(path: str) -> tuple[str, dict[str, bytes]]:
    """The text of the page that shows a notebook, and its pictures by their file names beside the page.

    Args:
        path: the notebook's place in the repository.
    """
    import nbformat  # pyright: ignore[reportMissingImports]
    from nbconvert import MarkdownExporter  # pyright: ignore[reportMissingImports]

    name = posixpath.basename(path)
    notebook = nbformat.read(ROOT / path, as_version=4)
    notebook.metadata["language_info"] = {"name": "python"}  # colours the code
    text, made = MarkdownExporter().from_notebook_node(notebook, {"unique_key": name.removesuffix(".ipynb")})
    head, _, rest = with_links(text, path).lstrip().partition("\n")
    source = f"The notebook itself: [{name}]({name}).\n"
    return f"{head}\n\n{source}{rest}", {place: bytes(content) for place, content in made.get("outputs", {}).items()}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    from mkdocs.structure.files import File, InclusionLevel  # pyright: ignore[reportMissingImports]

    named: set[str] = set()
    for path, page in ROOT_PAGES.items():
        text = with_links((ROOT / path).read_text(encoding="utf-8"), path, named.add)
        files.append(File.generated(config, page, content=text))
    for file in files.documentation_pages():
        if not file.generated_by:
            with_links(file.content_string, f"docs/{file.src_uri}", named.add)
    hidden = InclusionLevel.NOT_IN_NAV
    for path in sorted(each.relative_to(ROOT).as_posix() for each in (ROOT / NOTEBOOKS).glob("*.ipynb")):
        text, pictures = notebook_page(path)
        files.append(File.generated(config, site_path(path), content=text, inclusion=hidden))
        for name, content in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=content))
    for path in sorted(named):
        if site_path(path).startswith("source/") and (ROOT / path).is_file():
            files.append(File.generated(config, site_path(path), content=source_page(path), inclusion=hidden))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite the links of a page of docs/."""
    del config, files
    if page.is_homepage:
        page.meta["hide"] = ["navigation"]  # it would be one line
    return markdown if page.file.generated_by else with_links(markdown, f"docs/{page.file.src_uri}")
