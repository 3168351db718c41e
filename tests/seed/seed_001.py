"""Seed 001, the same fluid in Unity: a literal transcription of its loop.

Arrays are [x, y] with y pointing up, as in the seed, whose "left" is x + 1. The outermost cells are read but
never run. Its speed limit ``spd`` is not given: 1, as in seed 000, whose MaxMass, MaxCompress and MinMass it has.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

AIR, FLUID, SOLID = 0, 1, 2

MaxMass = 1.0
MaxCompress = 0.02
MinMass = 0.0001
spd = 1.0


@dataclass(slots=True)
class Cell:
    """One cell of the front or back array."""

    cType: int
    cellMass: float


class Simulation:
    """``caFront`` is read, ``caBack`` is written; ``flowScore`` is the total flow of the last frame."""

    def __init__(self, types: list[list[int]], mass: list[list[float]]) -> None:
        self.Column, self.Row = len(types), len(types[0])
        self.caFront = [[Cell(*cell) for cell in zip(*column, strict=True)] for column in zip(types, mass, strict=True)]
        self.caBack = [[replace(cell) for cell in column] for column in self.caFront]
        self.flowScore = 0.0

    @property
    def mass(self) -> list[list[float]]:
        """The masses now."""
        return [[cell.cellMass for cell in column] for column in self.caFront]

    def step(self) -> None:
        """One frame: run every cell, then the back array becomes the front one."""
        self.flowScore = 0.0
        for y in range(1, self.Row - 1):
            for x in range(1, self.Column - 1):
                self.flowScore += push(self.caFront, self.caBack, x, y)
        for x in range(self.Column):
            for y in range(self.Row):
                self.caFront[x][y].cellMass = self.caBack[x][y].cellMass


def push(caFront: list[list[Cell]], caBack: list[list[Cell]], x: int, y: int) -> float:
    """The body of the loop over x and y; returns the amount to add to ``flowScore``."""
    curr = caFront[x][y]
    flowScore = 0.0
    if curr.cType == SOLID or curr.cellMass <= 0:
        return flowScore
    rMass = curr.cellMass
    if rMass > 0 and caFront[x][y - 1].cType != SOLID:  # Below
        flow = stableMass(rMass + caFront[x][y - 1].cellMass) - caFront[x][y - 1].cellMass
        if flow > MinMass:
            flow *= 0.5
        flow = clamp(flow, 0, min(spd, rMass))
        caBack[x][y].cellMass -= flow
        caBack[x][y - 1].cellMass += flow
        flowScore += flow
        rMass -= flow
    if rMass > 0 and caFront[x + 1][y].cType != SOLID:  # Left
        flow = (curr.cellMass - caFront[x + 1][y].cellMass) * 0.5
        if flow > MinMass:
            flow *= 0.5
        flow = clamp(flow, 0, rMass)
        caBack[x][y].cellMass -= flow
        caBack[x + 1][y].cellMass += flow
        flowScore += flow
        rMass -= flow
    if rMass > 0 and caFront[x - 1][y].cType != SOLID:  # Right
        flow = (curr.cellMass - caFront[x - 1][y].cellMass) * 0.5
        if flow > MinMass:
            flow *= 0.5
        flow = clamp(flow, 0, rMass)
        caBack[x][y].cellMass -= flow
        caBack[x - 1][y].cellMass += flow
        flowScore += flow
        rMass -= flow
    if rMass > 0 and caFront[x][y + 1].cType != SOLID:  # Above
        flow = rMass - stableMass(rMass + caFront[x][y + 1].cellMass)
        if flow > MinMass:
            flow *= 0.5
        flow = clamp(flow, 0, min(spd, rMass))
        caBack[x][y].cellMass -= flow
        caBack[x][y + 1].cellMass += flow
        flowScore += flow
    return flowScore


def clamp(value: float, low: float, high: float) -> float:
    """Unity's Mathf.Clamp."""
    return min(max(value, low), high)


def stableMass(mass: float) -> float:
    """The mass that the lower of two cells should hold."""
    if mass <= 1:
        return 1
    if mass < 2 * MaxMass + MaxCompress:
        return (MaxMass * MaxMass + mass * MaxCompress) / (MaxMass + MaxCompress)
    return (mass + MaxCompress) * 0.5
