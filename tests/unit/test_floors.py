"""Imports between rooms run downwards only, and OpenGL is called from one room."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import gpufluid

FLOORS = (
    {"core"},
    {"matter"},
    {"rules"},
    {"world"},
    {"scene"},
    {"io"},
    {"gpu", "oracle"},
    {"render"},
    {"runtime"},
    {"cluster"},
    {"run", "gpufluid", "public"},  # gpufluid itself, and what users import from it
    {"viewer", "benchmark", "serve", "notebook", "envs"},
    {"cli", "__main__"},
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

FOLDER = Path(gpufluid.__file__).parent
MODULES = {
    ".".join(["gpufluid", *path.relative_to(FOLDER).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in FOLDER.rglob("*.py")
}


def room(module: str) -> str:
    """The room of a module: ``gpu`` for ``gpufluid.gpu.device``."""
    return module.split(".")[min(1, module.count("."))]


@cache
def imports(module: str) -> frozenset[tuple[str, bool]]:
    """All imports of a module, also inside functions: (module, whether only for annotations)."""
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    typing = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for part in block.body
        for node in ast.walk(part)
    }
    return frozenset((name, id(node) in typing) for node in ast.walk(tree) for name in _named(module, node))


def _named(module: str, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
        source = resolve_name("." * node.level + (node.module or ""), package)
        for alias in node.names:
            inner = f"{source}.{alias.name}"
            yield inner if inner in MODULES else source


def test_every_module_has_a_floor() -> None:
    without = {room(module) for module in MODULES} - FLOOR.keys()
    assert not without, "give these rooms a floor: in CONTRIBUTING.md, and in FLOORS here"


def test_imports_run_downwards_only() -> None:
    upwards = [
        (module, name)
        for module in sorted(MODULES)
        for name, _ in imports(module)
        if name in MODULES and FLOOR[room(name)] > FLOOR[room(module)]
    ]
    assert not upwards


def test_imports_are_not_circular() -> None:
    TopologicalSorter({module: {name for name, _ in imports(module)} for module in MODULES}).prepare()


def test_only_gpu_calls_opengl() -> None:
    assert {room(module) for module in MODULES if ("moderngl", False) in imports(module)} == {"gpu"}


def test_the_oracle_and_lower_floors_import_nothing_that_needs_a_gpu() -> None:
    todo = [module for module in MODULES if FLOOR[room(module)] < FLOOR["gpu"] or room(module) == "oracle"]
    importer = dict.fromkeys(todo, "")
    while todo:
        module = todo.pop()
        for name, _ in imports(module):
            if name in MODULES and name not in importer:
                importer[name] = module
                todo.append(name)
    assert not {name: by for name, by in importer.items() if room(name) in ("gpu", "render", "runtime")}


def test_the_check_finds_imports_of_every_form() -> None:
    """The search finds known imports of every form; without this test it could miss some and never fail."""
    assert ("gpufluid.gpu.generated", False) in imports("gpufluid.runtime.simulation")
    assert ("gpufluid.oracle.tally", False) in imports("gpufluid.oracle")
    assert ("moderngl", True) in imports("gpufluid.runtime.simulation")
    assert ("moderngl", False) in imports("gpufluid.gpu.device")
