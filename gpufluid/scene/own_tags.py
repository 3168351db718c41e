"""The tags of a scene's materials: a reaction introduces a tag by naming it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from gpufluid.core.errors import shown, similar
from gpufluid.matter.materials import RESERVED, SHIPPED, MaterialTable
from gpufluid.matter.outcomes import INERT, members
from gpufluid.matter.reactions import SHIPPED as SHIPPED_REACTIONS

COMPARED_MOST = 10
"""The most tags of a scene that are compared with the known ones, which takes time for each; the others are remarks."""


@dataclass(frozen=True, slots=True)
class UnnamedTag:
    """A tag without effect: neither a shipped reaction nor one of the scene names it.

    Args:
        table: the number of its ``[[material]]`` table.
        tag: the tag.
        near: the similar known tags. A scene is refused if there are any, as it is for a mistyped name.
    """

    table: int
    tag: str
    near: tuple[str, ...]

    def __str__(self) -> str:
        hint = f"; did you mean {' or '.join(map(repr, self.near))}?" if self.near else ""
        return f"no reaction names the tag {shown(self.tag)}{hint}"


def unnamed_tags(
    entries: Sequence[Mapping[str, Any]],
    reactions: Sequence[Mapping[str, Any]],
    materials: MaterialTable,
    compared: int = COMPARED_MOST,
) -> Iterator[UnnamedTag]:
    """The tags of a scene that no reaction names.

    Args:
        entries: the ``[[material]]`` tables. Tags with a problem of their own are left out.
        reactions: the ``[[reaction]]`` tables.
        materials: the materials of the scene.
        compared: the number of tags that are compared with the known ones; the others have no similar ones.
    """
    known = sorted(_named(reactions, materials))
    for number, entry in enumerate(entries):
        tags = entry.get("tags")
        for tag in dict.fromkeys(tags) if _are_words(tags) else ():
            if tag not in known and tag in materials.tagged:
                yield UnnamedTag(number, tag, tuple(similar(tag, known)) if compared > 0 else ())
                compared -= 1


def _named(reactions: Sequence[Mapping[str, Any]], materials: MaterialTable) -> set[str]:
    """The tags that reactions name, those of shipped materials, and ``inert``."""
    known = {INERT, *(tag for record in SHIPPED for tag in record.tags)}
    known |= {name for reaction in SHIPPED_REACTIONS for name in reaction.between}
    for entry in reactions:
        names = entry.get("between", entry.get("from"))
        names = [names] if isinstance(names, str) else names
        known |= {name for name in names if members(name, materials) is not None} if _are_words(names) else set()
    return {name for name in known - RESERVED if name not in materials}


def _are_words(words: object) -> TypeGuard[Sequence[str]]:
    return isinstance(words, list | tuple) and all(isinstance(word, str) for word in words)
