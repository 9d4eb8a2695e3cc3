// A move that is set while others are asked: shown where it is set, sent when one's turn comes.
// It is a wish of this page alone, also when it is loaded again; the server hears of it when it is
// sent, and judges it then.

import { say, toast } from "./announce.js";
import { ahead, light, preview } from "./meaning.js";
import { $, drawingAt, isOver, nodeOf, page, strings, yourTurn } from "./page.js";
import { store, wish } from "./settings.js";
import { decision } from "./state.js";

/** What is set: the two elements, and whether anything stood on the second. */
let plan = null;

/** Set a move; the one before is forgotten. Where one's turn has come meanwhile it is made. */
export function set(gesture) {
  const way = gesture.s.map(([element]) => element);
  plan = { gesture, way, held: drawingAt(way[1]) !== null };
  say(gesture.l);
  light();
  turn();
}

/** Take up what was set before the page was loaded, unless its decision has passed meanwhile. */
export function resume() {
  const { way, held, before } = store.get(...wish());
  const [gesture] = ahead(way).complete;
  const waits = decision() === before && !yourTurn() && gesture;
  if (waits || (yourTurn() && [before, before + 1].includes(decision()))) plan = { gesture, way, held };
  keep();
  light();
  turn();
}

/** Remember what is set, and while which decision was awaited. */
function keep() {
  const [key, , where] = wish();
  store.set(key, plan && { way: plan.way, held: plan.held, before: decision() }, where);
}

/** Forget what is set; says whether there was anything. */
export function drop() {
  if (!plan) return false;
  plan = null;
  keep();
  preview(null);
  return true;
}

/** Forget what is set because something was clicked; says whether the click was about it. */
export function takenBack(element) {
  const meant = plan?.way.includes(element) ?? false;
  return drop() && meant;
}

/** The page has changed: where it is one's turn now, do what is set, if it is still the same. */
export function turn() {
  if (isOver()) drop();
  if (!plan) return;
  if (!yourTurn()) return keep();
  const { way, held } = plan;
  drop();
  const { complete } = ahead(way);
  // A step shall not become an attack, nor an attack a step.
  if (complete.length === 1 && held === (drawingAt(way[1]) !== null)) return page.dispatchEvent(new CustomEvent("meant", { detail: complete[0] }));
  light();
  toast(strings.premove_gone);
}

/** Show what is set, on the page as it is now. */
export function mark() {
  $("go-text").textContent = plan?.gesture?.l ?? "";
  for (const node of document.querySelectorAll(".is-planned")) node.classList.remove("is-planned");
  if (!plan?.gesture) return;
  $("undo").hidden = false;
  for (const element of plan.way) nodeOf(element)?.classList.add("is-planned");
  preview(plan.gesture);
}
