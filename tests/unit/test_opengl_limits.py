"""No shader binds more than OpenGL 4.3 promises, whatever the device at hand would allow."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from support.probes import probe

from gpufluid.core.errors import ShaderError
from gpufluid.gpu.carried import all_carried
from gpufluid.gpu.device import Device
from gpufluid.gpu.generated import check_passes, images
from gpufluid.gpu.images import Image
from gpufluid.gpu.limits import LIMITS
from gpufluid.rules import RULES, Lookup, Over, Rule, Variant
from gpufluid.rules.schema import Scratch

FALL = RULES["atoms"].variants[0].passes[2]


def rule_of(**changes: object) -> Rule:
    """Rule atoms with another pass `fall`, which gathers cells, and with them a trace and warmth, and takes scratch."""
    passes = (replace(FALL, **changes),)
    return replace(RULES["atoms"], variants=(Variant("made-up", "", passes, software=True),))


def test_the_passes_of_all_rules_keep_within_it() -> None:
    check_passes(RULES.values())
    bound = [len(images(pass_, all_carried())) for rule in RULES.values() for v in rule.variants for pass_ in v.passes]
    assert 6 <= max(bound) <= LIMITS["images"]  # those that carry come near it


def test_a_pass_over_it_is_refused_with_its_name_and_all_images() -> None:
    assert (FALL.full_name, len(images(FALL, all_carried()))) == ("atoms.fall", 7)
    table, map_ = Lookup("table", "r32ui"), Scratch("map", Over.CELLS)
    check_passes([rule_of(looks_up=(table,))])
    with pytest.raises(ShaderError) as caught:
        check_passes([rule_of(looks_up=(table,), takes=(*FALL.takes, map_))])
    said = str(caught.value)
    assert said.startswith("atoms.fall: binds 9 images (cells_old, cells_new, survey, map, table, ")
    assert said.endswith("; OpenGL 4.3 promises 8 to a compute shader")
    assert all(name in said for name in ("trace_old", "trace_new", "warmth_old", "warmth_new"))


def test_it_is_an_error_at_import_without_any_device() -> None:
    program = """
import importlib
from dataclasses import replace
from gpufluid import rules
from gpufluid.gpu import generated
from gpufluid.rules.schema import Lookup
fall = rules.RULES["atoms"].variants[0].passes[2]
wide = replace(fall, looks_up=tuple(Lookup(f"table_{n}", "r32ui") for n in range(2)))
variant = replace(rules.RULES["atoms"].variants[0], passes=(wide,))
rules.RULES["atoms"] = replace(rules.RULES["atoms"], variants=(variant,))
import moderngl
moderngl.create_context = None
importlib.reload(generated)
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 1
    assert "ShaderError: atoms.fall: binds 9 images (" in answer.stderr


STORAGE = "layout(std430, binding = {0}) buffer Block{0} {{ uint block_{0}[]; }};\n"
UNIFORM = "layout(std140, binding = {0}) uniform Block{0} {{ uint block_{0}[1]; }};\n"


@pytest.mark.parametrize(("kind", "declared"), [("storage blocks", STORAGE), ("uniform blocks", UNIFORM)])
def test_a_program_with_more_blocks_is_refused_where_the_driver_would_take_it(
    device: Device, kind: str, declared: str
) -> None:
    def text(count: int) -> str:
        first = "" if kind == "storage blocks" else "layout(std430, binding = 0) buffer Sum { uint sum[]; };\n"
        total = " + ".join(f"block_{n}[0]" for n in range(count))
        target = "block_0[0]" if kind == "storage blocks" else "sum[0]"
        return first + "".join(declared.format(n) for n in range(count)) + f"void main() {{ {target} = {total}; }}\n"

    with device:
        probe(device, text(LIMITS[kind]))
        with pytest.raises(ShaderError) as caught:
            probe(device, text(LIMITS[kind] + 1))
    said = str(caught.value)
    assert said.startswith(f"generated/probe.comp: binds {LIMITS[kind] + 1} {kind} (Block0, Block1, Block")
    assert said.endswith(f"; OpenGL 4.3 promises {LIMITS[kind]} to a compute shader")


def test_so_is_one_with_more_images(device: Device) -> None:
    bound = [Image(f"plane_{n}", "r32ui", "readonly") for n in range(LIMITS["images"] + 1)]
    with pytest.raises(ShaderError, match=r"^generated/probe\.comp: binds 9 images \(plane_0, .*, plane_8\); OpenGL"):
        probe(device, "void main() {}\n", bound)
