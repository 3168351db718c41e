"""Layouts for a CPU's lanes and caches are in ``shaders/<rule>/cpu/``, apart from those for GPUs."""

from __future__ import annotations

from gpufluid.core.paths import shaders_folder
from gpufluid.rules import RULES

USED = [
    (pass_, variant.software)
    for rule in RULES.values()
    for variant in rule.variants
    for pass_ in variant.passes
    if pass_.layout.file
]
LAYOUTS = sorted({f"{pass_.rule}/{pass_.layout.file}" for pass_, _ in USED})


def test_layouts_under_cpu_are_those_of_software_variants_alone() -> None:
    for layout in LAYOUTS:
        software = {for_software for pass_, for_software in USED if f"{pass_.rule}/{pass_.layout.file}" == layout}
        assert (layout.split("/")[1] == "cpu") == (software == {True}), layout


def test_every_file_under_cpu_is_a_layout_of_a_pass() -> None:
    files = {str(path.relative_to(shaders_folder()).with_suffix("")) for path in shaders_folder().glob("*/cpu/*")}
    assert not files - set(LAYOUTS)


def test_each_rule_with_variants_for_cpu_and_gpu_has_layouts_of_both_kinds() -> None:
    """Some passes name a layout; without this test the ones above could check nothing and never fail."""
    both = [rule.name for rule in RULES.values() if {variant.software for variant in rule.variants} == {True, False}]
    assert {"atoms", "mixture"} <= set(both)
    for name in both:  # the variants of some rules differ only in the cells that an invocation owns, not in a layout
        own = [layout for layout in LAYOUTS if layout.startswith(f"{name}/")]
        assert not own or {layout.split("/")[1] == "cpu" for layout in own} == {True, False}, name
