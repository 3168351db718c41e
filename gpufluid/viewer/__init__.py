"""The interactive viewer. `Viewer` holds the world, the tools and the actions; `window` shows a `Viewer` on screen."""

from __future__ import annotations

from gpufluid.viewer import (
    _files,
    _heat,
    _paint,
    _pictures,
    _time,
    _undo,
    _view,
    _world,
)  # importing them registers the actions
from gpufluid.viewer.viewer import Viewer, replay

__all__ = ["Viewer", "_files", "_heat", "_paint", "_pictures", "_time", "_undo", "_view", "_world", "replay"]
