"""Frames: of what is seen, at its size, only if it has changed, and never more than the line takes."""

from __future__ import annotations

import asyncio
import io

import numpy as np
import pytest
from PIL import Image

from gpufluid import World
from gpufluid.serve.frames import HEAD, REST_SECONDS
from gpufluid.serve.line import FRAME_SECONDS, MOST, Line
from gpufluid.serve.loop import LEAST_SECONDS, TURN_SECONDS
from gpufluid.serve.mailbox import Mailbox


def picture(frame: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(frame[HEAD.size :])).convert("RGB"))


def wait_for(session, page, count: int) -> None:
    """Take turns until a page has got so many frames; the encoders have threads of their own."""
    for _ in range(200):
        if len(page.frames) >= count:
            return
        session.turn(seconds=FRAME_SECONDS)
        session.loop.turn(0.01)
    raise AssertionError(f"{len(page.frames)} frames; expected {count}")


@pytest.mark.usefixtures("device")
def test_a_frame_shows_the_world_with_a_pixel_for_each_cell_and_is_then_sent_without_loss(table) -> None:
    world = World(48, 64, ("atoms",))
    world["material"][40:, :30] = world.materials["wall"]
    session = table(world)
    page = session.page()
    page.say("size", width=640, height=480)
    session.turn()
    wait_for(session, page, 1)
    page.answer()
    session.turn(seconds=REST_SECONDS)
    wait_for(session, page, 2)
    number, last_input, x, y, width, height, left, top, cell = HEAD.unpack_from(page.frames[-1])
    camera = session.session.clients["first"].camera
    assert (left, top) == pytest.approx(camera.pixel_of((0, 0)))
    assert (x, y, width, height) == pytest.approx((left, top, 64 * cell, 48 * cell))
    assert (number, last_input) == (2, 0)
    assert (picture(page.frames[-1]) == session.viewer.sim.frame()).all()
    rough = np.abs(picture(page.frames[0]).astype(int) - session.viewer.sim.frame())
    assert rough.mean() < 3


def test_nothing_is_sent_while_nothing_changes_though_time_runs(table) -> None:
    session = table(World(48, 64, ("atoms",)))
    page = session.page()
    page.act("pause")
    for _ in range(4):
        session.turn(seconds=REST_SECONDS)
        wait_for(session, page, 1)
        page.answer()
    session.turn(5)
    sent, tick = len(page.frames), session.viewer.sim.tick
    session.turn(20)
    assert session.viewer.sim.tick > tick
    assert len(page.frames) == sent == 2


def test_a_page_that_does_not_answer_gets_no_further_frame_and_then_the_newest(table) -> None:
    session = table()
    page, other = session.page("silent"), session.page("answers")
    for each in (page, other):
        each.say("size", width=320, height=240)
    wait_for(session, page, 1)
    wait_for(session, other, 1)
    held = len(page.frames)
    page.act("material", name="stone")
    for column in range(4):
        other.answer()
        sent = len(other.frames)
        page.say("press", x=40 + 30 * column, y=100)
        page.say("release", x=40 + 30 * column, y=100)
        session.turn()
        wait_for(session, other, sent + 1)
    assert len(page.frames) == held
    page.answer()
    session.turn()
    wait_for(session, page, held + 1)
    assert np.abs(picture(page.frames[-1]).astype(int) - session.viewer.sim.frame()).mean() < 5


def test_a_view_of_a_part_gets_the_cells_of_this_part(table) -> None:
    world = World(48, 64, ("atoms",))
    world["material"][:] = world.materials["stone"]
    session = table(world)
    page = session.page()
    page.say("size", width=320, height=240)
    wait_for(session, page, 1)
    page.act("zoom", steps=3, at=[160, 120])
    for _ in range(4):
        page.answer()
        session.turn(seconds=REST_SECONDS)
        session.loop.turn(0.05)
    _, _, x, y, width, height, left, top, cell = HEAD.unpack_from(page.frames[-1])
    first, last = round((x - left) / cell), round((x + width - left) / cell)
    upper, lower = round((y - top) / cell), round((y + height - top) / cell)
    assert x <= 0
    assert x + width >= 320
    assert last - first < 64
    assert (picture(page.frames[-1]) == session.viewer.sim.frame()[upper:lower, first:last]).all()


def test_a_line_with_a_delay_is_filled_and_a_full_one_gets_one_frame_at_a_time() -> None:
    line, now = Line(), 0.0
    for _ in range(3):  # an idle line that takes a fifth of a second
        number = line.send(now)
        line.got(number, now + 0.2)
        now += 1
    assert line.allowed == 7
    for _ in range(line.allowed):
        assert line.wait(now) == 0
        last = line.send(now)
        now += FRAME_SECONDS
    assert line.wait(now) is None
    line.got(last, now + 2)  # the line is full: what was sent came two seconds late
    assert line.allowed == 1
    line.got(last + 1000, now)  # a number that was never sent
    assert line.allowed <= MOST


def test_frames_keep_their_distance() -> None:
    line = Line()
    line.got(line.send(5.0), 5.001)
    assert line.wait(5.002) == pytest.approx(FRAME_SECONDS - 0.002)
    assert line.wait(5.0 + FRAME_SECONDS) == 0


def test_an_older_picture_that_is_encoded_later_is_not_sent() -> None:
    """Without loss a picture takes ten times as long to encode, so that the next one overtakes it."""
    loop = asyncio.new_event_loop()
    mailbox = Mailbox(loop)
    mailbox.frame(3, b"newer")
    mailbox.frame(2, b"older")
    assert loop.run_until_complete(mailbox.take()) == [b"newer"]
    mailbox.frame(2, b"older")
    mailbox.note("a note")
    assert loop.run_until_complete(mailbox.take()) == ["a note"]
    loop.close()


def test_a_tick_that_takes_several_turns_goes_on_at_once(table, monkeypatch: pytest.MonkeyPatch) -> None:
    session = table()
    session.page()
    session.viewer.clock.paused = False
    monkeypatch.setattr(session.session, "advance", lambda now: now)
    session.turn()
    assert session.loop.turn(0) == TURN_SECONDS
    session.viewer.sim.step_within(1, 0.0)
    assert session.viewer.sim.in_tick
    assert session.loop.turn(0) == LEAST_SECONDS
