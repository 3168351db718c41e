"""The facts that GLSL learns from Python: the texts behind ``#include "generated/..."``."""

from __future__ import annotations

from gpufluid import cell
from gpufluid.cell import FIELDS, Field
from gpufluid.gpu.dispatch import Image
from gpufluid.gpu.ledger import ledger_glsl
from gpufluid.materials import COLUMNS, MaterialTable, State
from gpufluid.rules import RULES, Over, Pass
from gpufluid.world import EDGES, World


def for_world(world: World) -> dict[str, str]:
    """What every shader of a world may include: ``cell``, ``edges``, ``materials`` and one file a rule."""
    texts = {
        "generated/cell.glsl": cell.constants(),
        "generated/edges.glsl": _edges(world),
        "generated/materials.glsl": _materials(world.materials),
    }
    for rule in world.rules:
        texts[f"generated/{rule}.glsl"] = _rule_constants(world, rule)
    return texts


def for_pass(pass_: Pass, strip: tuple[int, int]) -> dict[str, str]:
    """What the shader of one pass may include besides: its ledger entries and the shape of its strips."""
    return {
        "generated/ledger.glsl": ledger_glsl(pass_.counts),
        "generated/strip.glsl": f"const int STRIP_WIDTH = {strip[0]};\nconst int STRIP_HEIGHT = {strip[1]};\n",
    }


def images(pass_: Pass) -> list[Image]:
    """What the shader of a pass binds, in the order of its fields; a pass over strips also says how much it moved."""
    found = [Image(name, FIELDS[name].image, "readonly") for name in pass_.reads]
    for name in pass_.gathers:
        found.append(Image(f"{name}_read", FIELDS[name].image, "readonly"))
        found.append(Image(f"{name}_write", FIELDS[name].image, "writeonly"))
    found += [Image(name, FIELDS[name].image, "both") for name in pass_.updates]
    return [*found, Image("moved", "rg32ui", "both")] if pass_.over is Over.STRIPS else found


def for_field(field: Field, rows: int) -> dict[str, str]:
    """What the digest of one field includes: its number, and how many rows an invocation sums."""
    return {"generated/field.glsl": f"const uint FIELD_NUMBER = {field.number}u;\nconst int ROWS = {rows};\n"}


def _edges(world: World) -> str:
    known = "".join(f"const int EDGES_{name.upper()} = {number};\n" for number, name in enumerate(EDGES))
    return f"{known}const int EDGES = EDGES_{world.edges.upper()};\n"


def _materials(table: MaterialTable) -> str:
    """Each state's and each material's number, and the columns of the table: ``TERMINAL[material]``."""
    numbers = {f"STATE_{state.name}": state.value for state in State}
    numbers |= {record.constant: number for number, record in enumerate(table)}
    lines = [f"const int {name} = {number};\n" for name, number in numbers.items()]
    for name in COLUMNS:
        values = ", ".join(map(str, table.column(name)[: len(table)]))
        lines.append(f"const int {name.upper()}[{len(table)}] = int[]({values});\n")
    return "".join(lines)


def _rule_constants(world: World, rule: str) -> str:
    lines = []
    for name, value in world.fixed(rule).items():
        kind, suffix = ("uint", "u") if name in RULES[rule].unsigned else ("int", "")
        lines.append(f"const {kind} {name.upper()} = {value}{suffix};\n")
    for parameter in RULES[rule].parameters:
        for number, choice in enumerate(parameter.choices):
            lines.append(f"const int {parameter.name.upper()}_{choice.upper()} = {number};\n")
    return "".join(lines)
