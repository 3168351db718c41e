// The picture of the world, and what lies over it: the brush, what is dragged out, emitters and drains.

const HEAD = 36; // bytes; see HEAD in serve/frames.py
const PIXELS_MOST = 2_000_000;
const DRAGGED = { rectangle: "box", drain: "box", line: "line", emitter: "line", velocity: "line" };
const BRUSHED = ["paint", "erase", "replace", "emitter", "warm", "cool"];

export class View {
  constructor(connection) {
    this.connection = connection;
    this.picture = document.getElementById("picture");
    this.outlines = document.getElementById("outlines");
    this.state = null;
    this.factors = []; // the factors at which the server draws, pixels for each cell, ascending
    this.ratio = 1; // pixels of the picture for each CSS pixel
    this.place = null; // where the world lies: {x, y, cell}, in pixels of the picture
    this.pointer = null; // where the pointer is, in pixels of the picture; null: not over the world
    this.drag = null; // where a drag began, and its kind
    this.delays = [];
    this.shown = []; // the times of the last frames
    this.waiting = Promise.resolve();
    new ResizeObserver(() => this.resize()).observe(this.picture);
  }

  /**
   * Pixels of the picture for each CSS pixel. On a phone as many as make a cell a whole number of them where the world
   * fills its place: the server draws at whole factors only.
   */
  wantedRatio() {
    const { clientWidth, clientHeight } = this.picture;
    const most = Math.sqrt(PIXELS_MOST / Math.max(clientWidth * clientHeight, 1));
    const usual = Math.min(window.devicePixelRatio || 1, most);
    if (!this.state || !this.factors.length || !getComputedStyle(this.picture).getPropertyValue("--fills")) return usual;
    const cell = Math.min(clientWidth / this.state.size[0], clientHeight / this.state.size[1]); // in CSS pixels
    const possible = this.factors.map((factor) => factor / cell).filter((ratio) => ratio <= most);
    return possible.find((ratio) => ratio >= usual) ?? possible.at(-1) ?? usual;
  }

  /** Take the size of the screen's part, and that of the world if it is another one. */
  resize() {
    const { clientWidth, clientHeight } = this.picture;
    if (!clientWidth || !clientHeight) return;
    this.ratio = this.wantedRatio();
    const width = Math.max(Math.round(clientWidth * this.ratio), 1);
    const height = Math.max(Math.round(clientHeight * this.ratio), 1);
    if (this.size?.[0] === width && this.size?.[1] === height) return;
    this.size = [width, height];
    for (const canvas of [this.picture, this.outlines]) [canvas.width, canvas.height] = this.size;
    if (this.last) this.drawPicture(); // as it was, until there is a picture for the new size
    this.tell();
  }

  /** Say the size to the server, after a change and on a new connection. */
  tell() {
    if (this.size) this.connection.send({ type: "size", width: this.size[0], height: this.size[1] });
  }

  /** Show a frame, after those before it, and then answer it: also one that cannot be shown, for the next one to come. */
  frame(data) {
    const number = new DataView(data).getUint32(0, true);
    this.waiting = this.waiting.then(() => this.show(data)).catch((error) => console.error(error))
      .then(() => this.connection.send({ type: "got", frame: number }));
  }

  async show(data) {
    const head = new DataView(data, 0, HEAD);
    const heard = head.getUint32(4, true);
    const [x, y, width, height, left, top, cell] = Array.from({ length: 7 }, (_, at) => head.getFloat32(8 + 4 * at, true));
    const image = await createImageBitmap(new Blob([new Uint8Array(data, HEAD)]));
    this.last?.image.close();
    this.last = { image, x, y, width, height };
    this.place = { x: left, y: top, cell };
    this.drawPicture();
    const delay = this.connection.delay(heard);
    if (delay !== undefined) this.delays = [...this.delays.slice(-49), delay];
    this.shown = [...this.shown.slice(-60), performance.now()];
    document.body.dataset.frames = String(Number(document.body.dataset.frames ?? 0) + 1);
    this.drawOutlines();
  }

  drawPicture() {
    const { image, x, y, width, height } = this.last, context = this.picture.getContext("2d");
    context.fillStyle = this.state?.beyond ?? "#33363b";
    context.fillRect(0, 0, this.picture.width, this.picture.height);
    context.imageSmoothingEnabled = width < image.width; // cells that are enlarged stay sharp
    context.drawImage(image, x, y, width, height);
    const box = [this.place.x, this.place.y, this.state?.size[0] * this.place.cell, this.state?.size[1] * this.place.cell];
    if (!this.state) return;
    context.strokeStyle = "#6e7585"; // the edge of the world, which nothing else shows by night
    context.strokeRect(Math.round(box[0]) - 0.5, Math.round(box[1]) - 0.5, Math.round(box[2]) + 1, Math.round(box[3]) + 1);
  }

  /** Frames a second lately; 0 if nothing has changed. */
  get rate() {
    const recent = this.shown.filter((when) => when > performance.now() - 1000);
    return recent.length < 2 ? 0 : (1000 * (recent.length - 1)) / (recent.at(-1) - recent[0]);
  }

  /** The middle of the last delays between an input and its picture, in milliseconds. */
  get delay() {
    return [...this.delays].sort((a, b) => a - b)[this.delays.length >> 1];
  }

  drawOutlines() {
    const context = this.outlines.getContext("2d");
    context.clearRect(0, 0, this.outlines.width, this.outlines.height);
    if (!this.place || !this.state?.brush) return;
    const { x, y, cell } = this.place, { mode, shape, size } = this.state.tool;
    if (["emitter", "drain", "remove"].includes(mode))
      for (const [column, row, width, height] of this.state.ports) this.box(context, x + column * cell, y + row * cell, width * cell, height * cell);
    const kind = this.drag && (DRAGGED[this.drag.kind]);
    if (kind && this.pointer) {
      const { from } = this.drag, to = this.pointer;
      if (kind === "box") this.box(context, Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y));
      else this.twice(context, () => { context.beginPath(); context.moveTo(from.x, from.y); context.lineTo(to.x, to.y); context.stroke(); });
    } else if (this.pointer && BRUSHED.includes(mode)) {
      const column = Math.floor((this.pointer.x - x) / cell), row = Math.floor((this.pointer.y - y) / cell);
      const reach = size % 2 ? (size - 1) / 2 : size / 2;
      const left = x + (column - reach) * cell, top = y + (row - reach) * cell, side = (2 * reach + 1) * cell;
      if (shape === "square" || mode === "emitter") this.box(context, left, top, side, side);
      else this.twice(context, () => { context.beginPath(); context.arc(left + side / 2, top + side / 2, side / 2, 0, 7); context.stroke(); });
    }
  }

  box(context, x, y, width, height) { this.twice(context, () => context.strokeRect(x, y, width, height)); }

  /** Draw a line twice, dark and then light, so that it is seen on every ground. */
  twice(context, draw) {
    context.lineWidth = 3 * this.ratio; context.strokeStyle = "rgb(0 0 0 / 60%)"; draw();
    context.lineWidth = 1.2 * this.ratio; context.strokeStyle = "#fff"; draw();
  }
}
