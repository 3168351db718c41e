"""The file of measured variants, in the user's cache folder: for each device the fastest variant of each rule.

All its content can be measured again. So a file that is broken or has another form counts as missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.files import open_regular, written_whole
from gpufluid.core.paths import cache_folder
from gpufluid.core.version import __version__

_DEVICES_KEPT = 16
"""Number of devices in the file, those measured last; each version of a driver counts as a device."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The result of measuring the variants of one rule on one device.

    Args:
        variant: the name of the chosen variant.
        seconds: the seconds of a tick, by variant: the geometric mean over all measured worlds.
        failed: the variants that do not run on the device, each with the reason.
        alike: whether all variants gave the same digest, as they must. If not, ``variant`` is the first one that ran,
            not the fastest.
    """

    variant: str
    seconds: Mapping[str, float]
    failed: Mapping[str, str]
    alike: bool = True

    @property
    def known(self) -> set[str]:
        """The names of all variants that were measured or failed."""
        return {*self.seconds, *self.failed}


def choices_file() -> Path:
    """The path of the file. Raises RuntimeError: the user has no home folder."""
    return cache_folder() / "variants.json"


def kept(renderer: str, opengl: str) -> dict[str, Choice]:
    """Read the choices of a device by rule, as this version of gpufluid measured them; empty if there are none.

    Args:
        renderer, opengl: the names that the device reports for itself and for its OpenGL version.
    """
    key = _key(renderer, opengl)
    entries = [entry for entry in _entries() if key.items() <= entry.items()]
    read = {rule: _choice(record) for entry in entries for rule, record in entry["rules"].items()}
    return {rule: choice for rule, choice in read.items() if choice is not None}


def keep(renderer: str, opengl: str, choices: Mapping[str, Choice]) -> None:
    """Write choices into the file; those of other rules, devices and versions stay.

    Args:
        renderer, opengl: as for `kept`.
        choices: by rule.
    Raises: OutputError: the file could not be written; it is as it was.
    """
    key, rules = _key(renderer, opengl), kept(renderer, opengl) | dict(choices)
    others = [entry for entry in _entries() if not key.items() <= entry.items()]
    entry = key | {"rules": {rule: asdict(choice) for rule, choice in rules.items()}}
    try:
        path = choices_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            text = json.dumps({"devices": [*others, entry][-_DEVICES_KEPT:]}, indent=1)
            file.write_text(text + "\n", encoding="utf-8")
    except UsageError as error:
        raise OutputError(str(error)) from None
    except OSError as error:
        raise OutputError(f"{error.filename}: could not be written: {error.strerror or error}") from None
    except RuntimeError as error:
        raise OutputError(f"no cache folder for the measured variants: {error}") from None


def _key(renderer: str, opengl: str) -> dict[str, str]:
    return {"renderer": renderer, "opengl": opengl, "gpufluid": __version__}


def _entries() -> list[dict[str, Any]]:
    """The entries of the file that have the right form, one for each device."""
    try:
        with open_regular(choices_file()) as file:
            found = json.loads(file.read().decode("utf-8"))
    except (OSError, ValueError, RuntimeError):  # none there, not to be read, not JSON, nested too deeply
        return []
    entries = found.get("devices") if isinstance(found, dict) else None
    listed = entries if isinstance(entries, list) else []
    return [each for each in listed if isinstance(each, dict) and isinstance(each.get("rules"), dict)]


def _choice(record: object) -> Choice | None:
    """Make a choice from an entry of the file; None: the entry has another form than `keep` writes."""
    match record:
        case {"variant": str(variant), "seconds": dict(seconds), "failed": dict(failed), "alike": bool(alike)}:
            numbers = all(type(each) in (int, float) and each >= 0 for each in seconds.values())
            reasons = all(isinstance(each, str) for each in failed.values())
            return Choice(variant, seconds, failed, alike) if variant in seconds and numbers and reasons else None
    return None
