"""Random worlds of the same laws for batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from support.mixtures import ponds
from support.worlds import moving_water, random_atoms, random_by_declaration, random_world

from gpufluid import FULL, Drain, Emitter, World
from gpufluid.core.errors import DeviceError
from gpufluid.gpu.device import Device

HEIGHT, WIDTH, COUNT = 18, 22, 5
TICKS = [0, 7, 2**32 - 3, 2**40, 3]
"""The ticks at which the worlds begin: a batch has no common tick."""

DRAWN = {"atoms", "heat", "reactions", "pressure", "collapse", "flow", "inertia", "mixture"}
"""The rules whose matter the functions for random worlds of `support.worlds` draw; worlds of others are drawn by the
declarations of their fields."""


def random_ports(world: World, luck: int, tick: int) -> tuple[list[Emitter], list[Drain]]:
    """A random number of emitters and drains at random places, some of which act for a few ticks from one on only."""
    rng = np.random.default_rng(luck)
    materials = ["water", "smoke"] if "velocity" in world.fields else ["water"]
    materials = [name for name in materials if world.can_hold(name) or world.has_amounts]

    def place() -> dict[str, Any]:
        x, y = int(rng.integers(world.width - 1)), int(rng.integers(world.height - 1))
        size = min(int(rng.integers(1, 5)), world.width - x), min(2, world.height - y)
        start = tick + int(rng.integers(3))
        return {"at": (x, y), "size": size, "start": start, "until": start + int(rng.integers(1, 4))}

    emitters = [Emitter(**place(), material=name, rate=0.4, chance=0.6) for name in materials[: luck % 3]]
    return emitters, [Drain(**place(), rate=rate) for rate in (None, 0.3)[: (luck + 1) % 3]]


def random_matter(rules: tuple[str, ...], height: int, width: int, luck: int, **laws: Any) -> World:
    """A random world without ports of any rules."""
    if rules == ("mixture", "pressure"):
        return ponds(height, width, luck, rounds=2, **laws)
    if rules == ("flow",):
        return random_world(height, width, most=FULL, luck=luck, **laws)
    if rules == ("flow", "inertia"):
        return moving_water(height, width, luck=luck, **laws)
    if not DRAWN.issuperset(rules):
        return random_by_declaration(height, width, rules=rules, luck=luck, **laws)
    return random_atoms(height, width, rules=rules, filled=0.4, luck=luck, **laws)


def random_worlds(rules: tuple[str, ...], luck: int, count: int = COUNT, **laws: Any) -> list[World]:
    """Random worlds of the same laws, with other cells, seeds, ticks and ports."""
    made = []
    for number in range(count):
        own: dict[str, Any] = laws | {"seed": 1000 * luck + number, "tick": TICKS[number % len(TICKS)]}
        chance = 100 * luck + number
        world = random_matter(rules, HEIGHT, WIDTH, chance, **own)
        world.replace_ports(*random_ports(world, chance, own["tick"]))
        made.append(world)
    return made


@contextmanager
def room_for_one(device: Device) -> Iterator[list[int]]:
    """Let a device find memory for one more texture or buffer. Yields the bytes of those for which it found memory."""
    found: list[int] = []

    def check_room(size: int) -> None:
        if found:
            raise DeviceError(f"too little memory for {size} bytes")
        found.append(size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpufluid.gpu.device._SMALL", 0)
        patch.setattr(device, "check_room", check_room)
        yield found
