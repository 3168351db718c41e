"""The notebooks of the documentation run, and their kept outputs are those of a run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
NAMES = ("agent", "data_set", "first_steps", "parameter_study")


def test_the_notebooks_are_small_have_outputs_and_are_named_by_the_page() -> None:
    assert tuple(sorted(path.stem for path in FOLDER.iterdir())) == NAMES
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"](notebooks/{name}.ipynb)" in page
        text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
        assert len(text) < 300_000
        outputs = [output for cell in json.loads(text)["cells"] for output in cell.get("outputs", [])]
        assert len(outputs) >= 4
        assert "error" not in {output["output_type"] for output in outputs}
        assert "stderr" not in {output.get("name") for output in outputs}


@pytest.mark.long("of the extra dev-all")
def test_the_check_compares_texts_and_tables_but_no_pictures() -> None:
    v4 = pytest.importorskip("nbformat", reason="of the extra dev-all").v4
    pytest.importorskip("nbclient", reason="of the extra dev-all")
    from notebooks import said

    def notebook(cell: str, picture: str) -> list[str]:
        page = f'<td>{cell}</td><img src="data:image/png;base64,{picture}" alt="x">'
        outputs = [v4.new_output("execute_result", {"text/plain": "<World>", "text/html": page})]
        return said(v4.new_notebook(cells=[v4.new_code_cell(outputs=outputs)]))

    assert notebook("7 cells", "abcd") == notebook("7 cells", "wxyz")
    assert notebook("7 cells", "abcd") != notebook("8 cells", "abcd")


@pytest.mark.long("runs a notebook in a kernel")
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_says_what_is_kept(name: str) -> None:
    for module in ("nbclient", "ipykernel", "matplotlib"):
        pytest.importorskip(module, reason="of the extra dev-all")
    answer = subprocess.run(
        [sys.executable, ROOT / "tools" / "notebooks.py", "--check", name], capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
