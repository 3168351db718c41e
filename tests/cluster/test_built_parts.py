"""Each rank builds its own rows of a scene, or reads them of a store: they are those of the whole world."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support import ranked
from support.scenes_in_pieces import OVERFULL

PROGRAM = Path(ranked.__file__).with_name("built_parts.py")


def test_what_ranks_build_is_what_one_process_builds(tmp_path: Path) -> None:
    """Turned scenes, and a scene larger than the memory."""
    assert ranked.run(3, PROGRAM, tmp_path, "turned", "memory") == ranked.Answer(0, "", "")


@pytest.mark.long("a minute; the short run has some scenes")
def test_all_scenes_and_stores_that_ranks_build_are_those_of_one_process(tmp_path: Path) -> None:
    """Also what goes wrong in them."""
    assert ranked.run(3, PROGRAM, tmp_path, "scenes", "stores", "errors") == ranked.Answer(0, "", "")


@pytest.mark.long("starts several programs of several processes each")
@pytest.mark.parametrize("text", [OVERFULL, OVERFULL.replace("lava", "larva")], ids=["cell", "material"])
def test_a_command_says_once_what_one_process_says_of_a_bad_scene(tmp_path: Path, text: str) -> None:
    """One rank alone finds the cell; all ranks find the material."""
    (tmp_path / "bad.toml").write_text(text)
    words = ("-m", "gpufluid", "run", "bad.toml", "--ticks", "3", "--out", "a.npz")
    one = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    many = ranked.run(3, *words, folder=tmp_path)
    assert (many.code, many.out) == (one.returncode, one.stdout) == (2, "")
    assert many.err.splitlines() == ["gpufluid: 3 ranks share the world", *one.stderr.splitlines()]
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]
