"""Of a picture of a shared world each pixel has one rank, which has or receives all cells that the pixel depends on."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.selection import examples

from gpufluid import World
from gpufluid.cluster import drawing
from gpufluid.cluster.drawing import PicturePlan, Piece
from gpufluid.cluster.grid import Grid
from gpufluid.cluster.parts import Outline, own_cells
from gpufluid.core.frame import area_in_frame, area_in_world, frame_size, place_in_frame
from gpufluid.render.look import Look
from gpufluid.render.painter import cells_for
from gpufluid.render.settings import PictureSettings
from gpufluid.world.laws import EDGES, GRAVITIES
from gpufluid.world.pieces import common

MOST_SIDE = 16384
DEPTH = (3, 5)
"""Columns and rows of the halos of ticks, on which pictures do not depend."""


@st.composite
def plans(draw: st.DrawFn) -> tuple[World, PicturePlan, PictureSettings]:
    """A world, the plan of a picture of it on some ranks, and its settings."""
    shape = draw(st.sampled_from([(1, 1), (2, 1), (3, 1), (5, 1), (1, 2), (2, 2), (2, 3)]))
    rows, columns = (
        draw(st.integers(32 * (ranks - 1) + 1, most)) for ranks, most in zip(shape, (300, 110), strict=True)
    )
    gravity, edges = draw(st.sampled_from(GRAVITIES)), draw(st.sampled_from(EDGES))
    width, height = (rows, columns) if gravity in ("left", "right") else (columns, rows)
    world = World(height, width, rules=("flow",), gravity=gravity, edges=edges)
    crop = None
    if draw(st.booleans()):
        x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
        crop = x, y, draw(st.integers(1, width - x)), draw(st.integers(1, height - y))
    size = draw(st.none() | st.tuples(st.integers(1, 500), st.integers(1, 500)))
    scale = 1 if size else draw(st.sampled_from((1, 3, 16, "1/2", "1/7", "1/64")))
    settings = PictureSettings(scale, look=Look.of(draw(st.sampled_from(("day", "night")))), crop=crop, size=size)
    grid = Grid.of((columns, rows), shape, DEPTH, edges == "wrap")
    return world, PicturePlan(world, grid, settings, MOST_SIDE), settings


@given(plans())
@examples(120)
def test_each_pixel_has_one_rank_that_gets_all_cells_around_it(
    found: tuple[World, PicturePlan, PictureSettings],
) -> None:
    world, plan, settings = found
    width, height = plan.source.size
    drawn = np.zeros((height, width), int)
    for rank, piece in enumerate(plan.pieces):
        there = [plan.received(each) for each in plan.crossings if each.receiver == rank]
        if piece is None:
            assert not there
            continue
        left, top, right, bottom = piece.pixels
        drawn[top:bottom, left:right] += 1
        x, y, end, stop = piece.cells
        held = np.zeros((stop - y, end - x), int)
        for box in (own_cells(plan.world, plan.grid, rank), *there):
            cut = common(box, (x, y, end - x, stop - y))
            if cut is not None:
                held[cut[1] - y : cut[1] - y + cut[3], cut[0] - x : cut[0] - x + cut[2]] += 1
        assert (held == 1).all()
        assert all(common(box, (x, y, end - x, stop - y)) == box for box in there)  # nothing is sent in vain
        check_bands(world, plan, settings, rank, piece)
    assert (drawn == 1).all()


def check_bands(world: World, plan: PicturePlan, settings: PictureSettings, rank: int, piece: Piece) -> None:
    """The bands of a piece are its pixels, once each, and need no cell that the piece does not have."""
    usual, drawing.BAND = drawing.BAND, 400
    bands = list(plan.bands(rank, MOST_SIDE))
    drawing.BAND = usual
    left, top, right, bottom = piece.pixels
    drawn = np.zeros((bottom - top, right - left), int)
    for band in bands:
        x, y, end, stop = band.pixels
        drawn[y - top : stop - top, x - left : end - left] += 1
        wanted, rows = cells_for(world, settings, plan.source, band.pixels), world.gravity not in ("left", "right")
        along = slice(1, None, 2) if rows else slice(0, None, 2)
        assert band.cells[along] == wanted[along]
        assert piece.cells[0] <= band.cells[0] < band.cells[2] <= piece.cells[2]
        assert piece.cells[1] <= band.cells[1] < band.cells[3] <= piece.cells[3]
        assert (end - x) * (stop - y) <= 400 or 1 in (end - x, stop - y)
    assert (drawn == 1).all()


@given(plans())
@examples(60)
def test_what_a_rank_sends_is_what_the_other_receives(found: tuple[World, PicturePlan, PictureSettings]) -> None:
    """Cells have the same places in the whole world, once those beyond a torus are moved into it."""
    world, plan, _ = found
    for crossing in plan.crossings:
        part = Outline.of(world).part(crossing.sender, plan.grid)
        sent, received = plan.sent(crossing, part), plan.received(crossing)
        assert sent[2:] == received[2:]
        x, y, columns, rows = part.domain.own_cells(part.gravity)
        assert common(sent, (x, y, columns, rows)) == sent  # never cells of a halo, which can be out of date
        place = part.domain.origin[0] + sent[0], part.domain.origin[1] + sent[1]
        assert (place[0] - received[0]) % world.width == (place[1] - received[1]) % world.height == 0
        assert world.edges == "wrap" or place == received[:2]
        assert crossing.sender != crossing.receiver or world.edges == "wrap"


@given(
    st.sampled_from(GRAVITIES),
    st.tuples(st.integers(1, 50), st.integers(1, 50)),
    st.tuples(st.integers(-60, 60), st.integers(-60, 60)),
    st.tuples(st.integers(1, 70), st.integers(1, 70)),
)
def test_a_rectangle_of_the_frame_is_one_of_the_world_and_back(
    gravity: str, size: tuple[int, int], first: tuple[int, int], counts: tuple[int, int]
) -> None:
    """Also one that lies outside of it."""
    columns, rows = ((begin, begin + count) for begin, count in zip(first, counts, strict=True))
    box = area_in_world((columns, rows), size, gravity)
    assert area_in_frame(box, size, gravity) == (columns, rows)
    assert box[2:] == frame_size(*counts, gravity)
    places = [
        place_in_frame(x, y, *size, gravity)
        for x in (box[0], box[0] + box[2] - 1)
        for y in (box[1], box[1] + box[3] - 1)
    ]
    assert {column for column, _ in places} == {columns[0], columns[1] - 1}
    assert {row for _, row in places} == {rows[0], rows[1] - 1}
