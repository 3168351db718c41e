"""Picking an entry of a list by keys and clicks: the arrow keys move the picked one, a double click opens it."""

from __future__ import annotations

from imgui_bundle import imgui


def moved(picked: int, count: int, columns: int = 1, sideways: bool = False) -> tuple[int, bool]:
    """The number of the picked entry after the keys of this frame.

    Args:
        picked: the number of the picked entry.
        count: the number of entries.
        columns: the entries in a row.
        sideways: whether the left and right arrow keys move it too.
    Returns: the number, from 0 to ``count - 1``, and whether a key has moved it, so that it is to be scrolled to.
    """
    steps = {imgui.Key.down_arrow: columns, imgui.Key.up_arrow: -columns}
    steps |= {imgui.Key.page_down: 5 * columns, imgui.Key.page_up: -5 * columns}
    steps |= {imgui.Key.right_arrow: 1, imgui.Key.left_arrow: -1} if sideways else {}
    step = sum(step for key, step in steps.items() if imgui.is_key_pressed(key))
    if not step:
        return max(min(picked, count - 1), 0), False
    wanted = picked + step
    if abs(step) == columns > 1 and not 0 <= wanted < count:
        wanted = picked  # no row above or below
    return max(min(wanted, count - 1), 0), True
