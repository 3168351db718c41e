"""No shader binds more than OpenGL 4.3 guarantees, even if the device allows more."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.probes import probe

import gpufluid
from gpufluid.core.errors import ShaderError
from gpufluid.core.fields import PLANES, DeclarationError, Field, Plane
from gpufluid.core.opengl_limits import LIMITS
from gpufluid.core.paths import shaders_folder
from gpufluid.gpu.carried import all_carried
from gpufluid.gpu.device import Device
from gpufluid.gpu.generated import images
from gpufluid.gpu.images import Image
from gpufluid.rules import RULES, Lookup, Over, Pass, Rule, Variant, register
from gpufluid.rules.passes import OWN_CELLS, Scratch
from gpufluid.rules.schema import Requirements

FALL = next(pass_ for pass_ in RULES["atoms"].variants[0].passes if pass_.name == "fall")


def rule_of(**changes: object) -> Rule:
    """A rule with a pass like atoms.fall, which gathers cells with trace and warmth, and uses scratch."""
    fall = replace(FALL, rule="probe", amounts="", **changes)
    survey = Pass("probe", "survey", Over.COLUMNS, writes=fall.takes, reach=OWN_CELLS)
    return Rule(
        name="probe",
        about="A rule of a test.",
        fields=RULES["atoms"].fields,
        parameters=(),
        variants=(Variant("only", "the only one", (survey, fall), software=True),),
        shaders=shaders_folder() / "atoms",
        oracle="gpufluid.oracle.atoms",
        requires=Requirements(needs=("atoms",)),
        settle_ticks=RULES["atoms"].settle_ticks,
    )


@pytest.mark.parametrize("carried", [(), ("trace",), ("warmth",), all_carried()], ids=str)
def test_image_names_of_a_pass_equal_the_images_of_its_shader(carried: tuple[str, ...]) -> None:
    for pass_ in (pass_ for rule in RULES.values() for variant in rule.variants for pass_ in variant.passes):
        assert pass_.image_names(carried) == tuple(image.full_name for image in images(pass_, carried))


def test_a_pass_over_the_limit_is_refused_with_its_name_and_all_images() -> None:
    assert len(FALL.image_names(all_carried())) == 7
    table, map_ = Lookup("table", "r32ui"), Scratch("map", Over.CELLS)
    with register(rule_of(looks_up=(table,)), after="flow.flow"):
        assert "probe" in RULES
    with pytest.raises(DeclarationError) as caught:
        register(rule_of(looks_up=(table,), takes=(*FALL.takes, map_)), after="flow.flow")
    assert "probe" not in RULES
    assert str(caught.value) == (
        "pass probe.fall: binds 9 images (cells_old, cells_new, survey, map, table, trace_old, trace_new, warmth_old,"
        " warmth_new); OpenGL 4.3 promises 8 to a compute shader"
    )


def carrying(conflicts: tuple[str, ...] = ()) -> Rule:
    """A rule without passes by which atoms carry two further planes; it needs rule atoms."""
    names = "soot", "scent"
    return Rule(
        name="probe",
        about="A rule of a test.",
        fields=(*RULES["atoms"].fields, *names),
        declares=tuple(
            each
            for number, name in enumerate(names)
            for each in (
                Plane(f"{name}s", 70 + number, carried=True),
                Field(name, "uint8", (f"{name}s",), carried=True),
            )
        ),
        parameters=(),
        variants=(),
        requires=Requirements(needs=("atoms",), conflicts=conflicts),
    )


def test_carried_planes_that_are_too_many_for_a_pass_of_another_rule_are_refused() -> None:
    """Atoms with two planes of the rule and one of rule heat: 9 images of atoms.fall."""
    before = dict(RULES), dict(PLANES)
    with pytest.raises(DeclarationError) as caught:
        register(carrying(), after="flow.flow")
    assert str(caught.value) == (
        "rule probe beside rules ['atoms', 'heat']: pass atoms.fall: binds 9 images (cells_old, cells_new, survey,"
        " warmth_old, warmth_new, soots_old, soots_new, scents_old, scents_new); OpenGL 4.3 promises 8 to a compute"
        " shader"
    )
    assert before == (RULES, PLANES)


def test_a_rule_with_such_planes_may_conflict_with_the_other_rule() -> None:
    with register(carrying(conflicts=("heat",)), after="flow.flow"):
        assert "probe" in RULES


def test_too_many_images_are_an_error_at_import_without_a_device() -> None:
    """With lower limits the import of the rules fails; the rest of the package is not imported."""
    program = f"""
import sys, types
package = types.ModuleType("gpufluid")
package.__path__ = [{str(Path(gpufluid.__file__).parent)!r}]
sys.modules["gpufluid"] = package
from gpufluid.core import opengl_limits
opengl_limits.LIMITS["images"] = 6
try:
    import gpufluid.rules
finally:
    assert "moderngl" not in sys.modules
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 1
    assert "DeclarationError: pass atoms.fall: binds 7 images (cells_old, cells_new, " in answer.stderr


STORAGE = "layout(std430, binding = {0}) buffer Block{0} {{ uint block_{0}[]; }};\n"
UNIFORM = "layout(std140, binding = {0}) uniform Block{0} {{ uint block_{0}[1]; }};\n"


@pytest.mark.parametrize(("kind", "declared"), [("storage blocks", STORAGE), ("uniform blocks", UNIFORM)])
def test_a_program_over_the_limit_of_blocks_is_refused_even_if_the_driver_allows_it(
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


def test_a_program_over_the_limit_of_images_is_refused(device: Device) -> None:
    bound = [Image(f"plane_{n}", "r32ui", "readonly") for n in range(LIMITS["images"] + 1)]
    with pytest.raises(ShaderError, match=r"^generated/probe\.comp: binds 9 images \(plane_0, .*, plane_8\); OpenGL"):
        probe(device, "void main() {}\n", bound)
