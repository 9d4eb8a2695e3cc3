// What has been clicked of a gesture, what it may become, and how the board shows that.

import { hush, measureRoom, say } from "./announce.js";
import { elementsOf, follow, times } from "./gestures.js";
import { $, drawingAt, fill, make, nameOf, nodeOf, page, pressed, strings, table } from "./page.js";
import { back, rove } from "./roving.js";
import { state } from "./state.js";
import { uncover } from "./tabs.js";

/** What can follow some clicks: the next elements, and the gestures that are complete. */
export function ahead(clicked) {
  const next = new Set();
  const complete = [];
  for (const gesture of state.data.gestures) {
    const more = follow(gesture, clicked);
    if (more?.length === 0) complete.push(gesture);
    more?.forEach((element) => next.add(element));
  }
  return { next, complete };
}

/** Whether it is still open what becomes of some clicks. */
const isUndecided = ({ next, complete }) => next.size > 0 || complete.length > 1 || complete.some((gesture) => gesture.p);

export function follows(clicked) {
  const { next, complete } = ahead(clicked);
  return next.size > 0 || complete.length > 0;
}
export const begins = (element) => (state.data.first ?? state.data.gestures).some((gesture) => follow(gesture, [element]));

/** The action that the clicks so far mean, with one more on an element if that ends one; else null. */
export function chosenWith(element) {
  const meant = [[...state.clicks, element], state.clicks].map((clicked) => ahead(clicked).complete).find(({ length }) => length === 1);
  return meant && meant[0].a >= 0 ? meant[0].a : null;
}

export const LATER = -2; // for an action: it is not one's turn, but may be set for then
const MOST_FORETOLD = 4;
/**
 * What the clicks can still become, where the game wants it told before it is done; null where it
 * does not. Of very many only those that are complete.
 */
function foretold() {
  const fitting = state.data.gestures.filter((gesture) => follow(gesture, state.clicks));
  if (!fitting.some((gesture) => gesture.p)) return null;
  return fitting.length <= MOST_FORETOLD ? fitting : fitting.filter((gesture) => !follow(gesture, state.clicks).length);
}

/** Mark what can be clicked, and what has been. */
export function light() {
  const { next, complete } = ahead(state.clicks);
  const lit = state.arrange.on ? state.arrange.lit() : state.sending || table().dataset.ply || (state.data.premoves && !state.clicks.length) ? new Set() : next;
  const picked = state.arrange.on ? state.arrange.picked() : state.clicks;
  const later = new Set(state.clicks.length ? (state.data.ahead?.[state.clicks[0]] ?? []) : []);
  for (const node of table().querySelectorAll("[data-e]")) {
    const element = node.dataset.e;
    node.classList.toggle("is-lit", lit.has(element));
    node.classList.toggle("is-target", state.clicks.length > 0 && lit.has(element));
    node.classList.toggle("is-picked", picked.includes(element));
    node.classList.toggle("is-ahead", later.has(element) && !lit.has(element));
    if (picked.includes(element)) node.dataset.picked = times(element, picked);
    else delete node.dataset.picked;
    node.classList.toggle("is-filled", state.arrange.on && state.arrange.at(element) >= 0);
    if (node.hasAttribute("role")) {
      if (picked.includes(element)) node.setAttribute("aria-pressed", "true");
      else node.removeAttribute("aria-pressed");
    }
  }
  table().classList.toggle("is-choosing", state.clicks.length > 0);
  guide(state.arrange.on ? lit.size : next.size, complete, [...later].some((element) => !lit.has(element)));
  busy();
  offer(state.sending || !state.clicks.length ? [] : foretold() ?? (isUndecided({ next, complete }) || state.doubted === state.clicks ? complete : []));
  state.premove?.mark();
  state.marching?.mark();
  rove();
}

/** Say what goes on with what has been clicked, in the place of the prompt. */
function guide(count, complete, farther) {
  const clicked = state.clicks.length ? nameOf(state.clicks.at(-1)).replace(/\s?: /gu, ", ") : "";
  const meant = count === 0 && complete.length === 1 ? complete[0].l : "";
  const held = state.arrange.on ? state.arrange.named() : clicked && (meant || clicked);
  const shown = Boolean(held) && !state.sending;
  $("undo").hidden = !shown;
  // Of an arrangement only what goes down as a whole needs it: where, is not plain.
  $("following").hidden = !shown || (state.arrange.on && state.arrange.hand?.preset === undefined);
  const words = farther && count ? strings.then_far : [strings.then_sure, strings.then_there][count] ?? strings.then_where;
  const text = shown ? fill(words, { what: held, n: count }) : "";
  $("following").textContent = text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Show that something is under way, on the page as it is now. */
export function busy() {
  for (const one of state.asked) one.mark();
  if (state.asked.size) table().setAttribute("aria-busy", "true");
  else table().removeAttribute("aria-busy");
}

export function wholeAgain() {
  if (state.data.first) Object.assign(state.data, { gestures: state.data.first, partial: true, first: null });
}

export function undo() {
  const chosen = state.premove?.drop() || state.clicks.length || state.arrange.hand;
  state.clicks = [];
  wholeAgain();
  state.arrange.drop();
  hush();
  light();
  page.dispatchEvent(new Event("undone"));
  if (chosen) say(strings.unpicked);
}

/** Several gestures fit what was clicked, or one that is foretold: let the person say which. */
export function offer(gestures, take = false) {
  const box = $("choice");
  const focused = box.contains(document.activeElement);
  const shown = gestures.map((gesture) => gesture.a).join();
  if (box.dataset.shown === shown && !box.hidden && gestures.length && !take) return;
  if (!gestures.length) return vacate(box);
  const buttons = gestures.map((gesture) => {
    const button = make("button", { type: "button", class: "button primary" }, gesture.l || strings.do_it);
    button.onclick = () => page.dispatchEvent(new CustomEvent("meant", { detail: gesture }));
    return button;
  });
  inquire(shown, gestures.length > 1 ? strings.choose : strings.sure, buttons);
  if (take && !focused) buttons[0].focus({ preventScroll: true });
}

/** Put away what lay beside the board; the keyboard, if it was there, goes on from the board. */
export function vacate(box) {
  const held = box.querySelector(":focus-visible");
  box.hidden = true;
  box.replaceChildren();
  if (held) back();
}

/** Ask a question: its answers are buttons, and one that cancels it is always in sight. */
export function inquire(shown, question, buttons) {
  const box = $("choice");
  uncover();
  const ways = make("div", { class: "choice-ways" }, ...buttons);
  box.dataset.shown = shown;
  box.replaceChildren(make("p", {}, question), ways, pressed(strings.cancel, undo));
  box.hidden = false;
  measureRoom();
}

export const GLIDE = 300; // milliseconds
export function foreshow(gesture, glide) {
  state.doing = gesture;
  preview(gesture, glide);
}

/** Show what a gesture does, or nothing more. */
export function preview(gesture, glide = 0) {
  if (!gesture) return state.ghost?.clear();
  const steps = gesture.s.flatMap((step) =>
    Array.isArray(step) ? [[...state.clicks.filter((element) => step.includes(element)), ...step]] : elementsOf(step).map((element) => [element]));
  state.ghost?.show(steps.map((step) => step.map(nodeOf).filter(Boolean)), gesture.u ?? "", (node) => drawingAt(node.dataset.e), glide);
}
