// The panels around the world: tools, palette, time, overlays, statistics. All are drawn from messages of the server.

import { found, rank } from "./search.js";

const ANSWERED = 1000; // milliseconds in which the server answers: until then a control shows what one has set

const byId = (id) => document.getElementById(id);

/** A new element with a class and children, which are elements or texts. */
export function element(tag, className = "", ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** A small square of a colour. */
export function swatch(colour) {
  const made = element("i");
  made.style.background = colour;
  return made;
}

function rows(table, pairs) {
  table.replaceChildren(...pairs.map(([name, value]) => element("tr", "", element("td", "", name), element("td", "", String(value)))));
}

/** A slider of 0 to 1000 for a number from `low` to `high`, each step the same factor. */
const logarithmic = (low, high) => ({
  place: (value) => (1000 * Math.log(value / low)) / Math.log(high / low),
  value: (place) => low * (high / low) ** (place / 1000),
});

export class Panels {
  constructor(connection) {
    this.connection = connection;
    this.facts = null;
    this.state = null;
    this.held = new Map(); // the controls that one has just set, with their timers: what the server says does not move them
    this.waiting = new Map(); // actions of sliders, sent once in each frame of the screen
    for (const button of document.querySelectorAll("[data-act]")) {
      const ticks = button.dataset.ticks;
      button.addEventListener("click", () => connection.act(button.dataset.act, ticks ? { ticks: Number(ticks) } : {}));
    }
    for (const button of document.querySelectorAll("[data-panel]"))
      button.addEventListener("click", () => connection.act("panel", { name: button.dataset.panel }));
    byId("take").addEventListener("click", () => connection.send({ type: "brush" }));
    byId("fastest").addEventListener("click", () => connection.act("rate", { ticks: this.state?.rate === null ? 60 : null }));
    for (const id of ["over_walls", "mix"])
      byId(id).addEventListener("change", (event) => { this.hold(id); connection.act(id, { on: event.target.checked }); });
    byId("search").addEventListener("input", () => this.drawPalette());
    byId("search").addEventListener("keydown", (event) => {
      if (event.key === "Enter" && byId("search").value.trim()) byId("materials").querySelector("[data-material]")?.click();
    });
    byId("help").addEventListener("close", () => { if (this.state?.panels.includes("help")) connection.act("panel", { name: "help" }); });
    // A button keeps no focus: the space bar pauses, wherever one has clicked.
    addEventListener("click", (event) => event.target.closest("button")?.blur());
  }

  /** Leave a control as it is, while it is being moved or else until the server can have answered. */
  hold(id, moving = false) {
    clearTimeout(this.held.get(id));
    const end = () => { this.held.delete(id); if (this.state) this.drawState(this.state); };
    this.held.set(id, moving ? null : setTimeout(end, ANSWERED));
  }

  /** Connect a slider with an action. */
  slider(id, scale, said, act) {
    const input = byId(id), output = byId(`${id}-said`);
    input.oninput = () => {
      this.hold(id, true);
      const value = scale.value(Number(input.value));
      output.textContent = said(value);
      if (!this.waiting.size) requestAnimationFrame(() => { for (const send of this.waiting.values()) send(); this.waiting.clear(); });
      this.waiting.set(id, () => act(value));
    };
    input.onchange = () => { this.hold(id); input.blur(); };
    return (value) => {
      if (this.held.has(id)) return;
      input.value = scale.place(value);
      output.textContent = said(value);
    };
  }

  drawFacts(facts) {
    this.facts = facts;
    document.title = facts.title ? `${facts.title} - gpufluid` : "gpufluid";
    byId("title").textContent = facts.title || "gpufluid";
    const { connection } = this, { limits } = facts;
    const linear = { place: (value) => value, value: (place) => place };
    const ticks = (value) => (value === null ? "unlimited" : `${Math.round(value)} ticks/s`);
    const rate = logarithmic(1, limits.rate);
    for (const id of ["throw-x", "throw-y"]) [byId(id).min, byId(id).max] = [-limits.speed, limits.speed];
    const thrown = () => ({ x: Number(byId("throw-x").value), y: Number(byId("throw-y").value) });
    this.set = {
      size: this.slider("size", logarithmic(1, limits.size), (cells) => `${Math.round(cells)} cells`, (cells) => connection.act("brush_size", { cells: Math.round(cells) })),
      share: this.slider("share", logarithmic(limits.share, 1), (share) => `${(100 * share).toPrecision(2)} %`, (share) => connection.act("pour_rate", { share: Math.min(share, 1) })),
      amount: this.slider("amount", { place: (cells) => 100 * cells, value: (place) => place / 100 }, (cells) => `${cells.toFixed(2)} cell`, (cells) => connection.act("amount", { cells })),
      degrees: this.slider("degrees", logarithmic(...limits.degrees), (count) => `${count.toPrecision(3)} °C`, (count) => connection.act("degrees", { count: Math.round(count * 8) / 8 || 0.125 })),
      throwX: this.slider("throw-x", linear, (speed) => speed.toFixed(1), () => connection.act("velocity", thrown())),
      throwY: this.slider("throw-y", linear, (speed) => speed.toFixed(1), () => connection.act("velocity", thrown())),
      rate: this.slider("rate", { place: (value) => rate.place(value ?? limits.rate), value: rate.value }, ticks, (value) => connection.act("rate", { ticks: Math.round(value) })),
    };
    byId("amount-row").hidden = !facts.amounts.length;
    byId("mix-row").hidden = !facts.mixes;
    byId("degrees-row").hidden = !facts.warm;
    for (const row of document.querySelectorAll(".throw")) row.hidden = !facts.throws;
    byId("modes").replaceChildren(...facts.modes.map((mode) => this.chip("tool", { mode: mode.name }, mode.label, mode.about, "mode", mode.name)));
    byId("shapes").replaceChildren(...facts.shapes.map((shape) => this.chip("shape", { name: shape.name }, shape.name, shape.about, "shape", shape.name)));
    byId("overlay-list").replaceChildren(
      this.chip("no_overlay", {}, "none", "Show the materials.", "overlay", ""),
      ...facts.overlays.map((each) => this.chip("overlay", { name: each.name }, each.name, each.about, "overlay", each.name)),
    );
    byId("help-rows").replaceChildren(...facts.help.flatMap((section) => {
      const table = element("table");
      rows(table, section.rows);
      return [element("h2", "", section.title), table];
    }));
    byId("quick").replaceChildren(...this.favourites());
    this.drawPalette();
    if (this.state) this.drawState(this.state);
  }

  /** A button for one of several choices; data-<kind> says which. */
  chip(action, args, label, about, kind, value) {
    const made = element("button", "chip", label);
    made.title = about;
    made.dataset[kind] = value;
    made.addEventListener("click", () => this.connection.act(action, args));
    return made;
  }

  material(record, faint) {
    const made = this.chip("material", { name: record.name }, record.name, record.about, "material", record.name);
    made.prepend(swatch(record.colour));
    made.classList.toggle("faint", faint);
    return made;
  }

  /** A button for each favourite. */
  favourites() {
    return this.facts.favourites.map((each, place) => {
      const made = this.chip("favourite", { place }, each.name, each.about, "favourite", each.name);
      made.prepend(swatch(each.colour));
      made.append(element("kbd", "", each.key));
      made.classList.toggle("faint", !each.can);
      return made;
    });
  }

  drawPalette() {
    if (!this.facts) return;
    const word = byId("search").value.trim(), { palette, idle } = this.facts, parts = [];
    const chips = (materials, faint) => materials.map((each) => this.material(each, faint));
    const add = (rule) => this.chip("add_rules", { rules: [rule] }, `Add ${rule}`, `Add rule ${rule} to this world. Undo takes it back.`, "rule", rule);
    const needing = ({ rule, materials }) => [element("h2", "", `Need ${rule}`), element("div", "chips", add(rule), ...chips(materials, true))];
    if (word) {
      // What the text fits best comes first: Enter chooses it.
      const groups = [{ materials: palette.flatMap((each) => each.materials) }, ...idle]
        .map((each) => ({ ...each, materials: found(word, each.materials) })).filter((each) => each.materials.length)
        .sort((one, other) => rank(word, one.materials[0].name) - rank(word, other.materials[0].name));
      for (const group of groups) parts.push(...(group.rule ? needing(group) : [element("div", "chips", ...chips(group.materials, false))]));
    } else {
      parts.push(element("h2", "favourites", "Favourites"), element("div", "chips favourites", ...this.favourites()));
      for (const group of palette) parts.push(element("h2", "", group.title), element("div", "chips", ...chips(group.materials, false)));
      for (const group of idle) parts.push(...needing(group));
    }
    byId("materials").replaceChildren(...parts);
    if (word) byId("materials").querySelector("[data-material]")?.append(element("kbd", "", "Enter"));
    this.mark();
  }

  /** Mark the chosen one of each group of buttons. */
  mark() {
    if (!this.state) return;
    const { tool, overlay } = this.state;
    const paints = this.facts?.modes.find((mode) => mode.name === tool.mode)?.paints;
    const chosen = { mode: tool.mode, shape: tool.shape, overlay: overlay ?? "", material: tool.material };
    for (const [kind, value] of Object.entries(chosen))
      for (const button of document.querySelectorAll(`[data-${kind}]`)) button.classList.toggle("chosen", button.dataset[kind] === value);
    for (const button of document.querySelectorAll("[data-favourite]"))
      button.classList.toggle("chosen", button.dataset.favourite === "erase" ? tool.mode === "erase" : paints && button.dataset.favourite === tool.material);
  }

  drawState(state) {
    this.state = state;
    document.body.classList.toggle("watching", !state.brush);
    byId("take").hidden = state.brush;
    byId("pause").textContent = state.paused ? "Run" : "Pause";
    byId("pause").classList.toggle("chosen", state.paused);
    byId("fastest").classList.toggle("chosen", state.rate === null);
    for (const id of ["undo", "redo", "back"]) byId(id).disabled = !state[id];
    byId("record").textContent = state.recording ? "End the film" : "Film";
    byId("record").classList.toggle("recording", state.recording);
    byId("tint").classList.toggle("chosen", state.tint);
    byId("theme").classList.toggle("chosen", state.theme === "night");
    const people = state.people === 1 ? "" : `   ${state.people} people`;
    byId("said").textContent = `tick ${state.tick.toLocaleString("en")}   ${state.speed} ticks/s${people}`;
    byId("digest").textContent = state.digest.text ? `${state.digest.text.slice(0, 16)} at ${state.digest.tick}` : "";
    byId("digest").dataset.digest = state.digest.text;
    byId("digest").dataset.tick = state.digest.tick;
    for (const button of document.querySelectorAll("[data-panel]")) button.classList.toggle("chosen", state.panels.includes(button.dataset.panel));
    for (const id of ["overlays", "inspector", "statistics"]) byId(id).hidden = !state.panels.includes(id);
    const help = byId("help"), wanted = state.panels.includes("help");
    if (wanted && !help.open) help.showModal();
    if (!wanted && help.open) help.close();
    this.drawLegend(state.legend);
    rows(byId("cell"), state.cell.length ? state.cell : [["", "Point at a cell of the world."]]);
    byId("files").hidden = !state.files.length;
    if (this.facts && this.set) this.drawTool(state);
    this.mark();
  }

  drawTool(state) {
    const { tool } = state, mode = this.facts.modes.find((each) => each.name === tool.mode);
    this.set.size(tool.size);
    this.set.share(tool.share);
    this.set.amount(tool.amount);
    this.set.degrees(tool.degrees);
    this.set.throwX(tool.throw[0]);
    this.set.throwY(tool.throw[1]);
    this.set.rate(state.rate);
    for (const id of ["over_walls", "mix"]) if (!this.held.has(id)) byId(id).checked = tool[id];
    byId("degrees-row").classList.toggle("off", !mode?.heats);
    this.drawNow(tool, mode);
  }

  /** The tool and its material, which a phone always shows. */
  drawNow({ material, mode: name }, mode) {
    const label = name === "paint" ? "" : mode?.label ?? name;
    const said = [label, mode?.paints ? material : ""].filter(Boolean).join(": ");
    if (byId("now").dataset.said === said) return;
    byId("now").dataset.said = said;
    const groups = [...this.facts.palette, ...this.facts.idle].flatMap((group) => group.materials);
    const colour = mode?.paints && groups.find((each) => each.name === material)?.colour;
    byId("now").replaceChildren(...(colour ? [swatch(colour)] : []), element("span", "", said));
  }

  drawLegend(legend) {
    byId("legend").hidden = !legend;
    if (!legend) return;
    byId("legend-label").textContent = legend.label;
    byId("legend-bar").replaceChildren(...legend.colours.map(swatch));
    byId("legend-values").replaceChildren(...legend.values.map((value) => element("span", "", value)));
  }

  /** The statistics: first speeds; then the plot of the amounts of materials, temperatures, and the time of each pass. */
  drawStatistics(state, frames, delay) {
    if (!state.panels.includes("statistics")) return;
    rows(byId("speeds"), [
      ["tick", state.tick.toLocaleString("en")],
      ["ticks/s", state.speed],
      ["pictures/s", frames.toFixed(0)],
      ["delay", delay === undefined ? "" : `${delay.toFixed(0)} ms`],
      ["world", `${state.size[0]} x ${state.size[1]} cells`],
      ["actions", state.actions.toLocaleString("en")],
      ["digest", state.digest.text],
    ]);
  }

  drawCounts(found) {
    this.drawPlot(found);
    rows(byId("warmth"), found.temperatures);
    const most = Math.max(...found.passes.map(([, ms]) => ms), 1e-9);
    byId("passes").replaceChildren(...found.passes.map(([name, ms]) => {
      const bar = element("progress");
      [bar.max, bar.value] = [most, ms];
      return element("div", "", bar, element("span", "", name), element("span", "", `${ms.toFixed(3)} ms`));
    }));
  }

  drawPlot({ ticks, plots }) {
    const canvas = byId("plot"), context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    const most = Math.max(...plots.flatMap((each) => each.counts), 1) * 1.1;
    const [first, last] = [ticks[0], ticks.at(-1)];
    for (const { colour, counts } of plots) {
      context.beginPath();
      counts.forEach((count, at) => context.lineTo((canvas.width * (ticks[at] - first)) / Math.max(last - first, 1), canvas.height * (1 - count / most)));
      context.strokeStyle = colour;
      context.lineWidth = 1.5;
      context.stroke();
    }
    byId("plot-names").replaceChildren(...plots.map((each) => element("span", "", swatch(each.colour), `${each.name} ${each.now.toLocaleString("en")}`)));
  }
}
