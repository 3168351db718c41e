"""The pixels of a viewer's picture."""

from __future__ import annotations

import numpy as np

from gpufluid.viewer.viewer import Viewer


def pixels_of(viewer: Viewer) -> np.ndarray:
    """The picture that the window would show now, not stretched: (height, width, 4) uint8, RGBA, row 0 at the top."""
    with viewer.sim.device:
        texture = viewer.picture()
        return np.frombuffer(texture.read(), np.uint8).reshape(texture.height, texture.width, 4)
