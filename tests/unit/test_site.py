"""The site of the documentation builds without a warning, has every page and public name, and asks no other host."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path

import pytest
import site_pages
from support.chromium import headless_chromium
from support.pages import PAGES, ROOT, name_of

import gpufluid

CONFIG = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
REFERENCE = "\n".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/reference").glob("*.md"))
NAMED = re.findall(r"^::: ([\w.]+)$", REFERENCE, re.MULTILINE)
LISTED = re.findall(r"^ *- (?:[^:\n]+: )?([\w/]+\.md)$", CONFIG.partition("\nnav:\n")[2], re.MULTILINE)
LONG = pytest.mark.long("builds the site, in half a minute, and needs the extras docs and dev-all")


def test_the_navigation_has_every_page_once() -> None:
    pages = {site_pages.site_path(name_of(page)) for page in PAGES}
    assert sorted(LISTED) == sorted(pages)


def names_in(module: str) -> tuple[set[str], set[str]]:
    """All names at the top of a module of gpufluid, and those in its ``__all__``; the module is not imported."""
    path = ROOT.joinpath(*module.split("."))
    text = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
    every, public = set[str](), set[str]()
    for part in ast.parse(text).body:
        match part:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                every.add(name)
            case ast.ImportFrom(names=names):
                every |= {each.asname or each.name for each in names}
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                public |= set(ast.literal_eval(value))
    return every, public


def test_the_reference_has_every_public_name_and_only_names_that_exist() -> None:
    assert {f"gpufluid.{name}" for name in gpufluid.__all__} - set(NAMED) == {"gpufluid.__version__", "gpufluid.oracle"}
    assert "gpufluid.oracle.step" in NAMED
    for module in ("gpufluid.cluster", "gpufluid.envs", "gpufluid.notebook"):
        assert {f"{module}.{name}" for name in names_in(module)[1]} - set(NAMED) == set()
    assert len(set(NAMED)) == len(NAMED)
    for named in NAMED:
        module, _, name = named.rpartition(".")
        found = dir(gpufluid) if module == "gpufluid" else names_in(module)[0]  # which imports its names when asked
        assert name in found, named


@pytest.mark.parametrize(
    ("page", "link", "expected"),
    [
        ("README.md", "docs/start.md#1-install", "start.md#1-install"),
        ("README.md", "CHANGELOG.md", "changelog.md"),
        ("CONTRIBUTING.md", "docs/how/laws.md", "how/laws.md"),
        ("docs/rules/atoms.md", "heat.md", "heat.md"),
        ("docs/rules/atoms.md", "../films/hourglass.webp", "../films/hourglass.webp"),
        ("docs/rules/atoms.md", "../../CONTRIBUTING.md#to-add-a-rule", "../contributing.md#to-add-a-rule"),
        ("docs/rules/atoms.md", "../../gpufluid/rules/atoms.py", "../source/gpufluid/rules/atoms.py.md"),
        ("docs/start.md", "#where-it-runs", "#where-it-runs"),
        ("docs/start.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_links_are_rewritten_for_the_site(page: str, link: str, expected: str) -> None:
    assert site_pages.with_links(f"A [link]({link}).", page) == f"A [link]({expected})."


def test_links_within_code_stay_as_they_are() -> None:
    text = "`[a](README.md)`\n\n```python\ncells[a](README.md)\n```\n"
    assert site_pages.with_links(text, "docs/start.md") == text


def test_the_source_of_a_rule_is_shown_whole() -> None:
    path = "gpufluid/rules/atoms.py"
    assert f"`````python\n{(ROOT / path).read_text()}`````\n" in site_pages.source_page(path)


@LONG
def test_docstrings_with_sections_on_one_line_are_read() -> None:
    pytest.importorskip("griffe", reason="the extra docs is not installed")
    from site_docstrings import sections_apart

    text = "Read.\n\nReturns: a world,\n    new. Raises: KeyError: none. SceneError: bad;\n    wrong.\n\nMore."
    returns, raises = "Returns:\n    a world, new.", "Raises:\n    KeyError: none.\n    SceneError: bad; wrong."
    parts = [part.strip() for part in sections_apart(text).split("\n\n")]
    assert [part for part in parts if part] == ["Read.", returns, raises, "More."]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by the command of tools/docs.sh, in which a warning is an error."""
    pytest.importorskip("material", reason="the extra docs is not installed")
    pytest.importorskip("mkdocstrings", reason="the extra docs is not installed")
    (line,) = re.findall(
        r"^\.venv/bin/python (-m mkdocs .*) \"\$@\"$", (ROOT / "tools/docs.sh").read_text(), re.MULTILINE
    )
    assert "--strict" in line
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, *shlex.split(line), "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@LONG
def test_every_page_is_built_and_loads_nothing_from_another_host(built: Path) -> None:
    pages = {path.relative_to(built).as_posix() for path in built.rglob("*.html")}
    assert {str(Path(site_pages.site_path(name_of(page))).with_suffix(".html")) for page in PAGES} <= pages
    loading = re.compile(
        r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*\b(?:src|data|srcset)=[\"']?((?:https?:)?//[^\"'\s>]+)"
        r"|<link\b(?![^>]*rel=[\"']?canonical)[^>]*\bhref=[\"']?((?:https?:)?//[^\"'\s>]+)"
    )
    for page in pages:
        assert loading.findall((built / page).read_text(encoding="utf-8")) == [], page
    for style in built.rglob("*.css"):
        assert re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")) == [], (
            style.name
        )


@LONG
def test_notebooks_are_pages_with_their_code_and_results(built: Path) -> None:
    listed = (built / "notebooks.html").read_text(encoding="utf-8")
    for notebook in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        page = built / "notebooks" / f"{notebook.stem}.html"
        text = page.read_text(encoding="utf-8")
        assert f'href="notebooks/{page.name}"' in listed
        assert f'href="{notebook.name}"' in text  # the notebook itself
        assert '<span class="kn">import</span>' in text  # code, with the colours of Python
        drawn = re.findall(rf'src="({notebook.stem}_\d+_\d+\.png)"', text)
        assert drawn or 'src="data:image/' in text
        assert not re.search(r'<img[^>]* src="[^"]*\.md"', text)
        for picture in drawn:
            assert (page.parent / picture).stat().st_size


@LONG
def test_the_reference_shows_signatures_and_errors(built: Path) -> None:
    text = (built / "reference/simulation.html").read_text(encoding="utf-8")
    inherited = ("gpufluid.Simulation.film", "gpufluid.Simulation.ledger")
    for named in ("gpufluid.Simulation", "gpufluid.Simulation.frame", "gpufluid.oracle.step", *inherited):
        assert f'id="{named}"' in text
    assert "Raises:" in text
    assert not re.search(r"<p>(?:Returns|Raises): ", text)


@pytest.fixture
def address(built: Path) -> Iterator[str]:
    """The site on a server of this machine."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """No line for each request."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


HIDDEN_OF_TABLES = """() => [...document.querySelectorAll(".md-typeset__scrollwrap")]
    .map(each => each.scrollWidth - each.clientWidth).filter(hidden => hidden > 0)"""
"""The points by which each table is wider than its place on a page."""


FEW = ("index.md", "guides/play.md", "how/tick.md", "reference/world.md")
"""Pages of several kinds; on a narrow screen all pages are tried."""


@LONG
def test_the_site_in_a_browser(address: str) -> None:
    """Wide and narrow, light and dark: no request to another host, no page wider than the screen, no table
    wider than a screen of 1280, and search finds."""
    with headless_chromium() as (_, browser):
        for width, (scheme, colour) in product((1400, 390), {"light": "default", "dark": "slate"}.items()):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page, asked, failed = context.new_page(), [], []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on(
                "response", lambda answer, failed=failed: failed.append(answer.url) if answer.status >= 400 else None
            )
            for name in LISTED if (width, scheme) == (390, "light") else FEW:
                page.goto(f"{address}/{Path(name).with_suffix('.html')}")
                assert page.locator("body").get_attribute("data-md-color-scheme") == colour
                assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
            assert failed == []
            context.close()
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for name in ("index", "start", "materials", "performance", "one_world", "guides/environments"):
            page.goto(f"{address}/{name}.html")
            assert page.evaluate(HIDDEN_OF_TABLES) == [], name
        page.goto(f"{address}/index.html")
        page.locator(".md-search__input").press_sequentially("communicating vessels")  # the page listens to keys
        page.locator(".md-search-result__item").first.wait_for()
