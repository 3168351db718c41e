"""A live view of a world in a notebook: `View` shows a `gpufluid.viewer.Viewer`. Needs the extra `notebook`."""

from __future__ import annotations

from gpufluid.core.extras import require

require("notebook", "gpufluid.notebook")

from gpufluid.notebook.view import View  # noqa: E402  after the sentence that says what is missing

__all__ = ["View"]
