"""`Domain` is checked, kept by copies and snapshots, and turned with gravity."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpufluid
from gpufluid import Domain, World, scene
from gpufluid.core.errors import WorldError
from gpufluid.core.frame import in_frame
from gpufluid.core.paths import shaders_folder
from gpufluid.world.domain import WHOLE_LIMIT
from gpufluid.world.laws import GRAVITIES, Gravity

PIECE = Domain((3, 5), (6, 4), (20, 30))


@pytest.mark.parametrize(
    ("given", "field", "hint"),
    [
        (
            ((0, 0), (3, 4), (2, 9)),
            "domain",
            "columns 0 to 2, rows 0 to 3 reach outside the whole world of 2 by 9 cells",
        ),
        (((7, 6), (3, 4), (10, 9)), "domain", "rows 6 to 9 reach outside the whole world of 10 by 9 cells"),
        (((-1, 0), (3, 4), (9, 9)), "domain.origin", "expected two whole numbers from 0 to"),
        (((0, 0), (0, 4), (9, 9)), "domain.size", "expected two whole numbers from 1 to"),
        (((0, 0), (3, 4), (9, 2 * WHOLE_LIMIT)), "domain.whole_size", f"to {WHOLE_LIMIT}"),
        (((0, 0.5), (3, 4), (9, 9)), "domain.origin", "(0, 0.5); expected two whole numbers"),
        (((0, True), (3, 4), (9, 9)), "domain.origin", "expected two whole numbers"),
        ((0, (3, 4), (9, 9)), "domain.origin", "0; expected two whole numbers"),
        (("00", (3, 4), (9, 9)), "domain.origin", "'00'; expected two whole numbers"),
        (((0, 0, 0), (3, 4), (9, 9)), "domain.origin", "expected two whole numbers"),
    ],
    ids=str,
)
def test_an_invalid_domain_is_an_error_that_names_its_field(given: tuple[Any, Any, Any], field: str, hint: str) -> None:
    with pytest.raises(WorldError) as caught:
        Domain(*given)
    assert caught.value.field == field
    assert hint in caught.value.message


@pytest.mark.parametrize(
    ("laws", "field", "hint"),
    [
        ({"domain": Domain.whole(4, 6)}, "domain", "its size is (4, 6); expected the world's own, (6, 4)"),
        ({"domain": (0, 0)}, "domain", "(0, 0); expected gpufluid.Domain(origin, size, whole_size)"),
        ({"domain": PIECE, "edges": "wrap"}, "edges", "'wrap': 6 by 4 cells of a whole world of 20 by 30"),
        ({"domain": PIECE, "edges": "open"}, "edges", "walled off; expected 'closed'"),
    ],
    ids=str,
)
def test_a_domain_that_does_not_fit_its_world_is_refused(laws: dict[str, Any], field: str, hint: str) -> None:
    with pytest.raises(WorldError) as caught:
        World(4, 6, **laws)
    assert caught.value.field == field
    assert hint in caught.value.message


def test_edges_assigned_later_must_suit_the_domain() -> None:
    world = World(4, 6, rules=("flow",), domain=PIECE)
    with pytest.raises(WorldError, match="expected 'closed'"):
        world.edges = "open"
    assert world.edges == "closed"


def test_the_default_domain_is_the_whole_world() -> None:
    assert World(4, 6, rules=("flow",)).domain == Domain.whole(6, 4) == Domain((0, 0), (6, 4), (6, 4))
    assert World(4, 6, rules=("flow",), edges="wrap", domain=Domain.whole(6, 4)).domain.is_whole
    assert not PIECE.is_whole
    assert World(4, 6, rules=("flow",), domain=PIECE).domain is PIECE


def test_copies_keep_the_domain_and_another_domain_means_other_laws() -> None:
    world = World(4, 6, rules=("flow",), domain=PIECE)
    assert world.copy().domain == world.blank().domain == PIECE
    assert world.same_laws(world.copy())
    assert not world.same_laws(World(4, 6, rules=("flow",)))


def test_lists_and_numpy_integers_become_plain_pairs() -> None:
    domain = Domain([np.int64(3), 5], [6, np.int32(4)], (20, 30))  # pyright: ignore[reportArgumentType]
    assert domain == PIECE
    assert {type(number) for pair in (domain.origin, domain.size) for number in pair} == {int}


def test_a_snapshot_stores_the_domain_of_a_piece_only(tmp_path: Path) -> None:
    gpufluid.save(World(4, 6, rules=("flow",), domain=PIECE), tmp_path / "piece.npz")
    assert gpufluid.load(tmp_path / "piece.npz").domain == PIECE
    gpufluid.save(World(4, 6, rules=("flow",)), tmp_path / "whole.npz")
    with np.load(tmp_path / "whole.npz") as members:
        assert "domain" not in json.loads(members["gpufluid"].tobytes())
    assert gpufluid.load(tmp_path / "whole.npz").domain == Domain.whole(6, 4)


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_frame_origin_locates_a_piece_in_the_frame_of_the_whole_world(gravity: Gravity) -> None:
    columns, rows = PIECE.whole_size
    numbers = np.arange(columns * rows).reshape(rows, columns)
    (x, y), (width, height) = PIECE.origin, PIECE.size
    piece = in_frame(numbers[y : y + height, x : x + width], gravity)
    column, row = PIECE.frame_origin(gravity)
    framed = in_frame(numbers, gravity)[row : row + len(piece), column : column + piece.shape[1]]
    np.testing.assert_array_equal(piece, framed)


def test_only_domain_glsl_reads_origin_and_seed_of_a_world() -> None:
    """So several worlds, each with its own seed, can share one texture later."""
    files = [path for path in shaders_folder().rglob("*") if path.suffix in (".glsl", ".comp")]
    code = {path: re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8")) for path in files}
    reading = [path.name for path, text in code.items() if re.search(r"\bdomain_(seed|origin|whole_size)\b", text)]
    assert reading == ["domain.glsl"]


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_grain_depends_on_the_position_in_the_whole_world(gravity: Gravity) -> None:
    whole = World(30, 20, ("atoms",), gravity=gravity, seed=7)
    piece = World(4, 6, ("atoms",), gravity=gravity, seed=7, domain=PIECE)
    for world in (whole, piece):
        world["material"] = world.materials["sand"]
        world.draw_grain()
    np.testing.assert_array_equal(piece["grain"], whole["grain"][5:9, 3:9])
    assert len(np.unique(piece["grain"])) > 8


def test_a_piece_written_as_a_scene_loses_its_domain(tmp_path: Path) -> None:
    world = World(4, 6, ("atoms",), domain=PIECE)
    world["material"] = world.materials["sand"]
    world.draw_grain()
    losses = scene.write(world, tmp_path / "piece.toml", "Piece", "A sentence.")
    assert [loss for loss in losses if "domain at (3, 5): not kept" in loss]
    assert [loss for loss in losses if "grain" in loss]
    assert scene.read(tmp_path / "piece.toml").world.domain.is_whole
