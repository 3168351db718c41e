"""Measure ``gpufluid serve``: pictures a second, and the delay from the pointer to the picture.

Run ``python tools/measure_served.py [--seconds N]``. It serves worlds of 512 x 512 cells that never rest, one after the
other, to one page of 1,024 x 768 pixels without a browser, which answers each picture at once. In world ``atoms, a
hundredth`` it rains in four shafts; in the others every tick moves matter in every tile. While time runs, it counts
pictures; then it paints with the pointer, ten strokes a second, and takes the time from the message of each press to
the first picture that shows it. The delay of a browser comes on top: it decodes and shows a picture.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import websockets  # pyright: ignore[reportMissingImports]
from server import served

from gpufluid import World
from gpufluid.benchmark.workloads import atoms, flow
from gpufluid.core.fields import FULL
from gpufluid.io.snapshots import save
from gpufluid.serve.frames import HEAD

SIDE = 512
EVERYTHING = ("flow", "inertia", "atoms", "heat", "reactions")
STROKES_A_SECOND = 10


def _made(workloads: tuple, name: str = "dense") -> World:
    return next(each for each in workloads if each.name == name).make(SIDE, SIDE)


def _of_everything() -> World:
    """Falling sand and oil, rising steam, and water by mass in a third of the rows, on a torus."""
    falling = _made(atoms.WORKLOADS)
    world = World(SIDE, SIDE, EVERYTHING, edges="wrap")
    for name in falling.fields:
        world[name] = falling[name]
    world["mass"][::3] = FULL // 2
    world["mass"][world["material"] != 0] = 0
    return world


WORLDS = {
    "flow": lambda: _made(flow.WORKLOADS),
    "atoms, a hundredth": lambda: _made(atoms.WORKLOADS, "sparse"),
    "atoms": lambda: _made(atoms.WORKLOADS),
    "+".join(EVERYTHING): _of_everything,
}


class Page:
    """A page without a browser."""

    def __init__(self, connection: websockets.ClientConnection) -> None:
        self._connection = connection
        self.seen: list[tuple[float, int]] = []
        """The time of each picture, with the number of the last input that it shows."""
        self.ticks: list[tuple[float, int]] = []
        """The time of each state, with its tick."""

    async def say(self, **message: object) -> None:
        """Send a message of `gpufluid.serve.messages`."""
        await self._connection.send(json.dumps(message))

    async def listen(self) -> None:
        """Answer each picture, until cancelled."""
        async for found in self._connection:
            if isinstance(found, bytes):
                frame, last_input = HEAD.unpack_from(found)[:2]
                self.seen.append((time.perf_counter(), last_input))
                await self.say(type="got", frame=frame)
            elif (told := json.loads(found))["type"] == "state":
                self.ticks.append((time.perf_counter(), told["tick"]))

    async def strokes(self, seconds: float) -> list[float]:
        """Paint strokes for some seconds. Returns the delays in milliseconds."""
        pressed: dict[int, float] = {}
        for number in range(1, int(seconds * STROKES_A_SECOND) + 1):
            place = {"x": 300 + 20 * (number % 20), "y": 200 + 13 * (number % 17)}
            pressed[number] = time.perf_counter()
            await self.say(type="press", number=number, **place)
            await self.say(type="release", number=number, **place)
            await asyncio.sleep(1 / STROKES_A_SECOND)
        await asyncio.sleep(1)
        return [
            1000 * (min(when for when, last_input in self.seen if last_input >= number) - began)
            for number, began in pressed.items()
            if any(last_input >= number for _, last_input in self.seen)
        ]


async def measure(address: str, seconds: float) -> dict[str, float]:
    """Open a page at the address of a server and measure for so many seconds, twice."""
    parts = urlsplit(address)
    live = f"ws://{parts.netloc}/live?page=measurement1&token={parse_qs(parts.query)['token'][0]}"
    origin = websockets.Origin(f"http://{parts.netloc}")
    async with websockets.connect(live, origin=origin, max_size=None, ping_interval=None) as opened:
        page = Page(opened)
        listening = asyncio.create_task(page.listen())
        await page.say(type="size", width=1024, height=768)
        while len(page.seen) < 5 or len(page.ticks) < 2:  # first the programs are compiled
            await asyncio.sleep(0.1)
        await asyncio.sleep(seconds)
        page.seen.clear()
        page.ticks.clear()
        began = time.perf_counter()
        await asyncio.sleep(seconds)
        pictures = len(page.seen) / (time.perf_counter() - began)
        (first, before), (last, after) = page.ticks[0], page.ticks[-1]
        delays = await page.strokes(seconds)
        listening.cancel()
        return {
            "pictures/s": pictures,
            "ticks/s": (after - before) / (last - first) if last > first else 0.0,
            "median ms": statistics.median(delays),
            "95 % ms": sorted(delays)[int(0.95 * (len(delays) - 1))],
            "most ms": max(delays),
        }


def figures_of(world: World, seconds: float) -> dict[str, float]:
    """The figures of one world."""
    with tempfile.TemporaryDirectory() as folder:
        save(world, Path(folder) / "world.npz")
        with served(Path(folder) / "world.npz") as address:
            return asyncio.run(measure(address, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds for each figure")
    seconds = parser.parse_args().seconds
    for name, make in WORLDS.items():
        figures = figures_of(make(), seconds)
        print(name, *(f"{value:.1f} {figure}" for figure, value in figures.items()), sep="  ", flush=True)


if __name__ == "__main__":
    main()
