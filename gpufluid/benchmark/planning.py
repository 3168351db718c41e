"""Planning of a benchmark: the rows to measure. Requests that cannot be met are refused before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gpufluid.benchmark.measuring import Case
from gpufluid.benchmark.variants import CHOSEN, VARIANTS, applies_to
from gpufluid.benchmark.workload import LEAST_SIDE, Workload, independent_rules, joint_workloads, workloads_of
from gpufluid.core.errors import UsageError, WorldError, did_you_mean
from gpufluid.gpu.device import Device
from gpufluid.gpu.footprint import shortage
from gpufluid.gpu.variants import decide
from gpufluid.io.loading import load_scene
from gpufluid.rules import RULES, with_requirements

SOFTWARE_SIZES = (256,)
GPU_SIZES = (1024, 4096)
"""The sides, in cells, that are measured by default: for all rules fifty rows a side, in about two minutes."""

SCENE_TICKS = 120
"""Largest number of ticks in a run of a scene."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The user's selection; an empty field selects the default.

    Args:
        sizes: sides of square worlds, in cells.
        scenes: names or files; if only scenes are given, only scenes are measured.
        rules: names, or several in one world such as ``flow+atoms``.
        workloads, variants: names.
    """

    sizes: Sequence[int] = ()
    scenes: Sequence[str] = ()
    rules: Sequence[str] = ()
    workloads: Sequence[str] = ()
    variants: Sequence[str] = ()


@dataclass(slots=True)
class Plan:
    """A benchmark to be run.

    Args:
        cases: the rows to measure.
        skipped: a sentence for each part that is not measured.
    """

    cases: list[Case] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def plan(selection: Selection, device: Device) -> Plan:
    """Plan the rows, small sizes first.

    Raises: UsageError: unknown size, rule, workload, scene or variant, or too little memory for a requested one.
    """
    found = Plan()
    variants = _known("--variant", dict.fromkeys(selection.variants or (CHOSEN,)), VARIANTS)
    scenes = [_scene(name, device) for name in dict.fromkeys(selection.scenes)]
    if selection.sizes or selection.rules or selection.workloads or not selection.scenes:
        groups = _groups(selection.rules, found)
        chosen = _workloads(groups, selection.workloads)
        for side in _sizes(selection.sizes, device, found):
            for rules, workloads in chosen.items():
                if _fits(rules, side, device, found, wanted=bool(selection.sizes)):
                    found.cases += [Case(rules, each, (side, side), name) for each in workloads for name in variants]
    for rules, workload, size in scenes:
        found.cases += [Case(rules, workload, size, name) for name in variants]
    _drop_inapplicable(found)
    return found


def _drop_inapplicable(found: Plan) -> None:
    """Drop rows whose variant does not apply to their rules. Raises: UsageError: no row is left."""
    dropped = dict.fromkeys((case.variant, "+".join(case.rules)) for case in found.cases if not _is_applicable(case))
    found.cases = [case for case in found.cases if _is_applicable(case)]
    if dropped and not found.cases:
        variant, rules = next(iter(dropped))
        raise UsageError(
            f"--variant: {variant!r} is not a variant of {rules}; expected one that applies to the selected rules"
        )
    found.skipped += [f"{rules} with {variant}, which is not a variant of these rules" for variant, rules in dropped]


def _is_applicable(case: Case) -> bool:
    return applies_to(case.variant, case.rules)


def _known(option: str, names: Sequence[str] | dict[str, None], known: Sequence[str] | dict) -> list[str]:
    for name in names:
        if name not in known:
            raise UsageError(f"{option}: {name!r} is not known{did_you_mean(name, known)}")
    return list(names)


def _groups(requested: Sequence[str], found: Plan) -> list[tuple[str, ...]]:
    """The rules of each world: as requested, or each rule with those it requires, then `independent_rules` together."""
    if requested:
        return list(dict.fromkeys(_group(name) for name in requested))
    brought = tuple(rule for rule in RULES if workloads_of(rule))
    found.skipped += [f"rule {rule} has no workloads" for rule in RULES if rule not in brought]
    groups = [
        with_requirements(rule, beside)
        for rule in brought
        for beside in [(each,) for each in RULES[rule].requires.works_on] or [()]
    ]
    alone = independent_rules(brought)
    if len(alone) > 1:
        try:
            for workload in joint_workloads(alone):
                workload.make(LEAST_SIDE, LEAST_SIDE)
            groups.append(alone)
        except WorldError as error:
            found.skipped.append(f"rules {'+'.join(alone)} cannot share a world: {error}")
    return groups


def _group(name: str) -> tuple[str, ...]:
    """The rules of a name such as ``flow+atoms``, with the rules that they require."""
    named = _known("--rule", [part.strip() for part in name.split("+")], RULES)
    rules = {each for rule in named for each in with_requirements(rule, named)}
    group = tuple(rule for rule in RULES if rule in rules)
    for rule in group:
        if not workloads_of(rule):
            raise UsageError(
                f"--rule: {rule} has no workloads; expected a file (gpufluid/benchmark/workloads/{rule}.py)"
            )
    try:
        for workload in joint_workloads(group):
            workload.make(LEAST_SIDE, LEAST_SIDE)
    except WorldError as error:
        raise UsageError(f"--rule: {name}: these rules cannot share a world: {error}") from None
    return group


def _workloads(groups: Sequence[tuple[str, ...]], requested: Sequence[str]) -> dict[tuple[str, ...], list[Workload]]:
    """The workloads to measure for each group of rules: the requested names, or all."""
    there = {group: {workload.name: workload for workload in joint_workloads(group)} for group in groups}
    names = {name: None for workloads in there.values() for name in workloads}
    wanted = _known("--workload", dict.fromkeys(requested), names) or names
    return {group: [workloads[name] for name in wanted if name in workloads] for group, workloads in there.items()}


def _sizes(requested: Sequence[int], device: Device, found: Plan) -> list[int]:
    for side in requested:
        if side % 2 or not LEAST_SIDE <= side <= device.max_side:
            wanted = f"an even whole number from {LEAST_SIDE} to {device.max_side}, this device's limit"
            raise UsageError(f"--size: {side}; expected {wanted} ({device.renderer})")
    if requested:
        return sorted(set(requested))
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
    run_ticks = max(1, min(loaded.ticks, SCENE_TICKS))
    return world.rules, Workload(loaded.path.stem, loaded.about, lambda width, height: world, run_ticks), size  # noqa: ARG005
