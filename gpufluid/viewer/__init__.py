"""The window: watch a world, paint into it, stop it, look closer. `Viewer` is all of it but the window itself."""

from __future__ import annotations

from gpufluid.viewer import _heat, _keep, _look, _paint, _time  # they bring the actions
from gpufluid.viewer.viewer import Viewer, replay

__all__ = ["Viewer", "_heat", "_keep", "_look", "_paint", "_time", "replay"]
