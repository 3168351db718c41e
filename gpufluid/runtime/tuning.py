"""Which variant of a rule is the fastest here: a short measurement at the first start, kept for all later ones."""

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
"""Of the world that is measured in, in cells: as small as still tells the variants apart."""

ROUNDS, ROUNDS_LEAST = 5, 3
"""All variants run by turns so often, or where one takes long so often; of each the median counts."""

_SECONDS = 0.4
"""What all rounds of a rule take together, about; beside it stands the compiling of its shaders."""

MARGIN = 1.1
"""What suits a device is taken unless another is so many times as fast."""

_WARM_TICKS = 2
_TICKS_MOST = 1000

_TOLD = 200
"""Characters of what a driver has to say of a shader."""

Say = Callable[[str], None]


def busy_world(rule: str, side: int) -> World:
    """A torus full of what a rule, or one that it needs, moves: amounts drawn for what it holds, matter of all states.

    Args:
        rule: its name.
        side: in cells, even.
    """
    rules = with_requirements(rule)
    world = World(side, side, rules, edges="wrap")
    rng = np.random.default_rng(0)
    held = RULES[rule].held(world.mixture.names)
    for field in dict.fromkeys(held.values()):
        world[field] = rng.integers(0, FULL, world[field].shape)
    moved = [n for n, record in enumerate(world.materials) if moved_by(rules, record) and record.name not in held]
    if moved:
        room = [0] * max(1, len(moved) // 4)  # a fifth of all cells is empty
        world["material"] = rng.choice(room + moved, (side, side))
        world.draw_grain()
        world.draw_temperature()
    return world


def measure(
    rule: str,
    device: Device,
    simulate: Callable[..., Simulation] = Simulation,
    clock: Callable[[], float] = time.perf_counter,
) -> Choice:
    """Run each variant of a rule by turns in one busy world, and choose the fastest; see `MARGIN`.

    Args:
        rule: its name.
        device: where.
        simulate: what runs a world, made as a `Simulation` is.
        clock: tells the time, in seconds.
    Returns: the choice; where the digests of any two differ it is the first variant, which the oracle follows.
    Raises: DeviceError: none of them runs here.
    """
    failed: dict[str, str] = {}
    with ExitStack() as stack:
        warm = _all_warmed(
            rule, device, lambda *how, **more: stack.enter_context(simulate(*how, **more)), clock, failed
        )
        if not warm:
            raise DeviceError(f"no variant of rule {rule} runs here ({device.renderer}): {failed}")
        running = {name: sim for name, (sim, _) in warm.items()}
        ticks = int(_SECONDS / ROUNDS / max(sum(spent for _, spent in warm.values()), 1e-9))
        seconds = _by_turns(running, min(max(ticks, 1), _TICKS_MOST), clock)
        alike = len({sim.digest() for sim in running.values()}) == 1
    return Choice(_best(rule, device, seconds) if alike else next(iter(running)), seconds, failed, alike)


def _best(rule: str, device: Device, seconds: Mapping[str, float]) -> str:
    """The fastest, or what suits the device if that is about as fast.

    What suits a processor lets tiles sleep, which a busy world does not show.
    """
    usual, fastest = default(rule, device), min(seconds, key=seconds.__getitem__)
    return usual if usual in seconds and seconds[usual] <= MARGIN * seconds[fastest] else fastest


def _all_warmed(
    rule: str,
    device: Device,
    simulate: Callable[..., Simulation],
    clock: Callable[[], float],
    failed: dict[str, str],
) -> dict[str, tuple[Simulation, float]]:
    """Each variant that runs, with seconds a tick to go by; what keeps others from it is added to `failed`."""
    world = busy_world(rule, min(SOFTWARE_SIDE if device.software else GPU_SIDE, device.max_side))
    found = {}
    for name in names_of(rule):
        try:
            sim = simulate(world, device, variant={rule: name})
            found[name] = sim, _warmed(sim, device, clock)
        except (DeviceError, MemoryError):  # there is too little memory, and no variant is to blame
            raise
        except Exception as error:  # whatever a driver has against a shader
            failed[name] = str(error) or type(error).__name__
            device.take_error()
    return found


def _warmed(sim: Simulation, device: Device, clock: Callable[[], float]) -> float:
    """Seconds a tick, once the driver has compiled all there is. Raises ShaderError: OpenGL refuses to run it."""
    _seconds(sim, _WARM_TICKS, clock)
    found = _seconds(sim, _WARM_TICKS, clock) / _WARM_TICKS
    if error := device.take_error():
        raise ShaderError(f"it compiles and does not run: {error}")
    return found


def _by_turns(running: Mapping[str, Simulation], ticks: int, clock: Callable[[], float]) -> dict[str, float]:
    """Seconds a tick of each, medians of some rounds."""
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
    """Make the `Complete` that `gpu.variants.decide` takes: it measures rules not measured here yet.

    Args:
        device: where.
        say: told what a user should know, a sentence each.
    """

    def complete(found: Mapping[str, Choice], missing: Sequence[str]) -> Mapping[str, Choice]:
        found = {**found, **(_measured(missing, device, say) if missing else {})}
        for rule, choice in found.items():
            if not choice.alike:
                say(_unlike(rule, choice))
        return found

    return complete


def _measured(rules: Sequence[str], device: Device, say: Say) -> dict[str, Choice]:
    """Measure some rules and keep what was found."""
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
            say(f"variant {name} of rule {rule} does not run here and is left out: {' '.join(reason.split())[:_TOLD]}")
    try:
        choices.keep(device.renderer, device.version, found)
    except OutputError as error:
        say(f"what was measured could not be kept and will be measured again: {error}")
    return found


def _place() -> str:
    try:
        return str(choices.choices_file())
    except RuntimeError:  # no home, which is told when it cannot be kept
        return "the user's cache folder"


def _unlike(rule: str, choice: Choice) -> str:
    others = ", ".join(name for name in choice.seconds if name != choice.variant)
    return (
        f"the variants of rule {rule} give different digests on this driver, which is a fault of it or of gpufluid:"
        f" {choice.variant} is taken and not {others}; hold it against the oracle with `gpufluid check`"
    )
