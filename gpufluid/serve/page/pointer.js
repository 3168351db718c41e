// Mouse, pen and touch over the world. The server has the tool; the page says where the pointer is.

const BUTTONS = { 0: "left", 1: "middle", 2: "right" };
const TOUCH_WAITS = 90; // milliseconds for which a touch waits for a second finger
const TOUCH_MOVES = 6; // CSS pixels after which it waits no longer
const PINCH = 1.22; // by how much two fingers spread for a step of the zoom
const WHEEL = 100; // what a wheel's notch says

export class Pointer {
  constructor(connection, view, keys) {
    this.connection = connection;
    this.view = view;
    this.keys = keys;
    this.fingers = new Map();
    this.pressed = null; // the button that the server knows as pressed
    this.begun = null; // a touch that waits for a second finger
    this.pinch = null;
    this.turned = 0;
    this.moved = false;
    const world = view.picture;
    world.addEventListener("pointerdown", (event) => this.down(event));
    world.addEventListener("pointermove", (event) => this.move(event));
    world.addEventListener("pointerup", (event) => this.up(event));
    world.addEventListener("pointercancel", (event) => { this.forgetTouch(); this.up(event); });
    world.addEventListener("pointerleave", () => { if (!this.pressed) { view.pointer = null; view.drawOutlines(); } });
    world.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    world.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  at(event) {
    const box = this.view.picture.getBoundingClientRect();
    return { x: (event.clientX - box.left) * this.view.ratio, y: (event.clientY - box.top) * this.view.ratio };
  }

  held(event) {
    return ["ctrl", "alt", "shift"].filter((name) => event[`${name}Key`]).concat(this.keys.space ? ["space"] : []);
  }

  down(event) {
    event.preventDefault();
    this.view.picture.focus({ preventScroll: true });
    this.view.picture.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, this.at(event));
    if (event.pointerType === "touch" && this.fingers.size === 2) return this.beginPinch();
    if (this.fingers.size > 1) return;
    if (event.pointerType !== "touch") return this.press(BUTTONS[event.button], this.at(event), this.held(event));
    this.begun = { event, at: this.at(event), timer: setTimeout(() => this.pressTouch(), TOUCH_WAITS) };
  }

  pressTouch() {
    if (!this.begun) return;
    const { at } = this.begun;
    this.forgetTouch();
    this.press("left", at, []);
  }

  /** End the wait for a second finger without a press. */
  forgetTouch() {
    if (this.begun) clearTimeout(this.begun.timer);
    this.begun = null;
  }

  press(button, at, modifiers) {
    if (!button) return;
    this.view.pointer = at;
    this.pressed = button;
    const mode = this.view.state?.tool.mode;
    this.view.drag = { from: at, kind: modifiers.includes("alt") ? "velocity" : button === "left" && !modifiers.includes("space") ? mode : "" };
    this.keys.used = true; // the space bar was held for a drag, and does not pause
    this.connection.input({ type: "press", button, ...at, modifiers });
  }

  move(event) {
    const at = this.at(event);
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, at);
    if (this.pinch) return this.movePinch();
    if (this.begun) {
      if (Math.hypot(at.x - this.begun.at.x, at.y - this.begun.at.y) < TOUCH_MOVES * this.view.ratio) return;
      this.pressTouch();
    }
    this.view.pointer = at;
    this.view.drawOutlines();
    this.modifiers = this.held(event);
    if (this.moved) return;
    this.moved = true; // one message for all moves of a frame of the screen
    requestAnimationFrame(() => this.sendMove());
  }

  sendMove() {
    if (!this.moved) return;
    this.moved = false;
    if (this.view.pointer) this.connection.input({ type: "move", ...this.view.pointer, modifiers: this.modifiers });
  }

  up(event) {
    this.pressTouch();
    const at = this.at(event);
    this.fingers.delete(event.pointerId);
    if (this.pinch) {
      if (this.fingers.size < 2) this.pinch = null;
      return;
    }
    if (this.fingers.size) return;
    this.release(at, this.held(event));
    if (event.pointerType === "touch") { this.view.pointer = null; this.view.drawOutlines(); }
  }

  release(at, modifiers) {
    if (!this.pressed) return;
    this.sendMove();
    this.connection.input({ type: "release", button: this.pressed, ...at, modifiers });
    this.pressed = this.view.drag = null;
    this.view.drawOutlines();
  }

  wheel(event) {
    event.preventDefault();
    this.turned += event.deltaMode ? Math.sign(event.deltaY) * WHEEL : event.deltaY;
    const steps = Math.trunc(this.turned / WHEEL) || (Math.abs(event.deltaY) >= WHEEL / 2 ? Math.sign(event.deltaY) : 0);
    if (!steps) return;
    this.turned = 0;
    this.connection.input({ type: "wheel", steps: Math.max(-8, Math.min(8, -steps)), ...this.at(event), modifiers: this.held(event) });
  }

  beginPinch() {
    this.forgetTouch();
    if (this.pressed) this.release(this.view.pointer, []);
    this.view.pointer = null;
    this.pinch = this.spread();
  }

  spread() {
    const [a, b] = [...this.fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.hypot(a.x - b.x, a.y - b.y) };
  }

  /** Two fingers move the view, and zoom in steps, because cells are drawn at whole factors. */
  movePinch() {
    const now = this.spread(), { x, y, wide } = this.pinch;
    const zoom = now.wide / wide;
    if (Math.hypot(now.x - x, now.y - y) >= 2) {
      this.connection.act("pan", { x: now.x - x, y: now.y - y });
      [this.pinch.x, this.pinch.y] = [now.x, now.y];
    }
    if (zoom > PINCH || zoom < 1 / PINCH) {
      this.connection.act("zoom", { steps: zoom > 1 ? 1 : -1, at: [now.x, now.y] });
      this.pinch.wide = now.wide;
    }
  }
}
