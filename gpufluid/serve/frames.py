"""Draws and sends frames: each page gets its part of the world, at its size, and only if the picture has changed."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b

from PIL import Image

from gpufluid.gpu.readback import Readback
from gpufluid.render.look import Look
from gpufluid.render.painter import has_details
from gpufluid.render.scale import Scale
from gpufluid.runtime.editing import Workbench
from gpufluid.serve.client import Client, Outbox
from gpufluid.viewer import Viewer
from gpufluid.viewer.camera import Camera

QUALITY = 92
"""JPEG's quality, of pictures that change. Its colour planes are not halved: cells are sharp squares of colour."""

REST_SECONDS = 0.3
"""The time after which a picture that has not changed is sent again without loss, as WebP."""

HEAD = struct.Struct("<II7f")
"""The layout of a frame's head, which precedes the picture, little endian: the number of the frame; the number of the
last input that the frame shows; the picture's place on the page, (x, y, width, height); the place of the world's top
left corner, (x, y); pixels a cell. Places and sizes are in pixels of the page's view."""

_ENCODERS = 2
_READBACKS = 4
"""The number of sizes of pictures for which an array is kept."""


Place = tuple[float, float, float, float]
"""(x, y, width, height) on the page, in pixels of its view."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a part of the world. Equal shots are equal pictures.

    Args:
        sim, state: the world, and its `Workbench.state_number`.
        scale, offset, size, overlay, look: as for `Workbench.view`.
    """

    sim: Workbench
    state: tuple[int, int]
    scale: Scale
    offset: tuple[int, int]
    size: tuple[int, int]
    overlay: str | None
    look: Look


def _seen(camera: Camera) -> tuple[int, int, int, int]:
    """The part of a camera's drawn picture that shows the world: (left, top, right, bottom), in its pixels."""
    whole = camera.scale.picture_size(*camera.world)
    left, top = (max(at, 0) for at in camera.offset)
    right, bottom = (
        min(at + size, room) for at, size, room in zip(camera.offset, whole, camera.drawn_size, strict=True)
    )
    return left, top, max(right, left + 1), max(bottom, top + 1)


def framed(viewer: Viewer, camera: Camera) -> tuple[Shot, Place]:
    """The picture that a page with this camera sees now, and where it lies on the page.

    Where cells are larger than a pixel and have no details, the picture has a pixel for each cell, and the page
    enlarges it: that looks the same, and is less to draw and to send.
    """
    world, look = viewer.sim, viewer.look
    left, top, right, bottom = _seen(camera)
    zoom, (x, y) = camera.scale.zoom, camera.offset
    scale = camera.scale
    if zoom > 1 and not has_details(world.blank, viewer.overlay):
        scale, here = Scale(), ((left - x) // zoom, (top - y) // zoom)
        size = -(-(right - x) // zoom) - here[0], -(-(bottom - y) // zoom) - here[1]
        left, top, offset = x + here[0] * zoom, y + here[1] * zoom, (-here[0], -here[1])
    else:
        zoom, offset, size = 1, (x - left, y - top), (right - left, bottom - top)
    place = tuple(part * camera.stretch for part in (left, top, size[0] * zoom, size[1] * zoom))
    shot = Shot(world, world.state_number, scale, offset, size, viewer.overlay, look)
    return shot, (place[0], place[1], place[2], place[3])


def _head(camera: Camera, place: Place, frame: int, last_input: int) -> bytes:
    """The head of a frame; see `HEAD`."""
    corner = camera.pixel_of((0, 0))
    return HEAD.pack(frame, last_input, *place, *corner, camera.pixel_of((1, 0))[0] - corner[0])


def encode(texels: bytes, size: tuple[int, int], exact: bool) -> bytes:
    """A picture as JPEG, or without loss as WebP.

    Args:
        texels: red, green, blue and a byte that is not used, for each pixel, row 0 at the top.
        size: (width, height) of the picture.
        exact: whether each pixel must have its exact colour, which takes ten times as long and more bytes.
    """
    picture, file = Image.frombuffer("RGBX", size, texels, "raw", "RGBX", 0, 1), io.BytesIO()
    if exact:
        picture.convert("RGB").save(file, "WEBP", lossless=True, quality=20, method=0)
    else:
        picture.save(file, "JPEG", quality=QUALITY, subsampling=0)
    return file.getvalue()


def _encode_and_send(
    texels: bytes, size: tuple[int, int], exact: bool, recipients: list[tuple[Outbox, int, bytes]]
) -> None:
    """Encode a picture and send it; runs in an encoder thread. ``recipients``: the number and head of each frame."""
    picture = encode(texels, size, exact)
    for outbox, number, head in recipients:
        outbox.frame(number, head + picture)


class Frames:
    """Draws, encodes and sends frames. Pages that see the same get the same picture, which is drawn once.

    Drawing is done in the thread of the viewer, encoding in threads of its own. A frame that a page could not take in
    time is never drawn: the next frame shows the world as it is then.

    Args:
        viewer: the viewer.
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._encoders = ThreadPoolExecutor(_ENCODERS, "frames")
        self._readbacks: dict[tuple[int, int], Readback] = {}
        self.failure: BaseException | None = None
        """The error by which an encoder has failed, if any."""

    def send(self, clients: Iterable[Client], now: float) -> float | None:
        """Send a frame to each page that sees something new and whose line is free.

        Args:
            clients: of the pages that are present.
            now: time in seconds.
        Returns: seconds until a page that sees something new may get it; None: no page waits for its line's time.
        """
        due: dict[Shot, list[tuple[Client, Place]]] = {}
        soonest: float | None = None
        for client in clients:
            wait, known = client.line.wait(now), client.known
            if wait is None:
                continue
            shot, place = framed(self._viewer, client.camera)
            if (shot, place) == known.shot:
                if known.exact:
                    continue
                wait = max(wait, known.changed + REST_SECONDS - now)
            if wait > 0:
                soonest = wait if soonest is None else min(wait, soonest)
                continue
            known.shot = shot, place
            due.setdefault(shot, []).append((client, place))
        for shot, takers in due.items():
            self._send(shot, takers, now)
        return soonest

    def _send(self, shot: Shot, takers: list[tuple[Client, Place]], now: float) -> None:
        """Draw a picture, and let an encoder send it to the pages that do not have it yet."""
        texels = self._draw(shot)
        found = blake2b(texels, digest_size=16).digest()
        outboxes: dict[bool, list[tuple[Outbox, int, bytes]]] = {}
        for client, place in takers:
            known, picture = client.known, (found, shot.size, place)
            exact = picture == known.picture  # what has not changed is sent again, without loss
            if exact and (known.exact or now < known.changed + REST_SECONDS):
                client.line.skip(now)
                continue
            if not exact:
                known.changed = now
            known.picture, known.exact = picture, exact
            number = client.line.send(now)
            head = _head(client.camera, place, number, client.last_input)
            if client.outbox is not None:
                outboxes.setdefault(exact, []).append((client.outbox, number, head))
        for exact, recipients in outboxes.items():
            work = self._encoders.submit(_encode_and_send, texels, shot.size, exact, recipients)
            work.add_done_callback(self._note_failure)

    def _note_failure(self, work: Future[None]) -> None:
        if not work.cancelled():
            self.failure = self.failure or work.exception()

    def _draw(self, shot: Shot) -> bytes:
        """The texels of a picture, row 0 at the top."""
        if shot.size not in self._readbacks:
            if len(self._readbacks) >= _READBACKS:
                del self._readbacks[next(iter(self._readbacks))]
            self._readbacks[shot.size] = Readback(*shot.size, "rgba8")
        with shot.sim.device:
            texture = shot.sim.view(shot.scale, shot.offset, shot.size, shot.overlay, None, shot.look)
            return self._readbacks[shot.size].read(texture).tobytes()

    def close(self) -> None:
        """End the encoders."""
        self._encoders.shutdown(wait=True, cancel_futures=True)
