"""A headless Chromium for the tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def headless_chromium() -> Iterator[tuple[Any, Any]]:
    """Yield playwright and a browser of it. Skips the test where playwright or Chromium is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed; ./tools/test.sh --all does")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("Chromium is not installed; ./tools/test.sh --all installs it as root")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield playwright, browser
        finally:
            browser.close()
