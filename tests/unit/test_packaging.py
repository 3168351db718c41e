"""The wheel carries shaders, scenes, materials and reactions, and the program runs from it alone."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from support.extras import COMMAND, without_extras

from gpufluid.core.extras import LIBRARIES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder / "site")
    return folder / "site"


def names(folder: Path, ending: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob(f"*{ending}")}


@pytest.mark.parametrize(
    "name",
    [
        "matter/materials.toml",
        "matter/reactions.toml",
        "matter/mixtures.toml",
        "scene/new_scene.toml",
        "serve/page/index.html",
    ],
)
def test_the_wheel_has_the_files_inside_the_package(unpacked: Path, name: str):
    assert (unpacked / "gpufluid" / name).read_bytes() == (ROOT / "gpufluid" / name).read_bytes()


def test_the_wheel_says_that_the_package_has_types(unpacked: Path):
    assert (unpacked / "gpufluid" / "py.typed").is_file()


@pytest.mark.parametrize(
    ("room", "ending"), [("shaders", ".comp"), ("shaders", ".glsl"), ("scenes", ".toml"), ("scenes", ".png")]
)
def test_the_wheel_has_every_file_that_is_not_python(unpacked: Path, room: str, ending: str):
    assert names(ROOT / room, ending)
    assert names(unpacked / "gpufluid" / room, ending) == names(ROOT / room, ending)


def test_gpufluid_runs_from_the_wheel_alone(unpacked: Path, tmp_path: Path):
    answer = subprocess.run(
        [
            sys.executable,
            "-P",
            "-c",
            "import gpufluid; print(gpufluid.__file__); gpufluid.Simulation(gpufluid.load('dam_break')).step(2)",
        ],
        env=os.environ | {"PYTHONPATH": str(unpacked)},
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert answer.stdout.startswith(str(unpacked))


def test_the_wheel_without_extras_runs_scenes_to_pictures(unpacked: Path, tmp_path: Path):
    answer = without_extras(
        COMMAND, "run", "dam_break", "--ticks", "2", "--out", "x.png", folder=tmp_path, site=unpacked
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("view",), "gpufluid view needs glfw, imgui-bundle and moderngl-window: pip install 'gpufluid[view]'"),
        (("serve",), "gpufluid serve needs starlette, uvicorn and websockets: pip install 'gpufluid[serve]'"),
        (("run", "dam_break", "--out", "x.mp4"), "a film needs imageio-ffmpeg: pip install 'gpufluid[film]'"),
    ],
    ids=["view", "serve", "film"],
)
@pytest.mark.long("tests/unit/test_extras.py has the sentence of one extra in the short run")
def test_the_wheel_says_in_a_sentence_which_extra_a_command_needs(
    unpacked: Path, tmp_path: Path, words: tuple[str, ...], said: str
):
    answer = without_extras(COMMAND, *words, folder=tmp_path, site=unpacked)
    assert (answer.returncode, answer.stderr) == (1, f"gpufluid: {said}\n")
    assert not list(tmp_path.iterdir())


def test_the_wheel_requires_the_library_of_an_extra_only_with_the_extra(unpacked: Path):
    (metadata,) = unpacked.glob("*.dist-info/METADATA")
    lines = re.findall(r"^Requires-Dist: ([\w-]+)(.*)$", metadata.read_text(encoding="utf-8"), re.MULTILINE)
    core = {name for name, rest in lines if "extra ==" not in rest}
    optional = {name for name, rest in lines if "extra ==" in rest}
    libraries = {library for names in LIBRARIES.values() for library in names}
    assert libraries <= optional - core
    assert "moderngl" in core


def test_the_citation_has_the_version_and_licence_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "CITATION.cff").read_text().splitlines()
    cited = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith(" "))
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])
    assert [line[4:] for line in lines if line.startswith("  - ") and "name:" not in line] == project["keywords"]
