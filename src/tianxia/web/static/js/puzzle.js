// The page of a puzzle: the board is clicked as at a table, the server judges what was meant.

import { follow, times } from "./gestures.js";
import { meantAt } from "./nearest.js";
import { isSolved, note, show } from "./solved.js";

const $ = (id) => document.getElementById(id);
const page = $("puzzle");
const strings = JSON.parse($("strings").textContent);
const { gestures } = JSON.parse($("gestures").textContent);
const { game } = page.dataset;
const number = Number(page.dataset.number);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

let clicks = [];
let sending = false;
let at = null; // the place that the keyboard was at

const nodes = (element) => [...page.querySelectorAll(`[data-e="${CSS.escape(element)}"]`)];
const nameOf = (element) => nodes(element).map((node) => node.getAttribute("aria-label")).find(Boolean) ?? element;

function button(label, act, extra = "") {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", className: `button ${extra}`, textContent: label, onclick: act });
  return node;
}

function line(text, className = "") {
  return Object.assign(document.createElement("p"), { textContent: text, className });
}

// --- Clicks ---------------------------------------------------------------------------------

/** What can follow some clicks: the next elements, and the gestures that are complete. */
function ahead(clicked) {
  const next = new Set();
  const complete = [];
  for (const gesture of gestures) {
    const more = follow(gesture, clicked);
    if (more?.length === 0) complete.push(gesture);
    more?.forEach((element) => next.add(element));
  }
  return { next, complete };
}

/** Mark what can be clicked, and what has been; the Tab key reaches just these. */
function light(shown = null) {
  const lit = shown || sending ? new Set() : ahead(clicks).next;
  const picked = shown ?? clicks;
  for (const node of page.querySelectorAll("[data-e]")) {
    const element = node.dataset.e;
    const chosen = picked.includes(element);
    node.classList.toggle("is-lit", lit.has(element));
    node.classList.toggle("is-target", clicks.length > 0 && lit.has(element));
    node.classList.toggle("is-picked", chosen);
    if (chosen) node.dataset.picked = times(element, picked);
    else delete node.dataset.picked;
    if (!node.hasAttribute("role")) continue;
    node.setAttribute("tabindex", lit.has(element) || chosen ? "0" : "-1");
    if (chosen) node.setAttribute("aria-pressed", "true");
    else node.removeAttribute("aria-pressed");
  }
  page.classList.toggle("is-choosing", clicks.length > 0);
}

function undo() {
  if (clicks.length) say(line(strings.unpicked));
  clicks = [];
  offer([]);
  light();
}

function choose(element) {
  if (sending) return;
  for (const clicked of [[...clicks, element], [element]]) {
    const { next, complete } = ahead(clicked);
    if (!next.size && !complete.length) continue;
    if (clicked.length === 1 && clicks.at(-1) === element) return undo();
    clicks = clicked;
    light();
    if (complete.length) return decide(next, complete);
    offer([]);
    return say(line(fill(strings.picked, { what: nameOf(element), n: next.size })));
  }
  if (clicks.includes(element)) return undo();
  say(line(strings.cannot), "is-wrong");
}

/** Something is meant: do it, or ask where it is not clear what. */
function decide(next, complete) {
  if (complete.length === 1 && !next.size && !complete[0].p) return send(complete[0]);
  offer(complete);
}

function offer(fitting) {
  const box = $("choice");
  const held = box.contains(document.activeElement);
  box.hidden = !fitting.length;
  if (!fitting.length) {
    box.replaceChildren();
    if (held) nodes(at).find((node) => node.hasAttribute("role"))?.focus({ preventScroll: true });
    return;
  }
  const buttons = fitting.map((gesture) => button(gesture.l || strings.do_it, () => send(gesture), "primary"));
  box.replaceChildren(line(fitting.length > 1 ? strings.choose : strings.sure), ...buttons, button(strings.cancel, undo));
  buttons[0].focus({ preventScroll: true });
}

// --- The server judges ------------------------------------------------------------------------

const address = `/api/v1/puzzles/${encodeURIComponent(game)}/${number}`;

async function ask(path, body) {
  const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(address + path, body === undefined ? {} : json);
    return await answer.json();
  } catch {
    return { error: { text: strings.sorry } };
  }
}

async function attempt(path, body) {
  if (sending) return;
  sending = true;
  offer([]);
  light();
  page.setAttribute("aria-busy", "true");
  const answer = await ask(path, body);
  page.removeAttribute("aria-busy");
  sending = false;
  clicks = [];
  tell(answer);
}

const send = (gesture) => attempt("", { action: gesture.a });

function say(...parts) {
  const kind = typeof parts.at(-1) === "string" ? parts.pop() : "";
  const box = $("verdict");
  box.className = `verdict ${kind}`;
  box.replaceChildren(...parts);
  if (kind) box.scrollIntoView({ block: "nearest" });
}

function tell(answer) {
  if (answer.error) {
    say(line(answer.error.text), "is-wrong");
    return light();
  }
  const solution = answer.right === undefined ? answer : answer.solution;
  if (!solution) {
    say(line(answer.label, "puzzle-answer"), line(answer.text), "is-wrong");
    return light();
  }
  const onward = Object.assign(document.createElement("a"), { className: "button primary", href: $("next").href, textContent: strings.next });
  const right = answer.right ? [line(answer.text)] : [];
  say(line(solution.label, "puzzle-answer"), ...right, line(solution.reason), line(solution.compared, "hint"), onward, answer.right ? "is-right" : "is-told");
  const meant = gestures.find((gesture) => gesture.a === solution.action);
  light(meant ? meant.s.flatMap((step) => (Array.isArray(step) ? [step[0]] : step.set ? step.set : Array(step.count ?? 1).fill(step.one))) : null);
  if (answer.right) solved();
  onward.focus({ preventScroll: true });
}

function solved() {
  note(game, number, "today" in page.dataset);
  $("solved").hidden = false;
  show(strings);
}

// --- Mouse, finger and keys -------------------------------------------------------------------

page.addEventListener("click", (event) => {
  const beside = event.pointerType === "touch" && event.target.closest(".puzzle-board") && meantAt(page.querySelectorAll(".is-lit, .is-picked"), event);
  const node = event.target.closest("[data-e]") ?? beside;
  if (!node || !page.contains(node)) return;
  event.preventDefault();
  choose(node.dataset.e);
});

page.addEventListener("focusin", ({ target }) => (at = target.closest("[data-e]")?.dataset.e ?? at));

page.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return undo();
  const node = event.target.closest("[data-e]");
  if (!node || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  if (!event.repeat) choose(node.dataset.e);
});

$("answer-form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt("", { action: $("answer").value });
});
$("solution-form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt("/solution");
});

$("solved").hidden = !isSolved(game, number);
if ("right" in page.dataset) solved();
light();
page.dataset.ready = ""; // for tests: from here on clicks count
