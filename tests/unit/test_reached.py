"""Shader text has the functions, constants and macros that `main` reaches and no others; all else is kept."""

from __future__ import annotations

import pytest

from gpufluid import Simulation, World
from gpufluid.gpu import dispatch
from gpufluid.gpu.device import Device
from gpufluid.gpu.shader import compile_program, expand

MAIN = "void main()\n{\n    f(A);\n}\n"


def kept(text: str) -> str:
    """The text that the compiler gets."""
    return expand("generated/main.comp", {"generated/main.comp": text}).text


@pytest.mark.parametrize(
    "unused",
    [
        "const int B = 2;\n",
        "const uint B[2] = uint[](1u, 2u); // A and f\n",
        "const Scan B = Scan(1, f(A));\n",
        "#define B f(A)\n",
        "#define B(a) \\\n    f(a); \\\n    f(A)\n",
        "int g(int a) { return f(a); }\n",
        "int g(int a)\n{\n    return f(a);\n}\n",
        "int g(int a,\n    int b)\n{\n#ifdef X\n    return a;\n#else\n    return b;\n#endif\n}\n",
        "int g() { return h(); }\nint h() { return B; }\nconst int B = A;\n",
    ],
)
def test_what_main_does_not_reach_is_left_out(unused: str) -> None:
    used = "const int A = 1;\nvoid f(int a)\n{\n}\n"
    assert kept(f"{used}{unused}{MAIN}") == f"{used}{MAIN}"
    assert kept(f"#if Y\n{unused}#endif\n{used}{MAIN}") == f"#if Y\n#endif\n{used}{MAIN}"


@pytest.mark.parametrize(
    "used",
    [
        "const int C = 1;\nconst int A = C;\nvoid f(int a) { }\n",
        "const int A = 1;\nvoid f(int a) { }\nvoid f(uint a) { }\n",
        "const int A = 1;\n#define f(a) g(a)\nvoid g(int a)\n{\n}\n",
        "const int A = 1;\n#define f(a) \\\n    g(a)\nvoid g(int a)\n{\n}\n",
        "const int A = 1;\nint h() { return 1; }\nvoid f(int a) { g(); }\nvoid g() { h(); }\n",
        "const int A = 1;\nvoid f(int a);\nvoid f(int a)\n{\n}\n",
        "struct S {\n    int a;\n};\nuniform int A;\nlayout(r32i) uniform iimage2D image_a;\nvoid f(int a) { }\n",
    ],
)
def test_what_main_reaches_is_kept(used: str) -> None:
    assert kept(used + MAIN) == used + MAIN


@pytest.mark.parametrize(
    "unclear",
    [
        "#if X\nint g(int a)\n#else\nint g()\n#endif\n{\n    return 1;\n}\n",
        "int g()\n{\n    return 1;\n",
        "const int B[2] = int[](1,\n    2);\n",
    ],
)
def test_what_cannot_be_told_is_kept(unclear: str) -> None:
    text = f"const int A = 1;\nvoid f(int a) {{ }}\n{MAIN}{unclear}"
    assert kept(text) == text


def test_worlds_with_another_parameter_share_the_programs_that_do_not_use_it(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far a liquid may flow over an open surface matters to the pass that seeks places for it, and to no other."""
    texts: list[dict[str, object]] = []

    def noting(*given: object) -> object:
        texts[-1][str(given[1])] = shader = compile_program(*given)  # type: ignore[arg-type]
        return shader

    monkeypatch.setattr(dispatch, "compile_program", noting)
    monkeypatch.setattr(device, "programs", {})  # else a full cache may forget a program between the two worlds
    for reach in (64, 65):
        texts.append({})
        world = World(20, 22, ("atoms",), parameters={"atoms": {"reach_open": reach}})
        with Simulation(world, device, variant="strips", any_matter=True):
            pass
    first, second = texts
    assert {name for name in first if first[name] is not second[name]} == {"atoms/seek.comp"}
