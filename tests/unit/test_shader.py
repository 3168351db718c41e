"""Shader text: includes are expanded, each line has its origin, and errors name real files and lines."""

from __future__ import annotations

from pathlib import Path

import moderngl
import pytest

from gpufluid.core.errors import ShaderError
from gpufluid.core.paths import shaders_folder
from gpufluid.gpu import shader
from gpufluid.gpu.device import Device
from gpufluid.gpu.shader import compile_program, expand


def written(folder: Path, **files: str) -> Path:
    """A folder of shaders; ``a_b`` becomes ``a/b.glsl``."""
    for name, text in files.items():
        path = folder / f"{name.replace('_', '/')}.glsl"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def expanded(folder: Path, name: str = "main.glsl", **files: str) -> list[str]:
    return expand(name, {}, written(folder, **files)).text.splitlines()


def test_includes_are_recursive_and_keep_their_origins(tmp_path: Path) -> None:
    written(tmp_path, main='1\n#include "lib/a.glsl"\n2\n', lib_a='a\n#include "generated/b.glsl"\nc\n')
    shader = expand("main.glsl", {"generated/b.glsl": "b\n"}, tmp_path)
    assert shader.text == "1\na\nb\nc\n2\n"
    assert shader.origins == [
        ("main.glsl", 1),
        ("lib/a.glsl", 1),
        ("generated/b.glsl", 1),
        ("lib/a.glsl", 3),
        ("main.glsl", 3),
    ]


def test_a_file_is_included_once(tmp_path: Path) -> None:
    files = {"main": '#include "a.glsl"\n#include "b.glsl"\n#include "a.glsl"', "a": "a", "b": '#include "a.glsl"\nb'}
    assert expanded(tmp_path, **files) == ["a", "b"]


@pytest.mark.parametrize("directive", ['  #include "a.glsl"', '# include "a.glsl"  // why', '\t#\tinclude\t"a.glsl"\t'])
def test_an_include_may_have_spaces_and_a_comment(tmp_path: Path, directive: str) -> None:
    assert expanded(tmp_path, main=directive, a="a") == ["a"]


@pytest.mark.parametrize(
    "comment",
    [
        '// #include "gone.glsl"',
        '/* #include "gone.glsl" */',
        '/*\n#include "gone.glsl"\n*/',
        '/* // /*\n#include "x"\n*/',
    ],
)
def test_an_include_inside_a_comment_is_ignored(tmp_path: Path, comment: str) -> None:
    assert expanded(tmp_path, main=f'{comment}\n#include "a.glsl"', a="a") == ["a"]


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("// /*", []),
        ("/* see https://example.org */", []),
        ("x; /* y */ // /*", ["x;"]),
        ("/* a */ y; /* b */", ["  y;"]),
        ("/*\n*/ // /*", []),
        ('// a backslash \\\n#include "gone.glsl"', []),
    ],
)
def test_an_include_after_a_comment_is_expanded(tmp_path: Path, line: str, rest: list[str]) -> None:
    assert expanded(tmp_path, main=f'{line}\n#include "a.glsl"', a="a") == [*rest, "a"]


def test_circular_includes_are_an_error_that_shows_the_circle(tmp_path: Path) -> None:
    files = {"main": '#include "a.glsl"', "a": '\n\n#include "b.glsl"', "b": '\n#include "a.glsl"'}
    with pytest.raises(ShaderError, match=r"^b\.glsl:2: includes go in a circle: .*a\.glsl -> b\.glsl -> a\.glsl$"):
        expanded(tmp_path, **files)


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("lib/gone.glsl", r"^a\.glsl:2: no shader file 'lib/gone\.glsl' in "),
        ("generated/gone.glsl", r"^a\.glsl:2: nothing generates 'generated/gone\.glsl'; there are \[\]$"),
    ],
)
def test_a_missing_file_is_an_error_at_its_include(tmp_path: Path, gone: str, message: str) -> None:
    with pytest.raises(ShaderError, match=message):
        expanded(tmp_path, main='#include "a.glsl"', a=f'\n#include "{gone}"')


@pytest.mark.parametrize(
    ("log", "real"),
    [
        ("0:3(6): error: no\n0:1(2): warning: hm", "lib/a.glsl:2: error: no\nmain.glsl:1: warning: hm"),
        ("0(3) : error C1503: no", "lib/a.glsl:2: error C1503: no"),
        ("0:99(1): error: past the end", "0:99(1): error: past the end"),
        ("linking failed", "linking failed"),
    ],
    ids=["Mesa", "NVIDIA", "no such line", "no place"],
)
def test_places_in_compiler_messages_become_real_files_and_lines(tmp_path: Path, log: str, real: str) -> None:
    written(tmp_path, main='1\n#include "lib/a.glsl"\n', lib_a="a\nb\n")
    assert expand("main.glsl", {}, tmp_path).translate(log) == real


def test_a_compile_error_names_the_real_file_and_line(device: Device) -> None:
    texts = {
        "generated/main.comp": '#version 430\n#include "lib/hash.glsl"\n#include "generated/part.glsl"\nvoid main() {}',
        "generated/part.glsl": "const int FINE = 1;\n\nint broken = nothing;\n",
    }
    with device, pytest.raises(ShaderError, match=r"^generated/main\.comp does not compile:\n") as caught:
        compile_program(device, "generated/main.comp", texts)
    assert "generated/part.glsl:3:" in str(caught.value)


def test_the_same_text_is_compiled_once(device: Device) -> None:
    texts = {"generated/main.comp": "#version 430\nlayout(local_size_x = 1) in;\nvoid main() {}\n"}
    with device:
        first = compile_program(device, "generated/main.comp", texts)
        assert compile_program(device, "generated/main.comp", dict(texts)) is first


def test_the_programs_that_were_not_asked_for_the_longest_time_leave_the_cache(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that a simulation still holds goes on to work."""
    own = Device(device.context)  # whose cache is empty
    monkeypatch.setattr(shader, "PROGRAMS_KEPT", 3)

    def program(number: int) -> moderngl.ComputeShader:
        text = f"#version 430\nlayout(local_size_x = {number}) in;\nvoid main() {{}}\n"
        return compile_program(own, "generated/main.comp", {"generated/main.comp": text})

    with own:
        first, second, _ = (program(number) for number in (1, 2, 3))
        assert program(1) is first
        program(4)
        assert program(1) is first
        assert len(own.programs) == 3
        assert program(2) is not second
        second.run(1)


def test_every_shader_begins_with_its_version_and_its_law() -> None:
    for path in shaders_folder().rglob("*.comp"):
        version, law, *_ = path.read_text(encoding="utf-8").splitlines()
        assert version == "#version 430", path
        assert law.startswith("// "), path
