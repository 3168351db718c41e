"""What is measured: which rules, in which workloads, at which sizes; what cannot be is refused before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gpufluid.benchmark.measuring import Case
from gpufluid.benchmark.variants import CHOSEN, VARIANTS, concerns
from gpufluid.benchmark.workload import LEAST_SIDE, Workload, companions, together, workloads_of
from gpufluid.core.errors import UsageError, WorldError, did_you_mean
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import shortage
from gpufluid.gpu.variants import decide
from gpufluid.io.loading import load_scene
from gpufluid.rules import RULES, with_requirements

SOFTWARE_SIZES = (256, 512, 1024)
GPU_SIZES = (256, 1024, 4096, 16384)
"""Sides measured if none is asked for: larger ones take minutes each, most of it to make and check their worlds."""

SCENE_TICKS = 120
"""Of a scene's course, at the most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user has named; what is left out is chosen.

    Args:
        sizes: sides of worlds, in cells.
        scenes: to be measured as they are; if only scenes are named, nothing else is.
        rules: each by itself, or several as ``flow+atoms``.
        workloads, variants: by name.
    """

    sizes: Sequence[int] = ()
    scenes: Sequence[str] = ()
    rules: Sequence[str] = ()
    workloads: Sequence[str] = ()
    variants: Sequence[str] = ()


@dataclass(slots=True)
class Plan:
    """What is measured, row by row, and a sentence for each thing that is not."""

    cases: list[Case] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def plan(asked: Asked, device: Device) -> Plan:
    """All rows, the small sizes first.

    Raises: UsageError: a size, rule, workload, scene or variant that there is not, or that does not fit here.
    """
    found = Plan()
    variants = _known("--variant", dict.fromkeys(asked.variants or (CHOSEN,)), VARIANTS)
    scenes = [_scene(name, device) for name in dict.fromkeys(asked.scenes)]
    if asked.sizes or asked.rules or asked.workloads or not asked.scenes:
        groups = _groups(asked.rules, found)
        chosen = _workloads(groups, asked.workloads)
        for side in _sizes(asked.sizes, device, found):
            for rules, workloads in chosen.items():
                if _fits(rules, side, device, found, wanted=bool(asked.sizes)):
                    found.cases += [Case(rules, each, (side, side), name) for each in workloads for name in variants]
    for rules, workload, size in scenes:
        found.cases += [Case(rules, workload, size, name) for name in variants]
    _leave_out_what_says_nothing(found)
    return found


def _leave_out_what_says_nothing(found: Plan) -> None:
    """No row for a variant of another rule than those in its world. Raises UsageError: then there is none at all."""
    vain = dict.fromkeys((case.variant, "+".join(case.rules)) for case in found.cases if not _told(case))
    found.cases = [case for case in found.cases if _told(case)]
    if vain and not found.cases:
        variant, rules = next(iter(vain))
        raise UsageError(f"--variant: {variant!r} is no variant of {rules}, which is all that would be measured")
    found.skipped += [f"{rules} by {variant}, which is no variant of it" for variant, rules in vain]


def _told(case: Case) -> bool:
    return concerns(case.variant, case.rules)


def _known(option: str, names: Sequence[str] | dict[str, None], known: Sequence[str] | dict) -> list[str]:
    for name in names:
        if name not in known:
            raise UsageError(f"{option}: {name!r} is not known{did_you_mean(name, known)}")
    return list(names)


def _groups(asked: Sequence[str], found: Plan) -> list[tuple[str, ...]]:
    """The rules that act in one world: as asked, or each with what it needs, then `companions` together."""
    if asked:
        return list(dict.fromkeys(_group(name) for name in asked))
    brought = tuple(rule for rule in RULES if workloads_of(rule))
    found.skipped += [f"rule {rule} brings no workloads" for rule in RULES if rule not in brought]
    groups = [
        with_requirements(rule, beside)
        for rule in brought
        for beside in [(each,) for each in RULES[rule].requires.works_on] or [()]
    ]
    alone = companions(brought)
    if len(alone) > 1:
        try:
            for workload in together(alone):
                workload.make(LEAST_SIDE, LEAST_SIDE)
            groups.append(alone)
        except WorldError as error:
            found.skipped.append(f"rules {'+'.join(alone)} do not go together in one world: {error}")
    return groups


def _group(name: str) -> tuple[str, ...]:
    """The rules of a name such as ``flow+atoms``, with those that they need."""
    named = _known("--rule", [part.strip() for part in name.split("+")], RULES)
    rules = {each for rule in named for each in with_requirements(rule, named)}
    group = tuple(rule for rule in RULES if rule in rules)
    for rule in group:
        if not workloads_of(rule):
            raise UsageError(f"--rule: {rule} brings no workloads (gpufluid/benchmark/workloads/{rule}.py)")
    try:
        for workload in together(group):
            workload.make(LEAST_SIDE, LEAST_SIDE)
    except WorldError as error:
        raise UsageError(f"--rule: {name}: they do not go together in one world: {error}") from None
    return group


def _workloads(groups: Sequence[tuple[str, ...]], asked: Sequence[str]) -> dict[tuple[str, ...], list[Workload]]:
    """What is measured of each group, by the names asked for, or all."""
    there = {group: {workload.name: workload for workload in together(group)} for group in groups}
    names = {name: None for workloads in there.values() for name in workloads}
    wanted = _known("--workload", dict.fromkeys(asked), names) or names
    return {group: [workloads[name] for name in wanted if name in workloads] for group, workloads in there.items()}


def _sizes(asked: Sequence[int], device: Device, found: Plan) -> list[int]:
    for side in asked:
        if side % 2 or not LEAST_SIDE <= side <= device.max_side:
            wanted = f"an even whole number from {LEAST_SIDE} to {device.max_side}, this device's limit"
            raise UsageError(f"--size: {side}; expected {wanted} ({device.renderer})")
    if asked:
        return sorted(set(asked))
    sizes = [side for side in (SOFTWARE_SIZES if device.software else GPU_SIZES) if side <= device.max_side]
    if sizes[-1] < device.max_side:
        larger = f"sizes over {sizes[-1]}; ask for one with --size N, up to {device.max_side}"
        found.skipped.append(f"{larger} (this is software OpenGL)" if device.software else larger)
    return sizes


def _fits(rules: tuple[str, ...], side: int, device: Device, found: Plan, *, wanted: bool) -> bool:
    lack = shortage(device, decide(rules, None, device), side, side)
    if lack and wanted:
        raise UsageError(f"--size: {side}: {lack}")
    if lack:
        found.skipped.append(f"{'+'.join(rules)} at size {side}: {lack}")
    return not lack


def _scene(name: str, device: Device) -> tuple[tuple[str, ...], Workload, tuple[int, int]]:
    loaded = load_scene(name, max_side=device.max_side)
    world, size = loaded.world, (loaded.world.width, loaded.world.height)
    if lack := shortage(device, decide(world.rules, None, device), *size):
        raise UsageError(f"--scene: {name}: {lack}")
    course = max(1, min(loaded.ticks, SCENE_TICKS))
    return world.rules, Workload(loaded.path.stem, loaded.about, lambda width, height: world, course), size  # noqa: ARG005
