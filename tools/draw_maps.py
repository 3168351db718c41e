"""Draw the picture maps in scenes/: ``python tools/draw_maps.py [--check]``.

A map is a PNG that a scene reads pixel by pixel; each map is drawn by this tool only. ``--check`` writes nothing and
exits 1 if a map in scenes/ is out of date.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

SCENES = Path(__file__).resolve().parent.parent / "scenes"

EMPTY, WALL, STONE, WATER, WOOD, SAND, GRAVEL, MUD, SNOW, SOIL, PLANT, EMBER, LAVA = range(13)
# The colours of the scenes' legends, in the order above.
PALETTE = ("#f5f6f8", "#6e7078", "#857c70", "#4292de", "#9e7044", "#d9b871", "#9c9a94", "#6b4a33", "#d2e0ec")
PALETTE += ("#8d6242", "#3f9b3a", "#f4401c", "#e8501e")

Map = np.ndarray
"""(height, width) uint8: an index into `PALETTE` for each cell, row 0 at the top."""


def draw_seed_000() -> Map:
    """Draw the 16 x 16 map of seed 000: a full vessel beside a lower one, and stairs out of the world."""
    rows = [
        "................",
        "................",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#.........",
        ".#wwww#..#......",
        ".#wwww#..##.....",
        ".#wwww...####...",
        ".#wwww...######.",
        "################",
        "################",
    ]
    kinds = {".": EMPTY, "#": STONE, "w": WATER}
    return np.array([[kinds[letter] for letter in row] for row in rows], np.uint8)


def draw_rain_on_terrain() -> Map:
    """Hills with deep valleys: bare rock under a skin of stone."""
    width, height = 256, 128
    outline = [(0, 26), (26, 50), (48, 84), (70, 98), (92, 66), (112, 44), (126, 58), (142, 106), (166, 112)]
    outline += [(186, 70), (204, 44), (222, 80), (238, 86), (255, 34)]
    surface = _rough(_through(outline, width), seed=11, size=7)
    world = _ground(surface, height)
    for column, length in ((110, 13), (203, 11)):
        _plant_fir(world, column, int(surface[column]), length)
    return world


def draw_open_world() -> Map:
    """An island that floats: a crater lake above, hanging rock below, two islets beneath its edges."""
    width, height = 192, 128
    world = np.full((height, width), EMPTY, np.uint8)
    crater = [(44, 46), (58, 38), (72, 35), (79, 48), (112, 48), (119, 35), (134, 39), (148, 46)]
    roots = [(44, 48), (60, 60), (78, 70), (96, 94), (112, 72), (130, 62), (148, 48)]
    _float_island(world, crater, roots, seed=3)
    _float_island(world, [(20, 86), (34, 84), (54, 86)], [(20, 88), (38, 102), (54, 88)], seed=5)
    _float_island(world, [(138, 96), (154, 94), (170, 96)], [(138, 98), (152, 110), (170, 98)], seed=7)
    _plant_fir(world, 26, 85, 10)
    _plant_fir(world, 163, 94, 13)
    return world


def draw_wrap_around() -> Map:
    """Rows of round stones, each row over the gaps of the next; both directions repeat across the edges."""
    width, height, across, down = 160, 96, 32, 24
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    world = np.full((height, width), EMPTY, np.uint8)
    for row in range(height // down):
        for column in range(width // across):
            centre_x = column * across + (row % 2) * across // 2 + across // 4
            centre_y = row * down + down // 2
            away_x = (x - centre_x + width // 2) % width - width // 2
            away_y = (y - centre_y + height // 2) % height - height // 2
            radius = 8.6 if (row + column) % 3 else 6.6
            world[away_x**2 + away_y**2 <= radius**2] = WALL if radius > 8 else WOOD
    blob = world[0:22, 112:160]
    blob[blob == EMPTY] = WATER
    return world


def draw_labyrinth() -> Map:
    """A maze of wide passages, one way in and one way out."""
    return _maze(columns=8, rows=6, pitch=12, thick=3, seed=28)


def draw_maze_fill() -> Map:
    """A maze of narrow passages, one way in."""
    return _maze(columns=12, rows=8, pitch=8, thick=4, seed=7)


def _maze(columns: int, rows: int, pitch: int, thick: int, seed: int) -> Map:
    """A maze without loops, by a random walk that turns back where it can go no further.

    Args:
        columns, rows: places that it joins.
        pitch: cells from one to the next, thick: those of them that are wall.
        seed: of the walk.
    """
    chance = random.Random(seed)
    world = np.full((rows * pitch + thick, columns * pitch + thick), STONE, np.uint8)

    def hollow(cell: tuple[int, int], other: tuple[int, int]) -> None:
        (x0, y0), (x1, y1) = np.minimum(cell, other) * pitch + thick, (np.maximum(cell, other) + 1) * pitch
        world[y0:y1, x0:x1] = EMPTY

    path, seen = [(0, 0)], {(0, 0)}
    while path:
        x, y = path[-1]
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        free = [cell for cell in near if cell not in seen and 0 <= cell[0] < columns and 0 <= cell[1] < rows]
        if not free:
            path.pop()
            continue
        following = chance.choice(free)
        hollow(path[-1], following)
        path.append(following)
        seen.add(following)
    world[:thick, thick:pitch] = EMPTY
    return world


def draw_aqueduct() -> Map:
    """A channel on arches from a spring in the hills to a cistern of wood."""
    width, height, first, last, span = 224, 104, 38, 178, 20
    outline = [(0, 8), (12, 10), (26, 36), (38, 42), (58, 78), (84, 92), (130, 97), (176, 94), (223, 96)]
    world = _ground(_rough(_through(outline, width), seed=4, size=3), height)
    bed = 36 + np.maximum(0, np.arange(width) - first) // 9
    picture = Image.fromarray(world)
    pen = ImageDraw.Draw(picture)
    for left in range(first, last, span):  # a pier of 6 cells, then a round arch of 14
        spring_line = int(bed[left + span - 1]) + 14
        pen.rectangle((left, int(bed[left]), left + 5, height - 1), fill=STONE)
        for column in range(left + 6, left + span):
            away = column - (left + 12.5)
            arch = spring_line - round((49 - away**2) ** 0.5)
            pen.line((column, int(bed[column]), column, arch), fill=STONE)
    pen.rectangle((last, int(bed[last]), last + 5, height - 1), fill=STONE)
    pen.rectangle((last + 6, int(bed[last + 5]), last + 10, int(bed[last + 5]) + 2), fill=STONE)
    pen.rectangle((last + 6, 74, last + 34, height - 6), fill=WOOD)
    pen.rectangle((last + 9, 74, last + 31, height - 10), fill=EMPTY)
    pen.rectangle((6, 28, first + 2, 35), fill=EMPTY)  # the tunnel of the spring
    return np.array(picture)


def draw_cliff() -> Map:
    """A river bed over a cliff, ledges on its face, a pool at its foot that runs off to the right."""
    width, height = 256, 160
    outline = [(0, 34), (60, 38), (92, 40), (97, 72), (112, 76), (118, 112), (134, 118), (142, 144), (214, 146)]
    outline += [(224, 128), (255, 130)]
    return _ground(_rough(_through(outline, width), seed=8, size=2), height)


def draw_snow_slope() -> Map:
    """A mountain side with a hut's wall of wood that the snow piles up against."""
    width, height = 256, 144
    outline = [(0, 26), (40, 40), (104, 92), (150, 104), (196, 128), (255, 130)]
    world = _ground(_rough(_through(outline, width), seed=21, size=3), height)
    world[78:132, 176:182] = np.where(world[78:132, 176:182] == EMPTY, WOOD, world[78:132, 176:182])
    for column, length in ((62, 14), (126, 12)):
        root = int(np.argmax(world[:, column] != EMPTY))
        _plant_fir(world, column, root, length)
    return world


def draw_forest_fire() -> Map:
    """Two woods on grown-over hills, a river between them; the left one is lit at its edge."""
    width, height, river = 400, 176, (236, 284)
    outline = [(0, 118), (60, 128), (120, 112), (190, 124), (226, 138), (244, 158), (276, 158), (294, 138)]
    outline += [(340, 122), (399, 112)]
    surface = _rough(_through(outline, width), seed=31, size=3)
    world = _ground(surface, height)
    top = surface.astype(int)
    depth = np.arange(height)[:, None] - top
    banks = (np.arange(width) < river[0] - 16) | (np.arange(width) > river[1] + 16)
    world[(depth >= 0) & (depth < 5) & banks] = SOIL
    world[(depth < 0) & (depth >= -2) & banks] = PLANT
    world[(depth < 0) & (np.arange(height)[:, None] >= 143) & ~banks] = WATER
    chance = random.Random(8)
    for column in (16, 40, 66, 90, 118, 142, 168, 194, 310, 334, 358, 384):
        _plant_tree(world, column, int(top[column]), chance.randint(24, 40), chance)
    lit = world[top[4] - 3 : top[4], 2:7]
    lit[lit == PLANT] = EMBER
    return world


def draw_volcano() -> Map:
    """A mountain with lava in its chimney, snow about its crater, a wood above a lake, and the sea."""
    width, height = 1024, 1024
    outline = [(0, 700), (40, 716), (70, 800), (150, 806), (186, 744), (290, 700), (390, 500), (440, 330), (478, 272)]
    outline += [(490, 292), (534, 292), (546, 272), (590, 340), (640, 480), (720, 650), (800, 756), (900, 900)]
    surface = _rough(_through([*outline, (1023, 930)], width), seed=17, size=7)
    top = surface.astype(int)
    columns, rows = np.arange(width), np.arange(height)[:, None]
    depth = rows - top
    world = np.where(depth < 0, EMPTY, np.where(depth < 40, STONE, WALL)).astype(np.uint8)
    world[(depth < 0) & (((rows >= 790) & (columns > 800)) | ((rows >= 752) & (columns < 200)))] = WATER
    world[(depth < 0) & (depth >= -8) & (top < 430) & (abs(columns - 512) > 40)] = SNOW
    wooded = (columns > 190) & (columns < 280)
    world[(depth >= 0) & (depth < 6) & wooded] = SOIL
    world[(depth < 0) & (depth >= -3) & wooded] = PLANT
    chance = random.Random(3)
    for column in (204, 230, 258):
        _plant_tree(world, column, int(top[column]), chance.randint(60, 72), chance)
    world[(rows >= 280) & (rows < 640) & (depth >= 0) & (abs(columns - 512) < 16)] = LAVA
    return world


def draw_gravity_down() -> Map:
    """A bowl on a post with sand and water above; used by all four scenes of gravity."""
    world = np.full((96, 96), EMPTY, np.uint8)
    picture = Image.fromarray(world)
    pen = ImageDraw.Draw(picture)
    pen.polygon([(18, 44), (22, 44), (38, 64), (58, 64), (70, 44), (74, 44), (60, 68), (36, 68)], fill=STONE)
    pen.rectangle((46, 68, 50, 95), fill=WOOD)
    pen.rectangle((34, 8, 54, 24), fill=WATER)
    pen.ellipse((60, 6, 80, 26), fill=SAND)
    return np.array(picture)


def draw_gravity_up() -> Map:
    return np.rot90(draw_gravity_down(), 2)


def draw_gravity_left() -> Map:
    return np.rot90(draw_gravity_down(), -1)


def draw_gravity_right() -> Map:
    return np.rot90(draw_gravity_down(), 1)


def _through(points: list[tuple[int, int]], width: int) -> np.ndarray:
    """Return the heights of a smooth line through points: (width,) float, in cells."""
    xs, ys = np.array(points, float).T
    columns = np.arange(width)
    after = np.clip(np.searchsorted(xs, columns, side="right"), 1, len(xs) - 1)
    part = np.clip((columns - xs[after - 1]) / (xs[after] - xs[after - 1]), 0, 1)
    return ys[after - 1] + (ys[after] - ys[after - 1]) * part * part * (3 - 2 * part)


def _rough(line: np.ndarray, seed: int, size: float) -> np.ndarray:
    """Return the heights of a random line with high wide bumps and low narrow ones: (width,) float, in cells."""
    chance = random.Random(seed)
    columns = np.arange(len(line))
    rough = line.astype(float)
    step = 32
    while step >= 4:
        bumps = [chance.uniform(-size, size) for _ in range(len(line) // step + 2)]
        rough += np.interp(columns, np.arange(len(bumps)) * step, bumps)
        size, step = size / 2, step // 2
    return rough


def _ground(surface: np.ndarray, height: int) -> Map:
    """Ground below a surface: three cells of stone over rock."""
    depth = np.arange(height)[:, None] - surface.astype(int)[None, :]
    return np.select([depth < 0, depth < 3], [EMPTY, STONE], WALL).astype(np.uint8)


def _float_island(world: Map, top: list[tuple[int, int]], bottom: list[tuple[int, int]], seed: int) -> None:
    width = world.shape[1]
    columns = np.arange(width)
    over = _through(top, width).astype(int)
    under = _rough(_through(bottom, width), seed, 4).astype(int)
    inside = (columns >= top[0][0]) & (columns <= top[-1][0])
    depth = np.arange(world.shape[0])[:, None] - over
    rock = (depth >= 0) & (np.arange(world.shape[0])[:, None] <= np.maximum(under, over + 2)) & inside
    world[rock] = np.where(depth < 3, STONE, WALL)[rock]


def _plant_fir(world: Map, column: int, root: int, length: int) -> None:
    """A trunk with boughs that droop, so that rain runs off them."""
    world[root - length : root + 2, column] = WOOD
    for level in range(0, length - 3, 3):
        for away in range(1, 2 + level // 3):
            world[root - length + level + away, [column - away, column + away]] = WOOD


def _plant_tree(world: Map, column: int, root: int, length: int, chance: random.Random) -> None:
    """A trunk of wood that forks, in a crown of leaves with gaps."""
    picture = Image.fromarray(world)
    pen = ImageDraw.Draw(picture)
    crown, size = root - length, max(length // 30, 1)
    for _ in range(7):
        across, down, radius = (size * chance.randint(*each) for each in ((-7, 7), (-6, 8), (4, 6)))
        x, y = column + across, crown + down
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=PLANT)
    pen.rectangle((column - size, crown + 4, column + size, root + 3), fill=WOOD)
    pen.line((column, crown + 12 * size, column - 7 * size, crown), fill=WOOD, width=2 * size)
    pen.line((column, crown + 9 * size, column + 7 * size, crown - 2 * size), fill=WOOD, width=2 * size)
    world[:] = np.array(picture)


MAPS: dict[str, Callable[[], Map]] = {
    name.removeprefix("draw_"): draw for name, draw in list(globals().items()) if name.startswith("draw_")
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the picture maps in scenes/.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a picture is out of date")
    check = parser.parse_args().check
    differing = []
    for name, draw in MAPS.items():
        path = SCENES / f"{name}.png"
        picture = Image.fromarray(np.ascontiguousarray(draw()))
        picture.putpalette([int(colour[i : i + 2], 16) for colour in PALETTE for i in (1, 3, 5)])
        if path.is_file() and _same(picture, path):
            continue
        if check:
            differing.append(path.name)
        else:
            picture.save(path, optimize=True)
    if differing:
        print(f"not as tools/draw_maps.py draws them: {', '.join(differing)}", file=sys.stderr)
    return 1 if differing else 0


def _same(picture: Image.Image, path: Path) -> bool:
    with Image.open(path) as kept:
        return np.array_equal(np.asarray(picture.convert("RGB")), np.asarray(kept.convert("RGB")))


if __name__ == "__main__":
    sys.exit(main())
