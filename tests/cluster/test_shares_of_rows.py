"""A world is divided among ranks, and each cell of a halo comes from the rank that computes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.selection import examples

from gpufluid import World
from gpufluid.cluster.grid import Grid, check_shape, shape_for
from gpufluid.cluster.parts import Outline, cells_of
from gpufluid.cluster.schedule import ExchangePlan, Kinds, check_columns, check_shared, depth_of, schedule_of_parts
from gpufluid.cluster.shares import STRIP_ROWS
from gpufluid.core.errors import UsageError
from gpufluid.core.frame import Area, in_frame
from gpufluid.rules import RULES
from gpufluid.rules.passes import UNBOUNDED
from gpufluid.runtime.planning import runs_with
from gpufluid.world.kinds import kinds_among
from gpufluid.world.laws import GRAVITIES


@st.composite
def grids(draw: st.DrawFn) -> tuple[Grid, tuple[int, int], tuple[int, int], bool]:
    """A division of a world: also (columns, rows) of its frame and of a halo, and whether it is a torus."""
    shape = draw(st.sampled_from([(1, 1), (3, 1), (5, 1), (1, 3), (2, 2), (2, 3), (3, 2)]))
    columns, rows = (draw(st.integers(STRIP_ROWS * (ranks - 1) + 1, STRIP_ROWS * (ranks + 1))) for ranks in shape[::-1])
    depth = draw(st.integers(1, 70)), draw(st.integers(1, 70))
    wrap = draw(st.booleans())
    return Grid.of((columns, rows), shape, depth, wrap), (columns, rows), depth, wrap


def distance(first: Area, second: Area) -> int:
    """The lines between two rectangles, along the axis along which they are farther from each other."""
    return max(max(one[0] - other[1], other[0] - one[1]) for one, other in zip(first, second, strict=True))


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.integers(1, 300), st.booleans())
def test_inner_cells_are_a_halo_or_more_away_from_all_that_other_ranks_copy(
    strips: list[int], depth: int, wrap: bool
) -> None:
    frame = 40, sum(strips) * STRIP_ROWS
    grid = Grid.of(frame, (len(strips), 1), (1, depth), wrap, ((2,), tuple(strips)))
    for crossing in grid.crossings:
        for rank, copied in ((crossing.sender, crossing.sent), (crossing.receiver, crossing.received)):
            inner = grid.inner_of(rank)
            if inner[1][0] < inner[1][1]:
                assert distance(inner, copied) >= min(depth, frame[1])


def index(area: Area) -> tuple[slice, slice]:
    """The index of the cells of a rectangle in an array (rows, columns)."""
    return slice(*area[1]), slice(*area[0])


@given(grids())
@examples(60)
def test_each_cell_has_one_rank_and_each_cell_of_a_halo_one_sender(
    found: tuple[Grid, tuple[int, int], tuple[int, int], bool],
) -> None:
    grid, frame, depth, wrap = found
    numbers = np.arange(frame[0] * frame[1]).reshape(frame[::-1])  # of the cells of the whole world
    owners = np.full(numbers.shape, -1)
    for rank in range(grid.ranks):
        assert (owners[index(grid.own_of(rank))] == -1).all()
        owners[index(grid.own_of(rank))] = rank
    assert (owners >= 0).all()
    parts = [
        numbers[np.ix_(np.arange(*rows) % frame[1], np.arange(*columns) % frame[0])]
        for columns, rows in map(grid.part_of, range(grid.ranks))
    ]
    for rank, part in enumerate(parts):
        for axis in (0, 1):
            (first, end), halo = grid.own_of(rank)[axis], grid.halo_of(rank)[axis]
            assert first % STRIP_ROWS == 0
            is_divided = grid.shape[1 - axis] > 1 or (axis == 1 and grid.ranks > 1)
            wanted = depth[axis] if is_divided else 0
            assert halo == ((wanted, wanted) if wrap else (min(wanted, first), min(wanted, frame[axis] - end)))
        received = np.full(part.shape, -1)
        own = index(grid.own_in_part(rank))
        assert (part[own] == numbers[index(grid.own_of(rank))]).all()
        received[own] = part[own]
        for crossing in (each for each in grid.crossings if each.receiver == rank):
            sent, whole = parts[crossing.sender][index(crossing.sent)], index(crossing.whole)
            assert (sent == numbers[whole]).all()
            assert (owners[whole] == crossing.sender).all()
            assert (received[index(crossing.received)] == -1).all()
            received[index(crossing.received)] = sent
        assert (received == part).all()
        for cells, place in grid.spans_of(rank):
            assert (numbers[index(cells)] == part[index(place)]).all()
            received[index(place)] = -1
        assert (received == -1).all()


def test_a_grid_of_one_column_shares_whole_rows() -> None:
    """No rank has a halo at its sides, and of each halo above and below one message comes."""
    grid = Grid.of((200, 4 * STRIP_ROWS), (4, 1), (8, 12), wrap=True)
    assert {grid.part_of(rank)[0] for rank in range(4)} == {(0, 200)}
    assert len(grid.crossings) == 8


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((5, 1), "5 ranks: 100 rows along gravity are 4 strips of 32; expected at most 4 ranks"),
        ((5, 2), "5 rows of ranks: 100 rows along gravity are 4 strips of 32; expected at most 4 rows of ranks"),
        (
            (1, 3),
            "3 columns of ranks: 64 columns across gravity are 2 strips of 32; expected at most 2 columns of ranks",
        ),
    ],
)
def test_a_world_with_fewer_strips_than_ranks_is_refused(shape: tuple[int, int], said: str) -> None:
    with pytest.raises(UsageError, match=f"^{said}$"):
        Grid.of((64, 100), shape, (8, 8), wrap=False)


def test_the_grid_of_a_caller_has_a_place_for_each_rank() -> None:
    assert check_shape(None, 6) is None
    assert check_shape([2, 3], 6) == (2, 3)
    with pytest.raises(UsageError, match=r"^ranks: a grid of 2 x 2 has 4; there are 6$"):
        check_shape((2, 2), 6)
    for wrong in ((0, 6), (2, 3, 1), "23", 6, (2.5, 2)):
        with pytest.raises(UsageError, match=r"; expected \(rows, columns\), two whole numbers of at least 1$"):
            check_shape(wrong, 6)


@pytest.mark.parametrize(
    ("frame", "ranks", "shape"),
    [
        ((16_384, 1000), 6, (6, 1)),
        ((16_400, 1000), 6, (3, 2)),
        ((40_000, 1000), 6, (2, 3)),
        ((40_000, 1000), 4, (1, 4)),
        ((16_400, 64), 6, (2, 3)),  # two strips of rows
        ((40_000, 1000), 2, (2, 1)),  # too wide for any grid
    ],
)
def test_rows_that_are_wider_than_a_texture_are_divided(
    frame: tuple[int, int], ranks: int, shape: tuple[int, int]
) -> None:
    assert shape_for(frame, ranks, (8, 8), wrap=False, most=16_384) == shape


@pytest.mark.parametrize("gravity", GRAVITIES)
@pytest.mark.parametrize("edges", ["closed", "wrap"])
@pytest.mark.parametrize("shape", [(3, 1), (2, 2)])
def test_a_part_lies_where_its_cells_lie_in_the_whole_world(gravity: str, edges: str, shape: tuple[int, int]) -> None:
    world = World(100, 97, rules=("flow",), gravity=gravity, edges=edges)  # pyright: ignore[reportArgumentType]
    world["mass"] = [[1000 * row + column for column in range(97)] for row in range(100)]
    frame = in_frame(world["mass"], gravity).shape[::-1]
    grid = Grid.of(frame, shape, (3, 5), edges == "wrap")
    for rank in range(grid.ranks):
        part, area = Outline.of(world).part(rank, grid), grid.part_of(rank)
        found = cells_of(world, area)["mass"]
        assert found.shape == (part.height, part.width)
        x, y, width, height = part.domain.own_cells(gravity)
        left, top = part.domain.origin[0] + x, part.domain.origin[1] + y
        assert (found[y : y + height, x : x + width] == world["mass"][top : top + height, left : left + width]).all()
        assert part.domain.own_area(gravity) == grid.own_in_part(rank)
        assert part.domain.frame_origin(gravity) == (area[0][0], area[1][0])


def check(world: World) -> int:
    """Check that ranks can share a world with matter of all kinds. Returns the depth of their halos."""
    schedule = schedule_of_parts(world, {})
    kinds: Kinds = kinds_among(world.laws, range(1, len(world.materials)))
    check_shared(world, schedule, kinds)
    return depth_of(schedule, kinds)[1]


@pytest.mark.parametrize(("refuses", "lines"), [(check_shared, "rows"), (check_columns, "columns")])
def test_a_pass_without_a_number_of_lines_is_refused_by_its_name(refuses: Callable[..., None], lines: str) -> None:
    passes = tuple(replace(each, reach=UNBOUNDED) for each in RULES["flow"].passes)
    said = rf"rule flow yet, because pass flow\.\w+ reads beyond any number of {lines}; expected one "
    with pytest.raises(UsageError, match=said):
        refuses(World(64, 8, rules=("flow",)), SimpleNamespace(passes=passes), frozenset())


def test_a_torus_of_atoms_has_whole_strips() -> None:
    assert check(World(64, 8, rules=("atoms",), edges="wrap")) % STRIP_ROWS == 0
    with pytest.raises(UsageError, match=r"^size: 66 rows along gravity; expected a multiple of 32 in a torus"):
        check(World(66, 8, rules=("atoms",), edges="wrap"))


def check_in_columns(world: World) -> tuple[int, int]:
    """Check that several columns of ranks can share a world with matter of all kinds. Returns the depth of halos."""
    schedule = schedule_of_parts(world, {}, across=True)
    kinds = kinds_among(world.laws, range(1, len(world.materials)))
    check_shared(world, schedule, kinds)
    check_columns(world, schedule, kinds)
    return depth_of(schedule, kinds)


@pytest.mark.parametrize(
    ("rules", "columns"),
    [
        (("flow",), 8),
        (("flow", "inertia"), 12),
        (("mixture", "pressure"), 8),
        (("atoms",), 768),
        (("flow", "atoms", "heat"), 768),
        (("atoms", "collapse"), 768),
    ],
)
def test_several_columns_of_ranks_have_halos_as_wide_as_their_passes_read(rules: tuple[str, ...], columns: int) -> None:
    assert check_in_columns(World(64, 64, rules=rules))[0] == columns


@pytest.mark.parametrize(
    ("rules", "world", "said"),
    [
        (("mixture",), {"edges": "wrap"}, r"size: 64 columns across gravity; expected a multiple of 3 in a torus with"),
        (("atoms",), {"edges": "wrap", "width": 80}, r"size: 80 columns across gravity; expected a multiple of 32 in"),
        (("atoms",), {"parameters": {"atoms": {"reach_open": 257}}}, r"atoms.reach_open: 257; expected at most 256 in"),
    ],
    ids=["triples", "strips", "reach"],
)
def test_worlds_that_need_whole_rows_are_refused(rules: tuple[str, ...], world: dict, said: str) -> None:
    with pytest.raises(UsageError, match=f"^{said}"):
        check_in_columns(World(64, world.pop("width", 64), rules=rules, **world))


@pytest.mark.parametrize("across", [False, True], ids=["rows of ranks", "a grid of ranks"])
@pytest.mark.parametrize("layout", [0, -1], ids=["GPU", "software"])
@pytest.mark.parametrize(
    "rules", [("flow", "inertia", "atoms", "heat", "reactions", "pressure"), ("mixture", "pressure")]
)
def test_nobody_asks_whether_cells_rest_between_passes_that_share_a_list_of_tiles(
    rules: tuple[str, ...], layout: int, across: bool
) -> None:
    """`Rest` would use up the note of the visits, before the later passes have changed cells."""
    world = World(512, 1024, rules=rules)
    kinds = kinds_among(world.laws, range(len(world.materials)))
    schedule = schedule_of_parts(world, {rule: RULES[rule].variants[layout].name for rule in rules}, across)
    depth = depth_of(schedule, kinds)
    plan = ExchangePlan(world, schedule, kinds, depth if across else (0, depth[1]), [])
    for tick in range(4):
        points, runs, listed, asked = plan.points(tick), Counter[str](), dict[tuple[str, str], int](), 0
        for call in schedule.calls(tick):
            pass_ = call.pass_
            if runs_with(pass_, kinds):
                asked += (pass_.full_name, runs[pass_.full_name]) in points or bool(pass_.sums_up)
                runs[pass_.full_name] += 1
                if pass_.lists_tiles:
                    listed[pass_.tiled_by, pass_.name] = asked
                elif pass_.activated_by and (pass_.gathered(()) or pass_.updated(())):
                    assert listed[pass_.tiled_by, pass_.activated_by] == asked, pass_.full_name
