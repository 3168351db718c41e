"""What the viewer tells its user."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence.

    Args:
        text: what it says.
        kind: ``note`` or ``error``.
        when: by `time.monotonic`, so that it can fade.
    """

    text: str
    kind: Literal["note", "error"] = "note"
    when: float = field(default_factory=time.monotonic)
