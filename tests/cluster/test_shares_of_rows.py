"""The rows of a world are divided among ranks, and each row of a halo comes from the rank that computes it."""

from __future__ import annotations

from dataclasses import replace
from itertools import starmap
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpufluid import World
from gpufluid.cluster.parts import Outline, cells_of
from gpufluid.cluster.schedule import Kinds, check_shared, depth_of, schedule_of_parts
from gpufluid.cluster.shares import STRIP_ROWS, Shares
from gpufluid.core.errors import UsageError
from gpufluid.core.frame import in_frame
from gpufluid.rules import RULES
from gpufluid.rules.passes import UNBOUNDED
from gpufluid.world.kinds import kinds_among
from gpufluid.world.laws import GRAVITIES


@given(rows=st.integers(1, 400), ranks=st.integers(2, 9), depth=st.integers(1, 70), wrap=st.booleans())
def test_each_row_has_one_rank_and_each_row_of_a_halo_one_sender(rows: int, ranks: int, depth: int, wrap: bool) -> None:
    if ranks > -(-rows // STRIP_ROWS):
        with pytest.raises(UsageError, match=rf"expected at most {-(-rows // STRIP_ROWS)} ranks$"):
            Shares.of(rows, ranks, depth, wrap)
        return
    shares = Shares.of(rows, ranks, depth, wrap)
    assert [row for own in shares.own for row in range(*own)] == list(range(rows))
    assert all(first % STRIP_ROWS == 0 and end > first for first, end in shares.own)
    for rank, ((first, end), (before, after)) in enumerate(zip(shares.own, shares.halos, strict=True)):
        wanted = {place: first - before + place for place in range(before)}
        wanted |= {before + end - first + place: end + place for place in range(after)}
        assert wrap or (wanted and set(wanted.values()) <= set(range(rows)))
        found: dict[int, int] = {}
        for crossing in (each for each in shares.crossings if each.receiver == rank):
            begin, halo = shares.own[crossing.sender], shares.halos[crossing.sender]
            for sent, place in zip(range(*crossing.sent), range(*crossing.received), strict=True):
                whole = sent - halo[0] + begin[0]
                assert begin[0] <= whole < begin[1]
                assert place not in found
                found[place] = whole
            assert found[crossing.received[0]] == crossing.whole
        assert found == {place: row % rows for place, row in wanted.items()}
        spans = [
            (row, place) for each in shares.spans_of(rank) for row, place in zip(*starmap(range, each), strict=True)
        ]
        assert spans == [(row % rows, place) for place, row in enumerate(range(*shares.rows_of(rank)))]


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("edges", ["closed", "wrap"])
def test_a_part_lies_where_its_rows_lie_in_the_whole_world(gravity: str, edges: str) -> None:
    world = World(100, 97, rules=("flow",), gravity=gravity, edges=edges)  # pyright: ignore[reportArgumentType]
    world["mass"] = [[1000 * row + column for column in range(97)] for row in range(100)]
    rows = in_frame(world["mass"], gravity).shape[0]
    shares = Shares.of(rows, 3, 5, edges == "wrap")
    for rank in range(3):
        part = Outline.of(world).part(rank, shares)
        (first, end), (before, after) = shares.own[rank], shares.halos[rank]
        cells = cells_of(world, (first - before, end + after))["mass"]
        assert cells.shape == (part.height, part.width)
        x, y, width, height = part.domain.own_cells(gravity)
        left, top = part.domain.origin[0] + x, part.domain.origin[1] + y
        assert (cells[y : y + height, x : x + width] == world["mass"][top : top + height, left : left + width]).all()
        assert part.domain.own_rows(gravity) == (before, before + end - first)
        assert part.domain.frame_origin(gravity) == (0, first - before)


def check(world: World) -> int:
    """Check that ranks can share a world with matter of all kinds. Returns the depth of their halos."""
    schedule = schedule_of_parts(world, {})
    kinds: Kinds = kinds_among(world.laws, range(1, len(world.materials)))
    check_shared(world, schedule, kinds)
    return depth_of(schedule, kinds)


@pytest.mark.parametrize(
    ("there", "refused"),
    [
        (("water", "wall", "steam"), ""),
        (("water", "sand"), "powder yet, because a stack of it may float on liquid"),
        (("water", "oil"), "two liquids yet, because one may lie on the other"),
    ],
)
def test_atoms_with_pressure_are_shared_if_nothing_lies_on_their_liquid(there: tuple[str, ...], refused: str) -> None:
    world = World(64, 8, rules=("atoms", "pressure"))
    schedule, kinds = schedule_of_parts(world, {}), kinds_among(world.laws, [world.materials[name] for name in there])
    if not refused:
        check_shared(world, schedule, kinds)
        return
    with pytest.raises(
        UsageError, match=f"^rules: ranks cannot share a world of rules atoms and pressure with {refused}"
    ):
        check_shared(world, schedule, kinds)


def test_a_pass_without_a_number_of_rows_is_refused_by_its_name() -> None:
    passes = tuple(replace(each, reach=UNBOUNDED) for each in RULES["flow"].passes)
    schedule = SimpleNamespace(passes=passes)
    with pytest.raises(UsageError, match=r"rule flow yet, because pass flow\.\w+ reads beyond any number of rows;"):
        check_shared(World(64, 8, rules=("flow",)), schedule, frozenset())  # pyright: ignore[reportArgumentType]


def test_a_torus_of_atoms_has_whole_strips() -> None:
    assert check(World(64, 8, rules=("atoms",), edges="wrap")) % STRIP_ROWS == 0
    with pytest.raises(UsageError, match=r"^size: 66 rows along gravity; expected a multiple of 32 in a torus"):
        check(World(66, 8, rules=("atoms",), edges="wrap"))
