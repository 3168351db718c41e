// The connection to the server. It is made anew when it breaks, under the same name, so that the page keeps its view and its tool.

const FULL = 4429, TAKEN = 4409; // see serve/mailbox.py
const NAME = "gpufluid-page";
const PROBE_MS = 2000;
const SECONDS = [0.3, 1, 2, 4];

/** The random name of this page. It lasts as long as the tab, and so over a reload. */
function pageName() {
  let name = sessionStorage.getItem(NAME);
  if (!name) {
    name = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem(NAME, name);
  }
  return name;
}

export const token = new URLSearchParams(location.search).get("token") ?? "";

export class Connection {
  /** @param handlers opened(), lost(words), told(object), frame(ArrayBuffer) */
  constructor(handlers) {
    this.handlers = handlers;
    this.tries = 0;
    this.number = 0;
    this.sent = new Map(); // the time at which an input was sent, by its number
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const words = new URLSearchParams({ token, page: pageName() });
    this.socket = new WebSocket(`${scheme}://${location.host}/live?${words}`);
    this.socket.binaryType = "arraybuffer";
    let opened = false;
    this.socket.onopen = () => { opened = true; this.tries = 0; this.handlers.opened(); };
    this.socket.onmessage = (event) => {
      if (typeof event.data === "string") this.handlers.told(JSON.parse(event.data));
      else this.handlers.frame(event.data);
    };
    this.socket.onclose = (event) => this.closed(event.code, opened);
  }

  /** The connection has ended, or could not be made: try again, unless the server does not know this address. */
  async closed(code, opened) {
    if (code === TAKEN) sessionStorage.removeItem(NAME); // a copy of this tab has the name: take another one
    this.handlers.lost(code === FULL ? "Too many pages are open. Trying again ..." : "The connection is lost. Trying again ...");
    if (!opened && await this.refused()) {
      this.handlers.lost("The server was started anew: open the address that it has printed this time.");
      return;
    }
    setTimeout(() => this.open(), 1000 * SECONDS[Math.min(this.tries++, SECONDS.length - 1)]);
  }

  /** True if there is a server that refuses the token. A browser does not tell a page why a WebSocket was refused. */
  async refused() {
    try {
      return (await fetch(location.href, { method: "HEAD", signal: AbortSignal.timeout(PROBE_MS) })).status === 403;
    } catch {
      return false; // there is no server, or no way to it
    }
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Send an input. The first frame that shows it says how long that took. */
  input(message) {
    this.number += 1;
    this.sent.set(this.number, performance.now());
    if (this.sent.size > 200) this.sent.delete(this.sent.keys().next().value);
    this.send({ ...message, number: this.number });
  }

  act(name, args = {}) { this.input({ type: "act", name, arguments: args }); }

  /** Milliseconds from the last input that a frame shows to now; undefined if it shows none. */
  delay(heard) {
    const when = this.sent.get(heard);
    for (const number of this.sent.keys()) if (number <= heard) this.sent.delete(number);
    return when === undefined ? undefined : performance.now() - when;
  }
}
