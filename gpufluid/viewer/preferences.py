"""The user's choices in the window that are kept for later sessions, in a file of the settings folder."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path

from gpufluid.core.errors import UsageError, did_you_mean, shown
from gpufluid.core.numeric import is_number
from gpufluid.core.paths import settings_folder
from gpufluid.viewer.settings import read_settings, write_settings

WIDTH_MOST = 200
"""The largest width of a column of panels, in line heights. The window may have less room."""

_FORMER = "over_walls"
"""A choice that older files have, and that no longer outlives its session: one who forgot it lost floors and walls."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices.

    Args:
        left_column, right_column: the widths of the columns of panels, in line heights; 0: as the window suggests.
    """

    left_column: float = 0.0
    right_column: float = 0.0


def preferences_file() -> Path:
    """Path of the file; it need not exist."""
    return settings_folder() / "window.toml"


def read_preferences(path: Path) -> Preferences:
    """Read a file with a line for each choice; a choice that it does not have is that of `Preferences`.

    Raises: UsageError: the file cannot be read, or has something else in it.
    """
    found = read_settings(path) or {}
    found.pop(_FORMER, None)
    known = [field.name for field in fields(Preferences)]
    for name, value in found.items():
        if name not in known:
            raise UsageError(f"{path}: {name}: unknown key{did_you_mean(name, known)}")
        if not is_number(value, 0, WIDTH_MOST):
            raise UsageError(f"{path}: {name}: {shown(value)}; expected a number from 0 to {WIDTH_MOST}")
    return Preferences(**found)


def write_preferences(path: Path, chosen: Preferences) -> None:
    """Write the choices. Raises: OutputError, UsageError: the file cannot be written."""
    lines = (f"{name} = {value}\n" for name, value in asdict(chosen).items())
    write_settings(path, "".join(lines))
