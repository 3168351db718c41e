"""An OpenGL context is made only for a world that will run: wrong calls are reported without one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from gpufluid.core.errors import DeviceError
from gpufluid.gpu import device as device_module
from gpufluid.gpu.device import SIDE_GUARANTEED, Device

SCENE = 'size = [8, 8]\nrules = ["flow"]\n'
WRONG = {
    "key": SCENE + "edgs = 1\n",
    "material": SCENE + '[[fill]]\nshape = "rectangle"\nat = [0, 0]\nsize = [1, 1]\nmaterial = "watr"\n',
    "port": SCENE + "[[drain]]\nat = [9, 0]\n",
    "picture": '[map]\nimage = "none.png"\nlegend = { "#ffffff" = "wall" }\n',
    "law": SCENE + 'edges = "shut"\n',
    "side that no device has": f"size = [{(1 << 16) + 1}, 1]\n",
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records each request for a context, without making one."""
    asked: list[str] = []

    def make() -> None:
        asked.append("context")
        raise DeviceError("no OpenGL in this test")

    monkeypatch.setattr(device_module, "_shared", None)
    monkeypatch.setattr(device_module, "_headless_context", make)
    return asked


@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_scene_is_refused_without_a_context(call, made, tmp_path: Path, command: str, name: str) -> None:
    (tmp_path / "bad.toml").write_text(WRONG[name])
    answer = call(command, "bad.toml")
    assert (answer.code, made) == (2, [])
    assert answer.err.startswith("gpufluid: bad.toml:")


@pytest.mark.parametrize("words", [("--out", "x.pngg"), ("--overlay", "mass"), ("--variant", "fast"), ("--ticks", -1)])
def test_a_wrong_call_is_refused_without_a_context(call, made, words: tuple[object, ...]) -> None:
    assert (call("run", "dam_break", *words).code, made) == (2, [])


def test_a_valid_call_requests_a_context(call, made) -> None:
    answer = call("run", "dam_break")
    assert (answer.code, made) == (1, ["context"])
    assert answer.err == "gpufluid: no OpenGL in this test\n"


@pytest.mark.parametrize("drawn", [False, True], ids=["size", "picture"])
def test_a_world_over_the_device_limit_is_refused_before_it_is_built(
    call, device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: bool
) -> None:
    """The message names the limit of the device and the place in the file."""
    side = SIDE_GUARANTEED + 2
    monkeypatch.setattr(device, "max_side", SIDE_GUARANTEED)
    if drawn:
        Image.new("RGB", (side, 1), "#ffffff").save(tmp_path / "wide.png")
        (tmp_path / "wide.toml").write_text('[map]\nimage = "wide.png"\nlegend = { "#ffffff" = "empty" }\n')
        monkeypatch.setattr("gpufluid.scene.png.PngPicture.bands", None)  # an error if it is called
    else:
        (tmp_path / "wide.toml").write_text(f"seed = 1\nsize = [{side}, 1]\n")
    answer = call("run", "wide.toml")
    field = "map.image" if drawn else "size"
    limit = f"{side} by 1 is over this device's limit of {SIDE_GUARANTEED} a side ({device.renderer})\n"
    assert (answer.code, answer.out, answer.err) == (2, "", f"gpufluid: wide.toml:2: {field}: {limit}")
