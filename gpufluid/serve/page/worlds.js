// The dialog that opens, makes and resizes worlds. The server has its state; the page shows it and says what is chosen.

import { element, swatch } from "./panels.js";

const TITLES = { open: "Open", new: "New world", resize: "Resize the world" };
const VERBS = { new: "Create", resize: "Resize" };
const KINDS = { folder: "folder", scene: "scene", snapshot: "saved world", picture: "picture" };
const PLACES = [["left", "middle", "right"], ["top", "middle", "bottom"]];
const CELLS_MOST = 1_000_000; // of a side that is sent; the server says which are possible
const byId = (id) => document.getElementById(id);

export class Worlds {
  constructor(connection) {
    this.connection = connection;
    this.dialog = byId("worlds");
    this.state = null;
    this.folder = null;
    for (const button of document.querySelectorAll("[data-dialog]"))
      button.addEventListener("click", () => connection.act(button.dataset.dialog));
    for (const side of ["width", "height"])
      byId(side).addEventListener("input", () => this.chooseSide(side));
    for (const list of ["surroundings", "gravity", "rules"])
      byId(list).addEventListener("change", () => connection.act("choose", { [list]: byId(list).value }));
    byId("wanted").addEventListener("change", (event) => connection.act("choose", { large: event.target.checked }));
    byId("confirm").addEventListener("click", () => connection.act("confirm"));
    byId("save-first").addEventListener("click", () => connection.act("answer", { save: true }));
    byId("without").addEventListener("click", () => connection.act("answer", { save: false }));
    byId("stay").addEventListener("click", () => connection.act("close_dialog"));
    this.dialog.addEventListener("cancel", (event) => { event.preventDefault(); connection.act("close_dialog"); });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input, select")) byId("confirm").click();
    });
    this.drawPlaces();
  }

  chooseSide(side) {
    const cells = byId(side).valueAsNumber;
    if (Number.isInteger(cells)) this.connection.act("choose", { [side]: Math.min(Math.max(cells, -CELLS_MOST), CELLS_MOST) });
    this.drawConfirm();
  }

  /** Nine buttons for the place of the kept part in the new size. */
  drawPlaces() {
    for (const [row, vertical] of PLACES[1].entries())
      for (const [column, horizontal] of PLACES[0].entries()) {
        const made = element("button"), at = [column / 2, row / 2];
        made.title = made.ariaLabel = [vertical, horizontal].filter((word) => word !== "middle").join(" ") || "middle";
        made.dataset.align = String(at);
        made.addEventListener("click", () => this.connection.act("choose", { align: at }));
        byId("places").append(made);
      }
  }

  drawFacts(facts) {
    this.facts = facts;
    for (const [list, known] of Object.entries(facts.worlds))
      byId(list).replaceChildren(...Object.entries(known).map(([name, words]) => new Option(words, name)));
    if (this.state) this.draw(this.state);
    this.drawPicture(facts.picture);
  }

  drawState({ dialog, changed }) {
    byId("picture-changed").hidden = !changed;
    for (const input of byId("matched").querySelectorAll("select")) input.disabled = changed;
    if (!dialog) {
      this.state = this.folder = null;
      if (this.dialog.open) this.dialog.close();
      return;
    }
    // Only what has changed is drawn: a button that is replaced while it is pressed would not be clicked.
    if (JSON.stringify(dialog) !== JSON.stringify(this.state)) this.draw(dialog, this.state?.kind !== dialog.kind);
    if (!this.dialog.open) {
      byId("dialog-notes").replaceChildren();
      byId("worlds-title").autofocus = matchMedia("(pointer: coarse)").matches; // an input would bring up the keyboard
      this.dialog.showModal();
    }
  }

  draw(state, is_new = true) {
    this.state = state;
    const { kind } = state, sized = kind === "new" || kind === "resize";
    byId("worlds-title").textContent = TITLES[kind] ?? `${state.verb}?`;
    for (const part of this.dialog.querySelectorAll("[data-of]")) part.hidden = !part.dataset.of.split(" ").includes(kind);
    byId("confirm").textContent = VERBS[kind] ?? "";
    byId("stay").textContent = kind === "unsaved" ? "Stay" : kind === "open" ? "Close" : "Cancel";
    if (sized) this.drawSized(state, is_new);
    if (kind === "open") this.drawFolder();
    if (kind === "unsaved") {
      byId("replaced").textContent = `${state.other} will replace it.`;
      byId("kept").textContent = `If you save it, it is kept as ${state.place}.`;
      byId("save-first").textContent = `Save and ${state.verb.toLowerCase()}`;
      byId("without").textContent = `${state.verb} without saving`;
    }
  }

  drawSized(state, is_new) {
    for (const name of ["width", "height", "surroundings", "gravity", "rules"])
      if (state[name] !== undefined && (is_new || document.activeElement !== byId(name))) byId(name).value = state[name];
    byId("about").textContent = state.about ?? "";
    byId("cost").textContent = state.words;
    byId("remark").textContent = state.remark;
    byId("wanted-row").hidden = !state.large;
    byId("wanted").checked = state.wanted;
    for (const button of byId("places").children) button.classList.toggle("chosen", button.dataset.align === String(state.align));
    byId("own").replaceChildren(...(state.own ?? []).map((rule) => {
      const made = element("input"), row = element("label", "check", made, rule.name, element("small", "", rule.needs));
      [made.type, made.checked, row.title] = ["checkbox", rule.on, rule.about];
      row.dataset.own = rule.name;
      made.addEventListener("change", () => this.connection.act("choose", { switch: rule.name }));
      return row;
    }));
    this.drawConfirm();
  }

  drawConfirm() {
    const typed = ["width", "height"].every((side) => Number.isInteger(byId(side).valueAsNumber));
    byId("problem").textContent = typed ? this.state?.problem ?? "" : "Width and height are whole numbers of cells.";
    byId("confirm").disabled = !typed || Boolean(this.state?.problem) || (this.state?.large && !this.state.wanted);
  }

  told(folder) {
    this.folder = folder;
    if (this.state?.kind === "open") this.drawFolder();
  }

  drawFolder() {
    const { folder } = this.state, found = this.folder?.folder === folder ? this.folder : null;
    byId("crumbs").textContent = folder ? `${folder}/` : "";
    const inside = (name) => (folder ? `${folder}/${name}` : name);
    const rows = [];
    if (folder) rows.push(this.entry("Up", "folder", [], () => this.connection.act("ask_open", { name: folder.split("/").slice(0, -1).join("/") })));
    else rows.push(this.entry(this.state.first, "the world served at first", [], () => this.connection.act("request_first")));
    for (const { name, kind, facts } of found?.entries ?? []) {
      const act = kind === "folder" ? "ask_open" : "request_open";
      rows.push(this.entry(kind === "folder" ? `${name}/` : name, KINDS[kind], facts, () => this.connection.act(act, { name: inside(name) })));
    }
    byId("entries").replaceChildren(...rows);
    const others = found?.others ?? 0;
    byId("others").textContent = others ? (others === 1 ? "1 other file is not shown." : `${others.toLocaleString("en")} other files are not shown.`) : "";
  }

  entry(name, kind, facts, open) {
    const made = element("button", "entry", element("span", "", name), element("small", "", [kind, ...facts].join("   ")));
    made.dataset.entry = name;
    made.addEventListener("click", open);
    return made;
  }

  /** The panel of an opened picture: which material each of its colours is, and how many pixels a cell has. */
  drawPicture(picture) {
    byId("matched").hidden = !picture;
    if (!picture) return;
    byId("picture-words").textContent = picture.words;
    const pixels = byId("picture-pixels");
    pixels.replaceChildren(...Object.entries(picture.pixels).map(([every, words]) => new Option(words, every)));
    pixels.value = String(picture.every);
    pixels.onchange = () => this.connection.act("picture_pixels", { every: Number(pixels.value) });
    byId("picture-groups").replaceChildren(...picture.groups.map(({ colour, share, material }, group) => {
      const list = element("select"), row = element("label", "check", swatch(colour ?? "transparent"), list);
      list.append(...picture.materials.map((name, number) => new Option(number ? name : "nothing", name)));
      list.value = material;
      row.title = `${colour ?? "transparent"}, ${share.toPrecision(2)} % of the picture`;
      list.addEventListener("change", () => this.connection.act("picture_material", { group, name: list.value }));
      return row;
    }));
  }
}
