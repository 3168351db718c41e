"""Messages of the viewer to its user."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Offer(NamedTuple):
    """A button beside a message: its label, and the name of the action without arguments that it runs."""

    label: str
    action: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Args:
        text: one or more sentences.
        kind: ``note`` (hidden after some seconds) or ``error`` (shown longer, unless the user closes it).
        offer: another thing that the user may have wanted; None: nothing is offered.
        when: creation time by `time.monotonic`, in seconds.
    """

    text: str
    kind: Literal["note", "error"] = "note"
    offer: Offer | None = None
    when: float = field(default_factory=time.monotonic)
