"""Each public function that takes or returns arrays says the shape and type of each of them in its docstring.

A parameter says them in its entry under ``Args``, or, without such an entry, in a sentence of the heading that names
the parameter. A result says them under ``Returns`` or ``Yields``, or, without these, in the heading.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import gpufluid

FOLDER = Path(gpufluid.__file__).parent
ARRAY = re.compile(r"\bndarray\b|\bNDArray\b|\bArrayLike\b")

SIDE = r"(?:\.\.\.?|(?:2\*\*)?\d+|[a-z_]+)(?: ?[*+-] ?(?:\d+|[a-z_]+))?"
POSITION = r"(?!x, y\)|columns?, rows?\)|rows?, column\)|tick, array\)|label, array\)|across, along\))"
SHAPE = re.compile(
    rf"\({SIDE},\)|\({POSITION}{SIDE}(?:, {SIDE})+(?:\[, {SIDE}\])?\)|\(\), or \(n,\)"
    r"|\[(?:layer, )?(?:block )?row, (?:block )?column(?:, n)?\]"
    r"|\bof any shape\b|\bof (?:the common|the same|that|the broadcast) shape\b|\b(?:same type,|in the) shape\b"
)
"""``(height, width)``, ``(n,)``, ``(height, width[, components])``, ``[row, column]``; or ``of any shape``, if the
function treats each number alone; or the shape of another array. ``(column, row)`` is a position."""

TYPE = re.compile(
    r"\b(?:u?int(?:8|16|32|64)|float(?:32|64)|bool|any (?:integer|real|number) type|any shape and type"
    r"|integers of (?:any|the same) shape"
    r"|the (?:array|plane|field)'s (?:own )?type|the (?:same )?type,? (?:of|that)|(?:of )?the same type|its type)\b"
)

REFERENCE = re.compile(r"\b(?:as|as for|see) `(\w+)`")
"""An array that another public function of the same module takes or returns; its docstring is held to the same."""

SECTION = re.compile(r"^(Args|Returns|Yields|Raises|Source):", re.MULTILINE)
ENTRY = re.compile(r"^ {4}(\*{0,2}[a-z_]\w*(?:, \*{0,2}[a-z_]\w*)*): ", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[.;])\s+")

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


def annotated_arrays(function: Function) -> list[str]:
    """The parameters whose annotations name an array; ``return`` if that of the result does."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    annotations = [(each.arg, each.annotation) for each in arguments] + [("return", function.returns)]
    return [name for name, each in annotations if each is not None and ARRAY.search(ast.unparse(each))]


def divided(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    """The parts of a text by what the pattern's group finds before each; the first part by an empty string."""
    parts = ["", *pattern.split(text)]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def part_about(name: str, docstring: str) -> str:
    """The part of a docstring that must describe an array: a parameter, or the result if the name is ``return``."""
    sections = divided(SECTION, docstring)
    heading = sections[""]
    if name == "return":
        return sections.get("Returns", sections.get("Yields", heading))
    for names, text in divided(ENTRY, sections.get("Args", "")).items():
        if name in names.split(", "):
            return text
    # without an entry: ``worlds`` is named by "world", and ``water_heat`` by "water heat"
    named = re.compile(rf"\b{name.removesuffix('s').replace('_', '[ _]')}s?\b", re.IGNORECASE)
    return " ".join(sentence for sentence in SENTENCE.split(heading) if named.search(sentence))


def missing(text: str) -> list[str]:
    """List the missing facts in the description of an array: ``shape``, ``type``, both or neither."""
    line = " ".join(text.split())
    return [name for name, pattern in (("shape", SHAPE), ("type", TYPE)) if not pattern.search(line)]


def gaps(names: list[str], docstring: str, others: Collection[str] = ()) -> list[str]:
    """List the facts that a docstring lacks for the arrays with these names, such as ``no shape of mask``.

    Args:
        names: as `annotated_arrays` returns them.
        docstring: the docstring of the function.
        others: the functions of arrays to which the docstring may refer.
    """
    found = []
    for name in names:
        text = part_about(name, docstring)
        reference = REFERENCE.search(" ".join(text.split()))
        if reference is None or reference[1] not in others:
            found += [f"no {each} of {name}" for each in missing(text)]
    return found


def functions_of_arrays() -> Iterator[tuple[str, list[str]]]:
    """``module:function`` of each public function that takes or returns an array, and what its docstring lacks."""
    for path in sorted(FOLDER.rglob("*.py")):
        module = ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts)
        functions = list(public_functions(ast.parse(path.read_text(encoding="utf-8"))))
        others = {function.name for _, function in functions if annotated_arrays(function)}
        for name, function in functions:
            names = annotated_arrays(function)
            if names and not any("overload" in ast.unparse(each) for each in function.decorator_list):
                yield f"{module}:{name}", gaps(names, ast.get_docstring(function) or "", others - {function.name})


FOUND = dict(functions_of_arrays())


def test_the_docstring_says_the_shape_and_type_of_each_array() -> None:
    assert not {name: lacking for name, lacking in FOUND.items() if lacking}


def test_the_functions_of_arrays_are_found() -> None:
    """The search finds a function, a property and a method; without this test it could find nothing and never fail."""
    assert "gpufluid.core.frame:in_frame" in FOUND
    assert "gpufluid.matter.materials:MaterialTable.solid" in FOUND
    assert "gpufluid.matter.materials:MaterialTable.column" in FOUND
    assert len(FOUND) > 250


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
        ("(column, row) of the cell, int64.", ["shape"]),
        ("(height, width): the walls of a world.", ["type"]),
        ("The walls of a world (solids).", ["shape", "type"]),
    ],
)
def test_the_check_knows_a_shape_and_a_type(text: str, expected: list[str]) -> None:
    assert missing(text) == expected


ONE_OF_TWO = """Move the atoms, (height, width) bool.

Args:
    cells, walls: (height, width)
        uint8.
    tags: see `origins`.
"""


@pytest.mark.parametrize(
    ("names", "docstring", "expected"),
    [
        (["cells", "walls", "tags", "return"], ONE_OF_TWO, []),
        (["cells", "mask"], ONE_OF_TWO, ["no shape of mask", "no type of mask"]),
        (["cells", "return"], ONE_OF_TWO + "Returns: the cells, uint8.", ["no shape of return"]),
        (["cells"], "The sums of cells, (n,) int64; negative if any mask is.", []),
        (["mask"], "The sums of cells, (n,) int64; negative if any mask is.", ["no shape of mask", "no type of mask"]),
    ],
)
def test_each_array_must_be_described(names: list[str], docstring: str, expected: list[str]) -> None:
    assert gaps(names, docstring, {"origins"}) == expected


def test_a_reference_must_name_a_function_of_arrays() -> None:
    assert gaps(["tags"], ONE_OF_TWO, {"other"}) == ["no shape of tags", "no type of tags"]
