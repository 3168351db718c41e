// Keys: the chords are those of the window, and the server has the one table of what they do.

const NAMES = {
  " ": "space", Escape: "escape", Enter: "enter", Tab: "tab", Backspace: "backspace", Delete: "delete", Insert: "insert",
  Home: "home", End: "end", PageUp: "pageup", PageDown: "pagedown",
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down",
};
const BY_PLACE = { // what a key is without Shift, where the browser says only what it is with Shift
  Period: ".", Comma: ",", Minus: "-", Equal: "=", BracketLeft: "[", BracketRight: "]", Slash: "/", Semicolon: ";", Quote: "'", Backslash: "\\", Backquote: "`",
};

/** The name of a chord, such as ctrl+shift+z; null for a modifier alone. */
export function chord(event) {
  let key = NAMES[event.key] ?? (/^F\d+$/.test(event.key) ? event.key.toLowerCase() : null);
  if (!key && /^Digit\d$/.test(event.code)) key = event.code.at(-1);
  if (!key && event.shiftKey && BY_PLACE[event.code]) key = BY_PLACE[event.code];
  if (!key && [...event.key].length === 1) key = event.key.toLowerCase();
  if (!key) return null;
  return ["ctrl", "alt", "shift"].filter((name) => event[`${name}Key`]).concat(key).join("+");
}

/** The chord of a sign for which a keyboard needs Shift, such as +; null for other keys. */
function asWritten(event) {
  if (!event.shiftKey || [...event.key].length !== 1 || /[a-z0-9]/i.test(event.key)) return null;
  return ["ctrl", "alt"].filter((name) => event[`${name}Key`]).concat(event.key).join("+");
}

export class Keys {
  /** @param inPage what the page does by itself, by the name of the action */
  constructor(connection, inPage) {
    this.connection = connection;
    this.inPage = inPage;
    this.table = {};
    this.space = false; // whether the space bar is held
    this.used = false; // whether a drag began while it was
    addEventListener("keydown", (event) => this.down(event));
    addEventListener("keyup", (event) => { if (event.key === " ") this.endSpace(event); });
    addEventListener("blur", () => { this.space = false; });
  }

  typing(event) {
    return event.target.matches?.("input[type=search]") || document.querySelector("dialog[open]");
  }

  down(event) {
    const pressed = chord(event);
    if (!pressed || event.metaKey) return; // the browser's own, such as Cmd+R
    if (this.typing(event)) {
      if (pressed === "escape") event.target.blur();
      if (!/^f\d+$/.test(pressed)) return;
    }
    const bound = this.table[pressed] ?? this.table[asWritten(event)];
    if (!bound) return;
    event.preventDefault();
    if (pressed === "space") { // it acts when it is let go, unless a drag has used it
      if (!event.repeat) { this.space = true; this.used = false; }
    } else this.run(bound[0], this.table[pressed] ? pressed : asWritten(event));
  }

  endSpace(event) {
    if (!this.space) return;
    event.preventDefault();
    this.space = false;
    if (!this.used) this.run(this.table.space[0], "space");
  }

  run(name, pressed) {
    if (this.inPage[name]) this.inPage[name]();
    else this.connection.input({ type: "key", chord: pressed });
  }
}
