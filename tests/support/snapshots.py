"""Snapshots that are changed member by member."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attacks.snapshots import LAWS, Member, array, packed, parts_of

import gpufluid
from gpufluid import World
from gpufluid.core.errors import UsageError
from gpufluid.io import snapshots

MASS = "mass.npy"

Members = Mapping[str, Member]
"""The members of a zip file, by name."""


def members_of(world: World, path: Path) -> dict[str, Member]:
    """Save a world, and return the members of its snapshot."""
    snapshots.save(world, path)
    with zipfile.ZipFile(path) as file:
        return {info.filename: Member(info.filename, file.read(info)) for info in file.infolist()}


def written(members: Members, **changes: bytes) -> bytes:
    """A zip file of these members, some with another content, by name without ending."""
    return packed(tuple(Member(each.name, changes.get(each.name[:-4], each.content)) for each in members.values()))


def refusal(path: Path, content: bytes) -> str:
    """The sentence by which a file with this content is refused, without the path before it."""
    path.write_bytes(content)
    return refusal_of(path)


def refusal_of(path: Path) -> str:
    """The sentence by which a snapshot or a store is refused, without the path before it."""
    with pytest.raises(UsageError) as caught:
        gpufluid.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert message.isprintable()
    return message.removeprefix(f"{path}: ")


def with_laws(members: Members, text: bytes) -> bytes:
    """A zip file of these members, whose laws have this text."""
    return written(members, gpufluid=array(np.frombuffer(text, np.uint8)))


def laws_with(members: Members, **changes: Any) -> str:
    """The laws of a snapshot, some changed, as JSON."""
    return json.dumps(json.loads(parts_of(members[LAWS].content)[1]) | changes)
