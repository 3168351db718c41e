"""Seed 000, "Simple Fluid Simulation With Cellular Automata": a literal transcription of its loop.

Arrays are [x][y] with y pointing up, as in the seed. A border of air lies around the map; mass that reaches it is lost.
The article omits two constants of its program: MinFlow is 0.01 and MaxSpeed is 1.
"""

from __future__ import annotations

AIR, GROUND, WATER = 0, 1, 2

MaxMass = 1.0
MaxCompress = 0.02
MinMass = 0.0001
MinFlow = 0.01
MaxSpeed = 1.0


class Simulation:
    """``blocks``, ``mass`` and ``new_mass``, each with a border of one cell."""

    def __init__(self, blocks: list[list[int]], mass: list[list[float]]) -> None:
        self.map_width, self.map_height = len(blocks) - 2, len(blocks[0]) - 2
        self.blocks = blocks
        self.mass = mass
        self.new_mass = [list(column) for column in mass]

    def step(self) -> None:
        """simulate_compression()"""
        map_width, map_height = self.map_width, self.map_height
        for x in range(1, map_width + 1):
            for y in range(1, map_height + 1):
                push(self.blocks, self.mass, self.new_mass, x, y)
        for x in range(map_width + 2):
            for y in range(map_height + 2):
                self.mass[x][y] = self.new_mass[x][y]
        for x in range(1, map_width + 1):
            for y in range(1, map_height + 1):
                if self.blocks[x][y] != GROUND:
                    self.blocks[x][y] = WATER if self.mass[x][y] > MinMass else AIR
        for x in range(map_width + 2):
            self.mass[x][0] = 0
            self.mass[x][map_height + 1] = 0
        for y in range(1, map_height + 1):
            self.mass[0][y] = 0
            self.mass[map_width + 1][y] = 0


def push(blocks: list[list[int]], mass: list[list[float]], new_mass: list[list[float]], x: int, y: int) -> None:
    """The body of the loop over x and y; ``return`` stands for ``continue``."""
    if blocks[x][y] == GROUND:
        return
    remaining_mass = mass[x][y]
    if remaining_mass <= 0:
        return
    if blocks[x][y - 1] != GROUND:  # The block below this one
        Flow = get_stable_state_b(remaining_mass + mass[x][y - 1]) - mass[x][y - 1]
        if Flow > MinFlow:
            Flow *= 0.5
        Flow = constrain(Flow, 0, min(MaxSpeed, remaining_mass))
        new_mass[x][y] -= Flow
        new_mass[x][y - 1] += Flow
        remaining_mass -= Flow
    if remaining_mass <= 0:
        return
    if blocks[x - 1][y] != GROUND:  # Left
        Flow = (mass[x][y] - mass[x - 1][y]) / 4
        if Flow > MinFlow:
            Flow *= 0.5
        Flow = constrain(Flow, 0, remaining_mass)
        new_mass[x][y] -= Flow
        new_mass[x - 1][y] += Flow
        remaining_mass -= Flow
    if remaining_mass <= 0:
        return
    if blocks[x + 1][y] != GROUND:  # Right
        Flow = (mass[x][y] - mass[x + 1][y]) / 4
        if Flow > MinFlow:
            Flow *= 0.5
        Flow = constrain(Flow, 0, remaining_mass)
        new_mass[x][y] -= Flow
        new_mass[x + 1][y] += Flow
        remaining_mass -= Flow
    if remaining_mass <= 0:
        return
    if blocks[x][y + 1] != GROUND:  # Up. Only compressed water flows upwards.
        Flow = remaining_mass - get_stable_state_b(remaining_mass + mass[x][y + 1])
        if Flow > MinFlow:
            Flow *= 0.5
        Flow = constrain(Flow, 0, min(MaxSpeed, remaining_mass))
        new_mass[x][y] -= Flow
        new_mass[x][y + 1] += Flow


def constrain(value: float, low: float, high: float) -> float:
    """Processing's own function."""
    return min(max(value, low), high)


def get_stable_state_b(total_mass: float) -> float:
    """The amount of water that should be in the bottom cell."""
    if total_mass <= 1:
        return 1
    if total_mass < 2 * MaxMass + MaxCompress:
        return (MaxMass * MaxMass + total_mass * MaxCompress) / (MaxMass + MaxCompress)
    return (total_mass + MaxCompress) / 2
