"""Which variant of each rule was found the fastest on a device: a file in the user's cache folder.

It holds nothing that could not be measured again. So a file that is broken, or of another form, is as good as none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gpufluid.core.errors import OutputError, UsageError
from gpufluid.core.files import written_whole
from gpufluid.core.paths import cache_folder
from gpufluid.core.version import __version__

_DEVICES_KEPT = 16
"""Drivers and versions come and go: those that were measured last."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a measurement of one rule on one device came to.

    Args:
        variant: the one to take.
        seconds: a tick of the world that it was measured in, by variant.
        failed: the variants that do not run there, each with the reason.
        alike: whether all variants gave one digest, as they must; if not it is not the fastest one that is taken.
    """

    variant: str
    seconds: Mapping[str, float]
    failed: Mapping[str, str]
    alike: bool = True

    @property
    def known(self) -> set[str]:
        """The variants that it speaks of."""
        return {*self.seconds, *self.failed}


def choices_file() -> Path:
    """Where the choices are kept. Raises RuntimeError: the user has no home."""
    return cache_folder() / "variants.json"


def kept(renderer: str, opengl: str) -> dict[str, Choice]:
    """The choices that were kept for a device by this version of gpufluid, by rule; empty if there are none.

    Args:
        renderer, opengl: the device's names for itself and for the version of its driver.
    """
    key = _key(renderer, opengl)
    entries = [entry for entry in _entries() if key.items() <= entry.items()]
    read = {rule: _choice(record) for entry in entries for rule, record in entry["rules"].items()}
    return {rule: choice for rule, choice in read.items() if choice is not None}


def keep(renderer: str, opengl: str, choices: Mapping[str, Choice]) -> None:
    """Keep choices by rule, beside those of other rules, devices and versions.

    Raises: OutputError: they could not be written; the file is as it was.
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
        raise OutputError(f"there is no folder to keep it in: {error}") from None


def _key(renderer: str, opengl: str) -> dict[str, str]:
    return {"renderer": renderer, "opengl": opengl, "gpufluid": __version__}


def _entries() -> list[dict[str, Any]]:
    """What the file says of each device, as far as it has the right form."""
    try:
        found = json.loads(choices_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError):  # none there, not to be read, not JSON, nested too deeply
        return []
    entries = found.get("devices") if isinstance(found, dict) else None
    listed = entries if isinstance(entries, list) else []
    return [each for each in listed if isinstance(each, dict) and isinstance(each.get("rules"), dict)]


def _choice(record: object) -> Choice | None:
    """A choice as it was kept; None if it was not written by `keep`."""
    match record:
        case {"variant": str(variant), "seconds": dict(seconds), "failed": dict(failed), "alike": bool(alike)}:
            numbers = all(type(each) in (int, float) and each >= 0 for each in seconds.values())
            reasons = all(isinstance(each, str) for each in failed.values())
            return Choice(variant, seconds, failed, alike) if variant in seconds and numbers and reasons else None
    return None
