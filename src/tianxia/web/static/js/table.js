// The table page in the browser. Knows no game: the server sends pictures whose clickable parts
// carry `data-e`, and the legal gestures as lists of such parts; see docs/table-page.md.

import { toast } from "./announce.js";
import { inAdvance } from "./choosing.js";
import "./company.js";
import "./dragging.js";
import { dress, settle, skip } from "./happenings.js";
import "./keys.js";
import { live } from "./live.js";
import { light, undo } from "./meaning.js";
import { $, address, answered, isOver, page, strings, table } from "./page.js";
import { aim } from "./pointer.js";
import { seedFor } from "./seed.js";
import { again, post } from "./sending.js";
import { firstSeal, settings, store, wish } from "./settings.js";
import { state } from "./state.js";
import * as tabs from "./tabs.js";
import * as zoom from "./zoom.js";

let fetched = Promise.resolve();

/** Where the game has something to arrange, or lets several pieces go as one: fetch what does that, or tell it. */
function setUp() {
  if (state.data.together && !state.marching) fetched = import("./marching.js").then(({ marching }) => (state.marching = marching).dress());
  if (state.arrange.begin) return state.arrange.begin(state.data.arrangement);
  if (!state.data.arrangement) return;
  fetched = import("./arrange.js").then((module) => {
    state.arrange = module.arrange;
    state.arrange.begin(state.data.arrangement);
    light();
  });
}

/** When the last step of a game has been shown: how it has ended. */
async function finish(asked = false) {
  const { plies, ply } = table().dataset;
  if (!isOver() || !Number(plies) || (ply && !asked)) return;
  const { tell } = await import("./ending.js");
  const under = aim.under();
  await tell(asked);
  aim.check(under);
}

let stepper = null;
let fetching = null;
/** What steps through a finished game; fetched when there is one, and it knows the game before it is asked to step. */
const stepping = () => (fetching ??= import("./stepper.js").then((module) => {
  stepper = module.stepper;
  stepper.refresh();
  return stepper;
}, (error) => {
  fetching = null;
  throw error;
}));

function retell() {
  if (stepper) stepper.refresh();
  else if ($("stepper")) stepping();
}

// What is shown tells by events what else is to be done.
page.addEventListener("dressing", setUp);
page.addEventListener("shown", retell);
page.addEventListener("caught-up", () => {
  hasten();
  finish();
});

/** Whoever wants to see everything at once does not wait for bots either. */
function hasten() {
  if (settings.speed === "once" && !state.skipping) $("do-hurry")?.click();
}

/** What moves is the matter of style sheets, what sounds that of a module of its own. */
function heed() {
  document.documentElement.dataset.speed = settings.speed;
  if (settings.sounds) import("./sounds.js");
}

async function copy(button) {
  const field = $(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    toast(strings.copied);
  } catch {
    toast(strings.copy_by_hand);
  }
}

/** Go to another page; until it comes, this one shows that it is awaited. */
function leaveFor(path) {
  location.assign(path);
  return true;
}

/** Press a button that changes the table. */
async function press(button) {
  // Read at once: while a question is open, news may make another button of this one.
  const { sure: question, post: path, body = "{}" } = button.dataset;
  if (question && !(await answered($(question)))) return;
  await post(`/${path}`, JSON.parse(body), { by: button, then: ({ body: { next } }) => next && leaveFor(next) });
}

page.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.closest("#menu")) $("menu").hidePopover?.();
  if (button.id === "do-hurry") skip();
  if (button.id === "again") again();
  else if (button.id === "undo") undo();
  else if (button.id === "hint-ask") import("./hints.js").then(({ hint }) => hint());
  else if (button.dataset.post) press(button);
  else if (button.dataset.copy) copy(button);
  else if ("share" in button.dataset) import("./sharing.js").then((sharing) => sharing.share(button));
  else if (button.id === "end-open") finish(true);
  else if ("dice" in button.dataset) import("./dice.js").then((dice) => dice.run());
  else if (button.dataset.step) stepping().then((stepper) => stepper.click(button.dataset.step));
  else if (button.dataset.tab) tabs.toggle(button.dataset.tab);
  else if (button.dataset.zoom) zoom.by(button.dataset.zoom);
  else if (button.dataset.open === "moves-dialog") import("./moves.js").then(({ open }) => open());
  else if (button.dataset.open) $(button.dataset.open).showModal();
});

page.addEventListener("input", (event) => {
  if (event.target.dataset.step === "slider") stepping().then((stepper) => stepper.go(Number(event.target.value)));
  if (event.target.dataset.setting) {
    const { type, checked, value, dataset } = event.target;
    settings[dataset.setting] = type === "checkbox" ? checked : value;
    store.set("settings", settings);
    heed();
  }
});

page.addEventListener("submit", async (event) => {
  if (!("sit" in event.target.dataset)) return;
  event.preventDefault();
  const name = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name");
  // Who has sat down needs another page and another connection.
  await post("/sit", { seat: event.submitter.value, ...event.submitter.dataset, name, seed: seedFor(table().dataset.table, firstSeal()) }, { by: event.submitter, then: () => leaveFor(address()) });
});

for (const box of document.querySelectorAll("[data-setting]")) {
  box[box.type === "checkbox" ? "checked" : "value"] = settings[box.dataset.setting];
}
document.addEventListener("visibilitychange", () => live.wake());
addEventListener("focus", () => live.wake());
addEventListener("online", () => live.wake());
addEventListener("offline", () => live.offline());
setInterval(() => live.watch(), 5000);
addEventListener("pagehide", () => live.leave());
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  settle();
  live.wake();
});
addEventListener("resize", () => state.arrange.on && state.arrange.drawPieces());

if ($("guide")) import("./guide.js");
if (isOver() && new URLSearchParams(location.search).has("together")) import("./together.js");
dress();
firstSeal();
retell();
live.connect();
heed();
hasten();
finish();
// For tests: from here on clicks count.
Promise.allSettled([fetched, import("./ghost.js").then((module) => (state.ghost = module)), import("./ask.js"), store.get(...wish()) && inAdvance("resume")]).then(() => { page.dataset.ready = ""; });
