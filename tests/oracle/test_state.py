"""Passes of the oracle use state through accessors only, which have the same names as in the shaders."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest

import gpufluid
from gpufluid.core.fields import FIELDS, PLANES
from gpufluid.core.packing import pack
from gpufluid.gpu.generated import images
from gpufluid.oracle import state
from gpufluid.rules import RULES

FOLDER = Path(state.__file__).parent
MODULES = sorted(path for path in FOLDER.rglob("*.py") if path.name != "state.py")


def direct_uses(text: str) -> list[str]:
    """The expressions that index a world, or its scratch, directly."""
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Subscript))
    return [ast.unparse(node) for node in nodes if re.search(r"\b_?world(?:\.scratch)?$", ast.unparse(node.value))]


def test_no_pass_indexes_a_world_directly() -> None:
    found = {path: direct_uses(path.read_text(encoding="utf-8")) for path in MODULES}
    assert not {path: uses for path, uses in found.items() if uses}


def test_the_check_finds_direct_uses() -> None:
    text = "world['mass'] = self._world[name] + world.scratch['labels'][0] + world.fixed('flow')['x'] + load(world)[0]"
    assert direct_uses(text) == ["world['mass']", "self._world[name]", "world.scratch['labels']"]


def test_every_image_of_a_shader_has_an_oracle_accessor() -> None:
    """Except: the oracle counts moved units in a `Tally`, and indexes the tables of reactions as arrays."""
    passes = [pass_ for rule in RULES.values() for variant in rule.variants for pass_ in variant.passes]
    own = {name for pass_ in passes for name in ("moved", *(lookup.name for lookup in pass_.looks_up))}
    names = {image.name for pass_ in passes for image in images(pass_, ("warmth",))} - own
    assert {"cells", "mass", "mixture", "warmth", "labels", "slots"} <= names
    for name in names:
        assert callable(getattr(state, f"load_{name}"))
        assert callable(getattr(state, f"store_{name}"))


def test_loaded_arrays_are_read_only() -> None:
    world = gpufluid.World(3, 4, ("flow",))
    with pytest.raises(ValueError, match="read-only"):
        state.accessor("load", "mass")(world)[0, 0] = 1


def test_a_plane_is_loaded_and_stored_as_words() -> None:
    world = gpufluid.World(3, 4, ("atoms",))
    drawn = np.random.default_rng(3)
    for name in PLANES["cells"].fields:
        world[name][...] = drawn.integers(0, 100, world[name].shape, FIELDS[name].dtype)
    words = state.accessor("load", "cells")(world).copy()
    np.testing.assert_array_equal(words, pack(PLANES["cells"], {name: world[name] for name in PLANES["cells"].fields}))
    other = gpufluid.World(3, 4, ("atoms",))
    state.accessor("store", "cells")(other, words)
    for name in PLANES["cells"].fields:
        np.testing.assert_array_equal(other[name], world[name])


def test_a_part_is_stored_by_index_or_mask() -> None:
    world = gpufluid.World(2, 3, ("flow",))
    store = state.accessor("store", "mass")
    store(world, 5)
    store(world, [7, 8], (0, slice(1, 3)))
    store(world, 9, np.array([[True, False, False], [False, False, True]]))
    assert world["mass"].tolist() == [[9, 7, 8], [5, 5, 9]]


def test_atomic_max_keeps_the_largest_value() -> None:
    world = gpufluid.World(2, 2, ("atoms", "pressure"))
    state.accessor("store", "sources")(world, np.zeros((2, 2), np.uint32))
    state.accessor("atomic_max", "sources")(world, np.array([3, 9, 4], np.uint32), np.array([1, 1, 2]))
    assert state.accessor("load", "sources")(world).tolist() == [[0, 9], [4, 0]]


@pytest.mark.parametrize("name", ["load_weight", "store_", "atomic_max_mass", "fetch_mass"])
def test_undeclared_names_have_no_accessor(name: str) -> None:
    assert not hasattr(state, name)
