"""A pass has the same name in its rule, its shader, its oracle function and its test."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from gpufluid.core.paths import shaders_folder
from gpufluid.rules import RULES, TICK

EVERY = [step for rule in RULES.values() for variant in rule.variants for step in variant.passes]
PASSES = list({(step.rule, step.name): step for step in EVERY if not step.analysis_only}.values())


def test_a_pass_is_in_the_tick() -> None:
    for step in PASSES:
        assert step.name in {own.name for own in RULES[step.rule].passes}  # the oracle follows the schedule
        assert step.full_name in TICK


def test_a_pass_has_a_shader_that_names_its_twin() -> None:
    for step in PASSES:
        text = (shaders_folder() / step.rule / f"{step.name}.comp").read_text(encoding="utf-8")
        assert f"Twin: oracle.{step.rule}.{step.name}." in text, step.full_name


def test_a_pass_has_an_oracle_function() -> None:
    for step in PASSES:
        assert callable(getattr(import_module(f"gpufluid.oracle.{step.rule}"), step.name)), step.full_name


def test_a_pass_has_a_test() -> None:
    for step in PASSES:
        files = Path(__file__).parent.glob(f"test_*{step.rule}.py")
        text = "".join(file.read_text(encoding="utf-8") for file in files)
        assert re.search(rf"`{step.name}`", text), step.full_name


def test_every_shader_of_a_rule_is_a_pass() -> None:
    files = {(path.parent.name, path.stem) for rule in RULES for path in (shaders_folder() / rule).glob("*.comp")}
    assert files == {(step.rule, step.name) for step in EVERY}


def test_only_analysis_passes_have_no_twin() -> None:
    for step in EVERY:
        assert hasattr(import_module(f"gpufluid.oracle.{step.rule}"), step.name) is not step.analysis_only
        assert not (step.analysis_only and (step.gathers or step.updates))
