"""The core runs without the extras, and what needs one of them says so in one sentence."""

import json
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from support.extras import COMMAND, WITHOUT, without_extras

from gpufluid.core.errors import MissingExtraError
from gpufluid.core.extras import LIBRARIES, missing, require
from gpufluid.run import environment

ROOT = Path(__file__).parents[2]


def test_every_extra_is_one_of_the_project_with_the_same_libraries() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    core = " ".join(project["dependencies"])
    for extra, libraries in LIBRARIES.items():
        for library in libraries:
            assert any(each.startswith(f"{library}>=") for each in extras[extra]), (extra, library)
            assert library not in core
    (everything,) = extras["all"]
    assert everything == f"gpufluid[{','.join(sorted(LIBRARIES))}]"
    page = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == sorted([*LIBRARIES, "all"])
    assert "gpufluid[film,mpi,rl,view,zarr]" in extras["dev"]  # the short run tests all of these


def test_pyright_passes_where_only_the_extra_dev_is_installed() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = {"matplotlib", *re.findall(r"\w+", extras["dev"][0])}
    absent = {module for extra in LIBRARIES.keys() - installed for module in LIBRARIES[extra].values()} - installed
    absent |= {"IPython", "mkdocs", "nbclient", "pandas", "playwright"}
    imports = re.compile(rf"\s*(?:import|from) (?:{'|'.join(sorted(absent))})\b")
    for folder in ("gpufluid", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            for line in path.read_text(encoding="utf-8").splitlines():
                assert not imports.match(line) or "# pyright: ignore[reportMissingImports]" in line, (path, line)


OTHER_NAMES = ("PIL", "IPython", "griffe", "mkdocs", "nbformat")
"""Modules of pillow, ipykernel, mkdocstrings, mkdocs-material and nbconvert."""


def test_the_types_of_a_library_in_no_extra_of_developers_are_those_of_a_stub() -> None:
    """Whether such a library is installed, and which version, does not change what pyright finds."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    lists = [project["project"]["dependencies"], *(extras[name] for name in extras if name != "peers")]
    known = {*re.findall(r"[\w-]+", " ".join(chain(*lists))), *OTHER_NAMES, *sys.stdlib_module_names}
    paths = [path for folder in ("gpufluid", "tools") for path in (ROOT / folder).rglob("*.py")]
    known |= {"gpufluid", *(path.stem for path in (ROOT / "tools").iterdir())}
    imported = re.compile(r"^\s*(?:import|from) (\w+)([\w.]*)(?: import .*| as \w+|  #.*)?$", re.MULTILINE)
    found = {each for path in paths for each in imported.findall(path.read_text(encoding="utf-8"))}
    strange = {top + rest for top, rest in found if top not in known and top.replace("_", "-") not in known}
    assert {"numba", "stable_baselines3.common.vec_env", "powderworld.sim"} <= strange
    stubs = ROOT / project["tool"]["pyright"]["stubPath"]
    for name in strange:
        place = stubs / name.replace(".", "/")
        assert place.with_suffix(".pyi").is_file() or (place / "__init__.pyi").is_file(), name


def test_the_sentence_names_the_missing_libraries_and_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "view", {"numpy": "numpy", "glfw": "no_such_module", "x": "no_such.module"})
    assert missing("view") == ["glfw", "x"]
    with pytest.raises(MissingExtraError) as caught:
        require("view", "gpufluid view")
    assert str(caught.value) == "gpufluid view needs glfw and x: pip install 'gpufluid[view]'"
    monkeypatch.setitem(LIBRARIES, "view", {"numpy": "numpy"})
    require("view", "gpufluid view")


def test_a_library_that_is_installed_under_another_name_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "view", {"no-such-name": "json"})
    assert environment._extra("view") == {"no-such-name": "of an unknown version"}


@pytest.mark.parametrize(
    "begins", ["from gpufluid.cli import main; main()", "import gpufluid; gpufluid.load('dam_break')"]
)
def test_a_library_of_the_core_that_is_missing_is_named_with_what_to_do(begins: str) -> None:
    """As in a clone whose environment was not activated."""
    program = f"import sys; sys.modules['tree_sitter_toml'] = None; sys.argv = ['gpufluid', 'scenes']; {begins}"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (1, "")
    wanted = f"gpufluid: tree_sitter_toml is not installed for {sys.executable}; activate the environment that has"
    assert answer.stderr.splitlines()[-1].startswith(wanted)
    assert ("Traceback" in answer.stderr) == ("load" in begins)


def test_a_film_without_its_extra_is_one_sentence_before_anything_runs(tmp_path: Path) -> None:
    words = ["run", "dam_break", "--ticks", "2", "--out", "x.png", "--out", "x.mp4"]
    answer = without_extras(COMMAND, *words, folder=tmp_path)
    assert answer.returncode == 1
    assert answer.stderr == "gpufluid: a film needs imageio-ffmpeg: pip install 'gpufluid[film]'\n"
    assert not list(tmp_path.iterdir())


OTHERS = {
    "rl": ("import gpufluid.envs", "gpufluid.envs needs gymnasium"),
    "mpi": ("from gpufluid.cluster import Simulation; Simulation('dam_break')", "gpufluid.cluster needs mpi4py"),
}
"""Extras of programs: what needs each, and the beginning of its sentence."""


@pytest.mark.parametrize("extra", [pytest.param("rl"), pytest.param("mpi", marks=pytest.mark.long("as with rl"))])
def test_a_program_without_an_extra_gets_one_sentence(extra: str, tmp_path: Path) -> None:
    program, sentence = OTHERS[extra]
    answer = without_extras(f"{WITHOUT}\n{program}", folder=tmp_path)
    assert answer.returncode == 1
    last = answer.stderr.splitlines()[-1]
    assert last == f"gpufluid.core.errors.MissingExtraError: {sentence}: pip install 'gpufluid[{extra}]'"


@pytest.mark.long("starts the program three times and draws; the short run has the sentences of the same extras")
def test_what_needs_no_extra_runs_without_them(tmp_path: Path) -> None:
    words = ["run", "dam_break", "--ticks", "2", "--out", "x.png", "--out", "x.npz", "--stats", "x.csv"]
    answer = without_extras(COMMAND, *words, folder=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.csv", "x.npz", "x.png"]
    answer = without_extras(COMMAND, "info", "--json", folder=tmp_path)
    found = json.loads(answer.stdout)
    assert found["runs"]
    assert found["extras"] == {extra: dict.fromkeys(libraries) for extra, libraries in LIBRARIES.items()}
    assert found["film_encoder"] == "none: a film needs imageio-ffmpeg: pip install 'gpufluid[film]'"
    answer = without_extras(COMMAND, "info", folder=tmp_path)
    assert "extra      view: not installed (pip install 'gpufluid[view]')\n" in answer.stdout


@pytest.mark.long("imports every module of the package in a process of its own")
def test_only_the_window_and_the_labels_of_plots_are_imported_with_their_extras(tmp_path: Path) -> None:
    """Every other module can be imported without any extra, also the benchmark and the viewer without its window."""
    program = f"""{WITHOUT}
from importlib import import_module
from pathlib import Path
import gpufluid
root = Path(gpufluid.__file__).parent
for path in sorted(root.rglob("*.py")):
    name = ".".join(["gpufluid", *path.relative_to(root).with_suffix("").parts]).removesuffix(".__init__")
    if name == "gpufluid.__main__":
        continue
    try:
        import_module(name)
    except (ImportError, gpufluid.GpufluidError):
        print(name)
"""
    answer = without_extras(program, folder=tmp_path)
    assert answer.returncode == 0, answer.stderr
    refused = answer.stdout.split()
    assert refused
    others = ("gpufluid.render.axis_labels", "gpufluid.notebook", "gpufluid.serve", "gpufluid.envs")
    allowed = ("gpufluid.viewer.", "gpufluid.gpu.imgui_renderer", *others)
    assert not [name for name in refused if not name.startswith(allowed)]
    assert "gpufluid.viewer.viewer" not in refused
