"""Measures the fastest variant of each rule on a device, at the first start; later starts use the kept result."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

import numpy as np

from gpufluid.core.errors import DeviceError, OutputError, ShaderError
from gpufluid.core.fields import FULL
from gpufluid.gpu import choices
from gpufluid.gpu.choices import Choice
from gpufluid.gpu.device import Device
from gpufluid.gpu.variants import Complete, default, names_of
from gpufluid.rules import RULES, with_requirements
from gpufluid.runtime.simulation import Simulation
from gpufluid.world import World
from gpufluid.world.laws import moved_by

SOFTWARE_SIDE, GPU_SIDE = 256, 2048
"""Sides of the measured worlds, in cells: the smallest at which the variants differ clearly in speed."""

SPARSE_SIDES = 10
"""The side of a sparse world, in sides of the square of it that is busy: a hundredth of the cells."""

ROUNDS, ROUNDS_LEAST = 5, 3
"""Number of rounds in which all variants run in turn, usual and least (if they take long). The median counts."""

_SECONDS = 0.2
"""Approximate time of all rounds of a rule in one world, in seconds, without the compilation of its shaders."""

MARGIN = 1.1
"""The device's default variant is chosen unless another one is at least this many times as fast."""

_WARM_TICKS = 8
"""Ticks before a measurement: all tiles begin awake, and those without matter are asleep by then."""

_TICKS_MOST = 1000

_REASON_MOST = 200
"""Most characters of a driver's message that are shown."""

Say = Callable[[str], None]


def measured_worlds(rule: str, side: int) -> dict[str, World]:
    """Make the worlds in which the variants of a rule are measured. All are tori, so that all run the same programs.

    Args:
        rule: the name of the rule.
        side: in cells, even.

    Returns:
        ``busy``: `busy_world`.
        ``typical``: the lower half of it on a floor, where matter comes to rest.
        ``sparse``: a square of it in the middle of an empty world.
    """
    busy, rows = np.ones((side, side), bool), np.arange(side)
    square = abs(2 * rows - side) * SPARSE_SIDES <= side
    return {
        "busy": busy_world(rule, side),
        "typical": busy_world(rule, side, busy & (rows >= side // 2)[:, None], has_floor=True),
        "sparse": busy_world(rule, side, square[:, None] & square),
    }


def busy_world(rule: str, side: int, filled: np.ndarray | None = None, has_floor: bool = False) -> World:
    """Make a torus filled at random with matter that a rule, or a rule that it needs, moves.

    Args:
        rule: the name of the rule.
        side: in cells, even.
        filled: (side, side) bool: the cells to fill; None: all.
        has_floor: whether the last row is a wall.
    """
    filled = np.ones((side, side), bool) if filled is None else filled.copy()
    filled[-1] &= not has_floor
    rules = with_requirements(rule)
    world = World(side, side, rules, edges="wrap")
    rng = np.random.default_rng(0)
    held = {name: field for each in rules for name, field in RULES[each].held(world.mixture.names).items()}
    for field in dict.fromkeys(held.values()):
        world[field] = rng.integers(0, FULL, world[field].shape) * filled
    moved = [n for n, record in enumerate(world.materials) if moved_by(rules, record) and record.name not in held]
    if moved:
        room = [0] * max(1, len(moved) // 4)  # a fifth of all cells is empty
        world["material"] = rng.choice(room + moved, (side, side)) * filled
    if has_floor:
        world["material"][-1] = world.materials["wall"]
    if moved:
        world.draw_grain()
        world.draw_temperature()
    return world


def measure(
    rule: str,
    device: Device,
    simulate: Callable[..., Simulation] = Simulation,
    clock: Callable[[], float] = time.perf_counter,
) -> Choice:
    """Run the variants of a rule in turn in each of `measured_worlds`, and choose the fastest; see `MARGIN`.

    The fastest has the least geometric mean of its times in these worlds: a variant that is twice as fast in one and
    half as fast in another is as fast as before.

    Args:
        rule: the name of the rule.
        device: the device that runs them.
        simulate: makes a simulation, with the arguments of `Simulation`.
        clock: returns the time in seconds.
    Returns: the choice. If the digests of any two variants differ, it is the first variant that runs.
    Raises: DeviceError: no variant runs on the device.
    """
    failed: dict[str, str] = {}
    found: list[dict[str, float]] = []
    alike = True
    for world in measured_worlds(rule, min(SOFTWARE_SIDE if device.software else GPU_SIDE, device.max_side)).values():
        with ExitStack() as stack:
            names = [name for name in names_of(rule) if name not in failed]
            warm = _all_warmed(
                world,
                {name: {rule: name} for name in names},
                device,
                lambda *how, stack=stack, **more: stack.enter_context(simulate(*how, **more)),
                clock,
                failed,
            )
            if not warm:
                raise DeviceError(f"no variant of rule {rule} runs here ({device.renderer}): {failed}")
            running = {name: sim for name, (sim, _) in warm.items()}
            ticks = int(_SECONDS / ROUNDS / max(sum(spent for _, spent in warm.values()), 1e-9))
            found.append(_by_turns(running, min(max(ticks, 1), _TICKS_MOST), clock))
            alike = alike and len({sim.digest() for sim in running.values()}) == 1
    seconds = {name: statistics.geometric_mean([each[name] for each in found]) for name in found[-1]}
    return Choice(_best(rule, device, seconds) if alike else next(iter(seconds)), seconds, failed, alike)


def _best(rule: str, device: Device, seconds: Mapping[str, float]) -> str:
    """The fastest variant, or the device's default if that is about as fast."""
    usual, fastest = default(rule, device), min(seconds, key=seconds.__getitem__)
    return usual if usual in seconds and seconds[usual] <= MARGIN * seconds[fastest] else fastest


def _all_warmed(
    world: World,
    variants: Mapping[str, Mapping[str, str]],
    device: Device,
    simulate: Callable[..., Simulation],
    clock: Callable[[], float],
    failed: dict[str, str],
) -> dict[str, tuple[Simulation, float]]:
    """Start some variants, given by name as the argument of `Simulation`: (simulation, approximate seconds a tick).

    Adds the errors of variants that do not run to ``failed``.
    """
    found = {}
    for name, variant in variants.items():
        try:
            sim = simulate(world, device, variant=variant)
            found[name] = sim, _warmed(sim, device, clock)
        except (DeviceError, MemoryError):  # too little memory is no fault of a variant
            raise
        except Exception as error:  # a driver can raise anything for a shader
            failed[name] = str(error) or type(error).__name__
            device.take_error()
    return found


def _warmed(sim: Simulation, device: Device, clock: Callable[[], float]) -> float:
    """Seconds a tick after the driver has compiled all programs. Raises ShaderError: OpenGL refuses to run one."""
    _seconds(sim, _WARM_TICKS, clock)
    found = _seconds(sim, 1, clock)
    if error := device.take_error():
        raise ShaderError(f"it compiles and does not run: {error}")
    return found


def _by_turns(running: Mapping[str, Simulation], ticks: int, clock: Callable[[], float]) -> dict[str, float]:
    """Seconds a tick of each variant, the median of some rounds."""
    spent: dict[str, list[float]] = {name: [] for name in running}
    until = clock() + 2 * _SECONDS
    for turn in range(ROUNDS):
        if turn >= ROUNDS_LEAST and clock() >= until:
            break
        for name, sim in running.items():
            spent[name].append(_seconds(sim, ticks, clock) / ticks)
    return {name: statistics.median(each) for name, each in spent.items()}


def _seconds(sim: Simulation, ticks: int, clock: Callable[[], float]) -> float:
    sim.finish()
    began = clock()
    sim.step(ticks)
    sim.finish()
    return clock() - began


def measuring(device: Device, say: Say) -> Complete:
    """A function for `gpu.variants.decide` that measures the rules without a kept choice, and keeps the results.

    Args:
        device: the device that runs them.
        say: called with each message for the user.
    """

    def complete(found: Mapping[str, Choice], missing: Sequence[str]) -> Mapping[str, Choice]:
        found = {**found, **(_measured(missing, device, say) if missing else {})}
        for rule, choice in found.items():
            if not choice.alike:
                say(_unlike(rule, choice))
        return found

    return complete


def _measured(rules: Sequence[str], device: Device, say: Say) -> dict[str, Choice]:
    """Measure some rules and keep the choices."""
    words = " and ".join(rules)
    say(f"measuring the variants of {words} on {device.renderer}, this once; the fastest is kept in {_place()}")
    found: dict[str, Choice] = {}
    for rule in rules:
        try:
            found[rule] = measure(rule, device)
        except (DeviceError, MemoryError) as error:
            say(f"rule {rule} is not measured: {error}")
            continue
        for name, reason in found[rule].failed.items():
            why = " ".join(reason.split())[:_REASON_MOST]
            say(f"variant {name} of rule {rule} does not run here and is left out: {why}")
    try:
        choices.keep(device.renderer, device.version, found)
    except OutputError as error:
        say(f"what was measured could not be kept and will be measured again: {error}")
    return found


def _place() -> str:
    try:
        return str(choices.choices_file())
    except RuntimeError:  # no home folder: `choices.keep` reports it
        return "the user's cache folder"


def _unlike(rule: str, choice: Choice) -> str:
    others = ", ".join(name for name in choice.seconds if name != choice.variant)
    return (
        f"the variants of rule {rule} give different digests on this driver, a fault of the driver or of gpufluid:"
        f" {choice.variant} is taken and not {others}; compare it with the oracle by `gpufluid check`"
    )
