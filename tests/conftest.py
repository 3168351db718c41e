"""Setup of all tests: threads of software GL, hypothesis profiles, a cache folder, and a device without GL errors."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import settings
from support import selection
from support.choices import keep_defaults

# llvmpipe reads this when a context is made; with 0 it starts no threads. The worlds of tests are small: handing a
# dispatch to another thread takes as long as the dispatch.
os.environ.setdefault("LP_NUM_THREADS", "0")

# Mesa's default limit is 1 GB for all programs of a user. A few versions of the shaders exceed it, and Mesa then drops
# entries that the next run needs.
os.environ.setdefault("MESA_SHADER_CACHE_MAX_SIZE", "4G")

from gpufluid.gpu.device import Device, shared_device

settings.register_profile("short", deadline=None, derandomize=True, max_examples=12)
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("search", deadline=None, max_examples=2000)  # pytest --hypothesis-profile=search

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in a background job; tests of Ctrl-C need the handler
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # Under nohup. Programs started by tests inherit that a signal is ignored, but not that this function handles it.
    signal.signal(signal.SIGHUP, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the tests marked long as well, and every example")
    slow = "make each frame of the window's tests longer"
    parser.addoption("--slow-frames", type=float, default=0.0, metavar="SECONDS", help=slow)


def pytest_configure(config: pytest.Config) -> None:
    selection.everything = config.getoption("all")
    # llvmpipe then generates machine code without LLVM's optimization passes, in 0.6 of the time. The small worlds of
    # tests hardly run slower. In a part of tools/test.sh --all it is set to nothing: the code is that which users run.
    os.environ.setdefault("GALLIVM_PERF", "nopt")
    if not config.getoption("hypothesis_profile"):
        settings.load_profile("steady" if selection.everything else "short")


def pytest_report_header(config: pytest.Config) -> str:
    return "all tests" if config.getoption("all") else "the short run: tests marked long need --all"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests marked long, unless ``--all`` or the name of the test was given."""
    kept = {item.path for item in items if selection.reason_of(item) is None}
    config.stash[selection.COLLECTED] = {item.path: item.path in kept for item in items}
    chosen = selection.selected(items, everything=config.getoption("all"), words=config.args)
    left = set(items) - set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = chosen


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what each folder took: the seconds of its tests, with their fixtures, in all workers together."""
    seconds: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            folder = report.location[0].rpartition("/")[0]
            seconds[folder] += report.duration
            tests[folder] += report.when == "call"
    terminalreporter.section("seconds of each folder")
    for folder, taken in seconds.most_common():
        terminalreporter.line(f"{taken:8.1f} s  {tests[folder]:5d} tests  {folder}")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An own cache folder for this run and its child processes, in which the default variant of each rule is stored.

    So variants are measured only in tests of the measurement, and no test depends on which is the fastest here.
    """
    shaders = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MESA_SHADER_CACHE_DIR", os.environ.get("MESA_SHADER_CACHE_DIR", shaders))  # unchanged
        for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
            patch.setenv(name, str(tmp_path_factory.mktemp("cache")))
        keep_defaults()
        yield


@pytest.fixture
def device() -> Iterator[Device]:
    """The device that simulations share by default; no test finds or leaves an OpenGL error on it."""
    device = shared_device()
    with device:
        assert device.context.error == "GL_NO_ERROR", "left over from an earlier test"
    yield device
    with device:
        assert device.context.error == "GL_NO_ERROR"
