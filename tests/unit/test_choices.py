"""The file of measured variants: entries are found by renderer and versions, and a broken file is no error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpufluid.core import paths
from gpufluid.core.errors import OutputError
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice

LINES = Choice("lines", {"strips": 0.002, "lines": 0.001}, {"blocks": "it does not compile"})
STRIPS = Choice("strips", {"strips": 0.001, "lines": 0.001}, {}, alike=False)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_choices_are_stored_by_renderer_and_rule(folder: Path) -> None:
    assert choices.kept("a GPU", "4.6") == {}
    choices.keep("a GPU", "4.6", {"atoms": LINES})
    choices.keep("another", "4.6", {"atoms": STRIPS})
    choices.keep("a GPU", "4.6", {"mixture": STRIPS})
    assert choices.kept("a GPU", "4.6") == {"atoms": LINES, "mixture": STRIPS}
    assert choices.kept("another", "4.6") == {"atoms": STRIPS}
    assert [path.relative_to(folder).as_posix() for path in folder.rglob("*.*")] == ["gpufluid/variants.json"]
    choices.keep("a GPU", "4.6", {"mixture": Choice("tiles", {"single": 2.0, "tiles": 1.0}, {})})
    assert choices.kept("a GPU", "4.6")["mixture"].variant == "tiles"


def test_another_driver_or_version_has_its_own_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    choices.keep("a GPU", "4.6", {"atoms": LINES})
    assert choices.kept("a GPU", "4.6.1") == choices.kept("a GPu", "4.6") == {}
    monkeypatch.setattr(choices, "__version__", "9.9.9")
    assert choices.kept("a GPU", "4.6") == {}
    choices.keep("a GPU", "4.6", {"atoms": STRIPS})
    monkeypatch.undo()


def test_only_the_latest_choices_are_kept() -> None:
    for number in range(40):
        choices.keep(f"GPU {number}", "4.6", {"atoms": LINES})
    assert [bool(choices.kept(f"GPU {number}", "4.6")) for number in (0, 23, 24, 39)] == [False, False, True, True]


def entry(**changes: object) -> str:
    record = {"variant": "lines", "seconds": {"lines": 1.0}, "failed": {}, "alike": True} | changes
    key = {"renderer": "a GPU", "opengl": "4.6", "gpufluid": choices.__version__}
    return json.dumps({"devices": [key | {"rules": {"atoms": record}}]})


BROKEN = {
    "empty": "",
    "half": '{"devices": [',
    "a list": "[]",
    "no list": '{"devices": {"a": 1}}',
    "other things": '{"devices": [1, null, {}, {"rules": 3}]}',
    "deep": "[" * 100_000,
    "no variant": entry(variant=None),
    "variant not measured": entry(variant="strips"),
    "words for seconds": entry(seconds={"lines": "fast"}),
    "seconds for all": entry(seconds=3),
    "negative": entry(seconds={"lines": -1}),
    "not a reason": entry(failed={"strips": 1}),
    "alike in words": entry(alike="yes"),
    "not text": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_counts_as_empty_and_is_replaced(name: str) -> None:
    text = BROKEN[name]
    choices.choices_file().parent.mkdir()
    choices.choices_file().write_bytes(text if isinstance(text, bytes) else text.encode())
    assert choices.kept("a GPU", "4.6") == {}
    choices.keep("a GPU", "4.6", {"atoms": LINES})
    assert choices.kept("a GPU", "4.6") == {"atoms": LINES}


def test_the_unbroken_entry_is_read() -> None:
    """`entry` without changes is valid, so the broken files above fail by their changes."""
    choices.choices_file().parent.mkdir()
    choices.choices_file().write_text(entry())
    assert choices.kept("a GPU", "4.6") == {"atoms": Choice("lines", {"lines": 1.0}, {})}


def test_an_unwritable_cache_folder_is_an_error_with_the_reason(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "gpufluid").write_text("a file where the folder would be")
    with pytest.raises(OutputError, match="gpufluid"):
        choices.keep("a GPU", "4.6", {"atoms": LINES})
    assert choices.kept("a GPU", "4.6") == {}
    (folder / "gpufluid").unlink()
    (folder / "gpufluid" / "variants.json").mkdir(parents=True)
    with pytest.raises(OutputError, match="is a folder, not a file"):
        choices.keep("a GPU", "4.6", {"atoms": LINES})

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert choices.kept("a GPU", "4.6") == {}
    with pytest.raises(OutputError, match="no cache folder for the measured variants: Could not determine home"):
        choices.keep("a GPU", "4.6", {"atoms": LINES})


@pytest.mark.parametrize(
    ("platform", "variable", "find", "place"),
    [
        ("linux", "XDG_CACHE_HOME", paths.cache_folder, ".cache"),
        ("linux", "XDG_CONFIG_HOME", paths.settings_folder, ".config"),
        ("win32", "LOCALAPPDATA", paths.cache_folder, "AppData/Local"),
        ("win32", "APPDATA", paths.settings_folder, "AppData/Roaming"),
    ],
)
def test_user_folders_follow_the_platform(
    folder: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, find, place: str
) -> None:
    monkeypatch.setattr(paths.sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: folder / "home")
    monkeypatch.setenv(variable, str(folder / "own"))
    assert find() == folder / "own" / "gpufluid"
    for nothing in ("", "not/a/whole/path"):
        monkeypatch.setenv(variable, nothing)
        assert find() == folder / "home" / place / "gpufluid"
