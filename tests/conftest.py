"""What all tests share: bounded software GL, steady hypothesis, and a device that is asked for GL errors."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("LP_NUM_THREADS", "1")  # llvmpipe reads it when a context is made: one thread a worker

from gpufluid.gpu.device import Device, shared_device

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("search", deadline=None, max_examples=2000)  # pytest --hypothesis-profile=search
settings.load_profile("steady")


@pytest.fixture
def device() -> Iterator[Device]:
    """The device that simulations share by default; no test finds or leaves an OpenGL error on it."""
    device = shared_device()
    with device:
        assert device.context.error == "GL_NO_ERROR", "left over from an earlier test"
    yield device
    with device:
        assert device.context.error == "GL_NO_ERROR"
