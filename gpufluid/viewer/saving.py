"""Names of the files that the window saves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file that a world is saved as.

    Args:
        title, about: for people.
        action: the action that saves it.
        beside: the endings of files of the same name that may be written too.
    """

    title: str
    about: str
    action: str
    beside: tuple[str, ...] = ()


KINDS = {
    ".npz": Kind("Saved world", "Exactly as it is now, to go on from there later.", "save"),
    ".toml": Kind(
        "Scene", "A text file that one can edit, and its map or the exact state.", "save_scene", (".png", ".npz")
    ),
    ".png": Kind("Picture", "The whole world, as large as it is shown.", "screenshot"),
}
"""The kinds of files, by the endings of their names."""


@dataclass(slots=True)
class SaveInputs:
    """The inputs of the dialog that saves under a name, and what it has said.

    Args:
        name: the name, with or without an ending.
        ending: the ending of a name without one; one of `KINDS`.
        problem: the error of the last attempt to save; empty if there was none.
        asked: the names of the files of which it has asked if they are to be replaced; empty: it has not asked.
        waits: whether it comes back after the dialog for the folder of files.
        returns_keys: whether the input of the name gets the keys again, because Enter has ended it but not the dialog.
    """

    name: str = ""
    ending: str = ".npz"
    problem: str = ""
    asked: tuple[str, ...] = ()
    waits: bool = False
    returns_keys: bool = False


def in_words(place: Path) -> str:
    """The name of a file, and its folder."""
    return f"{place.name} in {place.absolute().parent}"


def unused_file(folder: Path, source: str, tick: int, ending: str, beside: tuple[str, ...] = ()) -> Path:
    """A file of a folder that does not exist yet, such as ``dam_break_120.npz``.

    Args:
        folder: the folder.
        source: the file or scene that the world came from.
        tick: the tick of the world.
        ending: the ending of the name.
        beside: the endings of files of the same name that do not exist either.
    """
    stem = Path(source).stem or "world"
    names = (folder / f"{stem}_{tick}{suffix}{ending}" for suffix in ["", *(f"_{n}" for n in range(2, 10_000))])
    return next(name for name in names if not any(name.with_suffix(each).exists() for each in (ending, *beside)))


def named_file(folder: Path, name: str, ending: str) -> Path:
    """The file that a user means by a name.

    Args:
        folder: the folder of a name without a folder of its own.
        name: the name; one of the endings in `KINDS` may be part of it.
        ending: the ending if it has none of these.
    """
    words = name.strip()
    if Path(words).suffix.lower() not in KINDS:
        words += ending
    return folder / (Path(words).expanduser() if words.startswith("~/") else Path(words))


def problem_of(name: str, place: Path) -> str | None:
    """A sentence that says why a world cannot be saved as a file; None: no obstacle is known.

    Args:
        name: what the user has typed.
        place: the file; see `named_file`.
    """
    if name.strip().endswith("/") or not name.strip():
        return "Type a name."
    try:
        around = next(each for each in place.absolute().parents if each.exists())
        if not around.is_dir():
            return f"{around} is no folder."
        if place.is_dir():
            return f"{place.name} is a folder."
    except (OSError, ValueError) as error:  # such as a name that is too long
        return f"This cannot be the name of a file: {getattr(error, 'strerror', None) or error}."
    return None


def missing_folder(place: Path) -> Path | None:
    """The folder of a file that `problem_of` finds no problem with, if the folder does not exist yet; else None."""
    return None if place.parent.is_dir() else place.parent


def replaced_files(place: Path) -> list[Path]:
    """The existing files of the names that saving may write; a scene has one of two files beside it.

    Args:
        place: the file, whose ending is one of `KINDS`.
    """
    endings = (place.suffix, *KINDS[place.suffix.lower()].beside)
    return [found for found in (place.with_suffix(ending) for ending in endings) if found.exists()]
