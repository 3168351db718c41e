"""Carried words move with atoms as one value, for any set of planes, and no shader of rule atoms names a plane."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.probes import probe

from gpufluid.core.packing import cell_glsl
from gpufluid.core.paths import shaders_folder
from gpufluid.gpu.carried import all_carried, carried_glsl, carried_image, count_carried_glsl
from gpufluid.gpu.device import Device
from gpufluid.gpu.ports import emitted_glsl, ports_glsl, record_layout
from gpufluid.gpu.textures import make_texture

COMMENT = re.compile(r"//[^\n]*")
ATOMS = sorted((shaders_folder() / "atoms").rglob("*.*"))


def test_no_shader_of_atoms_names_a_carried_plane() -> None:
    for path in ATOMS:
        text = COMMENT.sub("", path.read_text(encoding="utf-8"))
        assert re.findall(rf"\b(?:{'|'.join(all_carried())})\b|CARRIES_\w+", text) == [], path


MOVE = """
void main()
{
    if (invocation() != ivec2(0))
        return;
    Carried here = load_carried(ivec2(0, 0)), there = load_carried(ivec2(1, 0));
    store_carried(ivec2(0, 0), there);
    store_carried(ivec2(1, 0), here);
    Carried born = emitted_carried(ports[1]);
    begin_trace(born, ivec2(2, 5));
    store_carried(ivec2(2, 0), born);
    store_carried(ivec2(3, 0), NOTHING_CARRIED);
}
"""


@pytest.mark.parametrize(
    "carried", [(), ("trace",), ("warmth",), all_carried(), ("trace", "charge", "warmth", "spin")], ids=str
)
def test_all_carried_planes_are_loaded_and_stored_together(device: Device, carried: tuple[str, ...]) -> None:
    images = [carried_image(name, "both") for name in carried]
    records = np.zeros(2, record_layout(carried))
    for number, name in enumerate(carried):
        if name != "trace":
            records[1][f"emitted_{name}"] = 100 + number
    with device:
        planes = [make_texture(device, 4, 1, "r32ui", np.array([[n, 10 + n, 20, 30]])) for n in range(len(carried))]
        texts = {"carried": carried_glsl(carried), "ports": ports_glsl(carried), "cell": cell_glsl()}
        program = probe(
            device, emitted_glsl(carried) + MOVE, images, texts={f"generated/{n}.glsl": t for n, t in texts.items()}
        )
        buffer = device.buffer(data=records.tobytes())
        program.dispatch((1, 1), planes, {}, [None, None, buffer])
        buffer.release()
        found = [np.frombuffer(plane.read(), np.uint32).tolist() for plane in planes]
    for number, name in enumerate(carried):
        born = 5 << 16 | 2 if name == "trace" else 100 + number
        assert found[number] == [10 + number, number, born, 0], name


def test_quantities_carried_over_an_edge_are_counted() -> None:
    text = count_carried_glsl(("trace", "warmth"), ("left", "made"))
    assert "void count_carried_left(uint material, Carried carried)" in text
    assert "count_left_heat(int(heat_held(material, carried.warmth)));" in text
    assert '#include "heat/measures.glsl"' in text
    assert "made" not in text
    assert "count_left_heat" not in count_carried_glsl(("trace",), ("left",))
