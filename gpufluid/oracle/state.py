"""Accessors of state, with the same names as in the shaders. Twin of ``gpu/images.py``.

The accessors follow from the declarations of fields, planes and scratch:

- ``load_<name>(world)`` returns a read-only array: that of a field; the packed words, (height, width)
  uint32, of a plane with several fields; the values that the last pass stored of scratch.
- ``store_<name>(world, values)`` replaces a whole array; ``store_<name>(world, values, at)`` replaces the elements at
  an index or a mask. The words of a plane are replaced as a whole; of a plane with `Plane.instead`, store the materials
  first.
- ``atomic_max_<name>(world, values, at)`` sets the elements of scratch at indices of the flat array to the maximum of
  themselves and the values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gpufluid.core.fields import FIELDS, PLANES
from gpufluid.core.packing import pack, separate, unpack
from gpufluid.rules import RULES
from gpufluid.world import World

Where = int | np.ndarray | tuple[Any, ...] | None
"""An index or a mask of an array; None: the whole array."""

TAG = "tag"
"""The scratch by which tests follow atoms: a number that each atom carries. Only a test's world has this scratch."""


def has_plane(world: World, name: str) -> bool:
    """True if a world has a plane of this name."""
    return any(plane.name == name for plane in world.planes)


def scratch_names() -> set[str]:
    """The names of all scratch that passes declare, and `TAG`."""
    passes = (pass_ for rule in RULES.values() for variant in rule.variants for pass_ in variant.passes)
    return {TAG} | {each.name for pass_ in passes for each in (*pass_.writes, *pass_.takes, *pass_.refines)}


def _load(name: str, world: World) -> np.ndarray:
    if name in FIELDS:
        array = world.own_array(name)
    elif name in PLANES:
        plane = PLANES[name]
        fields = [*plane.fields, *([plane.instead] if plane.instead in world.fields else [])]
        array = pack(plane, {field: world.own_array(field) for field in fields})
    else:
        array = world.scratch[name]
    found = array.view()
    found.flags.writeable = False
    return found


def _store(name: str, world: World, values: ArrayLike, at: Where = None) -> None:
    if name in FIELDS:
        world.own_array(name)[... if at is None else at] = values
    elif name in PLANES:
        plane, words = PLANES[name], np.asarray(values, np.uint32)
        has_instead = plane.instead in world.fields
        found = separate(plane, words, world.own_array("material") != 0) if has_instead else unpack(plane, words)
        for field, array in found.items():
            world.own_array(field)[...] = array
    elif at is None:
        world.scratch[name] = np.array(values)
    else:
        world.scratch[name][at] = values


def _atomic_max(name: str, world: World, values: np.ndarray, at: np.ndarray) -> None:
    np.maximum.at(world.scratch[name].reshape(-1), at, values)


_VERBS: dict[str, Callable[..., Any]] = {"load_": _load, "store_": _store, "atomic_max_": _atomic_max}


def accessor(verb: str, name: str) -> Callable[..., Any]:
    """Look up an accessor whose name is known only at run time, such as ``accessor("load", "highest")``.

    Raises: AttributeError: no field, plane or scratch has this name, or the verb is not one of its accessors.
    """
    declared = (verb != "atomic_max" and (name in FIELDS or name in PLANES)) or name in scratch_names()
    if f"{verb}_" not in _VERBS or not declared:
        raise AttributeError(f"no accessor {verb}_{name}: nothing declares {name!r}")
    return partial(_VERBS[f"{verb}_"], name)


def __getattr__(name: str) -> Callable[..., Any]:
    """Look up an accessor by its whole name, such as ``load_highest``; see `accessor`."""
    verb = next((verb for verb in _VERBS if name.startswith(verb)), None)
    if verb is None:
        raise AttributeError(name)
    return accessor(verb[:-1], name.removeprefix(verb))
