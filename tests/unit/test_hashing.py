"""`pcg4d` equals the published hash, is a bijection, and is uniform enough for probabilities."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpufluid.core.hashing import pcg4d

WORD = 2**32
words = st.tuples(*[st.integers(0, WORD - 1)] * 4)


def published(x: int, y: int, z: int, w: int) -> list[int]:
    """Jarzynski & Olano 2020, listing of pcg4d, in plain integers."""
    v = [(word * 1664525 + 1013904223) % WORD for word in (x, y, z, w)]
    mix(v)
    v = [word ^ word >> 16 for word in v]
    mix(v)
    return v


def mix(v: list[int]) -> None:
    for i, j, k in ((0, 1, 3), (1, 2, 0), (2, 0, 1), (3, 1, 2)):
        v[i] = (v[i] + v[j] * v[k]) % WORD


def inverse(v: list[int]) -> list[int]:
    unmix(v)
    v = [word ^ word >> 16 for word in v]
    unmix(v)
    return [(word - 1013904223) * pow(1664525, -1, WORD) % WORD for word in v]


def unmix(v: list[int]) -> None:
    for i, j, k in ((3, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 3)):
        v[i] = (v[i] - v[j] * v[k]) % WORD


def hashed(*given: int | np.ndarray) -> list[int]:
    return [int(word[0]) for word in pcg4d(*given)]


@given(words)
def test_pcg4d_equals_the_published_hash(v: tuple[int, ...]) -> None:
    assert hashed(*v) == published(*v)


@given(words)
def test_pcg4d_is_a_bijection(v: tuple[int, ...]) -> None:
    assert inverse(hashed(*v)) == list(v)


@given(words, st.integers(-(2**70), 2**70))
def test_integers_are_taken_modulo_two_to_the_32(v: tuple[int, ...], tick: int) -> None:
    assert hashed(*v[:3], tick) == hashed(*v[:3], tick % WORD)


def test_arrays_broadcast_to_their_common_shape() -> None:
    lanes = pcg4d(np.arange(5), np.arange(3)[:, None], 7, np.uint32(9))
    assert [(lane.shape, lane.dtype) for lane in lanes] == [((3, 5), np.uint32)] * 4
    assert [int(lane[2, 4]) for lane in lanes] == published(4, 2, 7, 9)


def test_every_bit_is_set_in_half_of_the_cells() -> None:
    """For 65,536 neighbouring cells 0.01 is five standard deviations."""
    cells = np.arange(256)
    for lane in pcg4d(cells, cells[:, None], 1, 0):
        share = ((lane[..., None] >> np.arange(32, dtype=np.uint32)) & 1).mean(axis=(0, 1))
        assert np.abs(share - 0.5).max() < 0.01
