"""What a tick runs. **Read this page first.**

A tick is the list `TICK`, of which each rule brings the passes it has. A new rule is a file here with a `RULE`,
a folder in ``shaders/``, a file in ``oracle/`` of the same name, and its name in `RULES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from gpufluid.emitters import Drain, Emitter
from gpufluid.rules import flow
from gpufluid.rules.declaration import Over, Overlay, Parameter, ParameterError, Pass, Rule, Value

__all__ = [
    "RULES",
    "TICK",
    "Call",
    "Over",
    "Overlay",
    "Parameter",
    "ParameterError",
    "Pass",
    "Rule",
    "Schedule",
    "Value",
]

RULES: dict[str, Rule] = {rule.name: rule for rule in (flow.RULE,)}

TICK = ("emit", "flow", "drain")
"""The order of passes in a tick, by name."""


@dataclass(frozen=True, slots=True)
class Call:
    """One run of one pass.

    Args:
        step: the pass.
        tick: the tick it is part of.
        substep, substeps: which of its runs in this tick this is, and of how many.
        source: the emitter or drain it serves, if it serves one.
        number: that source's place among the world's emitters or drains.
    """

    step: Pass
    tick: int
    substep: int = 0
    substeps: int = 1
    source: Emitter | Drain | None = None
    number: int = 0


@dataclass(frozen=True)
class Schedule:
    """The calls of every tick of one world. The simulation, the oracle and the check all follow it.

    Args:
        rules, parameters, emitters, drains: those of the world.
    """

    rules: Sequence[str]
    parameters: Mapping[str, Mapping[str, Value]]
    emitters: Sequence[Emitter]
    drains: Sequence[Drain]

    @cached_property
    def passes(self) -> list[Pass]:
        """The passes of a tick, in the order of `TICK`."""
        brought = [step for rule in self.rules for step in RULES[rule].passes]
        return [step for name in TICK for step in brought if step.name == name]

    @cached_property
    def _sources(self) -> dict[Over, Sequence[Emitter | Drain]]:
        return {Over.EMITTERS: self.emitters, Over.DRAINS: self.drains}

    @cached_property
    def _rounds(self) -> list[tuple[list[Pass], int]]:
        """Passes that stand together and are repeated by one parameter run by turns, so many times."""
        grouped = groupby(self.passes, key=lambda step: (step.rule, step.repeats))
        return [
            (list(steps), int(self.parameters[rule][repeats]) if repeats else 1) for (rule, repeats), steps in grouped
        ]

    def calls(self, tick: int) -> Iterator[Call]:
        """The calls of one tick, in order."""
        for steps, substeps in self._rounds:
            for substep in range(substeps):
                for step in steps:
                    if step.over not in self._sources:
                        yield Call(step, tick, substep, substeps)
                        continue
                    for number, source in enumerate(self._sources[step.over]):
                        if source.acts(tick):
                            yield Call(step, tick, substep, substeps, source, number)

    def sources_end(self, tick: int) -> bool:
        """Whether no emitter and no drain acts from a tick on."""
        return all(source.ends(tick) for sources in self._sources.values() for source in sources)
