"""Each public function that takes or returns an array says the array's shape and type in its docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gpufluid

FOLDER = Path(gpufluid.__file__).parent
ARRAY = re.compile(r"\bndarray\b|\bNDArray\b|\bArrayLike\b")

SIDE = r"(?:\.\.\.?|\d+|[a-z_]+)(?: ?[*+-] ?(?:\d+|[a-z_]+))?"
SHAPE = re.compile(
    rf"\({SIDE},\)|\({SIDE}(?:, {SIDE})+(?:\[, {SIDE}\])?\)|\[row, column\]|\bof any shape\b|\bof the common shape\b"
)
"""``(height, width)``, ``(n,)``, ``(height, width[, components])``, ``[row, column]``; or ``of any shape``, if the
function treats each number alone."""

TYPE = re.compile(
    r"\b(?:u?int(?:8|16|32|64)|float(?:32|64)|bool|any (?:integer|real|number) type"
    r"|the (?:array|plane|field)'s (?:own )?type|the same type)\b"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def public_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes whose names begin with no underscore."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for inner in node.body:
                if isinstance(inner, Function) and not inner.name.startswith("_"):
                    yield f"{node.name}.{inner.name}", inner


def has_array(function: Function) -> bool:
    """True if the annotation of an argument or of the result names an array."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    annotations = [argument.annotation for argument in arguments] + [function.returns]
    return any(ARRAY.search(ast.unparse(each)) for each in annotations if each is not None)


def missing(text: str) -> list[str]:
    """The parts that the docstring of a function of arrays lacks: ``shape``, ``type``, both or neither."""
    line = " ".join(text.split())
    return [name for name, pattern in (("shape", SHAPE), ("type", TYPE)) if not pattern.search(line)]


def functions_of_arrays() -> Iterator[tuple[str, str]]:
    """``module:function`` and the docstring of each public function that takes or returns an array."""
    for path in sorted(FOLDER.rglob("*.py")):
        module = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
        for name, function in public_functions(ast.parse(path.read_text(encoding="utf-8"))):
            if has_array(function):
                yield f"{module}:{name}", ast.get_docstring(function) or ""


FOUND = dict(functions_of_arrays())


def test_the_docstring_says_the_shape_and_type_of_an_array() -> None:
    assert not {name: f"says no {' and no '.join(missing(text))}" for name, text in FOUND.items() if missing(text)}


def test_the_functions_of_arrays_are_found() -> None:
    """The search finds a function, a property and a method; without this test it could find nothing and never fail."""
    assert "gpufluid.core.frame:in_frame" in FOUND
    assert "gpufluid.matter.materials:MaterialTable.solid" in FOUND
    assert "gpufluid.matter.materials:MaterialTable.column" in FOUND
    assert len(FOUND) > 90


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cells: (height, width, 2) uint32 cell words.", []),
        ("Return (n,) int32.", []),
        ("A view as [row, column], of the array's own type.", []),
        ("Hash numbers of any shape, uint32.", []),
        ("(height, width[, components]) of the\n    field's type.", []),
        ("(.., 2) int8, x to the right and y down.", []),
        ("The walls of a world, bool.", ["shape"]),
        ("(height, width): the walls of a world.", ["type"]),
        ("The walls of a world (solids).", ["shape", "type"]),
    ],
)
def test_the_check_knows_a_shape_and_a_type(text: str, expected: list[str]) -> None:
    assert missing(text) == expected
