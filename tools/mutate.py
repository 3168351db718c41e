"""Break the code in one place after another, and see which test notices: what is a test worth?

``tools/mutations.toml`` lists the breaks: each is one text of one file, another in its place, what that breaks, and the
tests that should notice. They are tried in a copy of the working tree. A break that no test notices is a gap in the
tests; a test that notices no break may tell nothing.

    .venv/bin/python tools/mutate.py             all of them: some 40 minutes on two cores
    .venv/bin/python tools/mutate.py atoms heat  those with one of these words in their file or description
    .venv/bin/python tools/mutate.py --whole     with every test that notices, not only the first
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

LIST = Path(__file__).with_name("mutations.toml")

LONGEST = 1500
"""Seconds after which a run of tests counts as one that has noticed: a break can make a loop without end."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Mutation:
    """A text of a file, another one that breaks what it says, and the words for pytest that choose the tests."""

    file: str
    text: str
    broken: str
    breaks: str
    tests: str

    @property
    def fault(self) -> str:
        """Why this is no mutation of the present files, or nothing."""
        path = ROOT / self.file
        found = path.read_text(encoding="utf-8").count(self.text) if path.is_file() else 0
        if found != 1:
            return f"{self.file}: {self.text!r} is there {found} times; expected once"
        tests = [word for word in self.tests.split() if word.startswith("tests/")]
        missing = [word for word in tests if not (ROOT / word.partition("::")[0]).exists()]
        return f"{self.file}: there is no {missing[0]}" if missing else ""


def mutations() -> list[Mutation]:
    """All that are listed."""
    return [Mutation(**each) for each in tomllib.loads(LIST.read_text(encoding="utf-8"))["mutation"]]


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the files that git knows or would add, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for each in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
            if each and (ROOT / each).is_file():
                (folder / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / each, folder / each)
        yield folder


def noticed_by(mutation: Mutation, folder: Path, whole: bool) -> list[str]:
    """The tests that fail in a copy of the tree with a mutation; an empty list: none does."""
    path = folder / mutation.file
    kept = path.read_text(encoding="utf-8")
    path.write_text(kept.replace(mutation.text, mutation.broken), encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--durations=0"]
    try:
        answer = subprocess.run(
            [*words, *([] if whole else ["-x"]), *mutation.tests.split()],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},  # before the tree that is installed
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        return [f"no test ended within {LONGEST} s"]
    finally:
        path.write_text(kept, encoding="utf-8")
    if answer.returncode == 0:
        return []
    found = _FAILED.findall(answer.stdout)
    assert found, f"{mutation}: pytest ended with {answer.returncode}:\n{answer.stdout}\n{answer.stderr}"
    return found


def main() -> int:
    """Try the mutations. Returns 1 if one of them is noticed by no test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="try only those with one of these words in their file or description")
    parser.add_argument("--whole", action="store_true", help="run all tests of each, not only until the first fails")
    given = parser.parse_args()
    chosen = [
        each
        for each in mutations()
        if not given.words or any(word in f"{each.file} {each.breaks}" for word in given.words)
    ]
    if faults := [each.fault for each in chosen if each.fault]:
        print(*faults, sep="\n", file=sys.stderr)
        return 2
    survived = 0
    with copied() as folder:
        for number, each in enumerate(chosen, 1):
            begun = time.monotonic()
            found = noticed_by(each, folder, given.whole)
            survived += not found
            print(f"{number:3d} {time.monotonic() - begun:5.0f} s  {each.file}: {each.breaks}", flush=True)
            print(*(f"      {test}" for test in found or ["NO TEST NOTICES"]), sep="\n", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} are noticed")
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
