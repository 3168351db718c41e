"""Modules use fields through their declarations; the few that name a field are listed here with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import gpufluid
from gpufluid.core.fields import FIELDS, PLANES

FOLDER = Path(gpufluid.__file__).parent

OWNERS = ("rules", "oracle", "benchmark/workloads")
"""Rooms with one file a rule, which names the fields of its rule."""

REASONS = {
    "world/world.py": "what users ask of a world by a name of its own: total(), contents(), heat_held(), draw_grain()",
    "world/statistics.py": "the sums that users know by a name of their own: mass, amounts, temperatures",
    "world/ledger.py": "the word mixture in a message",
    "world/laws.py": "the mixture is a table of the world, too",
    "runtime/simulation.py": "mass() and the ledgers that users know by a name of their own",
    "runtime/editing.py": "warm() gives heat",
    "matter/materials.py": "keys of a material",
    "matter/ports.py": "keys of an emitter",
    "gpu/ports.py": "the velocity of an emitter",
    "scene/building.py": "keys of a scene file",
    "scene/matter.py": "keys of a scene file",
    "scene/remarks.py": "keys of a scene file",
    "scene/writing.py": "keys of a scene file",
    "run/reporting.py": "the words of a report on activity",
    "run/timeseries.py": "the column of mass has the name of its field, others that of a material",
    "render/painter.py": "what wears is drawn worn; the overlay of moves reads the cells and their trace",
    "viewer/_heat.py": "a tool that gives heat",
    "viewer/_paint.py": "a brush that gives velocity",
    "viewer/inspector.py": "a line for each kind of field",
    "viewer/pointer.py": "a drag that says a velocity",
    "viewer/viewer.py": "the velocity of the brush, and its size in cells",
    "viewer/panels/statistics.py": "a table of temperatures has the name of a plane",
    "viewer/panels/tools.py": "a tool that gives heat, the velocity of the brush",
    "benchmark/workload.py": "new atoms get temperatures where there are any",
    "__init__.py": "a name that is a module's, too",
}


def named_in(path: Path) -> set[str]:
    """The fields and planes that a module names in its strings, except ``material``, which every world has."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return words & (FIELDS.keys() | PLANES.keys()) - {"material"}


MODULES = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*.py")}
OTHERS = [name for name in sorted(MODULES) if not name.startswith(OWNERS) and name != "core/fields.py"]


@pytest.mark.parametrize("module", OTHERS)
def test_a_module_names_a_field_only_for_a_reason(module: str) -> None:
    assert (module in REASONS) == bool(named_in(MODULES[module])), named_in(MODULES[module])
