"""Random strokes of a brush."""

from __future__ import annotations

from random import Random

from gpufluid import FULL, World
from gpufluid.scene.matter import amount_fields
from gpufluid.scene.strokes import Adding, Chance, Laying, Stroke


def stroke_of(random: Random, laws: World) -> Stroke:
    """A random stroke of any kind that the world knows."""
    chance = Chance(random.choice([1, 1.0, 0.25]), random.randrange(100))
    if "temperature" in laws.fields and random.random() < 0.25:
        return Adding("temperature", random.choice([-5000, -100, 2.125, 375, 5000]), chance)
    names = [record.name for record in laws.materials if laws.can_hold(record.name)] + 3 * [*amount_fields(laws)]
    return Laying(
        random.choice(names),
        amount=random.choice([0, 1, FULL // 3, FULL - 1, FULL]) / FULL,
        mixes=random.random() < 0.4,
        replaced=random.choice([None, None, *names]),
        only_new=random.random() < 0.4,
        spares_walls=random.random() < 0.5,
        velocity=random.choice([(0.0, 0.0), (1.5, -2.25)]),
        serial=random.randrange(1000),
        chance=chance,
    )
