"""Limits of texts that are parsed. A parser can take hundreds of bytes for each byte of a text, and much time."""

from __future__ import annotations

from collections.abc import Sequence


def excess(text: bytes, bytes_most: int, values_most: int, marks: Sequence[bytes]) -> str:
    """The limit that a text exceeds, in words for a message; empty: the text exceeds none.

    Args:
        text: the text, or its first ``bytes_most + 1`` bytes.
        bytes_most: its longest length.
        values_most: the most values in it.
        marks: the characters that stand before or after a value. They are counted in strings and comments, too.
    """
    if len(text) > bytes_most:
        return f"over {bytes_most} bytes"
    return f"over {values_most} values" if sum(text.count(mark) for mark in marks) > values_most else ""
