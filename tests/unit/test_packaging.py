"""The wheel carries shaders, scenes, materials and reactions, and the program runs from it alone."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", ["gpufluid/matter/materials.toml", "gpufluid/matter/reactions.toml"])
def test_the_wheel_has_the_tables(unpacked: Path, name: str):
    assert (unpacked / name).read_bytes() == (ROOT / name).read_bytes()


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
