"""A picture as a world: its colours are matched to materials.

A colour that a material has is matched to this material, exactly. Any other colour is matched to the material whose
colour is nearest in Oklab, in which equal distances look about equally different. A picture of many colours is reduced
to `GROUPS_MOST` groups of similar ones first; the own colours of materials are not mixed with others, except in a
photograph, where some pixels have them by chance. Each group can be given another material.

Source: Ottosson 2020, "A perceptual color space for image processing" (Oklab).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from PIL import Image

from gpufluid.core.errors import UnknownNameError, UsageError, did_you_mean, shown
from gpufluid.matter.materials import SHIPPED, Material, State
from gpufluid.matter.outcomes import INERT
from gpufluid.scene import photographs
from gpufluid.scene.png import PngPicture
from gpufluid.scene.png_chunks import OtherFileError, PngError
from gpufluid.world import SIZE_LIMIT, World

RULES = ("atoms", "heat", "reactions", "pressure", "collapse")
"""The rules of a world from a picture: with them every shipped material does what it can."""

GROUPS_MOST, _REST_LEAST = 16, 4
"""The most groups of colours, unless the picture has more materials' own colours; the least number of groups for the
other colours of such a picture."""

ENDINGS = (".png", *photographs.ENDINGS)
"""The endings of the names of pictures."""

PIXELS_MOST = 1 << 26
"""The most pixels of a picture: more take seconds to decode."""

CELLS_USUAL = 1 << 18
"""The most cells of a world from a picture, unless the user asks for more."""

_COLOURS = 1 << 24

_DRAWN, _CHANCE = 256, 1000
"""A picture of more colours is taken for a photograph. If fewer of its cells, one in so many, have a material's own
colour, they have it by chance."""

_COARSE, _ROUNDS = 0xF8F8F8, 2
"""The bits of a colour by which colours are put into groups, and the rounds in which groups are improved: with all bits
a photograph would take minutes."""

_HOT = 60.0
"""Degrees C: hotter new matter is matched to its exact colour only, because it would set fire to the rest."""


@dataclass(frozen=True, slots=True)
class ColourGroup:
    """Similar colours of a picture, and the material of their cells.

    Args:
        colour: their mean, (red, green, blue), sRGB, 0 to 255; None: the transparent pixels.
        cells: the number of cells.
        material: the name of the material.
    """

    colour: tuple[int, int, int] | None
    cells: int
    material: str


@dataclass(frozen=True, slots=True, eq=False)
class MatchedPicture:
    """A picture whose colours are matched to materials.

    Args:
        path: the file.
        pixels: (width, height) of the picture.
        every: pixels a cell, along each side; the middle one gives the colour of the cell.
        groups: the groups of colours, the largest first.
        numbers: (height, width) uint8, the group of each cell.
    """

    path: Path
    pixels: tuple[int, int]
    every: int
    groups: tuple[ColourGroup, ...]
    numbers: np.ndarray

    @classmethod
    def read(cls, path: Path, every: int | None = None, max_side: int = SIZE_LIMIT) -> Self:
        """Read a PNG, JPEG or WebP picture, and match its colours to the shipped materials.

        Args:
            path: the file.
            every: pixels a cell, along each side; None: the least that gives `CELLS_USUAL` cells at most.
            max_side: the longest allowed side of the world, in cells.
        Raises: UsageError: no picture that can be read, one of more than `PIXELS_MOST` pixels, or an ``every`` that
            does not suit the picture.
        """
        try:
            if photographs.is_photograph(path):
                with photographs.opened(path) as photo:
                    size, every = photo.size, _pixels_a_cell(path, photo.size, every, max_side)
                    colours, transparent = photo.sampled(every)
                colours[transparent] = _COLOURS
            else:
                png = PngPicture.open(path)
                size, every = png.size, _pixels_a_cell(path, png.size, every, max_side)
                colours = _sampled(png, every)
        except OtherFileError as error:
            raise UsageError(f"{path}: is {error.found}; expected a PNG, JPEG or WebP picture") from None
        except PngError as error:
            raise UsageError(f"{path}: {error}") from None
        except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
            raise UsageError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
        groups, numbers = _grouped(colours)
        return cls(path, size, every, groups, numbers)

    def with_material(self, group: int, material: str) -> Self:
        """A copy of the picture with another material for a group. Raises: UsageError: no such group or material."""
        names = [record.name for record in SHIPPED]
        if not 0 <= group < len(self.groups):
            raise UsageError(f"group {shown(group)}; expected 0 to {len(self.groups) - 1}")
        if material not in names:
            raise UnknownNameError(f"unknown material {shown(material)}{did_you_mean(str(material), names)}")
        changed = replace(self.groups[group], material=material)
        return replace(self, groups=(*self.groups[:group], changed, *self.groups[group + 1 :]))

    def world(self, seed: int = 0, parameters: Mapping[str, Mapping[str, object]] | None = None) -> World:
        """The world, with a cell for each ``every`` pixels, the rules `RULES` and closed edges.

        Raises: WorldError: an invalid seed or parameter.
        """
        height, width = self.numbers.shape
        world = World(height, width, RULES, seed=seed, parameters=parameters or {})
        of_group = np.array([world.materials[group.material] for group in self.groups], np.uint8)
        world["material"][:] = of_group[self.numbers]
        return world


def _pixels_a_cell(path: Path, size: tuple[int, int], every: int | None, max_side: int) -> int:
    """The pixels a cell of a picture. Raises: UsageError: too large a picture, or a number that does not suit it."""
    width, height = size
    if width * height > PIXELS_MOST:
        raise UsageError(f"{path}: {width} by {height} pixels; expected at most {PIXELS_MOST:,} pixels")
    least = -(-max(size) // max_side)
    if every is None:
        usual = np.ceil(np.sqrt(width * height / CELLS_USUAL))
        return min(max(int(usual), least), min(size))
    if isinstance(every, bool) or not isinstance(every, int) or not least <= every <= min(size):
        raise UsageError(f"{path}: {shown(every)} pixels a cell; expected {least} to {min(size)}")
    return every


def _sampled(png: PngPicture, every: int) -> np.ndarray:
    """The colour of each cell, (height, width) uint32, 0xRRGGBB; `_COLOURS` for transparent ones."""
    (width, height), first = png.size, every // 2
    found = np.zeros((len(range(first, height, every)), len(range(first, width, every))), np.uint32)
    for band in png.bands():
        rows, columns = np.arange(height)[band.rows], np.arange(width)[band.columns]
        kept_rows, kept_columns = (np.flatnonzero(places % every == first) for places in (rows, columns))
        if not len(kept_rows) or not len(kept_columns):
            continue
        kept = np.ix_(kept_rows, kept_columns)
        values = band.values[kept] if band.colours is None else band.colours[band.values[kept]]
        if band.transparent is not None:
            values = np.where(band.transparent[kept], _COLOURS, values)
        found[np.ix_(rows[kept_rows] // every, columns[kept_columns] // every)] = values
    return found


def _grouped(colours: np.ndarray) -> tuple[tuple[ColourGroup, ...], np.ndarray]:
    """The groups of the colours of cells, (height, width) uint32, and the group of each cell, of the same shape."""
    distinct, places, counts = np.unique(colours, return_inverse=True, return_counts=True)
    exact = {_packed(record.colour): record.name for record in reversed(SHIPPED)}
    means: list[int] = []  # the colour of each group so far
    of_distinct = np.full(len(distinct), -1)
    order = np.argsort(-counts, kind="stable")
    if len(distinct) > GROUPS_MOST:
        least = colours.size / _CHANCE if len(distinct) > _DRAWN else 0
        own = np.isin(distinct, list(exact)) & (counts >= least)
        order = order[(own | (distinct == _COLOURS))[order]]
    for number in order:
        of_distinct[number] = len(means)
        means.append(int(distinct[number]))
    rest = of_distinct < 0
    if rest.any():
        labels, found = _quantized(distinct[rest], counts[rest], max(GROUPS_MOST - len(means), _REST_LEAST))
        of_distinct[rest] = labels + len(means)
        means += found
    cells = np.bincount(of_distinct, counts, len(means)).astype(int)
    by_size = np.argsort(-cells, kind="stable")
    groups = tuple(_group(means[n], int(cells[n]), exact) for n in by_size if cells[n])
    rank = np.empty(len(means), np.uint8)
    rank[by_size] = np.arange(len(means))
    return groups, rank[of_distinct][places].reshape(colours.shape)


def _group(colour: int, cells: int, exact: Mapping[int, str]) -> ColourGroup:
    if colour == _COLOURS:
        return ColourGroup(None, cells, SHIPPED[0].name)
    red, green, blue = _unpacked(np.array([colour]))[0].tolist()
    return ColourGroup((red, green, blue), cells, exact.get(colour) or nearest_material((red, green, blue)))


def nearest_material(colour: tuple[int, int, int], records: Sequence[Material] = SHIPPED) -> str:
    """The material whose colour is nearest in Oklab: of empty, the wall, and what is neither gas, hot nor inert.

    Args:
        colour: red, green, blue, sRGB, 0 to 255.
        records: the materials; the first is empty.
    """
    there = [record for number, record in enumerate(records) if number == 0 or _is_usual(record)]
    apart = _oklab(np.array([record.colour for record in there])) - _oklab(np.array([colour]))
    return there[int((apart**2).sum(axis=1).argmin())].name


def _is_usual(record: Material) -> bool:
    hot = record.temperature is not None and record.temperature > _HOT
    return record.name == "wall" or (record.state is not State.GAS and not hot and INERT not in record.tags)


def _quantized(colours: np.ndarray, counts: np.ndarray, groups: int) -> tuple[np.ndarray, list[int]]:
    """Reduce colours to a number of groups, by Pillow's median cut.

    Args:
        colours, counts: (n,) the colours, 0xRRGGBB, and the number of cells of each.
        groups: the most groups.
    Returns: the group of each colour, (n,), and the mean colour of each group.
    """
    parts = _unpacked(colours)
    _, first, alike = np.unique(colours & _COARSE, return_index=True, return_inverse=True)
    picture = Image.fromarray(parts[first][None])
    reduced = picture.quantize(groups, Image.Quantize.MEDIANCUT, kmeans=_ROUNDS, dither=Image.Dither.NONE)
    labels = np.asarray(reduced)[0].astype(int)[alike]
    weight = np.maximum(np.bincount(labels, counts), 1)
    means = np.stack([np.bincount(labels, counts * parts[:, channel]) for channel in range(3)], axis=1)
    return labels, [_packed(mean) for mean in np.round(means / weight[:, None]).astype(int).tolist()]


def _oklab(colours: np.ndarray) -> np.ndarray:
    """Convert sRGB colours, (n, 3) 0 to 255, to Oklab: (n, 3) lightness and two opponent colours."""
    part = colours / 255
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.cbrt(light @ _TO_CONES.T) @ _TO_LAB.T


_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _packed(colour: Sequence[int]) -> int:
    red, green, blue = colour
    return red << 16 | green << 8 | blue


def _unpacked(colours: np.ndarray) -> np.ndarray:
    """(n, 3) uint8 of (n,) 0xRRGGBB."""
    return np.stack([colours >> shift & 255 for shift in (16, 8, 0)], axis=-1).astype(np.uint8)
