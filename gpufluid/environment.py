"""What there is here: renderer, versions, limits, and what will run."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import imageio_ffmpeg

from gpufluid.cell import FIELDS
from gpufluid.errors import DeviceError
from gpufluid.gpu.device import GROUPS_LIMIT, shared_device
from gpufluid.rules import RULES

_LIBRARIES = ("gpufluid", "moderngl", "glcontext", "numpy", "pillow", "imageio-ffmpeg")


def describe() -> dict[str, Any]:
    """All of it, as plain data; ``runs`` says whether a world can run here, ``problem`` why not."""
    answer: dict[str, Any] = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "libraries": {name: version(name) for name in _LIBRARIES},
        "film_encoder": imageio_ffmpeg.get_ffmpeg_version(),
        "rules": {name: rule.about for name, rule in RULES.items()},
        "runs": True,
        "problem": None,
    }
    try:
        device = shared_device()
    except DeviceError as error:
        return answer | {"runs": False, "problem": str(error)}
    limits = device.context.info
    return answer | {
        "renderer": device.renderer,
        "opengl": device.version,
        "software": device.software,
        "largest_side": device.max_side,
        "largest_dispatch": GROUPS_LIMIT,
        "storage_buffer_bytes": int(limits["GL_MAX_SHADER_STORAGE_BLOCK_SIZE"]),
        "bytes_a_cell": {name: _bytes_a_cell(name) for name in RULES},
    }


def table(answer: dict[str, Any]) -> str:
    """The same for a person."""
    lines = [f"gpufluid   {answer['libraries']['gpufluid']}, Python {answer['python']}, {answer['system']}"]
    libraries = ", ".join(f"{name} {number}" for name, number in answer["libraries"].items() if name != "gpufluid")
    lines.append(f"libraries  {libraries}")
    lines.append(f"films      ffmpeg {answer['film_encoder']}")
    if not answer["runs"]:
        return "\n".join([*lines, f"renderer   none: {answer['problem']}"])
    kind = "software: correct, but slow" if answer["software"] else "GPU"
    side = answer["largest_side"]
    lines.append(f"renderer   {answer['renderer']} ({kind})")
    lines.append(f"opengl     {answer['opengl']}")
    lines.append(f"limits     worlds up to {side} x {side} cells, {answer['largest_dispatch']} groups a dispatch axis")
    for name, about in answer["rules"].items():
        lines.append(f"rule       {name}: {about} {answer['bytes_a_cell'][name]} bytes a cell on the device")
    return "\n".join(lines)


def _bytes_a_cell(rule: str) -> int:
    """What a cell takes on the device: each field once, and once more if a pass gathers it."""
    gathered = {name for pass_ in RULES[rule].passes for name in pass_.gathers}
    sizes = {"r8ui": 1, "r32i": 4}
    return sum(sizes[FIELDS[name].image] * (2 if name in gathered else 1) for name in RULES[rule].fields)
