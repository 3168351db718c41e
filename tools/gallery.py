"""Draw docs/gallery/ and docs/films/, and write docs/gallery.md.

    python tools/gallery.py [--films] [--check] [--outdated] [--processes 2] [NAME ...]

Every scene that comes with gpufluid must be in `SCENES`. NAME is the file name of a picture or a film. Only what is
named is drawn, by default all. ``--check`` writes nothing and exits 1 if the page, a picture or a film is out of date.
Pictures and films may differ by rounding, since drawing uses floats.

`DRAWN` has for each file the golden digest that its scene had when the file was drawn, if it had one; a test holds that
it has this digest still. ``--outdated`` draws only files whose scenes have other digests now. ``--films`` draws only
films, ``--processes`` so many at once.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence

from gpufluid import Simulation, scene
from gpufluid.matter.mixtures import SHIPPED
from gpufluid.render.legend import draw_legend, with_legend
from gpufluid.render.painter import find_overlay, overlay_span
from gpufluid.rules import RULES, overlays_of

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "gallery"
FILMS = DOCS / "films"
DRAWN = PICTURES / "digests.json"
GOLDEN = DOCS.parent / "tests" / "golden" / "digests.json"

_INTRODUCTION = """# Gallery

The shipped scenes: ten films, then pictures of all scenes. The command below a film writes the film. The command below
a picture writes the last of its frames. `tools/gallery.py` writes this page.
"""
_GAP = 6
_TOLERANCE = 1.0
"""Largest mean difference, in steps of 1/256, at which two pictures count as equal."""


@dataclass(frozen=True, slots=True)
class Shot:
    """Pictures of one scene, side by side.

    Args:
        scene: name of the scene.
        ticks: of the pictures, increasing.
        scale: pixels a cell, as ``--scale`` of the command line.
        overlay: name of the overlay to draw, with its legend; None: the materials.
    """

    scene: str
    ticks: tuple[int, ...]
    scale: str = "2"
    overlay: str | None = None

    @property
    def name(self) -> str:
        """The picture's file name, without its ending."""
        return self.scene if self.overlay is None else f"overlay_{self.overlay}"

    @property
    def file(self) -> str:
        """The picture's file name."""
        return f"{self.name}.png"

    @property
    def command(self) -> str:
        """The command that makes the last picture."""
        overlay = f" --overlay {self.overlay}" if self.overlay else ""
        return f"gpufluid run {self.scene} --ticks {self.ticks[-1]} --scale {self.scale}{overlay} --out {self.name}.png"


@dataclass(frozen=True, slots=True)
class Film:
    """A film of the first ticks of a scene.

    Args:
        scene: name of the scene.
        ticks: the last tick.
        every: ticks between two frames.
        scale: pixels a cell, as ``--scale`` of the command line.
        theme: ``day`` or ``night``.
        shows: what is seen, in a sentence.
        fps: frames a second.
        ending: of the file's name, which chooses the format.
    """

    scene: str
    ticks: int
    every: int
    scale: str
    theme: str
    shows: str
    fps: int = 25
    ending: str = "webp"

    @property
    def file(self) -> str:
        """The film's file name."""
        return f"{self.scene}.{self.ending}"

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the command that writes the film into the current folder."""
        ticks = ("--ticks", str(self.ticks), "--every", str(self.every), "--fps", str(self.fps))
        return ("run", self.scene, *ticks, "--scale", self.scale, "--theme", self.theme, "--out", self.file)


TEN = (
    Film("volcano", 1400, 14, "1/3", "night", "Lava runs down both slopes, burns the trees and sets in the sea.", 18),
    Film("forest_fire", 1800, 16, "2", "night", "A fire goes from crown to crown and stops at the river.", 18),
    Film("lava_sea", 1500, 10, "2", "night", "Lava becomes stone in the sea, which boils."),
    Film("oil_spill", 1000, 8, "2", "night", "Oil leaks from a wreck, spreads over the water and catches fire."),
    Film("wood_fire", 1200, 8, "3", "night", "Logs char, burn and fall to ash beside a wall."),
    Film("burning_bridge", 900, 6, "3", "night", "A bridge burns through at both ends, falls, and floats."),
    Film("waterfall", 600, 4, "2", "day", "A river falls over steps into a pool."),
    Film("water_column", 240, 2, "2", "day", "A column of water collapses."),
    Film("hourglass", 1000, 6, "2", "day", "Sand runs through a neck and makes a heap."),
    Film("bubbles", 600, 4, "2", "day", "Gas rises through water and gathers under shelves."),
)
ONE_WORLD = (
    Film("flood", 1800, 10, "2", "day", "A dam of soil gives way; the flood puts out a fire and lifts a house."),
    Film("volcano_island", 1600, 14, "2", "night", "Lava runs into the sea; the steam cools and rains back.", 18),
    Film("aquifer", 2000, 12, "2", "day", "Rain sinks in, and comes out as springs, in a well and in a cave."),
    Film("hourglass_under_water", 3000, 20, "2", "day", "Sand sinks through a neck, and water rises through it."),
    Film("harbour", 1400, 8, "3", "day", "Boats sink with the ebb, lie aground, and rise with the flood."),
)
"""The films of docs/one_world.md, which is written by hand."""
MOMENTUM = (
    Film("dam_with_momentum", 900, 6, "3", "day", "A column of water collapses, runs up the far wall and comes back."),
    Film("communicating_vessels_with_momentum", 700, 4, "3", "day", "One vessel sinks, two rise, until all are level."),
    Film("cascade_with_momentum", 2400, 12, "3", "day", "Water falls in arcs from pool to pool."),
    Film("fountain_with_momentum", 1400, 8, "3", "day", "Water rises above the mouth of a pipe and falls in arcs."),
    Film("leaking_tank_with_momentum", 1500, 10, "2", "day", "Three jets stay whole down to the buckets."),
    Film("labyrinth_with_momentum", 2000, 12, "3", "day", "Water shoots around the corners of a maze."),
    Film("u_tube_with_momentum", 1300, 8, "3", "day", "Water shoots through a bend and swings between two arms."),
)
"""The films of docs/water_with_momentum.md, which is written by hand."""
OF_RULES = (
    Film("rain_on_terrain", 1500, 10, "2", "day", "Rain falls on hills, runs down and fills the valleys."),
    Film("kettle", 2400, 16, "3", "day", "Water boils, condenses under the lid and rains back."),
    Film("closed_cycle", 1500, 10, "2", "day", "Lava boils water; the steam condenses, and the lava sets."),
    Film("maze_fill", 1500, 10, "3", "day", "Water under pressure finds its way through a maze."),
)
"""The films of pages of rules that no other page shows."""
FRONT = Film(
    "volcano_island", 1100, 20, "2", "night", "Lava runs into the sea; the steam cools and rains back.", 14, "gif"
)
"""The film at the top of README.md: a GIF, which every page that shows a README can play."""
FILMS_OF_ALL = (FRONT, *TEN, *ONE_WORLD, *MOMENTUM, *OF_RULES)
SCENES = (
    Shot("rain_on_terrain", (200, 1500), "2"),
    Shot("dam_break", (0, 150, 1500)),
    Shot("dam_with_momentum", (60, 200, 300, 500), "2"),
    Shot("weightless", (60, 150, 300, 600), "2"),
    Shot("communicating_vessels", (0, 3000, 20_000), "3"),
    Shot("communicating_vessels_with_momentum", (60, 200, 450), "3"),
    Shot("u_tube", (150, 800, 2000), "3"),
    Shot("u_tube_with_momentum", (300, 600, 750, 1800), "3"),
    Shot("fountain", (150, 700, 1500), "3"),
    Shot("fountain_with_momentum", (220, 450, 1400), "3"),
    Shot("spring", (100, 400, 1000), "3"),
    Shot("aquifer", (200, 1000, 2000)),
    Shot("flood", (140, 700, 1300)),
    Shot("harbour", (1, 650, 1300)),
    Shot("hourglass_under_water", (200, 1200, 3000)),
    Shot("volcano_island", (150, 600, 1100)),
    Shot("delta", (0, 500, 2400), "3"),
    Shot("scour", (0, 150, 1200), "3"),
    Shot("cascade", (400, 800, 1500), "3"),
    Shot("cascade_with_momentum", (600, 1200, 2400), "3"),
    Shot("leaking_tank", (0, 120, 900)),
    Shot("leaking_tank_with_momentum", (60, 400, 1500)),
    Shot("aqueduct", (300, 2000)),
    Shot("labyrinth", (150, 800, 2000), "3"),
    Shot("labyrinth_with_momentum", (400, 800, 2000), "3"),
    Shot("open_world", (300, 2000), "3"),
    Shot("wrap_around", (0, 100, 1500)),
    Shot("sandbox", (0,), "2"),
    Shot("seed_000", (0, 150, 1500), "16"),
    Shot("cave", (0, 100), "1/4"),
    Shot("water_column", (15, 80, 240)),
    Shot("hourglass", (100, 400, 1000)),
    Shot("sand_pile", (150, 700)),
    Shot("spray", (110, 280, 600), "1"),
    Shot("water_drop", (45, 70, 300)),
    Shot("two_liquids", (20, 150, 500)),
    Shot("bubbles", (30, 150, 600)),
    Shot("into_water", (50, 200, 700)),
    Shot("rubber_balls", (20, 60, 200)),
    Shot("gas_room", (150, 500, 1200)),
    Shot("waterfall", (100, 600)),
    Shot("snow_slope", (400, 1000)),
    Shot("fire_and_steam", (60, 400)),
    Shot("gravity_down", (25, 60, 500), "3"),
    Shot("gravity_up", (25, 60, 500), "3"),
    Shot("gravity_left", (25, 60, 500), "3"),
    Shot("gravity_right", (25, 60, 500), "3"),
    Shot("pressure_vessels", (0, 30, 100), "3"),
    Shot("siphon", (0, 120, 160, 300), "2"),
    Shot("maze_fill", (300, 800, 1550), "3"),
    Shot("landslide", (0, 150, 500), "1/6"),
    Shot("kettle", (200, 3000), "3"),
    Shot("kettle_by_mass", (200, 2000), "3"),
    Shot("closed_cycle_by_mass", (100, 1000), "3"),
    Shot("ice_dam", (0, 900, 1800)),
    Shot("deep_freeze", (0, 100, 600)),
    Shot("lava_sea", (300, 1000, 2400)),
    Shot("acid_sand", (200, 1000, 1500)),
    Shot("acid_lake", (60, 400, 1500)),
    Shot("salt_lake", (150, 600, 1500)),
    Shot("garden", (700, 1600, 3200)),
    Shot("cloners", (150, 1000)),
    Shot("wood_fire", (100, 500, 1500), "3"),
    Shot("burning_bridge", (300, 340, 900), "3"),
    Shot("forest_fire", (100, 900, 1800)),
    Shot("oil_spill", (500, 620, 1000)),
    Shot("powder_store", (300, 575, 600)),
    Shot("fire_brigade", (390, 480, 900)),
    Shot("volcano", (100, 450, 1400), "1/2"),
    Shot("sand_columns", (0, 20, 300), "3"),
    Shot("broken_walls", (0, 60, 2000), "3"),
    Shot("lava_meets_water", (200, 500, 1500), "3"),
    Shot("mixed_vessels", (0, 30, 100), "3"),
    Shot("mixed_siphon", (0, 120, 410, 1000), "2"),
    Shot("mixed_maze", (300, 800, 1550), "3"),
    Shot("artesian_well", (0, 300, 1500), "3"),
    Shot("steam_bells", (150, 300, 1200), "3"),
    Shot("closed_cycle", (0, 60, 300, 2000), "2"),
    Shot("many_dams", (0, 60, 150, 600)),
    Shot("many_heaps", (0, 150, 500)),
    Shot("many_drops", (0, 40, 400)),
    Shot("many_fires", (0, 250, 700)),
    Shot("many_seeps", (100, 300, 900)),
)
OVERLAYS = (
    Shot("dam_break", (600,), "3", "mass"),
    Shot("cascade", (1500,), "4", "flow"),
    Shot("communicating_vessels", (3000,), "6", "pressure"),
    Shot("water_column", (40,), "4", "speed"),
    Shot("fountain_with_momentum", (500,), "4", "vorticity"),
    Shot("spray", (110,), "3", "moves"),
    Shot("lava_sea", (1000,), "3", "temperature"),
    Shot("kettle", (1000,), "3", "latent"),
    Shot("acid_sand", (1000,), "4", "integrity"),
    Shot("wood_fire", (500,), "4", "age"),
    Shot("maze_fill", (600,), "3", "bodies"),
)


def draw(shot: Shot) -> np.ndarray:
    """Run a scene and join its pictures side by side: (height, width, 3) uint8, sRGB."""
    world = scene.read(scene.find(shot.scene)).world
    numerator, _, denominator = shot.scale.partition("/")
    frames = []
    overlay = None if shot.overlay is None else find_overlay(world, shot.overlay)
    with Simulation(world, trace=overlay is not None and overlay.traces) as simulation:
        for tick in shot.ticks:
            simulation.step(tick - simulation.tick)
            frames.append(simulation.frame(int(numerator) / int(denominator or 1), shot.overlay).copy())
    gap = np.full((frames[0].shape[0], _GAP, 3), 255, np.uint8)
    joined = np.concatenate([part for frame in frames for part in (frame, gap)][:-1], axis=1)
    if overlay is None or overlay.lines:
        return joined
    low, high = overlay_span(world, overlay.name)
    return with_legend(joined, draw_legend(overlay, low, high, joined.shape[1]))


def golden() -> dict[str, str]:
    """The golden digest of a scene after the most ticks, by the file of each picture and film of the scene.

    A few scenes have none, because they are large.
    """
    digests = json.loads(GOLDEN.read_text(encoding="utf-8"))
    last = {name: of_ticks[max(of_ticks, key=int)] for name, of_ticks in digests.items()}
    return {each.file: last[each.scene] for each in (*SCENES, *OVERLAYS, *FILMS_OF_ALL) if each.scene in last}


def drawn_with() -> dict[str, str]:
    """The golden digests with which the files were drawn, by file; see `DRAWN`."""
    return json.loads(DRAWN.read_text(encoding="utf-8")) if DRAWN.is_file() else {}


def page() -> str:
    """Return the text of docs/gallery.md. Raises: SystemExit: a shipped scene is not in `SCENES`."""
    headings = {heading["name"]: heading for heading in scene.headings()}
    missing = sorted(set(headings) - {shot.scene for shot in SCENES})
    if missing:
        raise SystemExit(f"tools/gallery.py shows no {', '.join(missing)}: add a Shot to SCENES")
    films = "\n".join(_film(film, headings[film.scene]["title"]) for film in TEN)
    parts = [_INTRODUCTION, f"## Films\n\n{films}"]
    for shot in SCENES:
        heading = headings[shot.scene]
        parts.append(
            f"## {heading['title']}\n\n{heading['about']} {_moments(shot)}\n\n{_picture(shot, heading['title'])}"
        )
    parts.append(
        "## Overlays\n\nAny scene can be drawn in false colour; the strip below says what the colours mean."
        " Moves are green lines.\n"
    )
    for shot in OVERLAYS:
        assert shot.overlay is not None
        overlay = overlays_of(tuple(RULES), SHIPPED.names)[shot.overlay][1]
        unit = f", in {overlay.unit}" if overlay.unit else ""
        about = f"{overlay.about[0].upper()}{overlay.about[1:]}{unit}"
        title = headings[shot.scene]["title"]
        parts.append(f"### {shot.overlay}\n\n{about}: {title}, tick {shot.ticks[0]}.\n\n{_picture(shot, about)}")
    return "\n".join(parts)


def _moments(shot: Shot) -> str:
    ticks = [f"{tick:,}" for tick in shot.ticks]
    return f"Ticks {', '.join(ticks[:-1])} and {ticks[-1]}." if len(ticks) > 1 else f"Tick {ticks[0]}."


def _picture(shot: Shot, alternative: str) -> str:
    return f"![{alternative}](gallery/{shot.name}.png)\n\n```\n{shot.command}\n```\n"


def _film(film: Film, title: str) -> str:
    command = f"gpufluid {' '.join(film.words)}"
    return f"{film.shows}\n\n![{title}]({FILMS.name}/{film.file})\n\n```\n{command}\n```\n"


def recorded(film: Film) -> bytes:
    """Run the command of a film. Returns the contents of its file. Raises: SystemExit: the command failed."""
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "gpufluid", *film.words)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"gpufluid {' '.join(film.words)}: {done.stderr}")
        return (Path(folder) / film.file).read_bytes()


def outputs(names: Collection[str], processes: int = 1) -> Iterator[tuple[Path, bytes]]:
    """Yield the page and the named files of pictures and films, each with its contents; so many films at once."""
    yield PAGE, page().encode()
    films = [film for film in FILMS_OF_ALL if film.file in names]
    with ThreadPoolExecutor(processes) as pool:  # each thread waits for a command
        for film, content in zip(films, pool.map(recorded, films), strict=True):
            yield FILMS / film.file, content
    for shot in SCENES + OVERLAYS:
        if shot.file not in names:
            continue
        buffer = io.BytesIO()
        Image.fromarray(draw(shot)).save(buffer, "PNG", optimize=True)
        yield PICTURES / shot.file, buffer.getvalue()


def same(path: Path, wanted: bytes) -> bool:
    """True if a file has the given contents; frames of pictures and films are compared within `_TOLERANCE`."""
    if not path.is_file():
        return False
    if path.suffix == ".md":
        return path.read_bytes() == wanted
    kept, drawn = (frames_of(source) for source in (path, io.BytesIO(wanted)))
    return len(kept) == len(drawn) and all(
        one.shape == other.shape and float(np.abs(one - other).mean()) < _TOLERANCE
        for one, other in zip(kept, drawn, strict=True)
    )


def frames_of(source: Path | io.BytesIO) -> list[np.ndarray]:
    """Read the frames of a picture or a film: (height, width, 3) int16 each."""
    with Image.open(source) as film:
        return [np.asarray(frame.convert("RGB"), np.int16) for frame in ImageSequence.Iterator(film)]


def main() -> int:
    words = argparse.ArgumentParser(description="Draw docs/gallery/ and docs/films/, and write docs/gallery.md.")
    words.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    words.add_argument("--outdated", action="store_true", help="only files whose scenes have other digests now")
    words.add_argument("--films", action="store_true", help="only films")
    words.add_argument("--processes", type=int, default=1, metavar="N", help="draw so many films at once")
    words.add_argument("names", nargs="*", metavar="NAME", help="draw only these files; by default all")
    given = words.parse_args()
    now, before = golden(), drawn_with()
    every = [each.file for each in (*SCENES, *OVERLAYS, *FILMS_OF_ALL)]
    if unknown := [name for name in given.names if name not in every]:
        words.error(f"no picture or film is named {', '.join(unknown)}; expected names such as dam_break.png")
    names = given.names or every
    names = [name for name in names if name in {film.file for film in FILMS_OF_ALL}] if given.films else names
    names = [name for name in names if now.get(name) != before.get(name)] if given.outdated else names
    differing = []
    for path, content in outputs(names, given.processes):
        if given.check:
            differing += [] if same(path, content) else [path.relative_to(DOCS).as_posix()]
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        before |= {path.name: now[path.name]} if path.name in now else {}
        DRAWN.write_text(json.dumps(dict(sorted(before.items())), indent=2) + "\n", encoding="utf-8")
    if differing:
        print(f"not as tools/gallery.py makes them: {', '.join(differing)}", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
