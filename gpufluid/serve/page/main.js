// The page of gpufluid serve: connects the parts.

import { Connection, token } from "./connection.js";
import { Keys } from "./keys.js";
import { Panels, element } from "./panels.js";
import { Pointer } from "./pointer.js";
import { View } from "./view.js";
import { Worlds } from "./worlds.js";

const NOTE_SECONDS = { note: 6, error: 12, offer: 20 };
const TEXT_SIZES = [75, 100, 125, 150, 200];
const byId = (id) => document.getElementById(id);

let view, panels, worlds, keys, text = 1;

const connection = new Connection({
  opened: () => { byId("lost").hidden = true; view?.tell(); },
  lost: (words) => { byId("lost").textContent = words; byId("lost").hidden = false; },
  told: (message) => told[message.type]?.(message),
  frame: (data) => view.frame(data),
});

/** What a message offers can be taken until an edit follows, by a page with the brush. */
function showOffers() {
  for (const button of document.querySelectorAll(".offer")) button.hidden = !(view.state?.gone_back && view.state.brush);
}

/** Show a message, with a button for what it offers. */
function note({ text: words, kind, offer }) {
  const made = element("div", kind, words);
  if (offer) {
    const button = element("button", "offer", offer.label);
    button.addEventListener("click", () => connection.act(offer.action, {}));
    made.append(" ", button);
  }
  made.addEventListener("click", () => made.remove());
  const place = byId("worlds").open ? byId("dialog-notes") : byId("notes"); // an open dialog covers the others
  place.append(made);
  showOffers();
  while (place.children.length > (place.id === "notes" ? 5 : 1)) place.firstChild.remove();
  setTimeout(() => made.remove(), 1000 * NOTE_SECONDS[offer ? "offer" : kind]);
}

const link = (name) => `files/${encodeURIComponent(name)}?${new URLSearchParams({ token })}`;

function drawFiles(names) {
  if (byId("file-list").children.length === names.length) return;
  byId("file-list").replaceChildren(...names.map((name) => {
    const made = element("a", "", name);
    made.href = link(name);
    made.download = name;
    return made;
  }).reverse());
}

const told = {
  facts: (facts) => {
    panels.drawFacts(facts);
    worlds.drawFacts(facts);
    keys.table = facts.keys;
    view.factors = facts.limits.factors;
    document.body.dataset.gravity = facts.gravity; // messages keep clear of the floor
    view.resize();
  },
  state: (state) => {
    const resized = String(view.state?.size) !== String(state.size);
    if (view.state?.gone_back && !state.gone_back) // time is no longer where the message says
      for (const button of byId("notes").querySelectorAll(".offer")) button.parentElement.remove();
    view.state = state;
    if (resized) {
      document.documentElement.style.setProperty("--aspect", state.size[0] / state.size[1]);
      view.resize();
    }
    panels.drawState(state);
    panels.drawStatistics(state, view.rate, view.delay);
    worlds.drawState(state);
    drawFiles(state.files);
    showOffers();
    view.drawOutlines();
  },
  folder: (found) => worlds.told(found),
  statistics: (found) => panels.drawCounts(found),
  note,
  file: ({ name }) => {
    const made = element("a");
    made.href = link(name);
    made.download = name;
    made.click();
    note({ text: `${name} is ready, and your browser fetches it`, kind: "note" });
  },
};

function scaleText(step) {
  text = Math.min(Math.max(text + step, 0), TEXT_SIZES.length - 1);
  document.documentElement.style.fontSize = `${(14 * TEXT_SIZES[text]) / 100}px`;
}

view = new View(connection);
panels = new Panels(connection);
worlds = new Worlds(connection);
keys = new Keys(connection, {
  full_screen: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
  text_bigger: () => scaleText(1),
  text_smaller: () => scaleText(-1),
});
new Pointer(connection, view, keys);

// On a phone one sheet of tools is shown at a time; the material under the brush leads to the palette.
for (const button of document.querySelectorAll("nav [data-tab]"))
  button.addEventListener("click", () => { document.body.dataset.tab = button.dataset.tab; });
byId("now").addEventListener("click", () => {
  document.body.dataset.tab = "paint";
  byId("palette").scrollIntoView();
});
