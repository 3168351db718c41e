"""Labels of connected cells in the gravity frame. Twin of ``shaders/lib/labels.glsl`` and ``lib/union_find.glsl``.

The label of a cell is 1 plus the index of the first cell of its connected set, counted along the rows.
"""

from __future__ import annotations

import numpy as np


def own_labels(kinds: np.ndarray) -> np.ndarray:
    """Label each cell of a kind with 1 plus its own index, and all other cells with 0.

    Args:
        kinds: the kind of each cell, 0 for none: [row, column] of any integer type, or bool.
    Returns: [row, column] uint32.
    """
    labels = np.arange(1, kinds.size + 1, dtype=np.uint32).reshape(kinds.shape)
    return np.where(kinds != 0, labels, np.uint32(0))


def merged_labels(kinds: np.ndarray, labels: np.ndarray, wrap: bool) -> np.ndarray:
    """Give all connected cells of one kind the smallest of their labels.

    Args:
        kinds: the kind of each cell, 0 for none: [row, column] of any integer type, or bool.
        labels: [row, column] uint32, the result of `own_labels`.
        wrap: True on a torus.
    Returns: [row, column] uint32.
    """
    links = np.arange(labels.size + 1, dtype=np.uint32)  # by label, the label that it is linked to: first, itself
    pairs = [_touching(kinds, labels, axis, wrap) for axis in (0, 1)]
    later, earlier = (np.concatenate(part) for part in zip(*pairs, strict=True))
    while len(later):
        roots = links[later], links[earlier]
        np.minimum.at(links, np.maximum(*roots), np.minimum(*roots))
        links = _followed(links)
        apart = links[later] != links[earlier]
        later, earlier = later[apart], earlier[apart]
    return links[labels]


def _touching(kinds: np.ndarray, labels: np.ndarray, axis: int, wrap: bool) -> tuple[np.ndarray, np.ndarray]:
    """The labels of all pairs of touching cells of one kind along an axis: (of the later cells, of the earlier)."""
    kinds_before, labels_before = np.roll(kinds, 1, axis), np.roll(labels, 1, axis)
    same = (kinds != 0) & (kinds_before == kinds)
    if not wrap:
        same[(slice(None),) * axis + (0,)] = False
    return labels[same], labels_before[same]


def _followed(links: np.ndarray) -> np.ndarray:
    """Replace each link by the root to which it leads, (n,) uint32."""
    while True:
        farther = links[links]
        if (farther == links).all():
            return links
        links = farther
