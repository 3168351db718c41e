"""The command ``serve``: how it begins and ends. What it serves is tested in ``tests/serve``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.served import served

LONG = pytest.mark.long("of a server, which the extra serve is needed for")


@pytest.fixture
def installed() -> None:
    for name in ("uvicorn", "starlette", "websockets"):
        pytest.importorskip(name, reason=f"{name} is not installed: pip install -e '.[serve]'")


def test_a_missing_extra_is_one_sentence(call, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("starlette", "uvicorn", "websockets"):
        monkeypatch.setitem(sys.modules, library, None)
    answer = call("serve")
    assert answer.code == 1
    assert answer.err == (
        "gpufluid: gpufluid serve needs starlette, uvicorn and websockets: pip install 'gpufluid[serve]'\n"
    )


@LONG
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("no_such_scene",), "no_such_scene"),
        (("--folder", "no/such"), "--folder no/such: there is no such folder"),
        (("--host", "no.such.host.invalid"), "--host no.such.host.invalid: is no address of this machine"),
        (("--theme", "noon"), "theme: 'noon' is not known"),
        (("--every", "0"), "every: 0; expected a whole number of ticks"),
    ],
)
def test_bad_words_are_one_sentence(call, words: tuple[str, ...], said: str) -> None:
    answer = call("serve", *words)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err.splitlines()[-1]


@LONG
@pytest.mark.usefixtures("installed")
def test_ctrl_c_ends_it_and_a_port_in_use_is_one_sentence(tmp_path: Path, process) -> None:
    """And an address beyond this machine is warned of."""
    with served(tmp_path, "--host", "0.0.0.0", "--folder", tmp_path) as other:
        port = other.place.rpartition(":")[2]
        taken = process("serve", "dam_break", "--port", port)
        assert (taken.code, taken.out) == (2, "")
        assert taken.err == (
            f"gpufluid: port {port} of 127.0.0.1 cannot be used: Address already in use; --port 0 takes any free one\n"
        )
        code, said = other.stop()
    assert code == 0
    warning, end = said.splitlines()
    assert "warning: 0.0.0.0 can be reached from other machines" in warning
    assert end == "gpufluid: ended"
