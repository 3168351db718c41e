"""Pictures as worlds: colours are matched to materials, exactly or by the nearest one, in groups."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from gpufluid.core.errors import UnknownNameError, UsageError
from gpufluid.matter.materials import SHIPPED
from gpufluid.scene import matched_picture
from gpufluid.scene.matched_picture import GROUPS_MOST, MatchedPicture, nearest_material

COLOURS = {record.name: record.colour for record in SHIPPED}


def saved(tmp_path: Path, pixels: np.ndarray, mode: str | None = None) -> Path:
    picture = Image.fromarray(pixels)
    (picture if mode is None else picture.convert(mode)).save(path := tmp_path / "picture.png")
    return path


def names(picture: MatchedPicture) -> np.ndarray:
    world = picture.world()
    return np.array([record.name for record in world.materials])[world["material"]]


def test_the_colours_of_materials_are_exact(tmp_path: Path) -> None:
    there = [record.name for record in SHIPPED]
    wanted = np.resize(there, (6, len(there)))
    pixels = np.array([COLOURS[name] for name in wanted.ravel()], np.uint8).reshape(*wanted.shape, 3)
    picture = MatchedPicture.read(saved(tmp_path, pixels))
    np.testing.assert_array_equal(names(picture), wanted)
    assert {group.cells for group in picture.groups} == {6}


def test_another_colour_is_matched_to_the_nearest_material(tmp_path: Path) -> None:
    near = {"water": (60, 150, 225), "plant": (70, 160, 70), "wood": (150, 105, 60), "empty": (255, 255, 255)}
    pixels = np.array([list(near.values())], np.uint8)
    picture = MatchedPicture.read(saved(tmp_path, pixels))
    assert names(picture).tolist() == [list(near)]
    assert [group.colour for group in picture.groups] == list(near.values())


def test_no_colour_is_matched_to_what_would_burn_or_swallow_the_rest() -> None:
    chosen = {
        nearest_material(tuple(colour)) for colour in np.random.default_rng(1).integers(0, 256, (300, 3)).tolist()
    }
    assert len(chosen) > 8
    assert not chosen & {"fire", "lava", "blast", "ember", "void", "cloner", "molten metal", "smoke", "methane"}


def test_many_colours_are_grouped_and_exact_ones_stay(tmp_path: Path) -> None:
    x, y = np.meshgrid(np.arange(96), np.arange(64))
    pixels = np.stack([2 * x, 3 * y, 255 - x - y], axis=-1).astype(np.uint8)
    pixels[30:34] = COLOURS["sand"]
    picture = MatchedPicture.read(saved(tmp_path, pixels))
    assert len(picture.groups) == GROUPS_MOST
    assert sum(group.cells for group in picture.groups) == 64 * 96
    assert [group.cells for group in picture.groups] == np.bincount(picture.numbers.ravel()).tolist()
    assert (names(picture)[30:34] == "sand").all()
    sand = [group for group in picture.groups if group.colour == COLOURS["sand"]]
    assert [(group.material, group.cells) for group in sand] == [("sand", 4 * 96)]
    means = np.array([group.colour for group in picture.groups])[picture.numbers]
    assert np.abs(means - pixels.astype(int)).mean() < 16


def test_a_photograph_that_has_own_colours_by_chance_is_grouped_without_them(tmp_path: Path) -> None:
    pixels = np.random.default_rng(4).integers(0, 256, (64, 64, 3)).astype(np.uint8)
    pixels[0, : len(SHIPPED)] = [record.colour for record in SHIPPED]
    picture = MatchedPicture.read(saved(tmp_path, pixels))
    assert len(picture.groups) <= GROUPS_MOST
    assert min(group.cells for group in picture.groups) > 10


def test_transparent_pixels_are_empty(tmp_path: Path) -> None:
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[..., :3] = COLOURS["stone"]
    pixels[:2, :, 3] = 0
    picture = MatchedPicture.read(saved(tmp_path, pixels))
    assert (names(picture)[:2] == "empty").all()
    assert (names(picture)[2:] == "stone").all()
    assert None in {group.colour for group in picture.groups}


@pytest.mark.parametrize("mode", ["L", "P", "1"])
def test_pictures_of_any_kind_are_read(tmp_path: Path, mode: str) -> None:
    pixels = np.zeros((5, 7, 3), np.uint8)
    pixels[2] = 255
    assert MatchedPicture.read(saved(tmp_path, pixels, mode)).numbers.shape == (5, 7)


@pytest.mark.parametrize("name", ["photo.jpg", "photo.webp", "a JPEG picture.png"])
def test_photographs_are_read(tmp_path: Path, name: str) -> None:
    """Turned as the camera was held; a cell has the colour of the middle of its pixels."""
    pixels = np.full((40, 60, 3), COLOURS["water"], np.uint8)
    pixels[:, :30] = COLOURS["sand"]
    turned = Image.Exif()
    turned[0x0112] = 6  # stored on its side: the left of the picture is at its top
    kind = "WEBP" if name.endswith(".webp") else "JPEG"
    Image.fromarray(pixels).save(tmp_path / name, kind, quality=95, exif=turned)
    picture = MatchedPicture.read(tmp_path / name, 2)
    assert picture.pixels == (40, 60)
    assert picture.numbers.shape == (30, 20)
    assert set(names(picture)[:14].flat) == {"sand"}
    assert set(names(picture)[16:].flat) == {"water"}


def test_a_photograph_with_an_invalid_orientation_is_as_it_is_stored(tmp_path: Path) -> None:
    """The orientation is text here, not a number."""
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x02\0\x02\0\0\0A\0\0\0\0\0\0\0"
    Image.fromarray(np.zeros((4, 6, 3), np.uint8)).save(tmp_path / "photo.jpg", exif=exif)
    assert MatchedPicture.read(tmp_path / "photo.jpg").pixels == (6, 4)


def test_the_transparent_pixels_of_a_photograph_are_empty(tmp_path: Path) -> None:
    pixels = np.zeros((8, 8, 4), np.uint8)
    pixels[:4] = (*COLOURS["stone"], 255)
    Image.fromarray(pixels).save(tmp_path / "cut out.webp", lossless=True)
    picture = MatchedPicture.read(tmp_path / "cut out.webp")
    assert (names(picture)[:4] == "stone").all()
    assert (names(picture)[4:] == "empty").all()


@pytest.mark.parametrize("every", [1, 2, 3, 5])
def test_a_cell_has_the_colour_of_the_middle_of_its_pixels(tmp_path: Path, every: int) -> None:
    there = [COLOURS[name] for name in ("water", "sand", "stone", "wood")]
    wanted = np.random.default_rng(2).integers(0, 4, (6, 9))
    large = np.kron(wanted, np.ones((every, every), int))
    picture = MatchedPicture.read(saved(tmp_path, np.array(there, np.uint8)[large]), every)
    assert picture.pixels == (9 * every, 6 * every)
    np.testing.assert_array_equal(names(picture), np.array(["water", "sand", "stone", "wood"])[wanted])


def test_a_large_picture_has_fewer_cells_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matched_picture, "CELLS_USUAL", 600)
    path = saved(tmp_path, np.zeros((50, 60, 3), np.uint8))
    assert MatchedPicture.read(path).every == 3
    assert MatchedPicture.read(path, 1).numbers.shape == (50, 60)
    assert MatchedPicture.read(path, max_side=10).every == 6


def test_a_group_can_get_another_material(tmp_path: Path) -> None:
    pixels = np.full((4, 4, 3), COLOURS["water"], np.uint8)
    pixels[3] = COLOURS["wall"]
    picture = MatchedPicture.read(saved(tmp_path, pixels))
    changed = picture.with_material(0, "oil")
    assert (names(changed)[:3] == "oil").all()
    assert (names(changed)[3] == "wall").all()
    assert picture.groups[0].material == "water"
    with pytest.raises(UnknownNameError, match="unknown material 'oill'; did you mean 'oil'"):
        picture.with_material(0, "oill")
    with pytest.raises(UsageError, match="group 2; expected 0 to 1"):
        picture.with_material(2, "oil")


def test_bad_pictures_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path, np.zeros((4, 6, 3), np.uint8))
    (tmp_path / "no.png").write_text("no picture")
    (tmp_path / "half.png").write_bytes(path.read_bytes()[:60])
    Image.fromarray(np.zeros((4, 4, 3), np.uint8)).save(tmp_path / "photo.jpg", "GIF")
    for name, kind in {"half.jpg": "JPEG", "half.webp": "WEBP"}.items():
        Image.fromarray(np.zeros((40, 40, 3), np.uint8)).save(tmp_path / name, kind)
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-40])
    for name, wanted in {
        "no.png": "no.png: ",
        "half.png": "half.png: is ",
        "photo.jpg": "photo.jpg: is a GIF picture; expected a PNG, JPEG or WebP picture$",
        "half.jpg": "half.jpg: is damaged or too large: ",
        "half.webp": "half.webp: is damaged or too large: ",
        "absent.png": "absent.png: cannot be read: No such file",
        ".": "a folder, not a file",
    }.items():
        with pytest.raises(UsageError, match=wanted):
            MatchedPicture.read(tmp_path / name)
    for every in (0, 5, True, 1.5):
        with pytest.raises(UsageError, match=r"pixels a cell; expected 1 to 4"):
            MatchedPicture.read(path, every)  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="1 pixels a cell; expected 2 to 4"):
        MatchedPicture.read(path, 1, max_side=3)
    monkeypatch.setattr(matched_picture, "PIXELS_MOST", 23)
    with pytest.raises(UsageError, match="6 by 4 pixels; expected at most 23 pixels"):
        MatchedPicture.read(path)
