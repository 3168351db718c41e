"""Shell completion: the names of scenes, rules, variants, parameters and overlays that begin with a word."""

from __future__ import annotations

from pathlib import Path

_SCENE_ENDINGS = (".toml", ".npz", ".zarr")
_PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp")


def scenes(incomplete: str) -> list[str]:
    """Shipped scenes, and scene files, snapshots, stores and folders."""
    from gpufluid.core.paths import scenes_folder

    shipped = sorted(path.stem for path in scenes_folder().glob("*.toml"))
    return [name for name in shipped if name.startswith(incomplete)] + _files(incomplete, _SCENE_ENDINGS)


def scenes_and_pictures(incomplete: str) -> list[str]:
    """As `scenes`, and pictures, which ``gpufluid view`` opens too."""
    return scenes(incomplete) + _files(incomplete, _PICTURE_ENDINGS)


def rules(incomplete: str) -> list[str]:
    """Rules, also as the last one of a sum such as flow+atoms."""
    from gpufluid.rules import RULES

    before, plus, last = incomplete.rpartition("+")
    return [before + plus + rule for rule in RULES if rule.startswith(last)]


def variants(incomplete: str) -> list[str]:
    """Variants of all rules."""
    from gpufluid.rules import RULES

    names = dict.fromkeys(variant.name for rule in RULES.values() for variant in rule.variants)
    return [name for name in names if name.startswith(incomplete)]


def parameters(incomplete: str) -> list[str]:
    """Parameters of all rules, as RULE.PARAMETER=."""
    from gpufluid.rules import RULES

    words = [f"{rule.name}.{parameter.name}=" for rule in RULES.values() for parameter in rule.parameters]
    return [word for word in words if word.startswith(incomplete)]


def overlays(incomplete: str) -> list[str]:
    """Overlays of all rules and of the shipped mixture."""
    from gpufluid.matter.mixtures import SHIPPED
    from gpufluid.rules import RULES, overlays_of

    return [name for name in overlays_of(tuple(RULES), SHIPPED.names) if name.startswith(incomplete)]


def _files(incomplete: str, endings: tuple[str, ...]) -> list[str]:
    """Files with some endings, and folders, whose path begins with a word."""
    folder, slash, start = incomplete.rpartition("/")
    try:
        found = sorted(Path(folder + slash or ".").iterdir())
    except (OSError, ValueError):  # no such folder
        return []
    named = [path for path in found if path.name.startswith(start) and (start or not path.name.startswith("."))]
    return [
        f"{folder}{slash}{path.name}{'/' if path.is_dir() and path.suffix.lower() not in endings else ''}"
        for path in named
        if path.is_dir() or path.suffix.lower() in endings
    ]
