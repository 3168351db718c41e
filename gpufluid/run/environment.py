"""Runtime report: renderer, versions, limits, and which rules run."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gpufluid.core import extras
from gpufluid.core.errors import DeviceError, MissingExtraError, OutputError
from gpufluid.core.memory import in_units
from gpufluid.gpu import egl_devices
from gpufluid.gpu.device import GROUPS_LIMIT, Device, shared_device
from gpufluid.gpu.footprint import largest_side, longest_side, state_bytes_a_cell
from gpufluid.gpu.textures import bytes_a_texel
from gpufluid.gpu.variants import decide, kept
from gpufluid.matter import mixtures
from gpufluid.matter.materials import PROPERTIES, SHIPPED, Material, State
from gpufluid.render.film import encoder
from gpufluid.rules import RULES, Over, Parameter, Rule, overlays_of, passes_of, with_requirements

_SHOWN = ("density", *(key.name for key in PROPERTIES if key.name != "shade"))
"""The properties of a material in the text report: those of its motion, not those of its look."""

_LIBRARIES = ("gpufluid", "moderngl", "glcontext", "numpy", "pillow")


def describe() -> dict[str, Any]:
    """The runtime report as plain data; ``runs`` says whether worlds can run on this machine, ``problem`` why not."""
    answer: dict[str, Any] = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": {name: version(name) for name in _LIBRARIES},
        "extras": {extra: _extra(extra) for extra in extras.LIBRARIES},
        "film_encoder": _film_encoder(),
        "rules": {name: _rule(rule) for name, rule in RULES.items()},
        "materials": {record.name: _material(number, record) for number, record in enumerate(SHIPPED)},
        "devices": [asdict(each) for each in egl_devices.devices()],
        "runs": True,
        "problem": None,
    }
    try:
        device = shared_device()
    except DeviceError as error:
        return answer | {"runs": False, "problem": str(error)}
    for name, rule in answer["rules"].items():
        rule |= _running(name, device)
    return answer | {
        "renderer": device.renderer,
        "opengl": device.version,
        "software": device.software,
        "largest_side": device.max_side,
        "free_memory": device.free_memory,
        "longest_side": {name: longest_side(device, with_requirements(name)) for name in RULES},
        "largest_world": {name: _largest_side(name, device) for name in RULES},
        "largest_dispatch": GROUPS_LIMIT,
        "storage_buffer_bytes": device.storage_bytes,
    }


def _largest_side(rule: str, device: Device) -> int | None:
    return largest_side(device, decide(with_requirements(rule), None, device))


def _extra(name: str) -> dict[str, str | None]:
    """The version of each library of an extra, by its name; None: it is not installed."""
    absent = extras.missing(name)
    return {library: None if library in absent else _version(library) for library in extras.LIBRARIES[name]}


def _version(library: str) -> str:
    """The version of a library that can be imported; some packagers install it under another name."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "of an unknown version"


def _extra_line(name: str, libraries: Mapping[str, str | None]) -> str:
    if None in libraries.values():
        return f"{name}: not installed (pip install 'gpufluid[{name}]')"
    return f"{name}: {', '.join(f'{library} {number}' for library, number in libraries.items())}"


def _film_encoder() -> str:
    try:
        encoder()
    except (MissingExtraError, OutputError) as error:
        return f"none: {error}"
    import imageio_ffmpeg

    return f"ffmpeg {imageio_ffmpeg.get_ffmpeg_version()}"


def _devices(devices: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each device that opens, with its number, and one that names the others."""
    for each in devices:
        if each["opens"]:
            yield f"{each['number']}: {each['name']}" + (
                f", CUDA device {each['cuda']}" if each["cuda"] is not None else ""
            )
    closed = [f"{each['number']} ({each['name']})" for each in devices if not each["opens"]]
    if closed:
        yield f"left out, because they do not open: {', '.join(closed)}"


def table(answer: dict[str, Any], *, everything: bool) -> str:
    """The runtime report of `describe` as text; ``everything``: also materials and rules."""
    more = _matter(answer) if everything else ["more       gpufluid info --all lists the materials and the rules"]
    lines = [f"gpufluid   {answer['libraries']['gpufluid']}, Python {answer['python']}, {answer['system']}"]
    libraries = ", ".join(f"{name} {number}" for name, number in answer["libraries"].items() if name != "gpufluid")
    lines.append(f"libraries  {libraries}")
    lines += [f"extra      {_extra_line(name, found)}" for name, found in answer["extras"].items()]
    lines.append(f"films      {answer['film_encoder']}")
    lines += [f"device     {line}" for line in _devices(answer["devices"])]
    if not answer["runs"]:
        return "\n".join([*lines, f"renderer   none: {answer['problem']}", *more])
    kind = "software: correct, but slow" if answer["software"] else "GPU"
    side = answer["largest_side"]
    lines.append(f"renderer   {answer['renderer']} ({kind})")
    lines.append(f"opengl     {answer['opengl']}")
    lines.append(f"limits     worlds up to {side} x {side} cells, {answer['largest_dispatch']} groups a dispatch axis")
    free = answer["free_memory"]
    whose = "the machine's, shared with all programs" if answer["software"] else "the GPU's own"
    lines.append(f"memory     {'free memory is not known' if free is None else f'{in_units(free)} free ({whose})'}")
    lines += [f"largest    {_largest(name, side, answer)}" for name, side in answer["largest_world"].items()]
    return "\n".join([*lines, *more])


def _largest(rule: str, side: int | None, answer: dict[str, Any]) -> str:
    """The largest world of a rule, and the limit that bounds it."""
    longest = answer["longest_side"][rule]
    if side is None:
        return f"{rule}: {longest} x {longest} cells, if the memory holds it"
    bound = "the limit of textures" if side == longest else "the free memory"
    return f"{rule}: {side} x {side} cells, by {bound}"


def _matter(answer: dict[str, Any]) -> list[str]:
    lines = [f"materials  {len(answer['materials'])}: density in kg/m3, speeds in cells a tick; other values are 0"]
    for state in map(_word, State):
        for name, record in answer["materials"].items():
            if record["state"] == state:
                keys = [f"{key} {record[key]:g}" for key in _SHOWN if record[key]]
                lines.append(f"  {name:13}{', '.join([state, *keys])}")
    for name, rule in answer["rules"].items():
        lines.append(f"rule       {name}: {rule['about']} {rule['bytes_a_cell']} bytes a cell on the device")
        lines += [f"  {key:10} {', '.join(rule[key])}" for key in ("presets", "overlays") if rule[key]]
        lines += [f"  {line}" for line in _variants(rule)]
        lines += [f"  {key:13}{about}" for key, about in rule["parameters"].items()]
    return lines


def _variants(rule: dict[str, Any]) -> list[str]:
    """A line for each variant of a rule: its description, its measured time, and why it is taken."""
    lines = []
    for name, about in rule["variants"].items():
        notes = [about]
        if name in rule.get("measured_ms_a_tick", {}):
            notes.append(f"{rule['measured_ms_a_tick'][name]:.3g} ms a tick when measured here")
        elif name in rule.get("does_not_run", {}):
            notes.append("does not run here")
        if name == rule.get("variant"):
            notes.append(f"taken{_reason(rule)}")
        lines.append(f"by {name:10}{'; '.join(notes)}")
    return lines


def _reason(rule: dict[str, Any]) -> str:
    if not rule["digests_alike"]:
        return ", because the digests of the variants differ here"
    if rule["measured"]:
        spent = rule["measured_ms_a_tick"]
        first = spent[rule["variant"]] == min(spent.values())
        return " as the fastest" if first else " as the default of this renderer; no other is a tenth faster"
    return " as the default of this renderer, until it is measured" if len(rule["variants"]) > 1 else ""


def _material(number: int, record: Material) -> dict[str, Any]:
    numbers = {key.name: getattr(record, key.name) for key in PROPERTIES}
    colour = f"#{bytes(record.colour).hex()}"
    return {"number": number, "state": _word(record.state), "density": record.density, "colour": colour, **numbers}


def _word(state: State) -> str:
    return state.name.lower()


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "about": rule.about,
        "parameters": {
            parameter.name: f"{parameter.about} (default {_default(parameter)}"
            + (f"; {', '.join(parameter.choices)})" if parameter.choices else ")")
            for parameter in rule.parameters
        },
        "presets": list(rule.presets),
        "overlays": list(overlays_of([rule.name], mixtures.SHIPPED.names)),
        "variants": {variant.name: variant.about for variant in rule.variants},
        "bytes_a_cell": _bytes_a_cell(rule, {}),
    }


def _default(parameter: Parameter) -> str:
    return str(parameter.default).lower() if parameter.switch else str(parameter.default)


def _running(name: str, device: Device) -> dict[str, Any]:
    """The state of a rule on this device: its variant, and the measured or failed variants."""
    variants, choice = decide(with_requirements(name), None, device), kept(device).get(name)
    seconds, failed = (choice.seconds, choice.failed) if choice else ({}, {})
    return {
        "variant": variants[name],
        "measured": choice is not None,
        "measured_ms_a_tick": {each: round(1000 * spent, 4) for each, spent in seconds.items()},
        "does_not_run": dict(failed),
        "digests_alike": choice is None or choice.alike,
        "bytes_a_cell": _bytes_a_cell(RULES[name], variants),
    }


def _bytes_a_cell(rule: Rule, variants: Mapping[str, str]) -> int:
    """Bytes that a cell takes on the device: of the rule's planes, twice if a pass gathers them, and of its scratch.

    Args:
        rule: the rule, in a world with the rules that it requires.
        variants: the variant of each of these rules, by name; a rule that is not named runs by its first.
    """
    passes = passes_of(with_requirements(rule.name), variants)
    scratch = {each for pass_ in passes if pass_.rule == rule.name for each in pass_.writes if each.over is Over.CELLS}
    state = state_bytes_a_cell(rule.fields, passes, len(mixtures.SHIPPED))
    return state + sum(bytes_a_texel(each.image) for each in scratch)
