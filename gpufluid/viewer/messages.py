"""Messages of the viewer to its user."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Args:
        text: one or more sentences.
        kind: ``note`` (hidden after some seconds) or ``error`` (shown longer, unless the user closes it).
        when: creation time by `time.monotonic`, in seconds.
    """

    text: str
    kind: Literal["note", "error"] = "note"
    when: float = field(default_factory=time.monotonic)
