"""The compiler gets the lines that the conditions of a shader select; a condition that cannot be told is left to it."""

from __future__ import annotations

import itertools

import pytest

from gpufluid.core.errors import ShaderError
from gpufluid.gpu.shader import expand


def lines(text: str, **files: str) -> list[str]:
    """The lines that the compiler gets; included files are ``generated/NAME``."""
    generated = {f"generated/{name}": each for name, each in (files | {"main": text}).items()}
    return expand("generated/main", generated).text.splitlines()


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("#ifdef A", True),
        ("#ifdef B", False),
        ("#ifndef A", False),
        ("  #  ifndef B // A", True),
        ("#if defined(A)", True),
        ("#if defined A", True),
        ("#if !defined(A)", False),
        ("#if defined(A) && defined(B)", False),
        ("#if defined(B) || ! defined ( C )", True),
        ("#if defined(B) || defined(A) && defined(C)", False),
        ("#if defined(B)/* || defined(A) */", False),
    ],
)
def test_a_condition_on_names_selects_its_lines(condition: str, holds: bool) -> None:
    assert lines(f"#define A\n{condition}\nx;\n#else\ny;\n#endif\nz;") == ["x;" if holds else "y;", "z;"]


def test_the_first_branch_whose_condition_holds_is_selected() -> None:
    text = "#if defined(A)\na;\n#elif defined(B)\nb;\n#elif defined(C)\nc;\n#else\nd;\n#endif"
    for names in itertools.chain.from_iterable(itertools.combinations("ABC", count) for count in range(4)):
        defined = "".join(f"#define {name}\n" for name in names)
        assert lines(defined + text) == [min(names, default="D").lower() + ";"]


def test_names_are_defined_from_their_line_on_and_where_lines_are_selected() -> None:
    asked = "#ifdef A\n{0}yes;\n#else\n{0}no;\n#endif\n"
    text = asked.format(1) + "#ifdef B\n#define A\n#endif\n" + asked.format(2) + "#define A\n" + asked.format(3)
    expected = ["1no;", "2no;", "#define A", "3yes;", "#undef A", "4no;"]
    assert lines(text + "#undef A\n" + asked.format(4)) == expected


def test_branches_stand_in_each_other() -> None:
    text = "#ifdef A\n#ifdef B\nab;\n#else\na;\n#endif\n#else\n#ifdef B\nb;\n#else\nnone;\n#endif\n#endif\n"
    assert lines("#define A\n#define B\n" + text) == ["ab;"]
    assert lines("#define A\n" + text) == ["a;"]
    assert lines("#define B\n" + text) == ["b;"]
    assert lines(text) == ["none;"]


def test_an_include_is_expanded_where_its_branch_is_selected() -> None:
    text = '#ifdef A\n#include "generated/gone"\n#include "generated/f"\n#endif\nx;\n#include "generated/f"\n'
    assert lines(text + "#ifdef F\ny;\n#endif\n", f="#define F\nf;") == ["x;", "f;", "y;"]


@pytest.mark.parametrize("condition", ["X > 1", "defined(GL_ARB_x)", "defined(__VERSION__)", "(defined(A))", "1"])
def test_a_condition_that_cannot_be_told_stays(condition: str) -> None:
    text = f"#if {condition}\n#define A\nx;\n#elif defined(B)\ny;\n#endif\n#ifdef A\nz;\n#endif"
    assert "\n".join(lines(text)) == text
    after = f"#ifdef B\nx;\n#elif {condition}\ny;\n#else\nz;\n#endif"
    assert lines(after) == [f"#if {condition}", "y;", "#else", "z;", "#endif"]
    assert lines("#define B\n" + after) == ["x;"]
    assert lines(f"#ifdef B\n#if {condition}\nx;\n#else\ny;\n#endif\n#endif\nz;") == ["z;"]


def test_directives_without_an_if_are_left_to_the_compiler() -> None:
    assert lines("#else\nx;\n#endif\ny;") == ["#else", "x;", "#endif", "y;"]


def test_an_if_without_end_is_an_error_at_its_line() -> None:
    with pytest.raises(ShaderError, match=r"^generated/f:2: no #endif for this #if$"):
        lines('#include "generated/f"\n#endif', f="x;\n#ifdef A\n#ifdef B\n#endif")


def test_lines_keep_their_origins() -> None:
    text = "// first\n\n#ifdef A\na;\n#else\nb; /* x\n\n*/ c;\n#endif\nd;\n"
    shader = expand("generated/main", {"generated/main": text})
    assert shader.text == "b;\n c;\nd;\n"
    assert shader.origins == [("generated/main", 6), ("generated/main", 8), ("generated/main", 10)]
