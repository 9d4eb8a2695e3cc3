// Things that answer: a card that says what an element of the picture is, what it is worth now and
// after the action chosen, with the rules that it is about. The server answers from what this
// viewer may know. By mouse it is enough to rest on something; by finger it is pressed for long;
// with the keys `I` asks about what has the focus. It also tells screen readers.

import { say, toast } from "./announce.js";
import { ask } from "./happenings.js";
import { chosenWith } from "./meaning.js";
import { meantAt } from "./nearest.js";
import { $, fill, make, nodeOf, page, table } from "./page.js";
import { setting } from "./settings.js";
import { state } from "./state.js";

const words = JSON.parse($("ask-strings").textContent);
const card = $("ask-card");
const RESTING = 450; // milliseconds that a mouse rests on something before it is asked
const PRESSED = 480; // and that a finger presses it
const LEAVING = 250; // a mouse may cross from the element to the card
const FAR = 9; // pixels, before a press is a drag or a scroll
const ASKABLE = "[data-e], [data-ask]";

/** What is shown: the node asked, and whether it stays until it is closed. */
let shown = null;
let timer = 0;
let asked = 0; // counts questions: of several only the last one's answer is shown
/** Answers of the position that is on the page, by question. */
let known = new Map();

const nameOf = (node) => node.dataset.e ?? node.dataset.ask;
const askable = (target) => {
  const node = target?.closest?.(ASKABLE);
  return node && table().contains(node) ? node : null;
};

/** What is pointed at: with a finger beside everything, the nearest. */
const meant = (event) => askable(event.target)
  ?? (event.pointerType === "touch" && event.target.closest?.("#board, .dock") ? meantAt(table().querySelectorAll(ASKABLE), event) : null);

async function answerOf(node) {
  const element = nameOf(node);
  const action = node.dataset.e === undefined ? null : chosenWith(element);
  const query = new URLSearchParams({ e: element });
  if (table().dataset.ply) query.set("ply", table().dataset.ply);
  else if (action !== null) query.set("action", String(action));
  const question = query.toString();
  if (!known.has(question)) {
    const { ok, body } = await ask("GET", `/ask?${question}`, undefined, { calmly: true });
    if (!ok) return null;
    known.set(question, body);
  }
  return known.get(question);
}

/** Ask what an element is, and show it; `stays` until it is closed, by keys or finger. */
async function tell(node, { stays = false, aloud = false } = {}) {
  clearTimeout(timer);
  const mine = ++asked;
  const answer = await answerOf(node);
  if (mine !== asked || !node.isConnected) return;
  if (!answer) return close();
  // What lies there of a set-up is known here alone.
  if (state.arrange.on && state.arrange.at(nameOf(node)) >= 0) answer.title = nodeOf(nameOf(node)).getAttribute("aria-label");
  shown = { node, element: nameOf(node), stays };
  card.replaceChildren(...body(answer, stays));
  card.classList.toggle("is-pinned", stays);
  card.hidden = false;
  light(answer.lights);
  place(node);
  if (aloud) say(aloudOf(answer));
}

function body(answer, stays) {
  const head = make("div", { class: "ask-head" }, make("h2", { id: "ask-title" }, answer.title));
  if (stays) {
    const button = make("button", { type: "button", class: "button quiet", "aria-label": words.close }, "×");
    button.onclick = () => close(true);
    head.append(button);
  }
  const facts = answer.facts.map(({ name, text, after }) => {
    const value = make("dd", {}, text || (after ? "" : "–"));
    if (after) {
      value.append(make("span", { class: "ask-after" }, make("span", { class: "visually-hidden" }, ` ${words.after} `), after));
    }
    return make("div", {}, make("dt", {}, name), value);
  });
  const rules = answer.rules.map(({ statement, text, link }) =>
    make("li", {}, link ? make("a", { href: link, target: "_blank", rel: "noopener" }, statement) : statement, " ", text),
  );
  const parts = [head];
  if (facts.length) parts.push(make("dl", { class: "ask-facts" }, ...facts));
  if (rules.length) parts.push(make("ul", { class: "ask-rules", "aria-label": words.rules }, ...rules));
  return parts;
}

function aloudOf({ title, facts, rules }) {
  const told = facts.map(({ name, text, after }) => fill(words.labelled, { name, what: [text, after && `${words.after} ${after}`].filter(Boolean).join(", ") }));
  const rule = rules.length ? fill(words.more, { n: rules.length }) : "";
  return [title, ...told, rule].filter(Boolean).join(". ");
}

/** Put the card beside what it is about, never over it, where it covers least that can be chosen. */
function place(node) {
  const it = node.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = card;
  const [right, bottom] = [document.documentElement.clientWidth - width - 6, innerHeight - height - 6];
  const within = (wish, most) => Math.max(6, Math.min(wish, most));
  const across = it.left + it.width / 2 - width / 2;
  const places = [[it.right + 10, it.top], [it.left - width - 10, it.top], [across, it.bottom + 10], [across, it.top - height - 10]]
    .map(([left, top]) => [within(left, right), within(top, bottom)]);
  const covers = ([left, top], box) =>
    left < box.right && left + width > box.left && top < box.bottom && top + height > box.top;
  const others = [...table().querySelectorAll(".is-lit")].filter((one) => one !== node).map((one) => one.getBoundingClientRect());
  const cost = (one) => (covers(one, it) ? 1000 : 0) + others.filter((box) => covers(one, box)).length;
  const [left, top] = places.reduce((best, one) => (cost(one) < cost(best) ? one : best));
  // Where it has to cover some, a mouse reaches them through it, unless it stays until it is closed.
  card.classList.toggle("is-through", cost([left, top]) > 0);
  card.style.left = `${Math.round(left)}px`;
  card.style.top = `${Math.round(top)}px`;
}

function light(elements) {
  for (const node of table().querySelectorAll(".is-asked")) node.classList.remove("is-asked");
  const lit = new Set(elements);
  for (const node of table().querySelectorAll("[data-e]")) if (lit.has(node.dataset.e)) node.classList.add("is-asked");
}

function close(back = false) {
  asked += 1;
  clearTimeout(timer);
  if (!shown) return;
  const { node } = shown;
  const inside = card.contains(document.activeElement);
  shown = null;
  card.hidden = true;
  card.replaceChildren();
  light([]);
  if ((back || inside) && node.isConnected) node.focus({ preventScroll: true });
}

// --- The log: what a line speaks of, unless something else is shown ------------------------------

for (const type of ["pointerover", "focusin", "click"]) {
  page.addEventListener(type, (event) => {
    if (event.target.closest?.("#log")) import("./lines.js").then(({ heed }) => heed(event, (on) => !shown && light(on)));
  });
}

// --- Resting with the mouse ---------------------------------------------------------------------

const isMouse = (event) => event.pointerType === "mouse";
let clicked = ""; // what a mouse has just clicked is not asked about before it has been left
let at = null; // where the mouse moved last: what comes under it there was not pointed at

document.addEventListener("pointerover", (event) => {
  if (!isMouse(event) || event.buttons || !setting("hover")) return;
  if (card.contains(event.target)) return clearTimeout(timer);
  const node = askable(event.target);
  if (node && nameOf(node) === clicked) return undefined;
  clicked = "";
  if (shown?.stays || (node && node === shown?.node)) return clearTimeout(timer);
  clearTimeout(timer);
  const moved = at?.clientX !== event.clientX || at.clientY !== event.clientY;
  if (node && moved) timer = setTimeout(() => tell(node), shown ? RESTING / 3 : RESTING);
  else if (shown) timer = setTimeout(close, LEAVING);
});
document.documentElement.addEventListener("pointerleave", () => !shown?.stays && close());

// --- Pressing for long --------------------------------------------------------------------------

let press = null;
let swallow = 0; // until then a click is the end of a long press

document.addEventListener("pointerdown", (event) => {
  const node = meant(event);
  if (isMouse(event)) clicked = node ? nameOf(node) : "";
  if (isMouse(event)) return shown?.stays && card.contains(event.target) ? undefined : close();
  if (card.contains(event.target)) return undefined;
  close();
  clearTimeout(press?.timer);
  if (!node || !event.isPrimary) return undefined;
  press = { x: event.clientX, y: event.clientY, timer: setTimeout(() => pressed(node), PRESSED) };
  return undefined;
}, true);

function pressed(node) {
  swallow = Infinity;
  navigator.vibrate?.(12);
  tell(node, { stays: true, aloud: true });
}

function release() {
  clearTimeout(press?.timer);
  press = null;
  if (swallow === Infinity) swallow = Date.now() + 400;
}
addEventListener("pointermove", (event) => {
  at = event;
  if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) release();
}, true);
addEventListener("pointerup", release, true);
addEventListener("pointercancel", release, true);
addEventListener("contextmenu", (event) => {
  if (press || swallow > Date.now()) event.preventDefault();
}, true);
addEventListener("click", (event) => {
  if (swallow <= Date.now() || card.contains(event.target)) return;
  swallow = 0;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// --- Keys, and a button that asks with the next click -------------------------------------------

const askNext = $("ask-next");
const isAsking = () => askNext?.getAttribute("aria-pressed") === "true";

function arm(on) {
  askNext.setAttribute("aria-pressed", String(on));
  page.classList.toggle("is-asking", on);
  if (on) toast(words.which);
}
askNext?.addEventListener("click", () => arm(!isAsking()));

page.addEventListener("click", (event) => {
  const node = isAsking() && meant(event);
  if (!node) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  arm(false);
  tell(node, { stays: true, aloud: true });
}, true);

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("dialog, input, select, textarea")) return;
  if (event.key === "Escape" && (shown || isAsking())) {
    if (isAsking()) arm(false);
    close(true);
    event.stopImmediatePropagation();
    return;
  }
  const node = askable(document.activeElement);
  if (node && isAsking() && (event.key === "Enter" || event.key === " ")) {
    arm(false);
  } else if (event.key.toLowerCase() !== "i" || !setting("keys")) {
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!node) return arm(true);
  if (shown?.stays && shown.node === node) return card.querySelector("a, button")?.focus();
  tell(node, { stays: true, aloud: true });
}, true);

/** Who walks over the board while a card stays is told of each place. */
page.addEventListener("focusin", (event) => {
  const node = askable(event.target);
  if (shown?.stays && node && node !== shown.node) tell(node, { stays: true, aloud: true });
});

page.addEventListener("shown", () => {
  known = new Map();
  if (!shown) return;
  const node = [...table().querySelectorAll(ASKABLE)].find((one) => nameOf(one) === shown.element);
  if (node && shown.stays) tell(node, { stays: true });
  else close();
});
addEventListener("resize", () => shown && place(shown.node));
addEventListener("scroll", () => shown && place(shown.node), { passive: true });
page.dataset.asks = ""; // for tests
