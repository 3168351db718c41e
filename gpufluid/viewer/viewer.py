"""`Viewer`: a running world with its tools, driven by named actions. It opens no window."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gpufluid.core.errors import GpufluidError, WorldError
from gpufluid.core.interrupts import held_back
from gpufluid.gpu.device import Device
from gpufluid.matter.materials import State
from gpufluid.render.look import DAY, Look
from gpufluid.render.painter import find_overlay
from gpufluid.render.settings import PictureSettings
from gpufluid.rules import Laws, Overlay, overlays_of
from gpufluid.runtime.editing import Workbench
from gpufluid.scene.matched_picture import MatchedPicture
from gpufluid.scene.matter import amount_fields
from gpufluid.viewer.actions import ACTIONS, perform
from gpufluid.viewer.camera import Camera
from gpufluid.viewer.clock import Clock
from gpufluid.viewer.edits import Arrays, Event, Touch
from gpufluid.viewer.favourites import favourites_file, read_favourites
from gpufluid.viewer.folders import folder_settings, read_folder
from gpufluid.viewer.history import History
from gpufluid.viewer.inspector import inspect_cell
from gpufluid.viewer.keys import bindings, settings_file
from gpufluid.viewer.live_statistics import LiveStatistics
from gpufluid.viewer.messages import Message, Offer
from gpufluid.viewer.pacing import Pacing
from gpufluid.viewer.pointer import Pointer
from gpufluid.viewer.recorder import TICKS_A_FRAME, Recorder, check_every
from gpufluid.viewer.tool import PAGES, PANELS, Tool, actions_of
from gpufluid.world import World
from gpufluid.world.idle import idle_materials
from gpufluid.world.material_words import MaterialWords

if TYPE_CHECKING:
    import moderngl
    import numpy as np

    from gpufluid.core.runs import Runs
    from gpufluid.gpu.edit_copies import EditCopies
    from gpufluid.scene.strokes import Stroke

_MANY = 1 << 30
"""More ticks than any frame runs."""


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """An entry of a viewer's log, from which `replay` repeats an action.

    Args:
        tick: the tick at which the action ran.
        name, arguments: as for `Viewer.do`.
    """

    tick: int
    name: str
    arguments: dict[str, object] = field(default_factory=dict)


class Viewer:
    """A running world, and everything that a user can do to it.

    Args:
        world: the initial state.
        device: the device that runs and draws the world; by default a headless one.
        source: the file or scene that the world came from; used in titles and file names.
        window: (width, height) of the window's content, in pixels.
        variant: the variant of each rule, as for `Simulation`; also used for worlds opened later.
        film_every: the number of ticks between two frames of a film.
        look: the theme, the background and the tint; None: those of the day.
    Raises: UsageError: the user's key bindings, favourites or folder cannot be read, or an invalid `film_every`.
        WorldError, DeviceError: the world cannot run here.
    """

    def __init__(
        self,
        world: World,
        device: Device | None = None,
        source: str = "",
        window: tuple[int, int] = (1280, 800),
        variant: Mapping[str, str] | None = None,
        film_every: int = TICKS_A_FRAME,
        look: Look | None = None,
    ) -> None:
        self.bindings = bindings(settings_file())  # an error in a settings file is told before anything is compiled
        self.favourites = read_favourites(favourites_file())
        self.folder = read_folder(folder_settings())  # where files are kept
        self._variant = variant or {}
        self.sim = Workbench(world, device, variant=self._variant, any_matter=True)
        self.sim.prepare_paint()
        self.source = source
        self.first = world  # the state to which action `reset` returns
        self.camera = Camera((world.width, world.height), window)
        self._words = MaterialWords(world.laws)
        self._idle: tuple[Laws, dict[str, tuple[str, ...]]] | None = None
        self._counted_tick = world.tick  # the tick up to which the ticks run were counted
        self.clock, self.pointer = Clock(), Pointer(self)
        self.tool = Tool(self.materials[0] if self.materials else "wall")
        self.overlay: str | None = None
        self.look = DAY if look is None else look
        self.panels = {name: name in ("time", "palette") for name in PANELS}
        self._messages: list[Message] = []
        self.history = History(world)
        self.statistics = LiveStatistics(world)
        self.pacing = Pacing()
        self.recorder: Recorder | None = None
        self.film_every = check_every(film_every)
        self.log: list[LoggedAction] = []
        self.serial = 0  # the number of strokes so far; a spray draws its cells from this number
        self.told_of_walls = False  # whether a message has said that the tool does not paint over walls
        self.replaced: str | None = None  # the material that the current stroke replaces; None: any
        self._unsaved = False
        self._unread: EditCopies | None = None  # those of the last strokes; None: `_read_notes` has read their notes
        self.opening: str | None = None  # the file to open once the user has confirmed to lose unsaved changes
        self.creating: dict[str, object] | None = None  # the new world to make once the user has confirmed the same
        self.dialog: str | None = None  # the dialog that an action has opened: new, resize, save or folder
        self.closing = False  # whether the user has asked to close the window
        self.full_screen = False
        self.text_scale = 1.0
        self.matched: MatchedPicture | None = None  # the picture that the world was opened from
        self.pointed_at: str | None = None  # the material under the pointer in the palette

    def do(self, action: str, **arguments: object) -> None:
        """Run an action by its name; `actions.ACTIONS` lists all.

        Raises: UsageError: unknown action, wrong arguments, or an invalid file or world; the viewer is then unchanged.
            OutputError: a file could not be written. `attempt` turns these errors into messages.
        """
        logged = action in ACTIONS and ACTIONS[action].logged
        if logged:
            self.finish_tick()  # an edit happens between two ticks, never within a tick
        tick, log = self.sim.tick, self.log  # before the action, which may open another world with a new log
        replay_arguments = perform(self, action, arguments)
        if logged:
            log.append(LoggedAction(tick, action, dict(replay_arguments)))

    def press(self, chord: str) -> bool:
        """Run the action that is bound to a chord, such as ``ctrl+s``. Returns whether any action is."""
        if chord not in self.bindings:
            return False
        self.pacing.prioritise_input()
        name, arguments = self.bindings[chord]
        self.attempt(lambda: self.do(name, **arguments))
        return True

    def attempt(self, act: Callable[[], None]) -> bool:
        """Call a function and show its `GpufluidError`, if any, as a message. Returns whether the call succeeded."""
        try:
            act()
        except GpufluidError as error:
            self.tell(str(error), "error")
            return False
        return True

    def tell(self, text: str, kind: str = "note", offer: Offer | None = None) -> None:
        """Show a message in place of an equal one, and of one that has offered the same. The latest 100 are kept.

        Args:
            text, offer: see `Message`.
            kind: ``note`` or ``error``.
        """
        new = Message(text, "error" if kind == "error" else "note", offer)
        others = [each for each in self.messages if (each.text, each.kind) != (new.text, new.kind)]
        others = [each for each in others if offer is None or each.offer != offer]
        self.messages = [*others[-99:], new]

    def show(self, world: World) -> None:
        """Continue from another state. A new simulation is made if the laws or the need for a trace have changed.

        Raises: WorldError, DeviceError: the world cannot run here; then nothing has changed.
        """
        if self.overlay is not None and self.overlay not in overlays_of(world.rules, world.mixture.names):
            self.overlay = None
        trace = self.overlay is not None and self._needs_trace(self.overlay)
        if world.same_laws(self.sim.blank) and trace == self.sim.traced:
            self.sim.restore(world)
        else:
            new = self._prepared(world, trace)
            self._read_notes()  # the notes have numbers of materials of the old world
            self.sim.close()
            before, self.sim = self.sim.blank, new
            if not world.same_laws(before):
                self._suit(world, keeps_view=(world.width, world.height) == (before.width, before.height))
        self._note_jump()

    def open(self, world: World, source: str) -> None:
        """Replace the world, its history and its log; ``source`` is the file or scene of the new world."""
        self.overlay = self.dialog = None
        new = self._prepared(world)
        self._read_notes()  # the notes have numbers of materials of the old world
        self.sim.close()
        self.sim, self.source, self.first = new, source, world
        self.history = History(world)
        self.unsaved, self.matched = False, None
        self.panels["picture"] = False
        self.serial, self.replaced = 0, None
        self._suit(world)
        self.log = self._tool_as_actions()
        self._note_jump()

    def _prepared(self, world: World, trace: bool = False) -> Workbench:
        """A simulation of another world on the same device, ready for strokes."""
        new = Workbench(world, self.sim.device, trace=trace, variant=self._variant, any_matter=True)
        try:
            new.prepare_paint()
        except BaseException:
            new.close()
            raise
        return new

    def _suit(self, world: World, keeps_view: bool = False) -> None:
        """Adapt the view, the statistics, the tool and the film to a world with other laws."""
        if not keeps_view:
            self.camera = Camera((world.width, world.height), self.camera.window)
        self.statistics, self.pacing = LiveStatistics(world), Pacing()
        if self.tool.material not in self.materials:
            self.tool = replace(self.tool, material=self.materials[0])
        self.pointer.cancel()
        if self.recorder is not None and not self.recorder.shows(world):
            self.attempt(lambda: self.do("record"))
            self.tell("the recording has ended: a film shows worlds of one size")

    def show_picture(self, picture: MatchedPicture) -> None:
        """Note that the world is that of a picture, pause, and show the materials of its colours in a panel."""
        self.matched = picture
        self.panels["picture"] = self.clock.paused = True

    def _note_jump(self) -> None:
        """Note that the world has another tick than before, and that the ticks between did not run."""
        self._counted_tick = self.sim.tick
        if self.recorder is not None:
            self.recorder.seek(self.sim.tick)

    def _tool_as_actions(self) -> list[LoggedAction]:
        """The log entries by which a replay gets the current tool."""
        return [LoggedAction(self.sim.tick, name, arguments) for name, arguments in actions_of(self.tool).items()]

    @property
    def question(self) -> str | None:
        """The dialog that asks the user something: ``unsaved``, or that of `dialog`; None: no dialog is open."""
        replaced = self.opening is not None or self.creating is not None
        return "unsaved" if self.unsaved and (self.closing or replaced) else self.dialog

    def advance(self, now: float) -> None:
        """Run the ticks of a frame, as many as its time allows; update history, statistics and recording.

        Time is paused while a dialog or a page is open, so that the tick that is saved is the one that was seen.

        Args:
            now: the time of the frame, in seconds.
        """
        covered = self.question is not None or any(self.panels[page] for page in PAGES)
        paused = self.clock.paused or covered
        if covered or (paused and self.pointer.waiting):
            self.finish_tick()
        due = self.clock.due(now, paused)
        if paused and self.sim.in_tick:
            due = 1  # finish the tick in progress, so that a whole tick is shown
        ran = self._run_or_pause(lambda: self.pacing.run(self.sim, due, self._ticks_at_once, self._ticks_ran))
        self.clock.ran(ran)
        if ran and self.pacing.worth_keeping(self.sim.tick):
            began = time.perf_counter()
            self.history.keep(self.sim.read())
            self.pacing.kept(self.sim.tick, time.perf_counter() - began)
        shown = self.panels["statistics"]
        # A tick may also run in an action: one that steps, or that finishes the tick in progress before it edits.
        passed, self._counted_tick = self.sim.tick - self._counted_tick, self.sim.tick
        extra = self._run_or_pause(lambda: self.statistics.update(self.sim, now, passed, shown=shown, paused=paused))
        self._counted_tick += extra
        self.clock.ran(extra)
        self._ticks_ran()

    def finish_tick(self) -> None:
        """Finish the tick in progress, if any, as one that was due, and run the actions that wait for its end."""
        begun = self.sim.tick
        self.sim.finish()
        self.clock.ran(self.sim.tick - begun)
        self.pointer.act_on_waiting()

    @property
    def in_long_tick(self) -> bool:
        """True if a tick is in progress that takes many frames, and time is not paused."""
        return self.sim.in_tick and not self.clock.paused and self.pacing.is_slow

    def _run_or_pause(self, run: Callable[[], int]) -> int:
        """Call a function that runs ticks. If the next tick is refused, pause and show why.

        Returns: the number of ticks that ran.
        """
        first = self.sim.tick
        try:
            return run()
        except WorldError as error:  # the tick or a ledger has reached its limit
            self.clock.paused = True
            self.tell(str(error), "error")
            return self.sim.tick - first

    def run_to(self, tick: int) -> None:
        """Run until the world has reached a tick; do nothing if it has passed that tick."""
        self.finish_tick()
        while (left := tick - self.sim.tick) > 0:
            ticks = min(left, max(self._ticks_at_once(), 1))  # a full film waits for its encoder
            self.sim.step(ticks)
            self._ticks_ran()

    def _ticks_at_once(self) -> int:
        """The number of ticks after which `_ticks_ran` must be called; 0: a film must be encoded first."""
        most = 1 if self.pointer.holding or self.pointer.waiting else _MANY
        if self.recorder is None:
            return most
        if self.recorder.full:
            return 0
        return min(most, self.recorder.ticks_left)

    def _ticks_ran(self) -> None:
        """Act between two ticks: a held brush lays again, a film gets its next frame."""
        self.pointer.act_while_held()
        recorder = self.recorder
        if recorder is None:
            return
        waited = recorder.waited
        recorder.follow(self.sim.tick)
        if recorder.full and not waited:
            self.tell("The film is encoded more slowly than the world runs: the world waits, and no frame is lost.")
        if recorder.failed:
            self.attempt(lambda: self.do("record"))
            self.tell("the recording has ended", "error")

    def write(self, at: tuple[int, int], cells: np.ndarray, before: Arrays, after: Arrays, given: bool = False) -> None:
        """Overwrite a rectangle of cells as a part of the open edit, or of a new one.

        Args:
            at: (column, row) of the top left cell.
            cells: (height, width) bool, the cells that the edit changes.
            before, after: all fields of the rectangle by name, each (height, width) or with more axes, of the field's
                type.
            given: as for `Workbench.write_window`.
        Raises: WorldError: as `Workbench.write_window`.
        """
        self.sim.write_window(at, after, given)
        self.history.note(self.sim.tick, at, cells, before, after, given)
        self.unsaved = True
        if self.history.wants_root:
            self.history.keep(self.sim.read(), root=True)

    def lay(self, cells: Runs, stroke: Stroke) -> None:
        """Apply a brush to cells, as a part of the open edit, or of a new one; waits for the device in rare cases only.

        It waits where an earlier edit has notes to read, the history needs the world, or `Workbench.paint` waits.

        Args:
            cells: the cells that it touches, all in the world; there may be none.
            stroke: what the brush does.
        Raises: WorldError: as `Workbench.paint`.
        """
        if not cells:
            return
        copies, moment = self.history.copies_for(self.sim.tick, cells, self.sim.new_copies)
        with held_back():  # Ctrl-C must not come between a stroke and its place in the history
            self.sim.paint(cells, stroke, copies, moment)
            self.history.note_touch(Touch(self.sim.tick, cells, stroke))
        if self._unread is not copies:
            self._read_notes()
        if not self._unsaved or not self.told_of_walls:
            self._unread = copies
        if self.history.wants_root:
            self.history.keep(self.sim.read(), root=True)

    def _read_notes(self) -> None:
        """Read the notes of the last strokes from the device, if they are not read yet; see `EditCopies.found`."""
        copies, self._unread = self._unread, None
        if copies is None:
            return
        self._unsaved = self._unsaved or copies.any
        if not self.told_of_walls and (number := copies.spared):
            self.told_of_walls = True
            kept = self.sim.blank.materials.records[number].name
            self.tell(f'You cannot paint over {kept}: erase it, or switch on "Paint over walls" in the tool panel.')

    @property
    def unsaved(self) -> bool:
        """True if the world was edited after it was last saved or opened. Can be set."""
        self._read_notes()
        return self._unsaved

    @unsaved.setter
    def unsaved(self, unsaved: bool) -> None:
        self._read_notes()
        self._unsaved = unsaved

    @property
    def messages(self) -> list[Message]:
        """The latest messages, the last one at the end. Can be set."""
        self._read_notes()
        return self._messages

    @messages.setter
    def messages(self, messages: list[Message]) -> None:
        self._messages = messages

    def run_from(self, world: World, writes: Sequence[Event], tick: int) -> None:
        """Continue from a stored world to a tick, and repeat writes and strokes on the way, each at its tick."""
        self.show(world)
        for write in writes:
            self.sim.step(write.tick - self.sim.tick)
            if isinstance(write, Touch):
                self.sim.paint(write.cells, write.stroke)
                continue
            arrays = self.sim.read_window(write.at, write.size)
            write.put_into(arrays, write.at)
            self.sim.write_window(write.at, arrays, write.given)
        self.sim.step(tick - self.sim.tick)
        self._note_jump()

    def film_frame(self, scale: str) -> np.ndarray:
        """The picture of the whole world at a scale, (height, width, 3) uint8, sRGB, as a film shows it."""
        return self.sim.picture(PictureSettings(scale, self.overlay, look=self.look))

    def picture(self) -> moderngl.Texture:
        """Draw the camera's view of the world: an rgba8 texture of the camera's `drawn_size`, row 0 at the top."""
        return self.pacing.draw(self.sim, self.camera, self.overlay, self.look)

    def inspect(self, pixel: tuple[float, float]) -> list[tuple[str, str]]:
        """(name, value with unit) for each field of the cell at a pixel (x, y); empty outside the world."""
        cell = self.camera.cell_at(pixel)
        return [] if cell is None else inspect_cell(self.sim, cell)

    @property
    def materials(self) -> list[str]:
        """Names of the materials that can be painted: powders, liquids, gases, solids, each group by number."""
        laws = self.sim.blank
        records = sorted(laws.materials, key=lambda record: (record.state - State.POWDER) % 4)
        amounts = amount_fields(laws)
        return [
            record.name for record in records if record.name in amounts or (laws.can_hold(record.name) and record.state)
        ]

    @property
    def words(self) -> MaterialWords:
        """Descriptions of the world's materials in words."""
        if self._words.laws is not self.sim.blank.laws:
            self._words = MaterialWords(self.sim.blank.laws)
        return self._words

    @property
    def idle(self) -> dict[str, tuple[str, ...]]:
        """The materials that can do nothing in the world, each with the rules that it needs; see `idle_materials`."""
        laws = self.sim.blank.laws
        if self._idle is None or self._idle[0] is not laws:
            self._idle = laws, idle_materials(laws)
        return self._idle[1]

    def idle_text(self, name: str) -> str:
        """A sentence that names the rule that a material of `idle` needs, and the place of the button that adds it."""
        return f"{name} needs rule {self.idle[name][-1]} to do what it is for; the palette has a button that adds it"

    @property
    def overlays(self) -> list[Overlay]:
        """The overlays of the world's rules: quantities in false colour, and lines."""
        laws = self.sim.blank
        return [overlay for _, overlay in overlays_of(laws.rules, laws.mixture.names).values()]

    @property
    def recording(self) -> bool:
        """True if a film is being recorded."""
        return self.recorder is not None

    def _needs_trace(self, overlay: str) -> bool:
        return find_overlay(self.sim.blank, overlay).traces

    def close(self) -> None:
        """Stop recording, release the simulation's device memory, and forget the history.

        Raises: OutputError: the film could not be finished; no message could still be shown.
        """
        recorder, self.recorder = self.recorder, None
        try:
            if recorder is not None:
                recorder.stop()
        finally:
            self.sim.close()
            self.history, self._unread = History(self.first), None


def replay(world: World, log: list[LoggedAction], until: int = 0, device: Device | None = None) -> Viewer:
    """Repeat the actions of a log.

    Args:
        world: the first world of the log.
        log: the actions; each runs at its tick.
        until: the tick to run to after the last action.
        device: as for `Viewer`.
    Returns: the viewer, which the caller closes.
    """
    viewer = Viewer(world, device)
    viewer.clock.paused = True
    for entry in log:
        viewer.run_to(entry.tick)
        viewer.do(entry.name, **entry.arguments)
    viewer.run_to(until)
    return viewer
