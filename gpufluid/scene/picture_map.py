"""Maps: a picture of a world with one pixel per cell, and a legend from colours to materials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from gpufluid.core.errors import shown
from gpufluid.matter.materials import colour_of
from gpufluid.scene.files_beside import file_beside
from gpufluid.scene.png import Band, PngPicture
from gpufluid.scene.png_chunks import PngError

_COLOURS = 1 << 24
"""The number of colours 0xRRGGBB."""

_COUNTED = 1 << 24
"""Pixels from the first unknown one on in which the others are counted; a full count could take seconds."""


class MapError(ValueError):
    """An invalid picture or legend.

    Args:
        field: the key of the map that is wrong, such as ``image`` or ``legend.#ff0000``.
        message: what was found and what was expected.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class MapPicture:
    """The picture of a map; its file was checked, and its pixels are not decoded yet.

    Args:
        image: its name in the scene.
        png: the picture.
    """

    image: str
    png: PngPicture

    @classmethod
    def open(cls, scene: Path, image: str) -> Self:
        """Check the file of a picture.

        Args:
            scene: the scene file.
            image: the name of the picture in the scene; the picture lies beside or below the scene file.
        Raises: MapError: the picture is outside the folder of the scene, missing, or no PNG picture that can be read.
        """
        try:
            path = file_beside(scene, image, ".png")
        except ValueError as error:
            raise MapError("image", str(error)) from None
        with _told_as_map_errors(image):
            return cls(image, PngPicture.open(path))

    def cells(self, known: Mapping[int, str], materials: Sequence[str]) -> Iterator[tuple[slice, slice, np.ndarray]]:
        """The material of each cell, in bands of rows.

        Args:
            known: the legend, as `read_legend` returns it.
            materials: the names of the materials in the legend, each once, at most 255.
        Yields: the rows and the columns of the band, and the places of its cells' materials in ``materials``: (rows,
            columns) uint8.
        Raises: MapError: a damaged picture, a transparent pixel, or a colour that the legend lacks.
        """
        numbers = np.zeros(_COLOURS, np.uint8)
        for colour, material in known.items():
            numbers[colour] = 1 + materials.index(material)
        unknown = _UnknownColours()
        with _told_as_map_errors(self.image):
            for band in self.png.bands():
                self._check_opaque(band)
                found = band.look_up(numbers)
                if found.all() and not unknown.count:
                    yield band.rows, band.columns, found - 1
                    continue
                unknown.add(band, found == 0)
                if unknown.seen >= _COUNTED:
                    break
        if unknown.count:
            raise MapError("image", unknown.message(known))

    def check(self, known: Mapping[int, str], materials: Sequence[str]) -> None:
        """Read the whole picture, and keep nothing. Arguments and errors are those of `cells`."""
        for _ in self.cells(known, materials):
            pass

    def _check_opaque(self, band: Band) -> None:
        if band.transparent is not None and band.transparent.any():
            row, column = band.first_of(band.transparent)
            wrong = f"pixel ({column}, {row}) of {shown(self.image)} is transparent"
            raise MapError("image", f"{wrong}; expected opaque ones")


@contextmanager
def _told_as_map_errors(image: str) -> Iterator[None]:
    """Turn errors of a picture and of its file into a MapError that names the picture."""
    try:
        yield
    except PngError as error:
        raise MapError("image", f"{shown(image)} {error}") from None
    except OSError as error:
        raise MapError("image", f"{shown(image)} cannot be read: {error.strerror or error}") from None


def read_legend(legend: Mapping[str, str]) -> dict[int, str]:
    """A legend with colours as 0xRRGGBB. Raises MapError: an invalid colour, or a colour given twice."""
    colours = {}
    for colour, material in legend.items():
        try:
            value = int.from_bytes(colour_of(colour), "big")
        except ValueError as error:
            raise MapError(f"legend.{colour}", str(error)) from None
        if value in colours:
            raise MapError(f"legend.{colour}", f"the colour {colour} is given twice")
        colours[value] = material
    return colours


class _UnknownColours:
    """The pixels of a picture whose colour a legend lacks."""

    def __init__(self) -> None:
        self.count = 0
        self.seen = 0  # pixels from the first band on that has an unknown one, also those of known colours
        self._first = (0, 0), 0  # (row, column) and colour of the first of them
        self._colours = np.zeros(_COLOURS, bool)

    def add(self, band: Band, mask: np.ndarray) -> None:
        """Count the unknown pixels of a band, the first of which has one: ``mask``, (rows, columns) bool."""
        self.seen += mask.size
        if not mask.any():
            return
        colours = band.colours_of(mask)
        first = band.first_of(mask), int(colours[0])
        self._first = (
            min(self._first, first) if self.count else first
        )  # passes of an interlaced picture are in no order
        self.count += len(colours)
        self._colours[colours] = True

    def message(self, known: Mapping[int, str]) -> str:
        """The first pixel, the number of all, the nearest colour of the legend, a hint if there are many colours."""
        (row, column), found = self._first
        kinds, least = int(np.count_nonzero(self._colours)), "at least " if self.seen >= _COUNTED else ""
        hint = f"; {least}{kinds} colours are unknown: was it smoothed, or saved as a JPEG?" if kinds > 8 else ""
        nearest = min(known, key=lambda colour: _distance(colour, found))
        return (
            f"pixel ({column}, {row}) is #{found:06x}, which the legend lacks ({least}{self.count} such pixels);"
            f" the nearest is #{nearest:06x}, {known[nearest]}{hint}"
        )


def _distance(a: int, b: int) -> int:
    return sum(((a >> shift & 255) - (b >> shift & 255)) ** 2 for shift in (0, 8, 16))
