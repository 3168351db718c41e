"""What a tick runs. **Read this page first.**

A tick is the list `TICK`, of which each rule brings the passes it has. A new rule is a file here with a `RULE`,
a folder in ``shaders/``, a file in ``oracle/`` of the same name, and its name in `RULES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gpufluid.emitters import Drain, Emitter, Source
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
        substep: how many times it has already run in this tick.
        source: the emitter or drain it serves, if it serves one.
        number: that source's place among the world's emitters or drains.
    """

    step: Pass
    tick: int
    substep: int = 0
    source: Source | None = None
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
    def _sources(self) -> dict[Over, Sequence[Source]]:
        return {Over.EMITTERS: self.emitters, Over.DRAINS: self.drains}

    def repeats(self, step: Pass) -> int:
        """How often a pass runs in a tick."""
        return int(self.parameters[step.rule][step.repeats]) if step.repeats else 1

    def calls(self, tick: int) -> Iterator[Call]:
        """The calls of one tick, in order."""
        for step in self.passes:
            if step.over in self._sources:
                for number, source in enumerate(self._sources[step.over]):
                    if source.acts(tick):
                        yield Call(step, tick, 0, source, number)
            else:
                for substep in range(self.repeats(step)):
                    yield Call(step, tick, substep)

    def sources_end(self, tick: int) -> bool:
        """Whether no emitter and no drain acts from a tick on."""
        return all(source.ends(tick) for sources in self._sources.values() for source in sources)
