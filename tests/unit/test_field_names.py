"""Modules use fields through their declarations; the few that name a field are listed here with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

import gpufluid
from gpufluid.core.fields import FIELDS, PLANES

FOLDER = Path(gpufluid.__file__).parent

OWNERS = ("rules", "oracle", "benchmark/workloads")
"""Rooms with one file a rule, which names the fields of its rule."""

SAME_WORDS = {
    "__init__.py": "a name that is a module's, too",
    "world/laws.py": "the mixture is a table of the world, too",
    "world/ledger.py": "the mixture is a table of the world, too",
    "matter/materials.py": "keys of a material",
    "matter/ports.py": "keys of an emitter",
    "matter/reactions.py": "keys of a reaction",
    "gpu/ports.py": "the velocity that an emitter gives",
    "cluster/parts.py": "mixture is a rule, too",
    "cluster/schedule.py": "mixture is a rule, too",
    "scene/building.py": "the mixture is a table of the world, too",
    "scene/remarks.py": "mixture is a rule, too",
    "run/reporting.py": "the words of a report on activity",
    "world/reshaping.py": "the mixture is a table of the world, too",
    "viewer/new_world.py": "mixture is a rule, too",
    "viewer/pointer.py": "an action of the viewer: set the velocity that the brush gives",
    "viewer/tool.py": "actions of the viewer; the size of a brush in cells",
    "serve/permitted.py": "an action of the viewer: set the velocity that the brush gives",
    "viewer/panels/statistics.py": "a table of the panel has the name of a plane",
}
"""Modules in which the word means something else than the field, each with what it means."""

USES = {
    "world/world.py": "what users ask of a world by a name of its own: ledgers, total(), contents(), heat_held()",
    "world/statistics.py": "the sums that users know by a name of their own: mass, amounts, temperatures",
    "runtime/simulation.py": "mass() and the ledgers that users know by a name of their own",
    "cluster/column_cells.py": "an atom that comes to rest",
    "cluster/simulation.py": "the ledger of mass, which users know by a name of its own",
    "runtime/editing.py": "warm() gives heat",
    "run/timeseries.py": "the column of mass has the name of its field, others that of a material",
    "scene/drawing.py": "keys of a scene file that set fields",
    "scene/matter.py": "keys of a scene file that set fields",
    "scene/strokes.py": "the velocity of what a brush lays",
    "scene/writing.py": "keys of a scene file that set fields",
    "viewer/_heat.py": "a tool that gives heat",
    "serve/facts.py": "a tool that gives heat, a brush that gives velocity",
    "viewer/panels/tools.py": "a tool that gives heat, a brush that gives velocity",
}
"""Modules that name a field because users know it by this name, each with where."""


def named_in(path: Path) -> set[str]:
    """The fields and planes that a module names in its strings, except ``material``, which every world has."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return words & (FIELDS.keys() | PLANES.keys()) - {"material"}


MODULES = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*.py")}
OTHERS = [name for name in sorted(MODULES) if not name.startswith(OWNERS) and name != "core/fields.py"]


def test_a_module_names_a_field_only_for_a_reason() -> None:
    naming = {module: words for module in OTHERS if (words := named_in(MODULES[module]))}
    reasons = (SAME_WORDS | USES).keys()
    assert not {module: words for module, words in naming.items() if module not in reasons}
    assert not reasons & set(OTHERS) - naming.keys(), "these name no field"
